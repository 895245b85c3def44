"""Revisions of a repository that comes from a stranger: its files are read, and nothing runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.core.errors import CardgenError
from cardgen.project import git as module
from cardgen.project.git import check_out

HOME = Path("/nowhere")
IDENTITY = ("-c", "user.name=a", "-c", "user.email=a@b.c")


def git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    command = ["git", "-C", str(folder), *IDENTITY, *arguments]
    return subprocess.run(command, check=True, capture_output=True, input=given).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "decks").mkdir(parents=True)
    (folder / "decks/mine.yaml").write_bytes(b"title: Then\r\n")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def make_trap(tmp_path: Path) -> tuple[Path, Path]:
    """A program that leaves a mark when it is run, and the mark."""
    trap, mark = tmp_path / "trap.py", tmp_path / "it-ran"
    trap.write_text(f"#!{sys.executable}\nopen({str(mark)!r}, 'w')\n", encoding="utf-8")
    trap.chmod(0o755)
    return trap, mark


def read(repository: Path, name: str = "decks/mine.yaml", revision: str = "HEAD") -> bytes:
    with check_out(revision, [repository], HOME) as snapshot:
        return snapshot.locate(repository / name).read_bytes()


@pytest.mark.parametrize("kind", ["smudge", "process", "textconv"])
def test_no_filter_runs(repository: Path, tmp_path: Path, kind: str) -> None:
    trap, mark = make_trap(tmp_path)
    (repository / ".gitattributes").write_text("* filter=x diff=x\n", encoding="utf-8")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "two")
    section = "diff.x" if kind == "textconv" else "filter.x"
    git(repository, "config", f"{section}.{kind}", str(trap))
    git(repository, "config", "filter.x.required", "true")
    assert read(repository) == b"title: Then\r\n"
    assert not mark.exists()


def test_no_hook_no_monitor_and_no_pager_runs(repository: Path, tmp_path: Path) -> None:
    trap, mark = make_trap(tmp_path)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "credential.helper"):
        git(repository, "config", key, str(trap))
    git(repository, "config", "core.hooksPath", str(tmp_path))
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        (tmp_path / hook).symlink_to(trap)
    assert read(repository) == b"title: Then\r\n"
    assert not mark.exists()


def test_a_partial_clone_fetches_nothing(repository: Path, tmp_path: Path) -> None:
    trap, mark = make_trap(tmp_path)
    git(repository, "config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    source = repository.as_uri()
    git(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", source, str(clone))
    git(clone, "config", "remote.origin.uploadpack", str(trap))
    with pytest.raises(CardgenError) as caught:
        read(clone)
    assert caught.value.problems[0].code == "project/unreadable-revision"
    assert not mark.exists()


def test_what_git_has_lost_is_named(repository: Path) -> None:
    blob = git(repository, "rev-parse", "HEAD:decks/mine.yaml").decode().strip()
    (repository / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(CardgenError, match=r"git does not have all of it: decks/mine.yaml"):
        read(repository)


def test_no_name_leads_out_of_the_folder(repository: Path) -> None:
    blob = git(repository, "hash-object", "-w", "--stdin", given=b"evil").decode().strip()
    for name in ("..", "../evil"):
        tree = git(repository, "mktree", given=f"100644 blob {blob}\tevil\n".encode())
        inner = tree.decode().strip()
        entry = b"40000 ..\0" + bytes.fromhex(inner)
        arguments = ("hash-object", "-t", "tree", "-w", "--stdin", "--literally")
        outer = git(repository, *arguments, given=entry).decode().strip()
        commit = git(repository, "commit-tree", outer, "-m", name).decode().strip()
        with (
            pytest.raises(CardgenError, match="forbidden name"),
            check_out(commit, [repository], HOME),
        ):
            pass


def test_links_stay_within_the_folder(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    (repository / "decks/out.yaml").symlink_to("../../secret")
    (repository / "decks/far.yaml").symlink_to(tmp_path / "secret")
    (repository / "decks/same.yaml").symlink_to("mine.yaml")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "links")
    with check_out("HEAD", [repository], HOME) as snapshot:
        folder = snapshot.locate(repository / "decks")
        assert sorted(path.name for path in folder.iterdir()) == ["mine.yaml", "same.yaml"]
        assert (folder / "same.yaml").read_bytes() == b"title: Then\r\n"


def test_what_is_too_much_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 5)
    with pytest.raises(CardgenError, match="more than 5 bytes"):
        read(repository)


def test_trees_that_hold_one_another(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few hundred bytes that list thousands of millions of files."""
    monkeypatch.setattr(module, "MOST_LISTED", 100_000)
    kind = "blob"
    held = git(repository, "hash-object", "-w", "--stdin").decode().strip()
    for _ in range(10):
        mode = "100644" if kind == "blob" else "040000"
        lines = "".join(f"{mode} {kind} {held}\t{number}\n" for number in range(10))
        kind, held = "tree", git(repository, "mktree", given=lines.encode()).decode().strip()
    commit = git(repository, "commit-tree", held, "-m", "many").decode().strip()
    with pytest.raises(CardgenError, match="its names are more than 100,000 bytes"):
        read(repository, "0", commit)


def test_a_repository_that_answers_never(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SECONDS", 0.2)
    (repository / ".git/config").unlink()
    os.mkfifo(repository / ".git/config")
    with pytest.raises(CardgenError, match=r"git takes longer than 0\.2 seconds") as caught:
        read(repository)
    assert caught.value.problems[0].code == "project/git-too-slow"


def test_a_folder_of_the_repository_alone(repository: Path) -> None:
    (repository / "other").mkdir()
    (repository / "other/große.yaml").write_bytes(b"\xff\0binary\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "two")
    with check_out("HEAD", [repository / "other"], HOME) as snapshot:
        place = snapshot.locate(repository / "other/große.yaml")
        assert place.read_bytes() == b"\xff\0binary\n"
        assert not (snapshot.folder / "decks").exists()
        outside = snapshot.locate(repository / "decks")
        assert outside == repository / "decks"
