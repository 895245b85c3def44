"""The tables of keys in docs/targets.md are made from the keys themselves.

`make golden` writes them anew.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.pages.keys import make_table
from cardgen.pages.target import TARGET_KEYS
from cardgen.pages.target_file import EXTENDS, TITLE

PAGE = Path(__file__).resolve().parents[2] / "docs/targets.md"
# A comment that names groups, and the table behind it.
TABLE = re.compile(r"(<!-- keys: ([\w ]+) -->\n\n)((?:\|.*\n)*)")


def test_the_docs_have_the_keys_as_they_are(request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    keys = (EXTENDS, TITLE, *TARGET_KEYS.values())

    def write_table(found: re.Match[str]) -> str:
        return found[1] + make_table(key for key in keys if key.group in found[2].split())

    made = TABLE.sub(write_table, page)
    if request.config.getoption("--renew-golden"):
        PAGE.write_text(made, encoding="utf-8")
    assert page == made


def test_the_docs_have_all_groups() -> None:
    named = " ".join(found[2] for found in TABLE.finditer(PAGE.read_text(encoding="utf-8")))
    assert set(named.split()) == {"head", *(key.group for key in TARGET_KEYS.values())}
