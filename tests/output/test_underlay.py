"""Sheets over the pages of somebody else's PDF."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from conftest import Project
from pikepdf import Array, Dictionary, Name, Pdf
from reportlab.lib.pagesizes import A4, letter
from reportlab.pdfgen.canvas import Canvas

from cardgen.core.errors import CardgenError
from cardgen.output import underlay
from cardgen.output.underlay import read_underlay

TARGET = 'title = "L"\nextends = "a4"\nbase = "labels.pdf"\n'


def make_base(*colours: str, size: tuple[float, float] = A4) -> Pdf:
    """Pages with a square of 20 points in the lower left corner and a word beside it."""
    out = BytesIO()
    canvas = Canvas(out, size, initialFontName="Courier")
    for colour in colours:
        canvas.setFillColor(colour)
        canvas.rect(0, 0, 20, 20, stroke=0, fill=1)
        canvas.drawString(30, 5, f"sheet {colour}")
        canvas.linkURL("http://localhost/", (0, 0, 20, 20))
        canvas.showPage()
    canvas.save()
    return Pdf.open(BytesIO(out.getvalue()))


def write(project: Project, pdf: Pdf, **save: pikepdf.Encryption) -> None:
    (project.folder / "targets").mkdir(exist_ok=True)
    pdf.save(project.folder / "targets" / "labels.pdf", **save)  # type: ignore[arg-type]
    project.write("targets/labels.toml", TARGET)


def look(path: Path) -> list[tuple[int, ...]]:
    """The colour near the lower left corner of each page."""
    with pypdfium2.PdfDocument(path) as document:
        drawn = [page.render(scale=1).to_pil().convert("RGB") for page in document]
    return [page.getpixel((8, page.height - 8)) for page in drawn]


def test_sheets_lie_over_the_pages_of_a_base(project: Project) -> None:
    red, blue = (255, 0, 0), (0, 0, 255)
    project.write_template('<box fill="#ffeecc"/><text alt="a">{{ card.name }}</text>')
    project.write("templates/back.xml", '<template size="poker"><box fill="#ccc"/></template>')
    turned = make_base("red", "blue", size=(A4[1], A4[0]))
    for page in turned.pages:  # what is seen of it lies upright, its square at the lower left
        page.obj.MediaBox = Array([0, 0, A4[1] / 2 + 50, A4[0] / 2 + 50])
        page.obj.CropBox = Array([0, 0, A4[1] / 2, A4[0] / 2])
        page.obj.UserUnit = 2
        page.rotate(270, relative=False)
        page.contents_add(b"1 0 0 1 0 %d cm" % (A4[0] / 2 - 20), prepend=True)
        page.obj.AA = Dictionary(O=Dictionary(S=Name.JavaScript, JS="app.alert(1)"))
    write(project, turned)
    project.write_deck("  - name: Axe\n    count: 10\n", head="back: back\n")
    built = project.build(target="labels").path
    assert look(built) == [red, blue, red, blue]
    with Pdf.open(built) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert b"JavaScript" not in built.read_bytes() and "/Annots" not in pdf.pages[0]
        # Nobody knows whether what is not ours can be read aloud.
        assert b"pdfuaid" not in pdf.Root.Metadata.read_bytes()
        assert pdf.pages[0].Contents.read_bytes().startswith(b"/Artifact BMC")
    first = built.read_bytes()
    assert project.build(target="labels").path.read_bytes() == first

    write(project, make_base("blue"))
    assert look(project.build(target="labels", sides="odd").path) == [blue, blue]
    ran = project.run("build", "deck", "--target", "labels", "--archive")
    assert (ran.code, "makes no PDF for archives" in ran.stderr) == (1, True)

    write(project, make_base("red", "blue", size=letter))
    with pytest.raises(CardgenError) as refused:
        project.build(target="labels")
    (problem,) = refused.value.problems
    assert str(problem).startswith(
        "targets/labels.toml:3: page 1 of the base is 215.9mm x 279.4mm, and the sheet above it"
    )


def test_names_that_a_base_gives_are_kept(project: Project) -> None:
    """A font called /F, or the letters A and B of a drawn one, were left out as links are."""
    project.write_template('<text alt="a">{{ card.name }}</text>')
    project.write_deck("  - name: Axe\n")
    base = make_base("red")
    page = base.pages[0]
    fonts = base.make_indirect(Dictionary(F=next(iter(page.Resources.Font.values()))))
    glyph = base.make_stream(b"1000 0 d0 0 0 1000 1000 re f", F="elsewhere.pdf")
    fonts.B = Dictionary(CharProcs=base.make_indirect(Dictionary(A=glyph, B=glyph)))
    page.Resources.Font = fonts
    page.contents_add(b"BT /F 9 Tf 90 90 Td (kept) Tj ET")
    write(project, base)
    built = project.build(target="labels").path
    with Pdf.open(built) as pdf:
        held = [form.Resources.Font for form in pdf.pages[0].Resources.XObject.values()]
        kept = next(each for each in held if "/B" in each or "/F" in each)
        assert set(kept.keys()) == {"/B", "/F"}
        assert set(kept.B.CharProcs.keys()) == {"/A", "/B"}
        assert "/F" not in kept.B.CharProcs.A
    assert b"elsewhere" not in built.read_bytes()


def test_a_base_that_cannot_be_taken(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "strange.pdf"

    def refuse(data: bytes | Pdf) -> str:
        if isinstance(data, Pdf):
            data.save(path)
        else:
            path.write_bytes(data)
        with pytest.raises(CardgenError) as refused:
            read_underlay(path, None)
        return refused.value.problems[0].code.removeprefix("target/base-")

    assert refuse(b"") == refuse(b"no PDF") == "unreadable"
    whole = BytesIO()
    make_base("red").save(whole)
    assert refuse(whole.getvalue()[:300]) == "unreadable"
    broken = make_base("red")
    broken.pages[0].obj.Rotate = 45
    assert refuse(broken) == "unreadable"
    make_base("red").save(path, encryption=pikepdf.Encryption(user="a", owner="b"))
    assert refuse(path.read_bytes()) == "unreadable"

    loop = make_base("red")
    loop.pages[0].obj.Resources = loop.make_indirect(Dictionary())
    loop.pages[0].obj.Resources.Own = loop.pages[0].obj.Resources
    loop.save(path)
    assert len(read_underlay(path, None).pages) == 1

    deep = make_base("red")
    nested = Array()
    for _ in range(60):
        nested = Array([nested])
    deep.pages[0].obj.Resources.Deep = nested
    assert refuse(deep) == "too-large"
    bomb = make_base("red")
    bomb.pages[0].Contents = bomb.make_stream(bytes(60_000_000))
    assert refuse(bomb) == "too-large"
    monkeypatch.setattr(underlay, "MOST_PAGES", 2)
    assert refuse(make_base("red", "red", "red")) == "too-large"
    monkeypatch.setattr(underlay, "_MOST_OBJECTS", 2)
    assert refuse(make_base("red")) == "too-large"

    project.write_template("<text>x</text>")
    project.write_deck("  - name: Axe\n")
    project.write("targets/labels.toml", TARGET + 'colour = "grey"\n')
    with pytest.raises(CardgenError, match='colour = "grey" asks for more'):
        project.build(target="labels")
    project.write("targets/labels.toml", TARGET.replace("labels.pdf", "../labels.pdf"))
    with pytest.raises(CardgenError, match="unknown base"):
        project.build(target="labels")
