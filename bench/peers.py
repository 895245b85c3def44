"""The tools that are measured: how each is installed, and the command with which it builds."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

from bench.decks import BenchDeck

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
WORK = REPOSITORY / ".bench"
DECKS, TEMPLATES, FONTS, OUT = WORK / "decks", WORK / "templates", WORK / "faces", WORK / "out"
VENV = WORK / "venv"
PYTHON = str(VENV / "bin" / "python")
CARDGEN = str(Path(sys.executable).with_name("cardgen"))

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
    _install()
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


def make_cardgen(deck: BenchDeck, target: str = "bench", *options: str) -> Tool:
    out = OUT / f"cardgen-{target}-{deck.path.stem}"
    build = (CARDGEN, "build", str(deck.path), "--target", target, "--out", str(out), *options)
    return Tool("cardgen", build, out)


def make_typst(deck: BenchDeck) -> Tool:
    out = OUT / f"typst-{deck.path.stem}.pdf"
    source = (str(HERE / "typst_cards.typ"), str(REPOSITORY))
    cards = (f"/{deck.table.relative_to(REPOSITORY)}", deck.look.name)
    return Tool("Typst", (PYTHON, "-c", _TYPST, *source, *cards, str(FONTS), str(out)), out)


def make_weasyprint(deck: BenchDeck) -> Tool:
    out = OUT / f"weasyprint-{deck.path.stem}.pdf"
    script = (PYTHON, str(HERE / "weasy_cards.py"))
    return Tool("WeasyPrint", (*script, str(deck.table), str(FONTS), str(out)), out)


def make_import(module: str, name: str) -> Tool:
    """Return a start of Python that loads a module, and does nothing with it."""
    return Tool(name, (sys.executable, "-c", f"import {module}"), OUT / module)


def make_pdfium(pdf: Path, pages: Path) -> Tool:
    script = (sys.executable, str(HERE / "pdfium_pages.py"), str(pdf), str(pages), str(DPI))
    return Tool("pdfium and Pillow", script, pages)


def _install() -> None:
    """Make the peers' own environment, once; a changed list of requirements makes it anew."""
    ready = VENV / ".ready"
    wanted = "\n".join((sys.version, *REQUIREMENTS))
    if ready.is_file() and ready.read_text(encoding="utf-8") == wanted:
        return
    print("Installing Typst and WeasyPrint into .bench/venv ...", flush=True)
    venv.create(VENV, clear=True, with_pip=True)
    pip = [PYTHON, "-m", "pip", "install", "--quiet", *REQUIREMENTS]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"could not install {', '.join(REQUIREMENTS)}:\n{done.stderr.strip()}")
    ready.write_text(wanted, encoding="utf-8")


def _copy_fonts() -> None:
    """Copy the faces that the peers use from the package that cardgen takes them from."""
    package = importlib.util.find_spec("fontpkg_alegreya_sans")
    if package is None or package.origin is None:
        raise BenchError("the package fontpkg-alegreya-sans is not installed")
    for face in _FACES:
        name = f"AlegreyaSans-{face}.ttf"
        shutil.copyfile(Path(package.origin).parent / "files" / name, FONTS / name)
