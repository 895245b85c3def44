"""Says which column or key of a table holds which field of a card, and which says nothing.

Goes by their names, and by the values where these do not tell. Knows nothing of files, nor how
values are read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePath
from unicodedata import normalize

from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.core.inner_pictures import split_inner
from cardgen.core.library import PICTURE_SUFFIXES
from cardgen.core.names import describe_unknown
from cardgen.deck.labels import HUMPS
from cardgen.deck.model import CARD_KEYS, Value, slug
from cardgen.deck.values import find_meant
from cardgen.importing.column_names import (
    ASIDE,
    COLUMN_FIELDS,
    find_field,
    list_names,
    may_count,
    may_number,
)
from cardgen.importing.finding.facts import read_figure
from cardgen.importing.finding.names import fold, looks_like_name
from cardgen.importing.model import Doubt, LeftOut, Place
from cardgen.importing.tables.languages import is_language

Rows = Sequence[Mapping[str, Value]]

_NOT_LETTERS = re.compile(r"[^\w]+")
_RESERVED = (*CARD_KEYS, "number", "place", "fields")
# Objects that hold the fields of a record and are nothing by themselves.
_HOLDERS = frozenset(
    ("fields", "data", "system", "stats", "attributes", "properties", "details", "info", "card",
     "attrs", "values", "meta", "general", "werte")
)  # fmt: skip
_ANYWHERE = ("name", "cost", "text")  # are known however deep they lie
IDS = frozenset(("index", "id", "_id", "slug", "key", "pk", "uuid", "guid"))
_NEARLY_ALL = 0.85
_FEWEST = 3  # rows that make a rule
_LONG_RUN = 4  # cards that are numbered on before it begins again
_FIRST = 30  # that tell soon whether it is one
_USUAL = 0.9  # of the rows
_SENTENCE = 6  # words
_SAID = 2.5  # words, as a rule, that end with a stop
_PROSE = 12  # words, as a rule; "once per game" is a use, and what is longer tells what happens
_TOPIC = 15  # words of a name, as a rule
_FAR = 2.5  # times as many words in a text
_MOST_SHOWN = 80
_ADDRESS = re.compile(r"(?:https?:/|/[\w-]+)/[^\s]*")
_UNIQUE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|(?=\S*\d)(?=\S*[a-zA-Z])[0-9A-Za-z]{16,}"
)
_CODE = re.compile(r"[A-Za-z]{1,4}[ ._-]?\d{1,5}[a-z]?")  # as A-01, by which cards are counted
_TAGS = re.compile(r"<[^<>]*>")


def choose_columns(fields: Mapping[str, str], known: Sequence[str], file: str) -> dict[str, str]:
    """Return the fields of the columns that --map names, whatever their capitals."""
    chosen: dict[str, str] = {}
    for field, column in fields.items():
        same = [key for key in known if key.casefold() == column.casefold()]
        same = [column] if column in known else same or _find_last(column, known)
        if not same:
            unknown = describe_unknown(column, known, "column")
            raise CardgenError(
                "import/no-such-column",
                f'there is no column "{column}" for the field "{field}"',
                Where(file),
                unknown.hint,
                details=unknown.details,
            )
        chosen[same[0]] = field
    return chosen


def _find_last(column: str, known: Sequence[str]) -> list[str]:
    """Return the keys whose path ends so: "effect" finds `stats.effect`."""
    return [key for key in known if key.casefold().endswith(f".{column.casefold()}")]


def find_pointed(rows: Rows, keys: Sequence[str], names: Collection[str]) -> str | None:
    """Return the column that holds the names which somebody sees, the most of them."""
    wanted, whole = {fold(name) for name in names}, {name.casefold() for name in names}
    held: dict[str, tuple[int, int]] = {}
    for key in keys:
        shown = {_show(row.get(key)) for row in rows}
        same = len(whole & {text.casefold() for text in shown})  # "red_fox" is for programs
        held[key] = len(wanted & {*map(fold, shown)}), same
    best = max(held, key=held.__getitem__, default=None)
    return best if best is not None and held[best][0] else None


def choose_fields(rows: Rows, keys: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
    """Return the field of each column: as --map says, else by its name.

    Of two the one has it that more rows fill, or whose name says it better.
    """
    chosen = dict(columns)
    taken = set(chosen.values())
    wanted = {key: "" if _says_elsewhere(key, keys) else _find_wanted(rows, key) for key in keys}
    # "name" is the name though "title" stands before it.
    for field in COLUMN_FIELDS:
        candidates = [
            key
            for key in keys
            if wanted[key] == field and key not in chosen and (field in _ANYWHERE or _is_own(key))
        ]
        if field in taken or not candidates:
            continue
        best = _choose_best(rows, candidates, list_names(field))
        if field == "text":
            more = [key for key in keys if key not in chosen and _says_text(key)]
            best = _find_longer(rows, best, [*candidates, *more])
        chosen[best] = field
        taken.add(field)
    for key in keys:
        if key not in chosen:
            chosen[key] = _make_field(key, taken)
            taken.add(chosen[key])
    return chosen


def _find_wanted(rows: Rows, key: str) -> str:
    """Return the field that a column is called after, if what it holds can be that."""
    field = find_field(take_last(key)) or ""
    if field == "kind" and _holds_pictures(rows, key):  # "art" is German, too
        return ""
    if field not in ("count", "uses"):
        return field
    shown = [_show(row.get(key)) for row in rows]
    filled = [text for text in shown if text]
    if field == "uses":
        if len(filled) >= _FEWEST and may_count(take_last(key)) and all(map(str.isdecimal, filled)):
            return "count"
        return "" if sum(len(text.split()) for text in filled) > _PROSE * len(filled) else field
    if 2 * filled.count("0") > len(filled):
        return ""  # how many something gives, and not of how many there are none
    numbers_cards = may_number(key) and _is_numbering(shown)
    counts = sum(any(map(str.isdecimal, text)) or bool(read_figure(text)) for text in filled)
    return "" if numbers_cards or counts * 2 < len(filled) else field


def _holds_pictures(rows: Rows, key: str) -> bool:
    """Whether whatever a column says is the file of a picture, as "sword.png"."""
    filled = [shown for row in rows if (shown := _show(row.get(key)))]
    return bool(filled) and all(
        PurePath(shown).suffix.lower() in PICTURE_SUFFIXES for shown in filled
    )


def _choose_best(rows: Rows, keys: Sequence[str], names: tuple[str, ...]) -> str:
    """Return the key of the best name among those that more than half as many rows fill as any."""
    filled = {key: _count_filled(rows, key) if len(keys) > 1 else 0 for key in keys}
    most = max(filled.values())
    usual = [key for key in keys if filled[key] * 2 >= most]
    return min(usual, key=lambda key: (_rank(key, names), key.count(".")))


def _says_text(key: str) -> bool:
    """Whether a column is called after a text, with a word before: "Long Description"."""
    *before, last = HUMPS.sub(" ", take_last(key)).replace("_", " ").split()
    return bool(before) and find_field(last) == "text"


def _find_longer(rows: Rows, best: str, keys: Sequence[str]) -> str:
    """Return the column with the texts: another one where `best` has a few words and that has
    sentences, as "effect" beside "description".
    """
    words = {key: _count_words(rows, key) for key in keys}
    longest = max(keys, key=lambda key: words[key])
    return longest if words[longest] > max(_SENTENCE, 2 * words[best]) else best


def _make_field(key: str, taken: Collection[str]) -> str:
    """Return a name that a field of a deck may have, and that no other has."""
    own = _make_name(take_last(key))
    if not _is_own(key):
        above = _make_name(take_last(_part_path(key)[0]))
        own = own if own.startswith(above) else f"{above}_{own}"
    free, number = own, 2
    while free in taken or free in _RESERVED or find_meant(free, CARD_KEYS):
        free, number = f"{own}_{number}", number + 1
    return free


def take_last(key: str) -> str:
    """Return the last step of a path, as of "stats.cost"; "No." is none."""
    return _part_path(key)[1].strip() or key


def _part_path(key: str) -> tuple[str, str]:
    """Return what stands before the last step of a path, and that; "n. cards" is no path."""
    above, _, last = key.rpartition(".")
    return ("", key) if last[:1].isspace() else (above, last)


def _is_own(key: str) -> bool:
    """Tell whether a value is the record's own, not of a thing that it holds, as "area.type"."""
    above = _part_path(key)[0]
    return not above or take_last(key) == key or take_last(above).lower() in _HOLDERS


