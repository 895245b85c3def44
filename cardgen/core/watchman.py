"""A process beside the command that ends it when a single step of Python does not end, and says so.

Nothing in the command's own process can: a handler of signals is called between two steps, and a
thread waits until the step is done. The command gives a sign each time that its clock ticks; when
there is none for many seconds of the processor's, the command works on one step. Both see a board
on which it writes what it works on. Knows nothing of what the work is.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from mmap import mmap
from pathlib import Path
from select import select
from typing import NamedTuple

_LOOKS = 6  # before the end
_SIGN = b"."
_LONGEST_NOTE = 250  # bytes


class Post(NamedTuple):
    """Where the command gives its signs, and the board."""

    signs: int
    board: mmap


def post_watchman(seconds: float, tell: Callable[[str], None]) -> Post | None:
    """Start to watch this process; None where nobody can.

    seconds: of the processor, after which the process is ended
    tell: says why, by what stands on the board
    """
    if sys.platform != "linux":
        return None  # the time that another process has had is not told everywhere
    command = os.getpid()
    board = mmap(-1, 1 + _LONGEST_NOTE)
    reader, writer = os.pipe()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        if os.fork() == 0:
            os.close(writer)
            _watch(command, reader, seconds, lambda: tell(_read_note(board)))
    except OSError:  # there are processes enough
        os.close(writer)
        return None
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        os.close(reader)
    os.set_blocking(writer, False)
    return Post(writer, board)


def leave_post(post: Post) -> None:
    """Need the watchman no longer."""
    os.close(post.signs)
    post.board.close()


def give_sign(post: Post) -> None:
    """Say that steps come to their ends."""
    with suppress(OSError):  # the watchman is gone, or has signs enough
        os.write(post.signs, _SIGN)


def write_note(post: Post, text: str) -> None:
    """Write on the board what is worked on."""
    note = text[:_LONGEST_NOTE].encode(errors="replace")[:_LONGEST_NOTE]
    post.board[: 1 + len(note)] = bytes((len(note),)) + note


def wipe_note(post: Post) -> None:
    post.board[0] = 0


def _read_note(board: mmap) -> str:
    return board[1 : 1 + board[0]].decode(errors="ignore")


def _watch(command: int, reader: int, seconds: float, tell: Callable[[], None]) -> None:
    """End the command when it worked for so long without a sign; end with it in any case."""
    try:
        os.close(0)
        os.close(1)  # whoever reads what the command says waits for nobody else
        begun = _measure_work(command)
        while True:
            if select([reader], [], [], seconds / _LOOKS)[0]:
                if not os.read(reader, 1 << 16):
                    break
                begun = _measure_work(command)
            elif _measure_work(command) - begun > seconds and os.getppid() == command:
                try:
                    tell()
                finally:
                    os.kill(command, signal.SIGKILL)
                break
    finally:
        os._exit(0)


def _measure_work(process: int) -> float:
    """Return how many seconds of the processor a process has had."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
