"""New decks: an empty one, or one out of a file that somebody drops on the page.

What is answered to an import's doubts is applied to what was found, and the deck is written as
`cardgen import` writes it. Each is a task of a process, as `painter.py` has them.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.build.try_sizes import find_fit, list_lacking
from cardgen.core.errors import CardgenError
from cardgen.importing.importer import Imported, import_files
from cardgen.importing.merging.record import format_record, name_record
from cardgen.importing.merging.update import make_deck
from cardgen.importing.model import BOLD, Candidate, Styled
from cardgen.importing.report import make_data
from cardgen.importing.review import Reviewed
from cardgen.importing.trial import set_pictures_aside, try_cards
from cardgen.importing.write import format_deck, make_cards
from cardgen.output.files import check_writable, write_file
from cardgen.studio.packing import Data

_UNSAFE = re.compile(r"[^\w. -]")
_LONGEST = 80


class Dropped(NamedTuple):
    """A file that was dropped, and what is said of the cards in it, by their numbers from 0 on.

    left: these are none; joined: these belong to the card above
    """

    name: str
    data: bytes
    left: tuple[int, ...] = ()
    joined: tuple[int, ...] = ()


def write_empty(out: Path, title: str, template: str, _: object) -> str:
    """Write a deck of one card, which is there to be changed; return its name."""
    _check_free(out)
    text = format_deck(title, [{"name": title}], {"template": template})
    write_file(out, text.encode())
    return out.stem


def look_into(dropped: Dropped, _: object) -> Data:
    """Return what is found in a file, and the lines of it."""
    reviewed = _read(dropped)
    told = make_data(reviewed.imported)
    for card, number in zip(told["cards"], reviewed.origins, strict=True):
        card["number"] = number
    return {**told, "found": len(reviewed.source.cards)}


def write_found(dropped: Dropped, out: Path, title: str, _: object) -> str:
    """Write a deck of what is found in a file; return its name."""
    _check_free(out)
    reviewed = _read(dropped)
    imported, _hints = set_pictures_aside(reviewed.imported, title, out, list_lacking)
    tried = try_cards(imported, title, out, find_fit)
    made = make_deck(title, reviewed._replace(imported=tried.imported), tried.head)
    assert made.data is not None
    write_file(out, made.data)
    write_file(name_record(out), format_record(made.record).encode())
    return out.stem


def _check_free(out: Path) -> None:
    if out.exists():
        raise CardgenError(
            "studio/deck-exists",
            f"{out} exists",
            hint="give the new deck another name",
            details={"path": out.as_posix()},
        )
    check_writable(out)


def _read(dropped: Dropped) -> Reviewed:
    name = _UNSAFE.sub("_", Path(dropped.name).name)[-_LONGEST:].lstrip(". ") or "file.txt"
    with tempfile.TemporaryDirectory(prefix="cardgen-") as folder:
        Path(folder, name).write_bytes(dropped.data)
        with chdir(folder):
            found = import_files([name])
    return _answer(found, frozenset(dropped.left), frozenset(dropped.joined))


def _answer(found: Imported, left: Collection[int], joined: Collection[int]) -> Reviewed:
    """Return the cards as somebody's answers make them."""
    cards: list[Candidate] = []
    origins: list[int] = []
    for number, card in enumerate(found.cards):
        if number in left:
            continue
        if number in joined and cards:
            cards[-1] = _join(cards[-1], card)
            continue
        cards.append(card)
        origins.append(number)
    answers = tuple(card.answers for card in found.cards)
    if not left and not joined:
        return Reviewed(found, found, tuple(origins), answers)
    imported = replace(found, cards=tuple(cards), values=tuple(make_cards(cards)))
    return Reviewed(found, imported, tuple(origins), answers)


def _join(card: Candidate, more: Candidate) -> Candidate:
    """Return a card with another one as a part of its text, which begins with its name."""
    name = Styled.of(f"{more.name}.", BOLD)
    first, *others = more.paragraphs or (Styled.of(""),)
    lead = name.join(first, " ") if first.text else name
    return replace(
        card, lines=(*card.lines, *more.lines), paragraphs=(*card.paragraphs, lead, *others)
    )
