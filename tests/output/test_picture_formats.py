"""Pictures of each format as a page shows them: upright, clear where they are clear, in the inks of
a press by their own profile.
"""

from __future__ import annotations

import zlib
from typing import Any

import pikepdf
import pytest
from conftest import Project
from PIL import Image, ImageDraw
from png_files import make_png

from cardgen.core.errors import CardgenError
from cardgen.output.inks import make_srgb

BLUE, WHITE = (0, 0, 255), (255, 255, 255)
UPSIDE_DOWN = 3


def draw_corner(mode: str, colour: Any, ground: Any) -> Image.Image:
    """A picture whose top left quarter has a colour."""
    image = Image.new(mode, (32, 32), ground)
    ImageDraw.Draw(image).rectangle((0, 0, 15, 15), fill=colour)
    return image


def turn(image: Image.Image) -> Image.Image:
    return image.transpose(Image.Transpose.ROTATE_180)


def make_exif(orientation: int) -> Image.Exif:
    exif = Image.Exif()
    exif[0x0112] = orientation
    return exif


CLEAR = draw_corner("RGBA", (0, 0, 255, 255), (255, 0, 0, 0))
PLAIN = draw_corner("RGB", BLUE, WHITE)
LOSSLESS = {"lossless": True}
# What each is saved with, and its options.
PICTURES: dict[str, tuple[Image.Image, dict[str, Any]]] = {
    "clear.webp": (CLEAR, LOSSLESS),
    "turned.webp": (turn(PLAIN), LOSSLESS | {"exif": make_exif(UPSIDE_DOWN)}),
    "moving.webp": (PLAIN, LOSSLESS | {"save_all": True, "append_images": [turn(PLAIN)]}),
    "clear.gif": (CLEAR, {}),
    "moving.gif": (PLAIN, {"save_all": True, "append_images": [turn(PLAIN)]}),
    "clear.avif": (CLEAR, {"quality": 95}),
    "turned.avif": (turn(PLAIN), {"quality": 95, "exif": make_exif(UPSIDE_DOWN)}),
    "plain.bmp": (PLAIN, {}),
    "clear.tiff": (CLEAR, {"compression": "tiff_lzw"}),
    "turned.tiff": (turn(PLAIN), {"tiffinfo": {0x0112: UPSIDE_DOWN}}),
    "deep.tiff": (draw_corner("I;16", 0x2000, 0xFFFF), {"compression": "tiff_lzw"}),
    "inks.tiff": (draw_corner("CMYK", (255, 255, 0, 0), (0, 0, 0, 0)), {}),
}
SIDE = 8  # mm


DPI = 300


def write_cards(project: Project, pictures: dict[str, tuple[Image.Image, dict[str, Any]]]) -> None:
    """One card with all pictures, five to a row."""
    body = ['<colour name="grass" rgb="#00ff00"/><box bleed="true" fill="grass"/>']
    for number, (name, (image, options)) in enumerate(pictures.items()):
        image.save(project.write(name, ""), **options)
        x, y = number % 5 * SIDE, number // 5 * SIDE
        box = f'x="{x}mm" y="{y}mm" width="{SIDE}mm" height="{SIDE}mm"'
        body.append(f'<image file="{name}" {box}/>')
    project.write_template("\n".join(body), attributes='size="50mm x 40mm" bleed="3mm"')
    project.write_deck()


