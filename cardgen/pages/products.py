"""The products of a card service: the sizes that it prints, and the pixels that it takes for each.

Knows nothing of cards; a target has its service's products as data.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.core.errors import Refusal, shorten
from cardgen.core.geometry import Size
from cardgen.core.toml import TomlReader
from cardgen.core.units import MM, parse_size
from cardgen.pages.keys import Kind

_PARTS = ("name", "size", "pixels")
_PIXELS = re.compile(r"(\d{1,5})\s*[x×]\s*(\d{1,5})")
_EXAMPLE = 'products = [{ name = "Poker Deck", size = "poker", pixels = "825 x 1125" }]'
# Sizes in inches that are written in millimetres are off by less.
_SLACK = 0.3 * MM


class Product(NamedTuple):
    """A product by the name that its service has for it.

    width, height: of a picture of it with the bleed, in pixels; 0 for a service that takes a PDF
    """

    name: str
    size: Size
    width: int = 0
    height: int = 0

    def turned(self) -> Product:
        """Return the product with its cards lying."""
        size = Size(self.size.height, self.size.width)
        return Product(self.name, size, self.height, self.width)

    def holds(self, card: Size) -> bool:
        return all(abs(a - b) <= _SLACK for a, b in zip(self.size, card, strict=True))


def _read_products(reader: TomlReader, key: str, given: tuple[Product, ...]) -> tuple[Product, ...]:
    told = reader.read_records(key, _PARTS, _EXAMPLE, needless="pixels")
    if told is None:
        return given
    products = []
    for record in told:
        name, size, pixels = (record.get(part, "0 x 0") for part in _PARTS)
        match = _PIXELS.fullmatch(pixels.strip())
        if match is None:
            reader.note(
                key,
                "value/not-pixels",
                f'{key}: "{shorten(pixels)}" is no width and height in pixels',
                "as in 825 x 1125",
            )
            continue
        try:
            products.append(Product(name, parse_size(size), int(match[1]), int(match[2])))
        except Refusal as refusal:
            reader.note_refusal(key, refusal, f"{key}: {refusal}")
    return tuple(products)


PRODUCTS = Kind(
    _read_products,
    {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {part: {"type": "string"} for part in _PARTS},
            "required": list(_PARTS[:2]),
            "additionalProperties": False,
        },
    },
    "list of tables",
)
