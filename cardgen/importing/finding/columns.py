"""What the columns of a table hold, and the card that a row is.

The column of names is the one whose cells are short and different, that of texts the longest.
Knows nothing of where tables stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from cardgen.importing.column_names import find_field, may_number
from cardgen.importing.finding.calibrate import (
    IN_A_TABLE,
    NAMES_GUESSED,
    WITHOUT_A_HEADER,
)
from cardgen.importing.finding.facts import Fact, capitalise, take_facts
from cardgen.importing.finding.fields import Body, make_card, make_key
from cardgen.importing.finding.heads import Head, read_head
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.names import fold, looks_like_name, set_name, trim_name
from cardgen.importing.finding.rows import Table
from cardgen.importing.finding.vocabulary import FIELDS, find_label, list_words
from cardgen.importing.model import (
    BOLD,
    COUNTED,
    HEADER,
    NOT_POINTED,
    Block,
    Candidate,
    Doubt,
    Pointed,
    Styled,
)

_MOST = 0.7
_CLEAR = 0.9
_LONG = 5  # words of a cell that is a text
_FEW_HEADING = 4  # words of a cell of a header, and of one that is set off as such
_MOST_HEADING = 8
_PHRASE = 3  # words of one that no header calls otherwise
_GAP = re.compile(r"\s{3,}")
_DIE = re.compile(r"\d*[dw]\d{1,3}", re.IGNORECASE)
_SIGNS = "+-−–"
_COUNT = re.compile(r"(?:[^\W\d_]+\s|[x×(]\s?)?\d{1,3}\b\D{0,20}")
_MANY = 12  # copies of a card
_FEW_UNITS = 2  # "1 copy", "2 copies"
_FIGURES = re.compile(r"\d+")
_COUNTER = re.compile(r"[(\[#]?\d{1,3}[.)\]]?")  # "(1)"
_COIN = re.compile(r"\d{1,6}\s?([^\W\d_]{1,2})")
_PRICE = re.compile(r"\d{1,4}[.,]\d\d")
_LED = re.compile(r"\S\s+\.{3,}\s+[^\W_]")  # "Eel pie ........ 5d"
_TOLD = ("name", "count", "cost", "kind", "text")


class Columns(NamedTuple):
    """What the columns of a table hold: a field for each, and whether the first row says so."""

    fields: tuple[str | None, ...]
    headed: bool
    titles: tuple[str, ...] = ()
    told: bool = False  # whether the header says which column has the names
    behind: str = ""  # what stands behind names in their cells: a subtitle, a text or nothing

    @property
    def labels(self) -> dict[str, str]:
        """Return what the header calls the fields besides the name and the text."""
        named = zip(self.fields, self.titles, strict=False)
        return {key: title for key, title in named if key not in (None, "name", "text")}


def list_groups(table: Table, columns: Columns) -> Iterator[tuple[Block, str | None]]:
    """Yield the rows below the header, each with the title of its group.

    A title fills one cell of a row, where the others fill several.
    """
    rows = table.rows[1:] if columns.headed else table.rows
    filled = [sum(bool(cell.text.strip()) for cell in row.cells) for row in rows]
    several = median(filled) > 1 if filled else False
    texts = [next((c.text for c in row.cells if c.text.strip()), "").strip(" :") for row in rows]
    titles = [
        at
        for at, number in enumerate(filled[:-1])
        if several and number == 1 < filled[at + 1] and looks_like_name(texts[at], marked=True)
    ]
    one = len(titles) == 1 and len(table.rows[0].cells) == 2
    if titles and titles[0] and (one or (1, 1) in pairwise(filled)):
        titles = []  # rows whose texts are not written yet, or that lack what others have
    lettered = all(len(texts[at]) == 1 for at in titles)  # as in a book's index
    title = None
    for at, row in enumerate(rows):
        if at in titles:
            title = None if lettered else set_name(texts[at])
        else:
            yield row, title


def name_kind(table: Table, columns: Columns) -> Columns:
    """Return the columns with that of kinds under its own name: the kind is a chapter's title."""
    if not columns.headed:
        return columns
    named = zip(columns.fields, table.rows[0].cells, strict=False)
    own = [make_key(cell.text) if field == "kind" else field for field, cell in named]
    return columns._replace(fields=(*own, *columns.fields[len(own) :]))


