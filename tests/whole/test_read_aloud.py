"""PDFs as a screen reader has them: every deck, by the rules of PDF/UA that can be told here, and
the words of some in the order in which they are read.

veraPDF judges all of PDF/UA-1, where `VERAPDF` names a command that runs it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pytest
import yaml
from conftest import Project
from making import build
from pypdf import PdfReader
from reading import read_aloud
from test_templates import ENGLISH, PRINTED_AS, SIZES

from bench.decks import LOOKS, write_deck
from cardgen.build.pipeline import build_deck
from cardgen.build.plan import BuildOptions
from cardgen.build.selection import Selection
from cardgen.core.errors import CardgenError

GOLDEN = Path(__file__).parent / "aloud"
ROOT = Path(__file__).parents[2]
DECKS = sorted(path.stem for path in (ROOT / "decks").glob("*.*") if path.stem.count(".") == 0)
READ = {
    "magic": "sword*",
    "magic-box": None,
    "magic-rulebook": "rod*",
    "playsheet": None,
    "cards-sheet": None,
    "artillery": "cannon",
    "tactics": "[no]*",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    out = tmp_path_factory.mktemp("aloud")
    return {name: build_deck(name, BuildOptions(out=out)).path for name in DECKS}


@pytest.mark.parametrize("name", DECKS)
def test_every_deck_can_be_read_aloud(files: dict[str, Path], name: str) -> None:
    assert list(find_faults(files[name])) == []


def test_a_file_without_tags_is_found_at_fault(tmp_path: Path) -> None:
    path = build_deck("magic", BuildOptions(out=tmp_path, untagged=True)).path
    assert "no structure" in list(find_faults(path))


def test_tags_take_little_room(tmp_path: Path) -> None:
    """A deck of texts alone has the most of them."""
    deck = write_deck(LOOKS["poker-basic"], 90, 5, tmp_path).path
    tagged, plain = (
        build(deck, out=tmp_path / str(untagged), untagged=untagged).path
        for untagged in (False, True)
    )
    assert list(find_faults(tagged)) == []
    assert 1 < tagged.stat().st_size / plain.stat().st_size < 1.09


@pytest.mark.parametrize("spoil", ["number", "alt", "owner", "row", "title"])
def test_each_fault_is_found(files: dict[str, Path], tmp_path: Path, spoil: str) -> None:
    with pikepdf.open(files["playsheet" if spoil == "row" else "magic"]) as file:
        page = file.pages[0]
        if spoil == "number":
            content = page.Contents.read_bytes()
            page.Contents.write(content.replace(b"/H1<</MCID", b"/H1<</MCID 9", 1))
        elif spoil == "owner":
            file.Root.StructTreeRoot.ParentTree.Nums[1][0] = file.Root.StructTreeRoot.K[0]
        elif spoil == "title":
            del file.Root.Metadata
        else:
            role = "/Figure" if spoil == "alt" else "/TR"
            element = next(e for e in list_elements(file) if str(e.S) == role)
            if spoil == "alt":
                del element.Alt
            else:
                element.P.K = element.P.K[1:]
                element.P.K[0].K = element.P.K[0].K[:1]
        file.save(tmp_path / "spoiled.pdf")
    assert len(list(find_faults(tmp_path / "spoiled.pdf"))) >= 1


@pytest.mark.parametrize("name", READ)
def test_what_is_read(tmp_path: Path, name: str, request: pytest.FixtureRequest) -> None:
    """The words of a face in the order in which a person reads it."""
    options = BuildOptions(out=tmp_path, selection=Selection(READ[name]), sides="fronts")
    compare(name, build_deck(name, options).path, request)


@pytest.mark.parametrize("template", SIZES)
def test_what_is_read_of_a_template(
    project: Project, template: str, request: pytest.FixtureRequest
) -> None:
    deck = {"template": template, **PRINTED_AS.get(template, {}), "cards": [ENGLISH]}
    text = yaml.safe_dump(deck, allow_unicode=True, sort_keys=False)
    project.write("decks/deck.yaml", text)
    compare(template, build("decks/deck.yaml").path, request)


def compare(name: str, path: Path, request: pytest.FixtureRequest) -> None:
    read, golden = read_aloud(path), GOLDEN / f"{name}.txt"
    if request.config.getoption("--renew-golden"):
        golden.write_text(read, encoding="utf-8")
    assert list(find_faults(path)) == []
    assert read == golden.read_text(encoding="utf-8")


def test_no_golden_text_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == {*READ, *SIZES}


def test_copies_are_read_once_and_backs_that_are_alike_with_the_first(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text><icon name='sword' y='20mm'/>")
    project.write_template("<text>The back</text>", "back")
    cards = "- {name: A, count: 3}\n- name: B\n"
    project.write("decks/deck.yaml", f"template: plain\nback: back\ncards:\n{cards}")
    read = read_aloud(build("decks/deck.yaml").path).replace(" ", "")
    card = "Sect\nH1:{}\nFigure:sword\n"
    assert read == "Document\n" + card.format("A") + card.format("B") + "SectA\nP:Theback\n"


def test_icons_speak_the_language_of_the_deck(project: Project) -> None:
    project.write_template(
        "<text>{{ card.name }}</text><text y='9mm'>{{ card.text }}</text>"
        '<icon name="shield" y="20mm" alt=""/><icon name="crown" y="30mm" alt="{{ card.name }}"/>'
    )
    cards = "- name: A\n  text: 'Mit :sword: auf :die-5: Bogen :bow:'\n"
    project.write("decks/deck.yaml", f"template: plain\nlanguage: de\ncards:\n{cards}")
    lines = read_aloud(build("decks/deck.yaml").path).split("\n")
    # The text says "Bogen", so that its icon is not read.
    assert [line.strip() for line in lines[2:-1]] == [
        "H1: A",
        "P: Mit Schwert auf 5 Bogen",
        "Figure: A",
    ]


def test_a_form_and_a_turned_box_say_what_they_hold(project: Project) -> None:
    """What is the same on every card is one form, and says all it holds in a row."""
    project.write_template(
        '<box turn="180"><text>{{ card.name }}</text>'
        '<text y="9mm">A **turn**, :sword:!</text></box>'
        '<box><text y="20mm">In **bold**,\\\n:die-6:</text>'
        '<text y="30mm">too</text></box>'
    )
    project.write_deck("- name: A\n- name: B\n")
    read = read_aloud(build("decks/deck.yaml").path)
    for name in "AB":
        lines = ["Sect", f"H1: {name}", "P: A turn, sword !", "P: In bold, 6 too"]
        assert "\n".join(f"{'  ' if n == 0 else '    '}{x}" for n, x in enumerate(lines)) in read


def test_words_for_what_is_the_same_on_every_card(project: Project) -> None:
    project.write_template(
        '<text>{{ card.name }}</text><box><text y="9mm" alt="two hits">2</text>'
        '<text y="20mm" alt="">II</text><text y="30mm">Range</text></box>'
    )
    project.write_deck("- name: A\n- name: B\n")
    read = read_aloud(build("decks/deck.yaml").path)
    assert read.count("    P: two hits Range\n") == 2 and "II" not in read


def test_an_icon_before_a_heading_is_an_ornament(project: Project) -> None:
    project.write_template(
        '<text heading="true">{{ deck.title }}</text><flow y="10mm">{{ card.text }}</flow>',
        attributes='size="a6"',
    )
    text = "# :crown: One\n    # :crown:\n    # Two :crown:\n    :crown: more\n"
    project.write("decks/deck.yaml", f"template: plain\ncards:\n- name: S\n  text: |\n    {text}")
    lines = read_aloud(build("decks/deck.yaml").path).split("\n")
    assert [line.strip() for line in lines[3:-1]] == [
        "H2: One",
        "H2: crown",
        "H2: Two crown",
        "P: crown more",
    ]


def test_lists_tables_and_headings_of_a_sheet(project: Project) -> None:
    project.write_template(
        '<text heading="true">{{ deck.title }}</text><flow y="10mm">{{ card.text }}</flow>',
        attributes='size="a6"',
    )
    text = "# One\n\n### Three\n\n- a\n  1. b\n\n  more\n- c\n\n| x | |\n|---|---|\n| | y |\n"
    indented = text.replace("\n", "\n    ")
    project.write(
        "decks/deck.yaml", f"template: plain\ncards:\n- name: S\n  text: |\n    {indented}\n"
    )
    lines = read_aloud(build("decks/deck.yaml").path).split("\n")
    assert [line[4:] for line in lines[2:-1]] == [
        "H1: Deck",
        "H2: One",
        "H3: Three",
        "L",
        "  LI",
        "    Lbl: •",
        "    LBody: a",
        "      L",
        "        LI",
        "          Lbl: 1.",
        "          LBody: b",
        "      P: more",
        "  LI",
        "    Lbl: •",
        "    LBody: c",
        "Table",
        "  TR",
        "    TH: x",
        "  TR",
        "    TD: ",
        "    TD: y",
    ]


def test_words_of_two_lines_are_told_apart(project: Project) -> None:
    project.write_template('<text width="24mm" hyphenate="true">{{ card.text }}</text>')
    text = "incomprehensible representations are well-mannered"
    project.write("decks/deck.yaml", f"template: plain\ncards:\n- name: A\n  text: {text}\n")
    path = build("decks/deck.yaml").path
    assert f"P: {text}\n" in read_aloud(path).replace("\u00ad", "")
    assert PdfReader(path).pages[0].extract_text().count("\n") > 1


def test_an_archive_holds_all_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One colour space with its profile, and metadata that say what the information says."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "951868799")
    path = build_deck("magic", BuildOptions(out=tmp_path, archive=True)).path
    assert list(find_faults(path)) == []
    with pikepdf.open(path) as file:
        assert str(file.docinfo.CreationDate) == "D:20000229235959Z"
        (intent,) = file.Root.OutputIntents
        assert (str(intent.S), int(intent.DestOutputProfile.N)) == ("/GTS_PDFA1", 3)
        assert intent.DestOutputProfile.read_bytes()[16:20] == b"RGB "
        with file.open_metadata() as metadata:
            assert (metadata["pdfaid:part"], metadata["pdfaid:conformance"]) == ("2", "A")
            assert metadata["dc:title"] == str(file.docinfo.Title)
            assert metadata["xmp:CreateDate"] == "2000-02-29T23:59:59Z"
        content = [file.pages[0].Contents, *file.pages[0].Resources.XObject.values()]
        for stream in content:
            operators = {str(i.operator) for i in pikepdf.parse_content_stream(stream)}
            assert not operators & {"k", "K"}
        for shading in file.pages[0].Resources.get("/Shading", {}).values():
            assert str(shading.ColorSpace) in ("/DeviceRGB", "/DeviceGray")
    assert build_deck("magic", BuildOptions(out=tmp_path, archive=True)).path.read_bytes() == (
        path.read_bytes()
    )


@pytest.mark.parametrize(("target", "untagged"), [("press", False), ("png", False), ("a4", True)])
def test_what_is_no_archive_is_refused(tmp_path: Path, target: str, untagged: bool) -> None:
    options = BuildOptions(target, out=tmp_path, untagged=untagged, archive=True)
    with pytest.raises(CardgenError) as caught:
        build_deck("magic", options)
    assert caught.value.problems[0].code == "build/no-archive"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif("VERAPDF" not in os.environ, reason="it is run by hand: see CONTRIBUTING.md")
@pytest.mark.parametrize("target", ["a4", "letter", "one-up"])
@pytest.mark.parametrize("rules", ["ua1", "2a"])
def test_verapdf_finds_no_fault(tmp_path: Path, target: str, rules: str) -> None:
    for name in DECKS:
        for look in (None, "plain"):
            out = tmp_path / str(look)
            build_deck(name, BuildOptions(target, look, out=out, archive=rules == "2a"))
    command = [os.environ["VERAPDF"], rules, *map(str, tmp_path.glob("*/*.pdf"))]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout


def list_elements(file: pikepdf.Pdf) -> Iterator[Any]:
    waiting = [file.Root.StructTreeRoot.K[0]]
    while waiting:
        element = waiting.pop()
        yield element
        waiting += reversed([kid for kid in list_kids(element) if not isinstance(kid, int)])


def list_kids(element: Any) -> list[Any]:
    kids = element.get("/K", [])
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def find_faults(path: Path) -> Iterator[str]:
    """Yield what keeps a screen reader from reading a file."""
    with pikepdf.open(path) as file:
        root = file.Root
        if "/StructTreeRoot" not in root or not root.MarkInfo.Marked:
            yield "no structure"
            return
        if "/Metadata" not in root or b"<pdfuaid:part>1<" not in root.Metadata.read_bytes():
            yield "no metadata"
        if not root.ViewerPreferences.DisplayDocTitle or not str(root.Lang):
            yield "no title or language"
        owners = pikepdf.NumberTree(root.StructTreeRoot.ParentTree)
        for number, page in enumerate(file.pages):
            yield from find_page_faults(number, page, owners[int(page.StructParents)])
        level = 0
        for element in list_elements(file):
            yield from find_element_faults(element, level)
            role = str(element.S)
            if role[1] == "H":
                level = int(role[2:])


def find_page_faults(number: int, page: Any, owners: Any) -> Iterator[str]:
    """Yield content that belongs to nothing, and numbers that no element knows."""
    seen: list[int] = []
    depth: list[bool] = []  # for each marked piece around the operator: whether it counts
    for instruction in pikepdf.parse_content_stream(page):
        operands: Any = instruction.operands
        name = str(instruction.operator)
        if name in ("BMC", "BDC"):
            known = operands[1].get("/MCID") if name == "BDC" else None
            counts = known is not None or str(operands[0]) == "/Artifact"
            if counts and any(depth):
                yield f"page {number}: marked content within marked content"
            if known is not None:
                seen.append(int(known))
            depth.append(counts)
        elif name == "EMC":
            depth.pop()
        elif name in ("Tj", "TJ", "f", "f*", "S", "B", "B*", "sh", "Do") and not any(depth):
            yield f"page {number}: {name} is not marked"
    if sorted(seen) != list(range(len(owners))):
        yield f"page {number}: the numbers of content are not those of the tree"
        return
    for known in seen:
        owner = owners[known]
        if known not in [kid for kid in list_kids(owner) if isinstance(kid, int)]:
            yield f"page {number}: content {known} is not among the kids of its element"
        elif owner.Pg.objgen != page.objgen:
            yield f"page {number}: content {known} belongs to an element of another page"


def find_element_faults(element: Any, level: int) -> Iterator[str]:
    role = str(element.S)
    for kid in list_kids(element):
        if not isinstance(kid, int) and kid.P.objgen != element.objgen:
            yield f"{role}: a kid does not know its parent"
    if role == "/Figure" and not str(element.get("/Alt", "")):
        yield "a figure without words"
    if role[1] == "H" and int(role[2:]) > level + 1:
        yield f"{role} stands below level {level}"
    if role == "/Table":
        widths = {
            sum(int(cell.get("/A", {}).get("/ColSpan", 1)) for cell in list_kids(row))
            for row in list_kids(element)
        }
        if len(widths) != 1:
            yield f"a table with rows of {widths} cells"
