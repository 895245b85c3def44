"""Prices in any coin, behind names, before them and above them."""

from __future__ import annotations

import re

import pytest
from finding_cards import read_cards, tell

from cardgen.importing.finding.units import move_prices
from cardgen.importing.model import Candidate
from cardgen.importing.reading.text import read_text_blocks

NAMES = ("Honest Rope", "Cellar Sun", "Anchor Nail", "Soup Stone")
TEXT = "Thirty feet of it cannot be used twice. It is heavy."


def _list_costs(cards: tuple[Candidate, ...]) -> list[tuple[str, object]]:
    return [(card.name, dict(card.other).get("cost", card.cost)) for card in cards]


COINS = {
    "short units behind a comma": "{name}, {n} b\n    {text}\n\n",
    "two coins": "{name}, {n} cr 6 b\n    {text}\n\n",
    "glued units": "#### {name} — {n}a\n\n{text}\n\n",
    "a sign before the figure": "**{name}** (✦{n})\n{text}\n\n",
    "a sign behind the figure": "**{name}** — {n}♥\n{text}\n\n",
    "gaps before the price, and copies": "{name}   [2x]   {n} R\n{text}\n\n",
}


@pytest.mark.parametrize("printed", COINS.values(), ids=COINS)
def test_a_price_is_told_in_coins_that_nobody_knows(printed: str) -> None:
    text = "".join(printed.format(name=name, n=n, text=TEXT) for n, name in enumerate(NAMES, 2))
    cards = read_cards(text, suffix="md" if "*" in printed or "#" in printed else "txt")
    assert [card.name for card in cards] == [*NAMES]
    costs = [str(cost) for _, cost in _list_costs(cards)]
    assert ["".join(filter(str.isdigit, cost))[:1] for cost in costs] == ["2", "3", "4", "5"]
    assert all("b" not in card.text.split()[:2] and TEXT in card.text for card in cards)


@pytest.mark.parametrize("measure", ["m", "kg", "hours", "d6"])
def test_what_is_measured_is_no_price(measure: str) -> None:
    text = "".join(f"{name}, {n} {measure}\n    {TEXT}\n\n" for n, name in enumerate(NAMES, 2))
    assert not any("cost" in dict(card.other) or card.cost for card in read_cards(text))


BEFORE = {
    "known coins and a dash": "**{n}5 pts - {name}**\n{text}\n\n",
    "unknown coins, and the text on the line": "{n} Kreuzer – {name}: {text}\n\n",
}


@pytest.mark.parametrize("printed", BEFORE.values(), ids=BEFORE)
def test_a_price_may_stand_before_its_name(printed: str) -> None:
    text = "".join(printed.format(name=name, n=n, text=TEXT) for n, name in enumerate(NAMES, 2))
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*NAMES]
    assert [str(cost)[0] for _, cost in _list_costs(cards)] == ["2", "3", "4", "5"]


def test_a_price_may_stand_above_its_name() -> None:
    text = "".join(f"+{n}5 points\n{name.upper()}\n{TEXT}\n\n" for n, name in enumerate(NAMES, 2))
    assert _list_costs(read_cards(text)) == [
        (name, int(f"{n}5")) for n, name in enumerate(NAMES, 2)
    ]


def test_a_labelled_price_stays_before_another_label() -> None:
    text = "".join(
        f"{name}\nPrice: {n}0 tokens   Depth: {n} m\n{TEXT}\n\n" for n, name in enumerate(NAMES, 2)
    )
    cards = read_cards(text)
    assert [(card.name, dict(card.other)["depth"]) for card in cards] == [
        (name, f"{n} m") for n, name in enumerate(NAMES, 2)
    ]


def test_what_stands_slanted_behind_a_price_is_a_subtitle() -> None:
    text = "".join(
        f"{n}. **{name}** — {n}♥ — *{'rare' if n % 2 else 'common'}*\n   {TEXT}\n"
        for n, name in enumerate(NAMES, 1)
    )
    cards = read_cards(text, suffix="md")
    assert [dict(card.other) for card in cards] == [
        {"subtitle": "rare" if n % 2 else "common", "cost": f"{n}♥"} for n in range(1, 5)
    ]


