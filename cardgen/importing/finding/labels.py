"""Labels with their values, as they stand on a line: one, or several with signs between them.

A label is a word with a colon, or bold before plain words. Knows nothing of what labels mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from cardgen.deck.labels import HUMPS
from cardgen.importing.model import BOLD, Styled

_MOST_LABEL = 5  # words
_SHORT_VALUE = 6
_LABEL = re.compile(
    r"[^\W_](?:[\w'’/&+-]|\.(?=\w|\s?[:：]|\s(?:[a-zß-ÿ]\w{0,4}|\w{1,4}\.)\s?[:：])|\s(?=[\w'’(&])|\([^()]{1,24}\)){0,38}?(?=\s?(?:：|::?(?:\s|$)))"
)
_DOTTED = re.compile(
    r"([^\W\d_][\w'’ -]{0,24}?)\s*"
    r"(?:\.{3,}|…{2,}|_{3,}(?=\s*\W?[\dA-ZÀ-Þ])|(?:\s\.){3,}|\s{3,}|\t+)\s*(?=\S)"
)
BAR = re.compile(r"\s*[|•·]\s*")
DRAWN = (BAR, *map(re.compile, (r"\s*;\s+", r"\s+/\s+")))
GAP = re.compile(r"\s{2,}|\t")
_SEPARATORS = (*DRAWN, GAP, *map(re.compile, (r"\s+[–—-]+\s+", r",\s+", r"\.\s+")))


class Label(NamedTuple):
    """A word with a colon, or a bold word, that a line begins with, and what follows it."""

    text: str
    value: Styled

    @property
    def key(self) -> str:
        return " ".join(HUMPS.sub(" ", self.text).casefold().replace(".", " ").split())


def find_labelled(content: Styled) -> Label | None:
    """Return the label that a text begins with: a word and a colon, or bold and then plain."""
    lead = content.find_lead()
    if 0 < lead < len(content.text):
        first = content.text[:lead].strip()
        after = content.cut(lead)
        if len(first.split()) <= _MOST_LABEL and first[-1:] != ",":
            colon = after.text.lstrip()[:1] in (":", "：")
            rest = after.strip(": ：") if colon else after.strip()
            return Label(first.rstrip(":：.? "), rest)
    if dots := _DOTTED.match(content.text):
        return Label(dots[1].strip(" ."), content.cut(dots.end()).strip())
    match = _LABEL.match(content.text)
    if not match or len(match[0].split()) > _MOST_LABEL:
        return None
    return Label(match[0].strip(), content.cut(match.end()).strip(": ：\u00a0"))


@lru_cache(maxsize=16_384)
def split_labels(content: Styled) -> Sequence[Label]:
    """Return the labels of a line: one, or several with signs or wide gaps between."""
    content = open_bracket(content)
    if (":" in content.text or content.find_lead()) and (labels := split_at(content, _SEPARATORS)):
        return labels
    if content.find_lead() and len(parted := _split_bold(content)) > 1:
        return parted
    label = find_labelled(content)
    return [label] if label else []


def split_at(content: Styled, separators: Iterable[re.Pattern[str]]) -> list[Label]:
    """Return the labels that one of the separators parts; none where it parts other things."""
    for separator in separators:
        parts = part_at(content, separator)
        labels = [find_labelled(part) for part in parts] if len(parts) > 1 else []
        if labels and all(label and label.value.text for label in labels):
            return [label for label in labels if label]
    return []


def _split_bold(content: Styled) -> list[Label]:
    """Return labels that are told from their values by being bold: "**Rent** 2 **Size** 4"."""
    bold = [bool(int(mark) & BOLD) for mark in content.marks]
    starts = [at for at, is_bold in enumerate(bold) if is_bold and not (at and bold[at - 1])]
    labels = []
    for start, end in pairwise([*starts, len(bold)]):
        label = find_labelled(content.cut(start, end).strip())
        if label is None or len(label.value.text.split()) > _SHORT_VALUE:
            return []
        labels.append(label._replace(value=label.value.strip(" ,;|·•/")))
    return labels


def open_bracket(content: Styled) -> Styled:
    """Return a text without the bracket that holds all of it."""
    text = content.text.rstrip(" .")
    for first, last in ("()", "[]", "{}", "<>"):
        inside = text[1:-1]
        if text[:1] == first and text[-1:] == last and inside.find(last) >= inside.find(first):
            return content.cut(1, len(text) - 1).strip()
    return content


def part_at(content: Styled, separator: re.Pattern[str]) -> list[Styled]:
    """Return the parts of a text between separators that stand in no bracket."""
    parts: list[Styled] = []
    position = 0
    for gap in separator.finditer(content.text):
        before = content.text[: gap.start()]
        if before.count("(") <= before.count(")"):
            parts.append(content.cut(position, gap.start()).strip())
            position = gap.end()
    parts.append(content.cut(position).strip() if parts else content)
    return [part for part in parts if part.text]
