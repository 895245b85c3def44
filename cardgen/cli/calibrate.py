"""`cardgen calibrate`: prints a page that shows a printer's faults, and keeps what it showed."""

from __future__ import annotations

import os
from pathlib import Path

import click

from cardgen.cli.options import (
    PAPER_DEFAULT,
    list_option,
    out_option,
    printer_option,
    target_option,
)
from cardgen.cli.printing import say_lines


@click.command()
@target_option("The target whose paper is used.", PAPER_DEFAULT)
@printer_option("Which printer it is.", default="default")
@click.option("--set", "settings", metavar="KEY=VALUE,...", help="Keep what was read off the page.")
@list_option("Show what is kept of all printers.")
@click.option("--forget", is_flag=True, help="Keep nothing of this printer any more.")
@out_option()
def calibrate(
    target: str | None,
    printer: str,
    settings: str | None,
    list_only: bool,
    forget: bool,
    out: Path | None,
) -> None:
    """Print a page to measure a printer by, or keep what was measured."""
    if (settings is not None) + list_only + forget > 1:
        raise click.UsageError("--set, --list and --forget exclude each other; give one of them.")
    path = find_printers_file()
    if list_only:
        say_lines(_list_printers(path))
    elif forget:
        say_lines(_forget_printer(path, printer))
    elif settings is not None:
        say_lines(_set_printer(path, printer, settings))
    else:
        say_lines(_print_page(path, target, printer, out))


def find_printers_file() -> Path:
    """Return where the profiles of printers are kept."""
    home = os.environ.get("XDG_CONFIG_HOME")
    folder = Path(home) / "cardgen" if home else Path(click.get_app_dir("cardgen"))
    return folder / "printers.toml"


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
    from cardgen.core.errors import CardgenError
    from cardgen.core.names import describe_unknown
    from cardgen.output.files import write_file
    from cardgen.project.printers import format_printers, read_printers

    printers = read_printers(path)
    if name not in printers:
        unknown = describe_unknown(name, printers, "printer")
        raise CardgenError(
            "option/unknown-printer",
            f'unknown printer "{name}"',
            hint=unknown.hint if printers else "none is calibrated",
            details=unknown.details,
        )
    del printers[name]
    write_file(path, format_printers(printers))
    return f"{path}: the printer {name} is forgotten"


def _set_printer(path: Path, name: str, settings: str) -> str:
    from cardgen.output.files import write_file
    from cardgen.project.printers import (
        change_printer,
        format_printers,
        format_settings,
        parse_settings,
        read_printers,
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
    page = project.settings.choose_out(out) / "calibration.pdf"
    chosen = project.get_target(target)
    profile = name_profile(check_name(name), lying=chosen.page.width > chosen.page.height)
    known = read_printers(path).get(profile)
    check_writable(page)
    write_file(page, draw_calibration(chosen, profile, known.flip if known else None))
    return f"{page}: print both sides at full size; the page says how it is read"
