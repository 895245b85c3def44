"""Importing what is broken, hostile or far too long: a clear error, soon, and in little memory.

Each file is made here, and most are read by the command in a process of its own, which is measured.
"""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from time import process_time

import pytest
from conftest import Project, find_program
from PIL import Image

from cardgen.core.errors import CardgenError
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.pdf import make_sign
from cardgen.importing.reading.text import read_text_blocks
from cardgen.importing.tables.ods import read_ods_rows
from cardgen.importing.tables.rows import Row, SheetRows, fill_merged, name_rows

SECONDS = 10  # of the processor
MEGABYTES = 500
MILLION = 1_000_000

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHEET = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
# A small page whose cells go through a thousand rows.
SPANNED = b"<table><tr>%s</tr>%s</table>" % (
    b"<td rowspan=1000>%s</td>" % (b"x" * 900) * 600,
    b"<tr></tr>" * 1000,
)
ROWS = (
    '<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>'
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Drum</t></is></c></row>'
)


def zip_parts(parts: Mapping[str, Iterable[bytes]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, contents in parts.items():
            with archive.open(name, "w", force_zip64=True) as part:
                for content in contents:
                    part.write(content)
    return file.getvalue()


def make_word(*body: bytes, head: str = "") -> bytes:
    start = f"{head}<w:document {WORD}><w:body>".encode()
    return zip_parts({"word/document.xml": [start, *body, b"</w:body></w:document>"]})


def make_book(*rows: bytes, texts: Iterable[bytes] = ()) -> bytes:
    book = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>'
    link = f'<Relationship Id="r1" Type="{RELATION}/worksheet" Target="worksheets/sheet1.xml"/>'
    start = f'<worksheet {SHEET}><dimension ref="A1:XFD1048576"/><sheetData>'.encode()
    shared = {"xl/sharedStrings.xml": texts} if texts else {}
    return zip_parts(
        {
            "xl/workbook.xml": [f'<workbook {SHEET} xmlns:r="{RELATION}">{book}'.encode()],
            "xl/_rels/workbook.xml.rels": [f"<Relationships>{link}</Relationships>".encode()],
            **shared,
            "xl/worksheets/sheet1.xml": [start, *rows, b"</sheetData></worksheet>"],
        }
    )


def make_ods(*rows: bytes) -> bytes:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    start = f'<office:document-content {spaces}><table:table table:name="D">'.encode()
    return zip_parts({"content.xml": [start, *rows, b"</table:table></office:document-content>"]})


def make_empty_rows(first: bytes = b"") -> bytes:
    """A million rows that have a format, as spreadsheets write them, and nothing else."""
    cells = "".join(f'<c r="{letter}{{0}}" s="1"/>' for letter in "ABC")
    row = f'<row r="{{0}}" spans="1:3" ht="15">{cells}</row>'
    few = "".join(row.format(number) for number in range(3, 15_000)).encode()
    many = row.format(20_000).encode() * 10_000
    return make_book(first, few, *[many] * 98)


def make_scan() -> bytes:
    """200 pages, each a picture of the size of a page."""
    noise, file = random.Random(1), io.BytesIO()
    Image.frombytes("L", (40, 60), noise.randbytes(2400)).resize((1240, 1754)).save(file, "JPEG")
    picture = file.getvalue()
    kids = " ".join(f"{3 * n + 3} 0 R" for n in range(200))
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Count 200/Kids[{kids}]>>".encode()]
    for first in range(3, 603, 3):
        page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R"
        page += "/Resources<</XObject<</P {} 0 R>>>>>>"
        look = "/Type/XObject/Subtype/Image/Width 1240/Height 1754/BitsPerComponent 8"
        objects += [
            page.format(first + 1, first + 2).encode(),
            write_stream(b"595 0 0 842 0 0 cm /P Do"),
            write_stream(picture, f"{look}/ColorSpace/DeviceGray/Filter/DCTDecode"),
        ]
    return write_objects(objects)


def write_stream(content: bytes, keys: str = "") -> bytes:
    return f"<</Length {len(content)}{keys}>>stream\n".encode() + content + b"\nendstream"


def write_objects(objects: Iterable[bytes]) -> bytes:
    """A PDF without a table of places, as after damage."""
    body = b"".join(b"%d 0 obj%s\nendobj\n" % (n, o) for n, o in enumerate(objects, 1))
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R/Size 1000>>\nstartxref\n0\n%%EOF"


def make_pdf(content: bytes, kids: str = "[3 0 R]/Count 1") -> bytes:
    return write_objects(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids{kids}>>".encode(),
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>",
            write_stream(zlib.compress(content, 1), "/Filter/FlateDecode"),
        ]
    )


def make_laughs() -> bytes:
    entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(10))
    head = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "lol">{entities}]>'
    return make_word(b"<w:p><w:r><w:t>&k;</w:t></w:r></w:p>", head=head)


