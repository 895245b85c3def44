"""Names that somebody saw in a text, and what else stands in it as they do.

What two names share tells where the others are: how their lines are printed, and what stands before
and behind them. Knows nothing of fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import zip_longest

from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.lines import Line
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.mine import find_best, prefer_whole
from cardgen.importing.finding.names import (
    BRACKETED,
    MOST_WORDS,
    Ending,
    Shape,
    find_shape,
    fold,
    looks_like_name,
)
from cardgen.importing.finding.segment import Cut, Document
from cardgen.importing.finding.signature import (
    INLINE,
    Begin,
    Candidate,
    find_print,
    find_style,
    list_candidates,
    list_groups,
)
from cardgen.importing.model import Block, Pointed

_FOREIGN = 0.6  # a way to print names that none of the two has
_PART = re.compile(r"\d+|[^\W\d_]+|\s+|.", re.DOTALL)
_LONGEST = 160
_MOST_LINES = 3
_OFTEN = 3
_LETTERS = r"[^\W\d_]+"


def join_pointed(blocks: Sequence[Block], pointed: Pointed, joiner: Joiner) -> list[Block]:
    """Return the blocks with names that were pointed at in one, where they stand on several."""
    wanted = {fold(name) for name in pointed.names}
    if wanted:
        wanted -= {fold(block.text) for block in blocks}
    if not wanted:
        return list(blocks)
    joined: list[Block] = []
    skip = 0
    for at, block in enumerate(blocks):
        if skip:
            skip -= 1
            continue
        for count in range(2, _MOST_LINES + 1):
            group = blocks[at : at + count]
            content = joiner.join(one.content for one in group)
            if len(group) < count or not all(one.text for one in group):
                break
            above = f"{fold(joiner.join(one.content for one in group[:-1]).text)} "
            whole = f"{fold(content.text)} "
            if any(whole.startswith(f"{n} ") and not above.startswith(f"{n} ") for n in wanted):
                lines = tuple(line for one in group for line in one.lines)
                block = replace(block, content=content, sources=lines)
                skip = count - 1
                break
        joined.append(block)
    return joined


def mine_pointed(lines: Sequence[Line], pointed: Pointed) -> tuple[Document, list[Cut]]:
    """Return a document and the ways to cut it; all begin records at the names pointed at."""
    places = _find_pointed(lines, pointed)
    if any(_find_comma(lines[found[0].at], found[0].head.name) for found in places):
        lines = [_cut_at_comma(line) for line in lines]
        places = _find_pointed(lines, pointed)
    own = all(begin.head in lines[begin.at].heads for found in places for begin in found)
    document = Document(lines)
    unwanted = {fold(name) for name in pointed.nots}
    fixed = (_fix(lines, candidate, places) for candidate in _list_joined(lines, places))
    fitting = [candidate for candidate in fixed if candidate] if own else []
    guessed = [
        _fix(lines, cut.candidate, places)
        for cut in find_best(document, list_candidates(lines))[:1]
    ]
    fitting += [one for one in guessed if one and own]
    fitting = fitting or list(_wrap(lines, places)) or _join_styles(lines, places)
    fitting += _list_headings(lines, places) if own else ()

    shown = {_find_print(lines, begin) for found in places for begin in found}
    fitting = list(_drop_chance(fitting, lines, shown))

    def count_unwanted(candidate: Candidate) -> int:
        return sum(fold(begin.head.name) in unwanted for begin in candidate.begins)

    fewest = min(map(count_unwanted, fitting), default=0)
    cuts = find_best(document, (one for one in fitting if count_unwanted(one) == fewest))
    alike = _list_set_off(lines, shown)
    weighed = [_weigh_print(cut, lines, shown, alike) for cut in cuts] if shown else cuts
    return document, prefer_whole(document, sorted(weighed, key=lambda cut: -cut.score))


def _find_comma(line: Line, name: str) -> int:
    """Return where a name ends behind which a comma stands, and nothing that tells more.

    As in "Marta, the cook"; 0 where there is none.
    """
    start = line.text.find(name)
    end = start + len(name)
    plain = all(head.ending in ("whole", "comma") for head in line.heads) and not line.is_marked
    short = line.words <= MOST_WORDS and not line.ends_sentence
    first = start == 0 or any(map(str.isdigit, line.text[:start]))  # "— Marta, the cook" has a sign
    return end if plain and short and first and line.text.startswith(", ", end) else 0


def _cut_at_comma(line: Line) -> Line:
    """Return a line whose name ends before a comma in it, as those that are shown do."""
    name = line.heads[0].name.partition(", ")[0] if line.heads else ""
    end = _find_comma(line, name) if name else 0
    return replace(line, heads=(_make_head(line, end - len(name), end, "comma"),)) if end else line


def _list_joined(lines: Sequence[Line], places: Sequence[Sequence[Begin]]) -> Iterator[Candidate]:
    """Yield the lines printed alike; to those that hold one name, what is printed as the other."""
    styles = list_groups(lines)
    groups = [
        styles.get(find_style(lines[begin.at], begin.head), (begin,))
        for begin in (found[0] for found in places)
    ]
    shown = {begin.at for found in places for begin in found}
    said = Counter(line.label.key for line in lines if line.label)
    stated = {line.at for line in lines if line.label and said[line.label.key] >= _OFTEN} - shown
    for candidate in list_candidates(lines, 2):
        yield candidate
        fewer = tuple(begin for begin in candidate.begins if begin.at not in stated)
        if 1 < len(fewer) < len(candidate.begins):  # without the labels that others have, too
            yield candidate._replace(begins=fewer)
        begins = {begin.at: begin for begin in candidate.begins}
        lacking = [
            group
            for found, group in zip(places, groups, strict=True)
            if not any(begin.at in begins for begin in found)
        ]
        if lacking and len(lacking) < len(places):
            for group in lacking:
                begins = {begin.at: begin for begin in group} | begins
            yield candidate._replace(begins=_sort(begins))


def _list_headings(lines: Sequence[Line], places: Sequence[Sequence[Begin]]) -> Iterator[Candidate]:
    """Yield all headings of the level that those have which were pointed at, if it is one."""
    shown = {begin.at: begin for found in places for begin in found}
    levels = {lines[at].block.level for at in shown if lines[at].block.kind == "heading"}
    if len(levels) != 1 or any(lines[at].block.kind != "heading" for at in shown):
        return
    endings = {begin.head.ending for begin in shown.values()}
    if not endings <= {"whole", "comma"}:
        return
    begins: dict[int, Begin] = {}
    for line in lines:
        if line.block.kind == "heading" and line.block.level in levels and line.heads:
            alike = [head for head in line.heads if head.ending in endings]
            whole = [head for head in line.heads if head.ending == "whole"]
            begins[line.at] = Begin(line.at, [*alike, *whole, *line.heads][0])
    yield Candidate(_sort(begins | shown), ("pointed",), frozenset(shown))


def _drop_chance(
    candidates: Sequence[Candidate], lines: Sequence[Line], shown: Set[tuple[object, ...]]
) -> Iterator[Candidate]:
    """Yield the candidates but those that lack names for the small words in them."""
    alike = [
        (str(one.signature[0]), {begin.head.ending for begin in one.begins}, _list_places(one))
        for one in candidates
        if all(_is_shown(lines, begin, shown) for begin in one.begins)
    ]
    for one in candidates:
        by_chance = {"title", "sentence"} & set(map(str, one.signature))
        mask, held = str(one.signature[0]).removesuffix("+shape"), _list_places(one)
        whole = (
            places > held
            for other, endings, places in alike
            if other == mask or endings <= {*INLINE, "fact"}
        )
        if not (by_chance and any(whole)):
            yield one


def _list_places(candidate: Candidate) -> set[int]:
    return {begin.at for begin in candidate.begins}


def _weigh_print(
    cut: Cut, lines: Sequence[Line], shown: Set[tuple[object, ...]], alike: Set[int]
) -> Cut:
    """Return a cut that counts for less where it has names printed unlike all shown, or lacks some.

    alike: the lines that are set off as those shown are
    """
    foreign = any(not _is_shown(lines, begin, shown) for begin in cut.candidate.begins)
    held = alike & _list_places(cut.candidate)
    share = len(held) / len(alike) if alike else 1.0
    return replace(cut, score=cut.score * (_FOREIGN if foreign else 1.0) * (1 + share) / 2)


def _list_set_off(lines: Sequence[Line], shown: Set[tuple[object, ...]]) -> set[int]:
    """Return the lines that are headings, larger or bold, and printed as what is shown; where
    there are none, those of lists.
    """
    alike = [line for line in lines if any(find_print(line, h) in shown for h in line.heads)]
    marked = {line.at for line in alike if line.is_marked or line.content.find_lead()}
    return marked or {
        line.at
        for line in alike
        if line.block.kind == "item" or any(head.number for head in line.heads)
    }


def _find_print(lines: Sequence[Line], begin: Begin) -> tuple[object, ...]:
    return find_print(lines[begin.at], begin.head)


def _is_shown(lines: Sequence[Line], begin: Begin, shown: Set[tuple[object, ...]]) -> bool:
    """Whether a name is set as one of those shown; "**GOD**: …" is as "**Good Soup**: …" is."""
    line, head = lines[begin.at], begin.head
    run_in = 0 < line.content.find_lead() < len(line.text) and head.shape == "capitals"
    small = find_print(line, head._replace(name=head.name.title())) if run_in else None
    return find_print(line, head) in shown or small in shown


def _sort(begins: Mapping[int, Begin]) -> tuple[Begin, ...]:
    return tuple(begin for _, begin in sorted(begins.items()))


def _find_pointed(lines: Sequence[Line], pointed: Pointed) -> list[list[Begin]]:
    return [found for name in pointed.names if (found := _find_loudest(lines, name))]


def _find_loudest(lines: Sequence[Line], name: str) -> list[Begin]:
    """Return the lines on which a name stands; where it heads some, contents have the others."""
    found = _find_places(lines, name)
    headings = [begin for begin in found if lines[begin.at].block.kind == "heading"]
    return headings or list(_list_headings_with(lines, fold(name))) or found


def _list_headings_with(lines: Sequence[Line], wanted: str) -> Iterator[Begin]:
    """Yield the headings that a name begins, and what stands in brackets behind it ends."""
    for line in lines:
        heads = [head for head in line.heads if head.ending == "whole"]
        if line.block.kind == "heading" and heads and fold(heads[0].name).startswith(wanted):
            opened = line.text.rstrip().endswith((")", "]"))
            bare = fold(BRACKETED.sub("", heads[0].name)) if opened else ""
            if bare == wanted:
                yield Begin(line.at, heads[0])


def _find_places(lines: Sequence[Line], name: str) -> list[Begin]:
    """Return the lines on which a name stands: those that it begins, else the first that has it."""
    wanted = fold(name)
    found = [
        Begin(line.at, head) for line in lines for head in line.heads if fold(head.name) == wanted
    ]
    return found or _find_within(lines, wanted)[:1]


def _find_within(lines: Sequence[Line], wanted: str) -> list[Begin]:
    """Return the lines that have a name somewhere, the shortest text before it first."""
    found = []
    for line in lines:
        for start, end in _find_spans(line.text, wanted):
            found.append((start, line.at, _make_head(line, start, end)))
    return [Begin(at, head) for _, at, head in sorted(found, key=lambda one: one[:2])]


def _make_head(line: Line, start: int, end: int, ending: Ending = "dots") -> Head:
    rest = line.content.cut(end).strip(" ,:.–—-|*_")
    return Head(line.text[start:end], ending if rest.text else "whole", rest)


def _find_spans(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Yield where a name stands in a text, whatever signs stand between its words."""
    if wanted.replace(" ", "") not in fold(text).replace(" ", ""):
        return
    words = r"[\W_]+".join(re.escape(word) for word in wanted.split())
    pattern = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
    for match in pattern.finditer(text):
        yield match.span()


