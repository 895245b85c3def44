"""Words with figures in a list that holds other things as well: "4 HP, 12 STR, horns (d8)".

Each of them stands in most records, always before its figure or always behind it. The others are
text. Knows nothing of what the words mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardgen.importing.finding.labels import Label, find_labelled, part_at
from cardgen.importing.finding.stats import Pair
from cardgen.importing.finding.vocabulary import list_small
from cardgen.importing.model import Styled

_FEWEST = 3
_HALF = 0.5
_QUARTER = 0.25
_SOME = 0.1  # of the records, for a word written as those are that most have
_LONGEST = 400  # letters of a line
_COMMA = re.compile(r",(?:\s+|$)")
_SEMICOLON = re.compile(r";(?:\s+|$)|\s+[|·•]\s+")
_SHORT = 8  # words of a value
_WORDS = r"[^\W\d_][\w.'’]*(?:\s[^\W\d_]\w*)?"
_NUMBER = r"[+±\-−–]?(?:\d*[dDwW]\d+|\d)[\d.,/dDwW+–-]*"
_MORE = r"(?:\s(?:\([^()]*\)|[a-zß-ÿ]+)){0,2}"
_BEHIND = re.compile(rf"(?P<value>{_NUMBER})(?:\s+|(?=[a-z]{{2}}$))(?P<word>{_WORDS})")  # "9hp"
_BEFORE = re.compile(rf"(?P<word>{_WORDS})\s*[:=]?\s+(?P<value>{_NUMBER}\S*{_MORE})")
# "AL C", "TT R (C)": what is cut short needs no figure.
_SHORTENED = re.compile(rf"(?P<word>[A-ZÀ-Þ]{{2,4}})\s+(?P<value>\S+{_MORE})")


class Word(NamedTuple):
    """A word of such lists, and whether it stands behind its figure."""

    text: str
    behind: bool


class Known(NamedTuple):
    """The words, and the labels, that stand in the lists of most records."""

    words: frozenset[Word] = frozenset()
    labels: frozenset[str] = frozenset()


class Listed(NamedTuple):
    """What a list says: words with figures, labels with values, and its other parts."""

    pairs: list[Pair]
    labels: list[Label]
    rest: Styled


def learn_listed(records: Sequence[Iterable[Styled]]) -> Known:
    """Return what stands in the lists of most records."""
    found: Counter[Word] = Counter()
    labelled: Counter[str] = Counter()
    for lines in records:
        parts = [part for line in lines for group in _part_list(line) for part in group]
        found.update({one[0] for part in parts if (one := _read_part(part.text))})
        labelled.update({label.key for part in parts if (label := _find_label(part))})
    fewest = max(_FEWEST, _HALF * len(records))
    several = max(_FEWEST, _QUARTER * len(records))
    labels = frozenset(key for key, times in labelled.items() if times >= several)
    most = {word for word, times in found.items() if times >= fewest}
    if len(most) < 2:
        return Known(labels=labels if len(labels) > 1 else frozenset())
    alike = {(word.text[:1].isupper(), word.behind) for word in most}
    fewest = max(_FEWEST, _SOME * len(records))
    some = {word for word, times in found.items() if times >= fewest}
    more = {one for one in some if (one.text[:1].isupper(), one.behind) in alike}
    return Known(frozenset(most | more), labels)


def _part_list(line: Styled) -> list[list[Styled]]:
    """Return the parts between the commas of a line, as semicolons group them; none where they
    make no list.
    """
    if len(line.text) > _LONGEST or not any(sign in line.text for sign in ",;|·•"):
        return []
    groups = [part_at(one, _COMMA) for one in part_at(line.strip(" ."), _SEMICOLON)]
    return groups if sum(map(len, groups)) >= _FEWEST else []


def _find_label(part: Styled) -> Label | None:
    """Return the label that a part begins with, if a few words follow it."""
    label = find_labelled(part) if ":" in part.text else None
    short = label and 0 < len(label.value.text.split()) <= _SHORT
    return label if short else None


def _read_part(text: str) -> tuple[Word, Pair] | None:
    """Return a word with its figure, if that is all that a part holds."""
    for pattern in (_BEHIND, _BEFORE, _SHORTENED):
        match = pattern.fullmatch(text)
        words = match["word"].split() if match else []
        if match and not any(one.casefold() in list_small() for one in words if not one.isupper()):
            word = Word(match["word"], pattern is _BEHIND)
            return word, Pair(match["word"], match["value"])
    return None


def read_listed(line: Styled, known: Known) -> Listed | None:
    """Return what a list says; None where it is none. A label's value goes on behind commas."""
    groups = _part_list(line) if known.words or known.labels else []
    pairs: list[Pair] = []
    labels: list[Label] = []
    others: list[Styled] = []
    for group in groups:
        goes_on = False
        for part in group:
            read, label = _read_part(part.text), _find_label(part)
            if read and read[0] in known.words:
                pairs.append(read[1])
                goes_on = False
            elif label and label.key in known.labels:
                labels.append(label)
                goes_on = True
            elif goes_on:
                value = labels[-1].value.join(part, ", ")
                labels[-1] = labels[-1]._replace(value=value)
            else:
                others.append(part)
    if not pairs and all(_find_label(part) for group in groups for part in group):
        return None  # a line of labels alone
    half = 2 * len(pairs) >= sum(map(len, groups))
    whole = len(pairs) == len(known.words) or len(labels) > 1
    if len(pairs) + len(labels) < 2 or not (half or whole):
        return None
    rest = others[0] if others else Styled.of("")
    for part in others[1:]:
        rest = rest.join(part, ", ")
    return Listed(pairs, labels, rest)
