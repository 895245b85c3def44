"""Lists and small tables in a text: where they hang, how they fit, what is none."""

from __future__ import annotations

import pytest
from conftest import Project
from making import prepare
from pypdf import PdfReader

from cardgen.core.errors import CardgenError
from cardgen.layout.face import Element, Face, Tag
from cardgen.text.markup import may_hold_blocks
from cardgen.text.setting import Run

STYLE = '<style name="rules" size="10pt" paragraph="0.5"/>'


def make_face(
    project: Project, text: str, attributes: str = "", around: str = "{}", style: str = STYLE
) -> Face:
    body = f'<text style="rules" {attributes}>{{{{ card.text }}}}</text>'
    project.write_template(style + around.format(body))
    lines = "".join(f"      {line}\n" for line in text.splitlines())
    project.write_deck(f"  - name: Sword\n    text: |-\n{lines}")
    prepared = prepare("deck")
    made = prepared.faces.get_face(prepared.copies[0], "front")
    assert made is not None
    return made.face


def list_lines(face: Face) -> list[tuple[float, float, str]]:
    """The place of each run, and its words."""
    return [
        (round(run.x, 1), round(run.y, 1), " ".join(word.text for word in run.words).strip())
        for run in face.items
        if isinstance(run, Run)
    ]


def find(face: Face, words: str) -> tuple[float, float]:
    (place,) = ((x, y) for x, y, text in list_lines(face) if text.startswith(words))
    return place


def test_items_hang_behind_their_bullets(project: Project) -> None:
    long = "one that is so long that its line breaks somewhere"
    text = f"Choose:\n- {long}\n- two\n  1. three\n  2. four"
    face = make_face(project, text)
    bullets = [(x, y) for x, y, words in list_lines(face) if words == "•"]
    one, goes_on, two = (find(face, words) for words in ("one that", "breaks", "two"))
    assert [x for x, _ in bullets] == [0, 0]
    assert one[0] == goes_on[0] == two[0] == 12
    assert (one[1], two[1]) == (bullets[0][1], bullets[1][1])
    assert goes_on[1] - one[1] == 12
    number, three = find(face, "1."), find(face, "three")
    assert 12 <= number[0] < three[0]
    assert find(face, "2.")[0] == pytest.approx(number[0], abs=2)


@pytest.mark.parametrize(("bold", "weight"), [("bold", 700), ("250", 400)])
def test_a_bullet_is_bold_where_the_family_is(project: Project, bold: str, weight: int) -> None:
    """In most families it is hardly seen else; a family without the weight has its own."""
    face = make_face(project, "- one\n- two", f'bold="{bold}"')
    runs = [run for run in face.items if isinstance(run, Run)]
    weights = {run.words[0].text: run.font.file.weight for run in runs}
    assert weights == {"•": weight, "one": 400, "two": 400}


def test_the_columns_of_a_table_are_as_wide_as_their_words(project: Project) -> None:
    face = make_face(
        project, "Ranges:\n\n| Weapon | Hits |\n|---|--:|\n| Bow | 3 |\n| Sling | 12 |"
    )
    assert find(face, "Bow")[0] == find(face, "Weapon")[0] == 0
    runs = [run for run in face.items if isinstance(run, Run)]
    ends = {run.x + run.words[0].width * 10 for run in runs if run.words[0].text in ("3", "12")}
    assert max(ends) - min(ends) < 0.01
    assert next(run for run in runs if run.words[0].text == "Hits").font.file.weight == 700


def test_what_is_read_aloud_is_a_list(project: Project) -> None:
    face = make_face(project, "Choose:\n- one\n- two")
    roles = [item.element.role for item in face.items if isinstance(item, Tag) and item.element]
    assert roles == ["P", "Lbl", "LBody", "Lbl", "LBody"]
    said = make_face(project, "Choose:\n- one", 'alt="one thing"')
    elements = [item.element for item in said.items if isinstance(item, Tag)]
    assert [e.alt for e in elements if isinstance(e, Element)] == ["one thing"]
    silent = make_face(project, "Choose:\n- one", 'alt=""')
    assert not any(isinstance(item, Tag) for item in silent.items)


@pytest.mark.parametrize("fit", ["box", "deck"])
def test_a_list_is_fitted_to_its_box(project: Project, fit: str) -> None:
    text = "Choose:\n- one\n- two\n- three\n- four\n- five"
    face = make_face(project, text, f'fit="{fit}" min="3pt" max="20pt" height="15mm"')
    runs = [run for run in face.items if isinstance(run, Run)]
    assert len({run.size for run in runs}) == 1
    height = 15 / 25.4 * 72
    depth = runs[0].font.file.depth
    lowest = max(run.y + depth * run.size for run in runs)
    assert height - 2 < lowest <= height


