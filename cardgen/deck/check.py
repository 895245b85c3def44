"""A RawDeck becomes a Deck, or an error that holds everything that is wrong with it.

Knows nothing of file formats: each reader leaves its places in the RawDeck.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cardgen.core.errors import CardgenError, Problem, Refusal, Where, suggest
from cardgen.core.geometry import Size
from cardgen.core.units import parse_size
from cardgen.deck.markdown import EXAMPLE, TABLE_EXAMPLE
from cardgen.deck.model import (
    CARD_KEYS,
    DECK_KEYS,
    MAX_COUNT,
    MAX_FIELD,
    NO_BACK,
    VARIANT_KEYS,
    Card,
    Deck,
    Value,
    slug,
)
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import (
    FIELD_HINT,
    describe,
    find_fault,
    find_meant,
    is_field_name,
    quote,
    take_text,
)

_ID = re.compile(r"\w[\w.-]*")
_RESERVED = frozenset(CARD_KEYS)
_SHEET_KEYS = tuple(key for key in CARD_KEYS + DECK_KEYS if key not in VARIANT_KEYS)


@dataclass(slots=True)
class Shared:
    """What a card has that says nothing else."""

    name: str
    template: str
    back: str | None
    count: int = 1
    fields: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Where] = field(default_factory=dict)  # of the names of templates


def check_cards(deck: RawDeck, shared: Shared) -> list[Card]:
    """Adds what is wrong to the problems of the deck; the cards are good only if there are none."""
    _check_columns(deck)
    if deck.defaults:
        _read_defaults(deck, deck.defaults, shared)
    checker = _CardChecker(deck, shared)
    return [checker.check_card(n, raw) for n, raw in enumerate(deck.cards, 1) if raw.values]


def _check_columns(deck: RawDeck) -> None:
    """A header is written once, so a slip in it is one even though every row uses it."""
    columns = deck.columns
    slips = {key: find_meant(key, CARD_KEYS) for key in columns}
    meant = {key: word for key, word in slips.items() if word and word not in columns}
    for key, word in meant.items():
        deck.add(f'unknown column "{key}"', columns[key], f'did you mean "{word}"?', field=key)
    if columns and "name" not in columns and "name" not in meant.values():
        header = next(iter(columns.values()))
        deck.add('there is no column "name"', header, 'name it "name" or "title"', field="name")


def _read_defaults(deck: RawDeck, defaults: Raw, shared: Shared) -> None:
    place = "in defaults"
    for key, value in defaults.values.items():
        where = defaults.find_key(key)
        word = None if key in deck.inherited else find_meant(key, CARD_KEYS)
        if key in ("id", "name"):
            deck.add(f'defaults cannot hold "{key}"', where, "write it at each card", field=key)
        elif word and defaults.has_alone(key, word):
            message = f"unknown field {quote(key)} {place}"
            deck.add(message, where, f'did you mean "{word}"?', field=key)
        elif not is_field_name(key):
            message = f"field {quote(key)} {place} has a forbidden name"
            deck.add(message, where, FIELD_HINT, field=key)
        elif key not in _RESERVED and _is_sound(deck, defaults, key, place):
            shared.fields[key] = value
    shared.count = _take_count(deck, defaults, place, shared.count)
    shared.template = take_text(deck, defaults, "template", f"template {place}") or shared.template
    shared.back = take_text(deck, defaults, "back", f"back {place}") or shared.back
    said = [key for key in ("template", "back") if defaults.values.get(key) is not None]
    shared.places.update({key: defaults.find_value(key) for key in said})


def _is_sound(deck: RawDeck, raw: Raw, key: str, place: str, card: str | None = None) -> bool:
    fault = find_fault(raw.values[key])
    if fault:
        message, where = f'field "{key}" {place} {fault.words}', raw.find_value(key)
        deck.add(message, where, fault.hint, card=card, field=key)
    return fault is None


def _take_count(
    deck: RawDeck, raw: Raw, place: str, otherwise: int, card: str | None = None
) -> int:
    count = raw.values.get("count")
    if count is None:
        return otherwise
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MAX_COUNT:
        return count
    deck.add(
        f"count {place} must be a whole number from 0 to {MAX_COUNT:,}, not {describe(count)}",
        raw.find_value("count"),
        "write it without quotes" if isinstance(count, str) and count.isdigit() else None,
        card=card,
        field="count",
    )
    return otherwise


class _CardChecker:
    def __init__(self, deck: RawDeck, shared: Shared) -> None:
        self.deck = deck
        self.shared = shared
        self.ids: dict[str, Raw] = {}
        self.uses: dict[str, int] = {}
        # The names of a table are those of its header, and judged there.
        for card in [] if deck.is_table else deck.cards:
            for key in card.values:
                if key not in _RESERVED:
                    self.uses[key] = self.uses.get(key, 0) + 1
        names = [*deck.columns, *deck.inherited, *shared.fields, *self.uses]
        self.blank = {name: shared.fields.get(name) for name in names if name not in _RESERVED}
        reserved = _SHEET_KEYS if deck.is_sheet else CARD_KEYS
        fresh = [key for key in self.uses if key not in deck.inherited]
        self.slips = {key: word for key in fresh if (word := find_meant(key, reserved))}
        self.forbidden = {key for key in self.uses if not is_field_name(key)}
        self.is_searched = not deck.has_controls
        self.special = _RESERVED | self.forbidden | self.slips.keys()

    def check_card(self, number: int, raw: Raw) -> Card:
        deck, shared, values = self.deck, self.shared, raw.values
        special, is_searched = self.special, self.is_searched
        name = self._take_name(number, raw)
        fields = self.blank.copy()
        for key, value in values.items():
            if key in special:
                if key in _RESERVED:
                    continue
                self._judge_key(raw, key, number, name)
            if is_searched and type(value) is str and len(value) <= MAX_FIELD:
                pass
            elif find_fault(value):
                _is_sound(deck, raw, key, _name_place(number, name), name)
            fields[key] = value
        template, back, count = shared.template, shared.back, shared.count
        places = shared.places
        if "template" in values:
            template = self._take(raw, "template", number, name) or template
            places = {**places, "template": raw.find_value("template")}
        if "back" in values:
            back = self._take(raw, "back", number, name) or back
            places = {**places, "back": raw.find_value("back")}
        if "count" in values:
            count = _take_count(deck, raw, _name_place(number, name), count, name)
        identity = self._take_id(number, raw, name) if name else ""
        back = None if back == NO_BACK else back
        return Card(identity, name or "", count, template, back, fields, raw.where, places)

    def _take(self, raw: Raw, key: str, number: int, name: str | None) -> str | None:
        return take_text(self.deck, raw, key, f"{key} {_name_place(number, name)}", card=name)

    def _take_name(self, number: int, raw: Raw) -> str | None:
        deck = self.deck
        known = len(deck.problems)
        name = take_text(deck, raw, "name", f"name of card {number}")
        if name is not None or len(deck.problems) > known:
            return name
        if deck.is_sheet:
            return self.shared.name
        is_slip = any(self.slips.get(key) == "name" for key in raw.values)
        if not is_slip and (not deck.is_table or "name" in deck.columns):
            hint = 'fill the column "name"' if deck.is_table else 'write "name: …"'
            if "title" in raw.values:
                hint = 'call its "title" "name"'
            deck.add(f"card {number} has no name", raw.find_key("name"), hint, field="name")
        return None

    def _judge_key(self, raw: Raw, key: str, number: int, name: str | None) -> None:
        word, place = self.slips.get(key), _name_place(number, name)
        if word and raw.has_alone(key, word) and (word == "name" or self._is_slip(key, word)):
            message, hint = f"unknown field {quote(key)} {place}", f'did you mean "{word}"?'
        elif key in self.forbidden:
            message, hint = f"field {quote(key)} {place} has a forbidden name", FIELD_HINT
        else:
            return
        self.deck.add(message, raw.find_key(key), hint, card=name, field=key)

    def _is_slip(self, key: str, word: str) -> bool:
        """What most cards use is a field of the author's own, unless only its capitals differ."""
        uses = self.uses[key]
        return uses == 1 or uses * 2 < len(self.deck.cards) or key.lower() == word

    def _take_id(self, number: int, raw: Raw, name: str) -> str:
        given = self._take(raw, "id", number, name) if "id" in raw.values else None
        if given and not _ID.fullmatch(given):
            self.deck.add(
                f"id {quote(given)} {_name_place(number, name)} has a forbidden character",
                raw.find_value("id"),
                'use letters, digits, ".", "-" and "_", and begin with a letter or digit',
                card=name,
                field="id",
            )
        identity = given or slug(name)
        other = self.ids.setdefault(identity, raw)
        if other is not raw:
            first, at = str(other.get_written("name")).strip(), _find_identity(other)
            here = _find_identity(raw)
            if here.file != self.deck.file:  # a variant is to blame, not its base
                name, first, here, at = first, name, at, here
            self.deck.add(
                f'card {quote(name)} has the id "{identity}" of card {quote(first)} at {at}',
                here,
                "for more copies raise the count; for another card write an id of its own",
                card=name,
                field="id",
            )
        return identity


