"""What goes wrong outside of cardgen: a clear error, exit code 1, and the last good file as it was.

Most cases run within this process, where a traceback fails the test by itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from conftest import Project, Ran, find_program, hear_interrupts, run_program
from PIL import Image

OLD = b"the last good file"
STOPPED = "stopped; files written before are as they were\n"


@pytest.fixture
def built(project: Project) -> Project:
    """A project whose deck was built before, and whose deck and template now are as good."""
    project.write_template('<text fit="box">{{ card.name }}</text>')
    project.write_deck()
    project.write("output/deck.pdf", OLD)
    return project


def assert_refused(project: Project, ran: Ran, message: str) -> None:
    assert ran.stderr == message
    assert (ran.code, ran.stdout) == (1, "")
    assert_untouched(project)


def assert_untouched(project: Project) -> None:
    """The old file is whole, and nothing else lies beside it."""
    folder = project.folder / "output"
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("deck.pdf", OLD)]


def test_the_project_that_all_of_this_spoils_is_sound(built: Project) -> None:
    assert built.run("build", "deck").stdout == "output/deck.pdf: 1 card on 1 page\n"
    assert (built.folder / "output/deck.pdf").read_bytes().startswith(b"%PDF-")


# Decks

LIKE_THIS = """\
  hint: a deck looks like this:
    title: Magic items
    cards:
      - name: Sword of Fate
        count: 2
        text: Once per game
