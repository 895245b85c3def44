"""Names that lack what all others of a text state, and codes before names."""

from __future__ import annotations

from finding_cards import EIGHT, TEXT, list_names, read_cards

TEXTS = tuple(f"{TEXT[:-1]}, or {n} days later." for n in range(1, 9))


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


def test_a_cost_among_torn_stats() -> None:
    """A scan tears words from values; the last is a cost's, and stands at a page's end."""
    text = """THE TRAIN

PETARD CREW
RANGE 5
ATTACKS 2
POINTS 35
Rolls for each of its attacks.

ROCKET
RANGE ATTACKS
60 3
POINTS
50
Rockets stray.

RIBALD
It shoots once.
20
6
45
RANGE
ATTACKS
POINTS

118

STONE BOW
RANGE
ATTACKS
45
2
POINTS
40
Each shot may be aimed.
"""
    cards = read_cards(text)
    assert [card.name for card in cards] == ["Petard Crew", "Rocket", "Ribald", "Stone Bow"]
    assert [card.cost for card in cards] == [35, 50, 45, 40]
    stats = [dict(card.other)["stats"] for card in cards]
    assert stats[2] == {"Range": "20", "Attacks": "6"}
    assert stats[3] == {"Range": "45", "Attacks": "2"}


# Data within texts


def test_rows_parted_by_commas_in_a_text() -> None:
    """Names of columns stand above rows of as many cells, some of them in quotes."""
    rows = [
        f'{name},"{text}",{n}\n' for n, (name, text) in enumerate(zip(EIGHT, TEXTS, strict=True))
    ]
    common, rare = "".join(rows[:5]), "".join(rows[5:])
    head = "Name,Card text,Power\n"
    chapters = f"[COMMON CARDS]\n{head}{common}\n[RARE CARDS]\n{head}{rare}"
    cards = read_cards(f"DECK LIST\n\nPrint it twice.\n\n{chapters}")
    assert [card.name for card in cards] == [*EIGHT]
    assert [card.text for card in cards] == [*TEXTS]
    assert [dict(card.other)["power"] for card in cards] == [*"01234567"]
    assert [card.kind for card in cards] == ["Common Cards"] * 5 + ["Rare Cards"] * 3


def test_rows_in_columns_parted_by_commas() -> None:
    """A quote, a stroke and wide gaps in a cell stand for themselves."""
    rows = "".join(f'{name},   {n},  ",  A | B   | C\n' for n, name in enumerate(EIGHT, 1))
    cards = read_cards(f"name,         level, sign, attributes\n{rows}")
    assert [card.name for card in cards] == [*EIGHT]
    assert {card.text for card in cards} == {"A | B | C"}
    assert dict(cards[2].other) == {"level": "3", "sign": '"'}


def test_sentences_with_commas_are_no_rows() -> None:
    said = "Take salt, oil, milk, honey"
    text = "".join(
        f"{name}\n{said}\nMix tea, rum, ice, mint\nAdd nuts, figs, corn, rice\n\n" for name in EIGHT
    )
    assert list_names(text) == [*EIGHT]


def test_labels_without_a_blank_behind_their_colons() -> None:
    records = (
        f"begin_monster:{name}\nsleep:{n}\ndescription:A beast. {TEXT}\narrive:It comes in\n\n"
        for n, name in enumerate(EIGHT, 1)
    )
    cards = read_cards("".join(records))
    assert [card.name for card in cards] == [*EIGHT]
    assert {card.text for card in cards} == {f"A beast. {TEXT}"}
    assert dict(cards[0].other) == {"sleep": "1", "arrive": "It comes in"}


def test_a_name_that_begins_with_a_stop() -> None:
    names = (".44 Magnum", *EIGHT)
    text = "".join(f"Name: {name}\nType: Tool\n{TEXT}\n\n" for name in names)
    assert list_names(text) == [*names]
    assert list_names(text, names[0], names[5]) == [*names]


def test_a_name_that_a_price_ends_on_the_next_line() -> None:
    lines = [f"{name} ({n} points)" for n, name in enumerate(EIGHT, 1)]
    lines[3] = "Long Nine\nin the Bow (4 points)"
    names = [*EIGHT[:3], "Long Nine in the Bow", *EIGHT[4:]]
    assert list_names("".join(f"{line}\n{TEXT}\n\n" for line in lines)) == names
