"""How each element is to be drawn: attributes, style sheets and style attributes, and what is
handed down.

Knows nothing of what the properties mean, but for the size of a font, by which others are measured.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from cardgen.core.errors import shorten
from cardgen.layout.art.svg.document import Document, get_tag, is_svg
from cardgen.layout.art.svg.numbers import read_length

if TYPE_CHECKING:
    from lxml import etree

# What is handed down to the elements within, and what is so at first.
_HANDED_DOWN = {
    "clip-rule": "nonzero",
    "color": "black",
    "dominant-baseline": "auto",
    "fill": "black",
    "fill-opacity": "1",
    "fill-rule": "nonzero",
    "font-family": "",
    "font-size": "16",
    "font-style": "normal",
    "font-variant": "normal",
    "font-weight": "400",
    "image-rendering": "auto",
    "letter-spacing": "normal",
    "marker-end": "none",
    "marker-mid": "none",
    "marker-start": "none",
    "paint-order": "normal",
    "stroke": "none",
    "stroke-dasharray": "none",
    "stroke-dashoffset": "0",
    "stroke-linecap": "butt",
    "stroke-linejoin": "miter",
    "stroke-miterlimit": "4",
    "stroke-opacity": "1",
    "stroke-width": "1",
    "text-anchor": "start",
    "visibility": "visible",
    "word-spacing": "normal",
    "writing-mode": "horizontal-tb",
}
_OWN = {
    "animation": "none",
    "animation-name": "none",
    "backdrop-filter": "none",
    "background": "none",
    "background-color": "none",
    "baseline-shift": "baseline",
    "clip": "auto",
    "clip-path": "none",
    "display": "inline",
    "filter": "none",
    "isolation": "auto",
    "mask": "none",
    "mask-type": "luminance",
    "mix-blend-mode": "normal",
    "opacity": "1",
    "overflow": "",
    "stop-color": "black",
    "stop-opacity": "1",
    "text-decoration": "none",
    "text-decoration-line": "none",
    "transform": "",
    "transform-origin": "",
    "vector-effect": "none",
}
_KNOWN = _HANDED_DOWN | _OWN
# These may also be said as attributes; a transform has rules of its own there.
_AS_ATTRIBUTES = frozenset(_KNOWN) - {
    *("animation", "animation-name", "backdrop-filter", "background", "background-color"),
    "isolation",
}
_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
}

# Editors write these where nothing is meant, and whoever reads CSS passes over them.
_OF_REFERENCES = ("clip-path", "filter", "mask")
_MEANINGLESS = ("0", "1", "false", "true", "null", "undefined")

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_AT_RULE = re.compile(r"\s*@([\w-]+)([^{};]*)")
_SIMPLE = re.compile(r"(\*|[\w-]+)?((?:[.#][\w-]+)*)((?::[\w-]+)*)")
_PART = re.compile(r"[.#][\w-]+")
_FONT = re.compile(
    r"\s*((?:[a-z0-9]+\s+)*?)((?:\d+(?:\.\d+)?|\.\d+)(?:px|pt|em|mm|%|))(?:\s*/\s*\S+)?\s+(.+)",
    re.IGNORECASE,
)
_MOMENTARY = {":hover", ":active", ":focus", ":visited", ":link", ":target"}
_MOST_RULES = 5_000

_Declared = tuple[dict[str, str], dict[str, str]]
_NOTHING: _Declared = ({}, {})


class Style:
    """The properties of one element; those that nobody gave have their usual values."""

    __slots__ = ("_given", "_handed")

    def __init__(self, handed: Mapping[str, str], own: Mapping[str, str]) -> None:
        self._handed = handed
        self._given = own

    def __getitem__(self, name: str) -> str:
        value = self._given.get(name)
        if value is None:
            value = self._handed.get(name)
        return _KNOWN[name] if value is None else value

    def list_own(self) -> list[str]:
        """Return the names of those that are not handed down and stand at the element itself."""
        return [name for name in self._given if name in _OWN]

    def change(self, given: Mapping[str, str]) -> Style:
        """Return the style of the same element, with other values for some properties."""
        return Style(self._handed, {**self._given, **given})

    @property
    def em(self) -> float:
        return float(self["font-size"])

    def make(self, given: dict[str, str]) -> Style:
        """Return the style of an element within, to which so much is given."""
        own = {
            name: self[name]
            if value == "inherit"
            else _KNOWN[name]
            if value == "initial" or (name in _OF_REFERENCES and value in _MEANINGLESS)
            else value
            for name, value in given.items()
        }
        if "font-size" in own:
            own["font-size"] = repr(_read_size(own["font-size"], self.em))
        handed = {name: value for name, value in own.items() if name in _HANDED_DOWN}
        if not handed:
            return Style(self._handed, own)
        return Style({**self._handed, **handed}, own)


PLAIN = Style({}, {})


def _read_size(text: str, em: float) -> float:
    if text in _SIZES:
        return _SIZES[text]
    if text in ("smaller", "larger"):
        return em / 1.2 if text == "smaller" else em * 1.2
    try:
        return max(read_length(text, em, em), 0.0)
    except ValueError:
        return em


def _is_size(text: str) -> bool:
    if text in (*_SIZES, "smaller", "larger", "inherit", "initial"):
        return True
    try:
        read_length(text)
    except ValueError:
        return False
    return True


class _Simple(NamedTuple):
    """What one element must be: its tag, ids and classes.

    child: whether it lies directly within the one before
    """

    tag: str
    ids: frozenset[str]
    classes: frozenset[str]
    is_root: bool
    child: bool

    def matches(self, element: etree._Element) -> bool:
        if self.tag and self.tag != get_tag(element):
            return False
        if self.is_root and element.getparent() is not None:
            return False
        if self.ids and not self.ids <= {element.get("id")}:
            return False
        return not self.classes or self.classes <= set((element.get("class") or "").split())


class _Rule(NamedTuple):
    chain: tuple[_Simple, ...]
    weight: tuple[int, int, int, int]
    declared: Mapping[str, str]
    pressing: Mapping[str, str]

    def matches(self, element: etree._Element) -> bool:
        return self.chain[-1].matches(element) and _match_above(self.chain, element)


def _match_above(chain: tuple[_Simple, ...], element: etree._Element) -> bool:
    """Whether what is around an element is what stands before it in the selector."""
    if len(chain) < 2:
        return True
    above = element.getparent()
    while above is not None:
        if chain[-2].matches(above) and _match_above(chain[:-1], above):
            return True
        if chain[-1].child:
            return False
        above = above.getparent()
    return False


class Styles:
    """The style sheets of a file."""

    def __init__(self, document: Document) -> None:
        self._document = document
        # By the id, class or tag without which a rule cannot match.
        self._rules: dict[str, list[_Rule]] = {}
        self._count = 0
        for element in document.root.iter():
            if is_svg(element) and get_tag(element) == "style":
                if element.get("type", "").removeprefix("text/") not in ("", "css"):
                    continue
                self._read_sheet(element, "".join(cast("Iterator[str]", element.itertext())))

    def find(self, element: etree._Element, outer: Style) -> Style:
        """Return the style of an element in one that has another."""
        given: dict[str, str] = {}
        for name, value in element.attrib.items():
            if name in _AS_ATTRIBUTES and name != "transform":
                given[str(name)] = str(value).strip()
        rules = self._list_rules(element) if self._rules else []
        for rule in rules:
            given |= rule.declared
        own, pressing = _NOTHING
        if text := element.get("style"):
            own, pressing = self._read_declarations(element, text)
        given |= own
        for rule in rules:
            given |= rule.pressing
        given |= pressing
        if not _is_size(size := given.get("font-size", "inherit")):
            self._document.refuse_value(element, "font-size", size, "write it in px")
        return outer.make(given)

    def find_in_place(self, element: etree._Element) -> Style:
        """Return the style of an element where it stands, which others only refer to."""
        above = element.getparent()
        return self.find(element, PLAIN if above is None else self.find_in_place(above))

    def _list_rules(self, element: etree._Element) -> list[_Rule]:
        """Return the rules that an element matches; those that weigh more come later."""
        keys = ["*", get_tag(element)]
        keys += [f".{name}" for name in (element.get("class") or "").split()]
        if name := element.get("id"):
            keys.append(f"#{name}")
        found = [rule for key in keys for rule in self._rules.get(key, ()) if rule.matches(element)]
        found.sort(key=lambda rule: rule.weight)
        return found

    def _read_sheet(self, element: etree._Element, text: str) -> None:
        text = _COMMENT.sub(" ", text)
        at = 0
        while at < len(text):
            if match := _AT_RULE.match(text, at):
                at = self._skip_at_rule(element, match, text)
                continue
            start, end = text.find("{", at), text.find("}", at)
            if start < 0 or end < start:
                break
            self._add_rule(element, text[at:start], text[start + 1 : end])
            at = end + 1

    def _skip_at_rule(self, element: etree._Element, match: re.Match[str], text: str) -> int:
        """Return where an at-rule ends; one that would change the picture is a problem."""
        name, what = match[1], match[2].strip()
        if name == "import":
            self._document.complain(
                "svg/external",
                element,
                f'<style> takes its styles from another file: "{shorten(what)}"',
                "save it with its styles inside",
            )
        elif name in ("media", "supports", "layer") and "prefers-color-scheme" not in what:
            self._refuse(element, f"<style> has @{name} {shorten(what)}")
        at = match.end()
        if text[at : at + 1] != "{":
            return at + 1
        depth = 0
        for found in re.finditer("[{}]", text[at:]):
            depth += 1 if found[0] == "{" else -1
            if not depth:
                return at + found.end()
        return len(text)

    def _refuse(self, element: etree._Element, message: str) -> None:
        self._document.complain(
            "svg/cannot-be-drawn",
            element,
            message,
            'save it with "presentation attributes" in place of CSS',
        )

    def _add_rule(self, element: etree._Element, selectors: str, body: str) -> None:
        declared, pressing = self._read_declarations(element, body)
        if not declared and not pressing:
            return
        for selector in selectors.split(","):
            chain = self._read_selector(element, selector)
            if not chain:
                continue
            self._count += 1
            if self._count > _MOST_RULES:
                self._refuse(element, f"<style> has more than {_MOST_RULES:,} rules")
                return
            ids = sum(len(one.ids) for one in chain)
            classes = sum(len(one.classes) + one.is_root for one in chain)
            tags = sum(bool(one.tag) for one in chain)
            rule = _Rule(chain, (ids, classes, tags, self._count), declared, pressing)
            last = chain[-1]
            if last.ids:
                key = f"#{min(last.ids)}"
            elif last.classes:
                key = f".{min(last.classes)}"
            else:
                key = last.tag or "*"
            self._rules.setdefault(key, []).append(rule)

    def _read_selector(self, element: etree._Element, text: str) -> tuple[_Simple, ...]:
        """Return what each element of a selector must be; nothing for one that never applies."""
        found: list[_Simple] = []
        child = False
        for part in text.replace(">", " > ").split():
            if part == ">":
                child = True
                continue
            match = _SIMPLE.fullmatch(part)
            states = set(re.findall(":[^:]+", match[3])) if match else set()
            if states & _MOMENTARY:
                return ()
            if match is None or states - {":root"}:
                self._refuse(element, f'<style> has the selector "{shorten(text.strip())}"')
                return ()
            parts = _PART.findall(match[2])
            found.append(
                _Simple(
                    "" if match[1] in (None, "*") else match[1],
                    frozenset(one[1:] for one in parts if one[0] == "#"),
                    frozenset(one[1:] for one in parts if one[0] == "."),
                    ":root" in states,
                    child,
                )
            )
            child = False
        return tuple(found)

    def _read_declarations(self, element: etree._Element, text: str) -> _Declared:
        """Return the properties that are declared, and those that are important."""
        found: dict[str, str] = {}
        pressing: dict[str, str] = {}
        for part in _split_declarations(_COMMENT.sub(" ", text)):
            name, _, value = part.partition(":")
            name, value = name.strip().lower(), value.strip()
            kept = found
            if value.lower().endswith("!important"):
                value, kept = value[:-10].strip(), pressing
            if name == "font":
                kept.update(self._read_font(element, value))
            elif name == "marker":
                kept.update(dict.fromkeys(("marker-start", "marker-mid", "marker-end"), value))
            elif name in _KNOWN:
                kept[name] = value
        return found, pressing

    def _read_font(self, element: etree._Element, text: str) -> dict[str, str]:
        match = _FONT.fullmatch(text)
        if match is None:
            self._refuse(element, f'<{get_tag(element)}> has font: "{shorten(text)}"')
            return {}
        found = {"font-size": match[2], "font-family": match[3]}
        for word in match[1].lower().split():
            if word in ("italic", "oblique"):
                found["font-style"] = word
            elif word in ("bold", "bolder", "lighter") or word.isdigit():
                found["font-weight"] = word
            elif word != "normal":
                found["font-variant"] = word
        return found


def _split_declarations(text: str) -> list[str]:
    """Return declarations; a data: URI within brackets may hold what parts them."""
    if "(" not in text:
        return text.split(";")
    return re.findall(r"(?:[^;(]|\([^)]*\)?)+", text)
