"""Ways to write that strangers' documents had: each was read wrongly once."""

from __future__ import annotations

import pytest
from finding_cards import list_names, read_cards

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.html import read_html_blocks

NAMES = ("Grey Latch", "Soft Shoe", "Twin of Smoke", "River Stands Up", "Candle Kin")
TEXT = "It takes the sound from your steps. Be quick about it."


def _print(printed: str, names: tuple[str, ...] = NAMES, **more: str) -> str:
    return "".join(
        printed.format(name=name, n=n, text=TEXT, **more) for n, name in enumerate(names, 1)
    )


FORMS = {
    "numbers of a catalogue": "Q{n}   {name} ........ £{n}8.00\n     {text}\n\n",
    "a code with a stop": "### Q{n}. {name}\n\n{text}\n\n",
    "a range of dice": "{n}-{n} - {name}. {text}\n",
    "a stop behind the name": "{name}. {text}\n\n",
    "what it is behind a comma": "{name}, warden of gate {n}\n{text}\nSecret: {n} keys\n\n",
    "brackets behind all names": "{n}. {name} (Old {n}) - {text}\n\n",
    "parts in brackets without capitals": "{n}) {name} [tier bronze; points {n}5]\n   {text}\n\n",
    "a tag, and two colons": "### {name}\n#npc/alive\n- **Role**:: rank {n}\n\n{text}\n\n",
    "signs on both sides": "+++ {name} +++\nType:    Ship {n}\nGuns:    {n}\n{text}\n\n",
    "a word that all begin with": "# Case: {name}\n\n*{n} hours*\n\n{text}\n\n",
}


@pytest.mark.parametrize("printed", FORMS.values(), ids=FORMS)
def test_names_with_something_beside_them(printed: str) -> None:
    cards = read_cards(
        _print(printed), suffix="md" if "**" in printed or "###" in printed else "txt"
    )
    assert [card.name for card in cards] == [*NAMES]
    assert all(card.text == TEXT for card in cards)


def test_two_names_before_commas_show_the_others() -> None:
    text = _print("{name}, warden of gates\nHears everything through pipes, and more.\n\n")
    assert list_names(text, NAMES[0], NAMES[3]) == [*NAMES]


@pytest.mark.parametrize("quoted", ['"It Was Like That" - {text}\n', "»Graf« Lobesam - {text}\n"])
def test_a_name_in_quotes_is_one_among_others(quoted: str) -> None:
    text = _print("{name} - {text}\n")
    found = list_names(f"{text}{quoted.format(text=TEXT)}{text.replace('Grey', 'Blue')}")
    assert len(found) == 11


def test_long_questions_with_numbers_are_names() -> None:
    asked = "Which of these many things was never stored in our deep cellar"
    text = "".join(
        f"{n}. {asked} {n}?\n   a) tea\n   b) salt\n   Answer: a) tea\n\n" for n in range(1, 6)
    )
    assert list_names(text) == [f"{asked} {n}?" for n in range(1, 6)]


def test_an_answer_with_a_c_in_brackets_is_no_copyright() -> None:
    text = _print(
        "{n}. {name}\nWhat rang?\n(a) a bell\n(b) a bowl\n(c) 1742, a boat\nAnswer: b\n\n"
    )
    assert all("(c) 1742, a boat" in card.text for card in read_cards(text))


def test_counters_of_cards_are_no_text() -> None:
    text = _print("Card {n}/54\nName: {name}\nRarity: rank {n}\nText: {text}\n\n")
    assert [card.text for card in read_cards(text)] == [TEXT] * 5


def test_who_may_have_a_card_ends_its_text_in_brackets() -> None:
    text = "".join(
        f"{n}. {name.upper()}.—{TEXT} (For ladies only.)\n\n" for n, name in enumerate(NAMES, 1)
    )
    assert {card.who for card in read_cards(text)} == {"Ladies only"}


# Heads of pages, chapters


LONG = " ".join(["The loser goes round the company and asks of each what he heard."] * 4)


def _lay_out(text: str, heads: tuple[str, str]) -> str:
    """Return a text with the head of a page behind each two of its entries."""
    entries = text.split("\n\n")
    pages = zip(entries[::2], entries[1::2], heads, strict=False)
    return "\n\n".join(f"{one}\n\n{two}\n\n{head}" for one, two, head in pages)


