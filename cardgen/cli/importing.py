"""`cardgen import`: makes a deck or play sheet of a text or table, and reports what it found."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardgen.cli.options import force_option
from cardgen.cli.printing import say, say_lines
from cardgen.core.shown import show_controls

if TYPE_CHECKING:
    from cardgen.deck.model import Deck
    from cardgen.importing.importer import Imported
    from cardgen.importing.merging.update import Standing, Update
    from cardgen.importing.review import Reviewed
    from cardgen.project.project import Project

_DECK_SUFFIXES = (".yaml", ".yml")
_TYPE_IT = "remove the link, or say with --out where the deck goes"


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o", "--out", "out", type=click.Path(path_type=Path), metavar="DECK",
    help="The deck to write, as decks/mine.yaml; a play sheet as decks/mine.md.  "
    "[default: a deck of the first file's name]",
)  # fmt: skip
@click.option(
    "--ranks", type=click.Choice(["cards", "table"]), default="cards", show_default=True,
    help="An item with several ranks: a card for each, or one that lists them.",
)  # fmt: skip
@click.option(
    "--sheet", metavar="NAME", help="The sheet of a workbook.  [default: the first that is shown]"
)
@click.option(
    "--cards-at",
    metavar="PATH",
    help="Where the cards lie in data, as data.cards or sets.*.cards.",
)
@click.option(
    "--name", "names", multiple=True, metavar="NAME",
    help="A card's name as the text prints it; two of them show what a card looks like.",
)  # fmt: skip
@click.option(
    "--not", "nots", multiple=True, metavar="TEXT", help="What looks like a name and is none."
)
@click.option(
    "--map", "fields", metavar="FIELD=COLUMN,...", help="Which columns or keys hold which fields."
)
@click.option(
    "--without", multiple=True, metavar="COLUMN", help="A column, key or field to leave out."
)
@click.option(
    "--title", metavar="TEXT", help="The title of a new deck.  [default: from the deck's name]"
)
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE",
    help="Write the report as .txt, .json or .html, with every source line.",
)  # fmt: skip
@click.option("--review", is_flag=True, help="Show each doubt and ask, before anything is written.")
@click.option(
    "--strict", is_flag=True,
    help="Write nothing if anything is in doubt, or changed in both source and deck.",
)  # fmt: skip
@click.option(
    "--remove", is_flag=True, help="Take cards out of a deck though they are more than half of it."
)
@force_option("Write over a file that is there already. A deck with its record is merged instead.")
def import_(
    files: Sequence[str],
    out: Path | None,
    ranks: str,
    sheet: str | None,
    cards_at: str | None,
    names: Sequence[str],
    nots: Sequence[str],
    fields: str | None,
    without: Sequence[str],
    title: str | None,
    report: Path | None,
    review: bool,
    strict: bool,
    remove: bool,
    force: bool,
) -> None:
    """Make a deck of texts or tables, or a play sheet of a text: files, or published addresses.

    When one has changed, import it again: what you edited in the deck stays, and where both changed
    is said.
    """
    from cardgen.core.errors import count
    from cardgen.core.library import show_from_here
    from cardgen.importing.importer import import_files
    from cardgen.importing.merging.update import check_related, check_removed, read_standing
    from cardgen.importing.model import Pointed
    from cardgen.importing.pictures import take_pictures
    from cardgen.importing.report import REPORTS, format_report, write_report
    from cardgen.importing.review import take_as_found
    from cardgen.importing.sheets.importer import SHEET_SUFFIXES
    from cardgen.importing.tables.records import Columns, read_mapping
    from cardgen.output.files import placing, write_file

    out = out or _name_deck(files[0])
    is_sheet = out.suffix.lower() in SHEET_SUFFIXES
    _check_suffix(out, is_sheet)
    if is_sheet and (sheet or cards_at or names or nots or fields or without or review):
        options = "--sheet, --cards-at, --name, --not, --map, --without and --review"
        raise click.UsageError(f"{options} are for cards, not for a play sheet")
    if report and report.suffix.lower() not in REPORTS:
        raise click.UsageError(f"a report ends in {', '.join(REPORTS)}, not {report.suffix}")
    standing = None if is_sheet else read_standing(out)
    _check_places(out, report, is_kept=standing is not None, force=force)
    hints: Sequence[str] = ()
    faults: Sequence[str] = ()
    if is_sheet:
        imported, said = _write_sheet(files, out, title, strict=strict)
    else:
        columns = Columns(sheet, cards_at, read_mapping(fields or ""))
        pointed = Pointed(tuple(names), tuple(nots))
        found = import_files(
            files,
            ranks_as_cards=ranks == "cards",
            columns=columns,
            pointed=pointed,
            without=without,
        )
        if standing and not (force or remove):
            check_related(standing, found)
            check_removed(standing, found)
        ask = _ask_about if review else take_as_found
        taken = take_pictures(found, out)
        with placing(taken.files):
            written = _write_deck(taken.imported, out, title, standing, ask, strict=strict)
        update, hints, faults = written
        imported, said = update.imported, _sum_up(update, is_new=standing is None)
        if taken.files:
            said += f"; {count(len(taken.files), 'picture')} in {show_from_here(taken.folder)}"
    if report:
        write_file(report, write_report(imported, report.suffix.lower()).encode())
    doubtful = len(imported.list_doubtful())
    look = f"; {count(doubtful, imported.noun)} to look at" if doubtful else ""
    of_deck = len(imported.deck_doubts)
    look += f"; {count(of_deck, 'doubt')} of the deck as a whole" if of_deck else ""
    say_lines(format_report(imported))
    for hint in (*hints, *faults):
        say(f"  {hint}")
    say(f"{out}: {said}{look}")
    if faults or any(doubt.kind == "no-fit" for card in imported.cards for doubt in card.doubts):
        say(f"{out} does not build yet: cardgen check {out} says why", err=True)
        click.get_current_context().exit(1)


def _name_deck(file: str) -> Path:
    """Return where a deck goes that is given no place: a published table has no name to take."""
    from cardgen.core.deck_files import refuse_outside
    from cardgen.core.errors import Where
    from cardgen.deck.model import slug
    from cardgen.importing.reading.web import is_address

    if is_address(file):
        raise click.UsageError("say where the deck of an address goes, as -o decks/mine.yaml")
    folder = Path("decks")
    refuse_outside("the folder for decks", folder, Path(), Where(str(folder)), _TYPE_IT)
    return (folder if folder.is_dir() else Path()) / f"{slug(Path(file).stem)}.yaml"


def _check_suffix(out: Path, is_sheet: bool) -> None:
    from cardgen.core.deck_files import match_overlay

    if not is_sheet and out.suffix.lower() not in _DECK_SUFFIXES:
        ending = out.suffix or "nothing"
        raise click.UsageError(f"a deck ends in .yaml, a play sheet in .md, not in {ending}: {out}")
    if overlay := match_overlay(out):
        raise click.UsageError(
            f'{out} would be the texts of a deck "{overlay[1]}" in the language {overlay[2]}; '
            f"call the deck {out.with_stem(overlay[0].replace('.', '-'))}"
        )


def _write_sheet(
    files: Sequence[str], out: Path, title: str | None, *, strict: bool
) -> tuple[Imported, str]:
    """Write a play sheet; return what was found, and a few words on how much it is."""
    from cardgen.build.pipeline import check_opened
    from cardgen.build.plan import BuildOptions
    from cardgen.core.errors import count
    from cardgen.importing.importer import refuse_doubts
    from cardgen.importing.sheets.importer import import_sheet
    from cardgen.output.files import write_file

    def check(project: Project, deck: Deck, target: str | None) -> None:
        check_opened(project, deck, BuildOptions(target=target))

    imported, text, sides = import_sheet(files, out, title, check)
    if strict:
        refuse_doubts(imported)
    write_file(out, text.encode())
    return imported, f"{count(len(imported.cards), 'part')} on {count(sides, 'side')}"


def _write_deck(
    imported: Imported,
    out: Path,
    title: str | None,
    standing: Standing | None,
    ask: Callable[[Imported], Reviewed],
    *,
    strict: bool,
) -> tuple[Update, Sequence[str], Sequence[str]]:
    """Write a deck and its record, new or with what has changed.

    Return both, what is to be said of how the deck prints, and why one does not that is kept.
    """
    from cardgen.build.try_sizes import find_fit, list_lacking
    from cardgen.build.unread import list_unprinted
    from cardgen.deck.raw import title_of
    from cardgen.importing.merging.record import format_record, name_record
    from cardgen.importing.merging.update import (
        check_untouched,
        make_deck,
        settle_again,
        update_deck,
    )
    from cardgen.importing.trial import (
        doubt_unprinted,
        set_pictures_aside,
        try_cards,
        try_merged,
    )
    from cardgen.output.files import write_file

    title = title or title_of(out)
    faults: Sequence[str] = ()
    imported, hints = set_pictures_aside(imported, title, out, list_lacking)
    if standing:
        imported = doubt_unprinted(imported, standing.deck.data, out, list_unprinted)
        reviewed = ask(settle_again(imported, standing))
        _refuse_strictly(reviewed, strict=strict)
        update = update_deck(standing, reviewed, strict=strict)
        check_untouched(standing)
        faults = try_merged(update.data or standing.deck.data, out, find_fit)
    else:
        tried = try_cards(imported, title, out, find_fit)
        reviewed = ask(tried.imported)
        _refuse_strictly(reviewed, strict=strict)
        if reviewed.imported.values != imported.values:
            # What was answered may have made cards longer, or left the longest out.
            tried = try_cards(reviewed.imported, title, out, find_fit)
        update = make_deck(title, reviewed, tried.head, tried.cured)
        hints = (*hints, *tried.notes)
    if update.data is not None:
        write_file(out, update.data)
    if standing is None or update.record != standing.record:
        write_file(name_record(out), format_record(update.record).encode())
    return update, hints, faults


def _refuse_strictly(reviewed: Reviewed, *, strict: bool) -> None:
    from cardgen.importing.importer import refuse_doubts

    if strict:
        refuse_doubts(reviewed.imported)


def _check_places(out: Path, report: Path | None, *, is_kept: bool, force: bool) -> None:
    """Raise what cannot be written, and what would be written over."""
    from cardgen.core.errors import CardgenError
    from cardgen.importing.merging.record import name_record
    from cardgen.output.files import check_writable

    for path in (out, *([report] if report else [])):
        check_writable(path)
        if force or not path.exists() or (path == out and is_kept):
            continue
        hint = "name another, or write over it with --force"
        if path == out and path.suffix.lower() in _DECK_SUFFIXES:
            hint = f"no {name_record(out).name} beside it says what to keep of it; {hint}"
        raise CardgenError(
            "option/file-exists", f"{path} exists", hint=hint, details={"path": str(path)}
        )


def _ask_about(imported: Imported) -> Reviewed:
    """Ask about each doubt. Questions go where errors go, so the report can be sent elsewhere."""
    from shutil import get_terminal_size

    from cardgen.importing.review import Stopped, review

    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    try:
        return review(imported, _say, _ask, get_terminal_size().columns)
    except (Stopped, click.Abort, KeyboardInterrupt):
        _say("stopped; nothing is written")
        raise click.exceptions.Exit(1) from None


def _say(text: str) -> None:
    say_lines(text, err=True)


def _ask(question: str) -> str:
    if sys.stdin is None:
        raise click.Abort
    typed: str = click.prompt(
        show_controls(question), default="", show_default=False, prompt_suffix=" ", err=True
    )
    return typed


def _sum_up(update: Update, *, is_new: bool) -> str:
    """Return in a few words how much was imported, or what has changed."""
    from cardgen.core.errors import count
    from cardgen.importing.merging.notes import sum_up

    imported = update.imported
    if is_new:
        copies = sum(card.count for card in imported.cards)
        return f"{count(len(imported.cards), 'design')}, {count(copies, 'card')}"
    changed = sum_up(imported.notes)
    if update.data is None:
        return f"{changed or 'the source says what it said'}; the deck stays as it is"
    return changed