REPEATED = (
    b'<table:table-row table:number-rows-repeated="1048576"><table:table-cell'
    b' table:number-columns-repeated="%d" office:value-type="string"><text:p>boom</text:p>'
    b"</table:table-cell></table:table-row>"
)
JUNK = random.Random(1).randbytes(MILLION)
ZEROS = bytes(MILLION)

# The command, which has loaded all that an import needs and forks for each; so small that what it
# has counts for little, for Linux counts it as memory of what is forked.
SERVE = """
import json, os, pkgutil, signal, sys
from importlib import import_module
import cardgen.importing
from cardgen.cli.app import main

for found in pkgutil.walk_packages(cardgen.importing.__path__, "cardgen.importing."):
    import_module(found.name)
sys.modules["__main__"].__file__ = sys.argv[1]
for line in sys.stdin:
    folder, said, *arguments = json.loads(line)
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a clock that cardgen leaves alone
        os.chdir(folder)
        file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        main(arguments, prog_name="cardgen")
    _, status, used = os.wait4(child, 0)
    code, seconds = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
    print(code, seconds, used.ru_maxrss, flush=True)
"""

# The name of a file, how it is made, and what is said of it.
BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "scan.pdf": (make_scan, "this PDF holds pictures of text, and no text"),
    "bomb.pdf": (lambda: make_pdf(b"q " * 30 * MILLION), "to read this PDF takes more than"),
    "hole.pdf": (lambda: make_pdf(b"", "[9 0 R]/Count 1"), "this is no PDF that can be read"),
    "loop.pdf": (lambda: make_pdf(b"", "[2 0 R 3 0 R]/Count 5000"), "this PDF has 5,000 pages"),
    "bomb.docx": (lambda: make_word(*[ZEROS] * 100), "is longer than 50,000,000 bytes"),
    "tags.docx": (lambda: make_word(*[b"<w:p/>" * 10_000] * 300), "has more than 1,000,000 tags"),
    "laughs.docx": (make_laughs, "this is no Word document that can be read"),
    "rows.xlsx": (make_empty_rows, "there is no card in this file"),
    "texts.xlsx": (
        lambda: make_book(ROWS.encode(), texts=[b"<sst><si><t>", *[b" " * MILLION] * 60]),
        "this workbook is longer than 20,000,000 bytes when unpacked",
    ),
    "cells.xlsx": (
        lambda: make_book(*[b"<row><c><v>1</v></c><c><v>2</v></c></row>" * 1000] * 21),
        "this sheet has more than 20,000 rows that are filled",
    ),
    "wide.ods": (lambda: make_ods(REPEATED % 16384), "this sheet has more than 1,000 columns"),
    "deep.ods": (lambda: make_ods(REPEATED % 900), "this sheet has more than 500,000 cells"),
    "bomb.ods": (lambda: make_ods(*[b" " * MILLION] * 40), "longer than 20,000,000 bytes"),
    "long.txt": (lambda: b"SWORD 10 pts\n" * 4 * MILLION, "this text is 52,000,000 bytes long"),
    "line.txt": (lambda: b"word, " * 2 * MILLION, "this line is 12,000,000 letters long"),
    "lines.txt": (lambda: b"short line\n" * 200_000, "this text has more than 20,000 lines"),
    "rows.csv": (lambda: b"name\n" + b"A,\n" * 100_000, "this table has more than 20,000 rows"),
    "many.json": (
        lambda: b"[" + b'{"name":"A"},' * 100_000 + b"{}]",
        "this file has 100,001 cards; allowed are 10,000",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """What a run said, how many seconds of the processor it took, and the most memory it had."""

    code: int
    said: str
    seconds: float
    megabytes: float


Measure = Callable[..., Measured]


@pytest.mark.parametrize("name", BAD)
def test_a_clear_error_soon(project: Project, run_measured: Measure, name: str) -> None:
    make, said = BAD[name]
    project.write(name, make())
    ran = run_measured(project, "import", name, "-o", "decks/mine.yaml")
    assert (ran.code, ran.said.count("\n")) == (1, 2)
    assert ran.said.startswith(name)
    assert said in ran.said
    assert "\n  hint: " in ran.said
    assert ran.seconds < SECONDS
    assert ran.megabytes < MEGABYTES
    assert project.list_files() == [name]


@pytest.fixture(scope="module")
def run_measured() -> Iterator[Measure]:
    """Runs the command in a process of its own."""
    command = [sys.executable, "-c", SERVE, find_program()]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, bufsize=1) as server:
        assert server.stdin is not None and server.stdout is not None
        asked, answered = server.stdin, server.stdout

        def run(project: Project, *arguments: str) -> Measured:
            said = project.folder.with_name("said")
            asked.write(json.dumps([str(project.folder), str(said), *arguments]) + "\n")
            code, seconds, memory = map(float, answered.readline().split())
            # Linux counts in kilobytes, the Mac in bytes.
            megabytes = memory / (1024 if sys.platform == "linux" else 1 << 20)
            return Measured(int(code), said.read_text("utf-8"), seconds, megabytes)

        yield run
        asked.close()


