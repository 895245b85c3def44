"""Small files that would take all time or memory: preflight ends, and says what it met."""

from __future__ import annotations

import resource
import time
import zlib
from pathlib import Path
from typing import Any

import pytest
from conftest import Project
from pikepdf import Array, Dictionary, Name, Pdf
from preflight_files import (
    PLAIN,
    Put,
    add_content,
    add_picture,
    add_resource,
    check,
    list_rules,
    make_picture,
    open_good,
    save,
)

from cardgen.core.errors import CardgenError
from cardgen.preflight import check as checking
from cardgen.preflight import content, document
from cardgen.preflight.check import check_file, check_strange_file
from cardgen.preflight.functions import read_calculator
from cardgen.preflight.page import PageChecker


def put_packed(pdf: Pdf, content: bytes) -> None:
    stream = pdf.make_stream(b"")
    stream.write(zlib.compress(content, 9), filter=Name.FlateDecode)
    pdf.pages[0].obj.Contents = stream


def put_tile(pdf: Pdf, step: float) -> None:
    tile = pdf.make_stream(
        b"0 0 2 2 re f",
        PatternType=1,
        PaintType=1,
        TilingType=1,
        BBox=Array([0, 0, 4, 4]),
        XStep=step,
        YStep=4,
        Resources=Dictionary(),
    )
    name = add_resource(pdf, "Pattern", tile)
    add_content(pdf, f"/Pattern cs {name} scn 60 60 40 40 re f")


def put_calculator(pdf: Pdf) -> None:
    """2,000 tints, each of which a long program turns into CMYK."""
    program = b"{ dup dup dup " + b"dup mul sqrt " * 600 + b"}"
    function = pdf.make_stream(
        program, FunctionType=4, Domain=Array([0, 1]), Range=Array([0, 1] * 4)
    )
    space = Array([Name.Separation, Name.Black, Name.DeviceCMYK, function])
    name = add_resource(pdf, "ColorSpace", space)
    tints = " ".join(f"{at / 2_000:.4f} scn 60 60 9 9 re f" for at in range(2_000))
    add_content(pdf, f"{name} cs {tints}")


def put_large_picture(pdf: Pdf) -> None:
    picture = make_picture(pdf, 30_000, 30_000, Name.DeviceGray, b"")
    picture.write(zlib.compress(bytes(1000)), filter=Name.FlateDecode)
    add_picture(pdf, picture)


LARGE: dict[str, tuple[Put, str]] = {
    "q Q": (lambda pdf: put_packed(pdf, b"q Q\n" * 600_000), "more than 20,000 operators"),
    "q Q in one line": (
        lambda pdf: put_packed(pdf, b"q Q " * 600_000),
        "more than 20,000 operators",
    ),
    "content": (lambda pdf: put_packed(pdf, b" " * 51_000_000), "more than 50,000,000 bytes"),
    "q": (lambda pdf: put_packed(pdf, b"q\n" * 5_000), "more than 1,000 q without their Q"),
    "tiles": (lambda pdf: put_tile(pdf, 0.00001), "a pattern of more than 1,000,000 tiles"),
    "tiles of no size": (lambda pdf: put_tile(pdf, 0), "a pattern of more than 1,000,000 tiles"),
    "picture": (put_large_picture, "a picture of 30,000 x 30,000 pixels"),
}


@pytest.mark.parametrize(("put", "what"), LARGE.values(), ids=LARGE)
def test_what_is_too_large(put: Put, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "MOST_OPERATORS", 20_000)
    pdf = open_good("ghostscript")
    put(pdf)
    begun, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = check(pdf)
    assert ("too-large", "error") in list_rules(report)
    assert any(what in finding.message for finding in report.findings)
    assert time.process_time() - begun < 5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 400_000


def test_a_calculator_that_is_called_often() -> None:
    pdf = open_good("ghostscript")
    put_calculator(pdf)
    begun = time.process_time()
    assert list_rules(check(pdf)) == []
    assert time.process_time() - begun < 8


