"""Running text in columns: balance, what stays together, lists, headings, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, pairwise, product
from math import inf

import pytest
from conftest import Project
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import (
    MM,
    examples,
    find_problem,
    find_right,
    flatten,
    lay_out,
    list_runs,
    make_faces,
    make_font,
    make_job,
)

from cardgen.core.colour import BLACK, WHITE, Colour
from cardgen.core.errors import Refusal
from cardgen.layout.face import Face, Outline
from cardgen.layout.flow.columns import (
    Filled,
    Slab,
    fill_columns,
    fill_room,
    list_tops,
    measure_hole,
)
from cardgen.layout.flow.document import (
    DocumentBlock,
    Heading,
    Paragraph,
    Rule,
    TableBlock,
    read_document,
)
from cardgen.text.setting import Run

# Slabs in columns


def make_slab(height: float, above: float = 0.0, *, keeps: bool = False, tail: float = 0.0) -> Slab:
    return Slab(height, above, keeps, lambda *_: None, tail)


slabs = st.lists(
    st.builds(
        make_slab,
        st.integers(1, 30).map(float),
        st.sampled_from([0.0, 0.0, 2.0, 5.0]),
        keeps=st.sampled_from([False, False, False, True]),
        tail=st.sampled_from([0.0, 0.0, 3.0]),
    ),
    min_size=1,
    max_size=25,
)
counts = st.integers(1, 5)


def measure(column: list[Slab]) -> float:
    whole = sum(slab.height + slab.above + slab.tail for slab in column)
    return whole - column[0].above - column[-1].tail if column else 0.0


def group(found: list[Slab]) -> list[list[Slab]]:
    """Slabs that stay together."""
    groups: list[list[Slab]] = [[]]
    for slab in found:
        groups[-1].append(slab)
        if not slab.keeps:
            groups.append([])
    return [part for part in groups if part]


def check_kept(found: list[Slab], filled: Filled, count: int, limit: float = inf) -> None:
    """Nothing lost, in order, and nothing parted that stays together."""
    assert [slab for column in filled.columns for slab in column] == found
    assert len(filled.columns) <= count
    for column in filled.columns[:-1]:
        assert column and not column[-1].keeps
    assert filled.height == pytest.approx(max(map(measure, filled.columns)))
    assert filled.height <= limit + 1e-6


@given(slabs, counts)
@examples(200)
def test_slabs_keep_their_order_and_what_belongs_together(found: list[Slab], count: int) -> None:
    check_kept(found, fill_columns(found, count, None), count)


def find_least_height(found: list[Slab], count: int) -> float:
    """The height of the tallest column at best, by trying every way to share out."""
    groups = group(found)
    best = {0: 0.0}
    for _ in range(count):
        reached: dict[int, float] = {}
        for at, height in best.items():
            for end in range(at, len(groups) + 1):
                column = [slab for part in groups[at:end] for slab in part]
                worst = max(height, measure(column))
                reached[end] = min(reached.get(end, worst), worst)
        best = reached
    return best[len(groups)]


@given(slabs, counts)
@examples(200)
def test_columns_are_as_low_as_can_be(found: list[Slab], count: int) -> None:
    filled = fill_columns(found, count, None)
    assert filled.height == pytest.approx(find_least_height(found, count), abs=0.01)


@given(slabs, counts)
@example([make_slab(10.0)] * 4, 3)
@examples(200)
def test_columns_are_of_even_height(found: list[Slab], count: int) -> None:
    """No two differ by more than what cannot be parted, but for the spaces that fall away where a
    column begins and ends.
    """
    filled = fill_columns(found, count, None)
    heights = [measure(column) for column in filled.columns]
    heights += [0.0] * (count - len(heights))
    largest = max(measure(part) for part in group(found))
    dropped = 2 * max(slab.above + slab.tail for slab in found)
    assert max(heights) - min(heights) <= largest + dropped + 0.01


@given(slabs, counts, st.integers(10, 200))
@examples(200)
def test_columns_that_are_not_balanced_are_filled_one_by_one(
    found: list[Slab], count: int, limit: int
) -> None:
    filled = fill_columns(found, count, float(limit))
    check_kept(found, filled, count)
    for column, after in pairwise(filled.columns):
        following = group(after)[0]
        assert len(group(column)) == 1 or measure(column) <= limit + 0.01
        assert measure([*column, *following]) > limit


def find_end(column: list[Slab], tops: list[float]) -> float:
    return tops[-1] + column[-1].height


@given(slabs, st.integers(0, 400))
@examples(200)
def test_the_spaces_of_a_column_are_stretched_alike(column: list[Slab], room: int) -> None:
    natural, tops = list_tops(column, 0.0), list_tops(column, room)
    assert tops[0] == natural[0] == 0
    stretches = set()
    for number in range(1, len(column)):
        before = column[number - 1]
        fixed = before.height + before.tail
        assert natural[number] - natural[number - 1] == column[number].above + fixed
        space = tops[number] - tops[number - 1] - fixed
        if column[number].above:
            stretches.add(round(space / column[number].above, 6))
        else:
            assert space == pytest.approx(0)
    assert len(stretches) <= 1
    end = find_end(column, tops)
    if stretches and find_end(column, natural) < room:
        (stretch,) = stretches
        assert end <= room + 1e-6
        assert stretch == pytest.approx(2.5) if end < room - 1e-6 else 1 <= stretch <= 2.5 + 1e-6
    else:
        assert tops == pytest.approx(natural)
    assert measure_hole(column, room) == pytest.approx(max(room - end, 0))


def list_sharings(found: list[Slab], count: int) -> Iterator[list[list[Slab]]]:
    """Every way to share slabs out among so many columns."""
    groups = group(found)
    for inner in combinations_with_replacement(range(len(groups) + 1), count - 1):
        bounds = [0, *inner, len(groups)]
        yield [[slab for part in groups[a:b] for slab in part] for a, b in pairwise(bounds)]


@given(slabs.map(lambda found: found[:12]), st.integers(1, 3), st.integers(0, 60))
@examples(200)
def test_columns_in_a_room_have_the_smallest_hole(found: list[Slab], count: int, more: int) -> None:
    room = fill_columns(found, count, None).height + more
    filled = fill_room(found, count, room)
    check_kept(found, filled, count, room)

    def find_worst(columns: list[list[Slab]]) -> float:
        return max(measure_hole(column, room) for column in columns)

    fitting = [
        columns
        for columns in list_sharings(found, count)
        if all(not column or find_end(column, list_tops(column, 0)) <= room for column in columns)
    ]
    filled.columns.extend([] for _ in range(count - len(filled.columns)))
    least = min(map(find_worst, fitting))
    assert find_worst(filled.columns) == pytest.approx(least, abs=0.001)


def test_nothing_fills_one_empty_column() -> None:
    assert fill_columns([], 3, None) == Filled([[]], 0.0)


# Documents


def read(text: str) -> list[DocumentBlock]:
    return read_document(text)


def test_a_document_is_read_block_by_block() -> None:
    text = """\
