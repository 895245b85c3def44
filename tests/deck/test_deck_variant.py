"""Decks that extend others: what they take over, what they change, and the exact words for what is
wrong with one.
"""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest
from conftest import Project
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import examples_in_one_folder

from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import Library
from cardgen.deck.model import Card, Deck, Value
from cardgen.deck.read import read_deck_file

BASE = """\
title: Swords
description: All of them
template: plain
back: red
author: A. Nobody
language: en-GB
target: letter
defaults: {kind: weapon, count: 2}
cards:
- name: Sword of Dawn
  cost: 15
  text: It shines.
- name: Sword of Dusk
  id: dusk
  count: 3
  cost: 10
- {name: Wooden Spoon, kind: curse, count: 1}
"""
ALL = ["sword-of-dawn", "dusk", "wooden-spoon"]


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read(text: str, base: str = BASE) -> Deck:
    """The variant v.yaml of the deck b.yaml, which stands in its second line and those below."""
    write("b.yaml", base)
    return read_deck_file(write("v.yaml", f"extends: b\n{text}"))


def complain(text: str, base: str = BASE) -> str:
    with pytest.raises(CardgenError) as caught:
        read(text, base)
    return str(caught.value)


def list_ids(deck: Deck) -> list[str]:
    return [card.id for card in deck.cards]


def find(deck: Deck, card: str) -> Card:
    return next(found for found in deck.cards if found.id == card)


# What is taken over


def test_a_variant_that_changes_nothing() -> None:
    deck = read("")
    base = read_deck_file(Path("b.yaml"))
    assert deck.cards == base.cards
    assert deck.cards[0].where == Where("b.yaml", 10, 3)
    assert (deck.name, deck.path) == ("v", Path("v.yaml"))
    assert (deck.author, deck.language, deck.target) == ("A. Nobody", "en-GB", "letter")


def test_a_title_and_a_description_are_its_own() -> None:
    deck = read("")
    assert (deck.title, deck.description) == ("V", "")
    deck = read("title: Few\ndescription: Some\n")
    assert (deck.title, deck.description) == ("Few", "Some")


def test_the_other_keys_of_a_deck_may_be_its_own() -> None:
    deck = read("template: other\nback: blue\nauthor: B\nlanguage: de\ntarget: a4\n")
    assert (deck.author, deck.language, deck.target) == ("B", "de", "a4")
    assert {(card.template, card.back) for card in deck.cards} == {("other", "blue")}


def test_a_key_of_a_deck_that_is_null_is_the_one_of_the_base() -> None:
    assert read("author:\nback: null\n").author == "A. Nobody"
    assert read("back: none\n").cards[0].back is None
    assert read('author: ""\n').author == ""


def test_the_defaults_of_both() -> None:
    deck = read("defaults: {count: 5, era: old}\nadd:\n- name: Axe\n- {name: Bow, kind: shot}\n")
    counts = {card.id: card.count for card in deck.cards}
    assert counts == {"sword-of-dawn": 5, "dusk": 3, "wooden-spoon": 1, "axe": 5, "bow": 5}
    assert [card.fields["kind"] for card in deck.cards] == [
        "weapon",
        "weapon",
        "curse",
        "weapon",
        "shot",
    ]
    assert {card.fields["era"] for card in deck.cards} == {"old"}


def test_defaults_where_the_base_has_none_or_the_variant_says_nothing() -> None:
    base = "cards:\n- name: A\n"
    assert read("defaults: {cost: 1}\n", base).cards[0].fields == {"cost": 1}
    assert read("defaults: {kind: null}\n").cards[0].fields["kind"] is None


def test_a_template_of_the_variant_stands_before_a_default_of_the_base() -> None:
    base = "defaults: {template: a, back: b}\ncards:\n- name: A\n- {name: B, template: own}\n"
    deck = read("template: mine\n", base)
    assert [(card.template, card.back) for card in deck.cards] == [("mine", "b"), ("own", "b")]
    deck = read("template: mine\ndefaults: {template: new}\n", base)
    assert [card.template for card in deck.cards] == ["new", "own"]


def test_a_field_of_the_base_exists_though_no_card_kept_has_it() -> None:
    fields = read("keep: [wooden-spoon]\n").cards[0].fields
    assert fields == {"kind": "curse", "cost": None, "text": None}


