"""A folder for files that are needed no longer than the process runs, and then are gone.

Knows nothing of what is in it.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from hashlib import sha256
from pathlib import Path

_folder: Path | None = None


def get_scratch() -> Path:
    """Return the folder of this process, and of its workers; nobody can know its name before."""
    if _folder is None:
        folder = Path(tempfile.mkdtemp(prefix="cardgen-"))
        atexit.register(_remove, folder, os.getpid())
        share_scratch(folder)
        return folder
    return _folder


def find_scratch() -> Path | None:
    """Return the folder; None where there is no room for one, which many a build can do without."""
    try:
        return get_scratch()
    except OSError:
        return None


def keep_in_scratch(content: bytes, name: str) -> Path:
    """Return a file of a name that holds this, in a folder named by it, which the workers of a
    process share.
    """
    path = get_scratch() / sha256(content).hexdigest()[:32] / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(draft).replace(path)
    return path


def share_scratch(folder: Path) -> None:
    """Use the folder of the process that started this one, which removes it."""
    global _folder
    _folder = folder


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # no process that was forked
        shutil.rmtree(folder, ignore_errors=True)
