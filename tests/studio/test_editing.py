"""A card is edited on the page: the file changes by just that value, and back again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import Project
from serving import Studio, serve

DECK = """\
# My deck.
template: plain
cards:
  - name: Sword   # the first
    note: "sharp"
  - name: Shield
    note: round
"""


@pytest.fixture
def written(project: Project) -> Project:
    project.write_template('<text x="2mm" y="2mm" width="46mm">{{ card.note }}</text>')
    project.write("decks/deck.yaml", DECK)
    return project


@pytest.fixture
def studio(written: Project) -> Iterator[Studio]:
    with serve(written.folder) as running:
        yield running


def read(project: Project) -> str:
    return (project.folder / "decks/deck.yaml").read_text(encoding="utf-8")


def set_note(value: str, was: str) -> dict[str, object]:
    edit = {"kind": "set", "card": "sword", "field": "note", "value": value, "was": was}
    return {"deck": "deck", "edits": [edit]}


def test_a_value_is_written_taken_back_and_written_again(studio: Studio, written: Project) -> None:
    assert studio.read_deck()["undo"] is None
    done = studio.post("api/edit", set_note("blunt", "sharp")).json()
    changed = DECK.replace("sharp", "blunt")
    assert (read(written), done["files"]) == (changed, ["decks/deck.yaml"])
    assert done["undo"]["card"] == "Sword"
    deck = studio.read_deck()
    assert (deck["v"], deck["undo"]) == (done["v"], done["undo"])
    assert deck["cards"][0]["fields"]["note"] == "blunt"
    undone = studio.post("api/undo", {"deck": "deck"}).json()
    assert (read(written), undone["undo"], undone["redo"]) == (DECK, None, done["undo"])
    studio.post("api/redo", {"deck": "deck"})
    assert read(written) == changed
    assert studio.post("api/redo", {"deck": "deck"}).json()["files"] == []


def test_what_somebody_else_wrote_meanwhile_is_kept(studio: Studio, written: Project) -> None:
    studio.read_deck()
    theirs = DECK.replace("sharp", "rusty")
    written.write("decks/deck.yaml", theirs)
    answer = studio.post("api/edit", set_note("blunt", "sharp"))
    assert (answer.status_code, read(written)) == (409, theirs)
    (conflict,) = answer.json()["conflicts"]
    assert conflict | {"place": None} == {
        "card": "sword",
        "field": "note",
        "yours": "blunt",
        "theirs": "rusty",
        "was": "sharp",
        "place": None,
    }


def test_cards_come_and_go(studio: Studio, written: Project) -> None:
    studio.read_deck()
    edits = [
        {"kind": "add", "after": "sword", "values": {"name": "Bow", "note": "long"}},
        {"kind": "copy", "card": "shield"},
        {"kind": "move", "card": "shield", "after": None},
    ]
    with studio.listen() as events:
        answer = studio.post("api/edit", {"deck": "deck", "edits": edits})
        assert answer.status_code == 200, answer.text
        changed = events.wait("changed")
    assert changed["order"][:3] == ["shield", "sword", "bow"]
    assert (len(changed["order"]), changed["undo"]) == (4, answer.json()["undo"])
    assert "# the first" in read(written)
    studio.post("api/undo", {"deck": "deck"})
    assert read(written) == DECK


def give(studio: Studio, name: str, data: bytes, **about: str) -> Any:
    query = {"deck": "deck", "card": "sword", "name": name, **about}
    return studio.client.post("api/picture", params=query, content=data)


def test_a_picture_is_copied_and_named_and_taken_back(studio: Studio, written: Project) -> None:
    refused = give(studio, "oak.png", b"oak").json()["problems"][0]
    assert (refused["code"], refused["details"]) == (
        "studio/shows-no-picture",
        {"template": "plain"},
    )
    image = '<image if="card.note or card.art" file="{{ card.art or card.note }}"/>'
    with studio.listen() as events:
        written.write_template(image)
        events.wait("changed")
    for name, code in (("oak.heic", "studio/no-picture"), ("../..", "studio/no-picture")):
        assert give(studio, name, b"oak").json()["problems"][0]["code"] == code
    assert (
        give(studio, "oak.png", b"oak", card="gone").json()["problems"][0]["code"] == "edit/no-card"
    )
    assert read(written) == DECK and not (written.folder / "pictures").exists()

    done = give(studio, "../elm.png", b"elm", field="art")
    assert done.json()["files"] == ["pictures/elm.png", "decks/deck.yaml"]
    given = DECK.replace('sharp"\n', 'sharp"\n    art: elm.png\n')
    assert read(written) == given, "the field that was named"
    assert (written.folder / "pictures/elm.png").read_bytes() == b"elm"
    (art,) = (one for one in studio.read_deck()["fields"] if one["name"] == "art")
    assert art["type"] == "picture", "as its values are written"
    give(studio, "elm.png", b"oak")
    assert read(written) == given.replace("elm.png", "elm-2.png"), "another of the same name"
    assert give(studio, "elm.png", b"elm").json()["files"] == ["decks/deck.yaml"], "there already"
    assert read(written) == given
    for _ in range(3):
        undone = studio.post("api/undo", {"deck": "deck"}).json()
    assert (read(written), undone["undo"]) == (DECK, None)
    assert not list((written.folder / "pictures").iterdir())


VARIANT = """\
extends: deck
change:
  shield: {note: oval}
