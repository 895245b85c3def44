"""Printers' profiles: what undoes a fault, how settings are read, kept and used, and the page on
which they are read.
"""

from __future__ import annotations

import re
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PageObject, PdfReader
from test_pages_impose import turn_sheet

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.pages.calibration import PITCH, STEP, Sheet, make_calibration
from cardgen.pages.impose import Page
from cardgen.pages.printer import Flip, Printer, find_correction, fit_target
from cardgen.pages.sheets.choice import choose_sheets
from cardgen.pages.sheets.protocol import Batch, SheetCopy, Sheets
from cardgen.pages.target import Target, make_target
from cardgen.pages.target_file import read_target
from cardgen.project.printers import (
    KEYS,
    Profiles,
    format_printers,
    format_settings,
    parse_settings,
    read_printers,
)

POKER = parse_size("poker")
FLIPS: tuple[Flip, ...] = ("long-edge", "short-edge")


def load(name: str) -> Target:
    return read_target(HOME / "assets/targets" / f"{name}.toml")


# What undoes a fault


def spoil(printer: Printer, x: float, y: float, paper: Size, *, back: bool) -> tuple[float, float]:
    """Where a point lands, seen through the paper from the front, that should be at (x, y)."""
    across, down = (x - paper.width / 2) * printer.scale_x, (y - paper.height / 2) * printer.scale_y
    if back:
        angle = radians(printer.rotation)
        across, down = (
            across * cos(angle) - down * sin(angle) + printer.x,
            across * sin(angle) + down * cos(angle) + printer.y,
        )
    return paper.width / 2 + across, paper.height / 2 + down


printers = st.builds(
    Printer,
    name=st.just("any"),
    x=st.floats(-20, 20),
    y=st.floats(-20, 20),
    rotation=st.floats(-5, 5),
    scale_x=st.floats(0.8, 1.2),
    scale_y=st.floats(0.8, 1.2),
    flip=st.sampled_from([None, *FLIPS]),
)


