"""Which lines may be names, judged by the lines around them.

Knows nothing of which of them are cards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.importing.finding.facts import Fact, Taken, take_facts
from cardgen.importing.finding.names import ROLE_START, Head, looks_like_name, split_head
from cardgen.importing.finding.numbered import find_numbered, name_numbered
from cardgen.importing.finding.passages import Passage

_ENDS = re.compile(r"(?:[.!?…]|\([^()]*\))[\"'”’)\]*]*$")
_OF = re.compile(r"\w (?:of|for|from|against)(?: the)? \w|\w['’]s? \w")
WEAK = ("any", "roles", "for", "bearer in brackets")
_FEW_WORDS = 3


def is_fact_line(passage: Passage) -> Taken | None:
    """The facts of a passage that holds nothing else."""
    taken = passage.taken
    return taken if taken.facts and taken.end >= len(passage.text.rstrip()) else None


def find_heads(passages: Sequence[Passage]) -> dict[int, Head]:
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
        above = passages[at - 1] if _is_bare(heads.get(at - 1)) else None
        if facts and not (head and _hides_name(facts, head, passage, above)):
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
        ) or (not head.rest.text and not head.taken.facts and _parts_sentence(passages, at)):
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


def _hides_name(facts: Sequence[Fact], head: Head, passage: Passage, above: Passage | None) -> bool:
    """Whether a line that reads as facts holds a name, as "Crown of Kings General only"; `above`: a
    name that stands by itself above it.
    """
    if (
        facts[0].rule.name == "only"
        and head.taken.facts
        and not ROLE_START.match(str(facts[0].value))
    ):
        if above and not passage.mark and (above.mark or above.text.isupper()):
            return bool(_OF.search(head.name))  # names are printed otherwise
        several = len(head.name.split()) > 1
        return above is None or (passage.gap > 0 and several) or bool(_OF.search(head.name))
    marked = passage.text.isupper() or passage.mark.startswith("heading")
    return marked and all(fact.rule.name in WEAK for fact in facts)


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
            or (before.gap > 0 and looks_like_name(before.text))
            or before.mark
        ):
            return False
    if head.rest.text or at + 1 >= len(passages):
        return True
    after = passages[at + 1]
    return not (after.gap == 0 and after.text[:1].islower())
