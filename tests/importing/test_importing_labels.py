"""Importing: labels without a colon, and brackets behind names, told by where they stand."""

from __future__ import annotations

import pytest
from conftest import Project

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.finding.words import label_words
from cardgen.importing.model import Candidate
from cardgen.importing.reading.text import read_text_blocks

CARDS = (
    ("Otter Toll", 3, "Swamp", "Pay one reed or lose your turn."),
    ("Drowned Bell", 5, "Quay", "Every ferry rings. Draw two cards."),
    ("Silted Channel", 2, "Bank", "Place a mud token on an empty berth."),
    ("Cold Supper", 6, "Inn", "Each player discards a card and smiles."),
)


def find(form: str) -> list[Candidate]:
    texts = (form.format(name=n, cost=c, place=p, text=t) for n, c, p, t in CARDS)
    return list(recognise(read_text_blocks("Ferrymen\n\n" + "\n\n".join(texts), "f.txt")).cards)


@pytest.mark.parametrize(
    "line",
    [
        "Cost {cost} | Place {place}",
        "Cost {cost}; Place {place}",
        "Cost {cost} · Place {place}",
        "Cost {cost}. Place {place}.",
    ],
)
def test_words_that_begin_the_parts_of_many_lines_are_labels(line: str) -> None:
    cards = find("{name}\n" + line + "\n{text}")
    assert [(c.name, c.cost, dict(c.other), c.text) for c in cards] == [
        (name, cost, {"place": place}, text) for name, cost, place, text in CARDS
    ]


@pytest.mark.parametrize(
    "form",
    [
        "{name}\nHeft = {cost}\nPlace = {place}\n{text}",
        "{name}\nHeft – {cost}\nPlace – {place}\n{text}",
        "{name}\nHeft → {cost}\nPlace → {place}\n{text}",
        "{name}\nHeft | {cost}\nPlace | {place}\n{text}",
        "{name}\nHeft: {cost} Place: {place}\n{text}",
        "{name}\nheft={cost}, place={place}\n{text}",
        "{name}\nHeft: {cost} // Place: {place}\n{text}",
        "{name}\nHeft {cost} - Place {place}\n{text}",
        "{name}\nHeft\t{cost}\tPlace\t{place}\n{text}",
        "### {name} (Heft {cost}, Place {place})\n\n{text}",
        "### {name} – Heft {cost} · Place {place}\n\n{text}",
        "{name}\nHeft:: {cost}\nPlace:: {place}\n\n{text}",
    ],
)
def test_words_that_come_often_are_labels_whatever_parts_them_from_their_values(form: str) -> None:
    cards = find(form)
    assert [(c.name, dict(c.other), c.text) for c in cards] == [
        (name, {"heft": str(cost), "place": place}, text) for name, cost, place, text in CARDS
    ]


@pytest.mark.parametrize("label", ["Prijs", "Cena", "Pris", "Koszt"])
def test_costs_in_further_languages(label: str) -> None:
    cards = find("### {name}\n\n" + label + ": {cost}\nPlace: {place}\n\n{text}")
    assert [card.cost for card in cards] == [3, 5, 2, 6]


def test_words_of_one_letter_are_stats_though_sentences_have_them_small() -> None:
    cards = find("### {name}\n\nA {cost} S 2 I 4\n\n{text}")
    assert [dict(card.other) for card in cards] == [
        {"stats": {"A": str(cost), "S": "2", "I": "4"}} for _, cost, _, _ in CARDS
    ]


@pytest.mark.parametrize("ending", [", {cost} reeds", " / {cost} reeds"])
def test_prices_behind_names_however_parted(ending: str) -> None:
    cards = find("### {name}" + ending + "\n\nPlace: {place}\n\n{text}")
    assert [(card.name, dict(card.other)["cost"]) for card in cards] == [
        (name, f"{cost} reeds") for name, cost, _, _ in CARDS
    ]


