"""The parts that rules of facts share: figures, words for points, ranks, roles. Data alone."""

from __future__ import annotations

PARTS = {
    # Scans take 0 for O and 1 for l.
    "digits": (
        r"(?:\d[\dOo]{0,3}|[lI][\dOo]{1,3})(?!(?!p(?:oin)?ts?\b)[\w%]|[.,]\d|"
        r"\s?(?:cm|mm|inch|\"|in\b))"
    ),
    "sign": r"plus|minus|\+/-|[+±\-−–—‐‑‒]",
    "points": r"(?:points?|pts?|pnts?|pionts?)\b\.?",
    "per": (
        r"(?:\s*(?-i:/|per|for each|for every|a|each)\s*(?:unit|model|figure|company|"
        r"regiment|stand|ship|base|character|item|card|copy)\b|\s*(?-i:each|"
        r"apiece)\b)?"
    ),
    "cost word": (
        r"(?:(?:points?|pts?)[ .-]{0,2}(?:cost|value|price)|costs?(?: in points)?|"
        r"price|value|points?|pts)"
    ),
    "colon": r"\s*(?:[:;=.]|[-–—](?=\s*[+\-−–—]))?\s*",
    # Up to the end of the sentence, of the brackets, or to the next fact.
    "rest": r"[^.;:|·•()\[\]\n]+?(?:\([^()]*\)[^.;:|·•()\[\]\n]*?)?",
    "end": (
        r"(?=\s{{3,}}|\s*(?:$|[.;|·•()\[\]]|/\s|\s[–—-]\s|,?\s*(?:{cost word}\s*[:=+\-−–—\d]|"
        r"(?:{sign})?\s?{digits}\s*{points}|{use})))"
    ),
    "use": (
        r"(?:(?:one|single|1)[ -](?:use|shot)(?: only)?|use once(?: only)?|usable "
        r"once(?: only)?(?: (?:per|in the) (?:game|battle))?"
        r"|(?:once|twice) per [a-z]+(?: only)?"
        r"|(?:only )?(?:once|twice|one turn|one use|\d times) (?:per|a|each|in a|in "
        r"the|every) (?:game|battle|turn|round)(?: only)?|once only|one turn(?: "
        r"only)?"
        r"|(?:for )?(?:the )?entire (?:game|battle)|(?:lasts )?(?:all|whole) "
        r"(?:game|battle)|(?:for )?(?:the )?first (?:combat )?engagement(?: only)?"
        r"|permanent|discard after use|used once(?: only)?|instant)"
    ),
    "closed": r"(?=\s{{3,}}|\s*(?:$|[.,;:|/·•()\[\]*]|[–—-]\s))",
    # What a unit or an engine can do: its value stands behind the word.
    "stat word": (
        r"(?:range|attacks?|hits|armou?r|command|unit size|move(?:ment)?|save|speed|strength|"
        r"toughness|wounds|initiative|min/max|crew)"
    ),
    "stat value": (
        r"(?:\d+\s?(?:cm|mm|in(?:ch(?:es)?)?|\")|\d+\s*/\s*[\dD][\w+-]*(?: per \w+)?|"
        r"\d+/?(?:-\d+)+|\d\+|\d{1,2}|varies|special)"
    ),
    "rank word": (
        r"(?:minor|lesser|major|greater|superior|supreme|inferior|basic|standard|"
        r"advanced|master(?:work)?|grand|normal|common|rare|epic"
        r"|(?:rank|level|grade|tier|class)\s*(?:\d|[IV]{1,3}\b|[A-C]\b)|(?:first|"
        r"second|third|1st|2nd|3rd) (?:rank|level|grade|class))"
    ),
    "role": (
        r"(?:infantry|cavalry|chariots?|artillery|machines?|monsters?|flyers?|"
        r"units?|characters?|generals?|hero(?:es)?|wizards?|mages?|sorcerers?|"
        r"shamans?"
        r"|priests?|runesmiths?|models?|figures?|stands?|troops?|armies|army|"
        r"players?|archers?|knights?|warriors?|commanders?|leaders?|captains?|ships?"
        r"|wagons?|war ?machines?|terrain features?|dwarf|elf|elven|orc|goblin|"
        r"empire|undead|human|enemy|friendly|own|of|or|and|the|a|an|any|all|all "
        r"other|missile|shooting|mounted|foot|only)"
    ),
    "role noun": (
        r"(?:infantry|cavalry|chariots?|artillery|machines?|monsters?|flyers?|units?|"
        r"characters?|generals?|hero(?:es)?|wizards?|mages?|sorcerers?|shamans?|priests?|"
        r"runesmiths?|models?|figures?|stands?|troops?|army|armies|players?|archers?|knights?|"
        r"warriors?|commanders?|leaders?|captains?|officers?|ships?|crews?)"
    ),
}


def expand(pattern: str) -> str:
    """A pattern with its parts written out."""
    for _ in range(4):
        for name, part in PARTS.items():
            pattern = pattern.replace(f"{{{name}}}", part)
    return pattern.replace("{{", "{").replace("}}", "}")
