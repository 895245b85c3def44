"""Requests of the page read: what is not as it should be is refused with a problem."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

from cardgen.core.errors import CardgenError
from cardgen.studio.easel import View

_MOST_JSON = 4_000_000
_FINEST = 600
_COARSEST = 36


class Refused(Exception):
    """A request that is not as it should be."""

    def __init__(self, error: CardgenError, status: int = 400) -> None:
        super().__init__(error)
        self.error = error
        self.status = status


def read_view(said: Mapping[str, object]) -> View:
    """Return the view of a query or of a body."""

    def take(name: str) -> str | None:
        value = said.get(name)
        return value if isinstance(value, str) and value else None

    return View(take("target"), take("look"), take("language"))


def read_dpi(request: Request, usual: int) -> int:
    """Return how fine a picture is asked for."""
    said = request.query_params.get("dpi", "")
    return bound_dpi(int(said) if said.isascii() and said.isdigit() and len(said) < 5 else usual)


def bound_dpi(dpi: int) -> int:
    """Return the nearest fineness that is drawn."""
    return max(_COARSEST, min(dpi, _FINEST))


async def read_json(request: Request) -> dict[str, object]:
    """Return the object that is sent; anything else is refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(make_wrong("JSON is wanted"), 415)
    try:
        told = parse_json(await read_body(request, _MOST_JSON))
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise Refused(make_wrong("a JSON object is wanted"))
    return told


def parse_json(said: str | bytes) -> Any:
    """Return what JSON says; a ValueError where it is too deep, or has half of a letter, which no
    file can hold and no answer repeat.
    """
    try:
        told = json.loads(said)
        json.dumps(told, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError("too deep") from error
    return told


async def read_body(request: Request, most: int) -> bytes:
    """Return what is sent, if it is not too much."""
    taken = bytearray()
    try:
        async for part in request.stream():
            taken += part
            if len(taken) > most:
                raise Refused(make_too_much(most), 413)
    except ClientDisconnect as error:
        raise Refused(make_wrong("it was not sent to its end")) from error
    return bytes(taken)


def get_list(asked: Mapping[str, object], name: str) -> list[object]:
    """Return a list of a body; an empty one where there is none."""
    value = asked.get(name)
    return value if isinstance(value, list) else []


def make_nothing() -> CardgenError:
    return CardgenError("studio/no-such-address", "there is nothing at this address")


def make_wrong(reason: str) -> CardgenError:
    return CardgenError(
        "studio/wrong-request",
        f"the request cannot be understood: {reason}",
        details={"reason": reason},
    )


def make_too_much(most: int) -> CardgenError:
    return CardgenError(
        "studio/too-much",
        f"more than {most:,} bytes are sent",
        hint="make the file smaller",
        details={"allowed": most},
    )


def make_gone() -> CardgenError:
    return CardgenError("studio/gone", "this version of the picture is no longer there")
