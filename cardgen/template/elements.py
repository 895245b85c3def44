"""The vocabulary of the template language: each element, its attributes, and the spec they make.

docs/template-format.md describes every one of them. Knows nothing of XML files or cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cardgen.template import values as v
from cardgen.template.attributes import (
    CONTAINER,
    PLACE,
    STYLE,
    Kind,
    Values,
    make_style,
    pick,
    read_ground,
    read_place,
)
from cardgen.template.flows import FLOW
from cardgen.template.model import (
    BoxSpec,
    CellSpec,
    IconSpec,
    ImageSpec,
    RowSpec,
    Spec,
    StackSpec,
    Style,
    TableSpec,
    TextSpec,
)
from cardgen.template.shapes import SHAPES
from cardgen.template.values import DEFAULT_SMALLEST, Reader, ValueProblem


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
        raise ValueProblem("min and max need a fit", 'add fit="line", fit="box" or fit="deck"')
    smallest = style.size if fit == "none" else given.get("min", min(DEFAULT_SMALLEST, style.size))
    largest = given.get("max", style.size)
    if smallest > style.size or largest < style.size:
        raise ValueProblem(
            f"the style's size of {style.size:g}pt is not between"
            f" min {smallest:g}pt and max {largest:g}pt"
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
