"""`cardgen diff`: what differs between two decks, in words, as JSON or as faces side by side."""

from __future__ import annotations

import re
from pathlib import Path

import click

from cardgen.cli.options import lang_option, look_option, out_option

_GONE = re.compile(r"\[-.*?-\]", re.DOTALL)
_CAME = re.compile(r"\{\+.*?\+\}", re.DOTALL)


@click.command()
@click.argument("before")
@click.argument("after")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
@click.option("--pdf", "as_pdf", is_flag=True, help="Write the faces side by side as a PDF too.")
@click.option(
    "--target", metavar="NAME", help="The paper of the PDF, as a4 or letter.  [default: a4]"
)
@look_option
@lang_option
@out_option
@click.pass_context
def diff(
    ctx: click.Context,
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
    from cardgen.cli.wording import format_comparison, format_comparison_json
    from cardgen.deck.compare import compare_decks
    from cardgen.project.project import open_deck

    _, earlier = open_deck(before, lang)
    project, later = open_deck(after, lang)
    found = compare_decks(earlier, later)
    click.echo(format_comparison_json(found) if as_json else _paint(format_comparison(found)))
    if as_pdf and not found.is_equal:
        from cardgen.build.proofs.side_by_side import draw_side_by_side
        from cardgen.core.errors import count
        from cardgen.output.files import check_writable, write_file

        folder = out or project.settings.out
        path = folder / f"{found.after.name}-diff.pdf"
        check_writable(path)
        data, pages = draw_side_by_side(found, target=target, look=look)
        write_file(path, data)
        click.echo(f"{path}: {count(pages, 'page')}", err=as_json)
    if not found.is_equal:
        ctx.exit(1)


def _paint(text: str) -> str:
    """What went in red and what came in green, where the output is a terminal."""
    text = _GONE.sub(lambda found: click.style(found[0], fg="red"), text)
    return _CAME.sub(lambda found: click.style(found[0], fg="green"), text)
