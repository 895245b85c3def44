"""Line ends and marks of HTML in data: meant as they are in a spreadsheet, or named."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from pypdf import PdfReader

from cardgen.core.errors import Where
from cardgen.deck.foreign import ForeignMarks
from cardgen.deck.read import read_deck_file
from cardgen.text import markup

CELL = "First line\nsecond **line \n over** two\n\nNew"


def test_a_line_end_in_a_cell_breaks_the_line(project: Project) -> None:
    project.write_template("<text>{{ card.text }}</text>", attributes='size="50mm x 40mm"')
    project.write("decks/deck.csv", f'---\ntemplate: plain\n---\nname,text\nSword,"{CELL}"\n')
    text = PdfReader(project.build(target="one-up").path).pages[0].extract_text()
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    assert lines == ["First line", "second line", "over two", "New"]


def test_a_line_end_in_yaml_is_a_space(project: Project) -> None:
    project.write_template("<text>{{ card.text }}</text>", attributes='size="50mm x 40mm"')
    project.write_deck("  - name: Sword\n    text: |-\n      First line\n      goes on\n")
    text = PdfReader(project.build(target="one-up").path).pages[0].extract_text()
    assert "First line goes on" in text


@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("a\nb", "a  \nb"),
        ("a \n b", "a  \n b"),
        ("a\n\nb", "a\n\nb"),
        ("a\n \nb", "a\n \nb"),
        ("- a\n- b", "- a  \n- b"),
    ],
)
def test_empty_lines_part_paragraphs(tmp_path: Path, cell: str, kept: str) -> None:
    path = tmp_path / "deck.csv"
    path.write_text(f'name,text\nSword,"{cell}"\n')
    assert read_deck_file(path).cards[0].fields["text"] == kept


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("<b>a</b><br><I>b</I> <u>c</u><strong>d</strong> <em>e</em><p>", []),
        ("a < b, c > d, <x>, R&D, AT&T; Tom & Jerry", []),
        (r"\<font>", []),
        ("<font color=red>a</font> <SPAN>b</SPAN>", ["<font>", "<span>"]),
        ("<ul><li>a</li></ul>", ["<ul>", "<li>"]),
        ("<fc=red>a</fc> <img=a.png> <Sprite/> <x>y</x>", ["<fc>", "<img>", "<sprite>", "<x>"]),
        ("a<!-- say\nmore --> b", ["<!-- -->"]),
        ("if a<b and c>d, x<y then z>2", []),
        (r"a\nb \qc\q @[Coin]", [r"\n", r"\q", "@[Coin]"]),
        (r"a \*b\* \\n me@here.net", []),
        ("Draw {{POKÉDEX}}, {a} {{}} {{{ {{c1::word}}", ["{{POKÉDEX}}, {{c1::word}}"]),
        ("a&nbsp;b &amp; c &#8211;", ["&nbsp;", "&amp;", "&#8211;"]),
    ],
)
def test_what_no_text_reads_is_found(text: str, marks: list[str]) -> None:
    foreign = ForeignMarks()
    foreign.look(text, "text", "Sword", Where("deck.csv"))
    assert [note.details["mark"] for note in foreign.list_notes()] == marks


@pytest.mark.parametrize("tag", sorted({*markup._TAGS, "br", "p"}))
def test_what_texts_read_is_no_mark(tag: str) -> None:
    foreign = ForeignMarks()
    foreign.look(f'<{tag} class="x">a</{tag}>', "text", "Sword", Where("deck.csv"))
    assert list(foreign.list_notes()) == []


def test_a_build_names_them(project: Project) -> None:
    project.write_template("<text>{{ card.text }}</text>")
    cards = "".join(f"  - name: {n}\n    text: <font>a</font> <b>b</b>\n" for n in "ABC")
    project.write_deck(cards)
    ran = project.run("build", "deck")
    assert ran.code == 0
    line = 'text of "A" and 2 other cards holds <font>, which is printed as it is written'
    assert (
        f"  {line}; write [words]{{style}} with a style of the template\n"
        in ran.stderr + ran.stdout
    )
    assert "<b>" not in ran.stderr + ran.stdout
