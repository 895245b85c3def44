"""What other languages call our elements, attributes and words, for the hints of errors.

Turns a name that nothing here has into a hint. Knows nothing of where it stands.
"""

from __future__ import annotations

from collections.abc import Collection

from cardgen.errors import suggest

_ELEMENTS = {
    **dict.fromkeys(("p", "span", "label", "b", "i", "em", "strong", "h1", "h2", "h3"), "text"),
    **dict.fromkeys(("div", "rect", "g", "section"), "box"),
    **dict.fromkeys(("ul", "ol", "li", "article"), "flow"),
    **dict.fromkeys(("circle", "ellipse", "polygon"), "path"),
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


def suggest_element(name: str, known: Collection[str]) -> str:
    return _suggest(_ELEMENTS.get(name.lower()), name, known, "element")


def suggest_attribute(name: str, known: Collection[str]) -> str:
    return _suggest(_ATTRIBUTES.get(name.lower()), name, known, "attribute")


def suggest_word(name: str, choices: Collection[str]) -> str | None:
    """One of a few words, if one is near: the message lists them all."""
    meant = next((word for word in _WORDS.get(name.lower(), ()) if word in choices), None)
    hint = _suggest(meant, name, choices, "known")
    return hint if hint.startswith("did you mean") else None


def suggest_flag(text: str) -> str:
    return f"write {_FLAGS.get(text, 'true or false')}"


def _suggest(meant: str | None, name: str, known: Collection[str], kind: str) -> str:
    if meant in known:
        return f'did you mean "{meant}"?'
    return suggest(name, known, kind=kind)
