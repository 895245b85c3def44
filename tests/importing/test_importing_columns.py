"""Columns side by side in a text: what was laid in columns is read one column after the other."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import examples

from cardgen.importing.reading.columns import order_columns
from cardgen.importing.reading.text import read_text_blocks

FOLDER = Path(__file__).parent / "texts"
WORDS = re.findall(
    r"\w+",
    "the unit a may roll its dice once in battle and each enemy stand that was hit turns about "
    "before another charge of cavalry cannot be seen from walls where banners hang over gates",
)


def read(text: str) -> list[str]:
    return [line.text for line in order_columns(text.split("\n"))]


def list_words(lines: Sequence[str]) -> list[str]:
    return " ".join(lines).replace("\f", " ").split()


def lay(columns: Sequence[Sequence[str]], starts: Sequence[int]) -> list[str]:
    """Columns of lines side by side, each from its place on."""
    rows = []
    for cells in zip_longest(*columns, fillvalue=""):
        row = ""
        for cell, start in zip(cells, starts, strict=True):
            row = row.ljust(start) + cell if cell else row
        rows.append(row)
    return rows


# Whatever the columns


def draw_paragraphs(draw: st.DrawFn, width: int, chance: Random) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(2, 4))):
        words = chance.choices(WORDS, k=draw(st.integers(24, 50)))
        set_in = draw(st.booleans())
        indent = "   " if lines and set_in else ""
        sentence = f"{' '.join(words).capitalize()}."
        if lines and not indent:
            lines.append("")
        lines += textwrap.wrap(sentence, width, initial_indent=indent)
    return lines


@st.composite
def pages(draw: st.DrawFn) -> tuple[str, list[str]]:
    """Pages of a text in columns, and its words as they are read."""
    count = draw(st.integers(2, 3))
    width = draw(st.integers(30, 44))
    fed = draw(st.booleans())
    chance = Random(draw(st.integers(0, 9999)))
    shown: list[str] = []
    words: list[str] = []
    for number in range(draw(st.integers(1, 3))):
        gutter = draw(st.integers(2, 9))
        starts = [place * (width + gutter) for place in range(count)]
        page = list(draw_band(draw, starts, width, chance, words))
        if draw(st.booleans()):
            title = "How the banners of the old kings were carried over the hills".upper()
            page += ["", title.center(starts[-1] + width).rstrip(), ""]
            words += title.split()
            page += draw_band(draw, starts, width, chance, words)
        page += ["", str(number + 11).rjust((starts[-1] + width) // 2), ""]
        words.append(str(number + 11))
        page[0] = "\f" * (fed and number > 0) + page[0]
        shown += page
    return "\n".join(shown), words


def draw_band(
    draw: st.DrawFn, starts: Sequence[int], width: int, chance: Random, words: list[str]
) -> Iterator[str]:
    columns = [
        [""] * draw(st.integers(0, 2)) + draw_paragraphs(draw, width, chance)
        for _ in range(len(starts))
    ]
    words += [word for column in columns for word in list_words(column)]
    yield from lay(columns, starts)


@settings(examples(40), suppress_health_check=list(HealthCheck))
@given(pages())
def test_the_words_come_in_order(laid: tuple[str, list[str]]) -> None:
    text, words = laid
    lines = text.split("\n")
    ordered = order_columns(lines)
    assert list_words([line.text for line in ordered]) == words, text
    assert all(line.text.strip() in lines[line.number - 1] for line in ordered)


@settings(examples(60), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**6))
def test_nothing_is_lost(seed: int) -> None:
    """Pieces of lines wherever they may stand, with tabs and form feeds among them."""
    chance = Random(seed)
    places = sorted(chance.sample(range(90), chance.randint(1, 5)))
    lines = []
    for _ in range(chance.randint(1, 50)):
        line = chance.choice(["", "", "", "", "", "\f"])
        for place in places:
            if chance.random() < 0.75:
                words = chance.choices([*WORDS, "+1", "20cm", "Cost:", "•"], k=chance.randint(1, 6))
                line = line.ljust(place + chance.choice([0, 0, 0, 1, 3])) + " ".join(words)
        lines.append(line + chance.choice(["", "", "", "", "\tend"]))
    ordered = order_columns(lines)
    assert Counter(list_words([line.text for line in ordered])) == Counter(list_words(lines))
    assert all(line.text.strip() in lines[line.number - 1] for line in ordered)


# What must be left as it is


IN_COLUMNS = (
    "two-columns.txt",
    "pdf-layout.txt",
    "expedition.txt",
    "crews-of-the-perihelion.txt",
    "triage-scenario-cards.txt",
    "tideway_layout.txt",
)
PLAIN = [
    path
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in (".txt", ".md") and path.name not in IN_COLUMNS
]


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.name)
def test_texts_without_columns_stay(path: Path) -> None:
    lines = path.read_text("utf-8", errors="replace").split("\n")
    assert [line.text for line in order_columns(lines)] == lines


LEFT_ALONE = {
    "prices": """\
