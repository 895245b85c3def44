"""Pictures that lie in a workbook: on its cells, or as their values, as spreadsheets have them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO
from zipfile import ZipFile

import pytest
from conftest import Project
from openpyxl import Workbook
from openpyxl.drawing.image import Image as Laid
from openpyxl.drawing.spreadsheet_drawing import AnchorMarker, TwoCellAnchor
from PIL import Image
from pypdfium2 import PdfDocument

from cardgen.core.inner_pictures import has_part, read_inner

RED, GREEN, BLUE = (255, 0, 0), (0, 160, 0), (0, 0, 255)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KINDS = {
    "sheetMetadata": "metadata.xml",
    "rdRichValue": "richData/rdrichvalue.xml",
    "rdRichValueStructure": "richData/rdrichvaluestructure.xml",
    "richValueRel": "richData/richValueRel.xml",
}


def draw(colour: tuple[int, int, int]) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (400, 300), colour).save(data, "PNG")
    return data.getvalue()


def lay(rows: Iterable[Iterable[object]], *laid: tuple[int, int, bytes, int]) -> bytes:
    """A sheet with pictures: row and column of the first cell, both from 0 on, and how much of the
    picture's 1,000,000 lies in the row below.
    """
    book = Workbook()
    sheet = book.worksheets[0]
    for cells in rows:
        sheet.append(list(cells))
    for row, column, data, below in laid:
        picture = Laid(io.BytesIO(data))
        picture.width = picture.height = 1_000_000 // 9525
        end = AnchorMarker(column, 900_000, row + 1, below)
        picture.anchor = TwoCellAnchor(_from=AnchorMarker(column, 0, row, 0), to=end)
        sheet.add_image(picture)
    out = io.BytesIO()
    book.save(out)
    parts = {name: ZipFile(out).read(name) for name in ZipFile(out).namelist()}
    drawing = parts["xl/drawings/drawing1.xml"]
    space = b'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    size = b'<a:xfrm %b><a:ext cx="1000000" cy="1000000"/></a:xfrm><a:prstGeom' % space
    parts["xl/drawings/drawing1.xml"] = drawing.replace(b"<a:prstGeom", size)
    return pack(parts)


def hold(pictures: Sequence[bytes]) -> bytes:
    """A sheet of cards whose second cells are pictures, which other programs read as errors."""
    book = Workbook()
    book.worksheets[0].append(["Name", "Picture"])
    for number in range(len(pictures)):
        book.worksheets[0].append([f"Card {number + 1}", "#VALUE!"])
    plain = io.BytesIO()
    book.save(plain)
    parts = {name: ZipFile(plain).read(name) for name in ZipFile(plain).namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"].decode()
    for number in range(len(pictures)):
        at = f'r="B{number + 2}"'
        sheet = sheet.replace(at, f'{at} vm="{number + 1}"')
    parts["xl/worksheets/sheet1.xml"] = sheet.encode()
    relations = "".join(
        f'<Relationship Id="m{kind}" Type="{_OFFICE}/{kind}" Target="{part}"/>'
        for kind, part in _KINDS.items()
    )
    rels = parts["xl/_rels/workbook.xml.rels"].decode()
    parts["xl/_rels/workbook.xml.rels"] = rels.replace(
        "</Relationships>", f"{relations}</Relationships>"
    ).encode()
    numbers = range(len(pictures))
    parts |= {f"xl/media/image{number}.png": data for number, data in enumerate(pictures)}
    parts |= {
        f"xl/{part}": text.encode()
        for part, text in {
            "metadata.xml": '<metadata xmlns:x="urn:x"><futureMetadata name="XLRICHVALUE">'
            + "".join(f'<bk><x:rvb i="{number}"/></bk>' for number in numbers)
            + "</futureMetadata><valueMetadata>"
            + "".join(f'<bk><rc t="1" v="{number}"/></bk>' for number in numbers)
            + "</valueMetadata></metadata>",
            "richData/rdrichvaluestructure.xml": '<rvStructures><s t="_localImage">'
            '<k n="CalcOrigin"/><k n="_rvRel:LocalImageIdentifier"/></s></rvStructures>',
            # The pictures stand the other way round than the cells that show them.
            "richData/rdrichvalue.xml": "<rvData>"
            + "".join(f'<rv s="0"><v>5</v><v>{number}</v></rv>' for number in reversed(numbers))
            + "</rvData>",
            "richData/richValueRel.xml": f'<richValueRels xmlns:r="{_OFFICE}">'
            + "".join(f'<rel r:id="p{number}"/>' for number in numbers)
            + "</richValueRels>",
            "richData/_rels/richValueRel.xml.rels": "<Relationships>"
            + "".join(
                f'<Relationship Id="p{number}" Target="../media/image{number}.png"/>'
                for number in numbers
            )
            + "</Relationships>",
        }.items()
    }
    return pack(parts)


def pack(parts: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def list_shown(path: Path) -> list[list[tuple[int, int, int]]]:
    """The colours of pictures that each page of a file shows."""
    shown = []
    for page in PdfDocument(path):
        pixels = page.render(scale=0.5).to_pil().convert("RGB")
        shown.append(
            [one for one in (RED, GREEN, BLUE) if one in {c for _, c in pixels.getcolors(1 << 20)}]
        )
    return shown


def test_pictures_on_the_cells_of_a_sheet_are_printed(project: Project) -> None:
    """Each belongs to the row that most of it lies on; what lies on the header is a logo."""
    rows: list[list[object]] = [["Name", "Qty", None, "Text"], ["Axe", 2], ["Bow", 3], ["Cup", 1]]
    laid = [(0, 4, draw(BLUE), 100), (0, 2, draw(RED), 900_000), (2, 2, draw(GREEN), 100_000)]
    project.write("decks/a.xlsx", lay(rows, *laid))
    project.write("decks/b.yaml", "title: B\ncards: tables/t.xlsx\n")
    project.write("decks/tables/t.xlsx", lay(rows, *laid))
    for deck in ("a", "b"):
        ran = project.run("build", deck, "--target", "one-up")
        assert (ran.code, ran.stderr) == (0, "")
        assert list_shown(project.folder / f"output/{deck}-one-up.pdf") == (
            [[RED], [RED], [GREEN], [GREEN], [GREEN], []]
        )
    project.write("decks/c.yaml", "cards:\n- {name: A, picture: a.xlsx#xl/media/image9.png}\n")
    ran = project.run("build", "c")
    assert ran.code == 1
    assert ran.stderr.startswith('decks/c.yaml:2:3: card "A": picture "xl/media/image9.png" of')


def test_the_parts_of_a_workbook_are_listed_once_while_it_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []

    class Counted(ZipFile):
        def __init__(self, file: IO[bytes]) -> None:
            opened.append(file)
            super().__init__(file)

    book = tmp_path / "cards.xlsx"
    book.write_bytes(lay([["Name"]], (1, 1, draw(RED), 0), (2, 1, draw(GREEN), 0)))
    monkeypatch.setattr("zipfile.ZipFile", Counted)
    parts = ["xl/media/image1.png", "xl/media/image2.png"]
    first, second = (read_inner(book, part) for part in parts)
    assert (first, second, len(opened)) == (draw(RED), draw(GREEN), 1)
    assert has_part(book, parts[0]) and not has_part(book, "xl/media/image3.png")
    assert len(opened) == 1
    # Another file in its place is read anew.
    book.write_bytes(lay([["Name"]], (1, 1, draw(BLUE), 0)))
    assert read_inner(book, parts[0]) == draw(BLUE)


def test_pictures_that_are_the_values_of_cells_are_printed(project: Project) -> None:
    project.write("a.xlsx", hold([draw(RED), draw(GREEN)]))
    assert project.run("build", "a", "--target", "one-up").code == 0
    assert list_shown(project.folder / "output/a-one-up.pdf") == [[GREEN], [RED]]


@pytest.mark.parametrize("kind", ["laid", "held", "ods"])
def test_an_import_makes_files_of_them(project: Project, kind: str) -> None:
    rows: list[list[object]] = [["Name", "Picture"], ["Axe of Dawn"], ["Bow"]]
    cells = "".join(
        f"<table:table-row><table:table-cell><text:p>{name}</text:p></table:table-cell>"
        f"<table:table-cell>{shown}</table:table-cell></table:table-row>"
        for name, shown in (
            ("Name", "<text:p>Picture</text:p>"),
            ("Axe of Dawn", '<draw:frame><draw:image xlink:href="Pictures/a.png"/></draw:frame>'),
            ("Bow", ""),
        )
    )
    named = {"office": "office", "table": "table", "text": "text", "draw": "drawing"}
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
        for name, space in named.items()
    )
    content = (
        f'<office:document-content{spaces} xmlns:xlink="http://www.w3.org/1999/xlink">'
        f'<office:body><table:table table:name="A">{cells}</table:table></office:body>'
        "</office:document-content>"
    )
    data = {
        "laid": lambda: lay(rows, (1, 1, draw(RED), 0)),
        "held": lambda: hold([draw(RED)]),
        "ods": lambda: pack({"content.xml": content.encode(), "Pictures/a.png": draw(RED)}),
    }[kind]()
    file = project.write("items.ods" if kind == "ods" else "items.xlsx", data).name
    ran = project.run("import", file, "-o", "decks/mine.yaml")
    name = "card-1" if kind == "held" else "axe-of-dawn"
    picture = project.folder / f"pictures/mine/{name}.png"
    assert ran.code == 0, ran.stderr
    assert ran.stdout.endswith("; 1 picture in pictures/mine\n")
    assert picture.read_bytes() == draw(RED)
    shown = json.loads(project.run("show", "mine", "--json").stdout)["cards"]
    assert shown[0]["picture"] == f"mine/{name}.png"
    assert project.run("import", file, "-o", "decks/mine.yaml").stdout.count("stays as it is") == 1
    picture.write_bytes(draw(BLUE))  # by somebody who retouched it
    again = project.run("import", file, "-o", "decks/mine.yaml")
    assert (again.code, picture.read_bytes()) == (0, draw(BLUE))
    assert (picture.parent / f"{name}-2.png").read_bytes() == draw(RED)


def test_a_workbook_that_lies_elsewhere_brings_its_pictures(
    project: Project, tmp_path: Path
) -> None:
    """And a column "Art" of pictures holds no kinds, though it is German for them."""
    rows: list[list[object]] = [["Name", "Art"], ["Axe of Dawn", None], ["Bow", None]]
    file = tmp_path / "elsewhere/items.xlsx"
    file.parent.mkdir()
    file.write_bytes(lay(rows, (1, 1, draw(RED), 0), (2, 1, draw(BLUE), 0)))
    ran = project.run("import", str(file), "-o", "decks/mine.yaml")
    assert ran.stdout.endswith("; 2 pictures in pictures/mine\n"), ran.stdout
    written = (project.folder / "decks/mine.yaml").read_text(encoding="utf-8")
    assert "    art: mine/axe-of-dawn.png\n" in written


def test_an_import_that_fails_leaves_no_picture(project: Project) -> None:
    rows: list[list[object]] = [
        ["Name", "Picture", "Cost"],
        ["Axe", None, "much"],
        ["Bow", None, 3],
    ]
    project.write("items.xlsx", lay(rows, (1, 1, draw(RED), 0)))
    assert project.run("import", "items.xlsx", "--strict").code == 1
    assert [path.name for path in project.folder.iterdir()] == ["items.xlsx"]
