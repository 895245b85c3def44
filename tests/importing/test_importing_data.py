"""Importing what data of other tools hold: nested texts, several lists, markup, odd columns."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml
from conftest import Project
from pypdfium2 import PdfDocument

from cardgen.core.library import Library
from cardgen.core.units import parse_size
from cardgen.deck.model import Value
from cardgen.importing.tables.entries import list_paragraphs, tell
from cardgen.importing.tables.markup import read_markup
from cardgen.importing.write import PRINTED, _dump, format_card
from cardgen.template.parse import read_template

DECK = "decks/mine.yaml"
ROOT = Path(__file__).resolve().parent.parent.parent


def import_data(
    project: Project, data: object, *options: str, name: str = "items.json"
) -> tuple[list[dict[str, Any]], str]:
    project.write(name, data if isinstance(data, str) else json.dumps(data))
    ran = project.run("import", name, "-o", DECK, *options)
    assert ran.code == 0, ran.stderr
    cards: list[dict[str, Any]] = json.loads(project.run("show", DECK, "--json").stdout)["cards"]
    return cards, ran.stdout


# Several lists

LISTS = {
    "meta": {"authors": [{"nick": "Ann"}]},
    "spells": [{"name": f"Spell {number}", "text": "Burns."} for number in range(3)],
    "feats": {"inner": [{"name": "Nimble", "text": "Dodges."}, {"name": "Loud", "text": "Roars."}]},
    "curses": [{"title": "Rot"}],
}


def test_other_lists_are_named(project: Project) -> None:
    cards, said = import_data(project, LISTS)
    assert len(cards) == 3
    assert (
        "? items.json holds several lists: taken is spells, with 3 records; there are also"
        " 2 with --cards-at feats.inner, 1 with --cards-at curses\n"
    ) in said


def test_what_is_said_of_a_list_takes_it(project: Project) -> None:
    cards, said = import_data(project, LISTS, "--cards-at", "feats.inner")
    assert [card["name"] for card in cards] == ["Nimble", "Loud"]
    assert "several lists" not in said


def test_a_list_within_a_list_is_no_other(project: Project) -> None:
    parts = [{"name": "Edge", "text": "Cuts."}, {"name": "Hilt", "text": "Holds."}]
    data = [{"name": f"Axe {n}", "parts": parts, "items": parts[:1]} for n in range(2)]
    assert "several lists" not in import_data(project, data)[1]


GROUPED = """\
version: 3
gruppen:
  - schluessel: land
    titel: Von der Geest
    einheiten:
      - {name: Torfkahn, kosten: 5, text: Trägt Torf.}
      - {name: Moorhexe, kosten: 9, text: Weiß alles.}
  - schluessel: see
    titel: Vom Watt
    einheiten:
      - {name: Wattläufer, kosten: 2, text: Läuft.}
