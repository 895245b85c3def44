"""Fetches a published file from the web: its bytes, and a name with the suffix of its kind.

Within a time and a size, by http and https alone. Knows nothing of tables or cards.
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

from cardgen.core.errors import CardgenError, Refusal, shorten
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
_NO_FILE = (
    "take the address of the file itself, as the button for downloading it has; "
    "of a page with texts, save it with a browser, and import that"
)
_LOOK = "see whether a browser opens it"
_SAVE = "save it with a browser, and import the file"


class Fetched(NamedTuple):
    data: bytes
    name: str  # with the suffix of its kind, where that is known
    shown: str  # the address as a report names it
    charset: str | None


def is_address(file: str) -> bool:
    return _ADDRESS.match(file) is not None


def fetch(address: str) -> Fetched:
    """Return the content of an address; one time limit holds for all of it."""
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
        error = Refusal(
            "import/no-answer", f"gave no whole answer within {download.limit:.0f} seconds", _SAVE
        )
    if error is not None or download.fetched is None:
        why = _explain(error, address)
        raise CardgenError(
            why.code, f"{address} {why.message}", hint=why.hint, details=why.details
        ) from error
    return download.fetched


def _refuse_address(address: str) -> CardgenError:
    return CardgenError(
        "import/no-web-address",
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
            if length.isdecimal() and len(length) < 20 and int(length) > MAX_BYTES:
                raise _refuse_long(f"is {int(length):,} bytes long")
            data = self._read(answer)
            if length.isdecimal() and len(length) < 20 and len(data) < int(length):
                raise Refusal("import/no-answer", "broke off before its end", "try again")
            if headers.get("Content-Encoding", "").lower() in ("gzip", "x-gzip", "deflate"):
                data = _unpack(data)
            suffix = _find_suffix(answer.url, headers)
        if suffix in ("html", "htm") or is_page(data):
            google = "google." in (urlsplit(self._address).hostname or "")
            cure = _SIGN_IN if google else _NO_FILE
            raise Refusal("import/web-page", "is a web page, not a table", cure)
        name = f"{self._shown}.{suffix}" if suffix else self._shown
        return Fetched(data, name, self._shown, headers.get_content_charset())

    def _read(self, answer: Any) -> bytes:
        parts, total = [], 0
        while part := answer.read1(_PART):
            parts.append(part)
            total += len(part)
            if total > MAX_BYTES:
                raise _refuse_long(f"is more than {MAX_BYTES:,} bytes long")
            if time.monotonic() > self._end:
                raise TimeoutError
        return b"".join(parts)


class _Redirects(request.HTTPRedirectHandler):
    max_redirections = _REDIRECTS
    max_repeats = 2

    def redirect_request(
        self, req: request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> request.Request | None:
        if not _is_web(newurl):
            raise _refuse_redirect(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _open_web() -> request.OpenerDirector:
    """Return a way to the web by http and https alone, whatever an answer says: no FTP."""
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


def _refuse_redirect(url: str) -> Refusal:
    return Refusal(
        "import/no-web-address", f"leads to {shorten(url, 60)}, which is no web address", _LOOK
    )


def _refuse_long(message: str) -> Refusal:
    hint = f"allowed are {MAX_BYTES:,}; save it with a browser, and import the file"
    return Refusal("import/too-long", message, hint, {"most": MAX_BYTES})


def _explain(error: Exception | None, address: str) -> Refusal:
    """Return the fault as the end of a sentence that begins with the address."""
    google = "google." in (urlsplit(address).hostname or "")
    match error:
        case Refusal():
            return error
        case HTTPError(code=301 | 302 | 303 | 307 | 308) if not _is_web(str(error.url)):
            # The library has refused the new address, which the error names, before we could.
            return _refuse_redirect(str(error.url))
        case HTTPError(code=301 | 302 | 303 | 307 | 308):
            message = "leads from one address to the next without end"
            return Refusal("import/no-answer", message, _LOOK)
        case HTTPError(code=401 | 403):
            cure = _SIGN_IN if google else "publish it, so that it opens without signing in"
            message = f"may not be read by everybody (the server says {error.code})"
            return Refusal("import/not-public", message, cure, {"status": error.code})
        case HTTPError(code=404 | 410):
            cure = _SIGN_IN if google else "compare it with the one that a browser shows"
            message = f"does not exist (the server says {error.code})"
            return Refusal("import/no-such-page", message, cure, {"status": error.code})
        case HTTPError():
            message = f"cannot be read: the server says {error.code} {error.reason}"
            return Refusal("import/no-answer", message, "try again later", {"status": error.code})
        case URLError(reason=Exception() as reason):
            return _explain_connection(reason)
        case OSError() | HTTPException():
            return _explain_connection(error)
        case _:
            message = f"cannot be read: {shorten(str(error), 100)}"
            return Refusal("import/no-answer", message, _LOOK)


def _is_web(url: str) -> bool:
    return urlsplit(url).scheme.lower() in ("http", "https")


def _explain_connection(reason: Exception) -> Refusal:
    match reason:
        case socket.gaierror():
            cure = "is there a network, and is the address right?"
            return Refusal("import/no-connection", "cannot be found", cure)
        case ssl.SSLError():
            said = getattr(reason, "verify_message", "") or reason.reason or "no secure connection"
            return Refusal("import/no-connection", f"cannot be trusted: {said}", _SAVE)
        case TimeoutError():
            message = f"gave no answer within {SECONDS:.0f} seconds"
            return Refusal("import/no-answer", message, _SAVE)
        case ConnectionRefusedError():
            message = "cannot be reached: no server answers there"
            return Refusal("import/no-connection", message, "is the address right?")
        case OSError(strerror=str() as said):
            message = f"cannot be reached: {said.lower()}"
            return Refusal("import/no-connection", message, "is there a network?")
        case _:
            message = f"cannot be read: {shorten(str(reason), 100) or 'the answer broke off'}"
            return Refusal("import/no-answer", message, _SAVE)


def _unpack(data: bytes) -> bytes:
    """Unpack what a server has packed though it was not asked to."""
    try:
        unpacker = zlib.decompressobj(47)
        unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error:
        raise Refusal("import/no-answer", "gives what cannot be unpacked", _SAVE) from None
    if len(unpacked) > MAX_BYTES:
        raise _refuse_long(f"is more than {MAX_BYTES:,} bytes long when unpacked")
    return unpacked


def choose_table(address: str) -> str:
    """Return the address of a Google sheet as CSV; any other address as it is."""
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
    """Return an address as it is sent: letters beyond ASCII and blanks encoded."""
    parts = urlsplit(address)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    path, query = quote(parts.path, _SAFE), quote(parts.query, _SAFE)
    return urlunsplit((parts.scheme, host, path, query, ""))


def _find_suffix(url: str, headers: Message) -> str:
    """Return the suffix of what comes, as the server, its name, the query or the path tells it."""
    told = _TYPES.get(headers.get_content_type(), "")
    parts = urlsplit(url)
    asked = parse_qs(parts.query)
    names = [headers.get_filename() or "", parts.path]
    suffixes = [name.rpartition(".")[2].lower() for name in names if "." in name]
    suffixes += [value.lower() for key in ("output", "format") for value in asked.get(key, [])]
    return told or next((suffix for suffix in suffixes if is_known(suffix)), "")


def shorten_address(address: str) -> str:
    """Return an address as a report names it: the server and the last step of its path."""
    parts = urlsplit(address)
    steps = [step for step in parts.path.split("/") if step]
    name = "/…/".join([parts.netloc.rpartition("@")[2], *steps[-1:]])
    name = name if len(steps) > 1 else name.replace("/…/", "/")
    gid = parse_qs(parts.query).get("gid")
    return f"{name}?gid={gid[0]}" if gid and gid[0] != "0" else name
