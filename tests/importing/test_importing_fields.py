"""Importing: the fields of cards that are found, by how their lines are printed."""

from __future__ import annotations

import json

import pytest
from finding_cards import read_cards, tell
from generated import make_document

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Pointed
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.write import make_cards

NAMES = ("Ember Blade", "Wooden Spoon", "Salt Lamp", "Tin Crown")
TEXT = "It may be used when nobody is watching, and the bearer says so.\n"
# How a card is printed below its name, and its fields; {n} is another figure on each card.
LAYOUTS = {
    "labels that run on over lines": (
        "Range: {n} m / Weight: light /\nOrigin: the old forges of\nthe north / Charges: 3\n",
        {"range": "{n} m", "weight": "light", "origin": "the old forges of the north",
         "charges": "3"},
    ),
    "labels with wide gaps that run on over lines": (
        "Range: {n} m  Weight: very\nlight  Origin: the old forges  Charges:\nthree\n",
        {"range": "{n} m", "weight": "very light", "origin": "the old forges",
         "charges": "three"},
    ),
    "a cost above a line of stats": (
        "60 pts\n\nAttack {n}  Magic 3  Guard 4\n",
        {"cost": 60, "stats": {"Attack": "{n}", "Magic": "3", "Guard": "4"}},
    ),
    "labels in a bracket": (
        "(Range: {n} inches, Duration: 1 day)\n",
        {"range": "{n} inches", "duration": "1 day"},
    ),
    "bold labels without colons": (
        "**Rent** {n} coins **Floods at** mid tide\n",
        {"rent": "{n} coins", "floods_at": "mid tide"},
    ),
    "a template of a wiki": (
        "{{{{Item\n| range = {n}\n| weight = light\n}}}}\n",
        {"range": "{n}", "weight": "light"},
    ),
    "figures that are no numbers of pages": (
        "Weight    3 kg\nCharges   {n}\n",
        {"stats": {"Weight": "3 kg", "Charges": "{n}"}},
    ),
    "a stat whose word in small letters is another": (
        "MV {n} AT 3 DF 5\n", {"stats": {"MV": "{n}", "AT": "3", "DF": "5"}},
    ),
    "stats that no vocabulary knows": (
        "ZA {n} RE 1 GU 3\nWO 4\n",
        {"stats": {"ZA": "{n}", "RE": "1", "GU": "3", "WO": "4"}},
    ),
    "a stat called as texts are": (
        "Risk {n}, Power 5, Time 6\n",
        {"stats": {"Risk": "{n}", "Power": "5", "Time": "6"}},
    ),
    "words above figures, and a cost among them": (
        "Risk\nPower\nPoints\n\n{n}\n5\n60\n",
        {"cost": 60, "stats": {"Risk": "{n}", "Power": "5"}},
    ),
    "a subtitle in brackets below a line": (
        "-----\n[Ring (very rare)]\nWeight: {n} kg\n",
        {"subtitle": "Ring (very rare)", "weight": "{n} kg"},
    ),
    "a list of fields, and a label with stops": (
        ":Weight: {n} kg\n:Inv. no.: A {n}\n\n.. note:: see below\n",
        {"weight": "{n} kg", "inv_no": "A {n}"},
    ),
    "a label whose value holds a sign that parts labels": (
        "Danger: {n}/9\nOpens by itself.\nAnswer: {n}\n",
        {"danger": "{n}/9", "answer": "{n}", "text": f"Opens by itself.\n\n{TEXT.strip()}"},
    ),
    "a value in a bracket with signs of its own": (
        "- **Weight**: light\n- **Place**: (Row: {n}, Shelf: 5)\n\n",
        {"weight": "light", "place": "(Row: {n}, Shelf: 5)"},
    ),
    "a slanted word within a value": (
        "- **Needs:** the *Old* forge, {n} coins\n\n", {"needs": "the *Old* forge, {n} coins"},
    ),
    "two labels that mean the kind": (
        "- Type: Ring\n- Category: plain, {n}\n\n", {"kind": "Ring", "category": "plain, {n}"},
    ),
    "a price in Portuguese": ("- **Preço**: {n} moedas\n\n", {"cost": "{n} moedas"}),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_fields_of_records(layout: str) -> None:
    printed, wanted = LAYOUTS[layout]
    figures = (7, 4, 9, 2)
    text = "".join(
        f"\n## {name}\n\n{printed.format(n=figure)}\n{TEXT}"
        for name, figure in zip(NAMES, figures, strict=True)
    )
    cards = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    for card, name, figure in zip(cards, NAMES, figures, strict=True):
        assert card.pop("name") == name
        assert card == {
            "text": TEXT.strip(),
            **json.loads(json.dumps(wanted).replace("{n}", str(figure))),
        }


THINGS = ((0, "Arms", "Cup"), (3, "Brews", "Horn"), (6, "Tools", "Drum"))
METALS = ("Grey", "Iron", "Gold")
# Texts in which the names are not where others have them, and their names.
PRINTED = {
    "a name on two lines of a cell": (
        "| Name | Copies | Price | Effect |\n|---|---|---|---|\n"
        "| **Council of the River** | 2 | 400 gp | Draw 2 cards and keep one of them. A |\n"
        "| **Queen** | | | rival must leave the harbour. |\n"
        "| **Lucky Treaty** | 3 | 50 gp | Nobody may leave the harbour. |\n"
        "| **Bold Raid** | 1 | 10 gp | It does not work when it rains. |\n",
        ["Council of the River Queen", "Lucky Treaty", "Bold Raid"],
    ),
    "rows below a line drawn to each column": (
        "".join(
            f"## {chapter}\n\n------------------------------------------\n"
            "#  Name          Price      Use\n-  ------------  ---------  ------------\n"
            + "\n".join(
                f"{at + n}  {metal} {thing:7}  {at + n}5 coins   an action\n"
                for n, metal in enumerate(METALS, 1)
            )
            + "------------------------------------------\n\n"
            for at, chapter, thing in THINGS
        ),
        [f"{metal} {thing}" for _, _, thing in THINGS for metal in METALS],
    ),
}  # fmt: skip


@pytest.mark.parametrize("printed", PRINTED)
def test_names_of_records(printed: str) -> None:
    text, names = PRINTED[printed]
    cards = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    assert [card["name"] for card in cards] == names


# A name's line, and what it says; {n} is another figure, or a dash.
HEADS = {
    "a price in brackets, or none": ("{name} [{n}] (event)", {"cost": "{n}", "subtitle": "event"}),
    "copies among other words": (
        "{name}\n(rare, {n} copies)", {"count": "{n}", "subtitle": "rare"},
    ),
    "signs at both ends": ("~ {name} – +{n} points ~", {"cost": "{n}"}),
    "a price behind a bracket": (
        "**{name}** *(petty)* – {n} pennies", {"cost": "{n} pennies", "subtitle": "petty"},
    ),
    "a bracket before the text": ("{NAME} (blue) keep it", {"subtitle": "blue"}),
    "copies as a sheet numbers them": ("{name}\nCopy 1/{n}", {"count": "{n}"}),
}  # fmt: skip


@pytest.mark.parametrize("head", HEADS)
def test_what_a_name_has_beside_it(head: str) -> None:
    printed, wanted = HEADS[head]
    figures = ("3", "-" if "[" in printed else "5", "4", "2")
    pairs = [*zip(NAMES, figures, strict=True)]
    text = "\n".join(
        f"{printed.format(name=name, NAME=name.upper(), n=figure)}\n{TEXT}"
        for name, figure in pairs
    )
    cards = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    assert [card["name"] for card in cards] == [*NAMES]
    for card, (_, figure) in zip(cards, pairs, strict=True):
        said = {key: str(card[key]) for key in wanted if key in card}
        filled = {key: value.replace("{n}", figure) for key, value in wanted.items()}
        assert said == {key: value for key, value in filled.items() if value != "-"}


def test_a_line_below_the_last_card_is_of_none_though_it_begins_with_a_label() -> None:
    cards = "".join(f"{name}\nGrade: {at}\n{TEXT}\n" for at, name in enumerate(NAMES, 1))
    found = recognise(read_text_blocks(f"{cards}Stand: March. Ask Ole.\n", "items.txt"))
    assert found.cards[-1].text == TEXT.strip()
    assert found.left_out[-1].text == "Stand: March. Ask Ole."


def test_a_word_in_all_cells_of_a_column_is_what_it_is_called() -> None:
    text = "".join(f"{name:14}HD {at}   AC 1{at}\n  {TEXT}\n" for at, name in enumerate(NAMES, 2))
    cards = make_cards(recognise(read_text_blocks(text, "items.txt")).cards)
    assert [(card["name"], card["hd"], card["ac"]) for card in cards] == [
        (name, str(at), f"1{at}") for at, name in enumerate(NAMES, 2)
    ]


def test_a_chapter_in_capitals_is_no_part_of_the_name_below_it() -> None:
    units = [f"{name} ({at}0 points)\n{TEXT}" for at, name in enumerate(NAMES, 1)]
    text = "".join(["ON FOOT\n", *units[:2], "MOUNTED\n", *units[2:]])
    cards = make_cards(recognise(read_text_blocks(text, "units.txt")).cards)
    assert [card["name"] for card in cards] == [*NAMES]


def test_a_rank_may_be_a_part_of_a_name_that_somebody_sees() -> None:
    names = ("Mill Cousin", "Old Duck", "Tin Spoon", "False Standard")
    text = "".join(f"* {name} ({at}5 pts) - {TEXT}\n" for at, name in enumerate(names))
    found = recognise(read_text_blocks(text, "items.txt"), Pointed(names=names[:3:2]))
    assert [card.name for card in found.cards] == [*names]


def test_names_that_are_numbered_on_are_told_by_that() -> None:
    text = "".join(
        f'{at}. **{name}** [{"instant" if at % 2 else "lasting"}]\n   {TEXT}   *"So it is {at}."*\n'
        for at, name in enumerate(NAMES, 1)
    )
    cards = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    assert [card["name"] for card in cards] == [*NAMES]


def test_what_somebody_does_is_no_bearer_where_it_is_all_that_is_said() -> None:
    said = ("Any neighbour draws a card.", "It hums.", "Any priest wakes up.", "It is cold.")
    text = "".join(f"{name}\n{one}\n\n" for name, one in zip(NAMES, said, strict=True))
    cards = make_cards(recognise(read_text_blocks(text, "items.txt")).cards)
    assert [card["text"] for card in cards] == [*said]


def test_labels_in_brackets_behind_names_below_numbered_chapters() -> None:
    cards = [
        f"{at}. {name} [Needs: {'a key' if at % 2 else 'all'}]\n   {TEXT}"
        for at, name in enumerate((*NAMES, "Bone Needle", "Ash Wand"), 1)
    ]
    text = "\n".join(["I. ON THE QUAY\n", *cards[:3], "\nII. IN THE TOWER\n", *cards[3:]])
    found = make_cards(recognise(read_text_blocks(text, "items.txt")).cards)
    assert [(card["name"], card["kind"], card["needs"]) for card in found] == [
        ("Ember Blade", "On the Quay", "a key"),
        ("Wooden Spoon", "On the Quay", "all"),
        ("Salt Lamp", "On the Quay", "a key"),
        ("Tin Crown", "In the Tower", "all"),
        ("Bone Needle", "In the Tower", "a key"),
        ("Ash Wand", "In the Tower", "all"),
    ]
    assert all(card["text"] == TEXT.strip() for card in found)


def test_what_stands_below_cards_and_comes_again_is_of_none() -> None:
    """Posts end in a line that comes again, and begin with who wrote them."""
    parts = (NAMES, ("Ash Wand", "Bone Needle"), ("Cracked Jug",))
    posts = [
        f"Posted by: guest{at}\nThese are mine.\n\n"
        + "".join(f"[b]{name}[/b]\nCost: {at} gp\n{TEXT}\n" for name in names)
        + ("____________\nNever trust a chest.\n\n\n" if at != 2 else "\n")
        for at, names in enumerate(parts, 1)
    ]
    found = make_cards(recognise(read_text_blocks("".join(posts), "thread.txt")).cards)
    assert [card["cost"] for card in found] == ["1 gp"] * 4 + ["2 gp"] * 2 + ["3 gp"]
    assert all(card.keys() == {"name", "cost", "text"} for card in found)
    assert {card["text"] for card in found} == {TEXT.strip()}


def test_cards_without_a_text_are_cards_among_chapters() -> None:
    names = (*NAMES, "Bone Needle", "Ash Wand", "Rope Ladder", "Cracked Jug")
    cards = [f"**{name}**\n\n{'' if at == 3 else TEXT}\n" for at, name in enumerate(names)]
    text = "".join(["## Quay\n\n", *cards[:4], "## Tower\n\n", *cards[4:]])
    found = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    wanted = [(name, "Quay" if at < 4 else "Tower") for at, name in enumerate(names)]
    assert [(card["name"], card["kind"]) for card in found] == wanted
    rows = [f"| {name} | {'' if at == 5 else TEXT.strip()} |\n" for at, name in enumerate(names)]
    text = "".join(["## Quay\n\n", *rows[:4], "\n## Tower\n\n", *rows[4:]])
    found = make_cards(recognise(read_text_blocks(text, "items.md")).cards)
    assert [(card["name"], card["kind"]) for card in found] == wanted


WIKI = (
    "== Herbs ==\n;Basil\n:''Ocimum''\n:Pick the tops.\n:'''Height:''' 40 cm\n\n",
    ";Mint\n:''Mentha''\n:Keep it in a pot.\n:'''Height:''' 60 cm\n\n",
    "== Roots ==\n;Carrot\n:''Daucus''\n:Sow thinly.\n:'''Height:''' 30 cm\n\n",
    ";Beetroot\n:''Beta''\n:Boil it whole.\n:'''Height:''' 35 cm\n",
)
INLINE = "== {kind} ==\n; {name} : It stands by the wall.\n; {other}: It hums, and is never cold.\n"


def test_terms_of_a_wiki_with_what_is_said_of_them() -> None:
    found = make_cards(recognise(read_text_blocks("".join(WIKI), "page.txt")).cards)
    assert found[2] == {
        "name": "Carrot", "kind": "Roots", "subtitle": "Daucus", "height": "30 cm",
        "text": "Sow thinly.",
    }  # fmt: skip
    assert [card["kind"] for card in found] == ["Herbs"] * 2 + ["Roots"] * 2
    pairs = zip(NAMES[::2], NAMES[1::2], ("Upstairs", "Downstairs"), strict=True)
    text = "".join(INLINE.format(name=name, other=other, kind=kind) for name, other, kind in pairs)
    found = make_cards(recognise(read_text_blocks(text, "page.txt")).cards)
    assert [(card["name"], card["kind"]) for card in found] == [
        (name, "Upstairs" if at < 2 else "Downstairs") for at, name in enumerate(NAMES)
    ]
    assert found[1]["text"] == "It hums, and is never cold."


def test_rows_with_a_text_below_each() -> None:
    prices = ("12.00", "8.50", "30.00", "6.50")
    rows = [
        f"{name:25}{'' if at == 2 else f'{at} kg':11}{price:>6}\n  {TEXT}"
        for at, (name, price) in enumerate(zip(NAMES, prices, strict=True))
    ]
    text = "".join(["CELLAR\n\n", *rows[:2], "\nATTIC\n\n", *rows[2:], "\nWe sell no wine.\n"])
    found = make_cards(recognise(read_text_blocks(text, "list.txt")).cards)
    assert [(card["name"], card["kind"], card["cost"]) for card in found] == [
        ("Ember Blade", "Cellar", "12.00"),
        ("Wooden Spoon", "Cellar", "8.50"),
        ("Salt Lamp", "Attic", "30.00"),
        ("Tin Crown", "Attic", "6.50"),
    ]
    assert all(card["text"] == TEXT.strip() for card in found)
    text = f"{'Item':25}{'Weight':11} Price\n\n" + "\n".join(rows)
    found = make_cards(recognise(read_text_blocks(text, "list.txt")).cards)
    assert [card.get("weight") for card in found] == ["0 kg", "1 kg", None, "3 kg"]


def test_rows_that_head_a_group_and_names_that_are_wrapped() -> None:
    text = (
        "Name            Price  Speed  Load   Special rule\n"
        "--------------------------------------------------------\n"
        "TANK ENGINES\n"
        "Saddleback      210    4      6      Stops for water in\n"
        "                                     every other turn.\n"
        "\n"
        "TENDER ENGINES\n"
        "Duchess of      480    7      8      First-class passengers\n"
        "Ambleforth                           pay double.\n"
        "\n"
        "Black Eight     390    5      12     Shunts one wagon.\n"
    )
    cards = make_cards(recognise(read_text_blocks(text, "engines.txt")).cards)
    assert [(card["name"], card["kind"], card["cost"], card["load"]) for card in cards] == [
        ("Saddleback", "Tank Engines", 210, "6"),
        ("Duchess of Ambleforth", "Tender Engines", 480, "8"),
        ("Black Eight", "Tender Engines", 390, "12"),
    ]
    assert cards[1]["text"] == "First-class passengers pay double."


def test_a_number_sign_above_numbers_is_a_column() -> None:
    rows = "1\tAxe\t70 pts\tIt cuts wood.\n2\tBow\t40 pts\tIt shoots.\n3\tCup\t5 pts\tIt is full."
    (card, *others) = recognise(
        read_text_blocks(f"#\tName\tPoints cost\tDescription\n{rows}", "a.txt")
    ).cards
    assert (card.name, card.cost, card.other, len(others)) == ("Axe", 70, (), 2)


def test_the_last_paragraph_below_a_heading_is_of_its_card() -> None:
    cards = "".join(f"\n## {name}\n\n{TEXT}" for name in NAMES)
    told = "Only the manager may change this.\n"
    (*_, last) = recognise(read_text_blocks(f"{cards}\n{told}", "items.md")).cards
    assert last.text == f"{TEXT}\n{told}".strip()


def test_sureness_is_told_by_how_cards_are_found() -> None:
    def find(text: str) -> list[float]:
        return [card.sure for card in recognise(read_text_blocks(text, "items.md")).cards]

    labelled = [f"## {name}\n\n**Weight:** light\n\n{TEXT}" for name in NAMES]
    plain = [f"## {name}\n\n{TEXT}" for name in NAMES]
    capitals = [f"{name.upper()}\nWeight: light\n{TEXT}" for name in NAMES]
    assert find("\n\n".join(labelled)) == [0.75] * 4
    assert find("\n\n".join(plain)) == [0.75] * 4
    assert find("\n\n".join(capitals)) == [0.85] * 4
    rows = "".join(f"| {name} | {TEXT.strip()} |\n" for name in NAMES)
    assert find(f"| Name | Effect |\n|---|---|\n{rows}") == [0.85] * 4
    assert find(rows) == [0.5] * 4
    longer = [f"{text}\nThere is more to tell of it.\n" for text in capitals]
    assert find("\n\n".join(longer)) == [0.5] * 4


def test_two_names_that_are_printed_in_two_ways_bring_those_of_both() -> None:
    """A label with a figure, though it is printed as names are, is no name."""
    cards = {"Grey Hound": 2, "Bat": 1, "Long Eel": 3, "Wight": 1, "Wolf": 1, "Boar": 4, "Crab": 1}
    text = "A Bestiary\n==========\n\nPrint the pages and cut them out.\n\n" + "".join(
        f"{name.upper()}{f' (x{count})' if count > 1 else ''}:\n\nCHALLENGE: {count + 3}\n"
        f"SENSES: keen\n\nThe bearer loses {count} coins when an ally falls. It bites.\n\n"
        for name, count in cards.items()
    )
    pointed = Pointed(names=("Grey Hound", "Wight"))
    found = recognise(read_text_blocks(text, "beasts.txt"), pointed).cards
    assert [card.name for card in found] == list(cards)


def test_what_is_printed_as_the_second_name_is_taken_too() -> None:
    document = make_document("german-plain", 3000)
    names = [str(card["name"]) for card in document.cards]
    pointed = Pointed(names=(names[0], names[len(names) // 2]))
    cards = recognise(read_text_blocks(document.text, "namen.txt"), pointed).cards
    assert len({card.name for card in cards} & set(names)) >= 0.9 * len(names)
    assert len(cards) <= len(names)


@pytest.mark.parametrize("document", ["french-plain 8102", "titles 8102", "list-leads 8102"])
def test_two_names_bring_all_others(document: str) -> None:
    """Below a line of stars, before a colon, in bold with a count or without."""
    shape, _, seed = document.partition(" ")
    made = make_document(shape, int(seed))
    names = [str(card["name"]) for card in made.cards]
    pointed = Pointed(names=(names[0], names[len(names) // 2]))
    cards = recognise(read_text_blocks(made.text, "names.txt"), pointed).cards
    assert sorted(card.name for card in cards) == sorted(names)


def test_a_stop_behind_an_abbreviation_ends_no_name() -> None:
    """As "Catapult No. 3 – 3,500 gp", however many of them there are."""
    made = make_document("numbered", 7003)
    cards = recognise(read_text_blocks(made.text, "names.txt")).cards
    assert [card.name for card in cards] == [card["name"] for card in made.cards]


BELOW = (
    "It may be used when nobody is watching,\nand the bearer says so at the end of\nthe turn.\n\n"
)
TITLES = ("On the Quay", "In the Tower", "Below the Hill")
# How a chapter's title, and how a name with its text is printed.
CHAPTERS = {
    "names that are set in, the first right below the title": (
        "{upper}\n",
        "   {name}\n       It may be used when nobody is\n       watching, once a day.\n\n",
    ),
    "signs around the title": (
        "              ~ {upper} ~\n\n", "{name} ......... {n}.50\n   It floats,\n   mostly.\n\n",
    ),
    "lists with numbers": (
        "### {title}\n\n", "{place}. **{name}.** It may be used when nobody is watching.\n",
    ),
    "a link behind each heading": (
        "{title} [edit]\n\n", "{name} [edit]\nType: Thing\nWeight: {n} kg\nEffect: " + BELOW,
    ),
    "titles in the middle, no louder than names": (
        "               {title}\n\n",
        "{name}\nWeight: {n} kg\nSeen: from {n} to\nMidnight\n" + BELOW,
    ),
    "titles with a colon above lists": (
        "{title}:\n", "- {name}: it may be used when {n} are watching, once a day.\n",
    ),
    "attributes behind each heading": (
        "## {title}\n\n", "### {name} {{: .item #i{n}}}\n\n" + BELOW,
    ),
    "terms with what is said behind a colon below": (
        "# {title} #\n\nWords about it.\n\n", "{name}\n:   It floats on {n} seas.\n\n",
    ),
    "headings underlined with several signs": (
        "{title}\n------------------\n\n", "{name}\n^^^^^^^^^^^^^^^^\n\n" + BELOW,
    ),
    "headings of wikis that give the highest the most signs": (
        "====== {title} ======\n\n", "===== {name} =====\n\n" + BELOW,
    ),
    "tables of one shape": (
        "\n| {title} | Reach | Price (gp) |\n|---|:-:|:-:|\n", "| {name} | {n} m | {n} gp |\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("layout", CHAPTERS)
def test_chapters_are_told_from_names(layout: str) -> None:
    chapter, item = CHAPTERS[layout]
    names = (*NAMES, "Grass Whistle", "Bone Needle", "Ash Wand", "Rope Ladder", "Cracked Jug")
    text = "A booklet of things, and of what they do.\n\n"
    for at, name in enumerate(names):
        title = "" if at % 3 else TITLES[at // 3]
        text += "\n" + chapter.format(title=title, upper=title.upper()) if title else ""
        text += item.format(name=name, n=at + 2, place=at % 3 + 1)
    found = make_cards(recognise(read_text_blocks(text, "list.md")).cards)
    assert [card["name"] for card in found] == list(names)
    if layout != "a link behind each heading":  # its titles are printed as the names are
        assert [card.get("kind") for card in found] == [title for title in TITLES for _ in range(3)]
    if "{n}.50" in item:
        assert [card["cost"] for card in found] == [f"{at + 2}.50" for at in range(9)]


def test_a_subtitle_behind_a_name_and_a_dash() -> None:
    text = "".join(f"**{name}** – {at} min, all\n   {TEXT}\n" for at, name in enumerate(NAMES))
    found = make_cards(recognise(read_text_blocks(text, "list.md")).cards)
    assert [card.get("subtitle") for card in found] == [f"{at} min, all" for at in range(4)]


@pytest.mark.parametrize("ends", ["", "."], ids=["a phrase", "a sentence"])
def test_a_line_in_italics_that_is_a_sentence_is_no_subtitle(ends: str) -> None:
    text = "".join(f"### {name}\n\n*Some say it wept{ends}*\n\n{TEXT}\n\n" for name in NAMES)
    found = make_cards(recognise(read_text_blocks(text, "list.md")).cards)
    assert [card.get("subtitle") for card in found] == [None if ends else "Some say it wept"] * 4


def test_a_line_below_the_header_of_a_table_tells_its_columns() -> None:
    rows = "".join(
        f"{name:15}{at} pts   {'Cooks' if at == 2 else '':10}{'light':9}It works at night.\n\n"
        for at, name in enumerate(NAMES)
    )
    text = (
        "Name           Cost    Who       Weight   Text\n"
        f"-------------  ------  --------  -------  ------------------------\n{rows}"
    )
    found = make_cards(recognise(read_text_blocks(text, "list.md")).cards)
    assert [(card["name"], card["cost"], card.get("who")) for card in found] == [
        (name, at, "Cooks" if at == 2 else None) for at, name in enumerate(NAMES)
    ]


@pytest.mark.parametrize(("title", "counts"), [("Quantity", [None, 2, 4]), ("No.", [None] * 3)])
def test_figures_that_rise_number_the_cards_where_no_title_says_that_they_count(
    title: str, counts: list[int | None]
) -> None:
    rows = "".join(f"| {n} | {c} | {TEXT} |\n" for n, c in zip(NAMES, (1, 2, 4), strict=False))
    table = f"| Name | {title} | Text |\n| --- | --- | --- |\n{rows}"
    found = make_cards(recognise(read_text_blocks(table, "list.md")).cards)
    assert [card.get("count") for card in found] == counts


def test_small_words_name_the_entries_of_a_list() -> None:
    words = ("kettle", "ash-cat", "rope", "Tin Crown", "lamp", "spoon")
    text = "# Things\n\nAll that hangs in the hall.\n\n"
    text += "".join(f"* [{word}](#it) - It hums when {word} is said.\n" for word in words)
    found = recognise(read_text_blocks(text, "list.md")).cards
    assert [card.name for card in found] == list(words)


def test_chapters_whose_cards_have_labels_of_their_own() -> None:
    text = "# Arms\n\n" + "".join(
        f"__{name}__\n\n- Reach: {at} m\n- Steel: good\n\n{TEXT}\n" for at, name in enumerate(NAMES)
    )
    more = ("Green Rain", "Loud Night", "Long Sleep", "Warm Hand")
    text += "# Songs\n\n" + "".join(
        f"__{name}__\n\n- Voices: {at}\n- Key: low\n\n{TEXT}\n" for at, name in enumerate(more)
    )
    found = make_cards(recognise(read_text_blocks(text, "list.md")).cards)
    assert [card["name"] for card in found] == [*NAMES, *more]
    assert [card.get("key") for card in found] == [None] * 4 + ["low"] * 4
    assert {card["kind"] for card in found} == {"Arms", "Songs"}


def test_columns_of_pictures_are_no_fields() -> None:
    text = "# Boats\n\n| Picture | Name | Crew | Cargo |\n|---|---|---|---|\n" + "".join(
        f'| <img src="{at}.png" width="9" /> | {name} | {at} | {2 * at} |\n'
        for at, name in enumerate(NAMES)
    )
    found = make_cards(recognise(read_text_blocks(text, "boats.md")).cards)
    assert [card["name"] for card in found] == list(NAMES)
    assert [card["crew"] for card in found][1:3] == ["1", "2"]


# How a price stands beside a name or below it; reeds are no money of any vocabulary.
PRICES = (
    "### {name} – {n} reeds\n\n{text}\n",
    "### {name}\n*{n} reeds*\n\n{text}\n",
    "**{name}** ({n} reeds): {text}\n",
    "* {name} – {n} reeds\n  {text}\n",
    "{n}. **{name}** — {n} reeds. {text}\n",
    "{name} [{n} reeds]\n{text}\n",
)
EFFECTS = ("Draw a card.", "Move a boat on.", "Nobody may speak.", "Swap both of your hands.")


@pytest.mark.parametrize("form", PRICES)
def test_prices_in_a_unit_of_the_documents_own(form: str) -> None:
    said = zip(NAMES, EFFECTS, strict=True)
    text = "".join(form.format(name=name, n=n, text=told) + "\n" for n, (name, told) in
                   enumerate(said, 1))  # fmt: skip
    found = make_cards(recognise(read_text_blocks(text, "reeds.md")).cards)
    assert [(card["name"], card["cost"]) for card in found] == [
        (name, f"{n} reeds") for n, name in enumerate(NAMES, 1)
    ]
    assert [card["text"] for card in found] == list(EFFECTS)


def test_figures_with_a_word_that_are_no_prices() -> None:
    text = "".join(f"### {name} – {n} rounds\n\n{TEXT}\n" for n, name in enumerate(NAMES))
    text += "Roll 2 dice.\n"
    found = make_cards(recognise(read_text_blocks(text, "rounds.md")).cards)
    assert not any("cost" in card for card in found)


@pytest.mark.parametrize("last", ["Heal 2 points.", "Take 4 gold.", "Heile 2 Punkte."])
def test_a_short_sentence_with_a_figure_is_no_card_with_a_price(last: str) -> None:
    text = f"Fireball (3)\nDeal 3 damage.\n\nIce Block (2)\nIt melts.\n\nHealing (1)\n{last}\n"
    *_, healing = make_cards(recognise(read_text_blocks(text, "deck.txt")).cards)
    assert (healing["name"], healing["cost"], healing["text"]) == ("Healing", 1, last)
    priced = "".join(
        f"{name} {n} pts.\nIt burns.\n\n" for n, name in enumerate(("Salt", "Ash", "Oil"), 2)
    )
    found = make_cards(recognise(read_text_blocks(priced, "deck.txt")).cards)
    assert [(card["name"], card["cost"]) for card in found] == [("Salt", 2), ("Ash", 3), ("Oil", 4)]


def test_the_first_card_of_a_note_is_no_title() -> None:
    text = "Fireball\nDeal 3 damage to one enemy.\n\nIce Block\nIt melts.\n\nHealing\nIt heals.\n"
    names = [card["name"] for card in make_cards(recognise(read_text_blocks(text, "n.txt")).cards)]
    assert names == ["Fireball", "Ice Block", "Healing"]
    headed = f"Spells of the House\nA list for visitors\n\nHandle with care.\n\n{text}"
    told = make_cards(recognise(read_text_blocks(headed, "n.txt")).cards)
    assert [card["name"] for card in told] == names


@pytest.mark.parametrize("dash", ["—", "–", "-"])
def test_a_dash_behind_a_bold_name_is_no_part_of_the_text(dash: str) -> None:
    text = "".join(
        f"**{name}** {dash} {told}\n\n" for name, told in zip(NAMES, EFFECTS, strict=True)
    )
    cards = make_cards(recognise(read_text_blocks(text, "bold.md")).cards)
    assert [(card["name"], card["text"]) for card in cards] == [*zip(NAMES, EFFECTS, strict=True)]


def test_a_price_behind_the_text_is_no_end_of_the_name() -> None:
    text = "".join(
        f"{n}. {name}: {told} (cost {n})\n"
        for n, (name, told) in enumerate(zip(NAMES, EFFECTS, strict=True), 1)
    )
    cards = make_cards(recognise(read_text_blocks(text, "list.txt")).cards)
    assert [(card["name"], card["cost"], card["text"]) for card in cards] == [
        (name, n, told) for n, (name, told) in enumerate(zip(NAMES, EFFECTS, strict=True), 1)
    ]


def test_lists_below_titles_of_their_own() -> None:
    text = "\n".join(
        f"{title} Cards\n" + "".join(f"- {name}: {told}\n" for name, told in cards)
        for title, cards in (
            ("Monster", [*zip(NAMES, EFFECTS, strict=True)]),
            ("Item", [("Rope", "It holds two."), ("Lamp", "It burns all night.")]),
        )
    )
    cards = make_cards(recognise(read_text_blocks(text, "lists.txt")).cards)
    assert [(card["kind"], card["name"]) for card in cards] == [
        *(("Monster Cards", name) for name in NAMES),
        ("Item Cards", "Rope"),
        ("Item Cards", "Lamp"),
    ]
    assert [card["text"] for card in cards][:4] == [*EFFECTS]


def test_a_list_of_words_to_learn() -> None:
    pairs = (("der Hund", "the dog"), ("die Katze", "the cat"), ("das Haus", "the house"),
             ("laufen", "to run"))  # fmt: skip
    text = "".join(f"{word} - {meaning}\n" for word, meaning in pairs)
    cards = make_cards(recognise(read_text_blocks(text, "words.txt")).cards)
    assert [(card["name"], card["text"]) for card in cards] == [*pairs]


def test_several_definitions_of_a_term() -> None:
    text = "".join(
        f"{name}\n:   Cost: {n} stars\n:   Tier: Tin\n:   {told}\n\n"
        for n, (name, told) in enumerate(zip(NAMES, EFFECTS, strict=True), 1)
    )
    found = make_cards(recognise(read_text_blocks(text, "badges.md")).cards)
    assert [(card["name"], card["cost"], card["tier"], card["text"]) for card in found] == [
        (name, f"{n} stars", "Tin", told)
        for n, (name, told) in enumerate(zip(NAMES, EFFECTS, strict=True), 1)
    ]


def test_labels_in_a_script_without_capitals() -> None:
    text = "".join(
        f"## 火之{n}\n- 射程：{n}0 米\n\n敵人受到傷害，然後退後一步。\n\n" for n in "一二三四"
    )
    found = make_cards(recognise(read_text_blocks(text, "spells.md")).cards)
    assert [(card["name"], card["射程"]) for card in found] == [
        (f"火之{n}", f"{n}0 米") for n in "一二三四"
    ]


def test_slanted_words_behind_a_bold_name_and_a_dash_are_its_subtitle() -> None:
    sorts = ("tool", "vessel", "weather", "person")
    text = "".join(
        f"{n}. **{name}** — *{sort}*. Cost: {n} sacks. {TEXT}\n\n"
        for n, (name, sort) in enumerate(zip(NAMES, sorts, strict=True), 2)
    )
    found = [tell(card) for card in read_cards(f"# The Salt\n\n## Things\n\n{text}", suffix="md")]
    assert [(card["name"], card["subtitle"], card["cost"], card["text"]) for card in found] == [
        (name, sort, f"{n} sacks", TEXT.strip())
        for n, (name, sort) in enumerate(zip(NAMES, sorts, strict=True), 2)
    ]
