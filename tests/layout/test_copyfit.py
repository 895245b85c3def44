"""Copyfitting: text as large as fits, never overflowing, never below its least size."""

from __future__ import annotations

import pytest
from conftest import Project
from hypothesis import assume, event, example, given
from hypothesis import strategies as st
from making import list_shrunk, load_deck, prepare
from strategies import (
    MM,
    PLAIN,
    examples,
    find_problem,
    find_right,
    find_typesetter,
    lay_out,
    lines_of_text,
    list_lines,
    list_runs,
    list_sizes,
    make_faces,
    make_job,
    tenths,
    texts,
)

from cardgen.deck.model import Copy
from cardgen.text.fit import (
    STEP,
    Block,
    find_size,
    fits_box,
    fits_line,
    measure_block,
    measure_width,
)
from cardgen.text.setting import Edged, Run, SetBlock

EDGE = 0.1  # what nobody sees, in points

widths = st.floats(20, 250)
heights = st.floats(5, 200)


def make_block(text: str) -> Block:
    return find_typesetter().make_block(PLAIN, text)


def fit_box(block: Block, width: float, height: float, sizes: tuple[float, float]) -> float | None:
    smallest, largest = sizes
    return find_size(lambda size: fits_box(block, size, width, height), largest, smallest)


def fit_line(block: Block, width: float, sizes: tuple[float, float]) -> float | None:
    smallest, largest = sizes
    return find_size(lambda size: fits_line(block, size, width), largest, smallest)


def lay(block: Block, size: float, width: float) -> SetBlock:
    return find_typesetter().set_text(block, PLAIN, size, width)


def find_extent(text: SetBlock, size: float) -> float:
    """Where the rightmost letter or icon ends."""
    rights = (
        find_right(piece) if isinstance(piece, Run) else piece.x + size
        for piece in text.pieces
        if not isinstance(piece, Edged)
    )
    return max(rights, default=0.0)


def is_on_grid(size: float, sizes: tuple[float, float]) -> bool:
    steps = (sizes[1] - size) / STEP
    return size == sizes[0] or abs(steps - round(steps)) < 1e-6


ranges = st.tuples(tenths(4, 14), tenths(4, 14)).map(lambda pair: (min(pair), max(pair)))


# Any text, any box


@given(texts, widths, heights, ranges)
@examples(150)
def test_a_text_never_overflows_its_box(
    text: str, width: float, height: float, sizes: tuple[float, float]
) -> None:
    block = make_block(text)
    size = fit_box(block, width, height, sizes)
    assume(size is not None)
    assert size is not None
    event("shrunk" if size < sizes[1] else "as large as may be")
    found = lay(block, size, width)
    assert found.height <= height + EDGE
    assert find_extent(found, size) <= width + EDGE
    lowest = max(piece.y for piece in found.pieces if not isinstance(piece, Edged))
    assert lowest + block.depth * size <= height + EDGE
    assert found.height == pytest.approx(measure_block(block, size, width))


@given(texts, widths, heights, ranges)
@examples(150)
def test_a_size_is_never_below_the_least_nor_above_the_largest(
    text: str, width: float, height: float, sizes: tuple[float, float]
) -> None:
    block = make_block(text)
    size = fit_box(block, width, height, sizes)
    if size is None:
        assert not fits_box(block, sizes[0], width, height)
    else:
        assert sizes[0] <= size <= sizes[1]
        assert is_on_grid(size, sizes)
        larger = min(size + STEP, sizes[1])
        assert size == sizes[1] or not fits_box(block, larger, width, height)


@given(texts, widths, heights, ranges, st.floats(0, 50), st.floats(0, 50))
@examples(150)
def test_a_larger_box_never_gives_smaller_text(
    text: str, width: float, height: float, sizes: tuple[float, float], wider: float, higher: float
) -> None:
    block = make_block(text)
    small = fit_box(block, width, height, sizes)
    large = fit_box(block, width + wider, height + higher, sizes)
    assert (large or 0) >= (small or 0)


@given(lines_of_text, widths, ranges)
@example("Sword of Fate", 53.0, (4.0, 12.0))
@examples(150)
def test_a_line_never_overflows_and_stays_one_line(
    text: str, width: float, sizes: tuple[float, float]
) -> None:
    block = make_block(text)
    size = fit_line(block, width, sizes)
    if size is None:
        assert measure_width(block) * sizes[0] > width
        return
    assert sizes[0] <= size <= sizes[1]
    assert is_on_grid(size, sizes)
    found = lay(block, size, width)
    assert len(found.lines) == 1
    assert find_extent(found, size) <= width + EDGE
    assert (fit_line(block, width + 5, sizes) or 0) >= size


