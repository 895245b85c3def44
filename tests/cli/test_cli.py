"""The command line: what each command prints, writes and returns, and what `--help` costs."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Project, drop_slug, find_program, run_program
from pypdf import PdfReader

HEADER = ["deck", "title", "designs", "cards", "pages"]
CARDS = """\
  - name: Sword of Fate
    count: 3
    cost: 5
    text: Strikes first.
  - name: Banner
    cost: -15
    text: Rallies.
  - name: Blank
    text: ""
"""
HEAD = "title: Magic things\ntemplate: plain\n"
TEXT = "<text>{{ card.name }}</text>"


@pytest.fixture
def items(project: Project) -> Project:
    """A project with a deck of three designs and five cards."""
    project.write_template(TEXT)
    project.write_deck(CARDS, "items", HEAD)
    return project


def read_words(path: Path | str) -> list[list[str]]:
    """The words of each page."""
    return [drop_slug(page.extract_text()).split() for page in PdfReader(path).pages]


# build


def test_build_writes_a_deck_and_says_what_it_wrote(items: Project) -> None:
    ran = items.run("build", "items")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "output/items.pdf: 5 cards on 1 page\n"
    assert read_words("output/items.pdf") == [["Sword", "of", "Fate"] * 3 + ["Banner", "Blank"]]


@pytest.mark.parametrize("name", ["elsewhere/more.csv", "./elsewhere/more.csv", "more.yaml"])
def test_build_takes_the_path_of_a_deck(items: Project, name: str) -> None:
    items.write("elsewhere/more.csv", "name,count\nShield,2\n")
    items.write("elsewhere/templates/poker-basic.xml", f'<template size="poker">{TEXT}</template>')
    items.write("more.yaml", "template: plain\ncards: [{name: Helm, count: 2}]\n")
    ran = items.run("build", name)
    assert (ran.code, ran.stdout) == (0, "output/more.pdf: 2 cards on 1 page\n"), ran.stderr


def test_build_takes_several_decks(items: Project) -> None:
    items.write_deck("  - name: Shield\n", "armour")
    ran = items.run("build", "armour", "decks/items.yaml")
    assert ran.code == 0
    assert ran.stdout.splitlines() == [
        "output/armour.pdf: 1 card on 1 page",
        "output/items.pdf: 5 cards on 1 page",
    ]


def test_build_without_a_name_builds_what_list_lists(project: Project) -> None:
    """In a folder without decks of its own, that is."""
    names = [line.split()[0] for line in project.run("list").stdout.splitlines()[1:]]
    assert "magic" in names
    ran = project.run("build", "--to", "1")
    assert (ran.code, ran.stderr) == (0, "")
    assert [line.partition(".pdf")[0] for line in ran.stdout.splitlines()] == [
        f"output/{name}-to-1" for name in names
    ]


def test_a_deck_that_fails_does_not_keep_others_from_being_built(items: Project) -> None:
    items.write_deck("  - nmae: Shield\n", "broken")
    ran = items.run("build", "broken", "items", "missing")
    assert ran.code == 1
    assert ran.stdout == "output/items.pdf: 5 cards on 1 page\n"
    assert [line for line in ran.stderr.splitlines() if not line.startswith("  hint")] == [
        'decks/broken.yaml:3:5: unknown field "nmae" in card 1',
        'unknown deck "missing"',
    ]


def test_target_names_the_file_when_it_is_not_the_usual_one(items: Project) -> None:
    assert items.run("build", "items", "--target", "a4").stdout.startswith("output/items.pdf:")
    ran = items.run("build", "items", "--target", "letter")
    assert ran.stdout == "output/items-letter.pdf: 5 cards on 1 page\n"
    box = PdfReader("output/items-letter.pdf").pages[0].mediabox
    assert (float(box.width), float(box.height)) == (612, 792)


def test_a_deck_may_name_its_target(items: Project) -> None:
    items.write_deck(CARDS, "items", HEAD + "target: letter\n")
    assert items.run("build", "items").stdout == "output/items.pdf: 5 cards on 1 page\n"
    assert PdfReader("output/items.pdf").pages[0].mediabox.width == 612


def test_out_names_the_folder_which_is_made(items: Project) -> None:
    ran = items.run("build", "items", "--out", "some/where")
    assert ran.stdout == "some/where/items.pdf: 5 cards on 1 page\n"
    assert Path("some/where/items.pdf").is_file()
    assert not Path("output").exists()


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("banner", ["Banner"]),
        ("B*", ["Banner", "Blank"]),
        ("sword-of-fate", ["Sword", "of", "Fate"] * 3),
        ("*a[nt]*", ["Sword", "of", "Fate"] * 3 + ["Banner", "Blank"]),
    ],
)
def test_only_chooses_cards_by_name_or_id(items: Project, pattern: str, words: list[str]) -> None:
    assert items.run("build", "items", "--only", pattern).code == 0
    (written,) = Path("output").glob("items-only-*.pdf")
    assert read_words(str(written)) == [words]


def test_only_that_fits_no_card_is_an_error(items: Project) -> None:
    ran = items.run("build", "items", "--only", "Baner")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        'no card of the deck "items" fits "Baner"\n  hint: did you mean "Banner"?\n'
    )
    assert not Path("output/items.pdf").exists()


def test_fronts_and_backs_are_files_of_their_own(items: Project) -> None:
    items.write_template("<text>Behind</text>", "behind")
    items.write_deck(CARDS, "items", HEAD + "back: behind\n")
    assert items.run("build", "items").stdout == "output/items.pdf: 5 cards on 2 pages\n"
    fronts = items.run("build", "items", "--fronts")
    assert fronts.stdout == "output/items-fronts.pdf: 5 cards on 1 page\n"
    backs = items.run("build", "items", "--backs")
    assert backs.stdout == "output/items-backs.pdf: 5 cards on 1 page\n"
    front, back = read_words("output/items.pdf")
    assert read_words("output/items-fronts.pdf") == [front]
    assert read_words("output/items-backs.pdf") == [back] == [["Behind"] * 5]


def test_backs_of_a_deck_without_backs_are_an_error(items: Project) -> None:
    ran = items.run("build", "items", "--backs")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == ('the deck "items" has no backs\n  hint: add back: and a template\n')


def test_the_closing_line_names_cards_that_were_set_smaller(project: Project) -> None:
    project.write_template(
        '<text size="12pt" fit="box" width="40mm" height="5mm">{{ card.text }}</text>'
    )
    long = "".join(f"  - name: Bow {n}\n    text: The bow of a good aim, twice\n" for n in range(7))
    project.write_deck("  - name: Sword\n    text: Short\n" + long)
    ran = project.run("build", "deck")
    names = ", ".join(f"Bow {n} (10pt)" for n in range(5))
    assert ran.stdout == (f"output/deck.pdf: 8 cards on 1 page; set smaller: {names} and 2 more\n")


def test_the_closing_line_names_each_card_once(project: Project) -> None:
    small = '<text size="12pt" fit="box" y="{}mm" width="40mm" height="5mm">{}</text>'
    texts = [small.format(5, "{{ card.text }}"), small.format(20, "{{ card.more }}")]
    project.write_template("".join(texts))
    long = "The bow of a good aim, twice"
    project.write_deck(f"  - name: Sword\n    text: {long}\n    more: {long} and more\n")
    ran = project.run("build", "deck")
    assert ran.stdout.startswith("output/deck.pdf: 1 card on 1 page; set smaller: Sword (")
    assert ran.stdout.count("Sword") == 1


def test_large_numbers_have_separators(project: Project) -> None:
    project.write_template(TEXT)
    project.write_deck("  - name: Sword\n    count: 1500\n")
    assert project.run("build", "deck").stdout == "output/deck.pdf: 1,500 cards on 54 pages\n"


# list, show, check


def test_list_counts_cards_and_pages(items: Project) -> None:
    items.write_template(TEXT, "behind")
    cards = "  - name: Shield\n    count: 29\n"
    items.write_deck(cards, "armour", "template: plain\nback: behind\n")
    ran = items.run("list")
    assert (ran.code, ran.stderr) == (0, "")
    header, *rows = (line.split() for line in ran.stdout.splitlines())
    assert header == HEADER
    assert ["armour", "Armour", "1", "29", "4"] in rows
    assert ["items", "Magic", "things", "3", "5", "1"] in rows
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_list_counts_the_pages_of_a_target(items: Project) -> None:
    items.write(
        "targets/tiny.toml", 'title = "Tiny"\npaper = "a4"\nmargin = "5mm"\ncolumns = 1\nrows = 1\n'
    )
    rows = [line.split() for line in items.run("list", "--target", "tiny").stdout.splitlines()]
    assert ["items", "Magic", "things", "3", "5", "5"] in rows


def test_list_shows_the_other_decks_when_one_is_broken(items: Project) -> None:
    items.write_deck("  - name: Shield\n    cuont: 2\n", "broken")
    ran = items.run("list")
    assert ran.code == 1
    assert ran.stderr == (
        'decks/broken.yaml:4:5: unknown field "cuont" in card "Shield"\n'
        '  hint: did you mean "count"?\n'
    )
    assert "items" in [line.split()[0] for line in ran.stdout.splitlines()]


def test_show_is_a_table(items: Project) -> None:
    ran = items.run("show", "items")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == (
        "Magic things: 3 designs, 5 cards\n"
        "id             name           count  cost  text\n"
        "sword-of-fate  Sword of Fate      3     5  Strikes first.\n"
        "banner         Banner             1   -15  Rallies.\n"
        "blank          Blank              1\n"
    )


def test_show_json_holds_every_field(items: Project) -> None:
    ran = items.run("show", "items", "--json")
    assert (ran.code, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == {
        "deck": "items",
        "title": "Magic things",
        "cards": [
            {
                "id": "sword-of-fate",
                "name": "Sword of Fate",
                "count": 3,
                "cost": 5,
                "text": "Strikes first.",
            },
            {"id": "banner", "name": "Banner", "count": 1, "cost": -15, "text": "Rallies."},
            {"id": "blank", "name": "Blank", "count": 1, "cost": None, "text": ""},
        ],
    }


def test_show_json_takes_the_path_of_a_table(items: Project) -> None:
    items.write("more.csv", "name,count,cost\nShield,2,10\nHelm,,\n")
    shown = json.loads(items.run("show", "more.csv", "--json").stdout)
    assert shown["cards"] == [
        {"id": "shield", "name": "Shield", "count": 2, "cost": 10},
        {"id": "helm", "name": "Helm", "count": 1, "cost": None},
    ]


def test_a_cost_is_a_number_that_json_knows(items: Project) -> None:
    items.write_deck("  - name: A\n    cost: .nan\n  - name: B\n    cost: -.inf\n", "odd")
    ran = items.run("show", "odd", "--json")
    hint = "  hint: put it into quotes if it is a text\n"
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == (
        f'decks/odd.yaml:4:11: field "cost" in card "A" is no number that can be printed\n{hint}'
        f'decks/odd.yaml:6:11: field "cost" in card "B" is no number that can be printed\n{hint}'
    )


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_show_writes_any_name_to_a_terminal_that_lacks_letters(
    items: Project, options: list[str]
) -> None:
    items.write_deck("  - name: Épée de −5 🗡\n", "épées")
    environment = {"PYTHONIOENCODING": "cp1252"}
    ran = run_program(
        ["show", "decks/épées.yaml", *options], environment=environment, encoding="cp1252"
    )
    assert "Traceback" not in ran.stderr
    assert ran.code == 0
    if options:
        assert json.loads(ran.stdout)["cards"][0]["name"] == "Épée de −5 🗡"


def test_check_says_that_all_is_well_and_writes_nothing(items: Project) -> None:
    before = items.list_files()
    ran = items.run("check", "items")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "items: 5 cards, nothing to complain of\n"
    assert items.run("check").stdout == ran.stdout  # all decks there are
    assert items.list_files() == before
    assert not Path("output").exists()


PROBLEMS = """\
decks/long.yaml:5:5: card "B": its text is 17.67mm too long: at 9pt it needs 21.67mm, its box is \
4mm high
  hint: shorten it, give it more room, or let it be set smaller, by fit="box" and min; the \
