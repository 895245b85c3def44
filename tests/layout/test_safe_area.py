"""Texts that a cut beside its line may take are told of, whatever they are printed for."""

from __future__ import annotations

import pytest
from conftest import Project
from making import build

CARDS = "  - {name: Sword, long: false}\n  - {name: A Bow with a long name, long: true}\n"
# All of them but the last are named, and by how much they reach beyond what is safe.
TEXTS = {
    # Beside an edge, at the foot, and turned.
    'size="50mm x 40mm" safe="4mm"|<text x="2.5mm" y="20mm">{{ card.name }}</text>': 1.5,
    'size="50mm x 40mm" safe="0 0 5mm 0"|<text bottom="3mm" valign="bottom" height="9mm">'
    "{{ card.name }}</text>": 1.4,
    'size="50mm x 40mm" safe="4mm"|<text x="1mm" width="5mm" y="5mm" bottom="5mm" turn="270"'
    ' align="centre">{{ card.name }}</text>': 3.0,
    # One of two texts that are turned together.
    'size="50mm x 40mm" safe="4mm"|<box inset="1mm" turn="180"><text>{{ card.name }}</text>'
    '<text x="10mm" y="18mm">safe</text></box>': 3.0,
    # A circle has less room in its corners.
    'size="40mm x 40mm" trim="circle" safe="3mm"|<text x="6mm" y="10mm">'
    "{{ card.name }}</text>": 1.56,
    # Along the safe area's edge, without one, and where it is clipped.
    'size="50mm x 40mm" safe="4mm"|<text inset="4mm">{{ card.name }}</text>': 0,
    'size="50mm x 40mm"|<text>{{ card.name }}</text>': 0,
    'size="50mm x 40mm" safe="4mm"|<box clip="true"><text>{{ card.name }}</text></box>': 0,
}


@pytest.mark.parametrize("draft", [False, True])
@pytest.mark.parametrize("template", TEXTS)
def test_a_text_beyond_the_safe_area_is_told_of(
    project: Project, template: str, draft: bool
) -> None:
    attributes, _, body = template.partition("|")
    path = project.write_deck(CARDS, head="template: plain\n")
    project.write_template(body, attributes=attributes)
    notes = build(path, target="png", draft=draft).notes
    found = [note for note in notes if note.code == "build/unsafe-text"]
    beyond = TEXTS[template]
    assert len(found) == bool(beyond)
    for note in found:
        cards = note.details["cards"]
        assert isinstance(cards, tuple) and set(cards) == {"A Bow with a long name", "Sword"}
        assert note.details["beyond"] == pytest.approx(beyond, abs=0.2)
        assert note.hint is not None
