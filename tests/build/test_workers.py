"""Parts drawn by other processes: forked, or started anew as on macOS and Windows."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
from importlib.machinery import ModuleSpec
from itertools import chain
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from conftest import Project
from making import build, plan_build, prepare
from pypdf import PdfReader

from cardgen.build import draw
from cardgen.build.deliver import deliver
from cardgen.build.draw import Drawing, make_work
from cardgen.build.faces import FaceMaker
from cardgen.build.faults import find_all
from cardgen.build.plan import USUAL
from cardgen.core import workers
from cardgen.core.budget import begin_card, end_card
from cardgen.core.errors import CardgenError
from cardgen.core.workers import Line, count_parts, start_worker
from cardgen.deck.model import Copy
from cardgen.project.project import open_deck

CARDS = 400


@pytest.fixture
def deck(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    project.write_template(
        '<style name="rules" size="6pt"/><box bleed="true" fill="{{ card.kind }}"/>'
        '<text style="rules" fit="deck" min="4pt" max="12pt" y="8mm" height="20mm">'
        "{{ card.text }}</text><text>{{ card.name }}: {{ card.place }}/{{ deck.copies }}</text>",
        attributes='size="poker"',
    )
    rows = "".join(
        f"Card {n},{('white', 'black')[n % 2]},{'It cuts well. ★ ' * (1 + n % 7)}\n"
        for n in range(CARDS)
    )
    project.write("decks/deck.csv", f"name,kind,text\n{rows}")
    project.write("decks/deck.yaml", "template: plain\ncards: deck.csv\n")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return project


def start_anew(monkeypatch: pytest.MonkeyPatch, method: str = "spawn") -> list[str]:
    """Let processes start anew; return the words for each that did."""
    monkeypatch.setattr(workers, "METHOD", method)
    monkeypatch.setattr(workers, "is_command", lambda: True)
    started: list[str] = []
    begin = workers._start_uninterrupted

    def count(process: Any) -> None:
        started.append(type(process).__name__)
        begin(process)

    monkeypatch.setattr(workers, "_start_uninterrupted", count)
    return started


@pytest.mark.usefixtures("deck")
def test_processes_that_start_anew_make_the_same_file(monkeypatch: pytest.MonkeyPatch) -> None:
    forked = build("decks/deck.yaml").path.read_bytes()
    started = start_anew(monkeypatch)
    built = build("decks/deck.yaml")
    assert started == ["SpawnProcess"]
    assert built.path.read_bytes() == forked
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert build("decks/deck.yaml").path.read_bytes() == forked
    assert f"Card {CARDS - 1}" in PdfReader(built.path).pages[-1].extract_text()


@pytest.mark.usefixtures("deck")
def test_with_many_copies_processes_start_anew_without_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started = start_anew(monkeypatch, "fork")
    forked = build("decks/deck.yaml").path.read_bytes()
    monkeypatch.setattr(draw, "MANY_COPIES", CARDS)
    assert build("decks/deck.yaml").path.read_bytes() == forked
    assert started == ["ForkProcess", "SpawnProcess"]


@pytest.mark.usefixtures("deck")
def test_the_batches_come_in_order_whoever_drew_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a worker is slow, so that this process draws far ahead of it."""
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(draw, "FEWEST_PAGES", 8)
    monkeypatch.setattr(draw, "_MOST_HELD", 3)
    plan = plan_build("decks/deck.yaml")
    one_by_one = Drawing(make_work(plan, plan.pages))
    one_by_one._parts = 1
    expected = one_by_one.find_hashes()
    drawing, held = Drawing(make_work(plan, plan.pages)), []
    ready: Any = draw._Crew.receive_ready

    def receive_some(crew: Any) -> dict[int, Any]:
        held.append(sum(map(len, crew._tasks.values())))
        return ready(crew) if len(held) % 9 == 0 else {}

    monkeypatch.setattr(draw._Crew, "receive_ready", receive_some)
    assert drawing.find_hashes() == expected
    assert max(held) == 3 * draw._TASKS_AHEAD


@pytest.mark.parametrize(
    ("words", "sent"),
    [("Back", {"front"}), ("{{ card.name }}", {"front", "back"})],
    ids=["the same back", "a back for each card"],
)
def test_a_back_that_all_cards_share_is_drawn_by_one_process(
    deck: Project, monkeypatch: pytest.MonkeyPatch, words: str, sent: set[str]
) -> None:
    back = f'<box bleed="true" fill="black"/><text>{words}</text>'
    deck.write_template(back, name="behind", attributes='size="poker"')
    deck.write("decks/deck.yaml", "template: plain\nback: behind\ncards: deck.csv\n")
    start_anew(monkeypatch)
    sides: set[str] = set()
    send = draw._Crew.send

    def note(crew: Any, number: int, task: Any) -> None:
        sides.update(page.side for page in task.pages)
        send(crew, number, task)

    monkeypatch.setattr(draw._Crew, "send", note)
    both = build("decks/deck.yaml").path.read_bytes()
    assert sides == sent
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert build("decks/deck.yaml").path.read_bytes() == both