def _fix(
    lines: Sequence[Line], candidate: Candidate, places: Sequence[Sequence[Begin]]
) -> Candidate | None:
    """Return a candidate that keeps to the lines pointed at; None where it lacks one."""
    begins = {begin.at: begin for begin in candidate.begins}
    fixed: dict[int, Begin] = {}
    other: set[Ending] = set()
    for found in places:
        held = {begin.at: begin for begin in reversed(found) if begin.at in begins}
        if not held:
            return None
        for at, begin in held.items():
            same = fold(begins[at].head.name) == fold(begin.head.name)
            fixed[at] = begins[at] if same else begin
            other |= set() if same else {begin.head.ending}
    for begin in candidate.begins if other else ():
        heads = [head for head in lines[begin.at].heads if head.ending in other]
        if heads:
            begins[begin.at] = Begin(begin.at, heads[0])
    return candidate._replace(begins=_sort(begins | fixed), fixed=frozenset(fixed))


def _join_styles(lines: Sequence[Line], places: Sequence[Sequence[Begin]]) -> list[Candidate]:
    """Return names that nothing holds together, with all that are printed like one of them."""
    groups = list_groups(lines)
    shown = {found[0].at: found[0] for found in places}
    prints = {_find_print(lines, begin) for begin in shown.values()}
    alike = [
        begin for group in groups.values() for begin in group if _find_print(lines, begin) in prints
    ]
    begins = {begin.at: begin for begin in alike} | shown
    return [Candidate(_sort(begins), ("pointed",), frozenset(shown))] if begins else []


