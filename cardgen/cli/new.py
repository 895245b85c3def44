"""`cardgen new`: writes a small project, and says how to build it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, cast

import click

from cardgen.cli.options import force_option
from cardgen.cli.printing import say

if TYPE_CHECKING:
    from cardgen.project.new import Form, Kind


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "form",
    type=click.Choice(["table", "yaml", "markdown"]),
    help="How the deck is written.  [default: yaml, or markdown for a play sheet]",
)
@click.option(
    "--like",
    type=click.Choice(["magic", "tactics", "artillery", "playsheet", "blank"]),
    help="Which of cardgen's decks it looks like.  [default: blank]",
)
@force_option("Write over files that are there.")
def new(name: str, form: str | None, like: str | None, force: bool) -> None:
    """Write a small project into the folder NAME: a deck, a template, a picture."""
    from cardgen.output.files import write_file
    from cardgen.project.new import plan_project

    project = plan_project(
        name, form=cast("Form | None", form), like=cast("Kind | None", like), force=force
    )
    for path, data in project.files.items():
        write_file(path, data)
        say(str(path))
    say(f"build it: cd {shlex.quote(str(project.folder))} && cardgen build")
