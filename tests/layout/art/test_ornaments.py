"""Guilloches, knotwork, roses and rays: they fill their box, look the same upside down, and are
what they are called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import atan2, cos, dist, floor, hypot, pi, sin, tau

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import MM, examples

from cardgen.core.geometry import Rect
from cardgen.layout.art.guilloche import trace_band, trace_ground, trace_rosette
from cardgen.layout.art.plait import trace_plait, trace_plait_edges
from cardgen.layout.art.rose import trace_rays, trace_rose
from cardgen.layout.face import Segment

Point = tuple[float, float]
Path = tuple[Segment, ...]

POKER = Rect(3.5, 7.25, 63.5 * MM, 88.9 * MM)
SLIGHT = 0.02
STEPS = 4

boxes = st.builds(
    Rect,
    st.floats(-100, 100),
    st.floats(-100, 100),
    st.floats(60, 250),
    st.floats(60, 250),
)


# What a path consists of


def split_paths(segments: Path) -> list[Path]:
    starts = [at for at, (operator, _) in enumerate(segments) if operator == "M"]
    assert starts[0] == 0
    return [segments[a:b] for a, b in pairwise([*starts, len(segments)])]


def is_closed(path: Path) -> bool:
    operators = "".join(operator for operator, _ in path)
    return operators[0] == "M" and operators[-1] == "Z" and not set("MZ") & set(operators[1:-1])


def list_spans(path: Path) -> Iterator[tuple[Point, Point, Point, Point]]:
    """Every part as a cubic Bézier, with the line that closes it."""
    (start,) = [(x, y) for operator, (x, y) in path[:1]]
    at = start
    for operator, numbers in path[1:]:
        assert operator in "LCZ"
        if operator == "C":
            x1, y1, x2, y2, x, y = numbers
            yield at, (x1, y1), (x2, y2), (x, y)
            at = (x, y)
        else:
            end = (numbers[0], numbers[1]) if operator == "L" else start
            thirds = [
                (at[0] + (end[0] - at[0]) * share, at[1] + (end[1] - at[1]) * share)
                for share in (1 / 3, 2 / 3)
            ]
            yield at, thirds[0], thirds[1], end
            at = end


def find_on(span: tuple[Point, Point, Point, Point], share: float) -> Point:
    a, b, c, d = weigh_points(share)
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = span
    return a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


@cache
def weigh_points(share: float) -> tuple[float, float, float, float]:
    """How much of each of its four points a curve has at a place."""
    rest = 1 - share
    return rest**3, 3 * share * rest**2, 3 * share**2 * rest, share**3


def sample_path(path: Path, steps: int = STEPS) -> list[Point]:
    return [find_on(span, step / steps) for span in list_spans(path) for step in range(steps + 1)]


def sample(segments: Path, steps: int = STEPS) -> list[Point]:
    return [point for path in split_paths(segments) for point in sample_path(path, steps)]


def bound(points: Sequence[Point]) -> Rect:
    x, y = min(x for x, _ in points), min(y for _, y in points)
    return Rect(x, y, max(x for x, _ in points) - x, max(y for _, y in points) - y)


class Area:
    """The inside of a closed path."""

    def __init__(self, path: Path, steps: int = 12) -> None:
        assert is_closed(path)
        self.points = sample_path(path, steps)
        self.bounds = bound(self.points)

    def __contains__(self, point: Point) -> bool:
        x, y = point
        box = self.bounds
        if not (box.x <= x <= box.right and box.y <= y <= box.bottom):
            return False
        inside = False
        for (ax, ay), (bx, by) in pairwise([*self.points, self.points[0]]):
            if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
                inside = not inside
        return inside

    def measure(self) -> float:
        around = pairwise([*self.points, self.points[0]])
        return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in around)) / 2


def list_areas(segments: Path) -> list[Area]:
    return [Area(path) for path in split_paths(segments)]


# Symmetry


def turn_over(rect: Rect) -> Callable[[Point], Point]:
    return lambda point: (rect.x + rect.right - point[0], rect.y + rect.bottom - point[1])


def mirror(rect: Rect) -> Callable[[Point], Point]:
    return lambda point: (rect.x + rect.right - point[0], point[1])


def list_lonely(points: Sequence[Point], others: Sequence[Point]) -> list[Point]:
    """The points with none of the others beside them."""
    places: dict[tuple[int, int], list[Point]] = {}
    for x, y in others:
        places.setdefault((floor(x / SLIGHT), floor(y / SLIGHT)), []).append((x, y))

    def is_lonely(x: float, y: float) -> bool:
        column, row = floor(x / SLIGHT), floor(y / SLIGHT)
        return not any(
            dist((x, y), other) < SLIGHT
            for i in (column, column - 1, column + 1)
            for j in (row, row - 1, row + 1)
            for other in places.get((i, j), ())
        )

    return [(x, y) for x, y in points if is_lonely(x, y)]


def assert_same(segments: Path, change: Callable[[Point], Point]) -> None:
    points = sample(segments)
    assert list_lonely([change(point) for point in points], points) == []


def test_a_crooked_figure_would_be_found() -> None:
    rect = Rect(0, 0, 10, 10)
    crooked: Path = (("M", (0, 0)), ("L", (10, 9)), ("Z", ()))
    straight: Path = (("M", (0, 0)), ("L", (10, 10)), ("Z", ()))
    assert_same(straight, turn_over(rect))
    for segments, change in ((crooked, turn_over(rect)), (straight, mirror(rect))):
        with pytest.raises(AssertionError):
            assert_same(segments, change)


def assert_inside(segments: Path, rect: Rect) -> None:
    assert rect.contains(bound(sample(segments)), SLIGHT)


def assert_smooth(path: Path) -> None:
    """No kinks where one part leads into the next, nor where the path closes."""
    spans = [span for span in list_spans(path) if dist(span[0], span[3]) > 1e-6]
    for before, after in pairwise([*spans, spans[0]]):
        assert dist(before[3], after[0]) < 1e-6
        turn = _head(after[0], after[1]) - _head(before[2], before[3])
        assert abs((turn + pi) % tau - pi) < 0.001


def _head(start: Point, end: Point) -> float:
    return atan2(end[1] - start[1], end[0] - start[0])


# Guilloches


@st.composite
def numbers(draw: st.DrawFn) -> tuple[int, int]:
    """Waves and strands that look the same upside down."""
    waves, strands = draw(st.integers(1, 14)), draw(st.integers(1, 4))
    return waves, strands + (waves % 2 and strands % 2)


@given(boxes, numbers(), st.floats(0, 0.9))
@examples(15)
def test_a_rosette_is_the_same_upside_down_and_in_a_mirror(
    rect: Rect, numbers: tuple[int, int], inner: float
) -> None:
    segments = trace_rosette(rect, *numbers, inner)
    assert len(split_paths(segments)) == numbers[1]
    assert all(is_closed(path) for path in split_paths(segments))
    assert_inside(segments, rect)
    assert_same(segments, turn_over(rect))
    assert_same(segments, mirror(rect))


@given(boxes, numbers(), st.floats(0, 0.9))
@examples(15)
def test_a_rosette_follows_its_waves(rect: Rect, numbers: tuple[int, int], inner: float) -> None:
    waves, strands = numbers
    middle = rect.x + rect.width / 2, rect.y + rect.height / 2
    swing, radius = (1 - inner) / 2, max(rect.width, rect.height) / 2
    for strand, path in enumerate(split_paths(trace_rosette(rect, waves, strands, inner))):
        for x, y in sample_path(path):
            across, down = (x - middle[0]) * 2 / rect.width, (y - middle[1]) * 2 / rect.height
            reach, wave = hypot(across, down), waves * atan2(down, across) + tau * strand / strands
            if reach < 0.05:
                continue
            off = reach - (1 + inner) / 2 - swing * cos(wave)
            assert abs(off) / hypot(1, swing * waves * sin(wave) / reach) * radius < 0.01


@pytest.mark.parametrize(("waves", "strands"), [(12, 8), (8, 1), (6, 2), (5, 4), (1, 12)])
def test_a_rosette_reaches_the_edges_and_no_further_in_than_the_inner_share(
    waves: int, strands: int
) -> None:
    points = sample(trace_rosette(POKER, waves, strands, 0.45))
    assert bound(points) == pytest.approx(POKER, abs=SLIGHT)
    x, y = POKER.x + POKER.width / 2, POKER.y + POKER.height / 2
    reaches = [hypot((a - x) * 2 / POKER.width, (b - y) * 2 / POKER.height) for a, b in points]
    assert min(reaches) == pytest.approx(0.45, abs=0.001)
    assert max(reaches) == pytest.approx(1, abs=0.001)


@given(boxes, numbers(), st.floats(0.01, 0.25))
@examples(15)
def test_a_band_is_the_same_upside_down_and_in_a_mirror(
    rect: Rect, numbers: tuple[int, int], share: float
) -> None:
    segments = trace_band(rect, *numbers, share * min(rect.width, rect.height))
    assert len(split_paths(segments)) == numbers[1]
    assert all(is_closed(path) for path in split_paths(segments))
    assert_inside(segments, rect)
    assert_same(segments, turn_over(rect))
    assert_same(segments, mirror(rect))


@given(boxes, numbers(), st.floats(0.01, 0.25))
@examples(15)
def test_a_band_has_no_kinks(rect: Rect, numbers: tuple[int, int], share: float) -> None:
    for path in split_paths(trace_band(rect, *numbers, share * min(rect.width, rect.height))):
        assert_smooth(path)


def test_a_band_s_handles_follow_its_points_round_the_corners() -> None:
    """By the differences of neighbours: a wrong slope in a bend would make the waves wobble."""
    for path in split_paths(trace_band(POKER, 60, 3, 5 * MM)):
        spans = list(list_spans(path))[:-1]
        places = [span[0] for span in spans]
        for at, (start, handle, _, _) in enumerate(spans):
            near, far = (
                [places[(at + way) % len(places)][axis] - places[at - way][axis] for axis in (0, 1)]
                for way in (1, 2)
            )
            slope = [(8 * a - b) / 12 / 3 for a, b in zip(near, far, strict=True)]
            reach = handle[0] - start[0], handle[1] - start[1]
            assert dist(slope, reach) < 0.08 * hypot(*reach)


@pytest.mark.parametrize("strands", [1, 2, 6])
def test_a_band_weaves_between_the_edges_and_its_thickness(strands: int) -> None:
    thick = 5 * MM
    points = sample(trace_band(POKER, 60, strands, thick))
    assert bound(points) == pytest.approx(POKER, abs=SLIGHT)
    middle = POKER.x + POKER.width / 2
    at_top = [y - POKER.y for x, y in points if abs(x - middle) < thick and y < POKER.y + 100]
    assert (min(at_top), max(at_top)) == pytest.approx((0, thick), abs=SLIGHT)


def test_a_band_runs_round_the_corners() -> None:
    points = sample(trace_band(POKER, 60, 6, 5 * MM))
    corner = POKER.x, POKER.y
    assert 2 * MM < min(dist(point, corner) for point in points) < 4 * MM


@given(boxes, st.integers(1, 4), st.integers(1, 24))
@examples(15)
def test_a_ground_is_the_same_upside_down_and_in_a_mirror(
    rect: Rect, waves: int, strands: int
) -> None:
    segments = trace_ground(rect, waves, strands)
    assert_inside(segments, rect)
    assert_same(segments, turn_over(rect))
    assert_same(segments, mirror(rect))


@given(boxes, st.integers(1, 4), st.integers(1, 24))
@examples(15)
def test_a_ground_s_waves_end_at_the_edges(rect: Rect, waves: int, strands: int) -> None:
    for path in split_paths(trace_ground(rect, waves, strands)):
        points = sample_path(path)
        for x, y in (points[0], points[-1]):
            sides = abs(x - rect.x), abs(x - rect.right), abs(y - rect.y), abs(y - rect.bottom)
            assert min(sides) < 0.001


def test_a_ground_leaves_nothing_bare() -> None:
    points = sample(trace_ground(POKER, 4, 60))
    gap = POKER.height / 60
    cells = {(floor((x - POKER.x) / gap / 3), floor((y - POKER.y) / gap / 3)) for x, y in points}
    columns, rows = floor(POKER.width / gap / 3), 20
    assert cells >= {(i, j) for i in range(columns) for j in range(rows)}


# Knotwork

Plait = tuple[Rect, int, int, int, int, float]


@st.composite
def plaits(draw: st.DrawFn) -> Plait:
    columns, rows = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    holes = [(0, 0)] + [
        (columns - 2 * i, rows - 2 * j)
        for i in range(1, (columns + 1) // 2)
        for j in range(1, (rows + 1) // 2)
    ]
    cell, ratio = draw(st.floats(5, 30)), draw(st.floats(5 / 6 + 1e-6, 6 / 5))
    rect = Rect(3, 5, columns * cell, rows * cell * ratio)
    return (rect, columns, rows, *draw(st.sampled_from(holes)), draw(st.floats(0.1, 0.6)))


def has_cell(plait: Plait, column: int, row: int) -> bool:
    _, columns, rows, hole_columns, hole_rows, _ = plait
    left, top = (columns - hole_columns) // 2, (rows - hole_rows) // 2
    in_hole = left <= column < left + hole_columns and top <= row < top + hole_rows
    return 0 <= column < columns and 0 <= row < rows and not in_hole


def is_crossing(plait: Plait, i: int, j: int) -> bool:
    """Whether a side's middle, counted in half cells, lies between two cells."""
    if i % 2:
        return has_cell(plait, i // 2, j // 2 - 1) and has_cell(plait, i // 2, j // 2)
    return has_cell(plait, i // 2 - 1, j // 2) and has_cell(plait, i // 2, j // 2)


def list_crossings(plait: Plait) -> list[tuple[int, int]]:
    _, columns, rows, *_ = plait
    sides = [(i, j) for i in range(2 * columns + 1) for j in range(2 * rows + 1) if (i + j) % 2]
    return [side for side in sides if is_crossing(plait, *side)]


def list_strands(plait: Plait) -> list[list[tuple[int, int, int, int]]]:
    """For each strand its crossings, in order, with the heading there."""
    left = {(i, j, 1, dy) for i, j in list_crossings(plait) for dy in (-1, 1)}
    strands = []
    while left:
        start = i, j, dx, dy = min(left)
        strand: list[tuple[int, int, int, int]] = []
        while (i, j, dx, dy) != start or not strand:
            if is_crossing(plait, i, j):
                strand.append((i, j, dx, dy))
                left -= {(i, j, dx, dy), (i, j, -dx, -dy)}
            else:
                dx, dy = (dx, -dy) if i % 2 else (-dx, dy)
            i, j = i + dx, j + dy
        strands.append(strand)
    return strands


def find_place(plait: Plait, i: float, j: float) -> Point:
    """Where half cells are, but for the little that ribbons run out beyond their cells."""
    rect, columns, rows, *_ = plait
    return rect.x + i * rect.width / columns / 2, rect.y + j * rect.height / rows / 2


def is_above(plait: Plait, areas: list[Area], i: int, j: int, dx: int, dy: int) -> bool:
    """Whether it is the strand with this heading that shows unbroken at a crossing."""
    (upper,) = [area for area in areas if find_place(plait, i, j) in area]
    sides = [find_place(plait, i + dx * way, j + dy * way) for way in (-0.45, 0.45)]
    shown = [side in upper for side in sides]
    assert shown[0] == shown[1]
    return shown[0]


@given(plaits())
@examples(20)
def test_knotwork_s_strands_run_above_and_below_by_turns(plait: Plait) -> None:
    areas = list_areas(trace_plait(*plait))
    assert len(areas) == len(list_crossings(plait))
    strands = list_strands(plait)
    assert sum(len(strand) for strand in strands) == 2 * len(areas)
    for strand in strands:
        above = [is_above(plait, areas, *crossing) for crossing in strand]
        assert all(here != there for here, there in pairwise([*above, above[0]]))


@given(plaits())
@examples(20)
def test_knotwork_is_the_same_upside_down(plait: Plait) -> None:
    for segments in (trace_plait(*plait), trace_plait_edges(*plait)):
        assert_inside(segments, plait[0])
        assert_same(segments, turn_over(plait[0]))


@given(plaits(), st.sampled_from([0.0, 0.15, 0.5]))
@examples(20)
def test_knotwork_s_pieces_do_not_overlap(plait: Plait, gap: float) -> None:
    rect = plait[0]
    areas = list_areas(trace_plait(*plait, gap))
    for i in range(40):
        for j in range(40):
            point = rect.x + (i + 0.37) / 40 * rect.width, rect.y + (j + 0.41) / 40 * rect.height
            assert sum(point in area for area in areas) <= 1


@given(plaits())
@examples(15)
def test_knotwork_reaches_the_edges_and_spares_the_hole(plait: Plait) -> None:
    rect, columns, rows, hole_columns, hole_rows, _ = plait
    points = sample(trace_plait(*plait))
    assert bound(points) == pytest.approx(rect, abs=SLIGHT)
    if not hole_columns:
        return
    left, top = find_place(plait, columns - hole_columns, rows - hole_rows)
    hole = Rect(left, top, rect.right + rect.x - 2 * left, rect.bottom + rect.y - 2 * top)
    cell = max(rect.width / columns, rect.height / rows)
    inner = [
        point
        for point in points
        if abs(point[0] - rect.x - rect.width / 2) < hole.width / 2 - cell / 5
        and abs(point[1] - rect.y - rect.height / 2) < hole.height / 2 - cell / 5
    ]
    assert inner == []


@given(plaits())
@examples(15)
def test_knotwork_s_ribbons_are_of_one_width(plait: Plait) -> None:
    edges = [sample_path(path) for path in split_paths(trace_plait_edges(*plait))]
    rect, columns, rows, _, _, ribbon = plait
    width, height = rect.width / columns, rect.height / rows
    about = ribbon * width * height / hypot(width, height)
    pairs = list(zip(edges[::2], edges[1::2], strict=True))
    broad = measure(pairs[0][0][len(pairs[0][0]) // 2], pairs[0][1])
    assert 0.85 * about < broad <= about
    for left, right in pairs:
        assert min(measure(point, right) for point in left) > 0.95 * broad
        assert measure(left[len(left) // 2], right) < 1.05 * broad


def measure(point: Point, line: Sequence[Point]) -> float:
    """How far a point is from a line of many parts."""
    x, y = point
    nearest = dist(point, line[0])
    for (ax, ay), (bx, by) in pairwise(line):
        dx, dy = bx - ax, by - ay
        if dx or dy:
            share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
            share = 0 if share < 0 else 1 if share > 1 else share
            away = hypot(x - ax - share * dx, y - ay - share * dy)
            nearest = away if away < nearest else nearest
    return nearest


@given(plaits())
@examples(10)
def test_knotwork_without_gaps_covers_what_its_edges_bound(plait: Plait) -> None:
    """The edges of a piece are the long sides of its outline."""
    outline = sample(trace_plait(*plait, 0))
    assert list_lonely(sample(trace_plait_edges(*plait)), outline) == []


@pytest.mark.parametrize("gap", [0.05, 0.15])
def test_every_ribbon_keeps_its_gap(gap: float) -> None:
    plait: Plait = (Rect(0, 0, 100, 110), 3, 3, 0, 0, 0.5)
    left, right = split_paths(trace_plait_edges(*plait))[:2]
    wide = measure(sample_path(left)[len(sample_path(left)) // 2], sample_path(right))
    outlines = [sample_path(path) for path in split_paths(trace_plait(*plait, gap))]
    for one in outlines:
        apart = [measure(point, other) for other in outlines if other is not one for point in one]
        assert min(apart) == pytest.approx(gap * wide, rel=0.02)


# Roses and rays

roses = st.sampled_from([(4, 0.6), (8, 0.5), (16, 0.4), (32, 0.2)]).flatmap(
    lambda most: st.tuples(st.just(most[0]), st.floats(0.05, most[1]))
)


@given(boxes, roses)
@examples(20)
def test_a_rose_is_the_same_upside_down(rect: Rect, rose: tuple[int, float]) -> None:
    halves = trace_rose(rect, *rose)
    for segments in halves:
        assert len(split_paths(segments)) == rose[0]
        assert_same(segments, turn_over(rect))
    assert bound(sample(halves[0] + halves[1])) == pytest.approx(rect, abs=SLIGHT)


@given(roses)
@examples(15)
def test_a_rose_turns_one_way(rose: tuple[int, float]) -> None:
    """A quarter turn leaves it the same; a mirror takes light for dark."""
    rect = Rect(-50, -50, 100, 100)
    light, dark = trace_rose(rect, *rose)
    for segments in (light, dark):
        assert_same(segments, lambda point: (-point[1], point[0]))
    mirrored = [mirror(rect)(point) for point in sample(light)]
    assert list_lonely(mirrored, sample(dark)) == []
    assert list_lonely(mirrored, sample(light)) != []


@given(boxes, roses)
@examples(15)
def test_a_rose_s_halves_do_not_overlap(rect: Rect, rose: tuple[int, float]) -> None:
    light, dark = trace_rose(rect, *rose)
    areas = list_areas(light + dark)
    assert min(area.measure() for area in areas) > 0.0005 * rect.width * rect.height * rose[1]
    for i in range(40):
        for j in range(40):
            point = rect.x + (i + 0.37) / 40 * rect.width, rect.y + (j + 0.41) / 40 * rect.height
            assert sum(point in area for area in areas) <= 1


@given(roses)
@examples(15)
def test_a_rose_has_no_holes(rose: tuple[int, float]) -> None:
    """From the middle every ray is covered until it leaves the rose."""
    areas = list_areas(sum(trace_rose(Rect(-100, -100, 200, 200), *rose), ()))
    for angle in range(5, 360, 11):
        covered = [
            any((reach * cos(angle), reach * sin(angle)) in area for area in areas)
            for reach in range(1, 100, 3)
        ]
        assert covered[0] and covered == sorted(covered, reverse=True)


@given(boxes, st.integers(1, 40).map(lambda half: 2 * half), st.floats(0, 0.95))
@examples(15)
def test_rays_are_the_same_upside_down_and_in_a_mirror(
    rect: Rect, count: int, inner: float
) -> None:
    segments = trace_rays(rect, count, inner)
    assert_inside(segments, rect)
    assert_same(segments, turn_over(rect))
    assert_same(segments, mirror(rect))


@given(boxes, st.integers(1, 40).map(lambda half: 2 * half), st.floats(0, 0.95))
@examples(15)
def test_rays_take_half_of_the_ring(rect: Rect, count: int, inner: float) -> None:
    areas = list_areas(trace_rays(rect, count, inner))
    assert len(areas) == count
    ring = pi / 4 * rect.width * rect.height * (1 - inner**2)
    assert sum(area.measure() for area in areas) == pytest.approx(ring / 2, rel=0.01)
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    assert any((x, y - rect.height / 2 * (1 + inner) / 2) in area for area in areas)


# What is refused

BAND = 5 * MM


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (lambda: trace_rosette(POKER, 0, 8, 0.5), "a guilloche has from 1 to 400 waves, not 0"),
        (lambda: trace_rosette(POKER, 12, 0, 0.5), "a guilloche has from 1 to 400 strands, not 0"),
        (lambda: trace_rosette(POKER, 300, 300, 0.5), "300 waves of 300 strands are too many"),
        (lambda: trace_rosette(POKER, 5, 3, 0.5), "5 waves and 3 strands look different upside"),
        (lambda: trace_rosette(POKER, 5, 4, 1), "inner share must be from 0 to below 1, not 1"),
        (lambda: trace_rosette(POKER, 5, 4, float("nan")), "inner share must be from 0"),
        (lambda: trace_rosette(Rect(0, 0, 0, 9), 5, 4, 0.5), "no room for an ornament in a box"),
        (lambda: trace_band(POKER, 61, 3, BAND), "61 waves and 3 strands look different upside"),
        (lambda: trace_band(POKER, 60, 3, 0), "a band must be thicker than 0mm"),
        (lambda: trace_band(POKER, 60, 3, 30 * MM), "a band of 30mm is too thick"),
        (lambda: trace_ground(POKER, 4, 401), "a guilloche has from 1 to 400 strands, not 401"),
        (lambda: trace_plait(POKER, 1, 2, 0, 0, 0.5), "knotwork has from 2 to 40 columns, not 1"),
        (lambda: trace_plait(POKER, 10, 99, 0, 0, 0.5), "knotwork has from 2 to 40 rows, not 99"),
        (lambda: trace_plait(POKER, 10, 14, -2, 2, 0.5), "a hole cannot have -2 columns"),
        (lambda: trace_plait(POKER, 10, 14, 10, 2, 0.5), "leaves no knotwork at the sides; at mo"),
        (lambda: trace_plait(POKER, 10, 14, 5, 2, 0.5), "cannot lie in the middle of 10; both mu"),
        (lambda: trace_plait(POKER, 10, 14, 6, 0, 0.5), "a hole of 6 by 0 cells is none; both mu"),
        (lambda: trace_plait(POKER, 10, 14, 6, 8, 0.7), "ribbon must be from 0.1 to 0.6, not 0.7"),
        (lambda: trace_plait(POKER, 10, 14, 6, 8, 0.5, 2), "gap must be from 0 to 1, not 2"),
        (lambda: trace_plait(POKER, 10, 10, 0, 0, 0.5), "10 columns ask for about 14 rows"),
        (lambda: trace_plait(Rect(0, 0, 0, 0), 9, 9, 0, 0, 0.5), "no room for an ornament"),
        (lambda: trace_rose(POKER, 12, 0.2), "a rose has 4, 8, 16 or 32 points, not 12"),
        (lambda: trace_rose(POKER, 32, 0.3), "inner share from 0.05 to 0.2, not 0.3"),
        (lambda: trace_rays(POKER, 7, 0.3), "look the same upside down if there are 2, 4, 6"),
        (lambda: trace_rays(POKER, 8, 1.0), "inner share must be from 0 to below 1, not 1"),
    ],
)
def test_senseless_numbers_are_refused(trace: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError) as caught:
        trace()
    assert sentence in str(caught.value)
