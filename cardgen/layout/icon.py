"""An SVG file turned into one filled outline, and that outline into a frame on a face.

Must not know of decks, templates or PDF, nor which colour an icon gets, nor how SVG is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cardgen.colour import Paint
from cardgen.errors import CardgenError, Problem, Where
from cardgen.geometry import Rect
from cardgen.layout.contours import join, unite
from cardgen.layout.face import Outline, Segment
from cardgen.layout.svg import Drawing, Painted, read_svg

_BLACK = ("black", "#000", "#000000", "currentcolor")

# Shapes may reach this share of the view box beyond it: drawing programs are not exact.
_OVERSHOOT = 0.01


@dataclass(frozen=True, slots=True)
class IconShape:
    """A filled outline in the units of its view box; `bounds` is what the outline itself covers."""

    name: str
    view_box: Rect
    bounds: Rect
    segments: tuple[Segment, ...]
    even_odd: bool


def read_icon(path: Path, where: Where | None = None) -> IconShape:
    """The shape in an SVG file; `where` is the place that asks for it."""
    try:
        found = path.stat()
        return _read(path, path.absolute(), found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise CardgenError(f'cannot read icon "{path}": {error.strerror}', where) from error


def fit_icon(shape: IconShape, frame: Rect, fill: Paint) -> Outline:
    """The icon as large as the frame allows, its view box centred there."""
    box = shape.view_box
    scale = min(frame.width / box.width, frame.height / box.height)
    left = frame.x + (frame.width - box.width * scale) / 2 - box.x * scale
    top = frame.y + (frame.height - box.height * scale) / 2 - box.y * scale

    def place(points: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(v * scale + (top if i % 2 else left) for i, v in enumerate(points))

    x, y = place(shape.bounds[:2])
    return Outline(
        segments=tuple((kind, place(points)) for kind, points in shape.segments),
        fill=fill,
        stroke=None,
        even_odd=shape.even_odd,
        bounds=Rect(x, y, shape.bounds.width * scale, shape.bounds.height * scale),
    )


@lru_cache(maxsize=256)
def _read(path: Path, *_file: object) -> IconShape:
    """The shape in a file; `_file` tells it from another that has its path at another time."""
    drawing = read_svg(path)
    problems = _check_together(path, drawing)
    if problems:
        raise CardgenError.of(problems)
    shapes = [shape.contours for shape in drawing.painted]
    return IconShape(
        name=path.stem,
        view_box=drawing.view_box,
        bounds=unite(shape.bounds for shape in shapes),
        segments=join(shapes),
        even_odd=drawing.painted[0].style.even_odd,
    )


def _check_together(path: Path, drawing: Drawing) -> list[Problem]:
    """What is wrong with a shape only in the company of the others, or of the view box."""
    problems: list[Problem] = []
    view_box, painted = drawing
    first = painted[0]

    def report(shape: Painted, message: str, hint: str) -> None:
        where = Where(str(path), shape.line)
        problems.append(Problem(f"<{shape.tag}> {message}", where, hint))

    for i, shape in enumerate(painted):
        bounds = shape.contours.bounds
        if _colour_of(shape) != _colour_of(first):
            message = (
                f"is filled with {shape.style.fill}, the shapes before it with {first.style.fill}"
            )
            hint = "an icon has one colour; cut light parts out of the dark ones"
            report(shape, message, hint)
        if shape.style.even_odd != first.style.even_odd:
            message = "has another fill-rule than the shapes before it"
            report(shape, message, "give all shapes one fill-rule, or unite them into one path")
        elif shape.style.even_odd and any(
            bounds.overlaps(other.contours.bounds) for other in painted[:i]
        ):
            message = "overlaps a shape before it under fill-rule evenodd"
            report(shape, message, "unite the shapes into one path")
        if not view_box.contains(bounds, _OVERSHOOT * max(view_box[2:])):
            report(shape, "reaches beyond the viewBox", "move it inside, or enlarge the viewBox")
    return problems


def _colour_of(shape: Painted) -> str:
    return "black" if shape.style.fill in _BLACK else shape.style.fill
