"""A card is edited on the page: the file changes by just that value, and back again."""

from __future__ import annotations

from collections.abc import Iterator

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
    assert "sword" in done["undo"]
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


def test_what_is_no_edit_is_refused(studio: Studio, written: Project) -> None:
    wrong: list[list[object]] = [[], [{}], [{"kind": "set"}], [{"kind": "burn"}], ["x"]]
    for edits in (*wrong, [{"kind": "add"}]):
        answer = studio.post("api/edit", {"deck": "deck", "edits": edits})
        assert answer.status_code == 400, edits
    gone = {"kind": "remove", "card": "axe"}
    assert studio.post("api/edit", {"deck": "deck", "edits": [gone]}).status_code == 422
    assert read(written) == DECK
