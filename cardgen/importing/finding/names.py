"""What names look like: how they are capitalised, how long they are, how a card prints them.

Knows nothing of lines.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from cardgen.importing.finding.vocabulary import list_small, list_verbs

Shape = Literal["capitals", "title", "sentence", "small", ""]
Ending = Literal[
    "whole", "fact", "lead", "colon", "dash", "dots", "bracket", "capitals", "stop", "comma"
]

MOST_WORDS = 9
MORE_WHERE_MARKED = 5
MOST_LETTERS = 60
_MORE_WHERE_ASKED = 50
QUOTES = "\"'“”‘’„«»‚‹›"
EDGES = QUOTES + "(),:;-–—&!?.…[]"
CODE = r"[A-Z]{1,3}-?\d{1,3}"  # of a thing in a catalogue
AROUND = " :~=*#_–—-•·[]<>+|"  # signs that set off a title
# Dots lead to anything, and a line to write on to a figure alone.
LEADER = re.compile(r"(?:\s*[.…·]){4,}\s*|\s*_{4,}\s*(?=\W?\d)|\s*…+\s+|\s{3,}|\t+|\s+\|\s*|\|\s+")
DOTTED = re.compile(
    r"[\w)\]]\s?(?:(?:[.…·]\s?){4,}|_{4,}\s?(?=\W?\d))"
)  # "Bed in a room that locks ......... 5 s"
BLANK = re.compile(r"_{2,}")  # to fill in: "I drink to forget ____."
_INNER_STOP = re.compile(r"[.!?;]\s+[^\W\d_]")
ABBREVIATED = re.compile(
    r"(?:\b[^\W\d_]\.|\b(?:S[tT]|D[rR]|M[rR]|M[rR][sS]|M[kK]|N[oO]|N[rR]|R[eE][vV]|Prof|Hon|Col|Gen|Sgt|vs|[Vv]ol|[Pp]t|[Ll]t|[Cc]apt)\.|…|\.\.\.)$"
)
BRACKETED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]$")
CHAPTER = re.compile(r"([^\W\d_]+)\s+(?:\d{1,2}|[IVXLCivxlc]+)")  # "Chapter 4", "Part II"
_SUITS = "♠♡♢♣♤♥♦♧"  # "7♥" is the name of a card
_SIGNS = re.compile(rf"(?:[^\w{_SUITS}]|_)+")
_ROMAN = re.compile(r"(?=[IVX]{2,}$)X{0,3}(?:IX|IV|V?I{0,3})")

SORT = re.compile(r",\s+(?=[a-zß-öø-ÿ])")  # what a name is behind a comma


@lru_cache(maxsize=16_384)
def find_shape(text: str) -> Shape:
    """Return how a text is capitalised: all of it, each word, its first letter, or none."""
    letters = [*filter(str.isalpha, text.replace("ß", ""))]  # which has no capital
    if len(letters) < 2:
        return "title" if letters and letters[0].isupper() else ""
    bare = [word.strip(EDGES) for word in text.split()]
    words = [word for word in bare if word]
    if sum(map(str.isupper, letters)) >= 0.85 * len(letters):
        return "capitals"
    if not words[0][:1].isupper() and not words[0][:1].isdigit():
        return "small"
    small = list_small()
    big = [w[:1].isupper() or not w[:1].isalpha() or w.lower() in small for w in words]
    return "title" if all(big) else "sentence"


@lru_cache(maxsize=32_768)
def find_bare_shape(name: str) -> Shape:
    """Return how a name is capitalised, whatever stands in brackets behind it."""
    return find_shape(BRACKETED.sub("", name) or name)


@lru_cache(maxsize=32_768)
def looks_like_name(text: str, *, marked: bool = False) -> bool:
    """Whether a text can be a name: a few words, no sentence; `marked` where print sets it off."""
    bare = text.strip()
    more = MORE_WHERE_MARKED if marked else 0
    words = bare.split()
    more += _MORE_WHERE_ASKED if marked and bare.endswith("?") else 0
    if not bare or len(bare) > MOST_LETTERS + 6 * more or len(words) > MOST_WORDS + more:
        return False
    if not any(sign.isalpha() for sign in bare):
        return any(sign in _SUITS for sign in bare)
    if bare[-1] in ".,;:" and not ABBREVIATED.search(bare):
        return False
    calibre = bare[0] == "." and bare[1:2].isdigit()  # ".44 Magnum"
    if not (bare[0].isalnum() or bare[0] in QUOTES + "([¿¡…+" or calibre):
        return False
    torn = len(words) > 1 and words[-1].islower() and words[-1] in list_small()
    if torn and not marked:
        return False
    stop = _INNER_STOP.search(bare)
    cry = bare.endswith(("!", "?")) or (bare.isupper() and stop and stop[0][0] in "!?")
    if stop and not (cry or ABBREVIATED.search(bare[: stop.start() + 1])):
        return False
    shape = find_bare_shape(bare)
    if shape == "small":
        return marked
    if shape == "sentence" and not marked:
        verbs = list_verbs() - list_small()  # "om" begins clauses in Swedish alone
        cry = bare[-1] in "!?"
        return cry or not any(word.strip(EDGES).lower() in verbs for word in words)
    return shape != ""


def trim_name(text: str) -> str:
    """Return a name without the marks around it."""
    text = " ".join(LEADER.sub(" ", text.strip()).split())
    while text and (
        text[-1] in ":;,|•·(/[=–—*_"
        or text.endswith(" -")
        or (text[-1] == "." and not ABBREVIATED.search(text))
    ):
        text = text[:-1].rstrip()
    return text.strip("*_ ")


def set_name(name: str) -> str:
    """Return a name in capitals as a title is written: its small words small."""
    if find_shape(name) != "capitals" or len(name) < 3:
        return name
    words = name.split()
    around = zip(["", *words], words, [*words[1:], ""], strict=False)
    return " ".join(_set_word(one[1], first=_begins(*one)) for one in around)


def _begins(above: str, word: str, below: str) -> bool:
    """Whether a word begins or ends a name, or is the letter of a part: "Part A - Words"."""
    lettered = len(word) == 1 and below in ("-", "–", "—")
    return lettered or not (above and below) or above[-1] in "!?:–—"


def _set_word(word: str, *, first: bool) -> str:
    # Scans take 0 for O and 1 for I in the middle of capitals.
    word = re.sub(r"(?<=[A-Z])0(?!\d)|(?<!\d)0(?=[A-Z])", "O", word)
    word = re.sub(r"(?<=[A-Z])1(?=[A-Z])", "I", word)
    bare = word.strip(EDGES)
    lettered = len(bare) == 1 and bare not in "AEOYÀ"  # "Part I", "Plan B"
    if lettered or _ROMAN.fullmatch(bare) or any(sign.isdigit() for sign in bare):
        return word
    cut_short = word.endswith(".") and ABBREVIATED.search(word.title())  # "No. 5"
    if bare.lower() in list_small() and not first and not cut_short:
        return word.lower()
    return re.sub(
        r"[^\W\d_]+(?:['’][^\W\d_]+)?", lambda match: _set_part(match[0], match.start(), word), word
    )


def _set_part(part: str, start: int, word: str) -> str:
    """Return a part of a word with hyphens: "Slow-Witted", but "Will-o'-the-Wisp"."""
    small = start and word[start - 1] in "-'’" and (part.lower() in list_small() or len(part) == 1)
    return part.lower() if small else part[0] + part[1:].lower()


@lru_cache(maxsize=32_768)
def fold(name: str) -> str:
    """Return a name as names are compared: without capitals, signs and double blanks."""
    return _SIGNS.sub(" ", name.casefold()).strip()
