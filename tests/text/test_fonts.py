"""Families, weights and slants: how a font is found, and what is said when it is not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from strategies import SHELF, find_problem, lay_out, list_runs

from cardgen.core.errors import CardgenError, Where
from cardgen.core.library import Library
from cardgen.text.fonts import FontFile, FontShelf
from cardgen.text.shaping import Font

ALEGREYA = SHELF.get_family("Alegreya Sans").entries[0].path.parent
PLACE = Where("card.xml", 3, 5)


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(CardgenError) as caught:
        call()
    return str(caught.value)


def _draw_bar(pen: Any, width: int, top: int) -> Any:
    pen.moveTo((50, -100 if width == 610 else 0))
    for corner in ((50, top), (width - 50, top), (width - 50, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen


def make_font_file(
    path: Path,
    family: str = "Blocks",
    *,
    weight: int = 400,
    italic: bool = False,
    cff: bool = True,
    style: str | None = None,
) -> None:
    """A font of a few blocks: H is 600 wide and 680 high, p reaches 100 below the baseline."""
    widths = {".notdef": 500, "space": 300, "H": 600, "p": 610, "hyphen": 400}
    heights = {".notdef": 700, "H": 680, "p": 500, "hyphen": 300}
    style = style or f"{weight}{'Italic' if italic else ''}"
    builder = FontBuilder(1000, isTTF=not cff)
    builder.setupGlyphOrder(list(widths))
    builder.setupCharacterMap({32: "space", ord("H"): "H", ord("p"): "p", ord("-"): "hyphen"})
    if cff:
        strings = {}
        for name, width in widths.items():
            pen = T2CharStringPen(width, None)
            if name in heights:
                _draw_bar(pen, width, heights[name])
            strings[name] = pen.getCharString()
        builder.setupCFF(f"{family}-{style}", {"FullName": family}, strings, {})
    else:
        glyphs = {}
        for name, width in widths.items():
            outline = TTGlyphPen(None)
            if name in heights:
                _draw_bar(outline, width, heights[name])
            glyphs[name] = outline.glyph()
        builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (width, 50) for name, width in widths.items()})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable(
        {"familyName": family, "styleName": style, "psName": f"{family}-{style}"}
    )
    builder.setupOS2(usWeightClass=weight, fsSelection=1 if italic else 64)
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)


@pytest.fixture
def shelf(project: Project) -> FontShelf:
    """The fonts of a project, read when first asked for."""
    return FontShelf(Library(project.folder))


def _measure_stem(file: FontFile) -> float:
    extents = file.font.get_glyph_extents(file.font.get_nominal_glyph(ord("I")))
    return float(extents.width)


def test_a_weight_that_a_careless_program_wrote_is_told_by_the_styles_name(
    project: Project, shelf: FontShelf
) -> None:
    """A light font of a game said to be regular, and its regular one of weight 5."""
    said = {"Light": 400, "Regular": 5, "Extra Bold Italic": 400, "Book": 350, "Thin": 400}
    for style, weight in said.items():
        path = project.folder / "fonts" / f"{style}.ttf"
        make_font_file(path, weight=weight, style=style, italic="Italic" in style)
    family = shelf.get_family("Blocks")
    assert {entry.path.stem: entry.lightest for entry in family.entries} == {
        "Light": 300,
        "Regular": 400,
        "Extra Bold Italic": 800,
        "Book": 350,
        "Thin": 100,
    }


# Installed families


@pytest.mark.parametrize(
    ("weight", "italic", "name"),
    [
        (400, False, "AlegreyaSans-Regular"),
        (700, True, "AlegreyaSans-BoldItalic"),
        (100, False, "AlegreyaSans-Thin"),
    ],
)
def test_each_weight_and_slant_is_a_file_of_its_own(weight: int, italic: bool, name: str) -> None:
    file = SHELF.open("Alegreya Sans", weight, italic)
    assert (file.name, file.weight, file.italic) == (name, weight, italic)
    assert file.family == "Alegreya Sans"


def test_a_file_is_opened_once() -> None:
    first = SHELF.open("Alegreya Sans", 400, False)
    assert SHELF.open("Alegreya Sans", 400, False) is first
    assert SHELF.open("alegreya sans", 400, False) is first
    assert SHELF.open("Alegreya Sans", 500, False) is not first


def test_a_variable_font_is_pinned_to_each_weight() -> None:
    regular, bold = (SHELF.open("Cinzel", weight, False) for weight in (400, 700))
    assert regular.face.axis_infos == bold.face.axis_infos == []
    between = SHELF.open("Cinzel", 550, False)
    widths = [Font(file)["M"].width for file in (regular, between, bold)]
    assert widths[0] + 0.005 < widths[1] < widths[2] - 0.005
    stems = [_measure_stem(file) for file in (regular, between, bold)]
    assert stems[0] + 20 < stems[1] < stems[2] - 20


def test_measures_come_from_the_letters() -> None:
    file = SHELF.open("Alegreya Sans", 400, False)
    assert file.cap_height == pytest.approx(0.641, abs=0.02)
    assert file.depth == pytest.approx(0.2, abs=0.05)
    assert file.units == 1000
    assert not file.is_cff
    assert ord("ß") in file.characters and ord("龍") not in file.characters


# What is missing


def test_an_unknown_family_is_named_with_the_nearest() -> None:
    assert refusal(lambda: SHELF.open("Alegreya Sanz", 400, False, PLACE)) == (
        'card.xml:3:5: unknown font "Alegreya Sanz"\n  hint: did you mean "Alegreya Sans"?'
    )


def test_an_unknown_family_with_no_near_one_lists_them() -> None:
    assert refusal(lambda: SHELF.get_family("Zapfino")) == (
        'unknown font "Zapfino"\n'
        "  hint: font names: Alegreya Sans, Cinzel; PyPI's fontpkg families are had by:"
        " pip install fontpkg-zapfino"
    )


@pytest.mark.parametrize("name", ["Zapfino.woff2", "zapfino.TTC"])
def test_a_font_in_a_format_that_is_not_read_is_told_of(
    project: Project, shelf: FontShelf, name: str
) -> None:
    project.write(f"fonts/{name}", b"junk")
    assert refusal(lambda: shelf.open("Zapfino", 400, False)).endswith(
        f"; only .ttf and .otf are read: convert {name}"
    )


def test_a_missing_weight_is_named_with_those_there_are() -> None:
    assert refusal(lambda: SHELF.open("Alegreya Sans", 600, False, PLACE)) == (
        'card.xml:3:5: font "Alegreya Sans" has no weight 600\n'
        "  hint: it has: 100, 300, 400, 500, 700, 800, 900"
    )
    assert refusal(lambda: SHELF.open("Cinzel", 300, False)) == (
        'font "Cinzel" has no weight 300\n  hint: it has: 400 to 900'
    )


def test_a_missing_slant_is_named() -> None:
    assert refusal(lambda: SHELF.open("Cinzel", 400, True, PLACE)) == (
        'card.xml:3:5: font "Cinzel" has no italic face\n  hint: choose a family that has one'
    )


@pytest.mark.parametrize(
    ("wanted", "italic", "found"),
    [(600, False, (500, False)), (1000, True, (900, True)), (200, False, (100, False))],
)
def test_a_stand_in_is_content_with_the_nearest_weight(
    wanted: int, italic: bool, found: tuple[int, bool]
) -> None:
    file = SHELF.open_nearest("Alegreya Sans", wanted, italic, None)
    assert (file.weight, file.italic) == found


def test_a_stand_in_is_content_with_another_slant() -> None:
    file = SHELF.open_nearest("Cinzel", 300, True, None)
    assert (file.weight, file.italic) == (400, False)


def test_a_style_is_named_by_its_place(project: Project) -> None:
    body = '<style name="title" font="Cinzell"/>\n<text style="title">{{ card.name }}</text>'
    assert find_problem(project, body) == (
        'templates/plain.xml:2:1: unknown font "Cinzell"\n  hint: did you mean "Cinzel"?'
    )


# The project's own fonts


@pytest.mark.parametrize("folder", ["fonts", "assets/fonts"])
def test_a_font_in_the_projects_folder_is_known_by_its_own_name(
    project: Project, shelf: FontShelf, folder: str
) -> None:
    make_font_file(project.folder / folder / "some-file.ttf", "Blocks", cff=False)
    assert shelf.list_families() == ["Alegreya Sans", "Blocks", "Cinzel"]
    assert shelf.open("Blocks", 400, False).family == "Blocks"


@pytest.mark.parametrize("cff", [True, False], ids=["OTF", "TTF"])
def test_outlines_of_both_kinds_are_read(project: Project, shelf: FontShelf, cff: bool) -> None:
    make_font_file(project.folder / f"fonts/blocks.{'otf' if cff else 'ttf'}", cff=cff)
    file = shelf.open("Blocks", 400, False)
    assert file.is_cff == cff
    assert [file.cap_height, file.depth] == pytest.approx([0.68, 0.1])
    assert Font(file)["HpH"].width == pytest.approx(1.81)
    assert file.name == "Blocks-400"


def test_a_text_is_set_in_the_projects_font(project: Project) -> None:
    make_font_file(project.folder / "fonts/blocks.otf")
    (face,) = lay_out(project, '<text font="Blocks" size="10pt">HpH Hp</text>')
    (run,) = list_runs(face)
    assert run.font.file.family == "Blocks"
    assert run.y == pytest.approx(6.8)


def test_weights_and_slants_of_a_family_are_gathered_from_its_files(
    project: Project, shelf: FontShelf
) -> None:
    fonts = project.folder / "fonts"
    make_font_file(fonts / "a.otf", weight=400)
    make_font_file(fonts / "b.otf", weight=700)
    make_font_file(fonts / "c.otf", weight=400, italic=True)
    assert shelf.open("Blocks", 700, False).name == "Blocks-700"
    assert shelf.open("Blocks", 400, True).name == "Blocks-400Italic"
    assert refusal(lambda: shelf.open("Blocks", 600, False)) == (
        'font "Blocks" has no weight 600\n  hint: it has: 400, 700'
    )


def test_the_projects_font_comes_before_an_installed_one(
    project: Project, shelf: FontShelf
) -> None:
    make_font_file(project.folder / "fonts/mine.otf", "Alegreya Sans")
    assert shelf.open("Alegreya Sans", 400, False).name == "AlegreyaSans-400"
    assert shelf.list_families() == ["Alegreya Sans", "Cinzel"]


def test_the_projects_font_is_found_whatever_its_capitals(
    project: Project, shelf: FontShelf
) -> None:
    """As installed ones are; else the project's font would stand aside for a capital."""
    make_font_file(project.folder / "fonts/mine.otf", "Alegreya Sans")
    assert shelf.open("alegreya sans", 400, False).name == "AlegreyaSans-400"


