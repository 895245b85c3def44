"""Importing: what comes out of texts, Word documents and PDFs, and what the command says."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from conftest import Project
from corpus import FOLDER, Examples, list_texts, score_text, show_candidate
from judging import Card
from pinned_scores import Score, list_fallen
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.importer import Imported, import_files
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.sources import Source, decode, read_source
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.report import make_data

ROOT = Path(__file__).resolve().parent.parent.parent

# How well cards are found


@pytest.mark.parametrize(
    ("title", "folder"), [("texts", FOLDER), ("unseen texts", FOLDER / "unseen")]
)
def test_no_text_falls_below_its_score_or_loses_a_line(title: str, folder: Path) -> None:
    """What is in no card is left out, and listed."""
    found: dict[str, Imported] = {}

    def find_cards(source: Source, _: Examples) -> list[Card]:
        found[source.name] = import_files([source.name])
        return [show_candidate(card) for card in found[source.name].cards]

    paths = list_texts(folder)
    assert list_fallen(title, ((path, *score_text(path, find_cards)) for path in paths)) == []
    assert found.keys() == set(map(str, paths))
    for path in paths:
        if path.suffix in (".txt", ".md"):
            assert list_lost_lines(path, found[str(path)]) == [], path.name


def list_lost_lines(path: Path, found: Imported) -> list[int]:
    """The lines of a text that are neither on a card nor left out."""
    report = make_data(found)
    printed = [[card["lines"], *card["again"]] for card in report["cards"]]
    lines = {line["line"] for card in printed for copy in card for line in copy}
    lines |= {left["line"] for left in report["left_out"]}
    text = re.sub(r"\r\n?", "\n", decode(read_source(str(path)))).replace("\f", " ")
    filled = {n for n, line in enumerate(text.split("\n"), 1) if re.search(r"[^\W_]", line)}
    return sorted(filled - lines)


def test_a_text_that_falls_is_named() -> None:
    path = FOLDER / "capitals.txt"
    (first, *others) = list_fallen("texts", [(path, Score(1, 2, 2), ["a fault"])])
    assert first == "capitals.txt fell from (1.0, 1.0) to (0.5, 0.5)"
    assert others[0] == "a fault"
    assert "artillery.txt is pinned and not there" in others
    assert list_fallen("texts", [(Path("new.txt"), Score(1, 1, 1), [])])[0] == (
        "new.txt has no pinned score: make corpus RENEW=1"
    )


def test_the_corpus_is_large() -> None:
    assert len(list_texts(FOLDER)) >= 20


def test_a_wrong_text_lowers_the_score(tmp_path: Path) -> None:
    source = FOLDER / "capitals.txt"
    spoilt = tmp_path / "capitals.txt"
    spoilt.write_text(source.read_text("utf-8").replace("+10 points", "+11 points"), "utf-8")
    spoilt.with_suffix(".yaml").write_bytes(source.with_suffix(".yaml").read_bytes())
    score, faults = score_text(spoilt)
    assert faults == ["capitals.txt: Ember Blade: cost is '11', not '10'"]
    assert score.right == score.given - 1 == score.wanted - 1


@pytest.mark.parametrize(
    ("line", "found", "rest"),
    [
        ("Cost: +10 points", {"cost": 10}, ""),
        ("Cost 30 pts", {"cost": 30}, ""),
        ("Cost: −15 points", {"cost": -15}, ""),
        ("+20pts", {"cost": 20}, ""),
        ("minus 5 points", {"cost": -5}, ""),
        ("l0 points", {"cost": 10}, ""),
        ("General only 70 pts", {"who": "General only", "cost": 70}, ""),
        (
            "Cost – major (units with 4 Hits only) 50 pts",
            {"rank": "major", "who": "Units with 4 Hits only", "cost": 50},
            "",
        ),
        (
            "Play on any character one use only.",
            {"who": "Any character", "uses": "One use only"},
            "",
        ),
        ("15 points. The bearer flies.", {"cost": 15}, "The bearer flies."),
        ("Any unit may do this.", {}, "Any unit may do this."),
        ("Once per game, an enemy halts.", {}, "Once per game, an enemy halts."),
    ],
)
def test_the_facts_of_a_line(line: str, found: dict[str, object], rest: str) -> None:
    taken = take_facts(line)
    assert {fact.gives: fact.value for fact in taken.facts if fact.gives != "nothing"} == found
    assert line[taken.end :] == rest


# The command


ARTICLE = (FOLDER / "capitals.txt").read_text("utf-8")


def test_a_deck_that_builds_at_once(project: Project) -> None:
    project.write("article.txt", ARTICLE)
    ran = project.run("import", "article.txt", "-o", "decks/mine.yaml")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1] == "decks/mine.yaml: 5 designs, 5 cards"
    assert "article.txt:9-13, 85% sure: facts below it" in ran.stdout
    assert project.build("mine").cards == 5


@pytest.mark.parametrize("path", list_texts(FOLDER), ids=lambda path: path.name)
def test_every_deck_can_be_shown(project: Project, path: Path) -> None:
    project.write(path.name, path.read_bytes())
    assert project.run("import", path.name, "-o", "decks/mine.yaml").code == 0
    ran = project.run("show", "decks/mine.yaml", "--json")
    assert ran.code == 0, ran.stderr


def test_nothing_is_written_over(project: Project) -> None:
    project.write("article.txt", ARTICLE)
    project.write("decks/mine.yaml", "mine")
    ran = project.run("import", "article.txt", "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert ran.stderr.startswith("decks/mine.yaml exists\n  hint:")
    assert (project.folder / "decks/mine.yaml").read_text() == "mine"
    assert project.run("import", "article.txt", "-o", "decks/mine.yaml", "--force").code == 0


def test_a_deck_without_a_place_is_named_after_its_source(project: Project) -> None:
    project.write("My Article.txt", ARTICLE)
    assert "\nmy-article.yaml: " in project.run("import", "My Article.txt").stdout
    project.write("decks/other.yaml", "cards: [{name: Axe}]")
    assert project.run("import", "My Article.txt").code == 0
    assert (project.folder / "decks/my-article.yaml").is_file()
    assert project.run("import", "https://example.org/a.csv").code == 2


def test_strict_fails_on_doubt(project: Project) -> None:
    project.write("signs.txt", (FOLDER / "signs.txt").read_bytes())
    ran = project.run("import", "signs.txt", "-o", "decks/mine.yaml", "--strict")
    assert ran.code == 1
    assert 'signs.txt:13: card "Bone Nail": "-" before 15 may be a minus or a dash' in ran.stderr
    assert project.list_files() == ["signs.txt"]
    project.write("article.txt", ARTICLE)
    assert project.run("import", "article.txt", "-o", "decks/mine.yaml", "--strict").code == 0


def test_ranks_as_a_table(project: Project) -> None:
    project.write("ranks.txt", (FOLDER / "rulebook-ranks.txt").read_bytes())
    project.run("import", "ranks.txt", "-o", "decks/mine.yaml", "--ranks", "table")
    shown = json.loads(project.run("show", "mine", "--json").stdout)
    assert [card["name"] for card in shown["cards"]].count("Standard of Walls") == 1
    assert shown["cards"][1]["text"].startswith("**Major** (units with 4 Hits only): 50 points")
    project.build("mine")


def test_the_report_as_json(project: Project) -> None:
    project.write("article.txt", ARTICLE)
    project.run("import", "article.txt", "-o", "decks/mine.yaml", "--report", "report.json")
    report = json.loads((project.folder / "report.json").read_text())
    assert report["files"] == ["article.txt"]
    first = report["cards"][0]
    assert first["card"]["name"] == "Ember Blade"
    assert first["sure"] == 0.85 and first["doubts"] == []
    assert first["lines"][0] == {
        "file": "article.txt",
        "page": None,
        "line": 9,
        "text": "EMBER BLADE",
    }
    assert {"page number", "running head", "prose"} == {left["why"] for left in report["left_out"]}


def test_the_report_as_a_page(project: Project) -> None:
    project.write("article.txt", ARTICLE.replace("EMBER BLADE", "EMBER & <b>BLADE"))
    project.run("import", "article.txt", "-o", "decks/mine.yaml", "--report", "report.html")
    page = (project.folder / "report.html").read_text("utf-8")
    assert "left out: running head" in page
    assert (
        page.index("left out: prose") < page.index("LEADEN BOOTS") < page.rindex("left out: prose")
    )
    assert "http" not in page
    assert "<h2>Leaden Boots</h2><p>cost -15, who Any character</p>" in page
    again = project.run("import", "article.txt", "-o", "decks/two.yaml", "--report", "a.pdf")
    assert again.code == 2


def test_a_deck_is_not_called_as_the_texts_of_another_are(project: Project) -> None:
    project.write("swords.fr.csv", "name,text\nSword of Dawn,It shines.\nWooden Spoon,It stirs.\n")
    refused = project.run("import", "swords.fr.csv", "-o", "swords.fr.yaml")
    assert refused.code == 2
    assert "call the deck swords-fr.yaml" in refused.stderr.replace("\n", " ")
    assert project.run("import", "swords.fr.csv", "-o", "swords.csv.yaml").code == 0
    assert project.run("build", "swords.csv.yaml").code == 0
    assert project.run("import", "swords.fr.csv").code == 0
    assert (project.folder / "swords-fr.yaml").exists()


def test_stats_torn_apart(project: Project) -> None:
    project.write("artillery.txt", (FOLDER / "artillery.txt").read_bytes())
    project.run("import", "artillery.txt", "-o", "decks/mine.yaml")
    stats = [card["stats"] for card in read_deck(project)]
    assert stats == [
        {"Range": "60cm", "Attack": "1 / 2"},
        {"Range": "40cm", "Attack": "1 / 1 per stand"},
        {"Range": "60cm", "Attack": "1 / 3"},
    ]
    assert project.build("mine").cards == 3


def test_a_table_within_a_card_is_left_out_nowhere() -> None:
    """Its header is a line of the card alone, though its rows might have been cards."""
    said = "The bearer moves further than usual when nobody is watching, until the turn ends. " * 4
    rows = ("Name | Effect", "---|---", "Ash | It burns.", "Elm | It bends.", "Oak | It stands.")
    table = "".join(f"| {row} |\n" for row in rows)
    names = ("Face Danger", "Gather News", "Compel", "Aid an Ally", "Make Camp", "Set a Course")
    parts = [f"### {name}\n\n**Roll:** {len(name)} dice\n\n{said}\n\n" for name in names]
    parts[2] += f"{table}\n"
    text = "# Moves\n\n" + "".join(parts)
    found = recognise(read_text_blocks(text, "moves.md"))
    assert tuple(card.name for card in found.cards) == names
    lines = [line.text for line in found.cards[2].lines]
    assert any("Name" in line for line in lines) and any("Oak" in line for line in lines)
    assert [left.text for left in found.left_out] == ["Moves"]


def test_rows_of_a_die_and_a_label_said_twice_stay_in_the_text() -> None:
    text = "# Spells\n\n" + "\n".join(
        f"## {name}\n\n**Range:** {reach} feet\n**Lasts:** {reach} rounds\n\nIt confuses a foe.\n\n"
        f"| 2d6 | What it does |\n|---|---|\n| 2–5 | It runs from {name} |\n| 6–12 | It waits |\n\n"
        f"**Lasts:** a day when {name} burns\n"
        for name, reach in (("Red Fog", 10), ("Blue Fog", 20), ("Old Song", 30), ("Loud Song", 40))
    )
    cards = recognise(read_text_blocks(text, "spells.md")).cards
    assert [card.name for card in cards] == ["Red Fog", "Blue Fog", "Old Song", "Loud Song"]
    for card in cards:
        assert not [key for key, _ in card.other if not key[0].isalpha()]
        assert f"2–5 It runs from {card.name}" in card.text
        assert f"a day when {card.name} burns" in card.text


def test_rows_of_html_in_markdown_stay_rows() -> None:
    text = "".join(
        f"## {name}\n<table>\n"
        f"<tr><td><b>Level</b>: {level}</td><td><b>Armour</b>: 1{level}</td></tr>\n"
        f'<tr><td colspan="2"><b>Attacks</b>: claw (d{level}) + bite</td></tr>\n'
        f"<tr><td><b>Notes</b>: It sleeps by day and hunts below the roofs of the town.</td></tr>\n"
        "</table>\n\n"
        for name, level in (("Ash Ape", 4), ("Bog Bear", 6), ("Cave Crow", 8), ("Dune Dog", 5))
    )
    cards = recognise(read_text_blocks(text, "beasts.md")).cards
    assert [card.name for card in cards] == ["Ash Ape", "Bog Bear", "Cave Crow", "Dune Dog"]
    fields = dict(cards[1].other)
    stats = fields.get("stats", {})
    assert isinstance(stats, dict)
    read = {**fields, **stats}
    assert (str(read.get("Level", read.get("level"))), str(read["Armour"])) == ("6", "16")
    assert read["attacks"] == "claw (d6) + bite"


# Other kinds of files

PAGE = """<!DOCTYPE html><html><head><title>Swords</title><style>p{}</style></head><body>
<nav><a href="/">Home</a></nav><h1>Swords</h1>
<table><tr><th>Name<th>Cost<th>Text</tr>
<tr><td><b>Axe</b><td>5<td>It cuts<br>wood.</tr>
<tr><td><b>Bow</b><td>7<td><ul><li>It <i>shoots</i>.</ul></table>
<ol><li>First<li><p>Second</p></ol>
<dl><dt>Mace</dt><dd>It&nbsp;breaks.</dd></dl>
<div><div>Lance</div><div>Cost: 9</div></div><div><div>Pike</div></div>
<pre>Move  20
Hits   3</pre><hr><p hidden>gone</p><script>x()</script><p>The end.
</body></html>"""


def test_names_of_a_web_page_are_told_by_their_class() -> None:
    page = "".join(
        f'<p class="MonsterName">{name}<span class="Tags">Group, {size}</span></p><p>{told}</p>'
        for name, size, told in (
            ("Ankheg", "Large", "It digs."), ("Cave Rat", "Small", "It bites hard."),
            ("Choker", "Small", "It waits."), ("Cloaker", "Large", "It falls down."),
        )
    )  # fmt: skip
    page = f'<h1>Dwellers</h1><div class="name"><p>Of caves</p></div>{page}'
    cards = recognise(read_html_blocks(f"<html>{page}</html>", "page.html", 100)).cards
    assert [card.name for card in cards] == ["Ankheg", "Cave Rat", "Choker", "Cloaker"]
    assert cards[1].other == (("subtitle", "Group, Small"),) and cards[1].text == "It bites hard."


def test_the_head_of_a_table_needs_no_row_of_its_own() -> None:
    page = "<table><thead><th>Name</th><th>Weight</th><th>Cost</th></thead><tbody>" + "".join(
        f"<tr><td>{name}</td><td>{n}</td><td>{n} gp</td></tr>"
        for n, name in enumerate(("Dagger", "Flail", "Halberd"), 2)
    )
    cards = recognise(read_html_blocks(f"{page}</tbody></table>", "page.html", 100)).cards
    assert [card.name for card in cards] == ["Dagger", "Flail", "Halberd"]
    assert dict(cards[0].other) == {"weight": "2", "cost": "2 gp"}


def test_a_web_page() -> None:
    found = [
        (block.kind, block.level, block.gap, [cell.to_markdown() for cell in block.cells])
        if block.cells
        else (block.kind, block.level, block.gap, block.content.to_markdown())
        for block in read_html_blocks(PAGE, "page.html", 100)
    ]
    assert found == [
        ("heading", 1, 1, "Swords"),
        ("row", 0, 1, ["Name", "Cost", "Text"]),
        ("row", 0, 0, ["**Axe**", "5", "It cuts wood."]),
        ("row", 0, 0, ["**Bow**", "7", "It *shoots*."]),
        ("line", 0, 1, "1. First"),
        ("line", 0, 1, "2. Second"),
        ("line", 0, 1, "**Mace**"),
        ("line", 0, 0, "It breaks."),
        ("line", 0, 1, "Lance"),
        ("line", 0, 0, "Cost: 9"),
        ("line", 0, 1, "Pike"),
        ("line", 0, 1, "Move  20"),
        ("line", 0, 0, "Hits   3"),
        ("rule", 0, 0, ""),
        ("line", 0, 1, "The end."),
    ]


def test_a_deck_out_of_a_web_page(project: Project) -> None:
    shutil.copy(FOLDER / "written/gadgets-of-department-nine.html", project.folder / "page.html")
    assert project.run("import", "page.html").code == 0
    assert project.run("build", "page.yaml").stdout.startswith("output/page.pdf: 10 cards")


def make_docx(body: str, styles: str = "") -> bytes:
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "word/document.xml", f"<w:document {space}><w:body>{body}</w:body></w:document>"
        )
        if styles:
            archive.writestr("word/styles.xml", f"<w:styles {space}>{styles}</w:styles>")
    return file.getvalue()


def make_paragraph(*runs: tuple[str, bool], style: str = "") -> str:
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    text = "".join(
        f"<w:r>{'<w:rPr><w:b/></w:rPr>' if bold else ''}<w:t>{content}</w:t></w:r>"
        for content, bold in runs
    )
    return f"<w:p>{look}{text}</w:p>"


def read_deck(project: Project) -> list[dict[str, object]]:
    cards: list[dict[str, object]] = json.loads(
        project.run("show", "decks/mine.yaml", "--json").stdout
    )["cards"]
    return cards


def test_a_word_document(project: Project) -> None:
    body = [
        make_paragraph(("Our cards were made last year.", False)),
        make_paragraph(("Iron Whistle ", True), ("Cost: 10 points", False)),
        make_paragraph(("All dogs ", False), ("halt", True), (" at once.", False)),
        make_paragraph(("Silver Whistle", True)),
        make_paragraph(("Infantry only. 15 points", False)),
        make_paragraph(("Birds come to the bearer.", False)),
    ]
    project.write("cards.docx", make_docx("".join(body)))
    assert project.run("import", "cards.docx", "-o", "decks/mine.yaml").code == 0
    first, second = read_deck(project)
    assert (first["name"], first["cost"], first["text"]) == (
        "Iron Whistle",
        10,
        "All dogs **halt** at once.",
    )
    assert (second["who"], second["cost"]) == ("Infantry only", 15)


def test_a_word_documents_styles_and_tables(project: Project) -> None:
    styles = (
        '<w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:styleId="S"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>'
        '<w:style w:styleId="T"><w:name w:val="Deep"/><w:basedOn w:val="S"/></w:style>'
    )
    body = [
        make_paragraph(("Copper Bell", False), style="H2"),
        make_paragraph(("10 points", False)),
        make_paragraph(("It rings.", False)),
        make_paragraph(("Copper Gong", False), style="H2"),
        make_paragraph(("20 points", False)),
        make_paragraph(("It booms ", False), ("loudly", False), style="T"),
    ]
    project.write("cards.docx", make_docx("".join(body), styles))
    assert project.run("import", "cards.docx", "-o", "decks/mine.yaml").code == 0
    assert [card["name"] for card in read_deck(project)] == ["Copper Bell", "Copper Gong"]
    assert read_deck(project)[1]["text"] == "**It booms loudly**"
    row = "<w:tr>{}</w:tr>"
    rows = [("Name", "Cost", "Effect"), ("Tin Cup", "5", "It holds water.")]
    table = "".join(
        row.format("".join(f"<w:tc>{make_paragraph((cell, False))}</w:tc>" for cell in cells))
        for cells in rows
    )
    project.write("table.docx", make_docx(f"<w:tbl>{table}</w:tbl>"))
    assert project.run("import", "table.docx", "-o", "decks/mine.yaml", "--force").code == 0
    assert read_deck(project)[0]["text"] == "It holds water."


def make_pdf(columns: int) -> bytes:
    """Two pages of cards with a title, a running head and a page number."""
    width, height = A4
    column = (width - 80) / columns - 10
    frames = [
        Frame(40 + place * (column + 20), 60, column, height - 200) for place in range(columns)
    ]

    def draw_head(canvas: Canvas, document: BaseDocTemplate) -> None:
        canvas.setFont("Helvetica-Bold", 24)
        if document.page == 1:
            canvas.drawCentredString(width / 2, height - 90, "TREASURES OF THE DEEP")
        canvas.setFont("Helvetica", 8)
        canvas.drawString(40, 30, "The Deep")
        canvas.drawRightString(width - 40, 30, str(40 + document.page))

    file = io.BytesIO()
    document = BaseDocTemplate(file, pagesize=A4, invariant=True)
    document.addPageTemplates(PageTemplate(frames=frames, onPage=draw_head))
    text = ParagraphStyle(
        "text", fontName="Times-Roman", fontSize=10, leading=12, alignment=4, spaceAfter=6
    )
    name = ParagraphStyle("name", fontName="Times-Bold", fontSize=12, leading=14, spaceBefore=8)
    facts = ParagraphStyle("facts", fontName="Times-Italic", fontSize=10, leading=12)
    story = [Paragraph("For years our club has dug here. This article gives the cards.", text)]
    for number in range(1, 25):
        story += [
            Paragraph(f"Lantern of {chr(64 + number)}lma", name),
            Paragraph(f"Play on any unit. Cost: +{5 * number} points", facts),
            Paragraph(
                f"In the first round of combat the unit may roll {number} of its failed attack dice"
                " again. The second roll stands, whether it is better or worse than the first was.",
                text,
            ),
        ]
    document.build(story)
    return file.getvalue()


@pytest.mark.parametrize("columns", [1, 2])
def test_the_text_of_a_pdf(project: Project, columns: int) -> None:
    project.write("article.pdf", make_pdf(columns))
    assert project.run("import", "article.pdf", "-o", "decks/mine.yaml").code == 0
    cards = read_deck(project)
    assert [card["name"] for card in cards] == [
        f"Lantern of {chr(64 + n)}lma" for n in range(1, 25)
    ]
    assert [card["cost"] for card in cards] == [5 * number for number in range(1, 25)]
    assert {card["who"] for card in cards} == {"Any unit"}
    for number, card in enumerate(cards, 1):
        assert card["text"] == (
            f"In the first round of combat the unit may roll {number} of its failed attack dice"
            " again. The second roll stands, whether it is better or worse than the first was."
        )


# What cannot be read


def fail(project: Project, name: str, content: bytes) -> str:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert project.list_files() == [name]
    return ran.stderr


def test_a_text_without_a_card(project: Project) -> None:
    said = fail(project, "letter.txt", b"Dear friend,\n\nwe arrived well. More soon.\n")
    assert said.startswith(
        "letter.txt: no card is found in this text\n  hint: cards are names printed"
    )
    assert fail(project, "letter.txt", b"").startswith("letter.txt: no card is found")


def test_a_program_that_holds_cards_is_not_run(project: Project) -> None:
    cards = "".join(f'  {{ id = {n}, name = "Spark {n}", cost = {n} }},\n' for n in range(3))
    said = fail(project, "cards.lua", f"return {{\n{cards}}}\n".encode())
    assert said == (
        "cards.lua: no card is found in this text\n"
        "  hint: a program is not run: let it print its list of cards as JSON, and import that\n"
    )


def test_binary_junk(project: Project) -> None:
    said = fail(project, "junk.txt", bytes(range(256)) * 40)
    assert said.startswith("junk.txt: this is no text that can be read")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(project: Project, encoding: str) -> None:
    text = "SWORD OF É – 10 pts\r\nIt’s “sharp”.\r\n\r\nAXE – 15 pts\r\nBlunt.\r\n"
    project.write("cards.txt", text.encode(encoding))
    assert project.run("import", "cards.txt", "-o", "decks/mine.yaml").code == 0
    assert [card["text"] for card in read_deck(project)] == ["It’s “sharp”.", "Blunt."]


def test_a_pdf_of_pictures(project: Project) -> None:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.rect(10, 10, 100, 100)
    canvas.save()
    said = fail(project, "scan.pdf", file.getvalue())
    assert said.startswith("scan.pdf: this PDF holds pictures of text, and no text\n  hint: run")


def test_an_encrypted_pdf(project: Project) -> None:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(make_pdf(1))))
    writer.encrypt("secret")
    file = io.BytesIO()
    writer.write(file)
    assert fail(project, "article.pdf", file.getvalue()).startswith(
        "article.pdf: this PDF is encrypted"
    )
    assert "no PDF that can be read" in fail(project, "article.pdf", b"%PDF-1.4 and nothing")


def test_a_zip_bomb(project: Project) -> None:
    file = io.BytesIO()
    with (
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("word/document.xml", "w", force_zip64=True) as part,
    ):
        for _ in range(60):
            part.write(b" " * 1_000_000)
    said = fail(project, "bomb.docx", file.getvalue())
    assert "word/document.xml in this document is longer than 50,000,000 bytes" in said
    assert "no Word document" in fail(project, "bomb.docx", b"PK\x03\x04 and nothing")


# What the docs say


def test_the_article_in_the_docs(project: Project) -> None:
    page = (ROOT / "docs/importing.md").read_text("utf-8")
    article, said = re.findall(r"^```text.*?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    project.write("article.txt", article)
    section = page.split("Then five commands")[1].split("The first one says")[0]
    commands = re.findall(r"^ {4}cardgen (.*)$", section, re.MULTILINE)
    assert len(commands) == 5
    ran = [project.run(*re.sub(r'"', "", command).split()) for command in commands]
    assert [(one.code, one.stderr) for one in ran] == [(0, "")] * 5
    assert ran[0].stdout == said
    assert ran[-1].stdout.startswith("output/march.pdf: 3 cards on 1 page")