def test_the_memory_is_measured(project: Project, run_measured: Measure) -> None:
    little = run_measured(project, "--version").megabytes
    project.write("long.txt", b"x" * 90 * MILLION)
    much = run_measured(project, "import", "long.txt", "-o", "mine.yaml").megabytes
    assert much > little + 80


def test_a_million_empty_rows_below_the_cards(project: Project, run_measured: Measure) -> None:
    project.write("rows.xlsx", make_empty_rows(ROWS.encode()))
    ran = run_measured(project, "import", "rows.xlsx", "-o", "decks/mine.yaml")
    assert ran.seconds < SECONDS
    assert ran.megabytes < MEGABYTES
    assert (ran.code, ran.said.splitlines()[-1]) == (0, "decks/mine.yaml: 1 design, 1 card")


def test_cards_below_many_empty_rows(project: Project) -> None:
    empty = b"".join(b'<row r="%d"/>' % number for number in range(3, 30_000))
    last = b'<row r="90000"><c r="A90000" t="inlineStr"><is><t>Horn</t></is></c></row>'
    project.write("rows.xlsx", make_book(ROWS.encode(), empty, last))
    ran = project.run("import", "rows.xlsx", "-o", "decks/mine.yaml")
    assert "rows.xlsx:90000" in ran.stdout


