"""Turns a text in LaTeX into Markdown, each line where it stood.

Sections are headings, terms of descriptions bold, tables rows, accents letters. What a macro of the
writer's own does is not known: what it is given is kept, and the first of several is a name.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4,
           "paragraph": 5, "subparagraph": 6, "frametitle": 3}  # fmt: skip
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303",
            "=": "\u0304", ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b",
            "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323"}  # fmt: skip
_LETTERS = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ",
            "OE": "Œ", "aa": "å", "AA": "Å", "i": "i", "j": "j", "dots": "…", "ldots": "…",
            "textbackslash": "\\", "pounds": "£", "euro": "€", "degree": "°", "times": "×",
            "LaTeX": "LaTeX", "TeX": "TeX", "ding": "", "S": "§", "copyright": "©"}  # fmt: skip
_FACES = {"textbf": "**", "bf": "**", "emph": "*", "textit": "*", "textsl": "*"}
# What is given to these says how something is set, or where it is.
_SILENT = frozenset((
    "label", "index", "vspace", "hspace", "input", "include", "usepackage", "documentclass",
    "bibliography", "bibliographystyle", "cite", "ref", "pageref", "includegraphics", "url",
    "setlength", "setcounter", "addcontentsline", "hypersetup", "color", "pagestyle",
    "thispagestyle", "geometry", "definecolor", "selectlanguage",
))  # fmt: skip
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_NAME = re.compile(r"\\([a-zA-Z]+)\*?[ \t]*")
_DEFINED = re.compile(r"\\(?:re|provide)?newcommand\*?\s*\{?\\([a-zA-Z]+)\}?(?:\[[^\]]*\])*\s*\{")
_FIRST = re.compile(r"^[ \t]*\\([a-zA-Z]+)\{", re.MULTILINE)
_ACCENT = re.compile(
    r"\\(?:(['`^\"~=.])|([uvHckrd])(?![a-zA-Z]))[ \t]*(?:\{(\\?[^\W\d_]?)\}|(\\?[^\W\d_]))"
)
_LETTER = re.compile(
    rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?![a-zA-Z])(?:\{{\}}|[ \t])?"
)
_ENVIRONMENT = re.compile(
    r"\\(begin|end)[ \t]*\{([^{}\n]*)\}(?:\[[^\]\n]*\]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})*"
)
_ITEM = re.compile(r"^[ \t]*\\item[ \t]*(?:\[([^\[\]\n]*)\][ \t]*)?", re.MULTILINE)
_SIGNS = (
    (re.compile(r"\\\\(?:\[[^\[\]\n]*\])?[ \t]*"), "<br>"),
    (re.compile(r"\\([&%_#${}])"), r"\1"),
    (re.compile(r"(?<!\\)~|\\[ ,;:!]"), " "),
    (re.compile(r"---"), "—"),
    (re.compile(r"(?<!-)--(?!-)"), "–"),
    (re.compile(r"``|''"), '"'),
    (re.compile(r"\$(\d[^$\n]{0,12}|[+–−-]\d{1,4})\$"), r"\1"),
    (re.compile(r"\\[a-zA-Z]+\*?[ \t]*"), ""),  # what is left sets something
    (re.compile(r"(?<!\\)[{}]"), ""),
)
_ENTRY = re.compile(r"name\s*=\s*\{?([^{},=]*)\}?\s*,\s*description\s*=\s*(.*)", re.DOTALL)
_TABLES = ("tabular", "longtable", "tabularx", "tabulary", "supertabular", "array")
_OFTEN = 3
_BRACE = re.compile(r"(?<!\\)[{}]")
_LONGEST = 200  # letters in brackets
_DEEPEST = 20
_MOST_EXPANDED = 5_000  # macros of the writer's own


def is_latex(text: str, suffix: str) -> bool:
    return suffix in (".tex", ".latex") or text.lstrip().startswith("\\documentclass")


def turn_latex(text: str) -> str:
    """Return a text as Markdown, on as many lines."""
    text = unicodedata.normalize("NFC", _set_accents(_COMMENT.sub("", text)))
    macros = dict(_list_macros(text))
    before, begun, body = text.partition("\\begin{document}")
    if begun:
        text = _keep_lines(before) + body.partition("\\end{document}")[0]
    text = _turn_rows(text)
    often = Counter(match[1] for match in _FIRST.finditer(text))
    text = _Macros(macros, {name for name, times in often.items() if times >= _OFTEN}).turn(text)
    text = _ITEM.sub(lambda item: f"**{item[1].strip()}** " if item[1] else "- ", text)
    text = _ENVIRONMENT.sub("", text)
    for sign, written in _SIGNS:
        text = sign.sub(written, text)
    return text


def _keep_lines(text: str) -> str:
    return "\n" * text.count("\n")


def _set_accents(text: str) -> str:
    def set_accent(match: re.Match[str]) -> str:
        letter = (match[3] or match[4] or "").removeprefix("\\")
        return letter + _ACCENTS[match[1] or match[2]] if letter else ""

    text = _ACCENT.sub(set_accent, text)
    return _LETTER.sub(lambda match: _LETTERS[match[1]], text)


def _turn_rows(text: str) -> str:
    """Return the text with the rows of its tables between bars."""
    turned: list[str] = []
    inside = 0
    for line in text.split("\n"):
        for kind, name in _ENVIRONMENT.findall(line):
            inside += (1 if kind == "begin" else -1) * (name.rstrip("*") in _TABLES)
        cells = re.split(r"(?<!\\)&", re.sub(r"\\\\(?:\[[^\]]*\])?|\\hline|\\[a-z]+rule", "", line))
        row = inside > 0 and len(cells) > 1
        turned.append(f"| {' | '.join(cell.strip() for cell in cells)} |" if row else line)
    return "\n".join(turned)


def _list_macros(text: str) -> Iterator[tuple[str, str]]:
    """Yield what the writer's own macros are written as, with "#1" for what the first is given."""
    ends = _pair_braces(text)
    for match in _DEFINED.finditer(text):
        end = ends.get(match.end() - 1, 0)
        if end:
            yield match[1], " ".join(text[match.end() : end].split())


