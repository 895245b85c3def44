"""Importing play sheets: what comes out of texts, and that it builds."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from conftest import Project
from making import plan_build
from pinned_scores import list_fallen
from pypdf import PdfReader
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from sheet_corpus import (
    PARTS,
    SHEETS,
    list_pieces,
    list_sheets,
    score_seeds,
    score_sheet,
    score_sheets,
)
from test_importing import make_docx, make_paragraph

from cardgen.build.pipeline import check_opened
from cardgen.build.plan import BuildOptions
from cardgen.deck.model import Deck
from cardgen.importing.model import Styled
from cardgen.importing.reading.joining import part_cells
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.sheets.fit import find_trouble, fit_sides
from cardgen.importing.sheets.parts import recognise_sheet
from cardgen.importing.sheets.pieces import Paragraph, Table
from cardgen.importing.sheets.writer import escape_start, format_parts
from cardgen.project import project as projects

ROOT = Path(__file__).resolve().parent.parent.parent
ALL_SHEETS = [path for folder in PARTS.values() for path in list_sheets(folder)]
SHEET = (SHEETS / "pennon.txt").read_text("utf-8")


def try_deck(project: projects.Project, deck: Deck, target: str | None) -> None:
    check_opened(project, deck, BuildOptions(target=target))


# How well pieces are found


@pytest.mark.parametrize(("title", "folder"), PARTS.items())
def test_no_sheet_falls_below_its_score(title: str, folder: Path) -> None:
    assert list_fallen(title, score_sheets(folder)) == []


def test_no_generated_sheet_falls_below_its_score() -> None:
    assert list_fallen("generated sheets", score_seeds()) == []


def test_there_are_many_sheets() -> None:
    assert len(ALL_SHEETS) >= 32


def test_a_wrong_sheet_lowers_the_score(tmp_path: Path) -> None:
    spoilt = tmp_path / "pennon.txt"
    spoilt.write_text(SHEET.replace("Guns              4", "Guns              5"), "utf-8")
    spoilt.with_suffix(".md").write_bytes((SHEETS / "pennon.md").read_bytes())
    score, faults = score_sheet(spoilt)
    assert faults == [
        'pennon.txt: not found: Guns | 4"',
        'pennon.txt: not there: Guns | 5"',
    ]
    assert score.right == score.given - 1 == score.wanted - 1


def recognise(text: str) -> list[str]:
    """The pieces of a text that stands below a heading."""
    sheet = recognise_sheet(
        read_text_blocks(f"TITLE\n\nPART\n\n{text}\n\nEND\n\nThe end.\n", "s.txt")
    )
    return list_pieces(format_parts(sheet.parts))[1:-2]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "Infantry 20cm Cavalry 30cm Artillery 10cm",
            ["Infantry | 20cm", "Cavalry | 30cm", "Artillery | 10cm"],
        ),
        ("Infantry 20cm    Wagons 20cm", ["Infantry | 20cm", "Wagons | 20cm"]),
        (
            "Foot 20cm    Wagons 15cm\nHorse 30cm   Boats 10cm",
            ["Foot | 20cm", "Horse | 30cm", "Wagons | 15cm", "Boats | 10cm"],
        ),
        (
            "+1 Charging in the open   -1 Confused",
            ["Charging in the open | +1", "Confused | -1"],
        ),
        (
            "In the open 4, 5, 6 Defended 5, 6 Fortified 6",
            ["In the open | 4, 5, 6", "Defended | 5, 6", "Fortified | 6"],
        ),
        (
            "-1 each full 20cm distance\n- each of them\n- both",
            ["-1 each full 20cm distance", "- each of them", "- both"],
        ),
        ("Foot....20cm\nHorse . . . 30cm", ["Foot | 20cm", "Horse | 30cm"]),
        ("| Foot | 20cm |\n| Horse | 30cm |", ["Foot | 20cm", "Horse | 30cm"]),
        (
            "Long range -1\nfor each casualty taken -1",
            ["Long range | -1", "for each casualty taken | -1"],
        ),
        ("D6 Result\n1 Halt.\n2-6 Go on.", ["D6 | Result", "1 | Halt.", "2-6 | Go on."]),
        ("1 Halt. 2-3 Wait. 4-6 Go on.", ["1 | Halt.", "2-3 | Wait.", "4-6 | Go on."]),
        (
            "- 1 Halt.\n- 2-3 Wait\n  for it.\n- 4–6 Go on.",
            ["1 | Halt.", "2-3 | Wait for it.", "4–6 | Go on."],
        ),
        ("1. Move\n2. Shoot\n3. Fight", ["1. Move", "2. Shoot", "3. Fight"]),
        ("Draw: both sides fall back.", ["Draw: both sides fall back."]),
        ("o  One thing.\n▪ Another.", ["- One thing.", ">- Another."]),
        ("Foot\n20cm\nHorse\n30cm", ["Foot | 20cm", "Horse | 30cm"]),
        ("Foot\nHorse\nGuns\n20cm\n30cm\n10cm", ["Foot | 20cm", "Horse | 30cm", "Guns | 10cm"]),
        ("Roll two dice and halve\nthe lower one.", ["Roll two dice and halve the lower one."]),
        (
            "+1 die if mounted +1 die if fresh\n-2 dice if winded",
            ["if mounted | +1 die", "if fresh | +1 die", "if winded | -2 dice"],
        ),
        ("1 2 casualties\n2-5 3 casualties\n6 Rout", ["1 | 2 casualties", "2-5 | 3 casualties",
         "6 | Rout"]),
        ("1 - 2 loaves\n2-3 - 1 loaf", ["1 | 2 loaves", "2-3 | 1 loaf"]),
        ("+1 coin in rain\n-2 coins in frost", ["in rain | +1 coin", "in frost | -2 coins"]),
        ("+2 coins   by day\n-1 coin   by night", ["by day | +2 coins", "by night | -1 coin"]),
        ("Dam: 4 steps\nMoor: 1 step\nBog: half of that at most", ["Dam | 4 steps", "Moor | 1 step",
         "Bog | half of that at most"]),
        ("[ ] wings\n[x] wheels", ["- wings", "- wheels"]),
        ("1. Cut\n2. Dry\n   - on racks\n   - in wind", ["1. Cut", "2. Dry", ">- on racks",
         ">- in wind"]),
        ("- Dome: 3 steel\n- Rover: 2 ice", ["Dome | 3 steel", "Rover | 2 ice"]),
        ("* **Lamp:** 2\n* **Oil:** 4", ["Lamp | 2", "Oil | 4"]),
        ("Fish: none\nSteak: rare\nFowl: done", ["Fish | none", "Steak | rare", "Fowl | done"]),
        (
            "Fish: it is done at once.\nSteak: ask who eats it.",
            ["Fish: it is done at once.", "Steak: ask who eats it."],
        ),
        ("- Lamp: 2\n- Some oil\n- Rope: 4", ["- Lamp: 2", "- Some oil", "- Rope: 4"]),
        ("Läufer 12,5 cm\nReiter 20 cm", ["Läufer | 12,5 cm", "Reiter | 20 cm"]),
        ("Roll 2 dice\nLose 1 figure", ["Roll 2 dice", "Lose 1 figure"]),
        ("1 cup = 240 ml\n2 cups = 480 ml", ["1 cup | 240 ml", "2 cups | 480 ml"]),
        ("Dot\u2011com\u00a0shares\u202f3 $\nGold\u20072\u202f$", ["Dot-com shares | 3 $",
         "Gold | 2 $"]),
        ("Walk - 1 AP\nAim - 2 AP", ["Walk | 1 AP", "Aim | 2 AP"]),
        ("Hidden (-2)\nClose by (+4)", ["Hidden | (-2)", "Close by | (+4)"]),
        ("Foot   20cm    Carts   15cm\nHorse  30cm    Guns    10cm", ["Foot | 20cm", "Horse | 30cm",
         "Carts | 15cm", "Guns | 10cm"]),
        ("Roll a D6:\n1. Halt.\n2. Go on.", ["Roll a D6:", "1 | Halt.", "2 | Go on."]),
        ("1  Halt.\n   Wait.\n2-6  Go on.", ["1 | Halt. Wait.", "2-6 | Go on."]),
        ("*Roads*\nFoot 3\nHorse 4\n\n*Hills*\nFoot 1\nHorse 2", ["## Roads", "Foot | 3",
         "Horse | 4", "## Hills", "Foot | 1", "Horse | 2"]),
        ("Step on\n- one\n\nStep on\n- two\n\nStep on\n- three", ["Step on", "- one", "Step on",
         "- two", "Step on", "- three"]),
        ("| | |\n|---|--:|\n| Foot | 3 |\n| Horse | 4 |", ["Foot | 3", "Horse | 4"]),
        ("Rest.\n| | |\nand so on", ["Rest.", "and so on"]),
        ("Load\tMules\tMen\nFlour  \t2  1\nSalt\t1  3", ["Load | Mules | Men", "Flour | 2 | 1",
         "Salt | 1 | 3"]),
    ],
)  # fmt: skip
def test_the_pieces_of_a_text(text: str, pieces: list[str]) -> None:
    assert recognise(text) == pieces


def test_a_run_in_heading_is_bold() -> None:
    blocks = read_text_blocks("PART\nDraw: both sides fall back.\n", "s.txt")
    (part,) = recognise_sheet(blocks).parts
    (paragraph,) = part.pieces
    assert isinstance(paragraph, Paragraph)
    assert paragraph.content.to_markdown() == "**Draw:** both sides fall back."


def test_the_first_of_several_parts_is_no_title() -> None:
    text = "COMMAND\nInitiative\nA unit may charge.\nMOVES\nFoot  20cm\nHorse  30cm\n"
    sheet = recognise_sheet(read_text_blocks(text, "s.txt"))
    assert sheet.title == ""
    assert [part.heading and part.heading.content.text for part in sheet.parts] == [
        "Command",
        "Moves",
    ]
    titled = recognise_sheet(read_text_blocks(f"RIVER WAR\n{text}", "s.txt"))
    assert titled.title == "River War"
    assert len(titled.parts) == 2


@pytest.mark.parametrize("said", ["River War", '"River War"'])
def test_a_title_in_the_front_matter(said: str) -> None:
    text = f"---\ntitle: {said}\ntags: [war]\n---\n\n# Moves\n\nFoot 20cm\nHorse 30cm\n"
    sheet = recognise_sheet(read_text_blocks(text, "s.md"))
    assert (sheet.title, [line.place.line for line in sheet.title_lines]) == ("River War", [2])
    assert [part.heading and part.heading.content.text for part in sheet.parts] == ["Moves"]
    assert [left.text for left in sheet.left_out] == ["tags: [war]"]
    again = recognise_sheet(
        read_text_blocks(text.replace("# Moves", "# River War\n\n# Moves"), "s")
    )
    assert (again.title, len(again.parts)) == ("River War", 1)


def test_what_is_printed_loudly_once_is_no_rank_above_all() -> None:
    body = "Some words.\n\n"
    text = f"PEACE\n\n**Moves**\n\n{body}**Fire**\n\n{body}NOTE\n\n{body}**Rally**\n\n{body}"
    sheet = recognise_sheet(read_text_blocks(text.replace("PEACE", "# Peace"), "s.txt"))
    named = [part.heading and part.heading.content.text for part in sheet.parts]
    assert (sheet.title, named) == ("Peace", ["Moves", "Fire", "Note", "Rally"])


def test_a_sheet_may_begin_with_a_row() -> None:
    blocks = read_text_blocks("| Danger | 2 |\n\nIt grows with each turn.\n", "s.md")
    assert list_pieces(format_parts(recognise_sheet(blocks).parts)) == [
        "Danger | 2",
        "It grows with each turn.",
    ]


def test_columns_of_figures_stand_at_the_right() -> None:
    blocks = read_text_blocks("PART\nFoot\t20cm\tslow\nHorse\t30cm\tfast\n", "s.txt")
    (table,) = recognise_sheet(blocks).parts[0].pieces
    assert isinstance(table, Table)
    assert table.aligns == ("left", "right", "left")


def test_blanks_within_running_text_part_nothing() -> None:
    justified = Styled.of("the  unit  may  not   move  in  its  turn")
    assert part_cells(justified) == ()
    assert part_cells(Styled.of("It halts.  Then it goes on.")) == ()
    assert [cell.text for cell in part_cells(Styled.of("Foot   20cm"))] == ["Foot", "20cm"]


def test_no_text_becomes_markdown_by_chance() -> None:
    for text in ("# one", "- one", "1. one", "> one", "+++", "---", "<b>", "===="):
        assert list_pieces(escape_start(text)) == [text]
    blocks = read_text_blocks("PART {red}\nA :sword: and a_b *c d.\n", "s.txt")
    assert "# Part \\{red} {blue}" in format_parts(recognise_sheet(blocks).parts).replace(
        "PART", "Part"
    )


# The command


Report = dict[str, list[dict[str, object]]]


def read_report(project: Project, *arguments: str) -> Report:
    ran = project.run("import", *arguments, "-o", "decks/mine.md", "--report", "r.json", "--force")
    assert (ran.code, ran.stderr) == (0, "")
    report: Report = json.loads((project.folder / "r.json").read_text())
    return report


@pytest.mark.parametrize("path", ALL_SHEETS, ids=lambda path: path.name)
def test_a_sheet_loses_nothing_and_builds_at_once(project: Project, path: Path) -> None:
    project.write(path.name, path.read_bytes())
    report = read_report(project, path.name)
    check_lines(path, report)
    check_letters(path, report, project.folder / "decks/mine.md")
    # The import has checked already that it builds.
    plan = plan_build("mine")
    assert len(plan.copies) == 1
    assert len(plan.pages) in (1, 2)


def check_lines(path: Path, report: Report) -> None:
    """Every line is in a part of the sheet, or was left out."""
    told = {line["line"] for part in report["parts"] for line in part["lines"]}  # type: ignore[attr-defined]
    told |= {left["line"] for left in report["left_out"]}
    text = path.read_text("utf-8").replace("\f", " ")
    filled = {n for n, line in enumerate(text.split("\n"), 1) if re.search(r"\w", line)}
    assert filled - told == set()


def check_letters(path: Path, report: Report, sheet: Path) -> None:
    """Every letter and figure is in the sheet, or in what was left out."""
    written = sheet.read_text("utf-8")
    written = re.sub(r" \{\w+\}$|^title:", "", written, flags=re.MULTILINE)
    left = " ".join(str(entry["text"]) for entry in report["left_out"])
    source = re.sub(r"\bo\t|\f", " ", path.read_text("utf-8"))
    source = re.sub(r"^title:", "", source, flags=re.MULTILINE)
    assert count_letters(written + left) == count_letters(source)


def count_letters(text: str) -> list[str]:
    return sorted(sign for sign in text.casefold() if sign.isalnum())


def test_hyphens_and_blanks_that_fonts_lack(project: Project) -> None:
    """The report shows the lines as they stand in the source."""
    project.write(
        "odd.txt", "ODD\u2011SIGNS\n\nPART\u2009ONE\nOne half\u2010built\u202fbridge\u200b.\n"
    )
    report = read_report(project, "odd.txt")
    assert "One half-built bridge.\n" in (project.folder / "decks/mine.md").read_text("utf-8")
    assert project.run("build", "mine").code == 0
    (part,) = report["parts"]
    lines = part["lines"]
    assert isinstance(lines, list)
    assert [line["text"] for line in lines][-1] == "One half\u2010built\u202fbridge\u200b."


def test_what_the_command_says(project: Project) -> None:
    project.write("pennon.txt", SHEET)
    ran = project.run("import", "pennon.txt", "-o", "decks/mine.md", "--title", "My game")
    assert ran.stdout.splitlines()[-1] == "decks/mine.md: 6 parts on 1 side"
    assert "  3. Orders, 72 words\n     pennon.txt:13-28, 100% sure: a heading" in ran.stdout
    assert (project.folder / "decks/mine.md").read_text().startswith("---\ntitle: My game\n---\n")
    again = project.run("import", "pennon.txt", "-o", "decks/mine.md")
    assert again.stderr.startswith("decks/mine.md exists")


def test_the_report_as_a_page(project: Project) -> None:
    project.write("scan.txt", (SHEETS / "scan.txt").read_bytes())
    project.run("import", "scan.txt", "-o", "decks/mine.md", "--report", "r.html")
    page = (project.folder / "r.html").read_text("utf-8")
    assert "<p>4 parts, 0 to look at.</p>" in page
    assert "left out: caption" in page


def test_a_die_table_goes_on_to_a_hundred() -> None:
    text = "ROADS\n\nd100  Event\n53-60  Thieves.\n61-96  Snow.\n97-00  The mountain.\n"
    (part,) = recognise_sheet(read_text_blocks(text, "a.txt")).parts
    (table,) = (piece for piece in part.pieces if isinstance(piece, Table))
    assert [row[0].text for row in table.rows] == ["53-60", "61-96", "97-00"]
    assert table.doubts == ()


def test_a_deck_whose_cards_have_costs_is_no_sheet(project: Project) -> None:
    table = "| Depth | Roll |\n|---|---|\n| Shelf | 4+ |\n| Trench | 9+ |\n\n"
    names = ("Leaky Boat", "Old Tug", "Glass Barge", "Customs Cutter", "The Whale")
    cards = "".join(f"| {n} | {at} coral | It sails on. |\n" for at, n in enumerate(names, 1))
    text = f"# The game\n\n## Depths\n\n{table}## Ships\n\n| Name | Cost | Text |\n|---|---|---|\n"
    prose = "".join(f"- Pearls are beads of the {n}\n" for n in names) * 3
    project.write("game.md", f"{text}{cards}\n## To print\n\n{prose}")
    command = "import", "game.md", "-o", "decks/game.yaml"
    ran = project.run(*command)
    assert ran.stderr.startswith("game.md: only 10 of 28 lines are explained by the cards that are")
    ran = project.run(*command, "--name", names[0], "--name", names[2])
    assert (ran.code, ran.stderr) == (0, "")
    assert "5 cards" in ran.stdout


def test_strict_fails_on_doubt(project: Project) -> None:
    project.write("mishaps.txt", (SHEETS / "mishaps.txt").read_bytes())
    ran = project.run("import", "mishaps.txt", "-o", "decks/mine.md", "--strict")
    assert ran.code == 1
    assert (
        'mishaps.txt:12: part "Steam Engine": the die table from "Stuck for the remainder of the"'
        " has no line for 6" in ran.stderr
    )
    assert project.list_files() == ["mishaps.txt"]


def make_long(parts: int) -> str:
    texts = [SHEET.split("TURN SEQUENCE")[0]]
    for number in range(parts):
        texts.append(
            "TURN SEQUENCE" + SHEET.split("TURN SEQUENCE")[1].replace("ORDERS", f"ORDERS {number}")
        )
    return "\n".join(texts)


def test_a_long_sheet_turns_over(project: Project) -> None:
    project.write("long.txt", make_long(4))
    ran = project.run("import", "long.txt", "-o", "decks/mine.md")
    assert ran.stdout.splitlines()[-1] == "decks/mine.md: 21 parts on 2 sides"
    front, back = (project.folder / "decks/mine.md").read_text().split("\n+++\n")
    assert back.lstrip().startswith("# ")
    # The two sides hold about as much.
    assert 0.7 < len(front) / len(back) < 1.4
    assert project.run("build", "mine").stdout == "output/mine.pdf: 1 card on 2 pages\n"


def test_a_sheet_that_fits_nowhere_is_written_with_a_doubt(project: Project) -> None:
    project.write("long.txt", make_long(7))
    ran = project.run("import", "long.txt", "-o", "decks/mine.md")
    said = "decks/mine.md does not build yet: cardgen check decks/mine.md says why\n"
    assert (ran.code, ran.stderr) == (1, said)
    assert "? the sheet does not fit on two sides: " in ran.stdout
    assert "; on A3 it fits, with size: a3 and target: a3 in its head" in ran.stdout
    sheet = project.folder / "decks/mine.md"
    sheet.write_text(sheet.read_text().replace("---\n", "---\nsize: a3\ntarget: a3\n", 1))
    assert project.run("build", "mine").code == 0
    assert len(PdfReader(project.folder / "output/mine.pdf").pages) == 2


def test_a_sheet_of_one_long_part_turns_over_within_it() -> None:
    body = "\n\n".join(f"Paragraph {n}. " + "Words that fill a line of it. " * 9 for n in range(75))
    parts = recognise_sheet(read_text_blocks(f"PART\n\n{body}\n", "s.txt")).parts
    assert len(parts) == 1
    made = fit_sides(parts, "Long", Path("decks/long.md"), try_deck)
    assert (len(made.sides), made.trouble) == (2, None)
    assert find_trouble(made, "Long", Path("decks/long.md"), try_deck) is None


def test_a_sheet_with_a_wide_table_has_one_column(project: Project) -> None:
    heads = ["Unit", *(f"Characteristic{number}" for number in range(8))]
    rows = [["Foot", *"12345678"], ["Horse", *"23456789"]]
    lines = ["\t".join(row) for row in [heads, *rows]]
    project.write("wide.txt", "WIDE GAME\n\nUNITS\n" + "\n".join(lines) + "\n")
    ran = project.run("import", "wide.txt", "-o", "decks/mine.md", "--strict")
    assert (ran.code, ran.stderr) == (0, "")
    assert "columns: 1\n" in (project.folder / "decks/mine.md").read_text()
    assert project.run("build", "mine").code == 0


def test_a_yaml_of_a_sheet_says_what_to_name(project: Project) -> None:
    project.write("sheet.txt", (SHEETS / "unseen/spacefleet.txt").read_bytes())
    ran = project.run("import", "sheet.txt", "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert ran.stderr == (
        "sheet.txt: no card is found in this text\n"
        "  hint: it reads like a play sheet: name a .md to write, as -o decks/mine.md\n"
    )


def test_cards_of_what_reads_like_a_sheet_are_doubtful(project: Project) -> None:
    text = "".join(
        f"# {title}\n\n| Unit | {title} |\n|---|---|\n| Foot | 2 |\n| Horse | 3 |\n| Gun | 1 |\n\n"
        for title in ("Moves", "Ranges", "Hits")
    )
    project.write("tables.md", text)
    ran = project.run("import", "tables.md", "-o", "decks/mine.yaml")
    assert "? it reads like a play sheet: name a .md to write, as -o decks/mine.md" in ran.stdout


def test_what_no_sheet_is_made_of(project: Project) -> None:
    project.write("cards.csv", "name,cost\nSword,3\n")
    ran = project.run("import", "cards.csv", "-o", "decks/mine.md")
    assert ran.stderr.startswith("cards.csv: a table holds cards, and no play sheet\n  hint: name")
    project.write("empty.txt", "\n")
    ran = project.run("import", "empty.txt", "-o", "decks/mine.md")
    assert ran.stderr.startswith("empty.txt: there is no text for a play sheet")
    project.write("pennon.txt", SHEET)
    assert project.run("import", "pennon.txt", "-o", "decks/mine.md", "--sheet", "A").code == 2


# Other kinds of files


def test_a_word_document(project: Project) -> None:
    rows = [("Weapon", "Range"), ("Bow", "25cm"), ("Gun", "60cm")]
    cell = "<w:tc>{}</w:tc>"
    table = "".join(
        f"<w:tr>{''.join(cell.format(make_paragraph((text, False))) for text in row)}</w:tr>"
        for row in rows
    )
    styles = '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
    body = [
        make_paragraph(("The River War", True)),
        make_paragraph(("Shooting", False), style="H1"),
        f"<w:tbl>{table}</w:tbl>",
        make_paragraph(("Moves", False), style="H1"),
        make_paragraph(("Foot\t20cm", False)),
        make_paragraph(("Horse\t30cm", False)),
        make_paragraph(("Units ", False), ("never", True), (" leave the table.", False)),
    ]
    project.write("war.docx", make_docx("".join(body), styles))
    assert project.run("import", "war.docx", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    assert text == (
        "---\ntitle: The River War\n---\n# Shooting {blue}\n\n"
        "| Weapon | Range |\n|---|--:|\n| Bow | 25cm |\n| Gun | 60cm |\n\n# Moves {green}\n\n"
        "| | |\n|---|--:|\n| Foot | 20cm |\n| Horse | 30cm |\n\nUnits **never** leave the table.\n"
    )
    project.build("mine")


def test_a_pdf_in_two_columns(project: Project) -> None:
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=True)
    canvas.setFont("Helvetica-Bold", 20)
    canvas.drawString(50, 790, "The River War")
    for x, heading in ((50, "Orders"), (310, "Fighting")):
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(x, 750, heading)
        canvas.setFont("Helvetica", 10)
        for number, label in enumerate(
            ("Infantry on foot", "Cavalry", "Guns and limbers", "Wagons")
        ):
            canvas.drawString(x, 730 - 13 * number, label)
            canvas.drawRightString(x + 200, 730 - 13 * number, f"{number + 1}0cm")
        canvas.drawString(x, 665, "A unit that is shot at in its own turn halts for")
        canvas.drawString(x, 653, "the remainder of that turn and is disordered.")
        canvas.drawString(x, 630, "\u2022 It may not be given orders.")
    canvas.save()
    project.write("war.pdf", file.getvalue())
    assert project.run("import", "war.pdf", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    rows = [
        "Infantry on foot | 10cm", "Cavalry | 20cm", "Guns and limbers | 30cm", "Wagons | 40cm",
        "A unit that is shot at in its own turn halts for the remainder of that turn and is"
        " disordered.",
        "- It may not be given orders.",
    ]  # fmt: skip
    assert "title: The River War\n" in text
    body = text.split("---\n", 2)[2]
    assert list_pieces(body) == ["# Orders", *rows, "# Fighting", *rows]


# What the docs say


def test_the_sheet_in_the_docs(project: Project) -> None:
    page = (ROOT / "docs/importing.md").read_text("utf-8")
    section = page.split("## A play sheet\n")[1].split("\n## ")[0]
    source, said = re.findall(r"^```text.*?\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    project.write("sheet.txt", source)
    commands = re.findall(r"^ {4}cardgen (.*)$", section, re.MULTILINE)
    ran = [project.run(*command.split()) for command in commands]
    assert [(one.code, one.stderr) for one in ran] == [(0, "")] * 2
    assert ran[0].stdout == said
    assert ran[1].stdout == "output/mine.pdf: 1 card on 1 page\n"


def test_a_text_too_long_for_a_sheet(project: Project) -> None:
    """A book is no sheet, and nobody waits minutes to hear so."""
    lines = [f"some words that go on for a while with no sense, {number}" for number in range(1000)]
    project.write("book.txt", "\n".join(lines))
    ran = project.run("import", "book.txt", "-o", "decks/mine.yaml")
    assert ran.stderr.startswith("book.txt: no card is found in this text\n  hint: cards are")
    ran = project.run("import", "book.txt", "-o", "decks/mine.md")
    assert ran.stderr.startswith(
        "book.txt: this text has 1,000 lines; a play sheet has at most 600\n  hint: save the pages"
    )
