"""The options that several commands have."""

from __future__ import annotations

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
look_option = click.option(
    "--look",
    metavar="NAME",
    help="Another look, as plain: black on white, little ink.",
)
