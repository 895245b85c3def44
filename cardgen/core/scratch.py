"""Folders for files that are needed no longer than the work on them, and then are gone.

Whoever works in one keeps it locked, so one that a killed program left is known by that, and the
next program takes it away. Knows nothing of what is in them.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

from cardgen.core.deck_files import list_folders

_PREFIX = ".cardgen-"
_folder: Path | None = None


def get_scratch() -> Path:
    """Return the folder of this process, and of its workers; nobody can know its name before."""
    if _folder is None:
        stack = ExitStack()
        folder = open_nest(Path(tempfile.gettempdir()), stack)
        atexit.register(_leave, stack, os.getpid())
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


def _leave(stack: ExitStack, owner: int) -> None:
    if os.getpid() == owner:  # no process that was forked
        stack.close()


def open_nest(folder: Path, stack: ExitStack) -> Path:
    """Make a folder that is gone afterwards, and take away those that killed programs left."""
    for left in list_folders(folder, _PREFIX):
        with ExitStack() as trial:
            if lock_folder(left, trial, wait=False):
                shutil.rmtree(left, ignore_errors=True)
    while True:
        nest = folder / f"{_PREFIX}{os.urandom(6).hex()}"
        nest.mkdir(mode=0o700)
        stack.callback(shutil.rmtree, nest, ignore_errors=True)
        lock_folder(nest, stack)
        if nest.is_dir():  # else another program took it for one that was left
            return nest


def lock_folder(folder: Path, stack: ExitStack, *, wait: bool = True) -> bool:
    """Lock a folder until the stack is left, and return whether it could be locked."""
    try:
        import fcntl
    except ImportError:
        return False  # on Windows nobody sees whose folder it is
    try:
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    stack.callback(os.close, opened)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return False
    return True