def look_at(image: Image.Image, number: int, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place in one of the pictures, in mm."""
    x, y = (number % 5 * SIDE + x + 3) * DPI / 25.4, (number // 5 * SIDE + y + 3) * DPI / 25.4
    pixel = image.getpixel((round(x), round(y)))
    assert isinstance(pixel, tuple)
    return pixel


def is_near(pixel: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) <= 12 for a, b in zip(pixel, other, strict=True))


def test_a_picture_of_each_format_is_upright_and_clear_where_it_is_clear(project: Project) -> None:
    write_cards(project, PICTURES)
    card = Image.open(project.build(target="png").path / "1-sword-front.png")
    special = {"deep.tiff": (0x20, 0x20, 0x20), "inks.tiff": (49, 42, 131)}
    for number, name in enumerate(PICTURES):
        ground = (0, 255, 0) if name.startswith("clear") else WHITE
        found = look_at(card, number, 2, 2), look_at(card, number, 6, 6)
        assert is_near(found[0], special.get(name, BLUE)), (name, found)
        assert is_near(found[1], ground), (name, found)


def swap_red_and_blue() -> bytes:
    """A profile in which what is called red is blue."""
    data = make_srgb()
    assert data.count(b"rXYZ") == data.count(b"bXYZ") == 1
    return data.replace(b"rXYZ", b"????").replace(b"bXYZ", b"rXYZ").replace(b"????", b"bXYZ")


def test_a_press_takes_a_picture_by_its_own_profile(project: Project) -> None:
    own = {"icc_profile": swap_red_and_blue()}
    red = Image.new("RGB", (96, 96), (255, 0, 0))
    saved: dict[str, dict[str, Any]] = {
        "a.png": {},
        "a.webp": LOSSLESS,
        "a.avif": {"quality": 100},
        "a.tiff": {},
        "a.jpg": {},
    }
    write_cards(project, {name: (red, own | options) for name, options in saved.items()})
    with pikepdf.open(project.build(target="press").path) as file:
        found = [
            thing.read_bytes()[:4]
            for thing in file.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        ]
        assert len(found) == len(saved)
        for cyan, magenta, yellow, black in found:
            assert min(cyan, magenta) > 180
            assert max(yellow, black) < 40


def write_fine_cards(project: Project, names: tuple[str, ...]) -> None:
    """Pictures with 3,810 dots on an inch: of eight pixels in a row one is enough."""
    exact = {"quality": 100, "subsampling": 0}
    own: dict[str, dict[str, Any]] = {"fine.jpg": exact, "turned.jpg": exact, "inks.jpg": exact}
    own["turned.jpg"] = exact | {"exif": make_exif(UPSIDE_DOWN)}
    of_names = {
        "plain.png": PLAIN,
        "clear.png": CLEAR,
        "palette.png": CLEAR.convert("P"),
        "grey.png": draw_corner("LA", (0, 255), (255, 0)),
        "deep.png": draw_corner("I;16", 0x2000, 0xFFFF),
        "fine.jpg": PLAIN,
        "turned.jpg": turn(PLAIN),
        "inks.jpg": draw_corner("CMYK", (255, 255, 0, 0), (0, 0, 0, 0)),
        "turned.webp": turn(PLAIN),
    }
    own["turned.webp"] = LOSSLESS | {"exif": make_exif(UPSIDE_DOWN)}
    large = {
        name: (of_names[name].resize((1200, 1200), Image.Resampling.NEAREST), own.get(name, {}))
        for name in names
    }
    write_cards(project, large)


def test_a_picture_that_is_much_finer_than_needed_becomes_coarser_and_looks_the_same(
    project: Project,
) -> None:
    clear = ("clear.png", "palette.png", "grey.png")
    opaque = ("plain.png", "deep.png", "fine.jpg", "turned.jpg", "inks.jpg", "turned.webp")
    names = (*clear, *opaque)
    write_fine_cards(project, names)
    press = project.build(target="press").path
    with pikepdf.open(press) as file:
        found = [
            (int(thing["/Width"]), int(thing["/Height"]))
            for thing in file.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        ]
    assert set(found) == {(150, 150)}
    assert len(found) == len(names) + len(clear)  # masks
    card = Image.open(project.build(target="png").path / "1-sword-front.png")
    special = {"grey.png": (0, 0, 0), "deep.png": (0x20, 0x20, 0x20), "inks.jpg": (49, 42, 131)}
    for number, name in enumerate(names):
        ground = (0, 255, 0) if name in clear else WHITE
        shown = look_at(card, number, 2, 2), look_at(card, number, 6, 6)
        assert is_near(shown[0], special.get(name, BLUE)), (name, shown)
        assert is_near(shown[1], ground), (name, shown)


def test_a_jpeg_stays_as_it_is_where_its_colours_do(project: Project) -> None:
    write_fine_cards(project, ("fine.jpg",))
    with pikepdf.open(project.build(target="a4").path) as file:
        (data,) = (
            thing.read_raw_bytes()
            for thing in file.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        )
    assert data == (project.folder / "fine.jpg").read_bytes()


def test_what_only_reading_the_pixels_finds_is_told(project: Project) -> None:
    note = b"a\0\0" + zlib.compress(bytes(2_000_000))  # too long a text, behind the pixels
    for chunks in ({b"IDAT": b"none"}, {b"IDAT": zlib.compress(bytes(90)), b"zTXt": note}):
        write_fine_cards(project, ("grey.png",))
        (project.folder / "grey.png").write_bytes(make_png(9, 9, chunks))
        with pytest.raises(CardgenError, match=r"cannot be read: .*\n.*save it again as PNG"):
            project.build(target="a4")
