"""The shapes of rows: `label value`, modifiers with signs, cells, `label: value`, `1-3 text`.

Reads one line at a time; whether it is a row indeed say the lines beside it. Knows no units: a unit
is the word behind a figure, and those of a table are alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from cardgen.importing.finding.vocabulary import list_words
from cardgen.importing.model import Styled
from cardgen.importing.reading.joining import cut_at, has_ended
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Row
from cardgen.importing.sheets.words import is_small

Kind = Literal["signed", "figure", "cells", "label", "keyed"]

_SIGN = "[-+−–±]"
_DICE = r"(?:\d+\s?[x×]\s?)?\d*[dDwW]\d+(?:\s?[-+−–x×]\s?\d+)?"
_THOUSANDS = r"\d{1,3}(?: \d{3})+(?= [^\W\d_])"
_NUMBER = r"\d+(?:[.,]\d+)*[+%\"”″°'’]*|\d+[x×]\d+|[¼-¾⅓-⅞]"
_ONE = rf"{_SIGN}?(?:{_DICE}|{_THOUSANDS}|{_NUMBER})(?:[^\W\d_]{{1,3}}(?!\w)|(?!\w))"
_BETWEEN = "|".join(sorted(list_words("figures", "between")))
# 20cm, D6, "4, 5, 6", "5 or 6", "3-4": figures that are one value.
FIGURES = re.compile(
    rf"(?>{_ONE}(?:(?:\s?,\s|\s?[/x×–-]\s?|\s(?:{_BETWEEN})\s|\s(?=\())\(?{_ONE}\)?)*)"
)
_VALUE = re.compile(rf"(?>{FIGURES.pattern}(?: (?:[^\W\d_]{{1,10}}(?!\w)|[°€$£%]\w?))?|[-–—])")
_GRID = re.compile(rf"(?P<label>\S.*?)(?P<values>(?>(?: (?:{_VALUE.pattern})){{2,}}))")
_MODIFIER = rf"(?:{_SIGN}\s?|[x×])(?:{_DICE}|\d+(?:[.,]\d+)?|D\d+|[¼-¾])(?:cm|%|[\"”])?"
_MODIFIERS = rf"{_MODIFIER}(?:(?:\s?/\s?|\s(?:{_BETWEEN})\s){_MODIFIER})*"
_SIGNED = re.compile(rf"({_MODIFIERS})(?:\s*[:=]\s*|\s+)(?=\S)")
_SIGNED_CELL = re.compile(rf"{_MODIFIERS}(?:\s[^\W\d_]{{1,10}})?:?")
_SIGN_AGAIN = re.compile(rf"(?<=\S)\s*[/;,|]?\s+(?={_SIGN}\d+\s)")
_LABEL_AGAIN = re.compile(rf"\s(?=[^\W\d_a-zß-ÿ][^\W\d_]*(?:\s[^\W\d_]+){{0,3}}\s{_SIGN}\d)")
_SIGN_END = re.compile(rf"\s(\({_SIGN}\d+\)|{_SIGN}\s?\d+(?:cm|%|[\"”])?)$")
_UNIT_WITHIN = re.compile(r" (?:[a-zß-ÿ]{1,10}|[^\W\d_]{1,3})(?=$|[,;/|•·]| [^\W\d_a-zß-ÿ])")
_KEY = re.compile(
    r"\d{1,3}(?:[-–—−/,&]\d{1,3}|\s[-–—]\s\d{1,3}(?=\s?[.):=\t]|\s\s)|\s?\+"
    rf"|\s(?:{_BETWEEN})\s(?:\d{{1,3}}|[^\W\d_]+))?(?:[.)]\s+|\s*[:=]\s*|\s+[-–—]\s+|\s+)(?=\S)"
)
_MOST_LABEL, _MOST_SAID, _MOST_LETTERS = 7, 60, 60
_LONGEST = 300  # a line with rows that were run together
_PARTING = " ,;/|•·"


class Rows(NamedTuple):
    """The rows of a line: one, or several that were run together.

    sure: by itself; otherwise only beside others
    wide: they stand in columns of their own
    pair: the row as a label and one value, where the figures of other rows are fewer
    """

    rows: tuple[Row, ...]
    kind: Kind
    sure: bool = False
    wide: bool = False
    pair: Row | None = None


def read_rows(line: SheetLine) -> Rows | None:
    """Return the rows of a line; None where it is running text or nothing that a table has."""
    if line.kind not in ("line", "item"):
        return None
    if line.row:
        return Rows((line.row,), "label", sure=True)
    if len(line.cells) > 1 or line.listed:
        return _read_cells(line)
    return _read_content(line.content) if len(line.text) <= _LONGEST else None


@lru_cache(maxsize=4_096)
def _read_content(content: Styled) -> Rows | None:
    signed = _read_signed(content)
    if signed:
        return Rows(signed, "signed", sure=True)
    pairs = _read_pairs(content)
    if len(pairs) > 1:
        return Rows(pairs, "figure", sure=True)
    if again := _read_again(content):
        return Rows(again, "figure", sure=True)
    row = _read_sign_end(content) or _read_figure(content)
    own = _read_grid(content) or row
    return Rows((own,), "figure", pair=row) if own else None


def is_value(text: str) -> bool:
    return _VALUE.fullmatch(text.strip("()")) is not None


def _read_cells(line: SheetLine) -> Rows | None:
    cells = line.cells
    if line.listed:
        return Rows((cells,), "cells", sure=True)
    in_brackets = _SIGN_END.fullmatch(f" {cells[0].text.rstrip(':')}")
    counted = _SIGNED_CELL.fullmatch(cells[0].text) and not _read_signed(cells[-1])
    if len(cells) == 2 and (in_brackets or counted):
        return Rows(((cells[1], cells[0].strip(":")),), "signed", sure=True)
    signed = [_read_signed(cell) for cell in cells]
    figures = [_read_figure(cell) for cell in cells]
    labels, values = cells[::2], cells[1::2]
    if all(signed):
        return Rows(tuple(row for rows in signed for row in rows), "signed", sure=True, wide=True)
    if all(figures) and not all(is_value(cell.text) for cell in cells[1:]):
        return Rows(tuple(filter(None, figures)), "figure", sure=True, wide=True)
    if len(cells) > 3 and len(labels) == len(values):
        pairs = tuple(zip(labels, values, strict=True))
        if all(is_value(v.text) and not is_value(k.text) for k, v in pairs):
            return Rows(pairs, "figure", sure=True, wide=True)
    return Rows((tuple(cell.strip("=").strip() for cell in cells),), "cells", sure=True)


def _read_signed(content: Styled) -> tuple[Row, ...]:
    """`+1 charging`, and several of them on one line."""
    rows: list[Row] = []
    text, at = content.text, 0
    while at < len(text):
        found = _SIGNED.match(text, at)
        if not found:
            return ()
        again = _SIGN_AGAIN.search(text, found.end())
        end = again.start() if again else len(text)
        rows.append((content.cut(found.end(), end).strip(), content.cut(at, found.end(1))))
        at = again.end() if again else end
    return tuple(rows)


def move_units(rows: Sequence[Row]) -> list[Row]:
    """Return modifiers with the unit beside the figure: `-1 | dice if tired` has all `dice`."""
    words = [row[0].text.partition(" ")[0].rstrip(",;") for row in rows]
    alike = len({word[:2].lower() for word in words}) == 1 and len(rows) > 1
    known = {word.lower() for word in words} <= set(list_words("figures", "units"))
    if not alike or not (
        known or _is_counted(words) or (len(words[0]) < 4 and not is_small(words[0]))
    ):
        return list(rows)
    return [
        (label.cut(len(word)).strip(" ,;"), value.join(label.cut(0, len(word)), " "))
        for (label, value), word in zip(rows, words, strict=True)
    ]


def _is_counted(words: Sequence[str]) -> bool:
    """Whether words are one word in the singular and the plural."""
    short = min(words, key=len)
    long = (word for word in words if len(word) > len(short))
    return len(short) > 2 and len(set(words)) == 2 and all(one.startswith(short) for one in long)


def _read_sign_end(content: Styled) -> Row | None:
    """`for each casualty -1`."""
    found = _SIGN_END.search(content.text)
    label = content.cut(0, found.start() if found else 0).strip(" :=.\t")
    if not found or not label.text or len(label.text) > _MOST_LETTERS:
        return None
    if any(map(has_ended, label.text.split())):
        return None
    return label, content.cut(found.start(1))


def _read_pairs(content: Styled) -> tuple[Row, ...]:
    """`Infantry 20cm Cavalry 30cm`: labels and figures by turns, over the whole line."""
    text, at = content.text, 0
    rows: list[Row] = []
    while at < len(text):
        start, end = next(_list_figures(text, at), (0, 0))
        if not end:
            # A word in place of the last figure: "Machines varies".
            label, _, word = text[at:].partition(" ")
            if not (rows and label[:1].isupper() and word.isalpha() and word.islower()):
                return ()
            return (*rows, (content.cut(at, at + len(label)), content.cut(at + len(label) + 1)))
        unit = _UNIT_WITHIN.match(text, end)
        end = unit.end() if unit else end
        if not _is_label(text[at:start]) or (end < len(text) and text[end] not in _PARTING):
            return ()
        rows.append((content.cut(at, start).strip(), content.cut(start, end)))
        at = len(text) - len(text[end:].lstrip(_PARTING))
    return tuple(rows)


def _list_figures(text: str, start: int) -> Iterator[tuple[int, int]]:
    """Yield the places of the values behind the first word."""
    while (start := text.find(" ", start) + 1) > 0:
        found = FIGURES.match(text, start)
        if found and text[found.end() : found.end() + 1] in ("", *_PARTING, ":", "(", ")"):
            yield found.span()
            start = found.end()


def _is_label(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= _MOST_LABEL
        and (words[0][0].isupper() or words[0][0] in '"“(')
        and len(text) <= _MOST_LETTERS
        and not any(map(has_ended, words))
        and not is_small(words[-1])
    )


def _read_again(content: Styled) -> tuple[Row, ...]:
    """`Attacker +1 die per gun Defender +2 dice if in cover`."""
    places = [match.span() for match in _LABEL_AGAIN.finditer(content.text)]
    rows = [row for part in cut_at(content, places) if (row := _read_figure(part))]
    signed = all(not row[1].text[0].isalnum() for row in rows)
    return tuple(rows) if places and signed and len(rows) == len(places) + 1 else ()


def _read_grid(content: Styled) -> Row | None:
    """`Bireme 3 5`: a label and a value for each of several columns."""
    found = _GRID.fullmatch(content.text)
    if not found or not (_is_label(found["label"]) or is_value(found["label"])):
        return None
    start = found.start("values")
    values = (content.cut(*m.span()) for m in _VALUE.finditer(content.text, start))
    return (content.cut(0, start), *values)


def _read_figure(content: Styled) -> Row | None:
    """`Infantry 20cm`, and `Gatling 6 dice, jams on two 1s`."""
    text = content.text
    for start, end in _list_figures(text, 0):
        unit = text[end:].split()[0].rstrip(",;") if text[end : end + 1] == " " else ""
        tails = [text[end:]] if is_small(unit) else [text[end:], text[end + 1 + len(unit) :]]
        open_ = any(
            not tail.strip() or tail.strip()[0] in ",;(" or is_small(tail.split()[0])
            for tail in tails
        )
        short = len(text) - start <= _MOST_SAID and text[-1] not in ".:"
        if open_ and short and _is_label(text[:start]):
            return content.cut(0, start).strip(), content.cut(start)
    return None


def are_alike(rows: Sequence[Row], kind: Kind) -> bool:
    """Whether the values of rows look alike: figures with one unit, or all but a word or two."""
    values = [row[-1].text for row in rows]
    strict = [value for value in values if is_value(value)]
    if len(strict) < 0.45 * len(values):
        short = sum(len(value.split()) < 3 for value in values)
        return len(values) > 2 and not strict and short >= 0.75 * len(values)
    units = Counter(_find_unit(value) for value in strict if value[0] not in "+-−–±")
    return kind != "figure" or not any(units) or 2 * max(units.values()) > units.total()


def _find_unit(value: str) -> str:
    """Return the beginning of the word behind a figure; cm and kg are alike."""
    word = value.rpartition(" ")[2]
    return word[:2].lower() if word.isalpha() and len(word) > 3 else ""


def read_keyed(line: SheetLine, last: str | None) -> Rows | None:
    """Return `1-3 text`, or several of them run together, if they follow on the last key."""
    parted = len(line.cells) > 2 and not all(_KEY.match(cell.text) for cell in line.cells)
    if line.kind not in ("line", "item") or line.listed or parted:
        return None
    text, at, start = line.text, 0, 0
    rows: list[Row] = []
    while at < len(text):
        found = _KEY.match(text, at)
        key = line.content.cut(at, found.end()).strip() if found else None
        if found and key and (not at or (at > start and _begins(key.text, text[found.end() :]))):
            if len(line.cells) == 2 and not at and len(line.cells[0].text) > found.end():
                return None
            if _follows(last, key.text):
                if rows:
                    rows[-1] = (rows[-1][0], line.content.cut(start, at).strip(" \t;,"))
                rows.append((key, line.content.cut(found.end()).strip()))
                last, at = key.text, found.end()
                start = at
                continue
        if not rows:
            return None
        ahead = re.compile(r"\s+").search(text, at + 1)
        at = ahead.end() if ahead else len(text)
    return Rows(tuple(rows), "keyed") if rows else None


def _begins(key: str, rest: str) -> bool:
    """Whether a number within a line begins an entry there."""
    return key[-1] in ".):=" or rest[:1].isupper() or rest[:1] in tuple('+−–"“(')


def read_numbers(key: str) -> tuple[int, int]:
    """Return the lowest and the highest number of a key; two dice show 00 for a hundred."""
    numbers = [100 if number == "00" else int(number) for number in re.findall(r"\d+", key)]
    return numbers[0], numbers[-1]


def _follows(last: str | None, key: str) -> bool:
    """Whether a key goes on from the one before, by one up or down, and is set alike."""
    if last is None:
        return True
    (low, high), (own_low, own_high) = read_numbers(last), read_numbers(key)
    alike = (last[-1] in ".):=-–—") == (key[-1] in ".):=-–—")
    return alike and (own_low in _list_next(high) or low in _list_next(own_high))


def _list_next(number: int) -> tuple[int, ...]:
    """Return what may come behind a number: with two dice of six sides 21 is next to 16."""
    return (number + 1, number + 5) if number in range(16, 60, 10) else (number + 1,)
