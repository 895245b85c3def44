"""`cardgen diff`: what differs between two decks, in words, as JSON or as faces side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli.options import (
    PAPER_DEFAULT,
    json_option,
    lang_option,
    look_option,
    out_option,
    target_option,
)
from cardgen.cli.printing import paint, say_lines

if TYPE_CHECKING:
    from cardgen.cli.wording import Words
    from cardgen.deck.compare import Comparison
    from cardgen.project.project import Project

_COLOURS = {"gone": "red", "come": "green"}


@click.command()
@click.argument("before")
@click.argument("after")
@json_option()
@click.option("--pdf", "as_pdf", is_flag=True, help="Write the faces side by side as a PDF too.")
@target_option("The paper of the PDF, as a4 or letter.", PAPER_DEFAULT)
@look_option()
@lang_option()
@out_option()
@click.pass_context
def diff(
    context: click.Context,
    before: str,
    after: str,
    as_json: bool,
    as_pdf: bool,
    target: str | None,
    look: str | None,
    lang: str | None,
    out: Path | None,
) -> None:
    """Show what differs between two decks; the exit code is 1 if anything does."""
    from cardgen.cli.wording import format_comparison, format_json, pack_comparison
    from cardgen.deck.compare import compare_decks
    from cardgen.project.project import Projects, open_deck

    projects = Projects()
    earlier = open_deck(before, lang, projects=projects)
    later = open_deck(after, lang, projects=projects)
    found = compare_decks(earlier.deck, later.deck)
    if as_json:
        say_lines(format_json(pack_comparison(found)))
    else:
        say_lines(format_comparison(found, _paint_words))
    if found.is_equal:
        return
    if as_pdf:
        folder = later.project.settings.choose_out(out)
        both = earlier.project, later.project
        say_lines(_write_pdf(found, both, target, look, folder), err=as_json)
    context.exit(1)


def _paint_words(words: Words) -> str:
    """Return words as plain text shows them; what went in red, what came in green."""
    from cardgen.cli.wording import mark_words

    text = mark_words(words)
    return paint(text, _COLOURS[words.kind]) if words.kind in _COLOURS else text


def _write_pdf(
    found: Comparison,
    projects: tuple[Project, Project],
    target: str | None,
    look: str | None,
    out: Path,
) -> str:
    """Write the faces side by side, and return a line that says where."""
    from cardgen.build.proofs.side_by_side import draw_side_by_side
    from cardgen.core.errors import count
    from cardgen.output.files import check_writable, write_file

    path = out / f"{found.after.name}-diff.pdf"
    check_writable(path)
    data, pages = draw_side_by_side(found, projects, target=target, look=look)
    write_file(path, data)
    return f"{path}: {count(pages, 'page')}"
