"""The element for running text in columns.

docs/template-format.md describes it. Knows nothing of Markdown or of how columns are filled.
"""

from __future__ import annotations

from dataclasses import replace

from cardgen.colour import WHITE
from cardgen.template import values as v
from cardgen.template.attributes import PLACE, Kind, Values, pick, read_place
from cardgen.template.model import FlowSpec, Style
from cardgen.template.values import DEFAULT_SMALLEST, Reader, ValueProblem

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
        raise ValueProblem("band-fill and band-radius need a band", 'as in band="1mm 2mm"')
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
                raise ValueProblem(f"{name} needs a fit", 'add fit="box"')
        return body.size, body.size
    smallest = given.get("min", min(DEFAULT_SMALLEST, body.size))
    largest = given.get("max", body.size)
    if smallest > body.size:
        raise ValueProblem(f"min {smallest:g}pt is above the style's size of {body.size:g}pt")
    if largest < body.size:
        raise ValueProblem(f"max {largest:g}pt is below the style's size of {body.size:g}pt")
    return smallest, largest


FLOW = Kind({**PLACE, **_FLOW}, "text", _build_flow)
