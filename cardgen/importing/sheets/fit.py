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
from cardgen.importing.sheets.pieces import Heading, Item, Line, Paragraph, Part, Piece, Table
from cardgen.importing.sheets.writer import format_parts
from cardgen.project.project import Project, open_project_of

# Checks that a deck can be built in a project for a target, and raises where it cannot.
CheckDeck = Callable[[Project, Deck, str | None], object]
LARGER = "a3"  # a size of paper and the target that prints on it
_MOST_TRIALS = 6
# What the layout says of a text, or of all contents, that a side has no room for.
_TOO_LONG = ("text/too-long", "layout/content-too-long")
_LETTERS = 52  # in a line of one of two columns
_ROW = 34


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
        first = 0
        texts = []
        for parts in self.sides:
            texts.append(format_parts(parts, first))
            first += sum(1 for part in parts if part.heading)
        return texts


def fit_sides(parts: Sequence[Part], title: str, path: Path, check: CheckDeck) -> Sides:
    """One side where the layout finds room, else two; one column where a table is too wide."""
    made = _turn(Sides((tuple(parts),)), title, path, check)
    if made.trouble is None or made.is_long:
        return made
    single = _turn(Sides((tuple(parts),), columns=1), title, path, check)
    return made if single.trouble else single


def _turn(whole: Sides, title: str, path: Path, check: CheckDeck) -> Sides:
    """The sheet turned over at the best place, if it must be."""
    whole = whole._replace(trouble=find_trouble(whole, title, path, check))
    if whole.trouble is None or not whole.is_long:
        return whole
    cuts = [whole._replace(sides=_cut(whole.sides[0], *cut)) for cut in _list_cuts(whole.sides[0])]
    for turned in cuts:
        if find_trouble(turned, title, path, check) is None:
            return turned._replace(trouble=None)
    best = cuts[0] if cuts else whole
    larger = find_trouble(best, title, path, check, larger=True) is None
    return best._replace(trouble=find_trouble(best, title, path, check), larger=larger)


def find_trouble(
    sides: Sides, title: str, path: Path, check: CheckDeck, *, larger: bool = False
) -> Problem | None:
    """Return the first problem of a sheet that cannot be built; None if there is none."""
    fields: dict[str, Value] = dict(zip(("text", "back_text"), sides.texts, strict=False))
    if sides.columns is not None:
        fields["columns"] = sides.columns
    back = DEFAULT_SHEET_BACK if len(sides.sides) > 1 else None
    where = Where(str(path))
    card = Card(slug(title), title, 1, DEFAULT_SHEET_TEMPLATE, back, fields, where)
    project = open_project_of(path)
    settings = project.settings
    deck = Deck(
        path.stem,
        title,
        path,
        (card,),
        author=settings.author or "",
        language=settings.language or "en",
        size=PAPER_SIZES[LARGER] if larger else None,
    )
    try:
        check(project, deck, LARGER if larger else None)
    except CardgenError as error:
        return error.problems[0]
    return None


def _list_cuts(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Before which piece of which part to turn, the likeliest first: between parts, then within."""
    heights = [[_measure(p) for p in _list_pieces(part)] for part in parts]
    total = sum(map(sum, heights))
    tiers: list[list[tuple[float, int, int]]] = [[], [], []]
    above = 0.0
    for number, part in enumerate(parts):
        pieces = _list_pieces(part)
        for place, piece in enumerate(pieces):
            if number or place:
                tier = _rate(pieces, place, piece)
                if tier is not None:
                    tiers[tier].append((abs(2 * above - total), number, place))
            above += heights[number][place]
    for found in tiers:
        for _, number, place in sorted(found)[:_MOST_TRIALS]:
            yield number, place


def _list_pieces(part: Part) -> list[Piece]:
    return [*([part.heading] if part.heading else []), *part.pieces]


def _rate(pieces: Sequence[Piece], place: int, piece: Piece) -> int | None:
    """How good a place above a piece is: 0 the best, None if nothing may be parted there."""
    if place == 0:
        return 0
    if isinstance(piece, Heading):
        return 1
    if isinstance(pieces[place - 1], Heading) or isinstance(piece, Item | Line):
        return None
    return 2


def _cut(parts: Sequence[Part], number: int, place: int) -> tuple[tuple[Part, ...], ...]:
    if place == 0:
        return tuple(parts[:number]), tuple(parts[number:])
    part = parts[number]
    at = place - (part.heading is not None)
    upper = replace(part, pieces=part.pieces[:at])
    lower = Part(None, part.pieces[at:])
    return (*parts[:number], upper), (lower, *parts[number + 1 :])


def _measure(piece: Piece) -> float:
    """How high a piece is, in lines."""
    if isinstance(piece, Heading):
        return 2.4 if piece.level == 1 else 1.6
    if isinstance(piece, Paragraph):
        return ceil(len(piece.content.text) / _LETTERS) + 0.5
    if isinstance(piece, Item):
        return ceil(len(piece.content.text) / (_LETTERS - 3)) + 0.4
    if isinstance(piece, Table):
        rows = [row for row in (piece.head, *piece.rows) if any(cell.text for cell in row)]
        return sum(max(ceil(len(cell.text) / _ROW) for cell in row) + 0.4 for row in rows)
    return 1.0
