"""Jinja2 in templates: what an expression prints, what it may read, and what goes wrong."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Project
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import (
    any_text,
    examples,
    find_problem,
    lay_out,
    list_lines,
    list_rects,
    list_sizes,
)

from cardgen.core.errors import CardgenError, Where
from cardgen.template.expressions import TextExpression, ValueExpression
from cardgen.template.sandbox import MINUS, Record, format_signed, make_context

PLACE = Where("card.xml", 3, 5)


def show(source: str, **fields: Any) -> str:
    values = {"card": Record("card", fields), "deck": Record("deck", {"title": "Magic"})}
    return TextExpression(source, PLACE).evaluate(make_context(values))


def judge(source: str, **fields: Any) -> Any:
    context = make_context({"card": Record("card", fields)})
    return ValueExpression(source, PLACE).evaluate(context)


def refusal(source: str, **fields: Any) -> str:
    with pytest.raises(CardgenError) as caught:
        show(source, **fields)
    return str(caught.value)


# What is printed


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ("fire", "fire"),
        (3, "3"),
        (True, ""),
        (False, "false"),
        (None, ""),
        (["fire", None, "ice"], "fire, ice"),
        (["It burns.", "It bites!"], "It burns. It bites!"),
        (
            ["It burns all of them.", "Fire", "10 min.", "ice"],
            "It burns all of them. Fire, 10 min., ice",
        ),
        ([True, 2], "true, 2"),
        ({"Move": 4, "Bite": None, "flies": True, "swims": False}, "Move 4, flies"),
        ({"moves": ["walk", "fly"], "size": 2}, "moves walk, fly; size 2"),
        ([[1, 2], [3]], "1, 2; 3"),
        ([], ""),
    ],
)
def test_whatever_a_field_holds_is_written_out(value: Any, printed: str) -> None:
    assert show("{{ card.field|written }}", field=value) == printed


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("self", "it prints a TemplateReference, which is no text"),
        ("dict", "it prints a type, which is no text"),
        ("cycler('a', 'b')", "it prints a Cycler, which is no text"),
        ("namespace(a=1)", "it prints a Namespace, which is no text"),
        ("range(3)", "it prints a range, which is no text"),
        ("(1, 2)", "it prints a list"),
        ("1e308 * 10", "it prints inf, which is no number"),
        ("1e308 * 10 - 1e308 * 10", "it prints nan, which is no number"),
    ],
)
def test_what_is_neither_text_nor_number_is_not_printed(source: str, reason: str) -> None:
    """An address of the program, or a word for no number, would stand on the card."""
    assert f"fails: {reason}" in refusal("{{ " + source + " }}")


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ("It burns all day.", True),
        ('"What is this? A carpet?"', True),
        ("Draw two (or more.)", True),
        ("(10 min.)", False),
        ("Let's get started.", False),
        ("a list of four words", False),
        (["It burns all day.", "It bites."], True),
        (3, False),
    ],
)
def test_a_sentence_ends_as_one_be_it_in_quotes(value: Any, is_one: bool) -> None:
    assert judge("card.field is sentence", field=value) is is_one


def test_an_if_without_an_else_is_nothing() -> None:
    assert show("{{ 'a' if card.cost }}{{ 'b' if not card.cost }}", cost=0) == "b"


def test_who_writes_a_list_out_says_what_stands_between() -> None:
    assert show("{{ card.list|written(' + ') }}", list=["a", ["b", "c"]]) == "a + b, c"
    assert "a text of more than" in refusal("{{ card.list|written('x' * 900000) }}", list=[1, 2, 3])


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("{{ card.name }}", "Sword of Fate"),
        ("a {{ card.name }} b", "a Sword of Fate b"),
        ("{{ card['name'] }}", "Sword of Fate"),
        ("{{ card.cost }}/{{ card.share }}", "5/2.5"),
        ("{{ card.none }}", ""),
        ("{{ card.name|upper }}", "SWORD OF FATE"),
        ("{{ card.none|default('plain', true) }}", "plain"),
        ("{% if card.cost > 3 %}dear{% else %}cheap{% endif %}", "dear"),
        ("{% for x in card.list %}{{ x }},{% endfor %}", "1,2,"),
        ("{# a comment #}x", "x"),
        ("{{ card.list|join(' ') }}", "1 2"),
        ("{{ card.list|map('string')|join(' ')|title }}", "1 2"),
        ("{{ card.list|string|upper }}", "[1, 2]"),
        ("{{ card.name }}\n", "Sword of Fate\n"),
        ("{{ card.fields.hp }}", "3"),
        ("{{ card.true }}", "true"),
    ],
)
def test_an_expression_prints_a_field(source: str, printed: str) -> None:
    fields = {
        "name": "Sword of Fate",
        "cost": 5,
        "share": 2.5,
        "none": None,
        "list": [1, 2],
        "fields": {"hp": 3},
        "true": True,
    }
    assert show(source, **fields) == printed


@pytest.mark.parametrize("name", ["items", "keys", "values", "count", "get", "copy", "pop", "_x"])
def test_a_field_may_be_named_as_a_method_of_python_is(name: str) -> None:
    assert show(f"{{{{ card.{name} }}}}", **{name: "mine"}) == "mine"
    assert show(f"{{{{ card.stats.{name} }}}}", stats={name: "mine"}) == "mine"
    assert judge(f"card.{name}", **{name: 7}) == 7


def test_the_deck_is_known_too() -> None:
    assert show("{{ deck.title }}") == "Magic"


SPECIAL = """<b>&amp; " ' </b> {{ card.name }} {% if x %} {# no #} \\ ]]> %}"""


