"""Importing play sheets as people type them: no word is changed, lost or put elsewhere."""

from __future__ import annotations

from time import perf_counter

import pytest
from conftest import Project
from sheet_corpus import list_pieces, recognise_pieces
from test_importing_sheets import recognise

from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.sheets.parts import recognise_sheet
from cardgen.importing.sheets.writer import format_parts


def recognise_whole(text: str) -> list[str]:
    """The title and the pieces of a sheet."""
    return recognise_pieces(read_text_blocks(text, "s.txt"))


# Letters and words


@pytest.mark.parametrize(
    "line",
    [
        "À couvert, les chefs ne tirent pas.",
        "Y compris les chefs dans le fort.",
        "É um chefe que não perde com a sorte.",
        "E poi con la spada della città.",
        "Y con la espada de los moros.",
        "W lesie jest ciemno i zimno na drodze.",
    ],
)
def test_a_word_of_one_letter_is_a_word(line: str) -> None:
    assert recognise(line) == [line]
    assert recognise(f"- {line}\n- {line}") == [f"- {line}"] * 2


def test_an_initial_that_was_torn_off_comes_back() -> None:
    assert recognise("W hat a general finds in the end.") == ["What a general finds in the end."]


@pytest.mark.parametrize(
    ("heading", "title"),
    [("SHIP {} GUNS", "# Ship {} Guns"), ("PART {} RULES", "# Part {} Rules")],
)
def test_a_letter_in_capitals_is_a_word(heading: str, title: str) -> None:
    letters = "BCDGIK"
    text = "GAME\n\n" + "".join(f"{heading.format(one)}\nFire.\n\n" for one in letters)
    named = [piece for piece in recognise_whole(text) if piece[0] == "#"]
    assert named == [title.format(one) for one in letters]


def test_headings_of_one_letter() -> None:
    text = "# Glossary\n\n## A\n\naim at it\n\n## B\n\nboard it\n"
    assert recognise_whole(text) == ["title Glossary", "# A", "aim at it", "# B", "board it"]


# Rows that look like something else


@pytest.mark.parametrize("word", ["Plate", "Figure", "Photo", "Bild", "Abbildung"])
@pytest.mark.parametrize("sign", ["", "- "])
def test_a_row_among_rows_is_no_caption(word: str, sign: str) -> None:
    rows = [f"{label}: {value}+" for label, value in (("Mail", 5), (word, 4), ("Leather", 6))]
    told = recognise("\n".join(f"{sign}{row}" for row in rows))
    assert told == [row.replace(":", " |") for row in rows]


def test_a_caption_is_left_out() -> None:
    assert recognise("Guns fire.\n\nFigure: a gun.\n\nBoats row.") == ["Guns fire.", "Boats row."]


def test_a_figure_that_a_line_leads_to_is_no_page() -> None:
    assert recognise("Take this many cards:\n\n7\n\nThen play.")[1] == "7"


def test_a_web_page_has_no_page_numbers(project: Project) -> None:
    project.write("a.html", "<h1>Game</h1><h2>Cards</h2><p>At the start</p><p>7</p><p>Play.</p>")
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    assert "\n7\n" in (project.folder / "decks/mine.md").read_text("utf-8")


def test_an_escaped_pipe_is_a_sign() -> None:
    text = "GAME\n\n## Hits\n\n| Roll | Effect |\n|---|---|\n| 1\\|2 | Miss |\n| 3\\|6 | Hit |\n"
    parts = recognise_sheet(read_text_blocks(text, "s.md")).parts
    assert "| 1\\|2 | Miss |\n| 3\\|6 | Hit |" in format_parts(parts)
    assert list_pieces(format_parts(parts))[1:] == ["Roll | Effect", "1|2 | Miss", "3|6 | Hit"]


def test_a_list_of_a_forum() -> None:
    assert recognise("[list]\n[*]Draw a chit\n[*] Turn it\n[*]+1 die\n[/list]") == [
        "- Draw a chit",
        "- Turn it",
        "- +1 die",
    ]


def test_blanks_take_no_time() -> None:
    began = perf_counter()
    assert recognise("\n".join(["a" + " " * 40_000 + "b"] * 3)) == ["a | b"] * 3
    assert perf_counter() - began < 1


