"""What print asks of the shipped decks, reckoned from their faces: every text stands out from its
ground, none is too small to read, nothing is cut off, and the backs say what they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import pytest
from conftest import Project
from making import build, load_deck
from PIL import Image, ImageChops, ImageDraw
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from strategies import list_faces
from test_facts import CARD_DECKS, LOOKS, SET_SMALLER, SHEETS, SHIPPED, fold

from cardgen.core.colour import BLACK, WHITE, Across, Colour, Gradient, Paint
from cardgen.core.geometry import Insets, Rect, Turn
from cardgen.deck.model import Deck
from cardgen.layout.art.outlines import make_rect
from cardgen.layout.contrast import Contrasts
from cardgen.layout.face import Face, Form, Item, Outline, Picture, Segment
from cardgen.text.setting import Run

MM = 72 / 25.4
LEAST_CONTRAST = 4.5
SMALLEST = 7.0  # points
SAFE_ON_CARDS = 3 * MM  # what a cutter may be off by
SAFE_ON_SHEETS = 5 * MM  # where most printers do not reach

BACKS = {
    "artillery": "ARTILLERY",
    "magic": "MAGIC ITEM",
    "magic-rulebook": "MAGIC ITEM",
    "tactics": "TACTICS",
}

Point = tuple[float, float]
_STEPS = 12  # the straight lines that stand for a curve
# What of each of a curve's four points the end of each line has.
_SHARES = [
    ((1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t**2, t**3)
    for t in (step / _STEPS for step in range(1, _STEPS + 1))
]


# A face taken apart: texts and shapes at their places on it


class Frame(NamedTuple):
    """Where the origin of a form lies on the face, and how it is turned."""

    x: float = 0.0
    y: float = 0.0
    turn: Turn = 0

    def move(self, point: Point) -> Point:
        x, y = point
        turned = {0: (x, y), 90: (-y, x), 180: (-x, -y), 270: (y, -x)}[self.turn]
        return self.x + turned[0], self.y + turned[1]

    def move_rect(self, rect: Rect) -> Rect:
        return enclose([self.move((rect.x, rect.y)), self.move((rect.right, rect.bottom))])

    def enter(self, form: Form) -> Frame:
        turns: dict[int, Turn] = {0: 0, 90: 90, 180: 180, 270: 270}
        return Frame(*self.move((form.x, form.y)), turns[(self.turn + form.turn) % 360])


def enclose(points: Sequence[Point]) -> Rect:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


class Text(NamedTuple):
    """A run with the box of its ink."""

    words: str
    box: Rect
    size: float
    colour: Colour


@dataclass(frozen=True, eq=False)
class Shape:
    """An outline; `bounds` holds its stroke too."""

    outline: Outline
    frame: Frame
    bounds: Rect

    @cached_property
    def contours(self) -> list[list[Point]]:
        contours = trace_contours(self.outline.segments)
        return [[self.frame.move(point) for point in contour] for contour in contours]

    @cached_property
    def bounded(self) -> list[tuple[list[Point], Rect]]:
        """The contours with the boxes that they lie in."""
        return [(contour, enclose(contour)) for contour in self.contours]

    @property
    def fill(self) -> Paint | None:
        return self.outline.fill


def take_apart(items: Sequence[Item], frame: Frame = Frame()) -> Iterator[Text | Shape]:  # noqa: B008
    """What is painted, in order, forms within forms included."""
    for item in items:
        if isinstance(item, Form):
            yield from take_apart(item.shared.items, frame.enter(item))
        elif isinstance(item, Run):
            box = find_ink(item)
            if box is not None:
                words = " ".join(word.text for word in item.words if word.text)
                yield Text(words, frame.move_rect(box), item.size, item.colour)
        elif isinstance(item, Outline):
            half = item.stroke.width / 2 if item.stroke else 0.0
            bounds = item.bounds
            # The bounds of a line hold its stroke already.
            if bounds.width > 2 * half and bounds.height > 2 * half:
                bounds = bounds.outset(Insets.even(half))
            yield Shape(item, frame, frame.move_rect(bounds))
        elif isinstance(item, Picture):
            yield Shape(show_picture(item), frame, frame.move_rect(item.clip))


def show_picture(picture: Picture) -> Outline:
    """A picture as a shape that may be black and white alike: no text stands out from it."""
    return make_rect(picture.clip, 0, Gradient(Across(0), ((0, BLACK), (1, WHITE))), None)


def find_ink(run: Run) -> Rect | None:
    """The box of what a run's glyphs cover."""
    file, tracking = run.font.file, run.font.tracking
    scale, left = run.size / file.units, run.x
    corners: list[Point] = []
    for word in run.words:
        assert not word.pieces
        pen = left
        for number, advance, dx, dy, _ in word.list_glyphs():
            extents = file.font.get_glyph_extents(number)
            if extents is not None and extents.width and extents.height:
                x = pen + (dx + extents.x_bearing) * scale
                y = run.y - (dy + extents.y_bearing) * scale
                corners += [(x, y), (x + extents.width * scale, y - extents.height * scale)]
            pen += advance * scale + tracking * run.size
        left += word.width * run.size + run.font.space * run.size + run.stretch
    return enclose(corners) if corners else None


