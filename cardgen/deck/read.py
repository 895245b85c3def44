"""Reads a file into a Deck: the reader goes by the suffix; what a variant extends is read first.

Knows nothing of the formats, nor of the settings of a project.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.core.deck_files import TABLE_SUFFIXES, refuse_garbled, refuse_other
from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import Library
from cardgen.deck.check import check_deck
from cardgen.deck.dictionary import list_tags
from cardgen.deck.model import Deck
from cardgen.deck.overlay import Overlays
from cardgen.deck.raw import RawDeck, RawVariant
from cardgen.deck.values import LANGUAGE_HINT, is_language
from cardgen.deck.variant import Base, vary
from cardgen.deck.yaml_deck import find_table, read_yaml


def read_deck_file(
    path: Path,
    *,
    language: str = "en",
    lang: str | None = None,
    lenient: bool = False,
    library: Library | None = None,
    draft: bool = False,
) -> Deck:
    """Return the deck of a file; all that is wrong with it is raised as one error.

    language: that of a deck that says none
    lang: asks for the texts of overlays; a deck in that language needs none
    lenient: a deck without overlays in `lang` is returned as it is
    library: finds the overlays
    draft: what is wrong is noted in the deck, as far as it can be read in spite of it
    """
    if lang is not None and not is_language(lang):
        raise CardgenError(
            "option/no-language",
            f'"{lang}" is no language tag',
            hint=LANGUAGE_HINT,
            details={"language": lang},
        )
    library = library or Library.around(path)
    overlays = Overlays(lang) if lang else None
    deck = _Reader(library, language, overlays, draft).read(path, ()).deck
    if overlays is None:
        return deck
    if not overlays.has_any:
        if lenient or _is_in(deck.language, overlays.language):
            return deck
        raise _refuse_language(deck, overlays.language, library)
    translation = overlays.sum_up(deck)
    return replace(deck, language=overlays.language, translation=translation)


def read_written(path: Path, lang: str | None = None, library: Library | None = None) -> Base:
    """Return a deck, as far as it can be read, and how it is written, with all places."""
    overlays = Overlays(lang) if lang else None
    library = library or Library.around(path)
    return _Reader(library, "en", overlays, draft=True, keeps_raw=True).read(path, ())


class _Reader(NamedTuple):
    """Reads a deck and those that it extends."""

    library: Library
    language: str
    overlays: Overlays | None
    draft: bool = False
    keeps_raw: bool = False

    def read(self, path: Path, above: tuple[Path, ...]) -> Base:
        """Return a deck, and how it is written; `above` are the variants that extend it."""
        refuse_garbled(path)
        raw = _read_raw(path)
        if raw.variant is not None:
            vary(raw, raw.variant, self._read_base(raw, raw.variant, (*above, raw.path)))
        overlay = self._find_overlay(raw.path)
        # A base without fault is what its variants need.
        draft = self.draft and not above
        last = not (above or overlay or self.keeps_raw)
        deck = check_deck(raw, self.language, last=last, draft=draft)
        if self.overlays is not None and overlay is not None:
            self.overlays.apply(overlay, raw, deck, draft=draft)
            deck = check_deck(raw, self.language, draft=draft)
        return Base(raw, deck)

    def _find_overlay(self, path: Path) -> Path | None:
        """Return the overlay in the language asked for, else in the wider one: de for de-AT."""
        if self.overlays is None:
            return None
        known = {tag.lower(): file for tag, file in self.library.find_overlays(path).items()}
        tags = (tag.lower() for tag in list_tags(self.overlays.language))
        return next((known[tag] for tag in tags if tag in known), None)

    def _read_base(self, raw: RawDeck, variant: RawVariant, above: tuple[Path, ...]) -> Base | None:
        """Return the deck that a variant extends; its problems are added to the variant's."""
        name, where = variant.base, variant.where
        if name is None:
            return None
        try:
            path = Library.around(raw.path).get_base("deck", name, above, where)
            if path.suffix.lower() == ".md":
                raise CardgenError(
                    "deck/extends-sheet",
                    f'"{path.name}" is a play sheet, which has no cards to vary',
                    where,
                    "extend a deck in YAML, CSV or XLSX",
                )
            return self.read(path, above)
        except CardgenError as error:
            raw.problems += [p if p.where else replace(p, where=where) for p in error.problems]
            return None


def _is_in(language: str, wanted: str) -> bool:
    """Whether a language is the one that is wanted, or one of it: en-GB is en."""
    return wanted.lower() in [tag.lower() for tag in list_tags(language)]


def _refuse_language(deck: Deck, language: str, library: Library) -> CardgenError:
    there = sorted(library.find_overlays(deck.path))
    said = f"there are: {', '.join(there)}; or " if there else ""
    return CardgenError(
        "deck/not-translated",
        f'the deck "{deck.name}" has no texts in "{language}"',
        Where(str(deck.path)),
        f"{said}write them into {deck.path.stem}.{language}.yaml",
    )


def _read_raw(path: Path) -> RawDeck:
    suffix = path.suffix.lower()
    if suffix == ".md":
        from cardgen.deck.markdown import read_markdown

        return read_markdown(path)
    refuse_other(path)
    if suffix in TABLE_SUFFIXES:
        describing = find_describing(path)
        if describing is None:
            from cardgen.deck.tables import read_table

            return read_table(path)
        path = describing
    return read_yaml(path)


def find_describing(table: Path) -> Path | None:
    """Return the YAML beside a table that names the table as its cards."""
    for suffix in (".yaml", ".yml"):
        beside = table.with_suffix(suffix)
        if beside.is_file():
            named = find_table(beside)
            if named is not None and Path(named) == Path(table.name):
                return beside
    return None
