"""The order of pages, and backs that are written once."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from cardgen.core.geometry import Insets
from cardgen.core.units import parse_size
from cardgen.pages.impose import Page, impose
from cardgen.pages.target import Backs, Order, Target, make_target

POKER = parse_size("poker")
ONE_UP = make_target(name="shop", title="Shop", paper=None)
A4 = make_target(name="a4", title="A4", paper=parse_size("a4"))

_TARGETS = st.builds(
    Target.change,
    st.sampled_from((ONE_UP, A4)),
    order=st.sampled_from(("front-back", "back-front", "fronts-backs")),
    backs=st.sampled_from(("each", "once")),
)
_BACKS = st.lists(st.sampled_from(("red", "blue", None)), min_size=1, max_size=30)


def list_pages(target: Target, backs: Sequence[object], skip: int = 0) -> list[Page]:
    return list(
        impose(
            len(backs),
            POKER,
            Insets(),
            target,
            backs=backs,
            used=range(skip if target.paper.size else 0),
        )
    )


def show(pages: Sequence[Page]) -> str:
    return " ".join(f"{page.side[0]}{page.number}" for page in pages)


@pytest.mark.parametrize(
    ("order", "backs", "expected"),
    [
        ("front-back", "each", "f1 b1 f2 b2 f3 b3 f4 b4"),
        ("back-front", "each", "b1 f1 b2 f2 b3 f3 b4 f4"),
        ("fronts-backs", "each", "f1 f2 f3 f4 b1 b2 b3 b4"),
        ("front-back", "once", "f1 b1 f2 b2 f3 f4"),
        ("back-front", "once", "b1 f1 b2 f2 f3 f4"),
        ("fronts-backs", "once", "f1 f2 f3 f4 b1 b2"),
    ],
)
def test_pages_come_in_the_order_of_the_target(order: Order, backs: Backs, expected: str) -> None:
    target = ONE_UP.change(order=order, backs=backs)
    assert show(list_pages(target, ["red", "blue", None, "red"])) == expected


@given(_TARGETS, _BACKS, st.integers(0, 8))
def test_no_order_loses_a_face(target: Target, backs: list[object], skip: int) -> None:
    pages = list_pages(target, backs, skip)
    plain = list_pages(target.change(order="front-back", backs="each"), backs, skip)
    fronts = [page for page in pages if page.side == "front"]
    assert fronts == [page for page in plain if page.side == "front"]

    def look(page: Page) -> list[object]:
        return [
            (place.trim, place.turned, backs[place.index])
            for place in page.placements
            if backs[place.index] is not None
        ]

    written = [look(page) for page in pages if page.side == "back"]
    wanted = [look(page) for page in plain if page.side == "back"]
    if target.duplex.backs == "each":
        assert written == wanted
    else:
        assert all(look in written for look in wanted if look)
        assert all(look and written.count(look) == 1 for look in written)


SHOP = 'title = "Shop"\npaper = "card"\n'


def build_cards(project: Project, target: str, colours: Sequence[str]) -> PdfReader:
    """A deck of which each back says a colour."""
    project.write_template("<text>{{ card.name }}</text>")
    project.write_template("<text>{{ card.back_colour }}</text>", "back")
    cards = "".join(
        f"  - name: Card {number}\n    back_colour: {colour}\n"
        for number, colour in enumerate(colours, start=1)
    )
    project.write_deck(cards, head="template: plain\nback: back\n")
    project.write("targets/shop.toml", SHOP + target)
    return PdfReader(project.build(target="shop").path)


def test_backs_that_say_the_same_are_written_once(project: Project) -> None:
    reader = build_cards(
        project, 'order = "fronts-backs"\nbacks = "once"\n', ["Red", "Blue", "Red"]
    )
    texts = [page.extract_text().strip() for page in reader.pages]
    assert texts == ["Card 1", "Card 2", "Card 3", "Red", "Blue"]
    preferences = reader.root_object["/ViewerPreferences"].get_object()
    assert preferences["/Duplex"] == "/Simplex"  # type: ignore[index]


@pytest.mark.parametrize(
    ("order", "expected"),
    [("front-back", [0, 2, 4]), ("back-front", [1, 3, 5]), ("fronts-backs", [0, 1, 2])],
)
def test_bookmarks_lead_to_the_fronts(project: Project, order: str, expected: list[int]) -> None:
    reader = build_cards(project, f'order = "{order}"\n', ["Red", "Red", "Red"])
    marks = reader.outline
    assert [str(mark["/Title"]) for mark in marks] == ["Card 1", "Card 2", "Card 3"]  # type: ignore[call-overload]
    assert [reader.get_destination_page_number(mark) for mark in marks] == expected  # type: ignore[arg-type]
