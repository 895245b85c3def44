"""Files for a press: the keys of PDF/X, and what Ghostscript makes of them on its plates."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, find_tool
from making import build
from PIL import Image, ImageChops, ImageMath
from pixels import narrow
from pypdf import PdfReader, PdfWriter

from cardgen.build.selection import Selection

INKS = ("Cyan", "Magenta", "Yellow", "Black")
FLAVOURS = ("press", "press-x1a")
TEXT = '<text x="6mm" y="6mm">A</text>'


def separate(path: Path, folder: Path, dpi: int = 60) -> list[dict[str, Image.Image]]:
    """The plates of each page, on which 255 is full ink."""
    folder.mkdir()
    command = [find_tool("gs"), "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiffsep"]
    out = ["-o", str(folder / "%03d.tif"), f"-r{dpi}", str(path)]
    subprocess.run([*command, *out], check=True, capture_output=True)
    pages = []
    for number in range(1, len(PdfReader(path).pages) + 1):
        plates = {}
        for ink in INKS:
            with Image.open(folder / f"{number:03d}({ink}).tif") as plate:
                plates[ink] = ImageChops.invert(plate.convert("L"))
        pages.append(plates)
    return pages


def find_most_ink(plates: dict[str, Image.Image]) -> float:
    """The most of all inks together on one pixel, in percent."""
    channels = {ink: plates[ink].convert("I") for ink in INKS}
    added = ImageMath.lambda_eval(lambda inks: sum(inks[ink] for ink in INKS), **channels)
    return float(added.getextrema()[1]) / 2.55


@pytest.fixture(scope="module")
def magic(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Some cards of the very deck for each target of a press."""
    folder = tmp_path_factory.mktemp("magic")
    few = Selection(None, 1, 9)
    targets = ("press", "press-x1a", "drivethru", "mbprint")
    return {name: build("magic", target=name, out=folder, selection=few).path for name in targets}


# Black text and how much ink there is


def write_cards(project: Project, bodies: Mapping[str, str]) -> None:
    """A deck in which each card has a body of its own, on sand."""
    attributes = 'size="40mm x 30mm" bleed="3mm"'
    ground = '<colour name="sand" cmyk="0 20 40 0"/>\n<box bleed="true" fill="sand"/>'
    for name, body in bodies.items():
        project.write_template(f"{ground}\n{body}", name, attributes)
    project.write_deck(
        "".join(f"  - {{name: {name}, template: {name}}}\n" for name in bodies), head=""
    )


@pytest.mark.parametrize("lettering", ["fonts", "outlines"])
def test_black_text_is_black_alone_and_overprints(
    project: Project, tmp_path: Path, lettering: str
) -> None:
    text = """<colour name="ink" {}/>
<style name="s" font="Alegreya Sans" size="20pt" colour="ink"/>
<text style="s" x="6mm" y="6mm">Mm</text>"""
    bodies = {
        "bare": "",
        "black": text.format('rgb="#000000"'),
        "white": text.format('cmyk="0 0 0 0"'),
        "blue": text.format('cmyk="100 60 0 0"'),
        "tint": text.format('cmyk="0 0 0 60"'),
        "shape": '<box x="6mm" y="6mm" width="5mm" height="5mm" fill="black"/>',
    }
    project.write(
        "targets/shop.toml", f'title = "S"\nextends = "press-x1a"\ntext = "{lettering}"\n'
    )
    write_cards(project, bodies)
    pages = separate(project.build(target="shop").path, tmp_path / "plates")
    plates = dict(zip(bodies, pages, strict=True))
    for ink in ("Cyan", "Magenta", "Yellow"):
        bare = plates["bare"][ink].tobytes()
        assert plates["black"][ink].tobytes() == bare
        for name in ("white", "blue", "tint", "shape"):
            if ink != "Cyan" or name == "blue":
                assert plates[name][ink].tobytes() != bare, (name, ink)
    assert plates["bare"]["Black"].getextrema() == (0, 0)
    assert plates["black"]["Black"].getextrema() == (0, 255)