def test_lines_in_italics_below_some_names_are_subtitles() -> None:
    below = ["", "*a small courtesy*\n\n", "*it rings*\n\n", "*omens are cheap*\n\n"]
    text = "".join(
        f"### {name}\n\n{line}{said}\n\n"
        for line, (name, _, _, said) in zip(below, CARDS, strict=True)
    )
    cards = recognise(read_text_blocks(f"# Toll\n\n{text}", "f.md")).cards
    wanted = [None, "a small courtesy", "it rings", "omens are cheap"]
    assert [dict(card.other).get("subtitle") for card in cards] == wanted


def test_letters_that_number_chapters_are_no_part_of_kinds() -> None:
    first, second = CARDS[:2], CARDS[2:]
    text = ""
    for title, cards in (("A. That Roll", first), ("B. That Dig", second)):
        text += f"## {title}\n\n"
        text += "".join(f"### {name}\n\n{said}\n\n" for name, _, _, said in cards)
    found = recognise(read_text_blocks(f"# Toll\n\n{text}", "f.md")).cards
    assert [card.kind for card in found] == ["That Roll"] * 2 + ["That Dig"] * 2


def test_words_in_a_column_of_their_own_are_left_as_they_stand() -> None:
    text = "".join(f"Place     {place}\nSaying    {name}\n\n" for name, _, place, _ in CARDS)
    blocks = read_text_blocks(text, "f.txt")
    assert label_words(blocks) == blocks


def test_a_first_word_that_names_share_is_no_label() -> None:
    text = "Ring of Dawn\nIt glows.\n\nRing of Dusk\nIt fades.\n\nRing of Ash\nIt burns.\n"
    cards = recognise(read_text_blocks(text, "f.txt")).cards
    assert [card.name for card in cards] == ["Ring of Dawn", "Ring of Dusk", "Ring of Ash"]


def test_short_sentences_are_no_labels() -> None:
    cards = find("{name}\nCost: {cost}\nRow {place}. Draw two. Lose all.")
    assert [(card.cost, card.other) for card in cards] == [(cost, ()) for _, cost, _, _ in CARDS]


def test_brackets_behind_all_names_state_no_fact_where_few_do() -> None:
    kinds = ("(Combat)", "(General)", "(INT x2)", "(Skill)", "(Fortune)")
    text = "".join(f"## Trick {n} {kind}\n\nIt works.\n\n" for n, kind in enumerate(kinds, 1))
    cards = recognise(read_text_blocks(text, "tricks.md")).cards
    said = [(card.name, card.who, card.count, dict(card.other)["subtitle"]) for card in cards]
    assert said == [(f"Trick {n}", None, 1, kind[1:-1]) for n, kind in enumerate(kinds, 1)]


def test_texts_that_begin_with_their_names() -> None:
    names = ("Climbing", "Sailing", "Fighting Style", "Hiding", "Riding Beasts")
    text = "".join(f"## {n}\n\n{n} covers all of it and more.\n\n" for n in names)
    assert [card.name for card in recognise(read_text_blocks(text, "a.md")).cards] == [*names]


def test_what_else_a_bracket_with_a_cost_says_is_a_subtitle() -> None:
    cards = find("**{name}** (cost {cost}, {place}). {text}")
    assert [(card.cost, dict(card.other), card.text) for card in cards] == [
        (cost, {"subtitle": place}, text) for _, cost, place, text in CARDS
    ]


ABILITIES = "|STAT|SCORE|MOD|\n|---|---|---|\n|STR|{n}|+{n}|\n|DEX|9|-1|\n|CON|1{n}|+2|\n"
LOOT = "\n| 1d6 | Found |\n|---|---|\n" + "".join(
    f"| {n} | A rusty key of door {n} |\n" for n in range(1, 7)
)


