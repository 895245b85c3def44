"""Decks that show what is at hand: every icon, large and as small as it is used on cards, and every
font in each weight, with the signs it has.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from cardgen.deck.model import Card, Deck, Value
from cardgen.errors import Where
from cardgen.geometry import Size
from cardgen.library import Library
from cardgen.template.values import WEIGHTS
from cardgen.text.fonts import Family, FontFile, FontShelf
from cardgen.units import MM

# What the template `icon-specimen` takes for an icon, and for what lies around them all.
CELL = Size(31 * MM, 29 * MM)
AROUND = Size(24 * MM, 33 * MM)
_PATH = Path("icons.yaml")  # of no file: it says only where to look


def make_icon_deck(names: Sequence[str], paper: Size) -> Deck:
    """A deck with a page for as many icons as the paper holds."""
    columns = max(int((paper.width - AROUND.width) / CELL.width), 1)
    rows = max(int((paper.height - AROUND.height) / CELL.height), 1)
    lines: list[Value] = [list(names[at : at + columns]) for at in range(0, len(names), columns)]
    pages = [lines[at : at + rows] for at in range(0, len(lines), rows)]
    cards = tuple(
        Card(
            id=f"icons-{number}",
            name=f"Icons {number}",
            count=1,
            template="icon-specimen",
            back=None,
            fields={"lines": page, "columns": columns},
            where=Where(str(_PATH)),
        )
        for number, page in enumerate(pages, 1)
    )
    return Deck(name="icons", title="Icons", path=_PATH, cards=cards)


# Fonts

_LINE = "The quick brown fox jumps over the lazy dog 0123456789"
_MOST_SIGNS = 1000
_FONTS = Path("fonts.yaml")  # of no file, too


def make_font_deck(families: Sequence[Family], sources: Sequence[str], library: Library) -> Deck:
    """A deck with a page for each family."""
    shelf = FontShelf(library)
    cards = tuple(
        Card(
            id=f"fonts-{number}",
            name=family.name,
            count=1,
            template="font-specimen",
            back=None,
            fields=_show_family(family, shelf, source),
            where=Where(str(_FONTS)),
        )
        for number, (family, source) in enumerate(zip(families, sources, strict=True), 1)
    )
    return Deck(name="fonts", title="Fonts", path=_FONTS, cards=cards)


def _show_family(family: Family, shelf: FontShelf, source: str) -> dict[str, Value]:
    styles = _list_styles(family)
    file = shelf.open(family.name, *styles[0])
    signs = _list_signs(file)
    known = all(ord(letter) in file.characters for letter in _LINE)
    named: list[Value] = [[_name_style(*style), *style] for style in styles]
    more = len(signs) - _MOST_SIGNS
    count = f"{len(signs):,} signs" + (f", the first {_MOST_SIGNS:,} of them" if more > 0 else "")
    return {
        "family": family.name,
        "source": source,
        "styles": named,
        "line": _LINE if known else _write_plain(signs[:40]),
        "signs_there": " ".join(map(_write_plain, signs[:_MOST_SIGNS])),
        "count_there": count,
    }


def _list_styles(family: Family) -> list[tuple[int, bool]]:
    """Weights and slants: of a variable font those that have names."""
    found = set()
    for entry in family.entries:
        named = [w for w in WEIGHTS.values() if entry.lightest <= w <= entry.heaviest]
        fixed = entry.lightest == entry.heaviest or not named
        found |= {(w, entry.italic) for w in ([entry.lightest] if fixed else named)}
    regular = (400, False)
    return sorted(found, key=lambda style: (style != regular, style[1], style[0]))


def _name_style(weight: int, italic: bool) -> str:
    names = {number: name for name, number in WEIGHTS.items()}
    return f"{names.get(weight, '')} {weight}{' italic' if italic else ''}".strip()


def _list_signs(file: FontFile) -> list[str]:
    """What can be seen by itself, in the order of Unicode."""
    signs = map(chr, sorted(file.characters))
    return [sign for sign in signs if unicodedata.category(sign)[0] in "LNPS"]


def _write_plain(signs: Sequence[str]) -> str:
    """Signs that are no Markdown."""
    return "".join(f"\\{sign}" if sign.isascii() and not sign.isalnum() else sign for sign in signs)
