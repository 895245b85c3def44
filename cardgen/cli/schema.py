"""`cardgen schema`: the keys of decks and targets, printed for editors."""

from __future__ import annotations

import click

from cardgen.cli.printing import say_lines


@click.command()
@click.argument("kind", type=click.Choice(["deck", "target"]), metavar="deck|target")
def schema(kind: str) -> None:
    """Print the JSON Schema of decks or of targets, for editors."""
    from cardgen.cli.wording import format_json
    from cardgen.deck.schema import make_deck_schema
    from cardgen.pages.target_file import make_target_schema

    say_lines(format_json(make_deck_schema() if kind == "deck" else make_target_schema()))
