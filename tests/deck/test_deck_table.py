"""CSV files and workbooks as decks: what is read, and the exact words for what is wrong with
them.
"""

from __future__ import annotations

import csv
import io
import re
import time
import zipfile
from collections.abc import Sequence
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path

import openpyxl
import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.model import MAX_FIELD, Deck, Value
from cardgen.deck.read import read_deck_file
from cardgen.deck.tables import read_csv_rows

TABLE_EXAMPLE = """
  hint: a table looks like this:
    name,count,text
    Sword of Fate,2,Once per game"""
FORBIDDEN_HINT = "use letters, digits and underscores, and begin with a letter"


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def write_book(name: str, rows: Sequence[Sequence[object]], *, sheet: str = "Sheet") -> Path:
    book = openpyxl.Workbook()
    page = book.active
    assert page is not None
    page.title = sheet
    for row in rows:
        page.append(list(row))
    book.save(name)
    return Path(name)


def write_sheet(rows: str) -> None:
    """A workbook whose only sheet holds these rows as XML and claims to be as large as can be."""
    source = write_book("source.xlsx", [])
    with zipfile.ZipFile(source) as old, zipfile.ZipFile("t.xlsx", "w") as new:
        for part in old.namelist():
            text = old.read(part).decode()
            if part == "xl/worksheets/sheet1.xml":
                text = re.sub(r'dimension ref="[^"]*"', 'dimension ref="A1:XFD1048576"', text)
                text = text.replace("</sheetData>", f"{rows}</sheetData>")
            new.writestr(part, text)


def read(text: str | bytes) -> Deck:
    return read_deck_file(write("t.csv", text))


def complain(path: Path) -> str:
    with pytest.raises(CardgenError) as caught:
        read_deck_file(path)
    return str(caught.value)


def list_fields(deck: Deck) -> list[dict[str, Value]]:
    return [dict(card.fields) for card in deck.cards]


def test_a_table_alone() -> None:
    deck = read('name,count,cost,text\nSword,2,5,"One,\ntwo"\n\n ,,,\nAxe,,-3.5,\n')
    assert (deck.name, deck.title) == ("t", "T")
    sword, axe = deck.cards
    assert (sword.id, sword.name, sword.count, sword.template) == (
        "sword",
        "Sword",
        2,
        "poker-basic",
    )
    assert sword.fields == {"cost": 5, "text": "One,  \ntwo"}
    assert sword.where == Where("t.csv", 2)
    assert axe.fields == {"cost": -3.5, "text": None}
    assert axe.where == Where("t.csv", 6)
    assert axe.count == 1


def test_the_columns_that_say_more_than_a_field() -> None:
    deck = read("id,name,template,back\n07,1,2,3\n,B,,\n")
    first, second = deck.cards
    assert (first.id, first.name, first.template, first.back) == ("07", "1", "2", "3")
    assert (second.id, second.template, second.back) == ("b", "poker-basic", None)
    assert first.fields == {}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_that_of_the_header(delimiter: str) -> None:
    deck = read(f'\n"name"{delimiter}"a,;\t"\n'.replace('"a,;\t"', "a") + f"A{delimiter}1\n")
    assert list_fields(deck) == [{"a": 1}]


def test_a_table_of_tabs_is_called_tsv() -> None:
    deck = read_deck_file(write("t.tsv", "name\ttext\nSword\tOne, two; or three\n"))
    assert (deck.name, list_fields(deck)) == ("t", [{"text": "One, two; or three"}])
    (card,) = read_deck_file(write("d.yaml", "cards: t.tsv\n")).cards
    assert (card.name, card.where.file) == ("Sword", "t.tsv")


@pytest.mark.parametrize(
    ("table", "likely"),
    [
        (
            "edition,ask\nFor two,Which of the days that we had was the best?\nFor two,Why so?\n",
            "ask",
        ),
        ("step,act\nPrepare,Look about\nPrepare,Joker\nPrepare,Joker\n", "act"),
        ("figure_id,sign\nfig_1,Dog\nfig_2,Staff\n", "sign"),
    ],
)
def test_the_column_that_looks_like_names_is_the_one_whose_cells_differ(
    table: str, likely: str
) -> None:
    assert f'the column "{likely}" looks like it: call it "name"' in complain(write("t.csv", table))