def test_a_value_is_never_evaluated() -> None:
    assert show("{{ card.text }}", text=SPECIAL) == SPECIAL
    assert show("{{ card.text|trim }}", text="{{ 1 + 1 }}") == "{{ 1 + 1 }}"


@given(any_text())
@example(SPECIAL)
@examples(100)
def test_every_text_is_printed_as_it_is(text: str) -> None:
    assert show("[{{ card.text }}]", text=text) == f"[{text}]"
    assert judge("card.text", text=text) == text


# Signed numbers


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (5, "+5"),
        (-15, "\u221215"),
        (0, "0"),
        (0.0, "0"),
        (-0.0, "0"),
        (2.5, "+2.5"),
        (-0.5, "\u22120.5"),
        (10.0, "+10"),
        (100, "+100"),
    ],
)
def test_a_number_is_printed_with_its_sign(value: float, printed: str) -> None:
    assert show("{{ card.cost|signed }}", cost=value) == printed


@given(st.integers(-(10**15), 10**15))
@example(1_234_567)
@examples(100)
def test_every_whole_number_is_printed_in_full(value: int) -> None:
    printed = format_signed(value)
    assert int(printed.replace(MINUS, "-")) == value
    assert "-" not in printed
    assert printed.startswith("+" if value > 0 else MINUS if value < 0 else "0")


@pytest.mark.parametrize(
    ("value", "shown"),
    [("5", "'5'"), (None, "None"), (True, "True"), ([1], "[1]"), ("x" * 90, f"'{'x' * 38}…")],
)
def test_only_a_number_has_a_sign(value: object, shown: str) -> None:
    assert refusal("{{ card.cost|signed }}", cost=value) == (
        f'card.xml:3:5: the expression "{{{{ card.cost|signed }}}}" fails:'
        f" signed needs a number, not {shown}"
    )


# Conditions


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("card.cost", True),
        ("card.cost > 9", False),
        ("card.cost is not none", True),
        ("card.none is none", True),
        ("card.none", False),
        ("not card.none", True),
        ("card.name == 'Sword'", True),
        ("card.kind in ['weapon', 'charm']", True),
        ("card.other is defined", False),
        ("card.none is defined", True),
        ("card.cost and card.none", False),
    ],
)
def test_a_condition_is_decided(source: str, expected: bool) -> None:
    fields = {"cost": 5, "none": None, "name": "Sword", "kind": "weapon"}
    assert bool(judge(source, **fields)) is expected


# What goes wrong