def _find_identity(raw: Raw) -> Where:
    return raw.find_value("id" if raw.values.get("id") is not None else "name")


def _name_place(number: int, name: str | None) -> str:
    return f"in card {quote(name)}" if name else f"in card {number}"


_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


LANGUAGE_HINT = "write en, en-GB or de"


def is_language(text: str) -> bool:
    return _LANGUAGE.fullmatch(text) is not None


def check_deck(raw: RawDeck, language: str = "en") -> Deck:
    """The deck; `language` is that of one that says none."""
    head = raw.head
    _check_keys(raw)
    title = take_text(raw, head, "title", "title") or raw.title
    template = take_text(raw, head, "template", "template") or raw.template
    back = take_text(raw, head, "back", "back") or raw.back
    said = [key for key in ("template", "back") if head.values.get(key) is not None]
    places = {key: head.find_value(key) for key in said}
    deck = Deck(
        name=raw.path.stem,
        title=title,
        path=raw.path,
        cards=tuple(check_cards(raw, Shared(title, template, back, places=places))),
        author=take_text(raw, head, "author", "author") or "",
        language=_take_language(raw, language),
        description=take_text(raw, head, "description", "description", breaks=True) or "",
        version=take_text(raw, head, "version", "version") or "",
        target=take_text(raw, head, "target", "target"),
        size=_take_size(raw),
        target_where=head.find_value("target") if "target" in head.values else None,
    )
    if not raw.cards and not raw.problems:
        _report_no_cards(raw)
    if raw.problems:
        raise CardgenError.of(sorted(raw.problems, key=lambda p: _rank(p, raw.file)))
    return deck


