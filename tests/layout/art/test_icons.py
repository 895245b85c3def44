"""Icons: drawings in one colour or in their own, what is refused, and those that cardgen ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.core import deck_files
from cardgen.core.colour import BLACK, Across, Colour, Gradient
from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Rect
from cardgen.core.library import HOME, Library
from cardgen.layout.art.icons import fit_icon, fit_stencil, paint_stencil, read_icon
from cardgen.layout.face import Group, Item, Outline, Segment
from cardgen.text.fonts import FontShelf

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


BOX = Rect(0, 0, 64, 64)
RED = Colour("rgb", (1.0, 0.0, 0.0))
SQUARE = '<path d="M0 0h64v64H0z"/>'


def draw(path: Path, frame: Rect = BOX) -> list[Item]:
    """The items of an icon that a template paints."""
    return list(fit_stencil(read_icon(path), frame))


def draw_one(path: Path, frame: Rect = BOX) -> Outline:
    (item,) = draw(path, frame)
    assert isinstance(item, Outline)
    return item


def refusal(path: Path) -> str:
    """What a user reads, without the folder."""
    with pytest.raises(CardgenError) as caught:
        fit_stencil(read_icon(path), BOX)
    return str(caught.value).replace(str(path.parent) + "/", "")


# In one colour


def test_a_path_becomes_its_segments(write_svg: WriteSvg) -> None:
    assert draw_one(write_svg('<path d="M4 4h8v8C10 14 6 14 4 12z"/>')) == Outline(
        segments=(
            ("M", (4, 4)),
            ("L", (12, 4)),
            ("L", (12, 12)),
            ("C", (10, 14, 6, 14, 4, 12)),
            ("Z", ()),
        ),
        fill=BLACK,
        stroke=None,
        even_odd=False,
        bounds=Rect(4, 4, 8, 9.5),
    )


def test_an_open_path_is_closed_and_a_lone_point_is_dropped(write_svg: WriteSvg) -> None:
    shape = draw_one(write_svg('<path d="M1 1M4 4h8v8"/>'))
    assert shape.segments == (("M", (4, 4)), ("L", (12, 4)), ("L", (12, 12)), ("Z", ()))


def test_what_paints_nothing_is_left_out(write_svg: WriteSvg) -> None:
    body = """<title>A square</title><defs><path d="M0 0h1v1z"/></defs><!-- no --><?no?>
      <path fill="none" d="M0 0h64v64z"/> <path style="fill: none" d="M0 0h64v64z"/>
      <g style="display:none"><text>no</text></g> <path/> <rect width="0" height="9"/>
      <other xmlns="urn:of-a-drawing-program"/> <path d="M4 4h8v8z"/>"""
    assert draw_one(write_svg(body)).bounds == Rect(4, 4, 8, 8)


def test_overlapping_shapes_of_opposite_directions_add_up(write_svg: WriteSvg) -> None:
    shape = draw_one(write_svg('<path d="M0 0h9v9h-9z"/><path d="M5 5v9h9v-9z"/>'))
    assert [signed_area(contour) > 0 for contour in contours(shape)] == [True, True]


def test_shapes_of_both_fill_rules_stand_side_by_side(write_svg: WriteSvg) -> None:
    body = '<path d="M0 0h9v9z"/><path fill-rule="evenodd" d="M2 2h9v9z"/><path d="M3 3h9v9z"/>'
    drawn = draw(write_svg(body))
    assert [item.even_odd for item in drawn if isinstance(item, Outline)] == [False, True, False]


def test_strokes_have_the_colour_of_the_icon_and_its_scale(write_svg: WriteSvg) -> None:
    """As Lucide, Feather and Tabler write them."""
    root = (
        'width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor"'
        ' stroke-width="2" stroke-linecap="round" stroke-linejoin="round"'
    )
    body = (
        '<path stroke="none" d="M0 0h24v24H0z" fill="none"/><line x1="2" y1="12" x2="22" y2="12"/>'
    )
    (line,) = paint_stencil(draw(write_svg(body, root), Rect(0, 0, 12, 12)), RED)
    assert isinstance(line, Outline)
    assert line.fill is None
    assert line.segments == (("M", (1, 6)), ("L", (11, 6)))
    assert line.stroke is not None
    assert line.stroke[:2] == (RED, 1)
    assert (line.stroke.cap, line.stroke.join) == ("round", "round")


@pytest.mark.parametrize(
    "ground",
    [
        SQUARE,
        '<rect width="64" height="64"/>',
        '<rect width="100%" height="100%"/>',
        '<g><path d="M0 0h64v64H0z" fill="#000"/></g>',
        '<path d="M-1-1h66v66H-1z"/>',
    ],
)
def test_a_ground_that_fills_the_box_is_dropped(write_svg: WriteSvg, ground: str) -> None:
    """As the icons of game-icons.net are published."""
    shape = draw_one(write_svg(f'{ground}<g><path d="M4 4h8v8z" fill="#fff"/></g>'))
    assert shape.bounds == Rect(4, 4, 8, 8)


@pytest.mark.parametrize(
    "body",
    [
        SQUARE,
        f'{SQUARE}<path d="M4 4h8v8z"/>',
        '<path d="M0 0h64v64H0z" stroke="red" stroke-linejoin="round" fill="red"/>',
        '<circle cx="32" cy="32" r="32"/><path d="M4 4h8v8z"/>',
    ],
)
def test_what_is_no_ground_is_kept(write_svg: WriteSvg, body: str) -> None:
    items = draw(write_svg(body))
    first = items[0]
    assert isinstance(first, Outline)
    assert first.bounds == BOX


def test_what_has_the_colour_of_the_ground_is_cut_out(write_svg: WriteSvg) -> None:
    body = f'{SQUARE}<path fill="#fff" d="M4 4h20v20H4z"/><path d="M8 8h4v4H8z"/>'
    (group,) = draw(write_svg(body))
    assert isinstance(group, Group)
    (clip,) = group.clips
    assert clip.even_odd
    assert ("M", (8, 8)) in clip.segments
    assert [item.bounds for item in group.shared.items if isinstance(item, Outline)] == [
        Rect(4, 4, 20, 20)
    ]


def test_a_gradient_runs_through_all_shapes(write_svg: WriteSvg) -> None:
    paint = Gradient(Across(0), ((0.0, RED), (1.0, BLACK)))
    body = '<path d="M0 0h8v8z"/><path fill-rule="evenodd" d="M40 40h8v8z"/>'
    painted = paint_stencil(draw(write_svg(body)), paint)
    assert [item[1::3] for item in painted if isinstance(item, Outline)] == [
        (paint, Rect(0, 0, 48, 48))
    ] * 2
    line = '<path d="M0 0h8" stroke="black"/>'
    (group,) = paint_stencil(draw(write_svg(line)), paint)
    assert isinstance(group, Group)
    assert group.mask is not None


# In their own colours


def test_colours_are_kept(write_svg: WriteSvg) -> None:
    body = f'{SQUARE}<path fill="red" d="M4 4h8v8z"/>'
    drawn = fit_icon(read_icon(write_svg(body)), BOX)
    fills = [item.fill for item in drawn if isinstance(item, Outline)]
    assert fills == [Colour("rgb", (0.0, 0.0, 0.0)), RED]


def test_reading_a_second_time_gives_the_same_object(write_svg: WriteSvg) -> None:
    path = write_svg('<path d="M0 0h9v9z"/>')
    assert read_icon(path) is read_icon(path)


def test_fonts_matter_to_an_icon_with_words_alone(write_svg: WriteSvg) -> None:
    first, second = FontShelf(Library(HOME)), FontShelf(Library(HOME))
    for body, same in (
        ('<path d="M0 0h9v9z"/>', True),
        ('<text y="9" font-family="Cinzel">Ag</text>', False),
    ):
        path = write_svg(body)
        assert (read_icon(path, shelf=first) is read_icon(path, shelf=second)) == same


# What is refused


def test_a_second_colour(write_svg: WriteSvg) -> None:
    body = '<path fill="currentColor" d="M0 0h9v9z"/>\n<path d="M0 0h9v9z"/>\n'
    assert refusal(write_svg(body + '<path fill="#FFF" d="M0 0h4v4z"/>')) == (
        "icon.svg:4: <path> is painted with #ffffff, the shapes before it with #000000\n"
        '  hint: an icon has one colour; write colours="keep" on the <icon>, and it keeps its own'
    )


def test_an_icon_of_many_colours_is_told_of_once(write_svg: WriteSvg) -> None:
    body = "".join(f'<path fill="#00{n}{n}ff" d="M0 0h{n}v9z"/>\n' for n in range(1, 9))
    said = refusal(write_svg(body))
    assert said.count("is painted with") == 1
    assert said.startswith("icon.svg:3: <path> is painted with #0022ff")


def test_a_gradient_is_no_colour(write_svg: WriteSvg) -> None:
    body = (
        '<linearGradient id="g"><stop stop-color="red"/><stop offset="1"/></linearGradient>'
        '<path fill="url(#g)" d="M0 0h9v9z"/>'
    )
    assert refusal(write_svg(body)).startswith("icon.svg:2: <path> is painted with a gradient\n")


def test_an_empty_icon(write_svg: WriteSvg) -> None:
    assert refusal(write_svg("<g/>")) == (
        "icon.svg:1: this icon paints nothing\n  hint: draw shapes that are filled or stroked"
    )


def test_no_file_is_an_error_at_the_place_that_asks(tmp_path: Path) -> None:
    with pytest.raises(CardgenError) as caught:
        read_icon(tmp_path / "icon.svg", Where("item.xml", 3, 5))
    assert str(caught.value) == (
        f'item.xml:3:5: cannot read icon "{tmp_path}/icon.svg": No such file or directory'
    )


# Placing


def test_an_icon_is_scaled_alike_and_centred(write_svg: WriteSvg) -> None:
    path = write_svg('<path d="M20 10h10v10z"/>', 'viewBox="10 10 40 20"')
    shape = draw_one(path, Rect(100, 200, 20, 20))
    assert shape.segments == (("M", (105, 205)), ("L", (110, 205)), ("L", (110, 210)), ("Z", ()))
    assert shape.bounds == Rect(105, 205, 5, 5)


def test_what_reaches_beyond_the_box_is_cut_off(write_svg: WriteSvg) -> None:
    (group,) = draw(write_svg('<path d="M0 0h99v9z"/>'), Rect(0, 0, 32, 32))
    assert isinstance(group, Group)
    assert group.clips[0].segments[2] == ("L", (32, 32))


# The icons cardgen ships


def test_every_promised_icon_is_there() -> None:
    assert {path.stem for path in ICONS.glob("*.svg")} >= set(NAMES)


@pytest.mark.parametrize("path", sorted(ICONS.glob("*.svg")), ids=lambda path: path.stem)
def test_a_shipped_icon_fills_its_padded_view_box(path: Path) -> None:
    assert read_icon(path).size == (64, 64)
    shape = draw_one(path)
    assert Rect(4, 4, 56, 56).contains(shape.bounds, tolerance=0.05)
    assert max(shape.bounds.width, shape.bounds.height) > 50


@pytest.mark.parametrize("name", UPRIGHT)
def test_an_upright_icon_is_its_own_mirror_image(name: str) -> None:
    points = all_points(draw_one(ICONS / f"{name}.svg"))
    assert {(round(64 - x, 3), y) for x, y in points} == points


@pytest.mark.parametrize("name", DIAGONAL)
def test_a_diagonal_icon_mirrors_along_the_diagonal(name: str) -> None:
    points = all_points(draw_one(ICONS / f"{name}.svg"))
    mirrored = {(round(64 - y, 3), round(64 - x, 3)) for x, y in points}
    assert all(any(abs(x - a) + abs(y - b) < 0.003 for a, b in points) for x, y in mirrored)


def all_points(shape: Outline) -> set[tuple[float, float]]:
    return {
        (round(x, 3), round(y, 3))
        for _, values in shape.segments
        for x, y in zip(values[::2], values[1::2], strict=True)
    }


def contours(shape: Outline) -> list[list[Segment]]:
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


def test_a_folder_of_many_icons_is_listed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "icons").mkdir()
    for name in ("axe", "bow", "club"):
        (tmp_path / f"icons/{name}.svg").write_text("<svg/>", encoding="utf-8")
    listed: list[Path] = []
    list_names = deck_files.list_file_names

    def note(folder: Path) -> list[str]:
        listed.append(folder)
        return list_names(folder)

    monkeypatch.setattr(deck_files, "list_file_names", note)
    library = Library(tmp_path)
    for name in ("axe", "bow", "club") * 3:
        assert library.get("icon", name).name == f"{name}.svg"
    assert listed.count(tmp_path / "icons") == 1
    # One that has come since then is found, and one that has gone is not.
    (tmp_path / "icons/dart.svg").write_text("<svg/>", encoding="utf-8")
    (tmp_path / "icons/axe.svg").unlink()
    assert library.get("icon", "dart").name == "dart.svg"
    with pytest.raises(CardgenError):
        library.get("icon", "axe")
    with pytest.raises(CardgenError):
        library.get("icon", "Bow")