def _make_name(key: str) -> str:
    plain = HUMPS.sub("_", normalize("NFKC", key))
    own = _NOT_LETTERS.sub("_", plain).strip("_").lower()
    own = "".join(sign for sign in own if f"a{sign}".isidentifier())
    return own if own and own.isidentifier() else f"field_{own}".rstrip("_")


def _rank(key: str, names: tuple[str, ...]) -> int:
    bare = " ".join(take_last(key).replace("_", " ").replace("-", " ").lower().split())
    return names.index(bare) if bare in names else len(names)


def _is_numbering(texts: Sequence[str]) -> bool:
    """Tell whether a column numbers the cards, one after the other; so "No." is no count."""
    if len(texts) < _FEWEST or not all(map(str.isdecimal, texts)):
        return False
    figures = [int(text[:9]) for text in texts]
    anew = 0  # how often it begins again, as with each suit
    for before, after in pairwise(figures):
        if after != before + 1:
            if after > 1:
                return False
            anew += 1
    return anew == 0 or len(figures) >= _LONG_RUN * (anew + 1)


# The columns with the names and the texts


def choose_name(
    rows: Rows, keys: Sequence[str], fields: dict[str, str], mapped: Collection[str]
) -> str | None:
    """Give the name to the first column of a few words that differ, where none is called so."""
    for share in (1, _NEARLY_ALL):  # a sum or a title may stand among the names
        for key in keys:
            shown = {_show(row.get(key)) for row in rows} if key not in mapped else set()
            names = sum(
                looks_like_name(text, marked=True) and not _CODE.fullmatch(text) for text in shown
            )
            if names >= max(_FEWEST, share * len(rows)):
                fields[key] = "name"
                return key
    return _choose_long_name(rows, keys, fields, mapped)


