"""Decks whose cards are of several sizes and shapes: sheets by size, backs right, counts right."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from conftest import Project
from making import build, plan_build
from PIL import Image
from pypdf import PdfReader
from pypdfium2 import PdfDocument
from test_register import find_marks, list_misses, turn_over

from cardgen.build.selection import Selection
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import HOME, Library
from cardgen.core.units import MM, parse_size
from cardgen.pages.target_file import read_target

ALL = sorted(path.stem for path in (HOME / "assets/targets").glob("*.toml"))
SIZES = {
    "card": 'size="poker"',
    "coin": 'size="25mm x 25mm" trim="circle"',
    "tile": 'size="52mm x 60mm" trim="hexagon"',
}
CARDS = """\
  - {name: P, template: card, back: card-back, count: 4}
  - {name: T, template: coin, back: coin-back, count: 5}
  - {name: Q, template: card, back: card-back, count: 7}
  - {name: U, template: coin, back: coin-back, count: 7}
  - {name: H, template: tile, back: tile-back, count: 3}
"""


@pytest.fixture
def mixed(project: Project) -> Project:
    colours = '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
    for name, attributes in SIZES.items():
        for end, colour in (("", "red"), ("-back", "blue")):
            told = "{{ 'blue' if card.name == 'New' else 'red' }}" if not end else colour
            ground = f'{colours}<box bleed="true" fill="{told}"/>'
            project.write_template(ground, name + end, attributes + ' bleed="0.2in"')
    project.write_deck(CARDS, head="template: card\n")
    return project


def draw(path: Path) -> list[Image.Image]:
    return [page.render(scale=2.0).to_pil().convert("RGB") for page in PdfDocument(path)]


@pytest.mark.usefixtures("mixed")
@pytest.mark.parametrize("name", ALL)
def test_every_target_prints_each_card_once_or_says_what_to_do(name: str) -> None:
    target = read_target(HOME / "assets/targets" / f"{name}.toml", Library(HOME))
    if target.press.flavour != "plain" or target.grid.full_bleed:
        with pytest.raises(CardgenError) as caught:
            plan_build("deck", target=name)
        (problem,) = caught.value.problems
        assert (problem.code, problem.details["target"]) == ("build/several-sizes", name)
        assert problem.hint == (
            'build it once for each: --size "63.5mm x 88.9mm", then --size "25mm x 25mm", '
            'then --size "52mm x 60mm"'
        )
        assert plan_build("deck", target=name, selection=Selection(size=parse_size("poker"))).pages
        return
    plan = plan_build("deck", target=name)
    if target.file.format == "showcase":  # cards of one size, as --size says, else the first
        shown = {plan.deck.cards[copy.design].name for copy in plan.copies}
        assert (shown, plan.sheets.card) == ({"P", "Q"}, parse_size("poker"))
        coins = plan_build("deck", target=name, selection=Selection(size=parse_size("25mm x 25mm")))
        assert len(coins.copies) == 2
        return
    fronts, sizes = Counter[int](), dict[str, set[Size]]()
    for page in plan.pages:
        kinds = set()
        for place in page.placements:
            card = plan.deck.cards[plan.copies[place.index].design]
            kinds.add(card.template)
            fronts[place.index] += place.side == "front"
            width, height = (round(side / place.scale / MM, 1) for side in place.trim.size)
            sizes.setdefault(card.template, set()).add(Size(width, height))
        assert len(kinds) <= 1 or name == "contact"
    assert sizes == {"card": {Size(63.5, 88.9)}, "coin": {Size(25, 25)}, "tile": {Size(52, 60)}}
    once = name in ("contact", "tts")
    assert [n for n, count in fronts.items() if count != 1] == [] or once
    assert sum(fronts.values()) == (5 if once else 26)
    numbers = [page.number for page in plan.pages if page.side == "front"]
    assert numbers == list(range(1, len(numbers) + 1))


def test_backs_fall_behind_their_fronts_on_the_sheets_of_each_size(mixed: Project) -> None:
    mixed.write(
        "targets/bare.toml",
        'title = "T"\nextends = "a4"\nmarks = "none"\nback_bleed_x = "3mm"\nback_bleed_y = "3mm"\n',
    )
    pages = draw(build("deck", target="bare").path)
    assert len(pages) == 8
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        red, blue = find_marks(front, "red"), turn_over(find_marks(back, "blue"), "upright")
        assert list_misses(red, blue) == []


def test_a_size_without_backs_keeps_in_step(mixed: Project) -> None:
    mixed.write_deck(CARDS.replace(", back: card-back", ""), head="template: card\n")
    plan = plan_build("deck", target="a4")
    assert [page.side for page in plan.pages] == ["front", "back"] * 4
    assert [len(page.placements) for page in plan.pages] == [9, 0, 2, 0, 12, 12, 3, 3]
    mixed.write("targets/apart.toml", 'title = "T"\nextends = "a4"\norder = "fronts-backs"\n')
    sides = [page.side for page in plan_build("deck", target="apart").pages]
    assert sides == ["front"] * 4 + ["back"] * 4


@pytest.mark.usefixtures("mixed")
def test_a_file_of_pages_has_those_of_each_size() -> None:
    pages = PdfReader(build("deck", target="one-up").path).pages
    trims = [round(float(page.trimbox.width) / MM, 1) for page in pages]
    assert Counter(trims) == {63.5: 22, 25: 24, 52: 6}
    assert trims[:2] == [63.5, 63.5]


@pytest.mark.usefixtures("mixed")
def test_a_game_has_a_deck_for_each_size() -> None:
    folder = build("deck", target="tts").path
    objects = json.loads((folder / "deck.json").read_text(encoding="utf-8"))["ObjectStates"]
    assert [len(found["DeckIDs"]) for found in objects] == [11, 12, 3]
    assert len({found["GUID"] for found in objects}) == 3
    for number, (found, kind) in enumerate(zip(objects, (0, 4, 3), strict=True), 1):
        ((key, sheet),) = found["CustomDeck"].items()
        assert (int(key), sheet["Type"]) == (number, kind)
        assert sheet["FaceURL"].endswith(f"deck-faces-{number}.png")
        assert all(card // 100 == number for card in found["DeckIDs"])
    scales = [found["Transform"]["scaleX"] for found in objects]
    assert scales == [1.0, round(25 / 88.9, 3), round(60 / 88.9, 3)]


def test_only_what_changed_is_printed_whatever_its_size(mixed: Project) -> None:
    build("deck")
    mixed.write_deck(CARDS.replace("name: Q,", "id: q, name: New,"), head="template: card\n")
    plan = build("deck", since="output/deck.pdf")
    assert (plan.cards, plan.pages) == (7, 2)


def test_cards_of_one_size_alone(mixed: Project) -> None:
    ran = mixed.run("build", "deck", "--target", "press", "--size", "25mm x 25mm")
    assert "12 cards on 24 pages, to be cut by deck-press-25x25mm-cut" in ran.stdout
    ran = mixed.run("build", "deck", "--size", "25mm x 25mm")
    assert "output/deck-25x25mm.pdf: 12 cards on 2 pages" in ran.stdout
    ran = mixed.run("build", "deck", "--size", "tarot")
    assert "its cards are 25mm x 25mm and 52mm x 60mm and 63.5mm x 88.9mm" in ran.stderr
    assert mixed.run("build", "deck", "--size", "25").code == 2


@pytest.mark.usefixtures("mixed")
def test_used_places_are_those_of_the_first_sheet() -> None:
    plan = plan_build("deck", target="a4", skip=5)
    counts = [len(page.placements) for page in plan.pages if page.side == "front"]
    assert counts == [4, 7, 12, 3]


def test_a_back_of_another_shape_is_an_error(mixed: Project) -> None:
    mixed.write_template("", "coin-back", 'size="25mm x 25mm" trim="rounded 2mm"')
    with pytest.raises(CardgenError) as caught:
        plan_build("deck")
    (problem,) = caught.value.problems
    assert (problem.code, problem.details) == (
        "build/two-trims",
        {"template": "coin-back", "other": "coin"},
    )
    # One that says nothing is cut as its front is; one that is drawn from behind may say so.
    mixed.write_template("", "coin-back", 'size="25mm x 25mm"')
    assert plan_build("deck").pages
    path, mirrored = "path M0 0 H20 L25 25 H0 Z", "path M25 0 H5 L0 25 H25 Z"
    for trim, fits in ((path, True), (mirrored, True), ("path M0 0 H25 L20 25 H0 Z", False)):
        mixed.write_template("", "coin", f'size="25mm x 25mm" trim="{path}"')
        mixed.write_template("", "coin-back", f'size="25mm x 25mm" trim="{trim}"')
        if fits:
            assert plan_build("deck").pages
        else:
            with pytest.raises(CardgenError, match="another shape"):
                plan_build("deck")
