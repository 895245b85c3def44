"""What a deck means that does not say it: the template of one that names none, and counts and
pictures that its cards call otherwise.

Knows neither YAML nor tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardgen.core.errors import CardgenError, Problem, list_some
from cardgen.core.library import PICTURE_SUFFIXES, SETTINGS_FILE, Library, show_from_here
from cardgen.deck.model import (
    ALL_FIELDS_TEMPLATE,
    CARD_KEYS,
    DEFAULT_FIELDS,
    DEFAULT_TEMPLATE,
    FLASHCARD_TEMPLATES,
    MAX_COUNT,
)
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import quote

_COUNTS = ("quantity", "qty", "copies", "number_of_copies")
_MOST_NAMED = 10
_PICTURE = "picture"
_LONGEST_SUFFIX = max(map(len, PICTURE_SUFFIXES))
_NO_PICTURES = {*CARD_KEYS, *DEFAULT_FIELDS, "icon"}
_MOST_TRIED = 20  # names of files, of which one has to be there


def take_meant(raw: RawDeck) -> None:
    """Write into a deck what it means, with a note for each thing."""
    if raw.variant is None and not raw.is_sheet:
        if not raw.is_table:
            _take_counts(raw)
        taken = _take_picture(raw)
        _choose_template(raw, taken)


def _take_counts(raw: RawDeck) -> None:
    """Take a field that says how many copies there are as the count; it stays a field, too."""
    defaults = raw.defaults.values if raw.defaults else {}
    if "count" in defaults or any("count" in card.values for card in raw.cards):
        return
    for key in _COUNTS:
        said = [card.values.get(key) for card in raw.cards if key in card.values]
        if said and all(type(one) is int and 0 <= one <= MAX_COUNT for one in said):
            break
    else:
        return
    first = next(card for card in raw.cards if key in card.values)
    raw.cards = [_copy_key(card, key, "count") for card in raw.cards]
    raw.notes.append(
        Problem(
            "deck/column-read-as",
            f'the field {quote(key)} is read as "count"',
            first.locate_key(key),
            'if it means something else, give a card a "count"',
            field="count",
            details={"column": key, "key": "count"},
        )
    )


def _take_picture(raw: RawDeck) -> str | None:
    """Take the first field that names files of pictures as the picture, and return what it is
    called; it stays a field, too. A template of the project's own asks for fields by their names.
    """
    library = Library.around(raw.path)
    named = _list_pictures(raw)
    template = raw.head.values.get("template", raw.template)
    if not named or template in library.list_own("template"):
        return None
    there = (
        key
        for key, files in named.items()
        if any(library.has("picture", file) for file in files[:_MOST_TRIED])
    )
    if (key := next(there, None)) is None:
        _note_missed(raw, library, *next(iter(named.items())))
        return None
    first = next(card for card in raw.cards if card.values.get(key) is not None)
    raw.cards = [_copy_key(card, key, _PICTURE) for card in raw.cards]
    if key in raw.columns:  # what it is called no template needs to print
        raw.columns[_PICTURE] = raw.columns.pop(key)
    raw.notes.append(
        Problem(
            "deck/column-read-as",
            f'{_name_field(raw, key)} names pictures and is read as "{_PICTURE}"',
            raw.columns.get(_PICTURE) or first.locate_key(key),
            f'if it means something else, give a card a "{_PICTURE}"',
            field=_PICTURE,
            details={"column": key, "key": _PICTURE},
        )
    )
    return key


def _name_field(raw: RawDeck, key: str) -> str:
    what = "column" if raw.is_table else "field"
    return f"the {what} {quote(raw.titles.get(key, key))}"


def _note_missed(raw: RawDeck, library: Library, key: str, files: Sequence[str]) -> None:
    """Note that what names pictures is printed as it stands, and how they are found."""
    if above := library.find_above(files[0]):
        place = show_from_here(above / SETTINGS_FILE)
        hint = f'an empty file "{place}" would say that the project, and they, lie there'
    else:
        try:
            library.get_picture(files[0])
            return
        except CardgenError as error:
            hint = error.problems[0].hint or ""
    first = next(card for card in raw.cards if card.values.get(key) is not None)
    raw.notes.append(
        Problem(
            "deck/pictures-not-there",
            f"{_name_field(raw, key)} names pictures, as {quote(files[0])}, none of which is there",
            raw.columns.get(key) or first.locate_key(key),
            hint,
            field=key,
            details={"column": key, "name": files[0]},
        )
    )


def _list_pictures(raw: RawDeck) -> dict[str, list[str]]:
    """Return the fields whose values all end as pictures do, with the files that they name."""
    defaults = raw.defaults.values if raw.defaults else {}
    found: dict[str, list[str]] = {}
    for values in (defaults, *(card.values for card in raw.cards)):
        if _PICTURE in values or "image" in values:
            return {}
        for key, value in values.items():
            if type(value) is not str or "." not in (ending := value[-_LONGEST_SUFFIX:]):
                continue
            if ending.lower().endswith(PICTURE_SUFFIXES):
                found.setdefault(key, []).append(value)
    said = Counter(key for card in raw.cards for key in found if card.values.get(key) is not None)
    return {
        key: files
        for key, files in found.items()
        if key not in _NO_PICTURES and "back" not in key and len(files) == said[key]
    }


def _copy_key(card: Raw, key: str, other: str) -> Raw:
    """Return a card whose value is there under another key, too, and stands at the same place."""
    if key not in card.values:
        return card
    marks = {**card.marks, other: card.marks[key]} if key in card.marks else card.marks
    return card._replace(values={**card.values, other: card.values[key]}, marks=marks)


def _choose_template(raw: RawDeck, taken: str | None) -> None:
    """Take the templates of cards to learn from for a deck that names none and has answers, else
    the one that prints all fields, where the usual one would leave some out.
    """
    defaults = raw.defaults.values if raw.defaults else {}
    said = raw.head.values.get("template") or defaults.get("template")
    if said or raw.template != DEFAULT_TEMPLATE or "template" in raw.columns:
        return
    known = {*CARD_KEYS, *DEFAULT_FIELDS, *_COUNTS, taken}
    filled: dict[str, None] = {}
    for values in (defaults, *(card.values for card in raw.cards)):
        if values.get("template") is not None:
            return
        filled.update((key, None) for key in values if key not in known and values[key] is not None)
    unread = [key for key in raw.columns if key in filled] or list(filled)
    if not unread or DEFAULT_TEMPLATE in Library.around(raw.path).list_own("template"):
        return
    answers = sum(card.values.get("answer") is not None for card in raw.cards)
    if answers * 2 > len(raw.cards):
        raw.template, raw.back = FLASHCARD_TEMPLATES
        printed = f'with the templates "{raw.template}" and "{raw.back}", since the cards have'
        unread = ["answer"]
    else:
        raw.template = ALL_FIELDS_TEMPLATE
        printed = f'with the template "{raw.template}", since the usual one has no place for'
    what = "column" if raw.is_table else "field"
    first = next((card for card in raw.cards if unread[0] in card.values), raw.head)
    raw.notes.append(
        Problem(
            "deck/all-fields",
            f"printed {printed} the {what}{'' if len(unread) == 1 else 's'}"
            f" {list_some(list(map(quote, unread)), _MOST_NAMED)}",
            raw.columns.get(unread[0]) or first.locate_key(unread[0]),
            "name the template that you want, as in: template: NAME",
            details={"fields": tuple(unread)},
        )
    )