template's element is templates/low.xml:2:1
decks/long.yaml:7:5: card "C": there is no picture "gone.png"
  hint: looked in {folder} and its picture folders; "missing: placeholder" in the deck draws a box \
for what is not there yet; the template's element is templates/low.xml:3:1
unknown deck "itmes"
  hint: did you mean "items"?
"""


def test_check_says_everything_that_a_build_would_complain_of(items: Project) -> None:
    items.write_template(
        '<text height="4mm">{{ card.text }}</text>\n'
        '<image if="card.picture" file="{{ card.picture }}"/>',
        "low",
    )
    long = "It cuts. " * 30
    items.write_deck(
        f"  - name: A\n    text: Short.\n  - name: B\n    text: {long}\n"
        "  - name: C\n    picture: gone.png\n",
        "long",
        "template: low\n",
    )
    ran = items.run("check", "long", "items", "itmes")
    assert ran.code == 1
    assert ran.stdout == "items: 5 cards, nothing to complain of\n"
    assert ran.stderr == PROBLEMS.format(folder=items.folder)
    assert not Path("output").exists()
    assert items.run("build", "long", "items", "itmes").stderr == ran.stderr


# The outside: exit codes, help, progress


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bulid"], "Error: No such command 'bulid'. Did you mean 'build'?"),
        (["items"], "Error: 'items' is a deck, not a command. Did you mean 'build items'?"),
        (
            ["decks/items.yaml"],
            "Error: 'decks/items.yaml' is a deck, not a command."
            " Did you mean 'build decks/items.yaml'?",
        ),
        (
            ["build", "--targett", "a4"],
            "Error: No such option '--targett'. (Did you mean one of: '--target', '--untagged'?)",
        ),
        (
            ["build", "items", "--paper", "a4"],
            "Error: No such option '--paper'. Did you mean --target, as in --target a4?",
        ),
        (
            ["build", "items", "--template", "portrait"],
            "Error: No such option '--template'."
            " A deck names its template in its file: template: NAME.",
        ),
        (
            ["build", "items", "--out", "My.PDF"],
            "Error: Invalid value for '--out': \"My.PDF\" is the name of a file."
            " Name a folder; a file in it has its deck's name",
        ),
        (
            ["build", "--fronts", "--backs"],
            "Error: --fronts and --backs exclude each other; leave both out for all.",
        ),
        (["show"], "Error: Missing argument 'DECK'."),
        (["show", "a", "b"], "Error: Got unexpected extra argument (b)"),
        (["export", "items"], "Error: No such command 'export'. Did you mean 'build'?"),
        (["help"], "Error: No such command 'help'. Did you mean '--help'?"),
        (["list", "magic"], "Error: Got unexpected extra argument (magic)"),
    ],
)
def test_wrong_usage_ends_with_2(items: Project, arguments: list[str], message: str) -> None:
    ran = items.run(*arguments)
    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.splitlines()[-1] == message
    assert ran.stderr.startswith("Usage: cardgen ")


@pytest.mark.parametrize("command", ["build", "show", "check"])
def test_an_unknown_deck_ends_with_1(items: Project, command: str) -> None:
    ran = items.run(command, "itmes")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == 'unknown deck "itmes"\n  hint: did you mean "items"?\n'


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (
            "decks/itmes.yaml",
            'there is no file "decks/itmes.yaml"\n  hint: did you mean "decks/items.yaml"?\n',
        ),
        (
            "",
            "the name of a deck is empty\n"
            "  hint: name one, or none, and all decks of the project are taken\n",
        ),
        ("./decks", '"./decks" is a folder, not a deck\n  hint: name a file inside it\n'),
        (
            "templates/plain.xml",
            '"templates/plain.xml" is no deck file\n'
            "  hint: a deck ends in .yaml, .yml, .csv, .tsv, .xlsx, .md;"
            " cardgen import makes one of other files\n",
        ),
        (
            "notes.rtf",
            '"notes.rtf" is no deck file\n'
            "  hint: a deck ends in .yaml, .yml, .csv, .tsv, .xlsx, .md;"
            " cardgen import makes one of other files\n",
        ),
        (
            ".",
            '"." is a folder, not a deck\n  hint: name a file inside it\n',
        ),
    ],
)
def test_a_path_to_no_deck_ends_with_1(items: Project, deck: str, message: str) -> None:
    items.write("notes.rtf", "Axe costs 2")
    ran = items.run("build", deck)
    assert (ran.code, ran.stdout, ran.stderr) == (1, "", message)


@pytest.mark.parametrize("command", ["build", "check"])
def test_an_unknown_target_ends_with_1(items: Project, command: str) -> None:
    ran = items.run(command, "items", "--target", "lettre")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr == 'unknown target "lettre"\n  hint: did you mean "letter"?\n'


@pytest.mark.parametrize(
    ("called", "hint"),
    [
        ("tgc", 'did you mean "gamecrafter"?'),
        ("mpcfill", 'did you mean "makeplayingcards" or "printerstudio"?'),
        ("x1a", 'did you mean "press-x1a"?'),
        ("cut", "target names: a3, a4,"),  # of which many have it
    ],
)
def test_a_target_is_known_by_what_its_title_says(items: Project, called: str, hint: str) -> None:
    ran = items.run("build", "items", "--target", called)
    assert ran.stderr.startswith(f'unknown target "{called}"\n  hint: {hint}')


@pytest.mark.parametrize("number", ["x", "3-5", "-1", "99999"])
def test_what_a_number_may_be_is_said(items: Project, number: str) -> None:
    ran = items.run("build", "items", "--skip", number)
    assert ran.code == 2
    assert f"'{number}' is no whole number from 0 to 10000." in ran.stderr


@pytest.mark.parametrize("folder", ["", "decks/"])
def test_a_deck_that_does_not_name_the_table_beside_it(items: Project, folder: str) -> None:
    items.write(f"{folder}mine.yaml", "template: plain\n")
    items.write(f"{folder}mine.csv", "name\nSword\n")
    ran = items.run("check", "mine")
    hint = "  hint: write cards: mine.csv\n"
    assert ran.stderr == f'{folder}mine.yaml:1:1: the deck has no key "cards"\n{hint}'


def test_a_column_is_called_as_the_table_has_it(items: Project) -> None:
    items.write("mine.csv", "Card Name,Quantity\nSword,x2y\n")
    assert items.run("check", "mine.csv").stderr.endswith('not "x2y"; its column is "Quantity"\n')


SLOW = (
    "PIL",
    "fontTools",
    "fontpkg",
    "jinja2",
    "lxml",
    "markdown_it",
    "openpyxl",
    "pyphen",
    "reportlab",
    "uharfbuzz",
    "yaml",
)
ASK = """
import sys
from cardgen.cli.app import main
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
"""


def list_imported(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", ASK, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    "arguments", [["--help"], ["-h"], ["--version"], ["build", "--help"], ["list", "--help"]]
)
def test_help_imports_nothing_slow(arguments: list[str]) -> None:
    assert not list_imported(*arguments) & set(SLOW)


@pytest.mark.usefixtures("items")
def test_a_build_imports_what_it_needs_and_nothing_else_that_is_slow() -> None:
    imported = list_imported("build", "items")
    assert {"yaml", "lxml", "jinja2", "uharfbuzz", "reportlab"} <= imported
    spared = {"ctypes", "difflib", "email", "fontpkg", "html", "subprocess", "zipfile"}
    assert not imported & spared


@pytest.mark.usefixtures("items")
def test_what_writes_no_file_loads_nothing_that_would() -> None:
    assert not list_imported("check", "items") & {"reportlab", "PIL", "pikepdf", "pypdfium2"}


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], []])
def test_help_names_every_command(project: Project, arguments: list[str]) -> None:
    ran = project.run(*arguments)
    text = ran.stdout or ran.stderr
    for command in ("build", "list", "show", "check"):
        assert f"\n  {command} " in text
    assert (ran.code == 0) == bool(arguments)


def test_version_is_that_of_the_package() -> None:
    from importlib.metadata import version

    ran = run_program(["--version"])
    assert (ran.code, ran.stdout, ran.stderr) == (0, f"cardgen {version('cardgen')}\n", "")


def run_on_terminal(*arguments: str) -> tuple[str, str]:
    """What a run writes to a terminal as its standard error, and to a pipe as its output."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with subprocess.Popen(
        [find_program(), *arguments], stdout=subprocess.PIPE, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        shown = io.BytesIO()
        try:
            while data := os.read(ours, 4096):
                shown.write(data)
        except OSError:  # how a closed terminal reads on Linux
            pass
        assert process.stdout is not None
        written = process.stdout.read()
    os.close(ours)
    assert process.returncode == 0
    return shown.getvalue().decode(), written.decode()