# One
## Two
### Three

A paragraph
of **two** lines.

- first
- second

  more of it
  - nested

3. third
4. fourth

---

| a | b | c |
|:--|:-:|--:|
| 1 | 2 | 3 |
"""
    assert read(text) == [
        Heading(1, "One"),
        Heading(2, "Two"),
        Heading(3, "Three"),
        Paragraph("A paragraph\nof **two** lines."),
        Paragraph("first", 1, ""),
        Paragraph("second", 1, ""),
        Paragraph("more of it", 1, None),
        Paragraph("nested", 2, ""),
        Paragraph("third", 1, "3."),
        Paragraph("fourth", 1, "4."),
        Rule(),
        TableBlock((("a", "b", "c"), ("1", "2", "3")), ("left", "centre", "right")),
    ]


def test_a_heading_of_the_first_level_may_name_a_section() -> None:
    assert read("# Two words  {the-name_1}") == [Heading(1, "Two words", "the-name_1")]


@pytest.mark.parametrize(
    "text", ["## A {b}", "# A{b}", "# A {b c}", "# A {}", "# A \\{b}", "# {b}", "# A {b} c"]
)
def test_other_braces_are_text(text: str) -> None:
    signs, _, words = text.partition(" ")
    assert read(text) == [Heading(len(signs), words)]


def test_a_table_may_be_without_a_head() -> None:
    (table,) = read("|  |  |\n|--|--|\n| 1 | 2 |\n| 3 | 4 |")
    assert table == TableBlock(((), ("1", "2"), ("3", "4")), ("left", "left"))


def test_a_list_may_begin_with_any_number() -> None:
    for start in (0, 1, 7):
        found = read(f"{start}. a\n{start + 1}. b")
        markers = [block.marker for block in found if isinstance(block, Paragraph)]
        assert markers == [f"{start}.", f"{start + 1}."]


@pytest.mark.parametrize("item", ["-", "1.", "- # Heading", "- | a |\n  |---|\n  | b |"])
def test_the_sign_of_an_item_without_a_paragraph_stays_with_it(item: str) -> None:
    last = read(f"{item}\n\nText")[-1]
    assert last == Paragraph("Text")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("```\ncode\n```", "a code block in line 1 of the text"),
        (
            "one\n\n    code",
            "a code block (a line that begins with four spaces) in line 3 of the text",
        ),
        ("<div>x</div>", "HTML in line 1 of the text"),
        ("one\n\n> two", "a quotation in line 3 of the text"),
        ("- > two", "a quotation in line 1 of the text"),
    ],
)
def test_what_a_flow_cannot_set_is_refused(text: str, what: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(text)
    assert str(caught.value) == f"holds {what}, which a flow cannot set"


def test_a_heading_of_the_fourth_level_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        read("one\n\n#### Four")
    assert str(caught.value) == "has a heading of level 4"
    assert caught.value.hint == "use #, ## or ###"


def test_a_refusal_names_the_card(project: Project) -> None:
    body = "<flow>{{ card.text }}</flow>"
    assert find_problem(project, body, {"text": "> quoted"}) == (
        'decks/deck.yaml:3:3: card "Card 1": its text holds a quotation in line 1 of the text,'
        " which a flow cannot set\n"
        "  hint: the template's element is templates/plain.xml:2:1"
    )


# Set in columns

WIDE, HIGH = 100, 60
SIZE = f"{WIDE}mm x {HIGH}mm"
LINES = "\\\n".join


def flow(project: Project, text: str, attributes: str = "", **options: str) -> Face:
    styles = """
    <style name="h1" size="14pt" weight="bold"/><style name="h2" size="11pt" weight="bold"/>
    <style name="h3" size="9pt" weight="bold"/>"""
    body = f'{styles}<flow h1="h1" h2="h2" h3="h3" {attributes}>{{{{ card.text }}}}</flow>'
    (face,) = lay_out(project, body, {"text": text}, size=SIZE, **options)
    return face


def list_columns(face: Face, count: int = 2) -> list[list[str]]:
    """The lines of each column, from the top."""
    columns: list[dict[float, str]] = [{} for _ in range(count)]
    for run in sorted(list_runs(face), key=lambda run: (run.y, run.x)):
        column = columns[int(run.x / (WIDE * MM / count))]
        text = " ".join(word.text for word in run.words)
        column[round(run.y, 1)] = column.get(round(run.y, 1), "") + text
    return [[line.strip() for line in column.values()] for column in columns]


def items(*names: object) -> str:
    return "\n\n".join(str(name) for name in names)


def test_columns_are_balanced(project: Project) -> None:
    face = flow(project, items(*range(6)), 'columns="2"')
    assert list_columns(face) == [["0", "1", "2"], ["3", "4", "5"]]
    tops = [min(run.y for run in list_runs(face) if (run.x > 50 * MM) == right) for right in (0, 1)]
    assert tops[0] == pytest.approx(tops[1])


def test_columns_may_be_filled_one_by_one(project: Project) -> None:
    face = flow(project, items(*range(12)), 'columns="2" balance="false" height="50mm"')
    first, second = list_columns(face)
    assert (len(first), len(second)) == (9, 3)


def test_columns_are_a_gap_apart(project: Project) -> None:
    face = flow(project, items(*"abcd"), 'columns="2" gap="10mm" x="4mm"')
    assert sorted({round(run.x / MM, 3) for run in list_runs(face)}) == [4, 4 + (96 - 10) / 2 + 10]


@pytest.mark.parametrize("level", ["#", "##", "###"])
@pytest.mark.parametrize("before", range(8))
def test_a_heading_is_never_the_last_of_a_column(project: Project, level: str, before: int) -> None:
    text = items(*range(before), f"{level} Heading", "text", "more", "most")
    first, second = list_columns(flow(project, text, 'columns="2"'))
    for column in (first, second):
        assert not column or column[-1] != "Heading"
    assert [*first, *second].index("Heading") == before


def test_headings_stay_together_with_what_follows(project: Project) -> None:
    for before in range(6):
        text = items(*range(before), "# One", "## Two", "text", "more")
        for column in list_columns(flow(project, text, 'columns="2"')):
            assert not column or column[-1] not in ("One", "Two")


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
def test_a_paragraph_leaves_no_single_line_behind(project: Project, count: int) -> None:
    lines = LINES(f"line{number}" for number in range(count))
    parted = 0
    for before, after in product(range(0, 9, 2), repeat=2):
        text = items(*range(before), lines, *range(after))
        columns = list_columns(flow(project, text, 'columns="2"'))
        parts = [len([line for line in column if line.startswith("line")]) for column in columns]
        assert 1 not in parts
        parted += 0 not in parts
    assert bool(parted) == (count > 3)


@pytest.mark.parametrize("before", range(5))
def test_a_table_stays_whole(project: Project, before: int) -> None:
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| r{n} | s{n} |" for n in range(6))
    first, second = list_columns(flow(project, items(*range(before), table, "end"), 'columns="2"'))
    rows = ["ab", *[f"r{n}s{n}" for n in range(6)]]
    found = [line.replace(" ", "") for line in (*first, *second)]
    assert found == [*map(str, range(before)), *rows, "end"]
    parts = [{line.replace(" ", "") for line in column} & {*rows} for column in (first, second)]
    assert sorted(map(len, parts)) == [0, 7]


def find_places(face: Face, size: float = 9) -> dict[str, float]:
    """Where each run begins, in em."""
    return {
        " ".join(word.text for word in run.words).strip(): round(run.x / size, 2)
        for run in list_runs(face)
    }


def test_the_items_of_a_list_are_indented_behind_their_signs(project: Project) -> None:
    text = "before\n\n- one\n- two\n  - inner\n\n3. three\n10. four"
    face = flow(project, text, 'bullet="–"')
    places = find_places(face)
    del places["3."], places["4."]
    assert places == {
        "before": 0,
        "–": 1.2,
        "one": 1.2,
        "two": 1.2,
        "inner": 2.4,
        "three": 1.2,
        "four": 1.2,
    }
    signs = [run for run in list_runs(face) if run.words[0].text == "–"]
    assert [round(run.x / 9, 2) for run in signs] == [0, 0, 1.2]


def find_sign_ends(face: Face) -> list[float]:
    """Where the numbers of lists end, in em."""
    found = [run for run in list_runs(face) if run.words[0].text.rstrip(".").isdigit()]
    return [round(find_right(run) / 9, 2) for run in found]


def test_numbers_end_where_their_items_begin(project: Project) -> None:
    face = flow(project, "8. eight\n9. nine\n10. ten\n    1. inner")
    places = find_places(face)
    text = places["eight"]
    assert text == places["nine"] == places["ten"] > 1.2
    assert find_sign_ends(face) == pytest.approx([text - 0.45] * 3 + [text + 0.75], abs=0.011)
    assert places["10."] == 0
    assert places["inner"] == pytest.approx(text + 1.2, abs=0.011)


def test_a_list_of_bullets_is_not_indented_for_the_numbers_after_it(project: Project) -> None:
    places = find_places(flow(project, "- one\n- two\n\n100. hundred"))
    assert places["one"] == places["two"] == 1.2
    assert places["hundred"] > 1.9


def test_a_long_item_hangs_from_its_first_line(project: Project) -> None:
    face = flow(project, "- " + "word " * 60)
    lines: dict[float, list[float]] = {}
    for run in list_runs(face):
        lines.setdefault(round(run.y, 1), []).append(round(run.x / 9, 2))
    assert len(lines) > 2
    first, *rest = lines.values()
    assert sorted(first) == [0, 1.2]
    assert all(places == [1.2] for places in rest)


def test_rules_are_drawn_across_their_column(project: Project) -> None:
    face = flow(project, "one\n\n---\n\ntwo", 'columns="2" gap="10mm"')
    (rule,) = [item for item in flatten(face.items) if isinstance(item, Outline)]
    assert rule.bounds.width == pytest.approx(45 * MM)


def test_signs_of_xml_are_text(project: Project) -> None:
    (column,) = list_columns(flow(project, "a < b & c <sup>2</sup> > d"), 1)
    assert column == ["a < b & c <sup>2</sup> > d"]


def test_inline_signs_mean_the_same_in_a_flow(project: Project) -> None:
    face = flow(project, "# A **b**\n\none *two* :sword:\\\nthree\n\n- **four**")
    faces = {
        " ".join(word.text for word in run.words).strip(): (
            run.font.file.weight,
            run.font.file.italic,
        )
        for run in list_runs(face)
    }
    assert faces["one"] == (400, False)
    assert faces["two"] == (400, True)
    assert faces["four"] == (700, False)
    assert faces["three"] == (400, False)


def test_the_words_of_a_document_come_out_in_order(project: Project) -> None:
    words = [f"w{number}" for number in range(120)]
    text = "\n\n".join(" ".join(words[at : at + 17]) for at in range(0, 120, 17))
    face = flow(project, text, 'columns="3"')
    found = [line for column in list_columns(face, 3) for line in column]
    assert " ".join(found).split() == words


def test_a_document_within_xml_may_be_indented(project: Project) -> None:
    body = """
    <flow>
      # Heading

      - one
      - two
    </flow>"""
    (face,) = lay_out(project, body, size=SIZE)
    assert list_columns(face, 1) == [["Heading", "•one", "•two"]]


# Fitting


def test_a_flow_shrinks_to_its_box_with_all_its_styles(project: Project) -> None:
    text = items("# Heading", *["word " * 40] * 3)
    wide = flow(project, text, 'height="55mm"')
    face = flow(project, text, 'height="30mm" fit="box" min="4pt"')
    sizes = sorted({run.size for run in list_runs(face)})
    body, heading = sizes
    assert 4 <= body < 9
    assert heading / body == pytest.approx(14 / 9)
    assert max(run.y for run in list_runs(face)) < 30 * MM
    assert {run.size for run in list_runs(wide)} == {9, 14}


def test_a_flow_too_long_is_an_error_with_the_arithmetic(project: Project) -> None:
    text = items(*range(20))
    problem = find_problem(project, '<flow height="30mm">{{ card.text }}</flow>', {"text": text})
    start, _, rest = problem.partition(" too long: at 9pt its columns need ")
    assert start.startswith('decks/deck.yaml:3:3: card "Card 1": its text is ')
    over = float(start.rsplit(" ", 1)[1].removesuffix("mm"))
    needed = float(rest.split("mm")[0])
    assert needed - over == pytest.approx(30, abs=0.011)
    assert rest.endswith(
        "there are 30mm\n  hint: shorten it, or give it more room;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_shrunk_flow_is_named(project: Project) -> None:
    body = '<flow height="30mm" fit="box" min="4pt">{{ card.text }}</flow>'
    job = make_job(project, body, {"text": items(*range(10))}, {"text": "short"})
    make_faces(job)
    (((subject, field, size, usual),),) = job.faces.take_shrunk().values()
    assert (subject.name, field, usual) == ('card "Card 1"', "text", 9)
    assert size < 9


def test_a_word_wider_than_its_column_is_an_error(project: Project) -> None:
    body = '<flow columns="8" gap="1mm">{{ card.text }}</flow>'
    assert find_problem(project, body, {"text": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "Card 1": its text: "Unbreakable" is 15.85mm wide, its column'
        " 6.63mm\n"
        "  hint: add a soft hyphen, or make the columns wider;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_word_wider_than_its_column_is_broken_where_the_style_says_so(project: Project) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"
    text = f"Short words stay whole.\n\n| a | b |\n|---|---|\n| {word} | 2 |"
    style = '<style name="narrow" size="12pt" hyphenate="needed"/>'
    body = f'{style}<flow style="narrow" columns="2" fit="box" min="8pt">{{{{ card.text }}}}</flow>'
    (face,) = lay_out(project, body, {"text": text}, size=SIZE)
    words = "".join(word.text for run in list_runs(face) for word in run.words)
    assert word in words.replace("-", "").replace("\u00ad", "")


def list_table(rows: int) -> str:
    return "| Unit | Cost |\n|---|--:|\n" + "\n".join(f"| U{n} | {n} |" for n in range(rows))


def test_a_long_table_goes_on_in_the_next_column_below_its_head(project: Project) -> None:
    """Where it could not be as large in one; a short one stays whole."""
    attributes = 'columns="2" fit="box" min="2pt" max="9pt" row-padding="0"'
    left, right = list_columns(flow(project, list_table(30), attributes))
    assert left == ["UnitCost", *(f"U{n}{n}" for n in range(15))]
    assert right == ["UnitCost", *(f"U{n}{n}" for n in range(15, 30))]
    left, right = list_columns(flow(project, list_table(11), attributes))
    assert (len(left), right) == (12, [])


def test_a_word_wider_than_the_column_of_a_stacked_flow_is_an_error_too(project: Project) -> None:
    """Where the flow has no height of its own, so that it is measured first."""
    body = '<column><flow columns="8" gap="1mm">{{ card.text }}</flow></column>'
    assert find_problem(project, body, {"text": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "Card 1": its text: "Unbreakable" is 15.85mm wide, its column'
        " 6.63mm\n"
        "  hint: add a soft hyphen, or make the columns wider;"
        " the template's element is templates/plain.xml:2:9"
    )


@pytest.mark.parametrize("align", ["start", "centre", "end"])
def test_a_flow_without_a_width_is_as_wide_as_its_column(project: Project, align: str) -> None:
    body = (
        f'<column align="{align}"><flow columns="2" gap="0mm">{{{{ card.text }}}}</flow></column>'
    )
    (face,) = lay_out(project, body, {"text": items("one", "two")})
    assert [run.x / MM for run in list_runs(face)] == pytest.approx([0, 30])


def test_a_flow_takes_its_own_height_in_a_column(project: Project) -> None:
    body = """
    <column><flow columns="2">{{ card.text }}</flow><box height="1mm" fill="black"/></column>"""
    (face,) = lay_out(project, body, {"text": items(*range(6))}, size=SIZE)
    lowest = max(run.y for run in list_runs(face))
    (box,) = [item for item in flatten(face.items) if isinstance(item, Outline)]
    assert lowest < box.bounds.y < lowest + 9


# Sections and bands

COLOURS = """
<colour name="sea" cmyk="90 50 0 20"/><colour name="wood" cmyk="80 20 90 30"/>
<colour name="pale" cmyk="0 0 0 10"/>"""
SEA, WOOD = Colour("cmyk", (0.9, 0.5, 0, 0.2)), Colour("cmyk", (0.8, 0.2, 0.9, 0.3))


def sections(project: Project, text: str, attributes: str = "", **options: str) -> Face:
    styles = '<style name="h1" size="14pt" weight="bold" colour="pale"/>'
    body = f"{COLOURS}{styles}<flow {attributes}>{{{{ card.text }}}}</flow>"
    (face,) = lay_out(project, body, {"text": text}, size=SIZE, **options)
    return face


def find_colours(face: Face) -> dict[str, Colour]:
    return {run.words[0].text: run.colour for run in list_runs(face)}


def list_outlines(face: Face) -> list[Outline]:
    return [item for item in flatten(face.items) if isinstance(item, Outline)]


def test_a_section_colours_its_headings_heads_and_signs(project: Project) -> None:
    parts = "{0}body\n\n## {0}two\n\n### {0}three\n\n- {0}item\n\n{1}. {0}entry\n"
    table = "\n| {0}head | |\n|---|---|\n| {0}cell | |\n\n"
    text = "".join(
        f"# {name}one {section}\n\n{parts.format(name, number)}{table.format(name)}"
        for name, section, number in (("a", "{sea}", 1), ("b", "{wood}", 2), ("c", "", 3))
    )
    face = sections(project, text, 'sections="sea wood" columns="3"')
    for name, number, colour in (("a", 1, SEA), ("b", 2, WOOD), ("c", 3, BLACK)):
        found = {
            word.removeprefix(name): found
            for word, found in find_colours(face).items()
            if word.startswith(name) or word == f"{number}."
        }
        tinted = dict.fromkeys(["one", "two", "three", f"{number}.", "head"], colour)
        assert found == {**tinted, **dict.fromkeys(["body", "item", "entry", "cell"], BLACK)}
    bullets = [run.colour for run in list_runs(face) if run.words[0].text == "•"]
    assert bullets == [SEA, WOOD, BLACK]


def test_the_name_of_a_section_is_not_printed(project: Project) -> None:
    face = sections(project, "# One two {sea}\n\n## Three {sea}", 'sections="sea"')
    assert list_columns(face, 1) == [["One two", "Three {sea}"]]


def test_an_icon_in_a_heading_has_the_colour_of_the_section(project: Project) -> None:
    face = sections(project, "# :sword: {sea}\n\n:sword:", 'sections="sea"')
    assert [outline.fill for outline in list_outlines(face)] == [SEA, BLACK]


def find_flow_problem(project: Project, attributes: str, text: str = "a") -> str:
    body = f"<flow {attributes}>{{{{ card.text }}}}</flow>{COLOURS}"
    return find_problem(project, body, {"text": text})


@pytest.mark.parametrize(
    ("attributes", "problem", "hint"),
    [
        (
            'sections="sea wood"',
            'its text has a heading of an unknown section "woed"',
            'did you mean "wood"?',
        ),
        (
            'columns="2"',
            'its text has a heading of section "woed", but the flow names no sections',
            'add sections="woed", or write \\{woed\\} to print the braces',
        ),
    ],
)
def test_an_unknown_section_is_an_error(
    project: Project, attributes: str, problem: str, hint: str
) -> None:
    assert find_flow_problem(project, attributes, "# A {woed}") == (
        f'decks/deck.yaml:3:3: card "Card 1": {problem}\n'
        f"  hint: {hint}; the template's element is templates/plain.xml:2:1"
    )


@pytest.mark.parametrize(
    ("attributes", "problem", "hint"),
    [
        ('sections="sea woed"', ':7: unknown colour "woed"', 'did you mean "wood"?'),
        (
            'sections=" "',
            ":7: sections without a name",
            'write names of colours, as in "red blue"',
        ),
        (
            'band-radius="1mm"',
            ":1: band-fill and band-radius need a band",
            'as in band="1mm 2mm"',
        ),
        ('band-fill="sea"', ":1: band-fill and band-radius need a band", 'as in band="1mm 2mm"'),
        ('max="12pt"', ":1: max needs a fit", 'add fit="box"'),
        ('min="5pt"', ":1: min needs a fit", 'add fit="box"'),
        ('fit="box" min="9.1pt"', ":1: min 9.1pt is above the style's size of 9pt", ""),
        ('fit="box" max="8.9pt"', ":1: max 8.9pt is below the style's size of 9pt", ""),
    ],
)
def test_what_is_wrong_with_the_attributes_of_a_flow(
    project: Project, attributes: str, problem: str, hint: str
) -> None:
    hint = f"\n  hint: {hint}" if hint else ""
    assert find_flow_problem(project, attributes) == f"templates/plain.xml:2{problem}{hint}"


BAND = 'h1="h1" sections="sea" band="1mm 2mm 3mm 4mm"'
PLAIN, HEAVY = make_font().file, make_font(weight=700).file
CAPITALS, DEPTH, HIGHER = PLAIN.cap_height, PLAIN.depth, HEAVY.cap_height  # of a size


def find_top(run: Run) -> float:
    """Where its capitals begin."""
    return run.y - run.font.file.cap_height * run.size


def test_a_heading_stands_on_a_band_across_its_column(project: Project) -> None:
    face = sections(project, "# One {sea}\n\ntext", f'{BAND} columns="2" gap="10mm"')
    (band,) = list_outlines(face)
    assert (band.fill, band.stroke) == (SEA, None)
    assert "C" not in [operator for operator, _ in band.segments]
    assert band.bounds == pytest.approx((0, 0, 45 * MM, 4 * MM + HIGHER * 14), abs=0.02)
    heading, text = list_runs(face)
    assert heading.colour == Colour("cmyk", (0, 0, 0, 0.1))
    assert heading.x == pytest.approx(4 * MM)
    assert heading.y == pytest.approx(MM + HIGHER * 14, abs=0.02)
    # Below it is the white between two lines of the body, and the space below a heading.
    white = (1.2 - CAPITALS + 0.5 * 0.35) * 9
    assert text.y - CAPITALS * 9 == pytest.approx(band.bounds.bottom + white, abs=0.02)


def test_a_heading_of_two_lines_has_one_band(project: Project) -> None:
    attributes = f'{BAND} columns="2" gap="10mm"'
    face = sections(project, "# A heading of more than one line {sea}\n\ntext", attributes)
    (band,) = list_outlines(face)
    assert band.bounds.height == pytest.approx(4 * MM + (HIGHER + 1.2) * 14, abs=0.02)
    assert {run.x for run in list_runs(face) if run.size == 14} == {4 * MM}


def test_a_word_wider_than_its_band_is_an_error(project: Project) -> None:
    text, narrow = "# Unbreakable", 'columns="3" gap="0mm"'
    wide = "18.34mm wide, its column"
    styled = f"{COLOURS}<style name='h1' size='10pt'/>"
    problems = [
        find_problem(
            project,
            f'{styled}<flow h1="h1" {narrow} band="0mm {side}">{{{{ card.text }}}}</flow>',
            {"text": text},
        )
        for side in ("0mm", "2mm")
    ]
    assert problems[0] == ""
    assert "wide, its column 16mm\n" in problems[1], wide


def test_bands_outside_sections_have_their_own_fill(project: Project) -> None:
    text = "# One {sea}\n\na\n\n# Two\n\nb"
    for fill, expected in (("", BLACK), ('band-fill="wood"', WOOD)):
        face = sections(project, text, f"{BAND} {fill}")
        assert [band.fill for band in list_outlines(face)] == [SEA, expected]


def test_headings_on_bands_are_white_by_themselves(project: Project) -> None:
    for attributes, colour in (('band="1mm"', WHITE), ("", BLACK)):
        assert find_colours(sections(project, "# One\n\n## Two", attributes)) == {
            "One": colour,
            "Two": BLACK,
        }


def test_only_headings_of_the_first_level_have_bands(project: Project) -> None:
    face = sections(project, "# One {sea}\n\n## Two\n\n### Three", BAND)
    assert len(list_outlines(face)) == 1


def test_a_band_may_have_round_corners_and_scales_with_the_fit(project: Project) -> None:
    text = items("# One {sea}", *range(9))
    attributes = f'{BAND} band-radius="1mm" fit="box" min="4.5pt" height="35mm"'
    face = sections(project, text, attributes)
    (band,) = list_outlines(face)
    (size,) = {run.size for run in list_runs(face) if run.words[0].text == "8"}
    scale = size / 9
    assert 0.5 < scale < 0.95
    assert band.bounds.height == pytest.approx((4 * MM + HIGHER * 14) * scale, abs=0.02)
    (first, (left, top)), *_ = band.segments
    assert first == "M"
    assert left == pytest.approx(MM * scale)
    assert top == 0


@pytest.mark.parametrize("before", range(8))
def test_a_band_is_never_the_last_of_a_column(project: Project, before: int) -> None:
    text = items(*range(before), "# Heading {sea}", "text", "more", "most")
    face = sections(project, text, f'{BAND} columns="2"')
    for column in list_columns(face):
        assert not column or column[-1] != "Heading"


@pytest.mark.parametrize(
    ("follows", "natural"),
    [
        ("text", 0.175),
        ("- item", 0.0875),
        ("| a |\n|---|\n| b |", 0.175),
        ("## Two", 11.25 / 9 * 0.175),
    ],
)
def test_the_space_below_a_heading(project: Project, follows: str, natural: float) -> None:
    """Capitals stand so far below the heading's line, whatever follows it."""
    for attribute, space in (("", natural), ('after-heading="1.5"', 1.5)):
        face = sections(project, f"# One\n\n{follows}", attribute)
        heading = min(list_runs(face), key=lambda run: run.y)
        below = (run for run in list_runs(face) if run.y > heading.y)
        after = min(below, key=lambda run: (run.y, -run.x))  # a bullet's capitals are bold
        line = heading.y + (1.2 - HIGHER) * heading.size
        assert find_top(after) - line == pytest.approx(space * 9, abs=0.02)


