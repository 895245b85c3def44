"""The package as others install it: a wheel in an environment of its own, used in an empty folder.

The environment holds what the wheel asks for and nothing else, linked from this one for speed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
import zipfile
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from conftest import drop_slug
from making import build
from packaging.requirements import Requirement
from pypdfium2 import PdfDocument

ROOT = Path(__file__).parent.parent.parent
CARRIED = ("templates", "assets", "decks")


@dataclass(frozen=True)
class Installed:
    """An installed wheel, and an empty folder to use it in."""

    programs: Path
    folder: Path

    def run(self, *command: str) -> str:
        """A command of the new environment, which knows nothing of this one."""
        done = subprocess.run(
            [self.programs / command[0], *command[1:]],
            cwd=self.folder,
            env={"PATH": f"{self.programs}:/usr/bin:/bin", "LANG": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        # What builds it was installed with all the rest.
        [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, ROOT],
        stdout=subprocess.DEVNULL,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin/python")]
    bare = ("--no-deps", "--no-index", "--no-compile")
    subprocess.run([*pip, "install", "--quiet", *bare, wheel], check=True)
    (packages,) = (home / "lib").glob("python*/site-packages")
    for needed in collect_needed(wheel):
        link_files(needed, packages)
    return home


@pytest.fixture(scope="module")
def magic(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Installed, str]:
    """The folder in which magic was built, and what was said."""
    installed = Installed(environment / "bin", tmp_path_factory.mktemp("magic"))
    return installed, installed.run("cardgen", "build", "magic")


@pytest.fixture
def installed(environment: Path, tmp_path: Path) -> Installed:
    return Installed(environment / "bin", tmp_path)


def collect_needed(wheel: Path) -> list[Distribution]:
    """Everything that the wheel asks for, and what that asks for in turn."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    waiting = [line.removeprefix("Requires-Dist: ") for line in lines if "Requires-Dist: " in line]
    assert len(waiting) > 5
    found: dict[str, Distribution] = {}
    while waiting:
        requirement = Requirement(waiting.pop())
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in found:
            needed = found[requirement.name] = distribution(requirement.name)
            assert requirement.specifier.contains(needed.version, prereleases=True)
            waiting += needed.requires or []
    return list(found.values())


def link_files(needed: Distribution, packages: Path) -> None:
    """Make a package of this environment one of another, too."""
    tops = {file.parts[0] for file in needed.files or ()} - {"..", "__pycache__"}
    for top in tops:
        assert not top.startswith("cardgen")
        link = packages / top
        if not link.exists():
            link.symlink_to(Path(str(needed.locate_file(top))), Path(top).suffix == "")


def list_carried() -> set[str]:
    files = (path for name in CARRIED for path in (ROOT / name).rglob("*"))
    return {
        str(path.relative_to(ROOT))
        for path in files
        if path.is_file() and not path.name.startswith(".")
    }


def read_words(path: Path) -> list[list[str]]:
    """The words of each page."""
    return [drop_slug(page.get_textpage().get_text_range()).split() for page in PdfDocument(path)]


def test_the_wheel_carries_every_template_asset_and_deck(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    prefix = "cardgen/"
    carried = {name.removeprefix(prefix) for name in names}
    assert list_carried() - carried == set()
    assert "cardgen/py.typed" in names
    assert {name.partition("/")[0] for name in names if ".dist-info" not in name} == {"cardgen"}


def test_the_new_environment_knows_nothing_of_this_one(installed: Installed) -> None:
    text = installed.run("python", "-c", "import cardgen, sys; print(cardgen.__file__, *sys.path)")
    file, *path = text.split()
    assert Path(file).is_relative_to(installed.programs.parent)
    assert str(ROOT) not in path
    imported = "import importlib.util as u; print(u.find_spec('pytest'), u.find_spec('pypdf'))"
    assert installed.run("python", "-c", imported) == "None None\n"


def test_an_installed_cardgen_lists_its_decks(installed: Installed) -> None:
    rows = [line.split() for line in installed.run("cardgen", "list").splitlines()]
    assert rows[0] == ["deck", "title", "designs", "cards", "pages"]
    decks = {path.stem for path in (ROOT / "decks").iterdir() if path.suffix in (".yaml", ".md")}
    assert {row[0] for row in rows[1:]} >= decks
    assert "magic" in decks


def test_an_installed_cardgen_builds_magic(magic: tuple[Installed, str]) -> None:
    installed, told = magic
    assert told.startswith("output/magic.pdf: 50 cards on 12 pages")
    built = installed.folder / "output/magic.pdf"
    written = sorted(p.name for p in installed.folder.rglob("*"))
    assert written == ["magic.faces.json", "magic.pdf", "output"]
    pages = read_words(built)
    words = [word for page in pages for word in page]
    shown = json.loads(installed.run("cardgen", "show", "magic", "--json"))
    for card in shown["cards"]:
        for word in card["name"].split():
            assert words.count(word) >= card["count"]
    assert len(pages) == 12


def test_an_installed_cardgen_builds_the_same_file(
    magic: tuple[Installed, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = build("magic", out="mine")
    assert (magic[0].folder / "output/magic.pdf").read_bytes() == mine.path.read_bytes()


def test_an_installed_cardgen_checks_decks_of_all_kinds(installed: Installed) -> None:
    names = ("artillery", "magic-box", "playsheet-full", "tactics")
    told = installed.run("cardgen", "check", *names)
    assert told.count("nothing to complain of") == len(names)


def test_an_installed_cardgen_writes_projects_that_build(installed: Installed) -> None:
    for like, form in (("magic", "table"), ("blank", "markdown")):
        told = installed.run("cardgen", "new", like, "--like", like, "--from", form)
        assert told.endswith(f"build it: cd {like} && cardgen build\n")
        project = Installed(installed.programs, installed.folder / like)
        assert project.run("cardgen", "build").startswith(f"output/{like}.pdf: ")
        assert (project.folder / "output" / f"{like}.pdf").is_file()


def test_the_projects_own_templates_come_first(installed: Installed) -> None:
    template = '<template size="poker"><text>Mine {{ card.name }}</text></template>'
    (installed.folder / "templates").mkdir()
    for name in ("magic-item", "magic-back"):
        path = installed.folder / f"templates/{name}.xml"
        path.write_text(template, encoding="utf-8")
    installed.run("cardgen", "build", "magic", "--only", "sword-of-fate")
    pages = read_words(installed.folder / "output/magic-only-sword-of-fate.pdf")
    assert pages == [["Mine", "Sword", "of", "Fate"] * 2] * 2
