"""The attributes that many elements share, and what the definition of an element consists of.

Turns read attributes into places, grounds and styles. Knows nothing of the single elements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from cardgen.template import values as v
from cardgen.template.model import Ground, Ink, Place, Spec, Style
from cardgen.template.values import Reader

Content = Literal["elements", "text", "nothing"]
Values = dict[str, Any]

PLACE: dict[str, Reader] = {
    "x": v.read_length,
    "y": v.read_length,
    "right": v.read_length,
    "bottom": v.read_length,
    "width": v.read_length,
    "height": v.read_length,
    "grow": v.read_share,
    "bleed": v.read_flag,
}
INK: dict[str, Reader] = {
    "fill": v.read_paint,
    "stroke": v.read_stroke,
    "stroke-width": v.read_points,
    "dash": v.read_dash,
}
GROUND: dict[str, Reader] = {**INK, "radius": v.read_points}
STYLE: dict[str, Reader] = {
    "font": v.read_fonts,
    "size": v.read_size,
    "leading": v.read_share,
    "weight": v.read_weight,
    "bold": v.read_weight,
    "italic": v.read_flag,
    "colour": v.read_colour,
    "align": v.read_align,
    "balance": v.read_flag,
    "paragraph": v.read_share,
    "tracking": v.read_number,
    "features": v.read_features,
    "hyphenate": v.read_flag,
}


@dataclass(frozen=True, slots=True)
class Kind:
    """One element of the language."""

    attributes: Mapping[str, Reader]
    content: Content
    build: Callable[[Values], Spec]
    required: tuple[str, ...] = ()
    children: tuple[str, ...] = ()  # empty: any element of a face


def make_style(base: Style, given: Values) -> Style:
    """A style with some of its attributes said anew."""
    changes = {name: given[name] for name in STYLE if name in given}
    if "font" in changes:
        changes["fonts"] = changes.pop("font")
    # Text in the middle of its measure reads best in even lines, unless the template says
    # otherwise.
    if "align" in changes and "balance" not in changes:
        if changes["align"] == "centre":
            changes["balance"] = True
        elif base.align == "centre":
            changes["balance"] = False
    return replace(base, **changes) if changes else base


def read_place(given: Values) -> Place:
    return Place(**pick(given, *PLACE))


def read_ink(given: Values) -> Ink:
    return Ink(**pick(given, *INK))


def read_ground(given: Values) -> Ground:
    return Ground(read_ink(given), **pick(given, "radius"))


def pick(given: Values, *names: str) -> dict[str, Any]:
    return {name.replace("-", "_"): given[name] for name in names if name in given}


CONTAINER: dict[str, Reader] = {**PLACE, **GROUND, "padding": v.read_insets}
