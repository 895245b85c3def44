"""Importing tables and the data of other tools: what comes out, and what is said of what cannot."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml
from click.testing import CliRunner
from conftest import Project
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from PIL import Image

from cardgen.cli.app import main


def import_cards(project: Project, name: str, content: bytes | str, *options: str) -> list[Any]:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml", "--force", *options)
    assert (ran.code, ran.stderr) == (0, "")
    project.build("mine")
    return read_cards(project)


def read_cards(project: Project, deck: str = "decks/mine.yaml") -> list[Any]:
    cards: list[Any] = json.loads(project.run("show", deck, "--json").stdout)["cards"]
    return cards


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", ":"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_delimiters_and_encodings(project: Project, delimiter: str, encoding: str) -> None:
    effect = f"Cuts {delimiter.strip()} deep"
    rows = (
        ("Title", "Qty", "Points", "Effect", "Artist"),
        ("Sword é", "3", "-5", f'"{effect} ""so""."', "Ann"),
    )
    text = "\r\n".join(delimiter.join(row) for row in rows)
    (card,) = import_cards(project, "items.csv", text.encode(encoding))
    assert card == {
        "id": "sword-e",
        "name": "Sword é",
        "count": 3,
        "cost": -5,
        "artist": "Ann",
        "text": f'{effect} "so".',
    }


def test_empty_rows_and_a_title_above(project: Project) -> None:
    text = "My items,,\n,,\nname,cost,text\nSword,5,Cuts.\n,,\nAxe,10 pts,Chops.\n"
    cards = import_cards(project, "items.csv", text)
    assert [(card["name"], card["cost"]) for card in cards] == [("Sword", 5), ("Axe", 10)]


def test_a_workbook(project: Project) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("First").append(["nothing"])
    sheet = book.create_sheet("Cards")
    for row in (["Name", "Copies", "Rules"], ["Drum", 2, "Loud."], [], ["Horn", None, "Louder."]):
        sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    cards = import_cards(project, "items.xlsx", file.getvalue(), "--sheet", "Cards")
    assert [(card["name"], card["count"]) for card in cards] == [("Drum", 2), ("Horn", 1)]


def make_ods(rows: str, more: str = "") -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "style")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces}>{more}<table:table table:name="Deck">{rows}'
            "</table:table></office:document-content>",
        )
    return file.getvalue()


def test_an_open_document_sheet(project: Project) -> None:
    head = "".join(
        f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in ("Name", "Cost")
    )
    cells = (
        "<table:table-cell><text:p>Drum</text:p></table:table-cell>"
        '<table:table-cell office:value-type="float" office:value="15"/>'
    )
    rows = (
        f"<table:table-row>{head}</table:table-row>"
        '<table:table-row table:number-rows-repeated="1000000">'
        "<table:table-cell/></table:table-row>"
        f"<table:table-row>{cells}</table:table-row>"
    )
    (card,) = import_cards(project, "items.ods", make_ods(rows))
    assert (card["name"], card["cost"]) == ("Drum", 15)


def test_json_of_any_shape(project: Project) -> None:
    data = {
        "version": 1,
        "data": {
            "items": [
                {"label": "Drum", "stats": {"cost": 5}, "body": ["Loud.", "Very loud."]},
                {"label": "Horn", "stats": {"cost": 10}, "body": ["Louder."]},
            ]
        },
    }
    options = ("--cards-at", "data.items", "--map", "name=label,text=body")
    cards = import_cards(project, "items.json", json.dumps(data), *options)
    assert [(card["name"], card["cost"], card["text"]) for card in cards] == [
        ("Drum", 5, "Loud.\n\nVery loud."),
        ("Horn", 10, "Louder."),
    ]
    assert import_cards(project, "items.json", json.dumps(data))[0]["text"].startswith("Loud.")


def test_cards_of_rpg_cards(project: Project) -> None:
    data = [
        {
            "count": 2,
            "color": "maroon",
            "title": "Burning Hands",
            "contents": [
                "subtitle | 1st level evocation",
                "rule",
                "property | Range | Self",
                "text | Each creature takes *3d6* damage.",
            ],
        }
    ]
    (card,) = import_cards(project, "spells.json", json.dumps(data))
    assert (card["name"], card["count"], card["kind"]) == (
        "Burning Hands",
        2,
        "1st level evocation",
    )
    assert card["text"] == "**Range** Self\n\nEach creature takes *3d6* damage."
    assert card["color"] == "maroon"


@pytest.mark.parametrize(
    ("name", "content", "options", "said"),
    [
        ("a.csv", "colour,size\nred,5\n", (), "no column holds the names of the cards"),
        ("a.csv", "name,x\nA,5\n", ("--map", "text=y"), 'no column "y" for the field "text"'),
        ("a.csv", "name,x\nA,5\n", ("--map", "text"), '--map cannot read "text"'),
        ("a.csv", "", (), "there is no card in this file"),
        ("a.json", "{", (), "this is no JSON"),
        ("a.json", '{"a": 5}', (), "there is no list of cards"),
        ("a.json", '{"a": 5}', ("--cards-at", "b"), 'there is no "b"'),
        ("a.json", "[" * 100_000, (), "nested too deeply"),
        ("a.ods", "no zip", (), "no workbook that can be read"),
        ("a.xlsx", "no zip", (), "not a workbook that can be read"),
        ("a.csv", "\0\1\2", (), "no text that can be read"),
    ],
)
def test_what_cannot_be_read(
    project: Project, name: str, content: str, options: tuple[str, ...], said: str
) -> None:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml", *options)
    assert ran.code == 1
    assert said in ran.stderr
    assert project.list_files() == [name]


# Tables of all sorts


@pytest.mark.parametrize("delimiter", ["^", "~", "#", "§", "¦", "!", "/", "@", ";;", "||", "::"])
def test_any_delimiter(project: Project, delimiter: str) -> None:
    rows = (("Name", "Cost", "Text"), ("Sword", "5", "Cuts, deep"), ("Axe", "6", "Chops."))
    text = "\n".join(delimiter.join(row) for row in rows)
    cards = import_cards(project, "items.csv", text)
    assert [(card["name"], card["cost"], card["text"]) for card in cards] == [
        ("Sword", 5, "Cuts, deep"),
        ("Axe", 6, "Chops."),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('name,text\n"Sword","One\nTwo ""so"""\n', [("Sword", 'One\n\nTwo "so"')]),
        (
            "name\nSword, the sharp\nAxe; blunt\n",
            [("Sword, the sharp", None), ("Axe; blunt", None)],
        ),
        ('"name","cost, in points","text"\nAxe,5,Chops\n', [("Axe", "Chops")]),
        ("sep=;\r\nname;text\r\nAxe;a,b\r\n", [("Axe", "a,b")]),
        ('\ufeff"sep=;"\nname;text\nAxe;a,b\n', [("Axe", "a,b")]),
        ("name,text\rAxe,a\rSaw,b\r", [("Axe", "a"), ("Saw", "b")]),
        ("\n\n,,\nname,cost,text\nAxe,5,a\n", [("Axe", "a")]),
        ("'name','text'\n'Axe','a, b'\n", [("Axe", "a, b")]),
        ('name,text\nAxe,"He said \\"No\\"."\n', [("Axe", 'He said "No".')]),
        ('name, text\n"Axe", "a, b"\n', [("Axe", "a, b")]),
        ("name,,text\nAxe,5,a\n", [("Axe", "a")]),
        ("name,text,text\nAxe,a,b\n", [("Axe", "a")]),
        ("names,name,text,counts,id,template\nx,Axe,a,1,2,3\n", [("Axe", "a")]),
        ("name\ttext\nAxe\tis: a, b; c\n", [("Axe", "is: a, b; c")]),
    ],
)
def test_how_a_csv_file_is_written(
    project: Project, text: str, wanted: list[tuple[str, str | None]]
) -> None:
    cards = import_cards(project, "items.csv", text)
    assert [(card["name"], card.get("text")) for card in cards] == wanted


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_more_encodings(project: Project, encoding: str) -> None:
    text = "name;cost\nÉpée;5\nÄxte;6\n"
    cards = import_cards(project, "items.csv", text.encode(encoding))
    assert [card["name"] for card in cards] == ["Épée", "Äxte"]


