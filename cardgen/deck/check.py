"""Checks a RawDeck, which becomes a Deck or an error that holds all that is wrong with it.

Knows nothing of file formats: each reader leaves its places in the RawDeck.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Refusal, Where, list_some
from cardgen.core.geometry import Size
from cardgen.core.names import describe_unknown
from cardgen.core.units import parse_size
from cardgen.deck.columns import find_name_parts, read_count
from cardgen.deck.deal import take_deal
from cardgen.deck.foreign import ForeignMarks
from cardgen.deck.head import EXAMPLE, TABLE_EXAMPLE
from cardgen.deck.labels import take_labels
from cardgen.deck.meant import take_meant
from cardgen.deck.model import (
    CARD_KEYS,
    DECK_KEYS,
    DEFAULT_FIELDS,
    MANY_CARDS,
    MAX_COPIES,
    MAX_COUNT,
    MAX_FIELD,
    MISSING,
    NO_BACK,
    VARIANT_KEYS,
    Card,
    Deck,
    PackedFields,
    Value,
    slug,
)
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import (
    CONTROL,
    FIELD_HINT,
    LANGUAGE_HINT,
    describe,
    find_fault,
    find_meant,
    is_field_name,
    is_language,
    quote,
    take_text,
)

# What a card of a draft is called that has no name.
NAMELESS = "?"
_NO_CARDS = "deck/no-cards"  # of which a draft says more than that it cannot be read
_LONG_NAME = 40  # letters; what is longer is a text
_ABOUT_AS_MANY = 0.85
_ID = re.compile(r"\w[\w.-]*")
_RESERVED = frozenset(CARD_KEYS)
_SHEET_KEYS = tuple(key for key in CARD_KEYS + DECK_KEYS if key not in VARIANT_KEYS)


def check_deck(
    raw: RawDeck,
    language: str = "en",
    *,
    last: bool = False,
    draft: bool = False,
) -> Deck:
    """Return the deck.

    language: that of a deck that says none
    last: whether nobody needs the raw cards after this
    draft: whether what is wrong is only noted, and the rest read as far as it can be; a deck that
        was only begun has no cards
    """
    head = raw.head
    _check_keys(raw)
    take_meant(raw)
    title = take_text(raw, head, "title", "title") or raw.title
    template = take_text(raw, head, "template", "template") or raw.template
    back = take_text(raw, head, "back", "back") or raw.back
    said = [key for key in ("template", "back") if head.values.get(key) is not None]
    places = {key: head.locate_value(key) for key in said}
    shared = _Shared(title, template, back, places=places)
    deck = Deck(
        name=raw.path.stem,
        title=title,
        path=raw.path,
        cards=tuple(_check_cards(raw, shared, last)),
        author=take_text(raw, head, "author", "author") or "",
        language=_take_language(raw, language),
        description=take_text(raw, head, "description", "description", breaks=True) or "",
        version=take_text(raw, head, "version", "version") or "",
        target=take_text(raw, head, "target", "target"),
        size=_take_size(raw),
        missing=_take_missing(raw),
        target_where=head.locate_value("target") if "target" in head.values else None,
        columns={key: where for key, where in raw.columns.items() if key not in _RESERVED},
        notes=tuple(raw.notes),
    )
    labels = take_labels(raw, deck.cards[0].fields if deck.cards else ())
    deal = take_deal(raw, frozenset(card.id for card in deck.cards))
    deck = replace(deck, deal=deal, labels=labels)
    if not deck.cards and not raw.problems:
        _report_no_cards(raw)
    if deck.copies > MAX_COPIES:
        raw.add(
            "deck/too-many-copies",
            f"the deck has {deck.copies:,} cards to print; allowed are {MAX_COPIES:,}",
            raw.head.locate_key("cards"),
            "lower a count, or split the deck",
            details={"cards": deck.copies, "allowed": MAX_COPIES},
        )
    if not raw.problems:
        return deck
    problems = sorted(raw.problems, key=lambda p: _rank(p, raw.file))
    is_begun = bool(deck.cards) or all(one.code == _NO_CARDS for one in problems)
    if not draft or not is_begun or deck.copies > MAX_COPIES:
        raise CardgenError.of(problems)
    cards = tuple(map(_mend, deck.cards))
    return replace(deck, cards=cards, problems=tuple(problems))


def _mend(card: Card) -> Card:
    """Return a card of a draft without values that cannot be printed."""
    fields = {key: _mend_value(value) for key, value in card.fields.items()}
    return replace(card, name=card.name or NAMELESS, id=card.id or slug(NAMELESS), fields=fields)


def _mend_value(value: Value) -> Value:
    if find_fault(value) is None:
        return value
    return CONTROL.sub("?", value[:MAX_FIELD]) if isinstance(value, str) else None


def _check_keys(raw: RawDeck) -> None:
    head = raw.head
    for key in head.values:
        if key not in DECK_KEYS:
            unknown = describe_unknown(key, DECK_KEYS)
            raw.add(
                "deck/unknown-key",
                f"unknown deck key {quote(key)}",
                head.locate_key(key),
                unknown.hint,
                field=key,
                details=unknown.details,
            )
        elif key in VARIANT_KEYS and raw.variant is None:
            raw.add(
                "deck/only-in-variant",
                f'"{key}" is for a variant',
                head.locate_key(key),
                'a variant is a deck in YAML that says "extends: …"',
                field=key,
            )
    take_text(raw, head, "sheet", "sheet")
    if "sheet" in head.values and not raw.is_workbook:
        raw.add(
            "deck/no-workbook",
            '"sheet" is for a deck whose cards are a workbook',
            head.locate_key("sheet"),
            'write "cards: NAME.xlsx", or delete it',
            field="sheet",
        )


def _report_no_cards(raw: RawDeck) -> None:
    if raw.variant is not None:
        key = "drop" if raw.variant.drop else "keep"
        where = raw.head.locate_key(key)
        raw.add(_NO_CARDS, "the variant has no cards", where, "leave it a card, or add one")
    else:
        hint = TABLE_EXAMPLE if raw.is_table else EXAMPLE
        raw.add(_NO_CARDS, "the deck has no cards", raw.head.locate_key("cards"), hint)


def _take_language(raw: RawDeck, usual: str) -> str:
    language = take_text(raw, raw.head, "language", "language") or usual
    if not is_language(language):
        raw.add(
            "value/not-a-language",
            f"language {quote(language)} is no language tag",
            raw.head.locate_value("language"),
            LANGUAGE_HINT,
            field="language",
        )
    return language


def _take_size(raw: RawDeck) -> Size | None:
    text = take_text(raw, raw.head, "size", "size")
    try:
        return parse_size(text) if text else None
    except Refusal as error:
        where = raw.head.locate_value("size")
        raw.problems.append(error.at(where, message=f"size: {error}", field="size"))
        return None


def _take_missing(raw: RawDeck) -> str | None:
    text = take_text(raw, raw.head, "missing", "missing")
    if text is None or text in MISSING:
        return text
    where = raw.head.locate_value("missing")
    message = f"missing must be {' or '.join(map(quote, MISSING))}, not {quote(text)}"
    unknown = describe_unknown(text, MISSING)
    raw.add(
        "value/not-a-choice",
        message,
        where,
        unknown.guess,
        field="missing",
        details=unknown.details,
    )
    return None


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    """Return the key to sort problems by: the deck's own file first, then its table or base."""
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0


