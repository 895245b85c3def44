"""How two files differ, said in a few lines: the objects of a PDF, the pixels of a picture, the
lines of a text.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from pathlib import PurePath
from typing import Any

import pikepdf
import pypdfium2
from PIL import Image, ImageChops

MOST_LINES = 14
MOST_OBJECTS = 8
LONGEST = 180
MOST_PAGES = 40  # that are drawn
_PICTURES = (".png", ".jpg", ".jpeg")
_UNREADABLE = re.compile(r"[^ -~\n]")
# What says where something is, not what it is.
_BACKWARD = {"/Parent", "/P", "/Length", "/Prev", "/Size"}


def describe(name: str, before: bytes, after: bytes) -> list[str]:
    """Say how a file differs; the name tells what kind of file it is."""
    suffix = PurePath(name).suffix.lower()
    try:
        if suffix == ".pdf":
            return list(_compare_pdf(before, after))
        if suffix in _PICTURES:
            return [_compare_pictures(before, after)]
        if zipfile.is_zipfile(io.BytesIO(before)) and zipfile.is_zipfile(io.BytesIO(after)):
            return list(_compare_archives(before, after))
        return compare_texts(before.decode(), after.decode())
    except (ValueError, OSError, pikepdf.PdfError, pypdfium2.PdfiumError, RuntimeError) as error:
        return [f"{len(before):,} → {len(after):,} bytes ({type(error).__name__}: {error})"]


def compare_texts(before: str, after: str) -> list[str]:
    lines = unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
    shown = [_cut(line) for line in islice(lines, 2, None) if not line.startswith("@@")]
    if not shown:
        return ["only the ends of lines differ"]
    rest = len(shown) - MOST_LINES
    return [*shown[:MOST_LINES], *([f"and {rest} lines more"] if rest > 0 else [])]


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _compare_archives(before: bytes, after: bytes) -> Iterator[str]:
    with zipfile.ZipFile(io.BytesIO(before)) as a, zipfile.ZipFile(io.BytesIO(after)) as b:
        if a.namelist() != b.namelist():
            yield from compare_texts("\n".join(a.namelist()), "\n".join(b.namelist()))
        for name in sorted({*a.namelist()} & {*b.namelist()}):
            if a.getinfo(name).date_time != b.getinfo(name).date_time:
                yield f"{name}: {a.getinfo(name).date_time} → {b.getinfo(name).date_time}"
            if a.read(name) != b.read(name):
                yield from (
                    f"{name}: {line}" for line in describe(name, a.read(name), b.read(name))
                )


# Pictures


def _compare_pictures(before: bytes, after: bytes) -> str:
    with Image.open(io.BytesIO(before)) as a, Image.open(io.BytesIO(after)) as b:
        if a.info != b.info and a.size == b.size and not count_pixels(a, b):
            return f"the same pixels; what is said of them: {_cut(f'{a.info} → {b.info}')}"
        return _say_pixels(a, b)


def _say_pixels(before: Image.Image, after: Image.Image) -> str:
    if before.size != after.size:
        return f"{before.size} → {after.size} pixels"
    number = count_pixels(before, after)
    whole = before.width * before.height
    return f"{number:,} of {whole:,} pixels differ" if number else "the same pixels"


def count_pixels(before: Image.Image, after: Image.Image) -> int:
    """Count the pixels that are not equal."""
    bands = ImageChops.difference(before.convert("RGBA"), after.convert("RGBA")).split()
    most = bands[0]
    for band in bands[1:]:
        most = ImageChops.lighter(most, band)
    return before.width * before.height - most.histogram()[0]


# PDF


def _compare_pdf(before: bytes, after: bytes) -> Iterator[str]:
    with pikepdf.open(io.BytesIO(before)) as a, pikepdf.open(io.BytesIO(after)) as b:
        found = list(islice(_walk_files(a, b), MOST_OBJECTS + 1))
    yield from found[:MOST_OBJECTS] or ["the same objects, in another order or packed otherwise"]
    if len(found) > MOST_OBJECTS:
        yield "and more objects"
    yield from _compare_pages(before, after)


def _walk_files(a: pikepdf.Pdf, b: pikepdf.Pdf) -> Iterator[str]:
    seen: set[object] = set()
    if a.pdf_version != b.pdf_version:
        yield f"version: {a.pdf_version} → {b.pdf_version}"
    if len(a.pages) != len(b.pages):
        yield f"pages: {len(a.pages)} → {len(b.pages)}"
    for number, (page, other) in enumerate(zip(a.pages, b.pages, strict=False), 1):
        yield from _walk(f"page {number} ", page.obj, other.obj, seen)
    yield from _walk("", a.trailer, b.trailer, seen)


def _walk(name: str, a: Any, b: Any, seen: set[object]) -> Iterator[str]:
    """Say where two objects differ, and what they lead to."""
    if type(a) is not type(b):
        yield f"{name}: {_cut(repr(a))} → {_cut(repr(b))}"
    elif isinstance(a, pikepdf.Dictionary | pikepdf.Stream):
        if a.is_indirect and b.is_indirect:
            pair = (a.objgen, b.objgen)
            if pair in seen:
                return
            seen.add(pair)
        if isinstance(a, pikepdf.Stream):
            yield from _compare_streams(name, a, b)
        for key in sorted({*a.keys(), *b.keys()} - _BACKWARD):
            if key not in a or key not in b:
                yield f"{name}{key}: only {'before' if key in a else 'after'}"
            else:
                yield from _walk(f"{name}{key}", a[key], b[key], seen)
    elif isinstance(a, pikepdf.Array):
        if len(a) != len(b):
            yield f"{name}: {len(a)} → {len(b)} entries"
        for number, (one, other) in enumerate(zip(list(a), list(b), strict=False)):
            yield from _walk(f"{name}[{number}]", one, other, seen)
    elif a != b:
        yield f"{name}: {_cut(str(a))} → {_cut(str(b))}"


def _compare_streams(name: str, a: Any, b: Any) -> Iterator[str]:
    try:
        before, after = a.read_bytes(), b.read_bytes()
    except pikepdf.PdfError:
        before, after = a.read_raw_bytes(), b.read_raw_bytes()
    if before == after:
        return
    sizes = f"{name} content: {len(before):,} → {len(after):,} bytes"
    if name.endswith("/Contents") or a.get("/Subtype") == "/Form":
        # Glyphs are written as bytes, of which only some can be read.
        texts = [_UNREADABLE.sub("·", data.decode("latin-1")) for data in (before, after)]
        yield f"{sizes}: {_cut(' | '.join(compare_texts(*texts)))}"
    else:
        yield sizes


def _compare_pages(before: bytes, after: bytes) -> Iterator[str]:
    """Draw both and compare them pixel by pixel."""
    documents = [pypdfium2.PdfDocument(data) for data in (before, after)]
    try:
        number = min(*map(len, documents), MOST_PAGES)
        changed = 0
        for index in range(number):
            a, b = (document[index].render(scale=1.5).to_pil() for document in documents)
            said = _say_pixels(a, b)
            if said != "the same pixels":
                changed += 1
                if changed == 1:
                    yield f"page {index + 1}, drawn: {said}"
        yield (
            f"{changed} of {number} pages look different" if changed else "all pages look the same"
        )
    finally:
        for document in documents:
            document.close()
