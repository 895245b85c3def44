"""A process beside the command that ends it when a single step of Python does not end, and says so.

Nothing in the command's own process can: a handler of signals is called between two steps, and a
thread waits until the step is done. The command gives a sign each time that its clock ticks; when
there is none for many seconds of the processor's, the command works on one step. Both see a board
on which it writes what it works on; so do a worker and the process that started it. Knows nothing
of what the work is.
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
from typing import Any, NamedTuple

_LOOKS = 6  # before the end
_SIGN = b"."
_LONGEST_NOTE = 250  # bytes


class Board:
    """Memory that several processes see, for a note of what one of them works on."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._memory = mmap(file, 1 + _LONGEST_NOTE)

    def __reduce__(self) -> tuple[object, ...]:
        """Let a process that starts anew see the same memory."""
        from multiprocessing.reduction import DupFd  # which most builds do without

        return _take_board, (DupFd(self._file),)

    def write(self, text: str) -> None:
        note = text[:_LONGEST_NOTE].encode(errors="replace")[:_LONGEST_NOTE]
        self._memory[: 1 + len(note)] = bytes((len(note),)) + note

    def wipe(self) -> None:
        self._memory[0] = 0

    def read(self) -> str:
        return self._memory[1 : 1 + self._memory[0]].decode(errors="ignore")

    def close(self) -> None:
        self._memory.close()
        os.close(self._file)


def put_up_board() -> Board | None:
    """Return a board; None where nobody would read it."""
    if sys.platform != "linux":
        return None
    file = os.memfd_create("cardgen")
    os.ftruncate(file, 1 + _LONGEST_NOTE)
    return Board(file)


def _take_board(file: Any) -> Board:
    return Board(file.detach())


class Post(NamedTuple):
    """Where the command gives its signs, and the board."""

    signs: int
    board: Board


def post_watchman(seconds: float, tell: Callable[[str], None]) -> Post | None:
    """Start to watch this process; None where nobody can.

    seconds: of the processor, after which the process is ended
    tell: says why, by what stands on the board
    """
    board = put_up_board()
    if board is None:
        return None  # the time that another process has had is not told everywhere
    command = os.getpid()
    reader, writer = os.pipe()
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        if os.fork() == 0:
            os.close(writer)
            _watch(command, reader, seconds, lambda: tell(board.read()))
    except OSError:  # there are processes enough
        os.close(writer)
        board.close()
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
