"""A PostScript calculator function (type 4) turned into a Python one.

Knows nothing of PDF objects: the program comes as its text.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

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
