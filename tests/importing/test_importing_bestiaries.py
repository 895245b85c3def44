"""What rules references and price lists hold in rows and lists: stats among other things, labels in
cells, tables within cards, and columns that most rows leave empty.
"""

from __future__ import annotations

from finding_cards import EIGHT, NAMES, TEXT, list_names, read_cards, tell

# Stats in lists of other things


def read_stats(text: str) -> list[object]:
    return [dict(card.other).get("stats") for card in read_cards(text, suffix="md")]


def test_stats_behind_their_figures_among_other_things() -> None:
    """The figure stands first, and what is no stat of most is text."""
    beasts = (
        ("Acolyte", "4 HP, 1 Armor, 8 STR, 11 DEX, dagger (d6)"),
        ("Aranea", "6 HP, 13 STR, 14 DEX, bite (d6), *silent*"),
        ("Bog Hag", "9 HP, 2 Armor, 7 STR, 12 DEX, claws (d8+d8)"),
        ("Boggart", "3 HP, 4 STR, 17 DEX"),
        ("Wisp", "5 HP, 3 Armor, 2 STR, 18 DEX, light"),
    )
    text = "".join(f"## {name}\n\n{line}\n\n- {TEXT}\n\n" for name, line in beasts)
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [name for name, _ in beasts]
    stats = [dict(card.other)["stats"] for card in cards]
    assert stats[0] == {"HP": "4", "Armor": "1", "STR": "8", "DEX": "11"}
    assert stats[3] == {"HP": "3", "STR": "4", "DEX": "17"}
    assert [card.text.split("\n")[0] for card in cards[:2]] == [
        "dagger (d6)",
        "bite (d6), *silent*",
    ]


def test_stats_before_their_figures_and_what_is_cut_short() -> None:
    beasts = (
        ("Goblin", "DF +1, AR 1, HD 1d8+1, AT 10, dagger or axe, MV 90ft, AL C, NA 2d4 (6d10)"),
        ("Acolyte", "DF +3, AR 4, HD 1d8+4, AT 10, mace and shield, MV 90ft, AL Any, NA 1d8"),
        ("Bandit", "DF +2, AR 1, HD 1d8+1, AT 10, dagger, MV 90ft, AL N, NA 1d8 (3d10)"),
        ("Ogre", "DF +3, AR 1, HD 4d8+5, AT 4, club, MV 90ft, AL C, NA 1d6"),
    )
    text = "".join(f"### {name}\n{line}\n\n{TEXT}\n\n" for name, line in beasts)
    first, *_ = read_stats(text)
    assert first == {
        "DF": "+1", "AR": "1", "HD": "1d8+1", "AT": "10", "MV": "90ft", "AL": "C",
        "NA": "2d4 (6d10)",
    }  # fmt: skip
    assert read_cards(text, suffix="md")[0].text == f"dagger or axe\n\n{TEXT}"


def test_what_a_sentence_counts_is_no_stat() -> None:
    said = "Each player takes 2 coins, 3 cards, 1 lamp and a rope, and then 4 men go home."
    text = "".join(f"## {name}\n\n{said}\n\n{TEXT}\n\n" for name in NAMES)
    assert read_stats(text) == [None] * len(NAMES)


# Tables within cards


def test_labels_in_cells_are_fields() -> None:
    rows = (
        "| **Rank:** Mage {n} | **Time:** 1 Turn |",
        "| **Sphere:** None | **Lasts:** See Below |",
        "| **Cost:** {n}/Ember | **Range:** Touch |",
        "| **Area:** 1 Item | **Resist:** None |",
    )
    text = "".join(
        f"#### {name}\n\n(Divination)\n\n| | |\n| :-- | :-- |\n"
        + "".join(f"{row.format(n=n)}\n" for row in rows)
        + f"\n{TEXT}\n\n---\n"
        for n, name in enumerate(NAMES, 1)
    )
    keys = ("name", "rank", "time", "lasts", "cost", "range", "area", "text")
    told = [tell(card) for card in read_cards(text, suffix="md")]
    assert [tuple(one[key] for key in keys) for one in told] == [
        (name, f"Mage {n}", "1 Turn", "See Below", f"{n}/Ember", "Touch", "1 Item", TEXT)
        for n, name in enumerate(NAMES, 1)
    ]


def test_no_row_of_a_table_within_a_card_is_lost() -> None:
    head = "| Rank | Needs | Pay |\n| --- | --- | --- |\n| {n} (Hamlet) | a tool | {n}0 coins |\n"
    table = "| Quality | Roll | Pay |\n| --- | --- | --- |\n" + "".join(
        f"| {n} | TN {n}1 | {n}00 coins a week |\n" for n in range(3, 8)
    )
    text = "".join(
        f"### {name}\n\n{head.format(n=n)}\n{TEXT}\n\n{table * (n == 2)}\nThen roll.\n\n"
        for n, name in enumerate(EIGHT, 1)
    )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert all(f"TN {n}1" in cards[1].text for n in range(3, 8))


