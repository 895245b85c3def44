"""Sizes that all cards share: guessed by a look at few cards, seen to be right as all are drawn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from making import build, load_deck, plan_build, prepare
from pypdf import PdfReader
from strategies import examples_in_one_folder, list_sizes

from cardgen.build import faces
from cardgen.build.draw import Drawing, make_work
from cardgen.build.faces import FaceMaker
from cardgen.build.first_look import look_first
from cardgen.build.selection import Selection
from cardgen.build.templates import Place
from cardgen.layout.compose import Composer
from cardgen.layout.face import Face
from cardgen.layout.subject import Subject
from cardgen.template.model import Node

STYLE = '<style name="rules" size="6pt"/>'
BODY = (
    '<text style="rules" fit="deck" min="4pt" max="20pt" y="8mm" width="40mm" height="24mm">'
    "{{ card.text }}</text><text>{{ card.name }}</text>"
)
CARDS = 324
HEAD = "template: plain\ncards: deck.csv\n"


def write_deck(project: Project, lengths: list[int]) -> None:
    """A deck with a card for each length, in sentences."""
    project.write_template(STYLE + BODY, attributes='size="95mm x 140mm"')
    rows = "".join(f"Card {n},{'It cuts well. ' * length}\n" for n, length in enumerate(lengths))
    project.write("decks/deck.csv", f"name,text\n{rows}")
    project.write("decks/deck.yaml", HEAD)


def list_lengths(longest: int | None) -> list[int]:
    """Short texts, but for one that has by far the most to say."""
    return [12 if n == longest else 1 + n % 5 for n in range(CARDS)]


def count_looks(monkeypatch: pytest.MonkeyPatch) -> list[Place]:
    looks: list[Place] = []
    look_at = FaceMaker.look_at

    def count(self: FaceMaker, place: Place) -> object:
        looks.append(place)
        return look_at(self, place)

    monkeypatch.setattr(FaceMaker, "look_at", count)
    return looks


def find_size() -> float:
    """The size that a look at every card gives all that have room."""
    faces = prepare(load_deck("decks/deck.yaml")).faces
    faces.look_at_all()
    (size,) = faces._sizes._smallest.values()
    return size


def guess_size() -> float | None:
    plan = plan_build("decks/deck.yaml")
    faces = FaceMaker(plan.templates)
    look_first(
        faces, plan.templates.list_sharing(), Drawing(make_work(plan, plan.pages))._list_drawn()
    )
    return next(iter(faces._sizes._smallest.values()), None)


def read_sizes(path: Path) -> set[float]:
    """The sizes of the rules on the first page."""
    sizes: set[float] = set()

    def visit(text: str, _cm: object, _tm: object, _font: object, size: float) -> None:
        if "cuts" in text:
            sizes.add(size)

    PdfReader(path).pages[0].extract_text(visitor_text=visit)
    return sizes


@pytest.mark.parametrize("longest", [0, 200, CARDS - 1])
def test_the_card_that_decides_is_found_by_few_looks(
    project: Project, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    write_deck(project, list_lengths(longest))
    expected = find_size()
    looks = count_looks(monkeypatch)
    assert guess_size() == expected
    assert len(looks) <= 22


def test_a_card_that_cannot_be_set_does_not_hide_the_one_that_decides(project: Project) -> None:
    lengths = list_lengths(200)
    lengths[10] = 900
    write_deck(project, lengths)
    assert guess_size() == find_size()


def test_cards_that_are_too_long_do_not_hide_the_one_that_decides(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the cards do not fit at the style's own size, and set no rule."""
    lengths = [1 + n * 7 % 60 for n in range(CARDS)]
    write_deck(project, lengths)
    expected = find_size()
    looks = count_looks(monkeypatch)
    assert guess_size() == expected
    assert len(set(looks)) == len(looks) <= 22


def test_a_face_that_was_looked_at_is_not_composed_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for those that were made before the size was known."""
    write_deck(project, list_lengths(200))
    looks = count_looks(monkeypatch)
    made: list[str] = []
    compose = Composer.compose

    def note(self: Composer, nodes: Sequence[Node], subject: Subject) -> Face:
        made.append(subject.name)
        return compose(self, nodes, subject)

    monkeypatch.setattr(Composer, "compose", note)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    data = build("decks/deck.yaml").path.read_bytes()
    assert CARDS <= len(made) < CARDS + len(looks)
    monkeypatch.setattr(faces, "MOST_SEEN", 0)
    assert build("decks/deck.yaml").path.read_bytes() == data


@pytest.mark.parametrize("parts", [1, 4])
def test_a_wrong_guess_is_put_right(
    project: Project, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    """The words of one card are few, but wider than all others."""
    write_deck(project, list_lengths(None))
    table = project.folder / "decks/deck.csv"
    rows = table.read_text(encoding="utf-8").splitlines()
    rows[-7] = "Wide,Wwwwwwwwwwwwwwwwwwwwwww"
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    expected = find_size()
    monkeypatch.setattr(os, "cpu_count", lambda: parts)
    looks = count_looks(monkeypatch)
    assert guess_size() != expected
    looks.clear()
    built = build("decks/deck.yaml")
    assert read_sizes(built.path) == {expected}
    assert len(looks) > CARDS  # all of them, behind the few


def test_the_file_is_the_same_whoever_draws(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_deck(project, list_lengths(200))
    made = {}
    for count in (1, 2, 4):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        made[count] = build("decks/deck.yaml").path.read_bytes()
    assert made[1] == made[2] == made[4]


def test_cards_that_are_not_printed_count_too(project: Project) -> None:
    write_deck(project, list_lengths(CARDS - 1))
    whole = read_sizes(project.build().path)
    ran = project.build(selection=Selection("Card [12]*"))
    assert ran.cards == 222
    assert read_sizes(ran.path) == whole
    write_deck(project, list_lengths(None))
    assert read_sizes(project.build().path) != whole


def test_a_deck_whose_texts_are_all_too_long_has_no_rule(project: Project) -> None:
    write_deck(project, [60, 70, 65])
    assert guess_size() is None
    faces = prepare(load_deck("decks/deck.yaml")).faces
    made = [faces.get_face(copy, "front") for copy in prepare("decks/deck.yaml").copies]
    assert all(max(list_sizes(found.face)) < 9.1 for found in made if found)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=40))
@examples_in_one_folder(30)
def test_whatever_a_deck_says_its_size_is_that_of_a_look_at_all(
    project: Project, lengths: list[int]
) -> None:
    write_deck(project, [length + 1 for length in lengths])
    job = prepare(load_deck("decks/deck.yaml"))
    job.faces.look_at_all()
    expected = [
        list_sizes(made.face) for copy in job.copies if (made := job.faces.get_face(copy, "front"))
    ]
    plan = plan_build("decks/deck.yaml")
    drawing = Drawing(make_work(plan, plan.pages))
    drawing.find_hashes()
    faces = FaceMaker(plan.templates)
    if drawing._looks_at_all:
        faces.look_at_all()
    else:
        look_first(faces, plan.templates.list_sharing(), drawing._list_drawn())
    found = [
        list_sizes(made.face) for copy in plan.copies if (made := faces.get_face(copy, "front"))
    ]
    assert found == expected
    assert not faces.sizes_fell
