"""The scenes of a showcase: cards fanned out on a table, held as a hand, and beside their box."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import asin, degrees
from typing import NamedTuple

from PIL import Image, ImageDraw

from cardgen.output.showcase.space import Camera, Panel, Point, make_panel, move, turn
from cardgen.output.showcase.stage import Ground, Stage

_THICK = 0.3 / 63.5  # of a card, in widths of a poker card


class Cards(NamedTuple):
    """The faces that are shown, as RGBA, and how many copies the deck has.

    outline: the line of a card, from its middle, y upwards
    """

    fronts: Sequence[Image.Image]
    backs: Sequence[Image.Image]
    copies: int
    outline: Sequence[tuple[float, float]]


def draw_scene(scene: str, cards: Cards, width: int, ground: Ground | None) -> Image.Image:
    """Return a scene as a picture of so many pixels in width."""
    return _DRAW[scene](cards, width, ground)


def _find_height(face: Image.Image) -> float:
    return face.height / face.width


# Five cards fanned out on a table


def _draw_fan(cards: Cards, width: int, ground: Ground | None) -> Image.Image:
    faces = cards.fronts[:5]
    high = _find_height(faces[0])
    stage = Stage(width, round(width * 0.56))
    count = len(faces)
    spread = min(15.0, 66 / max(count - 1, 1))
    pivot = high * 1.25
    panels: list[Panel] = []
    for number in range(count):
        angle = -(number - (count - 1) / 2) * spread
        card = turn(move(make_panel(1, high), Point(0, pivot)), "z", angle)
        lying = turn(card, "x", -90)
        panels.append(move(lying, Point(0, 0.006 + number * 0.012, pivot)))
    camera = _aim(stage, panels, pitch=52, distance=6.5)
    for face, panel in zip(faces, panels, strict=True):
        _lay(stage, camera, face, panel, blur=0.03)
    return stage.finish(ground)


def _lay(stage: Stage, camera: Camera, face: Image.Image, panel: Panel, blur: float) -> None:
    """Lay a card down with its shadows: a narrow dark one and a wide soft one."""
    unit = camera.scale
    wide = move(panel, Point(0.05, -0.03, 0.07))
    near = move(panel, Point(0.012, -0.006, 0.016))
    stage.cast(camera.look(wide), blur * 3.2 * unit, 0.30, face)
    stage.cast(camera.look(near), blur * 0.7 * unit, 0.34, face)
    stage.put(face, camera.look(panel))


# A hand of cards


def _draw_hand(cards: Cards, width: int, ground: Ground | None) -> Image.Image:
    faces = cards.fronts[:7]
    high = _find_height(faces[0])
    stage = Stage(width, round(width * 0.56))
    count = len(faces)
    spread = min(9.0, 54 / max(count - 1, 1))
    pivot = high * 2.3
    panels: list[Panel] = []
    for number in range(count):
        place = number - (count - 1) / 2
        card = move(make_panel(1, high), Point(0, pivot, number * 0.02))
        card = turn(card, "y", -place * 2.0)
        panels.append(turn(card, "z", -place * spread))
    camera = _aim(stage, panels, pitch=-6, distance=9)
    for face, panel in zip(faces, panels, strict=True):
        unit = camera.scale
        stage.cast(camera.look(move(panel, Point(-0.05, -0.06))), 0.07 * unit, 0.26, face)
        stage.cast(camera.look(move(panel, Point(-0.014, -0.012))), 0.016 * unit, 0.34, face)
        stage.put(face, camera.look(panel))
    return stage.finish(ground)


# A deck and its box


def _draw_box(cards: Cards, width: int, ground: Ground | None) -> Image.Image:
    art, fronts = (cards.backs or cards.fronts)[0], cards.fronts
    high, thick = _find_height(art), cards.copies * _THICK
    deep, pile = min(max(thick, 0.22), 0.7), min(max(thick * 0.7, 0.06), 0.34)
    stage = Stage(width, round(width * 0.66))
    colour = _find_colour(art)
    wide, tall = 1.05, high * 1.03

    def stand(panel: Panel) -> Panel:
        return move(turn(panel, "y", 30), Point(-0.5, tall / 2, -0.3))

    front = stand(move(make_panel(wide, tall), Point(0, 0, deep / 2)))
    side = stand(move(turn(make_panel(deep, tall), "y", -90), Point(-wide / 2, 0)))
    top = stand(move(turn(make_panel(wide, deep), "x", -90), Point(0, tall / 2)))
    foot = stand(move(turn(make_panel(wide, deep), "x", -90), Point(0, -tall / 2)))
    # A card that leans on the front of the box, its foot on the table.
    away = 0.36
    tilted = turn(move(make_panel(1, high), Point(0, high / 2)), "x", -degrees(asin(away / high)))
    leaning = stand(move(tilted, Point(0.66, -tall / 2, deep / 2 + away)))
    shaded = stand(move(make_panel(1, high * 0.97), Point(0.60, -0.04, deep / 2 + 0.001)))

    lying = turn(make_panel(1, high), "z", 22)
    place = Point(0.74, 0.0, 0.86)
    pile_foot = move(turn(lying, "x", -90), place)
    pile_top = move(pile_foot, Point(0, pile))
    camera = _aim(
        stage, (front, side, top, foot, leaning, pile_top, pile_foot), pitch=18, distance=8
    )
    unit = camera.scale

    for far, strength in ((0.55, 0.22), (0.22, 0.25), (0.06, 0.3)):
        behind = move(foot, Point(far * 0.75, 0, far * 0.15))
        stage.cast(camera.look(_span(foot, behind)), (0.02 + far * 0.26) * unit, strength)
    stage.put(_make_side(colour, deep, tall), camera.look(side), 0.58)
    stage.put(_make_lid(colour, wide, deep), camera.look(top), 1.18)
    stage.put(_make_front(art, colour, wide, tall), camera.look(front))
    if len(fronts) > 1:
        visible = _meet(shaded, front)
        stage.cast(camera.look(visible), 0.035 * unit, 0.42)
        line = (
            leaning[3],
            leaning[2],
            leaning[2].plus(Point(0.05, 0, -0.14)),
            leaning[3].plus(Point(0.05, 0, -0.14)),
        )
        stage.cast(camera.look(line), 0.045 * unit, 0.5)
        stage.put(fronts[1], camera.look(leaning), 0.98)
    for far, strength in ((0.30, 0.22), (0.09, 0.3), (0.02, 0.35)):
        under = move(turn(lying, "x", -90), place.plus(Point(far * 0.5, 0, far * 0.2)))
        stage.cast(camera.look(under), (0.015 + far * 0.3) * unit, strength, fronts[0])
    edge = [Point(*corner).turned("z", 22).turned("x", -90).plus(place) for corner in cards.outline]
    _draw_pile(stage, camera, edge, pile)
    stage.put(fronts[0], camera.look(pile_top))
    return stage.finish(ground)


def _span(panel: Panel, other: Panel) -> tuple[Point, ...]:
    """Return the corners of what two panels on the table cover together, about."""
    a, _, _, d = panel
    _, f, g, _ = other
    return a, f, g, d


def _meet(panel: Panel, other: Panel) -> Panel:
    """Return a panel cut off where another in its plane ends at the right."""
    right = max(other[1].x, other[2].x)

    def cut(point: Point, back: Point) -> Point:
        if point.x <= right:
            return point
        share = (right - back.x) / (point.x - back.x)
        return back.plus(point - back, share)

    a, b, c, d = panel
    return a, cut(b, a), cut(c, d), d


def _draw_pile(stage: Stage, camera: Camera, outline: Sequence[Point], high: float) -> None:
    """Draw the cards of a pile from below, of which only the edges are seen."""
    count = max(8, round(high / _THICK / 2))
    for number in range(count):
        level = high * number / count
        # No two cards lie quite alike.
        aside = ((number * 7 % 5) - 2) * 0.0014, ((number * 11 % 7) - 3) * 0.0011
        corners = [corner.plus(Point(aside[0], level, aside[1])) for corner in outline]
        tone = 246 if number % 2 else 204 + number * 13 % 22
        stage.fill(camera.look(corners), (tone, tone - 3, tone - 9))


_FINE = 700  # pixels to the width of a card, of what is made here


def _make_front(
    art: Image.Image, colour: tuple[int, int, int], wide: float, high: float
) -> Image.Image:
    """Return the front of a box: what its cards' backs show, and a notch for the thumb."""
    size = round(wide * _FINE), round(high * _FINE)
    panel = Image.new("RGBA", size, (*colour, 255))
    inner = art.resize((round(size[0] * 0.955), round(size[1] * 0.965)), Image.Resampling.LANCZOS)
    panel.alpha_composite(inner, ((size[0] - inner.width) // 2, (size[1] - inner.height) // 2))
    draw = ImageDraw.Draw(panel)
    radius, middle = round(size[0] * 0.13), size[0] / 2
    dark = tuple(round(value * 0.45) for value in colour)
    draw.ellipse((middle - radius, -radius, middle + radius, radius), fill=(*dark, 255))
    return panel


def _make_side(colour: tuple[int, int, int], deep: float, high: float) -> Image.Image:
    size = max(8, round(deep * _FINE)), round(high * _FINE)
    side = Image.new("RGBA", size, (*colour, 255))
    draw = ImageDraw.Draw(side)
    light = tuple(min(255, value + 26) for value in colour)
    margin = round(size[0] * 0.12)
    draw.rectangle(
        (margin, margin, size[0] - margin, size[1] - margin), outline=(*light, 255), width=4
    )
    return side


def _make_lid(colour: tuple[int, int, int], wide: float, deep: float) -> Image.Image:
    size = round(wide * _FINE), max(8, round(deep * _FINE))
    return Image.new("RGBA", size, (*colour, 255))


def _find_colour(face: Image.Image) -> tuple[int, int, int]:
    """Return the colour that a face has most of, neither white nor black."""
    small = face.convert("RGB").resize((48, 64), Image.Resampling.BOX)
    packed = small.quantize(8)
    palette = packed.getpalette() or []
    best, most = (70, 70, 80), -1.0
    for count, index in packed.getcolors() or ():
        assert isinstance(index, int)
        red, green, blue = palette[3 * index : 3 * index + 3]
        high, low = max(red, green, blue), min(red, green, blue)
        weight = count * (0.25 + (high - low) / 255) * (0.2 if low > 225 else 1.0)
        if weight > most:
            best, most = (red, green, blue), weight
    return best


def _aim(stage: Stage, panels: Sequence[Sequence[Point]], pitch: float, distance: float) -> Camera:
    """Return a camera that sees all panels, in the middle of the picture."""
    corners = [corner for panel in panels for corner in panel]
    middle = Point(*(sum(values) / len(corners) for values in zip(*corners, strict=True)))
    camera = Camera(middle, pitch, distance, 1.0, (0.0, 0.0))
    seen = [camera.see(corner) for corner in corners]
    left, right = min(x for x, _ in seen), max(x for x, _ in seen)
    top, bottom = min(y for _, y in seen), max(y for _, y in seen)
    wide, high = stage.size
    scale = min(wide * 0.86 / (right - left), high * 0.82 / (bottom - top))
    at = wide / 2 - (left + right) / 2 * scale, high / 2 - (top + bottom) / 2 * scale
    return camera._replace(scale=scale, middle=at)


_DRAW: Mapping[str, Callable[[Cards, int, Ground | None], Image.Image]] = {
    "fan": _draw_fan,
    "hand": _draw_hand,
    "box": _draw_box,
}
