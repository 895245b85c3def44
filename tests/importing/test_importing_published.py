"""What people publish: price lists, decks in repositories, flash cards, and what stands there."""

from __future__ import annotations

import pytest
from finding_cards import NAMES, TEXT, list_names, read_cards, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.text import read_text_blocks

FIVE = (*NAMES, "Mud Crown")
NINE = (*FIVE, "Felt Hat", "Tin Trunk", "Grey Stamp", "Iron Pin")


def read_marked(text: str, file: str) -> tuple[Candidate, ...]:
    """Return the cards of a text in another markup than Markdown."""
    return recognise(read_text_blocks(turn_markup(text, file), file)).cards


# Price lists


def test_dots_lead_from_all_names_whatever_stands_behind_them() -> None:
    lines = (
        "Hemp rope, per can ............... 12 s",
        "Lantern .......................... 30 s",
        "Bed in a room that locks .......... 5 s",
        "Cat (certified) .................. 40 s",
        "Smoked eel, each .................. 1 s",
        "Galley, Full ................ on request",
    )
    text = "THE OUTFITTER\n\n" + "".join(f"{line}\n    {TEXT}\n" for line in lines)
    wanted = ["Hemp rope, per can", "Lantern", "Bed in a room that locks", "Cat (certified)"]
    wanted += ["Smoked eel, each", "Galley, Full"]
    assert list_names(text) == wanted
    assert list_names(text, wanted[0], wanted[3]) == wanted


def test_a_name_with_a_verb_before_its_price_in_a_bracket() -> None:
    names = ("Long Rope", "Clock that is late", "Grey Felt", "Iron Pin")
    text = "".join(f"{name} ({n} pence): {TEXT}\n\n" for n, name in enumerate(names, 2))
    assert list_names(text) == [*names]


def test_a_line_drawn_below_the_first_row_makes_it_the_header() -> None:
    rows = ((name, f"{n} fl", str(n), TEXT) for n, name in enumerate(NAMES, 2))
    table = "".join(f"{name:18}{cost:9}{heat:6}{text}\n" for name, cost, heat, text in rows)
    head = f"{'Substance':18}{'Price':9}{'Heat':6}Gives when mixed or drunk\n"
    drawn = "=" * 80 + "\n"
    cards = read_cards(f"Stock list\n{drawn}{head}{drawn}{table}{drawn}")
    assert [card.name for card in cards] == [*NAMES]
    assert [dict(card.other)["heat"] for card in cards] == ["2", "3", "4", "5"]
    assert [dict(card.other)["cost"] for card in cards] == ["2 fl", "3 fl", "4 fl", "5 fl"]


# Names that lack what others have


def test_names_that_are_numbered_on_are_no_titles() -> None:
    text = "".join(
        f"{n}) {name}{'' if n == 3 else f' ({n} p)'}\n{TEXT}\n\n" for n, name in enumerate(FIVE, 1)
    )
    assert list_names(text) == [*FIVE]


def test_one_without_a_price_among_the_names_of_its_chapter_is_no_title() -> None:
    chapters = (("Papers", NINE[:5]), ("Luggage", NINE[5:]))
    text = "NOTHING TO DECLARE\n\n"
    for title, names in chapters:
        text += f"\n{title}\n\n"
        for name in names:
            price = "" if name == NINE[4] else "3 obols\n"
            text += f"{name}\n{price}{TEXT}\n\n"
    assert list_names(text) == list_names(text, NINE[0], NINE[5]) == [*NINE]


def test_a_last_heading_without_labels_is_no_card() -> None:
    told = "".join(
        f"# {part}\n\n"
        + "".join(
            f"### {name}\n\n**Range:** 3 feet\n\n**Size:** 2\n\n**Weight:** 5\n\n{TEXT}\n\n"
            for name in names
        )
        for part, names in (("Fens", NAMES[:2]), ("Hills", NAMES[2:]))
    )
    assert list_names(f"{told}### Credits\n\nMany thanks to the club.\n", suffix="md") == [*NAMES]