@pytest.mark.parametrize(
    "suffix", ["txt", "md", "docx", "pdf", "csv", "tsv", "xlsx", "ods", "json"]
)
@pytest.mark.parametrize("content", [b"", JUNK], ids=["empty", "junk"])
def test_empty_files_and_junk(project: Project, suffix: str, content: bytes) -> None:
    name = f"file.{suffix}"
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.startswith(name)
    assert "\n  hint: " in ran.stderr
    assert project.list_files() == [name]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.rtf", b"", "this is a rich text (RTF), which cannot be read\n  hint: save it as .docx"),
        ("a.txt", rb"{\rtf1 Sword}", "this is a rich text (RTF), which cannot be read"),
        ("a.doc", b"", "this is an old Word document (.doc), which cannot be read"),
        ("a.docx", b"\xd0\xcf\x11\xe0", "this is an old file of Word or Excel, or an encrypted"),
        ("a.xls", b"", "this is an old workbook (.xls), which cannot be read\n  hint: save it as"),
        ("a.odt", b"", "this is an OpenDocument text (.odt), which cannot be read"),
        ("a.html", b"", "this page holds no text"),
        ("a.txt", b"\n<!DOCTYPE html><p>", "this page holds no text"),
        ("a.html", b"<div>" * 50_000 + b"Sword", "this page is nested too deeply"),
        ("a.html", b"<b>" * 500_000, "this page has more than 400,000 tags"),
        ("a.html", b"<p>Sword</p>" * 30_000, "this text has 20,001 lines; allowed are 20,000"),
        ("a.html", SPANNED, "a.html:1: cells of this page that go through several rows fill more"),
        ("a.html", b"<p>" + b"Sword " * 50_000, "this line is 299,999 letters long"),
        ("a.epub", b"", "this is an e-book (.epub), which cannot be read"),
        ("a.png", b"", "this is a picture, which cannot be read\n  hint: run a text recogniser"),
        ("a", b"\x89PNG\r\n", "this is a picture, which cannot be read"),
        ("a.zip", b"", "this is an archive, which cannot be read\n  hint: unpack it"),
        ("a", JUNK, "this is no text that can be read"),
        ("a.docx", b"PK\x03\x04" + JUNK, "this is no Word document that can be read"),
        ("a.xlsx", b"PK\x03\x04" + JUNK, "this is not a workbook that can be read"),
        ("a.json", b"9" * 5000, "a number in this JSON is too long"),
        ("a.json", b'{"a":' * 50_000, "this JSON is nested too deeply"),
        ("a.txt", b"\n" * 300_000, "this text has more than 200,000 lines"),
    ],
)
def test_what_is_not_read(project: Project, name: str, content: bytes, said: str) -> None:
    project.write(name, content)
    ran = project.run("import", name, "-o", "decks/mine.yaml")
    assert ran.code == 1
    assert said in ran.stderr
    assert "\n  hint: " in ran.stderr


def test_files_are_known_by_how_they_begin(project: Project) -> None:
    project.write("table.csv", make_book(ROWS.encode()))
    assert "table.csv:2" in project.run("import", "table.csv", "-o", "a.yaml").stdout
    project.write("cards", b'[{"name": "Drum"}]')
    assert "cards:1" in project.run("import", "cards", "-o", "b.yaml").stdout


def test_what_is_no_file(project: Project) -> None:
    project.write("items.csv", "name\nDrum\n")
    (project.folder / "folder").mkdir()
    project.write("notes/a.md", "# A")
    os.mkfifo(project.folder / "pipe")
    for name, said in (
        ("folder", '"folder" is a folder\n  hint: name the files in it'),
        ("notes", '"notes" is a folder\n  hint: name the files in it, as in notes/*.md'),
        ("pipe", '"pipe" is not an ordinary file\n  hint: save what it gives'),
        ("item.csv", 'there is no file "item.csv"\n  hint: did you mean "items.csv"?'),
        ("none/x.csv", 'there is no file "none/x.csv"\n  hint: look at its name and folder'),
        ("a\0b", "cannot be read"),
    ):
        ran = project.run("import", name, "-o", "mine.yaml")
        assert (ran.code, said in ran.stderr) == (1, True), ran.stderr


