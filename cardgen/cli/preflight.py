"""`cardgen preflight`: a PDF checked before it goes to print."""

from __future__ import annotations

import click

from cardgen.cli.options import json_option, target_option
from cardgen.cli.printing import say_lines


@click.command()
@click.argument("file", metavar="FILE.pdf")
@target_option("Check for this target.", "what print shops in general ask")
@json_option()
@click.pass_context
def preflight(context: click.Context, file: str, target: str | None, as_json: bool) -> None:
    """Check a PDF before it goes to print: any PDF, whoever wrote it."""
    from cardgen.build.press import check_strange_pdf
    from cardgen.preflight.report import format_json, format_report
    from cardgen.project.project import open_project

    report = check_strange_pdf(file, open_project().get_target(target) if target else None)
    say_lines(format_json(report) if as_json else format_report(report))
    context.exit(0 if report.passed else 1)
