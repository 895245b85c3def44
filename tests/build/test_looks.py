"""Looks: other templates for the same deck, and which template stands in for which; and the places
of copies among all cards that are printed.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, Ran, drop_slug, run_program
from making import build, check, load_deck, prepare
from pypdf import PdfReader
from strategies import list_lines, list_sizes, make_job

from cardgen.build.selection import Selection
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME, Library
from cardgen.deck.model import Copy
from cardgen.layout.face import Face
from cardgen.pages.impose import Sides
from cardgen.project.project import open_project_of

SIZE = 'size="50mm x 40mm"'


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A folder that stands in for cardgen's own."""
    folder = tmp_path.resolve() / "own"
    shutil.copytree(HOME / "assets" / "targets", folder / "assets" / "targets")
    monkeypatch.setattr("cardgen.core.library.HOME", folder)
    return Project(folder)


def write(project: Project, name: str, word: str, attributes: str = SIZE) -> Path:
    """A template that prints a word; one that extends another adds it in a slot of that name."""
    if attributes.startswith("extends"):
        body = f'<slot name="{word}"><text>{word}</text></slot>'
    else:
        slots = "".join(
            f'<slot name="{name}"/>' for name in ("project", "item", "own-dark", "dark")
        )
        body = f"<column><text>{word}</text>{slots}</column>"
    return project.write_template(body, name, attributes)


def read_words(path: Path | str) -> list[str]:
    """The words of the whole file."""
    return " ".join(drop_slug(page.extract_text()) for page in PdfReader(path).pages).split()


def build_words(look: str | None = None, deck: str = "deck", **options: Any) -> list[str]:
    return read_words(build(deck, look=look, **options).path)


# Which template is taken


def test_a_look_s_templates_are_taken_before_the_others(project: Project) -> None:
    write(project, "item", "ordinary")
    write(project, "other", "untouched")
    write(project, "dark/item", "dark")
    project.write_deck("  - name: A\n  - {name: B, template: other}\n", head="template: item\n")
    assert build_words() == ["ordinary", "untouched"]
    assert build_words("dark") == ["dark", "untouched"]


def test_backs_have_the_look_too(project: Project) -> None:
    write(project, "item", "front")
    write(project, "behind", "back")
    write(project, "dark/behind", "dark")
    project.write_deck(head="template: item\nback: behind\n")
    assert build_words() == ["front", "back"]
    assert build_words("dark") == ["front", "dark"]


def test_a_base_is_taken_from_the_look_too(project: Project) -> None:
    write(project, "base", "ordinary")
    write(project, "item", "item", 'extends="base"')
    write(project, "dark/base", "dark")
    project.write_deck(head="template: item\n")
    assert build_words() == ["ordinary", "item"]
    assert build_words("dark") == ["dark", "item"]


def test_templates_are_looked_for_look_by_look_and_the_project_s_first(
    project: Project, own: Project
) -> None:
    places = [
        project.folder / "templates" / "dark",
        project.folder / "assets" / "templates" / "dark",
        own.folder / "templates" / "dark",
        own.folder / "assets" / "templates" / "dark",
        project.folder / "templates",
        project.folder / "assets" / "templates",
        own.folder / "templates",
        own.folder / "assets" / "templates",
    ]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
        (place / "item.xml").write_text(f"<template {SIZE}/>\n", encoding="utf-8")
    library = Library(project.folder, "dark")
    found: list[Path] = []
    while places and len(found) < 8:
        path = library.get("template", "item").resolve()
        found.append(path.parent)
        path.unlink()
    assert found == places


def test_without_a_look_its_folder_is_not_looked_into(project: Project, own: Project) -> None:
    write(project, "dark/item", "dark")
    write(own, "dark/item", "dark")
    assert Library(project.folder).list_names("template") == []
    assert Library(project.folder, "light").list_names("template") == []
    assert Library(project.folder, "dark").list_names("template") == ["item"]


def test_the_looks_are_folders_with_templates(project: Project, own: Project) -> None:
    write(project, "item", "ordinary")
    write(project, "dark/item", "dark")
    write(own, "dark/item", "dark")
    write(own, "light/item", "light")
    project.write("assets/templates/old/item.xml", f"<template {SIZE}/>")
    project.write("templates/notes/readme.txt", "not a look")
    project.write("templates/empty/deep/item.xml", f"<template {SIZE}/>")
    assert Library(project.folder).list_looks() == ["dark", "light", "old"]
    assert Library(own.folder).list_looks() == ["dark", "light"]


