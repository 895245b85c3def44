"""Running text in columns: balance, what stays together, lists, headings, and what is refused."""

from __future__ import annotations

from itertools import pairwise, product

import pytest
from conftest import Project
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import MM, examples, find_problem, flatten, lay_out, list_runs, make_faces, make_job

from cardgen.layout.columns import Filled, Slab, fill_columns
from cardgen.layout.document import (
    DocumentBlock,
    Heading,
    Paragraph,
    Rule,
    TableBlock,
    read_document,
)
from cardgen.layout.face import Face, Outline
from cardgen.layout.words import TextProblem

# Slabs in columns


def make_slab(height: float, above: float = 0.0, *, keeps: bool = False) -> Slab:
    return Slab(height, above, keeps, lambda *_: None)


slabs = st.lists(
    st.builds(
        make_slab,
        st.integers(1, 30).map(float),
        st.sampled_from([0.0, 0.0, 2.0, 5.0]),
        keeps=st.sampled_from([False, False, False, True]),
    ),
    min_size=1,
    max_size=25,
)
counts = st.integers(1, 5)


def measure(column: list[Slab]) -> float:
    return sum(slab.height + slab.above for slab in column) - (column[0].above if column else 0)


def group(found: list[Slab]) -> list[list[Slab]]:
    """Slabs that stay together."""
    groups: list[list[Slab]] = [[]]
    for slab in found:
        groups[-1].append(slab)
        if not slab.keeps:
            groups.append([])
    return [part for part in groups if part]


def check_kept(found: list[Slab], filled: Filled, count: int) -> None:
    """Nothing lost, in order, and nothing parted that stays together."""
    assert [slab for column in filled.columns for slab in column] == found
    assert len(filled.columns) <= count
    for column in filled.columns[:-1]:
        assert column and not column[-1].keeps
    assert filled.height == pytest.approx(max(map(measure, filled.columns)))


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
    """No two differ by more than what cannot be parted, but for the space above that falls away
    where a column begins.
    """
    filled = fill_columns(found, count, None)
    heights = [measure(column) for column in filled.columns]
    heights += [0.0] * (count - len(heights))
    largest = max(measure(part) for part in group(found))
    dropped = 2 * max(slab.above for slab in found)
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
    with pytest.raises(TextProblem) as caught:
        read(text)
    assert str(caught.value) == f"holds {what}, which a flow cannot set"


def test_a_heading_of_the_fourth_level_is_refused() -> None:
    with pytest.raises(TextProblem) as caught:
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


def test_the_items_of_a_list_are_indented_behind_their_signs(project: Project) -> None:
    text = "before\n\n- one\n- two\n  - inner\n\n3. three\n10. ten"
    face = flow(project, text, 'bullet="–"')
    places = {
        " ".join(word.text for word in run.words).strip(): round(run.x / 9, 2)
        for run in list_runs(face)
    }
    assert places == {
        "before": 0,
        "–": 1.2,
        "one": 1.2,
        "two": 1.2,
        "inner": 2.4,
        "3.": 0,
        "three": 1.2,
        "4.": 0,
        "ten": 1.2,
    }
    signs = [run for run in list_runs(face) if run.words[0].text == "–"]
    assert [round(run.x / 9, 2) for run in signs] == [0, 0, 1.2]


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
    ((subject, field, size, usual),) = [
        (entry.subject.name, entry.field, entry.size, entry.usual) for entry in job.faces.shrunk
    ]
    assert (subject, field, usual) == ('card "Card 1"', "text", 9)
    assert size < 9


def test_a_word_wider_than_its_column_is_an_error(project: Project) -> None:
    body = '<flow columns="8" gap="1mm">{{ card.text }}</flow>'
    assert find_problem(project, body, {"text": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "Card 1": "Unbreakable" is 15.85mm wide, its column 6.62mm\n'
        "  hint: add a soft hyphen, or make the columns wider;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_word_wider_than_the_column_of_a_stacked_flow_is_an_error_too(project: Project) -> None:
    """Where the flow has no height of its own, so that it is measured first."""
    body = '<column><flow columns="8" gap="1mm">{{ card.text }}</flow></column>'
    assert find_problem(project, body, {"text": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "Card 1": "Unbreakable" is 15.85mm wide, its column 6.62mm\n'
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
