"""An SVG file as a tree that may be walked safely, and what is found wrong in it.

It has bounds on everything that a stranger's file could make large. Knows nothing of how anything
is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.core.library import show_from_here

if TYPE_CHECKING:
    from lxml import etree

SVG = "{http://www.w3.org/2000/svg}"
XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
MOST_MEGABYTES = 20
# Elements of a file, and shapes that are drawn, however often each is used.
MOST_ELEMENTS = 50_000
MOST_SHAPES = 20_000
MOST_DEPTH = 200
# Letters of path data. What is drawn must be written, too, for each size and each file.
MOST_DATA = 4_000_000
# Coordinates beyond this would not be found on any paper.
MOST_UNITS = 1e7
_MOST_PROBLEMS = 20

_SIMPLER = "make it simpler in the drawing program, or save it as a PNG"
_MOVING = ("animate", "animateColor", "animateMotion", "animateTransform", "set", "discard")
_ACTING = ("script", "handler", "listener")


class Document:
    """The tree of one file; it keeps the problems that are found in it, and how much was drawn."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.ids: dict[str, etree._Element] = {}
        self.root = self._parse()
        self._drawn = self._data = 0
        self.nested = 0  # in how many files this one lies
        self._check_elements()

    @contextmanager
    def reading_within(self, path: Path) -> Iterator[Document]:
        """Read a file that lies in this one; what is drawn of it counts for this one, too."""
        inner = Document(path)
        inner.nested = self.nested + 1
        inner._drawn, inner._data = self._drawn, self._data
        yield inner
        self._drawn, self._data = inner._drawn, inner._data

    def complain(
        self, code: str, element: etree._Element, message: str, hint: str | None = None
    ) -> None:
        """Keep a problem of an element."""
        problem = Problem(code, message, self.locate(element), hint)
        if problem not in self.problems:
            self.problems.append(problem)
        if len(self.problems) >= _MOST_PROBLEMS:
            raise CardgenError.of(self.problems)

    def refuse_value(self, element: etree._Element, name: str, value: str, cure: str = "") -> None:
        """Complain of an attribute that cannot be read."""
        self.complain(
            "svg/broken-data",
            element,
            f'<{get_tag(element)}> has broken data: {name}="{shorten(value)}"',
            cure or "save it again as a plain SVG",
        )

    def refuse_far(self, element: etree._Element) -> None:
        """Complain of an element that lies, or reaches, where nothing can be printed."""
        self.complain(
            "svg/broken-data",
            element,
            f"<{get_tag(element)}> reaches more than {MOST_UNITS:,.0f} units away",
            "move it, make it smaller, or take it out",
        )

    def locate(self, element: etree._Element) -> Where:
        return Where(str(show_from_here(self.path)), cast("int | None", element.sourceline))

    def spend(self, element: etree._Element, data: int = 0) -> None:
        """Count one more shape that is drawn, with so many letters of path data."""
        self._drawn += 1
        self._data += data
        if self._drawn > MOST_SHAPES:
            raise self._refuse(element, f"it draws more than {MOST_SHAPES:,} shapes")
        if self._data > MOST_DATA:
            raise self._refuse(element, f"its paths are longer than {MOST_DATA:,} letters")

    def _refuse(self, element: etree._Element | None, what: str) -> CardgenError:
        where = Where(str(show_from_here(self.path))) if element is None else self.locate(element)
        return CardgenError("svg/too-large", f"this SVG is too large: {what}", where, _SIMPLER)

    def _parse(self) -> etree._Element:
        from lxml import etree

        if self.path.stat().st_size > MOST_MEGABYTES * 1_000_000:
            raise self._refuse(None, f"it has more than {MOST_MEGABYTES} megabytes")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, huge_tree=False, remove_comments=True
        )
        try:
            root = etree.fromstring(self._read_bytes(), parser)
        except etree.XMLSyntaxError as error:
            if getattr(error, "code", None) == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
                raise self._refuse(None, "its elements or texts are endless") from error
            place = Where(str(show_from_here(self.path)), error.lineno)
            reason = str(error.msg).partition(", line ")[0]
            raise CardgenError(
                "svg/not-svg",
                f"this is not an SVG file: {reason}",
                place,
                "it may be cut short: save it again in the program that drew it",
            ) from error
        if root.tag not in (f"{SVG}svg", "svg"):
            self.complain(
                "svg/not-svg", root, f"this is not an SVG file: it starts with <{get_tag(root)}>"
            )
            raise CardgenError.of(self.problems)
        return root

    def _read_bytes(self) -> bytes:
        content = self.path.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            raise CardgenError(
                "svg/not-svg",
                "this is not an SVG file: it is compressed",
                Where(str(show_from_here(self.path))),
                "save it as a plain SVG, or unpack it with gunzip",
            )
        return content

    def _check_elements(self) -> None:
        """Note the ids, and find what acts, moves or comes from elsewhere anywhere in the file."""
        from lxml import etree

        for before in self.root.itersiblings(preceding=True):
            if "xml-stylesheet" in str(before):
                self.complain(
                    "svg/external",
                    self.root,
                    "it takes its styles from another file",
                    "save it with its styles inside",
                )
        for number, element in enumerate(self.root.iter()):
            if number >= MOST_ELEMENTS:
                raise self._refuse(element, f"it has more than {MOST_ELEMENTS:,} elements")
            if element.tag is etree.Entity:
                self.complain(
                    "svg/external",
                    element,
                    f"it refers to something that is not in it: {shorten(str(element))}",
                    "put what it shows into this file",
                )
            if not isinstance(element.tag, str) or not is_svg(element):
                continue
            tag = get_tag(element)
            if tag in _ACTING:
                self.complain(
                    "svg/cannot-be-drawn", element, f"<{tag}> holds a script", "take it out"
                )
            elif tag in _MOVING:
                self.complain(
                    "svg/cannot-be-drawn", element, f"<{tag}> moves things", "take it out"
                )
            if name := element.get("id"):
                self.ids.setdefault(name, element)
            for attribute in element.attrib:
                if isinstance(attribute, str) and attribute.startswith("on"):
                    self.complain(
                        "svg/cannot-be-drawn",
                        element,
                        f"<{tag}> holds a script: {attribute}",
                        "take it out",
                    )

    def find_target(self, element: etree._Element) -> etree._Element | None:
        """Return the element that a href names; None, with a problem, where there is none."""
        address = get_href(element)
        tag = get_tag(element)
        if not address:
            return None
        if not address.startswith("#"):
            self.complain(
                "svg/external",
                element,
                f'<{tag}> refers to another file: "{shorten(address)}"',
                "put what it shows into this file",
            )
            return None
        return self.find_named(element, address[1:], f'<{tag}> refers to "{shorten(address)}"')

    def find_named(self, element: etree._Element, name: str, what: str) -> etree._Element | None:
        """Return the element of a name; None, with a problem, where there is none."""
        target = self.ids.get(name)
        if target is None:
            self.complain(
                "svg/unknown-reference", element, f"{what}, which is not there", "save it again"
            )
        return target


def get_tag(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def get_href(element: etree._Element) -> str:
    return (element.get("href") or element.get(XLINK_HREF) or "").strip()


def is_svg(element: etree._Element) -> bool:
    """Whether an element is of SVG, and no editor's own."""
    tag = element.tag
    return isinstance(tag, str) and (tag.startswith(SVG) or "}" not in tag)
