"""The line outside the cards: where it stands, what it says, and what it never touches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from strategies import find_typesetter
from test_pages_marks import draw_pages
from test_print_quality import find_ink as find_glyphs

from cardgen.build.finish import name_edition
from cardgen.build.press import get_date
from cardgen.core.geometry import Insets, Rect
from cardgen.core.library import HOME
from cardgen.core.units import MM, parse_size
from cardgen.deck.read import read_deck_file
from cardgen.layout.note import set_note
from cardgen.pages.impose import Page, impose
from cardgen.pages.marks import measure_mark
from cardgen.pages.slug import (
    ASCENT,
    DESCENT,
    FROM_BLEED,
    FROM_MARKS,
    SHORTEST,
    SIZE,
    measure_note,
    place_slug,
)
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target
from cardgen.project.project import open_project, read_deck
from cardgen.text.setting import Run

POKER = parse_size("poker")
BLEED = Insets.even(3 * MM)
HEIGHT = (ASCENT + DESCENT) * SIZE


def load(name: str) -> Target:
    return read_target(HOME / "assets/targets" / f"{name}.toml")


def find_room(page: Page, target: Target) -> tuple[str, tuple[float, ...]] | None:
    """Where the line stands, its ink in mm from the left, the top, and its width and height."""
    note = place_slug(page, target.paper.margin, "Slug")
    if note is None:
        return None
    ink = measure_note(note)
    return "upward" if note.upward else "level", tuple(round(side / MM, 2) for side in ink)


@given(draw_pages())
def test_a_slug_touches_neither_card_nor_bleed_nor_mark_and_keeps_out_of_the_margin(
    drawn: tuple[Target, list[Page]],
) -> None:
    target, pages = drawn
    for page in pages:
        note = place_slug(page, target.paper.margin, "Slug")
        if note is None:
            continue
        ink = measure_note(note)
        assert Rect(0, 0, *page.size).inset(target.paper.margin).contains(ink, 1e-6)
        assert not page.bleed.outset(Insets.even(FROM_BLEED)).overlaps(ink, 1e-6)
        for mark in page.marks:
            assert not measure_mark(mark).outset(Insets.even(FROM_MARKS)).overlaps(ink, 1e-6)
        for place in page.placements:
            assert not place.clip.overlaps(ink, 1e-6)
        assert note.width >= SHORTEST


@given(draw_pages())
def test_a_slug_is_left_out_only_where_there_is_no_room(drawn: tuple[Target, list[Page]]) -> None:
    """Room between the bleed and the margin, as wide as the grid and free of marks, is enough."""
    target, pages = drawn
    for page in pages:
        below = page.size.height - target.paper.margin.bottom - page.bleed.bottom
        marked = max((mark.y2 - page.bleed.bottom for mark in page.marks), default=0.0)
        room = below - (marked + FROM_MARKS if marked > 0 else FROM_BLEED)
        if room > HEIGHT + 0.1 and page.trim.width > SHORTEST:
            assert place_slug(page, target.paper.margin, "Slug") is not None


@given(st.text(st.characters(categories=["L", "N", "P"], max_codepoint=0x17F), min_size=1))
def test_the_ink_of_a_line_stays_within_what_is_reckoned_with(text: str) -> None:
    for item in set_note(find_typesetter(), text, SIZE, 500):
        assert isinstance(item, Run)
        ink = find_glyphs(item)
        if ink is not None:
            assert ink.y >= -ASCENT * SIZE
            assert ink.bottom <= DESCENT * SIZE


@pytest.mark.parametrize(
    ("name", "front", "back"),
    [
        ("a4", ("level", (9.75, 291.34, 190.5, 2.16)), ("level", (9.75, 286.03, 190.5, 2.16))),
        ("letter", ("level", (13.74, 274.23, 61.41, 2.16)), ("upward", (6.36, 6.35, 2.16, 266.7))),
    ],
)
def test_the_slugs_of_the_targets_that_come_with_cardgen(
    name: str, front: tuple[str, tuple[float, ...]], back: tuple[str, tuple[float, ...]]
) -> None:
    target = load(name)
    pages = impose(9, POKER, BLEED, target)
    assert [find_room(page, target) for page in pages] == [front, back]


def test_a_slug_stands_above_or_beside_where_there_is_no_room_below() -> None:
    for margin, place in (
        (Insets(bottom=15 * MM), (9.75, 8.81, 190.5, 2.16)),
        (Insets(top=15 * MM, bottom=15 * MM), (3.41, 15.15, 2.16, 266.7)),
        (Insets(6 * MM, 15 * MM, 0, 15 * MM), (204.43, 15.15, 2.16, 266.7)),
    ):
        _, back = impose(9, POKER, BLEED, load("a4"))
        note = place_slug(back, margin, "Slug")
        assert note is not None
        assert tuple(round(side / MM, 2) for side in measure_note(note)) == place
    assert place_slug(back, Insets.even(15 * MM), "Slug") is None


def test_a_sheet_that_fills_its_page_has_no_slug() -> None:
    target = load("a4")
    for page in impose(1, parse_size("a4"), Insets(), target):
        assert place_slug(page, target.paper.margin, "Slug") is None


def read_slugs(path: str) -> list[str]:
    return [page.extract_text().splitlines()[-1].rstrip() for page in PdfReader(path).pages]


@pytest.fixture
def deck(project: Project, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    project.write_template("<text>A</text>", attributes='size="poker"')
    project.write_template("<text>B</text>", "behind", attributes='size="poker"')
    cards = "  - name: Sword\n    count: 10\n"
    return project.write_deck(cards, head="title: Swords\ntemplate: plain\nback: behind\n")


def test_a_slug_says_deck_date_page_and_target(project: Project, deck: Path) -> None:
    os.utime(deck, (0, 951_868_799))  # the last second of the 29th of February 2000 in UTC
    project.build(target="letter")
    assert read_slugs("output/deck-letter.pdf") == [
        f"Swords · 2000-02-29 · sheet {number} of 2, {side} · letter"
        for number in (1, 2)
        for side in ("front", "back")
    ]
    project.build(target="one-up")
    assert {page.extract_text().rstrip() for page in PdfReader("output/deck-one-up.pdf").pages} == {
        "A",
        "B",
    }


def test_a_slug_says_the_version_of_a_deck_that_has_one(project: Project, deck: Path) -> None:
    deck.write_text(f"version: 2.10\n{deck.read_text()}")
    project.build()
    assert read_slugs("output/deck.pdf")[0] == "Swords · version 2.10 · sheet 1 of 2, front · a4"


@pytest.mark.parametrize(
    ("told", "edition"),
    [("1", "1970-01-01"), ("253402300799", "9999-12-31"), ("", "1970-01-02")],
)
def test_the_edition_and_the_date_are_as_told(
    deck: Path, monkeypatch: pytest.MonkeyPatch, told: str, edition: str
) -> None:
    os.utime(deck, (0, 86_400))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)
    assert name_edition(read_deck_file(deck)) == edition
    assert get_date(deck).date().isoformat() == edition


@pytest.mark.usefixtures("deck")
@pytest.mark.parametrize("told", ["x", "²", "٣", "-1", "1e5", "253402300800", "9" * 5_000])
def test_a_time_that_is_none_is_refused_by_check_and_build(
    project: Project, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", told)
    for command in ("check", "build"):
        ran = project.run(command, "deck")
        assert (ran.code, ran.stderr.splitlines()[0]) == (
            1,
            "SOURCE_DATE_EPOCH is no time up to the year 9999",
        )


def test_the_edition_is_that_of_the_newest_file(project: Project, deck: Path) -> None:
    os.utime(deck, (0, 86_400))
    table = project.write("decks/table.csv", "name\nSword\n")
    os.utime(table, (0, 3 * 86_400))
    described = project.write_deck(name="told", head="cards: table.csv\n")
    described.write_text("cards: table.csv\n")
    os.utime(described, (0, 86_400))
    assert name_edition(read_deck_file(described)) == "1970-01-04"
    overlay = project.write("decks/deck.de.yaml", "cards: {sword: {name: Schwert}}\n")
    os.utime(overlay, (0, 5 * 86_400))
    assert name_edition(read_deck(open_project(project.folder), "deck", "de")) == "1970-01-06"