# Columns side by side


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "MELEE              SHOOTING\n"
            "+1 charging        +1 aimed\n"
            "-1 tired           -1 moved\n"
            "+2 flank           -2 cover\n",
            ["# Melee", "charging | +1", "tired | -1", "flank | +2", "# Shooting", "aimed | +1",
             "moved | -1", "cover | -2"],
        ),
        (
            "MOVEMENT              SHOOTING\n"
            "On foot       5\"      Pistol     8\"   1 die\n"
            "Mounted      10\"      Rifle     20\"   1 die\n"
            "                      Bow       12\"   1 die\n",
            ["# Movement", 'On foot | 5"', 'Mounted | 10"', "# Shooting", 'Pistol | 8" | 1 die',
             'Rifle | 20" | 1 die', 'Bow | 12" | 1 die'],
        ),
    ],
)  # fmt: skip
def test_columns_below_headings_of_their_own(text: str, pieces: list[str]) -> None:
    assert recognise_whole(f"GAME\n\n{text}") == ["title Game", *pieces]


def test_the_columns_of_a_table_stay_together() -> None:
    text = 'WEAPON   RANGE   DICE\nPistol   8"      1 die\nRifle    20"     1 die\nBow      6"   2'
    assert recognise(text)[1:3] == ['Pistol | 8" | 1 die', 'Rifle | 20" | 1 die']


# Lines that are alike


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "AE = attacker eliminated\nAR = attacker retreats 1 hex\nEX = exchange",
            ["AE | attacker eliminated", "AR | attacker retreats 1 hex", "EX | exchange"],
        ),
        (
            "Infanterie : 10 cm (15 cm sur route)\nCavalerie : 20 cm (30 cm sur route)",
            ["Infanterie | 10 cm (15 cm sur route)", "Cavalerie | 20 cm (30 cm sur route)"],
        ),
        (
            "Woods: half speed, no charging\nHills: +1 in melee if higher\nRiver: cross at fords",
            ["Woods: half speed, no charging", "Hills: +1 in melee if higher",
             "River: cross at fords"],
        ),
        (
            "Woods: half speed, -1 to shoot into or out of\nHills: move at full speed",
            ["Woods: half speed, -1 to shoot into or out of", "Hills: move at full speed"],
        ),
        (
            "Wreck - A racer with no hull left; leave it on the track where it is now.\n"
            "Slipstream - When you end your move directly behind another racer, gain 1.\n"
            "Heat - Each racer can hold 6 heat. At 7 heat it stalls.",
            ["Wreck - A racer with no hull left; leave it on the track where it is now.",
             "Slipstream - When you end your move directly behind another racer, gain 1.",
             "Heat - Each racer can hold 6 heat. At 7 heat it stalls."],
        ),
        (
            "3 VP for each general killed\n1 VP for each hill held\n-1 VP for each gun lost",
            ["for each general killed | 3 VP", "for each hill held | 1 VP",
             "for each gun lost | -1 VP"],
        ),
        (
            "1 AP: walk, reload\n2 AP: run, shoot",
            ["1 AP | walk, reload", "2 AP | run, shoot"],
        ),
        (
            "0 successes: turnover\n1 success: 1 action\n2 successes: 2 actions",
            ["0 successes | turnover", "1 success | 1 action", "2 successes | 2 actions"],
        ),
        (
            "Under 4: rout\n4 to 6: retire\n7 to 9: halt\n10 and over: carry on",
            ["Under 4 | rout", "4 to 6 | retire", "7 to 9 | halt", "10 and over | carry on"],
        ),
        (
            "+1 Elite\n-2 to -4 Smoke\n+1/+2 Elite/Guard\n+1D6 Charging\nx2 if flank",
            ["Elite | +1", "Smoke | -2 to -4", "Elite/Guard | +1/+2", "Charging | +1D6",
             "if flank | x2"],
        ),
        (
            'Move 6", Save 5+\nSpecial: may form square',
            ['Move | 6"', "Save | 5+", "Special: may form square"],
        ),
        (
            'Move 12", Save 4+\nSpecial: charge bonus +1',
            ['Move | 12"', "Save | 4+", "Special: charge bonus +1"],
        ),
    ],
)  # fmt: skip
def test_lines_of_one_shape(text: str, pieces: list[str]) -> None:
    assert recognise(text) == pieces


# Heads of tables


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("None: no save\nLight: 6+\nHeavy: 4+", "| | |"),
        (
            "D6   Green    Veteran\n1    Flee     Duck\n2    Duck     Fire",
            "| D6 | Green | Veteran |",
        ),
        ("| Foot | slow |\n| Horse | fast |", "| | |"),
        ("| Foot | slow |\n|---|---|\n| Horse | fast |", "| Foot | slow |"),
    ],
)  # fmt: skip
def test_the_head_of_a_table(text: str, head: str) -> None:
    parts = recognise_sheet(read_text_blocks(f"GAME\n\nPART\n{text}\n", "s.txt")).parts
    assert head in format_parts(parts).splitlines()


