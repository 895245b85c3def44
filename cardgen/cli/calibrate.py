"""`cardgen calibrate`: prints the page on which a printer's faults are read, and keeps what was
read.
"""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli.options import find_printers_file, out_option


@click.command()
@click.option(
    "--target",
    metavar="NAME",
    help="The target whose paper is used.  [default: the project's, else a4]",
)
@click.option(
    "--printer", default="default", show_default=True, metavar="NAME", help="Which printer it is."
)
@click.option("--set", "settings", metavar="KEY=VALUE,...", help="Keep what was read off the page.")
@click.option("--list", "listed", is_flag=True, help="Show what is kept of all printers.")
@click.option("--forget", is_flag=True, help="Keep nothing of this printer any more.")
@out_option
def calibrate(
    target: str | None,
    printer: str,
    settings: str | None,
    listed: bool,
    forget: bool,
    out: Path | None,
) -> None:
    """Print a page to measure a printer by, or keep what was measured."""
    if (settings is not None) + listed + forget > 1:
        raise click.UsageError("--set, --list and --forget exclude each other; give one of them.")
    path = find_printers_file()
    if listed:
        click.echo(_list_printers(path))
    elif forget:
        click.echo(_forget_printer(path, printer))
    elif settings is not None:
        click.echo(_set_printer(path, printer, settings))
    else:
        click.echo(_print_page(path, target, printer, out))


def _list_printers(path: Path) -> str:
    from cardgen.cli.wording import format_table
    from cardgen.project.printers import format_settings, read_printers

    rows = [
        (name, ", ".join(f"{key}={value}" for key, value in format_settings(printer).items()))
        for name, printer in sorted(read_printers(path).items())
    ]
    if not rows:
        return f"no printer is calibrated; profiles are kept in {path}"
    return format_table([("printer", "profile"), *rows], right=())


def _forget_printer(path: Path, name: str) -> str:
    from cardgen.core.errors import CardgenError, suggest
    from cardgen.output.files import write_file
    from cardgen.project.printers import read_printers, format_printers

    printers = read_printers(path)
    if name not in printers:
        known = suggest(name, printers, kind="printer") if printers else "none is calibrated"
        raise CardgenError("cli/todo", f'unknown printer "{name}"', hint=known)
    del printers[name]
    write_file(path, format_printers(printers))
    return f"{path}: the printer {name} is forgotten"


def _set_printer(path: Path, name: str, settings: str) -> str:
    from cardgen.output.files import write_file
    from cardgen.project.printers import (
        change_printer,
        format_settings,
        parse_settings,
        read_printers,
        format_printers,
    )

    values = parse_settings(settings)
    printers = read_printers(path)
    changed = change_printer(printers.get(name), name, values)
    write_file(path, format_printers({**printers, name: changed}))
    said = ", ".join(f"{key}={value}" for key, value in format_settings(changed).items())
    return f"{path}: the printer {name} has {said or 'no fault'}"


def _print_page(path: Path, target: str | None, name: str, out: Path | None) -> str:
    from cardgen.build.proofs.calibration_page import draw_calibration
    from cardgen.output.files import check_writable, write_file
    from cardgen.project.printers import check_name, name_profile, read_printers
    from cardgen.project.project import open_project

    project = open_project()
    page = (out or project.settings.out) / "calibration.pdf"
    chosen = project.get_target(target)
    profile = name_profile(check_name(name), lying=chosen.page.width > chosen.page.height)
    known = read_printers(path).get(profile)
    check_writable(page)
    write_file(page, draw_calibration(chosen, profile, known.flip if known else None))
    return f"{page}: print both sides at full size; the page says how it is read"