def test_an_unknown_field_is_named_with_the_nearest() -> None:
    expected = 'card.xml:3:5: unknown field "tpye" of card\n  hint: did you mean "type"?'
    assert refusal("{{ card.tpye }}", type="x", cost=5) == expected
    assert refusal("{{ card['tpye'] }}", type="x", cost=5) == expected
    assert refusal("{{ card.tpye|upper }}", type="x", cost=5) == expected
    assert refusal("{% if card.tpye %}x{% endif %}", type="x", cost=5) == expected
    with pytest.raises(CardgenError) as caught:
        judge("card.tpye", type="x", cost=5)
    assert str(caught.value) == expected


def test_an_unknown_field_with_no_near_one_lists_them() -> None:
    assert refusal("{{ card.xyz }}", type="x", cost=5) == (
        'card.xml:3:5: unknown field "xyz" of card\n  hint: field names: cost, type'
    )
    assert refusal("{{ deck.titel }}") == (
        'card.xml:3:5: unknown field "titel" of deck\n  hint: did you mean "title"?'
    )


def test_an_unknown_name_is_an_error_that_names_those_there_are() -> None:
    assert refusal("{{ crad.name }}") == (
        'card.xml:3:5: unknown name "crad"\n  hint: did you mean "card"?'
    )


def test_the_loop_of_a_text_is_not_known_elsewhere() -> None:
    """And the hint says how the things of a loop are counted."""
    assert refusal("{{ loop.index0 }}").startswith(
        'card.xml:3:5: unknown name "loop"\n  hint: it is known in the {% for %} of a text;'
        ' elsewhere count, as in for="n in range(card.signs|length)"'
    )


def test_a_text_that_is_no_expression_is_an_error_with_its_place() -> None:
    with pytest.raises(CardgenError) as caught:
        TextExpression("{{ card.name", PLACE)
    assert str(caught.value).startswith("card.xml:3:5: the expression cannot be read: ")
    with pytest.raises(CardgenError) as caught:
        TextExpression("one\ntwo\n{{ card. }}", PLACE)
    assert str(caught.value).startswith("card.xml:5: the expression cannot be read: ")
    with pytest.raises(CardgenError) as caught:
        ValueExpression("card.", PLACE)
    assert str(caught.value).startswith('card.xml:3:5: "card." is no expression: ')


@pytest.mark.parametrize(
    ("source", "code", "message"),
    [
        ("{% if card.x %}{{ 1|uper }}{% endif %}", "unknown-filter", 'unknown filter "uper"'),
        ("{{ 'a' if 1 is nnone }}", "unknown-filter", 'unknown test "nnone"'),
        ("{% fro x in y %}", "unknown-tag", 'unknown tag "fro"'),
        ("{% if 1 %}{% for x in y %}{% endfor %}", "tag-pair", "{% if %} is never closed"),
        ("a{% endfor %}", "tag-pair", "{% endfor %} closes nothing"),
        ("{% else %}", "tag-pair", "{% else %} stands in no {% if %}"),
        ("{{ 1 + }}", "expression-syntax", "unexpected 'end of print statement'"),
    ],
)
def test_what_cannot_be_read_has_its_code(source: str, code: str, message: str) -> None:
    with pytest.raises(CardgenError) as caught:
        TextExpression(source, PLACE)
    (problem,) = caught.value.problems
    assert (problem.code, problem.message) == (
        f"template/{code}",
        f"the expression cannot be read: {message}",
    )


def test_an_unknown_name_is_told_as_data() -> None:
    context = make_context({"card": Record("card", {"cost": 5})})
    with pytest.raises(CardgenError) as caught:
        ValueExpression("card.cots > 3", PLACE).evaluate(context)
    (problem,) = caught.value.problems
    assert problem.code == "template/unknown-field"
    assert problem.details == {"name": "cots", "near": ("cost",)}


@pytest.mark.parametrize("source", ["1 / card.x", "1 // card.x", "1 % card.x"])
def test_a_division_by_zero_is_cured_by_asking_first(source: str) -> None:
    with pytest.raises(CardgenError) as caught:
        judge(source, x=0)
    assert caught.value.problems[0].hint == 'ask for it first, as in if="card.cost"'