def report_on(project: Project, name: str, content: bytes | str, *options: str) -> str:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml", "--force", *options)
    assert (ran.code, ran.stderr) == (0, "")
    return ran.stdout


def test_ragged_rows_are_in_doubt(project: Project) -> None:
    text = "name,cost,text\nAxe,5\nSaw,6,Cuts, then burns\nBow,7,Sings\n"
    said = report_on(project, "items.csv", text).splitlines()
    assert said[1:3] == [
        "     items.csv:2, 71% sure: a row of a table",
        "     ? this row has 2 cells, the header 3",
    ]
    assert "     ? this row has 4 cells, the header 3; the last are joined" in said
    assert read_cards(project)[1]["text"] == "Cuts, then burns"


def test_rows_that_are_no_cards(project: Project) -> None:
    text = "Spring list,,\nname,cost,text\n,,lonely\nWeapons,,\nAxe,5,a\nSaw,6,b\n"
    text += "Bow,7,c\nBell,8,d\n,7,\n"
    said = report_on(project, "items.csv", text)
    assert "? its row holds a name and nothing else" in said
    assert "items.csv:1: above the table: Spring list" in said
    assert "items.csv:3: a row without a name: lonely" in said
    assert "items.csv:9: a row without a name: 7" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name,text\nAxe,a\nSaw,"b\nBow,c\n', "items.csv:3: a quote in this row is never closed"),
        ('name,text\nAxe,"a"b\n', "items.csv:2: text follows a closing quote in this row"),
        ("Axe,5,Chops\nSaw,6,Cuts\n", "items.csv:2: no column holds the names of the cards"),
    ],
)
def test_a_csv_file_that_is_not_understood(project: Project, text: str, said: str) -> None:
    project.write("items.csv", text)
    ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert ran.stderr.startswith(said)
    assert "\n  hint: " in ran.stderr


# Other tools


def test_counts_as_squib_explodes_them(project: Project) -> None:
    text = (
        "Name,Qty,Cost\nKeep, 3,5\nMoat,0,6\nGate,,7\nWall,2.0,8\nHall,x4,9\nPit,-2,1\nWell,few,1\n"
    )
    said = report_on(project, "deck.csv", text)
    cards = read_cards(project)
    assert [card["count"] for card in cards] == [3, 0, 1, 2, 4, 0, 1]
    assert "? its count is empty, and taken for 1" in said
    assert "? its count -2 is not 0 to 10,000" in said
    assert '? "few" is no whole number for its count' in said
    named = import_cards(project, "d.csv", "Name,Number_Of\nKeep,3\n", "--map", "count=number_of")
    assert named[0]["count"] == 3


