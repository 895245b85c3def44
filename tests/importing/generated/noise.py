"""Blocks set as the lines of a file: wrapped, hyphenated, on pages, in columns, misread."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from .cards import Block, set_capitals

_MISREAD = (("rn", "m"), ("l", "1"), ("cl", "d"), ("e", "c"), ("li", "h"), ("o", "0"), ("h", "b"))
# A line that begins so would look like a list or a heading.
_NO_START = re.compile(r"(\d+[.)]|[-–—+*#>|:=~•×/«»„{}]+)$|[:;!?»]|\d{1,3}$")
_VOWELS = "aeiouyäöüéèêàâîôûœ"
_CLUSTERS = {"bl", "br", "ch", "ck", "cl", "cr", "dr", "fl", "fr", "gh", "gl", "gn", "gr", "kn"}
_CLUSTERS |= {"ph", "pl", "pr", "qu", "sh", "st", "th", "tr", "wh"}


class Setter:
    """Sets blocks as one text, in the way that a style says."""

    def __init__(self, rng: random.Random, style: Mapping[str, str], title: str) -> None:
        self.rng = rng
        self.style = style
        self.title = title
        self.noise = frozenset(style["noise"].split("+"))
        width = style["wrap"]
        self.width = 0 if width == "none" else int(width)
        self.ending = "\r\n" if rng.random() < 0.08 else "\n"

    def set(self, blocks: Iterable[Block]) -> str:
        lines: list[tuple[str, bool]] = []
        for block in blocks:
            gap = 0 if block.is_tight or not lines else 1
            if "doubled" in self.noise:
                gap += 1
            if "missing" in self.noise:
                gap = 0
            lines += [("", False)] * (gap if lines else 0)
            lines += self.set_block(block)
        if "columns" in self.noise:
            return self.set_columns(lines)
        if "pages" in self.noise:
            lines = self.set_pages(lines)
        indent = "  " if "indented" in self.noise else ""
        return "".join((indent + line if line else "") + self.ending for line, _ in lines)

    def set_block(self, block: Block) -> list[tuple[str, bool]]:
        """The lines, and after which of them a page may end."""
        text = block.text
        inner = "    " if block.is_inner and "inner" in self.noise else ""
        if not block.is_prose:
            return [(inner + line, False) for line in text.split("\n")]
        if "misread" in self.noise:
            text = self.misread(text)
        torn: list[tuple[str, bool]] = []
        if "dropped" in self.noise and block.opens and re.match(r"[A-Z]\w", text):
            torn = [(text[0], False), ("", False)] if self.style["torn"] == "line" else []
            text = text[1:] if torn else f"{text[0]} {text[1:]}"
        lines = self.wrap(text, block.hang) if self.width else [text]
        return torn + [(inner + line, not line.endswith("-")) for line in lines]

    def wrap(self, text: str, hang: str) -> list[str]:
        """Lines of the width; no blank is lost but those where a line ends."""
        lines: list[str] = []
        line = ""
        for word in re.findall(r" *[^ ]+", text):
            start = word.lstrip(" ")
            if len(line) + len(word) <= self.width or not line.strip() or _NO_START.match(start):
                line += word
                continue
            head = self.hyphenate(start, self.width - len(line) - 2)
            if head and len(word) - len(start) == 1:
                lines.append(f"{line} {head}-")
                line = hang + start[len(head) :]
            else:
                lines.append(line)
                line = hang + start
        return [*lines, line]

    def hyphenate(self, word: str, room: int) -> str:
        """The part of a word that stays on the line, or nothing."""
        if "hyphens" not in self.noise or not word.strip(".,;:").isalpha() or word[0].isupper():
            return ""
        letters = word.strip(".,;:")
        for at in range(min(room, len(letters) - 3), 1, -1):
            begins = letters[at] not in _VOWELS and letters[at + 1] in _VOWELS
            stands = letters[at - 1 : at + 1] not in _CLUSTERS
            if begins and stands and any(letter in _VOWELS for letter in letters[:at]):
                return word[:at]
        return ""

    def misread(self, text: str) -> str:
        words = text.split(" ")
        for at, word in enumerate(words):
            mistakes = [pair for pair in _MISREAD if pair[0] in word[1:]]
            if mistakes and word.isalpha() and self.rng.random() < 0.012:
                words[at] = word[0] + word[1:].replace(*self.rng.choice(mistakes), 1)
        return " ".join(words)

    def set_pages(self, lines: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
        """Page numbers and running heads between the lines."""
        rng = self.rng
        length = rng.randint(34, 52)
        page = rng.randint(1, 60)
        foot = rng.choice(("{n}", "- {n} -", "– {n} –", "{n}"))
        head = rng.choice(("", self.title, set_capitals(self.title)))
        if head and rng.random() < 0.4:
            foot, head = "", head + "   {n}"
        feed = rng.choice(("", "", "\f"))
        middle = rng.choice((0, 60))
        found: list[tuple[str, bool]] = []
        since = 0
        for at, (line, may_end) in enumerate(lines):
            found.append((line, may_end))
            since += 1
            if since < length or not may_end or at + 1 == len(lines):
                continue
            turn = [text.format(n=page + shift) for shift, text in ((0, foot), (1, head)) if text]
            marks = [text.center(middle).rstrip() for text in turn]
            for mark in marks:
                found += [("", False), (mark, False)]
            if feed and head:
                found[-1] = (feed + found[-1][0], False)
            found.append(("", False))
            page += 1
            since = 0
        return found

    def set_columns(self, lines: list[tuple[str, bool]]) -> str:
        """Two columns beside each other on each page, as a PDF's layout is kept in text."""
        length = self.rng.randint(30, 50)
        gap = self.rng.randint(3, 8)
        width = max(len(line) for line, _ in lines) + gap
        columns: list[list[str]] = []
        while lines:
            ends = [at for at, (_, may_end) in enumerate(lines[:length]) if may_end]
            end = ends[-1] + 1 if ends and len(lines) > length else length
            columns.append([line for line, _ in lines[:end]])
            lines = lines[end:]
            while lines and not lines[0][0]:
                del lines[0]
        pages = []
        for page, at in enumerate(range(0, len(columns), 2), start=self.rng.randint(1, 60)):
            pairs = zip_longest(*columns[at : at + 2], fillvalue="")
            rows = [f"{pair[0].ljust(width)}{''.join(pair[1:])}".rstrip() for pair in pairs]
            pages.append("\n".join([*rows, "", str(page).center(2 * width - gap).rstrip()]))
        return "\n\n\f".join(pages) + "\n"
