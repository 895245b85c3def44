"""Edits of decks: what a file says afterwards, that it is as it was once they are taken back, and
that what others wrote meanwhile stays.
"""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from editing import edit
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.deck.edits.csv_text import CsvText
from cardgen.deck.edits.scalars import write_pairs
from cardgen.deck.model import Card, Deck, Value
from cardgen.deck.read import read_written
from cardgen.deck.tables import find_delimiter, read_csv_cells
from cardgen.project.project import Project, open_project, read_deck
from cardgen.studio.edits.change import change, make_change
from cardgen.studio.edits.journal import Journal
from cardgen.studio.edits.model import (
    AddCard,
    Change,
    Conflicts,
    CopyCard,
    Edit,
    MoveCard,
    RemoveCard,
    SetField,
    SetKey,
    Step,
)
from cardgen.studio.origins import Origins

SWORDS = """\
title: Swords
defaults: {kind: weapon}
cards:
  - name: Sword of Dawn  # the first
    cost: 15
    text: It shines.

  - name: Dusk
    count: 2
    text: |-
      It glows.

  - name: Spoon
    kind: curse
"""
LESS = """\
extends: swords
change:
  dusk: {text: null}
add:
  - name: Fork
    like: spoon
"""
TABLE = 'name;count;text\r\nSword;2;"It; shines"\r\n\r\nSpoon;;Worth nothing\r\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "decks").mkdir()
    for name, text in (("swords.yaml", SWORDS), ("less.yaml", LESS), ("table.csv", TABLE)):
        (tmp_path / "decks" / name).write_bytes(text.encode())
    return open_project(tmp_path)


def read_file(name: str) -> str:
    return Path("decks", name).read_bytes().decode()


def get_card(deck: Deck, card: str) -> Card:
    return next(one for one in deck.cards if one.id == card)


def find_code(project: Project, deck: str, one: Edit) -> str:
    with pytest.raises(CardgenError) as caught:
        make_change(project, deck, [one])
    return caught.value.problems[0].code


# Every deck


OWN = sorted(path.name for path in (HOME / "decks").glob("*.yaml"))


