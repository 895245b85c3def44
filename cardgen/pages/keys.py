"""A key of a target's file: how its value is read, its JSON schema, and its row in the docs.

The keys themselves are the fields of the groups in target.py; the type of a field says which kind
of value it takes. Must not know which keys there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from types import MappingProxyType
from typing import (
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from cardgen.core.colour import Colour, parse_hex
from cardgen.core.errors import Detail, Refusal
from cardgen.core.geometry import Insets, Size
from cardgen.core.toml import TomlReader
from cardgen.core.units import CARD_SIZES, PAPER_SIZES, format_mm

Schema = dict[str, Any]
_T = TypeVar("_T")

CARD_PAPER = "card"
NO_PAPER = Size(0, 0)
NAME_FIELDS = ("deck", "target", "place", "card", "copy", "side")  # of a picture's name


# Kinds of values


class Kind(NamedTuple):
    """Reads a value on top of the one that is given; has its JSON schema, and words for people."""

    read: Callable[[TomlReader, str, Any], Any]
    schema: Schema
    words: str


def count_to(most: int) -> Kind:
    """Return the kind of whole numbers from 1 on."""
    return Kind(
        lambda reader, name, given: reader.read_number(name, most, given) or given,
        {"type": "integer", "minimum": 1, "maximum": most},
        f"1 to {most}",
    )


def _choose_of(choices: tuple[str, ...]) -> Kind:
    *others, last = (f'`"{choice}"`' for choice in choices)
    return Kind(
        lambda reader, name, given: reader.read_choice(name, choices, given),
        {"enum": list(choices)},
        f"{', '.join(others)} or {last}",
    )


def _read_paper(reader: TomlReader, name: str, given: Size | None) -> Size | None:
    if reader.says(name, CARD_PAPER):
        return None
    if reader.has("extends") and not reader.has(name):
        return given
    return reader.read_size(name, (CARD_PAPER,)) or NO_PAPER


def _make_paper_schema() -> Schema:
    """Return that of a size: by name, spelled out, or that of the card."""
    names = [*PAPER_SIZES, *CARD_SIZES]
    shown = [*names, *(f"{name} landscape" for name in names), CARD_PAPER]
    written = "|".join(_ignore_case(name) for name in (*names, CARD_PAPER))
    lying = rf"^\s*({written})([\s-]+{_ignore_case('landscape')})?\s*$"
    spelled_out = rf"^\s*{_NUMBER}\s*{_UNIT}?\s*[xX×]\s*{_NUMBER}\s*{_UNIT}?\s*$"
    either = [{"enum": shown}, {"pattern": spelled_out}, {"pattern": lying}]
    return {"type": "string", "anyOf": either}


def _ignore_case(name: str) -> str:
    return "".join(f"[{c.lower()}{c.upper()}]" if c.isalpha() else c for c in name)


_NUMBER = r"\+?([0-9]+\.?[0-9]*|\.[0-9]+)"
_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT])"
_FIXED = rf"^\s*({_NUMBER}\s*{_UNIT}|[+-]?0*\.?0+\s*{_UNIT}?)\s*$"
_LENGTHS = [{"type": "string", "pattern": _FIXED}, {"type": "number", "const": 0}]
_SIDES = {
    "type": "object",
    "properties": {side: {"anyOf": _LENGTHS} for side in Insets._fields},
    "additionalProperties": False,
}
_FIELD = rf"\{{({'|'.join(NAME_FIELDS)})[^{{}}]*\}}"
_LENGTH = Kind(TomlReader.read_length, {"anyOf": [{"const": "none"}, *_LENGTHS]}, "length")

LINE = Kind(
    lambda reader, name, _: reader.read_title(name),
    {"type": "string", "pattern": r"^\s*[^\n]*\S[^\n]*\s*$"},
    "one line",
)
TARGET_NAME = Kind(lambda reader, name, _: reader.read_name(name, "a4"), {"type": "string"}, "name")


def _read_ground(reader: TomlReader, name: str, given: Colour | None) -> Colour | None:
    text = reader.read_line(name, "#e2dcd0")
    if text is None or text == "none":
        return given if text is None else None
    try:
        return parse_hex(text)
    except Refusal as refusal:
        reader.note_refusal(name, refusal, f"{name}: {refusal.message}")
        return given


_KINDS: dict[object, Kind] = {
    Colour | None: Kind(
        _read_ground,
        {"type": "string", "pattern": r"^\s*(none|#[0-9a-fA-F]{6})\s*$"},
        '`"none"` or a colour, as `"#e2dcd0"`',
    ),
    bool: Kind(TomlReader.read_flag, {"type": "boolean"}, "`true` or `false`"),
    float: _LENGTH,
    float | None: _LENGTH._replace(read=TomlReader.read_length_or_none),
    Insets: Kind(TomlReader.read_insets, {"anyOf": [*_LENGTHS, _SIDES]}, "length or table"),
    Size | None: Kind(_read_paper, _make_paper_schema(), f'size or `"{CARD_PAPER}"`'),
    str | None: Kind(
        lambda reader, name, given: reader.read_name(name, "coated-fogra39-300") or given,
        {"type": "string"},
        "name",
    ),
    str: Kind(
        lambda reader, name, given: reader.read_pattern(name, NAME_FIELDS, given),
        {"type": "string", "pattern": rf'^([^{{}}/\\:*?"<>|]|\{{\{{|\}}\}}|{_FIELD})*$'},
        "text with fields",
    ),
}


# Keys


class Conflict(NamedTuple):
    """Keys that do not go together; the place of it is the first that the file says."""

    code: str
    keys: tuple[str, ...]
    message: str
    hint: str | None = None
    details: Mapping[str, Detail] = MappingProxyType({})


# What is wrong with a key of a target, by the target and the name of the key.
Rule = Callable[[Any, str], Iterator[Conflict]]


class Key(NamedTuple):
    """A key of a target's file.

    meaning: as docs/targets.md has it
    shown: the default there, where the value does not tell it
    words: for its values, where those of its kind do not do
    rule: what must hold of it alone, and of it and others
    of_sheet: whether it says nothing of a page that is as large as its card
    group, attribute: where its value stands in a Target; "head" is none
    """

    name: str
    kind: Kind
    default: Any
    meaning: str
    shown: str = ""
    words: str = ""
    rule: Rule | None = None
    of_sheet: bool = False
    group: str = "head"
    attribute: str = ""


def key(default: _T, meaning: str, shown: str = "", **more: Any) -> _T:
    """Return a field of a group for a key, whose type tells its kind; `more` is as in Key."""
    told = {"default": default, "meaning": meaning, "shown": shown, **more}
    made: _T = field(default=default, metadata=told)
    return made


def sheet_key(default: _T, meaning: str, shown: str = "", **more: Any) -> _T:
    """Return that of a key which says nothing of a page that is as large as its card."""
    return key(default, meaning, shown, of_sheet=True, **more)


def list_keys(target: type[Any]) -> Iterator[Key]:
    """Return the keys that stand in the groups of a target, in their order."""
    for group in fields(target):
        if not is_dataclass(group.default):
            continue
        types = get_type_hints(type(group.default))
        for one in fields(group.default):
            told = {"name": one.name, "kind": _find_kind(types[one.name]), **one.metadata}
            yield Key(**told, group=group.name, attribute=one.name)


def _find_kind(of: object) -> Kind:
    return _choose_of(get_args(of)) if get_origin(of) is Literal else _KINDS.get(of, _LENGTH)


def need_sheet(key: str) -> Conflict:
    """Return the conflict of a key that a page as large as its card has no room for."""
    return Conflict(
        "target/key-means-nothing",
        (key,),
        f'{key} means nothing with paper = "{CARD_PAPER}": the page is the card',
        f"leave {key} out, or name the paper",
    )


# The keys told


def describe_key(of: Key) -> Schema:
    """Return the JSON schema of a key's values."""
    told = {"default": of.default} if isinstance(of.default, bool | str) else {}
    return {"description": _LINK.sub(r"\1", of.meaning), **of.kind.schema, **told}


def make_table(keys: Iterable[Key]) -> str:
    """Return keys as a table in Markdown."""
    rows = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for of in keys:
        words, shown = of.words or of.kind.words, of.shown or _show_default(of.default)
        rows.append(f"| `{of.name}` | {words} | {shown} | {of.meaning} |")
    return "\n".join(rows) + "\n"


def _show_default(default: Any) -> str:
    if isinstance(default, Insets | float):
        default = format_mm(max(default) if isinstance(default, Insets) else default)
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f'`"{default}"`' if isinstance(default, str) else str(default)


_LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")
