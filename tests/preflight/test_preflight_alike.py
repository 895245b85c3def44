"""What many pages share is judged once: the report is the same, and memory does not grow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf
from preflight_files import (
    ORIGINS,
    PLAIN,
    add_content,
    add_resource,
    add_text,
    find_text,
    make_form,
    open_good,
    save,
    wants_of,
)

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Box
from cardgen.core.units import MM
from cardgen.core.workers import start_worker
from cardgen.preflight import check, content, document, rendering
from cardgen.preflight.check import check_file
from cardgen.preflight.content import ContentReader
from cardgen.preflight.document import open_document
from cardgen.preflight.fonts import Font
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.labels import PlaceLabels
from cardgen.preflight.marks import Group, list_layers
from cardgen.preflight.page import PageChecker
from cardgen.preflight.rendering import RenderedPage, open_renderer
from cardgen.preflight.report import format_json
from cardgen.preflight.source import Source
from cardgen.preflight.walker import Walker


def repeat(pdf: Pdf, times: int) -> None:
    for _ in range(times - 1):
        pdf.pages.append(pdf.pages[0])


def make_faulty() -> bytes:
    """Pages of which some are alike, and some have faults of their own."""
    pdf = open_good("ghostscript")
    repeat(pdf, 17)
    for index in (2, 3, 9, 16):
        add_content(pdf, "1 1 1 1 k 60 60 40 40 re f", index)
    for index in (5, 11):
        add_content(pdf, "0.1 w 60 60 m 90 90 l S", index)
        add_content(pdf, "0 0 0 1 k -3 40 30 30 re f", index)
    add_content(pdf, "1 2 cm", 13)
    pdf.pages[14].obj.TrimBox = Array([3, 3, 90, 150])
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS="1")
    return save(pdf)


def test_the_report_is_the_same_however_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    data = make_faulty()
    reports = []
    for parts in (1, 2, 3, 17):
        monkeypatch.setattr(check, "count_parts", lambda *_, parts=parts: parts)
        reports.append(format_json(check_file(data, PLAIN)))
    for code in ("total-ink", "damaged", "scripts"):
        assert f'"{code}"' in reports[0]
    assert reports[1:] == reports[:1] * 3


def test_the_objects_of_a_press_are_read_beside_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a process of their own; in a file that must be mended they are read again."""
    pdf = open_good("ghostscript", "x-4")
    repeat(pdf, 4)
    pdf.Root.Strange = pdf.make_indirect(Dictionary(S=Name.JavaScript, JS="1"))
    data, wants = save(pdf, "x-4"), wants_of("x-4")
    started: list[object] = []

    def start(work: Any) -> Any:
        started.append(work)
        return start_worker(work)

    monkeypatch.setattr(check, "start_worker", start)
    monkeypatch.setattr(check, "count_parts", lambda *_: 2)
    report = format_json(check_file(data, wants))
    assert '"scripts"' in report and len(started) == 1
    monkeypatch.setattr(check, "_LARGE", len(data))
    assert format_json(check_file(data, wants)) == report and len(started) == 3
    monkeypatch.setattr(document, "_find_plain", lambda *_: None)
    assert format_json(check_file(data, wants)) == report
    monkeypatch.setattr(check, "check_objects", lambda *_: iter(()))
    assert format_json(check_file(data, wants)) != report


def test_a_look_in_the_middle_says_nothing_of_one_at_the_edge() -> None:
    """What is known of a look well within the card is not said of it elsewhere."""
    pdf = open_good("ghostscript")
    repeat(pdf, 4)
    middle = "40 60"
    for index, place in enumerate((middle, f"{1 * MM} 30", middle, f"{1 * MM} 50")):
        font, text = find_text(pdf)
        show = f"0 0 0 1 k BT {font} 6 Tf {place} Td <{text.hex()}> Tj ET"
        add_content(pdf, show, index)
    (finding,) = check_file(save(pdf), PLAIN).findings
    assert finding.rule == "safe-area"
    assert finding.pages == (2, 4)


