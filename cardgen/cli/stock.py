"""`cardgen targets`, `templates`, `fonts` and `icons`: what the library holds besides decks.

The last three print a table and write a specimen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli.options import out_option, target_option

if TYPE_CHECKING:
    from cardgen.deck.model import Deck


list_option = click.option(
    "--list", "list_only", is_flag=True, help="Print the table alone, and write nothing."
)


@click.command()
def targets() -> None:
    """List the targets that a deck can be printed for."""
    from cardgen.core.errors import CardgenError
    from cardgen.core.library import Library
    from cardgen.pages.target import read_targets

    found, problems = read_targets(Library(Path.cwd()))
    rows = [(target.name, target.format_paper(), target.title) for target in found]
    _print_table(("target", "paper", "title"), rows)
    if problems:
        raise CardgenError.of(problems)


@click.command()
@target_option
@out_option
@list_option
def templates(target: str | None, out: Path | None, list_only: bool) -> None:
    """List the templates that a deck may name, and print each with sample data, as PDF."""
    from cardgen.core.errors import CardgenError, count
    from cardgen.project.catalogue import describe_template, read_templates
    from cardgen.project.project import open_project

    project = open_project()
    library = project.library
    chosen = project.get_target(target)
    found, problems = read_templates(library, chosen.page)
    head = ("template", "size", "bleed", "extends", "from", "for")
    _print_table(head, [describe_template(template) for template in found])
    if found and not list_only and not problems:
        from cardgen.build.proofs.specimens import print_templates

        path, pages = print_templates(found, library, chosen, out)
        click.echo(f"{path}: {count(len(found), 'template')} on {count(pages, 'page')}")
    if problems:
        raise CardgenError.of(problems)


@click.command()
@target_option
@out_option
@list_option
def fonts(target: str | None, out: Path | None, list_only: bool) -> None:
    """List the fonts that templates may name, and print each with its signs, as PDF."""
    from cardgen.build.proofs.specimens import make_font_deck
    from cardgen.core.library import Library
    from cardgen.project.catalogue import list_families, list_fonts

    library = Library(Path.cwd())
    entries = list_fonts(library)
    _print_table(("family", "weights", "italics", "from"), entries)
    if not list_only:
        sources = [entry.source for entry in entries]
        deck = make_font_deck(list_families(library), sources, library)
        _print_specimen(deck, target, out, len(entries), "family", "families")


@click.command()
@target_option
@out_option
@list_option
def icons(target: str | None, out: Path | None, list_only: bool) -> None:
    """List the icons that templates and texts may name, and print them, as PDF."""
    from cardgen.build.proofs.specimens import make_icon_deck
    from cardgen.core.library import Library
    from cardgen.project.catalogue import list_icons
    from cardgen.project.project import open_project

    library = Library(Path.cwd())
    entries = list_icons(library)
    _print_table(("icon", "from"), entries)
    if not list_only:
        deck = make_icon_deck(
            [entry.name for entry in entries], open_project().get_target(target).page
        )
        _print_specimen(deck, target, out, len(entries), "icon", "icons")


def _print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from cardgen.cli.wording import format_table

    click.echo(format_table([head, *rows], right=()))


def _print_specimen(
    deck: Deck, target: str | None, out: Path | None, number: int, one: str, many: str
) -> None:
    from cardgen.build.pipeline import build_opened
    from cardgen.build.plan import BuildOptions
    from cardgen.core.errors import count
    from cardgen.project.project import open_project

    built = build_opened(open_project(), deck, BuildOptions(target=target, out=out))
    what = f"{number:,} {one if number == 1 else many}"
    click.echo(f"{built.path}: {what} on {count(built.pages, 'page')}")
