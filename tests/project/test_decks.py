"""Which files of a project are decks, and what one that is broken does to the others."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from conftest import Project

from cardgen.core.library import Library
from cardgen.project import project
from cardgen.project.decks import Decks, find_own_decks

DECK = "cards: [{name: Axe}]\n"


@pytest.fixture
def decks(project: Project) -> Project:
    project.write("decks/good.yaml", DECK)
    return project


def list_written() -> list[str]:
    return sorted(path.name for path in Path("output").glob("*.pdf"))


def test_a_stray_table_harms_nothing(decks: Project) -> None:
    decks.write("prices.csv", "when,price\n1,2\n")
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["when", "price"])
    book.save("decks/sums.xlsx")
    decks.write("decks/cells.csv", "name,text\nBow,b\n")
    decks.write("decks/~$book.xlsx", b"locked")
    decks.write("decks/bows.yaml", "title: Bows\ncards: cells.csv\n")
    ran = decks.run("build")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == (
        "output/bows.pdf: 1 card on 1 page\n"
        "output/good.pdf: 1 card on 1 page\n"
        "prices.csv is left out: no column of this table holds the names of cards;"
        ' if it is a deck, call that column "name"\n'
        "decks/sums.xlsx is left out: no column of this table holds the names of cards;"
        ' if it is a deck, call that column "name"\n'
    )
    assert list_written() == ["bows.pdf", "good.pdf"]
    listed = decks.run("list")
    assert (listed.code, listed.stderr) == (0, "")
    assert "cells" not in listed.stdout
    assert "\nprices.csv is left out" in listed.stdout
    assert "\nbows " in listed.stdout


def test_a_table_that_is_meant_is_named_by_what_it_lacks(decks: Project) -> None:
    decks.write("prices.csv", "when,price\n1,2\n")
    ran = decks.run("build", "prices")
    assert (ran.code, ran.stdout) == (1, "")
    assert 'there is no column "name"' in ran.stderr


def test_what_a_deck_was_imported_from_is_no_deck_beside_it(project: Project) -> None:
    project.write("swords.csv", "name,text\nAxe,It cuts.\nBow,It shoots.\nMace,It breaks.\n")
    project.write("broken.imported.json", "[")
    assert project.run("import", "swords.csv", "-o", "mine.yaml").code == 0
    ran = project.run("build")
    assert (ran.code, ran.stderr) == (0, "")
    assert list_written() == ["mine.pdf"]
    assert "swords" not in project.run("list").stdout
    assert project.run("build", "swords").code == 0


def test_a_table_alone_is_no_reason_to_print_what_comes_with_cardgen(project: Project) -> None:
    project.write("prices.csv", "when,price\n1,2\n")
    ran = project.run("build")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.startswith("prices.csv:1: no column of this table")


@pytest.mark.parametrize(
    "text", ["nmae,text\nA,b\n", "---\ntitle: A\n---\nA,b\nC,d\n", b"\xff\xfen"]
)
def test_a_table_that_seems_to_be_a_deck_is_judged_as_one(
    decks: Project, text: str | bytes
) -> None:
    decks.write("decks/a.csv", text)
    ran = decks.run("build")
    assert ran.code == 1
    assert ran.stderr.startswith("decks/a.csv:")
    assert list_written() == ["good.pdf"]


# One that is broken

BROKEN: dict[str, str | bytes] = {
    "decks/a-broken.yaml": "cards: [\n",
    "decks/b-deep.yaml": "cards: " + "[" * 5_000,
    "decks/c-book.xlsx": b"no workbook",
    "decks/d-faults.yaml": "cards:\n"
    + "".join(f"  - {{name: Axe {n}, count: x}}\n" for n in range(40)),
    "decks/e-latin.csv": "name\nÄxte\n".encode("latin-1"),
    "decks/f-template.yaml": "template: nothing\ncards: [{name: Axe}]\n",
    "notes.yaml": "cards: 3\n",
}


def test_decks_that_are_broken_are_named_and_the_others_built(decks: Project) -> None:
    for name, text in BROKEN.items():
        decks.write(name, text)
    listed = decks.run("list")
    assert listed.code == 1
    assert "\ngood " in listed.stdout
    assert "\nmagic " in listed.stdout
    ran = decks.run("build")
    assert ran.code == 1
    assert ran.stdout == "output/good.pdf: 1 card on 1 page\n"
    for name in BROKEN:
        assert name in listed.stderr
        assert name in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("and ")
    assert list_written() == ["good.pdf"]


def test_a_deck_that_needs_too_much_does_not_keep_others_from_being_built(
    decks: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = project.open_deck

    def open_deck(name: str, *arguments: Any, **options: Any) -> project.OpenedDeck:
        if name == "deep":
            raise RecursionError
        if name == "large":
            raise MemoryError
        if name == "locked":
            raise PermissionError(errno.EACCES, "no luck", "decks/locked.yaml")
        return genuine(name, *arguments, **options)

    for name in ("deep", "large", "locked"):
        decks.write(f"decks/{name}.yaml", DECK)
    monkeypatch.setattr(project, "open_deck", open_deck)
    ran = decks.run("list")
    assert ran.code == 1
    assert "\ngood " in ran.stdout
    assert [line for line in ran.stderr.splitlines() if not line.startswith("  hint")] == [
        "deep: what was read is nested too deep",
        "large: it needs more memory than there is or is allowed",
        "decks/locked.yaml: the system refuses it: no luck",
    ]


def test_a_file_that_could_be_a_deck_is_named_where_there_is_none(project: Project) -> None:
    project.write("cards.yaml", "- name: Axe\n- name: Bow\n")
    found = find_own_decks(Library(Path.cwd()))
    assert "magic" in found.names
    assert list(map(str, found.strays)) == [
        'cards.yaml:1: no line of it begins with "cards:"\n'
        '  hint: if it is a deck, write its cards below "cards:"; cardgen import reads other data'
    ]
    project.write("few.yaml", "cards:\n- name: Axe\n")
    assert find_own_decks(Library(Path.cwd())) == Decks(["few"])


def test_decks_of_one_name_are_told_apart_by_their_files(project: Project) -> None:
    for name in ("two.csv", "two.tsv", "other.csv"):
        project.write(f"decks/{name}", "name\nAxe\n")
    project.write("decks/two.md", "# Sheet\n\nWords.\n")
    ran = project.run("build")
    assert (ran.code, ran.stdout) == (1, "output/other.pdf: 1 card on 1 page\n")
    assert ran.stderr == (
        'decks/two.csv: the name "two" is that of several decks: decks/two.csv, decks/two.tsv,'
        " decks/two.md\n  hint: rename all but one, or name the file, as in: cardgen build"
        " decks/two.csv\n"
    )
    assert project.run("build", "decks/two.md").code == 0
    # A table beside a YAML file of its name is no second deck; other folders hide one another.
    project.write("decks/other.yaml", "cards: other.csv\n")
    project.write("decks/magic.csv", "name\nAxe\n")
    assert project.run("build", "other", "magic").code == 0
