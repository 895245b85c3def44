"""Sheets for cards of several sizes: those of each size by themselves, one after the other.

Must not know what the faces show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

from cardgen.pages.impose import Page
from cardgen.pages.printer import Printer
from cardgen.pages.sheets.grid import GridSheets
from cardgen.pages.sheets.protocol import Batch, Sheets, TableLayout, TableSheet
from cardgen.pages.target import Duplex, Side


class Part(NamedTuple):
    """The sheets for the cards of one kind."""

    kind: int
    sheets: Sheets


class _Share(NamedTuple):
    """The copies of one kind, and their indexes among all."""

    sheets: Sheets
    batch: Batch
    indexes: Sequence[int]


@dataclass(frozen=True, slots=True)
class MixedSheets(Sheets):
    """The sheets of each kind in turn; those of the base are those of the first kind."""

    parts: tuple[Part, ...] = ()

    @property
    def compares_faces(self) -> bool:
        return any(part.sheets.compares_faces for part in self.parts)

    @property
    def is_lying(self) -> bool:
        return self.parts[0].sheets.is_lying

    def lay(self, batch: Batch) -> Iterator[Page]:
        pages: list[Page] = []
        for share in self._share_out(batch):
            last = max((page.number for page in pages), default=0)
            pages += (
                _renumber(page, last, share.indexes) for page in share.sheets.lay(share.batch)
            )
        if self.target.duplex.order == "fronts-backs":
            pages.sort(key=lambda page: page.side == "back")
        return iter(pages)

    def _share_out(self, batch: Batch) -> list[_Share]:
        """Return the copies of each kind that has any."""
        found = []
        for kind, sheets in self.parts:
            indexes = [n for n, copy in enumerate(batch.copies) if copy.kind == kind]
            if indexes:
                copies = [batch.copies[n] for n in indexes]
                bleed, back_bleed = batch.bleeds[kind]
                own = batch._replace(copies=copies, bleed=bleed, back_bleed=back_bleed)
                found.append(_Share(sheets, own, indexes))
        # Where one kind has pages for backs, all have, so that the file keeps in step.
        in_step = any(
            isinstance(share.sheets, GridSheets)
            and any(copy.back is not None for copy in share.batch.copies)
            for share in found
        )
        return [share._replace(batch=share.batch._replace(in_step=in_step)) for share in found]

    def list_sides(self) -> tuple[Side, ...]:
        sides = {side for part in self.parts for side in part.sheets.list_sides()}
        return tuple(side for side in ("front", "back") if side in sides)

    def choose_turn(self, batch: Batch) -> Duplex:
        turns = (share.sheets.choose_turn(share.batch) for share in self._share_out(batch))
        return next((turn for turn in turns if turn != "none"), "none")

    def find_table(self, batch: Batch) -> TableLayout | None:
        sheets: list[TableSheet] = []
        places: dict[int, tuple[int, int]] = {}
        for share in self._share_out(batch):
            layout = share.sheets.find_table(share.batch)
            if layout is None:
                return None
            for index, (sheet, place) in zip(share.indexes, layout.places, strict=True):
                places[index] = sheet + len(sheets), place
            for sheet_ in layout.sheets:
                fronts, backs = (
                    tuple(face._replace(copy=share.indexes[face.copy]) for face in faces)
                    for faces in (sheet_.fronts, sheet_.backs)
                )
                sheets.append(sheet_._replace(fronts=fronts, backs=backs))
        return TableLayout(tuple(sheets), tuple(places[n] for n in range(len(batch.copies))))

    def count_places(self) -> int:
        return sum(part.sheets.count_places() for part in self.parts)

    def fit_printer(self, printer: Printer) -> Self:
        fitted = [part._replace(sheets=part.sheets.fit_printer(printer)) for part in self.parts]
        return replace(self, parts=tuple(fitted), target=fitted[0].sheets.target)

    def change_target(self, **values: Any) -> Self:
        parts = [p._replace(sheets=p.sheets.change_target(**values)) for p in self.parts]
        return replace(self, parts=tuple(parts), target=parts[0].sheets.target)


def _renumber(page: Page, last: int, indexes: Sequence[int]) -> Page:
    """Return a page of one kind with its number and its copies' indexes among all."""
    placements = tuple(replace(place, index=indexes[place.index]) for place in page.placements)
    return page._replace(number=page.number + last, placements=placements)
