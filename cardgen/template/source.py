"""A template's XML as a tree that knows the line and column of every tag and attribute.

lxml parses it, without entities and without network. It keeps no columns, so the start tags are
found once more in the text, in the same order. Knows nothing of what the elements mean.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from cardgen.core.errors import CardgenError, Where
from cardgen.core.reading import decode_text

# XML allows names of far more than letters, as the cards of a pack of them.
_NAME = r"""[^ \t\n<>/=?!"']+"""
_ATTRIBUTE = rf"""({_NAME})\s*=\s*(?:"[^"]*"|'[^']*')"""
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_SKIPPED = r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
_TAGS = re.compile(rf"{_SKIPPED}|<({_NAME})((?:\s+{_ATTRIBUTE})*)", re.DOTALL)
_OPEN_OR_CLOSED = re.compile(
    rf"{_SKIPPED}|</(?P<closed>{_NAME})"
    rf"|<(?P<opened>{_NAME})(?:\s+{_ATTRIBUTE})*\s*(?P<empty>/?)",
    re.DOTALL,
)
_COMMENT = re.compile(r"\s*(?:<\?xml.*?\?>\s*)?<!--(.*?)-->", re.DOTALL)
_MOST_BYTES = 5_000_000
_MOST_ELEMENTS = 100_000
_MOST_READ = 10_000  # letters, to find its purpose
_SENTENCE_END = re.compile(r"(?<=[.:;]) ")


class SourceElement(NamedTuple):
    """A tag with its attributes, text and children, and where they stand."""

    tag: str
    attributes: dict[str, str]
    text: str
    children: tuple[SourceElement, ...]
    where: Where
    text_where: Where
    attribute_places: dict[str, Where]

    def place_of(self, attribute: str) -> Where:
        """Return where an attribute stands, or the element if it lacks it."""
        return self.attribute_places.get(attribute, self.where)


def read_source(path: Path) -> SourceElement:
    """Read a template file; text may stand in any element that has no children."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise CardgenError(
            "template/unreadable",
            f"the template cannot be read: {error.strerror}",
            Where(str(path)),
        ) from error
    if len(data) > _MOST_BYTES:
        raise _refuse_size(Where(str(path)), f"it has more than {_MOST_BYTES:,} bytes")
    text = decode_text(data, str(path)).replace("\r\n", "\n")
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        remove_pis=True,
        remove_comments=True,
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise _explain_xml(error, text, path) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise CardgenError(
            "template/entity", "a template has no DOCTYPE and no entities", Where(str(path), 1)
        )
    tags = [match for match in _TAGS.finditer(text) if match[1]]
    if len(tags) > _MOST_ELEMENTS:
        where = _Text(path, text).locate(tags[_MOST_ELEMENTS].start())
        raise _refuse_size(where, f"it has more than {_MOST_ELEMENTS:,} elements")
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    return _convert(root, dict(zip(elements, tags, strict=True)), _Text(path, text))


def _refuse_size(where: Where, what: str) -> CardgenError:
    return CardgenError(
        "template/too-large",
        f"this template is too large: {what}",
        where,
        "repeat what is alike by for or <component>; save a drawing as SVG, and show it by <image>",
    )


def read_purpose(path: Path) -> str:
    """Return a template's purpose: the first sentence of the comment that it begins with."""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        found = _COMMENT.match(file.read(_MOST_READ))
    words = " ".join(found[1].split()) if found else ""
    return _SENTENCE_END.split(words, maxsplit=1)[0].rstrip(".:;")


class _Text:
    """The text of a file, which tells the line and column of each of its letters."""

    def __init__(self, path: Path, text: str) -> None:
        self.file = str(path)
        self.text = text

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def locate(self, offset: int) -> Where:
        line = bisect_right(self._lines, offset)
        return Where(self.file, line, offset - self._lines[line - 1] + 1)


def _convert(
    element: etree._Element, places: dict[etree._Element, re.Match[str]], source: _Text
) -> SourceElement:
    match = places[element]
    attributes = {
        found[1]: source.locate(match.start(2) + found.start())
        for found in _ATTRIBUTES.finditer(match[2])
    }
    where = source.locate(match.start())
    children = tuple(
        _convert(child, places, source) for child in element if isinstance(child.tag, str)
    )
    text = element.text or ""
    for child in element:
        if (child.tail or "").strip() or (children and text.strip()):
            raise CardgenError(
                "template/wrong-content",
                f"<{element.tag}> holds both text and elements",
                where,
                "put the text into a <text> of its own; bold and italic are **bold** and *italic*",
            )
        if not isinstance(child.tag, str):
            raise CardgenError(
                "template/entity", "a template has no entities", where, "write the character itself"
            )
    return SourceElement(
        str(element.tag),
        {str(key): str(value) for key, value in element.attrib.items()},
        text,
        children,
        where,
        source.locate(source.text.index(">", match.end()) + 1)
        if match.end() < len(source.text)
        else where,
        attributes,
    )


# What is not XML

_TEMPLATE = 'a template looks like <template size="poker">…</template>'
_VALUE = 'put the value in quotes, as in x="1mm"'
_COMMENT_SIGNS = "a comment is <!-- … -->, and holds no two hyphens"
# The cure for what was most likely meant, by libxml2's number of the error.
_CURES = {
    4: _TEMPLATE,  # the document is empty
    5: "put everything into one <template>",  # content behind the root
    9: "delete the control character",
    23: "write &amp; for &",  # an entity without its semicolon
    26: "write the character itself, or &amp; for &",  # an unknown entity
    38: "write &lt; for <",  # within an attribute
    39: _VALUE,  # a value that does not begin with a quote
    40: _VALUE,  # or does not end with one
    41: 'give the attribute a value in quotes, as in bleed="true"',
    42: "write each attribute once",
    45: _COMMENT_SIGNS,  # a comment without an end
    65: "put a blank between attributes, and every value in quotes",
    77: 'close every element, with </box> or with "/>"',
    80: _COMMENT_SIGNS,  # two hyphens within a comment
    114: "put fewer elements within each other",
    201: "leave the prefix and its colon out",
}
_NO_NAME = 68
_MISMATCH = 76
_ESCAPES = {"<": "write &lt; for <", "&": "write &amp; for &"}


def _explain_xml(error: etree.XMLSyntaxError, text: str, path: Path) -> CardgenError:
    line, column = error.position
    number: int = getattr(error, "code", 0)  # the stubs of lxml do not know it
    said = str(error.msg).removesuffix(f", line {line}, column {column}")
    if number == _MISMATCH:
        cure = _suggest_end(text)
    elif number == _NO_NAME:
        cure = _ESCAPES.get(_get_sign_before(text, line, column))
    else:
        cure = _CURES.get(number)
    return CardgenError(
        "template/not-xml",
        f"the template is not well-formed XML: {said}",
        Where(str(path), line, column),
        cure,
    )


def _get_sign_before(text: str, line: int, column: int) -> str:
    row = text.split("\n")[line - 1]
    return row[max(column - 2, 0) : column - 1]


def _suggest_end(text: str) -> str | None:
    """Return how to close the first element that is closed by the end tag of another."""
    still_open: list[tuple[str, int]] = []
    for match in _OPEN_OR_CLOSED.finditer(text):
        closed = match["closed"]
        if match["opened"] and not match["empty"]:
            still_open.append((match["opened"], text.count("\n", 0, match.start()) + 1))
        elif closed and still_open:
            opened, line = still_open.pop()
            if opened != closed:
                return (
                    f'close the <{opened}> of line {line}, with </{opened}> or "/>",'
                    f" before </{closed}>"
                )
    return None
