"""The cards to build: as many as wanted, no two alike, and the same ones on every run."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

SEED = 1909
FEWEST_WORDS, MOST_WORDS = 25, 110
LONGEST_TITLE = 30

_SMALL = """
a after all an and any as at be before by can each every for from has if in instead into is it its
may must no not of on once one only or other per shall that the their them then this to until was
when while who with within without you your
"""
_SMALL_WORDS = _SMALL.split()
_NOTIONS = ("+1", "−1", "+2", "4+", "5+", "6+", "D6", "2D6", "D3", "20cm", "15cm", "30cm")
_LINKS = ("of", "of the", "for the", "against the", "from the", "and the")
_WHO = (
    "Only for {}s and {}s",
    "One per army, {} or {}",
    "Models with {} and {} only",
    "Not for the {}, nor any {}",
)
_COSTS = tuple(cost for cost in range(-30, 65, 5) if cost)
_MARKUP = re.compile(r"\*+")
_MINUS = "\N{MINUS SIGN}"


@dataclass(frozen=True, slots=True)
class BenchCard:
    title: str
    cost: int
    restriction: str
    text: str

    @property
    def words(self) -> list[str]:
        """Every word that must be found on the printed card."""
        cost = f"+{self.cost}" if self.cost > 0 else f"{_MINUS}{-self.cost}"
        plain = _MARKUP.sub("", self.text)
        return f"{self.title} Cost {cost} {self.restriction} {plain}".split()


def read_vocabulary(path: Path) -> list[str]:
    """The plain words of a list that has one word a line."""
    lines = path.read_text(encoding="utf-8").split()
    return [word for word in lines if re.fullmatch(r"[a-z]{3,12}", word)]


def make_cards(count: int, vocabulary: Sequence[str]) -> list[BenchCard]:
    rng = random.Random(SEED)
    titles: set[str] = set()
    texts: set[str] = set()
    cards: list[BenchCard] = []
    while len(cards) < count:
        title, text = _make_title(rng, vocabulary), _make_text(rng, vocabulary)
        if title in titles or text in texts or len(title) > LONGEST_TITLE:
            continue
        titles.add(title)
        texts.add(text)
        restriction = rng.choice(_WHO).format(rng.choice(vocabulary), rng.choice(vocabulary))
        cards.append(BenchCard(title, rng.choice(_COSTS), restriction, text))
    return cards


def write_csv(cards: Sequence[BenchCard], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["title", "cost", "restriction", "text"])
        writer.writeheader()
        writer.writerows(asdict(card) for card in cards)


def _make_title(rng: random.Random, vocabulary: Sequence[str]) -> str:
    first, second, third = (rng.choice(vocabulary).capitalize() for _ in range(3))
    return rng.choice(
        (f"{first} {second}", f"{first} {rng.choice(_LINKS)} {second}", f"{first} {second} {third}")
    )


def _make_text(rng: random.Random, vocabulary: Sequence[str]) -> str:
    left = rng.randint(FEWEST_WORDS, MOST_WORDS)
    sentences = []
    while left:
        # A rest of one or two words would make no sentence.
        length = min(left, rng.randint(6, 16))
        length = left if left - length < 3 else length
        sentences.append(_make_sentence(rng, vocabulary, length))
        left -= length
    return " ".join(sentences)


def _make_sentence(rng: random.Random, vocabulary: Sequence[str], length: int) -> str:
    words = [_make_word(rng, vocabulary) for _ in range(length)]
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
    """Set a span bold or italic, leaving the stop or comma after it as it was."""
    body = span.rstrip(".,")
    return f"{mark}{body}{mark}{span[len(body) :]}"


def _make_word(rng: random.Random, vocabulary: Sequence[str]) -> str:
    draw = rng.random()
    if draw < 0.38:
        return rng.choice(_SMALL_WORDS)
    return rng.choice(_NOTIONS) if draw < 0.44 else rng.choice(vocabulary)
