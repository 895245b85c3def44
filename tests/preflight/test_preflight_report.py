"""How a report reads: folded, with pages, cards, places and cures; as JSON; and from the shell."""

from __future__ import annotations

import json
import re
import tomllib
from decimal import Decimal
from pathlib import Path

import pikepdf
import pytest
from conftest import Project
from making import build
from pikepdf import Array, Dictionary, Name, OutlineItem, Pdf, String
from preflight_files import DATA, PLAIN, add_content, add_text, check, open_good, save

from cardgen.build.press import check_pdf, make_wants, refuse_faulty
from cardgen.core.errors import CardgenError
from cardgen.core.units import MM
from cardgen.preflight.check import check_file
from cardgen.preflight.report import Fault, fold_faults, format_json, format_report
from cardgen.project.project import open_project

ROOT = Path(__file__).parent.parent.parent
SOURCES = ROOT / "cardgen" / "preflight"
CATALOGUE = ROOT / "assets" / "messages" / "preflight.toml"


def open_many(count: int) -> Pdf:
    pdf = open_good("ghostscript")
    for _ in range(count - 1):
        pdf.pages.append(pdf.pages[0])
    return pdf


def test_the_report() -> None:
    pdf = open_many(4)
    for index in (0, 1, 3):
        add_content(pdf, "1 1 1 1 k 20 30 40 50 re f", index)
    report = check(pdf)
    assert format_report(report) == (
        "card.pdf: 4 pages, trim 63.5mm x 88.9mm, checked as PDF for a print shop\n"
        "error: total-ink: an area with 400% of ink; a print shop takes 300% at most\n"
        "  page 1, at 7.06mm, 60.68mm from the trim's top left (14.11mm x 17.64mm); "
        "3 times in all on pages 1-2, 4\n"
        "  cure: use less of each ink: give rich black as 60 40 40 100, and convert pictures "
        "through a profile with that limit\n"
        "1 error"
    )


def test_many_pages_apart_are_not_all_listed() -> None:
    """As the fronts of a deck, each before its back."""
    pdf = open_many(20)
    for index in range(0, 20, 2):
        add_content(pdf, "1 1 1 1 k 20 30 40 50 re f", index)
    assert "10 times in all on pages 1, 3, 5, 7, 9, 11, 13, 15 and 2 more\n" in format_report(
        check(pdf)
    )


def test_a_good_report() -> None:
    assert format_report(check(open_good("ghostscript"))).endswith("\nnothing to complain of")


def test_the_gravest_fault_speaks_for_all() -> None:
    pdf = open_good("ghostscript")
    add_text(pdf, 4, 60, 40)
    add_text(pdf, 2, 60, 60)
    add_text(pdf, 3, 60, 80)
    (finding,) = check(pdf).findings
    assert finding.message.startswith("text of 2pt")
    assert finding.count == 3


def test_json() -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, "1 1 1 1 k 20 30 40 50 re f")
    data = json.loads(format_json(check(pdf)))
    (finding,) = data.pop("findings")
    assert data == {
        "file": "card.pdf",
        "flavour": "plain",
        "pages": 1,
        "trim": [63.5, 88.9],
        "passed": False,
        "errors": 1,
        "warnings": 0,
        "notes": 0,
    }
    assert (finding["rule"], finding["severity"]) == ("total-ink", "error")
    assert finding["places"] == [
        {"page": 1, "card": None, "place": [7.06, 60.68, 14.11, 17.64], "count": 1}
    ]
    assert set(finding) == {"rule", "severity", "message", "cure", "count", "pages", "places"}


@pytest.mark.parametrize(
    ("turn", "x", "y", "width", "height"),
    [
        (0, 20, 192, 10, 30),
        (90, 30, 20, 30, 10),
        (180, 150, 30, 10, 30),
        (270, 192, 150, 30, 10),
    ],
)
def test_a_place_is_as_the_page_is_seen(
    turn: int, x: float, y: float, width: float, height: float
) -> None:
    pdf = open_good("ghostscript")
    pdf.pages[0].obj.TrimBox = Array([8.5, 8.5, 188.5, 260.5])
    pdf.pages[0].obj.Rotate = turn
    add_content(pdf, "1 1 1 1 k 20 30 10 30 re f")
    (finding,) = (found for found in check(pdf).findings if found.rule == "total-ink")
    assert finding.spots[0].place == pytest.approx((x, y, width, height), abs=0.01)