def test_a_row_that_names_the_columns_once_more_is_no_card() -> None:
    table = write("t.csv", "Name,text\nSword,a\n\nName,text\nAxe,b\n")
    again = "t.csv:4: this row names the columns once more, as row 1 does\n  hint: delete it"
    assert complain(table) == again
    assert len(read("name,text\nSword,a\nname,b\n").cards) == 2


@pytest.mark.parametrize("title", ["My game", ",My game,,", '"My game"\n\nby me'])
def test_a_title_above_the_columns_is_one_problem(title: str) -> None:
    table = write("t.csv", f"{title}\nName,Qty,Text\nSword,2,a\nAxe,3,b\n")
    assert re.fullmatch(
        r't.csv:1: the columns are named in row \d, below "My game"\n  hint: .*', complain(table)
    )


def test_a_quoted_header_does_not_mislead() -> None:
    deck = read('"name";"card\ncost";"x"\nA;1,5;2\n')
    assert list_fields(deck) == [{"card_cost": "1,5", "x": 2}]
    assert deck.cards[0].where.line == 3


def test_a_byte_order_mark_and_other_line_ends() -> None:
    assert read(b'\xef\xbb\xbfname,a\r\nA,"1\r\n2"\r\n').cards[0].fields == {"a": "1  \n2"}
    assert read(b"name,a\rA,1\r").cards[0].fields == {"a": 1}


def test_headers_become_field_names() -> None:
    assert read("Name, Card Cost ,card-Type\nA,1,2\n").cards[0].fields == {
        "card_cost": 1,
        "card_type": 2,
    }


def test_a_title_is_a_name_only_where_there_is_no_name() -> None:
    assert read("title,cost\nSword,1\n").cards[0].name == "Sword"
    deck = read("title,name\nSir,Sword\n")
    assert deck.cards[0].name == "Sword"
    assert deck.cards[0].fields == {"title": "Sir"}


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("5", 5),
        ("-5", -5),
        ("0", 0),
        ("2.5", 2.5),
        ("2.0", 2.0),
        (" 7 ", 7),
        ("007", "007"),
        ("1.50", "1.50"),
        ("-0", "-0"),
        ("+3", "+3"),
        (".5", ".5"),
        ("1e3", "1e3"),
        ("1:30", "1:30"),
        ("-", "-"),
        ("true", "true"),
        ("٣", "٣"),
        ("12345678901234567890", "12345678901234567890"),
        ("0.1234567890123456789", "0.1234567890123456789"),
    ],
)
def test_a_cell_is_a_number_if_it_prints_as_it_is_written(cell: str, value: Value) -> None:
    found = read(f"name,a\nA,{cell}\n").cards[0].fields["a"]
    assert found == value
    assert type(found) is type(value)


def test_a_column_without_data_is_a_field_all_the_same() -> None:
    assert list_fields(read("name,cost,\nA,,\n")) == [{"cost": None}]


def test_columns_beside_the_key_that_they_resemble() -> None:
    assert list_fields(read("name,names,count,counts\nA,B,1,2\n")) == [{"names": "B", "counts": 2}]


def test_a_table_with_front_matter() -> None:
    deck = read(
        "---\ntitle: Items\ntemplate: item\nback: red\ndefaults: {cost: 3}\n---\n"
        "name,cost\nA,\nB,4\n"
    )
    assert (deck.title, deck.cards[0].template, deck.cards[0].back) == ("Items", "item", "red")
    assert list_fields(deck) == [{"cost": 3}, {"cost": 4}]
    assert deck.cards[0].where == Where("t.csv", 8)


def test_a_table_that_yaml_describes() -> None:
    write("in/cards.csv", "name,cost\nA,1\n")
    write("in/deck.yaml", "title: Items\ncards: cards.csv\n")
    deck = read_deck_file(Path("in/deck.yaml"))
    assert (deck.name, deck.title, deck.path) == ("deck", "Items", Path("in/deck.yaml"))
    assert deck.cards[0].where == Where("in/cards.csv", 2)


@pytest.mark.parametrize("named", ["t.csv", "./t.csv"])
@pytest.mark.parametrize("suffix", [".yaml", ".yml"])
def test_yaml_beside_a_table_is_found(named: str, suffix: str) -> None:
    write(f"t{suffix}", f"title: Items\ncards: {named}\n")
    assert read("name\nA\n").title == "Items"


