"""The docs name all there is and nothing else; every example in them builds, and every error that
they show reads so.

A fenced block of YAML, XML, TOML, CSV or Markdown says `example=NAME`. Behind one that also says
`fails` comes a block of text: what cardgen says of it.
"""

from __future__ import annotations

import csv
import io
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import click
import openpyxl
import pytest
import yaml
from conftest import Project
from lxml import etree
from making import build, check, load_deck
from PIL import Image

from cardgen.cli.app import main
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.core.messages import get_entry, read_entries
from cardgen.core.units import CARD_SIZES, MM, PAPER_SIZES
from cardgen.deck.model import CARD_KEYS, DECK_KEYS, DEFAULT_SHEET_TEMPLATE, DEFAULT_TEMPLATE
from cardgen.pages.target import TARGET_KEYS
from cardgen.pages.target_file import read_target
from cardgen.project.settings import KEYS
from cardgen.template.model import Style
from cardgen.template.parse import read_template
from cardgen.template.specs import make_style
from cardgen.template.values import Palette
from cardgen.template.vocabulary import (
    DEFINITIONS,
    ELEMENTS,
    GROUND,
    INK,
    PARTS,
    PLACE,
    ROOT_ATTRIBUTES,
    STYLE,
)

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = (
    *("README.md", "CONTRIBUTING.md"),
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
)
DECKS, TEMPLATES = "docs/deck-format.md", "docs/template-format.md"
TARGETS, COMMANDS, GLOSSARY = "docs/targets.md", "docs/command-line.md", "docs/glossary.md"
ICONS, LIBRARY = "docs/icons.md", "docs/templates.md"
MANUAL = (COMMANDS, DECKS, GLOSSARY, TARGETS, TEMPLATES, LIBRARY)

FOLDERS = {
    "csv": "decks/{}.csv",
    "markdown": "decks/{}.md",
    "toml": "targets/{}.toml",
    "xml": "templates/{}.xml",
    "yaml": "decks/{}.yaml",
}
# The deck that all templates are built with, and what it and the others name.
DECK = "items"
PICTURES = ("pictures/crown.png", "pictures/dusk.png")
WORKBOOK, SHEET = "decks/items.xlsx", "Weapons"

_FENCED = re.compile(r"^```(\S*)[ ]*([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"#+ (.+)")
_NAME = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"(?<!`!)\[[^\]]+\]\(([^)\s]+)\)")
_LINKED = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_DEFAULT = re.compile(r"\[default: (.*)\]$")
_MEASURE = re.compile(r"[\d.]+mm")
_COMMAND = re.compile(r"^ {4}cardgen (.*?)(?: +#.*)?$|`cardgen ([^`]+)`", re.MULTILINE)


# How the docs are read


@dataclass(frozen=True)
class Block:
    """A fenced block, and what follows the language in its first line."""

    language: str
    marks: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        return next((m.removeprefix("example=") for m in self.marks if "=" in m), "")


@dataclass(frozen=True)
class Row:
    section: str
    kind: str  # the head of the table's first column
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    blocks: tuple[Block, ...]
    prose: str

    @property
    def headings(self) -> list[str]:
        return [m[1] for line in self.prose.splitlines() if (m := _HEADING.fullmatch(line))]

    @property
    def anchors(self) -> set[str]:
        return {make_anchor(heading) for heading in self.headings}

    def list_rows(self, section: str, kind: str | None = None) -> list[Row]:
        """The rows of the tables in a section, or of those whose first column is called so."""
        found = [row for row in self._read_rows() if row.section == section]
        return [row for row in found if kind in (None, row.kind)]

    def list_names(self, section: str, kind: str | None = None) -> set[str]:
        """The names in the first column, and those of the sections that it refers to."""
        names: set[str] = set()
        for row in self.list_rows(section, kind):
            names.update(_NAME.findall(row.cells[0]))
            for link in _LINK.findall(row.cells[0]):
                names |= self.list_names(link.removeprefix("#"))
        return names

    def list_rows_of(self, kind: str) -> list[Row]:
        return [row for row in self._read_rows() if row.kind == kind]

    def list_sections(self, kind: str) -> set[str]:
        return {row.section for row in self._read_rows() if row.kind == kind}

    def _read_rows(self) -> Iterator[Row]:
        section, head = "", ""
        for line in self.prose.splitlines():
            heading = _HEADING.fullmatch(line)
            if heading:
                section = make_anchor(heading[1])
            if not line.startswith("|"):
                head = ""
                continue
            cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
            if not head:
                head = cells[0] or "nothing"
            elif set(line) - set("|-: "):
                yield Row(section, head, cells)