def test_long_work_shows_a_progress_bar_on_a_terminal(items: Project) -> None:
    items.write_deck("".join(f"  - name: Card {n}\n" for n in range(600)), "long")
    shown, written = run_on_terminal("build", "long")
    assert "long  [" in shown
    assert "  100%" in shown
    assert "\r" in shown
    assert written == "output/long.pdf: 600 cards on 22 pages\n"
    quiet = run_program(["build", "long"])
    assert (quiet.stdout, quiet.stderr) == (written, "")


@pytest.mark.usefixtures("items")
def test_short_work_shows_none() -> None:
    shown, written = run_on_terminal("build", "items")
    assert (shown, written) == ("", "output/items.pdf: 5 cards on 1 page\n")


def test_a_name_of_two_lines_is_told_in_one(project: Project) -> None:
    """A file's name may hold a newline, by which what is said of it looked like something else."""
    project.write("decks/a\nb.yaml", "cards: [{name: X, count: none}]")
    ran = project.run("build")
    assert "decks/a\\nb.yaml:1:26: count " in ran.stderr and "a\nb" not in ran.stderr
    project.write("decks/a\nb.yaml", "cards: [{name: X}]")
    ran = project.run("list")
    assert "a\\nb " in ran.stdout and "a\nb" not in ran.stdout