def test_a_table_of_two_rows_is_read_as_its_labels_stand() -> None:
    """One label to a row where the other way has no names."""
    text = "".join(
        f"## {name}\n\n| REACH | {n}0cm |\n|---|---|\n| ATTACK | {n} / 3 |\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    assert read_stats(text)[0] == {"Reach": "10cm", "Attack": "1 / 3"}


def test_a_gain_is_no_page_number() -> None:
    gains = ("+4 🪙", "+2 🔥", "-1 🧠", "7 💥")
    pairs = zip(NAMES, gains, strict=True)
    text = "".join(f"## {name}\nMax: 5\n\n{gain}\n\n" for name, gain in pairs)
    assert [card.text for card in read_cards(text, suffix="md")] == [*gains]


def test_a_bold_line_within_a_card_heads_no_chapter() -> None:
    more = "**Some of These**\n\n- **Crawl:** It drops.\n- **Halt:** It stops.\n\n"
    text = "".join(
        f"---\n#### {name}\n\n(Charm)\n\nRank: {n}\n\n{TEXT}\n\n{more * (n == 2)}"
        for n, name in enumerate(EIGHT)
    )
    cards = read_cards(f"# Charms\n\n{text}", suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert "It drops." in cards[2].text


def test_a_label_with_a_short_list_below_it() -> None:
    text = "".join(
        f"#### {name}\n\n**Cost:** {n} points\n\n"
        f"**Gifts:**\n\n- Night eyes (-{n})\n- Quick feet\n\n"
        f"**Flaws:**\n\n- Vain (+{n})\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    second = tell(read_cards(text, suffix="md")[1])
    assert (second["gifts"], second["flaws"]) == ("Night eyes (-2), Quick feet", "Vain (+2)")


# Tables of cards


def test_rows_that_lack_all_but_their_names_are_cards() -> None:
    spoken = ("Andoan", "Binary", "Bith", "Bocce", "Jawaese", "Gamorrean", "Huttese", "Ryl")
    lacking = {"Binary", "Jawaese", "Gamorrean", "Huttese"}
    rows = "".join(
        f"| {name:10}| {'' if name in lacking else 'the ' + name:14}| |\n" for name in spoken
    )
    text = f"Who speaks what.\n\n| Language | Spoken by | Rare |\n|---|---|---|\n{rows}"
    assert list_names(text, suffix="md") == [*spoken]


def test_letters_among_rows_are_no_kinds() -> None:
    rows = "".join(f"| {name[0]} | | |\n| {name} | oil | {TEXT} |\n" for name in NAMES)
    cards = read_cards(f"# Herbs\n\n| Name | Holds | For |\n|---|---|---|\n{rows}", suffix="md")
    assert [(card.name, card.kind) for card in cards] == [(name, None) for name in NAMES]


def test_columns_that_most_rows_leave_empty_and_coins_of_a_game() -> None:
    goods = (
        ("Bear Trap", "", "20s", "spotted on a 4"),
        ("Bound Tome", "", "50s", "ten pages, no more"),
        ("Caltrops", "10 Stack", "2s", "hurts whoever steps on it"),
        ("Chalk", "5 Stack", "1s", ""),
        ("Chain", "", "10s", ""),
        ("Ladder", "", "7s", ""),
        ("Lockbox", "", "20s", "holds two things"),
        ("Cigar", "4 Stack", "14s", ""),
        ("Rope", "", "4s", "ten metres of it"),
    )
    text = "".join(
        f"{name:25}{n:15}{cost:5}{said}".rstrip() + "\n" for name, n, cost, said in goods
    )
    cards = read_cards(text)
    assert [(c.name, dict(c.other)["cost"], c.text) for c in cards] == [
        (name, cost, said) for name, _, cost, said in goods
    ]


def test_a_name_between_drawn_signs_with_the_number_of_its_page() -> None:
    text = "".join(
        f"=========={name.upper()}=========={n}\n   TYPE: Fixed\n   REACH: {n}\n   {TEXT}\n\n"
        for n, name in enumerate(NAMES, 7)
    )
    assert list_names(text) == [*NAMES]


# Names that somebody points at


def test_a_heading_is_pointed_at_by_what_stands_before_its_bracket() -> None:
    """Its word begins a line of the text as well."""
    text = "".join(
        f"### {name} (Drug, Minor)\n\n{f'*{name}*' if n % 2 else 'This'} is a name. {TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    assert list_names(text, NAMES[0], NAMES[2], suffix="md") == [*NAMES]


def test_names_pointed_at_begin_lines_and_no_rows() -> None:
    """Two blanks behind a stop look like a column."""
    text = "".join(
        f"{name}, the Old.\n   {TEXT}  {name} is the child of Marta.\n   {name}.  It is done.\n\n"
        for name in NAMES
    )
    assert list_names(text, NAMES[0], NAMES[3]) == [*NAMES]


def test_a_heading_among_proved_ones_is_a_card() -> None:
    text = "".join(
        f"## {name}\n\n{'' if n == 2 else f'**Rare:** {n}'}\n\n{TEXT}\n\n"
        for n, name in enumerate(EIGHT)
    )
    assert list_names(text, suffix="md")[2] == NAMES[2]