def test_the_first_row_of_a_web_page_is_a_head_where_it_is_marked(project: Project) -> None:
    row = "<tr><{0}>Roll</{0}><{0}>Effect</{0}></tr><tr><td>1</td><td>Sail torn</td></tr>"
    table = "<h2>{0}</h2><table>{1}</table>"
    page = "<h1>Game</h1>" + "".join(table.format(tag, row.format(tag)) for tag in ("th", "td"))
    project.write("a.html", page)
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    assert (text.count("| Roll | Effect |\n|---|"), text.count("| | |\n|---|")) == (1, 1)


# Lists


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "1. Move\n2. Shoot\n   - at the nearest\n3. Fight\n   - to the last\n4. End",
            ["1. Move", "2. Shoot", ">- at the nearest", "3. Fight", ">- to the last", "4. End"],
        ),
        (
            "1. Roll\n\n   High roller goes first.\n2. Move\n3. Fight",
            ["1. Roll", "High roller goes first.", "2. Move", "3. Fight"],
        ),
        ("1. Draw\n1. Play\n1. Discard", ["1. Draw", "2. Play", "3. Discard"]),
        ("(1) Orders\n(2) Moves\n(3) Fire", ["1. Orders", "2. Moves", "3. Fire"]),
        ("1.Orders\n2.Moves", ["1. Orders", "2. Moves"]),
        (
            "- Move\n- Fight\n  1. Attacker rolls\n  2. Defender rolls\n- Rest",
            ["- Move", "- Fight", ">1. Attacker rolls", ">2. Defender rolls", "- Rest"],
        ),
        (
            "1. Orders\n   a. place\n   b. reveal\n2. Moves\n   a. charge\n   b. march",
            ["1. Orders", ">- a. place", ">- b. reveal", "2. Moves", ">- a. charge",
             ">- b. march"],
        ),
        (
            "1. Orders phase\n  1.1 place\n  1.2 reveal\n2. Move phase\n  2.1 charge",
            ["1. Orders phase", ">- 1.1 place", ">- 1.2 reveal", "2. Move phase",
             ">- 2.1 charge"],
        ),
        ("• Move\n  o on foot\n  o mounted\n• Fight", ["- Move", ">- on foot", ">- mounted",
         "- Fight"]),
        ("I. Upkeep\nII. Command\nIII. Fire", ["- I. Upkeep", "- II. Command", "- III. Fire"]),
        ("A. Wind\nB. Move\nC. Fire", ["- A. Wind", "- B. Move", "- C. Fire"]),
        (
            "1. Fumble\n2. Miss\n3-5. Hit\n6. Kill",
            ["1 | Fumble", "2 | Miss", "3-5 | Hit", "6 | Kill"],
        ),
    ],
)  # fmt: skip
def test_a_list_with_what_stands_within_it(text: str, pieces: list[str]) -> None:
    assert recognise(text) == pieces


# The title


@pytest.mark.parametrize(
    "text",
    ["# Game\n\n- Move\n- Fight\n", "Game\n\nUNITS  Foot  Horse\nClear  6     12\nWood   3     1"],
)  # fmt: skip
def test_the_only_heading_is_the_title(text: str) -> None:
    assert recognise_whole(text)[0] == "title Game"


def test_a_heading_that_stands_apart_as_no_other_does_is_the_title() -> None:
    text = "CROWN\n\nUNITS  Foot  Horse\nClear  6     12\nWood   3     1\n\nSUPPLY\nTrace a line.\n"
    assert recognise_whole(text)[0] == "title Crown"


