"""Bleed that a picture has not, made as in a mirror or of its edge."""

from __future__ import annotations

import pytest
from conftest import Project
from PIL import Image

from cardgen.core.geometry import Rect
from cardgen.layout.art.pictures import PictureInfo, place_picture, run_on_picture

DPI = 127  # 5 pixels are 1 mm
SIDE, BLEED = 200, 20  # of the card, in pixels


def build_card(project: Project, image: str, file: str = "art.png") -> Image.Image:
    """A card of 40 mm with 4 mm of bleed, and a picture in which each place has its own colour."""
    width, height = size = (200, 200)
    pixels = bytes(
        value
        for y in range(height)
        for x in range(width)
        for value in (255 * x // width, 255 * y // height, 128)
    )
    Image.frombytes("RGB", size, pixels).save(project.folder / "art.png")
    project.write_template(
        f'<image file="{file}" {image}/>', attributes='size="40mm x 40mm" bleed="4mm"'
    )
    project.write_deck("  - name: Axe\n")
    project.write(
        "targets/art.toml",
        f'title = "A"\nextends = "png"\nbleed_x = "4mm"\nbleed_y = "4mm"\ndpi = {DPI}\n',
    )
    drawn = Image.open(next(project.build(target="art").path.glob("*.png")))
    assert drawn.size == (SIDE + 2 * BLEED, SIDE + 2 * BLEED)
    return drawn


def get(drawn: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """A pixel by its distance from the card's top left corner."""
    return drawn.getpixel((round(x + BLEED), round(y + BLEED)))  # type: ignore[return-value]


def test_a_picture_runs_on_as_in_a_mirror(project: Project) -> None:
    drawn = build_card(project, 'bleed="mirror"')
    for x, y, inside in (
        (-12, 70, (11, 70)),
        (SIDE + 11, 70, (SIDE - 12, 70)),
        (70, -12, (70, 11)),
        (70, SIDE + 11, (70, SIDE - 12)),
        (-12, -6, (11, 5)),
        (SIDE + 11, SIDE + 5, (SIDE - 12, SIDE - 6)),
    ):
        assert get(drawn, x, y) == pytest.approx(get(drawn, *inside), abs=3)
        # Within the trim it is as large as the card.
        assert get(drawn, *inside) == pytest.approx([255 * v / 200 for v in inside] + [128], abs=4)


def test_the_edge_of_a_picture_is_drawn_out(project: Project) -> None:
    """The bleed shows what lies at the edge, though what lies a millimetre within is another."""
    art = Image.new("RGB", (400, 400), "blue")
    art.paste("red", (4, 4, 396, 396))
    art.paste("lime", (0, 196, 2, 212))
    art.save(project.folder / "framed.png")
    vector = project.write(
        "framed.svg",
        '<svg viewBox="0 0 400 400"><path fill="#00f" d="M0 0h400v400H0z"/>'
        '<path fill="#f00" d="M4 4h392v392H4z"/><path fill="#0f0" d="M0 196h2v16H0z"/></svg>',
    )
    for name in ("framed.png", vector.name):
        drawn = build_card(project, 'bleed="stretch"', file=name)
        for x, y in ((-18, 70), (SIDE + 17, 70), (70, -18), (70, SIDE + 17), (-18, -18)):
            assert get(drawn, x, y) == pytest.approx((0, 0, 255), abs=4), (name, x, y)
        assert get(drawn, 3, 70) == pytest.approx((255, 0, 0), abs=4)
        # A sign that stands at the edge runs on straight.
        assert [get(drawn, x, 101)[1] > 200 for x in (-2, -9)] == [True, True]
        assert get(drawn, -9, 112)[1] < 50


def test_only_what_reaches_the_trim_runs_on(project: Project) -> None:
    drawn = build_card(project, 'bleed="mirror" y="20mm" height="20mm" width="20mm"')
    assert get(drawn, -12, 150) == pytest.approx(get(drawn, 11, 150), abs=5)
    assert get(drawn, 50, 211) == pytest.approx(get(drawn, 50, 188), abs=5)
    for x, y in ((50, 90), (110, 150), (211, 150), (-12, 90)):
        assert get(drawn, x, y) == (255, 255, 255)


def test_art_that_is_cut_off_comes_before_the_mirror() -> None:
    """A picture of twice the width, cut off at the left and right, is not mirrored there."""
    info = PictureInfo(__file__, 200, 100, "rgb", False, "png", None, False)  # type: ignore[arg-type]
    box = Rect(0, 0, 100, 100)
    main, *others = run_on_picture(info, box, Rect(-10, -10, 120, 120), "cover", "mirror")
    assert main.frame == place_picture(info, box, "cover", 0).frame
    assert main.clip == Rect(-10, 0, 120, 100)
    assert [other.clip for other in others] == [Rect(-10, -10, 120, 10), Rect(-10, 100, 120, 10)]


def test_without_bleed_there_is_nothing_to_mirror() -> None:
    info = PictureInfo(__file__, 100, 100, "rgb", False, "png", None, False)  # type: ignore[arg-type]
    box = Rect(0, 0, 100, 100)
    (only,) = run_on_picture(info, box, box, "contain", "mirror")
    assert only == place_picture(info, box, "contain", 0)