@pytest.mark.parametrize(
    "beside", ["cards: other.csv", "cards: [{name: B}]", "title: B", "", "- A", "A"]
)
def test_yaml_beside_a_table_that_does_not_name_it_is_left_alone(beside: str) -> None:
    write("t.yaml", beside)
    assert read("name\nA\n").title == "T"


def test_broken_yaml_beside_a_table_is_not_passed_over() -> None:
    write("t.yaml", "title: [\ncards: t.csv\n")
    assert complain(write("t.csv", "name\nA\n")).startswith("t.yaml:3:1: not valid YAML")


WRONG: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", f"t.csv: the deck has no cards{TABLE_EXAMPLE}"),
    "header alone": ("name,cost\n", f"t.csv: the deck has no cards{TABLE_EXAMPLE}"),
    "no name column": (
        "cost,text\n1,a\n2,b\n",
        't.csv:1: there is no column "name"\n  hint: call one of them "name": "cost", "text"',
    ),
    "mistyped columns": (
        "nmae,Cuont\nA,1\nB,2\n",
        't.csv:1: unknown column "nmae"\n  hint: did you mean "name"?\n'
        't.csv:1: unknown column "cuont"\n  hint: did you mean "count"?',
    ),
    "same column twice": (
        "name,Card Cost,card-cost\nA,1,2\n",
        't.csv:1: two columns are called "card_cost"\n  hint: give one of them another name',
    ),
    "forbidden name": (
        "name,2nd cost\nA,1\n",
        f't.csv:1: column "2nd cost" has a forbidden name\n  hint: {FORBIDDEN_HINT}',
    ),
    "column without a name": (
        "name,,a,\nA,,1,\nB,x,1,\nC,x,1,y\n",
        't.csv:3: column 2 holds "x" but has no name\n  hint: name the column in the header\n'
        't.csv:4: column 4 holds "y" but has no name\n  hint: name the column in the header',
    ),
    "too many cells": (
        "name,a\nA,1,,\nB,one, two\n",
        "t.csv:3: this row has 3 cells, but the header has 2\n"
        "  hint: put a text that holds a delimiter in quotes",
    ),
    "open quote": (
        'name,a\nA,2\nB,"x\nC,3\n',
        "t.csv:3: a quote in this row is never closed\n"
        '  hint: close it; a quote within the text is written twice: ""',
    ),
    "text after a quote": (
        'name,count\nA,two\nB,"x"y\nC,3\n',
        't.csv:2: count in card "A" must be a whole number from 0 to 10,000, not "two"\n'
        "t.csv:3: text follows a closing quote in this row\n"
        '  hint: write a quote inside a quoted cell twice, "", also in place of \\"',
    ),
    "counts": (
        "name,count\nA,-1\nB,2.5\nC,10001\n",
        't.csv:2: count in card "A" must be a whole number from 0 to 10,000, not -1\n'
        't.csv:3: count in card "B" must be a whole number from 0 to 10,000, not 2.5\n'
        't.csv:4: count in card "C" must be a whole number from 0 to 10,000, not 10001',
    ),
    "no name": (
        'name,a\n,"x\ny"\n,2\n',
        't.csv:2: card 1 has no name\n  hint: fill the column "name"\n'
        't.csv:4: card 2 has no name\n  hint: fill the column "name"',
    ),
    "no name but words that differ": (
        "letter,word,text\na,apple,Eat\na,ape,Eat\n",
        't.csv:1: there is no column "name"\n'
        '  hint: the column "word" looks like it: call it "name"',
    ),
    "same id": (
        "name,a\nFire,1\nfire!,2\n",
        't.csv:3: card "fire!" has the id "fire" of card "Fire" at t.csv:2\n'
        "  hint: for more copies raise the count; for another card write an id of its own",
    ),
    "control characters": (
        'name,a\nA,x\x00y\n"B\nC",\n',
        't.csv:2: field "a" in card "A" holds the control character U+0000\n'
        "  hint: delete it\n"
        "t.csv:3: name of card 2 holds the control character U+000A\n"
        "  hint: write it in one line, without tabs",
    ),
    "late control character": (
        "name,a\nA,x\x85y\n",
        't.csv:2: field "a" in card "A" holds the control character U+0085\n  hint: delete it',
    ),
    "latin-1": (
        b"name\nA\nCaf\xe9\n",
        "t.csv:3: this is not UTF-8 text: byte 0xE9\n"
        '  hint: save the file as UTF-8; Excel calls that "CSV UTF-8"',
    ),
    "utf-16": (
        "name\nA\n".encode("utf-16"),
        "t.csv:1: this is not UTF-8 text: it is UTF-16\n"
        '  hint: save the file as UTF-8; Excel calls that "CSV UTF-8"',
    ),
    "utf-16 without a mark": (
        "name\nA\n".encode("utf-16-be"),
        "t.csv:1: this is not UTF-8 text: it is UTF-16\n"
        '  hint: save the file as UTF-8; Excel calls that "CSV UTF-8"',
    ),
    "parted by what parts nothing": (
        "name^a\nA^1\nB^2\n",
        't.csv:1: there is no column "name"\n'
        '  hint: call it "name"; if it is several, part them by commas, semicolons, tabs or "|"',
    ),
    "too many columns": (
        f"name{',a' * 1_000}\nA\n",
        "t.csv:1: this table has more than 1,000 columns\n"
        "  hint: a row is a card, and a column one of its fields: turn the table over",
    ),
    "too long": (
        f"name,a\nA,{'x' * 5_000_000}\n",
        f't.csv:2: field "a" in card "A" is 5,000,000 characters long; '
        f"allowed are {MAX_FIELD:,}\n  hint: spread it over several cards",
    ),
    "open front matter": (
        "---\ntitle: A\nname\n",
        "t.csv:1: the front matter that this line opens is never closed\n"
        '  hint: write a line "---" below it',
    ),
    "problems in front matter": (
        "---\ntitle: A\ntitel: B\ntitle: C\ncards: []\nsheet: D\n---\nname\n,\n \nA\na\n",
        't.csv:3:1: unknown deck key "titel"\n  hint: did you mean "title"?\n'
        't.csv:4:1: the key "title" stands in line 2 already\n  hint: delete one of them\n'
        't.csv:5:1: front matter cannot hold "cards"\n  hint: the cards are the rows below it\n'
        't.csv:6:1: "sheet" is for a deck whose cards are a workbook\n'
        '  hint: write "cards: NAME.xlsx", or delete it\n'
        't.csv:12: card "a" has the id "a" of card "A" at t.csv:11\n'
        "  hint: for more copies raise the count; for another card write an id of its own",
    ),
}


