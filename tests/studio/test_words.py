"""The words of the studio's page: each is there in every language, and none for nothing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import cardgen
from cardgen.core.library import HOME
from cardgen.core.messages import read_entries as read_messages

WEB = Path(cardgen.__file__).parent / "studio/web"
# `word: ["…", "…"],` on one line or two.
ENTRY = re.compile(r'^  (\w+): \[("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")\],$', re.MULTILINE)
NAMED = re.compile(r"\{(\w+)\}")
# What the page puts together: `say(`${side}_of`)`.
MADE = re.compile(r"(front|back)_of|(front|back)s|level_\w+|overlay_\w+|view_\w+|print_turn_\w+")


def read_entries() -> dict[str, tuple[str, str]]:
    text = (WEB / "strings.js").read_text(encoding="utf-8")
    return {key: (english, german) for key, english, german in ENTRY.findall(text)}


def read_modules() -> str:
    paths = (path for path in sorted(WEB.glob("*.js")) if path.name != "strings.js")
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_each_entry_has_the_same_names_in_both_languages() -> None:
    entries = read_entries()
    assert len(entries) > 150
    for key, (english, german) in entries.items():
        assert sorted(NAMED.findall(english)) == sorted(NAMED.findall(german)), key


def test_what_is_said_is_there_and_what_is_there_is_said() -> None:
    entries, modules = read_entries(), read_modules()
    said = set(re.findall(r'\bsay\(\s*"(\w+)"', modules))
    assert said <= entries.keys()
    named = set(re.findall(r'"(\w+)"', modules))
    plain = {key.removesuffix("_one") for key in entries}
    assert sorted(key for key in plain - named if not MADE.fullmatch(key)) == []


def test_titles_of_targets_and_what_preflight_finds_are_there_in_german() -> None:
    text = (WEB / "german.js").read_text(encoding="utf-8")
    targets, faults = (
        dict(re.findall(r'^  "(.+)":\s+"(.+)",$', part, re.MULTILINE))
        for part in text.split("const FAULTS")
    )
    files = sorted((HOME / "assets/targets").glob("*.toml"))
    assert targets.keys() == {tomllib.loads(path.read_text("utf-8"))["title"] for path in files}
    known = read_messages().keys()
    assert faults.keys() <= known
    assert [code for code in known - faults.keys() if code.startswith("preflight/")] == []


def test_the_page_is_made_of_its_own_modules_alone() -> None:
    """Nothing is built, and nothing comes from elsewhere."""
    named = set(re.findall(r'from "(.+?)"', read_modules()))
    assert named <= {f"./{path.name}" for path in WEB.glob("*.js")}
    page = (WEB / "index.html").read_text("utf-8") + (WEB / "style.css").read_text("utf-8")
    assert not re.search(r"https?:|@import", page)


def test_no_module_writes_markup() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", read_modules())