def trace_contours(segments: Sequence[Segment]) -> list[list[Point]]:
    """The contours of a path as polygons."""
    contours: list[list[Point]] = []
    for operator, numbers in segments:
        if operator == "M":
            contours.append([(numbers[0], numbers[1])])
        elif operator == "L":
            contours[-1].append((numbers[0], numbers[1]))
        elif operator == "C":
            contours[-1] += bend(contours[-1][-1], *numbers)
    return [contour for contour in contours if len(contour) > 2]


def bend(
    start: Point, ax: float, ay: float, bx: float, by: float, x: float, y: float
) -> Iterator[Point]:
    """A Bézier curve as a few straight lines."""
    left, top = start
    for a, b, c, d in _SHARES:
        yield a * left + b * ax + c * bx + d * x, a * top + b * ay + c * by + d * y


Faces = Mapping[str, Face]  # by card and side


def name_faces(deck: Deck, look: str | None = None) -> Faces:
    return {f"{card.id}, {side}": face for card, side, face in list_faces(deck, look)}


@cache
def make_faces(deck_name: str, look: str | None) -> Faces:
    """The faces of a shipped deck."""
    return name_faces(load_deck(deck_name), look)


# Contrast

_DOTS = 4  # pixels to a point, where a text is laid over its grounds
_NOISE = 0.01  # the share of a text's box that a touching corner may take up


class Contrast(NamedTuple):
    ratio: float
    words: str
    colour: Colour
    ground: Colour


