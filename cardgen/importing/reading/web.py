"""A published address becomes a file: its bytes, and a name that says of what kind they are.

Within a time and a size, over http and https alone. Knows nothing of tables or cards.
"""

from __future__ import annotations

import re
import socket
import ssl
import threading
import time
import zlib
from email.message import Message
from http.client import HTTPException
from typing import IO, Any, NamedTuple
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, quote, urlencode, urlsplit, urlunsplit

from cardgen.core.errors import CardgenError, shorten
from cardgen.core.version import VERSION
from cardgen.importing.reading.kinds import is_known, is_page

MAX_BYTES = 20_000_000
SECONDS = 20.0
_REDIRECTS = 5
_PART = 65_536
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_SAFE = "%/:=&?~#+!$,;'@()*[]-._"
_GOOGLE = re.compile(r"/spreadsheets/(?:u/\d+/)?d/(e/)?([\w-]+)(?:/(\w*))?")
_TYPES = {
    "text/csv": "csv",
    "application/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "application/x-ndjson": "json",
    "text/markdown": "md",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "application/pdf": "pdf",
    "application/rtf": "rtf",
    "application/msword": "doc",
    "application/vnd.oasis.opendocument.spreadsheet": "ods",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
}
_SIGN_IN = "in Google Sheets choose File > Share > Publish to web, as CSV, and take that address"
_NO_FILE = "take the address of the file itself, as the button for downloading it has"
_LOOK = "see whether a browser opens it"
_SAVE = "save it with a browser, and import the file"


class Fetched(NamedTuple):
    data: bytes
    name: str  # with the suffix of its kind, where that is known
    shown: str  # the address as a report names it
    charset: str | None


class _RefusedError(Exception):
    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


def is_address(file: str) -> bool:
    return _ADDRESS.match(file) is not None


def fetch(address: str) -> Fetched:
    """What an address gives. The time holds for all of it, also for finding the server."""
    scheme = address.partition(":")[0].lower()
    if scheme not in ("http", "https"):
        raise _refuse_address(address)
    try:
        wanted = _encode(choose_table(address))
    except ValueError:
        raise _refuse_address(address) from None
    download = _Download(wanted, shorten_address(address))
    # Looking a name up and dripping servers know no time limit: this waits no longer than ours.
    thread = threading.Thread(target=download.run, daemon=True)
    thread.start()
    thread.join(download.limit)
    error = download.error
    if thread.is_alive() or isinstance(error, TimeoutError):
        error = _RefusedError(f"gave no whole answer within {download.limit:.0f} seconds", _SAVE)
    if error is not None or download.fetched is None:
        message, hint = _explain(error, address)
        raise CardgenError("importing/todo", f"{address} {message}", hint=hint)
    return download.fetched


def _refuse_address(address: str) -> CardgenError:
    return CardgenError(
        "importing/todo",
        f'"{address}" is no web address',
        hint="an address begins with https:// or http://",
    )


class _Download:
    """One download, in a thread of its own."""

    def __init__(self, address: str, shown: str) -> None:
        self.limit = SECONDS
        self.error: Exception | None = None
        self.fetched: Fetched | None = None
        self._address = address
        self._shown = shown
        self._end = time.monotonic() + self.limit

    def run(self) -> None:
        try:
            self.fetched = self._fetch()
        except Exception as error:  # told by the thread that waits
            self.error = error

    def _fetch(self) -> Fetched:
        asked = request.Request(
            self._address,
            headers={"User-Agent": f"cardgen/{VERSION}", "Accept-Encoding": "identity"},
        )
        with _open_web().open(asked, timeout=self.limit) as answer:
            headers = answer.headers
            length = headers.get("Content-Length", "")
            if length.isdigit() and int(length) > MAX_BYTES:
                raise _RefusedError(f"is {int(length):,} bytes long", _allow())
            data = self._read(answer)
            if length.isdigit() and len(data) < int(length):
                raise _RefusedError("broke off before its end", "try again")
            if headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate"):
                data = _unpack(data)
            suffix = _find_suffix(answer.url, headers)
        if suffix in ("html", "htm") or is_page(data):
            google = "google." in (urlsplit(self._address).hostname or "")
            raise _RefusedError("is a web page, not a table", _SIGN_IN if google else _NO_FILE)
        name = f"{self._shown}.{suffix}" if suffix else self._shown
        return Fetched(data, name, self._shown, headers.get_content_charset())

    def _read(self, answer: Any) -> bytes:
        parts, total = [], 0
        while part := answer.read1(_PART):
            parts.append(part)
            total += len(part)
            if total > MAX_BYTES:
                raise _RefusedError(f"is more than {MAX_BYTES:,} bytes long", _allow())
            if time.monotonic() > self._end:
                raise TimeoutError
        return b"".join(parts)


class _Redirects(request.HTTPRedirectHandler):
    max_redirections = _REDIRECTS
    max_repeats = 2

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> request.Request | None:
        scheme = urlsplit(newurl).scheme.lower()
        if scheme not in ("http", "https"):
            raise _refuse_redirect(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _open_web() -> request.OpenerDirector:
    """What knows http and https alone: no files, no FTP, whatever an answer says."""
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler(),
        request.HTTPHandler(),
        request.HTTPSHandler(),
        request.HTTPDefaultErrorHandler(),
        request.HTTPErrorProcessor(),
        request.UnknownHandler(),
        _Redirects(),
    ):
        opener.add_handler(handler)
    return opener


