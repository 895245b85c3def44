"""Labels that stand above their values, or before a text, and come again and again."""

from __future__ import annotations

from finding_cards import read_cards

NAMES = ("The Patient Knot", "Widow's Anchor", "Glass Herring", "Salt Bride")
LIVES = (4, 2, 7, 3)
STATES = ("good", "rusted", "holed", "good")
TEXT = "Dropped from any vessel, it finds the bottom. It stays there for a day."


def _list_fields(text: str) -> list[dict[str, object]]:
    return [{"name": card.name, **dict(card.other)} for card in read_cards(text)]


def test_labels_in_a_row_above_values_in_a_row() -> None:
    text = "".join(
        f"{name}\nWeight   State\n{n} lb   {state}\n{TEXT}\n\n"
        for n, (name, state) in enumerate(zip(NAMES, STATES, strict=True), 2)
    )
    assert _list_fields(text) == [
        {"name": name, "weight": f"{n} lb", "state": state}
        for n, (name, state) in enumerate(zip(NAMES, STATES, strict=True), 2)
    ]


def test_each_label_above_its_value() -> None:
    text = "".join(
        f"{name.upper()}\nVie\n{n}\nAllure\nnage {9 - n}\n{TEXT}\n\n"
        for n, name in zip(LIVES, NAMES, strict=True)
    )
    cards = read_cards(text)
    assert [dict(card.other) for card in cards] == [
        {"vie": str(n), "allure": f"nage {9 - n}"} for n in LIVES
    ]
    assert all(card.text == TEXT for card in cards)


def test_labels_and_values_on_a_line_are_no_labels_of_the_next_line() -> None:
    text = "".join(
        f"{name}\n\nKind       Common\nRoll       {n}+\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    assert [card.kind for card in read_cards(text)] == ["Common"] * 4


def test_a_header_that_comes_again_above_rows_is_one() -> None:
    rows = "".join(
        f"{head}\n   Unit             Models   Q    Cost\n"
        + "".join(f"   {name:18} 1{n}     {n}+   {n}0 pts\n" for n, name in enumerate(names, 2))
        + "\n"
        for head, names in (
            ("CORE", NAMES),
            ("ELITE", ("Kettles", "Divers", "Guns")),
            ("REST", ("A B", "C D", "E F")),
        )
    )
    cards = read_cards(f"{rows}All is checked.\n\nPage 1 of 1        last saved 2 May\n")
    assert len(cards) == 10
    assert dict(cards[0].other) == {"models": "12", "q": "2+"}
    assert (cards[0].name, cards[0].cost, cards[0].kind) == (NAMES[0], 20, "Core")


def test_labels_with_stops_before_a_text() -> None:
    herbs = ("LOVAGE", "SAVORY", "SORREL", "HYSSOP")
    text = "".join(
        f"{name}, also Old Maggi. Height: {n}0 cm. Blooms in:\nmonth {n}. {TEXT}\n\n"
        for n, name in enumerate(herbs, 2)
    )
    assert _list_fields(text) == [
        {
            "name": name.title(),
            "subtitle": "also Old Maggi",
            "height": f"{n}0 cm",
            "blooms_in": f"month {n}",
        }
        for n, name in enumerate(herbs, 2)
    ]
    assert [card.text for card in read_cards(text)] == [TEXT] * 4


def test_a_label_above_every_text_is_a_field_though_it_holds_a_sentence() -> None:
    text = "".join(
        f"### {name}\n\n- **Offering:** bowl {n}\n"
        f"- **Gift:** Your fields are watered {n} times.\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text, suffix="md")
    assert [dict(card.other)["gift"] for card in cards] == [
        f"Your fields are watered {n} times." for n in range(2, 6)
    ]


def test_labels_behind_most_texts_are_fields() -> None:
    text = "".join(
        f"{name.upper()}\n{TEXT}\nReversed: Somebody took {n} of them from the bottom.\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    assert [dict(card.other)["reversed"] for card in read_cards(text)] == [
        f"Somebody took {n} of them from the bottom." for n, _ in enumerate(NAMES, 2)
    ]