def test_a_table_of_figures_below_each_name_is_its_stats() -> None:
    text = "".join(
        f"## {name}\n\n*Large beast*\n\n{ABILITIES.format(n=n)}\n{told}\n\n"
        for n, (name, _, _, told) in enumerate(CARDS, 1)
    )
    cards = recognise(read_text_blocks(text, "beasts.md")).cards
    assert [dict(card.other)["stats"] for card in cards] == [
        {"STR": f"{n} / +{n}", "DEX": "9 / -1", "CON": f"1{n} / +2"} for n in range(1, 5)
    ]


def test_a_table_to_be_rolled_on_is_no_deck_beside_cards() -> None:
    text = "".join(f"### {name}\n\n{told} Roll a die.\n{LOOT}\n" for name, _, _, told in CARDS)
    cards = recognise(read_text_blocks(text, "loot.md")).cards
    assert [card.name for card in cards] == [name for name, *_ in CARDS]


def test_a_table_to_be_rolled_on_alone_is_a_deck_whose_fields_have_names(project: Project) -> None:
    project.write("loot.md", f"# Loot\n{LOOT}")
    ran = project.run("import", "loot.md", "-o", "decks/loot.yaml")
    assert ran.code == 0, ran.stderr
    assert "6 designs" in ran.stdout


@pytest.mark.parametrize("sides", [("Q:", "A:"), ("**F:**", "**A:**"), ("Frage:", "Antwort:")])
def test_what_all_names_begin_with_is_no_part_of_them(sides: tuple[str, str]) -> None:
    asked = {
        "What does a red flag mean?": "Danger. Stay away by two cables.",
        "How long is a cable?": "A tenth of a sea mile.",
        "Who may board at anchor?": "The pilot, the doctor and the customs.",
    }
    lines = (f"{sides[0]} {one}\n{sides[1]} {other}\n\n" for one, other in asked.items())
    cards = recognise(read_text_blocks("Before you sail\n\n" + "".join(lines), "q.md")).cards
    assert {card.name: card.text for card in cards} == asked


def test_labels_below_names_are_no_questions() -> None:
    names = ("The Red Flag", "The Cable", "The Anchor")
    text = "".join(f"{name}\n\nQ: What is {name}?\n\nA: Not told.\n\n" for name in names)
    cards = recognise(read_text_blocks(text, "q.md")).cards
    assert [card.name for card in cards] == [*names]


@pytest.mark.parametrize(
    ("said", "count", "who"),
    [
        ("(x2 in the crate deck, requires Tinker)", 2, "Tinker"),
        ("(2 cartes dans le paquet)", 2, None),
        ("`2 copies` `needs a lobby`", 2, "A lobby"),
        ("Copie nel mazzo: 2\nVendita: solo pittori", 2, "Solo pittori"),
        ("Antal: två | Endast Riddare", 2, "Endast Riddare"),
        ("2 szt., tylko rycerze", 2, "Tylko rycerze"),
        ("2 uds. (Scouts and up)", 2, "Scouts and up"),
        ("How many in the box: 2\nWho may take it: Tinkers", 2, "Tinkers"),
        ("Anzahl Karten: 2\nFür wen gedacht: Kesselflicker", 2, "Kesselflicker"),
    ],
)
def test_how_many_and_who_are_told_in_the_words_of_many(
    said: str, count: int, who: str | None
) -> None:
    cards = find("### {name}\n\n" + said + "\n\n{text}")
    assert [(c.name, c.count, c.who, c.text) for c in cards] == [
        (name, count, who, text) for name, _, _, text in CARDS
    ]


def test_two_letters_with_a_figure_are_a_stat_and_no_count() -> None:
    cards = find("{name}\nSt 3  Re 1  Wo 2\n{text}")
    assert [(c.count, dict(c.other)) for c in cards] == [
        (1, {"stats": {"St": "3", "Re": "1", "Wo": "2"}})
    ] * len(CARDS)


