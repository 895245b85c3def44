"""Weighs a line that may be a name: facts on it, below it, above it, or its number.

Knows nothing of which names are cards in the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.heads import WEAK, is_fact_line
from cardgen.importing.finding.names import Head
from cardgen.importing.finding.passages import Passage

_SENTENCE = re.compile(r"^|(?<=[.!?\])”\"])\s+|\s*(?=[(\[])")
_TAIL = 160
_OPENS = tuple("\"'“‘«„")
_CLOSES = tuple("\"'”’»“")
_MOST_FLAVOUR = 6


@dataclass(frozen=True, slots=True)
class Start:
    """A passage that may begin a card."""

    at: int
    head: Head
    style: tuple[str, str]
    evidence: str  # which facts speak for it; empty if none
    why: str = ""
    sure: float = 1.0


def _style(passage: Passage, head: Head) -> tuple[str, str]:
    mark = passage.mark
    if mark.startswith(("heading", "bold", "size")):
        return mark, ""
    # A cry is a name though its words are small.
    shape = "title" if head.shape == "sentence" and head.name[-1] in "!?" else head.shape
    place = "item" if passage.kind == "item" else ("lead" if head.rest.text else "")
    return f"{mark}{place if shape != 'capitals' else ''}", shape


def stand_above(passages: Sequence[Passage], heads: dict[int, Head]) -> bool:
    """Whether the document prints a card's first facts above its name."""
    above = below = 0
    for at in heads:
        if not at or heads[at].taken.facts or at + 1 >= len(passages):
            continue
        before = passages[at - 1]
        facts = is_fact_line(before)
        apart = at < 2 or before.gap > 0 or passages[at - 2].kind == "rule"
        headless = at < 2 or at - 2 not in heads
        above += bool(facts and facts.has("cost") and apart and headless and not passages[at].gap)
        follows = passages[at + 1].taken
        below += follows.has("cost")
    return above > 1 and above > below


def weigh_evidence(
    passages: Sequence[Passage], heads: dict[int, Head], at: int, above: bool
) -> Start:
    head = heads[at]
    style = _style(passages[at], head)
    if head.taken.facts:
        return Start(at, head, style, "facts on its line")
    if head.labelled:
        return Start(at, head, style, "a label before it")
    if head.in_list:
        return Start(at, head, style, "its number")
    if above and at and is_fact_line(passages[at - 1]):
        return Start(at, head, style, "facts above it")
    flavour = _count_flavour(passages, at)
    for step in (1, 2) if not flavour else (flavour + 1,):
        if at + step >= len(passages) or (at + step in heads and heads[at + step].taken.facts):
            break
        if at + step in heads and _style(passages[at + step], heads[at + step]) == style:
            break
        taken = passages[at + step].taken
        if above and is_fact_line(passages[at + step]) and passages[at + step].gap:
            break
        strong = [
            fact for fact in taken.facts if fact.rule.name not in WEAK or fact.gives == "cost"
        ]
        weak = step == flavour + 1 and is_fact_line(passages[at + step]) and taken.sure > 0.7
        if (strong or weak) and (step == flavour + 1 or taken.has("cost")):
            return Start(at, head, style, "facts below it")
    end = at + 1
    while (
        end < len(passages)
        and not (end in heads and _style(passages[end], heads[end]) == style)
        and passages[end].kind != "rule"
    ):
        end += 1
        if end - at > 12 or (end < len(passages) and passages[end].gap and end > at + 1):
            break
    if end > at + 1 and _ends_with_cost(passages[at + 1 : end]):
        return Start(at, head, style, "a cost at its end")
    return Start(at, head, style, "")


def _ends_with_cost(passages: Sequence[Passage]) -> bool:
    """Whether the last sentence of a text states its cost, as "[Cost: 5 points. Once a game.]"."""
    text = " ".join(passage.text for passage in passages)[-_TAIL:].rstrip()
    for match in _SENTENCE.finditer(text):
        taken = take_facts(text, match.end())
        if taken.has("cost") and taken.sure > 0.8 and taken.end >= len(text.rstrip(" .)]")):
            return match.end() > 0 or len(passages) > 1
    return False


def _count_flavour(passages: Sequence[Passage], at: int) -> int:
    """How many passages below a name hold words that somebody says."""
    for count in range(1, _MOST_FLAVOUR + 1):
        if at + count >= len(passages) or passages[at + 1].text[:1] not in _OPENS:
            return 0
        text = passages[at + count].text
        after = passages[at + count + 1] if at + count + 1 < len(passages) else None
        closed = any(sign in text[1:] for sign in _CLOSES)
        if closed and (after is None or after.gap or after.taken.facts):
            return count
    return 0


def has_stats(passages: Sequence[Passage], start: Start) -> bool:
    return start.head.taken.has("stat") or any(
        passage.taken.has("stat") for passage in passages[start.at + 1 : start.at + 3]
    )
