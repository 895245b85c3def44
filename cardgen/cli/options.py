"""The options that several commands have, each written once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from cardgen.core.geometry import Size

# More than any sheet has.
MOST_PLACES = 10_000

PAPER_DEFAULT = "the project's, else a4"  # of a target, where there is no deck
# What nobody calls a folder.
_OUTPUTS = (".pdf", ".png", ".svg", ".zip")

Command = TypeVar("Command", bound=Callable[..., Any])


class WholeNumber(click.IntRange):
    """A number within bounds, which errors call as people do."""

    name = "whole number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            to = f"from {self.min} on" if self.max is None else f"from {self.min} to {self.max}"
            self.fail(f"'{value}' is no whole number {to}.", param, ctx)


def target_option(
    meaning: str = "What to print for, as a4 or letter.",
    default: str = "the deck's own, else the project's, else a4",
) -> Callable[[Command], Command]:
    return click.option("--target", metavar="NAME", help=_add_default(meaning, default))


def look_option() -> Callable[[Command], Command]:
    meaning = "Another look, as plain: black on white, little ink."
    default = "the project's, else the deck's own templates"
    return click.option("--look", metavar="NAME", help=_add_default(meaning, default))


def _add_default(meaning: str, default: str) -> str:
    return f"{meaning}  [default: {default}]"


def lang_option(
    meaning: str = "In another language, as de: with the texts of DECK.de.yaml.",
    *,
    required: bool = False,
) -> Callable[[Command], Command]:
    return click.option("--lang", metavar="TAG", required=required, help=meaning)


def _read_folder(
    _context: click.Context, _option: click.Parameter, told: Path | None
) -> Path | None:
    """Refuse the name of a file, of which a folder would be made, and find somebody's home, which
    shells leave alone in --out=~/prints.
    """
    if told is not None and told.parts[:1] == ("~",):
        with suppress(RuntimeError):
            told = told.expanduser()
    if told is not None and told.suffix.lower() in _OUTPUTS and not told.exists():
        raise click.BadParameter(
            f'"{told.name}" is the name of a file. Name a folder; a file in it has its deck\'s name'
        )
    return told


def out_option() -> Callable[[Command], Command]:
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        callback=_read_folder,
        help=_add_default("The folder to write into.", "the project's, else output"),
    )


def _read_places(
    _context: click.Context, _option: click.Parameter, told: str | None
) -> tuple[int, ...]:
    """Return the places of a sheet, as "2,5-7"; they count from 1."""
    places: dict[int, None] = {}
    for part in () if told is None else told.split(","):
        first, dash, last = (bound.strip() for bound in part.partition("-"))
        bounds = (first, last if dash else first)
        if not all(bound.isascii() and bound.isdigit() and len(bound) < 7 for bound in bounds):
            raise click.BadParameter(f'"{part.strip()}" is no place; write them as 2,5-7')
        start, end = map(int, bounds)
        if not 1 <= start <= end <= MOST_PLACES:
            raise click.BadParameter(f'"{part.strip()}": places count from 1 upwards')
        places.update(dict.fromkeys(range(start, end + 1)))
    return tuple(places)


def _read_size(_context: click.Context, _option: click.Parameter, told: str | None) -> Size | None:
    if told is None:
        return None
    from cardgen.core.errors import Refusal
    from cardgen.core.units import parse_size

    try:
        return parse_size(told)
    except Refusal as refusal:
        raise click.BadParameter(str(refusal)) from refusal


def size_option(meaning: str) -> Callable[[Command], Command]:
    return click.option("--size", callback=_read_size, metavar="SIZE", help=meaning)


def places_option(name: str, meaning: str) -> Callable[[Command], Command]:
    return click.option(name, callback=_read_places, metavar="PLACES", help=meaning)


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