def test_a_copied_file_serves_as_the_installed_one(project: Project, shelf: FontShelf) -> None:
    fonts = project.folder / "fonts"
    fonts.mkdir()
    for name in ("Regular", "BoldItalic"):
        shutil.copy(ALEGREYA / f"AlegreyaSans-{name}.ttf", fonts / f"{name}.TTF")
    assert Font(shelf.open("Alegreya Sans", 400, False))["affix"].width == pytest.approx(
        Font(SHELF.open("Alegreya Sans", 400, False))["affix"].width
    )
    assert shelf.open("Alegreya Sans", 700, True).name == "AlegreyaSans-BoldItalic"
    assert refusal(lambda: shelf.open("Alegreya Sans", 700, False)) == (
        'font "Alegreya Sans" has no weight 700\n  hint: it has: 400'
    )


def test_a_font_of_the_usual_name_may_lack_the_question_mark(project: Project) -> None:
    """Which stands in notes for what a font lacks; the build comes to an end."""
    make_font_file(project.folder / "fonts/mine.otf", "Alegreya Sans")
    project.write_template('<box width="9mm" height="9mm" fill="black"/>')
    project.write_deck()
    assert project.build().cards == 1


def test_a_character_that_the_projects_font_lacks_is_named(project: Project) -> None:
    make_font_file(project.folder / "fonts/blocks.otf")
    body = '<text font="Blocks">{{ card.text }}</text>'
    assert find_problem(project, body, {"text": "HpX"}) == (
        'decks/deck.yaml:3:3: card "Card 1": no font holds "X" (U+0058, latin capital letter x)'
        ' in "HpX"; tried: Blocks\n'
        "  hint: choose a font that has it, or add one to the style's fonts;"
        " the template's element is templates/plain.xml:2:1"
    )