def test_terms_of_a_list_are_names_whatever_they_lack() -> None:
    items = "".join(
        f"<dt>{name}</dt><dd>{'' if name == NINE[8] else '<p>Price: 3 sighs</p>'}<p>{TEXT}</p></dd>"
        for name in NINE
    )
    page = f"<h1>Market</h1><h2>Voices</h2><dl>{items}</dl><h2>End</h2><p>It is over.</p>"
    cards = recognise(read_html_blocks(page, "a.html", 1000)).cards
    assert [card.name for card in cards] == [*NINE]


def test_a_list_of_names_without_texts() -> None:
    names = (*FIVE, "Podcast", "Lathe", "Found Object", "Video Game", "Dice")
    text = "## Diamonds\n\n" + "".join(
        f"{n} - {name}{f': {TEXT}' if n in (2, 5, 9) else ''}\n\n"
        for n, name in enumerate(names, 1)
    )
    assert list_names(text, suffix="md") == [*names]


def test_a_remark_behind_the_last_card_is_none() -> None:
    text = "".join(f"{name}: {TEXT}\n\n" for name in NAMES) + "Opmerking: het spel is uit.\n"
    assert list_names(text) == [*NAMES]


def test_the_title_of_a_text_is_no_name_where_chapters_have_titles() -> None:
    text = "Recruit flash cards - Red Watch\nLearn these before Friday.\n\n"
    for title, names in (("Pumps", FIVE[:2]), ("Smoke", FIVE[2:])):
        text += f"== {title} ==\n\n" + "".join(f"{name} - {TEXT}\n" for name in names) + "\n"
    assert list_names(text, FIVE[0], FIVE[2]) == [*FIVE]


# Names and what stands around them


def test_names_in_capitals_that_run_into_their_texts() -> None:
    told = (
        ("FELT SLIPPERS", "Walk without a sound."),
        ("CALLING CARDS", "A dozen, with a name that is not yours."),
        ("JEMMY", "Opens doors, crates and arguments."),
        ("ROPE LADDER", "Two slots. Reaches the second floor."),
        ("PIGEON", "One message, one way, if you trained it."),
    )
    cards = read_cards("".join(f"{name} {text}\n\n" for name, text in told))
    assert [(card.name.upper(), card.text) for card in cards] == [*told]


def test_a_name_right_below_the_text_of_another() -> None:
    text = "".join(f"{name} (3 sous): {TEXT}\n\n" for name in NINE)
    text = text.replace(f"\n\n{NINE[2]}", f"\n{NINE[2]}")
    assert list_names(text) == list_names(text, NINE[0], NINE[3]) == [*NINE]


def test_a_comma_behind_names_that_are_numbered() -> None:
    names = ("Drunkard's Hat", "Coin of Luck", "Staff of Sleep", "Lazy Boomerang", "Tin Frog")
    text = "".join(
        f"{n}. {name}, A thing that croaks when rain is near (or late).\n"
        for n, name in enumerate(names, 1)
    )
    assert list_names(text, suffix="md") == [*names]


def test_bars_within_words_part_no_names() -> None:
    names = ("Data Dump 1|2|3", "Zero Bomb 1|2", "Key Maker 1|2|3", "Lock Out 2|3")
    text = "".join(f"- {name}: Burn 1|2|3 of these to gain as many.\n" for name in names)
    assert list_names(text) == [*names]


def test_what_all_headings_say_behind_their_names_is_a_subtitle() -> None:
    sorts = ("Ace Pilot", "Acrobat", "Actor", "Alert")
    for form in ("{} ({})", "{} – {}"):
        text = "".join(
            f"## {form.format(name, sort)}\n\n{TEXT}\n\n"
            for name, sort in zip(NAMES, sorts, strict=True)
        )
        cards = read_cards(text, suffix="md")
        said = [(card.name, dict(card.other).get("subtitle", card.kind)) for card in cards]
        assert said == [*zip(NAMES, sorts, strict=True)], form


