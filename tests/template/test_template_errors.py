"""What is wrong with a template: every message exactly, with its place and the nearest known name.

Each template's body begins at line 2 of templates/plain.xml, and stands on one line.
"""

from __future__ import annotations

import pytest
from conftest import Project, drop_slug
from pypdf import PdfReader

CARD = """\
  - name: Sword
    text: It cuts well.
    cost: 5
    who: null
    rules: {first: strike}
    uses: [once, twice]
"""
FILE = "templates/plain.xml"


EXPRESSION = (
    "a <{}> holds no expressions\n  hint: it is the same for all cards: write it where it is used, "
    'as in fill="{{{{ card.colour }}}}"'
)


def find_problems(project: Project, body: str, attributes: str = "") -> str:
    project.write_template(body, attributes=attributes)
    project.write_deck(CARD)
    return project.find_problems()


def test_the_card_that_these_templates_spoil_is_sound(project: Project) -> None:
    body = '<text>{{ card.name }}</text><text y="9mm">{{ card.text }}</text>'
    assert find_problems(project, body) == ""


# Names


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("<txt>a</txt>", '2:1: unknown element <txt>\n  hint: did you mean "text"?'),
        ("<img/>", '2:1: unknown element <img>\n  hint: did you mean "image"?'),
        (
            '<for each="a"/>',
            "2:1: unknown element <for>\n  hint: any element has it as an attribute:"
            ' <text for="sign in card.signs">',
        ),
        (
            '<image file="a.png" fit="stretch"/>',
            '2:21: "stretch" is not one of: cover, contain, tile\n  hint: did you mean "cover"?',
        ),
        ("<box><txt/></box>", '2:6: unknown element <txt>\n  hint: did you mean "text"?'),
        (
            '<table columns="auto"><xyzzy/></table>',
            "2:23: unknown element <xyzzy>\n  hint: element names: let, slot, tr, use",
        ),
        (
            '<text sytle="a">a</text>',
            '2:7: unknown attribute "sytle" of <text>\n  hint: did you mean "style"?',
        ),
        (
            '<box fill="black" strokewidth="1pt"/>',
            '2:19: unknown attribute "strokewidth" of <box>\n  hint: did you mean "stroke-width"?',
        ),
        (
            '<box fill="black" box-shadow="1mm 1mm"/>',
            '2:19: unknown attribute "box-shadow" of <box>\n  hint: did you mean "shadow"?',
        ),
        (
            '<circle r="5mm" cx="9mm" fill="black"/>',
            '2:9: unknown attribute "r" of <circle>\n  hint: a shape is as large as its box allows:'
            " give it width and height\n"
            'templates/plain.xml:2:17: unknown attribute "cx" of <circle>\n'
            '  hint: did you mean "x"?',
        ),
        (
            '<style name="body" siez="9pt"/>',
            '2:20: unknown attribute "siez" of <style>\n  hint: did you mean "size"?',
        ),
        (
            '<slot name="a" if="card.cost"/>',
            '2:16: unknown attribute "if" of <slot>\n  hint: attribute names: name',
        ),
        (
            '<style name="body"/><text style="bdy">a</text>',
            '2:27: unknown style "bdy"\n  hint: did you mean "body"?',
        ),
        ('<text style="a">a</text>', '2:7: unknown style "a"\n  hint: there are no style names'),
        (
            '<style name="a" extends="bold"/><style name="blod"/>',
            '2:17: unknown style "bold"\n  hint: did you mean "blod"?',
        ),
        (
            '<colour name="gold" cmyk="0 20 100 5"/><box fill="glod"/>',
            '2:45: unknown colour "glod"\n  hint: did you mean "gold"?',
        ),
        ('<box stroke="blakc"/>', '2:6: unknown colour "blakc"\n  hint: did you mean "black"?'),
        (
            '<style name="a" colour="wihte"/>',
            '2:17: unknown colour "wihte"\n  hint: did you mean "white"?',
        ),
        (
            '<gradient name="dusk" stops="black, white"/><box fill="dsuk"/>',
            '2:50: unknown colour "dsuk"\n  hint: did you mean "dusk"?',
        ),
        (
            '<gradient name="dusk" stops="black, withe"/>',
            '2:23: unknown colour "withe"\n  hint: did you mean "white"?',
        ),
        (
            '<style name="a" font="Cinzel" weight="blod"/>',
            '2:31: unknown weight "blod"\n  hint: did you mean "bold"?',
        ),
        (
            '<text weight="1001">a</text>',
            '2:7: unknown weight "1001"\n  hint: weight names: black, bold, extrabold, extralight,'
            " light, medium, regular, semibold, thin",
        ),
        (
            '<style name="a" font="Cinzel" weight="100"/><text style="a">a</text>',
            '2:1: font "Cinzel" has no weight 100\n  hint: it has: 400 to 900',
        ),
        (
            '<style name="a" font="Cinzle"/><text style="a">a</text>',
            '2:1: unknown font "Cinzle"\n  hint: did you mean "Cinzel"?',
        ),
        (
            '<style name="a" font="Cinzel, Alegreya Snas"/><text style="a">a</text>',
            '2:1: unknown font "Alegreya Snas"\n  hint: did you mean "Alegreya Sans"?',
        ),
        (
            '<style name="a" font="Futura"/><text style="a">a</text>',
            '2:1: unknown font "Futura"\n  hint: font names: Alegreya Sans, Cinzel; PyPI\'s fontpkg'
            " families are had by: pip install fontpkg-futura",
        ),
    ],
)
def test_an_unknown_name_has_its_place_and_the_nearest_one(
    project: Project, body: str, problem: str
) -> None:
    assert find_problems(project, body) == f"{FILE}:{problem}"


