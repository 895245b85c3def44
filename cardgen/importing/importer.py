"""Makes the cards of one deck out of files: read, recognise, gather.

Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.deck.model import Value
from cardgen.importing.deck_doubts import doubt_cards
from cardgen.importing.finding.gather import gather
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.merging.notes import Note
from cardgen.importing.model import DOUBTFUL, Answer, Candidate, Doubt, LeftOut, Recognised
from cardgen.importing.reading.kinds import TABLES
from cardgen.importing.reading.sources import Source, read_blocks, read_source
from cardgen.importing.sheets.parts import MAX_SHEET_LINES, looks_like_sheet
from cardgen.importing.tables.files import read_records
from cardgen.importing.tables.records import ALL_COLUMNS, Columns, read_cards
from cardgen.importing.write import make_cards


@dataclass(frozen=True, slots=True)
class Imported:
    """What all files gave together.

    deck_doubts, deck_answers: of the deck as a whole, not of one card
    """

    files: tuple[str, ...]
    cards: tuple[Candidate, ...]
    values: tuple[Mapping[str, Value], ...]  # the cards as the deck writes them
    left_out: tuple[LeftOut, ...]
    noun: Literal["card", "part"] = "card"
    notes: tuple[Note, ...] = ()  # of a deck that was there already
    deck_doubts: tuple[Doubt, ...] = ()
    deck_answers: tuple[Answer, ...] = ()

    def list_doubtful(self) -> list[Candidate]:
        return [card for card in self.cards if card.sure < DOUBTFUL]


def import_files(
    paths: Iterable[str | Path], *, ranks_as_cards: bool = True, columns: Columns = ALL_COLUMNS
) -> Imported:
    """Return the cards of all files and addresses; a card that two of them print is one card."""
    files: list[str] = []
    found: list[Candidate] = []
    left: list[LeftOut] = []
    doubts: list[Doubt] = []
    for path in paths:
        source = read_source(str(path))
        files.append(source.name)
        if source.kind in TABLES:
            recognised = read_cards(read_records(source, columns), columns, source.name)
        else:
            blocks = read_blocks(source)
            recognised = recognise(blocks)
            short = len(blocks) <= MAX_SHEET_LINES
            if not recognised.cards:
                raise _refuse(source, short)
            recognised = _doubt_sheet(recognised, source) if short else recognised
        found += recognised.cards
        left += recognised.left_out
        doubts += recognised.deck_doubts
    cards = gather(found, ranks_as_cards=ranks_as_cards)
    doubts += doubt_cards(cards)
    return Imported(
        tuple(files), tuple(cards), tuple(make_cards(cards)), tuple(left), deck_doubts=tuple(doubts)
    )


def _doubt_sheet(recognised: Recognised, source: Source) -> Recognised:
    """Doubt cards without any fact that come out of a text full of tables."""
    first, *others = recognised.cards
    if any(card.cost is not None or card.ranks or card.who for card in recognised.cards):
        return recognised
    if not looks_like_sheet(read_blocks(source, lists=True)):
        return recognised
    said = "it reads like a play sheet: name a .md to write, as -o decks/mine.md"
    doubt = Doubt("play-sheet", said, 0.7)
    doubtful = replace(first, doubts=(*first.doubts, doubt))
    return recognised._replace(cards=(doubtful, *others))


def _refuse(source: Source, short: bool) -> CardgenError:
    if short and looks_like_sheet(read_blocks(source, lists=True)):
        return CardgenError(
            "import/no-cards",
            "no card is found in this text",
            Where(source.name),
            "it reads like a play sheet: name a .md to write, as -o decks/mine.md",
        )
    return CardgenError(
        "import/no-cards",
        "no card is found in this text",
        Where(source.name),
        "a card is a name on a line of its own, in capitals, bold or a heading, with its cost"
        " or who may have it beside or below it, and then what it does",
    )


def refuse_doubts(imported: Imported) -> None:
    """Raise all doubts as problems, those of a card with its place."""
    problems = [
        Problem("import/deck-doubt", f"the deck as a whole: {doubt.what}")
        for doubt in imported.deck_doubts
    ]
    problems += [
        Problem(
            "import/doubt",
            f'{imported.noun} "{shorten(card.name)}": {doubt.what}',
            Where(card.place.file, card.place.line),
        )
        for card in imported.cards
        for doubt in card.doubts
    ]
    if problems:
        raise CardgenError.of(problems)
