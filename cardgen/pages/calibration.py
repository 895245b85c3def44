"""Draws the two pages on which a printer's faults are read.

Three rows of lines are verniers: the lines of the back stand half a millimetre closer than those of
the front, so that the line which meets its fellow tells how far the back was moved. Two
rows far apart tell how far it was turned. All figures in this module are millimetres, until the
last step. Must not know where a profile is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import floor, pi

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Matrix, Rect, Size
from cardgen.core.units import MM, format_size
from cardgen.pages.impose import Note, Page
from cardgen.pages.marks import Mark
from cardgen.pages.printer import Flip
from cardgen.pages.target import Axis

SMALLEST_PAPER = Size(200.0, 270.0)
STEP = 0.5
MOST_STEPS = 8  # to either side of 0
# So wide apart that a line meets its own fellow alone: a whole row moves by less than this.
PITCH = 8.75
STAIR = range(2, 11)
# How wide apart two rows are for each degree in a difference of one millimetre.
DEGREE = 180 / pi
LEADING, GAP = 1.36, 0.45
_THIN, _STRONG = 0.25, 0.6
_NEAR_EDGE = 18.0


@dataclass(frozen=True)
class Sheet:
    """The paper of a printer, and how its page is divided.

    rows: how far the two upright rows are apart, in units of DEGREE
    """

    paper: Size
    axis: Axis
    flip: Flip
    printer: str
    command: str

    @property
    def width(self) -> float:
        return self.paper.width / MM

    @property
    def height(self) -> float:
        return self.paper.height / MM

    @property
    def rows(self) -> int:
        return floor((self.width - 2 * _NEAR_EDGE) / DEGREE)

    @property
    def outer(self) -> float:
        """The place of the left of the upright rows."""
        return (self.width - self.rows * DEGREE) / 2

    @property
    def inner(self) -> float:
        """The place at which texts begin."""
        return self.outer + 20

    @property
    def steps_x(self) -> int:
        """The number of lines that the level row has on either side of 0."""
        return min(MOST_STEPS, floor((self.rows * DEGREE / 2 - 13) / PITCH))

    @property
    def steps_y(self) -> int:
        return min(MOST_STEPS, floor((self.height / 2 - 42) / PITCH))

    @property
    def ruler(self) -> float:
        return 100.0 if min(self.width - 2 * self.inner, self.height / 2 - 36) >= 100 else 50.0


def make_calibration(sheet: Sheet) -> tuple[Page, Page]:
    """Return the front, with all that is to be read, and the back."""
    if min(sheet.width, sheet.height) < min(SMALLEST_PAPER) or max(sheet.width, sheet.height) < max(
        SMALLEST_PAPER
    ):
        least = Size(SMALLEST_PAPER.width * MM, SMALLEST_PAPER.height * MM)
        raise CardgenError(
            "print/paper-too-small",
            f"the calibration page needs paper of {format_size(least)} at least, "
            f"not {format_size(sheet.paper)}",
            hint="print it on larger paper; a printer's faults are the same on smaller",
            details={"width_mm": round(sheet.width, 2), "height_mm": round(sheet.height, 2)},
        )
    front = [*_draw_rows(sheet, back=False), *_draw_stairs(sheet), *_draw_rulers(sheet)]
    front += _draw_arrow(sheet.inner + 3, 15.5)
    notes = (*_label_rows(sheet), *_label_stairs(sheet), *_write_text(sheet))
    back = [*_draw_rows(sheet, back=True), *_draw_arrow(sheet.width - sheet.inner - 3, 15.5)]
    word = _note("This is the back.", sheet.inner, sheet.height - 15, 60, 8)
    whole = Rect(0, 0, *sheet.paper)
    turned = Matrix(-1, 0, 0, -1, *sheet.paper) if sheet.axis == "level" else None
    return (
        Page(sheet.paper, "front", 1, whole, whole, (), tuple(front), notes),
        Page(sheet.paper, "back", 1, whole, whole, (), tuple(back), (word,), turned),
    )


def _line(x1: float, y1: float, x2: float, y2: float, weight: float = _THIN) -> Mark:
    return Mark(x1 * MM, y1 * MM, x2 * MM, y2 * MM, weight)


def _note(
    text: str, x: float, y: float, width: float, size: float, *, centred: bool = False
) -> Note:
    return Note(text, x * MM, y * MM, width * MM, size, centred=centred)


def _list_steps(most: int) -> range:
    return range(-most, most + 1)


def _measure_tick(step: int) -> float:
    """Return how far a line reaches to its number's side."""
    return 4.5 if step % 2 else 6.0


