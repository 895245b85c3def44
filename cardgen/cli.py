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
    from cardgen.build import Progress
    from cardgen.deck.model import Deck
    from cardgen.errors import CardgenError
    from cardgen.pages.impose import Sides

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

_out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("output"),
    show_default=True,
    help="The folder to write into.",
)
_look_option = click.option(
    "--look",
    metavar="NAME",
    help="Another look, as plain: black on white, little ink.",
)


@main.command()
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@_target_option
@_look_option
@_out_option
@click.option(
    "--only", metavar="PATTERN", help='Only the cards whose name or id fits, as "sword*".'
)
@click.option("--from", "start", type=click.IntRange(1), metavar="N", help="From this card on.")
@click.option("--to", "end", type=click.IntRange(1), metavar="N", help="Up to this card.")
@click.option("--one-of-each", is_flag=True, help="One copy of each card.")
@click.option(
    "--skip",
    type=click.IntRange(0),
    metavar="N",
    default=0,
    help="Leave the first places of the first sheet empty.",
)
@click.option("--fronts", is_flag=True, help="Write the fronts alone.")
@click.option("--backs", is_flag=True, help="Write the backs alone.")
def build(
    decks: Sequence[str],
    target: str | None,
    look: str | None,
    out: Path,
    only: str | None,
    start: int | None,
    end: int | None,
    one_of_each: bool,
    skip: int,
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
    from cardgen.report import format_built
    from cardgen.selection import Selection

    written: dict[Path, str] = {}

    def build_one(name: str) -> None:
        deck = load_deck(name)
        with _show_progress(deck) as progress:
            built = build_deck(
                deck,
                target=target,
                look=look,
                out=out,
                selection=Selection(only, start, end, one_of_each),
                sides=sides,
                skip=skip,
                progress=progress,
            )
        if built.path in written:
            raise CardgenError(
                f'"{written[built.path]}" and "{name}" both write {built.path}',
                hint="build them one by one, each with an --out of its own",
            )
        written[built.path] = name
        click.echo(format_built(built))

    _for_each(decks or _list_decks(), build_one)
    gc.freeze()  # the process ends here: what it holds need not be walked through once more


@main.command("list")
@_target_option
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
        _for_each(_list_decks(), add_row)
    finally:
        if len(rows) > 1:
            click.echo(format_table(rows, right=(2, 3, 4)))


@main.command()
@click.argument("deck")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
def show(deck: str, as_json: bool) -> None:
    """Show a deck's cards as a table."""
    from cardgen.build import load_deck
    from cardgen.report import format_deck, format_json

    loaded = load_deck(deck)
    click.echo(format_json(loaded) if as_json else format_deck(loaded))


@main.command()
@click.argument("decks", nargs=-1, required=True, metavar="DECK...")
@_target_option
@_look_option
def check(decks: Sequence[str], target: str | None, look: str | None) -> None:
    """Say everything that a build would complain of, and write nothing."""
    from cardgen.build import check as check_deck
    from cardgen.build import load_deck
    from cardgen.report import count

    def check_one(name: str) -> None:
        deck = load_deck(name)
        check_deck(deck, target=target, look=look)
        click.echo(f"{name}: {count(deck.copies, 'card')}, nothing to complain of")

    _for_each(decks, check_one)


@main.command()
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


@main.command()
@_target_option
@_out_option
def icons(target: str | None, out: Path) -> None:
    """Print the icons that templates and texts may name, as PDF."""
    from cardgen.build import build as build_deck
    from cardgen.build import find_target
    from cardgen.report import count
    from cardgen.specimen import list_icons, make_icon_deck

    names = list_icons()
    deck = make_icon_deck(names, find_target(target).page)
    built = build_deck(deck, target=target, out=out)
    click.echo(f"{built.path}: {count(len(names), 'icon')} on {count(built.pages, 'page')}")


def _print_problems(error: CardgenError) -> None:
    from cardgen.report import count

    for problem in error.problems[:MOST_PROBLEMS]:
        click.echo(str(problem), err=True)
    more = len(error.problems) - MOST_PROBLEMS
    if more > 0:
        click.echo(f"and {count(more, 'more problem')}", err=True)


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
