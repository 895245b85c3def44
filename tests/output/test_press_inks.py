"""Colours and pictures in the inks of a press: what stays, what is turned, and how much ink."""

from __future__ import annotations

from functools import cache, lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from cardgen.core.colour import Colour, parse_cmyk, parse_rgb
from cardgen.core.library import HOME
from cardgen.output.inks import Inks, read_profile

_SHARES = st.integers(0, 100).map(lambda percent: percent / 100)
_CMYK = st.tuples(*[_SHARES] * 4).map(lambda values: Colour("cmyk", values))
_LIMITS = st.sampled_from((240, 300))
_BYTES = st.binary(min_size=64, max_size=64)


@lru_cache
def make_inks(limit: int | None = 300, profile: int = 300) -> Inks:
    return Inks("cmyk", read_profile(HOME / f"assets/profiles/coated-fogra39-{profile}.icc"), limit)


def see(colour: Colour) -> tuple[float, ...]:
    """A CMYK colour in Lab, as the profile says it looks."""
    pixel = bytes(round(value * 255) for value in colour.values)
    seen = ImageCms.applyTransform(Image.frombytes("CMYK", (1, 1), pixel), make_eye())
    assert seen is not None
    lightness, *hue = seen.tobytes()
    return (lightness / 2.55, *(value - 256 if value > 127 else value for value in hue))


@cache
def make_eye() -> ImageCms.ImageCmsTransform:
    profile = ImageCms.ImageCmsProfile(str(HOME / "assets/profiles/coated-fogra39-300.icc"))
    return ImageCms.buildTransform(profile, ImageCms.createProfile("LAB"), "CMYK", "LAB")


def count_ink(picture: Image.Image) -> list[int]:
    data = picture.tobytes()
    return [sum(data[at : at + 4]) for at in range(0, len(data), 4)]


@settings(deadline=None)
@given(_CMYK, _LIMITS)
def test_cmyk_stays_unless_it_is_too_much(colour: Colour, limit: int) -> None:
    turned = make_inks(limit).turn(colour)
    assert turned.space == "cmyk"
    assert sum(turned.values) <= limit / 100 + 1e-9
    if sum(colour.values) <= limit / 100:
        assert turned == colour


@pytest.mark.parametrize("colour", ["100 100 100 100", "80 70 60 70", "90 90 20 60", "0 90 90 90"])
def test_too_much_ink_is_brought_down_and_looks_much_the_same(colour: str) -> None:
    given = parse_cmyk(colour)
    turned = make_inks(240, 240).turn(given)
    assert sum(turned.values) <= 2.4
    apart = sum((a - b) ** 2 for a, b in zip(see(given), see(turned), strict=True)) ** 0.5
    assert apart < 10


def test_neutral_rgb_becomes_black_alone() -> None:
    inks = make_inks()
    assert inks.turn(parse_rgb("#000000")) == Colour("cmyk", (0, 0, 0, 1))
    assert inks.turn(parse_rgb("#ffffff")) == Colour("cmyk", (0, 0, 0, 0))
    assert inks.turn(parse_rgb("#cccccc")) == Colour("cmyk", (0, 0, 0, 0.2))


@settings(deadline=None)
@given(st.tuples(*[st.integers(0, 255)] * 3), _LIMITS)
def test_rgb_goes_through_the_profile(values: tuple[int, int, int], limit: int) -> None:
    turned = make_inks(limit).turn(Colour("rgb", tuple(value / 255 for value in values)))
    assert turned.space == "cmyk" and sum(turned.values) <= limit / 100 + 1e-9
    if len(set(values)) == 1:
        assert not any(turned.values[:3])


def test_red_is_magenta_and_yellow() -> None:
    cyan, magenta, yellow, black = make_inks().turn(parse_rgb("#ff0000")).values
    assert (cyan, black) == (0, 0) and magenta > 0.9 and yellow > 0.9


def test_grey_is_one_channel() -> None:
    profile = read_profile(HOME / "assets/profiles/coated-fogra39-300.icc")
    inks = Inks("grey", profile, 240)
    assert inks.turn(parse_cmyk("0 0 0 100")) == Colour("grey", (0,))
    assert inks.turn(parse_cmyk("0 0 0 30")).values[0] == pytest.approx(0.7)
    assert inks.turn(parse_rgb("#808080")).values[0] == pytest.approx(128 / 255)
    light, dark = (inks.turn(parse_cmyk(text)).values[0] for text in ("0 0 60 0", "90 60 0 0"))
    assert light > 0.8 > 0.5 > dark
    for mode in ("RGB", "CMYK", "L"):
        assert inks.turn_picture(Image.new(mode, (2, 2))).mode == "L"


def test_colours_are_kept_as_given() -> None:
    inks = Inks()
    for colour in (parse_cmyk("100 100 100 100"), parse_rgb("#808080")):
        assert inks.turn(colour) is colour
    picture = Image.new("RGB", (2, 2))
    assert inks.turn_picture(picture) is picture


@settings(deadline=None)
@given(_BYTES, _LIMITS)
def test_pixels_keep_the_limit_and_others_stay(data: bytes, limit: int) -> None:
    picture = Image.frombytes("CMYK", (4, 4), data)
    turned = make_inks(limit).turn_picture(picture)
    before, after = count_ink(picture), count_ink(turned)
    assert max(after) <= limit * 2.55
    pixels = zip(before, range(0, 64, 4), strict=True)
    assert all(
        turned.tobytes()[at : at + 4] == data[at : at + 4]
        for ink, at in pixels
        if ink <= limit * 2.55
    )


def test_a_large_picture_is_limited_to_its_last_row() -> None:
    picture = Image.new("CMYK", (1500, 1500), (0, 0, 0, 200))
    picture.paste((255, 255, 255, 255), (1490, 1490, 1500, 1500))
    picture.paste((255, 255, 255, 255), (0, 0, 10, 10))
    turned = make_inks(240).turn_picture(picture)
    assert turned.getpixel((700, 700)) == (0, 0, 0, 200)
    assert max(count_ink(turned)) <= 240 * 2.55


def test_a_picture_s_own_profile_counts() -> None:
    grid = bytes(value for red in range(0, 256, 51) for value in (red, 80, 160))
    plain = Image.frombytes("RGB", (6, 1), grid)
    own = plain.copy()
    # A profile in which red and green have changed their places.
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, other in ((b"rXYZ", b"swap"), (b"gXYZ", b"rXYZ"), (b"swap", b"gXYZ")):
        srgb = srgb.replace(name, other)
    own.info["icc_profile"] = srgb
    broken = plain.copy()
    broken.info["icc_profile"] = b"no profile"
    inks = make_inks()
    assert inks.turn_picture(plain).tobytes() == inks.turn_picture(broken).tobytes()
    assert inks.turn_picture(plain).tobytes() != inks.turn_picture(own).tobytes()
