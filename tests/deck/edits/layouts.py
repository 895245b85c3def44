"""Decks in YAML of odd layouts, drawn by Hypothesis, with comments everywhere."""

from __future__ import annotations

import re
from typing import NamedTuple

import yaml
from hypothesis import assume
from hypothesis import strategies as st

from cardgen.deck.edits.rewrite import is_equal
from cardgen.deck.model import Value
from cardgen.deck.yaml import parse_scalar, parse_yaml

_TEXT = """
the bearer may re-roll one failed die **once** *per* :sword: game, and never: flees # not! naïve
Übermut “quoted” don't "said" 4-5 +1 -15 [x] {y} & * 日本 – {gold}
"""
_WORDS = _TEXT.split()
_SINGLE = ("yes", "null", "~", "1.50", "007", "2024-05-01", "1:30", "true", "", "- a", "? b", "x:")
_ENDS = ("", "", "", "\n", "\n\n")

words = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=30).map(" ".join)
odd = st.sampled_from(_SINGLE) | st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), max_size=12
)
lines = st.one_of(words, words, odd)
texts = st.one_of(
    lines,
    st.builds(
        lambda parts, gap, end: gap.join(parts) + end,
        st.lists(st.one_of(words, words, st.just("  deep in"), st.just("")), max_size=4),
        st.sampled_from(("\n", "\n\n", " \n")),
        st.sampled_from(_ENDS),
    ),
)
numbers = st.integers(-999, 10**12) | st.floats(allow_nan=False, allow_infinity=False)
plain_values = st.one_of(texts, texts, numbers, st.booleans(), st.none())
values: st.SearchStrategy[Value] = st.one_of(
    plain_values,
    plain_values,
    st.lists(lines | st.integers(0, 9), max_size=3),
    st.dictionaries(st.sampled_from(("hits", "armour", "note")), lines | st.none(), max_size=3),
)
keys = st.sampled_from(("count", "cost", "kind", "text", "note", "signs", "größe"))


class Laid(NamedTuple):
    """A deck's text, what it says, and its comments."""

    text: str
    value: dict[str, Value]
    comments: list[str]


@st.composite
def draw_decks(draw: st.DrawFn, /) -> Laid:
    """A deck that is sound, in any layout."""
    pen = _Pen(draw)
    head: dict[str, Value] = {"title": draw(lines)}
    if draw(st.booleans()):
        head["defaults"] = {"kind": "weapon", "cost": None}
    cards: list[Value] = [
        {"name": f"Card {number}", **draw(st.dictionaries(keys, values, max_size=4))}
        for number in range(draw(st.integers(1, 4)))
    ]
    last = draw(st.booleans())
    written = [pen.comment(0)]
    for key, value in head.items():
        written += pen.pair(key, value, 0)
    if draw(st.integers(0, 4)):
        column = draw(st.sampled_from((0, 1, 2, 4)))
        written.append(f"cards:{pen.aside()}\n{pen.comment(column)}")
        gap = draw(st.sampled_from(("", "\n", "\n\n")))
        for card in cards:
            written += [pen.comment(column), *pen.item(card, column), gap]
            written.append(pen.comment(column + 3))
    else:
        written.append(f"cards: {pen.flow(cards)}{pen.aside()}\n")
    deck: dict[str, Value] = {**head, "cards": cards}
    if last:
        written += pen.pair("author", "A. Nobody", 0)
        deck["author"] = "A. Nobody"
    text = "".join(written)
    if draw(st.booleans()):
        text = text.rstrip("\n") if "|" not in text and ">" not in text else text
    # A comment may have come to stand within a long text.
    node = parse_yaml(text, "", [])
    assume(node is not None and is_equal(node.value, deck))
    return Laid(text, deck, re.findall(r"#c\d+", text))


