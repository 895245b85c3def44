"""Chooses where a play sheet turns over: its parts on one side, or on two.

The best place is guessed by how high pieces are, and then tried: the caller gives the function that
checks a deck. Knows nothing of Markdown's signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.units import PAPER_SIZES
from cardgen.deck.model import DEFAULT_SHEET_BACK, DEFAULT_SHEET_TEMPLATE, Card, Deck, Value, slug
from cardgen.importing.sheets.pieces import Heading, Item, Line, Part
from cardgen.importing.sheets.writer import format_parts, format_piece
from cardgen.project.project import Project, open_project_of

# Checks that a deck can be built in a project for a target, and raises where it cannot.
CheckDeck = Callable[[Project, Deck, str | None], object]
LARGER = "a3"  # a size of paper and the target that prints on it
_MOST_TRIALS = 6
# What the layout says of a text, or of all contents, that a side has no room for.
_TOO_LONG = ("text/too-long", "layout/content-too-long")
_LETTERS = 50  # in a line of one of two columns


class Sides(NamedTuple):
    """The parts of each side; `trouble` is why they do not fit, `larger` whether they do on A3."""

    sides: tuple[tuple[Part, ...], ...]
    trouble: Problem | None = None
    larger: bool = False
    columns: int | None = None  # where not as many as usual

    @property
    def is_long(self) -> bool:
        return self.trouble is not None and self.trouble.code in _TOO_LONG

    @property
    def texts(self) -> list[str]:
        firsts = [
            sum(1 for side in self.sides[:n] for part in side if part.heading) for n in (0, 1)
        ]
        return [
            format_parts(parts, first) for parts, first in zip(self.sides, firsts, strict=False)
        ]


def fit_sides(parts: Sequence[Part], title: str, path: Path, check: CheckDeck) -> Sides:
    """One side where the layout finds room, else two; one column where a table is too wide."""
    made = _turn(Sides((tuple(parts),)), title, path, check)
    if made.trouble is None or made.is_long:
        return made
    single = _turn(Sides((tuple(parts),), columns=1), title, path, check)
    return made if single.trouble else single


def _turn(whole: Sides, title: str, path: Path, check: CheckDeck) -> Sides:
    """Return the sheet turned over at the best place, if it must be."""
    whole = whole._replace(trouble=find_trouble(whole, title, path, check))
    if not whole.is_long:
        return whole
    best = whole
    for number, place in _list_cuts(whole.sides[0]):
        cut = whole._replace(sides=_cut(whole.sides[0], number, place))
        cut = cut._replace(trouble=find_trouble(cut, title, path, check))
        if cut.trouble is None:
            return cut
        best = cut if best is whole else best
    return best._replace(larger=find_trouble(best, title, path, check, larger=True) is None)


def find_trouble(
    sides: Sides, title: str, path: Path, check: CheckDeck, *, larger: bool = False
) -> Problem | None:
    """Return the first problem of a sheet that cannot be built; None if there is none."""
    fields: dict[str, Value] = dict(zip(("text", "back_text"), sides.texts, strict=False))
    if sides.columns is not None:
        fields["columns"] = sides.columns
    back = DEFAULT_SHEET_BACK if len(sides.sides) > 1 else None
    card = Card(slug(title), title, 1, DEFAULT_SHEET_TEMPLATE, back, fields, Where(str(path)))
    project = open_project_of(path)
    author, language = project.settings.author or "", project.settings.language or "en"
    size = PAPER_SIZES[LARGER] if larger else None
    deck = Deck(path.stem, title, path, (card,), author=author, language=language, size=size)
    try:
        check(project, deck, LARGER if larger else None)
    except CardgenError as error:
        return error.problems[0]
    return None


def _list_cuts(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Yield before which piece of which part to turn: between parts first, near the middle."""
    heights = [[_measure(format_piece(piece)) for piece in part.all] for part in parts]
    total, above = sum(map(sum, heights)), 0.0
    tiers: list[list[tuple[float, int, int]]] = [[], [], []]
    for number, part in enumerate(parts):
        for place, piece in enumerate(part.all):
            loose = place and not isinstance(part.all[place - 1], Heading)
            tier = 0 if not place else 1 if isinstance(piece, Heading) else 2
            if (number or place) and (tier < 2 or (loose and not isinstance(piece, Item | Line))):
                tiers[tier].append((abs(2 * above - total), number, place))
            above += heights[number][place]
    for found in tiers:
        for _, number, place in sorted(found)[:_MOST_TRIALS]:
            yield number, place


def _measure(text: str) -> float:
    """Return how high a piece is, in lines."""
    return 0.5 + sum(ceil(len(line) / _LETTERS) for line in text.splitlines())


def _cut(parts: Sequence[Part], number: int, place: int) -> tuple[tuple[Part, ...], ...]:
    if place == 0:
        return tuple(parts[:number]), tuple(parts[number:])
    part = parts[number]
    at = place - (part.heading is not None)
    upper, lower = replace(part, pieces=part.pieces[:at]), Part(None, part.pieces[at:])
    return (*parts[:number], upper), (lower, *parts[number + 1 :])