@pytest.mark.parametrize(
    ("body", "complaint", "hint"),
    [
        (
            '<icon name="swrod" height="5mm"/>',
            'unknown icon "swrod"',
            'did you mean "sword"?',
        ),
        ("<text>:swrod: cuts</text>", 'unknown icon "swrod"', 'did you mean "sword"?'),
        ('<image file="gone.png"/>', 'there is no picture "gone.png"', "looked in {folder} and"),
        (
            '<image file="https://cards.test/axe.png"/>',
            'there is no picture "https://cards.test/axe.png"',
            "nothing is fetched from the net: save it in the project, and name that file",
        ),
        (
            '<text font="Cinzle">a</text>',
            'unknown font "Cinzle"',
            'did you mean "Cinzel"?',
        ),
    ],
)
def test_what_only_the_card_shows_has_both_places(
    project: Project, body: str, complaint: str, hint: str
) -> None:
    problem = find_problems(project, body)
    hint = hint.format(folder=project.folder)
    assert problem.startswith(f'decks/deck.yaml:3:5: card "Sword": {complaint}\n  hint: {hint}')
    assert problem.endswith(f"; the template's element is {FILE}:2:1")


def test_an_unknown_slot(project: Project) -> None:
    project.write_template('<box><slot name="body"/></box>', "framed", 'size="poker"')
    problem = find_problems(project, '<slot name="boyd"/>', 'extends="framed"')
    assert problem == (f'{FILE}:2:7: the template has no slot "boyd"\n  hint: did you mean "body"?')


def test_an_unknown_template(project: Project) -> None:
    project.write_template("", "framed", 'size="poker"')
    problem = find_problems(project, "", 'size="poker" extends="farmed"')
    assert problem == (f'{FILE}:1:24: unknown template "farmed"\n  hint: did you mean "framed"?')


# Expressions

FIELDS = "field names: cost, count, fields, id, name, number, place, rules, text, uses, who"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "<text>{{ card.txet }}</text>",
            '2:7: card "Sword": unknown field "txet" of card\n  hint: did you mean "text"?',
        ),
        (
            "<text>{{ card.tpye }}</text>",
            f'2:7: card "Sword": unknown field "tpye" of card\n  hint: {FIELDS}',
        ),
        (
            "<text>{{ deck.tilte }}</text>",
            '2:7: card "Sword": unknown field "tilte" of deck\n  hint: did you mean "title"?',
        ),
        (
            '<text align="{{ card.cots }}">a</text>',
            '2:7: card "Sword": unknown field "cots" of card\n  hint: did you mean "cost"?',
        ),
        (
            '<text if="card.cots > 3">a</text>',
            '2:7: card "Sword": unknown field "cots" of card\n  hint: did you mean "cost"?',
        ),
        (
            '<text for="use in card.usse">{{ use }}</text>',
            '2:7: card "Sword": unknown field "usse" of card\n  hint: did you mean "uses"?',
        ),
        (
            "<text>{{ card['txet'] }}</text>",
            '2:7: card "Sword": unknown field "txet" of card\n  hint: did you mean "text"?',
        ),
    ],
)
def test_an_unknown_field(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body) == f"{FILE}:{problem}"


@pytest.mark.parametrize(
    ("body", "place", "hint"),
    [
        ("<text>{{ crad.name }}</text>", "2:7", 'did you mean "card"?'),
        ('<text if="dekc.title">a</text>', "2:7", 'did you mean "deck"?'),
        (
            '<column><text for="use in card.uses">{{ ues }}</text></column>',
            "2:38",
            'did you mean "use"?',
        ),
        ("<text>{{ card.rules.frist }}</text>", "2:7", 'did you mean "first"?'),
    ],
)
def test_any_other_unknown_name(project: Project, body: str, place: str, hint: str) -> None:
    problem = find_problems(project, body)
    assert problem.startswith(f"{FILE}:{place}: ")
    assert problem.endswith(f"\n  hint: {hint}")


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("<text>{{ card.name|uper }}</text>", "uper"),
        ('<text fit="{{ card.name|lwoer }}">a</text>', "lwoer"),
        ('<text if="card.name|uper">a</text>', "uper"),
        ('<text if="card.who is nnone">a</text>', "nnone"),
        ("<text>{{ 'a' if card.who is nnone }}</text>", "nnone"),
    ],
)
def test_an_unknown_filter_or_test(project: Project, body: str, name: str) -> None:
    problem = find_problems(project, body)
    assert problem.startswith(f"{FILE}:2:7: ")
    assert f"'{name}'" in problem or f'"{name}"' in problem


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "<text>{{ card.name </text>",
            "2:7: the expression cannot be read: unexpected end of template, expected"
            " 'end of print statement'\n  hint: close the braces, as in {{ card.name }}",
        ),
        (
            "<text>[a]{{{ card.name }}}</text>",
            "2:7: the expression cannot be read: expected token ':', got '}'\n  hint: part braces"
            " that are printed from those of the expression: { {{ card.kind }} }",
        ),
        (
            "<text>{{ card. }}</text>",
            "2:7: the expression cannot be read: expected name or number",
        ),
        (
            '<box x="{{ 1 + }}mm"/>',
            "2:6: the expression cannot be read: unexpected 'end of print statement'",
        ),
        (
            '<text if="card.">a</text>',
            '2:7: "card." is no expression: expected name or number',
        ),
        (
            '<text for="use card.uses">a</text>',
            '2:7: "use card.uses" is no loop\n  hint: write for="item in card.items"',
        ),
        (
            '<text for="use in [1">a</text>',
            "2:7: \"[1\" is no expression: unexpected end of template, expected ','",
        ),
        (
            '<text for="card in card.uses">a</text>',
            '2:7: the items of a loop cannot be named "card"\n  hint: choose another name',
        ),
        (
            '<text for="use in card.text">a</text>',
            '2:7: card "Sword": for="use in card.text" needs a list',
        ),
        (
            '<text for="a, b in card.uses">a</text>',
            '2:7: card "Sword": a loop over a, b needs lists of as many',
        ),
        (
            '<text for="n in range(99999)">a</text>',
            '2:7: card "Sword": a list has more than 10,000 items',
        ),
        (
            "<text>{{ card.name|signed }}</text>",
            '2:7: card "Sword": the expression "{{ card.name|signed }}" fails: signed needs a'
            " number, not 'Sword'",
        ),
        (
            "<text>{{ 1 / 0 }}</text>",
            '2:7: card "Sword": the expression "{{ 1 / 0 }}" fails: division by zero\n'
            '  hint: ask for it first, as in if="card.cost"',
        ),
        (
            "<text>{{ card.uses }}</text>",
            '2:7: card "Sword": the expression "{{ card.uses }}" fails: it prints a list\n'
            "  hint: make it one text in the deck, or write {{ card.text|written }}",
        ),
        (
            "<text>{{ {'gold': card.cost} }}</text>",
            '2:7: card "Sword": the expression "{{ {\'gold\': card.cost} }}" fails: it prints a'
            " mapping\n  hint: a text that begins with { wants quotes in the deck; or ask for a"
            " key: card.cost.gold",
        ),
        (
            "<text>{% include 'x' %}</text>",
            '2:7: card "Sword": the expression "{% include \'x\' %}" fails: no loader for this'
            " environment specified",
        ),
        (
            '<box width="{{ card.text }}"/>',
            '2:6: card "Sword": its text: "It cuts well." is not a length; write a number'
            " and a unit, as in 3mm",
        ),
        (
            '<text style="{{ card.text }}">a</text>',
            '2:7: card "Sword": its text: unknown style "It cuts well."\n'
            "  hint: there are no style names",
        ),
    ],
)
def test_an_expression_that_fails(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body) == f"{FILE}:{problem}"


