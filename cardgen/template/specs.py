"""The values of an element's attributes made into its spec.

What a template leaves out is filled in here; what contradicts itself is refused. Knows nothing of
XML, expressions or cards.
"""

from __future__ import annotations

from typing import Any

from cardgen.core.colour import WHITE
from cardgen.core.errors import Refusal
from cardgen.core.units import format_pt
from cardgen.template.figures import (
    RING_INNER,
    STAR_INNER,
    Arc,
    Corners,
    Figure,
    Regular,
    Round,
)
from cardgen.template.model import (
    Align,
    Bounds,
    BoxSpec,
    CellSpec,
    CodeSpec,
    Effect,
    FirstSpec,
    FlowSpec,
    Ground,
    GuillocheSpec,
    IconSpec,
    ImageSpec,
    Ink,
    LineSpec,
    Long,
    PathSpec,
    Place,
    PlaitSpec,
    RaysSpec,
    RoseSpec,
    RowSpec,
    ShapeSpec,
    StackSpec,
    Style,
    TableSpec,
    TextSpec,
)

Values = dict[str, Any]

DEFAULT_SMALLEST = 6.0  # points, where a text is fitted and no `min` given
_PLACE = Place._fields
_EFFECT = Effect._fields
_BOUNDS = tuple(name.replace("_", "-") for name in Bounds._fields)
_STYLE = tuple(name for name in Style._fields if name not in ("name", "where"))


def _pick(given: Values, *names: str) -> Values:
    return {name.replace("-", "_"): given[name] for name in names if name in given}


def _make_place(given: Values) -> Place:
    if "inset" in given:
        given = _take_inset(given)
    told = _pick(given, *_EFFECT)
    effect = Effect(**told) if told else None
    limits = _pick(given, *_BOUNDS)
    return Place(
        **_pick(given, *_PLACE),
        effect=None if effect == Effect() else effect,
        bounds=_make_bounds(limits) if limits else None,
    )


def _make_bounds(limits: Values) -> Bounds:
    bounds = Bounds(**limits)
    pairs = {
        "width": (bounds.min_width, bounds.max_width),
        "height": (bounds.min_height, bounds.max_height),
    }
    for side, (least, most) in pairs.items():
        if least is None or most is None or least.share or most.share:
            continue  # what is a share of the room is known when there is some
        if least.points > most.points:
            raise Refusal(
                "template/bounds-crossed",
                f"min-{side} is more than max-{side}",
                "exchange them",
                {"side": side},
            )
    return bounds


def _take_inset(given: Values) -> Values:
    """Return the edges that an inset says, where nothing else says them."""
    top, right, bottom, left = given["inset"]
    edges = {"x": left, "y": top, "right": right, "bottom": bottom}
    for near, far, extent in (("x", "right", "width"), ("y", "bottom", "height")):
        if extent in given:
            del edges[near if far in given else far]
    return {**edges, **given}


def _make_ink(given: Values) -> Ink:
    return Ink(**_pick(given, "fill", "stroke", "stroke-width", "dash", "cap", "join"))


def _make_ground(given: Values) -> Ground:
    return Ground(_make_ink(given), **_pick(given, "radius", "clip"))


def make_style(base: Style, given: Values) -> Style:
    """Return a style with some of its attributes said anew."""
    changes = _pick(given, *_STYLE)
    if "font" in given:
        changes["fonts"] = given["font"]
    align = given.get("align")
    if isinstance(align, tuple):
        changes["align"], lines, long = align
        changes["long"] = Long(lines, long, _choose_balance(base, given, long))
    elif align is not None:
        changes["long"] = None
    elif base.long is not None and "balance" in given:
        changes["long"] = base.long._replace(balance=given["balance"])
    if align is not None:
        changes["balance"] = _choose_balance(base, given, changes["align"])
    return base._replace(**changes) if changes else base


def _choose_balance(base: Style, given: Values, align: Align) -> bool:
    """Return whether lines are made equally long where a style says how they stand.

    Text in the middle of its measure reads best so, unless the template says otherwise.
    """
    if "balance" in given:
        return bool(given["balance"])
    return align == "centre" or (base.balance and base.align != "centre")


# Containers, texts and pictures


def make_box(given: Values) -> BoxSpec:
    return BoxSpec(_make_place(given), _make_ground(given), **_pick(given, "padding"))


def make_column(given: Values) -> StackSpec:
    return _make_stack(given, down=True)


def make_row(given: Values) -> StackSpec:
    return _make_stack(given, down=False)


def _make_stack(given: Values, *, down: bool) -> StackSpec:
    more = _pick(given, "padding", "gap", "align", "justify")
    return StackSpec(down, _make_place(given), _make_ground(given), **more)


def make_first(given: Values) -> FirstSpec:
    return FirstSpec(_make_place(given), **_pick(given, "fit"))