def test_what_is_wrong_with_a_shared_back_is_told_beside_what_is_wrong_with_fronts(
    deck: Project,
) -> None:
    back = '<text fit="line" min="90pt" size="90pt">Much too long for a card</text>'
    deck.write_template(back, name="behind", attributes='size="poker"')
    deck.write("decks/deck.yaml", "template: plain\nback: behind\ncards: deck.csv\n")
    long = f"Card {CARDS + 1},white,{'It cuts well. ' * 300}\n"
    deck.write("decks/deck.csv", (deck.folder / "decks/deck.csv").read_text() + long)
    plan = plan_build("decks/deck.yaml")
    with pytest.raises(CardgenError) as raised:
        Drawing(make_work(plan, plan.pages)).rehearse()
    said = [(problem.code, problem.message) for problem in raised.value.problems]
    assert len(said) == 2, said


@pytest.mark.parametrize("parts", [1, 2, 4])
@pytest.mark.parametrize("count", [1, 40, 224, 2224])
@pytest.mark.parametrize("faces", [0, 1, 9, 200])
def test_the_last_batches_are_small_so_that_no_part_waits_long_for_another(
    count: int, parts: int, faces: int
) -> None:
    pages: Any = [SimpleNamespace(number=n, placements=(None,) * faces) for n in range(count)]
    batches = draw._list_batches(pages, parts)
    assert list(chain.from_iterable(batches)) == list(pages)
    sizes = list(map(len, batches))
    most = max(1, draw.MOST_FACES // max(1, faces))
    assert sizes == sorted(sizes, reverse=True) and sizes[0] <= most
    for number, size in enumerate(sizes):
        assert size == 1 or size <= sum(sizes[number:]) / parts / 4
    # Large ones come first: each batch that is sent costs something.
    assert len(sizes) <= count / most + 30 * parts


def test_what_is_wrong_comes_back_from_processes_that_start_anew(
    deck: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deck.folder / "decks/deck.csv"
    text = table.read_text(encoding="utf-8").replace("Card 7,black", "Card 7,blakc")
    table.write_text(text, encoding="utf-8")
    start_anew(monkeypatch)
    with pytest.raises(CardgenError) as caught:
        build("decks/deck.yaml")
    (problem,) = caught.value.problems
    assert (problem.code, problem.card) == ("template/unknown-colour", "Card 7")


@pytest.mark.usefixtures("deck")
def test_a_maker_of_faces_is_sent_without_the_cards() -> None:
    faces = prepare("decks/deck.yaml").faces
    faces.look_at_all()
    sent = pickle.dumps(faces)
    assert len(sent) < 20_000
    again: FaceMaker = pickle.loads(sent)
    again.templates.cards = {3: faces.templates.cards[3]}
    made, known = again.get_face(Copy(3, 0), "front"), faces.get_face(Copy(3, 0), "front")
    assert made is not None and known is not None
    assert made.face.dump() == known.face.dump()


@pytest.mark.usefixtures("deck")
def test_a_task_holds_the_cards_of_its_pages_alone() -> None:
    plan = plan_build("decks/deck.yaml")
    work = make_work(plan, plan.pages)
    task: Any = work.cut(plan.pages[2:4])
    assert sorted(task.cards) == list(range(17, 36))  # and the one before
    assert sorted(task.copies) == list(range(17, 36))
    assert len(pickle.dumps(task)) < 40_000


@pytest.mark.parametrize(
    ("name", "file", "expected"),
    [
        ("cardgen.__main__", "/x/cardgen/__main__.py", True),
        (None, "/home/me/.venv/bin/cardgen", True),
        (None, r"cardgen.exe/__main__.py", True),
        (None, "/home/me/print_my_deck.py", False),
        (None, "/home/me/cardgen/print_my_deck.py", False),
        (None, None, False),
    ],
)
def test_only_the_command_starts_processes_anew(
    monkeypatch: pytest.MonkeyPatch, name: str | None, file: str | None, expected: bool
) -> None:
    """A script without a guard would build its deck once more in each process."""
    main = ModuleType("__main__")
    main.__file__ = file
    main.__spec__ = None
    if name is not None:
        main.__spec__ = ModuleSpec(name, None)
    monkeypatch.setitem(sys.modules, "__main__", main)
    monkeypatch.setattr(workers, "METHOD", "spawn")
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert count_parts(1_000, 20, 4, forked=False) == (4 if expected else 1)
    assert count_parts(1_000, 20, 4) == 1


def echo(line: Line) -> None:
    for task in line.take_tasks():
        line.send(task[:1] * 3_000_000)


def test_large_tasks_and_results_wait_for_nobody() -> None:
    """Tasks lie ready while the worker sends more than a pipe holds."""
    worker = start_worker(echo)
    try:
        for number in range(3):
            worker.send(bytes([number]) * 3_000_000)
        assert [worker.receive()[:2] for _ in range(3)] == [b"\0\0", b"\1\1", b"\2\2"]
        worker.send(None)
        with pytest.raises(CardgenError, match="ended early"):
            worker.receive()
    finally:
        worker.stop()


def test_a_card_has_its_budget_in_a_process_that_starts_anew(
    deck: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
    deck.write_template(f"<text>{{{{ card.name }}}}{slow}</text>", attributes='size="poker"')
    start_anew(monkeypatch)
    # This process draws nothing itself.
    monkeypatch.setattr(draw, "_MOST_HELD", 0)
    monkeypatch.setenv("CARDGEN_SECONDS", "1")
    with pytest.raises(CardgenError) as caught:
        build("decks/deck.yaml")
    assert caught.value.problems[0].code == "print/too-slow"


@pytest.mark.usefixtures("deck")
@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGKILL, "print/worker-lost"), (signal.SIGPROF, "print/endless-step")],
)
def test_a_worker_that_is_killed_is_an_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, number: int, code: str
) -> None:
    plan = plan_build("decks/deck.yaml", out=tmp_path)
    drawing = Drawing(make_work(plan, plan.pages))
    begin = workers._start_uninterrupted

    def start_and_kill(process: object) -> None:
        begin(process)  # type: ignore[arg-type]
        os.kill(process.pid, number)  # type: ignore[attr-defined]

    monkeypatch.setattr(workers, "_start_uninterrupted", start_and_kill)
    with pytest.raises(CardgenError) as caught:
        drawing.find_hashes()
    assert caught.value.problems[0].code == code


