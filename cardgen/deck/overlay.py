"""Overlays: the texts of a deck in another language, in a file of their own.

An overlay is YAML: a title, and fields of cards by their ids. It is written over the texts of the
deck; an empty one can be made to be filled in. Knows nothing of where it lies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from cardgen.core.errors import CardgenError, Detail, Problem, Where
from cardgen.core.names import describe_unknown
from cardgen.deck.dictionary import Words
from cardgen.deck.head import open_mapping
from cardgen.deck.model import CARD_KEYS, Card, Deck, Missing, Translation, Value, slug
from cardgen.deck.raw import Mark, Raw, RawDeck
from cardgen.deck.values import describe, quote
from cardgen.deck.yaml import Entry, Node, read_yaml_text

_KEYS = ("title", "description", "cards")
_WIDTH = 90
_EXAMPLE = """the texts of a deck in another language look like this:
    title: Magische Gegenstände
    cards:
      sword-of-fate:
        name: Schicksalsschwert
        text: Einmal pro Spiel"""


class Overlays:
    """The overlays of a deck and of those that it extends, as they are applied."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts: set[str] = set()
        self._fields: dict[str, None] = {"name": None}
        self._files: list[Path] = []

    @property
    def has_any(self) -> bool:
        return bool(self._files)

    def apply(self, path: Path, raw: RawDeck, deck: Deck, *, draft: bool = False) -> None:
        """Write the texts of an overlay over a raw deck, of which `deck` was made; those of a draft
        as far as nothing is wrong with them.
        """
        overlay = _Overlay(path, deck)
        if overlay.problems and not draft:
            raise CardgenError.of(overlay.problems)
        raw.problems += overlay.problems
        self._files.append(path)
        self._fields |= dict.fromkeys(key for card in overlay.cards.values() for key in card.values)
        texts = [value for card in overlay.cards.values() for value in card.values.values()]
        self._texts |= {repr(text) for text in (*texts, *overlay.head.values.values())}
        raw.head = _write_over(raw.head, overlay.head)
        raw.is_overlaid = True
        # The overlay has not been searched for control characters.
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
        """Return which texts of a deck are in the language, and which are not."""
        missing: list[Missing] = []
        if repr(deck.title) not in self._texts:
            missing.append(Missing("title", ()))
        for field in self._fields:
            cards = tuple(
                card.name
                for card in deck.cards
                if is_text(value := card.name if field == "name" else card.fields.get(field))
                and repr(value) not in self._texts
            )
            if cards:
                missing.append(Missing(field, cards))
        return Translation(self.language, deck.language, frozenset(self._texts), tuple(missing))


