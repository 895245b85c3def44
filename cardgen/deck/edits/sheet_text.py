"""The XML of a workbook's sheet with the places of its rows and cells, so that they can be changed.

Texts are written into the cells themselves, so that nothing else of the workbook need be. Where
rows come, go or change places, what refers to them in the sheet follows. Knows nothing of archives
and of what columns mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from html import unescape
from typing import NamedTuple
from xml.sax.saxutils import escape

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.edits.edit import Edit, apply
from cardgen.deck.edits.references import LOST, Shift, Swap, follow, follow_range, translate
from cardgen.deck.workbook import find_column, name_column

CellValue = str | int | float | bool | None

_ATTRIBUTES = r"""(?P<told>(?:[^"'<>/]|"[^"]*"|'[^']*')*)"""
_TAG = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>"
    rf"|<(?P<close>/)?(?P<prefix>\w+:)?(?P<name>sheetData|row|c)(?=[\s/>]){_ATTRIBUTES}(?P<empty>/)?>",
    re.DOTALL,
)
_FORMULA = re.compile(
    rf"<(?P<tag>(?:\w+:)?f)(?=[\s/>]){_ATTRIBUTES}(?:/>|>(?P<text>[^<]*)</(?P=tag)>)"
)
_OTHER_FORMULA = re.compile(r"(<(?:\w+:)?formula[12]?>)([^<]*)(?=<)")
_RANGE = re.compile(r'(?<=\s)((?:sq)?ref=")([A-Z0-9:$ ]+)(?=")')
_NEWER_RANGE = re.compile(r"(<(?:\w+:)?sqref>)([A-Z0-9:$ ]+)(?=<)")
# A range that is gone is the last cell of all; what cannot be of it goes too.
_NOWHERE = "XFD1048576"
_LOST = re.compile(rf'<(?:\w+:)?(?:mergeCell|hyperlink)\s[^>]*ref="{_NOWHERE}"[^>]*/>')
_HOLDING_NONE = re.compile(
    r"<(?P<tag>(?:\w+:)?(?:mergeCells|hyperlinks))(?:\s[^>]*)?>\s*</(?P=tag)\s*>"
)
_DIMENSION = re.compile(r'(<(?:\w+:)?dimension [^>]*?ref=")([A-Z]+)(\d+)(?::([A-Z]+)(\d+))?(?=")')
_ATTRIBUTE = re.compile(r"""\s+([\w:.]+)\s*=\s*("[^"]*"|'[^']*')""")
_CODE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
# What a cell has beside its style belongs to its old value.
_OF_A_VALUE = ("t", "cm", "vm", "ph")
# What a new row takes over from the one that it is like.
_OF_A_ROW = ("s", "customFormat", "ht", "customHeight")


class _Cell(NamedTuple):
    column: int
    start: int
    end: int
    told: Mapping[str, str]


class _Row(NamedTuple):
    """A row: its number, and where it and its cells stand; `inner` is empty if it has none."""

    line: int
    start: int
    end: int
    inner: tuple[int, int]
    told: Mapping[str, str]
    cells: Sequence[_Cell]


_BARE = _Row(0, 0, 0, (0, 0), {}, ())


class SheetText:
    """A sheet that is called `name`."""

    def __init__(self, text: str, file: str, name: str) -> None:
        self.text = text
        self.file = file
        self.name = name
        self._prefix = ""
        self._end = len(text)  # of the rows
        self._rows: dict[int, _Row] = {}
        self._scan()

    @property
    def has_formulas(self) -> bool:
        return _FORMULA.search(self.text) is not None

    @property
    def last(self) -> int:
        """The number of the last row."""
        return max(self._rows, default=0)

    def has_formula(self, line: int, column: int) -> bool:
        """Whether a cell is computed."""
        cell = self._find_cell(line, column)
        return cell is not None and _FORMULA.search(self.text, cell.start, cell.end) is not None

    def change(self, cells: Mapping[int, Mapping[int, CellValue]], *, bare: bool = False) -> str:
        """Return the text with other values in cells, by the numbers of rows and columns.

        bare: whether the cells lose their style, which shows a number as something else
        """
        edits = [
            edit
            for line, wanted in cells.items()
            for edit in self._change_row(self._rows[line], wanted, bare=bare)
        ]
        width = max((column for wanted in cells.values() for column in wanted), default=0)
        return _extend(apply(self.text, edits), self.last, width)

    def _change_row(
        self, row: _Row, wanted: Mapping[int, CellValue], *, bare: bool
    ) -> Iterator[Edit]:
        places = {cell.column: cell for cell in row.cells}
        fresh = {column: value for column, value in wanted.items() if column not in places}
        for column, cell in places.items():
            if column in wanted:
                told = {key: said for key, said in cell.told.items() if key not in _OF_A_VALUE}
                if bare:
                    told.pop("s", None)
                yield Edit(cell.start, cell.end, self._write_cell(told, wanted[column]))
        if not any(value is not None for value in fresh.values()):
            return
        written = {}
        for column, value in fresh.items():
            left = places.get(column - 1) if row.line == min(self._rows) else None
            style = left.told if left is not None else {}
            told = {"r": f"{name_column(column)}{row.line}"}
            told |= {"s": style["s"]} if "s" in style and not bare else {}
            written[column] = self._write_cell(told, value)
        told = {key: said for key, said in row.told.items() if key != "spans"}
        head = self._write_tag("row", told)
        if not row.cells:
            body = "".join(written[column] for column in sorted(written))
            yield Edit(row.start, row.end, f"{head}>{body}</{self._prefix}row>")
            return
        yield Edit(row.start, row.inner[0], f"{head}>")
        for column in sorted(written):
            behind = (cell.start for cell in row.cells if cell.column > column)
            place = next(behind, row.inner[1])
            yield Edit(place, place, written[column])

    def insert(
        self,
        line: int,
        cells: Sequence[CellValue],
        like: int | None,
        computed: Collection[int] = (),
    ) -> str:
        """Return the text with a row more, of this number, formatted like another one, if any.

        computed: the columns in which it has the formula of that one, if there is one
        """
        model = _BARE if like is None else self._rows[like]
        formulas = dict[int, str]()
        styles = {cell.column: cell.told.get("s") for cell in model.cells}
        for cell in model.cells:
            found = _FORMULA.search(self.text, cell.start, cell.end)
            if found and found["text"] and cell.column in computed:
                own = escape(translate(unescape(found["text"]), line - model.line))
                formula = f"<{found['tag']}>{own}</{found['tag']}>"
                text = self.text[cell.start : cell.end].replace(found[0], formula)
                formulas[cell.column] = _renumber_cell(text, cell, line)
        written = []
        for column in range(max([*styles, len(cells) - 1]) + 1):
            value = cells[column] if column < len(cells) else None
            told_of = {"r": f"{name_column(column)}{line}"}
            style = styles.get(column)
            if style is not None:
                told_of["s"] = style
            if column in formulas:
                written.append(formulas[column])
            elif value is not None or style is not None:
                written.append(self._write_cell(told_of, value))
        told_row = {"r": str(line)}
        told_row |= {key: model.told[key] for key in _OF_A_ROW if key in model.told}
        row = f"{self._write_tag('row', told_row)}>{''.join(written)}</{self._prefix}row>"
        moved = SheetText(self._shift(Shift(line, 1)), self.file, self.name)
        below = (one for number, one in sorted(moved._rows.items()) if number > line)
        place = next((one.start for one in below), moved._end)
        text = moved.text[:place] + row + moved.text[place:]
        return _extend(text, max(line, moved.last), len(cells) - 1)

    def remove(self, line: int) -> str:
        """Return the text without a row."""
        row = self._rows[line]
        left = SheetText(self.text[: row.start] + self.text[row.end :], self.file, self.name)
        return left._shift(Shift(line + 1, -1))

    def put_in_order(self, lines: Sequence[int], order: Sequence[int]) -> str:
        """Return the text with rows exchanged: at each number the row that comes there.

        Formulas elsewhere go on reading the same cells, as when a table is sorted.
        """
        edits = []
        for line, source in zip(lines, order, strict=True):
            if line != source:
                there, here = self._rows[line], self._rows[source]
                edits.append(Edit(there.start, there.end, self._move_row(here, line)))
        places = {source: line for line, source in zip(lines, order, strict=True)}
        return _follow_ranges_of_sheet(apply(self.text, edits), Swap(places))

    def _move_row(self, row: _Row, line: int) -> str:
        """Return a row as it is under another number."""
        inside = [
            Edit(edit.start - row.start, edit.end - row.start, edit.text)
            for edit in self._renumber(row, line)
        ]
        moved = apply(self.text[row.start : row.end], inside)
        return follow_formulas(moved, Swap({row.line: line}), self.name)

    def _renumber(self, row: _Row, line: int) -> Iterator[Edit]:
        head = self._write_tag("row", {**row.told, "r": str(line)})
        if not row.cells:
            yield Edit(row.start, row.end, f"{head}/>")
            return
        yield Edit(row.start, row.inner[0], f"{head}>")
        for cell in row.cells:
            text = self.text[cell.start : cell.end]
            yield Edit(cell.start, cell.end, _renumber_cell(text, cell, line))

    def unshare(self) -> str:
        """Return the text with each formula written out that cells share."""
        shared: dict[str, tuple[str, int, int]] = {}
        edits = []
        for row in self._rows.values():
            for cell in row.cells:
                found = _FORMULA.search(self.text, cell.start, cell.end)
                told = _read_told(found["told"]) if found else {}
                if found is None or told.get("t") != "shared":
                    continue
                key = told.get("si", "")
                if found["text"]:
                    shared[key] = (unescape(found["text"]), row.line, cell.column)
                if key not in shared:
                    raise refuse_rows(self.file, "a formula that cells share")
                formula, line, column = shared[key]
                own = translate(formula, row.line - line, cell.column - column)
                edits.append(
                    Edit(
                        found.start(),
                        found.end(),
                        f"<{found['tag']}>{escape(own)}</{found['tag']}>",
                    )
                )
        return apply(self.text, edits)

    # References

    def _shift(self, step: Shift) -> str:
        """Return the text after rows moved: their numbers, and what refers to them."""
        edits: list[Edit] = []
        for row in self._rows.values():
            line = step.move(row.line)
            if line is not None and line != row.line:
                edits += self._renumber(row, line)
        text = follow_formulas(apply(self.text, edits), step, self.name)
        return _follow_ranges_of_sheet(text, step)

    # Reading and writing

    def _scan(self) -> None:
        line, opened, told = 0, 0, dict[str, str]()
        inner, cells = 0, list[_Cell]()
        cell: tuple[int, int, dict[str, str]] | None = None
        for tag in _TAG.finditer(self.text):
            name = tag["name"]
            if name is None:
                continue
            if name == "sheetData":
                self._prefix = tag["prefix"] or ""
                if tag["empty"]:
                    raise refuse_rows(self.file, "a sheet without rows")
                self._end = tag.start()
            elif name == "row":
                if not tag["close"]:
                    told, opened, inner, cells = _read_told(tag["told"]), tag.start(), tag.end(), []
                    said = told.get("r", "")
                    line = int(said) if said.isdecimal() else line + 1
                if tag["close"] or tag["empty"]:
                    span = inner, tag.start() if tag["close"] else inner
                    self._rows[line] = _Row(line, opened, tag.end(), span, told, cells)
            else:
                if not tag["close"]:
                    own = _read_told(tag["told"])
                    at = own.get("r")
                    column = find_column(at) if at else cells[-1].column + 1 if cells else 0
                    cell = column, tag.start(), own
                if cell is not None and (tag["close"] or tag["empty"]):
                    cells.append(_Cell(cell[0], cell[1], tag.end(), cell[2]))
                    cell = None

    def _find_cell(self, line: int, column: int) -> _Cell | None:
        row = self._rows.get(line)
        return next((cell for cell in row.cells if cell.column == column), None) if row else None

    def _write_tag(self, name: str, told: Mapping[str, str]) -> str:
        """Return an opening tag but for its end."""
        return f"<{self._prefix}{name}" + "".join(f' {key}="{said}"' for key, said in told.items())

    def _write_cell(self, told: Mapping[str, str], value: CellValue) -> str:
        pre = self._prefix
        match value:
            case None:
                return self._write_tag("c", told) + "/>"
            case bool():
                head = self._write_tag("c", {**told, "t": "b"})
                return f"{head}><{pre}v>{int(value)}</{pre}v></{pre}c>"
            case str():
                head = self._write_tag("c", {**told, "t": "inlineStr"})
                text = escape(_CODE.sub("_x005F_", value))
                body = f'<{pre}is><{pre}t xml:space="preserve">{text}</{pre}t></{pre}is>'
                return f"{head}>{body}</{pre}c>"
        return f"{self._write_tag('c', told)}><{pre}v>{value}</{pre}v></{pre}c>"


def refuse_rows(file: str, what: str) -> CardgenError:
    """Return the error for rows that cannot come, go or change places alone."""
    return CardgenError(
        "edit/rows-are-held",
        f"rows of this sheet cannot be moved: {what} would not go with them",
        Where(file),
        "move, add and remove them with a spreadsheet program",
    )


def _follow_ranges_of_sheet(text: str, step: Shift | Swap) -> str:
    text = _NEWER_RANGE.sub(_make_follower(step), follow_ranges(text, step))
    text = _LOST.sub("", text)
    return _HOLDING_NONE.sub("", text)


def follow_ranges(text: str, step: Shift | Swap) -> str:
    """Return XML in which the attributes that name ranges followed a step of their rows."""
    return _RANGE.sub(_make_follower(step), text)


def follow_escaped(formula: str, step: Shift | Swap, sheet: str, *, is_own: bool) -> str:
    """Return a formula, as XML holds it, after a step of a sheet's rows."""
    bare = unescape(formula)
    now = follow(bare, step, sheet, is_own=is_own)
    return formula if now == bare else escape(now)


def follow_formulas(text: str, step: Shift | Swap, sheet: str, *, is_own: bool = True) -> str:
    """Return the XML of a sheet whose formulas followed a step of a sheet's rows."""
    write = partial(follow_escaped, step=step, sheet=sheet, is_own=is_own)

    def write_cell(match: re.Match[str]) -> str:
        if not match["text"]:
            return match[0]
        start, end = (place - match.start() for place in match.span("text"))
        return match[0][:start] + write(match["text"]) + match[0][end:]

    text = _FORMULA.sub(write_cell, text)
    return _OTHER_FORMULA.sub(lambda match: match[1] + write(match[2]), text)


def _make_follower(step: Shift | Swap) -> Callable[[re.Match[str]], str]:
    def write(match: re.Match[str]) -> str:
        moved = (follow_range(one, step) for one in match[2].split())
        left = [one for one in moved if one != LOST]
        return match[1] + " ".join(left or [_NOWHERE])

    return write


def _renumber_cell(text: str, cell: _Cell, line: int) -> str:
    """Return a cell as it is in another row."""
    own = f'r="{name_column(cell.column)}{line}"'
    return text.replace(f'r="{cell.told["r"]}"', own, 1) if "r" in cell.told else text


def _extend(text: str, line: int, column: int) -> str:
    """Return the text of which the told extent goes at least so far."""

    def write(match: re.Match[str]) -> str:
        start, first, name, row = (
            match[2],
            match[3],
            match[4] or match[2],
            int(match[5] or match[3]),
        )
        wide = name_column(max(column, find_column(name)))
        return f"{match[1]}{start}{first}:{wide}{max(line, row)}"

    return _DIMENSION.sub(write, text, count=1)


def _read_told(attributes: str) -> dict[str, str]:
    return {match[1]: match[2][1:-1] for match in _ATTRIBUTE.finditer(attributes)}
