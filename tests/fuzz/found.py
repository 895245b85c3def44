"""Cases that once went wrong, and those that a stranger would try first; they stay."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import replace

from cases import BUILDS, Case, make_deck_case
from seeds import make_picture

CHECK = BUILDS[:1]
SWORD = "  - name: Sword\n    text: It cuts\n    cost: 3\n"
# What takes time by the square of these takes longer than a case may, and each other a moment.
LONGEST = 100_000
ROWS = 20_000
SOON = 5  # seconds
AT_ONCE = 2
FOUND_SECONDS = 0.1  # the budget of one card, so that what uses it up ends soon


def _expressions() -> Iterator[tuple[str, str]]:
    """Texts of a template that would take for ever, or all memory, or are nested too deep."""
    yield "loops", "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    yield "slice", "{{ [1]|slice(2000000000)|list|length }}"
    square = "{% set n.x = n.x * n.x %}"
    yield (
        "squares",
        f"{{% set n = namespace(x=3) %}}{{% for i in range(99) %}}{square}{{% endfor %}}",
    )
    yield "macros", _double_macros(40)
    yield "macro of itself", "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}"
    grow = "{% set n.x = n.x ~ n.x %}"
    yield "tilde", f"{{% set n = namespace(x='a') %}}{{% for i in range(60) %}}{grow}{{% endfor %}}"
    add = "{% set n.x = n.x + n.x %}"
    yield "plus", f"{{% set n = namespace(x=[1]) %}}{{% for i in range(60) %}}{add}{{% endfor %}}"
    nest = "{% set n.x = [n.x, n.x] %}"
    yield (
        "lists",
        f"{{% set n = namespace(x=1) %}}{{% for i in range(60) %}}{nest}{{% endfor %}}"
        "{{ n.x }}",
    )
    yield "format", "{{ '{:>2000000000}'.format('a') }}"
    yield "sum of lists", "{{ ([[1] * 999] * 9999)|sum(start=[])|length }}"
    yield "many parts", "{{ [1]|slice(20000000)|list|length }}"
    yield "format of a format", "{{ '{:{}}'.format('a', 2000000000) }}"
    yield "zfill", "{{ 'a'.zfill(2000000000) }}"
    yield "to_bytes", "{{ (1).to_bytes(2000000000, 'big')|length }}"
    yield "indent", "{{ ('a\n' * 900000)|indent(2000000000)|length }}"
    yield "batch", "{{ [1]|batch(2000000000, 'a')|list|length }}"
    yield "wordwrap", "{{ ('a' * 900000)|wordwrap(1)|wordwrap(1)|length }}"
    yield "join", "{{ range(99999)|join('a' * 900000)|length }}"
    yield "replace", "{{ ('a' * 900000)|replace('', 'a' * 900000)|length }}"
    yield "power", "{{ 9 ** 9 ** 9 }}"
    yield "digits", "{{ " + "9" * 5000 + " }}"
    yield "deep brackets", "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}"
    yield "deep lists", "{{ " + "[" * 900 + "1" + "]" * 900 + " }}"
    yield "long sum", "{{ " + "+".join(["1"] * 5000) + " }}"
    yield "many not", "{{ " + "not " * 5000 + "1 }}"
    yield "25 loops", "{% for a in [1] %}" * 25 + "x" + "{% endfor %}" * 25
    yield "200 conditions", "{% if 1 %}" * 200 + "x" + "{% endif %}" * 200
    yield "an argument twice", "{% macro m(a, a) %}{% endmacro %}{{ m(1) }}"
    yield "a keyword twice", "{{ dict(a=1, a=2) }}"
    yield "address", "{{ cycler('a') }}"
    yield "address in a list", "{{ [joiner()] }}"
    yield "address of a method", "{{ card.name.upper }}"
    yield "address of a filter", "{{ [1]|map('upper') }}"
    yield "address of what is no number", "{{ cycler(card.text)|signed }}"
    yield "address that is escaped", "{{ cycler('a')|escape }} {{ x[cycler('a')|escape] }}"
    yield "address in a key", "{{ {}[(cycler('a'), 1)] }}"
    yield "address as a field", "{{ card[range] }}"
    yield "int of a power", "{{ '²'|int }} {{ '٣x'|float }} {{ ('9' * 5000)|int }}"
    yield "a part of nothing", "{{ {}[1:2] }}"
    yield "a dot", "{{ card. }}"
    yield "not called", "{{ 1(2) }} {{ 1[2] }} {{ none[2] }}"


def _double_macros(depth: int) -> str:
    text = "{% macro m0() %}aaaaaaaaaa{% endmacro %}"
    for number in range(depth):
        call = f"{{{{ m{number}() }}}}"
        text += f"{{% macro m{number + 1}() %}}{call}{call}{{% endmacro %}}"
    return text + f"{{{{ m{depth}() }}}}"


def _double_components(depth: int) -> str:
    """Components that hold the next one twice, and the last one nothing."""
    parts = [
        f'<component name="a{number}">{f"""<use component="a{number + 1}"/>""" * 2}</component>'
        for number in range(depth)
    ]
    return "".join(parts) + f'<component name="a{depth}"/><use component="a0"/>'


def _texts() -> Iterator[tuple[str, str]]:
    """Texts of a card that take long where an algorithm is not linear."""
    for name, letters in {
        "soft hyphens": "a\u00ad",
        "only soft hyphens": "\u00ad",
        "slashes": "/",
        "words and slashes": "ab/",
        "digits": "1",
        "tabs": "\t",
        "stars": "*",
        "two stars": "**a ",
        "underscores": "_a",
        "emphasis": "*a **b ",
        "backticks": "`",
        "brackets": "[a](",
        "icons": ":a",
        "known icons": ":sword:",
        "hyphens": "a-",
        "blanks": " ",
        "hard blanks": "\u00a0",
        "accents": "e\u0301\u0301",
        "letters": "a",
        "lines": "a\n",
        "rules": "---\n",
        "lists": "- ",
        "quotes": "> ",
        "rows": "|a",
        "headings": "# a\n",
        "entities": "&amp;",
        "backslashes": "\\",
        "tags": "<a ",
        "joined": "a\u200d",
    }.items():
        yield name, (letters * LONGEST)[:LONGEST]


def _attributes() -> Iterator[tuple[str, str]]:
    """Bodies of a template with a value, a name or a depth that nothing can have."""
    nines = "9" * 5000
    yield "size", f'<text size="{nines}pt">x</text>'
    yield "figures that are no length", f'<box padding="{"9" * 40_000}*mm"/>'
    yield "a power as a number", '<text leading="²">x</text>'
    yield "other digits", '<text leading="٣">x</text><box width="٣mm" height="²mm"/>'
    yield "weight", '<text weight="²">x</text>'
    yield "gap", f'<row gap="{nines}mm"><space width="{nines}mm"/></row>'
    yield "columns", '<table columns="² auto"><tr><td>x</td></tr></table>'
    yield "feature", '<text features="ss01=²">x</text>'
    yield "many features", f'<text features="ss01={nines}">x</text>'
    yield "hole", '<plait hole="² 3" width="9mm" height="9mm"/>'
    yield "no icon", '<icon name="{{ \'\' if 1 }}" width="5mm"/>'
    yield "no icon at all", '<icon name="{{ card. }}" width="5mm"/>'
    yield "no icon where", '<icon name="{{ \'x\' if card.gone }}" width="5mm"/>'
    yield "no picture", '<image file="{{ gone }}" width="5mm"/>'
    yield "no picture at all", '<image file="{{ }}" width="5mm"/>'
    yield "bounds", '<image file="{{ gone }}" min-width="9mm" max-width="1mm"/>'
    yield "many elements", "<box/>" * 100_001
    yield "no table", '<table columns="{{ }}"><tr><td>x</td></tr></table>'
    yield "no path", '<path d="{{ }}" view="{{ }}"/>'
    yield "no colour", '<box fill="{{ }}" width="5mm" height="5mm"/>'
    yield "long name", f'<image file="{"a" * 5000}.png" width="5mm"/>'
    yield "long icon", f'<icon name="{"a" * 5000}" width="5mm"/>'
    yield "boxes", "<box>" * 150 + "</box>" * 150
    yield "deep boxes", "<box>" * 5000 + "</box>" * 5000
    yield "columns in columns", "<column>" * 55 + "<text>x</text>" + "</column>" * 55
    both = '<row><column align="stretch">'
    yield "columns in rows", both * 25 + "<text>x</text>" + "</column></row>" * 25
    yield "letters above ASCII", "<böx/><text grösse='1'>x</text>"
    yield "letters of others", "<text\u0661='1'>x</text\u0661>"
    yield (
        "huge path",
        '<path d="M1e308 1e308L-1e308 1e308 1e-320 0z" view="1e-9 1e-9" width="5mm" height="5mm"/>',
    )
    yield "infinite path", '<path d="M1e999 0L9 9 9 1z" view="9 9" width="5mm" height="5mm"/>'
    huge = '<style name="a" size="6pt" paragraph="1e308" leading="1e-308"/>'
    yield "infinite style", huge + '<text style="a" fit="box" height="9mm">x\n\ny</text>'
    cells = "<tr><td>x</td><td>y</td></tr>"
    yield "infinite columns", f'<table columns="grow:1e308 grow:1e308">{cells}</table>'
    yield (
        "smallest",
        '<text fit="box" min="0.0001pt" height="5mm">' + "many words " * 9000 + "</text>",
    )


def _icons() -> Iterator[tuple[str, str]]:
    start = '<svg viewBox="0 0 64 64">'
    shape = '<path fill-rule="evenodd" d="M4 4h9v9h-9zM5 5h3v3h-3z"/>'
    yield "many shapes", start + shape * 5000 + "</svg>"
    parts = "".join(f"M{n % 60} {n // 60 % 60}h3v3h-3z" for n in range(8000))
    yield "many parts", f'{start}<path fill-rule="evenodd" d="{parts}"/></svg>'
    yield "huge numbers", f'{start}<path d="M4 4h1e300v9e307h-9z"/></svg>'
    yield (
        "infinite numbers",
        f'{start}<path d="M4 4h1e999v9h-9z"/><circle cx="1e308" cy="9" r="1e308"/></svg>',
    )
    yield "tiny numbers", f'{start}<path d="M4 4h1e-320v9h-9z"/></svg>'
    yield "no view", '<svg viewBox="0 0 0 0"><path d="M4 4h9v9h-9z"/></svg>'
    yield "tiny view", '<svg viewBox="0 0 1e-300 1e-300"><path d="M4 4h9v9h-9z"/></svg>'
    yield "nan view", '<svg viewBox="0 0 nan inf"><path d="M4 4h9v9h-9z"/></svg>'
    yield "deep groups", start + "<g>" * 5000 + "</g>" * 5000 + "</svg>"
    yield "groups", start + '<g transform="scale(9)">' * 240 + shape + "</g>" * 240 + "</svg>"
    yield "other digits", f'{start}<circle cx="٣" cy="²" r="9"/></svg>'
    yield "huge arc", f'{start}<path d="M4 4A1e300 1e300 0 1 1 64 64L4 60z"/></svg>'


def _decks() -> Iterator[tuple[str, Case]]:
    body = "<text>{{ card.name }}</text>"
    plain = make_deck_case(SWORD, body)

    def spoil(cards: str = SWORD, head: str = "", **files: bytes) -> Case:
        case = make_deck_case(cards, body, head)
        return Case({**case.files, **files})

    yield "count of a power", spoil("  - name: Sword\n    count: ²\n")
    yield "count of other digits", spoil("  - name: Sword\n    count: ٣\n")
    yield "count of many digits", spoil("  - name: Sword\n    count: " + "9" * 5000 + "\n")
    yield "size", spoil(head=f"size: {'9' * 5000}mm x ²mm\n")
    yield "long name", spoil(f"  - name: {'a' * 5000}\n")
    yield "deep YAML", spoil(f"  - name: Sword\n    list: {'[' * 5000}\n")
    yield "deep lists", spoil(f"  - name: Sword\n    list: {'[' * 900}{']' * 900}\n")
    yield "deep mappings", spoil(f"  - name: Sword\n    list: {'{a: ' * 900}1{'}' * 900}\n")
    yield "anchors", spoil("  - &a {name: Sword, b: &b [x, x]}\n  - *a\n  - {<<: *a, name: Bow}\n")
    yield (
        "control characters",
        spoil('  - name: "Sw\\e[31mord\\u202e\\x07\\x9b"\n    id: "a\\e]0;x\\a"\n'),
    )
    ends = make_deck_case(
        '  - name: "Sword,\\xad\\xad\\xad of it"\n', '<text fit="box">{{ card.name }}</text>'
    )
    yield "soft hyphens at the end of a word", ends
    inf = make_deck_case(
        '  - {name: Sword, text: "each :orb[inf]: you"}\n', "<text>{{ card.text }}</text>"
    )
    yield "a text that is called like no number", inf
    tabs = make_deck_case('  - name: Sword\n    "i\\tcon": x\n', "<text>{{ card.gone }}</text>")
    yield "tabs in the name of a field", tabs
    cards = make_deck_case(SWORD, '<🂡box height="9mm"/><box ·="1" 🂡="2"/>')
    yield "names of XML that are no letters", cards
    wide = Case({"deck.csv": b"name" + b"," * 99_999 + b"\n" + b"A\n" * 2_000})
    yield "columns without names", Case(wide.files, (("check", "deck.csv"),), seconds=SOON)
    wide = Case({"deck.csv": b"a," * 999_999 + b"b\nA\n"})
    tries = (("check", "deck.csv"), ("import", "deck.csv", "--out", "new.yaml"))
    yield "a million columns", Case(wide.files, tries, seconds=SOON)
    yield "a name that is none", spoil('  - name: "\\0"\n    id: "../x/\\0"\n')
    yield "title", spoil(head='title: "\\e[2J\\u2028a"\nauthor: "\\e[31m"\n')
    yield "target", spoil(head='target: "\\e[31m"\n')
    many = "".join(f"  - {{name: C{n}, count: 10000}}\n" for n in range(40))
    yield "very many copies", _only_check(spoil(many))
    for key in ("extends", "template", "back", "target", "cards"):
        for number, value in enumerate(
            ("a" * 5000, '"\\0"', '"\\ud800"', "../../x.yaml", "/dev/zero", '"."', '""')
        ):
            text = f"{key}: {value}\n".encode()
            rest = b"" if key in ("extends", "cards") else b"cards: [{name: Sword}]\n"
            yield f"{key} {number}", Case({**plain.files, "decks/deck.yaml": text + rest})
    picture = '<image file="{{ card.p }}" width="9mm" height="9mm"/>'
    for number, value in enumerate(
        ('"\\0"', '"\\ud800"', "a" * 5000, "/dev/zero", "a/" * 3000, ".", '"\\e[31m.png"')
    ):
        yield f"picture {number}", make_deck_case(f"  - name: Sword\n    p: {value}\n", picture)
    gone = "".join(f"  - {{name: C{n}, p: gone{n}.png}}\n" for n in range(1000))
    yield "missing pictures", _only_check(make_deck_case(gone, picture))
    known = "".join(f"  - {{name: Card number {n}}}\n" for n in range(1000))
    ids = "".join(f"  cord-nomber-{n}: {{name: x}}\n" for n in range(5000)).encode()
    base = make_deck_case(known, body).files["decks/deck.yaml"]
    yield (
        "unknown ids in a variant",
        Case(
            {
                **plain.files,
                "decks/base.yaml": base,
                "decks/deck.yaml": b"extends: base\nchange:\n" + ids,
            },
            CHECK,
        ),
    )
    yield (
        "unknown ids in an overlay",
        Case(
            {**plain.files, "decks/deck.yaml": base, "decks/deck.de.yaml": b"cards:\n" + ids},
            (("check", "decks/deck.yaml", "--lang", "de"),),
        ),
    )
    merges = "".join(f"    <<: {{a{n}: 1}}\n" for n in range(2 * ROWS))
    yield "many merges", replace(make_deck_case(SWORD + merges, body), commands=CHECK, seconds=SOON)
    rows = "name,count\n" + "".join(f"C{n},x{n}\n" for n in range(ROWS))
    yield (
        "bad rows",
        Case(
            {**plain.files, "decks/deck.csv": rows.encode()},
            (("check", "decks/deck.csv"),),
            seconds=SOON,
        ),
    )
    fields = "name," + ",".join(f"field{n}" for n in range(5000)) + "\n" + "a," * 5000 + "a\n"
    yield (
        "thousands of fields",
        Case({"decks/deck.csv": fields.encode()}, (("show", "decks/deck.csv"),)),
    )
    unknown = "".join(f"  - {{name: C{n}, tempalte{n}: x, kuont: 2}}\n" for n in range(1000))
    yield "unknown fields", _only_check(make_deck_case(unknown, "<text>{{ card.gone }}</text>"))
    sheet = b"<template size='50mm x 40mm'><text fit='box'>{{ card.text }}</text></template>"
    words = " ".join(f"w{n % 977}" for n in range(30_000))
    other = " ".join(f"w{n % 991}" for n in range(30_000))
    for name, first, second in (("words", words, other), ("letters", "ab" * 90_000, "ba" * 90_000)):
        yield (
            f"diff of long {name}",
            Case(
                {
                    "templates/plain.xml": sheet,
                    "decks/one.yaml": _write_text(first),
                    "decks/two.yaml": _write_text(second),
                },
                (("diff", "decks/one.yaml", "decks/two.yaml"),),
            ),
        )
    for command in (
        ("--since", ""),
        ("--since", "\x1b[31m"),
        ("--only", "\x1b]0;x\x07"),
        ("--look", "\x1b[1m"),
        ("--target", "a" * 5000),
        ("--lang", "\x1b[1m"),
        ("--skip", "9" * 5000),
        ("--out", "a" * 5000),
        ("--out", "a/" * 3000),
    ):
        yield (
            f"option {command[0]} {command[1][:4]!r}",
            Case(plain.files, ((*BUILDS[1], *command),)),
        )
    yield (
        "no such deck",
        Case(
            {},
            (
                ("build", "a" * 5000),
                ("build", "\x1b[31m"),
                ("check", "\udcff.yaml"),
                ("show", "a/" * 3000 + ".yaml"),
            ),
        ),
    )
    garbled = "decks/\udcfc.yaml"
    commands = (("build", garbled), ("list",), ("show", "\udcfc"), ("build", "--target", "tts"))
    yield "a name that is no text", Case({**plain.files, garbled: base}, commands)
    title = "\x1b]0;x\x07"
    wrong = ((title,), ("list", title), (f"--{title}",), ("build", f"--{title}"))
    yield "unknown command", Case({}, (("\x1b[31m",), *wrong))


def _write_text(text: str) -> bytes:
    return f"template: plain\ncards:\n  - name: A\n    text: {text}\n".encode()


def _only_check(case: Case) -> Case:
    return Case(case.files, CHECK)


def _settings() -> Iterator[tuple[str, Case]]:
    plain = make_deck_case(SWORD, "<text>{{ card.name }}</text>")
    for name, text in {
        "deep arrays": "a = " + "[" * 5000 + "]" * 5000,
        "deep tables": "[" + ".".join(["a"] * 5000) + "]",
        "digits": "target = " + "9" * 5000,
        "control": 'target = "\\u001b[31m"\nauthor = "\\u0007"',
        "long": f'out = "{"a" * 5000}"',
        "nul": 'out = "\\u0000"',
        "device": 'out = "/dev/null"',
    }.items():
        yield f"settings: {name}", Case({**plain.files, "cardgen.toml": text.encode()})
    for name, text in {
        "deep arrays": "paper = " + "[" * 5000 + "]" * 5000,
        "digits": f'paper = "{"9" * 5000}mm x 9mm"',
        "power": 'paper = "²mm x ٣mm"',
        "infinite": "columns = inf\nrows = nan",
        "huge paper": 'paper = "100000mm x 100000mm"\nformat = "png"\ndpi = 1200',
        "huge grid": 'paper = "a3"\ncolumns = 99999999999\nrows = 99999999999',
        "names": f'format = "png"\nnames = "{"{card}" * 900}"',
        "control": 'title = "\\u001b[31m"\nslug = "\\u0007{deck}"',
    }.items():
        files = {**plain.files, "targets/odd.toml": f'extends = "a4"\n{text}\n'.encode()}
        commands = tuple((*command, "--target", "odd") for command in BUILDS)
        yield f"target: {name}", Case(files, (*commands, ("targets",)))


def _files() -> Iterator[tuple[str, Case]]:
    plain = make_deck_case(SWORD, '<text>{{ card.name }}</text><image file="a.png" width="9mm"/>')
    for name in ("decks/deck.yaml", "templates/plain.xml", "a.png"):
        for target in ("/dev/zero", "/dev/null", "/dev/full", "pipe"):
            files = {key: value for key, value in plain.files.items() if key != name}
            yield (
                f"{name} is {target}",
                Case(files, BUILDS, ((name, target),), pipes=("pipe", "decks/pipe")),
            )
    for command in ("build", "check", "show", "import"):
        for name in ("/dev/zero", "pipe", "pipe.yaml", "pipe.pdf", "."):
            yield (
                f"{command} {name}",
                Case(
                    {},
                    ((command, name, *(("--out", "new.yaml") if command == "import" else ())),),
                    pipes=("pipe", "pipe.yaml", "pipe.pdf"),
                ),
            )
    for kind in ("png", "jpg"):
        data = make_picture()
        huge = data[:16] + struct.pack(">II", 2**31 - 1, 2**31 - 1) + data[24:]
        yield f"huge {kind}", Case({**plain.files, "a.png": huge})
    for cut in (9, 40, 60, 70):
        yield f"picture cut at {cut}", Case({**plain.files, "a.png": make_picture()[:cut]})
    font = Case(
        {**plain.files, "a.png": make_picture(), "fonts/a.ttf": b"\0\1\0\0" + b"\0\x20" * 900}
    )
    yield "broken font", Case(font.files, (*BUILDS, ("fonts",), ("fonts", "--list")))
    yield "empty font", Case({**font.files, "fonts/a.ttf": b""}, (*BUILDS, ("fonts", "--list")))


def _imports() -> Iterator[tuple[str, Case]]:
    word = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
    for name, text in {
        "val": '<w:p><w:pPr><w:outlineLvl w:val="²"/><w:pStyle w:val="Heading²"/></w:pPr>'
        "<w:r><w:t>Sword</w:t></w:r></w:p>",
        "digits": f'<w:p><w:pPr><w:outlineLvl w:val="{"9" * 5000}"/></w:pPr>'
        '<w:r><w:rPr><w:sz w:val="x"/></w:rPr><w:t>A</w:t></w:r></w:p>',
        "grid": '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="٣"/></w:tcPr>'
        "<w:p><w:r><w:t>A</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
        "numbers": '<w:p><w:pPr><w:numPr><w:ilvl w:val="-²"/><w:numId w:val=""/></w:numPr></w:pPr>'
        "<w:r><w:t>A</w:t></w:r></w:p>",
    }.items():
        data = _zip({"word/document.xml": (word + text + "</w:body></w:document>").encode()})
        yield f"docx: {name}", Case({"a.docx": data}, (("import", "a.docx", "--out", "new.yaml"),))
    sound = {
        "a.docx": {
            "word/document.xml": (word + "<w:p/>" * 999 + "</w:body></w:document>").encode()
        },
        "a.xlsx": {
            "xl/workbook.xml": b"<workbook/>" * 99,
            "xl/worksheets/sheet1.xml": b"<x/>" * 99,
        },
        "a.ods": {
            "mimetype": b"application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": b"<x/>" * 999,
        },
    }
    for name, parts in sound.items():
        data = _zip(parts)
        for place in range(30, min(len(data), 330), 25):
            spoiled = data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
            yield (
                f"damaged {name} {place}",
                Case({name: spoiled}, (("import", name, "--out", "new.yaml"),)),
            )
    rows = b"name,cost\nSword,3\nBow,4\n"
    for value in ("²", "٣", "9" * 5000, "a.b", "[", "\x1b[31m", ""):
        yield (
            f"--cards-at {value[:3]!r}",
            Case(
                {"a.json": b'[{"name":"A"}]'},
                (("import", "a.json", "--out", "new.yaml", "--cards-at", value),),
            ),
        )
    yield (
        "--map",
        Case(
            {"a.csv": rows},
            (
                ("import", "a.csv", "--out", "new.yaml", "--map", "\x1b[31m=x"),
                ("import", "a.csv", "--out", "new.yaml", "--map", "="),
            ),
        ),
    )
    yield (
        "--sheet",
        Case({"a.csv": rows}, (("import", "a.csv", "--out", "new.yaml", "--sheet", "\x1b[31m"),)),
    )
    figures = "".join(f"{'9' * 5000}\n\n## Sword {n}\n\nIt cuts much.\n\n" for n in range(6))
    raised = "".join(f"| {n} | Sword {n} | It cuts |\n" for n in "¹²³⁴⁵⁶⁷")
    scanned = "".join(
        f"SWORD {n}\nPlay on any unit.\nCost: +\ufb015 points\nIt cuts.\n" for n in "ABCD"
    )
    files = {
        "scanned.txt": scanned,
        "figures.md": figures,
        "marks.txt": "# Sword\n\nIt cuts.\n  <!-- note -->\n&nbsp;\n<ref>1</ref>\n\\\n",
        "signs.txt": f"{'- ' * 20_000}\n\nSword\n    It cuts.\n",
        "raised.md": f"| No. | Name | Text |\n|---|---|---|\n{raised}",
    }
    for name, text in files.items():
        yield (
            f"import {name}",
            Case({name: text.encode()}, (("import", name, "--out", "new.yaml"),)),
        )
    heads = "".join(f"**{word}**\n\n{body}\n\n" for word, body in _HEADS.items())
    yield (
        "import heads without cards",
        Case({"a.md": heads.encode()}, (("import", "a.md", "--out", "new.yaml"),)),
    )
    yield "deep JSON", Case({"a.json": b"[" * 99_000}, (("import", "a.json", "--out", "new.yaml"),))
    yield (
        "digits in JSON",
        Case(
            {"a.json": b'[{"name": "A", "n": ' + b"9" * 5000 + b"}]"},
            (("import", "a.json", "--out", "new.yaml"),),
        ),
    )
    yield (
        "one long line",
        Case({"a.txt": b"Sword 3+ " * 90_000}, (("import", "a.txt", "--out", "new.yaml"),)),
    )
    yield (
        "letters in a line",
        Case({"a.txt": b"a" * 900_000}, (("import", "a.txt", "--out", "new.yaml"),)),
    )
    sold = "".join(f"Sword {n},{n},It cuts.\n" for n in range(300))
    notes = "This is a note of more than six words,,\n" * 6_000
    yield (
        "notes below a table",
        Case(
            {"a.csv": f"name,cost,text\n{sold}{notes}".encode()},
            (("import", "a.csv", "--out", "new.yaml"),),
        ),
    )
    yield (
        "control in a text",
        Case(
            {"a.md": b"# Sw\x1b[31mord\n\nIt cuts\x07.\n\n# B\xe2\x80\xaeow\n\nx\n"},
            (("import", "a.md", "--out", "new.yaml"),),
        ),
    )
    yield (
        "deep HTML",
        Case({"a.html": b"<div>" * 9000 + b"x"}, (("import", "a.html", "--out", "new.yaml"),)),
    )
    yield (
        "letters no font has",
        Case(
            {"a.md": "# Sword ⛩\n\nIt ꙮ cuts.\n\n# Bow\n\nx\n".encode()},
            (("import", "a.md", "--out", "new.yaml"),),
        ),
    )


_HEADS = {
    "MAGIC ITEMS": "Items like these are found in old towers and older graves.",
    "MAGIC STANDARDS": "Standards go to units. Lone heroes have no hands free for them.\n\n"
    "  1. Orders\n  2. Movement\n     - charges first\n  3. **Combat**\n</flow>",
}


def _zip(parts: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _list_all() -> Iterator[tuple[str, Case]]:
    yield "a sound deck", make_deck_case(SWORD, "<text>{{ card.name }}</text>")
    for name, text in _expressions():
        yield f"expression: {name}", make_deck_case(SWORD, f"<text>{_escape(text)}</text>")
    for name, text in _texts():
        for tag in ("text", "flow"):
            body = f'<{tag} fit="box" min="4pt">{{{{ card.text }}}}</{tag}>'
            quoted = '  - name: Sword\n    text: "' + _quote(text) + '"\n'
            case = _only_check(make_deck_case(quoted, body, attributes='size="a4"'))
            yield f"{tag} of {name}", replace(case, seconds=AT_ONCE)
    for name, body in _attributes():
        yield f"template: {name}", make_deck_case(SWORD, body)
    for name, icon in _icons():
        case = make_deck_case(SWORD, '<icon name="odd" width="9mm"/>')
        yield f"icon: {name}", Case({**case.files, "icons/odd.svg": icon.encode()})
    case = make_deck_case(SWORD, '<image file="odd.svg" width="9mm" height="9mm"/>')
    said = '<svg viewBox="0 0 64 64"><text x="1" y="9" font-weight="²">x</text></svg>'
    yield "weight of a text in an SVG", Case({**case.files, "odd.svg": said.encode()})
    course = (
        '<linearGradient id="g" x1="1e308" x2="-1e308"><stop/><stop offset="1"/></linearGradient>'
    )
    drawn = f'<svg viewBox="0 0 9 9">{course}<rect width="9" height="9" fill="url(#g)"/></svg>'
    yield "gradient without end in an SVG", Case({**case.files, "odd.svg": drawn.encode()})
    full = '<column><box height="40mm"/><image file="art.png" width="9mm" grow="1"/></column>'
    case = make_deck_case(SWORD, full)
    yield "picture without room", Case({**case.files, "art.png": make_picture()})
    big = (
        '<box for="a in range(10000)"><box for="b in range(10000)" width="1mm" height="1mm"/></box>'
    )
    yield "boxes in loops", _only_check(make_deck_case(SWORD, big))
    lines = f'size="{"-" * 90_000}"'
    yield "lines that are no size", _only_check(make_deck_case(SWORD, "<box/>", attributes=lines))
    yield "components in components", _only_check(make_deck_case(SWORD, _double_components(40)))
    yield from _decks()
    yield from _settings()
    yield from _files()
    yield from _imports()


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")


FOUND: Mapping[str, Case] = dict(_list_all())
