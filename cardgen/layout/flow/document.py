"""A Markdown text read as plain blocks: headings, paragraphs, list items, tables, rules.

markdown-it reads the blocks; their inline text stays Markdown, which text/markup reads later. Knows
nothing of styles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING

from cardgen.layout.subject import TextRefusal

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    section: str = ""  # the name in braces after a heading of level 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    depth: int = 0  # how many lists it stands in
    marker: str | None = None  # "" for a bullet, "3." for a number, None where there is none


@dataclass(frozen=True, slots=True)
class TableBlock:
    rows: tuple[tuple[str, ...], ...]  # the head first
    aligns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    pass


DocumentBlock = Heading | Paragraph | TableBlock | Rule

_ALIGNS = {"text-align:left": "left", "text-align:center": "centre", "text-align:right": "right"}
_SECTION = re.compile(r"(.*\S)\s+\{([\w-]+)\}", re.DOTALL)
_PLUS = re.compile(r"^([ \t]*)\+(?=[ \t])", re.MULTILINE)
_NUMBERED = re.compile(r"^([ \t]*\d{1,9})([.)])(?=[ \t]+\S)", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*(?:[-*]|\d{1,9}[.)])[ \t]")
_REFUSED = {
    "fence": "a code block",
    "code_block": "a code block (a line that begins with four spaces)",
    "html_block": "HTML",
    "blockquote_open": "a quotation",
}


def read_document(text: str) -> list[DocumentBlock]:
    """Return the blocks of a Markdown text, in order."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("zero", {"html": True}).enable(
        ["heading", "list", "hr", "table", "fence", "code"]
    )
    parser.enable(["html_block", "blockquote", "lheading"])
    return _BlockReader(parser.parse(text)).blocks


def read_text(text: str) -> list[DocumentBlock]:
    """Return the paragraphs, lists and tables of a text; all else in it is paragraphs.

    One number alone is no list: it may be a date, or a title.
    """
    from markdown_it import MarkdownIt

    first, end, rest = text.strip("\n").partition("\n")
    if not _ITEM.match(first):  # what follows may be indented as a whole, as it stands in XML
        text = first + end + dedent(rest)
    text = _PLUS.sub(r"\1\\+", text)
    if len(_NUMBERED.findall(text)) < 2:
        text = _NUMBERED.sub(r"\1\\\2", text)
    parser = MarkdownIt("zero").enable(["list", "table"])
    return _BlockReader(parser.parse(text)).blocks


class _BlockReader:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self.blocks: list[DocumentBlock] = []
        self._tokens = tokens
        self._depth = 0
        self._marker: str | None = None
        self._numbers: list[int | None] = []  # of the next item of each list; None: bullets
        at = 0
        while at < len(tokens):
            at = self._read(at)

    def _read(self, at: int) -> int:
        token = self._tokens[at]
        kind = token.type
        if kind in _REFUSED:
            line = f" in line {token.map[0] + 1} of the text" if token.map else ""
            raise TextRefusal(
                "text/not-for-a-flow",
                f"holds {_REFUSED[kind]}{line}, which a flow cannot set",
                details={"line": token.map[0] + 1 if token.map else None},
            )
        if kind == "table_open":
            return self._read_table(at)
        if kind == "heading_open":
            level = int(token.tag[1:])
            if level > 3:
                raise TextRefusal(
                    "text/heading-too-deep",
                    f"has a heading of level {level}",
                    "use #, ## or ###",
                    {"level": level},
                )
            self.blocks.append(_read_heading(level, self._tokens[at + 1].content))
            return at + 3
        if kind == "paragraph_open":
            text = self._tokens[at + 1].content
            self.blocks.append(Paragraph(text, self._depth, self._marker))
            self._marker = None
            return at + 3
        if kind == "hr":
            self.blocks.append(Rule())
        elif kind in ("bullet_list_open", "ordered_list_open"):
            self._depth += 1
            start = token.attrGet("start")
            first = 1 if start is None else int(start)
            self._numbers.append(first if kind == "ordered_list_open" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
            self._numbers.pop()
        elif kind == "list_item_close":
            self._marker = None
        elif kind == "list_item_open":
            number = self._numbers[-1]
            self._marker = "" if number is None else f"{number}."
            if number is not None:
                self._numbers[-1] = number + 1
        return at + 1

    def _read_table(self, at: int) -> int:
        rows: list[list[str]] = []
        aligns: list[str] = []
        while self._tokens[at].type != "table_close":
            token = self._tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                rows[-1].append(self._tokens[at + 1].content)
                if len(rows) == 1:
                    aligns.append(_ALIGNS.get(str(token.attrGet("style") or ""), "left"))
            at += 1
        if not any(rows[0]):
            rows = rows[1:]  # a table without a head has an empty one in Markdown
            self.blocks.append(TableBlock(tuple(map(tuple, [[], *rows])), tuple(aligns)))
        else:
            self.blocks.append(TableBlock(tuple(map(tuple, rows)), tuple(aligns)))
        return at + 1


def _read_heading(level: int, text: str) -> Heading:
    named = _SECTION.fullmatch(text) if level == 1 else None
    return Heading(level, named[1], named[2]) if named else Heading(level, text)
