"""Values out of PDF objects that may be anything: each comes in the shape asked for, or not at all.

Knows nothing of what the values mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from pikepdf import Array, DataDecodingError, Dictionary, Name, Object, PdfError, Stream, String

# What pikepdf raises where an object is not what its place promises.
BROKEN = (
    *(PdfError, DataDecodingError, NotImplementedError, MemoryError),
    *(ArithmeticError, AttributeError, LookupError, TypeError, ValueError),
)


def get(thing: Any, key: str) -> Any:
    """The value of a key in a dictionary or a stream."""
    return thing.get(key) if isinstance(thing, Dictionary | Stream) else None


def get_dictionary(thing: Any, key: str) -> Dictionary | Stream | None:
    value = get(thing, key)
    return value if isinstance(value, Dictionary | Stream) else None


def get_stream(thing: Any, key: str) -> Stream | None:
    value = get(thing, key)
    return value if isinstance(value, Stream) else None


def get_name(thing: Any, key: str) -> str:
    return read_name(get(thing, key))


def read_name(value: Any) -> str:
    """A name without its slash."""
    return _read_text(value)[1:] if isinstance(value, Name) else ""


def _read_text(value: Any) -> str:
    """The text of an object; nothing where its bytes stand for none."""
    try:
        return str(value)
    except UnicodeDecodeError:
        return ""


def get_number(thing: Any, key: str, default: float = 0.0) -> float:
    value = get(thing, key)
    return float(value) if is_number(value) else default


def get_numbers(thing: Any, key: str) -> tuple[float, ...] | None:
    return read_numbers(get(thing, key))


def read_numbers(value: Any) -> tuple[float, ...] | None:
    """An array of numbers and nothing else."""
    if not isinstance(value, Array):
        return None
    items = list(value)
    return tuple(map(float, items)) if all(map(is_number, items)) else None


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def get_text(thing: Any, key: str) -> str:
    value = get(thing, key)
    return _read_text(value) if isinstance(value, String) else ""


def list_items(thing: Any) -> Iterator[tuple[str, Any]]:
    """The keys of a dictionary, without the slash, and their values."""
    if not isinstance(thing, Dictionary | Stream):
        return
    try:
        keys = sorted(thing.keys())
    except UnicodeDecodeError:
        return
    for key in keys:
        yield key[1:], thing.get(key)


def list_array(value: Any) -> list[Any]:
    """The items of an array; a single value stands for an array of one."""
    if value is None:
        return []
    return list(value) if isinstance(value, Array) else [value]


def identify(thing: Any) -> object:
    """What tells an object from others: its number, or itself where it has none."""
    if isinstance(thing, Object):
        return thing.objgen if thing.is_indirect else thing.unparse()
    return thing


def read_data(stream: Any) -> bytes:
    """What a stream holds, decoded; nothing where it cannot be."""
    try:
        return bytes(stream.read_bytes())
    except BROKEN:
        return b""


def list_filters(stream: Any) -> list[str]:
    return [read_name(value) for value in list_array(get(stream, "/Filter"))]