def make_text(given: Values) -> TextSpec:
    style = make_style(given.get("style", Style()), given)
    fit = given.get("fit", "none")
    if fit == "none" and ("min" in given or "max" in given):
        raise Refusal(
            "template/missing-attribute",
            "min and max need a fit",
            'add fit="line", fit="box" or fit="deck"',
        )
    if fit in ("box", "deck") and given.get("path"):
        raise Refusal(
            "template/no-meaning",
            f'fit="{fit}" has no meaning along a path',
            'write fit="line"',
            {"name": "fit"},
        )
    smallest = style.size if fit == "none" else given.get("min", min(DEFAULT_SMALLEST, style.size))
    largest = given.get("max", style.size)
    if smallest > style.size or largest < style.size:
        raise Refusal(
            "template/size-range",
            f"the style's size of {style.size:g}pt is not between"
            f" min {smallest:g}pt and max {largest:g}pt",
            details={"size": style.size, "min": smallest, "max": largest},
        )
    if style.outline is not None and style.outline.width > style.size:
        raise Refusal(
            "template/out-of-range",
            f"the outline of {format_pt(style.outline.width)} is broader than the letters are"
            f" large, {format_pt(style.size)}",
            "write a narrower one, as in 1pt",
            {"most": style.size},
        )
    return TextSpec(
        style,
        _make_place(given),
        fit,
        smallest,
        largest,
        **_pick(given, "valign", "heading", "alt", "path"),
    )


def make_image(given: Values) -> ImageSpec:
    bleed = given.get("bleed", "false")
    place = _make_place({**given, "bleed": bleed != "false"})
    told = _pick(given, "fit", "radius", "alt", "missing", "tint", "greyscale", "mask")
    tiled, size = given.get("fit") == "tile", given.get("tile-size", 0.0)
    if tiled != ("tile-size" in given):
        raise Refusal(
            "template/missing-attribute",
            'fit="tile" and tile-size need each other',
            'as in fit="tile" tile-size="20mm"',
        )
    run_on = bleed if bleed in ("mirror", "stretch") else None
    if tiled and run_on:
        raise Refusal(
            "template/no-meaning",
            f'bleed="{run_on}" has no meaning for a picture that is repeated',
            'write bleed="true", and it is repeated into the bleed',
            {"name": "bleed"},
        )
    return ImageSpec(given["file"], place, tile=size, run_on=run_on, **told)


def make_icon(given: Values) -> IconSpec:
    style: Style = given.get("style", Style())
    paint = None if given.get("colours") == "keep" else given.get("fill", style.colour)
    name = given["name"].removesuffix(".svg")
    return IconSpec(name, paint, _make_place(given), **_pick(given, "alt", "missing"))


def make_code(given: Values) -> CodeSpec:
    told = _pick(given, "level", "fill", "ground", "digits", "style", "alt")
    return CodeSpec(given["kind"], given["text"], place=_make_place(given), **told)


# Tables


def make_table(given: Values) -> TableSpec:
    style = given.get("style", Style())
    return TableSpec(
        style,
        given.get("head", style._replace(weight=style.bold)),
        given["columns"],
        given.get("aligns", ()),
        _make_place(given),
        **_pick(given, "gap", "row-padding", "rule", "rule-width", "stripe"),
    )


def make_table_row(given: Values) -> RowSpec:
    return RowSpec(given.get("head", False))


def make_cell(given: Values) -> CellSpec:
    return CellSpec(given.get("style"), given.get("align"), given.get("span", 1))


# Running text


def make_flow(given: Values) -> FlowSpec:
    body: Style = given.get("style", Style())
    table = given.get("table", body)
    smallest, largest = _choose_sizes(given, body)
    if "band" not in given and ("band-fill" in given or "band-radius" in given):
        raise Refusal(
            "template/missing-attribute",
            "band-fill and band-radius need a band",
            'as in band="1mm 2mm"',
        )
    return FlowSpec(
        body,
        _make_headings(given, body),
        table,
        given.get("table-head", table._replace(weight=table.bold)),
        smallest=smallest,
        largest=largest,
        row_padding=given.get("row-padding", table.size * 0.2),
        place=_make_place(given),
        **_pick(given, "after-heading", "sections", "band", "band-fill", "band-radius"),
        **_pick(given, "rule", "rule-width", "stripe", "bullet"),
        **_pick(given, "columns", "gap", "balance", "stretch"),
    )


def _make_headings(given: Values, body: Style) -> tuple[Style, Style, Style]:
    plain = body._replace(weight=body.bold)
    first = plain._replace(size=body.size * 1.5)
    if "band" in given:
        first = first._replace(colour=WHITE)
    return (
        given.get("h1", first),
        given.get("h2", plain._replace(size=body.size * 1.25)),
        given.get("h3", plain),
    )