WIDE = " " * 20
HEADS = {
    "pages by letters": (
        "B-1                     Rivers of Tolls",
        "Rivers of Tolls                     B-2",
    ),
    "the parts of a head turned": (
        "KEEPERS                  Playbook Moves\n7",
        "Playbook Moves                   KEEPERS\n8",
    ),
}


@pytest.mark.parametrize("heads", HEADS.values(), ids=HEADS)
def test_heads_of_pages_are_no_text(heads: tuple[str, str]) -> None:
    text = _print("{name} (x2)\n" + LONG + "\n\n", NAMES[:4])
    cards = read_cards(_lay_out(text, heads))
    assert [card.text for card in cards] == [LONG] * 4


def test_figures_that_count_on_line_by_line_are_no_pages() -> None:
    text = "".join(f"{name:18}AC {n}\n  {TEXT}\n\n" for n, name in enumerate(NAMES, 12))
    assert list_names(text) == [*NAMES]


def test_chapters_in_capitals_are_no_part_of_the_names_below_them() -> None:
    moves = (
        "TEND THE LIGHT",
        "BRAVE IT",
        "MEND AND MAKE DO",
        "THE OFFICIAL LOG",
        "STAND TO",
        "GULL FRIEND",
    )
    told = [f"{move}\nRoll+Wick\n{TEXT}\n" for move in moves]
    text = (
        f"MOVES EVERYONE HAS\n\n{told[0]}{told[1]}\n{told[2]}"
        f"MOVES OF THE KEEPER\n{told[3]}{told[4]}MOVES OF THE CREW\n\n{told[5]}"
    )
    cards = read_cards(text)
    assert [card.name.upper() for card in cards] == [*moves]
    assert [card.kind for card in cards][2:4] == ["Moves Everyone Has", "Moves of the Keeper"]


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ("Act I: Dusk", "Act II: Midnight", ["Act I: Dusk", "Act II: Midnight"]),
        ("Part One: Dusk", "Part Two: Midnight", ["Dusk", "Midnight"]),
        ("4.1 Dusk", "4.2 Midnight", ["Dusk", "Midnight"]),
    ],
)
def test_what_only_numbers_chapters_is_no_kind(first: str, second: str, kinds: list[str]) -> None:
    entries = _print("### {name}\n\n{text}\n\n").split("### ")[1:]
    told = [f"### {entry}" for entry in entries]
    text = f"## {first}\n\n{''.join(told[:3])}## {second}\n\n{''.join(told[3:])}"
    assert sorted({card.kind or "" for card in read_cards(text, suffix="md")}) == sorted(kinds)


def test_a_heading_of_html_in_markdown_is_one() -> None:
    entries = _print("#### {name}\n\n{text}\n\n").split("#### ")[1:]
    told = [f"#### {entry}" for entry in entries]
    text = f'<h2 id="a">Dusk</h2>\n\n{"".join(told[:3])}<h2 id="b">Dawn</h2>\n\n{"".join(told[3:])}'
    assert [card.kind for card in read_cards(text, suffix="md")] == ["Dusk"] * 3 + ["Dawn"] * 2


# Tables


@pytest.mark.parametrize(
    "stats", ["Armour {n}  Attack 3  Hits 4{n}", "Gear: old  Base: {n} mm  Rank: odd"]
)
def test_stats_in_columns_below_names_are_no_table(stats: str) -> None:
    text = _print(f"{{name}}\n{{n}}0 pts\n{stats}\n{LONG}\n", tuple(name.upper() for name in NAMES))
    assert list_names(text) == [*NAMES]


def test_small_tables_with_counts_are_the_stats_of_names_above_them() -> None:
    text = ""
    for n, name in enumerate(NAMES, 1):
        more, value = ("| Quantity ", f"| {n} ") if n in (1, 3) else ("", "")
        text += f"#### {name}\n\n{n}5 points\n\n{more}| Flowers | Height | Spread |\n"
        text += f"|{'---|' * (4 if more else 3)}\n{value}| June | {n} m | {n}0 cm |\n\n"
    assert list_names(text, suffix="md") == [*NAMES]