def _draw_rows(sheet: Sheet, *, back: bool) -> Iterator[Mark]:
    """Draw one row across the middle for x, and two upright ones for y; the back's from behind."""
    middle, centre = sheet.height / 2, sheet.width / 2
    pitch = PITCH - STEP if back else PITCH
    for step in _list_steps(sheet.steps_x):
        if back:
            x = centre - step * pitch
            yield _line(x, middle - 3.5, x, middle + 7, _weigh(step))
        else:
            x = centre + step * pitch
            yield _line(x, middle - _measure_tick(step), x, middle + 1.5, _weigh(step))
    for side in (-1, 1):
        row = centre + side * sheet.rows * DEGREE / 2
        for step in _list_steps(sheet.steps_y):
            y = middle + step * pitch
            if back:
                yield _line(row + side * 3.5, y, row - side * 3.5, y, _weigh(step))
            else:
                inwards = row - side * _measure_tick(step)
                yield _line(inwards, y, row + side * 1.5, y, _weigh(step))
    if not back:
        across, along = sheet.steps_x * PITCH + 2, sheet.steps_y * PITCH + 2
        yield _line(centre - across, middle, centre + across, middle)
        for row in (sheet.outer, sheet.width - sheet.outer):
            yield _line(row, middle - along, row, middle + along)


def _weigh(step: int) -> float:
    return _STRONG if step == 0 else _THIN


def _label_rows(sheet: Sheet) -> Iterator[Note]:
    middle, centre = sheet.height / 2, sheet.width / 2
    for step in _list_steps(sheet.steps_x):
        x, y = centre + step * PITCH, middle - _measure_tick(step) - 1
        yield _note(_say(step), x - 4, y, 8, _size(step), centred=True)
    for side in (-1, 1):
        for step in _list_steps(sheet.steps_y):
            size = _size(step)
            x = centre + side * (sheet.rows * DEGREE / 2 - _measure_tick(step) - 3.5)
            y = middle + step * PITCH + 0.3 * size / MM
            yield _note(_say(step), x - 4, y, 8, size, centred=True)
        row = centre + side * sheet.rows * DEGREE / 2
        text = "left y" if side < 0 else "right y"
        yield _note(text, row - 8, middle - sheet.steps_y * PITCH - 4, 16, 12, centred=True)
    yield _note("x", centre - sheet.steps_x * PITCH - 2, middle + 5, 5, 12)


def _say(step: int) -> str:
    return f"{step * STEP:+g}" if step else "0"


def _size(step: int) -> float:
    return 5.5 if step % 2 else 8.0


def _draw_stairs(sheet: Sheet) -> Iterator[Mark]:
    for number, away in enumerate(STAIR):
        x = sheet.width / 2 + (number - 4.5) * 6
        y = sheet.height / 2 + (number - 4.5) * 6
        for edge in (away, sheet.height - away):
            yield _line(x, edge, x + 6, edge, _STRONG)
        for edge in (away, sheet.width - away):
            yield _line(edge, y, edge, y + 6, _STRONG)


def _label_stairs(sheet: Sheet) -> Iterator[Note]:
    size = 5.5
    high = 0.65 * size / MM
    for number, away in enumerate(STAIR):
        x = sheet.width / 2 + (number - 4.5) * 6
        y = sheet.height / 2 + (number - 4) * 6 + high / 2
        yield _note(str(away), x, away + 0.8 + high, 6, size, centred=True)
        yield _note(str(away), x, sheet.height - away - 0.8, 6, size, centred=True)
        yield _note(str(away), away + 0.6, y, 3, size, centred=True)
        yield _note(str(away), sheet.width - away - 3.6, y, 3, size, centred=True)


