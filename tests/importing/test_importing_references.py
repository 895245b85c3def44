"""Rules references, lists and wiki pages as people publish them: what begins a card in each."""

from __future__ import annotations

import pytest
from finding_cards import list_names, read_cards

from cardgen.importing.finding.names import set_name
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.text import read_text_blocks

LABELS_WITH_SIGNS = """\
| Rings | magic |                    |
| :---: | :---: | :----------------- |
| B: d6 | X: d% | Ring               |
|   1   |  1-9  | Of soft rain       |
|       | 10-19 | Of the long nap    |
|   2   | 20-29 | Of cold soup       |

## Ring of Cold Soup

Any soup near the bearer is cold.

▶ **Reach:** Twelve paces.

▶ **Resist:** Not allowed.

## Ring of Soft Rain

It rains on the bearer, and on nobody else.

▶ **Reach:** The bearer alone.

▶ **Resist:** A roll for luck.

▶ **Duration:** An hour.

## Ring of the Long Nap

Whoever wears it sleeps well.

▶ **Resist:** Not allowed.

▶ **Duration:** Until noon.

## Ring of Kind Dogs

Dogs come when they are called.

▶ **Reach:** As far as one hears.

▶ **Duration:** An hour.
"""

TERMS = """\
<h1>Spells of the kitchen</h1>
<p>A spoon is needed for all of them.</p>
<h2>Low heat</h2>
<dl>
<dt>Honest Broth <em>(easy)</em></dt><dd>Who smells it cannot lie for a while.</dd>
<dt>Soup that waits <em>(normal)</em></dt><dd>The plate stays warm for a year and a day.</dd>
<dt>Sudden Boil <em>(easy)</em></dt><dd>A quart of water boils at once.</dd>
</dl>
<h2>Knives</h2>
<dl>
<dt>Even Strips <em>(easy)</em></dt><dd>Cuts any flag into strips of one width.</dd>
<dt>Salt of the Earth</dt><dd>No ghost walks across it.</dd>
<dt>Borrowed Edge <em>(hard)</em></dt><dd>The spoon cuts and the knife stirs.</dd>
</dl>
"""

SUITS = """\
## ♥️ Hearts

**Theme:** help

| Card | Effect |
|------|--------|
| 2♥ | Draw a card and keep it until the next round. |
| 3♥ | Your neighbour on the left may draw a card. |
| 4♥ | Nobody may take anything from you this round. |

## ♠️ Spades

**Theme:** harm

| Card | Effect |
|------|--------|
| 2♠ | Look at the hand of the player on your left. |
| 3♠ | Somebody of your choice discards a card. |
| 4♠ | Take two points from the player in the lead. |
"""

HOW_AND_WHY = """\
# Rules of Thumb

## Sleep on It

Nothing that is written at midnight is sent at midnight.

Why

- The night makes [everything larger][1], and nobody is there to say that it is not so.
- Those who read it in the morning do not know how late it was, nor how dark.

How

- Close the lid, put out the lamp, and say aloud that it can wait until tomorrow.
- Those who cannot wait write it on paper and burn it.

## One Thing at a Time

Two pots boil over, one does not.

Why

- There is [one cook][2] only, and he has two eyes that look at the same thing.
- What is done by halves twice is not done once.

How

- Look at the pot, and at nothing else, until somebody has taken it off the fire.
- Leave the other pot empty for as long as that takes.

## Ask First

A question costs a minute, a wrong wall a month.

Why

- Walls are heavy, and those who carried the stones have to carry them back.
- Whoever was asked cannot complain of it later.

How

- Ask twice, once in the evening and once in the morning, and write down both.
- Ask somebody who has built one already.

[1]: https://example.org/night
[2]: https://example.org/cook
"""

QUESTIONS = """\
## Questions on method

#### Q1. Who decides what the crew does on the first day, when the harbour master is away and \
the tide is not yet known to anybody on board?

- [ ] the cook
- [x] the crew

#### Q2. What is a tide?

- [x] water that comes and goes
- [ ] a kind of knot

#### Q3. A sailor tells you that another ship needs him for a few days, and that he would \
rather stay where he is for the rest of the voyage. What do you do?

- [x] ask the other ship
- [ ] ask the moon
"""

