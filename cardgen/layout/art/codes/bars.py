"""Codes of bars: EAN-13, EAN-8, UPC-A and Code 128."""

from __future__ import annotations

from functools import lru_cache

from cardgen.core.errors import Refusal, shorten
from cardgen.layout.art.codes.symbol import Digits, Row, Symbol, refuse_length


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Seven modules for each digit, as the left half has them when their number is odd.
_DIGITS = _split("0001101 0011001 0010011 0111101 0100011 0110001 0101111 0111011 0110111 0001011")
# Which of the six digits at the left are even, for the digit that stands before them.
_EVEN = _split("000000 001011 001101 001110 010011 011001 011100 010101 010110 011010")
_DIGIT = 7
_NAMES = {"ean13": "EAN-13", "ean8": "EAN-8", "upca": "UPC-A"}
_LENGTHS = {"ean13": 13, "ean8": 8, "upca": 12}
# So many modules stay free at the left and at the right.
_FREE = {"ean13": (11, 7), "ean8": (7, 7), "upca": (9, 9)}


def make_ean(kind: str, text: str) -> Symbol:
    """Return an EAN-13, EAN-8 or UPC-A code; the last digit, which checks the others, may be left
    out.
    """
    number = _complete(kind, text)
    # A UPC-A is an EAN-13 whose first digit is 0.
    first = int(number[0]) if kind == "ean13" else 0
    rest = number[1:] if kind == "ean13" else number
    half = len(rest) // 2
    even = _EVEN[first] if kind == "ean13" else "0" * half
    left = "".join(
        _draw_digit(digit, is_even=flag == "1")
        for digit, flag in zip(rest[:half], even, strict=True)
    )
    right = "".join(_invert(_DIGITS[int(digit)]) for digit in rest[half:])
    bars = f"101{left}01010{right}101"
    middle = 3 + half * _DIGIT
    guards = {0, 2, middle + 1, middle + 3, len(bars) - 3, len(bars) - 1}
    before, behind = _FREE[kind]
    digits = [
        Digits(rest[:half], 3, _DIGIT),
        Digits(rest[half:], middle + 5, _DIGIT),
    ]
    if kind == "ean13":
        digits.append(Digits(number[0], -_DIGIT - 2, _DIGIT))
    if kind == "upca":  # whose outer digits stand beside the bars
        guards |= {*range(3, 3 + _DIGIT), *range(len(bars) - 3 - _DIGIT, len(bars) - 3)}
        digits = [
            Digits(rest[0], -_DIGIT - 1, _DIGIT),
            Digits(rest[1:6], 3 + _DIGIT, _DIGIT),
            Digits(rest[6:11], middle + 5, _DIGIT),
            Digits(rest[11], len(bars) + 1, _DIGIT),
        ]
    row = tuple(bar == "1" for bar in bars)
    return Symbol((row,), (before, 0, behind, 0), tuple(digits), frozenset(guards))


def _draw_digit(digit: str, *, is_even: bool) -> str:
    odd = _DIGITS[int(digit)]
    return _invert(odd)[::-1] if is_even else odd


def _invert(bars: str) -> str:
    return bars.translate({48: 49, 49: 48})


def _complete(kind: str, text: str) -> str:
    """Return a number with the digit that checks it."""
    name, length = _NAMES[kind], _LENGTHS[kind]
    number = text.replace(" ", "").replace("-", "")
    if not (number.isascii() and number.isdigit()):
        raise Refusal(
            "code/wrong-letters",
            f'"{shorten(text)}" is no number for {name}, which holds digits alone',
            f'write {length} digits, or take kind="code128" for letters',
            {"kind": kind},
        )
    if len(number) not in (length - 1, length):
        other = next((kind for kind, wanted in _LENGTHS.items() if wanted == len(number)), None)
        raise Refusal(
            "code/wrong-length",
            f'"{shorten(text)}" has {len(number)} digits, and {name} has {length}',
            f'write kind="{other}"'
            if other
            else f"write {length} digits, or {length - 1}"
            " without the last, which checks the others",
            {"kind": kind, "digits": len(number), "wanted": length},
        )
    check = _find_check(number[: length - 1])
    if len(number) == length and number[-1] != check:
        raise Refusal(
            "code/wrong-check-digit",
            f'the last digit of "{number}" checks the others: it is {check} by them',
            "look for a slip in the number; or leave its last digit out, and it is reckoned",
            {"kind": kind, "digit": check},
        )
    return number[: length - 1] + check


