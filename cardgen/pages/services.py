"""The product of a card service that a card is printed as: the target with its pixels, or a refusal
that names the nearest.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.units import CARD_SIZES, MM, format_size
from cardgen.pages.products import Product
from cardgen.pages.target import Target

_INCH = 72
_NEAR = 40 * MM  # width and height together


class Fitting(NamedTuple):
    """A target for cards of one size, and the service's product that they are."""

    target: Target
    product: Product | None = None


def fit_product(target: Target, card: Size) -> Fitting:
    """Return the target with the bleed that the product's pixels leave around the card, if it has
    any.
    """
    products = target.file.products
    if not products:
        return Fitting(target)
    both_ways = [way for product in products for way in (product, product.turned())]
    product = next((way for way in both_ways if way.holds(card)), None)
    if product is None:
        raise _refuse(target, card, min(both_ways, key=lambda way: _measure_way(way, card)))
    if not product.width:
        return Fitting(target, product)
    inches = product.width / target.file.dpi, product.height / target.file.dpi
    bleed_x, bleed_y = (
        (side * _INCH - of_card) / 2 for side, of_card in zip(inches, card, strict=True)
    )
    fitted = target.change(bleed_x=bleed_x, bleed_y=bleed_y, back_bleed_x=None, back_bleed_y=None)
    return Fitting(fitted, product)


def _measure_way(product: Product, card: Size) -> float:
    return sum(abs(a - b) for a, b in zip(product.size, card, strict=True))


def _refuse(target: Target, card: Size, nearest: Product) -> CardgenError:
    shown = format_size(nearest.size)
    name = next((n for n, size in CARD_SIZES.items() if nearest.holds(size)), shown)
    other = f"build for a target without products, as {'png' if nearest.width else 'press-x1a'}"
    # A sheet is no card, and will not become one.
    is_near = _measure_way(nearest, card) <= _NEAR
    return CardgenError(
        "print/no-product",
        f'the service of target "{target.name}" has no cards of {format_size(card)}; the nearest '
        f"is its {nearest.name} ({shown})",
        target.find_place("products"),
        f"write size: {name} in the deck; or {other}" if is_near else other,
        details={
            "width_mm": round(card.width / MM, 2),
            "height_mm": round(card.height / MM, 2),
            "nearest": nearest.name,
            "size": name,
        },
    )
