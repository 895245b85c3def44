"""What an element says of its place, judged by what it stands in: a card's face, a column or a row.

Turns a source element and its parent's tag into problems. Knows nothing of expressions or cards.
"""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.errors import Problem
from cardgen.template.source import SourceElement


def check_room(source: SourceElement, parent: str) -> Iterator[Problem]:
    """What an element says of its place must have a meaning where it stands."""
    stacked = parent in ("column", "row")
    for name in ("x", "y", "right", "bottom", "bleed"):
        if stacked and name in source.attributes:
            yield Problem(
                f'"{name}" has no meaning in a <{parent}>',
                source.place_of(name),
                f"a {parent} places its elements itself: by gap, padding and align",
            )
    if not stacked and "grow" in source.attributes:
        yield Problem(
            f'"grow" has no meaning in a <{parent}>',
            source.place_of("grow"),
            "put the element into a <column> or <row>",
        )
    for said in (("x", "width", "right"), ("y", "height", "bottom")):
        if set(said) <= source.attributes.keys():
            yield Problem(
                f'"{said[0]}", "{said[1]}" and "{said[2]}" say too much',
                source.place_of(said[2]),
                "leave one of them out",
            )
    if (
        parent == "row"
        and source.tag in ("icon", "image")
        and not ({"width", "height", "grow"} & source.attributes.keys())
    ):
        yield Problem(
            f"an <{source.tag}> in a row needs a width or a height",
            source.where,
            'as in width="6mm"',
        )
    fit = source.attributes.get("fit")
    sized = {"height", "grow"} & source.attributes.keys()
    if (
        parent == "column"
        and source.tag in ("text", "flow")
        and fit in ("box", "deck")
        and not sized
    ):
        yield Problem(
            f'fit="{fit}" needs a room of known height',
            source.place_of("fit"),
            'add grow="1" or height="…"',
        )