def test_an_expression_in_a_later_line_is_found_there(project: Project) -> None:
    problem = find_problems(project, "<text>\n  {{ card.name }}\n  {{ card. }}\n</text>")
    assert problem == f"{FILE}:4: the expression cannot be read: expected name or number"


def test_a_field_in_a_later_line_is_found_there(project: Project) -> None:
    problem = find_problems(project, "<text>\n  {{ card.name }}\n  {{ card.txet }}\n</text>")
    assert problem.startswith(f"{FILE}:4")


@pytest.mark.parametrize(
    "expression",
    [
        "''.__class__",
        "''.__class__.__mro__[1].__subclasses__()",
        "card.__class__",
        "card._values",
        "card['__init__'].__globals__",
        "(card|attr('__class__')).__base__",
        "card.text.format.__globals__",
        "'{0.__class__}'.format(card)",
        "'{0._values}'.format(card)",
        "card.uses.append(1)",
        "card.rules.update({1: 2})",
        "cycler.__init__.__globals__",
        "joiner.__init__.__globals__.os",
        "self.__init__.__globals__",
        "namespace.__init__",
        "lipsum.__globals__.os.popen('id').read()",
        "range(999999999)|list",
        "deck.__dict__",
        "self._TemplateReference__context",
        "''|attr('__class__')",
    ],
)
@pytest.mark.parametrize("form", ["<text>{{{{ {} }}}}</text>", '<text if="{}">a</text>'])
def test_an_expression_cannot_leave_its_box(project: Project, expression: str, form: str) -> None:
    problem = find_problems(project, form.format(expression))
    assert problem.startswith(f"{FILE}:2:7: ")
    assert 'card "' in problem


@pytest.mark.parametrize(
    "expression", ["lipsum()", "[1, 2, 3, 4, 5, 6, 7, 8, 9]|random", "deck|string", "card|string"]
)
def test_an_expression_says_the_same_each_time(project: Project, expression: str) -> None:
    """What differs from run to run would make two builds of a deck differ."""
    problem = find_problems(project, f"<text>{{{{ {expression} }}}}</text>")
    assert problem.startswith(f"{FILE}:2:7: ")


