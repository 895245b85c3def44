"""What a deck that is built in another language does not say in it: texts, and words of templates.

Part of build. Turns a deck and its faces into notes; nothing of it keeps a deck from being built.
"""

from __future__ import annotations

from cardgen.deck.model import Deck, Missing
from cardgen.errors import Problem, Where, shorten
from cardgen.faces import FaceMaker

_MOST_NAMED = 5


def find_gaps(deck: Deck, faces: FaceMaker) -> tuple[Problem, ...]:
    """A note for each field that some cards lack, and for each word."""
    where = Where(str(deck.path))
    gaps: list[Problem] = []
    if deck.translation is not None:
        language = deck.translation.language
        gaps += [
            Problem(f"not in {language}: {_name_missing(gap)}", where, field=gap.field)
            for gap in deck.translation.missing
        ]
    words = faces.list_untranslated()
    if words:
        named = ", ".join(f'"{shorten(word)}"' for word in words)
        hint = f"write them into words/{deck.language}.yaml of your project"
        gaps.append(Problem(f"no word in {deck.language} for {named}", where, hint))
    return tuple(gaps)


def _name_missing(gap: Missing) -> str:
    if not gap.cards:
        return f"the {gap.field}"
    named = ", ".join(gap.cards[:_MOST_NAMED])
    more = len(gap.cards) - _MOST_NAMED
    rest = f" and {more:,} more" if more > 0 else ""
    cards = f"{len(gap.cards):,} card{'' if len(gap.cards) == 1 else 's'}"
    return f"{gap.field} of {cards} ({named}{rest})"