def _find_check(number: str) -> str:
    total = sum(int(digit) * (1, 3)[place % 2 == 0] for place, digit in enumerate(number[::-1]))
    return str(-total % 10)


# Code 128

# For each value the widths of its bars and gaps in turn.
_WIDTHS = _split(
    "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 "
    "112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 "
    "311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 "
    "112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 "
    "313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 "
    "314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 "
    "122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 "
    "124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 "
    "114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112"
)
_SETS = "ABC"
_STARTS = {"A": 103, "B": 104, "C": 105}
_CHANGES = {"A": 101, "B": 100, "C": 99}
_STOP = 106
_LONGEST = 80
_BESIDE = 10


@lru_cache(maxsize=2_000)
def make_code128(text: str) -> Symbol:
    """Return a Code 128 of a text, in the sets that make it shortest."""
    if not text.isascii():
        strange = next(letter for letter in text if not letter.isascii())
        raise Refusal(
            "code/wrong-letters",
            f'"{strange}" is no letter of Code 128, which holds those of ASCII',
            'take it out, or take kind="qr"',
            {"kind": "code128"},
        )
    if len(text) > _LONGEST:
        cure = 'shorten it, or take kind="qr"'
        raise refuse_length("a Code 128", len(text), _LONGEST, cure)
    values = _choose_values(text)
    check = (values[0] + sum(place * value for place, value in enumerate(values))) % 103
    widths = "".join(_WIDTHS[value] for value in (*values, check, _STOP))
    row: list[bool] = []
    for place, width in enumerate(widths):
        row += [place % 2 == 0] * int(width)
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    digits = Digits(shown, 0, len(row) / max(len(shown), 1))
    return Symbol((tuple(row),), (_BESIDE, 0, _BESIDE, 0), (digits,))


def _choose_values(text: str) -> list[int]:
    """Return the values of a text, by the shortest way through the three sets."""
    best: dict[str, list[int]] = {name: [start] for name, start in _STARTS.items()}
    # What is reached by two letters at once waits until its turn.
    waiting: list[list[int] | None] = [None] * (len(text) + 2)
    for place, letter in enumerate(text):
        code = ord(letter)
        found: dict[str, list[int]] = {}
        if code < 96 and "A" in best:
            found["A"] = [*best["A"], code - 32 if code >= 32 else code + 64]
        if code >= 32 and "B" in best:
            found["B"] = [*best["B"], code - 32]
        pair = text[place : place + 2]
        if len(pair) == 2 and pair.isdigit() and "C" in best:
            waiting[place + 2] = [*best["C"], int(pair)]
        ready = waiting[place + 1]
        if ready is not None:
            found["C"] = ready
        best = dict(found)
        for name in _SETS:
            for other, way in found.items():
                if other != name and (name not in best or len(best[name]) > len(way) + 1):
                    best[name] = [*way, _CHANGES[name]]
        if place + 1 < len(text):
            continue
        best = found
    return min(best.values(), key=len)


def draw_bars(row: Row) -> list[tuple[int, int]]:
    """Return where each bar begins and ends, in modules."""
    bars: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if not dark:
            continue
        if bars and bars[-1][1] == place:
            bars[-1] = bars[-1][0], place + 1
        else:
            bars.append((place, place + 1))
    return bars
