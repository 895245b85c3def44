"""Checks that a PDF says what its cards say: none of their words is missing."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pypdfium2
from pypdf import PdfReader

_PLAIN = str.maketrans({"\N{HYPHEN}": "-", "\N{NON-BREAKING HYPHEN}": "-", "\N{SOFT HYPHEN}": None})
_SHOWN = 8


def find_missing(pdf: Path, expected: Counter[str]) -> str | None:
    """Return what a PDF fails to say, in words for a person; None where it says everything."""
    try:
        missing = expected - _count(_read_quickly(pdf))
    except pypdfium2.PdfiumError as error:
        return f"{pdf.name} cannot be read: {error}"
    if missing:
        # PDFium, though quick, splits a few words where the font changes; pypdf does not.
        missing = expected - _count(page.extract_text() for page in PdfReader(pdf).pages)
    if not missing:
        return None
    shown = " ".join(sorted(missing)[:_SHOWN])
    return f"{pdf.name} lacks {missing.total()} words: {shown}"


def _read_quickly(pdf: Path) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def _count(texts: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(unicodedata.normalize("NFKC", text.translate(_PLAIN)).split())
    return counts
