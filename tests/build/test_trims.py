"""Cards that are no rectangles, as they are built: seen by their pixels, and cut by their files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Project
from making import build
from PIL import Image, ImageChops
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from test_register import find_marks, list_misses, turn_over

from cardgen.build.press import check_strange_pdf
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.core.units import MM
from cardgen.pages.target_file import read_target

COLOURS = '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
HEXAGON = 'size="60mm x 52mm" trim="hexagon" bleed="3mm"'
CIRCLE = 'size="25mm x 25mm" trim="circle" bleed="3mm"'
TAG = 'size="40mm x 30mm" trim="path M0 15 L12 0 H40 V30 H12 Z" bleed="3mm"'


def write(project: Project, attributes: str, count: int = 3, *, back: bool = True) -> None:
    for name, colour in (("plain", "red"), ("behind", "blue")):
        project.write_template(f'{COLOURS}<box bleed="true" fill="{colour}"/>', name, attributes)
    head = "template: plain\n" + "back: behind\n" * back
    project.write_deck(f"  - {{name: A, count: {count}}}\n", head=head)


def draw(path: Path, scale: float = 2.0) -> list[Image.Image]:
    return [page.render(scale=scale).to_pil().convert("RGB") for page in PdfDocument(path)]


# A printer turns sheets that stand and lie about either axis.
@pytest.mark.parametrize("edge", ["long-edge", "short-edge"])
@pytest.mark.parametrize(
    ("attributes", "count"), [(HEXAGON, 7), (CIRCLE, 20), (TAG.replace("3mm", "0mm"), 5)]
)
def test_nested_backs_fall_behind_their_fronts(
    project: Project, attributes: str, count: int, edge: str
) -> None:
    write(project, attributes, count)
    project.write(
        "targets/bare.toml",
        f'title = "T"\nextends = "a4"\nmarks = "none"\nduplex = "{edge}"\n'
        'back_bleed_x = "3mm"\nback_bleed_y = "3mm"\n',
    )
    front, back = draw(build("deck", target="bare").path)
    axis = "upright" if edge == "long-edge" else "level"
    red, blue = find_marks(front, "red"), turn_over(find_marks(back, "blue"), axis)
    assert list_misses(red, blue) == []
    other = turn_over(turn_over(blue, "level"), "upright")
    assert list_misses(red, other) != []


def test_a_line_to_cut_along_is_seen_on_the_card_and_its_bleed_ends_beyond_it(
    project: Project,
) -> None:
    write(project, CIRCLE, 1)
    front, back = draw(build("deck").path, 4.0)
    built = find_marks(front, "red").getbbox()
    assert built is not None
    left, middle = built[0], (built[1] + built[3]) // 2
    # From the left: 1.5 mm of bleed, then white, black and white.
    row = list_row(front, middle)
    edge = next(x for x in range(left + 4, front.width) if min(row[x]) > 60)
    assert (edge - left) / 4 == pytest.approx(1.5 * MM, abs=0.6)
    assert find_marks(back, "blue").getbbox() is not None
    assert min(sum(pixel) for pixel in list_row(back, middle)) > 200
    assert min(max(pixel) for pixel in row[edge : edge + 6]) < 120  # the black of the line
    assert front.getpixel((left + 1, built[1] + 1)) == (255, 255, 255)


def list_row(image: Image.Image, y: int) -> list[tuple[int, ...]]:
    row = image.crop((0, y, image.width, y + 1)).tobytes()
    return [tuple(row[at : at + 3]) for at in range(0, len(row), 3)]


def test_services_get_clear_corners_where_the_target_asks_for_them(project: Project) -> None:
    write(project, CIRCLE, 1, back=False)
    project.write(
        "targets/web.toml", 'title = "W"\npaper = "card"\nformat = "png"\ncorners = "1mm"\n'
    )
    image = Image.open(next(build("deck", target="web").path.glob("*.png")))
    size = image.width
    alpha = image.getchannel("A")
    share = sum(n * value for n, value in enumerate(alpha.histogram())) / 255 / size / size
    assert share == pytest.approx(3.14159 / 4, abs=0.002)
    assert (alpha.getpixel((0, 0)), alpha.getpixel((size // 2, size // 2))) == (0, 255)
    # What bleeds is a rectangle.
    bleeding = Image.open(next(build("deck", target="png").path.glob("*.png")))
    assert (bleeding.mode, bleeding.getpixel((1, 1))) == ("RGB", (255, 0, 0))


@pytest.mark.parametrize(
    ("attributes", "kind"), [(HEXAGON, 3), (CIRCLE, 4), (TAG, 1), ('size="poker"', 0)]
)
def test_a_game_cuts_the_shape_out(project: Project, attributes: str, kind: int) -> None:
    write(project, attributes, 2)
    folder = build("deck", target="tts").path
    saved = json.loads((folder / "deck.json").read_text(encoding="utf-8"))
    (sheet,) = saved["ObjectStates"][0]["CustomDeck"].values()
    assert sheet["Type"] == kind
    faces = Image.open(folder / "deck-faces-1.png")
    if kind:
        alpha = faces.getchannel("A")
        assert (alpha.getpixel((1, 1)), alpha.getpixel((faces.width // 4, 100))) == (0, 255)
    else:
        assert faces.mode == "RGB"


def test_a_press_gets_the_line_in_a_file_beside_the_pages(project: Project) -> None:
    write(project, TAG, 2)
    built = build("deck", target="press")
    assert built.cuts == ("deck-press-cut",)
    page = PdfReader(built.path).pages[0]
    assert [float(v) / MM for v in page.trimbox] == pytest.approx([3, 3, 43, 33], abs=0.001)
    root = ElementTree.parse(project.folder / "output/deck-press-cut.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("46mm", "36mm")
    (path,) = root.iter("{http://www.w3.org/2000/svg}path")
    assert path.get("d") == "M3 18 L15 3 L43 3 L43 33 L15 33 L3 18 Z"
    dxf = (project.folder / "output/deck-press-cut.dxf").read_text()
    corners = re.findall(r"VERTEX\n  8\nCUT\n 10\n(\S+)\n 20\n(\S+)\n", dxf)
    assert [(float(x), float(y)) for x, y in corners] == [
        (3, 18), (15, 33), (43, 33), (43, 3), (15, 3)
    ]  # fmt: skip
    ticket = json.loads((project.folder / "output/deck-press.job.json").read_text())
    assert (ticket["shape"], ticket["cut_files"]) == (
        "path",
        ["deck-press-cut.svg", "deck-press-cut.dxf"],
    )


@pytest.mark.parametrize("base", ["press", "press-x1a"])
def test_a_die_line_is_a_spot_colour_where_the_target_says_so(project: Project, base: str) -> None:
    dark = '<colour name="black-4" cmyk="60 60 60 100"/><box bleed="true" fill="black-4"/>'
    project.write_template(dark, "plain", HEXAGON)
    project.write_deck("  - {name: A, count: 2}\n", head="template: plain\nback: plain\n")
    project.write("targets/die.toml", f'title = "D"\nextends = "{base}"\ndie_line = "spot"\n')
    built = build("deck", target="die")
    assert built.warnings == ()
    pages = [page.get_contents() for page in PdfReader(built.path).pages]
    assert [b"1 SCN 0.25 w" in (b"" if page is None else page.get_data()) for page in pages] == [
        True, False, True, False,
    ]  # fmt: skip
    spaces = PdfReader(built.path).pages[0]["/Resources"]["/ColorSpace"]  # type: ignore[index]
    (space,) = (value.get_object() for value in spaces.values())
    assert (space[0], space[1], space[2]) == ("/Separation", "/CutContour", "/DeviceCMYK")
    ticket = json.loads(built.path.with_suffix(".job.json").read_text())
    assert ticket["spot_colours"] == ["CutContour"]
    assert built.cuts == ("deck-die-cut",)
    # Whoever did not ask for it is told.
    report = check_strange_pdf(built.path, read_target(HOME / "assets/targets/press.toml"))
    assert "preflight/die-line" in {finding.code for finding in report.findings}


def test_a_cutter_follows_the_shape(project: Project) -> None:
    write(project, CIRCLE, 3)
    build("deck", target="silhouette-a4")
    root = ElementTree.parse(project.folder / "output/deck-silhouette-a4-cut.svg").getroot()
    paths = list(root.iter("{http://www.w3.org/2000/svg}path"))
    assert len(paths) == 3
    assert all("C" in str(path.get("d")) for path in paths)
    write(project, 'size="poker" trim="rounded 5mm" bleed="3mm"', 3)
    build("deck", target="silhouette-a4")
    root = ElementTree.parse(project.folder / "output/deck-silhouette-a4-cut.svg").getroot()
    assert {rect.get("rx") for rect in root.iter("{http://www.w3.org/2000/svg}rect")} == {"5"}


ROUND = (
    '<colour name="red" cmyk="0 90 90 0"/><style name="s" size="8pt"/>'
    '<box x="{0}mm" y="{0}mm" right="{0}mm" bottom="{0}mm" radius="99mm" fill="red"/>'
    '<text style="s" x="11mm" width="12mm" y="{1}mm" height="4mm">{{{{ card.name }}}}</text>'
)


@pytest.mark.parametrize(
    ("out", "y", "code"),
    [
        (-3, 10, None),  # a ground that is round itself
        (-1, 10, "preflight/bleed-painted"),
        (-3, 2, "preflight/safe-area"),  # within the rectangle's safe area on three sides
    ],
)
def test_preflight_follows_the_shape(project: Project, out: int, y: int, code: str | None) -> None:
    project.write_template(ROUND.format(out, y), "plain", CIRCLE)
    project.write_deck("  - {name: Ooo}\n")
    if code is None:
        assert build("deck", target="press").pages == 1
        return
    with pytest.raises(CardgenError) as caught:
        build("deck", target="press")
    assert {problem.code for problem in caught.value.problems} == {code}


def test_a_contact_sheet_shows_the_shape(project: Project) -> None:
    write(project, CIRCLE, 1, back=False)
    (page,) = draw(build("deck", target="contact").path, 1.0)
    left, top, right, bottom = find_marks(page, "red").getbbox() or (0, 0, 0, 0)
    assert page.getpixel((left + 2, top + 2)) == (255, 255, 255)
    assert right - left == pytest.approx(25 * MM, abs=3)
    assert ImageChops.invert(page.convert("L")).crop((left, top, right, bottom)).getbbox()
    assert bottom > top


def test_what_cuts_straight_refuses(project: Project) -> None:
    write(project, HEXAGON)
    for target in ("gamecrafter", "makeplayingcards", "drivethru"):
        with pytest.raises(CardgenError) as caught:
            build("deck", target=target)
        (problem,) = caught.value.problems
        assert problem.code == "print/trim-not-cut"
        assert problem.details == {"trim": "hexagon", "target": target}
