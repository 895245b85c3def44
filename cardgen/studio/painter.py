"""A process that keeps one deck open and draws it, and the side of the server that asks it.

A deck may come from a stranger: the process has only so much memory, and each task only so much
time. One that dies or hangs is ended, and the next task begins with a new one. Knows nothing of
addresses or browsers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from secrets import token_bytes
from typing import Any, Literal, NamedTuple, TypeVar, cast

from cardgen.core.budget import limit_memory, make_memory_error, watch
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.failures import FAILURES, explain_failure
from cardgen.core.workers import Line, Worker, start_worker
from cardgen.deck.model import Card, Deck, Value
from cardgen.deck.read import read_written
from cardgen.studio.easel import SIDES, Easel, Spot, View
from cardgen.studio.origins import Origins
from cardgen.studio.packing import (
    Data,
    list_looks_and_languages,
    list_targets,
    pack_boxes,
    pack_card,
    pack_deck,
    pack_face,
    pack_place,
    pack_problem,
    pack_seen,
)
from cardgen.studio.printing import Laid

_T = TypeVar("_T")
_MODULES = ("cardgen.studio.painter",)
OPENING = 60.0  # seconds that a task may take which reads the deck
DRAWING = 20.0
PRINTING = 300.0
_MANY = 150  # cards, of which those on the screen are told first
_COMPOSING = 2.0  # seconds after which those faces are drawn that are composed
_AT_ONCE = 4  # faces that are drawn before anybody is told that they changed


class Lost(Exception):
    """A process that died, hung or took too much memory while it worked on a task."""

    def __init__(self, how: Literal["died", "hung", "memory"]) -> None:
        super().__init__()
        self.how = how


class Reading(NamedTuple):
    """A deck as it is by now.

    deck: packed; empty where it is as it was
    cards: those that differ from the last reading, packed, by their keys
    pictures: of faces that changed, by their versions
    error: why the deck cannot be read; then the rest is empty
    is_part: whether only one card was read, so that the deck is to be read when there is time
    has_rest: whether only cards on the screen are told, and the others are to be asked for
    """

    deck: Data
    order: tuple[str, ...]
    cards: Mapping[str, Data]
    pictures: Mapping[str, bytes]
    unchecked: tuple[str, ...] = ()
    error: tuple[Data, ...] = ()
    is_part: bool = False
    has_rest: bool = False


@dataclass
class Desk:
    """What the process holds: the easel, once the deck could be read, and what was told of it."""

    name: str
    view: View
    salt: bytes
    easel: Easel | None = None
    told: dict[str, Data] = field(default_factory=dict)
    targets: list[Data] = field(default_factory=list)
    laid: dict[str, Laid] = field(default_factory=dict)
    origins: tuple[Deck, Origins] | None = None

    def get_easel(self) -> Easel:
        if self.easel is None:
            self.easel = Easel(self.name, self.view, self.salt)
            self.targets = list_targets(self.easel)
        return self.easel

    def take_fall(self) -> bool:
        """Whether the sizes that cards share fell since the last time."""
        fell = self.easel is not None and self.easel.sizes_fell
        if self.easel is not None:
            self.easel.sizes_fell = False
        return fell


Task = Callable[[Desk], Any]


# Tasks: each is called in the process.


def read(
    changed: Collection[Path] | None, whole: bool, seen: Sequence[Spot], dpi: float, desk: Desk
) -> Reading:
    """Take up what changed, and draw those faces on the screen that changed, if they are few.

    whole: whether all is read, and not only the card that was changed
    """
    try:
        if desk.easel is None:
            easel = desk.get_easel()
        else:
            easel = desk.easel
            key = None if whole else easel.take_part(changed)
            if key is not None:
                return _tell_part(desk, easel, key, seen, dpi)
            easel.take(changed, guesses=bool(seen) and len(easel.keys) > _MANY)
            if changed is None or any(path.suffix == ".toml" for path in changed):
                desk.targets = list_targets(easel)
    except CardgenError as error:
        problems = tuple(pack_problem(problem) for problem in error.problems)
        return Reading({}, (), {}, {}, error=problems)
    return _tell(desk, easel, seen, dpi)


def _tell_part(desk: Desk, easel: Easel, key: str, seen: Sequence[Spot], dpi: float) -> Reading:
    """Return a reading of a deck of which one card was read."""
    stale = [spot for spot in seen if spot.card == key and _is_stale(easel, desk.told, spot)]
    pictures = dict(easel.draw(stale, dpi)) if stale else {}
    card = pack_card(easel, key)
    desk.told = {one: desk.told[one] for one in easel.keys if one in desk.told} | {key: card}
    return Reading({}, easel.keys, {key: card}, pictures, is_part=True)


def _tell(desk: Desk, easel: Easel, seen: Sequence[Spot], dpi: float) -> Reading:
    """Return what differs; of a large deck first what is on the screen."""
    stale = [spot for spot in seen if _is_stale(easel, desk.told, spot)]
    pictures: dict[str, bytes] = {}
    if stale and len(stale) <= _AT_ONCE:
        pictures = dict(easel.draw(stale, dpi))
    if seen and len(easel.keys) > _MANY:
        shown = dict.fromkeys(spot.card for spot in seen if easel.find_version(spot) is not None)
        packed = {key: pack_card(easel, key) for key in shown}
        cards = {key: card for key, card in packed.items() if desk.told.get(key) != card}
        desk.told = {**desk.told, **packed}
        return Reading({}, easel.keys, cards, pictures, has_rest=True)
    return tell_rest(desk)._replace(pictures=pictures)


def tell_rest(desk: Desk) -> Reading:
    """Return all that differs from what was told."""
    easel, told = desk.get_easel(), desk.told
    easel.settle_sizes()
    desk.told = {key: pack_card(easel, key) for key in easel.keys}
    cards = {key: card for key, card in desk.told.items() if told.get(key) != card}
    switches = {"targets": desk.targets, **list_looks_and_languages(easel)}
    deck = {**pack_deck(easel), "switches": switches}
    return Reading(deck, easel.keys, cards, {}, tuple(easel.list_unchecked()))


def _is_stale(easel: Easel, told: Mapping[str, Data], spot: Spot) -> bool:
    version = easel.find_version(spot)
    faces = cast(Mapping[str, Data | None], told.get(spot.card, {}).get("faces", {}))
    before = faces.get(spot.side)
    return version is not None and (before is None or before["v"] != version)


class Drawn(NamedTuple):
    """Pictures of faces, by their versions.

    is_stale: whether versions changed meanwhile, so that the deck is to be asked for
    late: those for which there was no time
    """

    pictures: dict[str, bytes]
    is_stale: bool
    late: tuple[Spot, ...]


def draw(spots: Sequence[Spot], dpi: float, desk: Desk) -> Drawn:
    """Return pictures of faces."""
    easel = desk.get_easel()
    known = [spot for spot in spots if easel.find_version(spot) is not None]
    drawn = list(easel.draw(known, dpi, _COMPOSING))
    return Drawn(dict(drawn), desk.take_fall(), tuple(known[len(drawn) :]))


def trace(spot: Spot, desk: Desk) -> Data | None:
    """Return where each element of a face lies; None where there is no such face."""
    easel = desk.get_easel()
    if easel.find_version(spot) is None:
        return None
    return pack_boxes(easel, spot)


def read_origins(key: str, desk: Desk) -> Data:
    """Return where each value of a card is written."""
    easel = desk.get_easel()
    deck = easel.deck
    if desk.origins is None or desk.origins[0] is not deck:
        written = read_written(deck.path, easel.view.language, easel.project.library)
        desk.origins = deck, Origins(written)
    found = desk.origins[1].read(easel.get_card(key))
    return {name: pack_place(where) for name, where in found.items()}


class Checked(NamedTuple):
    """What came out when faces were composed, by the keys of cards.

    is_stale: as `Drawn` has it
    """

    cards: dict[str, Data]
    is_stale: bool


def check(keys: Sequence[str], seconds: float, desk: Desk) -> Checked:
    """Compose the faces of cards while there is time."""
    easel = desk.get_easel()
    done = easel.check([key for key in keys if key in easel.keys], seconds)
    found = {key: pack_seen(easel, key) for key in done}
    for key, seen in found.items():
        if key in desk.told:
            desk.told[key] = {**desk.told[key], **seen}
    return Checked(found, desk.take_fall())


def try_values(key: str, values: Mapping[str, Value], dpi: float, desk: Desk) -> Data:
    """Return a card as it would be with other values, with its pictures; nothing stays of it."""
    easel = desk.get_easel()
    with trying(easel, key, values) as tried:
        spots = [spot for side in SIDES if easel.find_version(spot := Spot(tried, side))]
        pictures = dict(easel.draw(spots, dpi))
        faces = {side: pack_face(easel, Spot(tried, side)) for side in SIDES}
        return {"faces": faces, **pack_seen(easel, tried), "pictures": pictures}


@contextmanager
def trying(easel: Easel, key: str, values: Mapping[str, Value]) -> Iterator[str]:
    """Let a card have other values meanwhile, and say its key with them."""
    deck = easel.deck
    number = easel.get_number(key) - 1
    tried = _change_card(deck.cards[number], values)
    try:
        easel.take_deck(
            replace(deck, cards=(*deck.cards[:number], tried, *deck.cards[number + 1 :]))
        )
        yield easel.keys[number]
    finally:
        easel.take_deck(deck)


def _change_card(card: Card, values: Mapping[str, Value]) -> Card:
    own = {name: values[name] for name in ("name", "count") if name in values}
    fields = {**card.fields, **{n: v for n, v in values.items() if n not in own}}
    changed = replace(card, fields=fields)
    if isinstance(own.get("name"), str):
        changed = replace(changed, name=cast(str, own["name"]))
    if isinstance(own.get("count"), int):
        changed = replace(changed, count=cast(int, own["count"]))
    return changed


# The process, and who asks it.


def _work(name: str, view: View, salt: bytes, line: Line) -> None:
    """Do tasks until there are no more, or one takes too much memory, of which little comes back;
    each answer is a result, or problems.
    """
    limit_memory()
    desk = Desk(name, view, salt)
    while True:
        try:
            task: Task | None = line.receiver.recv()
        except (EOFError, OSError):
            return
        if task is None:
            return
        try:
            with watch():
                answer: _Answer = (task(desk), None)
        except CardgenError as error:
            answer = (None, error)
        except MemoryError as error:
            line.send((None, error))
            return
        except FAILURES as error:
            answer = (None, explain_failure(error, Where(name)))
        line.send(answer)


_Answer = tuple[Any, CardgenError | MemoryError | None]


class Painter:
    """Asks the process of one deck in one view, one task after the other.

    salt: that of the next process's easel
    """

    def __init__(self, name: str, view: View) -> None:
        self.salt = token_bytes(4)
        self._name = name
        self._view = view
        self._worker: Worker | None = None
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="painter")
        self._turn = asyncio.Lock()
        self._ended = False

    @property
    def process(self) -> int | None:
        """The number of the process, while there is one."""
        return self._worker.process.pid if self._worker is not None else None

    async def ask(self, task: Callable[[Desk], _T], seconds: float) -> _T:
        """Return the result of a task; raise `Lost` where the process has not survived it."""
        async with self._turn:
            if self._ended:
                raise Lost("died")
            loop = asyncio.get_running_loop()
            result, error = await loop.run_in_executor(self._threads, self._exchange, task, seconds)
        if error is not None:
            raise error
        return cast(_T, result)

    def _exchange(self, task: Task, seconds: float) -> tuple[Any, CardgenError | None]:
        if self._worker is None:
            work = partial(_work, self._name, self._view, self.salt)
            self._worker = start_worker(work, modules=_MODULES)
            if self._ended:  # while it started
                self._drop()
                raise Lost("died")
        try:
            self._worker.send(task)
            if not self._worker.receiver.poll(seconds):
                self._drop()
                raise Lost("hung")
            answer: _Answer = self._worker.receiver.recv()
        except (CardgenError, EOFError, OSError) as error:
            self._drop()
            raise Lost("died") from error
        result, refused = answer
        if isinstance(refused, MemoryError):
            self._drop()
            raise Lost("memory")
        return result, refused

    def _drop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def end(self) -> None:
        """End the process, whatever it does."""
        self._ended = True
        if self._worker is not None:
            with suppress(OSError):
                self._worker.process.kill()
        self._threads.shutdown(wait=True)
        self._drop()


def make_lost_problem(lost: Lost) -> Problem:
    """Return the problem of a card that the process has not survived."""
    if lost.how == "memory":
        return make_memory_error().problems[0]
    seconds = DRAWING
    if lost.how == "hung":
        return Problem(
            "studio/hung",
            f"its drawing takes longer than {seconds:g} seconds",
            hint="make its texts shorter, or its pictures smaller",
            details={"seconds": seconds},
        )
    return Problem(
        "studio/died",
        "the process that draws it ended early",
        hint="is there a picture or a font that is broken, or far too large?",
    )


def make_lost_reading(lost: Lost) -> Reading:
    """Return the reading of a deck that the process has not survived."""
    return Reading({}, (), {}, {}, error=(pack_problem(make_lost_problem(lost)),))