def test_tables_linked_by_nandeck(project: Project) -> None:
    text = (
        "[name];[text];[copies];IMAGE\r\n"
        'Räuber;"Stiehlt <b>zwei Karten</b>.\\13\\Nur <i>einmal</i>.<br>R&amp;R < 3";2;raub.png\r\n'
        "Händler;Kauft ein.\\nVerkauft.;;\r\n"
    )
    said = report_on(project, "karten.csv", text.encode("cp1252"))
    thief, trader = read_cards(project)
    assert (thief["name"], thief["count"]) == ("Räuber", 2)
    assert thief["text"] == "Stiehlt **zwei Karten**.\n\nNur *einmal*.\n\nR&R < 3"
    assert trader["text"] == "Kauft ein.\n\nVerkauft."
    assert 'there is no picture "raub.png"' in said
    assert thief["image_file"] == "raub.png"
    project.build("mine")


def test_contents_of_rpg_cards(project: Project) -> None:
    lines = [
        *("subtitle | Small beast", "rule", "dndstats | 8 | 14 | 10 | 10 | 8 | 8", "fill | 2"),
        *("property | Speed | 30 ft | fly", "section | Actions", "bullet | Bites", "boxes | 7 | 2"),
        *("description | Keen | It <b>smells</b> you.", "Plain words", "center | Middle"),
    ]
    (card,) = import_cards(
        project, "beasts.json", json.dumps([{"title": "Rat", "contents": lines, "tags": ["x"]}])
    )
    assert card["kind"] == "Small beast"
    assert card["text"].split("\n\n") == [
        "**STR** 8, **DEX** 14, **CON** 10, **INT** 10, **WIS** 8, **CHA** 8",
        "**Speed** 30 ft fly",
        "**Actions**",
        "• Bites",
        "**Keen** It **smells** you.",
        "Plain words",
        "Middle",
    ]


# JSON


SETS = {
    "meta": {"author": "Ann"},
    "sets": [
        {"name": "Core", "cards": [{"label": "Axe", "stats": {"effect": "Chops."}}]},
        {"name": "More", "cards": [{"label": "Saw"}, {"label": "Bow", "stats": {"cost": 5}}]},
    ],
}


@pytest.mark.parametrize(
    ("tree", "options", "names"),
    [
        ([["name", "cost"], ["Axe", 5], ["Saw", None]], (), ["Axe", "Saw"]),
        ({"values": [["Items", None], ["name", "cost"], ["Axe", 5]]}, (), ["Axe"]),
        ({"cards": {"Axe": {"cost": 5}, "Saw": {"cost": 6}}}, (), ["Axe", "Saw"]),
        ({"Axe": {"cost": 5}, "Saw": {"text": ["a", "b"]}}, (), ["Axe", "Saw"]),
        (SETS, (), ["Axe", "Saw", "Bow"]),
        (SETS, ("--cards-at", "sets.*.cards"), ["Axe", "Saw", "Bow"]),
        (SETS, ("--cards-at", "sets.1.cards"), ["Saw", "Bow"]),
        (SETS, ("--cards-at", "sets[0].cards"), ["Axe"]),
        (SETS, ("--cards-at", "sets"), ["Core", "More"]),
        (SETS, ("--cards-at", "sets.-1.cards"), ["Saw", "Bow"]),
        ({"name": "Axe", "cost": 5}, (), ["Axe"]),
        ([{"a": {"b": "Axe"}}, {"a": {"b": "Saw"}}], ("--map", "name=a.b"), ["Axe", "Saw"]),
        ([{"a": {"b": "Axe"}}, {"a": {"b": "Saw"}}], ("--map", "name=b"), ["Axe", "Saw"]),
    ],
)
def test_where_cards_lie_in_json(
    project: Project, tree: object, options: tuple[str, ...], names: list[str]
) -> None:
    cards = import_cards(project, "items.json", json.dumps(tree), *options)
    assert [card["name"] for card in cards] == names


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "Axe"}\n\n{"name": "Saw"}\n',
        '// mine\n{"cards": [{"name": "Axe", /* see http://x */ "web": "http://x",},'
        '{"name": "Saw"}]}',
        'var card_data = [{"title": "Axe"}, {"title": "Saw"},];',
        '\ufeff[{"name": "Axe"}, {"name": "Saw"}]',
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_how_json_is_written(project: Project, text: str, encoding: str) -> None:
    cards = import_cards(project, "items.json", text.encode(encoding))
    assert [card["name"] for card in cards] == ["Axe", "Saw"]


def test_values_in_json(project: Project) -> None:
    entry = {
        "name": "Axe",
        "cost": 10**30,
        "large": 10**40,
        "none": None,
        "sharp": True,
        "tags": ["a", 2, None],
        "rows": [[1]],
        "parts": [{"x": 1}],
        "odd": float("nan"),
        "kind": ["a", "b"],
        "text": ["One.", "Two."],
    }
    (card,) = import_cards(project, "items.json", json.dumps([entry, {}])[:-4] + "]")
    assert (card["large"], card["sharp"], card["tags"]) == (str(10**40), True, ["a", 2])
    assert (card["rows"], card["parts"], card["odd"]) == ("1", "x 1", "nan")
    assert (card["kind"], card["text"], card["cost"]) == ("a, b", "One.\n\nTwo.", str(10**30))


