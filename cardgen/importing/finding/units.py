"""What a document labels without a colon, told by where it stands.

A figure and one word behind many names is a price: games have money of their own, as berries or
reeds. Words that begin the parts of many lines are labels, as in "Cost 2 | Place Swamp". Both are
given the signs of a label, and are read like any other. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.names import looks_like_name, trim_name
from cardgen.importing.finding.vocabulary import find_label, list_words
from cardgen.importing.model import Block, Styled

_PRICE = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?\s([^\W\d_]{3,})(?=\s*(?:$|[.,;:()\[\]|/·•–—]|-\s))")
_BEFORE = re.compile(r"(?:\s+[–—-]+\s+|\s?—\s?|\s*[(\[]|:\s+|\.\s+|\s*[|·•…]\s*|\.{3,}\s*|\s{3,})$")
_OPENED = re.compile(r"[(\[]\s*$")
_FEWEST = 3
_LETTERS = 4  # of a word, that its plural has too
_NUMBERED = "0123456789.)# "
_NAMED = "behind a name"
_STATED = "stated"
_FIGURE = re.compile(r"[+–-]?\d[\d.,/+d]*\W*\w{0,2}")
_SEPARATORS = (" | ", "; ", " · ", " • ", " / ", ". ", ", ")
_WEAK = (". ", ", ")  # which part sentences, too
_LONGEST = 100
_MOST_WORDS = 5


class _Price(NamedTuple):
    at: int
    start: int
    figure: str
    name: str  # that it stands behind; empty where it stands alone


def label_prices(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a label before each price in a unit that the vocabulary lacks."""
    found: defaultdict[tuple[object, ...], list[_Price]] = defaultdict(list)
    for at, block in enumerate(blocks):
        for key, price in _list_prices(at, block):
            found[key].append(price)
    labelled = list(blocks)
    label = Styled.of(f"{list_words('labels', 'cost')[0]}: ")
    for prices in found.values():
        names = {price.name for price in prices if price.name}
        several = len({price.at for price in prices}) >= _FEWEST
        if not several or len({p.figure for p in prices}) < 2 or 0 < len(names) < len(prices):
            continue
        for price in prices:
            block = labelled[price.at]
            if block is blocks[price.at]:
                whole = block.content.cut(0, price.start).join(label)
                content = whole.join(block.content.cut(price.start))
                labelled[price.at] = replace(block, content=content, sources=block.lines)
    return labelled


def _list_prices(at: int, block: Block) -> Iterator[tuple[tuple[object, ...], _Price]]:
    """Yield the prices of a line, each with how it stands there, and with its unit."""
    if block.cells or block.kind not in ("line", "heading", "item"):
        return
    for match in _PRICE.finditer(block.text):
        before, unit = block.text[: match.start()], match[1].casefold()
        if unit in list_words("cost", "others") or take_facts(match[0]).facts:
            continue
        parted = _BEFORE.search(before)
        name = trim_name(before[: parted.start()] if parted else "").lstrip(_NUMBERED)
        last = not block.text[match.end() :].strip(" .)]")
        if not before.strip(" (["):
            form = "alone" if last else ""
        elif parted and looks_like_name(name, marked=True):
            form = _NAMED
        else:
            form = "last" if last and _OPENED.search(before) else ""
        if form and ":" not in name:
            price = _Price(at, match.start(), match[0].split()[0], name * (form == _NAMED))
            yield (block.kind, block.level, form, unit.rstrip("s")[:_LETTERS]), price


def label_words(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a colon behind the words that begin the parts of many lines."""
    found: defaultdict[tuple[object, ...], dict[int, list[Styled]]] = defaultdict(dict)
    for at, block in enumerate(blocks):
        if key := _read_words(block):
            found[key][at] = _part(block.content.strip(" ."), str(key[0]))
    labelled = list(blocks)
    for (separator, *words), lines in found.items():
        values = [part.text.partition(" ")[2] for parts in lines.values() for part in parts]
        told = len({*values}) > len(words) and not all(map(_FIGURE.fullmatch, values))
        if len(lines) < _FEWEST or not told:
            continue
        for at, parts in lines.items():
            content = _label(parts[0])
            for part in parts[1:]:
                content = content.join(_label(part), str(separator))
            labelled[at] = replace(blocks[at], content=content, sources=blocks[at].lines)
    return labelled


def _read_words(block: Block) -> tuple[object, ...]:
    """Return what parts a line, and the words that its parts begin with; nothing for a sentence."""
    text = block.text.strip(" .")
    if block.cells or block.kind not in ("line", "item") or len(text) > _LONGEST or ":" in text:
        return ()
    separator = next((one for one in _SEPARATORS if one in text), "")
    parts = text.split(separator) if separator else []
    words = [part.split() for part in parts]
    if len(parts) < 2 or not all(2 <= len(part) <= _MOST_WORDS for part in words):
        return ()
    if not all(part[0][:1].isupper() and part[0].isalpha() for part in words):
        return ()
    firsts = [_STATED if _find_stated(part) else part.split()[0] for part in parts]
    known = any(find_label(first.casefold()) for first in firsts)
    own = sum(first != _STATED for first in firsts)
    return (separator, *firsts) if own > 1 and (known or separator not in _WEAK) else ()


def _find_stated(part: str) -> str | None:
    """Return what a part states that has no label, as "Once per game"."""
    taken = take_facts(part)
    stated = next((fact for fact in taken.facts if fact.gives in ("who", "uses")), None)
    return stated.gives if stated and not stated.labelled and taken.end >= len(part) else None


def _part(content: Styled, separator: str) -> list[Styled]:
    parts, start = [], 0
    for text in content.text.split(separator):
        parts.append(content.cut(start, start + len(text)).strip())
        start += len(text) + len(separator)
    return parts


def _label(part: Styled) -> Styled:
    stated = _find_stated(part.text)
    if stated:
        return Styled.of(f"{list_words('labels', stated)[0]}: ").join(part)
    end = len(part.text.split()[0])
    return part.cut(0, end).join(Styled.of(":")).join(part.cut(end))