def list_names(table: Table, columns: Columns) -> list[str]:
    """Return the names of a table's rows, as names are compared."""
    column = columns.fields.index("name")
    rows = [row for row, _ in list_groups(table, columns)]
    return [fold(row.cells[column].text) for row in rows if column < len(row.cells)]


def is_rolled(columns: Columns) -> bool:
    """Whether dice choose a row of a table, so that it is part of a text rather than cards."""
    return any(map(is_die, columns.titles))


def is_die(title: str) -> bool:
    return _DIE.fullmatch(title.strip(" *")) is not None


def holds_name(table: Table, pointed: Pointed) -> bool:
    """Whether a cell of a table is a name that somebody saw."""
    wanted = {fold(name) for name in pointed.names}
    rows = [row.cells for row in table.rows if len(row.cells) > 1]  # others are titles
    return any(not wanted.isdisjoint(_list_called(cell)) for row in rows for cell in row)


def _list_called(cell: Styled) -> set[str]:
    """Return what the card of a cell may be called: all of it, or the bold words it begins with."""
    return {fold(cell.text), fold(_part_name(cell)[0].text)}


def _part_name(cell: Styled) -> tuple[Styled, Styled]:
    """Return the name in a cell, and what stands behind it: not in bold, or set off from it."""
    lead, gap = cell.find_lead(), _GAP.search(cell.text)
    end = lead if 0 < lead < len(cell.text) else gap.start() if gap else len(cell.text)
    return cell.cut(0, end).strip(), cell.cut(end).strip(" ,;–—-")


def _find_pointed(columns: Sequence[Sequence[Styled]], pointed: Pointed) -> int | None:
    wanted = {fold(name) for name in pointed.names}
    for place, column in enumerate(columns):
        if any(not wanted.isdisjoint(_list_called(cell)) for cell in column):
            return place
    return None


def read_columns(table: Table, pointed: Pointed = NOT_POINTED) -> Columns | None:
    """Return what each column of a table holds; None where no column has names."""
    rows = table.rows
    width = max(len(row.cells) for row in rows)
    if width < 2 or width > 30:
        return None
    header = [cell.text.strip(" *_:.") for cell in rows[0].cells]
    header += [""] * (width - len(header))
    named = [_find_held(label, rows, place) for place, label in enumerate(header)]
    headed = _is_header(header, rows) or ("name" in named and not _states(header, rows))
    body = rows[1:] if headed else rows
    if not headed and not any(header):
        body = rows[1:]
    columns = [
        [row.cells[column] if column < len(row.cells) else Styled.of("") for row in body]
        for column in range(width)
    ]
    if len(body) < (1 if "name" in named else 2):
        return None
    elsewhere = list_words("columns", "others")
    known = [
        headed
        and (
            field not in (None, "name")
            or header[place].casefold() in elsewhere
            or is_die(header[place])
        )
        and (field != "text" or not _find_behind(columns[place], told=False))
        and not ((place == 0 or _is_bold(columns[place])) and _names_all(field, columns[place]))
        for place, field in enumerate(named)
    ]
    name = named.index("name") if headed and "name" in named else _find_names(columns, known)
    shown = _find_pointed(columns, pointed)
    if shown is not None:
        name = shown
    elif name is None or _weigh_names(columns[name]) < 0.6:
        return None
    fields: list[str | None] = []
    lengths = [_measure(column) for column in columns]
    said = [place for place, given in enumerate(named) if headed and given == "text"]
    text = max(said, key=lengths.__getitem__, default=None)  # "Power" and "Effect"
    others = [c for c in range(width) if c != name and named[c] in (None, "name")]
    others = [c for c in others if headed or not _are_prices(columns[c])]
    longest = max(others, key=lengths.__getitem__, default=None)
    least = _LONG if headed else _PHRASE
    if longest is not None and lengths[longest] < least:
        longest = None
    if table.described:
        text = width - 1
    elif text is None or (longest is not None and lengths[text] < 2):  # "Power" has a figure
        text = longest
    led = 2 * sum(bool(_LED.search(row.text)) for row in body) > len(body)
    for column in range(width):
        label = header[column] if headed else ""
        if column == name:
            fields.append("name")
        elif column == text:
            fields.append("text")
        elif _counts_rows(columns[column]) and not _is_word(label):
            fields.append(None)
        elif not label and not any(cell.text.strip(" -–—") for cell in columns[column]):
            fields.append(None)  # dashes alone
        elif headed and named[column] not in (None, "text", *fields):
            fields.append(named[column])
        elif not label and column == name + 1 and led and "cost" not in fields:
            fields.append("cost")
        elif not label and (word := _find_shared(columns[column])):
            header[column] = word
            fields.append(make_key(word))
        elif not label and (stated := _find_stated(columns[column])) not in (
            None,
            *fields,
            *(named if headed else ()),
        ):
            fields.append(stated)
        else:
            key = make_key(label).lstrip("0123456789_")  # "1d100" is no key of a card
            fields.append(key or None if headed else f"column_{column + 1}")
    titles = tuple(header) if any(header) else ()
    behind = _find_behind(columns[name], told="text" in fields)
    told = headed and named[name] == "name"
    return Columns(tuple(fields), headed or not any(header), titles, told, behind)


