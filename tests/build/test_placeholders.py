"""A project in the making: boxes for pictures and icons that are missing, and what a press says of
them; and templates that ask whether a file is there.
"""

from __future__ import annotations

import pytest
from conftest import Project
from PIL import Image
from pypdf import PdfReader
from strategies import lay_out, list_lines

from cardgen.layout.face import Picture

CARDS = "  - {name: Sword, picture: sword.png}\n  - {name: Bow, picture: bow.png}\n  - name: Axe\n"
PLACE = 'width="20mm" height="20mm"'


@pytest.fixture
def making(project: Project) -> Project:
    """Three cards, and the picture of the first."""
    Image.new("RGB", (300, 300), (255, 0, 0)).save(project.write("sword.png", ""))
    project.write_deck(CARDS)
    return project


def write_template(project: Project, more: str = "") -> None:
    project.write_template(
        f'<image file="{{{{ card.picture }}}}" {PLACE} {more}/>'
        f'<icon name="swrod" x="25mm" {PLACE} {more}/>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )


NOTES = (
    "  1 icon is missing, and a box stands for it: swrod\n"
    '  2 pictures are missing, and boxes stand for them: that of "Axe", bow.png\n'
)


@pytest.mark.parametrize("said", ["element", "deck", "project"])
def test_boxes_stand_for_what_is_missing(making: Project, said: str) -> None:
    write_template(making, 'missing="placeholder"' if said == "element" else "")
    if said == "deck":
        making.write_deck(CARDS, head="template: plain\nmissing: placeholder\n")
    if said == "project":
        making.write("cardgen.toml", 'missing = "placeholder"\n')
    ran = making.run("build", "deck", "--target", "png")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"output/deck-png: 3 cards as 3 pictures\n{NOTES}")
    for name, red in (("1-sword", True), ("2-bow", False), ("3-axe", False)):
        image = Image.open(f"output/deck-png/{name}-front.png")
        inside, beside, icon, paper = (
            image.getpixel((round((x + 3) * 300 / 25.4), round((y + 3) * 300 / 25.4)))
            for x, y in ((3, 10), (22, 10), (28, 10), (28, 30))
        )
        assert (inside == (255, 0, 0)) is red
        assert inside not in (beside, paper)
        assert icon not in (beside, paper)
        assert beside == paper == (255, 255, 255)


def test_a_check_tells_of_boxes_too(making: Project) -> None:
    write_template(making, 'missing="placeholder"')
    ran = making.run("check", "deck")
    assert ran.code == 0
    assert ran.stdout.endswith(NOTES)


@pytest.mark.parametrize("setting", ["", "missing: error\n"])
def test_without_them_what_is_missing_is_an_error(making: Project, setting: str) -> None:
    write_template(making)
    making.write("cardgen.toml", 'missing = "placeholder"\n' if setting else "")
    making.write_deck(CARDS, head=f"template: plain\n{setting}")
    ran = making.run("build", "deck")
    assert ran.code == 1
    assert 'there is no picture "bow.png"' in ran.stderr
    assert 'card "Axe": the picture has no name' in ran.stderr


def test_an_element_may_ask_for_an_error(making: Project) -> None:
    write_template(making, 'missing="error"')
    making.write("cardgen.toml", 'missing = "placeholder"\n')
    assert making.run("build", "deck").code == 1


@pytest.mark.parametrize("target", ["press", "sent"])
def test_what_is_sent_has_no_boxes(making: Project, target: str) -> None:
    write_template(making, 'missing="placeholder"')
    making.write("targets/sent.toml", 'extends = "png"\ntitle = "Sent"\nfull_bleed = true\n')
    ran = making.run("build", "deck", "--target", target)
    assert ran.code == 1
    assert "the target prints no placeholders" in ran.stderr
    assert 'there is no picture "bow.png"' in ran.stderr
    assert not [path for path in making.folder.glob("output/**/*") if path.is_file()]


@pytest.mark.parametrize("name", ["../secret.png", "broken.png"])
def test_no_box_stands_for_what_is_wrong(making: Project, name: str) -> None:
    making.write("broken.png", "no picture")
    Image.new("RGB", (9, 9)).save(making.folder.parent / "secret.png")
    making.write_template(f'<image file="{name}" missing="placeholder" {PLACE}/>')
    assert making.run("build", "deck").code == 1