# Values


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ('<box x="3mn"/>', '2:6: unknown unit "mn" in "3mn"; known units: mm, cm, in, pt, %'),
        ('<box x="3"/>', '2:6: "3" has no unit; write 3mm or 3pt'),
        ('<box x="three"/>', '2:6: "three" is not a length; write a number and a unit, as in 3mm'),
        (
            '<box x="3mm 4mm"/>',
            '2:6: "3mm 4mm" is not a length; write a number and a unit, as in 3mm',
        ),
        ('<box x="1e9mm"/>', '2:6: "1e9mm" is not a length; write a number and a unit, as in 3mm'),
        ('<column gap="-1mm"/>', '2:9: "-1mm" is negative\n  hint: write 0 or more'),
        ('<column gap="5%"/>', '2:9: "5%" must be a fixed length, not a percentage'),
        (
            '<box padding="1mm 2mm 3mm"/>',
            '2:6: "1mm 2mm 3mm" must be one, two or four lengths\n  hint: top, right, bottom, left',
        ),
        ('<text size="9">a</text>', '2:7: "9" has no unit; write 9mm or 9pt'),
        (
            '<text size="0pt">a</text>',
            '2:7: "0pt" is no size to set text at\n  hint: write a length of at least 0.1pt',
        ),
        (
            '<text size="9pt" fit="box" min="0.00001pt">a</text>',
            '2:28: "0.00001pt" is no size to set text at\n  hint: write a length of at least 0.1pt',
        ),
        (
            '<text leading="tight">a</text>',
            '2:7: "tight" is not a number\n  hint: write a number, as in 1.2',
        ),
        (
            '<text tracking="3pt">a</text>',
            '2:7: "3pt" is not a number\n'
            "  hint: it is counted in sizes of the letters: write 0.1 for a tenth of one",
        ),
        ('<text leading="-1">a</text>', '2:7: "-1" is negative\n  hint: write 0 or more'),
        (
            '<text tracking="nan">a</text>',
            '2:7: "nan" is not a number\n  hint: write a number, as in 1.2',
        ),
        (
            '<column><text grow="inf">a</text></column>',
            '2:15: "inf" is not a number\n  hint: write a number, as in 1.2',
        ),
        ('<text italic="yes">a</text>', '2:7: "yes" is neither true nor false\n  hint: write true'),
        (
            '<text align="center">a</text>',
            '2:7: "center" is not one of: left, centre, right, justify\n'
            '  hint: did you mean "centre"?',
        ),
        (
            '<text fit="lines">a</text>',
            '2:7: "lines" is not one of: none, line, box, deck\n  hint: did you mean "line"?',
        ),
        (
            '<image file="a.png" fit="covers"/>',
            '2:21: "covers" is not one of: cover, contain, tile\n  hint: did you mean "cover"?',
        ),
        (
            '<text features="small">a</text>',
            '2:7: "small" is no OpenType feature\n  hint: write four letters, as in smcp',
        ),
        (
            '<text font="Cinzel,">a</text>',
            '2:7: "Cinzel," names no font\n  hint: write families parted by commas',
        ),
        (
            '<flow columns="0">a</flow>',
            '2:7: "0" is not a whole number from 1 to 100',
        ),
        (
            '<table columns=""/>',
            '2:8: a table needs at least one column\n  hint: as in "auto grow"',
        ),
        ('<table columns="grow:0"/>', '2:8: "grow:0" must grow by more than 0'),
        (
            '<colour name="gold" cmyk="0 20 100"/>',
            '2:21: "0 20 100" is not a CMYK colour; write four percentages, as in 0 20 100 5',
        ),
        (
            '<colour name="gold" cmyk="0 20 101 0"/>',
            '2:21: "0 20 101 0" is not a CMYK colour; write four percentages, as in 0 20 100 5',
        ),
        (
            '<colour name="gold" rgb="gold"/>',
            '2:21: "gold" is not an RGB colour; write #8a1c1c or 138 28 28',
        ),
        (
            '<colour name="gold"/>',
            '2:1: a colour is given as either cmyk or rgb\n  hint: as in cmyk="0 20 100 5"',
        ),
        (
            '<colour name="gold" rgb="#ffff00" cmyk="0 0 100 0"/>',
            '2:1: a colour is given as either cmyk or rgb\n  hint: as in cmyk="0 20 100 5"',
        ),
        (
            '<gradient name="dusk" stops="black"/>',
            '2:23: a gradient needs two stops or more\n  hint: as in "pale 0, dark 100"',
        ),
        (
            '<gradient name="dusk" stops="black 50, white 40"/>',
            "2:23: the stops of a gradient must rise from 0 to 100\n"
            '  hint: as in "pale 0, dark 60"',
        ),
        (
            '<colour name="sea" cmyk="100 0 0 0"/><gradient name="dusk" stops="black, sea, red"/>',
            "2:60: a gradient mixes CMYK and RGB: cmyk(100 0 0 0) and #ff0000\n"
            "  hint: give both in one space; black, white and greys go with either",
        ),
        ('<style size="9pt"/>', '2:1: <style> has no name\n  hint: add name="…"'),
        ("<slot/>", '2:1: <slot> has no name\n  hint: add name="…"'),
        ("<image/>", '2:1: <image> has no file\n  hint: add file="…"'),
        ("<icon/>", '2:1: <icon> has no name\n  hint: add name="…"'),
        ("<table/>", '2:1: <table> has no columns\n  hint: add columns="…"'),
        (
            '<text fit="box" min="10pt">a</text>',
            "2:1: the style's size of 9pt is not between min 10pt and max 9pt",
        ),
        (
            '<text fit="box" max="8pt">a</text>',
            "2:1: the style's size of 9pt is not between min 6pt and max 8pt",
        ),
        (
            '<text min="6pt">a</text>',
            '2:1: min and max need a fit\n  hint: add fit="line", fit="box" or fit="deck"',
        ),
        (
            '<box shadow="1 1 2 black"/>',
            '2:6: "1 1 2 black" is no shadow\n  hint: "1" has no unit: a length is written as 1mm, '
            'an opacity as 40%; as in "1mm 1mm 2mm black 40%": across, down, blur, colour, opacity',
        ),
        (
            '<box shadow="1mm 1mm -2mm black"/>',
            '2:6: "1mm 1mm -2mm black" is no shadow\n  hint: its blur is 0 or more; '
            'as in "1mm 1mm 2mm black 40%": across, down, blur, colour, opacity',
        ),
        (
            '<text outline="1pt white">a</text>',
            '2:7: "1pt white" must be a colour and a width\n  hint: as in "white 1pt"',
        ),
        ('<box opacity="40%"/>', '2:6: "40%" is not a number from 0 to 1\n  hint: write 0.4'),
        ('<box opacity="1.5"/>', '2:6: "1.5" is not a number from 0 to 1'),
        (
            '<box fill="linear(black, white"/>',
            '2:6: "linear(black, white" has an open bracket\n  hint: close it with ) at its end',
        ),
        (
            '<image file="a.png" fit="tile" tile-size="0"/>',
            '2:32: "0" must be above 0\n  hint: write a length above 0, as in 5mm',
        ),
        *(
            (f"{one}<box/>", f"2:{column}: {EXPRESSION}".format(one[1:].split()[0]))
            for one, column in (
                ('<style name="a" size="{{ card.cost }}pt"/>', 17),
                ('<colour name="a" rgb="{{ card.cost }}"/>', 18),
                ('<gradient name="a" stops="{{ card.cost }}, black"/>', 20),
                ('<field name="a" default="{{ card.cost }}"/>', 17),
            )
        ),
    ],
)
def test_a_value_that_cannot_be_read(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body) == f"{FILE}:{problem}"


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('safe="3mm"', '1:1: the template has no size\n  hint: add size="poker" or size="page"'),
        ('size="pokr"', '1:11: unknown size "pokr"; did you mean "poker"?'),
        (
            'size="63 x 88mm"',
            '1:11: "63 x 88mm" lacks a unit; write 63mm x 88mm',
        ),
        (
            'size="poker" blead="3mm"',
            '1:24: unknown attribute "blead" of <template>\n  hint: did you mean "bleed"?',
        ),
        ('size="poker" bleed="3"', '1:24: "3" has no unit; write 3mm or 3pt'),
        ('size="poker" safe="-3mm"', '1:24: "-3mm" is negative\n  hint: write 0 or more'),
    ],
)
def test_the_outer_measures(project: Project, attributes: str, problem: str) -> None:
    assert find_problems(project, "", attributes) == f"{FILE}:{problem}"