@pytest.mark.parametrize(
    "form",
    [
        "Carte événement n° {number} : {name}\n(2 cartes)\nConcerne : {place}\n{text}",
        "- **{name}** (x2, {cost} cogs, requires {place}): {text}",
        ". . . . . . . . . . . .\nFRONT: {name} (x2)\nBACK: {text}\n({place} only)",
    ],
)
def test_numbers_and_sides_before_names_are_no_part_of_them(form: str) -> None:
    texts = [
        form.format(name=n, cost=c, place=p, text=t, number=number)
        for number, (n, c, p, t) in enumerate(CARDS, 1)
    ]
    cards = recognise(read_text_blocks("Ferrymen\n\n" + "\n\n".join(texts), "f.txt")).cards
    assert [(c.name, c.count, (c.who or "").split()[0], c.text) for c in cards] == [
        (name, 2, place, text) for name, _, place, text in CARDS
    ]


def test_a_table_beside_one_with_copies_holds_no_cards() -> None:
    options = ["| Option | Default | Meaning |", "|---|---|---|"]
    options += ["| `--port N` | 7071 | listen here |", "| `--fast` | off | for the hasty |"]
    rows = ["| Card | Qty | What it does |", "|---|---|---|"]
    rows += [f"| {name} | {cost} | {text} |" for name, cost, _, text in CARDS]
    text = "\n".join(["# ferry", "", *options, "", "## The deck", "", *rows])
    cards = recognise(read_text_blocks(text, "f.md")).cards
    assert [(c.name, c.count) for c in cards] == [(name, cost) for name, cost, _, _ in CARDS]


def test_columns_without_names_are_told_by_what_all_their_cells_state() -> None:
    rows = [f"| {name} | {cost}x | {place} only | {text} |" for name, cost, place, text in CARDS]
    cards = recognise(read_text_blocks("\n".join(rows), "f.md")).cards
    assert [(c.name, c.count, c.who) for c in cards] == [
        (name, cost, f"{place} only") for name, cost, place, _ in CARDS
    ]


def test_a_sentence_in_italics_above_labels_is_a_subtitle() -> None:
    form = "### {name}\n*Out of the {place}!*\n\n**Heft:** {cost}\n\n{text}"
    assert [dict(c.other) for c in find(form)] == [
        {"subtitle": f"Out of the {place}!", "heft": str(cost)} for _, cost, place, _ in CARDS
    ]


def test_the_last_card_is_in_doubt_where_it_is_longer_than_the_others() -> None:
    form = "### {name}\n\nCost: {cost}\n\n{text}"
    usual = find(form)
    assert [doubt.kind for card in usual for doubt in card.doubts] == []
    texts = [form.format(name=n, cost=c, place=p, text=t) for n, c, p, t in CARDS]
    ended = [*texts, "Thanks to all who came to the ferry.", "See you in spring!"]
    cards = recognise(read_text_blocks("\n\n".join(ended), "f.txt")).cards
    assert [[doubt.kind for doubt in card.doubts] for card in cards] == [[], [], [], ["runs-on"]]
    assert cards[-1].sure < 0.6 * usual[-1].sure


def test_a_word_with_figures_in_brackets_behind_names_is_a_label() -> None:
    text = "".join(
        f"{name} [effort {n}]\nThe other one slides by {n + 1} fields of the ring.\n\n"
        for n, name in enumerate(("Slap of milk", "Hard crust", "Rolling wheel", "Hole"), 1)
    )
    cards = recognise(read_text_blocks(text, "a.txt")).cards
    assert [card.name for card in cards] == ["Slap of milk", "Hard crust", "Rolling wheel", "Hole"]
    assert [dict(card.other) for card in cards] == [{"effort": str(n)} for n in range(1, 5)]


