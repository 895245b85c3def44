"""The facts that a line begins with, by the rules of fact_rules.py, and what is left of it.

Knows nothing of blocks, or where a card begins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from cardgen.importing.finding.fact_rules import GLUE, MOST_WORDS, RULES, VERBS, Gives, Rule
from cardgen.importing.finding.rule_parts import expand
from cardgen.importing.model import Doubt

Figure = str | int | None

_RULES = tuple((rule, re.compile(expand(rule.looks_for), re.IGNORECASE)) for rule in RULES)
_GLUE = re.compile("|".join(f"(?:{pattern})" for pattern in GLUE))
_BETWEEN = re.compile(r"(?:[\s,;.|/·•()\[\]*:>]|…|and\s(?=costs?\b)|[–—-](?=\s|$|[–—−+-]))*")
_AFTER = re.compile(r"[\s,;.:|·•)\]*]*(?:[–—-](?=\s)\s*)?")
_FREE = ("free", "nil", "zero", "nothing", "no cost")
_MINUS = frozenset("-−–—‐‑‒")
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SCANNED = str.maketrans("OolI", "0011")
_FUNCTION_WORDS = frozenset(("a", "an", "any", "all", "and", "of", "or", "other", "own", "the"))
_PROSE_START = re.compile(r"[a-zß-öø-ÿ]")


class Fact(NamedTuple):
    gives: Gives
    value: Figure
    rule: Rule
    written: str
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """The facts in the order in which they stand, and where the rest of the text begins."""

    facts: tuple[Fact, ...]
    end: int

    @property
    def sure(self) -> float:
        return max((fact.rule.sure for fact in self.facts), default=0.0)

    def has(self, *gives: str) -> bool:
        return any(fact.gives in gives for fact in self.facts)


NONE_TAKEN = Taken((), 0)


def list_glued(text: str) -> list[int]:
    """The places in a text where extraction has swallowed a blank."""
    return [match.start() for match in _GLUE.finditer(text) if match.start()]


@lru_cache(maxsize=4_096)
def take_facts(text: str, start: int = 0) -> Taken:
    """As many facts as stand one after the other from `start` on."""
    facts: list[Fact] = []
    ends = [start]
    position = start
    while True:
        after = _BETWEEN.match(text, position)
        begin = after.end() if after else position
        if begin >= len(text):
            break
        found = _match_rule(text, begin, facts)
        if found is None:
            break
        fact, position = found
        facts.append(fact)
        ends.append(position)
        if fact.gives == "text":
            break
    # "Once per game, an enemy …" begins a sentence and states no fact.
    while facts and facts[-1].gives != "text":
        gap = _BETWEEN.match(text, ends[-1])
        begin = gap.end() if gap else ends[-1]
        parted = text[ends[-1] : begin]
        rest = text[begin:]
        signs = r"[.|/)–—]" if facts[-1].gives == "uses" else r"[:.|/)–—]"
        if not rest or not _PROSE_START.match(rest) or re.search(signs, parted):
            break
        facts.pop()
        ends.pop()
    return Taken(tuple(facts), _skip(text, ends[-1]) if facts else start)


def _skip(text: str, position: int) -> int:
    """Past what stands between a fact and what follows; a bracket that opens stays."""
    match = _AFTER.match(text, position)
    return match.end() if match else position


def make_stat(label: str, value: str) -> Fact:
    rule = next(rule for rule in RULES if rule.gives == "stat")
    return Fact("stat", f"{label}\t{value}", rule, f"{label} {value}")


def _match_rule(text: str, begin: int, before: Sequence[Fact]) -> tuple[Fact, int] | None:
    for rule, pattern in _RULES:
        match = pattern.match(text, begin)
        if match is None or match.end() == begin:
            continue
        fact = _read_fact(rule, match, text, begin)
        if fact is None or (fact.gives == "who" and _has_enough(fact, before)):
            continue
        return fact, match.end()
    return None


def _has_enough(fact: Fact, before: Sequence[Fact]) -> bool:
    """A weak rule does not name a second bearer, unless a rank or cost came between."""
    last = next((i for i in range(len(before) - 1, -1, -1) if before[i].gives == "who"), None)
    if last is None or fact.rule.sure >= 0.9:
        return False
    return not any(later.gives in ("cost", "rank") for later in before[last + 1 :])


def _read_fact(rule: Rule, match: re.Match[str], text: str, begin: int) -> Fact | None:
    groups = match.groupdict()
    raw = groups.get("value") or groups.get("value2") or ""
    written = match[0].strip()
    match rule.gives:
        case "cost":
            return _read_cost(rule, groups, raw, written, text, begin)
        case "count":
            number = _WORDS.get(raw.lower()) or int(raw)
            return Fact("count", number, rule, written) if 0 < number <= 200 else None
        case "text" | "nothing":
            return Fact(rule.gives, None, rule, written)
        case "stat":
            return Fact(
                "stat", f"{capitalise((groups['label'] or '').lower())}\t{raw}", rule, written
            )
        case "rank":
            return Fact("rank", raw.lower(), rule, written)
    value = raw.strip().rstrip(",").strip()
    words = value.lower().split()
    if rule.name == "roles" and (not set(words) - _FUNCTION_WORDS or words[-1] in _FUNCTION_WORDS):
        return None
    if rule.phrase and not is_phrase(value):
        return None
    if value.lower() in ("none", "nil", "n/a", "-", "–", "—"):
        return Fact("nothing", None, rule, written)
    return Fact(rule.gives, capitalise(value), rule, written)


def _read_cost(
    rule: Rule, groups: dict[str, str | None], raw: str, written: str, text: str, begin: int
) -> Fact | None:
    if not any(sign.isdigit() for sign in raw) and raw[:1].lower() not in "il":
        value = 0 if raw.lower() in _FREE else None
        return (
            Fact("cost", value, rule, written)
            if value == 0
            else Fact("nothing", None, rule, written)
        )
    if raw.lower() in _FREE:
        return Fact("cost", 0, rule, written)
    digits = raw.translate(_SCANNED)
    if not digits.isdigit():
        return None
    sign = (groups.get("sign") or "").lower()
    doubt = None
    negative = sign == "minus"
    if sign in _MINUS:
        label = written[: written.index(groups["sign"] or "")].rstrip()
        spaced = bool(groups.get("blank"))
        alone = not label and not text[:begin].strip()
        negative = not spaced or sign == "−" or label.endswith((":", "=")) or alone
        unlike_minus = spaced and sign != "−" and (alone or not negative)
        joins = sign in "–—" and not spaced and not label and text[:begin][-1:].isalnum()
        if unlike_minus or joins:
            said = f'"{sign}" before {digits} may be a minus or a dash'
            doubt = Doubt("sign", said, 0.7)
    if digits != raw:
        doubt = Doubt("misread", f'"{raw}" is read as {digits}', 0.7)
    return Fact("cost", -int(digits) if negative else int(digits), rule, written, doubt)


def is_phrase(text: str) -> bool:
    return len(text.split()) <= MOST_WORDS and not VERBS.search(text)


def capitalise(text: str) -> str:
    """A fact as a card shows it: with a capital, without the marks around it."""
    text = re.sub(r"\s+", " ", text).strip(" .,;:*_-–—")
    if text.isupper() and " " in text:
        text = text.lower()  # a line that shouts
    return text[:1].upper() + text[1:]
