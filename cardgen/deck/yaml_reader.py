"""A YAML deck becomes a RawDeck. Knows where its cards lie, and nothing of what fields mean."""

from __future__ import annotations

from pathlib import Path

from cardgen.deck.cards_reader import read_cards
from cardgen.deck.head import EXAMPLE, open_deck
from cardgen.deck.raw import RawDeck
from cardgen.deck.source import read_text
from cardgen.deck.table import TABLE_SUFFIXES, add_table
from cardgen.deck.values import take_text
from cardgen.deck.variant_reader import read_variant
from cardgen.deck.yaml_tree import Node, parse_yaml
from cardgen.errors import CardgenError, Problem, Where, find_near
from cardgen.library import find_neighbour


def read_yaml(path: Path) -> RawDeck:
    file = str(path)
    problems: list[Problem] = []
    node = parse_yaml(read_text(path).text, file, problems)
    if node is None:
        raise CardgenError("the file is empty", Where(file), EXAMPLE)
    raw = open_deck(path, node, problems)
    entries = node.entries or {}
    cards = entries.get("cards")
    if "extends" in entries:
        raw.variant = read_variant(raw, entries)
    elif cards is None:
        # Where one is a slip of it, or stands in its place, that is said already.
        if not any(find_near(key, ("cards",)) for key in entries):
            raw.add('the deck has no key "cards"', node.locate(file), EXAMPLE)
    elif cards.node.items is not None:
        raw.cards = read_cards(raw, cards.node.items)
    elif isinstance(cards.node.value, str):
        _add_table(raw, cards.node)
    elif cards.node.value is not None:
        hint = 'begin each card with "- name: …", with a blank behind the hyphen'
        message = "cards must be a list of cards, or the name of a table"
        raw.add(message, cards.node.locate(file), hint)
    return raw


def find_table(path: Path) -> str | None:
    """The table that a YAML deck names as its cards, as the file writes it."""
    node = parse_yaml(read_text(path).text, str(path), [])
    cards = node.entries.get("cards") if node and node.entries else None
    return cards.node.value if cards and isinstance(cards.node.value, str) else None


def _add_table(raw: RawDeck, node: Node) -> None:
    where = node.locate(raw.file)
    name = take_text(raw, raw.head, "cards", "cards")
    if name is None:
        return
    folder = raw.path.parent
    path = folder / name
    if path.suffix.lower() not in TABLE_SUFFIXES:
        hint = find_neighbour(path.with_suffix(".csv")) if not path.suffix else None
        message = f'cards: "{name}" is no table'
        raw.add(message, where, hint or "a table ends in .csv or .xlsx")
    elif not path.resolve().is_relative_to(folder.resolve()):
        raw.add(
            f'cards: "{name}" lies outside the folder of the deck',
            where,
            "copy it beside the deck and name it from there",
        )
    else:
        try:
            add_table(raw, path, where)
        except CardgenError as error:
            raw.problems += error.problems
