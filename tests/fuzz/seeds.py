"""Seeds: small projects from every shipped deck and template, the docs' examples and the formats'
corner cases.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache

import yaml
from cases import BUILDS, Case, make_deck_case
from PIL import Image

from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.project.project import open_deck

ROOT = HOME
_BLOCK = re.compile(r"^```(\w+) example=([\w-]+)( fails)?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_PLACES = {
    "yaml": "decks/{}.yaml",
    "csv": "decks/{}.csv",
    "markdown": "decks/{}.md",
    "xml": "templates/{}.xml",
    "toml": "targets/{}.toml",
}
_CARDS = b"""template: %s
cards:
  - name: Sword of Fate
    id: sword
    count: 2
    kind: weapon
    cost: 20
    text: "It **cuts** *deep*: +1 :sword:, 4+ each turn."
    picture: hills.png
    icon: sword
    points: [1, 2, 3]
    stats: {attack: 3, save: 4+}
  - name: Ash-grey cloak
    cost: 5
    kind: null
    icon: helm
    text: ""
    points: []
"""
ICON = b'<svg viewBox="0 0 64 64"><path d="M4 4h56v56h-56z"/><circle cx="9" cy="9" r="4"/></svg>'
SETTINGS = b'target = "letter"\nlanguage = "en-GB"\nauthor = "A. Smith"\nout = "output"\n'


@cache
def make_picture() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (24, 16), "#8a1c1c").save(file, "PNG")
    return file.getvalue()


def list_seeds() -> list[Case]:
    """Return all seeds, always in the same order."""
    return [*_take_decks(), *_take_examples(), *_make_corners(), *_take_texts()]


def _take_decks() -> Iterator[Case]:
    """Every shipped deck, cut down to a few cards, with its templates beside it."""
    templates = {
        f"templates/{path.name}": path.read_bytes() for path in (ROOT / "templates").glob("*.xml")
    }
    for path in sorted((ROOT / "decks").glob("*.*")):
        if path.suffix == ".md":
            text = path.read_text()[:3000].encode()
            name = f"decks/deck{path.suffix}"
            yield Case(
                {name: text, "templates/sheet.xml": templates["templates/sheet.xml"]},
                (("check", name), ("build", name)),
            )
        elif path.suffix == ".yaml":
            try:
                data = yaml.safe_load(path.read_text())
                open_deck(path)
            except CardgenError:
                continue
            if isinstance(data.get("cards"), list):
                data["cards"] = data["cards"][:2]
            text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True).encode()
            used = {str(data.get("template")), str(data.get("back"))}
            used |= {"framed", "house", "magic-item", "magic-back"}
            files = {n: t for n, t in templates.items() if n[10:-4] in used}
            yield Case({"decks/deck.yaml": text, **files})


def _take_examples() -> Iterator[Case]:
    pictures = dict.fromkeys(("hills.png", "dusk.png", "crown.png"), make_picture())
    common = {**pictures, "icons/mark.svg": ICON}
    for page in sorted((ROOT / "docs").glob("*.md")):
        for language, name, _fails, text in _BLOCK.findall(page.read_text()):
            if language not in _PLACES:
                continue
            if language == "xml" and not text.startswith("<template"):
                text = f'<template size="poker" bleed="3mm">\n{text}</template>\n'
            file = _PLACES[language].format(name)
            files = {**common, file: text.encode()}
            if language == "xml":
                deck = _CARDS % name.encode()
                yield Case({**files, "decks/deck.yaml": deck})
            elif language == "toml":
                deck = _CARDS % b"poker-basic"
                yield Case(
                    {**files, "decks/deck.yaml": deck},
                    tuple((*command, "--target", name) for command in BUILDS),
                )
            else:
                yield Case(files, (("check", file), ("build", file), ("show", file)))


def _make_corners() -> Iterator[Case]:
    body = (
        '<text fit="box">{{ card.name }}</text><icon y="9mm" width="6mm" height="6mm" name="mark"/>'
    )
    plain = make_deck_case("  - name: Sword\n    text: x\n", body)
    more = {"icons/mark.svg": ICON, "cardgen.toml": SETTINGS}
    yield Case({**plain.files, **more})
    yield Case(
        {**plain.files, **more},
        (("list",), ("templates", "--list"), ("icons", "--list"), ("targets",)),
    )
    overlay = b"title: Karten\ncards:\n  sword:\n    name: Schwert\n"
    yield Case(
        {**plain.files, **more, "decks/deck.de.yaml": overlay},
        tuple((*command, "--lang", "de") for command in BUILDS),
    )
    variant = b"extends: base\nchange:\n  sword:\n    text: y\nadd:\n  - name: Bow\n"
    base = plain.files["decks/deck.yaml"]
    yield Case({**plain.files, **more, "decks/base.yaml": base, "decks/deck.yaml": variant})
    yield Case(
        {**plain.files, **more, "decks/base.yaml": base, "decks/deck.yaml": variant},
        (("diff", "decks/base.yaml", "decks/deck.yaml"),),
    )
    rows = b'name,count,text\nSword,2,It cuts\nBow,1,"It, too"\n'
    yield Case({**plain.files, "decks/rows.csv": rows}, (("show", "decks/rows.csv"),))
    yield Case({**plain.files, "new.csv": rows}, (("import", "new.csv", "--out", "new.yaml"),))
    page = b"<html><body><h2>Sword</h2><p>10 points. It cuts.</p><h2>Bow</h2><p>5</p></body></html>"
    yield Case({"page.html": page}, (("import", "page.html", "--out", "new.yaml"),))
    yield Case(
        {"cards.json": b'[{"name":"Sword","cost":3},{"name":"Bow"}]'},
        (("import", "cards.json", "--out", "new.yaml"),),
    )
    script = b"const CARDS = [new Card({name: 'Sword', cost: -3, f: (a) => a + 1}), {name: `Bow`}];"
    yield Case({"cards.ts": script}, (("import", "cards.ts", "--out", "new.yaml"),))
    program = b"CARDS = [Card(name='Sword', cost=-3, f=lambda a: a), {'name': 'Bow', **MORE}]\n"
    yield Case({"cards.py": program}, (("import", "cards.py", "--out", "new.yaml"),))
    table = '<table columns="auto grow"><tr><td>A</td><td>{{ card.text }}</td></tr></table>'
    yield make_deck_case("  - name: Sword\n    text: x y z\n", table)
    flow = '<flow fit="box" columns="2">{{ card.text }}</flow>'
    yield make_deck_case(
        "  - name: Sword\n    text: '# A\n\n      x y *z* `q`\n\n      - one\n\n      - two'\n",
        flow,
    )


def _take_texts() -> Iterator[Case]:
    """Texts to be imported, cut short."""
    folder = ROOT / "tests" / "importing" / "texts"
    for path in sorted(folder.glob("*.*"))[::6]:
        if path.suffix in (".md", ".txt", ".html"):
            name = f"source{path.suffix}"
            yield Case({name: path.read_bytes()[:4000]}, (("import", name, "--out", "new.yaml"),))
