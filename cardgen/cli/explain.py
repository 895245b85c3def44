"""`cardgen explain`: says what a problem means, and how to mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardgen.cli.printing import say_lines

if TYPE_CHECKING:
    from cardgen.core.messages import Entry

WIDTH = 80


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Say what the code of a problem means; without a CODE, list them all.

    The code of each problem stands in `cardgen check DECK --json`, as deck/unknown-field.
    """
    from cardgen.cli.wording import format_table
    from cardgen.core.messages import get_entry, read_entries

    entries = read_entries()
    if code is not None:
        say_lines(format_entry(get_entry(entries, code)))
        return
    rows = [(entry.code, entry.summary) for entry in entries.values()]
    say_lines(format_table([("code", "meaning"), *rows], right=()))


def format_entry(entry: Entry) -> str:
    """Return an entry of the catalogue as a page of plain text."""
    import textwrap  # which no other command needs

    parts = [
        entry.code,
        textwrap.fill(f"cause: {entry.cause}", WIDTH),
        textwrap.fill(f"cure: {entry.cure}", WIDTH),
        f"example:\n{textwrap.indent(entry.example, '  ')}",
    ]
    if entry.details:
        rows = "\n".join(f"  {name}: {meaning}" for name, meaning in entry.details.items())
        parts.append(f"details:\n{rows}")
    return "\n\n".join(parts)
