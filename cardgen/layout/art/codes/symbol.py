"""A code as modules: dark and light squares or bars, and what must stay free around them."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.core.errors import Refusal

Row = tuple[bool, ...]


class Digits(NamedTuple):
    """A part of a code's text that stands beneath it: where it begins, in modules from the left,
    and how wide each letter is.
    """

    text: str
    start: float
    width: float


class Symbol(NamedTuple):
    """A code; one of bars has a single row.

    quiet: the modules that stay free at the left, above, at the right and below
    digits: what stands beneath the bars, where somebody reads it
    guards: the bars that reach down between the digits
    """

    rows: tuple[Row, ...]
    quiet: tuple[int, int, int, int]
    digits: tuple[Digits, ...] = ()
    guards: frozenset[int] = frozenset()

    @property
    def is_bars(self) -> bool:
        return len(self.rows) == 1

    @property
    def width(self) -> int:
        """The modules from side to side, with what stays free."""
        return len(self.rows[0]) + self.quiet[0] + self.quiet[2]

    @property
    def height(self) -> int:
        return len(self.rows) + self.quiet[1] + self.quiet[3]


def refuse_length(name: str, size: int, most: int, cure: str) -> Refusal:
    """Return that a text is too long for a code."""
    return Refusal(
        "code/too-long",
        f"its text is too long for {name}: {size:,} bytes, and it holds {most:,}",
        cure,
        {"size": size, "most": most},
    )
