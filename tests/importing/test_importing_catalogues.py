"""Data as games keep them, and references with more than their cards: texts in several languages,
lists side by side, code, headings within cards, tables beside labels.
"""

from __future__ import annotations

import json
from typing import Any

from finding_cards import EIGHT, PLACES, TEXT, list_names, read_cards, tell
from hypothesis import example, given
from hypothesis import strategies as st

from cardgen.core.errors import CardgenError
from cardgen.importing.model import Candidate, Pointed, Recognised
from cardgen.importing.reading.kinds import find_kind
from cardgen.importing.reading.sources import Source
from cardgen.importing.tables.files import read_records
from cardgen.importing.tables.records import ALL_COLUMNS
from cardgen.importing.tables.records import read_cards as load_cards
from cardgen.importing.write import make_cards

# Data


def load(data: Any, *names: str, suffix: str = "json") -> Recognised:
    text = data if isinstance(data, str) else json.dumps(data)
    name = f"a.{suffix}"
    columns = ALL_COLUMNS._replace(pointed=Pointed(names=names))
    source = Source(name, find_kind(text.encode(), name, name), text.encode())
    return load_cards(read_records(source, columns), columns, name)


def list_loaded(data: Any, *names: str, suffix: str = "json") -> list[str]:
    return [card.name for card in load(data, *names, suffix=suffix).cards]


def test_texts_in_several_languages() -> None:
    """English is taken, and the report says what is in another language."""
    found = load(
        [
            {
                "id": f"c{n}",
                "name": {"de": f"Ding {n}", "en": name, "pt": f"Coisa {n}"},
                "stats": {"hp": n, "ac": 3},
                "description": {"de": "Es wirkt einmal.", "en": TEXT, "pt": "Um texto."},
            }
            for n, name in enumerate(EIGHT)
        ]
    )
    assert [card.name for card in found.cards] == [*EIGHT]
    assert {card.text for card in found.cards} == {TEXT}
    assert dict(found.cards[2].other) == {"hp": 2, "ac": 3}
    assert {card.cost for card in found.cards} == {None}  # "pt" is Portuguese here, and no points
    said = [entry.why for entry in found.left_out]
    assert 'column "name.de", which says in another language what "name" says' in said


def test_coins_are_no_languages() -> None:
    """A cost is a figure on some cards, and so much of each coin on others."""
    rows = [{"name": name, "text": TEXT, "cost": {"gp": "5", "sp": "2"} if n % 2 else n + 3}
            for n, name in enumerate(EIGHT)]  # fmt: skip
    found = load(rows)
    assert dict(found.cards[1].other) == {"cost_gp": "5", "cost_sp": "2"}
    assert found.cards[2].cost == 5


def test_lists_side_by_side_that_have_something_in_common() -> None:
    """Those are one deck, each list a kind; another one is told of."""
    data = {
        "materials": [{"name": name, "tier": 1, "rarity": "rare"} for name in EIGHT[:4]],
        "tools": [{"name": name, "tier": 2, "slot": "hand"} for name in EIGHT[4:]],
        "players": [{"name": "Ann", "mail": "a@b.example"}, {"name": "Bob", "mail": "b@b.example"}],
    }
    found = load(data)
    assert [card.name for card in found.cards] == [*EIGHT]
    assert [card.kind for card in found.cards] == ["Materials"] * 4 + ["Tools"] * 4
    assert ["--cards-at players" in doubt.what for doubt in found.deck_doubts] == [True]


def test_objects_that_are_wrapped_one_by_one() -> None:
    items = "".join(
        f'<thing{n}><item name="{name}" level="{n}" description="{TEXT}"/></thing{n}>'
        for n, name in enumerate(EIGHT)
    )
    assert list_loaded(f"<items>{items}</items>", suffix="xml") == [*EIGHT]


def test_topics_are_names_without_the_numbers_that_count_them() -> None:
    topics = [f"{n}. What is it that one does with the {name}" for n, name in enumerate(EIGHT, 1)]
    rows = [
        {"section": "One", "topic": topic, "told": f"{TEXT} {TEXT} {TEXT} {TEXT}"}
        for topic in topics
    ]
    assert list_loaded(rows) == [topic[3:] for topic in topics]


def test_what_somebody_points_at_is_the_name_that_people_read() -> None:
    rows = [
        {"id": name.lower().replace(" ", "_").replace("'", ""), "title": name, "definition": TEXT}
        for name in EIGHT
    ]
    assert list_loaded(rows, EIGHT[0], EIGHT[4]) == [*EIGHT]