Infantry           20cm
Cavalry            30cm
Heavy infantry     15cm
Great stone thrower of Ulm      10cm
Characters         60cm
""",
    "a table with an effect": """\
   Item                    Who             Effect
   Parrot of Lustria  20   General only    When an order of the General has
                                           failed, the parrot repeats it.
                                           Roll the test again with a penalty
                                           of -1. The parrot does not speak.

   Bottle with a      5    any character   A small boat can be set up
   ship in it                              anywhere on a river or on the sea.
                                           It carries one unit of infantry.

   Amulet of the      30   any Wizard      Choose an enemy unit within 30cm
   kraken                                  that stands in or beside water.
                                           Roll a dice for each of its
                                           stands: on a 6 it suffers one hit.
""",
    "a table in small letters": """\
  getnchannels()  -- returns number of audio channels, which is
                     one for mono and two for stereo sound
  getsampwidth()  -- returns the width of a sample in bytes as
                     the header of the file has given it
  getframerate()  -- returns the frequency of the samples
  getcomptype()   -- returns the type of compression that was
                     used for the file, or none if there is none
""",
    "options": """\
  -o FILE            write to FILE what would be written to the
                     screen, and nothing else
  --very-long-option
                     this text does not find room beside it and
                     begins below
  -b                 go back
""",
    "leaders": """\
               CONTENTS

Magic items . . . . . . . . . . . . .  12
Weapons of the old kings ...........   14
Devices of power .................     15
Spells of the colleges ...........     21
""",
    "code": """\
def march(unit, distance):      # how far it goes
    if unit.tired:              # and whether it may
        return 0                # go at all
    return distance             # in centimetres
""",
    "justified": """\
The  unit may  roll its  dice once  in the
battle,  and each  enemy stand that was hit
turns about  before another  charge of  the
cavalry.  Banners  cannot be seen from  the
walls  where  they  hang over  the gates of
the city,  and  nobody  looks for them now.
""",
    "facts": """\
CANNON
RANGE 60cm   ATTACK 1
HITS 2       ARMOUR 0
The cannon shoots at what it sees.