NUMBERED = """\
Miss Alder - Spring term
WORD CARDS AND QUIZ CARDS

PART A - WORDS

1. meander (noun)
A wide bend in a river.
Example: It took an hour to round the meander.

2. erode (verb)
To wear away rock little by little.
Example: Winter floods erode the bank.

3. silt (noun)
Very fine mud that water carries along.

4. estuary (noun)
The wide mouth of a river.
Example: Geese spend the winter on the estuary.

PART B - QUIZ

5. Where does a river begin?
Answer: At its source
Level: easy

6. Which side of a bend is deeper?
Answer: The outside
Level: medium

7. What is a lake that a bend left behind?
Answer: An oxbow lake
Level: hard
"""

STATS_ALONE = """\
Beasts of the Shore

Sand Pike
 STR   AGI   HP
 12    9     14
Three waves run before it wherever it swims.

Lamp Toad
 STR   AGI   HP
 2     14    3
It swallows lamps and shines until morning.

Reed Wife
 STR   AGI   HP
 9     11    20
She counts all who pass, and looks for those who lack.

Beasts of the Air

Crow, great
 STR   AGI   HP
 4     15    6
It steals what glitters.

Bog Owl
 STR   AGI   HP
 7     13    10
One hears it when it is gone.

Storm Fly
 STR   AGI   HP
 5     18    8
It comes closer to iron.

Beasts of the Deep
   . :
Pit Hound
 STR   AGI   HP
 13    10    18
It smells fear at twenty paces.

Root Man
 STR   AGI   HP
 3     12    5
It scolds whoever pulls it out.
"""


def read_page(page: str) -> tuple[Candidate, ...]:
    return recognise(read_html_blocks(f"<html>{page}</html>", "page.html", 1000)).cards


def test_labels_with_a_sign_before_them_are_no_names_of_their_own() -> None:
    rings = ["Ring of Cold Soup", "Ring of Soft Rain", "Ring of the Long Nap", "Ring of Kind Dogs"]
    cards = read_cards(LABELS_WITH_SIGNS, suffix="md")
    assert [card.name for card in cards] == rings
    assert dict(cards[0].other) == {"reach": "Twelve paces.", "resist": "Not allowed."}


def test_all_terms_of_a_list_are_names_whatever_is_slanted_behind_them() -> None:
    cards = read_page(TERMS)
    assert [(card.name, card.kind) for card in cards] == [
        ("Honest Broth", "Low heat"), ("Soup that waits", "Low heat"),
        ("Sudden Boil", "Low heat"), ("Even Strips", "Knives"),
        ("Salt of the Earth", "Knives"), ("Borrowed Edge", "Knives"),
    ]  # fmt: skip
    assert dict(cards[0].other)["subtitle"] == "easy"


def test_cards_may_be_called_by_their_suit() -> None:
    cards = read_cards(SUITS, suffix="md")
    assert [card.name for card in cards] == ["2♥", "3♥", "4♥", "2♠", "3♠", "4♠"]
    assert {card.kind for card in cards} == {"♥️ Hearts", "♠️ Spades"}


def test_headings_within_cards_stay_where_they_are_and_links_lose_their_numbers() -> None:
    cards = read_cards(HOW_AND_WHY, suffix="md")
    assert [card.name for card in cards] == ["Sleep on It", "One Thing at a Time", "Ask First"]
    said = cards[0].text.split("\n\n")
    assert [line[:30] for line in said] == [
        "Nothing that is written at mid", "Why", "• The night makes everything l",
        "• Those who read it in the mor", "How", "• Close the lid, put out the l",
        "• Those who cannot wait write ",
    ]  # fmt: skip


@pytest.mark.parametrize("shown", [(), ("What is a tide?", "Q3")])
def test_questions_of_any_length_are_names_where_they_are_headings(shown: tuple[str, ...]) -> None:
    names = [line[9:] for line in QUESTIONS.splitlines() if line.startswith("####")]
    pointed = [name for name in names if name in shown or (shown and name.startswith("A sailor"))]
    assert list_names(QUESTIONS, *pointed, suffix="md") == names


def test_what_is_numbered_on_in_two_parts_is_one_list_of_names() -> None:
    assert list_names(NUMBERED) == [
        "meander", "erode", "silt", "estuary", "Where does a river begin?",
        "Which side of a bend is deeper?", "What is a lake that a bend left behind?",
    ]  # fmt: skip


