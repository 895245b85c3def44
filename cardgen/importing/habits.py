"""How a document prints its names: learned from the lines that facts follow.

Turns passages into the places where cards begin and the places where chapters begin. A name that
has no facts is known by being printed as the others are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.importing.facts import Fact, Taken, take_facts
from cardgen.importing.names import ROLE_START, Head, split_head
from cardgen.importing.numbered import find_numbered, name_numbered
from cardgen.importing.passages import Passage
from cardgen.importing.prose_rules import PROSE, is_section_name, weigh_prose

_ENDS = re.compile(r"(?:[.!?…]|\([^()]*\))[\"'”’)\]*]*$")
_LABELLED_COST = re.compile(
    (
        r"(?:^|[.!?;,(]\s*)\(?((?:points? )?(?:costs?|price|value|"
        r"points)\b[^.]*\d[^.]*|[+−–-]?\d+ ?(?:points?|pts))\.?\)?\.?$"
    ),
    re.I,
)
_OF = re.compile(r"\w (?:of|for|from|against)(?: the)? \w|\w['’]s? \w")
_WEAK = ("any", "roles", "for", "bearer in brackets")
_OPENS = tuple("\"'“‘«„")
_CLOSES = tuple("\"'”’»“")
_MOST_FLAVOUR = 6
_FEW_WORDS = 3
_ENOUGH = 0.4
_MOST_UNITS = 0.75
_SUSPECT = 0.5
_MOST_EFFECT = 160
_FEWEST_WITHOUT_FACTS = 2


@dataclass(frozen=True, slots=True)
class Start:
    """A passage that may begin a card."""

    at: int
    head: Head
    style: tuple[str, str]
    evidence: str  # which facts speak for it; empty if none
    why: str = ""
    sure: float = 1.0


class Outline(NamedTuple):
    cards: dict[int, Start]
    sections: set[int]
    above: bool  # whether facts stand above the names


def find_outline(passages: Sequence[Passage], *, bare: bool = True) -> Outline:
    """`bare`: where no name has facts, lines that are printed alike may be names all the same."""
    heads = _find_heads(passages)
    above = _stand_above(passages, heads)
    starts = [_weigh(passages, heads, at, above) for at in heads]
    cards = _choose(passages, starts)
    units = bool(cards) and all(_has_stats(passages, start) for start in cards.values())
    if not cards and bare:
        cards = _choose_without_facts(passages, starts)
    sections = {
        start.at
        for start in starts
        if start.at not in cards
        and _breaks(passages, start, cards)
        # The rules of a unit have headings of their own.
        and not (units and _suspect(passages, starts, start, 0.0) < _SUSPECT)
    }
    styles = {start.style for start in cards.values()}
    sections |= {
        start.at
        for start in starts
        if start.at not in cards
        and not units
        and start.style in styles
        and (passages[start.at].gap or start.head.shape == "capitals")
        and not start.head.rest.text
        and _suspect(passages, starts, start, 0.0) >= _SUSPECT
    }
    sections |= {
        at for at, passage in enumerate(passages) if at not in cards and _is_section(passage)
    }
    return Outline(cards, sections, above)


def _is_section(passage: Passage) -> bool:
    marked = passage.text.isupper() or passage.mark.startswith(("heading", "size"))
    return marked and passage.gap > 0 and is_section_name(passage.text)


def is_fact_line(passage: Passage) -> Taken | None:
    """The facts of a passage that holds nothing else."""
    taken = passage.taken
    return taken if taken.facts and taken.end >= len(passage.text.rstrip()) else None


def _find_heads(passages: Sequence[Passage]) -> dict[int, Head]:
    heads: dict[int, Head] = {}
    numbered = find_numbered(passages)
    for at, passage in enumerate(passages):
        if passage.kind in ("rule", "row", "stat") or passage.glued:
            continue
        facts = take_facts(passage.text).facts
        head = split_head(passage.content, bool(passage.mark))
        if at in numbered and not (head and head.taken.facts):
            head = name_numbered(passage.content)
            facts = ()
        if facts and not (head and _hides_name(facts, head, passage, _is_bare(heads.get(at - 1)))):
            continue
        if head and (
            at in numbered
            or passage.mark
            or head.shape == "capitals"
            or head.labelled
            or _stands_alone(passages, at, head)
        ):
            heads[at] = head
    _drop_shouts(passages, heads)
    return heads


def _drop_shouts(passages: Sequence[Passage], heads: dict[int, Head]) -> None:
    """Words in capitals that an effect begins with, right below its name, are no name."""
    capitals = [head for head in heads.values() if head.shape == "capitals"]
    leads = sum(1 for head in capitals if head.rest.text)
    usual = leads * 2 > len(capitals)
    for at, head in list(heads.items()):
        lead = head.shape == "capitals" and head.rest.text and not head.taken.facts
        above = heads.get(at - 1)
        below_name = above is not None and above.shape == "capitals" and not above.rest.text
        if (
            lead
            and not usual
            and at
            and not passages[at].gap
            and (below_name or is_fact_line(passages[at - 1]))
        ):
            del heads[at]
        elif not head.rest.text and not head.taken.facts and _parts_sentence(passages, at):
            del heads[at]


def _parts_sentence(passages: Sequence[Passage], at: int) -> bool:
    """Whether a sentence begins above a line and goes on below it: that is a cry within it."""
    if not 0 < at < len(passages) - 1 or passages[at].mark.startswith("heading"):
        return False
    above, below = passages[at - 1], passages[at + 1]
    return (
        above.kind == below.kind == "line"
        and not _ENDS.search(above.text)
        and above.text[-1:] != ":"
        and (len(above.text.split()) > _FEW_WORDS or not above.gap)
        and below.text[:1].islower()
        and not passages[at].lead
        and not below.taken.facts
    )


def _is_bare(head: Head | None) -> bool:
    return (
        head is not None
        and head.shape != "sentence"
        and not head.taken.facts
        and not head.rest.text
    )


def _hides_name(facts: Sequence[Fact], head: Head, passage: Passage, below: bool) -> bool:
    """Whether a line that reads as facts holds a name, as "Crown of Kings General only"."""
    if (
        facts[0].rule.name == "only"
        and head.taken.facts
        and not ROLE_START.match(str(facts[0].value))
    ):
        return not below or passage.gap > 0 or bool(_OF.search(head.name))
    marked = passage.text.isupper() or passage.mark.startswith("heading")
    return marked and all(fact.rule.name in _WEAK for fact in facts)


def _stands_alone(passages: Sequence[Passage], at: int, head: Head) -> bool:
    """A plain line can begin a card only where no sentence runs through it."""
    passage = passages[at]
    if (
        head.shape == "sentence"
        and at
        and not passage.gap
        and passages[at - 1].kind != "rule"
        and passage.kind != "item"
    ):
        return False
    surely = len(head.taken.facts) > 1 and head.taken.has("cost") and not head.rest.text
    if at and not passage.gap and passage.kind != "item" and not surely:
        before = passages[at - 1]
        if not (
            _ENDS.search(before.text)
            or before.kind == "rule"
            or is_fact_line(before)
            or before.mark
        ):
            return False
    if head.rest.text or at + 1 >= len(passages):
        return True
    after = passages[at + 1]
    return not (after.gap == 0 and after.text[:1].islower())


def _style(passage: Passage, head: Head) -> tuple[str, str]:
    mark = passage.mark
    if mark.startswith(("heading", "bold", "size")):
        return mark, ""
    # A cry is a name though its words are small.
    shape = "title" if head.shape == "sentence" and head.name[-1] in "!?" else head.shape
    place = "item" if passage.kind == "item" else ("lead" if head.rest.text else "")
    return f"{mark}{place if shape != 'capitals' else ''}", shape


def _stand_above(passages: Sequence[Passage], heads: dict[int, Head]) -> bool:
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


def _weigh(passages: Sequence[Passage], heads: dict[int, Head], at: int, above: bool) -> Start:
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
        if at + step >= len(passages) or (
            at + step in heads and heads[at + step].taken.facts
        ):
            break
        if at + step in heads and _style(passages[at + step], heads[at + step]) == style:
            break
        taken = passages[at + step].taken
        if above and is_fact_line(passages[at + step]) and passages[at + step].gap:
            break
        strong = [
            fact for fact in taken.facts if fact.rule.name not in _WEAK or fact.gives == "cost"
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
    if end > at + 1 and _LABELLED_COST.search(passages[end - 1].text):
        return Start(at, head, style, "a cost at its end")
    return Start(at, head, style, "")


def _count_flavour(passages: Sequence[Passage], at: int) -> int:
    """How many passages below a name hold words that somebody says."""
    for count in range(1, _MOST_FLAVOUR + 1):
        if at + count >= len(passages) or not passages[at + 1].text[:1] in _OPENS:
            return 0
        text = passages[at + count].text
        after = passages[at + count + 1] if at + count + 1 < len(passages) else None
        closed = any(sign in text[1:] for sign in _CLOSES)
        if closed and (after is None or after.gap or after.taken.facts):
            return count
    return 0


def _choose(passages: Sequence[Passage], starts: Sequence[Start]) -> dict[int, Start]:
    cards: dict[int, Start] = {}
    styles: dict[tuple[str, str], list[Start]] = {}
    for start in starts:
        styles.setdefault(start.style, []).append(start)
    evident = [start for start in starts if start.evidence]
    total = len(evident)
    units = sum(_has_stats(passages, start) for start in evident)
    if total > 1 and units >= _MOST_UNITS * total:
        return {
            start.at: _mark(start, start.evidence, 1.0)
            for start in evident
            if _has_stats(passages, start)
        }
    inner = _find_inner(passages, starts)
    for style, group in styles.items():
        proved = [start for start in group if start.evidence]
        if not proved:
            continue
        known = style[0] not in ("", "lead", "item", "italic") or style[1] != "sentence"
        share = len(proved) / len(group)
        suspicions = {
            start.at: _suspect(passages, starts, start, share)
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
    _drop_bodiless(cards)
    return cards


def _find_inner(passages: Sequence[Passage], starts: Sequence[Start]) -> set[int]:
    """The headings without facts that stand within the rules of a unit."""
    inner: set[int] = set()
    within = False
    for start in starts:
        if start.evidence:
            within = _has_stats(passages, start)
        elif within and not is_section_name(start.head.name):
            inner.add(start.at)
    return inner


def _has_stats(passages: Sequence[Passage], start: Start) -> bool:
    return start.head.taken.has("stat") or any(
        passage.taken.has("stat") for passage in passages[start.at + 1 : start.at + 3]
    )


def _mark(start: Start, why: str, sure: float) -> Start:
    return Start(start.at, start.head, start.style, start.evidence, why, sure)


def _suspect(
    passages: Sequence[Passage], starts: Sequence[Start], start: Start, proved: float
) -> float:
    """How much a heading without facts is a chapter's and no card's."""
    body = f"{start.head.rest.text} {_gather_body(passages, starts, start.at)}".strip()
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


def _gather_body(passages: Sequence[Passage], starts: Sequence[Start], at: int) -> str:
    style = next(start.style for start in starts if start.at == at)
    others = {start.at for start in starts if start.style == style or start.evidence}
    end = at + 1
    while end < len(passages) and end not in others and passages[end].kind != "rule":
        if end > at + 1 and passages[end].gap and not passages[end - 1].stat:
            break  # what follows may be prose below a card
        end += 1
    return " ".join(passage.text for passage in passages[at + 1 : end])


def _drop_bodiless(cards: dict[int, Start]) -> None:
    """A name right above another one, with nothing of its own, is a heading."""
    for at, start in list(cards.items()):
        after = cards.get(at + 1)
        bare = not start.head.rest.text and not start.head.taken.facts
        if after and bare and start.evidence != "facts above it" and not start.head.labelled:
            del cards[at]


def _choose_without_facts(passages: Sequence[Passage], starts: Sequence[Start]) -> dict[int, Start]:
    """No fact anywhere: names are lines printed alike, each with a short text below it."""
    styles: dict[tuple[str, str], list[Start]] = {}
    for start in starts:
        body = _gather_body(passages, starts, start.at) or start.head.rest.text
        if not body and passages[start.at].lead:
            body = passages[start.at + 1].text
        if not body or len(body.split()) > _MOST_EFFECT or start.style[1] == "sentence":
            continue
        if _suspect(passages, starts, start, 0.0) < PROSE:
            styles.setdefault(start.style, []).append(start)
    groups = [g for g in styles.values() if len(g) >= _FEWEST_WITHOUT_FACTS]
    if not groups:
        return {}
    best = max(groups, key=lambda group: (len(group), group[0].style))
    return {
        start.at: _mark(start, "printed like a name, with a text below it", 0.85) for start in best
    }


def _breaks(passages: Sequence[Passage], start: Start, cards: dict[int, Start]) -> bool:
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
