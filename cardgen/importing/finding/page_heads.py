"""Running heads: lines that come again beside the end of a page, or that part a sentence there.

Knows nothing of cards, but that a name with its facts is no running head.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.junk_rules import SENTENCE_END
from cardgen.importing.finding.names import find_shape, split_head, unglue
from cardgen.importing.model import Block

_NUMBERED = re.compile(
    r"(?:\d{1,4}\s{2,}(\S.*?)|(\S.*?)\s{2,}\d{1,4}|\d{1,4}\s*[|•·]\s*(\S.*)|"
    r"(\S.*?)\s*[|•·]\s*\d{1,4})$"
)
_SCANNED = str.maketrans("il|!015", "llllols")
_GOES_ON = re.compile(r"[a-zß-öø-ÿ\d]")
_LEADER = re.compile(r"(?:[.…_]\s?){4,}")
_UNFINISHED = re.compile(r"\b(?:of|the|and|a|for|with|to)$|-$", re.IGNORECASE)
_FIGURE = re.compile(r"^\d{1,3}(?=\s+[^\W\d_])|(?<=[^\W\d_]\s)\d{1,3}$")
_OFTEN = 3
_NEAR = 2
_LONGEST = 80
_MOST_WORDS = 9


def find_running_heads(blocks: Sequence[Block], why: Mapping[int, str]) -> dict[int, str]:
    """The places of running heads; `why` says what is known to be junk already."""
    keys: dict[int, str] = {}
    marks: set[int] = set()
    for place, block in enumerate(blocks):
        if block.kind == "page" or why[place] in ("page number", "file name"):
            marks.add(place)
        if block.cells or block.kind not in ("line", "heading") or why[place]:
            continue
        if _LEADER.search(block.text):
            continue
        numbered = _NUMBERED.fullmatch(block.text)
        if numbered:
            marks.add(place)
        found = next((part for part in numbered.groups() if part), "") if numbered else block.text
        keys[place] = _make_key(found)
    parting = {
        place
        for place, key in keys.items()
        if key and _is_short(blocks[place].text) and _parts_sentence(blocks, place, why)
    }
    marks |= _find_numbered(keys, blocks)
    able = {
        place: key
        for place, key in keys.items()
        if key and (place in parting or _may_run(blocks, place))
    }
    near = {
        place: key
        for place, key in able.items()
        if any(place + step in marks for step in range(-_NEAR, _NEAR + 1))
    }
    counts = Counter(near.values())
    return {
        place: "running head"
        for place, key in able.items()
        if counts[key] > 1
        or (place in near and place in marks and counts[key])
        or (place in near and place in parting)
    }


def _find_numbered(keys: Mapping[int, str], blocks: Sequence[Block]) -> set[int]:
    """Lines that come again with other figures each time, as "32 MAGAZINE" and "34 MAGAZINE"."""
    figures: dict[str, dict[int, str]] = {}
    for place, key in keys.items():
        number = _FIGURE.search(blocks[place].text)
        if key and number and find_shape(key.upper()) and _is_short(blocks[place].text):
            figures.setdefault(key, {})[place] = number[0]
    return {
        place
        for found in figures.values()
        if len(set(found.values())) == len(found) >= _OFTEN
        and min(map(int, found.values())) > len(found)  # else they count things, and no pages
        for place in found
    }


def _make_key(text: str) -> str:
    """Return a line without what differs from page to page: figures, capitals, slips of a scan."""
    words = re.sub(r"\b\d+\b", " ", text).lower().translate(_SCANNED)
    return re.sub(r"[\W\d_]+", " ", words).strip()


def _may_run(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line can be the head of a page: short, no sentence, no fact and no card's name."""
    text = blocks[place].text
    if take_facts(text).has("cost", "who", "stat"):
        return False
    below = blocks[place + 1] if place + 1 < len(blocks) else None
    if below and take_facts(below.text).has("cost", "who", "stat"):
        head = split_head(unglue(below.content), bool(below.content.face))
        if not (head and head.taken.facts and head.shape in ("capitals", "title")):
            return False
    if below and not below.gap and below.text[:1].islower():
        return len(text.split()) <= _MOST_WORDS // 2 and _is_short(text)
    return _is_short(text)


def _is_short(text: str) -> bool:
    short = len(text) < _LONGEST and len(text.split()) <= _MOST_WORDS
    return (
        short
        and not text[:1].islower()
        and text[-1:] not in ".,;:"
        and not _UNFINISHED.search(text)
    )


def _parts_sentence(blocks: Sequence[Block], place: int, why: Mapping[int, str]) -> bool:
    """Whether a sentence goes on behind a line as though that were not there."""
    text = blocks[place].text
    if find_shape(text) not in ("capitals", "title") or text[-1:] in "!?\"'”":
        return False
    before = _find_text(blocks, range(place - 1, max(-1, place - 6), -1), why)
    after = _find_text(blocks, range(place + 1, min(len(blocks), place + 6)), why)
    return (
        before is not None
        and after is not None
        and len(before.text.split()) > _NEAR
        and not SENTENCE_END.search(before.text)
        and bool(_GOES_ON.match(after.text))
    )


def _find_text(blocks: Sequence[Block], places: range, why: Mapping[int, str]) -> Block | None:
    """The nearest line that is neither junk nor in capitals, as another head would be."""
    return next(
        (
            blocks[at]
            for at in places
            if not why[at]
            and blocks[at].kind in ("line", "item")
            and find_shape(blocks[at].text) != "capitals"
        ),
        None,
    )