def test_titles_that_stand_alone_above_names_are_no_names() -> None:
    assert list_names(STATS_ALONE) == [
        "Sand Pike", "Lamp Toad", "Reed Wife", "Crow, great", "Bog Owl", "Storm Fly",
        "Pit Hound", "Root Man",
    ]  # fmt: skip


CHAPTERS_AMONG_NAMES = """\
# Odd things

### From the Attic
### Wet Candle, 3 charges
- It burns under water. Whoever holds it coughs.
- **Recharge**: Leave it in the rain.

### Mouse Bell, 1 use
- All mice within hearing fall asleep.

### Long Spoon, 2 charges
- It reaches any plate in the room.
- **Recharge**: Wash it.

### From the Cellar
### Stone Sock, 3 uses
- Whoever wears it cannot be moved, nor walk.

### Old Key
- It opens what it did not close.
- **Recharge**: Lose it for a day.

### Jar of Dusk, 2 uses
- When it is opened, evening comes.
"""


def test_chapters_printed_as_names_are_are_kinds() -> None:
    cards = read_cards(CHAPTERS_AMONG_NAMES, suffix="md")
    assert [(card.name, card.kind) for card in cards] == [
        ("Wet Candle", "From the Attic"), ("Mouse Bell", "From the Attic"),
        ("Long Spoon", "From the Attic"), ("Stone Sock", "From the Cellar"),
        ("Old Key", "From the Cellar"), ("Jar of Dusk", "From the Cellar"),
    ]  # fmt: skip


def test_three_headings_beside_a_table_of_cards_are_cards() -> None:
    text = """\
# sewer

## Goods

| Item | Price | Effect |
|------|------:|--------|
| Lamp oil | 8g | Refills a lamp, or burns a small area when it is thrown. |
| Rat jerky | 2g | Restores all hunger for an hour and a half. |
| Clear water | 5g | Heals three wounds and washes off the slime. |

## Relics

### The Blind Eel

You see one step far, but sense all that moves on the floor.

### Cork of the World

Nothing can follow you through a stair that is plugged with it.

### Old Map

Each floor that you have seen is mirrored when you come back.
"""
    assert list_names(text, suffix="md")[3:] == ["The Blind Eel", "Cork of the World", "Old Map"]


def test_labels_in_boxes_of_a_wiki_stand_beside_their_values() -> None:
    boxes = "".join(
        f"<h2>{name}</h2><aside>"
        f'<div class="pi-item"><h3 class="pi-data-label">Element</h3>'
        f'<div class="pi-data-value">{element}</div></div></aside><p>{text}</p>'
        for name, element, text in (
            ("Old Reed", "Wood", "All allies in the reeds are healed at dusk."),
            ("Sunk Bell", "Metal", "It rings whenever its bearer falls down."),
            ("Peat Hound", "Earth", "The bearer leaves no tracks behind at all."),
        )
    )
    cards = read_page(f"<h1>Spirits</h1>{boxes}")
    assert [dict(card.other) for card in cards] == [
        {"element": "Wood"}, {"element": "Metal"}, {"element": "Earth"},
    ]  # fmt: skip


def test_figures_of_a_table_are_no_second_column_of_a_page() -> None:
    text = """\
ENCOUNTERS (d20)

Each foe is beaten when its life is gone, and never before that.

d20    Name                 Life   Might   Loot
1-3    Lantern Thief        2      3       1 torch
4-6    Tomb Gander          3      4       none
7-9    Hollow Squire        4      5       rusty sword
10-12  Weeping Jailer       5      4       ring of keys
13-14  Candle Wight         6      6       3 torches
15-20  Your Own Shadow      8      8       1 scruple
"""
    cards = read_cards(text)
    assert [card.name for card in cards][:2] == ["Lantern Thief", "Tomb Gander"]
    assert len(cards) == 6


def test_what_stands_in_an_introduction_or_an_appendix_is_no_card() -> None:
    moves = "".join(
        f"### {name}\n\nWhen you do it in the rain, roll. On a six nobody is wet.\n\n"
        for name in ("Keep the Light", "Row Out", "Lend a Hand", "Read the Water")
    )
    text = f"""\
# Keepers

## Introduction

### What you need

Two dice, a lamp and an evening without a telephone.

## Moves

{moves}## Appendix A: The Jar

### The Last Night

When the jar is empty, everybody tells how it ended.
"""
    assert list_names(text, suffix="md") == [
        "Keep the Light", "Row Out", "Lend a Hand", "Read the Water",
    ]  # fmt: skip


