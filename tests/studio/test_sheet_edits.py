"""Edits of a deck in a workbook: the cell says it, and all else in the file stays or follows."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from editing import edit
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.table import Table

from cardgen.core.errors import CardgenError
from cardgen.deck.edits.references import Shift, Swap, follow, translate
from cardgen.project.project import Project, open_project, read_deck
from cardgen.studio.edits.change import make_change
from cardgen.studio.edits.model import (
    AddCard,
    Change,
    Conflicts,
    CopyCard,
    Edit,
    MoveCard,
    RemoveCard,
    SetField,
)

FIRST = '=D2*2+0*(SUM(D2:D4)+LEN("D3"))'
ROWS: list[list[Any]] = [
    ["name", "count", "text", "cost", "double", "fine"],
    ["Sword", 2, "Sharp & <long>.", 15, FIRST, True],
    ["Shield", None, "Round.", 10.5, "=D3*2", None],
    ["Bow", 1, "Bent.", 7, "=D4*2", None],
]
RESULTS = {2: 30, 3: 21, 4: 14}
SHEET = "xl/worksheets/sheet2.xml"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    deck = "title: Things\ncards: things.xlsx\nsheet: My Cards\n"
    (tmp_path / "decks/things.yaml").write_text(deck, encoding="utf-8")
    return open_project(tmp_path)


def write_book(*, comment: bool = False) -> Path:
    """Write a workbook as spreadsheet programs do: formulas with results, a table, merged cells."""
    book = openpyxl.Workbook()
    notes, cards = book.active, book.create_sheet("My Cards")
    assert notes is not None
    notes.title = "Notes"
    notes["A1"], notes["A2"] = "All", "='My Cards'!D3+SUM('My Cards'!$D$2:$D$4)"
    for row in ROWS:
        cards.append(row)
    cards["A1"].font = cards["C3"].font = Font(bold=True)
    cards["D3"].number_format = "0.00"
    cards.row_dimensions[3].height = 33
    cards.merge_cells("H3:I3")
    cards.add_table(Table(displayName="Things", ref="A1:F4"))
    rule = DataValidation(type="whole", sqref="B2:B4")
    cards.add_data_validation(rule)
    if comment:
        cards["A2"].comment = Comment("Mine", "me")
    path = Path("decks/things.xlsx")
    book.save(path)
    data = path.read_bytes()
    with ZipFile(io.BytesIO(data)) as source, ZipFile(path, "w") as out:
        for info in source.infolist():
            content = source.read(info).replace(b' fullCalcOnLoad="1"', b"")
            if info.filename == SHEET:
                for line, result in RESULTS.items():
                    content, times = re.subn(
                        rb'(<c r="E%d"[^>]*><f>[^<]*</f>)(?:<v ?/>|<v></v>)' % line,
                        rb"\g<1><v>%d</v>" % result,
                        content,
                    )
                    assert times == 1
            out.writestr(info, content)
    return path


def read_parts(path: Path) -> dict[str, bytes]:
    with ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def read_sheet(name: str = "My Cards") -> Any:
    return openpyxl.load_workbook("decks/things.xlsx")[name]


def list_names(project: Project) -> list[str]:
    return [card.name for card in read_deck(project, "things").cards]


def test_only_a_cell_is_written_and_all_else_stays(project: Project) -> None:
    path = write_book()
    before, parts = path.read_bytes(), read_parts(path)
    edits = [
        SetField("shield", "text", ' Tall & "odd" <b>\n_x0041_ ', "Round."),
        SetField("shield", "cost", 12.25, 10.5),
        SetField("shield", "count", 4),
        SetField("bow", "fine", False),
        SetField("sword", "count", None, 2),
    ]
    journal = edit(project, "things", *edits)
    now = read_parts(path)
    changed = {name for name in parts if now[name] != parts[name]}
    # Formulas read what was changed: programs are told to compute them.
    assert changed == {SHEET, "xl/workbook.xml"} and now.keys() == parts.keys()
    with ZipFile(io.BytesIO(before)) as one, ZipFile(path) as two:
        for info in one.infolist():
            if info.filename not in changed:
                packed = before[info.header_offset :][: info.compress_size + 30]
                start = two.getinfo(info.filename).header_offset
                assert path.read_bytes()[start:].startswith(packed)
    sheet = read_sheet()
    assert sheet["C3"].value == 'Tall & "odd" <b>\n_x005F_x0041_'
    assert sheet["C3"].font.bold and sheet["D3"].number_format == "0.00"
    assert (sheet["D3"].value, sheet["B3"].value, sheet["F4"].value) == (12.25, 4, False)
    assert sheet["B2"].value is None and sheet["E3"].value == "=D3*2"
    sword, shield, bow = read_deck(project, "things").cards
    assert shield.fields["text"] == 'Tall & "odd" <b>  \n_x0041_'
    assert (shield.fields["cost"], shield.count, bow.fields["fine"]) == (12.25, 4, False)
    assert (sword.count, sword.fields["text"]) == (1, "Sharp & <long>.")
    assert isinstance(journal.undo(), Change)
    assert path.read_bytes() == before


def test_a_new_field_and_a_new_name(project: Project) -> None:
    write_book()
    edit(project, "things", SetField("bow", "kind", "far"), SetField("bow", "name", "Sword", "Bow"))
    sheet = read_sheet()
    assert [sheet["G1"].value, sheet["H1"].value] == ["kind", "id"]
    assert [sheet["A4"].value, sheet["G4"].value, sheet["H4"].value] == ["Sword", "far", "bow"]
    assert read_deck(project, "things").cards[2].fields["kind"] == "far"


def test_rows_come_and_what_names_them_follows(project: Project) -> None:
    write_book()
    edit(project, "things", AddCard({"name": "Axe", "cost": 3}, "sword"), CopyCard("bow"))
    assert list_names(project) == ["Sword", "Axe", "Shield", "Bow", "Bow 2"]
    sheet = read_sheet()
    assert [sheet[f"E{row}"].value for row in range(2, 7)] == [
        *(FIRST.replace("D4", "D5"), None, "=D4*2", "=D5*2", "=D6*2")
    ]
    assert sheet["C4"].font.bold and sheet.row_dimensions[4].height == 33
    assert [str(one) for one in sheet.merged_cells.ranges] == ["H4:I4"]
    assert str(sheet.data_validations.dataValidation[0].sqref) == "B2:B5"
    assert sheet.tables["Things"].ref == "A1:F6"
    assert read_sheet("Notes")["A2"].value == "='My Cards'!D4+SUM('My Cards'!$D$2:$D$5)"
    copy = read_deck(project, "things").cards[4]
    assert (copy.fields["double"], copy.fields["cost"]) == (14, 7)


def test_a_header_alone_gets_a_first_row_that_looks_like_none(project: Project) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "My Cards"
    sheet.append(["Name", "Cost"])
    sheet["A1"].font = Font(bold=True)
    book.save("decks/things.xlsx")
    edit(project, "things", AddCard({"name": "Axe"}))
    rows = list(read_sheet().iter_rows())
    assert [[cell.value for cell in row] for row in rows] == [["Name", "Cost"], ["Axe", None]]
    assert rows[0][0].font.b and not rows[1][0].font.b
    assert list_names(project) == ["Axe"]


def test_rows_go_and_change_places(project: Project) -> None:
    path = write_book()
    before = path.read_bytes()
    journal = edit(project, "things", MoveCard("bow", None))
    assert list_names(project) == ["Bow", "Sword", "Shield"]
    sheet = read_sheet()
    moved = FIRST.replace("D2*", "D3*")
    assert [sheet[f"E{row}"].value for row in (2, 3, 4)] == ["=D2*2", moved, "=D4*2"]
    assert sheet["C4"].font.bold and [str(one) for one in sheet.merged_cells.ranges] == ["H4:I4"]
    edit(project, "things", RemoveCard("shield"))
    assert list_names(project) == ["Bow", "Sword"]
    sheet = read_sheet()
    assert not sheet.merged_cells.ranges and sheet.tables["Things"].ref == "A1:F3"
    assert sheet["E3"].value == moved.replace("D4", "D3")
    assert read_sheet("Notes")["A2"].value == "='My Cards'!D3+SUM('My Cards'!$D$2:$D$3)"
    # Somebody else has saved it since: nothing is taken back, and nothing lost.
    assert isinstance(journal.undo(), Conflicts)
    path.write_bytes(before)
    edit(project, "things", RemoveCard("shield"))
    assert read_sheet("Notes")["A2"].value == "=#REF!+SUM('My Cards'!$D$2:$D$3)".replace(
        "#REF!", "'My Cards'!#REF!"
    )


def test_a_workbook_that_changed_meanwhile_is_a_conflict(project: Project) -> None:
    write_book()
    found = make_change(project, "things", [SetField("bow", "cost", 9, 8)])
    assert isinstance(found, Conflicts)
    (conflict,) = found.found
    assert (conflict.base, conflict.theirs, conflict.ours) == (8, 7, 9)
    assert conflict.place is not None and (conflict.place.line, conflict.place.column) == (4, 4)


@pytest.mark.parametrize(
    ("one", "code"),
    [
        (SetField("bow", "double", 3), "edit/formula"),
        (SetField("bow", "text", ["a"]), "edit/not-here"),
        (RemoveCard("sword"), "edit/rows-are-held"),
    ],
)
def test_what_a_workbook_cannot_say(project: Project, one: Edit, code: str) -> None:
    path = write_book(comment=True)
    before = path.read_bytes()
    with pytest.raises(CardgenError) as caught:
        make_change(project, "things", [one])
    assert [problem.code for problem in caught.value.problems] == [code]
    assert path.read_bytes() == before


def test_a_style_of_dates_does_not_make_a_number_a_date(project: Project) -> None:
    path = write_book()
    book = openpyxl.load_workbook(path)
    book["My Cards"]["D4"].number_format = "yyyy-mm-dd"
    book["My Cards"]["E4"] = book["My Cards"]["E3"] = book["My Cards"]["E2"] = 1
    book.save(path)
    edit(project, "things", SetField("bow", "cost", 5))
    assert read_deck(project, "things").cards[2].fields["cost"] == 5


def test_formulas_that_cells_share_are_written_out(project: Project) -> None:
    path = write_book()
    parts = read_parts(path)
    shared = {
        FIRST[1:]: '<f t="shared" ref="E2:E4" si="0">D2*$D$2</f>',
        "D3*2": '<f t="shared" si="0"/>',
        "D4*2": '<f t="shared" si="0"/>',
    }
    text = parts[SHEET].decode()
    for old, new in shared.items():
        text = text.replace(f"<f>{old}</f>", new)
    with ZipFile(path, "w") as out:
        for name, data in parts.items():
            out.writestr(name, text if name == SHEET else data)
    edit(project, "things", RemoveCard("sword"), CopyCard("shield"))
    sheet = read_sheet()
    assert [sheet[f"E{row}"].value for row in (2, 3, 4)] == ["=D2*#REF!", "=D3*#REF!", "=D4*#REF!"]


def test_references_follow_rows() -> None:
    down, up = Shift(3, 1), Shift(4, -1)
    for formula, below, without in [
        ("A2+A3", "A2+A4", "A2+#REF!"),
        ("SUM($B$2:$B$9)", "SUM($B$2:$B$10)", "SUM($B$2:$B$8)"),
        ("SUM(B3:B3)", "SUM(B4:B4)", "SUM(#REF!)"),
        ("3:4", "4:5", "3:3"),
        ('"A3"&LOG10(A1)&MyA3&A3b', '"A3"&LOG10(A1)&MyA3&A3b', '"A3"&LOG10(A1)&MyA3&A3b'),
        ("'It''s'!A5+Cards!A5", "'It''s'!A5+Cards!A6", "'It''s'!A5+Cards!A4"),
        ("[1]Cards!A5+T[[A5]]", "[1]Cards!A5+T[[A5]]", "[1]Cards!A5+T[[A5]]"),
    ]:
        assert follow(formula, down, "Cards") == below
        assert follow(formula, up, "Cards") == without
    assert follow("A5+'It''s'!A5", down, "It's", is_own=False) == "A5+'It''s'!A6"
    assert follow("A3+A$4+A3:A4", Swap({3: 7}), "x") == "A7+A$4+A3:A4"
    assert translate("A1+$A1+A$1+$1:$1+1:1", 2, 1) == "B3+$A3+B$1+$1:$1+3:3"
