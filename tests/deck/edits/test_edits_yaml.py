"""A YAML deck of any layout says what is wanted after a change, and nothing else of it changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import Laid, draw_decks, keys, values
from strategies import examples

from cardgen.core.errors import CardgenError, Problem
from cardgen.deck.edits import pieces
from cardgen.deck.edits.pieces import Document
from cardgen.deck.edits.rewrite import duplicate, is_equal, rewrite
from cardgen.deck.edits.texts import read_file_text
from cardgen.deck.model import Value
from cardgen.deck.yaml import parse_yaml

Card = dict[str, Value]


@pytest.fixture(autouse=True, params=[2_000, 0], ids=["whole", "cut"])
def _least(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are cut into their entries however short they are, or not at all."""
    monkeypatch.setattr(pieces, "_LEAST", request.param)


def read(text: str) -> Card:
    """What the reader of decks finds."""
    problems: list[Problem] = []
    node = parse_yaml(text, "d.yaml", problems)
    assert node is not None and not problems and isinstance(node.value, dict)
    return node.value


def open_text(text: str) -> tuple[Document, Card, list[Value]]:
    document = Document(text, "d.yaml")
    assert isinstance(document.value, dict)
    cards = document.value["cards"]
    assert isinstance(cards, list)
    return document, document.value, cards


def list_comments(text: str) -> list[str]:
    return re.findall(r"#c\d+", text)


def set_field(text: str, place: int, key: str, value: Value) -> str:
    document, deck, cards = open_text(text)
    card = cards[place]
    assert isinstance(card, dict)
    changed: list[Value] = [*cards[:place], {**card, key: value}, *cards[place + 1 :]]
    return rewrite(document, {**deck, "cards": changed})


