"""The size of each text chosen: by its line, by its box, or by all cards of the deck together.

Notes which texts were set smaller than the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import NamedTuple

from cardgen.core.errors import CardgenError, shorten
from cardgen.core.geometry import Rect
from cardgen.core.units import format_mm, format_pt
from cardgen.layout.room import SPARE, to_mm
from cardgen.layout.subject import Subject, TextRefusal, WordRefusal, list_named
from cardgen.template.model import FirstSpec, TextSpec
from cardgen.text.fit import (
    Block,
    Text,
    find_size,
    find_widest_word,
    fits_box,
    fits_line,
    measure_block,
    measure_width,
)


class Shrunk(NamedTuple):
    """A text that was set smaller than the others of its deck."""

    subject: Subject
    field: str
    size: float
    usual: float


class Wish(NamedTuple):
    """The largest size that fits a text and all that were seen before it.

    style_size: a text that does not fit at this one sets no rule for the others
    """

    size: float
    style_size: float
    fields: tuple[str, ...]


_Remembered = tuple[dict[str, Wish], bool, dict[str, float]]


class DeckSizes:
    """The sizes that fit="deck" shares: for each key the largest that fits every card seen so far.

    wishes: what the face that was composed last asks for
    fell: whether a face wanted a smaller size than those seen before it
    """

    def __init__(self) -> None:
        self.wishes: dict[str, Wish] = {}
        self.fell = False
        self._smallest: dict[str, float] = {}

    def forget(self) -> None:
        """Know of no card."""
        self.fell = False
        self._smallest.clear()

    def list_all(self) -> list[tuple[str, float]]:
        """Return the size for each key, in the order of the keys."""
        return sorted(self._smallest.items())

    def limit(self, key: str, size: float) -> float:
        """Return a size that is not larger than that of the others."""
        return min(self._smallest.get(key, size), size)

    def note(self, key: str, wish: Wish) -> None:
        self.wishes[key] = wish
        if wish.style_size <= wish.size < self._smallest.get(key, inf):
            self._smallest[key] = wish.size
            self.fell = True

    def remember(self) -> _Remembered:
        return self.wishes.copy(), self.fell, self._smallest.copy()

    def take_back(self, remembered: _Remembered) -> None:
        """Forget what was noted since."""
        self.wishes, self.fell, self._smallest = remembered


class Copyfit:
    """Chooses the sizes of one template's texts, and notes which are smaller than the others.

    noted: how many texts were noted so far, for a size of the deck's or for one that is smaller
    """

    def __init__(self, sizes: DeckSizes) -> None:
        self.shrunk: list[Shrunk] = []
        self.noted = 0
        self._sizes = sizes

    def find_size(self, spec: TextSpec, block: Text, width: float, height: float) -> float | None:
        """Return the largest size at which a text fits, and notes nothing of it."""
        usual = spec.largest
        if spec.fit == "deck":
            usual = self._sizes.limit(spec.key, usual)
        return find_size(lambda s: fits_box(block, s, width, height), usual, spec.smallest)

    def choose_size(self, spec: TextSpec, block: Text, rect: Rect, subject: Subject) -> float:
        """Return the largest size at which a text fits its box; a text without one is refused."""

        def fits(size: float) -> bool:
            if spec.fit == "line" and not fits_line(block, size, rect.width):
                return False
            return fits_box(block, size, rect.width, rect.height)

        deck, usual = spec.fit == "deck", spec.largest
        if deck:
            usual = self._sizes.limit(spec.key, usual)
        size = find_size(fits, usual, spec.smallest)
        if size is None:
            if spec.fit == "line":
                check_line(block, spec.smallest, rect.width)
            is_fixed = spec.fit == "none"
            check_fit(block, spec.smallest, rect.width, rect.height, is_fixed=is_fixed)
            return spec.smallest
        if deck:
            self.noted += 1
            self._sizes.note(spec.key, Wish(size, spec.style.size, spec.fields))
        # Titles of many lengths are set on a line each; only at its least is one too long for it.
        least = size if spec.fit != "line" else spec.smallest
        if size == least and size < min(usual, spec.style.size):
            self.note_shrunk(subject, spec.fields, size, usual)
        return size

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Forget what is noted meanwhile, if it ends in an error."""
        remembered, shrunk = self._sizes.remember(), len(self.shrunk)
        try:
            yield
        except CardgenError:
            self._sizes.take_back(remembered)
            del self.shrunk[shrunk:]
            raise

    def count_left(self, spec: FirstSpec, count: int) -> int:
        """Return how many of so many come into question, the last ones: all, unless an earlier one
        had no room on another card of a deck that takes the same for all.
        """
        return int(self._sizes.limit(spec.key, count)) if spec.fit == "deck" else count

    def note_left(self, spec: FirstSpec, left: int) -> None:
        """Note how many come into question: that which was taken, and those behind it."""
        if spec.fit == "deck":
            self.noted += 1
            self._sizes.note(spec.key, Wish(left, 1.0, ()))

    def note_shrunk(
        self, subject: Subject, fields: tuple[str, ...], size: float, usual: float
    ) -> None:
        self.noted += 1
        self.shrunk.append(Shrunk(subject, "/".join(list_named(fields)), size, usual))


def check_fit(
    block: Text, size: float, width: float, height: float, *, is_fixed: bool = False
) -> None:
    """Refuse a text that does not fit its box, with the arithmetic."""
    widest, word = find_widest_word(block) if isinstance(block, Block) else (0.0, "")
    if widest * size > width + SPARE:
        named = f'"{shorten(word, 30)}"' if word else "an icon or picture"
        raise WordRefusal(
            "text/word-too-wide",
            f"{named} is {format_mm(widest * size)} wide at {format_pt(size)},"
            f" its box is {format_mm(width)}",
            "add a soft hyphen, shorten it, or make the box wider",
            {"word": word, "needed": to_mm(widest * size), "room": to_mm(width)},
        )
    if not fits_box(block, size, width, height):
        if isinstance(block, Block):
            needed = measure_block(block, size, width) or 0.0
        else:
            needed = block.measure(size, width)
        raise TextRefusal(
            "text/too-long",
            f"is {format_mm(needed - height)} too long: at {format_pt(size)} it needs"
            f" {format_mm(needed)}, its box is {format_mm(height)} high",
            'shorten it, give it more room, or let it be set smaller, by fit="box" and min'
            if is_fixed
            else "shorten it, or give it more room",
            {"size": size, "needed": to_mm(needed), "room": to_mm(height)},
        )


def check_line(block: Text, size: float, width: float) -> None:
    """Refuse a text that does not fit on one line, with the arithmetic."""
    if fits_line(block, size, width):
        return
    if not isinstance(block, Block) or len(block.paragraphs) > 1:
        raise TextRefusal(
            "text/more-than-one-line", "is more than one line", "take the line breaks out"
        )
    needed = measure_width(block) * size
    raise TextRefusal(
        "text/too-long",
        f"is {format_mm(needed - width)} too long for one line: at {format_pt(size)} it needs"
        f" {format_mm(needed)}, its box is {format_mm(width)} wide",
        "shorten it, or give it more room",
        {"size": size, "needed": to_mm(needed), "room": to_mm(width)},
    )
