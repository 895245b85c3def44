"""Prices that stand otherwise than most: in units that the vocabulary lacks, or before names.

Games have money of their own, as berries or reeds. A price is given the signs of a label and stands
behind its name or below it, and is read like any other. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.facts import SIGNS, begins_with_price, take_facts
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.names import looks_like_name, trim_name
from cardgen.importing.finding.vocabulary import get_pattern, list_words
from cardgen.importing.model import Block, Styled

_NUMBER = r"(?:\d{1,3}(?:[.,]\d{3})+(?!\d)|\d{1,5}(?:[.,]\d{1,2})?[½¼¾]?)"
_FIGURE = rf"{_NUMBER}(?:\s?[–-]\s?{_NUMBER})?"  # "2,200", "3–9"
_UNIT = rf"(?:\s[^\W\d_]+|[^\W\d_]{{1,2}}\.?(?![^\W_])|\s?[{SIGNS}]|\s?[€£$¥])"
_SUM = r"[^\W\d_]{1,3}\.?\s?\d{1,5},(?:\d\d|-{1,2}|—)"  # "Mk. 1,20", "f 45,-"
_SIGNED = rf"[€£$¥]\s?{_FIGURE}(?:,-{{1,2}}|,—)?"
_WRITTEN = rf"(?:{get_pattern('cost', 'before')}\.?\s{_FIGURE})"  # "Rs. 20"
_SLASH = r"\d{1,3}/(?:\d{1,2}|-)(?![\d/])|\d{1,4}\.-"  # "1/6", "3/-", "20.-"
_COIN = rf"(?:{_SUM}|{_SIGNED}|{_WRITTEN}|{_SLASH}|{_FIGURE}{_UNIT}|[{SIGNS}]\s?{_NUMBER})"
_EACH = rf"(?:\s?/\s?[^\W\d_]+|\s(?:a|an|{get_pattern('cost', 'apiece')})(?:\s[^\W\d_]+)?)?"
_PRICE = re.compile(rf"(?<![^\W_]){_COIN}(?:\s{_COIN})*{_EACH}(?=\s*(?:$|[.,;:()\[\]|/·•–—]|-\s))")
_STOPS = re.compile(r"(?<=[^\W\d_])\.(?=\s|$)")
_WORD = re.compile(rf"[^\W\d_]+|[{SIGNS}]")
_BEFORE = re.compile(
    r"(?:\s+[–—-]+\s+|\s?—\s?|\s*[(\[]|:\s+|\.\s+|\s*[|·•…]\s*|(?:\s?\.){3,}\s*|\s{3,})$"
)
_MORE = re.compile(r",\s*|\s+[–—-]+\s+")
_LISTED = re.compile(r"(?:,|\s/)\s+$")
_INSIDE = re.compile(r"\s*[(\[][^()\[\]]*[,;/|·]\s+$")
_LED = re.compile(r"\s*(?:[.…]\s?){3,}\s*$")
_OPENED = re.compile(r"[(\[]\s*$")
_PARTED = re.compile(r"\s+[–—-]+\s+|\s?:\s+|\s{2,}")
_WIDE = re.compile(r"\s{3,}")
_SHORTENED = re.compile(r"(?<![^\W_])\d{1,3}\s([A-ZÀ-Þ]{2,5})(?![^\W_])")
_GAP = re.compile(r"(?<=\S)\s{2,}")
_KNOWN = rf"(?:{get_pattern('cost', 'units')}|{get_pattern('cost', 'money')})"
_CLOSE = re.compile(  # "12s oilskin cloak. Keeps off the rain"
    rf"(\d{{1,5}}(?![xX]\b)[^\W\d_]{{1,2}}|\d{{1,5}}\s{_KNOWN}\b\.?|[€£$]\s?{_FIGURE}|{_FIGURE}\s?[€£$])\s+"
    r"(?P<name>[^\W\d_][^.:;!?–—]{1,40}?)(?:[.:;]\s+|\s[–—-]\s+)(?=\S)"
)
_DASHED = re.compile(r"\s+[–—-]+\s+")
_ABBREVIATED = re.compile(r"(?<![^\W_])[^\W\d_]{1,3}\.\s$")  # "Blade No. 6 – 65 pts" is no range
_FEWEST = 3
_MOST = 0.7
_SOON = 8  # letters within which a price has a figure
_REACH = 200  # letters before a price that may say what it is of
_LONGEST = 40  # letters of a price alone
_SURE = 0.9
_LETTERS = 4  # of a word, that its plural has too
_NUMBERED = "0123456789.)#× "
_NAMED = "behind a name"


class _Price(NamedTuple):
    at: int
    start: int
    written: str
    name: str  # that it stands behind; empty where it stands alone


def label_prices(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a label before each price in a unit that the vocabulary lacks."""
    found: defaultdict[tuple[object, ...], list[_Price]] = defaultdict(list)
    columns = _list_columns(blocks)
    for at, block in enumerate(blocks):
        for key, price in _list_prices(at, block):
            if columns[at][block.indent + price.start] > 1:
                continue
            alone = block.kind == "item" and price.written == block.text.strip()
            if not (alone and _is_among_things(blocks, at)):
                found[key].append(price)
    labelled = list(blocks)
    label = Styled.of(f"{list_words('labels', 'cost')[0]}: ")
    opened = Styled.of(f" ({label.text}")
    for prices in found.values():
        names = {price.name for price in prices if price.name}
        figures = {price.written for price in prices}
        several = len({price.at for price in prices}) >= _FEWEST
        if not several or len(figures) < 2 or 0 < len(names) < len(prices):
            continue
        for price in prices:
            block = labelled[price.at]
            if block is blocks[price.at]:
                end = price.start + len(price.written)
                led = None if price.name else _LED.search(block.text, 0, price.start)
                start = led.start() if led else price.start
                whole = block.content.cut(0, start).join(opened if led else label)
                more = block.content.cut(end)
                if parted := _MORE.match(more.text):  # what follows is no part of the price
                    more = Styled.of("; ").join(more.cut(parted.end()))
                bare = Styled.of(_STOPS.sub("", price.written))  # whose stops end no sentence
                content = whole.join(bare).join(Styled.of(")" if led else "")).join(more)
                labelled[price.at] = replace(block, content=content, sources=block.lines)
    return labelled


