"""A RawDeck becomes a Deck, or an error that holds everything that is wrong with it.

Knows nothing of file formats: each reader leaves its places in the RawDeck.
"""

from __future__ import annotations

import re

from cardgen.deck.check_cards import Shared, check_cards
from cardgen.deck.head import EXAMPLE, TABLE_EXAMPLE
from cardgen.deck.model import DECK_KEYS, VARIANT_KEYS, Deck
from cardgen.deck.names import quote
from cardgen.deck.raw import RawDeck
from cardgen.deck.values import take_text
from cardgen.errors import CardgenError, Problem, Where, suggest
from cardgen.geometry import Size
from cardgen.sizes import SizeError, parse_size

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


LANGUAGE_HINT = "write en, en-GB or de"


def is_language(text: str) -> bool:
    return _LANGUAGE.fullmatch(text) is not None


def check_deck(raw: RawDeck, language: str = "en") -> Deck:
    """The deck; `language` is that of one that says none."""
    head = raw.head
    _check_keys(raw)
    title = take_text(raw, head, "title", "title") or raw.title
    template = take_text(raw, head, "template", "template") or raw.template
    back = take_text(raw, head, "back", "back") or raw.back
    said = [key for key in ("template", "back") if head.values.get(key) is not None]
    places = {key: head.find_value(key) for key in said}
    deck = Deck(
        name=raw.path.stem,
        title=title,
        path=raw.path,
        cards=tuple(check_cards(raw, Shared(title, template, back, places=places))),
        author=take_text(raw, head, "author", "author") or "",
        language=_take_language(raw, language),
        description=take_text(raw, head, "description", "description", breaks=True) or "",
        version=take_text(raw, head, "version", "version") or "",
        target=take_text(raw, head, "target", "target"),
        size=_take_size(raw),
        target_where=head.find_value("target") if "target" in head.values else None,
    )
    if not raw.cards and not raw.problems:
        _report_no_cards(raw)
    if raw.problems:
        raise CardgenError.of(sorted(raw.problems, key=lambda p: _rank(p, raw.file)))
    return deck


def _check_keys(raw: RawDeck) -> None:
    head = raw.head
    for key in head.values:
        if key not in DECK_KEYS:
            hint = suggest(key, DECK_KEYS)
            raw.add(f"unknown deck key {quote(key)}", head.find_key(key), hint, field=key)
        elif key in VARIANT_KEYS and raw.variant is None:
            raw.add(
                f'"{key}" is for a variant',
                head.find_key(key),
                'a variant is a deck in YAML that says "extends: …"',
                field=key,
            )
    take_text(raw, head, "sheet", "sheet")
    if "sheet" in head.values and not raw.is_workbook:
        raw.add(
            '"sheet" is for a deck whose cards are a workbook',
            head.find_key("sheet"),
            'write "cards: NAME.xlsx", or delete it',
            field="sheet",
        )


def _report_no_cards(raw: RawDeck) -> None:
    if raw.variant is not None:
        key = "drop" if raw.variant.drop else "keep"
        raw.add("the variant has no cards", raw.head.find_key(key), "leave it a card, or add one")
    else:
        hint = TABLE_EXAMPLE if raw.is_table else EXAMPLE
        raw.add("the deck has no cards", raw.head.find_key("cards"), hint)


def _take_language(raw: RawDeck, usual: str) -> str:
    language = take_text(raw, raw.head, "language", "language") or usual
    if not is_language(language):
        raw.add(
            f"language {quote(language)} is no language tag",
            raw.head.find_value("language"),
            LANGUAGE_HINT,
            field="language",
        )
    return language


def _take_size(raw: RawDeck) -> Size | None:
    text = take_text(raw, raw.head, "size", "size")
    try:
        return parse_size(text) if text else None
    except SizeError as error:
        raw.add(f"size: {error}", raw.head.find_value("size"), field="size")
        return None


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    """The order of the lines, with the deck's own file before its table or its base."""
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0
