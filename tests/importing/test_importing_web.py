"""Importing from addresses: what a published table gives, and what is said of one that gives none.

A server on this machine answers; nothing is asked of the network.
"""

from __future__ import annotations

import gzip
import io
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import urlsplit

import openpyxl
import pytest
from conftest import Project
from test_importing_tables import read_cards

from cardgen.importing.reading import web
from cardgen.importing.reading.web import shorten_address

TABLE = "name,cost,text\nÉmber Blade,10,It glows.\nIron Whistle,15,All dogs halt.\n"
SHEET = "https://docs.google.com/spreadsheets/d"


def make_workbook() -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["name", "cost"], ["Drum", 5]):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


# What each path answers: its headers and its body.
ANSWERS: dict[str, tuple[dict[str, str], bytes]] = {
    "/plain/items.csv": ({"Content-Type": "text/plain"}, TABLE.encode()),
    "/pub": ({"Content-Type": "text/csv; charset=utf-8"}, TABLE.encode()),
    "/latin": ({"Content-Type": "text/csv; charset=iso-8859-1"}, TABLE.encode("latin-1")),
    "/cyrillic": (
        {"Content-Type": "text/csv; charset=windows-1251"},
        "name,cost\nМеч,5\n".encode("cp1251"),
    ),
    "/wrong-charset": ({"Content-Type": "text/csv; charset=iso-8859-1"}, TABLE.encode()),
    "/odd-charset": ({"Content-Type": "text/csv; charset=zlib"}, TABLE.encode()),
    "/tabs": ({"Content-Type": "text/tab-separated-values"}, TABLE.replace(",", "\t").encode()),
    "/download": (
        {
            "Content-Type": "application/octet-stream",
            "Content-Disposition": 'attachment; filename="My items.csv"',
        },
        TABLE.encode(),
    ),
    "/query": ({"Content-Type": "application/octet-stream"}, TABLE.encode()),
    "/book": ({"Content-Type": "application/octet-stream"}, make_workbook()),
    "/json": ({"Content-Type": "application/json"}, b'[{"name": "Drum", "cost": 5}]'),
    "/packed": (
        {"Content-Type": "text/csv", "Content-Encoding": "gzip"},
        gzip.compress(TABLE.encode()),
    ),
    "/page": ({"Content-Type": "text/html"}, b"<!doctype html><title>Sign in</title>"),
    "/hidden-page": ({"Content-Type": "text/csv"}, b"\n <html><title>Sign in</title></html>"),
    "/large": ({"Content-Type": "text/csv", "Content-Length": "30000000"}, b"name\n"),
    "/short": ({"Content-Type": "text/csv", "Content-Length": "300"}, b"name\nDrum\n"),
    "/bomb": (
        {"Content-Type": "text/csv", "Content-Encoding": "gzip"},
        gzip.compress(b" " * 25_000_000),
    ),
    "/text.txt": (
        {"Content-Type": "text/plain"},
        b"SWORD - 10 pts\nCuts.\n\nAXE - 5 pts\nChops.\n",
    ),
    "/sheet.txt": ({"Content-Type": "text/plain"}, b"QUICK SHEET\n\nTURN\n1. Move\n2. Shoot\n"),
}
REDIRECTS = {
    "/moved": "/pub",
    "/loop": "/loop",
    "/file": "file:///etc/passwd",
    "/ftp": "ftp://127.0.0.1/items.csv",
}
STATUSES = {"/401": 401, "/403": 403, "/404": 404, "/500": 500}