def test_a_file_is_opened_anew_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read of pages is let go, by qpdf and by pdfium, and the report is the same."""
    opened: list[bool] = []
    seen: list[int] = []
    open_pdf, give = Source.open_pdf, Source.give_to_pdfium

    def count(source: Source, *, flatten: bool = False) -> Pdf:
        opened.append(flatten)
        return open_pdf(source, flatten=flatten)

    def count_given(source: Source) -> Any:
        seen.append(len(opened))
        return give(source)

    monkeypatch.setattr(Source, "open_pdf", count)
    monkeypatch.setattr(Source, "give_to_pdfium", count_given)
    data = make_faulty()
    report = format_json(check_file(data, PLAIN))
    # For itself and its tree, for all its objects and its labels, and for its pages one by one.
    assert opened == [False] * 5 and len(seen) == 1
    opened.clear()
    seen.clear()
    monkeypatch.setattr(document, "_MOST_READ", 5)
    monkeypatch.setattr(rendering, "_MOST_LOADED", 2)
    assert format_json(check_file(data, PLAIN)) == report
    assert len(opened) == 11 and not any(opened)
    assert len(seen) == 3
    # A file whose tree must be mended stays open as it is.
    monkeypatch.setattr(document, "_find_plain", lambda *_: None)
    opened.clear()
    assert format_json(check_file(data, PLAIN)) == report
    assert opened == [False, True, True, True]


@pytest.mark.parametrize("harm", ["kind", "parent", "loop", "key", "size"])
def test_a_tree_of_pages_is_left_to_qpdf_where_it_is_odd(harm: str, tmp_path: Path) -> None:
    pdf = open_good("ghostscript")
    repeat(pdf, 3)
    page, top = pdf.pages[1].obj, pdf.Root.Pages
    with open_document(save(pdf)) as opened:
        assert opened.is_plain and len(opened.pages) == 3
    if harm == "kind":
        top.Type = Name.Page
    elif harm == "parent":
        page.Parent = pdf.make_indirect(Dictionary(Rotate=90))
    elif harm == "loop":
        top.Kids.append(page)
    elif harm == "key":
        top.Strange = 1
    else:
        del page.MediaBox
    path = tmp_path / "odd.pdf"
    pdf.save(path)
    with open_document(path) as opened:
        assert not opened.is_plain
        assert len(opened.pages) == (4 if harm == "loop" else 3)


def test_a_process_that_is_lost_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(_checker: PageChecker, page: Any) -> Iterator[Any]:
        if page.number > 1:
            raise SystemExit(3)
        yield from ()

    monkeypatch.setattr(check, "count_parts", lambda *_: 2)
    monkeypatch.setattr(PageChecker, "check", lose)
    pdf = open_good("ghostscript")
    repeat(pdf, 2)
    with pytest.raises(CardgenError, match="ended early"):
        check_file(save(pdf), PLAIN)


def test_pages_that_are_alike_are_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = []
    walk = Walker.walk_page

    def count(walker: Walker, page: Any, resources: Any) -> Group:
        walked.append(page)
        return walk(walker, page, resources)

    monkeypatch.setattr(Walker, "walk_page", count)
    pdf = open_good("ghostscript")
    add_content(pdf, "1 1 1 1 k 60 60 40 40 re f")
    repeat(pdf, 12)
    add_content(pdf, "0 0 0 1 k 60 60 40 40 re f", 4)
    (finding,) = check_file(save(pdf), PLAIN).findings
    assert finding.pages == tuple(range(1, 13))
    assert len(walked) == 2


def test_judgements_that_are_kept_have_a_bound() -> None:
    pdf = open_good("ghostscript")
    repeat(pdf, 30)
    for index in range(30):
        add_content(pdf, f"1 1 1 1 k 60 60 40 {index + 10} re f", index)
    with open_document(save(pdf)) as opened, open_renderer(opened) as renderer:
        checker = PageChecker(PLAIN, PlaceLabels(), renderer)
        checker.judged = Keeper(20)
        for page in opened.pages:
            assert list(checker.check(page))
            assert checker.judged.weight <= 20
    assert checker.judged.weight > 10


def test_what_is_kept_has_a_bound() -> None:
    kept: Keeper[int, int] = Keeper(30)
    for at in range(40):
        kept.keep(at, at, 1 + at % 3)
        assert kept.find(0) == 0  # what is asked for stays
        assert kept.weight <= 30
    assert kept.weight > 10
    assert kept.find(1) is None and [kept.find(at) for at in range(36, 40)] == [36, 37, 38, 39]
    assert kept.keep(99, 7, 31) == 7
    assert kept.find(99) is None
    before = kept.weight
    kept.keep(39, 9, 5)  # it weighed 1
    assert kept.find(39) == 9 and kept.weight == before + 4
    assert kept.keep(98, 8, 30) == 8 == kept.find(98) and kept.weight == 30


def test_a_walker_keeps_no_more_than_there_is_room_for() -> None:
    pdf = Pdf.new()
    forms = {f"/F{n}": make_form(pdf, f"{n} 0 20 20 re f 0 {n} 9 9 re f") for n in range(40)}
    for at in range(20):
        page = pdf.add_blank_page(page_size=(200, 200)).obj
        shown = {name: forms[name] for name in ("/F0", f"/F{at}", f"/F{at + 20}")}
        page.Resources = Dictionary(XObject=Dictionary(shown))
        page.Contents = pdf.make_stream(f"/F0 Do /F{at} Do /F{at + 20} Do".encode())
    small = Walker(groups=Keeper(12), streams=Keeper(6))
    large = Walker()
    for sheet in pdf.pages:
        boxes = [
            [layer.boxes for layer in list_layers(walker.walk_page(sheet.obj, sheet.obj.Resources))]
            for walker in (small, large)
        ]
        assert boxes[0] == boxes[1] and len(boxes[0]) == 3
        assert small.groups.weight <= 12 and small.streams.weight <= 6
    assert large.groups.weight > 12 and large.streams.weight > 6


BLOCKS = (
    "q 1 0 0 1 9 9 cm /F0 Do 0 0 20 20 re f Q",
    "0 0 9 9 re",
    "q 0 0 m 9 9 l 9 0 l Q\nf",
    "q 0 0 30 30 re W n",
    "q 2 0 0 2 5 5 cm 0 0 20 20 re S q 0.5 g 1 1 3 3 re f Q /F1 Do Q",
    "Q",
    "1 0 0 rg 3 w",
    "/Half gs",
    "q /None Do 1 2 cm Q",
)


@pytest.mark.parametrize("ordered", [False, True])
def test_a_block_paints_the_same_whether_it_is_known_or_not(ordered: bool) -> None:
    """Lines that come again, in states that differ, on pages that share their resources."""
    pdf = Pdf.new()
    forms = {f"/F{n}": make_form(pdf, f"{n} 0 20 20 re f {n} 9 9 9 re S") for n in range(2)}
    half = Dictionary(Half=Dictionary(ca=0.5))
    shared = pdf.make_indirect(Dictionary(XObject=Dictionary(forms), ExtGState=half))
    rng = Random(7)
    for _ in range(40):
        page = pdf.add_blank_page(page_size=(200, 200)).obj
        page.Resources = shared
        page.Contents = pdf.make_stream("\n".join(rng.choices(BLOCKS, k=12)).encode())
    small = Walker(ordered=ordered, effects=Keeper(9))
    large = Walker(ordered=ordered)
    plain = Walker(ordered=ordered, content=SlowReader())
    for sheet in pdf.pages:
        one, other, third = (
            describe(walker.walk_page(sheet.obj, shared)) for walker in (small, large, plain)
        )
        assert one == other == third
        assert small.effects.weight <= 9
    assert large.effects.weight > 9


class SlowReader(ContentReader):
    """Leaves all to pikepdf."""

    def parse(self, _data: bytes) -> None:
        return None


def describe(group: Group) -> Any:
    """All that a group tells, in its order."""
    parts = [(p.matrix, p.clip, p.spread, describe(p.group)) for p in group.parts]
    return list(group.marks.items()), parts, group.unread, group.covers, group.order


def test_parts_that_are_kept_have_a_bound() -> None:
    pdf = open_good("ghostscript")
    repeat(pdf, 30)
    name = add_resource(pdf, "XObject", make_form(pdf, "1 1 1 1 k 0 0 40 40 re f"))
    for index in range(30):
        add_content(pdf, f"q 1 0 0 1 {index} 60 cm {name} Do Q\nq {name} Do Q", index)
    with open_document(save(pdf)) as opened:
        reports = []
        for most in (6, 0, 1000):
            checker = PageChecker(PLAIN, PlaceLabels(), None)
            checker.most_parts = most
            reports.append([list(checker.check(page)) for page in opened.pages])
            assert checker.parts.weight <= most
        assert reports[0] == reports[1] == reports[2] and all(reports[0])
        assert checker.parts.weight > 30


def test_lines_that_are_kept_have_a_bound() -> None:
    reader = ContentReader()
    reader.lines = Keeper(200)
    for at in range(100):
        assert reader.parse(b"%d 0 m\n(text) Tj\n1 g" % at)
        assert reader.lines.weight <= 200
    assert reader.lines.weight > 100


# Pages that are painted all over


def walk(text: str, **resources: Any) -> Group:
    pdf = Pdf.new()
    form = Dictionary(Rim=make_form(pdf, "-9 -9 400 400 re f"))
    hidden = make_form(pdf, "0 g 0 0 400 400 re f")
    hidden.OC = pdf.make_indirect(Dictionary(Type=Name.OCG))
    form.Hidden = hidden
    mask = Dictionary(SMask=Dictionary())
    states = Dictionary(Thin=Dictionary(ca=0.5), Mixed=Dictionary(BM=Name.Multiply), Mask=mask)
    page = pdf.add_blank_page(page_size=(200, 200)).obj
    page.Contents = pdf.make_stream(text.encode())
    page.Resources = Dictionary(XObject=form, ExtGState=states, **resources)
    return Walker().walk_page(page, page.Resources)


@pytest.mark.parametrize(
    "text",
    [
        "-9 -9 400 400 re f",
        "1 0 0 rg -9 -9 m 400 -9 l 400 400 l -9 400 l h f",
        "0 g -9 -9 m -9 400 l 400 400 l 400 -9 l -9 -9 l h B",
        "q -30 -30 500 500 re W n 0 1 -1 0 250 0 cm -50 -50 400 400 re f Q",
        "q 2 0 0 2 0 0 cm q 1 0 0 1 -12 -12 cm 0 0 300 300 re f* Q Q",
        "q 40 40 m 90 90 l 40 90 l h W n Q -20 -20 400 400 re f",
    ],
)
def test_a_page_is_known_to_be_painted_all_over(text: str) -> None:
    covers = walk(text).covers
    assert any(box.contains(Box(0, 0, 190, 190), 0) for box in covers)


@pytest.mark.parametrize(
    "text",
    [
        "/Thin gs -9 -9 400 400 re f",
        "/Mixed gs -9 -9 400 400 re f",
        "/Mask gs -9 -9 400 400 re f",
        "0 0 400 400 re S",
        "0 0 400 400 re n",
        "0 0 400 400 re 9 9 20 20 re f*",
        "0 0 m 400 0 l 400 400 l h f",
        "0 0 m 400 0 l 0 400 l 400 400 l h f",
        "0 0 m 400 9 l 400 400 l 0 400 l h f",
        "0 0 m 400 0 l 400 400 l 0 390 l h f",
        "0.9 0.1 -0.1 0.9 0 0 cm -99 -99 800 800 re f",
        "40 40 m 90 90 l 40 90 l h W n -9 -9 400 400 re f",
        "BT 7 Tr /None 9 Tf (a) Tj ET -9 -9 400 400 re f",
        "/OC /Layer BDC -9 -9 400 400 re f EMC",
        "BI /W 1 /H 1 /CS /G /BPC 8 ID x EI -9 -9 400 400 re f",
        "/Pattern cs /None scn -9 -9 400 400 re f",
        "/Unknown cs 1 scn -9 -9 400 400 re f",
        "/Hidden Do",
        "0.9 0.1 -0.1 0.9 0 0 cm 3 0 0 3 -99 -99 cm /Rim Do",
    ],
)
def test_it_is_not_taken_for_painted_all_over(text: str) -> None:
    assert walk(text).covers == []


def test_a_form_that_is_placed_paints_within_its_box() -> None:
    assert walk("1 0 0 1 5 6 cm /Rim Do").covers == [Box(5, 6, 205, 206)]
    assert walk("q 0 0 50 60 re W n /Rim Do Q").covers == [Box(0, 0, 50, 60)]
    many = " ".join(f"0 0 {size} {size} re f" for size in range(1, 60))
    assert sorted(box.x1 for box in walk(many).covers) == [56, 57, 58, 59]


@pytest.mark.parametrize("origin", ORIGINS)
def test_edges_are_the_same_without_a_look(origin: str) -> None:
    """Of a page that is painted all over nothing is drawn, and the edges are those of a look."""
    pdf = open_good(origin)
    add_content(pdf, "0 g -30 -30 400 500 re f")
    with open_document(save(pdf)) as file, open_renderer(file) as renderer:
        (page,) = file.pages
        covers = Walker().walk_page(page.thing, page.resources).covers
        for bleed in (3 * MM, 1 * MM, 9 * MM):
            with renderer.open_page(page) as opened:  # type: ignore[union-attr]
                seen = opened.find_edges(bleed, bleed, ())
            with renderer.open_page(page) as opened:  # type: ignore[union-attr]
                assert opened.find_edges(bleed, bleed, covers) == seen
                assert opened._opened is None
            assert seen.touched


def test_a_page_is_loaded_once_and_only_where_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[int] = []
    load = RenderedPage._load

    def count(page: RenderedPage) -> Any:
        if page._opened is None:
            loaded.append(page._page.number)
        return load(page)

    monkeypatch.setattr(RenderedPage, "_load", count)
    wants = replace(PLAIN, bleed_x=3 * MM, bleed_y=3 * MM, safe=3 * MM)
    pdf = open_good("ghostscript")
    repeat(pdf, 4)
    add_content(pdf, "0 0 0 0.1 k -30 -30 400 500 re f", 1)
    add_content(pdf, "0 0 0 0.1 k -30 -30 400 500 re f", 2)
    add_text(pdf, 9, 1, 1)
    pdf.pages[3].obj.Contents = pdf.make_stream(b"0 g 9 9 m 140 9 l 9 140 l f")
    rules = [finding.rule for finding in check_file(save(pdf), wants).findings]
    assert "safe-area" in rules and "bleed-painted" in rules
    assert loaded == [1, 4]


# Content


CONTENTS = (
    "q 1 0 0 1 -0 .5 cm\n0 0 1.250 -3 re f Q",
    "BT /F1 9.5 Tf\n(a\\)b\\\\c\\101\\n\\(d) Tj ET",
    "BT /F1 9 Tf [(a) -20 <4142> 3.5(\\(\n)]TJ (x)' 1 2 (y)\" ET",
    "/Span <</ActualText <FEFF0041>>> BDC (a) Tj EMC",
    "/Cs1 cs 0.5 scn /P.1-a scn [1 2] 0 d\n[] 0 d /GS gs /X Do",
    "(a\nb\n1 g\nc) Tj\n0 g",
    "0 0 m 1 1 l\n2 2 3\n3 4 4 c h W* n",
    "BT 7 Ts\n1.5 -0 Td[(a\\)b\\101)-20(c)(d).5]TJ\n[-0(\\\\)]TJ\n3 4 Td[]TJ\nET",
    "q 1 0 0 1 2 3 cm/X Do Q\nq q 0 0 1 1 re f Q Q\nq 1 w Q 2 w\nq 3 w\nQ",
    "BT\n1 g\n[(a]TJ\n1 0 Td)]TJ\n1 0 Td[(c)]TJ\n(d\n2 g) Tj\n[(e)]TJ\n0 g\n1 g\n[(f)]TJ\nET",
    "[(a)]TJ\n\n0 g (b\nc) Tj\n[(d)]TJ\n(e\n[f]TJ\ng) Tj",
)
OTHERS = (
    "q % a comment\nQ",
    "1 0 0 rg BI /W 1 /H 1 /CS /G /BPC 8 ID x EI 1 g",
    "/A#20B gs",
    "(a(b)c) Tj",
    "1 2 3 cm 0 g",
    "1 0 0 1 0 0 cm foo",
    "true g",
    "<4> Tj",
    "1e5 w 12abc 3 g",
    "0 0 m 1",
    "[(a)1-2(b)]TJ",
    "[(a)1_2(b)]TJ",
    "[(a)nan(b)]TJ",
    "[(a)-(b)]TJ",
    "1 2 3 Td[(a)]TJ",
    "1 2 TD[(a(b))]TJ",
)


def read_both(text: str) -> tuple[Any, Any]:
    pdf = Pdf.new()
    stream = pdf.make_stream(text.encode("latin-1"))
    plain = ContentReader().parse(text.encode("latin-1"))
    own = [content._unpack(item) for item in pikepdf.parse_content_stream(stream)]
    return plain and [inner for item in plain for inner in unfold(item)], own


def unfold(instruction: content.Instruction) -> Sequence[content.Instruction]:
    name, operands = instruction
    return operands[0].instructions if name == content.BLOCK else [instruction]


def level(value: Any) -> Any:
    """Numbers as floats, with their sign; nothing else changed."""
    if isinstance(value, content.Words):
        value = value.list_items()
    if isinstance(value, list | tuple | Array):
        return [level(item) for item in value]
    if isinstance(value, str | bytes) or value is None:
        return value
    if isinstance(value, pikepdf.Object):
        return None
    return str(float(value))


@pytest.mark.parametrize("text", CONTENTS)
def test_plain_content_is_read_as_pikepdf_reads_it(text: str) -> None:
    plain, own = read_both(text)
    assert plain is not None
    assert [name for name, _ in plain] == [name for name, _ in own]
    assert [level(given) for _, given in plain] == [level(given) for _, given in own]


def test_what_stands_between_lines_of_text_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []
    parse = content._parse

    def note(data: bytes) -> Any:
        read.append(data)
        return parse(data)

    monkeypatch.setattr(content, "_parse", note)
    reader = ContentReader()
    first = reader.parse(b"1 g\n/F1 9 Tf\n[(a)]TJ\n2 g\n3 g\n[(b)]TJ\n")
    assert first is not None and read == [b"1 g", b"/F1 9 Tf", b"2 g", b"3 g"]
    monkeypatch.setattr(reader, "_read_lines", None)  # nothing is read line by line again
    again = reader.parse(b"2 g\n3 g\n[(b)]TJ\n1 g\n/F1 9 Tf\n[(a)]TJ\n1 g\n/F1 9 Tf")
    assert again == [*first[3:], *first[:3], *first[:2]]


def test_a_code_of_two_bytes_that_is_torn_is_no_part_of_the_next() -> None:
    font = Font("F", "CIDFontType0", embedded=True, wide=True, widths={0x4142: 0.5, 0x41: 2.0})
    assert font.measure_all([b"AB", b"AB"])[:3] == (1.0, 2, 0)
    torn = [b"A", b"BAB"]  # A, then BA and B, which have the usual width
    assert font.measure_all(torn)[:2] == (2.0 + 0.5 + 0.5, 3)
    assert font.measure_all(torn).width == sum(font.measure(text).width for text in torn)


@pytest.mark.parametrize("text", OTHERS)
def test_other_content_is_left_to_pikepdf(text: str) -> None:
    assert ContentReader().parse(text.encode()) is None


@pytest.mark.parametrize("origin", ORIGINS)
def test_reports_are_the_same_whoever_reads_the_content(
    origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf = open_good(origin)
    add_content(pdf, "1 1 1 1 k 60 60 40 40 re f 0.1 w 60 60 m 90 90 l S")
    add_text(pdf, 2, 20, 20)
    add_resource(pdf, "XObject", make_form(pdf, "0 0 9 9 re f"))
    file = BytesIO(save(pdf)).getvalue()
    before = format_json(check_file(file, PLAIN))
    monkeypatch.setattr(ContentReader, "parse", lambda *_: None)
    assert format_json(check_file(file, PLAIN)) == before
