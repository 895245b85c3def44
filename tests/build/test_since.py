"""Only what changed: the manifest beside each output, and what a build makes of an earlier one."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Project, find_tool
from PIL import Image
from pypdf import PdfReader

from cardgen.core.library import HOME
from cardgen.output.files import Delivery

CARDS = """
  - {name: Axe, count: 2, text: Cuts}
  - {name: Bow, text: Shoots}
  - {name: Club, back: none, text: Hits}
"""
HEAD = "template: plain\nback: back\n"
SIZE = 'size="poker" bleed="2mm"'


@pytest.fixture
def arms(project: Project) -> Project:
    project.write_template("<text>{{ card.name }} {{ card.text }}</text>", attributes=SIZE)
    project.write_template("<text>Arms</text>", "back", SIZE)
    project.write_deck(CARDS, head=HEAD)
    return project


def run(project: Project, *arguments: str) -> str:
    ran = project.run("build", "deck", *arguments)
    assert (ran.code, ran.stderr) == (0, "")
    return ran.stdout.removesuffix("\n")


def complain(project: Project, *arguments: str) -> str:
    ran = project.run("build", "deck", *arguments)
    assert (ran.code, ran.stdout) == (1, "")
    return ran.stderr


def read(name: str = "output/deck.faces.json") -> dict[str, Any]:
    data = json.loads(Path(name).read_text("utf-8"))
    assert isinstance(data, dict)
    return data


def hash_faces(project: Project, *arguments: str) -> dict[str, Any]:
    """The hashes by card, of a build with these arguments into a folder of its own."""
    shutil.rmtree("trial", ignore_errors=True)
    run(project, "--out", "trial", *arguments)
    manifests = sorted(Path("trial").glob("*.faces.json"))
    cards = read(str(manifests[0]))["cards"]
    assert isinstance(cards, dict)
    return cards


def read_text(path: str = "output/deck-changed.pdf") -> str:
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def commit(project: Project, message: str = "A deck") -> None:
    """All files as a revision of a repository; output stays out of it."""
    settings = ("user.name=A", "user.email=a@b.example", "commit.gpgSign=false")
    git = [find_tool("git"), *(word for setting in settings for word in ("-c", setting))]
    git += ["-C", str(project.folder)]
    if not (project.folder / ".git").is_dir():
        subprocess.run([*git, "init", "--quiet"], check=True)
        project.write(".gitignore", "output\ntrial\n")
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", message], check=True)


# The manifest


def test_a_manifest_tells_what_each_copy_shows(arms: Project) -> None:
    run(arms)
    data = read()
    assert {key: data[key] for key in ("deck", "target", "look", "sides")} == {
        "deck": "deck",
        "target": "a4",
        "look": None,
        "sides": ["front", "back"],
    }
    cards = data["cards"]
    assert list(cards) == ["axe", "bow", "club"]
    assert cards["axe"][0] == cards["axe"][1]
    assert len({front for copies in cards.values() for front, _ in copies}) == 3
    assert cards["bow"][0][1] == cards["axe"][0][1]
    assert [back for _, back in cards["club"]] == [None]


def test_equal_input_makes_equal_bytes(arms: Project) -> None:
    run(arms)
    first = Path("output/deck.faces.json").read_bytes()
    run(arms)
    assert Path("output/deck.faces.json").read_bytes() == first


def test_a_hash_does_not_depend_on_the_paper(arms: Project) -> None:
    on_a4 = hash_faces(arms)
    for target in ("letter", "one-up", "tabloid"):
        assert hash_faces(arms, "--target", target) == on_a4
    # A design and a back that are drawn once stand for all copies that look the same.
    assert hash_faces(arms, "--target", "contact") == on_a4
    # Pictures have their inks turned to how they look.
    as_pictures = hash_faces(arms, "--target", "png")
    assert hash_faces(arms, "--target", "tts") == as_pictures != on_a4


def test_a_hash_does_not_depend_on_who_draws(
    arms: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    arms.write_deck("".join(f"  - {{name: Axe {n}, text: Cuts}}\n" for n in range(500)), head=HEAD)
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    alone = hash_faces(arms)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert hash_faces(arms) == alone


def test_a_hash_does_not_depend_on_other_cards(project: Project) -> None:
    """Where one glyph stands for two texts, the second is said in so many words: here small
    capitals for small letters and for large ones, on faces, in forms, and in forms within these.
    """
    project.write_template(
        '<style name="caps" features="smcp, c2sc"/><text style="caps">{{ card.text }}</text>'
        '<text style="caps" y="50mm" if="card.count > 1">Both Of Them</text>',
        attributes=SIZE,
    )
    project.write_deck(
        "  - {name: Large, text: THE SAME}\n"
        "  - {name: Small, text: the same}\n"
        "  - {name: Both, text: the SAME, count: 2}\n"
    )
    whole = hash_faces(project)
    (page,) = PdfReader("trial/deck.pdf").pages
    content = page.get_contents()
    assert content is not None
    forms = page["/Resources"]["/XObject"].values()  # type: ignore[index]
    streams = [content.get_data(), *(form.get_object().get_data() for form in forms)]
    assert [b"ActualText" in stream for stream in streams] == [True, True, True]
    for card in whole:
        assert hash_faces(project, "--only", card)[card] == whole[card]
    # To the eye, small capitals are all the same.
    assert whole["large"] == whole["small"] != whole["both"][:1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<path d="M0 0L40 50L0 60Z" fill="ink"/>', '<path d="M0 0L30 50L0 60Z" fill="ink"/>'),
        ("<text>A</text>", "<text>B</text>"),
        ('<text y="5mm">A</text>', '<text y="5.1mm">A</text>'),
        ('<image file="p.png"/>', None),
    ],
)
def test_a_hash_tells_whatever_changes_the_look(
    project: Project, before: str, after: str | None
) -> None:
    def write(body: str, shade: int) -> None:
        Image.new("L", (8, 8), shade).save(project.folder / "p.png")
        project.write_template(
            f'<colour name="ink" rgb="#102030"/>{body}', attributes='size="poker"'
        )

    project.write_deck()
    write(before, 10)
    first = hash_faces(project)
    assert hash_faces(project) == first
    write(after or before, 200)
    assert hash_faces(project) != first


# Since an earlier output


def test_only_what_changed_is_printed(arms: Project) -> None:
    run(arms)
    first = read()["cards"]
    arms.write_deck(CARDS.replace("Shoots", "Shoots far"), head=HEAD)
    assert run(arms, "--since", "output/deck.pdf") == (
        "output/deck-changed.pdf: 1 card on 2 pages; 3 cards as before"
    )
    text = read_text()
    assert "Bow Shoots far" in text
    assert "Axe" not in text
    # What lies on the table is all of it still.
    now = read()["cards"]
    assert {id_ for id_ in now if now[id_] != first[id_]} == {"bow"}
    assert list(now) == list(first)


@pytest.mark.parametrize(
    "since", ["output/deck.pdf", "output/deck.faces.json", "output", "old/deck.pdf"]
)
def test_an_earlier_output_is_named_in_many_ways(arms: Project, since: str) -> None:
    run(arms)
    shutil.copytree("output", "old")
    arms.write_deck(CARDS + "  - {name: Dagger, text: Stabs}\n", head=HEAD)
    assert (
        run(arms, "--since", since)
        == "output/deck-changed.pdf: 1 card on 2 pages; 4 cards as before"
    )
    assert "Dagger Stabs" in read_text()


def test_pictures_and_a_zip_are_outputs_too(arms: Project) -> None:
    for line, since in (("", "output/deck-mine"), ("zip = true", "output/deck-mine.zip")):
        target = f'title = "M"\nextends = "png"\ndpi = 20\n{line}\n'
        arms.write("targets/mine.toml", target)
        run(arms, "--target", "mine")
        said = run(arms, "--target", "mine", "--since", since)
        assert said == f"{since}: nothing has changed, so nothing is written"


def test_nothing_has_changed(arms: Project) -> None:
    run(arms)
    before = {path: path.read_bytes() for path in Path("output").iterdir()}
    for _ in range(2):
        assert run(arms, "--since", "output/deck.pdf") == (
            "output/deck.pdf: nothing has changed, so nothing is written"
        )
    assert {path: path.read_bytes() for path in Path("output").iterdir()} == before
    run(arms, "--since", "output/deck.pdf", "--out", "elsewhere")
    assert not Path("elsewhere").exists()


def test_a_back_that_changed_prints_its_cards(arms: Project) -> None:
    run(arms)
    arms.write_template("<text>New arms</text>", "back", SIZE)
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 3 cards on 2 pages; 1 card as before"
    assert run(arms, "--since", "output/deck.pdf").endswith("so nothing is written")


def test_a_side_that_was_not_printed_is_not_compared(arms: Project) -> None:
    run(arms, "--fronts")
    arms.write_template("<text>New arms</text>", "back", SIZE)
    said = run(arms, "--since", "output/deck-fronts.pdf")
    assert said == "output/deck.pdf: nothing has changed, so nothing is written"


def test_more_copies_and_a_number_that_moves(arms: Project) -> None:
    run(arms)
    arms.write_deck(CARDS.replace("count: 2", "count: 4"), head=HEAD)
    assert run(arms, "--since", "output/deck.pdf").endswith("2 cards on 2 pages; 4 cards as before")
    arms.write_template("<text>{{ card.name }} {{ card.place }}</text>", attributes=SIZE)
    run(arms)
    # One copy less: the card behind it has another place now.
    arms.write_deck(CARDS.replace("count: 2", "count: 3"), head=HEAD)
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 2 cards on 2 pages; 3 cards as before"


def test_a_card_that_left_the_deck_leaves_the_manifest(arms: Project) -> None:
    run(arms)
    first = read()["cards"]
    rest = CARDS.replace("  - {name: Bow, text: Shoots}\n", "").replace("Hits", "Hits hard")
    arms.write_deck(rest, head=HEAD)
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 1 card on 1 page; 2 cards as before"
    now = read()["cards"]
    assert list(now) == ["axe", "club"]
    assert now["axe"] == first["axe"]
    # It is new when it comes back, though it looks as it did.
    arms.write_deck(CARDS.replace("Hits", "Hits hard"), head=HEAD)
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 1 card on 2 pages; 3 cards as before"


def test_a_card_that_left_the_deck_leaves_the_folder(arms: Project) -> None:
    arms.write("targets/mine.toml", 'title = "M"\nextends = "png"\ndpi = 20\n')
    run(arms, "--target", "mine", "--fronts")
    folder = Path("output/deck-mine-fronts")
    assert (folder / "3-bow-front.png").is_file()
    rest = CARDS.replace("  - {name: Bow, text: Shoots}\n", "").replace("Hits", "Hits hard")
    arms.write_deck(rest, head=HEAD)
    run(arms, "--target", "mine", "--fronts", "--since", str(folder))
    changed = Path(f"{folder}-changed")
    data = read(f"{changed}.faces.json")
    assert data["pictures"] == [path.name for path in changed.iterdir()] == ["3-club-front.png"]
    # The folder of the whole deck is as it was, and is what its manifest says.
    whole = read(f"{folder}.faces.json")
    assert whole["cards"] == data["cards"]
    assert list(whole["cards"]) == ["axe", "club"]
    pictures = sorted(path.name for path in folder.iterdir())
    assert whole["pictures"] == pictures
    assert len(pictures) == 4
    run(arms, "--target", "mine", "--fronts")
    assert sorted(path.name for path in folder.iterdir())[2:] == ["3-club-front.png"]


def test_of_two_builds_into_one_folder_at_once_the_last_leaves_nothing_of_the_other(
    arms: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    arms.write("targets/mine.toml", 'title = "M"\nextends = "png"\ndpi = 20\n')
    place = Delivery.put_in_place
    others = ["  - {name: Sling, text: Throws}\n"]

    def build_another_first(job: Delivery) -> None:
        while others:
            arms.write_deck(others.pop(), head=HEAD)
            run(arms, "--target", "mine", "--fronts")
            assert read("output/deck-mine-fronts.faces.json")["pictures"] == ["1-sling-front.png"]
        place(job)

    monkeypatch.setattr(Delivery, "put_in_place", build_another_first)
    run(arms, "--target", "mine", "--fronts")
    pictures = sorted(path.name for path in Path("output/deck-mine-fronts").iterdir())
    assert read("output/deck-mine-fronts.faces.json")["pictures"] == pictures
    assert "3-bow-front.png" in pictures


def test_it_goes_together_with_what_chooses_cards(arms: Project) -> None:
    run(arms)
    arms.write_template("<text>{{ card.name }}!</text>", attributes=SIZE)
    said = run(arms, "--since", "output/deck.pdf", "--only", "axe", "--one-of-each")
    assert said == "output/deck-only-axe-one-of-each-changed.pdf: 1 card on 2 pages"
    # The other copy of the axe, and the cards beside it, are still to come.
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 3 cards on 2 pages; 1 card as before"


def test_a_part_keeps_what_was_printed_before_and_a_whole_does_not(arms: Project) -> None:
    run(arms)
    whole = read()["cards"]
    arms.write_template("<text>{{ card.name }}!</text>", attributes=SIZE)
    run(arms, "--only", "bow")
    part = read()["cards"]
    assert part["bow"] != whole["bow"]
    assert (part["axe"], part["club"]) == (whole["axe"], whole["club"])
    arms.write_deck("  - {name: Bow, text: Shoots}\n", head=HEAD)
    run(arms)
    assert read()["cards"] == {"bow": part["bow"]}


def test_a_part_has_a_file_of_its_own_and_the_whole_stays(arms: Project) -> None:
    run(arms)
    before = Path("output/deck.pdf").read_bytes()
    arms.write_template("<text>{{ card.name }}!</text>", attributes=SIZE)
    assert run(arms, "--only", "B*w") == "output/deck-only-b-w.pdf: 1 card on 2 pages"
    assert run(arms, "--from", "3", "--to", "4").startswith("output/deck-from-3-to-4.pdf: ")
    assert run(arms, "--only", "*", "--fronts").startswith("output/deck-fronts-only.pdf: ")
    assert list(read("output/deck-only-b-w.faces.json")["cards"]) == ["bow"]
    assert Path("output/deck.pdf").read_bytes() == before
    # Bow and Club were printed; what is left are the axes.
    said = run(arms, "--since", "output/deck.pdf")
    assert said == "output/deck-changed.pdf: 2 cards on 2 pages; 2 cards as before"
    assert "Bow" not in read_text()
    assert Path("output/deck.pdf").read_bytes() == before
    for since in ("output/deck.pdf", "output/deck-changed.pdf"):
        assert run(arms, "--since", since).endswith("so nothing is written")


# Since a revision


def test_since_a_revision(arms: Project) -> None:
    """Templates, pictures and decks are all those of that time."""
    Image.new("L", (8, 8), 10).save(arms.folder / "p.png")
    arms.write_template('<image file="p.png"/>', "pictured", SIZE)
    arms.write_deck(CARDS + "  - {name: Dagger, template: pictured, text: Stabs}\n", head=HEAD)
    commit(arms)
    assert run(arms, "--since", "HEAD") == (
        "output/deck.pdf: nothing has changed, so nothing is written"
    )
    Image.new("L", (8, 8), 200).save(arms.folder / "p.png")
    assert (
        run(arms, "--since", "HEAD")
        == "output/deck-changed.pdf: 1 card on 2 pages; 4 cards as before"
    )
    commit(arms, "A picture")
    arms.write_template("<text>{{ card.name }}</text>", attributes=SIZE)
    assert (
        run(arms, "--since", "HEAD")
        == "output/deck-changed.pdf: 4 cards on 2 pages; 1 card as before"
    )
    assert run(arms, "--since", "HEAD~1") == "output/deck-changed.pdf: 5 cards on 2 pages"
    # All cards of that build are on the table, be they printed or not.
    assert list(read()["cards"]) == ["axe", "bow", "club", "dagger"]


def test_a_project_within_a_repository(arms: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(arms)
    inner = arms.folder / "games/arms"
    inner.mkdir(parents=True)
    for folder in ("decks", "templates"):
        shutil.move(arms.folder / folder, inner / folder)
    commit(arms, "Moved")
    monkeypatch.chdir(inner)
    assert run(arms, "--since", "HEAD").endswith("nothing has changed, so nothing is written")
    assert complain(arms, "--since", "HEAD~1") == (
        "revision HEAD~1 has no folder games/arms\n"
        "  hint: name a revision in which the project is there already\n"
    )


def test_a_deck_of_ours_with_a_template_of_ones_own(project: Project) -> None:
    back = (HOME / "templates/artillery-back.xml").read_text("utf-8")
    project.write("templates/artillery-back.xml", back)
    commit(project)
    ran = project.run("build", "artillery", "--since", "HEAD")
    assert ran.stdout == "output/artillery.pdf: nothing has changed, so nothing is written\n"
    project.write(
        "templates/artillery-back.xml", back.replace("</template>", "<!-- --></template>")
    )
    ran = project.run("build", "artillery", "--since", "HEAD")
    assert ran.stdout == "output/artillery.pdf: nothing has changed, so nothing is written\n"
    project.write_template("<text>Back</text>", "artillery-back", 'size="jumbo" bleed="5mm"')
    ran = project.run("build", "artillery", "--since", "HEAD")
    assert ran.stdout.startswith("output/artillery-changed.pdf: 5 cards on 4 pages"), ran.stderr


# What cannot be compared


def test_there_is_nothing_of_that_name(arms: Project) -> None:
    assert complain(arms, "--since", "old.pdf") == (
        "there is no file old.pdf\n  hint: name an earlier output, or a git revision\n"
    )
    assert complain(arms, "--since", "v1.0") == (
        f'there is no file "v1.0", and {arms.folder} is in no git repository\n'
        "  hint: name an earlier output, as output/magic.pdf, or keep the deck in git\n"
    )
    commit(arms)
    for unknown in ("v1.0", "-p"):
        ran = arms.run("build", "deck", f"--since={unknown}")
        assert ran.stderr == (
            f'there is no file and no git revision "{unknown}"\n'
            "  hint: name an earlier output, as output/magic.pdf, or a revision, as HEAD~1; "
            "`git log --oneline` lists them\n"
        )


def test_an_output_without_a_manifest(arms: Project) -> None:
    run(arms)
    Path("output/deck.faces.json").unlink()
    assert complain(arms, "--since", "output/deck.pdf") == (
        "output/deck.pdf has no manifest deck.faces.json beside it\n"
        "  hint: name an output that cardgen built, or a git revision\n"
    )


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"deck": "deck"}', '{"cards": 3}', '{"cards": {"a": [3]}}', "\udcff"],
)
def test_a_manifest_that_is_none(arms: Project, content: str) -> None:
    arms.write("output/deck.faces.json", content.encode("utf-8", "surrogateescape"))
    assert complain(arms, "--since", "output/deck.faces.json") == (
        "output/deck.faces.json: this is no manifest of a build\n  hint: build the deck once more\n"
    )
    # A build of some cards does not mind: it begins anew.
    run(arms, "--only", "bow")
    assert list(read()["cards"]) == ["bow"]


def test_the_manifest_of_another_deck(arms: Project) -> None:
    run(arms)
    arms.write_deck(CARDS, "other", HEAD)
    ran = arms.run("build", "other", "--since", "output/deck.pdf")
    assert ran.stderr == (
        'output/deck.faces.json tells of the deck "deck", not of "other"\n'
        "  hint: name an output of this deck, or a folder that holds those of all decks\n"
    )


def test_a_revision_that_cannot_be_read(arms: Project) -> None:
    arms.write_deck("  - {nmae: Axe}\n", head=HEAD)
    commit(arms, "A slip")
    arms.write_deck(CARDS, head=HEAD)
    said = complain(arms, "--since", "HEAD")
    assert said.startswith("HEAD:decks/deck.yaml:4:"), said
    Path("decks/deck.yaml").unlink()
    commit(arms, "No deck")
    arms.write_deck(CARDS, head=HEAD)
    assert complain(arms, "--since", "HEAD") == (
        'the deck "deck" is not in revision HEAD\n'
        "  hint: all its cards are new: leave --since out\n"
    )


def test_what_is_wrong_with_a_card_is_said_by_the_build(arms: Project) -> None:
    run(arms)
    arms.write_template('<icon name="nothing"/>', attributes=SIZE)
    said = complain(arms, "--since", "output/deck.pdf")
    assert said.startswith('decks/deck.yaml:5:5: card "Axe": unknown icon "nothing"'), said


def test_ours_at_a_revision_of_the_checkout(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A copy of our decks and templates as a repository stands for a checkout."""
    home = tmp_path / "checkout"
    for folder in ("decks", "templates", "assets"):
        shutil.copytree(HOME / folder, home / folder)
    project = Project(home)
    for module in ("core.library", "project.project", "build.manifest"):
        monkeypatch.setattr(f"cardgen.{module}.HOME", home)
    monkeypatch.chdir(home)
    commit(project)
    for look in ([], ["--look", "plain"]):
        ran = project.run("build", "artillery", "--since", "HEAD", *look)
        assert ran.stdout.endswith("nothing has changed, so nothing is written\n"), ran.stderr
    deck = home / "decks/artillery.yaml"
    deck.write_text(deck.read_text("utf-8").replace("range: 60cm", "range: 61cm", 1), "utf-8")
    ran = project.run("build", "artillery", "--since", "HEAD")
    assert ran.stdout.startswith(
        "output/artillery-changed.pdf: 1 card on 2 pages; 4 cards as before"
    )
