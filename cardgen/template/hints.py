"""Hints for names that a template does not know: the nearest known one, also where another language
calls the thing so.

Knows nothing of where a name stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from cardgen.core.errors import Refusal, find_near, suggest

_ELEMENTS = {
    **dict.fromkeys(("p", "span", "label", "b", "i", "em", "strong", "h1", "h2", "h3"), "text"),
    **dict.fromkeys(("div", "rect", "g", "section"), "box"),
    **dict.fromkeys(("ul", "ol", "li", "article"), "flow"),
    **dict.fromkeys(("disc", "disk", "dot"), "circle"),
    **dict.fromkeys(("triangle", "hexagon", "octagon", "diamond"), "polygon"),
    **dict.fromkeys(("pie", "ring", "gauge"), "arc"),
    "oval": "ellipse",
    "picture": "image",
    "hr": "line",
    "vbox": "column",
    "hbox": "row",
    "th": "td",
}
_ATTRIBUTES = {
    **dict.fromkeys(("src", "href", "path", "url"), "file"),
    **dict.fromkeys(("font-family", "family"), "font"),
    **dict.fromkeys(("background", "background-color", "bg"), "fill"),
    **dict.fromkeys(("border", "border-color"), "stroke"),
    **dict.fromkeys(("border-width", "thickness", "line-width"), "stroke-width"),
    **dict.fromkeys(("rotate", "rotation", "angle"), "turn"),
    "border-radius": "radius",
    **dict.fromkeys(("box-shadow", "text-shadow", "drop-shadow"), "shadow"),
    **dict.fromkeys(("linecap", "stroke-linecap"), "cap"),
    **dict.fromkeys(("linejoin", "stroke-linejoin"), "join"),
    "stroke-dasharray": "dash",
    "font-size": "size",
    "font-weight": "weight",
    "line-height": "leading",
    "letter-spacing": "tracking",
    "text-align": "align",
    "vertical-align": "valign",
    "class": "style",
    "left": "x",
    "top": "y",
    "w": "width",
    "h": "height",
    "margin": "padding",
    "spacing": "gap",
    "shrink": "fit",
    **dict.fromkeys(("cx", "x1"), "x"),
    **dict.fromkeys(("cy", "y1"), "y"),
    "rx": "radius",
    **dict.fromkeys(("color", "font-color", "text-color"), "colour"),
    **dict.fromkeys(("font-style", "oblique"), "italic"),
    **dict.fromkeys(("bleeds", "full-bleed"), "bleed"),
    **dict.fromkeys(("fill-opacity", "stroke-opacity", "alpha"), "opacity"),
    "mix-blend-mode": "blend",
    "justify-content": "justify",
    "align-items": "align",
    "flex": "grow",
    "flex-grow": "grow",
    "transform": "turn",
    "text-decoration": "underline",
    "filter": "shadow",
    "clip-path": "mask",
    "overflow": "clip",
    "viewbox": "view",
    **dict.fromkeys(("condition", "when", "test", "v-if"), "if"),
    **dict.fromkeys(("each", "repeat", "foreach", "v-for"), "for"),
}
# What no attribute says in its place, where the hint names it first.
_SIZED = {
    "r": "a shape is as large as its box allows: give it width and height",
    "diameter": "a shape is as large as its box allows: give it width and height",
    "x2": "a line is as long as its box: give it x, y, and width or height",
    "y2": "a line is as long as its box: give it x, y, and width or height",
}
_WORDS = {
    "center": ("centre", "middle"),
    "justified": ("justify",),
    "horizontal": ("across",),
    "vertical": ("down",),
    "shrink": ("box",),
}
_FLAGS = {"yes": "true", "True": "true", "1": "true", "on": "true"}
_FLAGS |= {"no": "false", "False": "false", "0": "false", "off": "false"}


class Suggestion(NamedTuple):
    """The words of a hint, and the names in it that may have been meant."""

    hint: str
    near: tuple[str, ...]


def suggest_element(name: str, known: Collection[str]) -> Suggestion:
    """Return the element that was meant by an unknown one."""
    return _suggest(_ELEMENTS.get(name.lower()), name, known, "element")


def suggest_attribute(name: str, known: Collection[str]) -> Suggestion:
    """Return the attribute that was meant by an unknown one."""
    told = _SIZED.get(name.lower())
    if told is not None and "width" in known:
        return Suggestion(told, ("width",))
    return _suggest(_ATTRIBUTES.get(name.lower()), name, known, "attribute")


def find_word(name: str, choices: Collection[str]) -> Suggestion | None:
    """Return which of a few words was meant, if one is near."""
    meant = next((word for word in _WORDS.get(name.lower(), ()) if word in choices), None)
    found = _suggest(meant, name, choices, "known")
    return found if found.near else None


def suggest_flag(text: str) -> str:
    """Return how to write a truth value."""
    return f"write {_FLAGS.get(text, 'true or false')}"


def refuse_unknown(
    code: str, message: str, name: str, known: Iterable[str], kind: str = "known"
) -> Refusal:
    """Return the refusal of a name that is not among the known ones."""
    found = _suggest(None, name, tuple(known), kind)
    return Refusal(code, message, found.hint, {"name": name, "near": found.near})


def _suggest(meant: str | None, name: str, known: Collection[str], kind: str) -> Suggestion:
    if meant is not None and meant in known:
        return Suggestion(f'did you mean "{meant}"?', (meant,))
    return Suggestion(suggest(name, known, kind=kind), tuple(find_near(name, sorted(set(known)))))
