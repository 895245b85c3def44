"""What stopped a task though it is no bug, as problems that the user can mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError, Where

# What Python raises for something too large or nested too deep, and what the system refuses.
FAILURES = (MemoryError, RecursionError, OSError)


def explain_failure(error: Exception, where: Where | None = None) -> CardgenError:
    """Return the error to be told of.

    where: the place of what the error names no place of
    """
    from cardgen.core.budget import make_memory_error
    from cardgen.core.errors import CardgenError

    if isinstance(error, CardgenError):
        return error
    if isinstance(error, MemoryError):
        return make_memory_error()
    if isinstance(error, OSError):
        return _make_system_error(error, where)
    return _make_depth_error(where)


def _make_depth_error(where: Where | None) -> CardgenError:
    from cardgen.core.errors import CardgenError

    return CardgenError(
        "file/too-deep",
        "what was read is nested too deep",
        where,
        "put fewer lists, mappings or elements within one another",
    )


def _make_system_error(error: OSError, where: Where | None) -> CardgenError:
    from cardgen.core.errors import CardgenError, Where

    named = error.filename if isinstance(error.filename, str) else None
    return CardgenError(
        "file/refused",
        f"the system refuses it: {error.strerror or error}",
        Where(named) if named else where,
        "is it there, may it be read, and is there room?",
    )
