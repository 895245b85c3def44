"""The options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import click


def for_each(names: Sequence[str], run: Callable[[str], None]) -> None:
    """Run for every deck, and raise the problems of all at the end."""
    from cardgen.core.errors import CardgenError, Problem

    problems: list[Problem] = []
    for name in names:
        try:
            run(name)
        except CardgenError as error:
            problems += (problem for problem in error.problems if problem not in problems)
    if problems:
        raise CardgenError.of(problems)


def list_decks() -> list[str]:
    from cardgen.core.library import Library

    return Library(Path.cwd()).list_names("deck")


def list_own_decks() -> list[str]:
    """The project's own decks; where it has none, cardgen's."""
    from cardgen.core.library import Library

    return Library(Path.cwd()).list_own("deck") or list_decks()


target_option = click.option(
    "--target",
    metavar="NAME",
    help="What to print for, as a4 or letter.  [default: the deck's own, else a4]",
)

out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write into.  [default: output]",
)
lang_option = click.option(
    "--lang",
    metavar="TAG",
    help="In another language, as de: with the texts of DECK.de.yaml.",
)
look_option = click.option(
    "--look",
    metavar="NAME",
    help="Another look, as plain: black on white, little ink.",
)
printer_option = click.option(
    "--printer",
    metavar="NAME",
    help="The printer whose faults are undone, or none.  [default: default, where there is one]",
)


def find_printers_file() -> Path:
    """Where the profiles of printers are kept."""
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = Path(home) / "cardgen" if home else Path(click.get_app_dir("cardgen"))
    return folder / "printers.toml"


# MERGED: The decks that a command was given, one after the other.
#
#   Turns names into runs and collects what went wrong. Knows nothing of what is done with a deck.
#