# Where an element may stand


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            "<text>cuts <box/></text>",
            "2:1: <text> holds both text and elements\n  hint: put the text into a <text> of its"
            " own; bold and italic are **bold** and *italic*",
        ),
        (
            "<box>cuts <text>well</text></box>",
            "2:1: <box> holds both text and elements\n  hint: put the text into a <text> of its"
            " own; bold and italic are **bold** and *italic*",
        ),
        (
            "<box><text>well</text> cuts</box>",
            "2:1: <box> holds both text and elements\n  hint: put the text into a <text> of its"
            " own; bold and italic are **bold** and *italic*",
        ),
        ("<box>cuts</box>", "2:1: <box> holds no text\n  hint: put it into a <text>"),
        ("<text><box/></text>", "2:7: <text> holds no elements\n  hint: put it beside"),
        (
            '<icon name="sword"><box/></icon>',
            "2:20: <icon> holds no elements\n  hint: put it beside",
        ),
        ("<box><tr/></box>", "2:6: <tr> cannot stand here\n  hint: it stands in <table>"),
        ("<td>a</td>", "2:1: <td> cannot stand here\n  hint: it stands in <tr>"),
        (
            '<box><style name="a"/></box>',
            "2:6: <style> cannot stand here\n  hint: it stands in <template> itself",
        ),
        ('<table columns="auto"><text>a</text></table>', "2:23: <text> cannot stand here"),
        ('<table columns="auto"><tr><box/></tr></table>', "2:27: <box> cannot stand here"),
        (
            '<table columns="auto"><tr><tdd/></tr></table>',
            '2:27: unknown element <tdd>\n  hint: did you mean "td"?',
        ),
        ("<row>cuts</row>", "2:1: <row> holds no text\n  hint: put it into a <text>"),
        (
            '<slot name="a">cuts</slot>',
            "2:1: <slot> holds no text\n  hint: put it into a <text>",
        ),
        (
            '<component name="c"><slot name="content"/></component><use component="c">cuts</use>',
            "2:55: <use> holds no text\n  hint: put it into a <text>",
        ),
        (
            '<slot name="a"/><slot name="a"/>',
            '2:17: slot "a" is declared twice\n  hint: give one of them another name',
        ),
    ],
)
def test_an_element_in_the_wrong_place(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body) == f"{FILE}:{problem}"


IN_COLUMN = "a column places its elements itself: by gap, padding and align"
IN_ROW = "a row places its elements itself: by gap, padding and align"
GROW = "put the element into a <column> or <row>"


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        (
            '<column><text x="3mm">a</text></column>',
            [f'2:15: "x" has no meaning in a <column>\n  hint: {IN_COLUMN}'],
        ),
        (
            '<column><box right="3mm" bottom="3mm" height="2mm"/></column>',
            [
                f'2:14: "right" has no meaning in a <column>\n  hint: {IN_COLUMN}',
                f'2:26: "bottom" has no meaning in a <column>\n  hint: {IN_COLUMN}',
            ],
        ),
        (
            '<row><slot name="a"><text y="3mm">a</text></slot></row>',
            [f'2:27: "y" has no meaning in a <row>\n  hint: {IN_ROW}'],
        ),
        (
            '<row><text x="{{ card.cost }}mm">a</text></row>',
            [f'2:12: "x" has no meaning in a <row>\n  hint: {IN_ROW}'],
        ),
        (
            '<box><text grow="1">a</text></box>',
            [f'2:12: "grow" has no meaning in a <box>\n  hint: {GROW}'],
        ),
        (
            '<text grow="1">a</text>',
            [f'2:7: "grow" has no meaning in a <template>\n  hint: {GROW}'],
        ),
    ],
)
def test_a_place_that_means_nothing(project: Project, body: str, problems: list[str]) -> None:
    assert find_problems(project, body) == "\n".join(f"{FILE}:{problem}" for problem in problems)


@pytest.mark.parametrize(
    "body",
    [
        '<box x="1mm" width="9mm" right="1mm"/>',
        '<box y="1mm" height="9mm" bottom="1mm"/>',
    ],
)
def test_a_place_that_says_too_much(project: Project, body: str) -> None:
    """One of the three would be ignored."""
    assert find_problems(project, body).startswith(f"{FILE}:2:")


