"""`cardgen list`, `show` and `check`: what is known of decks without printing them."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cardgen.commands.decks_given import for_each, list_decks
from cardgen.commands.options import look_option, target_option


@click.command("list")
@target_option
def list_(target: str | None) -> None:
    """List the decks with their cards and pages."""
    from cardgen.build import count_deck, load_deck
    from cardgen.report import format_table

    rows = [("deck", "title", "designs", "cards", "pages")]

    def add_row(name: str) -> None:
        deck = load_deck(name)
        pages = count_deck(deck, target=target)
        rows.append((name, deck.title, str(len(deck.cards)), str(deck.copies), str(pages)))

    try:
        for_each(list_decks(), add_row)
    finally:
        if len(rows) > 1:
            click.echo(format_table(rows, right=(2, 3, 4)))


@click.command()
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def show(deck: str, as_json: bool) -> None:
    """Show a deck's cards as a table."""
    from cardgen.build import load_deck
    from cardgen.report import format_deck, format_json

    loaded = load_deck(deck)
    click.echo(format_json(loaded) if as_json else format_deck(loaded))


@click.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK...")
@target_option
@look_option
def check(decks: Sequence[str], target: str | None, look: str | None) -> None:
    """Say everything that a build would complain of, and write nothing."""
    from cardgen.build import check as check_deck
    from cardgen.build import load_deck
    from cardgen.report import count

    def check_one(name: str) -> None:
        deck = load_deck(name)
        check_deck(deck, target=target, look=look)
        click.echo(f"{name}: {count(deck.copies, 'card')}, nothing to complain of")

    for_each(decks, check_one)
