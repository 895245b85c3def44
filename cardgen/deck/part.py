"""One card of a deck in YAML read anew, after its text was changed and nothing else was.

To read a thousand cards takes a fifth of a second, which is too long for somebody who waits to see
what he wrote. What is read so is a guess: whoever asks reads the whole deck when there is time.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.check import check_deck
from cardgen.deck.model import Card, Deck
from cardgen.deck.yaml import read_yaml_text
from cardgen.deck.yaml_deck import read_yaml

_SUFFIXES = (".yaml", ".yml")
_BEGINS = re.compile(r"( *)- ")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a deck in YAML."""
    return read_yaml_text(path).split("\n")


def read_part(deck: Deck, before: Sequence[str], now: Sequence[str]) -> Deck | None:
    """Return a deck after a change within one of its cards; None where more is to be read.

    before: the lines of the file that the deck was read from
    now: its lines as they are
    """
    starts = _find_starts(deck, before)
    if not starts:
        return None
    first, last = _find_change(before, now)
    number = bisect_right(starts, first + 1) - 1
    if number < 0:
        return None
    grown = len(now) - len(before)
    begin = starts[number] - 1
    end = starts[number + 1] - 1 if number + 1 < len(starts) else _find_end(before, begin)
    if last > end or first >= end:
        return None
    head = now[: starts[0] - 1]
    part = now[begin : end + grown]
    if not _is_one_card(before[begin], part):
        return None
    card = _read_card(deck, [*head, *part], moved=begin - len(head), top=len(head))
    if card is None or not _fits(deck, number, card):
        return None
    later = deck.cards[number + 1 :]
    if grown:
        later = tuple(_move(card, grown, below=begin) for card in later)
    return replace(deck, cards=(*deck.cards[:number], _complete(deck, card), *later))


def _find_starts(deck: Deck, lines: Sequence[str]) -> list[int]:
    """Return the line in which each card begins; none for a deck that is not read so simply."""
    file = str(deck.path)
    simple = not (deck.problems or deck.notes or deck.translation)
    if deck.path.suffix.lower() not in _SUFFIXES or not simple:
        return []
    starts = [card.where.line or 0 for card in deck.cards if card.where.file == file]
    if len(starts) < len(deck.cards) or starts != sorted(set(starts)) or starts[-1] > len(lines):
        return []
    indents = {len(found[1]) for line in starts if (found := _BEGINS.match(lines[line - 1]))}
    begun = all(_BEGINS.match(lines[line - 1]) for line in starts)
    return starts if begun and len(indents) == 1 else []


def _find_change(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """Return the first line that differs, from 0 on, and that behind the last one before."""
    most = min(len(before), len(now))
    first = next((n for n in range(most) if before[n] != now[n]), most)
    same = 0
    while same < most - first and before[-1 - same] == now[-1 - same]:
        same += 1
    return first, len(before) - same


def _find_end(lines: Sequence[str], begin: int) -> int:
    """Return the line behind the last card: the next one that stands no deeper than its hyphen."""
    depth = len(lines[begin]) - len(lines[begin].lstrip(" "))
    for number in range(begin + 1, len(lines)):
        line = lines[number]
        if line.strip() and len(line) - len(line.lstrip(" ")) <= depth:
            return number
    return len(lines)


def _is_one_card(begin: str, part: Sequence[str]) -> bool:
    """Whether some lines are one card that begins as it did."""
    found = _BEGINS.match(begin)
    if found is None or not part or not part[0].startswith(found[0]):
        return False
    depth = len(found[1])
    inner = (line for line in part[1:] if line.strip() and not line.lstrip().startswith("#"))
    return all(len(line) - len(line.lstrip(" ")) > depth for line in inner)


def _read_card(deck: Deck, lines: Sequence[str], moved: int, top: int) -> Card | None:
    """Return the only card of a deck, which lies so many lines further down than it says."""
    try:
        raw = read_yaml(deck.path, "\n".join(lines) + "\n")
        if raw.variant is not None:
            return None
        small = check_deck(raw, deck.language)
    except CardgenError:
        return None
    if len(small.cards) != 1 or small.notes:
        return None
    return _move(small.cards[0], moved, below=top)


def _fits(deck: Deck, number: int, card: Card) -> bool:
    """Whether a card may stand in the place of one without concerning the others."""
    old = deck.cards[number]
    same = (card.count, card.template, card.back) == (old.count, old.template, old.back)
    known = card.fields.keys() <= old.fields.keys()
    if not same or not known:
        return False
    return card.id == old.id or all(card.id != other.id for other in deck.cards)


def _complete(deck: Deck, card: Card) -> Card:
    """Return a card with all fields of the deck."""
    fields = {name: card.fields.get(name) for name in deck.cards[0].fields}
    return replace(card, fields=fields)


def _move(card: Card, lines: int, below: int) -> Card:
    """Return a card with its places so many lines further down, those that lie below a line."""
    if not lines:
        return card

    def move(where: Where) -> Where:
        if where.line is None or where.line <= below or where.file != card.where.file:
            return where
        return replace(where, line=where.line + lines)

    places = card.places and {key: move(where) for key, where in card.places.items()}
    return replace(card, where=move(card.where), places=places)