@pytest.mark.parametrize("name", OWN)
def test_every_field_of_our_decks_is_changed_and_put_back(name: str, project: Project) -> None:
    for path in (HOME / "decks").glob("*.yaml"):
        shutil.copy(path, Path("decks", path.name))
    deck, path = Path(name).stem, Path("decks", name)
    before, journal = path.read_bytes(), Journal(project.folder)
    old = read_deck(project, deck)
    # Every fourth card gets another of the fields changed.
    fields = ["name", "count", *old.cards[0].fields]
    wanted: dict[tuple[str, str], Value] = {}
    for number, card in enumerate(old.cards):
        if number % 4:
            continue
        field = fields[number // 4 % len(fields)]
        value: Value = 7 if field == "count" else f"Something: new {number} # for «you»"
        wanted[card.id, field] = value
        made = change(project, deck, card.id, field, value)
        assert isinstance(journal.apply(made), Change)
    fresh = read_deck(project, deck)
    for (identity, field), value in wanted.items():
        card = next((one for one in fresh.cards if one.name == value), None) or get_card(
            fresh, identity
        )
        said = {"name": card.name, "count": card.count, **card.fields}
        assert said[field] == value, (identity, field)
    pairs = zip(old.cards, fresh.cards, strict=True)
    changed = sum(show(one) != show(two) for one, two in pairs)
    # A card that is like another changes with it.
    assert changed == len(wanted) + (deck == "magic-rulebook")
    while journal.undo_step:
        assert isinstance(journal.undo(), Change)
    assert path.read_bytes() == before
    while journal.redo_step:
        assert isinstance(journal.redo(), Change)
    assert read_deck(project, deck).cards == fresh.cards


def show(card: Card) -> tuple[object, ...]:
    return card.name, card.count, card.template, card.back, card.fields


# A list of cards


def test_only_the_line_of_a_value_changes(project: Project) -> None:
    journal = edit(project, "swords", SetField("sword-of-dawn", "cost", 20, 15))
    assert read_file("swords.yaml") == SWORDS.replace("cost: 15", "cost: 20")
    assert journal.undo_step == Step("set", "sword-of-dawn", "cost")
    assert isinstance(journal.undo(), Change)
    assert read_file("swords.yaml") == SWORDS
    assert journal.redo_step == Step("set", "sword-of-dawn", "cost")
    assert journal.undo() is None


def test_nothing_is_written_over_a_default_and_else_left_out(project: Project) -> None:
    edit(project, "swords", SetField("spoon", "kind", None, "curse"))
    assert "kind: null" in read_file("swords.yaml")
    edit(project, "swords", SetField("sword-of-dawn", "cost", None, 15))
    assert "cost" not in read_file("swords.yaml")


def test_a_field_that_a_card_lacks_comes_where_others_have_it(project: Project) -> None:
    edit(project, "swords", SetField("dusk", "cost", 5), SetField("spoon", "count", 3))
    text = SWORDS.replace("count: 2\n", "count: 2\n    cost: 5\n")
    assert read_file("swords.yaml") == text.replace("Spoon\n", "Spoon\n    count: 3\n")


def test_a_renamed_card_keeps_its_id_where_a_variant_names_it(project: Project) -> None:
    edit(project, "swords", SetField("dusk", "name", "Gloom"))
    assert "- name: Gloom\n    id: dusk\n" in read_file("swords.yaml")
    edit(project, "swords", SetField("sword-of-dawn", "name", "Dawn"))
    assert "- name: Dawn  # the first\n    cost" in read_file("swords.yaml")


def test_cards_are_added_copied_moved_and_taken_out(project: Project) -> None:
    edit(project, "swords", AddCard({"name": "Axe", "text": "Sharp."}, "sword-of-dawn"))
    new = "    text: It shines.\n\n  - name: Axe\n    text: Sharp.\n\n  - name: Dusk\n"
    assert new in read_file("swords.yaml")
    edit(project, "swords", CopyCard("sword-of-dawn"))
    copied = "  - name: Sword of Dawn 2  # the first\n    cost: 15\n    text: It shines.\n"
    assert copied in read_file("swords.yaml")
    edit(project, "swords", RemoveCard("axe"), MoveCard("spoon", None))
    ids = [card.id for card in read_deck(project, "swords").cards]
    assert ids == ["spoon", "sword-of-dawn", "sword-of-dawn-2", "dusk"]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.yaml", "title: A\ncards: []\n", "title: A\ncards:\n  - name: Axe\n"),
        ("a.yaml", "cards: # none yet\n", "cards: # none yet\n  - name: Axe\n"),
        ("a.yaml", "title: A\n", "title: A\ncards:\n  - name: Axe\n"),
        ("a.csv", "name;text\r\n", "name;text\r\nAxe\r\n"),
        ("a.csv", "---\ntitle: A\n---\nText,Name", "---\ntitle: A\n---\nText,Name\n,Axe"),
        (
            "a.yaml",
            "extends: swords\nkeep: []\n",
            "extends: swords\nkeep: []\nadd:\n  - name: Axe\n",
        ),
    ],
)
def test_a_deck_without_cards_gets_its_first(
    name: str, before: str, after: str, project: Project
) -> None:
    Path("decks", name).write_bytes(before.encode())
    journal = edit(project, "a", AddCard({"name": "Axe"}))
    assert read_file(name) == after
    assert [card.name for card in read_deck(project, "a").cards] == ["Axe"]
    journal.undo()
    assert read_file(name) == before


def test_a_card_of_a_name_that_is_taken_gets_an_id(project: Project) -> None:
    edit(project, "swords", AddCard({"name": "Dusk"}))
    assert read_file("swords.yaml").endswith("  - name: Dusk\n    id: dusk-2\n")


def test_a_key_of_the_deck(project: Project) -> None:
    edit(project, "swords", SetKey("target", "letter"), SetKey("title", "Blades", "Swords"))
    start = "title: Blades\ntarget: letter\ndefaults: {kind: weapon}\n"
    assert read_file("swords.yaml").startswith(start)


# Variants and overlays


def test_in_a_variant_the_change_goes_to_the_variant(project: Project) -> None:
    edits = [
        SetField("sword-of-dawn", "cost", 9, 15),
        SetField("dusk", "text", "Dim.", None),
        SetField("dusk", "count", 4, 2),
        SetField("fork", "kind", "tool", "curse"),
    ]
    edit(project, "less", *edits)
    assert read_file("swords.yaml") == SWORDS
    assert read_file("less.yaml") == (
        "extends: swords\nchange:\n  dusk: {text: Dim.}\n  sword-of-dawn:\n    cost: 9\n"
        "add:\n  - name: Fork\n    like: spoon\n    kind: tool\ncounts:\n  dusk: 4\n"
    )
    # What is as in the base again is not said.
    edit(project, "less", SetField("dusk", "count", 2, 4), SetField("fork", "kind", "tool"))
    assert "counts" not in read_file("less.yaml")


