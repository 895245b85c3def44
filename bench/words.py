"""Checks that a PDF says what its cards say: the same words, as often, on every sheet."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pypdfium2
from pypdf import PdfReader

from bench.deck import BenchCard

PER_SHEET = 9
_PLAIN = str.maketrans({"\N{HYPHEN}": "-", "\N{NON-BREAKING HYPHEN}": "-", "\N{SOFT HYPHEN}": None})
_SHOWN = 8


def compare(pdf: Path, cards: Sequence[BenchCard]) -> list[str]:
    """What differs, sheet by sheet, in words for a person; nothing when all agree."""
    problems = []
    try:
        sheets = list(_read_sheets(pdf))
    except pypdfium2.PdfiumError as error:
        return [f"{pdf.name} cannot be read: {error}"]
    expected_sheets = list(_expect_sheets(cards))
    if len(sheets) != len(expected_sheets):
        problems.append(
            f"{pdf.name} has {len(sheets)} pages and should have {len(expected_sheets)}"
        )
    careful = PdfReader(pdf)
    for index, (found, expected) in enumerate(zip(sheets, expected_sheets, strict=False)):
        if found != expected:
            # PDFium, though quick, splits a few words where the font changes; pypdf does not.
            found = _count([careful.pages[index].extract_text()])
        missing, extra = expected - found, found - expected
        if missing or extra:
            place = f"{pdf.name}, page {index + 1}"
            problems.append(f"{place}: missing {_show(missing)}; too many {_show(extra)}")
    return problems


def _read_sheets(pdf: Path) -> Iterator[Counter[str]]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            text = page.get_textpage()
            yield _count([text.get_text_range()])
            text.close()
            page.close()
    finally:
        document.close()


def _expect_sheets(cards: Sequence[BenchCard]) -> Iterator[Counter[str]]:
    for first in range(0, len(cards), PER_SHEET):
        yield _count(word for card in cards[first : first + PER_SHEET] for word in card.words)


def _count(texts: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(unicodedata.normalize("NFKC", text.translate(_PLAIN)).split())
    return counts


def _show(words: Counter[str]) -> str:
    shown = " ".join(f'"{word}"' for word in sorted(words)[:_SHOWN])
    rest = len(words) - _SHOWN
    return (shown or "none") + (f" and {rest} more" if rest > 0 else "")
