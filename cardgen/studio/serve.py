"""The server that runs until Ctrl-C: its port, its token, and the browser that is opened.

It listens on the machine itself and nowhere else.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import webbrowser
from collections.abc import Callable
from secrets import token_urlsafe
from types import FrameType

import uvicorn

from cardgen.core.errors import CardgenError
from cardgen.studio.app import make_app
from cardgen.studio.guard import Guard
from cardgen.studio.session import Session, Start

HOST = "127.0.0.1"
PORT = 8765
_TRIES = 50
_LAST = 65_535
_PATIENCE = 2  # seconds for which requests may go on when the studio ends


class _Server(uvicorn.Server):
    """Ends what it serves before itself, so that no stream and no drawing keeps it waiting."""

    def __init__(self, config: uvicorn.Config, session: Session) -> None:
        super().__init__(config)
        self._session = session
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._session.end(), self._loop)


def serve(
    start: Start, port: int | None, *, say: Callable[[str], None], opens: bool = True
) -> None:
    """Serve the studio until it is interrupted.

    port: the one asked for, else the usual one; where it is taken, the next that is free
    say: prints a line
    """
    listening, taken = listen(PORT if port is None else port)
    number = listening.getsockname()[1]
    if taken is not None:
        say(f"port {taken} is taken, so it is {number}")
    token = token_urlsafe(24)
    app = make_app(start)
    config = uvicorn.Config(
        Guard(app, token, [number]),
        log_config=None,
        access_log=False,
        lifespan="on",
        loop="asyncio",
        http="h11",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )
    address = f"http://{HOST}:{number}/{token}/"
    say(f"the studio is at {address}")
    say("Ctrl-C ends it")
    if opens:
        webbrowser.open(address)
    server = _Server(config, app.state.session)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def listen(port: int) -> tuple[socket.socket, int | None]:
    """Return a socket that listens, and the port that was asked for if it is taken.

    It names its protocol: of others asyncio does not know that they are TCP, and the body of each
    answer would wait 40 ms until its head is acknowledged.
    """
    last = OSError()
    for number in range(port, min(port + _TRIES, _LAST + 1)):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if os.name == "posix":
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((HOST, number))
            made.listen(128)
        except OSError as error:
            made.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            last = error
            continue
        made.set_inheritable(False)
        return made, None if number == port else port
    raise CardgenError(
        "studio/no-port",
        f"no port from {port} to {port + _TRIES - 1} is free",
        hint="name another with --port",
        details={"port": port},
    ) from last