def test_a_unit_that_is_no_point() -> None:
    pdf = open_good("ghostscript")
    pdf.pages[0].obj.UserUnit = 2
    report = check(pdf)
    assert report.trim == pytest.approx((2 * 63.5 * MM, 2 * 88.9 * MM), abs=0.1)
    assert {finding.rule for finding in report.findings} == {"resolution"}


@pytest.mark.parametrize(
    ("unit", "said"), [(-1, "-1"), (0, "0"), (Decimal("-0.5"), "-0.5"), (Name.a, "no number")]
)
def test_a_unit_that_is_none(unit: object, said: str) -> None:
    """Sizes are those of a page without it; the pages beside it are not meant."""
    pdf = open_many(3)
    before = check(pdf)
    pdf.pages[1].obj.UserUnit = unit
    report = check(pdf)
    (finding,) = (each for each in report.findings if each.rule == "damaged")
    assert finding.severity == "error"
    assert finding.message.startswith(f"the UserUnit of the page is {said};")
    assert finding.pages == (2,)
    assert report.trim == before.trim
    assert [each for each in report.findings if each is not finding] == list(before.findings)


# Whose card it is


def test_a_card_by_its_page_label() -> None:
    pdf = open_many(2)
    labels = Array([0, Dictionary(P=String("08 Crown of Command, front")), 1, Dictionary(S=Name.D)])
    pdf.Root.PageLabels = Dictionary(Nums=labels)
    add_content(pdf, "1 1 1 1 k 20 30 40 50 re f", 0)
    add_content(pdf, "1 1 1 1 k 20 30 40 50 re f", 1)
    report = check(pdf)
    assert [spot.label for spot in report.findings[0].spots] == ["08 Crown of Command, front", ""]
    assert "page 1 (08 Crown of Command, front), at 7.06mm" in format_report(report)


def test_a_card_by_its_bookmark_on_a_sheet() -> None:
    """The one whose top left corner is nearest at the left and above."""
    pdf = open_good("ghostscript")
    with pdf.open_outline() as outline:
        for name, x, y in (("Sword", 8, 260), ("Shield", 98, 260), ("Crown", 8, 130)):
            outline.root.append(OutlineItem(name, 0, pikepdf.PageLocation.XYZ, left=x, top=y))
    add_content(pdf, "1 1 1 1 k 20 200 10 10 re f 100 200 10 10 re f 20 30 10 10 re f")
    (finding,) = check(pdf).findings
    assert {spot.label: spot.count for spot in finding.spots} == {
        "Sword": 1,
        "Shield": 1,
        "Crown": 1,
    }


def test_a_card_of_ours(tmp_path: Path) -> None:
    """Sheets of cardgen bookmark their cards."""
    path = build("artillery", target="a4", out=tmp_path).path
    with Pdf.open(path) as pdf:
        page = pdf.pages[0]
        page.contents_add(b"q 1 1 1 1 k 350 600 10 10 re f Q")
        data = save(pdf)
    (finding,) = check_file(data).findings
    assert finding.rule == "total-ink"
    assert finding.spots[0].label


# The command, and builds


def test_the_command(project: Project) -> None:
    good = project.write("good.pdf", (DATA / "ghostscript.pdf").read_bytes())
    ran = project.run("preflight", str(good))
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.endswith("nothing to complain of\n")
    pdf = open_good("weasyprint-rgb")
    pdf.Root.OutputIntents = Array([])
    project.write("rgb.pdf", save(pdf))
    ran = project.run("preflight", "rgb.pdf")
    assert (ran.code, "warnings" in ran.stdout) == (0, True)
    project.write(
        "targets/shop.toml",
        'title = "Shop"\npaper = "card"\nduplex = "none"\ncolour = "cmyk"\n'
        'profile = "coated-fogra39-300"\n',
    )
    ran = project.run("preflight", "rgb.pdf", "--target", "shop", "--json")
    assert ran.code == 1
    data = json.loads(ran.stdout)
    assert {finding["rule"] for finding in data["findings"]} == {"colour-space"}
    assert 'the target "shop" wants CMYK' in data["findings"][0]["message"]