class Handler(BaseHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path in REDIRECTS or path.startswith("/deeper/"):
            self.send_response(302)
            self.send_header("Location", REDIRECTS.get(path, f"{path}x"))
            self.end_headers()
        elif path in STATUSES:
            self.send_error(STATUSES[path])
        elif path in ("/drip", "/endless"):
            self.send_response(200)
            self.send_header("Content-Type", "text/csv")
            self.end_headers()
            self.send_slowly() if path == "/drip" else self.send_endlessly()
        elif path == "/drip-head":
            self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Slow: ")
            self.send_slowly()
        else:
            headers, body = ANSWERS[path]
            self.send_response(200)
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)

    def send_slowly(self) -> None:
        """A letter now and again, so that no single wait is long."""
        for _ in range(100):
            try:
                self.wfile.write(b"x")
                self.wfile.flush()
            except OSError:
                return
            time.sleep(0.05)

    def send_endlessly(self) -> None:
        try:
            for _ in range(1000):
                self.wfile.write(b"name,cost\n" * 10_000)
        except OSError:
            return


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("no_proxy", "127.0.0.1,localhost")
        yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.mark.parametrize(
    "path",
    [
        *("/plain/items.csv", "/pub", "/latin", "/wrong-charset", "/odd-charset", "/tabs"),
        *("/download", "/query?output=csv", "/query?format=csv&gid=0", "/moved", "/packed"),
    ],
)
def test_a_published_table(project: Project, site: str, path: str) -> None:
    ran = project.run("import", f"{site}{path}", "-o", "decks/my-items.yaml")
    assert (ran.code, ran.stderr) == (0, "")
    text = (project.folder / "decks/my-items.yaml").read_text("utf-8")
    assert text.startswith("title: My items\n")
    cards = read_cards(project, "decks/my-items.yaml")
    assert [card["name"] for card in cards] == ["Émber Blade", "Iron Whistle"]
    project.build("my-items")


def test_other_kinds_of_files(project: Project, site: str) -> None:
    for path, name in (("/book", "Drum"), ("/json", "Drum"), ("/text.txt", "Sword")):
        ran = project.run("import", f"{site}{path}", "-o", "mine.yaml", "--force")
        assert (ran.code, ran.stderr) == (0, "")
        assert read_cards(project, "mine.yaml")[0]["name"] == name
    ran = project.run("import", f"{site}/cyrillic", "-o", "mine.yaml", "--force")
    assert read_cards(project, "mine.yaml")[0]["name"] == "Меч"


def test_an_address_and_a_file_make_one_deck(project: Project, site: str) -> None:
    project.write("more.csv", "name,cost\nDrum,5\n")
    ran = project.run("import", f"{site}/pub?gid=7&token=secret", "more.csv", "-o", "mine.yaml")
    assert ran.code == 0
    host = site.removeprefix("http://")
    assert f"{host}/pub?gid=7:2, 95% sure" in ran.stdout
    assert "more.csv:2, 95% sure" in ran.stdout
    assert "secret" not in ran.stdout


@pytest.mark.parametrize(
    ("path", "said", "hint"),
    [
        ("/page", "is a web page, not a table", "take the address of the file itself"),
        ("/hidden-page", "is a web page, not a table", "take the address of the file"),
        ("/401", "may not be read by everybody (the server says 401)", "publish it"),
        ("/403", "may not be read by everybody (the server says 403)", "publish it"),
        ("/404", "does not exist (the server says 404)", "compare it"),
        ("/500", "cannot be read: the server says 500", "try again later"),
        ("/loop", "leads from one address to the next without end", "see whether"),
        ("/deeper/", "leads from one address to the next without end", "see whether"),
        ("/file", "leads to file:///etc/passwd, which is no web address", "see whether"),
        ("/ftp", "leads to ftp://127.0.0.1/items.csv, which is no web", "see whether"),
        ("/large", "is 30,000,000 bytes long", "allowed are 20,000,000; save it"),
        ("/endless", "is more than 20,000,000 bytes long", "allowed are 20,000,000; save it"),
        ("/bomb", "is more than 20,000,000 bytes long when unpacked", "allowed are"),
        ("/short", "broke off before its end", "try again"),
    ],
)
def test_what_is_not_published(
    project: Project, site: str, path: str, said: str, hint: str
) -> None:
    assert_refused(project, f"{site}{path}", said, hint)


