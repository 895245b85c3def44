"""Colours and gradients as templates and cards write them: what is read, what is refused, and what
is seen of it.
"""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from conftest import Project
from making import load_deck
from PIL import Image
from pypdfium2 import PdfDocument
from strategies import list_faces
from test_print_quality import list_contrasts

from cardgen.core.colour import (
    BLACK,
    WHITE,
    Across,
    Axis,
    Circles,
    Colour,
    Gradient,
    Outwards,
    deepen,
    lighten,
    measure_luminance,
    parse_cmyk,
    parse_hex,
)
from cardgen.core.errors import Refusal
from cardgen.core.geometry import IDENTITY, Rect
from cardgen.core.units import MM, Length
from cardgen.template.values import Palette, parse_paint

EMBER = parse_cmyk("14 92 70 18")
SEA = parse_hex("#1c5a8a")
KNOWN = Palette({"ember": EMBER, "sea": SEA, "red": WHITE})
GREY = Colour("cmyk", (0, 0, 0, 0.4))


# What is read


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("#8A1c1C", parse_hex("#8a1c1c")),
        ("#a1c", parse_hex("#aa11cc")),
        ("8a1c1C", parse_hex("#8a1c1c")),
        ("sea-tint", Colour("rgb", tuple(v + (1 - v) * 0.2 for v in SEA.values))),
        ("cmyk(0 50 100 50)-tint", parse_cmyk("0 40 80 40")),
        ("sea-deep", SEA),
        ("ember-deep-tint", lighten(deepen(EMBER))),
        ("rgb(138 28 28)", parse_hex("#8a1c1c")),
        (" RGB( 138, 28 ,28 ) ", parse_hex("#8a1c1c")),
        ("rgb(100% 0% 40%)", parse_hex("#ff0066")),
        ("cmyk(14 92 70 18)", EMBER),
        ("cmyk(14%, 92%, 70%, 18%)", EMBER),
        ("rebeccapurple", parse_hex("#663399")),
        ("RebeccaPurple", parse_hex("#663399")),
        ("black", BLACK),
        ("White", WHITE),
        ("ember", EMBER),
        ("Ember", EMBER),
        ("red", WHITE),
        ("none", None),
    ],
)
def test_a_colour_is_read(text: str, colour: Colour | None) -> None:
    """Those of the template come first, also where they differ in capitals, then the press's own
    black and white, then those of CSS.
    """
    assert parse_paint(text, KNOWN) == colour


HALF = Length(share=0.5)


@pytest.mark.parametrize("text", ["white", "#98f5ff", "yellow", "cmyk(0 0 90 0)", "black"])
def test_a_deep_colour_lets_light_words_be_read(text: str) -> None:
    """By 6.5 to 1 in white, which is 4.5 to 1 in gold; what is dark enough stays as it is."""
    colour = parse_paint(text, KNOWN)
    deep = parse_paint(f"{text}-deep", KNOWN)
    assert isinstance(colour, Colour) and isinstance(deep, Colour)
    ratio = 1.05 / (measure_luminance(deep) + 0.05)
    assert ratio == pytest.approx(6.56, abs=0.01) if deep != colour else text == "black"


def test_what_is_dark_enough_has_the_tint_that_is_defined_for_it() -> None:
    known = Palette({"sea": SEA, "sea-tint": EMBER, "pale": WHITE, "pale-tint": EMBER})
    assert parse_paint("sea-deep-tint", known) == EMBER
    assert parse_paint("pale-deep-tint", known) == lighten(deepen(WHITE))


@pytest.mark.parametrize("colour", ["#98f5ff", "98f5ff", "Yellow", "blue", "cmyk(0 0 90 0)"])
@pytest.mark.parametrize("key", ["color", "colour"])
def test_a_card_may_have_any_colour(project: Project, colour: str, key: str) -> None:
    """Words stand out from it in the templates for any deck, and from white in the look plain."""
    project.write("a.csv", f"---\ntemplate: portrait\n---\nname,kind,{key}\nAxe,Sharp,{colour}\n")
    for look in (None, "plain"):
        ((_, _, face),) = list_faces(load_deck("a.csv"), look)
        assert min(contrast.ratio for contrast in list_contrasts(face.items)) >= 4.5