def test_rows_of_one_name_are_cards_of_their_own() -> None:
    deck = read_deck_file(write("t.csv", "name,id,a\nA,,1\nB,,2\nA,,3\nA,x,4\nA,,5\n"))
    assert [card.id for card in deck.cards] == ["a", "b", "a-2", "x", "a-4"]
    assert "deck/same-names" not in [note.code for note in deck.notes]
    deck = read_deck_file(write("t.csv", "name,a\nA,1\nB,2\nA,3\nA,3\n"))
    assert [(card.name, card.id) for card in deck.cards] == [
        ("A", "a"),
        ("B", "b"),
        ("A", "a-2"),
        ("A", "a-3"),
    ]
    assert [note.details["names"] for note in deck.notes if note.code == "deck/same-names"] == [
        ("A",)
    ]
    path = write("v.yaml", "extends: t\ndrop: [a-2]\nchange: {a-3: {a: 9}}\n")
    assert [card.fields["a"] for card in read_deck_file(path).cards] == [1, 2, 9]


@pytest.mark.parametrize("above", ["sep=;", '"sep=;"', "SEP=; ", "sep=\t", "sep=|", "sep=^"])
def test_a_line_above_the_header_names_what_parts_the_cells(above: str) -> None:
    sign = above.strip(' "')[-1]
    deck = read(f"{above}\nname{sign}a,b\nA{sign}1,2\n")
    assert [(card.name, dict(card.fields), card.where) for card in deck.cards] == [
        ("A", {"a_b": "1,2"}, Where("t.csv", 3))
    ]


def test_a_bar_parts_cells_as_commas_do() -> None:
    assert [dict(card.fields) for card in read("name|a\nA|1,2\n").cards] == [{"a": "1,2"}]


def test_a_header_may_have_any_number_of_empty_columns() -> None:
    deck = read(f"name,a{',' * 20_000}\nA,1{',' * 20_000}\n")
    assert [dict(card.fields) for card in deck.cards] == [{"a": 1}]


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, message = WRONG[case]
    assert complain(write("t.csv", text)) == message


