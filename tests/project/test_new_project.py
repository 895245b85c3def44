"""`cardgen new`: a small project that builds at once, and writes over nothing."""

from __future__ import annotations

import csv
import os
import shlex
import tomllib
from pathlib import Path

import pytest
import yaml
from conftest import Project
from jsonschema import Draft202012Validator

from cardgen.core.library import HOME
from cardgen.deck.schema import make_deck_schema
from cardgen.project.new import FORMS, SUFFIXES
from cardgen.project.settings import KEYS

WAYS = [(like, form) for like, forms in FORMS.items() for form in forms]
COMMON = ["README.md", "cardgen.toml", "pictures/hills.png"]


@pytest.mark.parametrize(("like", "form"), WAYS)
def test_a_new_project_builds_at_once(
    project: Project, like: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = project.run("new", "mine", "--like", like, "--from", form)
    assert (ran.code, ran.stderr) == (0, "")
    suffix = SUFFIXES[form]  # type: ignore[index]
    files = [*COMMON, f"decks/mine{suffix}", "templates/mine.xml"]
    files += ["schemas/deck.json"] if form == "yaml" else []
    assert project.list_files() == sorted(f"mine/{file}" for file in files)
    assert sorted(ran.stdout.splitlines()[:-1]) == project.list_files()
    assert ran.stdout.splitlines()[-1] == "build it: cd mine && cardgen build"
    texts = [Path("mine", file).read_text("utf-8") for file in files if not file.endswith(".png")]
    assert not any(mark in text for text in texts for mark in ("@name@", "@title@", "@deck@"))
    assert "extends=" in Path("mine/templates/mine.xml").read_text("utf-8")
    monkeypatch.chdir("mine")
    built = project.run("build")
    assert (built.code, built.stderr) == (0, "")
    assert [line.partition(":")[0] for line in built.stdout.splitlines()] == ["output/mine.pdf"]
    assert "set smaller" not in built.stdout
    assert project.run("check", "mine").code == 0


def test_who_has_not_gone_into_the_new_folder_is_told_to(project: Project) -> None:
    assert project.run("new", "My game").code == 0
    ran = project.run("build", "my-game")
    assert (ran.code, ran.stderr) == (
        1,
        'unknown deck "my-game"\n'
        '  hint: it is a deck of the project in "My game": go into that folder first\n',
    )
    assert "go into" not in project.run("build", "my-gme").stderr


def test_the_picture_is_on_the_page_and_the_look_is_its_own(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for like, form in WAYS:
        project.run("new", f"{like}-{form}", "--like", like, "--from", form)
        monkeypatch.chdir(f"{like}-{form}")
        project.run("build")
        data = Path(f"output/{like}-{form}.pdf").read_bytes()
        assert b"/Subtype /Image" in data or b"/Subtype/Image" in data, like
        text = Path(f"templates/{like}-{form}.xml").read_text("utf-8")
        assert "<colour" in text or "<style" in text
        monkeypatch.chdir("..")


def test_the_deck_agrees_with_the_schema_that_it_names(project: Project) -> None:
    for like in ("magic", "tactics", "artillery", "blank"):
        project.run("new", like, "--like", like)
        text = Path(f"{like}/decks/{like}.yaml").read_text("utf-8")
        assert text.startswith("# yaml-language-server: $schema=../schemas/deck.json\n")
        Draft202012Validator(make_deck_schema()).validate(yaml.safe_load(text))


def test_the_settings_that_it_writes_are_all_there_are() -> None:
    text = (HOME / "assets/projects/cardgen.toml").read_text("utf-8")
    uncommented = "\n".join(line.removeprefix("# ") for line in text.splitlines() if "=" in line)
    assert tomllib.loads(uncommented).keys() == KEYS.keys()


def test_a_readme_of_ten_lines(project: Project) -> None:
    project.run("new", "mine", "--from", "table")
    lines = Path("mine/README.md").read_text("utf-8").splitlines()
    assert len(lines) <= 10
    assert lines[0] == "# Mine"
    assert "decks/mine.csv" in "\n".join(lines)


def test_a_form_alone_chooses_what_fits(project: Project) -> None:
    project.run("new", "sheet", "--from", "markdown")
    assert 'extends="sheet"' in Path("sheet/templates/sheet.xml").read_text("utf-8")
    project.run("new", "plain")
    assert Path("plain/decks/plain.yaml").is_file()
    project.run("new", "play", "--like", "playsheet")
    assert Path("play/decks/play.md").is_file()


@pytest.mark.parametrize(
    ("name", "folder", "deck", "title"),
    [
        ("mydeck", "mydeck", "mydeck", "Mydeck"),
        ("my-deck", "my-deck", "my-deck", "My deck"),
        ("MyDeck_2", "MyDeck_2", "MyDeck_2", "MyDeck 2"),
        ("My grand deck", "My grand deck", "my-grand-deck", "My grand deck"),
        ("Drachenhöhle", "Drachenhöhle", "drachenhohle", "Drachenhöhle"),
        ('Say "no": 1', 'Say "no": 1', "say-no-1", 'Say "no": 1'),
        ("games/west/mine", "games/west/mine", "mine", "Mine"),
        ("mine/", "mine", "mine", "Mine"),
        ("./mine", "mine", "mine", "Mine"),
        ("no.1", "no.1", "no-1", "No.1"),
        ("magic", "magic", "magic", "Magic"),
        ("yes", "yes", "yes", "Yes"),
        ("1", "1", "1", "1"),
        ("a--b", "a--b", "a-b", "A  b"),
    ],
)
@pytest.mark.parametrize("form", ["yaml", "table", "markdown"])
def test_names(
    project: Project,
    name: str,
    folder: str,
    deck: str,
    title: str,
    form: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = project.run("new", name, "--from", form)
    assert (ran.code, ran.stderr) == (0, "")
    told = shlex.split(ran.stdout.splitlines()[-1])
    assert told == ["build", "it:", "cd", folder, "&&", "cardgen", "build"]
    monkeypatch.chdir(folder)
    shown = project.run("show", deck)
    assert shown.stdout.startswith(f"{title}: ")
    if form == "yaml":  # a file's name does not depend on what the deck was written as
        built = project.run("build")
        assert built.stdout.startswith(f"output/{deck}.pdf: ")
        assert built.stderr == ""


def test_the_folder_in_hand(project: Project) -> None:
    project.write("notes.txt", "mine")
    assert project.run("new", ".").code == 0
    assert Path("decks/project.yaml").is_file()
    assert project.run("build").stdout.startswith("output/project.pdf: ")
    assert Path("notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mine.yaml"], 'leave out ".yaml"'),
        (["mine.csv", "--from", "table"], 'leave out ".csv"'),
        (["!!!"], '"!!!" has no letter and no digit'),
        ([""], "a project needs a name"),
        (["  "], "a project needs a name"),
        (["/"], "a project needs a name"),
        (["a\nb"], "holds a character that no name can have"),
        (["x" * 41], "is 41 characters long; allowed are 40"),
        (["readme"], 'a deck cannot be called "readme"'),
        (["mine", "--like", "playsheet", "--from", "table"], "--from markdown goes with it"),
        (["mine", "--like", "magic", "--from", "markdown"], "--from yaml or table goes with it"),
        (["taken"], '"taken" is a file'),
        (["taken/mine"], "cannot be made"),
    ],
)
def test_what_is_wrong(project: Project, arguments: list[str], said: str) -> None:
    project.write("taken", "a file")
    ran = project.run("new", *arguments)
    assert (ran.code, ran.stdout) == (1, "")
    assert said in ran.stderr
    assert project.list_files() == ["taken"]


