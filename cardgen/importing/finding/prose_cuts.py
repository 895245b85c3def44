"""Cuts off prose, captions and farewells below a card's effect.

Told by what the text's other cards have in common as much as by rules. Knows nothing of facts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cardgen.importing.finding.passages import Passage, leave_out
from cardgen.importing.finding.prose_rules import PROSE, weigh_prose
from cardgen.importing.model import Doubt, LeftOut

ENDS = re.compile(r"[.!?:][\"'”’)\]*]*$")
_WORD = re.compile(r"[a-zß-öø-ÿ]{4,}")
_NAMED = re.compile(r"(?<=[a-zß-öø-ÿ,] )[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2,}")
_NOTE = re.compile(r"(?:note|n\.?b|examples?|e\.g|for (?:example|instance))\b", re.IGNORECASE)
_TWO = re.compile(r"[.!?] \S")
_MOST_CARDS = 0.75
_FEWEST_CARDS = 6
_FEWEST_WORDS = 4
_STRANGE = 0.15  # of a paragraph's words, those that other cards use
_LONGEST_CAPTION = 14
_BEYOND_USUAL = 0.25
_STRANGE_WORDS = 0.3
_SURELY_PROSE = 0.7


class Common(NamedTuple):
    """The habits that the cards of a text share."""

    paragraphs: int  # how many they have at most, but for a few
    words: frozenset[str]  # that several of them use; empty where there are few cards
    names: frozenset[str]  # words with a capital within their sentences


class Cuts(NamedTuple):
    left_out: list[LeftOut]
    doubts: list[Doubt]


def learn_common(bodies: Sequence[Sequence[Passage]]) -> Common:
    counts = sorted(_count_paragraphs(body) for body in bodies)
    words: Counter[str] = Counter()
    for body in bodies:
        words.update(_list_words(_join(_take_first(body))))
    known = frozenset(word for word, count in words.items() if count > 1)
    return Common(
        max(1, counts[int(_MOST_CARDS * (len(counts) - 1))]) if counts else 1,
        known if len(bodies) >= _FEWEST_CARDS else frozenset(),
        frozenset(name for body in bodies for name in _NAMED.findall(_join(_take_first(body)))),
    )


def _count_paragraphs(passages: Sequence[Passage]) -> int:
    texts = [passage for passage in passages if not passage.taken.facts]
    return 1 + sum(1 for passage in texts[1:] if passage.gap)


def _take_first(passages: Sequence[Passage]) -> list[Passage]:
    """The first paragraph, which is always the card's own."""
    texts = [passage for passage in passages if not passage.taken.facts]
    end = next((at for at, passage in enumerate(texts) if at and passage.gap), len(texts))
    return texts[:end]


def _join(passages: Sequence[Passage]) -> str:
    return " ".join(passage.text for passage in passages)


def _list_words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def cut_prose(groups: list[list[Passage]], common: Common, *, unit: bool) -> Cuts:
    """Take the prose that follows a card out of its paragraphs; the first is always its own."""
    cuts = Cuts([], [])
    for place in range(1, len(groups)):
        text = " ".join(passage.text for passage in groups[place])
        weight = weigh_prose(text)
        if not unit:
            weight += _BEYOND_USUAL if place >= common.paragraphs else 0.0
            weight += _STRANGE_WORDS if _is_strange(text, common) else 0.0
        if weight >= (_SURELY_PROSE if unit else PROSE) and groups[place][0].gap:
            for group in groups[place:]:
                cuts.left_out.extend(leave_out(group, "prose"))
            del groups[place:]
            return cuts
        if weight > 0.2 and groups[place][0].gap:
            said = f'"{text[:50]}…" may be no part of the card'
            cuts.doubts.append(Doubt("prose", said, 0.75, text[:50]))
    _cut_end(groups, cuts.left_out)
    return cuts


def _is_strange(text: str, common: Common) -> bool:
    """Whether a sentence names what no card does and shares hardly a word with them: a caption."""
    if _NOTE.match(text):
        return False
    words = _list_words(text)
    named = set(_NAMED.findall(text)) - common.names
    if not common.words or not named or len(words) < _FEWEST_WORDS or _TWO.search(text):
        return False
    return len(words & common.words) <= _STRANGE * len(words)


def _cut_end(groups: list[list[Passage]], left_out: list[LeftOut]) -> None:
    """Cut off lines at a card's end that are no sentence, and prose that begins a line there."""
    if len(groups) > 1 and _is_caption(groups[-2], groups[-1]):
        left_out += leave_out(groups.pop(), "caption or signature")
    if not groups:
        return
    group = groups[-1]
    for place in range(1, len(group)):
        if not ENDS.search(group[place - 1].text) or group[place].glued:
            continue
        if weigh_prose(" ".join(passage.text for passage in group[place:])) >= _SURELY_PROSE:
            left_out += leave_out(group[place:], "prose")
            del group[place:]
            return


def _is_caption(above: Sequence[Passage], group: Sequence[Passage]) -> bool:
    """Whether the last lines of a card are no sentence, as those above them are."""
    text = " ".join(passage.text for passage in group)
    return (
        bool(group[0].gap)
        and group[0].kind == "line"
        and text[:1].isupper()
        and len(text.split()) <= _LONGEST_CAPTION
        and not ENDS.search(text)
        and bool(ENDS.search(above[-1].text))
        and not above[-1].text.endswith(":")
    )
