"""The finished file as readers, printers and print shops see it: words, boxes, fonts, colours,
bookmarks, and by pixels that a back lies behind its front.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

import pytest
from conftest import Project, drop_slug, run_program
from PIL import Image, ImageChops, ImageDraw, ImageOps
from pixels import narrow
from pypdf import PdfReader
from pypdf.generic import DictionaryObject
from pypdfium2 import PdfDocument

from cardgen.build.selection import Selection
from cardgen.core.library import HOME
from cardgen.pages.impose import Sides

MM = 72 / 25.4
FRONT = '<text x="5mm" right="5mm" y="8mm">{{ card.name }}</text>'
BACK = '<text x="5mm" right="5mm" y="8mm">Behind {{ card.name }}</text>'
POKER = 'size="poker" bleed="3mm"'
A_PAGE = 9  # poker cards on a page of either target
PAPERS = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}

Pixel = tuple[int, int, int]


def open_strictly(path: Path) -> PdfReader:
    return PdfReader(path, strict=True)


def read_words(path: Path) -> list[list[str]]:
    """The words of each page, in no order; two readers must agree on them."""
    pages = [sorted(drop_slug(page.extract_text()).split()) for page in open_strictly(path).pages]
    other = [
        sorted(drop_slug(page.get_textpage().get_text_range()).split())
        for page in PdfDocument(path)
    ]
    assert pages == other
    return pages


def read_text(path: Path) -> list[str]:
    """The text of the first page: as two readers see it, its lines joined to one."""
    first = drop_slug(open_strictly(path).pages[0].extract_text())
    other = drop_slug(PdfDocument(path)[0].get_textpage().get_text_range())
    return [" ".join(text.split()) for text in (first, other)]


def name_cards(count: int) -> list[str]:
    return [f"Item{number:03}" for number in range(1, count + 1)]


def write_items(project: Project, count: int, *, back: bool = True, head: str = "") -> None:
    """A deck of so many designs, each a card."""
    project.write_template(FRONT, "plain", POKER)
    project.write_template(BACK, "behind", POKER)
    named = "back: behind\n" if back else ""
    cards = "".join(f"  - name: {name}\n" for name in name_cards(count))
    project.write_deck(cards, head=f"template: plain\n{named}{head}")


def part(names: Sequence[str], size: int = A_PAGE) -> list[list[str]]:
    return [list(names[at : at + size]) for at in range(0, len(names), size)]


def add_word(names: Sequence[str], word: str = "Behind") -> list[str]:
    return sorted([*names, *[word] * len(names)])


# Pages and their words


@pytest.mark.parametrize("target", PAPERS)
@pytest.mark.parametrize("count", [1, 5, 9, 10, 27])
def test_each_word_is_on_its_page(project: Project, target: str, count: int) -> None:
    write_items(project, count)
    built = project.build(target=target)
    sheets = part(name_cards(count))
    assert (built.cards, built.designs, built.pages) == (count, count, 2 * len(sheets))
    expected = [side for names in sheets for side in (names, add_word(names))]
    assert read_words(built.path) == expected


@pytest.mark.parametrize("target", PAPERS)
@pytest.mark.parametrize("sides", ["fronts", "backs"])
def test_one_side_alone(project: Project, target: str, sides: Sides) -> None:
    write_items(project, 10)
    built = project.build(target=target, sides=sides)
    sheets = part(name_cards(10))
    expected = sheets if sides == "fronts" else [add_word(names) for names in sheets]
    assert built.pages == 2
    assert read_words(built.path) == expected


def test_only_some_cards(project: Project) -> None:
    write_items(project, 40)
    built = project.build(selection=Selection("item01*"))
    assert (built.cards, built.pages) == (10, 4)
    sheets = part([f"Item01{digit}" for digit in range(10)])
    assert read_words(built.path)[::2] == sheets


def test_copies_stand_side_by_side(project: Project) -> None:
    project.write_template(FRONT, "plain", POKER)
    project.write_deck("  - {name: Sword, count: 7}\n  - {name: Bow, count: 3}\n")
    built = project.build()
    assert (built.cards, built.designs, built.pages) == (10, 2, 2)
    assert read_words(built.path) == [["Bow"] * 2 + ["Sword"] * 7, ["Bow"]]


def test_a_sheet_without_backs_has_an_empty_back_page(project: Project) -> None:
    write_items(project, 1, back=False)
    cards = "".join(f"  - name: {name}\n" for name in name_cards(9))
    project.write_deck(cards + "  - {name: Item010, back: behind}\n  - name: Item011\n")
    built = project.build()
    assert built.pages == 4
    assert read_words(built.path) == [
        name_cards(9),
        [],
        ["Item010", "Item011"],
        ["Behind", "Item010"],
    ]


def test_a_play_sheet_fills_its_page(project: Project) -> None:
    project.write_template(
        '<flow x="10mm" y="10mm" right="10mm" bottom="10mm" columns="2">{{ card.text }}</flow>',
        "sheet",
        'size="page"',
    )
    project.write("decks/rules.md", "# Orders\n\n- Charge\n- Rally\n\nThen *fight*.\n")
    for target, paper in PAPERS.items():
        built = project.build("rules", target=target)
        page = open_strictly(built.path).pages[0]
        assert [float(edge) for edge in page.trimbox] == pytest.approx([0, 0, *paper], abs=0.01)
        assert page.mediabox == page.trimbox == page.bleedbox
        assert read_text(built.path) == ["Orders • Charge • Rally Then fight."] * 2
        assert [mark.title for mark in list_bookmarks(open_strictly(built.path))] == ["Orders"]


# Boxes


class Boxes(NamedTuple):
    """Left, bottom, right and top of each, in points."""

    media: list[float]
    bleed: list[float]
    trim: list[float]


def read_boxes(path: Path) -> list[Boxes]:
    return [
        Boxes(*([float(edge) for edge in box] for box in (p.mediabox, p.bleedbox, p.trimbox)))
        for p in open_strictly(path).pages
    ]


@pytest.mark.parametrize(("target", "bleed"), [("a4", (3, 3)), ("letter", (3, 1))])
@pytest.mark.parametrize("count", [1, 9])
def test_the_boxes_are_those_of_the_full_sheet(
    project: Project, target: str, bleed: tuple[float, float], count: int
) -> None:
    write_items(project, count)
    built = project.build(target=target)
    width, height = PAPERS[target]
    across, down = 3 * 63.5 * MM / 2, 3 * 88.9 * MM / 2
    x, y = width / 2, height / 2
    trim = [x - across, y - down, x + across, y + down]
    boxes = read_boxes(built.path)
    assert len(boxes) == 2
    # The backs show all that their template has.
    for (media_box, bleed_box, trim_box), shown in zip(boxes, (bleed, (3, 3)), strict=True):
        outer = [trim[0] - shown[0] * MM, trim[1] - shown[1] * MM]
        outer += [trim[2] + shown[0] * MM, trim[3] + shown[1] * MM]
        assert media_box == pytest.approx([0, 0, width, height], abs=0.01)
        assert bleed_box == pytest.approx(outer, abs=0.01)
        assert trim_box == pytest.approx(trim, abs=0.01)


@pytest.mark.parametrize("target", PAPERS)
@pytest.mark.parametrize("size", ["bridge", "tarot", "square", "120mm x 60mm", "a6"])
def test_boxes_lie_within_each_other(project: Project, target: str, size: str) -> None:
    project.write_template(FRONT, "plain", f'size="{size}" bleed="5mm"')
    project.write_deck()
    for media, bleed, trim in read_boxes(project.build(target=target).path):
        assert all(a <= b for a, b in zip(media[:2], bleed[:2], strict=True))
        assert all(a <= b for a, b in zip(bleed[:2], trim[:2], strict=True))
        assert all(a >= b for a, b in zip(media[2:], bleed[2:], strict=True))
        assert all(a >= b for a, b in zip(bleed[2:], trim[2:], strict=True))


# Fonts


def walk(root: Any) -> Iterator[Any]:
    """Every dictionary of a file, streams among them."""
    waiting, seen = [root], set()
    while waiting:
        item = waiting.pop().get_object()
        if id(item) in seen or not isinstance(item, dict | list):
            continue
        seen.add(id(item))
        if isinstance(item, DictionaryObject):
            yield item
        inner = item.values() if isinstance(item, dict) else item
        waiting += [value for value in inner if hasattr(value, "get_object")]


def list_objects(path: Path, kind: str) -> list[Any]:
    objects = walk(open_strictly(path).trailer["/Root"])
    return [found for found in objects if kind in (found.get("/Type"), found.get("/Subtype"))]


def test_all_fonts_are_embedded(project: Project) -> None:
    project.write_template(
        '<text font="Cinzel">{{ card.name }}</text>'
        '<text y="9mm">plain **bold** *italic* ***both***</text>'
        '<text y="18mm" weight="light">light</text>'
    )
    project.write_deck()
    path = project.build().path
    fonts = list_objects(path, "/Type0")
    names = sorted(str(font["/BaseFont"]) for font in fonts)
    assert sorted(re.sub(r"^/[A-Z]{6}\+", "", name) for name in names) == [
        "AlegreyaSans-Bold",
        "AlegreyaSans-BoldItalic",
        "AlegreyaSans-Italic",
        "AlegreyaSans-Light",
        "AlegreyaSans-Regular",
        "Cinzel-Regular",
    ]
    for font in fonts:
        (inner,) = font["/DescendantFonts"]
        descriptor = inner.get_object()["/FontDescriptor"]
        files = {"/FontFile", "/FontFile2", "/FontFile3"} & descriptor.keys()
        assert len(files) == 1
        assert len(descriptor[files.pop()].get_data()) > 500
        assert b"beginbfchar" in font["/ToUnicode"].get_data()
        assert descriptor["/FontName"] == inner.get_object()["/BaseFont"] == font["/BaseFont"]
    kinds = {str(font["/Subtype"]) for font in list_objects(path, "/Font")}
    assert kinds <= {"/Type0", "/CIDFontType0", "/CIDFontType2"}


# Words that are not simply letters


@pytest.mark.parametrize(
    ("element", "text", "shown"),
    [
        ("<text>", "office, afflict, final, fjord, Thorn", ""),
        ('<text features="dlig, smcp">', "Standing office, act of The final", ""),
        ('<text features="onum, smcp">', "12 of 345 men", ""),
        ('<text tracking="0.2">', "wide words, and more", ""),
        ('<text tracking="-0.03">', "narrow words, and more", ""),
        ('<text width="24mm" align="justify">', "these words fill every line of the box", ""),
        ("<text>", "cafe\u0301 n\u0303andu, Épée, Straße, Übel", ""),
        ("<text>", "−5, ½, “quoted” – and — … ×, 100 %", ""),
        ("<text>", r"(a) \\ [x] {y} <7> & 100% #1", r"(a) \ [x] {y} <7> & 100% #1"),
        (
            "<text>",
            "the **quick** *brown* ***fox*** jum**ps** over",
            "the quick brown fox jumps over",
        ),
        ('<text font="Cinzel">', "AVAST Lava, Wot", ""),
        ('<text font="Cinzel, Alegreya Sans">', "the αβγ of Ωmega, Straße, fiΩd", ""),
        ('<text font="Cinzel, Alegreya Sans" weight="black">', "Ω and bold", ""),
        ('<text width="14mm">', "well-known and rough-and-tumble, 4-5 re-roll", ""),
        ("<text>", "5\u00a0cm of rope", "5 cm of rope"),
        ('<text size="5.5pt">', "small words at a small size", ""),
    ],
)
def test_words_are_read_as_the_card_has_them(
    project: Project, element: str, text: str, shown: str
) -> None:
    project.write_template(f"{element}{{{{ card.text }}}}</text>")
    project.write("decks/deck.csv", f'name,template,text\nSword,plain,"{text}"\n')
    for seen in read_text(project.build().path):
        # A reader that joins lines takes a hyphen at a line's end for its own.
        whole = normalize("NFC", seen.replace("- ", "-").replace("\ufffe", "-"))
        assert whole == normalize("NFC", shown or text)


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ('width="20mm"', "the incomprehens\u00adibilities of donau\u00addampf\u00adschiff"),
        ('width="20mm" hyphenate="true"', "incomprehensibilities of considerable representation"),
        ('width="24mm" hyphenate="true" align="justify"', "considerable representation of magic"),
    ],
)
def test_a_word_broken_by_a_hyphen_is_one_word(
    project: Project, attributes: str, text: str
) -> None:
    project.write_template(f"<text {attributes}>{{{{ card.text }}}}</text>")
    project.write("decks/deck.csv", f"name,template,text\nSword,plain,{text}\n")
    path = project.build().path
    whole = text.replace("\u00ad", "")
    first, other = read_text(path)
    breaks = first.count("- ")
    assert breaks, "no word was broken"
    assert first.replace("- ", "") == whole
    assert other.replace("\ufffe", "") == whole
    # To a reader that heeds it, the hyphen is no text of the card.
    assert read_streams(path).count(b"<</ActualText<FEFF00AD>>>BDC") == breaks


def test_a_hyphen_of_the_cards_own_is_text(project: Project) -> None:
    project.write_template('<text width="14mm">well-known</text>')
    project.write_deck()
    path = project.build().path
    assert read_text(path)[0] == "well- known"
    assert b"ActualText" not in read_streams(path)


def test_a_glyph_with_another_meaning_says_what_it_means(project: Project) -> None:
    """A fraction's slash is the bar of a fraction to a reader that heeds no ActualText."""
    project.write_template('<text features="frac">1/2 of it</text>')
    project.write_deck()
    assert read_text(project.build().path) == ["1⁄2 of it", "1/2 of it"]


