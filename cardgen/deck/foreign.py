"""Marks of HTML, CardMaker and Cider in fields of cards that no text reads, but prints as they are.

What texts do read, as <b> and <br>, is told in text/markup.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardgen.core.errors import Problem, Where, count, list_some, shorten

_STYLE = "write [words]{style} with a style of the template"
_CURES = {
    **dict.fromkeys(("span", "font", "big", "small", "sup", "sub", "tt", "code", "mark"), _STYLE),
    **dict.fromkeys(("ul", "ol", "li"), "write each item on a line of its own, behind - or 1."),
    **dict.fromkeys(("table", "tr", "td", "th"), "write rows as | a | b |"),
    **dict.fromkeys(("h1", "h2", "h3", "h4"), "write **words**, or a style as [words]{style}"),
    **dict.fromkeys(("div", "center"), "leave it out, and part paragraphs by an empty line"),
    "img": "write ![what it shows](file.png)",
    "hr": "leave it out",
    "a": "leave it out",
}
_BRACKETS = ("{{", "@[")
_MOST_NAMED = 10
_TAG_CURE = f"{_STYLE}, or leave it out"
_ENTITY_CURE = "write the sign itself"
_NAME_CURE = "write the words themselves, or :name: for an icon"
_BRACES_CURE = f"{_NAME_CURE}, or let the template replace it"
_ESCAPES = {
    r"\n": "break the line in the cell, which stands in quotes then",
    r"\q": 'write a quote: "" in a CSV',
    r"\c": "write a comma, in a cell that stands in quotes",
}
# Those that texts read; of others that are not known only what nobody means as words is a mark: an
# end, what has a value, and what ends itself.
_READ = frozenset(("b", "strong", "i", "em", "u", "ins", "s", "del", "strike", "br", "p"))
_TAG = re.compile(r"(?<!\\)<(/?)([a-z][\w-]*)((?:[\s/=][^<>]*)?)>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ENTITY = re.compile(r"&(?:nbsp|amp|lt|gt|quot|apos|mdash|ndash|hellip|#\d{1,6}|#x[\da-f]{1,5});")
_ESCAPE = re.compile(r"(?<!\\)\\[nqc]")
_NAME = re.compile(r"@\[[^\[\]]{1,40}\]|\{\{[^{}\n]{1,40}\}\}")


class ForeignMarks:
    """The marks found so far, and which cards hold them; names in brackets are one kind of mark."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, None]] = {}
        self._marks: dict[str, dict[str, None]] = {}
        self._places: dict[str, tuple[Where, str]] = {}

    def look(self, text: str, key: str, card: str, where: Where) -> None:
        """Look for marks in a text that holds one of their first signs."""
        for match in _TAG.finditer(text):
            name, rest = match[2].lower(), match[3]
            if name in _CURES or (
                name not in _READ and (match[1] or "=" in rest or rest.endswith("/"))
            ):
                self._note(f"<{name}>", key, card, where)
        if _COMMENT.search(text):
            self._note("<!-- -->", key, card, where)
        for pattern in (_ENTITY, _ESCAPE, _NAME):
            for match in pattern.finditer(text):
                self._note(match[0], key, card, where)

    def _note(self, mark: str, key: str, card: str, where: Where) -> None:
        kind = mark[:2] if mark[:2] in _BRACKETS else mark
        self._found.setdefault(kind, {})[card] = None
        self._marks.setdefault(kind, {})[mark] = None
        self._places.setdefault(kind, (where, key))

    def list_notes(self) -> Iterator[Problem]:
        """Yield a note for each kind of mark."""
        for kind, cards in self._found.items():
            where, key = self._places[kind]
            mark = list_some(list(self._marks[kind]), _MOST_NAMED)
            named = f'"{shorten(next(iter(cards)))}"'
            others = f" and {count(len(cards) - 1, 'other card')}" if len(cards) > 1 else ""
            yield Problem(
                "deck/foreign-mark",
                f"{key} of {named}{others} holds {mark}, which is printed as it is written",
                where,
                _find_cure(kind),
                field=key,
                details={"mark": mark, "cards": tuple(cards)},
            )


def _find_cure(mark: str) -> str:
    if mark.startswith("@"):
        return _NAME_CURE
    if mark.startswith("{"):
        return _BRACES_CURE
    if mark == "<!-- -->":
        return "leave it out"
    if mark.startswith("<"):
        return _CURES.get(mark.strip("<>"), _TAG_CURE)
    return _ESCAPES.get(mark, _ENTITY_CURE)
