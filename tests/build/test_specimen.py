"""The pages of icons that `cardgen icons` prints, and the table of their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Project
from making import build, prepare
from pypdf import PdfReader
from strategies import MM, flatten

from cardgen.build.proofs.specimens import make_icon_deck
from cardgen.core.library import HOME, Library
from cardgen.core.units import PAPER_SIZES
from cardgen.deck.model import Card, Copy
from cardgen.layout.face import Outline
from cardgen.project.catalogue import list_icons

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="M0 0h64v64h-64z"/></svg>'
)
OWN = sorted(path.stem for path in (HOME / "assets" / "icons").glob("*.svg"))


def read_words(path: Path | str) -> list[list[str]]:
    """The words of each page."""
    return [page.extract_text().split() for page in PdfReader(path).pages]


def add_icons(project: Project, names: Sequence[str]) -> list[str]:
    """All icons when the project has these too."""
    for name in names:
        project.write(f"icons/{name}.svg", SQUARE)
    return sorted({*OWN, *names})


def part(names: Sequence[str]) -> list[list[str]]:
    return [list(names[at : at + 54]) for at in range(0, len(names), 54)]


def say(names: Sequence[str], path: str = "output/icons.pdf", own: Sequence[str] = ()) -> str:
    """The table of names, those of the project told apart, and what was written."""
    pages, width = len(part(names)), max(map(len, names))
    rows = [("icon", "from"), *((n, "icons" if n in own else "cardgen") for n in sorted(names))]
    table = "".join(f"{name:{width}}  {source}\n" for name, source in rows)
    return f"{table}{path}: {len(names)} icons on {pages} page{'' if pages == 1 else 's'}\n"


def test_every_icon_has_its_name_below_it(project: Project) -> None:
    ran = project.run("icons")
    assert (ran.code, ran.stderr, ran.stdout) == (0, "", say(OWN))
    assert project.list_files() == ["output/icons.pdf"]
    pages = read_words("output/icons.pdf")
    assert len(pages) == len(part(OWN))
    for number, (words, names) in enumerate(zip(pages, part(OWN), strict=True), 1):
        assert sorted(words) == sorted([*names, "Icons", f"{number}/{len(pages)}"])


def test_a_project_s_own_icons_are_there_too(project: Project) -> None:
    own = [f"mark-{number:02}" for number in range(48)]
    names = add_icons(project, own)
    assert len(part(names)) > 1
    ran = project.run("icons")
    assert (ran.code, ran.stderr, ran.stdout) == (0, "", say(names, own=own))
    pages = read_words("output/icons.pdf")
    assert len(pages) == len(part(names))
    for number, (words, shown) in enumerate(zip(pages, part(names), strict=True), 1):
        assert sorted(words) == sorted([*shown, "Icons", f"{number}/{len(pages)}"])


def test_an_icon_that_takes_the_place_of_ours_is_shown_once(project: Project) -> None:
    assert add_icons(project, ["sword"]) == OWN
    assert project.run("icons").stdout == say(OWN, own=["sword"])
    assert [entry.name for entry in list_icons(Library(project.folder))] == OWN


def test_icons_are_read_in_order(project: Project) -> None:
    names = add_icons(project, ["aaa", "zzz"])
    project.run("icons")
    words = [word for page in read_words("output/icons.pdf") for word in page]
    assert [word for word in words if word in names] == names


def test_where_the_icons_are_written(project: Project) -> None:
    ran = project.run("icons", "--out", "some/where")
    assert (ran.code, ran.stdout) == (0, say(OWN, "some/where/icons.pdf"))
    assert project.list_files() == ["some/where/icons.pdf"]


def test_the_icons_on_other_paper(project: Project) -> None:
    own = [f"mark-{number:02}" for number in range(48)]
    names = add_icons(project, own)
    ran = project.run("icons", "--target", "letter")
    said = say(names, "output/icons-letter.pdf", own)
    assert (ran.code, ran.stderr, ran.stdout) == (0, "", said)
    page = PdfReader("output/icons-letter.pdf").pages[0]
    assert (float(page.mediabox.width), float(page.mediabox.height)) == (612, 792)


def test_the_table_of_icons_alone(project: Project) -> None:
    ran = project.run("icons", "--list")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "".join(say(OWN).splitlines(keepends=True)[:-1])
    assert project.list_files() == []


def test_a_broken_icon_is_an_error(project: Project) -> None:
    project.write("icons/broken.svg", "<svg")
    ran = project.run("icons")
    assert ran.code == 1
    assert "output" not in ran.stdout
    assert ran.stderr.startswith("icons/broken.svg:")
    assert project.list_files() == ["icons/broken.svg"]


def test_an_icon_is_shown_large_and_as_small_as_on_cards(project: Project) -> None:
    project.write("icons/mark.svg", SQUARE)
    faces = prepare(make_icon_deck(["mark", "mark"], PAPER_SIZES["a4"])).faces
    made = faces.get_face(Copy(0, 0), "front")
    assert made is not None
    icons = [item for item in flatten(made.face.items) if isinstance(item, Outline) and item.fill]
    sides = [
        (round(icon.bounds.width / MM, 2), round(icon.bounds.height / MM, 2)) for icon in icons
    ]
    assert sides[1] == sides[3] == (5, 5)
    assert sides[0] == sides[2] == (sides[0][0], sides[0][0])
    assert sides[0][0] >= 15
    left, _, right, _ = (icon.bounds for icon in icons)
    assert left.y == right.y and left.right < right.x


@pytest.mark.parametrize(
    ("paper", "count", "pages"),
    [
        ("a4", 1, [1]),
        ("a4", 54, [54]),
        ("a4", 55, [54, 1]),
        ("letter", 100, [48, 48, 4]),
        ("a5", 25, [24, 1]),
        ("a6", 7, [6, 1]),
    ],
)
def test_the_deck_of_icons(project: Project, paper: str, count: int, pages: list[int]) -> None:
    names = add_icons(project, [f"icon-{number}" for number in range(count)])[:count]
    deck = make_icon_deck(names, PAPER_SIZES[paper])
    assert (deck.name, deck.title, deck.copies) == ("icons", "Icons", len(pages))
    found = [[name for line in read_lines(card) for name in line] for card in deck.cards]
    assert [len(page) for page in found] == pages
    assert [name for page in found for name in page] == names
    assert len({card.id for card in deck.cards}) == len(pages)
    target = f'title = "Icons"\npaper = "{paper}"\n'
    project.write("targets/icons.toml", target)
    assert len(PdfReader(build(deck, target="icons").path).pages) == len(pages)


def read_lines(card: Card) -> list[list[str]]:
    lines = card.fields["lines"]
    assert isinstance(lines, list)
    return [[str(name) for name in line] for line in lines if isinstance(line, list)]
