"""A Markdown file with YAML front matter becomes a RawDeck of one card, as large as the page.

Knows nothing of Markdown but how to find a title.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.deck.files import read_text
from cardgen.deck.model import (
    DECK_KEYS,
    DEFAULT_SHEET_BACK,
    DEFAULT_SHEET_TEMPLATE,
    VARIANT_KEYS,
    Value,
)
from cardgen.deck.raw import Mark, Raw, RawDeck, title_of
from cardgen.deck.yaml import Node, parse_yaml

FENCE = "---"
_FENCE_LINE = re.compile(r"---[ \t]*(\n|\Z)")
EXAMPLE = """a deck looks like this:
    title: Magic items
    cards:
      - name: Sword of Fate
        count: 2
        text: Once per game"""
TABLE_EXAMPLE = """a table looks like this:
    name,count,text
    Sword of Fate,2,Once per game"""


class FrontMatter(NamedTuple):
    node: Node | None
    body: str
    line: int
    problems: list[Problem]


def split_front_matter(text: str, file: str) -> FrontMatter:
    """Part a text from the YAML between "---" lines at its top; `line` is where the rest begins."""
    if not _FENCE_LINE.match(text):
        return FrontMatter(None, text, 1, [])
    lines = text.split("\n")
    closing = next((i for i, line in enumerate(lines) if i and line.rstrip() == FENCE), None)
    if closing is None:
        raise CardgenError(
            "deck/todo",
            "the front matter that this line opens is never closed",
            Where(file, 1),
            f'write a line "{FENCE}" below it',
        )
    problems: list[Problem] = []
    # The empty line stands for the fence, so that the places are those of the whole file.
    node = parse_yaml("\n" + "\n".join(lines[1:closing]) + "\n", file, problems)
    return FrontMatter(node, "\n".join(lines[closing + 1 :]), closing + 2, problems)


def open_deck(path: Path, node: Node | None, problems: list[Problem]) -> RawDeck:
    """A RawDeck from a file's YAML, or from none."""
    file = str(path)
    head = node.to_raw(file) if node else Raw({}, Where(file))
    raw = RawDeck(path, head, title_of(path), problems=problems)
    if node is None:
        return raw
    if node.entries is None:
        what = "a list" if node.items is not None else "a single text"
        raise CardgenError(
            "deck/todo", f"a deck is a mapping of keys, not {what}", node.locate(file), EXAMPLE
        )
    if "defaults" in node.entries:
        defaults = node.entries["defaults"].node
        if defaults.entries is not None:
            raw.defaults = defaults.to_raw(file)
        elif defaults.value is not None:
            raw.add("defaults must be a mapping of fields", defaults.locate(file))
    return raw


def open_mapping(text: str, file: str, problems: list[Problem], example: str) -> Node:
    """The mapping that a file beside decks holds, as one of texts."""
    node = parse_yaml(text, file, problems)
    if node is None:
        raise CardgenError("deck/todo", "the file is empty", Where(file), example)
    if node.entries is None:
        what = "a list" if node.items is not None else "a single text"
        raise CardgenError(
            "deck/todo", f"the file holds {what}, not a mapping", node.locate(file), example
        )
    return node


TURN = "+++"
_NO_KEYS = ("cards", "defaults", "sheet", *VARIANT_KEYS)

_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def read_markdown(path: Path) -> RawDeck:
    """The front matter describes the deck; a key that no deck has is a field of the card."""
    file = str(path)
    front = split_front_matter(read_text(path).text, file)
    raw = open_deck(path, front.node, front.problems)
    raw.is_sheet = True
    raw.template = DEFAULT_SHEET_TEMPLATE
    raw.title = find_heading(front.body) or raw.title

    sides = _split_sides(raw, front.body, front.line)
    text, where = sides[0]
    if not text:
        raw.add("there is no text for the sheet", where, "write Markdown below the front matter")
    head = raw.head
    for key in _NO_KEYS:
        if key in head.values:
            raw.add(
                f'a Markdown deck cannot hold "{key}"', head.find_key(key), "it is a single card"
            )
    if "text" in head.values:
        raw.add(
            '"text" is the text below the front matter',
            head.find_key("text"),
            "give this field another name",
        )

    values: dict[str, Value] = {k: v for k, v in head.values.items() if k not in DECK_KEYS}
    marks = dict(head.marks)
    values["text"] = text
    if len(sides) > 1:
        _add_back(raw, values, marks, *sides[1])
    raw.cards.append(Raw(values, where, marks))
    kept = {k: v for k, v in head.values.items() if k in DECK_KEYS and k not in _NO_KEYS}
    raw.head = Raw(kept, head.where, head.marks)
    return raw


class _Side(NamedTuple):
    text: str
    where: Where


def _split_sides(raw: RawDeck, body: str, line: int) -> list[_Side]:
    """The texts before and after the line that turns the sheet; `line` is where the body begins."""
    lines = body.split("\n")
    turns = [number for number, text in enumerate(lines) if text.rstrip() == TURN]
    for turn in turns[1:]:
        raw.add(
            "the sheet is turned a second time",
            Where(raw.file, line + turn),
            f'it has two sides: delete this line, or the "{TURN}" in line {line + turns[0]}',
        )
    edges = [-1, *turns[:1], len(lines)]
    sides: list[_Side] = []
    for before, after in pairwise(edges):
        text = "\n".join(lines[before + 1 : after])
        bare = text.lstrip("\n")
        where = Where(raw.file, line + before + 1 + len(text) - len(bare))
        sides.append(_Side(bare.rstrip("\n") if bare.strip() else "", where))
    return sides


def _add_back(
    raw: RawDeck, values: dict[str, Value], marks: dict[str, Mark], text: str, where: Where
) -> None:
    raw.back = DEFAULT_SHEET_BACK
    if not text:
        raw.add(
            "there is no text for the back of the sheet", where, f'write Markdown below "{TURN}"'
        )
    if "back_text" in values:
        raw.add(
            f'"back_text" is the text below "{TURN}"',
            raw.head.find_key("back_text"),
            "give this field another name",
        )
    values["back_text"] = text
    marks["back_text"] = Mark(where, where, None)


def find_heading(body: str) -> str | None:
    """The text of the first "# heading" that is not part of a code block."""
    fence = None
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None and (heading := _HEADING.fullmatch(line)):
            return re.sub(r"[*`]", "", heading[1])
    return None


# MERGED: The YAML that describes a deck, alone or as front matter, becomes a RawDeck without cards.
#
#   Knows nothing of what follows the front matter.
#
