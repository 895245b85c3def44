"""Importing: chapters that hold entries are their kinds, and no cards, however loud they are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from finding_cards import read_cards

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.text import read_text_blocks

ENTRIES = {
    "Les rencontres": {
        "Le Pont qui Boite": "Défaussez une carte, puis piochez-en deux au hasard.",
        "La Veuve du Moulin": "Le joueur à votre gauche montre sa main.",
        "Brume Épaisse": "Avancez de trois cases, ou de cinq si personne ne regarde.",
    },
    "La nuit": {
        "Trois Sous": "Payez trois sous au passeur. Sans argent, restez où vous êtes.",
        "Le Chien Jaune": "Tous les joueurs reculent. Le dernier garde le chien.",
        "Marée Basse": "Les barques ne bougent plus de tout ce tour.",
    },
    "Le retour": {
        "Un Vieux Secret": "Regardez sous une carte posée sur la table.",
        "La Lanterne Sourde": "Annulez une carte que l'on vient de jouer.",
        "Chemin Perdu": "Mélangez le sentier.",
    },
}
FORMS = (
    "- {name} : {text}\n",
    "- {name} – {text}\n",
    "{n}. {name} : {text}\n",
    "{n}. {name}. {text}\n",
)


def find(
    form: str, *, anew: bool = False, end: str = "\n## Remerciements\n\nMerci.\n"
) -> list[Candidate]:
    text = "# Chemins de Brumelle\n\nUn petit jeu pour trois joueurs.\n\n"
    n = 0
    for chapter, entries in ENTRIES.items():
        text += f"## {chapter}\n\n"
        n = 0 if anew else n
        for name, told in entries.items():
            n += 1
            text += form.format(name=name, text=told, n=n)
        text += "\n"
    return list(recognise(read_text_blocks(text + end, "brumelle.md")).cards)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("anew", [False, True])
def test_chapters_of_entries(form: str, anew: bool) -> None:
    cards = find(form, anew=anew)
    assert [(card.kind, card.name) for card in cards] == [
        (chapter, name) for chapter, entries in ENTRIES.items() for name in entries
    ]


def test_a_list_of_steps_below_a_name_stays_its_text() -> None:
    steps = "1. Cut {name} in two. Keep both halves.\n2. Boil {n} litres of water. Wait.\n"
    text = "".join(
        f"## {name}\n\n{steps.format(name=name.lower(), n=n)}\n"
        for n, name in enumerate(("Beetroot", "Parsnip", "Celery", "Old leek"))
    )
    names = [card.name for card in recognise(read_text_blocks(text, "soups.md")).cards]
    assert names == ["Beetroot", "Parsnip", "Celery", "Old leek"]


def test_a_heading_without_the_number_that_all_names_have() -> None:
    text = "".join(
        f"## Card {n}: {name}\n\n{told}\n\n"
        for n, (name, told) in enumerate(ENTRIES["La nuit"].items(), 1)
    )
    text += "".join(
        f"## Card {n}: {name}\n\n{told}\n\n"
        for n, (name, told) in enumerate(ENTRIES["Le retour"].items(), 4)
    )
    text += "## What came of it\n\nNobody has played it twice.\n"
    names = [card.name for card in recognise(read_text_blocks(text, "cards.md")).cards]
    assert names == [*ENTRIES["La nuit"], *ENTRIES["Le retour"]]


def test_a_table_without_signs_at_its_ends() -> None:
    rows = "".join(f"**Perk {n}** | {n} | You may whistle {n} times.\n" for n in range(1, 5))
    text = f"# Perks\n\nTake three of them.\n\nPerk | Pts | Effect\n:--- | ---: | ---\n{rows}"
    cards = recognise(read_text_blocks(text, "perks.md")).cards
    assert [(card.name, card.cost, card.text) for card in cards] == [
        (f"Perk {n}", n, f"You may whistle {n} times.") for n in range(1, 5)
    ]


def test_several_texts_in_one_each_with_a_head() -> None:
    heads = '---\ntitle: "{name}"\nplace: wood\nrarity: {rarity}\n---\n{text}\n\n'
    pairs = list(zip(ENTRIES["Le retour"].items(), ("rare", "usual", "rare"), strict=True))
    text = "".join(heads.format(name=n, text=t, rarity=rarity) for (n, t), rarity in pairs)
    cards = recognise(read_text_blocks(text, "night.md")).cards
    assert [(card.name, dict(card.other), card.text) for card in cards] == [
        (name, {"place": "wood", "rarity": rarity}, told) for (name, told), rarity in pairs
    ]
    for remark in ("# do not touch", "# kept by hand: ask for changes"):
        found = recognise(
            read_text_blocks(text.replace("rarity: u", f"{remark}\nrarity: u"), "n.md")
        )
        assert [(card.name, card.text) for card in found.cards] == [(c.name, c.text) for c in cards]
        assert [entry.why for entry in found.left_out] == ["front matter"]


BOOK = """\
THE GREAT BREAK-IN

