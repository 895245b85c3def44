"""Org and AsciiDoc are read as Markdown is, each line at its own place; tables of wikis, too."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from finding_cards import read_cards, tell

from cardgen.importing.importer import import_files
from cardgen.importing.reading.markups import turn_markup

ORG = """\
#+TITLE: The Lamp Room
#+AUTHOR: Bo

Take one each, and give it back.

* Lamps
** TODO Salt Lamp :light:
:PROPERTIES:
:ID: 1f2e
:Price: 3 crowns
:END:
- Made of :: salt
See *far* in /thick/ fog, and [[file:fog.org][be seen]].
** Tin Lamp
:PROPERTIES:
:Price: 1 crown
:END:
- Made of :: tin
It rings when it is lit.
** Glass Lamp
:PROPERTIES:
:Price: 12 crowns
:END:
- Made of :: glass
Do not drop it.
"""
DOC = """\
= The Lamp Room
Bo <bo@example.com>
v2, 2020-09-30
:toc: left

NOTE: Take one each, and give it back.

== Lamps

=== Salt Lamp
Price:: 3 crowns
Made of:: salt

See *far* in _thick_ fog, and link:fog.html[be seen].

=== Tin Lamp
Price:: 1 crown
Made of:: tin

It rings when it is lit.

=== Glass Lamp
Price:: 12 crowns
Made of:: glass

Do not drop it.
"""


@pytest.mark.parametrize(("name", "text"), [("lamps.org", ORG), ("lamps.adoc", DOC)])
def test_headings_labels_and_faces(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    cards = import_files([path]).cards
    assert [(c.name, dict(c.other)["made_of"], dict(c.other)["cost"], c.text) for c in cards] == [
        ("Salt Lamp", "salt", "3 crowns", "See **far** in *thick* fog, and be seen."),
        ("Tin Lamp", "tin", "1 crown", "It rings when it is lit."),
        ("Glass Lamp", "glass", "12 crowns", "Do not drop it."),
    ]
    lines = text.split("\n")
    assert [lines[c.place.line - 1].strip("*= ") for c in cards][1:] == ["Tin Lamp", "Glass Lamp"]


def test_a_table_with_its_cells_below_each_other(tmp_path: Path) -> None:
    path = tmp_path / "lamps.adoc"
    rows = "|===\n|Name |Cost |Effect\n\n|Salt Lamp\n|3\n|See *far*\nin fog.\n\n"
    rows += "|Tin Lamp |1 |Rings.\n|Glass Lamp |12\n|Breaks.\n|===\n"
    path.write_text(f'= Lamps\n\n[cols="1,1,3"]\n{rows}', "utf-8")
    cards = import_files([path]).cards
    assert [(card.name, card.cost, card.text, card.place.line) for card in cards] == [
        ("Salt Lamp", 3, "See **far** in fog.", 7),
        ("Tin Lamp", 1, "Rings.", 12),
        ("Glass Lamp", 12, "Breaks.", 13),
    ]


def test_a_table_that_is_a_list_of_lists(tmp_path: Path) -> None:
    path = tmp_path / "wagons.rst"
    rows = "   * - Dune Flea\n     - 5\n     - Jumps one wall.\n   * - Glass Sledge\n     - 4\n"
    path.write_text(
        "Wagons\n======\n\n.. list-table::\n   :header-rows: 1\n\n   * - Name\n     - Cost\n"
        f"     - Effect\n{rows}     - Breaks when\n       it is hit.\n\nThat is all.\n",
        "utf-8",
    )
    cards = import_files([path]).cards
    assert [(card.name, card.cost, card.text, card.place.line) for card in cards] == [
        ("Dune Flea", 5, "Jumps one wall.", 10),
        ("Glass Sledge", 4, "Breaks when it is hit.", 13),
    ]


MAIL = b"""\
From: Bo <bo@example.com>
Subject: ghosts
Content-Type: text/plain; charset=%b
Content-Transfer-Encoding: %b

Hi Al,

here they are.

1) The Grey Aunt
   Sits on your bed and tells you what you did. You lose a tur%bn.

2) The Drummer
   You hear him before you see him. All within two rooms run.

3) The Wet Child
   Leaves pr%bcis puddles. Who steps in one is hers.

4) Nobody
   There is nobody there. Roll again.

Yours,
Bo
--%b
Sent from my tin can
"""


@pytest.mark.parametrize(
    "coding",
    [
        (b"utf-8", b"quoted-printable", b"=\n", b"=C3=A9", b""),
        (b"latin-1", b"8bit", b"", b"\xe9", b" "),
    ],
)
def test_a_mail_is_unpacked(tmp_path: Path, coding: tuple[bytes, ...]) -> None:
    path = tmp_path / "ghosts.eml"
    path.write_bytes(MAIL % coding)
    found = import_files([path])
    assert [card.name for card in found.cards] == [
        "The Grey Aunt", "The Drummer", "The Wet Child", "Nobody",
    ]  # fmt: skip
    assert found.cards[2].text == "Leaves précis puddles. Who steps in one is hers."
    assert found.cards[0].text.endswith("You lose a turn.")
    assert found.cards[0].place.line == 10
    assert "Sent from my tin can" not in [left.text for left in found.left_out]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a.org", f"* a{' ' * 90_000}b"),
        ("a.org", f"- a{' ' * 90_000}b"),
        ("a.adoc", f"= a{' ' * 90_000}b"),
        ("a.adoc", "link:" * 18_000),
        ("a.adoc", f"|===\n|{'1' * 90_000}\n|==="),
        ("a.rst", f".. list-table::\n{' ' * 90_000}x\n   * - a"),
    ],
)
def test_long_lines_are_turned_at_once(name: str, line: str) -> None:
    begun = process_time()
    turn_markup(line, name)
    assert process_time() - begun < 1


WIKI = """\
Orchard is a card game. This page lists all cards of the [[Base set]].

== Pest cards ==
Pests are played on others.

{| class="wikitable sortable"
|+ All pests
! Name
! Price
! Copies
! style="width: 60%" | Effect
|-
! '''Wasps, a Few'''
| 1 seed
| 6
| Cancel one harvest.
|- style="background: #eee"
| '''[[Wasp|Wasps, a Great Many]]'''
| align="right" | 4 seeds || 2
| Cancel all harvests, your own as well.
They last until somebody plays [[#Tool cards|Jam Jar]].
|-
| '''Canker'''
| 3 seeds
| 3
| Turn a tree face down. It can be saved with a saw.
|}

== Trivia ==
It was called Blight in the prototype.
"""


def test_a_wiki_has_a_cell_of_its_tables_on_each_line() -> None:
    found = [tell(card) for card in read_cards(WIKI)]
    assert found == [
        {"name": "Wasps, a Few", "cost": "1 seed", "count": 6, "text": "Cancel one harvest."},
        {"name": "Wasps, a Great Many", "cost": "4 seeds", "count": 2,
         "text": "Cancel all harvests, your own as well. They last until somebody plays Jam Jar."},
        {"name": "Canker", "cost": "3 seeds", "count": 3,
         "text": "Turn a tree face down. It can be saved with a saw."},
    ]  # fmt: skip
