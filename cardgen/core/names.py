"""Names that nothing has: the known ones that may have been meant, and the hint that tells them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Detail, Where, list_some

_MOST_LISTED = 20
MOST_ALIKE = 2
# So many pairs of names are compared for the hints of one command. Where thousands of names are
# wrong, the first of them tell enough.
_MOST_TRIED = 20_000
_tried = [0]
# The hints given so far, so that the same is said of a name for which no tries are left.
_said: dict[tuple[str, str], str] = {}
_rounds = [0]
_NEAR = 0.61  # the least likeness; with a little less "title" would be near "items"


class Unknown(NamedTuple):
    """A name that is not known, the names in the hint that may have been meant, and the hint."""

    name: str
    near: tuple[str, ...]
    hint: str

    @property
    def guess(self) -> str | None:
        """Return the hint only where a name is near: elsewhere the message lists them."""
        return self.hint if self.near else None

    @property
    def details(self) -> dict[str, Detail]:
        """Return what a problem tells programs of it."""
        return {"name": self.name, "near": self.near}


def ask_for(names: Iterable[str]) -> str:
    """Return the hint that asks whether one of some names was meant."""
    quoted = " or ".join(f'"{name}"' for name in names)
    return f"did you mean {quoted}?"


def describe_unknown(name: str, known: Iterable[str], kind: str = "known") -> Unknown:
    """Return what to say of an unknown name: the nearest known one, or all where none is near."""
    if _tried[0] >= _MOST_TRIED:
        said = _said.get((kind, name), f"see how the other {kind} names are written")
        return Unknown(name, (), said)
    names = sorted(set(known))
    near = tuple(find_near(name, names))
    if near:
        hint = ask_for(near)
    elif not names:
        hint = f"there are no {kind} names"
    else:
        hint = f"{kind} names: {list_some(names, _MOST_LISTED)}"
    _said[kind, name] = hint
    return Unknown(name, near, hint)


def make_unknown(
    kind: str, name: str, known: Iterable[str], where: Where | None = None
) -> CardgenError:
    """Return the error for a name that nothing of a kind has; it tells the nearest."""
    unknown = describe_unknown(name, known, kind)
    message = f'unknown {kind} "{name}"'
    details = {"kind": kind, **unknown.details}
    return CardgenError("name/unknown", message, where, unknown.hint, details=details)


def find_near(name: str, names: Iterable[str]) -> list[str]:
    """Return the known names that the user may have meant: several only if they are equally near.

    Capitals do not count. Of a path only the file's name counts, without its suffix. To ask the
    same a thousand times is one try.
    """
    return list(_find_once(name, tuple(names)))


@lru_cache(maxsize=100)
def _find_once(name: str, names: tuple[str, ...]) -> Sequence[str]:
    from difflib import SequenceMatcher  # which nobody needs who errs in nothing

    plain = {known: known.casefold() for known in names}
    wanted = name.casefold()
    stem = PurePath(wanted).stem
    for text in dict.fromkeys((wanted, stem)):
        same = [known for known, folded in plain.items() if folded == text]
        if same:
            return same[:1]
    best, nearest = _NEAR, list[str]()
    for known, folded in plain.items():
        if _tried[0] >= _MOST_TRIED:
            return []
        _tried[0] += 1 + len(folded) * len(wanted) // 1000
        # No two names are more alike than their lengths let them be.
        if 2 * min(len(folded), len(wanted)) < best * (len(folded) + len(wanted)):
            continue
        pair = SequenceMatcher(None, wanted, folded)
        if pair.quick_ratio() < best or (ratio := pair.ratio()) < best:
            continue
        nearest = [*nearest, known] if ratio == best else [known]
        best = ratio
    return nearest[:1] if len(nearest) > MOST_ALIKE else nearest


def spend_tries(count: int) -> bool:
    """Count so many tries, and return whether there are any left."""
    _tried[0] += count
    return _tried[0] < _MOST_TRIED


def forget_tries() -> None:
    """Let the next command compare names anew."""
    _tried[0] = 0
    _said.clear()
    _find_once.cache_clear()
    _rounds[0] += 1


def get_round() -> int:
    """Return the number of the command; what an older one has looked up may have changed."""
    return _rounds[0]