def test_letters_that_stand_apart_are_told_as_words(project: Project) -> None:
    """A reader that goes by the gaps between letters would take the words to pieces."""
    styles = '<style name="wide" tracking="0.08"/><style name="usual" tracking="0.04"/>'
    texts = '<text style="wide">WE ARE</text><text style="usual" y="20mm">ONE</text>'
    project.write_template(styles + texts)
    project.write_deck()
    path = project.build().path
    assert read_text(path) == ["WE ARE ONE"] * 2
    told = re.findall(rb"<</ActualText<FEFF([0-9A-F]*)>>>BDC", read_streams(path))
    assert [bytes.fromhex(text.decode()).decode("utf-16-be") for text in told] == ["WE", "ARE"]


def test_no_template_has_letters_so_far_apart_that_readers_part_them() -> None:
    """Readers that heed no ActualText see a space in a tenth of the size."""
    for path in (HOME / "templates").rglob("*.xml"):
        for tracking in re.findall(r'tracking="([\d.]+)"', path.read_text("utf-8")):
            assert float(tracking) < 0.1, path


def test_every_word_of_a_whole_deck(project: Project) -> None:
    """The magic items, with a template that shows every field of theirs."""
    fields = ("text", "who", "uses", "kind")
    texts = "".join(
        f'<text hyphenate="true">{{{{ card.{field} }}}}</text>' for field in ("name", *fields)
    )
    project.write_template(f'<column padding="4mm" gap="1mm">{texts}</column>', "magic-item", POKER)
    project.write_template("", "magic-back", POKER)
    built = project.build("magic")
    shown = project.run("show", "magic", "--json")
    assert shown.code == 0
    expected: list[str] = []
    for card in json.loads(shown.stdout)["cards"]:
        parts = [card["name"], *(card[field] or "" for field in fields)]
        words = re.sub(r"(?<!\w)[*_]+|[*_]+(?!\w)|\*\*", "", " ".join(parts)).split()
        expected += words * card["count"]
    pages = [drop_slug(page.get_textpage().get_text_range()) for page in PdfDocument(built.path)]
    seen = " ".join(pages).replace("\ufffe", "").replace("-", "").split()
    assert sorted(seen) == sorted(word.replace("-", "") for word in expected)


