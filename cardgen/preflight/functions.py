"""PDF functions turned into Python ones: sampled, exponential, stitched, and calculators.

Numbers in, numbers out; a function that cannot be read is None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import floor, prod
from typing import Any

from cardgen.preflight.calculator import make_calculator
from cardgen.preflight.values import (
    BROKEN,
    get,
    get_number,
    get_numbers,
    list_array,
    read_data,
)

Values = tuple[float, ...]
Function = Callable[[Values], Values]
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
    first = get_numbers(thing, "/C0") or (0.0,)
    last = get_numbers(thing, "/C1") or (1.0,)
    power = get_number(thing, "/N", 1.0)

    def evaluate(values: Values) -> Values:
        at = values[0] ** power if values[0] or power > 0 else 1.0
        return tuple(a + at * (b - a) for a, b in zip(first, last, strict=False))

    return evaluate


def _read_stitched(thing: Any, domain: Values, depth: int) -> Function | None:
    items = list_array(get(thing, "/Functions"))[:MOST_STITCHES]
    functions = [read_function(item, depth + 1) for item in items]
    whole = [function for function in functions if function]
    bounds = get_numbers(thing, "/Bounds") or ()
    encode = get_numbers(thing, "/Encode") or (0.0, 1.0) * len(whole)
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
    """A number of so many bits, the highest first, as samples and meshes are packed."""
    first, last = start // 8, (start + count + 7) // 8
    whole = int.from_bytes(data[first:last], "big")
    return whole >> (last * 8 - start - count) & ((1 << count) - 1)
