"""`cardgen import --review`: what is shown of a doubt, what may be answered, what comes of it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from conftest import Project, Ran, find_program, hear_interrupts
from corpus import FOLDER

from cardgen.cli.app import main
from cardgen.core.errors import CardgenError
from cardgen.importing.edit import list_fields, set_field
from cardgen.importing.importer import import_files
from cardgen.importing.merging.update import read_standing, settle_again
from cardgen.importing.model import Candidate
from cardgen.importing.review import Stopped, review

ROOT = Path(__file__).resolve().parent.parent.parent
SIGNS = (FOLDER / "signs.txt").read_text("utf-8")
DECK = "decks/mine.yaml"
ONE = """BONE NAIL
Cost - 15 points
The bearer is feared.

TIN NAIL
Cost: 5 points
It rings.
"""


def answer(project: Project, *lines: str, options: Sequence[str] = (), source: str = SIGNS) -> Ran:
    project.write("signs.txt", source)
    typed = "".join(f"{line}\n" for line in lines)
    arguments = ["import", "signs.txt", "-o", DECK, "--review", *options]
    ran = CliRunner().invoke(main, arguments, input=typed, catch_exceptions=False)
    return Ran(ran.exit_code, ran.stdout, ran.stderr)


def read_cards(project: Project) -> dict[str, dict[str, object]]:
    shown = json.loads(project.run("show", DECK, "--json").stdout)
    return {card["name"]: card for card in shown["cards"]}


def test_what_is_shown(project: Project) -> None:
    ran = answer(project, "", source=ONE)
    assert ran.code == 0
    assert (
        ran.stderr.rstrip()
        == """
doubt 1 of 1

Bone Nail
    count 1, cost 15
    The bearer is feared.

> signs.txt:1: BONE NAIL
> signs.txt:2: Cost - 15 points
> signs.txt:3: The bearer is feared.
  signs.txt:5: TIN NAIL
  signs.txt:6: Cost: 5 points

? "-" before 15 may be a minus or a dash
  70% sure; found by: facts below it
