"""Names that a template gives: <let>, <field>, <map> and <list>; what they mean for each card, what
is wrong with them, and that what is fixed stays fixed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from conftest import Project
from jinja2.runtime import Context

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.template import template as template_module
from cardgen.template.expressions import ValueExpression
from cardgen.template.model import IconSpec, Node, TextSpec
from cardgen.template.parse import read_template
from cardgen.template.sandbox import Record
from cardgen.template.template import Template, begin_chosen, fill_template

CARD = {"name": "Sword", "kind": "Weapon", "cost": 0, "words": "hot cold", "none": None}


def read(project: Project, body: str, name: str = "plain", attributes: str = "") -> Template:
    path = project.write_template(body, name, attributes)
    return read_template(path, Library(project.folder), Size(500, 500))


def fill(template: Template, **fields: object) -> tuple[Node, ...]:
    card = {**CARD, **fields}
    return fill_template(template, {"card": Record("card", card), "deck": "Deck", "side": "front"})


def list_texts(nodes: tuple[Node, ...]) -> list[str]:
    return [t for node in nodes for t in [node.text, *list_texts(node.children)] if t]


def find_problem(project: Project, body: str) -> str:
    with pytest.raises(CardgenError) as caught:
        read(project, body)
    return project.shorten(str(caught.value)).removeprefix("templates/plain.xml:")


def find_fault(template: Template, **fields: Any) -> str:
    with pytest.raises(CardgenError) as caught:
        fill(template, **fields)
    return str(caught.value).rpartition(".xml:")[2]


# let


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        # It is known to what follows, in attributes, conditions, loops and all they hold.
        (
            '<let name="kind" value="card.kind|lower"/><text>{{ kind }}</text>'
            '<box if="kind == \'weapon\'"><text for="k in [kind, 1]">{{ k }}</text></box>',
            ["weapon", "weapon", "1"],
        ),
        # Its value keeps its kind, and may be read again and again.
        (
            '<let name="n" value="[1, 2]|map(\'string\')"/><text>{{ n|join }}</text>'
            "<text>{{ n|length }}</text>",
            ["12", "2"],
        ),
        # One hides another behind it, and ends with its parent.
        (
            '<let name="a" value="1"/><box><let name="a" value="a + 1"/><text>{{ a }}</text></box>'
            "<text>{{ a }}</text>",
            ["2", "1"],
        ),
        # What a slot names is known in it alone.
        (
            '<let name="a" value="1"/><slot name="s"><let name="a" value="2"/>'
            "<text>{{ a }}</text></slot><text>{{ a }}</text>",
            ["2", "1"],
        ),
        # The names of a loop hide it.
        (
            '<let name="a" value="card.kind"/><text for="a in [3]">{{ a }}</text>',
            ["3"],
        ),
        ('<table columns="auto"><let name="a" value="7"/><tr><td>{{ a }}</td></tr></table>', ["7"]),
    ],
)
def test_what_a_let_names(project: Project, body: str, texts: list[str]) -> None:
    assert list_texts(fill(read(project, body))) == texts


def test_a_let_is_known_in_the_slots_behind_it(project: Project) -> None:
    base = '<let name="tone" value="card.kind|upper"/><box><slot name="s"/></box>'
    project.write_template(base, "base")
    body = '<slot name="s"><text>{{ tone }}</text></slot>'
    template = read(project, body, attributes='extends="base"')
    assert list_texts(fill(template)) == ["WEAPON"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            '<let name="deck" value="1"/>',
            '2:6: a value cannot be named "deck"\n  hint: choose another name',
        ),
        (
            '<let name="range" value="1"/>',
            '2:6: a value cannot be named "range"\n  hint: choose another name',
        ),
        (
            '<let name="a b" value="1"/>',
            '2:6: "a b" is no name for a value\n  hint: use letters, digits and underscores, and'
            " begin with a letter",
        ),
        ('<let value="1"/>', '2:1: <let> has no name\n  hint: add name="…"'),
        ('<let name="a"/>', '2:1: <let> has no value\n  hint: add value="…"'),
        (
            '<let name="a" vlaue="1"/>',
            '2:1: <let> has no value\n  hint: add value="…"\n'
            'templates/plain.xml:2:15: unknown attribute "vlaue" of <let>\n'
            '  hint: did you mean "value"?',
        ),
        (
            '<let name="a" value="{{ card.name }}"/>',
            "2:15: \"{{ card.name }}\" is no expression: expected token ':', got '}'\n"
            "  hint: leave the braces out: the value is an expression already",
        ),
        (
            '<let name="a" value="1"><box/></let>',
            "2:1: <let> holds nothing\n  hint: close it at once, as in <let …/>",
        ),
    ],
)
def test_a_let_that_is_wrong(project: Project, body: str, problem: str) -> None:
    assert find_problem(project, body) == problem


def test_what_a_let_names_wrongly_is_said_of_each_card(project: Project) -> None:
    misspelled = read(project, '<let name="tone" value="1"/><text>{{ tnoe }}</text>')
    assert find_fault(misspelled) == '2:35: unknown name "tnoe"\n  hint: did you mean "tone"?'
    failing = read(project, '<let name="tone" value="card.name + 1"/><text>{{ tone }}</text>')
    assert find_fault(failing).startswith('2:18: the expression "card.name + 1" fails: ')
    endless = read(project, '<let name="n" value="range(20000)|map(\'abs\')"/><text>{{ n }}</text>')
    assert find_fault(endless) == "2:15: a list has more than 10,000 items"


# fields


def test_a_field_that_a_deck_need_not_have(project: Project) -> None:
    body = (
        '<field name="tone" default="blue"/><field name="rank, unread"/>'
        '<field name="kind" default="thing"/><field name="cost" default="7"/>'
        '<field name="size" default="1.5"/>'
        '<field name="shown" default="false"/>'
        "<text>{{ card.tone }} {{ card.rank }} {{ card.kind }} {{ card.cost + 1 }}</text>"
        '<text if="card.shown or card.rank">never</text><text>{{ card.size * 2 }}</text>'
    )
    template = read(project, body)
    assert list_texts(fill(template)) == ["blue  Weapon 1", "3.0"]
    # A cell that is empty, or a field that only other cards have, is none as well.
    assert list_texts(fill(template, kind="", cost=None, tone="red")) == ["red  thing 8", "3.0"]


def test_the_fields_of_both_files_count(project: Project) -> None:
    project.write_template(
        '<field name="tone" default="blue"/><field name="mark" default="x"/>'
        '<text>{{ card.tone }}{{ card.mark }}</text><slot name="s"/>',
        "base",
    )
    body = (
        '<field name="tone" default="red"/><field name="rank" default="3"/>'
        '<slot name="s"><text>{{ card.rank }}</text></slot>'
    )
    assert list_texts(fill(read(project, body, attributes='extends="base"'))) == ["redx", "3"]


def test_a_field_that_nobody_declares_is_an_error(project: Project) -> None:
    template = read(project, '<field name="colour"/><text>{{ card.color }}</text>')
    assert find_fault(template) == (
        '2:29: unknown field "color" of card\n  hint: did you mean "colour"?'
    )


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            '<field name="name"/>',
            "2:8: every card has a name\n  hint: delete the <field>",
        ),
        (
            '<field name="my-kind"/>',
            '2:8: "my-kind" is no name for a field\n  hint: use letters, digits and underscores,'
            " and begin with a letter",
        ),
        (
            '<field name="kind" defualt="a"/>',
            '2:20: unknown attribute "defualt" of <field>\n  hint: did you mean "default"?',
        ),
        (
            '<box><field name="kind"/></box>',
            "2:6: <field> cannot stand here\n  hint: it stands in <template> itself",
        ),
        (
            '<map name="side"><entry key="a" value="b"/></map>',
            '2:6: a map cannot be named "side"\n  hint: choose another name',
        ),
        (
            '<map name="m"><text>a</text></map>',
            "2:15: <text> cannot stand here",
        ),
        ('<map name="m"><entry value="b"/></map>', '2:15: <entry> has no key\n  hint: add key="…"'),
        (
            '<entry key="a"/>',
            "2:1: <entry> cannot stand here\n  hint: it stands in <map>",
        ),
        (
            '<map name="m" values="a: b, c"/>',
            '2:15: "c" has no value\n  hint: as in "weapon: sword, curse: skull";'
            " what holds a comma stands in an <entry>",
        ),
        (
            '<list name="not" values="a"/>',
            '2:7: a list cannot be named "not"\n  hint: choose another name',
        ),
    ],
)
def test_a_definition_that_is_wrong(project: Project, body: str, problem: str) -> None:
    assert find_problem(project, body) == problem


# maps and lists


def test_maps_and_lists(project: Project) -> None:
    project.write_template(
        '<map name="signs" default="once"><entry key="one turn" value="turn"/>'
        '<entry key="entire" value="all"/></map><list name="kinds" values="axe"/>'
        '<slot name="s"/>',
        "base",
    )
    body = (
        '<map name="signs"><entry key="entire" value="game"/></map>'
        '<map name="signs" values="3: 7"/>'
        '<list name="kinds" values="sword, bow,  2"/>'
        '<slot name="s"><text>{{ signs["one turn"] }} {{ signs.entire }} {{ signs["no"] }}</text>'
        "<text>{{ signs[3] + 1 }}</text>"
        '<text for="kind in kinds">{{ kind }}</text><text if="2 in kinds">two</text></slot>'
    )
    template = read(project, body, attributes='extends="base"')
    assert list_texts(fill(template)) == ["turn game once", "8", "sword", "bow", "2", "two"]
    without = read(project, '<map name="m"><entry key="a"/></map><text>{{ m["b"] }}</text>')
    assert find_fault(without).startswith('2:43: unknown key "b"')


# Colours


def test_a_colour_of_several_names_with_its_tint(project: Project) -> None:
    project.write_template(
        '<colour name="a, b" cmyk="0 0 0 10" tint="0 0 0 20"/><slot name="s"/>', "base"
    )
    body = '<colour name="b" rgb="#102030"/>'
    colours = read(project, body, attributes='extends="base"').palette.colours
    found = {name: str(colours[name]) for name in ("a", "a-tint", "b", "b-tint")}
    assert found["a-tint"] == found["b-tint"] == "cmyk(0 0 0 0.2)"
    assert found["a"] == "cmyk(0 0 0 0.1)" != found["b"]
    wrong = find_problem(project, '<colour name="a" cmyk="0 0 0 1" tint="0 0 0"/>')
    assert wrong.startswith("2:33: ")


# What is fixed


def test_what_fields_choose_is_filled_once_for_each_of_their_values(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = (
        '<let name="sign" value="card.kind|lower"/>'
        '<box fill="{{ card.fill }}"><icon name="{{ sign }}" if="card.cost"/></box>'
        '<box for="one in card.sides" fill="{{ one }}"/><text>{{ card.kind }}</text>'
    )
    template = read(project, body)
    costs: tuple[object, ...] = (1, True, "1", 0, None, [])
    cards: list[dict[str, object]] = [
        {"fill": fill, "kind": kind, "cost": cost, "sides": ["black", "white"]}
        for fill in ("black", "white")
        for kind in ("Sword", "sword", "Ring")
        for cost in costs
    ]
    chosen = begin_chosen((), ())

    def fill_all() -> None:
        for card in cards * 2:
            record = {"card": Record("card", card)}
            assert fill_template(template, record, chosen=chosen) == fill_template(template, record)

    fill_all()
    boxes, icons = 2 * 3 * 4, 3  # yes, no and lists are filled each time
    assert len(chosen.nodes) == boxes + icons
    monkeypatch.setattr(template_module, "MOST_CHOSEN", 2)
    chosen.nodes.clear()
    fill_all()
    assert 0 < len(chosen.nodes) <= 2


def test_what_has_few_values_in_a_deck_is_filled_once_for_each(project: Project) -> None:
    """One way at most for every four cards; what is each card's own never is."""
    body = (
        '<field name="set" default="A"/><text>{{ card.set }}</text><text>{{ card.name }}</text>'
        '<column><text fit="line" min="5pt">{{ card.kind }}</text></column>'
        '<text fit="deck" min="5pt">{{ card.kind }}</text><text>{{ card.number }}</text>'
        '<text>{{ card.kind }} {{ card.rank }}</text><image file="{{ card.kind }}.png"/>'
    )
    template = read(project, body)
    cards: list[dict[str, Any]] = [
        {"kind": f"Kind {number % 3}", "rank": number % 7} for number in range(40)
    ]
    chosen = begin_chosen(cards, ("name", "number"))
    for number, card in enumerate(cards):
        own = {"name": f"Card {number}", "number": number}
        nodes = fill_template(template, {"card": Record("card", card | own)}, chosen=chosen)
        kept = [node.repeats for node in nodes]
        assert kept == [True, False, True, False, False, False, False]
        assert nodes[2].children[0].text == card["kind"]
    assert len(chosen.nodes) == 3 * 2 + 1  # the column, the text within it, and the set