def test_control_characters_are_shown(project: Project) -> None:
    name = "a\x1b]0;x\x07\u202e"
    ran = project.run("build", name)
    assert ran.stderr.startswith('unknown deck "a\\x1b]0;x\\x07\\u202e"\n')


@pytest.mark.usefixtures("project")
def test_a_closed_standard_output() -> None:
    done = subprocess.run(
        [find_program(), "targets"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: os.close(1),
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", ["list", "--help"])
def test_a_full_standard_output(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [find_program(), command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.stderr == (
        "standard output: the system refuses it: No space left on device\n"
        "  hint: is it there, may it be read, and is there room?\n"
    )
    assert done.returncode == 1


AT_THE_END = """
import atexit, os

class Held:
    def __del__(self, write=os.write):
        write(2, b"taken apart\\n")

held = Held()
atexit.register(os.write, 2, b"at the end\\n")
"""


@pytest.mark.parametrize("code, arguments", [(0, ["build", "items"]), (1, ["build", "none"])])
def test_what_is_held_is_not_taken_apart_at_the_end(
    items: Project, code: int, arguments: list[str]
) -> None:
    begun = items.write("begun/sitecustomize.py", AT_THE_END).parent
    path = os.pathsep.join([str(begun), *filter(None, sys.path)])
    run = [sys.executable, "-m", "cardgen", *arguments]
    done = subprocess.run(
        run, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}
    )
    assert done.returncode == code
    assert "at the end" in done.stderr
    assert "taken apart" not in done.stderr
    assert done.stdout == ("" if code else "output/items.pdf: 5 cards on 1 page\n")


def test_what_is_one_line_stays_one(project: Project) -> None:
    """Whatever a file is called, and in the report that an import writes, too."""
    project.write("decks/a\nb.yaml", "cards:\n- name: A\n")
    project.write("c\n\x1b[1md.csv", 'name,text\nA,"x\u202ey\nz"\nB,y\n')
    said = [
        project.run("show", "decks/a\nb.yaml").stdout,
        project.run("check", "decks/a\nb.yaml").stdout,
        project.run("build", "decks/a\nb.yaml").stdout,
        project.run("diff", "decks/a\nb.yaml", "decks/a\nb.yaml").stdout,
        project.run("import", "c\n\x1b[1md.csv", "-o", "o.yaml", "--report", "r.txt").stdout,
        Path("r.txt").read_text(encoding="utf-8"),
    ]
    for text in said:
        assert not set("\x1b\u202e") & set(text)
        assert not [line for line in text.split("\n") if line.startswith(("b", "d.csv", "\\x1b"))]
    assert said[0].startswith("A\\nb: 1 design") and said[1].startswith("decks/a\\nb.yaml: 1 card,")
    assert said[2].startswith("output/a\\nb.pdf: 1 card") and "a\\nb say the same" in said[3]
    assert "c\\n\\x1b[1md.csv:2" in said[4] and "c\\n\\x1b[1md.csv:2" in said[5]


def test_what_is_told_in_several_lines_is_several(project: Project) -> None:
    """What preflight found, below what was built and what was checked."""
    project.write_template("<text>{{ card.name }}</text>")
    project.write_deck()
    for command in ("build", "check"):
        said = project.run(command, "deck", "--target", "one-up").stdout
        assert "\n  page 1 (" in said and "\\n" not in said
