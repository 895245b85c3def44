"""A class that is derived from our NamedTuple is what one of typing's is."""

from __future__ import annotations

import pickle
import typing

from cardgen.core.tuples import NamedTuple


class Point(NamedTuple):
    """A place.

    x: to the right
    """

    x: float
    y: float = 0.0
    names: tuple[str, ...] = ()

    @property
    def sum(self) -> float:
        return self.x + self.y

    def move(self, by: float) -> Point:
        """Return the place to the right of it."""
        return self._replace(x=self.x + by)


class Told(typing.NamedTuple):
    """A place.

    x: to the right
    """

    x: float
    y: float = 0.0
    names: tuple[str, ...] = ()

    @property
    def sum(self) -> float:
        return self.x + self.y

    def move(self, by: float) -> Told:
        """Return the place to the right of it."""
        return self._replace(x=self.x + by)


def test_it_is_a_tuple_with_names_defaults_and_methods() -> None:
    point = Point(1, y=2).move(3)
    assert (point, point.sum, point.names) == ((4, 2, ()), 6, ())
    assert repr(point) == "Point(x=4, y=2, names=())"
    assert pickle.loads(pickle.dumps(point)) == point
    assert not hasattr(point, "__dict__")


def test_it_says_of_itself_what_one_of_typing_says() -> None:
    for name in ("_fields", "_field_defaults", "__doc__", "__module__", "__slots__", "__bases__"):
        assert getattr(Point, name) == getattr(Told, name)
    assert Point.__qualname__ == Point.__name__ == "Point"
    assert set(dir(Point)) ^ set(dir(Told)) <= {"__orig_bases__", "__slotnames__"}
