"""The command `cardgen studio` as people start and end it."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from conftest import Project, find_tool, hear_interrupts
from PIL import Image

from cardgen.studio import serve
from cardgen.studio.serve import listen
from cardgen.studio.session import Start

CARDS = "  - name: Sword\n  - name: Shield\n"


@pytest.fixture
def written(project: Project) -> Project:
    project.write_template('<text x="2mm" y="2mm" width="46mm">{{ card.name }}</text>')
    project.write_deck(CARDS)
    return project


@contextmanager
def start(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, as it runs, and the address that it printed, with what stood before it."""
    command = [sys.executable, "-m", "cardgen", "studio", *arguments]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **environment},
    )
    assert process.stdout is not None
    try:
        printed = ""
        while "Ctrl-C" not in printed:
            line = process.stdout.readline()
            assert line, printed
            printed += line
        yield process, printed
    finally:
        process.kill()
        process.wait()


def test_no_answer_waits_until_its_head_is_acknowledged() -> None:
    """Else each picture would take 40 ms on its way."""
    found: list[int] = []

    async def ask() -> None:
        async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            found.append(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening, _ = listen(0)
        async with await asyncio.start_server(answer, sock=listening):
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            await reader.read()
            writer.close()

    asyncio.run(ask())
    assert found == [1]


def test_a_deck_that_lies_deeper_than_a_projects_decks_is_opened_in_its_own_folder(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Start] = []
    monkeypatch.setattr(serve, "serve", lambda start, *_, **__: started.append(start))
    project.write("cardgen.toml", "")
    project.write("data/a.csv", "name\nAxe\n")
    project.write_deck()
    for path in ("data/a.csv", "../decks/deck.yaml"):
        assert project.run("studio", path, "--no-open").stderr == ""
    assert [(start.folder.name, start.deck) for start in started] == [
        ("data", "a"),
        ("project", "deck"),
    ]


def list_processes(parent: int) -> list[int]:
    found = [parent]
    for number in found:
        for task in Path(f"/proc/{number}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found[1:]


def is_running(number: int) -> bool:
    """Whether a process is there, and not only what is left of one."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


LIMITS = {"CARDGEN_SECONDS": "1", "CARDGEN_MEMORY": "200"}
ENDLESS = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"


def write_hostile(project: Project) -> None:
    """A deck with a card that takes too long, and one with a picture that takes too much memory."""
    project.write_template(f'<text x="2mm" y="2mm" width="9mm">{ENDLESS}</text>', "slow")
    whole = 'x="0mm" y="0mm" width="50mm" height="40mm"'
    project.write_template(f'<image {whole} file="vast.png"/>', "vast")
    Image.new("RGB", (9_000, 9_000)).save(project.folder / "vast.png", compress_level=1)
    cards = "".join(f"  - name: {name}\n    template: {name}\n" for name in ("slow", "vast"))
    project.write_deck(f"{cards}{CARDS}", "hostile")


def check_hostile(address: str) -> None:
    """What takes too long or too much is told, and the rest is drawn."""
    end = time.monotonic() + 60
    with httpx.Client(base_url=address, timeout=30) as client:
        _, vast, sword, _ = client.get("api/deck/hostile").json()["cards"]
        assert client.get(vast["faces"]["front"]["url"]).status_code == 410
        assert client.get(sword["faces"]["front"]["url"]).status_code == 200
        while (deck := client.get("api/deck/hostile").json())["left"]:
            assert time.monotonic() < end, "all cards are looked at"
            time.sleep(0.05)
    codes = [[problem["code"] for problem in card["problems"]] for card in deck["cards"]]
    assert codes == [["print/too-slow"], ["print/too-much-memory"], [], []]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_deck_stops_it_but_ctrl_c_does_with_all_its_processes(written: Project) -> None:
    write_hostile(written)
    browser = written.write("browser", '#!/bin/sh\necho "$1" > opened.txt\n')
    browser.chmod(0o755)
    environment = {**LIMITS, "BROWSER": str(browser)}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with start("deck", "--port", str(port), **environment) as (process, printed):
            assert f"port {port} is taken" in printed
            found = re.search(r"http://127\.0\.0\.1:(\d+)/\S+/", printed)
            assert found is not None
            assert int(found[1]) > port
            address = found[0]
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.2", int(found[1])), timeout=5)
            project = httpx.get(f"{address}api/project").json()
            assert (project["open"], project["folder"]) == ("deck", written.folder.name)
            check_hostile(address)
            assert (written.folder / "opened.txt").read_text() == f"{address}\n"
            assert httpx.get(f"{address}api/deck/deck", timeout=30).json()["designs"] == 2
            httpx.get(f"{address}api/decks", timeout=30)
            others = list_processes(process.pid)
            assert others
            said: list[str] = []

            def listen() -> None:
                with httpx.stream("GET", f"{address}events?deck=deck", timeout=20) as answer:
                    said.extend(answer.iter_lines())

            listener = threading.Thread(target=listen)
            listener.start()
            while not said:
                time.sleep(0.01)
            drawing = {number for other in others for number in list_processes(other)}
            assert drawing
            for number in drawing:  # which takes for ever from now on
                os.kill(number, signal.SIGSTOP)
            asked = threading.Thread(target=lambda: httpx.get(f"{address}cover/deck", timeout=20))
            asked.start()
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=10)
            listener.join(5)
            asked.join(5)
    assert (process.returncode, rest) == (0, "")
    assert "event: end" in said
    end = time.monotonic() + 5
    while any(map(is_running, others)) and time.monotonic() < end:
        time.sleep(0.02)
    assert [number for number in others if is_running(number)] == []


def test_builds_go_on_while_somebody_writes(written: Project) -> None:
    """Only those of the decks that a change touches."""
    written.write_deck(CARDS, "other")
    command = [sys.executable, "-m", "cardgen", "build", "deck", "other", "--watch"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ,
        preexec_fn=hear_interrupts,
    )
    assert process.stdout is not None
    end = threading.Timer(60, process.kill)  # a line that never comes
    end.start()
    try:
        for name in ("deck", "other"):
            assert process.stdout.readline() == f"output/{name}.pdf: 2 cards on 1 page\n"
        assert process.stdout.readline() == "watching; Ctrl-C ends it\n"
        written.write_deck(CARDS + "  - name: Bow\n    count: 3\n")
        assert process.stdout.readline() == "deck: Bow changed\n"
        assert process.stdout.readline() == "output/deck.pdf: 5 cards on 1 page\n"
        written.write_template('<text x="2mm" y="2mm" width="46mm">{{ card.nme }}</text>')
        for name in ("deck", "other"):
            assert process.stdout.readline() == f"{name}: templates/plain.xml changed\n"
        assert 'unknown field "nme"' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=10)
    finally:
        end.cancel()
        process.kill()
        process.wait()
    assert process.returncode == 0
    assert "Traceback" not in rest


def test_make_studio_opens_magic() -> None:
    said = subprocess.run(
        [find_tool("make"), "--no-print-directory", "--dry-run", "studio"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.splitlines()[-1].endswith("/cardgen studio magic")


def test_what_is_missing_is_named_with_the_line_that_installs_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "uvicorn" else find(name)
    )
    ran = project.run("studio", "--no-open")
    assert (ran.code, ran.stdout) == (1, "")
    assert "the studio needs uvicorn" in ran.stderr
    assert 'pip install "cardgen[studio]"' in ran.stderr


def test_a_deck_that_is_not_there_is_refused(project: Project) -> None:
    ran = project.run("studio", "nonsense", "--no-open")
    assert ran.code == 1
    assert 'unknown deck "nonsense"' in ran.stderr
