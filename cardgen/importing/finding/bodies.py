"""Turns the passages below a name into facts and paragraphs, and cuts off prose at their end.

Knows nothing of where a card begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from cardgen.importing.finding.facts import Fact, Taken, take_facts
from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.passages import Passage, leave_out
from cardgen.importing.finding.prose_cuts import ENDS, Common, cut_prose
from cardgen.importing.model import Doubt, LeftOut, Rank, SourceLine, Styled

_LAST = re.compile(r"(?:^|(?<=[.!?])\s+|(?<=[.!?][”\"’)])\s+|\s*(?=[(\[][^()\[\]]*[)\]]\.?$))")
_GOES_ON = re.compile(r"(?:,|[-‐]|\b(?:or|and|of|the|an?|any|with))$", re.IGNORECASE)
_MID = re.compile(r"[a-z\d]")
_ENTRY = re.compile(r"(\d{1,2})(?:\s?[-–—]\s?(\d{1,2})|\+)?\s?[.:)]?\s+[^\W\d]")
_OPEN_ENDS = tuple(":[(–—")
_BULLET = "• "


@dataclass(slots=True)
class Body:
    facts: list[list[Fact]] = field(default_factory=list)  # a list for each line
    paragraphs: list[Styled] = field(default_factory=list)
    lines: list[SourceLine] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)


def read_body(
    passages: Sequence[Passage],
    joiner: Joiner,
    *,
    item: bool,
    text_begun: bool,
    common: Common,
    unit: bool,
) -> Body:
    """`item`: the name stands in a list, so that what stands outside of it is no part of it;
    `text_begun`: the line of the name holds the begin of the effect; `unit`: it has
    stats, and rules that read like a book's.
    """
    body = Body()
    texts: list[Passage] = []
    at = 0
    begun = text_begun
    while at < len(passages):
        passage = passages[at]
        if item and at and passage.gap and not passage.indent and passage.kind != "item" and begun:
            body.left_out += leave_out(passages[at:], "text after a list")
            break
        taken = _take(passages, at, begun, body, joiner)
        if taken is None:
            texts.append(passage)
            begun = True
            at += 1
            continue
        facts, rest, used = taken
        body.facts.append([fact for fact in facts if fact.gives not in ("text", "nothing")])
        body.lines += [line for p in passages[at : at + used] for line in p.lines]
        if rest.text:
            texts.append(replace(passages[at + used - 1], content=rest, lines=()))
            begun = True
        elif any(fact.gives == "text" for fact in facts):
            begun = True
        at += used
    groups = _part_paragraphs(texts)
    cuts = cut_prose(groups, common, unit=unit)
    body.left_out += cuts.left_out
    body.doubts += cuts.doubts
    for group in groups:
        paragraph = joiner.join(passage.content for passage in group)
        if group[0].kind == "item" and len(groups) > 1:
            paragraph = Styled.of(_BULLET).join(paragraph)
        if paragraph.text:
            body.paragraphs.append(paragraph)
        body.lines += [line for passage in group for line in passage.lines]
    _take_last(body)
    return body


def _take(
    passages: Sequence[Passage], at: int, begun: bool, body: Body, joiner: Joiner
) -> tuple[Sequence[Fact], Styled, int] | None:
    """The facts that a passage begins with, what is left of it, and how many passages they fill."""
    passage = passages[at]
    content = passage.content
    taken = passage.taken
    following = passages[at + 1] if at + 1 < len(passages) else None
    whole = (
        bool(taken.facts) and taken.end >= len(content.text) and not _GOES_ON.search(content.text)
    )
    runs_on = following is not None and following.gap == 0 and following.text[:1].islower()
    if following is not None and following.gap == 0 and not ENDS.search(content.text):
        joined = joiner.join([content, following.content])
        both = take_facts(joined.text)
        if (
            both.facts
            and both.end > len(content.text)
            and (runs_on or not whole)
            and both.end >= len(joined.text)
        ):
            if not begun:
                return _take_more(passages, at + 2, joined, both, joiner)
        elif (whole and runs_on and not taken.has("cost") and not both.end > len(content.text)) or (
            whole and runs_on and taken.facts[-1].gives == "who" and both.end < len(content.text)
        ):
            return None
    if not taken.facts:
        return None
    if begun:
        above = passages[at - 1] if at else None
        if above and _MID.match(content.text) and not passage.gap and not ENDS.search(above.text):
            return None
        if above and not passage.gap and above.text[-1:] in _OPEN_ENDS:
            return None
        strong = taken.has("cost", "rank", "stat") or all(
            fact.rule.sure >= 0.9 for fact in taken.facts
        )
        known = {fact.gives for line in body.facts for fact in line}
        new = any(fact.gives not in known for fact in taken.facts) or taken.has("rank", "stat")
        text = taken.facts[-1].gives == "text"
        if text or not (whole and strong and new and not runs_on):
            return None
    return taken.facts, content.cut(taken.end).strip(), 1


def _take_more(
    passages: Sequence[Passage], after: int, joined: Styled, both: Taken, joiner: Joiner
) -> tuple[Sequence[Fact], Styled, int]:
    """Facts that go on for a third line, as "Cost: –5" and "points"."""
    if after < len(passages) and not passages[after].gap:
        longer = joiner.join([joined, passages[after].content])
        all_three = take_facts(longer.text)
        if passages[after].text[:1].islower() and all_three.end >= len(longer.text):
            return all_three.facts, Styled.of(""), 3
    return both.facts, Styled.of(""), 2


def _part_paragraphs(texts: Sequence[Passage]) -> list[list[Passage]]:
    groups: list[list[Passage]] = []
    for passage in texts:
        previous = groups[-1][-1] if groups else None
        if previous is None or _begins_paragraph(previous, passage, texts):
            groups.append([passage])
        else:
            groups[-1].append(passage)
    return groups


def _begins_paragraph(previous: Passage, passage: Passage, texts: Sequence[Passage]) -> bool:
    if passage.glued:
        return False
    if passage.kind == "item":
        return True
    ended = bool(ENDS.search(previous.text))
    if _is_next_entry(previous.text, passage.text):
        return True
    if passage.gap:
        return ended or not (_MID.match(passage.text) or previous.text.endswith((",", "-")))
    indents = {p.indent for p in texts[1:]}
    return (
        ended and passage.indent >= previous.indent + 2 and len(indents) > 1 and passage.indent < 12
    )


def _is_next_entry(above: str, text: str) -> bool:
    """Whether a line goes on with a list: "1-2 …", and "3 …" below it."""
    entry, before = _ENTRY.match(text), _ENTRY.match(above)
    if not entry:
        return False
    return above.endswith(":") or (
        before is not None and int(entry[1]) == int(before[2] or before[1]) + 1
    )


def _take_last(body: Body) -> None:
    """A cost or a count printed at the end of the effect: "… is lost. Cost: 10 points." """
    if not body.paragraphs:
        return
    known = {fact.gives for line in body.facts for fact in line}
    last = body.paragraphs[-1]
    for match in _LAST.finditer(last.text):
        taken = take_facts(last.text, match.end())
        new = {"cost", "count"} & {fact.gives for fact in taken.facts} - known
        if new and taken.end >= len(last.text.rstrip(" .)]")) and taken.sure > 0.8:
            body.facts.append(list(taken.facts))
            rest = last.cut(0, match.start()).strip()
            body.paragraphs[-1:] = [rest] if rest.text else []
            return


def list_ranks(lines: Iterable[Sequence[Fact]]) -> tuple[list[Rank], list[Fact]]:
    """The prices of an item where it has several, and the facts that all of them share."""
    flat = [fact for line in lines for fact in (*line, None)]
    costs = sum(1 for fact in flat if fact and fact.gives == "cost")
    if costs < 2:
        return [], [fact for fact in flat if fact]
    ranks: list[Rank] = []
    shared: list[Fact] = []
    name, who, cost, priced = "", None, None, False

    def close() -> None:
        nonlocal name, who, cost, priced
        if priced:
            ranks.append(Rank(name, cost, who))
        elif who:
            shared.append(waiting[0])
        name, who, cost, priced = "", None, None, False

    waiting: list[Fact] = []
    for fact in flat:
        if fact is None:
            if priced:
                close()
        elif fact.gives == "rank":
            if priced or name:
                close()
            name = str(fact.value)
        elif fact.gives == "who":
            if who is not None or (priced and not name):
                close()
            who, waiting = str(fact.value), [fact]
        elif fact.gives == "cost":
            if priced:
                close()
            cost, priced = int(fact.value or 0), True
        else:
            shared.append(fact)
    close()
    return ranks, shared
