"""YAML decks: what is read, and the exact words for everything that is wrong with one."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_text, examples

from cardgen.core.errors import CardgenError, Where
from cardgen.deck import yaml
from cardgen.deck.model import MAX_COUNT, MAX_FIELD, Deck, Value, slug
from cardgen.deck.read import read_deck_file
from cardgen.deck.values import find_meant
from cardgen.deck.yaml import parse_yaml

EXAMPLE = """
  hint: a deck looks like this:
    title: Magic items
    cards:
      - name: Sword of Fate
        count: 2
        text: Once per game"""
LIST = """
  hint: write "cards:" above a list of your own; a list as other programs write it is imported:\
 cardgen import "d.yaml" -o mine.yaml"""
KNOWN = (
    "add, author, back, cards, change, counts, deal, defaults, description, drop, extends, keep, "
    "labels, language, missing, order, sheet, size, target, template and 2 more"
)
FORBIDDEN_HINT = "use letters, digits and underscores, and begin with a letter"
SAME_ID_HINT = "for more copies raise the count; for another card write an id of its own"


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str | bytes) -> Deck:
    path = Path("d.yaml")
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_deck_file(path)


def complain(text: str | bytes) -> str:
    with pytest.raises(CardgenError) as caught:
        read(text)
    return str(caught.value)


def read_value(scalar: str) -> Value:
    node = parse_yaml(f"- {scalar}", "f", [])
    assert node is not None
    assert isinstance(node.value, list)
    return node.value[0]


def test_a_deck_with_everything() -> None:
    deck = read(
        """\
title: Magic items
template: magic-item
back: magic-back
author: A. Nobody
language: en-GB
description: |
  Two lines
  of text
target: a4
defaults:
  cost: 10
  count: 2
cards:
  - name: Sword of Fate
    cost: 5
    who: unit
  - id: axe
    name: Axe
    count: 0
    template: other
    back: red
    facts: [one, {two: 2}]
