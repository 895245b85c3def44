"""The tutorial as a beginner goes through it: every command is run, every file is as it says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from conftest import Project

from cardgen.core.library import HOME

TUTORIAL = HOME / "docs/tutorial.md"
_BLOCK = re.compile(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def list_blocks() -> list[tuple[str, str, str]]:
    return [(m[1], m[2], m[3]) for m in _BLOCK.finditer(TUTORIAL.read_text(encoding="utf-8"))]


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = 0
    for language, what, text in list_blocks():
        if language == "console":
            commands += run_console(text, monkeypatch)
            continue
        deed, _, name = what.partition("=")
        path = Path(name)
        if deed == "write":
            path.write_text(text, encoding="utf-8")
        elif deed == "change":
            old, new = text.splitlines()
            whole = path.read_text(encoding="utf-8")
            assert whole.count(old) == 1
            path.write_text(whole.replace(old, new), encoding="utf-8")
        else:
            assert deed == "shows", what
            assert path.read_text(encoding="utf-8") == text
    assert commands > 8


def run_console(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the commands of a block, each with what it prints; how many there were."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.MULTILINE)[1:]
    for command, said in zip(parts[::2], parts[1::2], strict=True):
        program, *arguments = shlex.split(command)
        if program == "cd":
            monkeypatch.chdir(arguments[0])
            continue
        assert program == "cardgen"
        ran = Project(Path.cwd()).run(*arguments)
        assert ran.stdout + ran.stderr == said, command
    return len(parts) // 2
