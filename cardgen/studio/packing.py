"""What the studio's page is told, as plain data for JSON: docs/studio.md says what each key means.

Knows nothing of how it is sent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from typing import cast
from urllib.parse import quote

from cardgen.core.errors import Problem, Where
from cardgen.core.geometry import Insets, Rect, Size
from cardgen.core.library import HOME, PICTURE_SUFFIXES
from cardgen.core.messages import Entry, read_entries
from cardgen.core.shape import Contour, Segment
from cardgen.core.units import MM
from cardgen.deck.model import MAX_HAND, MAX_PLAYERS, Deal, Value
from cardgen.layout.art.contours import read_path
from cardgen.layout.trace import Traced
from cardgen.pages.target_file import read_targets
from cardgen.studio.easel import SIDES, Easel, Spot
from cardgen.template.model import Format, LineSpec, PathSpec
from cardgen.template.template import Element, Template, list_elements

Data = dict[str, object]
# The attribute of an element that names a file, and what the field is that it is read from.
_FILES = {"icon": "icon", "image": "picture"}
OURS = "cardgen:"  # before the name of a file that comes with cardgen
_MOST_VALUES = 12
_SLACK = 0.1
_MOST_OF = 0.6


def pack_deck(easel: Easel) -> Data:
    """Return what is told of a deck, without its cards."""
    deck = easel.deck
    return {
        "name": deck.name,
        "title": deck.title,
        "file": name_file(deck.path),
        "own": not deck.path.resolve().is_relative_to(HOME / "decks")
        or easel.project.folder.resolve() == HOME,
        "view": {
            "target": easel.target.name,
            "look": easel.view.look or easel.project.settings.look,
            "language": deck.language,
        },
        "designs": len(deck.cards),
        "copies": deck.copies,
        "problems": pack_problems(easel.problems, "error") + pack_problems(deck.notes, "note"),
        "fields": list_fields(easel),
        "deal": pack_deal(deck.deal or Deal(), _list_aside(easel)),
    }


def _list_aside(easel: Easel) -> list[str]:
    """Return the keys of the cards that stay out of the pile."""
    aside = set(easel.deck.deal.aside if easel.deck.deal else ())
    return [key for key in easel.keys if easel.get_card(key).id in aside]


def pack_deal(deal: Deal, aside: list[str]) -> Data:
    """Return how a deck is dealt, and the most that hands and players can be."""
    return {
        "hand": deal.hand,
        "players": deal.players,
        "points": deal.points._asdict() if deal.points else None,
        "aside": aside,
        "most": {"hand": MAX_HAND, "players": MAX_PLAYERS},
    }


def pack_card(easel: Easel, key: str) -> Data:
    """Return what is told of a card."""
    card = easel.get_card(key)
    kind = card.fields.get("kind")
    return {
        "id": key,
        "name": card.name,
        "kind": kind if isinstance(kind, str) else None,
        "template": card.template,
        "back": card.back,
        "count": card.count,
        "number": easel.get_number(key),
        "place": pack_place(card.where),
        "fields": {name: pack_value(value) for name, value in card.fields.items()},
        "faces": {side: pack_face(easel, Spot(key, side)) for side in SIDES},
        **pack_seen(easel, key),
    }


def pack_value(value: Value) -> object:
    """Return a value as JSON knows it, which has no infinite numbers."""
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if isinstance(value, list):
        return list(map(pack_value, value))
    if isinstance(value, dict):
        return {name: pack_value(inner) for name, inner in value.items()}
    return value


def pack_seen(easel: Easel, key: str) -> Data:
    """Return what is known of a card since its faces were composed."""
    found = (easel.find_seen(Spot(key, side)) for side in SIDES)
    shrunk = [entry for seen in found if seen is not None for entry in seen.shrunk]
    problems = [pack_problem(problem, "error", key) for problem in easel.list_problems(key)]
    gaps = [pack_problem(problem, "warning", key) for problem in _list_gaps(easel, key)]
    return {
        "problems": problems + gaps,
        "shrunk": [
            {"text": entry.field, "size": round(entry.size, 2), "usual": round(entry.usual, 2)}
            for entry in shrunk
        ],
    }


def _list_gaps(easel: Easel, key: str) -> Iterator[Problem]:
    """Yield a problem for each text of a card that is not in the language asked for."""
    translation, card = easel.deck.translation, easel.get_card(key)
    if translation is None:
        return
    for gap in translation.missing:
        if card.name in gap.cards:
            yield Problem(
                "build/text-not-translated",
                f"not in {translation.language}: {gap.field}",
                card.where,
                card=card.name,
                field=gap.field,
                details={"language": translation.language, "cards": (card.name,)},
            )


def pack_face(easel: Easel, spot: Spot) -> Data | None:
    """Return what is told of a face; None where there is none."""
    version = easel.find_version(spot)
    if version is None:
        return None
    return {
        "v": version,
        "url": name_face(easel.deck.name, spot, version),
        **_pack_format(easel.get_template(spot).format),
    }


@lru_cache(maxsize=200)
def _pack_format(format_: Format) -> Data:
    outline = format_.shape.trace(Rect(0, 0, *format_.size))
    return {
        "width": to_mm(format_.size.width),
        "height": to_mm(format_.size.height),
        "bleed": _pack_insets(format_.bleed),
        "safe": _pack_insets(format_.safe),
        "shape": format_.shape.name,
        "outline": _pack_outline(outline),
    }


def pack_boxes(easel: Easel, spot: Spot) -> Data:
    """Return where each element of a face lies, and where it is written."""
    template = easel.get_template(spot)
    boxes = [
        {
            "element": traced.tag,
            "x": to_mm(traced.rect.x),
            "y": to_mm(traced.rect.y),
            "width": to_mm(traced.rect.width),
            "height": to_mm(traced.rect.height),
            "place": pack_place(traced.node.where),
            "used": [pack_place(where) for where in _list_uses(traced.node.where)],
            "template": template.name,
            "text": traced.node.text or None,
            "fields": list(dict.fromkeys(getattr(traced.node.spec, "fields", ()))),
            "fold": _find_fold(traced, template.format.size),
        }
        for traced in easel.trace(spot)
    ]
    return {"v": easel.find_version(spot), "boxes": boxes}


def _find_fold(traced: Traced, size: Size) -> str | None:
    """Return the SVG path, in mm, of dashed lines from edge to edge, which one folds along."""
    spec, rect = traced.node.spec, traced.rect
    if isinstance(spec, PathSpec) and spec.ink.dash and spec.view is None:
        return _find_folds(spec.data, rect, size)
    if not isinstance(spec, LineSpec) or not spec.dash:
        return None
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    if spec.down and rect.height >= size.height - _SLACK:
        return f"M{to_mm(x):g} 0V{to_mm(size.height):g}"
    if not spec.down and rect.width >= size.width - _SLACK:
        return f"M0 {to_mm(y):g}H{to_mm(size.width):g}"
    return None


def _find_folds(data: str, rect: Rect, size: Size) -> str | None:
    """Return a path in mm as it lies on a card, where it goes over most of it, as a box's does."""
    left, top = to_mm(rect.x), to_mm(rect.y)
    segments = [
        (operator, [number + (top if at % 2 else left) for at, number in enumerate(numbers)])
        for operator, numbers in read_path(data)
    ]
    xs = [number for _, numbers in segments for number in numbers[::2]]
    ys = [number for _, numbers in segments for number in numbers[1::2]]
    if not xs or (
        max(xs) - min(xs) < _MOST_OF * to_mm(size.width)
        and max(ys) - min(ys) < _MOST_OF * to_mm(size.height)
    ):
        return None
    return "".join(f"{op}{' '.join(f'{n:g}' for n in numbers)}" for op, numbers in segments)