@pytest.mark.parametrize(
    "source",
    [
        "{{ card.__class__ }}",
        "{{ card._values }}",
        "{{ card|attr('_values') }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ card.name.__class__ }}",
        "{{ [].__class__.__base__.__subclasses__() }}",
        "{{ card.list.append(5) }}",
        "{{ card.stats.update(x=1) }}",
        "{{ self.__init__.__globals__ }}",
        "{{ card.name.format.__globals__ }}",
        "{{ '{0.__class__}'.format(card) }}",
        "{{ cycler.__init__.__globals__.os }}",
        "{% include 'x' %}",
        "{% import 'os' as os %}",
        "{{ range(1000000000)|list }}",
    ],
)
def test_an_expression_reaches_nothing_but_values(source: str) -> None:
    message = refusal(source, name="Sword", list=[1], stats={"hp": 1})
    assert message.startswith("card.xml:3:5: ")
    assert "Traceback" not in message


def test_a_card_is_not_changed_by_an_expression() -> None:
    fields: dict[str, Any] = {"list": [1], "stats": {"hp": 1}}
    for source in ("{{ card.list.append(2) }}", "{{ card.stats.clear() }}"):
        refusal(source, **fields)
    assert fields == {"list": [1], "stats": {"hp": 1}}


# In templates


def test_expressions_stand_in_texts_attributes_conditions_and_loops(project: Project) -> None:
    body = """
    <style name="small" size="6pt"/><style name="large" size="12pt"/>
    <colour name="sea" cmyk="100 0 0 0"/>
    <text style="{{ card.look }}" if="card.text">{{ card.text }}</text>
    <box for="x in card.bars" x="{{ x * 10 }}mm" y="20mm" width="5mm" height="{{ x }}mm"
         fill="{{ card.paint }}"/>
    """
    one, other = lay_out(
        project,
        body,
        {"text": "Hello", "look": "large", "bars": [1, 3], "paint": "sea"},
        {"text": None, "look": "small", "bars": [], "paint": "sea"},
    )
    assert list_lines(one) == ["Hello"]
    assert list_sizes(one) == [12]
    assert list_rects(one) == [(10, 20, 5, 1), (30, 20, 5, 3)]
    assert other.items == ()


def test_a_field_that_one_card_lacks_is_none(project: Project) -> None:
    body = '<text>[{{ card.cost }}]</text><text y="9mm" if="card.cost is none">free</text>'
    one, other = lay_out(project, body, {"cost": 5}, {})
    assert list_lines(one) == ["[5]"]
    assert list_lines(other) == ["[]", "free"]


def test_an_unknown_field_names_the_card_and_the_place_in_the_template(project: Project) -> None:
    body = '<text if="card.cots">x</text>\n<text>{{ card.cots }}</text>'
    problem = find_problem(project, body, {"name": "Sword", "cost": 5})
    assert problem == (
        'templates/plain.xml:2:7: card "Sword": unknown field "cots" of card\n'
        '  hint: did you mean "cost"?'
    )
    body = "<text>{{ card.name }}</text>\n<text>{{ card.cots }}</text>"
    problem = find_problem(project, body, {"name": "Sword", "cost": 5})
    assert problem.startswith('templates/plain.xml:3:7: card "Sword": unknown field "cots" of card')


def test_what_the_deck_says_of_itself(project: Project) -> None:
    body = (
        "<text>{{ deck.title }}, {{ deck.author }}, {{ deck.language }}, {{ deck.name }}</text>"
        '<text y="9mm">{{ card.number }}/{{ deck.designs }} {{ deck.copies }}</text>'
        '<text y="18mm">{{ card.id }} {{ card.name }} {{ card.count }}</text>'
    )
    faces = lay_out(
        project,
        body,
        {"name": "Sword of Fate", "count": 3},
        {"name": "Banner"},
        title="Magic",
        author="Me",
        language="de",
    )
    assert list_lines(faces[0]) == ["Magic, Me, de, deck", "1/2 4", "sword-of-fate Sword of Fate 3"]
    assert list_lines(faces[1])[1:] == ["2/2 4", "banner Banner 1"]


