"""What a document says, before anybody has written it down: chapters of cards with their fields."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .words import SLOTS, THEMES, Theme, fill

_NAMES = {
    "en": "{Adj} {Thing}|{Adj} {Thing}|{Thing} of {abstract}|{Thing} of {abstract}"
    "|{Owner}'s {Thing}"
    "|{Owner}'s {Adj} {Thing}|{Thing}|{Thing} of the {Adj} {Thing}|{Thing} +{n}|{Thing} ({Adj})"
    '|The "{nick}" {Thing}|{Adj}-{Adj} {Thing}|{Adj} {Thing} of {abstract}|{Thing} No. {n}',
    "de": "{Adj}{thing}|{Adj}{thing}|{Thing} {abstract}|{Adj}{thing} {abstract}|{Owner}s {Thing}"
    "|{Thing}|{Thing} +{n}|{Thing} „{nick}“|{Adj}-{Thing}",
    "fr": "{Thing} {adj}|{Thing} {abstract}|{Thing} {adj} {abstract}|{Thing} de {owner}|{Thing}"
    "|{Thing} +{n}|{Thing} « {nick} »",
}
_SMALL = frozenset({"of", "the", "and", "on", "in", "to", "for", "a", "an", "at", "with", "from"})
_MONEY = {"en": ",", "de": ".", "fr": " "}
_POINTS = re.compile(r"([+−-]?\d+)(?: (?:points|pts|Punkte|Pkt\.))?")


@dataclass(frozen=True)
class Part:
    """A piece of a card's text: running text, perhaps under a label, and a list or table below.

    The cells of a table's rows, and of its head, are parted by |.
    """

    text: str
    items: tuple[str, ...] = ()
    label: str = ""
    is_flavour: bool = False
    is_ordered: bool = False
    head: str = ""

    def write_plainly(self) -> str:
        lead = f"{self.label}. " if self.label else ""
        mark = "" if self.head or self.is_ordered else "- "
        lines = [lead + self.text, self.head, *(mark + item for item in self.items)]
        return "\n".join(line.replace(" | ", " ") for line in lines if line)


@dataclass(frozen=True)
class Entry:
    """A card as its author thinks of it."""

    name: str
    subtitle: str
    labels: tuple[tuple[str, str], ...]
    stats: tuple[tuple[str, str], ...]
    cost: str
    count: int
    who: str
    kind: str
    parts: tuple[Part, ...]

    def tell_truth(self, chapter: str) -> Mapping[str, object]:
        """What must come out of a document that writes this card down."""
        cost = _POINTS.fullmatch(self.cost)
        known = {
            "name": self.name,
            "count": self.count if self.count > 1 else None,
            "cost": _read_figure(cost[1]) if cost else self.cost,
            "who": self.who,
            "kind": chapter or self.kind,
            "subtitle": self.subtitle,
        }
        fields = {label.lower().replace(" ", "_"): value for label, value in self.labels}
        stats = {label: int(value) if value.isdigit() else value for label, value in self.stats}
        text = "\n\n".join(part.write_plainly() for part in self.parts)
        whole = {**known, **fields, "stats": stats, "text": text}
        return {key: value for key, value in whole.items() if value not in (None, "", {})}


@dataclass(frozen=True)
class Chapter:
    """Cards under one title; a title of a part stands before it where a part begins."""

    title: str
    part: str
    intro: tuple[str, ...]
    cards: tuple[Entry, ...]


@dataclass(frozen=True)
class Content:
    """All that a document says of cards, and the words to say it with."""

    theme: Theme
    title: str
    chapters: tuple[Chapter, ...]
    labels: Mapping[str, str]

    @property
    def cards(self) -> list[Entry]:
        return [card for chapter in self.chapters for card in chapter.cards]


class Author:
    """Makes up what a document says. The wishes are those of a style: what it has room for."""

    def __init__(self, rng: random.Random, wishes: Mapping[str, str]) -> None:
        self.rng = rng
        self.wishes = wishes
        language = wishes["language"]
        self._has_curls = rng.random() < 0.3
        self.theme = rng.choice([theme for theme in THEMES if theme.language == language])
        self.slots = {**SLOTS[language], "thing": self.theme.things}
        keys = ("cost", "copies", "wholabel", "type", "effect", "namehead")
        self.labels = {key: self.say(f"{{{key}}}") for key in keys}
        self._names: set[str] = set()
        self._told: Counter[str] = Counter()
        self._sentences = [
            pattern
            for sentence in self.theme.sentences
            for pattern in (self.slots["rule"] if sentence == "{rule}" else (sentence,))
        ]
        self._plan_fields()

    def say(self, pattern: str) -> str:
        text = fill(self.rng, pattern, self.slots)
        if self.theme.language == "fr":
            text = re.sub(r"\b([Dd])e (?=[AEIOUHÉÈ])|\b(qu)e (?=[aeiou])", r"\1\2'", text)
        if self._has_curls:
            text = re.sub(r'"(.*?)"', r"“\1”", text.replace("'", "’"))
        return text

    def write(self, least: int, most: int, slot: str = "") -> str:
        """Some sentences, first those that were told the least."""
        patterns = dict.fromkeys(self.slots[slot] if slot else self._sentences)
        told = sorted(patterns, key=lambda pattern: (self._told[pattern], self.rng.random()))
        told = told[: self.rng.randint(least, most)]
        self._told.update(told)
        return " ".join(map(self.say, told))

    def make_content(self) -> Content:
        rng = self.rng
        shape = self.wishes["chapters"]
        title = self.say(rng.choice(self.theme.titles))
        few = self.wishes["text"] in ("rich", "sections", "rolls", "steps")
        total = rng.randint(4, 60) if rng.random() < 0.15 else rng.randint(8, 20 if few else 30)
        counts = {"none": 1, "one": 1, "parts": 4}.get(shape, rng.randint(2, 4))
        total = max(total, 3 * counts)
        cuts = sorted(rng.sample(range(1, total // 3), counts - 1)) if counts > 1 else []
        thirds = [b - a for a, b in zip([0, *cuts], [*cuts, total // 3], strict=True)]
        sizes = [3 * third + rng.randint(-1, 1) for third in thirds]
        if counts == 1:
            sizes = [total]
        titles = rng.sample(self.theme.chapters, counts)
        if shape == "one":
            titles = [self.say("{whole}")]
        parts = [*self.slots["partnames"][:1], "", *self.slots["partnames"][1:2], ""]
        has_intro = rng.random() < 0.5
        return Content(
            self.theme,
            title,
            tuple(
                Chapter(
                    titles[at] if shape != "none" else "",
                    parts[at] if shape == "parts" else "",
                    (self.write(1, 3, "intro"),) if has_intro and shape != "none" else (),
                    tuple(self.make_cards(size)),
                )
                for at, size in enumerate(sizes)
            ),
            self.labels,
        )

    def make_cards(self, count: int) -> Iterator[Entry]:
        fields = self._planned
        if self._varies and len(fields) > 3:
            fields = [fields[0], *self.rng.sample(fields[1:], len(fields) - 2)]
        self._fields = fields
        has_counts = self.wishes["count"] != "none"
        copies = {0: 2, min(2, count - 1): 3} if has_counts else {}
        for at in range(count):
            more = has_counts and self.rng.random() < 0.25
            yield self.make_card(copies.get(at) or (self.rng.randint(2, 4) if more else 1))

    def make_card(self, count: int) -> Entry:
        rng = self.rng
        has_who = self.wishes["who"] != "none" and rng.random() < 0.45
        who = rng.choice(self.theme.groups) if has_who else ""
        labels = [
            (label, self.say(rng.choice(values)))
            for label, values in self._fields
            if rng.random() > self._lack
        ]
        if self._fields and self.wishes["form"] != "table" and rng.random() < 0.04:
            label, _, value = self.say("{once}").partition("=")
            labels.append((label, value))
        return Entry(
            self.make_name(),
            self.say(rng.choice(self.theme.subtitles)) if self.wishes["subtitle"] != "none" else "",
            tuple(labels),
            tuple((label, self._make_figure()) for label in self._stats),
            self._make_cost() if self.wishes["cost"] != "none" else "",
            count,
            self.say(self._who_line.replace("{}", who)) if who else "",
            self.say("{types}") if self._has_type else "",
            tuple(self.make_parts()),
        )

    def make_name(self) -> str:
        only_letters = self.wishes["name"] == "spaced"
        while True:
            pattern = self.rng.choice(_NAMES[self.theme.language].split("|"))
            words = self.say(pattern).split()
            if self.theme.language == "en":
                words = [_set_as_title(word) for word in words]
            name = " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])
            plain = name.replace(" ", "").isalpha()
            if name in self._names or len(words) > 5 or (only_letters and not plain):
                continue
            if self.wishes["form"] != "entries" and not plain and re.search(r"[(«„“\"]|No\.", name):
                continue
            self._names.add(name)
            return name

    def make_parts(self) -> Iterator[Part]:
        """One paragraph, or up to four with a list, a label of its own, a saying."""
        rng = self.rng
        room = self.wishes["text"]
        is_rich = room in ("rich", "sections", "rolls", "steps")
        if room == "none":
            return
        if room == "line":
            yield Part(self.write(1, 3))
            return
        count = rng.choice((1, 1, 2)) if room == "some" else rng.choice((1, 1, 2, 2, 3, 4))
        says = rng.random() < self._flavour and is_rich
        flavour = Part(self.say("{flavour}"), is_flavour=True)
        if says and self._flavour_first:
            yield flavour
        yield from (Part(self.write(1, 5)) for _ in range(count))
        items = [self.say(rng.choice(self.theme.lists)) for _ in range(rng.randint(2, 5))]
        if room == "rolls" and rng.random() < 0.4:
            rows = tuple(f"{at} | {item}" for at, item in enumerate(items, start=1))
            yield Part(self.say("{rolling}"), rows, head=self.say("{rollhead}").replace("/", "|"))
        elif room == "steps":
            steps = tuple(f"{at}. {item}" for at, item in enumerate(items, start=1))
            yield Part(self.say("{listing}"), steps, is_ordered=True)
        elif is_rich and rng.random() < 0.15:
            yield Part(self.say("{listing}"), tuple(dict.fromkeys(items)))
        if is_rich and rng.random() < self._long:
            label, _, text = self.say(self._long_label).partition("=")
            yield Part(text, label=label)
        if says and not self._flavour_first:
            yield flavour

    def _plan_fields(self) -> None:
        """Which labels and stats the cards of this document have."""
        rng = self.rng
        wishes = self.wishes
        stats = rng.sample(self.theme.stats, rng.randint(3, len(self.theme.stats)))
        self._stats = stats if wishes["stats"] != "none" else []
        free = [pair for pair in self.theme.labels if pair[0] not in self._stats]
        most = {"none": 0, "table": 3}.get(wishes["labels"], 5)
        least = min(2, most) if wishes["form"] != "table" else 0
        self._planned = rng.sample(free, min(rng.randint(least, max(most, least)), len(free)))
        self._lack = rng.choice((0.0, 0.0, 0.06, 0.12))
        chaptered = wishes["chapters"] in ("flat", "parts")
        self._varies = chaptered and wishes["form"] != "table" and rng.random() < 0.25
        self._has_type = bool(self._planned) and not chaptered and rng.random() < 0.3
        self._figures = rng.choice(("small", "small", "tens", "signed"))
        self._units = self.rng.choice(
            [
                unit
                for unit in self.slots["units"]
                if wishes["cost"] == "label"
                or wishes["form"] == "table"
                or not unit.endswith("{k}")
            ]
        )
        lines = ("{} only", "{} only", "{playon}")
        self._who_line = rng.choice(lines) if wishes["who"] == "line" else "{}"
        self._flavour = rng.choice((0.0, 0.0, 0.4, 1.0))
        self._flavour_first = rng.random() < 0.5
        self._long = rng.choice((0.0, 0.2, 0.5))
        self._long_label = rng.choice(self.slots["long"])

    def _make_figure(self) -> str:
        figure = self.rng.randint(1, 9)
        if self._figures == "small" or self.rng.random() < 0.6:
            return str(figure)
        return str(figure * 5) if self._figures == "tens" else f"{2 + figure % 5}+"

    def _make_cost(self) -> str:
        rng = self.rng
        k = rng.randint(1, 24) * 5
        money = f"{rng.randint(2, 80) * 50:,}".replace(",", _MONEY[self.theme.language])
        signed = f"+{k}" if rng.random() < 0.92 else f"-{k}"
        return self._units.replace("{k}", str(k)).replace("{m}", money).replace("{s}", signed)


def _set_as_title(word: str) -> str:
    return word if word.lower() in _SMALL else word[:1].upper() + word[1:]


def _read_figure(text: str) -> int | str:
    return text if text[0] in "+-−" else int(text)
