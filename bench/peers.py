"""The three tools: how each is installed, and the command with which it builds a deck."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
WORK = REPOSITORY / ".bench"
DECKS, TEMPLATES, FONTS, OUT = WORK / "decks", WORK / "templates", WORK / "fonts", WORK / "out"
VENV = WORK / "venv"
CARDGEN = Path(sys.executable).with_name("cardgen")

# xkcdpass (BSD) is here for its list of English words: the EFF's long list, CC BY 3.0.
REQUIREMENTS = ("typst>=0.13", "weasyprint>=63", "xkcdpass>=1.20")
_WORD_LIST = "lib/python*/site-packages/xkcdpass/static/eff-long"
_FACES = ("Regular", "Bold", "Italic")
_TYPST = """
import sys, typst
source, root, cards, fonts, out = sys.argv[1:]
typst.compile(source, output=out, root=root, font_paths=[fonts], ignore_system_fonts=True,
              sys_inputs={"cards": cards})
"""


class BenchError(Exception):
    """Something the bench cannot go on without."""


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    command: tuple[str, ...]
    out: Path

    def find_pdf(self) -> Path:
        """The one PDF that the tool wrote."""
        found = [self.out] if self.out.suffix == ".pdf" else sorted(self.out.rglob("*.pdf"))
        if len(found) != 1 or not found[0].is_file():
            names = ", ".join(path.name for path in found) or "none"
            raise BenchError(f"{self.name} should have written one PDF to {self.out}: {names}")
        return found[0]

    def clear(self) -> None:
        if self.out.is_dir():
            shutil.rmtree(self.out)
        self.out.unlink(missing_ok=True)


def install() -> None:
    """Make the peers' own environment, once; a changed list of requirements makes it anew."""
    ready = VENV / ".ready"
    wanted = "\n".join((sys.version, *REQUIREMENTS))
    if ready.is_file() and ready.read_text(encoding="utf-8") == wanted:
        return
    print("Installing Typst, WeasyPrint and a word list into .bench/venv ...", flush=True)
    venv.create(VENV, clear=True, with_pip=True)
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "install", "--quiet", *REQUIREMENTS]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"could not install {', '.join(REQUIREMENTS)}:\n{done.stderr.strip()}")
    ready.write_text(wanted, encoding="utf-8")


def read_versions() -> str:
    """The versions of the peers, for the head of the table."""
    code = "from importlib.metadata import version as v; print(v('typst'), v('weasyprint'))"
    python = str(VENV / "bin" / "python")
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True)
    typst, weasyprint = done.stdout.split()
    return f"Typst {typst}, WeasyPrint {weasyprint}"


def find_word_list() -> Path:
    found = next(VENV.glob(_WORD_LIST), None)
    if found is None:
        raise BenchError(f"there is no word list in {VENV}; delete the folder and try again")
    return found


def copy_fonts() -> None:
    """The three faces the cards use, from the package that cardgen takes them from."""
    package = importlib.util.find_spec("fontpkg_alegreya_sans")
    if package is None or package.origin is None:
        raise BenchError("the package fontpkg-alegreya-sans is not installed")
    FONTS.mkdir(parents=True, exist_ok=True)
    for face in _FACES:
        name = f"AlegreyaSans-{face}.ttf"
        shutil.copyfile(Path(package.origin).parent / "files" / name, FONTS / name)


def copy_template() -> None:
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(HERE / "bench-card.xml", TEMPLATES / "bench-card.xml")


def write_deck(cards: Path) -> Path:
    deck = cards.with_suffix(".yaml")
    text = f"title: Bench\ntemplate: bench-card\ncards: {cards.name}\n"
    deck.write_text(text, encoding="utf-8")
    return deck


def write_target() -> None:
    """A4 without the line in the margin: the others have none, and all words are compared."""
    path = WORK / "targets/bench.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('title = "Bench"\nextends = "a4"\nslug = false\n', encoding="utf-8")


def make_cardgen(cards: Path) -> Tool:
    deck, out = write_deck(cards), OUT / f"cardgen-{cards.stem}"
    build = (str(CARDGEN), "build", str(deck), "--target", "bench", "--out", str(out))
    return Tool("cardgen", build, out)


def make_typst(cards: Path) -> Tool:
    out = OUT / f"typst-{cards.stem}.pdf"
    source = (str(HERE / "typst_cards.typ"), str(REPOSITORY))
    place = f"/{cards.relative_to(REPOSITORY)}"
    python = str(VENV / "bin" / "python")
    return Tool("Typst", (python, "-c", _TYPST, *source, place, str(FONTS), str(out)), out)


def make_weasyprint(cards: Path) -> Tool:
    out = OUT / f"weasyprint-{cards.stem}.pdf"
    script = (str(VENV / "bin" / "python"), str(HERE / "weasy_cards.py"))
    return Tool("WeasyPrint", (*script, str(cards), str(FONTS), str(out)), out)