@dataclass(slots=True)
class _Shared:
    """The values of a card that does not say its own."""

    name: str
    template: str
    back: str | None
    count: int = 1
    fields: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Where] = field(default_factory=dict)  # of the names of templates


def _check_cards(deck: RawDeck, shared: _Shared, last: bool) -> Iterator[Card]:
    """Yield the cards, which are good only if no problem was added to the deck."""
    _check_columns(deck)
    if deck.defaults:
        _read_defaults(deck, deck.defaults, shared)
    checker = _CardChecker(deck, shared)
    cards = deck.take_cards() if last else iter(deck.cards)
    yield from (checker.check_card(n, raw) for n, raw in enumerate(cards, 1) if raw.values)
    deck.notes += checker.foreign.list_notes()


def _check_columns(deck: RawDeck) -> None:
    """Check the header of a table, in which a slip is a slip although every row has the field."""
    columns = deck.columns
    slips = {key: find_meant(key, CARD_KEYS) for key in columns}
    meant = {key: word for key, word in slips.items() if word and word not in columns}
    for key, word in meant.items():
        deck.add(
            "deck/unknown-column",
            f'unknown column "{key}"',
            columns[key],
            f'did you mean "{word}"?',
            field=key,
            details={"name": key, "near": (word,)},
        )
    if columns and "name" not in columns and "name" not in meant.values():
        header = next(iter(columns.values()))
        message = 'there is no column "name"'
        likely = _find_likely_names(deck)
        hint = f'call one of them "name": {list_some(list(map(quote, columns)), 10)}'
        if len(columns) == 1 and not deck.is_workbook:
            hint = 'call it "name"; if it is several, part them by commas, semicolons, tabs or "|"'
        elif parts := find_name_parts(list(columns)):
            given, family = (quote(list(columns)[part]) for part in parts)
            hint = f"add one for {given} and {family} together, as cardgen import does"
        elif likely is not None:
            hint = f'the column {quote(likely)} looks like it: call it "name"'
        deck.add("deck/no-name", message, header, hint, field="name")


