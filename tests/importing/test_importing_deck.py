"""Doubts of a deck as a whole: when they are raised, where they are said, how they are settled."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from click.testing import CliRunner
from conftest import Project, Ran

from cardgen.cli.app import main
from cardgen.core.errors import CardgenError
from cardgen.importing.deck_doubts import check_explained, doubt_cards
from cardgen.importing.model import Candidate, Guess, Place, SourceLine, Styled

DECK = "decks/mine.yaml"
HEAD = "Name,Effect\n"
MARKED = f"{HEAD}Drum,Beat it.\nHorn,Deals {{{{damage}}}} to all.\nFife,Play it.\n"
SAID = 'markup is printed as it is on 1 card, as {{damage}}: "Horn"'


def make(*texts: str, **fields: str) -> list[Candidate]:
    line = SourceLine(Place("s.txt", 1), "")
    return [
        Candidate(
            f"Card {number}",
            (line,),
            paragraphs=(Styled.of(text),) if text else (),
            other=tuple(fields.items()),
        )
        for number, text in enumerate(texts, 1)
    ]


def list_kinds(cards: Sequence[Candidate]) -> list[str]:
    return [doubt.kind for doubt in doubt_cards(cards)]


def answer(project: Project, *typed: str, options: Sequence[str] = ()) -> Ran:
    project.write("items.csv", MARKED)
    arguments = ["import", "items.csv", "-o", DECK, "--review", *options]
    lines = "".join(f"{line}\n" for line in typed)
    ran = CliRunner().invoke(main, arguments, input=lines, catch_exceptions=False)
    return Ran(ran.exit_code, ran.stdout, ran.stderr)


# What is doubted


def test_most_cards_have_no_text() -> None:
    doubts = list(doubt_cards(make("", "", "Beat it.")))
    assert [doubt.what for doubt in doubts] == ['2 of 3 cards have no text: "Card 1", "Card 2"']
    assert list_kinds(make("", "Play it.", "Beat it.")) == []
    assert list_kinds(make("", "", "")) == ["no-texts"]


def test_cards_of_values_alone_need_no_text() -> None:
    assert list_kinds(make("", "", "", damage="1d6")) == []
    assert list_kinds(make("", "", "Beat it.", damage="1d6")) == ["no-texts"]


def test_one_card_is_much_longer() -> None:
    usual = ["It rings twice."] * 9
    (doubt,) = doubt_cards(make(*usual, "word " * 100))
    assert doubt.what == ('"Card 10" is very long: up to 100 words, where a card usually has 3')
    assert list_kinds(make(*usual, "word " * 99)) == []
    assert list_kinds(make(*["word " * 11] * 9, "word " * 109)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Deals {@damage 2d6}.",
        "See [[Sword of Dawn]].",
        "See [the sword](sword.md).",
        "It is [b]loud[/b].",
        "It is <blink>loud</blink>.",
        "It is &notasign; loud.",
        "### Effect",
        "**Loud",
        "| --- | --- |",
        '{"type": "list"}',
        "@Compendium[spells.fire]",
        "{{name}} rings.",
    ],
)
def test_markup_that_nobody_reads(text: str) -> None:
    assert list_kinds(make("It rings.", text)) == ["markup"]


@pytest.mark.parametrize(
    "text",
    [
        "Roll 2 < 3 dice, or 3 > 2.",
        "Choose [two].",
        "Arms & men; drums #1 and #2.",
        "A -- B, {2} or {W}, 5 * 4.",
        '"Charge!" (see above)',
    ],
)
def test_signs_that_are_no_markup(text: str) -> None:
    assert list_kinds(make("It rings.", text)) == []


def test_signs_in_brackets_on_many_cards() -> None:
    """Two may be words that somebody put in brackets."""
    assert list_kinds(make("Pay [click].", "Take [click].", "Rings.")) == []
    assert list_kinds(make("Pay [click].", "Take [click].", "[click]: draw.")) == ["markup"]


def test_bold_words_in_a_field_are_printed_so() -> None:
    assert list_kinds(make("It rings.", more="**Loud**, *very* ***loud***.")) == []
    assert list_kinds(make("It rings.", more="**Loud")) == ["markup"]


def test_markup_in_a_field() -> None:
    assert list_kinds(make("It rings.", range="{@b near}")) == ["markup"]


# How much of a document is explained

GUESSES = (
    Guess("headings of level 3", 40, ("Sword of Dawn", "Wooden Spoon", "Drum", "Fife")),
    Guess("bold lines", 12, ("Range",)),
)


def test_a_document_is_explained() -> None:
    assert check_explained(75, 100, GUESSES, "a.md") == ()
    (doubt,) = check_explained(74, 100, GUESSES, "a.md")
    assert (doubt.kind, doubt.sure) == ("left-out", 0.74)
    assert doubt.what.startswith("only 74 of 100 lines of a.md are explained by the cards")


def test_little_is_explained() -> None:
    with pytest.raises(CardgenError) as raised:
        check_explained(49, 100, GUESSES, "a.md")
    (problem,) = raised.value.problems
    assert problem.code == "import/little-found"
    assert problem.details["guesses"] == (
        '40 headings of level 3 ("Sword of Dawn", "Wooden Spoon", "Drum")',
        '12 bold lines ("Range")',
    )
    assert (problem.details["explained"], problem.details["lines"]) == (49, 100)
    assert (problem.hint or "").startswith("it saw 40 headings of level 3 ")
    assert "--name" in (problem.hint or "")


def test_who_points_is_not_stopped() -> None:
    (doubt,) = check_explained(10, 100, GUESSES, "a.md", pointed=True)
    assert doubt.sure == 0.1


# Where it is said


def test_the_report_says_it(project: Project) -> None:
    project.write("items.csv", MARKED)
    ran = project.run("import", "items.csv", "-o", DECK, "--report", "report.html")
    assert ran.code == 0
    assert f"the deck as a whole:\n     ? {SAID}\n" in ran.stdout
    assert ran.stdout.endswith("3 designs, 3 cards; 1 doubt of the deck as a whole\n")
    page = (project.folder / "report.html").read_text()
    assert '<h2>The deck as a whole</h2><p class="doubt">? markup is printed' in page


def test_the_report_as_data(project: Project) -> None:
    project.write("items.csv", MARKED)
    project.run("import", "items.csv", "-o", DECK, "--report", "report.json")
    report = json.loads((project.folder / "report.json").read_text())
    assert report["doubts"] == [{"what": SAID, "sure": 0.6, "kind": "markup"}]
    assert report["answers"] == []


def test_strict_counts_it(project: Project) -> None:
    project.write("items.csv", MARKED)
    ran = project.run("import", "items.csv", "-o", DECK, "--strict")
    assert (ran.code, ran.stderr) == (1, f"the deck as a whole: {SAID}\n")
    assert project.list_files() == ["items.csv"]


def test_a_review_asks_about_it(project: Project) -> None:
    ran = answer(project, "l", "?", "k", options=("--strict",))
    assert ran.code == 0
    assert f"doubt 1 of 1\n\nthe deck as a whole\n\n? {SAID}\n  60% sure\n" in ran.stderr
    assert '"l" is no answer' in ran.stderr
    assert "k  keep the deck as it is; the doubt is settled" in ran.stderr
    assert f"     = {SAID}: kept as it is\n" in ran.stdout


def test_a_review_leaves_it_open(project: Project) -> None:
    assert answer(project, "d", options=("--strict",)).code == 1
    ran = answer(project, "d")
    assert f"     ? {SAID}\n" in ran.stdout


def test_a_review_stops_at_it(project: Project) -> None:
    assert answer(project, "s").code == 1
    assert project.list_files() == ["items.csv"]


def test_what_was_settled_is_not_asked_again(project: Project) -> None:
    answer(project, "k")
    again = answer(project)
    assert (again.code, again.stderr) == (0, "nothing is in doubt\n")
    assert f"     = {SAID}: settled before\n" in again.stdout
    assert answer(project).stderr == "nothing is in doubt\n"


def test_fields_that_a_deck_of_old_does_not_print(project: Project) -> None:
    """A new deck has a template for them; one that is there keeps its own."""
    import_table(project, "Name,Cost,Text\nAxe,5,Chops.\nSaw,6,Saws.\n")
    table = "Name,Cost,Weight,Length,Text\nAxe,5,1 kg,2 m,Chops.\nSaw,6,,,Saws.\n"
    said = import_table(project, table)
    unprinted = f"no template of {DECK} prints weight, length; template: fields prints all that"
    assert f"? {unprinted}" in said
    deck = project.folder / DECK
    deck.write_text(deck.read_text("utf-8").replace("poker-basic", "fields"), "utf-8")
    assert "no template of" not in import_table(project, table)


def import_table(project: Project, table: str) -> str:
    project.write("items.csv", table)
    ran = project.run("import", "items.csv", "-o", DECK)
    assert ran.code == 0, ran.stderr
    return ran.stdout