def test_the_problems_of_a_deck_and_of_its_table_come_together() -> None:
    write("t.csv", "---\nback: b\n---\nname,count\nA,x\n")
    assert complain(write("d.yaml", "language: '?'\ncards: t.csv\n")) == (
        'd.yaml:1:11: language "?" is no language tag\n  hint: write en, en-GB or de\n'
        "t.csv:1: d.yaml describes this deck, so its table cannot have front matter\n"
        "  hint: move it to d.yaml\n"
        't.csv:5: count in card "A" must be a whole number from 0 to 10,000, not "x"'
    )


def test_a_table_without_a_row_of_titles_is_told_what_one_is() -> None:
    assert complain(write("t.csv", "Sword,2,cuts\nAxe,1,chops\n")).startswith(
        't.csv:1: column "2" has a forbidden name\n  hint: the first row names the columns, as in'
        " name,count,text: write one above the cards\n"
    )


def test_a_table_lies_anywhere_in_the_project_of_its_deck() -> None:
    write("data/t.csv", "name\nAce\n")
    deck = read_deck_file(write("decks/d.yaml", "cards: ../data/t.csv\n"))
    assert [card.name for card in deck.cards] == ["Ace"]


def test_a_table_outside_of_the_project_is_refused_behind_a_link_too() -> None:
    write("secret.csv", "name\nA\n")
    write("in/d.yaml", "cards: t.csv\n")
    Path("in/t.csv").symlink_to(Path("secret.csv").resolve())
    assert complain(Path("in/d.yaml")) == (
        'in/d.yaml:1:8: cards: "t.csv" lies outside the folder of the project\n'
        "  hint: copy it into that folder and name it from there"
    )


def test_the_limit_of_the_csv_module_stays_what_it_was() -> None:
    before = csv.field_size_limit()
    text = "x" * (before + 1)
    assert read(f"name,a\nA,{text}\n").cards[0].fields == {"a": text}
    assert csv.field_size_limit() == before


def test_a_table_that_is_not_read_to_its_end_leaves_that_limit_as_it_was() -> None:
    """A smaller one would make cells of others too long, and have them parted at another sign."""
    before = csv.field_size_limit()
    rows = read_csv_rows("name,a\nA,x\nB,y\n", "t.csv", 1, [])
    assert next(rows).cells == ["name", "a"] and csv.field_size_limit() == before
    assert [row.cells for row in rows] == [["A", "x"], ["B", "y"]]


def test_a_workbook_alone() -> None:
    path = write_book(
        "t.xlsx",
        [
            [None],
            ["Title", "Count", None, "Card Cost", "Text"],
            ["Sword", 2, None, 5.0, "One\r\ntwo"],
            [],
            [1984, 1.0, None, 2.5, True],
            ["Axe", "3", " ", "007", datetime(2024, 5, 1)],
            ["Bow", None, None, date(2024, 5, 1), datetime(2024, 5, 1, 12, 30)],
        ],
    )
    deck = read_deck_file(path)
    assert [(card.name, card.count, card.where.line) for card in deck.cards] == [
        ("Sword", 2, 3),
        ("1984", 1, 5),
        ("Axe", 3, 6),
        ("Bow", 1, 7),
    ]
    assert list_fields(deck) == [
        {"card_cost": 5, "text": "One  \ntwo"},
        {"card_cost": 2.5, "text": True},
        {"card_cost": "007", "text": "2024-05-01"},
        {"card_cost": "2024-05-01", "text": "2024-05-01 12:30"},
    ]
    assert deck.cards[0].where == Where("t.xlsx", 3)


def test_a_sheet_by_its_name() -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Two").append(["name"])
    book["Two"].append(["B"])
    book.save("t.xlsx")
    write_book("u.xlsx", [["name"], ["A"]])
    deck = read_deck_file(write("t.yaml", "title: Items\nsheet: Two\ncards: t.xlsx\n"))
    assert (deck.title, deck.cards[0].name) == ("Items", "B")
    assert read_deck_file(Path("t.xlsx")).title == "Items"
    assert complain(write("t.yaml", "sheet: Tow\ncards: t.xlsx\n")) == (
        't.yaml:1:8: unknown sheet "Tow"\n  hint: did you mean "Two"?'
    )
    assert complain(write("t.yaml", "sheet: [a]\ncards: t.xlsx\n")) == (
        "t.yaml:1:8: sheet must be a text, not a list"
    )
    assert (
        read_deck_file(write("t.yaml", "sheet: ~\ndefaults: {cost: 1}\ncards: u.xlsx\n")).copies
        == 1
    )
    Path("t.yaml").unlink()
    assert complain(Path("t.xlsx")) == f"t.xlsx: the deck has no cards{TABLE_EXAMPLE}"


