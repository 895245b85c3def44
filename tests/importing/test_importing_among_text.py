"""Cards among text that is none of theirs: names that somebody points at, tables, forums, notes."""

from __future__ import annotations

import pytest
from conftest import Project

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.importer import import_files
from cardgen.importing.model import Pointed
from cardgen.importing.reading.text import read_text_blocks

PROSE = "".join(
    f"\n## Part {n} of it?\n\nThis tells of {n} things that it can do.\n" for n in "1234"
)
README = f"""# Card Maker

{PROSE}
It uses these:

* Name
* Copies
* Text

| Name | {{head}} | Text | Odds |
|---|---|---|---|
| Oracle | 1 | Point at a player once in each night of the game. | 14% |
| Hound | 2 | Wake, and bite somebody of the village. | 29% |
| Miller | 4 | Sleep, and hope for the best. | |

As the program wants it:

```csv
Name,Copies,Text
Oracle,1,Point at a player once in each night of the game.
Hound,2,Wake and bite somebody of the village.
Miller,4,Sleep and hope for the best.
```
{PROSE}"""


@pytest.mark.parametrize(("head", "pointed"), [("Copies", ()), ("Moons", ("Hound", "Miller"))])
def test_a_table_in_a_readme(project: Project, head: str, pointed: tuple[str, ...]) -> None:
    """One that counts copies is of cards; what is said again of its rows is none of theirs."""
    project.write("README.md", README.format(head=head))
    (oracle, *others) = import_files(["README.md"], pointed=Pointed(pointed)).cards
    assert [card.name for card in others] == ["Hound", "Miller"]
    assert oracle.text == "Point at a player once in each night of the game."


def find(text: str, *names: str) -> list[str]:
    found = recognise(read_text_blocks(text, "a.txt"), Pointed(names))
    assert not found.lacking
    return [card.name for card in found.cards]


def test_a_name_on_two_lines_before_what_it_costs() -> None:
    text = "".join(
        f"{name} Leader only 70 pts\nThe first order that he gives is heeded by all.\n\n"
        for name in ("KEY OF WAL-\nDEN", "CROWN OF\nTIN", "LONG DRUM", "WET BOOTS")
    )
    assert find(text, "Key of Walden", "Crown of Tin") == [
        *("Key of Walden", "Crown of Tin", "Long Drum", "Wet Boots")
    ]


def test_a_name_above_a_row_of_labels() -> None:
    """What stands above rows of figures is no cell of a table."""
    names = ("GREY HAULER", "TIN WASP", "OLD MARGUERITE", "SAND PUNT", "DOUBLE BARROW", "SLEDGE")
    text = "".join(
        f"{name}\nSpeed: {n + 3}   Hull: {n * 4}   Fuel: {9 - n}   Seats: {n}\n"
        f"It may carry a piano.{' Anyone who asks it must walk there.' * (n % 2)}\n\n"
        for n, name in enumerate(names)
    )
    text = text.replace("DOUBLE", f"ROADS OF RUST{' ' * 20}-  42  -\n\nDOUBLE")
    assert len(find(text, "Double Barrow", "Sledge")) == 6


def test_one_name_in_a_table_and_one_outside() -> None:
    table = "| Item | Pts | What |\n|---|---|---|\n| Lead Boots | 5 | It walks slowly. |\n"
    table += "| Iron Hat | 7 | It hears nothing that is said. |\n| Tin Cup | 9 | It drinks. |\n"
    text = "\n".join(
        f"{name} (x2)\nMove a unit before the first turn.\n" for name in ("FOG", "DUSK")
    )
    names = find(f"{table}\n{text}", "Fog", "Iron Hat")
    assert names[:3] == ["Lead Boots", "Iron Hat", "Tin Cup"]
    assert "Fog" in names


def test_a_row_that_is_short_between_rows_on_several_lines() -> None:
    rows = {
        "Wet Bucket": ("Put out a bin on fire without", "any help."),
        "Long Hose": ("Hold it for three turns and do", "not fall."),
        "Cat": ("Take one off a tree, which the", "cat has to agree to."),
        "Night Soup": ("Feed the whole station when it", "comes home."),
        "Nest": ("Take it away.", ""),
        "Old Cart": ("Win a game with the cart of the", "year 1931."),
        "Ball": ("Make the mayor dance.", ""),
        "Silence": ("Win a game without a word said", "at the table."),
        "Last Out": ("Leave the house behind all the", "others, and the dog."),
    }
    text = f"  {'Badge':14}Pts   {'How to get it':34}Colour\n"
    text += f"  {'-' * 12}  ----  {'-' * 32}  ------\n"
    for points, (name, (first, second)) in enumerate(rows.items(), 10):
        text += "\n" * (points % 2)  # between some of them
        text += f"  {name:14}{points:<6}{first:34}red\n" + (f"{'':22}{second}\n" if second else "")
    assert find(text) == [*rows]


