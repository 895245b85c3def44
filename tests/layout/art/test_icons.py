"""SVG files as one outline: what is read, what is refused and how, and the icons cardgen ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.core.colour import BLACK
from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Rect
from cardgen.layout.art.icons import IconShape, fit_icon, read_icon
from cardgen.layout.face import Segment

ICONS = Path(__file__).parents[3] / "assets" / "icons"
NAMES = [
    "banner",
    "blank",
    "bow",
    "cannon",
    "charm",
    "crown",
    "fumble",
    "hammer",
    "helm",
    "horn",
    "machine",
    "map",
    "orb",
    "place",
    "potion",
    "ring",
    "rod",
    "sceptre",
    "scroll",
    "shield",
    "spyglass",
    "staff",
    "sword",
    "treasure",
    "wand",
]
UPRIGHT = ["banner", "crown", "helm", "machine", "orb", "potion", "ring", "shield", "treasure"]
DIAGONAL = ["bow", "hammer", "sceptre", "spyglass", "staff", "sword", "wand"]

PLAIN = (
    "an icon is filled shapes of one colour: circle, ellipse, path, polygon, polyline, rect,"
    " in groups (g) or alone"
)

WriteSvg = Callable[..., Path]


@pytest.fixture
def write_svg(tmp_path: Path) -> WriteSvg:
    def write(body: str, root: str = 'viewBox="0 0 64 64"') -> Path:
        path = tmp_path / "icon.svg"
        path.write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" {root}>\n{body}\n</svg>', encoding="utf-8"
        )
        return path

    return write


def refusal(path: Path) -> str:
    """What a user reads, without the folder."""
    with pytest.raises(CardgenError) as caught:
        read_icon(path)
    return str(caught.value).replace(str(path.parent) + "/", "")


# What is read


def test_a_path_becomes_its_segments(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M4 4h8v8C10 14 6 14 4 12z"/>'))
    assert shape == IconShape(
        name="icon",
        view_box=Rect(0, 0, 64, 64),
        bounds=Rect(4, 4, 8, 9.5),
        segments=(
            ("M", (4, 4)),
            ("L", (12, 4)),
            ("L", (12, 12)),
            ("C", (10, 14, 6, 14, 4, 12)),
            ("L", (4, 4)),
            ("Z", ()),
        ),
        even_odd=False,
    )


def test_an_open_path_is_closed_and_a_lone_point_is_dropped(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M1 1M4 4h8v8"/>'))
    assert shape.segments == (("M", (4, 4)), ("L", (12, 4)), ("L", (12, 12)), ("Z", ()))


def test_an_arc_becomes_a_cubic(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M32 2A30 30 0 0 1 62 32L32 32Z"/>'))
    assert shape.segments == (
        ("M", (32, 2)),
        ("C", (48.568542, 2, 62, 15.431458, 62, 32)),
        ("L", (32, 32)),
        ("L", (32, 2)),
        ("Z", ()),
    )


def test_a_quadratic_becomes_a_cubic(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M0 0Q15 0 15 15T30 30Z"/>'))
    assert shape.segments[1:3] == (
        ("C", (10, 0, 15, 5, 15, 15)),
        ("C", (15, 25, 20, 30, 30, 30)),
    )


def test_a_circle_becomes_four_cubics(write_svg: WriteSvg) -> None:
    circle = read_icon(write_svg('<circle cx="32" cy="32" r="28"/>'))
    assert circle.bounds == Rect(4, 4, 56, 56)
    assert [kind for kind, _ in circle.segments] == ["M", "C", "C", "C", "C", "Z"]


def test_an_ellipse_fills_its_box(write_svg: WriteSvg) -> None:
    assert read_icon(write_svg('<ellipse cx="32" cy="32" rx="20" ry="8"/>')).bounds == Rect(
        12, 24, 40, 16
    )


def test_polygons_and_polylines_are_closed(write_svg: WriteSvg) -> None:
    body = '<polygon points="0,0 8,0 8,8"/><polyline points="20,0 28,0 28,8"/>'
    assert read_icon(write_svg(body)).segments == (
        ("M", (0, 0)),
        ("L", (8, 0)),
        ("L", (8, 8)),
        ("L", (0, 0)),
        ("Z", ()),
        ("M", (20, 0)),
        ("L", (28, 0)),
        ("L", (28, 8)),
        ("Z", ()),
    )


@pytest.mark.parametrize(
    ("corners", "first_point"),
    [
        ("", (4, 4)),
        ('rx="2"', (6, 4)),
        ('ry="2"', (6, 4)),
        ('rx="90" ry="1"', (12, 4)),
        ('rx="0" ry="3"', (4, 4)),
    ],
)
def test_a_rect_rounds_its_corners_as_svg_asks(
    write_svg: WriteSvg, corners: str, first_point: tuple[float, float]
) -> None:
    shape = read_icon(write_svg(f'<rect x="4px" y="4" width="16" height="8" {corners}/>'))
    assert shape.segments[0] == ("M", first_point)
    assert shape.bounds == Rect(4, 4, 16, 8)


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("translate(3)", Rect(7, 4, 8, 4)),
        ("translate(3, 5)", Rect(7, 9, 8, 4)),
        ("scale(2)", Rect(8, 8, 16, 8)),
        ("scale(1 2)", Rect(4, 8, 8, 8)),
        ("rotate(90 8 8)", Rect(8, 4, 4, 8)),
        ("rotate(90) translate(0 -20)", Rect(12, 4, 4, 8)),
        ("matrix(0 1 1 0 0 0)", Rect(4, 4, 4, 8)),
        ("skewX(45)", Rect(8, 4, 12, 4)),
        ("skewY(45)", Rect(4, 8, 8, 12)),
    ],
)
def test_a_transform_moves_the_points(write_svg: WriteSvg, transform: str, expected: Rect) -> None:
    body = f'<path transform="{transform}" d="M4 4h8v4h-8z"/>'
    assert read_icon(write_svg(body)).bounds == expected


def test_transforms_of_groups_apply_from_the_outside_in(write_svg: WriteSvg) -> None:
    body = '<g transform="translate(10 10)"><g transform="scale(2)"><path d="M1 1h2v2z"/></g></g>'
    assert read_icon(write_svg(body)).bounds == Rect(12, 12, 4, 4)


def test_what_paints_nothing_is_left_out(write_svg: WriteSvg) -> None:
    body = """<title>A square</title><defs><path d="M0 0h1v1z"/></defs><!-- no --><?no?>
      <path fill="none" d="M0 0h64v64z"/> <path style="fill: none" d="M0 0h64v64z"/>
      <g style="display:none"><text>no</text></g> <path/> <rect width="0" height="9"/>
      <other xmlns="urn:of-a-drawing-program"/> <path d="M4 4h8v8z"/>"""
    assert read_icon(write_svg(body)).bounds == Rect(4, 4, 8, 8)


def test_the_fill_rule_is_kept(write_svg: WriteSvg) -> None:
    assert read_icon(write_svg('<path fill-rule="evenodd" d="M4 4h8v8z"/>')).even_odd


def test_the_fill_rule_is_inherited_and_the_style_attribute_wins(write_svg: WriteSvg) -> None:
    body = '<g fill-rule="nonzero" style="fill-rule:evenodd"><path d="M4 4h8v8z"/></g>'
    assert read_icon(write_svg(body)).even_odd


def test_overlapping_shapes_of_opposite_directions_add_up(write_svg: WriteSvg) -> None:
    body = '<path d="M0 0h9v9h-9z"/><path d="M5 5v9h9v-9z"/>'
    shape = read_icon(write_svg(body))
    assert [signed_area(contour) > 0 for contour in contours(shape)] == [True, True]


def test_size_stands_in_for_a_view_box(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M0 0h9v9z"/>', root='width="24" height="12px"'))
    assert shape.view_box == Rect(0, 0, 24, 12)


def test_reading_a_second_time_gives_the_same_object(write_svg: WriteSvg) -> None:
    path = write_svg('<path d="M0 0h9v9z"/>')
    assert read_icon(path) is read_icon(path)


# What is refused


@pytest.mark.parametrize(
    ("body", "message", "hint"),
    [
        (
            '<path d="M0 0h9v9z" stroke="#000"/>',
            "<path> has a stroke",
            "convert strokes to outlines",
        ),
        (
            '<g style="stroke:red"><path d="M0 0h9v9z"/></g>',
            "<g> has a stroke",
            "convert strokes to outlines",
        ),
        ("<text>A</text>", "an icon cannot hold <text>", "convert text to outlines"),
        ("<line/>", "an icon cannot hold <line>", "convert strokes to outlines"),
        ('<use href="#a"/>', "an icon cannot hold <use>", "put a copy of the shape in its place"),
        ("<style/>", "an icon cannot hold <style>", "write the fill on the shapes themselves"),
        ("<image/>", "an icon cannot hold <image>", PLAIN),
        ("<script/>", "an icon cannot hold <script>", PLAIN),
        ("<linearGradient/>", "an icon cannot hold <linearGradient>", PLAIN),
        ('<path style="fill:url(#a)" d="M0 0h9v9z"/>', '<path> uses fill="url(#a)"', PLAIN),
        ('<path mask="url(#a)" d="M0 0h9v9z"/>', '<path> uses mask="url(#a)"', PLAIN),
        ('<path opacity=".5" d="M0 0h9v9z"/>', '<path> is see-through: opacity=".5"', PLAIN),
        (
            '<path transform="rotate(a)" d="M0 0h9v9z"/>',
            '<path> has a broken transform="rotate(a)"',
            'write it as in "rotate(45 32 32)"',
        ),
        (
            '<path style="transform:scale(2)" d="M0 0h9v9z"/>',
            "<path> is transformed by its style",
            "write the transform as an attribute",
        ),
        (
            '<path d="M0 0h9 foo z"/>',
            '<path> has broken data at "foo"',
            "save the icon again as a plain SVG",
        ),
        (
            '<path d="L9 9 9 0z"/>',
            '<path> has broken data: "L9 9 9 0z"',
            "save the icon again as a plain SVG",
        ),
        ('<circle r="1em"/>', '<circle> has r="1em"', "write a plain number"),
        (
            '<path d="M0 0h99v9z"/>',
            "<path> reaches beyond the viewBox",
            "move it inside, or enlarge the viewBox",
        ),
    ],
)
def test_what_no_icon_may_hold(write_svg: WriteSvg, body: str, message: str, hint: str) -> None:
    assert refusal(write_svg(body)) == f"icon.svg:2: {message}\n  hint: {hint}"


def test_a_missing_measure(write_svg: WriteSvg) -> None:
    assert refusal(write_svg('<rect width="5"/>')) == "icon.svg:2: <rect> has no height"


def test_a_second_colour(write_svg: WriteSvg) -> None:
    body = '<path fill="currentColor" d="M0 0h9v9z"/>\n<path d="M0 0h9v9z"/>\n'
    assert refusal(write_svg(body + '<path fill="#FFF" d="M0 0h4v4z"/>')) == (
        "icon.svg:4: <path> is filled with #fff, the shapes before it with currentcolor\n"
        "  hint: an icon has one colour; cut light parts out of the dark ones"
    )


def test_a_second_fill_rule(write_svg: WriteSvg) -> None:
    body = '<path d="M0 0h9v9z"/>\n<path fill-rule="evenodd" d="M20 0h4v4z"/>'
    assert refusal(write_svg(body)) == (
        "icon.svg:3: <path> has another fill-rule than the shapes before it\n"
        "  hint: give all shapes one fill-rule, or unite them into one path"
    )


def test_even_odd_shapes_that_would_cut_each_other(write_svg: WriteSvg) -> None:
    body = '<g fill-rule="evenodd"><path d="M0 0h9v9z"/>\n<circle cx="5" cy="5" r="3"/></g>'
    assert refusal(write_svg(body)) == (
        "icon.svg:3: <circle> overlaps a shape before it under fill-rule evenodd\n"
        "  hint: unite the shapes into one path"
    )


def test_every_problem_of_a_file_is_named(write_svg: WriteSvg) -> None:
    assert refusal(write_svg("<text>A</text>\n<path stroke='red'/>")) == (
        "icon.svg:2: an icon cannot hold <text>\n  hint: convert text to outlines\n"
        "icon.svg:3: <path> has a stroke\n  hint: convert strokes to outlines"
    )


def test_an_empty_icon(write_svg: WriteSvg) -> None:
    assert refusal(write_svg("<g/>")) == f"icon.svg:1: this icon paints nothing\n  hint: {PLAIN}"


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ("", "the <svg> has no viewBox"),
        ('width="100%" height="24"', "the <svg> has no viewBox"),
        ('viewBox="0 0 64"', 'viewBox="0 0 64" is no box'),
        ('viewBox="0 0 0 64"', 'viewBox="0 0 0 64" is no box'),
        ('viewBox="a b c d"', 'viewBox="a b c d" is no box'),
    ],
)
def test_no_view_box(write_svg: WriteSvg, root: str, message: str) -> None:
    assert refusal(write_svg('<path d="M0 0h9v9z"/>', root)) == (
        f'icon.svg:1: {message}\n  hint: write its left, top, width and height, as in "0 0 64 64"'
    )


def test_no_xml(tmp_path: Path) -> None:
    path = tmp_path / "icon.svg"
    path.write_text("<svg>\n<path>\n</svg>", encoding="utf-8")
    assert refusal(path).startswith("icon.svg:3: this is not an SVG file: ")


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "icon.svg"
    path.touch()
    assert refusal(path) == "icon.svg:1: this is not an SVG file: Document is empty"


def test_xml_that_is_no_svg(tmp_path: Path) -> None:
    path = tmp_path / "icon.svg"
    path.write_text("<html/>", encoding="utf-8")
    assert refusal(path) == "icon.svg:1: this is not an SVG file: it starts with <html>"


def test_no_entity_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "icon.svg"
    path.write_text(
        '<!DOCTYPE svg [<!ENTITY other SYSTEM "other.svg">]>\n<svg viewBox="0 0 9 9">&other;</svg>',
        encoding="utf-8",
    )
    (tmp_path / "other.svg").write_text('<path d="M0 0h9v9z"/>', encoding="utf-8")
    assert refusal(path) == f"icon.svg:2: an icon cannot hold &other;\n  hint: {PLAIN}"


def test_no_file_is_an_error_at_the_place_that_asks(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        read_icon(tmp_path / "icon.svg", Where("item.xml", 3, 5))
    assert str(caught.value) == (
        f'item.xml:3:5: cannot read icon "{tmp_path}/icon.svg": No such file or directory'
    )


# Placing


def test_an_icon_is_scaled_alike_and_centred(write_svg: WriteSvg) -> None:
    shape = read_icon(write_svg('<path d="M20 10h10v10z"/>', 'viewBox="10 10 40 20"'))
    outline = fit_icon(shape, Rect(100, 200, 20, 20), BLACK)
    assert outline.segments == (
        ("M", (105, 205)),
        ("L", (110, 205)),
        ("L", (110, 210)),
        ("L", (105, 205)),
        ("Z", ()),
    )
    assert outline.bounds == Rect(105, 205, 5, 5)
    assert (outline.fill, outline.stroke, outline.even_odd) == (BLACK, None, False)


# The icons cardgen ships


def test_every_promised_icon_is_there() -> None:
    assert {path.stem for path in ICONS.glob("*.svg")} >= set(NAMES)


@pytest.mark.parametrize("path", sorted(ICONS.glob("*.svg")), ids=lambda path: path.stem)
def test_a_shipped_icon_fills_its_padded_view_box(path: Path) -> None:
    shape = read_icon(path)
    assert shape.view_box == Rect(0, 0, 64, 64)
    assert Rect(4, 4, 56, 56).contains(shape.bounds, tolerance=0.05)
    assert max(shape.bounds.width, shape.bounds.height) > 50


@pytest.mark.parametrize("name", UPRIGHT)
def test_an_upright_icon_is_its_own_mirror_image(name: str) -> None:
    points = all_points(read_icon(ICONS / f"{name}.svg"))
    assert {(round(64 - x, 3), y) for x, y in points} == points


@pytest.mark.parametrize("name", DIAGONAL)
def test_a_diagonal_icon_mirrors_along_the_diagonal(name: str) -> None:
    points = all_points(read_icon(ICONS / f"{name}.svg"))
    mirrored = {(round(64 - y, 3), round(64 - x, 3)) for x, y in points}
    assert all(any(abs(x - a) + abs(y - b) < 0.003 for a, b in points) for x, y in mirrored)


def all_points(shape: IconShape) -> set[tuple[float, float]]:
    return {
        (round(x, 3), round(y, 3))
        for _, values in shape.segments
        for x, y in zip(values[::2], values[1::2], strict=True)
    }


def contours(shape: IconShape) -> list[list[Segment]]:
    found: list[list[Segment]] = []
    for segment in shape.segments:
        if segment[0] == "M":
            found.append([])
        found[-1].append(segment)
    return found


def signed_area(contour: list[Segment]) -> float:
    corners = [points for _, points in contour if points]
    following = corners[1:] + corners[:1]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(corners, following, strict=True)) / 2