@pytest.mark.parametrize("over", [0.006, 0.0049, 0.003, 0.0001, 0.0, -0.003])
def test_what_fits_on_one_line_is_set_on_one_line(over: float) -> None:
    """Whatever a rounding error may leave over is no reason for a second line."""
    block = make_block("Sword of Fate")
    width = measure_width(block) * 12 - over
    size = fit_line(block, width, (6.0, 12.0))
    assert size is not None
    assert len(lay(block, size, width).lines) == 1


# Any rule of what fits


@given(tenths(4, 20), tenths(4, 20), st.floats(3, 22))
@examples(200)
def test_the_largest_size_that_fits_is_found(one: float, other: float, limit: float) -> None:
    smallest, largest = min(one, other), max(one, other)
    trials: list[float] = []

    def fits(size: float) -> bool:
        trials.append(size)
        return size <= limit

    size = find_size(fits, largest, smallest)
    steps = round((largest - smallest) / STEP)
    fitting = [s for s in (round(largest - n * STEP, 3) for n in range(steps + 1)) if s <= limit]
    assert size == (fitting[0] if fitting else None)
    assert len(trials) <= 10
    assert all(smallest <= trial <= largest for trial in trials)


@pytest.mark.parametrize(
    ("largest", "smallest", "limit", "size"),
    [
        (9, 9, 9, 9),
        (9, 9, 8.9, None),
        (9, 7, 20, 9),
        (9, 7, 8.55, 8.5),
        (9, 7, 7, 7),
        (9, 7.25, 7.28, 7.25),
        (9.05, 7, 8.97, 8.95),
        (9, 7, 6.99, None),
        (7, 9, 8, 7),
        (7, 9, 6, None),
    ],
)
def test_sizes_go_down_in_steps_of_a_tenth(
    largest: float, smallest: float, limit: float, size: float | None
) -> None:
    assert find_size(lambda s: s <= limit, largest, smallest) == size


# fit="line"

STYLES = '<style name="title" size="12pt"/><style name="rules" size="9pt"/>\n'
SENTENCE = "The first time the unit fights in combat it has one Attack more. "


def test_a_line_keeps_its_size_where_it_can(project: Project) -> None:
    body = STYLES + '<text style="title" fit="line" min="8pt">{{ card.name }}</text>'
    short, long = lay_out(
        project, body, {"name": "Sword"}, {"name": "The Sword of Most Terrible and Certain Fate"}
    )
    assert list_sizes(short) == [12]
    (size,) = list_sizes(long)
    assert 8 <= size < 12
    assert list_lines(long) == ["The Sword of Most Terrible and Certain Fate"]
    (run,) = list_runs(long)
    assert find_right(run) <= 60 * MM + EDGE
    # A tenth of a point more would not fit.
    assert find_right(run) * (size + 0.1) / size > 60 * MM


def test_a_line_at_its_least_size_is_told(project: Project) -> None:
    body = STYLES + '<text style="title" fit="line" min="{}pt">{{{{ card.name }}}}</text>'
    name = "The Sword of Most Terrible and Certain Fate"
    job = make_job(project, body.format(8), {"name": name})
    (face,) = make_faces(job)
    (size,) = list_sizes(face)
    assert size > 8
    assert list_shrunk(job) == []
    job = make_job(project, body.format(size), {"name": name})
    make_faces(job)
    assert [(entry.size, entry.usual) for entry in list_shrunk(job)] == [(size, 12)]


def test_a_line_grows_up_to_its_largest_size(project: Project) -> None:
    body = STYLES + '<text style="title" fit="line" max="20pt">{{ card.name }}</text>'
    short, long = lay_out(project, body, {"name": "Sword"}, {"name": "The Sword of Terrible Fate"})
    assert list_sizes(short) == [20]
    assert 12 < list_sizes(long)[0] < 20


def test_a_line_too_long_at_its_least_size_is_an_error(project: Project) -> None:
    body = STYLES + '<text style="title" fit="line" min="8pt">{{ card.name }}</text>'
    name = "The Sword of Most Terrible Fates, Forged in the Deep by Nobody at All"
    assert find_problem(project, body, {"name": name}) == (
        f'decks/deck.yaml:3:3: card "{name}": its name is 15.79mm too long for one line:'
        " at 8pt it needs 75.79mm, its box is 60mm wide\n"
        "  hint: shorten it, or give it more room;"
        " the template's element is templates/plain.xml:3:1"
    )


