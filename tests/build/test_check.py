"""A check composes all faces and draws none; it says what a build says, and each thing once."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zlib import compress

import pytest
from conftest import Project
from PIL import Image
from png_files import make_png

from cardgen.build.pipeline import build_deck, check_deck
from cardgen.core import names
from cardgen.core.errors import CardgenError
from cardgen.deck.model import Deck
from cardgen.deck.read import read_deck_file
from cardgen.layout import draft
from cardgen.output.pdf import PageDrawer

_TEMPLATE = (
    '<template size="poker"><column><text>{card.name}</text>{inner}</column></template>'
).replace("{card.name}", "{{ card.name }}")


def write_deck(folder: Path, inner: str, cards: int = 1) -> Path:
    (folder / "templates").mkdir()
    (folder / "templates" / "mine.xml").write_text(_TEMPLATE.replace("{inner}", inner))
    deck = folder / "deck.yaml"
    deck.write_text(
        "template: mine\ncards:\n" + "".join(f"- name: Card {n}\n" for n in range(cards))
    )
    return deck


def find_said(run: object, deck: Path) -> list[str]:
    with pytest.raises(CardgenError) as raised:
        assert callable(run)
        run(deck)
    return [str(problem) for problem in raised.value.problems]


def test_nothing_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = write_deck(tmp_path, "", cards=3)
    monkeypatch.setattr(PageDrawer, "draw", lambda *_: pytest.fail("a page is drawn"))
    assert check_deck(deck).notes == ()


def test_a_picture_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deck = write_deck(tmp_path, '<image file="a.png"/>')
    monkeypatch.chdir(tmp_path)
    picture = tmp_path / "a.png"
    Image.effect_noise((64, 64), 90).save(picture)
    data = picture.read_bytes()
    picture.write_bytes(data[: len(data) // 2])
    said = find_said(check_deck, deck)
    assert "a.png" in said[0] and "cut short" in said[0]
    assert find_said(build_deck, deck) == said


@pytest.mark.parametrize("data", [b"", b"x" * 40, compress(b"\0"), compress(b"\x09aaa" * 9)])
def test_pixels_that_are_wrong_under_right_checksums(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    """A PNG that only a decoder finds broken, in a group and beside another fault."""
    inner = '<box opacity="0.5"><image file="a.png"/></box><text>{{ card.none }}</text>'
    deck = write_deck(tmp_path, inner)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.png").write_bytes(make_png(9, 9, {b"IDAT": data}))
    template = tmp_path / "templates" / "mine.xml"
    said = find_said(check_deck, deck)
    assert '"none"' in "".join(said) and find_said(build_deck, deck) == said
    template.write_text(template.read_text().replace("card.none", "card.name"))
    told, *rest = find_said(check_deck, deck)
    assert "a.png: the picture cannot be read" in told
    assert not rest and find_said(build_deck, deck) == [told]


def test_what_is_wrong_on_each_card_has_one_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "_MOST_TRIED", 60)
    deck = write_deck(tmp_path, "<text>{{ card.nothing }}</text>", cards=40)
    said = find_said(check_deck, deck)
    assert len(said) == 1
    assert "field names: " in said[0]


def test_a_draft_that_nobody_sees_has_no_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = write_deck(tmp_path, "<text>{{ card.nothing }}</text>")
    monkeypatch.setattr(draft, "draw_placeholder", lambda *_: pytest.fail("a label is set"))
    assert len(find_said(check_deck, deck)) == 1


def test_a_faulty_deck_is_read_once(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write_template("<text>{{ card.name }}{{ card.gone }}</text>")
    project.write("decks/deck.yaml", "template: plain\nbogus: 1\ncards:\n- name: A\n")
    read: list[Path] = []

    def note(path: Path, **options: Any) -> Deck:
        read.append(path)
        return read_deck_file(path, **options)

    monkeypatch.setattr("cardgen.project.project.read_deck_file", note)
    for command in ("check", "build"):
        read.clear()
        said = project.run(command, "deck").stderr
        assert 'unknown deck key "bogus"' in said and '"gone"' in said
        assert len(read) == 1
