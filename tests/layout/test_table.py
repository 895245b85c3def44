"""Tables: how wide columns are, what spans them, how cells are aligned, rules and stripes."""

from __future__ import annotations

import pytest
from conftest import Project
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import (
    MM,
    PLAIN,
    examples,
    find_problem,
    find_right,
    find_typesetter,
    flatten,
    join_words,
    lay_out,
    list_lines,
    list_rects,
    list_runs,
    make_material,
    plain_words,
)

from cardgen.core.colour import Colour
from cardgen.core.errors import Refusal
from cardgen.layout.face import Face, Outline
from cardgen.layout.table import Cell, Row, Table, TableLook, set_table
from cardgen.text.setting import Run, SetBlock

# A table is 60 mm wide, its gap 4pt unless it says more.


def table(
    project: Project, columns: str, *rows: str, attributes: str = "", **fields: object
) -> Face:
    """A table whose rows are cells parted by "|"; a row that begins with "!" is a head."""
    lines = []
    for row in rows:
        head = ' head="true"' if row.startswith("!") else ""
        cells = "".join(f"<td>{cell}</td>" for cell in row.removeprefix("!").split("|"))
        lines.append(f"<tr{head}>{cells}</tr>")
    body = f'<table columns="{columns}" {attributes}>{"".join(lines)}</table>'
    (face,) = lay_out(project, body, fields)
    return face


def find_run(face: Face, text: str) -> Run:
    (run,) = [run for run in list_runs(face) if run.words[0].text == text]
    return run


def find_left(face: Face, text: str) -> float:
    return find_run(face, text).x


def wide(text: str) -> float:
    """The width of a text at 9pt."""
    return make_material(text).width * 9


# Columns


def test_automatic_columns_are_as_wide_as_their_words(project: Project) -> None:
    face = table(project, "auto auto auto", "a|bb|ccc", "dddd|e|f")
    assert find_left(face, "a") == find_left(face, "dddd") == 0
    assert find_left(face, "bb") == find_left(face, "e")
    assert find_left(face, "bb") == pytest.approx(wide("dddd") + 4, abs=0.03)
    assert find_left(face, "ccc") == pytest.approx(wide("dddd") + wide("bb") + 8, abs=0.05)


def test_fixed_columns_are_as_wide_as_they_say(project: Project) -> None:
    face = table(project, "10mm 20mm auto", "a|b|c", attributes='gap="2mm"')
    assert [run.x / MM for run in list_runs(face)] == pytest.approx([0, 12, 34])


@pytest.mark.parametrize(
    ("columns", "lefts"),
    [
        ("grow grow", (0, 31)),
        ("grow:3 grow", (0, 45.5)),
        ("10mm grow 10mm", (0, 12, 50)),
        ("grow 20mm", (0, 40)),
        ("grow grow:2 10mm", (0, 2 + 46 / 3, 50)),
    ],
)
def test_what_is_left_over_goes_to_columns_that_grow(
    project: Project, columns: str, lefts: tuple[float, ...]
) -> None:
    row = "|".join("abc"[: len(lefts)])
    face = table(project, columns, row, attributes='gap="2mm"')
    assert [run.x / MM for run in list_runs(face)] == pytest.approx(lefts)


def test_automatic_columns_give_way_where_nothing_grows(project: Project) -> None:
    long = "a long text of many words that cannot stand on one line beside the other column"
    face = table(project, "auto auto", f"short|{long}")
    assert find_left(face, "a") == pytest.approx(wide("short") + 4, abs=0.03)
    assert len(list_lines(face)) > 1
    assert max(map(find_right, list_runs(face))) <= 60 * MM + 0.1


