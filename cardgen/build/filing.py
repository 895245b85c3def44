"""What the files of a build are called: the output after its deck, pictures after their cards.

Part of build. Knows nothing of what the files hold.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.build.job import DEFAULT_TARGET, Job
from cardgen.core.errors import CardgenError, Problem
from cardgen.deck.model import Deck
from cardgen.pages.impose import Page, Sides
from cardgen.pages.target import PLAIN, Target
from cardgen.project.settings import NO_SETTINGS, OWN_LOOK, Settings

_SHEET_NAMES = "page-{place}-{side}"


def name_output(
    deck: Deck, target: Target, look: str | None, sides: Sides, usual: Settings = NO_SETTINGS
) -> str:
    """The name of the file, or of the folder of pictures: the deck's, and what is not as usual."""
    parts = [deck.name]
    if deck.translation is not None:
        parts.append(deck.translation.language)
    if look is not None and look != (usual.look or OWN_LOOK):
        parts.append(look)
    if target.name != (deck.target or usual.target or DEFAULT_TARGET):
        parts.append(target.name)
    if sides != "both":
        parts.append(sides)
    folder = "" if target.format != "pdf" else ".pdf"
    return "-".join(parts) + (".zip" if target.zip else folder)


def name_pictures(job: Job, pages: Iterable[Page]) -> list[str]:
    """A picture's name for each page: after the card that it shows alone, else after the sheet."""
    deck, target = job.deck, job.target
    width = len(str(deck.copies))
    most = len(str(max(card.count for card in deck.cards)))
    sheet_names = _SHEET_NAMES if target.names == PLAIN.names else target.names
    named: dict[str, str] = {}
    problems: list[Problem] = []
    names: list[str] = []
    for page in pages:
        fields = {"deck": deck.name, "target": target.name, "side": page.side}
        if target.paper is None:
            copy = job.copies[page.placements[0].index]
            card = deck.cards[copy.design]
            pattern, place = target.names, job.faces.get_place(copy)
            fields |= {"card": card.id, "copy": f"{copy.number + 1:0{most}}"}
            what = f'the {page.side} of card {place}, "{card.name}"'
        else:
            pattern, place = sheet_names, page.number
            what = f"the {page.side} of sheet {place}"
        name = pattern.format(place=f"{place:0{width}}", **fields) + ".png"
        # Not every disk tells capitals from small letters.
        other = named.setdefault(name.casefold(), what)
        if other != what:
            problems.append(
                Problem(
                    "build/todo",
                    f'{other} and {what} would both be called "{name}"',
                    target.find_place("names"),
                    "add {place} or {copy} to names, or print --one-of-each",
                )
            )
        names.append(name)
    if problems:
        raise CardgenError.of(problems)
    return names
