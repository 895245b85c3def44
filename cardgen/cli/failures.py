"""What stopped a command though it is no bug, where the command's own output may be at fault."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from cardgen.core.failures import explain_failure

if TYPE_CHECKING:
    from cardgen.core.errors import CardgenError


def explain_end(error: Exception) -> CardgenError:
    """Return the error to be told of, and let nothing more be written to a full disk."""
    from cardgen.core.errors import Where

    if (
        isinstance(error, OSError)
        and not isinstance(error.filename, str)
        and error.errno in (errno.ENOSPC, errno.EIO, errno.EBADF)
    ):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return explain_failure(error, Where("standard output"))
    return explain_failure(error)
