"""`cardgen diff`: what differs between two decks, in words, as JSON and as faces side by side."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from making import load_deck
from pypdf import PdfReader
from strategies import examples

from cardgen.cli.wording import Words, compare_words, format_comparison, format_words
from cardgen.core.geometry import Size
from cardgen.core.library import HOME
from cardgen.deck.compare import compare_decks
from cardgen.pages.sheets.pairs import Pair, arrange_pairs

BASE = """title: Swords
template: plain
defaults: {kind: weapon}
cards:
- {name: Dawn, cost: 15, text: Once per game the bearer may re-roll one failed die of his own.}
- {name: Dusk, cost: 10, keys: [a, b]}
- {name: Noon, count: 2}
- {name: Spoon, kind: curse}
"""
VARIANT = """title: Knives
extends: base
size: 60mm x 45mm
drop: [noon]
change:
  dawn:
    text: Twice per game the bearer may re-roll one failed die of his own.
    cost: null
  dusk: {name: Gloom, count: 3, keys: [a]}
add:
- {name: Fork, count: 2}
order: [fork, spoon]
"""
SAID = """base → variant
  title: Swords → Knives
  size: nothing → 60mm x 45mm
dropped: 1 design
  Noon (noon), 2 copies
added: 1 design
  Fork (fork), 2 copies
changed: 2 designs
  Dawn (dawn)
    cost: 15 → nothing
    text: [-Once-] {+Twice+} per game the bearer …
  Dusk (dusk)
    name: Dusk → Gloom
    count: 1 → 3
    keys: ["a", "b"] → ["a"]
moved: 1 design
  Spoon (spoon): place 3 → 1
