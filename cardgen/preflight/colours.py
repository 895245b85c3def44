"""Colour spaces of a PDF turned into what preflight asks of them: the kind, and how much ink.

Knows nothing of pages or of what is painted with them.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import floor, prod
from typing import Any, Literal, NamedTuple

from pikepdf import Array, Name, Stream, String

from cardgen.preflight.objects import (
    BROKEN,
    get,
    get_dictionary,
    get_number,
    get_numbers,
    identify,
    list_array,
    read_data,
    read_name,
)

Values = tuple[float, ...]
Step = Any  # a number, the name of an operator, or a list of steps in braces
Stack = list[Any]

_TOKEN = re.compile(rb"%[^\r\n]*|[{}]|[^\s{}%]+")


def make_calculator(program: bytes) -> Callable[[Values], Values] | None:
    tokens = [t.decode("latin-1") for t in _TOKEN.findall(program) if not t.startswith(b"%")]
    if not tokens or tokens[0] != "{":
        return None
    steps, end = _read_block(tokens, 1)
    if end != len(tokens):
        return None

    def evaluate(values: Values) -> Values:
        stack: Stack = list(values)
        _run(steps, stack)
        return tuple(float(value) for value in stack)

    return evaluate


def _read_block(tokens: list[str], at: int, depth: int = 0) -> tuple[list[Step], int]:
    steps: list[Step] = []
    while at < len(tokens) and depth < 50:
        token, at = tokens[at], at + 1
        if token == "}":
            return steps, at
        if token == "{":
            inner, at = _read_block(tokens, at, depth + 1)
            steps.append(inner)
        elif token[0] in "+-.0123456789":
            steps.append(float(token) if "." in token or "e" in token.lower() else int(token))
        else:
            steps.append(token)
    raise ValueError("a calculator function without its end")


def _run(steps: list[Step], stack: Stack) -> None:
    for place, step in enumerate(steps):
        if isinstance(step, list):
            continue  # run by the if behind it
        if not isinstance(step, str):
            stack.append(step)
        elif step == "if":
            if stack.pop():
                _run(steps[place - 1], stack)
        elif step == "ifelse":
            _run(steps[place - 2] if stack.pop() else steps[place - 1], stack)
        elif step in _MOVES:
            _MOVES[step](stack)
        elif step in _ONE:
            stack.append(_ONE[step](stack.pop()))
        elif step in _TWO:
            second, first = stack.pop(), stack.pop()
            stack.append(_TWO[step](first, second))
        else:
            raise ValueError(f"unknown operator {step}")


def _roll(stack: Stack) -> None:
    by, count = int(stack.pop()), int(stack.pop())
    if count > 0:
        top = stack[-count:]
        by %= count
        stack[-count:] = top[count - by :] + top[: count - by]


def _copy(stack: Stack) -> None:
    count = int(stack.pop())
    if 0 < count <= 100:
        stack.extend(stack[-count:])


def _swap(stack: Stack) -> None:
    stack[-1], stack[-2] = stack[-2], stack[-1]


def _index(stack: Stack) -> None:
    stack.append(stack[-1 - int(stack.pop())])


def _divide_whole(first: Any, second: Any) -> int:
    return math.trunc(int(first) / int(second))


def _shift(value: Any, count: Any) -> int:
    by = min(max(int(count), -64), 64)
    whole = int(value)
    return whole << by if by >= 0 else whole >> -by


_MOVES: dict[str, Callable[[Stack], None]] = {
    "pop": lambda stack: stack.__delitem__(-1),
    "dup": lambda stack: stack.append(stack[-1]),
    "exch": _swap,
    "copy": _copy,
    "index": _index,
    "roll": _roll,
    "true": lambda stack: stack.append(True),
    "false": lambda stack: stack.append(False),
}
_ONE: dict[str, Callable[[Any], Any]] = {
    "abs": abs,
    "neg": operator.neg,
    "ceiling": math.ceil,
    "floor": math.floor,
    "round": lambda value: math.floor(value + 0.5),
    "truncate": math.trunc,
    "cvi": int,
    "cvr": float,
    "sqrt": math.sqrt,
    "ln": math.log,
    "log": math.log10,
    "sin": lambda value: math.sin(math.radians(value)),
    "cos": lambda value: math.cos(math.radians(value)),
    "not": lambda value: not value if isinstance(value, bool) else ~int(value),
}
_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "idiv": _divide_whole,
    "mod": lambda first, second: math.fmod(int(first), int(second)),
    "exp": operator.pow,
    "atan": lambda first, second: math.degrees(math.atan2(first, second)) % 360,
    "bitshift": _shift,
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}


Values_of_functions = tuple[float, ...]
Function = Callable[[Values_of_functions], Values_of_functions]
MOST_STITCHES = 1000


def read_function(thing: Any, depth: int = 0) -> Function | None:
    """A function, or an array of functions with one result each."""
    if depth > 10:
        return None
    try:
        parts = list_array(thing)
        if len(parts) == 1:
            return _read_one(parts[0], depth)
        functions = [_read_one(part, depth) for part in parts[:64]]
    except BROKEN:
        return None
    whole = [function for function in functions if function]
    if not whole or len(whole) != len(functions):
        return None
    return lambda values: tuple(function(values)[0] for function in whole)


def _read_one(thing: Any, depth: int) -> Function | None:
    domain = get_numbers(thing, "/Domain") or (0.0, 1.0)
    limits = get_numbers(thing, "/Range")
    kind = get(thing, "/FunctionType")
    if kind == 0:
        inner = _read_sampled(thing, domain, limits)
    elif kind == 2:
        inner = _read_exponential(thing)
    elif kind == 3:
        inner = _read_stitched(thing, domain, depth)
    elif kind == 4:
        inner = make_calculator(read_data(thing))
    else:
        inner = None
    if inner is None:
        return None
    whole = inner

    def evaluate(values: Values_of_functions) -> Values_of_functions:
        results = whole(_limit_of_functions(values, domain))
        return _limit_of_functions(results, limits) if limits else results

    return evaluate


def _limit_of_functions(
    values: Sequence[float], limits: Values_of_functions
) -> Values_of_functions:
    return tuple(
        min(max(value, low), high)
        for value, low, high in zip(values, limits[0::2], limits[1::2], strict=False)
    )


def _map(value: float, low: float, high: float, new_low: float, new_high: float) -> float:
    if high == low:
        return new_low
    return new_low + (value - low) * (new_high - new_low) / (high - low)


def _read_exponential(thing: Any) -> Function:
    first = get_numbers(thing, "/C0") or (0.0,)
    last = get_numbers(thing, "/C1") or (1.0,)
    power = get_number(thing, "/N", 1.0)

    def evaluate(values: Values_of_functions) -> Values_of_functions:
        at = values[0] ** power if values[0] or power > 0 else 1.0
        return tuple(a + at * (b - a) for a, b in zip(first, last, strict=False))

    return evaluate


def _read_stitched(thing: Any, domain: Values_of_functions, depth: int) -> Function | None:
    items = list_array(get(thing, "/Functions"))[:MOST_STITCHES]
    functions = [read_function(item, depth + 1) for item in items]
    whole = [function for function in functions if function]
    bounds = get_numbers(thing, "/Bounds") or ()
    encode = get_numbers(thing, "/Encode") or (0.0, 1.0) * len(whole)
    if not whole or len(whole) != len(functions) or len(bounds) != len(whole) - 1:
        return None
    edges = list(pairwise((domain[0], *bounds, domain[1])))

    def evaluate(values: Values_of_functions) -> Values_of_functions:
        at = values[0]
        place = next((i for i, (_, high) in enumerate(edges) if at < high), len(edges) - 1)
        inner = _map(at, *edges[place], *encode[2 * place : 2 * place + 2])
        return whole[place]((inner,))

    return evaluate


def _read_sampled(
    thing: Any, domain: Values_of_functions, limits: Values_of_functions | None
) -> Function | None:
    sizes = [int(size) for size in get_numbers(thing, "/Size") or ()]
    bits = int(get_number(thing, "/BitsPerSample"))
    if not limits or not sizes or len(sizes) * 2 != len(domain) or bits not in (1, 2, 4, 8, 16, 32):
        return None
    results = len(limits) // 2
    encode = get_numbers(thing, "/Encode") or tuple(v for s in sizes for v in (0.0, s - 1.0))
    decode = get_numbers(thing, "/Decode") or limits
    count = prod(sizes) * results
    data = read_data(thing)
    if min(sizes) < 1 or len(data) * 8 < count * bits or len(sizes) > 8:
        return None
    steps = [prod(sizes[:axis]) for axis in range(len(sizes))]

    def get_sample(place: int, result: int) -> float:
        raw = read_bits(data, (place * results + result) * bits, bits)
        return _map(raw, 0, 2**bits - 1, decode[2 * result], decode[2 * result + 1])

    def evaluate(values: Values_of_functions) -> Values_of_functions:
        corners: list[tuple[tuple[int, float], tuple[int, float]]] = []
        for axis, size in enumerate(sizes):
            span = slice(2 * axis, 2 * axis + 2)
            at = _map(values[axis], *domain[span], *encode[span])
            at = min(max(at, 0.0), size - 1.0)
            low = min(floor(at), max(size - 2, 0))
            high = min(low + 1, size - 1)
            corners.append(((low, 1 - (at - low)), (high, at - low)))
        found = [0.0] * results
        for choice in product(*corners):
            share = prod(weight for _, weight in choice)
            if share:
                place = sum(step * at for step, (at, _) in zip(steps, choice, strict=True))
                for result in range(results):
                    found[result] += share * get_sample(place, result)
        return tuple(found)

    return evaluate


def read_bits(data: bytes, start: int, count: int) -> int:
    """A number of so many bits, the highest first, as samples and meshes are packed."""
    first, last = start // 8, (start + count + 7) // 8
    whole = int.from_bytes(data[first:last], "big")
    return whole >> (last * 8 - start - count) & ((1 << count) - 1)


Kind = Literal["grey", "rgb", "cmyk", "lab", "spot", "pattern", "unknown"]
Values_of_colours = tuple[float, ...]

_KINDS: dict[int, Kind] = {1: "grey", 3: "rgb", 4: "cmyk"}
_SHORT = {"G": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK", "I": "Indexed"}
_DEPTH = 8


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A colour space; each is one object, so that they are told apart by identity.

    base: of an indexed space, the alternate of a spot colour, that beneath a pattern
    inks: the names of spot colours
    palette: of an indexed space
    """

    family: str
    kind: Kind
    components: int
    base: Space | None = None
    inks: tuple[str, ...] = ()
    tint: Function | None = None
    palette: bytes = b""

    @property
    def name(self) -> str:
        if self.kind == "spot":
            return f"{self.family} {' + '.join(self.inks)}"
        if self.family == "ICCBased":
            return f"ICCBased {'RGB' if self.kind == 'rgb' else self.kind}"
        if self.family == "Indexed" and self.base:
            return f"Indexed {self.base.name}"
        return self.family

    @property
    def root(self) -> Space:
        """The space that the colours of an indexed one, or under a pattern, are in."""
        inner = self.family in ("Indexed", "Pattern") and self.base
        return inner.root if inner else self

    @property
    def first(self) -> Values_of_colours:
        """The colour that is set when the space is chosen."""
        if self.kind == "cmyk":
            return (0.0, 0.0, 0.0, 1.0)
        return (1.0 if self.kind == "spot" else 0.0,) * self.components

    def measure_ink(self, values: Values_of_colours) -> float | None:
        """How much ink a colour takes, in percent; None where only the printer's profile knows."""
        if self.family == "Indexed" and self.base:
            return self.base.measure_ink(self.look_up(values[0]))
        if self.kind == "grey":
            return 100 * (1 - _limit(values[0]))
        if self.kind == "cmyk":
            return 100 * sum(map(_limit, values))
        if self.kind == "spot":
            return self._measure_spot(tuple(map(_limit, values)))
        return None

    def _measure_spot(self, values: Values_of_colours) -> float | None:
        if self.inks == ("All",):
            return 400 * values[0]
        used = [v for v, ink in zip(values, self.inks, strict=False) if ink != "None"]
        ink = 100 * sum(used)
        if self.base and self.tint:
            # Without its own plate a spot colour is printed as its alternate.
            try:
                return max(ink, self.base.measure_ink(self.tint(values)) or 0.0)
            except BROKEN:
                return ink
        return ink

    def look_up(self, value: float) -> Values_of_colours:
        """The colour of an entry of the palette, in the base."""
        if self.base is None:
            return ()
        count = self.base.components
        entry = self.palette[int(value) * count : (int(value) + 1) * count]
        low, high = (-100.0, 100.0) if self.base.kind == "lab" else (0.0, 1.0)
        return tuple(low + byte / 255 * (high - low) for byte in entry.ljust(count, b"\0"))


