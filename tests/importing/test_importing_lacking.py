"""Names that lack what all others of a text state, and codes before names."""

from __future__ import annotations

from finding_cards import EIGHT, TEXT, list_names, read_cards


def test_a_name_without_a_count_between_counted_ones() -> None:
    """ "Mud Crown" stands alone in its place, as the others do, and says no count."""
    counts = (3, 2, 4, 3, 1, 2, 3, 5)
    records = zip(counts, EIGHT, strict=True)
    lines = [f"{count}x {name}" if count > 1 else name for count, name in records]
    cards = read_cards("".join(f"{line}\n{TEXT}\n\n" for line in lines))
    assert [card.name for card in cards] == [*EIGHT]
    assert [card.count for card in cards] == [*counts]
    assert {card.text for card in cards} == {TEXT}


def test_a_name_without_a_price_between_priced_ones() -> None:
    prices = [f" ({n} sous)" if n != 4 else "" for n in range(1, 9)]
    records = zip(EIGHT, prices, strict=True)
    cards = read_cards("".join(f"{name}{price}: {TEXT}\n\n" for name, price in records))
    assert [card.name for card in cards] == [*EIGHT]
    costs = [dict(card.other).get("cost", "") for card in cards]
    assert costs == [price.strip(" ()") for price in prices]


def test_paragraphs_of_two_are_no_names() -> None:
    """Where many cards go on in a second paragraph, its first words are none."""
    more = "Nobody knows: it may be worse."
    records = (f"{name} ({n} sous): {TEXT}\n\n{more}\n\n" for n, name in enumerate(EIGHT, 1))
    assert list_names("".join(records)) == [*EIGHT]


def test_codes_in_brackets_are_no_part_of_names() -> None:
    records = (f"[E{n:02}] {name}\n{TEXT}\n\n" for n, name in enumerate(EIGHT, 1))
    assert list_names("".join(records)) == [*EIGHT]


def test_a_remark_of_somebody_below_the_last_card() -> None:
    records = [f"{name}: {TEXT}\n" for name in EIGHT]
    said = "\nOpmerking van de maker: the wolf is gone, for nobody liked it.\n"
    assert list_names("".join(records) + said) == [*EIGHT]
