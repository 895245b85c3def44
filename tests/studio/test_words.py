"""The words of the studio's page: each is there in every language, and none for nothing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import get_args, get_type_hints

import cardgen
from cardgen.core.library import HOME
from cardgen.core.messages import read_entries as read_messages
from cardgen.deck.yaml import HINTS
from cardgen.importing.finding.signature import _ENDINGS
from cardgen.studio.edits.model import Step

WEB = Path(cardgen.__file__).parent / "studio/web"
IMPORTING = Path(cardgen.__file__).parent / "importing"
# `word: ["…", "…"],` on one line or two.
ENTRY = re.compile(r'^  (\w+): \[("(?:[^"\\]|\\.)*"),\s*("(?:[^"\\]|\\.)*")\],$', re.MULTILINE)
# `name: "…",` or `"a name": "…",`, on one line or two.
PAIR = re.compile(r'^  "?([^"\n]+?)"?:\s+"(.+)",$', re.MULTILINE)
DOUBT = re.compile(r'\bDoubt\(\s*"([a-z-]+)"')
NAMED = re.compile(r"\{(\w+)\}")
# What the page puts together: `say(`${side}_of`)`.
MADE = {
    *("front_of", "back_of", "fronts", "backs", "level_error", "level_warning", "level_note"),
    *(f"step_{kind}" for kind in get_args(get_type_hints(Step)["kind"])),
    *(f"overlay_{name}" for name in ("trim", "bleed", "safe", "folds", "boxes")),
    *(f"view_{name}" for name in ("cards", "sheets", "table", "deal")),
    *(f"print_turn_{edge}" for edge in ("long", "short", "none")),
    *(f"{step}_{what}" for step in ("undo", "redo") for what in ("conflict", "writes")),
}


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
    assert said | MADE <= entries.keys()
    named = set(re.findall(r'"(\w+)"', modules))
    plain = {key.removesuffix("_one") for key in entries}
    assert sorted(plain - named - MADE) == []


def test_titles_of_targets_are_there_in_german() -> None:
    targets = dict(PAIR.findall((WEB / "german.js").read_text(encoding="utf-8")))
    files = sorted((HOME / "assets/targets").glob("*.toml"))
    assert targets.keys() == {tomllib.loads(path.read_text("utf-8"))["title"] for path in files}


def test_all_that_may_be_wrong_is_told_in_german() -> None:
    """With a cure, but where only the command line tells it; options are of the command line."""
    parts = (WEB / "faults.js").read_text(encoding="utf-8").split("*/\nexport")
    text, doubts = parts[1:3]
    told = dict(re.findall(r'^  "(\w+/[\w-]+)": (\[?".+"\]?),$', text, re.MULTILINE))
    known = read_messages()
    shown = [code for code in known if not code.startswith("option/")]
    assert sorted(told) == shown
    plain = {code.partition("/")[0] for code, line in told.items() if not line.startswith("[")}
    assert plain <= {"import", "project", "studio"}
    source = "\n".join(path.read_text("utf-8") for path in sorted(IMPORTING.rglob("*.py")))
    assert dict(PAIR.findall(doubts)).keys() <= {*DOUBT.findall(source)}
    named = {name for line in dict(PAIR.findall(doubts)).values() for name in NAMED.findall(line)}
    assert named <= set(re.findall(r'\("(\w+)", ', source)), "as Doubt tells its details"


def test_why_a_line_is_left_out_and_what_the_cards_may_be_is_told_in_german() -> None:
    parts = (WEB / "faults.js").read_text(encoding="utf-8").split("export const ")
    told = {part.split()[0]: dict(PAIR.findall(part)) for part in parts}
    source = "\n".join(path.read_text("utf-8") for path in sorted(IMPORTING.rglob("*.py")))
    junk = (IMPORTING / "finding/clean.py").read_text(encoding="utf-8")
    reasons = {
        *re.findall(r'(?:LeftOut|_leave)\(.*, "([^"{]+)"\)', source),
        *re.findall(r'^ +\("([a-z ]+)", rf?"', junk, re.MULTILINE),
        *re.findall(r'\b(?:why|LEFT_OUT|FRONT_MATTER) = "([a-z ]+)"', source),
        *(
            f"column {{1}}, which {why}"
            for why in re.findall(r'return "((?:holds|only) .+)"', source)
        ),
        *("column {1}, which says again what {2} says", "running head", "table of contents"),
        *("heading", "prose", "footnote"),
    }
    assert sorted(told["REASONS"]) == sorted(reasons)
    assert sorted(told["ENDINGS"]) == sorted(filter(None, _ENDINGS.values()))
    plain = ("list items", "lines", "lines in capitals")
    numbered = (f"numbered {what}" for what in plain[1:])
    assert {*told["GUESSES"]} == {"headings of level {1}", *plain, *numbered}


def test_a_german_line_has_details_that_its_problem_has() -> None:
    """And only in brackets, since a problem of the same code may tell none."""
    known = read_messages()
    text = (WEB / "faults.js").read_text(encoding="utf-8")
    lines = re.findall(r'^  "(\w+/[\w-]+)": \[?"((?:[^"\\]|\\.)+)"', text, re.MULTILINE)
    told = 0
    for code, line in lines:
        parts = re.findall(r"\[([^\[\]]+)\]", line)
        names = [name for part in parts for name in NAMED.findall(part)]
        assert sorted(names) == sorted(NAMED.findall(line)), code
        assert all(map(NAMED.search, parts)), code
        assert {*names} <= {*known[code].details, "field"}, code
        told += bool(names)
    assert told > 100


def test_what_is_wrong_with_yaml_is_told_in_german_where_it_has_a_cure() -> None:
    text = (WEB / "faults.js").read_text(encoding="utf-8").partition("const YAML")[2]
    told = re.findall(r'^  "(.+?)": \["[^"\n]+", "[^\n]+\."\],$', text, re.MULTILINE)
    assert sorted(told) == sorted(HINTS)


def test_the_page_is_made_of_its_own_modules_alone() -> None:
    """Nothing is built, and nothing comes from elsewhere."""
    named = set(re.findall(r'from "(.+?)"', read_modules()))
    assert named <= {f"./{path.name}" for path in WEB.glob("*.js")}
    page = (WEB / "index.html").read_text("utf-8") + (WEB / "style.css").read_text("utf-8")
    assert not re.search(r"https?:|@import", page)


def test_no_module_writes_markup() -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", read_modules())
