"""Hints for names that a template does not know: the nearest known one, also where another language
calls the thing so.

Knows nothing of where a name stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from cardgen.core.errors import Refusal
from cardgen.core.names import Unknown, describe_unknown

_ELEMENTS = {
    **dict.fromkeys(("p", "span", "label", "b", "i", "em", "strong", "h1", "h2", "h3"), "text"),
    **dict.fromkeys(("div", "rect", "rectangle", "roundrect", "g", "section"), "box"),
    **dict.fromkeys(("ul", "ol", "li", "article"), "flow"),
    **dict.fromkeys(("disc", "disk", "dot"), "circle"),
    **dict.fromkeys(("triangle", "hexagon", "octagon", "diamond"), "polygon"),
    **dict.fromkeys(("pie", "ring", "gauge"), "arc"),
    "oval": "ellipse",
    **dict.fromkeys(("picture", "img", "png", "svg", "art"), "image"),
    "hr": "line",
    "vbox": "column",
    "hbox": "row",
    "th": "td",
}
# What other languages have an element for, and every element here has an attribute.
_AS_ATTRIBUTES = {
    **dict.fromkeys(("for", "each", "foreach", "repeat", "loop"), 'for="sign in card.signs"'),
    **dict.fromkeys(("if", "when", "choose", "switch"), 'if="card.cost"'),
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
_OF_PLACES = (
    "x",
    "y",
    "right",
    "bottom",
    "width",
    "height",
    "turn",
    "opacity",
    "grow",
    "left",
    "top",
)
_WORDS = {
    "center": ("centre", "middle"),
    "justified": ("justify",),
    "horizontal": ("across",),
    "vertical": ("down",),
    "shrink": ("box",),
    **dict.fromkeys(("fill", "stretch", "crop", "slice"), ("cover",)),
    **dict.fromkeys(("meet", "scale-down", "proportional"), ("contain",)),
}
_FLAGS = {"yes": "true", "True": "true", "1": "true", "on": "true"}
_FLAGS |= {"no": "false", "False": "false", "0": "false", "off": "false"}


def describe_element(name: str, known: Collection[str]) -> Unknown:
    """Return the element that was meant by an unknown one."""
    if (told := _AS_ATTRIBUTES.get(name.lower())) is not None:
        return Unknown(name, (), f"any element has it as an attribute: <text {told}>")
    return _describe(_ELEMENTS.get(name.lower()), name, known, "element")


def describe_attribute(name: str, known: Collection[str]) -> Unknown:
    """Return the attribute that was meant by an unknown one."""
    if "component" in known and name.lower() in _OF_PLACES:
        return Unknown(name, (), "place it by a box around it: <box x=… y=…><use …/></box>")
    told = _SIZED.get(name.lower())
    if told is not None and "width" in known:
        return Unknown(name, ("width",), told)
    return _describe(_ATTRIBUTES.get(name.lower()), name, known, "attribute")


def describe_word(name: str, choices: Collection[str]) -> Unknown:
    """Return which of a few words was meant."""
    meant = next((word for word in _WORDS.get(name.lower(), ()) if word in choices), None)
    return _describe(meant, name, choices, "known")


def suggest_flag(text: str) -> str:
    """Return how to write a truth value."""
    return f"write {_FLAGS.get(text, 'true or false')}"


def refuse_unknown(
    code: str, message: str, name: str, known: Iterable[str], kind: str = "known"
) -> Refusal:
    """Return the refusal of a name that is not among the known ones."""
    unknown = describe_unknown(name, known, kind)
    return Refusal(code, message, unknown.hint, unknown.details)


def _describe(meant: str | None, name: str, known: Collection[str], kind: str) -> Unknown:
    if meant is not None and meant in known:
        return Unknown(name, (meant,), f'did you mean "{meant}"?')
    return describe_unknown(name, known, kind)
