"""Words that look unlike their text: in a style, with a line, as icon or picture."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest
from conftest import Project
from making import prepare
from PIL import Image
from pypdf import PdfReader
from reading import read_aloud

from cardgen.core.colour import BLACK, WHITE, Colour
from cardgen.core.geometry import Rect
from cardgen.layout.face import Element, Face, Form, Outline, Picture, Tag
from cardgen.layout.inline import choose_ink
from cardgen.text.setting import Run

HEAD = """
<colour name="ember" cmyk="0 80 90 10"/>
<style name="rules" size="10pt" leading="1.3"/>
<style name="damage" weight="bold" colour="ember"/>
<style name="big" extends="damage" size="20pt"/>
<style name="under" underline="true"/>
<style name="gone" strike="true"/>
<style name="figure" size="6pt"/>
<icon-style name="shield" fill="ember" size="1.5" raise="0.1"/>
<icon-style name="orb" text="figure"/>
<icon-style name="flame" file="flame.png"/>
"""


def write_flame(project: Project) -> None:
    file = BytesIO()
    Image.new("RGB", (200, 100), "orange").save(file, "PNG")
    project.write("flame.png", file.getvalue())


def make_face(project: Project, text: str, attributes: str = "") -> Face:
    write_flame(project)
    project.write_template(
        f'{HEAD}<text style="rules" {attributes}>{{{{ "" if card.name }}}}{text}</text>'
    )
    deck = project.write_deck()
    prepared = prepare(deck)
    made = prepared.faces.get_face(prepared.copies[0], "front")
    assert made is not None
    return made.face


def list_runs(face: Face) -> list[Run]:
    return [item for item in face.items if isinstance(item, Run)]


def find_run(face: Face, word: str) -> Run:
    (run,) = (run for run in list_runs(face) if any(part.text == word for part in run.words))
    return run


def list_rules(face: Face) -> list[Rect]:
    outlines = (item for item in face.items if isinstance(item, Outline))
    return [item.bounds for item in outlines if item.as_text]


def test_a_span_has_what_its_style_says_and_the_rest_of_its_text(project: Project) -> None:
    face = make_face(project, "Deals [3 *fire* damage]{damage} and [more]{big}")
    plain, damage, fire, more = (find_run(face, w) for w in ("Deals", "3", "fire", "more"))
    assert (damage.font.file.weight, damage.size) == (700, 10)
    assert str(damage.colour) == str(fire.colour) == "cmyk(0 0.8 0.9 0.1)" != str(plain.colour)
    assert fire.font.file.italic
    assert not damage.font.file.italic
    assert (more.font.file.weight, more.size) == (700, 20)
    assert plain.font.file.weight == 400


def test_the_words_of_a_smaller_text_keep_their_share(project: Project) -> None:
    text = "Deals [3 damage]{big} to all who stand there and then [again]{big} to whoever is left"
    face = make_face(project, text, 'fit="box" width="30mm" height="15mm" min="3pt"')
    plain, big = find_run(face, "Deals"), find_run(face, "again")
    assert plain.size < 9
    assert big.size == pytest.approx(2 * plain.size)
    assert max(run.y for run in list_runs(face)) < 15 / 25.4 * 72


def test_a_line_with_larger_words_is_higher(project: Project) -> None:
    usual = list_runs(make_face(project, r"one\&#10;two\&#10;three"))
    first, second, third = list_runs(make_face(project, r"one\&#10;[two]{big}\&#10;three"))
    assert first.y == usual[0].y
    assert second.y > usual[1].y + 4
    assert third.y >= second.y + 13
    higher = list_runs(make_face(project, r"[one]{big}\&#10;two"))[0]
    assert higher.y == pytest.approx(2 * usual[0].y, abs=0.1), (
        "its capitals begin where the text does"
    )


def test_lines_lie_under_words_and_the_spaces_between(project: Project) -> None:
    face = make_face(project, "a [b **c** :sword: d]{under} e [f g]{gone} &lt;u>h i&lt;/u>")
    under, crossed, tagged = sorted(list_rules(face), key=lambda rule: rule.x)
    first, last = find_run(face, "b"), find_run(face, "d")
    file = first.font.file
    assert under.x == pytest.approx(first.x)
    assert under.right == pytest.approx(last.x + last.words[0].width * 10)
    assert under.y == pytest.approx(first.y - file.underline[0] * 10)
    assert under.height == pytest.approx(file.underline[1] * 10)
    assert crossed.y == pytest.approx(first.y - file.strike[0] * 10)
    assert crossed.bottom < first.y < under.y == tagged.y


def test_a_line_of_text_breaks_where_the_text_does(project: Project) -> None:
    face = make_face(project, "one two three four five", 'width="20mm" underline="true"')
    rules = list_rules(face)
    assert len(rules) == len({run.y for run in list_runs(face)}) > 1
    assert all(rule.x == 0 and rule.right <= 20 / 25.4 * 72 for rule in rules)


def test_icons_have_a_colour_and_size_of_their_own(project: Project) -> None:
    face = make_face(project, "x :shield: :sword: y")
    assert "0.8 0.9" in face.dump()
    assert face.dump().count("path") == 2
    own, plain = (line for line in face.dump().splitlines() if "form" in line)
    own_y, plain_y = (float(line.split()[2]) for line in (own, plain))
    assert plain_y - own_y == pytest.approx(2.5 + 1, abs=0.01)  # half of its size, and raised


def test_an_icon_may_keep_the_colours_of_its_file(project: Project) -> None:
    shapes = '<path d="M0 0H4V8H0Z" fill="#f00"/><path d="M4 0H8V8H4Z" fill="#00f"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">{shapes}</svg>'
    project.write("assets/icons/flag.svg", svg)
    style = '<icon-style name="flag" colours="keep"/>'
    project.write_template(f"{style}<text>{{{{ card.name }}}} :flag:</text>")
    prepared = prepare(project.write_deck())
    made = prepared.faces.get_face(prepared.copies[0], "front")
    assert made is not None
    assert "rgb(1 0 0)" in made.face.dump()
    assert "rgb(0 0 1)" in made.face.dump()


def test_a_picture_may_be_a_drawing(project: Project) -> None:
    shapes = '<path d="M0 0H8V8H0Z" fill="#f00"/><circle cx="12" cy="4" r="4" fill="#00f"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 8">{shapes}</svg>'
    project.write("sign.svg", svg)
    face = make_face(project, "x ![a sign](sign.svg) and ![](sign.svg)")
    first, second = (item for item in face.items if isinstance(item, Form))
    assert first.shared is second.shared
    assert (first.shared.bounds.width, first.shared.bounds.height) == (20, 10)
    assert "rgb(1 0 0)" in face.dump()
    assert "rgb(0 0 1)" in face.dump()


def test_words_stand_in_the_middle_of_an_icon(project: Project) -> None:
    face = make_face(project, "x :shield[3]: :orb[12]:")
    three, twelve = find_run(face, "3"), find_run(face, "12")
    assert three.font.file.weight == 700
    assert three.colour == WHITE, "read on a dark ground"
    assert twelve.size <= 6, "as its style says"
    frame = next(item for item in face.items if isinstance(item, Form))
    assert three.x + three.words[0].width * three.size / 2 == pytest.approx(frame.x + 7.5, abs=0.05)
    assert make_face(project, ":orb[1]:").dump().count("text") == 1


def test_pictures_are_as_high_as_the_type(project: Project) -> None:
    face = make_face(project, "x ![a flame](flame.png) :flame: ![](flame.png){height=2em}")
    frames = [item.frame for item in face.items if isinstance(item, Picture)]
    assert [round(frame.height, 3) for frame in frames] == [10, 10, 20]
    assert [round(frame.width, 3) for frame in frames] == [20, 20, 40]
    tags = [item.element for item in face.items if isinstance(item, Tag)]
    said = [e.alt for e in tags if isinstance(e, Element) and e.role == "Span"]
    assert said == ["a flame", "flame", "flame"]


@pytest.mark.parametrize(
    ("colour", "ink"),
    [
        (BLACK, WHITE),
        (WHITE, BLACK),
        (Colour("rgb", (0.1, 0.1, 0.5)), WHITE),
        (Colour("cmyk", (0, 0, 1, 0)), BLACK),
        (Colour("grey", (0.9,)), BLACK),
    ],
)
def test_words_on_an_icon_are_read(colour: Colour, ink: Colour) -> None:
    assert choose_ink(colour) == ink


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "[3 damage]{damge}",
            'its text has words in an unknown style "damge"\n  hint: did you mean "damage"?; or'
            " write \\[ to print the brackets;",
        ),
        ("![](flam.png)", 'there is no picture "flam.png"\n  hint: did you mean "flame.png"?;'),
        ("![](flame.png){height=much}", 'its text has a picture of height "much", which is none'),
        (":orb[1234567890]:", 'its text has "1234567890" on the icon "orb", which is too small'),
        (":orbb[1]:", 'unknown icon "orbb"\n  hint: did you mean "orb"?;'),
    ],
)
def test_what_cannot_be_set_is_named(project: Project, text: str, problem: str) -> None:
    write_flame(project)
    project.write_template(f'{HEAD}<text style="rules">{{{{ card.text }}}}</text>')
    project.write_deck(f'  - name: Sword\n    text: "{text}"\n')
    found = project.find_problems()
    assert found.startswith(f'decks/deck.yaml:3:5: card "Sword": {problem}')
    assert "templates/plain.xml:13:1" in found


def test_all_that_is_wrong_in_a_text_is_told_at_once(project: Project) -> None:
    project.write_template("<text>{{ card.text }}</text>")
    wrong = "A \\u0926 and :nope:, [that]{loud}, ![a cat](cat.png), and \\u0927 :nop:"
    project.write_deck(f'  - name: Sword\n    text: "{wrong}"\n')
    told = project.find_problems()
    for part in ('no font holds "द"', '"nope"', '"loud"', '"cat.png"', '"nop"'):
        assert told.count(part) == 1, (part, told)


BROAD = """<style name="ringed" size="8pt" outline="white 12pt"/>
<style name="large" size="20pt"/>
<icon-style name="orb" text="ringed"/>"""


@pytest.mark.parametrize(
    "element",
    [
        "<text>a [b]{ringed} {{ card.name }}</text>",
        '<text path="M5 20 H 50">a [b]{ringed} {{ card.name }}</text>',
        "<text>- a\n- [b]{ringed} {{ card.name }}</text>",
        "<flow>- a\n- [b]{ringed} {{ card.name }}</flow>",
        '<table style="ringed" columns="auto"><tr><td>{{ card.name }}</td></tr></table>',
        "<text>:orb[3]: {{ card.name }}</text>",
    ],
)
def test_an_outline_that_is_broader_than_its_letters_is_told_once(
    project: Project, element: str
) -> None:
    project.write_template(f"{BROAD}{element}<text style='large' outline='white 12pt'>a</text>")
    project.write_deck("  - {name: Sword}\n  - {name: Axe}\n")
    found = project.find_problems()
    assert found.count("an outline of 12pt around letters of 8pt") == 1
    assert 'cards "Sword", "Axe": its' in found


@pytest.mark.parametrize("around", ["<text>{}</text>", "<flow>{}</flow>"])
def test_boxes_stand_for_what_is_missing_in_a_text(project: Project, around: str) -> None:
    text = "a ![](gone.png) b :gonne: and ![](gone.png) {{ card.name }}"
    project.write_template(around.format(text))
    project.write_deck(head="template: plain\nmissing: placeholder\n")
    ran = project.run("build", "deck", "--target", "one-up")
    assert ran.code == 0
    assert "gone.png" in ran.stdout
    assert "gonne" in ran.stdout
    project.write_deck()
    ran = project.run("build", "deck", "--draft", "--target", "one-up")
    assert ran.code == 1
    assert 'there is no picture "gone.png"' in ran.stderr
    assert 'unknown icon "gonne"' in ran.stderr


def test_a_wrong_style_of_an_icon_is_named(project: Project) -> None:
    body = '<icon-style name="sworrd"/><icon-style name="orb" text="big" size="0" fil="x"/>'
    project.write_template(f'{body}<style name="bigg"/><text>x</text>')
    project.write_deck()
    found = project.find_problems()
    for problem in ('unknown icon "sworrd"', 'unknown style "big"', '"0" is no size', '"fil"'):
        assert problem in found


@pytest.fixture
def card(project: Project) -> Project:
    write_flame(project)
    text = (
        "Deals [3 damage]{damage} to [all who stand]{under}\n      [here]{gone} :shield[3]: :flame:"
    )
    body = '<text style="rules">{{ card.text }}</text>'
    body += '<box width="30mm" height="12mm" y="16mm" fill="ember"/>'
    body += '<text style="rules" x="1mm" y="20mm" underline="true">On a ground</text>'
    project.write_template(
        f'{HEAD}<box padding="5mm">{body}</box>', attributes='size="50mm x 40mm" bleed="3mm"'
    )
    project.write_deck(f"  - name: Sword\n    text: >-\n      {text}\n")
    return project


def test_it_is_real_text_and_read_aloud(card: Project) -> None:
    path = card.build(target="one-up").path
    text = PdfReader(path).pages[0].extract_text()
    for words in ("Deals 3 damage to all who", "here", "On a ground"):
        assert words in text
    assert "P: Deals 3 damage to all who stand here shield 3 flame" in read_aloud(path)
    picture = pypdfium2.PdfDocument(path)[0].render(scale=8).to_pil().convert("L")
    face = make_face(card, "Deals [3 damage]{damage} to [all who]{under}")
    (rule,) = list_rules(face)
    assert is_dark_all_along(picture, path, rule.moved(5 / 25.4 * 72, 5 / 25.4 * 72))


def is_dark_all_along(picture: Image.Image, path: Path, rule: Rect) -> bool:
    """Whether a line is printed where it stands on the card, spaces and all."""
    left, top = (float(n) for n in PdfReader(path).pages[0].trimbox.upper_left)
    height = float(PdfReader(path).pages[0].mediabox.height)
    y = round((height - top + rule.y + rule.height / 2) * 8)
    x = round((left + rule.x) * 8)
    row = picture.convert("L").crop((x + 2, y, x + round(rule.width * 8) - 2, y + 1))
    return max(row.tobytes()) < 90


def test_lines_are_printed_as_the_text_is(card: Project) -> None:
    """Black lies on top of what is below, as the letters do, and leaves no white edge."""
    content = b"".join(
        stream.get_object().get_data()
        for page in PdfReader(card.build(target="press").path).pages
        for stream in [
            page["/Contents"],
            *page["/Resources"].get("/XObject", {}).values(),  # type: ignore[attr-defined]
        ]
        if stream.get_object().get("/Subtype") in (None, "/Form")
    )
    assert len(re.findall(rb"q /GO gs 0 0 0 1 k [\d. mlh-]+ f Q", content)) == 4
