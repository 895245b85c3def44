"""Edits of a deck in YAML: in its list of cards, in what a variant says, or in an overlay.

Knows nothing of tables, nor of what lies on the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.edits.pieces import Document
from cardgen.deck.edits.rewrite import duplicate, rewrite
from cardgen.deck.edits.scalars import write_pairs
from cardgen.deck.model import CARD_KEYS, DECK_KEYS, VARIANT_KEYS, Card, Deck, Value, slug
from cardgen.studio.edits.faults import make_no_card, make_not_here
from cardgen.studio.edits.model import (
    AddCard,
    CopyCard,
    Edit,
    MoveCard,
    RemoveCard,
    SetField,
    SetKey,
)

Fields = dict[str, Value]
_slug = lru_cache(maxsize=20_000)(slug)


class YamlDeck:
    """A deck whose cards are a list in its own file."""

    def __init__(self, text: str, file: str, *, keeps_ids: Callable[[str], bool]) -> None:
        self.file = file
        self._text = text
        self._keeps_ids = keeps_ids
        self._open(text)

    def _open(self, text: str) -> None:
        self._document = Document(text, self.file)
        value = self._document.value
        self.head: Fields = value if isinstance(value, dict) else {}
        cards = self.head.get("cards")
        self.cards: list[Value] = cards if isinstance(cards, list) else []
        entry = (self._document.node.entries or {}).get("cards")
        nodes = (entry and entry.node.items) or []
        self.ids = [
            find_id(card, _get_written(node.entries, "id") if node.entries else None)
            for card, node in zip(self.cards, nodes, strict=False)
        ]

    def finish(self) -> str:
        """Return the text with all edits made."""
        if self.cards is not self.head.get("cards"):
            self.head = {**self.head, "cards": self.cards}
        return rewrite(self._document, self.head)

    def make(self, edit: Edit) -> None:
        """Make an edit."""
        match edit:
            case SetField():
                self._set(edit)
            case AddCard():
                place = len(self.cards) if edit.after is None else self.find(edit.after) + 1
                self._insert(place, with_id(edit.values, self.ids))
            case CopyCard():
                self._copy(self.find(edit.card))
            case RemoveCard():
                place = self.find(edit.card)
                self.cards = [*self.cards[:place], *self.cards[place + 1 :]]
                del self.ids[place]
                if not self.cards:
                    raise make_last(self.file)
            case MoveCard():
                self._move(self.find(edit.card), edit.after)
            case SetKey():
                self.head = set_key(self.head, edit)

    def find(self, card: str) -> int:
        """Return which of the cards has an id."""
        if card not in self.ids:
            raise make_no_card(card, self.ids, self.file)
        return self.ids.index(card)

    def get_own(self, card: str) -> Fields:
        """Return what a card says itself."""
        found = self.cards[self.find(card)]
        return found if isinstance(found, dict) else {}

    def get_default(self, field: str) -> Value:
        """Return what a card has that does not say it."""
        defaults = self.head.get("defaults")
        value = defaults.get(field) if isinstance(defaults, dict) else None
        return value if value is not None else self.head.get(field) if field in _SHARED else None

    def _set(self, edit: SetField) -> None:
        place = self.find(edit.card)
        own = self.get_own(edit.card)
        value = edit.value
        changed: Fields
        if value is None and (edit.field in CARD_KEYS or self.get_default(edit.field) is None):
            changed = {key: one for key, one in own.items() if key != edit.field}
        else:
            changed = self._put(own, edit.field, value)
        if edit.field == "name":
            changed = self._keep_id(changed, edit.card, place)
        self.cards = [*self.cards[:place], changed, *self.cards[place + 1 :]]

    def _put(self, own: Fields, field: str, value: Value) -> Fields:
        """Return a card with a field, which stands where it does in other cards."""
        if field in own:
            return {**own, field: value}
        others = (card for card in self.cards if isinstance(card, dict) and field in card)
        model = list(next(others, {field: None}))
        below = set(model[model.index(field) + 1 :])
        if field in ("id", "count"):
            below = own.keys() - {"name", "id"}
        at = next((place for place, key in enumerate(own) if key in below), len(own))
        pairs = list(own.items())
        return dict([*pairs[:at], (field, value), *pairs[at:]])

    def _keep_id(self, card: Fields, before: str, place: int) -> Fields:
        """Return a card that got another name; its id stays where other files name it."""
        if card.get("id") is not None:
            return card
        fresh = find_id(card, None)
        others = {*self.ids[:place], *self.ids[place + 1 :]}
        if fresh == before or (fresh not in others and not self._keeps_ids(before)):
            self.ids[place] = fresh
            return card
        return {"name": card["name"], "id": before, **card}

    def _insert(self, place: int, values: Mapping[str, Value]) -> None:
        fresh: Fields = {key: value for key, value in values.items() if value is not None}
        self.cards = [*self.cards[:place], fresh, *self.cards[place:]]
        self.ids.insert(place, find_id(fresh, None))

    def _copy(self, place: int) -> None:
        text = self.finish()
        document = Document(text, self.file)
        pair = document.root.find("cards")
        assert pair is not None
        twice = duplicate(document, pair.value, place)
        own, card = self.ids[place], self.cards[place]
        assert isinstance(card, dict)
        fresh = rename_copy(card, self.ids)
        cards = [*self.cards[: place + 1], fresh, *self.cards[place + 1 :]]
        self._open(rewrite(Document(twice, self.file), {**self.head, "cards": cards}))
        assert self.ids[place] == own

    def _move(self, place: int, after: str | None) -> None:
        card, own = self.cards[place], self.ids[place]
        rest = [*self.cards[:place], *self.cards[place + 1 :]]
        del self.ids[place]
        at = 0 if after is None else self.find(after) + 1
        self.cards = [*rest[:at], card, *rest[at:]]
        self.ids.insert(at, own)


_SHARED = ("template", "back")


def set_key(head: Fields, edit: SetKey, allowed: Sequence[str] = DECK_KEYS) -> Fields:
    """Return the keys of a deck with one of them changed."""
    if edit.value is None:
        return {key: value for key, value in head.items() if key != edit.key}
    if edit.key in head:
        return {**head, edit.key: edit.value}
    above = set(allowed[: allowed.index(edit.key)]) if edit.key in allowed else set(head)
    before = [place for place, key in enumerate(head, 1) if key in above]
    at = before[-1] if before else 0
    # Cards stand last, whatever comes in.
    last = next((place for place, key in enumerate(head) if key in ("cards", *VARIANT_KEYS)), at)
    pairs = list(head.items())
    at = min(at, last) if edit.key not in VARIANT_KEYS else len(pairs)
    return dict([*pairs[:at], (edit.key, edit.value), *pairs[at:]])


def find_id(card: Value, written: str | None) -> str:
    """Return the id of a card, nothing if it has none."""
    if not isinstance(card, dict):
        return ""
    identity = written if written is not None else card.get("id")
    if identity is not None and str(identity).strip():
        return str(identity).strip()
    name = card.get("name")
    return _slug(str(name).strip()) if name is not None else ""


def _get_written(entries: Mapping[str, object], key: str) -> str | None:
    node = getattr(entries.get(key), "node", None)
    written = getattr(node, "written", None)
    return (
        written if isinstance(written, str) and getattr(node, "value", None) is not None else None
    )


def with_id(values: Mapping[str, Value], ids: Sequence[str]) -> Fields:
    """Return a new card, with an id of its own where its name is taken."""
    card = dict(values)
    own = find_id(card, None)
    if own not in ids:
        return card
    number = 2
    while f"{own}-{number}" in ids:
        number += 1
    rest = {key: value for key, value in card.items() if key not in ("name", "id")}
    return {"name": card.get("name"), "id": f"{own}-{number}", **rest}


def rename_copy(card: Fields, ids: Sequence[str]) -> Fields:
    """Return a copy of a card under a name that is free: Sword becomes Sword 2."""
    name = str(card.get("name") or card.get("id") or "Card").strip()
    number = 2
    while slug(f"{name} {number}") in ids:
        number += 1
    fresh = {key: value for key, value in card.items() if key != "id"}
    return {**fresh, "name": f"{name} {number}"}


def make_last(file: str) -> CardgenError:
    """Return the error for a deck that would have no card left."""
    return make_not_here("a deck without any card", Where(file), "delete the file instead")


# Variants


class Variant:
    """A deck that says how it differs from another one.

    deck: the variant as it is read
    base: the deck that it extends
    """

    def __init__(self, text: str, file: str, deck: Deck, base: Deck) -> None:
        self.file = file
        self._document = Document(text, file)
        value = self._document.value
        self.head: Fields = value if isinstance(value, dict) else {}
        self.cards = {card.id: card for card in deck.cards}
        self.base = {card.id: card for card in base.cards}
        self.ids = list(self.cards)

    def finish(self) -> str:
        """Return the text with all edits made."""
        return rewrite(self._document, self.head)

    def make(self, edit: Edit) -> None:
        """Make an edit."""
        match edit:
            case SetField():
                self._set(edit)
            case AddCard():
                self._add(with_id(edit.values, self.ids), edit.after)
            case CopyCard():
                name = self._get_card(edit.card).name
                fresh = rename_copy({"name": name}, self.ids)
                self._add({**fresh, "like": self._find_like(edit.card)}, edit.card)
            case RemoveCard():
                self._remove(edit.card)
            case MoveCard():
                self._get_card(edit.card)
                rest = [card for card in self.ids if card != edit.card]
                at = 0 if edit.after is None else rest.index(self._get_card(edit.after).id) + 1
                self._order([*rest[:at], edit.card, *rest[at:]])
            case SetKey():
                self.head = set_key(self.head, edit)

    def _get_card(self, card: str) -> Card:
        if card not in self.ids:
            raise make_no_card(card, self.ids, self.file)
        return self.cards[card]

    def _list(self, key: str) -> list[Value]:
        value = self.head.get(key)
        return value if isinstance(value, list) else []

    def _map(self, key: str) -> Fields:
        value = self.head.get(key)
        return value if isinstance(value, dict) else {}

    def _write(self, key: str, value: Value) -> None:
        """Write a key; an empty one is taken out."""
        self.head = set_key(self.head, SetKey(key, value or None))

    def _find_addition(self, card: str) -> int | None:
        ids = [find_id(one, None) for one in self._list("add")]
        return ids.index(card) if card in ids else None

    def _is_named(self, card: str) -> bool:
        """Whether the variant names one of its own cards elsewhere."""
        likes = [one.get("like") for one in self._list("add") if isinstance(one, dict)]
        return card in map(str, [*self._list("order"), *likes])

    def _find_like(self, card: str) -> str:
        """Return the id by which `like` knows a card: that of the base, be it changed."""
        for own, fields in self._map("change").items():
            if isinstance(fields, dict) and fields.get("id") == card:
                return own
        return card

    def _set(self, edit: SetField) -> None:
        self._get_card(edit.card)
        addition = self._find_addition(edit.card)
        if addition is not None:
            cards = self._list("add")
            own = cards[addition]
            assert isinstance(own, dict)
            is_like = own.get("like") is not None
            changed = _set_own(own, edit, None if not is_like else False)
            identity = find_id(changed, None)
            if identity != edit.card and self._is_named(edit.card):
                changed = {"name": changed.get("name"), "id": edit.card, **changed}
            elif identity != edit.card:
                self.cards[identity] = self.cards[edit.card]
                self.ids[self.ids.index(edit.card)] = identity
            self._write("add", [*cards[:addition], changed, *cards[addition + 1 :]])
            return
        card = self._find_like(edit.card)
        under = self.base.get(card)
        counts, change = self._map("counts"), self._map("change")
        own = change.get(card) or {}
        assert isinstance(own, dict)
        if edit.field == "count" and "count" not in own:
            fresh = {**counts, card: edit.value}
            if edit.value is None or (under is not None and under.count == edit.value):
                del fresh[card]
            self._write("counts", fresh)
            return
        changed = _set_own(own, edit, _get_value(under, edit.field) if under else None)
        fresh_changes: Fields = {**change, card: changed}
        if not changed:
            del fresh_changes[card]
        self._write("change", fresh_changes)

    def _add(self, card: Fields, after: str | None) -> None:
        fresh: Fields = {key: value for key, value in card.items() if value is not None}
        self._write("add", [*self._list("add"), fresh])
        own, last = find_id(fresh, None), self.ids[-1] if self.ids else None
        ids = [*self.ids, own]
        if after is not None and after != last:
            at = ids.index(self._get_card(after).id) + 1
            ids = [*ids[:at], own, *ids[at:-1]]
        self.ids = [*self.ids, own]
        if ids != self.ids or "order" in self.head:
            self._order(ids)

    def _remove(self, card: str) -> None:
        self._get_card(card)
        if len(self.ids) == 1:
            raise make_last(self.file)
        addition = self._find_addition(card)
        if addition is not None:
            cards = self._list("add")
            self._write("add", [*cards[:addition], *cards[addition + 1 :]])
        else:
            own = self._find_like(card)
            if "keep" in self.head:
                self._write("keep", [one for one in self._list("keep") if str(one) != own])
            else:
                self._write("drop", [*self._list("drop"), own])
            for key in ("change", "counts"):
                said = self._map(key)
                if own in said:
                    self._write(key, {one: value for one, value in said.items() if one != own})
        if card in map(str, self._list("order")):
            self._write("order", [one for one in self._list("order") if str(one) != card])
        self.ids.remove(card)

    def _order(self, ids: Sequence[str]) -> None:
        """Write the order of the cards, as far as it is not the usual one."""
        kept = list(map(str, self._list("keep"))) if "keep" in self.head else list(self.base)
        dropped = set(map(str, self._list("drop")))
        shown = {self._find_like(card): card for card in ids}
        usual = [shown[card] for card in kept if card not in dropped and card in shown]
        usual += [find_id(card, None) for card in self._list("add")]
        first = next(
            place
            for place in range(len(ids) + 1)
            if [*ids[:place], *(card for card in usual if card not in ids[:place])] == list(ids)
        )
        self._write("order", list(ids[:first]))
        self.ids = list(ids)


def _set_own(own: Fields, edit: SetField, under: Value) -> Fields:
    """Return what a card says itself; nothing is written over what lies under it, else left out."""
    if edit.value is None and (edit.field in CARD_KEYS or under is None):
        return {key: value for key, value in own.items() if key != edit.field}
    return {**own, edit.field: edit.value}


def _get_value(card: Card, field: str) -> Value:
    if field in CARD_KEYS:
        value: Value = getattr(card, field)
        return value
    return card.fields.get(field)


# Overlays


def edit_overlay(text: str, file: str, edits: Sequence[SetField | SetKey]) -> str:
    """Return the text of an overlay with texts of cards; an empty one is begun."""
    document = Document(text, file) if text.strip() else None
    value = document.value if document else {}
    head: Fields = value if isinstance(value, dict) else {}
    for edit in edits:
        if isinstance(edit, SetKey):
            head = set_key(head, edit, ("title", "description", "cards"))
            continue
        found = head.get("cards")
        cards: Fields = found if isinstance(found, dict) else {}
        inner = cards.get(edit.card)
        own: Fields = inner if isinstance(inner, dict) else {}
        head = {**head, "cards": {**cards, edit.card: _set_own(own, edit, None)}}
    if document is None:
        return "\n".join([*write_pairs(head, 0), ""])
    return rewrite(document, head)
