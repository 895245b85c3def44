"""Every target that comes with cardgen, built from every deck that does."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from making import build, load_deck
from PIL import Image
from pypdf import PdfReader

from cardgen.build.deliver import Built
from cardgen.build.plan import Selection, choose_copies
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME, Library
from cardgen.core.units import MM
from cardgen.pages.target import Target, read_target

DECKS = [path.stem for path in sorted((HOME / "decks").iterdir())]
TARGETS = [path.stem for path in sorted((HOME / "assets/targets").glob("*.toml"))]
# Whole decks on one paper; else a few cards of each, since a sheet more is a sheet like the others.
WHOLE, FEW, DPI = ("a4",), Selection(end=3), 60
# A tuck box, laid flat, is larger than this paper.
TOO_LARGE = {("a5", "magic-box")}


def test_there_are_decks_and_targets() -> None:
    assert len(DECKS) > 8
    assert len(TARGETS) > 12


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_with_every_deck(name: str, tmp_path: Path) -> None:
    target = read_target(HOME / f"assets/targets/{name}.toml", Library(HOME))
    for deck in DECKS:
        drawn = target.file.format != "pdf"
        few = Selection() if name in WHOLE else FEW
        if (name, deck) in TOO_LARGE:
            with pytest.raises(CardgenError, match=r"reaches [\d.]+mm beyond the card's left edge"):
                build(deck, target=name, out=tmp_path, selection=few)
            continue
        built = build(deck, target=name, out=tmp_path, selection=few, dpi=DPI if drawn else None)
        if drawn:
            check_pictures(built, target)
        else:
            check_pages(built, target, few)


def check_pages(built: Built, target: Target, chosen: Selection) -> None:
    reader = PdfReader(built.path, strict=True)
    assert len(reader.pages) == built.pages
    deck = load_deck(built.deck)
    printed = {deck.cards[copy.design].name for copy in choose_copies(deck, chosen)}
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
    size = PdfReader(
        build(built.deck, target="one-up", out=folder, selection=Selection(end=1)).path
    )
    trim = size.pages[0].trimbox
    across = float(trim.width) + 2 * target.grid.bleed_x
    down = float(trim.height) + 2 * target.grid.bleed_y
    for name in names:
        pixels = Image.open(folder / name).size
        assert pixels == (round(across * DPI / 72), round(down * DPI / 72))


def test_the_trim_of_a_press_page_is_the_card(tmp_path: Path) -> None:
    built = build("magic", target="press", out=tmp_path, selection=Selection(end=1))
    for page in PdfReader(built.path).pages:
        trim = page.trimbox
        measures = float(trim.width) / MM, float(trim.height) / MM
        assert measures == pytest.approx((63.5, 88.9), abs=0.01)
