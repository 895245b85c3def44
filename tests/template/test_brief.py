"""What a template says briefly is what it says at length."""

from __future__ import annotations

import pytest
from conftest import Project
from making import load_deck
from strategies import list_faces
from test_names import find_problem, read

from cardgen.core.errors import CardgenError

BRIEF = """<template size="poker">
  <field tone="black" strength="3"/>
  <component name="disc">
    <param wide="6" ink="black"/>
    <box width="{{ wide }}mm" height="{{ wide }}mm" fill="{{ ink }}"/>
  </component>
  <let half="card.strength / 2" whole="half * 2"/>
  <text slot="head" if="whole == 3" fill="{{ card.tone }}" colour="white" radius="1mm" x="5mm"
        width="30mm" height="9mm" padding="1mm 2mm" fit="box" max="20pt">{{ whole }}</text>
  <box x="centre" y="20mm" width="10mm" height="4mm" fill="black"/>
  <line x="5mm" right="5mm" y="centre" direction="across"/>
  <use x="centre" y="centre" component="disc" wide="8"/>
  <column y="60mm">
    <text x="centre" for="word in ['a', 'b']" padding="1mm" stroke="black">{{ word }}</text>
    <text padding="1mm" fit="box" max-height="9mm">{{ card.name }}</text>
  </column>
</template>"""

AT_LENGTH = """<template size="poker">
  <field name="tone" default="black"/><field name="strength" default="3"/>
  <component name="disc">
    <param name="wide" default="6"/><param name="ink" default="black"/>
    <box width="{{ wide }}mm" height="{{ wide }}mm" fill="{{ ink }}"/>
  </component>
  <let name="half" value="card.strength / 2"/><let name="whole" value="half * 2"/>
  <slot name="head">
    <box if="whole == 3" fill="{{ card.tone }}" radius="1mm" x="5mm" width="30mm" height="9mm"
         padding="1mm 2mm">
      <text colour="white" fit="box" max="20pt">{{ whole }}</text>
    </box>
  </slot>
  <row justify="centre" y="20mm" height="4mm"><box width="10mm" fill="black"/></row>
  <column justify="centre" x="5mm" right="5mm"><line direction="across"/></column>
  <row justify="centre" align="centre"><use component="disc" wide="8"/></row>
  <column y="60mm">
    <row justify="centre" for="word in ['a', 'b']">
      <box padding="1mm" stroke="black"><text>{{ word }}</text></box>
    </row>
    <box padding="1mm"><text fit="box" max-height="9mm">{{ card.name }}</text></box>
  </column>
</template>"""

HOUSE = '<template size="poker"><box slot="ground" fill="black"/><slot name="face"/></template>'
WHOLE = """<template extends="house" slot="face">
  <let y="3"/>
  <text slot="name" y="{{ y }}mm">{{ card.name }}</text>
</template>"""
FILLED = """<template extends="house">
  <slot name="face">
    <let name="y" value="3"/>
    <slot name="name"><text y="{{ y }}mm">{{ card.name }}</text></slot>
  </slot>
</template>"""


def dump(project: Project, template: str) -> str:
    project.write("templates/house.xml", HOUSE)
    project.write("templates/t.xml", template)
    deck = project.write("decks/d.yaml", "title: D\ntemplate: t\ncards: [{name: Sword}]\n")
    ((_, _, face),) = list_faces(load_deck(deck))
    return face.dump()


@pytest.mark.parametrize(("brief", "long"), [(BRIEF, AT_LENGTH), (WHOLE, FILLED)])
def test_what_is_said_briefly_is_drawn_as_what_is_said_at_length(
    project: Project, brief: str, long: str
) -> None:
    drawn = dump(project, brief)
    assert drawn.count("\n") > 3
    assert drawn == dump(project, long)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        # What is wrong is said where it is written.
        ('<text padding="1mm" fil="black">a</text>', '2:21: unknown attribute "fil" of <text>'),
        ('<text padding="1" size="9pt">a</text>', '2:7: "1" has no unit'),
        ('<let a="1" b="card.("/>', "2:12: "),
        ('<let kind-of="1"/>', '2:6: "kind-of" is no name for a value'),
        ('<let name="a" b="1"/>', "2:1: <let> has no value"),
        ('<box slot="a"/><box slot="a"/>', '2:16: slot "a" is declared twice'),
        ('<box slto="a"/>', '2:6: unknown attribute "slto" of <box>\n  hint: did you mean "slot"?'),
        ('<row><box x="3mm" y="centre"/></row>', '2:11: "x" has no meaning in a <row>'),
    ],
)
def test_what_is_said_wrong(project: Project, body: str, problem: str) -> None:
    assert find_problem(project, body).startswith(problem)


@pytest.mark.parametrize(
    ("attributes", "problem"),
    [
        ('size="poker" slot="face"', ":1:24: a template that extends none"),
        (
            'extends="house" slot="faec"',
            'the template has no slot "faec"\n  hint: did you mean "face"?',
        ),
    ],
)
def test_a_template_that_stands_in_no_slot(project: Project, attributes: str, problem: str) -> None:
    project.write("templates/house.xml", HOUSE)
    with pytest.raises(CardgenError) as caught:
        read(project, "<text>a</text>", attributes=attributes)
    assert problem in str(caught.value)
