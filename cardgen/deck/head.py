"""The YAML that describes a deck, alone or as front matter, becomes a RawDeck without cards.

Knows nothing of the cards, nor of the text below the front matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.deck.raw import Raw, RawDeck, title_of
from cardgen.deck.yaml import Entry, Node, parse_yaml

EXAMPLE = """a deck looks like this:
    title: Magic items
    cards:
      - name: Sword of Fate
        count: 2
        text: Once per game"""
IMPORT_HINT = 'a list as other programs write it is imported: cardgen import "{file}" -o mine.yaml'
TABLE_EXAMPLE = """a table looks like this:
    name,count,text
    Sword of Fate,2,Once per game"""

# The keys that hold keys of their own, and what is said of those that do not.
_MAPPINGS = {
    "defaults": ("deck/bad-defaults", "defaults must be a mapping of fields"),
    "labels": ("deck/bad-labels", "labels must be a mapping of fields, as {hp: HP}"),
    "deal": ("deck/bad-deal", "deal must be a mapping, as {hand: 4}"),
}
_FENCE = "---"
_FENCE_LINE = re.compile(r"---[ \t]*(\n|\Z)")


class FrontMatter(NamedTuple):
    """The YAML at the top of a text, and the rest, which begins in `line`."""

    node: Node | None
    body: str
    line: int
    problems: list[Problem]


def split_front_matter(text: str, file: str) -> FrontMatter:
    """Cut off the YAML that stands between two lines "---" at the top of a text."""
    if not _FENCE_LINE.match(text):
        return FrontMatter(None, text, 1, [])
    lines = text.split("\n")
    closing = next((i for i, line in enumerate(lines) if i and line.rstrip() == _FENCE), None)
    if closing is None:
        raise CardgenError(
            "file/open-front-matter",
            "the front matter that this line opens is never closed",
            Where(file, 1),
            f'write a line "{_FENCE}" below it',
        )
    problems: list[Problem] = []
    # The empty line stands for the fence, so that the places are those of the whole file.
    node = parse_yaml("\n" + "\n".join(lines[1:closing]) + "\n", file, problems)
    return FrontMatter(node, "\n".join(lines[closing + 1 :]), closing + 2, problems)


def open_deck(path: Path, node: Node | None, problems: list[Problem]) -> RawDeck:
    """Return the RawDeck that a file's YAML describes; without any it has only a title."""
    file = str(path)
    head = node.to_raw(file) if node else Raw({}, Where(file))
    raw = RawDeck(path, head, title_of(path), problems=problems)
    if node is None:
        return raw
    if node.entries is None:
        raise CardgenError(
            "file/not-a-mapping",
            f"a deck is a mapping of keys, not {_name_kind(node)}",
            node.locate(file),
            _hint_at_list(file) if node.items and path.suffix != ".md" else EXAMPLE,
        )
    raw.defaults = _take_mapping(raw, node.entries, "defaults")
    raw.labels = _take_mapping(raw, node.entries, "labels")
    raw.deal = _take_mapping(raw, node.entries, "deal")
    return raw


def _hint_at_list(file: str) -> str:
    return f'write "cards:" above a list of your own; {IMPORT_HINT.format(file=file)}'


def _take_mapping(raw: RawDeck, entries: Mapping[str, Entry], key: str) -> Raw | None:
    """Return what a key of the deck holds that holds keys of its own; what is none is a problem."""
    node = entries[key].node if key in entries else None
    if node is None or node.entries is None:
        if node is not None and node.value is not None:
            raw.add(*_MAPPINGS[key], node.locate(raw.file), details={"key": key})
        return None
    return node.to_raw(raw.file)


def open_mapping(text: str, file: str, problems: list[Problem], example: str) -> Node:
    """Return the mapping that a file beside a deck holds, such as an overlay."""
    node = parse_yaml(text, file, problems)
    if node is None:
        raise CardgenError("file/empty", "the file is empty", Where(file), example)
    if node.entries is None:
        raise CardgenError(
            "file/not-a-mapping",
            f"the file holds {_name_kind(node)}, not a mapping",
            node.locate(file),
            example,
        )
    return node


def _name_kind(node: Node) -> str:
    return "a list" if node.items is not None else "a single text"
