"""Writes what a YAML document is to say into its text, and leaves every other letter as it was.

Only values that differ are written anew, in the style of what stood there. Comments, order and
layout stay. Entries of a list that are the same objects are known again wherever they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.deck.edits.edit import Edit, apply, end_line, find_column, start_line
from cardgen.deck.edits.pieces import Document
from cardgen.deck.edits.scalars import (
    Old,
    Room,
    indent,
    write_in_brackets,
    write_item,
    write_key,
    write_pairs,
    write_scalar,
    write_value,
)
from cardgen.deck.edits.spans import Item, Pair, Span
from cardgen.deck.model import Value
from cardgen.deck.values import quote

_HEADER = re.compile(r"[|>][-+0-9]*")
_EMPTY_LINES = re.compile(r"(?:\n[ \t]*(?=\n))+")
_COMMENT_LINE = re.compile(r"\n+( *)#[^\n]*")
_INDENT = 2
_LOOKED_AT = 20  # entries of a list, for how it is laid out


def rewrite(document: Document, wanted: Value) -> str:
    """Return the text that says what is wanted; it is read back before it is returned."""
    place = 0
    # A key cannot stand below a text that keeps the empty lines at its end: it is set above.
    for is_tight, is_above in ((False, False), (True, False), (False, True)):
        writer = _Writer(document, is_tight, is_above)
        writer.change(document.root, document.value, wanted, _At(0))
        text = apply(document.text, writer.edits)
        try:
            if is_equal(Document(text, document.file).value, wanted):
                return text
        except CardgenError:
            pass
        place = min((edit.start for edit in writer.edits), default=0)
    raise _refuse_layout(document, place)


def duplicate(document: Document, span: Span, place: int) -> str:
    """Return the text with an entry of a list standing twice, one below the other.

    What the two say is not looked at: a long text may end in other line ends.
    """
    writer = _Writer(document)
    assert span.items is not None
    item, text = span.items[place], document.text
    if span.in_brackets:
        writer.edits.append(
            Edit(item.value.end, item.value.end, f", {text[item.value.start : item.value.end]}")
        )
    else:
        start, end = start_line(text, item.dash), end_line(text, item.value.end)
        gap = "\n\n" if writer.is_airy(span) else "\n"
        writer.edits.append(Edit(end, end, f"{gap}{text[start:end]}"))
    return apply(text, writer.edits)


def is_equal(one: Value, other: Value) -> bool:
    """Whether two values are the same, the number 1 and the truth value true being two."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_equal(one[key], other[key]) for key in one)
    return one == other


def _refuse_layout(document: Document, place: int) -> CardgenError:
    return refuse(document, place, "edit/not-alone", "this cannot be changed without changing more")


def refuse(document: Document, place: int, code: str, message: str) -> CardgenError:
    """Return the error for what cannot be changed alone."""
    return CardgenError(
        code,
        message,
        document.locate(place),
        "write out in full what is repeated by &, * and <<, and edit the file itself",
    )


class _At(NamedTuple):
    """What a value stands behind: a key or a hyphen in this column; `colon` is where a key ends."""

    column: int
    colon: int | None = None
    in_brackets: bool = False


