"""Sets the nested values of data in words: paragraphs, lists and labelled lines, or one short text.

Objects as {"type": "list", "items": […]} or {"name": …, "entries": […]} are what they say. Knows
nothing of cards, nor what the keys mean but their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cardgen.core.errors import Refusal
from cardgen.importing.column_names import find_field

DEEPEST = 60
_LONG = 12  # words that make a sentence
_SAID = 4  # words that say something of a name
_BODIES = frozenset(
    ("entries", "entry", "items", "paragraphs", "content", "contents", "desc", "rows")
)
_NAMES = frozenset(("name", "title", "label", "heading", "header", "full_name", "titel", "nom"))
# What an object says of its own form, which its words show.
_FORMS = frozenset(
    ("entries", "entry", "list", "item", "items", "paragraph", "paragraphs", "section", "inset",
     "text", "table", "row", "quote", "options", "inline", "cell")
)  # fmt: skip
_FIGURES = frozenset(("amount", "quantity", "number", "value", "count", "qty"))
_UNITS = frozenset(("unit", "units", "type", "currency", "of"))
_ADDRESS = re.compile(r"https?://\S+|/[\w./%#?=&-]+")
_NUMBER_KEYS = frozenset(("index", "id", "_id", "uuid", "key", "slug", "pk"))
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|_|-")


def is_nested(value: Any) -> bool:
    """Whether a list or an object holds others."""
    parts = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, list | Mapping) and any(isinstance(p, list | Mapping) for p in parts)


def is_running(value: Any, depth: int = 0) -> bool:
    """Whether a value holds running text, a sentence or more, or is built as texts are."""
    _check_depth(depth)
    if isinstance(value, str):
        return "\n" in value.strip() or len(value.split()) >= _LONG
    if isinstance(value, Mapping):
        if is_text(value) or (_find_name(value) and any(map(_says, value, value.values()))):
            return True
        return any(is_running(part, depth + 1) for part in value.values())
    return isinstance(value, list) and any(is_running(part, depth + 1) for part in value)


def is_text(value: Mapping[str, Any]) -> bool:
    """Whether an object is built as a text is: a form, or a name with what it says."""
    form = value.get("type")
    if (isinstance(form, str) and form in _FORMS) or isinstance(value.get("entries"), list):
        return any(isinstance(value.get(key), list) for key in _BODIES)
    return False


def _says(key: str, value: Any) -> bool:
    """Tell whether a value is what an object says of its name."""
    return find_field(key) == "text" and len(str(value).split()) >= _SAID


def find_short(value: Mapping[str, Any]) -> str | None:
    """Return an object that says one thing as that: a name, an amount, what is true of several."""
    named = _drop_addresses(value)
    if len(named) == 1:
        key, only = next(iter(named.items()))
        if isinstance(only, str) or _is_number(only):
            return str(only) if key == "value" or key.lower() in _NAMES else None
    amount = _find_amount(value)
    if amount is not None:
        return amount
    if value and any(isinstance(part, bool) for part in value.values()) and not is_nested(value):
        words = ((show_key(key).lower(), part) for key, part in value.items() if part)
        return ", ".join(key if part is True else f"{key} {tell(part)}" for key, part in words)
    return None


def _find_amount(value: Mapping[str, Any]) -> str | None:
    """Return a figure with its unit, and what is true of it: "1 hour (up to)"."""
    figures = [part for key, part in value.items() if key in _FIGURES and _is_number(part)]
    units = [part for key, part in value.items() if key in _UNITS and isinstance(part, str)]
    flags = [key for key, part in value.items() if isinstance(part, bool)]
    if (len(figures), len(units)) != (1, 1) or len(value) != 2 + len(flags):
        return None
    true = ", ".join(show_key(key).lower() for key in flags if value[key])
    return f"{figures[0]} {units[0]}" + (f" ({true})" if true else "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _drop_addresses(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without what only programs read of it, if a name is left."""
    left = {
        key: part
        for key, part in value.items()
        if not (key in _NUMBER_KEYS or (isinstance(part, str) and _ADDRESS.fullmatch(part)))
    }
    return left if any(key.lower() in _NAMES for key in left) else dict(value)


def tell(value: Any, depth: int = 0) -> str:
    """Return a value as one short text."""
    _check_depth(depth)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        parts = [tell(part, depth + 1) for part in value]
        joint = "; " if any("," in part for part in parts) else ", "
        return joint.join(filter(None, parts))
    if not isinstance(value, Mapping):
        return " ".join(str(value).split())
    short = find_short(value)
    if short is not None:
        return short
    told = {key: tell(part, depth + 1) for key, part in _drop_addresses(value).items()}
    numbers = {key: part for key, part in value.items() if _is_number(part)}
    if len(told) == 2 and len(numbers) == 1 and not any(k.lower() in _NAMES for k in told):
        (figure,) = numbers
        (other,) = (key for key in told if key != figure)
        if figure in _FIGURES:
            return f"{told[figure]} {told[other]}"
    name = _find_name(value)
    facts = ", ".join(_tell_fact(key, told[key], value[key]) for key in told
                      if key != name and told[key] and value[key] is not False)  # fmt: skip
    if name is None:
        return facts
    return f"{told[name]} ({facts})" if facts else told[name]


