"""The first of several elements that has room is drawn, and nothing of those that have none."""

from __future__ import annotations

import pytest
from conftest import Project
from making import load_deck, prepare
from strategies import lay_out, list_faces, list_rects, list_runs

from cardgen.core.errors import CardgenError
from cardgen.template.model import TextSpec

Rects = list[tuple[float, float, float, float]]


def place(project: Project, body: str) -> Rects:
    """What one card of 60 x 40 mm paints."""
    (face,) = lay_out(project, body, {}, bleed="3mm")
    return list_rects(face)


def fill(**attributes: str) -> str:
    named = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return f'<box fill="black" {named}/>'


SMALL = fill(height="4mm", width="9mm")
LARGE = fill(height="20mm", width="30mm")


@pytest.mark.parametrize(("room", "height"), [("30mm", 20), ("20mm", 20), ("19mm", 4), ("3mm", 4)])
def test_the_first_that_has_room_is_drawn(project: Project, room: str, height: float) -> None:
    drawn = place(project, f'<first height="{room}" width="40mm">{LARGE}{SMALL}</first>')
    assert [rect[3] for rect in drawn] == [height]


def test_a_first_in_a_column_has_the_room_that_all_others_leave(project: Project) -> None:
    """Texts that grow count with the size of their style, not with their least."""
    body = (
        '<column height="{}" gap="1mm"><first>{}{}</first>'
        '<text size="10pt" fit="box" min="5pt" grow="1">one\n\ntwo</text>{}</column>'
    )
    foot = fill(height="5mm")
    for room, height in (("38mm", 20), ("33mm", 4)):
        drawn = place(project, body.format(room, LARGE, SMALL, foot))
        assert [round(rect[3]) for rect in drawn] == [height, 5]


def test_a_first_by_itself_is_as_large_as_what_it_draws(project: Project) -> None:
    body = '<column><first max-height="{}">{}{}</first>{}</column>'
    for most, below in (("25mm", 20), ("10mm", 4)):
        *_, under = place(project, body.format(most, LARGE, SMALL, fill(height="1mm")))
        assert under[1] == below
    wide = place(project, f'<row height="9mm"><first>{SMALL}</first>{fill(width="2mm")}</row>')
    assert wide[-1][0] == 9


def test_nothing_of_what_had_no_room_is_left(project: Project) -> None:
    """Neither what was drawn before it was full, nor the size that its texts asked for."""
    long = "word " * 60
    full = f'<box>{LARGE}<text size="9pt" min="8pt" fit="deck">{long}</text></box>'
    rects = place(project, f'<first height="10mm">{full}{SMALL}</first>')
    assert [rect[3] for rect in rects] == [4]


def test_what_is_wrong_with_the_last_is_said(project: Project) -> None:
    body = f'<first height="3mm" width="9mm">{LARGE}<text>too long by far for this</text></first>'
    with pytest.raises(CardgenError, match="too long"):
        place(project, body)
    with pytest.raises(CardgenError, match='unknown icon "gone"'):
        place(project, f'<first height="9mm"><icon name="gone"/>{SMALL}</first>')


def test_the_same_is_drawn_on_all_cards_of_a_deck(project: Project) -> None:
    """What has no room on one of them is drawn on none, in whatever order they come."""
    for order in ("abc", "bca", "cab"):
        for fit, expected in (
            ("box", {"a": 20, "b": 4, "c": 20}),
            ("deck", dict.fromkeys("abc", 4)),
        ):
            place = 'width="40mm" height="{{ card.room }}mm"'
            project.write_template(f'<first fit="{fit}" {place}>{LARGE}{SMALL}</first>')
            rooms = {"a": 30, "b": 10, "c": 25}
            cards = (f"  - {{name: {name}, room: {rooms[name]}}}\n" for name in order)
            project.write_deck("".join(cards))
            faces = list_faces(load_deck("deck"))
            heights = {card.name: list_rects(face)[0][3] for card, _, face in faces}
            assert heights == expected


NAMES = (
    '<text style="big" height="6mm" heading="true" fit="line" min="18pt">{{ card.name }}</text>'
    '<text height="6mm" size="8pt" heading="true" fit="line" min="4pt">{{ card.name }}</text>'
)
LONG = "The Unshakeable Resolve of the Guard"


def write_names(project: Project, names: str = NAMES) -> None:
    style = '<style name="big" size="18pt"/>'
    project.write_template(
        f'{style}<first x="5mm" right="5mm" y="5mm" height="8mm">{names}</first>'
    )
    project.write_deck(f"  - name: Ox\n  - name: {LONG}\n")


def test_a_draft_draws_the_first_that_has_room(project: Project) -> None:
    """Nothing is wrong with the others; what is wrong with the last is drawn and said."""
    write_names(project)
    job = prepare("deck", draft=True)
    faces = [job.faces.get_face(copy, "front") for copy in job.plan.copies]
    sizes = [{run.size for run in list_runs(made.face)} for made in faces if made]
    assert 18 in sizes[0] and 18 not in sizes[1]
    assert job.faces.take_problems() == []
    write_names(project, NAMES.replace('size="8pt"', 'size="14pt"').replace('"4pt"', '"14pt"'))
    job = prepare("deck", draft=True)
    for copy in job.plan.copies:
        job.faces.get_face(copy, "front")
    (problem,) = job.faces.take_problems()
    assert problem.card == LONG and "too" in problem.message


def test_what_is_wrong_with_each_is_said_once_in_a_draft(project: Project) -> None:
    """Be it in one that has no room."""
    write_names(project, NAMES.replace("{{ card.name }}", "{{ card.name }} :gone:"))
    job = prepare("deck", draft=True)
    job.faces.get_face(job.plan.copies[1], "front")
    assert [problem.code for problem in job.faces.take_problems()] == ["name/unknown"]


def test_nothing_but_what_is_drawn_can_be_pointed_at(project: Project) -> None:
    write_names(project)
    job = prepare("deck")
    for copy, size in zip(job.plan.copies, (18, 8), strict=True):
        traced = job.faces.trace(copy, "front")
        assert [one.tag for one in traced] == ["first", "text"]
        spec = traced[1].node.spec
        assert isinstance(spec, TextSpec) and spec.style.size == size


def test_what_is_drawn_is_read_once_and_as_the_heading(project: Project) -> None:
    """Also where the heading of one that has no room had its place already."""
    large, _, small = NAMES.partition("</text>")
    small_heading = small.replace('height="6mm"', "")
    write_names(project, f'<box height="8mm">{small_heading}{large}</text></box>{small}')
    job = prepare("deck")
    for copy in job.plan.copies:
        made = job.faces.get_face(copy, "front")
        assert made is not None
        said = [line for line in made.face.dump().splitlines() if "said as" in line]
        assert said == ["said as H1"] + ["said as P"] * (copy.design == 0)
