"""What clicks on an import's report teach: the cards that come of them, and what is written."""

from __future__ import annotations

import json
from pathlib import Path

from cardgen.studio.intake import look_into, name_text, write_found
from cardgen.studio.pointing import Answered, Click, Text, take_clicks

GIFTS = Path(__file__).with_name("gifts.md").read_bytes()
ROAD = b"""Things found on the road

Sword of dawn
Whoever bears it strikes first in each fight.
Weight: 3

Wooden spoon
It stirs whatever is in the pot.
Weight: 1

AT NIGHT
Owls carry off what glitters, so cover it well.

Bent nail
It opens one door and breaks.
Weight: 1

AT SEA
Salt eats iron. Dry it in the evening.
"""
WALK = b"on that day too we walked on and nobody spoke of it, for the road was wet;\n" * 12
WALK += b"""
SWORD OF DAWN    30 points
Any hero. It strikes first.

WOODEN SPOON    5 points
Any cook. It stirs the pot.

BELL    10 points
Any watchman. It rings when foes are near.

BELL    10 points
Any watchman. It rings when a foe is near.
"""


def click(data: bytes, *clicks: Click) -> Answered:
    return take_clicks(Text("text.md", data), clicks)


def list_cards(answered: Answered) -> list[str]:
    assert answered.reviewed is not None
    return [card.name for card in answered.reviewed.imported.cards]


def find_text(answered: Answered, name: str) -> str:
    assert answered.reviewed is not None
    (card,) = [one for one in answered.reviewed.imported.cards if one.name == name]
    return card.text


def list_left_out(answered: Answered) -> set[int]:
    assert answered.reviewed is not None
    return {one.place.line for one in answered.reviewed.imported.left_out}


GUESSED = ["Blade of Dawn", "Every hero", "Cloak of Snow", "Horn of Storms", "Fallen heroes"]


def test_a_name_brings_those_printed_alike_and_keeps_what_was_found() -> None:
    assert list_cards(click(GIFTS)) == GUESSED
    named = click(GIFTS, Click("name", "17"))
    assert list_cards(named) == [*GUESSED, "Ring of Embers", "Staff of Ash"]
    assert "goes out" in find_text(named, "Ring of Embers")


def test_what_is_left_out_takes_those_along_that_are_printed_alike() -> None:
    left = click(GIFTS, Click("name", "17"), Click("left", "7"))
    real = ["Blade of Dawn", "Cloak of Snow", "Horn of Storms", "Ring of Embers", "Staff of Ash"]
    assert (list_cards(left), left.alike) == (real, 1)
    assert {7, 15} <= list_left_out(left)
    alone = click(GIFTS, Click("name", "17"), Click("left", "7", "", True))
    assert ("Fallen heroes" in list_cards(alone), alone.alike) == (True, 0)
    back = click(GIFTS, Click("left", "7", "", True), Click("name", "7"))
    assert list_cards(back) == GUESSED
    most = click(GIFTS, Click("left", "5"))
    assert (list_cards(most), most.alike) == (GUESSED[1:], 0), "most cards are printed so"


def test_lines_belong_to_the_card_above_them_or_to_none() -> None:
    clicks = Click("name", "17"), Click("left", "19"), Click("left", "25")
    told = click(GIFTS, *clicks)
    assert find_text(told, "Staff of Ash") == "Turns one spell aside."
    assert find_text(told, "Ring of Embers") == ""
    assert {19, 25} <= list_left_out(told)
    back = click(GIFTS, *clicks, Click("joined", "25"))
    assert find_text(back, "Staff of Ash").endswith("\n\nWritten down by the smith of Harl.")
    assert 25 not in list_left_out(back)


def test_what_is_no_card_becomes_part_of_the_one_above() -> None:
    told = click(ROAD, Click("joined", "11"))
    assert (list_cards(told), told.alike) == (["Sword of dawn", "Wooden spoon", "Bent nail"], 1)
    assert find_text(told, "Wooden spoon").endswith(
        "**At Night.** Owls carry off what glitters, so cover it well."
    )
    assert "**At Sea.**" in find_text(told, "Bent nail")


def test_two_are_one() -> None:
    first = click(WALK, Click("name", "14"))
    assert list_cards(first) == ["Sword of Dawn", "Wooden Spoon", "Bell", "Bell"]
    told = click(WALK, Click("name", "14"), Click("one", "23", "20"))
    assert told.reviewed is not None
    *_, bell = told.reviewed.imported.cards
    assert (bell.name, bell.count, len(bell.again), bell.doubts) == ("Bell", 2, 1, ())
    pieces = click(GIFTS, Click("one", "5", "9"))
    assert find_text(pieces, "Blade of Dawn").endswith(
        "die.\n\nhides its bearer. Shots at him are at -1."
    )


def test_doubts_are_settled_wherever_they_are_the_same() -> None:
    before = click(WALK, Click("name", "14"))
    assert before.reviewed is not None
    (of_deck,) = before.reviewed.imported.deck_doubts
    twin = before.reviewed.imported.cards[-1].doubts[0]
    clicks = Click("right", of_deck.key), Click("right", twin.key)
    told = click(WALK, Click("name", "14"), *clicks)
    assert told.reviewed is not None
    assert told.reviewed.imported.deck_doubts == ()
    assert [one.doubt.kind for one in told.reviewed.imported.cards[-1].answers] == ["twin"]


def test_where_little_is_found_the_lines_and_guesses_are_told() -> None:
    told = click(WALK)
    assert told.reviewed is None
    assert [problem.code for problem in told.problems] == ["import/little-found"]
    assert told.guesses[0].names == ("SWORD OF DAWN", "WOODEN SPOON", "BELL")
    shown = click(WALK, Click("like", "\n".join(told.guesses[0].names[:2])))
    assert list_cards(shown) == ["Sword of Dawn", "Wooden Spoon", "Bell", "Bell"]
    packed = look_into(Text("text.md", WALK), (), None)
    source = packed["source"]
    assert isinstance(source, list)
    assert [line["name"] for line in source[12:14]] == ["SWORD OF DAWN", None]


def test_rows_of_a_table_are_left_out_too(tmp_path: Path) -> None:
    rows = name_text("../items.csv", b"name,text\nSword,Cuts.\nNotes,None.\nBow,Shoots.\n")
    assert rows.name == "items.csv"
    out = tmp_path / "decks/items.yaml"
    assert write_found(rows, [Click("left", "3")], out, "Items", None) == "items"
    assert "Notes" not in out.read_text(encoding="utf-8")
    record = json.loads((tmp_path / "decks/items.imported.json").read_text(encoding="utf-8"))
    ids = [card["id"] for card in record["cards"]]
    assert ids == ["sword", None, "bow"], "the next import knows that it was taken out"
