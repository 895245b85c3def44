"""The tutorial as a beginner goes through it: every command is run, every file is as it says."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import httpx
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
        if arguments == ["studio"]:
            try_studio(said)
            continue
        ran = Project(Path.cwd()).run(*arguments)
        assert ran.stdout + ran.stderr == said, command
    return len(parts) // 2


def try_studio(said: str) -> None:
    """Run the studio: it says its address, shows the deck, and writes one value into its file."""
    command = [sys.executable, "-m", "cardgen", "studio", "--no-open"]
    path = Path("decks/mydeck.yaml")
    before = path.read_text(encoding="utf-8")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout is not None
            lines = [line for line in (running.stdout.readline(),) if "is taken" not in line]
            lines += [running.stdout.readline() for _ in range(2 - len(lines))]
            address = lines[0].split()[-1]
            with httpx.Client(base_url=address, timeout=30) as client:
                deck = client.get("api/deck/mydeck").json()
                edit = {"kind": "set", "card": "silver-spoon", "field": "cost", "value": 25}
                asked = {"deck": "mydeck", "edits": [{**edit, "was": 20}]}
                client.post("api/edit", json=asked).raise_for_status()
                after = path.read_text(encoding="utf-8")
                client.post("api/undo", json={"deck": "mydeck"}).raise_for_status()
            running.send_signal(signal.SIGINT)
            running.wait(20)
        finally:
            running.kill()
    told = "".join(lines).replace(address, "http://127.0.0.1:8765/…/")
    assert told == said
    assert [card["name"] for card in deck["cards"]] == [
        "Wooden Spoon",
        "Silver Spoon",
        "Bent Spoon",
    ]
    assert after == before.replace("cost: 20", "cost: 25")
    assert path.read_text(encoding="utf-8") == before
