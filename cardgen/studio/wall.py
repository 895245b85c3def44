"""A deck in one view as the studio shows it: what the pages know of it, and what they are told.

Asks a painter, the most urgent first: what changed, then pictures that a page waits for, then cards
that nobody has looked at yet. Knows nothing of addresses.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from secrets import token_bytes, token_hex
from typing import TypeVar, cast
from urllib.parse import quote

from cardgen.build.plan import BuildOptions
from cardgen.core.deck_files import DECK_SUFFIXES
from cardgen.core.errors import CardgenError
from cardgen.deck.model import Deal, Value
from cardgen.pages.target import Side
from cardgen.studio.easel import SIDES, Spot, View
from cardgen.studio.packing import Data, find_spots, is_moved, pack_deal, pack_problem
from cardgen.studio.painter import (
    DRAWING,
    OPENING,
    PRINTING,
    Desk,
    Lost,
    Painter,
    Reading,
    check,
    draw,
    make_lost_problem,
    make_lost_reading,
    read,
    tell_rest,
    trace,
    try_values,
)
from cardgen.studio.pictures import Pictures
from cardgen.studio.printing import draw_sheet, lay_sheets
from cardgen.studio.telling import Event, Listeners

_T = TypeVar("_T")

_URGENT, _SOON, _NEXT, _LATER = range(4)
_MOST_AT_ONCE = 6  # faces that are drawn together
_MOST_CHECKED = 20
_CHECKING = 0.06  # seconds, for which a page may have to wait
_MOST_LAID = 8
_HEAD = ("title", "deal", "view", "switches")  # what a page knows of a deck that no card tells
# What says by its content alone which version a face is of.
_PLAIN = (*DECK_SUFFIXES, ".xml")
_BELOW = ".pdf"  # what lies below the cards changes sheets alone
_QUIET = 0.3  # seconds without a save after which the whole deck is read
_UNFINISHED = 0.05  # seconds after which a file that cannot be read is read once more


class Gone(Exception):
    """Raised for a version of a face that is no longer there."""


@dataclass(order=True)
class _Job:
    urgency: int
    number: int
    run: Callable[[], Awaitable[None]] = field(compare=False)


class Wall:
    """One deck in one view."""

    def __init__(
        self, name: str, view: View, pictures: Pictures, name_steps: Callable[[], Data]
    ) -> None:
        self._name_steps = name_steps
        self.name = name
        self.view = view
        self.version = ""
        self.state = "ok"
        self.deck: Data = {"deal": pack_deal(Deal(), [])}
        self.order: tuple[str, ...] = ()
        self.cards: dict[str, Data] = {}
        self.errors: tuple[Data, ...] = ()  # why the deck cannot be read
        self.used = time.monotonic()
        self._pictures = pictures
        self.painter = Painter(name, view)
        self._spots: dict[str, Spot] = {}
        self._listeners = Listeners()
        self._seen: tuple[str, ...] = ()  # the cards on the screen
        self._dpi = 150
        self._unchecked: dict[str, None] = {}
        self._failed: dict[str, Data] = {}  # faces that no process survives, by their versions
        self._is_plain = True  # whether only decks and templates changed so far
        self._missed: set[Path] = set()  # what changed while no page showed it
        self._salt = token_hex(4)
        self._versions = count(1)
        self._checks = 0  # how often cards were told of that were looked at
        self._settling: asyncio.TimerHandle | None = None
        self._laid: dict[str, BuildOptions] = {}  # the sheets that may be asked for
        self._wanted: dict[tuple[str, int], asyncio.Future[bytes]] = {}
        self._numbers = count()
        self._jobs: list[_Job] = []
        self._waiting: set[asyncio.Future[None]] = set()
        self._woken = asyncio.Event()
        self._runner: asyncio.Task[None] | None = None

    # Asking

    async def open(self) -> None:
        """Read the deck, if that was not done yet, and what changed while nobody looked at it."""
        self.used = time.monotonic()
        if not self.version or self._missed:
            await self._do(_URGENT, self._catch_up)

    async def _catch_up(self) -> None:
        missed, self._missed = self._missed, set()
        if not self.version:
            await self._read(None, time.monotonic())
        elif missed:
            await self._read(missed, time.monotonic())

    async def take(self, changed: Collection[Path], begun: float) -> None:
        """Take up files that changed, at once where a page shows the deck, and tell all pages."""
        if not self.is_watched:
            self._missed.update(changed)
            return
        await self._do(_URGENT, partial(self._read, changed, begun))

    def look_at(self, cards: Sequence[str], dpi: int) -> None:
        """Take note of the cards that are on the screen."""
        self._seen = tuple(cards)
        self._dpi = dpi

    async def draw(self, version: str, dpi: int) -> bytes:
        """Return the picture of a face; raise `Gone` where there is no such version."""
        self.used = time.monotonic()
        kept = self._pictures.find(version, dpi)
        if kept is not None:
            return kept
        if version not in self._spots or version in self._failed:
            raise Gone
        waiting = self._wanted.get((version, dpi))
        if waiting is None:
            waiting = asyncio.get_running_loop().create_future()
            self._wanted[version, dpi] = waiting
            self._put(_SOON, self._draw_wanted)
        return await asyncio.shield(waiting)

    async def find_now(self, key: str, side: Side) -> str | None:
        """Return the version of a face by now, after all that is known to have changed is read."""
        await self.open()
        await self._do(_NEXT, _do_nothing)
        face = cast(dict[str, Data | None], self.cards.get(key, {}).get("faces", {})).get(side)
        return None if face is None else cast(str, face["v"])

    def has_version(self, version: str) -> bool:
        return version in self._spots

    async def try_card(self, key: str, values: Mapping[str, Value]) -> Data:
        """Return a card as it would be; its pictures can be asked for."""
        dpi = self._dpi
        tried = await self.ask(partial(try_values, key, values, dpi))
        for version, picture in cast(dict[str, bytes], tried.pop("pictures")).items():
            self._pictures.keep(version, dpi, picture)
        return tried

    def pack(self) -> Data:
        """Return all that a page needs to show the deck."""
        return {
            **self.deck,
            "v": self.version,
            "state": self.state,
            "problems": self._list_problems(),
            "cards": [self._pack_card(key) for key in self.order],
            "left": len(self._unchecked),
            "checks": self._checks,
            **self._name_steps(),
        }

    def _pack_card(self, key: str) -> Data:
        """Return a card with what its drawing broke down on."""
        card = self.cards[key]
        faces = cast(dict[str, Data | None], card["faces"])
        failed = [
            {**self._failed[version], "card": key}
            for side in SIDES
            if (face := faces[side]) is not None
            and (version := cast(str, face["v"])) in self._failed
        ]
        if not failed:
            return card
        return {**card, "problems": [*cast(list[Data], card["problems"]), *failed]}

    async def trace(self, spot: Spot) -> Data | None:
        """Return where each element of a face lies; None where there is no such face."""
        return await self.ask(partial(trace, spot))

    async def lay(self, options: BuildOptions) -> Data:
        """Return the sheets, with the version by which they are asked for."""
        await self.open()
        version = blake2b(f"{self.version} {options!r}".encode(), digest_size=8).hexdigest()
        laid = await self._ask(_URGENT, partial(lay_sheets, options, version), PRINTING)
        self._laid[version] = options
        while len(self._laid) > _MOST_LAID:
            self._laid.pop(next(iter(self._laid)))
        pages = cast(list[Data], laid["pages"])
        for number, page in enumerate(pages):
            page["url"] = f"sheet/{quote(self.name, safe='')}/{number}?v={version}"
        return {"v": version, **laid}

    async def draw_sheet(self, version: str, number: int, dpi: int) -> bytes:
        """Return a picture of a sheet; raise `Gone` where it is not as it was."""
        name = f"{version} {number}"
        kept = self._pictures.find(name, dpi)
        if kept is not None:
            return kept
        if version not in self._laid:
            raise Gone
        task = partial(draw_sheet, version, number, dpi)
        drawn = await self._ask(_SOON, task, PRINTING)
        if drawn is None:  # another plan was looked at meanwhile
            laid = partial(lay_sheets, self._laid[version], version)
            await self._ask(_SOON, laid, PRINTING)
            drawn = await self._ask(_SOON, task, PRINTING)
        if drawn is None:
            raise Gone
        self._pictures.keep(name, dpi, drawn)
        return drawn

    def lays(self, version: str) -> bool:
        """Whether it is the wall whose sheets these are."""
        return version in self._laid

    async def ask(self, task: Callable[[Desk], _T]) -> _T:
        """Return the result of a task that does not wait."""
        return await self._ask(_URGENT, task, OPENING)

    async def _ask(self, urgency: int, task: Callable[[Desk], _T], seconds: float) -> _T:
        """Return the result of a task in its turn."""
        found: list[_T] = []

        async def work() -> None:
            found.append(await self.painter.ask(task, seconds))

        await self._do(urgency, work)
        return found[0]

    # Telling

    def listen(self) -> asyncio.Queue[Event]:
        """Return what happens from now on, as it comes; `leave` ends it."""
        if self._missed:
            self._put(_URGENT, self._catch_up)
        return self._listeners.begin(Event("hello", {"v": self.version, "checks": self._checks}))

    def leave(self, queue: asyncio.Queue[Event]) -> None:
        """Tell a page nothing more."""
        self.used = time.monotonic()
        self._listeners.leave(queue)

    @property
    def is_watched(self) -> bool:
        """Whether any page shows it."""
        return bool(self._listeners)

    def tell(self, name: str, data: Data) -> None:
        """Tell all pages."""
        self._listeners.tell(name, data)

    # Working

    async def _do(self, urgency: int, work: Callable[[], Awaitable[None]]) -> None:
        """Do some work in its turn, and wait until it is done."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                await work()
            except BaseException as error:
                if not done.done():
                    # Whoever waits is not the one that is cancelled.
                    is_own = isinstance(error, Exception)
                    done.set_exception(error if is_own else Lost("died"))
                if not isinstance(error, Exception):
                    raise
            else:
                if not done.done():
                    done.set_result(None)

        self._waiting.add(done)
        try:
            self._put(urgency, run)
            await done
        finally:
            self._waiting.discard(done)

    def _put(self, urgency: int, run: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._jobs, _Job(urgency, next(self._numbers), run))
        self._woken.set()
        if self._runner is None or self._runner.done():
            self._runner = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        while self._jobs:
            job = heapq.heappop(self._jobs)
            await job.run()

    async def _read(
        self, changed: Collection[Path] | None, begun: float, *, whole: bool = False
    ) -> None:
        if self._settling is not None:
            self._settling.cancel()
            self._settling = None
        self._is_plain = self._is_plain and all(path.suffix in _PLAIN for path in changed or ())
        shown = {key for key in self._seen if key in self.cards}
        spots = [Spot(key, side) for key in self._seen if key in shown for side in SIDES]
        dpi = self._dpi  # a page may ask for another one while the process reads
        reading = await self._ask_reading(changed, spots, dpi, whole=whole)
        if reading.error and self.version:
            # An editor may have written half of the file so far.
            await asyncio.sleep(_UNFINISHED)
            reading = await self._ask_reading(changed, spots, dpi, whole=True)
        for version, picture in reading.pictures.items():
            self._pictures.keep(version, dpi, picture)
        self._show(reading, changed, begun)

    async def _ask_reading(
        self, changed: Collection[Path] | None, spots: Sequence[Spot], dpi: int, *, whole: bool
    ) -> Reading:
        task = partial(read, changed, whole, spots, dpi)
        try:
            return await self.painter.ask(task, OPENING)
        except Lost as lost:
            # What is drawn with the reading may be to blame; then a card is, and is found out.
            first = lost
        if not spots:
            return make_lost_reading(first)
        try:
            return await self.painter.ask(partial(read, None, True, (), dpi), OPENING)
        except Lost as lost:
            return make_lost_reading(lost)

    def _show(self, reading: Reading, changed: Collection[Path] | None, begun: float) -> None:
        """Take in a reading, and tell all pages what is new."""
        before, order, problems = self.cards, self.order, self._list_problems()
        state = self.state
        if reading.error:
            self.state, self.errors = "broken", reading.error
        else:
            self.state, self.errors = "ok", ()
            if reading.deck and any(self.deck.get(key) != reading.deck[key] for key in _HEAD):
                self.tell("reload", {})
            self.deck = reading.deck or self.deck
            known = {**before, **reading.cards}
            self.order = tuple(key for key in reading.order if key in known)
            self.cards = {key: known[key] for key in self.order}
            if reading.deck:
                self._unchecked = dict.fromkeys(reading.unchecked)
        before_spots, self._spots = self._spots, find_spots(self.cards)
        self._pictures.retire(before_spots.keys() - self._spots.keys())
        self._failed = {v: seen for v, seen in self._failed.items() if v in self._spots}
        differing = [key for key in reading.cards if self.cards[key] != before.get(key)]
        moved = [key for key in differing if is_moved(before.get(key), self.cards[key])]
        new = [key for key in differing if key not in set(moved)]
        gone = [key for key in order if key not in self.cards]
        if (
            new
            or gone
            or order != self.order
            or state != self.state
            or (problems != self._list_problems())
        ):
            self._renew_version()
            self.tell(
                "changed",
                {
                    "v": self.version,
                    "state": self.state,
                    "cards": [self._pack_card(key) for key in new],
                    "gone": gone,
                    "order": list(self.order) if order != self.order else None,
                    "problems": self._list_problems(),
                    "designs": self.deck.get("designs", 0),
                    "copies": self.deck.get("copies", 0),
                    **self._name_steps(),
                    "save": begun,
                    "ms": round((time.monotonic() - begun) * 1000),
                    "files": sorted(map(str, changed or ())),
                },
            )
        is_other_below = any(path.suffix.lower() == _BELOW for path in changed or ())
        if moved or is_other_below:
            self._renew_version()
            places: Data = {key: self.cards[key]["place"] for key in moved}
            self.tell("moved", {"v": self.version, "places": places})
        self._draw_ahead(new)
        if reading.is_part and changed is not None:
            self._settle(changed)
        elif reading.has_rest:
            self._put(_NEXT, partial(self._read_rest, changed, begun))
        else:
            self._put(_LATER, self._check_some)

    async def _read_rest(self, changed: Collection[Path] | None, begun: float) -> None:
        """Take in what was not told of cards that are not on the screen."""
        try:
            reading = await self.painter.ask(tell_rest, OPENING)
        except (Lost, CardgenError):
            return  # the next reading tells it
        self._show(reading, changed, begun)

    def _renew_version(self) -> None:
        """Begin another version, of which pages are told; sheets are those of one, and may be asked
        for as long as it is the last.
        """
        self._laid.clear()
        self.version = f"{self._salt}-{next(self._versions)}"

    def _settle(self, changed: Collection[Path]) -> None:
        """Read the whole deck when nobody saves for a while."""
        if self._settling is not None:
            self._settling.cancel()
        read_all = partial(self._read, changed, 0.0, whole=True)
        loop = asyncio.get_running_loop()
        self._settling = loop.call_later(_QUIET, lambda: self._put(_LATER, read_all))

    def _list_problems(self) -> list[Data]:
        return [*self.errors, *cast(list[Data], self.deck.get("problems", []))]

    def _draw_ahead(self, new: Sequence[str]) -> None:
        """Draw the faces on the screen that are new, before a page asks for them."""
        changed = set(new)
        for key in self._seen:
            if key not in changed:
                continue
            face = cast(dict[str, Data | None], self.cards[key]["faces"])["front"]
            version = cast(str, face["v"]) if face is not None else ""
            wanted = (version, self._dpi)
            if version and wanted not in self._wanted and self._pictures.find(*wanted) is None:
                future: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
                future.add_done_callback(_forget_error)
                self._wanted[wanted] = future
                self._put(_SOON, self._draw_wanted)

    async def _draw_wanted(self) -> None:
        """Draw some of the faces that are waited for, as many together as are of one fineness."""
        waiting = [wanted for wanted, future in self._wanted.items() if not future.done()]
        if not waiting:
            return
        dpi = waiting[0][1]
        some = [version for version, fine in waiting if fine == dpi][:_MOST_AT_ONCE]
        known = [version for version in some if version in self._spots]
        for version in some:
            if version not in known:
                self._wanted.pop((version, dpi)).set_exception(Gone())
        await self._draw_some(known, dpi)

    async def _draw_some(self, versions: Sequence[str], dpi: int, *, again: bool = False) -> None:
        if not versions:
            return
        spots = [self._spots[version] for version in versions]
        try:
            answer = await self.painter.ask(partial(draw, spots, dpi), DRAWING)
            drawn = answer.pictures
            if answer.late:
                # They have their turn after it is told why those before took so long.
                versions = [v for v in versions if self._spots.get(v) not in answer.late]
                self._put(_URGENT, self._check_some)
                self._put(_SOON, self._draw_wanted)
            if answer.is_stale:
                self._put(_URGENT, partial(self._read, (), time.monotonic(), whole=True))
        except CardgenError:
            drawn = {}
        except Lost as lost:
            if len(versions) > 1:  # one of them is to blame
                for version in versions:
                    await self._draw_some([version], dpi)
                return
            self._begin_anew()
            if lost.how == "died" and not again:  # somebody else may have ended the process
                await self._draw_some(versions, dpi, again=True)
                return
            self._fail(versions[0], lost)
            drawn = {}
        for version, picture in drawn.items():
            self._pictures.keep(version, dpi, picture)
        for version in versions:
            future = self._wanted.pop((version, dpi), None)
            found = drawn.get(version)
            if future is not None and not future.done():
                if found is None:
                    future.set_exception(Gone())
                else:
                    future.set_result(found)

    def _begin_anew(self) -> None:
        """Let another process go on; it does not know which pictures changed since the first."""
        if not self._is_plain:
            self.painter.salt = token_bytes(4)
            self._put(_URGENT, partial(self._read, None, time.monotonic(), whole=True))

    def _fail(self, version: str, lost: Lost) -> None:
        """Take note of a face that no process survives, and tell all pages."""
        problem = pack_problem(make_lost_problem(lost))
        self._failed[version] = problem
        keys = [
            key
            for key, card in self.cards.items()
            for face in cast(dict[str, Data | None], card["faces"]).values()
            if face is not None and face["v"] == version
        ]
        told: Data = {}
        for key in dict.fromkeys(keys):
            self._unchecked.pop(key, None)
            card = self._pack_card(key)
            told[key] = {"problems": card["problems"], "shrunk": card["shrunk"]}
        self._tell_checked(told)

    async def _check_some(self) -> None:
        """Look at some of the cards that nobody has looked at, those on the screen first."""
        seen = [key for key in self._seen if key in self._unchecked]
        keys = list(dict.fromkeys((*seen, *self._unchecked)))[:_MOST_CHECKED]
        if not keys:
            return
        try:
            await self._check(keys)
        except Lost:
            for key in keys:
                try:
                    await self._check([key])
                except Lost as lost:
                    self._unchecked.pop(key, None)
                    faces = cast(dict[str, Data | None], self.cards[key]["faces"])
                    for face in faces.values():
                        if face is not None:
                            self._fail(cast(str, face["v"]), lost)
        if self._unchecked:
            self._put(_LATER, self._check_some)

    async def _check(self, keys: Sequence[str]) -> None:
        found, is_stale = await self.painter.ask(partial(check, keys, _CHECKING), DRAWING)
        if is_stale:
            self._put(_URGENT, partial(self._read, (), time.monotonic(), whole=True))
            return
        told: Data = {}
        for key, seen in found.items():
            self._unchecked.pop(key, None)
            if key in self.cards:
                before = self.cards[key]
                self.cards[key] = {**before, **seen}
                if self.cards[key] != before:
                    card = self._pack_card(key)
                    told[key] = {"problems": card["problems"], "shrunk": card["shrunk"]}
        if not found:
            for key in keys:
                self._unchecked.pop(key, None)
        if told or not self._unchecked:
            self._tell_checked(told)

    def _tell_checked(self, told: Data) -> None:
        """Tell what came out when cards were set; a page that begins later sees by the number that
        it has missed it.
        """
        self._checks += bool(told)
        self.tell("checked", {"cards": told, "left": len(self._unchecked), "checks": self._checks})

    async def end(self) -> None:
        """Tell all pages that it ends, and end the process."""
        self.tell("end", {})
        if self._settling is not None:
            self._settling.cancel()
        if self._runner is not None:
            self._runner.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await self._runner
        for done in self._waiting:
            if not done.done():
                done.set_exception(Lost("died"))
        for future in self._wanted.values():
            if not future.done():
                future.set_exception(Gone())
                _forget_error(future)
        await asyncio.to_thread(self.painter.end)


async def _do_nothing() -> None:
    """Come to an end when all that is more urgent did."""


def _forget_error(future: asyncio.Future[bytes]) -> None:
    if not future.cancelled():
        future.exception()
