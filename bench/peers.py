"""The tools that are measured: how each is installed, and the command with which it builds."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.decks import BenchDeck
from bench.interpreter import Interpreter

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
WORK = REPOSITORY / ".bench"
DECKS, TEMPLATES, FONTS, OUT = WORK / "decks", WORK / "templates", WORK / "faces", WORK / "out"
OWN = WORK / "cardgen"  # cardgen on another Python than the one that runs this
VENV = WORK / "venv"
PYTHON = str(VENV / "bin" / "python")

REQUIREMENTS = ("typst>=0.13", "weasyprint>=63")
DPI = 300
_FACES = ("Regular", "Bold", "Italic", "BoldItalic")
_TYPST = """
import sys, typst
source, root, cards, look, fonts, out = sys.argv[1:]
typst.compile(source, output=out, root=root, font_paths=[fonts], ignore_system_fonts=True,
              sys_inputs={"cards": cards, "look": look})
"""


class BenchError(Exception):
    """Something the bench cannot go on without."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A command, and the file or folder that it writes."""

    name: str
    command: tuple[str, ...]
    out: Path

    def find_pdf(self) -> Path:
        """Return the one PDF that the tool wrote."""
        found = [self.out] if self.out.suffix == ".pdf" else sorted(self.out.rglob("*.pdf"))
        if len(found) != 1 or not found[0].is_file():
            names = ", ".join(path.name for path in found) or "none"
            raise BenchError(f"{self.name} should have written one PDF to {self.out}: {names}")
        return found[0]

    def clear(self) -> None:
        if self.out.is_dir():
            shutil.rmtree(self.out)
        self.out.unlink(missing_ok=True)


def prepare() -> None:
    """Lay out what all decks need: the peers, the fonts, the bench's own template and target."""
    for folder in (DECKS, TEMPLATES, FONTS, OUT, WORK / "targets"):
        folder.mkdir(parents=True, exist_ok=True)
    _install(VENV, sys.executable, "\n".join((sys.version, *REQUIREMENTS)), REQUIREMENTS)
    _copy_fonts()
    shutil.copyfile(HERE / "bench-card.xml", TEMPLATES / "bench-card.xml")
    # A4 without the line in the margin: the others have none.
    target = 'title = "Bench"\nextends = "a4"\nslug = false\n'
    (WORK / "targets" / "bench.toml").write_text(target, encoding="utf-8")


def read_versions() -> dict[str, str]:
    """Return the version of each peer."""
    code = "from importlib.metadata import version as v; print(v('typst'), v('weasyprint'))"
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=True)
    return dict(zip(("Typst", "WeasyPrint"), done.stdout.split(), strict=True))


def install_cardgen(chosen: Interpreter) -> str:
    """Return the Python of an environment that has cardgen, made of the one that is chosen."""
    if chosen.path == sys.executable:
        return sys.executable
    wanted = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    _install(
        OWN,
        chosen.path,
        f"{chosen.path} {chosen.version}\n{wanted}",
        ("--editable", str(REPOSITORY)),
    )
    return str(OWN / "bin" / "python")


def make_cardgen(python: str, out: Path, *words: str) -> Tool:
    """Return cardgen on a Python whose environment has it."""
    return Tool("cardgen", (str(Path(python).with_name("cardgen")), *words), out)


def make_build(python: str, deck: BenchDeck, target: str = "bench", *options: str) -> Tool:
    out = OUT / f"cardgen-{target}-{deck.path.stem}"
    words = ("build", str(deck.path), "--target", target, "--out", str(out), *options)
    return make_cardgen(python, out, *words)


def make_typst(deck: BenchDeck) -> Tool:
    out = OUT / f"typst-{deck.path.stem}.pdf"
    source = (str(HERE / "typst_cards.typ"), str(REPOSITORY))
    cards = (f"/{deck.table.relative_to(REPOSITORY)}", deck.look.name)
    return Tool("Typst", (PYTHON, "-c", _TYPST, *source, *cards, str(FONTS), str(out)), out)


def make_weasyprint(deck: BenchDeck) -> Tool:
    out = OUT / f"weasyprint-{deck.path.stem}.pdf"
    script = (PYTHON, str(HERE / "weasy_cards.py"))
    return Tool("WeasyPrint", (*script, str(deck.table), str(FONTS), str(out)), out)


def make_import(python: str, module: str, name: str) -> Tool:
    """Return a start of Python that loads a module, and does nothing with it."""
    return Tool(name, (python, "-c", f"import {module}"), OUT / module)


def make_pdfium(python: str, pdf: Path, pages: Path) -> Tool:
    script = (python, str(HERE / "pdfium_pages.py"), str(pdf), str(pages), str(DPI))
    return Tool("pdfium and Pillow", script, pages)


def _install(folder: Path, python: str, wanted: str, packages: Sequence[str]) -> None:
    """Make an environment, once; whoever wants another gets it anew."""
    ready = folder / ".ready"
    if ready.is_file() and ready.read_text(encoding="utf-8") == wanted:
        return
    print(f"Installing {', '.join(packages)} into {folder} ...", flush=True)
    pip = str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *packages
    for command in ((python, "-m", "venv", "--clear", str(folder)), pip):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = f"{done.stdout}{done.stderr}".strip()
            raise BenchError(f"could not install {', '.join(packages)}:\n{said}")
    ready.write_text(wanted, encoding="utf-8")


def _copy_fonts() -> None:
    """Copy the faces that the peers use from the package that cardgen takes them from."""
    package = importlib.util.find_spec("fontpkg_alegreya_sans")
    if package is None or package.origin is None:
        raise BenchError("the package fontpkg-alegreya-sans is not installed")
    for face in _FACES:
        name = f"AlegreyaSans-{face}.ttf"
        shutil.copyfile(Path(package.origin).parent / "files" / name, FONTS / name)
