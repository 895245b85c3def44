"""What an element depends on: the names that it reads, and whether these choose among a few ways in
which it looks.

Knows nothing of cards.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from cardgen.template.expressions import TextExpression
from cardgen.template.template import Content, Element, Let
from cardgen.template.vocabulary import CHOICES

# What says the same of every card of a deck.
_SAME_FOR_ALL = frozenset({"deck"})
# What reads it is one card's own.
_OWN = frozenset({"card"})


def looks_few_ways(element: Element) -> bool:
    """Whether all that an element reads chooses among few ways in which it looks.

    A text of the card's may be any, and so may a measure. A text that is fitted to its box tells
    which card it was set smaller on, so each card sets its own.
    """
    for name, expression in element.expressions:
        if expression.reads - _SAME_FOR_ALL and name not in CHOICES:
            return False
    if isinstance(element.text, TextExpression) and element.text.reads - _SAME_FOR_ALL:
        return False
    if element.constants.get("fit") in ("box", "deck") and element.tag in ("text", "flow"):
        return False
    return _all_few(element.children)


def _all_few(content: Sequence[Content]) -> bool:
    return all(
        one.choices is not None if isinstance(one, Element) else _all_few(one.content)
        for one in content
        if not isinstance(one, Let)
    )


def find_reads(element: Element) -> frozenset[str]:
    """Return all names that an element reads, its loop and condition left out.

    A text whose size the deck shares, and a picture that is called after its card, are each card's
    own.
    """
    names: set[str] = set()
    for name, expression in element.expressions:
        names |= expression.reads
        if name == "fit" or (element.tag == "image" and "alt" not in element.constants):
            names |= _OWN
    if element.constants.get("fit") == "deck":
        names |= _OWN
    if isinstance(element.text, TextExpression):
        names |= element.text.reads
    return frozenset((names | _join_reads(element.children)) - _SAME_FOR_ALL)


def _join_reads(content: Sequence[Content]) -> Set[str]:
    """Return what elements read, and what their conditions and loops do."""
    names: set[str] = set()
    for one in content:
        if isinstance(one, Let):
            continue
        inner = one.reads if isinstance(one, Element) else _join_reads(one.content)
        if one.condition is not None:
            inner |= one.condition.reads
        if one.loop is not None:
            inner = (inner - set(one.loop.names)) | one.loop.items.reads
        names |= inner
    return names