[k]eep, [l]eave out, [c]hange a field, [d]ecide later, [s]top, [?] (k):"""
    )
    assert '     = "-" before 15 may be a minus or a dash: kept as it is\n' in ran.stdout
    assert read_cards(project)["Bone Nail"]["cost"] == 15


def test_a_field_is_changed(project: Project) -> None:
    ran = answer(project, "c", "cots", "cost", "ten", "−15", "k", source=ONE)
    assert 'unknown field "cots"; did you mean "cost"?' in ran.stderr
    assert 'cost is a whole number, not "ten"' in ran.stderr
    assert "may be a minus or a dash: cost is now -15\n" in ran.stdout
    assert read_cards(project)["Bone Nail"]["cost"] == -15


def test_a_card_is_left_out(project: Project) -> None:
    ran = answer(project, "L", options=("--report", "report.json"), source=ONE)
    assert list(read_cards(project)) == ["Tin Nail"]
    assert "signs.txt:1-3: left out in review: BONE NAIL" in ran.stdout
    report = json.loads((project.folder / "report.json").read_text())
    assert [left["line"] for left in report["left_out"]] == [1, 2, 3]


def test_the_copies_of_a_card_are_left_out_with_it(project: Project) -> None:
    bone = ONE[: ONE.index("TIN")]
    ran = answer(project, "l", source=f"{ONE}\n{bone}", options=("--report", "report.json"))
    assert ran.code == 0
    report = json.loads((project.folder / "report.json").read_text())
    assert [left["line"] for left in report["left_out"]] == [1, 2, 3, 9, 10, 11]


@pytest.mark.parametrize("lines", [(), ("s",), ("", "stop"), ("c",), ("c", "cost")])
def test_stop_writes_nothing(project: Project, lines: Sequence[str]) -> None:
    ran = answer(project, *lines, options=("--report", "report.json"))
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.endswith("stopped; nothing is written\n")
    assert project.list_files() == ["signs.txt"]


def test_a_wrong_answer_asks_again(project: Project) -> None:
    ran = answer(project, "yes", "?", "k", source=ONE)
    assert '"yes" is no answer; type one letter, or ? for what each means' in ran.stderr
    assert "k  keep the card as it is; the doubt is settled" in ran.stderr
    assert ran.stderr.count("[k]eep") == 3
    assert ran.code == 0


def test_strict_fails_on_what_is_not_settled(project: Project) -> None:
    ran = answer(project, "d", options=("--strict",), source=ONE)
    assert ran.code == 1
    assert ran.stderr.endswith('card "Bone Nail": "-" before 15 may be a minus or a dash\n')
    assert project.list_files() == ["signs.txt"]
    assert answer(project, "k", options=("--strict",), source=ONE).code == 0


def test_no_doubts(project: Project) -> None:
    ran = answer(project, source=ONE.replace("Cost - 15", "Cost: 15"))
    assert (ran.code, ran.stderr) == (0, "nothing is in doubt\n")


def test_one_card_must_be_left(project: Project) -> None:
    ran = answer(project, "l", source=ONE[: ONE.index("TIN")])
    assert ran.stderr.endswith("no card is left\n  hint: keep one; nothing is written\n")
    assert project.list_files() == ["signs.txt"]


# Importing again


def test_what_is_settled_is_not_asked_again(project: Project) -> None:
    assert answer(project, "c", "cost", "-15", "k", "l").code == 0
    before = (project.folder / DECK).read_bytes()
    again = answer(project, options=("--strict",))
    assert (again.code, again.stderr) == (0, "nothing is in doubt\n")
    assert "may be a minus or a dash: settled before\n" in again.stdout
    assert "Lost Nail: taken out of the deck, and as it was at signs.txt:33" in again.stdout
    assert (project.folder / DECK).read_bytes() == before
    assert project.run("import", "signs.txt", "-o", DECK, "--strict").code == 0
    other = answer(project, "k", source=SIGNS.replace("Cost - 15", "Cost - 18"))
    assert "before 18 may be a minus" in other.stderr
    assert "cost was 15, is -15 here and 18 at signs.txt:14" in other.stdout
    assert (project.folder / DECK).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "is_settled"),
    [
        ({"what": "it is the same in other words", "sure": 0.5}, True),
        ({"kind": "misread"}, False),
        ({"about": "cost"}, False),
    ],
)
def test_a_doubt_is_known_by_its_kind(
    project: Project, change: dict[str, Any], is_settled: bool
) -> None:
    assert answer(project, "k", source=ONE).code == 0
    standing = read_standing(Path(DECK))
    assert standing is not None
    assert [given.settled for given in standing.record.cards] == [("sign",), ()]
    found = import_files(["signs.txt"])
    card = found.cards[0]
    other = replace(card, doubts=tuple(doubt._replace(**change) for doubt in card.doubts))
    settled = settle_again(replace(found, cards=(other, *found.cards[1:])), standing).cards[0]
    assert settled.doubts == (() if is_settled else other.doubts)
    assert [answer.doubt for answer in settled.answers] == list(other.doubts if is_settled else ())


def test_a_card_that_was_taken_out_by_hand_is_not_asked_about(project: Project) -> None:
    assert answer(project, "d", source=ONE).code == 0
    path = project.folder / DECK
    text = path.read_text("utf-8")
    path.write_text(
        text.replace(text[text.index("  - name: Bone") : text.index("  - name: Tin")], "")
    )
    assert answer(project, source=ONE).stderr == "nothing is in doubt\n"


def test_a_card_that_is_left_out_but_was_edited_stays(project: Project) -> None:
    assert answer(project, "d", source=ONE).code == 0
    path = project.folder / DECK
    path.write_text(path.read_text("utf-8").replace("feared", "feared by all"), "utf-8")
    ran = answer(project, "l", source=ONE)
    assert "Bone Nail: changed here, and gone from the source" in ran.stdout
    assert "Bone Nail" in read_cards(project)
    again = answer(project, source=ONE)
    assert (again.code, again.stderr) == (0, "nothing is in doubt\n")


def test_an_answer_changes_a_deck_that_is_there(project: Project) -> None:
    assert answer(project, source=ONE.replace("Cost - 15", "Cost: 15")).code == 0
    assert answer(project, "c", "cost", "-16", "k", source=ONE).code == 0
    assert read_cards(project)["Bone Nail"]["cost"] == -16


def test_a_deck_that_is_edited_meanwhile(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(project, "d", source=ONE).code == 0
    path = project.folder / DECK

    def edit(*_: object) -> str:
        path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")
        return "k"

    monkeypatch.setattr("cardgen.cli.importing._ask", edit)
    ran = answer(project, source=ONE)
    assert (ran.code, ran.stderr.splitlines()[-2:]) == (
        1,
        [f"{DECK} has changed meanwhile", "  hint: import once more"],
    )
    assert path.read_text("utf-8").endswith("# mine\n")


# The fields


def make_card(project: Project) -> Candidate:
    unit = {"name": "Drum", "cost": 5, "artist": "Ann", "shots": 3, "text": "Loud."}
    path = project.write("units.json", json.dumps([unit]))
    return import_files([path]).cards[0]


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        ("name", "  Big   drum ", "Big drum"),
        ("count", "3", 3),
        ("cost", "+10", 10),
        ("cost", "none", None),
        ("who", "Any *unit*", "Any *unit*"),
        ("artist", "Bo", "Bo"),
        ("artist", "NONE", None),
        ("shots", "−4", -4),
        ("text", "All **halt**. // Then they go.", "All **halt**.\n\nThen they go."),
        ("text", "none", None),
    ],
)
def test_a_field_typed(project: Project, field: str, typed: str, value: object) -> None:
    card = make_card(project)
    assert list_fields(set_field(card, field, typed)).get(field) == value


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("count", "-1", "count is a whole number from 0 to 10,000, not -1"),
        ("count", "10001", "count is a whole number from 0 to 10,000, not 10,001"),
        ("count", "2.5", 'count is a whole number, not "2.5"'),
        ("cost", "1_0", 'cost is a whole number, not "1_0"'),
        ("shots", "many", 'shots is a whole number, not "many"'),
        ("name", "none", "every card has a name"),
        ("name", "\x1b[A", "this holds the control character U+001B"),
    ],
)
def test_a_field_mistyped(project: Project, field: str, typed: str, said: str) -> None:
    card = make_card(project)
    with pytest.raises(CardgenError) as caught:
        set_field(card, field, typed)
    assert str(caught.value).startswith(said)


def test_stats_are_fields(project: Project) -> None:
    project.write("artillery.txt", (FOLDER / "artillery.txt").read_bytes())
    card = import_files([project.folder / "artillery.txt"]).cards[0]
    assert list_fields(card)["stats.Range"] == "60cm"
    card = set_field(set_field(card, "stats.Range", "70cm"), "stats.Attack", "none")
    assert dict(card.other)["stats"] == {"Range": "70cm"}


def test_text_is_harmless_and_wrapped(project: Project) -> None:
    text = ONE.replace("The bearer", "The \x9b31mbearer " + "of words " * 20)
    path = project.write("signs.txt", text)
    said: list[str] = []

    def stop(_: str) -> str:
        return "s"

    with pytest.raises(Stopped):
        review(import_files([path]), said.append, stop, 60)
    assert "\x9b" not in "".join(said) and "\\x9b31mbearer" in "".join(said)
    assert max(len(line) for line in said if line.startswith("    ")) <= 60


# A terminal


def run_in_terminal(folder: str, typed: bytes) -> tuple[int, str]:
    """The command with a terminal before it, in which these keys are pressed."""
    ours, theirs = pty.openpty()
    arguments = [find_program(), "import", "signs.txt", "-o", DECK, "--review"]
    with subprocess.Popen(
        arguments, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, start_new_session=True,
        preexec_fn=_take_terminal,
    ) as process:  # fmt: skip
        os.close(theirs)
        shown = b""
        while more := _read_shown(ours, process, typed if _has_asked(shown) else b""):
            shown += more
        code = process.wait(60)
    os.close(ours)
    return code, shown.decode().replace("\r\n", "\n")


def _has_asked(shown: bytes) -> bool:
    """Whether it waits for a key: one that is pressed before it listens is shown, and not heard."""
    return shown.removesuffix(b"^C").endswith(b"(k): ")


def _read_shown(terminal: int, process: subprocess.Popen[bytes], typed: bytes) -> bytes:
    """What is shown next; where nothing follows a key is pressed, and again, as people do."""
    for _ in range(200):
        if select.select([terminal], [], [], 0.3)[0]:
            try:
                return os.read(terminal, 10_000)
            except OSError:  # the other end is closed
                return b""
        if typed and _sleeps(process):
            os.write(terminal, typed)
    process.kill()
    pytest.fail("the command waits for more")


def _sleeps(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has nothing to do: a key that is pressed twice would end what ends it."""
    told = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8")
    return told.rpartition(") ")[2].startswith("S")


