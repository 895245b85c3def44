"""What Jinja2 and Python say of an expression, in our words, with the cure for what was most likely
meant.

Turns their messages and the expression's source into a message and a hint. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from cardgen.core.errors import find_near, suggest

_UNKNOWN = re.compile(r"No (filter|test) named '(\w+)'\.?")
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '(\w+)'\.")
_NOT_CLOSED = re.compile(r"The innermost block that needs to be closed is '(\w+)'")
_TAGS = ("if", "elif", "else", "endif", "for", "endfor", "set")

# What stands in an expression that other languages would write so, and what Jinja2 writes.
_FOREIGN = (
    ("{{", "leave the braces out: the value is an expression already"),
    ("&&", "write and"),
    ("||", "write or"),
    ("!", "write not; for unequal write !="),
    ("=", "to compare write =="),
)
_KINDS = {str: "a text", bool: "a truth value", int: "a number", float: "a number", list: "a list"}
_WORDS = {"null": "none", "nil": "none", "undefined": "none", "TRUE": "true", "FALSE": "false"}


class Complaint(NamedTuple):
    code: str
    message: str
    hint: str | None = None


def explain_syntax(
    message: str, source: str, *, filters: Iterable[str], tests: Iterable[str], bare: bool
) -> Complaint:
    """What keeps an expression from being read; a bare one stands without braces."""
    unknown = _UNKNOWN.fullmatch(message)
    if unknown:
        kind, name = unknown.groups()
        names = filters if kind == "filter" else tests
        return Complaint(
            "template/todo", f'unknown {kind} "{name}"', suggest(name, names, kind=kind)
        )
    tag = _UNKNOWN_TAG.match(message)
    if tag and tag[1].startswith("end"):
        opening = tag[1].removeprefix("end")
        return Complaint(
            "template/todo",
            f"{{% {tag[1]} %}} closes nothing",
            f"delete it, or open {{% {opening} … %}}",
        )
    if tag:
        return Complaint(
            "template/todo", f'unknown tag "{tag[1]}"', suggest(tag[1], _TAGS, kind="tag")
        )
    block = _NOT_CLOSED.search(message)
    if block:
        return Complaint(
            "template/todo", f"{{% {block[1]} %}} is never closed", f"write {{% end{block[1]} %}}"
        )
    if bare:
        foreign = next((cure for sign, cure in _FOREIGN if sign in _take_out(source)), None)
        return Complaint("template/todo", message.rstrip("."), foreign)
    if source.count("{{") != source.count("}}"):
        return Complaint(
            "template/todo", message.rstrip("."), "close the braces, as in {{ card.name }}"
        )
    return Complaint("template/todo", message.rstrip("."))


def _take_out(source: str) -> str:
    """An expression without its texts and comparisons."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", source)
    return re.sub(r"[=!<>]=", "", bare)


def explain_name(name: str, known: Iterable[str], fields: Iterable[str]) -> Complaint:
    """A name that nothing has; one of a card's fields was meant as such."""
    message = f'unknown name "{name}"'
    if name in _WORDS:
        return Complaint("template/todo", message, f"write {_WORDS[name]}")
    if name in fields:
        return Complaint("template/todo", message, f'did you mean "card.{name}"?')
    return Complaint("template/todo", message, suggest(name, known, kind="known"))


def explain_part(owner: Any, name: str) -> Complaint:
    """A part that a value does not have."""
    if owner is None:
        hint = "ask for it first, as in {{ card.stats.attack if card.stats }}"
        return Complaint("template/todo", f'what "{name}" is asked of is none', hint)
    kind = _KINDS.get(type(owner), "this value")
    near = find_near(name, [part for part in dir(owner) if not part.startswith("_")])
    return Complaint(
        "template/todo", f'{kind} has no "{name}"', f'did you mean "{near[0]}"?' if near else None
    )


def find_cure(error: Exception) -> str | None:
    """The hint for what fails while an expression is evaluated."""
    text = str(error)
    if "NoneType" in text:
        return "a field that the card lacks is none: write (card.cost or 0), or ask for it by if"
    if "concatenate str" in text or "'int' and 'str'" in text or "'str' and 'int'" in text:
        return "to join a text and a number write ~, as in {{ card.name ~ card.cost }}"
    if "division by zero" in text:
        return 'ask for it first, as in if="card.cost"'
    return None


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
_WORDS_FOREIGN = {
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
    meant = next((word for word in _WORDS_FOREIGN.get(name.lower(), ()) if word in choices), None)
    hint = _suggest(meant, name, choices, "known")
    return hint if hint.startswith("did you mean") else None


def suggest_flag(text: str) -> str:
    return f"write {_FLAGS.get(text, 'true or false')}"


def _suggest(meant: str | None, name: str, known: Collection[str], kind: str) -> str:
    if meant in known:
        return f'did you mean "{meant}"?'
    return suggest(name, known, kind=kind)


# MERGED: What other languages call our elements, attributes and words, for the hints of errors.
#
#   Turns a name that nothing here has into a hint. Knows nothing of where it stands.
#
