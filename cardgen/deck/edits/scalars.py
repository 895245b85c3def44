"""Writes a value as YAML, in the style of what stood there before.

A text is written as it was: plain, in its quotes, or in lines of its own. Whatever is written is
read back first; what would be read as something else goes into quotes. Knows nothing of decks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from cardgen.deck.model import Value
from cardgen.deck.yaml import parse_scalar

_INDENT = 2
_WIDTH = 100
_NARROWEST = 40
_LONG = 60
# Where a line may end that is joined to the next one by a blank.
_BREAK = re.compile(r"(?<=[^ \t]) (?=[^ \t])")
_STARTS = frozenset("-?:,[]{}#&*!|>'\"%@`=")
_BRACKETS = re.compile(r"[][{},]")
_NO_PLAIN = re.compile(r":(?:\s|$)|\s#|\t|\A(?:---|\.\.\.)")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\0": "\\0"}
# Other readers of YAML take these for dates, truth values and the like.
_OTHERS = yaml.resolver.Resolver()
_TEXT = "tag:yaml.org,2002:str"


class Written(NamedTuple):
    """A value as YAML: what stands behind its key, and the lines below that it may open."""

    text: str
    body: tuple[str, ...] = ()


class Old(NamedTuple):
    """A scalar that gives way: its style, and its text as the file has it."""

    style: str
    source: str


class Room(NamedTuple):
    """Where a value is to stand.

    column: that of the key, which what stands below is deeper than
    start: the column of the value itself
    is_tight: whether a line end at the end of a text may not be read from the lines below
    """

    column: int
    start: int
    in_brackets: bool = False
    is_tight: bool = False


def write_scalar(value: Value, room: Room, old: Old | None = None) -> Written:
    """Return a text, a number, a truth value or nothing."""
    if not isinstance(value, str):
        return Written(_write_figure(value))
    for written in _list_ways(value, room, old):
        if _reads_as(written, value, room):
            return written
    return Written(_quote_twice(value))


def write_key(key: str) -> str:
    """Return a key of a mapping, in quotes where it must be."""
    return key if _can_be_plain(key, in_brackets=True) or key.isdigit() else _quote_twice(key)


def write_in_brackets(value: Value) -> str:
    """Return any value in one line."""
    if isinstance(value, list):
        return f"[{', '.join(map(write_in_brackets, value))}]"
    if isinstance(value, dict):
        pairs = (f"{write_key(key)}: {write_in_brackets(one)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    return write_scalar(value, Room(0, 0, in_brackets=True)).text


def write_value(value: Value, room: Room) -> Written:
    """Return any value behind a key; a short list stands in brackets."""
    if not isinstance(value, list | dict):
        return write_scalar(value, room)
    short = write_in_brackets(value)
    if room.in_brackets or not value:
        return Written(short)
    if isinstance(value, list) and room.start + len(short) <= _WIDTH and _is_flat(value):
        return Written(short)
    if isinstance(value, list):
        lines = [line for one in value for line in write_item(one, _INDENT, room.is_tight)]
    else:
        lines = write_pairs(value, _INDENT, room.is_tight)
    return Written("", tuple(lines))


def write_pairs(values: Mapping[str, Value], column: int, is_tight: bool = False) -> list[str]:
    """Return the lines of a mapping whose keys stand in this column."""
    lines: list[str] = []
    for key, value in values.items():
        name = f"{' ' * column}{write_key(key)}:"
        written = write_value(value, Room(column, len(name) + 1, is_tight=is_tight))
        lines.append(f"{name} {written.text}".rstrip())
        lines += indent(written.body, column)
    return lines


def write_item(value: Value, column: int, is_tight: bool = False) -> list[str]:
    """Return the lines of an entry of a list, with its hyphen in this column."""
    dash = f"{' ' * column}- "
    if isinstance(value, dict) and value:
        lines = write_pairs(value, column + _INDENT, is_tight)
        return [dash + lines[0].lstrip(" "), *lines[1:]]
    if isinstance(value, list | dict):
        return [dash + write_in_brackets(value)]
    written = write_scalar(value, Room(column, column + _INDENT, is_tight=is_tight))
    return [dash + written.text, *indent(written.body, column)]


def indent(lines: Sequence[str], column: int) -> list[str]:
    """Return lines further to the right; empty ones stay empty."""
    return [" " * column + line if line else line for line in lines]


def _is_flat(values: list[Value]) -> bool:
    return not any(isinstance(one, list | dict) or _is_long(one) for one in values)


def _is_long(value: Value) -> bool:
    return isinstance(value, str) and ("\n" in value or len(value) > _LONG)


def _write_figure(value: Value) -> str:
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)


# The ways of writing a text, the best first


def _list_ways(text: str, room: Room, old: Old | None) -> Iterator[Written]:
    style = old.style if old else ""
    lines = old.source.split("\n") if old else []
    is_folded = len(lines) > 1 and style in ("", "'", '"')
    if style in ("|", ">") and old and not room.in_brackets:
        yield from _list_blocks(text, style, room, old)
    if "\n" in text and not room.in_brackets and not is_folded:
        if style == '"' and "\\n" in lines[0]:
            yield Written(_quote_twice(text))
        yield from _list_blocks(text, "|", room, None)
    if is_folded:
        yield from _list_folded(text, style, room, lines)
    is_wide = room.start + len(text) > _WIDTH and not room.in_brackets
    if is_wide and not (lines and room.start + len(lines[0]) > _WIDTH):
        yield from _list_blocks(text, ">", room, None)
    if "\n" not in text:
        yield from _list_lines(text, style, in_brackets=room.in_brackets)
    elif not room.in_brackets:
        yield from _list_blocks(text, "|", room, None)


def _list_lines(text: str, style: str, *, in_brackets: bool) -> Iterator[Written]:
    if style == "'" and text.isprintable():
        yield Written(_quote_once(text))
    if style not in ("'", '"') and _can_be_plain(text, in_brackets=in_brackets):
        yield Written(text)
    if style != "'" and '"' in text and "'" not in text and text.isprintable():
        yield Written(_quote_once(text))


def _list_blocks(text: str, style: str, room: Room, old: Old | None) -> Iterator[Written]:
    """Yield a text in lines of its own, below | or >."""
    bare = text.rstrip("\n")
    if not bare or (room.is_tight and bare != text):
        return
    header, *body = old.source.split("\n") if old else [style]
    told = re.search(r"[1-9]", header.partition("#")[0])
    filled = [line for line in body if line.strip()]
    depth = min((len(line) - len(line.lstrip(" ")) for line in filled), default=0) - room.column
    if told:
        depth = int(told[0])
    if depth < 1:
        depth = _INDENT
    ends = len(text) - len(bare)
    sign = "-" if not ends else "" if ends == 1 else "+"
    more = [""] * (ends - 1)
    shallow = [line[room.column + depth :] for line in body]
    for kind in dict.fromkeys((style, "|")):
        width = _find_width(body) - room.column - depth
        lines = bare.split("\n") if kind == "|" else _fold(bare, width, shallow)
        if lines is None:
            continue
        first = next((line for line in lines if line), "")
        number = str(depth) if told or first[:1] in (" ", "\t") or not lines[0] else ""
        yield Written(f"{kind}{number}{sign}", tuple(indent([*lines, *more], depth)))


def _list_folded(text: str, style: str, room: Room, lines: Sequence[str]) -> Iterator[Written]:
    """Yield a text over several lines, which blanks join, as it was."""
    deep = next((line for line in lines[1:] if line.strip()), "")
    column = len(deep) - len(deep.lstrip(" "))
    escaped, before = text, [line.strip(" ") for line in lines]
    if style:
        escaped = _quote(text, style)[1:-1]
        before[0], before[-1] = before[0][1:], before[-1][:-1]
    elif not all(_can_continue(part) for part in text.split("\n")):
        yield from _list_blocks(text, ">", room, None)
        return
    parts = escaped.replace("\\n", "\n") if style == '"' else escaped
    found = _fold(parts, _find_width(lines) - column, before, room.start - column)
    if found is not None:
        inner = ("\n" + " " * max(column, room.column + 1)).join(found)
        whole = f"{style}{inner}{style}"
        yield Written("\n".join(line.rstrip(" ") for line in whole.split("\n")))
    elif not style:
        yield from _list_blocks(text, "|", room, None)


def _can_continue(text: str) -> bool:
    return text == text.strip() and not _NO_PLAIN.search(text)


def _fold(text: str, width: int, old: Sequence[str] = (), hang: int = 0) -> list[str] | None:
    """Return the lines of a text that blanks join; None if they cannot be joined to it.

    old: the lines as they were, which stay where nothing has changed
    hang: by how much the first line begins further to the right
    """
    parts = text.split("\n")
    if any(part[:1] in (" ", "\t") for part in parts):
        return None
    known = _gather(old)
    by_place = known if len(known) == len(parts) else []
    lines: list[str] = []
    for number, part in enumerate(parts):
        if number:
            lines.append("")
        if part:
            before = next((one for one in known if " ".join(one) == part), None)
            before = before or (by_place[number] if by_place else [])
            lines += _wrap(part, width, before, hang if not lines else 0)
    return lines


def _gather(lines: Sequence[str]) -> list[list[str]]:
    """Return the lines of each part of a folded text; a part may be empty, as its text is."""
    parts: list[list[str]] = [[]]
    for line in lines:
        if line.strip():
            parts[-1].append(line.rstrip(" "))
        else:
            parts.append([])
    return parts


def _wrap(text: str, width: int, old: Sequence[str], hang: int) -> list[str]:
    """Return the lines of one part; those at its beginning and its end stay as they were."""
    if text == " ".join(old):
        return list(old)
    kept = 0
    while kept < len(old) and text.startswith(" ".join(old[: kept + 1]) + " "):
        kept += 1
    rest = text[len(" ".join(old[:kept])) + 1 :] if kept else text
    tail = len(old)
    while tail > kept and rest.endswith(" " + " ".join(old[tail - 1 :])):
        tail -= 1
    end = " ".join(old[tail:])
    if end:
        middle = _break(rest[: len(rest) - len(end) - 1], width, 0 if kept else hang)
        if len(middle) <= tail - kept:
            return [*old[:kept], *middle, *old[tail:]]
    return [*old[:kept], *_break(rest, width, 0 if kept else hang)]


def _break(text: str, width: int, hang: int) -> list[str]:
    words = _BREAK.split(text)
    lines, room = [words[0]], width - hang
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
            room = width
    return lines


def _find_width(lines: Sequence[str]) -> int:
    """Return the column that lines may reach: that of the longest, where there are several."""
    longest = max(map(len, lines), default=0)
    return longest if len(lines) > 1 and longest >= _NARROWEST else _WIDTH


# Signs


def _can_be_plain(text: str, *, in_brackets: bool) -> bool:
    """Whether every reader of YAML takes a text for itself, without quotes."""
    if not text.isprintable() or text != text.strip() or not text:
        return False
    if text[0] in _STARTS and not (text[0] == "-" and text[1:2].isalnum()):
        return False
    if _NO_PLAIN.search(text) or not isinstance(parse_scalar(text), str):
        return False
    if in_brackets and (_BRACKETS.search(text) or ":" in text):
        return False
    found: str = _OTHERS.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return found == _TEXT


def _quote(text: str, style: str) -> str:
    return _quote_once(text) if style == "'" else _quote_twice(text)


def _quote_once(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quote_twice(text: str) -> str:
    if text.isprintable():
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(sign: str) -> str:
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    code = ord(sign)
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _reads_as(written: Written, text: str, room: Room) -> bool:
    """Whether a reader of YAML finds this text, where another key follows."""
    margin = " " * room.column
    if room.in_brackets:
        source = f"{{k: {written.text}, z: 0}}"
    else:
        lines = "\n".join([f"{margin}k: {written.text}", *indent(written.body, room.column)])
        source = f"{lines}\n{margin}z: 0\n"
    try:
        events: list[Any] = list(yaml.parse(source, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        return False
    if len(events) != 10 or not isinstance(events[4], yaml.ScalarEvent):
        return False
    found = events[4]
    return (parse_scalar(found.value) if found.implicit[0] else found.value) == text
