"""The command line: reads arguments, calls, prints. It does no work of its own.

What is slow to import is imported by the command that needs it.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from cardgen.build import Built, Progress
    from cardgen.deck.model import Deck
    from cardgen.errors import CardgenError
    from cardgen.pages.impose import Sides

MOST_NAMED = 5
MOST_PROBLEMS = 20
LONG_WORK = 200


class _Group(click.Group):
    """Turns what the user can mend into a message and exit code 1; a bug keeps its traceback."""

    def invoke(self, ctx: click.Context) -> object:
        from cardgen.errors import CardgenError

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # A terminal that lacks a letter shows another; it is no reason to stop.
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except CardgenError as error:
            _print_problems(error)
            ctx.exit(1)
        except KeyboardInterrupt:
            click.echo("stopped; files written before are as they were", err=True)
            ctx.exit(1)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from cardgen.version import VERSION

        click.echo(f"cardgen {VERSION}")
        ctx.exit()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Turn decks of cards and play sheets into PDF pages to print and cut.

    A DECK is the name of one (see `cardgen list`) or the path of a file.
    """


_target_option = click.option(
    "--target",
    metavar="NAME",
    help="What to print for, as a4 or letter.  [default: the deck's own, else a4]",
)


@main.command()
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@_target_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
    help="The folder to write into.",
)
@click.option(
    "--only", metavar="PATTERN", help='Only the cards whose name or id fits, as "sword*".'
)
@click.option("--fronts", is_flag=True, help="Write the fronts alone.")
@click.option("--backs", is_flag=True, help="Write the backs alone.")
def build(
    decks: Sequence[str],
    target: str | None,
    out: Path,
    only: str | None,
    fronts: bool,
    backs: bool,
) -> None:
    """Build decks as PDF; without a name, all of them."""
    if fronts and backs:
        raise click.UsageError("--fronts and --backs exclude each other; leave both out for all.")
    sides: Sides = "fronts" if fronts else "backs" if backs else "both"
    from cardgen.build import build as build_deck
    from cardgen.build import load_deck
    from cardgen.errors import CardgenError

    written: dict[Path, str] = {}

    def build_one(name: str) -> None:
        deck = load_deck(name)
        with _show_progress(deck) as progress:
            built = build_deck(
                deck, target=target, out=out, only=only, sides=sides, progress=progress
            )
        if built.path in written:
            raise CardgenError(
                f'"{written[built.path]}" and "{name}" both write {built.path}',
                hint="build them one by one, each with an --out of its own",
            )
        written[built.path] = name
        _report(built)

    _for_each(decks or _list_decks(), build_one)
    gc.freeze()  # the process ends here: what it holds need not be walked through once more


@main.command("list")
@_target_option
def list_(target: str | None) -> None:
    """List the decks with their cards and pages."""
    from cardgen.build import count_deck, load_deck

    rows = [("deck", "title", "designs", "cards", "pages")]

    def add_row(name: str) -> None:
        deck = load_deck(name)
        pages = count_deck(deck, target=target)
        rows.append((name, deck.title, str(len(deck.cards)), str(deck.copies), str(pages)))

    try:
        _for_each(_list_decks(), add_row)
    finally:
        if len(rows) > 1:
            _print_table(rows, right=(2, 3, 4))


@main.command()
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def show(deck: str, as_json: bool) -> None:
    """Show a deck's cards as a table."""
    from cardgen.build import load_deck

    loaded = load_deck(deck)
    if as_json:
        click.echo(_format_json(loaded))
        return
    fields = list(loaded.cards[0].fields)
    rows = [("id", "name", "count", *fields)]
    for card in loaded.cards:
        cells = (_show_value(card.fields[field]) for field in fields)
        rows.append((card.id, card.name, str(card.count), *cells))
    numbers = [
        3 + place
        for place, field in enumerate(fields)
        if all(isinstance(card.fields[field], int | float | None) for card in loaded.cards)
    ]
    click.echo(f"{loaded.title}: {len(loaded.cards)} designs, {loaded.copies} cards")
    _print_table(rows, right=(2, *numbers))


@main.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK...")
@_target_option
def check(decks: Sequence[str], target: str | None) -> None:
    """Say everything that a build would complain of, and write nothing."""
    from cardgen.build import check as check_deck
    from cardgen.build import load_deck

    def check_one(name: str) -> None:
        deck = load_deck(name)
        check_deck(deck, target=target)
        click.echo(f"{name}: {_count(deck.copies, 'card')}, nothing to complain of")

    _for_each(decks, check_one)


def _print_problems(error: CardgenError) -> None:
    for problem in error.problems[:MOST_PROBLEMS]:
        click.echo(str(problem), err=True)
    more = len(error.problems) - MOST_PROBLEMS
    if more > 0:
        click.echo(f"and {_count(more, 'more problem')}", err=True)


def _for_each(names: Sequence[str], run: Callable[[str], None]) -> None:
    """Run for every deck, and raise the problems of all at the end."""
    from cardgen.errors import CardgenError, Problem

    problems: list[Problem] = []
    for name in names:
        try:
            run(name)
        except CardgenError as error:
            problems += error.problems
    if problems:
        raise CardgenError.of(problems)


def _list_decks() -> list[str]:
    from cardgen.library import Library

    return Library(Path.cwd()).list_names("deck")


@contextmanager
def _show_progress(deck: Deck) -> Iterator[Progress | None]:
    """A progress bar for long work on a terminal; else nothing."""
    if deck.copies < LONG_WORK or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=deck.copies, label=deck.name, file=sys.stderr) as bar:
        yield lambda done, _total: bar.update(done - bar.pos)


def _report(built: Built) -> None:
    counts = f"{_count(built.cards, 'card')} on {_count(built.pages, 'page')}"
    click.echo(f"{built.path}: {counts}{_name_shrunk(built)}")


def _name_shrunk(built: Built) -> str:
    """The cards that were set smaller, each once with its smallest size."""
    if not built.shrunk:
        return ""
    sizes: dict[str, float] = {}
    for entry in built.shrunk:
        name = entry.subject.name.removeprefix("card ").strip('"')
        sizes[name] = min(entry.size, sizes.get(name, entry.size))
    named = [f"{name} ({size:g}pt)" for name, size in list(sizes.items())[:MOST_NAMED]]
    more = len(sizes) - len(named)
    rest = f" and {more:,} more" if more else ""
    return f"; set smaller: {', '.join(named)}{rest}"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _format_json(deck: Deck) -> str:
    import json

    cards = [
        {"id": card.id, "name": card.name, "count": card.count, **card.fields}
        for card in deck.cards
    ]
    data = {"deck": deck.name, "title": deck.title, "cards": cards}
    # ASCII alone, so that no terminal or pipe can spoil it.
    return json.dumps(data, indent=2)


def _show_value(value: object) -> str:
    from cardgen.errors import shorten

    return "" if value is None else shorten(str(value), 50)


def _print_table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        click.echo("  ".join(cells).rstrip())
