"""Shadows and glows: what is read, what is refused, what is seen of them on paper and screen, and
in which inks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest import Project
from making import prepare
from PIL import Image, ImageDraw
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from cardgen.core.colour import BLACK, parse_cmyk, parse_hex
from cardgen.core.errors import Refusal
from cardgen.core.units import MM
from cardgen.deck.model import Copy
from cardgen.layout.face import Form, Group, Item, Raster
from cardgen.template.model import Glow, Shadow
from cardgen.template.shadows import read_glow, read_shadow

EMBER = parse_cmyk("14 92 70 18")


@pytest.mark.parametrize(
    ("text", "shadow"),
    [
        ("1mm 2mm", Shadow(MM, 2 * MM, 0, BLACK)),
        ("-1mm 0 2mm black 40%", Shadow(-MM, 0, 2 * MM, BLACK, 0.4)),
        ("1pt 1pt ember", Shadow(1, 1, 0, EMBER)),
        ("0 0 3pt cmyk(14 92 70 18) 50%", Shadow(0, 0, 3, EMBER, 0.5)),
        ("1pt 1pt rgb(138, 28, 28) 12.5%", Shadow(1, 1, 0, parse_hex("#8a1c1c"), 0.125)),
        ("none", None),
    ],
)
def test_a_shadow_is_read(text: str, shadow: Shadow | None) -> None:
    assert read_shadow(text, {"ember": EMBER}) == shadow


@pytest.mark.parametrize(
    ("text", "glow"),
    [
        ("2pt", Glow(2, BLACK)),
        ("2pt ember 80%", Glow(2, EMBER, 0.8)),
        ("ember 2pt", Glow(2, EMBER)),
        ("2pt ember hard", Glow(2, EMBER, hard=True)),
        ("2pt #8a1c1c 30% hard", Glow(2, parse_hex("#8a1c1c"), 0.3, hard=True)),
        ("none", None),
    ],
)
def test_a_glow_is_read(text: str, glow: Glow | None) -> None:
    assert read_glow(text, {"ember": EMBER}) == glow


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_shadow, "", '"" is no shadow'),
        (read_shadow, "1mm black", "is no shadow"),
        (read_shadow, "1mm 1mm 1mm 1mm", "is no shadow"),
        (read_shadow, "1mm 1mm black hard", "is no shadow"),
        (read_shadow, "1mm 1mm blakc", 'did you mean "black"?'),
        (read_shadow, "1mm 1mm linear(red, blue)", "one colour is wanted"),
        (read_shadow, "1mm 1mm black 140%", "more than 100% opaque"),
        (read_shadow, "1mm 1mm -1mm", "its blur is 0 or more"),
        (read_shadow, "1mm 1mm 100mm", "write at most 20mm"),
        (read_shadow, "60mm 1mm", "write at most 50mm"),
        (read_glow, "0 gold", "is no glow"),
        (read_glow, "1mm 1mm gold", "is no glow"),
        (read_glow, "21mm gold", "reaches too far"),
    ],
)
def test_what_is_no_shadow_is_refused(read: Callable[..., Any], text: str, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        read(text, {})
    assert message in f"{caught.value}; {caught.value.hint}"


# What is seen

CARD = """
<box bleed="true" fill="#ccddee"/>
<box x="5mm" y="5mm" width="10mm" height="10mm" fill="white" shadow="2mm 2mm black">
  <text>{{ card.name }}</text>
</box>
<box x="25mm" y="5mm" width="10mm" height="10mm" padding="1mm" fill="white"
 shadow="0 0 4mm black 50%">
  <text>{{ card.name }}</text>
</box>
<image file="ring.png" x="45mm" y="5mm" width="10mm" height="10mm" shadow="1mm 1mm #00ff00"/>
<text x="5mm" y="22mm" size="30pt" weight="bold" colour="white" shadow="0.5mm 0.5mm black"
 glow="0.4mm #ff0000 hard">HIT</text>
<circle x="45mm" y="22mm" width="8mm" height="8mm" fill="white" glow="2mm #ff0000"/>
<box x="25mm" y="28mm" width="10mm" height="4mm" turn="90" fill="white" shadow="3mm 0 black"/>
<box x="40mm" y="31mm" width="10mm" height="5mm" fill="#0000ff" opacity="0.5" shadow="2mm 0 black"/>
"""


@pytest.fixture
def card(project: Project) -> Project:
    ring = Image.new("RGBA", (300, 300))
    ImageDraw.Draw(ring).ellipse((5, 5, 295, 295), outline="#0000ff", width=60)
    file = BytesIO()
    ring.save(file, "PNG")
    project.write("pictures/ring.png", file.getvalue())
    project.write_template(CARD, attributes='size="60mm x 40mm" bleed="3mm"')
    project.write_deck("  - name: Axe\n  - name: Club\n")
    return project


def render(path: Path) -> Callable[[float, float], tuple[int, int, int]]:
    """What colour there is, so many millimetres from the trim's top left."""
    if path.is_dir():
        image, left, top = Image.open(min(path.iterdir())).convert("RGB"), 3.0, 3.0
        scale = image.width / 66
    else:
        page = PdfDocument(path)[0]
        edge, _, _, high = page.get_trimbox()
        left, top, scale = edge / MM, (page.get_height() - high) / MM, 10.0
        image = page.render(scale=scale / MM).to_pil().convert("RGB")

    def see(x: float, y: float) -> tuple[int, int, int]:
        pixel = image.getpixel((round((left + x) * scale), round((top + y) * scale)))
        assert isinstance(pixel, tuple)
        return pixel[0], pixel[1], pixel[2]

    return see