# Filling the box


def find_feet(face: Face, count: int = 2) -> list[float]:
    """The lowest letters of each column, in mm."""
    feet = [0.0] * count
    for run in list_runs(face):
        at = int(run.x / (WIDE * MM / count))
        feet[at] = max(feet[at], (run.y + DEPTH * run.size) / MM)
    return feet


def test_a_short_flow_grows_to_fill_its_box(project: Project) -> None:
    text = items("# Heading", *["word " * 20] * 3)
    face = flow(project, text, 'height="50mm" fit="box" max="40pt"')
    body, heading = sorted({run.size for run in list_runs(face)})
    assert 9 < body < 40
    assert body == round(body, 1)
    assert heading / body == pytest.approx(14 / 9)
    assert find_feet(face, 1)[0] <= 50
    style = f'<style name="body" size="{body + 0.1:.1f}pt"/>'
    style += f'<style name="h1" weight="bold" size="{(body + 0.1) * 14 / 9}pt"/>'
    body_ = f'{style}<flow style="body" h1="h1" height="50mm">{{{{ card.text }}}}</flow>'
    assert "too long" in find_problem(project, body_, {"text": text}, size=SIZE)


def test_a_flow_grows_no_larger_than_its_max(project: Project) -> None:
    face = flow(project, "short", 'height="50mm" fit="box" max="12.5pt"')
    assert {run.size for run in list_runs(face)} == {12.5}


