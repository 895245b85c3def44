"""QR codes after ISO/IEC 18004, of 21 to 177 modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

from cardgen.layout.art.codes.galois import Field
from cardgen.layout.art.codes.symbol import Row, Symbol, refuse_length

Level = Literal["l", "m", "q", "h"]

_FIELD = Field(0x11D, 0)
_QUIET = (4, 4, 4, 4)
_LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_MARKS: dict[Level, int] = {"l": 1, "m": 0, "q": 3, "h": 2}
# For each version the checking codewords of a block, and how many blocks there are.
_CHECKS: dict[Level, str] = {
    "l": "7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28"
    " 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
    "m": "10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26"
    " 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28",
    "q": "13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30"
    " 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
    "h": "17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28"
    " 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30",
}
_BLOCKS: dict[Level, str] = {
    "l": "1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8"
    " 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25",
    "m": "1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16"
    " 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49",
    "q": "1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20"
    " 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68",
    "h": "1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25"
    " 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81",
}


@lru_cache(maxsize=2_000)
def make_qr(text: str, level: Level) -> Symbol:
    """Return the smallest QR code of a text that keeps a level of correction."""
    for version in range(1, 41):
        bits = _encode(text, version)
        room = _count_data(version, level) * 8
        if len(bits) <= room:
            break
    else:
        most = room // 8 - 3
        weaker = _find_weaker(len(bits), level)
        cure = f'shorten it, or write level="{weaker}"' if weaker else "shorten it"
        raise refuse_length(f"a QR code of level {level}", (len(bits) - 20) // 8, most, cure)
    bits += "0" * min(4, room - len(bits))
    bits += "0" * (-len(bits) % 8)
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    data += [(0xEC, 0x11)[place % 2] for place in range(room // 8 - len(data))]
    return Symbol(_draw(version, level, _interleave(data, version, level)), _QUIET)


def _find_weaker(bits: int, level: Level) -> Level | None:
    """Return the strongest level below this one at which the largest code holds so many bits."""
    levels: tuple[Level, ...] = ("h", "q", "m", "l")
    weaker = levels[levels.index(level) + 1 :]
    return next((one for one in weaker if bits <= _count_data(40, one) * 8), None)


def _encode(text: str, version: int) -> str:
    """Return a text as bits, in the mode that takes the fewest."""
    group = (version > 9) + (version > 26)
    if text.isascii() and text.isdigit():
        groups = [text[at : at + 3] for at in range(0, len(text), 3)]
        packed = "".join(f"{int(part):0{len(part) * 3 + 1}b}" for part in groups)
        return f"0001{len(text):0{(10, 12, 14)[group]}b}{packed}"
    if all(letter in _LETTERS for letter in text):
        places = [_LETTERS.index(letter) for letter in text]
        pairs = zip(places[::2], places[1::2], strict=False)
        packed = "".join(f"{first * 45 + second:011b}" for first, second in pairs)
        packed += f"{places[-1]:06b}" if len(places) % 2 else ""
        return f"0010{len(text):0{(9, 11, 13)[group]}b}{packed}"
    data = text.encode()
    packed = "".join(f"{byte:08b}" for byte in data)
    return f"0100{len(data):0{(8, 16, 16)[group]}b}{packed}"


def _count_codewords(version: int) -> int:
    """Return how many codewords a version has room for, data and checks."""
    modules = (16 * version + 128) * version + 64
    if version >= 2:
        marks = version // 7 + 2
        modules -= (25 * marks - 10) * marks - 55
        modules -= 36 if version >= 7 else 0
    return modules // 8


def _read_blocks(version: int, level: Level) -> tuple[int, int]:
    """Return how many blocks there are, and the checks of each."""
    return int(_BLOCKS[level].split()[version - 1]), int(_CHECKS[level].split()[version - 1])


def _count_data(version: int, level: Level) -> int:
    blocks, checks = _read_blocks(version, level)
    return _count_codewords(version) - blocks * checks


def _interleave(data: list[int], version: int, level: Level) -> list[int]:
    """Return the codewords of all blocks in turn, and then their checks."""
    blocks, checks = _read_blocks(version, level)
    short, longer = divmod(len(data), blocks)
    parts: list[list[int]] = []
    at = 0
    for number in range(blocks):
        end = at + short + (number >= blocks - longer)
        parts.append(data[at:end])
        at = end
    checked = [_FIELD.check(part, checks) for part in parts]
    mixed = [part[place] for place in range(short + 1) for part in parts if place < len(part)]
    return mixed + [part[place] for place in range(checks) for part in checked]


# Modules: a row is a number whose highest bit is its leftmost module.


class _Grid:
    """The modules of a version, and which of them belong to its patterns."""

    def __init__(self, version: int) -> None:
        self.size = version * 4 + 17
        self.rows = [0] * self.size
        self.taken = [0] * self.size

    def put(self, x: int, y: int, dark: bool | int) -> None:
        bit = 1 << (self.size - 1 - x)
        self.taken[y] |= bit
        self.rows[y] = self.rows[y] | bit if dark else self.rows[y] & ~bit

    def is_taken(self, x: int, y: int) -> int:
        return self.taken[y] >> (self.size - 1 - x) & 1


@lru_cache(maxsize=8)
def _make_patterns(version: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the rows of a version's patterns, what they take, and the places of the data."""
    grid = _Grid(version)
    size = grid.size
    for place in range(size):
        grid.put(6, place, place % 2 == 0)
        grid.put(place, 6, place % 2 == 0)
    for left, top in ((3, 3), (size - 4, 3), (3, size - 4)):
        for dy in range(-4, 5):
            for dx in range(-4, 5):
                x, y = left + dx, top + dy
                if 0 <= x < size and 0 <= y < size:
                    grid.put(x, y, max(abs(dx), abs(dy)) not in (2, 4))
    marks = _list_marks(version)
    for x in marks:
        for y in marks:
            if (x, y) in ((6, 6), (6, size - 7), (size - 7, 6)):
                continue
            for dy in range(-2, 3):
                for dx in range(-2, 3):
                    grid.put(x + dx, y + dy, max(abs(dx), abs(dy)) != 1)
    _put_format(grid, 0)
    if version >= 7:
        rest = version
        for _ in range(12):
            rest = (rest << 1) ^ ((rest >> 11) * 0x1F25)
        bits = version << 12 | rest
        for place in range(18):
            along, across = place // 3, size - 11 + place % 3
            grid.put(across, along, bits >> place & 1)
            grid.put(along, across, bits >> place & 1)
    places = [y * size + x for x, y in _walk(size) if not grid.is_taken(x, y)]
    return tuple(grid.rows), tuple(grid.taken), tuple(places)


