"""The schemas of decks and targets: they know the keys of the readers, say of them what the docs
say, and refuse nothing that a reader accepts.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Project
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from cardgen.core.errors import CardgenError
from cardgen.core.library import Library
from cardgen.core.toml import TomlReader
from cardgen.deck.model import CARD_KEYS, DECK_KEYS
from cardgen.deck.read import read_deck_file
from cardgen.deck.schema import CARD_MEANINGS, DECK_MEANINGS, make_deck_schema
from cardgen.deck.yaml import parse_yaml
from cardgen.pages.target import TARGET_KEYS
from cardgen.pages.target_file import make_target_schema, read_target

ROOT = Path(__file__).resolve().parent.parent.parent
DECK = Draft202012Validator(make_deck_schema())
TARGET = Draft202012Validator(make_target_schema())
HEAD_AND_KEYS = {"extends", "title", *TARGET_KEYS}

_EXAMPLE = re.compile(
    r"^```(yaml|toml) example=(\S+)( fails)?\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
# What is wrong with them is not a matter of form: ids that there are not, a key that is a slip,
# lengths that do not go together, a file that is missing.
BEYOND = {"labels", "small-swords", "tight", "wrong-trouble"}


def read_yaml(text: str) -> Any:
    """A deck's values as cardgen reads them."""
    node = parse_yaml(text, "deck.yaml", [])
    return node.value if node else None


def find_faults(validator: Draft202012Validator, value: Any) -> list[str]:
    return [
        f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in validator.iter_errors(value)
    ]


def list_examples(language: str) -> list[Any]:
    pages = sorted((ROOT / "docs").glob("*.md"))
    found = [m for page in pages for m in _EXAMPLE.finditer(page.read_text(encoding="utf-8"))]
    return [pytest.param(m[4], bool(m[3]), id=m[2]) for m in found if m[1] == language]


# What they say


@pytest.mark.parametrize("validator", [DECK, TARGET], ids=["deck", "target"])
def test_they_are_schemas(validator: Draft202012Validator) -> None:
    Draft202012Validator.check_schema(validator.schema)


def test_the_keys_of_decks_and_cards() -> None:
    schema = make_deck_schema()
    assert set(schema["properties"]) == set(DECK_KEYS) == set(DECK_MEANINGS)
    for name in ("card", "change"):
        assert set(schema["$defs"][name]["properties"]) == set(CARD_KEYS) == set(CARD_MEANINGS)
    assert set(schema["$defs"]["addition"]["properties"]) == {*CARD_KEYS, "like"}


