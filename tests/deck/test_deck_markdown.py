"""Markdown files as decks of one card, and the exact words for what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.markdown import TURN
from cardgen.deck.model import MAX_FIELD, Deck
from cardgen.deck.read import read_deck_file


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str) -> Deck:
    path = Path("play-sheet.md")
    path.write_text(text, encoding="utf-8")
    return read_deck_file(path)


def test_a_sheet_with_front_matter() -> None:
    deck = read(
        "---\ntitle: Rules\ntemplate: two-columns\nauthor: A. Nobody\nlanguage: de\n"
        "target: letter\nback: red\nedition: 2\ncount: 3\nid: rules-2\n---\n\n\n"
        "# The rules\n\nRoll a die.\n\n"
    )
    assert (deck.title, deck.author, deck.language) == ("Rules", "A. Nobody", "de")
    assert (deck.target, len(deck.cards)) == ("letter", 1)
    card = deck.cards[0]
    assert (card.id, card.name, card.count) == ("rules-2", "Rules", 3)
    assert (card.template, card.back) == ("two-columns", "red")
    assert card.fields == {"edition": 2, "text": "# The rules\n\nRoll a die."}
    assert card.where == Where("play-sheet.md", 14)


def test_a_sheet_without_front_matter() -> None:
    deck = read("\nRoll a die.\n")
    card = deck.cards[0]
    assert (deck.title, card.name, card.id, card.template) == (
        "Play sheet",
        "Play sheet",
        "play-sheet",
        "sheet",
    )
    assert card.fields == {"text": "Roll a die."}
    assert card.where.line == 2


def test_a_name_of_its_own() -> None:
    assert read("---\nname: 1984\ntitle: T\n---\nHello\n").cards[0].name == "1984"


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("# The *rules*\n", "The rules"),
        ("Hello\n\n  # Rules ##\n# More\n", "Rules"),
        ("```\n# no\n~~~\n# no\n```\n# Yes\n", "Yes"),
        ("## Second\n#Tag\n", "Play sheet"),
        ("#\n", "Play sheet"),
        ("---\nauthor: A\n---\n# Rules\n", "Rules"),
        ("---\ntitle: T\n---\n# Rules\n", "T"),
        ("---\n---\n# Rules\n", "Rules"),
    ],
)
def test_where_a_title_comes_from(body: str, title: str) -> None:
    assert read(body).title == title


def test_a_sheet_with_two_sides() -> None:
    card = read("---\ntitle: T\n---\n\n# Front\n\n1 +++\n\n+++\n\n# Back\n\n ++++\n").cards[0]
    assert (card.template, card.back) == ("sheet", "sheet-back")
    assert card.fields == {"text": "# Front\n\n1 +++", "back_text": "# Back\n\n ++++"}
    assert card.where == Where("play-sheet.md", 5)


@pytest.mark.parametrize(("back", "found"), [("red", "red"), ("none", None), ("", "sheet-back")])
def test_a_back_that_the_front_matter_names(back: str, found: str | None) -> None:
    assert read(f"---\nback: {back}\n---\nFront\n+++\nBack\n").cards[0].back == found


def test_a_sheet_that_is_not_turned_has_no_back() -> None:
    card = read("Front\n\n ++\n").cards[0]
    assert card.back is None
    assert "back_text" not in card.fields
    named = read("---\nback: red\nback_text: B\n---\nFront\n").cards[0]
    assert (named.back, named.fields["back_text"]) == ("red", "B")


def test_windows_line_ends_and_blanks_behind_the_turn() -> None:
    assert read("Front\r\n+++ \r\nBack\r\n").cards[0].fields["back_text"] == "Back"


def test_the_title_may_stand_on_the_back() -> None:
    assert read("Front\n+++\n# Back\n").title == "Back"


def test_both_sides_are_printed(project: Project) -> None:
    project.write_template("<flow>{{ card.text }}</flow>", "sheet", 'size="page"')
    project.write_template("<flow>{{ card.back_text }}</flow>", "sheet-back", 'size="page"')
    project.write("decks/rules.md", "# Front\n\n+++\n\n# Back\n")
    assert project.find_problems("rules") == ""
    assert project.build("rules").pages == 2


WRONG: dict[str, tuple[str, str]] = {
    "empty": (
        "",
        "play-sheet.md:1: there is no text for the sheet\n"
        "  hint: write Markdown below the front matter",
    ),
    "front matter alone": (
        "---\ntitle: A\n---\n\n",
        "play-sheet.md:5: there is no text for the sheet\n"
        "  hint: write Markdown below the front matter",
    ),
    "open front matter": (
        "---\ntitle: A\n\n# Rules\n",
        "play-sheet.md:1: the front matter that this line opens is never closed\n"
        '  hint: write a line "---" below it',
    ),
    "keys of other decks": (
        "---\ncards: []\ndefaults: {}\nsheet: A\ntext: B\nextends: C\n---\nHello\n",
        'play-sheet.md:2:1: a Markdown deck cannot hold "cards"\n  hint: it is a single card\n'
        'play-sheet.md:3:1: a Markdown deck cannot hold "defaults"\n  hint: it is a single card\n'
        'play-sheet.md:4:1: a Markdown deck cannot hold "sheet"\n  hint: it is a single card\n'
        'play-sheet.md:5:1: "text" is the text below the front matter\n'
        "  hint: give this field another name\n"
        'play-sheet.md:6:1: a Markdown deck cannot hold "extends"\n  hint: it is a single card',
    ),
    "turned twice": (
        "---\ntitle: A\n---\nFront\n+++\nBack\n+++\nMore\n+++\nStill\n",
        "play-sheet.md:7: the sheet is turned a second time\n"
        '  hint: it has two sides: delete this line, or the "+++" in line 5\n'
        "play-sheet.md:9: the sheet is turned a second time\n"
        '  hint: it has two sides: delete this line, or the "+++" in line 5',
    ),
    "nothing on either side": (
        "---\ntitle: A\n---\n\n+++\n\n \n",
        "play-sheet.md:4: there is no text for the sheet\n"
        "  hint: write Markdown below the front matter\n"
        "play-sheet.md:7: there is no text for the back of the sheet\n"
        '  hint: write Markdown below "+++"',
    ),
    "a field of the name of the back's text": (
        "---\ntitle: A\nback_text: B\n---\nFront\n+++\nBack\n",
        'play-sheet.md:3:1: "back_text" is the text below "+++"\n'
        "  hint: give this field another name",
    ),
    "values on the back": (
        "# A\n+++\n\nBack\x07\n",
        'play-sheet.md:4: field "back_text" in card "A" holds the control character U+0007\n'
        "  hint: delete it",
    ),
    "mistyped keys": (
        "---\ntitle: T\ntempalte: B\nauthr: A\nauther: B\nco-author: C\n---\nHello\n",
        'play-sheet.md:3:1: unknown field "tempalte" in card "T"\n'
        '  hint: did you mean "template"?\n'
        'play-sheet.md:4:1: unknown field "authr" in card "T"\n  hint: did you mean "author"?\n'
        'play-sheet.md:5:1: unknown field "auther" in card "T"\n  hint: did you mean "author"?\n'
        'play-sheet.md:6:1: field "co-author" in card "T" has a forbidden name\n'
        "  hint: use letters, digits and underscores, and begin with a letter",
    ),
    "broken front matter": (
        "---\ntitle: A\n  b: c\n---\nHello\n",
        "play-sheet.md:3:4: not valid YAML: mapping values are not allowed in this context\n"
        '  hint: put a text that holds ": " in quotes, and indent keys of one mapping alike',
    ),
    "a list": (
        "---\n- A\n---\nHello\n",
        "play-sheet.md:2:1: a deck is a mapping of keys, not a list\n"
        "  hint: a deck looks like this:\n    title: Magic items\n    cards:\n"
        "      - name: Sword of Fate\n        count: 2\n        text: Once per game",
    ),
    "values": (
        "---\ntitle: A\ncount: 2x\nlanguage: english\n---\nHello\x07\n",
        'play-sheet.md:3:8: count in card "A" must be a whole number from 0 to 10,000, '
        'not "2x"\n  hint: write a number alone: 2\n'
        'play-sheet.md:4:11: language "english" is no language tag\n'
        "  hint: write en, en-GB or de\n"
        'play-sheet.md:6: field "text" in card "A" holds the control character U+0007\n'
        "  hint: delete it",
    ),
    "too long": (
        f"# A\n{'x' * MAX_FIELD}\n",
        f'play-sheet.md:1: field "text" in card "A" is {MAX_FIELD + 4:,} characters long; '
        f"allowed are {MAX_FIELD:,}\n  hint: spread it over several cards",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong(case: str) -> None:
    text, message = WRONG[case]
    with pytest.raises(CardgenError) as caught:
        read(text)
    assert str(caught.value) == message


LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=20).filter(
        lambda line: line.rstrip() != TURN
    ),
    max_size=6,
)


@settings(deadline=None)
@given(LINES, st.integers(0, 5), st.booleans())
def test_the_text_begins_in_the_line_that_the_card_names(
    lines: list[str], blank: int, has_front_matter: bool
) -> None:
    front = ["---", "title: T", "---"] if has_front_matter else []
    source = [*front, *[""] * blank, "First", *lines]
    card = read("\n".join(source)).cards[0]
    assert card.where.line is not None
    assert card.fields["text"] == "\n".join(source[card.where.line - 1 :]).rstrip("\n")
    assert source[card.where.line - 1] == "First"
