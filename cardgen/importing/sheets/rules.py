"""Knows lines of a play sheet by their looks: bullets, figures, dice, headings. Data alone."""

from __future__ import annotations

import re

# The colours that parts take in turn, as the template `sheet` names them.
COLOURS = ("blue", "green", "red", "violet", "teal")

SIGN = r"[+\-−–±]"
_UNIT = (
    r"(?:cm|mm|km|m|[\"”″]|''|’’|in\b|inch(?:es)?|ft|MP|AP|BW|MU|UD|TU|pts?|points?|%|dice|die|"
    r"hits?|attacks?|stands?|bases?|hex(?:es)?|squares?|paces?|yds?|yards?|turns?|rounds?|figures?|"
    r"cards?|actions?|pips?|feet|foot|men|minutes?|ranks?|models?)"
)
_FIGURE = rf"{SIGN}?\d+(?:[.,]\d+)?(?:\s?{_UNIT}(?!\w))?"
_DICE = rf"{SIGN}?(?:\d+\s?[x×]\s?)?\d*[dD]\d+(?:\s?[+\-−–x×]\s?\d+)?(?:\s?{_UNIT}(?!\w))?"
_WORD = (
    r"(?:varies|nil|none|n/?a|no|yes|special|auto(?:matic)?|unlimited|always|never|any|all|free)"
)
ONE = rf"(?:{_DICE}|{_FIGURE}\+?)"

# What stands at the end of a row: 20cm, +1, D6, 4+, "4, 5, 6", "5 or 6", 30/15, varies.
VALUE = rf"{ONE}(?:\s?(?:,|/|-|–|\bor\b|\bto\b|\band\b)\s?{ONE})*|[-–—]"
FIGURES = re.compile(VALUE)
VALUES = re.compile(rf"(?:{VALUE}|{_WORD})(?!\w)", re.IGNORECASE)
# A figure with what is said of it: "20cm with oars", "60cm (30cm uphill)".
SAID = re.compile(rf"(?:{ONE})(?:\s*[,(;]|\s(?:or|with|if|in|on|per|each|for|when|from)\b).+")

SIGNED = re.compile(
    rf"({SIGN}\s?(?:\d+|D\d+)(?:\s?(?:cm|[\"”]|%))?)(?:\s*[:=]\s*|\s+[-–—=]\s+|\s+)"
)
SIGNED_END = re.compile(rf"\s({SIGN}\d+(?:\s?(?:cm|[\"”]|%))?)$")

# A pair of a run-on list: "Infantry 20cm", and what may end a label.
LABEL_WORDS = 7

BULLETS = re.compile(
    r"(?:[-*+•●▪◦‣·■□–—»►▶✓✔➢❖◆\uf0b7\uf0a7\uf0d8\uf02d\uf06c\uf076]|"
    r"o(?=[\t ]{2}|\t| [A-Z]))\s+(?=\S)"
)
MARKS = re.compile(r"[-*+•●▪◦‣·■□–—»►▶✓✔➢❖◆o\uf0b7\uf0a7\uf0d8\uf02d\uf06c\uf076]")
LEADERS = re.compile(r"\s*(?:\.{3,}|(?:\s\.){2,}|…(?:\s?…)+|_{3,}|·{3,}|(?:\s·){3,})\s*")
# A number before or behind words, which elsewhere would be that of a page.
ROW = re.compile(r"\d{1,4}(?:\s{2,}|\s*[|•·]\s*)\S.*|\S.*?(?:\s{2,}|\s*[|•·]\s*)\d{1,4}")
WIDE = re.compile(r"\t+| {2,}")

