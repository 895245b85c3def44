"""Who may ask the server: only pages that it gave out itself.

Every address begins with a token that nobody can guess, so that other users and other pages of the
browser find nothing. Host and Origin are looked at, too, so that no name in a foreign network can
be made to lead here. Knows nothing of decks.
"""

from __future__ import annotations

from collections.abc import Iterable
from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_NAMES = ("127.0.0.1", "localhost")
_NOTHING = (
    "there is nothing here: the studio tells its address where it is started, each time another"
)
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Guard:
    """Refuses what comes from elsewhere, and takes the token off the address."""

    def __init__(self, app: ASGIApp, token: str, ports: Iterable[int]) -> None:
        self._app = app
        self._token = token
        self._hosts = {f"{name}:{port}" for name in _NAMES for port in ports}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refusal = self._refuse(scope)
        if refusal is not None:
            await refusal(scope, receive, _with_headers(send))
            return
        prefix = f"/{self._token}"
        inner = {**scope, "path": scope["path"].removeprefix(prefix) or "/"}
        inner["raw_path"] = inner["path"].encode()
        await self._app(inner, receive, _with_headers(send))

    def _refuse(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts:
            return PlainTextResponse("this host is not served here", 403)
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return PlainTextResponse("this comes from another page", 403)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return PlainTextResponse("this comes from another page", 403)
        token, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not slash or not compare_digest(token.encode(), self._token.encode()):
            return PlainTextResponse(_NOTHING, 404)
        return None


def _with_headers(send: Send) -> Send:
    async def send_guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return send_guarded
