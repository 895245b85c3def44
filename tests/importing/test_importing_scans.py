"""Pages of books and scans: their heads and feet, tables that blanks hold, titles of chapters."""

from __future__ import annotations

from typing import Any

import pytest
from finding_cards import read_cards, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.text import read_text_blocks

NAMES = ("Otter Lens", "Liar's Goblet", "Bottled Squall", "Hermit in a Jar", "Grey Latch")
PLACES = ("Swamp", "Old Quay", "River Bank", "Inn", "Mill")
TEXT = "It works once in a night, and only for the one who asked."
WORDS = ("No", "One", "Two", "Three", "Four", "Five", "Six")
PAIRS = tuple(enumerate(zip(NAMES, PLACES, strict=True), 2))


def list_fields(text: str, *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(tell(card).get(key) for key in ("name", *keys)) for card in read_cards(text)]


# Stats and tables


def test_stats_go_on_in_the_line_below() -> None:
    breaks = ("AC {n}, HD 1+1, AT 2, DM\n1-4, TR nil", "AC {n}, HD 3, AT 1, DM\nspecial, TR nil",
              "AC {n}, HD 1/2, AT 1,\nDM 1-2, TR J",
              "AC {n}, HD 5, AT 1 or by\nweapon, DM 1-6, TR B",
              "AC {n}, HD 4, AT 3, DM 1-6,\nTR one key")  # fmt: skip
    text = "".join(
        f"{name.upper()}\n{stats.format(n=n)}\n{TEXT}\n\n"
        for (n, (name, _)), stats in zip(PAIRS, breaks, strict=True)
    )
    assert list_fields(text, "ac", "at", "dm", "tr", "text") == [
        ("Otter Lens", "2", "2", "1-4", "nil", TEXT),
        ("Liar's Goblet", "3", "1", "special", "nil", TEXT),
        ("Bottled Squall", "4", "1", "1-2", "J", TEXT),
        ("Hermit in a Jar", "5", "1 or by weapon", "1-6", "B", TEXT),
        ("Grey Latch", "6", "3", "1-6", "one key", TEXT),
    ]


def test_figures_at_the_right_stand_below_the_words_of_a_header() -> None:
    head = "  Module                 Scrip     Power    Mass    Effect\n\n"
    rows = "".join(
        f"  {name:18} {n * 37:9} {n - 4:9} {n * 4:7}    Sleeps eight in the {place}, and a guest\n"
        f"{'':52}in the hall.\n\n"
        for n, (name, place) in PAIRS
    )
    others = rows.replace("r", "b")
    text = f"STATION PARTS\n\n  C.1 Halls\n\n{head}{rows}\n  C.2 Yards\n\n{head}{others}"
    found = list_fields(text, "scrip", "power", "mass", "kind", "text")
    assert found[:5] == [
        (name, str(n * 37), str(n - 4), str(n * 4), "Halls",
         f"Sleeps eight in the {place}, and a guest in the hall.")
        for n, (name, place) in PAIRS
    ]  # fmt: skip
    assert [kind for *_, kind, _ in found[5:]] == ["Yards"] * 5


def test_a_header_that_comes_again_heads_rows_with_texts_below_them() -> None:
    head = "Item                    Weight        Price         Charge\n"
    titles = ("Tools", "Ropes", "Lamps")
    text = "".join(
        f"TABLE 7-{at}: {title}\n\n{head}"
        + "".join(
            f"{title} {name:17} {n} kg          {n}0 cr         {n} h\n     {TEXT}\n"
            for n, (name, _) in PAIRS
        )
        + "\n"
        for at, title in enumerate(titles, 1)
    )
    assert list_fields(text, "weight", "cost", "charge", "kind", "text") == [
        (f"{title} {name}", f"{n} kg", f"{n}0 cr", f"{n} h", title, TEXT)
        for title in titles
        for n, (name, _) in PAIRS
    ]


def test_words_above_values_are_labels_however_wide_the_gaps_are() -> None:
    text = "".join(
        f"{name}\nCircle{' ' * n}  Reach{' ' * n}  Fades\n"
        f"{n:<{6 + n}}  {place:{5 + n}}  at dawn {n}\n\n{TEXT}\n\n\f\n"
        f"THE LANTERN SCHOOL      {n}\n\n"
        for n, (name, place) in PAIRS
    )
    assert list_fields(text, "circle", "reach", "fades", "text") == [
        (name, str(n), place, f"at dawn {n}", TEXT) for n, (name, place) in PAIRS
    ]


# What stands at the ends of pages


@pytest.mark.parametrize(
    ("head", "first"),
    [
        ("62\nThings for Sale", "Chapter Four\nThings for Sale"),
        ("NUMBER 47    23\n\nBAZAAR", "BAZAAR OF THE MODERATELY STRANGE"),
        ("( 40 )                  BADGES OF THE LAND", "BADGES OF THE TOWN"),
    ],
)
def test_a_head_of_a_page_is_no_chapter(head: str, first: str) -> None:
    cards = [f"{name}\nCost: {n} crowns\nPlace: {place}\n{TEXT}\n" for n, (name, place) in PAIRS]
    half = "\n".join(cards[:3]), "\n".join(cards[3:])
    found = read_cards(
        f"{first}\n\nThese are for sale in the port.\n\n{half[0]}\n{head}\n\n{half[1]}"
    )
    assert [card.name for card in found] == list(NAMES)
    assert len({card.kind for card in found}) == 1
    assert all(card.text == TEXT for card in found)


