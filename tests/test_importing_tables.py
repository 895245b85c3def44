"""Importing tables and the data of other tools: what comes out, and what is said of what cannot."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import openpyxl
import pytest
from conftest import Project


def import_cards(project: Project, name: str, content: bytes | str, *options: str) -> list[Any]:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml", "--force", *options)
    assert (ran.code, ran.stderr) == (0, "")
    cards: list[Any] = json.loads(project.run("show", "decks/mine.yaml", "--json").stdout)["cards"]
    project.build("mine")
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
        "who": None,
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


def make_ods(rows: str) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces}><table:table table:name="Deck">{rows}'
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
