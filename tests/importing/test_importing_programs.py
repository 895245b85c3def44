"""Importing what stands written out in the source of a program, which is never run."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_text, examples

from cardgen.core.errors import CardgenError
from cardgen.importing.tables.programs import parse_python, parse_script

DECK = "decks/mine.yaml"


def import_program(project: Project, name: str, text: str) -> list[dict[str, Any]]:
    project.write(name, text)
    ran = project.run("import", name, "-o", DECK)
    assert ran.code == 0, ran.stderr
    cards: list[dict[str, Any]] = json.loads(project.run("show", DECK, "--json").stdout)["cards"]
    return cards


SCRIPT = """
// The sparks of the game
import { Card, Rarity } from "./types";

interface Shown { name: string; size?: number; }

const BASE = { price: 3 };

export const SPARKS: Card[] = [
  {
    id: 'ember', name: "Ember", cost: 1, rarity: Rarity.VERY_RARE,
    text: 'It doesn\\'t burn: ' + "it glows.", tags: ['fire', "small",], // no water
    effect: (state) => { return { ...state, heat: state.heat + 1 }; },
    onPlay(state) { if (state.a) { draw(2); } },
  },
  {
    id: 'flare', name: "Flare", cost: -2, rarity: Rarity.COMMON, ...BASE,
    text: `Once per game
it shines.`, "worth": worthOf("flare"), [Key.GLOW]: 0x10, gone: undefined,
  },
  new Card({ id: 'glow', name: "Glow \\u{2192} Ash", cost: 1_000, rarity: Rarity.COMMON }) as Card,
];