def end_at_a_card(_: Line) -> None:
    """Work on two cards, and be ended at the second as by the last clock."""
    for name in ("Sword", "Würfel 🐉"):
        end_card()
        begin_card(name)
    os.kill(os.getpid(), signal.SIGPROF)


@pytest.mark.skipif(sys.platform != "linux", reason="no other system has such a board")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_step_without_end_in_a_worker_names_the_card(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    monkeypatch.setattr(workers, "METHOD", method)
    worker = start_worker(end_at_a_card)
    try:
        with pytest.raises(CardgenError) as caught:
            worker.receive()
    finally:
        worker.stop()
    (problem,) = caught.value.problems
    assert (problem.code, problem.card) == ("print/endless-step", "Würfel 🐉")
    assert problem.sentence.startswith('card "Würfel 🐉": a single step of the work took longer')


@pytest.mark.parametrize("code", ["print/worker-lost", "file/not-written"])
def test_for_what_the_machine_lacks_no_deck_is_drawn_once_more(project: Project, code: str) -> None:
    """This one has no template, which is told of what a deck may be to blame for."""
    project.write("decks/deck.yaml", "template: gone\ncards:\n- name: A\n")
    opened = open_deck("deck")
    error = CardgenError(code, "it ended")
    assert find_all(error, opened, USUAL) is error
    other = find_all(CardgenError("print/too-slow", "it ended"), opened, USUAL)
    assert len(other.problems) == 2


@pytest.mark.parametrize("processors", [1, 2])
def test_drawing_is_not_held_up_by_a_search_for_cycles(
    deck: Project, monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    assert deck
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    drawing = draw.draw(plan_build("decks/deck.yaml"))
    searches: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        searches.append(phase)

    before = gc.get_threshold()
    gc.freeze()  # nothing waits to be walked through
    gc.set_threshold(1_000)
    gc.callbacks.append(note)
    try:
        assert len(drawing.find_hashes()) == len(drawing._work.pages)
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*before)
    assert not searches
    assert gc.isenabled()


def test_pages_that_were_written_hold_one_another_in_no_cycle(deck: Project) -> None:
    """Nobody looks for cycles meanwhile, so that what they hold would stay to the end."""
    assert deck
    plan = plan_build("decks/deck.yaml")
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        deliver(plan, draw.draw(plan))
        gc.collect()
        left = {type(thing).__qualname__ for thing in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert not left & {"Element", "_Node", "DrawnPage", "FilledPage", "Face"}