# What stands before and behind names


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stands around names on their lines: patterns, and how the names are capitalised."""

    before: re.Pattern[str]
    behind: re.Pattern[str]
    kinds: Set[tuple[str, int]]
    shapes: Set[Shape]
    faces: Set[str]
    apart: bool  # whether names are known by their face alone


def _wrap(lines: Sequence[Line], places: Sequence[Sequence[Begin]]) -> Iterator[Candidate]:
    """Yield all names that stand between the same signs as those that were pointed at."""
    spans: list[tuple[Line, int, int]] = []
    for found in places:
        line = lines[found[0].at]
        span = next(_find_spans(line.text, fold(found[0].head.name)), None)
        if span is None:
            return
        spans.append((line, *span))
    if len(spans) < 2:
        return
    frame = _learn_frame(spans)
    if frame is None:
        return
    begins: dict[int, Begin] = {}
    for line in lines:
        if head := _read_frame(line, frame):
            begins[line.at] = Begin(line.at, head)
    for (line, start, end), found in zip(spans, places, strict=True):
        head = found[0].head if found[0].head in line.heads else _make_head(line, start, end)
        begins[line.at] = Begin(line.at, head)
    if len(begins) > len(spans):
        yield Candidate(_sort(begins), ("pointed",), frozenset(line.at for line, _, _ in spans))


def _learn_frame(spans: Sequence[tuple[Line, int, int]]) -> _Frame | None:
    """Return what names have around them: a face of their own, or the same signs."""
    before = [_generalise(line.text[:start]) for line, start, _ in spans]
    behind = [_generalise(line.text[end : end + _LONGEST]) for line, _, end in spans]
    names = [line.text[start:end] for line, start, end in spans]
    faces = {line.content.marks[start] for line, start, _ in spans}
    apart = "0" not in faces and all(
        line.content.marks[end : end + 2][-1:] != line.content.marks[start]
        for line, start, end in spans
    )
    lead = "^" + "".join(before[0])
    if len({tuple(parts) for parts in before}) > 1:
        shared = _share([parts[::-1] for parts in before])[::-1]
        if not "".join(shared).strip():
            return None
        lead = "^.{0,80}?" + "".join(shared)
    shared = _share(behind)[:2]
    firsts = {parts[0] if parts else "$" for parts in behind}
    if apart:
        lead, tail = "", ""
    elif _parts_names(shared):
        tail = "".join(shared)
    elif not firsts & {_LETTERS, r"\s+", r"\d+"}:
        tail = f"(?:{'|'.join(sorted(firsts))})"
    else:
        return None
    kinds = {(line.block.kind, line.block.level) for line, _, _ in spans}
    shapes = {find_shape(name) for name in names}
    return _Frame(re.compile(lead), re.compile(tail), kinds, shapes, faces, apart)


def _parts_names(signs: Sequence[str]) -> bool:
    """Whether signs behind names are more than the next word."""
    bare = [sign for sign in signs if sign != r"\s+"]
    return bool(bare) and bare[0] != _LETTERS


def _generalise(text: str) -> list[str]:
    """Return a text as patterns: figures and words for any, signs as they are."""
    parts = []
    for part in _PART.findall(text):
        if part.isspace():
            parts.append(r"\s{2,}" if len(part) > 1 else r"\s+")
        elif part.isdigit():
            parts.append(r"\d+")
        elif part.isalpha():
            parts.append(_LETTERS)
        else:
            parts.append(re.escape(part))
    return parts


def _share(texts: Sequence[Sequence[str]]) -> list[str]:
    """Return what texts have in common from their beginning."""
    shared = []
    for parts in zip_longest(*texts):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return shared


def _read_frame(line: Line, frame: _Frame) -> Head | None:
    """Return the name of a line that stands between the signs of a frame."""
    if (line.block.kind, line.block.level) not in frame.kinds:
        return None
    span = _find_face(line, frame) if frame.apart else _find_between(line, frame)
    if span is None:
        return None
    name = line.text[slice(*span)]
    like = not name[:1].islower() and len(name.split()) <= MOST_WORDS + 3
    if not like or (frame.shapes == {"capitals"} and find_shape(name) != "capitals"):
        return None
    if "sentence" not in frame.shapes and (":" in name or not looks_like_name(name)):
        return None  # as "Hears everything through the pipes"
    return _make_head(line, *span)


def _find_between(line: Line, frame: _Frame) -> tuple[int, int] | None:
    before = frame.before.match(line.text)
    if not before or before.end() >= len(line.text):
        return None
    behind = frame.behind.search(line.text, before.end() + 1)
    return (before.end(), behind.start()) if behind else None


def _find_face(line: Line, frame: _Frame) -> tuple[int, int] | None:
    """Return the first words of a line that have the face of names."""
    marks = line.content.marks
    start = next((at for at, mark in enumerate(marks) if mark in frame.faces), None)
    if start is None:
        return None
    end = next((at for at in range(start, len(marks)) if marks[at] != marks[start]), len(marks))
    bare = line.text[start:end].rstrip(" .:,;–—-")
    return (start, start + len(bare)) if bare else None