@pytest.mark.parametrize(
    ("text", "gradient"),
    [
        ("linear(white, black)", Gradient(Across(90), ((0, WHITE), (1, BLACK)))),
        (
            "linear(-45, white, ember 60, black)",
            Gradient(Across(-45), ((0, WHITE), (0.6, EMBER), (1, BLACK))),
        ),
        (
            "linear(30deg, cmyk(0, 0, 0, 0) 10%, ember)",
            Gradient(Across(30), ((0.1, WHITE), (1, EMBER))),
        ),
        ("radial(white, ember)", Gradient(Outwards(), ((0, WHITE), (1, EMBER)))),
        (
            "radial(at 30% 5mm radius 60% focus 20% 10%, white, ember)",
            Gradient(
                Outwards(
                    (Length(share=0.3), Length(5 * MM)),
                    (Length(share=0.6), Length(share=0.6)),
                    (Length(share=0.2), Length(share=0.1)),
                ),
                ((0, WHITE), (1, EMBER)),
            ),
        ),
        (
            "radial(radius 20mm 10mm, white, ember)",
            Gradient(
                Outwards((HALF, HALF), (Length(20 * MM), Length(10 * MM))),
                ((0, WHITE), (1, EMBER)),
            ),
        ),
        # What is black, white or grey goes with either space.
        (
            "linear(black, sea, white)",
            Gradient(Across(90), ((0, parse_hex("#000")), (0.5, SEA), (1, parse_hex("#ffffff")))),
        ),
        (
            "linear(#fff, ember, #999)",
            Gradient(Across(90), ((0, WHITE), (0.5, EMBER), (1, GREY))),
        ),
        ("linear(#fff, black)", Gradient(Across(90), ((0, WHITE), (1, BLACK)))),
    ],
)
def test_a_gradient_is_read(text: str, gradient: Gradient) -> None:
    assert parse_paint(text, KNOWN) == gradient


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no colour"),
        ("#8a1c1", '"#8a1c1" is not an RGB colour; write #8a1c1c or 138 28 28'),
        ("#8a1c1c80", "how far it shines through is said by opacity"),
        ("rgb(256 0 0)", '"256 0 0" is not an RGB colour'),
        ("rgb(1 2)", '"1 2" is not an RGB colour'),
        ("cmyk(0 20 100)", '"0 20 100" is not a CMYK colour'),
        (
            "rgba(0, 0, 0, 0.6)",
            "write #8a1c1c, rgb(138 28 28) or cmyk(0 20 100 5);"
            " how far it shines through is said by opacity",
        ),
        ("hsl(0 20 100)", "write #8a1c1c, rgb(138 28 28) or cmyk(0 20 100 5)"),
        ("embre", 'did you mean "ember"?'),
        ("goldenrot", 'did you mean "goldenrod"?'),
        ("facade", 'unknown colour "facade"'),
        ("nowhere-deep", 'unknown colour "nowhere"'),
        ("xyzzy", 'or define it: <colour name="xyzzy" cmyk="0 20 100 5"/>'),
        ("linear(ember)", "a gradient needs two stops or more"),
        ("linear(90, ember)", "a gradient needs two stops or more"),
        ("linear(ember,)", "a gradient needs two stops or more"),
        ("linear(ember 60, black 20)", "must rise from 0 to 100"),
        ("linear(ember, sea)", "a gradient mixes CMYK and RGB"),
        ("linear(ember, linear(white, black))", "one colour is wanted here"),
        ("linear(ember, none)", 'unknown colour "none"'),
        ("radial(at 30%, ember, black)", '"30%" must be two lengths'),
        ("radial(radius 0, ember, black)", '"0" must be above 0'),
        ("radial(radius, ember, black)", "must be one or two lengths"),
        ("radial(at 0 0 at 1mm 1mm, ember, black)", '"at" is said twice'),
    ],
)
def test_what_is_no_paint_is_refused(text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_paint(text, KNOWN)
    assert message in f"{caught.value}; {caught.value.hint}"


# Where a gradient lies


BOX = Rect(10, 20, 40, 20)


def test_a_radial_gradient_reaches_the_farthest_corner() -> None:
    course, matrix = Gradient(Outwards((HALF, Length())), ()).fit(BOX)
    assert isinstance(course, Circles)
    for x, y, at in ((0, 1, 1), (1, 1, 1), (0.5, 0, 0)):
        # Back from a point of the box to how far it lies out.
        dx = (BOX.x + x * BOX.width - matrix.e) / matrix.a - course.centre[0]
        dy = (BOX.y + y * BOX.height - matrix.f) / matrix.d - course.centre[1]
        assert (dx**2 + dy**2) ** 0.5 / course.radius == pytest.approx(at)


def test_a_radius_in_millimetres_makes_a_circle() -> None:
    round_ = Outwards((HALF, HALF), (Length(30), Length(30)), (Length(), HALF))
    course, matrix = Gradient(round_, ()).fit(BOX)
    assert (course, matrix) == (Circles((30, 30), 30, (10, 30)), IDENTITY)


def test_a_focus_stays_within() -> None:
    out = Outwards((HALF, HALF), (Length(5), Length(5)), (Length(), HALF))
    course, _ = Gradient(out, ()).fit(BOX)
    assert isinstance(course, Circles)
    assert course.focus == pytest.approx((30 - 4.95, 30))


def test_a_course_of_its_own_stays() -> None:
    axis = Axis((1, 2), (3, 4))
    assert Gradient(axis, ()).fit(BOX) == (axis, IDENTITY)


# What a card and a template say


def test_a_card_s_own_colour(project: Project) -> None:
    """Every wrong one is named, with its card and its field."""
    project.write_template('<box fill="{{ card.colour }}" stroke="{{ card.edge or \'none\' }}"/>')
    cards = ["'#8a1c1c'", "'#8a1'", "cmyk(0 20 100 5)", "rde", "'radial(gold, red)'", "''"]
    listed = "".join(f"  - {{name: {n}, colour: {c}}}\n" for n, c in enumerate(cards))
    project.write_deck(f"{listed}  - {{name: Edge, colour: red, edge: 'linear(red, blue)'}}\n")
    place = "templates/plain.xml:2"
    assert project.find_problems() == (
        f'{place}:6: card "3": its colour: unknown colour "rde"\n  hint: did you mean "red"?\n'
        f'{place}:6: card "5": its colour: there is no colour\n'
        "  hint: for a card that has none write {{ card.colour or 'black' }}, or ask for it by if\n"
        f'{place}:31: card "Edge": its edge: "linear(red, blue)" is a gradient, and one colour is'
        " wanted here\n  hint: a gradient fills boxes, shapes and icons"
    )


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ('kind="conic"', '"conic" is not one of: linear, radial'),
        ('kind="radial" angle="90"', '"angle" has no meaning in a radial gradient'),
        ('centre="1mm 1mm"', '"centre" has no meaning in a linear gradient'),
        ('kind="radial" centre="1mm"', '"1mm" must be two lengths'),
        ('kind="radial" radius="-2mm"', '"-2mm" must be above 0'),
    ],
)
def test_a_gradient_s_course_is_checked(project: Project, said: str, message: str) -> None:
    project.write_template(f'<gradient name="dusk" stops="red, blue" {said}/>')
    project.write_deck()
    assert f": {message}" in project.find_problems()


