"""Words with figures in a list that holds other things as well: "4 HP, 12 STR, horns (d8)".

Each of them stands in most records, always before its figure or always behind it. The others are
text. Knows nothing of what the words mean.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardgen.importing.finding.labels import part_at
from cardgen.importing.finding.stats import Pair
from cardgen.importing.finding.vocabulary import list_small
from cardgen.importing.model import Styled

_FEWEST = 3
_HALF = 0.5
_SOME = 0.1  # of the records, for a word written as those are that most have
_LONGEST = 400  # letters of a line
_COMMA = re.compile(r"[,;](?:\s+|$)")
_WORDS = r"[^\W\d_][\w.'’]*(?:\s[^\W\d_]\w*)?"
_NUMBER = r"[+±\-−–]?(?:\d*[dDwW]\d+|\d)[\d.,/dDwW+–-]*"
_MORE = r"(?:\s(?:\([^()]*\)|[a-zß-ÿ]+)){0,2}"
_BEHIND = re.compile(rf"(?P<value>{_NUMBER})\s+(?P<word>{_WORDS})")
_BEFORE = re.compile(rf"(?P<word>{_WORDS})\s*[:=]?\s+(?P<value>{_NUMBER}\S*{_MORE})")
# "AL C", "TT R (C)": what is cut short needs no figure.
_SHORTENED = re.compile(rf"(?P<word>[A-ZÀ-Þ]{{2,4}})\s+(?P<value>\S+{_MORE})")


class Word(NamedTuple):
    """A word of such lists, and whether it stands behind its figure."""

    text: str
    behind: bool


def learn_listed(records: Sequence[Iterable[Styled]]) -> frozenset[Word]:
    """Return the words that stand in the lists of most records."""
    found: Counter[Word] = Counter()
    for lines in records:
        lists = (part_list(line) for line in lines)
        found.update(
            {one[0] for parts in lists for part in parts if (one := _read_part(part.text))}
        )
    most = {word for word, times in found.items() if times >= max(_FEWEST, _HALF * len(records))}
    if len(most) < 2:
        return frozenset()
    alike = {(word.text[:1].isupper(), word.behind) for word in most}
    fewest = max(_FEWEST, _SOME * len(records))
    some = {word for word, times in found.items() if times >= fewest}
    return frozenset(most | {one for one in some if (one.text[:1].isupper(), one.behind) in alike})


def part_list(line: Styled) -> list[Styled]:
    """Return the parts between the commas of a line; none where they make no list."""
    if len(line.text) > _LONGEST or "," not in line.text:
        return []
    parts = part_at(line.strip(" ."), _COMMA)
    return parts if len(parts) >= _FEWEST else []


def _read_part(text: str) -> tuple[Word, Pair] | None:
    """Return a word with its figure, if that is all that a part holds."""
    for pattern in (_BEHIND, _BEFORE, _SHORTENED):
        match = pattern.fullmatch(text)
        words = match["word"].split() if match else []
        if match and not any(one.casefold() in list_small() for one in words if not one.isupper()):
            word = Word(match["word"], pattern is _BEHIND)
            return word, Pair(match["word"], match["value"])
    return None


def read_listed(line: Styled, known: frozenset[Word]) -> tuple[list[Pair], Styled] | None:
    """Return the pairs of a list, and its other parts; None where it is no list of pairs."""
    parts = part_list(line) if known else []
    read = [_read_part(part.text) for part in parts]
    pairs = [one[1] for one in read if one and one[0] in known]
    if len(pairs) < 2 or 2 * len(pairs) < len(parts):
        return None
    others = [part for part, one in zip(parts, read, strict=True) if not one or one[0] not in known]
    rest = others[0] if others else Styled.of("")
    for part in others[1:]:
        rest = rest.join(part, ", ")
    return pairs, rest
