"""The faces of a job that are shown once each: on a contact sheet, or on a table in a game.

Part of build: it knows which copies look the same. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardgen.core.errors import CardgenError, count
from cardgen.deck.model import Copy, Deck
from cardgen.pages.impose import Page, Sides
from cardgen.pages.sheets.contact import Shown, impose_contact
from cardgen.pages.sheets.tabletop import TableFace, TableSheet, arrange_sheets
from cardgen.pages.target import Target

if TYPE_CHECKING:
    from cardgen.build.faces import FaceMaker


def check_choice(target: Target, sides: Sides, skip: int) -> None:
    """Complain of what can be chosen for sheets alone."""
    if skip and (target.imposition == "contact" or target.format == "tts"):
        raise CardgenError(
            "build/todo",
            f'the target "{target.name}" has no sheets that are partly used: {skip} cannot be '
            "skipped",
            hint="leave --skip out",
        )
    if sides != "both" and target.format == "tts":
        raise CardgenError(
            "build/todo",
            f'the target "{target.name}" makes cards that have both sides',
            hint=f"leave --{sides} out",
        )


def show_faces(
    deck: Deck, copies: Sequence[Copy], faces: FaceMaker, sides: Sides, target: Target
) -> Page:
    """The page with each design's front, with its place and name, and then the backs there are."""
    designs: dict[int, int] = {}
    backs: dict[object, list[int]] = {}
    for index, copy in enumerate(copies):
        designs.setdefault(copy.design, index)
        backs.setdefault(faces.identify_back(copy), []).append(index)
    backs.pop(None, None)
    shown = []
    if sides != "backs":
        for design, index in designs.items():
            caption = f"{faces.get_place(copies[index])}  {deck.cards[design].name}"
            shown.append(Shown(index, "front", caption))
    if sides != "fronts":
        for same in backs.values():
            shown.append(Shown(same[0], "back", f"back of {count(len(same), 'card')}"))
    counts = [count(len(designs), "design"), count(len(copies), "card")]
    if sides != "fronts":
        counts.append(count(len(backs), "back"))
    return impose_contact(faces.format.size, shown, f"{deck.title}: {', '.join(counts)}", target)


def list_table_faces(copies: Sequence[Copy], faces: FaceMaker) -> tuple[list[TableFace], list[int]]:
    """The fronts that look different, and for each copy which of them it has."""
    numbers: dict[object, int] = {}
    found: list[TableFace] = []
    which: list[int] = []
    for index, copy in enumerate(copies):
        back = faces.identify_back(copy)
        # The same front with another back is another card.
        number = numbers.setdefault((faces.identify_front(copy), back), len(found))
        if number == len(found):
            found.append(TableFace(index, back))
        which.append(number)
    return found, which


def arrange_table(
    copies: Sequence[Copy], faces: FaceMaker, target: Target
) -> tuple[TableSheet, ...]:
    found, _ = list_table_faces(copies, faces)
    return arrange_sheets(faces.format.size, found, target)