def test_a_variant_leaves_cards_out_and_puts_them_in_order(project: Project) -> None:
    edit(project, "less", RemoveCard("dusk"), MoveCard("fork", "sword-of-dawn"))
    assert "drop: [dusk]" in read_file("less.yaml") and "change" not in read_file("less.yaml")
    edit(project, "less", CopyCard("fork"))
    ids = [card.id for card in read_deck(project, "less").cards]
    assert ids == ["sword-of-dawn", "fork", "fork-2", "spoon"]


def test_texts_of_a_language_go_to_its_overlay(project: Project) -> None:
    edits = [SetField("dusk", "text", "Es glimmt.", "It glows."), SetField("dusk", "count", 3, 2)]
    journal = edit(project, "swords", *edits, language="de")
    overlay = "cards:\n  dusk:\n    text: Es glimmt.\n"
    assert read_file("swords.de.yaml") == overlay
    assert read_file("swords.yaml") == SWORDS.replace("count: 2", "count: 3")
    edit(project, "swords", SetField("dusk", "text", "Matt.", "Es glimmt."), language="de")
    assert get_card(read_deck(project, "swords", "de"), "dusk").fields["text"] == "Matt."
    Path("decks/swords.de.yaml").write_text(overlay, encoding="utf-8")
    assert isinstance(journal.undo(), Change)
    assert not Path("decks/swords.de.yaml").exists() and read_file("swords.yaml") == SWORDS


# Tables


def test_a_cell_of_a_table(project: Project) -> None:
    edit(project, "table", SetField("sword", "text", 'It; "glows"', "It; shines"))
    assert read_file("table.csv") == TABLE.replace("It; shines", 'It; ""glows""')
    edit(project, "table", SetField("spoon", "count", 3, 1), SetField("spoon", "cost", 5))
    assert read_file("table.csv").endswith("Spoon;3;Worth nothing;5\r\n")
    assert read_file("table.csv").startswith("name;count;text;cost\r\nSword;2;")


def test_rows_come_and_go(project: Project) -> None:
    edit(project, "table", AddCard({"name": "Axe", "text": "Two\nlines"}, "sword"))
    assert '\r\nAxe;;"Two\r\nlines"\r\nSpoon' in read_file("table.csv")
    edit(project, "table", RemoveCard("axe"), MoveCard("spoon", None))
    assert read_file("table.csv") == (
        'name;count;text\r\nSpoon;;Worth nothing\r\n\r\nSword;2;"It; shines"\r\n'
    )


cells = st.text(st.sampled_from('ab,;\t"\n 5é'), max_size=6)
rows = st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=4)


@given(rows, st.sampled_from(",;\t|"), st.sampled_from(["", "sep=^\n"]), st.data())
@examples(40)
def test_any_cell_of_any_table(
    table: list[list[str]], delimiter: str, above: str, data: st.DataObject
) -> None:
    delimiter = "^" if above else delimiter

    def write(cell: str) -> str:
        must = any(sign in cell for sign in '",;\t\n') or cell[:1] == " "
        if must or data.draw(st.booleans()):
            return '"' + cell.replace('"', '""') + '"'
        return cell

    head = delimiter.join(f"column{number}" for number in range(4))
    text = f"{above}{head}\n" + "\n".join(delimiter.join(map(write, row)) for row in table)
    assert find_delimiter(text) == (delimiter, len(above))
    sheet = CsvText(text, "t.csv")
    place = data.draw(st.integers(0, len(sheet.rows) - 1))
    column, cell = data.draw(st.integers(0, 4)), data.draw(cells)
    if place == 0:
        cell = "column9"
    changed = sheet.change({place: {column: cell}})
    wanted = [[one.text for one in row.cells] for row in sheet.rows]
    wanted[place] += [""] * (column + 1 - len(wanted[place]))
    wanted[place][column] = cell
    assert read_csv_cells(changed, "t.csv", 1) == wanted or (
        [row or [""] for row in read_csv_cells(changed, "t.csv", 1)] == wanted
    )
    row = sheet.rows[place]
    assert changed.startswith(text[: row.start]) and changed.endswith(text[row.end :])


# Play sheets


SHEET = """\
---
# Mine.
edition: 2  # the second
size: a5
---

# Winter rules

One.

+++

Two.
"""