def test_what_an_expression_comes_to_is_asked_once_for_the_same_fields(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And each time where it may differ: for a list, for what is each card's own, for a value that
    is there on one card and not on the next.
    """
    body = (
        '<let name="sign" value="card.kind|upper"/><let name="both" value="[card.kind]"/>'
        "<text if=\"sign == 'A'\">a</text><text if=\"card.name == '3'\">three</text>"
        '<text if="card.rank is defined">ranked</text><text if="\'x\' in card.signs">x</text>'
        "<text>{{ sign }}{{ both[0] }}</text>"
    )
    template = read(project, body)
    cards: list[dict[str, Any]] = []
    for number in range(40):
        card: dict[str, Any] = {"name": str(number), "kind": "ab"[number % 2]}
        card |= {"rank": None} if number % 3 else {}
        cards.append(card | {"signs": ["x"] if number % 5 else "y"})
    chosen = begin_chosen(cards, ())
    asked: list[str] = []
    evaluate = ValueExpression.evaluate

    def count(self: ValueExpression, context: Context) -> Any:
        asked.append(self.source)
        return evaluate(self, context)

    monkeypatch.setattr(ValueExpression, "evaluate", count)
    for card in cards:
        texts = [
            node.text
            for node in fill_template(template, {"card": Record("card", card)}, chosen=chosen)
        ]
        number = int(card["name"])
        expected = ["a"] * (card["kind"] == "a") + ["three"] * (number == 3)
        expected += ["ranked"] * ("rank" in card) + ["x"] * (number % 5 > 0)
        assert texts == [*expected, card["kind"].upper() + card["kind"]]
    counts = Counter(asked)
    assert counts["card.kind|upper"] == counts["sign == 'A'"] == 2
    assert counts["card.name == '3'"] == counts["[card.kind]"] == 40
    assert counts["'x' in card.signs"] == 40
    assert counts["card.rank is defined"] == 14 + 1
    monkeypatch.setattr(template_module, "MOST_CHOSEN", 1)
    chosen.known.clear()
    for card in cards:
        fill_template(template, {"card": Record("card", card)}, chosen=chosen)
    assert len(chosen.known) == 1


@pytest.mark.parametrize(("kinds", "kept"), [(10, True), (11, False)])
def test_few_is_a_quarter_of_the_cards(kinds: int, kept: bool, project: Project) -> None:
    cards = [{"kind": f"Kind {number % kinds}"} for number in range(40)]
    chosen = begin_chosen(cards, ())
    template = read(project, "<text>{{ card.kind }}</text>")
    (node,) = fill_template(template, {"card": Record("card", cards[0])}, chosen=chosen)
    assert node.repeats is kept


def find_icon(node: Node) -> IconSpec:
    assert isinstance(node.spec, IconSpec)
    return node.spec


def test_names_tell_what_they_read_of_a_card(project: Project) -> None:
    body = (
        '<let name="sign" value="card.kind|lower"/><let name="fill" value="sign"/>'
        "<icon name=\"{{ sign }}\"/><box fill=\"{{ 'white' if fill else 'black' }}\"/>"
        '<text>{{ fill }}</text><let name="kind" value="3"/><box turn="{{ kind * 30 }}"/>'
    )
    icon, box, text, turned = fill(read(project, body))
    assert icon.choices == box.choices == frozenset({"card.kind"})
    assert find_icon(icon).fields == ("kind",)
    assert isinstance(text.spec, TextSpec)
    assert (text.choices, text.spec.fields) == (None, ("kind",))
    assert turned.fixed
    hidden = '<let name="a" value="card.kind"/><text for="a in [3]">{{ a }}</text>'
    (three,) = fill(read(project, hidden))
    assert isinstance(three.spec, TextSpec)
    assert three.spec.fields == ()


@pytest.mark.parametrize(
    ("body", "tells", "copies"),
    [
        ('<let name="a" value="1"/><text>{{ a }}</text>', False, False),
        ('<let name="a" value="deck"/><text>{{ a }}</text>', False, False),
        ('<list name="a" values="b, c"/><text>{{ a[0] }}</text>', False, False),
        ('<let name="a" value="card.name"/><text>{{ a }}</text>', True, False),
        ('<let name="a" value="card.place"/><text>{{ a }}</text>', True, True),
        (
            '<slot name="s"><let name="a" value="card.place"/><text>{{ a }}</text></slot>',
            True,
            True,
        ),
        ('<let name="a" value="side"/><text>{{ a }}</text>', True, False),
        ('<text for="a in [0, 180]" turn="{{ a }}">{{ deck }}</text>', False, False),
        ('<text for="a in card.list">{{ a }}</text>', True, False),
        ('<let name="b" value="card.list"/><text for="a in b">{{ a }}</text>', True, False),
    ],
)
def test_faces_are_shared_as_far_as_names_are(
    project: Project, body: str, tells: bool, copies: bool
) -> None:
    template = read(project, body)
    assert (template.tells_cards, template.tells_copies) == (tells, copies)


def test_what_names_nothing_of_a_card_stays_one_node(project: Project) -> None:
    body = '<box><slot name="s"><let name="a" value="card.name"/><box fill="black"/></slot></box>'
    template = read(project, body)
    assert fill(template)[0] is fill(template, name="Axe")[0]


def test_it_is_the_size_of_the_deck_behind_a_let_too(project: Project) -> None:
    body = '<slot name="s"><let name="a" value="1"/><text fit="deck">{{ a }}</text></slot>'
    assert read(project, body).shares_sizes


def test_it_builds(project: Project) -> None:
    body = (
        '<field name="tone" default="black"/><let name="ink" value="card.tone"/>'
        '<text colour="{{ ink }}">{{ card.name }}</text>'
    )
    project.write_template(body)
    project.write_deck()
    assert project.find_problems() == ""
    project.write_deck("  - name: Sword\n    tone: puce\n")
    assert 'unknown colour "puce"' in project.find_problems()
