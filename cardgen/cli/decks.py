"""`cardgen list`, `show` and `check`: what is known of decks without printing them.

A command that takes several decks goes through them here.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli.failures import explain_end
from cardgen.cli.options import json_option, lang_option, look_option, target_option
from cardgen.cli.printing import say, say_lines
from cardgen.core.failures import FAILURES

if TYPE_CHECKING:
    from cardgen.core.errors import Problem
    from cardgen.layout.copyfit import Shrunk
    from cardgen.project.decks import Decks


@click.command("list")
@target_option()
@lang_option()
def list_(target: str | None, lang: str | None) -> None:
    """List the decks with their cards and pages."""
    from cardgen.build.plan import BuildOptions, make_plan
    from cardgen.cli.wording import format_table
    from cardgen.core.library import Library
    from cardgen.project.decks import find_decks
    from cardgen.project.project import Projects, open_deck

    projects = Projects()
    rows = [("deck", "title", "designs", "cards", "pages")]

    def add_row(name: str) -> None:
        project, deck = open_deck(name, lang, lenient=True, projects=projects)
        pages = len(make_plan(project, deck, BuildOptions(target=target)).pages)
        rows.append((name, deck.title, str(len(deck.cards)), str(deck.copies), str(pages)))

    decks = find_decks(Library(Path.cwd()))
    try:
        for_each(decks.names, add_row)
    finally:
        if len(rows) > 1:
            say_lines(format_table(rows, right=(2, 3, 4)))
        say_strays(decks)


@click.command()
@click.argument("deck")
@lang_option()
@json_option()
def show(deck: str, lang: str | None, as_json: bool) -> None:
    """Show a deck's cards as a table."""
    from cardgen.cli.wording import format_deck, format_json, pack_deck
    from cardgen.project.project import open_deck

    loaded = open_deck(deck, lang).deck
    say_lines(format_json(pack_deck(loaded)) if as_json else format_deck(loaded))


@click.command()
@click.argument("decks", nargs=-1, metavar="[DECK]...")
@target_option()
@look_option()
@lang_option()
@json_option("Print the problems as JSON, for editors.")
@click.pass_context
def check(
    context: click.Context,
    decks: Sequence[str],
    target: str | None,
    look: str | None,
    lang: str | None,
    as_json: bool,
) -> None:
    """Say all that a build of decks, or of every deck, would complain of, and write nothing."""
    from cardgen.build.faults import find_all
    from cardgen.build.pipeline import check_opened
    from cardgen.build.plan import BuildOptions
    from cardgen.cli.wording import format_json, format_notes, pack_problems
    from cardgen.core.errors import CardgenError, count
    from cardgen.core.library import Library
    from cardgen.project.decks import find_own_decks
    from cardgen.project.project import Projects, open_deck

    projects = Projects()
    shrunk: list[Shrunk] = []
    notes: list[Problem] = []

    def check_one(name: str) -> None:
        options = BuildOptions(target=target, look=look, language=lang)
        opened = open_deck(name, lang, projects=projects, draft=True)
        try:
            checked = check_opened(*opened, options)
        except CardgenError as error:
            raise find_all(error, opened, options) from error
        shrunk.extend(checked.shrunk)
        said = (*checked.notes, *checked.gaps, *checked.warnings)
        notes.extend(said)
        if not as_json:
            say(f"{name}: {count(opened.deck.copies, 'card')}, nothing to complain of")
            for told in format_notes(said):
                say_lines(told)

    problems: Sequence[Problem] = ()
    try:
        for_each(decks or find_own_decks(Library(Path.cwd())).names, check_one)
    except CardgenError as error:
        if not as_json:
            raise
        problems = error.problems
    if as_json:
        say_lines(format_json(pack_problems(problems, shrunk, notes)))
    if problems:
        context.exit(1)


def for_each(names: Sequence[str], run: Callable[[str], None]) -> None:
    """Run for every deck, and raise the problems of all at the end."""
    from cardgen.core.errors import CardgenError, Where

    problems: dict[Problem, None] = {}
    for name in names:
        try:
            run(name)
        except CardgenError as error:
            problems.update(dict.fromkeys(error.problems))
        except FAILURES as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # nobody wants the rest
            for problem in explain_end(error).problems:
                problems[replace(problem, where=problem.where or Where(name))] = None
    if problems:
        raise CardgenError.of(problems)


def say_strays(decks: Decks) -> None:
    """Say which tables are no decks."""
    for note in decks.strays:
        file = f"{note.where.file} is " if note.where else ""
        say(f"{file}left out: {note.message}; {note.hint}")
