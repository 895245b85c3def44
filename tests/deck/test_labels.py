"""Tests what fields are called on a card: by their names, by a header, by the deck."""

from __future__ import annotations

from pathlib import Path

import pytest
from making import build
from pypdf import PdfReader

from cardgen.core.errors import CardgenError
from cardgen.deck.labels import list_labels, read_label, spell_field
from cardgen.deck.read import read_deck_file


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("hp", "HP"),
        ("hit_points", "Hit points"),
        ("max_hp", "Max HP"),
        ("stärke", "Stärke"),
        ("why", "Why"),
        ("FLAVOR_TEXT", "Flavor text"),
        ("ATK", "ATK"),
        ("2", "2"),
    ],
)
def test_a_fields_name_reads_as_words(field: str, words: str) -> None:
    assert spell_field(field) == words


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Hit Dice:", "Hit Dice"),
        ("hit dice", "Hit dice"),
        ("hitPoints", "Hit points"),
        ("ATTACK", "Attack"),
        ("AC", "AC"),
        ("Cost [gp]*", "Cost gp"),
        ("VP/turn (est.)", "VP/turn (est.)"),
    ],
)
def test_a_header_is_printed_as_it_is_written(title: str, label: str) -> None:
    assert read_label(title) == label


def test_a_label_says_nothing_else_than_its_field() -> None:
    titles = {"area_type": "Type", "ac": "AC", "hit_dice": "Hit Dice", "hp": "HP"}
    assert list_labels(titles) == {"ac": "AC", "hit_dice": "Hit Dice"}


def test_a_table_prints_its_header_and_the_flavour_last(tmp_path: Path) -> None:
    table = tmp_path / "d.csv"
    table.write_text("Name,Type,ATK,Hit Dice,Effect,Flavor Text\nImp,Fiend,1,2d6,It dies.,Ouch\n")
    (page,) = PdfReader(build(table, out=tmp_path / "d.pdf").path).pages
    words = page.extract_text().split()
    assert words[:10] == ["Imp", "FIEND", "ATK", "1", "Hit", "Dice", "2d6", "It", "dies.", "Ouch"]


def test_a_variant_keeps_the_labels_of_its_base(tmp_path: Path) -> None:
    base = "template: fields\nlabels: {ac: AC, kl: Class}\ncards:\n- {name: A, ac: 1, kl: 2}\n"
    (tmp_path / "base.yaml").write_text(base)
    variant = tmp_path / "variant.yaml"
    variant.write_text("extends: base\nlabels: {ac: Armour}\n")
    assert read_deck_file(variant).labels == {"ac": "Armour", "kl": "Class"}


@pytest.mark.parametrize(
    ("labels", "code", "place"),
    [
        ("{as: AC}", "deck/unknown-field", "d.yaml:1:10"),
        ("[ac]", "deck/bad-labels", "d.yaml:1:9"),
        ("{ac: [AC]}", "deck/bad-labels", "d.yaml:1:14"),
        ('{ac: "A\\nC"}', "deck/bad-labels", "d.yaml:1:14"),
    ],
)
def test_a_wrong_label_is_named(tmp_path: Path, labels: str, code: str, place: str) -> None:
    deck = tmp_path / "d.yaml"
    deck.write_text(f"labels: {labels}\ntemplate: fields\ncards:\n- {{name: A, ac: 1}}\n")
    with pytest.raises(CardgenError) as caught:
        read_deck_file(deck)
    (problem,) = caught.value.problems
    assert (problem.code, str(problem.where).removeprefix(f"{tmp_path}/")) == (code, place)
