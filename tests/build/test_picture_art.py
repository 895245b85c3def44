"""Pictures in greys and tints, repeated, cut to shapes and masked by other pictures: as pixels of a
picture, of a press file, and of one without transparency.
"""

from __future__ import annotations

from collections.abc import Iterator

import pikepdf
import pypdfium2
import pytest
from conftest import Project
from PIL import Image, ImageDraw
from strategies import find_problem, lay_out

from cardgen.layout.face import Form, Picture

SCALE = 4  # pixels to a point
CARD = 'size="60mm x 50mm" bleed="3mm"'
EDGE = 5  # mm
RED, WHITE = (255, 0, 0), (255, 255, 255)
BODY = """<colour name="wine" cmyk="0 100 50 0"/>
<box x="5mm" y="5mm" width="50mm" height="40mm">
<image file="tile.png" fit="tile" tile-size="5mm" width="50mm" height="20mm"/>
<image file="red.png" tint="wine" x="2mm" y="22mm" width="8mm" height="8mm"/>
<image file="red.png" greyscale="true" x="12mm" y="22mm" width="8mm" height="8mm"/>
<image file="red.png" mask="circle" x="22mm" y="22mm" width="8mm" height="8mm"/>
<image file="red.png" mask="path M0 0 L1 0 L1 1 Z" x="32mm" y="22mm" width="8mm" height="8mm"/>
<image file="red.png" mask="mask.png" x="2mm" y="31mm" width="8mm" height="8mm"/>
<image file="red.png" tint="wine" mask="hexagon" x="12mm" y="31mm" width="8mm" height="8mm"/>
<image file="tile.png" fit="tile" tile-size="2mm" radius="4mm" x="22mm" y="31mm" width="8mm"
       height="8mm"/>
</box>"""


def test_an_icon_may_be_called_as_its_file(project: Project) -> None:
    faces = lay_out(
        project, '<icon name="{{ card.sign }}"/>', {"sign": "sword"}, {"sign": "sword.svg"}
    )
    plain, whole = ([i.shared for i in face.items if isinstance(i, Form)] for face in faces)
    assert plain == whole != []


def test_a_path_may_be_written_as_windows_writes_it(project: Project) -> None:
    Image.new("RGB", (20, 20), RED).save(project.write("pictures/pips/red.png", ""))
    (face,) = lay_out(project, '<image file="{{ card.file }}"/>', {"file": "pips\\red.png"})
    assert [item.path.name for item in face.items if isinstance(item, Picture)] == ["red.png"]


@pytest.fixture
def art(project: Project) -> Project:
    Image.new("RGB", (200, 200), RED).save(project.write("red.png", ""))
    tile = Image.new("RGB", (120, 120), (0, 0, 255))
    ImageDraw.Draw(tile).rectangle((0, 0, 59, 119), fill=(0, 255, 255))
    tile.save(project.write("tile.png", ""))
    mask = Image.new("RGBA", (200, 200), (0, 0, 0, 0))
    ImageDraw.Draw(mask).rectangle((0, 0, 99, 199), fill=(0, 0, 0, 255))
    ImageDraw.Draw(mask).rectangle((100, 100, 199, 199), fill=(0, 0, 0, 128))
    mask.save(project.write("mask.png", ""))
    project.write_template(BODY, attributes=CARD)
    project.write_deck()
    return project


def open_card(project: Project, target: str) -> Image.Image:
    """The trim of the card, SCALE pixels to a point."""
    path = project.build(target=target).path
    if path.is_dir():
        with Image.open(path / "1-sword-front.png") as image:
            size = round(66 * 72 / 25.4 * SCALE), round(56 * 72 / 25.4 * SCALE)
            return crop(image.convert("RGB").resize(size, Image.Resampling.BOX))
    page = pypdfium2.PdfDocument(path)[0]
    box, trim = page.get_mediabox(), page.get_trimbox()
    image = page.render(scale=SCALE).to_pil().convert("RGB")
    left, top = (trim[0] - box[0]) * SCALE, (box[3] - trim[3]) * SCALE
    cut: Image.Image = image.crop((round(left), round(top), image.width, image.height))
    return cut


def crop(image: Image.Image) -> Image.Image:
    edge = round(3 * 72 / 25.4 * SCALE)
    return image.crop((edge, edge, image.width, image.height))


def look_at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    scale = 72 / 25.4 * SCALE
    pixel = image.getpixel((round((x + EDGE) * scale), round((y + EDGE) * scale)))
    assert isinstance(pixel, tuple)
    return pixel


def is_near(pixel: tuple[int, ...], other: tuple[int, ...], most: int = 12) -> bool:
    return all(abs(a - b) <= most for a, b in zip(pixel, other, strict=True))


