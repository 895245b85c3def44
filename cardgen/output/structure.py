"""What a file says to whoever hears it read: tagged content, and the tree of what it belongs to.

A page's content is cut where another element begins; what belongs to none is marked as an artifact.
Knows nothing of decks or templates.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cardgen.layout.face import Element, Item, Placed, Shared, Tag
from cardgen.output.notation import format_text
from cardgen.output.packing import fill_rows
from cardgen.text.setting import Run

if TYPE_CHECKING:
    from cardgen.output.objects import File

# The rows of what is written of elements: one that holds content, and a kid in the list of another.
_LEAF, _LIST = 50, 16
_REFERENCE, _NUMBER = b"%8d 0 R    ", b"%8d        "


class Part(NamedTuple):
    """Content in a row that belongs to one element, or to none; an element may have none."""

    element: Element | None
    content: bytes


def join_parts(parts: Iterable[Part]) -> bytes:
    """Return the content as it is drawn."""
    return b"\n".join([content for _, content in parts if content])


# An element as it is written: its role, its attributes, and its kids, elements and numbers of
# content on its page. A plain tuple, as many go from one process to another.
Said = tuple[str, bytes, "list[Said | int]"]


def mark_artifact(content: bytes) -> bytes:
    return b"/Artifact BMC\n%b\nEMC" % content


class PageTagger:
    """Tags the content of one page, face by face."""

    def __init__(self) -> None:
        self.sections: list[Said] = []
        self._numbers = 0

    def tag(self, parts: Iterable[Part], title: str) -> bytes:
        """Return the content of a face, tagged; it becomes a section with its heading first."""
        kids: list[Said | int] = []
        known: dict[Element, list[Said | int]] = {}
        tagged: list[bytes] = []
        for element, content in parts:
            if element is None:
                tagged.append(mark_artifact(content))
                continue
            held = _find_kids(element, known, kids)
            if content:
                number, self._numbers = self._numbers, self._numbers + 1
                opening = b"/%b<</MCID %d>>BDC" % (element.role.encode(), number)
                tagged.append(b"%b\n%b\nEMC" % (opening, content))
                held.append(number)
        heading = next(
            (said for said in kids if not isinstance(said, int) and said[0] == "H1"), None
        )
        if heading is not None:
            kids.remove(heading)
            kids.insert(0, heading)
        if kids:
            # One without a heading has a title, which readers can show.
            attributes = b"/T%b" % format_text(title) if heading is None else b""
            self.sections.append(("Sect", attributes, kids))
        return b"\n".join(tagged)


def _find_kids(
    element: Element, known: dict[Element, list[Said | int]], top: list[Said | int]
) -> list[Said | int]:
    """Return the kids of an element, which stands among those of its parent."""
    kids = known.get(element)
    if kids is None:
        kids = known[element] = []
        above = top if element.parent is None else _find_kids(element.parent, known, top)
        above.append((element.role, _format_attributes(element), kids))
    return kids


def _format_attributes(element: Element) -> bytes:
    if element.role == "Figure":
        return b"/Alt%b" % format_text(element.alt)
    if element.role == "Span":
        # The words around it end and begin where it stands.
        return b"/ActualText%b" % format_text(f"{element.alt} ")
    if element.alt:
        return b"/ActualText%b" % format_text(element.alt)
    table = b"/Scope/Column" if element.role == "TH" else b""
    if element.span > 1:
        table += b"/ColSpan %d" % element.span
    return b"/A<</O/Table%b>>" % table if table else b""


def sum_up(shared: Shared) -> Element | None:
    """Return what a form is said as by itself: its words in a row; none if it has none."""
    said: dict[Element, str] = {}
    for element, text in _list_said(shared.items, None):
        said[element] = said.get(element, "") + text
    if not said:
        return None
    first = next(iter(said))
    if len(said) == 1 and first.parent is None:
        # It keeps its role, and needs its words where there are icons in it.
        icons = any(isinstance(item, Placed) for item in shared.items)
        return first.repeat(" ".join(said[first].split())) if icons else first
    words = _say_once([" ".join(text.split()) for text in said.values()])
    if {element.role for element in said} == {"Figure"}:
        return Element("Figure", alt=", ".join(words))
    # Its words are told apart, which they are not where one text ends and another begins.
    return Element("P", alt=" ".join(words))


def _say_once(words: Sequence[str]) -> Sequence[str]:
    """Return words without their echo, as at both ends of a card that has no wrong way up."""
    half = len(words) // 2
    return words[:half] if words[:half] == words[half:] else words


def _list_said(items: Sequence[Item], element: Element | None) -> Iterator[tuple[Element, str]]:
    """Yield what is said in a row, with the element it belongs to; spans with that around them.

    Words of its own stand for all that an element holds.
    """
    line, told = 0.0, None
    for item in items:
        if isinstance(item, Tag):
            element = item.element
            if element is not None and element.role == "Span" and element.parent is not None:
                if not element.parent.alt:
                    yield element.parent, f"{element.alt} "
            elif element is not None and element.alt and element is not told:
                told = element
                yield element, element.alt
        elif isinstance(item, Run) and element is not None and not element.alt:
            text = " ".join(word.text for word in item.words)
            yield element, text if item.y == line else f" {text}"
            line = item.y
        elif isinstance(item, Placed) and element is None:
            yield from _list_said(item.shared.items, None)


class StructureTree:
    """Writes the elements of page after page, and at the end what holds them together."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._document = file.reserve()
        self._root = file.reserve()
        self._sections = array("L")
        self._pages: list[int] = []  # the numbers of arrays, one for each page with content

    def add_page(self, page: int, sections: Sequence[Said]) -> None:
        """Write the elements of a page, which is the object of this number."""
        nodes: list[_Node] = []
        tops = [_Node(section, self._document, nodes) for section in sections]
        # Those that hold others have numbers in a row, and so have those that hold content.
        for is_leaf in (False, True):
            for node in nodes:
                if node.is_leaf == is_leaf:
                    node.number = self._file.reserve()
        owners: dict[int, int] = {}
        for node in nodes:
            self._put(node, page, owners)
        self._sections.extend([top.number for top in tops])
        parts = [_REFERENCE % owners[number] for number in range(len(owners))]
        self._pages.append(self._file.add_small(_format_list(b"", parts), _LIST))

    def finish(self) -> None:
        kids = _format_list(
            b"<</S/Document/P %d 0 R/K" % self._root,
            [_REFERENCE % number for number in self._sections],
        )
        self._file.put_small(self._document, b"%b>>" % kids, _LIST)
        places = b" ".join(b"%d %d 0 R" % pair for pair in enumerate(self._pages))
        parents = self._file.add_small(b"<</Nums[%b]>>" % places)
        self._file.put_small(
            self._root,
            b"<</Type/StructTreeRoot/K[%d 0 R]/ParentTree %d 0 R/ParentTreeNextKey %d>>"
            % (self._document, parents, len(self._pages)),
        )
        self._file.set_root("StructTreeRoot", b"%d 0 R" % self._root)
        self._file.set_root("MarkInfo", b"<</Marked true>>")

    def _put(self, node: _Node, page: int, owners: dict[int, int]) -> None:
        number, parent = node.number, node.parent
        tail = b"/S/%b%b>>" % (node.role.encode(), node.attributes)
        kids, place = [], b""
        for kid in node.kids:
            if isinstance(kid, int):
                owners[kid] = number
                if node.is_leaf:
                    leaf = b"<</P%8d 0 R/Pg%8d 0 R/K%5d%b" % (parent, page, kid, tail)
                    self._file.put_small(number, leaf, _LEAF)
                    return
                # Only one that holds content of a page names it: small as it is, there are many.
                place = b"/Pg%8d 0 R" % page
                kids.append(_NUMBER % kid)
            else:
                kid.parent = number
                kids.append(_REFERENCE % kid.number)
        head = b"<</P%8d 0 R%b/K" % (parent, place)
        self._file.put_small(number, _format_list(head, kids) + tail, _LIST)


class _Node:
    """An element on its way into the file; its number is known before it is written.

    is_leaf: whether it holds one piece of content, and nothing else
    parent: the number of what holds it, which is written before; no node holds another both ways,
        as nobody looks for cycles while pages are written
    """

    __slots__ = ("attributes", "is_leaf", "kids", "number", "parent", "role")

    def __init__(self, said: Said, parent: int, nodes: list[_Node]) -> None:
        """Join the nodes of a page, before those below it."""
        nodes.append(self)
        self.role, self.attributes, kids = said
        self.parent, self.number = parent, 0
        self.kids = [kid if isinstance(kid, int) else _Node(kid, 0, nodes) for kid in kids]
        self.is_leaf = len(self.kids) == 1 and isinstance(self.kids[0], int)


def _format_list(head: bytes, rows: Iterable[bytes]) -> bytes:
    """Return an array behind what names it, with a row for each kid."""
    return b"%b%b]" % (fill_rows(b"%b[" % head, _LIST), b"".join(rows))
