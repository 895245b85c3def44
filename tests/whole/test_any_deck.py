"""Whatever a deck, a table, a variant or a template says: it builds, or it is refused with a place;
and `check` finds what `build` refuses.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import Project
from hypothesis import event, given
from hypothesis import strategies as st
from making import build, check, load_deck, prepare
from strategies import examples, make_faces

from cardgen.core.errors import CardgenError
from cardgen.deck.model import CARD_KEYS, DECK_KEYS, Deck
from cardgen.deck.read import read_deck_file

# Cards

WORDS = ["Sword", "Bow of Power", "Wooden Spoon", "Épée", "№ 1", "a: b", "007", "- dash", "'quote"]
TEXTS = [
    "",
    "Cuts.",
    "**Bold** and *italic*",
    ":sword: cuts",
    "two\n\nparagraphs",
    "* star",
    "{{ x }}",
]
ODD_TEXTS = [":swrod: cuts", "漢字", "unbreakable" * 9, "tab\there", "long text " * 60]
values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-9, 99),
    st.floats(-2, 2).map(lambda x: round(x, 2)),
    st.sampled_from(TEXTS),
    st.lists(st.sampled_from(TEXTS), max_size=2),
    st.just({"attack": 3}),
)
counts = st.integers(0, 3)
fields = {
    "count": counts,
    "text": st.sampled_from(TEXTS),
    "kind": st.sampled_from(["sword", "bow", None]),
    "cost": values,
    "extra": values,
}
cards = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5, unique=True).flatmap(
    lambda names: st.tuples(
        *(st.fixed_dictionaries({"name": st.just(name)}, optional=fields) for name in names)
    ).map(list)
)
heads = st.fixed_dictionaries(
    {"template": st.sampled_from(["plain", "other"])},
    optional={
        "title": st.sampled_from(WORDS),
        "back": st.sampled_from(["back", "none"]),
        "author": st.just("A. Smith"),
        "language": st.sampled_from(["en", "de", "en-GB"]),
        "target": st.sampled_from(["a4", "letter"]),
        "defaults": st.fixed_dictionaries({}, optional=fields),
    },
)
decks = st.builds(lambda head, listed: {**head, "cards": listed}, heads, cards)

# One thing that is, or may be, wrong.

odd = st.one_of(values, st.sampled_from(ODD_TEXTS), st.sampled_from([[], {}, 10_001, "x\ny"]))
odd_keys = st.sampled_from(
    [*DECK_KEYS, *CARD_KEYS, "titel", "cuont", "2nd", "a b", "text", "kind", "nmae", "like"]
)


@st.composite
def spoilt_decks(draw: st.DrawFn) -> dict[str, Any]:
    deck = draw(decks)
    place = draw(st.sampled_from(["deck", "card", "twice", "defaults"]))
    if place == "deck":
        deck[draw(odd_keys)] = draw(odd)
    elif place == "card":
        draw(st.sampled_from(deck["cards"]))[draw(odd_keys)] = draw(odd)
    elif place == "twice":
        deck["cards"].append(draw(st.sampled_from(deck["cards"])))
    else:
        deck["defaults"] = {draw(odd_keys): draw(odd)}
    return deck


BODIES = [
    "<text>{{ card.name }}</text>",
    '<text height="9mm" fit="box">{{ card.text }}</text>',
    '<column><text>{{ card.name }}</text><text grow="1" fit="deck">{{ card.text }}</text></column>',
    '<icon if="card.kind" name="{{ card.kind }}" height="5mm"/>',
    '<box fill="black" width="{{ card.count * 5 }}mm"/>',
    "<flow>{{ card.text }}</flow>",
    '<table columns="auto grow"><tr><td>{{ card.name }}</td><td>{{ card.cost }}</td></tr></table>',
    "<text>{{ card.cost|signed }}</text>",
    "<text>{{ card.extra.attack }}</text>",
    '<text for="word in card.extra">{{ word }}</text>',
    '<image file="{{ card.kind }}.png"/>',
    '<text style="{{ card.kind }}">a</text>',
    '<slot name="body"/>',
    "<txt/>",
    '<text if="card.">a</text>',
    "<text>{{ card.name|uper }}</text>",
    "<text>&nbsp;</text>",
    '<box x="{{ card.cost }}mm"/>',
    "<text>{% if card.cost %}a</text>",
]
bodies = st.lists(st.sampled_from(BODIES), min_size=1, max_size=2).map("\n".join)


@pytest.fixture
def stage(project: Project) -> Project:
    project.write_template('<text fit="box" size="8pt">{{ card.name }}</text>')
    project.write_template("<text>{{ card.name }}: {{ card.count }}</text>", "other")
    project.write_template("<text>{{ deck.title }}</text>", "back")
    return project


def write(project: Project, deck: dict[str, Any], name: str = "deck") -> Path:
    text = yaml.safe_dump(deck, allow_unicode=True, sort_keys=False)
    return project.write(f"decks/{name}.yaml", text)


@contextmanager
def with_places() -> Iterator[None]:
    """What is refused within has a place, and says what is wrong in one line."""
    try:
        yield
    except CardgenError as error:
        for problem in error.problems:
            assert problem.where is not None, problem
            assert Path(problem.where.file).is_file(), problem
            assert "\n" not in problem.message, problem
        event("refused")
    else:
        event("built")


def find_refusal(project: Project, run: Any) -> str:
    try:
        run("deck")
    except CardgenError as error:
        return project.shorten(str(error))
    return ""


# Decks


def test_a_sound_deck_builds(stage: Project) -> None:
    @examples(15)
    @given(decks)
    def judge(deck: dict[str, Any]) -> None:
        write(stage, deck)
        copies = sum(
            card["count"] if card.get("count") is not None else default
            for card in deck["cards"]
            for default in [deck.get("defaults", {}).get("count", 1)]
        )
        if copies:
            assert build("deck").cards == copies
        else:
            with with_places(), pytest.raises(CardgenError, match="is to be printed"):
                build("deck")

    judge()


def test_a_deck_with_one_odd_thing_builds_or_is_refused_with_a_place(stage: Project) -> None:
    @examples(80)
    @given(spoilt_decks())
    def judge(deck: dict[str, Any]) -> None:
        path = write(stage, deck)
        with with_places():
            read_deck_file(path)

    judge()


def test_check_finds_what_build_refuses_and_nothing_else(stage: Project) -> None:
    seen: set[bool] = set()

    @examples(35)
    @given(st.one_of(decks, spoilt_decks()), bodies)
    def judge(deck: dict[str, Any], body: str) -> None:
        stage.write_template(body, "other")
        write(stage, {**deck, "template": "other"})
        found = find_refusal(stage, check)
        assert find_refusal(stage, build) == found
        seen.add(bool(found))
        with with_places():
            check("deck")

    judge()
    assert seen == {True, False}


def test_a_table_builds_or_is_refused_with_a_place(stage: Project) -> None:
    cells = st.one_of(st.sampled_from(["", "1", "x", 'a "quote"', "a\nb", "2.50", "\x07", *WORDS]))
    headers = st.sampled_from(["name", "count", "text", "Title", "nmae", "te!xt", "", "id", "back"])
    tables = st.tuples(
        st.lists(headers, min_size=1, max_size=4),
        st.lists(st.lists(cells, max_size=5), max_size=4),
        st.sampled_from(",;\t"),
        st.sampled_from(["", '"', '"open', "---\n", "---\ntemplate: plain\n---\n", "\ufeff"]),
    )

    @examples(80)
    @given(tables)
    def judge(table: tuple[list[str], list[list[str]], str, str]) -> None:
        header, rows, delimiter, before = table
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter).writerows([header, *rows])
        path = stage.write("decks/table.csv", before + text.getvalue())
        with with_places():
            read_deck_file(path)

    judge()


# Variants


def list_ids(deck: Deck) -> list[str]:
    return [card.id for card in deck.cards]


def read_cards(deck: Deck) -> list[tuple[Any, ...]]:
    """All that is said of the cards, without their places."""
    return [(c.id, c.name, c.count, c.template, c.back, dict(c.fields)) for c in deck.cards]


def read_variant(project: Project, name: str, **said: Any) -> Deck:
    return read_deck_file(write(project, said, name))


def test_a_variant_that_changes_nothing_has_the_faces_of_its_base(stage: Project) -> None:
    @examples(10)
    @given(decks.filter(lambda deck: any(card.get("count", 1) for card in deck["cards"])))
    def judge(deck: dict[str, Any]) -> None:
        deck["defaults"] = {"count": 1}
        write(stage, deck, "base")
        write(stage, {"extends": "base", "title": deck.get("title", "Base")}, "variant")
        base, variant = load_deck("base"), load_deck("variant")
        assert read_cards(variant) == read_cards(base)
        if base.copies:
            faces = ([face.dump() for face in make_faces(prepare(d))] for d in (base, variant))
            assert next(faces) == next(faces)

    judge()


def test_keeping_some_is_dropping_the_others(stage: Project) -> None:
    @examples(25)
    @given(decks, st.data())
    def judge(deck: dict[str, Any], data: st.DataObject) -> None:
        base = read_deck_file(write(stage, deck, "base"))
        ids = list_ids(base)
        keep = data.draw(st.lists(st.sampled_from(ids), unique=True, min_size=1))
        kept = read_variant(stage, "kept", extends="base", keep=keep)
        assert list_ids(kept) == keep
        dropped = read_variant(
            stage, "dropped", extends="base", drop=[i for i in ids if i not in keep], order=keep
        )
        assert read_cards(dropped) == read_cards(kept)
        assert list(kept.cards[0].fields) == list(base.cards[0].fields)

    judge()


def test_a_variant_of_a_variant_is_both(stage: Project) -> None:
    """Each step says one thing; together they are what one variant says that has them all."""

    @examples(25)
    @given(decks, st.data())
    def judge(deck: dict[str, Any], data: st.DataObject) -> None:
        ids = list_ids(read_deck_file(write(stage, deck, "base")))
        some = st.lists(st.sampled_from(ids), unique=True)
        said: dict[str, Any] = {
            "change": {card: {"text": "New."} for card in data.draw(some)},
            "counts": {card: data.draw(counts) for card in data.draw(some)},
            "add": [{"name": "Added", "like": ids[0]}],
            "order": ["added", *data.draw(some)],
        }
        name = "base"
        for step, key in enumerate(said):
            read_variant(stage, f"step-{step}", extends=name, **{key: said[key]})
            name = f"step-{step}"
        # What is like another is so as that is then.
        whole = read_variant(stage, "whole", extends="base", **said)
        assert read_cards(whole) == read_cards(load_deck(name))

    judge()


def test_any_variant_builds_or_is_refused_with_a_place(stage: Project) -> None:
    ids = st.sampled_from(["sword", "bow-of-power", "wooden-spoon", "swrod", "Sword", "added", 1])
    changes = st.dictionaries(odd_keys, odd, max_size=2)
    variants = st.fixed_dictionaries(
        {
            "extends": st.sampled_from(
                ["base", "base", "base", "bsae", "deck", "../decks/base.yaml"]
            )
        },
        optional={
            "keep": st.lists(ids, max_size=3),
            "drop": st.lists(ids, max_size=2),
            "change": st.dictionaries(ids, changes, max_size=2),
            "counts": st.dictionaries(ids, st.one_of(counts, odd), max_size=2),
            "add": st.lists(
                st.fixed_dictionaries(
                    {}, optional={"name": st.just("Added"), "like": ids, "text": odd, "id": odd}
                ),
                max_size=2,
            ),
            "order": st.lists(ids, max_size=3),
            "defaults": changes,
            "template": st.sampled_from(["plain", "plian"]),
        },
    )
    write(
        stage,
        {"template": "plain", "cards": [{"name": name, "text": "."} for name in WORDS[:3]]},
        "base",
    )
    seen: set[bool] = set()

    @examples(60)
    @given(variants)
    def judge(variant: dict[str, Any]) -> None:
        write(stage, variant)
        found = find_refusal(stage, check)
        seen.add(bool(found))
        with with_places():
            load_deck("deck")

    judge()
    assert seen == {True, False}
