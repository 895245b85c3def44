"""cardgen: a deck and a template become pages to print, cut and play with.

    from cardgen import BuildOptions, build_deck

    built = build_deck("magic", BuildOptions(target="letter"))
    print(built.path, built.pages)

`build_deck` and `check_deck` take a deck's name or path and do what the commands do; `open_deck`
reads a deck and opens its project. What a user can mend is raised as a `CardgenError`, whose text
the command line prints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardgen.build.deliver import Built
    from cardgen.build.pipeline import build_deck, check_deck
    from cardgen.build.plan import BuildOptions
    from cardgen.build.selection import Selection
    from cardgen.core.errors import CardgenError
    from cardgen.deck.model import Card, Deck
    from cardgen.project.project import open_deck

__all__ = [
    "BuildOptions",
    "Built",
    "Card",
    "CardgenError",
    "Deck",
    "Selection",
    "build_deck",
    "check_deck",
    "open_deck",
]

_HOMES = {
    "BuildOptions": "cardgen.build.plan",
    "Built": "cardgen.build.deliver",
    "Card": "cardgen.deck.model",
    "CardgenError": "cardgen.core.errors",
    "Deck": "cardgen.deck.model",
    "Selection": "cardgen.build.selection",
    "build_deck": "cardgen.build.pipeline",
    "check_deck": "cardgen.build.pipeline",
    "open_deck": "cardgen.project.project",
}


def __getattr__(name: str) -> Any:
    # Imported when first asked for, so that `cardgen --help` need not wait for them.
    if name not in _HOMES:
        raise AttributeError(f"module 'cardgen' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
