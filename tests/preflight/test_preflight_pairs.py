"""Front and back of each card in turn: what breaks the pairs is found, by labels or by counting."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Project
from pikepdf import Array, Dictionary, NumberTree, Pdf, String
from preflight_files import PLAIN, list_rules, open_good, save

from cardgen.build.press import check_pdf, make_wants
from cardgen.pages.target import make_target
from cardgen.preflight.check import check_file
from cardgen.project.project import open_project

ONE_UP = make_target("shop", "Shop", None)
A4 = make_target("a4", "A4", ONE_UP.page)


def make_file(faces: str) -> Pdf:
    """A file with a page for each letter: F1 is the front of card 1; a dot has no label."""
    pdf = open_good("ghostscript")
    names = faces.split()
    for _ in names[1:]:
        pdf.pages.append(pdf.pages[0])
    sides = {"F": "front", "B": "back"}
    labels = []
    for page, name in enumerate(names):
        label = f"{name[1:]} Sword, {sides[name[0]]}" if name != "." else ""
        labels += [page, Dictionary(P=String(label))]
    pdf.Root.PageLabels = Dictionary(Nums=Array(labels))
    return pdf


@pytest.mark.parametrize(
    ("faces", "found"),
    [
        ("B1 F1 B2 F2", []),
        ("F1 F2 F3", []),  # a deck without backs
        ("B1 F1 F2 B3 F3", [("error", "from here on the pages are no pairs", (3,))]),
        ("B1 F1 F2 F3", [("error", "from here on the pages are no pairs", (3,))]),
        ("B1 F2 B2 F1", [("error", "from here on the pages are no pairs", (1,))]),
        ("F1 B1 F2 B2", [("warning", "the pages of a pair are the wrong way round", (1,))]),
        (". .", []),
        (".", [("warning", "the file has 1 page, which cannot be pairs", ())]),
        (". . .", [("warning", "the file has 3 pages, which cannot be pairs", ())]),
    ],
)
def test_pairs(faces: str, found: list[tuple[str, str, tuple[int, ...]]]) -> None:
    data = save(make_file(faces))
    report = check_file(data, replace(PLAIN, pairs="back-front"))
    told = [(f.severity, f.message.split(":")[0], f.pages) for f in report.findings]
    assert told == found
    assert {rule for rule, _ in list_rules(report)} <= {"page-pairs"}
    assert list_rules(check_file(data, PLAIN)) == []


def test_pairs_are_wanted_where_a_page_is_a_face_and_has_its_other_one() -> None:
    assert make_wants(ONE_UP).pairs == "front-back"
    assert make_wants(ONE_UP.change(order="back-front")).pairs == "back-front"
    for other in (
        A4,
        ONE_UP.change(order="fronts-backs"),
        ONE_UP.change(backs="once"),
        ONE_UP.change(duplex="none"),
        ONE_UP.change(format="png"),
    ):
        assert make_wants(other).pairs is None


def test_a_deck_of_which_some_cards_have_no_back_makes_pairs(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker"')
    project.write_template("<text>Behind</text>", "behind", 'size="poker"')
    cards = "  - name: A\n  - {name: B, back: none}\n  - name: C\n"
    project.write_deck(cards, head="template: plain\nback: behind\n")
    target = open_project().get_target("one-up")
    whole = project.build(target="one-up")
    assert whole.pages == 6
    assert "page-pairs" not in dict(list_rules(check_pdf(whole.path, target)))
    with Pdf.open(whole.path, allow_overwriting_input=True) as pdf:
        labels = [label for _, label in NumberTree(pdf.Root.PageLabels).items()]
        assert str(labels.pop(3).P) == "2 B, back"
        del pdf.pages[3]
        told = [entry for page in enumerate(labels) for entry in page]
        pdf.Root.PageLabels = Dictionary(Nums=Array(told))
        pdf.save(whole.path)
    report = check_pdf(whole.path, target)
    assert ("page-pairs", "error") in list_rules(report)
