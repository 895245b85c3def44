"""The budget of one card: how many seconds of work it may take, so that no text of a stranger's
keeps a build busy for ever; and how much memory the command may take.

A clock of the processor's time ticks, and whoever works on one card for too many ticks is
interrupted by an error. To begin and to end costs no more than setting a number. A single step of
Python cannot be interrupted: a watchman, to whom each tick is a sign, ends the command when there
are no ticks any more and says so; where there is none, as for a process of its own that does a part
of the work, a second clock does, which each tick winds up again. Knows nothing of cards.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from cardgen.core.errors import CardgenError, Problem
from cardgen.core.names import forget_tries
from cardgen.core.process import is_command, measure_memory
from cardgen.core.watchman import (
    Board,
    Post,
    give_sign,
    leave_post,
    post_watchman,
)

SECONDS: float = 5  # of one card
_TICKS = 4  # in a second
MEGABYTES = 4_000
_SECONDS_KEY = "CARDGEN_SECONDS"
_MEGABYTES_KEY = "CARDGEN_MEMORY"
_LEAST_MEGABYTES = 200  # with less than that its own libraries cannot be loaded
# Not every system has both.
_SIGNAL = getattr(signal, "SIGVTALRM", None)
_CLOCK = getattr(signal, "ITIMER_VIRTUAL", None)
_LAST_CLOCK = getattr(signal, "ITIMER_PROF", None)
_LONGEST: float = 6  # times the seconds of a card, of a single step
_LAST: float = 8  # when the last clock ends what no watchman ended


class _Watch:
    """What is worked on: its number, 0 for nothing; when it was seen first; what it came to."""

    def __init__(self) -> None:
        self.depth = 0
        self.count = 0
        self.now = 0
        self.seen = 0
        self.ticks = 0
        self.most = _TICKS * SECONDS
        self.error: CardgenError | None = None
        self.post: Post | None = None
        self.board: Board | None = None  # on which the card's name stands


_watch = _Watch()


@contextmanager
def watch(tell: Callable[[CardgenError], None] | None = None) -> Iterator[None]:
    """Let the clock tick; within it the budget of each card counts.

    tell: says that the command is ended, for a single step of it took too long
    """
    _watch.error = None
    forget_tries()
    if _watch.depth or not _start():
        yield
        return
    if tell is not None and is_command():
        longest = _LONGEST * read_seconds()
        _watch.post = post_watchman(longest, lambda card: tell(make_step_error(card)))
        _watch.board = _watch.post.board if _watch.post else None
    _watch.depth += 1
    try:
        yield
    finally:
        _watch.depth -= 1
        _stop()


def leave_watch() -> None:
    """Let no clock tick in this process, which has limits of its own."""
    if _watch.depth:
        _watch.depth = 0
        _stop()


def write_on(board: Board | None) -> None:
    """Write on a board which card this process works on, for whoever asks when it has ended."""
    _watch.board = board


def begin_card(name: str) -> None:
    """Begin to work on a card. When one has taken too long, no other one is begun."""
    if _watch.error is not None:
        raise _watch.error
    _watch.count += 1
    _watch.now = _watch.count
    if _watch.board is not None:
        _watch.board.write(name)


def is_spent() -> bool:
    """Whether a card took too long, so that no work goes on."""
    return _watch.error is not None


def end_card() -> None:
    """End the work on a card; what comes next may take as long as it likes."""
    _watch.now = 0
    if _watch.board is not None:
        _watch.board.wipe()


def keep_error(error: CardgenError) -> None:
    """Keep the error of the card that took too long, with its name, to be raised for all others."""
    if _watch.error is not None:
        _watch.error = error


def read_seconds() -> float:
    """Return how many seconds a card may take."""
    return _read_number(_SECONDS_KEY, SECONDS)


def read_megabytes() -> int:
    """Return how much memory the command may take."""
    return max(_LEAST_MEGABYTES, int(_read_number(_MEGABYTES_KEY, MEGABYTES)))


def limit_memory() -> None:
    """Allow this process so many megabytes more than it has, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        most = measure_memory() + read_megabytes() * 1_000_000
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        if hard == resource.RLIM_INFINITY or most < hard:
            resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def make_memory_error() -> CardgenError:
    return CardgenError(
        "print/too-much-memory",
        "it needs more memory than there is or is allowed",
        hint=f"make it smaller; {_MEGABYTES_KEY}={2 * read_megabytes()} allows more megabytes",
        details={"megabytes": read_megabytes()},
    )


def _read_number(key: str, usual: float) -> float:
    text = os.environ.get(key, "")
    return int(text) if text.isascii() and text.isdigit() and int(text[:9]) > 0 else usual


def make_step_error(card: str = "") -> CardgenError:
    """Return what is said when the command is ended; `card` is the one it worked on, if known."""
    longest = _LONGEST * read_seconds()
    problem = Problem(
        "print/endless-step",
        f"a single step of the work took longer than {longest:g} seconds; the command is ended, "
        "and files are as they were",
        hint="look for a text or a number far too long, or build fewer cards at a time with --only;"
        f" {_SECONDS_KEY}={10 * read_seconds():g} allows more",
        subject=f'card "{card}"' if card else None,
        card=card or None,
        details={"seconds": longest},
    )
    return CardgenError.of([problem])


def _start() -> bool:
    """Start the clock; another thread than the main one cannot."""
    if _SIGNAL is None or _CLOCK is None or signal.getsignal(_SIGNAL) is not signal.SIG_DFL:
        return False
    try:
        signal.signal(_SIGNAL, _tick)
    except ValueError:
        return False
    _watch.most = read_seconds() * _TICKS
    signal.setitimer(_CLOCK, 1 / _TICKS, 1 / _TICKS)
    _wind_up(_LAST * read_seconds())
    return True


def _wind_up(seconds: float) -> None:
    """Let the system end the command after so many seconds more; none: never."""
    if _LAST_CLOCK is not None and is_command():
        signal.setitimer(_LAST_CLOCK, seconds)


def _stop() -> None:
    if _SIGNAL is not None and _CLOCK is not None:
        signal.setitimer(_CLOCK, 0)
        _wind_up(0)
        signal.signal(_SIGNAL, signal.SIG_DFL)
    _leave_post()


def _leave_post() -> None:
    if _watch.post is not None:
        leave_post(_watch.post)
        _watch.post = _watch.board = None


def _start_again() -> None:
    """Let the clock tick in a process that was forked, which has neither it nor a watchman."""
    _leave_post()
    if _watch.depth and _CLOCK is not None:
        signal.setitimer(_CLOCK, 1 / _TICKS, 1 / _TICKS)
        _wind_up(_LAST * _watch.most / _TICKS)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_again)


def _tick(_number: int, _frame: FrameType | None) -> None:
    _wind_up(_LAST * _watch.most / _TICKS)
    if _watch.post is not None:
        give_sign(_watch.post)
    if _watch.now != _watch.seen:
        _watch.seen, _watch.ticks = _watch.now, 0
    _watch.ticks += 1
    if _watch.now and _watch.ticks > _watch.most:
        seconds = _watch.most / _TICKS
        error = CardgenError(
            "print/too-slow",
            f"it takes longer than {seconds:g} seconds",
            hint=f"make it simpler or shorter; {_SECONDS_KEY}={10 * seconds:g} allows more",
            details={"seconds": seconds},
        )
        _watch.error = error
        raise error
