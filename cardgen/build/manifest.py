"""What lies on the table: for each copy of a deck's cards, hashes of what its faces show.

A file beside each output, which a later build compares with. Part of build; knows nothing of how a
face is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.model import Copy, Deck
from cardgen.pages.impose import Page
from cardgen.pages.target import Side

SUFFIX = ".faces.json"
_OUTPUTS = (".pdf", ".zip", SUFFIX)


class Hashes(NamedTuple):
    """Of a copy's faces; None where it has none, or where it was not printed."""

    front: str | None = None
    back: str | None = None

    def get(self, side: Side) -> str | None:
        return self.front if side == "front" else self.back


Cards = Mapping[str, Sequence[Hashes | None]]


class Manifest(NamedTuple):
    """What was printed of a deck.

    sides: those that were printed
    cards: by id, for each copy; None where it was not printed
    pictures: the files in the folder, where the output is one
    """

    deck: str
    target: str
    look: str | None
    cardgen: str
    sides: tuple[Side, ...]
    cards: Cards
    pictures: tuple[str, ...] = ()

    def get(self, card: str, copy: int) -> Hashes | None:
        copies = self.cards.get(card, ())
        return copies[copy] if copy < len(copies) else None


def name_manifest(output: Path) -> Path:
    """The manifest beside an output."""
    name = output.name
    for suffix in _OUTPUTS:
        name = name.removesuffix(suffix)
    return output.with_name(name + SUFFIX)


def gather_hashes(
    count: int, pages: Sequence[Page], hashes: Sequence[Sequence[str]]
) -> list[Hashes]:
    """Those of each of so many copies, from the pages on which they stand."""
    fronts: list[str | None] = [None] * count
    backs: list[str | None] = [None] * count
    for page, shown in zip(pages, hashes, strict=True):
        for placement, value in zip(page.placements, shown, strict=True):
            (fronts if placement.side == "front" else backs)[placement.index] = value or None
    return list(map(Hashes, fronts, backs))


def list_cards(
    deck: Deck, copies: Sequence[Copy], hashes: Sequence[Hashes], before: Manifest | None = None
) -> Cards:
    """The hashes of copies by the ids of their cards, on top of what was printed before."""
    cards: dict[str, list[Hashes | None]] = {}
    if before is not None:
        cards = {id_: list(found) for id_, found in before.cards.items()}
    for copy, shown in zip(copies, hashes, strict=True):
        found = cards.setdefault(deck.cards[copy.design].id, [])
        found.extend([None] * (copy.number + 1 - len(found)))
        found[copy.number] = shown
    return cards


def format_manifest(manifest: Manifest) -> bytes:
    """JSON with a line for each card, so that two of them can be compared."""
    head = manifest._asdict()
    cards, pictures = head.pop("cards"), head.pop("pictures")
    lines = [f"  {json.dumps(id_)}: {json.dumps(cards[id_])}" for id_ in cards]
    parts = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
    parts.append('"cards": {\n' + ",\n".join(lines) + "\n}")
    if pictures:
        parts.append('"pictures": [\n  ' + ",\n  ".join(map(json.dumps, pictures)) + "\n]")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def read_manifest(path: Path) -> Manifest:
    try:
        return _parse(json.loads(path.read_text("utf-8")))
    except OSError as error:
        raise CardgenError(
            "build/todo", f"cannot be read: {error.strerror}", Where(str(path))
        ) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise CardgenError(
            "build/todo",
            "this is no manifest of a build",
            Where(str(path)),
            "build the deck once more",
        ) from None


def find_manifest(path: Path) -> Manifest | None:
    """That of an output, where there is a sound one."""
    try:
        return read_manifest(name_manifest(path))
    except CardgenError:
        return None


def _parse(data: Any) -> Manifest:
    if not isinstance(data["deck"], str):
        raise TypeError
    cards = {
        id_: [None if copy is None else Hashes(*map(_check, copy)) for copy in copies]
        for id_, copies in data.pop("cards").items()
    }
    sides = tuple(data.pop("sides"))
    return Manifest(
        **data | {"pictures": tuple(data.get("pictures", ()))}, sides=sides, cards=cards
    )


def _check(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError
    return value
