"""Blocks become candidates for cards: names by the document's own habit, facts by rules, effects by
what lies between.

What is no part of a card is left out and listed. Knows nothing of how sources are read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.importing.finding.block_tables import flatten_rows, read_tables
from cardgen.importing.finding.bodies import list_ranks, read_body
from cardgen.importing.finding.clean import clean
from cardgen.importing.finding.evidence import Start, has_stats
from cardgen.importing.finding.facts import Fact
from cardgen.importing.finding.flat_tables import gather_tables
from cardgen.importing.finding.habits import Outline, find_outline
from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.names import set_name
from cardgen.importing.finding.passages import Passage, leave_out, make_passages
from cardgen.importing.finding.prose_cuts import Common, learn_common
from cardgen.importing.finding.stat_lines import gather_stats
from cardgen.importing.model import Block, Candidate, Doubt, LeftOut, Recognised, SourceLine

_LONG = 250


def recognise(blocks: Sequence[Block]) -> Recognised:
    kept, left = clean(gather_stats(gather_tables(blocks)))
    tables, rest = read_tables(kept, left)
    joiner = Joiner(rest)
    passages = make_passages(flatten_rows(rest), joiner)
    outline = find_outline(passages, bare=not tables)
    cards = [*tables, *_read_cards(passages, outline, joiner, left)]
    cards.sort(key=lambda card: card.place.order)
    return Recognised(
        tuple(_compare(_order_stats(cards))),
        tuple(sorted(left, key=lambda entry: entry.place.order)),
    )


class _Part(NamedTuple):
    """The passages of one card: those above its name, and those below it."""

    start: Start
    above: list[Passage]
    below: list[Passage]


def _read_cards(
    passages: Sequence[Passage], outline: Outline, joiner: Joiner, left: list[LeftOut]
) -> list[Candidate]:
    parts = _part_cards(passages, outline, left)
    common = learn_common([part.below for part in parts])
    return [_make(part, passages, common, joiner, left) for part in parts]


def _part_cards(passages: Sequence[Passage], outline: Outline, left: list[LeftOut]) -> list[_Part]:
    parts: list[_Part] = []
    current: _Part | None = None
    for at, passage in enumerate(passages):
        if at in outline.cards:
            above: list[Passage] = []
            if outline.above and outline.cards[at].evidence == "facts above it":
                above = [current.below.pop() if current and current.below else passages[at - 1]]
                lent = {line.place for line in above[0].lines}
                left[:] = [entry for entry in left if entry.place not in lent]
            current = _Part(outline.cards[at], above, [])
            parts.append(current)
        elif at in outline.sections:
            current = None
            left += leave_out([passage], "heading")
        elif at in outline.idle:
            left += leave_out([passage], "heading")
        elif passage.kind == "rule":
            current = None if current and current.below else current
        elif current is None:
            left += leave_out([passage], "prose")
        else:
            current.below.append(passage)
    return parts


def _make(
    part: _Part, passages: Sequence[Passage], common: Common, joiner: Joiner, left: list[LeftOut]
) -> Candidate:
    start = part.start
    passage, head = passages[start.at], start.head
    following = list(part.below)
    if head.rest.text:
        first = replace(passage, content=head.rest, gap=0, kind="line", glued=True, lines=())
        following.insert(0, first)
    ended = any(fact.gives == "text" for fact in head.taken.facts)
    body = read_body(
        [*part.above, *following],
        joiner,
        item=passage.kind == "item",
        text_begun=ended,
        common=common,
        unit=has_stats(passages, start),
    )
    left += body.left_out
    ranks, facts = list_ranks([list(head.taken.facts), *body.facts])
    doubts = list(body.doubts)
    if start.sure < 1:
        doubts.append(Doubt("card", f"taken for a card: {start.why}", start.sure))
    doubts += [fact.doubt for fact in facts if fact.doubt]
    lines: list[SourceLine] = sorted(
        {*passage.lines, *body.lines}, key=lambda line: (line.place.order, line.text)
    )
    values: dict[str, Fact] = {}
    stats: dict[str, Value] = {}
    for fact in facts:
        if fact.gives == "stat":
            label, _, value = str(fact.value).partition("\t")
            stats.setdefault(label, value)
        elif fact.gives not in values:
            values[fact.gives] = fact
        elif fact.value != values[fact.gives].value:
            said = f'"{fact.written}" beside "{values[fact.gives].written}"'
            doubts.append(Doubt("two-values", said, 0.75, fact.gives))
    for fact in values.values():
        if fact.rule.sure < 0.75:
            said = f'"{fact.written}" is taken for its {fact.gives}'
            doubts.append(Doubt("guessed", said, fact.rule.sure, fact.gives))
    if not body.paragraphs:
        doubts.append(Doubt("no-effect", "it has no effect", 0.6))
    words = sum(len(paragraph.text.split()) for paragraph in body.paragraphs)
    if words > _LONG:
        doubts.append(Doubt("long", f"its effect has {words} words", 0.7))
    count = values.get("count")

    def get(name: str) -> str | None:
        return str(values[name].value) if name in values else None

    cost = values.get("cost")
    return Candidate(
        name=set_name(head.name),
        lines=tuple(lines),
        count=int(count.value or 1) if count else head.copies,
        cost=int(cost.value) if cost and cost.value is not None else None,
        who=get("who"),
        uses=get("uses"),
        kind=get("kind"),
        rank=get("rank"),
        ranks=tuple(ranks),
        paragraphs=tuple(body.paragraphs),
        other=(("stats", stats),) if stats else (),
        doubts=tuple(doubts),
        reasons=(start.why,),
    )


def _compare(cards: Sequence[Candidate]) -> list[Candidate]:
    """A card that lacks what nearly all others have is one to look at."""
    costed = sum(1 for card in cards if card.cost is not None or card.ranks)
    compared = []
    for card in cards:
        lacks = (
            card.cost is None and not card.ranks and costed >= 0.8 * len(cards) and len(cards) > 3
        )
        doubt = Doubt("no-cost", "it has no cost, as the others have", 0.85)
        compared.append(replace(card, doubts=(*card.doubts, doubt)) if lacks else card)
    return compared


def _order_stats(cards: Sequence[Candidate]) -> list[Candidate]:
    """Stats in one order on all cards: the one in which most of the text has them."""
    places: dict[str, list[int]] = {}
    for card in cards:
        for field, stats in card.other:
            if field == "stats" and isinstance(stats, dict):
                for place, label in enumerate(stats):
                    places.setdefault(label, []).append(place)
    usual = {label: (median(found), found[0]) for label, found in places.items()}

    def order(value: Value) -> Value:
        if not isinstance(value, dict):
            return value
        return dict(sorted(value.items(), key=lambda entry: usual[entry[0]]))

    return [
        replace(
            card,
            other=tuple(
                (field, order(value) if field == "stats" else value) for field, value in card.other
            ),
        )
        for card in cards
    ]
