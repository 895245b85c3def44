"""What stands behind and below names in documents that people publish: each in several records."""

from __future__ import annotations

from typing import Any

import pytest
from finding_cards import NAMES, PLACES, TEXT, expect, find, list_names, read_cards, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.html import read_html_blocks


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{name}, a thing of the {place}. {text}\n", {"subtitle": "a thing of the {place}"}),
        ("{name}, a thing of the {place}\nCost: {n} crowns\n{text}\n",
         {"subtitle": "a thing of the {place}", "cost": "{n} crowns"}),
        ("{name} (18 crowns, ST {n}, SL 3). {text}\n",
         {"cost": "18 crowns", "st": "{n}", "sl": "3"}),
        ("- {name} ({n} zorks, {n} stones): {text}",
         {"cost": "{n} zorks", "subtitle": "{n} stones"}),
        ("{name} ............ {n} pips    wt. {n} lb\n{text}\n",
         {"cost": "{n} pips", "wt": "{n} lb"}),
        ("{name}\nPts {n} | Mv 6 | Wounds 1 | In tin {n}\n{text}\n",
         {"cost": 2, "mv": "6", "wounds": "1", "in tin": "{n}"}),
        ("{name}\nHit Points {n} (1d4 + {n})\nArmor {n}\n{text}\n",
         {"hit points": "{n} (1d4 + {n})", "armor": "{n}"}),
        ("{name}\nSize   Mass   Label\n{n}      40 t   {n} cr\n{text}\n",
         {"size": "{n}", "mass": "40 t", "label": "{n} cr"}),
        ("1. {name}. Source: {place}. Date:\n17{n}0. Value: {n} crowns.\n{text}\n",
         {"source": "{place}", "date": "17{n}0", "cost": "{n} crowns"}),
        ("{name}\nRank: {place}\nLosses: Red {n}, Blue 4\n{text}\n",
         {"rank": "{place}", "losses": "Red {n}, Blue 4"}),
        ("1. {name} -- {n} September\n{text}\n", {"subtitle": "{n} September"}),
        ("{name}\nMay be played by: {place}\n{text}\n", {"who": "{place}"}),
        ("{name}\nUsable by: Anyone\n{text}\n", {"who": "Anyone"}),
    ],
)  # fmt: skip
def test_what_stands_behind_names_and_below_them(form: str, fields: dict[str, Any]) -> None:
    assert find(form) == expect(**fields)


def test_a_phrase_in_brackets_behind_headings_is_a_subtitle() -> None:
    form = "## {name} (old as {place})\n\n{text}\n"
    assert find(form, suffix="md") == expect(subtitle="old as {place}")


def test_a_bracket_and_a_stop_behind_bold_names() -> None:
    assert find("* **{name}** (of {place}). {text}", suffix="md") == expect(subtitle="of {place}")


def test_italics_behind_a_comma_are_a_subtitle() -> None:
    form = "**{name}** x{n}, *of the {place}*  \n{text}\n"
    assert find(form, suffix="md") == expect(count=2, subtitle="of the {place}")


def test_an_effect_above_a_text_keeps_its_label() -> None:
    form = "### {name}\n\n- Effect: heals {n}\n\n{text}\n"
    assert find(form, suffix="md") == expect(effect="heals {n}")


def test_a_short_label_below_a_text_is_a_field() -> None:
    form = "{name}\nCost: {n}\n{text}\nFlavour: Mind the {place}.\n"
    assert find(form) == expect(cost=2, flavour="Mind the {place}.")


def test_a_figure_that_begins_each_text_is_a_field() -> None:
    form = "   {name}. Honour {n}. A carp in a mitre.\nIt sleeps.\n"
    names = [name.upper() for name in NAMES]
    records = [form.format(name=name, n=n) for n, name in enumerate(names, 2)]
    cards = read_cards(
        "\n".join([*records, "   THE LAST ONE. Its honour is not known.\nNor ours."])
    )
    assert [(card.name, dict(card.other).get("honour")) for card in cards] == [
        *((name, str(n)) for n, name in enumerate(NAMES, 2)),
        ("The Last One", None),
    ]


@pytest.mark.parametrize("last", ["For knights only.", "Solo ranger."])
def test_the_last_sentence_may_say_who(last: str) -> None:
    cards = find("{name} (3 gp)\n{text}\n", text=f"{TEXT} {last}")
    assert [(card["text"], card["who"]) for card in cards] == [
        (TEXT, last.removeprefix("For ").strip(".").capitalize())
    ] * 4


