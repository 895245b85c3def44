"""Output profiles: those that come with cardgen keep their limit of ink, and what is no profile of
a press is refused with what it is.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from pathlib import Path

import pytest
from conftest import Project
from PIL import Image, ImageCms

from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import HOME, Library
from cardgen.output.inks import Profile, read_profile

FOLDER = HOME / "assets/profiles"
SHIPPED = {"coated-fogra39-300": 300, "coated-fogra39-240": 240}


@lru_cache
def read_shipped(name: str) -> Profile:
    return read_profile(FOLDER / f"{name}.icc")


def make_grid(mode: str, step: int) -> Image.Image:
    """Every colour of a grid over a colour space, corners included."""
    values = range(0, 256, step)
    colours = bytes(value for colour in product(values, repeat=len(mode)) for value in colour)
    return Image.frombytes(mode, (1, len(values) ** len(mode)), colours)


def measure_most_ink(image: Image.Image) -> float:
    data = image.tobytes()
    return max(map(sum, zip(*(data[at::4] for at in range(4)), strict=True))) / 2.55


@pytest.mark.parametrize(("name", "limit"), SHIPPED.items())
def test_a_shipped_profile_keeps_its_limit(name: str, limit: int) -> None:
    profile = ImageCms.ImageCmsProfile(str(FOLDER / f"{name}.icc"))
    grids = (
        (ImageCms.createProfile("sRGB"), make_grid("RGB", 15)),
        (profile, make_grid("CMYK", 51)),
    )
    most = 0.0
    for source, grid in grids:
        for intent, flags in product(
            ImageCms.Intent, (ImageCms.Flags.NONE, ImageCms.Flags.BLACKPOINTCOMPENSATION)
        ):
            turn = ImageCms.buildTransform(source, profile, grid.mode, "CMYK", intent, flags)
            turned = ImageCms.applyTransform(grid, turn)
            assert turned is not None
            most = max(most, measure_most_ink(turned))
    assert limit - 5 < most <= limit


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_profile_is_one_of_a_press(name: str) -> None:
    profile = read_shipped(name)
    assert (profile.version, profile.condition) == (2, "FOGRA39")
    assert (profile.data[12:16], profile.data[16:20]) == (b"prtr", b"CMYK")
    assert len(profile.data) < 200_000


def test_profiles_are_found_by_name(project: Project) -> None:
    own = project.write("profiles/house.icm", read_shipped("coated-fogra39-240").data)
    library = Library(Path.cwd())
    assert library.list_names("profile") == ["coated-fogra39-240", "coated-fogra39-300", "house"]
    assert library.get("profile", "house").samefile(own)
    assert library.get("profile", "coated-fogra39-300").samefile(FOLDER / "coated-fogra39-300.icc")


def find_problem(path: Path) -> str:
    with pytest.raises(CardgenError) as caught:
        read_profile(path, Where("targets/mine.toml", 3))
    return str(caught.value)


def test_what_is_no_profile_of_a_press_is_refused(project: Project) -> None:
    good = read_shipped("coated-fogra39-240").data
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    needed = (
        'needed is an output profile (class "prtr") for CMYK, as the printer gives, or one of ours:'
        " coated-fogra39-300, coated-fogra39-240"
    )
    for name, data, message, hint in (
        ("text", b"no profile", '"text.icc" is no ICC profile', needed),
        (
            "screen",
            screen,
            'the profile "screen.icc" is one for a screen in RGB (class "mntr")',
            needed,
        ),
        (
            "short",
            good[:90_000],
            'the profile "short.icc" is broken or cut short',
            "copy it anew; ",
        ),
        (
            "hollow",
            good[:128] + b"\xff" * (len(good) - 128),
            'the profile "hollow.icc" is broken or cut short',
            "copy it anew; ",
        ),
    ):
        path = project.write(f"profiles/{name}.icc", data)
        problem = find_problem(path)
        assert problem.startswith(f"targets/mine.toml:3: {message}\n  hint: {hint}")
        assert needed in problem
    assert find_problem(Path("profiles/none.icc")) == (
        'targets/mine.toml:3: the profile "none.icc" cannot be read: No such file or directory'
    )


def test_a_profile_of_an_unknown_condition_has_none(project: Project) -> None:
    name = b"Coated FOGRA39"
    data = read_shipped("coated-fogra39-240").data.replace(name, b"Our own press!")
    assert read_profile(project.write("profiles/ours.icc", data)).condition is None