"""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "decks/deck.yaml: the file is empty\n" + LIKE_THIS),
        ("# nothing\n", "decks/deck.yaml: the file is empty\n" + LIKE_THIS),
        ("cards: []\n", "decks/deck.yaml:1:1: the deck has no cards\n" + LIKE_THIS),
        ("cards:\n", "decks/deck.yaml:1:1: the deck has no cards\n" + LIKE_THIS),
        (
            "title: Deck\n",
            'decks/deck.yaml:1:1: the deck has no key "cards"\n' + LIKE_THIS,
        ),
        (
            "- name: Sword\n",
            "decks/deck.yaml:1:1: a deck is a mapping of keys, not a list\n"
            '  hint: write "cards:" above a list of your own; a list as other programs write it is'
            ' imported: cardgen import "decks/deck.yaml" -o mine.yaml\n',
        ),
        (
            "Sword\n",
            "decks/deck.yaml:1:1: a deck is a mapping of keys, not a single text\n" + LIKE_THIS,
        ),
        (
            b"\x89PNG\r\n\x1a\n\x00\x00",
            "decks/deck.yaml:1: this is not UTF-8 text: byte 0x89\n"
            "  hint: save the file as UTF-8\n",
        ),
        (
            "template: plain\ncards: [{name: Sword, count: 0}]\n",
            'decks/deck.yaml: no card of the deck "deck" is to be printed\n  hint: raise a count\n',
        ),
        (
            "template: plian\ncards: [{name: Sword}]\n",
            'decks/deck.yaml:1:11: unknown template "plian"\n  hint: did you mean "plain"?\n',
        ),
        (
            "template: plain\ncards: [{name: Sword, count: 10001}]\n",
            'decks/deck.yaml:2:30: count in card "Sword" must be a whole number from 0 to 10,000,'
            " not 10001\n",
        ),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_a_deck_that_is_none(built: Project, content: str | bytes, message: str) -> None:
    built.write("decks/deck.yaml", content)
    assert_refused(built, built.run("build", "deck"), message)
    assert_refused(built, built.run("check", "deck"), message)


def test_a_missing_file(built: Project) -> None:
    message = 'there is no file "decks/dekc.yaml"\n  hint: did you mean "decks/deck.yaml"?\n'
    assert_refused(built, built.run("build", "decks/dekc.yaml"), message)


def test_a_field_of_5_megabytes(built: Project) -> None:
    built.write_deck(f"  - name: Sword\n    text: {'x' * 5_000_000}\n")
    message = (
        'decks/deck.yaml:4:11: field "text" in card "Sword" is 5,000,000 characters long;'
        " allowed are 200,000\n  hint: spread it over several cards\n"
    )
    assert_refused(built, built.run("build", "deck"), message)


def test_the_longest_field_that_is_allowed(built: Project) -> None:
    built.write_template('<text fit="box">{{ card.text }}</text>')
    built.write_deck(f"  - name: Sword\n    text: {'x y ' * 50_000}\n")
    ran = built.run("build", "deck")
    assert ran.stderr.startswith('decks/deck.yaml:3:5: card "Sword": its text is ')
    assert_refused(built, ran, ran.stderr)


# Pictures


def add_picture(project: Project, name: str) -> None:
    project.write_template('<image file="{{ card.picture }}"/>')
    project.write_deck(f"  - name: Sword\n    picture: {name}\n")


def explain(message: str, hint: str) -> str:
    return (
        f'decks/deck.yaml:3:5: card "Sword": {message}\n'
        f"  hint: {hint}; the template's element is templates/plain.xml:2:1\n"
    )


FORMATS = "PNG, JPEG, WebP, GIF, AVIF, TIFF or BMP"


@pytest.mark.parametrize(
    ("content", "complaint", "hint"),
    [
        (b"I am no picture", f"is not a {FORMATS}", "save it as PNG or JPEG"),
        (b"", "is an empty file", "save it as PNG or JPEG"),
        (b"<svg/>", f"is an SVG drawing, not a {FORMATS}", "save it as PNG or JPEG"),
        (b"\x89PNG\r\n\x1a\n", "is broken or cut short", "save it again as PNG or JPEG"),
        (b"\xff\xd8\xff" + bytes(99), "is broken or cut short", "save it again as PNG or JPEG"),
    ],
    ids=["text", "empty", "svg", "png", "jpeg"],
)
def test_a_picture_that_is_none(built: Project, content: bytes, complaint: str, hint: str) -> None:
    add_picture(built, "sword.png")
    built.write("sword.png", content)
    message = explain(f'picture "sword.png" {complaint}', hint)
    assert_refused(built, built.run("build", "deck"), message)


@pytest.mark.parametrize("suffix", ["png", "jpg", "webp"])
def test_a_picture_that_is_cut_short(built: Project, suffix: str) -> None:
    add_picture(built, f"sword.{suffix}")
    path = built.write(f"sword.{suffix}", "")
    Image.effect_noise((60, 60), 50).save(path)
    path.write_bytes(path.read_bytes()[:-500])
    message = explain(
        f'picture "sword.{suffix}" is broken or cut short', "save it again as PNG or JPEG"
    )
    assert_refused(built, built.run("build", "deck"), message)


@pytest.mark.parametrize("name", ["gone.png", "decks", "x" * 300, "loop.png"])
def test_a_missing_picture(built: Project, name: str) -> None:
    (built.folder / "loop.png").symlink_to("loop.png")
    add_picture(built, name)
    ran = built.run("build", "deck")
    assert ran.stderr == explain(
        f'there is no picture "{name}"',
        f"looked in {built.folder} and its picture folders; "
        '"missing: placeholder" in the deck draws a box for what is not there yet',
    )
    assert_refused(built, ran, ran.stderr)


@pytest.mark.parametrize(
    "name", ["../secret.png", "pictures/../../secret.png", "{folder}", "link.png"]
)
def test_a_picture_outside_the_folder_of_the_deck(built: Project, name: str) -> None:
    secret = built.folder.parent / "secret.png"
    Image.new("RGB", (9, 9)).save(secret)
    (built.folder / "link.png").symlink_to(secret)
    name = name.format(folder=secret)
    add_picture(built, name)
    message = explain(
        f'picture "{name}" lies outside the folder {built.folder}',
        "copy it into that folder and name it from there",
    )
    assert_refused(built, built.run("build", "deck"), message)


def test_a_picture_inside_the_folder_is_taken(built: Project) -> None:
    add_picture(built, "pictures/../sword.png")
    Image.new("RGB", (9, 9)).save(built.folder / "sword.png")
    assert built.run("build", "deck").stderr == ""


# Templates


def test_a_template_that_extends_itself(built: Project) -> None:
    built.write_template("", "plain", 'size="poker" extends="plain"')
    message = (
        "templates/plain.xml:1:24: the template extends itself: plain > plain\n"
        "  hint: extend another template, or none\n"
    )
    assert_refused(built, built.run("build", "deck"), message)


def test_templates_that_extend_each_other(built: Project) -> None:
    built.write_template("", "plain", 'extends="framed"')
    built.write_template("", "framed", 'extends="gilded"')
    built.write_template("", "gilded", 'extends="plain"')
    message = (
        "templates/gilded.xml:1:11: the template extends itself:"
        " plain > framed > gilded > plain\n  hint: extend another template, or none\n"
    )
    assert_refused(built, built.run("build", "deck"), message)


@pytest.mark.parametrize(
    ("path", "body", "options"),
    [
        ("templates/{}.xml", '<template extends="{}"/>', ()),
        ("targets/{}.toml", 'title = "T"\nextends = "{}"\n', ("--target", "t0")),
    ],
)
def test_thousands_that_extend_one_another(
    built: Project, path: str, body: str, options: tuple[str, ...]
) -> None:
    for number in range(60):
        built.write(path.format(f"t{number}"), body.format(f"t{number + 1}"))
    if not options:
        built.write_template("", "plain", 'extends="t0"')
    ran = built.run("build", "deck", *options)
    assert "more than 50 te" in ran.stderr or "more than 50 targets" in ran.stderr, ran.stderr


@pytest.mark.parametrize("name", ["decks/a.yaml", "templates/a.xml", "fonts/a.ttf"])
def test_a_link_to_itself_is_no_file(built: Project, name: str) -> None:
    link = built.folder / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(link.name)
    for command in (("list",), ("build", "deck"), ("templates", "--list"), ("fonts", "--list")):
        assert built.run(*command).stderr == ""


@pytest.mark.parametrize("fill", ['<slot name="body"/>', '<box><slot name="body"/></box>'])
def test_a_slot_that_holds_itself(built: Project, fill: str) -> None:
    built.write_template('<slot name="body"/>', "framed", 'size="poker"')
    built.write_template(f'<slot name="body">{fill}</slot>', "plain", 'extends="framed"')
    ran = built.run("build", "deck")
    assert ran.stderr.startswith("templates/plain.xml:2:")
    assert_refused(built, ran, ran.stderr)


def test_a_word_wider_than_its_box(built: Project) -> None:
    built.write_template('<text width="20mm" fit="box" min="7pt">{{ card.name }}</text>')
    built.write_deck("  - name: Donaudampfschifffahrt\n")
    message = (
        'decks/deck.yaml:3:5: card "Donaudampfschifffahrt": its name: "Donaudampfschifffahrt" is'
        " 22.73mm wide at 7pt, its box is 20mm\n  hint: add a soft hyphen, shorten it, or make the"
        " box wider; the template's element is templates/plain.xml:2:1\n"
    )
    assert_refused(built, built.run("build", "deck"), message)


def test_a_box_wider_than_the_card(built: Project) -> None:
    built.write_template('<box x="5mm" width="48mm" height="9mm" fill="black"/>')
    message = (
        'decks/deck.yaml:3:5: card "Sword": a box of 48mm x 9mm reaches 3mm beyond the card\'s'
        " right edge\n  hint: the card with its bleed is 50mm x 40mm; the template's element is"
        " templates/plain.xml:2:1\n"
    )
    assert_refused(built, built.run("build", "deck"), message)


def test_a_card_larger_than_the_paper(built: Project) -> None:
    built.write_template("", attributes='size="a3"')
    ran = built.run("build", "deck")
    assert 'the card is larger than the sheet of target "a4": it is 297mm wide' in ran.stderr
    assert_refused(built, ran, ran.stderr)


def test_problems_on_late_pages_of_a_large_deck(built: Project) -> None:
    """Its pages are drawn in parts, and every part tells what is wrong with it."""
    bad = {0, 700, 701, 1999}
    rows = "".join(f"Card {n},{'far too long ' * 9 * (n in bad)}\n" for n in range(2000))
    built.write("decks/deck.csv", f"name,text\n{rows}")
    built.write("decks/deck.yaml", "template: plain\ncards: deck.csv\n")
    built.write_template('<text width="30mm" fit="line" size="9pt">{{ card.text }}</text>')
    ran = built.run("build", "deck")
    told = [line.partition(": its text")[0] for line in ran.stderr.splitlines()[::2]]
    assert told == [f'decks/deck.csv:{n + 2}: card "Card {n}"' for n in sorted(bad)]
    assert_refused(built, ran, ran.stderr)


# Files


def limit_file_size() -> None:
    """As on a full disk: a write goes through in part, and then fails."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))


