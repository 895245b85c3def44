"""Blocks become passages: a line that holds a name and more is parted, a name on two lines joined.

Each passage knows how it is marked: as a heading, bold, by its size. Knows nothing of facts beyond
whether a passage begins with one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cardgen.importing.finding.facts import Taken, make_stat, take_facts
from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.names import find_shape, looks_like_name, split_head, unglue
from cardgen.importing.finding.prose_rules import is_section_name
from cardgen.importing.finding.rule_parts import expand
from cardgen.importing.model import BOLD, Block, Kind, LeftOut, Place, SourceLine, Styled

_FACES = ("", "bold", "italic", "bold italic")
_LINKS = (
    "of",
    "the",
    "and",
    "&",
    "-",
    "–",
    "to",
    "for",
    "in",
    "with",
    "from",
    "a",
    "on",
    "’s",
    "by",
)
_GOES_ON = re.compile(r"(?:,|\b(?:or|and|of|the|an?|any|with))$", re.IGNORECASE)
_ENDS = re.compile(r"[.!?][\"'”’)\]*]*$")
_STOPS = tuple(":;,.!?")
# "… Wizard or Dwarf" and below it "Runesmith only 30 pts".
_ENDS_IN_ROLE = re.compile(expand(r"\b(?:or|and) {role}$"), re.IGNORECASE)
_ROLES_ONLY = re.compile(expand(r"{role}(?: {role})* only\b|{role noun} only\b"), re.IGNORECASE)
_LARGER = 1.12
_MOST_WORDS = 9
_FEW_WORDS = 8


@dataclass(frozen=True, slots=True)
class Passage:
    content: Styled
    lines: tuple[SourceLine, ...]
    kind: Kind
    mark: str  # how it is told from running text; empty where it is not
    gap: int
    indent: int
    lead: bool = False  # running text follows on its line
    glued: bool = False  # a name precedes it on its line
    stat: tuple[str, str] | None = None

    @property
    def taken(self) -> Taken:
        """The facts that it begins with."""
        if self.stat:
            return Taken((make_stat(*self.stat),), len(self.text))
        return take_facts(self.text)

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def place(self) -> Place:
        return self.lines[0].place


def make_passages(blocks: Sequence[Block], joiner: Joiner) -> list[Passage]:
    size = find_body_size(blocks)
    passages: list[Passage] = []
    for block in blocks:
        passages += _part(block, size)
    return _join_names(passages, joiner)


def leave_out(passages: Iterable[Passage], why: str) -> list[LeftOut]:
    """The lines of passages that are no part of a card."""
    return [LeftOut(line.text, line.place, why) for passage in passages for line in passage.lines]


def find_body_size(blocks: Sequence[Block]) -> float:
    """The size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for block in blocks:
        sizes[round(block.size, 1)] += len(block.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _part(block: Block, size: float) -> list[Passage]:
    content = unglue(block.content.strip())
    lines = block.lines
    mark = "" if block.stat else _find_mark(block, content, size)
    whole = Passage(content, lines, block.kind, mark, block.gap, block.indent, stat=block.stat)
    lead = content.find_lead()
    if lead and content.text[lead : lead + 1] in _STOPS:
        lead += 1  # "*Ride on*:" keeps its colon
    if mark or not 0 < lead < len(content.text) or block.kind in ("rule", "stat"):
        return [whole]
    first, rest = content.cut(0, lead).strip(), content.cut(lead).strip()
    starts = take_facts(content.text)
    sets_off = first.text[-1:] in ".:!?–—" or not rest.text[:1].islower()
    if (
        not rest.text
        or not sets_off
        or (
            starts.facts and starts.facts[0].rule.sure > 0.8 and starts.facts[0].rule.name != "only"
        )
    ):
        return [whole]
    if len(first.text.split()) > 16:
        return [whole]
    head = replace(whole, content=first, mark=_FACES[first.face] or "bold", lead=True)
    return [head, replace(whole, content=rest, gap=0, glued=True, kind="line")]


def _find_mark(block: Block, content: Styled, size: float) -> str:
    if block.kind == "heading":
        return f"heading {block.level}"
    face = content.face
    if size and block.size > size * _LARGER:
        return f"size {block.size:.0f}{' bold' if face & BOLD else ''}"
    if face & BOLD or (face and len(content.text.split()) <= _MOST_WORDS):
        return _FACES[face]
    return ""


def _join_names(passages: list[Passage], joiner: Joiner) -> list[Passage]:
    joined: list[Passage] = []
    for passage in passages:
        if joined and _completes(joined[-1], passage, joiner):
            first = joined.pop()
            content = joiner.join([first.content, passage.content])
            joined.append(replace(first, content=content, lines=first.lines + passage.lines))
        elif joined and _continues(joined[-1], passage, joined[-2] if len(joined) > 1 else None):
            first = joined.pop()
            joined.append(
                replace(
                    first,
                    content=joiner.join([first.content, passage.content]),
                    lines=first.lines + passage.lines,
                    lead=passage.lead,
                )
            )
        else:
            joined.append(passage)
    return joined


def _continues(first: Passage, second: Passage, before: Passage | None) -> bool:
    """Whether two lines are one name."""
    alike = (first.mark == second.mark and first.kind == second.kind) or (
        first.mark.startswith("heading") and first.mark == second.mark
    )
    if first.lead or second.glued or not alike or first.kind in ("rule", "row", "item", "stat"):
        return False
    if first.mark.startswith("heading") and first.lines[-1].place == second.lines[0].place:
        return True  # a line broken within one heading
    unfinished = first.mark == "bold" and _GOES_ON.search(first.text)
    apart = second.gap and not first.mark.startswith(("heading", "size")) and not unfinished
    if apart or second.gap > 1:
        return False
    if _states_fact(first.text) or _states_fact(second.text):
        return False
    links = first.text.split()[-1].lower() in _LINKS
    links = links or second.text.split()[0].lower() in _LINKS[:3]
    if not (first.mark or links or first.text.endswith("-") or looks_like_name(first.text)):
        return False
    head = split_head(second.content, bool(second.mark))
    ending = head.name if head and head.taken.facts else second.text
    shapes = find_shape(first.text), find_shape(ending)
    name = f"{first.text} {ending}"
    linked = links or (first.text.endswith("-") and shapes[0] == "capitals")
    whole = bool(first.mark) and looks_like_name(name)
    if not looks_like_name(first.text) and not linked and not whole:
        return False
    if first.mark in ("bold", "bold italic") or (first.mark[:4] == "size" and not second.gap):
        return (len(name.split()) <= _MOST_WORDS and shapes[0] == shapes[1] != "") or linked
    if linked:
        return len(name.split()) <= _MOST_WORDS + 8 and (
            shapes[0] == "capitals" or bool(first.mark) or (first.gap > 0 and looks_like_name(name))
        )
    apart = (
        first.gap > 0 or before is None or before.kind == "rule" or bool(_ENDS.search(before.text))
    )
    return (
        shapes == ("capitals", "capitals")
        and apart
        and not second.gap
        and len(name.split()) <= _MOST_WORDS
        and not is_section_name(first.text)
    )


def _completes(first: Passage, second: Passage, joiner: Joiner) -> bool:
    """Whether the facts beside a name go on below, as "… Dwarf Wizard" and "only 20 pts"."""
    if first.lead or second.gap or second.glued or first.kind != "line" or second.kind != "line":
        return False
    word = second.text.split()[0]
    whole = first.text.isupper() and word.isupper()
    torn = first.text.endswith("-") and (word[0].islower() or whole)
    torn = torn or bool(_ROLES_ONLY.match(second.text) and _ENDS_IN_ROLE.search(first.text))
    if second.text[:1].isupper() and not torn and not _GOES_ON.search(first.text):
        return False
    if len(second.text.split()) > _FEW_WORDS or first.text[-1:] in ".!?:":
        return False
    if second.taken.facts and not torn and not _GOES_ON.search(first.text):
        return False
    joined = split_head(joiner.join([first.content, second.content]), bool(first.mark))
    return joined is not None and joined.taken.has("cost", "who") and not joined.rest.text


def _states_fact(text: str) -> bool:
    taken = take_facts(text)
    return bool(taken.facts) and taken.sure > 0.8
