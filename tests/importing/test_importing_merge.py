"""Importing again, for any deck and any changes of it and of its source: the rule of three sides
holds, no comment is lost, and a second time nothing happens.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from cardgen.deck.yaml import Node, parse_yaml
from cardgen.importing.importer import Imported
from cardgen.importing.merging.deck_text import read_deck_text
from cardgen.importing.merging.merge import CLASHES
from cardgen.importing.merging.patch import Wanted, patch_deck
from cardgen.importing.merging.record import Given, Record
from cardgen.importing.merging.update import Standing, update_deck
from cardgen.importing.model import Candidate, Place, SourceLine
from cardgen.importing.review import take_as_found
from cardgen.importing.write import make_cards

# Any deck, and any changes

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = ("Arrow", "Bell", "Cup", "Drum", "Eye", "Flute")
TEXTS = {
    name: f"{name.lower()}{n} {' '.join(f'{name[::-1].lower()}{w}' for w in range(12))}."
    for n, name in enumerate(NAMES)
}
Fields = dict[str, Any]
Deck = dict[str, Fields]

words = st.sampled_from(
    (
        "plain",
        "a: b # no comment",
        'it\'s "so"',
        "é 😀 ü",
        "1e5",
        "yes",
        "- x",
        "long " * 30 + "end",
    )
)
short = st.sampled_from(("plain", "a: b # no", "é 😀 ü", "- x"))
paragraphs = st.lists(words, min_size=1, max_size=3).map("\n\n".join)


@st.composite
def draw_fields(draw: st.DrawFn, name: str) -> Fields:
    """The text tells whose card it is; the rest is as it comes."""
    fields: Fields = {"text": f"{TEXTS[name]}\n\n{draw(short)}"}
    for key, values in (("cost", st.integers(-3, 3)), ("who", words), ("note", paragraphs)):
        if draw(st.booleans()):
            fields[key] = draw(values)
    if draw(st.booleans()):
        fields["stats"] = draw(
            st.dictionaries(st.sampled_from("RAH"), st.integers(1, 3), min_size=1)
        )
    return fields


@st.composite
def draw_change(draw: st.DrawFn, deck: Deck) -> Deck:
    """A deck of which some cards and fields are others."""
    changed: Deck = {}
    for name in NAMES:
        what = draw(st.sampled_from(("same", "same", "other", "gone")))
        if what == "gone":
            continue
        if name not in deck or what == "other":
            fresh = draw(draw_fields(name))
            own = deck.get(name, fresh)
            keys = draw(st.sets(st.sampled_from(("cost", "who", "note", "stats", "text"))))
            changed[name] = {key: value for key, value in own.items() if key not in keys}
            changed[name] |= {key: value for key, value in fresh.items() if key in keys}
            changed[name].setdefault("text", own["text"])
        else:
            changed[name] = deck[name]
    return changed or deck


@st.composite
def draw_deck_text(draw: st.DrawFn, deck: Deck) -> str:
    """A deck as somebody may have written it: in any style, with comments all over."""
    count = iter(range(10_000))

    def note(before: str) -> str:
        return f"{before}# note {next(count)}." if draw(st.integers(0, 5)) == 0 else ""

    def write(value: Any, indent: str) -> str:
        if isinstance(value, dict):
            if draw(st.booleans()):
                return f" {json.dumps(value)}{note('  ')}"
            return note(" ") + "".join(
                f"\n{indent}  {key}: {part}{note(' ')}" for key, part in value.items()
            )
        if not isinstance(value, str):
            return f" {value}{note('  ')}"
        if draw(st.booleans()):
            return f"   {json.dumps(value, ensure_ascii=False)}{note(' ')}"
        lines = (f"\n{indent}   {line}" if line else "\n" for line in value.split("\n"))
        return f" |-{note(' ')}{''.join(lines)}"

    gap, dash = draw(st.sampled_from(("", "\n"))), draw(st.sampled_from(("- ", "  - ", "  -   ")))
    indent = " " * len(dash)
    text = f"# At the top.\ntitle: X{note(' ')}\ncards:{note(' ')}\n"
    for name, fields in deck.items():
        above = note(" " * dash.index("-"))
        text += gap + (f"{above}\n" if above else "")
        for number, (key, value) in enumerate(
            draw(st.permutations([("name", name), *fields.items()]))
        ):
            below = note(f"\n{indent}")
            text += f"{indent if number else dash}{key}:{write(value, indent)}{below}\n"
    return text + draw(st.sampled_from(("", "# At the end.", "author: Me\n")))


def merge_by_rule(base: Fields, ours: Fields, theirs: Fields) -> tuple[Fields, set[str]]:
    """The rule once more, as it is said in the docs."""
    merged: Fields = {}
    clashes: set[str] = set()
    value: Any
    for key in {*base, *ours, *theirs}:
        was, own, new = base.get(key), ours.get(key), theirs.get(key)
        if isinstance(was, dict) and isinstance(own, dict) and isinstance(new, dict):
            value, inner = merge_by_rule(was, own, new)
            clashes |= {f"{key}.{name}" for name in inner}
        else:
            value = own if was == new else new if was == own else own
            if own not in (was, new) and was != new:
                clashes.add(key)
        if value not in (None, {}):
            merged[key] = value
    return merged, clashes


def merge_decks(base: Deck, ours: Deck, theirs: Deck, noted: set[str]) -> tuple[Deck, set[str]]:
    merged: Deck = {}
    clashes: set[str] = set()
    for name in {*base, *ours, *theirs}:
        was, own, new = base.get(name), ours.get(name), theirs.get(name)
        if own is None:
            if new is not None and was is None:
                merged[name] = new
            elif new is not None and new != was:
                clashes.add(name)
        elif new is None:
            if was is None or own != was or name in noted:
                merged[name] = own
                clashes |= set() if was is None else {name}
        elif was is None:
            merged[name] = own
            clashes |= {f"{name}.{key}" for key in new if own.get(key) != new[key]}
        else:
            merged[name], fields = merge_by_rule(was, own, new)
            clashes |= {f"{name}.{field}" for field in fields}
    return merged, clashes


def import_deck(deck: Deck) -> Imported:
    cards = tuple(
        Candidate(name, (SourceLine(Place("s.txt", n), name),), other=tuple(fields.items()))
        for n, (name, fields) in enumerate(deck.items(), 1)
    )
    return Imported(("s.txt",), cards, tuple(make_cards(cards)), ())


def settle(value: Any) -> Any:
    """A value without its line breaks, which are layout."""
    if isinstance(value, dict):
        return {key: settle(part) for key, part in value.items() if part != {}}
    return [part.split() for part in value.split("\n\n")] if isinstance(value, str) else value


def find_noted(text: str) -> set[str]:
    """The cards with a comment in them, at or below them, as a reader would see it."""
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if re.match(r" *- +\w+:", line)]
    noted = set()
    for n, start in enumerate(starts):
        end = starts[n + 1] if n + 1 < len(starts) else len(lines)
        column = lines[start].index("-")
        own = [line for line in lines[start:end] if re.match(r" *(- +)?\S", line)]
        own = [line for line in own if len(line) - len(line.lstrip()) >= column]
        above = lines[start - 1] if re.match(rf" {{{column}}}#", lines[start - 1]) else ""
        name = re.search(r'name:(?: +"(\w+)"| \|-.*\n +(\w+))', "\n".join(lines[start:end]))
        assert name
        if any(re.search(r"# note \d+\.$", line) for line in [*own_inner(own, column), above]):
            noted.add(name[1] or name[2])
    return noted


def own_inner(lines: list[str], column: int) -> list[str]:
    """Without the comment above the next card, which lies as deep as the hyphen."""
    return [line for line in lines if not re.match(rf" {{{column}}}#", line)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decks") / "mine.yaml"


@given(data=st.data())
@examples(100)
def test_any_changes_of_both_sides(path: Path, data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    base: Deck = {name: data.draw(draw_fields(name)) for name in names}
    ours, theirs = (data.draw(draw_change(base)) for _ in "ab")
    text = data.draw(draw_deck_text(ours))
    path.write_text(text, "utf-8")
    before = import_deck(base)
    ids = [str(values["name"]).lower() for values in before.values]
    record = Record((), tuple(map(Given, ids, before.values)))
    source = take_as_found(import_deck(theirs))
    update = update_deck(Standing(path, read_deck_text(path), record), source)
    written = update.data or text.encode()
    node = parse_yaml(written.decode(), "", [])
    assert node and isinstance(node.value, dict)
    cards: Any = node.value["cards"] or []
    found = {card.pop("name"): settle(card) for card in cards}
    wanted, clashes = merge_decks(base, ours, theirs, find_noted(text))
    assert found == settle(wanted)
    notes = [note for note in update.imported.notes if note.kind in CLASHES]
    assert {f"{note.card}.{note.field}" if note.field else note.card for note in notes} == clashes
    for comment in re.findall(r"# (?:note \d+|At the \w+)\.$", text, re.MULTILINE):
        assert comment in written.decode()
    path.write_bytes(written)
    again = update_deck(Standing(path, read_deck_text(path), update.record), source)
    assert (again.data, again.record) == (None, update.record)
    assert [note for note in again.imported.notes if note.kind != "out"] == []


# The decks that come with cardgen

SHIPPED = [
    path
    for path in sorted((ROOT / "decks").glob("*.yaml"))
    if "\ncards:\n" in path.read_text("utf-8")
]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_any_deck_can_be_changed(path: Path) -> None:
    """As people write them: every second card goes, the others get another text and a field."""
    deck = read_deck_text(path)
    wanted = [Wanted(None, {"name": "First"})]
    for place, card in enumerate(deck.list_ours()):
        values: Fields = {**card.values, "text": "One.\n\nTwo.", "added": [1, 2]}
        values.pop("cost", None)
        if place % 2:
            wanted += [Wanted(place, values), Wanted(None, {"name": f"New {place}", "cost": 5})]
    text = patch_deck(deck.text, deck.file, deck.node, wanted)
    head = deck.text[: deck.text.index("cards:")]
    assert text.startswith(head)
    assert text.count("name: New ") == len(wanted) // 2
    assert (
        patch_deck(
            text, deck.file, parse(text), [Wanted(n, w.values) for n, w in enumerate(wanted)]
        )
        == text
    )


def parse(text: str) -> Node:
    node = parse_yaml(text, "", [])
    assert node is not None
    return node
