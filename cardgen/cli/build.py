"""`cardgen build`: reads its arguments, builds deck by deck, prints what was written."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from cardgen.cli.calibrate import find_printers_file
from cardgen.cli.decks import for_each, say_strays
from cardgen.cli.options import (
    MOST_PLACES,
    WholeNumber,
    lang_option,
    look_option,
    out_option,
    places_option,
    printer_option,
    size_option,
    target_option,
)
from cardgen.cli.printing import say, say_lines
from cardgen.core.shown import show_line

if TYPE_CHECKING:
    from cardgen.build.draw import Progress
    from cardgen.core.geometry import Size
    from cardgen.deck.model import Deck
    from cardgen.pages.impose import Sides

LONG_WORK = 200  # cards, from which on a build shows how far it is


@click.command()
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@target_option()
@look_option()
@lang_option()
@out_option()
@click.option(
    "--only", metavar="PATTERN", help='Only the cards whose name or id fits, as "sword*".'
)
@click.option("--from", "start", type=WholeNumber(1), metavar="N", help="From this card on.")
@click.option("--to", "end", type=WholeNumber(1), metavar="N", help="Up to this card.")
@size_option("Only the cards of this size, where a deck has several.")
@click.option("--one-of-each", is_flag=True, help="One copy of each card.")
@click.option(
    "--since",
    metavar="FILE-OR-REV",
    help="Only what looks different from an earlier output, or from a git revision.",
)
@click.option(
    "--skip",
    type=WholeNumber(0, MOST_PLACES),
    metavar="N",
    default=0,
    help="Leave the first places of the first sheet empty.",
)
@places_option("--used", "Leave these places of the first sheet empty, as 2,5-7.")
@click.option("--dpi", type=WholeNumber(1, 2400), metavar="N", help="How fine pictures are drawn.")
@click.option("--fronts", is_flag=True, help="Write the fronts alone.")
@click.option("--backs", is_flag=True, help="Write the backs alone.")
@click.option(
    "--sides",
    type=click.Choice(["odd", "even"]),
    help="One stack for a printer without duplex: the fronts, or the backs in step with them.",
)
@click.option("--reverse", is_flag=True, help="Write the last page first.")
@click.option("--archive", is_flag=True, help="Write a PDF for archives: PDF/A-2a.")
@click.option("--untagged", is_flag=True, help="Leave out what reads the PDF aloud.")
@click.option("--draft", is_flag=True, help="Print all cards, with what is wrong drawn on them.")
@click.option(
    "--watch", is_flag=True, help="Build once more whenever a file changes; Ctrl-C ends it."
)
@printer_option(
    "The printer whose faults are undone, or none.  [default: default, where there is one]"
)
def build(
    decks: Sequence[str],
    target: str | None,
    look: str | None,
    lang: str | None,
    out: Path | None,
    only: str | None,
    start: int | None,
    end: int | None,
    size: Size | None,
    one_of_each: bool,
    since: str | None,
    skip: int,
    used: tuple[int, ...],
    dpi: int | None,
    fronts: bool,
    backs: bool,
    sides: Literal["odd", "even"] | None,
    reverse: bool,
    archive: bool,
    untagged: bool,
    draft: bool,
    watch: bool,
    printer: str | None,
) -> None:
    """Build decks as PDF; without a name, all of the project's, or all that come with cardgen."""
    chosen = choose_sides(fronts, backs, sides)
    if draft and since is not None:
        raise click.UsageError("--draft does not go with --since; give one of them.")
    from cardgen.build.faults import find_all
    from cardgen.build.pipeline import build_opened
    from cardgen.build.plan import BuildOptions
    from cardgen.build.selection import Selection
    from cardgen.cli.wording import format_built, format_notes
    from cardgen.core.errors import CardgenError
    from cardgen.core.library import Library
    from cardgen.project.decks import Decks, find_own_decks
    from cardgen.project.printers import Profiles, read_printers
    from cardgen.project.project import Projects, open_deck, open_project

    options = BuildOptions(
        target=target,
        look=look,
        language=lang,
        out=out,
        selection=Selection(only, start, end, one_of_each, size),
        sides=chosen,
        skip=skip,
        used=used,
        reverse=reverse,
        profiles=Profiles(read_printers(find_printers_file()), printer),
        dpi=dpi,
        since=since,
        untagged=untagged,
        archive=archive,
        draft=draft,
    )
    projects = Projects()
    written: dict[Path, str] = {}

    def build_anew(name: str) -> None:
        """Build a deck of a project of which nothing is known."""
        nonlocal projects
        projects = Projects()
        build_one(name)

    def read_one(name: str) -> Deck:
        return open_deck(name, lang, lenient=True, projects=Projects(), draft=True).deck

    def build_one(name: str) -> None:
        opened = open_deck(name, lang, lenient=not decks, projects=projects, draft=True)
        if lang and not decks and opened.deck.translation is None:
            return
        try:
            with show_progress(opened.deck) as progress:
                built = build_opened(*opened, options, progress)
        except CardgenError as error:
            raise find_all(error, opened, options) from error
        if written.get(built.path, name) != name:
            raise CardgenError(
                "option/same-output",
                f'"{written[built.path]}" and "{name}" both write {built.path}',
                hint="build them one by one, each with an --out of its own",
                details={"path": str(built.path), "decks": (written[built.path], name)},
            )
        written[built.path] = name
        say(format_built(built))
        for told in format_notes((*built.notes, *built.gaps, *built.warnings)):
            say_lines(told)
        if built.problems:
            raise CardgenError.of(built.problems)

    found = Decks(list(decks)) if decks else find_own_decks(Library(Path.cwd()))
    if not found.names:
        raise CardgenError.of(found.strays)
    if watch:
        from cardgen.cli.problems import print_problems
        from cardgen.cli.watching import watch_builds

        folder = open_project().settings.choose_out(out)
        say_strays(found)
        watch_builds(found.names, build_anew, read_one, print_problems, folder)
        return
    try:
        for_each(found.names, build_one)
    finally:
        say_strays(found)
    if lang and not written:
        raise CardgenError(
            "option/no-translation",
            f'no deck has texts in "{lang}"',
            hint=f"write them into a file like mydeck.{lang}.yaml",
            details={"language": lang},
        )
    gc.freeze()  # the process ends here: what it holds need not be walked through once more


def choose_sides(fronts: bool, backs: bool, sides: Literal["odd", "even"] | None) -> Sides:
    """Return the sides that three options ask for; they exclude each other."""
    if fronts and backs:
        raise click.UsageError("--fronts and --backs exclude each other; leave both out for all.")
    if sides and (fronts or backs):
        raise click.UsageError("--sides does not go with --fronts or --backs; give one of them.")
    return sides or ("fronts" if fronts else "backs" if backs else "both")


@contextmanager
def show_progress(deck: Deck) -> Iterator[Progress | None]:
    """Show a progress bar for long work on a terminal; else nothing."""
    if deck.copies < LONG_WORK or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=deck.copies, label=show_line(deck.name), file=sys.stderr) as bar:
        yield lambda done, _total: bar.update(done - bar.pos)