class _Macros:
    """Turns macros: those of LaTeX, the writer's own, and others by what they are given.

    first: those that stand first on many lines
    """

    def __init__(self, own: Mapping[str, str], first: Set[str]) -> None:
        self._own = own
        self._first = first
        self._within: list[str] = []
        self._left = _MOST_EXPANDED

    def turn(self, text: str, depth: int = 0) -> str:
        """Return a text with what macros are given, set as Markdown sets it."""
        turned: list[str] = []
        position = 0
        ends = _pair_braces(text)
        while match := _NAME.search(text, position):
            turned.append(text[position : match.start()])
            position = match.end()
            if match[1] in ("item", "begin", "end") or depth > _DEEPEST:
                turned.append(match[0])
                continue
            if defined := _DEFINED.match(text, match.start()):
                position = ends.get(defined.end() - 1, position) + 1
                turned.append(_keep_lines(text[match.start() : position]))
                continue
            given, position = _read_given(text, match.end(), ends)
            said = [self.turn(part, depth + 1) for part in given]
            line = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
            begins = not line.strip()
            own = self._own.get(match[1])
            if own is not None and match[1] not in self._within and self._left > 0:
                self._left -= 1
                self._within.append(match[1])
                written = self.turn(_fill(own, said), depth + 1)
                self._within.pop()
            else:
                named = begins and match[1] in self._first
                written = _write_macro(match[1], said, match[0], named=named)
            lines = text.count("\n", match.start(), position) - written.count("\n")
            turned += [written, "\n" * lines]
        return "".join([*turned, text[position:]])


def _fill(own: str, said: Sequence[str]) -> str:
    for place, part in enumerate(said, 1):
        own = own.replace(f"#{place}", " ".join(part.split()))
    return own


def _write_macro(name: str, said: Sequence[str], written: str, *, named: bool) -> str:
    """Return what a macro says; `named` where it stands first on its line, as on many."""
    if name in _SILENT or not said:
        return "" if name in _SILENT else written
    plain = " ".join(said[0].split())
    if name in _LEVELS:
        return f"{'#' * _LEVELS[name]} {plain}"
    if name in _FACES:
        return f"{_FACES[name]}{plain}{_FACES[name]}" if plain else ""
    if name in ("href", "glslink"):
        return said[-1]
    if entry := _ENTRY.search(said[-1]) if name == "newglossaryentry" else None:
        return f"**{entry[1].strip()}** {entry[2].strip()}"
    if name == "footnote":
        return f" ({plain})"
    if named and len(said) > 1:
        return f"**{plain}** {' '.join(' '.join(part.split()) for part in said[1:])}"
    return " ".join(said)


def _read_given(text: str, start: int, ends: Mapping[int, int]) -> tuple[list[str], int]:
    """Return what stands in braces behind a macro, without what stands in brackets."""
    given: list[str] = []
    position = start
    while position < len(text):
        place = position
        while place < len(text) and text[place] in " \t":
            place += 1
        if text[place : place + 1] == "[" and not given:
            end = text.find("]", place, place + _LONGEST)
            if end < 0:
                break
            position = end + 1
            continue
        if text[place : place + 1] != "{":
            break
        if place not in ends:
            break
        end = ends[place]
        given.append(text[place + 1 : end])
        position = end + 1
    return given, position


def _pair_braces(text: str) -> dict[int, int]:
    """Return where each brace is closed that is closed at all, by where it is opened."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            opened.append(match.start())
        elif opened:
            ends[opened.pop()] = match.start()
    return ends
