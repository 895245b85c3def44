"""An XML file turned into a tree that knows line and column of every tag and attribute.

lxml parses, without entities and without network; it keeps no columns, so the start tags are found
once more in the text, in the same order. Knows nothing of what the elements mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lxml import etree

from cardgen.core.errors import CardgenError, Where
from cardgen.core.text import decode_text

_ATTRIBUTE = r"""([\w:.-]+)\s*=\s*(?:"[^"]*"|'[^']*')"""
_TAGS = re.compile(
    rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<([\w:.-]+)((?:\s+{_ATTRIBUTE})*)", re.DOTALL
)
_ATTRIBUTES = re.compile(_ATTRIBUTE)
_COMMENT = re.compile(r"\s*(?:<\?xml.*?\?>\s*)?<!--(.*?)-->", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.:;]) ")
_PLACE = re.compile(r", line \d+, column \d+.*")


# What libxml2 says, and the cure for what was most likely meant.
_CURES = (
    ("Document is empty", 'a template looks like <template size="poker">…</template>'),
    ("Start tag expected", 'a template looks like <template size="poker">…</template>'),
    ("Extra content at the end", "put everything into one <template>"),
    ("Premature end of data", 'close every element, with </box> or with "/>"'),
    ("redefined", "write each attribute once"),
    ("AttValue", 'put the value in quotes, as in x="1mm"'),
    ("Specification mandates value", 'give the attribute a value in quotes, as in bleed="true"'),
    ("attributes construct error", "put a blank between attributes, and every value in quotes"),
    ("xmlParseEntityRef: no name", "write &amp; for &"),
    ("EntityRef: expecting", "write &amp; for &"),
    ("Namespace prefix", "leave the prefix and its colon out"),
    ("not defined", "write the character itself, or &amp; for &"),
    ("Unescaped '<'", "write &lt; for <"),
    ("invalid element name", "write &lt; for <"),
    ("invalid Char", "delete the control character"),
    ("Excessive depth", "put fewer elements within each other"),
    ("Comment", "a comment is <!-- … -->, and holds no two hyphens"),
)
_MISMATCH = re.compile(r"tag mismatch: (\S+) line (\d+) and (\S+)")


def _find_cure(problem: str) -> str | None:
    found = _MISMATCH.search(problem)
    if found:
        opened, line, closed = found.groups()
        return f'close the <{opened}> of line {line}, with </{opened}> or "/>", before </{closed}>'
    return next((cure for begin, cure in _CURES if begin in problem), None)


@dataclass(frozen=True, slots=True)
class SourceElement:
    """A tag with its attributes, text and children, and where they stand."""

    tag: str
    attributes: dict[str, str]
    text: str
    children: tuple[SourceElement, ...]
    where: Where
    text_where: Where
    attribute_places: dict[str, Where]

    def place_of(self, attribute: str) -> Where:
        return self.attribute_places.get(attribute, self.where)


def read_purpose(path: Path) -> str:
    """What a template is for: the first sentence of the comment that it begins with."""
    found = _COMMENT.match(path.read_text(encoding="utf-8-sig", errors="replace"))
    words = " ".join(found[1].split()) if found else ""
    return _SENTENCE_END.split(words, maxsplit=1)[0].rstrip(".:;")


class _Text:
    """The file's text and its line starts."""

    def __init__(self, path: Path, text: str) -> None:
        self.file = str(path)
        self.text = text

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def locate(self, offset: int) -> Where:
        from bisect import bisect_right

        line = bisect_right(self._lines, offset)
        return Where(self.file, line, offset - self._lines[line - 1] + 1)


def read_source(path: Path) -> SourceElement:
    """Read a template file; text may stand in any element that has no children."""
    try:
        text = decode_text(path.read_bytes(), str(path))
    except OSError as error:
        raise CardgenError(
            "template/todo", f"the template cannot be read: {error.strerror}", Where(str(path))
        ) from error
    text = text.replace("\r\n", "\n")
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
        line, column = error.position
        problem = _PLACE.sub("", str(error.msg))
        raise CardgenError(
            "template/todo",
            f"the template is not well-formed XML: {problem}",
            Where(str(path), line, column),
            _find_cure(problem),
        ) from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise CardgenError(
            "template/todo", "a template has no DOCTYPE and no entities", Where(str(path), 1)
        )
    source = _Text(path, text)
    tags = [match for match in _TAGS.finditer(text) if match[1]]
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    places = dict(zip(elements, tags, strict=True))
    return _convert(root, places, source)


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
                "template/todo",
                f"<{element.tag}> holds both text and elements",
                where,
                "put the text into a <text> of its own; bold and italic are **bold** and *italic*",
            )
        if not isinstance(child.tag, str):
            raise CardgenError(
                "template/todo", "a template has no entities", where, "write the character itself"
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
