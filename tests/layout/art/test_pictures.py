"""Picture files: what is read off them, what is refused and how, and how they fill a box."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, features
from png_files import make_png

from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Rect
from cardgen.layout.art.pictures import (
    PictureFit,
    PictureInfo,
    place_picture,
    read_picture,
)
from cardgen.layout.face import Picture

PLACE = Where("item.xml", 3, 5)
ORIENTATION = 0x0112


def save(path: Path, mode: str = "RGB", size: tuple[int, int] = (30, 20), **options: Any) -> Path:
    noise = Image.effect_noise(size, 60)
    image = noise.convert(mode)
    if mode.endswith("A"):
        image.putalpha(noise)
    image.save(path, **options)
    return path


def refusal(path: Path) -> str:
    with pytest.raises(CardgenError) as caught:
        read_picture(path, PLACE)
    return str(caught.value)


def info_of(width: int, height: int) -> PictureInfo:
    return PictureInfo(Path("p.png"), width, height, "rgb", False, "png", None, False)


# What is read


@pytest.mark.parametrize(
    ("name", "mode", "expected_mode", "has_alpha", "file_format"),
    [
        ("a.png", "RGB", "rgb", False, "png"),
        ("a.png", "RGBA", "rgb", True, "png"),
        ("a.png", "P", "rgb", False, "png"),
        ("a.png", "L", "grey", False, "png"),
        ("a.png", "LA", "grey", True, "png"),
        ("a.png", "1", "grey", False, "png"),
        ("a.png", "I;16", "grey", False, "png"),
        ("a.jpg", "RGB", "rgb", False, "jpeg"),
        ("a.jpg", "L", "grey", False, "jpeg"),
        ("a.jpg", "CMYK", "cmyk", False, "jpeg"),
        ("misnamed.png", "CMYK", "cmyk", False, "jpeg"),
        ("a.webp", "RGB", "rgb", False, "webp"),
        ("a.webp", "RGBA", "rgb", True, "webp"),
        ("a.gif", "P", "rgb", False, "gif"),
        ("a.avif", "RGB", "rgb", False, "avif"),
        ("a.avif", "RGBA", "rgb", True, "avif"),
        ("a.tiff", "RGB", "rgb", False, "tiff"),
        ("a.tiff", "RGBA", "rgb", True, "tiff"),
        ("a.tiff", "CMYK", "cmyk", False, "tiff"),
        ("a.tiff", "I;16", "grey", False, "tiff"),
        ("a.tiff", "1", "grey", False, "tiff"),
    ],
)
def test_a_picture_says_what_it_is(
    tmp_path: Path, name: str, mode: str, expected_mode: str, has_alpha: bool, file_format: str
) -> None:
    info = read_picture(save(tmp_path / name, mode, format=file_format))
    assert (info.width, info.height) == (30, 20)
    assert (info.mode, info.has_alpha, info.format) == (expected_mode, has_alpha, file_format)
    assert (info.dpi, info.turned) == (None, False)


def test_a_transparent_palette_entry_is_alpha(tmp_path: Path) -> None:
    assert read_picture(save(tmp_path / "a.png", "P", transparency=0)).has_alpha
    assert read_picture(save(tmp_path / "a.gif", "P", transparency=0)).has_alpha


@pytest.mark.parametrize("name", ["a.png", "a.jpg"])
def test_the_lower_of_two_resolutions_is_kept(tmp_path: Path, name: str) -> None:
    info = read_picture(save(tmp_path / name, dpi=(300, 150)))
    assert info.dpi == pytest.approx(150, abs=0.02)


@pytest.mark.parametrize("name", ["a.png", "a.jpg", "a.webp"])
@pytest.mark.parametrize(
    ("orientation", "size", "turned"),
    [
        (1, (30, 20), False),
        (3, (30, 20), True),
        (6, (20, 30), True),
        (8, (20, 30), True),
        (9, (30, 20), False),
    ],
)
def test_a_turned_picture_is_measured_upright(
    tmp_path: Path, name: str, orientation: int, size: tuple[int, int], turned: bool
) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    info = read_picture(save(tmp_path / name, exif=exif))
    assert (info.width, info.height) == size
    assert info.turned is turned


def test_broken_exif_leaves_a_picture_as_it_lies(tmp_path: Path) -> None:
    info = read_picture(save(tmp_path / "a.jpg", exif=b"Exif\x00\x00no such thing"))
    assert (info.width, info.height, info.turned) == (30, 20, False)


def test_a_camera_file_of_several_pictures_counts_as_its_first(tmp_path: Path) -> None:
    more = [Image.new("RGB", (10, 10))]
    path = save(tmp_path / "a.jpg", format="MPO", save_all=True, append_images=more)
    info = read_picture(path)
    assert (info.width, info.height, info.format) == (30, 20, "jpeg")


def test_reading_a_second_time_gives_the_same_object(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png")
    assert read_picture(path) is read_picture(path, PLACE)


# What is refused


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"not a picture", "is not"),
        (b"\0\0\0\x18ftypheic", "is a HEIC picture, not"),
        (b"\0\0\0\x0cjP  \r\n", "is a JPEG 2000 picture, not"),
        (b"8BPS", "is a Photoshop file, not"),
        (b"%PDF-1.4", "is a PDF, not"),
        (b"<?xml version='1.0'?><svg/>", "is an SVG drawing, not"),
    ],
)
def test_another_format(tmp_path: Path, head: bytes, kind: str) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(head + bytes(50))
    assert refusal(path) == (
        f'item.xml:3:5: picture "a.png" {kind} a PNG, JPEG, WebP, GIF, AVIF, TIFF or BMP\n'
        "  hint: save it as PNG or JPEG"
    )


def test_an_avif_where_pillow_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(tmp_path / "a.avif")
    monkeypatch.setattr(features, "check", lambda _: False)
    assert refusal(path) == (
        'item.xml:3:5: picture "a.avif" is an AVIF, which Pillow cannot read here\n'
        "  hint: save it as PNG or JPEG"
    )


@pytest.mark.parametrize(("mode", "said"), [("F", "numbers of 32 bits"), ("LAB", "Lab colours")])
def test_pixels_that_no_printer_knows(tmp_path: Path, mode: str, said: str) -> None:
    path = tmp_path / "a.tiff"
    Image.new(mode, (9, 9)).save(path)
    assert refusal(path) == (
        f'item.xml:3:5: picture "a.tiff" has pixels in {said}\n'
        "  hint: save it in RGB, CMYK or grey with 8 or 16 bits a channel"
    )


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.touch()
    assert refusal(path) == (
        'item.xml:3:5: picture "a.png" is an empty file\n  hint: save it as PNG or JPEG'
    )


@pytest.mark.parametrize(
    "name", ["a.png", "a.jpg", "a.webp", "a.gif", "a.avif", "a.tiff", "lzw.tiff"]
)
@pytest.mark.parametrize("kept", [0.02, 0.3, 0.7, 0.98])
def test_a_truncated_file(
    tmp_path: Path, name: str, kept: float, capfd: pytest.CaptureFixture[str]
) -> None:
    packed = {"compression": "tiff_lzw"} if name == "lzw.tiff" else {}
    path = save(tmp_path / name, size=(200, 100), **packed)
    data = path.read_bytes()
    path.write_bytes(data[: max(24, int(len(data) * kept))])
    assert refusal(path) == (
        f'item.xml:3:5: picture "{name}" is broken or cut short\n'
        "  hint: save it again as PNG or JPEG"
    )
    assert capfd.readouterr().err == ""


def test_a_png_with_a_wrong_checksum(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", size=(200, 100))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)
    assert refusal(path) == (
        'item.xml:3:5: picture "a.png" is broken or cut short\n  hint: save it again as PNG or JPEG'
    )


@pytest.mark.parametrize(
    ("kind", "chunks"),
    [
        (3, {b"IDAT": zlib.compress(bytes(90))}),  # places in a palette that is not there
        (
            0,
            {b"acTL": bytes(3) + b"\2" + bytes(4), b"IDAT": zlib.compress(bytes(90)), b"fdAT": b""},
        ),
    ],
)
def test_a_png_that_is_wrong_under_right_checksums(
    tmp_path: Path, kind: int, chunks: dict[bytes, bytes]
) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(make_png(9, 9, chunks, kind))
    assert "is broken or cut short" in refusal(path)


# Below, between and above the two sizes at which Pillow itself warns and refuses.
@pytest.mark.parametrize("size", [(10_000, 10_001), (13_000, 13_000), (60_000, 60_000)])
def test_a_decompression_bomb(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(empty_png(*size))
    assert refusal(path) == (
        'item.xml:3:5: picture "a.png" has more than 100 megapixels\n  hint: scale it down'
    )


def make_webp_head(kind: bytes, width: int, height: int) -> bytes:
    """The head of a WebP in one of its three kinds; behind it there is nothing."""
    sizes = {
        b"VP8X": bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"),
        b"VP8L": b"/" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little"),
        b"VP8 ": b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height),
    }
    return b"RIFF\xff\0\0\0WEBP" + kind + b"\x0a\0\0\0" + sizes[kind] + bytes(40)


@pytest.mark.parametrize("kind", [b"VP8X", b"VP8L", b"VP8 "])
def test_a_webp_bomb_is_never_opened(
    tmp_path: Path, kind: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.webp"
    path.write_bytes(make_webp_head(kind, 16_383, 16_383))
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("it is opened"))
    assert refusal(path) == (
        'item.xml:3:5: picture "a.webp" has more than 50 megapixels\n  hint: scale it down'
    )


def test_bombs_of_other_kinds(tmp_path: Path) -> None:
    gif = tmp_path / "a.gif"
    frame = b"," + struct.pack("<HHHHB", 0, 0, 65_535, 65_535, 0) + b"\x02\x01\x44\0;"
    control = b"!\xf9\x04\x08\0\0\0\0"  # which asks to clear what is not there
    gif.write_bytes(b"GIF89a" + struct.pack("<HHBBB", 9, 9, 0, 0, 0) + control + frame)
    tiff = save(tmp_path / "a.tiff", "L")
    data = tiff.read_bytes()
    wide = struct.pack("<HHII", 0x100, 4, 1, 30), struct.pack("<HHII", 0x100, 4, 1, 60_000)
    high = struct.pack("<HHII", 0x101, 4, 1, 20), struct.pack("<HHII", 0x101, 4, 1, 60_000)
    assert wide[0] in data
    assert high[0] in data
    tiff.write_bytes(data.replace(*wide).replace(*high))
    for path in (gif, tiff):
        assert refusal(path) == (
            f'item.xml:3:5: picture "{path.name}" has more than 100 megapixels\n'
            "  hint: scale it down"
        )


def test_a_file_too_long_to_be_read(tmp_path: Path) -> None:
    path = save(tmp_path / "a.webp")
    with path.open("r+b") as file:
        file.truncate(500_000_001)
    assert refusal(path) == (
        'item.xml:3:5: picture "a.webp" is a file of more than 500 MB\n  hint: scale it down'
    )


@pytest.mark.filterwarnings("error")
def test_a_large_picture_below_the_limit_is_no_bomb(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(empty_png(10_000, 10_000))
    assert read_picture(path).width == 10_000


def test_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a.png") == (
        'item.xml:3:5: picture "a.png" cannot be read: No such file or directory'
    )


def empty_png(width: int, height: int) -> bytes:
    """Sound in every chunk, and without a pixel."""
    return make_png(width, height, {b"IDAT": zlib.compress(b"")})


# Placing

BOX = Rect(10, 20, 100, 50)


def test_contain_shows_the_whole_picture() -> None:
    frame = Rect(35, 20, 50, 50)
    assert place_picture(info_of(200, 200), BOX, "contain", 3) == Picture(
        Path("p.png"), frame, frame, 3, fineness=4
    )


def test_cover_fills_the_whole_box() -> None:
    assert place_picture(info_of(200, 200), BOX, "cover", 3) == Picture(
        Path("p.png"), Rect(10, -5, 100, 100), BOX, 3, fineness=2
    )


def test_a_radius_is_at_most_half_the_shorter_side() -> None:
    assert place_picture(info_of(400, 100), BOX, "contain", 90).radius == 12.5
    assert place_picture(info_of(400, 100), BOX, "cover", 90).radius == 25


PIXELS = st.integers(1, 20_000)
LENGTHS = st.floats(1, 2000)
PLACES = st.floats(-500, 500)
BOXES = st.builds(Rect, PLACES, PLACES, LENGTHS, LENGTHS)
INFOS = st.builds(info_of, PIXELS, PIXELS)
FITS: st.SearchStrategy[PictureFit] = st.sampled_from(["cover", "contain"])


@given(INFOS, BOXES, FITS)
def test_a_placed_picture_keeps_its_shape_and_its_middle(
    info: PictureInfo, box: Rect, fit: PictureFit
) -> None:
    frame = place_picture(info, box, fit, 0).frame
    assert frame.width * info.height == pytest.approx(frame.height * info.width)
    assert frame.x + frame.right == pytest.approx(box.x + box.right, abs=1e-6)
    assert frame.y + frame.bottom == pytest.approx(box.y + box.bottom, abs=1e-6)


@given(INFOS, BOXES)
def test_contain_lies_within_the_box_and_touches_it(info: PictureInfo, box: Rect) -> None:
    picture = place_picture(info, box, "contain", 0)
    assert picture.clip == picture.frame
    assert box.contains(picture.frame, tolerance=1e-6)
    assert touches(picture.frame, box)


@given(INFOS, BOXES)
def test_cover_covers_the_box_and_no_more_than_it_must(info: PictureInfo, box: Rect) -> None:
    picture = place_picture(info, box, "cover", 0)
    assert picture.clip == box
    assert picture.frame.contains(box, tolerance=1e-6)
    assert touches(picture.frame, box)


def touches(frame: Rect, box: Rect) -> bool:
    return frame.width == pytest.approx(box.width) or frame.height == pytest.approx(box.height)
