"""The inline part of Markdown, parsed into paragraphs of spans: bold, italic and :icon:.

Blank lines part paragraphs, two spaces or a backslash before a line end break the line, a backslash
takes a sign literally. Knows nothing of fonts or widths.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

BOLD = 1
ITALIC = 2

_MARK = re.compile(
    r"\\(?P<literal>[!-/:-@\[-`{-~])"
    r"|(?P<stars>\*+|_+)"
    r"|(?<!\w):(?P<icon>[a-z][a-z0-9-]*):(?!\w)"
)
_SPECIAL = re.compile(r"[\\*_:]")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_BREAK = re.compile(r"(?: {2,}|\\)\n")
_SPACES = re.compile(r"[\t\n\r\f\v][ \t\n\r\f\v]*| [ \t\n\r\f\v]+")
_ICON = re.compile(r":[a-z]")
_STARRED = re.compile(r"(?<!\*)(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?!\*)")
_FACES = (0, ITALIC, BOLD, BOLD | ITALIC)


_MOST_NESTED = 50  # marks without a partner yet; further ones are text


class Span(NamedTuple):
    """A text in one face (BOLD and ITALIC added up), or an icon by its name."""

    face: int
    text: str
    icon: str = ""


class Paragraph(NamedTuple):
    """Spans that are broken into lines together."""

    spans: tuple[Span, ...]
    follows_break: bool  # a new line of the paragraph before, not a paragraph of its own


class _Delimiter(NamedTuple):
    signs: str
    opens: bool
    closes: bool


def parse_markup(text: str) -> tuple[Paragraph, ...]:
    """Parse a text with inline Markdown."""
    text = text.strip()
    if "\n" not in text:
        return (Paragraph(parse_spans(text), False),) if text else ()
    paragraphs = []
    for block in _PARAGRAPHS.split(text):
        for number, line in enumerate(_BREAK.split(block)):
            paragraphs.append(Paragraph(parse_spans(line), number > 0))
    return tuple(paragraphs)


def parse_spans(text: str) -> tuple[Span, ...]:
    """Parse the spans of one line or paragraph; runs of white space become one space."""
    if "\n" in text or "  " in text or not text.isprintable():
        text = _SPACES.sub(" ", text)
    if not _SPECIAL.search(text):
        return (Span(0, text),)
    if "_" not in text and "\\" not in text and not (":" in text and _ICON.search(text)):
        parts = _STARRED.split(text)
        if "*" not in "".join(parts[::3]):
            return _pair_stars(parts)
    return _join(_resolve(_tokenize(text)))


def _pair_stars(parts: list[str]) -> tuple[Span, ...]:
    """Return the spans of a text whose stars all pair without nesting, as in nearly every text."""
    spans = [Span(0, parts[0])] if parts[0] else []
    for at in range(1, len(parts), 3):
        spans.append(Span(_FACES[len(parts[at])], parts[at + 1]))
        if parts[at + 2]:
            spans.append(Span(0, parts[at + 2]))
    return tuple(spans)


def _tokenize(text: str) -> list[Span | _Delimiter]:
    tokens: list[Span | _Delimiter] = []
    at = 0
    for match in _MARK.finditer(text):
        start, end = match.span()
        if start > at:
            tokens.append(Span(0, text[at:start]))
        if match["literal"]:
            tokens.append(Span(0, match["literal"]))
        elif match["icon"]:
            tokens.append(Span(0, "", match["icon"]))
        else:
            tokens.append(_parse_delimiter(text, match["stars"], start, end))
        at = end
    if at < len(text):
        tokens.append(Span(0, text[at:]))
    return tokens


def _parse_delimiter(text: str, signs: str, start: int, end: int) -> _Delimiter:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens, closes = not after.isspace(), not before.isspace()
    if len(signs) > 3:
        return _Delimiter(signs, False, False)
    if signs[0] == "_":  # an underscore within a word is a letter
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    return _Delimiter(signs, opens, closes)


def _resolve(tokens: list[Span | _Delimiter]) -> list[Span]:
    """Pair the delimiters, one of three signs with two of fewer; one without a partner is text."""
    left: dict[int, int] = {}  # signs of each delimiter without a partner yet
    opened: dict[int, list[int]] = {}
    closed: dict[int, list[int]] = {}
    open_: list[int] = []
    for number, token in enumerate(tokens):
        if not isinstance(token, _Delimiter):
            continue
        left[number] = len(token.signs)
        while token.closes and left[number]:
            partners = [i for i in reversed(open_) if _sign(tokens[i]) == token.signs[0]]
            match = _choose_partner(partners, left, left[number])
            if match is None:
                break
            del open_[open_.index(match) + 1 :]
            used = min(left[number], left[match])
            opened.setdefault(match, []).append(used)
            closed.setdefault(number, []).append(used)
            left[number] -= used
            left[match] -= used
            if not left[match]:
                open_.pop()
        if token.opens and left[number] and len(open_) < _MOST_NESTED:
            open_.append(number)
    spans = []
    faces: list[int] = []
    for number, token in enumerate(tokens):
        if isinstance(token, Span):
            spans.append(Span(_add(faces), token.text, token.icon))
            continue
        for _ in closed.get(number, ()):
            faces.pop()
        if left[number]:
            spans.append(Span(_add(faces), token.signs[: left[number]]))
        # What was paired last lies outermost.
        faces += [_FACES[used] for used in reversed(opened.get(number, ()))]
    return spans


def _choose_partner(partners: list[int], left: dict[int, int], signs: int) -> int | None:
    """Return the nearest opening run of as many signs, else one to split three signs with."""
    for wanted in ((signs,), (3,), (1, 2) if signs == 3 else ()):
        for partner in partners:
            if left[partner] in wanted:
                return partner
    return None


def _sign(token: Span | _Delimiter) -> str:
    return token.signs[0] if isinstance(token, _Delimiter) else ""


def _add(faces: list[int]) -> int:
    total = 0
    for face in faces:
        total |= face
    return total


def _join(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for (face, icon), group in groupby(spans, key=lambda span: (span.face, span.icon)):
        if icon:
            joined.extend(group)
        else:
            joined.append(Span(face, "".join(span.text for span in group)))
    return tuple(joined)