"""
OVERLAY = """\
cards:
  sword:
    note: scharf
"""
TABLE = "name;note;count\r\nAxe;heavy;2\r\nBow;bent;\r\n"


def test_each_value_goes_to_the_file_that_it_comes_from(written: Project) -> None:
    """Variant, overlay, CSV and XLSX, each seen, changed and taken back over HTTP."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [["name", "note"], ["Axe", "heavy"], ["Bow", "bent"]]:
        sheet.append(row)
    book.save(written.folder / "decks/book.xlsx")
    for name, text in [
        ("less.yaml", VARIANT),
        ("deck.de.yaml", OVERLAY),
        ("table.csv", f"---\ntemplate: plain\n---\n{TABLE}"),
        ("sheets.yaml", "template: plain\ncards: book.xlsx\n"),
    ]:
        written.write(f"decks/{name}", text.encode())
    fresh = "new: quite"
    with serve(written.folder) as studio:
        for deck, view, card, was, place, file in [
            ("less", {}, "sword", "sharp", "deck.yaml:5:11", "less.yaml"),
            ("less", {}, "shield", "oval", "less.yaml:3:18", "less.yaml"),
            ("deck", {"language": "de"}, "sword", "scharf", "deck.de.yaml:3:11", "deck.de.yaml"),
            ("deck", {"language": "de"}, "shield", "round", "deck.yaml:7:11", "deck.de.yaml"),
            ("table", {}, "bow", "bent", "table.csv:6:5", "table.csv"),
            ("sheets", {}, "bow", "bent", "book.xlsx:3:2", "book.xlsx"),
        ]:
            before = {path: path.read_bytes() for path in written.folder.glob("decks/*")}
            told = find_card(studio.read_deck(deck, **view), card)
            assert told["fields"]["note"] == was
            origins = studio.get(f"api/origins/{deck}/{card}", **view).json()["origins"]
            assert format_place(origins["note"]) == place, (deck, card)
            edit = {"kind": "set", "card": card, "field": "note", "value": fresh, "was": was}
            done = studio.post("api/edit", {"deck": deck, "view": view, "edits": [edit]})
            assert done.json()["files"] == [f"decks/{file}"], done.text
            changed = {path for path, data in before.items() if path.read_bytes() != data}
            assert {path.name for path in changed} == {file}
            assert find_card(studio.read_deck(deck, **view), card)["fields"]["note"] == fresh
            studio.post("api/undo", {"deck": deck})
            assert all(path.read_bytes() == data for path, data in before.items())
        assert studio.get("api/origins/deck/axe").status_code == 404


def find_card(deck: dict[str, Any], card: str) -> dict[str, Any]:
    return next(one for one in deck["cards"] if one["id"] == card)


def format_place(place: dict[str, Any]) -> str:
    return f"{Path(place['file']).name}:{place['line']}:{place['column']}"


def test_an_error_of_a_variant_stands_where_its_value_does(written: Project) -> None:
    long = "far " * 400
    written.write("decks/deck.yaml", DECK.replace("round", long))
    written.write("decks/less.yaml", "extends: deck\nchange:\n  shield: {count: 2}\n")
    assert "decks/deck.yaml:7:11: card" in written.find_problems("less")


def test_what_is_no_edit_is_refused(studio: Studio, written: Project) -> None:
    wrong: list[list[object]] = [[], [{}], [{"kind": "set"}], [{"kind": "burn"}], ["x"]]
    for edits in (*wrong, [{"kind": "add"}]):
        answer = studio.post("api/edit", {"deck": "deck", "edits": edits})
        assert answer.status_code == 400, edits
    gone = {"kind": "remove", "card": "axe"}
    assert studio.post("api/edit", {"deck": "deck", "edits": [gone]}).status_code == 422
    assert read(written) == DECK
