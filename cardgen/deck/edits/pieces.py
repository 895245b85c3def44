"""A YAML document in pieces, each of which is read alone and only once.

A long list or mapping is cut before each of its entries. Where every piece is a sound document by
itself, with one entry, the whole says what the pieces say; where one is not, the whole is read. So
a change in one card of a thousand reads that card anew, and no other. Knows nothing of decks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.deck.edits.spans import Comment, Item, Pair, Span, Spans, find_spans
from cardgen.deck.model import Value
from cardgen.deck.yaml import Entry, Node, parse_yaml

Path = tuple[str | int, ...]

_MOST_FILES = 12
_LEAST = 2_000  # characters of an entry that is worth cutting
_FIRST = re.compile(r"^( *)([^\s#])", re.MULTILINE)
_DASH = re.compile(r" *-(?:[ \t]|$)")


class _Read:
    """A piece as it was read; the places in it, from its beginning, are found when asked for.

    key: that of its one entry, None in a list
    node: the value of that entry
    """

    __slots__ = ("_spans", "key", "node", "text")

    def __init__(self, text: str, node: Node, key: str | None, spans: Spans | None = None) -> None:
        self.text = text
        self.node = node
        self.key = key
        self._spans = spans

    @property
    def spans(self) -> Spans:
        if self._spans is None:
            self._spans = find_spans(self.text, brackets=True)
        return self._spans


class _Cut(NamedTuple):
    """An entry: where it begins in the text, and what it is; `inner` if its value is cut too."""

    start: int
    end: int
    read: _Read
    inner: _Cuts | None = None


class _Cuts(NamedTuple):
    is_list: bool
    entries: list[_Cut]


# Of each file, what its pieces were read as the last time.
_known: OrderedDict[str, dict[str, _Read | None]] = OrderedDict()


class Document:
    """A text that is one sound document, with each line ending in \\n; all places are of it.

    node: what it says; the lines and columns in it are those of a piece
    """

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        before, now = _known.get(file, {}), dict[str, _Read | None]()
        cuts = _Cutter(text, before, now).cut()
        _known[file] = now
        _known.move_to_end(file)
        if len(_known) > _MOST_FILES:
            _known.popitem(last=False)
        self.is_cut = cuts is not None
        self._comments: list[tuple[int, _Read]]
        if cuts is not None:
            self.node = _join(cuts)
            self.root = _build_span(cuts)
            self._comments = list(_list_reads(cuts))
            return
        problems: list[Problem] = []
        node = parse_yaml(text, file, problems)
        if problems:
            raise CardgenError.of(problems)
        if node is None:
            raise CardgenError("file/empty", "the file is empty", Where(file))
        spans = find_spans(text, brackets=True)
        self.node, self.root = node, spans.root
        self._comments = [(0, _Read(text, node, None, spans))]

    @property
    def value(self) -> Value:
        return self.node.value

    def list_comments(self, start: int, end: int) -> list[Comment]:
        """Return the comments that begin in a part of the text."""
        first = bisect_right(self._comments, start, key=lambda one: one[0]) - 1
        found: list[Comment] = []
        for offset, read in self._comments[max(0, first) :]:
            if offset >= end:
                break
            moved = (Comment(one.start + offset, one.end + offset) for one in read.spans.comments)
            found += [comment for comment in moved if start <= comment.start < end]
        return found

    def locate(self, place: int) -> Where:
        """Return the line and the column of a place."""
        line = self.text.count("\n", 0, place) + 1
        return Where(self.file, line, place - self.text.rfind("\n", 0, place))


class _Cutter:
    def __init__(
        self, text: str, before: dict[str, _Read | None], now: dict[str, _Read | None]
    ) -> None:
        self._text = text
        self._before = before
        self._now = now

    def cut(self) -> _Cuts | None:
        """Return the entries of the whole mapping, None if it cannot be cut."""
        first = _FIRST.search(self._text)
        if first is None or first[2] == "-":
            return None
        return self._cut(0, len(self._text), len(first[1]), is_list=False)

    def _cut(self, start: int, end: int, column: int, *, is_list: bool) -> _Cuts | None:
        starts = list(self._find_starts(start, end, column, is_list=is_list))
        entries: list[_Cut] = []
        keys: set[str] = set()
        # What stands above the first entry is a comment, and goes with it.
        for first, last in zip([start, *starts[1:]], [*starts[1:], end], strict=True):
            entry = self._read_entry(first, last, column, is_list=is_list)
            if entry is None:
                return None
            if not is_list:
                key = entry.read.key
                if key is None or key in keys:
                    return None
                keys.add(key)
            entries.append(entry)
        return _Cuts(is_list, entries) if entries else None

    def _find_starts(self, start: int, end: int, column: int, *, is_list: bool) -> Iterator[int]:
        """Yield where the lines begin that open an entry."""
        sign = r"-(?:[ \t]|$)" if is_list else r"(?!-(?:[ \t]|$))[^\s#]"
        opening = re.compile(rf"^ {{{column}}}{sign}", re.MULTILINE)
        for match in opening.finditer(self._text, start, end):
            yield match.start()

    def _read_entry(self, start: int, end: int, column: int, *, is_list: bool) -> _Cut | None:
        if not is_list and end - start > _LEAST:
            found = self._cut_value(start, end, column)
            if found is not None:
                return found
        read = self._read(start, end, is_list=is_list)
        return None if read is None else _Cut(start, end, read)

    def _cut_value(self, start: int, end: int, column: int) -> _Cut | None:
        """Cut the value of a key that stands below it."""
        text = self._text
        head = re.compile(rf"^ {{{column}}}[^\s#]", re.MULTILINE).search(text, start, end)
        if head is None:
            return None
        below = text.find("\n", head.start()) + 1
        first = _FIRST.search(text, below, end) if below else None
        if first is None:
            return None
        is_list = _DASH.match(text, first.start()) is not None
        depth = len(first[1])
        if depth < column or (depth == column and not is_list):
            return None
        read = self._read(start, first.start(), is_list=False)
        is_bare = read is not None and read.node.value is None and not read.node.written
        if read is None or read.key is None or not is_bare:
            return None
        inner = self._cut(first.start(), end, depth, is_list=is_list)
        return None if inner is None else _Cut(start, end, read, inner)

    def _read(self, start: int, end: int, *, is_list: bool) -> _Read | None:
        """Return what a piece says, None if it is not one sound entry."""
        text = self._text[start:end]
        if text in self._now:
            read = self._now[text]
        else:
            read = self._before[text] if text in self._before else _read_piece(text)
            self._now[text] = read
        return read if read is None or is_list == (read.key is None) else None


def _read_piece(text: str) -> _Read | None:
    begin = _FIRST.search(text)
    problems: list[Problem] = []
    try:
        node = parse_yaml(text, "", problems)
    except CardgenError:
        return None
    # What begins with a sign of YAML is no key, or one that is more than a key.
    if node is None or problems or begin is None or begin[2] in "{[&*!?<%\"'":
        return None
    if node.items is not None:
        return _Read(text, node.items[0], None) if len(node.items) == 1 else None
    entries = list((node.entries or {}).items())
    if len(entries) != 1:
        return None
    key, entry = entries[0]
    return _Read(text, entry.node, key)


# The whole of the pieces


def _join(cuts: _Cuts) -> Node:
    node = Node(None, 1, 1)
    if cuts.is_list:
        node.items = [cut.read.node for cut in cuts.entries]
        node.value = [item.value for item in node.items]
        return node
    node.entries = {
        cut.read.key or "": Entry(1, 1, _join(cut.inner) if cut.inner else cut.read.node)
        for cut in cuts.entries
    }
    node.value = {key: entry.node.value for key, entry in node.entries.items()}
    return node


_Part = TypeVar("_Part", Pair, Item)


class _Shifted(Sequence[_Part], Generic[_Part]):
    """The entries of a collection that is cut, each put in its place when it is asked for."""

    def __init__(self, cuts: Sequence[_Cut], take: Callable[[Span], Sequence[_Part]]) -> None:
        self._cuts = cuts
        self._take: Callable[[Span], Sequence[_Part]] = take

    def __len__(self) -> int:
        return len(self._cuts)

    @overload
    def __getitem__(self, index: int) -> _Part: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[_Part]: ...

    def __getitem__(self, index: int | slice) -> _Part | Sequence[_Part]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        cut = self._cuts[index]
        (part,) = self._take(cut.read.spans.root)
        moved = part.shift(cut.start)
        if cut.inner is not None:
            moved = moved._replace(value=_build_span(cut.inner))
        return moved

    def find(self, key: str) -> _Part | None:
        places = (place for place, cut in enumerate(self._cuts) if cut.read.key == key)
        place = next(places, None)
        return None if place is None else self[place]


def _get_items(span: Span) -> Sequence[Item]:
    return span.items or ()


def _get_pairs(span: Span) -> Sequence[Pair]:
    return span.pairs or ()


def _build_span(cuts: _Cuts) -> Span:
    if cuts.is_list:
        items = _Shifted(cuts.entries, _get_items)
        return Span(items[0].dash, items[-1].value.end, items=items)
    pairs = _Shifted(cuts.entries, _get_pairs)
    return Span(pairs[0].start, pairs[-1].value.end, pairs=pairs)


def _list_reads(cuts: _Cuts) -> Iterator[tuple[int, _Read]]:
    for cut in cuts.entries:
        yield cut.start, cut.read
        if cut.inner is not None:
            yield from _list_reads(cut.inner)
