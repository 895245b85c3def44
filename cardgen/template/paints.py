"""Colours and gradients as people write them: by name, or written out.

A colour is a name of the template, `black` or `white`, `#8a1c1c`, `#abc`, `rgb(138 28 28)`,
`cmyk(0 20 100 5)` or a name of CSS. A gradient is a name, `linear(…)` or `radial(…)`. Knows nothing
of elements or of where a text stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from cardgen.core.colour import (
    BLACK,
    WHITE,
    Across,
    Colour,
    Gradient,
    Outwards,
    Place,
    Stops,
    deepen,
    lighten,
    parse_cmyk,
    parse_hex,
    parse_rgb,
)
from cardgen.core.colour_names import CSS_COLOURS
from cardgen.core.errors import Refusal, shorten
from cardgen.core.names import find_near
from cardgen.core.units import Length, parse_length
from cardgen.template.hints import refuse_unknown

BUILT_IN_COLOURS = {"black": BLACK, "white": WHITE}

_CALL = re.compile(r"\s*([A-Za-z][A-Za-z-]*)\s*\((.*)\)\s*", re.DOTALL)
_BARE_HEX = re.compile(r"(?=.*[0-9])[0-9a-f]{6}")  # as spreadsheets leave it; a word has no digit
_MADE = re.compile(r"(?:-deep|-tint)+$")
_OPEN = re.compile(r"\s*[A-Za-z]+\s*\(")
_NUMBER = re.compile(r"[-+]?(?:\d{1,6}(?:\.\d*)?|\.\d+)")
_STOP = re.compile(r"(.*\S)\s+([-+]?[\d.]+)%?", re.DOTALL)
_WRITTEN = "write #8a1c1c, rgb(138 28 28) or cmyk(0 20 100 5)"
_RADIAL = "as in radial(at 30% 30% radius 60%, white, black)"
_MIDDLE = Length(share=0.5)


# Colours


def read_colour(
    text: str, colours: Mapping[str, Colour], gradients: Iterable[str] = (), *others: str
) -> Colour:
    """Return a colour; `others` are the words that would do as well."""
    found = _find_colour(text, colours)
    if found is not None:
        return found
    if text in gradients or _find_gradient_call(text):
        raise Refusal(
            "template/one-colour",
            f'"{shorten(text)}" is a gradient, and one colour is wanted here',
            "a gradient fills boxes, shapes and icons",
        )
    if _OPEN.match(text) and text.count("(") != text.count(")"):
        raise Refusal(
            "value/not-a-colour",
            f'"{shorten(text)}" has an open bracket',
            "close it with ) at its end",
        )
    if not text.strip():
        raise Refusal(
            "value/not-a-colour",
            "there is no colour",
            "for a card that has none write {{ card.colour or 'black' }}, or ask for it by if",
        )
    raise _refuse_name(text, (*BUILT_IN_COLOURS, *colours, *others))


def _find_colour(text: str, colours: Mapping[str, Colour]) -> Colour | None:
    """Return a colour that is known by its name or written out."""
    if text in colours:
        return colours[text]
    plain = text.strip()
    if made := _derive_colour(plain, colours):
        return made
    if plain.startswith("#"):
        return parse_hex(plain)
    if called := _CALL.fullmatch(plain):
        return _read_call(plain, called[1].lower(), called[2])
    # A deck may write "Fire" for the template's "fire".
    lower = plain.lower()
    for name, colour in (*colours.items(), *BUILT_IN_COLOURS.items()):
        if name.lower() == lower:
            return colour
    if _BARE_HEX.fullmatch(lower):
        return parse_hex(f"#{lower}")
    return parse_hex(CSS_COLOURS[lower]) if lower in CSS_COLOURS else None


def _derive_colour(plain: str, colours: Mapping[str, Colour]) -> Colour | None:
    """Return a colour made of the one before "-deep" or "-tint"."""
    under, _, made = plain.rpartition("-")
    base = _find_colour(under, colours) if made in ("deep", "tint") and under else None
    if base is None:
        return None
    if made == "deep":
        return deepen(base)
    # What is dark enough has the tint that is defined for it.
    bare = under.removesuffix("-deep")
    own = colours.get(f"{bare}-tint")
    return own if own and base == _find_colour(bare, colours) else lighten(base)


def _read_call(text: str, name: str, given: str) -> Colour | None:
    if name == "cmyk":
        return parse_cmyk(given)
    if name == "rgb":
        return parse_rgb(given)
    if name in _GRADIENTS:
        return None
    clear = f"{_WRITTEN}; how far it shines through is said by opacity"
    hint = clear if name in ("rgba", "hsla") else _WRITTEN
    raise Refusal("value/not-a-colour", f'"{shorten(text)}" is not a colour', hint)


def _refuse_name(text: str, known: Sequence[str]) -> Refusal:
    text = _MADE.sub("", text)
    message = f'unknown colour "{shorten(text)}"'
    unknown = refuse_unknown("template/unknown-colour", message, text, known, "colour")
    if unknown.details["near"]:
        return unknown
    if near := find_near(text, CSS_COLOURS):
        return refuse_unknown("template/unknown-colour", message, text, near, "colour")
    name = text if text.isidentifier() else "…"
    unknown.hint = f'{unknown.hint}; or define it: <colour name="{name}" cmyk="0 20 100 5"/>'
    return unknown


# Gradients


def find_gradient(text: str, colours: Mapping[str, Colour]) -> Gradient | None:
    """Return a gradient that is written out; None where the text is none."""
    called = _find_gradient_call(text)
    if called is None:
        return None
    first, *rest = split_list(called[2])
    if called[1].lower() == "linear":
        angle = _NUMBER.fullmatch(first.removesuffix("deg"))
        stops = read_stops(rest if angle else [first, *rest], colours)
        return Gradient(Across(float(angle[0]) if angle else 90.0), stops)
    course = _find_course(first)
    return Gradient(course or Outwards(), read_stops(rest if course else [first, *rest], colours))


def read_stops(parts: Sequence[str], colours: Mapping[str, Colour]) -> Stops:
    """Return the stops of a gradient, each a colour or a colour and its place: "pale 60"."""
    if len(parts) < 2 or not all(parts):
        raise Refusal(
            "template/wrong-gradient",
            "a gradient needs two stops or more",
            'as in "pale 0, dark 100"',
        )
    step = 100 / (len(parts) - 1)
    stops = []
    for number, part in enumerate(parts):
        placed = None if part in colours else _STOP.fullmatch(part)
        colour, at = (placed[1], _read_place(placed[2])) if placed else (part, step * number)
        stops.append((at / 100, read_colour(colour, colours)))
    places = [at for at, _ in stops]
    if places != sorted(places) or places[0] < 0 or places[-1] > 1:
        raise Refusal(
            "template/wrong-gradient",
            "the stops of a gradient must rise from 0 to 100",
            'as in "pale 0, dark 60"',
        )
    return _bring_together(tuple(stops))


def read_course(centre: str, radius: str, focus: str) -> Outwards:
    """Return the course of a radial gradient; what is empty is left to it."""
    return Outwards(
        _read_point(centre) if centre else (_MIDDLE, _MIDDLE),
        _read_radius(radius.split()) if radius else None,
        _read_point(focus) if focus else None,
    )


def split_list(text: str) -> list[str]:
    """Return what stands between commas, those within brackets left alone."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