def test_a_full_disk(built: Project) -> None:
    ran = run_program(["build", "deck"], prepare=limit_file_size)
    message = (
        "output/deck.pdf cannot be written: File too large\n"
        "  hint: the file is as it was; is the disk full, or the file open elsewhere?\n"
    )
    assert_refused(built, ran, message)


def test_a_full_disk_at_the_first_build(built: Project) -> None:
    (built.folder / "output/deck.pdf").unlink()
    assert run_program(["build", "deck"], prepare=limit_file_size).code == 1
    assert list((built.folder / "output").iterdir()) == []


@pytest.mark.parametrize(
    ("target", "spoiled"),
    [
        ("a4", "deck.faces.json"),
        ("png", "deck-png.faces.json"),
        ("png", "deck-png/3-bow-front.png"),
        ("press", "deck-press.job.txt"),
        ("silhouette-a4", "deck-silhouette-a4-cut.dxf"),
    ],
)
def test_files_of_a_job_take_their_places_together(
    built: Project, target: str, spoiled: str
) -> None:
    built.write_template(
        '<text x="9mm" y="9mm" width="30mm">{{ card.name }}</text>',
        attributes='size="50mm x 40mm" bleed="3mm"',
    )
    built.write_deck("  - name: Axe\n    count: 2\n  - name: Bow\n")
    assert built.run("build", "deck", "--target", target).code == 0
    output = built.folder / "output"
    (output / spoiled).unlink()
    before = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    (output / spoiled).mkdir()
    built.write_deck("  - name: Sword\n    count: 2\n  - name: Bow\n")
    ran = built.run("build", "deck", "--target", target)
    assert f"output/{spoiled} is a folder\n" in ran.stderr
    after = {path: path.read_bytes() for path in output.rglob("*") if path.is_file()}
    assert after == before
    (output / spoiled).rmdir()
    assert built.run("build", "deck", "--target", target).code == 0
    assert list(output.rglob(".cardgen-*")) == []