# Which cards


def test_keep_and_drop() -> None:
    assert list_ids(read("keep: [wooden-spoon, dusk]\n")) == ["wooden-spoon", "dusk"]
    assert list_ids(read("drop: [dusk]\n")) == ["sword-of-dawn", "wooden-spoon"]
    assert list_ids(read("keep: []\nadd: [{name: Axe}]\n")) == ["axe"]


def test_an_id_that_looks_like_a_number() -> None:
    base = "cards:\n- {name: A, id: 007}\n- name: 1984\n- name: B\n"
    deck = read("keep: [1984, 007]\nchange: {007: {text: x}}\ncounts: {1984: 2}\n", base)
    assert [(card.id, card.count) for card in deck.cards] == [("1984", 2), ("007", 1)]
    assert deck.cards[1].fields["text"] == "x"


def test_a_change() -> None:
    deck = read(
        "change:\n  dusk: {name: Dusk, cost: 8, text: New., count: 7, template: t, back: none}\n"
        "  sword-of-dawn:\n    text: null\n    extra: 1\n"
    )
    dawn, dusk, _ = deck.cards
    assert (dusk.id, dusk.name, dusk.count, dusk.template, dusk.back) == (
        "dusk",
        "Dusk",
        7,
        "t",
        None,
    )
    assert dusk.fields == {"kind": "weapon", "cost": 8, "text": "New.", "extra": None}
    assert dawn.fields == {"kind": "weapon", "cost": 15, "text": None, "extra": 1}
    assert (dawn.where, dusk.where) == (Where("v.yaml", 5, 5), Where("v.yaml", 3, 9))


def test_another_name_keeps_the_id_that_came_from_the_first() -> None:
    deck = read("change: {sword-of-dawn: {name: Sabre}}\n")
    assert (deck.cards[0].id, deck.cards[0].name) == ("sword-of-dawn", "Sabre")
    deck = read("change: {sword-of-dawn: {name: Sabre, id: null}, dusk: {id: gloom}}\n")
    assert list_ids(deck) == ["sabre", "gloom", "wooden-spoon"]


def test_values_that_are_null_in_a_change_have_their_defaults() -> None:
    dusk = find(read("change: {dusk: {count: null, template: null}}\n"), "dusk")
    assert (dusk.count, dusk.template) == (2, "plain")


def test_counts() -> None:
    deck = read("counts: {dusk: 0, sword-of-dawn: 9, wooden-spoon: null}\n")
    assert [card.count for card in deck.cards] == [9, 0, 2]
    assert deck.cards[1].where.file == "b.yaml"
    both = read("change: {dusk: {cost: 1}}\ncounts: {dusk: 4}\n")
    assert (both.cards[1].count, both.cards[1].fields["cost"]) == (4, 1)


def test_added_cards() -> None:
    deck = read("drop: [dusk]\nadd:\n- {name: Axe, cost: 3, text: Cuts.}\n- {name: Dusk}\n")
    assert list_ids(deck) == ["sword-of-dawn", "wooden-spoon", "axe", "dusk"]
    axe = deck.cards[2]
    assert (axe.count, axe.template, axe.back) == (2, "plain", "red")
    assert axe.fields == {"kind": "weapon", "cost": 3, "text": "Cuts."}
    assert axe.where == Where("v.yaml", 4, 3)


def test_a_card_like_another() -> None:
    deck = read(
        "keep: [wooden-spoon]\nchange: {wooden-spoon: {cost: 1}}\nadd:\n"
        "- {like: dusk, name: Sword of Noon, text: Hot.}\n"
        "- {like: sword-of-noon, name: Sword of Night, count: 1, text: null}\n"
        "- {like: wooden-spoon, id: spare}\n"
    )
    noon, night, spoon = deck.cards[1:]
    assert (noon.id, noon.name, noon.count) == ("sword-of-noon", "Sword of Noon", 3)
    assert noon.fields == {"kind": "weapon", "cost": 10, "text": "Hot."}
    assert (night.id, night.count) == ("sword-of-night", 1)
    assert night.fields == {"kind": "weapon", "cost": 10, "text": None}
    assert (spoon.id, spoon.name, spoon.fields["cost"]) == ("spare", "Wooden Spoon", 1)
    assert noon.where == Where("v.yaml", 5, 3)