def _check_keys(raw: RawDeck) -> None:
    head = raw.head
    for key in head.values:
        if key not in DECK_KEYS:
            hint = suggest(key, DECK_KEYS)
            raw.add(f"unknown deck key {quote(key)}", head.find_key(key), hint, field=key)
        elif key in VARIANT_KEYS and raw.variant is None:
            raw.add(
                f'"{key}" is for a variant',
                head.find_key(key),
                'a variant is a deck in YAML that says "extends: …"',
                field=key,
            )
    take_text(raw, head, "sheet", "sheet")
    if "sheet" in head.values and not raw.is_workbook:
        raw.add(
            '"sheet" is for a deck whose cards are a workbook',
            head.find_key("sheet"),
            'write "cards: NAME.xlsx", or delete it',
            field="sheet",
        )


def _report_no_cards(raw: RawDeck) -> None:
    if raw.variant is not None:
        key = "drop" if raw.variant.drop else "keep"
        raw.add("the variant has no cards", raw.head.find_key(key), "leave it a card, or add one")
    else:
        hint = TABLE_EXAMPLE if raw.is_table else EXAMPLE
        raw.add("the deck has no cards", raw.head.find_key("cards"), hint)


def _take_language(raw: RawDeck, usual: str) -> str:
    language = take_text(raw, raw.head, "language", "language") or usual
    if not is_language(language):
        raw.add(
            f"language {quote(language)} is no language tag",
            raw.head.find_value("language"),
            LANGUAGE_HINT,
            field="language",
        )
    return language


def _take_size(raw: RawDeck) -> Size | None:
    text = take_text(raw, raw.head, "size", "size")
    try:
        return parse_size(text) if text else None
    except Refusal as error:
        raw.add(f"size: {error}", raw.head.find_value("size"), field="size")
        return None


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    """The order of the lines, with the deck's own file before its table or its base."""
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0


# MERGED: The raw cards of a deck become Cards that all have the same fields.
#
#   Knows nothing of the deck's other keys, nor of file formats.
#
