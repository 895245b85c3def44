"""The pictures that services ask for, to the pixel, for each card that they print."""

from __future__ import annotations

from zipfile import ZipFile

import pytest
from conftest import Project
from PIL import Image

# As the services' own pages have them.
GAMECRAFTER = {
    "poker": (825, 1125),
    "bridge": (750, 1125),
    "tarot-us": (900, 1500),
    "jumbo": (1125, 1725),
    "square-us": (1125, 1125),
}
# 36 pixels beyond each edge of the card.
MAKEPLAYINGCARDS = {"standard": (816, 1111), "poker": (822, 1122), "bridge": (747, 1122)}


@pytest.mark.parametrize(
    ("target", "card", "pixels"),
    [
        *(("gamecrafter", card, pixels) for card, pixels in GAMECRAFTER.items()),
        *(("makeplayingcards", card, pixels) for card, pixels in MAKEPLAYINGCARDS.items()),
    ],
)
def test_a_picture_has_the_pixels_that_the_service_asks_for(
    project: Project, target: str, card: str, pixels: tuple[int, int]
) -> None:
    size = f'size="{card}" bleed="0.125in"'
    for name, rgb in (("plain", "#ff0000"), ("back", "#0000ff")):
        body = f'<colour name="all" rgb="{rgb}"/><box fill="all" bleed="true"/>'
        project.write_template(body, name, size)
    project.write_deck("  - {name: Axe, count: 2}\n", head="template: plain\nback: back\n")
    ran = project.run("build", "deck", "--target", target)
    assert (ran.code, ran.stderr) == (0, "")
    with ZipFile(f"output/deck-{target}.zip") as packed:
        names = packed.namelist()
        assert names == sorted(names)
        assert [name for name in names if name.startswith("front")] == [
            "front-1-axe.png",
            "front-2-axe.png",
        ]
        for name in names:
            picture = Image.open(packed.open(name))
            assert picture.size == pixels
            assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
            # To the very edge there is bleed, and no paper.
            colour = (255, 0, 0) if name.startswith("front") else (0, 0, 255)
            width, height = (side - 1 for side in pixels)
            corners = [(0, 0), (width, 0), (0, height), (width, height)]
            assert {picture.getpixel(corner) for corner in corners} == {colour}