def test_whether_a_template_is_of_the_look(project: Project) -> None:
    ordinary, dark = write(project, "item", "a"), write(project, "dark/item", "b")
    library = Library(project.folder, "dark")
    assert (library.is_of_look(dark), library.is_of_look(ordinary)) == (True, False)
    assert not Library(project.folder).is_of_look(dark)


def test_the_look_that_comes_with_cardgen() -> None:
    assert Library(HOME).list_looks() == ["plain"]


# Templates that stand in for others of their name


def test_what_a_template_stands_in_for(project: Project, own: Project) -> None:
    paths = [
        write(project, "dark/item", "a"),
        write(own, "dark/item", "b"),
        write(project, "item", "c"),
        write(own, "item", "d"),
    ]
    write(own, "dark/other", "e")
    library = Library(project.folder, "dark")
    behind = [library.find_behind(path) for path in paths]
    assert [path and path.resolve() for path in behind] == [*paths[1:], None]
    plain = Library(project.folder)
    found = plain.find_behind(paths[2])
    assert found is not None
    assert found.resolve() == paths[3]
    assert plain.find_behind(paths[3]) is None


def test_a_project_s_template_may_extend_our_own_of_its_name(
    project: Project, own: Project
) -> None:
    write(own, "item", "own")
    write(project, "item", "project", 'extends="item"')
    project.write_deck(head="template: item\n")
    assert build_words() == ["own", "project"]


def test_a_look_s_template_may_extend_the_ordinary_one_of_its_name(project: Project) -> None:
    write(project, "item", "ordinary")
    write(project, "dark/item", "dark", 'extends="item"')
    project.write_deck(head="template: item\n")
    assert build_words() == ["ordinary"]
    assert build_words("dark") == ["ordinary", "dark"]


def test_templates_may_stand_in_for_each_other_in_a_chain(project: Project, own: Project) -> None:
    write(own, "item", "own")
    write(project, "item", "project", 'extends="item"')
    write(own, "dark/item", "own-dark", 'extends="item"')
    write(project, "dark/item", "dark", 'extends="item"')
    project.write_deck(head="template: item\n")
    assert build_words() == ["own", "project"]
    assert build_words("dark") == ["own", "project", "own-dark", "dark"]


def test_of_a_chain_the_last_to_speak_is_the_one_in_front(project: Project, own: Project) -> None:
    own.write_template('<style name="word" size="20pt"/><text style="word">own</text>', "item")
    sizes = {(project, "item"): 15, (own, "dark/item"): 12, (project, "dark/item"): 7}
    project.write_deck(head="template: item\n")
    found = [find_size()]
    for (where, name), size in sizes.items():
        where.write_template(f'<style name="word" size="{size}pt"/>', name, 'extends="item"')
        found.append(find_size("dark" if "/" in name else None))
    assert found == [20, 15, 12, 7]
    assert find_size() == 15


def find_size(look: str | None = None) -> float:
    """The size of the deck's only text."""
    made = prepare(load_deck("deck"), look=look).faces.get_face(Copy(0, 0), "front")
    assert made is not None
    (size,) = list_sizes(made.face)
    return size


def test_who_extends_one_that_stands_in_has_all_of_it(project: Project, own: Project) -> None:
    write(own, "base", "own")
    write(own, "item", "item", 'extends="base"')
    write(project, "base", "project", 'extends="base"')
    project.write_deck(head="template: item\n")
    assert build_words() == ["own", "project", "item"]


@pytest.mark.parametrize("name", ["item", "dark/item"])
def test_a_template_that_stands_in_for_none_cannot_extend_its_name(
    project: Project, name: str
) -> None:
    look = "dark" if "/" in name else None
    write(project, name, "alone", 'extends="item"')
    project.write_deck(head="template: item\n")
    with pytest.raises(CardgenError) as caught:
        build("deck", look=look)
    assert str(caught.value) == (
        f"templates/{name}.xml:1:11: the template extends itself: item > item\n"
        "  hint: extend another template, or none"
    )


def test_templates_that_extend_each_other_are_still_found(project: Project, own: Project) -> None:
    write(own, "item", "own", 'extends="other"')
    write(own, "other", "own", 'extends="item"')
    write(project, "item", "project", 'extends="item"')
    project.write_deck(head="template: item\n")
    assert project.find_problems() == (
        f"{own.folder}/templates/other.xml:1:11: the template extends itself:"
        " item > item > other > item\n  hint: extend another template, or none"
    )


# What is asked for