def _list_marks(version: int) -> list[int]:
    """Return where the small squares stand along each side."""
    if version == 1:
        return []
    count = version // 7 + 2
    step = (version * 8 + count * 3 + 5) // (count * 4 - 4) * 2
    last = version * 4 + 10
    return [6, *sorted(last - place * step for place in range(count - 1))]


def _put_format(grid: _Grid, bits: int) -> None:
    """Put the level and the mask beside the large squares, twice."""
    size = grid.size
    for place in range(6):
        grid.put(8, place, bits >> place & 1)
    grid.put(8, 7, bits >> 6 & 1)
    grid.put(8, 8, bits >> 7 & 1)
    grid.put(7, 8, bits >> 8 & 1)
    for place in range(9, 15):
        grid.put(14 - place, 8, bits >> place & 1)
    for place in range(8):
        grid.put(size - 1 - place, 8, bits >> place & 1)
    for place in range(8, 15):
        grid.put(8, size - 15 + place, bits >> place & 1)
    grid.put(8, size - 8, dark=True)


def _walk(size: int) -> Iterator[tuple[int, int]]:
    """Yield all modules in the order in which data fills them: in pairs of columns, up and down."""
    right, upward = size - 1, True
    while right > 0:
        if right == 6:
            right = 5
        for step in range(size):
            y = size - 1 - step if upward else step
            yield right, y
            yield right - 1, y
        right, upward = right - 2, not upward


