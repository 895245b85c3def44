"""The texts of a deck in another language, from an overlay beside it, written over its own.

An overlay is YAML: a title, and fields of cards by their ids. Knows nothing of where it lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.core.errors import CardgenError, Problem, Where, suggest
from cardgen.deck.files import read_text
from cardgen.deck.markdown import open_mapping
from cardgen.deck.model import CARD_KEYS, Deck, Missing, Translation, Value, slug
from cardgen.deck.raw import Mark, Raw, RawDeck
from cardgen.deck.values import describe, quote
from cardgen.deck.yaml import Entry, Node

KEYS = ("title", "description", "cards")
EXAMPLE = """the texts of a deck in another language look like this:
    title: Magische Gegenstände
    cards:
      sword-of-fate:
        name: Schicksalsschwert
        text: Einmal pro Spiel"""


class Overlays:
    """What was written over a deck and those that it extends."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts: set[str] = set()
        self._fields: dict[str, None] = {"name": None}
        self._files: list[Path] = []

    @property
    def has_any(self) -> bool:
        return bool(self._files)

    def apply(self, path: Path, raw: RawDeck, deck: Deck) -> None:
        """Write the texts of an overlay over a deck's raw cards; `deck` is what they came to."""
        overlay = _Overlay(path, deck)
        if overlay.problems:
            raise CardgenError.of(overlay.problems)
        self._files.append(path)
        self._fields |= dict.fromkeys(key for card in overlay.cards.values() for key in card.values)
        texts = [value for card in overlay.cards.values() for value in card.values.values()]
        self._texts |= {repr(text) for text in (*texts, *overlay.head.values.values())}
        raw.head = _write_over(raw.head, overlay.head)
        # Its texts come from a file in which nobody has looked for control characters.
        raw.has_controls = True
        written = [card for card in raw.cards if card.values]
        for number, (card, whole) in enumerate(zip(deck.cards, written, strict=True)):
            own = overlay.cards.get(card.id)
            if own is not None:
                # A card that gets another name keeps its id, which may have come from the name.
                named = whole._replace(values={**whole.values, "id": card.id})
                written[number] = _write_over(named, own)
        raw.cards = written

    def sum_up(self, deck: Deck) -> Translation:
        """What of a deck is in the language, and what is not."""
        missing: list[Missing] = []
        if repr(deck.title) not in self._texts:
            missing.append(Missing("title", ()))
        for field in self._fields:
            cards = tuple(
                card.name
                for card in deck.cards
                if _is_text(value := card.name if field == "name" else card.fields.get(field))
                and repr(value) not in self._texts
            )
            if cards:
                missing.append(Missing(field, cards))
        return Translation(self.language, frozenset(self._texts), tuple(missing))


class _Overlay:
    """What an overlay says, judged by the deck that it is for."""

    def __init__(self, path: Path, deck: Deck) -> None:
        self.file = str(path)
        self.problems: list[Problem] = []
        node = open_mapping(read_text(path).text, self.file, self.problems, EXAMPLE)
        entries = node.entries or {}
        self.head = self._read_head(entries)
        self.cards: dict[str, Raw] = {}
        known = {card.id: card for card in deck.cards}
        cards = entries["cards"].node if "cards" in entries else None
        if cards is None or cards.value is None:
            return
        if cards.entries is None:
            self._refuse(cards, "cards must be a mapping of ids to fields")
            return
        for identity, entry in cards.entries.items():
            card = known.get(identity)
            if card is None:
                meant = slug(identity) if slug(identity) in known else identity
                hint = suggest(meant, known, kind="card")
                self._add(f"unknown card {quote(identity)}", entry, hint)
            elif entry.node.entries is None and entry.node.value is not None:
                self._refuse(entry.node, f"the texts of card {quote(identity)} must be a mapping")
            else:
                own = {"name": card.name, **card.fields}
                self.cards[identity] = self._read_card(identity, entry.node, own)

    def _read_head(self, entries: Mapping[str, Entry]) -> Raw:
        found: dict[str, Node] = {}
        for key, entry in entries.items():
            if key not in KEYS:
                self._add(f"unknown key {quote(key)}", entry, suggest(key, KEYS, kind="possible"))
            elif key != "cards" and entry.node.value is not None:
                found[key] = entry.node
        return self._gather(found, entries)

    def _read_card(self, identity: str, node: Node, own: Mapping[str, Value]) -> Raw:
        """The fields that an overlay gives; one that is left empty is not translated yet."""
        entries = node.entries or {}
        found: dict[str, Node] = {}
        for key, entry in entries.items():
            place, value = f"card {quote(identity)}", entry.node.value
            if key in CARD_KEYS and key != "name":
                self._add(f'"{key}" of {place} is no text', entry, "write it in the deck")
            elif key not in own:
                self._add(f"unknown field {quote(key)} of {place}", entry, suggest(key, own))
            elif value is None:
                continue
            elif not _is_text(own[key]):
                said = describe(own[key])
                self._add(
                    f'{place} has no text "{key}" in the deck, but {said}', entry, "delete it here"
                )
            elif isinstance(own[key], str) and entry.node.written is None:
                self._refuse(entry.node, f'"{key}" of {place} must be a text')
            elif type(own[key]) in (list, dict) and type(value) is not type(own[key]):
                self._refuse(entry.node, f'"{key}" of {place} must be {describe(own[key])}')
            else:
                found[key] = entry.node
        return self._gather(found, entries)

    def _gather(self, found: Mapping[str, Node], entries: Mapping[str, Entry]) -> Raw:
        """Texts, a number or truth value among them as it is written."""
        values = {
            key: node.value if node.written is None else node.written for key, node in found.items()
        }
        marks = {
            key: Mark(entries[key].locate(self.file), node.locate(self.file), node.written)
            for key, node in found.items()
        }
        first = next(iter(marks.values())).key if marks else None
        return Raw(values, first or Where(self.file), marks)

    def _add(self, message: str, entry: Entry, hint: str | None) -> None:
        self.problems.append(Problem("deck/todo", message, entry.locate(self.file), hint))

    def _refuse(self, node: Node, message: str) -> None:
        where = node.locate(self.file)
        self.problems.append(
            Problem("deck/todo", f"{message}, not {describe(node.value)}", where, EXAMPLE)
        )


def _write_over(under: Raw, own: Raw) -> Raw:
    return under._replace(values={**under.values, **own.values}, marks={**under.marks, **own.marks})


def _is_text(value: Value) -> bool:
    """Whether a value holds words that one could translate."""
    if isinstance(value, str):
        return any(character.isalpha() for character in value)
    inner: Iterable[Value] = ()
    if isinstance(value, list):
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    return any(map(_is_text, inner))