def _are_prices(column: Sequence[Styled]) -> bool:
    """Whether nearly all cells say what something costs: "cost: 99.000 lire / 51 euro"."""
    labels = [find_labelled(cell) for cell in column if cell.text.strip()]
    told = sum(label is not None and find_label(label.key) == "cost" for label in labels)
    return told > _MOST * len(labels)


def _is_bold(column: Sequence[Styled]) -> bool:
    return all(cell.face & BOLD for cell in column if cell.text.strip())


def _names_all(field: str | None, column: Sequence[Styled]) -> bool:
    """Whether the first column has a name in each row, as "Sort" or "Type" may head names."""
    different = len({cell.text.casefold() for cell in column}) == len(column)
    return field in ("kind", "who", "text") and different and _weigh_names(column) > _CLEAR


def _find_behind(names: Sequence[Styled], *, told: bool) -> str:
    """Return what stands behind most names in their cells; `told`: texts have a column."""
    words = [len(_part_name(cell)[1].text.split()) for cell in names]
    if sum(map(bool, words)) < _MOST * len(words):
        return ""
    return "subtitle" if told or median(words) <= _LONG else "text"


def _find_shared(column: Sequence[Styled]) -> str:
    """Return the word that all cells of a column begin with, as "HD 2" and "HD 5"."""
    words = [cell.text.split() for cell in column if cell.text.strip()]
    first = {said[0] for said in words}
    shared = len(first) == 1 and len(words) > 2 and all(len(said) > 1 for said in words)
    return min(first).strip(" :") if shared and min(first)[0].isalpha() else ""


def _find_stated(column: Sequence[Styled]) -> str | None:
    """Return what all cells of a column state without its name: a price, a count, a bearer."""
    texts = [cell.text.strip() for cell in column if cell.text.strip()]
    coins = [match[1].casefold() if (match := _COIN.fullmatch(text)) else "" for text in texts]
    if 5 * sum(map(bool, coins)) >= 4 * len(coins) > 8 and _are_coins({*coins} - {""}):
        return "cost"
    said = [{"cost"} if _PRICE.fullmatch(text) else _list_given(text) for text in texts]
    return next(iter(sorted(set.intersection(*said))), None) if said else None


def _are_coins(units: Set[str]) -> bool:
    """Whether a few letters behind all figures may be a game's coins, and no measure."""
    return len(units) <= _FEW_UNITS and units.isdisjoint(list_words("cost", "others"))


def _list_given(text: str) -> set[str]:
    return {"cost", "count", "who"}.intersection(fact.gives for fact in take_facts(text).facts)


def _holds_figures(rows: Sequence[Block], place: int) -> bool:
    """Whether a column that may count copies has figures, as "In game" has with yes and no."""
    cells = [row.cells[place].text for row in rows[1:] if place < len(row.cells)]
    filled = [text.strip() for text in cells if text.strip(" -–—")]
    units = {text.strip("0123456789 x×.()").casefold() for text in filled} - {""}
    counted = 2 * sum(bool(_COUNT.fullmatch(text)) for text in filled) >= len(filled)
    figures = [int(match[0]) for text in filled if (match := _FIGURES.search(text))]
    few = not units or median(figures or [0]) <= _MANY
    return counted and few and len(units) <= _FEW_UNITS  # "1 jar", "3 drops" are no copies


def _is_word(label: str) -> bool:
    """Whether a label says what a column holds, as "Qty" and "d20" do, and "No." does not."""
    numbers = find_field(label) == "count" and may_number(label)
    return is_die(label) or (sum(map(str.isalpha, label)) > 2 and not numbers)


