"""The elements that draw shapes: lines, paths and the ornaments of card backs.

docs/template-format.md describes every one of them. Knows nothing of the geometry behind them.
"""

from __future__ import annotations

from cardgen.template import values as v
from cardgen.template.attributes import INK, PLACE, Kind, Values, pick, read_ink, read_place
from cardgen.template.model import (
    GuillocheSpec,
    Ink,
    LineSpec,
    PathSpec,
    PlaitSpec,
    RaysSpec,
    RoseSpec,
    Style,
)
from cardgen.template.values import Reader, ValueProblem


def _read_seen(given: Values) -> Ink:
    ink = read_ink(given)
    if ink.fill is None and ink.stroke is None:
        raise ValueProblem("a shape without fill and stroke is not seen", 'add stroke="black"')
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
        raise ValueProblem("a band has no thickness", 'add thickness="5mm"')
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