4 designs, 5 cards → 4 designs, 7 cards
"""


@pytest.fixture
def decks(project: Project) -> Project:
    project.write_template("<text>{{ card.name }}</text>")
    project.write("decks/base.yaml", BASE)
    project.write("decks/variant.yaml", VARIANT)
    return project


def test_a_difference_in_words(decks: Project) -> None:
    ran = decks.run("diff", "base", "variant")
    assert (ran.code, ran.stderr, ran.stdout) == (1, "", SAID)
    assert not (decks.folder / "output").exists()


def test_decks_that_say_the_same(decks: Project) -> None:
    decks.write("decks/other.yaml", "title: Swords\nextends: base\n")
    ran = decks.run("diff", "base", "other", "--pdf")
    assert (ran.code, ran.stdout) == (0, "base and other say the same: 4 designs, 5 cards\n")
    assert not (decks.folder / "output").exists()
    assert json.loads(decks.run("diff", "base", "base", "--json").stdout)["equal"] is True


def test_a_template_that_all_cards_change_is_said_once(decks: Project) -> None:
    decks.write_template("<text>{{ card.name }}</text>", "other")
    decks.write("decks/other.yaml", "title: Swords\nextends: base\ntemplate: other\n")
    told = decks.run("diff", "base", "other").stdout.splitlines()
    assert told == [
        "base → other",
        "  template: plain → other",
        "4 designs, 5 cards → 4 designs, 5 cards",
    ]
    text = "title: Swords\nextends: base\nchange: {dusk: {template: other}}\n"
    decks.write("decks/other.yaml", text)
    told = decks.run("diff", "base", "other").stdout.splitlines()
    assert told[1:4] == ["changed: 1 design", "  Dusk (dusk)", "    template: plain → other"]


def test_a_difference_as_json(decks: Project) -> None:
    ran = decks.run("diff", "base", "variant", "--json")
    assert (ran.code, ran.stderr) == (1, "")
    found = json.loads(ran.stdout)
    assert found["equal"] is False
    assert found["changes"]["title"] == {"before": "Swords", "after": "Knives"}
    assert [card["id"] for card in found["added"]] == ["fork"]
    assert found["dropped"][0]["count"] == 2
    assert found["changed"][1]["changes"]["keys"] == {"before": ["a", "b"], "after": ["a"]}
    assert found["moved"] == [{"id": "spoon", "name": "Spoon", "before": 3, "after": 1}]


def test_a_difference_as_faces(decks: Project) -> None:
    ran = decks.run("diff", "base", "variant", "--pdf")
    assert ran.stdout.splitlines()[-1] == "output/variant-diff.pdf: 1 page"
    page = PdfReader("output/variant-diff.pdf").pages[0]
    words = page.extract_text().split()
    # A changed card stands there twice with its name and once in its line; so here is Dawn.
    assert words.count("Dawn") + words.count("Dawn:") == 3
    assert words.count("Gloom") == 1
    assert words.count("Gloom:") == 1
    assert words.count("Fork") + words.count("Fork:") == 2
    assert words.count("Noon") + words.count("Noon:") == 2
    # With another size all cards look different.
    assert words.count("Spoon") == 3
    first = (decks.folder / "output/variant-diff.pdf").read_bytes()
    decks.run("diff", "base", "variant", "--pdf")
    assert (decks.folder / "output/variant-diff.pdf").read_bytes() == first


def test_backs_that_changed_are_shown_once(decks: Project) -> None:
    decks.write_template("<text>Back</text>", "blue")
    text = "title: Swords\nextends: base\nback: blue\n"
    decks.write("decks/other.yaml", text)
    decks.run("diff", "base", "other", "--pdf")
    words = PdfReader("output/other-diff.pdf").pages[0].extract_text().split()
    assert words.count("Back") == 1


def test_what_is_wrong_with_either_deck(decks: Project) -> None:
    ran = decks.run("diff", "base", "varient")
    assert (ran.code, ran.stderr) == (
        1,
        'unknown deck "varient"\n  hint: did you mean "variant"?\n',
    )
    assert decks.run("diff", "base").code == 2
    decks.write("decks/other.yaml", "extends: base\ntemplate: nosuch\n")
    ran = decks.run("diff", "base", "other", "--pdf")
    assert ran.code == 1
    assert 'unknown template "nosuch"' in ran.stderr
    assert not (decks.folder / "output/other-diff.pdf").exists()
    decks.write_template('<box width="90mm" fill="black"/>', "wide")
    decks.write("decks/other.yaml", "extends: base\ntemplate: wide\n")
    assert "beyond the card's right edge" in decks.run("diff", "base", "other", "--pdf").stderr


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("a b c", "a x c", "a [-b-] {+x+} c"),
        ("a b c", "a b c d", "a b c {+d+}"),
        ("a b", "a\n\nb", "a {+¶+} b"),
        ("a  b", "a b", "only blanks and line ends differ"),
        ("", "a", "{+a+}"),
        ("1 2 3 4 5 6 7 8 9 x", "1 2 3 4 5 6 7 8 9 y", "… 6 7 8 9 [-x-] {+y+}"),
        ("x 1 2 3 4 5 6 7 8 9 0 x", "y 1 2 3 4 5 6 7 8 9 0 y", None),
    ],
)
def test_texts_are_compared_word_by_word(before: str, after: str, shown: str | None) -> None:
    assert format_words(before, after) == (shown or "[-x-] {+y+} 1 2 3 4 … 7 8 9 0 [-x-] {+y+}")


WORDS = st.lists(st.sampled_from("abc"), max_size=30).map(" ".join)


@examples(200)
@given(WORDS, WORDS)
def test_no_word_that_changed_is_left_out(before: str, after: str) -> None:
    found = compare_words(before, after)
    assert (found == []) == (before == after)
    for words in found:
        there = {"gone": before, "come": after, "kept": f"{before} …"}[words.kind]
        assert set(words.text.split()) <= set(there.split())
    assert bool(found) == any(words.kind != "kept" for words in found)


def test_what_differs_is_marked_and_nothing_else(decks: Project) -> None:
    """Even where the text itself looks like a mark."""
    base = "{name: Dawn, text: 'Once per game [-re-roll-] one failed die of the bearer.'}"
    decks.write_deck(f"- {base}\n", "one")
    decks.write_deck(f"- {base.replace('failed', 'good')}\n", "two")
    found = compare_decks(load_deck("one"), load_deck("two"))

    def mark(words: Words) -> str:
        return f"<{words.kind}>" if words.kind != "kept" else words.text

    line = "    text: Once per game [-re-roll-] one <gone> <come> die of the bearer."
    assert line in format_comparison(found, mark).splitlines()


@examples(50)
@given(st.permutations("abcdef"), st.sets(st.sampled_from("abcdef")))
def test_cards_that_did_not_move_stand_in_the_same_order(
    order: list[str], dropped: set[str]
) -> None:
    deck = load_deck(HOME / "decks/artillery.yaml")
    cards = {name: replace(deck.cards[0], id=name, name=name) for name in "abcdef"}
    before = replace(deck, cards=tuple(cards.values()))
    kept = [name for name in order if name not in dropped] or ["a"]
    found = compare_decks(before, replace(deck, cards=tuple(cards[name] for name in kept)))
    moved = {one.card.id for one in found.moved}
    staying = [name for name in kept if name not in moved]
    assert staying == sorted(staying)
    assert {card.id for card in found.dropped} == set("abcdef") - set(kept)
    for one in found.moved:
        assert kept[one.after - 1] == one.card.id


@pytest.mark.parametrize("paper", [Size(595, 842), Size(612, 792)])
@pytest.mark.parametrize("card", [Size(180, 252), Size(252, 396), Size(595, 842), Size(60, 60)])
def test_pairs_lie_on_the_paper_and_apart(card: Size, paper: Size) -> None:
    pairs = [Pair("one", True, True)] * 7
    pages = list(arrange_pairs(pairs, "title", card, card, paper))
    placed = [place for page in pages for place in page.placements]
    assert [place.index for place in placed] == list(range(14))
    for page in pages:
        trims = [place.trim for place in page.placements]
        for number, trim in enumerate(trims):
            assert page.trim.contains(trim)
            assert not any(trim.overlaps(other) for other in trims[:number])
    if card == Size(180, 252):
        assert placed[0].scale == 1
        assert len(pages) == 2