def test_a_note_mark_behind_a_text_is_no_cost() -> None:
    cards = find("## {name}\n\n{text}[2]\n", suffix="md")
    assert [card.get("cost") for card in cards] == [None] * 4


def test_words_in_brackets_are_not_all_people() -> None:
    cards = find("{name} (x2) - {n} coal\n{text}\n", text=f"{TEXT} Then stop (end of the round).")
    assert [card.get("who") for card in cards] == [None] * 4


# Names


def test_a_free_card_among_others_with_prices() -> None:
    form = "2x {name} [{price}]\n{text}\n"
    prices = ("1 match", "3 matches", "free", "2 matches")
    text = "\n".join(
        form.format(name=n, price=p, text=TEXT) for n, p in zip(NAMES, prices, strict=True)
    )
    assert list_names(text) == [*NAMES]


def test_a_name_with_a_verb_before_its_copies() -> None:
    text = "".join(f"{name} (x{n})\n{TEXT}\n\n" for n, name in enumerate(("Wet Leaves", *NAMES), 2))
    assert list_names(f"The Ten O'Clock Stack\n\n{text}") == ["Wet Leaves", *NAMES]


def test_a_hat_is_no_german_verb() -> None:
    names = ("Chapel bell hat", *NAMES)
    text = "".join(f"{name} ........... {n} w\n{TEXT}\n" for n, name in enumerate(names, 2))
    assert list_names(text) == [*names]


def test_a_name_in_capitals_with_a_number() -> None:
    names = ("GLANCE NO. 4", "DODGE NO. 3", "GOLDEN DODGE", "FEINT")
    text = "".join(f"{name}          {n},150 gp\n\n{TEXT}\n\n" for n, name in enumerate(names, 1))
    assert list_names(text) == ["Glance No. 4", "Dodge No. 3", "Golden Dodge", "Feint"]


def test_a_line_above_several_lists_is_no_name() -> None:
    text = "".join(
        f">> {name}\n{TEXT}\n\nChoose one of these:\n\n• a loaf\n• an egg\n\n" for name in NAMES
    )
    assert list_names(text, *NAMES[1:3]) == [*NAMES]


# Chapters


def in_chapters(titles: tuple[str, str], between: str = "") -> list[str | None]:
    """Return the chapters of four names, two below each title."""
    records = [f"{name}\nRange: {n} feet\n{TEXT}\n\n" for n, name in enumerate(NAMES, 2)]
    text = "".join(
        f"{title}\n\n{between}{''.join(records[2 * n : 2 * n + 2])}"
        for n, title in enumerate(titles)
    )
    cards = read_cards(f"Wares of the Company\n\n{TEXT} It is old.\n\n{text}")
    assert [card.name for card in cards] == [*NAMES]
    return [card.kind for card in cards]


@pytest.mark.parametrize(
    "form",
    ["                Section {n}. {title}.", "Chapter {n}. {title}", "Part {n} – {title}"],
)
def test_chapters_that_are_numbered(form: str) -> None:
    titles = ("Of the Air", "Of the Hearth")
    told = tuple(form.format(n="I" * n, title=title) for n, title in enumerate(titles, 1))
    kinds = in_chapters((told[0], told[1]), between=f"{TEXT} All of them.\n\n")
    assert kinds == [titles[0]] * 2 + [titles[1]] * 2


def test_a_plain_title_above_each_table() -> None:
    head = "No.\tPart\tPrice\tEffect\n"
    row = "{n}\t{name}\t{n} scrip\t{text}\n"
    rows = [row.format(n=n, name=name, text=TEXT) for n, name in enumerate(NAMES, 1)]
    text = f"Hull and plate\n\n{head}{''.join(rows[:2])}\n\nEngines\n\n{head}{''.join(rows[2:])}\n"
    kinds = [card.kind for card in read_cards(text)]
    assert kinds == ["Hull and plate"] * 2 + ["Engines"] * 2


