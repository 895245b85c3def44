"""<component> and <use>: what is written out, with which values; and that errors name the place in
the component and that of its use.
"""

from __future__ import annotations

import pytest
from conftest import Project
from test_names import fill, find_problem, list_texts, read

from cardgen.core.errors import CardgenError
from cardgen.template.compile import MOST_WRITTEN_OUT
from cardgen.template.model import TextSpec

SIGN = (
    '<component name="sign"><param name="word"/><param name="times" default="2"/>'
    "<text>{{ word }}{{ times + 1 }}</text></component>"
)


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        # A value keeps its kind: a number, what an expression gives; else it is a text.
        ('<use component="sign" word="a"/>', ["a3"]),
        ('<use component="sign" word="{{ card.cost }}" times="7"/>', ["08"]),
        ('<use component="sign" word="{{ card.kind }}!" times="{{ 2 * 2 }}"/>', ["Weapon!5"]),
        # It is there if it is to be, as often as it is to be, and each time with its own values.
        ('<use if="card.none" component="sign" word="a"/>', []),
        (
            '<use for="n in [1, 2, 3]" if="n != 2" component="sign" word="x" times="{{ n }}"/>',
            ["x2", "x4"],
        ),
        # Values are those of the use, not of one another.
        (
            '<let name="times" value="5"/><use component="sign" word="{{ times }}" times="1"/>'
            "<text>{{ times }}</text>",
            ["52", "5"],
        ),
    ],
)
def test_what_a_use_gives(project: Project, body: str, texts: list[str]) -> None:
    assert list_texts(fill(read(project, SIGN + body))) == texts


def test_the_slots_of_a_component(project: Project) -> None:
    body = (
        '<component name="panel"><param name="tone" default="t"/><box>'
        '<slot name="head"><text>none</text></slot><slot name="content"/></box></component>'
        '<component name="twice"><use component="panel"><slot name="content">'
        '<slot name="content"/><slot name="content"/></slot></use></component>'
        '<use component="panel"><text>{{ card.kind }}</text></use>'
        '<use component="panel" tone="u"><slot name="head"><text>{{ tone }}</text></slot></use>'
        '<use component="twice"><text>two</text></use>'
    )
    texts = ["none", "Weapon", "u", "none", "two", "two"]
    assert list_texts(fill(read(project, body))) == texts


def test_components_are_those_of_both_files(project: Project) -> None:
    project.write_template(
        f'{SIGN}<component name="own"><text>old</text></component><use component="own"/>'
        '<use component="sign" word="b"/><slot name="s"/>',
        "base",
    )
    body = (
        '<component name="own"><text>new</text></component>'
        '<slot name="s"><use component="sign" word="c"/></slot>'
    )
    template = read(project, body, attributes='extends="base"')
    assert list_texts(fill(template)) == ["new", "b3", "c3"]


def test_a_slot_of_the_template_may_stand_in_a_use(project: Project) -> None:
    project.write_template(
        '<component name="panel"><box><slot name="content"/></box></component>'
        '<use component="panel"><slot name="content"><slot name="body"/></slot></use>',
        "base",
    )
    template = read(project, '<slot name="body"><text>a</text></slot>', attributes='extends="base"')
    assert list_texts(fill(template)) == ["a"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            '<use component="sing" word="a"/>',
            '2:6: unknown component "sing"\n  hint: did you mean "sign"?',
        ),
        ("<use/>", '2:1: <use> has no component\n  hint: add component="…"'),
        ('<use component="sign"/>', '2:1: <use> has no word\n  hint: add word="…"'),
        (
            '<use component="sign" wrod="a" word="b"/>',
            '2:23: unknown attribute "wrod" of <use>\n  hint: did you mean "word"?',
        ),
        (
            '<use component="sign" word="a"><slot name="s"/></use>',
            '2:1: the component "sign" has no slot "s"\n  hint: there are no slot names',
        ),
        (
            '<component name="c"><use component="c"/></component>',
            "2:26: a component uses itself: c > c\n  hint: let one of them do without the other",
        ),
        (
            '<component name="c"><use component="d"/></component><use component="c"/>\n'
            '<component name="d"><box><use component="c"/></box></component>',
            "2:26: a component uses itself: d > c > d\n"
            "  used at templates/plain.xml:3:26\n"
            "  hint: let one of them do without the other\n"
            "templates/plain.xml:3:31: a component uses itself: c > d > c\n"
            "  used at templates/plain.xml:2:21\n"
            "  hint: let one of them do without the other",
        ),
        (
            '<component name="c"><param name="card"/></component>',
            '2:28: a parameter cannot be named "card"\n  hint: choose another name',
        ),
        (
            '<component name="c"><param name="component"/></component>',
            '2:28: a parameter cannot be named "component"\n  hint: choose another name',
        ),
        (
            '<component name="c"><param name="a"/><param name="a"/></component>',
            '2:45: the parameter "a" is there already\n  hint: give it another name',
        ),
        (
            '<param name="a"/>',
            "2:1: <param> cannot stand here\n  hint: it stands in <component>",
        ),
        (
            '<component name="c"><box><slot/></box></component>',
            '2:26: <slot> has no name\n  hint: add name="…"',
        ),
        (
            '<component name="c"><slot name="a" nmae="b"/></component>',
            '2:36: unknown attribute "nmae" of <slot>\n  hint: did you mean "name"?',
        ),
        (
            '<component name="c"><slot name="{{ a }}"><txt/></slot></component>',
            '2:42: unknown element <txt>\n  hint: did you mean "text"?',
        ),
    ],
)
def test_what_is_wrong_with_a_use(project: Project, body: str, problem: str) -> None:
    found = find_problem(project, f"{body}\n{SIGN}")
    assert found == problem


