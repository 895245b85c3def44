"""Workers: processes that do a part of the work, and end when the one that started them does.

Where a process can be forked safely, a worker knows all that the one that started it knew;
elsewhere, and where that is too much, it starts anew, and its work is sent to it. Knows nothing of
what the work is.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from cardgen.core.budget import leave_watch, make_step_error, write_on
from cardgen.core.errors import CardgenError
from cardgen.core.process import is_command, measure_memory
from cardgen.core.scratch import find_scratch, share_scratch
from cardgen.core.watchman import Board, put_up_board

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from queue import SimpleQueue

_T = TypeVar("_T")
# With the threads of its libraries, a process on macOS cannot be forked; on Windows none can.
METHOD = "fork" if sys.platform == "linux" else "spawn"
_PR_SET_PDEATHSIG = 1  # of Linux
_PATIENCE = 2  # seconds, until a process whose pipe is closed has ended
_PIPE = 1 << 20  # the most that Linux allows to everybody


class Worker(NamedTuple):
    """A process, the pipe that takes tasks to it, the one out of which its results come, and the
    board that says which card it works on.
    """

    sender: Connection
    receiver: Connection
    process: BaseProcess
    board: Board | None

    def send(self, task: Any) -> None:
        """Send a task; None says that there are no more."""
        try:
            self.sender.send(task)
        except OSError as error:
            raise self._explain_end() from error

    def receive(self) -> Any:
        try:
            return self.receiver.recv()
        except (EOFError, OSError) as error:  # before a message, or within one
            raise self._explain_end() from error

    def _explain_end(self) -> CardgenError:
        """Return the error of a process that ended, be it by its last clock."""
        self.process.join(_PATIENCE)
        ended = self.process.exitcode
        late = ended is not None and -ended == getattr(signal, "SIGPROF", None)
        if not late:
            return _make_lost_error()
        return make_step_error(self.board.read() if self.board else "")

    def has_sent(self) -> bool:
        """Whether a result, or its end, can be received without waiting."""
        try:
            return self.receiver.poll()
        except OSError as error:
            raise _make_lost_error() from error

    def stop(self) -> None:
        """End the process, whatever it does, and wait until it has ended."""
        self.process.kill()
        self.process.join()
        self.sender.close()
        self.receiver.close()
        if self.board is not None:
            self.board.close()


class Line(NamedTuple):
    """A worker's end of both pipes."""

    receiver: Connection
    sender: Connection

    def send(self, result: Any) -> None:
        self.sender.send(result)

    def take_tasks(self) -> Iterator[Any]:
        """Yield tasks until there are no more.

        The next ones are read while one is done, so that whoever sends them need not wait.
        """
        from queue import SimpleQueue
        from threading import Thread

        inbox = SimpleQueue[Any]()
        Thread(target=_read_tasks, args=(self.receiver, inbox), daemon=True).start()
        while (task := inbox.get()) is not None:
            yield task


