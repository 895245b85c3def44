"""Lines: a paragraph's spans prepared as material, and the places where its lines end.

Widths are in em, so that one material serves every size. Each line first ends at the last place
that fits, which makes the fewest lines there are; then ends move to better places within as many
lines. Knows nothing of points, colours or pages.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import inf
from operator import add
from typing import Protocol

from cardgen.text.look import NO_EXTENT, Extent, Inset, Look
from cardgen.text.markup import BOLD, ITALIC, Inline, Span
from cardgen.text.shaping import Font, Piece, Word

SLACK = 1e-6
# A last line is lonely when it is one word of so few letters, or narrower than this share.
SHORT_WORD_LETTERS = 6
SHORT_LAST_LINE = 0.2
# What is bad costs as much as the square of a line's white space, as a share of the width.
BROKEN_WORD = 0.15**2
LONELY_WORD = 1.0
USUAL_GAPS = 6

_FACES = BOLD | ITALIC


# Material


class Material:
    """The atoms of a paragraph, which no line may part, in parallel lists.

    spaces: the word space behind each atom, 0 where the next one follows at once
    starts, ends: where each atom begins and ends if all stand on one line
    stops: where a line would end that breaks behind each atom, rising; two are equal where no
        break may be
    segments: the atoms at which a new run begins, for its font or look differs or no space stands
        before
    looks: of the atoms that look otherwise than their text
    tall: of the atoms that reach above its capitals or below its letters
    widest: the widest thing that no line can break, once it was asked for
    """

    __slots__ = (
        "breaks",
        "ends",
        "fonts",
        "icons",
        "looks",
        "pieces",
        "room",
        "segments",
        "spaces",
        "starts",
        "stops",
        "tall",
        "widest",
        "words",
    )

    def __init__(self) -> None:
        self.words: list[Word] = []
        self.fonts: list[Font] = []
        self.spaces: list[float] = []
        self.pieces: dict[int, Piece] = {}
        self.icons: dict[int, Inset] = {}
        self.looks: dict[int, Look] = {}
        self.tall: dict[int, Extent] = {}
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.stops: list[float] = []
        self.segments: list[int] = []
        self.room = -1.0  # the width that the lines were last broken to
        self.breaks: list[int] | None = None
        self.widest: tuple[float, str] | None = None

    def __len__(self) -> int:
        return len(self.words)

    @property
    def width(self) -> float:
        """The width of all of it on one line."""
        return self.ends[-1] if self.ends else 0.0


class Dresser(Protocol):
    """Knows how spans look that differ from their text, and what their icons take."""

    def dress(self, span: Span) -> tuple[Mapping[int, Font], Look]: ...

    def measure(self, icon: Inline) -> Inset: ...


def prepare_material(
    spans: Sequence[Span], fonts: Mapping[int, Font], dresser: Dresser
) -> Material:
    """Shape the words of a paragraph and note where it may break."""
    material = Material()
    words, owners, spaces = material.words, material.fonts, material.spaces
    segments = material.segments
    glued: list[int] = []  # atoms that the next one follows at once
    figures: list[int] = []
    for span in spans:
        face, text, icon, styles = span
        look, scale = None, 1.0
        if styles or face > _FACES:
            owned, look = dresser.dress(span)
            font, scale = owned[face & _FACES], look.scale
        else:
            font = fonts[face]
        begin = len(words)
        if not segments or segments[-1] != begin:
            segments.append(begin)
        if icon is not None:
            _add_icon(material, dresser.measure(icon), font, look)
            glued.append(begin)
            continue
        texts = text.split(" ")
        if not texts[0]:
            if spaces:
                spaces[-1] = font.space * scale
            del texts[0]
        trailing = bool(texts) and not texts[-1]
        if trailing:
            texts.pop()
        if not texts:
            continue
        shaped = list(map(font.__getitem__, texts))
        if font.compounds and not font.compounds.isdisjoint(texts):
            _add_pieces(material, font, shaped, glued)
        else:
            words += shaped
            owners += [font] * len(shaped)
            spaces += [font.space] * len(shaped)
        if font.figures and not font.figures.isdisjoint(texts):
            figures += [n for n in range(begin, len(words)) if words[n].text in font.figures]
        if look is not None:
            _dress(material, begin, look, fonts[0])
        if not trailing:
            spaces[-1] = 0.0
            glued.append(len(words) - 1)
    if words:
        held = [number for number in glued if spaces[number] == 0.0]
        _measure(material, sorted({*held, *_list_counts(words, figures)}) if figures else held)
    return material


def _add_icon(material: Material, inset: Inset, font: Font, look: Look | None) -> None:
    at, scale = len(material.words), 1.0
    material.icons[at] = inset
    material.words.append(Word("", font.file, inset.width))
    material.fonts.append(font)
    material.spaces.append(0.0)
    if look is not None:
        material.looks[at], scale = look, look.scale
    if inset.extent != NO_EXTENT or scale > 1:
        cap, more = font.file.cap_height, scale - 1
        rise = inset.extent.rise * scale + more * (1 + cap) / 2
        material.tall[at] = Extent(rise, inset.extent.drop * scale + more * (1 - cap) / 2)


def _dress(material: Material, begin: int, look: Look, base: Font) -> None:
    """Give the atoms from one on their look."""
    scale = look.scale
    for at in range(begin, len(material.words)):
        material.looks[at] = look
        if scale != 1:
            material.spaces[at] *= scale
        if scale > 1:
            file = material.fonts[at].file
            rise = file.cap_height * scale - base.file.cap_height
            drop = file.depth * scale - base.file.depth
            material.tall[at] = Extent(max(rise, 0.0), max(drop, 0.0))


def _list_counts(words: Sequence[Word], figures: Sequence[int]) -> Iterator[int]:
    """Yield the figures that count the word behind them: no line parts the two."""
    for number in figures:
        if number + 1 < len(words) and words[number + 1].text[:1].isalpha():
            yield number


def _add_pieces(material: Material, font: Font, shaped: list[Word], glued: list[int]) -> None:
    for word in shaped:
        for piece in word.pieces:
            if piece.start or piece.font is not font:
                material.segments.append(len(material.words))
            material.pieces[len(material.words)] = piece
            glued.append(len(material.words))
            material.words.append(piece.word)
            material.fonts.append(piece.font)
            material.spaces.append(0.0)
        if word.pieces:
            material.segments.append(len(material.words))
            glued.pop()
            material.spaces[-1] = font.space
        else:
            material.words.append(word)
            material.fonts.append(font)
            material.spaces.append(font.space)


def _measure(material: Material, glued: Sequence[int]) -> None:
    widths = [word.width for word in material.words]
    for at, look in material.looks.items():
        widths[at] *= look.scale
    starts = list(accumulate(map(add, widths, material.spaces), initial=0.0))
    starts.pop()
    ends = list(map(add, starts, widths))
    material.starts, material.ends = starts, ends
    if material.pieces:
        material.stops = _measure_stops(material, frozenset(glued))
    elif glued:
        stops = ends[:]
        for number in reversed(glued):
            if number + 1 < len(stops):
                stops[number] = stops[number + 1]
        material.stops = stops
    else:
        material.stops = ends


def _measure_stops(material: Material, glued: frozenset[int]) -> list[float]:
    """Return the stops of material that may break within words."""
    stops = []
    last = len(material) - 1
    for number, end in enumerate(material.ends):
        piece = material.pieces.get(number)
        if number == last or (material.spaces[number] > 0 and number not in glued):
            stops.append(end)
        elif piece is not None and piece.breaks:
            look = material.looks.get(number)
            scale = look.scale if look is not None else 1.0
            stops.append(end + (piece.font["-"].width * scale if piece.hyphen else 0.0))
        else:
            stops.append(inf)
    lowest = inf
    for number in range(last, -1, -1):
        lowest = min(lowest, stops[number])
        stops[number] = lowest
    return stops


# Ends of lines


def break_lines(material: Material, width: float) -> list[int] | None:
    """Return the atoms before which lines of at most `width` em end; None if a word is wider."""
    if material.room == width:
        return material.breaks
    starts, stops = material.starts, material.stops
    count = len(starts)
    breaks: list[int] = []
    at = 0
    material.room, material.breaks = width, None
    if not count:
        breaks.append(0)  # an empty line is a line
    while at < count:
        end = bisect_right(stops, starts[at] + width + SLACK, at)
        if end == at:
            return None
        breaks.append(end)
        at = end
    material.breaks = breaks
    return breaks


def list_extents(material: Material, breaks: Sequence[int]) -> list[Extent]:
    """Return how far each line reaches above its capitals and below its letters."""
    extents = [NO_EXTENT] * len(breaks)
    for at, extent in material.tall.items():
        line = bisect_right(breaks, at)
        extents[line] = extents[line].join(extent)
    return extents


def find_widest(material: Material) -> tuple[float, str]:
    """Return the width of the widest thing that no line can break, and its text."""
    if material.widest is None:
        material.widest = _find_widest(material)
    return material.widest


def _find_widest(material: Material) -> tuple[float, str]:
    starts, stops = material.starts, material.stops
    widest, begin, end = 0.0, 0, 0
    at, last = 0, len(stops) - 1
    for number, stop in enumerate(stops):
        if number < last and stops[number + 1] == stop:
            continue
        if stop - starts[at] > widest:
            widest, begin, end = stop - starts[at], at, number + 1
        at = number + 1
    texts = (
        material.words[n].text + (" " if material.spaces[n] else "") for n in range(begin, end)
    )
    return widest, "".join(texts).rstrip()


def join_pieces(material: Material, at: int, end: int) -> Material:
    """Return the atoms of one line, the pieces of its unbroken words shaped as one again."""
    line = Material()
    number = at
    while number < end:
        if number in material.icons:
            line.icons[len(line)] = material.icons[number]
        look = material.looks.get(number)
        font, word = material.fonts[number], material.words[number]
        piece = material.pieces.get(number)
        if piece is not None:
            text = word.text
            while piece.breaks and number + 1 < end and material.fonts[number + 1] is font:
                number += 1
                piece = material.pieces[number]
                text += piece.word.text
            broken = piece.breaks and piece.hyphen and number + 1 == end
            word = font.join(text, hyphen=broken)
        before = len(line) - 1
        # A run has its own font's spaces; those between words of a fallback are of the first font.
        if (
            before < 0
            or line.fonts[before] is not font
            or line.spaces[before] != font.space * (look.scale if look else 1.0)
            or len(line) in line.icons
            or before in line.icons
            or line.looks.get(before) != look
        ):
            line.segments.append(len(line))
        if look is not None:
            line.looks[len(line)] = look
        line.words.append(word)
        line.fonts.append(font)
        line.spaces.append(material.spaces[number])
        number += 1
    _measure(line, ())
    return line


# Better ends


def polish_breaks(
    material: Material, breaks: list[int], width: float, *, even: bool, last_free: bool = False
) -> list[int]:
    """Return better ends for as many lines, so that no single short word stands last.

    `even` also evens out the lines, all of them or (`last_free`) all but the last.
    """
    if len(breaks) < 2:
        return breaks
    if even:
        return _even_breaks(material, breaks, width, last_free)
    last, before = breaks[-2], breaks[-3] if len(breaks) > 2 else 0
    if not _is_short_ending(material, last, width):
        return breaks
    for end in range(last - 1, before, -1):
        if material.ends[-1] - material.starts[end] > width + SLACK:
            break
        if _may_break(material, end) and not _is_short_ending(material, end, width):
            return [*breaks[:-2], end, breaks[-1]]
    # Where the line before has nothing to give, all lines are looked at.
    better = _even_breaks(material, breaks, width, last_free=False)
    return breaks if _is_short_ending(material, better[-2], width) else better


def _is_short_ending(material: Material, start: int, width: float) -> bool:
    """Return whether the last line, from this atom on, is one short word."""
    if any(space > 0 for space in material.spaces[start:-1]):
        return False
    if material.ends[-1] - material.starts[start] < SHORT_LAST_LINE * width:
        return True
    return sum(len(word.text) for word in material.words[start:]) <= SHORT_WORD_LETTERS


def _may_break(material: Material, end: int) -> bool:
    return material.spaces[end - 1] > 0 and material.stops[end - 1] < material.stops[end]


def _even_breaks(material: Material, breaks: list[int], width: float, last_free: bool) -> list[int]:
    """Return the ends that make the white space least, for as many lines."""
    starts, stops = material.starts, material.stops
    count, final = len(starts), len(breaks) - 1
    costs = {0: 0.0}
    before: list[dict[int, int]] = []  # for each line and its end, the best end of the line before
    for number, low in enumerate(_list_earliest(material, len(breaks), width)):
        reached: dict[int, float] = {}
        chosen: dict[int, int] = {}
        for end in range(low, breaks[number] + 1):
            stop = stops[end - 1]
            if end < count and stop == stops[end]:
                continue
            extra = BROKEN_WORD if number < final and not _may_break(material, end) else 0.0
            least = inf
            for at, cost in costs.items():
                room = width + SLACK - (stop - starts[at])
                if at >= end or room < 0:
                    continue
                if last_free:
                    if number < final:
                        cost += _weigh_gaps(material, at, end, room / width)
                else:
                    share = room / width
                    cost += share * share
                cost += extra
                if number == final and _is_short_ending(material, at, width):
                    cost += LONELY_WORD
                if cost < least:
                    least = reached[end] = cost
                    chosen[end] = at
        costs = reached
        before.append(chosen)
    if count not in costs:
        return breaks
    ends = [count]
    for chosen in before[:0:-1]:
        ends.append(chosen[ends[-1]])
    return ends[::-1]


def _weigh_gaps(material: Material, at: int, end: int, share: float) -> float:
    """Return how bad the white space of a justified line is, given its share of the width.

    The word spaces have to take it, so that few of them look worse.
    """
    gaps = sum(space > 0 for space in material.spaces[at : end - 1])
    return (share * USUAL_GAPS / max(gaps, 0.5)) ** 2


def _list_earliest(material: Material, lines: int, width: float) -> list[int]:
    """Return for each line the first atom at which it may end, for the rest to fit behind it."""
    starts, stops = material.starts, material.stops
    earliest = [len(starts)]
    for _ in range(lines - 1):
        at = earliest[-1] - 1
        limit = stops[at] - width - SLACK
        while at > 0 and starts[at - 1] >= limit:
            at -= 1
        earliest.append(max(at, 1))
    return earliest[::-1]
