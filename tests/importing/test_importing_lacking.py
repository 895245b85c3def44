"""Names that lack what all others of a text state, and codes before names."""

from __future__ import annotations

from finding_cards import EIGHT, TEXT, list_names, read_cards

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.kinds import find_kind
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.sources import Source, read_blocks
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.tables.files import read_records
from cardgen.importing.tables.records import ALL_COLUMNS
from cardgen.importing.tables.records import read_cards as load_cards
from cardgen.importing.write import make_cards

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


def test_labels_that_take_turns_within_paragraphs() -> None:
    said = "Seen: A man digs. He sings of {n} men. Upright: Hope, of {n} sorts. Reversed: Greed."
    cards = read_cards("".join(f"{name}\n{said}\n\n".format(n=n) for n, name in enumerate(EIGHT)))
    assert [card.name for card in cards] == [*EIGHT]
    assert dict(cards[4].other)["upright"] == "Hope, of 4 sorts"
    assert cards[4].text == "Seen: A man digs. He sings of 4 men."


# Markup


def test_pictures_in_headings_and_texts() -> None:
    """A heading has none, and a text says what they show."""
    text = "".join(
        f"#### {name} (![act](/pictures/{n}.png))\n\nIt costs ![one act](a.png){{width=2}}. {TEXT}"
        f" <mark>Page {n}</mark>\n\n"
        for n, name in enumerate(EIGHT)
    )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert cards[2].text == f"It costs one act. {TEXT} Page 2"


def test_rows_that_begin_without_capitals_are_rows_of_their_own() -> None:
    rows = "".join(f"|-\n| ''{name.lower()}''\n| a game for two of them, {n} at a time\n"
                   for n, name in enumerate(EIGHT, 1))  # fmt: skip
    cards = read_cards(f'== Words ==\n{{| class="wide"\n! Word !! Meaning\n{rows}|}}\n')
    assert [card.name for card in cards] == [name.lower() for name in EIGHT]


def read_data(text: str, name: str) -> tuple[Candidate, ...]:
    source = Source(name, find_kind(text.encode(), name, name), text.encode())
    return load_cards(read_records(source, ALL_COLUMNS), ALL_COLUMNS, name).cards


def test_words_set_off_in_data_are_no_loss() -> None:
    """Text around words that are set off stays, and an attribute stands beside its text."""
    cards = read_data(
        "<cards>" + "".join(
            f'<card><title wide="true"><em>{name}!</em> No. {n}</title>'
            f"<text>Speak <em>very</em> slowly.</text></card>" for n, name in enumerate(EIGHT)
        ) + "</cards>", "a.xml"
    )  # fmt: skip
    assert [card.name for card in cards] == [f"{name}! No. {n}" for n, name in enumerate(EIGHT)]
    assert {card.text for card in cards} == {"Speak *very* slowly."}


def test_a_text_beside_an_effect_of_a_word() -> None:
    rows = ", ".join(
        f'{{"name": "{name}", "effect": "Fire {n}", "description": "{TEXT}"}}'
        for n, name in enumerate(EIGHT)
    )
    cards = read_data(f"[{rows}]", "a.json")
    assert {card.text for card in cards} == {TEXT}
    assert [dict(card.other)["effect"] for card in cards][:2] == ["Fire 0", "Fire 1"]


def test_a_name_above_other_lines_in_its_cell() -> None:
    rows = "".join(
        f"<tr><td><b>{name}</b><br/>{n} coins<br/>Dropped by a fox</td><td>{n * 3}</td></tr>"
        for n, name in enumerate(EIGHT, 1)
    )
    page = f"<html><body><table><tr><th>Item</th><th>Power</th></tr>{rows}</table></body></html>"
    source = Source("a.html", "html", page.encode())
    cards = recognise(read_blocks(source)).cards
    assert [card.name for card in cards] == [*EIGHT]


def test_terms_of_asciidoc_of_any_length() -> None:
    long = "ISSN (International Standard Serial Number of Periodicals)"
    names = (*EIGHT[:4], long, *EIGHT[4:])
    text = "= Words\n\n" + "".join(f"[[a{n}]]{name}::\n  {TEXT}\n" for n, name in enumerate(names))
    cards = recognise(read_text_blocks(turn_markup(text, "a.adoc"), "a.adoc")).cards
    assert [card.name for card in cards] == [*names]
    assert {card.text for card in cards} == {TEXT}


def test_a_colour_that_is_none_is_another_field() -> None:
    rows = ", ".join(
        f'{{"name": "{n}", "colour": "{c}"}}' for n, c in zip(EIGHT, "WUBRGWUB", strict=True)
    )
    cards = read_data(f"[{rows}]", "a.json")
    assert [card["colours"] for card in make_cards(cards)] == [*"WUBRGWUB"]
    drawn = read_data('[{"name": "A", "colour": "Red"}, {"name": "B", "colour": "#0af"}]', "a.json")
    assert [card["colour"] for card in make_cards(drawn)] == ["Red", "#0af"]


def test_titles_in_capitals_that_begin_with_one_word_are_whole() -> None:
    """A chapter's number stands above each, which is a word with a value, too."""
    titles = ("GAMES SITTING DOWN", "GAMES STANDING UP", "GAMES IN THE DARK")
    parts = (EIGHT[:1], EIGHT[1:3], EIGHT[3:6])
    numbers = iter(range(1, 9))
    text = "".join(
        f"CHAPTER {'I' * len(part)}.\n\n{title}\n\n\n"
        + "".join(f"{next(numbers)}. {name}.\n\n{TEXT}\n\n" for name in part)
        for title, part in zip(titles, parts, strict=True)
    )
    kinds = [card.kind for card in read_cards(text)]
    first, second, third = "Games Sitting Down", "Games Standing Up", "Games in the Dark"
    assert kinds == [first, second, second, third, third, third]


def test_who_may_have_a_card_where_all_stands_on_others() -> None:
    said = ("Lotsen", "alle", "Lotsen und Kuriere", "Schmuggler")
    text = "".join(
        f"**{name}** ({n} Taler, {said[n % 4]}). Der Ballon hält sofort an, auch bei Sturm.\n\n"
        for n, name in enumerate(EIGHT)
    )
    cards = read_cards(f"# Ein Korb\n\n{text}", suffix="md")
    assert [card.who for card in cards][:4] == [
        "Lotsen",
        "Alle",
        "Lotsen und Kuriere",
        "Schmuggler",
    ]


def test_a_name_that_ends_with_a_small_word_before_a_price() -> None:
    names = (*EIGHT[:5], "Lamp, clip on", *EIGHT[5:])
    text = "".join(f"{name} - {n} ch - {TEXT}\n" for n, name in enumerate(names, 2))
    assert list_names(text) == [*names]
