"""Linear gradients turned into PDF shadings, in the colour space of their stops."""

from __future__ import annotations

from itertools import pairwise
from math import cos, radians, sin

from cardgen.colour import Gradient
from cardgen.geometry import Rect
from cardgen.output.objects import format_number

_SPACES = {"cmyk": b"/DeviceCMYK", "rgb": b"/DeviceRGB", "grey": b"/DeviceGray"}


def write_gradient(gradient: Gradient, box: Rect) -> bytes:
    """A shading that runs through a box (origin bottom left), from corner to corner at its
    angle.
    """
    angle = radians(gradient.angle)
    dx, dy = cos(angle), -sin(angle)
    reach = (abs(box.width * dx) + abs(box.height * dy)) / 2
    x, y = box.x + box.width / 2, box.y + box.height / 2
    ends = (x - dx * reach, y - dy * reach, x + dx * reach, y + dy * reach)
    return b"<</ShadingType 2/ColorSpace%b/Coords[%b]/Extend[true true]/Function %b>>" % (
        _SPACES[gradient.stops[0][1].space],
        b" ".join(map(format_number, ends)),
        _write_function(gradient),
    )


def _write_function(gradient: Gradient) -> bytes:
    stops = list(gradient.stops)
    # What lies before the first stop and behind the last has their colours.
    if stops[0][0] > 0:
        stops.insert(0, (0.0, stops[0][1]))
    if stops[-1][0] < 1:
        stops.append((1.0, stops[-1][1]))
    steps = [
        b"<</FunctionType 2/Domain[0 1]/N 1/C0[%b]/C1[%b]>>"
        % (
            b" ".join(map(format_number, first.values)),
            b" ".join(map(format_number, second.values)),
        )
        for (_, first), (_, second) in pairwise(stops)
    ]
    if len(steps) == 1:
        return steps[0]
    bounds = b" ".join(format_number(at) for at, _ in stops[1:-1])
    return b"<</FunctionType 3/Domain[0 1]/Functions[%b]/Bounds[%b]/Encode[%b]>>" % (
        b"".join(steps),
        bounds,
        b" ".join([b"0 1"] * len(steps)),
    )
