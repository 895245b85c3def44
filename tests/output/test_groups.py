"""Items painted as one: clipped, turned, see-through, blended and shown by a mask, by pixels."""

from __future__ import annotations

from math import cos, radians, sin

import pytest
from PIL import Image
from pypdfium2 import PdfDocument

from cardgen.core.colour import Colour
from cardgen.core.geometry import Insets, Matrix, Rect, Size
from cardgen.layout.art.outlines import make_rect, trace_rect
from cardgen.layout.face import Clip, Face, Group, Item, Pixels, Raster, Shared
from cardgen.output.pdf import FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Resources
from cardgen.pages.impose import Page, Placement

SIDE = 100
RED, BLUE, GREEN = (Colour("rgb", values) for values in ((1, 0, 0), (0, 0, 1), (0, 1, 0)))
BOX = Rect(0, 0, SIDE, SIDE)


def paint(rect: Rect, colour: Colour) -> Item:
    return make_rect(rect, 0, colour, None)


def share(*items: Item) -> Shared:
    return Shared(Rect(-SIDE, -SIDE, 3 * SIDE, 3 * SIDE), items)


def render(*items: Item) -> Image.Image:
    """Draw items on a page of 100 points, a pixel each."""
    face = Face(Size(SIDE, SIDE), Insets(), items)
    resources = Resources()
    place = Placement(0, "front", BOX, turned=False, clip=BOX)
    page = Page(Size(SIDE, SIDE), "front", 1, BOX, BOX, (place,), ())
    drawn = PageDrawer(resources).draw(FilledPage(page, (PlacedFace(face, again=False),)))
    pdf = make_pdf(Head("groups", "", "en", "cardgen", "simplex"), [drawn], resources)
    image: Image.Image = PdfDocument(pdf)[0].render().to_pil().convert("RGB")
    return image


def see(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    """The colour of a pixel, in steps of 5."""
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return tuple(round(value / 5) * 5 for value in pixel)


def test_opacity_is_of_the_whole() -> None:
    """Two shapes that overlap in a group do not shine through each other."""
    both = share(paint(Rect(10, 10, 40, 40), RED), paint(Rect(30, 30, 40, 40), BLUE))
    image = render(Group(both, opacity=0.5))
    assert see(image, 20, 20) == (255, 130, 130)
    assert see(image, 40, 40) == see(image, 60, 60) == (130, 130, 255)
    assert see(image, 90, 90) == (255, 255, 255)


@pytest.mark.parametrize(
    ("blend", "seen"),
    [("normal", (0, 255, 0)), ("multiply", (0, 130, 0)), ("screen", (130, 255, 130))],
)
def test_blend(blend: str, seen: tuple[int, ...]) -> None:
    grey = paint(BOX, Colour("grey", (0.5,)))
    group = Group(share(paint(Rect(20, 20, 60, 60), GREEN)), blend=blend)  # type: ignore[arg-type]
    image = render(grey, group)
    assert see(image, 50, 50) == seen
    assert see(image, 5, 5) == (130, 130, 130)


def test_clips_are_met() -> None:
    """What is seen lies within all clips, which stand in the coordinates around the group."""
    left, top = (Clip(trace_rect(rect, 0)) for rect in (Rect(0, 0, 50, 100), Rect(0, 0, 100, 50)))
    image = render(Group(share(paint(BOX, RED)), Matrix(1, 0, 0, 1, 10, 10), (left, top)))
    assert see(image, 30, 30) == see(image, 48, 48) == (255, 0, 0)
    assert {see(image, *at) for at in ((52, 30), (30, 52), (5, 30))} == {(255, 255, 255)}


def test_matrix_turns_clockwise() -> None:
    """A bar that points right from the middle points down right by 45 degrees."""
    c, s = cos(radians(45)), sin(radians(45))
    image = render(Group(share(paint(Rect(0, -5, 40, 10), RED)), Matrix(c, s, -s, c, 50, 50)))
    assert see(image, 70, 70) == (255, 0, 0)
    assert see(image, 80, 50) == see(image, 70, 30) == (255, 255, 255)


def test_mask_shows_as_far_as_it_is_opaque() -> None:
    """The mask counts from the place around the group, wherever the group is moved."""
    half = Raster(Pixels(2, 1, bytes([255, 102])), Rect(0, 0, 100, 100), BLUE)
    hole = Shared(BOX, (half,))
    image = render(Group(share(paint(BOX, RED)), Matrix(1, 0, 0, 1, 0, 40), mask=hole))
    assert see(image, 5, 70) == (255, 0, 0)
    assert see(image, 95, 70) == (255, 155, 155)
    assert see(image, 5, 30) == (255, 255, 255)


def test_rasters() -> None:
    """Pixels in a colour shine through as far as they are not opaque; those in CMYK do not."""
    cyan = bytes([255, 0, 0, 0])
    black = bytes([0, 0, 0, 255])
    image = render(
        paint(Rect(0, 0, 100, 40), GREEN),
        Raster(Pixels(1, 1, bytes([51])), Rect(10, 10, 20, 20), RED),
        Raster(Pixels(2, 1, cyan + black), Rect(0, 60, 100, 40)),
    )
    assert see(image, 20, 20) == (50, 205, 0)
    assert see(image, 95, 95)[0] < 60 > see(image, 95, 95)[2]
    assert see(image, 5, 95)[2] > 200 > see(image, 5, 95)[0]