"""
    )
    assert (deck.name, deck.title, deck.path) == ("d", "Magic items", Path("d.yaml"))
    assert (deck.author, deck.language, deck.target) == ("A. Nobody", "en-GB", "a4")
    assert deck.description == "Two lines\nof text"
    sword, axe = deck.cards
    assert (sword.id, sword.name, sword.count) == ("sword-of-fate", "Sword of Fate", 2)
    assert (sword.template, sword.back) == ("magic-item", "magic-back")
    assert sword.fields == {"cost": 5, "who": "unit", "facts": None}
    assert sword.where == Where("d.yaml", 14, 5)
    assert (axe.id, axe.count, axe.template, axe.back) == ("axe", 0, "other", "red")
    assert axe.fields == {"cost": 10, "who": None, "facts": ["one", {"two": 2}]}
    assert deck.copies == 2


def test_what_a_deck_need_not_say() -> None:
    deck = read("cards:\n- name: Sword\n")
    assert (deck.title, deck.author, deck.language) == ("D", "", "en")
    assert (deck.description, deck.target) == ("", None)
    card = deck.cards[0]
    assert (card.count, card.template, card.back) == (1, "poker-basic", None)


@pytest.mark.parametrize(
    ("file", "title"), [("magic-items_2.yml", "Magic items 2"), ("-.YAML", "-")]
)
def test_a_title_from_the_file_name(file: str, title: str) -> None:
    Path(file).write_text("cards:\n- name: Sword\n")
    assert read_deck_file(Path(file)).title == title


def test_what_defaults_say_of_all_cards() -> None:
    deck = read(
        "template: a\nback: b\ndefaults: {template: c, back: d, count: 3, counts: 5}\n"
        "cards:\n- name: A\n"
    )
    card = deck.cards[0]
    assert (card.template, card.back, card.count, card.fields) == ("c", "d", 3, {"counts": 5})


def test_a_field_that_is_null_overrides_its_default() -> None:
    deck = read("defaults: {cost: 3, back: b}\ncards:\n- {name: A, cost: null, back: null}\n")
    assert deck.cards[0].fields == {"cost": None}
    assert deck.cards[0].back == "b"


@pytest.mark.parametrize("name", ["1984", "007", "1.50", "true", "0x10"])
def test_a_name_keeps_its_spelling_whatever_it_looks_like(name: str) -> None:
    deck = read(f"title: {name}\ncards:\n- name: {name}\n")
    assert deck.cards[0].name == name
    assert deck.title == name


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("1:30", "1:30"),
        ("2024-05-01", "2024-05-01"),
        ("1_000", "1_000"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("Null", None),
        ('""', ""),
        ("'12'", "12"),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        ("1.50", 1.5),
        (".5", 0.5),
        ("2e3", 2000.0),
        ("-.inf", -math.inf),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_scalars_follow_the_core_schema(scalar: str, value: Value) -> None:
    found = read_value(scalar)
    assert found == value
    assert type(found) is type(value)


def test_aliases_and_merged_mappings() -> None:
    deck = read("cards:\n- &a {name: A, cost: 3, list: &l [1]}\n- {<<: *a, name: B, more: *l}\n")
    assert deck.cards[1].name == "B"
    assert deck.cards[1].fields == {"cost": 3, "list": [1], "more": [1]}


def test_a_byte_order_mark_and_windows_line_ends() -> None:
    deck = read(b"\xef\xbb\xbfcards:\r\n- name: A\r\n  text: |\r\n    one\r\n    two\r\n")
    assert deck.cards[0].fields == {"text": "one\ntwo\n"}


@pytest.mark.parametrize(
    "character", ["\u00ad", "\u00a0", "\u200d", "\u2028", "\U0001f5e1", "\\t", "\\n"]
)
def test_odd_characters_that_are_no_control_characters(character: str) -> None:
    deck = read(f'cards:\n- name: A\n  text: "a{character}b"\n')
    assert len(str(deck.cards[0].fields["text"])) == 3


WRONG: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", f"d.yaml: the file is empty{EXAMPLE}"),
    "null": ("null\n", f"d.yaml: the file is empty{EXAMPLE}"),
    "comment": ("# nothing\n", f"d.yaml: the file is empty{EXAMPLE}"),
    "list": ("- name: A\n", f"d.yaml:1:1: a deck is a mapping of keys, not a list{LIST}"),
    "scalar": ("hello\n", f"d.yaml:1:1: a deck is a mapping of keys, not a single text{EXAMPLE}"),
    "no cards key": ("title: A\n", f'd.yaml:1:1: the deck has no key "cards"{EXAMPLE}'),
    "no cards": ("title: A\ncards: []\n", f"d.yaml:2:1: the deck has no cards{EXAMPLE}"),
    "null cards": ("cards:\n", f"d.yaml:1:1: the deck has no cards{EXAMPLE}"),
    "cards are a number": (
        "cards: 5\n",
        "d.yaml:1:8: cards must be a list of cards, or the name of a table\n"
        '  hint: begin each card with "- name: …", with a blank behind the hyphen',
    ),
    "unknown deck key": (
        "tilte: A\nzzz: 1\ncards:\n- name: A\n",
        'd.yaml:1:1: unknown deck key "tilte"\n  hint: did you mean "title"?\n'
        f'd.yaml:2:1: unknown deck key "zzz"\n  hint: known names: {KNOWN}',
    ),
    "title": (
        "title: [a]\ncards:\n- name: A\n",
        "d.yaml:1:8: title must be a text, not a list",
    ),
    "target": (
        "target: {a: 1}\ncards:\n- name: A\n",
        "d.yaml:1:9: target must be a text, not a mapping",
    ),
    "control character in a title": (
        'title: "a\\0"\ncards:\n- name: A\n',
        "d.yaml:1:8: title holds the control character U+0000\n  hint: delete it",
    ),
    "line break in an author": (
        'author: "a\\nb"\ncards:\n- name: A\n',
        "d.yaml:1:9: author holds the control character U+000A\n"
        "  hint: write it in one line, without tabs",
    ),
    "language": (
        "language: english\ncards:\n- name: A\n",
        'd.yaml:1:11: language "english" is no language tag\n  hint: write en, en-GB or de',
    ),
    "sheet without a workbook": (
        "sheet: One\ncards:\n- name: A\n",
        'd.yaml:1:1: "sheet" is for a deck whose cards are a workbook\n'
        '  hint: write "cards: NAME.xlsx", or delete it',
    ),
    "keys of a variant": (
        "keep: [a]\norder: [a]\ncards:\n- name: A\n",
        'd.yaml:1:1: "keep" is for a variant\n'
        '  hint: a variant is a deck in YAML that says "extends: …"\n'
        'd.yaml:2:1: "order" is for a variant\n'
        '  hint: a variant is a deck in YAML that says "extends: …"',
    ),
    "defaults": (
        "defaults: [1]\ncards:\n- name: A\n",
        "d.yaml:1:11: defaults must be a mapping of fields",
    ),
    "name in defaults": (
        "defaults:\n  name: B\ncards:\n- name: A\n",
        'd.yaml:2:3: defaults cannot hold "name"\n  hint: write it at each card',
    ),
    "slip in defaults": (
        "defaults:\n  tempalte: B\ncards:\n- name: A\n",
        'd.yaml:2:3: unknown field "tempalte" in defaults\n  hint: did you mean "template"?',
    ),
    "field name in defaults": (
        "defaults:\n  a b: B\ncards:\n- name: A\n",
        f'd.yaml:2:3: field "a b" in defaults has a forbidden name\n  hint: {FORBIDDEN_HINT}',
    ),
    "values in defaults": (
        'defaults:\n  count: many\n  text: "\\0"\n  back: "\\0"\ncards:\n- name: A\n',
        f"d.yaml:2:10: count in defaults must be a whole number from 0 to {MAX_COUNT:,}, "
        'not "many"\n'
        'd.yaml:3:9: field "text" in defaults holds the control character U+0000\n'
        "  hint: delete it\n"
        "d.yaml:4:9: back in defaults holds the control character U+0000\n  hint: delete it",
    ),
    "card that is no mapping": (
        "cards:\n- Sword\n- name: A\n- {}\n- \n- [a]\n- cost: 1\n",
        'd.yaml:2:3: card 1 must be a mapping of fields, not "Sword"\n  hint: write "- name: …"\n'
        'd.yaml:4:3: card 3 is empty\n  hint: write "- name: …"\n'
        'd.yaml:5:2: card 4 is empty\n  hint: write "- name: …"\n'
        "d.yaml:6:3: card 5 must be a mapping of fields, not a list\n"
        '  hint: write "- name: …"\n'
        'd.yaml:7:3: card 6 has no name\n  hint: write "name: …"',
    ),
    "blank name": (
        "cards:\n- name: ' '\n",
        'd.yaml:2:3: card 1 has no name\n  hint: write "name: …"',
    ),
    "name that is a list": (
        "cards:\n- name: [A]\n",
        "d.yaml:2:9: name of card 1 must be a text, not a list",
    ),
    "control character in a name": (
        'cards:\n- name: "A\\a"\n',
        "d.yaml:2:9: name of card 1 holds the control character U+0007\n  hint: delete it",
    ),
    "mistyped name": (
        "cards:\n- nmae: A\n- nmae: B\n",
        'd.yaml:2:3: unknown field "nmae" in card 1\n  hint: did you mean "name"?\n'
        'd.yaml:3:3: unknown field "nmae" in card 2\n  hint: did you mean "name"?',
    ),
    "mistyped count": (
        "cards:\n- name: Sword of Fate\n  cuont: 2\n- name: B\n",
        'd.yaml:3:3: unknown field "cuont" in card "Sword of Fate"\n  hint: did you mean "count"?',
    ),
    "capitals": (
        "cards:\n- {name: A, Count: 2}\n- {name: B, Count: 2}\n",
        'd.yaml:2:13: unknown field "Count" in card "A"\n  hint: did you mean "count"?\n'
        'd.yaml:3:13: unknown field "Count" in card "B"\n  hint: did you mean "count"?',
    ),
    "field name": (
        "cards:\n- name: A\n  card-cost: 2\n",
        f'd.yaml:3:3: field "card-cost" in card "A" has a forbidden name\n  hint: {FORBIDDEN_HINT}',
    ),
    "control character in a field": (
        'cards:\n- name: A\n  text: "a\\eb"\n  list: [{a: "\\x85"}]\n',
        'd.yaml:3:9: field "text" in card "A" holds the control character U+001B\n'
        "  hint: delete it\n"
        'd.yaml:4:9: field "list" in card "A" holds the control character U+0085\n'
        "  hint: delete it",
    ),
    "template of a card": (
        "cards:\n- name: A\n  template: [x]\n  back: {}\n",
        'd.yaml:3:13: template in card "A" must be a text, not a list\n'
        'd.yaml:4:9: back in card "A" must be a text, not a mapping',
    ),
    "id": (
        "cards:\n- name: A\n  id: ../a\n",
        'd.yaml:3:7: id "../a" in card "A" has a forbidden character\n'
        '  hint: use letters, digits, ".", "-" and "_", and begin with a letter or digit',
    ),
    "same id": (
        "cards:\n- name: Fire!\n- name: Fire?\n- {name: C, id: fire}\n",
        'd.yaml:3:9: card "Fire?" has the id "fire" of card "Fire!" at d.yaml:2:9\n'
        f"  hint: {SAME_ID_HINT}\n"
        'd.yaml:4:17: card "C" has the id "fire" of card "Fire!" at d.yaml:2:9\n'
        f"  hint: {SAME_ID_HINT}",
    ),
    "mapping value": (
        "title: a: b\n",
        "d.yaml:1:9: not valid YAML: mapping values are not allowed in this context\n"
        '  hint: put a text that holds ": " in quotes, and indent keys of one mapping alike',
    ),
    "tab": (
        "cards:\n\t- a\n",
        "d.yaml:2:1: not valid YAML: found character that cannot start any token "
        "while scanning for the next token\n  hint: indent with blanks, not with tabs",
    ),
    "open quote": (
        "title: 'a\ncards: []\n",
        "d.yaml:3:1: not valid YAML: found unexpected end of stream "
        "while scanning a quoted scalar that begins in line 1\n  hint: close the quote",
    ),
    "problems before a broken line": (
        "title: a\ntitle: b\nback: @\n",
        'd.yaml:2:1: the key "title" stands in line 1 already\n  hint: delete one of them\n'
        "d.yaml:3:7: not valid YAML: found character that cannot start any token "
        "while scanning for the next token\n"
        "  hint: put a text that begins with @, ` or % in quotes",
    ),
    "duplicate keys": (
        "cards:\n- name: A\n  cost: 1\n  cost: 2\n  list: [{x: 1, x: 2}]\n",
        'd.yaml:4:3: the key "cost" stands in line 3 already\n  hint: delete one of them\n'
        'd.yaml:5:17: the key "x" stands in line 5 already\n  hint: delete one of them',
    ),
    "tag": (
        "cards:\n- name: A\n  text: !!python/object/apply:os.system [ls]\n",
        'd.yaml:3:9: the tag "!!python/object/apply:os.system" means nothing here\n'
        '  hint: delete it, or put a text that begins with "!" in quotes',
    ),
    "complex key": (
        "cards:\n- name: A\n  ? [a]\n  : 1\n",
        "d.yaml:3:5: a key must be a text\n  hint: put a key with brackets in quotes",
    ),
    "unknown alias": (
        "cards:\n- name: A\n  text: *x\n",
        'd.yaml:3:9: no finished value above is called "&x"\n'
        '  hint: put a text that begins with "*" or "&" in quotes',
    ),
    "alias inside itself": (
        "cards:\n- name: A\n  list: &x [*x]\n",
        'd.yaml:3:13: no finished value above is called "&x"\n'
        '  hint: put a text that begins with "*" or "&" in quotes',
    ),
    "merged text": (
        "cards:\n- name: A\n  <<: B\n",
        'd.yaml:3:3: "<<" takes a mapping, or a list of mappings',
    ),
    "second document": (
        "cards:\n- name: A\n---\ntitle: B\n",
        'd.yaml:3:1: a second YAML document begins here\n  hint: delete the line "---"',
    ),
    "raw control character": (
        "cards:\n- name: A\x00\n",
        "d.yaml:2:10: the character U+0000 cannot stand here\n  hint: delete it",
    ),
    "latin-1": (
        b"cards:\n- name: Caf\xe9\n",
        "d.yaml:2: this is not UTF-8 text: byte 0xE9\n  hint: save the file as UTF-8",
    ),
    "too deep": (
        "title: " + "[" * 300,
        "d.yaml:1:58: lists and mappings lie more than 50 deep",
    ),
    "too long": (
        f"cards:\n- name: A\n  text: {'x' * 5_000_000}\n",
        'd.yaml:3:9: field "text" in card "A" is 5,000,000 characters long; '
        f"allowed are {MAX_FIELD:,}\n  hint: spread it over several cards",
    ),
    "list that another program wrote": (
        "cards: b.yml\n",
        'd.yaml:1:8: cards: "b.yml" is no table\n  hint: a list as other programs write it is'
        ' imported: cardgen import "b.yml" -o mine.yaml',
    ),
    "table that is no table": (
        "cards: a.txt\n",
        'd.yaml:1:8: cards: "a.txt" is no table\n  hint: a table ends in .csv, .tsv or .xlsx',
    ),
    "missing table": ("cards: a.csv\n", 'd.yaml:1:8: there is no file "a.csv"'),
    "table outside": (
        "cards: ../a.csv\n",
        'd.yaml:1:8: cards: "../a.csv" lies outside the folder of the project\n'
        "  hint: copy it into that folder and name it from there",
    ),
    "control character in the name of a table": (
        'cards: "a\\0.csv"\n',
        "d.yaml:1:8: cards holds the control character U+0000\n  hint: delete it",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, message = WRONG[case]
    assert complain(text) == message


@pytest.mark.parametrize("opened", ["[", "- ", "? "])
def test_what_is_far_too_deep_is_said_alike(opened: str) -> None:
    """Which place is named, libyaml decides: some versions of it stop before we do."""
    message = complain("title:\n" + opened * 100_000)
    assert re.fullmatch(r"d\.yaml:2:\d+: lists and mappings lie more than 50 deep", message)


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        ("true", "true"),
        ("2x", '"2x"\n  hint: write a number alone: 2'),
        ("x99999", '"x99999"'),
        ("'2'", '"2"\n  hint: write a number alone: 2'),
        ("2.5", "2.5"),
        ("2.0", "2.0\n  hint: write a number alone: 2"),
        ("-1", "-1"),
        ("10001", "10001"),
        ("[1]", "a list"),
    ],
)
def test_a_count_is_a_whole_number(count: str, shown: str) -> None:
    assert complain(f"cards:\n- name: A\n  count: {count}\n") == (
        f'd.yaml:3:10: count in card "A" must be a whole number from 0 to 10,000, not {shown}'
    )


@pytest.mark.parametrize("count", [0, 1, MAX_COUNT])
def test_the_ends_of_a_count(count: int) -> None:
    assert read(f"cards:\n- name: A\n  count: {count}\n").copies == count


def test_every_problem_comes_at_once_in_the_order_of_the_lines() -> None:
    text = "cards:\n- name: A\n  count: x\n- {}\n- name: A\n  cost: 1\n  cost: 2\nlanguage: '?'\n"
    with pytest.raises(CardgenError) as caught:
        read(text)
    lines = [problem.where.line for problem in caught.value.problems if problem.where]
    assert lines == [3, 4, 5, 7, 8]


@pytest.mark.parametrize(
    "text",
    [
        "cards:\n- name: A\n  list: [1, 2, 3, 4]\n  other: [[1, 2], [3, 4]]\n",
        "cards:\n- {name: A, b: 1, c: 2, d: 3, e: 4, f: 5}\n",
        "cards: [a, b, c, d, e, f]\n",
        "cards:\n- {name: A, b: 1, b: 2, b: 3, b: 4, b: 5}\n",
        "cards:\n- {name: A, <<: {b: 1}, <<: {c: 2}, <<: {d: 3}, <<: {e: 4}, <<: {f: 5}}\n",
    ],
)
def test_what_holds_too_much_is_not_read_to_its_end(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml, "MAX_FIELD", 5)
    assert "holds more than 5 values\n  hint: spread it over several cards" in complain(text)
    monkeypatch.setattr(yaml, "MAX_FIELD", 6)
    assert parse_yaml(text, "f", []) is not None


def test_a_small_file_cannot_become_huge_through_aliases() -> None:
    bomb = "title: &a [x, x, x, x, x, x, x, x, x, x]\n"
    for name, inner in zip("bcdefghij", "abcdefghi", strict=True):
        bomb += f"{name}: &{name} [{', '.join([f'*{inner}'] * 10)}]\n"
    assert complain(bomb) == "d.yaml:6:36: aliases repeat more than 1,000,000 values"


def test_aliases_cannot_pile_up_depth() -> None:
    chain = "title: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 60))
    assert complain(chain) == "d.yaml:50:12: lists and mappings lie more than 50 deep"


def test_a_field_is_as_long_as_all_that_it_holds() -> None:
    half = "x" * (MAX_FIELD // 2)
    full = "x" * (MAX_FIELD - 1)
    assert read(f"cards:\n- name: A\n  list: [{full}]\n").cards[0].fields == {"list": [full]}
    assert read(f"cards:\n- name: A\n  list: [{half}]\n").cards[0].fields == {"list": [half]}
    assert complain(f"cards:\n- name: A\n  list: [{half}, {half}]\n") == (
        f'd.yaml:3:9: field "list" in card "A" is more than {MAX_FIELD:,} characters long; '
        f"allowed are {MAX_FIELD:,}\n  hint: spread it over several cards"
    )


def test_the_longest_text_is_allowed() -> None:
    text = "x" * MAX_FIELD
    assert read(f"cards:\n- name: A\n  text: {text}\n").cards[0].fields == {"text": text}


@pytest.mark.parametrize(
    "word",
    [
        "cost",
        "text",
        "kind",
        "who",
        "uses",
        "type",
        "names",
        "black",
        "court",
        "country",
        "counter",
        "amount",
        "mount",
        "game",
        "pack",
        "rank",
        "bid",
        "ids",
        "temple",
        "main",
        "mane",
        "coast",
        "goods",
        "strength",
    ],
)
def test_common_words_are_fields(word: str) -> None:
    deck = read(f"cards:\n- name: A\n  {word}: 1\n- name: B\n- name: C\n")
    assert deck.cards[0].fields == {word: 1}


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("cuont", "count"),
        ("cout", "count"),
        ("countt", "count"),
        ("counts", "count"),
        ("bakc", "back"),
        ("tempalte", "template"),
        ("templete", "template"),
        ("templates", "template"),
        ("ID", "id"),
    ],
)
def test_slips_are_found_where_few_cards_make_them(slip: str, meant: str) -> None:
    assert complain(f"cards:\n- name: A\n  {slip}: 1\n- name: B\n- name: C\n") == (
        f'd.yaml:3:3: unknown field "{slip}" in card "A"\n  hint: did you mean "{meant}"?'
    )


def test_what_half_of_the_cards_use_is_a_field() -> None:
    deck = read("cards:\n- {name: A, counts: 1}\n- {name: B, counts: 2}\n- {name: C}\n- {name: D}")
    assert [card.fields["counts"] for card in deck.cards] == [1, 2, None, None]


def test_what_fewer_use_is_a_slip_at_each_of_them() -> None:
    text = (
        "cards:\n- {name: A, counts: 1}\n- {name: B, counts: 2}\n- name: C\n- name: D\n- name: E\n"
    )
    assert complain(text).count("did you mean") == 2


@pytest.mark.parametrize("key", ["name", "mane", "goods", "game", "na", "surname"])
def test_what_is_no_slip_of_name(key: str) -> None:
    assert find_meant(key, ["name"]) is None


def test_a_slip_beside_the_key_itself_is_a_field() -> None:
    deck = read("cards:\n- {name: A, count: 2, counts: 1}\n- {name: B}\n- {name: C}\n")
    assert deck.cards[0].fields == {"counts": 1}


@settings(deadline=None)
@given(st.sampled_from(["name", "back", "count", "template"]), st.data())
def test_swapping_two_neighbours_is_always_a_slip(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    assert find_meant(swapped, [word]) == word


def test_files_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def complain_of(path: str) -> str:
        with pytest.raises(CardgenError) as caught:
            read_deck_file(Path(path))
        return str(caught.value)

    Path("folder.yaml").mkdir()
    os.mkfifo("pipe.yaml")
    Path("locked.yaml").write_text("cards: []")
    assert complain_of("none.yaml") == 'there is no file "none.yaml"'
    assert complain_of("a.txt") == (
        '"a.txt" is no deck file\n  hint: a deck ends in .yaml, .yml, .csv, .tsv, .xlsx, .md;'
        " cardgen import makes one of other files"
    )
    assert complain_of("folder.yaml") == (
        '"folder.yaml" is a folder, not a deck\n  hint: name a file inside it'
    )
    assert complain_of("pipe.yaml") == '"pipe.yaml" is not an ordinary file'
    monkeypatch.setattr("cardgen.core.reading.MAX_FILE", 8)
    assert complain_of("locked.yaml") == (
        '"locked.yaml" is 9 bytes long; allowed are 8\n'
        "  hint: make it smaller; a deck may be several files"
    )

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("cardgen.core.reading.MAX_FILE", 9)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert complain_of("locked.yaml") == '"locked.yaml" cannot be read: Permission denied'


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Was Dis Do Den!?", "was-dis-do-den"),
        ("Café Größe", "cafe-grosse"),
        ("日本", "日本"),
        ("snake_case", "snake-case"),
        ("!?", "card"),
        ("Axe++", "axe-plus-plus"),
        ("Sword +1", "sword-1"),
        ("7♥", "7-hearts"),
        ("Nidoran ♂", "nidoran-m"),
        ("♠ A", "spades-a"),
    ],
)
def test_slugs(name: str, expected: str) -> None:
    assert slug(name) == expected


@settings(deadline=None)
@given(any_text())
def test_a_slug_is_a_good_file_name(name: str) -> None:
    assert slug(name)
    assert not set(slug(name)) & set('/\\:*?"<>|. ')


PLAIN_TEXT = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="\u2028\u2029\ufeff")
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | PLAIN_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(PLAIN_TEXT, inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.dictionaries(st.sampled_from(["cost", "text", "kind", "who"]), VALUES)


@examples(60)
@given(st.lists(FIELDS, min_size=1, max_size=4))
def test_json_is_yaml_and_all_cards_have_all_fields(
    cards: list[dict[str, Value]],
) -> None:
    written = [{"name": f"Card {i}", **fields} for i, fields in enumerate(cards)]
    deck = read(json.dumps({"cards": written}, ensure_ascii=False))
    union = {key for fields in cards for key in fields}
    for card, fields in zip(deck.cards, cards, strict=True):
        assert card.fields == dict.fromkeys(union) | fields


def test_a_card_may_go_without_the_back_of_its_deck() -> None:
    deck = read("back: b\ncards:\n- {name: A, back: none}\n- name: B\n")
    assert [card.back for card in deck.cards] == [None, "b"]


def test_yaml_beyond_all_measure_is_not_read() -> None:
    Path("deck.yaml").write_bytes(b"#" * 10_000_001)
    with pytest.raises(CardgenError, match="10,000,001 bytes long; allowed are 10,000,000"):
        read_deck_file(Path("deck.yaml"))
