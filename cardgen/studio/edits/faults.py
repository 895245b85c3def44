"""The errors of edits: what cannot be changed here, and where to change it instead."""

from __future__ import annotations

from pathlib import Path

from cardgen.core.errors import CardgenError, Where
from cardgen.core.names import describe_unknown
from cardgen.deck.values import quote


def make_no_card(card: str, known: list[str], file: str) -> CardgenError:
    """Return the error for a card that is not there any more, or never was."""
    unknown = describe_unknown(card, known, "card")
    return CardgenError(
        "edit/no-card",
        f"the deck has no card {quote(card)} any more",
        Where(file),
        unknown.hint,
        details=unknown.details,
    )


def make_not_own(path: Path) -> CardgenError:
    """Return the error for a file that does not belong to the project."""
    return CardgenError(
        "edit/not-in-project",
        "this file lies outside of the project, and stays as it is",
        Where(str(path)),
        "make a variant of the deck in your project: extends: NAME",
    )


def make_not_here(what: str, where: Where, hint: str) -> CardgenError:
    """Return the error for what a file of this kind cannot say."""
    return CardgenError("edit/not-here", f"{what} cannot be written here", where, hint)