def test_titles_that_contents_list_are_no_running_heads() -> None:
    levels = ("Spells of level 1", "Spells of level 2", "Spells of level 3")
    contents = "".join(f"{title} .......... {n}\n" for n, title in enumerate(levels, 2))
    names = (*NAMES, "Tin Hat", "Salt Lamp")
    records = [f"{name}\nRange: {n} feet\n{TEXT}\n\n" for n, name in enumerate(names, 2)]
    text = "".join(
        f"\n{n + 2}\n\n{title}\n\n{''.join(records[2 * n : 2 * n + 2])}"
        for n, title in enumerate(levels)
    )
    kinds = [card.kind for card in read_cards(f"Contents\n\n{contents}\n{text}")]
    assert kinds == [title for title in levels for _ in range(2)]


def test_a_page_of_a_wiki_with_contents_and_links_to_edit() -> None:
    contents = "1 City\n1.1 Otter Lens\n1.2 Liar's Goblet\n2 Coast\n2.1 Bottled Squall\n3 Trivia\n"
    text = (
        f"Contents [hide]\n{contents}\nCity[edit]\nThey are sold in shops.\n\n"
        f"Otter Lens[edit]\nPrice: 4 bobs\n{TEXT}\n\nLiar's Goblet[edit]\nPrice: 5 bobs\n{TEXT}\n\n"
        f"Coast[edit]\nBottled Squall[edit]\nPrice: 7 bobs\n{TEXT}\n\nTrivia[edit]\nNone at all.\n"
    )
    cards = read_cards(text)
    assert [(card.name, card.kind, card.text) for card in cards] == [
        (NAMES[0], "City", TEXT), (NAMES[1], "City", TEXT), (NAMES[2], "Coast", TEXT),
    ]  # fmt: skip


def test_a_chapter_with_the_number_of_its_cards() -> None:
    form = "**{name}** (x2)\n{text}\n"
    first, second = (
        "\n".join(form.format(name=name, text=TEXT) for name in names)
        for names in (NAMES[:2], NAMES[2:])
    )
    text = f"# Deck\n\n## Motions (24 cards)\n\n{first}\n\n## Residents (20 cards)\n\n{second}\n"
    kinds = [card.kind for card in read_cards(text, suffix="md")]
    assert kinds == ["Motions"] * 2 + ["Residents"] * 2


# Web pages


def find_on_page(form: str) -> list[dict[str, Any]]:
    page = "".join(
        form.format(name=name, place=place, n=n, text=TEXT)
        for n, (name, place) in enumerate(zip(NAMES, PLACES, strict=True), 2)
    )
    blocks = read_html_blocks(f"<body><h1>All</h1>{page}</body>", "a.html", 1000)
    return [tell(card) for card in recognise(blocks).cards]


def test_what_stands_small_behind_a_heading_is_a_subtitle() -> None:
    form = (
        "<h3>{name} <span class='st'>of the {place}</span></h3><p><b>Range:</b> {n}</p>"
        "<p>{text}</p>"
    )
    assert find_on_page(form) == expect(subtitle="of the {place}", range="{n}")


def test_a_part_with_a_bold_label_keeps_its_label() -> None:
    form = (
        "<article id='{n}'><h2>{name}</h2><p class='key'><b>Words:</b> {place}, and so on</p>"
        "<p class='key'><b>Reversed:</b> {place}</p><p>{text}</p></article>"
    )
    assert find_on_page(form) == expect(words="{place}, and so on", reversed="{place}")


def test_a_table_in_a_box_is_read_as_a_table() -> None:
    form = (
        "<div class='item'><div class='title'>{name}</div><div class='sub'>of the {place}</div>"
        "<table class='stats'><tr><th>Price</th><th>Power</th></tr>"
        "<tr><td>{n} kcr</td><td>{n}</td></tr></table><p>{text}</p></div>"
    )
    assert find_on_page(form) == expect(subtitle="of the {place}", cost="{n} kcr", power="{n}")


@pytest.mark.parametrize("names", [(), NAMES[:2]], ids=["guessed", "pointed at"])
def test_a_subtitle_in_the_cells_of_names(names: tuple[str, ...]) -> None:
    head = "| Kite | Lift | Special |\n|---|---|---|\n"
    rows = "".join(
        f"| **{name}** *of the {place}* | {n} | {TEXT} |\n"
        for n, (name, place) in enumerate(zip(NAMES, PLACES, strict=True), 2)
    )
    cards = [tell(card) for card in read_cards(head + rows, *names, suffix="md")]
    assert cards == expect(subtitle="*of the {place}*", lift="{n}")