def _draw(version: int, level: Level, codewords: list[int]) -> tuple[Row, ...]:
    """Return the modules, masked as reads best."""
    patterns, taken, places = _make_patterns(version)
    size = version * 4 + 17
    data = [0] * size
    bits = (word >> shift & 1 for word in codewords for shift in range(7, -1, -1))
    for place, bit in zip(places, bits, strict=False):
        if bit:
            y, x = divmod(place, size)
            data[y] |= 1 << (size - 1 - x)
    best: list[int] = []
    least = -1
    for mask in range(8):
        grid = _Grid(version)
        grid.rows = [
            pattern | (row ^ masked) & ~fixed
            for pattern, row, masked, fixed in zip(
                patterns, data, _make_mask(mask, size), taken, strict=True
            )
        ]
        _put_format(grid, _make_format(level, mask))
        penalty = _rate(grid.rows, size)
        if least < 0 or penalty < least:
            best, least = grid.rows, penalty
    return tuple(tuple(row >> (size - 1 - x) & 1 == 1 for x in range(size)) for row in best)


def _make_format(level: Level, mask: int) -> int:
    data = _MARKS[level] << 3 | mask
    rest = data
    for _ in range(10):
        rest = (rest << 1) ^ ((rest >> 9) * 0x537)
    return (data << 10 | rest) ^ 0x5412


@lru_cache(maxsize=64)
def _make_mask(mask: int, size: int) -> tuple[int, ...]:
    flips: tuple[Callable[[int, int], int], ...] = (
        lambda x, y: (x + y) % 2,
        lambda _, y: y % 2,
        lambda x, _: x % 3,
        lambda x, y: (x + y) % 3,
        lambda x, y: (x // 3 + y // 2) % 2,
        lambda x, y: x * y % 2 + x * y % 3,
        lambda x, y: (x * y % 2 + x * y % 3) % 2,
        lambda x, y: ((x + y) % 2 + x * y % 3) % 2,
    )
    flip = flips[mask]
    return tuple(
        sum(1 << (size - 1 - x) for x in range(size) if not flip(x, y)) for y in range(size)
    )


def _rate(rows: list[int], size: int) -> int:
    """Return how badly modules read: by long runs, by squares, by what looks like a large square,
    and by how much there is of one colour.
    """
    columns = _transpose(rows, size)
    penalty = sum(_rate_line(line, size) for line in (*rows, *columns))
    inner = (1 << size - 1) - 1
    same = [~(row ^ row >> 1) & inner for row in rows]
    for place in range(size - 1):
        alike = ~(rows[place] ^ rows[place + 1]) & inner
        penalty += 3 * (same[place] & same[place + 1] & alike).bit_count()
    dark = sum(row.bit_count() for row in rows)
    total = size * size
    return penalty + 10 * ((abs(dark * 20 - total * 10) + total - 1) // total - 1)


def _rate_line(line: int, size: int) -> int:
    same = ~(line ^ line >> 1) & (1 << size - 1) - 1
    five = same & same >> 1 & same >> 2 & same >> 3
    penalty = five.bit_count() + 2 * (five & ~(five >> 1)).bit_count()
    # Dark, light, three dark, light, dark, and four light ones before or behind; beyond is light.
    wide = line << 4
    whole = (1 << size + 8) - 1
    light = ~wide & whole
    core = wide & light >> 1 & wide >> 2 & wide >> 3 & wide >> 4 & light >> 5 & wide >> 6
    four = light & light >> 1 & light >> 2 & light >> 3
    return penalty + 40 * ((core & four >> 7).bit_count() + (core & four << 4).bit_count())


def _transpose(rows: list[int], size: int) -> list[int]:
    texts = [f"{row:0{size}b}" for row in rows]
    return [int("".join(column), 2) for column in zip(*texts, strict=True)]
