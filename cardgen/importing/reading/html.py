"""Reads a web page (.html) as blocks: headings, paragraphs, items of lists and rows of tables.

Passes over what is no text of the page, as menus, forms and scripts. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from lxml import etree

from cardgen.core.errors import CardgenError, Where
from cardgen.importing.model import (
    BOLD,
    HEADER,
    ITALIC,
    LIGATURES,
    TERM,
    Block,
    Kind,
    Place,
    Styled,
)
from cardgen.importing.reading.boxes import label_boxes

MAX_TAGS = 400_000
MAX_CARRIED = 1_000_000  # letters of cells that go on in rows below
_PASSED_OVER = {
    *("head", "script", "style", "template", "noscript", "nav", "form", "button", "select"),
    *("svg", "math", "iframe", "object", "audio", "video", "canvas", "map"),
}
# Classes and names of what a wiki's program adds to a page.
_ADDED = frozenset(("mw-editsection", "printfooter", "catlinks", "toc", "noprint", "navbox"))
_EDGES = ("header", "footer", "aside")  # of a page, which may hold nothing but links
_LABEL = re.compile(r"\s*[^\W\d_][^:.!?\n]{0,40}:\s")
_MOST_OF_NAME = 4  # words
_MOST_LINKED = 0.6  # of the letters
_MOST_COLUMNS = 50  # that a cell may go through
_MOST_ROWS = 1000  # that a cell may go through
_WITHIN = ("script", "style", "template", "svg", "math", "object", "button", "span")
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_FACES = {"b": BOLD, "strong": BOLD, "dt": BOLD, "i": ITALIC, "em": ITALIC, "cite": ITALIC}
# What begins a line of its own; before these, an empty line is seen.
_APART = {
    *("p", "ul", "ol", "dl", "dt", "table", "blockquote", "pre", "hr", "figure"),
    *_HEADINGS,
}
_LINES = {
    *("div", "section", "article", "main", "header", "footer", "aside", "address", "fieldset"),
    *("details", "summary", "li", "dd", "tr", "caption", "figcaption", "body", "center"),
}
# The classes of lines that are names, as "MonsterName" and "card-title".
_CLASS = re.compile(r"(?:^|[\s_-]|(?-i:(?<=[a-z])(?=[NT])))(?:name|title)(?=\s|$)", re.IGNORECASE)
_CALLED = ("p", "div", "dt")
_LOWEST = 7  # below all headings
_GAP = "    "
_BLANKS = re.compile(r"[ \t\n\r\f\v\u00a0]+")
_MANY_IN_ONE = 20  # blocks of a line
# A box that begins or ends is a new line; where several do, there is room between the lines.
_MOST_EDGES = 2


def read_html_blocks(text: str, file: str, most: int) -> list[Block]:
    """Return the lines of a page; of one that has more than `most`, a few more than that."""
    if text.count("<") > MAX_TAGS:
        raise CardgenError(
            "import/too-long",
            f"this page has more than {MAX_TAGS:,} tags",
            Where(file),
            "import the part with the cards alone",
        )
    parser = etree.HTMLParser(
        encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError:
        root = None  # of nothing but blanks
    # What lies deeper than the parser goes is lost, and a page of people's making never does.
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise CardgenError(
            "import/unreadable",
            "this page is nested too deeply",
            Where(file),
            "save it from a browser as a text",
        )
    reader = _Reader(file)
    if root is not None:
        label_boxes(root)
        reader.read(root, most)
    if not any(block.text for block in reader.blocks):
        raise CardgenError(
            "import/no-text",
            "this page holds no text",
            Where(file),
            "save it from a browser, when it shows what is wanted",
        )
    return _number_paragraphs(reader.blocks)


def _number_paragraphs(blocks: list[Block]) -> list[Block]:
    """Return the blocks with their own number for a line where a program wrote many into one, so
    that each has a place.
    """
    lines = Counter(block.place.line for block in blocks)
    if max(lines.values()) <= _MANY_IN_ONE:
        return blocks
    return [
        replace(block, place=block.place._replace(line=number))
        for number, block in enumerate(blocks, 1)
    ]


class _Reader:
    def __init__(self, file: str) -> None:
        self.blocks: list[Block] = []
        self._file = file
        self._content = Styled.of("")
        self._line = 1
        self._gap = 1
        self._edges = 0
        self._kind: Kind = "line"
        self._level = 0
        self._mark = ""
        self._number = ""  # of the item that is begun
        self._faces: list[int] = [0]
        self._preformatted = 0
        self._numbers: list[int | None] = []  # of the lists that are open; None has bullets
        self._headed = False  # the row that is open has no other cells than heads
        self._cells: list[Styled] | None = None  # of the row that is open, if it is one of figures
        self._spans: dict[int, tuple[int, Styled]] = {}  # cells that go on in as many rows below
        self._opened: dict[int, tuple[int, Styled]] = {}  # those that begin in the row that is open
        self._carried = 0  # letters of cells that went on

    def read(self, root: Any, most: int) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        skipped: Any = None  # what is passed over, until its end
        for event, element in walk:
            if len(self.blocks) > most:
                return
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "end":
                if element is not skipped:
                    self._close(element, tag)
                skipped = None
                self._add(element.tail)
            elif tag in _PASSED_OVER or _is_added(element):
                skipped = element
                if tag not in _WITHIN:
                    self._end_line()
                walk.skip_subtree()
            else:
                self._open(element, tag)
                self._add(element.text)
        self._end_line()

    def _open(self, element: Any, tag: str) -> None:
        self._faces.append(self._faces[-1] | _FACES.get(tag, 0))
        self._set_off(element, tag)
        if tag == "br":
            self._end_line()
        elif tag in ("ol", "ul"):
            self._end_line()  # that of the item around it, which stands less far in
            self._numbers.append(0 if tag == "ol" else None)
        elif tag == "tr" or _opens_row(element, tag):
            self._end_line()
            self._cells = None if _is_layout(element) else []
            self._headed = True
        if tag in _APART or tag in _LINES:
            self._end_line(apart=tag in _APART)
            self._line = element.sourceline or self._line
        if tag == "footer" and element.getparent().tag in ("body", "main"):
            self.blocks.append(Block(Styled.of(""), Place(self._file, self._line), "rule"))
        if tag in _HEADINGS:
            self._kind, self._level = "heading", _HEADINGS[tag]
        elif tag in _CALLED and _is_called(element):
            self._kind, self._level = "heading", _LOWEST
        elif tag == "li":
            self._begin_item()
        elif tag == "dt":
            self._mark = TERM
        elif tag == "pre":
            self._preformatted += 1
        elif tag == "hr" and self._cells is None:
            self.blocks.append(Block(Styled.of(""), Place(self._file, self._line), "rule"))

    def _begin_item(self) -> None:
        number = self._numbers[-1] if self._numbers else None
        if self._cells is not None:
            return
        if number is None:
            self._kind, self._mark = "item", "-"
            return
        self._numbers[-1] = number + 1
        self._number = f"{number + 1}. "

    def _close(self, element: Any, tag: str) -> None:
        self._faces.pop()
        if tag in ("td", "th") and self._cells is not None:
            self._fill_spans(self._cells)
            self._headed = self._headed and tag == "th"
            self._end_cell(element, self._cells)
        elif tag in ("tr", "thead", "tbody", "table"):
            self._end_row(element)
            self._spans = {} if tag != "tr" else self._spans
        elif tag in ("ol", "ul"):
            self._numbers.pop()
        elif tag == "pre":
            self._preformatted -= 1
        self._set_off(element, tag)
        if tag in _APART or tag in _LINES:
            self._end_line(apart=tag in _APART and tag != "dt")

    def _set_off(self, element: Any, tag: str) -> None:
        """Set a part of the line of a name off from what stands beside it."""
        within = self._level or self._faces[-1] & BOLD or self._cells is not None
        beside = tag == "small" and within
        last = element.getnext() is None and not (element.tail or "").strip()
        named = tag == "span" and (self._level == _LOWEST or (self._level and last))
        if (beside or named) and self._content.text.strip():
            self._content = self._content.join(Styled.of(_GAP))

    def _end_cell(self, element: Any, cells: list[Styled]) -> None:
        content = _keep_lines(self._take(), first=not cells)
        rows = element.get("rowspan", "").strip()
        if rows.isdecimal() and 1 < int(rows) <= _MOST_ROWS:
            self._opened[len(cells)] = int(rows) - 1, content
        cells.append(content)
        columns = element.get("colspan", "").strip()
        alone = element.getnext() is None and element.getprevious() is None  # a row's title
        if not alone and columns.isdecimal() and 1 < int(columns) <= _MOST_COLUMNS:
            beside = content if element.tag == "th" else Styled.of("")
            cells += [beside] * (int(columns) - 1)

    def _fill_spans(self, cells: list[Styled]) -> None:
        """Add the cells that go on from rows above, up to where the next one stands."""
        while len(cells) in self._spans:
            content = self._spans[len(cells)][1]
            cells.append(content)
            self._carried += 1 + len(content.text)
            if self._carried > MAX_CARRIED:
                raise CardgenError(
                    "import/too-long",
                    f"cells of this page that go through several rows fill more than"
                    f" {MAX_CARRIED:,} letters",
                    Where(self._file, self._line),
                    "import the part with the cards alone",
                )

    def _end_row(self, element: Any) -> None:
        cells, self._cells = self._cells, None
        if cells is not None:
            self._fill_spans(cells)
            left = {at: (rows - 1, one) for at, (rows, one) in self._spans.items() if rows > 1}
            self._spans, self._opened = left | self._opened, {}
        if cells is None or not any(cell.text for cell in cells):
            return
        if len(cells) == 1:
            self._content = cells[0]
            self._end_line()
            return
        self._line = element.sourceline or self._line
        text = Styled.of(" | ".join(cell.text for cell in cells))
        mark = HEADER if self._headed else ""
        self._put(Block(text, Place(self._file, self._line), "row", cells=tuple(cells), mark=mark))

    def _add(self, text: str | None) -> None:
        if not text:
            return
        if self._preformatted and self._cells is None:
            first, *others = text.replace("\r", "").split("\n")
            self._content = self._content.join(Styled.of(first, self._faces[-1]))
            for line in others:
                self._end_line()
                self._line += 1
                self._content = Styled.of(line, self._faces[-1])
            return
        plain = _BLANKS.sub(" ", text).translate(LIGATURES)
        if self._content.text[-1:] in ("", " ", "\n"):
            plain = plain.lstrip(" ")
        if plain.strip():
            self._edges = 0
        self._content = self._content.join(Styled.of(plain, self._faces[-1]))

    def _take(self) -> Styled:
        content, self._content = self._content.strip(), Styled.of("")
        return content

    def _end_line(self, *, apart: bool = False) -> None:
        """End the line that is begun, if it holds anything; in a cell of figures it goes on."""
        if self._cells is not None:
            if self._content.text[-1:] not in ("", " ", "\n"):
                self._content = self._content.join(Styled.of("\n"))
            return
        content = self._take()
        if content.text:
            place = Place(self._file, self._line)
            content = Styled.of(self._number).join(content)
            self._put(Block(content, place, self._kind, self._level, mark=self._mark))
            self._kind, self._level, self._mark, self._number = "line", 0, "", ""
            self._edges = 0
        self._edges += 1
        if apart or self._edges > _MOST_EDGES:
            self._gap = 1

    def _put(self, block: Block) -> None:
        self.blocks.append(replace(block, gap=self._gap, indent=2 * len(self._numbers)))
        self._gap = 0


def _keep_lines(cell: Styled, *, first: bool) -> Styled:
    """Return a cell with its lines, where most but the first begin with labels; else as one, but
    for a name in the first of a row, set off from what stands below it.
    """
    name, *lines = cell.text.split("\n")
    labelled = sum(bool(_LABEL.match(line)) for line in lines)
    if len(lines) > 1 and 2 * labelled > len(lines):
        return cell
    if first and lines and len(name.split()) <= _MOST_OF_NAME and name.strip()[-1:].isalnum():
        below = cell.cut(len(name) + 1)
        return cell.cut(0, len(name)).join(_keep_lines(below, first=False), _GAP)
    return Styled(cell.text.replace("\n", " "), cell.marks)


def _opens_row(element: Any, tag: str) -> bool:
    """Whether a cell is the first of a row that is not marked as one."""
    above, before = element.getparent(), element.getprevious()
    bare = tag in ("td", "th") and above is not None and above.tag in ("thead", "tbody")
    return bare and (before is None or before.tag not in ("td", "th"))


def _is_added(element: Any) -> bool:
    """Whether an element is not to be seen, or none of the writer's."""
    if "hidden" in element.attrib or element.get("id") in _ADDED:
        return True
    if element.tag in _EDGES and element.getparent().tag == "body":
        linked = sum(len("".join(link.itertext())) for link in element.iter("a"))
        return linked > _MOST_LINKED * len("".join(element.itertext()))
    return not _ADDED.isdisjoint(element.get("class", "").split())


def _is_called(element: Any) -> bool:
    """Whether a line is what its class says: a name or a title, and holds no other lines."""
    whole = not any(child.tag in _APART or child.tag in _LINES for child in element)
    return whole and bool(_CLASS.search(element.get("class", "")))


def _is_layout(row: Any) -> bool:
    """Whether a row only sets things side by side: it holds tables or headings."""
    return next(row.iter("table", *_HEADINGS), None) is not None
