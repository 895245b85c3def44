"""Pictures in place of a PDF: their sizes, names and corners, the .zip of them, and what becomes of
older ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from math import pi
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import Project
from PIL import Image, ImageCms, ImageFilter
from pypdf import PdfReader

from cardgen.core.library import HOME

CARDS = """
  - {name: Axe, count: 2}
  - {name: Club, back: none}
"""
POKER = 'size="poker" bleed="0.125in"'
EIGHTH = """
title = "An eighth of an inch"
extends = "one-up"
format = "png"
bleed_x = "0.125in"
bleed_y = "0.125in"
"""


@pytest.fixture
def axes(project: Project) -> Project:
    colours = '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
    front = '<box fill="red" bleed="true" height="50%"/><text>{{ card.name }}</text>'
    project.write_template(colours + front, attributes=POKER)
    project.write_template(colours + '<box fill="blue" bleed="true"/>', "back", POKER)
    project.write_deck(CARDS, head="template: plain\nback: back\n")
    project.write("targets/eighth.toml", EIGHTH)
    return project


def list_pictures(project: Project, folder: str) -> list[str]:
    inside = f"{folder}/"
    return [name.removeprefix(inside) for name in project.list_files() if inside in name]


def test_each_face_has_a_picture_of_its_own(axes: Project) -> None:
    ran = axes.run("build", "deck", "--target", "eighth")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == "output/deck-eighth: 3 cards as 5 pictures"
    assert list_pictures(axes, "output/deck-eighth") == [
        "1-axe-back.png",
        "1-axe-front.png",
        "2-axe-back.png",
        "2-axe-front.png",
        "3-club-front.png",
    ]


def test_a_picture_is_as_large_as_the_service_asks(axes: Project) -> None:
    """2.75 by 3.75 inches at 300 dpi, bleed and all, and not a pixel more."""
    axes.run("build", "deck", "--target", "eighth")
    front = Image.open("output/deck-eighth/1-axe-front.png")
    assert front.size == (825, 1125)
    assert front.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert (front.mode, front.getpixel((0, 0))) == ("RGB", (255, 0, 0))
    assert front.getpixel((824, 0)) == (255, 0, 0)
    assert front.getpixel((0, 1124)) == (255, 255, 255)
    assert Image.open("output/deck-eighth/1-axe-back.png").getpixel((824, 1124)) == (0, 0, 255)


def test_another_resolution(axes: Project) -> None:
    axes.write("targets/coarse.toml", EIGHTH + "dpi = 100\n")
    axes.run("build", "deck", "--target", "coarse", "--fronts")
    assert Image.open("output/deck-coarse-fronts/3-club-front.png").size == (275, 375)


def test_the_pictures_of_sheets(axes: Project) -> None:
    sheet = 'title = "Sheets"\nextends = "a4"\nformat = "png"\ndpi = 50\n'
    axes.write("targets/sheets.toml", sheet)
    ran = axes.run("build", "deck", "--target", "sheets")
    assert ran.stdout == "output/deck-sheets: 3 cards as 2 pictures\n"
    assert list_pictures(axes, "output/deck-sheets") == ["page-1-back.png", "page-1-front.png"]
    assert Image.open("output/deck-sheets/page-1-front.png").size == (413, 585)


def test_chosen_cards_keep_their_places(axes: Project) -> None:
    axes.run("build", "deck", "--target", "eighth", "--from", "2", "--fronts")
    folder = "output/deck-eighth-fronts-from-2"
    assert list_pictures(axes, folder) == ["2-axe-front.png", "3-club-front.png"]


def test_older_pictures_are_taken_away_and_other_files_stay(axes: Project) -> None:
    """Those that cardgen wrote, as it knows from the manifest, whatever they are called."""
    folder = "output/deck-eighth"
    axes.write(f"{folder}/1-notes-front.png", "mine")
    axes.run("build", "deck", "--target", "eighth")
    assert len(list_pictures(axes, folder)) == 6
    axes.run("build", "deck", "--target", "eighth", "--only", "club")
    assert list_pictures(axes, f"{folder}-only-club") == ["3-club-front.png"]
    assert len(list_pictures(axes, folder)) == 6
    axes.write_deck("  - {name: Club}\n")
    axes.run("build", "deck", "--target", "eighth")
    assert list_pictures(axes, folder) == ["1-club-front.png", "1-notes-front.png"]


def test_only_pictures_in_the_folder_are_taken_away(axes: Project) -> None:
    axes.run("build", "deck", "--target", "eighth")
    manifest = axes.folder / "output/deck-eighth.faces.json"
    said = json.loads(manifest.read_text("utf-8"))
    said["pictures"] += ["../../decks/deck.yaml", "..", "gone.png"]
    manifest.write_text(json.dumps(said), "utf-8")
    assert axes.run("build", "deck", "--target", "eighth").code == 0
    assert (axes.folder / "decks/deck.yaml").is_file()


def test_a_build_that_fails_leaves_no_folder(axes: Project) -> None:
    axes.write("output/games/note.txt", "kept")
    axes.write_deck("  - {name: Axe}\n  - {name: 'ꙮ'}\n", head="template: plain\n")
    path = Path("templates/plain.xml")
    path.write_text(path.read_text("utf-8").replace("<text>", "<text font='Cinzel'>"), "utf-8")
    ran = axes.run("build", "deck", "--target", "eighth", "--out", "output/games/mine/axes")
    assert (ran.code, ran.stdout) == (1, "")
    assert [path.name for path in Path("output/games").iterdir()] == ["note.txt"]


def test_a_file_of_the_folder_s_name_is_in_the_way(axes: Project) -> None:
    axes.write("output/deck-eighth", "a file")
    ran = axes.run("build", "deck", "--target", "eighth")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        "output/deck-eighth is a file\n  hint: remove it, or name another place with --out\n"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("dpi = 0", "dpi must be a whole number from 1 to 2400, not 0"),
        ('format = "jpg"', 'format must be "pdf", "png", "tts" or "showcase", not "jpg"'),
    ],
)
def test_what_a_target_cannot_ask(axes: Project, line: str, problem: str) -> None:
    axes.write("targets/odd.toml", f'title = "Odd"\nextends = "one-up"\n{line}\n')
    ran = axes.run("build", "deck", "--target", "odd")
    assert ran.code == 1
    assert ran.stderr.startswith(f"targets/odd.toml:3: {problem}\n"), ran.stderr


def test_two_builds_are_equal(axes: Project) -> None:
    axes.run("build", "deck", "--target", "eighth")
    first = (axes.folder / "output/deck-eighth/1-axe-front.png").read_bytes()
    axes.run("build", "deck", "--target", "eighth")
    assert (axes.folder / "output/deck-eighth/1-axe-front.png").read_bytes() == first


def test_a_picture_says_that_it_is_srgb(axes: Project) -> None:
    """As a chunk of one byte: a profile would say when it was made."""
    axes.run("build", "deck", "--target", "eighth")
    data = (axes.folder / "output/deck-eighth/1-axe-front.png").read_bytes()
    assert data.index(b"sRGB\0") < data.index(b"IDAT")
    assert b"iCCP" not in data
    assert Image.open(BytesIO(data)).info["srgb"] == 0


def test_a_plain_picture_is_packed_in_one_way_and_a_photograph_in_another(axes: Project) -> None:
    """Both show what they are, and neither is larger than the other way would make it."""
    noise = Image.effect_noise((300, 300), 40).filter(ImageFilter.GaussianBlur(6))
    photograph = Image.merge("RGB", (noise, noise.rotate(90), noise.rotate(180)))
    photograph.save(axes.write("photo.png", ""))
    axes.write_template('<image bleed="true" fit="cover" file="photo.png"/>', "back", POKER)
    axes.run("build", "deck", "--target", "eighth")
    sizes: dict[str, float] = {}
    for side in ("front", "back"):
        data = (axes.folder / f"output/deck-eighth/1-axe-{side}.png").read_bytes()
        picture, packed = Image.open(BytesIO(data)), BytesIO()
        picture.save(packed, "PNG", compress_level=3)
        sizes[side] = len(data) / len(packed.getvalue())
        assert Image.open(packed).tobytes() == picture.tobytes()
    assert sizes["front"] < 0.97, sizes
    assert sizes["back"] < 1.01, sizes


# --dpi


def test_the_command_says_how_fine(axes: Project) -> None:
    assert axes.run("build", "deck", "--target", "eighth", "--dpi", "96").code == 0
    front = Image.open("output/deck-eighth/1-axe-front.png")
    assert front.size == (264, 360)
    assert front.info["dpi"] == pytest.approx((96, 96), abs=0.02)


def test_a_pdf_has_no_dpi(axes: Project) -> None:
    ran = axes.run("build", "deck", "--dpi", "96")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        'the target "a4" makes a PDF, which has no dpi\n'
        "  hint: leave --dpi out, or name a target that makes pictures, as --target png\n"
    )


# Corners


ROUND = """
title = "Cards as they are cut"
paper = "card"
format = "png"
corners = "0.125in"
dpi = 200
"""


def test_corners_are_cut_away_smoothly(axes: Project) -> None:
    """A radius of 25 pixels: nothing outside, all inside, and between them a smooth edge."""
    axes.write("targets/round.toml", ROUND)
    axes.run("build", "deck", "--target", "round", "--fronts")
    picture = Image.open("output/deck-round-fronts/1-axe-front.png")
    assert (picture.mode, picture.size) == ("RGBA", (500, 700))
    alpha = picture.getchannel("A")
    corner = alpha.crop((0, 0, 25, 25)).tobytes()
    assert all(alpha.getpixel((x, y)) == 255 for x, y in ((25, 0), (0, 25), (250, 0), (8, 8)))
    assert all(alpha.getpixel((x, y)) == 0 for x, y in ((0, 0), (499, 0), (0, 699), (499, 699)))
    assert len(set(corner) - {0, 255}) > 10
    # What is left of the square is a quarter of a circle.
    assert sum(corner) / 255 == pytest.approx(pi / 4 * 25**2, rel=0.002)
    turned = alpha.transpose(Image.Transpose.ROTATE_180)
    assert turned.tobytes() == alpha.tobytes()
    # Up to the edge the card has its own colour, and no white from outside of it.
    assert picture.getpixel((250, 0)) == (255, 0, 0, 255)
    assert picture.getpixel((0, 100)) == (255, 0, 0, 255)
    assert picture.getpixel((499, 100)) == (255, 0, 0, 255)


# Names


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        (
            "{deck}-{target}-{side}-{place}",
            ["deck-mine-back-1", "deck-mine-back-2"]
            + [f"deck-mine-front-{place}" for place in (1, 2, 3)],
        ),
        (
            "{card} {copy} [{side}]",
            ["axe 1 [back]", "axe 1 [front]", "axe 2 [back]", "axe 2 [front]", "club 1 [front]"],
        ),
    ],
)
def test_pictures_are_called_as_the_target_says(
    axes: Project, pattern: str, names: list[str]
) -> None:
    axes.write("targets/mine.toml", f'{EIGHTH}names = "{pattern}"\ndpi = 20\n')
    axes.run("build", "deck", "--target", "mine")
    found = [name.removesuffix(".png") for name in list_pictures(axes, "output/deck-mine")]
    assert found == names


def test_two_pictures_of_one_name(axes: Project) -> None:
    axes.write("targets/mine.toml", EIGHTH + 'names = "{card}-{side}"\n')
    problems = (
        'targets/mine.toml:7: the front of card 1, "Axe" and the front of card 2, "Axe" would both '
        'be called "axe-front.png"\n'
        "  hint: add {place} or {copy} to names, or print --one-of-each\n"
    )
    for command in (["build", "deck"], ["check", "deck"]):
        ran = axes.run(*command, "--target", "mine")
        assert ran.code == 1
        assert ran.stderr.startswith(problems), ran.stderr
    assert list_pictures(axes, "output/deck-mine") == []
    ran = axes.run("build", "deck", "--target", "mine", "--one-of-each")
    assert ran.stdout.splitlines()[0] == "output/deck-mine-one-of-each: 2 cards as 3 pictures"


def test_sheets_are_called_by_number_and_side(axes: Project) -> None:
    sheet = 'title = "Sheets"\nextends = "a4"\nformat = "png"\ndpi = 20\n'
    axes.write("targets/sheets.toml", sheet + 'names = "{deck} {side} {place}"\n')
    axes.run("build", "deck", "--target", "sheets")
    folder = "output/deck-sheets"
    assert list_pictures(axes, folder) == ["deck back 1.png", "deck front 1.png"]
    axes.write("targets/sheets.toml", sheet + 'names = "{card}-{side}"\n')
    ran = axes.run("build", "deck", "--target", "sheets")
    assert ran.stderr == (
        "targets/sheets.toml:5: names: {card} means nothing for pictures of sheets, which hold "
        'many cards\n  hint: write {place} for the number of the sheet, or paper = "card"\n'
    )


# .zip


def test_a_zip_in_place_of_the_folder(axes: Project) -> None:
    axes.write("targets/packed.toml", EIGHTH + "zip = true\ndpi = 50\n")
    axes.write("targets/loose.toml", EIGHTH + "dpi = 50\n")
    ran = axes.run("build", "deck", "--target", "packed")
    assert ran.stdout.splitlines()[0] == "output/deck-packed.zip: 3 cards as 5 pictures"
    axes.run("build", "deck", "--target", "loose")
    loose = {path.name: path.read_bytes() for path in axes.folder.glob("output/deck-loose/*")}
    with ZipFile("output/deck-packed.zip") as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == loose
        assert packed.namelist() == sorted(loose)
        assert {info.date_time for info in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    first = (axes.folder / "output/deck-packed.zip").read_bytes()
    axes.run("build", "deck", "--target", "packed")
    assert (axes.folder / "output/deck-packed.zip").read_bytes() == first


def test_a_pdf_in_a_zip(axes: Project) -> None:
    axes.write("targets/packed.toml", 'title = "P"\nextends = "a4"\nzip = true\n')
    ran = axes.run("build", "deck", "--target", "packed")
    assert ran.stdout == "output/deck-packed.zip: 3 cards on 2 pages\n"
    with ZipFile("output/deck-packed.zip") as packed:
        assert packed.testzip() is None
        assert len(PdfReader(BytesIO(packed.read("deck-packed.pdf"))).pages) == 2


# Many pictures


def test_pictures_drawn_by_many_are_those_drawn_by_one(
    axes: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    cards = "".join(f"  - {{name: Axe {number}, count: 2}}\n" for number in range(20))
    axes.write_deck(cards, head="template: plain\nback: back\n")
    axes.write("targets/small.toml", EIGHTH + "dpi = 20\n")
    built = {}
    for cores in (1, 2, 4):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        ran = axes.run("build", "deck", "--target", "small", "--out", f"by-{cores}")
        assert ran.stdout.startswith(f"by-{cores}/deck-small: 40 cards as 80 pictures\n")
        folder = axes.folder / f"by-{cores}/deck-small"
        built[cores] = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(built[1]) == 80
    assert len(set(built[1].values())) == 21
    assert built[1] == built[2] == built[4]


# Colours that are given in inks


PATCHES = [
    *((100, 0, 0, 0), (0, 100, 0, 0), (0, 0, 100, 0), (0, 0, 0, 100)),
    *((100, 100, 0, 0), (60, 40, 40, 100), (15, 80, 95, 5), (75, 0, 90, 40)),
]


def turn_by_littlecms(patch: Sequence[int], profile: str = "coated-fogra39-300") -> tuple[int, ...]:
    """A colour in inks as sRGB: relative colorimetric, with black point compensation."""
    pixel = Image.frombytes("CMYK", (1, 1), bytes(round(ink * 2.55) for ink in patch))
    turned = ImageCms.applyTransform(pixel, make_transform(profile))
    assert turned is not None
    return tuple(turned.tobytes())


@cache
def make_transform(profile: str) -> ImageCms.ImageCmsTransform:
    return ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(str(HOME / f"assets/profiles/{profile}.icc")),
        ImageCms.createProfile("sRGB"),
        *("CMYK", "RGB", ImageCms.Intent.RELATIVE_COLORIMETRIC),
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


def draw_patches(project: Project, target: str) -> list[tuple[int, ...]]:
    """The colours of the patches as shapes, and then as those of a picture."""
    picture = Image.new("CMYK", (20 * len(PATCHES), 20))
    shapes = []
    for place, patch in enumerate(PATCHES):
        inks = " ".join(map(str, patch))
        shapes.append(
            f'<colour name="c{place}" cmyk="{inks}"/>'
            f'<box x="{5 * place}mm" y="0" width="5mm" height="5mm" fill="c{place}"/>'
        )
        box = (20 * place, 0, 20 * place + 20, 20)
        picture.paste(tuple(round(ink * 2.55) for ink in patch), box)
    picture.save(project.folder / "patches.jpg", quality=100, subsampling=0)
    shown = '<image x="0" y="10mm" width="40mm" height="5mm" file="patches.jpg"/>'
    project.write_template("".join([*shapes, shown]), attributes='size="40mm x 20mm"')
    project.write_deck("  - name: Axe\n")
    project.write("targets/proof.toml", f'title = "P"\nextends = "png"\n{target}')
    drawn = Image.open(next(project.build(target="proof").path.glob("*.png")))
    step = drawn.width / len(PATCHES)
    return [
        drawn.getpixel((round((place + 0.5) * step), round(height * step)))  # type: ignore[misc]
        for height in (0.5, 2.5)
        for place in range(len(PATCHES))
    ]


@pytest.mark.parametrize("profile", ["coated-fogra39-300", "coated-fogra39-240"])
def test_inks_are_shown_as_the_profile_says(project: Project, profile: str) -> None:
    told = "" if profile.endswith("300") else f'profile = "{profile}"\n'
    expected = [turn_by_littlecms(patch, profile) for patch in PATCHES] * 2
    for found, wanted in zip(draw_patches(project, told), expected, strict=True):
        assert found == pytest.approx(wanted, abs=1)


def test_inks_that_mix_are_shown_as_the_profile_says(project: Project) -> None:
    """Within a gradient and the tints of a picture, and not only at their ends."""
    Image.linear_gradient("L").rotate(90).resize((400, 50)).save(project.folder / "ramp.png")
    pairs = [(PATCHES[place], PATCHES[place - 3]) for place in range(4, 8)]
    body = '<image file="ramp.png" tint="ink" y="20mm" width="40mm" height="5mm" fit="cover"/>'
    for place, ends in enumerate([((60, 90, 0, 20), (0, 0, 0, 0)), *pairs]):
        first, last = (" ".join(map(str, inks)) for inks in ends)
        name = "ink" if place == 0 else f"a{place}"
        body += f"""<colour name="{name}" cmyk="{first}"/><colour name="b{place}" cmyk="{last}"/>
        <gradient name="g{place}" stops="{name} 0, b{place} 100" angle="0"/>"""
        if place:
            height = f'y="{5 * place - 5}mm" height="5mm"'
            body += f'<box x="0" {height} width="40mm" fill="g{place}"/>'
    project.write_template(body, attributes='size="40mm x 25mm"')
    project.write_deck("  - name: Axe\n")
    project.write("targets/proof.toml", 'title = "P"\nextends = "png"\ndpi = 254\n')
    drawn = Image.open(next(project.build(target="proof").path.glob("*.png")))
    for row, ends in enumerate([*pairs, ((60, 90, 0, 20), (0, 0, 0, 0))]):
        apart = list[int]()
        for x in range(12, 400, 25):
            mixed = [a + (b - a) * (x + 0.5) / 400 for a, b in zip(*ends, strict=True)]
            found = drawn.getpixel((x, 25 + 50 * row))
            apart += (abs(a - b) for a, b in zip(found, turn_by_littlecms(mixed), strict=True))  # type: ignore[arg-type]
        assert sum(apart) / len(apart) < 2 and max(apart) < 12, row


def test_a_proof_shows_what_a_press_would_print(project: Project) -> None:
    """Ink beyond the limit is taken away, as it is in the file for the press."""
    told = 'colour = "cmyk"\nprofile = "coated-fogra39-240"\ntotal_ink = 200\n'
    found = draw_patches(project, told)
    rich = PATCHES.index((60, 40, 40, 100))
    for place in (rich, rich + len(PATCHES)):
        assert max(found[place]) > 3 + max(turn_by_littlecms(PATCHES[rich], "coated-fogra39-240"))
    plain = PATCHES.index((15, 80, 95, 5))
    assert found[plain] == pytest.approx(
        turn_by_littlecms(PATCHES[plain], "coated-fogra39-240"), abs=1
    )