class Paint(NamedTuple):
    """A colour in its space; `pattern` names what takes the place of an even colour."""

    space: Space
    values: Values_of_colours
    pattern: str = ""


def _limit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


GREY = Space("DeviceGray", "grey", 1)
RGB = Space("DeviceRGB", "rgb", 3)
CMYK = Space("DeviceCMYK", "cmyk", 4)
PATTERN = Space("Pattern", "pattern", 0)
UNKNOWN = Space("unknown", "unknown", 1)
_DEVICE = {space.family: space for space in (GREY, RGB, CMYK, PATTERN)}
_DEFAULTS = {"DeviceGray": "/DefaultGray", "DeviceRGB": "/DefaultRGB", "DeviceCMYK": "/DefaultCMYK"}
BLACK = Paint(GREY, (0.0,))


@dataclass(slots=True)
class SpaceReader:
    """Reads each colour space of a document once."""

    _known: dict[object, Space] = field(default_factory=dict)

    def read(self, thing: Any, resources: Any, depth: int = 0) -> Space:
        """A space by its name among the resources, or spelled out."""
        if depth > _DEPTH:
            return UNKNOWN
        spaces = get_dictionary(resources, "/ColorSpace")
        if isinstance(thing, Name):
            name = _SHORT.get(read_name(thing), read_name(thing))
            if name in _DEVICE:
                default = get(spaces, _DEFAULTS.get(name, "/"))
                return _DEVICE[name] if default is None else self.read(default, None, depth + 1)
            named = get(spaces, f"/{name}")
            if named is None or named == thing:
                return UNKNOWN
            return self.read(named, resources, depth + 1)
        if not isinstance(thing, Array) or not len(thing):
            return UNKNOWN
        has_defaults = any(get(spaces, key) is not None for key in _DEFAULTS.values())
        key = (identify(thing), identify(spaces) if has_defaults else None)
        if key not in self._known:
            try:
                self._known[key] = self._read_array(list(thing), resources, depth)
            except BROKEN:
                self._known[key] = UNKNOWN
        return self._known[key]

    def _read_array(self, items: list[Any], resources: Any, depth: int) -> Space:
        family = _SHORT.get(read_name(items[0]), read_name(items[0]))
        if len(items) == 1 or (family == "Pattern" and len(items) < 2):
            return self.read(items[0], resources, depth + 1)
        if family == "CalGray":
            return Space(family, "grey", 1)
        if family == "CalRGB":
            return Space(family, "rgb", 3)
        if family == "Lab":
            return Space(family, "lab", 3)
        if family == "ICCBased":
            count = int(get_number(items[1], "/N"))
            return Space(family, _KINDS.get(count, "unknown"), count)
        if family == "Pattern":
            base = self.read(items[1], resources, depth + 1)
            return Space(family, "pattern", base.components, base)
        if family == "Indexed":
            base = self.read(items[1], resources, depth + 1)
            return Space(family, base.kind, 1, base, palette=_read_palette(items[3]))
        if family in ("Separation", "DeviceN"):
            inks = tuple(read_name(ink) for ink in list_array(items[1]))
            base = self.read(items[2], resources, depth + 1)
            tint = read_function(items[3])
            return Space(family, "spot", len(inks), base, inks, tint)
        return UNKNOWN


def _read_palette(thing: Any) -> bytes:
    if isinstance(thing, Stream):
        return read_data(thing)
    return bytes(thing) if isinstance(thing, String) else b""


def list_spaces(space: Space) -> Sequence[Space]:
    """A space and those that it rests on."""
    return [space, *(list_spaces(space.base) if space.base else ())]


# MERGED: A PostScript calculator function (type 4) turned into a Python one.
#
#   Knows nothing of PDF objects: the program comes as its text.
#
# MERGED: PDF functions turned into Python ones: sampled, exponential, stitched, and calculators.
#
#   Numbers in, numbers out; a function that cannot be read is None.
#