def test_numbers_of_a_calculator_stay_small() -> None:
    function = read_calculator(b"{ 9 " + b"dup mul " * 2000 + b"}")
    assert function
    assert function(()) == (float("inf"),)
    function = read_calculator(b"{ 9 9 9 9 exp exp exp }")
    assert function
    with pytest.raises(ArithmeticError):
        function(())
    assert read_calculator(b"{" + b" dup" * 9000 + b"}") is None


def test_a_page_that_is_listed_very_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST_PAGES", 1_000)
    head = b"%PDF-1.4\n"
    objects = [
        b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n",
        b"2 0 obj<</Type/Pages/Count 20000/Kids[" + b"3 0 R " * 20_000 + b"]>>endobj\n",
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n",
    ]
    data = head + b"".join(objects)
    table = b"xref\n0 4\n0000000000 65535 f \n"
    at = len(head)
    for thing in objects:
        table += b"%010d 00000 n \n" % at
        at += len(thing)
    data += table + b"trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % at
    begun = time.process_time()
    with pytest.raises(CardgenError, match="the file has more than 1,000 pages") as caught:
        check_file(data)
    assert caught.value.problems[0].code == "preflight/too-large"
    assert time.process_time() - begun < 5


def test_a_file_of_anybodys_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no bound foresaw ends with the time or the memory that there is."""
    data = save(open_good("ghostscript"))
    assert check_strange_file(data, PLAIN) == check_file(data, PLAIN)
    monkeypatch.setattr(checking, "MAX_SECONDS", 0.2)
    monkeypatch.setattr(checking, "check_claim", lambda *_: sum(range(10**10)))
    with pytest.raises(CardgenError) as caught:
        check_strange_file(data, PLAIN)
    assert caught.value.problems[0].code == "preflight/too-large"
    monkeypatch.setattr(checking, "MAX_SECONDS", 30)
    monkeypatch.setattr(checking, "check_claim", lambda *_: bytes(3_000_000_000))
    with pytest.raises(CardgenError, match="takes more than 1,000,000,000 bytes"):
        check_strange_file(data, PLAIN)


def test_a_page_has_limits_and_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page whose drawing nothing interrupts ends the check, which says which it was."""
    pdf = open_good("ghostscript")
    pdf.pages.append(pdf.pages[0])
    look = PageChecker.check

    def check_slowly(checker: PageChecker, page: document.DocumentPage) -> Any:
        return sum(range(10**10)) if page.number == 2 else look(checker, page)

    monkeypatch.setattr(PageChecker, "check", check_slowly)
    monkeypatch.setattr(checking, "PAGE_SECONDS", 0.2)
    with pytest.raises(CardgenError, match="to check page 2 of this PDF takes more") as caught:
        check_strange_file(save(pdf), PLAIN)
    assert caught.value.problems[0].code == "preflight/too-large"
    monkeypatch.setattr(checking, "MAX_SECONDS", 0.2)
    with pytest.raises(CardgenError, match="to check this PDF takes more"):
        check_strange_file(save(pdf), PLAIN)


def test_the_size_of_a_large_file_is_not_taken_for_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file on the disk is mapped, so a print shop's of 350 MB had no room left to be checked."""
    data = save(open_good("ghostscript")) + bytes(30_000_000)
    path = tmp_path / "large.pdf"
    path.write_bytes(data)
    given: list[int] = []
    monkeypatch.setattr(checking, "work_within", lambda _work, most, *_: given.append(most))
    check_strange_file(path, PLAIN)
    check_strange_file(data, PLAIN)
    assert given == [checking.MAX_MEMORY + 2 * len(data), checking.MAX_MEMORY]


def test_the_command_gives_limits(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    path: Path = project.write("good.pdf", save(open_good("ghostscript")))
    monkeypatch.setattr(checking, "check_claim", lambda *_: bytes(3_000_000_000))
    ran = project.run("preflight", str(path))
    assert ran.code == 1
    assert "to check this PDF takes more than 1,000,000,000 bytes or 60 seconds" in ran.stderr
