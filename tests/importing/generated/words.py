"""The words of the documents, which words.toml lists, and the filling of patterns with them."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Slots = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Theme:
    """What a document is about: patterns for what its cards say, labels with their values."""

    language: str
    titles: tuple[str, ...]
    chapters: tuple[str, ...]
    things: tuple[str, ...]
    subtitles: tuple[str, ...]
    stats: tuple[str, ...]
    groups: tuple[str, ...]
    labels: tuple[tuple[str, tuple[str, ...]], ...]
    sentences: tuple[str, ...] = ("{rule}",)
    lists: tuple[str, ...] = ("{item}",)


def fill(rng: random.Random, pattern: str, slots: Slots) -> str:
    """Write a pattern out; a slot with a capital gives a word with a capital."""

    def replace(match: re.Match[str]) -> str:
        slot = match[1]
        word = fill(rng, rng.choice(slots[slot.lower()]), slots)
        return word[:1].upper() + word[1:] if slot[0].isupper() else word

    return re.sub(r"\{(\w+)\}", replace, pattern)


def _split(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split("|"))


def _read_theme(raw: Mapping[str, Any]) -> Theme:
    plain = {key: _split(raw[key]) for key in raw if key not in ("language", "labels")}
    labels = tuple((label, _split(values)) for label, values in raw["labels"].items())
    return Theme(language=raw["language"], labels=labels, **plain)


_RAW = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
SLOTS: Mapping[str, Slots] = {
    language: {key: _split(values) for key, values in (_RAW["figures"] | slots).items()}
    for language, slots in _RAW["slots"].items()
}
THEMES = tuple(map(_read_theme, _RAW["themes"]))