# Bookmarks, and what the file says of itself


def list_bookmarks(reader: PdfReader) -> list[Any]:
    return list(reader.outline)


def test_one_bookmark_for_each_design(project: Project) -> None:
    project.write_template(FRONT, "plain", POKER)
    project.write_template(BACK, "behind", POKER)
    names = ["Sword (of Fate)", "Épée", "Bow \\ Arrow", "Horn − low"]
    cards = "".join(f"  - {{name: '{name}', count: 4}}\n" for name in names)
    project.write_deck(cards, head="template: plain\nback: behind\n")
    reader = open_strictly(project.build().path)
    marks = list_bookmarks(reader)
    found = [(mark.title, reader.get_destination_page_number(mark)) for mark in marks]
    assert found == [(names[0], 0), (names[1], 0), (names[2], 0), (names[3], 2)]
    left, top = (210 - 190.5) / 2 * MM, (297 + 266.7) / 2 * MM
    corners = [(float(mark.left or 0), float(mark.top or 0)) for mark in marks]
    places = [(0, 0), (1, 1), (2, 2), (0, 1)]
    expected = [(left + x * 63.5 * MM, top - y * 88.9 * MM) for x, y in places]
    for corner, place in zip(corners, expected, strict=True):
        assert corner == pytest.approx(place, abs=0.01)


