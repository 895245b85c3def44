"""How well play sheets are recognised: precision and recall of their pieces.

Run by `make corpus`. A piece is a heading, a paragraph, an item or a row of a table, as it stands
in the Markdown beside each text in tests/importing/texts/sheets. `--seeds 500` makes as many sheets
as that from seeds, in place of those that the tests make.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus import FOLDER
from generated_sheets import make_sheet
from pinned_scores import Score, Scored, print_scores

from cardgen.core.errors import CardgenError
from cardgen.importing.model import Block
from cardgen.importing.reading.sources import read_blocks, read_source
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.sheets.parts import recognise_sheet
from cardgen.importing.sheets.writer import format_parts
from cardgen.layout.flow.document import Heading, Paragraph, TableBlock, read_document

SHEETS = FOLDER / "sheets"
PARTS = {
    "sheets": SHEETS,
    "unseen sheets": SHEETS / "unseen",
    "fresh sheets": SHEETS / "fresh",
    "typed sheets": SHEETS / "typed",
}
SEEDS = 24
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


def recognise_pieces(blocks: list[Block]) -> list[str]:
    sheet = recognise_sheet(blocks)
    return [f"title {sheet.title}", *list_pieces(format_parts(sheet.parts))]


def score_sheet(path: Path) -> tuple[Score, list[str]]:
    try:
        given = recognise_pieces(read_blocks(read_source(str(path)), lists=True))
    except CardgenError:
        given = []
    return _compare(path.name, read_truth(path), given)


def score_seed(seed: int) -> tuple[Score, list[str]]:
    sheet = make_sheet(seed)
    name = f"seed-{seed}.txt"
    return _compare(name, sheet.pieces, recognise_pieces(read_text_blocks(sheet.text, name)))


def _compare(name: str, wanted: list[str], given: list[str]) -> tuple[Score, list[str]]:
    truth, found = Counter(wanted), Counter(given)
    faults = [f"{name}: not found: {piece}" for piece in truth - found]
    faults += [f"{name}: not there: {piece}" for piece in found - truth]
    return Score((truth & found).total(), found.total(), truth.total()), faults


def score_sheets(folder: Path) -> Iterator[Scored]:
    for path in list_sheets(folder):
        yield path, *score_sheet(path)


def score_seeds(count: int = SEEDS) -> Iterator[Scored]:
    for seed in range(1, count + 1):
        yield Path(f"seed-{seed}.txt"), *score_seed(seed)


if __name__ == "__main__":
    for title, folder in PARTS.items():
        print_scores(title, score_sheets(folder))
    seeds = int(sys.argv[sys.argv.index("--seeds") + 1]) if "--seeds" in sys.argv else SEEDS
    print_scores("generated sheets", score_seeds(seeds))
