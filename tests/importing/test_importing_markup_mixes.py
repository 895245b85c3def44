"""What people mix: HTML within Markdown, several texts in one file, lists within lists, and lines
further out than the names; and what is a field beside another text.
"""

from __future__ import annotations

from finding_cards import EIGHT, NAMES, TEXT, list_names, read_cards, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.text import read_text_blocks


def read_told(text: str, suffix: str = "md") -> list[dict[str, object]]:
    return [tell(card) for card in read_cards(text, suffix=suffix)]


def read_page(text: str) -> tuple[Candidate, ...]:
    return recognise(read_html_blocks(text, "a.html", 10_000)).cards


# HTML within a text


def test_terms_of_html_within_markdown() -> None:
    terms = "".join(f"<dt>{name}</dt>\n<dd>{TEXT}</dd>\n\n" for name in NAMES)
    text = f'# Words\n\n## A {{#A}}\n\n<dl class="list">\n\n{terms}</dl>\n'
    assert [(c.name, c.text) for c in read_cards(text, suffix="md")] == [(n, TEXT) for n in NAMES]


def test_items_of_html_within_a_line() -> None:
    deeds = "<ul><li>Turn into a toad</li><li>Swallow a house</li></ul>"
    text = "".join(f"<b>{name}</b> Solitary, large. {TEXT}{deeds}\n" for name in NAMES)
    cards = read_cards(text)
    assert [card.name for card in cards] == [*NAMES]
    assert cards[0].text.split("\n\n")[-2:] == ["• Turn into a toad", "• Swallow a house"]


def test_a_page_in_one_line_has_a_place_for_each_paragraph() -> None:
    """Rows of a small table within are cards of their own line otherwise."""
    table = "<table><tr><th>Sort</th><th>Penalty</th></tr>" + "".join(
        f"<tr><td>{sort}</td><td>less against {sort}</td></tr>" for sort in ("Air", "Earth", "Fire")
    )
    rows = "".join(
        f"<p><strong>{name}:</strong> {TEXT}</p>{f'{table}</table>' * (n == 3)}<p>Faint.</p>"
        for n, name in enumerate((*EIGHT, "Salt Lamp", "Grey Stamp", "Bent Key", "Long Rope"))
    )
    page = f"<section><h3>Rings</h3><p>All are described below.</p>{rows}</section>"
    cards = read_page(page)
    assert [card.name for card in cards][: len(EIGHT)] == [*EIGHT]
    assert len({card.place for card in cards}) == len(cards) == 12


# Several texts, and other markups


