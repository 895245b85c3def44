"""Data Matrix codes after ISO/IEC 16022 (ECC 200): squares of 10 to 132 modules."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from cardgen.layout.art.codes.galois import Field
from cardgen.layout.art.codes.symbol import Row, Symbol, refuse_length

_FIELD = Field(0x12D, 1)
_QUIET = (2, 2, 2, 2)
_PAD, _UPPER, _ECI, _UTF8 = 129, 235, 241, 27


class _Size(NamedTuple):
    """A square: its side, codewords of data and of checks, blocks, and regions of a side."""

    side: int
    data: int
    checks: int
    blocks: int
    regions: int


_TABLE = (
    "10,3,5,1,1 12,5,7,1,1 14,8,10,1,1 16,12,12,1,1 18,18,14,1,1 20,22,18,1,1 "
    "22,30,20,1,1 24,36,24,1,1 26,44,28,1,1 32,62,36,1,2 36,86,42,1,2 40,114,48,1,2 "
    "44,144,56,1,2 48,174,68,1,2 52,204,84,2,2 64,280,112,2,4 72,368,144,4,4 "
    "80,456,192,4,4 88,576,224,4,4 96,696,272,4,4 104,816,336,6,4 120,1050,408,6,6 "
    "132,1304,496,8,6"
)
_SIZES = tuple(_Size(*map(int, line.split(","))) for line in _TABLE.split())


@lru_cache(maxsize=2_000)
def make_data_matrix(text: str) -> Symbol:
    """Return the smallest Data Matrix code of a text."""
    data = _encode(text)
    size = next((size for size in _SIZES if size.data >= len(data)), None)
    if size is None:
        raise refuse_length("a Data Matrix code", len(data), _SIZES[-1].data, "shorten it")
    if len(data) < size.data:
        data.append(_PAD)
    while len(data) < size.data:
        spread = _PAD + 149 * (len(data) + 1) % 253 + 1
        data.append(spread if spread <= 254 else spread - 254)
    blocks = [data[first :: size.blocks] for first in range(size.blocks)]
    checked = [_FIELD.check(block, size.checks // size.blocks) for block in blocks]
    mixed = [word for words in zip(*checked, strict=True) for word in words]
    return Symbol(_draw(size, [*data, *mixed]), _QUIET)


def _encode(text: str) -> list[int]:
    """Return a text as codewords: pairs of digits, letters, and what lies beyond ASCII."""
    data: list[int] = []
    try:
        codes = text.encode("latin-1")
    except UnicodeEncodeError:
        codes = text.encode()
        data += (_ECI, _UTF8)
    at = 0
    while at < len(codes):
        pair = codes[at : at + 2]
        if len(pair) == 2 and pair.isdigit():
            data.append(130 + int(pair))
            at += 2
            continue
        code = codes[at]
        data += (code + 1,) if code < 128 else (_UPPER, code - 127)
        at += 1
    return data


def _draw(size: _Size, codewords: list[int]) -> tuple[Row, ...]:
    """Return the modules: the data, parted by the borders of its regions."""
    inner = size.side - 2 * size.regions
    places = _place(inner)
    step = inner // size.regions
    rows = [[False] * size.side for _ in range(size.side)]
    for y in range(size.side):
        top, down = divmod(y, step + 2)
        for x in range(size.side):
            left, along = divmod(x, step + 2)
            if along == 0 or down == step + 1:
                dark = True
            elif down == 0:
                dark = along % 2 == 0
            elif along == step + 1:
                dark = down % 2 == 1
            else:
                place = places[top * step + down - 1][left * step + along - 1]
                word, bit = divmod(place, 8)
                dark = place >= 0 and codewords[word] >> (7 - bit) & 1 == 1
                dark = dark or place == _DARK
            rows[y][x] = dark
    return tuple(map(tuple, rows))


_EMPTY, _DARK = -1, -2
_SHAPE = ((-2, -2), (-2, -1), (-1, -2), (-1, -1), (-1, 0), (0, -2), (0, -1), (0, 0))
# Where the bits of a codeword lie that is cut by a corner; negative ones count from the far side.
_CORNERS = (
    ((-1, 0), (-1, 1), (-1, 2), (0, -2), (0, -1), (1, -1), (2, -1), (3, -1)),
    ((-3, 0), (-2, 0), (-1, 0), (0, -4), (0, -3), (0, -2), (0, -1), (1, -1)),
    ((-3, 0), (-2, 0), (-1, 0), (0, -2), (0, -1), (1, -1), (2, -1), (3, -1)),
    ((-1, 0), (-1, -1), (0, -3), (0, -2), (0, -1), (1, -3), (1, -2), (1, -1)),
)


@lru_cache(maxsize=8)
def _place(side: int) -> tuple[tuple[int, ...], ...]:
    """Return for each module of the data the number of its bit."""
    grid = [[_EMPTY] * side for _ in range(side)]
    word = 0

    def put_corner(corner: int) -> None:
        nonlocal word
        for bit, (row, column) in enumerate(_CORNERS[corner]):
            grid[row % side][column % side] = word * 8 + bit
        word += 1

    def put(row: int, column: int) -> None:
        nonlocal word
        for bit, (down, along) in enumerate(_SHAPE):
            y, x = row + down, column + along
            if y < 0:
                y, x = y + side, x + 4 - (side + 4) % 8
            if x < 0:
                y, x = y + 4 - (side + 4) % 8, x + side
            grid[y][x] = word * 8 + bit
        word += 1

    row, column = 4, 0
    while row < side or column < side:
        if row == side and column == 0:
            put_corner(0)
        if row == side - 2 and column == 0 and side % 4:
            put_corner(1)
        if row == side - 2 and column == 0 and side % 8 == 4:
            put_corner(2)
        if row == side + 4 and column == 2 and side % 8 == 0:
            put_corner(3)
        while row >= 0 and column < side:
            if row < side and column >= 0 and grid[row][column] == _EMPTY:
                put(row, column)
            row, column = row - 2, column + 2
        row, column = row + 1, column + 3
        while row < side and column >= 0:
            if row >= 0 and column < side and grid[row][column] == _EMPTY:
                put(row, column)
            row, column = row + 2, column - 2
        row, column = row + 3, column + 1
    if grid[-1][-1] == _EMPTY:
        grid[-1][-1] = grid[-2][-2] = _DARK
    return tuple(map(tuple, grid))
