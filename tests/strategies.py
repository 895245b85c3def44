"""What several tests share: targets and texts drawn by Hypothesis, fonts, decks made ready, and
faces taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

import yaml
from conftest import Project
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from making import Prepared, load_deck, prepare

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME, Library
from cardgen.deck.model import Card, Copy, Deck
from cardgen.layout.face import Face, Form, Item, Outline, Picture, Segment
from cardgen.layout.typesetter import Typesetter
from cardgen.pages.target import Side, Target, make_target
from cardgen.template.model import Style
from cardgen.text.fonts import FontShelf
from cardgen.text.lines import Material
from cardgen.text.setting import Run
from cardgen.text.shaping import Font

SOFT = "\u00ad"
MM = 72 / 25.4
SLACK = 1e-6

Drawn = Run | Outline | Picture


def examples(count: int) -> settings:
    """So many of a hundred examples that the profile allows, however slow the machine."""
    share = min(settings().max_examples, 100) / 100
    return settings(max_examples=max(round(count * share), min(count, 10)), deadline=None)


def examples_in_one_folder(count: int) -> settings:
    """The same for a test whose examples all write into the folder that it begins with."""
    unwatched = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(examples(count), suppress_health_check=unwatched)


# Texts of any letters. As soon as an encoding is named, and one is where none is asked for,
# Hypothesis encodes a million characters to find out which there are; these are the same.
any_character = st.characters(exclude_categories=["Cs"])


def any_text(min_size: int = 0, max_size: int | None = None) -> st.SearchStrategy[str]:
    return st.text(any_character, min_size=min_size, max_size=max_size)


# Targets


def draw_insets(most: float) -> st.SearchStrategy[Insets]:
    side = st.floats(0, most)
    return st.builds(Insets, side, side, side, side)


@st.composite
def draw_targets(draw: st.DrawFn, /, paper: Size, margin: Insets, **keys: Any) -> Target:
    """A target with crop marks: gaps or none, and bleeds for which they have room."""
    gap_x, gap_y = (draw(st.just(0.0) | st.floats(0.1, 30)) for _ in "xy")
    return make_target(
        name="any",
        title="Any",
        paper=paper,
        margin=margin,
        gap_x=gap_x,
        gap_y=gap_y,
        bleed_x=draw(st.floats(0, gap_x / 2 or 20)),
        bleed_y=draw(st.floats(0, gap_y / 2 or 20)),
        marks="crop",
        **keys,
    )


# Fonts

SHELF = FontShelf(Library(HOME))
PLAIN = Style()
HYPHENATED = Style(hyphenate=True)


@lru_cache
def find_typesetter(language: str = "en-GB") -> Typesetter:
    return Typesetter(Library(HOME), SHELF, language)


def make_font(
    family: str = "Alegreya Sans", weight: int = 400, *, italic: bool = False, **options: Any
) -> Font:
    """A new font, which has shaped nothing."""
    return Font(SHELF.open(family, weight, italic), **options)


def make_material(text: str, style: Style = PLAIN, language: str = "en-GB") -> Material:
    """The material of a text of one paragraph."""
    (material,) = find_typesetter(language).make_block(style, text).paragraphs
    return material


# Texts

_RULES = """
a I an of the to or +1 4-5 -15 2D6 10+ unit once per Attack General's may re-roll any one dice,
fights in combat; Infantry Cavalry/Chariot fit affix Wave AVATAR officer first Unbreakable
bearer's (not included) half— “quoted” naïve Übermut immediately
"""
_SOFT_RULES = f"un{SOFT}do can{SOFT}non im{SOFT}me{SOFT}di{SOFT}ate{SOFT}ly re{SOFT}al"
_WORDS, _SOFT_WORDS = _RULES.split(), _SOFT_RULES.split()


def _mark(word: str, sign: str) -> str:
    return f"{sign}{word}{sign}" if word[0].isalpha() and word[-1].isalpha() else word


plain_words = st.sampled_from(_WORDS)
soft_words = st.sampled_from([*_WORDS, *_SOFT_WORDS, *_SOFT_WORDS])
marked_words = st.builds(_mark, soft_words, st.sampled_from(["", "", "", "*", "**"]))
icons = st.sampled_from([":sword:", ":shield:"])


def join_words(word: st.SearchStrategy[str], longest: int = 40) -> st.SearchStrategy[str]:
    return st.lists(word, min_size=1, max_size=longest).map(" ".join)


# Rules as cards have them: words, bold and italic ones, icons; one paragraph.
lines_of_text = join_words(st.one_of(marked_words, marked_words, marked_words, icons))
# A few paragraphs, or lines broken by hand.
texts = st.lists(
    st.tuples(lines_of_text, st.sampled_from(["\n\n", "\\\n"])), min_size=1, max_size=3
).map(lambda found: "".join(map("".join, found)).rstrip("\n\\"))


def tenths(smallest: float, largest: float) -> st.SearchStrategy[float]:
    """Sizes as templates name them: whole tenths of a point."""
    return st.integers(round(smallest * 10), round(largest * 10)).map(lambda n: n / 10)


# Lines


def list_ends(material: Material) -> list[int]:
    """The atoms behind which a line may end."""
    stops = material.stops
    return [n for n in range(1, len(stops) + 1) if n == len(stops) or stops[n - 1] != stops[n]]


def measure_line(material: Material, at: int, end: int) -> float:
    return material.stops[end - 1] - material.starts[at]


def list_breaks(material: Material, width: float, count: int) -> Iterator[list[int]]:
    """Every way to break into so many lines, none wider than the width."""
    *inner, last = list_ends(material)
    for chosen in combinations(inner, count - 1):
        breaks = [*chosen, last]
        starts = [0, *chosen]
        if all(
            measure_line(material, at, end) <= width + SLACK
            for at, end in zip(starts, breaks, strict=True)
        ):
            yield breaks


# Decks


def make_job(
    project: Project,
    body: str,
    *cards: Mapping[str, object],
    size: str = "60mm x 40mm",
    bleed: str = "0",
    **head: object,
) -> Prepared:
    """A deck of these cards in a template with this body, which begins at line 2."""
    project.write_template(body, attributes=f'size="{size}" bleed="{bleed}"')
    named = [{"name": f"Card {number + 1}", **card} for number, card in enumerate(cards or ({},))]
    deck = {"template": "plain", **head, "cards": named}
    project.write("decks/deck.yaml", yaml.safe_dump(deck, allow_unicode=True, sort_keys=False))
    return prepare(load_deck("decks/deck.yaml"))


def make_faces(job: Prepared) -> list[Face]:
    """The front of every card, or everything that is wrong with them."""
    job.faces.look_at_all()
    faces: list[Face] = []
    problems: list[Problem] = []
    for number in range(len(job.deck.cards)):
        try:
            made = job.faces.get_face(Copy(number, 0), "front")
        except CardgenError as error:
            problems += error.problems
        else:
            assert made is not None
            faces.append(made.face)
    if problems:
        raise CardgenError.of(problems)
    return faces


def lay_out(
    project: Project, body: str, *cards: Mapping[str, object], **options: Any
) -> list[Face]:
    return make_faces(make_job(project, body, *cards, **options))


def find_problem(project: Project, body: str, *cards: Mapping[str, object], **options: Any) -> str:
    """What a user reads; paths begin at the project."""
    try:
        lay_out(project, body, *cards, **options)
    except CardgenError as error:
        return project.shorten(str(error))
    return ""


# Faces


def flatten(items: Sequence[Item], x: float = 0.0, y: float = 0.0) -> list[Drawn]:
    """What is drawn, at its place on the card, forms taken apart."""
    drawn: list[Drawn] = []
    for item in items:
        if isinstance(item, Form):
            drawn += flatten(item.shared.items, x + item.x, y + item.y)
        elif isinstance(item, Run):
            drawn.append(item._replace(x=item.x + x, y=item.y + y))
        elif isinstance(item, Picture):
            drawn.append(item._replace(frame=_move(item.frame, x, y), clip=_move(item.clip, x, y)))
        elif isinstance(item, Outline):
            moved = tuple(_move_segment(segment, x, y) for segment in item.segments)
            drawn.append(item._replace(bounds=_move(item.bounds, x, y), segments=moved))
    return drawn


def _move(rect: Rect, x: float, y: float) -> Rect:
    return rect._replace(x=rect.x + x, y=rect.y + y)


def _move_segment(segment: Segment, x: float, y: float) -> Segment:
    operator, points = segment
    return operator, tuple(v + (y if place % 2 else x) for place, v in enumerate(points))


def list_runs(face: Face) -> list[Run]:
    return [item for item in flatten(face.items) if isinstance(item, Run)]


def list_rects(face: Face) -> list[tuple[float, float, float, float]]:
    """The bounds of what is painted, in mm, in the order of painting."""
    outlines = [item for item in flatten(face.items) if isinstance(item, Outline)]
    return [in_mm(item.bounds) for item in outlines]


def in_mm(rect: Rect) -> tuple[float, float, float, float]:
    x, y, width, height = (round(side / MM, 3) + 0.0 for side in rect)
    return x, y, width, height


def list_lines(face: Face) -> list[str]:
    """The text line by line, as it is seen from the top."""
    return join_runs(list_runs(face))


def join_runs(runs: Sequence[Run]) -> list[str]:
    lines: dict[float, str] = {}
    for run in runs:
        y = round(run.y, 2)
        lines[y] = lines.get(y, "") + " ".join(word.text for word in run.words)
    return [text.strip() for _, text in sorted(lines.items())]


def list_sizes(face: Face) -> list[float]:
    """The sizes of type, largest first."""
    return sorted({run.size for run in list_runs(face)}, reverse=True)


def find_right(run: Run) -> float:
    """Where a run's last letter ends."""
    words = [word for word in run.words if word.text]
    widths = sum(word.width for word in words) * run.size
    return run.x + widths + (len(words) - 1) * (run.font.space * run.size + run.stretch)


def list_faces(deck: Deck, look: str | None = None) -> Iterator[tuple[Card, Side, Face]]:
    """Each face of a deck once, with the first card that shows it."""
    faces = prepare(deck, look=look).faces
    faces.look_at_all()
    seen: set[Face] = set()
    for number, card in enumerate(deck.cards):
        for side in ("front", "back"):
            made = faces.get_face(Copy(number, 0), side)
            if made is not None and made.face not in seen:
                seen.add(made.face)
                yield card, side, made.face