# Tables and what numbers say


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("11-16 ring\n21-26 coins\n31-36 map", ["11-16 | ring", "21-26 | coins", "31-36 | map"]),
        (
            "11-13 ring\n14-16 map\n21-66 oil\n",
            ["11-13 | ring", "14-16 | map", "21-66 | oil"],
        ),
        ("15 Rats\n16 Fog\n21 Rain", ["15 | Rats", "16 | Fog", "21 | Rain"]),
        ("51-99   Nothing\n100     Dragon", ["51-99 | Nothing", "100 | Dragon"]),
        ("Knight 20 gp\nDragon 10 000 gp", ["Knight | 20 gp", "Dragon | 10 000 gp"]),
        ("Table 6' x 4'\nBase 40x20 mm", ["Table | 6' x 4'", "Base | 40x20 mm"]),
        (
            'Pistol, range 8", 1 die\nRifle, range 20", 2 dice',
            ['Pistol | range 8" | 1 die', 'Rifle | range 20" | 2 dice'],
        ),
        (
            "Attacker +1 die per 10 crew Defender +2 dice if ready\nCaptain hurt -1 die",
            ["Attacker | +1 die per 10 crew", "Defender | +2 dice if ready",
             "Captain hurt | -1 die"],
        ),
        (
            "-1 dice if moved -2 dice if tired\nhalf dice if long range",
            ["if moved | -1 dice", "if tired | -2 dice", "half dice if long range"],
        ),
        (
            'Range Broadside Chase\n0-6" 3+ 4+\n7-12" 4+ 5+',
            ["Range | Broadside | Chase", '0-6" | 3+ | 4+', '7-12" | 4+ | 5+'],
        ),
        (
            '0-6"   Short, +1\n6-12"  Medium\n12-24" Long, -1',
            ['0-6" | Short, +1', '6-12" | Medium', '12-24" | Long, -1'],
        ),
        (
            "+-----+------+\n| Bow | 2    |\n+-----+------+\n| Gun | 3    |\n+-----+------+",
            ["Bow | 2", "Gun | 3"],
        ),
        (
            "┌─────┬──────┐\n│ Bow │ 2    │\n├─────┼──────┤\n│ Gun │ 3    │\n└─────┴──────┘",
            ["Bow | 2", "Gun | 3"],
        ),
        ("Shaken\n: cannot charge\n\nBroken\n: must flee", ["Shaken: cannot charge",
         "Broken: must flee"]),
        ("○ Move\n○ Fight", ["- Move", "- Fight"]),
        ("→ Move\n→ Fight", ["- Move", "- Fight"]),
        ("Wounds (d10)\n1-3 Graze\n4-10 Dead", ["# Wounds (d10)", "1-3 | Graze", "4-10 | Dead"]),
    ],
)  # fmt: skip
def test_rows_and_figures(text: str, pieces: list[str]) -> None:
    told = recognise(text)
    assert [piece.replace("## ", "# ") for piece in told] == pieces


def test_two_dice_have_no_seven() -> None:
    rows = "\n".join(f"{a}{b} Event {chr(64 + b)}" for a in range(1, 7) for b in range(1, 7))
    parts = recognise_sheet(read_text_blocks(f"GAME\n\nEVENTS (d66)\n{rows}\n", "s.txt")).parts
    assert [doubt for part in parts for piece in part.all for doubt in piece.doubts] == []


def test_heads_that_go_over_several_columns(project: Project) -> None:
    project.write(
        "a.html",
        '<h1>Game</h1><table><tr><th rowspan="2">Weapon</th><th colspan="2">To hit</th></tr>'
        "<tr><th>Near</th><th>Far</th></tr><tr><td>Bow</td><td>4+</td><td>5+</td></tr></table>",
    )
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    assert "| Weapon | To hit Near | To hit Far |\n|---|--:|--:|\n| Bow | 4+ | 5+ |" in text


def test_nested_items_of_a_web_page(project: Project) -> None:
    items = "<li>+1 up</li><li>-1 tired<ul><li>unless rested</li></ul></li><li>+2 mad</li>"
    project.write("a.html", f"<h1>Game</h1><h2>Modifiers</h2><ul>{items}</ul><p>Roll.</p>")
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    assert "- +1 up\n- -1 tired\n  - unless rested\n- +2 mad\n" in text