def test_several_recipes_with_a_head_each() -> None:
    """Their own headings stand below their titles, and their last lines head nothing."""
    text = "".join(
        f"---\nname: {name}\nserves: {n} people\n---\n\n## Needs\n\n- {n} eggs\n- a bit of salt\n\n"
        f"## Steps\n\n{TEXT}\n\n## Note\n\nA dish of Marta\n\n---\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text, suffix="md")
    assert [(card.name, dict(card.other)["serves"], card.kind) for card in cards] == [
        (name, f"{n} people", None) for n, name in enumerate(NAMES, 2)
    ]


def test_headings_of_wikidot() -> None:
    text = "[[toc]]\n\n+ Weapons\n\n" + "".join(
        f"+++ {name}\n**Slot** none\n\n{TEXT}\n\n" for name in NAMES
    )
    blocks = read_text_blocks(turn_markup(text, "a.txt"), "a.txt")
    cards = recognise(blocks).cards
    assert [(card.name, card.text) for card in cards] == [(name, TEXT) for name in NAMES]


# Lists


def test_items_with_lists_of_their_own_are_cards() -> None:
    parts = ("Air magic", "Fire magic", "Earth magic")
    chapters = "".join(
        f"## {part}\n\n### Offence\n\n"
        + "".join(
            f"* {name} {part.split()[0]}\n  * {TEXT}\n  * Scales: area, damage\n" for name in NAMES
        )
        + "\n"
        for part in parts
    )
    wanted = [f"{name} {part.split()[0]}" for part in parts for name in NAMES]
    assert list_names(f"Ideas for spells.\n\n{chapters}", suffix="md") == wanted


def test_a_line_further_out_than_those_above_it_begins_a_card() -> None:
    """What is set in below a text belongs to it."""
    deeds = ("Watch", "Armour", "Guard", "Role block", "Heal", "Day reveal")
    who = ("Lookout", "Citizen", "Body guard", "Escort", "Doctor", "Mayor")
    text = "TOWN ABILITIES\n" + "".join(
        f"    {deed} - Observe or guard one person each night.\n        {one}\n"
        for deed, one in zip(deeds, who, strict=True)
    )
    assert list_names(text) == [*deeds]


def test_titles_further_out_than_all_names() -> None:
    spells = (
        ("Cure light wounds: mends whoever is hurt. Touch.", "Doom: shakens an enemy.",
         "Longstrider: increases the speed of whoever casts it."),
        ("Bull's strength: makes somebody strong. Touch.", "Cat's grace: makes nimble. Touch.",
         "Locate object: finds the nearest chest in a dungeon."),
        ("Fly: lets the caster fly over walls.", "Slow: half as much speed for all foes.",
         "Haste: one more blow in each round."),
    )  # fmt: skip
    text = "SPELL GUIDE\n\nEvery hero starts at level one.\nTouch spells reach a neighbour.\n\n"
    for n, lines in enumerate(spells, 1):
        text += f"Level {n} (caster level {2 * n - 1})\n"
        text += "".join(f"  {line}\n" for line in lines) + "\n"
    cards = read_cards(text)
    assert len(cards) == 9
    assert [(card.kind or "")[:7] for card in cards[::3]] == ["Level 1", "Level 2", "Level 3"]
    assert cards[2].text == "increases the speed of whoever casts it."


def test_headings_below_names_are_text() -> None:
    tables = (
        *("Ghostly gifts", "Rivals", "Kinds", "Wishes of pixies"),
        *("Odd guests", "Lamps", "Bad weather", "Wares for sale"),
    )
    text = "".join(
        f"### {name}\n\nSTR {n}, DEX 9, WIL 8\nAttacks: bite (d{n})\n\n**Wants** to {table}\n\n"
        f"#### {table}\n\n{n} times they come by night.\n\n"
        for n, (name, table) in enumerate(zip(EIGHT, tables, strict=True), 3)
    )
    cards = read_cards(f"## Creatures\n\n{text}", suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert all(f"**{t}**" in card.text for card, t in zip(cards, tables, strict=True))


# Fields


def test_labels_in_a_list_of_other_things() -> None:
    text = "".join(
        f"**{name}** Solitary, large, bite (d{n} damage, messy); {n} HP; 2 Armor, close, "
        f"*Special Qualities: Wings, Halo*, Instinct: To eat the {n}th man\n- Swallows a house\n\n"
        for n, name in enumerate(NAMES, 6)
    )
    first = read_told(text)[0]
    assert (first["hp"], first["armor"]) == ("6", "2")
    assert first["instinct"] == "To eat the 6th man"
    assert "Wings, Halo" in str(first["special_qualities"])
    assert str(first["text"]).startswith("Solitary, large, bite (d6 damage, messy), close")


def test_an_effect_in_a_list_is_a_field_beside_another_text() -> None:
    above = "".join(
        f"### {name}\n\nAnimals see you as one of their own kind.\n\n"
        f"- **Effects:** When it rains, animals will not attack you unless you attack first\n"
        f"- **Ranks:** {n}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    assert str(read_told(above)[0]["effects"]).startswith("When it rains")
    below = "".join(
        f"### {name}\n- **Cost**: {n} Stamina\n- **Effect**: +{n}0% damage from behind\n"
        f"- **Description**: {TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    first = read_told(below)[0]
    assert (first["effect"], first["text"]) == ("+10% damage from behind", TEXT)


def test_a_kind_of_several_words_is_whole() -> None:
    kinds = ("Active, Instant", "Active, Persistent", "Active, Toggle", "Passive, Instant")
    text = "".join(
        f"### {name}\n- **Type**: {kind}\n- **Cost**: {n} Stamina\n- **Description**: {TEXT}\n\n"
        for n, (name, kind) in enumerate(zip(NAMES, kinds, strict=True), 1)
    )
    assert [card.kind for card in read_cards(text, suffix="md")] == [*kinds]


def test_stats_in_capitals_are_no_prices() -> None:
    text = "".join(
        f"- {name}: {n} DAM, {n + 1} RNG, 2 REC, Melee\n  - {TEXT}\n"
        for n, name in enumerate(NAMES, 1)
    )
    cards = read_cards(text, suffix="md")
    assert dict(cards[0].other)["stats"] == {"DAM": "1", "RNG": "2", "REC": "2"}
    assert cards[0].cost is None
    assert "cost" not in cards[0].text


# Tables


def test_a_spanish_column_of_names() -> None:
    """The French word counts."""
    rows = "".join(f"| <img src='{n}.png'> | {name} | {TEXT} |\n" for n, name in enumerate(NAMES))
    text = f"### Objetos\n\n| Sprite | Nombre | Nota |\n|:-:|:-|:-|\n{rows}"
    assert list_names(text, suffix="md") == [*NAMES]


def test_a_first_row_with_a_number_or_with_what_comes_again_is_no_header() -> None:
    rows = ("MTHR HELM", "ADMT HELM", "LOREHELM", "WIZHELM", "MTHR SCALE")
    text = "".join(
        f"({n})   {row:15} --  {'' if n == 3 else 'LOWERS ARMOUR CLASS.'}".rstrip() + "\n"
        for n, row in enumerate(rows, 1)
    )
    cards = read_cards(text)
    assert [card.name.upper() for card in cards] == [*rows]
    assert [card.cost for card in cards] == [None] * 5


# Pointing


def test_names_that_would_be_found_in_any_case_change_nothing() -> None:
    """An overview names them as well."""
    rows = "".join(f"| {name} | {n} | {TEXT} |\n" for n, name in enumerate(EIGHT, 1))
    long = "".join(
        f"### {name} III\n\n*{TEXT} And more of it.*\n\n**Level:** {n}\n\n"
        for n, name in enumerate(EIGHT, 1)
    )
    text = f"# Fighter\n\n| Name | Level | Effect |\n|---|---|---|\n{rows}\n{long}"
    pointed = read_cards(text, EIGHT[0], EIGHT[5], suffix="md")
    guessed = read_cards(text, suffix="md")
    assert [card.name for card in pointed] == [*EIGHT]
    assert pointed == guessed


# Signs of their own


def test_separators_of_single_dashes_are_no_rows() -> None:
    """Tables whose numbers are alike are none of what others tell of."""
    tables = "".join(
        f"#### {title}\n\n| Number | Name | Looks | Result |\n| {dash} | - | - | - |\n"
        + "".join(f"| ({n * 11111}) | **{name} {n}** | *Old* | {TEXT} |\n" for n, name in rows)
        + "\n"
        for title, dash in (("Fives", "-"), ("Sixes", "---------"))
        for rows in [[*enumerate(NAMES if title == "Fives" else EIGHT[4:], 1)]]
    )
    names = [f"{name} {n}" for part in (NAMES, EIGHT[4:]) for n, name in enumerate(part, 1)]
    assert list_names(tables, suffix="md") == names


def test_a_column_of_dice_names_nothing() -> None:
    rows = "".join(f"| D1D{n} | {name} | {TEXT} |\n" for n, name in enumerate(NAMES, 1))
    text = f"## Beasts\n\n| 2d6 | Creature | Description |\n|---|---|---|\n{rows}"
    assert list_names(text, suffix="md") == [*NAMES]


def test_blanks_to_fill_in_stay() -> None:
    asked = ("I give you ___.", "_____ is the new black.", "Why can't I sleep? _____", "Name: ____")
    text = "".join(f"## {name}\n\n{line}\n\n" for name, line in zip(NAMES, asked, strict=True))
    said = [card.text.replace("\\", "") for card in read_cards(text, suffix="md")]
    assert said[:3] == [*asked[:3]]
    names = tuple(f"{name} lived in the _____ century" for name in NAMES)
    text = "# Quiz\n\n" + "".join(f"### {name}\n\n{TEXT}\n\n" for name in names)
    assert list_names(text, suffix="md") == [*names]


def test_a_name_with_a_stop_above_a_text_that_is_set_in() -> None:
    body = "     A charm that helps the wielder to defend himself, thus raising his\n"
    body += "     armour, and protecting him against damage from fire, cold, and falls.\n"
    body += "     It is lost at dawn.\n"
    names = ("Blade of Dawn", "Bow of Ash", "Coat of Mail", "Cloak of Dusk", "Rod of Iron")
    text = "Blades are known by these names:\n\n" + "".join(f"{n}.\n{body}\n" for n in names)
    assert list_names(text) == [*names]


def test_headings_of_many_words_are_names() -> None:
    asked = "According to the old books of the town, who is said to have built the {} of its walls"
    names = tuple(asked.format(n) for n in ("first", "second", "third", "fourth", "fifth"))
    text = "# Cards\n\n" + "".join(f"### {name}\n\n{TEXT}\n\n" for name in names)
    assert list_names(text, suffix="md") == [*names]


def test_stats_and_labels_between_bars() -> None:
    text = "".join(
        f"====================\n{name.upper()}\n\nHP 003{n} | GP 002{n} | Spoils: (P)PURE 1/16\n\n"
        f"ATT 02{n} | DEF 00{n} | MAG 012 | AGI 008\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    first = read_told(text, suffix="txt")[0]
    assert (first["hp"], first["gp"], first["att"]) == ("0031", "0021", "021")
    assert (first["spoils"], first["text"]) == ("(P)PURE 1/16", TEXT)


def test_prompts_with_blanks_are_cards() -> None:
    """Each is a name as it stands, numbered, listed or by itself."""
    prompts = (
        "What gets better with age? _____.",
        "_____ is a slippery slope that leads to _____.",
        "In a world of _____, our only solace is _____.",
        "Only an _____ at night?",
        "I drink to forget _____.",
    )
    for sign in ("- ", "{n}. ", ""):
        lines = (f"{sign.format(n=n)}{line}\n\n" for n, line in enumerate(prompts, 1))
        assert list_names(f"# Black cards\n\n{''.join(lines)}", suffix="md") == [*prompts]
    form = "".join(f"## {name}\n\nPlayer: ____\n\n{TEXT}\n\n" for name in NAMES)
    assert list_names(form, suffix="md") == [*NAMES]


def test_a_label_whose_values_come_again_is_no_name() -> None:
    """Its value is in capitals, as the names are."""
    parts = ("V, S, M (a pinch of ash)", "V, S", "V, S, M (a pinch of ash)", "V, S")
    text = "".join(
        f"{name.upper()}\n\nCOMPONENTS: {part}\nCASTING TIME: {n} minutes\nSCHOOL: mind\n\n"
        f"{TEXT}\n\n"
        for n, (name, part) in enumerate(zip(NAMES, parts, strict=True), 2)
    )
    assert list_names(f"THE CARDS\n=========\n\n{text}") == [*NAMES]


def test_brackets_behind_a_third_of_names_in_capitals() -> None:
    names = ("Toast", "Chowder (Patient)", "Leek Pie", "Walnut Bread (Lonely)", "Custard", "Loaf")
    dots = (f"{f'{name.upper()} ':.<52} {n},350 gold" for n, name in enumerate(names, 2))
    text = "".join(f"{line}\n\nA side dish\n\nServes: 2\n\n{TEXT}\n\n" for line in dots)
    assert list_names(f"FISH\n====\n\n{text}") == [*names]


def test_a_line_below_each_word_of_a_header_holds_a_table_together() -> None:
    """Its first rows look like two columns of a page."""
    rows = (
        ("Skirmishers of Stillness", "–", "1 model", "militia", "skirmish"),
        ("Hesper's Painted Musketeers", "Armies of 20 models", "1 model", "militia", "close order"),
        ("Dusty-Humble Onager", "–", "2", "veterans", "skirmish"),
        ("Mossy Archers of Sorrow", "–", "3 to 1", "militia", "close order"),
    )
    widths = (3, 29, 22, 11, 11, 13)

    def lay(*cells: str) -> str:
        return "".join(f"{cell:{width}}" for cell, width in zip(cells, widths, strict=True))

    drawn = "-" * sum(widths)
    head = lay("#", "Title", "Only for", "Unit size", "Training", "Formation")
    lines = lay(*("-" * (width - 2 or 1) for width in widths))
    body = "\n\n".join(lay(str(n), *row) for n, row in enumerate(rows, 1))
    text = f"# The Roll\n\n## Heroes\n\n{drawn}\n{head}\n{lines}\n{body}\n{drawn}\n"
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [row[0] for row in rows]
    assert [dict(card.other)["training"] for card in cards] == [row[3] for row in rows]


def test_the_small_rest_of_a_name_is_no_title() -> None:
    """Where other rows are titles, it goes on with the name above."""
    rows = "".join(
        f"| {kind} | | |\n"
        + "".join(f"| {name} {kind} | {n} | {TEXT} |\n" for n, name in enumerate(NAMES))
        for kind in ("Drinks", "Blades")
    )
    text = f"# Wares\n\n| Ware | Weight | Use |\n|---|---|---|\n{rows}| of old | | |\n"
    names = [f"{name} {kind}" for kind in ("Drinks", "Blades") for name in NAMES]
    assert list_names(text, suffix="md") == [*names[:-1], f"{names[-1]} of old"]