def test_columns_too_wide_for_the_table_are_an_error(project: Project) -> None:
    body = '<table columns="40mm 30mm" gap="2mm"><tr><td>a</td><td>b</td></tr></table>'
    assert find_problem(project, body) == (
        'decks/deck.yaml:3:3: card "Card 1": the columns of a table need 70mm, there are 58mm\n'
        "  hint: make a column narrower, or let an automatic one grow;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_word_wider_than_its_column_is_an_error(project: Project) -> None:
    body = '<table columns="10mm grow"><tr><td>{{ card.name }}</td><td>b</td></tr></table>'
    assert find_problem(project, body, {"name": "an Unbreakable unit"}) == (
        'decks/deck.yaml:3:3: card "an Unbreakable unit": "Unbreakable" is 15.85mm wide,'
        " its table cell 10mm\n"
        "  hint: give the column more room, or set the table smaller;"
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_row_with_too_many_cells_is_an_error(project: Project) -> None:
    body = '<table columns="auto auto"><tr><td>a</td><td span="2">b</td></tr></table>'
    assert find_problem(project, body) == (
        'decks/deck.yaml:3:3: card "Card 1": a row has 3 cells, the table 2 columns\n'
        "  hint: give it a column for each cell; the template's element is templates/plain.xml:2:1"
    )


def test_a_row_may_have_fewer_cells(project: Project) -> None:
    face = table(project, "10mm 10mm 10mm", "a", "b|c", "d|e|f")
    assert list_lines(face) == ["a", "bc", "def"]


cells = st.builds(Cell, join_words(plain_words, 8), st.just(PLAIN), st.integers(1, 2))


@given(
    st.lists(st.sampled_from([None, None, 30.0, -1.0, -2.0]), min_size=4, max_size=4),
    st.lists(st.lists(cells, max_size=2), max_size=4),
    st.floats(30, 400),
)
@examples(150)
def test_no_cell_reaches_out_of_its_table_or_into_the_next(
    columns: list[float | None], rows: list[list[Cell]], width: float
) -> None:
    look = TableLook(tuple(columns), 4.0, 1.5, None, 0.4, None)
    table = Table(look, tuple(Row(tuple(row)) for row in rows))
    try:
        typesetter = find_typesetter()
        found = set_table(typesetter, table, width, typesetter.make_block)
    except Refusal:
        event("too narrow")
        return
    for row in found.rows:
        end = 0.0
        for cell in row:
            assert cell.x >= end - 0.01
            end = cell.x + cell.width
            assert isinstance(cell.text, SetBlock)
            for piece in cell.text.pieces:
                assert isinstance(piece, Run)
                assert find_right(piece) <= cell.width + 0.1
        assert end <= width + 0.1


# Cells


def test_a_cell_may_be_empty(project: Project) -> None:
    face = table(project, "auto 10mm auto", "a||c", "||", "|b|", attributes='gap="2mm"')
    assert list_lines(face) == ["ac", "b"]
    assert find_left(face, "c") == pytest.approx(wide("a") + 14 * MM, abs=0.05)


def test_a_cell_may_span_columns(project: Project) -> None:
    body = """
    <table columns="10mm 10mm 10mm" gap="2mm">
      <tr><td span="2" align="right">ab</td><td>c</td></tr>
      <tr><td>a</td><td span="2" align="right">bc</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    assert find_right(find_run(face, "ab")) == pytest.approx(22 * MM)
    assert find_left(face, "c") == pytest.approx(24 * MM)
    assert find_right(find_run(face, "bc")) == pytest.approx(34 * MM)


def test_a_spanning_cell_does_not_widen_its_columns(project: Project) -> None:
    body = """
    <table columns="auto auto grow">
      <tr><td span="3">one long head over all of the columns</td></tr>
      <tr><td>x</td><td>y</td><td>z</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    assert find_left(face, "y") == pytest.approx(wide("x") + 4, abs=0.03)


def test_columns_and_cells_are_aligned(project: Project) -> None:
    body = """
    <table columns="20mm 20mm 20mm" gap="0mm" aligns="left centre right">
      <tr><td>a</td><td>b</td><td>c</td></tr>
      <tr><td align="right">d</td><td align="left">e</td><td align="centre">f</td></tr>
    </table>"""
    (face,) = lay_out(project, body)

    def find_middle(text: str) -> float:
        run = find_run(face, text)
        return (run.x + find_right(run)) / 2 / MM

    assert find_left(face, "a") == 0
    assert find_middle("b") == pytest.approx(30)
    assert find_right(find_run(face, "c")) / MM == pytest.approx(60)
    assert find_right(find_run(face, "d")) / MM == pytest.approx(20)
    assert find_left(face, "e") / MM == pytest.approx(20)
    assert find_middle("f") == pytest.approx(50)


def test_an_align_counts_from_where_a_cell_begins(project: Project) -> None:
    body = """
    <table columns="20mm 20mm 20mm" gap="0mm" aligns="left centre right">
      <tr><td span="2">ab</td><td>c</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    assert find_right(find_run(face, "c")) / MM == pytest.approx(60)


def test_cells_take_their_style_from_table_row_or_themselves(project: Project) -> None:
    body = """
    <style name="small" size="6pt"/><style name="head" size="8pt" weight="bold"/>
    <style name="loud" size="7pt" weight="black"/>
    <table columns="auto auto" style="small" head="head">
      <tr head="true"><td>a</td><td style="loud">b</td></tr>
      <tr><td>c</td><td style="loud">d</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    found = {run.words[0].text: (run.size, run.font.file.weight) for run in list_runs(face)}
    assert found == {"a": (8, 700), "b": (7, 900), "c": (6, 400), "d": (7, 900)}


def test_a_head_without_a_style_is_bold(project: Project) -> None:
    face = table(project, "auto", "!a", "b")
    assert [run.font.file.weight for run in list_runs(face)] == [700, 400]


def test_cells_hold_inline_signs(project: Project) -> None:
    face = table(project, "auto auto", "**a** b|:sword:")
    assert [run.font.file.weight for run in list_runs(face)] == [700, 400]
    assert len([item for item in flatten(face.items) if isinstance(item, Outline)]) == 1


# Rows


def test_a_row_is_as_high_as_its_highest_cell(project: Project) -> None:
    face = table(
        project,
        "12mm 40mm",
        "one two three|x",
        "y|z",
        attributes='row-padding="1mm"',
    )
    tops = {run.words[0].text: run.y for run in list_runs(face)}
    assert tops["one"] == tops["x"]
    assert tops["y"] == tops["z"]
    lines = len({run.y for run in list_runs(face) if run.x == 0}) - 1
    assert lines == 2
    needed = (0.641 + 0.185 + (lines - 1) * 1.2) * 9
    assert tops["y"] - tops["x"] == pytest.approx(needed + 2 * MM, abs=0.05)


def test_rules_lie_between_the_rows_and_are_heavier_below_a_head(project: Project) -> None:
    face = table(
        project,
        "20mm grow",
        "!a|b",
        "c|d",
        "e|f",
        attributes='rule="black" rule-width="1pt" width="50mm"',
    )
    rules = [item for item in flatten(face.items) if isinstance(item, Outline)]
    assert [rule.stroke.width for rule in rules if rule.stroke] == [2, 1]
    assert {rule.bounds.width for rule in rules} == {50 * MM}
    baselines = sorted({run.y for run in list_runs(face)})
    middles = [rule.segments[0][1][1] for rule in rules]
    assert baselines[0] < middles[0] < baselines[1] < middles[1] < baselines[2]


def test_every_second_row_below_the_head_is_striped(project: Project) -> None:
    body = """
    <colour name="pale" cmyk="0 0 0 10"/>
    <table columns="grow" stripe="pale" width="50mm">
      <tr head="true"><td>a</td></tr>
      <tr for="x in 'bcdef'|list"><td>{{ x }}</td></tr>
    </table>"""
    (face,) = lay_out(project, body)
    stripes = [item for item in flatten(face.items) if isinstance(item, Outline)]
    assert {stripe.fill for stripe in stripes} == {Colour("cmyk", (0, 0, 0, 0.1))}
    striped = [
        run.words[0].text
        for run in list_runs(face)
        if any(s.bounds.y < run.y < s.bounds.bottom for s in stripes)
    ]
    assert striped == ["c", "e"]


def test_rows_and_cells_may_be_repeated_or_left_out(project: Project) -> None:
    body = """
    <table columns="auto auto">
      <tr for="name, value in card.stats|dictsort" if="value is not none">
        <td>{{ name }}</td><td>{{ value|signed }}</td>
      </tr>
    </table>"""
    (face,) = lay_out(project, body, {"stats": {"hp": 3, "mp": None, "xp": -2}})
    assert list_lines(face) == ["hp+3", "xp−2"]


# In boxes and columns


def test_a_table_takes_its_own_height_in_a_column(project: Project) -> None:
    rows = "".join(f"<tr><td>{n}</td></tr>" for n in range(3))
    body = f"""
    <column><table columns="auto" row-padding="1mm">{rows}</table>
    <box height="1mm" fill="black"/></column>"""
    (face,) = lay_out(project, body)
    (box,) = list_rects(face)
    each = (0.641 + 0.185) * 9 / MM + 2
    assert box[1] == pytest.approx(3 * each, abs=0.01)


@pytest.mark.parametrize(("align", "share"), [("start", 0), ("centre", 0.5), ("end", 1)])
def test_a_table_is_aligned_by_its_own_width(project: Project, align: str, share: float) -> None:
    body = f"""
    <column align="{align}">
      <table columns="auto auto"><tr><td>{{{{ card.name }}}}</td><td>b</td></tr></table>
    </column>"""
    (face,) = lay_out(project, body, {"name": "Sword"})
    width = wide("Sword") + 4 + wide("b")
    assert find_left(face, "Sword") == pytest.approx((60 * MM - width) * share, abs=0.1)


def test_a_table_higher_than_its_box_is_an_error(project: Project) -> None:
    rows = "".join(f"<tr><td>{n}</td></tr>" for n in range(3))
    body = f'<table columns="auto" row-padding="1mm" height="10mm">{rows}</table>'
    each = (0.641 + 0.185) * 9 / MM + 2
    assert find_problem(project, body) == (
        f'decks/deck.yaml:3:3: card "Card 1": a table is {3 * each - 10:.2f}mm too long:'
        f" it needs {3 * each:.2f}mm, there are 10mm\n"
        "  hint: the template's element is templates/plain.xml:2:1"
    )


def test_a_table_lies_where_its_place_says(project: Project) -> None:
    face = table(project, "grow", "a", attributes='x="10mm" y="20mm" width="20mm"')
    (run,) = list_runs(face)
    assert run.x == pytest.approx(10 * MM)
    assert 20 * MM < run.y < 25 * MM


def test_an_empty_table_draws_nothing(project: Project) -> None:
    body = """
    <table columns="auto" rule="black" stripe="black"><tr for="x in card.rows"><td>x</td></tr>
    </table>"""
    (face,) = lay_out(project, body, {"rows": None})
    assert face.items == ()


# Tables of running text


def test_a_table_of_a_flow_is_set_with_its_head_and_aligns(project: Project) -> None:
    text = "| Name | Cost |\n|:-----|-----:|\n| Sword | 5 |\n| Long banner | 10 |"
    body = '<flow width="50mm" rule="black">{{ card.text }}</flow>'
    (face,) = lay_out(project, body, {"text": text})
    assert find_run(face, "Name").font.file.weight == 700
    assert find_run(face, "Sword").font.file.weight == 400
    rights = [find_right(find_run(face, word)) for word in ("Cost", "5", "10")]
    assert rights == pytest.approx([50 * MM] * 3, abs=0.05)
    assert {find_left(face, word) for word in ("Name", "Sword", "Long")} == {0}
    rules = [item for item in flatten(face.items) if isinstance(item, Outline)]
    assert [rule.bounds.width for rule in rules] == pytest.approx([50 * MM] * 2)


def test_a_table_of_a_flow_without_a_head_has_plain_rows(project: Project) -> None:
    text = "|  |  |\n|--|--|\n| a | b |\n| c | d |"
    (face,) = lay_out(project, "<flow>{{ card.text }}</flow>", {"text": text})
    assert {run.font.file.weight for run in list_runs(face)} == {400}
    assert list_lines(face) == ["ab", "cd"]


def test_a_table_of_a_flow_shrinks_with_it(project: Project) -> None:
    rows = "\n".join(f"| {n} | text |" for n in range(8))
    body = '<flow height="25mm" fit="box" min="4pt">{{ card.text }}</flow>'
    (face,) = lay_out(project, body, {"text": f"above\n\n| n | m |\n|---|---|\n{rows}"})
    (size,) = {run.size for run in list_runs(face)}
    assert 4 <= size < 9
    assert max(run.y for run in list_runs(face)) < 25 * MM


def test_a_cell_holds_a_list(project: Project) -> None:
    """Its items hang behind their bullets, and its first line stands with its neighbours'."""
    items = "- one\n- two that is so long that it breaks\n  - deep"
    face = table(project, "12mm 30mm", f"Steps|{items}", "- |after")
    first, one, two, deep = (find_run(face, text) for text in ("Steps", "one", "two", "deep"))
    assert (first.y, one.x, two.y > one.y, deep.x > one.x) == (one.y, two.x, True, True)
    assert one.x > 12 * MM + 4
    assert [line for line in list_lines(face) if "•" in line] == [
        "Steps•one",
        "•two that is so long",
        "•deep",
    ]
    assert find_run(face, "after").y > deep.y
    assert find_run(face, "-").x == 0  # a lone dash is none