@pytest.mark.parametrize(
    ("look", "hint"),
    [
        ("plian", 'did you mean "plain"?'),
        ("drak", 'did you mean "dark"?'),
        ("xyz", "look names: dark, plain"),
        ("", "look names: dark, plain"),
        ("dark/item", 'did you mean "dark"?'),
        ("../templates", "look names: dark, plain"),
    ],
)
def test_an_unknown_look_is_an_error(project: Project, look: str, hint: str) -> None:
    write(project, "item", "ordinary")
    write(project, "dark/item", "dark")
    project.write_deck(head="template: item\n")
    for ran in (project.run("build", "deck", "--look", look), check_look(project, look)):
        assert (ran.code, ran.stdout) == (1, "")
        assert ran.stderr == f'unknown look "{look}"\n  hint: {hint}\n'
    assert not Path("output").exists()


def check_look(project: Project, look: str) -> Ran:
    return project.run("check", "deck", "--look", look)


def test_a_look_that_changes_nothing_is_an_error(project: Project) -> None:
    write(project, "item", "ordinary")
    write(project, "dark/other", "dark")
    project.write_deck(head="template: item\n")
    for ran in (project.run("build", "deck", "--look", "dark"), check_look(project, "dark")):
        assert (ran.code, ran.stdout) == (1, "")
        assert ran.stderr == (
            'the look "dark" has none of the templates of the deck "deck"\n'
            "  hint: put templates of the same names into templates/dark/\n"
        )


def test_a_look_that_has_a_base_alone_changes_something(project: Project) -> None:
    write(project, "base", "ordinary")
    write(project, "item", "item", 'extends="base"')
    write(project, "dark/base", "dark")
    project.write_deck(head="template: item\n")
    assert check_look(project, "dark").stdout == "deck: 1 card, nothing to complain of\n"


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ([], "deck"),
        (["--look", "plain"], "deck-plain"),
        (["--look", "plain", "--target", "a4"], "deck-plain"),
        (["--look", "plain", "--target", "letter"], "deck-plain-letter"),
        (["--look", "plain", "--fronts"], "deck-plain-fronts"),
        (["--look", "plain", "--target", "letter", "--fronts"], "deck-plain-letter-fronts"),
        (["--look", "plain", "--target", "letter", "--backs"], "deck-plain-letter-backs"),
    ],
)
def test_the_look_is_in_the_name_of_the_file(
    project: Project, options: Sequence[str], name: str
) -> None:
    write(project, "item", "ordinary")
    write(project, "behind", "back")
    write(project, "plain/item", "plain")
    project.write_deck(head="template: item\nback: behind\n")
    ran = project.run("build", "deck", *options)
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.startswith(f"output/{name}.pdf: 1 card on ")
    assert [path.name for path in Path("output").glob("*.pdf")] == [f"{name}.pdf"]


@pytest.mark.parametrize(
    ("sides", "words"),
    [("both", ["plain", "back"]), ("fronts", ["plain"]), ("backs", ["back"])],
)
def test_a_look_of_one_side(project: Project, sides: Sides, words: list[str]) -> None:
    write(project, "item", "ordinary")
    write(project, "behind", "back")
    write(project, "plain/item", "plain")
    project.write_deck(head="template: item\nback: behind\n")
    assert build_words("plain", sides=sides) == words


def test_check_complains_of_the_look_that_is_asked_for(project: Project) -> None:
    write(project, "item", "ordinary")
    project.write_template("<text>{{ card.txet }}</text>", "dark/item")
    project.write_deck("  - {name: A, text: a}\n", head="template: item\n")
    assert project.run("check", "deck").code == 0
    ran = check_look(project, "dark")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        'templates/dark/item.xml:2:7: card "A": unknown field "txet" of card\n'
        '  hint: did you mean "text"?\n'
    )
    check("deck")
    with pytest.raises(CardgenError):
        check("deck", look="dark")
    assert not Path("output").exists()


def test_a_deck_elsewhere_has_the_looks_of_its_project(project: Project) -> None:
    there = Project(project.folder / "there")
    write(there, "item", "ordinary")
    write(there, "dark/item", "dark")
    there.write_deck(head="template: item\n")
    assert build_words("dark", "there/decks/deck.yaml") == ["dark"]
    deck = load_deck("there/decks/deck.yaml")
    project_there = open_project_of(deck.path)
    assert project_there.get_library("dark") == Library(
        (project.folder / "there").resolve(), "dark"
    )
    with pytest.raises(CardgenError, match='unknown look "drak"'):
        project_there.get_library("drak")


