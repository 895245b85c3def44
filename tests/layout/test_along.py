"""Letters with a line around them, and texts along a path: real text, as pixels show it."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pypdfium2
import pytest
from conftest import Project
from making import prepare
from PIL import Image
from pypdf import PdfReader
from reading import read_aloud

from cardgen.core.units import MM
from cardgen.layout.along import read_curve
from cardgen.layout.face import Face, Group, Outline
from cardgen.text.setting import Run

HEAD = """
<colour name="deep" cmyk="100 80 0 40"/><colour name="ember" cmyk="0 80 90 0"/>
<style name="title" size="16pt" weight="bold" colour="white" align="centre"/>
<style name="edged" outline="ember 1pt"/>
<icon-style name="orb" text="edged"/>
"""
ARC = "M5 20 A 20 20 0 0 1 45 20"


def make_face(project: Project, body: str) -> Face:
    project.write_template(HEAD + body)
    prepared = prepare(project.write_deck())
    made = prepared.faces.get_face(prepared.copies[0], "front")
    assert made is not None
    return made.face


def along(text: str, attributes: str = f'path="{ARC}"') -> str:
    return f'<text style="title" {attributes}>{{{{ "" if card.name }}}}{text}</text>'


def list_runs(face: Face) -> list[Run]:
    return [item for item in face.items if isinstance(item, Run)]


@pytest.mark.parametrize("target", ["one-up", "press", "mbprint"])
def test_pixels_show_the_letters_where_they_are(project: Project, target: str) -> None:
    """Whole within the lines around them, and along a circle. mbprint draws them as shapes."""
    wave = '<text style="title" y="{y}mm" height="9mm" valign="middle" outline="{edge}">WAVE</text>'
    wave = wave.format(y=8, edge="none") + wave.format(y=17, edge="ember 4pt")
    circle = "M31.75 45 A 12 12 0 1 1 31.65 45"
    text = along("All around the circle it goes", f'path="{circle}" size="9pt"')
    project.write_template(
        f'{HEAD}<box bleed="true" fill="deep"/>{wave}{text}',
        attributes='size="poker" bleed="3.175mm"',
    )
    project.write_deck()
    path = project.build(target=target).path
    if target != "mbprint":
        told = PdfReader(path).pages[0].extract_text()
        assert "WAVE" in told
        assert "All around the circle it goes" in told
    if target == "one-up":
        assert "H1: All around the circle it goes\n" in read_aloud(path)
    card = show_card(path)
    check_edges(*(crop(card, 3, y, 60, 9) for y in (8, 17)))
    check_circle(crop(card, 11.75, 37, 40, 40))


def show_card(path: Path) -> Image.Image:
    """The card to its trim, at 8 pixels to a millimetre."""
    page = pypdfium2.PdfDocument(path)[0]
    left, bottom, right, top = PdfReader(path).pages[0].trimbox
    width, height = page.get_size()
    edges = tuple(float(edge) for edge in (left, bottom, width - float(right), height - float(top)))
    image: Image.Image = page.render(scale=8 / MM, crop=edges).to_pil().convert("RGB")
    return image


def crop(card: Image.Image, *millimetres: float) -> Image.Image:
    x, y, width, height = (round(edge * 8) for edge in millimetres)
    return card.crop((x, y, x + width, y + height))


def list_pixels(picture: Image.Image) -> list[tuple[int, ...]]:
    """The pixels of an RGB picture, row by row."""
    data = picture.tobytes()
    return [tuple(data[at : at + 3]) for at in range(0, len(data), 3)]


def check_edges(plain: Image.Image, edged: Image.Image) -> None:
    pixels = list(zip(list_pixels(plain), list_pixels(edged), strict=True))
    letters = [after for before, after in pixels if min(before) > 250]
    assert sum(1 for after in letters if min(after) > 235) > 0.98 * len(letters) > 1_000
    assert sum(1 for _, after in pixels if after[0] > 180 and after[2] < 90) > len(letters)
    assert not any(before[0] > 180 and before[2] < 90 for before, _ in pixels)


def check_circle(picture: Image.Image) -> None:
    white = [
        math.dist((at % 320 + 0.5, at // 320 + 0.5), (160, 160)) / 8
        for at, pixel in enumerate(list_pixels(picture))
        if min(pixel) > 220
    ]
    assert len(white) > 1_000
    assert 11 < min(white) < 12 < 14 < max(white) < 15


def test_the_line_lies_below_all_letters_and_grows_with_them(project: Project) -> None:
    face = make_face(
        project, along("one<br/>two".replace("<br/>", "\\&#10;"), 'outline="ember 2pt"')
    )
    kinds = [type(item).__name__ for item in face.items if isinstance(item, Outline | Run)]
    assert kinds == ["Outline", "Outline", "Run", "Run"]
    (first, *_) = (item for item in face.items if isinstance(item, Outline))
    assert first.stroke is not None
    assert (first.stroke.width, first.stroke.join, first.fill) == (4, "round", None)
    small = make_face(project, along("one", 'outline="ember 2pt" fit="box" height="3mm" min="4pt"'))
    (run,) = list_runs(small)
    (line,) = (item for item in small.items if isinstance(item, Outline))
    assert line.stroke is not None
    assert run.size < 16
    assert line.stroke.width == pytest.approx(4 * run.size / 16)


def test_spans_cells_and_icons_have_lines_around_them(project: Project) -> None:
    cells = '<table columns="grow"><tr><td>{{ card.name }} [b]{edged}</td></tr></table>'
    body = f"<column>{along('a [b]{edged} :orb[3]:', '')}{cells}</column>"
    face = make_face(project, body)
    edges = [item for item in face.items if isinstance(item, Outline) and item.stroke]
    assert len(edges) == 3


def test_letters_stand_on_the_path(project: Project) -> None:
    runs = list_runs(make_face(project, along("along the arc")))
    middle = 25 * MM, 20 * MM
    for run in runs:
        advance = run.words[0].width * run.size / 2
        x, y = run.x + math.cos(run.angle) * advance, run.y + math.sin(run.angle) * advance
        assert math.dist((x, y), middle) == pytest.approx(20 * MM, abs=0.05)
        assert run.angle == pytest.approx(math.atan2(x - middle[0], middle[1] - y), abs=0.02)
    assert runs[0].angle == pytest.approx(-runs[-1].angle, abs=0.1), "it is centred"
    assert "".join(run.words[0].text for run in runs) == "alongthearc"


@pytest.mark.parametrize(("align", "end"), [("left", 0), ("right", -1)])
def test_a_text_begins_or_ends_with_its_path(project: Project, align: str, end: int) -> None:
    path = 'path="M5 10 H 45"'
    runs = list_runs(make_face(project, along("straight", f'{path} align="{align}"')))
    assert {(round(run.y, 3), run.angle) for run in runs} == {(round(10 * MM, 3), 0.0)}
    width = runs[end].words[0].width * 16
    reached = runs[0].x if align == "left" else runs[-1].x + width
    assert reached == pytest.approx((5 if align == "left" else 45) * MM, abs=0.1)


def test_icons_and_lines_go_with_it(project: Project) -> None:
    face = make_face(project, along("a [b]{edged} :orb: c", f'path="{ARC}" underline="true"'))
    groups = [item for item in face.items if isinstance(item, Group)]
    assert len(groups) == 1
    assert groups[0].matrix.b != 0
    outlines = [item for item in face.items if isinstance(item, Outline)]
    assert len(outlines) == 2
    under = outlines[-1]
    assert under.stroke is not None
    assert all(
        21 * MM > math.dist(point, (25 * MM, 20 * MM)) > 17 * MM for _, point in under.segments
    )


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        (
            'path="M5 10 H 20"',
            "its text is 33.98mm too long for its path: at 16pt it needs 48.98mm, the path is"
            " 15mm long",
        ),
        ('path="M5 10 H 20" fit="line" min="9pt"', "12.55mm too long for its path: at 9pt"),
        ('path="M5 10 X"', 'a path has broken data at "X"'),
        ('path="M5 10 H 20 M 2 2 H 9"', "a path for a text has several pieces"),
        ('path="M5 10 H 5"', "a path for a text has no length"),
        ('path="M0 0 ' + "h1 " * 2_001 + '"', "a path for a text has 2,002 parts; 2,000 are"),
        ('path="M5 10 H 95"', "reaches 45mm beyond the card's right edge"),
        ('path="M5 10 H 20" fit="box"', 'fit="box" has no meaning along a path'),
        ('outline="white"', '"white" must be a colour and a width'),
        ('outline="whit 1pt"', 'unknown colour "whit"'),
        (
            'outline="white 6mm"',
            "the outline of 17.01pt is broader than the letters are large, 16pt",
        ),
    ],
)
def test_what_cannot_be_set_is_told(project: Project, attributes: str, problem: str) -> None:
    project.write_template(f'{HEAD}<text style="title" {attributes}>{{{{ card.text }}}}</text>')
    project.write_deck("  - name: Sword\n    text: is much longer than it\n")
    assert problem in re.sub(r"\s+", " ", project.find_problems())


def test_two_lines_cannot_run_along_a_path(project: Project) -> None:
    project.write_template(f'{HEAD}<text path="M0 9 H 40">{{{{ card.text }}}}</text>')
    for text in ("a<br>b", "- a"):
        project.write_deck(f'  - name: Sword\n    text: "{text}"\n')
        assert "its text is more than one line" in project.find_problems()


def test_curves_are_measured() -> None:
    assert read_curve("M0 0 H 10 V 10 Z").length == pytest.approx((20 + math.sqrt(200)) * MM)
    assert read_curve(ARC).length == pytest.approx(20 * math.pi * MM, rel=1e-3)


def test_a_path_gives_its_text_a_size(project: Project) -> None:
    column = f"<column>{along('a')}<text>{{{{ card.name }}}}</text></column>"
    runs = list_runs(make_face(project, column))
    assert runs[-1].y > 20 * MM