def assert_refused(project: Project, address: str, said: str, hint: str) -> None:
    ran = project.run("import", address, "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert ran.stderr.startswith(f"{address} {said}")
    assert f"\n  hint: {hint}" in ran.stderr
    assert ran.stderr.count("\n") == 2
    assert project.list_files() == []


@pytest.mark.parametrize("path", ["/drip", "/drip-head"])
def test_the_time_holds_for_the_whole(
    project: Project, site: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "SECONDS", 0.4)
    began = time.monotonic()
    assert_refused(project, f"{site}{path}", "gave no whole answer within 0 seconds", "save it")
    assert time.monotonic() - began < 2


def test_a_server_that_does_not_answer(
    project: Project, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert site  # no proxy stands between
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/items.csv"
        assert_refused(project, address, "cannot be reached: no server answers there", "is the")
        silent.listen()
        monkeypatch.setattr(web, "SECONDS", 0.3)
        assert_refused(project, address, "gave no", "save it")


def test_no_network(project: Project, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert site

    def find_nothing(*_: object, **__: object) -> object:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", find_nothing)
    address = f"{SHEET}/e/2PACX-abc/pub?output=csv"
    monkeypatch.setenv("no_proxy", "*")
    assert_refused(project, address, "cannot be found", "is there a network, and is the address")


def test_a_server_that_is_not_to_be_trusted(project: Project, site: str) -> None:
    address = site.replace("http:", "https:") + "/pub"
    assert_refused(project, address, "cannot be trusted: ", "save it with a browser")


@pytest.mark.parametrize("address", ["ftp://host/items.csv", "file:///etc/passwd"])
def test_no_other_addresses(project: Project, address: str) -> None:
    ran = project.run("import", address, "-o", "decks/mine.yaml")
    assert ran.stderr.startswith(f'"{address}" is no web address\n  hint: an address begins with')


@pytest.mark.parametrize("address", ["https://", "http://[", "http://a b/c", "https://ex\u0080.de"])
def test_what_is_no_address(project: Project, address: str) -> None:
    ran = project.run("import", address, "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert ran.stderr.count("hint:") == 1


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        (f"{SHEET}/1AbC/edit?usp=sharing#gid=5", f"{SHEET}/1AbC/export?format=csv&gid=5"),
        (f"{SHEET}/1AbC/edit", f"{SHEET}/1AbC/export?format=csv"),
        (f"{SHEET}/1AbC/", f"{SHEET}/1AbC/export?format=csv"),
        (f"{SHEET}/e/2PACX-x/pubhtml", f"{SHEET}/e/2PACX-x/pub?output=csv"),
        (
            f"{SHEET}/e/2PACX-x/pubhtml?gid=3&single=true",
            f"{SHEET}/e/2PACX-x/pub?output=csv&gid=3&single=true",
        ),
        (f"{SHEET}/e/2PACX-x/pub?output=tsv", f"{SHEET}/e/2PACX-x/pub?output=tsv"),
        (f"{SHEET}/1AbC/export?format=xlsx", f"{SHEET}/1AbC/export?format=xlsx"),
        ("https://example.org/spreadsheets/d/1/edit", "https://example.org/spreadsheets/d/1/edit"),
    ],
)
def test_the_page_of_a_google_sheet_stands_for_its_table(address: str, asked: str) -> None:
    assert web.choose_table(address) == asked


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        (f"{SHEET}/e/2PACX-1vQ/pub?output=csv", "docs.google.com/…/pub"),
        (f"{SHEET}/e/2PACX-1vQ/pub?output=csv&gid=12", "docs.google.com/…/pub?gid=12"),
        ("https://me:word@example.org/items.csv?key=1", "example.org/items.csv"),
        ("https://example.org", "example.org"),
    ],
)
def test_an_address_as_a_report_names_it(address: str, shown: str) -> None:
    assert shorten_address(address) == shown


def test_a_google_sheet_that_is_not_published(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Opener:
        def open(self, *_: object, **__: object) -> object:
            raise HTTPError("", 401, "Unauthorized", None, None)  # type: ignore[arg-type]

    monkeypatch.setattr(web, "_open_web", Opener)
    ran = project.run("import", f"{SHEET}/1AbC/edit#gid=0", "-o", "mine.yaml")
    assert "may not be read by everybody (the server says 401)" in ran.stderr
    assert "hint: in Google Sheets choose File > Share > Publish to web, as CSV" in ran.stderr


def test_an_address_makes_a_play_sheet(project: Project, site: str) -> None:
    ran = project.run("import", f"{site}/sheet.txt", "-o", "decks/sheet.md")
    assert (ran.code, ran.stderr) == (0, "")
    assert "# Turn" in (project.folder / "decks/sheet.md").read_text()
    ran = project.run("import", f"{site}/pub", "-o", "decks/other.md")
    assert "/pub: a table holds cards, and no play sheet" in ran.stderr
