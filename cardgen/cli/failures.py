"""What stopped a command though it is no bug, as problems that the user can mend."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError

# What Python raises for something too large or nested too deep, and what the system refuses.
FAILURES = (MemoryError, RecursionError, OSError)


def explain_failure(error: Exception) -> CardgenError:
    """Return the error to be told of."""
    from cardgen.core.budget import make_memory_error
    from cardgen.core.errors import CardgenError

    if isinstance(error, CardgenError):
        return error
    if isinstance(error, MemoryError):
        return make_memory_error()
    if isinstance(error, OSError):
        return _make_system_error(error)
    return _make_depth_error()


def _make_depth_error() -> CardgenError:
    from cardgen.core.errors import CardgenError

    return CardgenError(
        "file/too-deep",
        "what was read is nested too deep",
        hint="put fewer lists, mappings or elements within one another",
    )


def _make_system_error(error: OSError) -> CardgenError:
    """Return what the system refused, and let nothing more be written to a full disk."""
    from cardgen.core.errors import CardgenError, Where

    named = error.filename if isinstance(error.filename, str) else None
    if named is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        named = "standard output"
    return CardgenError(
        "file/refused",
        f"the system refuses it: {error.strerror or error}",
        Where(named) if named else None,
        "is it there, may it be read, and is there room?",
    )