def test_columns_are_stretched_to_the_foot_of_the_box(project: Project) -> None:
    text = items(*range(7), "## Two", *range(6))
    plain = flow(project, text, 'columns="2" height="45mm"')
    face = flow(project, text, 'columns="2" height="45mm" stretch="true"')
    assert max(find_feet(plain)) < 40
    assert find_feet(face) == pytest.approx([45, 45], abs=0.02)
    assert list_columns(face) == list_columns(plain)


def test_only_the_spaces_between_blocks_are_stretched(project: Project) -> None:
    table = "| a |\n|---|\n| b |"
    text = items(LINES("lmn"), "- item\n- entry", table, "## Two", "end")
    plain = flow(project, text)
    face = flow(project, text, 'height="45mm" stretch="true"')
    assert find_feet(face, 1)[0] == pytest.approx(45, abs=0.01)
    before, after = ([run.y for run in list_runs(found)] for found in (plain, face))
    gained = [
        (after[at] - after[at - 1]) - (before[at] - before[at - 1]) for at in range(1, len(before))
    ]
    names = ["m", "n", "•", "item", "•", "entry", "a", "b", "Two", "end"]
    spaces = [0, 0, 4.5 / 2, 0, 4.5 / 2, 0, 4.5, 0, 5.5, 4.5 * 0.35]
    assert [run.words[0].text for run in list_runs(face)][1:] == names
    (stretch,) = {
        round(gain / space, 3) for gain, space in zip(gained, spaces, strict=True) if space
    }
    assert 0 < stretch <= 1.5
    assert [round(gain, 6) for gain, space in zip(gained, spaces, strict=True) if not space] == [
        0
    ] * 5


