"""`cardgen templates` and `cardgen fonts`: tables of what there is, and their specimens."""

from __future__ import annotations

import gc
import re
import shutil
from pathlib import Path
from typing import TypeGuard

import fontpkg
import pytest
from conftest import Project
from pypdf import PdfReader

from cardgen.build.proofs.specimens import print_templates
from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import HOME, Library
from cardgen.core.units import PAPER_SIZES
from cardgen.pages.sheets.gallery import Exhibit, impose_gallery
from cardgen.project import catalogue
from cardgen.project.catalogue import describe_template, list_fonts, read_templates
from cardgen.project.project import open_project
from cardgen.template.source import read_purpose
from cardgen.template.template import Template

A4 = PAPER_SIZES["a4"]
OWN = sorted(path.stem for path in (HOME / "templates").glob("*.xml"))


def read_words(path: str) -> str:
    return " ".join(page.extract_text() for page in PdfReader(path).pages)


def read_first(table: str) -> list[str]:
    """The first column of a table's rows."""
    return [re.split(r"\s{2,}", line)[0] for line in table.splitlines()[1:]]


# Templates


def test_templates_are_listed_and_shown(project: Project) -> None:
    ran = project.run("templates", "--target", "letter")
    assert (ran.code, ran.stderr) == (0, "")
    *table, last = ran.stdout.splitlines()
    assert table[0].split() == ["template", "size", "bleed", "extends", "from", "for"]
    assert read_first("\n".join(table)) == OWN
    file = "output/templates-letter.pdf"
    assert last == f"{file}: {len(OWN)} templates on {len(PdfReader(file).pages)} pages"
    assert project.list_files() == [file]
    words = read_words(file).split()
    assert set(OWN) <= set(words)
    assert "needs" not in words, "the sample has every field that ours read"


def is_sound(read: Template | CardgenError) -> TypeGuard[Template]:
    return isinstance(read, Template)


