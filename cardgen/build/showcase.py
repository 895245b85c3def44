"""A showcase of a deck: the pictures that are made of some of its cards."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image

from cardgen.build.plan import Plan
from cardgen.core.shape import Contour, trace_rounded
from cardgen.output.png import draw_pages
from cardgen.output.showcase.scenes import Cards, draw_scene
from cardgen.pages.impose import Page


def draw_showcase(plan: Plan, document: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures with their names; `document` holds a page for each face."""
    file = plan.target.file
    fronts = [number for number, page in enumerate(plan.pages) if page.side == "front"]
    backs = [
        number for number, page in enumerate(plan.pages) if page.side == "back" and page.placements
    ][:1]
    shown = sorted((*fronts, *backs))
    lines = {
        number: (place.trace(),)
        for number in shown
        for place in plan.pages[number].placements
        if place.shape.has_line
    }
    drawn = draw_pages(document, file.dpi, shown, file.corners, lines)
    faces = dict(zip(shown, map(_open, drawn), strict=True))
    first = plan.pages[fronts[0]]
    cards = Cards(
        [faces[number] for number in fronts],
        [faces[number] for number in backs],
        plan.deck.copies,
        _find_outline(first, file.corners),
    )
    colour = plan.target.showcase.ground
    ground = None
    if colour is not None:
        red, green, blue = (round(value * 255) for value in colour.values)
        ground = red, green, blue
    for scene in plan.list_scenes():
        out = BytesIO()
        image = draw_scene(scene, cards, plan.target.showcase.width, ground)
        image.save(out, "PNG", compress_level=6)
        yield f"{plan.deck.name}-{scene}.png", out.getvalue()


def _open(picture: bytes) -> Image.Image:
    return Image.open(BytesIO(picture)).convert("RGBA")


def _find_outline(page: Page, corners: float) -> tuple[tuple[float, float], ...]:
    """Return the line of a card in parts of its width, from its middle, y upwards."""
    (place, *_), trim = page.placements, page.placements[0].trim
    contour = place.trace()
    if not place.shape.has_line:
        contour = Contour(trace_rounded(trim, corners))
    x, y = trim.x + trim.width / 2, trim.y + trim.height / 2
    return tuple(
        ((px - x) / trim.width, (y - py) / trim.width) for px, py in contour.list_points(0.1)
    )
