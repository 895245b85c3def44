"""Both sides of the paper on a printer that prints one: two stacks, and in which order."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import Project, drop_slug
from hypothesis import given
from making import plan_build
from pypdf import PdfReader
from test_pages_impose import Job, draw_jobs


@given(draw_jobs(sides=["even"], duplex=["long-edge", "short-edge"]))
def test_the_backs_keep_in_step_with_the_fronts(job: Job) -> None:
    odd, even = (replace(job, sides="odd").impose(), job.impose())
    assert [page.number for page in odd] == [page.number for page in even]
    assert {page.side for page in odd} <= {"front"}
    assert {page.side for page in even} <= {"back"}
    both = replace(job, sides="both").impose()
    assert [page for page in both if page.side == "front"] == odd
    backs = [page for page in both if page.side == "back"]
    assert backs == (even if any(page.placements for page in even) else [])
    assert all(not page.marks for page in even if not page.placements)


@pytest.fixture
def deck(project: Project) -> Project:
    """Three sheets, of which the second has no backs."""
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker"')
    project.write_template("<text>Behind</text>", "behind", 'size="poker"')
    cards = "  - {name: A, count: 9}\n  - {name: B, count: 9, back: none}\n  - name: C\n"
    project.write_deck(cards, head="template: plain\nback: behind\n")
    return project


def read_words(path: str) -> list[str]:
    pages = PdfReader(path).pages
    return ["".join(sorted(set(drop_slug(page.extract_text()).split()))) for page in pages]


@pytest.mark.parametrize(
    ("options", "path", "words"),
    [
        (["--sides", "odd"], "deck-odd.pdf", ["A", "B", "C"]),
        (["--sides", "even"], "deck-even.pdf", ["Behind", "", "Behind"]),
        (["--sides", "odd", "--reverse"], "deck-odd.pdf", ["C", "B", "A"]),
        (["--backs"], "deck-backs.pdf", ["Behind", "", "Behind"]),
        ([], "deck.pdf", ["A", "Behind", "B", "", "C", "Behind"]),
        (["--reverse"], "deck.pdf", ["Behind", "C", "", "B", "Behind", "A"]),
    ],
)
def test_the_stacks_of_a_deck(
    deck: Project, options: list[str], path: str, words: list[str]
) -> None:
    ran = deck.run("build", "deck", *options)
    assert (ran.code, ran.stderr) == (0, "")
    assert read_words(f"output/{path}") == words
    preferences = PdfReader(f"output/{path}").root_object["/ViewerPreferences"]
    both = options in ([], ["--reverse"])
    turned = "/DuplexFlipLongEdge" if both else "/Simplex"
    assert preferences["/Duplex"] == turned  # type: ignore[index]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["--sides", "odd", "--fronts"], 2, "--sides does not go with --fronts or --backs"),
        (["--sides", "even", "--target", "png"], 1, "makes pictures: --sides even means nothing"),
        (["--sides", "even", "--target", "gutterfold-a4"], 1, "--sides even means nothing"),
        (["--sides", "even", "--target", "single"], 1, "its backs are not mirrored"),
    ],
)
def test_where_there_are_no_stacks(
    deck: Project, options: list[str], code: int, message: str
) -> None:
    deck.write("targets/single.toml", 'title = "S"\nextends = "a4"\nduplex = "none"\n')
    ran = deck.run("build", "deck", *options)
    assert (ran.code, message in ran.stderr) == (code, True)
    assert len(plan_build("deck").pages) == 6