def test_a_column_mostly_of_zeros_is_no_count() -> None:
    """ "Cards" says how many cards one draws, and not how often a card is there."""
    rows = "".join(f"{name};{TEXT};{n % 4 // 3}\n" for n, name in enumerate(EIGHT))
    cards = load(f"name;text;cards\n{rows}", suffix="csv").cards
    assert [card.count for card in cards] == [1] * 8
    assert dict(cards[3].other)["cards"] == "1"


KEYS = (
    "type", "entries", "name", "text", "items", "rows", "headers", "columns", "count", "cost",
    "kind", "title", "value", "unit", "description", "cards", "en", "fr", "data", "fields", "stats",
)  # fmt: skip
SAID = (None, True, 0, -3, 2.5, "", "x", "5 gp", "list", "table", "2d6", f"{TEXT} {TEXT}", "a\nb")
TREES = st.recursive(
    st.sampled_from(SAID),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
    ),
    max_leaves=24,
)


@example(tree=[{"kind": {"a": [{"type": ["list"], "text": TEXT}]}}], names=())
@example(tree={"kind": {}}, names=())
@given(tree=TREES, names=st.sampled_from([(), ("x", "list")]))
def test_any_data_are_cards_or_an_error_that_says_why(tree: Any, names: tuple[str, ...]) -> None:
    try:
        cards = load(tree, *names).cards
    except CardgenError as error:
        assert error.problems[0].where is not None
    else:
        assert len(make_cards(cards)) == len(cards) > 0


# References


def test_a_kind_in_a_cell_is_whole() -> None:
    kinds = ("Item / Weapon", "Feature", "Item / Tool", "Class")
    rows = "".join(f"| {name} | {kinds[n % 4]} | {TEXT} |\n" for n, name in enumerate(EIGHT))
    cards = read_cards(f"| Name | Type(s) | Text |\n|---|---|---|\n{rows}", suffix="md")
    assert [card.kind for card in cards[:4]] == [*kinds]


def test_headings_within_cards_that_lack_what_their_names_have() -> None:
    """A maneuver of its own stands in some cards, below a heading, with labels and a line drawn."""
    parts = [
        f"#### {name}\n*Magic thing {n}*\n\n{TEXT}\n\n" + (
            f"##### Slash {n}\n___\n- **Cost:** {n}\n- **Range:** Near\n\nHit it, and again.\n\n"
            if n % 3 == 0 else ""
        )
        for n, name in enumerate(EIGHT, 1)
    ]  # fmt: skip
    text = f"## Things\n\n{''.join(parts)}"
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert "Slash 3" in cards[2].text
    assert "Hit it, and again." in cards[2].text


def test_lists_without_the_labels_that_all_cards_have_are_none() -> None:
    names = [f"{name} {word}" for word in ("Stone", "Leaf") for name in EIGHT]
    cards = "".join(
        f"### {name}\n\n- **Meaning:** {TEXT}\n- **Sound:** A{n}\n- **Place:** {PLACES[n % 4]}\n\n"
        for n, name in enumerate(names)
    )
    more = "".join(f"- **{place}** - {TEXT}\n" for place in PLACES)
    rows = "".join(f"| {place} | all of it, and more of these |\n" for place in PLACES)
    text = (
        f"# Words\n\n## Stones\n\n{cards}## Pairs\n\n{more}\n"
        f"## Sounds\n\n| Place | Words |\n|---|---|\n{rows}"
    )
    assert list_names(text, suffix="md") == names


def test_headings_with_dashes_are_whole_names() -> None:
    cards = read_cards(
        "".join(
            f"### {n}. {name} - A thing of {place}\n\n{TEXT}\n\n"
            for n, (name, place) in enumerate(zip(EIGHT, PLACES * 2, strict=True), 1)
        ),
        suffix="md",
    )
    assert [card.name for card in cards][:2] == [
        f"{EIGHT[0]} - A thing of {PLACES[0]}", f"{EIGHT[1]} - A thing of {PLACES[1]}",
    ]  # fmt: skip