MORTAR
RANGE 90cm   ATTACK 2
HITS 2       ARMOUR 0
The mortar shoots at what it does not see.
""",
}


@pytest.mark.parametrize("text", LEFT_ALONE.values(), ids=LEFT_ALONE.keys())
def test_what_is_no_column(text: str) -> None:
    assert read(text) == text.split("\n")


# What is read


SWORD = [
    "In each round of combat the",
    "unit may roll one of its dice",
    "a second time, if it has",
    "failed.",
]
BOOTS = [
    "The character moves at half",
    "pace for the rest of the day,",
    "and everybody hears him",
    "come.",
]
CROWN = [
    "The General gives the first",
    "order of the turn at once,",
    "wherever the unit may be",
    "found.",
]


def test_gaps_and_indents() -> None:
    left = ["SWORD", *SWORD, "", "   A second paragraph of it", "that goes on.", "", "", "RING"]
    right = ["", "BOOTS", "", *BOOTS, "   Nobody is glad.", "", *CROWN]
    assert read("\n".join(lay([left, right], [0, 34]))) == [*left, "", *right[1:]]


def test_a_sentence_goes_on_in_the_next_column() -> None:
    rows = lay([[*SWORD, *BOOTS[:3]], [*BOOTS[3:], "", "CROWN", *CROWN]], [0, 34])
    assert read("\n".join(rows)) == [*SWORD, *BOOTS, "", "CROWN", *CROWN]


def test_blank_lines_of_uneven_columns_are_none() -> None:
    """Where the columns are not level, a line of one may stand between two of the other."""
    left = [line for one in [*SWORD, *BOOTS] for line in (one, "")]
    right = [line for one in [*CROWN, *SWORD] for line in ("", one)]
    kept = [line for line in read("\n".join(lay([left, right], [0, 34]))) if line]
    assert kept == [*SWORD, *BOOTS, *CROWN, *SWORD]
    assert read("\n".join(lay([left, right], [0, 34]))).count("") <= 3


def test_lines_across_part_bands() -> None:
    band = lay([SWORD, BOOTS], [0, 34])
    title = "          WEAPONS AND BOOTS OF THE NORTH"
    ordered = read("\n".join([*band, "", title, "", *band]))
    assert ordered == [*SWORD, "", *BOOTS, "", title, "", *SWORD, "", *BOOTS]


@pytest.mark.parametrize(
    "head",
    ["                              ***", "WARMASTER                                    64"],
)
def test_what_stands_in_the_gutter_is_in_no_column(head: str) -> None:
    band = lay([[*SWORD, "", *CROWN], [*BOOTS, "", *SWORD]], [0, 34])
    ordered = read("\n".join([*band, "", head, "", *band]))
    assert head in ordered
    assert ordered.index(head) == len(ordered) // 2


def test_running_heads_stay_above_their_page() -> None:
    band = lay([[*SWORD, "", *CROWN], [*BOOTS, "", *SWORD]], [0, 34])
    head = "WARMASTER                         MAGIC ITEMS"
    ordered = read("\n".join([head, "", *band, "\f" + head, "", *band]))
    assert [line for line in ordered if "WARMASTER" in line] == [head, "\f" + head]
    assert ordered[2] == SWORD[0]


def test_a_gutter_of_one_blank_between_wider_ones() -> None:
    left = [*SWORD, "", *BOOTS]
    left[1] = "unit may roll one of its five dice"
    rows = lay([left, [*CROWN, "", *SWORD]], [0, 35])
    assert rows[1].startswith("unit may roll one of its five dice order")
    assert read("\n".join(rows)) == [*left, "", *CROWN, "", *SWORD]


def test_a_list_in_two_columns() -> None:
    rows = [
        "+1 charging             -1 confused",
        "+1 uphill               -1 terrified",
        "+2 against the flank    -1 each stand lost",
        "                        -2 in a marsh",
    ]
    assert [line for line in read("\n".join(rows)) if line] == [
        "+1 charging",
        "+1 uphill",
        "+2 against the flank",
        "-1 confused",
        "-1 terrified",
        "-1 each stand lost",
        "-2 in a marsh",
    ]


def test_a_contents_page_in_two_columns() -> None:
    left = ["Introduction ......... 2", "Orders and blunders .. 6", "Shooting at a range .. 8"]
    right = ["Banners of a king .. 14", "Wands and staves ... 17", "Rings of power ..... 18"]
    assert read("\n".join(lay([left, right], [0, 30]))) == [*left, "", *right]


def test_the_report_knows_the_line() -> None:
    band = lay([["SWORD OF DAWN", *SWORD], ["BOOTS OF LEAD", *BOOTS]], [0, 34])
    blocks = read_text_blocks("\n".join(["Title of it", "", *band, "", *band]), "a.txt")
    assert [(block.text, block.place.line) for block in blocks if block.text.isupper()] == [
        ("SWORD OF DAWN", 3),
        ("SWORD OF DAWN", 9),
        ("BOOTS OF LEAD", 3),
        ("BOOTS OF LEAD", 9),
    ]
    other = lay([["BOOTS OF LEAD", *BOOTS], ["CROWN OF DUSK", *CROWN]], [0, 34])
    pages = read_text_blocks("\n".join([*band, "\f" + other[0], *other[1:]]), "a.txt")
    assert [(block.text, str(block.place)) for block in pages if block.text.isupper()] == [
        ("SWORD OF DAWN", "a.txt:1 (page 1)"),
        ("BOOTS OF LEAD", "a.txt:1 (page 1)"),
        ("BOOTS OF LEAD", "a.txt:6 (page 2)"),
        ("CROWN OF DUSK", "a.txt:6 (page 2)"),
    ]


def test_records_that_stand_beside_each_other_line_by_line() -> None:
    left = ["Goblin", "AC 13  HP 7", "It steals shoes.", "", "Wolf", "AC 12  HP 11",
            "It hunts in packs.", "", "Rat", "AC 10  HP 2", "It brings friends."]  # fmt: skip
    right = [line.replace("I", "There i") if line else "" for line in left]
    beside = [f"{one:40}{other}".rstrip() for one, other in zip(left, right, strict=True)]
    assert [line.text for line in order_columns(beside)] == [*left, "", *right]