def test_a_file_that_may_not_be_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.write("items.csv", "name\nDrum\n")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    ran = project.run("import", "items.csv", "-o", "mine.yaml")
    assert ran.stderr.startswith('"items.csv" cannot be read: Permission denied\n  hint: ')


def write_cells(*texts: str, attributes: str = "") -> str:
    return "".join(
        f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"
        for text in texts
    )


def write_rows(*rows: str, attributes: str = "") -> str:
    return "".join(f"<table:table-row {attributes}>{row}</table:table-row>" for row in rows)


def read_ods(rows: str) -> SheetRows:
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("content.xml", f"<table:table {spaces}>{rows}</table:table>")
    return read_ods_rows(file.getvalue(), "items.ods", None)


HEAD = write_rows(write_cells("Name", "Text"))
LONG = write_rows(write_cells("A", "b" * 30_000), attributes='table:number-rows-repeated="900"')
BEGUN = write_rows(write_cells(*["A"] * 900, attributes='table:number-rows-spanned="9999"'))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (LONG, "items.ods:668: this sheet has more than 20,000,000 letters"),
        (
            BEGUN + write_rows(*[write_cells("A")] * 600),
            "this sheet has more than 500,000 cells that merged ones fill",
        ),
        (
            write_rows(write_cells("A", "b" * 200_001)),
            "items.ods:2: a cell of this row is 200,001 characters long; allowed are 200,000",
        ),
    ],
)
def test_a_sheet_that_is_little_to_write_and_much_to_read(rows: str, said: str) -> None:
    with pytest.raises(CardgenError) as caught:
        name_rows(read_ods(HEAD + rows).rows, "items.ods", ())
    assert said in str(caught.value)


def test_rows_of_one_number_are_all_read() -> None:
    rows = [Row(1, ["Name"]), Row(2, ["A"]), Row(2, ["B"])]
    assert fill_merged(rows, [], "items.xlsx") == rows


def test_merged_cells_in_thousands_and_empty_ones_in_millions_take_no_time() -> None:
    """Each ends where the next begins; what goes through all of them would take minutes."""
    empty = '<table:table-cell table:number-columns-repeated="1048576"/>'
    spanned = 'table:number-rows-spanned="9999"'
    rows = [f"{write_cells(f'A{n}', 'x', attributes=spanned)}{empty}" for n in range(5_000)]
    start = process_time()
    found = read_ods(HEAD + write_rows(*rows)).rows
    assert (len(found), found[-1].cells) == (5_001, ("A4999", "x"))
    assert process_time() - start < 3


def test_a_code_that_is_no_letter_ends_no_reading_of_a_pdf() -> None:
    codes = (2, 65, 0xFB01, 0xD800, 0x10FFFF, 0x110000, 0xE0E0E063)
    assert [make_sign(code) for code in codes] == ["-", "A", "fi", *"\ufffd\U0010ffff\ufffd\ufffd"]


def test_boxes_within_titles_of_boxes() -> None:
    page = (
        "<article><h3>Who Wound the Gramophone?</article><article><h2> They thank you and go on in"
        " the direction they came from. Take their sledge.<li><article><article><h3>Inventory"
    )
    blocks = read_html_blocks(page, "a.html", 100)
    assert next(block.text for block in blocks if block.text) == "Who Wound the Gramophone?"


def test_a_row_that_is_wider_than_its_header() -> None:
    rows = [f"| {name} | | | It rings at night. |" for name in ("Tin", "Salt", "Ash", "Bell")]
    head = ("| Item | Picture | No. | Effect |", "|---|---|---|---|")
    table = "\n".join([*head, *rows, "| Dust | | | | | It is wide. |"])
    cards = recognise(read_text_blocks(f"# Wares\n\n{table}\n", "a.md")).cards
    assert [card.name for card in cards][:4] == ["Tin", "Salt", "Ash", "Bell"]
