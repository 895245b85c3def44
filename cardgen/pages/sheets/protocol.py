"""Sheets of every kind have the same few methods, and take the copies of a deck as plain data.

A deck is printed on one kind of sheets, which choice.py chooses. Must not know what a face shows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from cardgen.core.geometry import Insets, Size
from cardgen.core.shape import RECTANGLE, Shape
from cardgen.pages.impose import Page, Sides
from cardgen.pages.places import fills_sheet
from cardgen.pages.printer import Printer, fit_target
from cardgen.pages.target import Duplex, Side, Target

BACKS_ALONE = ("backs", "even")
BY_HAND = ("odd", "even")


class SheetCopy(NamedTuple):
    """One copy of a card.

    design: equal for the copies of a card
    front, back: equal for faces that look the same; a back of None is none
    caption: what stands beneath its front on a sheet that shows it small
    kind: which size and shape it has, where there are several
    """

    design: int
    front: Hashable
    back: Hashable
    caption: str = ""
    kind: int = 0


class CardKind(NamedTuple):
    """The cards of one size and shape, and how far their faces bleed."""

    size: Size
    shape: Shape = RECTANGLE
    bleed: Insets = Insets()
    back_bleed: Insets = Insets()


class Batch(NamedTuple):
    """The copies that are laid on sheets together.

    bleed, back_bleed: that of the faces on each side
    title: that of the deck
    bleeds: both for each kind of card, where there are several
    in_step: whether a sheet without backs has a page for them, as others of the file
    """

    copies: Sequence[SheetCopy]
    bleed: Insets = Insets()
    back_bleed: Insets = Insets()
    title: str = ""
    bleeds: Mapping[int, tuple[Insets, Insets]] = MappingProxyType({})
    in_step: bool = False


class TableFace(NamedTuple):
    """A front.

    copy: the index of a copy that has it
    back: equal for backs that look the same; None is none
    """

    copy: int
    back: Hashable


class TableSheet(NamedTuple):
    """Fronts that share a picture.

    backs: one for all of them, where they look the same
    card, shape: what each is cut to
    """

    columns: int
    rows: int
    fronts: tuple[TableFace, ...]
    backs: tuple[TableFace, ...]
    card: Size = Size(1, 1)
    shape: Shape = RECTANGLE

    @property
    def has_one_back(self) -> bool:
        return len(self.backs) == 1


class TableLayout(NamedTuple):
    """The sheets of a deck.

    places: for each copy the index of its sheet, and its place there
    """

    sheets: tuple[TableSheet, ...]
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Sheets(ABC):
    """Sheets of a target for cards of one size.

    target: as it is printed: its paper as it lies, its margins those of the printer too
    shape: what is cut out
    used: the places of the first sheet that are used already, counted from 0
    """

    target: Target
    card: Size
    sides: Sides = "both"
    used: frozenset[int] = frozenset()
    shape: Shape = RECTANGLE

    @property
    def compares_faces(self) -> bool:
        """Whether faces that look the same are laid once, so that a copy may stand for others.

        Else all that is read of a copy is whether its back is None.
        """
        return True

    @property
    def is_lying(self) -> bool:
        """Whether the paper is wider than it is high."""
        page = self.target.page
        paper = self.card if fills_sheet(self.card, page) else page
        return paper.width > paper.height

    @abstractmethod
    def lay(self, batch: Batch) -> Iterator[Page]:
        """Return the pages one by one; what does not fit is an error before the first."""

    def list_sides(self) -> tuple[Side, ...]:
        """Return the sides of the cards that are printed."""
        if self.sides == "both":
            return ("front", "back")
        return ("back",) if self.sides in BACKS_ALONE else ("front",)

    def choose_turn(self, batch: Batch) -> Duplex:
        """Return the edge over which a printer is to turn the sheets; none where it prints one
        side of them.
        """
        if self.sides != "both" or all(copy.back is None for copy in batch.copies):
            return "none"
        return self.target.choose_turn(self.card)

    def find_table(self, batch: Batch) -> TableLayout | None:  # noqa: ARG002
        """Return where each copy lies on the sheets of a game; None of sheets of paper."""
        return None

    def count_places(self) -> int:
        """Return how many cards a sheet holds; 0 where it holds as many as there are."""
        return 0

    def change_target(self, **values: Any) -> Self:
        """Return the sheets of a target with other values, each by the name of its key."""
        return replace(self, target=self.target.change(**values))

    def fit_printer(self, printer: Printer) -> Self:
        """Return the sheets as a printer prints them, with its margins and its edge."""
        return replace(self, target=fit_target(self.target, printer))
