"""What is sent to somebody is checked as what it is, be it outlined text or pictures."""

from __future__ import annotations

import json

import pytest
from conftest import Project
from pikepdf import Pdf
from PIL import Image
from preflight_files import add_content, check, list_rules, open_good

from cardgen.build.press import check_pdf
from cardgen.project.project import open_project

GROUND = '<colour name="sea" rgb="#335577"/><box bleed="true" fill="sea"/>'


def write(project: Project, body: str) -> None:
    project.write_template(f"{GROUND}{body}", attributes='size="poker" bleed="4mm"')
    project.write_deck()


def place_text(x: str, size: str = "12pt") -> str:
    place = f'x="{x}" y="20mm" width="40mm" size="{size}"'
    return f'<text {place} colour="white">{{{{ card.name }}}}</text>'


@pytest.mark.parametrize("target", ["press", "mbprint", "drivethru", "gamecrafter"])
def test_text_near_the_trim(project: Project, target: str) -> None:
    write(project, place_text("1mm"))
    ran = project.run("build", "deck", "--target", target)
    assert ran.code == 1
    assert "keeps 1.18mm from the trim" in ran.stderr and "(safe-area)" in ran.stderr
    assert ("outlined text" in ran.stderr) == (target == "mbprint")
    assert "(1 Sword, front)" in ran.stderr
    assert not (project.folder / "output").exists() or not any(
        (project.folder / "output").iterdir()
    )


@pytest.mark.parametrize("target", ["press", "mbprint", "gamecrafter", "makeplayingcards"])
def test_small_text_is_built_with_a_warning(project: Project, target: str) -> None:
    write(project, place_text("8mm", "4pt"))
    ran = project.run("build", "deck", "--target", target)
    assert (ran.code, ran.stderr) == (0, "")
    assert "  text of 4pt; below 5pt it prints badly (text-size)" in ran.stdout
    assert "set it at 5pt or larger" in ran.stdout
    ran = project.run("check", "deck", "--target", target)
    assert "text of 4pt" in ran.stdout
    ran = project.run("check", "deck", "--target", target, "--json")
    assert "preflight/text-size" in {each["code"] for each in json.loads(ran.stdout)}


def test_what_is_good_is_built_without_a_word(project: Project) -> None:
    write(project, place_text("8mm"))
    for target in ("press", "mbprint", "gamecrafter"):
        ran = project.run("build", "deck", "--target", target)
        assert (ran.code, len(ran.stdout.splitlines())) == (0, 1)


def test_outlined_text_of_a_file(project: Project) -> None:
    """It is known by the marks around it, whoever checks the file."""
    write(project, place_text("5mm", "4pt"))
    path = project.build(target="mbprint").path
    target = open_project().get_target("mbprint")
    (small,) = check_pdf(path, target).findings
    assert (small.rule, small.message[:11]) == ("text-size", "text of 4pt")
    with Pdf.open(path) as pdf:
        assert b"/ActualText" in pdf.pages[0].Contents.read_bytes()


def test_shapes_that_are_marked_as_text() -> None:
    mark = "/Span <</ActualText (I) /TextSize 9>> BDC"
    shape = "q 2 0 0 2 4 60 cm 0 0 1 3 re f Q"
    for content, found in (
        (f"{mark} {shape} EMC", [("safe-area", "error")]),
        (shape, []),
        (f"{mark} EMC {shape}", []),
        (f"/Span <</ActualText (I)>> BDC {shape} EMC", []),
    ):
        pdf = open_good("ghostscript")
        add_content(pdf, f"0 0 0 1 k {content}")
        assert list_rules(check(pdf)) == found


@pytest.mark.parametrize("target", ["gamecrafter", "makeplayingcards"])
def test_pictures_of_too_few_pixels(project: Project, target: str) -> None:
    Image.effect_noise((100, 140), 60).convert("RGB").save(project.folder / "low.png")
    write(project, '<image file="low.png" bleed="true"/>')
    ran = project.run("build", "deck", "--target", target)
    assert ran.code == 1
    assert "a picture of 3" in ran.stderr and "pixels per inch as it is placed" in ran.stderr


@pytest.mark.parametrize("target", ["gamecrafter", "makeplayingcards"])
def test_pictures_without_bleed(project: Project, target: str) -> None:
    project.write_template(
        '<colour name="sea" rgb="#335577"/><box fill="sea"/>',
        attributes='size="poker" bleed="4mm"',
    )
    project.write_deck()
    ran = project.run("build", "deck", "--target", target)
    assert ran.code == 1
    assert " and ends there; the target" in ran.stderr
    assert "(bleed-painted)" in ran.stderr


@pytest.mark.parametrize("target", ["one-up", "png"])
def test_what_may_be_sent_is_judged_and_built_all_the_same(project: Project, target: str) -> None:
    Image.effect_noise((90, 120), 60).convert("RGB").save(project.folder / "low.png")
    project.write_template(f'<image file="low.png"/>{place_text("1mm")}', attributes='size="poker"')
    project.write_deck()
    ran = project.run("build", "deck", "--target", target)
    assert (ran.code, ran.stderr) == (0, "")
    for found in ("  a bleed of 0mm", "  a picture of 36 pixels per inch", " keeps 1.18mm"):
        assert found in ran.stdout
    ran = project.run("check", "deck", "--target", target, "--json")
    said = {each["code"]: each["severity"] for each in json.loads(ran.stdout)}
    assert said["preflight/safe-area"] == said["preflight/resolution"] == "information"
    assert project.run("build", "deck", "--target", target, "--draft").stdout.count("trim") == 0


@pytest.mark.parametrize("target", ["a4", "gutterfold-a4", "contact", "tts"])
def test_what_stays_at_home_is_not_judged(project: Project, target: str) -> None:
    write(project, place_text("1mm"))
    assert len(project.run("build", "deck", "--target", target).stdout.splitlines()) == 1