def test_values_with_signs_of_xml_and_jinja_are_printed_literally(project: Project) -> None:
    text = """Fire & <Ice> "q" 'a' {{ card.name }} {% x %}"""
    (face,) = lay_out(project, "<text>{{ card.text }}</text>", {"text": text})
    assert " ".join(list_lines(face)) == text


def test_an_expression_in_xml_may_compare(project: Project) -> None:
    body = "<text>{{ 'low' if card.cost &lt; 3 else 'high' }}</text>"
    faces = lay_out(project, body, {"cost": 1}, {"cost": 9})
    assert [list_lines(face) for face in faces] == [["low"], ["high"]]


# Loops


def loop(project: Project, head: str, **fields: object) -> list[str]:
    """The lines of a text that prints all the names of a loop."""
    names, _, _ = head.partition(" in ")
    text = f'<text for="{head}">{{{{ {names.replace(",", " ~")} }}}}</text>'
    (face,) = lay_out(project, f"<column>{text}</column>", fields)
    return list_lines(face)


def test_a_loop_repeats_its_element(project: Project) -> None:
    assert loop(project, "x in card.list", list=["a", "b", 3]) == ["a", "b", "3"]
    assert loop(project, "x in [card.name]", name="Sword") == ["Sword"]
    assert loop(project, "x in range(3)") == ["0", "1", "2"]
    assert loop(project, "x in card.list|reverse", list=["a", "b"]) == ["b", "a"]


def test_a_loop_over_nothing_leaves_nothing(project: Project) -> None:
    assert loop(project, "x in card.list", list=[]) == []
    assert loop(project, "x in card.list", list=None) == []


def test_a_loop_may_name_two_things(project: Project) -> None:
    assert loop(project, "x, y in card.list", list=[["a", 1], ["b", 2]]) == ["a1", "b2"]
    stats = {"hp": 1, "mp": 2}
    assert loop(project, "key, value in card.stats|dictsort", stats=stats) == ["hp1", "mp2"]
    assert loop(project, "key, value in card.stats.items()", stats=stats) == ["hp1", "mp2"]


def test_a_loops_name_is_known_within_its_element_only(project: Project) -> None:
    body = """
    <column for="row in card.rows" y="{{ row[0] }}mm">
      <text for="word in row[1]" if="word != 'no'">{{ card.name }}{{ row[0] }}{{ word }}</text>
    </column>
    """
    rows = [[0, ["a", "no", "b"]], [20, ["c"]]]
    (face,) = lay_out(project, body, {"name": "N", "rows": rows})
    assert list_lines(face) == ["N0a", "N0b", "N20c"]
    body = '<box for="x in [1]"><text>{{ x }}</text></box>\n<text y="9mm">{{ x }}</text>'
    assert find_problem(project, body) == (
        'templates/plain.xml:3:15: card "Card 1": unknown name "x"\n'
        "  hint: known names: card, deck, side"
    )


@pytest.mark.parametrize("name", ["result", "loop", "x"])
def test_a_loop_may_name_its_items_freely(project: Project, name: str) -> None:
    body = f'<column><text for="{name} in [1, 0, 2]" if="{name}">{{{{ {name} }}}}</text></column>'
    (face,) = lay_out(project, body)
    assert list_lines(face) == ["1", "2"]


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("x in card.text", 'card "Card 1": for="x in card.text" needs a list'),
        ("x in card.number", 'card "Card 1": for="x in card.number" needs a list'),
        ("x, y in card.list", 'card "Card 1": a loop over x, y needs lists of as many'),
        ("x, y in ['ab']", 'card "Card 1": a loop over x, y needs lists of as many'),
        ("x in range(20000)", 'card "Card 1": a list has more than 10,000 items'),
        (
            "x in card.lisst",
            'card "Card 1": unknown field "lisst" of card\n  hint: did you mean "list"?',
        ),
    ],
)
def test_what_cannot_be_looped_over_is_an_error(project: Project, head: str, message: str) -> None:
    fields = {"text": "abc", "list": [1, 2]}
    problem = find_problem(project, f'<box for="{head}"/>', fields)
    assert problem == f"templates/plain.xml:2:6: {message}"


