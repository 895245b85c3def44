"""Parses data of objects and lists, whatever they are written in: JSON, YAML, TOML, INI, XML.

Knows nothing of what the keys mean.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from typing import Any

from lxml import etree

from cardgen.core.errors import CardgenError, Refusal, Where
from cardgen.deck.yaml import parse_yaml_documents
from cardgen.importing.reading.kinds import Kind
from cardgen.importing.tables.entries import DEEPEST
from cardgen.importing.tables.json import parse_json

_SLASHES = re.compile(r"^[ \t]*//", re.MULTILINE)
_TEXT = "text"  # what stands in an element besides its attributes
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "u": "", "br": "\n"}
_MEND = "mend it, or have the program that made it write it again"


def parse_tree(text: str, kind: Kind, file: str) -> Any:
    """Return the objects and lists of a text; one that is broken is an error with its line."""
    if kind == "yaml":
        return _parse_yaml(text, file)
    if kind == "toml":
        try:
            return _make_plain(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise _refuse("TOML", str(error), Where(file)) from None
    if kind == "ini":
        return _parse_ini(text, file)
    return _parse_xml(text, file) if kind == "xml" else parse_json(text, file)


def _parse_yaml(text: str, file: str) -> Any:
    """Return what a file in YAML holds; of several documents a list, of lists their entries.

    Lines that begin with // are comments, where they hinder.
    """
    try:
        found = [node.value for node in parse_yaml_documents(text, file, [])]
    except CardgenError:
        bare = _SLASHES.sub("#", text)
        if bare == text:
            raise
        found = [node.value for node in parse_yaml_documents(bare, file, [])]
    if len(found) > 1 and all(isinstance(one, list) for one in found):
        return [entry for one in found if isinstance(one, list) for entry in one]
    return found if len(found) > 1 else next(iter(found), None)


def _refuse(what: str, said: str, where: Where) -> CardgenError:
    told = f"this is no {what}: {said[:1].lower()}{said[1:]}"
    return CardgenError("import/broken-json", told, where, _MEND)


def _make_plain(tree: Any) -> Any:
    """Return a tree without dates and times, which become texts."""
    if isinstance(tree, dict):
        return {key: _make_plain(value) for key, value in tree.items()}
    if isinstance(tree, list):
        return [_make_plain(value) for value in tree]
    return tree if isinstance(tree, str | int | float) or tree is None else str(tree)


def _parse_ini(text: str, file: str) -> Any:
    parser = ConfigParser(interpolation=None, strict=False, default_section="\0")
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text, file)
    except ConfigError as error:
        broken = getattr(error, "errors", ())
        line = broken[0][0] if broken else getattr(error, "lineno", None)
        said = "a key and its value are expected below a [section]"
        raise _refuse("INI", said, Where(file, line) if line else Where(file)) from None
    return {name: dict(parser[name]) for name in parser.sections()}


def _parse_xml(text: str, file: str) -> Any:
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, remove_comments=True
    )
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.XMLSyntaxError as error:
        line, column = error.position
        raise _refuse("XML", error.msg or "it is broken", Where(file, line, column)) from None
    try:
        return _read_element(root, 0)
    except Refusal as refusal:
        raise CardgenError.of([refusal.at(Where(file), hint=_MEND)]) from None


def _read_element(element: Any, depth: int) -> Any:
    """Return an element as an object: its attributes, and what lies in it; several alike a list."""
    if depth > DEEPEST:
        raise Refusal("import/broken-json", "this XML is nested too deeply")
    inside = [child for child in element if isinstance(child.tag, str)]
    if _is_mixed(element, inside):
        text, inside = _write_mixed(element, depth).strip(), []
    else:
        text = (element.text or "").strip()
    if not inside and not element.attrib:
        return text
    counts = Counter(child.tag for child in inside)
    if len(counts) == 1 and len(inside) > 1 and not element.attrib:
        return [_read_element(child, depth + 1) for child in inside]
    found: dict[str, Any] = {str(key): str(value) for key, value in element.attrib.items()}
    for child in inside:
        key = str(etree.QName(child).localname)
        value = _read_element(child, depth + 1)
        if counts[child.tag] > 1:
            found.setdefault(key, []).append(value)
        elif isinstance(value, dict) and _TEXT in value and len(value) == 1 + len(child.attrib):
            found[key] = value.pop(_TEXT)  # <cost coin="gp">5</cost>
            found |= {f"{key}_{name}": said for name, said in value.items()}
        else:
            found[key] = value
    if text:
        found[_TEXT] = text
    return found


def _is_mixed(element: Any, inside: Sequence[Any]) -> bool:
    """Whether an element holds a text with elements in it, or words that are set off alone."""
    told = (element.text or "").strip() or any((child.tail or "").strip() for child in element)
    set_off = all(str(child.tag) in _MARKS for child in inside)
    return bool(inside) and (bool(told) or set_off)


def _write_mixed(element: Any, depth: int) -> str:
    """Return the text of an element with the signs of what is set off in it, in Markdown."""
    if depth > DEEPEST:
        raise Refusal("import/broken-json", "this XML is nested too deeply")
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str):
            mark = _MARKS.get(str(etree.QName(child).localname), "")
            said = _write_mixed(child, depth + 1)
            parts.append(f"{mark}{said.strip()}{mark}" if said.strip() else mark.strip("*"))
        parts.append(child.tail or "")
    return "".join(parts)
