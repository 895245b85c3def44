"""QR codes and barcodes: what they say, how their modules lie on the dots, and what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import pytest
from conftest import Project
from PIL import Image
from strategies import find_problem, lay_out

from cardgen.core.units import MM
from cardgen.layout.art.codes.bars import make_code128, make_ean
from cardgen.layout.art.codes.data_matrix import make_data_matrix
from cardgen.layout.art.codes.qr import Level, make_qr
from cardgen.layout.art.codes.symbol import Symbol
from cardgen.layout.face import Form

# Modules


def hash_rows(symbol: Symbol) -> str:
    """What tells one code from another; all here were read back when this was written."""
    text = "\n".join("".join(".#"[dark] for dark in row) for row in symbol.rows)
    return f"{len(symbol.rows[0])} {hashlib.sha256(text.encode()).hexdigest()[:12]}"


MADE = {
    "HELLO": make_qr("HELLO", "l"),
    "0123456789": make_qr("0123456789", "h"),
    "a link": make_qr("https://example.com/a?b=1", "m"),
    "ü ✓": make_qr("ü ✓" * 9, "q"),
    "long": make_qr("Ab9/" * 200, "m"),
    "DM": make_data_matrix("DM 123456"),
    "DM ü": make_data_matrix("ü" * 20),
    "DM ✓": make_data_matrix("✓" * 9),
    "DM long": make_data_matrix("Ab9/" * 60),
    "EAN-13": make_ean("ean13", "400638133393"),
    "ISBN": make_ean("ean13", "978-3-16-148410-0"),
    "EAN-8": make_ean("ean8", "96385074"),
    "UPC-A": make_ean("upca", "036000291452"),
    "128": make_code128("Wikipedia"),
    "128 digits": make_code128("0123456789"),
    "128 mixed": make_code128("AB\t12345678 ~x"),
}

READ_BACK = {
    "HELLO": "21 4803739e7d4a",
    "0123456789": "21 b08a15207fce",
    "a link": "25 550a803a9898",
    "ü ✓": "37 81467728eb59",
    "long": "109 9fa466f28c6d",
    "DM": "14 7bc5e93accfa",
    "DM ü": "26 9396786ebd71",
    "DM ✓": "32 8178c5b302a0",
    "DM long": "64 e96517a62426",
    "EAN-13": "95 522ee90898e2",
    "ISBN": "95 faec10a16fa4",
    "EAN-8": "67 cd8c747d5c54",
    "UPC-A": "95 e709ffdcd489",
    "128": "134 1be94bbb013d",
    "128 digits": "90 c6143f455063",
    "128 mixed": "167 698709705b63",
}


def test_codes_are_those_that_were_read_back() -> None:
    assert {name: hash_rows(symbol) for name, symbol in MADE.items()} == READ_BACK


def test_code_128_takes_the_shortest_way() -> None:
    start_check_stop = 11 + 11 + 13
    assert len(make_code128("12345678").rows[0]) == start_check_stop + 4 * 11
    assert len(make_code128("A12345678").rows[0]) == start_check_stop + 6 * 11
    assert len(make_code128("abcdefghi").rows[0]) == start_check_stop + 9 * 11


@pytest.mark.parametrize(
    ("level", "most"), [("l", 2_953), ("m", 2_331), ("q", 1_663), ("h", 1_273)]
)
def test_the_largest_qr_code(level: Level, most: int) -> None:
    assert len(make_qr("x" * most, level).rows) == 177


# Drawn


CARD = 'size="60mm x 60mm" bleed="3mm"'
# What each says, where it stands, and how wide its room is, in mm.
BODY = """<colour name="sand" cmyk="0 5 15 5"/><colour name="wine" cmyk="30 100 50 40"/>
<box bleed="true" fill="sand"/>
<code kind="qr" text="{{ card.link }}" x="3mm" y="3mm" width="20mm" height="20mm"/>
<code kind="datamatrix" text="Ticket 7 ü" fill="wine" ground="none"
  x="27mm" y="3mm" width="20mm" height="20mm"/>
