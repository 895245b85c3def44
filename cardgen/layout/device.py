"""What faces need to know of whatever prints them."""

from __future__ import annotations

from typing import NamedTuple

_INCH = 72


class Device(NamedTuple):
    """A printer or a picture.

    dpi: the dots on an inch that it can be told apart by
    sent: whether somebody else prints it, who takes it for finished
    left, top: where on its page a card lies that has one of its own, in points
    """

    dpi: float = 600.0
    sent: bool = False
    left: float = 0.0
    top: float = 0.0

    @property
    def dot(self) -> float:
        """The width of a dot, in points."""
        return _INCH / self.dpi

    def snap(self, x: float, y: float) -> tuple[float, float]:
        """Return the nearest place on a card that lies on the edge of a dot."""
        dot = self.dot
        return (
            round((x + self.left) / dot) * dot - self.left,
            round((y + self.top) / dot) * dot - self.top,
        )


USUAL_DEVICE = Device()
