"""The cases of new projects, and of what docs and tests hold: examples, templates, texts and PDFs.

All files come from the checkout before, so that they may move in the one after.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from xml.sax.saxutils import escape

from bench.compare.cases import Case, Change, Known, Step, Write, make_case, run


def list_example_cases(known: Known) -> Iterator[Case]:
    """All of them, those that take longest first."""
    for maker in (
        _import_texts,
        _preflight,
        _read_docs,
        _go_through_tutorial,
        _make_projects,
        _fill_golden,
    ):
        yield from maker(known)


# Projects, docs, tests


def _make_projects(_known: Known) -> Iterator[Case]:
    """All combinations, also those that are refused."""
    for like in ("", "magic", "tactics", "artillery", "playsheet", "blank"):
        for form in ("", "table", "yaml", "markdown"):
            options = f"{f'--like {like}' if like else ''} {f'--from {form}' if form else ''}"
            inside = ("build", "build --target letter --look plain", "list", "check mine --json")
            yield make_case(
                f"new-{like or 'none'}-{form or 'none'}",
                run(f"new mine {options}"),
                run(f"new mine {options}"),
                run(f"new mine --force {options}"),
                Write("mine/.keep", b""),
                *(run(line, folder="mine") for line in inside),
                run("show mine", folder="mine"),
            )


_FENCED = re.compile(r"^```(\w+)[ ]?([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PLACES = {
    "csv": "decks/{}.csv",
    "markdown": "decks/{}.md",
    "toml": "targets/{}.toml",
    "xml": "templates/{}.xml",
    "yaml": "decks/{}.yaml",
}


def _read_docs(known: Known) -> Iterator[Case]:
    """Every example of the docs: decks, templates and targets with the deck that all share."""
    examples = list(_list_examples(known))
    items = next(text for language, name, text in examples if (language, name) == _ITEMS)
    table = next(text for language, _, text in examples if language == "csv")
    files: list[Step] = [Write("decks/items.xlsx", make_workbook(table))]
    files += [Write(f"pictures/{name}.png", _find_picture(known)) for name in ("crown", "dusk")]
    steps: list[Step] = []
    decks: list[str] = []
    for language, name, text in examples:
        place = _PLACES[language].format(name)
        if language == "xml":
            own = re.sub("^template: .*", f"template: {name}", items, flags=re.MULTILINE)
            files.append(Write(f"decks/xml-{name}.yaml", own.encode()))
            decks.append(f"xml-{name}")
            if not text.startswith("<template"):
                text = f'<template size="poker" bleed="3mm">\n{text}</template>\n'
        elif language == "toml":
            steps.append(run(f"build items --target {name}"))
        else:
            decks.append(place)
            steps += [run(f"show {place} --json"), run(f"check {place} --json")]
        files.append(Write(place, text.encode()))
    lists = [run(command) for command in ("list", "templates", "targets")]
    builds = [run(line, *decks) for line in ("build", "build --target letter")]
    yield make_case("docs-build", *files, *builds)
    yield make_case("docs-show", *files, *lists, *steps)


_ITEMS = ("yaml", "items")


def _list_examples(known: Known) -> Iterator[tuple[str, str, str]]:
    """The language, name and text of each."""
    for page in known.find("docs/*.md"):
        for language, marks, text in _FENCED.findall(page.read_text("utf-8")):
            name = re.search(r"\bexample=(\S+)", marks)
            if name:
                yield language, name[1], text


def _find_picture(known: Known) -> bytes:
    return known.find("tests/layout/golden/pictures/*.png")[0].read_bytes()


def make_workbook(table: str) -> bytes:
    """A table as a workbook of one sheet, the same bytes each time."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    rows = "".join(
        "<row>"
        + "".join(f'<c t="inlineStr"><is><t>{escape(cell)}</t></is></c>' for cell in row)
        + "</row>"
        for row in csv.reader(io.StringIO(table))
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kind}.sheet.main+xml"/>'
        f'<Override PartName="/xl/sheet.xml" ContentType="{kind}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Weapons" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="sheet.xml"/></Relationships>',
        "xl/sheet.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as book:
        for name, text in parts.items():
            book.writestr(zipfile.ZipInfo(name), f'<?xml version="1.0"?>{text}')
    return file.getvalue()


def _go_through_tutorial(known: Known) -> Iterator[Case]:
    steps: list[Step] = []
    folder = "."
    for language, what, text in _FENCED.findall(known.read("docs/tutorial.md").decode()):
        deed, _, name = what.partition("=")
        path = f"{_FOLDER}/{name}"
        if language == "console":
            for line in re.findall(r"^\$ (.*)", text, re.MULTILINE):
                if line.startswith("cd "):
                    folder = f"{folder}/{line.removeprefix('cd ')}"
                else:
                    steps.append(run(line.removeprefix("cardgen "), folder=folder))
        elif deed == "write":
            steps.append(Write(path, text.encode()))
        elif deed == "change":
            old, new = text.splitlines()
            steps.append(Change(path, old, new))
    yield make_case("tutorial", *steps)


def _fill_golden(known: Known) -> Iterator[Case]:
    """The templates of the tests, each with the cards of the tests."""
    deck = known.read("tests/layout/golden/cards.yaml").decode()
    files = [
        Write(f"{path.parent.name}/{path.name}", path.read_bytes())
        for pattern in ("tests/layout/golden/templates/*", "tests/layout/golden/pictures/*")
        for path in known.find(pattern)
    ]
    names = [path.stem for path in known.find("tests/layout/golden/templates/*.xml")]
    decks = [Write(f"decks/{n}.yaml", f"template: {n}\n{deck}".encode()) for n in names]
    lines = ("build", "build --look plain --target letter", "build --target press --out press",
             "build --target png --dpi 100 --out png")  # fmt: skip
    steps = [run(line, *names) for line in lines]
    yield make_case("golden", *files, *decks, *steps, *(run(f"check {n} --json") for n in names))