def test_what_is_wrong_in_a_workbook() -> None:
    path = write_book(
        "t.xlsx",
        [["name", "count", ""], ["A", "two"], ["B", "#REF!"], ["C", "=1+1"], ["D", 1, "x", "y"]],
    )
    assert complain(path) == (
        't.xlsx:2: count in card "A" must be a whole number from 0 to 10,000, not "two"\n'
        "t.xlsx:3: cell B3 holds the error #REF!\n  hint: mend its formula\n"
        't.xlsx:3: count in card "B" must be a whole number from 0 to 10,000, not "#REF!"\n'
        "t.xlsx:4: cell B4 holds a formula without a saved result\n"
        "  hint: open the workbook in a spreadsheet program and save it\n"
        't.xlsx:5: column 3 holds "x" but has no name\n  hint: name the column in the header\n'
        "t.xlsx:5: this row has 4 cells, but the header has 3\n"
        "  hint: the first row that is filled is the header: delete what stands above it"
    )


def test_what_is_no_workbook(monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        "t.xlsx: this is not a workbook that can be read"
        "\n  hint: save it as .xlsx, without a password"
    )
    assert complain(write("t.xlsx", b"hello")) == said
    with zipfile.ZipFile("t.xlsx", "w") as archive:
        archive.writestr("a.txt", "hello")
    assert complain(Path("t.xlsx")) == said
    path = write_book("t.xlsx", [["name"], ["A"]])
    monkeypatch.setattr("cardgen.core.archive.MAX_UNPACKED", 100)
    assert complain(path) == (
        "t.xlsx: this workbook is longer than 100 bytes when unpacked"
        "\n  hint: copy the rows with the cards into a new workbook"
    )


def test_formulas_with_a_saved_result() -> None:
    write_sheet(
        '<row><c t="str"><v>name</v></c></row><row><c t="str"><f>T(1)</f><v>A</v></c></row>'
    )
    assert read_deck_file(Path("t.xlsx")).cards[0].name == "A"


@pytest.mark.parametrize("gap", [9_000, 90_000])
def test_rows_after_a_gap(gap: int) -> None:
    empty = "".join(f'<row r="{i}"/>' for i in range(2, gap))
    write_sheet(
        f'<row r="1"><c t="str"><v>name</v></c></row>{empty}'
        f'<row r="{gap}"><c t="str"><v>A</v></c></row>'
    )
    assert read_deck_file(Path("t.xlsx")).cards[0].where == Where("t.xlsx", gap)


def test_more_than_a_sheet_may_hold() -> None:
    write_sheet("<row><c t='str'><v>name</v></c></row>" * 20_001)
    assert complain(Path("t.xlsx")) == (
        "t.xlsx:20001: this sheet has more than 20,000 rows that are filled"
        "\n  hint: copy the rows with the cards into a sheet of their own"
    )