def list_changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines from the first that differs to the last, before and after."""
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


# Any layout


@given(draw_decks(), st.data())
@examples(120)
def test_one_value_changes_and_nothing_else(deck: Laid, data: st.DataObject) -> None:
    document, old, cards = open_text(deck.text)
    assert is_equal(old, read(deck.text)) and is_equal(old, deck.value)
    place = data.draw(st.integers(0, len(cards) - 1))
    key, value = data.draw(keys), data.draw(values)
    card = cards[place]
    assert isinstance(card, dict)
    wanted: Card = {**old, "cards": [*cards[:place], {**card, key: value}, *cards[place + 1 :]]}
    text = rewrite(document, wanted)
    assert is_equal(read(text), wanted)
    assert sorted(list_comments(text)) == sorted(deck.comments)
    # What stands above and below the card is the same, letter by letter.
    items = document.root.find("cards")
    assert items is not None and items.value.items is not None
    start, end = items.value.items[place].dash, items.value.items[place].value.end
    end = deck.text.find("\n", end) if deck.text.find("\n", end) >= 0 else len(deck.text)
    assert text.startswith(deck.text[:start]) and text.endswith(deck.text[end:])


def test_comments_of_a_mapping_stay_below_the_text_in_its_place() -> None:
    text = "cards:\n- name: A\n  stats: #a\n   hits: 1 #b\n\n- name: B\n"
    document, old, cards = open_text(text)
    wanted: Card = {**old, "cards": [{"name": "A", "stats": "\n0"}, cards[1]]}
    assert rewrite(document, wanted) == text.replace(
        "stats: #a\n   hits: 1 #b\n", "stats: |2-\n\n    0\n  #a\n  #b\n"
    )


def test_a_comment_below_what_is_taken_out_is_not_of_the_text_above() -> None:
    text = "cards:\n- name: A\n  kind: |-\n   long\n\n  text: x\n\n   #a\n"
    document, old, _ = open_text(text)
    wanted: Card = {**old, "cards": [{"name": "A", "kind": "long"}]}
    assert rewrite(document, wanted) == text.replace("\n  text: x", "").replace("   #a", "  #a")


@given(draw_decks(), st.data())
@examples(60)
def test_a_field_is_taken_out(deck: Laid, data: st.DataObject) -> None:
    document, old, cards = open_text(deck.text)
    place = data.draw(st.integers(0, len(cards) - 1))
    card = cards[place]
    assert isinstance(card, dict)
    key = data.draw(st.sampled_from([*list(card)[1:], "title"]))
    wanted: Card
    if key == "title":
        wanted = {name: value for name, value in old.items() if name != key}
    else:
        rest: Card = {name: value for name, value in card.items() if name != key}
        wanted = {**old, "cards": [*cards[:place], rest, *cards[place + 1 :]]}
    text = rewrite(document, wanted)
    assert is_equal(read(text), wanted)
    assert sorted(list_comments(text)) == sorted(deck.comments)


@given(draw_decks(), st.data())
@examples(60)
def test_cards_change_their_order(deck: Laid, data: st.DataObject) -> None:
    document, old, cards = open_text(deck.text)
    order = data.draw(st.permutations(range(len(cards))))
    wanted: Card = {**old, "cards": [cards[place] for place in order]}
    text = rewrite(document, wanted)
    assert is_equal(read(text), wanted)
    assert sorted(list_comments(text)) == sorted(deck.comments)
    assert sorted(text.split("\n")) == sorted(deck.text.split("\n")) or "cards: [" in deck.text


@given(draw_decks(), st.data())
@examples(60)
def test_cards_come_and_go(deck: Laid, data: st.DataObject) -> None:
    document, old, cards = open_text(deck.text)
    kept = [card for card in cards if data.draw(st.booleans())] or cards[:1]
    fresh: Card = {"name": "New: one", "text": data.draw(values)}
    kept.insert(data.draw(st.integers(0, len(kept))), fresh)
    wanted: Card = {**old, "cards": kept}
    text = rewrite(document, wanted)
    assert is_equal(read(text), wanted)


def test_a_card_below_a_text_that_keeps_its_empty_lines() -> None:
    text = "cards:\n- name: A\n- name: B\n\n  text: |+\n   0\n\nauthor: Nobody\n"
    document, old, cards = open_text(text)
    fresh: Card = {"name": "New"}
    wanted: Card = {**old, "cards": [cards[1], fresh]}
    assert is_equal(read(rewrite(document, wanted)), wanted)


@given(draw_decks(), st.data())
@examples(30)
def test_a_card_is_written_twice(deck: Laid, data: st.DataObject) -> None:
    document, old, cards = open_text(deck.text)
    place = data.draw(st.integers(0, len(cards) - 1))
    items = document.root.find("cards")
    assert items is not None
    text = duplicate(document, items.value, place)
    wanted: Card = {**old, "cards": [*cards[: place + 1], *cards[place:]]}
    assert is_equal(read(rewrite(Document(text, "d.yaml"), wanted)), wanted)
    assert len(text.split("\n")) >= len(deck.text.split("\n"))


@given(draw_decks(), st.sampled_from(("\n", "\r\n", "\r", "mixed")), st.booleans())
@examples(30)
def test_line_ends_and_the_byte_order_mark_stay(deck: Laid, end: str, marked: bool) -> None:
    lines = deck.text.split("\n")
    ends = ["\r\n" if number % 3 else "\n" for number in range(len(lines))]
    if end != "mixed":
        ends = [end] * len(lines)
    ends[-1] = ""
    source = "".join(line + one for line, one in zip(lines, ends, strict=True))
    data = (b"\xef\xbb\xbf" if marked else b"") + source.encode()
    file = read_file_text(data, "d.yaml")
    assert file.text == deck.text
    assert file.encode(deck.text) == data
    changed = set_field(deck.text, 0, "cost", 7)
    after = file.encode(changed)
    assert after.startswith(b"\xef\xbb\xbf") == marked
    assert read_file_text(after, "d.yaml").text == changed
    above = deck.text[: deck.text.index("Card 0")].count("\n")
    kept = "".join(line + one for line, one in zip(lines[:above], ends[:above], strict=True))
    assert after.removeprefix(b"\xef\xbb\xbf").startswith(kept.encode())


# Styles

DECK = """\
title: Swords  # all of them
cards:
  # The first one.
  - name: Dawn
    cost: 15   # dear
    text: >-  # wrapped by hand
      Once per game the bearer may re-roll one
      failed die, but never two of them, nor
      any that was rolled by somebody else.
  - name: 'Dusk'
    cost:
    text: |-
      It shines.

      Twice.
  - {name: Spoon, "text": "Not, worth"}