def test_brackets_that_are_known_to_say_who_in_some_names_alone() -> None:
    people = ("Dwarf", "Goblin", "Knights", "Gnomling")
    text = "".join(
        f"## {name} [{who}]\n\n{TEXT}\n\n" for name, who in zip(NAMES, people, strict=True)
    )
    assert list_names(text, suffix="md") == [*NAMES]


def test_names_behind_a_word_above_labels() -> None:
    text = "Level 1\n=======\n\n" + "".join(
        f"{'prayer' if n == 3 else 'spell'}: {name.lower()}\nlevel: 1\ncost: {n}        "
        f"speed: 0.{n}0\ndescription: {TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text)
    assert [card.name.lower() for card in cards] == [name.lower() for name in NAMES]
    assert [tell(card)["speed"] for card in cards] == ["0.20", "0.30", "0.40", "0.50"]
    assert all("It works once" in card.text for card in cards)


def test_labels_below_names_are_no_names_themselves() -> None:
    text = "".join(
        f"### {name}\n\n**Upright:** luck, feet {n}\n**Reversed:** a hole, {n}\n\n"
        for n, name in enumerate(NAMES)
    )
    assert list_names(text, suffix="md") == [*NAMES]


# Tables


def test_a_table_in_a_chapter_behind_those_with_texts() -> None:
    text = "".join(
        f"## {title}\n\n" + "".join(f"**{n}**\n\nPrice: 3 sighs\n\n{TEXT}\n\n" for n in names)
        for title, names in (("Memories", NAMES[:2]), ("Voices", NAMES[2:]))
    )
    rows = "".join(
        f"| **{name}** | {n} sighs | {TEXT} |\n" for n, name in enumerate(("Cat", "Elm"))
    )
    text += f"## Shadows\n\n| Name | Price | Effect |\n|---|---|---|\n{rows}"
    for names in ((), (NAMES[0], NAMES[3])):
        cards = read_cards(text, *names, suffix="md")
        assert [card.name for card in cards] == [*NAMES, "Cat", "Elm"]
        assert [card.kind for card in cards][-2:] == ["Shadows"] * 2


def test_people_in_a_table_and_in_chapters_below_it() -> None:
    rows = "".join(f"| {n} | {name} | Welder | {TEXT} |\n" for n, name in enumerate(NAMES, 1))
    text = f"## Folk\n\n| # | Name | Job | What |\n|---|---|---|---|\n{rows}\n"
    chapters = (("Docks", ("Old Fitch", "Benno Tark")), ("Ring", ("Quiet Hanne", "Mother Sool")))
    for title, names in chapters:
        text += f"## {title}\n\n" + "".join(
            f"**{name}** sits and waits. {TEXT}\n\n" for name in names
        )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*NAMES, *(n for _, names in chapters for n in names)]
    assert [card.kind for card in cards][4:] == ["Docks"] * 2 + ["Ring"] * 2


def test_tables_in_quotes_that_number_their_rows_anew() -> None:
    head = "> |No.|Name|Rarity|Cost|Description|\n> |:---:|:---|---:|---:|:---|\n"
    parts = (("Fire", NINE[:3]), ("Water", NINE[3:6]), ("Wind", NINE[6:]))
    text = "".join(
        f"## {title}\n> Burns and freezes.  \n{head}"
        + "".join(f"> |{n}|{name}|rare|{n}|{TEXT}|\n" for n, name in enumerate(names, 1))
        + ">\n"
        for title, names in parts
    )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*NINE]
    assert {card.count for card in cards} == {1}
    assert all("no" not in dict(card.other) for card in cards)


