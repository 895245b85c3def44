"""Finds the boxes of a web page that come again and again, as programs make them for cards, and
says in each what the classes of its parts tell: its title first, then a label for each short part.

Changes the tree of the page alone. Knows nothing of lines, nor of fields.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from cardgen.deck.labels import HUMPS

_BOXES = frozenset(("article", "div", "li", "section", "figure", "a", "td", "details"))
_BLOCKS = frozenset(
    ("p", "div", "ul", "ol", "dl", "table", "section", "article", "header", "footer", "figure")
)
_CELLS = frozenset(("dt", "dd", "th", "td", "tr", "tbody", "table"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_TITLES = frozenset(("name", "title", "nombre", "nom", "titre", "titel", "naam", "nome", "titolo"))
_BADGES = frozenset(("badge", "pill", "chip", "label", "tag", "value"))
_SUBTITLES = frozenset(("sub", "subtitle", "tagline"))
# Classes that tell how a part looks.
_LOOKS = frozenset(
    ("back", "badge", "bar", "bg", "block", "body", "bold", "bottom", "box", "btn", "button",
     "card", "cell", "center", "col", "color", "container", "content", "desc", "description",
     "flex", "float", "footer", "front", "grid", "group", "head", "header", "heading",
     "hidden", "icon", "image", "img", "info", "inner", "item", "label", "lead", "left",
     "line", "link", "list", "meta", "muted", "number", "pill", "pull", "right", "row",
     "small", "span", "strong", "sub", "subtitle", "tag", "tagline", "tags", "text", "top",
     "value", "wrap", "wrapper")
)  # fmt: skip
# Attributes for programs.
_TECHNICAL = frozenset(("id", "index", "key", "sku", "slug", "src", "target", "toggle", "url"))
_FEWEST = 3  # boxes
_MOST_PARTS = 100  # of a box that is a card
_MOST_TRIED = 60  # boxes by which all are known
_MOST_LOOKED = 300_000  # elements
_SHORT = 5  # words
_OFTEN = 0.6
_DIFFERENT = 0.2  # of the titles: a page to be printed has each copy of a card
_WORDS = re.compile(r"[^\W\d_]{2,}")
_WORD = re.compile(r"\w")
_ENDED = (".", "!", "?", ":")


_INLINE = frozenset(("span", "b", "strong", "i", "em", "small", "label"))


class _Part(NamedTuple):
    """A short part of a box that says something by itself, and what its class calls it."""

    label: str
    text: str
    element: Any


class _Box(NamedTuple):
    element: Any
    title: Any
    parts: list[_Part]


def label_boxes(root: Any) -> None:
    """Put the title of each box before its other parts, and label those that its classes name."""
    _join_named(root)
    _rewrite_boxes(root)
    _label_lists(root)


def _join_named(root: Any) -> None:
    """Write what its class calls a label beside the value that stands next to it."""
    pairs = [
        (one, one.getnext())
        for one in root.iter(etree.Element)
        if "label" in _split(one.get("class", "")) and one.getnext() is not None
    ]
    pairs = [
        (label, value)
        for label, value in pairs
        if "value" in _split(value.get("class", "")) and _is_short(_read_text(label))
    ]
    for label, value in pairs if len(pairs) >= _FEWEST else ():
        line = _make_line(_read_text(label), _read_text(value), label)
        label.getparent().replace(label, line)
        _take_out(value)


def _rewrite_boxes(root: Any) -> None:
    looked = 0
    for elements in _list_alike(root):
        boxes: list[_Box] = []
        for element in elements:
            inner = list(islice(element.iterdescendants(etree.Element), _MOST_PARTS + 1))
            looked += 1 + len(inner)
            if looked > _MOST_LOOKED:
                return
            if len(inner) <= _MOST_PARTS and (box := _read_box(element, inner)):
                boxes.append(box)
        titles = {_read_text(box.title) for box in boxes}
        if len(boxes) < max(_FEWEST, _OFTEN * len(elements)):
            continue
        if len(titles) < max(_FEWEST, _DIFFERENT * len(boxes)):
            continue
        for pair in _list_pairs(boxes):
            pair[:] = [_make_line(_read_text(pair[0]), _read_text(pair[1]), pair)]
        labels = set(_choose_labels(boxes))
        for box in boxes:
            _rewrite(box, labels)


def _label_lists(root: Any) -> None:
    """Write the terms that come again in other lists beside what they mean: they are labels."""
    lists = [(one, [*map(_read_text, one.iter("dt"))]) for one in root.iter("dl")]
    said = Counter(term for _, terms in lists for term in {*terms})
    for one, terms in lists:
        if terms and 2 * sum(said[term] >= _FEWEST for term in terms) > len(terms):
            _join_terms(one)


def _list_alike(root: Any) -> Iterator[list[Any]]:
    """Yield the boxes of each class that come several times, the outer ones first."""
    alike: dict[tuple[str, str], list[Any]] = {}
    for element in root.iter(*_BOXES):
        classes = element.get("class", "").split()
        if classes or element.tag == "article":
            alike.setdefault((element.tag, classes[0] if classes else ""), []).append(element)
    yield from (elements for elements in alike.values() if len(elements) >= _FEWEST)


def _read_box(element: Any, inner: Sequence[Any]) -> _Box | None:
    """Return a box with one title and little else, as a card is."""
    titles = list(_list_titles(inner))
    if len(titles) != 1 or not _read_text(titles[0]):
        return None
    own = {*_split(element.get("class", ""))}
    parts = list(_list_data(element))
    for one in inner:
        label = _find_label(one, own)
        text = _read_text(one) if label and not _holds(one, titles[0]) else ""
        if label and _is_short(text) and not text.casefold().startswith(label.casefold()):
            parts.append(_Part(label, text, one))
    return _Box(element, titles[0], parts)


def _list_pairs(boxes: Sequence[_Box]) -> list[Any]:
    """Return the parts of two words beside each other, the first of which many boxes have."""
    pairs = [
        (place, part)
        for place, box in enumerate(boxes)
        for part in box.element.iter("div", "p", "li", "span")
        if [child.tag in _INLINE for child in part] == [True, True] and _is_pair(part)
    ]
    often = Counter(label for label, _ in {(_read_text(part[0]), at) for at, part in pairs})
    return [part for _, part in pairs if often[_read_text(part[0])] >= _OFTEN * len(boxes)]


def _is_pair(part: Any) -> bool:
    """Whether a part holds nothing but a label and its value, with no sign between them."""
    label, value = part
    aside = "".join(text or "" for text in (part.text, label.tail, value.tail))
    named = _is_short(_read_text(label)) and label.tag not in _HEADINGS
    return not aside.strip(" \n\t:") and named and bool(_read_text(value))


def _list_data(element: Any) -> Iterator[_Part]:
    """Yield what a box says of itself in attributes, as data-cost="2"."""
    for key, value in element.attrib.items():
        words = _split(key.removeprefix("data-"))
        if key.startswith("data-") and _is_short(value) and _TECHNICAL.isdisjoint(words):
            yield _Part(" ".join(words), value, None)


def _list_titles(inner: Sequence[Any]) -> Iterator[Any]:
    """Yield the headings of the highest level, or what is called a title where there is none."""
    highest = min((one.tag for one in inner if one.tag in _HEADINGS), default=None)
    for one in inner:
        words = _split(one.get("class", "").partition(" ")[0])
        called = words and words[-1] in _TITLES and not any(child.tag in _BLOCKS for child in one)
        if one.tag == highest or (highest is None and called):
            yield one


def _find_label(element: Any, own: set[str]) -> str | None:
    """Return what a class calls a part that holds a line and no more; its looks say nothing."""
    if any(child.tag in _BLOCKS or child.get("class") for child in element) or _leans(element):
        return None
    if element.tag in _CELLS or _labels_itself(element):  # has its label beside it
        return None
    for name in element.get("class", "").split():
        words = [word for word in _split(name) if word not in own]
        if words and words[-1] in _BADGES:  # as card-type-badge
            del words[-1]
        if words and not _LOOKS.intersection(words):
            return " ".join(words)
    return None


def _labels_itself(element: Any) -> bool:
    """Whether a part begins with a bold label of its own, as "<b>Cost:</b> 3"."""
    first = element[0] if len(element) and not (element.text or "").strip() else None
    if first is None or first.tag not in ("b", "strong"):
        return False
    return _read_text(first).endswith(":") or (first.tail or "").lstrip().startswith(":")


def _leans(element: Any) -> bool:
    """Whether a part is in italics from end to end, as the line below a title is."""
    leaning = [child for child in element.iterdescendants("i", "em") if _read_text(child)]
    return bool(leaning) and _read_text(leaning[0]) == _read_text(element)


def _split(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(HUMPS.sub(" ", name).replace("_", " "))]


def _is_short(text: str) -> bool:
    return bool(text) and len(text.split()) <= _SHORT and not text.endswith(_ENDED)


def _holds(element: Any, title: Any) -> bool:
    return element is title or any(one is element for one in title.iterancestors()) or any(
        one is title for one in element.iterancestors()
    )  # fmt: skip


def _read_text(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _choose_labels(boxes: Sequence[_Box]) -> Iterator[str]:
    """Yield the labels that many boxes have once, and not all with the same words."""
    tried = boxes[:_MOST_TRIED]
    counted = Counter(label for box in tried for label in {part.label for part in box.parts})
    for label, number in counted.items():
        told = [part.text for box in tried for part in box.parts if part.label == label]
        once = len(told) == number
        if once and number >= max(2, _OFTEN * len(tried)) and len(set(told)) > 1:
            yield label


def _rewrite(box: _Box, labels: set[str]) -> None:
    """Move the title of a box and its labelled parts to its beginning."""
    for part in box.title.iter("span"):
        if not _BADGES.isdisjoint(_split(part.get("class", ""))) and _is_short(_read_text(part)):
            part.text = f" ({_read_text(part)})"
            part[:] = []
    head = etree.Element("h6") if box.title.tag not in _HEADINGS else box.title
    if head is not box.title:
        head.sourceline = box.title.sourceline
        _move_into(head, box.title)
    else:
        _take_out(head)
    lines = [head]
    for part in box.parts:
        if part.label in labels:
            at = part.element if part.element is not None else box.element
            lines.append(_make_line(part.label.capitalize(), part.text, at))
            if part.element is not None:
                _take_out(part.element)
    for inner in list(box.element.iter("dl", *_HEADINGS)):
        if inner.tag == "dl":
            _join_terms(inner)
        else:
            _lower(inner)
    lines[-1].tail, box.element.text = box.element.text, None
    box.element[:0] = lines


def _make_line(label: str, text: str, at: Any) -> Any:
    line = etree.Element("p")
    line.sourceline = at.sourceline
    bold = etree.SubElement(line, "b")
    bold.text, bold.tail = f"{label.rstrip(' :')}:", f" {text}"
    return line


def _lower(heading: Any) -> None:
    """Make a line of a heading below the title: one in italics, if it is called so."""
    below = etree.Element("i" if _SUBTITLES.intersection(_split(heading.get("class", ""))) else "b")
    below.text, heading.text = heading.text, None
    below[:] = list(heading)
    heading[:] = [below]
    heading.tag = "p"


def _join_terms(terms: Any) -> None:
    """Write each term beside what it means, where each has one line."""
    inner = list(terms)
    pairs = list(zip(inner[::2], inner[1::2], strict=False))
    if len(inner) == 2 * len(pairs) and all(
        (term.tag, said.tag) == ("dt", "dd") and _is_short(_read_text(term).rstrip(" :"))
        and not any(child.tag in _BLOCKS for child in said)
        for term, said in pairs
    ):  # fmt: skip
        terms[:] = [_make_line(_read_text(term), _read_text(said), term) for term, said in pairs]


def _move_into(head: Any, title: Any) -> None:
    head.text = title.text
    head[:] = list(title)
    _take_out(title)


def _take_out(element: Any) -> None:
    """Take an element out of its tree, and leave the words that stand behind it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return  # a box around this one has taken it
    behind = element.tail if _WORD.search(element.tail or "") else ""
    if before is not None:
        before.tail = f"{before.tail or ''} {behind}"
    else:
        parent.text = f"{parent.text or ''} {behind}"
    element.tail = None
    parent.remove(element)
