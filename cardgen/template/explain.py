"""Why an expression cannot be read or fails, in our words, with the cure for what was most likely
meant.

Turns the errors of Jinja2 and Python into Refusals. Knows nothing of XML.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from jinja2 import TemplateSyntaxError

from cardgen.core.errors import Refusal
from cardgen.core.names import find_near
from cardgen.deck.columns import find_key
from cardgen.template.hints import refuse_unknown
from cardgen.template.sandbox import (
    ENVIRONMENT,
    FilterError,
    NoTextError,
    Record,
    TagError,
    UnknownError,
)

_TAGS = ("if", "elif", "else", "endif", "for", "endfor", "set")
# What stands in an expression that other languages would write so, and what Jinja2 writes.
_SIGNS = (
    ("{{", "leave the braces out: the value is an expression already"),
    ("&&", "write and"),
    ("||", "write or"),
    ("!", "write not; for unequal write !="),
    ("=", "to compare write =="),
)
_NAMES = {"null": "none", "nil": "none", "undefined": "none", "TRUE": "true", "FALSE": "false"}
_LOOP_HINT = (
    "it is known in the {% for %} of a text; elsewhere count, as in"
    ' for="n in range(card.signs|length)", and write {{ card.signs[n] }}'
)
_KINDS = {str: "a text", bool: "a truth value", int: "a number", float: "a number", list: "a list"}
# Python tells by its words alone why an operation does not suit its values: what they hold, and
# the cure.
_TYPE_ERRORS = (
    (
        ("NoneType",),
        "a field that the card lacks is none: write (card.cost or 0), or ask for it by if",
    ),
    (
        ("concatenate str", "'int' and 'str'", "'str' and 'int'"),
        "to join a text and a number write ~, as in {{ card.name ~ card.cost }}",
    ),
)


def explain_syntax(error: TemplateSyntaxError, source: str, *, bare: bool) -> Refusal:
    """Return the fault of an expression that cannot be read; a bare one stands without braces."""
    if isinstance(error, FilterError):
        known: Iterable[str] = ENVIRONMENT.filters if error.kind == "filter" else ENVIRONMENT.tests
        message = f'unknown {error.kind} "{error.unknown}"'
        return refuse_unknown(
            "template/unknown-filter", message, error.unknown, known, kind=error.kind
        )
    if isinstance(error, TagError):
        return _explain_tag(error)
    hint = None
    if bare:
        hint = next((cure for sign, cure in _SIGNS if sign in _take_out_texts(source)), None)
    elif "{{{" in source:
        hint = "part braces that are printed from those of the expression: { {{ card.kind }} }"
    elif source.count("{{") != source.count("}}"):
        hint = "close the braces, as in {{ card.name }}"
    return Refusal("template/expression-syntax", (error.message or "").rstrip("."), hint)


def _explain_tag(error: TagError) -> Refusal:
    tag, opened = error.tag, error.opened
    if tag is None:
        return Refusal(
            "template/tag-pair",
            f"{{% {opened} %}} is never closed",
            f"write {{% end{opened} %}}",
            {"tag": opened},
        )
    if tag.startswith("end"):
        return Refusal(
            "template/tag-pair",
            f"{{% {tag} %}} closes nothing",
            f"delete it, or open {{% {tag.removeprefix('end')} … %}}",
            {"tag": tag},
        )
    if tag in ("elif", "else"):
        return Refusal(
            "template/tag-pair",
            f"{{% {tag} %}} stands in no {{% if %}}",
            "delete it, or open {% if … %} before it",
            {"tag": tag},
        )
    return refuse_unknown("template/unknown-tag", f'unknown tag "{tag}"', tag, _TAGS, kind="tag")


def _take_out_texts(source: str) -> str:
    """Return an expression without its texts and comparisons."""
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", source)
    return re.sub(r"[=!<>]=", "", bare)


def explain_unknown(error: UnknownError, names: Collection[str], card: Any) -> Refusal:
    """Return the fault of an unknown name, field or key in an expression, which may use `names`."""
    name, owner = error.name, error.owner
    if error.is_name:
        return _explain_name(name, names, card._values if isinstance(card, Record) else {})
    if isinstance(owner, Record):
        message = f'unknown field "{name}" of {owner._kind}'
        refusal = refuse_unknown(
            "template/unknown-field", message, name, owner._values, kind="field"
        )
        key = find_key(name)
        if key is not None and key in owner._values:
            refusal.hint = (
                f"where a column stands for the {key} of a card, write {{{{ card.{key} }}}}"
            )
        return refusal
    if isinstance(owner, dict):
        message = f'unknown key "{name}"'
        return refuse_unknown("template/unknown-key", message, name, map(str, owner))
    if owner is None:
        return Refusal(
            "template/part-of-none",
            f'what "{name}" is asked of is none',
            "ask for it first, as in {{ card.stats.attack if card.stats }}",
            {"name": name},
        )
    near = find_near(name, [part for part in dir(owner) if not part.startswith("_")])[:1]
    return Refusal(
        "template/unknown-key",
        f'{_KINDS.get(type(owner), "this value")} has no "{name}"',
        f'did you mean "{near[0]}"?' if near else None,
        {"name": name, "near": tuple(near)},
    )


def _explain_name(name: str, names: Collection[str], fields: Mapping[str, Any]) -> Refusal:
    code, message = "template/unknown-name", f'unknown name "{name}"'
    if name in _NAMES:
        meant = _NAMES[name]
        return Refusal(code, message, f"write {meant}", {"name": name, "near": (meant,)})
    if name == "loop":
        return Refusal(code, message, _LOOP_HINT, {"name": name, "near": ()})
    if name in fields:
        meant = f"card.{name}"
        return Refusal(code, message, f'did you mean "{meant}"?', {"name": name, "near": (meant,)})
    return refuse_unknown(code, message, name, names)


def find_cure(error: Exception) -> str | None:
    """Return the hint for an expression that fails, if one is known."""
    if isinstance(error, ZeroDivisionError):
        return 'ask for it first, as in if="card.cost"'
    if isinstance(error, NoTextError):
        if not isinstance(error.value, dict):
            return "make it one text in the deck, or write {{ card.text|written }}"
        return (
            "a text that begins with { wants quotes in the deck; or ask for a key: card.cost.gold"
        )
    said = str(error)
    cures = (cure for words, cure in _TYPE_ERRORS if any(word in said for word in words))
    return next(cures, None)