def test_an_unknown_target(project: Project) -> None:
    ran = project.run("preflight", str(DATA / "ghostscript.pdf"), "--target", "pres")
    assert ran.code == 1
    assert 'unknown target "pres"' in ran.stderr


def test_what_a_target_wants() -> None:
    home, shop = (
        make_wants(open_project().get_target("a4")),
        make_wants(open_project().get_target("one-up")),
    )
    assert (home.binding, home.bleed_x, home.total_ink, home.colour) == (False, 0, None, "given")
    assert (shop.binding, shop.flavour) == (True, "plain")
    assert shop.bleed_x == pytest.approx(3 * MM)
    assert shop.asked_by == 'the target "one-up"'


def test_a_faulty_file_is_refused() -> None:
    pdf = open_good("ghostscript")
    refuse_faulty(check_file(save(pdf), PLAIN))
    add_text(pdf, 3, 60, 40)
    refuse_faulty(check_file(save(pdf), PLAIN))
    add_content(pdf, "1 1 1 1 k 20 30 40 50 re f")
    with pytest.raises(CardgenError) as caught:
        refuse_faulty(check_file(save(pdf), PLAIN, "out.pdf"))
    (problem,) = caught.value.problems
    assert (problem.code, problem.details["page"]) == ("preflight/total-ink", 1)
    assert str(problem).startswith("out.pdf: an area with 400% of ink; a print shop takes 300%")
    assert "page 1, at 7.06mm" in str(problem)
    assert problem.hint is not None


def test_a_build_refuses_what_a_print_shop_would(project: Project) -> None:
    """The text comes too close to the trim: no file is written, and none is taken away."""
    project.write_template(
        '<text x="1mm" y="1mm" width="40mm">{{ card.name }}</text>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    project.write_deck()
    project.write(
        "targets/shop.toml",
        'title = "Shop"\nextends = "one-up"\nflavour = "x-4"\ncolour = "cmyk"\n'
        'profile = "coated-fogra39-300"\nsafe = "3mm"\n',
    )
    project.write("output/deck-shop.pdf", "the last good file")
    for command in (("build", "deck"), ("check", "deck")):
        ran = project.run(*command, "--target", "shop")
        assert ran.code == 1
        assert 'deck-shop.pdf: "Sword" keeps ' in ran.stderr
        assert 'from the trim; the target "shop" wants 3mm (safe-area)' in ran.stderr
    assert (project.folder / "output" / "deck-shop.pdf").read_text() == "the last good file"


def test_check_pdf_takes_bytes() -> None:
    assert check_pdf(save(open_good("ghostscript")), name="made.pdf").name == "made.pdf"


# Rules


def list_rules() -> set[str]:
    """The entries of the catalogue that a report may name."""
    names = set(tomllib.loads(CATALOGUE.read_text(encoding="utf-8")))
    return names - {"no-file", "no-pdf", "password"}


def test_every_rule_is_in_the_catalogue() -> None:
    """The rules that the sources name, and no others."""
    used: set[str] = set()
    for path in SOURCES.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'(?:Fault|_make_fault)\(\s*"preflight/([a-z0-9-]+)"', text))
    assert used == list_rules()


def test_every_rule_is_documented() -> None:
    page = ROOT / "docs" / "preflight.md"
    table = page.read_text(encoding="utf-8").partition("## The rules")[2]
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", table, re.MULTILINE)) == list_rules()


def test_the_place_is_that_of_what_is_told() -> None:
    faults = [
        Fault("preflight/safe-area", "error", f'"{page}"', "move it", page=page, worse=worse)
        for page, worse in ((1, 0.1), (2, 0.5), (3, 0.2))
    ]
    (finding,) = fold_faults(faults)
    assert (finding.message, finding.spots[0].page, finding.pages) == ('"2"', 2, (1, 2, 3))
