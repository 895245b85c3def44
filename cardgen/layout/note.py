"""A line of text outside the cards turned into items, in the one style that all such lines have.

Knows nothing of pages or of what the line is for.
"""

from __future__ import annotations

from string import punctuation

from cardgen.colour import BLACK
from cardgen.errors import shorten
from cardgen.layout.face import Item
from cardgen.layout.words import TextProblem, Typesetter
from cardgen.template.model import Style
from cardgen.text.fit import Block, measure_width
from cardgen.text.shaping import MissingCharacter

SMALLEST = 4.0
_INSTEAD = "?"
_STYLE = Style("note", None, ("Alegreya Sans",), colour=BLACK)
_PLAIN = str.maketrans({sign: f"\\{sign}" for sign in punctuation})


def set_note(
    typesetter: Typesetter, text: str, size: float, width: float, *, centred: bool = False
) -> tuple[Item, ...]:
    """The line's items, its baseline at y = 0; one without room is set smaller, then cut short."""
    kept = len(text)
    while True:
        block = _make_block(typesetter, shorten(text, kept))
        needed = measure_width(block)
        if needed * SMALLEST <= width or kept <= 1:
            break
        kept = min(kept - 1, int(kept * width / (needed * SMALLEST)))
        kept = max(kept, 1)
    size = min(size, max(SMALLEST, width / needed if needed else size))
    left = (width - needed * size) / 2 if centred else 0.0
    placed = typesetter.set_text(block, _STYLE, size, width + 1.0, left, -block.cap_height * size)
    items: list[Item] = []
    typesetter.draw_pieces(placed.pieces, items)
    return tuple(items)


def _make_block(typesetter: Typesetter, text: str) -> Block:
    """The line's material; a title in a script that the font lacks is no reason to stop."""
    while True:
        try:
            return typesetter.make_block(_STYLE, text.translate(_PLAIN))
        except TextProblem as error:
            if not isinstance(error.__cause__, MissingCharacter):
                raise
            text = text.replace(error.__cause__.character, _INSTEAD)