# Workbooks


def make_book() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    hidden, sheet = book.active, book.create_sheet("Cards")
    assert hidden is not None
    hidden.append(["Name"])
    hidden.append(["Nothing"])
    hidden.sheet_state = "hidden"
    rich = CellRichText("All ", TextBlock(InlineFont(b=True), "dogs "), "halt")
    for row in (
        ["My items of war"],
        [],
        ["Name", "Kind", "Cost", "Text", "Made", "Share", "Ready"],
        ["Drum", "Loud", 5, "One.\nTwo.", date(2024, 5, 1), 0.5, True],
        ["Horn", None, 10, rich, datetime(2024, 5, 1, 10, 30), 0.125, False],
        ["Gong", "Deep", 20, "Booms."],
        [None, None, None, "And again."],
        [],
        [42, None, 0.1 + 0.2, "A number", time(9, 15)],
    ):
        sheet.append(row)
    for cells in ("A1:G1", "B4:B5", "A6:A7", "B6:B7"):
        sheet.merge_cells(cells)
    for place in ("F4", "F5"):
        sheet[place].number_format = "0.0%"
    sheet["D4"].comment = Comment("a secret note", "me")
    return book


def save_book(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_what_stands_in_a_workbook(project: Project) -> None:
    drum, horn, gong, number = import_cards(project, "items.xlsx", save_book(make_book()))
    assert (drum["kind"], drum["text"], drum["made"]) == ("Loud", "One.\n\nTwo.", "2024-05-01")
    assert (drum["share"], drum["ready"]) == ("50%", True)
    assert (horn["kind"], horn["text"]) == ("Loud", "All **dogs** halt")
    assert (horn["made"], horn["share"], horn["ready"]) == ("2024-05-01 10:30", "12.5%", False)
    assert (gong["kind"], gong["cost"], gong["text"]) == ("Deep", 20, "Booms.\n\nAnd again.")
    assert (number["name"], number["cost"], number["made"]) == ("42", "0.3", "09:15")
    said = report_on(project, "items.xlsx", save_book(make_book()), "--sheet", "cards")
    assert "items.xlsx:6-7, 95% sure" in said
    assert "items.xlsx:1: above the table: My items of war" in said


def test_a_merged_name_over_rows_with_costs_is_several_cards(project: Project) -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["Name", "Rank", "Cost"], ["Banner", "minor", 5], [None, "major", 9]):
        book.active.append(row)
    book.active.merge_cells("A2:A3")
    cards = import_cards(project, "items.xlsx", save_book(book))
    assert [(card["name"], card["rank"], card["cost"]) for card in cards] == [
        ("Banner", "minor", 5),
        ("Banner", "major", 9),
    ]