def test_a_card_like_none() -> None:
    assert "like" not in read("add: [{name: Axe, like: null}]\n").cards[3].fields


def test_an_order() -> None:
    deck = read("drop: [dusk]\nadd: [{name: Axe}, {name: Bow}]\norder: [bow, wooden-spoon]\n")
    assert list_ids(deck) == ["bow", "wooden-spoon", "sword-of-dawn", "axe"]
    deck = read("change: {dusk: {id: gloom}}\norder: [gloom]\n")
    assert list_ids(deck) == ["gloom", "sword-of-dawn", "wooden-spoon"]


@pytest.mark.parametrize("key", ["keep", "drop", "change", "counts", "add", "order"])
def test_a_key_that_is_left_empty_says_nothing(key: str) -> None:
    assert list_ids(read(f"{key}:\n")) == ALL


# What may be extended


def test_a_variant_of_a_variant() -> None:
    write("b.yaml", BASE)
    write(
        "m.yaml",
        "extends: b\ntitle: Middle\ntemplate: middle\ndrop: [wooden-spoon]\n"
        "change: {dusk: {name: Gloom}}\nadd: [{name: Axe, edge: 2}]\ndefaults: {era: old}\n",
    )
    deck = read_deck_file(
        write(
            "v.yaml",
            "extends: m\nkeep: [axe, dusk]\ncounts: {axe: 4}\nchange: {dusk: {cost: 1}}\n"
            "defaults: {kind: thing}\n",
        )
    )
    axe, dusk = deck.cards
    assert (deck.title, deck.author) == ("V", "A. Nobody")
    assert (axe.id, axe.count, axe.template) == ("axe", 4, "middle")
    assert axe.fields == {"kind": "thing", "cost": None, "text": None, "era": "old", "edge": 2}
    assert (dusk.id, dusk.name, dusk.fields["cost"]) == ("dusk", "Gloom", 1)
    assert axe.where.file == "m.yaml"


def test_a_variant_of_a_table() -> None:
    write("t.csv", "Name,Count,Points cost\nSword,3,15\nAxe,,\n")
    deck = read_deck_file(
        write("v.yaml", "extends: t\nkeep: [axe]\nadd: [{like: sword, name: Sabre, count: 1}]\n")
    )
    assert [(card.id, card.count) for card in deck.cards] == [("axe", 1), ("sabre", 1)]
    assert [card.fields for card in deck.cards] == [{"points_cost": None}, {"points_cost": 15}]
    assert deck.cards[0].where == Where("t.csv", 3)


def test_a_variant_of_a_workbook_and_of_the_yaml_that_describes_one() -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Two")
    sheet.append(["name", "cost"])
    sheet.append(["Sword", 3])
    book.remove(book.worksheets[0])
    book.save("w.xlsx")
    assert read_deck_file(write("v.yaml", "extends: w.xlsx\n")).cards[0].fields == {"cost": 3}
    write("w.yaml", "sheet: Two\nauthor: A\ncards: w.xlsx\n")
    assert read_deck_file(write("v.yaml", "extends: w.xlsx\n")).author == "A"
    assert read_deck_file(write("v.yaml", "extends: w\n")).author == "A"


def test_a_base_is_named_as_every_deck_or_by_its_path() -> None:
    write("game/decks/b.yaml", BASE)
    write("game/more/c.yaml", BASE.replace("Dawn", "Noon"))
    path = write("game/decks/v.yaml", "extends: b\n")
    assert list_ids(read_deck_file(path)) == ALL
    path.write_text("extends: ../more/c.yaml\n")
    assert list_ids(read_deck_file(path))[0] == "sword-of-noon"
    path.write_text("extends: b.yaml\n")
    assert list_ids(read_deck_file(path)) == ALL
    path.write_text("extends: magic\nkeep: [sword-of-fate]\n")
    assert list_ids(read_deck_file(path)) == ["sword-of-fate"]


def test_a_deck_that_extends_its_own_name_extends_the_one_it_hides() -> None:
    write("decks/magic.yaml", "extends: magic\nkeep: [sword-of-fate]\n")
    deck = read_deck_file(Path("decks/magic.yaml"))
    assert (deck.name, list_ids(deck)) == ("magic", ["sword-of-fate"])


