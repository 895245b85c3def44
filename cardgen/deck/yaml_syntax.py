"""What libyaml says of a text that is no YAML, with the cure for what was most likely meant.

Turns its error and the text into a Problem. Knows nothing of decks.
"""

from __future__ import annotations

import re

import yaml

from cardgen.errors import Problem, Where

QUOTE_MARK = 'put a text that begins with "*" or "&" in quotes'
_TABS = "indent with blanks, not with tabs"
_ALIKE = "indent the keys of one mapping alike; quote a text in full"
_HINTS = {
    "mapping values are not allowed in this context": (
        'put a text that holds ": " in quotes, and indent keys of one mapping alike'
    ),
    "block sequence entries are not allowed in this context": (
        'begin the list on the next line, or put a text that begins with "- " in quotes'
    ),
    "found character that cannot start any token": (
        "put a text that begins with @, ` or % in quotes"
    ),
    "found a tab character that violates indentation": _TABS,
    "found a tab character where an indentation space is expected": _TABS,
    "did not find expected alphabetic or numeric character": QUOTE_MARK,
    "did not find expected comment or line break": (
        'put a text that begins with "|" or ">" in quotes'
    ),
    "did not find expected '-' indicator": "indent the keys of a card alike, and its hyphen less",
    "found unknown escape character": (
        r"write \\ for a backslash, or use single quotes, in which a backslash is itself"
    ),
    "found unexpected end of stream": "close the quote",
    "did not find expected ',' or '}'": "close the bracket, or separate its entries with commas",
    "did not find expected ',' or ']'": "close the bracket, or separate its entries with commas",
    "did not find expected node content": "write a value here, or close the bracket above",
    "did not find expected key": _ALIKE,
    "could not find expected ':'": 'write "key: value", with a blank after the colon',
}


# What a line's text begins with, behind its key.
_BEGIN = re.compile(r"[ \t]*(?:-[ \t]+)?[^:#]*:[ \t]+(\S)")
_NO_BLANK = re.compile(r"[ \t]*(?:-[ \t]+)?(\w+):(?=[^\s:/])")


def explain_yaml(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    problem, mark, begun = str(error.problem), error.problem_mark, error.context_mark
    where = Where(file, mark.line + 1, mark.column + 1) if mark else Where(file)
    context = f" {error.context}" if error.context else ""
    if begun and mark and begun.line != mark.line:
        context += f" that begins in line {begun.line + 1}"
    hint = _find_cure(problem, text, mark) if mark else _HINTS.get(problem)
    return Problem(f"not valid YAML: {problem}{context}", where, hint)


def _find_cure(problem: str, text: str, mark: yaml.Mark) -> str | None:
    """The cure, from what stands where the reader stopped, and from the line before."""
    lines = [*text.splitlines(), "", ""]
    line, above = lines[min(mark.line, len(lines) - 1)], lines[mark.line - 1] if mark.line else ""
    begin = _BEGIN.match(line)
    if problem == "found character that cannot start any token" and line[mark.column :][:1] == "\t":
        return _TABS
    if problem == "mapping values are not allowed in this context":
        missing = _NO_BLANK.match(above)
        if missing:
            return f'write a blank behind the colon: "{missing[1]}: …", in line {mark.line}'
    if problem == "did not find expected key" and begin and begin[1] in "[{":
        return f'put a text that begins with "{begin[1]}" in quotes'
    if problem == "did not find expected key" and begin and begin[1] in "'\"":
        return "put the whole text in quotes, and write one of their kind in it twice"
    return _HINTS.get(problem)
