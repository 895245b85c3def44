"""Files that are no PDF, or a damaged one: a report or a clear error comes out, nothing else."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pikepdf
import pytest
from conftest import Project
from hypothesis import given
from hypothesis import strategies as st
from pikepdf import Array, Dictionary, Name, Pdf
from preflight_files import (
    DATA,
    ORIGINS,
    PRESS_ORIGINS,
    add_content,
    add_resource,
    check,
    list_rules,
    make_form,
    open_good,
    save,
    wants_of,
)
from strategies import examples

from cardgen.core.errors import CardgenError
from cardgen.preflight.check import check_file
from cardgen.preflight.interpreter import OPERATORS
from cardgen.preflight.report import format_json, format_report

FILES = {origin: (DATA / f"{origin}.pdf").read_bytes() for origin in ORIGINS}
PRESS = {origin: save(open_good(origin, "x-4"), "x-4") for origin in PRESS_ORIGINS}


def test_a_file_that_is_not_there(project: Project) -> None:
    ran = project.run("preflight", "none.pdf")
    assert (ran.code, ran.stdout, ran.stderr) == (1, "", "none.pdf: there is no such file\n")


def test_what_is_no_file(project: Project) -> None:
    (project.folder / "folder.pdf").mkdir()
    ran = project.run("preflight", "folder.pdf")
    assert (ran.code, ran.stderr) == (1, "folder.pdf: this is a folder, not a PDF\n")
    os.mkfifo(project.folder / "pipe.pdf")  # nobody writes into it
    for name in ("pipe.pdf", "/dev/zero"):
        ran = project.run("preflight", name)
        assert (ran.code, ran.stderr) == (1, f"{name}: this is not an ordinary file\n")


def test_an_empty_file(project: Project) -> None:
    project.write("empty.pdf", b"")
    ran = project.run("preflight", "empty.pdf")
    assert (ran.code, ran.stderr) == (1, "empty.pdf: the file is empty\n")


def test_a_text(project: Project) -> None:
    project.write("text.pdf", "Dear printer,\n")
    ran = project.run("preflight", "text.pdf", "--json")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.startswith("text.pdf: this is no PDF: it does not begin with %PDF-\n")


def test_a_password_that_is_not_known(project: Project) -> None:
    locked = pikepdf.Encryption(owner="one", user="two", R=4)
    project.write("locked.pdf", save(open_good("ghostscript"), encryption=locked))
    ran = project.run("preflight", "locked.pdf")
    assert ran.code == 1
    assert ran.stderr.startswith(
        "locked.pdf: the file is encrypted, and opens only with a password\n"
    )


def test_a_head_alone(project: Project) -> None:
    project.write("head.pdf", b"%PDF-1.4\n")
    ran = project.run("preflight", "head.pdf")
    assert ran.code == 1
    assert ran.stderr.startswith("head.pdf: the file is damaged")


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_file_that_was_cut_off(origin: str) -> None:
    """qpdf finds its objects again; that it had to is said."""
    try:
        report = check_file(FILES[origin][:-40])
    except CardgenError as error:
        assert "the file is damaged" in str(error)
    else:
        assert ("damaged", "error") in list_rules(report)


def test_content_that_is_none() -> None:
    pdf = open_good("ghostscript")
    add_content(pdf, "(a) (b) cm 1 w")
    report = check(pdf)
    assert list_rules(report) == [("damaged", "error")]
    assert "the operator cm" in report.findings[0].message


def test_a_form_that_paints_itself() -> None:
    pdf = open_good("ghostscript")
    form = make_form(pdf, "/F Do")
    form.Resources = Dictionary(XObject=Dictionary(F=form))
    add_content(pdf, f"{add_resource(pdf, 'XObject', form)} Do")
    assert {finding.rule for finding in check(pdf).findings} <= {"damaged"}


def test_forms_that_double(tmp_path: Path) -> None:
    """Each paints the next one twice: 2 to the power of 40 in all."""
    pdf = open_good("ghostscript")
    form = make_form(pdf, "0 0 9 9 re f")
    for _ in range(40):
        form = make_form(pdf, "/F Do /F Do", Dictionary(XObject=Dictionary(F=form)))
    add_content(pdf, f"{add_resource(pdf, 'XObject', form)} Do")
    path = tmp_path / "deep.pdf"
    path.write_bytes(save(pdf))
    assert check_file(path).pages == 1


STRANGE: dict[str, object] = {
    "/MediaBox": Array([0, 0, 0, 0]),
    "/TrimBox": Array([Name.a, 1, 2, 3]),
    "/BleedBox": 7,
    "/Rotate": 45,
    "/UserUnit": -1,
    "/Contents": 12,
    "/Resources": Array([]),
    "/Annots": 3,
    "/Group": Name.a,
}


@pytest.mark.parametrize("key", STRANGE)
def test_keys_of_a_page_that_are_no_such_thing(key: str) -> None:
    pdf = open_good("ghostscript", "x-4")
    pdf.pages[0].obj[key] = STRANGE[key]
    examine(save(pdf, "x-4"))


def test_pages_that_lead_back_to_themselves() -> None:
    pdf = Pdf.open(DATA / "ghostscript.pdf")
    pdf.pages[0].obj.Parent = pdf.pages[0].obj
    examine(save(pdf))


def examine(data: bytes) -> None:
    """Either a report that can be written, or an error that says something."""
    try:
        report = check_file(data, wants_of("x-4"))
    except CardgenError as error:
        assert str(error).strip()
        return
    assert format_report(report)
    assert format_json(report)


@given(st.sampled_from([*FILES.values(), *PRESS.values()]), st.randoms(use_true_random=False))
@examples(60)
def test_garbled_bytes(data: bytes, chance: random.Random) -> None:
    garbled = bytearray(data)
    for _ in range(chance.choice((1, 3, 30))):
        garbled[chance.randrange(len(garbled))] = chance.randrange(256)
    examine(bytes(garbled))


@given(st.sampled_from([*FILES.values(), *PRESS.values()]), st.floats(0, 1))
@examples(30)
def test_truncated_files(data: bytes, share: float) -> None:
    examine(data[: int(len(data) * share)])


_WORDS = ["1", "-3", "0.5", "/a", "(b)", "[1 2]", "<<>>", "true", "null", "/Im5", "/F1", "999999"]
_OPERATORS = [*OPERATORS, "m", "l", "c", "v", "y", "h", "re", "BI", "ET", "d0", "d1", "BX", "zz"]


@given(st.lists(st.sampled_from(_WORDS + _OPERATORS * 2), max_size=60))
@examples(80)
def test_any_operators(words: list[str]) -> None:
    with open_good("libreoffice") as pdf:
        add_content(pdf, " ".join(words))
        examine(save(pdf))
