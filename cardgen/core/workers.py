"""Workers: processes that do a part of the work, and end when the one that started them does.

Knows nothing of what the work is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from cardgen.core.errors import CardgenError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

_T = TypeVar("_T")
_PR_SET_PDEATHSIG = 1  # of Linux, the only system on which work is shared out
_PIPE = 1 << 20  # the most that Linux allows to everybody


class Worker(NamedTuple):
    """A process, and the pipe out of which its results come."""

    receiver: Connection
    process: ForkProcess

    def receive(self) -> Any:
        try:
            return self.receiver.recv()
        except (EOFError, OSError) as error:  # before a message, or within one
            raise CardgenError(
                "print/worker-lost",
                "a part of the work ended early",
                hint="is there memory enough?",
            ) from error

    def stop(self) -> None:
        """End the process, whatever it does, and wait until it has ended."""
        self.process.kill()
        self.process.join()
        self.receiver.close()


def count_parts(tasks: int, fewest: int, most: int) -> int:
    """Return the number of parts to divide tasks into, each of which holds at least `fewest`."""
    if sys.platform != "linux":
        return 1
    return max(1, min(most, tasks // fewest, os.cpu_count() or 1))


def start_worker(work: Callable[[Connection], None]) -> Worker:
    """Start a process that does the work and sends its results."""
    import multiprocessing  # which most builds do without

    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    _enlarge(sender)
    process = context.Process(target=_work, args=(work, sender, os.getpid()), daemon=True)
    _start_uninterrupted(process)
    sender.close()
    return Worker(receiver, process)


def draw_in_turn(
    tasks: Sequence[int], parts: int, draw: Callable[[Sequence[int]], Iterable[bytes]]
) -> Iterator[bytes]:
    """Yield the result of `draw` for each task in order, made by so many processes.

    A process from which nobody receives waits, so none runs far ahead of the others.
    """
    if parts == 1:
        yield from draw(tasks)
        return

    def start(number: int) -> Worker:
        def work(sender: Connection) -> None:
            for result in draw(tasks[number::parts]):
                sender.send(result)

        return start_worker(work)

    workers = [start(number) for number in range(parts)]
    try:
        for number in range(len(tasks)):
            yield workers[number % parts].receive()
    finally:
        for worker in workers:
            worker.stop()


def work_within(work: Callable[[], _T], memory: int, seconds: float) -> _T:
    """Return the result of the work, if it needs no more bytes and seconds than these.

    The work is done in a process of its own, so that a library that breaks down takes only that
    process with it; an OverflowError says so. Where processes cannot be limited, as on other
    systems than Linux, the work is done here.
    """
    if sys.platform != "linux":
        return work()

    def send(sender: Connection) -> None:
        _limit_memory(memory)
        try:
            sender.send((work(), None))
        except MemoryError:
            return
        except CardgenError as error:
            sender.send((None, error))

    worker = start_worker(send)
    try:
        if not worker.receiver.poll(seconds):
            raise OverflowError
        result, error = worker.receiver.recv()
    except EOFError:
        raise OverflowError from None
    finally:
        worker.stop()
    if error is not None:
        raise error
    return cast(_T, result)


def _limit_memory(more: int) -> None:
    """Allow this process so many bytes more than it has."""
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _work(work: Callable[[Connection], None], sender: Connection, parent: int) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _end_with_parent(parent)
    with suppress(BrokenPipeError):  # nobody wants the rest
        work(sender)


def _start_uninterrupted(process: ForkProcess) -> None:
    """Start a process that ignores Ctrl-C: the process that started it ends it."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _end_with_parent(parent: int) -> None:
    """Ask the kernel to end this process when the one that started it is killed."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it was killed before
        os._exit(1)


def _enlarge(pipe: Connection) -> None:
    """Let a pipe hold more, so that a process that is ahead of the others need not wait."""
    import fcntl

    with suppress(OSError):  # the system allows each user so much and no more
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
