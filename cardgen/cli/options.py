"""The options that several commands have, each written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def target_option(
    meaning: str = "What to print for, as a4 or letter.  [default: the deck's own, else a4]",
) -> Callable[[Command], Command]:
    return click.option("--target", metavar="NAME", help=meaning)


def look_option() -> Callable[[Command], Command]:
    return click.option(
        "--look", metavar="NAME", help="Another look, as plain: black on white, little ink."
    )


def lang_option(
    meaning: str = "In another language, as de: with the texts of DECK.de.yaml.",
    *,
    required: bool = False,
) -> Callable[[Command], Command]:
    return click.option("--lang", metavar="TAG", required=required, help=meaning)


def out_option() -> Callable[[Command], Command]:
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        help="The folder to write into.  [default: output]",
    )


def printer_option(meaning: str, default: str | None = None) -> Callable[[Command], Command]:
    return click.option(
        "--printer", metavar="NAME", default=default, show_default=True, help=meaning
    )


def json_option(meaning: str = "Print JSON, for programs.") -> Callable[[Command], Command]:
    return click.option("--json", "as_json", is_flag=True, help=meaning)


def list_option(meaning: str) -> Callable[[Command], Command]:
    return click.option("--list", "list_only", is_flag=True, help=meaning)


def force_option(meaning: str) -> Callable[[Command], Command]:
    return click.option("--force", is_flag=True, help=meaning)
