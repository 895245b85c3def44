"""The pages of a finished job turned into named pictures: each that looks different drawn once, on
as many processors as it is worth.

Part of build. Knows nothing of cards or of files on disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from cardgen.build.job import Finished
from cardgen.core.workers import count_parts, draw_in_turn
from cardgen.output.raster import draw_pages
from cardgen.pages.target import Target

# Below so many pictures a part, starting a process costs more than it saves.
FEWEST_PICTURES = 6
MOST_PARTS = 4


def draw_pictures(
    made: Finished, names: Sequence[str], target: Target
) -> Iterator[tuple[str, bytes]]:
    """The pictures of all pages, in the order of their names."""
    order = sorted(range(len(names)), key=names.__getitem__)
    looks = [made.looks[page] for page in order]
    distinct = list(dict.fromkeys(looks))
    parts = count_parts(len(distinct), FEWEST_PICTURES, MOST_PARTS)
    draw = partial(draw_pages, made.data, target.dpi, corners=target.corners)
    pictures = draw_in_turn(distinct, parts, draw)
    # A picture is kept as long as there are pages that look the same, and no longer.
    left, kept = Counter(looks), dict[int, bytes]()
    for page, look in zip(order, looks, strict=True):
        if look not in kept:
            kept[look] = next(pictures)
        left[look] -= 1
        yield names[page], kept[look] if left[look] else kept.pop(look)