@cache
def read_page(name: str) -> Page:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = (Block(m[1], tuple(m[2].split()), m[3]) for m in _FENCED.finditer(text))
    return Page(tuple(blocks), _FENCED.sub("", text))


def make_anchor(heading: str) -> str:
    """A heading as links name it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def read_default(cell: str) -> str:
    return cell.strip("`")


# The keys of a deck


def test_the_keys_of_decks_and_cards() -> None:
    page = read_page(DECKS)
    assert page.list_names("the-keys-of-a-deck") == set(DECK_KEYS)
    assert page.list_names("the-keys-of-a-card") == set(CARD_KEYS)


def test_the_default_templates() -> None:
    page = read_page(DECKS)
    (row,) = (row for row in page.list_rows("the-keys-of-a-deck") if row.cells[0] == "`template`")
    assert read_default(row.cells[2]) == DEFAULT_TEMPLATE
    assert f"The template is `{DEFAULT_SHEET_TEMPLATE}` where none is named" in page.prose


# The template language


@pytest.mark.parametrize("name", ELEMENTS)
def test_the_attributes_of_an_element(name: str) -> None:
    assert read_page(TEMPLATES).list_names(name) == set(ELEMENTS[name].attributes)


@pytest.mark.parametrize("name", [*DEFINITIONS, *PARTS])
def test_the_attributes_of_a_definition(name: str) -> None:
    assert read_page(TEMPLATES).list_names(name) == set({**DEFINITIONS, **PARTS}[name])


def test_the_attributes_of_templates_and_groups() -> None:
    page = read_page(TEMPLATES)
    assert page.list_names("template") == set(ROOT_ATTRIBUTES)
    assert page.list_names("place") == set(PLACE)
    assert page.list_names("ground") == set(GROUND)
    assert page.list_names("ink") == set(INK)
    assert page.list_names("style-attributes") == set(STYLE)
    assert page.list_names("if-and-for") == {"if", "for"}


def test_no_other_elements() -> None:
    groups = {"template", "place", "ground", "ink", "style-attributes", "if-and-for"}
    elements = {*ELEMENTS, *DEFINITIONS, *PARTS}
    assert read_page(TEMPLATES).list_sections("attribute") == {*elements, *groups}


def test_the_defaults_of_a_style() -> None:
    rows = read_page(TEMPLATES).list_rows("style-attributes")
    defaults = {row.cells[0].strip("`"): read_default(row.cells[2]) for row in rows}
    given = {name: STYLE[name](text, Palette()) for name, text in defaults.items() if text}
    other = Style("", None, (), 1, 1, 1, 1, True, align="right", balance=True, paragraph=1)
    assert make_style(other._replace(tracking=1, hyphenate=True), given) == Style()
    assert [name for name, text in defaults.items() if not text] == ["features"]


def test_the_names_in_expressions(project: Project) -> None:
    """An unknown field is an error whose hint lists all there are."""
    project.write_deck()
    documented = read_page(TEMPLATES).list_names("expressions", "name")
    own = documented - {"card.text", "card.cost"}
    for record in ("card", "deck"):
        project.write_template(f"<text>{{{{ {record}.zzzzzzzzz }}}}</text>")
        _, _, known = project.find_problems().partition("field names: ")
        assert {f"{record}.{name}" for name in known.split(", ")} == {
            name for name in own if name.startswith(record)
        }


def test_the_sizes() -> None:
    documented = {}
    for row in read_page(TEMPLATES).list_rows("sizes"):
        for name, size in pairwise(row.cells):
            if _NAME.fullmatch(name):
                width, _, height = size.partition(" x ")
                documented[name.strip("`")] = (float(width), float(height))
    sizes = {**CARD_SIZES, **PAPER_SIZES}
    assert documented == {
        name: (round(size.width / MM, 3), round(size.height / MM, 3))
        for name, size in sizes.items()
    }


def test_the_icons() -> None:
    (listed,) = re.findall(r"icons that come with cardgen: ([^.]+)\.", read_page(TEMPLATES).prose)
    shipped = list_stems("assets/icons/*.svg")
    assert set(_NAME.findall(listed)) == shipped
    shown = read_page(ICONS)
    assert {row.cells[0].strip("`") for row in shown.list_rows_of("icon")} == shipped
    for name in shipped:
        assert shown.prose.count(f'src="../assets/icons/{name}.svg"') == 2


def list_stems(pattern: str) -> set[str]:
    return {path.stem for path in ROOT.glob(pattern)}


# The templates for any deck


def list_shown() -> set[str]:
    return {name for row in read_page(LIBRARY).list_rows_of("template") for name in find_names(row)}


def find_names(row: Row) -> list[str]:
    return _NAME.findall(row.cells[0])


@pytest.mark.parametrize("name", sorted(list_shown()))
def test_the_fields_that_a_template_reads(name: str) -> None:
    """The table names those that its face asks a card for."""
    page = read_page(LIBRARY)
    template = read_template(ROOT / f"templates/{name}.xml", Library(ROOT), Size(595, 842))
    expressions = [one for element in template.elements for one in element.list_expressions()]
    asked = {field for one in expressions for field in one.fields}
    told = {"name", "number", "place", "fields"} | ({"image", "color"} & asked)
    assert {n for row in page.list_rows(name, "field") for n in find_names(row)} == asked - told
    assert ("`image` means the same" in str(page.list_rows(name))) == ("image" in asked)


def test_every_template_is_shown_with_a_deck_of_its_own() -> None:
    page = read_page(LIBRARY)
    decks = [block.text for block in page.blocks if block.language == "yaml"]
    for name in list_shown():
        assert (ROOT / f"docs/pictures/template-{name}.png").stat().st_size < 100_000
        assert f"(pictures/template-{name}.png)" in page.prose
        (deck,) = (text for text in decks if f"template: {name}\n" in text)
        assert len(deck.splitlines()) <= 6


# Targets


def test_the_keys_of_a_target() -> None:
    assert read_page(TARGETS).list_names("the-keys") == {*TARGET_KEYS, "title", "extends"}


def test_the_defaults_of_a_target(tmp_path: Path) -> None:
    required = ['title = "Plain"', 'paper = "a4"']
    stated = [
        f"{row.cells[0].strip('`')} = {read_default(row.cells[2])}"
        for row in read_page(TARGETS).list_rows("the-keys")
        if row.cells[2].startswith("`")
    ]
    assert len(stated) > 8
    (tmp_path / "plain.toml").write_text("\n".join(required))
    (tmp_path / "stated.toml").write_text("\n".join([*required, *stated]))
    plain, said = (read_target(tmp_path / f"{name}.toml") for name in ("plain", "stated"))
    assert replace(said, name=plain.name, source=plain.source) == plain


def test_the_shipped_targets() -> None:
    section = "the-targets-that-come-with-cardgen"
    assert read_page(TARGETS).list_names(section) == list_stems("assets/targets/*.toml")


def test_the_keys_of_a_project() -> None:
    assert read_page("docs/projects.md").list_names("cardgentoml") == set(KEYS)


# The command line


def list_options(command: click.Command) -> set[str]:
    # A command keeps its help option as its first context wants it: that of the command line.
    context = click.Context(command, help_option_names=["-h", "--help"])
    parameters = command.get_params(context)
    return {name for p in parameters if isinstance(p, click.Option) for name in p.opts}


def test_the_commands_and_their_options() -> None:
    page = read_page(COMMANDS)
    documented = {
        heading.strip("`").removeprefix("cardgen "): page.list_names(make_anchor(heading), "option")
        for heading in page.headings
        if heading.startswith("`cardgen ")
    }
    everywhere = {"-h", "--help"}
    assert documented == {
        name: list_options(command) - everywhere for name, command in main.commands.items()
    }
    assert page.list_names("the-command-line", "option") >= list_options(main) | everywhere


def test_what_help_says_is_left_out_stands_in_the_docs() -> None:
    page, compared = read_page(COMMANDS), 0
    for command, of in main.commands.items():
        told = {
            name: read_plain(row.cells[2])
            for row in page.list_rows(make_anchor(f"`cardgen {command}`"), "option")
            for name in _NAME.findall(row.cells[0])
        }
        for option in of.params:
            if isinstance(option, click.Option) and (default := find_default(option)):
                name = option.opts[-1]
                assert (command, name, told[name]) == (command, name, default)
                compared += 1
    assert compared > 20


def find_default(option: click.Option) -> str | None:
    """What the help says holds where an option is left out."""
    said = _DEFAULT.search(option.help or "")
    if said is None and option.show_default and option.default is not None:
        return str(option.default)
    return said[1] if said else None


def read_plain(cell: str) -> str:
    """A cell of a table without its links and signs of code."""
    return _LINKED.sub(r"\1", cell).replace("`", "")


@pytest.mark.parametrize("name", PAGES)
def test_every_command_in_the_docs_is_one(name: str) -> None:
    """Reads their arguments as click does, without running them."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for pair in _COMMAND.findall(text):
        line = "".join(pair)
        command, *arguments = shlex.split(line)
        if command == "COMMAND" or command in list_options(main):
            continue
        assert command in main.commands, line
        if arguments:
            main.commands[command].make_context(command, [*arguments])
        if command == "explain" and arguments:
            assert get_entry(read_entries(), arguments[0])


