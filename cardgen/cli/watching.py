"""`cardgen build --watch`: builds decks once more whenever a file changes that they are made of.

Ends with Ctrl-C, as it is meant to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardgen.cli.printing import say
from cardgen.cli.studio import check_extra
from cardgen.core.deck_files import DECK_SUFFIXES

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError
    from cardgen.deck.model import Deck

_MOST_NAMED = 3


def watch_builds(
    names: Sequence[str],
    build_one: Callable[[str], None],
    read_one: Callable[[str], Deck],
    print_problems: Callable[[CardgenError], None],
    out: Path,
) -> None:
    """Build decks, and once more what each change touches, until Ctrl-C; what is wrong is told,
    and watched on.

    out: the folder that is written to
    """
    check_extra()
    import asyncio

    from cardgen.core.errors import CardgenError
    from cardgen.studio.watching import watch_project

    decks: dict[str, Deck | None] = dict.fromkeys(names)

    def build_some(chosen: Collection[str]) -> None:
        for name in chosen:
            try:
                build_one(name)
            except CardgenError as error:
                print_problems(error)

    def read(name: str) -> Deck | None:
        with suppress(CardgenError):
            return read_one(name)
        return None

    async def watch() -> None:
        folder = Path.cwd()
        watched = watch_project(folder, [out] if out.resolve() != folder else [])
        # What is saved while the first build runs is not missed.
        coming = asyncio.ensure_future(anext(watched))
        await asyncio.sleep(0)
        decks.update({name: read(name) for name in names})
        build_some(names)
        say("watching; Ctrl-C ends it")
        while True:
            changed = await coming
            coming = asyncio.ensure_future(anext(watched))
            touched = [name for name in names if _touches(decks[name], changed)]
            now = {name: read(name) for name in touched}
            for line in _name_changes(changed, decks, now):
                say(line)
            decks.update({name: deck for name, deck in now.items() if deck is not None})
            build_some(touched)

    with suppress(KeyboardInterrupt):
        asyncio.run(watch())


def _touches(deck: Deck | None, changed: Collection[Path]) -> bool:
    """Whether any of the files that changed is one that a deck is made of, as far as is known."""
    others = any(
        path.suffix.lower() not in DECK_SUFFIXES or "words" in path.parts for path in changed
    )
    if deck is None or others:
        return True
    own = {Path(file).resolve() for file in deck.list_files()}
    # An overlay, or a table, is called after its deck.
    return any(path in own or path.name.partition(".")[0] == deck.path.stem for path in changed)


def _name_changes(
    changed: Collection[Path], before: Mapping[str, Deck | None], now: Mapping[str, Deck | None]
) -> list[str]:
    """Return a line for each deck that says what is new: the cards, else the files."""
    from cardgen.core.errors import list_some

    here = Path.cwd()
    files = sorted(
        str(path.relative_to(here) if path.is_relative_to(here) else path) for path in changed
    )
    lines = []
    for name, deck in now.items():
        cards = _list_differing(before[name], deck)
        lines.append(f"{name}: {list_some(cards or files, _MOST_NAMED)} changed")
    return lines or [f"{list_some(files, _MOST_NAMED)} changed, which no deck is made of"]


def _list_differing(before: Deck | None, now: Deck | None) -> list[str]:
    """Return the names of cards that differ, came or went."""
    if before is None or now is None:
        return []
    old = {card.id: replace(card, where=now.cards[0].where) for card in before.cards}
    new = {card.id: replace(card, where=now.cards[0].where) for card in now.cards}
    found = [card.name for key, card in new.items() if old.get(key) != card]
    return found + [card.name for key, card in old.items() if key not in new]