"""


def change(place: int, key: str, value: Value, text: str = DECK) -> tuple[list[str], list[str]]:
    after = set_field(text, place, key, value)
    return list_changed_lines(text, after)


@pytest.mark.parametrize(
    ("place", "key", "value", "old", "new"),
    [
        (0, "cost", 20, "    cost: 15   # dear", "    cost: 20   # dear"),
        (0, "cost", "yes", "    cost: 15   # dear", '    cost: "yes"   # dear'),
        (0, "cost", "007", "    cost: 15   # dear", '    cost: "007"   # dear'),
        (0, "cost", None, "    cost: 15   # dear", "    cost: null   # dear"),
        (0, "cost", True, "    cost: 15   # dear", "    cost: true   # dear"),
        (0, "cost", "a: b", "    cost: 15   # dear", '    cost: "a: b"   # dear'),
        (0, "cost", [1, "a"], "    cost: 15   # dear", "    cost: [1, a]   # dear"),
        (1, "name", "Dusk's end", "  - name: 'Dusk'", "  - name: 'Dusk''s end'"),
        (1, "cost", 5, "    cost:\n", "    cost: 5\n"),
        (2, "name", "Ladle, a", "{name: Spoon,", '{name: "Ladle, a",'),
        (2, "text", "a\nb", '"Not, worth"', r'"a\nb"'),
        (2, "cost", -5, '"Not, worth"}', '"Not, worth", cost: -5}'),
    ],
)
def test_a_value_keeps_the_style_of_its_place(
    place: int, key: str, value: Value, old: str, new: str
) -> None:
    assert old in DECK
    assert set_field(DECK, place, key, value) == DECK.replace(old, new)


def test_a_plain_text_of_several_lines_becomes_a_block_and_its_comment_stays() -> None:
    assert change(0, "cost", "one\n\ntwo") == (
        ["    cost: 15   # dear"],
        ["    cost: |-   # dear", "      one", "", "      two"],
    )


def test_a_block_stays_a_block() -> None:
    assert change(1, "text", "It glows.\n\nTwice.") == (["      It shines."], ["      It glows."])
    assert change(1, "text", "It glows.") == (
        ["      It shines.", "", "      Twice."],
        ["      It glows."],
    )


def test_lines_wrapped_by_hand_stay_as_far_as_they_can() -> None:
    start = "Once per game the bearer may re-roll one failed die, "
    end = " any that was rolled by somebody else."
    assert change(0, "text", f"{start}but not two, nor{end}") == (
        ["      failed die, but never two of them, nor"],
        ["      failed die, but not two, nor"],
    )
    longer = "and never ever in all the days that are to come may it be two of them, nor"
    old, new = change(0, "text", f"{start}{longer}{end}")
    assert old[0] == "      failed die, but never two of them, nor"
    assert all(len(line) <= 72 for line in new) and len(new) > len(old)


def test_a_long_text_is_wrapped() -> None:
    text = "word " * 40 + "end"
    _, new = change(1, "cost", text)
    assert new[0] == "    cost: >-"
    assert all(len(line) <= 100 for line in new[1:]) and len(new) == 4


def test_a_new_field_stands_behind_the_one_before_it() -> None:
    document, deck, cards = open_text(DECK)
    wanted: Card = {"name": "Dusk", "kind": "weapon", "cost": None, "text": "It shines.\n\nTwice."}
    text = rewrite(document, {**deck, "cards": [cards[0], wanted, cards[2]]})
    assert text == DECK.replace("name: 'Dusk'\n", "name: 'Dusk'\n    kind: weapon\n")


def test_a_comment_above_a_card_goes_with_it() -> None:
    document, deck, cards = open_text(DECK)
    text = rewrite(document, {**deck, "cards": [cards[1], cards[0], cards[2]]})
    assert text.index("'Dusk'") < text.index("# The first one.") < text.index("name: Dawn")
    assert sorted(text.split("\n")) == sorted(DECK.split("\n"))


# What is refused


@pytest.mark.parametrize(
    ("text", "wanted", "place"),
    [
        ("cards:\n- {name: A, cost: &x 5}\n- {name: B, cost: *x}\n", {"cost": 7}, "2:19"),
        ("cards:\n- name: A\n  cost: &x |-\n    5\n- cost: *x\n", {"cost": "7"}, "3:9"),
        ("x: &x {cost: 5}\ncards:\n- name: A\n  <<: *x\n", {"name": "A"}, "3:3"),
    ],
)
def test_what_is_repeated_elsewhere_is_not_changed(text: str, wanted: Card, place: str) -> None:
    document, deck, cards = open_text(text)
    with pytest.raises(CardgenError) as caught:
        rewrite(document, {**deck, "cards": [wanted, *cards[1:]]})
    (problem,) = caught.value.problems
    assert (problem.code, str(problem.where)) == ("edit/repeated", f"d.yaml:{place}")


def test_a_card_that_is_repeated_elsewhere_is_not_changed() -> None:
    with pytest.raises(CardgenError) as caught:
        set_field("cards:\n- &x {name: A, cost: 5}\n- *x\n", 0, "cost", 6)
    (problem,) = caught.value.problems
    assert (problem.code, str(problem.where)) == ("edit/not-alone", "d.yaml:2:22")


def test_what_repeats_another_value_gets_its_own() -> None:
    text = "cards:\n- {name: A, cost: &x 5}\n- {name: B, cost: *x}\n"
    assert set_field(text, 1, "cost", 7) == text.replace("*x", "7")
    text = "x: &x {cost: 5}\ncards:\n- name: A\n  <<: *x\n"
    assert set_field(text, 0, "cost", 7) == text.replace("  <<", "  cost: 7\n  <<")


def test_a_piece_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_LEAST", 0)
    cards = "".join(f"- name: Card {n}\n  text: |-\n    - name: x\n" for n in range(40))
    text, asked = f"title: Many\ncards:\n{cards}", list[str]()

    def parse(text: str, file: str, problems: list[Problem]) -> object:
        asked.append(text)
        return parse_yaml(text, file, problems)

    Document(text, "d.yaml")
    monkeypatch.setattr("cardgen.deck.edits.pieces.parse_yaml", parse)
    after = set_field(text, 7, "text", "other")
    assert asked == [after[after.index("- name: Card 7") : after.index("- name: Card 8")]]