def test_a_table_of_what_another_one_s_column_holds_is_none_of_cards() -> None:
    rows = "".join(f"| {name} | {n} | #axes | {TEXT} |\n" for n, name in enumerate(NAMES, 2))
    text = f"| Charm | Most | Items | Description |\n|---|---|---|---|\n{rows}\n# Tags\n\n"
    index = "| Tag | Items |\n|---|---|\n| #axes:of/wood | Every Axe |\n"
    index += "| #hoes:of/wood | Every Hoe |\n| #axes:of/iron | Every Iron Axe |\n"
    assert list_names(text + index, suffix="md") == [*NAMES]


def test_the_name_in_a_cell_does_not_end_where_a_phrase_says_who() -> None:
    names = ("Attack", "Attack II", "Attack All", "Attack All II", "Heal")
    rows = "".join(f"| {name} | {n} | {TEXT} |\n" for n, name in enumerate(names, 2))
    text = f"| Card | Count | Effect |\n|---|---|---|\n{rows}"
    assert [card.name for card in read_cards(text, suffix="md")] == [*names]


def test_cells_whose_lines_are_labels() -> None:
    def write(name: str, n: int) -> str:
        return f"<td><b>{name}</b><br>Cost: {n} gold<br>Points: {n}<br>Defence: 0<br></td>"

    cells = [write(name, n) for n, name in enumerate(NAMES, 2)]
    single = "".join(f"<tr><td><img src='a.png'></td>{cell}</tr>" for cell in cells)
    double = f"<tr>{''.join(cells[:2])}</tr><tr>{''.join(cells[2:])}</tr>"
    for rows in (single, double):
        page = f"<h1>Town</h1><table>{rows}</table>"
        cards = recognise(read_html_blocks(page, "a.html", 1000)).cards
        assert [card.name for card in cards] == [*NAMES]
        assert [tell(card)["points"] for card in cards] == ["2", "3", "4", "5"]
        assert [tell(card)["cost"] for card in cards] == [f"{n} gold" for n in range(2, 6)]