def test_two_lines_are_not_one(project: Project) -> None:
    body = '<text fit="line">{{ card.text }}</text>'
    for text in ("one\n\ntwo", "one\\\ntwo"):
        assert find_problem(project, body, {"text": text}) == (
            'decks/deck.yaml:3:3: card "Card 1": its text is more than one line\n'
            "  hint: take the line breaks out; the template's element is templates/plain.xml:2:1"
        )


# fit="box"


def test_a_text_shrinks_to_its_box(project: Project) -> None:
    body = STYLES + '<text style="rules" fit="box" min="5pt" height="8mm">{{ card.text }}</text>'
    job = make_job(project, body, {"text": SENTENCE}, {"name": "Long", "text": SENTENCE * 2})
    short, long = make_faces(job)
    assert list_sizes(short) == [9]
    (size,) = list_sizes(long)
    assert 5 <= size < 9
    assert max(run.y for run in list_runs(long)) < 8 * MM
    assert [(s.subject.name, s.field, s.size, s.usual) for s in list_shrunk(job)] == [
        ('card "Long"', "text", size, 9)
    ]


def test_a_text_without_a_fit_has_one_size(project: Project) -> None:
    body = STYLES + '<text style="rules" height="8mm">{{ card.text }}</text>'
    assert list_sizes(lay_out(project, body, {"text": SENTENCE})[0]) == [9]
    assert "too long: at 9pt" in find_problem(project, body, {"text": SENTENCE * 2})


@pytest.mark.parametrize("fit", ["box", "deck"])
def test_a_text_too_long_at_its_least_size_is_an_error(project: Project, fit: str) -> None:
    body = (
        STYLES
        + f'<text style="rules" fit="{fit}" min="7pt" height="8mm">{{{{ card.text }}}}</text>'
    )
    problem = find_problem(
        project, body, {"text": "Short."}, {"name": "Sword of Fate", "text": SENTENCE * 4}
    )
    assert problem == (
        'decks/deck.yaml:5:3: card "Sword of Fate": its text is 2.93mm too long:'
        " at 7pt it needs 10.93mm, its box is 8mm high\n"
        "  hint: shorten it, or give it more room;"
        " the template's element is templates/plain.xml:3:1"
    )


def test_a_text_of_two_fields_names_both(project: Project) -> None:
    body = '<text height="4mm">{{ card.text }} {{ card.more }} {{ card.text }}</text>'
    problem = find_problem(project, body, {"text": SENTENCE, "more": SENTENCE})
    assert 'card "Card 1": its text and more is ' in problem


def test_a_fixed_text_that_is_too_long_is_an_error(project: Project) -> None:
    problem = find_problem(project, f'<text height="4mm">{SENTENCE * 3}</text>')
    assert 'card "Card 1": its text is ' in problem
    assert "the template's element is templates/plain.xml:2:1" in problem