@pytest.mark.parametrize(
    "head",
    ["x in card.list|map('signed')", "x in card.list|map('fail')", "x in card.list|select('odd')"],
)
def test_a_filter_that_fails_while_it_is_looped_over_is_an_error(
    project: Project, head: str
) -> None:
    problem = find_problem(project, f'<text for="{head}">{{{{ x }}}}</text>', {"list": ["a"]})
    assert problem.startswith("templates/plain.xml:2:7: ")


@pytest.mark.parametrize("head", ["x of card.list", "in card.list", "x y in card.list", "x in"])
def test_what_is_no_loop_is_an_error(project: Project, head: str) -> None:
    assert find_problem(project, f'<box for="{head}"/>') == (
        f'templates/plain.xml:2:6: "{head}" is no loop\n  hint: write for="item in card.items"'
    )


def test_a_loop_cannot_hide_the_card(project: Project) -> None:
    assert find_problem(project, '<box for="card in [1]"/>') == (
        'templates/plain.xml:2:6: the items of a loop cannot be named "card"\n'
        "  hint: choose another name"
    )


def test_an_attribute_that_an_expression_makes_is_checked_for_each_card(project: Project) -> None:
    body = '<box width="{{ card.wide }}" height="5mm" fill="black"/>'
    problem = find_problem(
        project, body, {"name": "Good", "wide": "5mm"}, {"name": "Bad", "wide": "5"}
    )
    assert problem == (
        'templates/plain.xml:2:6: card "Bad": its wide: "5" has no unit; write 5mm or 5pt'
    )


# What no memory would hold


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("'x' * 10**9", "it makes a text of more than 1,000,000 letters"),
        ("10**9 * 'x'", "it makes a text of more than 1,000,000 letters"),
        ("[1] * 1000001", "it makes a text of more than 1,000,000 letters"),
        ("10**100000", "a power of more than 1,000 digits"),
        ("'%1000000s' % 'x'", "a format with so wide a field"),
        ("'%*s' % (9, 'x')", "a format with so wide a field"),
        ("'%100000s'|format('x')", "a format with so wide a field"),
        ("'x'|center(10**9)", "it makes a text of more than 1,000,000 letters"),
        ("'x'.ljust(10**9)", "access to attribute 'ljust' of 'str' object is unsafe."),
    ],
)
def test_a_text_without_end_is_refused_before_it_is_made(
    project: Project, source: str, reason: str
) -> None:
    project.write_template(f"<text>{{{{ {source} }}}}</text>")
    project.write_deck()
    shown = f"{{{{ {source} }}}}"
    assert project.find_problems() == (
        f'templates/plain.xml:2:7: card "Sword": the expression "{shown}" fails: {reason}'
    )


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("3 * 4 ~ ' ' ~ 2 ** 8 ~ ' ' ~ 7 % 4", "12 256 3"),
        ("'ab' * 2", "abab"),
        ("'%5.2f' % 2.25", " 2.25"),
        ("'%s of %s'|format(1, 2)", "1 of 2"),
        ("'x'|center(3)", " x "),
        ("2 ** -1", "0.5"),
        ("(-2) ** 3", "-8"),
    ],
)
def test_small_sums_and_formats_work(source: str, shown: str) -> None:
    expression = TextExpression(f"{{{{ {source} }}}}", Where("t"))
    assert expression.evaluate(make_context({})) == shown


@pytest.mark.parametrize(
    "source",
    [
        *("cycler('a')|escape", "cycler('a')|upper", "([cycler('a')] ~ '')[30:]"),
        *("'a'|replace('a', cycler('a'))|replace('0', '1')", "[1]|map('upper')|title"),
        *("'%s'|format(cycler('a'))|title", "('%s' % cycler('a')).title()"),
        *("'{}'.format(cycler('a')).title()", "[cycler('a')]|join|upper", "card.name.upper|string"),
    ],
)
def test_no_address_is_printed_however_it_is_changed(source: str) -> None:
    assert "which is no text" in refusal(f"{{{{ {source} }}}}", name="A")