def test_a_kind_or_a_form_that_there_is_not(project: Project) -> None:
    assert project.run("new", "mine", "--like", "majic").code == 2
    assert project.run("new", "mine", "--from", "excel").code == 2
    assert project.run("new").code == 2
    assert project.list_files() == []


def test_nothing_is_written_over_unless_forced(project: Project) -> None:
    project.write("mine/README.md", "my own words")
    project.write("mine/templates/mine.xml", "my own look")
    ran = project.run("new", "mine")
    assert ran.code == 1
    assert ran.stderr == (
        "mine/README.md, mine/templates/mine.xml would be written over\n"
        "  hint: take another name, or say --force\n"
    )
    assert len(project.list_files()) == 2
    assert Path("mine/README.md").read_text() == "my own words"
    assert project.run("new", "mine", "--force").code == 0
    assert Path("mine/README.md").read_text().startswith("# Mine")


def test_a_deck_of_the_same_name_in_another_form_is_not_hidden(project: Project) -> None:
    project.run("new", "mine")
    ran = project.run("new", "mine", "--from", "table", "--force")
    assert ran.code == 1
    assert 'there is a deck "mine/decks/mine.yaml" already' in ran.stderr
    assert project.run("new", "mine", "--force").code == 0


def test_a_folder_that_cannot_be_written(project: Project) -> None:
    if os.geteuid() == 0:
        target = Path("/proc/mine")
        ran = project.run("new", str(target))
    else:
        Path("locked").mkdir(mode=0o500)
        ran = project.run("new", "locked/mine")
    assert ran.code == 1
    assert "cannot be made" in ran.stderr


def test_the_files_that_new_writes_are_read_in_the_docs_own_terms() -> None:
    """Every table has as many cells in a row as its header has names."""
    for path in (HOME / "assets/projects").glob("*/deck.csv"):
        _, head, body = path.read_text("utf-8").split("---\n")
        assert yaml.safe_load(head.replace("@", ""))["template"] == "name"
        rows = list(csv.reader(body.splitlines()))
        assert len(rows) > 2
        assert {len(row) for row in rows} == {len(rows[0])}