def test_the_text_of_a_wiki() -> None:
    text = (
        "= Game =\n\n== Wounds ==\n# Graze\n# Light\n\n== Moves ==\n"
        '{| class="wikitable"\n! Mode !! Inches\n|-\n| Walk || 6\n|-\n| Run || 12\n|}\n'
    )
    parts = recognise_sheet(read_text_blocks(text, "s.txt")).parts
    assert format_parts(parts) == (
        "# Wounds {blue}\n\n1. Graze\n2. Light\n\n# Moves {green}\n\n"
        "| Mode | Inches |\n|---|--:|\n| Walk | 6 |\n| Run | 12 |\n"
    )


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("+++\ntitle = \"Ashes\"\ndraft = false\n+++", "Ashes"),
        ("---\ntitle: 'Ashes: an \"A\" & <B>'\n---", 'Ashes: an "A" & <B>'),
        ('---\ntitle: Songs of "Home"\n---', 'Songs of "Home"'),
    ],
)  # fmt: skip
def test_what_a_text_says_of_itself(front: str, title: str) -> None:
    assert recognise_whole(f"{front}\n\n# Turn\n\n1. Draw\n2. Fight\n")[:2] == [
        f"title {title}",
        "# Turn",
    ]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (
            "Foot ..... 20cm\nHorse ... ........ 30cm\nGuns...10cm",
            ["Foot | 20cm", "Horse | 30cm", "Guns | 10cm"],
        ),
        (
            "1.1 Upkeep: draw\n1.2 Command: roll\n2.1 Move",
            ["- 1.1 Upkeep: draw", "- 1.2 Command: roll", "- 2.1 Move"],
        ),
        ("1 - Initiative\n2 - Movement", ["1. Initiative", "2. Movement"]),
        ("16 Fog rises\n21 Fog falls", ["16 | Fog rises", "21 | Fog falls"]),
        (
            "5 points for a hill\n10 points for a town",
            ["for a hill | 5 points", "for a town | 10 points"],
        ),
        ("Subtract:\n1 if moved\n2 if tired", ["# Subtract", "1 | if moved", "2 | if tired"]),
        (
            "1 or 2 = Rain\n3, 4 or 5 = Sun\n6 = Fog",
            ["1 or 2 | Rain", "3, 4 or 5 | Sun", "6 | Fog"],
        ),
        (
            "1. Orders\n   Place counters face down.\n2. Moves\n   Charge, then march.",
            ["1. Orders", "Place counters face down.", "2. Moves", "Charge, then march."],
        ),
    ],
)  # fmt: skip
def test_dots_and_numbers(text: str, pieces: list[str]) -> None:
    assert [piece.replace("## ", "# ") for piece in recognise(text)] == pieces


def test_two_texts_that_say_what_they_are_called(project: Project) -> None:
    for name in ("Moves", "Fire"):
        text = f"---\ntitle: {name}\n---\n\n## {name} first\n\nRoll.\n\n## Then\n\nRoll.\n"
        project.write(f"{name}.md", text)
    assert project.run("import", "Moves.md", "Fire.md", "-o", "decks/mine.md").code == 0
    text = (project.folder / "decks/mine.md").read_text("utf-8")
    named = [line for line in text.splitlines() if line[:1] == "#" or line[:5] == "title"]
    assert named[0] == "title: Moves"
    assert [line.partition(" {")[0].lstrip("# ") for line in named[1:]] == [
        "Moves first",
        "Then",
        "Fire",
        "Fire first",
        "Then",
    ]
    assert text.count("---") == 2


def test_a_page_without_a_heading_above_all_is_called_as_it_says(project: Project) -> None:
    parts = "<h2>Turn</h2><p>Roll.</p><h2>End</h2><p>Count.</p>"
    project.write("a.html", f"<html><head><title>Bronze &amp; Bone</title></head>{parts}</html>")
    assert project.run("import", "a.html", "-o", "decks/mine.md").code == 0
    assert (project.folder / "decks/mine.md").read_text().startswith("---\ntitle: Bronze & Bone\n")


def test_numbered_headings_above_numbered_lists() -> None:
    steps = "1. Roll\n2. Move\n3. Shoot\n"
    text = f"GAME\n\n1. Order\n\n{steps}\n2. Fire\n\nShoot now.\n\n{steps}\n3. End\n\nCount up.\n"
    items = steps.splitlines()
    assert recognise_whole(text) == [
        "title Game", "# 1. Order", *items, "# 2. Fire", "Shoot now.", *items, "# 3. End",
        "Count up.",
    ]  # fmt: skip


def test_a_text_below_a_table_is_none_of_its_rows() -> None:
    rows = "Bow     24cm   1\nGuns    30cm   2\n"
    told = recognise(f"{rows}Archers cannot move before they have shot at something near\nby.")
    assert told[:2] == ["Bow | 24cm | 1", "Guns | 30cm | 2"]
    assert " | " not in told[2]


def test_a_numbered_heading_right_above_a_numbered_list() -> None:
    steps = "1. Load\n2. Shoot\n3. Count\n"
    text = f"GAME\n\n1. Order\n\nMove on.\n\n2. Fire\n\n{steps}\n3. End\n\nAdd.\n"
    pieces = ["# 2. Fire", "1. Load", "2. Shoot", "3. Count", "# 3. End", "Add."]
    assert recognise_whole(text)[3:] == pieces
