"""Parses YAML into nodes that know their line and column, and explains what is no YAML.

Scalars follow the core schema of YAML 1.2: `yes`, `1:30` and dates stay texts. Knows nothing of
decks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import yaml

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.reading import read_text
from cardgen.deck.model import MAX_FIELD, Value
from cardgen.deck.raw import Mark, Raw
from cardgen.deck.values import quote

T = TypeVar("T")
_MAX_DEPTH = 50
_MAX_REPEATED = 1_000_000
# Later ones of libyaml count for themselves, and read far ahead of the event that is taken.
_TOO_DEEP = "exceeded maximum nesting depth"
# What lies so deep is a part of one card's field, which may hold no more.
_FIELD_DEPTH = 3

# libyaml gives only a byte position for these, so they are looked for first.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_OCTAL_OR_HEX = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_WORDS: dict[str, Value] = {
    **dict.fromkeys(["", "~", "null", "Null", "NULL"], None),
    **dict.fromkeys(["true", "True", "TRUE"], True),
    **dict.fromkeys(["false", "False", "FALSE"], False),
    **dict.fromkeys([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], math.inf),
    **dict.fromkeys(["-.inf", "-.Inf", "-.INF"], -math.inf),
    **dict.fromkeys([".nan", ".NaN", ".NAN"], math.nan),
}
# Longer digits are no quantity, and Python refuses to read very long ones.
_LONGEST_NUMBER = 40

_QUOTE_MARK = 'put a text that begins with "*" or "&" in quotes'
_TABS = "indent with blanks, not with tabs"
_ALIKE = "indent the keys of one mapping alike; quote a text in full"
HINTS = {
    "mapping values are not allowed in this context": (
        'put a text that holds ": " in quotes, and indent keys of one mapping alike'
    ),
    "block sequence entries are not allowed in this context": (
        'begin the list on the next line, or put a text that begins with "- " in quotes'
    ),
    "found character that cannot start any token": (
        "put a text that begins with @, ` or % in quotes"
    ),
    "found a tab character that violates indentation": _TABS,
    "found a tab character where an indentation space is expected": _TABS,
    "did not find expected alphabetic or numeric character": _QUOTE_MARK,
    "did not find expected comment or line break": (
        'put a text that begins with "|" or ">" in quotes'
    ),
    "did not find expected '-' indicator": "indent the keys of a card alike, and its hyphen less",
    "found unknown escape character": (
        r"write \\ for a backslash, or use single quotes, in which a backslash is itself"
    ),
    "found unexpected end of stream": "close the quote",
    "did not find expected ',' or '}'": "close the bracket, or separate its entries with commas",
    "did not find expected ',' or ']'": "close the bracket, or separate its entries with commas",
    "did not find expected node content": "write a value here, or close the bracket above",
    "did not find expected key": _ALIKE,
    "could not find expected ':'": 'write "key: value", with a blank after the colon',
}
# The first character of a line's text, behind its key.
_BEGIN = re.compile(r"[ \t]*(?:-[ \t]+)?[^:#]*:[ \t]+(\S)")
_NO_BLANK = re.compile(r"[ \t]*(?:-[ \t]+)?(\w+):(?=[^\s:/])")


MAX_YAML = 10_000_000  # bytes; to read them takes some seconds


class Entry(NamedTuple):
    """The place of a key in a mapping, and its value."""

    line: int
    column: int
    node: Node

    def locate(self, file: str) -> Where:
        return Where(file, self.line, self.column)


@dataclass(slots=True)
class Node:
    """A value and its place; a mapping has `entries` and a list `items`, which are nodes again.

    written: the text of a scalar as the file has it
    """

    value: Value
    line: int
    column: int
    written: str | None = None
    entries: dict[str, Entry] | None = None
    items: list[Node] | None = None
    depth: int = 0

    def locate(self, file: str) -> Where:
        return Where(file, self.line, self.column)

    def to_raw(self, file: str) -> Raw:
        """Return a mapping with the places of its keys."""
        entries = self.entries or {}
        return Raw(
            {key: entry.node.value for key, entry in entries.items()},
            self.locate(file),
            {
                key: Mark(entry.locate(file), entry.node.locate(file), entry.node.written)
                for key, entry in entries.items()
            },
        )


def read_yaml_text(path: Path) -> str:
    """Return the text of a YAML file; one that would take too long to read is an error."""
    return read_text(path, most=MAX_YAML).text


def parse_yaml(text: str, file: str, problems: list[Problem]) -> Node | None:
    """Return the node of a document, None if it is empty.

    Problems that the reader can pass over are added to `problems`.
    """
    return _parse(text, file, problems, lambda builder: builder.build_document())


def parse_yaml_documents(text: str, file: str, problems: list[Problem]) -> list[Node]:
    """Return the nodes of all documents that one file holds, parted by `---`."""
    return _parse(text, file, problems, lambda builder: [*builder.build_documents()])


def _parse(text: str, file: str, problems: list[Problem], build: Callable[[_Builder], T]) -> T:
    forbidden = _FORBIDDEN.search(text)
    if forbidden:
        start = forbidden.start()
        place = Where(file, text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
        code = ord(forbidden[0])
        raise CardgenError(
            "file/forbidden-character",
            f"the character U+{code:04X} cannot stand here",
            place,
            "delete it",
        )
    try:
        return build(_Builder(text, file, problems))
    except yaml.MarkedYAMLError as error:
        raise CardgenError.of([*problems, _explain(error, text, file)]) from error
    except CardgenError as error:
        raise CardgenError.of([*problems, *error.problems]) from None


class _Builder:
    """Builds nodes from libyaml's events, so that depth and aliases can be bounded on the way."""

    def __init__(self, text: str, file: str, problems: list[Problem]) -> None:
        self._events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=yaml.CSafeLoader))
        self._file = file
        self._problems = problems
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._size = 0
        self._most: float = math.inf
        self._repeated = 0

    def build_document(self) -> Node | None:
        next(self._events)
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        node = self._build(next(self._events), 0)
        next(self._events)
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            hint = 'delete the line "---"'
            self._add("file/second-document", "a second YAML document begins here", event, hint)
        return node if node.value is not None else None

    def build_documents(self) -> Iterator[Node]:
        next(self._events)
        while not isinstance(next(self._events), yaml.StreamEndEvent):
            node = self._build(next(self._events), 0)
            next(self._events)
            self._anchors.clear()
            if node.value is not None:
                yield node

    def _build(self, event: yaml.Event, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            return self._repeat(event, depth)
        self._check_depth(depth, event)
        size = self._size
        self._size += 1
        if depth <= _FIELD_DEPTH:
            self._most = size + MAX_FIELD if depth == _FIELD_DEPTH else math.inf
        elif size > self._most:
            raise self._make_size_error(event)
        node = Node(None, *_get_place(event))
        if isinstance(event, yaml.ScalarEvent):
            node.written = event.value
            node.value = parse_scalar(event.value) if event.implicit[0] else event.value
        elif isinstance(event, yaml.SequenceStartEvent):
            self._fill_list(node, depth)
        else:
            self._fill_mapping(node, depth)
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            if event.tag is not None:
                tag = event.tag.replace("tag:yaml.org,2002:", "!!")
                hint = 'delete it, or put a text that begins with "!" in quotes'
                self._add("file/yaml-tag", f'the tag "{tag}" means nothing here', event, hint)
            if event.anchor is not None:
                self._anchors[event.anchor] = (node, self._size - size)
        return node

    def _repeat(self, event: yaml.AliasEvent, depth: int) -> Node:
        name = event.anchor or ""
        if name not in self._anchors:
            raise CardgenError(
                "file/unknown-alias",
                f'no finished value above is called "&{name}"',
                self._locate(event),
                _QUOTE_MARK,
            )
        node, size = self._anchors[name]
        self._check_depth(depth + node.depth, event)
        self._size += size
        self._repeated += size
        if self._repeated > _MAX_REPEATED:
            raise CardgenError(
                "file/too-many-aliases",
                f"aliases repeat more than {_MAX_REPEATED:,} values",
                self._locate(event),
            )
        return node

    def _fill_list(self, node: Node, depth: int) -> None:
        items: list[Node] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            if len(items) == MAX_FIELD:
                raise self._make_size_error(event)
            items.append(self._build(event, depth + 1))
        node.items = items
        node.value = [item.value for item in items]
        node.depth = 1 + max((item.depth for item in items), default=0)

    def _fill_mapping(self, node: Node, depth: int) -> None:
        entries: dict[str, Entry] = {}
        merged: list[Node] = []
        keys = 0  # those that stand there twice, too
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if keys == MAX_FIELD:
                raise self._make_size_error(event)
            keys += 1
            key = self._build(event, depth + 1)
            value = self._build(next(self._events), depth + 1)
            if key.written is None:
                hint = "put a key with brackets in quotes"
                self._add("file/key-not-a-text", "a key must be a text", event, hint)
            elif key.written in entries:
                line = entries[key.written].line
                message = f"the key {quote(key.written)} stands in line {line} already"
                self._add("file/same-key", message, event, "delete one of them")
            elif key.written == "<<" and isinstance(event, yaml.ScalarEvent) and event.implicit[0]:
                merged += self._list_merged(value, event)
            else:
                entries[key.written] = Entry(key.line, key.column, value)
        for source in merged:
            for name, entry in (source.entries or {}).items():
                entries.setdefault(name, entry)
        node.entries = entries
        node.value = {name: entry.node.value for name, entry in entries.items()}
        node.depth = 1 + max((entry.node.depth for entry in entries.values()), default=0)

    def _list_merged(self, value: Node, event: yaml.Event) -> list[Node]:
        sources = [value] if value.items is None else value.items
        if any(source.entries is None for source in sources):
            self._add("file/bad-merge", '"<<" takes a mapping, or a list of mappings', event)
        return sources

    def _check_depth(self, depth: int, event: yaml.Event) -> None:
        if depth > _MAX_DEPTH:
            raise CardgenError.of([_make_depth_problem(self._locate(event))])

    def _make_size_error(self, event: yaml.Event) -> CardgenError:
        return CardgenError(
            "file/too-many-values",
            f"what began above holds more than {MAX_FIELD:,} values",
            self._locate(event),
            "spread it over several cards, or over several decks",
        )

    def _locate(self, event: yaml.Event) -> Where:
        return Where(self._file, *_get_place(event))

    def _add(self, code: str, message: str, event: yaml.Event, hint: str | None = None) -> None:
        self._problems.append(Problem(code, message, self._locate(event), hint))


def _get_place(event: yaml.Event) -> tuple[int, int]:
    mark = event.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def parse_scalar(text: str) -> Value:
    """Return the value of a scalar without quotes, by the core schema of YAML 1.2."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _LONGEST_NUMBER:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _OCTAL_OR_HEX.fullmatch(text):
        return int(text, 0)
    return text


def _explain(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    """Return the problem that libyaml found, with the cure for the likeliest mistake."""
    problem, mark, begun = str(error.problem), error.problem_mark, error.context_mark
    where = Where(file, mark.line + 1, mark.column + 1) if mark else Where(file)
    if problem.startswith(_TOO_DEEP):
        return _make_depth_problem(where)
    context = f" {error.context}" if error.context else ""
    line = begun.line + 1 if begun and mark and begun.line != mark.line else None
    if line:
        context += f" that begins in line {line}"
    hint = _find_cure(problem, text, mark) if mark else HINTS.get(problem)
    details = {"said": problem, "begun": line}
    message = f"not valid YAML: {problem}{context}"
    return Problem("file/not-yaml", message, where, hint, details=details)


def _make_depth_problem(where: Where) -> Problem:
    message = f"lists and mappings lie more than {_MAX_DEPTH} deep"
    return Problem("file/too-deep", message, where)


def _find_cure(problem: str, text: str, mark: yaml.Mark) -> str | None:
    """Return the cure, by the text where libyaml stopped and by the line before."""
    lines = [*text.splitlines(), "", ""]
    line, above = lines[min(mark.line, len(lines) - 1)], lines[mark.line - 1] if mark.line else ""
    begin = _BEGIN.match(line)
    if problem == "found character that cannot start any token" and line[mark.column :][:1] == "\t":
        return _TABS
    if problem == "mapping values are not allowed in this context":
        missing = _NO_BLANK.match(above)
        if missing:
            return f'write a blank behind the colon: "{missing[1]}: …", in line {mark.line}'
    if problem == "did not find expected key" and begin and begin[1] in "[{":
        return f'put a text that begins with "{begin[1]}" in quotes'
    if problem == "did not find expected key" and begin and begin[1] in "'\"":
        return "put the whole text in quotes, and write one of their kind in it twice"
    return HINTS.get(problem)
