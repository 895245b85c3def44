"""Importing again: what was changed by hand stays, what the source changed comes, and where both
did is said.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from corpus import FOLDER

from cardgen.importing.merging.record import format_record, read_record

ROOT = Path(__file__).resolve().parent.parent.parent
DECK, RECORD = "decks/mine.yaml", "decks/mine.imported.json"
SOURCE = """EMBER BLADE
Play on any unit.
Cost: +10 points
The unit may roll one of its failed attack dice again.

LEADEN BOOTS
Play on any character.
Cost: -15 points
The character moves at half pace.

OAK HORN
Play on any unit.
Cost: +20 points
All within hearing may charge once more.
"""


def import_source(project: Project, text: str = SOURCE, *options: str) -> str:
    project.write("items.txt", text)
    ran = project.run("import", "items.txt", "-o", DECK, *options)
    assert (ran.code, ran.stderr) == (0, "")
    return ran.stdout


def edit_deck(project: Project, *changes: tuple[str, str]) -> str:
    path = project.folder / DECK
    text = path.read_text("utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path.write_text(text, "utf-8")
    return text


def read_text(project: Project, name: str = DECK) -> str:
    return (project.folder / name).read_text("utf-8")


def read_cards(project: Project) -> dict[str, dict[str, Any]]:
    cards = json.loads(project.run("show", DECK, "--json").stdout)["cards"]
    return {card["name"]: card for card in cards}


# What is kept, and what comes


def test_an_unchanged_source_touches_nothing(project: Project) -> None:
    import_source(project)
    edit_deck(project, ("cost: 10", "cost: 12  # dearer"))
    paths = [project.folder / name for name in (DECK, RECORD)]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in paths]
    said = import_source(project)
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in paths] == before
    assert said.splitlines()[-1] == (
        f"{DECK}: the source says what it said; the deck stays as it is"
    )


def test_each_side_keeps_what_it_changed(project: Project) -> None:
    import_source(project)
    before = edit_deck(
        project,
        ("title: Mine", "# My items\ntitle: 'Mine, all mine'"),
        ("cost: 10", "cost: 12  # dearer"),
        ("cards:\n", "cards:\n  # Old ones\n"),
        ("name: Leaden Boots\n", "name:   Boots of Lead\n    art: boots.png\n"),
    )
    said = import_source(project, SOURCE.replace("half pace", "a third of its pace"))
    text = read_text(project)
    assert text == before.replace("half pace", "a third of its pace")
    assert f"{DECK}:16: Boots of Lead: text was " in said
    assert said.splitlines()[-1] == f"{DECK}: 1 changed"


def test_where_both_changed_the_deck_stays(project: Project) -> None:
    import_source(project)
    before = edit_deck(project, ("cost: 10", "cost: 12"))
    changed = SOURCE.replace("+10", "+15")
    project.write("items.txt", changed)
    strict = project.run("import", "items.txt", "-o", DECK, "--strict")
    note = "cost was 10, is 12 here and 15 at items.txt:3"
    assert strict.code == 1
    assert strict.stderr.startswith(f'{DECK}:6: card "Ember Blade": {note}\n  hint: ')
    record = read_text(project, RECORD)
    assert '"cost": 10' in record
    said = import_source(project, changed, "--report", "report.json")
    assert f"both changed; the deck stays as it is:\n     {DECK}:6: Ember Blade: {note}" in said
    assert said.splitlines()[-1] == f"{DECK}: 1 where both changed; the deck stays as it is"
    assert read_text(project) == before
    (found,) = json.loads(read_text(project, "report.json"))["merge"]
    assert found == {
        "kind": "both changed",
        "card": "Ember Blade",
        "field": "cost",
        "was": 10,
        "deck": 12,
        "source": 15,
        "deck_place": {"file": DECK, "line": 6},
        "source_place": {"file": "items.txt", "line": 3, "page": None},
    }
    # It is said once.
    assert "both changed" not in import_source(project, changed)


def test_the_page_says_where_both_changed(project: Project) -> None:
    import_source(project)
    edit_deck(project, ("who: Any character", "who: <b>Heroes"))
    changed = SOURCE.replace("any character", "any wizard")
    import_source(project, changed, "--report", "report.html")
    page = read_text(project, "report.html")
    assert "who was &quot;Any character&quot;, is &quot;&lt;b&gt;Heroes&quot; here" in page


def test_both_changed_alike(project: Project) -> None:
    import_source(project)
    before = edit_deck(project, ("cost: 10", "cost: 15"))
    said = import_source(project, SOURCE.replace("+10", "+15"))
    assert "both changed" not in said and read_text(project) == before


def test_cards_come_and_go(project: Project) -> None:
    import_source(project)
    boots = SOURCE.index("LEADEN"), SOURCE.index("OAK")
    new = "TIN DRUM\nPlay on any unit.\nCost: +5 points\nIt rattles without end.\n\n"
    said = import_source(project, SOURCE[: boots[0]] + new + SOURCE[boots[1] :])
    assert list(read_cards(project)) == ["Ember Blade", "Tin Drum", "Oak Horn"]
    assert said.splitlines()[-1] == f"{DECK}: 1 added, 1 removed (Leaden Boots)"
    assert read_text(project).count("\n\n") == 3
    assert "\n\n\n" not in read_text(project)


@pytest.mark.parametrize(
    "edit",
    [
        ("cost: -15", "cost: -10"),
        ("cost: -15", "cost: -15  # !"),
        ("  - name: Leaden", "  # !\n  - name: Leaden"),
        ("at half pace.\n", "at half pace.\n    # !\n"),
    ],
)
def test_a_card_that_is_gone_but_was_edited(project: Project, edit: tuple[str, str]) -> None:
    import_source(project)
    before = edit_deck(project, edit)
    without = SOURCE[: SOURCE.index("LEADEN")] + SOURCE[SOURCE.index("OAK") :]
    said = import_source(project, without)
    assert read_text(project) == before
    assert "Leaden Boots: changed here, and gone from the source" in said
    assert import_source(project, without).splitlines()[-1].endswith("the deck stays as it is")


def test_a_card_that_was_taken_out_stays_out(project: Project) -> None:
    import_source(project)
    text = read_text(project)
    boots = text[text.index("  - name: Leaden") : text.index("  - name: Oak")]
    edit_deck(project, (boots, ""))
    assert "Leaden Boots: taken out of the deck, and as it was" in import_source(project)
    changed = SOURCE.replace("half pace", "a third of its pace")
    said = import_source(project, changed)
    assert "Leaden Boots: taken out of the deck, and changed at items.txt:6" in said
    assert list(read_cards(project)) == ["Ember Blade", "Oak Horn"]


def test_names_changed_on_either_side(project: Project) -> None:
    import_source(project)
    edit_deck(project, ("Ember Blade", "Sword of Coals"))
    changed = SOURCE.replace("LEADEN BOOTS", "HEAVY SHOES").replace("any unit", "any infantry")
    import_source(project, changed)
    cards = read_cards(project)
    assert list(cards) == ["Sword of Coals", "Heavy Shoes", "Oak Horn"]
    assert cards["Sword of Coals"]["who"] == "Any infantry"


def test_a_card_added_by_hand_and_then_by_the_source(project: Project) -> None:
    import_source(project)
    text = read_text(project)
    (project.folder / DECK).write_text(f"{text}\n  - name: Tin Drum\n    cost: 7\n", "utf-8")
    drum = "\nTIN DRUM\nPlay on any unit.\nCost: +5 points\nIt rattles without end.\n"
    said = import_source(project, SOURCE + drum)
    assert "Tin Drum: cost was nothing, is 7 here and 5 at items.txt:18" in said
    assert read_text(project) == f"{text}\n  - name: Tin Drum\n    cost: 7\n"


def test_a_name_that_another_card_has(project: Project) -> None:
    """What would leave the deck with two cards of one id gets an id of its own, and keeps it."""
    import_source(project)
    edit_deck(project, ("name: Oak Horn", "name: Ember Lade"))
    ember = SOURCE[: SOURCE.index("LEADEN")]
    changed = f"{SOURCE}\n{ember.replace('EMBER BLADE', 'EMBER LADE').replace('again', 'twice')}"
    import_source(project, changed)
    ids = [card["id"] for card in read_cards(project).values()]
    assert len(ids) == len(set(ids))
    again = read_text(project)
    import_source(project, changed)
    assert read_text(project) == again


def test_ranks_in_another_form(project: Project) -> None:
    source = (FOLDER / "rulebook-ranks.txt").read_text("utf-8")
    import_source(project, source)
    import_source(project, source, "--ranks", "table")
    project.run("import", "items.txt", "-o", "decks/other.yaml", "--ranks", "table")
    ours, other = (
        [
            (card["name"], card["text"])
            for card in json.loads(project.run("show", deck, "--json").stdout)["cards"]
        ]
        for deck in (DECK, "decks/other.yaml")
    )
    assert sorted(ours) == sorted(other)


def test_tables(project: Project) -> None:
    table = "name,cost,artist,text\nDrum,5,Ann,It is loud.\nHorn,8,Bo,It is louder.\n"
    project.write("items.csv", table)
    project.run("import", "items.csv", "-o", DECK)
    edit_deck(project, ("artist: Ann", "artist: Anna"))
    project.write("items.csv", table.replace("5,Ann", "6,Ann").replace("Bo,", "Bob,"))
    ran = project.run("import", "items.csv", "-o", DECK)
    assert (ran.code, ran.stderr) == (0, "")
    shown = {name: (card["cost"], card["artist"]) for name, card in read_cards(project).items()}
    assert shown == {"Drum": (6, "Anna"), "Horn": (8, "Bob")}


def test_the_values_of_a_table_are_compared_one_by_one(project: Project) -> None:
    source = (FOLDER / "artillery.txt").read_text("utf-8")
    import_source(project, source)
    path = project.folder / DECK
    path.write_text(path.read_text("utf-8").replace("60cm", "65cm", 1), "utf-8")
    said = import_source(project, source.replace("1 / 2", "1 / 4"))
    assert "both changed" not in said
    stats = next(iter(read_cards(project).values()))["stats"]
    assert stats == {"Range": "65cm", "Attack": "1 / 4"}


def test_the_first_cards_go(project: Project) -> None:
    import_source(project)
    text = read_text(project)
    import_source(project, SOURCE[SOURCE.index("OAK") :], "--remove")
    first = text.index("  - name: Ember"), text.index("  - name: Oak")
    assert read_text(project) == text[: first[0]] + text[first[1] :]


def test_hand_edits_stay_with_force(project: Project) -> None:
    import_source(project)
    edit_deck(project, ("cost: 10", "cost: 12"))
    import_source(project, SOURCE.replace("half", "double"), "--force")
    assert read_cards(project)["Ember Blade"]["cost"] == 12
    assert "double" in str(read_cards(project)["Leaden Boots"]["text"])


# What is refused


def fail(project: Project, *options: str) -> str:
    """What is said, with nothing changed."""
    before = {name: (project.folder / name).read_bytes() for name in project.list_files()}
    ran = project.run("import", "items.txt", "-o", DECK, *options)
    after = {name: (project.folder / name).read_bytes() for name in project.list_files()}
    assert (ran.code, after) == (1, before)
    return ran.stderr


def test_a_deck_without_a_record(project: Project) -> None:
    import_source(project)
    (project.folder / RECORD).unlink()
    assert fail(project) == (
        f"{DECK} exists\n  hint: no mine.imported.json beside it says what to keep of it;"
        " name another, or write over it with --force\n"
    )
    edit_deck(project, ("cost: 10", "cost: 12"))
    import_source(project, SOURCE, "--force")
    assert read_cards(project)["Ember Blade"]["cost"] == 10
    assert (project.folder / RECORD).is_file()


def test_to_start_afresh_one_deletes_the_deck(project: Project) -> None:
    import_source(project)
    first = read_text(project)
    edit_deck(project, ("cost: 10", "cost: 12"))
    (project.folder / DECK).unlink()
    import_source(project)
    assert read_text(project) == first


def test_a_source_of_other_cards(project: Project) -> None:
    import_source(project)
    other = "BRASS BELL\nCost: 5 points\nIt rings.\n\nGLASS EYE\nCost: 9 points\nIt sees.\n"
    project.write("items.txt", other)
    assert fail(project).startswith(
        f"no card of items.txt is one that {DECK} was made of\n  hint: "
    )
    import_source(project, other, "--remove")
    assert list(read_cards(project)) == ["Brass Bell", "Glass Eye"]


def test_a_source_that_is_cut_short(project: Project) -> None:
    import_source(project)
    before = read_text(project)
    project.write("items.txt", SOURCE[: SOURCE.index("LEADEN")])
    assert fail(project).startswith(
        f'2 of the 3 cards of {DECK} are gone from items.txt: "Leaden Boots", "Oak Horn"\n'
        "  hint: look whether the source is whole"
    )
    assert read_text(project) == before
    said = import_source(project, SOURCE[: SOURCE.index("LEADEN")], "--remove")
    assert said.splitlines()[-1] == f"{DECK}: 2 removed (Leaden Boots, Oak Horn)"
    assert list(read_cards(project)) == ["Ember Blade"]


def test_cards_that_stay_are_not_removed(project: Project) -> None:
    """One of the two that are gone was edited."""
    import_source(project)
    edit_deck(project, ("cost: -15", "cost: -10"))
    said = import_source(project, SOURCE[: SOURCE.index("LEADEN")])
    assert said.splitlines()[-1] == f"{DECK}: 1 removed (Oak Horn), 1 where both changed"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("{", "this is no record of an import"),
        ("[]", "this is no record of an import"),
        ('{"import": 1, "files": ["a"]}', "this is no record of an import"),
        ('{"import": 1, "files": [], "cards": [{"id": 5}]}', "this is no record of an import"),
        ('{"import": 2, "cards": "new"}', "this record is of version 2, and this cardgen reads"),
        ("[" * 100_000, "this is no record of an import"),
    ],
)
def test_a_record_that_cannot_be_read(project: Project, record: str, said: str) -> None:
    import_source(project)
    project.write(RECORD, record)
    assert fail(project).startswith(f"{RECORD}: {said}")
    assert "delete it and mine.yaml, to import afresh" in fail(project)


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        ("cards:\n  - name: [a\n", ":3:1: not valid YAML: "),
        ("", ": there is no list of cards here to import into"),
        ("- a\n", ":1:1: there is no list of cards here"),
        ("title: X\n", ":1:1: there is no list of cards here"),
        ("extends: magic\n", ":1:1: there is no list of cards here"),
        ("cards: items.csv\n", ":1:8: these cards are no list to import into"),
        ("cards:\n  - Ember Blade\n", ":2:5: this card is no mapping of fields"),
        ("cards: !!set\n  - a: 1\n", ':1:8: the tag "!!set" means nothing here'),
        ("cards: [{name: Ember Blade, cost: 10}]\n", ":1:8: these cards are in brackets"),
        ("{cards: [{name: Ember Blade}]}\n", ":1:1: this deck is in brackets"),
        ("cards:\n  - {name: Ember Blade, cost: 10}\n", ':2:5: card "Ember Blade" is in brackets'),
        (
            "cards:\n  - name: Ember Blade\n    cost: &ten 10\n  - name: Own\n    cost: *ten\n",
            ':3:11: "cost" is repeated elsewhere by *',
        ),
        (
            "cards:\n  - &e\n    name: Ember Blade\n    cost: 10\n  - <<: *e\n    name: Own\n",
            ":5:5: this cannot be changed without changing more of the deck",
        ),
    ],
)
def test_a_deck_that_cannot_be_changed(project: Project, deck: str, said: str) -> None:
    import_source(project)
    project.write(DECK, deck)
    project.write("items.txt", SOURCE.replace("+10", "+15"))
    assert fail(project).startswith(DECK + said)
    assert "hint: " in fail(project)


def test_no_command_takes_the_record_for_a_deck(project: Project) -> None:
    import_source(project)
    assert "imported" not in project.run("list").stdout
    assert project.run("build").stdout.startswith("output/mine.pdf: 3 cards")
    said = project.run("check", RECORD).stderr
    assert said.startswith(f'"{RECORD}" is no deck file')


def test_the_record_is_the_same_for_the_same_input(project: Project) -> None:
    import_source(project)
    first = read_text(project, RECORD)
    (project.folder / DECK).unlink()
    (project.folder / RECORD).unlink()
    import_source(project)
    assert read_text(project, RECORD) == first
    assert format_record(read_record(project.folder / DECK)) == first


# How the deck is written


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_mark_stay(project: Project, line_end: str, mark: str) -> None:
    import_source(project)
    before = mark + read_text(project).replace("\n", line_end)
    project.write(DECK, before)
    drum = "\nTIN DRUM\nCost: +5 points\nIt rattles.\n"
    import_source(project, SOURCE.replace("half", "double") + drum)
    after = (project.folder / DECK).read_bytes().decode()
    added = "\n  - name: Tin Drum\n    cost: 5\n    text: It rattles.\n".replace("\n", line_end)
    assert after == before.replace("half", "double") + added


def test_mixed_line_ends_stay(project: Project) -> None:
    import_source(project)
    before = read_text(project).replace("10\n", "10\r\n")
    project.write(DECK, before)
    import_source(project, SOURCE.replace("half", "double").replace("+10", "+15"))
    after = (project.folder / DECK).read_bytes().decode()
    assert after == before.replace("half", "double").replace("10\r", "15\r")


def test_repeats_by_star_are_written_where_that_is_safe(project: Project) -> None:
    import_source(project)
    deck = (
        "defaults: &usual\n  who: Any unit\n  art: &pic a.png\ncards:\n"
        "- <<: *usual\n  name: Ember Blade\n  art: *pic\n  cost: 10\n"
        "  text: The unit may roll one of its failed attack dice again.\n"
    )
    project.write(DECK, deck)
    import_source(project, SOURCE.replace("any unit.\nCost: +10", "any infantry.\nCost: +15"))
    assert read_text(project) == deck.replace("cost: 10", "cost: 15") + "  who: Any infantry\n"


# What the docs say


def test_the_second_import_in_the_docs(project: Project) -> None:
    page = (ROOT / "docs/importing.md").read_text("utf-8")
    blocks = re.findall(r"^```text.*?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    article = blocks[0]
    (said,) = (block for block in blocks if block.startswith("taken from"))
    command = "import", "article.txt", "-o", "decks/march.yaml"
    project.write("article.txt", article)
    project.run(*command)
    deck = project.folder / "decks/march.yaml"
    deck.write_text(deck.read_text("utf-8").replace("cost: 10", "cost: 12  # why"), "utf-8")
    article = article.replace("+10", "+15").replace("half pace", "a third of its pace")
    project.write("article.txt", article)
    assert project.run(*command).stdout.endswith(said)
