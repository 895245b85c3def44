"""How a document prints its names: learned from the lines that facts follow.

Turns passages into the places where cards begin and the places where chapters begin. A name that
has no facts is known by being printed as the others are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgen.importing.finding.evidence import Start, has_stats, stand_above, weigh_evidence
from cardgen.importing.finding.heads import find_heads
from cardgen.importing.finding.passages import Passage
from cardgen.importing.finding.prose_rules import PROSE, is_section_name, weigh_prose

_ENOUGH = 0.4
_MOST_UNITS = 0.75
_SUSPECT = 0.5
_MOST_EFFECT = 160
_FEWEST_WITHOUT_FACTS = 3
_MOST_WORDS = 12
_MOST_LINES = 60
_MANY = 6
_LEAST_HELD = 0.15


class Outline(NamedTuple):
    cards: dict[int, Start]
    sections: set[int]
    idle: set[int]  # headings with nothing below them, such as heads of pages
    above: bool  # whether facts stand above the names


def find_outline(passages: Sequence[Passage], *, bare: bool = True) -> Outline:
    """`bare`: where no name has facts, lines that are printed alike may be names all the same."""
    heads = find_heads(passages)
    above = stand_above(passages, heads)
    starts = [weigh_evidence(passages, heads, at, above) for at in heads]
    bodies = _gather_bodies(passages, starts)
    cards = _choose(passages, starts, bodies)
    units = bool(cards) and all(has_stats(passages, start) for start in cards.values())
    if not cards and bare:
        cards = _choose_without_facts(passages, starts, bodies)
    sections = _find_sections(passages, starts, cards, bodies, units)
    idle = {
        at for at in sections if at + 1 in heads and at + 1 not in cards | dict.fromkeys(sections)
    }
    return Outline(cards, sections - idle, idle, above)


def _find_sections(
    passages: Sequence[Passage],
    starts: Sequence[Start],
    cards: Mapping[int, Start],
    bodies: Mapping[int, str],
    units: bool,
) -> set[int]:
    """The headings that are no cards and end the card above them."""
    styles = {start.style for start in cards.values()}
    largest = max((_read_size(style[0]) for style in styles), default=0)
    if any(style[0] == "bold" for style in styles):
        largest = max(largest, 1)  # names of the text's own size
    level = max((style[0] for style in styles if style[0].startswith("heading")), default="")
    sections = {
        at
        for at, passage in enumerate(passages)
        if at not in cards
        and (
            _is_section(passage, largest if cards else 0)
            or (not units and _is_higher(passage, level))
        )
    }
    for start in starts:
        if start.at in cards:
            continue
        prose = _suspect(bodies, start, 0.0) >= _SUSPECT
        if units and not prose:
            continue  # the rules of a unit have headings of their own
        apart = passages[start.at].gap or start.head.shape == "capitals"
        bare = passages[start.at].gap > 0 and start.head.shape == "title"
        alike = not units and (start.style in styles or bare) and apart and not start.head.rest.text
        if _breaks(passages, start, cards) or (alike and prose):
            sections.add(start.at)
    return sections


def _read_size(mark: str) -> int:
    return int(mark.split()[1]) if mark.startswith("size") else 0


def _is_higher(passage: Passage, level: str) -> bool:
    """Whether a heading stands no lower than the names, where those are headings at all."""
    return passage.mark.startswith("heading") and (not level or passage.mark <= level)


def _is_section(passage: Passage, largest: int) -> bool:
    """Whether a line is a chapter's heading by its words, or by being larger than all names."""
    size = _read_size(passage.mark)
    if largest and size > largest and passage.gap and len(passage.text.split()) <= _MOST_WORDS:
        return True
    marked = passage.text.isupper() or passage.mark.startswith(("heading", "size"))
    return marked and passage.gap > 0 and is_section_name(passage.text)


def _choose(
    passages: Sequence[Passage], starts: Sequence[Start], bodies: Mapping[int, str]
) -> dict[int, Start]:
    cards: dict[int, Start] = {}
    styles: dict[tuple[str, str], list[Start]] = {}
    for start in starts:
        styles.setdefault(start.style, []).append(start)
    evident = [start for start in starts if start.evidence]
    total = len(evident)
    units = sum(has_stats(passages, start) for start in evident)
    if total > 1 and units >= _MOST_UNITS * total:
        return {
            start.at: _mark(start, start.evidence, 1.0)
            for start in evident
            if has_stats(passages, start)
        }
    inner = _find_inner(passages, starts)
    for style, group in styles.items():
        proved = [start for start in group if start.evidence]
        if not proved:
            continue
        known = style[0] not in ("", "lead", "item", "italic") or style[1] != "sentence"
        share = len(proved) / len(group)
        suspicions = {
            start.at: _suspect(bodies, start, share)
            for start in group
            if known and not start.evidence
        }
        alike = len(proved) + sum(1 for suspicion in suspicions.values() if suspicion <= 0)
        usual = alike >= _ENOUGH * len(group) and (len(proved) > 1 or total < 3)
        for start in group:
            if start.evidence and not (
                start.evidence == "a cost at its end" and is_section_name(start.head.name)
            ):
                sure = 1.0 if usual else 0.85
                cards[start.at] = _mark(start, f"{start.evidence}", sure)
            elif start.at in inner:
                continue
            elif known and usual and (suspicion := suspicions[start.at]) < _SUSPECT:
                sure = 0.9 if suspicion <= 0 else 0.75
                cards[start.at] = _mark(start, "printed as the other names are", sure)
    for start in starts:
        if start.at not in cards and len(cards) >= _MANY and _is_cry(passages, bodies, start):
            cards[start.at] = _mark(start, "a cry set apart, with a text below it", 0.75)
    _drop_bodiless(cards)
    return cards


