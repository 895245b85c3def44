"""Makes notes of what a merge found, with the places in the deck and in the source.

Notes are written as texts, as data and as problems.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from cardgen.core.errors import Problem, Where, list_some, shorten
from cardgen.deck.model import Value
from cardgen.deck.yaml import Node
from cardgen.importing.merging.deck_text import list_cards
from cardgen.importing.merging.merge import CLASHES, Finding, Kind
from cardgen.importing.model import Candidate, Place

_WORD = re.compile(r"\w+")
_MOST_SHOWN = 60
_MOST_NAMED = 5
_PARTS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("taken from the source:", ("changed", "added", "removed")),
    ("not in the deck, as before:", ("out",)),
    ("both changed; the deck stays as it is:", CLASHES),
)


class Note(NamedTuple):
    """A finding with its places: of the field, or else of the card."""

    kind: Kind
    card: str
    field: str | None = None
    was: Value = None
    deck: Value = None
    source: Value = None
    deck_place: Where | None = None
    source_place: Place | None = None

    def describe(self) -> str:
        """Return one line that says what was found."""
        at = f" at {self.source_place}" if self.source_place else ""
        match self.kind:
            case "changed":
                now = "taken out" if self.source is None else f"now {_show(self.source, self.was)}"
                return f"{self.field} was {_show(self.was, self.source)}, {now}{at}"
            case "added":
                return f"added, from{at.removeprefix(' at')}"
            case "removed":
                return "removed, as it is gone from the source"
            case "out":
                return f"taken out of the deck, and as it was{at}"
            case "kept":
                return "changed here, and gone from the source"
            case "left out":
                return f"taken out of the deck, and changed{at}"
        return (
            f"{self.field} was {_show(self.was, self.deck)}, is {_show(self.deck, self.was)} here"
            f" and {_show(self.source, self.was)}{at}"
        )


def _show(value: Value, beside: Value) -> str:
    """Return a value as text; of a long text the part that differs from another."""
    if value is None:
        return "nothing"
    if not isinstance(value, str):
        return str(value)
    text = " ".join(value.split())
    other = " ".join(beside.split()) if isinstance(beside, str) else ""
    if len(text) > _MOST_SHOWN and other:
        pairs = zip(text, other, strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(text), len(other)))
        start = text.rfind(" ", 0, max(0, same - 10)) + 1
        text = f"…{text[start:]}" if start else text
    return f'"{shorten(text, _MOST_SHOWN)}"'


def make_notes(
    findings: Iterable[Finding],
    cards: Sequence[Candidate],
    node: Node,
    file: str,
    find_card: Callable[[Finding], int | None],
) -> tuple[Note, ...]:
    """Return notes with places in a deck's text; `find_card` gives the place of a card."""
    return tuple(_make_note(found, cards, node, file, find_card(found)) for found in findings)


def _make_note(
    found: Finding, cards: Sequence[Candidate], node: Node, file: str, place: int | None
) -> Note:
    deck_place = None
    if place is not None:
        card = list_cards(node)[place]
        deck_place = _locate(card, found.field.path if found.field else (), file)
    field = found.field
    source = cards[found.source] if found.source is not None else None
    if field is None:
        at = source.place if source else None
        return Note(found.kind, found.name, deck_place=deck_place, source_place=at)
    at = _find_line(source, field.was, field.theirs) if source else None
    name = ".".join(field.path)
    return Note(found.kind, found.name, name, field.was, field.ours, field.theirs, deck_place, at)


def _locate(card: Node, path: Sequence[str], file: str) -> Where:
    """Return the line of a field; of the card where it has no such field."""
    line = card.line
    for key in path:
        entry = (card.entries or {}).get(key)
        if entry is None:
            break
        line, card = entry.line, entry.node
    return Where(file, line)


def _find_line(card: Candidate, was: Value, now: Value) -> Place:
    """Return the place of the source's line with most of the new words."""
    new = set(_WORD.findall(str(now).casefold())) - set(_WORD.findall(str(was).casefold()))
    words = [len(new & set(_WORD.findall(line.text.casefold()))) for line in card.lines]
    return card.lines[words.index(max(words))].place


def make_problem(note: Note) -> Problem:
    return Problem(
        "import/both-changed",
        f'card "{shorten(note.card)}": {note.describe()}',
        note.deck_place or _point(note.source_place),
        "make the two agree; or import without --strict, and the deck stays as it is",
        card=note.card,
        field=note.field,
    )


def _point(place: Place | None) -> Where | None:
    return Where(place.file, place.line) if place else None


def format_notes(notes: Sequence[Note]) -> Iterator[str]:
    """Yield lines for people, grouped by what became of each note."""
    for head, kinds in _PARTS:
        chosen = [note for note in notes if note.kind in kinds]
        if chosen:
            yield head
        for note in chosen:
            place = f"{note.deck_place}: " if note.deck_place else ""
            yield f"     {place}{note.card}: {note.describe()}"


def list_notes(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Return the notes as plain data for programs."""
    return [
        {
            "kind": note.kind,
            "card": note.card,
            "field": note.field,
            "was": note.was,
            "deck": note.deck,
            "source": note.source,
            "deck_place": note.deck_place
            and {"file": note.deck_place.file, "line": note.deck_place.line},
            "source_place": note.source_place and note.source_place._asdict(),
        }
        for note in notes
    ]


def sum_up(notes: Iterable[Note]) -> str:
    """Return how many cards were added, changed and so on; an empty text where none was.

    Those that are gone are named.
    """
    cards: dict[str, dict[str, None]] = {}
    for note in notes:
        kind = "where both changed" if note.kind in CLASHES else str(note.kind)
        cards.setdefault(kind, {})[note.card] = None
    kinds = ("added", "changed", "removed", "where both changed")
    return ", ".join(
        f"{len(cards[kind])} {kind}" + (_name(list(cards[kind])) if kind == "removed" else "")
        for kind in kinds
        if kind in cards
    )


def _name(cards: Sequence[str]) -> str:
    return f" ({list_some(list(map(shorten, cards)), _MOST_NAMED)})"