def test_code_between_fences_is_text_as_it_stands() -> None:
    code = "```python\n# read it\nclass Hat:\n    name = *all\n```\n"
    cards = read_cards("".join(f"## {name}\n\n{TEXT}\n\n{code}\n" for name in EIGHT), suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert {card.text for card in cards} == {f"{TEXT}\n\n# read it class Hat:\n\nname = \\*all"}


def test_summaries_are_headings() -> None:
    text = "".join(
        f"<details>\n<summary>{n}. [Odd] {name}</summary>\n\n{TEXT}\n\nLore +{n}.\n</details>\n\n"
        for n, name in enumerate(EIGHT, 1)
    )
    cards = read_cards(f"# Traits\n\n{text}", suffix="md")
    assert [card.name for card in cards] == [f"[Odd] {name}" for name in EIGHT]


def test_tables_rolled_with_the_same_dice() -> None:
    """Ranges of dice that come again are no labels, and each stays a field."""
    rolls = [f"{4 * n + 1}-{4 * n + 4}" for n in range(4)]
    tables = [
        f"## {title}\n\n| Roll | {title} | Effect |\n|---|---|---|\n" + "".join(
            f"| {roll} | {name} | {TEXT} |\n" for roll, name in zip(rolls, names, strict=True)
        )
        for title, names in (("Flaws", EIGHT[:4]), ("Feats", EIGHT[4:]))
    ]  # fmt: skip
    cards = read_cards("\n".join(tables), suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert [dict(card.other)["roll"] for card in cards] == rolls * 2


def test_labels_that_a_blank_alone_parts() -> None:
    text = "".join(
        f"### {name}\n\nR: {n}0' T: {place} D: 0\n\n{TEXT}\n\n"
        for n, (name, place) in enumerate(zip(EIGHT, PLACES * 2, strict=True), 1)
    )
    fields = tell(read_cards(text, suffix="md")[1])
    assert (fields["r"], fields["t"], fields["d"]) == ("20'", PLACES[1], "0")


def test_names_of_columns_are_no_words_with_values() -> None:
    """What repeats in rows below names of columns is a value: "1" and "Swift" are no pair."""
    rows = "".join(
        f"| {name} | {n % 3} | Swift | {('None', 'Will')[n % 2]} |\n"
        for n, name in enumerate(EIGHT)
    )
    text = f"| Name | Cost | Speed | Resist |\n|---|---|---|---|\n{rows}"
    below = "".join(f"\n## {name}\n\n{TEXT}\n" for name in EIGHT)
    assert list_names(text + below, suffix="md") == [*EIGHT]


def test_bold_words_behind_a_bold_name() -> None:
    texts = [f"**Knead** {TEXT}" if n == 2 else TEXT for n in range(8)]
    records = zip(EIGHT, texts, strict=True)
    text = "".join(f"* **{name}:** {said}\n" for name, said in records)
    assert list_names(text, suffix="md") == [*EIGHT]


def test_lines_that_lead_into_lists_are_no_chapters() -> None:
    said = "Choose one of these:\n\n1. One friend gains 3 coins\n2. Draw a card\n\n"
    records = [f"**{name} [{n} points]**\n\n{TEXT}\n\n{said}" for n, name in enumerate(EIGHT, 11)]
    cards: tuple[Candidate, ...] = read_cards("".join(records), suffix="md")
    assert [card.name for card in cards] == [*EIGHT]
    assert [card.kind for card in cards] == [None] * 8


def test_a_term_above_white_space() -> None:
    text = "".join(
        f"{name}\n\n:   *Special: {n}*\n\n    {TEXT}\n\n" for n, name in enumerate(EIGHT)
    )
    assert list_names(text, suffix="md") == [*EIGHT]


def test_contents_whose_names_are_numbered_in_the_text() -> None:
    contents = "".join(
        f"{name} ........................... {n}\n" for n, name in enumerate(EIGHT, 3)
    )
    records = "".join(
        f"{n}. {name} (2 copies) – {n} crowns\n{TEXT}\n\n" for n, name in enumerate(EIGHT, 1)
    )
    cards = read_cards(f"CONTENTS\n\n{contents}\nALL ENTRIES\n\n{records}")
    assert [card.name for card in cards] == [*EIGHT]
    assert {card.text for card in cards} == {TEXT}


def test_tables_of_what_a_monster_does_are_its_own() -> None:
    moves = "".join(f"| {n} | **{name}** — {TEXT} |\n" for n, name in enumerate(EIGHT[:6], 1))
    text = "".join(
        f"## {place}\n*{n} hearts*\n\nIt lurks there.\n\n| d6 | Move |\n|---|---|\n{moves}\n"
        for n, place in enumerate(PLACES, 1)
    )
    cards = read_cards(text, suffix="md")
    assert [card.name for card in cards] == [*PLACES]
    assert EIGHT[3] in cards[1].text