def test_the_keys_of_a_target(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    take = TomlReader._take

    def note(reader: TomlReader, key: str) -> Any:
        asked.add(key)
        return take(reader, key)

    monkeypatch.setattr(TomlReader, "_take", note)
    read_target(project.write("a.toml", 'title = "A"\npaper = "a4"\nback_bleed_x = 0\n'))
    asked.add("back_bleed_y")
    assert set(make_target_schema()["properties"]) == asked == HEAD_AND_KEYS


@pytest.mark.parametrize(
    ("page", "meanings"),
    [
        ("deck-format.md", DECK_MEANINGS),
        ("deck-format.md", CARD_MEANINGS),
    ],
    ids=["deck", "card"],
)
def test_a_key_means_what_the_docs_say(page: str, meanings: dict[str, str]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", text, re.MULTILINE)
    said = {(key, re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell)) for key, cell in rows}
    assert set(meanings.items()) <= said


def test_every_key_is_described() -> None:
    for schema in (make_deck_schema(), make_target_schema()):
        assert [
            key for key, value in schema["properties"].items() if "description" not in value
        ] == []


@pytest.mark.parametrize("kind", ["deck", "target"])
def test_the_command_prints_them(project: Project, kind: str) -> None:
    ran = project.run("schema", kind)
    made = make_deck_schema() if kind == "deck" else make_target_schema()
    assert (ran.code, ran.stderr, json.loads(ran.stdout)) == (0, "", made)
    assert ran.stdout.startswith('{\n  "$schema": "https://json-schema.org/draft/2020-12/schema"')


def test_the_command_knows_no_others(project: Project) -> None:
    ran = project.run("schema", "decks")
    assert ran.code == 2
    assert "'decks' is not one of 'deck', 'target'" in ran.stderr


# What they accept and refuse


@pytest.mark.parametrize(
    "path", sorted((ROOT / "decks").glob("*.yaml")), ids=lambda path: path.stem
)
def test_a_shipped_deck(path: Path) -> None:
    assert find_faults(DECK, read_yaml(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "assets/targets").glob("*.toml")), ids=lambda path: path.stem
)
def test_a_shipped_target(path: Path) -> None:
    assert find_faults(TARGET, tomllib.loads(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(("text", "fails"), list_examples("yaml"))
def test_a_deck_of_the_docs(text: str, fails: bool, request: pytest.FixtureRequest) -> None:
    fails = fails and request.node.callspec.id not in BEYOND
    assert bool(find_faults(DECK, read_yaml(text))) == fails


@pytest.mark.parametrize(("text", "fails"), list_examples("toml"))
def test_a_target_of_the_docs(text: str, fails: bool, request: pytest.FixtureRequest) -> None:
    fails = fails and request.node.callspec.id not in BEYOND
    assert bool(find_faults(TARGET, tomllib.loads(text))) == fails


def test_the_comment_that_names_a_schema_is_one(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>")
    head = "# yaml-language-server: $schema=../schemas/deck.json\n"
    project.write_deck(head=f"{head}template: plain\ntarget: mine\n")
    project.write(
        "targets/mine.toml", '#:schema ../schemas/target.json\ntitle = "Mine"\nextends = "a4"\n'
    )
    assert project.find_problems() == ""


@pytest.mark.parametrize(
    "text",
    [
        "titel: A\ncards: [{name: A}]",
        "cards: []",
        "title: A",
        "cards: [{name: A, count: many}]",
        "cards: [{name: A, count: -1}]",
        "cards: [{name: A, count: 10001}]",
        "cards: [{name: [A]}]",
        "cards: [{text: A}]",
        "cards: [{name: A, 2nd: x}]",
        "cards: [{name: A, a b: x}]",
        "cards: [{name: A, id: 'a b'}]",
        "cards: [A]",
        "cards: a.txt",
        "language: e\ncards: [{name: A}]",
        "title: |-\n  two\n  lines\ncards: [{name: A}]",
        "defaults: {name: A}\ncards: [{name: A}]",
        "defaults: [a]\ncards: [{name: A}]",
        "keep: [a]\ncards: [{name: A}]",
        "extends: a\nkeep: [a]\ndrop: [b]",
        "extends: a\ncards: [{name: A}]",
        "extends: a\nadd: [{like: a}]",
        "extends: a\ncounts: {a: x}",
        "extends: a\nkeep: a",
        "extends: a\nkeep: [a, a]",
        "sheet: A\ncards: a.csv",
        "- name: A",
    ],
)
def test_a_deck_that_is_wrong_in_form(project: Project, text: str) -> None:
    assert find_faults(DECK, read_yaml(text))
    project.write("decks/a.csv", "name\nA\n")
    project.write("decks/deck.yaml", text)
    assert project.find_problems() != ""


# Whatever a reader accepts

_lines = st.sampled_from(["a", "magic", " a ", "1", "", "a b", "Größe", "a\nb", "a\tb", "none"])
_scalars = st.one_of(_lines, st.none(), st.booleans(), st.integers(-2, 3), st.just(10_001))
_values = st.one_of(_scalars, st.lists(_scalars, max_size=2), st.just({"a": 1}), st.floats(0, 3))
_names = st.sampled_from([*CARD_KEYS, "text", "größe", "a-b", "2nd", "_a", "class", "like", "A.b"])
# One odd thing in a sound deck, so that many are read.
_odd_cards = st.builds(lambda key, value: {"name": "Sword", key: value}, _names, _values)
_odd_keys = st.builds(
    lambda key, value: {"cards": [{"name": "Sword", "cost": 1}], key: value},
    st.sampled_from([*DECK_KEYS, "titel"]),
    st.one_of(_values, _odd_cards, st.sampled_from(["de", "en-GB", "de-AT-1996", "a.csv"])),
)
_odd_variants = st.builds(
    lambda key, value: {"extends": "base", key: value},
    st.sampled_from(DECK_KEYS),
    st.one_of(
        _values,
        st.lists(st.sampled_from(["sword", "bow", "1", 1, None]), max_size=2),
        st.dictionaries(st.sampled_from(["sword", "bow"]), st.one_of(_odd_cards, _values)),
        st.lists(st.one_of(_odd_cards, st.just({"like": "bow", "id": "b"})), max_size=2),
    ),
)
_decks = st.one_of(st.builds(lambda card: {"cards": [card]}, _odd_cards), _odd_keys, _odd_variants)


def test_no_deck_that_can_be_read_is_refused(tmp_path: Path) -> None:
    accepted = []
    (tmp_path / "a.csv").write_text("name\nA\n", encoding="utf-8")
    (tmp_path / "base.yaml").write_text("cards: [{name: Sword}, {name: Bow}]\n", encoding="utf-8")
    path = tmp_path / "deck.yaml"

    @settings(max_examples=400, deadline=None)  # all, since what is read of them is counted
    @given(_decks)
    def judge(deck: dict[str, Any]) -> None:
        path.write_text(yaml.safe_dump(deck, allow_unicode=True), encoding="utf-8")
        try:
            read_deck_file(path)
        except CardgenError:
            return
        accepted.append(deck)
        assert find_faults(DECK, read_yaml(path.read_text(encoding="utf-8"))) == []

    judge()
    assert len(accepted) > 50


_lengths = st.sampled_from(
    ["3mm", " 1.5 MM", ".5in", "+2pt", "0", "none", "-1mm", "0mm", "2", "-0pt"]
)
_numbers = st.one_of(
    st.integers(-1, 120), st.just(2401), st.booleans(), st.sampled_from([0.0, 1.5])
)
_sizes = ["A4", "a4 Landscape", "letter-landscape", "poker", " 63mm x  88mm", "63 x 88mm", "Card"]
_words = st.sampled_from(
    [
        *_sizes,
        "a",
        " ",
        "a\nb",
        "{side}",
        "{place:03}-{{}}-{side}.x",
        "{sid}",
        "a/{side}",
        "best",
        "gutterfold",
        "both",
        "once",
        "png",
        "cmyk",
        "x-4",
        "outlines",
        "fronts-backs",
        "level",
    ]
)
_tables = st.dictionaries(st.sampled_from(["left", "top", "lfet"]), _lengths, max_size=2)
_entries = st.one_of(_lengths, _numbers, _words, _tables, st.just(["3mm"]))
_targets = st.fixed_dictionaries(
    {"title": st.one_of(st.just("A"), _words), "paper": st.sampled_from(_sizes)},
    optional={
        key: _entries for key in sorted({*HEAD_AND_KEYS, "mark"}) if key not in ("title", "paper")
    },
)


def write_toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {write_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_toml, value)) + "]"
    return json.dumps(value)


def test_no_target_that_can_be_read_is_refused(tmp_path: Path) -> None:
    """Each key by itself, so that most are read."""
    accepted = set()

    @settings(max_examples=400, deadline=None)  # all, since what is read of them is counted
    @given(_targets, st.sampled_from(sorted(HEAD_AND_KEYS)))
    def judge(target: dict[str, Any], key: str) -> None:
        said = {name: target[name] for name in ("title", "paper", key) if name in target}
        path = tmp_path / "target.toml"
        text = "".join(f"{name} = {write_toml(value)}\n" for name, value in said.items())
        path.write_text(text, encoding="utf-8")
        try:
            read_target(path, Library(tmp_path))
        except CardgenError:
            return
        accepted.add(key)
        assert find_faults(TARGET, tomllib.loads(text)) == []

    judge()
    assert len(accepted) > 12  # of those tried, which differ from run to run
