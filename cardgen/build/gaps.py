"""What is not in the language asked for: fields of cards, and words that templates print."""

from __future__ import annotations

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import Problem, Where, count, list_some, shorten
from cardgen.deck.model import Missing

_MOST_NAMED = 5


def find_gaps(templates: DeckTemplates) -> tuple[Problem, ...]:
    """Return a note for each field and each word that is not in the language asked for.

    None of them keeps a deck from being built.
    """
    deck = templates.deck
    where = Where(str(deck.path))
    gaps: list[Problem] = []
    if deck.translation is not None:
        language = deck.translation.language
        gaps += [
            Problem(
                "build/text-not-translated",
                f"not in {language}: {_name_missing(gap)}",
                where,
                field=gap.field,
                details={"language": language, "cards": tuple(gap.cards)},
            )
            for gap in deck.translation.missing
        ]
    words = templates.list_untranslated()
    if words:
        named = ", ".join(f'"{shorten(word)}"' for word in words)
        gaps.append(
            Problem(
                "build/word-not-translated",
                f"no word in {deck.language} for {named}",
                where,
                f"write them into words/{deck.language}.yaml of your project",
                details={"language": deck.language, "words": tuple(words)},
            )
        )
    return tuple(gaps)


def _name_missing(gap: Missing) -> str:
    if not gap.cards:
        return f"the {gap.field}"
    cards = count(len(gap.cards), "card")
    return f"{gap.field} of {cards} ({list_some(gap.cards, _MOST_NAMED)})"