def _take_terminal() -> None:
    """Have the keys of the terminal, and hear Ctrl-C, to which the background is deaf."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    hear_interrupts()


@pytest.mark.parametrize(("typed", "code"), [(b"k\n", 0), (b"\x04", 1), (b"\x03", 1)])
def test_in_a_terminal(project: Project, typed: bytes, code: int) -> None:
    project.write("signs.txt", ONE)
    ended, shown = run_in_terminal(str(project.folder), typed)
    assert "Traceback" not in shown
    assert ended == code
    assert ("stopped; nothing is written" in shown) == (code == 1)
    assert (DECK in project.list_files()) == (code == 0)


def test_a_closed_input(project: Project) -> None:
    project.write("signs.txt", ONE)
    command = f"{find_program()} import signs.txt -o {DECK} --review <&-"
    ran = subprocess.run(
        command, shell=True, cwd=project.folder, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.endswith("stopped; nothing is written\n")
    assert "Traceback" not in ran.stderr
    assert project.list_files() == ["signs.txt"]


# What the docs say


def test_the_doubt_in_the_docs(project: Project) -> None:
    page = (ROOT / "docs/importing.md").read_text("utf-8")
    blocks = re.findall(r"^```text.*?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (shown,) = (block for block in blocks if block.startswith("doubt 1"))
    source = blocks[blocks.index(shown) - 1]
    project.write("nails.txt", source)
    arguments = ["import", "nails.txt", "-o", "decks/nails.yaml", "--review"]
    ran = CliRunner().invoke(main, arguments, input="\n", catch_exceptions=False)
    assert ran.stderr.strip() == shown.strip()
