"""PDF functions turned into Python ones: sampled, exponential, stitched, and calculators.

Numbers in, numbers out; a function that cannot be read is None.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import floor, prod
from typing import Any

from cardgen.preflight.objects import (
    BROKEN,
    find_numbers,
    find_value,
    list_array,
    read_data,
    read_number,
)

Values = tuple[float, ...]
Function = Callable[[Values], Values]
_Step = Any  # of a calculator: a number, the name of an operator, or a list of steps in braces
_Stack = list[Any]

_TOKEN = re.compile(rb"%[^\r\n]*|[{}]|[^\s{}%]+")
_MOST_STITCHES = 1000
_MOST_RESULTS = 64
_MOST_COPIES = 100
_MOST_SIDES = 8
_DEEPEST = 10
_DEEPEST_BLOCK = 50
_MOST_TOKENS = 5_000
_MOST_STACKED = 1_000
_LARGEST = 2.0**53


def read_function(thing: Any, depth: int = 0) -> Function | None:
    """Return a function, or one made of an array of functions with one result each."""
    if depth > _DEEPEST:
        return None
    try:
        parts = list_array(thing)
        if len(parts) == 1:
            return _read_one(parts[0], depth)
        functions = [_read_one(part, depth) for part in parts[:_MOST_RESULTS]]
    except BROKEN:
        return None
    whole = [function for function in functions if function]
    if not whole or len(whole) != len(functions):
        return None
    return lambda values: tuple(function(values)[0] for function in whole)


def _read_one(thing: Any, depth: int) -> Function | None:
    domain = find_numbers(thing, "/Domain") or (0.0, 1.0)
    limits = find_numbers(thing, "/Range")
    kind = find_value(thing, "/FunctionType")
    if kind == 0:
        inner = _read_sampled(thing, domain, limits)
    elif kind == 2:
        inner = _read_exponential(thing)
    elif kind == 3:
        inner = _read_stitched(thing, domain, depth)
    elif kind == 4:
        inner = read_calculator(read_data(thing))
    else:
        inner = None
    if inner is None:
        return None
    whole = inner

    def evaluate(values: Values) -> Values:
        results = whole(_limit(values, domain))
        return _limit(results, limits) if limits else results

    return evaluate


def _limit(values: Sequence[float], limits: Values) -> Values:
    return tuple(
        min(max(value, low), high)
        for value, low, high in zip(values, limits[0::2], limits[1::2], strict=False)
    )


def _map(value: float, low: float, high: float, new_low: float, new_high: float) -> float:
    if high == low:
        return new_low
    return new_low + (value - low) * (new_high - new_low) / (high - low)


def _read_exponential(thing: Any) -> Function:
    first = find_numbers(thing, "/C0") or (0.0,)
    last = find_numbers(thing, "/C1") or (1.0,)
    power = read_number(thing, "/N", 1.0)

    def evaluate(values: Values) -> Values:
        at = values[0] ** power if values[0] or power > 0 else 1.0
        return tuple(a + at * (b - a) for a, b in zip(first, last, strict=False))

    return evaluate


def _read_stitched(thing: Any, domain: Values, depth: int) -> Function | None:
    items = list_array(find_value(thing, "/Functions"))[:_MOST_STITCHES]
    functions = [read_function(item, depth + 1) for item in items]
    whole = [function for function in functions if function]
    bounds = find_numbers(thing, "/Bounds") or ()
    encode = find_numbers(thing, "/Encode") or (0.0, 1.0) * len(whole)
    if not whole or len(whole) != len(functions) or len(bounds) != len(whole) - 1:
        return None
    edges = list(pairwise((domain[0], *bounds, domain[1])))

    def evaluate(values: Values) -> Values:
        at = values[0]
        place = next((i for i, (_, high) in enumerate(edges) if at < high), len(edges) - 1)
        inner = _map(at, *edges[place], *encode[2 * place : 2 * place + 2])
        return whole[place]((inner,))

    return evaluate


def _read_sampled(thing: Any, domain: Values, limits: Values | None) -> Function | None:
    sizes = [int(size) for size in find_numbers(thing, "/Size") or ()]
    bits = int(read_number(thing, "/BitsPerSample"))
    if not limits or not sizes or len(sizes) * 2 != len(domain) or bits not in (1, 2, 4, 8, 16, 32):
        return None
    results = len(limits) // 2
    encode = find_numbers(thing, "/Encode") or tuple(v for s in sizes for v in (0.0, s - 1.0))
    decode = find_numbers(thing, "/Decode") or limits
    count = prod(sizes) * results
    data = read_data(thing)
    if min(sizes) < 1 or len(data) * 8 < count * bits or len(sizes) > _MOST_SIDES:
        return None
    steps = [prod(sizes[:axis]) for axis in range(len(sizes))]

    def get_sample(place: int, result: int) -> float:
        raw = read_bits(data, (place * results + result) * bits, bits)
        return _map(raw, 0, 2**bits - 1, decode[2 * result], decode[2 * result + 1])

    def evaluate(values: Values) -> Values:
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
    """Return a number of `count` bits, the highest first, as samples and meshes are packed."""
    first, last = start // 8, (start + count + 7) // 8
    whole = int.from_bytes(data[first:last], "big")
    return whole >> (last * 8 - start - count) & ((1 << count) - 1)


def read_calculator(program: bytes) -> Function | None:
    """Return a PostScript calculator function (type 4) as a Python one."""
    tokens = [t.decode("latin-1") for t in _TOKEN.findall(program) if not t.startswith(b"%")]
    if not tokens or tokens[0] != "{" or len(tokens) > _MOST_TOKENS:
        return None
    steps, end = _read_block(tokens, 1)
    if end != len(tokens):
        return None

    def evaluate(values: Values) -> Values:
        stack: _Stack = list(values)
        _run(steps, stack)
        return tuple(float(value) for value in stack)

    return evaluate


def _read_block(tokens: list[str], at: int, depth: int = 0) -> tuple[list[_Step], int]:
    steps: list[_Step] = []
    while at < len(tokens) and depth < _DEEPEST_BLOCK:
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


def _run(steps: list[_Step], stack: _Stack) -> None:
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
            stack.append(_shrink(_ONE[step](stack.pop())))
        elif step in _TWO:
            second, first = stack.pop(), stack.pop()
            stack.append(_shrink(_TWO[step](first, second)))
        else:
            raise ValueError(f"unknown operator {step}")


def _shrink(value: Any) -> Any:
    """Return a number that a computer of PostScript could hold: large ones are not exact."""
    return float(value) if abs(value) > _LARGEST else value


def _roll(stack: _Stack) -> None:
    by, count = int(stack.pop()), int(stack.pop())
    if count > 0:
        top = stack[-count:]
        by %= count
        stack[-count:] = top[count - by :] + top[: count - by]


def _copy(stack: _Stack) -> None:
    count = int(stack.pop())
    if 0 < count <= _MOST_COPIES and len(stack) < _MOST_STACKED:
        stack.extend(stack[-count:])


def _swap(stack: _Stack) -> None:
    stack[-1], stack[-2] = stack[-2], stack[-1]


def _index(stack: _Stack) -> None:
    stack.append(stack[-1 - int(stack.pop())])


def _divide_whole(first: Any, second: Any) -> int:
    return math.trunc(int(first) / int(second))


def _shift(value: Any, count: Any) -> int:
    by = min(max(int(count), -64), 64)
    whole = int(value)
    return whole << by if by >= 0 else whole >> -by


_MOVES: dict[str, Callable[[_Stack], None]] = {
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
    "exp": lambda first, second: float(first) ** float(second),
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
