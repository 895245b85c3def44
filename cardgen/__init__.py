"""cardgen: a deck and a template become pages to print, cut and play with.

    from cardgen import load_deck, build

    built = build(load_deck("magic"), target="letter")
    print(built.path, built.pages)

`load_deck` takes a deck's name or path; `build` does what `cardgen build` does and returns what it
made. What a user can mend is raised as a `CardgenError`, whose text the command line prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardgen.build.pipeline import Built, build, check, load_deck
    from cardgen.build.selection import Selection
    from cardgen.core.errors import CardgenError
    from cardgen.deck.model import Card, Deck

__all__ = ["Built", "Card", "CardgenError", "Deck", "Selection", "build", "check", "load_deck"]

_HOMES = {
    "Built": "cardgen.build.pipeline",
    "build": "cardgen.build.pipeline",
    "check": "cardgen.build.pipeline",
    "load_deck": "cardgen.build.pipeline",
    "Card": "cardgen.deck.model",
    "Deck": "cardgen.deck.model",
    "CardgenError": "cardgen.core.errors",
    "Selection": "cardgen.build.selection",
}


def __getattr__(name: str) -> Any:
    # Imported when first asked for, so that `cardgen --help` need not wait for them.
    if name not in _HOMES:
        raise AttributeError(f"module 'cardgen' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