"""
KINDS = [("Torfkahn", "Von der Geest"), ("Moorhexe", "Von der Geest"), ("Wattläufer", "Vom Watt")]


def test_of_cards_with_blank_sides_the_entries_above_are_taken(project: Project) -> None:
    data = [
        {"title": f"Rule {number}", "text": "A side is one.", "cards": [{"front": "", "back": " "}]}
        for number in range(4)
    ]
    cards, _ = import_data(project, data)
    assert [card["name"] for card in cards] == [f"Rule {number}" for number in range(4)]


def list_kinds(project: Project, data: object, name: str) -> list[tuple[str, str]]:
    cards, said = import_data(project, data, name=name)
    assert "several lists" not in said
    return [(card["name"], card["kind"]) for card in cards]


def test_keys_that_programs_write_are_no_names(project: Project) -> None:
    units = {f"u_{n}": {"title": f"Ferret {'ABC'[n]}", "HP": n, "desc": "Digs."} for n in range(3)}
    cards, _ = import_data(project, {"schema": 4, "units": units})
    assert [card["name"] for card in cards] == ["Ferret A", "Ferret B", "Ferret C"]


def test_parts_that_all_cards_have_are_no_cards(project: Project) -> None:
    parts = [
        {"label": "Source", "text": "Page 4."},
        {"label": "Effect", "text": "You see nothing."},
    ]
    data = {name: {"name": name, "parts": parts} for name in ("Blinded", "Broken", "Clumsy")}
    cards, _ = import_data(project, data)
    assert [card["name"] for card in cards] == ["Blinded", "Broken", "Clumsy"]


SEEN = ("--name", "Old Toad", "--name", "Rake")


def test_what_a_file_says_of_itself_is_no_card(project: Project) -> None:
    moves = "".join(f"[{name}]\nstamina = 2\n" for name in ("Elbow", "Hold", "Driver"))
    cards, said = import_data(project, f"[general]\nauthor = Kit\n\n{moves}", name="moves.ini")
    assert [card["name"] for card in cards] == ["Elbow", "Hold", "Driver"]
    assert "nothing that others have: general: author Kit" in said


def test_short_sentences_are_texts(project: Project) -> None:
    table = "Front Name,Speed,Speciality\nCart,1,It climbs stairs.\nRaft,3,It only swims.\n"
    table += "Coach,4,Guests pay twice.\n"
    _, said = import_data(project, table, name="carts.csv")
    assert "1. Cart, 3 words\n" in said
    assert '"Speciality" is taken, which has the longest ones' in said


def test_names_that_somebody_sees_tell_the_list(project: Project) -> None:
    beasts = [{"alias": "A-1", "called": "Old Toad"}, {"alias": "A-2", "called": "Rake"}]
    cards, _ = import_data(project, {**LISTS, "beasts": beasts}, *SEEN)
    assert [card["name"] for card in cards] == ["Old Toad", "Rake"]


def test_names_that_somebody_sees_tell_the_column(project: Project) -> None:
    table = "Title,Beast\nFirst,Old Toad\nSecond,Rake\nThird,Sum\n"
    cards, said = import_data(project, table, *SEEN, "--not", "sum", name="items.csv")
    assert [card["name"] for card in cards] == ["Old Toad", "Rake"]
    assert "items.csv:4: said to be none: Third | Sum" in said


def test_a_name_that_no_row_holds_is_told(project: Project) -> None:
    project.write("items.csv", "Name,Text\nOld Toad,Croaks.\nRake,Hits.\n")
    ran = project.run("import", "items.csv", "-o", DECK, "--name", "Old Road")
    assert ran.code == 1
    assert 'no card of this text is called "Old Road"' in ran.stderr
    assert 'did you mean "Old Toad"?' in ran.stderr


def test_groups_of_cards_in_yaml_are_their_kinds(project: Project) -> None:
    """Of words that differ the first is the title, if no key says so; a list is none."""
    assert list_kinds(project, GROUPED, "geest.yml") == KINDS
    unknown = GROUPED.replace("titel", "gegend").replace("einheiten", "karten")
    assert list_kinds(project, unknown, "watt.yml") == KINDS


def test_groups_of_cards_by_their_names(project: Project) -> None:
    groups = yaml.safe_load(GROUPED)["gruppen"]
    data = {"spells": {
        one["schluessel"]: {"label": one["titel"], "order": 1, "of": {
            str(n): card for n, card in enumerate(one["einheiten"])
        }} for one in groups
    }}  # fmt: skip
    assert list_kinds(project, data, "geest.json") == KINDS


def test_groups_of_texts_by_their_ranks_are_cards(project: Project) -> None:
    suits = {
        "Tides": {"2": "The sea comes in.", "J": "A boat runs aground.", "K": "A dam gives way."},
        "Winds": {
            "2": "A door is slammed.",
            "J": "Two tiles fall down.",
            "K": "The mill burns down.",
        },
    }
    cards, _ = import_data(project, {"order": ["Tides", "Winds"], "suits": suits})
    assert [(card["name"], card["kind"]) for card in cards] == [
        (f"{suit} {rank}", suit) for suit in suits for rank in "2JK"
    ]
    assert cards[4]["text"] == "Two tiles fall down."


def test_groups_of_texts_by_their_names_are_cards(project: Project) -> None:
    groups = {
        "Arms": {"Sword": "Cuts whom it meets.", "Axe": "Fells whom it meets."},
        "Charms": {"Ring": "Nobody sees its bearer.", "Cloak": "Everybody sees its bearer."},
    }
    cards, _ = import_data(project, groups)
    said = [(card["name"], card["kind"]) for card in cards]
    assert said == [("Sword", "Arms"), ("Axe", "Arms"), ("Ring", "Charms"), ("Cloak", "Charms")]


def test_texts_that_all_groups_have_are_fields(project: Project) -> None:
    beasts = {
        "Wolf": {"habitat": "Woods in the north.", "tactics": "It waits until dark."},
        "Bear": {"habitat": "Hills in the south.", "tactics": "It does not wait."},
    }
    cards, _ = import_data(project, beasts, "--cards-at", "$")
    assert [card["name"] for card in cards] == ["Wolf", "Bear"]
    assert cards[0]["habitat"] == "Woods in the north."


def test_every_document_of_a_file_in_yaml_is_read(project: Project) -> None:
    told = "---\ntitle: Rain\ntext: It pours.\n---\ntitle: Sun\ntext: It shines.\n"
    cards, _ = import_data(project, f"// from an old game\n{told}", name="weather.yaml")
    assert [card["name"] for card in cards] == ["Rain", "Sun"]


def test_of_two_columns_with_texts_the_fuller_one_is_taken(project: Project) -> None:
    items = [{"name": f"Card {n}", "text": f"Moves {n} studs ahead."} for n in range(5)]
    cards, _ = import_data(project, [*items, {"name": "Odd", "text": "It stays.", "rules": "once"}])
    assert cards[1]["text"] == "Moves 1 studs ahead."
    assert cards[5]["text"] == "It stays."


@pytest.mark.parametrize(
    "said",
    [
        {"answer": "Reed"},
        {"correct_answer": "Reed", "incorrect_answers": ["Rush"]},
        {"correct": "Reed", "incorrect": ["Rush"]},
        {"answers": ["Rush", "Reed"], "answer": 1},
        {"options": ["Rush", "Reed"], "correctIndex": 1},
    ],
)
def test_questions_with_answers_are_cards_to_learn_from(
    project: Project, said: dict[str, Any]
) -> None:
    asked = [{"question": f"What grows at pond {n}?", **said} for n in range(3)]
    cards, _ = import_data(project, asked)
    assert [card["text"] for card in cards] == ["Reed"] * 3
    assert cards[2]["name"] == "What grows at pond 2?"
    assert "template: flashcard\nback: flashcard-back\n" in Path(DECK).read_text("utf-8")


def test_the_words_of_fields_are_counted_where_there_is_no_text(project: Project) -> None:
    _, said = import_data(project, [{"name": f"Pond {n}", "grows": "much reed"} for n in range(3)])
    assert "1. Pond 0, 2 words" in said
    _, said = import_data(project, [{"name": f"Pond {n}", "text": "Reed"} for n in range(3)])
    assert "1. Pond 0, 1 word\n" in said


def test_numbers_that_begin_anew_with_each_suit_are_no_counts(project: Project) -> None:
    places = [*range(9), *range(1, 7), *range(1, 7)]
    cards, _ = import_data(
        project, [{"name": f"Pond {n}", "number": str(one)} for n, one in enumerate(places)]
    )
    assert [card["number_2"] for card in cards] == [str(one) for one in places]
    assert {card["count"] for card in cards} == {1}
    assert "number_2: Number\n" in Path(DECK).read_text("utf-8")


def test_small_numbers_in_any_order_are_counts(project: Project) -> None:
    counts = [1, 2, 3, 1, 2, 1, 2, 1, 2, 3]
    cards, _ = import_data(
        project, [{"name": f"Pool {n}", "number": one} for n, one in enumerate(counts)]
    )
    assert [card.get("count", 1) for card in cards] == counts


PEOPLE = "Last Name,First Name,Company\nMarsh,Oda,Marsh & Daughter\nTower,,The Mill\n"


def test_names_in_two_columns_are_one(project: Project) -> None:
    cards, said = import_data(project, PEOPLE, name="people.csv")
    assert [(card["name"], card["company"]) for card in cards] == [
        ("Oda Marsh", "Marsh & Daughter"),
        ("Tower", "The Mill"),
    ]
    assert "no column is called as names are" not in said
    ran = project.run("build", "people.csv")
    assert 'add one for "first_name" and "last_name" together' in ran.stderr


def test_of_names_in_two_columns_one_may_be_taken(project: Project) -> None:
    cards, _ = import_data(project, PEOPLE, "--map", "name=Last Name", name="people.csv")
    assert [card["name"] for card in cards] == ["Marsh", "Tower"]


def test_lists_side_by_side_with_the_same_keys_are_one(project: Project) -> None:
    groups = yaml.safe_load(GROUPED)["gruppen"]
    data = {"v": 1, **{one["titel"]: one["einheiten"] for one in groups}}
    assert list_kinds(project, data, "geest.json") == KINDS


SPREADSHEET = """\
Gran Premio\t\t\t\t
\tVel.\tPrezzo\tCopie\tEffetto
Mezzo\t(0-10)\t(lire)\t(n.)\t
DI TERRA\t\t\t\t
Carretto\t4\t20\t2\tVende un cono a chi passa.
Trattore\t2\t35\t1\tTraina un altro veicolo.
\t\t\t\t
D'ACQUA\t\t\t\t
Zattera\t1\t5\t4\tGira in tondo.
Totale\t\t\t7\t
nota: il prezzo della zattera è da rivedere\t\t\t\t
seconda nota: le copie sono quelle della prima edizione\t\t\t\t
"""


def test_titles_units_and_notes_of_a_spreadsheet(project: Project) -> None:
    cards, said = import_data(project, SPREADSHEET, name="mezzi.tsv")
    assert [(c["name"], c["kind"], c["vel"], c["cost"], c["count"]) for c in cards] == [
        ("Carretto", "Di Terra", "4", 20, 2),
        ("Trattore", "Di Terra", "2", 35, 1),
        ("Zattera", "D'acqua", "1", 5, 4),
    ]
    assert "prose: nota: il prezzo" in said and "heading: DI TERRA" in said
    assert said.index("nota: il prezzo") < said.index("seconda nota")


TOML = """\
title = "Geest"
[[card]]
name = "Torfkahn"
kind = "Von der Geest"
since = 1999-05-01
[[card]]
name = "Moorhexe"
kind = "Von der Geest"
[[card]]
name = "Wattläufer"
kind = "Vom Watt"
"""
INI = """\
[Torfkahn]
kind=Von der Geest
[Moorhexe]
kind = Von der Geest
[Wattläufer]
kind: Vom Watt
"""
XML = """\
<?xml version="1.0"?>
<deck v="1">
  <card id="1"><name>Torfkahn</name><kind>Von der Geest</kind></card>
  <!-- to be drawn -->
  <card id="2"><name>Moorhexe</name><kind>Von der Geest</kind></card>
  <card id="3"><name>Wattläufer</name><kind>Vom Watt</kind></card>