@pytest.mark.parametrize(
    "content", [b"", b"junk", b"\0\1\0\0" + b"\xff" * 200, b"OTTO" + b"\0" * 100]
)
def test_a_file_that_is_no_font_is_an_error(
    project: Project, shelf: FontShelf, content: bytes
) -> None:
    path = project.write("fonts/junk.ttf", content)
    assert refusal(lambda: shelf.open("Cinzel", 400, False)) == (
        f"{path}: this is no font that can be embedded\n"
        "  hint: use a TTF or OTF file whose letters are outlines"
    )


@pytest.mark.parametrize("spoil", ["name of a table", "head", "loca"])
def test_a_damaged_font_is_an_error(project: Project, shelf: FontShelf, spoil: str) -> None:
    source = shelf.open("Alegreya Sans", 400, False)
    data = bytearray(source.face.blob.data)
    tables = range(12, 12 + 16 * int.from_bytes(data[4:6], "big"), 16)
    at = {bytes(data[place : place + 4]): place for place in tables}
    if spoil == "name of a table":
        data[at[b"GPOS"]] = 0xE7
    else:
        data[at[spoil.encode()]] = ord("x")
    path = project.write("fonts/spoiled.ttf", bytes(data))
    assert refusal(lambda: FontShelf(Library(project.folder)).open("Cinzel", 400, False)) == (
        f"{path}: this is no font that can be embedded\n"
        "  hint: use a TTF or OTF file whose letters are outlines"
    )