def test_a_play_sheet_changes_by_its_lines(project: Project) -> None:
    path = Path("decks/winter.md")
    path.write_bytes(SHEET.replace("\n", "\r\n").encode())
    edits = [
        SetField(
            "winter-rules", "text", "# Winter rules\n\nOne *more*.\n", "# Winter rules\n\nOne."
        ),
        SetField("winter-rules", "back_text", "Twice.", "Two."),
        SetField("winter-rules", "edition", 3, 2),
        SetField("winter-rules", "count", 2, 1),
    ]
    journal = edit(project, "winter", *edits)
    now = SHEET.replace("One.", "One *more*.").replace("Two.", "Twice.")
    now = now.replace("2  #", "3  #").replace("size: a5\n", "size: a5\ncount: 2\n")
    assert path.read_bytes().decode() == now.replace("\n", "\r\n")
    edit(project, "winter", SetField("winter-rules", "name", "Summer rules", "Winter rules"))
    (card,) = read_deck(project, "winter").cards
    assert (card.id, card.count, card.fields["edition"]) == ("summer-rules", 2, 3)
    assert card.fields["text"] == "# Summer rules\n\nOne *more*."
    edit(project, "winter", SetField("summer-rules", "back_text", None), SetKey("title", "All"))
    assert read_file("winter.md").replace("\r\n", "\n").endswith("One *more*.\n")
    assert read_deck(project, "winter").title == "All"
    path.write_bytes(now.replace("\n", "\r\n").encode())
    assert isinstance(journal.undo(), Change)
    assert path.read_bytes() == SHEET.replace("\n", "\r\n").encode()
    found = make_change(project, "winter", [SetField("winter-rules", "text", "x", "y")])
    assert isinstance(found, Conflicts)


def test_a_play_sheet_of_a_text_alone_gets_front_matter_and_a_back(project: Project) -> None:
    Path("decks/bare.md").write_text("Only this.\n", encoding="utf-8")
    edit(project, "bare", SetField("bare", "back_text", "Behind."), SetField("bare", "edition", 2))
    assert read_file("bare.md") == "---\nedition: 2\n---\n\nOnly this.\n\n+++\n\nBehind.\n"
    edit(project, "bare", SetField("bare", "edition", None), SetField("bare", "text", "That."))
    assert read_file("bare.md") == "---\n---\n\nThat.\n\n+++\n\nBehind.\n"
    for wrong in (
        CopyCard("bare"),
        RemoveCard("bare"),
        SetField("bare", "text", None),
        SetField("bare", "text", "a\n+++\nb"),
    ):
        assert find_code(project, "bare", wrong) == "edit/not-here"
    assert find_code(project, "bare", SetField("other", "text", "x")) == "edit/no-card"


# Where values come from


def test_each_value_says_where_it_is_written(project: Project) -> None:
    Path("decks/less.de.yaml").write_text(
        "cards:\n  sword-of-dawn:\n    text: Es glänzt.\n", encoding="utf-8"
    )
    written = read_written(Path("decks/less.yaml").resolve(), "de", project.library)
    origins = Origins(written)
    dawn, dusk, _, fork = (origins.read(card) for card in written.deck.cards)
    names = {"sword-of-dawn": dawn, "dusk": dusk, "fork": fork}
    found = {
        f"{card}.{field}": f"{Path(where.file).name}:{where.line}:{where.column}"
        for card, places in names.items()
        for field, where in places.items()
    }
    assert found == {
        "sword-of-dawn.name": "swords.yaml:4:11",
        "sword-of-dawn.kind": "swords.yaml:2:18",
        "sword-of-dawn.cost": "swords.yaml:5:11",
        "sword-of-dawn.text": "less.de.yaml:3:11",
        "dusk.name": "swords.yaml:8:11",
        "dusk.count": "swords.yaml:9:12",
        "dusk.kind": "swords.yaml:2:18",
        "dusk.text": "less.yaml:3:16",
        "fork.name": "less.yaml:5:11",
        "fork.kind": "swords.yaml:14:11",
    }


@pytest.mark.usefixtures("project")
def test_a_value_of_a_table_comes_from_its_cell() -> None:
    Path("decks/more.yaml").write_text(
        "extends: table\nchange:\n  spoon: {count: 3}\n", encoding="utf-8"
    )
    written = read_written(Path("decks/more.yaml").resolve())
    origins = Origins(written)
    sword, spoon = (origins.read(card) for card in written.deck.cards)
    places = [sword["text"], sword["count"], spoon["text"], spoon["count"], spoon["name"]]
    assert [f"{Path(one.file).name}:{one.line}:{one.column}" for one in places] == [
        *("table.csv:2:9", "table.csv:2:7", "table.csv:4:8", "more.yaml:3:18", "table.csv:4:1")
    ]