@pytest.mark.parametrize("sides", ["fronts", "backs"])
def test_bookmarks_of_one_side(project: Project, sides: Sides) -> None:
    write_items(project, 12)
    reader = open_strictly(project.build(sides=sides).path)
    found = [(m.title, reader.get_destination_page_number(m)) for m in list_bookmarks(reader)]
    assert found == [(name, number // A_PAGE) for number, name in enumerate(name_cards(12))]


def test_the_file_says_what_it_is(project: Project) -> None:
    write_items(project, 1, head="title: Épées (old)\nauthor: Anna & Bo\nlanguage: fr-CA\n")
    reader = open_strictly(project.build().path)
    assert reader.metadata is not None
    assert reader.metadata.title == "Épées (old)"
    assert reader.metadata.author == "Anna & Bo"
    assert str(reader.metadata.creator).startswith("cardgen ")
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "fr-CA"
    wishes = root["/ViewerPreferences"]
    assert wishes["/PrintScaling"] == "/None"
    assert wishes["/DisplayDocTitle"]
    assert wishes["/Duplex"] == "/DuplexFlipLongEdge"


@pytest.mark.parametrize(
    ("duplex", "wish"),
    [
        ("long-edge", "/DuplexFlipLongEdge"),
        ("short-edge", "/DuplexFlipShortEdge"),
        ("none", "/Simplex"),
    ],
)
def test_the_file_asks_for_the_targets_duplex(project: Project, duplex: str, wish: str) -> None:
    write_items(project, 1)
    write_target(project, duplex)
    root: Any = open_strictly(project.build(target="mine").path).trailer["/Root"]
    assert root["/ViewerPreferences"]["/Duplex"] == wish


# The same again


def test_two_builds_are_equal(project: Project) -> None:
    write_colourful(project)
    first = project.build().path.read_bytes()
    assert project.build().path.read_bytes() == first
    for seed in ("1", "2"):
        ran = run_program(["build", "deck", "--out", seed], environment={"PYTHONHASHSEED": seed})
        assert ran.code == 0
        assert Path(seed, "deck.pdf").read_bytes() == first


def test_the_number_of_processors_makes_no_difference(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large decks are drawn in parts; the parts are the same however many there are."""
    project.write_template(
        '<text font="Cinzel, Alegreya Sans">{{ card.name }} Ω</text>'
        '<text y="9mm" width="30mm" height="9mm" fit="box">{{ card.text }}</text>'
        '<icon y="20mm" width="5mm" height="5mm" name="{{ card.icon }}"/>'
        '<box y="30mm" fill="{{ card.fill }}" height="9mm"/>'
        '<gradient name="dusk" stops="black, white"/><colour name="red" cmyk="0 90 80 5"/>',
        attributes='size="95mm x 140mm"',
    )
    icons, fills = ["sword", "ring", "bow"], ["dusk", "red", "black", "none"]
    rows = "".join(
        f"Card {n},{'It cuts well. ' * (n % 7)},{icons[n % 3]},{fills[n // 100]}\n"
        for n in range(324)
    )
    project.write("decks/deck.csv", f"name,text,icon,fill\n{rows}")
    project.write("decks/deck.yaml", "template: plain\ncards: deck.csv\n")
    made = {}
    for count in (1, 2, 3, 4):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        built = project.build()
        names = [entry.subject.name for entry in built.shrunk]
        made[count] = (built.path.read_bytes(), built.pages, names)
    assert made[1][1] == 81
    assert len(set(made[1][2])) == len(made[1][2]) > 10
    assert all(made[count] == made[1] for count in made)


SMALL = '<text y="{}mm" width="20mm" height="5mm" fit="box" min="2pt">{{{{ card.{} }}}}</text>'
LONG = "Too many words for a box as small as this one"


@pytest.mark.parametrize(
    ("features", "counts"),
    [
        ("", [320]),
        ("", [2] * 160),
        # Small capitals stand for small letters in one part and for large ones in another.
        ("smcp, c2sc", [2] * 160),
    ],
    ids=["one", "many", "apart"],
)
def test_parts_tell_of_each_smaller_text_once(
    project: Project, monkeypatch: pytest.MonkeyPatch, features: str, counts: list[int]
) -> None:
    texts = f'<text features="{features}">{{{{ card.name }}}}</text>'
    texts += SMALL.format(20, "text") + SMALL.format(40, "more")
    project.write_template(texts, attributes='size="95mm x 140mm"')
    names = [f"{'abc' if n < len(counts) / 2 else 'ABC'} {n}" for n in range(len(counts))]
    rows = "".join(
        f"{name},{count},{LONG},{LONG} and more\n"
        for name, count in zip(names, counts, strict=True)
    )
    project.write("decks/deck.csv", f"name,count,text,more\n{rows}")
    project.write("decks/deck.yaml", "template: plain\ncards: deck.csv\n")
    made = {}
    for count in (1, 4):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        built = project.build()
        assert [(entry.subject.name, entry.field) for entry in built.shrunk] == [
            (f'card "{name}"', field) for name in names for field in ("text", "more")
        ]
        made[count] = built.path.read_bytes()
    assert made[1] == made[4]


# Duplex, by pixels

TARGET = """\
title = "Mine"
paper = "{paper}"
margin = "5mm"
gap_x = "{gap}"
gap_y = "{gap}"
bleed_x = "0mm"
bleed_y = "0mm"
marks = "none"
duplex = "{duplex}"
"""


def write_target(project: Project, duplex: str, paper: str = "a4", gap: str = "0mm") -> None:
    text = TARGET.format(duplex=duplex, paper=paper, gap=gap)
    project.write("targets/mine.toml", text)


def render(path: Path, scale: float = 2.0) -> list[Image.Image]:
    return [page.render(scale=scale).to_pil().convert("RGB") for page in PdfDocument(path)]


def find_difference(first: Image.Image, other: Image.Image) -> int:
    """How many pixels are dark in one and light in the other, not counting lines of two pixels:
    a third of a millimetre, which is what rounding makes of edges.
    """
    dark = [
        ImageOps.invert(image.convert("L")).point(lambda value: 255 * (value > 128))
        for image in (first, other)
    ]
    assert all(image.getbbox() for image in dark), "an empty page"
    difference = narrow(ImageChops.difference(*dark))
    return difference.histogram()[255]


@pytest.mark.parametrize("paper", ["a4", "a4 landscape", "letter", "200mm x 200mm"])
@pytest.mark.parametrize("duplex", ["long-edge", "short-edge"])
@pytest.mark.parametrize("count", [1, 8])
def test_a_back_lies_exactly_behind_its_front(
    project: Project, paper: str, duplex: str, count: int
) -> None:
    """Each card has a mark of its own, off its centre, and its mirror image on the back."""
    size = 'y="7mm" width="{{ 6 + 4 * card.number }}mm" height="{{ 3 + card.number }}mm"'
    look = 'fill="black"/>'
    project.write_template(f'<box x="5mm" {size} {look}', "plain", 'size="60mm x 85mm"')
    project.write_template(f'<box right="5mm" {size} {look}', "behind", 'size="60mm x 85mm"')
    cards = "".join(f"  - name: {name}\n" for name in name_cards(count))
    project.write_deck(cards, head="template: plain\nback: behind\n")
    write_target(project, duplex, paper, gap="2mm")
    images = render(project.build(target="mine").path)
    assert len(images) % 2 == 0
    width, height = images[0].size
    upright = (duplex == "long-edge") == (height >= width)
    turn = ImageOps.mirror if upright else ImageOps.flip
    for front, back in zip(images[::2], images[1::2], strict=True):
        assert find_difference(front, turn(back)) == 0
        assert find_difference(front, back) > 1000


def test_a_mark_a_millimetre_off_would_be_found(project: Project) -> None:
    project.write_template('<box x="5mm" y="7mm" width="9mm" height="9mm" fill="black"/>')
    project.write_template(
        '<box right="6mm" y="7mm" width="9mm" height="9mm" fill="black"/>', "behind"
    )
    project.write_deck(head="template: plain\nback: behind\n")
    write_target(project, "long-edge")
    front, back = render(project.build(target="mine").path)
    assert find_difference(front, ImageOps.mirror(back)) > 100


# Colours


def read_streams(path: Path) -> bytes:
    """The content of all pages and forms."""
    reader = open_strictly(path)
    parts = [page.get_contents() for page in reader.pages]
    pages = [part.get_data() for part in parts if part is not None]
    forms = list_objects(path, "/Form")
    return b"\n".join([*pages, *(form.get_data() for form in forms)])


def find_operators(path: Path, *operators: str) -> set[str]:
    """What comes before a colour operator, as in "0 0.2 1 0.05 k"."""
    text = read_streams(path).decode("latin-1")
    number = r"-?[\d.]+"
    found = re.findall(rf"((?:{number} )+)({'|'.join(operators)})(?=\s)", text)
    return {f"{numbers}{operator}" for numbers, operator in found}


COLOURS = """\
<colour name="gold" cmyk="0 20 100 5"/><colour name="red" rgb="#ff0000"/>
<gradient name="dusk" stops="gold 0, black 100" angle="0"/>
<gradient name="fall" stops="white, black" angle="90"/>
"""


def write_colourful(project: Project) -> None:
    project.write_template(
        COLOURS + '<box width="9mm" height="9mm" fill="gold" stroke="gold"/>'
        '<text x="12mm" width="30mm" colour="gold">{{ card.name }} :ring:</text>'
        '<line y="12mm" height="1mm" stroke="gold"/>'
        '<box y="15mm" height="9mm" fill="dusk"/><icon y="25mm" width="9mm" height="9mm"'
        ' name="sword" fill="gold"/>'
    )
    project.write_deck("".join(f"  - {{name: {name}, count: 2}}\n" for name in name_cards(20)))


def test_cmyk_stays_cmyk(project: Project) -> None:
    write_colourful(project)
    path = project.build().path
    assert "0 0.2 1 0.05 k" in find_operators(path, "k")
    assert "0 0.2 1 0.05 K" in find_operators(path, "K")
    assert find_operators(path, "rg", "RG", "g", "G") == set()
    spaces = {str(found["/ColorSpace"]) for found in list_shadings(path)}
    assert spaces == {"/DeviceCMYK"}


def list_shadings(path: Path) -> list[Any]:
    objects = walk(open_strictly(path).trailer["/Root"])
    return [found for found in objects if "/ShadingType" in found]


def test_rgb_stays_rgb(project: Project) -> None:
    project.write_template(COLOURS + '<box fill="red"/>')
    project.write_deck()
    path = project.build(target="one-up").path
    assert find_operators(path, "rg") == {"1 0 0 rg"}
    assert find_operators(path, "k") == set()


def render_card(project: Project, scale: float = 4.0) -> Image.Image:
    """The first card's trim, in pixels."""
    path = project.build().path
    page = open_strictly(path).pages[0]
    image = render(path, scale)[0]
    left, top = float(page.trimbox.left), float(page.mediabox.top) - float(page.trimbox.top)
    box = (left, top, left + 50 * MM, top + 40 * MM)
    return crop(image, *(round(edge * scale) for edge in box))


def crop(image: Image.Image, left: int, top: int, right: int, bottom: int) -> Image.Image:
    return image.crop((left, top, right, bottom))


def look_at(image: Image.Image, x: float, y: float) -> Pixel:
    """The colour at a place on a card, in mm."""
    scale = image.width / 50
    pixel = image.getpixel((round(x * scale), round(y * scale)))
    assert isinstance(pixel, tuple)
    red, green, blue = pixel
    return red, green, blue


def is_near(pixel: Pixel, other: Pixel, tolerance: int = 12) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, other, strict=True))


WHITE, BLACK, RED, BLUE = (255, 255, 255), (0, 0, 0), (255, 0, 0), (0, 0, 255)


def test_gradients_run_as_they_are_told(project: Project) -> None:
    project.write_template(
        '<colour name="red" rgb="#ff0000"/><colour name="blue" rgb="#0000ff"/>'
        '<gradient name="across" stops="red, blue" angle="0"/>'
        '<gradient name="down" stops="red, blue"/>'
        '<gradient name="steps" stops="red 50, blue 50.1" angle="0"/>'
        '<gradient name="back" stops="red, blue" angle="180"/>'
        '<box width="20mm" height="10mm" fill="across"/>'
        '<box x="25mm" width="20mm" height="10mm" fill="down"/>'
        '<box y="15mm" width="20mm" height="10mm" fill="steps"/>'
        '<box x="25mm" y="15mm" width="20mm" height="10mm" fill="back"/>'
    )
    project.write_deck()
    image = render_card(project)
    violet = (128, 0, 128)
    assert is_near(look_at(image, 0.3, 5), RED)
    assert is_near(look_at(image, 10, 5), violet)
    assert is_near(look_at(image, 19.7, 5), BLUE)
    assert is_near(look_at(image, 35, 0.2), RED)
    assert is_near(look_at(image, 26, 5), violet)
    assert is_near(look_at(image, 35, 9.8), BLUE)
    assert is_near(look_at(image, 9, 20), RED)
    assert is_near(look_at(image, 11, 20), BLUE)
    assert is_near(look_at(image, 25.3, 20), BLUE)
    assert is_near(look_at(image, 44.7, 20), RED)
    assert is_near(look_at(image, 22, 5), WHITE)


def test_rounded_corners_and_borders(project: Project) -> None:
    project.write_template(
        '<colour name="red" rgb="#ff0000"/>'
        '<box x="2mm" y="2mm" width="20mm" height="20mm" radius="8mm" fill="red"/>'
        '<box x="25mm" y="2mm" width="20mm" height="20mm" radius="10mm" stroke="red"'
        ' stroke-width="2mm"/>'
    )
    project.write_deck()
    image = render_card(project)
    corner = 8 - 8 / math.sqrt(2)
    for x, y in [(2, 2), (22, 2), (2, 22), (22, 22)]:
        inward = (1 if x == 2 else -1, 1 if y == 2 else -1)
        outside, inside = corner - 0.6, corner + 0.6
        assert look_at(image, x + inward[0] * outside, y + inward[1] * outside) == WHITE
        assert look_at(image, x + inward[0] * inside, y + inward[1] * inside) == RED
    assert look_at(image, 12, 2.4) == look_at(image, 12, 12) == RED
    assert look_at(image, 35, 3) == look_at(image, 26, 12) == RED
    assert look_at(image, 35, 4.6) == look_at(image, 35, 12) == WHITE
    assert look_at(image, 35, 1.5) == look_at(image, 26, 3) == WHITE


def test_bleed_is_painted_beyond_the_trim_and_no_further(project: Project) -> None:
    project.write_template(
        '<colour name="red" rgb="#ff0000"/><box bleed="true" fill="red"/>', "plain", POKER
    )
    project.write_deck("  - {name: Sword, count: 9}\n")
    path = project.build().path
    scale = 3.0
    image = render(path, scale)[0]
    page = open_strictly(path).pages[0]
    left, top = float(page.bleedbox.left), float(page.mediabox.top) - float(page.bleedbox.top)
    middle = image.height // 2
    assert image.getpixel((round((left + 1) * scale), middle)) == RED
    assert image.getpixel((round((left - 1) * scale), middle - 40)) == WHITE
    centre = image.width // 2
    assert image.getpixel((centre, round((top + 1) * scale))) == RED
    assert image.getpixel((centre + 40, round((top - 1) * scale))) == WHITE


# Pictures


def add_picture(project: Project, image: Image.Image, name: str, **options: Any) -> Path:
    project.write_template(
        '<colour name="red" rgb="#ff0000"/><box fill="red"/>'
        f'<image file="{name}" x="10mm" y="10mm" width="20mm" height="20mm"/>'
    )
    project.write_deck("  - {name: Sword, count: 3}\n  - name: Bow\n")
    path = project.write(name, "")
    image.save(path, **options)
    return path


def list_images(path: Path) -> list[Any]:
    images = list_objects(path, "/Image")
    masks = [image["/SMask"] for image in images if "/SMask" in image]
    return [image for image in images if image not in masks]


def test_a_cmyk_jpeg_is_kept_as_it_is(project: Project) -> None:
    source = add_picture(project, Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "fire.jpg")
    (image,) = list_images(project.build().path)
    assert image["/ColorSpace"] == "/DeviceCMYK"
    assert image["/Filter"] == "/DCTDecode"
    assert image._data == source.read_bytes()
    red, green, blue = look_at(render_card(project), 20, 20)
    assert red > 200
    assert green < 80
    assert blue < 80


def test_an_rgb_jpeg_is_kept_as_it_is(project: Project) -> None:
    source = add_picture(project, Image.new("RGB", (40, 40), BLUE), "sea.jpg")
    (image,) = list_images(project.build().path)
    assert image["/ColorSpace"] == "/DeviceRGB"
    assert image._data == source.read_bytes()
    assert is_near(look_at(render_card(project), 20, 20), BLUE)


def draw_half(mode: str, colour: Any, clear: Any) -> Image.Image:
    """A picture whose right half is clear."""
    image = Image.new(mode, (40, 40), colour)
    ImageDraw.Draw(image).rectangle((20, 0, 39, 39), fill=clear)
    return image


@pytest.mark.parametrize(
    ("image", "space", "left"),
    [
        (draw_half("RGBA", (0, 0, 255, 255), (0, 0, 255, 0)), "/DeviceRGB", BLUE),
        (draw_half("LA", (0, 255), (0, 0)), "/DeviceGray", BLACK),
        (draw_half("RGBA", (0, 0, 255, 128), (0, 0, 255, 0)), "/DeviceRGB", (127, 0, 128)),
        (draw_half("RGBA", (0, 0, 255, 255), (0, 0, 255, 0)).quantize(), "/DeviceRGB", BLUE),
    ],
    ids=["rgb", "grey", "half", "palette"],
)
def test_what_is_clear_in_a_png_becomes_a_soft_mask(
    project: Project, image: Image.Image, space: str, left: Pixel
) -> None:
    add_picture(project, image, "half.png")
    (found,) = list_images(project.build().path)
    assert found["/ColorSpace"] == space
    assert found["/SMask"]["/ColorSpace"] == "/DeviceGray"
    shown = render_card(project)
    assert is_near(look_at(shown, 15, 20), left)
    assert is_near(look_at(shown, 25, 20), RED)
    assert is_near(look_at(shown, 5, 20), RED)


@pytest.mark.parametrize(
    ("image", "space", "shown"),
    [
        (Image.new("RGB", (40, 40), BLUE), "/DeviceRGB", BLUE),
        (Image.new("L", (40, 40), 128), "/DeviceGray", (128, 128, 128)),
        (Image.new("1", (40, 40), 1), "/DeviceGray", WHITE),
        (Image.new("I;16", (40, 40), 0x8000), "/DeviceGray", (128, 128, 128)),
        (Image.new("P", (40, 40), 0), "/DeviceRGB", BLACK),
    ],
    ids=["rgb", "grey", "bits", "deep", "palette"],
)
def test_a_png_without_transparency_has_no_mask(
    project: Project, image: Image.Image, space: str, shown: Pixel
) -> None:
    add_picture(project, image, "plain.png")
    (found,) = list_images(project.build().path)
    assert found["/ColorSpace"] == space
    assert "/SMask" not in found
    assert is_near(look_at(render_card(project), 20, 20), shown)


def test_a_turned_jpeg_stands_upright(project: Project) -> None:
    image = Image.new("RGB", (40, 40), BLUE)
    ImageDraw.Draw(image).rectangle((0, 0, 39, 19), fill=BLACK)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise: what is at the top belongs to the right
    add_picture(project, image, "turned.jpg", exif=exif, quality=95)
    shown = render_card(project)
    assert is_near(look_at(shown, 13, 20), BLUE, 30)
    assert is_near(look_at(shown, 27, 20), BLACK, 30)


def test_a_picture_fills_or_fits_its_box(project: Project) -> None:
    image = Image.new("RGB", (40, 20), BLUE)
    ImageDraw.Draw(image).rectangle((0, 0, 4, 19), fill=BLACK)
    add_picture(project, image, "wide.png")
    project.write_template(
        '<image file="wide.png" width="20mm" height="20mm"/>'
        '<image file="wide.png" x="25mm" width="20mm" height="20mm" fit="cover" radius="10mm"/>'
    )
    shown = render_card(project)
    assert is_near(look_at(shown, 10, 4), WHITE)
    assert is_near(look_at(shown, 10, 6), BLUE)
    assert is_near(look_at(shown, 1, 10), BLACK)
    assert is_near(look_at(shown, 35, 1), BLUE)
    assert is_near(look_at(shown, 26, 10), BLUE)
    assert is_near(look_at(shown, 26, 1), WHITE)


# How much there is of it


def test_what_faces_share_is_in_the_file_once(project: Project) -> None:
    project.write_template(
        '<box fill="black" radius="2mm"/><icon name="sword" fill="white"/>'
        '<text colour="white">{{ card.name }}</text><image file="a.png" y="20mm"/>'
    )
    Image.effect_noise((50, 50), 60).save(project.folder / "a.png")
    sizes = []
    for count in (10, 20):
        cards = "".join(f"  - {{name: {name}, count: 5}}\n" for name in name_cards(count))
        project.write_deck(cards)
        path = project.build().path
        assert len(list_images(path)) == 1
        sizes.append(path.stat().st_size)
    assert sizes[1] - sizes[0] < 10_000
