"""What is kept for the cards to come has bounds, and they change nothing of the file."""

from __future__ import annotations

import os
from typing import Any

import pytest
from conftest import Project
from making import build, plan_build

from cardgen.build import faces
from cardgen.build.draw import Drawing, Task, _Part, make_work
from cardgen.build.faces import FaceMaker
from cardgen.layout import typesetter
from cardgen.output import fonts, pdf
from cardgen.output.resources import Resources
from cardgen.text import shaping

CARDS = 90


@pytest.fixture
def deck(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Cards with words of their own: plain ones, compounds, raised letters, short numbers."""
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    project.write_template(
        '<text align="justify">{{ card.text }}</text><text y="30mm">{{ card.name }}</text>',
        attributes='size="poker"',
    )
    project.write_template("<text>{{ card.name }}</text>", "back", 'size="poker"')
    rows = "".join(
        f"Card {n},{1 + n % 3},word{n} well-known{n}-or-not √{n} q̣{n} is {n} times as long as"
        f" the {n} before; alpha-beta√{n} stands here again and again and again\n"
        for n in range(CARDS)
    )
    project.write("decks/deck.csv", f"name,count,text\n{rows}")
    project.write("decks/deck.yaml", "template: plain\nback: back\ncards: deck.csv\n")
    return project


def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name, most in (
        (shaping, "MOST_WORDS", 20),
        (fonts, "MOST_ENCODED", 30),
        (pdf, "MOST_FACES", 4),
        (faces, "MOST_KEPT", 4),
        (typesetter, "MOST_SHORT", 5),
    ):
        monkeypatch.setattr(module, name, most)


@pytest.mark.usefixtures("deck")
def test_bounds_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build("decks/deck.yaml").path.read_bytes()
    narrow(monkeypatch)
    assert build("decks/deck.yaml").path.read_bytes() == before


@pytest.mark.usefixtures("deck")
def test_nothing_grows_beyond_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    narrow(monkeypatch)
    plan = plan_build("decks/deck.yaml")
    work = make_work(plan, plan.pages)
    maker = FaceMaker(plan.templates)
    part = _Part(work, maker, Resources(work.prepress))
    drawer, setter = part._drawer, maker._typesetter
    on_page = max(len(page.placements) for page in plan.pages) * 40
    highest: dict[str, int] = {}

    def note(name: str, size: int) -> None:
        highest[name] = max(size, highest.get(name, 0))

    for page in plan.pages:
        part.draw(Task((page,), work.copies, work.templates.cards))
        for font in setter._fonts.values():
            note("words", len(font))
            note("older", len(font._older))
            assert font.compounds <= font.keys() | font._older.keys()
        for typeface in drawer._resources._typefaces.values():
            note("encoded", len(typeface))
            note("encoded before", len(typeface._older))
            assert typeface.raised <= typeface.keys() | typeface._older.keys()
        note("faces", len(drawer._faces))
        note("kept", len(maker._kept))
        for composer in maker._composers.values():
            note("short", len(composer._typesetter._short))
    assert highest.pop("encoded") <= 30 + on_page
    assert 30 < highest.pop("encoded before") <= 30 + on_page
    assert 10 < highest.pop("words") <= 20
    assert highest == {"older": 20, "faces": 4, "kept": 4, "short": 5}


@pytest.mark.usefixtures("deck")
def test_parts_with_bounds_make_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = build("decks/deck.yaml").path.read_bytes()
    narrow(monkeypatch)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr("cardgen.build.draw.FEWEST_PAGES", 4)
    parts: list[int] = []
    begin: Any = Drawing._draw_in_parts

    def draw_in_parts(drawing: Drawing, maker: FaceMaker, count: int) -> Any:
        parts.append(count)
        return begin(drawing, maker, count)

    monkeypatch.setattr(Drawing, "_draw_in_parts", draw_in_parts)
    assert build("decks/deck.yaml").path.read_bytes() == before
    assert parts == [2]