def test_no_space_becomes_more_than_two_and_a_half_times_itself(project: Project) -> None:
    plain = flow(project, items("a", "b", "c"))
    face = flow(project, items("a", "b", "c"), 'height="22mm" stretch="true"')
    empty = flow(project, items("a", "b", "c"), 'height="58mm" stretch="true"')
    for found, stretch in ((plain, 1), (face, 2.5), (empty, 1)):
        places = [run.y for run in list_runs(found)]
        assert places[1] - places[0] == pytest.approx((1.2 + 0.5 * stretch) * 9)
        assert places[2] - places[1] == pytest.approx((1.2 + 0.5 * stretch) * 9)


def test_columns_filled_one_by_one_are_stretched_too(project: Project) -> None:
    attributes = 'columns="2" height="33mm" stretch="true" balance="false"'
    face = flow(project, items(*range(9)), attributes)
    assert list(map(len, list_columns(face))) == [6, 3]
    assert find_feet(face)[0] == pytest.approx(33, abs=0.02)
    last = [run.y for run in list_runs(face)][-3:]
    assert last[1] - last[0] == pytest.approx((1.2 + 0.5 * 2.5) * 9)


def test_lines_and_tables_end_at_the_same_foot(project: Project) -> None:
    table = "| a |\n|---|\n" + "| b |\n" * 4
    for stripe in ("none", "black"):
        face = flow(project, items(*range(3), table), f'columns="2" stripe="{stripe}"')
        lines = [find_top(run) for run in list_runs(face) if run.words[0].text in ("0", "a")]
        assert lines[0] == pytest.approx(lines[1])
    face = flow(project, items(*range(9), table), 'columns="2" height="38mm" stretch="true"')
    assert find_feet(face) == pytest.approx([38, 38], abs=0.02)


