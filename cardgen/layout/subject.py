"""The card whose face is composed, named in each problem.

A refusal knows neither card nor field. Its type tells how the name of its text is put before its
message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Detail, Problem, Refusal, Where


class TextRefusal(Refusal):
    """A text that cannot be set. Its message goes on from the text's name: "is 2 mm too long"."""


class WordRefusal(Refusal):
    """A word that cannot be set. Its message begins with the word, in quotation marks."""


class Refusals(Refusal):
    """Several things that are wrong with one text, which reads as the first of them."""

    def __init__(self, causes: Sequence[Refusal | CardgenError]) -> None:
        first = causes[0] if isinstance(causes[0], Refusal) else causes[0].problems[0]
        super().__init__(first.code, first.message, first.hint, first.details)
        self.causes = tuple(causes)


def join_refusals(causes: Sequence[Refusal | CardgenError]) -> Refusal | CardgenError:
    """Return one or more things that are wrong as one."""
    return causes[0] if len(causes) == 1 else Refusals(causes)


class Subject(NamedTuple):
    """A card, or a deck's back; `places` are those of its fields that stand elsewhere."""

    name: str
    where: Where
    card: str | None = None
    places: tuple[tuple[str, Where], ...] = ()

    def make_error(
        self,
        code: str,
        message: str,
        element: Where,
        hint: str | None = None,
        *,
        fields: tuple[str, ...] = (),
        alike: bool = False,
        details: Mapping[str, Detail] | None = None,
    ) -> CardgenError:
        """Return an error that names the card, its place, and the template's element.

        Of problems that are alike on every card, only the first is printed.
        """
        seen = f"the template's element is {element.trace()}"
        # Of several fields, nobody knows which is to blame.
        field = fields[0] if len(set(fields)) == 1 else None
        problem = Problem(
            code,
            message,
            self._find_place(fields),
            hint=f"{hint}; {seen}" if hint else seen,
            subject=self.name,
            alike=alike,
            card=self.card,
            field=field,
            details=details or {},
        )
        return CardgenError.of([problem])

    def _find_place(self, fields: tuple[str, ...]) -> Where:
        """Return where one of some fields stands, if that is elsewhere than the card."""
        return next((place for field, place in self.places if field in fields), self.where)

    def name_refusal(
        self, refusal: Refusal, element: Where, fields: tuple[str, ...] = (), *, alike: bool = False
    ) -> CardgenError:
        """Return the error that a refusal becomes on this card."""
        message = refusal.message
        if isinstance(refusal, TextRefusal):
            message = f"{_name_text(fields)} {message}"
        elif fields and isinstance(refusal, WordRefusal):
            message = f"{_name_text(fields)}: {message}"
        return self.make_error(
            refusal.code,
            message,
            element,
            refusal.hint,
            fields=fields,
            alike=alike,
            details=refusal.details,
        )


def _name_text(fields: tuple[str, ...]) -> str:
    return f"its {' and '.join(list_named(fields)) or 'text'}"


def list_named(fields: tuple[str, ...]) -> list[str]:
    """Return the fields that a text is called after: none, where it may hold any of a card's."""
    return [] if "fields" in fields else list(dict.fromkeys(fields))
