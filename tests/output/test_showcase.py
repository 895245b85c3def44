"""Pictures that show a deck off: what is on them, their sizes, and what lies around the cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from cardgen.build.selection import MOST_SHOWN, choose_shown
from cardgen.deck.model import Copy
from cardgen.output.showcase.space import Camera, Point, find_warp, make_panel, turn

COLOURS = {"one": "#ff0000", "two": "#00ff00", "three": "#0000ff", "four": "#ffff00"}
BODY = '<box bleed="true" fill="{{ card.colour }}"/>'
WIDTH = 200


@pytest.fixture
def shown(project: Project) -> Project:
    """A deck of plain colours with a white back, and a small showcase that is clear."""
    project.write_template(BODY, attributes='size="poker" bleed="3mm"')
    project.write_template('<box bleed="true" fill="#ff8000"/>', "back", 'size="poker" bleed="3mm"')
    cards = "".join(f'  - {{name: {name}, colour: "{rgb}"}}\n' for name, rgb in COLOURS.items())
    project.write_deck(cards, head="template: plain\nback: back\n")
    write_target(project)
    return project


def write_target(project: Project, more: str = 'ground = "none"\n') -> None:
    head = f'title = "Small"\nextends = "showcase"\nwidth = {WIDTH}\ndpi = 40\n'
    project.write("targets/small.toml", head + more)


def open_scene(name: str, folder: str = "output/deck-small") -> Image.Image:
    with Image.open(Path(folder) / f"deck-{name}.png") as image:
        image.load()
    return image


def count_near(image: Image.Image, colour: tuple[int, int, int]) -> int:
    """How many opaque pixels are of about a colour."""
    bands = image.convert("RGBA").split()
    seen = bands[3].point([255 * (value > 240) for value in range(256)])
    for band, wanted in zip(bands, colour, strict=False):
        near = band.point([255 * (abs(value - wanted) < 24) for value in range(256)])
        seen = ImageChops.darker(seen, near)
    return seen.histogram()[255]


def test_a_showcase_has_three_pictures(shown: Project) -> None:
    ran = shown.run("build", "deck", "--target", "small")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "output/deck-small: 4 cards as 3 pictures\n"
    names = sorted(path.name for path in Path("output/deck-small").iterdir())
    assert names == ["deck-box.png", "deck-fan.png", "deck-hand.png"]
    assert not list(Path("output").glob("*.json"))
    for name in ("fan", "hand"):
        image = open_scene(name)
        assert (image.mode, image.width) == ("RGBA", WIDTH)
        # Every card is seen, the last one whole, and it is the largest.
        seen = [
            count_near(image, color)
            for color in ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
        ]
        assert min(seen) > 110
        assert max(seen) == seen[-1]
        # Around the cards it is clear, and there are shadows that are half clear.
        alpha = image.getchannel("A")
        assert alpha.getpixel((2, 2)) == 0
        assert alpha.histogram()[255] > sum(seen) * 0.9
        assert sum(alpha.histogram()[20:120]) > 110
    box = open_scene("box")
    assert count_near(box, (255, 128, 0)) > 350  # its back, on the box
    assert count_near(box, (255, 0, 0)) > 350  # the first card, on the pile
    assert count_near(box, (0, 250, 0)) > 350  # and the second, which leans on the box


def test_a_ground_has_a_colour(shown: Project) -> None:
    write_target(shown, 'ground = "#404080"\nscenes = "fan"\n')
    assert shown.run("build", "deck", "--target", "small").code == 0
    assert [path.name for path in Path("output/deck-small").iterdir()] == ["deck-fan.png"]
    image = open_scene("fan")
    assert image.mode == "RGB"
    corner = image.getpixel((1, 1))
    assert isinstance(corner, tuple)
    assert abs(corner[0] - 55) < 12
    assert corner[0] == corner[1] < corner[2]
    # A second build is equal byte for byte.
    assert shown.run("build", "deck", "--target", "small", "--out", "again").code == 0
    first, second = (
        Path(out, "deck-small/deck-fan.png").read_bytes() for out in ("output", "again")
    )
    assert first == second


@pytest.mark.parametrize("deck", ["one card", "no back", "a circle"])
def test_any_deck_can_be_shown(shown: Project, deck: str) -> None:
    if deck == "no back":
        write_target(shown, 'ground = "none"\nscenes = "box"\n')
    if deck == "one card":
        shown.write_deck('  - {name: one, colour: "#ff0000"}\n')
    if deck == "no back":
        shown.write_deck("".join(f'  - {{name: {n}, colour: "{c}"}}\n' for n, c in COLOURS.items()))
    if deck == "a circle":
        shown.write_template(BODY, attributes='size="40mm x 40mm" bleed="3mm" trim="circle"')
        shown.write_deck('  - {name: one, colour: "#ff0000"}\n')
    assert shown.run("build", "deck", "--target", "small").code == 0
    assert count_near(open_scene("box"), (255, 0, 0)) > 350
    if deck == "a circle":
        fan = open_scene("fan")
        bounds = fan.getchannel("A").point([255 * (value > 250) for value in range(256)]).getbbox()
        assert bounds is not None
        left, top, _, _ = bounds
        assert fan.getchannel("A").getpixel((left + 3, top + 3)) < 200  # type: ignore[operator]


def test_only_chooses_what_is_shown(shown: Project) -> None:
    ran = shown.run("build", "deck", "--target", "small", "--only", "t*")
    assert ran.stdout.endswith(": 2 cards as 3 pictures\n")
    image = open_scene("hand", ran.stdout.partition(":")[0])
    assert count_near(image, (255, 0, 0)) == 0
    assert min(count_near(image, (0, 255, 0)), count_near(image, (0, 0, 255))) > 350


def test_of_many_cards_some_are_shown() -> None:
    many = [Copy(design, number) for design in range(40) for number in range(2)]
    shown = choose_shown(many)
    assert len(shown) == MOST_SHOWN
    assert [copy.design for copy in shown] == [0, 6, 13, 20, 26, 32, 39]
    assert {copy.number for copy in shown} == {0}
    assert list(choose_shown(many[:6])) == [Copy(0, 0), Copy(1, 0), Copy(2, 0)]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('format = "png"', 'width means nothing with format = "png"'),
        ('ground = "sand"', '"sand" is not an RGB colour'),
        ('scenes = "table"', 'scenes must be "all", "fan", "hand" or "box", not "table"'),
        ("width = 9000", "width must be a whole number from 1 to 6000"),
        ('paper = "a4"', 'format = "showcase" makes pictures of single cards'),
        ('bleed_x = "1mm"', "corners are cut out of pictures of the card without its bleed"),
    ],
)
def test_a_target_that_is_none(shown: Project, line: str, said: str) -> None:
    head = "" if line.startswith("width") else f"width = {WIDTH}\n"
    shown.write("targets/small.toml", f'title = "Small"\nextends = "showcase"\n{head}{line}\n')
    ran = shown.run("build", "deck", "--target", "small")
    assert ran.code == 1
    assert said in ran.stderr


@pytest.mark.parametrize("option", ["--fronts", "--backs"])
def test_sides_mean_nothing(shown: Project, option: str) -> None:
    ran = shown.run("build", "deck", "--target", "small", option)
    assert ran.stderr.startswith('the target "small" makes cards that have both sides')


# Space

ANGLES = st.floats(-80, 80)


@given(ANGLES, ANGLES, st.floats(-40, 40))
def test_a_warp_leads_each_corner_to_its_own(yaw: float, roll: float, pitch: float) -> None:
    camera = Camera(Point(0, 0), pitch, 6.0, 300.0, (400.0, 300.0))
    panel = turn(turn(make_panel(1, 1.4), "z", roll), "y", yaw / 2)
    quad = camera.look(panel)
    a, b, c, d, e, f, g, h = find_warp(quad, 200, 280)
    for (x, y), flat in zip(quad, ((0, 0), (200, 0), (200, 280), (0, 280)), strict=True):
        depth = g * x + h * y + 1
        found = (a * x + b * y + c) / depth, (d * x + e * y + f) / depth
        assert found == pytest.approx(flat, abs=1e-3)