def _refuse_redirect(url: str) -> _RefusedError:
    return _RefusedError(f"leads to {shorten(url, 60)}, which is no web address", _LOOK)


def _explain(error: Exception | None, address: str) -> tuple[str, str]:
    """What went wrong, as the end of a sentence that begins with the address, and the cure."""
    google = "google." in (urlsplit(address).hostname or "")
    match error:
        case _RefusedError():
            return str(error), error.hint
        case HTTPError() if "not allowed" in str(error.msg):
            return str(_refuse_redirect(str(error.url))), _LOOK
        case HTTPError(code=301 | 302 | 303 | 307 | 308):
            return "leads from one address to the next without end", _LOOK
        case HTTPError(code=401 | 403):
            cure = _SIGN_IN if google else "publish it, so that it opens without signing in"
            return f"may not be read by everybody (the server says {error.code})", cure
        case HTTPError(code=404 | 410):
            cure = "compare it with the one that a browser shows"
            return f"does not exist (the server says {error.code})", _SIGN_IN if google else cure
        case HTTPError():
            return f"cannot be read: the server says {error.code} {error.reason}", "try again later"
        case URLError(reason=Exception() as reason):
            return _explain_connection(reason)
        case OSError() | HTTPException():
            return _explain_connection(error)
        case _:
            return f"cannot be read: {shorten(str(error), 100)}", _LOOK


def _explain_connection(reason: Exception) -> tuple[str, str]:
    match reason:
        case socket.gaierror():
            return "cannot be found", "is there a network, and is the address right?"
        case ssl.SSLError():
            said = getattr(reason, "verify_message", "") or reason.reason or "no secure connection"
            return f"cannot be trusted: {said}", _SAVE
        case TimeoutError():
            return f"gave no answer within {SECONDS:.0f} seconds", _SAVE
        case ConnectionRefusedError():
            return "cannot be reached: no server answers there", "is the address right?"
        case OSError(strerror=str() as said):
            return f"cannot be reached: {said.lower()}", "is there a network?"
        case _:
            return f"cannot be read: {shorten(str(reason), 100) or 'the answer broke off'}", _SAVE


def _allow() -> str:
    return f"allowed are {MAX_BYTES:,}; save it with a browser, and import the file"


def _unpack(data: bytes) -> bytes:
    """What a server has packed though it was not asked to."""
    try:
        unpacker = zlib.decompressobj(47)
        unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error:
        raise _RefusedError("gives what cannot be unpacked", _SAVE) from None
    if len(unpacked) > MAX_BYTES:
        raise _RefusedError(f"is more than {MAX_BYTES:,} bytes long when unpacked", _allow())
    return unpacked


def choose_table(address: str) -> str:
    """The CSV of a Google sheet whose address is that of its page; other addresses as they are."""
    parts = urlsplit(address)
    found = _GOOGLE.match(parts.path)
    if parts.hostname != "docs.google.com" or not found:
        return address
    asked = parse_qs(parts.query)
    gid = asked.get("gid") or parse_qs(parts.fragment).get("gid")
    page = found[3] or ""
    if page in ("export", "gviz") or (page == "pub" and "output" in asked):
        return address
    form = {"output" if found[1] else "format": "csv"}
    query = {**form, **({"gid": gid[0], **({"single": "true"} if found[1] else {})} if gid else {})}
    path = f"/spreadsheets/d/{found[1] or ''}{found[2]}/{'pub' if found[1] else 'export'}"
    return urlunsplit((parts.scheme, parts.netloc, path, urlencode(query), ""))


def _encode(address: str) -> str:
    """An address as it goes over the wire: letters beyond ASCII and blanks encoded."""
    parts = urlsplit(address)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    path, query = quote(parts.path, _SAFE), quote(parts.query, _SAFE)
    return urlunsplit((parts.scheme, host, path, query, ""))


def _find_suffix(url: str, headers: Message) -> str:
    """The kind of what comes, by the server, the name it gives, the query, or the path."""
    told = _TYPES.get(headers.get_content_type(), "")
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    names = [headers.get_filename() or "", parts.path]
    suffixes = [name.rpartition(".")[2].lower() for name in names if "." in name]
    suffixes += [value.lower() for key in ("output", "format") for value in asked.get(key, [])]
    return told or next((suffix for suffix in suffixes if is_known(suffix)), "")


def shorten_address(address: str) -> str:
    """An address as a report names it: the server and the last of its path."""
    parts = urlsplit(address)
    steps = [step for step in parts.path.split("/") if step]
    name = "/…/".join([parts.netloc.rpartition("@")[2], *steps[-1:]])
    name = name if len(steps) > 1 else name.replace("/…/", "/")
    gid = parse_qs(parts.query).get("gid")
    return f"{name}?gid={gid[0]}" if gid and gid[0] != "0" else name