<code kind="ean13" text="400638133393" x="3mm" y="26mm" width="40mm" height="14mm"/>
<code kind="code128" text="CARD-1" digits="true" x="3mm" y="42mm" width="40mm" height="10mm"/>"""
DPI = 300


@pytest.fixture
def drawn(project: Project) -> Image.Image:
    project.write_template(BODY, attributes=CARD)
    project.write_deck('  - {name: Sword, link: "https://example.com/a?b=1"}\n')
    with Image.open(project.build(target="png").path / "1-sword-front.png") as image:
        image.load()
    return image


def find_dark(image: Image.Image, box: Sequence[float]) -> tuple[Image.Image, tuple[int, ...]]:
    """What is dark within a box in mm, and where."""
    edges = tuple(round((edge + 3) / 25.4 * DPI) for edge in box)
    part = image.convert("L").crop(edges).point(lambda value: 255 * (value < 128))  # type: ignore[arg-type]
    bounds = part.getbbox()
    assert bounds is not None
    return part, bounds


@pytest.mark.parametrize(
    ("box", "symbol"),
    [((3, 3, 23, 23), MADE["a link"]), ((27, 3, 47, 23), make_data_matrix("Ticket 7 ü"))],
    ids=["qr", "datamatrix"],
)
def test_each_square_is_drawn_on_whole_dots(
    drawn: Image.Image, box: Sequence[float], symbol: Symbol
) -> None:
    part, (left, top, right, bottom) = find_dark(drawn, box)
    count = len(symbol.rows)
    room = round(20 / 25.4 * DPI)
    dots = room // symbol.width
    assert right - left == bottom - top == count * dots
    assert left == pytest.approx((room - count * dots) / 2, abs=1)
    shown = part.crop((left, top, right, bottom)).resize((count, count), Image.Resampling.BOX)
    values = shown.tobytes()
    assert all(value < 8 or value > 247 for value in values)
    rows = (values[start : start + count] for start in range(0, len(values), count))
    assert tuple(tuple(value > 247 for value in row) for row in rows) == symbol.rows


def test_each_bar_is_drawn_on_whole_dots(drawn: Image.Image) -> None:
    symbol = MADE["EAN-13"]
    dots = round(40 / 25.4 * DPI) // symbol.width
    part, (left, _, _, _) = find_dark(drawn, (3 + 11 * dots * 25.4 / DPI, 27, 43, 28))
    start = left
    row = [part.getpixel((start + place, 5)) == 255 for place in range(95 * dots)]
    assert [row[place] for place in range(dots // 2, 95 * dots, dots)] == list(symbol.rows[0])
    changes = [place for place in range(1, len(row)) if row[place] != row[place - 1]]
    assert [place % dots for place in changes] == [0] * len(changes)


def test_a_reader_reads_them(drawn: Image.Image) -> None:
    zxing: Any = pytest.importorskip("zxingcpp")
    found = {
        str(code.format).replace(" ", "").replace("-", ""): code.text
        for code in zxing.read_barcodes(drawn)
    }
    assert found == {
        "QRCode": "https://example.com/a?b=1",
        "DataMatrix": "Ticket 7 ü",
        "EAN13": "4006381333931",
        "Code128": "CARD-1",
    }


def test_a_press_prints_them_in_black_ink_alone(project: Project) -> None:
    project.write_template(BODY.replace('fill="wine"', 'fill="black"'), attributes=CARD)
    project.write_deck('  - {name: Sword, link: "https://example.com/a?b=1"}\n')
    project.build(target="press-x1a")
    ticket = json.loads((project.folder / "output/deck-press-x1a.job.json").read_text("utf-8"))
    inks = [colour["percent"] for colour in ticket["colours"]]
    assert sorted(inks) == [[0, 0, 0, 0], [0, 0, 0, 100], [0, 5, 15, 5]]


def test_they_have_words_for_those_who_cannot_see_them(project: Project) -> None:
    (face,) = lay_out(
        project,
        '<code kind="qr" text="{{ card.name }}" width="20mm" height="20mm"/>'
        '<code kind="qr" text="{{ card.name }}" alt="a link" width="20mm" height="20mm"/>'
        '<code kind="qr" text="{{ card.name }}" alt="" width="20mm" height="20mm"/>',
        {"name": "Sword"},
    )
    said = [line for line in face.dump().splitlines() if line.startswith("said")]
    assert said == ['said as Figure "QR code: Sword"', 'said as Figure "a link"']


def test_a_code_has_a_height_of_its_own(project: Project) -> None:
    (face,) = lay_out(
        project,
        '<column width="30mm"><code kind="qr" text="a"/><code kind="code128" text="a"/>'
        '<box height="1mm" fill="black"/></column>',
    )
    (*_, form) = [item for item in face.items if isinstance(item, Form)]
    *_, inner = form.shared.items
    assert isinstance(inner, Form)
    assert inner.y == pytest.approx((30 + 9) * MM, abs=0.01)


# What is refused


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ('kind="ean13" text="40x6"', '"40x6" is no number for EAN-13, which holds digits alone'),
        ('kind="ean13" text="40063813"', '"40063813" has 8 digits, and EAN-13 has 13'),
        ('kind="ean8" text="123"', '"123" has 3 digits, and EAN-8 has 8'),
        (
            'kind="ean13" text="4006381333932"',
            'the last digit of "4006381333932" checks the others: it is 1 by them',
        ),
        ('kind="qr" text=""', "the code has no text"),
        ('kind="upca" text=" "', "the code has no text"),
        ('kind="code128" text="für"', '"ü" is no letter of Code 128, which holds those of ASCII'),
        (
            f'kind="code128" text="{"a" * 81}"',
            "its text is too long for a Code 128: 81 bytes, and it holds 80",
        ),
        (
            f'kind="qr" text="{"ab" * 1_500}"',
            "its text is too long for a QR code of level m: 3,000 bytes, and it holds 2,331",
        ),
        (
            f'kind="datamatrix" text="{"ab" * 700}"',
            "its text is too long for a Data Matrix code: 1,400 bytes, and it holds 1,304",
        ),
    ],
)
def test_a_text_that_no_code_holds(project: Project, attributes: str, said: str) -> None:
    body = f'<code {attributes} width="40mm" height="40mm"/>'
    assert find_problem(project, body).partition("\n")[0].endswith(f": {said}")


@pytest.mark.parametrize(
    ("kind", "room", "said", "cure"),
    [
        (
            'kind="qr" text="https://example.com"',
            'width="8mm" height="20mm"',
            "a QR code would have modules of 0.242mm, which are not read: 0.254mm are needed",
            "make its box at least 8.39mm wide and high, or its text shorter",
        ),
        (
            'kind="ean13" text="400638133393"',
            'width="30mm" height="20mm"',
            "a barcode would have modules of 0.265mm, which are not read: 0.296mm are needed",
            "make its box at least 33.49mm wide",
        ),
        (
            'kind="ean13" text="400638133393"',
            'width="40mm" height="5mm"',
            "the bars of a code would be 2.56mm high, which are not read: 4mm are needed",
            "make its box at least 6.44mm high",
        ),
    ],
)
def test_a_code_too_small_to_be_read(
    project: Project, kind: str, room: str, said: str, cure: str
) -> None:
    problem = find_problem(project, f"<code {kind} {room}/>")
    assert said in problem
    assert cure in problem
    # And the cure cures.
    wide = cure.split()[5]
    larger = (
        f'width="{wide}" height="{wide}"' if "high, or" in cure else f'width="{wide}" height="20mm"'
    )
    larger = f'width="40mm" height="{wide}"' if cure.endswith("mm high") else larger
    assert find_problem(project, f"<code {kind} {larger}/>") == ""


def test_a_coarse_picture_needs_larger_codes(project: Project) -> None:
    project.write_template(
        '<code kind="qr" text="a" width="12mm" height="12mm"/>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    project.write_deck()
    ran = project.run("build", "deck", "--target", "png", "--dpi", "100")
    assert ran.code == 1
    assert "modules of 0.414mm, which are not read: 0.508mm are needed" in ran.stderr


@pytest.mark.parametrize(
    ("attributes", "note"),
    [
        ('kind="qr" fill="dark"', ""),
        ('kind="qr" fill="red"', ""),
        (
            'kind="code128" fill="red"',
            "the ground of a barcode of Sword is hardly lighter than the",
        ),
        (
            'kind="qr" fill="pale"',
            "the ground of a QR code of Sword is hardly lighter than the code",
        ),
        ('kind="qr" fill="white" ground="black"', "a QR code of Sword is lighter than its ground"),
    ],
)
def test_colours_that_are_hard_to_read_are_told_of(
    project: Project, attributes: str, note: str
) -> None:
    project.write_template(
        '<colour name="red" rgb="#d00000"/><colour name="pale" cmyk="30 0 0 0"/>'
        '<colour name="dark" cmyk="80 40 0 40"/>'
        f'<code text="{{{{ card.name }}}}" {attributes} width="40mm" height="30mm"/>'
    )
    project.write_deck()
    told = project.run("build", "deck").stdout.splitlines()[1:]
    assert [line.startswith(f"  {note}") for line in told] == ([True] if note else [])


@pytest.mark.parametrize(
    ("size", "cure"),
    [(1_300, 'level="q"'), (2_000, 'level="m"'), (2_700, 'level="l"'), (3_000, "shorten it;")],
)
def test_only_a_level_that_holds_a_text_is_proposed(project: Project, size: int, cure: str) -> None:
    body = f'<code kind="qr" level="h" text="{"ab" * (size // 2)}" width="40mm" height="40mm"/>'
    hint = find_problem(project, body).partition("hint: ")[2]
    assert hint.startswith(cure if size == 3_000 else f"shorten it, or write {cure}")
