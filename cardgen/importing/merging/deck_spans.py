"""Finds where the values of a deck in YAML begin and end, so that they can be written anew.

Places are counted in characters. A collection in brackets is one whole. What the values are,
deck/yaml.py reads.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml


class Pair(NamedTuple):
    """A key with its value; the key begins at `start`, and `colon` is behind the colon."""

    key: str
    start: int
    colon: int
    value: Span


class Item(NamedTuple):
    """An entry of a list; `dash` is where its hyphen is."""

    dash: int
    value: Span


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands; `end` is behind the last letter of it that is no blank."""

    start: int
    end: int
    has_anchor: bool = False
    pairs: tuple[Pair, ...] | None = None  # of a mapping without brackets
    items: tuple[Item, ...] | None = None  # of a list without brackets

    def find(self, key: str) -> Pair | None:
        return next((pair for pair in self.pairs or () if pair.key == key), None)


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


def find_spans(text: str) -> Spans:
    """Return the places in a text that is one sound document, with each line ending in \\n."""
    tokens = list(yaml.scan(text, Loader=yaml.CSafeLoader))
    root = _Builder(text, tokens).build()
    return Spans(root, tuple(_find_comments(text, tokens)))


class _Builder:
    def __init__(self, text: str, tokens: list[yaml.Token]) -> None:
        self._text = text
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
        has_anchor = not isinstance(event, yaml.AliasEvent) and event.anchor is not None
        if isinstance(event, yaml.CollectionStartEvent):
            if event.flow_style:
                return Span(start, self._skip(), has_anchor)
            if isinstance(event, yaml.SequenceStartEvent):
                items = self._build_items()
                return Span(start, max(i.value.end for i in items), has_anchor, items=items)
            pairs = self._build_pairs()
            return Span(start, max(p.value.end for p in pairs), has_anchor, pairs=pairs)
        end = start + len(self._text[start:end].rstrip())
        return Span(start, end, has_anchor)

    def _skip(self) -> int:
        """Read past a collection in brackets, and return its end."""
        depth = 1
        while depth:
            event = next(self._events)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
        end: int = event.end_mark.index
        return end

    def _build_items(self) -> tuple[Item, ...]:
        items = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            before = bisect_right(self._dashes, event.start_mark.index - 1)
            items.append(Item(self._dashes[before - 1], self._build(event)))
        return tuple(items)

    def _build_pairs(self) -> tuple[Pair, ...]:
        pairs = []
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._build(event)
            colon = self._colons[bisect_left(self._colons, key.end)]
            value = self._build(next(self._events))
            pairs.append(Pair(getattr(event, "value", ""), key.start, colon, value))
        return tuple(pairs)


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
