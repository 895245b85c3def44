"""A PDF written as its pages come: sound for readers, small in memory, the same whoever drew it."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from hashlib import blake2b
from io import BytesIO, RawIOBase
from typing import Any, cast

import pikepdf
import pytest

from cardgen.core.colour import BLACK
from cardgen.core.geometry import Rect, Size
from cardgen.layout.face import Stroke
from cardgen.output.content import format_stroke
from cardgen.output.notation import format_figures
from cardgen.output.packing import compress
from cardgen.output.pdf import DrawnPage, make_pdf, write_pdf
from cardgen.output.pdfx import Head
from cardgen.output.resources import Form, Resources

HEAD = Head("Streamed", "", "en", "cardgen", "none")
SIZE = Size(200, 300)
BOX = Rect(0, 0, *SIZE)


def make_page(number: int, *forms: Form, label: str | None = None, content: int = -1) -> DrawnPage:
    told = b"%d 0 m" % (number if content < 0 else content)
    return DrawnPage(
        compress(told),
        blake2b(told, digest_size=16).digest(),
        forms,
        SIZE,
        BOX,
        BOX,
        ((f"Card {number}", 10.0, 20.0),),
        ("",),
        label,
    )


def read(data: bytes) -> pikepdf.Pdf:
    pdf = pikepdf.open(BytesIO(data))
    assert pdf.check_pdf_syntax() == []
    return pdf


@pytest.mark.parametrize("count", [1, 64, 65, 4096, 4097])
def test_pages_and_bookmarks_stand_in_order(count: int) -> None:
    pdf = read(make_pdf(HEAD, map(make_page, range(count)), Resources()))
    assert [page.Contents.read_bytes() for page in pdf.pages] == [
        b"%d 0 m" % number for number in range(count)
    ]
    with pdf.open_outline() as outline:
        assert [entry.title for entry in outline.root] == [f"Card {n}" for n in range(count)]
    assert pdf.Root.Outlines.Count == count


def test_the_tree_of_pages_is_balanced() -> None:
    pdf = read(make_pdf(HEAD, map(make_page, range(5000)), Resources()))

    def measure(node: Any) -> Iterator[int]:
        assert node.Count >= len(node.Kids) <= 64
        for kid in node.Kids:
            assert kid.Parent.objgen == node.objgen
            if kid.Type == pikepdf.Name.Page:
                yield 1
            else:
                yield from (depth + 1 for depth in measure(kid))

    assert set(measure(pdf.Root.Pages)) == {3}


def test_each_page_has_its_label() -> None:
    pages = (make_page(number, label=f"Label {number}") for number in range(130))
    pdf = read(make_pdf(HEAD, pages, Resources()))
    tree = pikepdf.NumberTree(pdf.Root.PageLabels)
    assert [str(label.P) for _, label in sorted(tree.items())] == [
        f"Label {number}" for number in range(130)
    ]


def test_a_form_comes_before_its_page_and_once() -> None:
    form = Form("X1", compress(b"0 0 m"), BOX)
    data = make_pdf(HEAD, (make_page(number, form) for number in range(3)), Resources())
    pdf = read(data)
    assert data.count(b"/Subtype/Form") == 1
    assert pdf.pages[2].Resources.XObject.X1.read_bytes() == b"0 0 m"
    assert pdf.pages[2].Resources.XObject.X1.objgen[0] < pdf.pages[0].objgen[0]


def test_equal_pages_share_their_content() -> None:
    pages = (make_page(number, content=number % 2) for number in range(10))
    pdf = read(make_pdf(HEAD, pages, Resources()))
    assert len({page.Contents.objgen for page in pdf.pages}) == 2
    assert [page.Contents.read_bytes() for page in pdf.pages] == [b"0 0 m", b"1 0 m"] * 5


def test_files_of_other_pages_have_another_identifier() -> None:
    def identify(count: int) -> bytes:
        pages = (make_page(number, content=0) for number in range(count))
        return bytes(read(make_pdf(HEAD, pages, Resources())).trailer.ID[0])

    assert identify(3) == identify(3) != identify(4)


class Nowhere(RawIOBase):
    """A file of which nothing is kept."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        return len(data)


def test_memory_does_not_grow_with_content() -> None:
    """5,000 pages of 2 kB each are 10 MB; kept are their numbers and places."""

    def give() -> Iterator[DrawnPage]:
        for number in range(5000):
            page = make_page(number)
            yield page._replace(content=page.content + bytes(2000), bookmarks=())

    tracemalloc.start()
    try:
        write_pdf(HEAD, give(), Resources(), cast(Any, Nowhere()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1_500_000


def test_no_number_has_an_exponent() -> None:
    """A matrix of several turns has numbers that are nought but for the last of their digits."""
    assert format_figures(7, 0.5, -1.421085e-14, 1.25e-5, 12345678.0) == b"0.5 0 0.0000125 12345678"


@pytest.mark.parametrize(("dash", "told"), [((0.0001,), b"[]"), ((0.0, 2.0), b"[0 2]")])
def test_dashes_too_fine_to_be_seen_are_a_line(dash: tuple[float, ...], told: bytes) -> None:
    assert b" w %b 0 d" % told in format_stroke(Stroke(BLACK, 1, dash))