def _tell_fact(key: str, told: str, value: Any) -> str:
    if value is True:
        return show_key(key).lower()
    is_plain = key in ("type", *_FIGURES) or find_field(key) == "text"
    return told if is_plain else f"{show_key(key).lower()} {told}"


def show_key(key: str) -> str:
    """Return a key as a label: "castingTime" as "Casting time"."""
    words = " ".join(_HUMPS.sub(" ", key).split())
    return words[:1].upper() + (words[1:] if words.isupper() else words[1:].lower())


def _find_name(value: Mapping[str, Any]) -> str | None:
    return next(
        (key for key in value if key.lower() in _NAMES and isinstance(value[key], str)), None
    )


def list_paragraphs(value: Any, depth: int = 0) -> list[str]:
    """Return a value as paragraphs in Markdown; items of lists begin with a bullet."""
    _check_depth(depth)
    if isinstance(value, list):
        return [line for part in value for line in list_paragraphs(part, depth + 1)]
    if not isinstance(value, Mapping):
        return [line for line in (tell(value),) if line] if not isinstance(value, str) else [value]
    if isinstance(value.get("rows"), list):
        return _list_rows(value, depth)
    name = _find_name(value)
    bodies = [key for key in value if key != name and _is_body(key, value[key])]
    facts = {key: part for key, part in _drop_addresses(value).items()
             if key != name and key not in bodies and not _is_form(key, value)}  # fmt: skip
    if name is None and not bodies:
        short = find_short(value)
        return [short] if short else list(_label_facts(facts, depth))
    lines: list[str] = []
    for key in bodies:
        inner = list_paragraphs(value[key], depth + 1)
        is_list = key == "items" or value.get("type") == "list"
        lines += [_make_item(line) for line in inner] if is_list else inner
    if name is None:
        return [*_label_facts(facts, depth), *lines]
    told = tell(facts, depth + 1) if facts else ""
    head = f"**{' '.join(str(value[name]).split()).rstrip('.:')}**" + (f" ({told})" if told else "")
    if lines and not lines[0].startswith("•"):
        return [f"{head}: {lines[0]}", *lines[1:]]
    return [head, *lines]


def _is_body(key: str, value: Any) -> bool:
    if key in _BODIES or find_field(key) == "text":
        return isinstance(value, str | list | Mapping) and bool(value)
    return is_running(value)


def _is_form(key: str, value: Mapping[str, Any]) -> bool:
    """Tell whether a key says how an object is set, not what it says."""
    if key == "type" and isinstance(value[key], str):
        return value[key].casefold() in _FORMS or "entries" in value or "items" in value
    return key in ("style", "colStyles", "indent")


def _make_item(line: str) -> str:
    return line if line.startswith("•") else f"• {line}"


def _label_facts(facts: Mapping[str, Any], depth: int) -> Iterator[str]:
    for key, part in facts.items():
        told = tell(part, depth + 1)
        if told and part is not False:
            yield f"**{show_key(key)}**" + ("" if part is True else f": {told}")


def _list_rows(value: Mapping[str, Any], depth: int) -> list[str]:
    """Return a line for each row of a table, its first cell in bold."""
    heads = value.get("colLabels") or value.get("headers") or value.get("columns") or []
    heads = [tell(head, depth + 1) for head in heads] if isinstance(heads, list) else []
    caption = value.get("caption") or value.get("name") or value.get("title")
    lines = [f"**{tell(caption, depth + 1)}**"] if caption else []
    for row in value["rows"]:
        inner = row.get("row", list(row.values())) if isinstance(row, Mapping) else row
        cells = (
            [tell(cell, depth + 1) for cell in inner] if isinstance(inner, list) else [tell(row)]
        )
        first, *others = cells or [""]
        if len(others) > 1:
            named = zip(others, [*heads[1:], *[""] * len(others)], strict=False)
            others = [f"{head.lower()} {cell}".strip() for cell, head in named if cell]
        lines.append(f"**{first}**: {', '.join(others)}" if others and first else ", ".join(cells))
    return [line for line in lines if line]


def _check_depth(depth: int) -> None:
    if depth > DEEPEST:
        raise Refusal("import/broken-json", "this JSON is nested too deeply")