def _choose_long_name(
    rows: Rows, keys: Sequence[str], fields: dict[str, str], mapped: Collection[str]
) -> str | None:
    """Give the name to the column of the shortest phrases that all differ, beside one of texts, as
    of questions or topics.
    """
    words = {key: _count_words(rows, key) for key in keys if key not in mapped}
    longest = max(words.values(), default=0.0)
    able = [
        key
        for key, count in words.items()
        if 1 < count <= _TOPIC and _FAR * count <= longest and _are_different(rows, key)
    ]
    if not able or len(rows) < _FEWEST:
        return None
    best = min(able, key=words.__getitem__)
    fields[best] = "name"
    return best


def _are_different(rows: Rows, key: str) -> bool:
    shown = [_show(row.get(key)) for row in rows]
    return all(shown) and len({*shown}) == len(shown)


def doubt_name(column: str, file: str) -> Doubt:
    return Doubt(
        "name-column",
        f'{file}: no column is called as names are, and "{column}" is taken;'
        " --map name=COLUMN takes another",
        0.8,
        f"{file} {column}",
        (("column", column),),
    )


def choose_text(
    rows: Rows, fields: dict[str, str], mapped: Collection[str], file: str
) -> Iterator[Doubt]:
    """Give the field of texts to the column with the longest ones, where none is called so.

    Yield a doubt where that is done.
    """
    own = next((key for key, field in fields.items() if field == "text"), None)
    if own in mapped or (own and _count_filled(rows, own) * 4 >= len(rows)):
        return
    free = [
        key for key, field in fields.items() if field not in COLUMN_FIELDS and key not in mapped
    ]
    words = {key: _count_words(rows, key) for key in free}
    best = max(free, key=lambda key: (not _is_aside(key), words[key]), default=None)
    if best is None or words[best] < (_SAID if _ends_as_texts(rows, best) else _SENTENCE):
        return
    fields[best] = "text"
    if own:
        fields[own] = _make_field(own, {field for key, field in fields.items() if key != own})
    called = f'"{own}" is empty on most cards' if own else "no column is called as texts are"
    yield Doubt(
        "text-column",
        f'{file}: {called}, and "{best}" is taken, which has the longest ones;'
        " --map text=COLUMN takes another",
        0.8,
        f"{file} {best}",
        (("column", best),),
    )


