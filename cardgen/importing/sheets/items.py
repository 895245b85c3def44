"""Lines behind bullets become the items of a list, each as deep as its indent and its sign say.

A list whose every item is a modifier is a table, and never comes here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardgen.importing.finding.joiner import Joiner
from cardgen.importing.finding.names import find_shape
from cardgen.importing.model import BOLD, Styled
from cardgen.importing.sheets.flow import goes_on_apart, goes_on_below, is_wrapped, runs_on
from cardgen.importing.sheets.lines import SheetLine
from cardgen.importing.sheets.pieces import Item
from cardgen.importing.sheets.rules import ENDED, RUN_IN

_MOST_DEEP = 2
_MINUS = re.compile(r"\d+\s+[a-z(]")


def read_items(
    lines: Sequence[SheetLine], at: int, joiner: Joiner, width: int
) -> tuple[list[Item], int]:
    items: list[Item] = []
    stack: list[tuple[int, str]] = []
    while at < len(lines) and lines[at].kind == "item":
        line = lines[at]
        depth = _find_depth(stack, line)
        end = at + 1
        while end < len(lines) and _goes_on(lines, end, line, width):
            end += 1
        taken = lines[at:end]
        content = joiner.join([one.content for one in taken])
        if line.mark in "+-" and _MINUS.match(content.text):
            content = Styled.of(line.mark).join(content)
        sources = tuple(source for one in taken for source in one.sources)
        items.append(Item(embolden_item(content), sources, depth))
        at = end
    return items, at


def _find_depth(stack: list[tuple[int, str]], line: SheetLine) -> int:
    own = line.indent, line.mark
    while stack and stack[-1][0] > own[0]:
        stack.pop()
    if own in stack:
        del stack[stack.index(own) + 1 :]
    elif not stack or own[0] > stack[-1][0] or own[1] != stack[-1][1]:
        stack.append(own)
    return min(len(stack) - 1, _MOST_DEEP)


def _goes_on(lines: Sequence[SheetLine], at: int, item: SheetLine, width: int) -> bool:
    above, line = lines[at - 1], lines[at]
    if goes_on_apart(above, line, width):
        return True
    if line.kind != "line" or line.gap or line.listed or line.cells:
        return False
    if runs_on(above, line) or goes_on_below(above, line):
        return True
    if line.indent > item.indent and find_shape(line.text) != "capitals":
        return True
    return is_wrapped(above, line, width)


def embolden_item(content: Styled) -> Styled:
    """`Draw: both sides fall back` with what it is about in bold."""
    found = RUN_IN.match(content.text)
    if not found or ":" not in found[0] or "1" in content.marks or ENDED.search(found[1]):
        return content
    if re.fullmatch(r"[+\-−–]?\d\S*(?:\s\S+)?", content.text[found.end() :]):
        return content  # "Close range: +1" is a row, and its label no heading
    colon = content.text.index(":", found.end(1)) + 1
    return Styled.of(content.text[: found.end(1)] + ":", BOLD).join(content.cut(colon))
