"""The vocabulary of the template language: each element, its attributes, and the spec they make.

docs/template-format.md describes every one of them. Knows nothing of XML files or cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from cardgen.template import values as v
from cardgen.template.model import (
    BoxSpec,
    CellSpec,
    FlowSpec,
    Ground,
    IconSpec,
    ImageSpec,
    LineSpec,
    Place,
    RowSpec,
    Spec,
    StackSpec,
    Style,
    TableSpec,
    TextSpec,
)
from cardgen.template.values import Reader, ValueProblem

Content = Literal["elements", "text", "nothing"]
Values = dict[str, Any]

DEFAULT_SMALLEST = 6.0

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
GROUND: dict[str, Reader] = {
    "fill": v.read_paint,
    "stroke": v.read_stroke,
    "stroke-width": v.read_points,
    "dash": v.read_dash,
    "radius": v.read_points,
}
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
    styled: bool = False


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


def _pick(kind: type[Any], given: Values) -> dict[str, Any]:
    known = {item.name for item in fields(kind)}
    named = {name.replace("-", "_"): value for name, value in given.items()}
    return {name: value for name, value in named.items() if name in known}


def _place(given: Values) -> Place:
    return Place(**_pick(Place, given))


def _ground(given: Values) -> Ground:
    return Ground(**_pick(Ground, given))


def _build_box(given: Values) -> BoxSpec:
    return BoxSpec(_place(given), _ground(given), **_pick_only(given, "padding"))


def _pick_only(given: Values, *names: str) -> dict[str, Any]:
    return {name.replace("-", "_"): given[name] for name in names if name in given}


def _build_stack(down: bool) -> Callable[[Values], Spec]:
    def build(given: Values) -> StackSpec:
        more = _pick_only(given, "padding", "gap", "align")
        return StackSpec(down, _place(given), _ground(given), **more)

    return build


def _build_text(given: Values) -> TextSpec:
    style = make_style(given.get("style", Style()), given)
    fit = given.get("fit", "none")
    if fit == "none" and ("min" in given or "max" in given):
        raise ValueProblem("min and max need a fit", 'add fit="line", fit="box" or fit="deck"')
    smallest = style.size if fit == "none" else given.get("min", min(DEFAULT_SMALLEST, style.size))
    largest = given.get("max", style.size)
    if smallest > style.size or largest < style.size:
        raise ValueProblem(
            f"the style's size of {style.size:g}pt is not between"
            f" min {smallest:g}pt and max {largest:g}pt"
        )
    return TextSpec(style, _place(given), fit, smallest, largest, **_pick_only(given, "valign"))


def _build_image(given: Values) -> ImageSpec:
    return ImageSpec(given["file"], _place(given), **_pick_only(given, "fit", "radius"))


def _build_icon(given: Values) -> IconSpec:
    style: Style = given.get("style", Style())
    return IconSpec(given["name"], given.get("fill", style.colour), _place(given))


def _build_line(given: Values) -> LineSpec:
    style = Style()
    return LineSpec(
        given.get("stroke", style.colour),
        given.get("stroke-width", 0.5),
        given.get("direction", "across") == "down",
        given.get("dash", ()),
        _place(given),
    )


def _build_table(given: Values) -> TableSpec:
    style = given.get("style", Style())
    return TableSpec(
        style,
        given.get("head", replace(style, weight=style.bold)),
        given["columns"],
        given.get("aligns", ()),
        _place(given),
        **_pick_only(given, "gap", "row-padding", "rule", "rule-width", "stripe"),
    )


def _build_row(given: Values) -> RowSpec:
    return RowSpec(given.get("head", False))


def _build_cell(given: Values) -> CellSpec:
    style = given.get("style")
    return CellSpec(style, given.get("align"), given.get("span", 1))


def _build_flow(given: Values) -> FlowSpec:
    body: Style = given.get("style", Style())
    heading = replace(body, weight=body.bold)
    sizes = [replace(heading, size=body.size * scale) for scale in (1.5, 1.25, 1.0)]
    headings = tuple(given.get(f"h{n + 1}", sizes[n]) for n in range(3))
    table = given.get("table", body)
    fit = given.get("fit", "none")
    if fit == "none" and "min" in given:
        raise ValueProblem("min needs a fit", 'add fit="box"')
    smallest = body.size if fit == "none" else given.get("min", min(DEFAULT_SMALLEST, body.size))
    if smallest > body.size:
        raise ValueProblem(f"min {smallest:g}pt is above the style's size of {body.size:g}pt")
    return FlowSpec(
        body,
        (headings[0], headings[1], headings[2]),
        table,
        given.get("table-head", replace(table, weight=table.bold)),
        given.get("columns", 1),
        given.get("gap", 14.0),
        fit,
        smallest,
        given.get("balance", True),
        given.get("bullet", "•"),
        given.get("rule"),
        given.get("stripe"),
        _place(given),
    )


_FLOW: dict[str, Reader] = {
    "style": v.read_style,
    "h1": v.read_style,
    "h2": v.read_style,
    "h3": v.read_style,
    "table": v.read_style,
    "table-head": v.read_style,
    "columns": v.read_whole,
    "gap": v.read_points,
    "fit": v.read_choice("none", "box"),
    "min": v.read_size,
    "balance": v.read_flag,
    "bullet": v.read_text,
    "rule": v.read_stroke,
    "stripe": v.read_stroke,
}

_CONTAINER: dict[str, Reader] = {**PLACE, **GROUND, "padding": v.read_insets}
_STACK: dict[str, Reader] = {**_CONTAINER, "gap": v.read_points, "align": v.read_across}
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
    "box": Kind(_CONTAINER, "elements", _build_box),
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
    "flow": Kind({**PLACE, **_FLOW}, "text", _build_flow),
}

FACE_ELEMENTS = tuple(name for name in ELEMENTS if name not in ("tr", "td"))
