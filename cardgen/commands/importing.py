"""`cardgen import`: reads its arguments, makes a deck of what people already have, prints the
report.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click


@click.command("import")
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option(
    "-o", "--out", "out", type=click.Path(path_type=Path), required=True, metavar="DECK",
    help="The deck to write, as decks/mine.yaml; a play sheet as decks/mine.md.",
)  # fmt: skip
@click.option(
    "--ranks", type=click.Choice(["cards", "table"]), default="cards", show_default=True,
    help="An item with several ranks: a card for each, or one that lists them.",
)  # fmt: skip
@click.option("--sheet", metavar="NAME", help="The sheet of a workbook.  [default: the first]")
@click.option("--cards-at", metavar="PATH", help="Where the cards lie in JSON, as data.cards.")
@click.option(
    "--map", "fields", metavar="FIELD=COLUMN,...", help="Which columns or keys hold which fields."
)
@click.option("--title", metavar="TEXT", help="The deck's title.  [default: from the name of DECK]")
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the report as .txt, .json or .html, with every source line.",
)  # fmt: skip
@click.option("--strict", is_flag=True, help="Write nothing if anything is in doubt.")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def import_(
    files: Sequence[Path],
    out: Path,
    ranks: str,
    sheet: str | None,
    cards_at: str | None,
    fields: str | None,
    title: str | None,
    report: Path | None,
    strict: bool,
    force: bool,
) -> None:
    """Make a deck of a text or a table that you have, or a play sheet of a text."""
    from cardgen.deck.raw import title_of
    from cardgen.errors import CardgenError
    from cardgen.importing.deck_writer import format_deck
    from cardgen.importing.importer import import_files, refuse_doubts
    from cardgen.importing.records import Columns, read_mapping
    from cardgen.importing.report import REPORTS, format_report, write_report
    from cardgen.importing.sheet_importer import SHEET_SUFFIXES, import_sheet
    from cardgen.output.files import check_writable, write_file
    from cardgen.report import count

    is_sheet = out.suffix.lower() in SHEET_SUFFIXES
    if out.suffix.lower() not in (".yaml", ".yml") and not is_sheet:
        said = "a deck ends in .yaml, a play sheet in .md"
        raise click.UsageError(f"{said}, not in {out.suffix or 'nothing'}: {out}")
    if is_sheet and (sheet or cards_at or fields):
        raise click.UsageError("--sheet, --cards-at and --map are for cards, not for a play sheet")
    if report and report.suffix.lower() not in REPORTS:
        raise click.UsageError(f"a report ends in {', '.join(REPORTS)}, not {report.suffix}")
    for path in (out, *([report] if report else [])):
        check_writable(path)
        if path.exists() and not force:
            raise CardgenError(f"{path} exists", hint="name another, or write over it with --force")
    if is_sheet:
        imported, text, sides = import_sheet(files, out, title)
    else:
        columns = Columns(sheet, cards_at, read_mapping(fields or ""))
        imported = import_files(files, ranks_as_cards=ranks == "cards", columns=columns)
        text = format_deck(title or title_of(out), imported.values)
    if strict:
        refuse_doubts(imported)
    write_file(out, text.encode())
    if report:
        write_file(report, write_report(imported, report.suffix.lower()).encode())
    click.echo(format_report(imported))
    copies = sum(card.count for card in imported.cards)
    doubtful = len(imported.list_doubtful())
    look = f"; {count(doubtful, imported.noun)} to look at" if doubtful else ""
    found = f"{count(len(imported.cards), 'design')}, {count(copies, 'card')}"
    if is_sheet:
        found = f"{count(len(imported.cards), 'part')} on {count(sides, 'side')}"
    click.echo(f"{out}: {found}{look}")
