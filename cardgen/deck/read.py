"""A file becomes a Deck: chooses the reader by the suffix, and finds what a variant extends.

Knows nothing of the formats.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cardgen.deck.check import check_deck
from cardgen.deck.markdown_reader import read_markdown
from cardgen.deck.model import Deck
from cardgen.deck.raw import RawDeck, RawVariant
from cardgen.deck.table import read_table
from cardgen.deck.variant import Base, vary
from cardgen.deck.yaml_reader import find_table, read_yaml
from cardgen.errors import CardgenError
from cardgen.library import Library

_READERS = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".csv": read_table,
    ".xlsx": read_table,
    ".md": read_markdown,
}
MAX_VARIANTS = 50


def read_deck(path: Path, *, language: str = "en") -> Deck:
    """Read a whole deck; everything that is wrong with it comes as one CardgenError.

    `language` is that of a deck that says none.
    """
    return _read(path, (), language).deck


def _read(path: Path, above: tuple[Path, ...], language: str) -> Base:
    """A deck, and how it is written; `above` are the variants that extend it."""
    raw = _read_raw(path)
    if raw.variant is not None:
        vary(raw, raw.variant, _read_base(raw, raw.variant, (*above, raw.path), language))
    return Base(raw, check_deck(raw, language))


def _read_base(
    raw: RawDeck, variant: RawVariant, above: tuple[Path, ...], language: str
) -> Base | None:
    """The deck that a variant extends; what is wrong with it joins the variant's own problems."""
    name, where = variant.base, variant.where
    if name is None:
        return None
    try:
        path = Library.around(raw.path).find_base("deck", name, above, where)
        if len(above) > MAX_VARIANTS:
            raise CardgenError(f"more than {MAX_VARIANTS} decks extend one another", where)
        if path.suffix.lower() == ".md":
            raise CardgenError(
                f'"{path.name}" is a play sheet, which has no cards to vary',
                where,
                "extend a deck in YAML, CSV or XLSX",
            )
        return _read(path, above, language)
    except CardgenError as error:
        raw.problems += [p if p.where else replace(p, where=where) for p in error.problems]
        return None


def _read_raw(path: Path) -> RawDeck:
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise CardgenError(
            f'"{path}" is no deck file', hint=f"a deck ends in {', '.join(_READERS)}"
        )
    describing = _find_describing(path) if read is read_table else None
    return read_yaml(describing) if describing else read(path)


def _find_describing(table: Path) -> Path | None:
    """The YAML beside a table that names it as its cards."""
    for suffix in (".yaml", ".yml"):
        beside = table.with_suffix(suffix)
        if beside.is_file():
            named = find_table(beside)
            if named is not None and Path(named) == Path(table.name):
                return beside
    return None