def _choose_sizes(given: Values, body: Style) -> tuple[float, float]:
    """Return the smallest and the largest size of the body."""
    if given.get("fit", "none") == "none":
        for name in ("min", "max"):
            if name in given:
                raise Refusal("template/missing-attribute", f"{name} needs a fit", 'add fit="box"')
        return body.size, body.size
    smallest = given.get("min", min(DEFAULT_SMALLEST, body.size))
    largest = given.get("max", body.size)
    if smallest > body.size:
        raise Refusal(
            "template/size-range",
            f"min {smallest:g}pt is above the style's size of {body.size:g}pt",
            details={"size": body.size, "min": smallest, "max": largest},
        )
    if largest < body.size:
        raise Refusal(
            "template/size-range",
            f"max {largest:g}pt is below the style's size of {body.size:g}pt",
            details={"size": body.size, "min": smallest, "max": largest},
        )
    return smallest, largest


# Shapes


def _make_visible(given: Values) -> Ink:
    ink = _make_ink(given)
    if ink.fill is None and ink.stroke is None:
        raise Refusal(
            "template/invisible-shape",
            "a shape without fill and stroke is not seen",
            'add stroke="black"',
        )
    return ink


def make_line(given: Values) -> LineSpec:
    return LineSpec(
        given.get("stroke", Style().colour),
        given.get("stroke-width", 0.5),
        given.get("direction", "across") == "down",
        given.get("dash", ()),
        _make_place(given),
        **_pick(given, "cap"),
    )


def make_path(given: Values) -> PathSpec:
    return PathSpec(given["d"], _make_visible(given), given.get("view"), _make_place(given))


def _make_shape(figure: Figure, given: Values) -> ShapeSpec:
    ink = _make_ink(given) if given.get("clip") else _make_visible(given)
    return ShapeSpec(figure, ink, _make_place(given), **_pick(given, "padding", "clip"))


def make_circle(given: Values) -> ShapeSpec:
    return _make_shape(Round(), given)


def make_ellipse(given: Values) -> ShapeSpec:
    return _make_shape(Round(even=False), given)


def make_polygon(given: Values) -> ShapeSpec:
    if ("sides" in given) == ("points" in given):
        raise Refusal(
            "template/missing-attribute",
            "a polygon has either sides or points",
            'add sides="6", or points="0,0 10,0 5,8"',
        )
    if "sides" in given:
        for name in given.keys() & {"view"}:
            raise _refuse_vain(name, "a regular polygon", "it is as large as its box allows")
        return _make_shape(Regular(given["sides"], **_pick(given, "angle", "radius")), given)
    for name in given.keys() & {"angle"}:
        raise _refuse_vain(name, "a polygon of points", "move the points")
    return _make_shape(Corners(given["points"], **_pick(given, "view", "radius")), given)


def make_star(given: Values) -> ShapeSpec:
    inner = given.get("inner", STAR_INNER)
    return _make_shape(Regular(given["points"], inner, **_pick(given, "angle", "radius")), given)


def make_arc(given: Values) -> ShapeSpec:
    kind = given.get("kind", "line")
    start, end = given["from"], given["to"]
    if kind == "line" and given.get("fill") is not None:
        raise _refuse_vain("fill", "an arc that is a line", 'add kind="pie", "chord" or "ring"')
    if kind != "ring" and "inner" in given:
        raise _refuse_vain("inner", f"a {kind}", 'add kind="ring"')
    while end < start:  # clockwise, through the top
        end += 360
    return _make_shape(Arc(start, end, kind, given.get("inner", RING_INNER)), given)


def _refuse_vain(name: str, holder: str, cure: str) -> Refusal:
    message = f'"{name}" has no meaning in {holder}'
    return Refusal("template/no-meaning", message, cure, {"name": name})


def make_guilloche(given: Values) -> GuillocheSpec:
    more = _pick(given, "inner", "thickness")
    form, waves, strands = given["form"], given["waves"], given["strands"]
    if form == "band" and not more.get("thickness"):
        raise Refusal(
            "template/missing-attribute", "a band has no thickness", 'add thickness="5mm"'
        )
    ink = _make_visible(given)
    return GuillocheSpec(form, waves, strands, ink, place=_make_place(given), **more)


def make_plait(given: Values) -> PlaitSpec:
    return PlaitSpec(
        given["columns"],
        given["rows"],
        _make_visible(given),
        place=_make_place(given),
        **_pick(given, "hole", "ribbon"),
    )


def make_rose(given: Values) -> RoseSpec:
    more = _pick(given, "dark", "inner")
    return RoseSpec(given["points"], _make_visible(given), place=_make_place(given), **more)


def make_rays(given: Values) -> RaysSpec:
    more = _pick(given, "inner")
    return RaysSpec(given["count"], _make_visible(given), place=_make_place(given), **more)