@pytest.mark.parametrize("target", ["png", "press", "press-x1a"])
def test_pictures_as_they_are_seen(art: Project, target: str) -> None:
    card = open_card(art, target)
    red = look_at(card, 26, 26)
    assert red[0] > 200
    assert max(red[1:]) < 80
    # Tiles: left halves light, right halves dark, and the same again and again.
    light, dark = look_at(card, 1, 2), look_at(card, 4, 2)
    assert light[1] > dark[1] + 60
    for column in range(10):
        for row in range(4):
            assert is_near(look_at(card, column * 5 + 1.2, row * 5 + 2.4), light)
            assert is_near(look_at(card, column * 5 + 3.8, row * 5 + 2.4), dark)
    # Tints of a colour: red is a dark grey, so it is nearly the colour itself.
    tinted, grey = look_at(card, 6, 26), look_at(card, 16, 26)
    assert tinted[0] > tinted[2] > tinted[1] + 8
    assert max(grey) - min(grey) < 12
    assert 60 < grey[0] < 130
    # Cut to shapes: the middle is there, the corners are not.
    assert look_at(card, 22.4, 22.4) == WHITE
    assert is_near(look_at(card, 22.4, 26), red)
    assert is_near(look_at(card, 38, 24), red)
    assert look_at(card, 33, 29) == WHITE
    assert look_at(card, 12.4, 31.4) == WHITE
    assert is_near(look_at(card, 16, 35), tinted, 16)
    assert look_at(card, 22.3, 31.3) == WHITE
    assert look_at(card, 26.4, 35.4) != WHITE
    # Masked: all of it at the left, none above at the right, and half below.
    half = look_at(card, 8, 37)
    assert is_near(look_at(card, 4, 35), red)
    assert look_at(card, 8, 33) == WHITE
    assert all(pixel + 40 < 255 for pixel in half[1:])
    assert half[1] > red[1] + 60


def test_there_are_no_seams_between_tiles(art: Project) -> None:
    Image.new("RGB", (37, 53), (0, 90, 160)).save("tile.png")
    body = '<image file="tile.png" fit="tile" tile-size="3.37mm" bleed="true"/>'
    art.write_template(body, attributes=CARD)
    with Image.open(art.build(target="png").path / "1-sword-front.png") as card:
        assert card.getextrema() == ((0, 0), (90, 90), (160, 160))


def list_spaces(project: Project, target: str) -> Iterator[str]:
    with pikepdf.open(project.build(target=target).path) as file:
        for thing in file.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                space = thing.ColorSpace
                named = isinstance(space, pikepdf.Array)
                yield " ".join(str(part) for part in list(space)[:2]) if named else str(space)


def test_a_press_prints_tints_in_the_ink_of_their_colour(art: Project) -> None:
    art.write_template(
        '<colour name="ink" cmyk="0 100 0 0"/>'
        '<image file="red.png" tint="ink" x="5mm" y="5mm" width="9mm" height="9mm"/>'
        '<image file="red.png" greyscale="true" x="5mm" y="20mm" width="9mm" height="9mm"/>',
        attributes=CARD,
    )
    assert sorted(list_spaces(art, "press")) == ["/DeviceGray", "/Indexed /DeviceCMYK"]


def test_one_file_in_two_tones_is_two_pictures(project: Project) -> None:
    Image.new("RGB", (9, 9), RED).save(project.write("red.png", ""))
    (face,) = lay_out(
        project,
        '<image file="red.png"/><image file="red.png" greyscale="true"/>'
        '<image file="red.png" tint="black"/>',
    )
    assert "in grey" in face.dump()
    assert "in cmyk(0 0 0 1)" in face.dump()
    assert not any(isinstance(item, Picture) and item.tone for item in face.items)


# What is refused


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ('mask="red.png"', 'picture "red.png" is opaque all over, so that it masks nothing'),
        ('mask="gone.png"', 'there is no picture "gone.png"'),
        ('mask="circel"', 'unknown shape "circel"'),
        ('mask="path M0 0 L9"', 'a path has broken data at "M0 0 L9"'),
        ('mask="path M0 0 L9 0"', "a path has no area"),
        ('fit="tile"', 'fit="tile" and tile-size need each other'),
        ('tile-size="5mm"', 'fit="tile" and tile-size need each other'),
        (
            'fit="tile" tile-size="5mm" bleed="mirror"',
            'bleed="mirror" has no meaning for a picture that is repeated',
        ),
        (
            'fit="tile" tile-size="0.1mm"',
            "a picture would be repeated 40,000 times, more than 2,500",
        ),
    ],
)
def test_what_cannot_be(project: Project, attributes: str, said: str) -> None:
    Image.new("RGB", (9, 9), RED).save(project.write("red.png", ""))
    body = f'<image file="red.png" width="20mm" height="20mm" {attributes}/>'
    assert said in find_problem(project, body)
