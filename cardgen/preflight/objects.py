"""Values out of PDF objects that may be anything.

Each comes in the form that is asked for, or as nothing. Knows nothing of what the values mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import isfinite
from typing import Any

from pikepdf import Array, DataDecodingError, Dictionary, Name, Object, PdfError, Stream, String

from cardgen.core.geometry import Box, Matrix

# The errors that pikepdf raises where an object is not as its place promises.
BROKEN = (
    *(PdfError, DataDecodingError, NotImplementedError, MemoryError),
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
)

# Made once: they are asked for a hundred times on each page.
_HOLDERS = Dictionary | Stream
_NUMBERS = int | float | Decimal


def find_value(thing: Any, key: str) -> Any:
    """Return the value of a key in a dictionary or a stream."""
    # To ask for a key that is missing takes many times as long as to see that it is.
    return thing.get(key) if isinstance(thing, _HOLDERS) and key in thing else None


def find_dictionary(thing: Any, key: str) -> Dictionary | Stream | None:
    value = find_value(thing, key)
    return value if isinstance(value, _HOLDERS) else None


def find_stream(thing: Any, key: str) -> Stream | None:
    value = find_value(thing, key)
    return value if isinstance(value, Stream) else None


def find_numbers(thing: Any, key: str) -> tuple[float, ...] | None:
    return _unpack_numbers(find_value(thing, key))


def find_box(thing: Any, key: str) -> Box | None:
    return unpack_box(find_value(thing, key))


def find_matrix(thing: Any, key: str) -> Matrix | None:
    numbers = find_numbers(thing, key)
    if numbers is None or len(numbers) != 6 or not all(map(isfinite, numbers)):
        return None
    return Matrix(*numbers)


def read_name(thing: Any, key: str) -> str:
    """Return a name without its slash; empty where there is none."""
    return unpack_name(find_value(thing, key))


def read_number(thing: Any, key: str, default: float = 0.0) -> float:
    value = find_value(thing, key)
    return float(value) if is_number(value) else default


def read_text(thing: Any, key: str) -> str:
    """Return a text; empty where there is none."""
    value = find_value(thing, key)
    return _unpack_text(value) if isinstance(value, String) else ""


def unpack_name(value: Any) -> str:
    """Return a name without its slash; empty for anything else."""
    return _unpack_text(value)[1:] if isinstance(value, Name) else ""


def unpack_box(value: Any) -> Box | None:
    """Return a box from an array with two opposite corners, in any order."""
    numbers = _unpack_numbers(value)
    return None if numbers is None else find_box_of_corners(numbers)


def find_box_of_corners(numbers: Sequence[float]) -> Box | None:
    """Return the box between two opposite corners; None where the numbers make none."""
    if len(numbers) != 4 or not all(map(isfinite, numbers)):
        return None
    x0, y0, x1, y1 = numbers
    return Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def is_number(value: Any) -> bool:
    return isinstance(value, _NUMBERS) and not isinstance(value, bool)


def list_items(thing: Any) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a dictionary, without the slash, and their values."""
    if not isinstance(thing, _HOLDERS):
        return
    try:
        keys = sorted(thing.keys())
    except UnicodeDecodeError:
        return
    for key in keys:
        yield key[1:], thing.get(key)


def list_array(value: Any) -> list[Any]:
    """Return the items of an array; a single value stands for an array of one."""
    if value is None:
        return []
    return list(value) if isinstance(value, Array) else [value]


def list_filters(stream: Any) -> list[str]:
    """Return the names of the filters that a stream is packed with."""
    return [unpack_name(value) for value in list_array(find_value(stream, "/Filter"))]


def read_data(stream: Any) -> bytes:
    """Return the decoded bytes of a stream; none where they cannot be decoded."""
    try:
        return bytes(stream.read_bytes())
    except BROKEN:
        return b""


def identify(thing: Any) -> object:
    """Return a key that tells an object from others: its number, or itself where it has none."""
    if isinstance(thing, Object):
        return thing.objgen if thing.is_indirect else thing.unparse()
    return thing


def _unpack_numbers(value: Any) -> tuple[float, ...] | None:
    """Return an array of numbers and nothing else."""
    if not isinstance(value, Array):
        return None
    items = list(value)
    return tuple(map(float, items)) if all(map(is_number, items)) else None


def _unpack_text(value: Any) -> str:
    """Return the text of an object; empty where its bytes stand for none."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return ""
