"""Tables whose first row does not name their columns."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.importing.importer import import_files

WAGONS = """\
All wagons, as they stand in the yard,,,,
,,,,
{corner},Steam Potato,Walking Pavilion,Airship,Singing Barrel
Crew,2,6,9,1
Fuel,coal,lemonade,"gas, and good cheer",none
What it does,Rolls on. It cannot be turned.,Nobody fights within. All heal one wound.,\
Sinks a floor for each quarrel on board.,Goes through rivers along the ground.
,,,,
Crews are paid on Fridays.,,,,
"""


@pytest.mark.parametrize("corner", ["Wagon", ""])
def test_a_card_in_each_column(tmp_path: Path, corner: str) -> None:
    path = tmp_path / "wagons.csv"
    path.write_text(WAGONS.format(corner=corner), "utf-8")
    found = import_files([path])
    assert [(card.name, dict(card.other)["crew"], card.text) for card in found.cards] == [
        ("Steam Potato", "2", "Rolls on. It cannot be turned."),
        ("Walking Pavilion", "6", "Nobody fights within. All heal one wound."),
        ("Airship", "9", "Sinks a floor for each quarrel on board."),
        ("Singing Barrel", "1", "Goes through rivers along the ground."),
    ]
    assert "columns" in [doubt.kind for doubt in found.deck_doubts]
    assert [left.text[:5] for left in found.left_out] == ["All w", "Crews"]


def test_a_table_without_a_header(tmp_path: Path) -> None:
    rows = [(1, "Salt Lamp", "See in fog, and be seen by all."),
            (2, "Tin Lamp", "It rings when it is lit or dropped."),
            (3, "Glass Lamp", "Do not drop it, whatever it is told.")]  # fmt: skip
    path = tmp_path / "lamps.csv"
    path.write_text("".join(f'{n},{name},"{text}"\n' for n, name, text in rows), "utf-8")
    found = import_files([path])
    assert [(card.name, card.text) for card in found.cards] == [row[1:] for row in rows]
    assert "no-header" in [doubt.kind for doubt in found.deck_doubts]


def test_a_deck_that_anki_exports(tmp_path: Path) -> None:
    head = "#separator:semicolon\n#html:true\n#tags column:3\n"
    rows = "What burns?;<b>Salt</b>, in a lamp.;fog\nWhat rings?;Tin.;\nWhat breaks?;Glass.;\n"
    for columns in ("#columns:Front;Back;Tags\n", ""):
        path = tmp_path / "deck.txt"
        path.write_text(head + columns + rows, "utf-8")
        found = import_files([path])
        assert [(card.name, card.text) for card in found.cards] == [
            ("What burns?", "**Salt**, in a lamp."), ("What rings?", "Tin."),
            ("What breaks?", "Glass."),
        ]  # fmt: skip
        first = 4 + len(columns[:1])
        assert [card.place.line for card in found.cards] == [*range(first, first + 3)]
        assert dict(found.cards[0].other) == {"tags": "fog"}
        assert found.head == {"template": "flashcard", "back": "flashcard-back"}
        assert not found.deck_doubts


def test_lines_with_as_many_bars_in_each(tmp_path: Path) -> None:
    rows = {"Salt Lamp": "See in fog, and be seen by all.", "Tin Lamp": "It rings when it is lit.",
            "Glass Lamp": "Do not drop it, whatever it is told."}  # fmt: skip
    path = tmp_path / "lamps.txt"
    lines = "".join(f"{name} | light | {text}\n" for name, text in rows.items())
    path.write_text(f"All the lamps\n\n{lines}", "utf-8")
    cards = import_files([path]).cards
    assert {card.name: card.text for card in cards} == rows
    assert [card.other for card in cards] == [(("column_2", "light"),)] * 3


def test_a_sum_below_the_names_hides_no_column_of_them(tmp_path: Path) -> None:
    path = tmp_path / "conjuros.csv"
    rows = "".join(f"{name};{n};Dura {n} horas.\n" for n, name in enumerate(("Luz", "Nudo", "Voz")))
    more = "".join(f"Marea {sign};4;Sube y baja otra vez.\n" for sign in "ABCDEF")
    path.write_text(f"Conjuro;Maná;Qué hace\n{rows}{more}Son nueve conjuros. Fin.;;\n", "utf-8")
    assert [card.name for card in import_files([path]).cards[:3]] == ["Luz", "Nudo", "Voz"]


def test_a_list_of_questions_and_answers_without_a_header_is_one_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "quiz.csv"
    path.write_text("".join(f"What burns {n} times?,Salt in {n} lamps.\n" for n in range(6)))
    found = import_files([path])
    assert [card.name for card in found.cards][:2] == ["What burns 0 times?", "What burns 1 times?"]
    assert found.head == {"template": "flashcard", "back": "flashcard-back"}
