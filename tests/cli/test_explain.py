"""`cardgen explain`: what the code of a problem means."""

from __future__ import annotations

import pytest
from conftest import Project

from cardgen.core.messages import read_entries

SAID = """\
option/unknown-printer

cause: Nothing is kept of a printer of this name.

cure: See which are known with `cardgen calibrate --list`, and name one of them.

example:
  unknown printer "ofice"
    hint: did you mean "office"?

details:
  name: the printer as it is written
  near: the nearest printers
"""


@pytest.mark.parametrize("code", ["option/unknown-printer", "unknown-printer"])
def test_a_code_is_explained(project: Project, code: str) -> None:
    ran = project.run("explain", code)
    assert (ran.code, ran.stderr, ran.stdout) == (0, "", SAID)


def test_every_code_is_listed_with_a_sentence(project: Project) -> None:
    ran = project.run("explain")
    head, *rows = ran.stdout.splitlines()
    assert (ran.code, head.split()) == (0, ["code", "meaning"])
    assert [row.split()[0] for row in rows] == list(read_entries())
    assert all(row.endswith(".") for row in rows)


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("option/unknown-priner", 'did you mean "option/unknown-printer"?'),
        ("xyz", "cardgen explain lists them all"),
    ],
)
def test_an_unknown_code_names_the_nearest(project: Project, code: str, hint: str) -> None:
    ran = project.run("explain", code)
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == f'unknown code "{code}"\n  hint: {hint}\n'
