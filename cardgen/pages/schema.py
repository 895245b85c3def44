"""The keys of a target as a JSON Schema, made from the fields of Target and their types.

What a schema cannot say is left to the reader: what does not go together. It refuses nothing that
the reader accepts. Must not know of editors, nor of files.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

from cardgen.geometry import Insets, Size
from cardgen.pages.target import CARD_PAPER, NAME_FIELDS, Target
from cardgen.pages.target_check import PLAIN
from cardgen.pages.target_reader import MOST_DPI, MOST_INK, MOST_LANES
from cardgen.sizes import CARD_SIZES, PAPER_SIZES

Schema = dict[str, Any]

# As docs/targets.md has them.
MEANINGS = {
    "extends": "the target that this one changes",
    "title": "what the target is for; for people, no page shows it",
    "paper": (
        'the paper, by name or spelled out, as in `"a4"`, `"a4 landscape"` or '
        '`"330mm x 480mm"`; or that of the card'
    ),
    "orientation": '`"best"` lets the paper lie on its side where more cards fit so',
    "margin": "where the printer reaches no card and no mark; the bleed may run into it",
    "columns": "how many cards lie side by side",
    "rows": "how many cards lie one below the other",
    "gap_x": "the gutter between neighbours side by side",
    "gap_y": "the gutter between neighbours one below the other",
    "imposition": (
        "cards in rows; fronts beside their backs, to be folded; or all faces small, numbered"
    ),
    "fold": "the axis of a gutterfold",
    "gutter": "what lies between the two halves of a gutterfold",
    "bleed_x": "how much of a template's bleed shows at the left and right",
    "bleed_y": "how much of a template's bleed shows above and below",
    "back_bleed_x": "`bleed_x` of the backs, which a printer may shift",
    "back_bleed_y": "`bleed_y` of the backs",
    "full_bleed": "whether a template with less bleed than the target shows is an error",
    "safe": "how far from the trim a text must stay; 0 means that it is not checked",
    "duplex": "over which edge the printer turns the sheet",
    "order": "the order of the pages: in pairs, or all fronts first",
    "backs": '`"once"` writes backs that look the same as one page',
    "marks": "crop marks, the registration marks of a cutter, or none",
    "marks_on": "whether the backs have them too",
    "mark_length": "how long a mark is where there is room",
    "mark_offset": "how far it stays from the trim",
    "mark_weight": "how thick it is",
    "slug": "whether a line outside the cards names deck, date or version, page and target",
    "format": "a PDF, a folder of pictures, or a deck for Tabletop Simulator",
    "dpi": (
        "how many pixels a picture has on an inch; of pictures within a PDF "
        "the least that prints well"
    ),
    "corners": "the radius of the cards' corners: cut out of pictures, or for a cutter",
    "names": (
        "what pictures are called; the fields are `{deck}`, `{target}`, "
        "`{place}`, `{card}`, `{copy}` and `{side}`"
    ),
    "zip": "whether all is packed into one file",
    "flavour": "whether the PDF is PDF/X-4 or PDF/X-1a:2003",
    "text": "whether text is text, or drawn as paths",
    "colour": "colours as the template and the pictures say, CMYK through the profile, or grey",
    "profile": "the ICC profile of the press, a file in `profiles/`",
    "total_ink": "the most ink in one place, in percent",
    "smallest_text": "the smallest text that can be printed",
    "thinnest_line": "the thinnest line that can be printed",
}
_NOT_KEYS = ("name", "file", "lines")
_MOST = {"columns": MOST_LANES, "rows": MOST_LANES, "dpi": MOST_DPI, "total_ink": MOST_INK}

_NUMBER = r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)"
_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT])"
_FIXED = rf"^\s*({_NUMBER}\s*{_UNIT}|[+-]?0*\.?0+\s*{_UNIT}?)\s*$"
_LENGTH: Schema = {"anyOf": [{"type": "string", "pattern": _FIXED}, {"type": "number", "const": 0}]}
_SPELLED_OUT = rf"^\s*{_NUMBER}\s*{_UNIT}?\s*[xX×]\s*{_NUMBER}\s*{_UNIT}?\s*$"
_LINE: Schema = {"type": "string", "pattern": r"^\s*[^\n]*\S[^\n]*\s*$"}


def make_target_schema() -> Schema:
    types = get_type_hints(Target)
    keys = [field.name for field in fields(Target) if field.name not in _NOT_KEYS]
    values = {key: _make_value(key, types[key]) for key in keys}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A target of cardgen in TOML",
        "type": "object",
        "properties": {
            key: {"description": MEANINGS[key], **value} if key in MEANINGS else value
            for key, value in {"extends": {"type": "string"}, **values}.items()
        },
        "additionalProperties": False,
        "required": ["title"],
        "anyOf": [{"required": ["paper"]}, {"required": ["extends"]}],
    }


def _make_value(key: str, kind: Any) -> Schema:
    """What a key may hold, by the type of the field it is read into."""
    kinds = [part for part in get_args(kind) or (kind,) if part is not type(None)]
    if get_origin(kind) is Literal:
        return {"enum": kinds, "default": getattr(PLAIN, key)}
    if key == "title":
        return _LINE
    if key == "names":
        return _make_pattern()
    (kind,) = kinds
    if kind is bool:
        return {"type": "boolean", "default": getattr(PLAIN, key)}
    if kind is int:
        return {"type": "integer", "minimum": 1, "maximum": _MOST[key]}
    if kind is Size:
        return _make_size()
    if kind is Insets:
        sides = dict.fromkeys(Insets._fields, _LENGTH)
        table = {"type": "object", "properties": sides, "additionalProperties": False}
        return {"anyOf": [*_LENGTH["anyOf"], table]}
    if kind is float:
        return {"anyOf": [{"const": "none"}, *_LENGTH["anyOf"]]}
    return {"type": "string"}


def _make_size() -> Schema:
    """A size by name, spelled out, or that of the card; names are offered in lower case."""
    names = [*PAPER_SIZES, *CARD_SIZES]
    shown = [*names, *(f"{name} landscape" for name in names), CARD_PAPER]
    written = "|".join(_ignore_case(name) for name in (*names, CARD_PAPER))
    lying = rf"^\s*({written})([\s-]+{_ignore_case('landscape')})?\s*$"
    return {
        "type": "string",
        "anyOf": [{"enum": shown}, {"pattern": _SPELLED_OUT}, {"pattern": lying}],
    }


def _ignore_case(name: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in name)


def _make_pattern() -> Schema:
    known = "|".join(NAME_FIELDS)
    return {
        "type": "string",
        "pattern": rf'^([^{{}}/\\:*?"<>|]|\{{\{{|\}}\}}|\{{({known})[^{{}}]*\}})*$',
        "default": PLAIN.names,
    }