def _list_columns(blocks: Sequence[Block]) -> list[Counter[int]]:
    """Return for each line how often a column begins at a place in the lines that follow each other
    there and have three parts: where several do, a price is a cell of a table.
    """
    columns: list[Counter[int]] = []
    own: Counter[int] = Counter()
    for above, block in pairwise([None, *blocks]):
        if block is None:
            continue
        joined = above is not None and not block.gap and block.kind == above.kind == "line"
        own = own if joined else Counter()
        columns.append(own)
        starts = {gap.end() + block.indent for gap in _GAP.finditer(block.text)}
        if len(starts) > 1 and _WIDE.search(block.text):
            own.update(starts)
    return columns


def _is_among_things(blocks: Sequence[Block], at: int) -> bool:
    """Whether a list holds more than a figure with its unit: "6 walnuts" beside "2 eggs"."""
    beside = [block.text for block in blocks[max(0, at - 1) : at + 2] if block.kind == "item"]
    bare = {text.lstrip("0123456789 ") for text in beside if ":" not in text}
    return len(bare) > 1


def _list_prices(at: int, block: Block) -> Iterator[tuple[tuple[object, ...], _Price]]:
    """Yield the prices of a line, each with how it stands there, and with its unit."""
    if block.cells or block.kind not in ("line", "heading", "item"):
        return
    if sum(part[:1].isdigit() for part in _WIDE.split(block.text.strip())) > 1:
        return  # a row of a table
    if len({*_SHORTENED.findall(block.text)}) > 1:
        return  # stats: "1 DAM, 2 RNG"
    for match in _PRICE.finditer(block.text):
        if _ABBREVIATED.search(block.text, 0, match.start()) and (dash := _DASHED.search(match[0])):
            match = _PRICE.match(block.text, match.start() + dash.end()) or match
        before = block.text[max(0, match.start() - _REACH) : match.start()]
        units = _WORD.findall(match[0].casefold())
        led = _LED.search(before) is not None
        short = max(map(len, units), default=0) < _FEWEST
        other = len(units) == 1 and units[0] in list_words("cost", "others")
        if (other and not (led and short)) or take_facts(match[0]).fills(match[0]):
            continue
        opened = _OPENED.search(before)
        if opened and ", " in before and begins_with_price(match[0]):
            continue  # "Hob, cook (2 sp a day)"
        parted, listed = _INSIDE.search(before) or _BEFORE.search(before), _LISTED.search(before)
        name = trim_name(before[: parted.start()] if parted else "").lstrip(_NUMBERED)
        end = len(block.text) - match.end() <= _REACH
        more = block.text[match.end() :].strip(" .,;)]") if end else ""
        last = end and (not more or take_facts(more).fills(more))
        lead = block.content.find_lead()
        if not before.strip(" (["):
            form = "alone" if last or take_facts(block.text, match.end()).facts else ""
        elif listed and lead >= listed.start() and looks_like_name(before[:lead].rstrip(" ,")):
            form, name = _NAMED, trim_name(before[:lead])
        elif listed and last and looks_like_name(before[: listed.start()]):
            form, name = _NAMED, trim_name(before[: listed.start()]).lstrip(_NUMBERED)
        elif parted and looks_like_name(name, marked=True) and not (led and name[0].islower()):
            form = _NAMED
        else:
            ended = re.match(_SUM, match[0]) and before.rstrip()[-1:] in ".!?"
            form = "last" if last and (ended or led or opened) else ""
        # "Rope – Fine: 2 reeds", "Rope (cost: 2 reeds)"
        inside = _DASHED.search(name) or name.count("(") > name.count(")")
        labelled = parted and ":" in parted[0] and inside
        if form and ":" not in name and not labelled:
            price = _Price(at, match.start(), match[0], name * (form == _NAMED))
            # Coins of one or two letters are told by that: "2g 5s", "9s".
            unit = "coin" if short else units[0].rstrip("s")[:_LETTERS]
            yield (block.kind, block.level, form, unit), price


