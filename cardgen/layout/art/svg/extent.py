"""How large a drawing is, and where its view box lies in it.

Knows nothing of what is drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.core.errors import CardgenError, shorten
from cardgen.core.geometry import IDENTITY, Matrix, Rect, Size
from cardgen.layout.art.svg.document import Document
from cardgen.layout.art.svg.numbers import place_box, read_box, read_length

if TYPE_CHECKING:
    from lxml import etree

# Sides of a view box beyond these, and boxes that are flatter, are no drawing's.
_LEAST_SIDE, _MOST_SIDE, _FLATTEST = 1e-9, 1e9, 1e6
# Numbers are written with three decimals, so a drawing has some units.
_FEWEST_UNITS, _MOST_UNITS, _UNITS = 10.0, 1e5, 100.0


def read_extent(document: Document) -> tuple[Size, Matrix, Rect]:
    """Return the size of a drawing, what leads to it from the view box, and the view box."""
    root = document.root
    return _grow(document, root, *_read_size(document, root))


def place_within(document: Document, element: etree._Element, box: Rect, onto: Rect) -> Matrix:
    rule = element.get("preserveAspectRatio", "xMidYMid meet")
    try:
        return place_box(box, onto, rule)
    except ValueError:
        document.refuse_value(element, "preserveAspectRatio", rule)
        return IDENTITY


def _read_size(document: Document, root: etree._Element) -> tuple[Size, Matrix, Rect]:
    """Return how large a drawing is, and where its view box lies in it."""
    text = root.get("viewBox")
    lengths = [_find_length(root.get(name)) for name in ("width", "height")]
    box = None
    if text is not None:
        try:
            box = read_box(text)
        except ValueError:
            _refuse_box(document, root, f'viewBox="{shorten(text)}" is no box')
            raise CardgenError.of(document.problems) from None
    if box is None:
        if not all(lengths):
            _refuse_box(document, root, "the <svg> has no viewBox")
            raise CardgenError.of(document.problems)
        box = Rect(0, 0, *(length or 0.0 for length in lengths))
        return box.size, IDENTITY, box
    if not all(lengths):
        return box.size, Matrix(1, 0, 0, 1, -box.x, -box.y), box
    # Its own units are kept: a view box of another shape lies within a larger one.
    wide, high = (length or 0.0 for length in lengths)
    scale = max(box.width / wide, box.height / high)
    rule = root.get("preserveAspectRatio", "xMidYMid meet")
    if "none" in rule or "slice" in rule:
        scale = box.width / wide
    size = Size(wide * scale, high * scale)
    matrix = place_within(document, root, box, Rect(0, 0, *size))
    return size, matrix, box


def _grow(
    document: Document, root: etree._Element, size: Size, matrix: Matrix, view: Rect
) -> tuple[Size, Matrix, Rect]:
    """Return the size of a drawing in units that are neither tiny nor huge."""
    least, most = min(*size, *view.size), max(*size, *view.size)
    if least < _LEAST_SIDE or most > _MOST_SIDE or max(size) > min(size) * _FLATTEST:
        shown = f"{view.width:g} x {view.height:g}"
        _refuse_box(document, root, f"a drawing cannot be {shown} units large")
        raise CardgenError.of(document.problems)
    longest = max(size)
    if _FEWEST_UNITS <= longest <= _MOST_UNITS:
        return size, matrix, view
    scale = _UNITS / longest
    grown = matrix.then(Matrix(scale, 0, 0, scale, 0, 0))
    return Size(size.width * scale, size.height * scale), grown, view


def _find_length(text: str | None) -> float | None:
    """Return a length that is none of percentages; None where there is none."""
    if text is None or "%" in text:
        return None
    try:
        length = read_length(text)
    except ValueError:
        return None
    return length if length > 0 else None


def _refuse_box(document: Document, root: etree._Element, message: str) -> None:
    document.complain(
        "svg/no-size",
        root,
        message,
        'write its left, top, width and height, as in "0 0 64 64"',
    )