def test_a_flow_takes_the_height_of_its_letters(project: Project) -> None:
    for text in ("one\n\ntwo", "one\n\n| two |\n|---|"):
        body = """
        <column><flow>{{ card.text }}</flow><box height="1mm" fill="black"/></column>"""
        (face,) = lay_out(project, body, {"text": text}, size=SIZE)
        (box,) = list_outlines(face)
        assert box.bounds.y == pytest.approx(find_feet(face, 1)[0] * MM, abs=0.02)


def test_up_to_a_tenth_of_the_size_is_given_up_to_close_a_hole(project: Project) -> None:
    """A table alone in its column has no space to stretch, but is higher with an item above it."""
    table = "| a |\n|---|\n" + "| b |\n" * 6
    attributes = 'columns="2" height="40mm" fit="box" max="30pt"'
    for before, closed in ((6, True), (2, False)):
        text = items(*range(before), table)
        plain = flow(project, text, attributes)
        face = flow(project, text, f'{attributes} stretch="true"')
        largest, size = (max(run.size for run in list_runs(found)) for found in (plain, face))
        assert min(find_feet(plain)) < 40 - largest / MM
        if closed:
            assert largest * 0.9 <= size < largest
            assert find_feet(face) == pytest.approx([40, 40], abs=0.02)
        else:
            assert size == largest
            assert min(find_feet(face)) < 40 - largest / MM


