"""A deck kept open: what is told first after a change, and that it is put right afterwards."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from making import build
from PIL import Image, ImageChops

from cardgen.build.plan import USUAL
from cardgen.core.errors import CardgenError
from cardgen.output.png import draw_pages
from cardgen.project.project import open_deck
from cardgen.studio import covers
from cardgen.studio.easel import Easel, Spot, View
from cardgen.studio.painter import Desk, draw, read, tell_rest
from cardgen.studio.pictures import Pictures
from cardgen.studio.printing import draw_sheet, lay_sheets

TEXT = """<text x="2mm" y="2mm" width="46mm" height="{}mm" fit="deck" min="4pt" max="12pt">
{{{{ card.note }}}}</text>"""
SALT = b"same"


@pytest.fixture
def template(project: Project) -> Path:
    long = "many words " * 6
    cards = "".join(f"  - name: Card {n}\n    note: few {n}\n" for n in range(155))
    project.write_deck(f"{cards}  - name: Last\n    note: {long}\n")
    return project.write_template(TEXT.format(12)).resolve()


def test_of_a_large_deck_sizes_are_guessed_first_and_settled_then(
    project: Project, template: Path
) -> None:
    desk = Desk("deck", View(), SALT)
    read(None, True, (), 72, desk)
    easel, seen = desk.get_easel(), [Spot("card-0", "front")]
    ((key, small),) = easel.faces.sizes
    assert small < 12
    for body, is_right in ((TEXT.format(20), False), (f"{TEXT.format(20)}<!-- -->", True)):
        project.write_template(body)
        reading = read({template}, False, seen, 72, desk)
        assert (list(reading.cards), reading.has_rest) == (["card-0"], True)
        first = easel.find_version(seen[0])
        assert not draw(seen, 72, desk).is_stale
        rest = tell_rest(desk)
        assert easel.faces.sizes == Easel("deck", View(), SALT).faces.sizes
        assert (easel.faces.sizes == [(key, small)]) == is_right
        # Where the guess was right, nothing is told of the card once more.
        assert ("card-0" not in rest.cards) == (easel.find_version(seen[0]) == first) == is_right
        small = easel.faces.sizes[0][1]


def test_only_a_file_that_a_deck_is_made_of_has_it_read_anew(project: Project) -> None:
    project.write_template(TEXT.format(12))
    head = "template: plain\n"
    base = project.write_deck("  - name: Sword\n    note: one\n  - name: Bow\n", "base", head)
    other = project.write_deck("  - name: Cup\n", "other", head)
    deck = project.write("decks/deck.yaml", "extends: base\nchange:\n  bow: {note: two}\n")
    easel = Easel("deck")
    before = easel.deck
    easel.take({other.resolve()})
    assert easel.deck is before

    def see(path: Path, text: str) -> list[object]:
        path.write_text(text, encoding="utf-8")
        easel.take({path.resolve()})
        return [card.fields["note"] for card in easel.deck.cards]

    text = base.read_text(encoding="utf-8")
    assert see(base, text.replace("one", "three")) == ["three", "two"]
    german = Easel("deck", View(language="de"))
    overlay = project.write("decks/base.de.yaml", "cards:\n  sword:\n    note: drei\n")
    german.take({overlay.resolve()})
    assert german.deck.cards[0].fields["note"] == "drei"
    # A deck that cannot be read may be mended by any file.
    with pytest.raises(CardgenError):
        see(deck, "extends: fresh\n")
    assert see(base.with_name("fresh.yaml"), text.replace("one", "four")) == ["four", None]


def test_a_card_of_a_template_that_nobody_has_stands_there_until_there_is_one(
    project: Project,
) -> None:
    project.write_template(TEXT.format(12))
    project.write_deck("  - name: Axe\n    template: none\n  - name: Cup\n    back: gone\n")
    easel = Easel("deck")
    assert easel.keys == ("axe", "cup") and easel.is_faulty and not easel.problems
    told = [(key, str(p.where), p.message) for key in easel.keys for p in easel.list_problems(key)]
    assert told == [
        ("axe", "decks/deck.yaml:4:15", 'unknown template "none"'),
        ("cup", "decks/deck.yaml:6:11", 'unknown template "gone"'),
    ]
    spots = [Spot("axe", "front"), Spot("cup", "back")]
    one, other = (picture for _, picture in easel.draw(spots, 36))
    assert find_difference(one, other)[0] != (0, 0), "each is called by its name"
    written = [project.write_template(TEXT.format(12), name) for name in ("none", "gone")]
    easel.take({path.resolve() for path in written})
    assert not any(map(easel.list_problems, easel.keys)) and not easel.is_faulty


def test_a_picture_for_the_screen_shows_the_same(template: Path) -> None:
    assert template.is_file()
    easel = Easel("deck", View())
    pdf = easel._write(easel._compose_all([Spot("last", "front")]))
    pictures = [next(draw_pages(pdf, 110, fast=fast)) for fast in (True, False)]
    quick, usual = (Image.open(io.BytesIO(one)) for one in pictures)
    assert (quick.size, quick.mode, quick.info["srgb"]) == (usual.size, "RGB", 0)
    assert quick.tobytes() == usual.tobytes()


SHOWN = """<template size="50mm x 40mm" bleed="3mm">
<box bleed="true" fill="#206040"/>
<box x="9mm" y="18mm" width="30mm" height="20mm" opacity="0.5" fill="#c08020" radius="4mm"/>
<box x="2mm" y="16mm" width="4mm" height="4mm" fill="cmyk(100 100 0 0)"/>
<text x="2mm" y="2mm" width="46mm" height="12mm" fit="deck" min="4pt" max="14pt" colour="white">
{{ card.note }}</text></template>"""


def test_faces_and_sheets_show_what_a_build_prints(project: Project, tmp_path: Path) -> None:
    """Pixel for pixel, with texts set smaller, the bleed, and the marks of a sheet."""
    project.write("templates/plain.xml", SHOWN)
    cards = ((name, "many words " * n) for name, n in (("Sword", 18), ("Bow", 20)))
    project.write_deck("".join(f"  - name: {name}\n    note: {note}\n" for name, note in cards))
    easel = Easel("deck")
    folder = build("deck", target="png", out=tmp_path).path
    drawn = (picture for _, picture in easel.draw([Spot(key, "front") for key in easel.keys], 300))
    for picture, name in zip(drawn, ("sword", "bow"), strict=True):
        (path,) = folder.glob(f"*{name}*")
        assert find_difference(picture, path.read_bytes()) == [(0, 0)] * 3, name
    desk = Desk("deck", View(), SALT)
    assert lay_sheets(USUAL, "1", desk)["file"] == "pdf"
    sheet = draw_sheet("1", 0, 100, desk)
    assert sheet is not None
    (printed,) = draw_pages(build("deck", out=tmp_path).path, 100)
    # On the screen the marks are as black as can be, and on paper they are of black ink.
    assert max(high for _, high in find_difference(sheet, printed)) < 40
    # Between the cards and the edge of the paper lies nothing but the marks.
    edge = Image.open(io.BytesIO(sheet)).convert("L").crop((0, 0, 827, 60))
    assert min(edge.tobytes()) < 128


def find_difference(one: bytes, other: bytes) -> list[tuple[int, int]]:
    """Return the least and the most by which red, green and blue differ."""
    first, second = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other))
    assert first.size == second.size
    return [band.getextrema() for band in ImageChops.difference(first, second).split()]  # type: ignore[misc]


def test_pictures_that_nothing_shows_any_longer_have_little_room() -> None:
    store = Pictures(most=100, retired=10)
    for version in "abc":
        store.keep(version, 72, bytes(6))
    store.keep("a", 150, bytes(7))
    store.retire({"a", "b", "x"})
    # Of what was retired the last stays; what is shown still is not touched.
    kept = [version for version in "abc" if store.find(version, 72)]
    assert kept[-1] == "c" and len(kept) + bool(store.find("a", 150)) == 2
    store.keep("b", 72, b"new")
    assert store.find("b", 72) == b"new"
    store.keep("d", 72, bytes(99))
    assert [store.find(version, 72) for version in "bc"] == [None, None]
    store.keep("e", 72, bytes(200))
    assert store.find("e", 72) == bytes(200)


def test_a_deck_is_read_for_its_cover_only_when_it_changed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = "template: plain\n"
    base = project.write_deck(name="base", head=head)
    project.write_deck("  - name: Cup\n", "other", head)
    project.write("decks/less.yaml", "extends: base\ntitle: Less\n")
    read_names: list[str] = []

    def see() -> dict[object, object]:
        read_names.clear()
        with monkeypatch.context() as patch:

            def open_noted(name: str, **options: Any) -> object:
                read_names.append(name)
                return open_deck(name, **options)

            patch.setattr(covers, "open_deck", open_noted)
            return {told["name"]: told["designs"] for told in covers.list_decks(None)}

    assert see()["less"] == 1 and {"base", "less", "other", "magic"} <= set(read_names)
    assert see()["less"] == 1 and read_names == []
    base.write_text(base.read_text(encoding="utf-8") + "  - name: Axe\n", encoding="utf-8")
    assert (see()["less"], sorted(read_names)) == (2, ["base", "less"])
    project.write("decks/other.yaml", "cards: [\n")
    for _ in range(2):
        see()
        assert read_names == ["other"]
    offered = {told["name"]: told["cover"] for told in covers.list_decks(None)}
    assert (offered["other"], offered["less"]) == (None, "cover/less"), "none is asked for in vain"
