"""The options that several commands have."""

from __future__ import annotations

import os
from pathlib import Path

import click

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
