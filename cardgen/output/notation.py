"""How PDF writes numbers, boxes, texts and pictures down."""

from __future__ import annotations

from functools import lru_cache

from cardgen.core.geometry import Rect

SPACES = {"cmyk": b"/DeviceCMYK", "rgb": b"/DeviceRGB", "grey": b"/DeviceGray"}


def format_number(number: float) -> bytes:
    """Return a number with at most three decimals, without zeros at its end."""
    text = b"%.3f" % number
    return text.rstrip(b"0").rstrip(b".") if text != b"-0.000" else b"0"


def format_figures(figures: int, *numbers: float) -> bytes:
    """Return numbers with so many figures at most, and none with an exponent, which PDF lacks."""
    text = b" ".join([b"%.*g" % (figures, number) for number in numbers])
    if b"e" not in text:
        return text
    return b" ".join([_write_out(b"%.*g" % (figures, number), number) for number in numbers])


def _write_out(text: bytes, number: float) -> bytes:
    if b"e" not in text:
        return text
    plain = (b"%.9f" % number).rstrip(b"0").rstrip(b".")
    return plain if plain != b"-0" else b"0"


def format_image(width: int, height: int, space: bytes) -> bytes:
    """Return the entries of an image of 8 bits for each ink of a pixel."""
    return b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace%b/BitsPerComponent 8" % (
        width,
        height,
        space,
    )


@lru_cache(maxsize=256)
def format_box(rect: Rect) -> bytes:
    corners = (rect.x, rect.y, rect.right, rect.bottom)
    return b"[%b]" % b" ".join(map(format_number, corners))


def format_text(text: str) -> bytes:
    """Return a text outside the pages, as in a bookmark."""
    if text.isascii():
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        return b"(%b)" % escaped.encode()
    return b"<FEFF%b>" % text.encode("utf-16-be").hex().upper().encode()