def test_typed_dashes_part_labels_and_a_wiki_breaks_lines_within_an_item() -> None:
    text = "====== Crimes ======\n\nWho is caught draws one.\n\n" + "".join(
        f"  * **{name}** --- Fine: {fine} moths --- Term: {term}\\\\ Void if nobody saw it.\n"
        for name, fine, term in (
            ("Cry at noon", 2, "a round of silence"),
            ("Shade without leave", 1, "none"),
            ("Fruit of others", 3, "the stone goes back"),
        )
    )
    cards = recognise(read_text_blocks(text, "a.txt")).cards
    assert [card.name for card in cards] == [
        "Cry at noon", "Shade without leave", "Fruit of others"
    ]  # fmt: skip
    assert dict(cards[0].other) == {"fine": "2 moths", "term": "a round of silence"}
    assert {card.text for card in cards} == {"Void if nobody saw it."}


def test_the_values_of_one_label_are_no_names() -> None:
    text = "".join(
        f"{name}\nLife: {n}     Attack: {n + 1}     Loot: {n} seal\n"
        f"It eats {n} cards of the hand.\n\n"
        for n, name in enumerate(("Crab of the law", "Girl of salt", "Gull of three"), 2)
    )
    cards = recognise(read_text_blocks(text, "a.txt")).cards
    assert [card.name for card in cards] == ["Crab of the law", "Girl of salt", "Gull of three"]


@pytest.mark.parametrize(
    ("many", "price", "bearer"),
    [
        ("Num Copies", "Buy Price", "Requires"),
        ("copies_in_deck", "price_in_gold", "who"),
        ("numCopies", "goldCost", "usedBy"),
        ("In the box", "Energy cost", "Prerequisite"),
        ("Anzahl im Beutel", "Baukosten", "Voraussetzung"),
        ("In der Schachtel", "Verkaufspreis", "Benutzbar von"),
        ("Par boîte", "Coût de pose", "Prérequis"),
        ("En la caja", "Coste de maná", "Requisito"),
        ("Nel mazzo", "Costo di lancio", "Requisiti"),
        ("In de doos", "Aankoopprijs", "Vereist"),
    ],
)
def test_labels_are_known_by_the_words_that_they_are_made_of(
    many: str, price: str, bearer: str
) -> None:
    labels = f"{many}: {{cost}}\n{price}: 1{{cost}}\n{bearer}: {{place}}"
    cards = find(f"{{name}}\n{labels}\n{{text}}")
    assert [(c.name, c.count, c.who, c.text) for c in cards] == [
        (name, cost, place, text) for name, cost, place, text in CARDS
    ]
    assert [dict(c.other).get("cost") or str(c.cost) for c in cards] == ["13", "15", "12", "16"]


def test_a_second_cost_and_a_second_bearer_keep_their_labels() -> None:
    labels = "Buy price: 9\nSale price: {cost}\nFor: Pilots\nRequires: {place}"
    cards = find(f"{{name}}\n{labels}\n{{text}}")
    assert [(c.cost, c.who, dict(c.other)) for c in cards] == [
        (9, "Pilots", {"sale_price": str(cost), "requires": place}) for _, cost, place, _ in CARDS
    ]


def test_a_column_that_may_count_copies_and_has_no_figures_is_a_field() -> None:
    head = "| Name | In game | Text |\n|---|---|---|\n"
    rows = "\n".join(f"| {name} | yes | {text} |" for name, _, _, text in CARDS)
    cards = recognise(read_text_blocks(head + rows, "f.md")).cards
    assert [(c.count, dict(c.other)) for c in cards] == [(1, {"in_game": "yes"})] * 4
    cards = recognise(read_text_blocks((head + rows).replace("yes", "2"), "f.md")).cards
    assert [c.count for c in cards] == [2] * 4


def test_a_word_may_have_a_dash_for_its_value() -> None:
    said = [(3, "-", "left"), (4, 2, "right"), (5, "-", "up"), (6, 1, "down")]
    text = "\n\n".join(f"Heft {heft}   Aim {aim}   Side {side}" for heft, aim, side in said)
    assert [block.text for block in label_words(read_text_blocks(text, "f.txt"))] == [
        f"Heft: {heft} | Aim: {aim} | Side: {side}" for heft, aim, side in said
    ]
