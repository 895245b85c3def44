"""The rule for text near the trim: letter by letter, as pdfium places them.

The boxes of the interpreter are those of whole lines, with room for ascenders that may not be
there; so only where those come too near are the letters themselves looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardgen.errors import shorten
from cardgen.preflight.findings import Fault
from cardgen.preflight.plane import Box, make_box
from cardgen.preflight.read import SourcePage
from cardgen.preflight.wants import Wants
from cardgen.units import MM, format_mm

_SLACK = 0.05 * MM


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    box: Box
    distance: float


def is_near(box: Box, page: SourcePage, wants: Wants) -> bool:
    """Whether text in a box may be too close to the trim; what is off the card is not."""
    cut = page.boxes.cut
    safe = -wants.safe / page.boxes.unit
    return not cut.grow(safe, safe).contains(box, _SLACK) and cut.meet(box) is not None


def check_safe(page: SourcePage, document: Any, wants: Wants) -> Iterator[Fault]:
    for word in _list_near(page, document, wants):
        distance = format_mm(word.distance) if word.distance > 0 else "nothing"
        yield Fault(
            "safe-area",
            wants.fault,
            f'"{shorten(word.text, 30)}" keeps {distance} from the trim; '
            f"{wants.asked_by} wants {format_mm(wants.safe)}",
            "move it inwards: a cut a little beside the line would touch it",
            same="text",
            page=page.number,
            place=page.boxes.locate(word.box),
            worse=-word.distance,
        )


def _list_near(page: SourcePage, document: Any, wants: Wants) -> Iterator[_Word]:
    """Words with a letter that is too close, joined as they follow one another."""
    handle = document[page.number - 1]
    text = handle.get_textpage()
    word: _Word | None = None
    for index in range(text.count_chars()):
        box = make_box(text.get_charbox(index))
        letter = text.get_text_range(index, 1)
        if box is None or not letter.strip() or box.width * box.height == 0:
            near = False
        else:
            near = is_near(box, page, wants)
        if near and box is not None:
            distance = _measure(box, page)
            if word:
                joined = Box(
                    *(min(word.box.x0, box.x0), min(word.box.y0, box.y0)),
                    *(max(word.box.x1, box.x1), max(word.box.y1, box.y1)),
                )
                word = _Word(word.text + letter, joined, min(word.distance, distance))
            else:
                word = _Word(letter, box, distance)
        elif word:
            yield word
            word = None
    if word:
        yield word
    text.close()
    handle.close()


def _measure(box: Box, page: SourcePage) -> float:
    """How far a letter is from the trim; less than 0 beyond it."""
    cut = page.boxes.cut
    inside = min(box.x0 - cut.x0, cut.x1 - box.x1, box.y0 - cut.y0, cut.y1 - box.y1)
    return inside * page.boxes.unit