def test_rows_of_two_between_rows_of_the_same_columns_are_rows() -> None:
    first = (
        "SOUPS\n\n- Broth                 3 livres\n- Bisque                5 livres\n\nFISH\n\n"
    )
    text = first + "".join(f"- {name:21} {n} livres\n" for n, name in enumerate(NAMES, 2))
    assert [card.name for card in read_cards(text)] == ["Broth", "Bisque", *NAMES]


def test_a_price_with_its_label_is_not_moved_below_the_next_label() -> None:
    text = "".join(
        f"Prix : {n}5,5 livres\nPortée : contact\n\n{name}\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 2)
    )
    moved = move_prices(read_text_blocks(text, "a.txt"))
    assert [block.text for block in moved][:2] == ["Prix : 25,5 livres", "Portée : contact"]


@pytest.mark.parametrize(
    "price",
    ["{n}/6", "{n}/-", "£{n} 4s", "{n},200 cr", "{n}½ cr", "{n} gp a head", "{n}s. 6d", "€ {n},-"],
)
@pytest.mark.parametrize(
    "form", ["{name} .......... {p}\n{t}\n", "{name} – {p}\n{t}\n", "{name} ({p})\n{t}\n"]
)
def test_prices_as_people_write_them(form: str, price: str) -> None:
    texts = (
        "It works once in a night.",
        "Halves the hands that are needed.",
        "Keeps out the honest.",
    )
    names = ("Otter Lens", "Liar's Goblet", "Bottled Squall")
    told = [price.format(n=n) for n in range(2, 5)]
    text = "".join(
        form.format(name=name, p=p, t=one) for name, p, one in zip(names, told, texts, strict=True)
    )
    found = [tell(card) for card in read_cards(f"THE LIST\n\nAs of today.\n\n{text}")]
    assert [(card["name"], card["text"]) for card in found] == [*zip(names, texts, strict=True)]
    figures = [re.findall(r"\d+", str(card.get("cost"))) for card in found]
    assert figures == [re.findall(r"\d+", p) for p in told]


def test_a_number_in_a_name_begins_no_range_of_prices() -> None:
    names = ("HONEST ROPE", "CELLAR SUN", "BLADE NO. 6", "SOUP STONE")
    text = "".join(f"{name} – {n}5 reeds\n{TEXT}\n\n" for n, name in enumerate(names, 2))
    cards = read_cards(text, suffix="txt")
    assert [card.name for card in cards] == [name.title() for name in names]
    assert [cost for _, cost in _list_costs(cards)] == [f"{n}5 reeds" for n in range(2, 6)]


def test_what_a_list_of_things_counts_is_no_price() -> None:
    lists = ("6 walnuts", "5 large onions"), ("4 walnuts", "2 eggs"), ("9 walnuts", "butter")
    text = "".join(
        f"### {name}\n\nPrice: ${n}0\n\n{TEXT}\n\nThe following apply:\n\n- {one}\n- {other}\n\n"
        for n, (name, (one, other)) in enumerate(zip(NAMES, lists, strict=False), 2)
    )
    cards = read_cards(text)
    assert [card.name for card in cards] == [*NAMES[:3]]
    assert [cost for _, cost in _list_costs(cards)] == ["$20", "$30", "$40"]
    assert all("walnuts" in card.text for card in cards)


def test_a_price_in_brackets_makes_no_label_of_a_name() -> None:
    texts = {
        "Sirop [105 pts]": ("Saler, poivrer et râper un", "peu de muscade."),
        "Pâté [95 pts]": (
            "Laisser lever 4 heures au",
            "chaud. C'est encore meilleur",
            "le lendemain.",
        ),
        "Pâté +3 [50 pts]": (
            "Laisser mijoter 10 minutes à",
            "feu doux. Hacher les herbes",
            "et les parsemer dessus.",
        ),
        "Pâté de minuit [75 pts]": (
            "Ajouter 6 cuillères de",
            "farine. Hacher les herbes et",
            "les parsemer dessus.",
        ),
        "Beignets [55 pts]": ("Laisser lever 6 heures au", "chaud. Servir avec du pain", "noir."),
    }
    below = "\n" + 52 * " "
    text = "".join(f"{name:<52}{below.join(lines)}\n\n" for name, lines in texts.items())
    cards = read_cards(text, suffix="txt")
    assert [card.name for card in cards] == [name.split(" [")[0] for name in texts]
    assert [card.cost for card in cards] == [105, 95, 50, 75, 55]
