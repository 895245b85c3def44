"""The budget of a card: who takes too long is named, and the rest is not begun."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import pytest
from conftest import Project, run_program
from making import build

from cardgen.build import templates
from cardgen.core import budget
from cardgen.core.errors import CardgenError
from cardgen.layout.compose import Composer
from cardgen.layout.face import Face
from cardgen.layout.subject import Subject
from cardgen.template.model import Node

LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"


def test_a_card_without_end_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.1)
    project.write_template(f"<text>{{% if card.name != 'Bow' %}}{LOOPS}{{% endif %}}x</text>")
    names = "".join(f"  - name: Card {n}\n" for n in range(40))
    project.write_deck("  - name: Bow\n  - name: Sword\n" + names)
    start = time.process_time()
    ran = project.run("build", "deck")
    assert time.process_time() - start < 1.5
    assert ran.stderr == (
        'templates/plain.xml:2:7: card "Sword": it takes longer than 0.1 seconds\n'
        "  hint: make it simpler or shorter; CARDGEN_SECONDS=1 allows more\n"
    )
    assert (ran.code, ran.stdout) == (1, "")
    with pytest.raises(CardgenError, match="longer than 0"):
        build("deck")
    # The next deck has a budget of its own.
    project.write_template("<text>{{ card.name }}</text>")
    assert build("deck").cards == 42


def test_all_that_is_set_counts_for_its_card(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So does the look beforehand at the sizes that a deck shares."""
    working: list[str] = []
    counted: list[bool] = []
    begin, end, compose = budget.begin_card, budget.end_card, Composer.compose

    def begin_counted(name: str) -> None:
        working.append(name)
        begin(name)

    def end_counted() -> None:
        working.clear()
        end()

    monkeypatch.setattr(templates, "begin_card", begin_counted)
    monkeypatch.setattr(templates, "end_card", end_counted)

    def compose_counted(self: Composer, nodes: Sequence[Node], subject: Subject) -> Face:
        counted.append(bool(working))
        return compose(self, nodes, subject)

    monkeypatch.setattr(Composer, "compose", compose_counted)
    project.write_template('<text fit="deck" min="4pt">{{ card.name }}</text>')
    project.write_deck("  - name: Bow\n  - name: Sword\n")
    assert build("deck").cards == 2
    assert len(counted) > 1
    assert all(counted)


def test_the_command_takes_so_much_memory_and_no_more(project: Project) -> None:
    project.write_template("<text>{{ ('a' * 999999)|replace('a', 'a' * 900)|length }}</text>")
    project.write_deck()
    ran = run_program(["build", "deck"], environment={"CARDGEN_MEMORY": "500"})
    assert (ran.code, ran.stderr.partition(": ")[0]) == (1, "templates/plain.xml:2:7")
    assert "it needs more memory than there is or is allowed" in ran.stderr


def test_what_the_libraries_need_to_be_loaded_is_always_allowed(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>")
    project.write_deck()
    ran = run_program(["build", "deck"], environment={"CARDGEN_MEMORY": "30"})
    assert (ran.code, ran.stderr) == (0, "")


NESTED = """
import sys
from cardgen.cli.problems import print_problems
from cardgen.core import budget
told = bool(sys.argv[1:])
budget.is_command, budget.SECONDS, budget._LAST = (lambda: True), 0.25, 40 if told else 0.5
with budget.watch(print_problems if told else None):
    for card in ("Drachen 🐉", *sys.argv[1:]):
        budget.end_card()
        budget.begin_card(card)
    one, other = 1, 1
    for _ in range(50):
        one, other = [one, one], [other, other]
    print(one == other)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGPROF"), reason="this system has no such clock")
def test_a_step_that_python_does_not_interrupt_ends_the_command() -> None:
    ran = subprocess.run([sys.executable, "-c", NESTED], capture_output=True, timeout=60)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGPROF, b"", b"")


@pytest.mark.skipif(sys.platform != "linux", reason="nobody else is told of its time")
def test_what_ends_the_command_says_so() -> None:
    program = [sys.executable, "-c", NESTED, "Würfel \x1b[1m"]
    ran = subprocess.run(program, capture_output=True, timeout=60, text=True)
    assert (ran.returncode, ran.stdout) == (-signal.SIGKILL, "")
    assert ran.stderr == (
        'card "Würfel \\x1b[1m": a single step of the work took longer than 1.5 seconds; the '
        "command is ended, and files are as they were\n  hint: look for a text or a number far too "
        "long, or build fewer cards at a time with --only; CARDGEN_SECONDS=2.5 allows more\n"
    )


@pytest.mark.parametrize(("text", "read"), [("20", 20), ("0", 5), ("-3", 5), ("x", 5), ("²", 5)])
def test_the_seconds_are_those_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, text: str, read: int
) -> None:
    monkeypatch.setenv("CARDGEN_SECONDS", text)
    assert budget.read_seconds() == read
