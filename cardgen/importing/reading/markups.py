"""Turns texts in Org and AsciiDoc, headings of Wikidot, and tables and terms of reStructuredText,
into Markdown.

This is done line by line, so that places stay what they are.

What is told to programs alone, as attributes and drawers, becomes a directive, which is left out.
Knows nothing of cards.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from cardgen.importing.reading.latex import is_latex, turn_latex

_LEVELS = 6
_BELOW_TITLE = 2
_SHORT = 6  # words
_ASIDE = ".. aside:: "  # a directive, as those of reStructuredText
_DOT_HEADING = re.compile(r"(\+{1,6})\*?\s+(\S.*(?<!\+))")  # of Wikidot
_DOT_FEWEST = 3  # headings with more than one plus
_ORG_HEADING = re.compile(r"(\*+)\s+(?:(?:TODO|DONE)\s+)?(?:\[#\w\]\s+)?(\S.*)")
_ORG_TAGS = re.compile(r"\s:[\w@#%:]+:$")
_ORG_KEY = re.compile(r"\s*#\+(\w+):?\s*(.*)")
_ORG_LINK = re.compile(r"\[\[[^\[\]]*\]\[([^\[\]]+)\]\]")
_ORG_ITEM = re.compile(r"\s*[-+]\s+(?=\S)")
_ORG_RULE = re.compile(r"\s*\|[-+|]+\|?\s*$")
_ORG_DRAWER = re.compile(r"\s*:(?:PROPERTIES|END|LOGBOOK|ID|CUSTOM_ID|CREATED):.*", re.IGNORECASE)
_BOLD = re.compile(r"(?<![\w*\\])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![\w*])")
_SLANTED = re.compile(r"(?<![\w/:.<])/(?=[^\s/])([^/\n]+?)(?<=\S)/(?![\w/])")
_DOC_HEADING = re.compile(r"(={1,6})\s+(\S.*)")
_DOC_TITLE = re.compile(r"\.([^\W\d_].*)")
_DOC_ASIDE = re.compile(
    r"\[[^\[\]]*\]|:!?[\w-]+!?:.*|(?:image|include|toc|ifdef|endif)::.*|//.*"
    r"|(?:NOTE|TIP|WARNING|IMPORTANT|CAUTION): .*"
)
_DOC_FENCE = re.compile(r"([-=_*.+/])\1{3,}|--|'''|<<<|\+")
_DOC_TERM = re.compile(r"\s*(\S.{0,75}?):{2,4}(?:\s+(\S.*)|\s*$)")
_DOC_ITEM = re.compile(r"([*.-]+)\s+(?=\S)")
_DOC_LINK = re.compile(
    r"(?:link:|https?://)[^\s\[\]]{1,300}\[([^\[\]]+)\]|<<(?:[^<>,]+,)?([^<>]+)>>"
)
_DOC_ANCHOR = re.compile(r"\[\[[^\[\]]+\]\]|\[[\w.-]+\](?=#[^#\s][^#]*#)")  # and the role of words
_DOC_MARKED = re.compile(r"(?<![\w#])#(?=[^#\s])([^#]+)#")
_DOC_CELL = re.compile(r"(?:^|(?<=\s))(?:\d{0,3}[.+*]?\d{0,3}[<^>.]{0,3}[aehlmsv]?)\|")
_COLUMNS = re.compile(r"cols\s*=\s*\"?([^\"\]]+)")
_TABLE = "|==="
_LIST_TABLE = ".. list-table::"
_CSV_TABLE = ".. csv-table::"
_CSV_HEADER = re.compile(r"\s+:header:\s*(\S.*)")
_LIST_CELL = re.compile(r"(\*\s+)?-(?:\s+(\S.*)|$)")


def turn_markup(text: str, name: str) -> str:
    """Return a text as Markdown, if it is LaTeX, Org or AsciiDoc by its name or how it begins."""
    suffix = PurePath(name).suffix.lower()
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    if is_latex(text, suffix):
        return turn_latex(text)
    if suffix == ".org" or first.startswith("#+"):
        return "\n".join(_turn_org(lines))
    titled = _DOC_HEADING.fullmatch(first.rstrip()) and len(first.split()[0]) == 1
    if suffix in (".adoc", ".asciidoc") or (titled and not first.rstrip().endswith("=")):
        return "\n".join(_turn_doc(lines))
    lines = [*_mark_terms(lines)] if suffix == ".rst" else _turn_plus(lines)
    if _CSV_TABLE in text:
        lines = [*_turn_csv(lines)]
    return "\n".join(_turn_lists(lines)) if _LIST_TABLE in text else "\n".join(lines)


def _turn_plus(lines: Sequence[str]) -> list[str]:
    """Return lines with pluses before their headings, as Wikidot has them, as Markdown."""
    found = [_DOT_HEADING.fullmatch(line.rstrip()) for line in lines]
    if sum(len(match[1]) > 1 for match in found if match) < _DOT_FEWEST:
        return list(lines)
    return [
        f"{'#' * len(match[1])} {match[2]}" if match else line
        for line, match in zip(lines, found, strict=True)
    ]


def _turn_csv(lines: Sequence[str]) -> Iterator[str]:
    """Yield a text whose tables are rows of values with commas, each row on its line."""
    inside = False
    for line in lines:
        header = _CSV_HEADER.match(line)
        if line.startswith(_CSV_TABLE):
            inside = True
            title = line.removeprefix(_CSV_TABLE).strip()
            yield f"**{title}**" if title else ""
        elif not inside or not line.strip():
            yield line
        elif not line[0].isspace():
            inside = False
            yield line
        elif header or not line.strip().startswith(":"):
            yield _set_row(header[1] if header else line.strip())
        else:
            yield ""


def _set_row(line: str) -> str:
    """Return values with commas between them as a row; what cannot be parted stays as it is."""
    try:
        cells = next(csv.reader([line], skipinitialspace=True))
    except csv.Error:
        return line
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def _mark_terms(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text with terms in bold, whose definitions stand further in below."""
    above = ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        alone = not above.strip() and line[:1].isalpha() and below.strip() != ""
        term = alone and below[:1].isspace() and not line.rstrip().endswith("::")
        yield f"**{line.strip()}**" if term and "*" not in line else line
        above = line