def test_a_font_that_varies_along_no_text_is_an_error(project: Project, shelf: FontShelf) -> None:
    entries = shelf.get_family("Cinzel").entries
    (source,) = [entry.path for entry in entries if entry.lightest != entry.heaviest]
    data = bytearray(source.read_bytes())
    tables = range(12, 12 + 16 * int.from_bytes(data[4:6], "big"), 16)
    (at,) = [place for place in tables if data[place : place + 4] == b"fvar"]
    axis = data.index(b"wght", int.from_bytes(data[at + 8 : at + 12], "big"))
    data[axis + 3] = 0xFC
    path = project.write("fonts/spoiled.ttf", bytes(data))
    anew = FontShelf(Library(project.folder))
    assert refusal(lambda: anew.open("Cinzel", 400, False)).startswith(f"{path}: this is no font")


def test_a_cut_off_font_is_an_error(project: Project, shelf: FontShelf) -> None:
    whole = (ALEGREYA / "AlegreyaSans-Regular.ttf").read_bytes()
    path = project.write("fonts/half.ttf", whole[: len(whole) // 3])
    assert refusal(lambda: shelf.open("Alegreya Sans", 400, False)).startswith(f"{path}: ")


def test_other_files_beside_the_fonts_do_no_harm(project: Project, shelf: FontShelf) -> None:
    project.write("fonts/OFL.txt", "the licence")
    project.write("fonts/more/junk.ttf", "in a folder of its own")
    assert shelf.list_families() == ["Alegreya Sans", "Cinzel"]


def test_a_family_is_the_same_from_its_package_and_from_all_that_is_installed() -> None:
    import fontpkg

    for family in fontpkg.families().values():
        said = [(file.path, file.style == "italic") for file in family.files]
        found = SHELF.get_family(family.name)
        assert [(entry.path, entry.italic) for entry in found.entries] == said
        ranges = family.weight_range
        assert ranges == (
            min(entry.lightest for entry in found.entries),
            max(entry.heaviest for entry in found.entries),
        )
