"""The commands that `bench.compare` runs with both checkouts, and the files that they read.

All files come from the checkout before, so that tests and docs may move in the one after.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import shlex
import subprocess
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

EPOCH = 1_700_000_000


@dataclass(frozen=True, slots=True)
class Run:
    """A command; `typed` is what a user types into it."""

    arguments: tuple[str, ...]
    folder: str = "."
    typed: str = ""
    program: str = "cardgen"

    def __str__(self) -> str:
        return f"{self.program} {shlex.join(self.arguments)}"


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Change:
    """A text in a file becomes another."""

    path: str
    old: str
    new: str


Step = Run | Write | Change


@dataclass(frozen=True, slots=True)
class Case:
    """Steps that share a folder, empty at first."""

    name: str
    steps: tuple[Step, ...]

    @property
    def key(self) -> str:
        return hashlib.sha256(repr((self.name, self.steps, EPOCH)).encode()).hexdigest()[:20]

    @property
    def runs(self) -> tuple[Run, ...]:
        return tuple(step for step in self.steps if isinstance(step, Run))


@dataclass(frozen=True, slots=True)
class Known:
    """What a checkout says that it has, and where its files are."""

    checkout: Path
    commands: tuple[str, ...]
    decks: tuple[str, ...]
    targets: tuple[str, ...]
    templates: tuple[str, ...]

    def read(self, name: str) -> bytes:
        return (self.checkout / name).read_bytes()

    def find(self, pattern: str, *suffixes: str) -> list[Path]:
        """The files of a pattern; none at all is a mistake in the plan."""
        paths = sorted(p for p in self.checkout.glob(pattern) if p.is_file())
        found = [path for path in paths if not suffixes or path.suffix in suffixes]
        if not found:
            raise FileNotFoundError(f"nothing in {self.checkout} is called {pattern}")
        return found


def ask(checkout: Path) -> Known:
    """Let the checkout's own command list what it has."""

    def list_first(*arguments: str) -> tuple[str, ...]:
        done = subprocess.run(
            [checkout / ".venv/bin/cardgen", *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        _, _, listed = done.stdout.partition("Commands:\n")
        if listed:
            return tuple(re.findall(r"^  (\w+)", listed, re.MULTILINE))
        _, _, rows = done.stdout.partition("\n")  # below the heads of the columns
        return tuple(re.findall(r"^([\w-]+)(?= )", rows, re.MULTILINE))

    with TemporaryDirectory() as folder:
        return Known(
            checkout,
            *(list_first(what) for what in ("--help", "list", "targets", "templates")),
        )


def plan(known: Known) -> list[Case]:
    """All cases, those that take longest first."""
    makers = (
        _build_targets,
        _import_texts,
        _build_with_options,
        _build_many,
        _preflight,
        _read_docs,
        _go_through_tutorial,
        _make_projects,
        _compare_decks,
        _list_all,
        _check_all,
        _calibrate,
        _translate,
        _build_since,
        _fill_golden,
        _fail,
    )
    cases = [case for maker in makers for case in maker(known)]
    assert len({case.name for case in cases}) == len(cases)
    return cases


def _run(line: str, *more: str, folder: str = ".", typed: str = "") -> Run:
    return Run((*shlex.split(line), *more), folder, typed)


def _case(name: str, *steps: Step) -> Case:
    return Case(name, steps)


# Shipped decks


def _build_targets(known: Known) -> Iterator[Case]:
    """Every deck for every target, in both looks; the finest pictures only in the deck's own."""
    for target in known.targets:
        for look, option in (("own", ""), ("plain", "--look plain --dpi 80")):
            line = f"build --target {target} {option} --out out"
            yield _case(f"target-{target}-{look}", _run(line, *known.decks))


_OPTIONS = {
    "fronts": "--fronts",
    "backs": "--backs",
    "odd": "--sides odd",
    "even": "--sides even",
    "even-reverse": "--sides even --reverse",
    "reverse": "--reverse",
    "skip": "--skip 3",
    "only": '--only "*of*"',
    "from-to": "--from 2 --to 4",
    "one-of-each": "--one-of-each",
    "dpi": "--dpi 60",
    "clash": "--sides odd --fronts",
}


def _build_with_options(known: Known) -> Iterator[Case]:
    for name, options in _OPTIONS.items():
        for look in ("", "--look plain"):
            lines = [f"build --target {t} {look} {options} --out {t}" for t in ("a4", "letter")]
            steps = [_run(line, *known.decks) for line in lines]
            yield _case(f"option-{name}{'-plain' if look else ''}", *steps)
    for name in ("fronts", "only", "from-to", "dpi", "reverse"):
        targets = [t for t in ("press", "tts", "contact", "gutterfold-a4") if t in known.targets]
        lines = [f"build tactics --target {t} {_OPTIONS[name]} --out out" for t in targets]
        yield _case(f"option-{name}-elsewhere", *map(_run, lines))


_LISTED = ("letter", "a5", "press", "silhouette-a4")
_WORKS_ALONE = ("build", "calibrate", "fonts", "icons", "list", "targets", "templates")


def _list_all(known: Known) -> Iterator[Case]:
    helps = [_run(f"{command} --help") for command in known.commands]
    yield _case("help", _run(""), _run("--help"), _run("--version"), _run("-h"), *helps)
    lines = ("list", "targets", "icons --list", "fonts --list", "schema deck", "schema target")
    yield _case("lists", *map(_run, lines), *(_run(f"list --target {t}") for t in _LISTED))
    for command in ("templates", "icons", "fonts"):
        options = ("", "--target letter --out letter", "--target press --out press", "--out .")
        yield _case(command, *(_run(f"{command} {option}") for option in options))
    shows = [_run(f"show {deck} {form}") for deck in known.decks for form in ("", "--json")]
    yield _case("show", *shows)
    bare = [command for command in known.commands if command not in _WORKS_ALONE]
    slips = [_run(f"{command} --no-such-option") for command in known.commands]
    yield _case("slips", _run("bulid"), *slips, *map(_run, bare))


def _check_all(known: Known) -> Iterator[Case]:
    for json in ("", "--json"):
        steps = [_run(f"check {json}", deck) for deck in known.decks]
        steps += [_run(f"check {json} --look plain", *known.decks)]
        steps += [_run(f"check {json} --target {t}", *known.decks) for t in known.targets]
        yield _case(f"check{json}", *steps)


def _compare_decks(known: Known) -> Iterator[Case]:
    options = ("", "--json", "--pdf", "--pdf --look plain --target letter --out plain")
    pairs = [("magic", "tactics"), ("magic", "magic-rulebook"), ("tactics", "tactics")]
    pairs += [("playsheet", "playsheet-full")]
    assert {name for pair in pairs for name in pair} <= set(known.decks)
    for before, after in pairs:
        steps = [_run(f"diff {before} {after} {option}") for option in options]
        yield _case(f"diff-{before}-{after}", *steps)


def _build_many(known: Known) -> Iterator[Case]:
    """So many cards that several processes draw them."""
    words = re.findall(r"[a-z]{3,}", known.read("docs/printing.md").decode())
    rows = ["name,count,cost,text"]
    rows += [f"Item {n},{1 + n % 3},{n},{' '.join(words[n : n + 9 + n % 40])}" for n in range(400)]
    table = Write("decks/many.csv", "\n".join(rows).encode())
    for target, options in (("a4", ""), ("press", ""), ("tts", "--dpi 40"), ("contact", "")):
        line = f"build many --target {target} {options}"
        yield _case(f"many-{target}", table, _run(line), _run(f"{line} --one-of-each --out few"))


# Printers, languages, changes


def _calibrate(known: Known) -> Iterator[Case]:
    lines = (
        "calibrate",
        "calibrate --list",
        *(f"calibrate --target {target} --out {target}" for target in known.targets),
        "calibrate --set x=+1.5mm,y=-0.5mm,rotation=0.2deg,scale_x=99.5%,scale_y=100.3%",
        "calibrate --printer office --set flip=short-edge,left=6mm,top=6mm",
        "calibrate --list",
        "calibrate --printer office",
        "build magic tactics playsheet",
        "build magic tactics playsheet --sides even --target letter",
        "build magic --printer none --out none",
        "build magic tactics --printer office --out office",
        "build magic --target gutterfold-a4",
        "build magic --target a3",
        "build magic --target press",
        "build magic --printer nobody",
        "calibrate --set x=900mm",
        "calibrate --set speed=1",
        "calibrate --printer office --set left=49mm,right=49mm",
        "build magic --printer office",
        "calibrate --printer office --forget",
        "calibrate --printer nobody --forget",
        "calibrate --list",
    )
    yield _case("calibrate", *map(_run, lines))


_SWORDS = b"""title: Swords
template: poker-basic
cards:
- {name: Sword of Dawn, text: Once per game., cost: 5, count: 2}
- {name: Sword of Dusk, text: The bearer never flees.}
- {name: Spoon, text: null}
"""
_GERMAN = """title: Schwerter
cards:
  sword-of-dawn: {name: Morgenschwert, text: Einmal pro Spiel.}
  sword-of-dusk:
    name: Abendschwert
    text:
  spoon: {name: Löffel}
""".encode()


def _translate(known: Known) -> Iterator[Case]:
    lines = ("build", "check --json", "show", "show --json", "list", "build --target letter")
    asked = [f"{line}{'' if line == 'list' else ' swords'} --lang de" for line in lines]
    yield _case(
        "lang",
        Write("decks/swords.yaml", _SWORDS),
        _run("build swords --lang de"),
        _run("translate swords --lang fr"),
        _run("build swords --lang fr"),
        Write("decks/swords.de.yaml", _GERMAN),
        *map(_run, asked),
        _run("diff swords swords --lang de --pdf"),
        Change("decks/swords.de.yaml", "spoon:", "fork:"),
        _run("build swords --lang de"),
        _run("translate swords --lang de"),
        _run("translate swords --lang nonsense!"),
    )
    lines = ("translate {} --lang de", "build {} --lang de", "check {} --lang de")
    yield _case("lang-shipped", *(_run(s.format(deck)) for deck in known.decks for s in lines))


def _build_since(_known: Known) -> Iterator[Case]:
    def git(line: str) -> Run:
        return Run(tuple(shlex.split(line)), program="git")

    deck = Write("decks/swords.yaml", _SWORDS)
    change = Change("decks/swords.yaml", "Once", "Twice")
    by_file = [f"build swords --target {t} --out {t}" for t in ("a4", "png", "tts", "press")]
    since = [f"{line} --since {line.rpartition(' ')[2]}" for line in by_file]
    yield _case("since-output", deck, *map(_run, by_file), *map(_run, since), change,
                *map(_run, since), *map(_run, since))  # fmt: skip
    yield _case(
        "since-git",
        deck,
        git("init --quiet"),
        git("add --all"),
        git("commit --quiet --message First"),
        _run("build swords --since HEAD"),
        change,
        _run("build swords --since HEAD"),
        _run("build swords --since HEAD~7"),
        _run("build swords --since no-such-file"),
    )


# Projects, docs, tests


def _make_projects(_known: Known) -> Iterator[Case]:
    """All combinations, also those that are refused."""
    for like in ("", "magic", "tactics", "artillery", "playsheet", "blank"):
        for form in ("", "table", "yaml", "markdown"):
            options = f"{f'--like {like}' if like else ''} {f'--from {form}' if form else ''}"
            inside = ("build", "build --target letter --look plain", "list", "check mine --json")
            yield _case(
                f"new-{like or 'none'}-{form or 'none'}",
                _run(f"new mine {options}"),
                _run(f"new mine {options}"),
                _run(f"new mine --force {options}"),
                Write("mine/.keep", b""),
                *(_run(line, folder="mine") for line in inside),
                _run("show mine", folder="mine"),
            )
    settings = b'target = "letter"\nlook = "plain"\nlanguage = "en-GB"\nauthor = "A. Smith"\n'
    yield _case(
        "settings",
        Write("cardgen.toml", settings),
        Write("decks/swords.yaml", _SWORDS),
        *map(_run, ("build", "list", "calibrate", "build --look own --target a4")),
        Change("cardgen.toml", "author", "auhtor"),
        _run("build"),
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
    for language, name, text in examples:
        place = _PLACES[language].format(name)
        if language == "xml":
            own = re.sub("^template: .*", f"template: {name}", items, flags=re.MULTILINE)
            files.append(Write(f"decks/xml-{name}.yaml", own.encode()))
            steps.append(_run(f"build xml-{name}"))
            if not text.startswith("<template"):
                text = f'<template size="poker" bleed="3mm">\n{text}</template>\n'
        elif language == "toml":
            steps.append(_run(f"build items --target {name}"))
        else:
            steps += [_run(f"build {place}"), _run(f"build {place} --look plain --target letter")]
            steps += [_run(f"show {place} --json"), _run(f"check {place} --json")]
        files.append(Write(place, text.encode()))
    half = len(steps) // 2
    yield _case("docs-1", *files, _run("list"), *steps[:half])
    yield _case("docs-2", *files, *steps[half:], _run("templates"), _run("targets"))


_ITEMS = ("yaml", "items")


def _list_examples(known: Known) -> Iterator[tuple[str, str, str]]:
    """The language, name and text of each."""
    for page in known.find("docs/*.md"):
        for language, marks, text in _FENCED.findall(page.read_text("utf-8")):
            name = re.search(r"\bexample=(\S+)", marks)
            if name:
                yield language, name[1], text


def _find_picture(known: Known) -> bytes:
    return known.find("tests/golden/pictures/*.png")[0].read_bytes()


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
        path = f"{folder}/{name}"
        if language == "console":
            for line in re.findall(r"^\$ (.*)", text, re.MULTILINE):
                if line.startswith("cd "):
                    folder = f"{folder}/{line.removeprefix('cd ')}"
                else:
                    steps.append(_run(line.removeprefix("cardgen "), folder=folder))
        elif deed == "write":
            steps.append(Write(path, text.encode()))
        elif deed == "change":
            old, new = text.splitlines()
            steps.append(Change(path, old, new))
    yield _case("tutorial", *steps)


def _fill_golden(known: Known) -> Iterator[Case]:
    """The templates of the tests, each with the cards of the tests."""
    deck = known.read("tests/golden/cards.yaml").decode()
    files = [
        Write(f"{path.parent.name}/{path.name}", path.read_bytes())
        for pattern in ("tests/golden/templates/*", "tests/golden/pictures/*")
        for path in known.find(pattern)
    ]
    names = [path.stem for path in known.find("tests/golden/templates/*.xml")]
    decks = [Write(f"decks/{n}.yaml", f"template: {n}\n{deck}".encode()) for n in names]
    lines = ("build", "build --look plain --target letter", "build --target press --out press",
             "build --target png --dpi 100 --out png")  # fmt: skip
    steps = [_run(f"{line} {name}") for name in names for line in lines]
    yield _case("golden", *files, *decks, *steps, *(_run(f"check {n} --json") for n in names))


# What others wrote


def _preflight(known: Known) -> Iterator[Case]:
    for target in known.targets:
        if target in ("png", "gamecrafter", "makeplayingcards", "tts"):
            continue
        file = f"out/tactics{'' if target == 'a4' else f'-{target}'}.pdf"
        yield _case(
            f"preflight-{target}",
            _run(f"build tactics --target {target} --out out"),
            _run(f"preflight {file}"),
            _run(f"preflight {file} --json --target {target}"),
            _run(f"preflight {file} --target press-x1a"),
        )
    steps: list[Step] = []
    for path in known.find("tests/data/preflight/*.pdf"):
        steps.append(Write(path.name, path.read_bytes()))
        for options in ("", "--json", "--target press", "--target a4 --json"):
            steps.append(_run(f"preflight {path.name} {options}"))
    broken = (Write("text.pdf", b"no PDF at all"), Write("empty.pdf", b""))
    lines = ("text.pdf", "empty.pdf", "none.pdf", ". --json", "text.pdf --json --target nothing")
    yield _case("preflight-others", *steps, *broken, *(_run(f"preflight {s}") for s in lines))


_TEXTS = (".txt", ".md", ".docx", ".pdf")
_IMPORTS = 24  # texts in a case


def _import_texts(known: Known) -> Iterator[Case]:
    """Each text of the tests as a deck, and what is made of it once more."""
    for kind, suffix in (("import", "yaml"), ("import/unseen", "yaml"), ("import/sheets", "md"),
                         ("import/sheets/unseen", "md")):  # fmt: skip
        paths = known.find(f"tests/data/{kind}/*", *_TEXTS)
        if suffix == "md":
            paths = [path for path in paths if path.suffix == ".txt"]
        for start in range(0, len(paths), _IMPORTS):
            steps: list[Step] = []
            some = paths[start : start + _IMPORTS]
            for path in some:
                deck = f"decks/{path.stem}.{suffix}"
                steps.append(Write(path.name, path.read_bytes()))
                steps.append(_run(f"import {path.name} -o {deck} --report out/{path.stem}.json"))
            built = [f"decks/{path.stem}.{suffix}" for path in some]
            yield _case(f"{kind.replace('/', '-')}-{start}", *steps, _run("build", *built))
    yield from _import_otherwise(known)


def _import_otherwise(known: Known) -> Iterator[Case]:
    """The options of import, a second time, tables and data."""
    folder = "tests/data/import"
    texts = ("rulebook-ranks.txt", "scan.txt", "signs.txt", "colon.txt")
    files = [Write(name, known.read(f"{folder}/{name}")) for name in texts]
    options = (
        "--ranks table --title Mine",
        "--report r.html --force",
        "--report r.txt",
        "--strict",
    )
    steps = [
        _run(f"import {name} -o decks/{name[:4]}-{number}.yaml {option}")
        for name in texts
        for number, option in enumerate(options)
    ]
    answers = ("\n" * 60, "n\n" * 60, "?\nq\n", "")
    reviews = [
        _run(f"import signs.txt -o decks/r{n}.yaml --review", typed=typed)
        for n, typed in enumerate(answers)
    ]
    yield _case("import-options", *files, *steps, *reviews)
    again = _run("import colon.txt scan.txt -o decks/two.yaml")
    yield _case(
        "import-again",
        *files,
        again,
        again,
        Change("decks/two.yaml", "the", "a"),
        Change("scan.txt", "the", "some"),
        again,
        _run("import scan.txt -o decks/two.yaml --strict"),
        _run("import scan.txt -o decks/two.yaml --force"),
        _run("import none.txt -o decks/none.yaml"),
        _run("import scan.txt -o decks/two.pdf"),
        _run("build two"),
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
        f"import {name} -o decks/{name[0]}{number}.yaml {option} --report {name[0]}.txt"
        for name in sources
        for number, option in enumerate(options)
    ]
    built = [f"decks/{name[0]}0.yaml" for name in sources]
    yield _case("import-tables", *files, *map(_run, lines), _run("build", *built))


def _fail(_known: Known) -> Iterator[Case]:
    """What is not there, and what is not as it should be."""
    decks: Iterable[str] = (
        "cards: 5",
        "cards: [{name: A, cuont: 2}, {nmae: B}]",
        "template: nothing\ncards: [{name: A}]",
        "cards: [{name: A, picture: nothing.png}]",
        "title: [\n",
        "cards:\n- {name: A}\n- {name: A}\n- {name: A, text: 'no :such: icon'}",
        "",
    )
    steps: list[Step] = []
    for number, deck in enumerate(decks):
        steps.append(Write(f"decks/d{number}.yaml", deck.encode()))
        for command in ("build", "check", "check --json", "show", "diff magic"):
            steps.append(_run(f"{command} d{number}"))
    lines = (
        "build magik",
        "build magic --target leter",
        "build magic --look none",
        "build magic --only nothing",
        "build magic --from 900",
        "build magic --from 9 --to 3",
        "build magic --skip 900",
        "build magic --lang xx",
        "build magic --out decks/d0.yaml",
        "build magic tactics magik",
        "show magik --json",
        "diff magic magik",
        "new 'no name'",
    )
    yield _case("fail", *steps, *map(_run, lines), _run("build"), _run("list"))