def _turn_lists(lines: Sequence[str]) -> list[str]:
    """Return a text whose tables are lists of lists, each row on the line where it begins."""
    turned = [*lines]
    table: list[tuple[int, list[str]]] | None = None
    for at, line in enumerate([*lines, "."]):
        cell = _LIST_CELL.match(line.strip())
        if table is not None and line.strip() and not line[0].isspace():
            _set_rows(table, 0, turned)
            table = None
        if line.startswith(_LIST_TABLE):
            table = []
        elif table is None or not line.strip():
            continue
        elif cell and cell[1]:
            table.append((at, [cell[2] or ""]))
        elif cell and table:
            table[-1][1].append(cell[2] or "")
        elif table and line.strip()[0] != ":":
            table[-1][1][-1] += f" {line.strip()}"
        turned[at : at + 1] = [""] * (at < len(lines))
    return turned


def _turn_org(lines: Sequence[str]) -> Iterator[str]:
    for raw in lines:
        line = _ORG_LINK.sub(r"\1", raw.rstrip())
        heading = _ORG_HEADING.match(line)
        if key := _ORG_KEY.match(line):
            yield f"# {key[2]}" if key[1].upper() == "TITLE" else f"{_ASIDE}{line.strip()}"
        elif heading:
            title = _ORG_TAGS.sub("", heading[2]).rstrip()
            yield f"{'#' * min(len(heading[1]) + 1, _LEVELS)} {_face(title)}"
        elif _ORG_DRAWER.fullmatch(line) or line.startswith("# "):
            yield f"{_ASIDE}{line.strip()}"
        elif _ORG_RULE.fullmatch(line) and "-" in line:
            yield line.replace("+", "|")
        else:
            yield _face(_mark_term(line))


def _mark_term(line: str) -> str:
    """Return an item "- term :: what is said of it" with its term as a label."""
    term, sign, said = line.partition(" ::")
    item = _ORG_ITEM.match(term)
    if not sign or not item or (said and not said[0].isspace()):
        return line
    return f"{item[0]}**{term[item.end() :].rstrip()}:**{said}"


def _face(line: str) -> str:
    return _SLANTED.sub(r"*\1*", _BOLD.sub(r"**\1**", line))


