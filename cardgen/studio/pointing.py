"""What somebody clicks on the lines of a text and on the cards found in it, and what comes of it.

A click teaches: what it says holds for all that are printed alike. Clicks are taken in their order,
each upon the cards that those before it left, and the finder looks again. Writes nothing.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.scratch import get_scratch
from cardgen.importing.finding.names import fold
from cardgen.importing.finding.recognise import list_names_on, recognise
from cardgen.importing.importer import LEFT_OUT, Imported, import_files
from cardgen.importing.model import (
    BOLD,
    Answer,
    Block,
    Candidate,
    Doubt,
    Guess,
    LeftOut,
    Place,
    Pointed,
    SourceLine,
    Styled,
)
from cardgen.importing.reading.kinds import TABLES
from cardgen.importing.reading.sources import read_blocks, read_source
from cardgen.importing.review import Reviewed
from cardgen.importing.write import make_cards

# What the finder says where it finds too little; then somebody may point.
_TOO_LITTLE = ("import/little-found", "import/no-cards")
_EXAMPLES = 3  # cards of each kind of print, which hold on to what was found
_KEPT = "kept as it is"


class Click(NamedTuple):
    """A click: on a line, or on the card that begins with it.

    kind: "name": it is a name; "like": `at` holds names of cards; "left": it is left out;
        "joined": it belongs to the card above; "one": it and `other` are one card;
        "right": the doubt with the key `at` is none
    alone: whether it says nothing of those printed alike
    """

    kind: str
    at: str
    other: str = ""
    alone: bool = False


class Text(NamedTuple):
    """A file that was dropped: its bytes under a plain name."""

    name: str
    data: bytes


class Answered(NamedTuple):
    """What is found by now, and what the last click did.

    reviewed: None where too little is found, with the problems of it
    keys: of the cards, by which clicks name them
    alike: how many more than the one that was clicked
    """

    reviewed: Reviewed | None
    keys: tuple[str, ...]
    problems: tuple[Problem, ...] = ()
    guesses: tuple[Guess, ...] = ()
    alike: int = 0


@dataclass
class _Taught:
    """What all clicks so far say."""

    names: dict[str, None] = field(default_factory=dict)
    examples: dict[str, None] = field(default_factory=dict)  # names of cards that stay
    nots: dict[str, None] = field(default_factory=dict)
    out: list[frozenset[SourceLine]] = field(default_factory=list)
    below: list[tuple[Place, ...]] = field(default_factory=list)  # lines of the card above
    joined: dict[str, Candidate] = field(default_factory=dict)
    pairs: dict[str, str] = field(default_factory=dict)  # by the later card, the one it is
    right: dict[str, None] = field(default_factory=dict)

    @property
    def pointed(self) -> Pointed:
        names = {fold(name): name for name in (*self.names, *self.examples)}
        return Pointed(tuple(names.values()), tuple(self.nots), frozenset().union(*self.out))


def name_place(place: Place) -> str:
    """Return what clicks call a line: "12", or "3.12" on page 3."""
    return f"{place.page}.{place.line}" if place.page else str(place.line)


def name_cards(cards: Iterable[Candidate]) -> tuple[str, ...]:
    """Return what clicks call each card: its first line, with a number where several share it."""
    seen: Counter[str] = Counter()
    keys = []
    for card in cards:
        key = name_place(card.place)
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}~{seen[key]}")
    return tuple(keys)


def list_names(text: Text) -> Mapping[str, str]:
    """Return what may be pointed at as a name, by the lines; nothing in tables, which have rows."""
    return {name_place(place): name for place, name in _read(text).names.items()}


def list_lines(text: Text) -> list[SourceLine]:
    """Return all lines of a text; none of a table."""
    return [line for block in _read(text).blocks if block.text for line in block.lines]


def take_clicks(text: Text, clicks: Sequence[Click]) -> Answered:
    """Return the cards as the clicks make them."""
    taught = _Taught()
    alike = 0
    first, refused = _look(text, taught)
    found = first
    for click in clicks:
        alike = _Clicked(text, taught, found).take(click)
        found, refused = _look(text, taught)
    if found is None:
        guesses = recognise(_read(text).blocks).guesses
        return Answered(None, (), refused, guesses, alike)
    keyed = _Clicked(text, taught, found).cards
    if not keyed:
        problem = Problem("import/nothing-kept", "no card is left", hint="take a click back")
        return Answered(None, (), (problem,), (), alike)
    return Answered(_review(first or found, found, keyed, taught), tuple(keyed), alike=alike)


def _look(text: Text, taught: _Taught) -> tuple[Imported | None, tuple[Problem, ...]]:
    """Return what is found; None, and why, where it is too little."""
    try:
        return _find(text, taught.pointed), ()
    except CardgenError as error:
        if not all(problem.code in _TOO_LITTLE for problem in error.problems):
            raise
        return None, error.problems


# The finder


class _Lines(NamedTuple):
    """The lines of a text, and what may be a name on them."""

    blocks: tuple[Block, ...]
    names: Mapping[Place, str]


@contextmanager
def lay_down(text: Text) -> Iterator[None]:
    """Lay a text down in a folder of its own, which is the folder in hand meanwhile."""
    with tempfile.TemporaryDirectory(dir=get_scratch()) as folder:
        Path(folder, text.name).write_bytes(text.data)
        with chdir(folder):
            yield


@lru_cache(maxsize=16)
def _find(text: Text, pointed: Pointed) -> Imported:
    """Return what the finder finds; a click asks again for what the clicks before it did."""
    with lay_down(text):
        return import_files([text.name], pointed=pointed)


@lru_cache(maxsize=2)
def _read(text: Text) -> _Lines:
    with lay_down(text):
        source = read_source(text.name)
    if source.kind in TABLES:
        return _Lines((), {})
    blocks = tuple(read_blocks(source))
    return _Lines(blocks, list_names_on(blocks))


# One click


class _Clicked:
    """The cards as they are before a click, and what it changes of what is taught."""

    def __init__(self, text: Text, taught: _Taught, found: Imported | None) -> None:
        self._text = text
        self._taught = taught
        self._found = found
        self.cards = _apply(text, taught, found) if found else {}

    def take(self, click: Click) -> int:
        """Take a click; return how many more it holds for than the one that was clicked."""
        takers: Mapping[str, Callable[[Click], int]] = {
            "name": self._take_name,
            "like": self._take_examples,
            "left": self._leave_out,
            "joined": self._join,
            "one": self._pair,
            "right": self._settle,
        }
        taker = takers.get(click.kind)
        return taker(click) if taker else 0

    def _take_name(self, click: Click) -> int:
        name = click.other or list_names(self._text).get(click.at, "")
        taught = self._taught
        if not name:
            return 0
        taught.out = [lines for lines in taught.out if not self._holds(lines, click.at)]
        taught.nots.pop(name, None)
        taught.joined.pop(click.at, None)
        self._hold(self.cards)
        taught.names[name] = None
        return 0

    def _holds(self, lines: frozenset[SourceLine], at: str) -> bool:
        return any(name_place(line.place) == at for line in lines)

    def _hold(self, cards: Mapping[str, Candidate]) -> None:
        """Point at a few names of each kind of print, so that what was found stays."""
        taught = self._taught
        if taught.names or taught.examples:
            return
        kinds: Counter[str] = Counter()
        for card in cards.values():
            begins = any(fold(line.text).startswith(fold(card.name)) for line in card.lines)
            if begins and kinds[card.printed] < _EXAMPLES:
                kinds[card.printed] += 1
                taught.examples[card.name] = None

    def _take_examples(self, click: Click) -> int:
        self._taught.examples = {}
        self._taught.names |= dict.fromkeys(click.at.split("\n"))
        return 0

    def _list_alike(self, key: str, *, alone: bool) -> dict[str, Candidate]:
        """Return a card, and those printed alike, where this tells them from the other cards."""
        card = self.cards[key]
        same = {k: one for k, one in self.cards.items() if one.printed == card.printed}
        if alone or not card.printed:
            return {key: card}
        names = {fold(name) for name in self._taught.names}
        shown = {one.printed for one in self.cards.values() if fold(one.name) in names}
        tells = card.printed not in shown if shown else 2 * len(same) <= len(self.cards)
        return same if tells else {key: card}

    def _leave_out(self, click: Click) -> int:
        taught = self._taught
        if click.at not in self.cards:
            taught.out.append(frozenset(self._find_paragraph(click.at)))
            self._hold(self.cards)
            return 0
        gone = self._list_alike(click.at, alone=click.alone)
        for card in gone.values():
            taught.out.append(frozenset((*card.lines, *(line for a in card.again for line in a))))
            self._forget(card)
        self._hold({key: card for key, card in self.cards.items() if key not in gone})
        return len(gone) - 1

    def _forget(self, card: Candidate) -> None:
        for known in (self._taught.names, self._taught.examples):
            for name in [name for name in known if fold(name) == fold(card.name)]:
                del known[name]

    def _find_paragraph(self, at: str) -> list[SourceLine]:
        """Return a line and those below it that no white space parts from it."""
        begins = {name_place(card.place) for card in self.cards.values()}
        lines: list[SourceLine] = []
        for block in _read(self._text).blocks:
            here = name_place(block.place)
            if lines and (block.gap or block.kind in ("rule", "page") or here in begins):
                break
            if lines or here == at:
                lines += block.lines
        return lines

    def _join(self, click: Click) -> int:
        taught = self._taught
        if click.at not in self.cards:
            taught.below.append(tuple(line.place for line in self._find_paragraph(click.at)))
            return 0
        keys = list(self.cards)
        alike = self._list_alike(click.at, alone=click.alone)
        alike.pop(keys[0], None)  # above which there is no card
        for card in alike.values():
            self._forget(card)
        self._hold({key: card for key, card in self.cards.items() if key not in alike})
        if not self._is_understood(alike):
            taught.joined |= alike
        return max(0, len(alike) - 1)

    def _is_understood(self, joined: Mapping[str, Candidate]) -> bool:
        """Whether the finder, told that these are no names, reads them as parts of cards.

        Then it stays told.
        """
        taught = self._taught
        before = dict(taught.nots)
        taught.nots |= dict.fromkeys(card.name for card in joined.values())
        try:
            found = _find(self._text, taught.pointed)
        except CardgenError:
            found = None
        inside = {line for card in found.cards for line in card.lines} if found else set()
        begins = {card.place for card in found.cards} if found else set()
        wanted = {card.place for key, card in self.cards.items() if key not in joined}
        if begins == wanted and all(card.lines[0] in inside for card in joined.values()):
            return True
        taught.nots = before
        return False

    def _pair(self, click: Click) -> int:
        keys = list(self.cards)
        if click.at not in keys or click.other not in keys or click.at == click.other:
            return 0
        first, second = sorted((click.at, click.other), key=keys.index)
        pairs = {second: first}
        if not click.alone and keys.index(second) == keys.index(first) + 1:
            bare = _is_bare(self.cards[first])
            pairs |= {
                below: above
                for above, below in pairwise(keys)
                if bare and _is_bare(self.cards[above]) and not _is_bare(self.cards[below])
            }
        self._taught.pairs |= pairs
        return len(pairs) - 1

    def _settle(self, click: Click) -> int:
        self._taught.right[click.at] = None
        doubts = [doubt.key for card in self.cards.values() for doubt in card.doubts]
        return max(0, doubts.count(click.at) - 1)


# The cards as all clicks make them


def _apply(text: Text, taught: _Taught, found: Imported) -> dict[str, Candidate]:
    """Return the cards by their keys, with what was put together and what was settled."""
    out = frozenset().union(*taught.out)
    cards: dict[str, Candidate] = {}
    for key, card in zip(name_cards(found.cards), found.cards, strict=True):
        if not out.issuperset(card.lines):  # a row of a table is no line that was left out before
            cards[key] = card
    for places in taught.below:
        _add_lines(text, cards, places)
    for key in list(cards):
        above = taught.pairs.get(key)
        if above in cards:
            cards[above] = _merge(cards[above], cards.pop(key))
    for key, joined in taught.joined.items():
        part = cards.get(key, joined)
        before = [one for one, card in cards.items() if card.place.order < part.place.order]
        if before:
            cards.pop(key, None)
        # A finder that was told more since may have found its lines to be a card's already.
        if before and part.lines[0] not in cards[before[-1]].lines:
            cards[before[-1]] = _join(cards[before[-1]], part)
    return {key: _settle(card, taught.right) for key, card in cards.items()}


def _add_lines(text: Text, cards: dict[str, Candidate], places: Sequence[Place]) -> None:
    """Put lines that were left out into the card above them, as a paragraph."""
    above = [key for key, card in cards.items() if places and card.place.order < places[0].order]
    if not above:
        return
    card = cards[above[-1]]
    wanted = set(places) - {line.place for line in card.lines}
    blocks = [block for block in _read(text).blocks if block.place in wanted and block.text]
    if not blocks:
        return
    content = blocks[0].content
    for block in blocks[1:]:
        content = content.join(block.content, " ")
    cards[above[-1]] = replace(
        card,
        lines=(*card.lines, *(line for block in blocks for line in block.lines)),
        paragraphs=(*card.paragraphs, content),
        doubts=tuple(doubt for doubt in card.doubts if doubt.kind != "no-effect"),
    )


def _is_bare(card: Candidate) -> bool:
    """Whether a card is a name alone."""
    return not card.paragraphs and card.cost is None and not card.other


def _join(card: Candidate, more: Candidate) -> Candidate:
    """Return a card with another one as a part of its text, which begins with its name."""
    name = Styled.of(f"{more.name}.", BOLD)
    first, *others = more.paragraphs or (Styled.of(""),)
    lead = name.join(first, " ") if first.text else name
    return replace(
        card, lines=(*card.lines, *more.lines), paragraphs=(*card.paragraphs, lead, *others)
    )


def _merge(card: Candidate, more: Candidate) -> Candidate:
    """Return two cards that are one: printed again, torn in its name, or going on elsewhere."""
    if fold(card.name) == fold(more.name):
        longer = max(card, more, key=lambda one: len(one.text))
        return replace(
            card,
            count=card.count + more.count,
            paragraphs=longer.paragraphs,
            doubts=_drop_twins(card),
            again=(*card.again, more.lines, *more.again),
        )
    lines = (*card.lines, *more.lines)
    if _is_bare(card):
        return replace(more, name=f"{card.name} {more.name}", lines=lines, doubts=_drop_twins(more))
    known = dict(card.other)
    return replace(
        card,
        lines=lines,
        cost=more.cost if card.cost is None else card.cost,
        who=card.who or more.who,
        uses=card.uses or more.uses,
        paragraphs=(*card.paragraphs, *more.paragraphs),
        other=(*card.other, *((key, value) for key, value in more.other if key not in known)),
        doubts=_drop_twins(card),
    )


def _drop_twins(card: Candidate) -> tuple[Doubt, ...]:
    return tuple(doubt for doubt in card.doubts if doubt.kind not in ("twin", "no-effect"))


def _settle(card: Candidate, right: Mapping[str, None]) -> Candidate:
    settled = tuple(doubt for doubt in card.doubts if doubt.key in right)
    if not settled:
        return card
    doubts = tuple(doubt for doubt in card.doubts if doubt not in settled)
    answers = (Answer(doubt, _KEPT) for doubt in settled)
    return replace(card, doubts=doubts, answers=(*card.answers, *answers))


def _review(
    first: Imported,
    found: Imported,
    keyed: Mapping[str, Candidate],
    taught: _Taught,
) -> Reviewed:
    """Return the cards beside those of the first look, which the next import finds again."""
    cards = tuple(keyed.values())
    held = {line for card in cards for part in (card.lines, *card.again) for line in part}
    left = [one for one in found.left_out if SourceLine(one.place, one.text) not in held]
    left += [
        LeftOut(line.text, line.place, LEFT_OUT)
        for card in found.cards
        for line in card.lines
        if line not in held
    ]
    settled = [doubt for doubt in found.deck_doubts if doubt.key in taught.right]
    imported = replace(
        found,
        cards=cards,
        values=tuple(make_cards(cards)),
        left_out=tuple(left),
        deck_doubts=tuple(doubt for doubt in found.deck_doubts if doubt not in settled),
        deck_answers=tuple(Answer(doubt, _KEPT) for doubt in settled),
    )
    at = {key: number for number, key in enumerate(name_cards(first.cards))}
    answers = {at[key]: card.answers for key, card in keyed.items() if key in at}
    return Reviewed(
        first,
        imported,
        tuple(at.get(key, -1) for key in keyed),
        tuple(answers.get(number, ()) for number in range(len(first.cards))),
    )