CONTENTS
Tools of the trade ......................... 3
Tricks for the night ....................... 4
Those who help ............................. 5
Tools of the trade
THE LOUD KEY
Type: Lock
Cost: 3 crowns
It opens every door, once.
THE GREEN ROPE
Type: Climb
Cost: 1 crown
Go up a floor, or down.
Tricks for the night
A trick is played at any time, even in the turn of another.
THE FALSE POSTMAN
Type: Mask
Cost: 4 crowns
Come in by the front door.
THE OLD BONE
Type: Bait
Cost: 1 crown
The dog is busy for two turns.
Those who help
BERTA THE MUTE
Type: Watch
Cost: 7 crowns
Undo an alarm once a night.
LITTLE LUCIAN
Type: Climber
Cost: 4 crowns
He comes in by the chimney.
"""


def test_titles_of_a_table_of_contents_are_chapters_and_a_type_is_a_field_beside_them() -> None:
    cards = recognise(read_text_blocks(BOOK, "book.txt")).cards
    assert [(card.name, card.kind, dict(card.other)["type"]) for card in cards] == [
        ("The Loud Key", "Tools of the trade", "Lock"),
        ("The Green Rope", "Tools of the trade", "Climb"),
        ("The False Postman", "Tricks for the night", "Mask"),
        ("The Old Bone", "Tricks for the night", "Bait"),
        ("Berta the Mute", "Those who help", "Watch"),
        ("Little Lucian", "Those who help", "Climber"),
    ]
    assert cards[1].text == "Go up a floor, or down."


def test_the_title_below_the_number_of_a_chapter_is_the_kind() -> None:
    text = "".join(
        f"{'CHAPTER ' + number:>40}\n{title:>40}\n\n"
        + "".join(f"{name}\nCost: {n}\n{told}\n\n" for n, (name, told) in enumerate(cards.items()))
        for number, title, cards in zip(
            ("I", "II"),
            ("BEASTS OF THE DITCH", "OF THE FIELD"),
            [*ENTRIES.values()][1:],
            strict=True,
        )
    )
    cards = recognise(read_text_blocks(text, "beasts.txt")).cards
    assert [card.kind for card in cards] == ["Beasts of the Ditch"] * 3 + ["Of the Field"] * 3


def test_a_chapters_title_that_counts_its_cards_is_the_kind_without_their_number() -> None:
    told = "# Omens\n\n## DARK OMENS (3 cards)\n\n"
    told += "".join(
        f"### {name}\n\nThe light falls by {name[0]}.\n\n" for name in ("Fog", "Rot", "Ash")
    )
    told += "## Bright omens (of 9)\n\n"
    told += "".join(f"### {name}\n\nThe light grows by {name[0]}.\n\n" for name in ("Sun", "Tea"))
    cards = recognise(read_text_blocks(told, "omens.md")).cards
    assert [card.kind for card in cards] == ["Dark Omens"] * 3 + ["Bright omens (of 9)"] * 2
    head = "| Name | Effect |\n|---|---|\n"
    told = f"## Masks (2)\n\n{head}| Wolf | It bites. |\n| Owl | It sees far. |\n\n"
    told += f"## Bells [1]\n\n{head}| Great bell | It wakes all. |\n"
    cards = recognise(read_text_blocks(told, "things.md")).cards
    assert [card.kind for card in cards] == ["Masks", "Masks", "Bells"]


def test_a_running_head_as_wide_as_its_page_is_no_chapter() -> None:
    def head(page: int) -> str:
        return f"Roads of the Twilight – The Book of Small Arts{page:>40}\n\n"

    text = head(41)
    for page, (chapter, entries) in enumerate([*ENTRIES.items()][1:], 42):
        told = (f"{name}\nCost: {n}\n{said}\n\n" for n, (name, said) in enumerate(entries.items()))
        text += f"{chapter.upper()}\n\n" + "".join(told) + head(page)
    cards = recognise(read_text_blocks(text, "roads.txt")).cards
    assert [card.kind for card in cards] == ["La Nuit"] * 3 + ["Le Retour"] * 3
    assert "Twilight" not in "".join(card.text for card in cards)


def test_a_chapter_above_tables_is_the_kind_whatever_a_column_says() -> None:
    row = "| {0} {1} | {1} | 3 | It is sold at night. |\n"
    head = "| Name | Type | Price | Effect |\n|---|---|---|---|\n"
    chapters = {"Wares": ("Lamp", "Rope"), "Services": ("Cook", "Spy")}
    text = "# The Night Market\n\n" + "".join(
        f"## {title}\n\n{head}{''.join(row.format(n, k) for k in kinds for n in ('Old', 'New'))}\n"
        for title, kinds in chapters.items()
    )
    cards = recognise(read_text_blocks(text, "market.md")).cards
    assert [(card.name, card.kind, dict(card.other)) for card in cards] == [
        (f"{new} {kind}", title, {"type": kind})
        for title, kinds in chapters.items()
        for kind in kinds
        for new in ("Old", "New")
    ]


def test_cards_that_are_laid_out_in_a_table_to_be_cut_apart() -> None:
    cells = [f"**Lamp {n}** ({n})<br>It burns for {n} turns." for n in range(1, 7)]
    rows = "".join(f"| {one} | {two} |\n" for one, two in zip(cells[::2], cells[1::2], strict=True))
    cards = recognise(read_text_blocks(f"| | |\n|---|---|\n{rows}", "lamps.md")).cards
    assert [(card.name, card.cost, card.text) for card in cards] == [
        (f"Lamp {n}", n, f"It burns for {n} turns.") for n in range(1, 7)
    ]
    assert all(len(card.lines) == 1 and card.name in card.lines[0].text for card in cards)


def test_a_name_in_capitals_keeps_that_of_its_last_word() -> None:
    names = ("THE DOG LETS IN", "RAIN OF FROGS", "WHAT THE CROW IS FOR")
    text = "".join(f"{name}\nDraw a card and discard {n}.\n\n" for n, name in enumerate(names, 2))
    cards = recognise(read_text_blocks(text, "crows.txt")).cards
    assert [card.name for card in cards] == [
        "The Dog Lets In",
        "Rain of Frogs",
        "What the Crow Is For",
    ]


def test_tables_of_a_row_each_are_read_as_one_by_their_header() -> None:
    text = "# Cargoes\n\nPrices are for a crate, where it comes from.\n\n"
    for place, name in {"North": "Walrus Rope", "South": "Blue Glass", "East": "Pepper"}.items():
        text += f"## From the {place}\n\n| Cargo | Price | Description |\n|---|---|---|\n"
        text += f"| {name} | 12 | It is seldom seen south of the old river. |\n\n"
    cards = recognise(read_text_blocks(text, "a.md")).cards
    assert [card.name for card in cards] == ["Walrus Rope", "Blue Glass", "Pepper"]
    assert [card.kind for card in cards] == [
        f"From the {one}" for one in ("North", "South", "East")
    ]


def test_chapters_with_a_card_or_two_each_are_no_cards() -> None:
    text = "THE CABINET\n\nIt has three drawers, of which two are open.\n\n"
    for place, names in {"FIRST": ("Pin Hare",), "SECOND": ("Old Spool", "Dull Needle")}.items():
        text += f"\n{place} DRAWER\n\n" + "".join(
            f"{name}\n      Throw it on the ground and it runs, by the shortest way\n"
            "      out of any house, maze or talk.\n\n"
            for name in names
        )
    text += "\nLOCKED DRAWER\n\nMourning Veil\n      The wearer may walk through any grave.\n"
    cards = recognise(read_text_blocks(text, "a.txt")).cards
    wanted = ["Pin Hare", "Old Spool", "Dull Needle", "Mourning Veil"]
    assert [card.name for card in cards] == wanted


@pytest.mark.parametrize(
    "title",
    [
        "{kind}",
        "{kind}:",
        "[{kind}]",
        "■ {kind}",
        "**{kind}**",
        "Category: {kind}",
        "                    {kind}",
        "__________\n{kind}\n__________",
    ],
)
@pytest.mark.parametrize("name", ["{name} – ", "{name} (3 pts)\n", "### {name}\n\n"])
def test_titles_of_chapters_stand_apart_whatever_sets_them_off(title: str, name: str) -> None:
    chapters = {"Ships": ("Otter Toll", "Tin Whistle", "Old Rope"), "Cold Storms": ("Bell", "Eel")}
    chapters["Odd Folk"] = ("Net Mender", "Quay Cat", "Grey Wife")
    text = "The River Game\n\nAll the cards of the game, as promised at the last meeting.\n"
    for kind, names in chapters.items():
        text += "\n" + title.format(kind=kind) + "\n\n"
        for one in names:
            text += name.format(name=one) + "Pay a reed, or wait until the lamp is lit again.\n\n"
    cards = recognise(read_text_blocks(text, "f.md")).cards
    found = [(card.name, card.kind, len(card.text.split())) for card in cards]
    assert found == [(one, kind, 11) for kind, names in chapters.items() for one in names]


def test_a_summary_that_opens_is_a_title_of_its_table() -> None:
    rows = "| Name | Text |\n|---|---|\n| {} | It bites, and is sorry. |\n| {} | It sleeps. |\n"
    text = "".join(
        f"<details>\n<summary>{kind}</summary>\n\n{rows.format(*names)}\n</details>\n\n"
        for kind, names in (("Leaves", ("Elm", "Ash")), ("Guests", ("Cat", "Ox")))
    )
    cards = recognise(read_text_blocks(text, "f.md")).cards
    assert [card.kind for card in cards] == ["Leaves", "Leaves", "Guests", "Guests"]


@pytest.mark.parametrize("chapters", [
    ("I. ARMS OF THE MARSH", "II. THINGS TO WEAR"), ("B.1 Arms of the Marsh", "B.2 Things to Wear"),
    ("A) Arms of the Marsh", "B) Things to Wear"),
])  # fmt: skip
def test_titles_that_stand_alone_and_are_numbered_on_are_chapters(chapters: Sequence[str]) -> None:
    told = "It works once in a night, and only for the one who asked."
    names = ("OTTER LENS", "LIAR'S GOBLET", "BOTTLED SQUALL", "HERMIT IN A JAR")
    cards = [
        f"{name}\nWeight: {n} oz. Owner: the inn.\n{told}\n\n" for n, name in enumerate(names, 2)
    ]
    text = f"{chapters[0]}\n\n{''.join(cards[:2])}\n{chapters[1]}\n\n{''.join(cards[2:])}"
    found = [(card.kind, card.text) for card in read_cards(f"THE MARSH\n\n{told}\n\n\n{text}")]
    kinds = ["Arms of the Marsh"] * 2 + ["Things to Wear"] * 2
    assert found == [(kind, told) for kind in kinds]