def test_a_workbook_that_unpacks_to_much_is_refused_soon() -> None:
    source = write_book("source.xlsx", [["name"], ["A"]])
    texts = f"<sst>{'<si><t/></si>' * 3_800_000}</sst>"
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile("t.xlsx", "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for part in {*old.namelist()} - {"xl/sharedStrings.xml"}:
            new.writestr(part, old.read(part))
        new.writestr("xl/sharedStrings.xml", texts)
    start = time.process_time()
    assert "longer than 20,000,000 bytes when unpacked" in complain(Path("t.xlsx"))
    assert time.process_time() - start < 2


def write_cells(name: str, cells: Sequence[tuple[object, str]]) -> Path:
    """A workbook of a name and further cells, each with a format of numbers."""
    path = write_book(name, [["name", *"abcdefgh"[: len(cells)]], ["A", *(c for c, _ in cells)]])
    book = openpyxl.load_workbook(path, rich_text=True)
    assert book.active is not None
    for column, (_, form) in enumerate(cells, 2):
        book.active.cell(2, column).number_format = form
    book.save(path)
    return path


def test_cells_with_a_format() -> None:
    path = write_cells(
        "t.xlsx",
        [
            (0.5, "0%"),
            (2.5, "0.00"),
            (1.25, "[h]:mm"),
            (0.5, "h:mm"),
            (59, "d mmm yyyy"),
            (10**20, "yyyy-mm-dd"),
            (3, '0 "days"'),
        ],
    )
    with pytest.raises(CardgenError) as caught:
        read_deck_file(path)
    assert [problem.message for problem in caught.value.problems] == [
        "cell G2 holds the error #VALUE!"
    ]
    book = openpyxl.load_workbook(path)
    assert book.active is not None
    book.active["G2"] = None
    book.save(path)
    fields = read_deck_file(path).cards[0].fields
    assert fields == {
        "a": 0.5,
        "b": 2.5,
        "c": "1 day, 6:00:00",
        "d": "12:00:00",
        "e": "1900-02-28",
        "f": None,
        "g": 3,
    }


def test_faces_and_codes_in_a_cell() -> None:
    write_sheet(
        '<row><c t="str"><v>name</v></c><c t="str"><v>text</v></c></row>'
        '<row><c t="str"><v>A</v></c><c t="inlineStr"><is><r><rPr><b/></rPr><t>One</t></r>'
        "<r><t> two_x000D_\nthree</t></r><rPh><t>spoken</t></rPh></is></c></row>"
    )
    assert read_deck_file(Path("t.xlsx")).cards[0].fields["text"] == "One two  \nthree"


def test_a_hidden_sheet_is_read_where_it_is_named_or_no_other_is_there() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for name, sheet in (("A", book.active), ("B", book.create_sheet("Two"))):
        sheet.append(["name"])
        sheet.append([name])
    book.active.sheet_state = "hidden"
    book.save("t.xlsx")
    deck = read_deck_file(Path("t.xlsx"))
    assert ([card.name for card in deck.cards], deck.notes) == (["B"], ())
    write("u.yaml", "cards: t.xlsx\nsheet: Sheet\n")
    assert read_deck_file(Path("u.yaml")).cards[0].name == "A"
    book.active = book["Two"]
    book["Sheet"].sheet_state, book["Two"].sheet_state = "visible", "hidden"
    book.save("t.xlsx")
    assert read_deck_file(Path("t.xlsx")).cards[0].name == "A"


def test_hidden_rows_and_columns_are_read_and_named() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["name", "cost", "text"], ["A", 1, "x"], ["B", 2, "y"], ["C", 3, "z"]):
        book.active.append(row)
    book.save("t.xlsx")
    assert not read_deck_file(Path("t.xlsx")).notes
    book.active.row_dimensions[3].hidden = True
    book.active.row_dimensions[9].hidden = True
    book.active.column_dimensions["B"].hidden = True
    book.active.column_dimensions["F"].hidden = True
    book.save("t.xlsx")
    deck = read_deck_file(Path("t.xlsx"))
    assert [card.fields["cost"] for card in deck.cards] == [1, 2, 3]
    (note,) = deck.notes
    assert (note.code, note.where) == ("deck/hidden-cells", Where("t.xlsx", 3))
    assert note.message.startswith("t.xlsx hides row 3, column B;"), note.message


def test_a_merged_cell_is_named_for_it_is_read_once() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["name", "kind"], ["A", "x"], ["B"], ["C", "y"]):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    book.save("t.xlsx")
    deck = read_deck_file(Path("t.xlsx"))
    assert [card.fields["kind"] for card in deck.cards] == ["x", None, "y"]
    (note,) = deck.notes
    assert (note.code, note.where) == ("deck/merged-cells", Where("t.xlsx", 2))
    assert note.details == {"cell": "B2"}


def test_columns_that_are_hidden_a_hundred_thousand_times_take_no_time() -> None:
    write_sheet("<row><c t='str'><v>name</v></c></row><row><c t='str'><v>A</v></c></row>")
    hidden = '<col min="1" max="16384" hidden="1" width="9"/>' * 100_000
    with zipfile.ZipFile("t.xlsx") as old, zipfile.ZipFile("u.xlsx", "w") as new:
        for part in old.namelist():
            cols = f"<cols>{hidden}</cols><sheetData>"
            new.writestr(part, old.read(part).decode().replace("<sheetData>", cols))
    start = time.process_time()
    (note,) = read_deck_file(Path("u.xlsx")).notes
    assert note.message.startswith("u.xlsx hides column A;"), note.message
    assert time.process_time() - start < 3