class _Overlay:
    """The texts of one overlay, checked against the deck that it is for."""

    def __init__(self, path: Path, deck: Deck) -> None:
        self.file = str(path)
        self.problems: list[Problem] = []
        node = open_mapping(read_yaml_text(path), self.file, self.problems, _EXAMPLE)
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
                unknown = describe_unknown(meant, known, "card")
                self._add(
                    "deck/unknown-card",
                    f"unknown card {quote(identity)}",
                    entry,
                    unknown.hint,
                    unknown.details,
                )
            elif entry.node.entries is None and entry.node.value is not None:
                self._refuse(entry.node, f"the texts of card {quote(identity)} must be a mapping")
            else:
                own = {"name": card.name, **card.fields}
                self.cards[identity] = self._read_card(identity, entry.node, own)

    def _read_head(self, entries: Mapping[str, Entry]) -> Raw:
        found: dict[str, Node] = {}
        for key, entry in entries.items():
            if key not in _KEYS:
                unknown = describe_unknown(key, _KEYS, "possible")
                self._add(
                    "deck/unknown-key",
                    f"unknown key {quote(key)}",
                    entry,
                    unknown.hint,
                    unknown.details,
                )
            elif key != "cards" and entry.node.value is not None:
                found[key] = entry.node
        return self._gather(found, entries)

    def _read_card(self, identity: str, node: Node, own: Mapping[str, Value]) -> Raw:
        """Return the fields that an overlay gives; an empty one is not translated yet."""
        entries = node.entries or {}
        found: dict[str, Node] = {}
        for key, entry in entries.items():
            place, value = f"card {quote(identity)}", entry.node.value
            if key in CARD_KEYS and key != "name":
                message = f'"{key}" of {place} is no text'
                self._add("deck/not-a-text-field", message, entry, "write it in the deck")
            elif key not in own:
                unknown = describe_unknown(key, own)
                self._add(
                    "deck/unknown-field",
                    f"unknown field {quote(key)} of {place}",
                    entry,
                    unknown.hint,
                    unknown.details,
                )
            elif value is None:
                continue
            elif not is_text(own[key]):
                said = describe(own[key])
                message = f'{place} has no text "{key}" in the deck, but {said}'
                self._add("deck/not-a-text-field", message, entry, "delete it here")
            elif isinstance(own[key], str) and entry.node.written is None:
                self._refuse(entry.node, f'"{key}" of {place} must be a text')
            elif type(own[key]) in (list, dict) and type(value) is not type(own[key]):
                self._refuse(entry.node, f'"{key}" of {place} must be {describe(own[key])}')
            else:
                found[key] = entry.node
        return self._gather(found, entries)

    def _gather(self, found: Mapping[str, Node], entries: Mapping[str, Entry]) -> Raw:
        """Return texts with their places; a number is the text that the file writes."""
        values = {
            key: node.value if node.written is None else node.written for key, node in found.items()
        }
        marks = {
            key: Mark(entries[key].locate(self.file), node.locate(self.file), node.written)
            for key, node in found.items()
        }
        first = next(iter(marks.values())).key if marks else None
        return Raw(values, first or Where(self.file), marks)

    def _add(
        self,
        code: str,
        message: str,
        entry: Entry,
        hint: str | None,
        details: Mapping[str, Detail] | None = None,
    ) -> None:
        where = entry.locate(self.file)
        self.problems.append(Problem(code, message, where, hint, details=details or {}))

    def _refuse(self, node: Node, message: str) -> None:
        """Add a value of another kind than the deck has there."""
        where = node.locate(self.file)
        said = f"{message}, not {describe(node.value)}"
        self.problems.append(Problem("deck/bad-overlay", said, where, _EXAMPLE))


def _write_over(under: Raw, own: Raw) -> Raw:
    return under._replace(values={**under.values, **own.values}, marks={**under.marks, **own.marks})


def is_text(value: Value) -> bool:
    """Whether a value holds words to translate."""
    if isinstance(value, str):
        return any(character.isalpha() for character in value)
    inner: Iterable[Value] = ()
    if isinstance(value, list):
        inner = value
    elif isinstance(value, dict):
        inner = value.values()
    return any(map(is_text, inner))


def make_skeleton(deck: Deck, words: Words) -> str:
    """Return an overlay to be filled in: each key without a text, below that of the deck."""
    fields = [field for field in deck.cards[0].fields if _is_prose(deck, field, words)]
    lines = [
        f"# The texts of {deck.name} in {words.language}. Write each behind its key; what is left",
        "# empty stays as the deck has it.",
        *_leave("title", deck.title, ""),
        "cards:",
    ]
    for card in deck.cards:
        lines += ["", f"  {card.id}:", *_leave("name", card.name, "    ")]
        for field in fields:
            value = card.fields[field]
            if isinstance(value, str) and _has_letters(value):
                lines += _leave(field, value, "    ")
    return "\n".join(lines) + "\n"


def _leave(key: str, text: str, indent: str) -> Iterator[str]:
    """Yield a key to fill in, below its text in the deck."""
    for paragraph in text.split("\n"):
        for line in wrap(paragraph, _WIDTH - len(indent)) or [""]:
            yield f"{indent}# {line}".rstrip()
    yield f"{indent}{key}:"


def _is_prose(deck: Deck, field: str, words: Words) -> bool:
    """Whether a field holds texts of several words, besides those that the dictionary knows."""
    texts = {text for card in deck.cards if (text := _get_text(card, field))}
    return any(" " in text for text in texts) and not texts <= words.known.keys()


def _get_text(card: Card, field: str) -> str | None:
    value = card.fields[field]
    return value.strip() if isinstance(value, str) and _has_letters(value) else None


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))
