"""What a project names stays inside its folder, links followed: it may come from a stranger. Only a
path of the command line leads out.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Project


@pytest.fixture
def outside(project: Project) -> Path:
    """A folder beside the project, with a file that nobody may touch."""
    project.write_template("<text>{{ card.name }}</text>")
    project.write_deck()
    folder = project.folder.parent / "outside"
    folder.mkdir()
    (folder / "deck.pdf").write_bytes(b"precious")
    return folder


HINT = "\n  hint: copy it into that folder and name it from there\n"
NOWHERE = "which leads nowhere here"
OUT = "\n  hint: name a folder inside it; only --out may lead out of it\n"


@pytest.mark.parametrize("out", ["../outside", "{outside}", "output/../../outside", "link"])
def test_the_output_of_the_settings(project: Project, outside: Path, out: str) -> None:
    (project.folder / "link").symlink_to(outside)
    project.write("cardgen.toml", f'target = "a4"\nout = "{out.format(outside=outside)}"\n')
    ran = project.run("build", "deck")
    said = f"the folder for output lies outside the folder {project.folder}"
    assert ran.stderr == f"cardgen.toml:2: {said}{OUT}"
    assert project.run("check", "deck").stderr == ran.stderr
    assert (outside / "deck.pdf").read_bytes() == b"precious"
    assert [path.name for path in outside.iterdir()] == ["deck.pdf"]
    assert project.run("build", "deck", "--out", str(outside)).code == 0


def test_a_home_is_found_where_it_is_typed_alone(
    project: Project, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(outside))
    assert project.run("build", "deck", "--out=~/prints").code == 0
    assert (outside / "prints/deck.pdf").is_file()
    project.write("cardgen.toml", 'out = "~/prints"\n')
    ran = project.run("build", "deck")
    assert ran.stderr == f'cardgen.toml:1: the folder for output is named by "~", {NOWHERE}{OUT}'
    assert not (project.folder / "~").exists()


def test_the_usual_output_that_is_a_link(project: Project, outside: Path) -> None:
    (project.folder / "output").symlink_to(outside)
    ran = project.run("build", "deck")
    said = f"the folder for output lies outside the folder {project.folder}"
    assert ran.stderr == f"output: {said}{OUT}"
    assert [path.name for path in outside.iterdir()] == ["deck.pdf"]
    assert project.run("calibrate").stderr == ran.stderr
    # Whoever types it means it.
    assert project.run("build", "deck", "--out", "output").code == 0
    assert (outside / "deck.pdf").read_bytes().startswith(b"%PDF")


def test_a_folder_of_pictures_that_is_a_link(project: Project, outside: Path) -> None:
    (project.folder / "output").mkdir()
    (project.folder / "output/deck-png").symlink_to(outside)
    ran = project.run("build", "deck", "--target", "png")
    said = "output/deck-png: the folder for pictures lies outside the folder output"
    assert ran.stderr.splitlines()[0] == said
    assert [path.name for path in outside.iterdir()] == ["deck.pdf"]


def test_files_that_are_links_are_replaced_themselves(project: Project, outside: Path) -> None:
    (project.folder / "output").mkdir()
    manifest = outside / "deck.faces.json"
    manifest.write_text("{}")
    for name in ("deck.pdf", "deck.faces.json"):
        (project.folder / "output" / name).symlink_to(outside / name)
    assert project.run("build", "deck").code == 0
    assert (outside / "deck.pdf").read_bytes() == b"precious"
    assert manifest.read_text() == "{}"
    assert not (project.folder / "output/deck.pdf").is_symlink()


def test_a_forged_manifest_deletes_no_more_than_pictures(project: Project, outside: Path) -> None:
    project.run("build", "deck", "--target", "png")
    record = project.folder / "output/deck-png.faces.json"
    data = json.loads(record.read_text())
    data["pictures"] = ["../deck.faces.json", "notes.txt", "link.png", "old.png", str(outside)]
    data["pictures"] += ["a" * 5000 + ".png", "\0.png", "..", ""]
    record.write_text(json.dumps(data))
    for name in ("notes.txt", "old.png"):
        project.write(f"output/deck-png/{name}", "mine")
    project.write("output/deck.faces.json", "{}")
    (project.folder / "output/deck-png/link.png").symlink_to(outside / "deck.pdf")
    assert project.run("build", "deck", "--target", "png").code == 0
    left = sorted(path.name for path in (project.folder / "output/deck-png").iterdir())
    assert left == ["1-sword-front.png", "link.png", "notes.txt"]
    assert (project.folder / "output/deck.faces.json").read_text() == "{}"
    assert (outside / "deck.pdf").read_bytes() == b"precious"


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize("pictures", ["[1]", '"ab"', "[" * 100_000 + "]" * 100_000], ids=len)
def test_a_manifest_that_is_none_is_written_anew(project: Project, pictures: str) -> None:
    project.run("build", "deck", "--target", "png")
    record = project.folder / "output/deck-png.faces.json"
    good = record.read_text()
    record.write_text(good.replace('"pictures": [', f'"pictures": {pictures}, "x": ['))
    assert project.run("build", "deck", "--target", "png").stderr == ""
    assert record.read_text() == good


@pytest.mark.parametrize("name", ["../outside/base.yaml", "link.yaml", "link"])
def test_a_deck_that_is_extended(project: Project, outside: Path, name: str) -> None:
    (outside / "base.yaml").write_text("template: plain\ncards: [{name: Sword}]\n")
    (project.folder / "decks/link.yaml").symlink_to(outside / "base.yaml")
    name = name.replace("../", "../../")
    project.write("decks/deck.yaml", f"extends: {name}\n")
    ran = project.run("build", "deck")
    said = f'deck "{name}" lies outside the folder {project.folder}'
    assert ran.stderr == f"decks/deck.yaml:1:10: {said}{HINT}"


@pytest.mark.parametrize("key", ["extends", "cards"])
@pytest.mark.parametrize("name", ["../../outside/sercet", "../../outside/secret.txt"])
def test_nothing_is_told_of_what_lies_outside(
    project: Project, outside: Path, key: str, name: str
) -> None:
    for suffix in ("csv", "txt"):
        (outside / f"secret.{suffix}").write_text("name\nSword\n")
    project.write("decks/deck.yaml", f"{key}: {name}\n")
    ran = project.run("build", "deck")
    assert ran.stderr.splitlines()[1:] == [HINT.strip("\n")]
    assert f'"{name}" lies outside the folder' in ran.stderr


@pytest.mark.parametrize(
    ("link", "named"),
    [
        ("decks/deck.yaml", 'decks/deck.yaml: deck "deck"'),
        ("decks/deck.de.yaml", 'decks/deck.de.yaml: overlay "deck.de"'),
        ("templates/plain.xml", 'decks/deck.yaml:1:11: template "plain"'),
        ("icons/mark.svg", 'icons/mark.svg: icon "mark"'),
        ("fonts/some.ttf", 'fonts/some.ttf: font "some"'),
        ("targets/a4.toml", 'targets/a4.toml: target "a4"'),
        ("words/de.yaml", 'words/de.yaml: words "de"'),
        ("cardgen.toml", "cardgen.toml: cardgen.toml"),
    ],
)
def test_a_file_that_is_a_link(project: Project, outside: Path, link: str, named: str) -> None:
    project.write_template('<icon name="mark" width="5mm"/><text>x</text>')
    if link.startswith("words"):
        project.write("decks/deck.de.yaml", "cards: {}\n")
    path = project.folder / link
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(outside / "deck.pdf")
    lang = ("--lang", "de") if "de.yaml" in link else ()
    ran = project.run("build", "deck", *lang)
    assert f"{named} lies outside the folder {project.folder}{HINT[:9]}" in ran.stderr
    assert ran.code == 1


def test_an_import_stays_inside(project: Project, outside: Path) -> None:
    (project.folder / "decks").rename(project.folder / "old")
    (project.folder / "decks").symlink_to(outside)
    project.write("new.csv", "name\nSword\nBow\n")
    ran = project.run("import", "new.csv")
    said = f"decks: the folder for decks lies outside the folder {project.folder}\n"
    assert ran.stderr == f"{said}  hint: remove the link, or say with --out where the deck goes\n"
    assert project.run("translate", "magic", "--lang", "de").stderr.startswith(said)
    assert [path.name for path in outside.iterdir()] == ["deck.pdf"]
    # Whoever types it means it.
    assert project.run("import", "new.csv", "--out", "decks/new.yaml").code == 0
    assert (outside / "new.yaml").is_file()


def test_links_within_a_project_are_followed(project: Project, outside: Path) -> None:
    (project.folder / "templates/plain.xml").rename(project.folder / "other.xml")
    (project.folder / "templates/plain.xml").symlink_to("../other.xml")
    (project.folder / "made").mkdir()
    (project.folder / "output").symlink_to("made")
    assert project.run("build", "deck").stderr == ""
    assert (project.folder / "made/deck.pdf").is_file()
    assert sorted(path.name for path in outside.iterdir()) == ["deck.pdf"]
