"""The letters of a page become lines, in the order in which one reads them.

The page is cut at what is white: head and foot, bands, columns. Knows nothing of PDF.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from ctypes import byref, c_int, create_string_buffer
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.core.workers import work_within
from cardgen.importing.model import BOLD, ITALIC, LIGATURES, Block, Kind, Place, Styled

_COLUMN_GAP = 1.6  # in sizes of type
_LINE_OVERLAP = 0.65
_INITIAL = 1.8
_NEAR_ROWS = 6
_ONE_LINE = 0.3  # of the size of type: how far letters of a line may stand apart in height
_CELL_GAP = 0.45  # also between a label and its figure
_SAME_BASE = 0.12
_MOST_BESIDE = 0.85  # of the lines of a column that have one beside them
_LONG = 25
_LIST_CROSSING = 6  # what a line costs that lies across a gutter
_MARGIN = 0.12  # of a page: where its head and foot lie


class Letter(NamedTuple):
    text: str
    left: float
    bottom: float
    right: float
    top: float
    size: float
    face: int
    base: float
    spaced: bool  # a blank stands before it


class Line(NamedTuple):
    letters: tuple[Letter, ...]
    left: float
    right: float
    top: float
    base: float
    size: float


def find_lines(letters: Sequence[Letter], height: float, *, lists: bool = False) -> list[Line]:
    """Letters that share a height and stand near one another, in the order in which one reads.

    With `lists` a column need hold no running text: tables and lists stand in columns too.
    """
    letters = _lower_initials(letters)
    if lists:
        parted = [_part_row(row, _CELL_GAP) for row in _group_by_base(letters)]
    else:
        parted = [_part_row(sorted(row, key=lambda one: one.left)) for row in _group(letters)]
    top, bottom = _find_margins(parted, height)
    pieces = [piece for row in parted[top : len(parted) - bottom] for piece in row]
    heads = [piece for row in parted[:top] for piece in row]
    feet = [piece for row in parted[len(parted) - bottom :] for piece in row]
    return [*_join_rows(heads), *_order(pieces, lists), *_join_rows(feet)]


def _group(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Letters that share a height, though one be smaller or stand higher than the other."""
    rows: list[list[Letter]] = []
    for run in sorted(_list_runs(letters), key=lambda one: -one[0].base):
        near = [row for row in rows[-_NEAR_ROWS:] if _share(row[0], run[0])]
        row = min(near, key=lambda row: abs(row[0].base - run[0].base), default=None)
        if row is None:
            rows.append(list(run))
        else:
            row += run
    return rows


