"""Makes the cards of one deck out of files: read, recognise, gather.

Writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.deck.columns import find_sides
from cardgen.deck.model import FLASHCARD_TEMPLATES, Value
from cardgen.importing.deck_doubts import check_explained, doubt_cards
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.gather import gather
from cardgen.importing.merging.notes import Note
from cardgen.importing.model import (
    COUNTED,
    NOT_POINTED,
    Answer,
    Block,
    Candidate,
    Doubt,
    LeftOut,
    Pointed,
    Recognised,
)
from cardgen.importing.reading.kinds import TABLES
from cardgen.importing.reading.sources import Source, read_blocks, read_source
from cardgen.importing.sheets.parts import MAX_SHEET_LINES, looks_like_sheet
from cardgen.importing.tables.files import read_records
from cardgen.importing.tables.notes import may_be_notes, read_notes
from cardgen.importing.tables.records import ALL_COLUMNS, Columns, read_cards
from cardgen.importing.without import (
    Known,
    check_left_out,
    leave_columns_out,
    leave_fields_out,
)
from cardgen.importing.write import make_cards

LEFT_OUT = "left out in review"
# The sources of programs, in which people who write games keep their cards.
_PROGRAMS = (".lua", ".cs", ".java", ".kt", ".gd", ".rb", ".php", ".go", ".rs", ".cpp", ".h")
_LIKE_SHEET = "it reads like a play sheet: name a .md to write, as -o decks/mine.md"


@dataclass(frozen=True, slots=True)
class Imported:
    """What all files gave together.

    deck_doubts, deck_answers: of the deck as a whole, not of one card
    head: what the deck says besides its cards
    """

    files: tuple[str, ...]
    cards: tuple[Candidate, ...]
    values: tuple[Mapping[str, Value], ...]  # the cards as the deck writes them
    left_out: tuple[LeftOut, ...]
    noun: Literal["card", "part"] = "card"
    notes: tuple[Note, ...] = ()  # of a deck that was there already
    deck_doubts: tuple[Doubt, ...] = ()
    deck_answers: tuple[Answer, ...] = ()
    head: Mapping[str, Value] = field(default_factory=dict)

    def list_doubtful(self) -> list[Candidate]:
        return [card for card in self.cards if card.is_doubtful]


def import_files(
    paths: Iterable[str | Path],
    *,
    ranks_as_cards: bool = True,
    columns: Columns = ALL_COLUMNS,
    pointed: Pointed = NOT_POINTED,
    without: Sequence[str] = (),
) -> Imported:
    """Return the cards of all files and addresses; a card that two of them print is one card.

    pointed: what somebody sees in the texts that the finder may not
    without: the columns and fields that are left out
    """
    named = [*map(str, paths)]
    read: list[_Read] = []
    sources: Iterable[Source] = map(read_source, named)
    if pointed == NOT_POINTED and may_be_notes(named):
        sources = [*sources]
        if notes := read_notes(sources, columns):
            read.append(_Read(tuple(named), *leave_fields_out(notes, without, named[0])))
            sources = ()
    for source in sources:
        if source.kind in TABLES:
            read.append(_read_table(source, columns._replace(pointed=pointed), without))
        else:
            read.append(_read_text(source, pointed, without))
    files = tuple(file for one in read for file in one.files)
    _check_pointed([one.lacking for one in read if one.lacking is not None], files)
    check_left_out(without, [one.known for one in read])
    found = [one.recognised for one in read]
    cards = gather([card for one in found for card in one.cards], ranks_as_cards=ranks_as_cards)
    return Imported(
        files,
        tuple(cards),
        tuple(make_cards(cards)),
        tuple(left for one in found for left in one.left_out),
        deck_doubts=(*(doubt for one in found for doubt in one.deck_doubts), *doubt_cards(cards)),
        head=_choose_templates(cards),
    )


class _Read(NamedTuple):
    """What files gave, and what could be left out of it.

    lacking: the names that no line of a text begins with, and no row, each with the nearest
    """

    files: tuple[str, ...]
    recognised: Recognised
    known: Known
    lacking: Mapping[str, str] | None = None


def _read_table(source: Source, columns: Columns, without: Sequence[str]) -> _Read:
    records, known = leave_columns_out(read_records(source, columns), without, source.name)
    recognised = read_cards(records, columns, source.name)
    return _Read((source.name,), recognised, known, recognised.lacking)


def _read_text(source: Source, pointed: Pointed, without: Sequence[str]) -> _Read:
    blocks, away = _leave_out(read_blocks(source), pointed)
    recognised = recognise(blocks, pointed)
    lacking = recognised.lacking
    short = len(blocks) <= MAX_SHEET_LINES
    sheet = short and not pointed.names and _reads_like_sheet(recognised, source)
    if not recognised.cards or (sheet and 2 * recognised.explained < recognised.lines):
        raise _refuse(source, sheet)
    recognised = _doubt_left(recognised, pointed, source)
    recognised = _doubt_sheet(recognised) if sheet else recognised
    recognised, known = leave_fields_out(recognised, without, source.name)
    recognised = recognised._replace(left_out=(*away, *recognised.left_out))
    return _Read((source.name,), recognised, known, lacking)


def _choose_templates(cards: Sequence[Candidate]) -> dict[str, Value]:
    """Return the templates of cards to learn from, where most cards have an answer, or ask."""
    called = Counter((card.labels.get("name", ""), card.labels.get("text", "")) for card in cards)
    sides = {titles for titles in called if find_sides(titles)}
    learnt = [
        card
        for card in cards
        if (card.labels.get("name", ""), card.labels.get("text", "")) in sides
        or any(key == "answer" for key, _ in card.other)
        or (card.name.endswith("?") and card.text and not card.other)
    ]
    if 2 * len(learnt) <= len(cards):
        return {}
    return dict(zip(("template", "back"), FLASHCARD_TEMPLATES, strict=True))


def _leave_out(
    blocks: Sequence[Block], pointed: Pointed
) -> tuple[Sequence[Block], Sequence[LeftOut]]:
    """Return the blocks without those that somebody leaves out, and these."""
    if not pointed.out:
        return blocks, ()
    places = {line.place for line in pointed.out}
    beside = Counter(block.place for block in blocks)  # columns share the numbers of their lines
    kept, away = [], []
    for block in blocks:
        alone = beside[block.place] == 1 or not pointed.out.isdisjoint(block.lines)
        if block.place in places and alone:
            away += [LeftOut(line.text, line.place, LEFT_OUT) for line in block.lines]
        else:
            kept.append(block)
    return kept, away


def _check_pointed(lacking: Sequence[Mapping[str, str]], files: Sequence[str]) -> None:
    """Refuse names that no line of any text begins with."""
    names = [name for name in lacking[0] if all(name in one for one in lacking)] if lacking else []
    problems = []
    for name in names:
        near = next((one[name] for one in lacking if one[name]), "")
        problems.append(
            Problem(
                "import/no-such-name",
                f'no card of this text is called "{shorten(name)}"',
                Where(files[0]),
                f'did you mean "{shorten(near)}"?' if near else "write it as the text prints it",
                details={"name": name, "near": near},
            )
        )
    if problems:
        raise CardgenError.of(problems)


def _doubt_left(recognised: Recognised, pointed: Pointed, source: Source) -> Recognised:
    """Doubt cards that leave most of their text unexplained, or refuse them."""
    doubts = check_explained(
        recognised.explained,
        recognised.lines,
        recognised.guesses,
        source.name,
        pointed=bool(pointed.names) or all(COUNTED in card.reasons for card in recognised.cards),
    )
    return recognised._replace(deck_doubts=(*recognised.deck_doubts, *doubts))


def _has_facts(card: Candidate) -> bool:
    """Whether a card says what play sheets do not: a cost in any coin, copies, who may have it."""
    facts = card.cost is not None or card.ranks or card.who or card.count > 1
    facts = facts or COUNTED in card.reasons
    return bool(facts) or any(key == "cost" for key, _ in card.other)


def _reads_like_sheet(recognised: Recognised, source: Source) -> bool:
    """Whether a text is full of tables, and few of its cards have a fact."""
    if 2 * sum(map(_has_facts, recognised.cards)) > len(recognised.cards):
        return False
    return looks_like_sheet(read_blocks(source, lists=True))


def _doubt_sheet(recognised: Recognised) -> Recognised:
    first, *others = recognised.cards
    doubt = Doubt("play-sheet", _LIKE_SHEET, 0.7)
    doubtful = replace(first, doubts=(*first.doubts, doubt))
    return recognised._replace(cards=(doubtful, *others))


def _refuse(source: Source, sheet: bool) -> CardgenError:
    cure = _LIKE_SHEET
    if not sheet:
        cure = (
            "cards are names printed alike, each with its text below or beside it; two of them"
            ' point: --name "Sword of Dawn" --name "Wooden Spoon"'
        )
    if Path(source.name).suffix.lower() in _PROGRAMS:
        cure = "a program is not run: let it print its list of cards as JSON, and import that"
    return CardgenError(
        "import/no-cards", "no card is found in this text", Where(source.name), cure
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
