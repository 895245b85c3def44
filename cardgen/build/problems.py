"""Problems of many cards, each said once: in order, and what many cards share with how many.

Knows nothing of how they were found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from cardgen.core.errors import Problem, Where, list_some


class Problems(dict[tuple[object, ...], Problem]):
    """Problems of cards; one that is alike on every card is kept of the first alone."""

    def add(self, found: Iterable[Problem]) -> None:
        for problem in found:
            said = (problem.hint,) if problem.alike else (problem.subject, problem.where)
            self.setdefault((problem.message, *said), problem)


def gather(problems: Iterable[Problem], file: str) -> tuple[Problem, ...]:
    """Return problems, each once, by their places, those in the deck's own file first; one that
    many cards have is said of the first.
    """
    distinct = Problems()
    distinct.add(problems)
    ordered = sorted(distinct.values(), key=lambda problem: _rank(problem, file))
    return tuple(join_alike(ordered))


def _rank(problem: Problem, file: str) -> tuple[bool, str, int, int]:
    where = problem.where or Where(file)
    return where.file != file, where.file, where.line or 0, where.column or 0


def list_messages(problems: Iterable[Problem]) -> dict[str, list[str]]:
    """Return what is said of each card, by its name."""
    told: dict[str, list[str]] = defaultdict(list)
    for problem in problems:
        if problem.card is not None:
            told[problem.card].append(problem.message)
    return dict(told)


# What may be wrong with many cards at once, which is said once: the details that tell one such
# thing from another.
_SHARED = {
    "name/unknown": ("kind", "name"),
    "font/unknown-font": ("name",),
    "text/missing-character": ("characters", "fonts"),
    "text/outline-too-broad": ("outline", "size"),
}
_KINDS = ("icon", "picture", None)
_UNKNOWN, _NAMELESS = "name/unknown", "deck/no-name"
_MOST_NAMED = 5
# So many unknown icons, pictures that are not there, or texts without a font are said one by one.
_MOST_APART = 3
_MOST_LISTED = 20
# What more cards than these have alike, but for its figures, is the fault of one element or field.
_MOST_CARDS = 8
_CARDS = "cards"


def _find_row(problem: Problem) -> tuple[str | None, int | None]:
    """Return what tells the cards of two problems apart; rows of a table may have one name."""
    where = problem.where
    return problem.card, where.line if where and where.column is None else None


def join_alike(problems: Iterable[Problem]) -> list[Problem]:
    """Say once what is wrong with many cards alike: where the first stands, and which they are."""
    groups: dict[tuple[object, ...], list[Problem]] = defaultdict(list)
    for problem in problems:
        shared = _SHARED.get(problem.code)
        key: tuple[object, ...] = (problem.code, problem.message, problem.hint, problem.where)
        if shared and problem.card is not None and problem.details.get("kind") in _KINDS:
            key = (problem.code, *(problem.details.get(name) for name in shared))
        groups[key].append(problem)
    joined: list[Problem] = []
    for first, *others in groups.values():
        cards = dict.fromkeys(problem.card for problem in (first, *others) if problem.card)
        rows = {_find_row(problem) for problem in (first, *others) if problem.card}
        own = [problem for problem in (first, *others) if problem.card is None]
        if cards and own:  # what is wrong with a template is wrong on each of its cards
            joined += own
            continue
        if len(rows) < 2:
            joined += (first, *others)
            continue
        details = {**first.details, "cards": len(rows)}
        names = [f'"{card}"' for card in cards]
        many = "cards" if len(cards) > 1 else f"{len(rows)} cards"
        subject = f"{many} {list_some(names, _MOST_NAMED)}"
        joined.append(replace(first, subject=subject, details=details))
    return joined


def join_many(problems: Sequence[Problem]) -> list[Problem]:
    """Say at once what many things are missed for one cause, to people: where the first stands, and
    what they are, or where the others stand.
    """
    causes: dict[tuple[object, ...], list[Problem]] = defaultdict(list)
    for problem in problems:
        causes[_find_cause(problem) or (id(problem),)].append(problem)
    joined: list[Problem] = []
    for cause, (first, *others) in causes.items():
        if len(others) < (_MOST_CARDS if cause[0] == _CARDS else _MOST_APART):
            joined += (first, *others)
        else:
            joined.append(_join_cause(cause[0] == _CARDS, first, others))
    return joined


def _join_cause(is_of_cards: bool, first: Problem, others: Sequence[Problem]) -> Problem:
    """Return the first problem with what the others are, or where they stand."""
    cards = list(dict.fromkeys(f'"{one.card}"' for one in others))
    if is_of_cards:
        more = f"so it is with {len(others):,} more: {list_some(cards, _MOST_LISTED)}"
        return replace(first, message=f"{first.message}; and {more}")
    if first.code == _NAMELESS or first.details.get("kind") == "template":
        lines = [str(other.where.line) for other in others if other.where]
        return replace(
            first, message=f"{first.message}; and lines {list_some(lines, _MOST_LISTED)}"
        )
    named = list(dict.fromkeys(name for other in others for name in _list_missed(other)))
    cards = list(dict.fromkeys((f'"{first.card}"', *cards)))
    if len(cards) > 1:
        first = replace(first, subject=f"cards as {', '.join(cards[:_MOST_NAMED])}")
    if first.hint and (pattern := _find_pattern(first)):
        others_meant = f', and so the others: "{pattern[0]}…{pattern[1]}"?'
        first = replace(first, hint=first.hint.replace("?", others_meant, 1))
    more = f"{len(named):,} more: {list_some(named, _MOST_LISTED)}"
    return replace(first, message=f"{first.message}; and {more}")


def _find_cause(problem: Problem) -> tuple[object, ...] | None:
    """Return what many problems have in common where one thing may be the cause of all: a folder of
    icons or pictures that is not there or elsewhere, a script that no font has, a template of
    another program, rows below the cards.
    """
    details, code = problem.details, problem.code
    kind = details.get("kind")
    if problem.where and (code == _NAMELESS or (code == _UNKNOWN and kind == "template")):
        return code, details.get("name"), problem.hint, problem.where.file
    if problem.card is None:
        return None
    if code == "text/missing-character":
        return code, details["fonts"]
    if code == _UNKNOWN and kind in _KINDS:
        if not details["near"]:
            return code, kind, problem.hint
        pattern = _find_pattern(problem)
        return (code, kind, pattern) if pattern else None
    # The hint names the element of the template, if it is one that has no room on most cards.
    return (_CARDS, code, problem.hint) if problem.hint else None


def _find_pattern(problem: Problem) -> tuple[str, str] | None:
    """Return what stands before and behind the name of a picture in the one that was meant."""
    near, name = problem.details.get("near"), problem.details.get("name")
    if problem.details.get("kind") != "picture" or not (near and isinstance(near, tuple)):
        return None
    before, found, behind = str(near[0]).partition(str(name))
    return (before, behind) if found else None


def _list_missed(problem: Problem) -> Sequence[str]:
    missed = problem.details.get("characters") or (problem.details.get("name"),)
    return [f'"{one}"' for one in (missed if isinstance(missed, tuple) else (missed,))]
