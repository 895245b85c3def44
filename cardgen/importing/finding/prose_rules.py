"""Tells an article's prose from a card's effect, and a chapter's heading from a name.

Data alone: each rule has a weight; weights are added up, and from PROSE on a text is prose.
"""

from __future__ import annotations

import re
from typing import NamedTuple

PROSE = 0.5
_SURELY = 1.0
_MOST_AGAINST = -0.3


class ProseRule(NamedTuple):
    name: str
    looks_for: str
    weight: float


PROSE_RULES = (
    ProseRule(
        "the author speaks",
        r"\b(?:we|our|us|I|my|ours|I've|I'm|we've|we're|we'd)\b(?![’'”\"])",
        0.6,
    ),
    ProseRule(
        "speaks of the publication",
        (
            r"\b(?:article|issue|magazine|newsletter|next month|this month|website|web "
            r"?site|download|photocop\w+|printing|edition|playtest\w*|appendix|"
            r"overleaf|this book|you read this|page \d+|pages|printed|reprinted|published|authors?|"
            r"rulebook|"
            r"supplement)\b"
        ),
        0.5,
    ),
    ProseRule(
        "speaks of the cards",
        (
            r"\b(?:the following|these (?:cards|items|rules|pages)|the cards|cards of (?:your|"
            r"their) own|your own cards|the items|(?:each|every) card|all (?:the "
            r")?(?:cards|items|prices|costs)|as follows|(?:items|cards|standards|"
            r"weapons|devices) (?:below|above)|below are|here (?:is|are)|every deck)\b"
        ),
        0.5,
    ),
    ProseRule(
        "how cards are dealt",
        (
            r"\b(?:shuffle|deal|dealt|cut (?:them|these) out|copy (?:it|them)|face[- "
            r"]?(?:up|down)|photocopier|deck of)\b"
        ),
        0.4,
    ),
    ProseRule(
        "a price list",
        (
            r"\b(?:prices?|army list|points cost|roster|your army|an army|each army|"
            r"campaign)\b"
        ),
        0.25,
    ),
    ProseRule(
        "a caption",
        (
            r"(?:^[^.!?]*|[.] )\b(?:(?:models?|miniatures?|figures?) (?:from|by|courtesy)\b|"
            r"studio collection|[Pp]ainted by|"
            r"(?:modelled|painted|sculpted|converted|drawn|photographed|built) by|"
            r"in the hands of|\bhas painted|under (?:its|their) banner|"
            r"(?:from|of) the collection|collection of|awaits? the|"
            r"prepares? to|advances? (?:up)?on|charges? home)\b"
        ),
        0.6,
    ),
    ProseRule(
        "a farewell",
        r"\b(?:rest of them|see you|cheers|regards|yours truly|tomorrow|next time)\b",
        0.3,
    ),
    ProseRule("a chapter", r"\bchapters?\b", 0.3),
    ProseRule(
        "what players say",
        (
            r"\b(?:readers?|players?|friends?|people|many) (?:(?:have|has|often|sometimes|who) )*"
            r"(?:asked|ask|asks|wrote|written|said|complained?|wonder(?:ed)?)\b"
        ),
        0.5,
    ),
    ProseRule(
        "there are more",
        r"\bthere are (?:other|others|many|more|plenty|some)\b|\b(?:is|are) said to (?:have|be)\b",
        0.3,
    ),
    ProseRule("a question or its answer", r"^(?:Q|A|Question|Answer)\s?[:.]\s", 0.7),
    ProseRule(
        "who made it",
        (
            r"^(?:words|text|rules|cards|items|written|compiled|typed|collected|designed|edited|"
            r"translated|illustrated|photographs|pictures)(?:,? (?:and|up|in) \w+)* by\b"
        ),
        0.6,
    ),
    ProseRule(
        "a greeting",
        (
            r"\b(?:have fun|good luck|enjoy|happy|thanks?|welcome|hope|write to|let us "
            r"know|invent\w*|designed|see you|until then|"
            r"that(?:'s| is) (?:all|it|the (?:list|lot|end))|comments to)\b"
        ),
        0.4,
    ),
    ProseRule(
        "a kind of thing in general",
        (
            r"(?:^|[.!?] )(?:(?!one|two|three|four|both|no|some|your|his|its|their|enemy)\w+ )?"
            r"(?:items|cards|standards|weapons|devices|relics|charms|trinkets|"
            r"artefacts|artifacts|treasures|banners|potions|scrolls|spells|wonders) "
            r"(?:are|may be|can be|come|cost|were|do)\b|"
            r"(?:^|[.!?] )an? (?:magic )?(?:weapon|standard|banner|device|relic|item|charm|spell|"
            r"potion|card|treasure) (?:can|may|is) "
        ),
        0.5,
    ),
    ProseRule(
        "who may have such things",
        (
            r"\b(?:may (?:each )?(?:have|carry|take|wear|buy|be (?:given|carried|taken|used|"
            r"bought))|more than one|only once|only one|at most|as many as|any number|"
            r"up to (?:one|two|three)|one each)\b"
        ),
        0.2,
    ),
    ProseRule(
        "the sequence of a book",
        (
            r"^(?:then|next|now|first|finally|also),? |\b(?:the next|later on|so far|in "
            r"the last|for some (?:time|months|years))\b"
        ),
        0.2,
    ),
    ProseRule(
        "this card",
        (
            r"\b(?:this card|this item|play this|discard this|keep this|the bearer|the "
            r"wearer|the unit|the character|the opponent|your opponent|no effect|one of "
            r"your)\b"
        ),
        -0.5,
    ),
    ProseRule(
        "dice and figures",
        (
            r"\b\d*D\d+\b|\b[2-6]\+|[+−-]\d\b|\bre-?rolls?\b|\b\d+ ?cm\b|\bround of "
            r"combat\b|\bonce per game\b"
        ),
        -0.4,
    ),
)

