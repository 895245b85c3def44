"""The catalogue of what may be wrong with templates and fonts: its examples are what is printed."""

from __future__ import annotations

import tomllib

import pytest
from conftest import Project
from making import check

from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME

MESSAGES = HOME / "assets" / "messages"
CARD = """\
  - name: Sword
    text: It cuts well.
    cost: 5
    who: null
    rules: {first: strike}
    uses: [once, twice]
"""

# For each code a template's body that is refused with it, at line 2 of the file.
BODIES = {
    "template/entity": "",
    "template/not-xml": "<text>a</txt>",
    "template/wrong-content": "<text>a <box/></text>",
    "template/wrong-root": "",
    "template/unknown-element": "<txt>a</txt>",
    "template/misplaced-element": "<td>a</td>",
    "template/outside-slot": "<box/>",
    "template/unknown-attribute": '<text sytle="a">a</text>',
    "template/missing-attribute": "<image/>",
    "template/no-meaning": '<column><box x="3mm"/></column>',
    "template/too-many-lengths": '<box x="3mm" width="9mm" right="3mm"/>',
    "template/missing-size": '<row><icon name="sword"/></row>',
    "template/no-size": "",
    "template/trim-path": "",
    "template/trim-size": "",
    "template/unknown-trim": "",
    "template/unknown-slot": '<slot name="boyd"/>',
    "template/slot-twice": '<slot name="a"/><slot name="a"/>',
    "template/expression-in-definition": '<style name="label" colour="{{ card.who }}"/>',
    "template/expression-in-name": '<style name="{{ card.name }}"/>',
    "template/colour-space": '<colour name="gold"/>',
    "template/wrong-gradient": '<gradient name="dusk" stops="black"/>',
    "template/style-circle": '<style name="a" extends="a"/>',
    "template/unknown-style": '<style name="body"/><text style="bdy">a</text>',
    "template/unknown-colour": '<box fill="blakc"/>',
    "template/one-colour": '<box stroke="linear(red, blue)"/>',
    "template/unknown-weight": '<text weight="blod">a</text>',
    "template/not-a-number": '<text leading="1,2">a</text>',
    "template/out-of-range": '<column gap="-1mm"/>',
    "template/wrong-list": '<box padding="1mm 2mm 3mm"/>',
    "template/not-a-choice": '<text align="center">a</text>',
    "template/not-a-feature": '<text features="small">a</text>',
    "template/bounds-crossed": '<box min-width="9mm" max-width="5mm"/>',
    "template/size-range": '<text size="9pt" fit="box" min="12pt">a</text>',
    "template/invisible-shape": '<path d="M0 0 L9 9"/>',
    "template/not-a-loop": '<text for="use card.uses">a</text>',
    "template/reserved-name": '<text for="card in card.uses">a</text>',
    "template/component-circle": '<component name="a"><use component="a"/></component>',
    "template/unknown-component": '<component name="seal"/><use component="seel"/>',
    "template/too-many-elements": '<component name="a"><box/></component><component name="b">'
    + '<use component="a"/>' * 5_001
    + "</component>",
    "template/wrong-name": '<let name="first kind" value="1"/>',
    "template/name-twice": '<map name="signs"/> <list name="signs"/>',
    "template/loop-needs-list": '<text for="use in card.text">a</text>',
    "template/loop-too-long": '<text for="n in range(99999)">a</text>',
    "template/expression-syntax": "<text>{{ card.name </text>",
    "template/expression-fails": "<text>{{ card.name + card.cost }}</text>",
    "template/unknown-filter": "<text>{{ card.name|uper }}</text>",
    "template/unknown-tag": "<text>{% fi card.cost %}a{% endif %}</text>",
    "template/tag-pair": "<text>{% if card.cost %}a</text>",
    "template/unknown-name": "<text>{{ crad.name }}</text>",
    "template/unknown-field": "<text>{{ card.txet }}</text>",
    "template/unknown-key": "<text>{{ card.rules.frist }}</text>",
    "template/part-of-none": "<text>{{ card.who.name }}</text>",
    "font/unknown-font": '<style name="a" font="Cinzle"/><text style="a">a</text>',
    "font/no-weight": '<style name="a" font="Cinzel" weight="100"/><text style="a">a</text>',
    "font/no-face": '<style name="a" font="Cinzel" italic="true"/><text style="a">a</text>',
}
# What cannot be said in a body alone.
HEADS = {
    "template/no-size": 'bleed="3mm"',
    "template/trim-path": 'size="60mm x 60mm" trim="path M0 0 H60 V60 H0"',
    "template/trim-size": 'size="60mm x 60mm" trim="hexagon"',
    "template/unknown-trim": 'size="60mm x 60mm" trim="cirle"',
    "template/outside-slot": 'extends="framed"',
    "template/unknown-slot": 'extends="framed"',
}
FILES = {
    "template/entity": '<!DOCTYPE template>\n<template size="poker"/>\n',
    "template/wrong-root": "<svg/>\n",
}


def read_examples() -> dict[str, str]:
    found: dict[str, str] = {}
    for area in ("template", "font"):
        entries = tomllib.loads((MESSAGES / f"{area}.toml").read_text(encoding="utf-8"))
        found |= {f"{area}/{code}": entry["example"] for code, entry in entries.items()}
    return found


@pytest.mark.parametrize("code", BODIES)
def test_the_example_of_a_code_is_what_is_printed(project: Project, code: str) -> None:
    project.write_template('<box><slot name="body"/></box>', "framed", 'size="poker"')
    project.write_template(BODIES[code], "mine", HEADS.get(code, ""))
    if code in FILES:
        project.write("templates/mine.xml", FILES[code])
    project.write_deck(CARD, "mine", "template: mine\n")
    with pytest.raises(CardgenError) as caught:
        check("mine")
    assert {problem.code for problem in caught.value.problems} == {code}
    assert project.shorten(str(caught.value)) == read_examples()[code].rstrip("\n")


def test_every_example_is_tried_but_those_of_files() -> None:
    of_files = {
        "template/too-deep",
        "template/too-large",
        "template/unreadable",
        "font/unreadable",
        "font/not-embeddable",
    }
    assert read_examples().keys() == BODIES.keys() | of_files
