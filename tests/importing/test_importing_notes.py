"""Files of one card each make a deck, as notes and the pages of a site are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.core.errors import CardgenError
from cardgen.importing.importer import import_files
from cardgen.importing.model import Candidate

EFFECTS = {
    "Salt Lamp": "The bearer sees in fog, and is seen by all who are out in it.",
    "Eel-Skin Rope": "Pull one ship two fields nearer.\n\nThen it is wet, and lies for a turn.",
    "Tin Whistle": "Every dog comes running. So do their owners.",
}
COSTS = {"Salt Lamp": 3, "Eel-Skin Rope": 12, "Tin Whistle": 1}


def write(folder: Path, texts: dict[str, str]) -> list[Path]:
    paths = [folder / f"{name.lower().replace(' ', '-')}.md" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text, "utf-8")
    return sorted(paths)


def show(card: Candidate) -> tuple[str, int | None, dict[str, object], str]:
    return card.name, card.cost, dict(card.other), card.text


def test_the_keys_of_heads_are_fields(tmp_path: Path) -> None:
    head = '---\ntitle: "{0}"\nprice: {1}\ntags:\n  - light\n  - sea\n---\n\n# {0}\n\n{2}\n'
    paths = write(tmp_path, {n: head.format(n, COSTS[n], text) for n, text in EFFECTS.items()})
    found = import_files(paths)
    assert [show(card) for card in found.cards] == [
        (name, COSTS[name], {"tags": ["light", "sea"]}, EFFECTS[name]) for name in sorted(EFFECTS)
    ]
    assert [card.place.file for card in found.cards] == list(map(str, paths))
    assert found.files == tuple(map(str, paths))
    assert not found.deck_doubts
    fewer = import_files(paths, without=["tags"])
    assert [card.other for card in fewer.cards] == [(), (), ()]


def test_a_name_is_the_first_heading_or_that_of_the_file(tmp_path: Path) -> None:
    head = "---\nweight: 2 lb\n---\n"
    texts = {name: f"{head}## {name}\n**Made of:** wool\n\n{EFFECTS[name]}" for name in EFFECTS}
    texts["Tin Whistle"] = f"{head}**Made of:** tin\n\n{EFFECTS['Tin Whistle']}"
    cards = import_files(write(tmp_path, texts)).cards
    assert [card.name for card in cards] == ["Eel-Skin Rope", "Salt Lamp", "tin-whistle"]
    assert [dict(card.other) for card in cards] == [
        {"weight": "2 lb", "made_of": made} for made in ("wool", "wool", "tin")
    ]


def test_headings_alone_name_texts(tmp_path: Path) -> None:
    texts = {name: f"# {name}\n\n{text}\n" for name, text in EFFECTS.items()}
    cards = import_files(write(tmp_path, texts)).cards
    assert {card.name: card.text for card in cards} == EFFECTS


def test_texts_of_several_cards_are_none(tmp_path: Path) -> None:
    """A head says there what the file is, and headings within name the cards."""
    chapter = "---\ntitle: {0}\n---\n\nAs found in the {0}.\n\n" + "".join(
        f"## {{0}} {name}\n\n*Cost: {COSTS[name]}*\n\n{text}\n\n" for name, text in EFFECTS.items()
    )
    texts = {place: chapter.format(place) for place in ("Harbour", "Attic", "Old Mill")}
    cards = import_files(write(tmp_path, texts)).cards
    assert [card.name for card in cards] == [
        f"{place} {name}" for place in sorted(texts) for name in EFFECTS
    ]


def test_a_broken_head_is_an_error_with_its_line(tmp_path: Path) -> None:
    paths = write(tmp_path, {n: f"---\ntitle: {n}\n---\n{t}\n" for n, t in EFFECTS.items()})
    paths[1].write_text("---\ntitle: Salt\nprice: [3\n---\nIt is out.\n", "utf-8")
    with pytest.raises(CardgenError) as caught:
        import_files(paths)
    where = caught.value.problems[0].where
    assert where is not None
    assert (where.file, where.line) == (str(paths[1]), 4)
