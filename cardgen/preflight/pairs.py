"""The rule for files of which each card is two pages in turn, a front and its back.

Knows the pages by the labels that the file gives them, and nothing of what they show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from cardgen.core.errors import count
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Pairs, Wants

_LABEL = re.compile(r"(?P<card>.+), (?P<side>front|back)")
_CURE = "give each card both pages, an empty one where it has no back"
_WORDS: dict[Pairs, str] = {
    "front-back": "each front, then its back",
    "back-front": "each back, then its front",
}


class _Face(NamedTuple):
    card: str
    side: str


def check_pairs(labels: Mapping[int, str], pages: int, wants: Wants) -> Iterator[Fault]:
    """Check that front and back come in turn; a file of fronts alone has nothing to pair."""
    if wants.pairs is None:
        return
    matches = [_LABEL.fullmatch(labels.get(page, "")) for page in range(1, pages + 1)]
    faces = [_Face(match["card"], match["side"]) for match in matches if match]
    if len(faces) < pages:
        if pages % 2:
            yield Fault(
                "preflight/page-pairs",
                "warning",
                f"the file has {count(pages, 'page')}, which cannot be pairs: "
                f"{wants.asked_by} wants {_WORDS[wants.pairs]}",
                _CURE,
                about=("odd",),
            )
        return
    if len({face.side for face in faces}) < 2:
        return
    for at in range(0, pages, 2):
        pair = faces[at : at + 2]
        if {face.side for face in pair} != {"front", "back"} or pair[0].card != pair[1].card:
            yield Fault(
                "preflight/page-pairs",
                wants.fault,
                f"from here on the pages are no pairs: {wants.asked_by} wants "
                f"{_WORDS[wants.pairs]}",
                _CURE,
                about=("apart",),
                page=at + 1,
            )
            return
    if faces[0].side != wants.pairs.partition("-")[0]:
        yield Fault(
            "preflight/page-pairs",
            "warning",
            f"the pages of a pair are the wrong way round: {wants.asked_by} wants "
            f"{_WORDS[wants.pairs]}",
            "put them into that order",
            about=("order",),
            page=1,
        )