def test_a_word_wider_than_its_box_is_an_error(project: Project) -> None:
    body = STYLES + '<text style="rules" fit="box" min="8pt" width="10mm">{{ card.text }}</text>'
    assert find_problem(project, body, {"text": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "Card 1": its text: "Unbreakable" is 14.09mm wide at 8pt,'
        " its box is 10mm\n"
        "  hint: add a soft hyphen, shorten it, or make the box wider;"
        " the template's element is templates/plain.xml:3:1"
    )


def test_every_card_that_is_too_full_is_named(project: Project) -> None:
    body = '<text fit="box" min="8pt" height="4mm">{{ card.text }}</text>'
    problem = find_problem(
        project,
        body,
        {"name": "One", "text": SENTENCE * 3},
        {"name": "Two", "text": "Short."},
        {"name": "Three", "text": SENTENCE * 3},
    )
    assert [line.split('"')[1] for line in problem.splitlines() if "card" in line] == [
        "One",
        "Three",
    ]


# fit="deck"

DECK = STYLES + (
    '<text style="rules" fit="deck" min="5pt" max="14pt" height="14mm">{{ card.text }}</text>'
)


def test_a_deck_shares_one_size(project: Project) -> None:
    job = make_job(project, DECK, {"text": "Short."}, {"text": SENTENCE}, {"text": SENTENCE * 2})
    sizes = [list_sizes(face) for face in make_faces(job)]
    assert sizes[0] == sizes[1] == sizes[2]
    ((size,), *_) = sizes
    assert 9 < size < 14
    assert list_shrunk(job) == []
    # It is the size of the fullest card by itself.
    (alone,) = lay_out(project, DECK, {"text": SENTENCE * 2})
    assert list_sizes(alone) == [size]


def test_a_deck_of_short_texts_grows_up_to_the_largest_size(project: Project) -> None:
    job = make_job(project, DECK, {"text": "Short."}, {"text": "Shorter."})
    assert [list_sizes(face) for face in make_faces(job)] == [[14], [14]]


def test_without_a_largest_size_a_deck_does_not_grow(project: Project) -> None:
    body = DECK.replace(' max="14pt"', "")
    assert [list_sizes(face) for face in lay_out(project, body, {"text": "Short."})] == [[9]]


def test_an_overfull_card_is_set_smaller_alone_and_named(project: Project) -> None:
    job = make_job(
        project,
        DECK,
        {"text": "Short."},
        {"text": SENTENCE * 2},
        {"name": "Long", "text": SENTENCE * 4},
        {"name": "Longer", "text": SENTENCE * 6},
    )
    (first,), (second,), (long,), (longer,) = (list_sizes(face) for face in make_faces(job))
    assert first == second > 9 > long > longer >= 5
    assert [(s.subject.name, s.field, s.size, s.usual) for s in list_shrunk(job)] == [
        ('card "Long"', "text", long, first),
        ('card "Longer"', "text", longer, first),
    ]


def test_a_deck_of_overfull_cards_has_no_shared_size(project: Project) -> None:
    job = make_job(project, DECK, {"text": SENTENCE * 4}, {"text": SENTENCE * 6})
    (first,), (second,) = (list_sizes(face) for face in make_faces(job))
    assert 9 > first > second
    assert [entry.subject.name for entry in list_shrunk(job)] == ['card "Card 1"', 'card "Card 2"']


def test_texts_of_different_elements_share_no_size(project: Project) -> None:
    body = STYLES + (
        '<text style="rules" fit="deck" max="14pt" height="10mm">{{ card.one }}</text>'
        '<text style="rules" fit="deck" max="14pt" y="20mm" height="10mm">{{ card.two }}</text>'
    )
    (face,) = lay_out(project, body, {"one": SENTENCE, "two": "Short."})
    by_height = {run.y > 20 * MM: run.size for run in list_runs(face)}
    assert by_height[True] == 14 > by_height[False]


def test_a_template_and_the_one_it_extends_share_a_size(project: Project) -> None:
    slot = DECK.replace("<text", '<slot name="more"/><text')
    project.write_template(slot, "base", 'size="60mm x 40mm"')
    for name in ("first", "second"):
        project.write_template("", name, 'extends="base"')
    project.write(
        "decks/deck.yaml",
        "cards:\n"
        "- {name: One, template: first, text: Short.}\n"
        f"- {{name: Two, template: second, text: {SENTENCE * 2}}}\n",
    )
    one, two = make_faces(prepare(load_deck("decks/deck.yaml")))
    assert list_sizes(one) == list_sizes(two)
    assert list_sizes(one)[0] < 14


def test_an_error_on_one_card_leaves_the_deck_its_size(project: Project) -> None:
    job = make_job(project, DECK, {"text": SENTENCE * 2}, {"name": "Full", "text": SENTENCE * 30})
    job.faces.look_at_all()
    made = job.faces.get_face(Copy(0, 0), "front")
    assert made is not None
    (alone,) = lay_out(project, DECK, {"text": SENTENCE * 2})
    assert list_sizes(made.face) == list_sizes(alone)


def test_a_text_that_is_the_same_on_every_card_shares_its_size_too(project: Project) -> None:
    """It is composed once for each size of its box, but must not keep the size of a first look."""
    body = STYLES + (
        '<box height="{{ card.high }}mm">'
        f'<text style="rules" fit="deck" max="20pt">{SENTENCE}</text></box>'
    )
    sizes = [list_sizes(face) for face in lay_out(project, body, {"high": 10}, {"high": 30})]
    assert sizes[0] == sizes[1]


def test_a_fixed_text_that_is_set_smaller_is_named_too(project: Project) -> None:
    body = STYLES + f'<text style="rules" fit="box" min="5pt" height="8mm">{SENTENCE * 2}</text>'
    job = make_job(project, body, {"name": "First"}, {"name": "Second"})
    make_faces(job)
    alone = [(entry.subject.name, entry.field) for entry in list_shrunk(job)]
    assert alone[:1] == [('card "First"', "")]
    # A first look at the cards, as another text needs it, changes nothing of that.
    text = '<text y="20mm" fit="deck" height="10mm">{{ card.name }}</text>'
    job = make_job(project, body + text, {"name": "First"}, {"name": "Second"})
    make_faces(job)
    assert [(entry.subject.name, entry.field) for entry in list_shrunk(job)] == alone


# Room


def test_a_text_that_grows_into_no_room_is_an_error(project: Project) -> None:
    body = (
        '<column height="20mm"><box height="20mm" fill="black"/>'
        '<text grow="1">{{ card.text }}</text></column>'
    )
    problem = find_problem(project, body, {"text": "Hello"})
    assert 'card "Card 1": its text is ' in problem
    assert "too long" in problem


@pytest.mark.parametrize("fit", ["none", "line", "box", "deck"])
def test_an_empty_text_needs_no_room(project: Project, fit: str) -> None:
    body = f'<text fit="{fit}" height="0mm">{{{{ card.text }}}}</text>'
    for text in ("", None, "  \n "):
        assert lay_out(project, body, {"text": text})[0].items == ()


def test_text_in_the_middle_is_centred_by_its_capitals(project: Project) -> None:
    body = '<text size="10pt" valign="{}" height="30mm">{{{{ card.name }}}}</text>'
    font_cap = make_block("H").cap_height * 10
    for valign, baseline in [
        ("top", font_cap),
        ("middle", (30 * MM + font_cap) / 2),
        ("bottom", 30 * MM - make_block("H").depth * 10),
    ]:
        (face,) = lay_out(project, body.format(valign), {"name": "HHH"})
        assert list_runs(face)[0].y == pytest.approx(baseline, abs=0.01)


@pytest.mark.parametrize("valign", ["top", "middle", "bottom"])
def test_a_text_that_fills_its_box_stays_within_it(project: Project, valign: str) -> None:
    height = (make_block("p").cap_height + make_block("p").depth) * 10
    body = (
        f'<text size="10pt" valign="{valign}" y="5mm" height="{height + 0.01}pt">'
        "{{ card.name }}</text>"
    )
    (run,) = list_runs(lay_out(project, body, {"name": "Hp"})[0])
    assert run.y - run.font.file.cap_height * 10 >= 5 * MM - 0.05
    assert run.y + run.font.file.depth * 10 <= 5 * MM + height + 0.05


@pytest.mark.parametrize(("height", "fits"), [("1mm", False), ("2.5mm", True), ("4mm", True)])
def test_a_line_fits_the_height_of_its_box_too(project: Project, height: str, fits: bool) -> None:
    body = (
        f'<text size="12pt" fit="line" min="6pt" y="5mm" height="{height}">'
        "{{ card.name }}</text>"
    )
    problem = find_problem(project, body, {"name": "Hp"})
    assert (problem == "") == fits
    if fits:
        (run,) = list_runs(lay_out(project, body, {"name": "Hp"})[0])
        limit = (5 + float(height.removesuffix("mm"))) * MM
        assert run.y + run.font.file.depth * run.size <= limit + 0.05
    else:
        assert 'card "Hp": its name is ' in problem


def test_the_style_of_a_text_may_be_changed_by_its_attributes(project: Project) -> None:
    body = STYLES + '<text style="title" size="7pt" weight="bold" align="right">Words</text>'
    (run,) = list_runs(lay_out(project, body)[0])
    assert (run.size, run.font.file.weight) == (7, 700)
    assert find_right(run) == pytest.approx(60 * MM, abs=0.01)


@pytest.mark.parametrize(
    ("hyphenate", "width", "size"),
    [
        # At 9pt the long word takes 22 mm: whole where there is as much room, else broken.
        ("needed", 24, 9),
        ("needed", 20, 9),
        ("false", 20, 7.9),
    ],
)
def test_words_are_broken_where_it_is_needed(
    project: Project, hyphenate: str, width: int, size: float
) -> None:
    body = (
        f'<text size="9pt" fit="box" min="5pt" width="{width}mm" height="30mm"'
        f' hyphenate="{hyphenate}">A misrepresentation again</text>'
    )
    (face,) = lay_out(project, body)
    lines = list_lines(face)
    assert (list_sizes(face), len(lines)) == (
        [size],
        2 if (hyphenate, width) == ("needed", 20) else 3,
    ), lines