def _draw_rulers(sheet: Sheet) -> Iterator[Mark]:
    """Draw a level one and an upright one that share a corner."""
    length = sheet.ruler
    right, foot = sheet.width - sheet.inner, sheet.height - 18
    yield _line(right - length, foot, right, foot, _STRONG)
    yield _line(right, foot - length, right, foot, _STRONG)
    for number in range(11):
        away = number * length / 10
        long = 3.0 if number in (0, 10) else 1.5
        yield _line(right - away, foot - long, right - away, foot + long / 2)
        yield _line(right - long, foot - away, right + long / 2, foot - away)


def _draw_arrow(x: float, y: float) -> Iterator[Mark]:
    yield _line(x, y, x, y + 9, 1.0)
    for side in (-1, 1):
        yield _line(x, y, x + side * 2.5, y + 4, 1.0)


def _write_text(sheet: Sheet) -> Iterator[Note]:
    """Write the steps to be taken, above and below the row in the middle."""
    width = sheet.width - 2 * sheet.inner
    title = f"Calibration of the printer “{sheet.printer}”"
    above, below = _list_steps_above(sheet), _list_steps_below(sheet)
    lines = sum(len(step) + GAP for step in above)
    size = min(10.5, 10.5 * width / 138, (sheet.height / 2 - 46) * MM / lines / LEADING)
    yield _note(title, sheet.inner + 9, 19.5, width - 9, 1.7 * size)
    yield _note("This is the front. The arrow is its top.", sheet.inner + 9, 24.5, width - 9, size)
    yield from _write_steps(above, 1, 33, size, sheet)
    yield from _write_steps(below, 1 + len(above), sheet.height / 2 + 15, size, sheet)


class _Typed(str):
    """A line that is to be typed."""


def _list_steps_above(sheet: Sheet) -> Sequence[Sequence[str]]:
    other: Flip = "short-edge" if sheet.flip == "long-edge" else "long-edge"
    return (
        ("Print both sides of this page at full size: 100%, not “fit to page”.",),
        (
            "Turn the sheet over as you turn a page of a book. Where the arrow on the back",
            f"points up too, the printer turns sheets over the {sheet.flip.replace('-', ' ')}, "
            "as it should.",
            "Else type this, and print the page anew:",
            _Typed(f"{sheet.command} --set flip={other}"),
        ),
        (
            "Hold the sheet against the light, this side towards you. In each of the three",
            "rows the lines of the back stand closer than those of the front, and only one",
            "goes on straight. Read the number there. Where two are equally near, read the",
            "number between: +1.25 stands between +1 and +1.5.",
        ),
        (
            "The number in the row below is x. The number at the left and right is y; if",
            "the two differ, y is the middle between them, and the right one less the left",
            f"one, divided by {sheet.rows}, is the rotation.",
        ),
    )


def _list_steps_below(sheet: Sheet) -> Sequence[Sequence[str]]:
    what = "Its length" if sheet.ruler == 100 else "Twice its length"
    return (
        (
            f"Measure the two long lines at the lower right; each is {sheet.ruler:g} mm long.",
            f"{what} in mm is the scale in percent: of the level line",
            "scale_x, of the upright one scale_y.",
        ),
        (
            "At each edge there are steps from 2 to 10. The smallest number",
            "with a whole line is the margin: left, top, right, bottom.",
        ),
        (
            "Type what you have read, as in this example. What is as it",
            "should be may be left out: offsets of 0, scales of 100%.",
            _Typed(f"{sheet.command} --set x=+1.5mm,y=-0.5mm"),
            _Typed(f"{sheet.command} --set rotation=+0.2deg,scale_x=99.5%"),
            _Typed(f"{sheet.command} --set left=4mm,bottom=5mm"),
        ),
        ("From now on every sheet is corrected; this page never is.",),
    )


def _write_steps(
    steps: Sequence[Sequence[str]], first: int, y: float, size: float, sheet: Sheet
) -> Iterator[Note]:
    width = sheet.width - 2 * sheet.inner
    leading, indent = LEADING * size / MM, 0.55 * size
    for number, step in enumerate(steps, first):
        yield _note(str(number), sheet.inner, y, indent, size)
        for line in step:
            deeper = indent if isinstance(line, _Typed) else 0.0
            left = sheet.inner + indent + deeper
            yield _note(line, left, y, width - indent - deeper, size)
            y += leading
        y += GAP * leading
