"""What follows from names that somebody shows in a text."""

from __future__ import annotations

from finding_cards import list_names

PEOPLE = """\
kettle row, people they can meet
for lena only (do not read this)

osric vane, the mayor
  pays too quickly. has sold the common and cannot say to whom.
  wants: the contract burned
tilda
  keeps the inn and keeps quiet. knows every guest by their boots.
  wants: one night off
brother hame, gravedigger
  a cheerful man. the graves are a foot too shallow, on purpose.
  wants: company
doctor rusk, physician
  new in town, clean hands, no patients. buys teeth.
  wants: to be invited to dinner
sweet marjory
  a cow. it stands where the secret door is.
  wants: turnips
"""

ROLES = """\
1) Adelheid, die Bäckerin
Alter: 41
Besitz: 14 Pfennig
Du stehst seit vier Uhr am Ofen und bist müde.

2) Konrad Steinhauer, Ratsherr
Alter: 55
Besitz: 3 Gulden
Du sitzt seit zwölf Jahren im Rat und kennst jeden Stein der Mauer.

3) Ritter Eberhard von der Aue, Burgherr
Alter: 38
Besitz: ein Pferd
Du brauchst Geld für den Feldzug und willst den Zoll erhöhen.

4) Peter Kraushaar, Lehrling beim Schmied
Alter: 13
Besitz: nichts
Du hast einen Nagel gestohlen und hoffst, dass es niemand merkt.
"""

SEVERAL_FORMS = """\
# Reed & Ruin

- [How to play](#how-to-play)
- [Cards](#cards)
- [Printing](#printing)

## How to play

1. Everybody takes a Leaky Dinghy and 5 coral.
2. On your turn, do two of: *sail*, *hire*, *dive*.

Depth and difficulty:

| Depth | Target roll | Pearls |
|-------|-------------|--------|
| Shallows | 4+ | 1 |
| Shelf | 6+ | 2 |
| Trench | 9+ | 5 |

## Cards

### Ship cards

| Name | Cost | Qty | Text |
|:-----|-----:|:---:|------|
| Leaky Dinghy | 1 coral | 4 | When this sinks, take your crew back into hand. |
| Pearl Lugger | 3 coral | 3 | Each dive made from here draws one extra card. |
| Steam Tug | 4 coral | 2 | Once a round: pull any other ship one space. |
| Glass Barge | 5 coral | 1 | Look at the top three Depth tiles before you dive. |

### Crew cards

- **Two-Lung Tamsin** (2 coral) — she stays down twice as long as anybody.
- **Cook** x3 (1 coral) — feed the crew: ready one tired crew card on the same ship.
- **Net Mender** x3 (1 coral) — discard to ignore one Trouble card with a fish on it.
- **Harbour Cat** x2 (free) — does nothing. If you have the cat at the end, win ties.

### Trouble!

- **Jellyfish bloom** x4 — Nobody dives this round. Players with a Net Mender shrug.
- **Squall** x3 — Roll the die for each ship outside a harbour: on 1-2 it drifts south.
- **Rotten rope** x2 — Choose one of your ships. Its hold is halved until the next port.

## Printing

- Poker size, 3 mm bleed
- Backs are in `art/backs/`
"""


def test_other_names_end_before_a_comma_as_those_shown_do() -> None:
    shown = list_names(PEOPLE, "osric vane", "doctor rusk")
    assert shown == ["osric vane", "tilda", "brother hame", "doctor rusk", "sweet marjory"]
    shown = list_names(ROLES, "Adelheid", "Ritter Eberhard von der Aue")
    assert shown == [
        "Adelheid", "Konrad Steinhauer", "Ritter Eberhard von der Aue", "Peter Kraushaar",
    ]  # fmt: skip


def test_names_shown_in_a_table_and_in_a_list_have_all_that_stands_in_both() -> None:
    cards = [
        "Leaky Dinghy", "Pearl Lugger", "Steam Tug", "Glass Barge",
        "Two-Lung Tamsin", "Cook", "Net Mender", "Harbour Cat",
        "Jellyfish bloom", "Squall", "Rotten rope",
    ]  # fmt: skip
    assert list_names(SEVERAL_FORMS, "Leaky Dinghy", "Squall", suffix="md") == cards
    assert list_names(SEVERAL_FORMS, "Steam Tug", "Cook", suffix="md") == cards