class _Pen:
    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.number = 0

    def comment(self, column: int) -> str:
        """Some lines that say nothing, or none."""
        kind = self.draw(st.integers(0, 5))
        if kind > 1:
            return ""
        return f"{' ' * column}{self._count()} say: [x\n" if kind else "\n"

    def aside(self) -> str:
        """A comment behind a value, or none."""
        return f"  {self._count()}" if not self.draw(st.integers(0, 3)) else ""

    def _count(self) -> str:
        self.number += 1
        return f"#c{self.number}"

    def item(self, value: Value, column: int) -> list[str]:
        dash = f"{' ' * column}-{' ' * self.draw(st.sampled_from((1, 1, 1, 3)))}"
        if not isinstance(value, dict) or not self.draw(st.integers(0, 3)):
            return [f"{dash}{self.flow(value)}{self.aside()}\n"]
        depth = len(dash)
        found: list[str] = []
        for key, inner in value.items():
            found += self.pair(key, inner, depth)
        return [dash + found[0].lstrip(" "), *found[1:]]

    def pair(self, key: str, value: Value, column: int) -> list[str]:
        """The lines of a key and its value; the first one has no comment above it."""
        margin = " " * column
        if isinstance(value, dict) and value and self.draw(st.booleans()):
            found = [f"{margin}{key}:{self.aside()}\n"]
            depth = column + self.draw(st.integers(1, 4))
            for inner, one in value.items():
                found += self.pair(inner, one, depth)
            return found
        if isinstance(value, list) and value and self.draw(st.booleans()):
            found = [f"{margin}{key}:{self.aside()}\n"]
            depth = column + self.draw(st.sampled_from((0, 2)))
            for one in value:
                found += [self.comment(depth), f"{' ' * depth}- {self.flow(one)}{self.aside()}\n"]
            return found
        if value is None and self.draw(st.booleans()):
            return [f"{margin}{key}:{self.aside()}\n", self.comment(column)]
        return [f"{margin}{key}:{self.scalar(value, column)}", self.comment(column)]

    def scalar(self, value: Value, column: int) -> str:
        """A value behind a key, with the end of its line."""
        if isinstance(value, str):
            for style in self.draw(st.permutations(("plain", "'", "|", ">", "wide"))):
                written = self._try(value, style, column)
                if written is not None:
                    return written
        return f" {self.flow(value)}{self.aside()}\n"

    def _try(self, text: str, style: str, column: int) -> str | None:
        depth = column + self.draw(st.integers(1, 4))
        if style in ("|", ">"):
            bare = text.rstrip("\n")
            if not bare.strip() or bare[0] in " \n\t" or not bare.replace("\n", "").isprintable():
                return None
            sign = {0: "-", 1: ""}.get(len(text) - len(bare), "+")
            parts = bare.split("\n")
            if style == ">":
                if any(part[:1] in (" ", "\t") for part in parts):
                    return None
                parts = "\n\n".join(part.replace(" die ", "\ndie ") for part in parts).split("\n")
            parts += [""] * (len(text) - len(bare) - 1)
            body = "".join(f"{' ' * depth}{part}\n" if part else "\n" for part in parts)
            written = f" {style}{sign}{self.aside()}\n{body}"
        elif style == "wide":
            written = f"\n{' ' * depth}" + text.replace(" may ", f"\n{' ' * depth}may ") + "\n"
        elif style == "'":
            written = f" '{text.replace(chr(39), chr(39) * 2)}'{self.aside()}\n"
        else:
            written = f" {text}{self.aside()}\n"
        margin = " " * column
        return written if _read(f"{margin}k:{written}{margin}z: 0\n") == text else None

    def flow(self, value: Value) -> str:
        """A value in one line, or in brackets over several."""
        if isinstance(value, list):
            return f"[{', '.join(map(self.flow, value))}]"
        if isinstance(value, dict):
            gap = self.draw(st.sampled_from((", ", ", ", ",\n          ")))
            pairs = [f"{key}: {self.flow(one)}" for key, one in value.items()]
            return (
                f"{{{gap.join(pairs)}{self.draw(st.sampled_from(('', '', ',')))}}}"
                if pairs
                else "{}"
            )
        if isinstance(value, str):
            if _read(f"{{k: {value}, z: 0}}\n") == value and self.draw(st.booleans()):
                return value
            return yaml.dump(value, default_style='"', width=10**6).strip()
        if isinstance(value, float):
            return repr(value)
        return "null" if value is None else str(value).lower()


def _read(text: str) -> object:
    """What stands behind the first key, if there are two."""
    try:
        events = list(yaml.parse(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        return None
    if len(events) != 10 or not isinstance(events[4], yaml.ScalarEvent):
        return None
    found = events[4]
    return parse_scalar(found.value) if found.implicit[0] else found.value
