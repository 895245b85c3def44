"""This process: whether it is the command, and the memory that it has.

Knows nothing of what it does.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def is_command() -> bool:
    """Whether this process is the command, and not a program that calls cardgen."""
    main = sys.modules["__main__"]
    spec = getattr(main, "__spec__", None)
    place = Path(getattr(main, "__file__", None) or "")
    if place.name == "__main__.py":  # in a program that is an archive
        place = place.parent
    return (spec is not None and spec.name == "cardgen.__main__") or place.stem == "cardgen"


def measure_memory() -> int:
    """Return how many bytes of addresses this process has; an OSError where nobody tells."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch off the collector of cycles, for work that makes none but holds much to walk through.

    Afterwards all that there is counts as old, so that nothing is walked through at once.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def give_back_memory() -> None:
    """Give memory that is free back to the system, where the system's library can."""
    if sys.platform == "linux":
        import ctypes  # which small builds do without

        with suppress(AttributeError, OSError):  # of another C library than GNU's
            ctypes.CDLL(None).malloc_trim(0)
