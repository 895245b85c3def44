"""`cardgen targets` and `icons`: what the library holds besides decks."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.commands.options import out_option, target_option


@click.command()
def targets() -> None:
    """List the targets that a deck can be printed for."""
    from cardgen.errors import CardgenError
    from cardgen.library import Library
    from cardgen.pages.target_reader import read_targets
    from cardgen.report import format_table

    found, problems = read_targets(Library(Path.cwd()))
    rows = [(target.name, target.show_paper(), target.title) for target in found]
    click.echo(format_table([("target", "paper", "title"), *rows], right=()))
    if problems:
        raise CardgenError.of(problems)


@click.command()
@target_option
@out_option
def icons(target: str | None, out: Path | None) -> None:
    """Print the icons that templates and texts may name, as PDF."""
    from cardgen.build import build as build_deck
    from cardgen.job import choose_target
    from cardgen.library import Library
    from cardgen.report import count
    from cardgen.specimen import list_icons, make_icon_deck

    names = list_icons()
    deck = make_icon_deck(names, choose_target(target, Library(Path.cwd())).page)
    built = build_deck(deck, target=target, out=out)
    click.echo(f"{built.path}: {count(len(names), 'icon')} on {count(built.pages, 'page')}")
