"""How sure a card is: the measured share of right cards among those that were found as it was.

A card is right if its name, its fields and its words are. Measured by `make corpus` over documents
that the finder was not made on, and written here by hand. Knows nothing of how cards are found.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.importing.model import Styled

# What is usual among the cards of a document, and how much of that a card has.
_NOTHING_USUAL = 0.62
_LACKS_IT = 0.3
_HAS_IT = 0.8
_LABELLED = 0.82
IN_A_TABLE = 0.82
_ODD = 0.75
_MANY = 3


def measure(usual: Sequence[str], has: int, paragraphs: Sequence[Styled]) -> float:
    """Return how sure a card is.

    usual: the facts and labels that nearly all cards of its document have; has: how many of these
    it has
    """
    if not usual:
        sure = _NOTHING_USUAL
    elif not has:
        sure = _LACKS_IT
    else:
        sure = _LABELLED if len(usual) >= _MANY else _HAS_IT
    return sure * (_ODD if any(_is_odd(part.text) for part in paragraphs) else 1.0)


def _is_odd(text: str) -> bool:
    """Whether a paragraph looks as though something in it was not understood."""
    return ":" in text[:25] or text[:1].islower() or "   " in text