# The place of a copy

COPIES = """\
  - {name: A, count: 3}
  - {name: B, count: 0}
  - {name: C}
  - {name: D, count: 2}
"""
NUMBERED = ["A1/6", "A2/6", "A3/6", "C4/6", "D5/6", "D6/6"]
PLACED = "{{ card.name }}{{ card.place }}/{{ deck.copies }}"


def write_numbered(project: Project, body: str, **options: Any) -> None:
    project.write_template(body, **options)
    project.write_deck(COPIES)


@pytest.mark.parametrize(
    "body",
    [
        f"<text>{PLACED}</text>",
        f"<box><column><box>{{}}<text>{PLACED}</text></box></column></box>",
        f'<text if="card.place > 0">{PLACED}</text>',
        '<text for="place in [card.place]">{{ card.name }}{{ place }}/{{ deck.copies }}</text>',
        '<box><text for="n in range(card.place, card.place + 1)">{{ card.name }}{{ n }}/6</text>'
        "</box>",
        '<column><box for="n in range(card.place)" if="loop_is_not_there|default(n + 1) =='
        ' card.place"><text>{{ card.name }}{{ n + 1 }}/6</text></box></column>',
        "<text>{% set c = card.place %}{{ card.name }}{{ c }}/6</text>",
    ],
    ids=["text", "deep", "if", "for", "range", "if in for", "set"],
)
def test_each_copy_has_a_place_of_its_own(project: Project, body: str) -> None:
    write_numbered(project, body.replace("{}", "<box/>"))
    assert build_words() == NUMBERED


@pytest.mark.parametrize(
    "body",
    [
        "<text>{{ card.name }}{{ card['place'] }}/6</text>",
        '<text for="c in [card]">{{ c.name }}{{ c.place }}/6</text>',
        "<text>{% set c = card %}{{ c.name }}{{ c.place }}/6</text>",
    ],
    ids=["item", "loop", "set"],
)
def test_a_place_is_read_by_any_name(project: Project, body: str) -> None:
    write_numbered(project, body)
    assert build_words() == NUMBERED


def test_a_place_in_an_attribute(project: Project) -> None:
    write_numbered(project, '<text size="{{ 4 + card.place }}pt">{{ card.name }}</text>')
    faces = prepare(load_deck("deck")).faces
    made = [faces.get_face(copy, "front") for copy in load_deck("deck").list_copies()]
    assert [list_sizes(found.face) for found in made if found] == [[n] for n in range(5, 11)]


def test_a_place_in_a_slot(project: Project) -> None:
    project.write_template('<column><slot name="foot"/></column>', "base")
    body = f'<slot name="foot"><text>{PLACED}</text></slot>'
    write_numbered(project, body, attributes='extends="base"')
    assert build_words() == NUMBERED
    project.write_template(f'<slot name="foot"><text>{PLACED}</text></slot>', "base")
    write_numbered(project, "", attributes='extends="base"')
    assert build_words() == NUMBERED


def test_a_place_in_a_slot_that_is_filled_otherwise_does_not_count(project: Project) -> None:
    project.write_template(f'<slot name="foot"><text>{PLACED}</text></slot>', "base")
    body = '<slot name="foot"><text>{{ card.name }}</text></slot>'
    write_numbered(project, body, attributes='extends="base"')
    first, second, _ = list_copies_of("A")
    assert first is second


def list_copies_of(name: str) -> list[Face]:
    """The faces of all copies of a card."""
    deck = load_deck("deck")
    faces = prepare(deck).faces
    made = [
        faces.get_face(copy, "front")
        for copy in deck.list_copies()
        if deck.cards[copy.design].name == name
    ]
    return [found.face for found in made if found]


def test_copies_are_drawn_apart_only_if_they_differ(project: Project) -> None:
    write_numbered(project, "<text>{{ card.number }}{{ card.name }}{{ card.count }}</text>")
    first, second, third = list_copies_of("A")
    assert first is second is third
    write_numbered(project, f"<text>{PLACED}</text>")
    first, second, third = list_copies_of("A")
    assert [list_lines(face) for face in (first, second, third)] == [[n] for n in NUMBERED[:3]]


def test_the_number_is_that_of_the_design(project: Project) -> None:
    write_numbered(project, "<text>{{ card.number }}.{{ card.place }}</text>")
    assert build_words() == ["1.1", "1.2", "1.3", "3.4", "4.5", "4.6"]