export default function show(cards) { return cards.map((card) => ({ name: card.name })); }
"""


@pytest.mark.parametrize("name", ["sparks.ts", "sparks.js", "sparks.tsx", "sparks.mjs"])
def test_cards_in_a_script(project: Project, name: str) -> None:
    ember, flare, glow = import_program(project, name, SCRIPT)
    assert (ember["name"], ember["cost"], ember["text"]) == (
        "Ember",
        1,
        "It doesn't burn: it glows.",
    )
    assert (ember["rarity"], ember["tags"]) == ("Very rare", ["fire", "small"])
    assert not {"effect", "onplay", "on_play", "worth"} & {*ember, *flare}
    assert (flare["cost"], flare["rarity"], flare["glow"]) == (-2, "Common", 16)
    assert flare["text"].split() == ["Once", "per", "game", "it", "shines."]
    assert (glow["name"], glow["cost"]) == ("Glow → Ash", 1000)


def test_cards_by_their_names_and_in_several_lists(project: Project) -> None:
    text = (
        "module.exports.ITEMS = { lamp: {name: 'Old lamp', price: 3}, rope: {name: 'Rope',"
        " price: 1}, };\nlet rules = {players: 4};\n"
    )
    cards = import_program(project, "items.js", text)
    assert [(card["name"], card["cost"]) for card in cards] == [("Old lamp", 3), ("Rope", 1)]
    assert parse_script(text, "items.js").tree == {
        "ITEMS": {"lamp": {"name": "Old lamp", "price": 3}, "rope": {"name": "Rope", "price": 1}},
        "rules": {"players": 4},
    }


TRANSLATED = """
const P = (s) => s.replace(/1/g, "I");
export const WORDS = [
  {name: P("doq"), text: $t('Large'), play: (state) => state.heat + 1, hint: `at ${P("x")}`},
  {name: P("zhim"), text: i18n("Small"), play(state) { draw(2); }, ...MORE, worth: worthOf("a")},
  makeWord("gone"),
];
"""


def test_texts_that_are_marked_and_values_that_are_worked_out(project: Project) -> None:
    written = parse_script(TRANSLATED, "words.js")
    assert written.tree == [{"name": "doq", "text": "Large"}, {"name": "zhim", "text": "Small"}]
    assert written.lost == {"play": 2, "hint": 1, "...MORE": 1, "worth": 1, "makeWord": 1}
    project.write("words.js", TRANSLATED)
    ran = project.run("import", "words.js", "-o", DECK)
    said = "play (2 times), hint, ...MORE, worth, makeWord"
    assert f"words.js:1: values that the program works out: {said}" in ran.stdout


def test_texts_that_are_marked_in_python() -> None:
    text = "CARDS = [{'name': _('Sword'), 'worth': find_worth('a'), **MORE, 'note': None}]\n"
    written = parse_python(text, "a.py")
    assert written.tree == [{"name": "Sword", "note": None}]
    assert written.lost == {"worth": 1, "**MORE": 1}


PYTHON = '''
"""The spells."""
from dataclasses import dataclass

SPELLS = [
    Spell(name="Frost", cost=-1, kind=Kind.ICE_MAGIC, text="It freezes " "all.", play=lambda s: 3),
    {"name": "Fire", "cost": 2, "kind": Kind.FIRE, "text": "Burns.\\\\d", "tags": ("hot", "red")},
]
'''


def test_cards_in_python(project: Project) -> None:
    frost, fire = import_program(project, "spells.py", PYTHON)
    assert (frost["name"], frost["cost"], frost["kind"]) == ("Frost", -1, "Ice magic")
    assert (frost["text"], "play" in frost) == ("It freezes all.", False)
    assert (fire["text"], fire["tags"]) == ("Burns.\\\\d", ["hot", "red"])


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.ts", "export const n = 3;\n", "a.ts: there is no list of cards written out"),
        ("a.js", "const CARDS = make([1, 2]);\n", "a.js: there is no list of cards written out"),
        ("a.py", "CARDS = [\n", "a.py:1:9: this is no Python: '[' was never closed"),
        ("a.py", "import os\nos.remove('a.py')\n", "a.py: there is no list of cards written out"),
        ("a.py", f"CARDS = {'[' * 99}{']' * 99}\n", "a.py: this program is nested too deeply"),
        ("a.js", f"const c = {'[' * 99}'1'{']' * 99};", "a.js: this program is nested too deeply"),
    ],
)
def test_what_is_not_written_out(project: Project, name: str, text: str, said: str) -> None:
    project.write(name, text)
    ran = project.run("import", name, "-o", DECK)
    assert ran.code == 1
    assert ran.stderr.startswith(said)
    assert "let the program print its list of cards as JSON, and import that" in ran.stderr
    assert project.list_files() == [name]


STEPS = ["a={", "a=[{", "a=({", "=[`", "a=[b(", "={a:b?", "new ", "= [", "-", "+"]


@pytest.mark.parametrize("part", STEPS)
def test_a_script_of_one_thing_without_end_takes_no_time(part: str) -> None:
    start = time.process_time()
    with pytest.raises(CardgenError):
        parse_script(part * 10_000, "a.js")
    with pytest.raises(CardgenError):
        parse_script("a=[" + part * 10_000 + "]", "a.js")
    assert time.process_time() - start < 3


@pytest.mark.parametrize("line", ["a=[1, 2];", "a{n}=[b{n}(), 1];"])
def test_a_script_of_many_lists_takes_no_time(line: str) -> None:
    start = time.process_time()
    written = parse_script("".join(line.format(n=n) for n in range(15_000)), "a.js")
    assert len(written.tree) == 15_000
    assert time.process_time() - start < 3


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | any_text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text(), inner, max_size=4),
    max_leaves=12,
)


@given(TREES.filter(lambda tree: isinstance(tree, list | dict) and tree))
@examples(60)
def test_what_is_written_out_is_read_as_it_stands(tree: Any) -> None:
    assert parse_script(f"export const CARDS = {json.dumps(tree)};\n", "a.ts").tree == tree
    plain = json.loads(json.dumps(tree))
    assert parse_python(f"CARDS = {plain!r}\n", "a.py").tree == plain
