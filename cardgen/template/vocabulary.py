"""The template language on one page: every element, its attributes, and what it may hold.

docs/template-format.md describes each of them. `ELEMENTS` is the whole; the groups before it are
what several elements share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from cardgen.template import specs
from cardgen.template import values as v
from cardgen.template.model import Spec
from cardgen.template.values import ValueParser

Attributes = dict[str, ValueParser]


class ElementKind(NamedTuple):
    """One element of the language; without `children` it may hold any element of a face."""

    make: Callable[[specs.Values], Spec]
    content: Literal["elements", "text", "nothing"]
    attributes: Mapping[str, ValueParser]
    required: tuple[str, ...] = ()
    children: tuple[str, ...] = ()


# Attributes that several elements share

PLACE: Attributes = {
    "x": v.parse_length,
    "y": v.parse_length,
    "right": v.parse_length,
    "bottom": v.parse_length,
    "inset": v.parse_edges,
    "width": v.parse_length,
    "height": v.parse_length,
    "min-width": v.parse_length,
    "max-width": v.parse_length,
    "min-height": v.parse_length,
    "max-height": v.parse_length,
    "grow": v.parse_share,
    "bleed": v.parse_flag,
    "turn": v.parse_turn,
    "opacity": v.parse_part,
    "blend": v.make_choice("normal", "multiply", "screen"),
    "shadow": v.parse_shadow,
    "glow": v.parse_glow,
}
INK: Attributes = {
    "fill": v.parse_paint,
    "stroke": v.parse_stroke,
    "stroke-width": v.parse_points,
    "dash": v.parse_dash,
    "cap": v.parse_cap,
    "join": v.make_choice("miter", "round", "bevel"),
}
GROUND: Attributes = {**INK, "radius": v.parse_radius}
STYLE: Attributes = {
    "font": v.parse_fonts,
    "size": v.parse_size,
    "leading": v.parse_ems_share,
    "weight": v.parse_weight,
    "bold": v.parse_weight,
    "italic": v.parse_flag,
    "colour": v.parse_colour,
    "align": v.parse_alignment,
    "balance": v.parse_flag,
    "paragraph": v.parse_ems_share,
    "tracking": v.parse_ems,
    "features": v.parse_features,
    "hyphenate": v.parse_hyphenate,
    "underline": v.parse_flag,
    "strike": v.parse_flag,
    "outline": v.parse_edge,
}
ICON_STYLE: Attributes = {
    "fill": v.parse_paint,
    "colours": v.make_choice("one", "keep"),
    "size": v.parse_icon_size,
    "raise": v.parse_ems,
    "text": v.parse_style,
    "file": v.parse_text,
}
CONTAINER: Attributes = {**PLACE, **GROUND, "padding": v.parse_insets, "clip": v.parse_flag}
STACK: Attributes = {
    **CONTAINER,
    "gap": v.parse_points,
    "align": v.parse_across,
    "justify": v.parse_justify,
}
# What a text has of a box.
TEXT_GROUND: Attributes = {**GROUND, "padding": v.parse_insets}
SHAPE: Attributes = {**PLACE, **INK}
FIGURE: Attributes = {**SHAPE, "padding": v.parse_insets, "clip": v.parse_flag}
POLYGON: Attributes = {**FIGURE, "angle": v.parse_angle, "radius": v.parse_points}

# What stands in <template> itself, beside the elements of the face

# The attribute of an element, or of a whole template, that stands in a slot of this name.
SLOT = "slot"
ROOT_ATTRIBUTES = ("size", "trim", "bleed", "safe", "extends", SLOT)
DEFINITIONS: dict[str, tuple[str, ...]] = {
    "colour": ("name", "cmyk", "rgb", "tint"),
    "gradient": ("name", "stops", "kind", "angle", "centre", "radius", "focus"),
    "style": ("name", "extends", *STYLE),
    "icon-style": ("name", *ICON_STYLE),
    "field": ("name", "default"),
    "map": ("name", "values", "default"),
    "list": ("name", "values"),
    "component": ("name",),
}
# What stands among elements and draws nothing itself
PARTS: dict[str, tuple[str, ...]] = {
    "slot": ("name",),
    "let": ("name", "value"),
    "use": ("component", "if", "for"),
    "entry": ("key", "value"),
    "param": ("name", "default"),
}

# The elements

ELEMENTS: dict[str, ElementKind] = {
    "box": ElementKind(specs.make_box, "elements", CONTAINER),
    "column": ElementKind(specs.make_column, "elements", STACK),
    "row": ElementKind(specs.make_row, "elements", STACK),
    "first": ElementKind(
        specs.make_first, "elements", {**PLACE, "fit": v.make_choice("box", "deck")}
    ),
    "text": ElementKind(
        specs.make_text,
        "text",
        {
            **PLACE,
            **TEXT_GROUND,
            **STYLE,
            "style": v.parse_style,
            "fit": v.make_choice("none", "line", "box", "deck"),
            "min": v.parse_size,
            "max": v.parse_size,
            "valign": v.make_choice("top", "middle", "bottom"),
            "path": v.parse_text,
            "heading": v.parse_flag,
            "alt": v.parse_text,
        },
    ),
    "image": ElementKind(
        specs.make_image,
        "nothing",
        {
            **PLACE,
            "bleed": v.make_choice("true", "false", "mirror", "stretch"),
            "file": v.parse_text,
            "fit": v.make_choice("cover", "contain", "tile"),
            "tile-size": v.parse_breadth,
            "tint": v.parse_colour,
            "greyscale": v.parse_flag,
            "mask": v.parse_mask,
            "radius": v.parse_points,
            "alt": v.parse_text,
            "missing": v.make_choice("error", "placeholder"),
        },
        required=("file",),
    ),
    "icon": ElementKind(
        specs.make_icon,
        "nothing",
        {
            **PLACE,
            "name": v.parse_text,
            "style": v.parse_style,
            "fill": v.parse_paint,
            "colours": v.make_choice("one", "keep"),
            "alt": v.parse_text,
            "missing": v.make_choice("error", "placeholder"),
        },
        required=("name",),
    ),
    "code": ElementKind(
        specs.make_code,
        "nothing",
        {
            **PLACE,
            "kind": v.make_choice("qr", "datamatrix", "ean13", "ean8", "upca", "code128"),
            "text": v.parse_text,
            "level": v.make_choice("l", "m", "q", "h"),
            "fill": v.parse_colour,
            "ground": v.parse_stroke,
            "digits": v.parse_flag,
            "style": v.parse_style,
            "alt": v.parse_text,
        },
        required=("kind", "text"),
    ),
    "line": ElementKind(
        specs.make_line,
        "nothing",
        {
            **PLACE,
            "stroke": v.parse_colour,
            "stroke-width": v.parse_points,
            "dash": v.parse_dash,
            "cap": v.parse_cap,
            "direction": v.make_choice("across", "down"),
        },
    ),
    "path": ElementKind(
        specs.make_path,
        "nothing",
        {**SHAPE, "d": v.parse_text, "view": v.parse_view},
        required=("d",),
    ),
    "circle": ElementKind(specs.make_circle, "elements", FIGURE),
    "ellipse": ElementKind(specs.make_ellipse, "elements", FIGURE),
    "polygon": ElementKind(
        specs.make_polygon,
        "elements",
        {**POLYGON, "sides": v.parse_corners, "points": v.parse_points_of, "view": v.parse_view},
    ),
    "star": ElementKind(
        specs.make_star,
        "elements",
        {**POLYGON, "points": v.parse_corners, "inner": v.parse_part},
        required=("points",),
    ),
    "arc": ElementKind(
        specs.make_arc,
        "elements",
        {
            **FIGURE,
            "from": v.parse_angle,
            "to": v.parse_angle,
            "kind": v.make_choice("line", "chord", "pie", "ring"),
            "inner": v.parse_part,
        },
        required=("from", "to"),
    ),
    "guilloche": ElementKind(
        specs.make_guilloche,
        "nothing",
        {
            **SHAPE,
            "form": v.make_choice("rosette", "band", "ground"),
            "waves": v.parse_whole,
            "strands": v.parse_whole,
            "inner": v.parse_part,
            "thickness": v.parse_points,
        },
        required=("form", "waves", "strands"),
    ),
    "plait": ElementKind(
        specs.make_plait,
        "nothing",
        {
            **SHAPE,
            "columns": v.parse_whole,
            "rows": v.parse_whole,
            "hole": v.parse_hole,
            "ribbon": v.parse_part,
        },
        required=("columns", "rows"),
    ),
    "rose": ElementKind(
        specs.make_rose,
        "nothing",
        {**SHAPE, "points": v.parse_whole, "dark": v.parse_paint, "inner": v.parse_part},
        required=("points",),
    ),
    "rays": ElementKind(
        specs.make_rays,
        "nothing",
        {**SHAPE, "count": v.parse_count, "inner": v.parse_part},
        required=("count",),
    ),
    "table": ElementKind(
        specs.make_table,
        "elements",
        {
            **PLACE,
            "style": v.parse_style,
            "head": v.parse_style,
            "columns": v.parse_columns,
            "aligns": v.parse_aligns,
            "gap": v.parse_points,
            "row-padding": v.parse_points,
            "rule": v.parse_stroke,
            "rule-width": v.parse_points,
            "stripe": v.parse_stroke,
        },
        required=("columns",),
        children=("tr",),
    ),
    "tr": ElementKind(specs.make_table_row, "elements", {"head": v.parse_flag}, children=("td",)),
    "td": ElementKind(
        specs.make_cell,
        "text",
        {"style": v.parse_style, "align": v.parse_align, "span": v.parse_whole},
    ),
    "flow": ElementKind(
        specs.make_flow,
        "text",
        {
            **PLACE,
            "style": v.parse_style,
            "h1": v.parse_style,
            "h2": v.parse_style,
            "h3": v.parse_style,
            "after-heading": v.parse_share,
            "sections": v.parse_sections,
            "band": v.parse_insets,
            "band-fill": v.parse_colour,
            "band-radius": v.parse_points,
            "table": v.parse_style,
            "table-head": v.parse_style,
            "row-padding": v.parse_points,
            "rule": v.parse_stroke,
            "rule-width": v.parse_points,
            "stripe": v.parse_stroke,
            "bullet": v.parse_text,
            "columns": v.parse_whole,
            "gap": v.parse_points,
            "balance": v.parse_flag,
            "stretch": v.parse_flag,
            "fit": v.make_choice("none", "box"),
            "min": v.parse_size,
            "max": v.parse_size,
        },
    ),
}

FACE_ELEMENTS = tuple(name for name in ELEMENTS if name not in ("tr", "td"))
FIGURES = ("circle", "ellipse", "polygon", "star", "arc")

# Attributes that choose one of a few things by name or number: what differs from card to card in
# nothing else looks only a few ways.
CHOICES = frozenset(
    {
        *("fill", "stroke", "dark", "colour", "style", "rule", "stripe", "head"),
        *(
            "name",
            "form",
            "turn",
            "opacity",
            "blend",
            "shadow",
            "glow",
            "direction",
            "bleed",
            "align",
            "justify",
            "clip",
            "aligns",
            "valign",
            "balance",
        ),
        *("weight", "bold", "italic", "hyphenate", "underline", "strike", "outline"),
    }
)