# Words that a heading of a chapter is made of.
SECTION_WORDS = re.compile(
    r"(?:\b(?:(?:magic(?:al)?|enchanted|great(?:er)?|lesser|common|arcane|rare|"
    r"new|more|six|seven|ten|twelve|list|rules?|event|tactics?|battle|playing|"
    r"using|your|quick|designer['’]?s?|"
    r"special|campaign|item|game|war|army|dwarf|elven|orc|undead|empire|chaos|"
    r"points|page|how|to|use|what|is|the|of|and|for|in|with|a|these|other|part|"
    r"section|[a-z]|\d+|[ivx]+|see|"
    r"power|renown|battlefield)|"
    r"(?P<plural>items?|cards?|standards|banners|weapons|swords|armou?r|shields|"
    r"devices|relics|charms|trinkets|artefacts|artifacts|treasures|potions|"
    r"scrolls|rings|talismans|spells|"
    r"wonders|gifts|curios|loot|deck|introduction|notes?|contents|credits|"
    r"errata|summary|overview|preface|foreword|background|conclusion|afterword|"
    r"index|about|appendix|chapter|"
    r"tactics|ploys|events|artillery|machines|engines|characters|units|infantry|"
    r"cavalry|chariots|monsters|heroes|generals|wizards|equipment|armoury|"
    r"armory|inventory|glossary|rules|"
    r"designers?['’]s? notes|also|frequently asked questions|questions|answers|faqs?|comments|"
    r"acknowledge?ments|thanks|staffs|staves|wands|rods|tools|tomes|books|"
    r"curses|blessings|boons|hazards|terrain|mounts|vehicles|orders|setup|"
    r"set-up|scenario|scenarios))\b[\W_]*)+",
    re.IGNORECASE,
)

_RULES = tuple(
    (rule, re.compile(rule.looks_for, 0 if rule.name == "the author speaks" else re.IGNORECASE))
    for rule in PROSE_RULES
)
_SORTS = re.compile(
    r"(?:(?:greater|lesser|minor|major|other|more|further)\s)"
    r"+[a-z]{3,}s",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[“\"][^”\"]*[”\"]")


def weigh_prose(text: str) -> float:
    """How much a paragraph reads like an article's prose."""
    bare = _QUOTED.sub("", text).replace("’", "'")
    weights = [rule.weight for rule, pattern in _RULES if pattern.search(bare)]
    speaks = sum(weight for weight in weights if weight > 0)
    rules = sum(weight for weight in weights if weight < 0)
    # An author who speaks of himself may speak of dice as well.
    return speaks + (max(rules, _MOST_AGAINST) if speaks >= _SURELY else rules)


def is_section_name(name: str) -> bool:
    """Whether a heading is made of words for kinds of things, as "Magic Standards"."""
    match = SECTION_WORDS.fullmatch(name.strip())
    return bool(match and match["plural"]) or bool(_SORTS.fullmatch(name.strip()))