def test_a_text_that_many_cells_show_counts_as_often() -> None:
    long = "x" * 30_000
    cells = f'<c t="inlineStr"><is><t>{long}</t></is></c>' * 2
    write_sheet(f"<row>{cells}</row>" * 330)
    assert not complain(Path("t.xlsx")).startswith("t.xlsx:3")
    write_sheet(f"<row>{cells}</row>" * 340)
    assert complain(Path("t.xlsx")).startswith(
        "t.xlsx:334: this sheet has more than 20,000,000 letters\n"
    )


def test_a_large_sheet_is_no_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.core.archive.MAX_UNPACKED", 50_000)
    rows = "".join(f"<row><c><v>{i}</v></c></row>" for i in range(2000))
    write_sheet(f'<row><c t="str"><v>name</v></c></row>{rows}')
    assert len(read_deck_file(Path("t.xlsx")).cards) == 2000


def test_a_sheet_that_claims_a_million_rows_is_read_quickly() -> None:
    empty = "".join(f'<row r="{i}"><c r="A{i}"/></row>' for i in range(3, 200_000))
    write_sheet(f"<row><c t='str'><v>name</v></c></row><row><c><v>1</v></c></row>{empty}")
    start = time.process_time()
    deck = read_deck_file(Path("t.xlsx"))
    assert time.process_time() - start < 4
    assert [card.name for card in deck.cards] == ["1"]


def test_ten_thousand_rows_are_read_quickly() -> None:
    rows = [f'Card {i},{i % 50},unit,"{"Once per game, roll. " * 25}"\n' for i in range(10_000)]
    path = write("t.csv", "title,cost,restriction,text\n" + "".join(rows))
    start = time.process_time()
    deck = read_deck_file(path)
    # Some 0.1 s on an idle machine; the bound leaves room for a busy one.
    assert time.process_time() - start < 1
    assert len(deck.cards) == 10_000


NAMES = st.text(st.characters(categories=["L", "N", "P", "Zs"]), max_size=12)
CELLS = (
    st.none()
    | st.integers(-(10**9), 10**9)
    | st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.just("\n"), max_size=20)
)
ROWS = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6)


def expect(cell: str | int | None) -> Value:
    """A cell as it comes back: without blanks around it, and nothing if it is empty."""
    if not isinstance(cell, str):
        return cell
    text = cell.strip()
    try:
        number: int | float = int(text) if text.isascii() else float("nan")
    except ValueError:
        try:
            number = float(text)
        except ValueError:
            number = float("nan")
    if str(number) == text and number == number:
        return number
    lines = text.split("\n")
    for place, (line, after) in enumerate(pairwise(lines)):
        if line.strip() and after.strip():
            lines[place] = line.rstrip() + "  "
    return "\n".join(lines) or None


@examples(80)
@given(ROWS, st.sampled_from(",;\t"))
def test_what_csv_writes_is_read_again(
    rows: list[tuple[str | int | None, str | int | None]], delimiter: str
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(["name", "a", "b"])
    for i, row in enumerate(rows):
        writer.writerow([f"Card {i}", *row])
    deck = read(stream.getvalue())
    assert [card.name for card in deck.cards] == [f"Card {i}" for i in range(len(rows))]
    assert list_fields(deck) == [{"a": expect(a), "b": expect(b)} for a, b in rows]


@examples(25)
@given(ROWS)
def test_a_workbook_is_the_same_deck_as_its_csv(
    rows: list[tuple[str | int | None, str | int | None]],
) -> None:
    table: list[list[object]] = [["name", "a", "b"]]
    # A leading "=" would make a formula of a text.
    table += [
        [f"Card {i}", *(c.lstrip("=") if isinstance(c, str) else c for c in row)]
        for i, row in enumerate(rows)
    ]
    stream = io.StringIO()
    csv.writer(stream).writerows(table)
    assert list_fields(read_deck_file(write_book("t.xlsx", table))) == list_fields(
        read(stream.getvalue())
    )


def test_a_table_of_very_many_rows(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.deck.tables.MAX_COPIES", 2)
    project.write("decks/many.csv", "name\nSword\nBow\n\n")
    assert project.run("show", "many").code == 0
    project.write("decks/many.csv", "name\nSword\nBow\n\nAxe\n" + "x\n" * 9)
    assert project.run("show", "many").stderr == (
        "decks/many.csv:5: the table has more than 2 rows\n  hint: split it into several decks\n"
    )
