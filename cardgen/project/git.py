"""The files of a git revision, put into a folder of their own while they are needed.

Knows nothing of what the files hold.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, TemporaryFile
from threading import Event, Timer
from typing import IO, NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.scratch import get_scratch

# A repository may come from a stranger. Of what its configuration can start nothing is started:
# no hook, no monitor, no pager, and no program that fetches what a partial clone lacks. Filters
# are those of a checkout, which is never made.
_SAFE = ("--no-pager", "-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_SAFE_ENVIRONMENT = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
}
MOST_SECONDS = 20
MOST_BYTES = 1_000_000_000
MOST_LISTED = 20_000_000  # bytes of names: a few trees that hold one another list files without end
_SLICE = 1 << 20
_MEND = "try `git fsck`; of a partial clone, fetch the rest first"
_INSTEAD = "name an earlier output with --since"
_ENTRY = re.compile(rb"(\d+) (\w+) ([0-9a-f]+) +(\d+|-|BAD)\t(.*)", re.DOTALL)
_LINK = b"120000"


class Snapshot(NamedTuple):
    """Folders of a repository as they were, copied into `folder`."""

    repository: Path
    folder: Path
    held: tuple[Path, ...]

    def locate(self, path: Path) -> Path:
        """Return the place of a path in the snapshot, or the path itself if it is no part of it."""
        path = path.resolve()
        if any(path.is_relative_to(folder) for folder in self.held):
            return self.folder / path.relative_to(self.repository)
        return path


@contextmanager
def check_out(revision: str, folders: Sequence[Path], home: Path) -> Iterator[Snapshot]:
    """Yield those of these folders that git keeps, in the repository of the first that is in one.

    home: a further folder, where it is in the same repository
    """
    folders = [folder.resolve() for folder in folders]
    repository = _get_repository(revision, folders)
    commit = _resolve(revision, repository)
    folders.append(home.resolve())
    held = [
        folder
        for folder in dict.fromkeys(folders)
        if folder.is_relative_to(repository) and _holds(repository, commit, folder)
    ]
    if not held:
        raise CardgenError(
            "project/not-in-revision",
            f"revision {revision} has no folder {folders[0]}",
            hint="name a revision in which the project is there already",
        )
    entries = list(_list_entries(revision, repository, commit, held))
    with TemporaryDirectory(dir=get_scratch()) as name:
        folder = Path(name).resolve()
        try:
            _write_entries(revision, repository, entries, folder)
        except OSError as error:
            raise _refuse_revision(revision, f"it cannot be unpacked: {error.strerror}") from error
        yield Snapshot(repository, folder, tuple(held))


class _Entry(NamedTuple):
    """A file or a link of a revision, by the name of its content."""

    mode: bytes
    blob: bytes
    path: PurePosixPath


def _list_entries(
    revision: str, repository: Path, commit: str, folders: Sequence[Path]
) -> Iterator[_Entry]:
    """Yield the files and links in folders; what another repository holds is left out."""
    paths = [folder.relative_to(repository).as_posix() for folder in folders]
    named = [] if "." in paths else ["--", *paths]
    listed = _run(repository, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, *named)
    if listed is None:
        raise _refuse_revision(revision, "git cannot list its files")
    if len(listed) > MOST_LISTED:
        raise _refuse_revision(revision, f"its names are more than {MOST_LISTED:,} bytes", _INSTEAD)
    size = 0
    for line in listed.split(b"\0")[:-1]:
        found = _ENTRY.fullmatch(line)
        if found is None or found[2] != b"blob":
            continue
        path = PurePosixPath(os.fsdecode(found[5]))
        if path.is_absolute() or ".." in path.parts:
            raise _refuse_revision(revision, f"it has a file with a forbidden name: {path}")
        size += int(found[4]) if found[4].isdigit() else 0  # BAD is one that git does not have
        if size > MOST_BYTES:
            raise _refuse_revision(
                revision, f"its files are more than {MOST_BYTES:,} bytes", _INSTEAD
            )
        yield _Entry(found[1], found[3], path)


def _write_entries(
    revision: str, repository: Path, entries: Sequence[_Entry], folder: Path
) -> None:
    """Write what git holds of each entry, as it lies there: no filter changes it."""
    asked = b"".join(entry.blob + b"\n" for entry in entries)
    links: list[tuple[Path, bytes]] = []
    with _ask(repository, "cat-file", "--batch", given=asked) as git:
        packed = git.answer
        for entry in entries:
            words = packed.readline().split()
            if len(words) != 3 or words[1] != b"blob":
                raise _refuse_revision(revision, f"git does not have all of it: {entry.path}")
            path = folder / entry.path
            if entry.mode == _LINK:
                links.append((path, packed.read(int(words[2]))))
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                _copy(packed, int(words[2]), path)
            packed.read(1)
    # Links come last, so that no file is written through one; none leads out of the folder.
    for path, target in links:
        place = Path(os.path.normpath(path.parent / os.fsdecode(target)))
        if place.is_relative_to(folder) and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(os.fsdecode(target))


def _copy(packed: IO[bytes], size: int, path: Path) -> None:
    """Write so many bytes of what git says, a slice at a time."""
    with path.open("wb") as file:
        while size > 0 and (part := packed.read(min(size, _SLICE))):
            file.write(part)
            size -= len(part)


def _refuse_revision(revision: str, reason: str, hint: str = _MEND) -> CardgenError:
    return CardgenError(
        "project/unreadable-revision", f"revision {revision} cannot be read: {reason}", hint=hint
    )


def _get_repository(revision: str, folders: Sequence[Path]) -> Path:
    for folder in folders:
        found = _run(folder, "rev-parse", "--show-toplevel")
        if found is not None:
            return Path(found.decode().rstrip("\n")).resolve()
    raise CardgenError(
        "project/no-repository",
        f'there is no file "{revision}", and {folders[0]} is in no git repository',
        hint="name an earlier output, as output/magic.pdf, or keep the deck in git",
    )


def _resolve(revision: str, repository: Path) -> str:
    found = None
    if not revision.startswith("-"):
        found = _run(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if found is None:
        raise CardgenError(
            "project/no-revision",
            f'there is no file and no git revision "{revision}"',
            hint="name an earlier output, as output/magic.pdf, or a revision, as HEAD~1; "
            "`git log --oneline` lists them",
        )
    return found.decode().strip()


def _holds(repository: Path, commit: str, folder: Path) -> bool:
    path = "" if folder == repository else folder.relative_to(repository).as_posix()
    return _run(repository, "cat-file", "-e", f"{commit}:{path}") is not None


def _run(folder: Path, *arguments: str) -> bytes | None:
    """Return the output of git, or None if it fails; of a very long one no more than shows it."""
    with _ask(folder, *arguments) as git:
        said = git.answer.read(MOST_LISTED + 1)
        return said if len(said) > MOST_LISTED or git.process.wait() == 0 else None


class _Git(NamedTuple):
    """Git at work, and what it says."""

    process: subprocess.Popen[bytes]
    answer: IO[bytes]


@contextmanager
def _ask(folder: Path, *arguments: str, given: bytes = b"") -> Iterator[_Git]:
    """Start git, and end it when nobody wants the rest, or when it takes too long."""
    with TemporaryFile() as asked:
        asked.write(given)
        asked.seek(0)
        try:
            process = subprocess.Popen(
                ["git", "-C", str(folder), *_SAFE, *arguments],
                env={**os.environ, **_SAFE_ENVIRONMENT},
                stdin=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except FileNotFoundError:
            raise CardgenError(
                "project/no-git",
                "git is not installed",
                hint=f"install it, or {_INSTEAD}",
            ) from None
        late = Event()

        def end() -> None:
            late.set()
            process.kill()

        clock = Timer(MOST_SECONDS, end)
        clock.start()
        with process:
            try:
                assert process.stdout is not None
                yield _Git(process, process.stdout)
            finally:
                clock.cancel()
                process.kill()
                if late.is_set():
                    raise CardgenError(
                        "project/git-too-slow",
                        f"git takes longer than {MOST_SECONDS} seconds",
                        hint=_INSTEAD,
                    )