</deck>
"""
DATA = {"geest.toml": TOML, "geest.ini": INI, "geest.xml": XML}


@pytest.mark.parametrize("name", DATA)
def test_data_in_other_forms(project: Project, name: str) -> None:
    assert list_kinds(project, DATA[name], name) == KINDS


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.toml", "[[card]\n", "a.toml: this is no TOML: "),
        ("a.ini", "[Axe]\nkind\n", "a.ini:2: this is no INI: "),
        ("a.xml", "<a>\n<b></a>", "a.xml:2:8: this is no XML: "),
        ("b.xml", "<a>" * 200 + "</a>" * 200, "b.xml: this XML is nested too deeply"),
    ],
)
def test_broken_data_are_told(project: Project, name: str, data: str, said: str) -> None:
    project.write(name, data)
    ran = project.run("import", name, "-o", DECK)
    assert ran.code == 1 and ran.stderr.startswith(said)


def test_broken_yaml_is_told_with_its_line(project: Project) -> None:
    project.write("geest.yml", GROUPED.replace("Trägt Torf.}", "Trägt Torf."))
    ran = project.run("import", "geest.yml", "-o", DECK)
    assert ran.code == 1 and "geest.yml:7:9: not valid YAML" in ran.stderr


def test_a_text_of_named_parts_is_no_list_of_cards(project: Project) -> None:
    parts = [{"name": f"Part {n}", "entries": [f"It stings {n} times."]} for n in range(3)]
    (card,), said = import_data(project, [{"name": "Wasp", "entries": parts}])
    assert card["text"].startswith("**Part 0**: It stings 0 times.")
    assert "?" not in said


def test_the_list_that_holds_the_cards_is_no_other(project: Project) -> None:
    sets = [
        {"name": n, "cards": [{"name": f"{n} {m}"} for m in range(2)]} for n in ("Core", "More")
    ]
    cards, said = import_data(project, {"sets": sets})
    assert len(cards) == 4
    assert "several lists" not in said


def test_columns_of_a_table(project: Project) -> None:
    data = {"Name": ["Axe", "Saw"], "Qty": [2, 1], "Effect": ["Chops.", None]}
    cards, _ = import_data(project, data)
    assert [(card["name"], card["count"], card.get("text")) for card in cards] == [
        ("Axe", 2, "Chops."),
        ("Saw", 1, None),
    ]


def test_numbers_are_no_names(project: Project) -> None:
    cards, _ = import_data(project, {"0": {"Name": "Axe", "cost": 1}, "1": {"Name": "Saw"}})
    assert [card["name"] for card in cards] == ["Axe", "Saw"]


def test_what_is_no_object_is_left_out(project: Project) -> None:
    cards, said = import_data(project, ["Old ones", {"name": "Axe", "text": "Chops."}, None, 5])
    assert len(cards) == 1
    assert "items.json:1-4: no object with keys: Old ones 5\n" in said


def test_other_sheets_are_named(project: Project) -> None:
    book = openpyxl.Workbook()
    for name in ("Axes", "Saws", "Notes"):
        sheet = book.create_sheet(name)
        sheet.append(("Name", "Text"))
        sheet.append((name[:-1], "Cuts."))
    book["Notes"].sheet_state = "hidden"
    del book["Sheet"]
    book.save(project.folder / "items.xlsx")
    said = project.run("import", "items.xlsx", "-o", DECK).stdout
    assert '? items.xlsx holds several sheets: taken is "Axes"; others are --sheet "Saws"\n' in said
    again = project.run("import", "items.xlsx", "-o", "decks/more.yaml", "--sheet", "Saws").stdout
    assert "several sheets" not in again


# Nested texts

ENTRIES = [
    "It stings.",
    {"type": "list", "items": ["One wasp.", {"type": "item", "name": "Two", "entry": "A pair."}]},
    {"type": "entries", "name": "At Night", "entries": ["It sleeps.", "It dreams."]},
    {
        "type": "table",
        "caption": "Luck",
        "colLabels": ["d6", "Who", "What"],
        "rows": [["1", "You", "fall"], [2, "", "flies"]],
    },
]


def test_nested_texts_are_paragraphs() -> None:
    assert list_paragraphs(ENTRIES) == [
        "It stings.",
        "• One wasp.",
        "• **Two**: A pair.",
        "**At Night**: It sleeps.",
        "It dreams.",
        "**Luck**",
        "**1**: who You, what fall",
        "**2**: what flies",
    ]


def test_the_text_of_a_card_may_be_nested(project: Project) -> None:
    (card,), said = import_data(project, [{"name": "Wasp", "entries": ENTRIES}])
    assert card["text"].startswith(
        "It stings.\n\n• One wasp.\n\n• **Two**: A pair.\n\n**At Night**: It"
    )
    assert "?" not in said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"quantity": 5, "unit": "gp"}, "5 gp"),
        ({"amount": 1, "type": "hour", "upTo": True, "exact": False}, "1 hour (up to)"),
        ({"index": "fire", "name": "Fire", "url": "/api/fire"}, "Fire"),
        ({"value": "60 feet"}, "60 feet"),
        ({"v": True, "s": False, "m": "a bit of fur"}, "v, m a bit of fur"),
        ([{"name": "Light"}, {"name": "Thrown"}], "Light, Thrown"),
        ([{"value": 5, "skill": {"name": "Stealth", "url": "/a/b"}}], "5 Stealth"),
        (
            [{"name": "Bite", "damage": 3, "types": ["fire", "cold"]}],
            "Bite (damage 3, types fire, cold)",
        ),
        ([[1, 2], [3]], "1, 2; 3"),
        ([{"x": 1, "y": None, "isLoud": True}], "x 1, is loud"),
    ],
)
def test_what_is_short_is_one_text(value: Any, said: str) -> None:
    assert tell(value) == said


def test_a_list_of_actions_is_labelled_lines(project: Project) -> None:
    action = {"name": "Bite", "bonus": 7, "desc": "It bites whoever stands beside it, once."}
    cards, _ = import_data(project, [{"name": "Wolf", "desc": "A wolf.", "actions": [action]}])
    assert cards[0]["actions"] == ["**Bite** (bonus 7): It bites whoever stands beside it, once."]


def test_data_within_cells(project: Project) -> None:
    table = 'Name,Parts,Outlay,Note\nAxe,"[""V"", ""S""]","{\'gold\': 5}",[sic]\n'
    (card,), said = import_data(project, table, name="items.csv")
    assert (card["parts"], card["outlay"], card["note"]) == ("V, S", "gold 5", "[sic]")
    assert "markup" not in said


def test_cells_of_several_lines_and_odd_signs(project: Project) -> None:
    table = 'Name,More,Parts,Text\nAxe,"Cuts\n\n twice",[],five\u2011headed\u200b\n'
    (card,), _ = import_data(project, table, name="items.csv")
    assert (card["more"], card["text"]) == ("Cuts\n\ntwice", "five-headed")
    assert card.get("parts") is None


def test_what_nests_without_end(project: Project) -> None:
    project.write("items.json", '[{"name": "A", "x": ' + '{"y": [' * 99 + "]}" * 99 + "}]")
    ran = project.run("import", "items.json", "-o", DECK)
    assert (ran.code, ran.stderr.partition("\n")[0]) == (
        1,
        "items.json: this JSON is nested too deeply",
    )


# Markup


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Deals {@damage 2d6} {@b now}, {@item axe|book|an axe}.", "Deals 2d6 **now**, an axe."),
        ("A {@dc 10} roll, {@note see {@i here}}.", "A DC 10 roll, see *here*."),
        ("See [[Sword]] and [[Long page|that one]].", "See Sword and that one."),
        ("See [the rules](http://a.b/c(d)) ![x](y.png).", "See the rules x."),
        ("## Effect\nIt rings.", "**Effect**\nIt rings."),
        ("[b]Loud[/b] and [i]soft[/i][url=x]!", "**Loud** and *soft*!"),
        ("Take:\n- one\n- two", "Take:\n• one\n• two"),
        ("- 5 damage", "- 5 damage"),
        ("| d6 | What |\n|---|---|\n| 1 | Fall |", "**d6**: What\n**1**: Fall"),
        ("<table><tr><th>d6</th><td>What</td></tr></table>", "d6, What\n\n"),
        ("Use `axe`.", "Use axe."),
        ("# of cards", "# of cards"),
        ("{name} and [x] stay, |a| too, {@h}", "{name} and [x] stay, |a| too, {@h}"),
    ],
)
def test_markup_is_understood(written: str, read: str) -> None:
    assert read_markup(written) == read


# Columns


def test_the_longest_texts_are_taken(project: Project) -> None:
    table = (
        "Name,Range,Power of it,Flavour\n"
        'Axe,near,Chops down a tree within one turn,"Long, long ago somebody had an axe to grind"\n'
        "Saw,far,Saws down a tree in two turns,And then somebody had a saw that was much too loud\n"
    )
    cards, said = import_data(project, table, name="items.csv")
    assert cards[0]["text"] == "Chops down a tree within one turn"
    assert cards[1]["flavour"].startswith("And then")
    assert (
        '? items.csv: no column is called as texts are, and "Power of it" is taken, which has the'
        " longest ones; --map text=COLUMN takes another\n"
    ) in said
    mapped = import_data(project, table, "--map", "text=Flavour", "--force", name="more.csv")[1]
    assert "called as texts are" not in mapped


def test_values_are_no_texts(project: Project) -> None:
    cards, said = import_data(
        project, "Name,Range,Damage\nAxe,near,1\nSaw,very far,2\n", name="a.csv"
    )
    assert (cards[1]["range"], "text" in cards[1]) == ("very far", False)
    assert "?" not in said


def test_a_text_column_that_is_empty(project: Project) -> None:
    rows = "".join(f"Axe {n},Chops down tree {n} within a turn,\n" for n in range(5))
    cards, said = import_data(
        project, f"Name,Move,Notes\n{rows}Saw,Saws it off,Mine\n", name="a.csv"
    )
    assert cards[5]["text"] == "Saws it off"
    assert cards[5]["notes"] == "Mine"
    assert '"Notes" is empty on most cards, and "Move" is taken' in said


def test_columns_that_only_programs_read(project: Project) -> None:
    data = [
        {
            "_id": f"{n}aB3dE5fG7hI9jK1m",
            "index": f"sword-{n}",
            "tag": f"sword-{n}",
            "name": f"Sword {n}",
            "url": f"/api/swords/{n}",
            "text": f"It **cuts** {n} times.",
            "plain_text": f"It cuts {n} times.",
            "code": f"00{n}",
        }
        for n in range(4)
    ]
    cards, said = import_data(project, data)
    assert {"name", "text", "code"} <= cards[0].keys()
    assert not {"_id", "id_2", "index", "tag", "url", "plain_text"} & cards[0].keys()
    assert 'items.json:1: column "url", which holds addresses: /api/swords/0, /api/swords/1' in said
    assert 'column "_id", which only programs read: 0aB3' in said
    assert 'column "index", which only programs read: sword-0' in said
    assert 'column "tag", which says again what "name" says: sword-0' in said
    assert 'column "plain_text", which says again what "text" says: It cuts 0' in said


def test_what_is_mapped_stays(project: Project) -> None:
    data = [{"name": f"Axe {n}", "url": f"/api/{n}"} for n in range(3)]
    cards, _ = import_data(project, data, "--map", "web=url")
    assert cards[2]["web"] == "/api/2"


def test_a_column_that_numbers_cards_is_no_count(project: Project) -> None:
    cards, _ = import_data(project, "No.,Name\n1,Axe\n2,Saw\n3,Bow\n", name="a.csv")
    assert [(card["count"], card["no"]) for card in cards] == [(1, "1"), (1, "2"), (1, "3")]
    cards, _ = import_data(project, "No.,Name\n1,Axe\n3,Saw\n2,Bow\n", "--force", name="b.csv")
    assert [card["count"] for card in cards] == [1, 3, 2]


@pytest.mark.parametrize(
    ("cost", "said", "doubts"),
    [("5 gp", "5 gp", 0), ("1,000 gp", "1,000 gp", 0), ("30", 30, 0), ("dear", "dear", 1)],
)
def test_a_cost_in_words(project: Project, cost: str, said: object, doubts: int) -> None:
    (card,), report = import_data(project, f'Name,Cost\nAxe,"{cost}"\n', name="a.csv")
    assert card["cost"] == said
    assert report.count("is no figure") == doubts


def test_columns_in_german(project: Project) -> None:
    table = "Name;Anzahl;Kosten;Nur für;Wirkung\nAxt;2;15;Zwerge;Sie fällt jeden Baum.\n"
    (card,), said = import_data(project, table, name="a.csv")
    assert (card["count"], card["cost"], card["who"]) == (2, 15, "Zwerge")
    assert card["text"] == "Sie fällt jeden Baum."
    assert "?" not in said


def test_keys_with_humps(project: Project) -> None:
    (card,), _ = import_data(
        project, [{"cardName": "Axe", "rulesText": "Chops.", "castTime": "1 h"}]
    )
    assert (card["name"], card["text"], card["cast_time"]) == ("Axe", "Chops.", "1 h")


def test_what_is_within_a_thing_is_called_by_it(project: Project) -> None:
    data = [
        {
            "name": f"Axe {n}",
            "stats": {"attack": n},
            "range": {"near": 5, "far": 10},
            "damage": {"damage_dice": "1d6", "at": {"2": "2d6", "3": "3d6"}},
            "area": {"type": "cube"},
            "id": 700 + 3 * n,
        }
        for n in range(3)
    ]
    cards, said = import_data(project, data)
    fields = {key for key in cards[0] if cards[0][key] is not None}
    assert fields >= {"attack", "range_near", "range_far", "damage_dice", "damage_at", "area_type"}
    assert cards[0]["damage_at"] == "2: 2d6, 3: 3d6"
    assert "kind" not in fields
    assert 'column "id", which only programs read: 700, 703, 706' in said


# What is printed


def find_template(project: Project) -> str:
    deck = (project.folder / DECK).read_text("utf-8")
    return deck.partition("template: ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("table", "template"),
    [
        ("Name,Cost,Type,Text\nAxe,5,Tool,Chops.\n", "poker-basic"),
        ("Name,Cost,Weight,Text\nAxe,5,,Chops.\n", "poker-basic"),
        ("Name,Cost,Weight,Text\nAxe,5,3 kg,Chops.\n", "fields"),
        ("Name,Picture\nAxe,axe.png\n", "poker-basic"),
    ],
)
def test_the_template_prints_all_fields(project: Project, table: str, template: str) -> None:
    import_data(project, table, name="a.csv")
    assert find_template(project) == template


@pytest.mark.parametrize("template", PRINTED)
def test_what_templates_are_said_to_print(template: str) -> None:
    """What an import takes for printed is what the template reads of a card."""
    library = Library(ROOT)
    found = read_template(library.get("template", template), library, parse_size("a4"))
    read = {
        field for one in found.elements for own in one.list_expressions() for field in own.fields
    }
    assert set(PRINTED[template]) <= read


def test_every_field_is_on_the_card(project: Project) -> None:
    fields = {f"label {n}": f"value{n}" for n in range(20)}
    data = [
        {"name": "Axe", "cost": "5 gp", **fields, "text": "Chops it down."},
        {
            "name": "Saw",
            "on": True,
            "off": False,
            "parts": ["grip", "teeth"],
            "label 3": "long " * 20,
        },
        {"name": "Bow", "kind": "Weapon", "rank": "Major", "cost": "as much as you have"},
    ]
    import_data(project, data)
    assert find_template(project) == "fields"
    pages = PdfDocument(project.build("mine", target="one-up").path)
    axe, saw, bow = (" ".join(page.get_textpage().get_text_range().split()) for page in pages)
    for n in range(20):
        assert f"Label {n}" in axe
        assert f"value{n}" in axe
    assert "5 gp" in axe
    assert "Chops it down." in axe
    assert "On" in saw
    assert "Off" not in saw
    assert "grip, teeth" in saw
    assert "Label 3 long long" in saw
    assert "WEAPON · MAJOR · AS MUCH AS YOU HAVE" in bow


# What is written


PLAIN = ["a", "to", "axe", "it's", "(near)", "longer-word", "sea,", "unimaginably", "12", "Ende."]


def test_a_card_is_written_as_pyyaml_writes_it() -> None:
    """Fields that need no care are written without it, and look the same."""
    chosen = random.Random(7)
    texts = [
        "no",
        "Axe",
        "it's",
        "a: b",
        "1e5",
        "x #y",
        "- z",
        "Ä?",
        "é\u00a0",
        "\U0001f409",
        "",
        "(a)",
        "3 kg",
        "12.5 m, x",
    ]
    words = [*texts, "[x]", "word", "longer-word", "of", "the", "sea,", "*all*"]
    joints = [" ", " ", " ", " ", "  ", "\n\n", "\n"]
    for number in range(700):
        plain = number % 2
        some = PLAIN if plain else words
        card: dict[str, Value] = {"name": chosen.choice(some)}
        for key in ("cost", "a_b", "text") if plain else ("cost", "no", "a_b", "über", "text"):
            many = chosen.choice((1, 3, 14, 40, 60))
            between = chosen.choice(([" "], [" "] * 4 + ["  "])) if plain else joints
            text = "".join(chosen.choice(some) + chosen.choice(between) for _ in range(many))
            value: Value = chosen.choice([text, text.strip(), text.strip(), 5, -3, True, None])
            if chosen.random() < 0.7:
                card[key] = value
        assert format_card(card) == _dump([card])


def test_groups_of_cards_are_their_kinds(project: Project) -> None:
    decks = [
        {"name": "Beans", "cards": [{"name": "Runner", "text": "Climbs."}, {"name": "Broad"}]},
        {"name": "Rain", "cards": [{"name": "Hail", "kind": "Ice"}]},
    ]
    found, _ = import_data(project, json.dumps({"decks": decks}))
    assert [(card["name"], card["kind"]) for card in found] == [
        ("Runner", "Beans"),
        ("Broad", "Beans"),
        ("Hail", "Ice"),
    ]


STORM = {"bez": "Sturm", "regeltext": "Alle verlieren eine Kiste."}
FOG = {"bez": "Nebel", "regeltext": "Niemand fährt."}
COOK = {"bez": "Köchin", "regeltext": "Alle ziehen eine Karte."}


@pytest.mark.parametrize(
    "data",
    [
        {
            "sets": [
                {"set": "A", "inhalt": {"wetter": [STORM, FOG]}},
                {"set": "B", "inhalt": {"leute": [COOK], "wetter": []}},
            ]
        },
        {"spalten": ["Bez.", "Text"], "zeilen": [[*one.values()] for one in (STORM, FOG, COOK)]},
        {str(n): {"kartenname": one["bez"], "text": one["regeltext"]}
         for n, one in enumerate((STORM, FOG, COOK))},
        {"karten": [{"bez": one["bez"], "regeln": [{"absatz": one["regeltext"]}]}
                    for one in (STORM, FOG, COOK)]},
        {"Wetter": {one["bez"]: one["regeltext"] for one in (STORM, FOG)},
         "Leute": {"Köchin": COOK["regeltext"], "Wirt": "Er hört alles."}},
    ],
)  # fmt: skip
def test_cards_lie_in_groups_of_groups_in_rows_and_under_numbers(
    project: Project, data: object
) -> None:
    cards, _ = import_data(project, data)
    assert [card["name"] for card in cards][:3] == ["Sturm", "Nebel", "Köchin"]
    assert [card["text"] for card in cards][:3] == [one["regeltext"] for one in (STORM, FOG, COOK)]