# Words and links


def test_the_glossary_is_in_order() -> None:
    words = re.findall(r"^\*\*([^*]+)\*\*:", read_page(GLOSSARY).prose, re.MULTILINE)
    assert words == sorted(words)
    assert len(words) > 15


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for link in _LINK.findall(read_page(name).prose):
        file, _, anchor = link.partition("#")
        if "://" in file:
            continue
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.is_file(), link
        if anchor:
            assert anchor in read_page(str(path.resolve().relative_to(ROOT))).anchors, link


# The examples


def list_examples() -> Iterator[tuple[Block, str | None]]:
    """Every example, with what cardgen says of it where it fails."""
    for name in MANUAL:
        blocks = read_page(name).blocks
        for number, block in enumerate(blocks):
            if "fails" in block.marks:
                said = blocks[number + 1]
                assert said.language == "text", block.name
                yield block, said.text.strip()
            elif block.name:
                yield block, None


EXAMPLES = list(list_examples())


def test_every_block_is_an_example() -> None:
    """So that no block rots because it lacks the mark; nor does one hide another."""
    blocks = [block for name in MANUAL for block in read_page(name).blocks]
    assert [b.text for b in blocks if b.language != "text" and not b.name] == []
    assert {b.language for b in blocks} == {*FOLDERS, "text"}
    files = [FOLDERS[block.language].format(block.name) for block, _ in EXAMPLES]
    assert len(files) == len(set(files))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of all examples, with the picture and the workbook that they name."""
    project = Project(tmp_path_factory.mktemp("examples").resolve())
    for block, _ in EXAMPLES:
        text = block.text
        if block.language == "xml" and not text.startswith("<template"):
            text = f'<template size="poker" bleed="3mm">\n{text}</template>\n'
        project.write(FOLDERS[block.language].format(block.name), text)
    picture = io.BytesIO()
    Image.new("RGB", (40, 30), "#8a1c1c").save(picture, "PNG")
    for name in PICTURES:
        project.write(name, picture.getvalue())
    table = next(block.text for block, _ in EXAMPLES if block.language == "csv")
    write_workbook(project.folder / WORKBOOK, csv.reader(io.StringIO(table)))
    return project


def write_workbook(path: Path, rows: Iterable[list[str]]) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet(SHEET)
    for row in rows:
        sheet.append(row)
    book.save(path)


def test_every_key_of_decks_has_an_example() -> None:
    keys: set[str] = set()
    cards: set[str] = set()
    for block, said in EXAMPLES:
        if block.language == "yaml" and said is None:
            deck = yaml.safe_load(block.text)
            keys |= deck.keys()
            listed = deck.get("cards", [])
            for card in [
                deck.get("defaults") or {},
                *(listed if isinstance(listed, list) else []),
                *deck.get("add", []),
                *deck.get("change", {}).values(),
            ]:
                cards |= card.keys()
    assert set(DECK_KEYS) - keys == set()
    assert {*CARD_KEYS, "like"} - cards == set()


def test_every_element_and_attribute_has_an_example() -> None:
    """What many elements share is used once, at any of them."""
    used: dict[str, set[str]] = {}
    for block, said in EXAMPLES:
        if block.language == "xml" and said is None:
            for element in etree.fromstring(f"<examples>{block.text}</examples>").iter():
                used.setdefault(str(element.tag), set()).update(map(str, element.attrib))
    shared = {*PLACE, *STYLE, *GROUND}
    known = {name: set(kind.attributes) for name, kind in ELEMENTS.items()}
    definitions = {**DEFINITIONS, **PARTS}
    known |= {name: set(attributes) for name, attributes in definitions.items()}
    known["template"] = set(ROOT_ATTRIBUTES)
    wanting = {
        name: attributes - shared - used.get(name, set()) for name, attributes in known.items()
    }
    assert {name: lacking for name, lacking in wanting.items() if lacking} == {}
    assert known.keys() - used.keys() == set()
    assert {*shared, "if", "for"} - set().union(*used.values()) == set()


def build_example(project: Project, block: Block) -> int:
    """Build a deck, or the common deck with a template or for a target; the number of cards."""
    out = project.folder / "output"
    own = block.language not in ("toml", "xml")
    file = FOLDERS[block.language if own else "yaml"].format(block.name if own else DECK)
    deck = load_deck(project.folder / file)
    target = block.name if block.language == "toml" else None
    if block.language == "xml":
        cards = (replace(card, template=block.name, back=None) for card in deck.cards)
        deck = replace(deck, name=block.name, cards=tuple(cards))
    built = build(deck, target=target, out=out)
    assert not [note for note in built.notes if note.code == "build/pale-text"]
    return built.cards


def test_every_example_of_a_template_is_shown() -> None:
    page = read_page(TEMPLATES)
    drawn = [block.name for block, said in EXAMPLES if block in page.blocks and said is None]
    shown = [name for name in drawn if (ROOT / f"docs/pictures/format/{name}.png").is_file()]
    templates = [b.name for b in page.blocks if b.language == "xml" and b.name in drawn]
    assert len(templates) > 40
    assert [name for name in templates if name not in shown] == []
    assert re.findall(r"\(pictures/format/([\w-]+)\.png\)", page.prose) == templates


@pytest.mark.parametrize(
    ("block", "said"), EXAMPLES, ids=[f"{b.language}-{b.name}" for b, _ in EXAMPLES]
)
def test_an_example(examples: Project, block: Block, said: str | None) -> None:
    if said is None:
        assert build_example(examples, block) > 0
        return
    with pytest.raises(CardgenError) as caught:
        build_example(examples, block)
    # Measures are those of the fonts, which may change a little.
    found = examples.shorten(str(caught.value)).replace(f"{ROOT}/", "")
    said, found = (_MEASURE.sub("9mm", text) for text in (said, found))
    assert found == said


def test_the_readme_has_a_deck_that_builds(project: Project) -> None:
    blocks = [block for block in read_page("README.md").blocks if block.language == "yaml"]
    for number, block in enumerate(blocks):
        check(project.write(f"decks/{number}.yaml", block.text))
