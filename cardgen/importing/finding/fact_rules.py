"""The rules by which facts are known: cost, bearer, uses, count, rank, kind.

Data alone: each rule says what it looks for, what it gives and how sure it is. facts.py applies
them. `{…}` in a pattern stands for one of the parts in rule_parts.py.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Gives = Literal["cost", "who", "uses", "count", "rank", "kind", "stat", "text", "nothing"]

VERBS = re.compile(
    r"\b(?:may|can|cannot|must|will|would|is|are|was|has|have|gets?|re-?rolls?|"
    r"rolls?|counts?|moves?|takes?|adds?|fights?|shoots?|loses?|gains?|suffers?|"
    r"ignores?"
    r"|causes?|becomes?|remains?|does|do|if|when|then|that is|add|subtract|"
    r"sees?|goes|comes|flies|runs|keeps?|stays?|falls|gives?|makes?|holds|finds?|knows?|needs?|"
    r"wants?|hears?|sleeps|eats|drinks|stops|works|ends|begins?|starts|leaves?|enters|pays|wins|"
    r"dies|kills|fires|breaks|chooses?|picks|strikes|brings?|carries|throws|rides|walks|turns|"
    r"re-?roll|roll|halts?|draws?|discards?|played?|play|costs?|points|pts)\b",
    re.I,
)
MOST_WORDS = 14


class Rule(NamedTuple):
    name: str
    looks_for: str
    gives: Gives
    sure: float
    phrase: bool = False  # what it gives is a phrase, without a verb
    start: bool = False  # holds only where a sentence begins


RULES = (
    Rule(
        "cost with its word",
        (
            r"{cost "
            r"word}{colon}(?P<sign>{sign})?(?P<blank>\s*)(?P<value>{digits})\s*(?:{points})?{per}"
        ),
        "cost",
        0.95,
    ),
    Rule(
        "no cost",
        (
            r"{cost word}\s*[:=–—-]?\s*(?P<value>free|nil|zero|nothing|none|n/a|no cost|"
            r"[-–—](?=\s*$))(?!\w)"
        ),
        "cost",
        0.9,
    ),
    Rule(
        "rank behind its cost",
        (
            r"costs?\s*[:–—-]?\s*(?P<value>(?!free|none|nil|no\b|plus|minus|to\b|and\b|is\b|of\b)"
            r"[a-z]{{3,}}(?:[- ][a-z]{{3,}})?)"
            r"(?=\s*\([^()]*\)\s*(?:{sign})?\s?{digits}\s*{points}|"
            r"\s*[:–—-]?\s*(?:{sign})?\s?{digits}\s*{points})"
        ),
        "rank",
        0.9,
        start=True,
    ),
    Rule("cost of ranks", r"costs?\s*[:–—-]?\s*(?={rank word}\b|\()", "nothing", 0.9, start=True),
    Rule(
        "figure with points",
        (
            r"(?P<sign>{sign})?(?P<blank>\s*)(?P<value>(?!\d{{4}}){digits})\s*{points}{per}"
            r"(?!\s*(?:more|less|of))"
        ),
        "cost",
        0.95,
    ),
    Rule(
        "free of charge", r"(?P<value>free)(?: of charge)?(?:!|{closed})", "cost", 0.7, start=True
    ),
    Rule(
        "figure with a sign",
        r"(?P<sign>[+\-−–])(?P<blank>)(?P<value>{digits})(?=\s*(?:[)\]]|$))",
        "cost",
        0.75,
        start=True,
    ),
    Rule(
        "figure in brackets",
        r"(?<=[(\[])(?P<sign>[+\-−–])?(?P<blank>)(?P<value>{digits})(?=\s*[)\]])",
        "cost",
        0.75,
    ),
    Rule(
        "use with its word",
        r"(?:uses?|usage|duration|lasts|frequency)\s*[:=]\s*(?P<value>{rest}){end}",
        "uses",
        0.95,
    ),
    Rule(
        "use",
        r"(?P<value>{use})(?:{closed}|(?=\s+(?:{cost word}\s*[:\d+]|"
        r"(?:{sign})?\s?{digits}\s*{points})))",
        "uses",
        0.9,
    ),
    Rule(
        "count with its word",
        (
            r"(?:copies|quantity|qty|count|number(?: of cards| in deck)?|cards|in deck|"
            r"amount)\s*[:=]\s*[x×]?\s*(?P<value>\d{{1,3}})\b"
        ),
        "count",
        0.95,
    ),
    Rule(
        "count by a cross",
        r"[x×]\s?(?P<value>\d{{1,2}}){closed}|(?P<value2>\d{{1,2}})\s?[x×]{closed}",
        "count",
        0.9,
    ),
    Rule(
        "count of cards",
        (
            r"(?P<value>\d{{1,2}}|two|three|four|five|six)\s(?:cards|copies|off|in "
            r"(?:the )?deck){closed}"
        ),
        "count",
        0.9,
    ),
    Rule(
        "stat",
        (
            r"(?P<label>{stat word})\s*[:=]?\s*(?P<value>{stat value})"
            r"(?=\s*(?:$|[.,;|)]|{stat word}\b))"
        ),
        "stat",
        0.9,
    ),
    Rule(
        "rank",
        (
            r"(?P<value>{rank word})(?=\s*(?:\(|[:–—-]|\s(?:{sign})?\s?{digits}|{cost "
            r"word}\s*[:\d+]))"
        ),
        "rank",
        0.85,
        start=True,
    ),
    Rule(
        "kind with its word",
        (
            r"(?:type|kind|class|category|card type|item "
            r"type)\s*[:=]\s*(?P<value>{rest}){end}"
        ),
        "kind",
        0.95,
    ),
    Rule(
        "nobody in particular",
        (
            r"(?:restrictions?|restricted to|users?|bearer|limits?|"
            r"limitations?)\s*[:=–—-]\s*(?P<value>none|nil|n/a|no restrictions?|"
            r"[-–—](?=\s*$)){closed}"
        ),
        "nothing",
        0.9,
    ),
    Rule(
        "bearer with its word",
        (
            r"(?:restrictions?|restricted to|restricted|who|who may (?:have|use|carry|"
            r"take) it|bearer|users?|used by|usable by|useable by|targets?|carried by|"
            r"worn by|held by|wielder|wearer|played? on|play|available to|given to|for|"
            r"limits?|limitations?|requires?|requirements?|eligib(?:le|ility)|carrier|"
            r"owner|allowed)\s*[:=]\s*(?P<value>{rest}){end}"
        ),
        "who",
        0.95,
    ),
    Rule(
        "played on",
        (
            r"(?:this card )?(?:(?:may|can|must) (?:only )?be |is |to be )?(?:played|"
            r"play|use|used|give|given|placed?)\s+(?:this (?:card|item) )?(?:only "
            r")?(?:on|upon|to|with|by)\s+(?P<value>{rest}){end}"
        ),
        "who",
        0.95,
        True,
        True,
    ),
    Rule(
        "had by",
        (
            r"(?:may|can|must) (?:only )?be (?:carried|worn|taken|used|bought|bought "
            r"for|had|given to|wielded|held|played)(?: only)? (?:by|on|to|"
            r"for)\s+(?P<value>{rest}){end}|(?:usable|useable|available|restricted|used|"
            r"carried|worn|limited|for use)(?: only)? (?:by|to|"
            r"for)\s+(?P<value2>{rest}){end}"
        ),
        "who",
        0.9,
        True,
        True,
    ),
    Rule(
        "only",
        (
            r"(?P<value>(?!for\b)[^\W\d_](?:[^.;:|·•()\[\],]|,(?!\s*{use})(?=[^.;|]*? "
            r"only\b))*?\sonly\b)(?=\s*(?:$|[.,;:|·•()\[\]]|\s?/\s|\s[–—-]\s|{cost word}|"
            r"(?:{sign})?\s?{digits}|{use}))"
        ),
        "who",
        0.9,
        True,
        True,
    ),
    Rule("for", r"for (?P<value>(?:a|an|any|all)\s{rest}){end}", "who", 0.7, True, True),
    Rule("any", r"(?P<value>any\s(?:one\s)?(?:{rest})){end}", "who", 0.8, True, True),
    Rule(
        "roles",
        (
            r"(?!the\b|only\b|of\b|or\b|and\b)(?P<value>{role}(?:(?:\s*[,/&]\s*|"
            r"\s+){role}\b)*){end}"
        ),
        "who",
        0.75,
        True,
        True,
    ),
    Rule(
        "bearer in brackets",
        r"(?<=\()(?P<value>(?=[^()]*\b(?:{role noun}|only|any|all)\b)[^()]{{3,60}})(?=\))",
        "who",
        0.7,
        True,
    ),
    Rule(
        "effect with its word",
        (
            r"(?:effects?|rules?|text|card text|description|special rules?|special|"
            r"abilit(?:y|ies)|benefit|power|what it does|game effect|in play)\s*[:=]\s*|"
            r"(?:effects?)\s*[–—-]\s+"
        ),
        "text",
        0.95,
        start=True,
    ),
)

# What extraction glues together: the place between the two gets a blank.
GLUE = (
    r"(?<=[!?'’”])(?=(?:Cost|Play(?:ed)? on|Points|General only|Wizards? only|Any|One use)\b)",
    (
        r"(?<=[\w!?'’”])(?=(?:Cost|Play(?:ed)? on|Points|General only|Wizards? only|"
        r"Any (?:unit|character|Wizard|Infantry|Cavalry)|One use|Once per)\b)(?<!\b)"
    ),
    (
        r"(?<=[A-Z]{2})(?=(?:Cost|Play|Any|One|General|Wizard|Points|Infantry|"
        r"Cavalry|Restriction|Unit|Character)(?:[a-z]|\b))"
    ),
    (
        r"(?<=[a-z])(?=(?:Generals?|Wizards?|Infantry|Cavalry|Characters?|Heroes|Any|Units?)"
        r"\b[^.!?:]{0,40}\bonly\b)"
    ),
    r"(?<=[A-Z]{2})(?=[A-Z][a-z]+ (?:(?:or|and) [A-Z][a-z]+ )?only\b)",
    r"(?<=only)(?=[+\-–]?\d|[A-Z])",
    r"(?<=\d)(?=points?\b|pts\b)",
    r"(?<=\d points)(?=[A-Z])|(?<=\d pts)(?=[A-Z])|(?<=\dpts)(?=[A-Z])|(?<=\dpoints)(?=[A-Z])",
    r"(?<=[A-Za-z]{3})(?=[+–-]\d+\s?(?:points|pts))",
    r"(?<=[a-z][.!?])(?=(?:Cost|Play|Any|General|One|Points|The|This|Once|If|When|Each)[\s:])",
    r"(?<=[A-Za-z]{2})(?=\d+\s?(?:points|pts)\b)",
)