# Others


def test_what_one_change_wrote_and_the_next_began_with_is_held_once(project: Project) -> None:
    journal = Journal(project.folder)
    for count in (5, 6, 7):
        journal.apply(change(project, "swords", "dusk", "count", count))
    held = [file for one in journal._done for file in one.files]
    assert all(one.after is two.before for one, two in pairwise(held)) and len(held) == 3


def test_a_change_elsewhere_in_the_file_is_kept(project: Project) -> None:
    made = change(project, "swords", "dusk", "count", 5)
    path = Path("decks/swords.yaml")
    path.write_text(SWORDS.replace("15", "16"), encoding="utf-8")
    journal = Journal(project.folder)
    assert isinstance(journal.apply(made), Change)
    both = SWORDS.replace("15", "16").replace("count: 2", "count: 5")
    assert read_file("swords.yaml") == both
    path.write_text(f"# Mine.\n{both}", encoding="utf-8")
    assert isinstance(journal.undo(), Change)
    assert read_file("swords.yaml") == f"# Mine.\n{SWORDS.replace('15', '16')}"


def test_a_change_of_the_same_value_is_a_conflict_and_nothing_is_written(project: Project) -> None:
    journal = edit(project, "swords", SetField("dusk", "count", 5))
    theirs = SWORDS.replace("count: 2", "count: 9")
    Path("decks/swords.yaml").write_text(theirs, encoding="utf-8")
    found = journal.undo()
    assert isinstance(found, Conflicts)
    (conflict,) = found.found
    texts = [f"    count: {number}\n" for number in (5, 9, 2)]
    assert [conflict.base, conflict.theirs, conflict.ours] == texts
    assert read_file("swords.yaml") == theirs
    journal.forget("undo")
    assert (journal.undo(), journal.undo_step, journal.redo_step) == (None, None, None)
    for deck in ("swords", "less"):
        one = SetField("dusk", "count", 7, 2)
        seen = make_change(project, deck, [one, SetField("spoon", "kind", "x", "curse")])
        assert isinstance(seen, Conflicts)
        (conflict,) = seen.found
        assert (conflict.card, conflict.field) == ("dusk", "count")
        assert (conflict.base, conflict.theirs, conflict.ours) == (2, 9, 7)
    # What was seen is what is there: it is made.
    edit(project, "swords", SetField("dusk", "count", 7, 9))


def test_modes_stay_and_links_out_of_the_project_are_not_followed(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = Path("decks/swords.yaml")
    path.chmod(0o640)
    edit(project, "swords", SetField("dusk", "count", 5))
    assert path.stat().st_mode & 0o777 == 0o640
    outside = tmp_path_factory.mktemp("outside") / "other.yaml"
    outside.write_text(SWORDS, encoding="utf-8")
    made = change(project, "swords", "dusk", "count", 6)
    path.unlink()
    path.symlink_to(outside)
    with pytest.raises(CardgenError) as caught:
        Journal(project.folder).apply(made)
    assert caught.value.problems[0].code == "edit/not-in-project"
    assert outside.read_text(encoding="utf-8") == SWORDS


def test_what_cannot_be_changed(project: Project) -> None:
    assert (
        find_code(project, "magic", SetField("sword-of-fate", "cost", 1)) == "edit/not-in-project"
    )
    assert find_code(project, "swords", SetField("no-such", "cost", 1)) == "edit/no-card"
    assert find_code(project, "less", RemoveCard("no-such")) == "edit/no-card"
    assert find_code(project, "table", SetField("sword", "cost", [1])) == "edit/not-here"
    assert find_code(project, "table", SetKey("title", "x")) == "edit/not-here"
    control = SetField("dusk", "text", "a\0b")
    assert find_code(project, "swords", control) == "value/control-character"


def test_a_card_of_a_thousand_is_written_fast_enough(project: Project) -> None:
    """The pieces that did not change are not read again: those of one card are."""
    cards: list[Value] = [
        {"name": f"Card {number}", "text": f"{'Many words. ' * 20}{number}"}
        for number in range(1_000)
    ]
    text = "\n".join([*write_pairs({"title": "Many", "cards": cards}, 0), ""])
    Path("decks/many.yaml").write_text(text, encoding="utf-8")
    journal = Journal(project.folder)
    for number in range(3):
        assert isinstance(
            journal.apply(change(project, "many", "card-700", "cost", number)), Change
        )
    assert read_file("many.yaml").count("cost: 2") == 1
    assert len(read_file("many.yaml")) == len(text) + len("    cost: 2\n")
