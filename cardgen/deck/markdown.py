"""A play sheet becomes a RawDeck of one card: Markdown below front matter.

Of Markdown it reads only the first heading, which is the title.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import Where
from cardgen.core.reading import read_text
from cardgen.deck.head import open_deck, split_front_matter
from cardgen.deck.model import (
    DECK_KEYS,
    DEFAULT_SHEET_BACK,
    DEFAULT_SHEET_TEMPLATE,
    VARIANT_KEYS,
    Value,
)
from cardgen.deck.raw import Mark, Raw, RawDeck

# The line that turns the sheet.
TURN = "+++"
_NO_KEYS = ("cards", "defaults", "deal", "sheet", *VARIANT_KEYS)

_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*")
_TURN_LINE = re.compile(r"^\+\+\+[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r" {0,3}(```|~~~)")


def read_markdown(path: Path) -> RawDeck:
    """Return a play sheet; a key of the front matter that no deck has is a field of its card."""
    file = str(path)
    front = split_front_matter(read_text(path).text, file)
    raw = open_deck(path, front.node, front.problems)
    raw.is_sheet = True
    raw.template = DEFAULT_SHEET_TEMPLATE
    raw.title = find_heading(front.body) or raw.title

    sides = _split_sides(raw, front.body, front.line)
    text, where = sides[0]
    if not text:
        hint = "write Markdown below the front matter"
        raw.add("deck/no-text", "there is no text for the sheet", where, hint)
    head = raw.head
    for key in _NO_KEYS:
        if key in head.values:
            message = f'a Markdown deck cannot hold "{key}"'
            raw.add("deck/not-in-sheet", message, head.locate_key(key), "it is a single card")
    if "text" in head.values:
        raw.add(
            "deck/reserved-field",
            '"text" is the text below the front matter',
            head.locate_key("text"),
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


class Span(NamedTuple):
    """Where the text of a side stands, without the empty lines around it."""

    start: int
    end: int


class _Side(NamedTuple):
    """The text of one side of the sheet, and where it begins."""

    text: str
    where: Where


def find_sides(body: str) -> list[Span]:
    """Return where the texts above and below the first line that turns the sheet stand."""
    turn = _TURN_LINE.search(body)
    edges = [(0, max(0, turn.start() - 1)), (turn.end(), len(body))] if turn else [(0, len(body))]
    return [_find_bare(body, start, end) for start, end in edges]


def _find_bare(body: str, start: int, end: int) -> Span:
    text = body[start:end]
    first = start + len(text) - len(text.lstrip("\n"))
    if not text.strip():
        return Span(first, first)
    return Span(first, start + len(text.rstrip("\n")))


def _split_sides(raw: RawDeck, body: str, line: int) -> list[_Side]:
    """Return the texts of the sides; the body begins in `line`."""
    turns = [body.count("\n", 0, turn.start()) for turn in _TURN_LINE.finditer(body)]
    for turn in turns[1:]:
        raw.add(
            "deck/turned-twice",
            "the sheet is turned a second time",
            Where(raw.file, line + turn),
            f'it has two sides: delete this line, or the "{TURN}" in line {line + turns[0]}',
        )
    return [
        _Side(body[span.start : span.end], Where(raw.file, line + body.count("\n", 0, span.start)))
        for span in find_sides(body)
    ]


def _add_back(
    raw: RawDeck, values: dict[str, Value], marks: dict[str, Mark], text: str, where: Where
) -> None:
    raw.back = DEFAULT_SHEET_BACK
    if not text:
        raw.add(
            "deck/no-text",
            "there is no text for the back of the sheet",
            where,
            f'write Markdown below "{TURN}"',
        )
    if "back_text" in values:
        raw.add(
            "deck/reserved-field",
            f'"back_text" is the text below "{TURN}"',
            raw.head.locate_key("back_text"),
            "give this field another name",
        )
    values["back_text"] = text
    marks["back_text"] = Mark(where, where, None)


def find_heading(body: str) -> str | None:
    """Return the text of the first "# heading" that is not part of a code block."""
    span = find_heading_span(body)
    return None if span is None else re.sub(r"[*`]", "", body[span.start : span.end])


def find_heading_span(body: str) -> Span | None:
    """Return where the text of the first "# heading" stands."""
    fence, place = None, 0
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None and (heading := _HEADING.fullmatch(line)):
            return Span(place + heading.start(1), place + heading.end(1))
        place += len(line) + 1
    return None