def _turn_doc(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a text in AsciiDoc, each row of a table on the line where it begins."""
    columns = 0
    table: list[tuple[int, list[str]]] | None = None
    header = 0  # lines that may say who wrote a text, and its version, below its title
    turned: list[str] = []
    for raw in lines:
        line = raw.rstrip()
        if line == _TABLE:
            if table is not None:
                _set_rows(table, columns, turned)
            table = [] if table is None else None
            turned.append("")
        elif table is not None:
            cells = _part_cells(line)
            if cells:
                table.append((len(turned), cells))
            elif table and line:  # a cell goes on
                table[-1][1][-1] += f" {_turn_words(line.strip())}"
            turned.append("")
        elif header and line and len(line.split()) <= _SHORT:
            turned.append(f"{_ASIDE}{line}")
        else:
            turned.append(_turn_term(_turn_line(line), turned[-1] if turned else ""))
            if len(turned) > 1 and turned[-2].strip() in ("1.", "-") and line:
                turned[-2:] = ["", f"{turned[-2].strip()} {turned[-1]}"]  # it had an anchor alone
            if said := _COLUMNS.search(line):
                columns = _count_columns(said[1])
        title = _DOC_HEADING.fullmatch(line)
        header = _BELOW_TITLE if title and len(title[1]) == 1 else max(0, header - 1) * bool(line)
    yield from turned


def _turn_line(line: str) -> str:
    if heading := _DOC_HEADING.fullmatch(line):
        title = heading[2].removesuffix(heading[1]).rstrip()
        return f"{'#' * len(heading[1])} {_turn_words(title)}"
    if _DOC_ASIDE.fullmatch(line):
        return f"{_ASIDE}{line}"
    if _DOC_FENCE.fullmatch(line):
        return ""
    if title := _DOC_TITLE.fullmatch(line):
        return f"**{title[1]}**"
    if item := _DOC_ITEM.match(line.lstrip()):
        mark = "1." if "." in item[1] else "-"
        return f"{'  ' * (len(item[1]) - 1)}{mark} {_turn_words(line.lstrip()[item.end() :])}"
    return _turn_words(line)


def _turn_term(line: str, above: str) -> str:
    """Return a line that is a term, or what is said of the one above, as those of HTML."""
    if term := _DOC_TERM.fullmatch(line):
        if above.strip() in ("1.", "-"):  # an item, whose anchor stands above it
            return f"**{term[1]}:** {term[2] or ''}".rstrip()
        return f"<dt>{term[1]}</dt>{f'<dd>{term[2]}</dd>' if term[2] else ''}"
    defined = above.endswith("</dt>") and line.strip() and not line.startswith(("#", "-", "1."))
    return f"<dd>{line.strip()}</dd>" if defined else line


def _turn_words(text: str) -> str:
    bare = _DOC_MARKED.sub(r"\1", _DOC_ANCHOR.sub("", text.removesuffix(" +")))
    return _BOLD.sub(r"**\1**", _DOC_LINK.sub(lambda match: match[1] or match[2], bare))


def _part_cells(line: str) -> list[str]:
    """Return the cells that begin on a line."""
    starts = [*_DOC_CELL.finditer(line)]
    ends = (*(match.start() for match in starts[1:]), len(line))
    parts = (line[m.end() : end].strip() for m, end in zip(starts, ends, strict=False))
    return [*map(_turn_words, parts)]


def _count_columns(said: str) -> int:
    parts = [part.strip() for part in said.split(",") if part.strip()]
    times = re.match(r"(\d+)\*", parts[0]) if len(parts) == 1 else None
    return int(times[1]) if times else len(parts)


def _set_rows(table: Sequence[tuple[int, list[str]]], columns: int, turned: list[str]) -> None:
    """Write the rows of a table where each begins, its cells on one line or on several."""
    wide = columns if columns > 1 else max((len(cells) for _, cells in table[:1]), default=0)
    row: list[str] = []
    begun, first = 0, True
    for at, cells in table:
        begun = begun if row else at
        row += cells
        if len(row) >= wide > 0:
            turned[begun] = f"| {' | '.join(row)} |"
            if first and begun + 1 < len(turned) and not turned[begun + 1]:
                turned[begun + 1] = "|" + " --- |" * len(row)
            row, first = [], False
