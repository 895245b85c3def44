"""Good files of Ghostscript, WeasyPrint, LibreOffice and cardgen: nothing is found in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from making import build
from preflight_files import DATA, ORIGINS, PRESS_ORIGINS, check, list_rules, open_good

from cardgen.build.press import check_pdf
from cardgen.preflight.check import check_file
from cardgen.preflight.wants import Flavour
from cardgen.project.project import open_project


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_plain_file(origin: str) -> None:
    assert list_rules(check(open_good(origin))) == []


@pytest.mark.parametrize("flavour", ["x-4", "x-1a"])
@pytest.mark.parametrize("origin", PRESS_ORIGINS)
def test_a_press_file(origin: str, flavour: Flavour) -> None:
    report = check(open_good(origin, flavour), flavour)
    assert list_rules(report) == []
    assert report.flavour == flavour


@pytest.mark.parametrize("origin", ORIGINS)
def test_what_claims_nothing_gets_warnings_at_most(origin: str) -> None:
    report = check_file(DATA / f"{origin}.pdf")
    rules = {"colour-space", "trim-box"}
    assert {(rule, severity) for rule, severity in list_rules(report)} <= {
        (rule, "warning") for rule in rules
    }
    assert bool(report.findings) == (origin in ("weasyprint-rgb", "libreoffice"))
    assert report.passed


@pytest.mark.parametrize("target", ["one-up", "a4"])
def test_what_cardgen_writes(tmp_path: Path, target: str) -> None:
    built = build("artillery", target=target, out=tmp_path)
    assert list_rules(check_pdf(built.path, open_project().get_target(target))) == []
    assert list_rules(check_file(built.path)) == []
