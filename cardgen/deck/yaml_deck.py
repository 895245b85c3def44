"""A deck in YAML becomes a RawDeck: its cards, the table that holds them, or what it varies.

Knows nothing of the deck that a variant extends, nor of what fields mean.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.core.deck_files import (
    TABLE_SUFFIXES,
    find_neighbour,
    find_table_beside,
    leads_inside,
)
from cardgen.core.errors import CardgenError, Problem, Where, collecting
from cardgen.core.library import Library
from cardgen.core.names import find_near
from cardgen.deck.head import EXAMPLE, IMPORT_HINT, open_deck
from cardgen.deck.raw import CardChange, Mark, Mention, Raw, RawDeck, RawVariant
from cardgen.deck.values import describe, quote, take_text
from cardgen.deck.yaml import Entry, Node, parse_yaml, read_yaml_text

_LISTS = (".json", ".yaml", ".yml")


def read_yaml(path: Path, text: str | None = None) -> RawDeck:
    """Return the deck of a YAML file, or of a text that might stand there."""
    file = str(path)
    problems: list[Problem] = []
    node = parse_yaml(read_yaml_text(path) if text is None else text, file, problems)
    if node is None:
        raise CardgenError("file/empty", "the file is empty", Where(file), EXAMPLE)
    raw = open_deck(path, node, problems)
    entries = node.entries or {}
    cards = entries.get("cards")
    if "extends" in entries:
        raw.variant = _read_variant(raw, entries)
    elif cards is None:
        # A key that is a slip of it is a problem already.
        if not any(find_near(key, ("cards",)) for key in entries):
            table = find_table_beside(path)
            hint = f"write cards: {table.name}" if table else EXAMPLE
            raw.add("deck/no-cards", 'the deck has no key "cards"', node.locate(file), hint)
    elif cards.node.items is not None:
        raw.cards = _read_cards(raw, cards.node.items)
    elif isinstance(cards.node.value, str):
        _add_table(raw, cards.node)
    elif cards.node.value is not None:
        hint = 'begin each card with "- name: …", with a blank behind the hyphen'
        message = "cards must be a list of cards, or the name of a table"
        raw.add("deck/bad-cards", message, cards.node.locate(file), hint)
    return raw


def find_table(path: Path) -> str | None:
    """Return the table that a YAML deck names as its cards, if it does, as the file writes it."""
    node = parse_yaml(read_yaml_text(path), str(path), [])
    cards = node.entries.get("cards") if node and node.entries else None
    return cards.node.value if cards and isinstance(cards.node.value, str) else None


def _add_table(raw: RawDeck, node: Node) -> None:
    where = node.locate(raw.file)
    name = take_text(raw, raw.head, "cards", "cards")
    if name is None:
        return
    folder = raw.path.parent
    path = Path(os.path.normpath(folder / name))
    # Before anything is said of what lies there.
    if not leads_inside(path, Library.around(raw.path).roots[0]):
        raw.add(
            "file/outside",
            f'cards: "{name}" lies outside the folder of the project',
            where,
            "copy it into that folder and name it from there",
        )
    elif path.suffix.lower() not in TABLE_SUFFIXES:
        hint = find_neighbour(path.with_suffix(".csv")) if not path.suffix else None
        if path.suffix.lower() in _LISTS:
            hint = IMPORT_HINT.format(file=path)
        message = f'cards: "{name}" is no table'
        raw.add("deck/not-a-table", message, where, hint or "a table ends in .csv, .tsv or .xlsx")
    else:
        from cardgen.deck.tables import add_table  # which a deck without a table does without

        with collecting(raw.problems, where):
            add_table(raw, path, where)


def _read_cards(raw: RawDeck, items: Iterable[Node], place: str = "") -> list[Raw]:
    """Return the cards of a list; one that is no mapping stays, empty, and so does its number."""
    hint = 'write "- name: …"'
    cards: list[Raw] = []
    for number, item in enumerate(items, 1):
        name, where = f"card {number}{place}", item.locate(raw.file)
        if item.entries is None and item.value is not None:
            found = describe(item.value)
            message = f"{name} must be a mapping of fields, not {found}"
            raw.add("deck/bad-card", message, where, hint)
        elif not item.entries:
            raw.add("deck/bad-card", f"{name} is empty", where, hint)
        cards.append(item.to_raw(raw.file))
    return cards


def _read_variant(raw: RawDeck, entries: Mapping[str, Entry]) -> RawVariant:
    """Return the changes that a deck makes to the cards of the deck it extends."""
    if "cards" in entries:
        raw.add(
            "deck/extends-and-cards",
            '"cards" cannot stand beside "extends"',
            raw.head.locate_key("cards"),
            'write "add:" for cards of its own',
        )
    if "keep" in entries and "drop" in entries:
        raw.add(
            "deck/keep-and-drop",
            '"keep" and "drop" cannot stand together',
            raw.head.locate_key("drop"),
            "keep names the cards that stay, drop those that go",
        )
    return RawVariant(
        _find_base(raw),
        raw.head.locate_value("extends"),
        _list_mentions(raw, entries, "keep"),
        _list_mentions(raw, entries, "drop"),
        _list_changes(raw, entries),
        _list_counts(raw, entries),
        _list_additions(raw, entries),
        _list_mentions(raw, entries, "order") or [],
    )


def _find_base(raw: RawDeck) -> str | None:
    known = len(raw.problems)
    base = take_text(raw, raw.head, "extends", "extends")
    if base is None and len(raw.problems) == known:
        raw.add(
            "deck/no-base",
            "extends names no deck",
            raw.head.locate_key("extends"),
            "write the name of the deck that this one is made from",
        )
    return base


def _list_mentions(raw: RawDeck, entries: Mapping[str, Entry], key: str) -> list[Mention] | None:
    """Return the ids of a list; None if the key is missing, empty or no list."""
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
            message = f"card {quote(mention.id)} stands in {key} twice"
            raw.add("deck/named-twice", message, mention.where)
    return list(mentions.values())


def _list_changes(raw: RawDeck, entries: Mapping[str, Entry]) -> list[CardChange]:
    changes: list[CardChange] = []
    for card, node in _list_pairs(raw, entries, "change", "fields"):
        if node.entries is None:
            message = f"change of card {quote(card.id)} must be a mapping of fields"
            _refuse(raw, node, message, 'write "field: value" below the id')
        else:
            changes.append(CardChange(card, node.to_raw(raw.file)))
    return changes


def _list_counts(raw: RawDeck, entries: Mapping[str, Entry]) -> list[CardChange]:
    """Return each count as a change of one field."""
    counts: list[CardChange] = []
    for card, node in _list_pairs(raw, entries, "counts", "counts"):
        mark = Mark(card.where, node.locate(raw.file), node.written)
        counts.append(CardChange(card, Raw({"count": node.value}, card.where, {"count": mark})))
    return counts


def _list_pairs(
    raw: RawDeck, entries: Mapping[str, Entry], key: str, what: str
) -> list[tuple[Mention, Node]]:
    """Return the ids of a mapping, and what stands at each."""
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
    return _read_cards(raw, node.items, " in add")


def _find_filled(entries: Mapping[str, Entry], key: str) -> Node | None:
    entry = entries.get(key)
    return None if entry is None or entry.node.value is None else entry.node


def _refuse(raw: RawDeck, node: Node, message: str, hint: str | None = None) -> None:
    """Add a value that is of another kind than its key takes."""
    message = f"{message}, not {describe(node.value)}"
    raw.add("deck/bad-variant", message, node.locate(raw.file), hint)
