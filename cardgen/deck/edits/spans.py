"""Finds where the values of a deck in YAML begin and end, so that they can be written anew.

Places are counted in characters. A collection in brackets is one whole, unless it is asked for.
What the values are, deck/yaml.py reads.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import yaml


class Pair(NamedTuple):
    """A key with its value; the key begins at `start`, and `colon` is behind the colon: 0 where a
    key in brackets has none.
    """

    key: str
    start: int
    colon: int
    value: Span

    def shift(self, by: int) -> Pair:
        colon = self.colon and self.colon + by
        return Pair(self.key, self.start + by, colon, self.value.shift(by))


class Item(NamedTuple):
    """An entry of a list; `dash` is where its hyphen is, or in brackets where it begins."""

    dash: int
    value: Span

    def shift(self, by: int) -> Item:
        return Item(self.dash + by, self.value.shift(by))


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands; `end` is behind the last letter of it that is no blank.

    style: of a scalar, its quote, | or >, nothing if it is plain; * for what repeats another value
    has_anchor: whether it, or anything in it, may be repeated elsewhere
    """

    start: int
    end: int
    has_anchor: bool = False
    pairs: Sequence[Pair] | None = None  # of a mapping
    items: Sequence[Item] | None = None  # of a list
    style: str | None = None
    in_brackets: bool = False

    def find(self, key: str) -> Pair | None:
        return next((pair for pair in self.pairs or () if pair.key == key), None)

    def shift(self, by: int) -> Span:
        """Return it with all places further down in a text."""
        pairs = items = None
        if self.pairs is not None:
            pairs = tuple(pair.shift(by) for pair in self.pairs)
        if self.items is not None:
            items = tuple(item.shift(by) for item in self.items)
        return replace(self, start=self.start + by, end=self.end + by, pairs=pairs, items=items)


class Comment(NamedTuple):
    start: int
    end: int


class Spans(NamedTuple):
    root: Span
    comments: tuple[Comment, ...]

    def list_comments(self, start: int, end: int) -> tuple[Comment, ...]:
        """Return the comments that begin in a part of the text."""
        first = bisect_left(self.comments, (start, start))
        return self.comments[first : bisect_left(self.comments, (end, end))]


def list_noted(text: str, spans: Spans) -> set[int]:
    """Return the cards with a comment in them, right above them, or below and deeper than they."""
    pair = spans.root.find("cards")
    noted: set[int] = set()
    for place, item in enumerate((pair and pair.value.items) or ()):
        start = text.rfind("\n", 0, item.dash) + 1
        end = _find_end_of_line(text, item.value.end)
        if spans.list_comments(start, end):
            noted.add(place)
        above = text.rfind("\n", 0, max(0, start - 1)) + 1
        below = _find_end_of_line(text, end + 1)
        column = item.dash - start
        if 0 <= _find_depth(text, spans, above, start) <= column:
            noted.add(place)
        if _find_depth(text, spans, end + 1, below) > column:
            noted.add(place)
    return noted


def _find_depth(text: str, spans: Spans, start: int, end: int) -> int:
    """Return the column of the comment that fills a line; -1 if none does."""
    comments = spans.list_comments(start, end)
    is_whole = comments and not text[start : comments[0].start].strip()
    return comments[0].start - start if is_whole else -1


def find_spans(text: str, *, brackets: bool = False) -> Spans:
    """Return the places in a text that is one sound document, with each line ending in \\n.

    brackets: whether those within collections in brackets are wanted too
    """
    tokens = list(yaml.scan(text, Loader=yaml.CSafeLoader))
    root = _Builder(text, tokens, brackets).build()
    return Spans(root, tuple(_find_comments(text, tokens)))


class _Builder:
    def __init__(self, text: str, tokens: list[yaml.Token], brackets: bool) -> None:
        self._text = text
        self._brackets = brackets
        # Any: the marks of events from a text are never None, whatever their types say.
        self._events: Iterator[Any] = iter(yaml.parse(text, Loader=yaml.CSafeLoader))
        self._dashes = [
            token.start_mark.index for token in tokens if isinstance(token, yaml.BlockEntryToken)
        ]
        self._colons = [
            token.end_mark.index for token in tokens if isinstance(token, yaml.ValueToken)
        ]

    def build(self) -> Span:
        next(self._events)
        next(self._events)
        return self._build(next(self._events))

    def _build(self, event: Any) -> Span:
        start, end = event.start_mark.index, event.end_mark.index
        if isinstance(event, yaml.AliasEvent):
            return Span(start, end, style="*")
        has_anchor = event.anchor is not None
        if not isinstance(event, yaml.CollectionStartEvent):
            # A line of blanks may be one of a long text.
            blank = "\n" if event.style in ("|", ">") else None
            end = start + len(self._text[start:end].rstrip(blank))
            return Span(start, end, has_anchor, style=event.style or "")
        flow = bool(event.flow_style)
        if flow and not self._brackets:
            return Span(start, self._skip(), has_anchor, in_brackets=True)
        if isinstance(event, yaml.SequenceStartEvent):
            items, last = self._build_items(in_brackets=flow)
            end = last if flow else max(i.value.end for i in items)
            has_anchor = has_anchor or any(i.value.has_anchor for i in items)
            return Span(start, end, has_anchor, items=items, in_brackets=flow)
        pairs, last = self._build_pairs()
        end = last if flow else max(p.value.end for p in pairs)
        has_anchor = has_anchor or any(p.value.has_anchor for p in pairs)
        return Span(start, end, has_anchor, pairs=pairs, in_brackets=flow)

    def _skip(self) -> int:
        """Read past a collection in brackets, and return its end."""
        depth = 1
        while depth:
            event = next(self._events)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
        end: int = event.end_mark.index
        return end

    def _build_items(self, *, in_brackets: bool) -> tuple[tuple[Item, ...], int]:
        items: list[Item] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            dash = start = event.start_mark.index
            if not in_brackets:
                dash = self._dashes[bisect_right(self._dashes, start - 1) - 1]
            items.append(Item(dash, self._build(event)))
        last: Any = event.end_mark
        return tuple(items), last.index

    def _build_pairs(self) -> tuple[tuple[Pair, ...], int]:
        pairs: list[Pair] = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._build(event)
            place = bisect_left(self._colons, key.end)
            colon = self._colons[place] if place < len(self._colons) else 0
            following = next(self._events)
            if colon > following.start_mark.index:
                colon = 0
            value = self._build(following)
            pairs.append(Pair(getattr(event, "value", ""), key.start, colon, value))
        last: Any = event.end_mark
        return tuple(pairs), last.index


def _find_comments(text: str, tokens: list[yaml.Token]) -> Iterator[Comment]:
    """Yield the comments between tokens, and those behind a sign that opens a long text."""
    end = 0
    for token in tokens:
        yield from _find_in_gap(text, end, token.start_mark.index)
        end = max(end, token.end_mark.index)
        if isinstance(token, yaml.ScalarToken) and token.style in ("|", ">"):
            start = token.start_mark.index
            yield from _find_in_gap(text, start, _find_end_of_line(text, start))
    yield from _find_in_gap(text, end, len(text))


def _find_in_gap(text: str, start: int, end: int) -> Iterator[Comment]:
    while (found := text.find("#", start, end)) >= 0:
        start = min(end, _find_end_of_line(text, found))
        yield Comment(found, start)


def _find_end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end
