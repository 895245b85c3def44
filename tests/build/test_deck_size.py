"""A deck's own size: its cards composed in another size than their templates are made for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Project
from making import check, load_deck
from pypdf import PdfReader
from strategies import MM, list_faces

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.units import CARD_SIZES

FRAME = '<box x="2mm" y="2mm" right="2mm" bottom="2mm" stroke="black"/>'


def read_trim(project: Project, deck: str) -> tuple[float, float]:
    """The trim of a page of its own for each face, in millimetres."""
    built = project.build(deck, target="one-up")
    box = PdfReader(built.path).pages[0].trimbox
    return round(float(box.width) / MM, 2), round(float(box.height) / MM, 2)


def test_the_cards_have_the_size_of_the_deck(project: Project) -> None:
    project.write_template(FRAME)
    project.write_deck(head="template: plain\n", name="usual")
    project.write_deck(head="template: plain\nsize: 30mm x 60mm\n", name="tall")
    project.write_deck(head="template: plain\nsize: tarot\n", name="named")
    assert read_trim(project, "usual") == (50, 40)
    assert read_trim(project, "tall") == (30, 60)
    assert read_trim(project, "named") == (70, 120)


def test_what_lies_from_edge_to_edge_follows(project: Project) -> None:
    project.write_template(FRAME)
    deck = load_deck(project.write_deck())
    ((_, _, face),) = list_faces(replace(deck, size=Size(100, 200)))
    assert face.size == Size(100, 200)
    (own,) = [face for _, _, face in list_faces(deck)]
    assert own.size != face.size
    assert own.dump() != face.dump()


def test_backs_and_pages_have_it_too(project: Project) -> None:
    project.write_template(FRAME)
    project.write_template(FRAME, "page", 'size="page"')
    project.write_deck(head="template: plain\nback: page\nsize: mini-euro\n")
    assert read_trim(project, "deck") == (44, 68)
    project.write_deck(head="template: plain\nback: page\n", name="without")
    assert "the back of a card is as large as its front" in project.find_problems("without")


def test_a_variant_has_the_size_of_its_base_or_its_own(project: Project) -> None:
    project.write_template(FRAME)
    project.write_deck(head="template: plain\nsize: bridge\n", name="base")
    project.write("decks/same.yaml", "extends: base\n")
    project.write("decks/other.yaml", "extends: same\nsize: tarot\n")
    assert load_deck("same").size == CARD_SIZES["bridge"]
    assert load_deck("other").size == CARD_SIZES["tarot"]


@pytest.mark.parametrize(
    ("size", "said"),
    [
        ("pokr", 'size: unknown size "pokr"; did you mean "poker"?'),
        ("page", 'size: unknown size "page"; '),
        ("63 x 88", 'size: "63 x 88" lacks a unit; '),
        ("[63, 88]", "size must be a text, not a list"),
        ("0mm x 88mm", "is not a size that can be printed"),
    ],
)
def test_a_size_that_is_none(project: Project, size: str, said: str) -> None:
    project.write_template(FRAME)
    project.write_deck(head=f"template: plain\nsize: {size}\n")
    problems = project.find_problems()
    assert problems.startswith("decks/deck.yaml:2:7: ")
    assert said in problems


def test_what_does_not_fit_is_told_with_both_sizes(project: Project) -> None:
    project.write_template('<box x="2mm" y="2mm" width="30mm" height="30mm" fill="black"/>')
    project.write_deck(head="template: plain\nsize: 25mm x 60mm\n")
    problems = project.find_problems()
    assert "a box of 30mm x 30mm reaches 7mm beyond the card's right edge" in problems
    assert "the deck asks for 25mm x 60mm, the template is made for 50mm x 40mm" in problems
    project.write_deck(head="template: plain\n")
    project.write_template('<box width="70mm" height="30mm" fill="black"/>')
    assert "is made for" not in project.find_problems()


@pytest.mark.parametrize("size", ["standard", "tarot", "tarot-us", "jumbo"])
def test_magic_fits_other_sizes(size: str) -> None:
    check(replace(load_deck("magic"), size=CARD_SIZES[size]))


def test_a_card_too_small_for_magic_is_refused() -> None:
    with pytest.raises(CardgenError, match="too long"):
        check(replace(load_deck("magic"), size=CARD_SIZES["mini-us"]))
