"""Sheets with the cards in rows; or with one alone, where the page is the card or a play sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

from cardgen.core.geometry import Size
from cardgen.core.shape import Shape
from cardgen.pages.impose import Page, fit_loose, impose
from cardgen.pages.marks import fit_lanes
from cardgen.pages.places import fills_sheet, fit_grid
from cardgen.pages.printer import Printer, reach_places
from cardgen.pages.sheets.protocol import Batch, Sheets
from cardgen.pages.target import Side, Target


@dataclass(frozen=True, slots=True)
class GridSheets(Sheets):
    """For each sheet a page of fronts and one of the backs behind them, in the target's order."""

    @property
    def compares_faces(self) -> bool:
        return self.target.duplex.backs == "once" or self._lays_once

    @property
    def _lays_once(self) -> bool:
        """Whether copies that look the same are laid once."""
        return self.target.file.quantities != "copies"

    def lay(self, batch: Batch) -> Iterator[Page]:
        laid: Sequence[int] = range(len(batch.copies))
        if self._lays_once:
            first: dict[object, int] = {}
            for index, copy in enumerate(batch.copies):
                first.setdefault((copy.front, copy.back), index)
            laid = list(first.values())
        pages = impose(
            len(laid),
            self.card,
            batch.bleed,
            self.target,
            back_bleed=batch.back_bleed,
            sides=self.sides,
            backs=[batch.copies[index].back for index in laid],
            used=self.used,
            shape=self.shape,
            in_step=batch.in_step,
        )
        return (_name_copies(page, laid) for page in pages) if self._lays_once else pages

    def list_sides(self) -> tuple[Side, ...]:
        if self.sides == "both" and self.target.duplex.edge == "none":
            return ("front",)
        return Sheets.list_sides(self)

    def fit_printer(self, printer: Printer) -> Self:
        paper = self.target.paper.size
        if paper is None or fills_sheet(self.card, paper):
            return Sheets.fit_printer(self, printer)
        return replace(self, target=reach_places(printer, self.target, self.card))

    def count_places(self) -> int:
        return count_places(self.card, self.shape, self.target)


def _name_copies(page: Page, laid: Sequence[int]) -> Page:
    """Return a page of some copies with the indexes that they have among all."""
    placements = tuple(replace(place, index=laid[place.index]) for place in page.placements)
    return page._replace(placements=placements)


def count_places(card: Size, shape: Shape, target: Target) -> int:
    """Return how many cards a sheet holds, beside a cutter's marks where it has them."""
    if shape.is_loose and target.paper.size is not None:
        return len(fit_loose(card, shape, target).cells)
    return len(fit_grid(card, fit_lanes(card, target)).cells)
