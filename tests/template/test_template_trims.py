"""What a template may say of its trim, and what is refused."""

from __future__ import annotations

from time import process_time

import pytest
from conftest import Project
from making import plan_build

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Box, Rect, Size
from cardgen.core.shape import Shape
from cardgen.core.units import MM, parse_size
from cardgen.template.model import Format
from cardgen.template.trims import check_trim, parse_trim

SQUARE = parse_size("25mm x 25mm")


def read(text: str, size: str = "25mm x 25mm") -> Shape:
    shape = parse_trim(text, parse_size(size))
    check_trim(shape, parse_size(size))
    return shape


def list_corners(shape: Shape) -> list[tuple[float, float]]:
    points = shape.trace(Rect(0, 0, 100, 100)).list_points()
    return [(round(x, 2), round(y, 2)) for x, y in points]


def test_the_shapes() -> None:
    assert not read("rectangle").has_line
    assert read("rounded 3mm").radius == 3 * MM
    assert not read("rounded 3mm").is_loose
    circle = read("circle").trace(Rect(0, 0, 100, 100))
    assert circle.measure_room(Box(49, 49, 51, 51)) == pytest.approx(50 - 2**0.5, abs=0.1)
    flat = [(25, 0), (75, 0), (100, 50), (75, 100), (25, 100), (0, 50)]
    assert list_corners(read("hexagon", "60mm x 52mm")) == flat
    pointed = {(y, x) for x, y in flat}
    assert set(list_corners(read("hexagon", "52mm x 60mm"))) == pointed


def test_a_path_in_millimetres_and_in_a_view() -> None:
    points = [(0, 50), (50, 0), (100, 50), (50, 100)]
    assert list_corners(read("path M0 12.5 L12.5 0 L25 12.5 L12.5 25 Z")) == points
    assert list_corners(read("path 2x2 M0 1 L1 0 2 1 1 2Z")) == points
    assert list_corners(read("path 2 x 2 m0 1 l1 -1 1 1 -1 1 -1 -1")) == points
    arcs = read("path 2x2 M0 1 A1 1 0 0 1 2 1 A1 1 0 0 1 0 1 Z").trace(Rect(0, 0, 100, 100))
    assert arcs.measure_room(Box(50, 50, 50, 50)) == pytest.approx(50, abs=0.1)
    assert list_corners(read("path 2x2 M0 0 L2 1 0 2Z").mirror()) == [(100, 0), (0, 50), (100, 100)]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("cirle", "template/unknown-trim", 'unknown trim "cirle"'),
        ("circle 3mm", "template/unknown-trim", 'unknown trim "circle 3mm"'),
        ("rounded", "template/unknown-trim", "no radius"),
        ("rounded 3", "value/no-unit", "write 3mm"),
        ("rounded 13mm", "template/trim-size", "12.5mm"),
        ("hexagon", "template/trim-size", "25mm x 21.65mm"),
        ("path", "template/trim-path", "draws nothing"),
        ("path M0 0", "template/trim-path", "no area"),
        ("path nonsense", "template/trim-path", 'broken data at "nonsense"'),
        ("path M0 0 L25", "template/trim-path", "broken data"),
        ("path M0 0 H25 V25", "template/trim-path", "open"),
        ("path M0 0 H25 V25 H0 Z M5 5 H9 V9 Z", "template/trim-path", "several lines"),
        ("path M0 0 L25 25 V0 L0 25 Z", "template/trim-path", "crosses itself"),
        ("path M0 0 L25 25 Z", "template/trim-path", "no area"),
        ("path M0 0 H25 V25 H12 V0 V25 H0 Z", "template/trim-path", "crosses itself"),
        ("path M0 0 H30 V25 H0 Z", "template/trim-size", "from 0 0 to 30 25"),
        ("path M1 1 H24 V24 H1 Z", "template/trim-size", "from 1 1 to 24 24"),
        ("path 0x2 M0 0 H1 V1 Z", "template/trim-path", "above 0"),
        ("path M0 0 C1e300 0 0 1e300 25 25 Z", "template/trim-path", "far from the card"),
        ("path M0 0 H1e999 V25 Z", "template/trim-path", "too large"),
        ("path M0 0 " + "L25 25 L0 0 " * 2000, "template/trim-path", "characters long"),
        (
            "path M0 25 V0 H25 V25 " + "h-.01" * 2400 + "Z",
            "template/trim-path",
            "corners and pieces",
        ),
    ],
)
def test_what_is_no_trim(text: str, code: str, message: str) -> None:
    started = process_time()
    with pytest.raises(Refusal) as caught:
        read(text)
    told = f"{caught.value} {caught.value.hint}"
    assert (caught.value.code, message in told) == (code, True), told
    assert process_time() - started < 2


def test_a_circle_is_as_wide_as_it_is_high() -> None:
    with pytest.raises(Refusal, match="a circle is as wide as it is high"):
        read("circle", "25mm x 30mm")


def read_format(project: Project) -> Format:
    ((_, template),) = plan_build(project.folder / "decks/deck.yaml", target="one-up").templates
    return template.format


def test_a_template_that_extends_may_change_the_trim(project: Project) -> None:
    project.write_template('<slot name="face"/>', "base", 'size="25mm x 25mm" trim="circle"')
    project.write_template("", "same", 'extends="base"')
    project.write_template("", "other", 'extends="base" trim="rounded 2mm"')
    project.write_template("", "none", 'extends="base" trim="rectangle"')
    names = []
    for template in ("base", "same", "other", "none"):
        project.write_deck(head=f"template: {template}\n")
        names.append(read_format(project).shape.name)
    assert names == ["circle", "circle", "rounded", "rectangle"]


def test_a_wrong_trim_is_told_with_its_place(project: Project) -> None:
    project.write_template("", "plain", 'size="poker" trim="circle"')
    project.write_deck()
    assert project.find_problems().startswith(
        "templates/plain.xml:1:24: a circle is as wide as it is high, and not 63.5mm x 88.9mm\n"
        '  hint: write size="63.5mm x 63.5mm"'
    )
    project.write_template("", "plain", 'size="25mm x 25mm" trim="circle"')
    project.write_deck(head="template: plain\nsize: poker\n")
    assert "a circle is as wide as it is high, and not 63.5mm" in project.find_problems()


def test_a_path_stretches_with_the_size_that_a_deck_asks_for(project: Project) -> None:
    path = 'size="20mm x 20mm" trim="path M0 10 L10 0 L20 10 L10 20 Z"'
    project.write_template("", "plain", path)
    project.write_deck(head="template: plain\nsize: 40mm x 60mm\n")
    found = read_format(project)
    bounds = found.shape.trace(Rect(0, 0, *found.size)).bounds
    assert bounds.size == pytest.approx(Size(40 * MM, 60 * MM))
