"""White beyond the trim is no bleed: what ends there, on any side, is found."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Project
from pikepdf import Name, Pdf
from PIL import Image, ImageDraw
from preflight_files import (
    ORIGINS,
    PLAIN,
    add_content,
    add_resource,
    check,
    list_rules,
    make_picture,
    open_good,
    save,
)

from cardgen.core.units import MM
from cardgen.preflight.check import check_file
from cardgen.preflight.rendering import SIDES, Side

WIDTH, HEIGHT, BLEED = 63.5 * MM, 88.9 * MM, 3 * MM
RED = "0 0.9 0.8 0 k"


def cover(pdf: Pdf, colour: str) -> None:
    """Paint over all that the page shows, to the edge of the bleed."""
    add_content(pdf, f"{colour} -30 -30 400 400 re f")


def put_art(pdf: Pdf, ends: dict[Side, float], white: str = "0 0 0 0 k") -> None:
    """Art upon a white box that bleeds; it reaches the edge of the bleed but where it ends."""
    cover(pdf, white)
    reach = {side: ends.get(side, BLEED) for side in SIDES}
    x0, y0 = -reach["left"], -reach["bottom"]
    x1, y1 = WIDTH + reach["right"], HEIGHT + reach["top"]
    add_content(pdf, f"{RED} {x0} {y0} {x1 - x0} {y1 - y0} re f")


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("origin", ORIGINS)
def test_art_that_ends_at_the_trim_on_white(origin: str, side: Side) -> None:
    pdf = open_good(origin)
    put_art(pdf, {side: 0.0})
    (finding,) = check(pdf).findings
    assert (finding.rule, finding.severity) == ("bleed-painted", "error")
    assert finding.message.startswith(
        f"paint reaches the trim at the {side} and ends there, and white goes on;"
    )


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (0.5, "mm beyond it, and white"),
        (1.5, "ends 1."),
        (2.5, "ends 2."),
        (-0.5, "mm before it, and white"),
        (-0.8, "mm before it, and white"),
        (2.9, ""),
        (-1.5, ""),
        (-4.0, ""),
    ],
)
def test_how_far_art_goes(end: float, words: str) -> None:
    """Nearly to the edge of the bleed is far enough; far within the card is meant so."""
    pdf = open_good("ghostscript")
    put_art(pdf, dict.fromkeys(SIDES, end * MM))
    found = check(pdf).findings
    assert [finding.rule for finding in found] == (["bleed-painted"] if words else [])
    assert not words or words in found[0].message
    assert not words or found[0].count == 4


@pytest.mark.parametrize("white", ["1 g", "1 1 1 rg", "0.01 0 0.01 0 k"])
def test_all_kinds_of_white(white: str) -> None:
    pdf = open_good("weasyprint-rgb")
    put_art(pdf, {"left": 0.0, "top": 0.0}, white)
    assert list_rules(check(pdf)) == [("bleed-painted", "error")]


@pytest.mark.parametrize("frame", [0.0, 3.0, 3.5, 8.0])
def test_a_picture_with_a_white_frame(frame: float) -> None:
    """It fills the bleed; at 3 mm its art ends at the trim, at 8 mm the frame is meant so."""
    pdf = open_good("weasyprint-rgb")
    size = (695, 949)  # ten pixels to the millimetre
    image = Image.new("RGB", size, "white")
    by = round(frame * 10)
    ImageDraw.Draw(image).rectangle((by, by, size[0] - 1 - by, size[1] - 1 - by), fill="navy")
    name = add_resource(pdf, "XObject", make_picture(pdf, *size, Name.DeviceRGB, image.tobytes()))
    add_content(pdf, f"{69.5 * MM} 0 0 {94.9 * MM} {-BLEED} {-BLEED} cm {name} Do")
    report = check_file(save(pdf), replace(PLAIN, dpi=200))
    assert list_rules(report) == ([("bleed-painted", "error")] if frame in (3.0, 3.5) else [])
    assert not report.findings or report.findings[0].count == 4


GOOD = {
    "a white card": "",
    "art within the card": f"{RED} 20 20 100 180 re f",
    "a frame near the edge": f"{RED.replace('k', 'K')} 0.8 w 1.2 1.2 177.6 249.6 re S",
    "small things that touch the trim": f"{RED} -2 40 12 12 re f 100 -1 6 20 re f",
    "shapes that end beyond it": f"{RED} -20 80 m 40 20 l 40 140 l h f",
    "a circle": f"{RED} 90 -2 m 140 -2 180 40 180 90 c 100 90 l h f",
}


@pytest.mark.parametrize("content", GOOD.values(), ids=GOOD)
def test_white_that_is_meant(content: str) -> None:
    pdf = open_good("ghostscript")
    cover(pdf, "0 0 0 0 k")
    add_content(pdf, f"{content} 0 0 0 1 k 60 60 20 20 re f")
    found = [rule for rule in list_rules(check(pdf)) if "ends there" in rule[0]]
    assert found == []
    messages = [finding.message for finding in check(pdf).findings]
    assert not any("white goes on" in message for message in messages)


def test_each_card_is_named(project: Project) -> None:
    """The mistake that a white ground invites: it bleeds, and the picture does not."""
    project.write_template(
        '<colour name="sea" rgb="#335577"/><box bleed="true" fill="white"/><box fill="sea"/>'
        '<text x="8mm" y="8mm" width="34mm" colour="white">{{ card.name }}</text>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    project.write_deck()
    ran = project.run("build", "deck", "--target", "press")
    assert ran.code == 1
    assert "paint reaches the trim at the left and ends there, and white goes on" in ran.stderr
    assert "Sword, front" in ran.stderr
