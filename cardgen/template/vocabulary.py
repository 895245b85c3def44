"""The vocabulary of the template language: each element, its attributes, and the spec they make.

docs/template-format.md describes every one of them. Knows nothing of XML files or cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from cardgen.core.colour import WHITE
from cardgen.core.errors import Problem, Refusal
from cardgen.template import values as v
from cardgen.template.model import (
    BoxSpec,
    CellSpec,
    FlowSpec,
    Ground,
    GuillocheSpec,
    IconSpec,
    ImageSpec,
    Ink,
    LineSpec,
    PathSpec,
    Place,
    PlaitSpec,
    RaysSpec,
    RoseSpec,
    RowSpec,
    Spec,
    StackSpec,
    Style,
    TableSpec,
    TextSpec,
)
from cardgen.template.source import SourceElement
from cardgen.template.values import DEFAULT_SMALLEST, Reader

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


def check_room(source: SourceElement, parent: str) -> Iterator[Problem]:
    """What an element says of its place must have a meaning where it stands."""
    stacked = parent in ("column", "row")
    for name in ("x", "y", "right", "bottom", "bleed"):
        if stacked and name in source.attributes:
            yield Problem(
                "template/todo",
                f'"{name}" has no meaning in a <{parent}>',
                source.place_of(name),
                f"a {parent} places its elements itself: by gap, padding and align",
            )
    if not stacked and "grow" in source.attributes:
        yield Problem(
            "template/todo",
            f'"grow" has no meaning in a <{parent}>',
            source.place_of("grow"),
            "put the element into a <column> or <row>",
        )
    for said in (("x", "width", "right"), ("y", "height", "bottom")):
        if set(said) <= source.attributes.keys():
            yield Problem(
                "template/todo",
                f'"{said[0]}", "{said[1]}" and "{said[2]}" say too much',
                source.place_of(said[2]),
                "leave one of them out",
            )
    if (
        parent == "row"
        and source.tag in ("icon", "image")
        and not ({"width", "height", "grow"} & source.attributes.keys())
    ):
        yield Problem(
            "template/todo",
            f"an <{source.tag}> in a row needs a width or a height",
            source.where,
            'as in width="6mm"',
        )
    fit = source.attributes.get("fit")
    sized = {"height", "grow"} & source.attributes.keys()
    if (
        parent == "column"
        and source.tag in ("text", "flow")
        and fit in ("box", "deck")
        and not sized
    ):
        yield Problem(
            "template/todo",
            f'fit="{fit}" needs a room of known height',
            source.place_of("fit"),
            'add grow="1" or height="…"',
        )


_FLOW: dict[str, Reader] = {
    "style": v.read_style,
    "h1": v.read_style,
    "h2": v.read_style,
    "h3": v.read_style,
    "after-heading": v.read_share,
    "sections": v.read_sections,
    "band": v.read_insets,
    "band-fill": v.read_colour,
    "band-radius": v.read_points,
    "table": v.read_style,
    "table-head": v.read_style,
    "row-padding": v.read_points,
    "rule": v.read_stroke,
    "rule-width": v.read_points,
    "stripe": v.read_stroke,
    "bullet": v.read_text,
    "columns": v.read_whole,
    "gap": v.read_points,
    "balance": v.read_flag,
    "stretch": v.read_flag,
    "fit": v.read_choice("none", "box"),
    "min": v.read_size,
    "max": v.read_size,
}


def _build_flow(given: Values) -> FlowSpec:
    body: Style = given.get("style", Style())
    table = given.get("table", body)
    smallest, largest = _read_sizes(given, body)
    if "band" not in given and ("band-fill" in given or "band-radius" in given):
        raise Refusal(
            "template/todo", "band-fill and band-radius need a band", 'as in band="1mm 2mm"'
        )
    return FlowSpec(
        body,
        _read_headings(given, body),
        table,
        given.get("table-head", replace(table, weight=table.bold)),
        smallest=smallest,
        largest=largest,
        row_padding=given.get("row-padding", table.size * 0.2),
        place=read_place(given),
        **pick(given, "after-heading", "sections", "band", "band-fill", "band-radius"),
        **pick(given, "rule", "rule-width", "stripe", "bullet"),
        **pick(given, "columns", "gap", "balance", "stretch"),
    )


def _read_headings(given: Values, body: Style) -> tuple[Style, Style, Style]:
    plain = replace(body, weight=body.bold)
    first = replace(plain, size=body.size * 1.5)
    if "band" in given:
        first = replace(first, colour=WHITE)
    return (
        given.get("h1", first),
        given.get("h2", replace(plain, size=body.size * 1.25)),
        given.get("h3", plain),
    )


def _read_sizes(given: Values, body: Style) -> tuple[float, float]:
    """The smallest and the largest size of the body."""
    if given.get("fit", "none") == "none":
        for name in ("min", "max"):
            if name in given:
                raise Refusal("template/todo", f"{name} needs a fit", 'add fit="box"')
        return body.size, body.size
    smallest = given.get("min", min(DEFAULT_SMALLEST, body.size))
    largest = given.get("max", body.size)
    if smallest > body.size:
        raise Refusal(
            "template/todo", f"min {smallest:g}pt is above the style's size of {body.size:g}pt"
        )
    if largest < body.size:
        raise Refusal(
            "template/todo", f"max {largest:g}pt is below the style's size of {body.size:g}pt"
        )
    return smallest, largest


FLOW = Kind({**PLACE, **_FLOW}, "text", _build_flow)


def _read_seen(given: Values) -> Ink:
    ink = read_ink(given)
    if ink.fill is None and ink.stroke is None:
        raise Refusal(
            "template/todo", "a shape without fill and stroke is not seen", 'add stroke="black"'
        )
    return ink


def _build_line(given: Values) -> LineSpec:
    return LineSpec(
        given.get("stroke", Style().colour),
        given.get("stroke-width", 0.5),
        given.get("direction", "across") == "down",
        given.get("dash", ()),
        read_place(given),
    )


def _build_path(given: Values) -> PathSpec:
    return PathSpec(given["d"], _read_seen(given), given.get("view"), read_place(given))


def _build_guilloche(given: Values) -> GuillocheSpec:
    more = pick(given, "inner", "thickness")
    form, waves, strands = given["form"], given["waves"], given["strands"]
    if form == "band" and not more.get("thickness"):
        raise Refusal("template/todo", "a band has no thickness", 'add thickness="5mm"')
    return GuillocheSpec(form, waves, strands, _read_seen(given), place=read_place(given), **more)


def _build_plait(given: Values) -> PlaitSpec:
    more = pick(given, "hole", "ribbon")
    columns, rows = given["columns"], given["rows"]
    return PlaitSpec(columns, rows, _read_seen(given), place=read_place(given), **more)


def _build_rose(given: Values) -> RoseSpec:
    more = pick(given, "dark", "inner")
    return RoseSpec(given["points"], _read_seen(given), place=read_place(given), **more)


def _build_rays(given: Values) -> RaysSpec:
    return RaysSpec(
        given["count"], _read_seen(given), place=read_place(given), **pick(given, "inner")
    )


_SHAPE: dict[str, Reader] = {**PLACE, **INK}

SHAPES: dict[str, Kind] = {
    "line": Kind(
        {
            **PLACE,
            "stroke": v.read_colour,
            "stroke-width": v.read_points,
            "dash": v.read_dash,
            "direction": v.read_choice("across", "down"),
        },
        "nothing",
        _build_line,
    ),
    "path": Kind(
        {**_SHAPE, "d": v.read_text, "view": v.read_view},
        "nothing",
        _build_path,
        required=("d",),
    ),
    "guilloche": Kind(
        {
            **_SHAPE,
            "form": v.read_choice("rosette", "band", "ground"),
            "waves": v.read_whole,
            "strands": v.read_whole,
            "inner": v.read_part,
            "thickness": v.read_points,
        },
        "nothing",
        _build_guilloche,
        required=("form", "waves", "strands"),
    ),
    "plait": Kind(
        {
            **_SHAPE,
            "columns": v.read_whole,
            "rows": v.read_whole,
            "hole": v.read_hole,
            "ribbon": v.read_part,
        },
        "nothing",
        _build_plait,
        required=("columns", "rows"),
    ),
    "rose": Kind(
        {**_SHAPE, "points": v.read_whole, "dark": v.read_paint, "inner": v.read_part},
        "nothing",
        _build_rose,
        required=("points",),
    ),
    "rays": Kind(
        {**_SHAPE, "count": v.read_count, "inner": v.read_part},
        "nothing",
        _build_rays,
        required=("count",),
    ),
}


def _build_box(given: Values) -> BoxSpec:
    return BoxSpec(read_place(given), read_ground(given), **pick(given, "padding", "turn"))


def _build_stack(down: bool) -> Callable[[Values], Spec]:
    def build(given: Values) -> StackSpec:
        more = pick(given, "padding", "gap", "align")
        return StackSpec(down, read_place(given), read_ground(given), **more)

    return build


def _build_text(given: Values) -> TextSpec:
    style = make_style(given.get("style", Style()), given)
    fit = given.get("fit", "none")
    if fit == "none" and ("min" in given or "max" in given):
        raise Refusal(
            "template/todo", "min and max need a fit", 'add fit="line", fit="box" or fit="deck"'
        )
    smallest = style.size if fit == "none" else given.get("min", min(DEFAULT_SMALLEST, style.size))
    largest = given.get("max", style.size)
    if smallest > style.size or largest < style.size:
        raise Refusal(
            "template/todo",
            f"the style's size of {style.size:g}pt is not between"
            f" min {smallest:g}pt and max {largest:g}pt",
        )
    return TextSpec(style, read_place(given), fit, smallest, largest, **pick(given, "valign"))


def _build_image(given: Values) -> ImageSpec:
    return ImageSpec(given["file"], read_place(given), **pick(given, "fit", "radius"))


def _build_icon(given: Values) -> IconSpec:
    style: Style = given.get("style", Style())
    return IconSpec(given["name"], given.get("fill", style.colour), read_place(given))


def _build_table(given: Values) -> TableSpec:
    style = given.get("style", Style())
    return TableSpec(
        style,
        given.get("head", replace(style, weight=style.bold)),
        given["columns"],
        given.get("aligns", ()),
        read_place(given),
        **pick(given, "gap", "row-padding", "rule", "rule-width", "stripe"),
    )


def _build_row(given: Values) -> RowSpec:
    return RowSpec(given.get("head", False))


def _build_cell(given: Values) -> CellSpec:
    style = given.get("style")
    return CellSpec(style, given.get("align"), given.get("span", 1))


_STACK: dict[str, Reader] = {**CONTAINER, "gap": v.read_points, "align": v.read_across}
_TEXT: dict[str, Reader] = {
    **PLACE,
    **STYLE,
    "style": v.read_style,
    "fit": v.read_choice("none", "line", "box", "deck"),
    "min": v.read_size,
    "max": v.read_size,
    "valign": v.read_choice("top", "middle", "bottom"),
}

ELEMENTS: dict[str, Kind] = {
    "box": Kind({**CONTAINER, "turn": v.read_turn}, "elements", _build_box),
    "column": Kind(_STACK, "elements", _build_stack(down=True)),
    "row": Kind(_STACK, "elements", _build_stack(down=False)),
    "text": Kind(_TEXT, "text", _build_text),
    "image": Kind(
        {
            **PLACE,
            "file": v.read_text,
            "fit": v.read_choice("cover", "contain"),
            "radius": v.read_points,
        },
        "nothing",
        _build_image,
        required=("file",),
    ),
    "icon": Kind(
        {**PLACE, "name": v.read_text, "style": v.read_style, "fill": v.read_paint},
        "nothing",
        _build_icon,
        required=("name",),
    ),
    **SHAPES,
    "table": Kind(
        {
            **PLACE,
            "style": v.read_style,
            "head": v.read_style,
            "columns": v.read_columns,
            "aligns": v.read_aligns,
            "gap": v.read_points,
            "row-padding": v.read_points,
            "rule": v.read_stroke,
            "rule-width": v.read_points,
            "stripe": v.read_stroke,
        },
        "elements",
        _build_table,
        required=("columns",),
        children=("tr",),
    ),
    "tr": Kind({"head": v.read_flag}, "elements", _build_row, children=("td",)),
    "td": Kind(
        {"style": v.read_style, "align": v.read_align, "span": v.read_whole}, "text", _build_cell
    ),
    "flow": FLOW,
}

FACE_ELEMENTS = tuple(name for name in ELEMENTS if name not in ("tr", "td"))

# MERGED: The attributes that many elements share, and what the definition of an element consists of.
#
#   Turns read attributes into places, grounds and styles. Knows nothing of the single elements.
#
# MERGED: What an element says of its place, judged by what it stands in: a card's face, a column or a row.
#
#   Turns a source element and its parent's tag into problems. Knows nothing of expressions or cards.
#
# MERGED: The element for running text in columns.
#
#   docs/template-format.md describes it. Knows nothing of Markdown or of how columns are filled.
#
# MERGED: The elements that draw shapes: lines, paths and the ornaments of card backs.
#
#   docs/template-format.md describes every one of them. Knows nothing of the geometry behind them.
#
