"""Every target that comes with cardgen, with decks of every size; and every deck with many targets.

What a target makes of a deck depends on the size of its cards, and at a press on its inks. So each
target has a deck of each size in turn, and the strictest press has all of them.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from making import build, load_deck, plan_build
from PIL import Image
from pypdf import PdfReader

from cardgen.build.deliver import Built
from cardgen.build.selection import Selection, choose_copies
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import HOME, Library
from cardgen.core.units import MM
from cardgen.pages.target import Target
from cardgen.pages.target_file import read_target

DECKS = [path.stem for path in sorted((HOME / "decks").iterdir())]
TARGETS = [path.stem for path in sorted((HOME / "assets/targets").glob("*.toml"))]
DECKS_OF = {
    "cards": ("artillery", "magic", "magic-rulebook", "tactics"),
    "small sheets": ("artillery-sheet", "cards-sheet", "magic-sheet"),
    "pages": ("magic-box", "playsheet", "playsheet-full"),
}
LARGE, SMALL = "artillery", "magic"  # the two sizes of cards
STRICTEST, HEAVIEST = "drivethru", "showcase"
# A few cards of each: a sheet more is a sheet like the others.
FEW, DPI = Selection(end=2), 60


def choose_decks(target: str) -> list[str]:
    if target == STRICTEST:
        return DECKS
    if target == HEAVIEST:
        return [SMALL]
    turn = TARGETS.index(target)
    return [decks[turn % len(decks)] for decks in DECKS_OF.values()]


def test_every_deck_has_its_turns() -> None:
    assert sorted(deck for decks in DECKS_OF.values() for deck in decks) == sorted(DECKS)
    turns = Counter(deck for target in TARGETS for deck in choose_decks(target))
    assert len(TARGETS) > 12
    assert min(turns[deck] for deck in DECKS) >= 5


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_with_decks_of_every_size(name: str, tmp_path: Path) -> None:
    target = read_target(HOME / f"assets/targets/{name}.toml", Library(HOME))
    chosen = choose_decks(name)
    for deck in chosen:
        drawn = target.file.format != "pdf"
        if not is_printed(deck, target):
            with pytest.raises(CardgenError, match="has no cards of"):
                build(deck, target=name, out=tmp_path)
            continue
        built = build(deck, target=name, out=tmp_path, selection=FEW, dpi=DPI if drawn else None)
        if drawn:
            check_pictures(built, target)
        else:
            check_pages(built, target)
    for deck in {LARGE, SMALL} - set(chosen):
        if is_printed(deck, target):
            assert plan_build(deck, target=name).pages


def is_printed(deck: str, target: Target) -> bool:
    """Whether a service that has sizes of its own has that of a deck."""
    products = target.file.products
    return not products or any(product.holds(find_size(deck)) for product in products)


@cache
def find_size(deck: str) -> Size:
    return plan_build(deck, target="one-up").templates.kinds.largest


def test_a_box_larger_than_the_paper_of_a_target(tmp_path: Path) -> None:
    with pytest.raises(CardgenError, match=r"reaches [\d.]+mm beyond the card's left edge"):
        build("magic-box", target="a5", out=tmp_path)


def check_pages(built: Built, target: Target) -> None:
    reader = PdfReader(built.path, strict=True)
    assert len(reader.pages) == built.pages
    deck = load_deck(built.deck)
    printed = {deck.cards[copy.design].name for copy in choose_copies(deck, FEW)}
    if target.grid.imposition == "grid":
        assert {item.title for item in reader.outline} == printed  # type: ignore[union-attr]
    if target.paper.size is None:
        assert built.pages >= built.cards
    for page in reader.pages:
        if target.paper.size is not None:
            sides = sorted(float(side) for side in (page.mediabox.width, page.mediabox.height))
            assert sides == pytest.approx(sorted(target.paper.size), abs=0.1)
        else:
            media, trim = page.mediabox, page.trimbox
            shown = (float(media.width - trim.width) / 2, float(media.height - trim.height) / 2)
            assert shown == pytest.approx((target.grid.bleed_x, target.grid.bleed_y), abs=0.01)


def check_pictures(built: Built, target: Target) -> None:
    if target.file.zip:
        with zipfile.ZipFile(built.path) as archive:
            names = [name for name in archive.namelist() if name.endswith(".png")]
            archive.extractall(built.path.with_suffix(""))
        folder = built.path.with_suffix("")
    else:
        folder = built.path
        names = [path.name for path in folder.glob("*.png")]
    assert len(names) == built.pages > 0
    if target.file.format != "png":
        return
    plan = plan_build(built.deck, target=target.name)
    trim, grid = plan.templates.kinds.largest, plan.target.grid
    across = trim.width + 2 * grid.bleed_x
    down = trim.height + 2 * grid.bleed_y
    for name in names:
        pixels = Image.open(folder / name).size
        assert pixels == (round(across * DPI / 72), round(down * DPI / 72))


def test_the_trim_of_a_press_page_is_the_card(tmp_path: Path) -> None:
    built = build("magic", target="press", out=tmp_path, selection=Selection(end=1))
    for page in PdfReader(built.path).pages:
        trim = page.trimbox
        measures = float(trim.width) / MM, float(trim.height) / MM
        assert measures == pytest.approx((63.5, 88.9), abs=0.01)
