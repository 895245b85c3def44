"""What games call things, read from assets/vocabulary: words for costs, bearers, uses and labels.

They add weight and give names; with none of them repetition still finds cards. Knows no texts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from cardgen.core.library import HOME
from cardgen.deck.labels import HUMPS

Gives = Literal["name", "cost", "count", "who", "uses", "kind", "text"]
FIELDS: tuple[Gives, ...] = ("name", "cost", "count", "who", "uses", "kind", "text")
_MOST_ASKED = 5  # words of a label that asks
_MOST_COMPOSED = 4
_UNIT = re.compile(r"\s*\([^()]*\)$")  # Weight (lb)
_FOLDER = HOME / "assets" / "vocabulary"


@cache
def _read_all() -> list[Mapping[str, Mapping[str, list[str]]]]:
    paths = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != "en", path.stem))
    return [tomllib.loads(path.read_text("utf-8")) for path in paths]


@cache
def list_words(group: str, key: str) -> tuple[str, ...]:
    """Return the words of all languages, without those that stand twice."""
    words = (word for file in _read_all() for word in file.get(group, {}).get(key, ()))
    return tuple(dict.fromkeys(words))


def list_letters(words: Mapping[str, int]) -> frozenset[str]:
    """Return the words of one letter in the language that a text speaks, as its words say."""
    counts: dict[frozenset[str], int] = {}
    for file in _read_all():
        told = file.get("sentence", {})
        own = frozenset([*told.get("small", ()), *told.get("verbs", ())]) if "verbs" in told else ()
        if own:
            counts[own] = sum(words.get(word, 0) for word in own if len(word) > 1)
    spoken = (own for own, count in counts.items() if count == max(counts.values()))
    return frozenset(word for own in spoken for word in own if len(word) == 1)


def read_number(word: str) -> int:
    """Return the number that a word stands for, from two on in each language; 0 for none."""
    counts = (file.get("count", {}) for file in _read_all())
    lists = (one.get(key, []) for one in counts for key in ("numbers", "times"))
    return next((words.index(word.lower()) + 2 for words in lists if word.lower() in words), 0)


def make_pattern(words: Iterable[str]) -> str:
    """Return a pattern for any of the words, the longest first; a `*` stands for any ending."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    parts = (
        r"\s+".join(re.escape(part).replace(r"\*", r"[\w-]*") for part in word.split())
        for word in ordered
    )
    return f"(?:{'|'.join(parts)})" if ordered else r"(?!)"


@cache
def get_pattern(group: str, key: str) -> str:
    return make_pattern(list_words(group, key))


def drop_unit(label: str) -> str:
    """Return a label without its unit, as "Weight (lb)" has one; one that is nothing else stays."""
    return _UNIT.sub("", label) or label


def part_label(label: str) -> list[str]:
    """Return the words of a label or key in small letters: "No. of copies", numCopies."""
    spaced = HUMPS.sub(" ", label).replace("_", " ").replace("-", " ").casefold()
    return [bare for word in spaced.split() if (bare := word.strip(".:?#*[]{}<>()"))]


@cache
def find_label(label: str) -> Gives | None:
    """Return what a label gives by its words, if they are known."""
    labels, words = _list_labels(), part_label(drop_unit(label))
    if found := labels.get(" ".join(part_label(label))) or labels.get(" ".join(words)):
        return found
    for place, word in enumerate(words):
        told = labels.get(" ".join(words[:place]))
        if told in ("count", "cost") and word in list_words("count", "within"):
            return told  # "copies in the deck", "price in crowns"
    asks = (" ".join(words[:place]) for place in range(1, min(3, len(words))))
    for ask in asks if len(words) <= _MOST_ASKED else ():
        for gives in ("who", "count"):
            if ask in list_words(gives, "asks"):
                return gives  # "who may take it"
    return _find_composed(words)


def _find_composed(words: Sequence[str]) -> Gives | None:
    """Return what a label gives that is made of known words: "per box", "buy price"."""
    if not 0 < len(words) <= _MOST_COMPOSED:
        return None
    beside = (*list_words("count", "beside"), *list_words("count", "where"))
    core = " ".join(word for word in words if word not in beside)
    placed = words[0] in list_words("count", "within") and words[-1] in list_words("count", "where")
    if placed or (core and _list_labels().get(core) == "count"):
        return "count"
    costs = words[0] in list_words("cost", "first") or re.fullmatch(
        get_pattern("cost", "heads"), words[-1]
    )
    return "cost" if costs else None


@cache
def _list_labels() -> dict[str, Gives]:
    phrases = list_words("who", "before")  # "may be played by"
    words: dict[str, Gives] = dict.fromkeys(phrases, "who")
    words |= {word: field for field in FIELDS for word in list_words("labels", field)}
    return {" ".join(part_label(word)): field for word, field in words.items()}


@cache
def list_verbs() -> frozenset[str]:
    """Return words that stand in sentences and seldom in names."""
    return frozenset(list_words("sentence", "verbs"))


@cache
def list_small() -> frozenset[str]:
    """Return the words that a title writes small."""
    return frozenset(list_words("sentence", "small"))


@cache
def list_chapter() -> frozenset[str]:
    """Return words that stand in the titles of chapters more often than in names."""
    return frozenset(list_words("chapter", "words"))


@cache
def list_aside() -> frozenset[str]:
    """Return words that stand in the titles of what is no chapter of cards: "Appendix B"."""
    return frozenset(list_words("chapter", "aside"))


@cache
def list_prose() -> frozenset[str]:
    """Return words that a chapter's first lines have more often than a card's."""
    return frozenset(list_words("chapter", "prose"))