def _ends_as_texts(rows: Rows, key: str) -> bool:
    """Whether most cells of a column end as sentences do."""
    filled = [text for row in rows if (text := _show(row.get(key)))]
    return 2 * sum(text[-1] in ".!?" for text in filled) > len(filled) >= _FEWEST


def _is_aside(key: str) -> bool:
    return any(word in key.lower() for word in ASIDE)


def _count_filled(rows: Rows, key: str) -> int:
    return sum(bool(_show(row.get(key))) for row in rows)


def _count_words(rows: Rows, key: str) -> float:
    """Return how many words a column has in a row, if most rows have some."""
    texts = [_show(row.get(key)) for row in rows]
    filled = [len(text.split()) for text in texts if text]
    return sum(filled) / len(filled) if len(filled) * 3 > len(rows) else 0.0


def _show(value: Value) -> str:
    if isinstance(value, list):
        return " ".join(map(_show, value))
    return "" if value is None or isinstance(value, bool) else str(value).strip()


# Columns that say nothing to people


def leave_columns(
    rows: Rows, fields: Mapping[str, str], mapped: Collection[str], place: Place
) -> Iterator[tuple[str, LeftOut]]:
    """Yield the columns that only programs read, and those that say once more what others say."""
    name = next(key for key, field in fields.items() if field == "name")
    text = next((key for key, field in fields.items() if field == "text"), None)
    for key, field in fields.items():
        if key in mapped or field in COLUMN_FIELDS:
            continue
        why = _find_reason(rows, key, name, text, fields)
        if why:
            shown = ", ".join(filter(None, (_show(row.get(key)) for row in rows[:_MOST_SHOWN])))
            yield key, LeftOut(shorten(shown, _MOST_SHOWN), place, f'column "{key}", which {why}')


def _find_reason(rows: Rows, key: str, name: str, text: str | None, known: Collection[str]) -> str:
    if _says_elsewhere(key, known):
        return f'says in another language what "{_part_path(key)[0]}" says'
    pairs = [(row, _show(row.get(key))) for row in rows]
    filled = [(row, shown) for row, shown in pairs if shown]
    if not filled:
        return ""
    if all(_ADDRESS.fullmatch(shown) and not split_inner(shown)[1] for _, shown in filled):
        return "holds addresses"
    if all(_UNIQUE.fullmatch(shown) for _, shown in filled):
        return "only programs read"
    if take_last(key).lower() in IDS and len({shown for _, shown in filled}) == len(rows) > 1:
        return "only programs read"
    for other in (name, text):
        if other is None:
            continue
        first = filled[:_FIRST]
        if len(filled) < _FEWEST or _count_same(first, other) < len(first) * _USUAL:
            continue
        if _count_same(filled, other) >= len(filled) * _USUAL:
            return f'says again what "{other}" says'
    return ""


def _says_elsewhere(key: str, known: Collection[str]) -> bool:
    """Whether a column says in another language what one says, as "name.pt" beside "name"."""
    above, last = _part_path(key)
    return above in known and is_language(last)


def _count_same(filled: Sequence[tuple[Mapping[str, Value], str]], other: str) -> int:
    return sum(_is_same(shown, _show(row.get(other))) for row, shown in filled)


def _is_same(one: str, other: str) -> bool:
    """Tell whether two texts have the same letters, or one is made of the other for programs."""
    if not other:
        return False
    return _strip(one) == _strip(other) or (
        len(one) < _MOST_SHOWN and slug(one).endswith(slug(other))
    )


def _strip(text: str) -> str:
    return "".join(sign for sign in _TAGS.sub("", text).casefold() if sign.isalnum())
