"""Register, proved by pixels: each sheet is printed on both sides by a printer that shifts, turns
and shrinks, then held against the light. What the back paints must fall where the front says.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path

import pytest
from conftest import Project
from making import build
from PIL import Image, ImageChops
from pixels import widen
from pypdfium2 import PdfDocument

from cardgen.core.library import HOME
from cardgen.core.units import MM
from cardgen.pages.printer import Flip, Printer
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target
from cardgen.project.printers import Profiles

SCALE = 2.0  # pixels to a point
WIDTH, HEIGHT = 50, 40
# A mark off the middle of a card, red in front; behind it lies the same one in blue.
MARK = (7, 5, 6, 3)
FLIPS: tuple[Flip, ...] = ("long-edge", "short-edge")
FAULTY = Printer("default", 1.5 * MM, -0.8 * MM, 0.4, 0.985, 0.99)


def list_targets(*, folded: bool) -> Iterator[str]:
    """All targets of sheets that come with cardgen and are printed at home."""
    for path in sorted((HOME / "assets/targets").glob("*.toml")):
        target: Target = read_target(path)
        is_sheet = target.paper.size is not None and target.file.format == "pdf"
        wanted = "gutterfold" if folded else "grid"
        if is_sheet and target.grid.imposition == wanted and target.press.flavour == "plain":
            yield path.stem


SHEETS = tuple(list_targets(folded=False))
FOLDED = tuple(list_targets(folded=True))


@pytest.fixture
def deck(project: Project) -> Project:
    """A sheet that is partly filled."""
    x, y, width, height = MARK
    colours = '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
    size = f'size="{WIDTH}mm x {HEIGHT}mm"'
    for name, left, colour in (("plain", x, "red"), ("behind", WIDTH - x - width, "blue")):
        box = f'<box x="{left}mm" y="{y}mm" width="{width}mm" height="{height}mm" fill="{colour}"/>'
        project.write_template(colours + box, name, size)
    project.write_deck("  - {name: A, count: 5}\n", head="template: plain\nback: behind\n")
    return project


def render(path: Path) -> list[Image.Image]:
    return [page.render(scale=SCALE).to_pil().convert("RGB") for page in PdfDocument(path)]


def find_marks(image: Image.Image, colour: str) -> Image.Image:
    """White where the colour is."""
    red, green, blue = image.split()
    strong, weak = (red, blue) if colour == "red" else (blue, red)
    level = [255 if value > 200 else 0 for value in range(256)]
    dark = [255 if value < 128 else 0 for value in range(256)]
    found = ImageChops.multiply(strong.point(level), weak.point(dark))
    return ImageChops.multiply(found, green.point(dark))


def turn_over(image: Image.Image, axis: str) -> Image.Image:
    """The back of a sheet as it is seen through the paper."""
    way = Image.Transpose.FLIP_LEFT_RIGHT if axis == "upright" else Image.Transpose.FLIP_TOP_BOTTOM
    return image.transpose(way)


def land(image: Image.Image, printer: Printer, *, back: bool) -> Image.Image:
    """The image as the printer lets it land, seen from the front.

    Pillow asks for each place on the paper what falls there: the fault, taken backwards.
    """
    width, height = image.size
    dx, dy, turned = (printer.x, printer.y, printer.rotation) if back else (0.0, 0.0, 0.0)
    cosine, sine = cos(radians(turned)), sin(radians(turned))
    a, b = cosine / printer.scale_x, sine / printer.scale_x
    d, e = -sine / printer.scale_y, cosine / printer.scale_y
    across, down = width / 2 + dx * SCALE, height / 2 + dy * SCALE
    numbers = (
        *(a, b, width / 2 - a * across - b * down),
        *(d, e, height / 2 - d * across - e * down),
    )
    return image.transform(
        image.size, Image.Transform.AFFINE, numbers, Image.Resampling.NEAREST, fillcolor=0
    )


def list_misses(one: Image.Image, other: Image.Image) -> list[str]:
    """Where a mark lies more than a pixel outside the other image's marks."""
    first, second = one.getbbox(), other.getbbox()
    assert first is not None
    assert second is not None
    joined = [*map(min, first[:2], second[:2]), *map(max, first[2:], second[2:])]
    left, top, right, bottom = joined
    one, other = (image.crop((left - 2, top - 2, right + 2, bottom + 2)) for image in (one, other))
    misses = []
    for name, found, near in (("lost", one, other), ("stray", other, one)):
        beside = ImageChops.subtract(found, widen(near))
        if beside.getbbox() is not None:
            misses.append(f"{name} at {beside.getbbox()}")
    return misses


def print_sheet(
    project: Project, target: str, printer: Printer | None, flip: Flip
) -> tuple[Image.Image, Image.Image, str]:
    """The marks of front and back as the file has them, and the axis of the sheet."""
    project.write(f"targets/{target}.toml", make_target(target, flip))
    known = {} if printer is None else dict.fromkeys(("default", "default-lying"), printer)
    built = build("deck", target=target, profiles=Profiles(known))
    front, back = render(built.path)
    lying = front.width > front.height
    axis = "upright" if (flip == "long-edge") != lying else "level"
    return find_marks(front, "red"), find_marks(back, "blue"), axis


def make_target(name: str, flip: Flip) -> str:
    return f'title = "{name}"\nextends = "{name}"\nduplex = "{flip}"\n'


@pytest.mark.parametrize("target", SHEETS)
@pytest.mark.parametrize("flip", FLIPS)
def test_backs_fall_behind_their_fronts(deck: Project, target: str, flip: Flip) -> None:
    """On a printer without fault, and on a faulty one that is known."""
    front, back, axis = print_sheet(deck, target, None, flip)
    assert list_misses(front, turn_over(back, axis)) == []
    assert list_misses(front, land(turn_over(back, axis), FAULTY, back=True)) != []
    corrected_front, corrected_back, _ = print_sheet(deck, target, FAULTY, flip)
    landed = land(corrected_front, FAULTY, back=False)
    assert list_misses(front, landed) == []
    behind = land(turn_over(corrected_back, axis), FAULTY, back=True)
    assert list_misses(front, behind) == []


@pytest.mark.parametrize("target", FOLDED)
@pytest.mark.parametrize("fold", ["upright", "level"])
def test_folded_backs_fall_behind_their_fronts(deck: Project, target: str, fold: str) -> None:
    text = f'title = "T"\nextends = "{target}"\nfold = "{fold}"\n'
    deck.write("targets/folded.toml", text)
    scaled = Printer("default", scale_x=FAULTY.scale_x, scale_y=FAULTY.scale_y)
    known = dict.fromkeys(("default", "default-lying"), scaled)
    plain = render(build("deck", target="folded").path)
    corrected = render(build("deck", target="folded", profiles=Profiles(known)).path)
    assert len(plain) == len(corrected) == 1
    (sheet,) = plain
    red, blue = (find_marks(sheet, colour) for colour in ("red", "blue"))
    assert list_misses(red, turn_over(blue, fold)) == []
    for colour, marks in (("red", red), ("blue", blue)):
        landed = land(find_marks(corrected[0], colour), scaled, back=False)
        assert list_misses(marks, landed) == []


def test_all_kinds_of_paper_are_among_them() -> None:
    assert {"a3", "a4", "letter", "tabloid", "silhouette-a4", "silhouette-letter"} <= {*SHEETS}
    assert {*FOLDED} == {"gutterfold-a4", "gutterfold-letter"}
