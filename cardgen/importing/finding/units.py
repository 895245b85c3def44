"""Prices in units that the vocabulary lacks: a figure and one word behind many names.

Games have money of their own, as berries or reeds. A price is given the signs of a label, and is
read like any other. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.names import looks_like_name, trim_name
from cardgen.importing.finding.vocabulary import list_words
from cardgen.importing.model import Block, Styled

_PRICE = re.compile(r"\d{1,4}(?:[.,]\d{1,2})?\s([^\W\d_]{3,})(?=\s*(?:$|[.,;:()\[\]|/·•–—]|-\s))")
_BEFORE = re.compile(r"(?:\s+[–—-]+\s+|\s?—\s?|\s*[(\[]|:\s+|\.\s+|\s*[|·•…]\s*|\.{3,}\s*|\s{3,})$")
_DASH = re.compile(r"\s[–—-]+\s")
_LISTED = re.compile(r"(?:,|\s/)\s+$")
_INSIDE = re.compile(r"\s*[(\[][^()\[\]]*[,;/|·]\s+$")
_OPENED = re.compile(r"[(\[]\s*$")
_FEWEST = 3
_LETTERS = 4  # of a word, that its plural has too
_NUMBERED = "0123456789.)# "
_NAMED = "behind a name"


class _Price(NamedTuple):
    at: int
    start: int
    written: str
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
        figures = {price.written.split()[0] for price in prices}
        several = len({price.at for price in prices}) >= _FEWEST
        if not several or len(figures) < 2 or 0 < len(names) < len(prices):
            continue
        for price in prices:
            block = labelled[price.at]
            if block is blocks[price.at]:
                end = price.start + len(price.written)
                whole = block.content.cut(0, price.start).join(label)
                more = block.content.cut(end)
                if more.text[:1] == ",":  # what follows is no part of the price
                    more = Styled.of(";").join(more.cut(1))
                content = whole.join(block.content.cut(price.start, end)).join(more)
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
        parted, listed = _INSIDE.search(before) or _BEFORE.search(before), _LISTED.search(before)
        name = trim_name(before[: parted.start()] if parted else "").lstrip(_NUMBERED)
        last = not block.text[match.end() :].strip(" .)]")
        lead = block.content.find_lead()
        if not before.strip(" (["):
            form = "alone" if last or take_facts(block.text, match.end()).facts else ""
        elif listed and lead >= listed.start() and looks_like_name(before[:lead].rstrip(" ,")):
            form, name = _NAMED, trim_name(before[:lead])
        elif listed and last and looks_like_name(before[: listed.start()]):
            form, name = _NAMED, trim_name(before[: listed.start()]).lstrip(_NUMBERED)
        elif parted and looks_like_name(name, marked=True):
            form = _NAMED
        else:
            form = "last" if last and _OPENED.search(before) else ""
        labelled = parted and ":" in parted[0] and _DASH.search(name)  # "Rope – Fine: 2 reeds"
        if form and ":" not in name and not labelled:
            price = _Price(at, match.start(), match[0], name * (form == _NAMED))
            yield (block.kind, block.level, form, unit.rstrip("s")[:_LETTERS]), price
