"""Whose face is composed, as errors and reports name it, and what is to be reported of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where


class Subject(NamedTuple):
    """A card, or a deck's back."""

    name: str
    where: Where
    card: str | None = None

    def fail(
        self,
        message: str,
        element: Where,
        hint: str | None = None,
        *,
        fields: tuple[str, ...] = (),
        alike: bool = False,
    ) -> CardgenError:
        """An error that names the card, where it stands, and the template's element.

        One that is alike on every card will be told of the first alone.
        """
        seen = f"the template's element is {element}"
        hint = f"{hint}; {seen}" if hint else seen
        # Which of several fields is to blame cannot be known.
        field = fields[0] if len(set(fields)) == 1 else None
        return CardgenError.of(
            [
                Problem(
                    *("layout/todo", message, self.where, hint, self.name, alike, self.card, field)
                )
            ]
        )


class Shrunk(NamedTuple):
    """A text that was set smaller than the others of its deck."""

    subject: Subject
    field: str
    size: float
    usual: float


@dataclass
class DeckSizes:
    """The sizes that fit="deck" shares: gathered over all cards first, then decided."""

    wanted: dict[str, list[float]] = field(default_factory=dict)
    decided: dict[str, float] = field(default_factory=dict)

    def decide(self) -> None:
        """The largest size that fits every card that counts."""
        self.decided = {key: min(sizes, default=inf) for key, sizes in self.wanted.items()}


def name_fields(fields: tuple[str, ...]) -> str:
    return f"its {' and '.join(dict.fromkeys(fields))}" if fields else "its text"
