"""The keys of a YAML deck that extends another become a RawVariant.

Knows nothing of the other deck, so not which cards there are.
"""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.deck.cards_reader import read_cards
from cardgen.deck.names import quote
from cardgen.deck.raw import Change, Mark, Mention, Raw, RawDeck, RawVariant
from cardgen.deck.values import describe, take_text
from cardgen.deck.yaml_tree import Entry, Node


def read_variant(raw: RawDeck, entries: Mapping[str, Entry]) -> RawVariant:
    if "cards" in entries:
        raw.add(
            '"cards" cannot stand beside "extends"',
            raw.head.find_key("cards"),
            'write "add:" for cards of its own',
        )
    if "keep" in entries and "drop" in entries:
        raw.add(
            '"keep" and "drop" cannot stand together',
            raw.head.find_key("drop"),
            "keep names the cards that stay, drop those that go",
        )
    return RawVariant(
        _take_base(raw),
        raw.head.find_value("extends"),
        _list_mentions(raw, entries, "keep"),
        _list_mentions(raw, entries, "drop"),
        _list_changes(raw, entries),
        _list_counts(raw, entries),
        _list_additions(raw, entries),
        _list_mentions(raw, entries, "order") or [],
    )


def _take_base(raw: RawDeck) -> str | None:
    known = len(raw.problems)
    base = take_text(raw, raw.head, "extends", "extends")
    if base is None and len(raw.problems) == known:
        raw.add(
            "extends names no deck",
            raw.head.find_key("extends"),
            "write the name of the deck that this one is made from",
        )
    return base


def _list_mentions(raw: RawDeck, entries: Mapping[str, Entry], key: str) -> list[Mention] | None:
    """The ids in a list; None if it is not written, or is none."""
    node = _find_filled(entries, key)
    if node is None:
        return None
    if node.items is None:
        _refuse(raw, node, f"{key} must be a list of ids", f'write "{key}: [id, id]"')
        return None
    mentions: dict[str, Mention] = {}
    for item in node.items:
        if item.written is None or item.value is None:
            _refuse(raw, item, f"{key} must hold ids")
            continue
        mention = Mention(item.written.strip(), item.locate(raw.file))
        if mentions.setdefault(mention.id, mention) is not mention:
            raw.add(f"card {quote(mention.id)} stands in {key} twice", mention.where)
    return list(mentions.values())


def _list_changes(raw: RawDeck, entries: Mapping[str, Entry]) -> list[Change]:
    changes: list[Change] = []
    for card, node in _list_pairs(raw, entries, "change", "fields"):
        if node.entries is None:
            message = f"change of card {quote(card.id)} must be a mapping of fields"
            _refuse(raw, node, message, 'write "field: value" below the id')
        else:
            changes.append(Change(card, node.to_raw(raw.file)))
    return changes


def _list_counts(raw: RawDeck, entries: Mapping[str, Entry]) -> list[Change]:
    """Each count as the change that it is short for."""
    counts: list[Change] = []
    for card, node in _list_pairs(raw, entries, "counts", "counts"):
        mark = Mark(card.where, node.locate(raw.file), node.written)
        counts.append(Change(card, Raw({"count": node.value}, card.where, {"count": mark})))
    return counts


def _list_pairs(
    raw: RawDeck, entries: Mapping[str, Entry], key: str, what: str
) -> list[tuple[Mention, Node]]:
    node = _find_filled(entries, key)
    if node is None:
        return []
    if node.entries is None:
        _refuse(raw, node, f"{key} must be a mapping of ids to {what}")
        return []
    return [
        (Mention(card, entry.locate(raw.file)), entry.node) for card, entry in node.entries.items()
    ]


def _list_additions(raw: RawDeck, entries: Mapping[str, Entry]) -> list[Raw]:
    node = _find_filled(entries, "add")
    if node is None:
        return []
    if node.items is None:
        _refuse(raw, node, "add must be a list of cards", 'write "- name: …" below it')
        return []
    return read_cards(raw, node.items, " in add")


def _find_filled(entries: Mapping[str, Entry], key: str) -> Node | None:
    entry = entries.get(key)
    return None if entry is None or entry.node.value is None else entry.node


def _refuse(raw: RawDeck, node: Node, message: str, hint: str | None = None) -> None:
    raw.add(f"{message}, not {describe(node.value)}", node.locate(raw.file), hint)