def find_luminance(colour: Colour) -> float:
    """The relative luminance of WCAG; CMYK is taken as if each ink were pure."""
    if colour.space == "cmyk":
        c, m, y, k = colour.values
        parts: Sequence[float] = [(1 - ink) * (1 - k) for ink in (c, m, y)]
    else:
        parts = colour.values * 3 if colour.space == "grey" else colour.values
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def find_ratio(one: Colour, other: Colour) -> float:
    dark, light = sorted((find_luminance(one), find_luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def list_contrasts(items: Sequence[Item]) -> Iterator[Contrast]:
    """Each text against the worst of the colours that it stands on."""
    shapes: list[Shape] = []
    for part in take_apart(items):
        if isinstance(part, Shape):
            if part.fill is not None:
                shapes.append(part)
            continue
        grounds = find_grounds(part.box, shapes)
        yield min(
            Contrast(find_ratio(part.colour, ground), part.words, part.colour, ground)
            for ground in grounds
        )


def find_grounds(box: Rect, shapes: Sequence[Shape]) -> list[Colour]:
    """The colours that show in a box: of shapes over shapes, and white paper beneath them all."""
    size = (max(round(box.width * _DOTS), 1), max(round(box.height * _DOTS), 1))
    over = [shape for shape in shapes if shape.bounds.overlaps(box, 0)]
    assert len(over) < 256
    seen = Image.new("L", size, 0)
    for number, shape in enumerate(over, start=1):
        seen.paste(number, (0, 0, *size), cover(shape, box, size))
    least = _NOISE * size[0] * size[1]
    shown = [number for number, count in enumerate(seen.histogram()) if count > least]
    paints = [WHITE if number == 0 else over[number - 1].fill for number in shown]
    colours = [
        [colour for _, colour in paint.stops] if isinstance(paint, Gradient) else [paint]
        for paint in paints
        if paint is not None
    ]
    return [colour for several in colours for colour in several]


def cover(shape: Shape, box: Rect, size: tuple[int, int]) -> Image.Image:
    """What a shape fills of a box, as a mask."""
    middle = 128
    winding = Image.new("L", size, middle)
    for contour, bounds in shape.bounded:
        if not bounds.overlaps(box, -1):
            continue  # it covers nothing of the box
        mask = Image.new("L", size, 0)
        points = [((x - box.x) * _DOTS - 0.5, (y - box.y) * _DOTS - 0.5) for x, y in contour]
        ImageDraw.Draw(mask).polygon(points, fill=1)
        ahead = shape.outline.even_odd or measure_area(contour) > 0
        winding = (ImageChops.add_modulo if ahead else ImageChops.subtract_modulo)(winding, mask)
    if shape.outline.even_odd:
        return winding.point([255 * (value % 2) for value in range(256)])
    return winding.point([0 if value == middle else 255 for value in range(256)])


def measure_area(contour: Sequence[Point]) -> float:
    """Below 0 where it runs the other way round."""
    ends = [*contour[1:], contour[0]]
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(contour, ends, strict=True)) / 2


def find_pale_texts(faces: Faces) -> list[str]:
    """The texts that stand out too little, the worst of them first, and what a build tells of."""
    told = [Contrasts().list_pale(face, (), None) for face in faces.values()]
    found = [
        (contrast, where)
        for where, face in faces.items()
        for contrast in list_contrasts(face.items)
        if contrast.ratio < LEAST_CONTRAST
    ]
    return [
        f"{contrast.ratio:.2f}: {where}: {contrast.words!r} {contrast.colour} on {contrast.ground}"
        for contrast, where in sorted(found)
    ] + [f"told of without a cause: {pale}" for pales in told for pale in pales if not found]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", SHIPPED)
def test_every_text_stands_out_from_its_ground(deck_name: str, look: str | None) -> None:
    found = find_pale_texts(make_faces(deck_name, look))
    assert not found, "\n".join(["too little contrast:", *found[:20]])


def measure(project: Project, body: str) -> list[tuple[str, float]]:
    """The words and ratios of a template's texts."""
    colours = {"grey": "0 0 0 40", "dim": "0 0 0 55", "dark": "0 0 0 90", "pale": "0 0 0 8"}
    defined = "".join(f'<colour name="{n}" cmyk="{c}"/>' for n, c in colours.items())
    gradient = '<gradient name="dusk" stops="white, dark" angle="0"/>'
    project.write_template(defined + gradient + body)
    project.write_deck()
    (face,) = name_faces(load_deck("deck")).values()
    return [(found.words, round(found.ratio, 2)) for found in list_contrasts(face.items)]


BLACK_ON_WHITE = 21.0
BLACK_ON_DIM = round(find_ratio(Colour("grey", (0.0,)), Colour("grey", (0.45,))), 2)
BLACK_ON_DARK = round(find_ratio(Colour("grey", (0.0,)), Colour("grey", (0.1,))), 2)
TEXT = '<text x="10mm" y="10mm" width="20mm">Words</text>'


@pytest.mark.parametrize(
    ("body", "ratio"),
    [
        (TEXT, BLACK_ON_WHITE),
        (f'<box fill="dark"/>{TEXT}', BLACK_ON_DARK),
        # The last ground counts, and none that lies elsewhere, is no ground or comes later.
        (f'<box fill="dark"/><box x="5mm" width="30mm" fill="white"/>{TEXT}', BLACK_ON_WHITE),
        (f'<box x="32mm" fill="dark"/>{TEXT}', BLACK_ON_WHITE),
        (f'<box stroke="dark" stroke-width="5mm"/>{TEXT}', BLACK_ON_WHITE),
        (f'{TEXT}<box fill="dark"/>', BLACK_ON_WHITE),
        # What covers a part of the text counts, as a watermark does; the hole in a ring does not.
        (f'<box fill="white"/><box x="14mm" fill="dark"/>{TEXT}', BLACK_ON_DARK),
        (f'<path d="M0 0 H50 V40 H0 Z M5 5 V35 H45 V5 Z" fill="dark"/>{TEXT}', BLACK_ON_WHITE),
        (f'<path d="M0 0 H50 V40 H0 Z M5 5 H45 V35 H5 Z" fill="dark"/>{TEXT}', BLACK_ON_DARK),
        # Of a gradient its worst stop.
        (f'<box fill="dusk"/>{TEXT}', BLACK_ON_DARK),
        # Within turned boxes: the text at the right, at the left and upside down.
        (f'<box x="30mm" fill="dark"/><box turn="180">{TEXT}</box>', BLACK_ON_DARK),
        (f'<box width="30mm" fill="dark"/><box turn="180">{TEXT}</box>', BLACK_ON_WHITE),
        (f'<box x="35mm" fill="dark"/><box turn="90">{TEXT}</box>', BLACK_ON_DARK),
        (f'<box width="15mm" fill="dark"/><box turn="270">{TEXT}</box>', BLACK_ON_DARK),
        (f'<box turn="90"><box turn="180"><box fill="dim"/></box></box>{TEXT}', BLACK_ON_DIM),
    ],
)
def test_contrast_is_measured(project: Project, body: str, ratio: float) -> None:
    assert measure(project, body) == [("Words", ratio)]


def test_contrast_is_that_of_the_standard() -> None:
    assert find_ratio(Colour("rgb", (1, 1, 1)), Colour("grey", (0,))) == pytest.approx(21)
    grey = Colour("rgb", (0x76 / 255,) * 3)  # the lightest grey that passes on white
    assert find_ratio(grey, WHITE) == pytest.approx(4.54, abs=0.005)
    red = Colour("cmyk", (0, 1, 1, 0))
    assert find_ratio(red, WHITE) == pytest.approx(4.0, abs=0.005)


def test_a_pale_text_is_found(project: Project) -> None:
    project.write_template('<colour name="grey" cmyk="0 0 0 50"/><text colour="grey">Pale</text>')
    project.write_deck()
    (found,) = find_pale_texts(name_faces(load_deck("deck")))
    assert found.startswith("3.9")
    assert found.endswith(": sword, front: 'Pale' cmyk(0 0 0 0.5) on cmyk(0 0 0 0)")


# Sizes


def find_small_texts(faces: Faces) -> list[str]:
    return [
        f"{part.size:g}pt: {where}: {part.words!r}"
        for where, face in faces.items()
        for part in take_apart(face.items)
        if isinstance(part, Text) and part.size < SMALLEST - 0.001
    ]


def find_rules_sizes(deck: Deck, faces: Faces) -> dict[str, set[float]]:
    """The sizes that each card's own text is set in, by the card's name."""
    sizes: dict[str, set[float]] = {}
    for card in deck.cards:
        if not card.fields["text"]:
            continue
        wanted = "".join(fold(str(card.fields["text"])).split())
        face = faces[f"{card.id}, front"]
        texts = [part for part in take_apart(face.items) if isinstance(part, Text)]
        runs = [("".join(fold(text.words).split()), text.size) for text in texts]
        at = "".join(words for words, _ in runs).find(wanted)
        assert at >= 0, f"{card.name} does not show its text"
        start, found = 0, set()
        for words, size in runs:
            if start < at + len(wanted) and start + len(words) > at:
                found.add(size)
            start += len(words)
        sizes[card.id] = found
    return sizes


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", SHIPPED)
def test_no_text_is_too_small(deck_name: str, look: str | None) -> None:
    found = find_small_texts(make_faces(deck_name, look))
    assert not found, "\n".join(found[:20])


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", CARD_DECKS)
def test_rules_are_of_one_size(deck_name: str, look: str | None) -> None:
    deck = load_deck(deck_name)
    sizes = find_rules_sizes(deck, make_faces(deck_name, look))
    names = {card.id: card.name for card in deck.cards}
    apart = SET_SMALLER.get(deck_name, set())
    usual = {size for id_, own in sizes.items() for size in own if names[id_] not in apart}
    assert len(usual) == 1, sizes
    for id_, own in sizes.items():
        if names[id_] in apart:
            assert len(own) == 1, id_
            assert SMALLEST <= min(own) < min(usual), id_


def test_small_and_uneven_texts_are_found(project: Project) -> None:
    project.write_template(
        '<text size="6.9pt">Small</text><text size="7pt" y="9mm">Not small</text>'
        '<text y="20mm" size="{{ card.size }}">{{ card.text }}</text>'
    )
    project.write_deck(
        "  - {name: Sword, size: 9pt, text: It is **sharp**.}\n"
        "  - {name: Bow, size: 8pt, text: It is long.}\n"
    )
    deck = load_deck("deck")
    expected = ["6.9pt: sword, front: 'Small'", "6.9pt: bow, front: 'Small'"]
    assert find_small_texts(name_faces(deck)) == expected
    assert find_rules_sizes(deck, name_faces(deck)) == {"sword": {9}, "bow": {8}}


# The edges


def find_cut_off(faces: Faces, inset: float) -> list[str]:
    """What does not keep within the safe area: texts, and what stops short of the trim."""
    found = []
    for where, face in faces.items():
        trim = Rect(0, 0, *face.size)
        safe = trim.inset(Insets.even(inset))
        for part in take_apart(face.items):
            if isinstance(part, Text):
                if not safe.contains(part.box):
                    found.append(f"{where}: {part.words!r} {show(part.box)}")
            elif not all(keeps_off(*sides) for sides in zip_sides(part.bounds, safe, trim)):
                found.append(f"{where}: a shape {show(part.bounds)}")
    return found


def zip_sides(bounds: Rect, safe: Rect, trim: Rect) -> list[tuple[float, float, float]]:
    """How far bounds, safe area and trim reach, on each of the four sides."""
    return [
        (-bounds.x, -safe.x, -trim.x),
        (-bounds.y, -safe.y, -trim.y),
        (bounds.right, safe.right, trim.right),
        (bounds.bottom, safe.bottom, trim.bottom),
    ]


def keeps_off(reach: float, safe: float, trim: float) -> bool:
    """Whether a side lies within the safe area, or runs to the trim or beyond."""
    return reach <= safe + 0.01 or reach >= trim - 0.01


def show(rect: Rect) -> str:
    sides = (rect.x, rect.y, rect.right, rect.bottom)
    return "from {:.1f} {:.1f} to {:.1f} {:.1f} mm".format(*(side / MM for side in sides))


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", SHIPPED)
def test_nothing_is_cut_off(deck_name: str, look: str | None) -> None:
    inset = SAFE_ON_SHEETS if deck_name in SHEETS else SAFE_ON_CARDS
    found = find_cut_off(make_faces(deck_name, look), inset)
    assert not found, "\n".join(found[:20])


def test_what_is_cut_off_is_found(project: Project) -> None:
    project.write_template(
        '<box bleed="true" fill="black"/>'
        '<box x="3mm" y="3mm" right="3mm" bottom="3mm" fill="white"/>'
        '<box y="10mm" height="5mm" bleed="true" fill="white"/>'  # a band from edge to edge
        '<box x="2mm" y="16mm" width="4mm" height="4mm" fill="white"/>'
        '<text x="2mm" y="20mm" width="9mm">Near</text><text x="4mm" y="20mm">Safe</text>'
        '<box turn="180"><text x="9mm" bottom="2mm" height="3mm">Foot</text></box>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    project.write_deck()
    shape, near, foot = find_cut_off(name_faces(load_deck("deck")), SAFE_ON_CARDS)
    assert shape == "sword, front: a shape from 2.0 16.0 to 6.0 20.0 mm"
    assert near.startswith("sword, front: 'Near' from 2.")
    assert foot.startswith("sword, front: 'Foot' from ")


# Backs


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", CARD_DECKS)
def test_backs_say_what_they_are(project: Project, deck_name: str, look: str | None) -> None:
    """Once for each way up."""
    paper = SHIPPED[deck_name].size
    project.write("targets/single.toml", f'title = "One"\npaper = "{paper}"\nduplex = "none"\n')
    built = build(deck_name, target="single", look=look, sides="backs")
    document = PdfDocument(built.path)
    assert len(document) == SHIPPED[deck_name].cards
    texts = {page.get_textpage().get_text_range() for page in document}
    texts.add(PdfReader(built.path).pages[0].extract_text())
    word = BACKS[deck_name]
    for text in texts:
        assert "".join(text.split()) == 2 * word.replace(" ", "")
        assert text.count(word) == 2