def test_a_box_is_as_wide_as_high_where_nobody_says(making: Project) -> None:
    making.write_template(
        '<colour name="blue" rgb="#0000ff"/>'
        '<column width="20mm"><image file="gone.png" missing="placeholder"/>'
        '<box height="3mm" fill="blue"/></column>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    making.run("build", "deck", "--target", "png")
    image = Image.open("output/deck-png/1-sword-front.png")
    column = [image.getpixel((round(5 * 300 / 25.4), y)) for y in range(image.height)]
    assert column.index((0, 0, 255)) == pytest.approx(23 * 300 / 25.4, abs=1.5)


@pytest.mark.parametrize("file", ["cardgen.toml", "decks/deck.yaml"])
def test_a_setting_that_is_none(making: Project, file: str) -> None:
    write_template(making)
    if file == "cardgen.toml":
        making.write(file, 'missing = "placeholdr"\n')
    else:
        making.write_deck(CARDS, head="template: plain\nmissing: placeholdr\n")
    ran = making.run("build", "deck")
    assert ran.code == 1
    assert 'missing must be "error" or "placeholder", not "placeholdr"' in ran.stderr
    assert 'did you mean "placeholder"?' in ran.stderr


def test_a_template_asks_whether_a_file_is_there(project: Project) -> None:
    for path in (project.folder / "sword.png", project.folder.parent / "secret.png"):
        Image.new("RGB", (9, 9)).save(path)
    (face,) = lay_out(
        project,
        '<text>{% for name in [card.picture, "bow.png", "../secret.png", 7, "", none] %}'
        '{{ "yes" if name is file else "no" }} {% endfor %}</text>'
        '<image if="card.picture is file" file="{{ card.picture }}"/>'
        '<image if="card.other is file" file="{{ card.other }}"/>',
        {"picture": "sword.png", "other": "bow.png"},
    )
    assert list_lines(face) == ["yes no no no no no"]
    assert sum(isinstance(item, Picture) for item in face.items) == 1


@pytest.mark.parametrize(("stack", "side"), [("column", "height"), ("row", "width")])
def test_a_picture_that_takes_too_much_is_named(making: Project, stack: str, side: str) -> None:
    size = 'size="50mm x 30mm"' if stack == "column" else 'size="30mm x 50mm"'
    picture = '<image file="sword.png"/>\n'
    making.write_template(f"<{stack}>\n<text>A</text>\n{picture}</{stack}>", attributes=size)
    ran = making.run("build", "deck")
    place = "templates/plain.xml:4:1"
    assert f'its picture, {place}, has no {side} of its own: give it one, or grow="1"' in ran.stderr
    grown = picture.replace("/>", ' grow="1"/>')
    making.write_template(f"<{stack}>\n<text>A</text>\n{grown}</{stack}>", attributes=size)
    assert making.run("build", "deck").code == 0


def test_a_template_asks_whether_an_icon_is_there(project: Project) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0H9V9Z"/></svg>'
    project.write("icons/mine.svg", svg)
    project.write("../secret.svg", svg)
    (face,) = lay_out(
        project,
        '<text>{% for name in ["mine", "sword", "swrod", "../../secret", "mine.png", 7, none] %}'
        '{{ "yes" if name is icon else "no" }} {% endfor %}</text>',
        {"picture": "sword.png"},
    )
    assert list_lines(face) == ["yes yes no no no no no"]


def test_a_sign_of_a_card_without_a_template_is_drawn_or_named(project: Project) -> None:
    project.write("cards.csv", "name,icon,range\nBlade,sword,1\nClub,clubb.png,2\n")
    ran = project.run("build", "cards.csv", "--target", "one-up")
    assert ran.code == 0, ran.stderr
    pages = PdfReader("output/cards-one-up.pdf").pages
    blade, club = (page.extract_text() for page in pages)
    assert ("Icon" in blade, "Icon" in club, "clubb.png" in club) == (False, True, True)


def test_a_field_that_no_card_has_is_no_file_but_an_error(making: Project) -> None:
    making.write_template('<image if="card.pcture is file" file="{{ card.picture }}"/>')
    ran = making.run("build", "deck")
    assert ran.code == 1
    assert 'unknown field "pcture"' in ran.stderr