def test_an_element_outside_of_slots(project: Project) -> None:
    project.write_template('<slot name="body"/>', "framed", 'size="poker"')
    problem = find_problems(project, "<text>a</text>", 'extends="framed"')
    assert problem == (
        f"{FILE}:2:1: <text> stands outside a slot\n"
        '  hint: a template that extends another puts its elements into <slot name="…">: body'
    )


def test_several_elements_outside_of_slots_are_one_problem(project: Project) -> None:
    project.write_template('<slot name="b"/><slot name="a"/>', "framed", 'size="poker"')
    problem = find_problems(project, "<text>a</text><box/>\n<box/>", 'extends="framed"')
    assert problem == (
        f"{FILE}:2:1: 3 elements stand outside a slot, in lines 2, 3\n"
        '  hint: a template that extends another puts its elements into <slot name="…">: a, b'
    )


@pytest.mark.parametrize(
    "body",
    [
        '<slot name="a"><slot name="a"/></slot>',
        '<style name="a" extends="a"/>',
        '<style name="a" extends="b"/><style name="b" extends="a"/>',
    ],
)
def test_what_leads_back_to_itself(project: Project, body: str) -> None:
    assert find_problems(project, body).startswith(f"{FILE}:2:")


# What does not fit


def fail(message: str, hint: str = "", column: int = 1) -> str:
    seen = f"the template's element is {FILE}:2:{column}"
    return f'decks/deck.yaml:3:5: card "Sword": {message}\n  hint: {hint}{"; " * bool(hint)}{seen}'


ROOM = "take something out, or give it more room"
SHORTEN = "shorten it, or give it more room"
LET_SHRINK = 'shorten it, give it more room, or let it be set smaller, by fit="box" and min'
WIDEN = "add a soft hyphen, shorten it, or make the box wider"


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            '<text width="10mm" height="3mm">{{ card.text }}</text>',
            fail(
                "its text is 3.43mm too long: at 9pt it needs 6.43mm, its box is 3mm high",
                LET_SHRINK,
            ),
        ),
        (
            '<text width="9mm" height="3mm" fit="box" min="8pt">{{ card.text }}</text>',
            fail(
                "its text is 2.72mm too long: at 8pt it needs 5.72mm, its box is 3mm high", SHORTEN
            ),
        ),
        (
            '<text width="9mm" height="3mm" fit="deck" min="8pt">{{ card.text }}</text>',
            fail(
                "its text is 2.72mm too long: at 8pt it needs 5.72mm, its box is 3mm high", SHORTEN
            ),
        ),
        (
            '<text width="9mm" fit="line">{{ card.name }} {{ card.text }}</text>',
            fail(
                "its name and text is 5.77mm too long for one line: at 6pt it needs 14.77mm, its"
                " box is 9mm wide",
                SHORTEN,
            ),
        ),
        (
            '<text fit="line">a\n\nb</text>',
            fail("its text is more than one line", "take the line breaks out"),
        ),
        (
            '<text width="4mm">{{ card.name }}</text>',
            fail('its name: "Sword" is 7.72mm wide at 9pt, its box is 4mm', WIDEN),
        ),
        (
            '<column height="5mm" gap="1mm"><text>a</text><text>b</text><text>c</text></column>',
            fail(
                "the content of a column is 4.87mm too long: it needs 9.87mm, there are 5mm", ROOM
            ),
        ),
        (
            '<row width="5mm"><box width="4mm"/><box width="3mm"/></row>',
            fail("the content of a row is 2mm too long: it needs 7mm, there are 5mm", ROOM),
        ),
        (
            '<box padding="30mm"><text>a</text></box>',
            fail("a box has no width left: 20mm are missing", column=21),
        ),
        (
            '<box x="-1mm" fill="black"/>',
            fail(
                "a box of 51mm x 40mm reaches 1mm beyond the card's left edge",
                "the card with its bleed is 50mm x 40mm",
            ),
        ),
        (
            '<table columns="auto" height="3mm"><tr><td>a</td></tr><tr><td>b</td></tr></table>',
            fail("a table is 4.36mm too long: it needs 7.36mm, there are 3mm"),
        ),
        (
            '<table columns="30mm 30mm"><tr><td>a</td></tr></table>',
            fail(
                "the columns of a table need 60mm, there are 48.59mm",
                "make a column narrower, or let an automatic one grow",
            ),
        ),
        (
            '<table columns="auto"><tr><td>a</td><td>b</td></tr></table>',
            fail("a row has 2 cells, the table 1 column", "give it a column for each cell"),
        ),
        (
            '<flow height="3mm"># Sword\n\ncuts\n\nwell</flow>',
            fail(
                "its text is 11.29mm too long: at 9pt its columns need 14.29mm, there are 3mm",
                SHORTEN,
            ),
        ),
        (
            "<text>漢</text>",
            fail(
                'no font holds "漢" (U+6F22, cjk unified ideograph-6f22) in "漢"; tried:'
                " Alegreya Sans",
                "choose a font that has it, or add one to the style's fonts",
            ),
        ),
        (
            '<text font="Cinzel">*a*</text>',
            fail(
                'its text has *italic*, but font "Cinzel" has no italic face',
                "choose a family that has one; or name one that has it behind the first, as in"
                ' font="Cinzel, Alegreya Sans"',
            ),
        ),
    ],
)
def test_what_does_not_fit(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body) == problem