def test_a_list_stands_where_its_text_does(project: Project) -> None:
    text = "- one\n- two"
    top, middle, bottom = (
        find(make_face(project, text, f'height="30mm" valign="{valign}"'), "one")[1]
        for valign in ("top", "middle", "bottom")
    )
    assert top < middle < bottom
    assert middle - top == pytest.approx((bottom - top + 2) / 2, abs=1)
    column = '<column>{}<text style="rules">after {{{{ card.name }}}}</text></column>'
    assert find(make_face(project, text, "", column), "after")[1] > top + 20
    row = '<row>{}<text style="rules">after {{{{ card.name }}}}</text></row>'
    assert 25 < find(make_face(project, text, "", row), "after")[0] < 40


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("1. May 1900", "1. May 1900"),
        ("May\n1. the first", "May 1. the first"),
        ("* not for heroes", "* not for heroes"),
        ("- 3 -", "- 3 -"),
        ("x\n+ 2 to hit", "x + 2 to hit"),
        ("-5\n-6", "-5 -6"),
        ("a | b\nc", "a | b c"),
        ("\\- a\n\\- b", "- a - b"),
        ("# a\n> b", "# a > b"),
        ("a\n    b", "a b"),
    ],
)
def test_what_is_no_list(project: Project, text: str, printed: str) -> None:
    assert [words for _, _, words in list_lines(make_face(project, text))] == [printed]


def test_lines_in_xml_may_be_indented(project: Project) -> None:
    project.write_template(
        f'{STYLE}<text style="rules">Choose {{{{ card.name }}}}:\n      - one\n      - two\n</text>'
    )
    prepared = prepare(project.write_deck())
    made = prepared.faces.get_face(prepared.copies[0], "front")
    assert made is not None
    assert [words for _, _, words in list_lines(made.face)] == [
        "Choose Sword:",
        *(["•", "one", "•", "two"]),
    ]


@pytest.mark.parametrize(
    ("text", "attributes", "problem"),
    [
        ("- a\n- b\n- c", 'height="5mm"', "its text is 8.14mm too long: at 10pt it needs 13.14mm"),
        ("- a\n- b", 'fit="line"', "its text is more than one line"),
        ("- Incomprehensibilities", 'width="20mm"', '"Incomprehensibilities" is'),
        ("| Incomprehensibilities |\n|--|\n| a |", 'width="20mm"', "the columns of a table need"),
    ],
)
def test_what_does_not_fit_is_told(
    project: Project, text: str, attributes: str, problem: str
) -> None:
    with pytest.raises(Exception, match=problem):
        make_face(project, text, attributes)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("one line", False),
        ("two\nlines", False),
        ("a\n- b", True),
        ("- a", True),
        ("a|b\n-|-", True),
    ],
)
def test_few_texts_are_looked_at(text: str, may: bool) -> None:
    assert may_hold_blocks(text) == may


def test_a_draft_shows_a_list_that_is_too_long(project: Project) -> None:
    project.write_template(f'{STYLE}<text style="rules" height="5mm">{{{{ card.text }}}}</text>')
    project.write_deck("  - name: Sword\n    text: |-\n      - one\n      - two\n      - three\n")
    ran = project.run("build", "deck", "--draft", "--target", "one-up")
    assert ran.code == 1
    assert "its text is 8.14mm too long" in ran.stderr
    (path,) = (project.folder / "output").glob("*.pdf")
    assert "three" in PdfReader(path).pages[0].extract_text()


@pytest.mark.parametrize("align", ["centre", "right", "centre, left from 9 lines"])
def test_items_stand_behind_their_bullets_whatever_else_does(project: Project, align: str) -> None:
    face = make_face(project, "Choose one:\n\n- two\n- three", f'align="{align}"')
    assert find(face, "two")[0] == find(face, "three")[0] == 12
    assert (find(face, "Choose")[0] == 0) == ("left" in align)


COMPOUND = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen"


@pytest.mark.parametrize("text", [f"- {COMPOUND}", f"| a | b |\n|---|---|\n| {COMPOUND} | 2 |"])
def test_words_in_lists_are_broken_where_it_is_needed(project: Project, text: str) -> None:
    place = 'width="40mm" hyphenate="{}"'
    with pytest.raises(CardgenError, match=r" wide, its | columns of a table "):
        make_face(project, text, place.format("false"))
    face = make_face(project, text, place.format("needed"))
    words = "".join(word for _, _, word in list_lines(face))
    assert COMPOUND in words.replace("-", "").replace("\u00ad", "")


def test_words_in_cells_are_broken_where_it_is_needed(project: Project) -> None:
    cells = "<tr><td>a</td><td>{{{{ card.text }}}}</td></tr>"
    around = f'<table width="40mm" columns="auto grow" style="rules">{cells}</table>{{}}'
    with pytest.raises(CardgenError, match="table cell"):
        make_face(project, COMPOUND, 'y="30mm" size="1pt" hyphenate="true"', around)
    style = STYLE.replace("/>", ' hyphenate="needed"/>')
    face = make_face(project, COMPOUND, 'y="30mm" size="1pt" hyphenate="true"', around, style)
    words = "".join(word for _, y, word in list_lines(face) if y < 80)
    assert COMPOUND in words.replace("-", "").replace("\u00ad", "")
