"""What a name is framed by: signs on both sides, quotes, and tails that are for programs.

A frame says that a line is a name, so it is bold then. Knows nothing of pages and of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from cardgen.importing.finding.vocabulary import get_pattern
from cardgen.importing.model import BOLD, ITALIC, Block, Styled

_CODED = re.compile(r"\s+`([^`]+)`$")
_TYPED = re.compile(  # "HOT POT.--A game", whose dash a typewriter gave
    r"((?:\S+ ){0,7}?\S*?\w[.!?]|[^a-zß-ÿ]{3,60}?)(?:--|—)(?=[\w\"'“])"
)
_QUOTED = re.compile(r"[«»„“”\"]\s*([^«»„“”\"]{2,60}?)\s*[«»“”\"]")
_DOTTED = re.compile(  # "Cost.....: 3"
    r"\s*([^\W\d_][\w ]{0,24}?)\s?[._]{2,}\s?[:=]\s+(?=\S)"
)
_SAID = re.compile(  # « Petite pluie » ouvre …, "The Borrowed Tongue", dread 2
    r"[«„“\"]\s*([^\W\d_][^«»„“”\".!?,;:]{1,40}?)\s*[»”“\"](?:\s+(?=\w)|(?=,\s))"
)
_ORNAMENT = re.compile(r"%{1,3}|(?:[oOxX][^\w\s]{0,3}){2,6}")  # "o-o-o"
_BRACKETED = re.compile(r"\[([^\W\d_][^\[\]:\d]{1,40})\]\s+(?=\S)")
_BOLD_NAME = re.compile(rf"0{{0,5}}{BOLD}+")
_SLANTING = re.compile(r"(?:\s?[\[(]\d{1,2}[\])])?(?P<dash>\s+)[–—-]+\s+")
_FRAMES = frozenset("~=#*+•·<>|–—-")  # signs on both sides of a title
_SIGNS = r"[=~*+#<>:|_.–—-]"
_DRAWN = re.compile(  # "=| the barrel |=", "~~ drinks ~~~~~~~", ".......... body", "MIDDLE -----"
    rf"{_SIGNS}{{2,}}\s+(?P<title>\S(?:.*\S)?)\s+{_SIGNS}{{2,}}|{_SIGNS}{{6,}}\s+(?P<last>\S.*)"
    rf"|{_SIGNS}{{4,}}(?P<paged>[^\W_].*?[^\W_])\s*{_SIGNS}{{4,}}\s?\d{{1,4}}"  # "===HEALING===7"
)
LINKED = 5  # the level of headings that have a link to edit them, where no contents tell it
_OFTEN = 3
_MOST_WORDS = 9  # of slanted words


def unframe(blocks: Sequence[Block]) -> list[Block]:
    """Return the lines of a text without what frames them."""
    framed = [*map(_cut_frame, _cut_brackets(_cut_quotes(_cut_tails(_draw_rules(blocks)))))]
    labelled = [_set_sign(block, _DOTTED, ": ") for block in _part_tails(framed)]
    return _bracket_slanted([_set_sign(block, _TYPED, " — ") for block in labelled])


def _bracket_slanted(blocks: Sequence[Block]) -> list[Block]:
    """Return the lines with brackets for the dash between a bold name and slanted words.

    As in "**Otter Lens** — *tool*. Cost: 3", where the slanted words are what sort of thing it is.
    """
    spans = {at: span for at, block in enumerate(blocks) if (span := _find_slanted(block))}
    if len(spans) < _OFTEN:
        return list(blocks)
    set_anew = list(blocks)
    for at, (dash, start, end) in spans.items():
        content = blocks[at].content
        whole = content.cut(0, dash).join(content.cut(start, end), " (").join(content.cut(end), ")")
        set_anew[at] = replace(blocks[at], content=whole, sources=blocks[at].lines)
    return set_anew


def _find_slanted(block: Block) -> tuple[int, int, int] | None:
    """Return where a bold name ends before a dash, and where slanted words behind it stand."""
    marks, begun = block.content.marks, _BOLD_NAME.match(block.content.marks)
    dash = _SLANTING.match(block.text, begun.end()) if begun and not block.cells else None
    if dash is None or marks[dash.end() : dash.end() + 1] != str(ITALIC):
        return None
    end = len(marks) - len(marks[dash.end() :].lstrip(str(ITALIC)))
    few = len(block.text[dash.end() : end].split()) <= _MOST_WORDS
    return (
        (dash.start("dash"), dash.end(), end) if few and block.text[end : end + 1] == "." else None
    )


def _draw_rules(blocks: Sequence[Block]) -> list[Block]:
    """Return signs that come again and again on lines of their own as lines drawn across."""
    again = Counter(block.text.strip() for block in blocks if block.kind == "line")
    drawn = {text for text, times in again.items() if times >= _OFTEN and _ORNAMENT.fullmatch(text)}
    return [
        replace(block, kind="rule", mark=block.text, content=Styled.of(""), sources=block.lines)
        if block.kind == "line" and block.text.strip() in drawn
        else block
        for block in blocks
    ]


@cache
def _get_tail() -> re.Pattern[str]:
    """Return what stands behind a line and is for programs: attributes, and links to edit it."""
    link = rf"\[\W*{get_pattern('page', 'furniture')}\W*\]"
    return re.compile(rf"(?:\s*(?:\{{[:#.][^{{}}]*\}}|{link}))+\s*$", re.IGNORECASE)


def _cut_frame(block: Block) -> Block:
    """Return a line set off by signs on both sides as a bold one: ~ Sword ~, +++ Old Meg +++."""
    content = block.content.strip()
    drawn = None if block.cells else _DRAWN.fullmatch(content.text)
    if drawn and content.text[0] == "_" and (drawn["title"] or "")[:1].islower():
        return block  # "____ is a slope that leads to ____"
    if drawn:
        titled = Styled.of(drawn["title"] or drawn["last"] or drawn["paged"], BOLD)
        return replace(block, content=titled, gap=max(1, block.gap), sources=block.lines)
    sign, _, rest = content.text.partition(" ")
    if block.cells or not sign or not _FRAMES.issuperset(sign):
        return block
    if rest.endswith(f" {sign}"):
        titled = Styled.of(content.text[len(sign) : -len(sign)].strip(), BOLD)
        return replace(block, content=titled, sources=block.lines)
    return block


def _cut_quotes(blocks: Sequence[Block]) -> list[Block]:
    """Return lines that are names in quotes as bold ones: « May Frost ». What is said is none."""
    begun = dict(_match_lines(blocks, _SAID))
    if len({match[1] for match in begun.values()}) == len(begun) >= _OFTEN:
        return _embolden(blocks, begun)
    quoted = {
        at: match for at, match in _match_lines(blocks, _QUOTED) if match.end() == len(match.string)
    }
    said = sum(match[1].rstrip()[-1:] in ".!?…" for match in quoted.values())
    if len(quoted) < _OFTEN or said:
        return list(blocks)
    cut = list(blocks)
    for at, match in quoted.items():
        named = Styled.of(match[1].strip(), BOLD)
        gap = max(1, blocks[at].gap)
        cut[at] = replace(blocks[at], content=named, gap=gap, sources=blocks[at].lines)
    return cut


def _match_lines(
    blocks: Sequence[Block], pattern: re.Pattern[str]
) -> Iterator[tuple[int, re.Match[str]]]:
    for at, block in enumerate(blocks):
        match = pattern.match(block.text.strip()) if block.kind == "line" else None
        if match:
            yield at, match


def _embolden(blocks: Sequence[Block], found: Mapping[int, re.Match[str]]) -> list[Block]:
    """Return lines with the names that they begin with in bold, and without what frames these."""
    cut = list(blocks)
    for at, match in found.items():
        block, named = blocks[at], Styled.of(match[1].strip(), BOLD)
        rest = block.content.strip().cut(match.end()).strip()
        said = rest.text[-1:] not in ".!?"
        whole = named.join(rest, " (").join(Styled.of(")")) if said else named.join(rest, " ")
        gap = max(1, block.gap)
        cut[at] = replace(block, content=whole, gap=gap, sources=block.lines)
    return cut


def _cut_brackets(blocks: Sequence[Block]) -> list[Block]:
    """Return names in brackets that begin lines as bold ones: [Snow Archer] 45 gold."""
    found = dict(_match_lines(blocks, _BRACKETED))
    names = {match[1].casefold() for match in found.values()}
    if len(names) < _OFTEN:
        return list(blocks)
    return _embolden(blocks, found)


def _part_tails(blocks: Sequence[Block]) -> list[Block]:
    """Return names with brackets around their last words, where several are in italics, or code."""
    tails = {at: tail for at, block in enumerate(blocks) if (tail := _find_tail(block))}
    if len(tails) < _OFTEN:
        return list(blocks)
    parted = list(blocks)
    for at, (end, said) in tails.items():
        content = blocks[at].content.strip().cut(0, end).strip().join(Styled.of(f"({said})"), " ")
        parted[at] = replace(blocks[at], content=content, sources=blocks[at].lines)
    return parted


def _find_tail(block: Block) -> tuple[int, str] | None:
    content = block.content.strip()
    code, lead = _CODED.search(content.text), content.find_lead()
    if code and (lead or block.kind == "heading"):
        return code.start(), code[1]  # "**Piano** `heat 20`"
    named = block.kind == "heading" or content.face & BOLD
    plain = len(content.marks.rstrip(f"{ITALIC}{BOLD | ITALIC}")) if named else 0
    said = content.text[plain:].strip()
    return (plain, said) if 0 < plain < len(content.text) and said[:1] != "(" else None


def _set_sign(block: Block, frame: re.Pattern[str], sign: str) -> Block:
    """Return a line with a sign for what stands between its first words and the rest of it."""
    match = None if block.cells else frame.match(block.text)
    if match is None:
        return block
    first, rest = block.content.cut(0, match.end(1)), block.content.cut(match.end())
    return replace(block, content=first.join(rest, sign), sources=block.lines)


def _cut_tails(blocks: Sequence[Block]) -> list[Block]:
    """Return lines without what is for programs; a link to edit it tells that one is a heading."""
    cut: list[Block] = []
    for block in blocks:
        able = not block.cells and block.text.rstrip().endswith(("}", "]"))
        tail = _get_tail().search(block.text) if able else None
        if tail and tail.start():
            block = replace(block, content=block.content.cut(0, tail.start()))
            if block.kind == "line":
                block = replace(block, kind="heading", level=LINKED, gap=max(block.gap, 1))
        cut.append(block)
    return cut
