"""Doubts of a deck as a whole: what no card shows by itself.

Judges cards and counts that others hand in. Knows nothing of sources, templates or how cards were
found.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from cardgen.core.errors import CardgenError, Where, count, list_some, shorten
from cardgen.importing.model import Candidate, Doubt, Guess

_FEWEST = 3  # cards that make a rule
_LONGER = 10  # times as many words as the others have
_LONG = 100  # words that are many on any card
_FOUND_LITTLE = 0.5  # of the lines of a document
_FOUND_MOST = 0.75
_MOST_NAMED = 3
_MARKUP = re.compile(
    r"""\{[@$%{][^{}\n]*\}*      # {@dice 1d6}, {{name}}
    |\[\[[^\[\]\n]*\]\]          # [[Sword]]
    |\]\([^()\s]+\)              # [Sword](page)
    |\[/[a-z]{1,6}\]             # [/b]
    |</?[a-z][^<>\n]{0,80}>      # <b>
    |(?<!&)&(?:[a-z]{2,8}|\#\d{1,6});
    |(?m:^\#{1,6}\ )             # ## Effect
    |(?m:^\|?(?:\s*:?-{3,}:?\s*\|)+)
    |\*\*|```|@[A-Z][a-zA-Z]+\[
    |[\[{]\s*"[^"\n]*"\s*[:,]    # raw JSON
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OF_MARKUP = "{[]<&#|*`@"  # what holds none of these holds no markup
_FACES = re.compile(r"\*{1,3}([^*\n]+)\*{1,3}")  # bold and italic in a field, which prints them
_TOKEN = re.compile(r"\[[a-z][a-z_-]*\]")  # [click], where many cards have it


def check_explained(
    explained: int, lines: int, guesses: Sequence[Guess], file: str, *, pointed: bool = False
) -> tuple[Doubt, ...]:
    """Return a doubt where much of a document is left out.

    Raises where most of it is, unless somebody pointed at what the cards are.

    explained: the lines that are in cards, or left out for a reason that is known
    guesses: what else the cards may be, the best first
    """
    if explained >= lines * _FOUND_MOST:
        return ()
    told = f"only {explained:,} of {lines:,} lines"
    if explained >= lines * _FOUND_LITTLE or pointed:
        what = f"{told} of {file} are explained by the cards; the report lists the others"
        counts = (("found", explained), ("lines", lines))
        return (Doubt("left-out", what, max(explained / lines, 0.1), file, counts),)
    best = tuple(str(guess) for guess in guesses[:_MOST_NAMED])
    saw = f"it saw {'; '.join(best)}: " if best else ""
    raise CardgenError(
        "import/little-found",
        f"{told} are explained by the cards that are found here",
        Where(file),
        f'{saw}name two cards, as --name "Sword of Dawn" --name "Wooden Spoon",'
        " or what is none, as --not Appendix; in tables and JSON, --map and --cards-at point",
        details={"explained": explained, "lines": lines, "guesses": best},
    )


def doubt_cards(cards: Sequence[Candidate]) -> Iterator[Doubt]:
    """Yield what is odd about the cards of a deck taken together."""
    words = [sum(len(part.text.split()) for part in card.paragraphs) for card in cards]
    yield from _doubt_empty(cards, words)
    yield from _doubt_longest(cards, words)
    yield from _doubt_markup(cards)


def _doubt_empty(cards: Sequence[Candidate], words: Sequence[int]) -> Iterator[Doubt]:
    """Doubt that most cards have no text, unless none has: then they are values."""
    empty = [card for card, number in zip(cards, words, strict=True) if not number]
    if len(cards) < _FEWEST or len(empty) * 2 <= len(cards):
        return
    if len(empty) == len(cards) and sum(bool(card.other) for card in cards) * 2 > len(cards):
        return
    told = f"{len(empty):,} of {len(cards):,} cards have no text"
    counts = (("found", len(empty)), ("cards", len(cards)))
    yield Doubt("no-texts", f"{told}: {_name(empty)}", 0.6, details=counts)


def _doubt_longest(cards: Sequence[Candidate], words: Sequence[int]) -> Iterator[Doubt]:
    filled = [number for number in words if number]
    if len(filled) <= _FEWEST:
        return
    usual = median(filled)
    most = max(_LONG, usual * _LONGER)
    long = [card for card, number in zip(cards, words, strict=True) if number >= most]
    if long:
        told = f"{max(words):,} words, where a card usually has {usual:g}"
        what = "is" if len(long) == 1 else "are"
        said = f"{_name(long)} {what} very long: up to {told}"
        names = tuple(card.name for card in long)
        details = (("names", names), ("words", max(words)), ("usual", usual))
        yield Doubt("longest", said, 0.6, _key(long), details)


def _doubt_markup(cards: Sequence[Candidate]) -> Iterator[Doubt]:
    """Doubt signs of markup in texts that nobody has read as such."""
    marked: list[Candidate] = []
    signs: Counter[str] = Counter()
    texts = [
        [t for t in _list_texts(card) if any(map(t.__contains__, _OF_MARKUP))] for card in cards
    ]
    tokens = Counter(token for own in texts for token in set(_TOKEN.findall(" ".join(own))))
    for card, own in zip(cards, texts, strict=True):
        found = [match[0] for text in own for match in _MARKUP.finditer(text)]
        found += [t for text in own for t in _TOKEN.findall(text) if tokens[t] >= _FEWEST]
        if found:
            marked.append(card)
            signs.update(set(found))
    if marked:
        examples = ", ".join(
            shorten(sign.strip(), 30) for sign, _ in signs.most_common(_MOST_NAMED)
        )
        told = f"markup is printed as it is on {count(len(marked), 'card')}"
        names = tuple(card.name for card in marked)
        details = (("names", names), ("said", examples))
        yield Doubt("markup", f"{told}, as {examples}: {_name(marked)}", 0.6, examples, details)


def _list_texts(card: Candidate) -> list[str]:
    texts = [part.text for part in card.paragraphs]
    for _, value in card.other:
        parts = value if isinstance(value, list) else [value]
        texts += [_FACES.sub(r"\1", part) for part in parts if isinstance(part, str)]
    return texts


def _name(cards: Sequence[Candidate]) -> str:
    return list_some([f'"{shorten(card.name, 40)}"' for card in cards], _MOST_NAMED)


def _key(cards: Sequence[Candidate]) -> str:
    return ", ".join(card.name for card in cards)