@pytest.mark.parametrize("uses", ["", '<use component="c"/><use component="c"/>'])
def test_what_is_wrong_with_a_component_is_said_once(project: Project, uses: str) -> None:
    body = '<component name="c"><box>\n<box fil="black"/></box></component>'
    problem = '3:6: unknown attribute "fil" of <box>\n  hint: did you mean "fill"?'
    assert find_problem(project, body + uses) == problem


def test_what_goes_wrong_at_one_use_names_the_use(project: Project) -> None:
    body = (
        '<component name="inner"><param name="wide"/>\n<box width="{{ wide }}"/></component>\n'
        '<component name="outer"><param name="wide"/>\n'
        '<use component="inner" wide="{{ wide }}"/></component>\n'
        '<use component="outer" wide="3mm"/>\n<column><use component="outer" wide="3"/></column>'
    )
    with pytest.raises(CardgenError) as caught:
        fill(read(project, body))
    assert project.shorten(str(caught.value)) == (
        'templates/plain.xml:3:6: "3" has no unit; write 3mm or 3pt\n'
        "  used at templates/plain.xml:5:1\n"
        "  used at templates/plain.xml:7:9"
    )


def test_what_has_no_meaning_where_a_component_is_used(project: Project) -> None:
    body = (
        '<component name="c"><box grow="1"/></component>\n<row><use component="c"/></row>\n'
        '<use component="c"/>'
    )
    assert find_problem(project, body) == (
        '2:26: "grow" has no meaning in a <template>\n  used at templates/plain.xml:4:1\n'
        "  hint: put the element into a <column> or <row>"
    )


def test_a_card_that_does_not_fit_names_the_use_too(project: Project) -> None:
    project.write_template(
        '<component name="c"><text width="1mm">{{ card.name }}</text></component>\n'
        '<use component="c"/>'
    )
    project.write_deck()
    assert project.find_problems().endswith(
        "the template's element is templates/plain.xml:2:21, used at templates/plain.xml:3:1"
    )
    record = project.run("check", "deck", "--json").stdout
    assert '"used"' not in record
    project.write_template(
        '<component name="c"><text size="{{ 3 }}">a</text></component>\n<use component="c"/>'
    )
    assert (
        '"used": [\n        "templates/plain.xml:3:1"'
        in project.run("check", "deck", "--json").stdout
    )


def test_components_within_each_other_come_to_an_end(project: Project) -> None:
    body = '<component name="c0"><box/></component>'
    for depth in range(1, 9):
        uses = f'<use component="c{depth - 1}"/>' * 9
        body += f'<component name="c{depth}">{uses}</component>'
    assert f"come to more than {MOST_WRITTEN_OUT:,} elements" in find_problem(project, body)


def test_what_a_component_reads_is_what_it_is_given(project: Project) -> None:
    component = (
        '<component name="c"><param name="ink" default="black"/><param name="size" default="9"/>'
        '<box height="{{ size }}mm"><box fill="{{ ink }}"/></box></component>'
    )
    fixed = read(project, component + '<use component="c" size="3"/>')
    assert not fixed.tells_cards
    (box,) = fill(fixed)
    assert box.fixed and box is fill(fixed)[0]
    chosen = read(project, component + '<use component="c" ink="{{ card.kind }}"/>')
    (box,) = fill(chosen, kind="white")
    assert box.choices == frozenset({"card.kind"})
    measured = read(project, component + '<use component="c" size="{{ card.cost }}"/>')
    (box,) = fill(measured)
    assert box.choices is None
    looped = read(project, component + '<use for="n in card.list" component="c" size="{{ n }}"/>')
    assert looped.tells_cards
    assert len(fill(looped, list=[1, 2])) == 2


def test_a_use_that_some_cards_leave_out_is_not_fixed(project: Project) -> None:
    body = (
        '<component name="c"><box fill="black"/></component>'
        '<box><use if="card.none" component="c"/></box>'
    )
    template = read(project, body)
    (empty,), (full,) = fill(template), fill(template, none=1)
    assert (len(empty.children), len(full.children)) == (0, 1)
    assert full.choices == frozenset({"card.none"})


def test_texts_of_several_uses_have_sizes_of_their_own(project: Project) -> None:
    body = (
        '<component name="c"><text fit="deck">a</text></component>'
        '<use component="c"/> <use component="c"/>'
    )
    template = read(project, body)
    assert template.shares_sizes
    first, other = fill(template)
    assert isinstance(first.spec, TextSpec)
    assert isinstance(other.spec, TextSpec)
    assert first.spec.key != other.spec.key
