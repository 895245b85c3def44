"""Kinds of lines that may begin records: every set of lines that are printed alike.

A signature is taken at several finenesses, from "any heading of this level" to "a bold line in
capitals with a number and a cost". Knows nothing of which set is the right one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.lines import Line
from cardgen.importing.finding.names import SORT, Ending, find_shape
from cardgen.importing.model import BOLD

FEWEST = 3
_USUAL = 0.6
_FEW_WORDS = 6
_PLAIN: Sequence[Ending] = ("whole",)
_WHOLE = ("whole", "fact", "bracket")
INLINE: tuple[Ending, ...] = (
    "lead",
    "colon",
    "dots",
    "dash",
    "bracket",
    "stop",
    "comma",
    "capitals",
)


class Begin(NamedTuple):
    """A line that begins a record, with its name."""

    at: int
    head: Head


class Candidate(NamedTuple):
    """Lines of one signature, in order.

    fixed: those that begin records whatever it makes; titles: those that begin chapters
    """

    begins: tuple[Begin, ...]
    signature: tuple[object, ...]
    fixed: frozenset[int] = frozenset()
    titles: frozenset[int] = frozenset()


Key = tuple[object, ...] | None


class _Mask(NamedTuple):
    """What of a line and its head is looked at; None where that is no evidence."""

    name: str
    project: Callable[[Line, Head], Key]


def is_led(line: Line, head: Head) -> bool:
    """Whether dots lead from a name to a price, or to words: "Galley, Full ... on request"."""
    return line.led and head.ending in ("fact", "dots", "comma")


def _get_kind(line: Line) -> str:
    return f"heading {line.block.level}" if line.block.kind == "heading" else line.block.kind


def _get_face(line: Line, head: Head) -> int:
    return line.face or (int(line.content.marks[0]) if head.ending == "lead" else 0)


def _is_set_off(line: Line, head: Head) -> bool:
    return (
        line.is_marked
        or bool(head.number)
        or head.ending == "lead"
        or line.block.kind in ("heading", "item")
    )


def _mark(line: Line, head: Head) -> Key:
    if not (line.is_marked or head.ending == "lead"):
        return None
    return _get_kind(line), line.size, _get_face(line, head)


def _mark_shape(line: Line, head: Head) -> Key:
    marked = _mark(line, head)
    return (*marked, head.shape) if marked else None


def _heading(line: Line, head: Head) -> Key:
    return (_get_kind(line),) if line.block.kind == "heading" and head.ending in _WHOLE else None


def _number(line: Line, head: Head) -> Key:
    return (_get_kind(line), head.number) if head.number else None


def _number_ending(line: Line, head: Head) -> Key:
    if not head.number:
        return None
    return _get_kind(line), head.number, head.ending, _get_face(line, head)


def _ending(line: Line, head: Head) -> Key:
    if head.ending == "whole" and not _is_set_off(line, head) and head.shape == "sentence":
        return None
    return _get_kind(line), head.ending, _get_face(line, head), line.size


def _ending_shape(line: Line, head: Head) -> Key:
    found = _ending(line, head)
    return (*found, head.shape, bool(head.number)) if found else None


def _ending_apart(line: Line, head: Head) -> Key:
    if head.ending == "whole" and not _is_set_off(line, head) and not line.apart:
        return None
    return _get_kind(line), head.ending, _get_face(line, head), line.size, line.apart


def _exact(line: Line, head: Head) -> Key:
    found = _ending_apart(line, head)
    indent = min(line.block.indent, 12) // 2 if line.block.kind != "heading" else 0
    return (*found, head.shape, head.number, indent) if found else None


def _whole_shape(_: Line, head: Head) -> Key:
    """A line of a name with or without a fact, by its capitals alone: scans lose all else."""
    if head.ending not in ("whole", "fact") or head.shape not in ("capitals", "title"):
        return None
    return "whole", head.shape


def _whole_apart(line: Line, head: Head) -> Key:
    if head.ending not in _WHOLE or head.shape == "small" or not line.apart:
        return None
    return "apart", head.shape if head.shape == "capitals" else ""


def _over(line: Line, head: Head) -> Key:
    """A plain name with a few words alone below it, which may be its subtitle."""
    plain = head.ending in ("whole", "fact") and head.shape != "capitals" and not line.is_marked
    return ("over",) if plain and line.apart and line.over else None


def _sort(line: Line, head: Head) -> Key:
    """A name with what it is behind a comma: "Old Marta, sovereign of the kitchen"."""
    sorted_out = SORT.search(head.name) if head.ending == "whole" else None
    named = sorted_out and find_shape(head.name[: sorted_out.start()]) == "title"
    return ("sort", line.block.kind) if named else None


def _hang(line: Line, head: Head) -> Key:
    """A name with its text set further in below it."""
    if not line.hangs or head.ending not in ("whole", "fact"):
        return None
    return "hang", min(line.block.indent, 20)


def _first(line: Line, head: Head) -> Key:
    """A name below a line drawn across, as cards are parted from one another."""
    return ("first", head.ending) if line.first and head.ending in _WHOLE else None


def _item(line: Line, head: Head) -> Key:
    if line.block.kind != "item":
        return None
    return "item", min(line.block.indent, 12) // 2, head.ending == "lead"


def _any_mark(line: Line, head: Head) -> Key:
    """Headings of any level and bold lines: converters take one for the other."""
    if line.block.kind == "heading" and line.block.level == 1:
        return None
    strong = line.block.kind == "heading" or bool(line.face & 1)
    return ("marked",) if strong and head.ending in _WHOLE else None


def _led(line: Line, head: Head) -> Key:
    led = head.ending != "comma" and is_led(line, head)
    return ("led", line.block.kind) if led else None


def _fact(_: Line, head: Head) -> Key:
    return ("fact",) if head.ending == "fact" and head.taken.has("cost", "rank") else None


_MASKS = (
    _Mask("heading", _heading),
    _Mask("mark", _mark),
    _Mask("mark+shape", _mark_shape),
    _Mask("number", _number),
    _Mask("number+ending", _number_ending),
    _Mask("ending", _ending),
    _Mask("ending+shape", _ending_shape),
    _Mask("ending+apart", _ending_apart),
    _Mask("exact", _exact),
    _Mask("whole+shape", _whole_shape),
    _Mask("whole+apart", _whole_apart),
    _Mask("over", _over),
    _Mask("sort", _sort),
    _Mask("hang", _hang),
    _Mask("first", _first),
    _Mask("item", _item),
    _Mask("any mark", _any_mark),
    _Mask("led", _led),
    _Mask("fact", _fact),
)


def list_candidates(lines: Sequence[Line], fewest: int = FEWEST) -> list[Candidate]:
    """Return every set of lines printed alike, each set once."""
    groups: dict[tuple[object, ...], dict[int, list[Head]]] = {}
    for line in lines:
        for head in line.heads:
            for mask in _MASKS:
                key = mask.project(line, head)
                if key is not None:
                    groups.setdefault((mask.name, *key), {}).setdefault(line.at, []).append(head)
    _join_stated(groups)
    found: dict[tuple[tuple[int, str], ...], Candidate] = {}
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for key, group in groups.items():
        lines_of_it = tuple((at, *map(id, heads)) for at, heads in group.items())
        if len(group) < fewest or lines_of_it in seen:
            continue
        seen.add(lines_of_it)
        begins = _end_at_colons(_take_whole(_choose_heads(group, lines), lines), lines)
        same = tuple((begin.at, begin.head.name) for begin in begins)
        if same not in found or _count_leads(begins) > _count_leads(found[same].begins):
            found[same] = Candidate(begins, key)
    return list(found.values())


def _count_leads(begins: Sequence[Begin]) -> int:
    return sum(begin.head.ending == "lead" for begin in begins)


def _join_stated(groups: dict[tuple[object, ...], dict[int, list[Head]]]) -> None:
    """Add to names with text behind them those with a fact between both, printed alike."""
    for key, group in list(groups.items()):
        for ending in INLINE:
            if ending not in key:
                continue
            stated = groups.get(tuple("fact" if part == ending else part for part in key), {})
            more = {at: heads for at, heads in stated.items() if heads[0].rest.text}
            if more and not more.keys() <= group.keys():
                groups[(*key, "stated")] = {**more, **group}


def list_groups(lines: Sequence[Line]) -> dict[tuple[object, ...], tuple[Begin, ...]]:
    """Return the lines printed alike in everything, each line once for each way to end its name."""
    groups: dict[tuple[object, ...], list[Begin]] = {}
    for line in lines:
        for head in line.heads:
            if head.ending in ("whole", "fact") or _is_set_off(line, head):
                groups.setdefault(find_style(line, head), []).append(Begin(line.at, head))
    return {style: tuple(group) for style, group in groups.items()}


def find_style(line: Line, head: Head) -> tuple[object, ...]:
    """Return all that is seen of how a line is printed, but for white space."""
    ending, lead = head.ending if head.ending != "bracket" else "whole", line.content.find_lead()
    face = _get_face(line, head)
    if ending == "fact" and head.rest.text and line.text[lead : lead + 1] == ",":
        ending, face = "lead", int(line.content.marks[0])  # "**Soft Tread**, 2 points. It …"
    return _get_kind(line), line.size, face, head.shape, head.number, ending


def find_print(line: Line, head: Head) -> tuple[object, ...]:
    """Return what is seen of how a name is set, whatever follows it."""
    capitals = head.shape == "capitals" and line.block.kind != "heading"
    face = int(line.content.marks[0]) if line.content.find_lead() else _get_face(line, head)
    number = head.number if head.number != "x" else ""  # how many there are is no part of a name
    return _get_kind(line), line.size, face & BOLD, capitals, number


def _choose_heads(group: Mapping[int, Sequence[Head]], lines: Sequence[Line]) -> tuple[Begin, ...]:
    """Return one name for each line: all end alike where most can, and a fact ends any."""
    endings = Counter([head.ending for heads in group.values() for head in heads])
    preferred = [ending for ending in INLINE if endings[ending] >= _USUAL * len(group)]
    # Where most brackets behind names state no fact, as "(Combat)", none does, as "(General)".
    closed = {at for at in group if lines[at].text.endswith(")")}
    stated = {at for at in closed if lines[at].heads[0].ending == "fact"}
    named = stated if 2 * len(stated) < len(closed) else set()
    plain = [at for at in group if not lines[at].is_marked]
    dashed = {at: head for at in plain if (head := _find_dashed(lines[at].heads))}
    parted = dashed if len(dashed) >= _USUAL * len(group) and not preferred else {}
    begins = []
    for at, heads in sorted(group.items()):
        asked = _PLAIN if at in named else preferred
        begins.append(Begin(at, parted.get(at) or _choose(heads, lines[at].heads, asked)))
    return tuple(begins)


def _take_whole(begins: tuple[Begin, ...], lines: Sequence[Line]) -> tuple[Begin, ...]:
    """Return headings with colons whole, where what stands before the colons differs, and capitals
    follow: "Gate Binder: Nexus".
    """
    parted = (head for _, head in begins if head.ending in ("colon", "dash"))
    names = {head.name for head in parted if head.rest.text[:1].isupper()}
    headed = all(lines[at].block.kind == "heading" for at, _ in begins)
    if not headed or len(names) < _USUAL * len(begins):
        return begins
    whole = (next((h for h in lines[b.at].heads if h.ending == "whole"), b.head) for b in begins)
    return tuple(Begin(b.at, head) for b, head in zip(begins, whole, strict=True))


def _end_at_colons(begins: tuple[Begin, ...], lines: Sequence[Line]) -> tuple[Begin, ...]:
    """Return bold names without the bold words of their texts, where a colon ends most names:
    "**Amber Porridge:** **Knead** the dough".
    """
    leads = {b.at: lines[b.at].content.find_lead() for b in begins if b.head.ending == "lead"}
    ended = sum(lines[at].text[:end].rstrip().endswith(":") for at, end in leads.items())
    if ended < _USUAL * len(begins):
        return begins
    parted = (
        next((h for h in lines[b.at].heads if h.ending == "colon"), b.head)
        if b.at in leads and ": " in b.head.name
        else b.head
        for b in begins
    )
    return tuple(Begin(b.at, head) for b, head in zip(begins, parted, strict=True))


def _find_dashed(heads: Sequence[Head]) -> Head | None:
    """Return the name before a dash that few words follow, as a subtitle stands behind it."""
    if any(head.ending == "fact" for head in heads):
        return None
    dashed = next((head for head in heads if head.ending == "dash"), None)
    return dashed if dashed and 0 < len(dashed.rest.text.split()) <= _FEW_WORDS else None


def _choose(heads: Sequence[Head], every: Sequence[Head], preferred: Sequence[Ending]) -> Head:
    by_ending = {head.ending: head for head in reversed(heads)}
    stated = next((head for head in every if head.ending == "fact"), None)
    first = next((by_ending[ending] for ending in preferred if ending in by_ending), None)
    if first and preferred == _PLAIN:
        return first
    if stated and not (first and len(first.name) < len(stated.name)):
        return stated
    for ending in (*preferred, "whole"):
        if ending in by_ending:
            return by_ending[ending]
    return heads[0]


_ENDINGS: Mapping[Ending, str] = {
    "lead": "with a text behind a bold beginning",
    "colon": "with a colon behind the name",
    "dash": "with a dash behind the name",
    "dots": "with dots or a gap behind the name",
    "bracket": "with a bracket behind the name",
    "stop": "with a stop behind the name",
    "comma": "with a comma behind the name",
    "capitals": "that begin in capitals",
    "fact": "with a cost or a count behind the name",
    "whole": "",
}


def describe(candidate: Candidate) -> str:
    """Return in words how the lines of a candidate are printed, by the first of them."""
    first = candidate.begins[0].head
    key = candidate.signature
    kind = next((str(part) for part in key if str(part).startswith("heading ")), "")
    what = f"headings of level {kind.split()[1]}" if kind else "list items" if "item" in key else ""
    if not what:
        what = "lines in capitals" if first.shape == "capitals" else "lines"
        what = f"numbered {what}" if first.number else what
    return f"{what} {_ENDINGS[first.ending]}".strip()
