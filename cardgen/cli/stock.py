"""`cardgen targets`, `templates`, `fonts` and `icons`: what the library holds besides decks.

Each prints a table; the last three then write a specimen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli.options import PAPER_DEFAULT, list_option, out_option, target_option
from cardgen.cli.printing import say, say_lines

if TYPE_CHECKING:
    from cardgen.core.errors import Problem
    from cardgen.deck.model import Deck
    from cardgen.project.catalogue import TemplateEntry
    from cardgen.project.project import Project
    from cardgen.template.template import Template

_LIST_ONLY = "Print the table alone, and write nothing."
# Writes a specimen, and returns its path and its number of pages.
Specimen = Callable[[], tuple[Path, int]]


@click.command()
def targets() -> None:
    """List the targets that a deck can be printed for."""
    from cardgen.core.errors import CardgenError
    from cardgen.core.library import Library
    from cardgen.pages.target_file import read_targets

    found, problems = read_targets(Library(Path.cwd()))
    rows = [(target.name, target.format_paper(), target.title) for target in found]
    _print_stock(("target", "paper", "title"), rows)
    if problems:
        raise CardgenError.of(problems)


@click.command()
@target_option(default=PAPER_DEFAULT)
@out_option()
@list_option(_LIST_ONLY)
@click.option("--copy", metavar="NAME", help="Copy one into the project, with what it extends.")
def templates(target: str | None, out: Path | None, list_only: bool, copy: str | None) -> None:
    """List the templates that a deck may name, and print each with sample data, as PDF."""
    from cardgen.core.errors import CardgenError
    from cardgen.output.files import write_file
    from cardgen.project.catalogue import describe_template, read_templates
    from cardgen.project.copying import plan_copy
    from cardgen.project.project import open_project

    project = open_project()
    chosen = project.get_target(target)
    if copy is not None:
        for path, data in plan_copy(project.library, copy, chosen.page).items():
            write_file(path, data)
            say(str(path))
        return
    found: list[Template] = []
    rows: list[TemplateEntry] = []
    problems: dict[Problem, None] = {}
    for read in read_templates(project.library, chosen.page):
        if isinstance(read, CardgenError):
            problems.update(dict.fromkeys(read.problems))
            continue
        rows.append(describe_template(read))
        if not list_only:
            found.append(read)

    def write() -> tuple[Path, int]:
        from cardgen.build.proofs.specimens import print_templates

        return print_templates(found, project, chosen, out)

    head = ("template", "size", "bleed", "extends", "from", "for")
    _print_stock(head, rows, "templates", None if list_only or problems else write)
    if problems:
        raise CardgenError.of(problems)


@click.command()
@target_option(default=PAPER_DEFAULT)
@out_option()
@list_option(_LIST_ONLY)
def fonts(target: str | None, out: Path | None, list_only: bool) -> None:
    """List the fonts that templates may name, and print each with its signs, as PDF."""
    from cardgen.core.library import Library
    from cardgen.project.catalogue import list_families, list_fonts

    library = Library(Path.cwd())
    entries = list_fonts(library)

    def write() -> tuple[Path, int]:
        from cardgen.build.proofs.specimens import make_font_deck
        from cardgen.project.project import open_project

        sources = [entry.source for entry in entries]
        deck = make_font_deck(list_families(library), sources, library)
        return _build_deck(open_project(), deck, target, out)

    head = ("family", "weights", "italics", "from")
    _print_stock(head, entries, "families", None if list_only else write)


@click.command()
@target_option(default=PAPER_DEFAULT)
@out_option()
@list_option(_LIST_ONLY)
def icons(target: str | None, out: Path | None, list_only: bool) -> None:
    """List the icons that templates and texts may name, and print them, as PDF."""
    from cardgen.core.library import Library
    from cardgen.project.catalogue import list_icons

    library = Library(Path.cwd())
    entries = list_icons(library)

    def write() -> tuple[Path, int]:
        from cardgen.build.proofs.specimens import make_icon_deck
        from cardgen.project.project import open_project

        project = open_project()
        paper = project.get_target(target).page
        deck = make_icon_deck([entry.name for entry in entries], paper)
        return _build_deck(project, deck, target, out)

    _print_stock(("icon", "from"), entries, "icons", None if list_only else write)


def _print_stock(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    plural: str = "",
    write: Specimen | None = None,
) -> None:
    """Print a table; then write a specimen of its rows, and say where."""
    from cardgen.cli.wording import format_table
    from cardgen.core.errors import count

    say_lines(format_table([head, *rows], right=()))
    if write and rows:
        path, pages = write()
        noun = head[0] if len(rows) == 1 else plural
        say(f"{path}: {len(rows):,} {noun} on {count(pages, 'page')}")


def _build_deck(
    project: Project, deck: Deck, target: str | None, out: Path | None
) -> tuple[Path, int]:
    from cardgen.build.pipeline import build_opened
    from cardgen.build.plan import BuildOptions

    built = build_opened(project, deck, BuildOptions(target=target, out=out))
    return built.path, built.pages