def test_of_many_templates_that_are_listed_few_are_held(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        project.write_template("<text>{{ card.name }}</text>", f"many-{number}")
    held: list[int] = []

    def describe(template: Template) -> catalogue.TemplateEntry:
        held.append(sum(isinstance(one, Template) for one in gc.get_objects()))
        return describe_template(template)

    monkeypatch.setattr(catalogue, "describe_template", describe)
    gc.freeze()  # what other tests have left is not looked through for each template
    try:
        assert project.run("templates", "--list").stdout.count("many-") == 20
    finally:
        gc.unfreeze()
    assert len(held) >= 20
    assert max(held) - min(held) <= 1


def test_what_is_said_of_a_template(project: Project) -> None:
    project.write(
        "templates/mine.xml",
        '<!-- For my deck: with a border.\n  More. -->\n<template extends="tarot-basic"/>\n',
    )
    project.write_template("<text>{{ card.name }}</text>", "silent", 'size="a5" bleed="1mm 2mm"')
    found = [one for one in read_templates(Library(project.folder), A4) if is_sound(one)]
    said = {entry.name: tuple(entry[1:]) for entry in map(describe_template, found)}
    assert said["mine"] == ("tarot", "3.18mm", "tarot-basic", "templates", "For my deck")
    assert said["silent"] == ("a5", "2mm 1mm", "", "templates", "")
    purpose = "A page of icons, at 20 mm and at 5 mm, as `cardgen icons` prints it"
    assert said["icon-specimen"] == ("page", "", "", "cardgen", purpose)


def test_every_template_of_ours_says_what_it_is_for() -> None:
    for path in (HOME / "templates").glob("*.xml"):
        assert 10 < len(read_purpose(path)) <= 80, path.name


def test_a_template_that_the_sample_cannot_fill_is_named(project: Project) -> None:
    project.write_template("<text>{{ card.weapon_skill }}</text>", "skill")
    project.write_template("<text>{{ card.name }}</text>", "plain")
    opened = open_project()
    found = filter(is_sound, read_templates(opened.library, A4))
    two = [template for template in found if template.name in ("skill", "plain")]
    path, pages = print_templates(two, opened, opened.get_target(None), None)
    assert (str(path), pages) == ("output/templates.pdf", 1)
    words = read_words(str(path))
    assert "skill" in words.split()
    assert words.count("needs other fields than the sample has") == 1


def test_the_table_of_templates_alone(project: Project) -> None:
    ran = project.run("templates", "--list")
    assert (ran.code, ran.stderr) == (0, "")
    assert read_first(ran.stdout) == OWN
    assert project.list_files() == []


def test_a_broken_template_does_not_hide_the_others(project: Project) -> None:
    project.write("templates/broken.xml", "<template/>")
    ran = project.run("templates")
    assert ran.code == 1
    assert read_first(ran.stdout) == OWN
    assert ran.stderr.startswith("templates/broken.xml:1:1: the template has no size")
    assert project.list_files() == ["templates/broken.xml"]


def test_faces_hang_in_rows_within_the_paper_each_above_its_name() -> None:
    sizes = [Size(180, 250), Size(60, 60), None, Size(600, 800), Size(800, 300)] * 6
    exhibits = [Exhibit(n, size, f"face {n}", "size") for n, size in enumerate(sizes)]
    pages = impose_gallery(exhibits, "Faces", A4)
    paper = Rect(0, 0, *A4)
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    placed = [place for page in pages for place in page.placements]
    assert [place.index for place in placed] == [n for n, size in enumerate(sizes) if size]
    for page in pages:
        for one in page.placements:
            size = sizes[one.index]
            assert size is not None
            assert one.scale <= 1
            assert one.trim.size == pytest.approx((size.width * one.scale, size.height * one.scale))
            assert paper.contains(one.trim, 0)
            assert not any(
                one.trim.overlaps(other.trim, 0) for other in page.placements if other is not one
            )
            (name,) = (note for note in page.notes if note.text == f"face {one.index}")
            assert (name.x, name.y > one.trim.bottom) == (one.trim.x, True)


# Fonts


def test_fonts_are_listed_and_shown(project: Project) -> None:
    ran = project.run("fonts")
    assert (ran.code, ran.stderr) == (0, "")
    rows = [re.split(r"\s{2,}", line) for line in ran.stdout.splitlines()]
    weights = "100, 300, 400, 500, 700, 800, 900"
    assert rows[0] == ["family", "weights", "italics", "from"]
    assert ["Alegreya Sans", weights, weights, "installed"] in rows
    assert ["Cinzel", "400 to 900", "installed"] in rows
    families = len(rows) - 2
    assert rows[-1] == [f"output/fonts.pdf: {families} families on {families} pages"]
    words = read_words("output/fonts.pdf")
    for shown in ("Alegreya Sans", "black 900 italic", "semibold 600", "ß", "*", "\\", "_"):
        assert shown in words, shown


def test_a_font_of_the_project_is_told_apart(project: Project) -> None:
    file = next(iter(fontpkg.families()["cinzel"].files))
    (project.folder / "fonts").mkdir()
    shutil.copy(Path(file.path), project.folder / "fonts" / "own.ttf")
    (entry,) = (e for e in list_fonts(Library(project.folder)) if e.family == "Cinzel")
    assert entry.source == "fonts"


def test_the_table_of_fonts_alone(project: Project) -> None:
    ran = project.run("fonts", "--list")
    assert (ran.code, ran.stderr) == (0, "")
    assert "Cinzel" in read_first(ran.stdout)
    assert project.list_files() == []


def test_a_template_is_copied_with_what_it_extends(project: Project) -> None:
    ran = project.run("templates", "--copy", "tactics-card")
    names = ["tactics-card", "magic-item", "framed", "house"]
    files = [f"templates/{name}.xml" for name in names]
    assert (ran.code, ran.stdout.split(), ran.stderr) == (0, files, "")
    assert project.list_files() == sorted(files)
    for name, file in zip(names, files, strict=True):
        assert Path(file).read_bytes() == (HOME / "templates" / f"{name}.xml").read_bytes()
    project.write(
        "decks/deck.yaml",
        "template: tactics-card\ncards: [{name: A, cost: 1, signs: [], who: a, uses: once}]\n",
    )
    assert project.find_problems() == ""


def test_what_is_the_project_s_own_is_not_written_over(project: Project) -> None:
    own = project.write("templates/house.xml", '<template extends="house"/>')
    ran = project.run("templates", "--copy", "tent")
    assert (ran.code, ran.stdout) == (0, "templates/tent.xml\n")
    again = project.run("templates", "--copy", "tent")
    assert again.code == 1
    assert again.stderr.startswith("templates/tent.xml would be written over\n")
    assert own.read_text() == '<template extends="house"/>'
    missing = project.run("templates", "--copy", "tnet")
    assert 'did you mean "tent"?' in missing.stderr
