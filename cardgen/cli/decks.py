"""`cardgen list`, `show` and `check`: what is known of decks without printing them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cardgen.cli.options import for_each, lang_option, list_decks, look_option, target_option

if TYPE_CHECKING:
    from cardgen.core.errors import Problem
    from cardgen.layout.copyfit import Shrunk


@click.command("list")
@target_option
@lang_option
def list_(target: str | None, lang: str | None) -> None:
    """List the decks with their cards and pages."""
    from cardgen.build.plan import BuildOptions, make_plan
    from cardgen.cli.wording import format_table
    from cardgen.project.project import open_deck

    rows = [("deck", "title", "designs", "cards", "pages")]

    def add_row(name: str) -> None:
        project, deck = open_deck(name, lang, lenient=True)
        pages = len(make_plan(project, deck, BuildOptions(target=target)).pages)
        rows.append((name, deck.title, str(len(deck.cards)), str(deck.copies), str(pages)))

    try:
        for_each(list_decks(), add_row)
    finally:
        if len(rows) > 1:
            click.echo(format_table(rows, right=(2, 3, 4)))


@click.command()
@click.argument("deck")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def show(deck: str, lang: str | None, as_json: bool) -> None:
    """Show a deck's cards as a table."""
    from cardgen.cli.wording import format_deck, format_json
    from cardgen.project.project import open_deck

    loaded = open_deck(deck, lang).deck
    click.echo(format_json(loaded) if as_json else format_deck(loaded))


@click.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK...")
@target_option
@look_option
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print the problems as JSON, for editors.")
@click.pass_context
def check(
    context: click.Context,
    decks: Sequence[str],
    target: str | None,
    look: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Say everything that a build would complain of, and write nothing."""
    from cardgen.build.pipeline import check_opened
    from cardgen.build.plan import BuildOptions
    from cardgen.cli.wording import format_gaps, format_problems
    from cardgen.core.errors import CardgenError, count
    from cardgen.project.project import open_deck

    shrunk: list[Shrunk] = []
    gaps: list[Problem] = []

    def check_one(name: str) -> None:
        project, deck = open_deck(name, lang)
        checked = check_opened(project, deck, BuildOptions(target=target, look=look))
        shrunk.extend(checked.shrunk)
        gaps.extend(checked.gaps)
        if not as_json:
            click.echo(f"{name}: {count(deck.copies, 'card')}, nothing to complain of")
            for line in format_gaps(checked.gaps):
                click.echo(line)

    try:
        for_each(decks, check_one)
    except CardgenError as error:
        if not as_json:
            raise
        click.echo(format_problems(error.problems, shrunk, gaps))
        context.exit(1)
    if as_json:
        click.echo(format_problems((), shrunk, gaps))