def test_what_a_killed_build_left_is_taken_away(built: Project) -> None:
    left = built.folder / "output/.cardgen-0123456789ab"
    left.mkdir()
    (left / "deck.pdf").write_bytes(b"half")
    held = built.folder / "output/.cardgen-ba9876543210"
    held.mkdir()
    (built.folder / "output/.cardgen-link").symlink_to(built.folder / "decks")
    opened = os.open(held, os.O_RDONLY)
    fcntl.flock(opened, fcntl.LOCK_EX)  # as another build does that is at work
    assert built.run("build", "deck").stderr == ""
    os.close(opened)
    assert not left.exists()
    assert held.exists()
    assert (built.folder / "decks/deck.yaml").is_file()


def test_a_folder_that_another_build_takes_for_left(
    built: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the making of a folder and its locking another build may take it away."""
    lock, taken = fcntl.flock, list[Path]()

    def take_away(opened: int, how: int) -> None:
        nest = Path(f"/proc/self/fd/{opened}").readlink()
        if nest.name.startswith(".cardgen-") and not taken:
            nest.rmdir()
            taken.append(nest)
        lock(opened, how)

    monkeypatch.setattr(fcntl, "flock", take_away)
    assert built.run("build", "deck").stderr == ""
    assert taken


def test_two_builds_into_one_folder(built: Project) -> None:
    command = [find_program(), "build", "deck", "--target", "png"]
    built.write_deck("".join(f"  - name: Card {n}\n" for n in range(12)))
    both = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    names = sorted(path.name for path in (built.folder / "output/deck-png").iterdir())
    assert names == [f"{n + 1:02}-card-{n}-front.png" for n in range(12)]
    manifest = json.loads((built.folder / "output/deck-png.faces.json").read_text())
    assert manifest["pictures"] == names


def test_a_file_that_is_read_only(built: Project) -> None:
    path = built.folder / "output/deck.pdf"
    path.chmod(0o444)
    message = (
        "output/deck.pdf is read-only\n  hint: make it writable, or name another place with --out\n"
    )
    assert_refused(built, built.run("build", "deck"), message)
    assert path.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("out", ["output/deck.pdf", "output/deck.pdf/a"])
def test_an_output_folder_that_is_a_file(built: Project, out: str) -> None:
    message = f"the folder {out} cannot be made: a file stands in its way\n"
    message += "  hint: name another with --out\n"
    assert_refused(built, built.run("build", "deck", "--out", out), message)


def test_an_output_file_that_is_a_folder(built: Project) -> None:
    (built.folder / "elsewhere/deck.pdf").mkdir(parents=True)
    message = (
        "elsewhere/deck.pdf is a folder\n  hint: remove it, or name another place with --out\n"
    )
    assert_refused(built, built.run("build", "deck", "--out", "elsewhere"), message)
    assert list((built.folder / "elsewhere").rglob("*")) == [built.folder / "elsewhere/deck.pdf"]


def test_a_record_that_is_a_folder_is_told_by_check_too(built: Project) -> None:
    (built.folder / "output/deck.faces.json").unlink(missing_ok=True)
    (built.folder / "output/deck.faces.json").mkdir(parents=True)
    ran = built.run("check", "deck")
    assert ran.stderr.startswith("output/deck.faces.json is a folder\n")
    assert built.run("build", "deck").stderr == ran.stderr


def test_a_finished_file_is_as_readable_as_any(built: Project) -> None:
    built.run("build", "deck")
    other = built.write("other", "")
    assert (built.folder / "output/deck.pdf").stat().st_mode == other.stat().st_mode


# Ctrl-C


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def measure_work(group: int) -> dict[int, float]:
    """How many seconds of the processor each process of a group has had."""
    work: dict[int, float] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = path.read_text().partition(" ")
            told = rest.rpartition(") ")[2].split()
            if int(told[2]) == group:
                work[int(number)] = (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
    return work


@contextmanager
def begin_long_build(project: Project) -> Iterator[subprocess.Popen[str]]:
    """A build of 12,000 cards into late/, where an older file is. The folder is made just before
    the work begins, so it tells when to strike.
    """
    body = '<text>{{ card.name }}</text><text y="9mm">{{ card.text }}</text>'
    project.write_template(body, "long")
    rows = "".join(f"Card {number},{'It cuts. ' * (number % 20)}\n" for number in range(12_000))
    project.write("decks/long.csv", "name,text\n" + rows)
    project.write("decks/long.yaml", "template: long\ncards: long.csv\n")
    with subprocess.Popen(
        [find_program(), "build", "long", "--out", "late"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_interrupts,
    ) as process:
        try:
            wait_for((project.folder / "late").is_dir)
            project.write("late/long.pdf", OLD)
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def assert_old_file(project: Project) -> None:
    files = [(path.name, path.read_bytes()) for path in (project.folder / "late").iterdir()]
    assert files == [("long.pdf", OLD)]


@pytest.mark.parametrize(
    ("send", "delay"),
    [(os.killpg, 0.0), (os.killpg, 0.2), (os.kill, 0.1)],
    ids=["terminal at once", "terminal", "process"],
)
def test_a_build_that_is_stopped(
    built: Project, delay: float, send: Callable[[int, int], None]
) -> None:
    with begin_long_build(built) as process:
        time.sleep(delay)
        send(process.pid, signal.SIGINT)
        written, complaint = process.communicate(timeout=30)
        assert (process.returncode, written, complaint) == (1, "", STOPPED)
        assert_old_file(built)
        wait_for(lambda: not is_alive(process.pid))


def test_a_build_that_is_killed_leaves_no_process_behind(built: Project) -> None:
    """Nobody waits any longer for what its parts have drawn."""
    with begin_long_build(built) as process:
        time.sleep(0.5)
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=30)
        wait_for(lambda: not is_alive(process.pid))
        assert_old_file(built)


@pytest.mark.parametrize(
    ("sign", "delay"),
    [(signal.SIGTERM, 0.3), (signal.SIGHUP, 0.3), (signal.SIGINT, 0.6)],
)
def test_a_build_ends_at_once_when_asked_to(
    built: Project, delay: float, sign: signal.Signals
) -> None:
    with begin_long_build(built) as process:
        time.sleep(delay)
        before = measure_work(process.pid)
        after = dict(before)

        def has_ended() -> bool:
            after.update(measure_work(process.pid))
            return process.poll() is not None

        process.send_signal(sign)
        wait_for(has_ended)
        assert sum(after.values()) - sum(before.values()) < 1
        assert process.returncode == (1 if sign == signal.SIGINT else 128 + sign)
        assert_old_file(built)
        wait_for(lambda: not is_alive(process.pid))


def list_children(process: int) -> list[int]:
    """The processes that another started and that run still."""
    told = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in told.split()]


def test_a_worker_that_is_killed(built: Project) -> None:
    """As where memory runs out: no half of a file, and no other worker is left."""
    with begin_long_build(built) as process:
        wait_for(lambda: len(list_children(process.pid)) > 1)  # the first of them watches it
        time.sleep(0.2)
        os.kill(list_children(process.pid)[-1], signal.SIGKILL)
        written, complaint = process.communicate(timeout=30)
        message = "a part of the work ended early\n  hint: is there memory enough?\n"
        assert (process.returncode, written, complaint) == (1, "", message)
        assert_old_file(built)
        wait_for(lambda: not is_alive(process.pid))


def test_a_disk_that_is_full_in_the_middle(built: Project) -> None:
    """Some pages are written already, by several processes."""
    rows = "".join(f"Card {number}\n" for number in range(2000))
    built.write("decks/deck.csv", "name\n" + rows)
    built.write("decks/deck.yaml", "template: plain\ncards: deck.csv\n")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))

    message = (
        "output/deck.pdf cannot be written: File too large\n"
        "  hint: the file is as it was; is the disk full, or the file open elsewhere?\n"
    )
    assert_refused(built, run_program(["build", "deck"], prepare=limit), message)


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("cause", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_whatever_stops_the_writing_leaves_the_old_file(
    built: Project,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    cause: type[BaseException] | BaseException,
) -> None:
    def stop(*_: object) -> None:
        raise cause

    with monkeypatch.context() as patch:
        patch.setattr(os if step == "fsync" else Path, step, stop)
        ran = built.run("build", "deck")
    failed = (
        "output/deck.pdf cannot be written: No space left on device\n"
        "  hint: the file is as it was; is the disk full, or the file open elsewhere?\n"
    )
    assert_refused(built, ran, STOPPED if cause is KeyboardInterrupt else failed)


@pytest.mark.parametrize("command", ["list", "check", "show"])
def test_other_commands_can_be_stopped_too(
    built: Project, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cardgen.project.project.open_deck", stop)
    arguments = [command] if command == "list" else [command, "deck"]
    assert_refused(built, built.run(*arguments), STOPPED)


def test_a_bug_keeps_its_traceback(built: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("cardgen.project.project.open_deck", fail)
    with pytest.raises(ZeroDivisionError):
        built.run("build", "deck")
    assert_untouched(built)


# Hostile input that is well formed


LONG = "é" * 300


@pytest.mark.parametrize(
    "name", ["../../deck", "..", "a/b", "deck\x00", "/", "", "-", "*", LONG, LONG + ".yaml"]
)
def test_odd_names_of_decks(built: Project, name: str) -> None:
    ran = built.run("build", "--", name)
    assert ran.code == 1
    said = ("there is no file", "unknown deck", "is a folder", "is empty")
    assert any(part in ran.stderr for part in said)
    assert_untouched(built)


def test_a_template_of_boxes_within_boxes(built: Project) -> None:
    built.write_template("<box>" * 200 + "<text>{{ card.name }}</text>" + "</box>" * 200)
    assert built.run("build", "deck").stderr == ""
    built.write_template("<box>" * 5000 + "</box>" * 5000)
    built.write("output/deck.pdf", OLD)
    (built.folder / "output/deck.faces.json").unlink()
    ran = built.run("build", "deck")
    assert ran.stderr.startswith("templates/plain.xml:2:")
    assert_refused(built, ran, ran.stderr)
