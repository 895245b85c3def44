"""A text set into its box: its size chosen, by its box or by the whole deck, and its lines placed.

Notes which texts were set smaller than the others. Knows nothing of other elements.
"""

from __future__ import annotations

from cardgen.errors import CardgenError
from cardgen.geometry import Rect
from cardgen.layout.contents import Contents
from cardgen.layout.face import Item
from cardgen.layout.subject import DeckSizes, Shrunk
from cardgen.template.model import Node, TextSpec
from cardgen.text.fit import Block, find_size, fits_box, fits_line


class TextPlacer:
    """Places the texts of one template's faces; while gathering, it only notes their sizes."""

    def __init__(self, contents: Contents, sizes: DeckSizes) -> None:
        self.shrunk: list[Shrunk] = []
        self.gathering = False
        self._contents = contents
        self._typesetter = contents.typesetter
        self._sizes = sizes

    def place(self, node: Node, spec: TextSpec, rect: Rect, items: list[Item]) -> None:
        block = self._contents.get_block(node, spec)
        if not block.paragraphs:
            return
        size = self._choose_size(node, spec, block, rect)
        text = self._typesetter.set_text(block, spec.style, size, rect.width, rect.x, rect.y)
        shift, spare = 0.0, rect.height - text.height
        if spec.valign == "bottom":
            shift = spare
        elif spec.valign == "middle":
            # The eye takes the middle of the capitals for that of the text.
            shift = min((spare + block.depth * size) / 2, spare)
        try:
            self._typesetter.draw_pieces(text.pieces, items, dy=shift)
        except CardgenError as error:
            raise self._contents.name_problem(error, node, spec.fields) from error

    def _choose_size(self, node: Node, spec: TextSpec, block: Block, rect: Rect) -> float:
        def fits(size: float) -> bool:
            if spec.fit == "line" and not fits_line(block, size, rect.width):
                return False
            return fits_box(block, size, rect.width, rect.height)

        deck, usual = spec.fit == "deck", spec.largest
        if deck and not self.gathering:
            usual = min(self._sizes.decided.get(spec.key, usual), usual)
        size = find_size(fits, usual, spec.smallest)
        if size is None:
            with self._contents.naming(node, spec.fields):
                if spec.fit == "line" and not fits_line(block, spec.smallest, rect.width):
                    self._typesetter.check_line(block, spec.smallest, rect.width)
                self._typesetter.check_fit(block, spec.smallest, rect.width, rect.height)
            return spec.smallest
        # A card too full for the style's size sets no rule for the others.
        if deck and self.gathering and size >= spec.style.size:
            self._sizes.wanted.setdefault(spec.key, []).append(size)
        if spec.fit in ("box", "deck") and size < min(usual, spec.style.size):
            self.report(spec.fields, size, usual)
        return size

    def report(self, fields: tuple[str, ...], size: float, usual: float) -> None:
        if not self.gathering:
            self.shrunk.append(Shrunk(self._contents.subject, "/".join(fields), size, usual))