_GRADIENTS = ("linear", "radial")


def _find_gradient_call(text: str) -> re.Match[str] | None:
    called = _CALL.fullmatch(text)
    return called if called and called[1].lower() in _GRADIENTS else None


def _read_place(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise Refusal("template/not-a-number", f'"{text}" is not a number', "write one as 60")
    return float(text)


def _find_course(text: str) -> Outwards | None:
    """Return where a radial gradient lies, as in "at 30% 30% radius 60% focus 20% 20%"."""
    words = text.split()
    if not words or words[0] not in ("at", "radius", "focus"):
        return None
    said: dict[str, list[str]] = {}
    name = ""
    for word in words:
        if word in ("at", "radius", "focus"):
            name = word
            if name in said:
                raise Refusal("template/wrong-gradient", f'"{name}" is said twice', _RADIAL)
            said[name] = []
        else:
            said[name].append(word)
    return Outwards(
        _read_point(" ".join(said["at"])) if "at" in said else (_MIDDLE, _MIDDLE),
        _read_radius(said["radius"]) if "radius" in said else None,
        _read_point(" ".join(said["focus"])) if "focus" in said else None,
    )


def _read_point(text: str) -> Place:
    parts = text.split()
    if len(parts) != 2:
        raise Refusal(
            "template/wrong-list",
            f'"{text}" must be two lengths',
            "from the left and from the top, as in 30% 5mm",
        )
    return parse_length(parts[0]), parse_length(parts[1])


def _read_radius(parts: Sequence[str]) -> Place:
    lengths = [parse_length(part) for part in parts]
    if len(lengths) not in (1, 2):
        raise Refusal(
            "template/wrong-list",
            f'"{" ".join(parts)}" must be one or two lengths',
            "a radius, or one across and one down: 60%, or 20mm 10mm",
        )
    if any(max(length.points, length.share) <= 0 for length in lengths):
        raise Refusal(
            "template/out-of-range",
            f'"{" ".join(parts)}" must be above 0',
            "write a length above 0, as in 60%",
        )
    return lengths[0], lengths[-1]


# One space for all stops


def _show(colour: Colour) -> str:
    """Return a colour as a template writes it."""
    if colour.space == "rgb":
        return "#" + "".join(f"{round(255 * value):02x}" for value in colour.values)
    return f"cmyk({' '.join(f'{round(100 * value, 1):g}' for value in colour.values)})"


def _bring_together(stops: Stops) -> Stops:
    """Return the stops in one space: what is black, white or grey goes with either."""
    coloured = [colour for _, colour in stops if not _is_neutral(colour)]
    spaces = {colour.space for colour in coloured}
    if len(spaces) > 1:
        one = next(colour for colour in coloured if colour.space == "cmyk")
        other = next(colour for colour in coloured if colour.space == "rgb")
        raise Refusal(
            "template/wrong-gradient",
            f"a gradient mixes CMYK and RGB: {_show(one)} and {_show(other)}",
            "give both in one space; black, white and greys go with either",
        )
    if len({colour.space for _, colour in stops}) == 1:
        return stops
    turn = _turn_rgb if spaces == {"rgb"} else _turn_cmyk
    return tuple((at, turn(colour)) for at, colour in stops)


def _is_neutral(colour: Colour) -> bool:
    if colour.space == "cmyk":
        return not any(colour.values[:3])
    return len(set(colour.values)) == 1


def _turn_rgb(colour: Colour) -> Colour:
    if colour.space == "rgb":
        return colour
    return Colour("rgb", (round(1 - colour.values[3], 3),) * 3)


def _turn_cmyk(colour: Colour) -> Colour:
    """Return a grey as a press prints it: in black alone."""
    if colour.space == "cmyk":
        return colour
    return Colour("cmyk", (0.0, 0.0, 0.0, round(1 - colour.values[0], 3)))
