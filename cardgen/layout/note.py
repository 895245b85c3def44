"""Lines of text outside the cards, as on slugs and in boxes for what is missing: all in one style,
and never too long.

Knows nothing of where they stand.
"""

from __future__ import annotations

from string import punctuation

from cardgen.core.colour import BLACK
from cardgen.core.errors import shorten
from cardgen.layout.face import Item
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import Style
from cardgen.text.fit import Block, measure_width
from cardgen.text.shaping import MissingCharacter

# The one style of all notes, and the size that none is smaller than.
_STYLE = Style("note", None, colour=BLACK)
SMALLEST_NOTE = 4.0
_LONGEST = 2_000  # letters, more than fit any paper
_INSTEAD = "?"
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in punctuation})


def set_note(
    typesetter: Typesetter, text: str, size: float, width: float, *, centred: bool = False
) -> tuple[Item, ...]:
    """Return the items of a line of text outside the cards, its baseline at y = 0.

    A line that has no room is set smaller, and then cut short.
    """
    kept = min(len(text), _LONGEST)
    while True:
        block = _shape_note(typesetter, shorten(text, kept))
        needed = measure_width(block)
        if needed * SMALLEST_NOTE <= width or kept <= 1:
            break
        kept = min(kept - 1, int(kept * width / (needed * SMALLEST_NOTE)))
        kept = max(kept, 1)
    size = min(size, max(SMALLEST_NOTE, width / needed if needed else size))
    left = (width - needed * size) / 2 if centred else 0.0
    placed = typesetter.set_text(block, _STYLE, size, width + 1.0, left, -block.cap_height * size)
    items: list[Item] = []
    typesetter.draw_pieces(placed.pieces, items)
    return tuple(items)


def _shape_note(typesetter: Typesetter, text: str) -> Block:
    """Return the material of a note; a title in a script that the font lacks is no mistake."""
    while True:
        try:
            return typesetter.make_block(_STYLE, text.translate(_ESCAPES))
        except MissingCharacter as error:
            # A font may lack even what stands for what it lacks.
            instead = "" if error.character == _INSTEAD else _INSTEAD
            text = text.replace(error.character, instead)