@pytest.mark.parametrize(
    ("flow", "complaint"),
    [
        ("```\ncode\n```", "holds a code block in line 1 of the text, which a flow cannot set"),
        ("> said", "holds a quotation in line 1 of the text, which a flow cannot set"),
        ("#### deep", "has a heading of level 4"),
    ],
)
def test_what_a_flow_cannot_set_names_the_field(
    project: Project, flow: str, complaint: str
) -> None:
    project.write_template("<flow>{{ card.text }}</flow>")
    indented = flow.replace("\n", "\n      ")
    project.write_deck(f"  - name: Sword\n    text: |\n      {indented}\n")
    assert project.find_problems().startswith(
        f'decks/deck.yaml:3:5: card "Sword": its text {complaint}\n'
    )


def test_the_indents_of_a_template_are_not_those_of_a_cards_text(project: Project) -> None:
    """Four blanks at the beginning of a line are a code block only where the card has them."""
    project.write_template("<flow>\n    # {{ card.name }}\n\n    {{ card.text }}\n  </flow>")
    project.write_deck("  - name: Sword\n    text: |\n      It cuts\n      well.\n")
    assert project.find_problems() == ""


# Files that are no templates


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (
            "",
            "1:1: the template is not well-formed XML: Document is empty\n"
            '  hint: a template looks like <template size="poker">…</template>',
        ),
        ("<svg/>", "1:1: the file begins with <svg>\n  hint: begin with <template>"),
        (
            '<template size="poker">\n<text>a</txt>\n</template>',
            "2:14: the template is not well-formed XML: Opening and ending tag mismatch: text line"
            ' 2 and txt\n  hint: close the <text> of line 2, with </text> or "/>", before </txt>',
        ),
        (
            '<template size="poker">\n<text>R&D</text>\n</template>',
            "2:10: the template is not well-formed XML: EntityRef: expecting ';'\n"
            "  hint: write &amp; for &",
        ),
        (
            '<template size="poker">\n<text>&eacute;</text>\n</template>',
            "2:15: the template is not well-formed XML: Entity 'eacute' not defined\n"
            "  hint: write the character itself, or &amp; for &",
        ),
        (
            '<template size="poker">\n<box x="1mm" x="2mm"/>\n</template>',
            "2:21: the template is not well-formed XML: Attribute x redefined\n"
            "  hint: write each attribute once",
        ),
        (
            '<template size="poker">\n<c:box/>\n</template>',
            "2:7: the template is not well-formed XML: Namespace prefix c on box is not defined\n"
            "  hint: leave the prefix and its colon out",
        ),
        (
            "<template/><template/>",
            "1:12: the template is not well-formed XML: Extra content at the end of the document\n"
            "  hint: put everything into one <template>",
        ),
        (
            b"<template>\xe9</template>",
            "1: this is not UTF-8 text: byte 0xE9\n  hint: save the file as UTF-8",
        ),
        (
            "<!DOCTYPE template>\n<template/>",
            "1: a template has no DOCTYPE and no entities",
        ),
        (
            '<!DOCTYPE template [<!ENTITY a "b">]>\n<template size="poker">&a;</template>',
            "1: a template has no DOCTYPE and no entities",
        ),
        (
            '<!DOCTYPE template SYSTEM "file:///etc/passwd">\n<template size="poker"/>',
            "1: a template has no DOCTYPE and no entities",
        ),
        (
            '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n<template>&a;</template>',
            "1: a template has no DOCTYPE and no entities",
        ),
    ],
    ids=range(13),
)
def test_a_file_that_is_no_template(project: Project, content: str | bytes, problem: str) -> None:
    project.write(FILE, content)
    project.write_deck(CARD)
    found, _, rest = project.find_problems().partition(", line ")
    assert found == f"{FILE}:{problem}"
    assert rest == "", "the place stands twice"


def test_entities_that_multiply_are_refused_at_once(project: Project) -> None:
    entities = "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(12))
    project.write(
        FILE, f'<!DOCTYPE t [<!ENTITY a0 "aaaaaaaaaa">{entities}]>\n<template>&a12;</template>'
    )
    project.write_deck(CARD)
    assert project.find_problems().startswith(f"{FILE}:1")


def test_a_template_is_utf_8_whatever_it_says(project: Project) -> None:
    """One that says that it is not is not read as if it were another."""
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<template size="poker">'
    project.write(FILE, text + "<text>Épée</text></template>")
    project.write_deck(CARD)
    page = PdfReader(project.build().path).pages[0]
    assert drop_slug(page.extract_text()) == "Épée"


# Many at once

MANY = """\
<colour name="gold" cmyk="0 0"/>
<txt>a</txt>
<box x="3">
  <text sytle="a" size="4">{{ card. }}</text>
  <icon fill="glod"/>
</box>
<box if="card.">cuts</box>"""


def test_all_problems_of_a_template_come_at_once(project: Project) -> None:
    problems = find_problems(project, MANY, 'size="pokr"')
    places = [line for line in problems.splitlines() if not line.startswith("  hint")]
    assert set(places) == {
        f'{FILE}:1:11: unknown size "pokr"; did you mean "poker"?',
        f'{FILE}:2:21: "0 0" is not a CMYK colour; write four percentages, as in 0 20 100 5',
        f"{FILE}:3:1: unknown element <txt>",
        f'{FILE}:4:6: "3" has no unit; write 3mm or 3pt',
        f"{FILE}:5:28: the expression cannot be read: expected name or number",
        f'{FILE}:5:9: unknown attribute "sytle" of <text>',
        f'{FILE}:5:19: "4" has no unit; write 4mm or 4pt',
        f"{FILE}:6:3: <icon> has no name",
        f'{FILE}:6:9: unknown colour "glod"',
        f"{FILE}:8:1: <box> holds no text",
        f'{FILE}:8:6: "card." is no expression: expected name or number',
    }
    assert len(places) == 11