def test_a_back_may_tell_its_place(project: Project) -> None:
    project.write_template(f"<text>{PLACED}</text>", "behind")
    project.write_template("")
    project.write_deck(COPIES, head="template: plain\nback: behind\n")
    assert sorted(build_words(sides="backs")) == NUMBERED


def test_a_place_remains_that_in_the_whole_deck(project: Project) -> None:
    write_numbered(project, f"<text>{PLACED}</text>")
    assert build_words(selection=Selection("D")) == NUMBERED[-2:]
    assert build_words(selection=Selection("[AC]")) == NUMBERED[:4]


def test_the_sizes_of_a_deck_remain_those_of_the_whole_deck(project: Project) -> None:
    body = """
    <text height="10mm" width="30mm" max="20pt" fit="deck">{{ card.text }}{{ card.place }}</text>
    """
    project.write_template(body)
    project.write_deck(
        "  - {name: A, text: short}\n"
        "  - {name: B, count: 2, text: 'a text that is rather longer than the first'}\n"
    )
    deck = load_deck("deck")
    sizes = []
    for only in (None, "A"):
        job = prepare(deck, selection=Selection(only))
        job.faces.look_at_all()
        made = job.faces.get_face(job.copies[0], "front")
        assert made is not None
        sizes.append(list_sizes(made.face))
    assert sizes[0] == sizes[1]
    assert 9 < sizes[0][0] < 20


def test_every_copy_counts_for_the_sizes_of_a_deck(project: Project) -> None:
    project.write_template(
        '<text height="20mm" width="7mm" max="30pt" fit="deck" min="5pt">{{ card.place }}</text>'
    )
    project.write_deck("  - {name: A, count: 12}\n")
    deck = load_deck("deck")
    faces = prepare(deck).faces
    faces.look_at_all()
    made = [faces.get_face(copy, "front") for copy in deck.list_copies()]
    sizes = {size for found in made if found for size in list_sizes(found.face)}
    assert len(sizes) == 1


def test_a_card_that_is_set_smaller_is_reported_once(project: Project) -> None:
    body = """
    <text width="20mm" height="5mm" fit="box" min="2pt">{{ card.text }}</text>
    <text y="20mm">{{ card.place }}</text>"""
    project.write_template(body)
    project.write_deck(
        "  - {name: A, count: 3, text: Too many words for a box as small as this one}\n"
    )
    shrunk = project.build().shrunk
    assert [(entry.subject.name, entry.field) for entry in shrunk] == [('card "A"', "text")]


def test_what_is_wrong_with_a_card_is_said_once_for_all_its_copies(project: Project) -> None:
    project.write_template('<text width="1mm">{{ card.text }}</text><text>{{ card.place }}</text>')
    project.write_deck("  - {name: A, count: 3, text: Incomprehensible}\n")
    assert project.find_problems().count('card "A"') == 1


def test_a_field_of_that_name_wins(project: Project) -> None:
    project.write_template("<text>{{ card.place }}</text>")
    project.write_deck("  - {name: A, count: 2, place: Rome}\n  - {name: B, place: Gaul}\n")
    assert build_words() == ["Rome", "Rome", "Gaul"]


def test_a_card_without_a_field_of_that_name_has_none(project: Project) -> None:
    project.write_template("<text>{{ card.place }}!</text>")
    project.write_deck("  - {name: A, count: 2}\n  - {name: B, place: Gaul}\n")
    assert build_words() == ["!", "!", "Gaul!"]


def test_what_all_copies_share_is_composed_once(project: Project) -> None:
    body = '<box height="5mm" fill="black"/><text>{{ card.place }}</text>'
    job = make_job(project, body, {"count": 2})
    made = [job.faces.get_face(copy, "front") for copy in job.copies]
    first, second = (found.face.items[0] for found in made if found)
    assert getattr(first, "shared", 1) is getattr(second, "shared", 2)


def test_a_large_deck_is_numbered_through(project: Project) -> None:
    """It is drawn in parts."""
    project.write_template("<text>{{ card.place }}</text>", attributes='size="95mm x 140mm"')
    project.write_deck("  - {name: A, count: 200}\n  - {name: B, count: 130}\n")
    assert build_words() == [str(number) for number in range(1, 331)]


@pytest.mark.usefixtures("project")
def test_no_library_warns() -> None:
    """Neither when it is imported, nor of what a deck of cards and one of a sheet ask of it."""
    ran = run_program(["check", "magic", "playsheet"], environment={"PYTHONWARNINGS": "error"})
    assert (ran.code, ran.stderr) == (0, "")
    assert len(ran.stdout.splitlines()) == 2
