"""What cardgen has promised to reach, and whether it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.measure import Result

Results = Mapping[tuple[str, int], Result]

_SMALL, _MIDDLE, _LARGE = 54, 1_000, 10_000


@dataclass(frozen=True, slots=True)
class Target:
    """`reached` is None where this run has not measured it."""

    text: str
    measured: str = "not measured"
    reached: bool | None = None


def check_decks(results: Results) -> Iterator[Target]:
    small, middle, large = (results.get(("cardgen", n)) for n in (_SMALL, _MIDDLE, _LARGE))
    yield check_time(f"{_SMALL} cards in under 0.6 s", small, 0.6)
    for count, times in ((_MIDDLE, 2.0), (_LARGE, 5.0)):
        text = f"{count:,} cards at least {times:g} times as fast as Typst"
        own, peer = results.get(("cardgen", count)), results.get(("Typst", count))
        if own and peer:
            ratio = peer.seconds / own.seconds
            yield Target(text, f"{ratio:.1f} times", ratio >= times)
        else:
            yield Target(text)
    text = f"{_LARGE:,} cards in less than 250 MB"
    yield Target(text, f"{large.peak_mb:.0f} MB", large.peak_mb < 250) if large else Target(text)
    text = f"{_LARGE:,} cards in at most 11 times the time of {_MIDDLE:,}"
    if middle and large:
        growth = large.seconds / middle.seconds
        yield Target(text, f"{growth:.1f} times", growth <= 11)
    else:
        yield Target(text)


def check_time(text: str, result: Result | None, limit: float) -> Target:
    if result is None:
        return Target(text)
    return Target(text, f"{result.seconds:.2f} s", result.seconds < limit)