def test_the_header_of_small_tables_is_no_label() -> None:
    text = "".join(
        f"## {name}\n\n| Kategorie | Werte |\n|---|---|\n| TP | 2{n} |\n| Waffe | Bogen |\n"
        f"| SG | {n} |\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text, suffix="md")
    assert {card.kind for card in cards} == {None}
    assert [tell(card)["sg"] for card in cards] == ["2", "3", "4", "5"]


def test_a_short_word_above_numbers_that_count_rows_is_no_field() -> None:
    rows = "".join(f"| {n} | **{name}** | {TEXT} |\n" for n, name in enumerate(NAMES, 1))
    cards = read_cards(f"| N° | Objet | Effet |\n|---|---|---|\n{rows}", suffix="md")
    assert [(card.name, card.other) for card in cards] == [(name, ()) for name in NAMES]


def test_names_pointed_at_that_are_lines_and_one_of_them_in_a_table() -> None:
    told = "".join(
        f"{name.upper()}\n\nAC  HD  MV\n12  3   {n}0\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    index = "Creatures by Hit Dice\n\n1  Otter Lens\n2  Bottled Squall, Hermit in a Jar\n"
    index += "3  Liar's Goblet\n"
    found = list_names(told + index, "OTTER LENS", "BOTTLED SQUALL")
    assert [name.upper() for name in found] == [name.upper() for name in NAMES]


# What else stands there


def test_links_are_their_words_even_with_titles_and_on_two_lines() -> None:
    rows = "".join(
        f'| [{name}]({n}.md "wikilink") | {n} gp | {n} feet |\n' for n, name in enumerate(NAMES, 2)
    )
    text = 'Take a [light\narmour](Armour "wikilink") with you.\n\n'
    text += f"| Name | Cost | Range |\n|---|---|---|\n{rows}"
    cards = read_cards(text, suffix="md")
    assert [(card.name, dict(card.other)["cost"]) for card in cards] == [
        (name, f"{n} gp") for n, name in enumerate(NAMES, 2)
    ]
    blocks = read_text_blocks(text, "a.md")
    assert [block.text for block in blocks[:2]] == ["Take a light", "armour with you."]


@pytest.mark.parametrize("form", ["  - [{0}](#{1})", "- {0}", "1. [{0}](#{1})"])
def test_lists_of_what_a_text_holds_are_no_cards(form: str) -> None:
    told = [(f"{name} (rare)", name.lower().replace(" ", "-")) for name in FIVE]
    contents = "".join(f"{form.format(*one)}\n" for one in told)
    text = f"# Talents\n\n{contents}\n" + "".join(
        f"## {name}\n\n- {TEXT}\n- It is old.\n\n" for name, _ in told
    )
    result = recognise(read_text_blocks(text, "a.md"))
    assert [card.name for card in result.cards] == [*FIVE]
    assert [entry.why for entry in result.left_out][1:6] == ["table of contents"] * 5


def test_an_index_makes_no_heads_of_pages() -> None:
    told = [
        f"{name.upper()}\nRange {n} Strength 7 Crew 3\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    ]
    index = "INDEX\n\n" + "".join(f"{name}  {n}\n" for n, name in enumerate(NAMES, 3))
    pages = "".join(f"{n}                 Engines of War\n\n{one}" for n, one in enumerate(told, 4))
    found = list_names(f"{pages}8                 Engines of War\n\n{index}")
    assert [name.upper() for name in found] == [name.upper() for name in NAMES]


@pytest.mark.parametrize("rule", ["---", "%%%%"])
def test_cards_between_drawn_lines(rule: str) -> None:
    names = (
        "the Tomb card",
        "Exile card",
        "the Shaft card",
        "Velocity card",
        "the Cloud card",
        "Pain card",
    )
    told = "".join(
        f"{rule}\n{name}\n\nThe card shows a {n}.\n\n{TEXT}\n" for n, name in enumerate(names)
    )
    text = told.replace(f"{rule}\nVelocity", f"{rule}\n# Escape\nVelocity")
    cards = read_cards(text)
    assert [card.name for card in cards] == [*names]


def test_a_name_above_labels_on_one_line_is_no_part_of_them() -> None:
    said = "Visual: A figure kneels. Upright: Hidden growth, {n}. Reversed: Stagnation, {n}."
    text = "🌿 Major Cards\n" + "".join(
        f"🃏 {number}. {name}\n{said.format(n=number)}\n\n"
        for number, name in zip(("I", "II", "III", "IV", "V"), FIVE, strict=True)
    )
    assert list_names(text) == [*FIVE]


def test_terms_and_tables_of_restructured_text() -> None:
    terms = "1st Level\n---------\n\n" + "".join(f"{name}\n    {TEXT}\n\n" for name in NAMES)
    assert [card.name for card in read_marked(f"Paladin\n=======\n\n{terms}", "a.rst")] == [*NAMES]
    table = ".. csv-table:: {0}\n :widths: 20, 80\n\n{1}\n\n"
    rows = [f' "{name.upper()}","{TEXT}"\n' for name in FIVE]
    text = "Extras\n------\n\nPick one, and lower it.\n\n"
    text += table.format("Extras", "".join(rows[:3])) + table.format("Limits", "".join(rows[3:]))
    cards = read_marked(text, "a.txt")
    assert [(card.name.upper(), card.kind, card.text) for card in cards] == [
        (name.upper(), "Extras" if n < 3 else "Limits", TEXT) for n, name in enumerate(FIVE)
    ]


def test_blanks_before_colons_as_in_columns() -> None:
    text = "".join(
        f"{name.upper()}\n\nSyntax         : psi '{name.lower()}'\n"
        f"Level          : Psi {n}.\n\n{TEXT}\n#\n"
        for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text)
    assert [dict(card.other)["syntax"] for card in cards] == [
        f"psi '{name.lower()}'" for name in NAMES
    ]


def test_the_first_card_is_no_legend_for_its_long_line() -> None:
    text = "".join(
        f"## {name}\n\nThe hero is committed to {'making it last longer' if not n else 'it'}.\n\n"
        f"* Walking: {TEXT}\n* Stepping off: {TEXT}\n\n"
        for n, name in enumerate(NAMES)
    )
    assert list_names(text, suffix="md") == [*NAMES]


def test_headings_with_colons_are_names_as_a_whole() -> None:
    names = ("Pioneer Vessel: Celestial Nomad", "Galactic Herald: Pathfinder", "Gate Binder: Nexus")
    text = "".join(
        f"#### {name}\n\n{TEXT}\n\n- **HULL:** Alloy {n}\n- **POWER:** Fusion {n}\n\n"
        for n, name in enumerate(names)
    )
    assert list_names(text, suffix="md") == [*names]


def test_items_within_those_of_names_are_their_text() -> None:
    text = "".join(f"*   **{name}:** {TEXT}\n" for name in NINE)
    potions = "    *   **Healing Potion:** It heals.\n    *   **Black Potion:** It kills.\n"
    text = text.replace(f"*   **{NINE[3]}", f"{potions}*   **{NINE[3]}")
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*NINE]
    assert "Black Potion" in cards[2].text
    shown = list_names(text, "Healing Potion", NINE[0], suffix="md")
    assert "Black Potion" in shown


def test_names_with_a_stop_above_texts_that_stand_further_in() -> None:
    text = "Weapons are called by these names:\n\n" + "".join(
        f"{name}.\n     {TEXT} It helps the wielder, too, and\n     it sees what hides.\n\n"
        for name in FIVE
    )
    assert list_names(text) == [*FIVE]


def test_bold_names_in_capitals_among_those_shown() -> None:
    names = ("Normal Size Snake", "GOD", "Good Soup", "RIP", "Are you okay?", "Tuna")
    text = "".join(
        f"- **{name}**: reach {n}1 points in one game.\n" for n, name in enumerate(names)
    )
    assert list_names(text, names[0], names[5], suffix="md") == [*names]


def test_a_table_of_html_within_a_text_has_a_cell_on_each_line() -> None:
    def write(kind: str, *cells: str) -> str:
        told = "".join(f'<t{kind} class="left">{cell}</t{kind}>\n' for cell in cells)
        return f"\n\n<tr>\n{told}</tr>\n"

    rows = "".join(
        write("d", str(7 - n), name, f"<b>x</b>{n}", TEXT) for n, name in enumerate(NAMES)
    )
    head = f"<thead>{write('h', 'lv', 'name', 'code', 'description')}</thead>\n"
    text = f"## Spells\n\nAll are told.\n\n<table>\n\n<colgroup>\n<col />\n</colgroup>\n{head}"
    cards = read_cards(f"{text}<tbody>{rows}</tbody>\n</table>\n\n## End\n\nIt is.\n", suffix="md")
    assert [(card.name, card.text) for card in cards] == [(name, TEXT) for name in NAMES]
    assert [tell(card)["lv"] for card in cards] == ["7", "6", "5", "4"]


_SHIPS = """\
DUSTY GALLEON (2x) – +75 points

YAWL +4 (2x) – +110 points
DESCRIPTION: When used a second time, it crumbles to dust. Draw 5 cards and keep
Hull: 4+  Guns: 3  Turn: 6+
(Fast courier)
- CREW: a dozen hands
- BUILT AT: an unknown yard
(Fast courier)
- CREW: 20 and 4 officers
- BUILT AT: an unknown yard
Hull: 8  Guns: 2+  Turn: 4+
DESCRIPTION: If the hand is empty, the youngest player gains 1d6 points of
broadside deals 1d4 to the hull. If an ally falls, the leader gains two steps of

THE "OLD BESS" GALLEY – +95 points
- BUILT AT: Lorimer's wharf
Hull: 1  Guns: 6+  Turn: 9
DESCRIPTION: Draw 6 cards and keep one of them. Ignore the first wound that the
It was found near an old tower in the year 731. Every foe in sight cannot enter
any forest after a rest. Those who carry it are never surprised. Her captain may
turn twice until nightfall. Her hold takes 20 tons of timber, wool or wine.
COG (GREEDY) – +65 points
(Fast courier)
- CREW: 40 and 6 officers
- BUILT AT: an unknown yard
Hull: 2  Guns: 6+  Turn: 1
DESCRIPTION: If nobody objects, the keeper returns to open ground. The nearest

CUTTER NO. 3 – +85 points
- CREW: a dozen hands
- BUILT AT: an unknown yard
Hull: 4  Guns: 6+  Turn: 5+
DESCRIPTION: When used a second time, it crumbles to dust. The keeper rolls 4
"""


def test_a_bracket_in_capitals_that_few_names_have_is_a_part_of_them() -> None:
    names = [card.name for card in read_cards(_SHIPS, suffix="txt")]
    assert "Cog (Greedy)" in names and "Cutter No. 3" in names


def test_a_step_with_two_figures_is_no_row_of_stats() -> None:
    steps = "1. Move to the edge of the map\n2. Roll {n}d6 and add {n}\n3. Any friend gains +6"
    text = "".join(
        f"**{name}**\n\nStrength {n}+ | Supply {n}\n\nChoose one of these:\n\n{steps}\n\n"
        f"Points: {n}5 pts\n\n".replace("{n}", str(n))
        for n, name in enumerate(("Captain", "Black Watch", "Cold Hunter", "Caravan"), 2)
    )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == ["Captain", "Black Watch", "Cold Hunter", "Caravan"]
    assert [dict(card.other)["stats"] for card in cards] == [
        {"Strength": f"{n}+", "Supply": str(n)} for n in range(2, 6)
    ]
    assert all(f"Roll {n}d6 and add {n}" in card.text for n, card in enumerate(cards, 2))


_WALLS = """\
# What Grows on Walls

Version 5.3, spring of 788

### Using These Rules

The figures were checked twice, but mistakes may remain.

Most groups will meet only a handful of them in one evening.

{more}

## Book One

### Climbers

Nothing here is needed to play the basic game.

- **Corvin's Bright Bistort (2 copies)** – All parts are poisonous.
- **Broken Sedge** – In wet winters the crown may rot.
- **Mallow of Good Cheer (3 copies)** – Divide old clumps every 3 years.
- **Idle Hazel of Storms** – The scent is strongest after rain. Cut it back hard in March.

### Grasses

Some are old friends; others appear here for the first time.

- **Dappled Tansy (2 copies)** – Mulch with leaf mould and do not disturb it.
- **Jorun's Peony (3 copies)** – Slugs love the young shoots.

## Book Two

### Shrubs

We thank all who sent us corrections.

- **Bramble of the Smoky Moss (2 copies)** – The scent is strongest after rain.
- **Swift Sage** – It grows well beneath birches and does not mind dry roots.
- **Young Comfrey (3 copies)** – In wet winters the crown may rot.
- **Swift-Shining Orchid** – Cut it back hard in March. It will climb a north wall without help.

### Ferns

The entries are sorted by where they are found. Every entry has been played at our own table.

- **Moss of Silence (2 copies)** – Mulch with leaf mould and do not disturb it.
- **Kindly-Ivory Bryony** – It seeds itself freely and is hard to be rid of.
- **Tangled Heather of Grief (3 copies)** – Our own plant came from a hedge near the sea in 902.
- **Crimson-Ancient Peony (2 copies)** – Bees visit the flowers from early morning.
"""
_MORE = (
    "Print the pages, cut them out and put them within reach. Nothing here is needed to play the "
    "basic game. Some are old friends; others appear here for the first time. Ask the other "
    "players before you bring any of these to the table."
)


def test_headings_above_items_are_no_names_beside_some_of_these() -> None:
    names = [card.name for card in read_cards(_WALLS.format(more=_MORE), suffix="md")]
    items = [line[4:].split("**")[0] for line in _WALLS.splitlines() if "**" in line]
    assert names == [item.split(" (")[0] for item in items]