def test_a_variant_is_found_in_the_folder_of_the_project(project: Project) -> None:
    project.write("swords.yaml", BASE)
    project.write("few.yaml", "title: Few\nextends: swords\n")
    assert {"few", "swords"} <= set(Library(project.folder).list_names("deck"))


def test_templates_and_icons_are_those_of_the_project_of_the_variant(project: Project) -> None:
    base = "template: own\ncards:\n- {name: A, text: ':own-star:'}\n"
    project.write("other/decks/swords.yaml", base)
    project.write("decks/few.yaml", "extends: ../other/decks/swords.yaml\n")
    project.write_template("<text>{{ card.text }}</text>", "own")
    project.write("icons/own-star.svg", '<svg viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')
    assert project.find_problems("few") == ""
    assert "unknown template" in project.find_problems("other/decks/swords.yaml")
    assert read_deck_file(Path("decks/few.yaml")).cards[0].where.file == "other/decks/swords.yaml"


# What is wrong

WRONG: dict[str, tuple[str, str]] = {
    "cards": (
        "cards:\n- name: A\n",
        'v.yaml:2:1: "cards" cannot stand beside "extends"\n'
        '  hint: write "add:" for cards of its own',
    ),
    "keep and drop": (
        "keep: [dusk]\ndrop: [dusc]\nchange: {wooden-spoon: {cost: 1}}\n",
        'v.yaml:3:1: "keep" and "drop" cannot stand together\n'
        "  hint: keep names the cards that stay, drop those that go\n"
        'v.yaml:3:8: unknown card "dusc" in drop\n  hint: did you mean "dusk"?',
    ),
    "dead ids": (
        "keep: [dusc, Sword of Dawn, wooden-spoon]\nchange: {woden-spoon: {cost: 1}}\n"
        "counts: {spoon: 1}\norder: [Axe]\nadd:\n- name: Axe\n- {like: zzz, name: Bow}\n",
        'v.yaml:2:8: unknown card "dusc" in keep\n  hint: did you mean "dusk"?\n'
        'v.yaml:2:14: unknown card "Sword of Dawn" in keep\n'
        '  hint: did you mean "sword-of-dawn"?\n'
        'v.yaml:3:10: unknown card "woden-spoon" in change\n'
        '  hint: did you mean "wooden-spoon"?\n'
        'v.yaml:4:10: unknown card "spoon" in counts\n  hint: card names: wooden-spoon\n'
        'v.yaml:5:9: unknown card "Axe" in order\n  hint: did you mean "axe"?\n'
        'v.yaml:8:10: unknown card "zzz" in like\n'
        "  hint: card names: axe, dusk, sword-of-dawn, wooden-spoon",
    ),
    "cards left out by drop": (
        "drop: [dusk]\nchange: {dusk: {cost: 1}}\ncounts: {dusk: 1}\norder: [dusk]\n",
        'v.yaml:3:10: card "dusk" in change is left out by drop\n'
        '  hint: take it out of "drop", or delete it here\n'
        'v.yaml:4:10: card "dusk" in counts is left out by drop\n'
        '  hint: take it out of "drop", or delete it here\n'
        'v.yaml:5:9: card "dusk" in order is left out by drop\n'
        '  hint: take it out of "drop", or delete it here',
    ),
    "cards left out by keep": (
        "keep: [dusk]\ncounts: {wooden-spoon: 1}\n",
        'v.yaml:3:10: card "wooden-spoon" in counts is left out by keep\n'
        '  hint: write it into "keep", or delete it here',
    ),
    "an id that a change took away": (
        "change: {dusk: {id: gloom}}\norder: [dusk]\n",
        'v.yaml:3:9: unknown card "dusk" in order\n'
        "  hint: card names: gloom, sword-of-dawn, wooden-spoon",
    ),
    "ids twice": (
        "keep: [dusk, wooden-spoon, dusk]\norder: [dusk, dusk, dusk]\n",
        'v.yaml:2:28: card "dusk" stands in keep twice\n'
        'v.yaml:3:15: card "dusk" stands in order twice\n'
        'v.yaml:3:21: card "dusk" stands in order twice',
    ),
    "an id dropped twice": (
        "drop: [dusk, dusk]\n",
        'v.yaml:2:14: card "dusk" stands in drop twice',
    ),
    "shapes": (
        "keep: dusk\nchange: [dusk]\ncounts: 3\nadd: Axe\norder: {dusk: 1}\n",
        'v.yaml:2:7: keep must be a list of ids, not "dusk"\n  hint: write "keep: [id, id]"\n'
        "v.yaml:3:9: change must be a mapping of ids to fields, not a list\n"
        "v.yaml:4:9: counts must be a mapping of ids to counts, not 3\n"
        'v.yaml:5:6: add must be a list of cards, not "Axe"\n'
        '  hint: write "- name: …" below it\n'
        "v.yaml:6:8: order must be a list of ids, not a mapping\n"
        '  hint: write "order: [id, id]"',
    ),
    "inner shapes": (
        "drop: [[dusk], null]\nchange: {dusk: 3, wooden-spoon: }\nadd: [Axe, {}]\n",
        "v.yaml:2:8: drop must hold ids, not a list\n"
        "v.yaml:2:16: drop must hold ids, not nothing\n"
        'v.yaml:3:16: change of card "dusk" must be a mapping of fields, not 3\n'
        '  hint: write "field: value" below the id\n'
        'v.yaml:3:33: change of card "wooden-spoon" must be a mapping of fields, not nothing\n'
        '  hint: write "field: value" below the id\n'
        'v.yaml:4:7: card 1 in add must be a mapping of fields, not "Axe"\n'
        '  hint: write "- name: …"\n'
        'v.yaml:4:12: card 2 in add is empty\n  hint: write "- name: …"',
    ),
    "counts": (
        "counts: {dusk: many, wooden-spoon: -1}\nchange: {sword-of-dawn: {count: [1]}}\n",
        'v.yaml:2:16: count in card "Sword of Dusk" must be a whole number from 0 to 10,000, '
        'not "many"\n'
        'v.yaml:2:36: count in card "Wooden Spoon" must be a whole number from 0 to 10,000, '
        "not -1\n"
        'v.yaml:3:33: count in card "Sword of Dawn" must be a whole number from 0 to 10,000, '
        "not a list",
    ),
    "a count in two places": (
        "change: {dusk: {count: 2}}\ncounts: {dusk: 3}\n",
        'v.yaml:3:10: the count of card "dusk" stands in change and in counts\n'
        "  hint: delete one of them",
    ),
    "slips": (
        "defaults: {cuont: 3}\nchange:\n  dusk: {cuont: 1, tempalte: x}\n"
        "add:\n- {name: Axe, bakc: x}\n- {like: dusk, name: Bow, cuont: 2}\n- {liek: dusk, name: B}"
        "\n- {nmae: A}\n",
        'v.yaml:2:12: unknown field "cuont" in defaults\n  hint: did you mean "count"?\n'
        'v.yaml:4:10: unknown field "cuont" in card "Sword of Dusk"\n'
        '  hint: did you mean "count"?\n'
        'v.yaml:4:20: unknown field "tempalte" in card "Sword of Dusk"\n'
        '  hint: did you mean "template"?\n'
        'v.yaml:6:15: unknown field "bakc" in card "Axe"\n  hint: did you mean "back"?\n'
        'v.yaml:7:27: unknown field "cuont" in card "Bow"\n  hint: did you mean "count"?\n'
        'v.yaml:8:4: unknown field "liek" in card "B"\n  hint: did you mean "like"?\n'
        'v.yaml:9:4: unknown field "nmae" in card 7\n  hint: did you mean "name"?',
    ),
    "a slip beside nothing of its own": (
        "change: {dusk: {nmae: Gloom, a b: 1}}\n",
        'v.yaml:2:17: unknown field "nmae" in card "Sword of Dusk"\n'
        '  hint: did you mean "name"?\n'
        'v.yaml:2:30: field "a b" in card "Sword of Dusk" has a forbidden name\n'
        "  hint: use letters, digits and underscores, and begin with a letter",
    ),
    "like in a change": (
        "change: {dusk: {like: wooden-spoon}}\n",
        'v.yaml:2:17: "like" in card "dusk" has no meaning in change\n'
        '  hint: write it at a card in "add"',
    ),
    "like another, but not otherwise": (
        "add:\n- {like: dusk}\n- {like: dusk, name: null, cost: 3}\n",
        'v.yaml:3:3: the card like "dusk" has neither a name nor an id of its own\n'
        '  hint: write "name: …"\n'
        'v.yaml:4:3: the card like "dusk" has neither a name nor an id of its own\n'
        '  hint: write "name: …"\n'
        'v.yaml:4:16: card 5 has no name\n  hint: write "name: …"',
    ),
    "like a card below": (
        "add:\n- {like: bow, name: Axe}\n- {like: bow, name: Bow}\n",
        'v.yaml:3:10: card "bow" in like does not stand above this card\n'
        "  hint: write it above the cards that are like it\n"
        'v.yaml:4:10: card "bow" in like does not stand above this card\n'
        "  hint: write it above the cards that are like it",
    ),
    "a broken card in order": (
        "add: [{like: zzz, id: axe}]\norder: [axe]\n",
        'v.yaml:2:14: unknown card "zzz" in like\n'
        "  hint: card names: dusk, sword-of-dawn, wooden-spoon",
    ),
    "like a list": (
        "add: [{like: [dusk], name: Axe}]\n",
        "v.yaml:2:14: like in card 1 in add must be a text, not a list",
    ),
    "an id that the base has": (
        "order: [dusk]\nadd:\n- name: Wooden spoon\n- {like: dusk, name: Dusk}\n",
        'v.yaml:4:9: card "Wooden spoon" has the id "wooden-spoon" of card "Wooden Spoon" at '
        "b.yaml:17:10\n"
        "  hint: for more copies raise the count; for another card write an id of its own\n"
        'v.yaml:5:22: card "Dusk" has the id "dusk" of card "Sword of Dusk" at b.yaml:14:7\n'
        "  hint: for more copies raise the count; for another card write an id of its own",
    ),
    "an id that a change gives twice": (
        "change: {wooden-spoon: {id: dusk}}\n",
        'v.yaml:2:29: card "Wooden Spoon" has the id "dusk" of card "Sword of Dusk" at '
        "b.yaml:14:7\n"
        "  hint: for more copies raise the count; for another card write an id of its own",
    ),
    "no name": (
        "change: {dusk: {name: null}}\nadd: [{cost: 1}]\n",
        'v.yaml:2:17: card 2 has no name\n  hint: write "name: …"\n'
        'v.yaml:3:7: card 4 has no name\n  hint: write "name: …"',
    ),
    "no cards": (
        "drop: [dusk, sword-of-dawn, wooden-spoon]\n",
        "v.yaml:2:1: the variant has no cards\n  hint: leave it a card, or add one",
    ),
    "none kept": (
        "keep: []\n",
        "v.yaml:2:1: the variant has no cards\n  hint: leave it a card, or add one",
    ),
    "unknown keys": (
        "titel:\nkep: [dusk]\nsheet: A\n",
        'v.yaml:2:1: unknown deck key "titel"\n  hint: did you mean "title"?\n'
        'v.yaml:3:1: unknown deck key "kep"\n  hint: did you mean "keep"?\n'
        'v.yaml:4:1: "sheet" is for a deck whose cards are a workbook\n'
        '  hint: write "cards: NAME.xlsx", or delete it',
    ),
    "values": (
        'change: {dusk: {text: "\\0"}}\ntitle: [a]\n',
        'v.yaml:2:23: field "text" in card "Sword of Dusk" holds the control character U+0000\n'
        "  hint: delete it\n"
        "v.yaml:3:8: title must be a text, not a list",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, message = WRONG[case]
    assert complain(text) == message


NO_BASE: dict[str, tuple[str, str]] = {
    "unknown": (
        "extends: swrds\ntitel: A\nadd:\n- {name: Axe, cuont: 2}\n",
        'v.yaml:1:10: unknown deck "swrds"\n  hint: did you mean "swords"?\n'
        'v.yaml:2:1: unknown deck key "titel"\n  hint: did you mean "title"?\n'
        'v.yaml:4:15: unknown field "cuont" in card "Axe"\n  hint: did you mean "count"?',
    ),
    "missing file": ("extends: more/a.yaml\n", 'v.yaml:1:10: there is no file "more/a.yaml"'),
    "no deck file": (
        "extends: ./a.txt\n",
        'v.yaml:1:10: "a.txt" is no deck file\n'
        "  hint: a deck ends in .yaml, .yml, .csv, .tsv, .xlsx, .md;"
        " cardgen import makes one of other files",
    ),
    "folder": (
        "extends: ./more\n",
        'v.yaml:1:10: "more" is a folder, not a deck\n  hint: name a file inside it',
    ),
    "nothing": (
        "extends:\n",
        "v.yaml:1:1: extends names no deck\n"
        "  hint: write the name of the deck that this one is made from",
    ),
    "list": ("extends: [a]\n", "v.yaml:1:10: extends must be a text, not a list"),
    "control character": (
        'extends: "a\\0"\n',
        "v.yaml:1:10: extends holds the control character U+0000\n  hint: delete it",
    ),
    "itself": (
        "extends: v\n",
        "v.yaml:1:10: the deck extends itself: v > v\n  hint: extend another deck, or none",
    ),
    "sheet": (
        "extends: rules\n",
        'v.yaml:1:10: "rules.md" is a play sheet, which has no cards to vary\n'
        "  hint: extend a deck in YAML, CSV or XLSX",
    ),
    "typing error": (
        "extend: swords\n",
        'v.yaml:1:1: the deck has no key "cards"\n'
        "  hint: a deck looks like this:\n    title: Magic items\n    cards:\n"
        "      - name: Sword of Fate\n        count: 2\n        text: Once per game\n"
        'v.yaml:1:1: unknown deck key "extend"\n  hint: did you mean "extends"?',
    ),
}


@pytest.mark.parametrize("case", NO_BASE)
def test_a_base_that_cannot_be_had(case: str) -> None:
    write("swords.yaml", BASE)
    write("rules.md", "---\ntitle: Rules\n---\nRoll a die.\n")
    write("a.txt", "")
    Path("more").mkdir()
    text, message = NO_BASE[case]
    with pytest.raises(CardgenError) as caught:
        read_deck_file(write("v.yaml", text))
    assert str(caught.value) == message


def test_a_circle() -> None:
    write("a.yaml", "extends: c\n")
    write("b.yaml", "extends: ./a.yaml\n")
    write("c.yaml", "extends: b\nkepe: [x]\n")
    with pytest.raises(CardgenError) as caught:
        read_deck_file(Path("a.yaml"))
    assert str(caught.value) == (
        "b.yaml:1:10: the deck extends itself: a > c > b > a\n"
        "  hint: extend another deck, or none\n"
        'c.yaml:2:1: unknown deck key "kepe"\n  hint: did you mean "keep"?'
    )


def test_a_long_chain() -> None:
    write("d0.yaml", BASE)
    for number in range(1, 60):
        write(f"d{number}.yaml", f"extends: d{number - 1}\n")
    assert list_ids(read_deck_file(Path("d50.yaml"))) == ALL
    with pytest.raises(CardgenError) as caught:
        read_deck_file(Path("d51.yaml"))
    assert str(caught.value) == (
        "d1.yaml:1:10: more than 50 decks extend one another\n"
        "  hint: let the decks extend one that holds what they share"
    )


def test_problems_of_the_base_have_its_places_and_come_with_the_variants_own() -> None:
    assert complain("titel: A\nkeep: [a, a]\n", "tilte: A\ncards:\n- {name: A, cuont: 2}\n") == (
        'v.yaml:2:1: unknown deck key "titel"\n  hint: did you mean "title"?\n'
        'v.yaml:3:11: card "a" stands in keep twice\n'
        'b.yaml:1:1: unknown deck key "tilte"\n  hint: did you mean "title"?\n'
        'b.yaml:3:13: unknown field "cuont" in card "A"\n  hint: did you mean "count"?'
    )


def test_a_base_that_cannot_be_read() -> None:
    assert complain("", "cards: 'a\n") == (
        "b.yaml:2:1: not valid YAML: found unexpected end of stream "
        "while scanning a quoted scalar that begins in line 1\n  hint: close the quote"
    )
    Path("b.yaml").write_bytes(b"cards:\n- name: Caf\xe9\n")
    with pytest.raises(CardgenError) as caught:
        read_deck_file(Path("v.yaml"))
    assert str(caught.value) == (
        "b.yaml:2: this is not UTF-8 text: byte 0xE9\n  hint: save the file as UTF-8"
    )


def test_a_problem_without_a_place_has_that_of_extends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.core.reading.MAX_FILE", 100)
    assert complain("") == (
        f'v.yaml:1:10: "b.yaml" is {len(BASE)} bytes long; allowed are 100\n'
        "  hint: make it smaller; a deck may be several files"
    )


def test_a_table_cannot_be_a_variant() -> None:
    with pytest.raises(CardgenError) as caught:
        read_deck_file(write("v.csv", "---\nextends: b\n---\nname\nA\n"))
    assert str(caught.value) == (
        'v.csv:2:1: "extends" is for a variant\n'
        '  hint: a variant is a deck in YAML that says "extends: …"'
    )


# What is no slip


def test_a_field_of_the_base_is_no_slip_however_few_cards_are_left() -> None:
    base = "cards:\n- {name: A, counts: 1}\n- {name: B, counts: 2}\n- {name: C}\n"
    deck = read(
        "keep: [a, c]\ndefaults: {counts: 4, count: 2}\nchange: {a: {count: 3}, c: {counts: 9}}\n"
        "add: [{name: D}, {name: E}, {name: F}, {name: G}]\n",
        base,
    )
    assert [card.fields["counts"] for card in deck.cards] == [1, 9, 4, 4, 4, 4]
    assert [card.count for card in deck.cards] == [3, 2, 2, 2, 2, 2]


def test_a_default_of_the_base_is_no_slip() -> None:
    base = "defaults: {counts: 1, count: 2}\ncards:\n- name: A\n"
    assert read("defaults: {kind: x}\n", base).cards[0].fields == {"counts": 1, "kind": "x"}


def test_a_field_called_almost_like() -> None:
    deck = read("defaults: {likes: null}\nadd: [{name: Axe, likes: 3}]\n")
    assert deck.cards[3].fields["likes"] == 3
    base = "cards:\n- {name: A, like: war}\n"
    assert read("change: {a: {like: peace}}\n", base).cards[0].fields == {"like": "peace"}


# All at once

IDS = st.sampled_from([*ALL, "axe", "bow", "zzz"])
ENTRIES = st.dictionaries(
    st.sampled_from(["name", "count", "cost", "id", "like", "cuont"]),
    IDS | st.none() | st.integers(-1, 3) | st.just([1]),
    max_size=4,
)
ANYTHING = IDS | st.none() | st.lists(IDS, max_size=3) | ENTRIES
VARIANTS = st.fixed_dictionaries(
    {},
    optional={
        "keep": st.lists(IDS, max_size=4) | ANYTHING,
        "drop": st.lists(IDS, max_size=2) | ANYTHING,
        "order": st.lists(IDS, max_size=4) | ANYTHING,
        "change": st.dictionaries(IDS, ENTRIES | ANYTHING, max_size=3) | ANYTHING,
        "counts": st.dictionaries(IDS, ANYTHING | st.integers(0, 3), max_size=3) | ANYTHING,
        "add": st.lists(ENTRIES | ANYTHING, max_size=3) | ANYTHING,
        "defaults": ENTRIES,
    },
)


@examples_in_one_folder(300)
@given(VARIANTS)
@example({"change": {"sword-of-dawn": {"name": "dusk", "id": None}}})
def test_any_variant_is_a_deck_or_an_error_in_its_own_file(variant: dict[str, Value]) -> None:
    write("b.yaml", BASE)
    try:
        deck = read_deck_file(write("v.yaml", json.dumps({"extends": "b", **variant})))
    except CardgenError as error:
        files = {problem.where.file for problem in error.problems if problem.where}
        assert files == {"v.yaml"}
    else:
        assert len(set(list_ids(deck))) == len(deck.cards) > 0
        assert len({tuple(card.fields) for card in deck.cards}) == 1


@examples_in_one_folder(100)
@given(st.permutations(ALL), st.lists(st.sampled_from(ALL), unique=True))
def test_keep_gives_its_order_and_order_only_part_of_it(kept: list[str], first: list[str]) -> None:
    deck = read(f"keep: {json.dumps(kept)}\norder: {json.dumps(first)}\n")
    assert list_ids(deck) == [*first, *(card for card in kept if card not in first)]
