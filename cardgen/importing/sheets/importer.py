"""Files become one play sheet in Markdown: read, recognise, fit, write. The order of its stages.

Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.raw import title_of
from cardgen.importing.importer import Imported
from cardgen.importing.model import Block, Candidate, Doubt, Styled
from cardgen.importing.reading.kinds import TABLES
from cardgen.importing.reading.sources import find_page_title, read_blocks, read_source
from cardgen.importing.sheets.fit import CheckDeck, Sides, fit_sides
from cardgen.importing.sheets.lines import hold_figure
from cardgen.importing.sheets.parts import MAX_SHEET_LINES, recognise_sheet
from cardgen.importing.sheets.pieces import Piece, Sheet, Table
from cardgen.importing.sheets.writer import TURN, format_head, format_part

SHEET_SUFFIXES = (".md",)


class ImportedSheet(NamedTuple):
    imported: Imported
    text: str  # the whole file
    sides: int


def import_sheet(
    paths: Iterable[str | Path], out: Path, title: str | None, check: CheckDeck
) -> ImportedSheet:
    """Return the play sheet that all files together make; `check` says whether it can be built."""
    sources = [read_source(str(path)) for path in paths]
    files = tuple(source.name for source in sources)
    blocks: list[Block] = []
    for source in sources:
        if source.kind in TABLES:
            raise CardgenError(
                "import/table-for-a-sheet",
                "a table holds cards, and no play sheet",
                Where(source.name),
                f"name a deck of cards to write, as {out.with_suffix('.yaml')}",
            )
        read = read_blocks(source, lists=True)
        blocks += map(hold_figure, read) if source.kind == "html" else read
    if len(blocks) > MAX_SHEET_LINES:
        raise CardgenError(
            "import/too-long",
            f"this text has {len(blocks):,} lines; a play sheet has at most {MAX_SHEET_LINES:,}",
            Where(files[0]),
            "save the pages of the sheet by themselves, and import those",
            details={"lines": len(blocks), "most": MAX_SHEET_LINES},
        )
    sheet = recognise_sheet(blocks, title)
    if not sheet.parts:
        raise CardgenError("import/no-text", "there is no text for a play sheet", Where(files[0]))
    name = sheet.title or find_page_title(sources[0]) or title_of(out)
    sides = fit_sides(sheet.parts, name, out, check)
    cards = _list_parts(sheet, name, sides)
    values = tuple({"name": card.name, "text": card_text} for card, card_text in cards)
    imported = Imported(files, tuple(card for card, _ in cards), values, sheet.left_out, "part")
    head = {"title": name, "columns": sides.columns} if sides.columns else {"title": name}
    text = format_head(head) + f"\n{TURN}\n\n".join(sides.texts)
    return ImportedSheet(imported, text, len(sides.sides))


def _list_parts(sheet: Sheet, title: str, sides: Sides) -> list[tuple[Candidate, str]]:
    """Return the parts as the report shows them; what is said of the whole stands at the last."""
    listed: list[tuple[Candidate, str]] = []
    for number, part in enumerate(sheet.parts):
        own = [line for piece in part.all for line in piece.lines]
        doubts = [doubt for piece in part.all for doubt in piece.doubts]
        if number == len(sheet.parts) - 1:
            doubts += _doubt_fit(sides)
        card = Candidate(
            name=part.heading.content.text if part.heading else title,
            lines=tuple(dict.fromkeys([*(sheet.title_lines if number == 0 else ()), *own])),
            paragraphs=tuple(text for piece in part.pieces for text in _list_texts(piece)),
            doubts=tuple(doubts),
            reasons=("a heading" if part.heading else "text above the first heading",),
        )
        listed.append((card, format_part(part)))
    return listed


def _list_texts(piece: Piece) -> list[Styled]:
    rows = (piece.head, *piece.rows) if isinstance(piece, Table) else ((piece.content,),)
    return [cell for row in rows for cell in row if cell.text]


def _doubt_fit(sides: Sides) -> list[Doubt]:
    if sides.trouble is None:
        return []
    said = f"the sheet cannot be set: {sides.trouble.message}: mend it there"
    if sides.is_long:
        cure = "shorten it, or make two sheets of it"
        if sides.larger:
            cure += "; on A3 it fits, with size: a3 and target: a3 in its head"
        said = f"the sheet does not fit on two sides: {sides.trouble.message}: {cure}"
    return [Doubt("no-fit", said, 0.5, sides.trouble.code)]
