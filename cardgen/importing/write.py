"""Writes candidates as the text of a deck in YAML.

Knows nothing of where the cards came from.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import yaml

from cardgen.core.colour_names import CSS_COLOURS
from cardgen.deck.model import (
    ALL_FIELDS_TEMPLATE,
    CARD_KEYS,
    DEFAULT_FIELDS,
    DEFAULT_TEMPLATE,
    MAX_COUNT,
    Value,
    slug,
)
from cardgen.deck.yaml import parse_scalar
from cardgen.importing.model import Candidate

FIELDS = ("kind", "rank", "cost", "who", "uses")
STATS_TEMPLATE = "stat-block"
# What the others print, besides what every card has.
PRINTED = {
    DEFAULT_TEMPLATE: DEFAULT_FIELDS,
    STATS_TEMPLATE: ("kind", "stats", "text", "abilities"),
}
_ANYWHERE = "small_print"  # no text: how that of one card is set
# The names of pictures that are not there yet; no template prints these.
ASIDE = {key: f"{key}_file" for key in ("picture", "image")}
_WIDTH = 96
_SHORT = 72
_HEX = re.compile(r"#(?:[\da-fA-F]{3}){1,2}")
_PLAIN_KEY = re.compile(r"[a-z_][a-z0-9_]{0,30}")
_PLAIN = re.compile(
    r"(?:[A-Za-zÀ-ſ]|[0-9][0-9.,/+-]* (?=[A-Za-zÀ-ſ]))"
    r"(?:[A-Za-zÀ-ſ0-9,.;()'/+&!?%-]| (?! ))*(?<! )"
)
_UNSAFE = frozenset(
    ("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nan", "inf")
)


class _Dumper(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        # Lists lie deeper than the key that holds them.
        super().increase_indent(flow, indentless and False)


def _write_text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = None
    if "\n" in text:
        text, style = _wrap(text), "|"
    elif not isinstance(parse_scalar(text), str):
        # PyYAML does not know that cardgen takes 1e5 for a number.
        style = "'"
    elif len(text) > _SHORT:
        style = ">"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style)


_Dumper.add_representer(str, _write_text)


def _wrap(text: str) -> str:
    """Return paragraphs with their lines broken."""
    paragraphs = (
        _break(part)
        if _is_even(part)
        else textwrap.wrap(part, _WIDTH, break_long_words=False, break_on_hyphens=False)
        for part in text.split("\n\n")
    )
    return "\n\n".join("\n".join(lines) for lines in paragraphs)


def _break(text: str) -> list[str]:
    """Return the lines of words with one blank between them, as textwrap breaks them."""
    lines = []
    start = 0
    while len(text) - start > _WIDTH:
        end = text.rfind(" ", start, start + _WIDTH + 1)
        end = end if end > 0 else text.find(" ", start + _WIDTH)
        if end < 0:
            break
        lines.append(text[start:end])
        start = end + 1
    return [*lines, text[start:]] if text else []


def make_cards(cards: Iterable[Candidate]) -> list[dict[str, Value]]:
    """Return each card with its keys as a deck writes them, and an id where two have one name."""
    cards = list(cards)
    other = _rename_colours(cards)
    made: list[dict[str, Value]] = []
    ids: set[str] = set()
    numbers: dict[str, int] = {}  # where the search for a free id goes on
    for card in cards:
        values: dict[str, Value] = {"name": card.name}
        own = slug(card.name)
        wanted = f"{own}-{slug(card.rank)}" if card.rank else own
        unique = wanted
        number = numbers.get(wanted, 2)
        while unique in ids:
            unique = f"{wanted}-{number}"
            number += 1
        numbers[wanted] = number
        ids.add(unique)
        if unique != own:
            values["id"] = unique
        if card.count != 1:
            values["count"] = min(card.count, MAX_COUNT)
        for field in FIELDS:
            value = getattr(card, field)
            if value is not None:
                values[field] = value
        said = ((other.get(key, key), value) for key, value in card.other)
        values.update((key, value) for key, value in said if key not in values)
        if card.text:
            values["text"] = card.text
        made.append(values)
    return made


def _rename_colours(cards: Sequence[Candidate]) -> dict[str, str]:
    """Return another key for a card's own colour where a card has none there that can be drawn, as
    a game calls its suits: "White/Blue".
    """
    return {
        key: f"{key}s"
        for key in ("color", "colour")
        if not all(_is_colour(value) for card in cards for k, value in card.other if k == key)
    }


def _is_colour(value: Value) -> bool:
    return isinstance(value, str) and (value.lower() in CSS_COLOURS or bool(_HEX.fullmatch(value)))


def format_deck(
    title: str, cards: Sequence[Mapping[str, Value]], head: Mapping[str, Value] = {}
) -> str:
    """Return the text of a deck: its keys, then its cards with an empty line between them."""
    fields = {key for card in cards for key in card if key not in CARD_KEYS}
    deck: dict[str, Any] = {"title": title, "template": _choose_template(cards, fields), **head}
    entries = (textwrap.indent(format_card(card), "  ") for card in cards)
    return f"{_dump(deck)}\ncards:\n" + "\n".join(entries)


def _choose_template(cards: Sequence[Mapping[str, Value]], fields: Collection[str]) -> str:
    """Return the template for the cards: one that prints all of their fields.

    Units have stats, and a template that shows them; other cards seldom do.
    """
    stats = sum("stats" in card for card in cards) * 2 > len(cards)
    template = STATS_TEMPLATE if stats else DEFAULT_TEMPLATE
    prints_all = set(fields) <= {*PRINTED[template], *ASIDE.values(), _ANYWHERE}
    return template if prints_all else ALL_FIELDS_TEMPLATE


def format_card(card: Mapping[str, Value]) -> str:
    """Return an entry of the list of cards, with its hyphen in the first column."""
    lines = [
        _format_text(key, value, last=place == len(card))
        if isinstance(value, str)
        else _write_field(key, value) or _dump_field(key, value, last=place == len(card))
        for place, (key, value) in enumerate(card.items(), 1)
    ]
    return "- " + "\n  ".join(lines) + "\n" if lines else _dump([{}])


# PyYAML takes milliseconds for a card; what needs none of its care is written here, as it would.


@lru_cache(maxsize=32_768)  # a deck is written twice: to be tried on, and to stay
def _format_text(key: str, text: str, *, last: bool) -> str:
    return _write_field(key, text) or _dump_field(key, text, last=last)


def _write_field(key: str, value: Value) -> str | None:
    """Return a field of a card as PyYAML writes it; None where that is not sure."""
    if not _PLAIN_KEY.fullmatch(key) or key in _UNSAFE:
        return None
    if isinstance(value, int):
        return f"{key}: {str(value).lower()}"
    if isinstance(value, dict):
        return _write_stats(key, value)
    if not isinstance(value, str):
        return None
    if "\n" in value:
        lines = _wrap(value).split("\n")
        plain = all(line.isprintable() and line == line.strip() for line in lines)
        if not (plain and lines[0] and lines[-1]):
            return None
        return f"{key}: |-\n" + "\n".join(f"    {line}" if line else "" for line in lines)
    if len(value) > _SHORT:
        return f"{key}: >-\n    {_fold(value)}" if _is_even(value) else None
    if len(key) + len(value) >= _WIDTH - 10 or value.lower() in _UNSAFE:
        return None
    if _PLAIN.fullmatch(value):
        return f"{key}: {value}"
    if ": " in value and _PLAIN.fullmatch(value.replace(": ", " ")):
        quoted = value.replace("'", "''")
        return f"{key}: '{quoted}'"
    return None


def _write_stats(key: str, stats: Mapping[str, Value]) -> str | None:
    """Return pairs of short texts below their key."""
    pairs = [
        _format_text(name, value, last=False)
        for name, value in stats.items()
        if isinstance(name, str) and isinstance(value, str) and len(name) + len(value) <= _SHORT
    ]
    even = len(pairs) == len(stats) and not any("\n" in pair for pair in pairs)
    return "\n    ".join([f"{key}:", *pairs]) if pairs and even else None


def _dump_field(key: str, value: Value, *, last: bool) -> str:
    """Return a field of a card as PyYAML writes it: what is below it tells how a text ends."""
    after = "b" if key == "a" else "a"
    dumped = _dump([{key: value} if last else {key: value, after: 0}]).removeprefix("- ")
    return dumped.removesuffix("\n" if last else f"\n  {after}: 0\n")


def _is_even(text: str) -> bool:
    return text.isprintable() and "  " not in text and text == text.strip()


def _fold(text: str) -> str:
    """Return a text that is broken at each space behind the width."""
    words = text.split(" ")
    parts, column = [words[0]], 4 + len(words[0])
    for word in words[1:]:
        breaks = column > _WIDTH
        parts.append(f"\n    {word}" if breaks else f" {word}")
        column = 4 + len(word) if breaks else column + 1 + len(word)
    return "".join(parts)


def format_field(key: str, value: Value) -> str:
    """Return a key and its value, with the key in the first column."""
    return _dump({key: value})


def _dump(data: Any) -> str:
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text
