"""A text set along a path: one line, each of its letters turned as the path runs.

Knows nothing of boxes or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import ceil, cos, sin

from cardgen.core.errors import Refusal
from cardgen.core.geometry import Rect
from cardgen.core.units import format_mm, format_pt
from cardgen.layout.art.outlines import trace_path
from cardgen.layout.art.walk import Curve, make_curve
from cardgen.layout.face import Element, Item, Outline, Role, Segment, Stroke
from cardgen.layout.inline import InlineArt
from cardgen.layout.room import SPARE, to_mm
from cardgen.layout.subject import TextRefusal
from cardgen.layout.typesetter import Typesetter
from cardgen.template.model import TextSpec
from cardgen.text.fit import Block, Text, find_size, measure_width
from cardgen.text.setting import Edged, InlineIcon, Piece, Rule, Run
from cardgen.text.shaping import Glyph, Word

_STEP = 0.5  # points of a curve that are taken for straight
_MOST_PARTS = 2_000  # of a path
_FLAT = 1e-4  # radians that are no turn


@lru_cache(maxsize=256)
def read_curve(data: str) -> Curve:
    """Return the curve of path data in millimetres; it is one piece."""
    segments, bounds = trace_path(data)
    if len(segments) > _MOST_PARTS:
        raise Refusal(
            "layout/path-for-text",
            f"a path for a text has {len(segments):,} parts; {_MOST_PARTS:,} are allowed",
            "draw a simpler one",
        )
    if sum(kind == "M" for kind, _ in segments) > 1:
        raise Refusal(
            "layout/path-for-text",
            "a path for a text has several pieces",
            "write one M, at its start",
        )
    curve = make_curve(segments, bounds, _STEP)
    if curve is None:
        raise Refusal("layout/path-for-text", "a path for a text has no length", "draw it longer")
    return curve


def choose_size_along(spec: TextSpec, block: Text, curve: Curve) -> float:
    """Return the largest size at which a text is not longer than its path."""
    if not isinstance(block, Block) or len(block.paragraphs) > 1:
        raise TextRefusal(
            "text/more-than-one-line", "is more than one line", "take the line breaks out"
        )
    wide, length = measure_width(block), curve.length
    size = find_size(lambda s: wide * s <= length + SPARE, spec.largest, spec.smallest)
    if size is None:
        needed = wide * spec.smallest
        raise TextRefusal(
            "text/too-long",
            f"is {format_mm(needed - length)} too long for its path: at {format_pt(spec.smallest)}"
            f" it needs {format_mm(needed)}, the path is {format_mm(length)} long",
            "shorten it, or draw a longer path",
            {"size": spec.smallest, "needed": to_mm(needed), "room": to_mm(length)},
        )
    return size


def draw_along(
    typesetter: Typesetter,
    spec: TextSpec,
    block: Text,
    size: float,
    curve: Curve,
    role: Role,
) -> list[Item]:
    """Return the items of a text along a curve, as one element that says its words: readers take
    turned letters for words of their own.
    """
    assert isinstance(block, Block)  # it is one line
    wide = measure_width(block) * size
    text = typesetter.set_text(block, spec.style, size, wide + 1, align="left")
    share = {"centre": 0.5, "right": 1.0}.get(spec.style.align, 0.0)
    bender = _Bender(curve, (curve.length - wide) * share, text.baselines[0])
    items: list[Item] = []
    bent = [piece for flat in text.pieces for piece in bender.bend(flat)]
    words = typesetter.tell(text.pieces) if spec.alt is None else spec.alt
    said = Element(role, alt=words) if words else None
    typesetter.draw_pieces(bent, items, element=said)
    items += (bender.bend_rule(piece) for piece in text.pieces if isinstance(piece, Rule))
    return items


class _Bender:
    """Bends what is set on a level line, which begins so far along a curve."""

    def __init__(self, curve: Curve, start: float, baseline: float) -> None:
        self._curve = curve
        self._start = start
        self._baseline = baseline

    def bend(self, piece: Piece) -> Iterator[Piece]:
        if isinstance(piece, Run):
            yield from self._bend_run(piece)
        elif isinstance(piece, Edged):
            yield from (Edged(run, piece.edge) for run in self._bend_run(piece.run))
        elif isinstance(piece, InlineIcon) and isinstance(piece.art, InlineArt):
            room = piece.art.measure().width * piece.size
            x, y, angle = self._find_place(piece.x, room)
            yield piece._replace(x=x, y=y, angle=angle)

    def _bend_run(self, run: Run) -> Iterator[Run]:
        scale, font = run.size / run.font.file.units, run.font
        x = run.x
        for number, word in enumerate(run.words):
            clusters = list(_list_clusters(word))
            for place, cluster in enumerate(clusters):
                width = sum(glyph[1] for glyph in cluster) * scale
                letter = Word(cluster[0][4], font.file, width / run.size, glyphs=cluster)
                parted = place + 1 == len(clusters) and number + 1 < len(run.words)
                left, top, angle = self._find_place(x, width)
                words = (letter, font.ending) if parted else (letter,)
                span = width / run.size + (font.space if parted else 0.0)
                yield Run(left, top, font, run.size, run.colour, words, 0.0, span, angle)
                x += width + font.tracking * run.size * len(cluster)
            x += font.space * run.size

    def _find_place(self, x: float, width: float) -> tuple[float, float, float]:
        """Return where something begins whose middle lies on the curve, and how it is turned."""
        middle_x, middle_y, angle = self._curve.find_place(self._start + x + width / 2)
        angle = 0.0 if abs(angle) < _FLAT else angle
        half = width / 2
        return middle_x - cos(angle) * half, middle_y - sin(angle) * half, angle

    def bend_rule(self, rule: Rule) -> Outline:
        """Return a line under words or through them, which runs beside the curve."""
        below = rule.y - self._baseline
        count = max(ceil(rule.width / _STEP / 2), 1)
        segments: list[Segment] = []
        for step in range(count + 1):
            along = self._start + rule.x + rule.width * step / count
            x, y, angle = self._curve.find_place(along)
            point = (x - sin(angle) * below, y + cos(angle) * below)
            segments.append(("L" if step else "M", point))
        xs, ys = zip(*(point for _, point in segments), strict=True)
        bounds = Rect(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        stroke = Stroke(rule.colour, rule.thickness, join="round")
        return Outline(tuple(segments), None, stroke, False, bounds)


def _list_clusters(word: Word) -> Iterator[tuple[Glyph, ...]]:
    """Yield the glyphs of a word that stand for letters, each with the marks upon it."""
    cluster: list[Glyph] = []
    for glyph in word.list_glyphs():
        if glyph[4] and cluster:
            yield tuple(cluster)
            cluster = []
        cluster.append(glyph)
    if cluster:
        yield tuple(cluster)