def _find_held(label: str, rows: Sequence[Block], place: int) -> str | None:
    """Return what a column holds by its label: "Nombre" counts in French, and names in Spanish."""
    given = _find_field(label)
    if given != "count" or _holds_figures(rows, place):
        return given
    return "name" if find_field(label) == "name" else None


def _find_field(label: str) -> str | None:
    named = find_field(label)
    return find_label(label.casefold()) or (named if named in _TOLD else None)


def _is_header(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether the first row says what the columns hold: words where the others have values."""
    most = _MOST_HEADING if rows[0].mark == HEADER else _FEW_HEADING
    if sum(bool(text) for text in header) < 2 or any(len(text.split()) > most for text in header):
        return False
    different = len({text.casefold() for text in header}) == len(header)
    if _COUNTER.fullmatch(header[0]) or _comes_again(header, rows):
        return False
    if different and (_heads_figures(header, rows) or _heads_signs(header, rows)):
        return True
    if any(sum(map(str.isdigit, text)) > 2 or text.lstrip(_SIGNS)[:1].isdigit() for text in header):
        return False
    known = sum(_find_field(text) is not None for text in header)
    longer = 0
    for column, text in enumerate(header):
        cells = [row.cells[column].text for row in rows[1:] if column < len(row.cells)]
        words = median([len(cell.split()) for cell in cells]) if cells else 0
        figures = sum(bool(re.search(r"\d", cell)) for cell in cells) * 2 > len(cells)
        longer += bool(text) and (words > len(text.split()) + 2 or figures)
    return different and (known + longer >= 1 or _is_set_off(header, rows))


def _comes_again(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether a text of several words in the first row stands in a row below it as well."""
    return any(
        row.cells[place].text.strip(" *_:.") == text
        for place, text in enumerate(header)
        if len(text.split()) > 1
        for row in rows[1:]
        if place < len(row.cells) and row.cells != rows[0].cells
    )


def _is_set_off(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether the first row is marked as the header of several, with a word for each column."""
    marked = rows[0].mark == HEADER and len(rows) > _FEW_HEADING
    return marked and all(0 < len(text.split()) < _PHRASE for text in header)


def _states(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether the first row has a figure with its unit, as most below it have the same."""
    for place, text in enumerate(header):
        bare = _FIGURES.sub("", text)
        cells = [row.cells[place].text for row in rows[1:] if place < len(row.cells)]
        same = sum(_FIGURES.sub("", cell.strip(" *_:.")) == bare != cell for cell in cells)
        if text.lstrip(_SIGNS)[:1].isdigit() and 2 * same > len(cells):
            return True
    return False


def _heads_figures(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether a row has a die above a column of figures, or words where it is set off as header."""
    places = [
        place
        for place in range(len(header))
        if all(
            any(map(str.isdigit, row.cells[place].text))
            for row in rows[1:]
            if place < len(row.cells)
        )
    ]
    dice = [place for place in places if is_die(header[place])]
    words = [place for place in places if not any(map(str.isdigit, header[place]))]
    return bool(dice) or (rows[0].mark == HEADER and bool(words))


def _heads_signs(header: Sequence[str], rows: Sequence[Block]) -> bool:
    """Whether a row that is set off has a word above cells that all begin with one sign."""
    columns = zip(*(row.cells for row in rows[1:] if len(row.cells) == len(header)), strict=True)
    firsts = [{cell.text[:1] for cell in column} for column in columns]
    return rows[0].mark == HEADER and any(
        len(first) == 1 and not min(first).isalnum() and min(first) != text[:1] and min(first)
        for first, text in zip(firsts, header, strict=False)
    )


def _find_names(columns: Sequence[Sequence[Styled]], known: Sequence[bool]) -> int | None:
    """Return the column that holds names, which is none whose header says something else."""
    weights = [
        0.0 if known[place] else _weigh_names(column) - place / 50
        for place, column in enumerate(columns)
    ]
    best = max(range(len(columns)), key=lambda column: weights[column])
    return best if weights[best] > 0.5 else None


def _weigh_names(column: Sequence[Styled]) -> float:
    """Return how much the cells of a column look like names: short, different, no figures."""
    parts = [_part_name(cell) for cell in column if cell.text.strip()]
    texts = [name.text for name, _ in parts]
    if len(texts) < max(min(2, len(column)), 0.6 * len(column)):
        return 0.0
    like = sum(looks_like_name(trim_name(text), marked=True) for text in texts) / len(texts)
    different = len({text.casefold() for text in texts}) / len(texts)
    bold = sum(bool(cell.face & BOLD) for cell in column) / len(column)
    long = median([len(text.split()) for text in texts])
    whole = [name.text for name, rest in parts if not rest.text]
    told = sum(text[-1:] in (".", "!", "?") or bool(_list_given(text)) for text in whole) / len(
        texts
    )
    like *= 1 - told / 2
    return like * different**2 * (1.0 if long <= 6 else 0.4) + 0.2 * bold


def _measure(column: Sequence[Styled]) -> float:
    """Return how many words those cells of a column have that are not empty."""
    return median([len(cell.text.split()) for cell in column if cell.text.strip()] or [0])


def _counts_rows(column: Sequence[Styled]) -> bool:
    texts = [cell.text.strip(" .#()[]") for cell in column]
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 5]
    rises = all(after > before or after == 1 for before, after in pairwise(numbers))
    restarts = sum(number == 1 for number in numbers[1:])  # with each of several tables
    return len(numbers) > 0.8 * len(texts) and rises and 3 * restarts < len(numbers)


def read_row(row: Block, columns: Columns, kind: str | None) -> Candidate | None:
    """Return the card of a row; None for one without a name."""
    values: dict[str, Styled] = {}
    for field, cell in zip(columns.fields, row.cells, strict=False):
        if field and cell.text.strip():
            values.setdefault(field, cell.strip())
    if "name" not in values:
        return None
    named = values.pop("name")
    first, rest = _part_name(named)
    if rest.text and columns.behind not in values and columns.behind:
        named, values[columns.behind] = first, rest
    head = read_head(named)
    priced = head is not None and head.taken.has("cost") and "cost" in values  # "Arrows (20)"
    if head is None or priced or _ends_name(head, named.text):
        head = Head(trim_name(named.text), "whole", Styled.of(""))
    body = Body()
    if len(row.cells) != len(columns.fields):
        told = f"this row has {len(row.cells)} cells, the header {len(columns.fields)}"
        widths = (("cells", len(row.cells)), ("header", len(columns.fields)))
        body.doubts.append(Doubt("row-width", told, 0.7, details=widths))
    if "text" in values:
        body.paragraphs += _part_lines(values.pop("text"))
    for field, cell in values.items():
        gives = next((known for known in FIELDS if known == field), None)
        if gives == "count":
            figure = re.search(r"\d{1,3}", cell.text)
            count = int(figure[0]) if figure else 1
            body.facts.append([Fact("count", count, 1.0, cell.text)])
            continue
        word = cell.text.split()[0]
        shared = not columns.headed and make_key(word) == field  # "HD 5", "Cost: 2 reeds"
        said = cell.cut(len(word)).strip(" :") if shared else cell
        if gives is None:
            body.fields[field] = said
        elif said.text in (*list_words("who", "nobody"), "-", "–", "—"):
            continue
        elif gives == "kind":  # all of the cell: "Item / Weapon"
            label = columns.labels.get("kind", gives)
            body.facts.append(
                [Fact("kind", capitalise(said.text), 1.0, f"{label}: {said.text}", True)]
            )
        else:
            body.set_field(gives, gives, said)
    body.labels = columns.labels
    facts = [fact for line in (*body.facts, head.taken.facts) for fact in line]
    return replace(
        make_card(head, row.lines, body, facts, kind),
        reasons=(COUNTED if columns.headed and "count" in columns.fields else "a row of a table",),
        found=_find_sureness(columns),
    )


def _ends_name(head: Head, text: str) -> bool:
    """Whether a name goes on in words that may say who has it: "Attack All", "Attack All II"."""
    borne = all(fact.gives == "who" and not fact.labelled for fact in head.taken.facts)
    behind = text[len(head.name) :].strip()
    return head.ending == "fact" and borne and behind[:1].isalnum()


def _find_sureness(columns: Columns) -> float:
    if not columns.headed:
        return WITHOUT_A_HEADER
    return IN_A_TABLE if columns.told else NAMES_GUESSED


def _part_lines(content: Styled) -> Iterator[Styled]:
    position = 0
    for match in re.finditer("\n", content.text):
        yield content.cut(position, match.start()).strip()
        position = match.end()
    yield content.cut(position).strip()