# Tables in a flow


def find_lefts(face: Face) -> dict[str, float]:
    """Where what begins with each word begins."""
    return {run.words[0].text: run.x for run in list_runs(face)}


DICE = """\
| D6 | Result |
|---|---|
| :sword: | short |
| :sword: :shield: :bow: | long {0}|
"""


@pytest.mark.parametrize("count", [0, 8, 20])
@pytest.mark.parametrize("width", [30, 60])
def test_icons_keep_their_line_and_the_text_takes_the_rest(
    project: Project, count: int, width: int
) -> None:
    face = flow(project, DICE.format("word " * count), f'width="{width}mm"')
    left = (3 * 1.1 + 2 * make_font().space + 0.7) * 9
    lefts = find_lefts(face)
    assert lefts["long"] == lefts["short"] == lefts["Result"] == pytest.approx(left, abs=0.02)
    assert max(map(find_right, list_runs(face))) <= width * MM + 0.01
    tops = {round(item.bounds.y, 2) for item in list_outlines(face)}
    assert len(tops) <= 4  # three icons of different heights on one line, and one above


@pytest.mark.parametrize("figures", [("+1", "−1"), ("10 x D6cm", "2D6"), ("4, 5, 6", "4+ or 6")])
def test_figures_keep_their_line(project: Project, figures: tuple[str, str]) -> None:
    """However long the words beside them, and though they are wider than the words' column."""
    label = "a label of very many words that has to be broken into lines " * 2
    text = f"| Label | |\n|---|--:|\n| {label} | {figures[0]} |\n| b | {figures[1]} |"
    face = flow(project, text, 'width="28mm"')
    for figure in figures:
        assert len([run for run in list_runs(face) if join(run) == figure]) == 1
    rights = [find_right(run) for run in list_runs(face) if join(run) in figures]
    assert rights == pytest.approx([28 * MM] * 2, abs=0.03)


def join(run: Run) -> str:
    return " ".join(word.text for word in run.words).strip()


def test_columns_of_figures_share_the_width(project: Project) -> None:
    face = flow(project, "|  |  |  |\n|---|---|---|\n| 1 | 2 | 3 |", 'width="60mm"')
    first, second, third = (run.x for run in list_runs(face))
    assert first == 0
    assert second == pytest.approx(third - second, abs=1)
    assert second == pytest.approx(20 * MM, abs=4)


def test_long_labels_give_way_to_long_texts(project: Project) -> None:
    """A table is as low as it can be: neither column is left with a word a line."""
    label, text = "a label of several words here", "many words of a text " * 6
    face = flow(project, f"| L | T |\n|---|---|\n| {label} | {text} |", 'width="45mm"')
    lefts = find_lefts(face)
    assert 9 * 2 < lefts["T"] < 45 * MM / 2
    lines = [
        len({run.y for run in list_runs(face) if right == (run.x >= lefts["T"])})
        for right in (0, 1)
    ]
    assert lines[0] <= lines[1] <= 8