def write_cells(data: bytes, old: str, new: str) -> bytes:
    """A workbook with something in its last sheet written otherwise."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "xl/worksheets/sheet2.xml":
                assert old in content.decode()
                content = content.decode().replace(old, new).encode()
            after.writestr(name, content)
    return file.getvalue()


def test_formulas_and_their_errors(project: Project) -> None:
    data = save_book(make_book())
    cost = '<c r="C4" t="n"><v>5</v></c>'
    found = write_cells(data, cost, '<c r="C4"><f>2+5</f><v>7</v></c>')
    assert import_cards(project, "items.xlsx", found)[0]["cost"] == 7
    empty = write_cells(data, cost, '<c r="C4" t="str"><f>""</f><v></v></c>')
    assert import_cards(project, "items.xlsx", empty)[0]["cost"] is None
    wrong = write_cells(data, cost, '<c r="C4" t="e"><f>1/0</f><v>#DIV/0!</v></c>')
    assert "? cell C4 holds the error #DIV/0!" in report_on(project, "items.xlsx", wrong)
    project.write("items.xlsx", write_cells(data, cost, '<c r="C4"><f>2+5</f><v/></c>'))
    ran = project.run("import", "items.xlsx", "-o", "decks/two.yaml")
    assert ran.stderr.startswith("items.xlsx:4: cell C4 holds a formula without a saved result")


def test_a_sheet_that_is_not_there(project: Project) -> None:
    project.write("items.xlsx", save_book(make_book()))
    project.write("items.ods", make_ods(""))
    for name, near in (("items.xlsx", "Cards"), ("items.ods", "Deck")):
        ran = project.run("import", name, "-o", "a.yaml", "--sheet", f"{near}x")
        assert ran.code == 1
        assert f'unknown sheet "{near}x"\n  hint: did you mean "{near}"?' in ran.stderr


def test_the_sheets_of_an_open_document(project: Project) -> None:
    """One is chosen, and the others are told, as in a workbook of another kind."""

    def write_rows(name: str) -> str:
        cells = "".join(make_cell(f"<text:p>{text}</text:p>") for text in ("Name", "Cost"))
        values = "".join(make_cell(f"<text:p>{text}</text:p>") for text in (name, "5"))
        return (
            f"<table:table-row>{cells}</table:table-row><table:table-row>{values}</table:table-row>"
        )

    style = '<style:style style:name="s" style:family="table"><style:table-properties '
    style += 'table:display="false"/></style:style>'
    hidden = (
        f'<table:table table:name="old" table:style-name="s">{write_rows("Fife")}</table:table>'
    )
    other = f'<table:table table:name="More">{write_rows("Horn")}</table:table>'
    book = make_ods(f"{write_rows('Drum')}</table:table>{other}<table:table>", style + hidden)
    said = report_on(project, "items.ods", book)
    assert 'items.ods holds several sheets: taken is "Deck"; others are --sheet "More"' in said
    assert [card["name"] for card in load_deck(project)] == ["Drum"]
    for sheet, name in (("more", "Horn"), ("Old", "Fife")):
        said = report_on(project, "items.ods", book, "--remove", "--sheet", sheet)
        assert "several sheets" not in said
        assert [card["name"] for card in load_deck(project)] == [name]


def make_cell(content: str, keys: str = "", tag: str = "table-cell") -> str:
    return f"<table:{tag} {keys}>{content}</table:{tag}>"


def make_value(kind: str, keys: str, shown: str) -> str:
    return make_cell(f"<text:p>{shown}</text:p>", f'office:value-type="{kind}" {keys}')


def test_what_stands_in_an_open_document_sheet(project: Project) -> None:
    rows = [
        [f"<text:p>{name}</text:p>" for name in ("Name", "Kind", "Cost", "Text", "A", "B", "C")],
    ]
    note = "<office:annotation><text:p>a secret note</text:p></office:annotation>"
    spaced = "<text:p>One<text:s text:c='2'/>two<text:line-break/>three <text:span>four</text:span>"
    first = [
        make_cell("<text:p>Drum</text:p>"),
        make_cell("<text:p>Loud</text:p>", 'table:number-rows-spanned="2"'),
        make_value("float", 'office:value="5"', "5,00 €"),
        make_cell(f"{note}{spaced}</text:p><text:p>Five</text:p>", 'office:value-type="string"'),
        make_value("date", 'office:date-value="2024-05-01"', "1.5.24"),
        make_value("percentage", 'office:value="0.125"', "12,5 %"),
        make_value("boolean", 'office:boolean-value="true"', "WAHR"),
    ]
    second = [
        make_cell("<text:p>Horn</text:p>"),
        make_cell("", tag="covered-table-cell"),
        make_value("currency", 'office:value="10"', "10 €"),
        make_cell("<text:p>x</text:p>", 'table:number-columns-repeated="2"'),
        make_value("time", 'office:time-value="PT09H15M00S"', "9:15"),
    ]
    empty = make_cell("", 'table:number-columns-repeated="16384"')
    lines = ["".join(map(make_cell, rows[0])), "".join(first), "".join(second), empty]
    times = ["", "", "", 'table:number-rows-repeated="1048000"']
    body = "".join(
        f"<table:table-row {often}>{line}</table:table-row>"
        for line, often in zip(lines, times, strict=True)
    )
    drum, horn = import_cards(project, "items.ods", make_ods(body))
    assert (drum["kind"], drum["cost"]) == ("Loud", 5)
    assert drum["text"] == "One  two\n\nthree four\n\nFive"
    assert (drum["a"], drum["b"], drum["c"]) == ("2024-05-01", "12.5%", True)
    assert (horn["kind"], horn["cost"], horn["text"], horn["a"]) == ("Loud", 10, "x", "x")
    assert horn["b"] == "09:15"


# What is left out by hand


def load_deck(project: Project, stem: str = "mine") -> list[Any]:
    text = (project.folder / f"decks/{stem}.yaml").read_text("utf-8")
    cards: list[Any] = yaml.safe_load(text)["cards"]
    return cards


def test_columns_are_left_out_by_hand(project: Project) -> None:
    table = "Name,Cost,Sort Order,Notes,Effect\nAxe,5,1,old,Chops.\nSaw,6,2,new,Saws.\n"
    said = report_on(project, "items.csv", table, "--without", "sort order", "--without", "Cost")
    assert 'items.csv:1: column "Sort Order", by --without: 1, 2' in said
    axe, _ = load_deck(project)
    assert axe == {"name": "Axe", "notes": "old", "text": "Chops."}
    data = '[{"name": "Axe", "stats": {"might": 1, "pace": 2}, "text": "Chops."}]'
    report_on(project, "a.json", data, "--remove", "--without", "stats.might", "--without", "text")
    assert load_deck(project) == [{"name": "Axe", "pace": 2}]
    project.write("items.csv", table)
    ran = project.run("import", "items.csv", "-o", "decks/two.yaml", "--without", "note")
    assert (ran.code, ran.stderr.splitlines()) == (
        1,
        [
            'items.csv: there is no column or field "note" to leave out',
            '  hint: did you mean "Notes"?',
        ],
    )


@pytest.mark.parametrize("cost", [5, 1])
def test_fields_of_a_text_are_left_out_by_hand(project: Project, cost: int) -> None:
    text = "".join(
        f"### {name}\n\n*{name}s and others, rare*\n\n"
        f"**Cost:** {cost}\n\n**Casting Time:** 1 turn\n\nIt rings.\n\n"
        for name in ("Drum", "Horn", "Fife")
    )
    options = ("--without", "casting time", "--without", "subtitle", "--without", "cost")
    said = report_on(project, "tools.md", text, *options)
    assert 'field "casting_time", by --without' in said
    assert load_deck(project)[0] == {"name": "Drum", "text": "It rings."}


# Decks that build at once


def make_long(words: int) -> str:
    text = "several units may " * (words // 3)
    return f"name,cost,who,text\nShort,5,Any,Cuts.\nLong,10,All,{text}\n"


@pytest.mark.parametrize(
    ("words", "size"), [(200, None), (300, "tarot"), (480, "jumbo"), (690, "a6")]
)
def test_a_long_effect_makes_larger_cards(project: Project, words: int, size: str | None) -> None:
    said = report_on(project, "items.csv", make_long(words))
    written = (project.folder / "decks/mine.yaml").read_text()
    assert (f"\nsize: {size}\n" in written) == (size is not None)
    assert (f'the cards are {size} size: "Long" would not fit a smaller one' in said) == bool(size)
    assert (f"? its {words} words are more than a card holds" in said) == (size == "a6")
    assert project.run("check", "mine").code == 0


def test_a_card_that_no_size_holds(project: Project) -> None:
    project.write("items.csv", make_long(6_000))
    ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
    assert '? it does not build: card "Long": its text is' in ran.stdout
    said = "decks/mine.yaml does not build yet: cardgen check decks/mine.yaml says why\n"
    assert (ran.code, ran.stderr) == (1, said)
    assert project.run("check", "decks/mine.yaml").code == 1
    ran = project.run("import", "items.csv", "-o", "decks/two.yaml", "--strict")
    assert 'items.csv:3: card "Long": it does not build' in ran.stderr


@pytest.mark.parametrize(
    ("words", "more", "said"),
    [
        (300, "    small_print: true\n", "small_print sets it smaller than the others"),
        (690, "    template: long-text\n", "template: long-text sets it on a page"),
    ],
)
def test_one_long_card_of_many_leaves_the_others_alone(
    project: Project, words: int, more: str, said: str
) -> None:
    short = "".join(f"Short {number},5,Any,Cuts.\n" for number in range(20))
    told = report_on(project, "items.csv", make_long(words) + short)
    written = (project.folder / "decks/mine.yaml").read_text()
    assert "\nsize:" not in written and "the cards are" not in told
    assert written.count(more) == 1 and "template: poker-basic" in written
    assert f"? its {words} words are more than a card of this deck holds: {said}" in told
    assert project.run("check", "mine").code == 0
    # The key is not the source's: it stays when that is imported once more.
    report_on(project, "items.csv", make_long(words) + short.replace("Cuts", "Stings"))
    again = (project.folder / "decks/mine.yaml").read_text()
    assert more in again and "Stings" in again


def test_pictures_that_are_there(project: Project) -> None:
    Image.new("RGB", (9, 9)).save(project.folder / "axe.png")
    (card,) = import_cards(project, "items.csv", "name,image\nAxe,axe.png\n")
    assert card["image"] == "axe.png"


def test_what_no_deck_may_hold(project: Project) -> None:
    project.write("items.csv", f"name,text\nAxe,{'chop ' * 50_000}\n")
    ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
    assert ran.stderr.startswith("items.csv:2: a cell of this row is 250,000 characters long")
    assert project.list_files() == ["items.csv"]


# Importing again


def test_a_merged_deck_that_no_longer_fits_says_so(project: Project) -> None:
    """Each time, also where the source says what it said."""
    report_on(project, "items.csv", make_long(90))
    project.write("items.csv", make_long(300))
    unbuilt = "decks/mine.yaml does not build yet: cardgen check decks/mine.yaml says why\n"
    for said in ("1 changed", "the deck stays as it is"):
        ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
        assert (ran.code, ran.stderr) == (1, unbuilt)
        assert said in ran.stdout
        assert 'card "Long": its text is' in ran.stdout
        assert "; write size: tarot into the deck" in ran.stdout
        assert "size:" not in (project.folder / "decks/mine.yaml").read_text()
    kept = (project.folder / "decks/mine.yaml").read_text()
    project.write("decks/mine.yaml", kept.replace("\ncards:", "\nsize: tarot\ncards:"))
    ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
    assert (ran.code, ran.stderr) == (0, "")


def test_a_picture_that_comes_later(project: Project) -> None:
    table = "name,image\nAxe,axe.png\n"
    (card,) = import_cards(project, "items.csv", table)
    assert card["image_file"] == "axe.png"
    Image.new("RGB", (9, 9)).save(project.folder / "axe.png")
    (card,) = import_cards(project, "items.csv", table)
    assert card["image"] == "axe.png"


def test_a_review_decides_before_the_size_does(project: Project) -> None:
    project.write("items.csv", make_long(690))
    asked = CliRunner().invoke(
        main, ["import", "items.csv", "-o", "decks/mine.yaml", "--review"], input="l\n"
    )
    assert asked.exit_code == 0, asked.output
    assert "its 690 words are more than a card holds" in asked.output
    assert "size:" not in (project.folder / "decks/mine.yaml").read_text()


# Rows that are no rows of their own


WRAPPED = """Treasures of the isle,,,
,,,
Name,Cost,Weight,Effect
Axe,5,1 kg,Chops
,,,down a tree.
,,,"And an-"
,,,other
Saw,6,2 kg,Saws
Name,Cost,Weight,Effect
Long Bow of,7,3 kg,Shoots
the Dawn,,,far away
Arrow,1,,
,,,Flies
Flint,2,,
"""


def test_cells_that_go_on_in_the_next_row(project: Project) -> None:
    said = report_on(project, "items.csv", WRAPPED)
    cards = {card["name"]: card.get("text") for card in read_cards(project)}
    assert cards == {
        "Axe": "Chops down a tree.\n\nAnd another",
        "Saw": "Saws",
        "Long Bow of the Dawn": "Shoots far away",
        "Arrow": "Flies",
        "Flint": None,
    }
    assert "     items.csv:4-7, 95% sure: a row of a table\n" in said
    assert "items.csv:9: the header again: Name | Cost | Weight | Effect\n" in said
    assert "items.csv:1: above the table: Treasures of the isle\n" in said


def test_a_row_with_values_of_its_own_goes_on_with_none(project: Project) -> None:
    """Nor does one with a name that is whole, nor an object of JSON."""
    text = "Name,Cost,Text\nAxe,5,Chops\n,6,Saws\nBow,,Shoots\nRed Flag,,Waves\n"
    said = report_on(project, "items.csv", text)
    assert [card["name"] for card in read_cards(project)] == ["Axe", "Bow", "Red Flag"]
    assert "items.csv:3: a row without a name: 6 | Saws\n" in said
    data = [{"name": "Axe", "text": "Chops"}, {"name": None, "text": "Saws"}]
    said = report_on(project, "items.json", json.dumps(data))
    assert "items.json:2: a row without a name: Saws\n" in said


def test_a_name_that_breaks_off_has_no_values_of_its_own_below(project: Project) -> None:
    text = (
        "Name,Weight,Text\nHorn of,7 kg,Rings\nthe Sea,8 kg,Rises\nDrum of,9 kg,Beats\nold,,Loud\n"
    )
    cards = import_cards(project, "items.csv", f"{text}Fife,1 kg,Sings\nLute,2 kg,Sounds\n")
    assert [card["name"] for card in cards] == ["Horn of", "the Sea", "Drum of old", "Fife", "Lute"]


def test_a_header_of_two_rows(project: Project) -> None:
    text = "Name,Range,,Effect\n,near,far,\nAxe,1,2,Chops\nBow,3,4,Shoots\n"
    cards = import_cards(project, "items.csv", text)
    assert [(card["range_near"], card["range_far"]) for card in cards] == [("1", "2"), ("3", "4")]


def test_groups_above_a_header_part_names_that_come_twice(project: Project) -> None:
    text = ",Shooting,,Combat,\nName,Dice,Hits,Dice,Hits\nAxe,1,2,3,4\nBow,5,6,7,8\n"
    (axe, _) = import_cards(project, "items.csv", text)
    assert [
        axe[f"{group}_{name}"] for group in ("shooting", "combat") for name in ("dice", "hits")
    ] == [*"1234"]


@pytest.mark.parametrize("above", ["", ",,", "\n,,"])
def test_an_empty_header(project: Project, above: str) -> None:
    text = f"{above}\nAxe,5,Chops any tree down within a turn\n"
    text += "Saw,6,Saws for as long as anybody likes\nBow,7,Shoots an arrow over the tree tops\n"
    said = report_on(project, "items.csv", text)
    axe, *_ = read_cards(project)
    assert (axe["name"], axe["column_2"], axe["text"][:5]) == ("Axe", "5", "Chops")
    assert "? items.csv: no row names the columns; the first is taken for the names" in said


def test_a_header_of_unknown_names_below_an_empty_row(project: Project) -> None:
    project.write("items.csv", ",,\nColour,Size,Deed\nred,5,runs\nblue,6,stands\n")
    ran = project.run("import", "items.csv", "-o", "decks/mine.yaml")
    assert "items.csv:3: no column holds the names of the cards" in ran.stderr


def test_wrapped_rows_of_a_workbook(project: Project) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ("Name", "Cost", "Effect"),
        ("Axe", 5, "Chops"),
        (None, None, "down"),
        ("Saw", 6, "Saws"),
    ):
        sheet.append(row)
    cards = import_cards(project, "items.xlsx", save_book(book))
    assert [(card["name"], card["text"]) for card in cards] == [
        ("Axe", "Chops down"),
        ("Saw", "Saws"),
    ]


def test_columns_of_other_languages_and_with_words_beside(project: Project) -> None:
    text = "MAZZO;nome carta;n. copie;costo (soldi);Effetto;chi può usarla\n"
    text += "Lago;Rete;5;1 soldo;Pesca tre carte e poi scartane tre.;\n"
    text += "Lago;Remo;2;2 soldi;Indica la strada, ma solo a chi è gentile.;Barcaioli\n"
    text += "Piazza;Gatto;1;3 soldi;Nessuno lo può mai scacciare dal tavolo.;\n;TOTALE;8;;;\n"
    cards = import_cards(project, "items.csv", text)
    assert [card["name"] for card in cards] == ["Rete", "Remo", "Gatto"]
    assert (cards[0]["count"], cards[0]["cost"], cards[0]["mazzo"]) == (5, "1 soldo", "Lago")
    assert cards[1]["who"] == "Barcaioli"


def test_no_column_is_called_as_names_are(project: Project) -> None:
    text = "Nr,Ding,Macht\n4,Axt,Fällt einen Baum\n4,Säge,Sägt einen Ast\n4,Bogen,Schießt weit\n"
    said = report_on(project, "items.csv", text)
    assert [card["name"] for card in read_cards(project)] == ["Axt", "Säge", "Bogen"]
    assert 'no column is called as names are, and "Ding" is taken' in said


def test_titles_and_sums_tell_nothing_of_the_columns(project: Project) -> None:
    text = "Gatto;;;\nElenco;;;\nN.;Piatto;Effetto in tavola;Copie\n1;Zuppa;Pesca due carte.;2\n"
    text += "2;Pane;Ogni giocatore mangia.;4\n3;Torta;Guadagna un punto.;1\nTotale;;;7\n"
    cards = import_cards(project, "items.csv", text)
    assert [card["name"] for card in cards] == ["Zuppa", "Pane", "Torta"]


def test_sums_below_a_table(project: Project) -> None:
    text = "Name,Copies,Text\nAxe,2,Chops\nSaw,3,Saws\nBow,4,Shoots\n"
    assert len(import_cards(project, "items.csv", f"{text}All,9,\n")) == 3
    assert len(import_cards(project, "more.csv", f"{text}All,8,\n")) == 4
    few = "Name,Copies,Text\nAxe,2x,Chops\n"
    assert len(import_cards(project, "few.csv", f"{few}Total,2,\n")) == 1
    assert len(import_cards(project, "two.csv", f"{few}Saw,2,\n")) == 2


@pytest.mark.parametrize(
    ("column", "cells", "field", "counts"),
    [
        ("card_number", ("14", "XX", "9"), "card_number", [1, 1, 1]),
        ("Number", ("XX", "XIII", "4"), "number_2", [1, 1, 1]),
        ("Frequency", ("4", "10", "2"), "count", [4, 10, 2]),
        ("Frequency", ("4", "once per game", "2"), "uses", [1, 1, 1]),
    ],
)
def test_what_is_called_as_counts_are_and_is_none(
    project: Project, column: str, cells: tuple[str, ...], field: str, counts: list[int]
) -> None:
    rows = "".join(
        f"{name},{cell},Does so.\n" for name, cell in zip(("Axe", "Saw", "Bow"), cells, strict=True)
    )
    cards = import_cards(project, "items.csv", f"Name,{column},Text\n{rows}")
    assert [card["count"] for card in cards] == counts
    assert [str(card[field]) for card in cards] == list(cells)


def test_what_happens_when_a_thing_is_used_is_no_use(project: Project) -> None:
    usage = "Throw it, and it fills the room with smoke, so that nobody sees anything for a turn."
    rows = "".join(f"{name},Small.,{usage}\n" for name in ("Bomb", "Eﬀective egg"))
    cards = import_cards(project, "items.csv", f"Name,Description,Usage\n{rows}")
    assert [card["usage"] for card in cards] == [usage, usage]
    assert cards[1]["name"] == "Effective egg"


def test_the_column_that_may_hold_the_names_is_the_one_whose_cells_differ_most(
    project: Project,
) -> None:
    steps = ("Tell all friends of it early", "Look into the box again", "Joker", "Joker")
    rows = "".join(f"Prepare\t{step} and do not stop at all before it ends\n" for step in steps)
    project.write("steps.tsv", f"Phase\tStep\n{rows}")
    assert "--map name=Step;" in project.run("import", "steps.tsv", "-o", "decks/a.yaml").stderr


@pytest.mark.parametrize("sign", ["\u202e", "\u2066", "\u200e", "\u034f", "\u3164", "\U000e0041"])
def test_signs_that_nobody_sees_are_left_out(project: Project, sign: str) -> None:
    """Of headers and keys, cells and texts: no font has them, so that the deck would not build."""
    cell = f"It c{sign}uts."
    project.write("a.csv", f"na{sign}me,po{sign}wer\nA{sign}x,{cell}\nBow,hits\n")
    project.write("b.json", json.dumps([{"name": f"A{sign}x", f"po{sign}wer": cell}]))
    for source, deck in (("a.csv", "decks/a.yaml"), ("b.json", "decks/b.yaml")):
        assert project.run("import", source, "-o", deck).code == 0
        assert sign not in Path(deck).read_text(encoding="utf-8")
        assert "Ax" in Path(deck).read_text(encoding="utf-8")
        assert project.run("check", deck).code == 0


def test_a_remark_across_a_table_ends_it_not(project: Project) -> None:
    names = ("Otter Lens", "Liar's Goblet", "Bottled Squall", "Hermit in a Jar", "Grey Latch")
    rows = [
        f"<tr><td>{n}-{n + 1}</td><td><b>{name}</b></td><td>{n} bits</td><td>It keeps.</td></tr>"
        for n, name in enumerate(names, 1)
    ]
    head = "<tr><th>d20</th><th>Article</th><th>Price</th><th>What it does</th></tr>"
    remark = "<tr><td colspan=4><i>Below this line the chandler lowers his voice.</i></td></tr>"
    table = f"<table>{head}{''.join(rows[:2])}{remark}{''.join(rows[2:])}</table>"
    page = f"<html><body><h1>Port of Quill</h1><p>Roll a die.</p>{table}</body></html>"
    cards = import_cards(project, "port.html", page)
    assert [(card["name"], card["cost"], card["text"]) for card in cards] == [
        (name, f"{n} bits", "It keeps.") for n, name in enumerate(names, 1)
    ]
