"""`cardgen studio`: reads its arguments, and serves a deck to the browser until Ctrl-C."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cardgen.cli.calibrate import find_printers_file
from cardgen.cli.options import WholeNumber
from cardgen.cli.printing import say


@click.command()
@click.argument("deck", required=False)
@click.option(
    "--port",
    type=WholeNumber(1, 65_535),
    metavar="N",
    help="The port of the server; if it is taken, the next free one.  [default: 8765]",
)
@click.option("--no-open", is_flag=True, help="Open no browser.")
def studio(deck: str | None, port: int | None, no_open: bool) -> None:
    """Show a deck in the browser, as it is while you write it; without one, all decks."""
    from cardgen.core.budget import limit_memory
    from cardgen.core.library import Library
    from cardgen.core.process import is_command
    from cardgen.project.printers import Profiles, read_printers
    from cardgen.project.project import open_project, open_project_of

    check_extra()
    name = None
    folder = Path.cwd()
    if deck is not None:
        path = Library(folder).get_deck(deck)
        folder = open_project_of(path).folder.resolve()
        name = path.stem
        if name not in Library(folder).list_own("deck"):  # it lies deeper than the decks it shows
            folder = path.resolve().parent
    profiles = Profiles(read_printers(find_printers_file()), None)
    os.chdir(folder)
    from cardgen.studio.serve import serve
    from cardgen.studio.session import Start

    out = open_project().settings.out
    if is_command():
        limit_memory()  # anew: what serves the page takes nothing away from the decks
    serve(Start(folder, name, out, profiles), port, say=say, opens=not no_open)


def check_extra() -> None:
    """Refuse to begin where what the studio needs is not installed."""
    from importlib.util import find_spec

    from cardgen.core.errors import CardgenError

    missing = [name for name in ("starlette", "uvicorn", "watchfiles") if find_spec(name) is None]
    if missing:
        raise CardgenError(
            "studio/not-installed",
            f"the studio needs {', '.join(missing)}",
            hint='pip install "cardgen[studio]" installs them',
            details={"packages": tuple(missing)},
        )