def test_words_wider_than_the_columns_of_a_table_are_an_error(project: Project) -> None:
    text = "| Unbreakable | Incomprehensible |\n|---|---|\n| a | b |"
    assert find_flow_problem(project, 'width="30mm"', text) == (
        'decks/deck.yaml:3:3: card "Card 1": the columns of a table need 39.54mm,'
        " there are 27.78mm\n"
        "  hint: add a soft hyphen, or make the columns of the flow wider;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_head_runs_on_over_columns_without_one(project: Project) -> None:
    text = "| Blunders of the army | |\n|---|---|\n| :sword: | stop |"
    face = flow(project, text, 'width="60mm"')
    assert find_lefts(face)["stop"] == pytest.approx((1.1 + 0.7) * 9, abs=0.02)
    assert list_columns(face, 1) == [["Blunders of the army", "stop"]]


def test_the_rows_of_a_flow_have_their_padding_and_rules(project: Project) -> None:
    text = "above\n\n| a |\n|---|\n| b |\n| c |"
    attributes = 'row-padding="2mm" rule="black" rule-width="1pt" fit="box" min="4pt"'
    for height in (55, 18):
        face = flow(project, text, f'{attributes} height="{height}mm"')
        (size,) = {run.size for run in list_runs(face)}
        _, first, second, third = (run.y for run in list_runs(face))
        row = 2 * 2 * MM * size / 9 + (CAPITALS + DEPTH) * size
        assert third - second == pytest.approx(row, abs=0.02)
        assert second - first == pytest.approx(row, abs=0.1)
        assert [line.stroke.width for line in list_outlines(face) if line.stroke] == [2, 1]
    assert size < 9


def test_a_rule_between_paragraphs_is_as_thick_as_those_of_tables(project: Project) -> None:
    face = flow(project, "a\n\n---\n\nb", 'rule-width="1.5pt"')
    assert [line.stroke.width for line in list_outlines(face) if line.stroke] == [1.5]


def test_the_first_lines_of_a_row_stand_on_one_baseline(project: Project) -> None:
    body = """
    <style name="large" size="14pt"/><style name="other" size="9pt" font="Cinzel"/>
    <table columns="20mm 20mm grow">
      <tr><td>a</td><td style="large">b</td><td style="other">c d e f g h i j k l m n o</td></tr>
      <tr><td>p</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    tops = {run.words[0].text: run.y for run in list_runs(face)}
    assert tops["a"] == tops["b"] == tops["c"]
    large, other = make_font(), make_font("Cinzel")
    lines = len({run.y for run in list_runs(face) if run.font.file.family == "Cinzel"})
    assert lines > 1
    # Below the baseline the second line of the smaller type reaches deepest.
    below = ((lines - 1) * 1.2 + other.file.depth / 2) * 9
    above = max(large.file.depth / 2 * size + large.file.cap_height * size for size in (9, 14))
    bottom = above + below + 2 * 1.5
    assert tops["p"] == pytest.approx(bottom + 1.5 + (DEPTH / 2 + CAPITALS) * 9, abs=0.02)
    assert tops["a"] == pytest.approx(1.5 + above, abs=0.02)


def test_what_surrounds_text_scales_with_the_fit(project: Project) -> None:
    text = items("# One", "two", DICE.format(""), *range(9))
    attributes = 'height="45mm" width="60mm" fit="box" min="4pt" after-heading="1.5"'
    face = flow(project, text, attributes)
    lefts = find_lefts(face)
    heading, after = (
        next(run for run in list_runs(face) if run.words[0].text == word) for word in ("One", "two")
    )
    size = after.size
    assert 4 <= size < 8
    line = heading.y + (1.2 - HIGHER) * heading.size
    assert find_top(after) - line == pytest.approx(1.5 * size, abs=0.02)
    left = (3 * 1.1 + 2 * make_font().space + 0.7) * size
    assert lefts["long"] == pytest.approx(left, abs=0.02)


def test_a_flow_ends_with_the_stripe_of_its_last_row(project: Project) -> None:
    body = """
    <colour name="pale" cmyk="0 0 0 10"/>
    <column><flow stripe="pale">{{ card.text }}</flow><box height="1mm" fill="black"/></column>"""
    for rows, striped in ((2, True), (3, False)):
        text = "| a |\n|---|\n" + "| b |\n" * rows
        (face,) = lay_out(project, body, {"text": text}, size=SIZE)
        stripe, box = list_outlines(face)
        ends = stripe.bounds.bottom if striped else find_feet(face, 1)[0] * MM
        assert box.bounds.y == pytest.approx(ends, abs=0.02)


def test_as_much_white_stands_below_a_table_as_below_a_line(project: Project) -> None:
    table = "| a |\n|---|\n| b |"
    apart = (1.2 + 0.5) * 9
    for padding, distance in (("0pt", apart), ("5pt", (DEPTH / 2 + CAPITALS + 0.5) * 9 + 5)):
        for stripe in ("none", "black"):
            text = f"{table}\n| c |\n\nend" if stripe == "black" else f"{table}\n\nend"
            face = flow(project, text, f'row-padding="{padding}" stripe="{stripe}"')
            *_, last, end = (run.y for run in list_runs(face))
            expected = distance
            if stripe == "black":  # its bottom lies below the letters, and the white below that
                inside = DEPTH / 2 * 9 + float(padding.removesuffix("pt"))
                white = (1.2 - CAPITALS - DEPTH) * 9
                expected = inside + max(white, 0) + (0.5 + CAPITALS) * 9
            assert end - last == pytest.approx(expected, abs=0.03)


def test_short_words_are_no_figure_if_they_are_many(project: Project) -> None:
    few, many = "1 in 6 if up", "1 in 6 if up to 10 or so"
    for figures, lines in ((few, 1), (many, 2)):
        text = f"| L | |\n|---|---|\n| {'some words ' * 9} | {figures} |"
        face = flow(project, text, 'width="35mm"')
        right = [run for run in list_runs(face) if run.x > 0]
        assert (len({run.y for run in right}) > 1) == (lines > 1)
