"""The keys of a target that shows a deck off in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from cardgen.core.colour import Colour
from cardgen.pages.keys import Conflict, count_to, key

Scene = Literal["fan", "hand", "box"]
Scenes = Literal["all", "fan", "hand", "box"]


def _suit_format(target: Any, name: str) -> Iterator[Conflict]:
    told = getattr(target.showcase, name) != getattr(ShowcaseKeys(), name)
    if told and target.file.format != "showcase":
        yield Conflict(
            "target/key-means-nothing",
            (name, "format"),
            f'{name} means nothing with format = "{target.file.format}"',
            f'write format = "showcase", or leave {name} out',
        )


@dataclass(frozen=True, slots=True)
class ShowcaseKeys:
    scenes: Scenes = key(
        "all",
        "which pictures: cards fanned out, a hand of cards, the deck with its box",
        rule=_suit_format,
    )
    ground: Colour | None = key(
        None,
        "the colour that the cards lie on; without one it is clear",
        '`"none"`',
        rule=_suit_format,
    )
    width: int = key(1600, "their pixels from side to side", kind=count_to(6000), rule=_suit_format)
