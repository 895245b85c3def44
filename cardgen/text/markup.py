"""The inline part of Markdown, parsed into paragraphs of spans: faces, [words]{style}, :icon:,
pictures, and the few tags of HTML that people write into texts.

Blank lines part paragraphs, two spaces or a backslash before a line end break the line, a backslash
takes a sign literally. Knows nothing of fonts, styles or widths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

BOLD = 1
ITALIC = 2
UNDERLINED = 4
STRUCK = 8

_LINE_END = "\u2028"
_MARK = re.compile(
    r"\\(?P<literal>[!-/:-@\[-`{-~])"
    r"|(?P<stars>\*+|_+)"
    r"|(?<!\w):(?P<icon>[a-z][a-z0-9-]*)(?:\[(?P<label>[^\[\]\u2028]{1,40})\])?:(?!\w)"
    r"|!\[(?P<shown>[^\[\]\u2028]*)\]\((?P<file>[^()\u2028]+)\)(?:\{(?P<height>[^{}\u2028]*)\})?"
    r"|(?P<bracket>\[|\](?:\{(?P<style>[^{}\[\]\\\u2028]*)\})?)"
    r"|<(?P<end>/?)(?P<tag>[a-zA-Z]+)(?: +[\w-]+=[^<>\u2028]*)? *>"
    r"|(?P<break>\u2028)"
)
_SPECIAL = re.compile(r"[\\*_:<\u2028]")
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")
_BREAK = re.compile(r"(?: {2,}|\\)\n[ \t]*")
_SPACES = re.compile(r"[\t\n\r\f\v][ \t\n\r\f\v]*| [ \t\n\r\f\v]+")
_ICON = re.compile(r":[a-z]")
_BLOCK = re.compile(
    r"^[ \t]*(?:[-*][ \t]+\S|\d{1,9}[.)][ \t]+\S|\|?[ \t]*:?-+:?[ \t]*\|)", re.MULTILINE
)
_STARRED = re.compile(r"(?<!\*)(\*{1,3})(?=[^\s*])([^*]*[^\s*])\1(?!\*)")
_FACES = (0, ITALIC, BOLD, BOLD | ITALIC)

_TAGS = {
    **dict.fromkeys(("b", "strong"), BOLD),
    **dict.fromkeys(("i", "em"), ITALIC),
    **dict.fromkeys(("u", "ins"), UNDERLINED),
    **dict.fromkeys(("s", "del", "strike"), STRUCK),
}
_END = r"(?: +[\w-]+=[^<>]*)? */?>"
_PARTING = re.compile(rf"(?<!\\)(?:(?:<br{_END}\s*){{2,}}|</?p{_END}\s*)", re.IGNORECASE)
_BREAKING = re.compile(rf"(?<!\\)<br{_END}\s*", re.IGNORECASE)

_MOST_NESTED = 50  # marks without a partner yet, and styles in each other; further ones are text


class Inline(NamedTuple):
    """An icon by its name, or a picture by its file, that stands in a line as a word does.

    text: what is written on the icon, or what the picture shows
    height: of a picture, as it is written
    """

    name: str
    text: str = ""
    is_picture: bool = False
    height: str = ""


class Span(NamedTuple):
    """A text in one face (BOLD, ITALIC, UNDERLINED and STRUCK added up), or what stands for one.

    styles: the names of those that it is in, the outermost first
    """

    face: int
    text: str
    icon: Inline | None = None
    styles: tuple[str, ...] = ()


class Paragraph(NamedTuple):
    """Spans that are broken into lines together."""

    spans: tuple[Span, ...]
    follows_break: bool  # a new line of the paragraph before, not a paragraph of its own


class _Delimiter(NamedTuple):
    signs: str
    opens: bool
    closes: bool


class _Bracket(NamedTuple):
    """A bracket; an opening one has no style, a closing one the name in braces behind it."""

    signs: str
    style: str | None


class _Tag(NamedTuple):
    face: int
    opens: bool


_Token = Span | _Delimiter | _Bracket | _Tag


def parse_markup(text: str) -> tuple[Paragraph, ...]:
    """Parse a text with inline Markdown."""
    text = text.strip()
    if "<" in text:
        text = _BREAKING.sub("\\\\\n", _PARTING.sub("\n\n", text)).removesuffix("\\\n").strip()
    if "\n" not in text:
        return (Paragraph(parse_spans(text), False),) if text else ()
    paragraphs: list[Paragraph] = []
    tagged: list[int] = []  # faces of HTML may last over several paragraphs
    for block in _PARAGRAPHS.split(text):
        if "  \n" in block or "\\\n" in block:
            spans = _parse_marked(_tidy(_BREAK.sub(_LINE_END, block)), tagged)
            lines = _split_lines(spans)
            paragraphs += (Paragraph(line, n > 0) for n, line in enumerate(lines))
        else:
            paragraphs.append(Paragraph(parse_spans(block, tagged), False))
    return tuple(paragraphs)


def may_hold_blocks(text: str) -> bool:
    """Whether a text seems to hold a list or a table."""
    if "\n" in text:
        return _BLOCK.search(text) is not None
    return text[:2] == "- " and not text.endswith(" -")


def _split_lines(spans: tuple[Span, ...]) -> Iterator[tuple[Span, ...]]:
    line: list[Span] = []
    for span in spans:
        if span.text == _LINE_END:
            yield tuple(line) or (Span(0, ""),)
            line = []
        else:
            line.append(span)
    yield tuple(line) or (Span(0, ""),)


def parse_spans(text: str, tagged: list[int] | None = None) -> tuple[Span, ...]:
    """Parse the spans of one line or paragraph; runs of white space become one space.

    tagged: the faces of HTML that last already, and of those behind it that still do
    """
    text = _tidy(text)
    if tagged:
        return _parse_marked(text, tagged)
    if "]{" not in text and "![" not in text:
        if not _SPECIAL.search(text):
            return (Span(0, text),)
        if not ("_" in text or "\\" in text or "<" in text or (":" in text and _ICON.search(text))):
            parts = _STARRED.split(text)
            if "*" not in "".join(parts[::3]):
                return _pair_stars(parts)
    return _parse_marked(text, tagged)


def _tidy(text: str) -> str:
    if "\n" in text or "  " in text or not text.isprintable():
        return _SPACES.sub(" ", text)
    return text


def _parse_marked(text: str, tagged: list[int] | None = None) -> tuple[Span, ...]:
    return _join(_resolve(_tokenize(text), tagged))


def _pair_stars(parts: list[str]) -> tuple[Span, ...]:
    """Return the spans of a text whose stars all pair without nesting, as in nearly every text."""
    spans = [Span(0, parts[0])] if parts[0] else []
    for at in range(1, len(parts), 3):
        spans.append(Span(_FACES[len(parts[at])], parts[at + 1]))
        if parts[at + 2]:
            spans.append(Span(0, parts[at + 2]))
    return tuple(spans)


def _tokenize(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    for match in _MARK.finditer(text):
        start, end = match.span()
        if start > at:
            tokens.append(Span(0, text[at:start]))
        tokens.append(_read_token(text, match))
        at = end
    if at < len(text):
        tokens.append(Span(0, text[at:]))
    return tokens


def _read_height(braced: str) -> str:
    """Return the height in the braces behind a picture, be it one or not."""
    return braced.strip().removeprefix("height=").strip()


def _read_token(text: str, match: re.Match[str]) -> _Token:
    if match["literal"]:
        return Span(0, match["literal"])
    if match["stars"]:
        return _parse_delimiter(text, match["stars"], *match.span())
    if match["icon"]:
        return Span(0, "", Inline(match["icon"], (match["label"] or "").strip()))
    if match["file"]:
        shown, file = match["shown"].strip(), match["file"].strip()
        return Span(0, "", Inline(file, shown, True, _read_height(match["height"] or "")))
    if match["bracket"]:
        return _Bracket(match[0], None if match[0] == "[" else (match["style"] or "").strip())
    if match["tag"] and match["tag"].lower() in _TAGS:
        return _Tag(_TAGS[match["tag"].lower()], not match["end"])
    return Span(0, match[0])


def _parse_delimiter(text: str, signs: str, start: int, end: int) -> _Delimiter:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    opens, closes = not after.isspace(), not before.isspace()
    if len(signs) > 3:
        return _Delimiter(signs, False, False)
    if signs[0] == "_":  # an underscore within a word is a letter
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    return _Delimiter(signs, opens, closes)


def _resolve(tokens: list[_Token], tagged: list[int] | None = None) -> list[Span]:
    """Return spans with the faces and styles that delimiters, brackets and tags give them."""
    left, opened, closed = _pair_delimiters(tokens)
    named = _pair_brackets(tokens)
    spans: list[Span] = []
    faces: list[int] = []
    lasting = tagged if tagged is not None else []
    styles: list[str] = []
    inner: tuple[str, ...] = ()
    for number, token in enumerate(tokens):
        if isinstance(token, Span):
            spans.append(Span(_add(faces) | _add(lasting), token.text, token.icon, inner))
        elif isinstance(token, _Tag):
            if token.opens and len(lasting) < _MOST_NESTED:
                lasting.append(token.face)
            elif not token.opens and token.face in lasting:
                lasting.remove(token.face)
        elif isinstance(token, _Bracket):
            if number not in named:
                spans.append(Span(_add(faces) | _add(lasting), token.signs, None, inner))
            elif token.style is None:
                styles.append(named[number])
                inner = tuple(styles)
            else:
                styles.pop()
                inner = tuple(styles)
        else:
            for _ in closed.get(number, ()):
                faces.pop()
            if left[number]:
                signs = token.signs[: left[number]]
                spans.append(Span(_add(faces) | _add(lasting), signs, None, inner))
            # What was paired last lies outermost.
            faces += [_FACES[used] for used in reversed(opened.get(number, ()))]
    return spans


def _pair_brackets(tokens: list[_Token]) -> dict[int, str]:
    """Return the style of each bracket that has one, by its place; the others are text."""
    named: dict[int, str] = {}
    open_: list[int] = []
    ends: list[tuple[int, int]] = []
    for number, token in enumerate(tokens):
        if not isinstance(token, _Bracket):
            continue
        if token.style is None:
            open_.append(number)
        elif open_:
            start = open_.pop()
            if token.style:
                ends.append((start, number))
                named[start] = named[number] = token.style
    _leave_deepest(named, ends)
    return named


def _leave_deepest(named: dict[int, str], ends: list[tuple[int, int]]) -> None:
    """Take the brackets out that lie in too many others."""
    around: list[int] = []
    for start, end in sorted(ends):
        while around and around[-1] < start:
            around.pop()
        if len(around) >= _MOST_NESTED:
            del named[start], named[end]
        else:
            around.append(end)


def _pair_delimiters(
    tokens: list[_Token],
) -> tuple[dict[int, int], dict[int, list[int]], dict[int, list[int]]]:
    """Pair the delimiters, one of three signs with two of fewer; one without a partner is text.

    Returns how many signs of each are left, and how many it opens and closes with each partner.
    """
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
    return left, opened, closed


def _choose_partner(partners: list[int], left: dict[int, int], signs: int) -> int | None:
    """Return the nearest opening run of as many signs, else one to split three signs with."""
    for wanted in ((signs,), (3,), (1, 2) if signs == 3 else ()):
        for partner in partners:
            if left[partner] in wanted:
                return partner
    return None


def _sign(token: _Token) -> str:
    return token.signs[0] if isinstance(token, _Delimiter) else ""


def _add(faces: list[int]) -> int:
    total = 0
    for face in faces:
        total |= face
    return total


def _join(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans with those that look alike put together."""
    joined: list[Span] = []
    for (face, icon, styles, ends), group in groupby(spans, key=_get_look):
        if icon or ends:
            joined.extend(group)
        else:
            joined.append(Span(face, "".join(span.text for span in group), None, styles))
    return tuple(joined)


def _get_look(span: Span) -> tuple[int, Inline | None, tuple[str, ...], bool]:
    return span.face, span.icon, span.styles, span.text == _LINE_END