# What is said between cards

EVENTS = {
    f"{n}) {name} (x{n % 2 + 1})": f"When: {when}\nPay a coin for it, or take two from somebody."
    for n, (name, when) in enumerate(
        {"Runaway Cheese": "noon", "The mayor is late": "dusk", "Tax Day": "dawn", "Fog": "dusk",
         "Roof Season": "noon", "Duel": "rain"}.items(), 1)
}  # fmt: skip


def test_what_a_forum_says_between_cards_is_none_of_theirs() -> None:
    """And a name with a number before it, and how many there are behind, may have a verb."""
    text = ""
    for place, (name, told) in enumerate(EVENTS.items()):
        text += f"{name}\n{told}\n\n"
        if place == 3:
            text += (
                "Mother Grice\n\nThe best I have read.\n\nMore of it!\n\nWick\n\nHere is more.\n\n"
            )
    text += "That is all of it.\n\n_________\nAll is odd.\n"
    cards = recognise(read_text_blocks(text, "a.txt")).cards
    assert [card.name for card in cards] == [
        *("Runaway Cheese", "The mayor is late", "Tax Day", "Fog", "Roof Season", "Duel")
    ]
    assert {card.text for card in cards} == {EVENTS["3) Tax Day (x2)"].split("\n")[1]}


def test_small_tables_with_a_label_in_each_row_are_fields() -> None:
    """A sign of a wiki sets the labels off."""
    text = "".join(
        f"==== {name} ====\n^ Heft | {n} lot |\n^ Wear | {n + 2} |\n^ Found | {where} |\n\n"
        "Nobody sees who carries it.\n\n"
        for n, (name, where) in enumerate(
            {"Wallet": "Inn", "Hood": "Keep", "Boots": "Mill"}.items()
        )
    )
    for written in (text, text.replace("\n^ ", "\n| ")):
        cards = recognise(read_text_blocks(written, "a.txt")).cards
        assert [card.name for card in cards] == ["Wallet", "Hood", "Boots"]
        stats = {"Heft": "1 lot", "Wear": "3", "Found": "Keep"}
        assert dict(cards[1].other) == {"stats": stats}


def test_stat_blocks_of_notes_are_cards() -> None:
    text = "# Marsh\n\nWords of mine.\n" + "".join(
        f"\n```statblock\nname: {name}\nsize: small\nhp: {hp}\ntraits:\n  - name: Still\n"
        '    desc: "Nobody sees it."\n```\n'
        for name, hp in {"Mud Heron": 22, "Reed Cat": 9, "Bog Lamp": 3}.items()
    )
    cards = recognise(read_text_blocks(text, "a.md")).cards
    assert [card.name for card in cards] == ["Mud Heron", "Reed Cat", "Bog Lamp"]
    assert dict(cards[0].other) == {"size": "small", "hp": "22"}
    assert "**Still.** Nobody sees it." in cards[0].text


def test_what_notes_frame_is_a_card_by_its_title() -> None:
    text = "# Cellar\n\n> [!info]\n> Each frame is a card.\n\n## Tools\n\n"
    for name, cost in (("Lantern Oil", 3), ("Salt Line", 1), ("Loose Stair", 2)):
        text += f"> [!card]- {name}\n> **Cost:** {cost}\n>\n> It falls {cost} floors.\n\n"
    found = recognise(read_text_blocks(text, "a.md"), Pointed())
    assert [card.name for card in found.cards] == ["Lantern Oil", "Salt Line", "Loose Stair"]
    assert [card.text for card in found.cards] == [f"It falls {n} floors." for n in (3, 1, 2)]


def test_a_row_whose_first_cell_is_empty_is_none_of_the_header() -> None:
    text = "| 1d10 | Salve | Usage | Effects |\n|---|---|---|---|\n"
    for number, name in (("", "Wary nettle"), ("", "Anti-magic smoke"), ("1", "Poultice")):
        text += f"| {number} | {name} | 1 action | Puts {name} to sleep for a round. |\n"
    cards = recognise(read_text_blocks(text, "a.md")).cards
    assert [card.name for card in cards] == ["Wary nettle", "Anti-magic smoke", "Poultice"]
