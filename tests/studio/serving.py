"""A studio that runs in a thread of the tests, and what a page does with it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from cardgen.pages.printer import Printer
from cardgen.project.printers import Profiles
from cardgen.studio.app import make_app
from cardgen.studio.guard import Guard
from cardgen.studio.serve import listen
from cardgen.studio.session import Session, Start

TOKEN = "token-of-the-tests"
PATIENCE = 30.0


@dataclass
class Studio:
    """A server, and a client that asks it as its page does."""

    client: httpx.Client
    session: Session
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/{TOKEN}/"

    def get(self, path: str, **query: str) -> httpx.Response:
        return self.client.get(path, params=query or None)

    def post(self, path: str, body: Mapping[str, object]) -> httpx.Response:
        return self.client.post(path, json=body)

    def read_deck(self, name: str = "deck", **view: str) -> dict[str, Any]:
        answer = self.get(f"api/deck/{name}", **view)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def draw(self, face: Mapping[str, Any], dpi: int = 72) -> bytes:
        answer = self.client.get(f"{face['url']}&dpi={dpi}")
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "image/png"
        return answer.content

    def get_status(self, shown: Mapping[str, Any], dpi: int = 72) -> int:
        """Return how it goes to ask for the picture of a face or a sheet."""
        return self.client.get(f"{shown['url']}&dpi={dpi}").status_code

    @contextmanager
    def listen(self, deck: str = "deck", **view: str) -> Iterator[Events]:
        """Open the stream of events; the first of them is taken already."""
        query = {"deck": deck, **view}
        with self.client.stream("GET", "events", params=query) as answer:
            assert answer.status_code == 200
            events = Events(answer.iter_lines())
            events.hello = events.wait("hello")
            yield events


class Events:
    """The events of a stream, as they come."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self.hello: dict[str, Any] = {}

    def wait(self, name: str) -> dict[str, Any]:
        """The data of the next event of a name; those before it are passed over. A stream that has
        nothing to tell says at times that it is still there.
        """
        current, end = "", time.monotonic() + PATIENCE
        for line in self._lines:
            assert time.monotonic() < end, f"no event {name} came"
            field, _, value = line.partition(": ")
            if field == "event":
                current = value
            elif field == "data" and current == name:
                told: dict[str, Any] = json.loads(value)
                return told
        raise AssertionError(f"no event {name} came")


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    """Look again and again whether something has come about, which it has to before long."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@contextmanager
def serve(
    folder: Path, deck: str | None = None, printers: Mapping[str, Printer] | None = None
) -> Iterator[Studio]:
    """Serve a folder, which is also the folder in hand."""
    listening, _ = listen(0)
    port = listening.getsockname()[1]
    app = make_app(Start(folder, deck, profiles=Profiles(printers or {}, None)))
    config = uvicorn.Config(
        Guard(app, TOKEN, [port]),
        log_config=None,
        lifespan="on",
        http="h11",
        ws="none",
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    end = time.monotonic() + PATIENCE
    while not server.started and time.monotonic() < end:
        time.sleep(0.01)
    address = f"http://127.0.0.1:{port}/{TOKEN}/"
    try:
        with httpx.Client(base_url=address, timeout=PATIENCE) as client:
            yield Studio(client, app.state.session, port)
    finally:
        server.should_exit = True
        thread.join(3 * PATIENCE)
        assert not thread.is_alive()