def test_no_ink_but_black_lies_under_black_text_on_white(project: Project, tmp_path: Path) -> None:
    body = '<text x="6mm" y="6mm">Black on white</text>'
    project.write_template(body, attributes='size="50mm x 40mm" bleed="3mm"')
    project.write_deck()
    (plates,) = separate(project.build(target="press").path, tmp_path / "plates", 150)
    assert [plates[ink].getextrema()[1] for ink in INKS] == [0, 0, 0, 255]


@pytest.mark.parametrize(("target", "limit"), [("press", 300), ("drivethru", 240)])
def test_the_deck_keeps_its_limit(
    magic: dict[str, Path], tmp_path: Path, target: str, limit: int
) -> None:
    most = max(map(find_most_ink, separate(magic[target], tmp_path / "plates")))
    assert 100 < most <= limit


@pytest.mark.parametrize(("target", "limit"), [("press", 300), ("drivethru", 240)])
def test_everything_on_a_page_keeps_the_limit(
    project: Project, tmp_path: Path, target: str, limit: int
) -> None:
    """Shapes, strokes, texts, gradients and pictures, all of them too dark; and black text on a
    ground that leaves room for it, but for what Ghostscript rounds.
    """
    photo = Image.effect_noise((150, 120), 90).convert("RGB")
    photo.save(project.folder / "photo.png")
    photo.convert("CMYK").point(lambda value: min(255, value * 3)).save(
        project.folder / "dark.jpg", quality=100
    )
    Image.new("CMYK", (150, 120), (250, 240, 230, 255)).save(project.folder / "flat.jpg")
    body = """\
<colour name="dark" cmyk="100 90 80 95"/>
<colour name="edge" cmyk="90 90 90 60"/>
<gradient name="night" stops="dark, edge" angle="90"/>
<style name="s" font="Alegreya Sans" size="14pt" colour="dark"/>
<box bleed="true" fill="night"/>
<box x="2mm" y="2mm" width="10mm" height="8mm" fill="dark" stroke="edge" stroke-width="2pt"/>
<text style="s" x="6mm" y="18mm">Dark</text>
<image x="20mm" width="10mm" height="8mm" file="photo.png"/>
<image x="20mm" y="10mm" width="10mm" height="8mm" file="dark.jpg"/>
<image x="28mm" y="18mm" width="10mm" height="8mm" file="flat.jpg"/>
<colour name="full" cmyk="46.9 46.6 46.5 0"/><colour name="fuller" cmyk="66.9 66.6 66.5 0"/>
<box y="23mm" width="15mm" height="7mm" fill="full"/>
<box x="15mm" y="23mm" width="12mm" height="7mm" fill="fuller"/>
<style name="t" font="Alegreya Sans" size="9pt"/>
<text style="t" x="5mm" y="23.2mm">MMMMMMMM</text>"""
    project.write_template(body, attributes='size="40mm x 30mm" bleed="0.125in"')
    project.write_deck()
    project.write("targets/any.toml", f'title = "A"\nextends = "{target}"\nproducts = []\n')
    (plates,) = separate(project.build(target="any").path, tmp_path / "plates", 100)
    assert limit - 40 < find_most_ink(plates) <= limit + 0.01


# The keys


def read_keys(path: Path) -> dict[str, Any]:
    reader = PdfReader(path)
    root = reader.root_object
    intents: Any = root["/OutputIntents"]
    (intent,) = intents
    return {"reader": reader, "root": root, "intent": intent, "info": reader.metadata}


