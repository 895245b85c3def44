"""The decks that are built: as many cards as wanted, no two alike, on words never seen before.

A seed decides everything. The words are put together from syllables, so that nothing can know them
beforehand, and some are used far more often than others, as in any language.
"""

from __future__ import annotations

import csv
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import accumulate
from pathlib import Path

FEWEST_WORDS = 25
LONGEST_TITLE = 24  # of wide letters, too, at the smallest size that a magic item has for it
_VOCABULARY = 12_000

_ONSETS = """
b c d f g h k l m n p r s t v w br cl dr fl gr pl sh st th tr
"""
_VOWELS = "aeioaeiou"
_CODAS = """
n r l s t d m ck nd rn st ng
"""
_SMALL = """
a after all an and any as at be before by can each every for from has if in instead into is it its
may must no not of on once one only or other per shall that the their them then this to until was
when while who with within without you your
"""
_SMALL_WORDS = _SMALL.split()
_SYLLABLE = (_ONSETS.split(), tuple(_VOWELS), ("", "", "", *_CODAS.split()))
_NOTIONS = ("+1", "−1", "+2", "4+", "5+", "6+", "D6", "2D6", "D3", "20cm", "15cm", "30cm")
_LINKS = ("of", "of the", "for the", "against the", "from the", "and the")
_WHO = ("Only for {} and {}", "One per army, {} or {}", "Not for {}, nor {}")
_KINDS = ("weapon", "standard", "device", "charm", "place", "curse", "dud", "event")
_ICONS = ("sword", "banner", "crown", "potion", "scroll", "ring", "horn", "shield")
_USES = ("Once per game", "One turn", "Entire game")
_COSTS = tuple(cost for cost in range(-30, 65, 5) if cost)
_MARKUP = re.compile(r"\*+")
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class Look:
    """The templates of a deck, and how many words its cards hold at most.

    plus: the sign that its template sets before a cost
    """

    name: str
    template: str
    most_words: int
    back: str = ""
    plus: str = "+"


LOOKS = {
    look.name: look
    for look in (
        Look("plain", "bench-card", 110),
        Look("poker-basic", "poker-basic", 110, plus=""),
        Look("magic-item", "magic-item", 55, "magic-back"),
    )
}


@dataclass(frozen=True, slots=True)
class BenchCard:
    name: str
    cost: int
    kind: str
    icon: str
    who: str
    uses: str
    text: str

    def list_words(self, plus: str) -> list[str]:
        """Return the words that a look prints as they stand."""
        cost = f"{plus}{self.cost}" if self.cost > 0 else f"{_MINUS}{-self.cost}"
        return f"{self.name} {cost} {self.who} {_MARKUP.sub('', self.text)}".split()


@dataclass(frozen=True, slots=True)
class BenchDeck:
    """A deck that lies in a folder: a table of cards and a YAML file that names it."""

    look: Look
    cards: Sequence[BenchCard]
    table: Path

    @property
    def path(self) -> Path:
        return self.table.with_suffix(".yaml")

    def count_words(self) -> Counter[str]:
        """Return the words that its cards print as they stand, and how often."""
        return Counter(word for card in self.cards for word in card.list_words(self.look.plus))


def write_deck(look: Look, count: int, seed: int, folder: Path) -> BenchDeck:
    """Return a deck of so many cards, after it is written to the folder."""
    rng = random.Random(f"{seed} {look.name} {count}")
    cards = _make_cards(rng, count, look.most_words)
    deck = BenchDeck(look, cards, folder / f"{look.name}-{count}.csv")
    with deck.table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(BenchCard)])
        writer.writeheader()
        writer.writerows(map(asdict, cards))
    head = f"title: Bench\ntemplate: {look.template}\ncards: {deck.table.name}\n"
    head += "defaults: {signs: null}\n"
    back = f"back: {look.back}\n" if look.back else ""
    deck.path.write_text(head + back, encoding="utf-8")
    return deck


class _Words:
    """Words that are drawn as often as their place in a list of all allows."""

    def __init__(self, rng: random.Random) -> None:
        found: dict[str, None] = {}
        while len(found) < _VOCABULARY:
            count = rng.choice((1, 2, 2, 3))
            found["".join(map(rng.choice, _SYLLABLE * count))] = None
        self._words = list(found)
        self._weights = list(accumulate(1 / (place + 20) for place in range(_VOCABULARY)))
        self._rng = rng

    def draw(self) -> str:
        return self._rng.choices(self._words, cum_weights=self._weights)[0]


def _make_cards(rng: random.Random, count: int, most_words: int) -> list[BenchCard]:
    words = _Words(rng)
    names: set[str] = set()
    cards: list[BenchCard] = []
    while len(cards) < count:
        name = _make_name(rng, words)
        if name in names or len(name) > LONGEST_TITLE:
            continue
        names.add(name)
        cards.append(
            BenchCard(
                name,
                rng.choice(_COSTS),
                rng.choice(_KINDS),
                rng.choice(_ICONS),
                rng.choice(_WHO).format(words.draw(), words.draw()),
                rng.choice(_USES),
                _make_text(rng, words, rng.randint(FEWEST_WORDS, most_words)),
            )
        )
    return cards


def _make_name(rng: random.Random, words: _Words) -> str:
    first, second, third = (words.draw().capitalize() for _ in range(3))
    return rng.choice(
        (f"{first} {second}", f"{first} {rng.choice(_LINKS)} {second}", f"{first} {second} {third}")
    )


def _make_text(rng: random.Random, words: _Words, left: int) -> str:
    sentences = []
    while left:
        # A rest of one or two words would make no sentence.
        length = min(left, rng.randint(6, 16))
        length = left if left - length < 3 else length
        sentences.append(_make_sentence(rng, words, length))
        left -= length
    return " ".join(sentences)


def _make_sentence(rng: random.Random, source: _Words, length: int) -> str:
    words = [_make_word(rng, source) for _ in range(length)]
    words[0] = words[0][:1].upper() + words[0][1:]
    if length > 8:
        words[rng.randint(2, length - 4)] += ","
    words[-1] += "."
    for mark, chance in (("**", 0.5), ("*", 0.3)):
        if rng.random() < chance:
            start = rng.randrange(length)
            end = min(start + rng.randint(1, 3), length)
            # Some readers of PDF lose a space that stands alone between bold and italic.
            if not any("*" in word for word in words[max(start - 1, 0) : end + 1]):
                words[start:end] = _mark(" ".join(words[start:end]), mark).split(" ")
    return " ".join(words)


def _mark(span: str, mark: str) -> str:
    """Return a span marked bold or italic, with the stop or comma after it as it was."""
    body = span.rstrip(".,")
    return f"{mark}{body}{mark}{span[len(body) :]}"


def _make_word(rng: random.Random, words: _Words) -> str:
    draw = rng.random()
    if draw < 0.38:
        return rng.choice(_SMALL_WORDS)
    return rng.choice(_NOTIONS) if draw < 0.44 else words.draw()