class _Writer:
    def __init__(self, document: Document, is_tight: bool = False, is_above: bool = False) -> None:
        self.document = document
        self.is_tight = is_tight
        self.is_above = is_above
        self.text = document.text
        self.edits: list[Edit] = []

    def change(self, span: Span, old: Value, new: Value, at: _At) -> None:
        """Write a value in the place of another."""
        if is_equal(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict) and span.pairs:
            if any(pair.key in new for pair in span.pairs):
                self._change_mapping(span, old, new, at.in_brackets or span.in_brackets)
                return
        elif isinstance(old, list) and isinstance(new, list) and span.items and new:
            self._change_list(span, old, new, at.in_brackets or span.in_brackets)
            return
        self._replace(span, new, at)

    def _replace(self, span: Span, new: Value, at: _At) -> None:
        if span.has_anchor:
            raise refuse(
                self.document, span.start, "edit/repeated", "this value is repeated elsewhere by *"
            )
        if at.colon == 0:
            raise _refuse_layout(self.document, span.start)
        if span.style is None and not span.in_brackets:
            self._replace_block(span, new, at)
        elif span.start == span.end and at.colon is not None:
            room = Room(
                at.column, find_column(self.text, at.colon) + 1, at.in_brackets, self.is_tight
            )
            written = write_value(new, room)
            self._edit(at.colon, at.colon, f" {written.text}".rstrip())
            self._edit_below(at.colon, at.colon, written.body, at.column)
        else:
            self._replace_inline(span, new, at)

    def _replace_inline(self, span: Span, new: Value, at: _At) -> None:
        start, end = span.start, span.end
        room = Room(at.column, find_column(self.text, start), at.in_brackets, self.is_tight)
        if isinstance(new, list | dict):
            written = write_value(new, room)
        else:
            is_scalar = span.style not in (None, "*")
            old = Old(span.style or "", self.text[start:end]) if is_scalar else None
            written = write_scalar(new, room, old)
        if span.style in ("|", ">"):
            header = _HEADER.match(self.text, start)
            self._edit(start, header.end() if header else start + 1, written.text)
            self._edit_below(start, end, written.body, at.column)
            return
        before = at.colon or start
        text = written.text or ("null" if at.in_brackets and start < end else "")
        is_alone = not text and not self.text[before:start].strip(" ")
        self._edit(before if is_alone else start, end, text)
        self._edit_below(end, end, written.body, at.column)

    def _edit_below(self, start: int, end: int, body: Sequence[str], column: int) -> None:
        """Write the lines below a place instead of those down to another one."""
        text = "".join(f"\n{line}" for line in indent(body, column))
        self._edit(end_line(self.text, start), end_line(self.text, end), text)

    def _replace_block(self, span: Span, new: Value, at: _At) -> None:
        """Write a value in the place of a collection on lines of its own."""
        if at.colon is None:
            raise _refuse_layout(self.document, span.start)
        end = end_line(self.text, span.end)
        comments = self._repeat_comments(at.colon, end)
        written = write_value(
            new, Room(at.column, find_column(self.text, at.colon) + 1, False, self.is_tight)
        )
        text = f" {written.text}".rstrip()
        body = indent(written.body, at.column)
        # Below | or > what stands as far in as the text, or above it, would be of the text.
        is_text = written.text[:1] in ("|", ">")
        comments = indent(comments, at.column + (0 if is_text else _INDENT))
        lines = [*body, *comments] if is_text else [*comments, *body]
        self._edit(at.colon, end, "\n".join([text, *lines]))

    # Mappings

    def _change_mapping(
        self,
        span: Span,
        old: Mapping[str, Value],
        new: Mapping[str, Value],
        in_brackets: bool,
    ) -> None:
        pairs = list(span.pairs or ())
        own = {pair.key: pair for pair in pairs}
        taken_over = [key for key in old if key not in new and key not in own]
        if taken_over:
            raise refuse(
                self.document,
                span.start,
                "edit/repeated",
                f"{quote(taken_over[0])} is taken over by <<",
            )
        for key, value in new.items():
            if key in own and key in old:
                pair = own[key]
                at = _At(find_column(self.text, pair.start), pair.colon, in_brackets)
                self.change(pair.value, old[key], value, at)
        gone = [place for place, pair in enumerate(pairs) if pair.key in old.keys() - new.keys()]
        behind: Pair | None = None
        first = next(pair for place, pair in enumerate(pairs) if place not in gone)
        for key, value in new.items():
            if key in own:
                behind = own[key]
            elif key not in old or not is_equal(old[key], value):
                self._add_pair(key, value, behind, first, in_brackets)
        if gone and in_brackets:
            self._drop_in_brackets([(pair.start, pair.value.end) for pair in pairs], gone)
        elif gone:
            self._drop_pairs(pairs, gone)

    def _add_pair(
        self, key: str, value: Value, behind: Pair | None, first: Pair, in_brackets: bool
    ) -> None:
        if in_brackets:
            text = f"{write_key(key)}: {write_in_brackets(value)}"
            if behind is None:
                self._edit(first.start, first.start, f"{text}, ")
            else:
                # A key without a value ends where its colon does.
                end = max(behind.value.end, behind.colon)
                self._edit(end, end, self._part_in_brackets(behind.start) + text)
            return
        column = find_column(self.text, first.start)
        lines = write_pairs({key: value}, column, self.is_tight)
        if behind is None or self.is_above:
            place = (behind or first).start
            text = "\n".join(lines).lstrip(" ")
            self._edit(place, place, f"{text}\n{' ' * column}")
        else:
            end = end_line(self.text, max(behind.value.end, behind.colon))
            self.edits.append(Edit(end, end, "".join(f"\n{line}" for line in lines)))

    def _drop_pairs(self, pairs: Sequence[Pair], gone: Sequence[int]) -> None:
        """Take keys out with their lines; comments among them stay."""
        kept = next(place for place in range(len(pairs)) if place not in gone)
        if kept:
            # What begins the mapping has a hyphen before it.
            start, end = pairs[0].start, pairs[kept].start
            margin = " " * find_column(self.text, start)
            comments = self._repeat_comments(start, end)
            self._edit(start, end, "".join(f"{comment}\n{margin}" for comment in comments))
        for place in gone:
            if place < kept:
                continue
            pair = pairs[place]
            start, end = start_line(self.text, pair.start), end_line(self.text, pair.value.end)
            margin = " " * find_column(self.text, pair.start)
            comments = self._repeat_comments(start, end)
            self._edit(start - 1, end, "".join(f"\n{margin}{comment}" for comment in comments))
            if self.is_tight:
                self._lower_comments(end, margin)

    def _lower_comments(self, end: int, margin: str) -> None:
        """Set back the comments below a key that is gone: they would be of a long text above it."""
        while (comment := _COMMENT_LINE.match(self.text, end)) and len(comment[1]) > len(margin):
            self._edit(comment.start(1), comment.end(1), margin)
            end = comment.end()

    # Lists

    def _change_list(
        self, span: Span, old: Sequence[Value], new: Sequence[Value], in_brackets: bool
    ) -> None:
        items = span.items or ()
        ours, theirs = list(map(_identify, old)), list(map(_identify, new))
        if ours != theirs and len(set(ours)) == len(ours) and sorted(ours) == sorted(theirs):
            self._move_items(span, [ours.index(key) for key in theirs], in_brackets)
            return
        gone: list[int] = []
        for first, last, start, end in _list_differences(ours, theirs):
            both = min(last - first, end - start)
            for place in range(both):
                item = items[first + place]
                at = _At(find_column(self.text, item.dash), None, in_brackets)
                self.change(item.value, old[first + place], new[start + place], at)
            if end - start > both:
                self._add_items(span, first + both, new[start + both : end], in_brackets)
            gone += range(first + both, last)
        if gone and in_brackets:
            self._drop_in_brackets([(i.value.start, i.value.end) for i in items], gone)
        elif gone:
            for number, place in enumerate(gone):
                self._drop_item(items[place], is_leading=place == number)

    def _add_items(
        self, span: Span, place: int, values: Sequence[Value], in_brackets: bool
    ) -> None:
        """Add entries before the one at a place, or behind the last."""
        items = span.items or ()
        if in_brackets:
            written = list(map(write_in_brackets, values))
            if not place:
                start = items[0].value.start
                self._edit(start, start, "".join(f"{text}, " for text in written))
                return
            before = items[place - 1].value
            part = self._part_in_brackets(before.start)
            self._edit(before.end, before.end, "".join(part + text for text in written))
            return
        column = find_column(self.text, items[0].dash)
        gap = "\n" if self.is_airy(span) else ""
        texts = ["\n".join(write_item(value, column, self.is_tight)) for value in values]
        if place:
            end = self._find_end(items[place - 1])
            below = self.text[end:].lstrip("\n")
            if self.is_tight and below:  # the empty lines above it may be the end of a text
                end = len(self.text) - len(below)
                self.edits.append(Edit(end, end, "".join(f"{text}\n" for text in texts)))
                return
            self.edits.append(Edit(end, end, "".join(f"\n{gap}{text}" for text in texts)))
        else:
            start = self._find_start(items[0])
            self.edits.append(Edit(start, start, "".join(f"{text}\n{gap}" for text in texts)))

    def _drop_item(self, item: Item, *, is_leading: bool) -> None:
        """Drop an entry's lines and the empty ones before it; of the first one those behind it."""
        start, end = start_line(self.text, item.dash), self._find_end(item)
        if self.is_tight:
            # The empty lines before it may be the end of a text.
            bare = self.text[end:].lstrip("\n")
            self._edit(start, len(self.text) - len(bare), "")
        elif is_leading:
            empty = _EMPTY_LINES.match(self.text, end)
            self._edit(start - 1, empty.end() if empty else end, "")
        else:
            self._edit(len(self.text[:start].rstrip("\n")), end, "")

    def _move_items(self, span: Span, order: Sequence[int], in_brackets: bool) -> None:
        """Exchange entries, each with the comments that belong to it."""
        items = span.items or ()
        for place, source in enumerate(order):
            if place == source:
                continue
            there, here = items[place], items[source]
            if in_brackets:
                slot = there.value.start, there.value.end
                text = self.text[here.value.start : here.value.end]
            else:
                slot = self._find_start(there), self._find_end(there)
                text = self.text[self._find_start(here) : self._find_end(here)]
            self._edit(*slot, text)

    def is_airy(self, span: Span) -> bool:
        """Whether empty lines part the entries of a list; a single card would have them."""
        items = (span.items or ())[:_LOOKED_AT]
        if len(items) < 2:
            return any(item.value.pairs for item in items)
        between = (self.text[one.value.end : other.dash] for one, other in pairwise(items))
        return any("\n\n" in part for part in between)

    def _find_start(self, item: Item) -> int:
        """Return where the first line of an entry begins, or of the comments right above it."""
        start = start_line(self.text, item.dash)
        column = item.dash - start
        while start:
            above = start_line(self.text, start - 1)
            line = self.text[above:start]
            bare = line.lstrip(" ")
            if not bare.startswith("#") or len(line) - len(bare) > column:
                break
            start = above
        return start

    def _find_end(self, item: Item) -> int:
        """Return where the last line of an entry ends, or of the comments below that belong to
        it.
        """
        column = find_column(self.text, item.dash)
        end = end_line(self.text, item.value.end)
        while comment := _COMMENT_LINE.match(self.text, end):
            if len(comment[1]) <= column:
                break
            end = comment.end()
        return end

    # Brackets

    def _drop_in_brackets(self, parts: Sequence[tuple[int, int]], gone: Sequence[int]) -> None:
        kept = [place for place in range(len(parts)) if place not in gone]
        if not kept:
            raise _refuse_layout(self.document, parts[0][0])
        for place in gone:
            if place < kept[-1]:
                self._drop_between(parts[place][0], parts[place + 1][0])
        if len(parts) - 1 > kept[-1]:
            self._drop_between(parts[kept[-1]][1], parts[-1][1])

    def _drop_between(self, start: int, end: int) -> None:
        if self.document.list_comments(start, end):
            raise _refuse_layout(self.document, start)
        self._edit(start, end, "")

    def _part_in_brackets(self, start: int) -> str:
        """Return what parts an entry in brackets from the one that begins here."""
        margin = self.text[start_line(self.text, start) : start]
        return ", " if margin.strip(" ") or not margin else f",\n{margin}"

    def _repeat_comments(self, start: int, end: int) -> list[str]:
        return [self.text[c.start : c.end] for c in self.document.list_comments(start, end)]

    def _edit(self, start: int, end: int, text: str) -> None:
        if self.text[start:end] != text:
            self.edits.append(Edit(start, end, text))


def _list_differences(
    ours: Sequence[str], theirs: Sequence[str]
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the parts of one list that differ from those of another."""
    length = min(len(ours), len(theirs))
    top = next((n for n in range(length) if ours[n] != theirs[n]), length)
    length -= top
    end = next((n for n in range(length) if ours[-1 - n] != theirs[-1 - n]), length)
    below, beyond = len(ours) - end, len(theirs) - end
    matcher = SequenceMatcher(None, ours[top:below], theirs[top:beyond], autojunk=False)
    for kind, first, last, start, stop in matcher.get_opcodes():
        if kind != "equal":
            yield first + top, last + top, start + top, stop + top


def _identify(value: Value) -> str:
    """Return what an entry of a list is known by: a collection by which object it is."""
    if isinstance(value, dict | list):
        return f"#{id(value)}"
    return f"{type(value).__name__} {value}"