@pytest.mark.parametrize("target", [*FLAVOURS, "drivethru", "mbprint"])
def test_qpdf_has_nothing_to_say(magic: dict[str, Path], target: str) -> None:
    done = subprocess.run(
        [find_tool("qpdf"), "--check", str(magic[target])], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "WARNING" not in done.stdout


@pytest.mark.parametrize(
    ("target", "profile", "limit"),
    [
        ("press", "coated-fogra39-300", 300),
        ("press-x1a", "coated-fogra39-300", 300),
        ("drivethru", "coated-fogra39-240", 240),
        ("mbprint", "coated-fogra39-300", 300),
    ],
)
def test_the_output_intent_names_and_holds_the_profile(
    magic: dict[str, Path], target: str, profile: str, limit: int
) -> None:
    intent = read_keys(magic[target])["intent"]
    assert intent["/S"] == "/GTS_PDFX"
    assert intent["/OutputConditionIdentifier"] == "FOGRA39"
    assert intent["/RegistryName"] == "http://www.color.org"
    assert intent["/Info"].endswith(f"at most {limit}% ink")
    held = intent["/DestOutputProfile"]
    assert held["/N"] == 4
    assert held.get_data() == (Path("assets/profiles") / f"{profile}.icc").read_bytes()


def test_x4_says_what_it_is_in_xmp(magic: dict[str, Path]) -> None:
    keys = read_keys(magic["press"])
    data = magic["press"].read_bytes()
    assert data.startswith(b"%PDF-1.6") and b"/ObjStm" not in data
    assert b"<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in data
    xmp, info = keys["reader"].xmp_metadata, keys["info"]
    assert xmp.dc_title == {"x-default": info["/Title"]} == {"x-default": "Magic Items"}
    assert xmp.xmp_create_date == xmp.xmp_modify_date == info.creation_date.replace(tzinfo=None)
    assert xmp.xmp_creator_tool == info["/Creator"]
    assert xmp.pdf_producer == info["/Producer"]
    assert xmp.xmpmm_document_id.startswith("uuid:")
    assert b"<xmpMM:VersionID>1<" in data and b"<xmpMM:RenditionClass>default<" in data
    assert info["/Trapped"] == "/False" and "/GTS_PDFXVersion" not in info
    assert info["/CreationDate"] == info["/ModDate"]
    assert len(keys["reader"].trailer["/ID"]) == 2


@pytest.mark.parametrize("target", ["press-x1a", "drivethru", "mbprint"])
def test_x1a_says_what_it_is_in_its_information(magic: dict[str, Path], target: str) -> None:
    keys = read_keys(magic[target])
    data = magic[target].read_bytes()
    assert data.startswith(b"%PDF-1.4") and b"/ObjStm" not in data
    assert keys["info"]["/GTS_PDFXVersion"] == "PDF/X-1a:2003"
    assert keys["info"]["/Trapped"] == "/False"
    for key in ("SMask", "/CA ", "/ca ", "/BM", "/ViewerPreferences", "/DeviceRGB"):
        assert key.encode() not in data
    assert len(keys["reader"].trailer["/ID"]) == 2


@pytest.mark.parametrize("target", FLAVOURS)
def test_every_page_has_its_boxes(magic: dict[str, Path], target: str) -> None:
    for page in PdfReader(magic[target]).pages:
        assert "/ArtBox" not in page
        width, height = (float(side) for side in page.mediabox[2:])
        assert page.bleedbox == page.mediabox
        edge = float(page.trimbox.left)
        assert edge == pytest.approx(3 / 25.4 * 72, abs=0.01)
        assert float(page.trimbox.right) == pytest.approx(width - edge, abs=0.01)
        assert float(page.trimbox.top) == pytest.approx(height - edge, abs=0.01)


def test_only_what_a_press_has_is_used(magic: dict[str, Path]) -> None:
    for target, path in magic.items():
        reader = PdfReader(path)
        resources = reader.pages[0]["/Resources"]
        for state in resources["/ExtGState"].values():  # type: ignore[index]
            assert set(state.get_object()) == {"/Type", "/OP", "/op", "/OPM"}
        for shading in resources.get("/Shading", {}).values():  # type: ignore[attr-defined]
            assert shading.get_object()["/ColorSpace"] == "/DeviceCMYK"
        content = b"".join(list_content(reader))
        assert not re.search(rb"\b(rg|RG)\b", content), target


def list_content(reader: PdfReader) -> Iterator[bytes]:
    for page in reader.pages:
        contents = page.get_contents()
        assert contents is not None
        yield contents.get_data()
    for form in reader.pages[0]["/Resources"]["/XObject"].values():  # type: ignore[index]
        if form.get_object()["/Subtype"] == "/Form":
            yield form.get_object().get_data()


def test_pages_are_called_after_their_cards(magic: dict[str, Path]) -> None:
    labels = PdfReader(magic["drivethru"]).page_labels
    assert labels[14:16] == ["08 Crown of Command, back", "08 Crown of Command, front"]


def test_outlined_text_has_no_fonts_and_looks_the_same(
    magic: dict[str, Path], tmp_path: Path
) -> None:
    outlined = PdfReader(magic["mbprint"])
    assert "/Font" not in outlined.pages[0]["/Resources"]  # type: ignore[operator]
    assert outlined.pages[15].extract_text() == ""
    assert "Crown" in PdfReader(magic["press-x1a"]).pages[14].extract_text()
    names = ("mbprint", "press-x1a")
    # Drawn large and then made small: a path covers every pixel that it touches, a letter does not.
    sheets = [
        separate(keep_page(magic[name], 14, tmp_path), tmp_path / f"{name}-plates", 600)[0]
        for name in names
    ]
    for ink in INKS:
        apart = ImageChops.difference(*(sheet[ink].reduce(12) for sheet in sheets))
        assert max(apart.tobytes()) < 48
    assert sum(sheets[0]["Black"].reduce(12).histogram()[128:]) > 100


def keep_page(path: Path, number: int, folder: Path) -> Path:
    """One page of a file as a file of its own."""
    writer = PdfWriter()
    writer.add_page(PdfReader(path).pages[number])
    writer.write(folder / path.name)
    return folder / path.name


# Dates


def test_dates_are_those_of_the_deck_or_as_told(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write_template(TEXT, attributes='size="50mm x 40mm" bleed="3mm"')
    deck = project.write_deck()
    os.utime(deck, (1_700_000_000, 1_700_000_000))
    first = project.build(target="press").path.read_bytes()
    assert project.build(target="press").path.read_bytes() == first
    assert PdfReader(BytesIO(first)).metadata["/ModDate"] == "D:20231114221320Z"  # type: ignore[index]
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    told = PdfReader(project.build(target="press").path)
    assert told.metadata["/CreationDate"] == "D:19700102000000Z"  # type: ignore[index]


def test_parts_drawn_apart_make_the_same_file(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = """<colour name="red" rgb="#8a1c1c"/>
<text x="6mm" y="6mm" width="30mm">{{ card.name }}</text>
<box x="6mm" y="20mm" width="30mm" height="5mm" fill="red"/>"""
    project.write_template(body, attributes='size="poker" bleed="3mm"')
    project.write_deck("".join(f"  - name: Card {n}\n" for n in range(120)))
    made = {}
    for count in (1, 3):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        path = project.build(target="mbprint").path
        made[count] = path.read_bytes(), (path.parent / f"{path.stem}.job.json").read_bytes()
    assert made[1] == made[3]


# Transparency


def save_picture(project: Project, alphas: Sequence[int]) -> None:
    picture = Image.new("RGBA", (len(alphas), 4), (200, 30, 30, 255))
    for x, alpha in enumerate(alphas):
        picture.paste((200, 30, 30, alpha), (x, 0, x + 1, 4))
    picture.resize((40 * len(alphas), 160), Image.Resampling.NEAREST).save(
        project.folder / "seal.png"
    )
    body = """<colour name="sky" cmyk="40 0 0 0"/>
<box bleed="true" fill="sky"/><image x="6mm" y="6mm" width="10mm" height="10mm"
 file="seal.png"/>"""
    project.write_template(body, attributes='size="50mm x 40mm" bleed="3mm"')
    project.write_deck("  - name: Sword\n  - name: Bow\n")


def test_a_clear_background_is_a_mask_without_transparency(
    project: Project, tmp_path: Path
) -> None:
    save_picture(project, [0, 0, 255, 255])
    paths = {target: project.build(target=target).path for target in FLAVOURS}
    assert b"SMask" not in paths["press-x1a"].read_bytes()
    assert b"SMask" in paths["press"].read_bytes()
    plates = [separate(paths[target], tmp_path / target)[0] for target in FLAVOURS]
    for ink in INKS:
        apart = ImageChops.difference(plates[0][ink], plates[1][ink]).histogram()
        assert sum(apart[1:]) < 60  # pixels on the edges of the seal, which covers 280
    assert max(plates[0]["Magenta"].tobytes()) > 200  # the seal is there
    assert max(plates[0]["Cyan"].tobytes()) > 90


CLEAR = """<colour name="sky" cmyk="40 0 0 0"/><colour name="sun" cmyk="0 20 90 0"/>
<colour name="rust" cmyk="10 70 80 20"/>
<box bleed="true" fill="sky"/>
<text x="30mm" y="10mm">Below</text>
<box x="4mm" y="6mm" width="20mm" height="14mm" fill="rust" opacity="0.5"/>
<box x="16mm" y="14mm" width="20mm" height="14mm" fill="sun" blend="multiply" turn="30"/>
<image x="30mm" y="26mm" width="10mm" height="10mm" file="seal.png"/>
<text x="20mm" y="18mm" colour="white" bold="700">**Above**</text>"""


def test_what_shines_through_becomes_pixels_in_the_inks_of_the_press(
    project: Project, tmp_path: Path
) -> None:
    """By an independent renderer the same inks lie everywhere but on edges."""
    save_picture(project, [0, 128, 200, 255])
    project.write_template(CLEAR, attributes='size="50mm x 40mm" bleed="3mm"')
    paths = {target: project.build(target=target).path for target in FLAVOURS}
    flat = paths["press-x1a"].read_bytes()
    assert not re.search(rb"/SMask|/ca |/BM|/S/Transparency", flat)
    assert {"Below", "Above"} <= set(PdfReader(paths["press-x1a"]).pages[0].extract_text().split())
    plates = [separate(paths[target], tmp_path / target)[0] for target in FLAVOURS]
    for ink in INKS:
        apart = ImageChops.difference(plates[0][ink], plates[1][ink])
        # What is not on an edge stays when each spot shrinks by two pixels.
        assert max(narrow(narrow(apart)).tobytes()) <= 3, ink
    # Half of the rust lies over half of the sky.
    at = (round(13 / 25.4 * 60), round(20 / 25.4 * 60))
    seen = [plates[1][ink].getpixel(at) for ink in INKS]
    assert seen == pytest.approx([0.25 * 255, 0.35 * 255, 0.4 * 255, 0.1 * 255], abs=3)


# Bleed


def test_too_little_bleed_is_refused_with_the_arithmetic(project: Project) -> None:
    project.write_template(TEXT, attributes='size="poker" bleed="2mm"')
    project.write_deck()
    ran = project.run("build", "deck", "--target", "drivethru")
    assert ran.code == 1
    assert ran.stderr == (
        'templates/plain.xml:1:1: the template "plain" bleeds too little for the target '
        '"drivethru": 3.18mm are needed, and it has 2mm at the left\n'
        '  hint: write bleed="3.18mm" there, and paint as far; or bleed_x = "2mm" in a target of '
        "your own\n"
    )


# The job ticket


def test_the_ticket_says_what_the_file_is(magic: dict[str, Path]) -> None:
    path = magic["drivethru"]
    ticket = json.loads(path.with_suffix(".job.json").read_text("utf-8"))
    assert (ticket["file"], ticket["deck"], ticket["title"]) == (path.name, "magic", "Magic Items")
    assert ticket["trim_mm"] == [63.5, 88.9]
    assert set(ticket["bleed_mm"].values()) == {ticket["safe_mm"]} == {3.175}
    assert ticket["pages"] == len(PdfReader(path).pages) == 2 * ticket["copies"]
    assert sum(design["copies"] for design in ticket["designs"]) == ticket["copies"]
    assert (ticket["order"], ticket["flavour"]) == ("back-front", "PDF/X-1a:2003")
    assert ticket["spot_colours"] == []
    assert 100 < ticket["total_ink"]["highest"] <= ticket["total_ink"]["limit"] == 240
    assert {"space": "cmyk", "percent": [0, 0, 0, 100]} in ticket["colours"]
    assert {font["kept"] for font in ticket["fonts"]} == {"embedded"}
    fonts = PdfReader(path).pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    assert len(ticket["fonts"]) == len(fonts)
    text = path.with_suffix(".job.txt").read_text("utf-8")
    for said in (
        "63.5mm x 88.9mm",
        "Bleed:        3.175mm; pages are 69.85mm x 95.25mm",
        "Safe area:    3.175mm within the trim",
        "each back, then its front",
        "at most 240%",
        "Crown of Command",
    ):
        assert said in text


@pytest.mark.parametrize(
    ("backs", "options", "order", "empty", "told"),
    [
        (["none", "none"], [], "fronts", 0, "2: fronts alone"),
        (["behind", "behind"], [], "back-front", 0, "4: each back, then its front"),
        (
            *(["behind", "none"], [], "back-front", 1),
            "4: each back, then its front; empty pages for cards without a back: 1",
        ),
        (["behind", "behind"], ["--backs"], "backs", 0, "2: backs alone"),
        (
            *(["behind", "none"], ["--target", "apart"], "fronts-backs", 0),
            "3: all fronts, then the backs; backs that look the same are there once",
        ),
        (
            *(["none", "behind"], ["--reverse"], "back-front", 1),
            "4: each back, then its front; empty pages for cards without a back: 1; the last page "
            "comes first",
        ),
    ],
)
def test_the_ticket_tells_the_order_that_the_pages_have(
    project: Project, backs: list[str], options: list[str], order: str, empty: int, told: str
) -> None:
    project.write_template(TEXT, attributes='size="50mm x 40mm" bleed="3mm"')
    project.write_template(TEXT, "behind", 'size="50mm x 40mm" bleed="3mm"')
    cards = "".join(f"  - {{name: Card, id: c{n}, back: {name}}}\n" for n, name in enumerate(backs))
    project.write_deck(cards)
    project.write(
        "targets/pairs.toml", 'title = "P"\nextends = "press-x1a"\norder = "back-front"\n'
    )
    project.write(
        "targets/apart.toml",
        'title = "A"\nextends = "press-x1a"\norder = "fronts-backs"\nbacks = "once"\n',
    )
    ran = project.run("build", "deck", "--target", "pairs", *options, "--out", "out")
    assert (ran.code, ran.stderr) == (0, "")
    (told_to_people,), (told_to_programs,) = (
        list((project.folder / "out").glob(f"*.job.{end}")) for end in ("txt", "json")
    )
    ticket = json.loads(told_to_programs.read_text("utf-8"))
    assert [design["back"] for design in ticket["designs"]] == [name != "none" for name in backs]
    without = told_to_people.read_text("utf-8").count("  Card, without a back\n")
    assert without == (backs.count("none") if "behind" in backs else 0)
    assert (ticket["order"], ticket["empty_backs"]) == (order, empty)
    assert f"\nPages:        {told}\n" in told_to_people.read_text("utf-8")


def test_the_build_names_the_ticket(project: Project) -> None:
    project.write_template(TEXT, attributes='size="poker" bleed="3mm"')
    project.write_deck()
    ran = project.run("build", "deck", "--target", "mbprint")
    assert ran.stdout == (
        "output/deck-mbprint.pdf: 1 card on 1 page for Poker; job ticket: deck-mbprint.job.txt\n"
    )
    text = (project.folder / "output/deck-mbprint.job.txt").read_text("utf-8")
    assert "all outlined" in text
    assert "output/deck-mbprint.job.json" in project.list_files()
