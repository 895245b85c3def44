"""How well play sheets are recognised: precision and recall of their pieces.

Run by `make corpus`. A piece is a heading, a paragraph, an item or a row of a table, as it stands
in the Markdown beside each text in tests/importing/texts/sheets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus import FOLDER
from pinned_scores import Score, Scored, print_scores

from cardgen.core.errors import CardgenError
from cardgen.importing.reading.sources import read_blocks, read_source
from cardgen.importing.sheets.parts import recognise_sheet
from cardgen.importing.sheets.writer import format_parts
from cardgen.layout.flow.document import Heading, Paragraph, TableBlock, read_document

SHEETS = FOLDER / "sheets"
_FRONT = re.compile(r"---\ntitle: (.*?)\n---\n", re.DOTALL)


def list_sheets(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix == ".txt")


def list_pieces(text: str) -> list[str]:
    """The pieces of a Markdown text without emphasis and colours; > before items within others."""
    found = []
    for block in read_document(text):
        if isinstance(block, Heading):
            found.append(f"{'#' * block.level} {block.text}")
        elif isinstance(block, Paragraph):
            sign = "" if block.marker is None else f"{block.marker or '-'} "
            found.append(f"{'>' * (block.depth - 1)}{sign}{block.text}")
        elif isinstance(block, TableBlock):
            found += [" | ".join(row) for row in block.rows if any(row)]
    return [" ".join(re.sub(r"[*\\]", "", piece).split()) for piece in found]


def read_truth(path: Path) -> list[str]:
    text = path.with_suffix(".md").read_text("utf-8")
    front = _FRONT.match(text)
    assert front, path
    return [f"title {front[1].strip(chr(34))}", *list_pieces(text[front.end() :])]


def recognise_pieces(path: Path) -> list[str]:
    try:
        sheet = recognise_sheet(read_blocks(read_source(str(path)), lists=True))
    except CardgenError:
        return []
    return [f"title {sheet.title}", *list_pieces(format_parts(sheet.parts))]


def score_sheet(path: Path) -> tuple[Score, list[str]]:
    wanted, given = Counter(read_truth(path)), Counter(recognise_pieces(path))
    right = (wanted & given).total()
    faults = [f"{path.name}: not found: {piece}" for piece in wanted - given]
    faults += [f"{path.name}: not there: {piece}" for piece in given - wanted]
    return Score(right, given.total(), wanted.total()), faults


def score_sheets(folder: Path) -> Iterator[Scored]:
    for path in list_sheets(folder):
        yield path, *score_sheet(path)


if __name__ == "__main__":
    print_scores("sheets", score_sheets(SHEETS))
    print_scores("unseen sheets", score_sheets(SHEETS / "unseen"))