def count_parts(tasks: int, fewest: int, most: int, *, forked: bool = True) -> int:
    """Return the number of parts to divide tasks into, each of which holds at least `fewest`.

    forked: whether the work can only be done by a process that is forked
    """
    if is_worker() or (METHOD != "fork" and (forked or not is_command())):
        return 1
    return max(1, min(most, tasks // fewest, os.cpu_count() or 1))


def is_forked() -> bool:
    """Whether a worker holds what this process held when it was started."""
    return METHOD == "fork"


def is_worker() -> bool:
    """Whether this process is a worker itself, which starts no others."""
    loaded = sys.modules.get("multiprocessing")
    return loaded is not None and bool(loaded.current_process().daemon)


def start_worker(
    work: Callable[[Line], None], *, anew: bool = False, modules: Sequence[str] = ()
) -> Worker:
    """Start a process that does the work; one that starts anew must be able to read it.

    anew: starts it anew where that can be, so that it holds nothing but its work. It loads the main
        module: that of the command does nothing by itself; a script may build its deck once more
    modules: of a process with threads, which cannot be forked: what all workers load. They are
        forked from a process of their own, which has loaded it and nothing else
    """
    import multiprocessing  # which most builds do without

    method = "spawn" if anew and is_command() else METHOD
    if modules:
        method = "forkserver" if METHOD == "fork" else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(list(modules))
    tasks, sender = context.Pipe(duplex=False)
    receiver, results = context.Pipe(duplex=False)
    _enlarge(sender)
    _enlarge(results)
    parent = None if modules else os.getpid()
    board = put_up_board()
    arguments = (work, Line(tasks, results), parent, find_scratch(), board)
    process = cast(Any, context).Process(target=_work, args=arguments, daemon=True)
    _start_uninterrupted(process)
    tasks.close()
    results.close()
    return Worker(sender, receiver, process, board)


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
        def work(line: Line) -> None:
            for result in draw(tasks[number::parts]):
                line.send(result)

        return start_worker(work)

    workers = [start(number) for number in range(parts)]
    try:
        for number in range(len(tasks)):
            yield workers[number % parts].receive()
    finally:
        for worker in workers:
            worker.stop()


class LimitError(Exception):
    """Work took more memory or time than it may; `step` is the one that took its own, from 1 on."""

    def __init__(self, step: int = 0) -> None:
        super().__init__(step)
        self.step = step


def begin_nothing(_step: int) -> None:
    """Begin a step of work that knows no limits."""


def work_within(
    work: Callable[[Callable[[int], None]], _T],
    memory: int,
    seconds: float,
    step_seconds: float | None = None,
) -> _T:
    """Return the result of the work, if it needs no more bytes, and seconds of the processor.

    The work is given what begins a step of it by its number, and a step may have a limit of its
    own. It is done in another process, so that a library that breaks down takes only that process
    with it; a LimitError says so. Where processes cannot be limited, as on other systems than
    Linux, the work is done here, and so it is in a worker, which starts none and has limits itself.
    """
    if METHOD != "fork" or is_worker():
        return work(begin_nothing)

    def send(line: Line) -> None:
        leave_watch()
        _limit_memory(memory)
        _limit_seconds(seconds)

        def begin(step: int) -> None:
            left = seconds - time.process_time()
            own = left if step_seconds is None else step_seconds
            line.send((step if own < left else 0, None, None))
            _limit_seconds(min(own, left))

        try:
            line.send((None, work(begin), None))
        except MemoryError:
            return
        except CardgenError as error:
            line.send((None, None, error))

    worker = start_worker(send)
    step = 0
    try:
        while True:
            begun, result, error = worker.receiver.recv()
            if begun is None:
                break
            step = begun
    except EOFError:
        raise LimitError(step) from None
    finally:
        worker.stop()
    if error is not None:
        raise error
    return cast(_T, result)


def _limit_memory(more: int) -> None:
    """Allow this process so many bytes more than it has."""
    import resource

    most = measure_memory() + more
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_seconds(more: float) -> None:
    """Let the system end this process, whatever it does, after so many seconds more."""
    import resource

    most = ceil(time.process_time() + max(more, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (most, hard))


def _make_lost_error() -> CardgenError:
    return CardgenError(
        "print/worker-lost", "a part of the work ended early", hint="is there memory enough?"
    )


def _work(
    work: Callable[[Line], None],
    line: Line,
    parent: int | None,
    scratch: Path | None,
    board: Board | None,
) -> None:
    write_on(board)
    if scratch is not None:
        share_scratch(scratch)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        _end_with_parent(parent)
    with suppress(BrokenPipeError):  # nobody wants the rest
        work(line)


def _read_tasks(receiver: Connection, inbox: SimpleQueue[Any]) -> None:
    try:
        while (task := receiver.recv()) is not None:
            inbox.put(task)
    except (EOFError, OSError):
        pass
    inbox.put(None)


def _start_uninterrupted(process: BaseProcess) -> None:
    """Start a process that ignores Ctrl-C: the process that started it ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        process.start()
        return
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _end_with_parent(parent: int | None) -> None:
    """Ask the kernel to end this process when the one that forked it ends; that one is known, or
    ends itself with the one that wanted it.
    """
    import ctypes  # which a small job, without workers, does without

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:  # it was killed before
        os._exit(1)


def _enlarge(pipe: Connection) -> None:
    """Let a pipe hold more, so that a process that is ahead of the others need not wait."""
    if sys.platform != "linux":
        return
    import fcntl

    with suppress(OSError):  # the system allows each user so much and no more
        fcntl.fcntl(pipe.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)