def _find_likely_names(deck: RawDeck) -> str | None:
    """Return the first column whose texts differ about as much as any, ids and long texts last."""
    texts = {
        key: {cell for card in deck.cards if isinstance(cell := card.values.get(key), str)}
        for key in deck.columns
        if key not in DEFAULT_FIELDS
    }
    most = max(map(len, texts.values()), default=0)
    if most < 2:
        return None
    usual = [key for key, cells in texts.items() if len(cells) >= most * _ABOUT_AS_MANY]
    return min(
        usual, key=lambda key: (key.endswith("_id"), len(max(texts[key], key=len)) > _LONG_NAME)
    )


def _read_defaults(deck: RawDeck, defaults: Raw, shared: _Shared) -> None:
    place = "in defaults"
    for key, value in defaults.values.items():
        where = defaults.locate_key(key)
        word = None if key in deck.inherited else find_meant(key, CARD_KEYS)
        if key in ("id", "name"):
            message = f'defaults cannot hold "{key}"'
            deck.add("deck/bad-defaults", message, where, "write it at each card", field=key)
        elif word and defaults.has_alone(key, word):
            deck.add(
                "deck/unknown-field",
                f"unknown field {quote(key)} {place}",
                where,
                f'did you mean "{word}"?',
                field=key,
                details={"name": key, "near": (word,)},
            )
        elif not is_field_name(key):
            message = f"field {quote(key)} {place} has a forbidden name"
            deck.add("deck/bad-field-name", message, where, FIELD_HINT, field=key)
        elif key not in _RESERVED and _is_sound(deck, defaults, key, place):
            shared.fields[key] = value
    shared.count = _take_count(deck, defaults, place, shared.count)
    shared.template = take_text(deck, defaults, "template", f"template {place}") or shared.template
    shared.back = take_text(deck, defaults, "back", f"back {place}") or shared.back
    said = [key for key in ("template", "back") if defaults.values.get(key) is not None]
    shared.places.update({key: defaults.locate_value(key) for key in said})


def _is_sound(deck: RawDeck, raw: Raw, key: str, place: str, card: str | None = None) -> bool:
    fault = find_fault(raw.values[key])
    if fault:
        message = f'field "{key}" {place} {fault.words}'
        where = raw.locate_value(key)
        deck.add(
            fault.code, message, where, fault.hint, card=card, field=key, details=fault.details
        )
    return fault is None


def _suggest_count(count: Value) -> str | None:
    """Return how a count is written that is meant by 3x, "3" or 3.0."""
    meant = read_count(count)
    is_count = type(meant) is int and meant is not count and meant <= MAX_COUNT
    return f"write a number alone: {meant}" if is_count else None


def _take_count(
    deck: RawDeck, raw: Raw, place: str, otherwise: int, card: str | None = None
) -> int:
    count = raw.values.get("count")
    if count is None:
        return otherwise
    if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= MAX_COUNT:
        return count
    deck.add(
        "deck/bad-count",
        f"count {place} must be a whole number from 0 to {MAX_COUNT:,}, not {describe(count)}",
        raw.locate_value("count"),
        _suggest_count(count),
        card=card,
        field="count",
    )
    return otherwise


class _Identity(NamedTuple):
    name: str
    where: Where


