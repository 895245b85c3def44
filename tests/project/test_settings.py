"""A project's cardgen.toml: what holds for its decks where neither they nor the command say it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Project
from making import load_deck
from pypdf import PdfReader

from cardgen.core.toml import TomlReader


@pytest.fixture
def swords(project: Project) -> Project:
    project.write_template("<text>{{ card.name }}</text>")
    project.write_deck(name="swords")
    return project


def test_what_the_project_says(swords: Project) -> None:
    swords.write(
        "cardgen.toml",
        'target = "letter"\nlanguage = "de"\nauthor = "A. Nobody"\nout = "pdf/made"\n',
    )
    ran = swords.run("build", "swords")
    assert (ran.code, ran.stderr, ran.stdout) == (0, "", "pdf/made/swords.pdf: 1 card on 1 page\n")
    reader = PdfReader("pdf/made/swords.pdf")
    assert [round(float(side)) for side in reader.pages[0].mediabox[2:]] == [612, 792]
    assert reader.metadata is not None
    assert reader.metadata.author == "A. Nobody"
    assert load_deck("swords").language == "de"


def test_a_deck_s_own_keys_come_first(swords: Project) -> None:
    swords.write("cardgen.toml", 'target = "letter"\nlanguage = "de"\nauthor = "A. Nobody"\n')
    head = "template: plain\ntarget: a5\nlanguage: fr\nauthor: B\n"
    swords.write_deck(name="swords", head=head)
    swords.write("decks/few.yaml", "extends: swords\n")
    for name in ("swords", "few"):
        deck = load_deck(name)
        assert (deck.target, deck.language, deck.author) == ("a5", "fr", "B")
    swords.run("build", "swords")
    assert round(float(PdfReader("output/swords.pdf").pages[0].mediabox[2])) == 420


def test_the_command_line_comes_before_all(swords: Project) -> None:
    swords.write("cardgen.toml", 'target = "letter"\nout = "pdf"\n')
    ran = swords.run("build", "swords", "--target", "a4", "--out", "here")
    assert ran.stdout.startswith("here/swords-a4.pdf: ")
    assert swords.run("build", "swords", "--target", "letter").stdout.startswith("pdf/swords.pdf")


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize(
    ("out", "shown", "why"),
    [
        ("a" * 100_000, "a" * 199 + "…", "File name too long"),
        ("decks/swords.yaml/pdf", "decks/swords.yaml/pdf", "a file stands in its way"),
    ],
    ids=["long", "in a file"],
)
def test_an_output_that_cannot_be_made_is_told_where_it_is_named(
    swords: Project, command: str, out: str, shown: str, why: str
) -> None:
    swords.write("cardgen.toml", f'author = "A"\nout = "{out}"\n')
    ran = swords.run(command, "swords")
    assert (ran.code, ran.stderr) == (
        1,
        f"cardgen.toml:2: the folder {shown} cannot be made: {why}\n"
        "  hint: name another with --out\n",
    )


def test_a_look_for_the_decks_that_have_it(swords: Project) -> None:
    swords.write("cardgen.toml", 'look = "plain"\n')
    swords.write("decks/items.yaml", "extends: magic\nkeep: [sword-of-fate]\n")
    assert swords.run("build", "swords").stdout == "output/swords.pdf: 1 card on 1 page\n"
    assert swords.run("build", "items").code == 0
    plain = Path("output/items.pdf").read_bytes()
    assert swords.run("build", "items", "--look", "plain").stdout.startswith("output/items.pdf: ")
    assert Path("output/items.pdf").read_bytes() == plain
    ran = swords.run("build", "items", "--look", "own")
    assert ran.stdout.startswith("output/items-own.pdf: ")
    assert Path("output/items-own.pdf").read_bytes() != plain
    assert swords.run("build", "swords", "--look", "plain").code == 1


def test_every_command_reads_it(swords: Project) -> None:
    swords.write("cardgen.toml", 'target = "one-up"\nout = "pdf"\n')
    swords.write_deck("  - name: A\n  - name: B\n", name="swords")
    rows = [line.split() for line in swords.run("list").stdout.splitlines()]
    assert ["swords", "Swords", "2", "2", "2"] in rows
    swords.write("cardgen.toml", 'out = "pdf"\n')
    assert "\npdf/icons.pdf: " in swords.run("icons").stdout
    swords.write("decks/few.yaml", "extends: swords\ndrop: [a]\n")
    assert "pdf/few-diff.pdf: 1 page" in swords.run("diff", "swords", "few", "--pdf").stdout


def test_the_project_is_that_of_the_deck(swords: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    swords.write("cardgen.toml", 'target = "letter"\nout = "pdf"\n')
    monkeypatch.chdir("decks")
    assert swords.run("build", "swords.yaml").code == 0
    assert (swords.folder / "pdf/swords.pdf").is_file()
    swords.write("decks/cardgen.toml", 'target = "a4"\n')  # no project's root: not read
    assert swords.run("check", "swords.yaml").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('tagret = "a4"\n', 'cardgen.toml:1: unknown key "tagret"\n  hint: did you mean "target"?'),
        ('\ntarget = "a44"\n', 'cardgen.toml:2: unknown target "a44"\n  hint: did you mean "a4"?'),
        ('look = "plian"\n', 'cardgen.toml:1: unknown look "plian"\n  hint: did you mean "plain"?'),
        ('language = "German!"\n', 'cardgen.toml:1: language "German!" is no language tag'),
        ("author = 3\n", "cardgen.toml:1: author must be one line of text, not 3"),
        ('out = ""\n', 'cardgen.toml:1: out must be one line of text, not ""'),
        ("target = a4\n", "cardgen.toml:1:10: not TOML: "),
        ("[target]\nname = 1\n", "cardgen.toml:1: target must be one line of text, not a table"),
    ],
)
def test_what_is_wrong_with_it(swords: Project, text: str, said: str) -> None:
    swords.write("cardgen.toml", text)
    for command in (["build", "swords"], ["check", "swords"], ["build"], ["show", "swords"]):
        ran = swords.run(*command)
        assert (ran.code, ran.stdout) == (1, "")
        assert ran.stderr.startswith(said)
    swords.write_deck(name="daggers")
    assert swords.run("build").stderr.count("cardgen.toml") == 1


def test_build_without_a_name_builds_the_project_s_own_decks(swords: Project) -> None:
    swords.write_deck(name="daggers")
    assert [line.partition(":")[0] for line in swords.run("build").stdout.splitlines()] == [
        "output/daggers.pdf",
        "output/swords.pdf",
    ]
    assert "magic" in swords.run("list").stdout


@pytest.mark.parametrize(
    "command",
    [
        "build",
        "list",
        "check one two",
        "diff one two --pdf",
        "templates",
        "icons",
    ],
)
def test_a_command_reads_the_settings_once(
    project: Project, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    project.write("cardgen.toml", 'author = "A. Smith"\n')
    project.write_template("<text>{{ card.name }}</text>")
    for name in ("one", "two"):
        project.write_deck(f"  - name: {name}\n", name)
    read: list[Path] = []

    def count(path: Path) -> TomlReader:
        read.append(path)
        return TomlReader(path)

    monkeypatch.setattr("cardgen.project.settings.TomlReader", count)
    ran = project.run(*command.split())
    assert (ran.code, ran.stderr) == (command.startswith("diff"), "")
    assert read == [Path("cardgen.toml")]