@given(
    printers,
    st.builds(Size, st.floats(200, 1200), st.floats(200, 1200)),
    st.sampled_from(FLIPS),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_corrected_point_lands_where_it_should(
    printer: Printer, paper: Size, duplex: Flip, across: float, down: float
) -> None:
    target = fit_target(make_target("t", "T", paper, duplex=duplex), printer)
    x, y = across * paper.width, down * paper.height
    axis = target.find_axis(paper)
    for side in ("front", "back"):
        back = side == "back"
        matrix = find_correction(printer, paper, "back" if back else "front", axis)
        at = matrix.map(x, y) if matrix else (x, y)
        meant = (x, y)
        if back:
            at, meant = (turn_sheet(*p, paper, target.duplex.edge) for p in (at, meant))
        assert spoil(printer, *at, paper, back=back) == pytest.approx(meant, abs=1e-6)


def test_a_printer_without_fault_changes_nothing() -> None:
    printer = Printer("good", left=9, flip="long-edge")
    for side in ("front", "back"):
        assert find_correction(printer, Size(9, 9), "front" if side else "back", "upright") is None
    moved = Printer("moved", x=3, rotation=1)
    assert find_correction(moved, Size(9, 9), "front", "upright") is None
    assert find_correction(moved, Size(9, 9), "back", None) is None


def test_a_printer_has_its_own_edge_and_margins() -> None:
    target = make_target("t", "T", Size(300, 400), margin=Insets(1, 9, 1, 9), duplex="long-edge")
    fitted = fit_target(target, Printer("p", left=5, top=5, right=0, bottom=10, flip="short-edge"))
    assert (fitted.paper.margin, fitted.duplex.edge) == (Insets(5, 9, 1, 10), "short-edge")
    assert fit_target(target.change(duplex="none"), Printer("p", flip="long-edge")) == (
        target.change(duplex="none")
    )


LYING_FOLD = load("gutterfold-a4").change(paper=parse_size("a4 landscape"), duplex="none")
ONE = make_target("one", "One", parse_size("100mm x 100mm"), columns=1, rows=1)


def reach(target: Target, **margins: float) -> Sheets:
    """The sheets on a printer that cannot print on so many millimetres."""
    given: dict[str, Any] = {side: margin * MM for side, margin in margins.items()}
    return choose_sheets(target, POKER, [True]).fit_printer(Printer("home", **given))


@pytest.mark.parametrize(
    ("target", "margins", "shape"),
    [
        (load("a4"), {"top": 15}, (3, 3)),
        (load("a4"), {"top": 20}, (3, 2)),
        (load("a4"), {"top": 20, "right": 20}, (2, 2)),
        (load("a4").change(columns=3, rows=3), {"top": 20}, (3, 2)),
        (load("a4").change(columns=2, rows=3), {"right": 20}, (2, 3)),
        (LYING_FOLD, {"right": 18}, (4, 2)),
        (LYING_FOLD, {"right": 20}, (2, 2)),
        (LYING_FOLD.change(columns=2), {"right": 20}, (2, 2)),
        (ONE, {"left": 18}, (1, 1)),
    ],
)
def test_a_printers_margins_leave_fewer_places(
    target: Target, margins: dict[str, float], shape: tuple[int, int]
) -> None:
    sheets = reach(target, **margins)
    halves = 2 if target.grid.imposition == "gutterfold" else 1
    assert sheets.count_places() == shape[0] * shape[1] // halves
    (page, *_) = sheets.lay(Batch([SheetCopy(0, 0, "red")] * 30))
    assert len({place.trim.x for place in page.placements}) == shape[0]
    assert len({place.trim.y for place in page.placements}) == shape[1]
    free = Rect(0, 0, *page.size).inset(sheets.target.paper.margin)
    assert all(free.contains(place.trim) for place in page.placements)


@pytest.mark.parametrize(
    ("target", "margin", "message"),
    [
        (
            *(ONE, 20),
            'leave no room for a card on the sheet of target "one": 63.5mm are needed, but the '
            "paper's 100mm less 2 x 20mm of margin leave 60mm",
        ),
        (
            *(load("gutterfold-a4"), 45),
            'leave no room for a card with its back on the sheet of target "gutterfold-a4": 133mm '
            "are needed, but the paper's 210mm less 2 x 45mm of margin leave 120mm",
        ),
    ],
)
def test_a_margin_that_leaves_no_card_is_an_error(
    target: Target, margin: float, message: str
) -> None:
    with pytest.raises(CardgenError) as caught:
        reach(target.change(orientation="given"), left=margin)
    hint = "print with --printer none, or choose a target with larger paper"
    assert str(caught.value) == f'the margins of the printer "home" {message}\n  hint: {hint}'


def test_a_card_larger_than_the_paper_is_not_the_printers_fault() -> None:
    sheets = choose_sheets(ONE.change(paper=parse_size("60mm x 100mm")), POKER, [True])
    with pytest.raises(CardgenError, match="the card is larger than the sheet"):
        sheets.fit_printer(Printer("home", left=5 * MM)).lay(Batch([SheetCopy(0, 0, None)]))


# Settings


def test_settings_are_read() -> None:
    assert parse_settings("x=+1.5mm, y=-0.5mm,rotation=-0.2deg,scale_x=98.5%,flip=long-edge") == {
        "x": 1.5 * MM,
        "y": -0.5 * MM,
        "rotation": -0.2,
        "scale_x": 0.985,
        "flip": "long-edge",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", '"x" is no setting\n  hint: write key=value, as in x=+1.5mm,y=-0.5mm'),
        ("", '"" is no setting\n  hint: write key=value, as in x=+1.5mm,y=-0.5mm'),
        ("x=1.5", 'x: "1.5" has no unit; write 1.5mm or 1.5pt'),
        ("x=21mm", "x must be -20mm to 20mm, not 21mm"),
        ("left=-1mm", "left must be 0mm to 50mm, not -1mm"),
        ("scale_y=98.5", "scale_y = 98.5 is no percentage\n  hint: write scale_y=98.5%"),
        ("scale_y=9%", "scale_y must be 80% to 120%, not 9%"),
        ("scale_y=a%", 'scale_y: "a" is not a number\n  hint: write scale_y=98.5%'),
        ("rotation=9deg", "rotation must be -5deg to 5deg, not 9deg"),
        ("flip=short", 'flip must be long-edge or short-edge, not "short"'),
        ("rotatoin=1", 'unknown key "rotatoin"\n  hint: did you mean "rotation"?'),
        (
            "x=1,y=2",
            'x: "1" has no unit; write 1mm or 1pt\ny: "2" has no unit; write 2mm or 2pt',
        ),
    ],
)
def test_what_is_wrong_with_a_setting(text: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        parse_settings(text)
    assert str(caught.value) == message


@given(st.dictionaries(st.sampled_from(["default", "office-2"]), printers, max_size=2))
def test_what_is_kept_is_what_was_set(found: dict[str, Printer]) -> None:
    kept = {name: replace(printer, name=name) for name, printer in found.items()}
    for printer in kept.values():
        said = format_settings(printer)
        again = parse_settings(",".join(f"{k}={v}" for k, v in said.items())) if said else {}
        for key in KEYS:
            value = getattr(printer, key)
            if key == "flip":
                assert again.get(key) == value
            else:
                assert again.get(key, getattr(Printer(""), key)) == pytest.approx(value, abs=1e-3)


def test_profiles_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "printers.toml"
    printers = {
        "b": Printer("b", x=1.5 * MM, scale_y=0.985, flip="short-edge"),
        "a": Printer("a", rotation=-0.25, left=4 * MM),
    }
    path.write_bytes(format_printers(printers))
    assert path.read_text().splitlines()[:3] == ["[a]", 'rotation = "-0.25deg"', 'left = "4mm"']
    assert read_printers(path) == printers
    assert read_printers(tmp_path / "none.toml") == {}


def test_what_is_wrong_with_the_file_is_said_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "printers.toml"
    path.write_text('x = "1mm"\n[home]\ny = "+1"\nleft = 4\n["other"]\nfip = "long-edge"\n')
    with pytest.raises(CardgenError) as caught:
        read_printers(path)
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        'printers.toml:1: "x" stands in no table\n'
        "  hint: head it with the printer's name, as in [default]\n"
        'printers.toml:3: y: "+1" has no unit; write +1mm or +1pt\n'
        "printers.toml:4: left must be a text in quotes\n"
        '  hint: write left = "4mm"\n'
        'printers.toml:6: unknown key "fip"\n'
        '  hint: did you mean "flip"?'
    )
    path.write_text("[home\n")
    with pytest.raises(CardgenError, match=r"printers.toml:1:6: not TOML"):
        read_printers(path)