# What others wrote


def _preflight(known: Known) -> Iterator[Case]:
    for target in known.targets:
        if target in ("png", "gamecrafter", "makeplayingcards", "tts"):
            continue
        file = f"out/tactics{'' if target == 'a4' else f'-{target}'}.pdf"
        yield make_case(
            f"preflight-{target}",
            run(f"build tactics --target {target} --out out"),
            run(f"preflight {file}"),
            run(f"preflight {file} --json --target {target}"),
        )
    yield make_case(
        "preflight-for-another",
        run("build tactics"),
        run("preflight output/tactics.pdf --target press-x1a"),
    )
    steps: list[Step] = []
    for path in known.find("tests/preflight/files/*.pdf"):
        steps.append(Write(path.name, path.read_bytes()))
        for options in ("", "--json", "--target press", "--target a4 --json"):
            steps.append(run(f"preflight {path.name} {options}"))
    broken = (Write("text.pdf", b"no PDF at all"), Write("empty.pdf", b""))
    lines = ("text.pdf", "empty.pdf", "none.pdf", ". --json", "text.pdf --json --target nothing")
    yield make_case("preflight-others", *steps, *broken, *(run(f"preflight {s}") for s in lines))


_TEXTS = (".txt", ".md", ".docx", ".pdf")
_IMPORTS = 24  # texts in a case
_FOLDER = "tests/importing/texts"


def _import_texts(known: Known) -> Iterator[Case]:
    """Each text of the tests as a deck, and what is made of it once more."""
    for kind, suffix in (("import", "yaml"), ("import/unseen", "yaml"), ("import/sheets", "md"),
                         ("import/sheets/unseen", "md")):  # fmt: skip
        paths = known.find(f"{_FOLDER}{kind.removeprefix('import')}/*", *_TEXTS)
        if suffix == "md":
            paths = [path for path in paths if path.suffix == ".txt"]
        for start in range(0, len(paths), _IMPORTS):
            steps: list[Step] = []
            some = paths[start : start + _IMPORTS]
            for path in some:
                deck = f"decks/{path.stem}.{suffix}"
                steps.append(Write(path.name, path.read_bytes()))
                steps.append(run(f"import {path.name} -o {deck} --report out/{path.stem}.json"))
            built = [f"decks/{path.stem}.{suffix}" for path in some]
            yield make_case(f"{kind.replace('/', '-')}-{start}", *steps, run("build", *built))
    yield from _import_otherwise(known)


def _import_otherwise(known: Known) -> Iterator[Case]:
    """The options of import, a second time, tables and data."""
    texts = ("rulebook-ranks.txt", "scan.txt", "signs.txt", "colon.txt")
    files = [Write(name, known.read(f"{_FOLDER}/{name}")) for name in texts]
    options = (
        "--ranks table --title Mine",
        "--report r.html --force",
        "--report r.txt --force",
        "--strict",
    )
    steps = [
        run(f"import {name} -o decks/{name[:4]}-{number}.yaml {option}")
        for name in texts
        for number, option in enumerate(options)
    ]
    answers = ("\n" * 60, "n\n" * 60, "?\nq\n", "")
    reviews = [
        run(f"import signs.txt -o decks/r{n}.yaml --review", typed=typed)
        for n, typed in enumerate(answers)
    ]
    yield make_case("import-options", *files, *steps, *reviews)
    again = run("import colon.txt scan.txt -o decks/two.yaml")
    yield make_case(
        "import-again",
        *files,
        again,
        again,
        Change("decks/two.yaml", "the", "a"),
        Change("scan.txt", "the", "some"),
        again,
        run("import scan.txt -o decks/two.yaml --strict"),
        run("import scan.txt -o decks/two.yaml --force"),
        run("import none.txt -o decks/none.yaml"),
        run("import scan.txt -o decks/two.pdf"),
        run("build two"),
    )
    table = "Name,Copies,Points,Effect,Lord\nDrum,2,-5,Loud.,Ann\nHorn,,10 pts,Louder.,\n,,,,\n"
    cards = '[{"name": "Drum", "text": "Loud.", "count": 2}, {"name": "Horn", "odd": [1, null]}]'
    sources = {
        "a.csv": table.encode("utf-8-sig"),
        "b.csv": table.replace(",", ";").encode("utf-16"),
        "c.tsv": table.replace(",", "\t").encode(),
        "d.xlsx": make_workbook(table),
        "e.json": cards.encode(),
        "f.json": f'{{"data": {{"cards": {cards}}}}}'.encode(),
        "g.json": b"{]",
        "h.csv": b"",
        "i.html": b"<h1>Arms</h1><p><b>Drum</b></p><p>Cost: 5</p><p>Loud.</p>",
    }
    files = [Write(name, content) for name, content in sources.items()]
    options = ("", "--map name=Effect,text=Name", "--cards-at data.cards", "--sheet Weapons")
    lines = [
        f"import {name} -o decks/{name[0]}{number}.yaml {option} --report {name[0]}{number}.txt"
        for name in sources
        for number, option in enumerate(options)
    ]
    built = [f"decks/{name[0]}0.yaml" for name in sources]
    yield make_case("import-tables", *files, *map(run, lines), run("build", *built))