def test_a_footnote_is_of_no_card() -> None:
    cards = [f"{name} ....... {n} crowns\n   {TEXT}\n" for n, (name, _) in PAIRS]
    cards[2] = cards[2].replace("asked.", "asked.*")
    note = "* The asking of a lamp is treated in the\n  chapter on accidents.\n\n      37\n"
    text = "PRICES\n\n" + "\n".join([*cards[:3], note, *cards[3:]])
    found = recognise(read_text_blocks(text, "a.txt"))
    assert [card.text.rstrip("\\*") for card in found.cards] == [TEXT] * 5
    assert {one.text for one in found.left_out if one.why == "footnote"} == {
        "The asking of a lamp is treated in the", "chapter on accidents."
    }  # fmt: skip


# Chapters


def chapters(first: str, second: str, form: str) -> str:
    """Return two chapters, each with an introduction above its cards."""
    parts = []
    for title, pairs in ((first, PAIRS[:3]), (second, PAIRS[3:])):
        cards = "".join(
            f"   {form.format(name=name.upper(), n=n, word=WORDS[n])}\n   {TEXT}\n\n"
            for n, (name, _) in pairs
        )
        parts.append(f"   {title}\n\n   Few have seen these, for they are shy.\n\n\n{cards}")
    return "THE PARLOUR\n\n\n" + "\n".join(parts)


@pytest.mark.parametrize(
    ("titles", "kinds"),
    [
        (("CHAPTER THE SECOND.\n\n   OF THE NORTHERN FIGURES.",
          "CHAPTER THE THIRD.\n\n   OF THE SOUTHERN FIGURES."),
         ("Of the Northern Figures", "Of the Southern Figures")),
        (("CHAPTER ONE: OF THE WATER", "CHAPTER TWO: OF THE MUD"), ("Of the Water", "Of the Mud")),
    ],
)  # fmt: skip
def test_chapters_have_their_titles_above_introductions(titles: Any, kinds: Any) -> None:
    text = chapters(titles[0], titles[1], "{name}. {word} stars. Value {n}.")
    found = list_fields(text, "kind", "stars", "text")
    assert found == [
        (name.title().replace("'S", "'s").replace(" In A ", " in a "), kinds[n > 4], WORDS[n], TEXT)
        for n, (name, _) in PAIRS
    ]


def test_contents_tell_by_their_indent_which_titles_are_names() -> None:
    listed = "".join(f"    {name} ............. {n}\n" for n, (name, _) in PAIRS[:3])
    more = "".join(f"    {name} ............. {n}\n" for n, (name, _) in PAIRS[3:])
    text = (
        f"THE SCHOOL\n\nCONTENTS\n\nOf Seeing ............. 2\n{listed}"
        f"Of Moving ........... 5\n{more}\n\n"
        + "Of Seeing\n\nDo not begin too soon.\n\n"
        + "".join(f"{name}\n\n{TEXT}\n\n" for _, (name, _) in PAIRS[:3])
        + "Of Moving\n\nNor too late.\n\n"
        + "".join(f"{name}\n\n{TEXT}\n\n" for _, (name, _) in PAIRS[3:])
    )
    assert list_fields(text, "kind", "text") == [
        (name, "Of Seeing" if n < 5 else "Of Moving", TEXT) for n, (name, _) in PAIRS
    ]


def test_pages_begin_with_heads_where_one_stands_within_a_sentence() -> None:
    heads = ("The Salt Almanac", "What the Pedlar Sells", "Chapter the Second", "Of Trade", "End")
    text = "".join(
        f"{name}\nPrice: {n}\nIt works once in a night, and only for the one who\n"
        f"\n{70 + n}\n\n\f{head}\n\nasked in the {place}.\n\n"
        for (n, (name, place)), head in zip(PAIRS, heads, strict=True)
    )
    told = "It works once in a night, and only for the one who asked in the"
    assert list_fields(text, "cost", "kind", "text") == [
        (name, n, None, f"{told} {place}.") for n, (name, place) in PAIRS
    ]


def test_words_above_their_figures_and_a_price_below_both() -> None:
    text = "".join(
        f"{name.upper()}\nHeavy {place}\nSPD   ARM   STR   BLR\n {n}     {n + 9}    6     {3 * n}\n"
        f"Points {n + 2}\nSparks - Each time it runs, set fire to one thing that it passed.\n\n"
        for n, (name, place) in PAIRS
    )
    found = list_fields(text, "spd", "arm", "str", "blr", "cost", "subtitle")
    assert found == [
        (name, str(n), str(n + 9), "6", str(3 * n), n + 2, f"Heavy {place}")
        for n, (name, place) in PAIRS
    ]