_NUMBER = r"\d{1,2}"
DIE_KEY = (
    rf"(?:{_NUMBER}(?:\s?[-–—]\s?{_NUMBER}|\s(?:to|or)\s{_NUMBER}|\s?[,/&]\s?{_NUMBER}|\+|"
    r"\sor\s(?:more|less|over|under|higher|lower|above|below|better))?|"
    rf"(?:less than|under|below|over|more than)\s{_NUMBER})"
)
DIE = re.compile(rf"({DIE_KEY})(?P<sep>[.)]\s+|\s*[:=]\s*|\s+[-–—]\s+|\s+|\t)(?=\S)", re.IGNORECASE)
DIE_ALONE = re.compile(rf"({DIE_KEY})[.:)]?", re.IGNORECASE)
DIE_HEAD = re.compile(
    r"(?:\d?[dD]\d{1,2}|die|dice|roll|score|total|2 dice|die roll|dice roll|dice score|result|"
    r"throw)\s*(?:\t|\s|[:/-])+\s*(?:results?|effects?|outcome|what happens|event|damage|reaction)"
    r"(?:\s+(?:table|on \w+))?:?",
    re.IGNORECASE,
)
SPEAKS_OF_DICE = re.compile(r"\b(?:\d?d\d{1,2}|dice|die|rolls?|throws?|score)\b", re.IGNORECASE)

NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,2})([.):]?)\s+(?=\S)")
LETTERED = re.compile(r"(?:[A-Z]|[IVX]{1,4})[.)]\s+(?=[A-Z])")

# A line that ends so goes on in the next one.
GOES_ON = re.compile(
    r"(?:[,(&]|\b(?:and|or|the|a|an|of|to|in|on|at|by|for|from|with|if|when|than|that|which|is|"
    r"are|may|must|its|their|his|each|any|all|not|no|but|per|into|within|be|as|it|they))$"
)
ENDED = re.compile(r"[.!?:;][\"'”’)\]*]*$")

# What says something, and so is neither a heading nor the label of a row; "Moves" may be both.
SAYS = re.compile(
    r"\b(?:may|can|cannot|must|will|would|is|are|was|has|have|gets?|re-?rolls?|rolls|counts?|moves|"
    r"takes?|adds?|fights|shoots|loses?|gains?|suffers?|ignores?|causes?|becomes?|remains?|does|do|"
    r"if|when|then|add|subtract|halts?|draws|discards?|plays|charges|retires?|falls?|stands up|"
    r"goes|go|runs|follow|tests|never|always|choose|place|remove|pass(?:es)?|stays?|deploy)\b"
)
HEAD_WORDS = re.compile(
    r"\W*(?:types?|troops?(?: types?)?|units?|terrain|weapons?|ranges?|moves?|movement|effects?|"
    r"results?|modifiers?|notes?|costs?|actions?|dice|target|to hit|hit on|situation|class|save|"
    r"score|roll|d6|2d6|d10|d20|die|distance|factor|full pace|speed|strength|points|orders?|value)"
    r"\W*",
    re.IGNORECASE,
)
TITLE_WORDS = re.compile(
    r"\b(?:play ?sheets?|quick ?(?:reference|play|sheet)|reference|summary|qrs|cheat ?sheet|"
    r"play ?aid|player aid)\b",
    re.IGNORECASE,
)
# "Draw: both sides fall back": a few words, then what they mean.
# What stands at the foot of each page.
FOOT = re.compile(r".*\b(?:page|pg\.?|p\.)\s?\d+(?:\s?(?:of|/)\s?\d+)?\W*", re.IGNORECASE)
PAGE_AT_END = re.compile(r"\s{3,}(?:page|pg\.?|p\.)\s?\d+(?:\s?(?:of|/)\s?\d+)?$", re.IGNORECASE)
SEQUENCE = re.compile(
    r"\b(?:sequence|phases?|order of play|turn order|steps?|game turn|turn)\b", re.IGNORECASE
)
# "a)" and "(ii)", which begin a paragraph.
CLAUSE = re.compile(r"\(?(?:[a-z]|[ivx]{1,4})\)\s")
RUN_IN = re.compile(r"([A-Z0-9][^\s:.;!?]*(?:\s[^\s:.;!?]+){0,4})(?:\s?:\s+|\s[–—]\s)(?=\S)")
