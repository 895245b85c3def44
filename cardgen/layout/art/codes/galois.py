"""Reed and Solomon's checking codewords, by which a code that is partly dirty can be read."""

from __future__ import annotations

from collections.abc import Sequence


class Field:
    """A field of 256 numbers; `root` is the power of 2 at which its generators begin."""

    def __init__(self, polynomial: int, root: int) -> None:
        self._root = root
        self._powers = [1] * 512
        self._logs = [0] * 256
        self._generators: dict[int, tuple[int, ...]] = {}
        value = 1
        for exponent in range(255):
            self._powers[exponent] = self._powers[exponent + 255] = value
            self._logs[value] = exponent
            value = (value << 1) ^ (polynomial if value & 0x80 else 0)

    def check(self, data: Sequence[int], count: int) -> list[int]:
        """Return so many codewords that check the data."""
        if count not in self._generators:
            self._generators[count] = self._make_generator(count)
        generator, powers, logs = self._generators[count], self._powers, self._logs
        rest = [0] * count
        for value in data:
            factor = value ^ rest[0]
            rest = [*rest[1:], 0]
            if factor:
                log = logs[factor]
                for place, other in enumerate(generator):
                    rest[place] ^= powers[log + other]
        return rest

    def _make_generator(self, count: int) -> tuple[int, ...]:
        """Return the logarithms of a generator's factors, the highest power's left out."""
        powers, logs = self._powers, self._logs
        factors = [1]
        for exponent in range(self._root, self._root + count):
            grown = [*factors, 0]
            for place, factor in enumerate(factors):
                grown[place + 1] ^= powers[logs[factor] + exponent]
            factors = grown
        return tuple(logs[factor] for factor in factors[1:])