def test_a_rolled_table_beside_one_that_names_its_names_holds_cards_too() -> None:
    text = """\
## Lost Things

| d4 | Item | What it does |
|:--:|------|--------------|
| 1 | **Wet Umbrella** | Never dries. Opened indoors, it rains under it. |
| 2 | **Half a Sandwich** | It is still warm, and somebody has bitten into it. |
| 3 | **Bag of Keys** | One of them opens it. Trying all of them takes an hour. |
| 4 | **Violin Case** | Contains no violin. Contains, on Thursdays, a violin. |

## The Owners

| d3 | Who | |
|:--:|-----|--|
| 1 | **The Tall Nurse** | She can patch you up, but asks you to hold something. |
| 2 | **The Busker** | Plays what you are about to do, and what comes of it. |
| 3 | **The Sleeper** | Things are quiet for as long as nobody wakes him up. |
"""
    assert list_names(text, suffix="md")[-3:] == ["The Tall Nurse", "The Busker", "The Sleeper"]


def test_what_is_in_brackets_behind_names_is_their_subtitle_though_some_words_come_again() -> None:
    stunts = (
        ("Bloodletting", "Medicine 12, Persuasion 10"), ("Ace", "Fingers 12, Charm 8"),
        ("Analysis", "Tracks 12, Insight 8"), ("Smile", "Charm 14, Gossip 12"),
        ("Antiquary", "Sight 14, Geography 10"), ("Dance", "Charm 10, Fingers 9"),
        ("Tinker", "Repair 14, Fancy 8"), ("Trick", "Fingers 10, Nails 9"),
        ("Long Oar", "Rowing 11, Patience 9"), ("Deep Breath", "Diving 10, Calm 8"),
        ("Old Song", "Music 11, Memory 9"), ("Cold Hand", "Cards 12, Nerve 10"),
        ("Slow Walk", "Stealth 9, Balance 8"), ("Loud Word", "Voice 12, Anger 9"),
    )  # fmt: skip
    text = "".join(
        f"**{name}** ({needs}): The bearer may roll once more, and keeps the better one.\n\n"
        for name, needs in stunts
    )
    cards = read_cards(f"# Stunts\n\n{text}", suffix="md")
    assert [(card.name, dict(card.other).get("subtitle")) for card in cards] == list(stunts)


def test_anchors_and_roles_of_asciidoc_are_no_part_of_names() -> None:
    text = """\
== Index of patterns

. *<<Anticorruption-Layer>>*
+
Isolate clients from changes within modules.
Category: <<Improve>>
+

. [[Architecture-Backlog]]
[pattern]#Architecture Backlog#::
Keep a list of what can be made better, with its costs.
Category: <<Improve>>
+

. [[Assertions]]
[pattern]#Assertions#:: Say in the program what must hold, so that it stops early.
Category: <<Improve>>
+

. *<<ATAM>>*
+
Find risks and compromises with those who want the system.
Category: <<Analyze>>
+
"""
    cards = recognise(read_text_blocks(turn_markup(text, "a.adoc"), "a.adoc")).cards
    assert [card.name for card in cards] == [
        "Anticorruption-Layer", "Architecture Backlog", "Assertions", "ATAM",
    ]  # fmt: skip
    assert [card.kind for card in cards] == ["Improve", "Improve", "Improve", "Analyze"]


def test_a_word_with_a_dash_that_most_names_begin_with_is_a_part_of_them() -> None:
    names = ["Alchemy (General)", "Alchemy - Acid", "Alchemy - Black Face", "Alchemy - Fog"]
    text = "".join(
        f"### {name}\n\nIt can be made in an hour, and lasts a day.\n\n" for name in names
    )
    assert list_names(f"## Skills\n\n{text}", suffix="md")[1:] == names[1:]


def test_a_letter_that_numbers_a_chapter_stays_large() -> None:
    assert set_name("PART A - WORD CARDS") == "Part A - Word Cards"
    assert set_name("SWORD OF A THIEF") == "Sword of a Thief"
    assert set_name("LAST OF THE - OLD") == "Last of the - Old"
