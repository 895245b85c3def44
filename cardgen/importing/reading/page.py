"""Makes lines of the letters of a page, in the order in which one reads them.

The page is cut where it is white: head and foot, bands, columns. Knows nothing of PDF.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

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
    """Return the lines of a page in the order in which one reads them.

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
    """Gather letters that share a height, though one be smaller or stand higher than the other."""
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
    """Gather letters that follow one another on one line of the file: they stay together."""
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
    """Gather letters of one line, from the left: lines of two columns may lie close together."""
    rows: list[list[Letter]] = []
    for letter in sorted(letters, key=lambda one: -one.base):
        if rows and rows[-1][0].base - letter.base < _SAME_BASE * letter.size:
            rows[-1].append(letter)
        else:
            rows.append([letter])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _lower_initials(letters: Sequence[Letter]) -> list[Letter]:
    """Set initials, which stand over several lines, into the first of them."""
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
    """Return the letter of the first line that an initial belongs to."""
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
    """Return how many rows at the head and the foot stand apart from the text (0 or 1)."""
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
    """Return a place that lines on both sides keep clear of, as between two columns of text."""
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
    """Tell whether a column holds running text, and not the figures of a table."""
    return median(len(line.letters) for line in lines) >= 12


def _are_lists(left: Sequence[Line], right: Sequence[Line]) -> bool:
    """Tell whether two columns hold text or tables of their own, and are not those of one table."""
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
    """Tell whether labels and figures stand side by side."""
    return len(lines) - len(_join_rows(lines)) > 1


def _join_rows(pieces: Sequence[Line]) -> list[Line]:
    """Join pieces at one height into a line with wide gaps in it."""
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