def _list_uses(where: Where) -> list[Where]:
    return [where.used, *_list_uses(where.used)] if where.used else []


def name_face(deck: str, spot: Spot, version: str) -> str:
    """Return the address of a face's picture."""
    return f"face/{quote(deck, safe='')}/{quote(spot.card, safe='')}/{spot.side}?v={version}"


def _pack_insets(insets: Insets) -> Data:
    return {side: to_mm(getattr(insets, side)) for side in ("top", "right", "bottom", "left")}


def _pack_outline(line: Contour) -> str:
    return "".join(map(_pack_segment, line.segments))


def _pack_segment(segment: Segment) -> str:
    operator, numbers = segment
    return operator + " ".join(f"{to_mm(number):g}" for number in numbers)


def to_mm(points: float) -> float:
    """Return points as millimetres, as fine as matters."""
    return round(points / MM, 3)


def pack_place(where: Where | None) -> Data | None:
    """Return a place in a file."""
    if where is None:
        return None
    return {"file": _name_where(where.file), "line": where.line, "column": where.column}


@lru_cache(maxsize=500)
def _name_where(file: str) -> str:
    return name_file(Path(file))


def name_file(path: Path) -> str:
    """Return a path from the project's folder, which is the folder in hand, or from cardgen's."""
    here = Path.cwd()
    if path.is_relative_to(here):
        return path.relative_to(here).as_posix()
    if path.is_relative_to(HOME):
        return OURS + path.relative_to(HOME).as_posix()
    return path.as_posix()


