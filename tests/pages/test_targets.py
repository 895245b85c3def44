"""Targets made from others, the list of them, and the target whose page is the card."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Project
from pypdf import PageObject, PdfReader

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME, Library
from cardgen.core.units import MM, parse_size
from cardgen.pages.impose import Page, Placement, impose
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target

A4 = read_target(HOME / "assets/targets/a4.toml")
ONE_UP = read_target(HOME / "assets/targets/one-up.toml")
SHIPPED = {path.stem for path in (HOME / "assets/targets").glob("*.toml")}
CARD = Size(50 * MM, 40 * MM)
UPRIGHT = Size(40 * MM, 50 * MM)


def read(project: Project, name: str = "mine") -> Target:
    path = project.folder / "targets" / f"{name}.toml"
    return read_target(path.relative_to(Path.cwd()))


def find_problems(project: Project, name: str = "mine") -> str:
    with pytest.raises(CardgenError) as caught:
        read(project, name)
    return project.shorten(str(caught.value))


def read_shipped(name: str) -> Target:
    return read_target(HOME / f"assets/targets/{name}.toml", Library(HOME))


def extends_letter(target: Target) -> bool:
    """Whether a target is `letter`, or made from it."""
    places = [where.file for where in target.lines.values()]
    return target.name == "letter" or any(Path(place).stem == "letter" for place in places)


# extends


def test_what_is_not_said_is_that_of_the_other_target(project: Project) -> None:
    text = 'title = "Mine"\nextends = "a4"\nmargin = { left = "9mm" }\nmarks_on = "both"\n'
    project.write("targets/mine.toml", text)
    assert read(project) == replace(
        A4.change(margin=Insets(left=9 * MM), marks_on="both"),
        name="mine",
        title="Mine",
        source="targets/mine.toml",
    )


def test_a_chain_of_targets_takes_the_nearest_value(project: Project) -> None:
    project.write(
        "targets/far.toml", 'title = "F"\npaper = "a5"\ncolumns = 1\nrows = 1\ngap_x = "9mm"\n'
    )
    project.write("targets/near.toml", 'title = "N"\nextends = "far"\nrows = 2\n')
    project.write("targets/mine.toml", 'title = "M"\nextends = "near"\ngap_x = 0\n')
    target = read(project)
    assert (target.paper.size, target.grid.columns, target.grid.rows) == (parse_size("a5"), 1, 2)
    assert target.grid.gap_x == 0
    places = [str(target.find_place(key)) for key in ("columns", "rows", "gap_x", "duplex")]
    assert places == [
        *("targets/far.toml:3", "targets/near.toml:3", "targets/mine.toml:3", "targets/mine.toml")
    ]


def test_a_target_of_a_shipped_name_extends_the_shipped_one(project: Project) -> None:
    project.write("targets/a4.toml", 'title = "Ours"\nextends = "a4"\nrows = 2\n')
    project.write("targets/mine.toml", 'title = "Mine"\nextends = "a4"\n')
    expected = replace(A4.change(rows=2), title="Ours", source="targets/a4.toml")
    assert read(project, "a4") == expected
    assert read(project) == replace(expected, name="mine", title="Mine", source="targets/mine.toml")
    elsewhere = project.write("elsewhere/a4.toml", 'title = "Third"\nextends = "a4"\n')
    assert (read_target(elsewhere).title, read_target(elsewhere).grid.rows) == ("Third", 2)


def test_a_build_finds_the_base_in_the_project_of_the_deck(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write_template("<text>A</text>")
    deck = project.write_deck()
    project.write("targets/wide.toml", 'title = "W"\npaper = "300mm x 200mm"\n')
    project.write("targets/mine.toml", 'title = "M"\nextends = "wide"\n')
    monkeypatch.chdir(tmp_path)
    assert project.run("build", str(deck), "--target", "mine").code == 0
    (page,) = PdfReader("output/deck-mine.pdf").pages
    assert float(page.mediabox.width) == pytest.approx(300 * MM, abs=0.01)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'extends = "a4"',
            'targets/mine.toml: title is missing\n  hint: add a line such as title = "A4 at home"',
        ),
        (
            'title = "M"\nextends = "lettre"',
            'targets/mine.toml:2: unknown target "lettre"\n  hint: did you mean "letter"?',
        ),
        (
            'title = "M"\nextends = 4\nrows = 0',
            'targets/mine.toml:2: extends must be a name such as "a4", not 4\n'
            "targets/mine.toml:3: rows must be a whole number from 1 to 100, not 0",
        ),
        (
            'title = "M"\nextends = "mine"',
            "targets/mine.toml:2: the target extends itself: mine > mine\n"
            "  hint: extend another target, or none",
        ),
        (
            'title = "M"\nextends = "loop"',
            "targets/loop.toml:2: the target extends itself: mine > loop > mine\n"
            "  hint: extend another target, or none",
        ),
        (
            'title = "M"\nextends = "broken"\nmrgin = "3mm"\nmargin = "9cm"\nmark_weight = 0',
            'targets/mine.toml:3: unknown key "mrgin"\n  hint: did you mean "margin"?\n'
            "targets/mine.toml:5: a mark_weight of 0 cannot be seen\n"
            '  hint: for no marks at all write marks = "none"\n'
            "targets/broken.toml: paper is missing\n"
            '  hint: add a line such as paper = "a4"\n'
            "targets/broken.toml:2: rows must be a whole number from 1 to 100, not 0",
        ),
        (
            'title = "M"\nextends = "a4"\ngap_x = "4mm"',
            "targets/mine.toml:3: bleed_x of 3mm is wider than half of gap_x, 4mm / 2 = 2mm: "
            "neighbours would overlap\n  hint: show at most 2mm, or widen gap_x to 6mm",
        ),
        (
            'title = "M"\nextends = "gap"\nbleed_x = "3mm"',
            "targets/mine.toml:3: bleed_x of 3mm is wider than half of gap_x, 4mm / 2 = 2mm: "
            "neighbours would overlap\n  hint: show at most 2mm, or widen gap_x to 6mm",
        ),
        (
            'title = "M"\nextends = "a4"\npaper = "6mm x 100mm"',
            "targets/mine.toml:3: margins of 3mm and 3mm leave nothing of a paper 6mm wide",
        ),
        (
            'title = "M"\nextends = "a4"\nmark_weight = 0',
            "targets/mine.toml:3: a mark_weight of 0 cannot be seen\n"
            '  hint: for no marks at all write marks = "none"',
        ),
    ],
)
def test_what_is_wrong_is_said_of_the_file_it_stands_in(
    project: Project, text: str, message: str
) -> None:
    project.write("targets/loop.toml", 'title = "L"\nextends = "mine"\n')
    project.write("targets/broken.toml", 'title = "B"\nrows = 0\ngap_x = "2mm"\n')
    project.write("targets/gap.toml", 'title = "G"\npaper = "a4"\ngap_x = "4mm"\n')
    project.write("targets/mine.toml", text + "\n")
    assert find_problems(project) == message


def test_a_card_too_large_is_said_of_the_base_that_names_the_paper(project: Project) -> None:
    project.write("targets/small.toml", 'title = "S"\npaper = "a6"\n')
    project.write("targets/mine.toml", 'title = "M"\nextends = "small"\n\n\nrows = 1\n')
    with pytest.raises(CardgenError, match=r"^targets/small.toml:2: the card is larger"):
        impose(1, Size(400, 100), Insets(), read(project))


# cardgen targets


def test_targets_lists_those_of_the_project_and_ours(project: Project) -> None:
    project.write("targets/big.toml", 'title = "Big"\npaper = "330mm x 480.5mm"\n')
    project.write("targets/letter.toml", 'title = "Ours"\nextends = "letter"\nrows = 2\n')
    project.write("targets/lying.toml", 'title = "Lying"\npaper = "297mm x 210mm"\n')
    ran = project.run("targets")
    assert (ran.code, ran.stderr) == (0, "")
    rows = [line.split(maxsplit=1) for line in ran.stdout.splitlines()]
    assert [row[0] for row in rows] == ["target", *sorted(SHIPPED | {"big", "lying"})]
    texts = {name: " ".join(text.split()) for name, text in rows}
    assert texts["target"] == "paper title"
    assert texts["a4"] == f"a4 {A4.title}"
    assert texts["big"] == "330mm x 480.5mm Big"
    assert texts["letter"] == "letter Ours"
    assert texts["lying"] == "a4 landscape Lying"
    assert texts["one-up"] == f"card {ONE_UP.title}"


def test_a_broken_target_does_not_hide_the_others_and_is_told_of_once(project: Project) -> None:
    project.write("targets/letter.toml", 'title = "Ours"\npaper = "letter"\nrows = 0\n')
    ran = project.run("targets")
    assert ran.code == 1
    listed = [line.split()[0] for line in ran.stdout.splitlines()]
    hit = {target.name for target in map(read_shipped, SHIPPED) if extends_letter(target)}
    assert {"letter", "tabloid"} <= hit
    assert listed == ["target", *sorted(SHIPPED - hit)]
    assert ran.stderr == (
        "targets/letter.toml:3: rows must be a whole number from 1 to 100, not 0\n"
    )


# paper = "card"


def test_one_up_is_a_page_for_each_face_neither_mirrored_nor_turned() -> None:
    trim = Rect(3 * MM, 2 * MM, *CARD)
    whole = Rect(0, 0, CARD.width + 6 * MM, CARD.height + 4 * MM)
    bleed = Insets(5 * MM, 2 * MM, 4 * MM, 2 * MM)
    flags = [True, False, True]
    pages = list(impose(3, CARD, bleed, ONE_UP, backs=flags))
    assert [(page.number, page.side) for page in pages] == [
        *((1, "front"), (1, "back"), (2, "front"), (2, "back"), (3, "front"), (3, "back"))
    ]
    placed = Placement(0, "back", trim, False, whole)
    assert pages[1] == Page(whole.size, "back", 1, trim, whole, (placed,), ())
    assert {(page.size, page.trim, page.bleed) for page in pages} == {(whole.size, trim, whole)}


def test_one_up_keeps_a_card_with_uneven_bleed_in_the_middle() -> None:
    (page,) = impose(1, CARD, Insets(left=3 * MM, top=1 * MM), ONE_UP, sides="fronts")
    assert page.size == Size(CARD.width + 6 * MM, CARD.height + 2 * MM)
    assert page.trim == Rect(3 * MM, 1 * MM, *CARD)
    assert page.bleed == Rect(0, 0, CARD.width + 3 * MM, CARD.height + 1 * MM)


@pytest.mark.parametrize("duplex", ["long-edge", "short-edge"])
def test_the_printer_turns_a_page_that_is_a_card_as_in_a_book(
    project: Project, duplex: str
) -> None:
    text = f'title = "M"\nextends = "one-up"\nduplex = "{duplex}"\n'
    project.write("targets/mine.toml", text)
    target = read(project)
    assert (target.choose_turn(CARD), target.choose_turn(UPRIGHT)) == ("short-edge", "long-edge")
    project.write("targets/mine.toml", text.replace(duplex, "none"))
    assert read(project).choose_turn(CARD) == "none"
    project.write("targets/mine.toml", text.replace("one-up", "a4"))
    assert read(project).choose_turn(CARD) == duplex


def get_boxes(page: PageObject) -> list[tuple[float, ...]]:
    """MediaBox, BleedBox and TrimBox in mm."""
    boxes = (page.mediabox, page.bleedbox, page.trimbox)
    return [tuple(round(float(side) / MM, 2) for side in box) for box in boxes]


@pytest.mark.parametrize(
    ("bleed", "shown"), [("5mm", 3), ("2mm", 2), ("0mm", 0)], ids=["more", "less", "none"]
)
def test_the_boxes_of_one_up(project: Project, bleed: str, shown: float) -> None:
    head = f'size="50mm x 40mm" bleed="{bleed}"'
    project.write_template("<text>{{ card.name }}</text>", attributes=head)
    project.write_template("<text>Behind</text>", "behind", head)
    project.write_deck("  - name: One\n  - name: Two\n", head="template: plain\nback: behind\n")
    assert project.build(target="one-up").pages == 4
    reader = PdfReader("output/deck-one-up.pdf")
    assert [page.extract_text().strip() for page in reader.pages] == [
        *("One", "Behind", "Two", "Behind")
    ]
    whole = (0, 0, 50 + 2 * shown, 40 + 2 * shown)
    for page in reader.pages:
        assert get_boxes(page) == [whole, whole, (shown, shown, shown + 50, shown + 40)]
    assert reader.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"  # type: ignore[index]


def test_a_play_sheet_takes_a4_where_there_is_no_paper(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="page"')
    project.write_deck()
    project.build(target="one-up")
    (page,) = PdfReader("output/deck-one-up.pdf").pages
    assert get_boxes(page) == [(0, 0, 210, 297)] * 3
    assert project.run("icons", "--target", "one-up").code == 0


def test_what_a_sheet_needs_means_nothing_on_a_page_that_is_a_card(project: Project) -> None:
    text = 'title = "M"\npaper = " Card"\nmarks = "crop"\ngap_x = 0\nmargin = "3mm"\nrows = 1\n'
    project.write("targets/mine.toml", text)
    assert find_problems(project) == "\n".join(
        f'targets/mine.toml:{line}: {key} means nothing with paper = "card": the page is the card\n'
        f"  hint: leave {key} out, or name the paper"
        for line, key in ((3, "marks"), (5, "margin"), (6, "rows"))
    )


def test_a_page_that_is_a_card_leaves_aside_what_a_sheet_needs(project: Project) -> None:
    base = 'title = "B"\nextends = "a4"\nrows = 2\ngap_x = "7mm"\ngap_y = "6mm"\n'
    project.write("targets/sheet.toml", base)
    project.write(
        "targets/mine.toml", 'title = "M"\nextends = "sheet"\npaper = "card"\nbleed_x = "5mm"\n'
    )
    file = "targets/mine.toml"
    mine = ONE_UP.change(bleed_x=5 * MM, back_bleed_x=5 * MM, back_bleed_y=5 * MM, safe=0.0)
    assert read(project) == replace(mine, name="mine", title="M", source=file)
    project.write(
        "targets/back.toml", 'title = "B"\nextends = "mine"\npaper = "a4"\nmarks = "crop"\n'
    )
    back = read(project, "back")
    assert (back.paper.size, back.marks.style, back.paper.margin) == (
        parse_size("a4"),
        "crop",
        Insets(),
    )
