"""How sure a card is: the measured share of right cards among those that were found as it was.

A card is right if its name, its fields and its words are. Measured by `make corpus` over documents
that the finder was not made on, and written here by hand. Knows nothing of how cards are found.
"""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.importing.model import Styled

_BELOW_HEADINGS = 0.75  # whatever they have in common: labels are easily taken for texts
# Below names that are told by their print alone.
_IN_COMMON = 0.85
_ALIKE = 0.8  # many an odd text has what is printed like a name and is none
_MUCH_IN_COMMON = 0.5
_SEVERAL = 0.5  # paragraphs: the last may be none of the card's
_LACKS_IT = 0.3
IN_DATA = 0.95
IN_A_TABLE = 0.85  # of a text: people and programs part its columns otherwise
NAMES_GUESSED = 0.91  # in a table whose header does not say which column has them
WITHOUT_A_HEADER = 0.5
_ODD_BELOW_HEADINGS = 0.9
_ODD = 0.6
_MANY = 4


def measure(
    usual: Sequence[str],
    has: int,
    paragraphs: Sequence[Styled],
    *,
    headed: bool,
    small: bool = False,
) -> float:
    """Return how sure a card is.

    usual: the facts and labels that nearly all cards of its document have; has: how many of these
    it has; headed: whether its name is a heading; small: whether names begin with small letters, as
    texts do then
    """
    several = len(paragraphs) > 1
    if usual and not has:
        sure = _LACKS_IT
    elif headed:
        sure = _BELOW_HEADINGS
    elif not usual:
        sure = _SEVERAL if several else _ALIKE
    elif several:
        sure = _SEVERAL
    else:
        sure = _IN_COMMON if len(usual) < _MANY else _MUCH_IN_COMMON
    odd = any(_is_odd(part.text, small=small) for part in paragraphs)
    return sure * (1.0 if not odd else _ODD_BELOW_HEADINGS if headed else _ODD)


def _is_odd(text: str, *, small: bool) -> bool:
    """Whether a paragraph looks as though something in it was not understood."""
    unread = ":" in text[:25] or (text[:1].islower() and not small) or "   " in text
    return unread or not any(map(str.isalpha, text))  # "5 1 7 8 2"