def pack_problems(problems: Iterable[Problem], level: str) -> list[Data]:
    """Return problems, each once."""
    return [pack_problem(problem, level) for problem in dict.fromkeys(problems)]


def pack_problem(problem: Problem, level: str = "error", key: str | None = None) -> Data:
    """Return a problem with its cause and its cure; `key` is that of its card."""
    entry = _read_catalogue().get(problem.code)
    return {
        "code": problem.code,
        "message": problem.message,
        "hint": problem.hint,
        "place": pack_place(problem.where),
        "cause": entry.cause if entry else None,
        "cure": entry.cure if entry else None,
        "card": key,
        "field": problem.field,
        "details": dict(problem.details),
        "level": level,
    }


@cache
def _read_catalogue() -> Mapping[str, Entry]:
    return read_entries()


def list_fields(easel: Easel) -> list[Data]:
    """Return the fields that the deck's cards have, those of the columns of its table, and those
    that its templates know.
    """
    values: dict[str, list[Value]] = defaultdict(list)
    used: dict[str, dict[str, None]] = defaultdict(dict)
    for card in easel.deck.cards:
        for name, value in card.fields.items():
            used[name][card.template] = None
            if value is not None:
                values[name].append(value)
    for name in easel.deck.columns:
        used.setdefault(name, {})
    defaults: dict[str, Value] = {}
    kinds: dict[str, str] = {}
    for template_name, template in easel.templates:
        for name, default in template.fields.items():
            defaults.setdefault(name, default)
            used[name][template_name] = None
        kinds |= find_files(template)
    icons = set(easel.library.list_names("icon"))
    kinds = {
        name: kind
        for name, kind in kinds.items()
        if kind != "icon" or all(isinstance(one, str) and one in icons for one in values[name])
    }
    return [
        {
            "name": name,
            "type": kinds.get(name) or _guess_type([*values[name], defaults.get(name)]),
            "default": pack_value(defaults.get(name)),
            "templates": list(templates),
            "values": list(map(pack_value, _list_common(values[name]))),
        }
        for name, templates in used.items()
    ]


def find_files(template: Template) -> dict[str, str]:
    """Return the fields of which icons and pictures are read."""
    found: dict[str, str] = {}
    for element in list_elements(template.elements):
        if element.tag in _FILES:
            found |= dict.fromkeys(_list_named_fields(element), _FILES[element.tag])
    return found


def _list_named_fields(element: Element) -> list[str]:
    return [
        field
        for name, expression in element.expressions
        if name in ("name", "file")
        for field in expression.fields[:1]
        if len(set(expression.fields)) == 1
    ]


def _guess_type(values: list[Value]) -> str:
    filled = [value for value in values if value is not None]
    if not filled:
        return "text"
    if all(isinstance(value, bool) for value in filled):
        return "flag"
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in filled):
        return "number"
    if all(isinstance(value, str) and value[:1] == "#" for value in filled):
        return "colour"
    if all(is_picture(value) for value in filled):
        return "picture"
    return "list" if any(isinstance(value, list | dict) for value in filled) else "text"


def is_picture(value: Value) -> bool:
    """Whether a value is written as the name of a picture is."""
    return isinstance(value, str) and value.lower().endswith(PICTURE_SUFFIXES)


def _list_common(values: list[Value]) -> list[Value]:
    """Return the values of a field that has few, as a kind has."""
    texts = [value for value in values if isinstance(value, str | int | float)]
    known = list(dict.fromkeys(texts))
    return [*known] if len(known) <= min(_MOST_VALUES, len(texts) // 2) else []


def list_targets(easel: Easel) -> list[Data]:
    """Return the targets that may be chosen, for which all of their files are read."""
    targets, _ = read_targets(easel.library)
    return [{"name": target.name, "title": target.title} for target in targets]


def list_looks_and_languages(easel: Easel) -> Data:
    """Return what else may be chosen of how the deck is shown."""
    overlays = easel.project.library.find_overlays(easel.deck.path)
    translation = easel.deck.translation
    own = easel.deck.language if translation is None else translation.own
    return {
        "looks": easel.project.library.list_looks(),
        "languages": list(dict.fromkeys((own, *sorted(overlays)))),
    }


def is_moved(before: Data | None, now: Data) -> bool:
    """Whether a card is as it was, and only stands in another line."""
    return before is not None and {**before, "place": None} == {**now, "place": None}


def find_spots(cards: Mapping[str, Data]) -> dict[str, Spot]:
    """Return one face of each version."""
    found: dict[str, Spot] = {}
    for key, card in cards.items():
        faces = cast(dict[str, Data | None], card["faces"])
        for side in SIDES:
            face = faces[side]
            if face is not None:
                found.setdefault(cast(str, face["v"]), Spot(key, side))
    return found