# What is seen within 5 mm of a card's edge: a pixel for each tenth of a millimetre

SEEN = """
<colour name="ember" cmyk="0 80 80 0"/>
<gradient name="ball" kind="radial" centre="50% 50%" radius="10mm" stops="white, ember"/>
<box padding="5mm">
<box width="20mm" height="20mm" fill="ball"/>
<box x="20mm" width="30mm" height="20mm" fill="radial(#00f, #ff0)"/>
<box y="20mm" width="20mm" height="20mm" fill="radial(radius 10mm focus 25% 50%, black, white)"/>
<box x="20mm" y="20mm" width="30mm" height="20mm" fill="linear(0, #f00, white)"/>
</box>
"""


def list_spaces(path: Path) -> list[tuple[int, str]]:
    """The kind and space of each gradient in a file."""
    with pikepdf.open(path) as file:
        shadings = [one for one in file.objects if isinstance(one, pikepdf.Dictionary)]
        found = [one for one in shadings if "/ShadingType" in one]
        return sorted((int(one.ShadingType), str(one.ColorSpace)) for one in found)


def test_gradients_are_seen(project: Project) -> None:
    """In colours as given, and in those of a press: on either, the same course."""
    project.write_template(SEEN, attributes='size="60mm x 50mm" bleed="3mm"')
    project.write_deck()
    as_given, on_press = (project.build(target=name).path for name in ("one-up", "press"))
    kinds = [(2, "/DeviceRGB"), (3, "/DeviceCMYK"), (3, "/DeviceCMYK"), (3, "/DeviceRGB")]
    assert list_spaces(as_given) == kinds
    assert list_spaces(on_press) == [(kind, "/DeviceCMYK") for kind, _ in kinds]
    for path in (as_given, on_press):
        page = PdfDocument(path)[0]
        left, bottom, right, top = page.get_trimbox()
        image = page.render(scale=254 / 72).to_pil().convert("RGB")
        step = 254 / 72
        left, right = left + 5 * MM, right - 5 * MM
        bottom, top = bottom + 5 * MM, top - 5 * MM
        high = page.get_height()
        box = (left * step, (high - top) * step, right * step, (high - bottom) * step)
        card = image.crop(tuple(map(round, box)))
        # A ball: light in the middle, ember at 10 mm on every side and beyond.
        middle, *edges = (get(card, *at) for at in ((100, 100), (2, 100), (100, 3), (3, 3)))
        assert min(middle) > 250
        assert all(edge[0] > 200 and max(edge[1:]) < 130 for edge in edges), edges
        # An ellipse through all four corners, blue within.
        assert get(card, 350, 100)[2] > 150 > get(card, 350, 100)[0]
        corners = [get(card, x, y) for x in (204, 495) for y in (4, 195)]
        assert all(r > 200 and g > 190 and b < 110 for r, g, b in corners), corners
        half = [get(card, 350 + dx, 100 + dy) for dx, dy in ((106, 0), (0, 71), (-106, 0))]
        assert max(abs(a - b) for one in half for a, b in zip(one, half[0], strict=True)) <= 6
        # A focus: black lies left of the middle, and white all around at 10 mm.
        assert max(get(card, 50, 300)) < 60
        assert min(get(card, 100, 300)) > 60
        assert min(get(card, 197, 300)) > 240
        assert min(get(card, 3, 300)) > 225
        # From red to white.
        assert max(get(card, 205, 300)[1:]) < 60
        assert min(get(card, 495, 300)) > 240


def get(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    pixel = image.getpixel((x, y))
    assert isinstance(pixel, tuple)
    return pixel