def _is_cry(passages: Sequence[Passage], bodies: Mapping[int, str], start: Start) -> bool:
    """Whether a name that is printed unlike the others is one all the same: "Bad luck!"."""
    name = start.head.name
    return (
        name[-1] in "!?"
        and 1 < len(name.split()) <= _MOST_WORDS // 2
        and passages[start.at].gap > 0
        and not start.head.rest.text
        and _suspect(bodies, start, 0.0) <= 0
    )


def _find_inner(passages: Sequence[Passage], starts: Sequence[Start]) -> set[int]:
    """The headings without facts that stand within the rules of a unit."""
    inner: set[int] = set()
    within = False
    for start in starts:
        if start.evidence:
            within = has_stats(passages, start)
        elif within and not is_section_name(start.head.name):
            inner.add(start.at)
    return inner


def _mark(start: Start, why: str, sure: float) -> Start:
    return Start(start.at, start.head, start.style, start.evidence, why, sure)


def _suspect(bodies: Mapping[int, str], start: Start, proved: float) -> float:
    """How much a heading without facts is a chapter's and no card's."""
    body = f"{start.head.rest.text} {bodies[start.at]}".strip()
    if not body:
        return 1.0
    suspicion = 0.1 if proved > 0.8 else 0.0
    suspicion += 0.6 if is_section_name(start.head.name) else 0.0
    # "Gifts from Strangers", and below it "Gifts are for characters alone".
    first = body.split()[0].lower()
    suspicion += 0.4 if first[-1:] == "s" and first in start.head.name.lower().split() else 0.0
    suspicion += 0.5 if start.at == 0 else 0.0
    suspicion += weigh_prose(body)
    suspicion += 0.3 if len(body.split()) > _MOST_EFFECT else 0.0
    suspicion -= 0.2 if start.head.name.endswith(("!", "?")) else 0.0
    return suspicion


def _gather_bodies(passages: Sequence[Passage], starts: Sequence[Start]) -> dict[int, str]:
    """The first paragraph below each line that may be a name."""
    evident = {start.at for start in starts if start.evidence}
    alike: dict[tuple[str, str], set[int]] = {}
    for start in starts:
        alike.setdefault(start.style, set()).add(start.at)
    bodies = {}
    for start in starts:
        first = start.at + 1
        end = first
        while end < min(len(passages), first + _MOST_LINES):
            passage = passages[end]
            if end in evident or end in alike[start.style] or passage.kind == "rule":
                break
            if end > first and passage.gap and not passages[end - 1].stat:
                break  # what follows may be prose below a card
            end += 1
        bodies[start.at] = " ".join(passage.text for passage in passages[first:end])
    return bodies


def _drop_bodiless(cards: dict[int, Start]) -> None:
    """A name right above another one, with nothing of its own, is a heading."""
    for at, start in list(cards.items()):
        after = cards.get(at + 1)
        bare = not start.head.rest.text and not start.head.taken.facts
        if after and bare and start.evidence != "facts above it" and not start.head.labelled:
            del cards[at]


def _choose_without_facts(
    passages: Sequence[Passage], starts: Sequence[Start], bodies: Mapping[int, str]
) -> dict[int, Start]:
    """No fact anywhere: names are lines printed alike, each with a short text below it."""
    styles: dict[tuple[str, str], list[Start]] = {}
    for start in starts:
        body = bodies[start.at] or start.head.rest.text
        if not body and passages[start.at].lead:
            body = passages[start.at + 1].text
        if not body or len(body.split()) > _MOST_EFFECT or start.style[1] == "sentence":
            continue
        if _suspect(bodies, start, 0.0) < PROSE:
            styles.setdefault(start.style, []).append(start)
    groups = [g for g in styles.values() if len(g) >= _FEWEST_WITHOUT_FACTS]
    if not groups:
        return {}
    best = max(groups, key=lambda group: (len(group), group[0].style))
    held = sum(len(bodies[start.at]) + len(start.head.rest.text) for start in best)
    if held < _LEAST_HELD * sum(len(passage.text) for passage in passages):
        return {}  # a few lines of a longer text
    return {
        start.at: _mark(start, "printed like a name, with a text below it", 0.85) for start in best
    }


def _breaks(passages: Sequence[Passage], start: Start, cards: Mapping[int, Start]) -> bool:
    """Whether a heading that is no card ends the card above it."""
    passage = passages[start.at]
    if passage.lead or start.head.rest.text:
        return False
    levels = {c.style[0] for c in cards.values() if c.style[0].startswith("heading")}
    if passage.mark.startswith("heading"):
        return not levels or passage.mark <= max(levels)
    if passage.mark.startswith("size") or start.head.shape == "capitals":
        return passage.gap > 0
    if passage.mark == "bold":
        return passage.gap > 0 and is_section_name(start.head.name)
    return passage.gap > 0 and is_section_name(start.head.name)
