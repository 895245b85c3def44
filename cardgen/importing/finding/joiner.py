"""Lines become paragraphs: hyphens that a line end put in are taken out.

The words of the text itself say which hyphens are their own. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from cardgen.importing.finding.junk_rules import FIRST_OF_TWO, KEEPS_HYPHEN
from cardgen.importing.model import Block, Styled

WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_HYPHEN = re.compile(r"([^\W\d_]+)[-‐\u00ad¬]$")
_KEEPS = re.compile(rf"(?:{KEEPS_HYPHEN})-", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouyà-öø-ÿ]")
_SHORTEST_WORD = 3


def list_words(blocks: Iterable[Block]) -> Counter[str]:
    """The words of the text that neither begin nor end a line, where they may be torn."""
    words: Counter[str] = Counter()
    for block in blocks:
        words.update(word.lower() for word in WORD.findall(block.text)[1:-1])
    return words


class Joiner:
    """Lines become paragraphs: hyphens that a line end put in are taken out."""

    def __init__(self, blocks: Iterable[Block]) -> None:
        self._words = list_words(blocks)

    def join(self, lines: Iterable[Styled]) -> Styled:
        whole = Styled.of("")
        for line in lines:
            line = Styled.of("").join(line.strip())
            if not whole.text:
                whole = line
                continue
            hyphen = _HYPHEN.search(whole.text)
            if hyphen and line.text[:1].islower():
                keeps = self._keeps(hyphen[1], line.text) and whole.text[-1] in "-‐"
                whole = (whole if keeps else whole.cut(0, -1)).join(line)
            elif hyphen and line.text[:1].isupper() and whole.text.isupper():
                # A name in capitals: the words of the text tell "FUMB-LING" from "TWO-HANDED".
                keeps = self._keeps(hyphen[1].lower(), line.text) or self._knows(hyphen[1])
                whole = (whole if keeps else whole.cut(0, -1)).join(line)
            else:
                dash = whole.text.endswith("-") and whole.text[-2:-1].isdigit()
                whole = whole.join(line, "" if dash else " ")
        return _tidy(whole)

    def _knows(self, word: str) -> bool:
        known = self._words[word.lower()] > 0 or FIRST_OF_TWO.fullmatch(word)
        return len(word) >= _SHORTEST_WORD and bool(known)

    def _keeps(self, before: str, after: str) -> bool:
        match = WORD.match(after)
        rest = match[0].lower() if match else ""
        if self._words[f"{before.lower()}-{rest}"]:
            return True
        if self._words[before.lower() + rest]:
            return False
        # What has no vowel is no word: "mid-" and "dle".
        return bool(_KEEPS.match(f"{before}-{rest}") and _VOWEL.search(rest.removesuffix("e")))


_SOFT = re.compile(r"\u00ad|(?<=\S)(\s)\s+")


def _tidy(text: Styled) -> Styled:
    """Without soft hyphens and double blanks."""
    keep = [True] * len(text.text)
    for match in _SOFT.finditer(text.text):
        start = match.start() if match[1] is None else match.start() + 1
        keep[start : match.end()] = [False] * (match.end() - start)
    letters = "".join(sign for sign, kept in zip(text.text, keep, strict=True) if kept)
    marks = "".join(mark for mark, kept in zip(text.marks, keep, strict=True) if kept)
    return Styled(letters.replace("\u00a0", " ").replace("\t", " "), marks).strip()
