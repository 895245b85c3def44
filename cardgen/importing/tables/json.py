"""Reads the cards in the text of a JSON file as records; nested fields are named by their path.

Lists of lists, mappings by name, lines of JSON and comments are taken too. Knows nothing of what
the keys mean but their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Where, find_near, suggest
from cardgen.deck.model import Value
from cardgen.importing.column_names import find_field
from cardgen.importing.model import Place
from cardgen.importing.tables.records import Record, Records, check_number
from cardgen.importing.tables.rows import Row, name_rows

_DEEPEST = 6
_NESTED = 100
_INNER = ("cards", "items", "entries", "decks", "sets")
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[\]}])')
_SCRIPT = re.compile(r"\s*(?:(?:var|let|const|export default)\s*[\w$]*\s*=?\s*)(?=[\[{])|;\s*\Z")
_MEND = "mend it, or have the program that made it write it again"
_WHERE = "say where they lie: --cards-at data.cards"


class _Found(NamedTuple):
    """A list that may be that of the cards."""

    cards: list[dict[str, Any]]
    named: int  # how many have a name, as far as it is told by the key


def read_json_records(
    text: str, file: str, cards_at: str | None, wanted: Collection[str]
) -> Records:
    tree = _parse(text, file)
    if cards_at is not None:
        trees = _follow(tree, cards_at, file)
        inner = trees[0] if len(trees) == 1 else trees
        found = _as_cards(inner) or _as_cards(trees)
        rows = inner if _is_rows(inner) else None
    else:
        lists = list(_list_lists(tree, 0))
        best = max(lists, key=lambda one: (one.named, len(one.cards)), default=_Found([], 0))
        found = best.cards
        rows = next(_list_rows(tree, 0), None) if not best.named else None
    if rows is not None:
        lines = (Row(number, _flatten_row(row)) for number, row in enumerate(rows, 1))
        return name_rows(lines, file, wanted)
    if not found and isinstance(tree, dict) and any(find_field(key) == "name" for key in tree):
        found = [tree]  # a card alone
    check_number(len(found), file)
    if not found:
        raise CardgenError(
            "import/no-cards", "there is no list of cards in this JSON", Where(file), _WHERE
        )
    records = (
        Record(read_rpg_card(entry) if is_rpg_card(entry) else flatten(entry), Place(file, number))
        for number, entry in enumerate(found, 1)
    )
    return Records(tuple(records), ())


def _parse(text: str, file: str) -> Any:
    """Return the tree of a text, which may have comments, or an object on each line."""
    try:
        return json.loads(text)
    except RecursionError:
        raise CardgenError(
            "import/broken-json", "this JSON is nested too deeply", Where(file), _MEND
        ) from None
    except ValueError as error:
        first = error
    lines = [line for line in text.splitlines() if line.strip()]
    for attempt in (
        lambda: [json.loads(line) for line in lines] if len(lines) > 1 else None,
        lambda: json.loads(_strip(text)),
    ):
        try:
            tree = attempt()
        except (ValueError, RecursionError):
            continue
        if tree is not None:
            return tree
    if not isinstance(first, json.JSONDecodeError):
        raise CardgenError(
            "import/broken-json", "a number in this JSON is too long", Where(file), _MEND
        ) from first
    raise CardgenError(
        "import/broken-json",
        f"this is no JSON: {first.msg[:1].lower()}{first.msg[1:]}",
        Where(file, first.lineno, first.colno),
        _MEND,
    ) from first


def _strip(text: str) -> str:
    bare = _COMMENT.sub(lambda match: match[1] or " ", text)
    return _COMMA.sub(lambda match: match[1] or "", _SCRIPT.sub("", bare))


def _follow(tree: Any, path: str, file: str) -> list[Any]:
    """Return the value at a path such as `data.decks.0.cards` or `decks.*.cards`."""
    found = [tree]
    for step in filter(None, re.sub(r"\[(\d+|\*)\]", r".\1", path).removeprefix("$").split(".")):
        if step == "*":
            found = [
                part
                for one in found
                if isinstance(one, list | dict)
                for part in (one if isinstance(one, list) else one.values())
            ]
            continue
        known = [key for one in found if isinstance(one, dict) for key in one]
        found = [part for one in found for part in _take(one, step)]
        if not found:
            raise CardgenError(
                "import/no-such-key",
                f'--cards-at {path}: there is no "{step}"',
                Where(file),
                suggest(step, known, kind="key") if known else "name a key, a number or *",
                details={"name": step, "near": tuple(find_near(step, known))},
            )
    return [part for one in found for part in one] if _are_lists(found, path) else found


def _are_lists(found: list[Any], path: str) -> bool:
    return "*" in path and all(isinstance(one, list) for one in found)


def _take(tree: Any, step: str) -> list[Any]:
    if isinstance(tree, dict):
        return [tree[step]] if step in tree else []
    if isinstance(tree, list) and step.lstrip("-").isdecimal() and len(step) < 10:
        return tree[int(step) :][:1] if not step.startswith("-") else tree[int(step) :][-1:]
    return []


def _as_cards(tree: Any) -> list[dict[str, Any]]:
    """Return the objects of a list or of a mapping by name; an empty list where it is neither."""
    if isinstance(tree, list):
        return [entry for entry in tree if isinstance(entry, dict)]
    if isinstance(tree, dict) and tree and all(isinstance(v, dict) for v in tree.values()):
        return [{"name": key, **value} for key, value in tree.items()]
    return []


def _is_rows(tree: Any) -> bool:
    return isinstance(tree, list) and len(tree) > 1 and all(isinstance(row, list) for row in tree)


def _list_lists(tree: Any, depth: int) -> Iterator[_Found]:
    cards = _as_cards(tree)
    if cards:
        yield _Found(cards, _count_named(cards, tree))
    inner: list[Any] = []
    if isinstance(tree, dict):
        inner = list(tree.values())
    elif isinstance(tree, list):
        lists = [entry[key] for entry in cards for key in _INNER if _is_list(entry.get(key))]
        inner = [[card for one in lists for card in one]]
    if depth < _DEEPEST:
        for value in inner:
            yield from _list_lists(value, depth + 1)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _count_named(cards: list[dict[str, Any]], tree: Any) -> int:
    """Count the cards that have a name; those of a mapping by name need another known key."""
    if isinstance(tree, list):
        return sum(any(find_field(key) == "name" for key in card) for card in cards)
    known = [any(find_field(key) not in (None, "name") for key in card if key != "name")
             for card in cards]  # fmt: skip
    return sum(known)


def _list_rows(tree: Any, depth: int) -> Iterator[list[list[Any]]]:
    """Yield lists of rows, as spreadsheets give them."""
    if _is_rows(tree):
        yield tree
    elif isinstance(tree, dict) and depth < _DEEPEST:
        for value in tree.values():
            yield from _list_rows(value, depth + 1)


def _flatten_row(row: list[Any]) -> list[Value]:
    return [json.dumps(c, ensure_ascii=False) if isinstance(c, dict) else c for c in row]


def flatten(entry: dict[str, Any], above: str = "", depth: int = 0) -> dict[str, Value]:
    """Return nested objects by path, as `stats.cost`; lists of texts stay lists."""
    values: dict[str, Value] = {}
    for key, value in entry.items():
        path = f"{above}{key}"
        if isinstance(value, dict) and depth < _NESTED:
            values |= flatten(value, f"{path}.", depth + 1)
        elif isinstance(value, dict | list) and any(
            isinstance(part, dict | list) for part in value
        ):
            values[path] = json.dumps(value, ensure_ascii=False)
        else:
            values[path] = value
    return values


# The cards of rpg-cards, whose contents are lines as "property | Range | 60 feet"

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