def test_a_cell_through_several_rows_stands_in_each() -> None:
    rows = "".join(
        f"<tr>{first}<th>{name}</th><td>{n}0 Taler</td><td>{TEXT}</td></tr>"
        for n, (name, first) in enumerate(
            zip(
                NAMES,
                ('<td rowspan="3">Foot</td>', "", "", '<td rowspan="2">Boats</td>', ""),
                strict=True,
            ),
            1,
        )
    )
    head = "<tr><th>Class</th><th>Name</th><th>Cost</th><th>Effect</th></tr>"
    blocks = read_html_blocks(f"<table>{head}{rows}</table>", "a.html", 1000)
    cards = recognise(blocks).cards
    assert [(card.name, card.kind) for card in cards] == [
        *((name, "Foot") for name in NAMES[:3]),
        *((name, "Boats") for name in NAMES[3:]),
    ]


def test_cells_stand_below_the_words_of_a_ruled_header_or_near() -> None:
    rows = "".join(
        f"{name:18} {n} th. {n * 40:6}   {TEXT if n % 2 else ''}\n"
        for n, name in enumerate(NAMES, 2)
    )
    text = f"TABLE A. PIECES\n\nPiece              Price  Effective  Remarks\n{'-' * 50}\n{rows}"
    cards = read_cards(text)
    assert [(card.name, dict(card.other)["effective"]) for card in cards] == [
        (name, str(n * 40)) for n, name in enumerate(NAMES, 2)
    ]


def test_figures_in_brackets_count_copies_where_prices_have_labels() -> None:
    text = "".join(
        f"* {name.upper()} [{n}]\n{f'Prezzo: {n}0 ducati' if n != 2 else ''}\n{TEXT}\n\n".replace(
            "\n\nIt", "\nIt"
        )
        for n, name in enumerate(NAMES, 1)
    )
    cards = read_cards(text)
    assert [card.count for card in cards] == [1, 2, 3, 4, 5]
    assert [dict(card.other).get("cost") for card in cards][:3] == ["10 ducati", None, "30 ducati"]


def test_chapters_are_none_though_each_has_a_bearer_somewhere() -> None:
    told = "".join(f"The loser of round {{n}} goes to door {n} and asks.\n" for n in range(9))
    skills = ("Revers", "Dos au mur", "Perdant", "Pas de loup", "Main de fer", "Bras long")
    entries = [
        f"{name} {n}5 XP\n{'Pour les mages.' if n % 2 else ''}\n{told.format(n=n)}\n"
        for n, name in enumerate(skills, 2)
    ]
    chapters = [f"{'I' * n}. Compétences de salle {n}\n\n" for n in (1, 2, 3)]
    pairs = zip(chapters, entries[::2], entries[1::2], strict=True)
    assert list_names("".join("".join(parts) for parts in pairs)) == [*skills]


def test_a_small_table_of_changes_does_not_hide_a_list() -> None:
    changes = "".join(f"| 1.{n} | new words | 200{n} |\n" for n in range(3))
    listed = "".join(f"* {name} : {TEXT}\n" for name in (*NAMES, *(f"{n} of Old" for n in NAMES)))
    text = (
        f"# Things\n\n{listed}\n## Changes\n\n| Version | What | Year |\n|---|---|---|\n{changes}"
    )
    assert list_names(text, suffix="md")[:5] == [*NAMES]


def test_chapters_with_introductions_hold_numbered_names() -> None:
    entries = [f"{n}. **{name}** – {TEXT}\n" for n, name in enumerate(NAMES * 2, 1)]
    intro = "Everything here was played at our own table. Take what you like."
    heads = (f"### Part {word}\n\n{intro}\n\n" for word in ("Fish", "Soup", "Bread", "Cake", "Tea"))
    pairs = zip(heads, entries[::2], entries[1::2], strict=True)
    assert len(list_names("\n".join("".join(parts) for parts in pairs), suffix="md")) == 10


def test_labels_in_capitals_are_no_chapters() -> None:
    text = _print("{name} :\n\nPORTIONS : {n}\nQUANTITÉ DE SEL : {n},5 g\n\n{text}\n\n")
    cards = read_cards(text)
    assert [(card.name, dict(card.other)["portions"]) for card in cards] == [
        (name, str(n)) for n, name in enumerate(NAMES, 1)
    ]