@pytest.mark.parametrize("target", ["png", "press", "press-x1a"])
def test_shadows_are_seen(card: Project, target: str) -> None:
    path = card.build(target=target).path
    if target == "press":
        check_inks(path)
    elif target == "press-x1a":
        assert not any(clear for _, clear in list_images(path))
    see = render(path)
    ground = see(20, 10)
    # A sharp one: black up to its edge, and behind it the ground.
    assert max(see(16.7, 16.7)) < 60
    assert min(see(10, 10)) > 240
    assert (see(17.4, 16), see(6, 15.8)) == (ground, ground)
    # A soft one: half of its 50 % at the edge of the box, less and less beyond, and none at 6 mm.
    near, *far = (sum(see(35 + way, 10)) for way in (0.4, 1.5, 2.5, 6))
    assert sum(ground) * 0.55 < near < sum(ground) * 0.85
    assert near + 40 < far[0] and far[0] + 20 < far[1] < sum(ground)
    assert far[2] == pytest.approx(sum(ground), abs=3)
    # A picture that is clear in places casts its shape, and no rectangle.
    green = see(55.3, 12)
    assert green[1] > max(green[0], green[2]) + 40
    assert see(54.8, 5.4) == pytest.approx(ground, abs=6)
    assert see(50, 10) == pytest.approx(ground, abs=6)
    # A glow is whole at the edge, and gone where it ends.
    red = see(53.1, 26)
    assert red[0] > 180 and max(red[1:]) < 120
    assert see(56.5, 26) == pytest.approx(ground, abs=4)
    # A turned box: its shadow falls to the right, as that of any other.
    assert min(see(30, 30)) > 240
    assert max(see(37, 30)) < 60
    assert see(30, 33.5) == ground
    # A shadow is not seen through what casts it, and is as clear as that.
    left, right, beside = see(41, 33), see(49, 33), see(51, 33)
    assert left == pytest.approx(right, abs=6)
    assert left[2] > left[0] + 80
    assert max(beside) - min(beside) < 50 and 90 < sum(beside) / 3 < 150


def list_images(path: Path) -> Iterator[tuple[bytes, bool]]:
    """The pixels of each picture in a file, and whether it has a soft mask."""
    with pikepdf.open(path) as file:
        for one in file.objects:
            if isinstance(one, pikepdf.Stream) and one.get("/Subtype") == "/Image":
                yield one.read_bytes(), "/SMask" in one


def check_inks(path: Path) -> None:
    """Black is black ink alone. Both cards have one soft shadow, whatever their boxes hold, and one
    that is cut out; sharp ones are lines. No letter of a shadow is text.
    """
    black, red = bytes([0, 0, 0, 255]), bytes([0, 247, 240, 0])
    masked = [pixels for pixels, clear in list_images(path) if clear and len(pixels) == 4]
    assert len(masked) == 3
    assert masked.count(black) == 2
    (other,) = (pixels for pixels in masked if pixels != black)
    assert list(other) == pytest.approx(list(red), abs=15)
    assert PdfReader(path).pages[0].extract_text().count("HIT") == 1


def list_rasters(items: tuple[Item, ...]) -> Iterator[Raster]:
    for item in items:
        if isinstance(item, Raster):
            yield item
        elif isinstance(item, Form | Group):
            yield from list_rasters(item.shared.items)


def test_equal_shadows_are_made_once(project: Project) -> None:
    box = '<box x="{}mm" y="3mm" width="9mm" height="9mm" fill="{}" shadow="0 0 1mm">{}</box>'
    inner = '<text x="1mm" y="2mm" size="6pt">{{ card.name }}</text>'
    boxes = box.format(3, "white", inner) + box.format(20, "gold", inner)
    project.write_template(boxes + '<text shadow="0 0 1mm" y="20mm">{{ card.name }}</text>')
    project.write_deck("  - name: Axe\n  - name: Club\n")
    faces = prepare("deck").faces
    made = [faces.get_face(Copy(number, 0), "front") for number in (0, 1)]
    rasters = [raster for one in made if one for raster in list_rasters(one.face.items)]
    assert len(rasters) == 6
    assert len({id(raster.pixels) for raster in rasters}) == 3


def test_a_hard_glow_needs_an_edge(project: Project) -> None:
    file = BytesIO()
    Image.new("RGBA", (40, 40), (255, 0, 0, 100)).save(file, "PNG")
    project.write("pictures/pale.png", file.getvalue())
    project.write_template('<image file="pale.png" glow="1mm gold hard"/>')
    project.write_deck()
    assert project.find_problems() == (
        'decks/deck.yaml:3:5: card "Sword": a hard glow needs an edge, and a picture that is clear'
        " in places has none\n  hint: leave out hard, or cut the picture out by a shape;"
        " the template's element is templates/plain.xml:2:1"
    )