def test_paper_on_its_side_has_a_profile_of_its_own() -> None:
    upright, lying, other = Printer("default"), Printer("default-lying"), Printer("other")
    profiles = Profiles({printer.name: printer for printer in (upright, lying, other)})
    assert profiles.choose(lying=False) is upright
    assert profiles.choose(lying=True) is lying
    assert profiles._replace(wanted="other").choose(lying=False) is other
    assert profiles._replace(wanted="other").choose(lying=True) is None
    assert profiles._replace(wanted="other").find_lacking(lying=True) == "other"
    assert profiles._replace(wanted="none").choose(lying=False) is None
    assert Profiles({}).choose(lying=False) is None
    with pytest.raises(CardgenError, match=r'unknown printer "othr"\n  hint: did you mean "other"'):
        profiles._replace(wanted="othr").choose(lying=False)


# The commands


@pytest.fixture
def kept(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this project's user keeps profiles."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(project.folder / "config"))
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker"')
    project.write_template("<text>Behind</text>", "behind", attributes='size="poker"')
    project.write_deck(head="template: plain\nback: behind\n")
    return project.folder / "config/cardgen/printers.toml"


def test_what_was_read_is_kept_shown_and_forgotten(project: Project, kept: Path) -> None:
    ran = project.run("calibrate", "--set", "x=+1.5mm,y=-0.5mm")
    said = "config/cardgen/printers.toml: the printer default has x=+1.5mm, y=-0.5mm\n"
    assert (ran.code, ran.stdout) == (0, said)
    # Another reading takes the place of what it names, and leaves the rest.
    assert project.run("calibrate", "--set", "x=0mm,left=4mm").code == 0
    assert project.run("calibrate", "--printer", "office", "--set", "flip=short-edge").code == 0
    assert project.run("calibrate", "--list").stdout == (
        "printer  profile\ndefault  y=-0.5mm, left=4mm\noffice   flip=short-edge\n"
    )
    assert project.run("calibrate", "--forget").code == 0
    assert list(read_printers(kept)) == ["office"]
    ran = project.run("calibrate", "--forget")
    assert (ran.code, ran.stderr) == (
        1,
        'unknown printer "default"\n  hint: printer names: office\n',
    )
    assert [path.name for path in kept.parent.iterdir()] == ["printers.toml"]


@pytest.mark.parametrize("name", ["none", "a b", "", "[x]"])
def test_a_printer_has_a_name_that_can_be_written(project: Project, kept: Path, name: str) -> None:
    ran = project.run("calibrate", "--printer", name, "--set", "x=1mm")
    assert ran.code == 1
    assert "a name has letters, digits, - and _" in ran.stderr
    assert not kept.exists()


def test_actions_exclude_each_other(project: Project) -> None:
    ran = project.run("calibrate", "--list", "--forget")
    assert (ran.code, "exclude each other" in ran.stderr) == (2, True)


def build(project: Project, *arguments: str) -> tuple[str, list[bytes], list[str]]:
    ran = project.run("build", "deck", *arguments)
    assert (ran.code, ran.stderr) == (0, "")
    reader = PdfReader(re.split(r"[\n:]", ran.stdout)[0])
    contents = [read_content(page) for page in reader.pages]
    return ran.stdout, contents, [page.extract_text() for page in reader.pages]


def read_content(page: PageObject) -> bytes:
    content = page.get_contents()
    assert content is not None
    return content.get_data()


@pytest.mark.usefixtures("kept")
def test_every_later_build_is_corrected_and_says_so(project: Project) -> None:
    _, plain, _ = build(project)
    assert project.run("calibrate", "--set", "x=+1.5mm,flip=short-edge").code == 0
    said, (front, back), texts = build(project)
    assert said == "output/deck.pdf: 1 card on 2 pages, corrected for the printer default\n"
    assert all("· a4 · printer default" in text for text in texts)
    assert b" cm\n" in back
    matrix = [float(number) for number in back.split(b" cm")[0].removeprefix(b"q ").split()]
    assert matrix == pytest.approx([1, 0, 0, 1, -1.5 * MM, 0], abs=1e-3)
    assert not front.startswith(b"q 1 0 0 1")
    preferences = PdfReader("output/deck.pdf").root_object["/ViewerPreferences"]
    assert preferences["/Duplex"] == "/DuplexFlipShortEdge"  # type: ignore[index]
    said, again, _ = build(project, "--printer", "none")
    assert (said, again) == ("output/deck.pdf: 1 card on 2 pages\n", plain)


@pytest.mark.usefixtures("kept")
def test_a_target_without_a_slug_says_the_printer_alone(project: Project) -> None:
    project.write("targets/bare.toml", 'title = "B"\nextends = "a4"\nslug = false\n')
    assert project.run("calibrate", "--printer", "office", "--set", "y=1mm").code == 0
    _, _, texts = build(project, "--target", "bare")
    assert [text.split() for text in texts] == [["Sword"], ["Behind"]]
    _, _, texts = build(project, "--target", "bare", "--printer", "office")
    assert [text.splitlines()[-1].rstrip() for text in texts] == ["printer office"] * 2


@pytest.mark.usefixtures("kept")
def test_what_is_not_printed_at_home_is_not_corrected(project: Project) -> None:
    assert project.run("calibrate", "--set", "y=1mm,left=40mm").code == 0
    said, _, _ = build(project, "--target", "one-up")
    assert said.splitlines()[0] == "output/deck-one-up.pdf: 1 card on 2 pages"
    said, _, _ = build(project)
    assert said == (
        "output/deck.pdf: 1 card on 2 pages, corrected for the printer default, whose margins "
        "leave 6 of 9 places on a sheet\n"
    )


@pytest.mark.usefixtures("kept")
def test_an_unknown_printer_is_an_error(project: Project) -> None:
    ran = project.run("build", "deck", "--printer", "office")
    assert (ran.code, ran.stderr) == (
        1,
        'unknown printer "office"\n'
        "  hint: no printer is calibrated yet; see cardgen calibrate --help\n",
    )


@pytest.mark.usefixtures("kept")
def test_paper_on_its_side_is_said_to_be_uncorrected(project: Project) -> None:
    assert project.run("calibrate", "--set", "y=1mm").code == 0
    said, _, _ = build(project, "--target", "a3")
    assert said == (
        "output/deck-a3.pdf: 1 card on 2 pages, not corrected: "
        "the printer default is not calibrated for paper on its side\n"
    )


# The calibration page


@pytest.mark.parametrize("name", ["a4", "letter", "a3", "tabloid", "a4 landscape"])
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("step", [-7, -2, 0, 3, 7])
def test_one_line_goes_on_straight_and_has_the_number_of_the_offset(
    name: str, flip: Flip, step: int
) -> None:
    """The reading is made as a person makes it: where does a line of the back meet the front's?"""
    paper = parse_size(name) if " " in name else load(name).page
    axis = make_target("t", "T", paper, duplex=flip).find_axis(paper)
    assert axis is not None
    front, back = make_calibration(Sheet(paper, axis, flip, "default", "cardgen calibrate"))
    printer = Printer("p", x=step * STEP * MM, y=-step * STEP * MM)
    places = {note.text: note for note in front.notes if note.size < 9}
    say = f"{step * STEP:+g}" if step else "0"
    found = list_meetings(front, back, printer, flip)
    across = [place for upright, place in found if upright]
    along = [place for upright, place in found if not upright]
    assert [x - paper.width / 2 for x in across] == [pytest.approx(step * PITCH * MM)]
    assert [y - paper.height / 2 for y in along] == [pytest.approx(-step * PITCH * MM)] * 2
    labels = [note for note in front.notes if note.text == say and note.size < 9]
    assert any(note.x + note.width / 2 == pytest.approx(across[0]) for note in labels)
    assert say in places


def list_meetings(
    front: Page, back: Page, printer: Printer, flip: Flip
) -> list[tuple[bool, float]]:
    """Where an upright or a level line of a front meets one of the back as it landed."""
    paper = front.size
    landed = []
    for mark in back.marks:
        ends = [(mark.x1, mark.y1), (mark.x2, mark.y2)]
        if back.correction is not None:
            ends = [back.correction.map(*end) for end in ends]
        ends = [spoil(printer, *turn_sheet(*end, paper, flip), paper, back=True) for end in ends]
        landed.append((ends[0], ends[1]))
    found = []
    for mark in front.marks:
        upright = mark.x1 == mark.x2
        if max(abs(mark.x2 - mark.x1), abs(mark.y2 - mark.y1)) > 10 * MM:
            continue
        if upright and not mark.y1 < paper.height / 2 <= mark.y2:
            continue
        for (x1, y1), (x2, y2) in landed:
            straight = (
                max(abs(x1 - mark.x1), abs(x2 - mark.x1)) < 1e-6
                if upright
                else max(abs(y1 - mark.y1), abs(y2 - mark.y1)) < 1e-6
            )
            low, high = sorted((y1, y2) if upright else (x1, x2))
            start, end = sorted((mark.y1, mark.y2) if upright else (mark.x1, mark.x2))
            if straight and low < end and start < high and high - low < 20 * MM:
                found.append((upright, mark.x1 if upright else mark.y1))
    return found


@pytest.mark.parametrize("name", ["a4", "letter", "a3", "tabloid"])
def test_the_page_says_what_to_type(project: Project, kept: Path, name: str) -> None:
    ran = project.run("calibrate", "--target", name, "--printer", "office", "--out", "here")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.startswith("here/calibration.pdf: print both sides at full size")
    profile = "office" if name in ("a4", "letter") else "office-lying"
    front, back = (page.extract_text() for page in PdfReader("here/calibration.pdf").pages)
    assert f"Calibration of the printer “{profile}”" in front
    commands = re.findall(r"cardgen (calibrate .*--set .*)", front)
    assert len(commands) == 4
    for command in commands:
        assert project.run(*command.split()).code == 0
    assert list(read_printers(kept)) == [profile]
    assert back.split() == ["This", "is", "the", "back."]


@pytest.mark.usefixtures("kept")
def test_the_page_is_laid_out_for_the_edge_that_is_known(project: Project) -> None:
    project.run("calibrate")
    first = PdfReader("output/calibration.pdf")
    assert first.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipLongEdge"  # type: ignore[index]
    project.run("calibrate", "--set", "flip=short-edge,x=3mm")
    project.run("calibrate")
    second = PdfReader("output/calibration.pdf")
    assert second.root_object["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"  # type: ignore[index]
    # Turned, and not moved: the page itself is never corrected.
    assert read_content(second.pages[1]).startswith(b"q -1 0 0 -1 595.2756 841.8898 cm")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("a5", "the calibration page needs paper of 200mm x 270mm at least, not 148mm x 210mm"),
        ("one-up", 'the target "one-up" is not printed on sheets at home'),
    ],
)
@pytest.mark.usefixtures("kept")
def test_not_every_paper_can_be_calibrated(project: Project, target: str, message: str) -> None:
    ran = project.run("calibrate", "--target", target)
    assert (ran.code, message in ran.stderr) == (1, True)
    assert not Path("output/calibration.pdf").exists()
