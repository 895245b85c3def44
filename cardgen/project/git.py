"""The files of a git revision, put into a folder of their own while they are needed.

Knows nothing of what the files hold.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgen.core.errors import CardgenError


class Snapshot(NamedTuple):
    """Folders of a repository as they were, copied into `folder`."""

    repository: Path
    folder: Path
    held: tuple[Path, ...]

    def find(self, path: Path) -> Path:
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
    import tarfile  # with bz2 and lzma, which a build without a revision need not load

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
    paths = [str(folder.relative_to(repository)) for folder in held]
    packed = _run(repository, "archive", "--format=tar", commit, "--", *paths)
    if packed is None:
        raise CardgenError(
            "project/unreadable-revision",
            f"git cannot read revision {revision}",
            hint="try `git fsck`",
        )
    with TemporaryDirectory(prefix="cardgen-") as name:
        folder = Path(name).resolve()
        try:
            with tarfile.open(fileobj=BytesIO(packed)) as files:
                files.extractall(folder, filter="data")
        except (tarfile.TarError, OSError) as error:
            raise CardgenError(
                "project/unreadable-revision", f"revision {revision} cannot be unpacked: {error}"
            ) from error
        yield Snapshot(repository, folder, tuple(held))


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
    """Return the output of git, or None if it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise CardgenError(
            "project/no-git",
            "git is not installed",
            hint="install it, or name an earlier output with --since",
        ) from None
    return done.stdout if done.returncode == 0 else None
