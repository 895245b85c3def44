"""Decks in another language: overlays with their texts, and the words of templates."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Project
from lxml import etree
from making import check, load_deck
from pypdf import PdfReader

from cardgen.core.library import HOME, Library
from cardgen.deck.dictionary import read_words
from cardgen.deck.model import Translation

DECK = """title: Swords
template: plain
defaults: {uses: null}
cards:
- {name: Sword of Dawn, text: Once per game., uses: Twice a day, keys: [light, fire], cost: 5}
- {name: Sword of Dusk, text: The bearer never flees.}
- {name: Spoon, text: null}
"""
GERMAN = """title: Schwerter
cards:
  sword-of-dawn: {name: Morgenschwert, text: Einmal pro Spiel., keys: [Licht, Feuer]}
  sword-of-dusk:
    name: Abendschwert
    text:
  spoon: {name: Löffel}
"""
TEMPLATE = """<column>
<text>{{ "Cost"|t }}: {{ card.name }}</text>
<text if="card.uses">{{ card.uses|t }}</text>
</column>"""


@pytest.fixture
def swords(project: Project) -> Project:
    project.write_template(TEMPLATE)
    project.write("decks/swords.yaml", DECK)
    project.write("decks/swords.de.yaml", GERMAN)
    project.write("words/de.yaml", "Cost: Preis\n")
    return project


def read_text(path: str) -> str:
    return " ".join(page.extract_text() for page in PdfReader(path).pages)


def complain(project: Project, *arguments: str) -> str:
    ran = project.run(*arguments)
    assert (ran.code, ran.stdout) == (1, "")
    return ran.stderr


# Overlays


@pytest.mark.usefixtures("swords")
def test_a_deck_in_another_language() -> None:
    deck = load_deck("swords", lang="de")
    assert (deck.name, deck.title, deck.language) == ("swords", "Schwerter", "de")
    assert [card.name for card in deck.cards] == ["Morgenschwert", "Abendschwert", "Löffel"]
    ids = [card.id for card in deck.cards]
    assert ids == ["sword-of-dawn", "sword-of-dusk", "spoon"]
    assert deck.cards[0].fields["keys"] == ["Licht", "Feuer"]
    assert deck.cards[0].fields["cost"] == 5
    assert deck.cards[1].fields["text"] == "The bearer never flees."
    assert load_deck("swords").title == "Swords"


def test_what_is_missing_is_counted_and_named(swords: Project) -> None:
    ran = swords.run("build", "swords", "--lang", "de")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [
        "output/swords-de.pdf: 3 cards on 1 page",
        "  not in de: text of 1 card (Abendschwert)",
        '  no word in de for "Twice a day"; write them into words/de.yaml of your project',
    ]
    text = read_text("output/swords-de.pdf")
    assert "Preis: Morgenschwert" in text
    assert "Cost" not in text
    swords.write("decks/swords.de.yaml", "cards: {spoon: {name: Löffel}}\n")
    told = swords.run("check", "swords", "--lang", "de").stdout.splitlines()
    assert "  not in de: the title" in told
    assert "  not in de: name of 2 cards (Sword of Dawn, Sword of Dusk)" in told


def test_a_whole_translation_is_told_of_nothing(swords: Project) -> None:
    whole = GERMAN.replace("text:\n", "text: Er flieht nie.\n")
    swords.write("decks/swords.de.yaml", whole)
    swords.write("words/de.yaml", "Cost: Preis\nTwice a day: Zweimal\n")
    ran = swords.run("build", "swords", "--lang", "de")
    assert ran.stdout == "output/swords-de.pdf: 3 cards on 1 page\n"
    assert "Zweimal" in read_text("output/swords-de.pdf")


def test_what_is_missing_is_information_for_editors(swords: Project) -> None:
    ran = swords.run("check", "swords", "--lang", "de", "--json")
    records = json.loads(ran.stdout)
    assert ran.code == 0
    assert {record["severity"] for record in records} == {"information"}
    assert [record["field"] for record in records] == ["text", None]


def test_list_show_and_diff(swords: Project) -> None:
    assert "Schwerter" in swords.run("list", "--lang", "de").stdout
    assert "Magic Items" in swords.run("list", "--lang", "de").stdout
    assert swords.run("show", "swords", "--lang", "de").stdout.startswith("Schwerter: 3 designs")
    swords.write("decks/few.yaml", "extends: swords\ndrop: [spoon]\n")
    assert "Löffel (spoon)" in swords.run("diff", "swords", "few", "--lang", "de").stdout


def test_build_without_a_name_takes_the_decks_that_have_texts(swords: Project) -> None:
    swords.write_deck(name="other")
    told = swords.run("build", "--lang", "de").stdout.splitlines()
    assert [line for line in told if line[0] != " "] == ["output/swords-de.pdf: 3 cards on 1 page"]
    assert 'no deck has texts in "it"' in complain(swords, "build", "--lang", "it")


def test_an_overlay_is_no_deck(swords: Project) -> None:
    assert Library(swords.folder).list_own("deck") == ["swords"]
    assert complain(swords, "build", "decks/swords.de.yaml") == (
        '"decks/swords.de.yaml" is no deck: it holds the texts of "swords" in de\n'
        "  hint: build swords with --lang de\n"
    )


def test_a_language_without_an_overlay(swords: Project) -> None:
    swords.write("decks/swords.it.yaml", "title: Spade\n")
    assert complain(swords, "build", "swords", "--lang", "fr") == (
        'decks/swords.yaml: the deck "swords" has no texts in "fr"\n'
        "  hint: there are: de, it; or write them into swords.fr.yaml\n"
    )
    assert "is no language tag" in complain(swords, "check", "swords", "--lang", "German!")


def test_the_deck_s_own_language_needs_no_overlay(swords: Project) -> None:
    ran = swords.run("build", "swords", "--lang", "en")
    assert ran.stdout == "output/swords.pdf: 3 cards on 1 page\n"
    text = "title: S\ntemplate: plain\nlanguage: en-GB\ncards: [{name: A, uses: null}]\n"
    swords.write("decks/british.yaml", text)
    assert swords.run("build", "british", "--lang", "en").code == 0
    assert swords.run("build", "british", "--lang", "en-US").code == 1


def test_a_language_of_another_country_takes_what_there_is(swords: Project) -> None:
    deck = load_deck("swords", lang="de-AT")
    assert (deck.language, deck.title) == ("de-AT", "Schwerter")
    swords.write("decks/swords.de-AT.yaml", "title: Säbel\n")
    assert load_deck("swords", lang="de-at").title == "Säbel"
    assert "Preis" in read_words(Library(swords.folder), "de-AT").known.values()


def test_a_variant_takes_over_the_texts_of_its_base(swords: Project) -> None:
    swords.write(
        "decks/few.yaml",
        "extends: swords\ndrop: [spoon]\nchange: {sword-of-dawn: {text: Twice per game.}}\n"
        "add: [{name: Fork, like: sword-of-dusk}]\n",
    )
    deck = load_deck("few", lang="de")
    assert [card.name for card in deck.cards] == ["Morgenschwert", "Abendschwert", "Fork"]
    assert deck.cards[0].fields["text"] == "Twice per game."
    assert deck.translation is not None
    missing = {gap.field: gap.cards for gap in deck.translation.missing}
    assert missing["title"] == ()
    assert missing["name"] == ("Fork",)
    assert missing["text"] == ("Morgenschwert", "Abendschwert", "Fork")
    swords.write("decks/few.de.yaml", "title: Wenige\ncards: {fork: {name: Gabel}}\n")
    deck = load_deck("few", lang="de")
    assert (deck.title, deck.cards[2].name) == ("Wenige", "Gabel")


def test_an_overlay_of_a_table_a_play_sheet_and_one_of_ours(project: Project) -> None:
    project.write("decks/table.csv", "name,text\nSword,It cuts.\n")
    project.write("decks/table.de.yaml", "cards: {sword: {name: Schwert, text: Es schneidet.}}\n")
    assert load_deck("table", lang="de").cards[0].fields["text"] == "Es schneidet."
    project.write("decks/page.md", "---\ntitle: Page\n---\n# Orders\n\nRoll.\n")
    project.write("decks/page.de.yaml", 'cards: {page: {text: "# Befehle"}}\ntitle: Seite\n')
    deck = load_deck("page", lang="de")
    assert (deck.title, deck.cards[0].fields["text"]) == ("Seite", "# Befehle")
    project.write("decks/magic.de.yaml", "cards: {sword-of-fate: {name: Schicksalsschwert}}\n")
    deck = load_deck("magic", lang="de")
    assert deck.cards[0].name == "Schicksalsschwert"
    project.write("decks/magic.yaml", "extends: magic\nkeep: [sword-of-fate]\n")
    assert load_deck("magic", lang="de").cards[0].name == "Schicksalsschwert"


WRONG = {
    "unknown card": (
        "cards: {sword-of-down: {name: A}}",
        'decks/swords.de.yaml:1:9: unknown card "sword-of-down"\n'
        '  hint: did you mean "sword-of-dawn"?',
    ),
    "a name for an id": (
        "cards:\n  Sword of Dawn: {name: A}",
        'decks/swords.de.yaml:2:3: unknown card "Sword of Dawn"\n'
        '  hint: did you mean "sword-of-dawn"?',
    ),
    "unknown field": (
        "cards:\n  spoon: {txet: A}",
        'decks/swords.de.yaml:2:11: unknown field "txet" of card "spoon"\n'
        '  hint: did you mean "text"?',
    ),
    "unknown key": (
        "titel: A",
        'decks/swords.de.yaml:1:1: unknown key "titel"\n  hint: did you mean "title"?',
    ),
    "a count": (
        "cards: {spoon: {count: 3}}",
        'decks/swords.de.yaml:1:17: "count" of card "spoon" is no text\n'
        "  hint: write it in the deck",
    ),
    "no text there": (
        "cards: {spoon: {text: A}}",
        'decks/swords.de.yaml:1:17: card "spoon" has no text "text" in the deck, but nothing\n'
        "  hint: delete it here",
    ),
    "a number there": (
        "cards: {sword-of-dawn: {cost: six}}",
        'decks/swords.de.yaml:1:25: card "sword-of-dawn" has no text "cost" in the deck, but 5\n'
        "  hint: delete it here",
    ),
    "a list for a text": (
        "cards: {spoon: {name: [A]}}",
        'decks/swords.de.yaml:1:23: "name" of card "spoon" must be a text, not a list',
    ),
    "a text for a list": (
        "cards: {sword-of-dawn: {keys: A}}",
        'decks/swords.de.yaml:1:31: "keys" of card "sword-of-dawn" must be a list, not "A"',
    ),
    "cards as a list": (
        "cards: [{name: A}]",
        "decks/swords.de.yaml:1:8: cards must be a mapping of ids to fields, not a list",
    ),
    "texts as a text": (
        "cards: {spoon: Löffel}",
        'decks/swords.de.yaml:1:16: the texts of card "spoon" must be a mapping, not "Löffel"',
    ),
    "a control character": (
        'cards: {spoon: {name: "a\\bc"}}',
        "decks/swords.de.yaml:1:23: name of card 3 holds the control character U+0008",
    ),
    "nothing at all": ("", "decks/swords.de.yaml: the file is empty"),
    "a list": ("- A", "decks/swords.de.yaml:1:1: the file holds a list, not a mapping"),
    "no YAML": ("cards: {", "decks/swords.de.yaml:2:1: not valid YAML: "),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_an_overlay(swords: Project, case: str) -> None:
    text, said = WRONG[case]
    swords.write("decks/swords.de.yaml", f"{text}\n")
    assert complain(swords, "check", "swords", "--lang", "de").startswith(said)
    assert swords.run("check", "swords").code == 0


def test_everything_wrong_is_said_at_once(swords: Project) -> None:
    swords.write("decks/swords.de.yaml", "titel: A\ncards: {spon: {}, spoon: {nmae: A}}\n")
    assert complain(swords, "check", "swords", "--lang", "de").count("hint: did you mean") == 3


def test_the_overlay_of_the_docs_is_one(project: Project) -> None:
    page = (Path(__file__).parent.parent.parent / "docs/deck-format.md").read_text("utf-8")
    blocks = re.findall(r"```(?:text|yaml example=swords)\n(.*?)```", page, re.DOTALL)
    for block in blocks:
        name = re.match(r"# ((?:decks|words)/\S+)\n", block)
        if name or block.startswith("title: Swords and other trouble"):
            project.write(name[1] if name else "decks/swords.yaml", block)
    assert project.list_files() == ["decks/swords.de.yaml", "decks/swords.yaml", "words/de.yaml"]
    told = project.run("build", "swords", "--lang", "de").stdout
    assert told in blocks
    assert "WEHR" in read_text("output/swords-de.pdf")


# An overlay to fill in


def test_an_overlay_to_fill_in(swords: Project) -> None:
    text = 'title: "Swords: a tale"\ntemplate: plain\nextends: swords\n'
    swords.write("decks/tale.yaml", text)
    ran = swords.run("translate", "tale", "--lang", "it")
    assert (ran.code, ran.stderr) == (0, "")
    written = Path("decks/tale.it.yaml").read_text("utf-8")
    assert "# Swords: a tale\ntitle:\n" in written
    assert "    # The bearer never flees.\n    text:\n" in written
    assert "keys" not in written
    told = swords.run("check", "tale", "--lang", "it").stdout
    assert "  not in it: the title\n" in told
    assert "  not in it: name of 3 cards (Sword of Dawn, Sword of Dusk, Spoon)\n" in told
    assert load_deck("tale", lang="it").cards[0].name == "Sword of Dawn"
    assert "is there already" in complain(swords, "translate", "tale", "--lang", "it")
    assert "is no language tag" in complain(swords, "translate", "tale", "--lang", "../x")
    assert swords.run("translate", "tale").code == 2


def test_an_overlay_of_ours_is_written_into_the_project(project: Project) -> None:
    for name in ("magic", "artillery", "playsheet"):
        assert project.run("translate", name, "--lang", "de").code == 0
        assert project.run("check", name, "--lang", "de").code == 0
    written = Path("decks/magic.de.yaml").read_text("utf-8")
    # German has the words for these already.
    assert "uses:" not in written
    assert "who:" not in written
    assert written.count("    text:\n") == 44


# Words


def test_a_word_stays_where_the_language_lacks_it(swords: Project) -> None:
    swords.write("words/de.yaml", "Prize: Preis\n")
    ran = swords.run("check", "swords", "--lang", "de")
    assert '  no word in de for "Cost", "Twice a day"' in ran.stdout


def test_a_deck_in_its_own_language_is_asked_for_template_words_alone(swords: Project) -> None:
    text = "title: S\ntemplate: plain\nlanguage: fr\ncards: [{name: A, uses: Une fois}]\n"
    swords.write("decks/french.yaml", text)
    told = swords.run("check", "french").stdout.splitlines()
    assert told[1:] == ['  no word in fr for "Cost"; write them into words/fr.yaml of your project']


def test_english_words_may_be_others_too(swords: Project) -> None:
    swords.write("words/en.yaml", "Cost: Points\n")
    swords.run("build", "swords")
    assert "Points: Sword of Dawn" in read_text("output/swords.pdf")


def test_what_is_no_text_stays_as_it_is(swords: Project) -> None:
    body = '<text>{{ 5|t }}{{ none|t }}{{ card.uses|t or "-" }}</text>'
    swords.write_template(body)
    assert swords.find_problems("swords") == ""
    swords.write_template("<text>{{ card.usse|t }}</text>")
    assert 'unknown field "usse" of card' in swords.find_problems("swords")
    swords.write_template("<text>{{ cord.uses|t }}</text>")
    problems = swords.find_problems("swords")
    assert "known names: card, deck, side" in problems or 'did you mean "card"?' in problems


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- Cost\n", "words/de.yaml:1:1: the file holds a list, not a mapping"),
        ("Cost: [A]\n", 'words/de.yaml:1:7: the word for "Cost" must be a text, not a list'),
        ('Cost: "a\\bc"\n', 'words/de.yaml:1:7: the word for "Cost" holds the control character'),
        ("Cost: A\nCost: B\n", 'words/de.yaml:2:1: the key "Cost" stands in line 1 already'),
    ],
)
def test_what_is_wrong_with_words(swords: Project, text: str, said: str) -> None:
    swords.write("words/de.yaml", text)
    assert complain(swords, "check", "swords", "--lang", "de").startswith(said)


@pytest.mark.parametrize(
    "path", sorted((HOME / "decks").glob("*.*")), ids=lambda path: str(path.stem)
)
def test_our_decks_print_no_english_word_of_a_template_in_german(path: Path) -> None:
    deck = load_deck(path)
    german = replace(deck, language="de", translation=Translation("de", "en", frozenset(), ()))
    assert check(german).gaps == ()


def test_our_templates_say_every_word_through_the_filter() -> None:
    """What stands in a text and is no expression is neither English nor German."""
    bare: list[str] = []
    for path in (HOME / "templates").rglob("*.xml"):
        for element in etree.parse(path).iter("text", "td", "flow"):
            plain = re.sub(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", "", element.text or "", flags=re.S)
            bare += [f"{path.name}: {word}" for word in re.findall(r"[A-Za-z]{3,}", plain)]
    assert bare == []


def test_what_is_wrong_with_a_text_of_an_overlay_is_told_of_there(project: Project) -> None:
    project.write_template('<text height="4mm">{{ card.text }}</text><text>{{ card.name }}</text>')
    project.write_deck("  - {name: Axe, text: Cuts}\n  - {name: Bow, text: ':fier:'}\n")
    long = "Schneidet sehr lange und sehr tief, " * 9
    overlay = f"cards:\n  axe:\n    text: '{long}'\n  bow: {{name: ':snwo:'}}\n  cub: {{name: a}}\n"
    project.write("decks/deck.de.yaml", overlay)
    ran = project.run("check", "deck", "--lang", "de")
    assert ran.code == 1
    said = [line for line in ran.stderr.splitlines() if not line.startswith("  hint")]
    assert said[0].startswith('decks/deck.yaml:4:5: card ":snwo:": unknown icon "fier"')
    assert said[1].startswith('decks/deck.de.yaml:3:11: card "Axe": its text is ')
    assert said[2].startswith('decks/deck.de.yaml:4:15: card ":snwo:": unknown icon "snwo"')
    assert said[3].startswith('decks/deck.de.yaml:5:3: unknown card "cub"')
    assert len(said) == 4
