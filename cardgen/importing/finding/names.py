"""Tells names of cards: by their shape, and where they end when facts follow on their line.

Knows nothing of the lines around it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from cardgen.importing.finding.fact_rules import VERBS
from cardgen.importing.finding.facts import NONE_TAKEN, Taken, list_glued, take_facts
from cardgen.importing.finding.rule_parts import expand
from cardgen.importing.model import Styled

Shape = Literal["capitals", "title", "sentence", ""]

MOST_WORDS = 9
MOST_LETTERS = 64
_SHORT_CRY = 3
_MORE_WHERE_MARKED = 4
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}$")
# "Mk. IV" and "THE TOLL-KEEPER: AN ALTERCATION" are names, "Cost: 5" and "It. Is" are none.
_BREAKS = re.compile(r"(?<!\b(?i:mk|no|st|mr|dr|lt))(?<!\b[A-Z])[.]\s|;\s|(?<![A-Z]{2}):\s")
_SMALL = re.compile(
    r"(?:a|an|the|of|and|or|in|on|at|to|for|with|by|from|as|than|into|upon|over|under|against|"
    r"vs\.?|nor|but|de|la|le|du|der|die|das|von|und|o'|n')",
    re.IGNORECASE,
)
_NOT_NAMES = re.compile(
    r"(?:designer'?s? )?(?:notes?|examples?|e\.g\.|effects?|restrictions?|cost|"
    r"costs|points|special|important|remember|errata|option(?:s|al)?|"
    r"clarification|q|a|or|and|"
    r"nb|n\.b\.|hint|tip|warning|exception|result|flavou?r(?: text)?|rules?|"
    r"play(?:ed)?(?: on)?|may be played(?: on)?|target|duration|range|text|description|uses?|"
    r"copies|"
    r"name|type|kind|pts|on a \d\+?|\d+|total|d6|2d6|yes|no|turn \d+|attacks?|"
    r"hits|armour|command|unit size|min/max|move|save|for|by|on|to|with|from|only|the)\s*[:.–—-]?",
    re.IGNORECASE,
)
_PREFIX = re.compile(
    r"(?:(?:card|item|name|title|card name|item name|no\.?|nr\.?|"
    r"number)\s*#?\d*\s*[:.=–-]\s*(?=\S)|"
    r"#?\d{1,3}(?:\.\d+)*\s*(?:[.):]\s*|\s[-–—]\s+)(?=[^\W\d_])|\(\d{1,3}\)\s*|#\d+\s+|"
    r"[a-z]\)\s+|[ivx]+[.)]\s+"
    r"|[^\w\"'“‘«(¿¡+−–-]+\s*)+",
    re.IGNORECASE,
)
_TIMES = re.compile(r"(\d{1,2})\s?[x×]\s+(?=\S)|[x×](\d{1,2})\s+(?=\S)")
_COLON = re.compile(r"([^:.!?]{3,40}(?<!\s)):\s+(?=[A-Z0-9“\"])")
_DASHED = re.compile(r"([^:.–—]{3,60}?)\s+[-–—]\s+(?=[A-Z0-9“\"])")
_SAID = re.compile(r"[\"“«‘'].*[\"”»’'.!?]\s*(?:[-–—].*)?$")
_LEADER = re.compile(r"(?:\s*[.…_·]){4,}\s*|\s*…+\s*|\s{3,}|\t+")
_LINKED = re.compile(r"\s(?:of|the|and|for|with|to|from|a|only)$", re.IGNORECASE)
_PHRASE = re.compile(r"(?:For|Any|All|Units?|Characters?) [a-z]")
_ANY = re.compile(
    r"Any (?:one )?(?:wizards?|characters?|infantry|cavalry|chariots?|units?|heroes|hero|"
    r"monsters?)\b",
    re.IGNORECASE,
)
_ONE_ONLY = re.compile(r"[A-Z][a-z]+ only")
_PLURAL_ONLY = re.compile(r"[A-Z][a-z]+s only")
_IS_GIVEN = re.compile(r"(?:may|can|must|is|are|to be)\b", re.IGNORECASE)
# What a line must hold somewhere, if it states a fact.
_HINT = re.compile(
    expand(
        r"\d|\b(?:only|any|all|for|play(?:ed)?|used?|once|one|twice|free|{role noun}|{rank word}|"
        r"{stat word}|type|kind|class|category|dwarf|elf|elven|orc|undead|copies|permanent|instant|"
        r"restrict\w*|bearer|users?|who|target|requires?|entire|worn|carried|cost|price|points)\b"
    ),
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:who|how|what|why|when|where|which)\s(?:\w+\s)?(?:may|can|do|does|to|is|are|should|will|if)\b",
    re.IGNORECASE,
)
_PARTED = re.compile(r"[–—:(\[|,;•·=]\s*\(?$|\s-\s*$|\.\s+$|\s{2,}$|[\]).…]\s*$")
_CAPS_WORD = re.compile(r"[^\w]*[A-ZÀ-ÖØ-Þ0-9][A-ZÀ-ÖØ-Þ0-9'’&!?.,-]*$")
ROLE_START = re.compile(
    r"(?:general|wizards?|characters?|infantry|cavalry|chariots?|artillery|"
    r"units?|any|hero(?:es)?|monsters?|dwarf|elf|elven|orc|undead|mages?|"
    r"shamans?|runesmiths?|captains?|leaders?)\b",
    re.IGNORECASE,
)


class Head(NamedTuple):
    """A name, the facts that follow it on its line, and the rest of the line."""

    name: str
    shape: Shape
    taken: Taken
    rest: Styled
    copies: int = 1
    labelled: bool = False
    in_list: bool = False  # the document numbers its names


@lru_cache(maxsize=4_096)
def find_shape(text: str) -> Shape:
    letters = [sign for sign in text if sign.isalpha()]
    if len(letters) < 2:
        return ""
    upper = sum(sign.isupper() for sign in letters)
    words = [
        word
        for word in re.split(r"[\s/]+", re.sub(r"\([^)]*\)", "", text))
        if word.strip("\"'“”‘’(),:;-–—&!?.")
    ]
    if upper >= 0.85 * len(letters) and (len(letters) > 2 or len(words) == 1):
        return "capitals"
    bare = [word.strip("\"'“”‘’(),:;-–—&!?.") for word in words]
    big = [
        word[:1].isupper() or word[:1].isdigit() or bool(_SMALL.fullmatch(word)) for word in bare
    ]
    if bare and all(big) and (bare[0][:1].isupper() or bare[0][:1].isdigit()):
        return "title"
    return "sentence" if bare and bare[0][:1].isupper() else ""


@lru_cache(maxsize=4_096)
def looks_like_name(text: str, *, marked: bool = False) -> bool:
    bare = text.strip()
    more = _MORE_WHERE_MARKED if marked else 0
    if not bare or len(bare) > MOST_LETTERS + 6 * more or len(bare.split()) > MOST_WORDS + more:
        return False
    if (
        bare[-1] in ".,;:" and not bare.endswith("...") and not _INITIALS.search(bare)
    ) or _NOT_NAMES.fullmatch(bare):
        return False
    if not (bare[0].isalnum() or bare[0] in "\"'“‘«(¿¡…") or _BREAKS.search(bare[:-1]):
        return False
    if _SAID.fullmatch(bare) and not (marked and len(bare.split()) <= 2 * _SHORT_CRY):
        return False
    shape = find_shape(bare)
    if shape == "sentence" and _ASKS.match(bare):
        return False
    return shape != "" and not (shape == "sentence" and bare[-1] not in "!?" and VERBS.search(bare))


@lru_cache(maxsize=32_768)
def split_head(content: Styled, marked: bool) -> Head | None:
    """A line that begins with a name; `marked` where bold or a heading says so already."""
    count = 1
    prefix = _PREFIX.match(content.text)
    start = prefix.end() if prefix else 0
    labelled = bool(
        prefix and re.search(r"(?:name|title|item|card)\s*\d*\s*[:=–-]\s*$", prefix[0], re.I)
    )
    if times := _TIMES.match(content.text, start):
        count, start = int(times[1] or times[2]), times.end()
    body = content.cut(start)
    for end in _list_ends(body.text) if _HINT.search(body.text) else ():
        name = _trim(body.text[:end])
        if not looks_like_name(name, marked=marked) or _LINKED.search(name):
            continue
        taken = take_facts(body.text, end)
        if not taken.has("cost", "who", "uses", "count", "rank", "kind", "stat") or not _parts(
            body.text, end, taken
        ):
            continue
        rest = body.cut(taken.end).strip()
        if rest.text[:1].islower() and not re.search(r"[:.)–—\]]\s*$", body.text[: taken.end]):
            continue
        return Head(name, find_shape(name), taken, rest, count, labelled)
    caps = _find_capitals(body.text)
    if caps and not marked:
        name = _trim(body.text[:caps])
        rest = body.cut(caps).strip()
        if looks_like_name(name) and find_shape(name) == "capitals":
            rest = Styled.strip(rest.cut(len(rest.text) - len(rest.text.lstrip(":–—.- "))))
            return Head(name, "capitals", NONE_TAKEN, rest, count, labelled)
    colon = _COLON.match(body.text) or _DASHED.match(body.text)
    if colon and not marked and looks_like_name(colon[1]) and find_shape(colon[1]) == "title":
        return Head(colon[1], "title", NONE_TAKEN, body.cut(colon.end()), count, labelled)
    name = _trim(body.text)
    if (marked or not body.text.rstrip().endswith(".")) and looks_like_name(name, marked=marked):
        return Head(name, find_shape(name), NONE_TAKEN, Styled.of(""), count, labelled)
    return None


def _list_ends(text: str) -> list[int]:
    """Where a name may end: before each word, and after a line of dots."""
    ends = {
        match.start()
        for match in re.finditer(r"(?<=[\s(\[–—:.,…|/])(?=[\w+\-−–—×(\[])", text[:110])
    }
    ends.update(match.end() for match in _LEADER.finditer(text[:110]))
    return sorted(end for end in ends if end)


def _parts(text: str, end: int, taken: Taken) -> bool:
    """Whether a name may end here: facts that are weak must be set off from it."""
    before = text[:end]
    first = taken.facts[0]
    if _PARTED.search(before):
        return first.rule.sure >= 0.85 or not before.rstrip().endswith(",")
    word = before.split()[-1]
    following = text[end:].split()[0]
    if (
        find_shape(before) == "capitals"
        and _CAPS_WORD.match(word)
        and not _CAPS_WORD.match(following)
    ):
        return True
    if first.value == "standard" and following[0].isupper():
        return False
    if first.gives in ("cost", "count", "uses", "rank", "stat"):
        return first.rule.sure > 0.8
    if first.gives == "who" and (_PHRASE.match(text, end) or _ANY.match(text, end)):
        return True
    cry = before.rstrip()[-1:] in ("!", "?")
    sentence = find_shape(before) == "sentence" and not cry and len(before.split()) > _SHORT_CRY
    if first.rule.name == "only":
        return bool(
            ROLE_START.match(text, end)
            or _PLURAL_ONLY.fullmatch(first.written)
            or (len(taken.facts) > 1 and _ONE_ONLY.fullmatch(first.written))
        )
    if sentence or (_IS_GIVEN.match(first.written) and find_shape(before) == "sentence"):
        return False
    return first.rule.name in ("played on", "bearer with its word")


def _find_capitals(text: str) -> int:
    """Where the capitals end that a sentence follows on the same line; 0 if there are none."""
    end = 0
    words = list(re.finditer(r"\S+", text))
    for place, word in enumerate(words):
        if not _CAPS_WORD.fullmatch(word[0].rstrip(":–—")) or (
            word[0] == "A" and place and _is_prose(words[place + 1 : place + 2])
        ):
            break
        end = word.end()
        if word[0].endswith((":", ".")):
            break
    done = text[:end].split()
    following = text[end:].split()
    if not done or len(following) < 3 or len(following[0]) < 1:
        return 0
    enough = len(done) > 1 or text[:end].rstrip().endswith((":", ".", "–", "—"))
    return end if enough and sum(map(str.isalpha, text[:end])) >= 4 else 0


def _is_prose(words: list[re.Match[str]]) -> bool:
    return bool(words) and words[0][0][:1].islower()


def _trim(text: str) -> str:
    text = _LEADER.sub(" ", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"(?:[\s:;,|•·(\[/–—=]|\s-|(?<!\.)(?<!\.[A-Z])\.(?!\.))+$", "", text)
    return text.strip("*_ ")


def unglue(content: Styled) -> Styled:
    """Blanks put where extraction has swallowed them."""
    for place in reversed(list_glued(content.text)):
        content = content.cut(0, place).join(content.cut(place), " ")
    return content


def set_name(name: str) -> str:
    """A name in capitals as a sentence would write it: small words small."""
    if find_shape(name) != "capitals" or (len(name) < 3):
        return name
    words = name.split()
    return " ".join(
        _set_word(word, place in (0, len(words)) or words[place - 1][-1] in "!?:–—")
        for place, word in enumerate(words)
    )


def _set_word(word: str, first: bool) -> str:
    # Scans take 0 for O and 1 for I in the middle of capitals.
    word = re.sub(r"(?<=[A-Z])0(?!\d)|(?<!\d)0(?=[A-Z])", "O", word)
    word = re.sub(r"(?<=[A-Z])1(?=[A-Z])", "I", word)
    bare = word.strip("\"'“”‘’(),:;!?.")
    if re.fullmatch(r"(?=[IVX]{2,}$)X{0,3}(?:IX|IV|V?I{0,3})", bare) or any(
        sign.isdigit() for sign in bare
    ):
        return word
    if _SMALL.fullmatch(bare) and not first:
        return word.lower()
    return re.sub(
        r"[^\W\d_]+(?:['’][^\W\d_]+)?", lambda match: _set_part(match[0], match.start(), word), word
    )


def _set_part(part: str, start: int, word: str) -> str:
    """A part of a word with hyphens: "Slow-Witted", but "Will-o'-the-Wisp"."""
    small = start and word[start - 1] in "-'’" and (_SMALL.fullmatch(part) or len(part) == 1)
    return part.lower() if small else part[0] + part[1:].lower()