def _list_runs(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Letters that follow one another on one line, as the file has them: they stay together."""
    runs: list[list[Letter]] = []
    for letter in letters:
        before = runs[-1][-1] if runs else None
        if (
            before
            and abs(before.base - letter.base) < _ONE_LINE * before.size
            and 0.7 < before.size / letter.size < 1.4
            and -before.size < letter.left - before.right < _COLUMN_GAP * before.size
        ):
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return runs


def _group_by_base(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Letters of one line, from the left: lines of two columns may lie close to one another."""
    rows: list[list[Letter]] = []
    for letter in sorted(letters, key=lambda one: -one.base):
        if rows and rows[-1][0].base - letter.base < _SAME_BASE * letter.size:
            rows[-1].append(letter)
        else:
            rows.append([letter])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _lower_initials(letters: Sequence[Letter]) -> list[Letter]:
    """Letters that stand over several lines as initials, set into the first of them."""
    if not letters:
        return []
    usual = median(letter.size for letter in letters)
    large = [letter for letter in letters if letter.size > _INITIAL * usual]
    lowered = []
    bound: set[Letter] = set()  # what follows an initial without a blank
    for letter in letters:
        alone = letter in large and not any(
            one is not letter
            and abs(one.base - letter.base) < letter.size
            and abs(one.left - letter.left) < 2 * letter.size
            for one in large
        )
        if alone and letter.text.isalpha():
            beside = _find_beside(letters, letter, usual)
            if beside and letter.text not in "AI":
                bound.add(beside)
            if beside:
                letter = letter._replace(
                    bottom=beside.bottom,
                    right=beside.left - 0.01,
                    top=beside.top,
                    size=beside.size,
                    face=beside.face,
                    base=beside.base,
                )
        lowered.append(letter)
    return [one._replace(spaced=False) if one in bound else one for one in lowered]


def _find_beside(letters: Sequence[Letter], initial: Letter, usual: float) -> Letter | None:
    """The letter of the first line that an initial belongs to."""
    lines = [one for one in letters if one.size < _INITIAL * usual]
    near = [
        one
        for one in lines
        if initial.right - usual < one.left < initial.right + 2 * usual
        and initial.bottom < (one.top + one.bottom) / 2 < initial.top + usual / 2
    ]
    firsts = [
        one
        for one in near
        if not any(
            abs(other.base - one.base) < usual / 3 and initial.left - usual < other.left < one.left
            for other in lines
        )
    ]
    return min(firsts, key=lambda one: abs(one.top - initial.top), default=None)


def _find_margins(rows: Sequence[Sequence[Line]], height: float) -> tuple[int, int]:
    """How many rows at the head and the foot of a page stand apart from the text (0 or 1)."""
    if len(rows) < 4:
        return 0, 0

    def stands_apart(outer: Sequence[Line], inner: Sequence[Line], *, near: bool) -> bool:
        space = abs(outer[0].base - inner[0].base)
        return near and space > 2 * max(outer[0].size, inner[0].size)

    low = rows[-1][0].base < _MARGIN * height
    high = rows[0][0].base > (1 - _MARGIN) * height
    return (
        int(stands_apart(rows[0], rows[1], near=high)),
        int(stands_apart(rows[-1], rows[-2], near=low)),
    )


def _share(first: Letter, second: Letter) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    near = max(first.size, second.size) < 1.9 * min(first.size, second.size)
    if near and min(first.size, second.size) > 0.85 * max(first.size, second.size):
        return abs(first.base - second.base) < _ONE_LINE * first.size
    return near and overlap > _LINE_OVERLAP * min(first.size, second.size)


def _part_row(row: Sequence[Letter], gap: float = _COLUMN_GAP) -> list[Line]:
    pieces: list[list[Letter]] = [[row[0]]]
    for letter in row[1:]:
        before = pieces[-1][-1]
        wide = letter.left - before.right > gap * min(before.size, letter.size)
        if wide:
            pieces.append([letter])
        else:
            pieces[-1].append(letter)
    return [_make_line(piece) for piece in pieces]


def _make_line(letters: Sequence[Letter]) -> Line:
    return Line(
        tuple(letters),
        min(one.left for one in letters),
        max(one.right for one in letters),
        max(one.top for one in letters),
        median(one.base for one in letters),
        median(one.size for one in letters),
    )


def _order(pieces: list[Line], lists: bool) -> list[Line]:
    """Cut the page at what is white: across first, and where that fails down its gutters."""
    if len(pieces) < 2:
        return pieces
    gutter = _find_gutter(pieces, lists)
    if gutter is None:
        return _join_rows(pieces)
    wide = [piece for piece in pieces if piece.left < gutter < piece.right]
    if not wide:
        left = [piece for piece in pieces if piece.right <= gutter]
        right = [piece for piece in pieces if piece.left >= gutter]
        return [*_order(left, lists), *_order(right, lists)]
    # What lies across both columns parts the page into bands.
    ordered: list[Line] = []
    rest = sorted(pieces, key=lambda piece: -piece.top)
    for bar in sorted(wide, key=lambda piece: -piece.top):
        above = [piece for piece in rest if piece.base > bar.base and piece not in wide]
        ordered += [*_order(above, lists), bar]
        rest = [piece for piece in rest if piece not in above]
    below = [piece for piece in rest if piece not in wide]
    return ordered + _order(below, lists)


def _find_gutter(pieces: Sequence[Line], lists: bool) -> float | None:
    """A place that lines on both sides keep clear of, as between two columns of text."""
    if len(pieces) < 6:
        return None
    starts = sorted({round(piece.left, 1) for piece in pieces})
    best: tuple[int, float] | None = None
    for start in starts[1:]:
        at = start - 1
        left = [piece for piece in pieces if piece.right <= at]
        right = [piece for piece in pieces if piece.left >= at]
        crossing = len(pieces) - len(left) - len(right)
        if min(len(left), len(right)) < 3 or crossing > 0.25 * len(pieces):
            continue
        if not (_are_lists(left, right) if lists else _is_text(left) and _is_text(right)):
            continue
        score = min(len(left), len(right)) - (_LIST_CROSSING if lists else 2) * crossing
        if best is None or score > best[0]:
            best = (score, at)
    return best[1] if best and best[0] > 0 else None


def _is_text(lines: Sequence[Line]) -> bool:
    """Whether a column holds running text, and not the figures of a table."""
    return median(len(line.letters) for line in lines) >= 12


def _are_lists(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Whether two columns hold text or tables of their own, and are not those of one table."""
    if not (_holds_list(left) and _holds_list(right)):
        return False
    if _has_rows(left) and _has_rows(right):
        return True
    few, many = sorted((left, right), key=len)
    beside = sum(
        1 for one in few if any(abs(one.base - two.base) < _SAME_BASE * one.size for two in many)
    )
    return beside < _MOST_BESIDE * len(few) or (_is_text(left) and _is_text(right))


def _holds_list(lines: Sequence[Line]) -> bool:
    words = sum(1 for line in lines if sum(one.text.isalpha() for one in line.letters) > 2)
    long = sum(1 for line in lines if len(line.letters) > _LONG)
    return 2 * words >= len(lines) and (_has_rows(lines) or long > 1 or words == len(lines))


def _has_rows(lines: Sequence[Line]) -> bool:
    """Whether labels and figures stand side by side."""
    return len(lines) - len(_join_rows(lines)) > 1


def _join_rows(pieces: Sequence[Line]) -> list[Line]:
    """Pieces at one height are one line, with a wide gap in it."""
    rows: list[list[Line]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.base):
        if rows and abs(rows[-1][0].base - piece.base) < 0.35 * piece.size:
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [
        _make_line(
            [one for piece in sorted(row, key=lambda piece: piece.left) for one in piece.letters]
        )
        for row in rows
    ]


MAX_PAGES = 1_000
MAX_LETTERS = 3_000_000
MAX_MEMORY = 300_000_000
MAX_SECONDS = 60
_BOLD_WEIGHT = 600
_BOLD = re.compile(r"bold|black|heavy|demi|(?<!extra)semibold", re.IGNORECASE)
_ITALIC = re.compile(r"ital|obli|slant", re.IGNORECASE)
_ITALIC_FLAG = 1 << 6
_ITEM = re.compile(r"(?:[•●▪◦‣·■□\uf0b7*]|[-–](?=\s))\s*(?=\S)")
_WORD_GAP = 0.22
_CELL_GAP_PDF_READER = 2.2
_LIST_GAP = 0.45
_INDENT = 4  # points to the letter
_NEW_PARAGRAPH = 1.45


def read_pdf_blocks(data: bytes, file: str, *, lists: bool = False) -> list[Block]:
    """The lines of all pages. pdfium unpacks whatever it is given, so it is given limits."""
    try:
        return work_within(lambda: _read_blocks(data, file, lists=lists), MAX_MEMORY, MAX_SECONDS)
    except OverflowError:
        raise CardgenError(
            "import/too-long",
            f"to read this PDF takes more than {MAX_MEMORY:,} bytes or {MAX_SECONDS} seconds",
            Where(file),
            "is it what it seems? then import the pages with the cards alone",
        ) from None


def _read_blocks(data: bytes, file: str, *, lists: bool) -> list[Block]:
    from pypdfium2 import PdfDocument, PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise CardgenError(
                "import/encrypted",
                "this PDF is encrypted",
                Where(file),
                "save a copy of it without a password",
            ) from error
        raise CardgenError(
            "import/unreadable",
            "this is no PDF that can be read",
            Where(file),
            "if a viewer opens it, print it to a new PDF there",
        ) from error
    try:
        if len(document) > MAX_PAGES:
            raise CardgenError(
                "import/too-long",
                f"this PDF has {len(document):,} pages; allowed are {MAX_PAGES:,}",
                Where(file),
                "import the pages with the cards alone",
            )
        blocks: list[Block] = []
        gap = _LIST_GAP if lists else _CELL_GAP_PDF_READER
        total = 0
        for number, page in enumerate(document, 1):
            letters = _read_letters(page)
            total += len(letters)
            if total > MAX_LETTERS:
                raise CardgenError(
                    "import/too-long",
                    f"this PDF has more than {MAX_LETTERS:,} letters",
                    Where(file),
                )
            if blocks:
                blocks.append(Block(Styled.of(""), Place(file, 1, number), "page"))
            lines = find_lines(letters, page.get_height(), lists=lists)
            blocks += _make_blocks(lines, file, number, gap)
            page.close()
    finally:
        document.close()
    if not total:
        raise CardgenError(
            "import/no-text",
            "this PDF holds pictures of text, and no text",
            Where(file),
            "run a text recogniser over it first, such as OCRmyPDF",
        )
    return blocks


def _read_letters(page: Any) -> list[Letter]:
    from pypdfium2 import raw as pdfium

    text = page.get_textpage()
    raw = text.raw
    name, flags, box = create_string_buffer(256), c_int(), pdfium.FS_RECTF()
    letters: list[Letter] = []
    spaced = False
    faces: dict[tuple[bytes, int, int], int] = {}
    shown: bytes | None = None  # the piece of text that a letter is of: all of it has one font
    face = 0
    for index in range(text.count_chars()):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        # pdfium tells of a hyphen at the end of a line by this code.
        sign = "-" if code == 2 else chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd"
        if code > 127:
            sign = sign.translate(LIGATURES)
        if sign.isspace() or ord(sign[0]) < 32:
            spaced = True
            continue
        if not pdfium.FPDFText_GetLooseCharBox(raw, index, byref(box)) or box.right <= box.left:
            continue
        piece = bytes(pdfium.FPDFText_GetTextObject(raw, index))
        if piece != shown:
            shown = piece
            length = pdfium.FPDFText_GetFontInfo(raw, index, name, len(name), byref(flags))
            weight = pdfium.FPDFText_GetFontWeight(raw, index)
            key = (name.raw[: max(0, length - 1)], flags.value, weight)
            if key not in faces:
                faces[key] = _read_face(*key)
            face = faces[key]
        bottom, top = box.bottom, box.top
        letters.append(
            Letter(sign, box.left, bottom, box.right, top, top - bottom, face, bottom, spaced)
        )
        spaced = False
    text.close()
    return letters


def _read_face(name: bytes, flags: int, weight: int) -> int:
    font = name.decode("latin-1")
    bold = weight >= _BOLD_WEIGHT or bool(_BOLD.search(font))
    italic = bool(flags & _ITALIC_FLAG) or bool(_ITALIC.search(font))
    return (BOLD if bold else 0) | (ITALIC if italic else 0)


def _make_blocks(lines: Sequence[Line], file: str, page: int, cell_gap: float) -> list[Block]:
    blocks: list[Block] = []
    steps = [a.base - b.base for a, b in pairwise(lines) if a.base - b.base > 0]
    usual = median(steps) if steps else 0.0
    for number, line in enumerate(lines, 1):
        content = _set_line(line, cell_gap).strip()
        above = lines[number - 2] if number > 1 else None
        step = above.base - line.base if above else 0.0
        apart = (
            above is None
            or step < 0
            or step > _NEW_PARAGRAPH * max(_usual(lines, number, usual), line.size)
        )
        kind: Kind = "line"
        mark = ""
        item = _ITEM.match(content.text)
        if item and item.end() < len(content.text):
            kind, mark, content = "item", content.text[0], content.cut(item.end())
        # A column that ends in the middle of a sentence goes on in the next.
        gap = 1 if apart else 0
        place, size = Place(file, number, page), round(line.size, 1)
        indent = round(line.left / _INDENT) if cell_gap < _CELL_GAP_PDF_READER else 0
        blocks.append(Block(content, place, kind, gap=gap, indent=indent, size=size, mark=mark))
    return blocks


def _usual(lines: Sequence[Line], number: int, default: float) -> float:
    """The step between lines of this size, where it can be told."""
    size = lines[number - 1].size
    steps = [
        a.base - b.base
        for a, b in pairwise(lines)
        if abs(a.size - size) < 0.5 and abs(b.size - size) < 0.5 and 0 < a.base - b.base < 3 * size
    ]
    return min(median(steps), 1.35 * size) if len(steps) > 3 else min(default, 1.35 * size)


def _set_line(line: Line, cell_gap: float) -> Styled:
    text, marks = "", ""
    before: Letter | None = None
    for letter in line.letters:
        if before is not None:
            space = letter.left - before.right
            if space > cell_gap * line.size:
                blanks = "    " if space > 2 * min(cell_gap, 1) * line.size else "   "
                text, marks = text + blanks, marks + "0" * len(blanks)
            elif letter.spaced or space > _WORD_GAP * line.size:
                same = before.face if before.face == letter.face else 0
                text, marks = text + " ", marks + str(same)
        text, marks = text + letter.text, marks + str(letter.face) * len(letter.text)
        before = letter
    return Styled(text, marks)


# MERGED: The text layer of a PDF becomes blocks: its lines in reading order, column by column.
#
#   pdfium gives characters with their places; lines, columns and gaps are made of those here. Knows
#   nothing of cards.
#
