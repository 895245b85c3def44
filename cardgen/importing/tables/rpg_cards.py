"""Reads the cards of rpg-cards, whose contents are lines as "property | Range | 60 feet"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardgen.deck.model import Value

_ABILITIES = ("STR", "DEX", "CON", "INT", "WIS", "CHA")
# What draws something, or leaves a place empty.
_DRAWN = {
    *("rule", "ruler", "fill", "boxes", "vspace", "picture", "icon", "disabled", "pagebreak"),
    *("p2e_ruler", "p2e_start_trait_section", "p2e_end_trait_section", "column_break"),
}
_NAMED = {"property", "description", "p2e_activity"}
_HEADINGS = {"section", "subsection", "title", "heading"}
_TEXTS = {"text", "center", "right", "justify", "left", "p2e_trait"}
_LOOKS = ("tags", "title_size", "card_font_size", "icon_size", "background_image")


def is_rpg_card(entry: dict[str, Any]) -> bool:
    contents = entry.get("contents")
    return isinstance(contents, list) and all(isinstance(line, str) for line in contents)


def read_rpg_card(entry: dict[str, Any]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    lines: list[Value] = []
    for line in entry["contents"]:
        kind, *parts = (part.strip() for part in line.split("|"))
        kind = kind.lower()
        if kind == "subtitle" and parts and "kind" not in values:
            values["kind"] = " ".join(filter(None, parts))
        elif kind not in _DRAWN:
            lines += filter(None, [_read_line(kind, parts, line)])
    rest = {key: value for key, value in entry.items() if key not in ("contents", *_LOOKS)}
    plain = {key: value for key, value in rest.items() if not isinstance(value, dict)}
    return {**plain, **values, "text": lines}


def _read_line(kind: str, parts: Sequence[str], line: str) -> str:
    said = " ".join(filter(None, parts))
    if kind in _NAMED and len(parts) > 1:
        return f"**{parts[0]}** {' '.join(filter(None, parts[1:]))}"
    if kind in _HEADINGS:
        return f"**{said}**" if said else ""
    if kind == "bullet":
        return f"• {said}" if said else ""
    if kind.startswith("dndstats"):
        pairs = zip(_ABILITIES, parts, strict=False)
        return ", ".join(f"**{name}** {figure}" for name, figure in pairs)
    if kind in _TEXTS or kind in _NAMED:
        return said
    return said if parts else line.strip()