class _CardChecker:
    """Checks one card of a deck after the other."""

    def __init__(self, deck: RawDeck, shared: _Shared) -> None:
        self.deck = deck
        self.shared = shared
        self.count = len(deck.cards)
        # Of each card that has an id, what it is called and where that is written.
        self.ids: dict[str, _Identity] = {}
        self.uses: dict[str, int] = {}
        # The fields of a table are those of its header, which is checked by itself.
        for card in [] if deck.is_table else deck.cards:
            for key in card.values:
                if key not in _RESERVED:
                    self.uses[key] = self.uses.get(key, 0) + 1
        names = [*deck.columns, *deck.inherited, *shared.fields, *self.uses]
        self.blank = {name: shared.fields.get(name) for name in names if name not in _RESERVED}
        self.places = {name: place for place, name in enumerate(self.blank)}
        reserved = _SHEET_KEYS if deck.is_sheet else CARD_KEYS
        fresh = [key for key in self.uses if key not in deck.inherited]
        self.slips = {key: word for key in fresh if (word := find_meant(key, reserved))}
        self.forbidden = {key for key in self.uses if not is_field_name(key)}
        self.is_searched = not deck.has_controls
        self.foreign = ForeignMarks()
        # A card of a variant, or with texts of an overlay, is written in several files.
        self.is_mixed = deck.variant is not None or deck.is_overlaid
        self.special = _RESERVED | self.forbidden | self.slips.keys()

    def check_card(self, number: int, raw: Raw) -> Card:
        deck, shared, values = self.deck, self.shared, raw.values
        special, is_searched = self.special, self.is_searched
        name = self._take_name(number, raw)
        fields: Mapping[str, Value]
        fields = filled = self.blank.copy()
        for key, value in values.items():
            if key in special:
                if key in _RESERVED:
                    continue
                self._judge_key(raw, key, number, name)
            if is_searched and type(value) is str and len(value) <= MAX_FIELD:
                pass
            elif find_fault(value):
                _is_sound(deck, raw, key, _name_place(number, name), name)
            if type(value) is str and (
                "<" in value or "&" in value or "\\" in value or "@[" in value or "{{" in value
            ):
                self.foreign.look(value, key, name or "", raw.where)
            filled[key] = value
        if self.count >= MANY_CARDS:
            fields = PackedFields(self.places, filled.values())
        template, back, count = shared.template, shared.back, shared.count
        places = shared.places
        if "template" in values:
            template = self._take(raw, "template", number, name) or template
            places = {**places, "template": raw.locate_value("template")}
        if "back" in values:
            back = self._take(raw, "back", number, name) or back
            places = {**places, "back": raw.locate_value("back")}
        if self.is_mixed and raw.marks:
            marks, own = raw.marks.items(), raw.where.file
            places = {**places, **{k: m.value for k, m in marks if m.value.file != own}}
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
            message = f"card {number} has no name"
            where = raw.locate_key("name")
            deck.add("deck/no-name", message, where, hint, field="name")
        return None

    def _judge_key(self, raw: Raw, key: str, number: int, name: str | None) -> None:
        word, place = self.slips.get(key), _name_place(number, name)
        if word and raw.has_alone(key, word) and (word == "name" or self._is_slip(key, word)):
            self.deck.add(
                "deck/unknown-field",
                f"unknown field {quote(key)} {place}",
                raw.locate_key(key),
                f'did you mean "{word}"?',
                card=name,
                field=key,
                details={"name": key, "near": (word,)},
            )
        elif key in self.forbidden:
            message = f"field {quote(key)} {place} has a forbidden name"
            where = raw.locate_key(key)
            self.deck.add("deck/bad-field-name", message, where, FIELD_HINT, card=name, field=key)

    def _is_slip(self, key: str, word: str) -> bool:
        """Whether a field is a slip: not if most cards have it, unless only its capitals differ."""
        uses = self.uses[key]
        return uses == 1 or uses * 2 < self.count or key.lower() == word

    def _take_id(self, number: int, raw: Raw, name: str) -> str:
        given = self._take(raw, "id", number, name) if "id" in raw.values else None
        if given and not _ID.fullmatch(given):
            self.deck.add(
                "deck/bad-id",
                f"id {quote(given)} {_name_place(number, name)} has a forbidden character",
                raw.locate_value("id"),
                'use letters, digits, ".", "-" and "_", and begin with a letter or digit',
                card=name,
                field="id",
            )
        identity = given or slug(name)
        own = _Identity(name, _find_identity(raw))
        other = self.ids.setdefault(identity, own)
        if other is not own:
            (first, at), here = other, own.where
            if here.file != self.deck.file:  # a variant is to blame, not its base
                name, first, here, at = first, name, at, here
            self.deck.add(
                "deck/same-id",
                f'card {quote(name)} has the id "{identity}" of card {quote(first)} at {at}',
                here,
                "for more copies raise the count; for another card write an id of its own",
                card=name,
                field="id",
                details={"id": identity, "other": first},
            )
        return identity


def _find_identity(raw: Raw) -> Where:
    return raw.locate_value("id" if raw.values.get("id") is not None else "name")


def _name_place(number: int, name: str | None) -> str:
    return f"in card {quote(name)}" if name else f"in card {number}"