def move_prices(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with prices behind names that they stand before, or below those above."""
    moved = list(blocks)
    before = {at: found for at, block in enumerate(blocks) if (found := _part_price(block))}
    names = {name.text for _, name, _ in before.values()}
    small = all(name[:1].islower() for name in names)
    named = sum(looks_like_name(name, marked=small) for name in names)
    prices = {price.text for price, _, _ in before.values()}
    if len(before) >= _FEWEST and named >= _MOST * len(before) and len(prices) > 1:
        for at, (price, name, text) in before.items():
            content = name.join(price, " (").join(Styled.of(")")).join(text)
            moved[at] = replace(blocks[at], content=content, sources=blocks[at].lines)
    alone = [at for at, block in enumerate(blocks[:-1]) if _is_price(block)]
    heading = [at for at in alone if _heads_name(blocks, at)]
    if len(heading) >= _FEWEST and len(heading) >= _MOST * len(alone):
        for at in heading:
            above, below = moved[at], moved[at + 1]
            moved[at] = replace(below, gap=max(1, above.gap))
            moved[at + 1] = replace(above, gap=0)
    return moved


def _part_price(block: Block) -> tuple[Styled, Styled, Styled] | None:
    """Return the price that a line begins with, the name behind it, and the text behind that."""
    if block.cells or block.kind not in ("line", "heading", "item"):
        return None
    content = block.content.strip()
    end = _find_price(content.text)
    known = end and take_facts(content.text).facts
    parted = (_PARTED if known else _DASHED).match(content.text, end) if end else None
    if close := _CLOSE.match(content.text):
        name, text = content.cut(*close.span("name")), content.cut(close.end())
        if not looks_like_name(name.text, marked=True):
            return None
        return content.cut(0, close.end(1)), name, Styled.of(": ").join(text)
    if parted is None:
        return None
    rest = content.cut(parted.end())
    colon = rest.text.find(": ")
    name, text = (rest.cut(0, colon), rest.cut(colon)) if colon > 0 else (rest, Styled.of(""))
    named = looks_like_name(name.text, marked=True) and not name.text[0].isdigit()
    if not named or take_facts(name.text).facts:
        return None
    return content.cut(0, end), name, text


def _find_price(text: str) -> int:
    """Return where a price ends that a text begins with, in whatever coin; 0 where it has none."""
    if not any(map(str.isdigit, text[:_SOON])):
        return 0
    taken = take_facts(text)
    if [fact.gives for fact in taken.facts] == ["cost"] and taken.sure >= _SURE:
        first = taken.facts[0]
        return len(first.written) * (text.startswith(first.written) and not first.labelled)
    match = _PRICE.match(text)
    units = _WORD.findall(match[0].casefold()) if match else []
    return match.end() if match and {*units}.isdisjoint(list_words("cost", "others")) else 0


def _is_price(block: Block) -> bool:
    if block.kind != "line" or len(block.text) > _LONGEST:
        return False
    taken = take_facts(block.text)
    said = [(fact.gives, fact.labelled) for fact in taken.facts]
    return taken.fills(block.text) and said == [("cost", False)]


def _heads_name(blocks: Sequence[Block], at: int) -> bool:
    """Whether a line stands above a name, with white space above it and none below."""
    below = blocks[at + 1]
    apart = (blocks[at].gap > 0 or not at) and not below.gap
    named = looks_like_name(below.text) and find_labelled(below.content) is None
    return apart and below.kind == "line" and named