def test_what_stands_beside_an_expression_is_looked_at_with_the_template(
    project: Project,
) -> None:
    problems = find_problems(project, '<box x="3" fill="{{ card.name }}"/>\n<box y="4"/>')
    assert problems.splitlines() == [
        f'{FILE}:2:6: "3" has no unit; write 3mm or 3pt',
        f'{FILE}:3:6: "4" has no unit; write 4mm or 4pt',
    ]


def test_the_problems_of_a_template_stand_in_the_order_of_its_lines(project: Project) -> None:
    problems = find_problems(project, MANY, 'size="pokr"')
    lines = [int(line.split(":")[1]) for line in problems.splitlines() if line.startswith(FILE)]
    assert lines == sorted(lines)


def test_problems_of_a_template_and_of_the_one_it_extends_come_at_once(project: Project) -> None:
    project.write_template('<slot name="body"/><box x="3"/>', "framed", 'size="poker"')
    problems = find_problems(project, '<slot name="body"><txt/></slot>', 'extends="framed"')
    assert sorted(line for line in problems.splitlines() if not line.startswith("  hint")) == [
        'templates/framed.xml:2:25: "3" has no unit; write 3mm or 3pt',
        f"{FILE}:2:19: unknown element <txt>",
    ]


def test_problems_of_front_and_back_come_at_once(project: Project) -> None:
    project.write_template('<box x="3"/>')
    project.write_template('<box y="4"/>', "behind")
    project.write_deck(head="template: plain\nback: behind\n")
    assert project.find_problems().splitlines() == [
        f'{FILE}:2:6: "3" has no unit; write 3mm or 3pt',
        'templates/behind.xml:2:6: "4" has no unit; write 4mm or 4pt',
    ]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ("<text>{{ card.nmae }}</text>", 'unknown field "nmae"'),
        ('<box x="{{ deck.designs }}"/>', '"40" has no unit'),
        ('<icon name="swrod" height="4mm"/>', 'unknown icon "swrod"'),
        ('<text font="Cinzle">a</text>', 'unknown font "Cinzle"'),
        ('<box width="99mm"/>', "a box of 99mm"),
        ('<text width="2mm">fixed words</text>', '"words" is '),
    ],
)
def test_a_slip_in_the_template_is_not_told_for_every_card(
    project: Project, body: str, complaint: str
) -> None:
    project.write_template(body)
    project.write_deck("".join(f"  - name: Card {n}\n" for n in range(40)))
    assert project.find_problems().count(complaint) == 1


def test_what_is_wrong_with_each_card_is_told_for_each(project: Project) -> None:
    project.write_template('<image file="{{ card.art }}" height="4mm"/>')
    project.write_deck("".join(f"  - {{name: Card {n}, art: swrod{n}.png}}\n" for n in range(40)))
    problems = project.find_problems()
    assert [f'card "Card {n}": there is no' in problems for n in range(40)] == [True] * 40


def test_an_unknown_icon_is_told_once_for_all_cards_that_use_it(project: Project) -> None:
    project.write_template('<icon name="{{ card.icon }}" height="4mm"/>')
    icons = ("swrod", "sword", "swrod", "crwon", "swrod")
    cards = (f"  - {{name: {n}, icon: {icon}}}\n" for n, icon in enumerate(icons))
    project.write_deck("".join(cards))
    problems = project.find_problems()
    assert problems.count('unknown icon "swrod"') == problems.count('unknown icon "crwon"') == 1


def test_an_unknown_font_is_told_once_where_another_card_fails_otherwise(project: Project) -> None:
    project.write_template('<text font="Zapfino">{{ card.cost + 1 }}</text>')
    project.write_deck("".join(f"  - {{name: {n}, cost: {n}}}\n" for n in (1, "x", 3)))
    problems = project.find_problems()
    assert problems.count('unknown font "Zapfino"') == 1
    assert 'cards "1", "3": unknown font' in problems


def test_front_and_back_of_a_card_have_one_size(project: Project) -> None:
    project.write_template("", "plain", 'size="poker"')
    project.write_template("", "behind", 'size="tarot"')
    project.write_deck(head="template: plain\nback: behind\n")
    assert project.find_problems() == (
        'templates/behind.xml:1:1: template "behind" is 70mm x 120mm, "plain" is 63.5mm x 88.9mm\n'
        "  hint: the back of a card is as large as its front: give these cards a back: of that "
        "size, or back: none"
    )


# What stands twice


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            '<component name="a"><box/></component><component name="a"><box/></component>',
            '2:50: the <component> "a" stands in line 2 already',
        ),
        (
            '<colour name="a" cmyk="0 0 0 0"/><colour name="b, a" cmyk="0 0 0 9"/>',
            '2:42: the <colour> "a" stands in line 2 already',
        ),
        (
            '<map name="m"><entry key="a" value="1"/></map>'
            '<map name="m"><entry key="a" value="2"/></map>',
            '2:68: the <entry> "a" stands in line 2 already',
        ),
        ('<map name="m" values="a: 1, b: 2, a: 3"/>', '2:15: "a" stands there twice'),
        (
            '<component name="a"><slot name="b"/></component>'
            '<use component="a"><slot name="b"/><slot name="b"/></use>',
            '2:84: slot "b" is filled twice',
        ),
    ],
)
def test_what_stands_twice_is_not_passed_over(project: Project, body: str, problem: str) -> None:
    assert find_problems(project, body).partition("\n")[0] == f"{FILE}:{problem}"


def test_what_stands_once_in_each_of_two_maps_or_files_is_sound(project: Project) -> None:
    entry = '<entry key="a" value="1"/>'
    project.write_template(f'<map name="m">{entry}</map><slot name="s"/>', "base", 'size="poker"')
    body = f'<map name="m">{entry}</map><map name="n">{entry}</map><map name="o" values="a:1,b:1"/>'
    assert find_problems(project, body, 'extends="base"') == ""
