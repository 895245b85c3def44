"""The names that a line may begin with: what ends each, the number before it, the facts behind it.

Knows one line at a time, and nothing of how it is printed but its bold words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from cardgen.importing.finding.facts import (
    NOTHING,
    Taken,
    cut_facts,
    is_phrase,
    is_stated,
    list_words_that_state,
    may_state,
    take_facts,
)
from cardgen.importing.finding.labels import find_labelled
from cardgen.importing.finding.names import (
    ABBREVIATED,
    BRACKETED,
    CODE,
    DOTTED,
    EDGES,
    LEADER,
    MORE_WHERE_MARKED,
    MOST_LETTERS,
    MOST_WORDS,
    QUOTES,
    SORT,
    Ending,
    Shape,
    find_bare_shape,
    find_shape,
    looks_like_name,
    trim_name,
)
from cardgen.importing.finding.vocabulary import (
    find_label,
    get_pattern,
    list_small,
    list_verbs,
    list_words,
)
from cardgen.importing.model import Styled

DEEP = "1.1"  # the form of a number within one of a chapter
REACH = 140  # letters within which the longest name and what parts it from the rest stand
_OFTEN = 3
_FEW_WORDS = 3
_MORE_WORDS = 6
_LISTED: tuple[Ending, ...] = ("dash", "colon", "stop")
_STOP = re.compile(r"[.!?]\s+")
_NUMBER = re.compile(
    r"(?:(?P<word>[^\W\d_]{1,12})(?:\s|\.\s*)(?:(?:[^\W\d_]{3,12}\s)?n[°º]\s?)?)?#?(?P<number>\d{1,2}(?:\.\d{1,2}){1,2}(?=[.\]]?\s+[^\W\d])|\d[\dOoIl]{0,2}(?:[–-]\d{1,3})?|[IVXLC]{1,8}|[a-z](?=\)))"
    r"(?P<mark>\s*[.)\]]|\s*:(?!\d)|\s[–—·•-](?=\s)|(?=\s{2})|(?<=\.\d)(?=\s)|(?<=\.\d\d)(?=\s))\s*(?=\S)"
)
_CODED = re.compile(rf"{CODE}(?:[.:)]\s+|\s{{2,}})(?=\S)")
_NUMBER_IN_BRACKETS = re.compile(rf"(?:[(\[#]\d{{1,3}}[)\]]?|[(\[]{CODE}[)\]])\s+(?=\S)")
_TIMES = re.compile(r"(\d{1,2})\s?[x×]\s+(?=\S)|[x×](\d{1,2})\s+(?=\S)")
_NAME_LABEL = re.compile(rf"{get_pattern('labels', 'name')}\s*[:=]\s*(?=\S)", re.IGNORECASE)
_OPENED = re.compile(r"[(\[]")
_PARTED = re.compile(r"\s{3,}$|\t$")
_DIRT = re.compile(r"[^\w\"'“‘«„(¿¡+−–-]+\s*")
_DASHED = re.compile(r"\s+[–—·•-]+\s+|\s?—\s?")
_LEADING_DASH = re.compile(r"\s*[–—-]+\s+")
_COMMA = re.compile(r",\s+(?=[^\W\d_])")
_PRICED = re.compile(r"\s?\([^()]*\)\s?(?:[:.–—-]|$)")  # "Clock that is late (9 pence): it …"
_COLON = re.compile(r"\s?(?:：\s*|:(?:\s+|$))")
_BRACKET = re.compile(r"\s*[(\[]|\s+[{<](?=[^\W_])")
_BESIDE = re.compile(  # "**Goose** (petty) 2 pennies", "**Tent** - Stall - $3"
    r"\s*(?:[(\[{].*|[–—·|-]\s+\S.*)"
)
_WORD = re.compile(r"\S+")
_FIGURES = re.compile(r"\d+")
_QUOTED = re.compile(
    r"[\"“„«»‘'][^\"“”„«»’.!?,;:]{2,40}[\"“”«»’'](?:\s+\w+){0,3}(?:$|\s?:\s|\s+[–—(\[]|\s-\s|\s*\.{3}|\s{3})"
)
SENTENCE_END = re.compile(r"[.!?][\"'”’»)\]]*$")


class Head(NamedTuple):
    """A name that a line may begin with, and what stands behind it.

    ending: what ends the name; number: the form of the number before it
    """

    name: str
    ending: Ending
    rest: Styled
    taken: Taken = NOTHING
    number: str = ""
    copies: int = 1

    @property
    def shape(self) -> Shape:
        return find_bare_shape(self.name)


def read_head(content: Styled) -> Head | None:
    """Return the name that a text is, without the facts that follow it."""
    heads = list_heads(content, marked=True)
    stated = [head for head in heads if head.ending == "fact" and not head.rest.text]
    return next(iter([*stated, *(head for head in heads if head.ending == "whole")]), None)


def list_heads(content: Styled, *, marked: bool, own: Sequence[Ending] = ()) -> list[Head]:
    """Return the names that a line may begin with, those first that leave most facts behind.

    own: where names may end that are words without a capital, as in a list
    """
    if is_stated(content.text):
        return []
    start, number, count = skip_number(content.text)
    if not (marked or number) and content.text[:1] in QUOTES and not _QUOTED.match(content.text):
        return []
    body = content.cut(start)
    text, marked = body.text, marked or (bool(number) and body.face > 0)
    leader = DOTTED.search(text, 0, REACH)
    heads: list[Head] = []

    def add(
        end: int, begin: int, ending: Ending, taken: Taken = NOTHING, marked: bool = marked
    ) -> None:
        name = trim_name(text[:end])
        begun = name[:1].isupper() or not {"fact", "dots"}.isdisjoint(own)
        begun = begun or (bool(number) and ending in ("dash", "colon", "stop"))
        listed = (*own, *_LISTED, "dots") if number else own
        few = _MORE_WORDS if begun and ending in (*listed, *_LISTED) else _FEW_WORDS
        entry = ending in listed and len(name.split()) <= few
        said = taken.has("cost") and any(fact.labelled for fact in taken.facts)
        priced = said or (taken.has("cost") and bool(_PRICED.match(text, end)))
        stated = ending == "fact" and (
            bool(number) or (priced and len(name.split()) <= _MORE_WORDS)
        )
        led = leader is not None and ending in ("fact", "dots") and leader.end() <= begin
        if looks_like_name(name, marked=marked or entry or stated or led or ending == "lead"):
            copies, bare = _take_count(name)
            rest = cut_facts(body, begin) if ending == "fact" else body.cut(begin).strip()
            heads.append(Head(bare, ending, rest, taken, number, copies * count))

    lead = body.find_lead()
    fact = find_fact(text, MOST_WORDS + (MORE_WHERE_MARKED if marked else 0))
    if fact:
        end, taken = fact
        if not (lead and _BESIDE.fullmatch(text, lead, end)):
            add(end, taken.end, "fact", taken)
    if 0 < lead < len(text.rstrip()):
        dash = _LEADING_DASH.match(text, lead)
        add(lead, dash.end() if dash else lead, "lead")
    near = text[:REACH]
    brackets = [*_BRACKET.finditer(near)]
    holding = (b for b in brackets if find_labelled(body.cut(b.end())) is not None)
    labelled = next(holding, None)
    bracket = labelled or next(iter(brackets), None)
    if (colon := _COLON.search(near)) and not (labelled and labelled.start() < colon.start()):
        add(colon.start(), colon.end(), "colon")
    if dash := _DASHED.search(near):
        add(dash.start(), dash.end(), "dash")
    if dots := LEADER.search(near):
        add(dots.start(), dots.end(), "dots")
    if bracket and bracket.start() and (labelled or text.rstrip()[-1] not in ")]}>"):
        add(bracket.start(), bracket.end() - 1, "bracket")
    if not marked and (capitals := _find_capitals(text)):
        add(capitals, capitals, "capitals")
    ended = colon.start() if colon else len(text)
    stop = _find_stop(text, ended) if number or "stop" in own else None
    if stop and (number or _is_titled(text, stop)):
        add(stop.start(), stop.end(), "stop")
    comma = (_COMMA if number else SORT).search(near) if number or "stop" in own else None
    if comma and number and (lead or (bracket and bracket.start() < comma.start())):
        comma = None  # "1. **Backwater** (A, 2 glint): …"
    if comma and _is_sorted(text, comma):
        add(comma.start(), comma.end(), "comma")
    dotted = any(head.ending == "dots" for head in heads)
    asked = marked and text.rstrip().endswith("?")
    if (asked or len(text) <= MOST_LETTERS + 60) and not dotted:
        bare = text.rstrip()
        end = len(bare) - 1 if bare[-1:] in ":." else len(bare)
        named = BRACKETED.sub("", bare)  # "3. meander (noun)"
        few = 0 < len(named.split()) <= _FEW_WORDS and named[-1:].isalpha() and is_phrase(named)
        asks = marked or (bool(number) and (bare.endswith("?") or few))
        if marked or number or "whole" in own or bare[-1:] != ".":
            add(end, len(text), "whole", marked=asks)
        if not heads and bracket:  # "Goat Road [silver; 15 points]"
            add(bracket.start(), bracket.start(), "bracket")
    return heads


def _find_stop(text: str, most: int) -> re.Match[str] | None:
    """Return the first stop before a place that ends no word cut short."""
    stops = _STOP.finditer(text, 0, most)
    return next((s for s in stops if not ABBREVIATED.search(text, 0, s.start() + 1)), None)


def _is_sorted(text: str, comma: re.Match[str]) -> bool:
    """Whether a text begins with a name, and what it is of its sort: "Otter Lens, a disc"."""
    name = text[: comma.start()]
    titled = find_shape(name) in ("title", "capitals") or len(name.split()) <= _FEW_WORDS + 1
    return titled and is_phrase(name)


def _is_titled(text: str, stop: re.Match[str]) -> bool:
    """Whether a text begins with a name and a stop: "Pickled Thunder. A small glass of it"."""
    name = text[: stop.start()]
    sort = SORT.search(name)  # "Old Marta, sovereign of the kitchen."
    named = name[: sort.start()] if sort and is_phrase(name[sort.end() :]) else name
    few = len(named.split()) <= _FEW_WORDS + 2 and is_phrase(named)
    titled = (few or find_shape(named) in ("title", "capitals")) and stop[0][0] == "."
    return titled and len(text[stop.end() :].split()) >= _FEW_WORDS


def skip_number(text: str) -> tuple[int, str, int]:
    """Return where the name begins behind a number, a label or a count, and what form they have."""
    dirt = _DIRT.match(text)
    start = dirt.end() if dirt else 0
    form = ""
    if match := _NUMBER_IN_BRACKETS.match(text):
        form, start = "(1)", match.end()
    elif match := _CODED.match(text, start):
        form, start = "code", match.end()
    elif match := _NUMBER.match(text, start):
        word = (match["word"] or "").casefold().rstrip(".")
        known = find_label(word) in ("name", "count") or len(word) <= 3
        number = match["number"]
        if known and not (word and number.isalpha()):
            kind = "i" if number.isalpha() else DEEP if "." in number else "1"
            form, start = f"{'w' if word else ''}{kind}{match['mark'].strip()}", match.end()
    if name := _NAME_LABEL.match(text, start):
        form, start = "name", name.end()
    if times := _TIMES.match(text, start):
        return times.end(), "x", int(times[1] or times[2])
    return start, form, 1


_COUNTED = re.compile(
    rf"\s*[(\[]?\s*(?:[x×]\s?(\d{{1,2}})|(\d{{1,2}})\s?[x×]|(\d{{1,2}})\s"
    rf"{get_pattern('count', 'words')})\s*[)\]]?$",
    re.IGNORECASE,
)


def _take_count(name: str) -> tuple[int, str]:
    """Return how many there are, by the end of a name as "Rain (x2)", and the name without it."""
    match = _COUNTED.search(name)
    bare = name[: match.start()] if match else ""
    if not match or not bare or bare.count("(") > bare.count(")"):
        return 1, name
    return int(match[1] or match[2] or match[3]), trim_name(bare)


def find_fact(text: str, most: int = MOST_WORDS * 2) -> tuple[int, Taken] | None:
    """Return where the name ends that facts follow up to the line's end, or to a clear stop.

    most: the words that the name has at most
    """
    if not may_state(text):
        return None
    ends, reach = list_words_that_state(text, most)
    ends += [match.end() - 1 for match in _OPENED.finditer(text, 1, reach)]
    for end in sorted(set(ends)):
        taken = take_facts(text, end)
        if not taken.facts:
            continue
        before, rest = text[:end].rstrip(), text[taken.end :].strip()
        if max(before[:-1].rfind("("), before[:-1].rfind("[")) > max(map(before.rfind, ")]")):
            continue
        if _COLON.search(before) and SENTENCE_END.search(before.rstrip("([ ")):
            break  # the name ended at the colon, and its text before the fact
        parted = before[-1:] in "–—:([|,;•·=.…-" or text[end : end + 1] in "(["
        parted = parted or bool(_PARTED.search(text[:end]))
        first = taken.facts[0]
        strong = first.gives in ("cost", "count", "uses", "rank") and first.sure > 0.8
        if first.gives == "who" and not parted:
            counted = _FIGURES.search(first.written)  # "Reduce all damage from fire by 3"
            strong = first.sure >= 0.8 and not counted and _turns(before, text[end:])
            if not strong:
                continue
        ranked = first.gives == "rank" and first.value == first.written.lower()
        if ranked:
            continue  # as "False Standard (30 pts)", whose rank is a part of the name
        if before.endswith(",") and not strong:
            continue
        if not (parted or rest or " " in before) and _ends_sentence(text[: taken.end]):
            continue  # as "Heal 2 points."
        within = text.count("(", end, taken.end) > text.count(")", end, taken.end)
        stated = text[: taken.end].rstrip()
        closed = rest[:1].isupper() or stated[-1:] in ":.)–—]" or stated.endswith(" -")
        closed = closed or before[-1] == stated[-1] == ","
        if rest and not (closed or within):
            continue
        off = text[end : end + 1] in "([" or before[-1] in "–—.…" or _PARTED.search(text[:end])
        free = first.gives == "cost" and off  # "Match Girl [free]", "Boy — free"
        if (parted and (first.sure >= 0.75 or free)) or strong:
            return end, taken
    return None


def _ends_sentence(text: str) -> bool:
    """Whether a text ends with a stop that is not of a unit cut short, as "25 pts."."""
    last = text.split()[-1].lower()
    return last.endswith(".") and any(vowel in last for vowel in "aeiou")


def _turns(before: str, after: str) -> bool:
    """Whether a name ends where a phrase says who: capitals end there, or people are named."""
    follows = after.split()
    first, last = follows[0].lower().strip(EDGES), before.split()[-1].lower()
    if last in list_small() or last in list_verbs():
        return False
    people = re.fullmatch(get_pattern("who", "people"), first) and first not in list_small()
    starts = any(after.lower().startswith(word) for word in list_words("who", "before"))
    any_of = first in list_words("who", "any")
    if any_of and find_shape(before) == "sentence":
        return False  # "Ask the others before you bring any of these"
    if people or starts or any_of:
        return not re.fullmatch(get_pattern("who", "people"), last)
    return find_shape(before) == "capitals" and find_shape(follows[0]) != "capitals"


def _find_capitals(text: str) -> int:
    """Return where the capitals end that a sentence follows on the same line; 0 without any."""
    if any(map(str.islower, "".join(text.split(maxsplit=1)[:1]))):
        return 0
    words = list(_WORD.finditer(text))
    end = done = 0
    for place, word in enumerate(words):
        letters = [sign for sign in word[0] if sign.isalpha()]
        if (letters and not all(sign.isupper() for sign in letters)) or word[0][0] in "([":
            break
        end, done = word.end(), place + 1
        if word[0].endswith(":") or (
            word[0].endswith(".") and not ABBREVIATED.search(text[:end].title())
        ):
            break
    single = done > 1 and len(words[done - 1][0]) == 1 and words[done - 1][0].isalpha()
    if single and done < len(words) and words[done][0][0].islower():
        done -= 1  # "CALLING CARDS A dozen" begins its text with the letter
        end = words[done - 1].end()
    said = done < len(words) and words[done][0][0] in "[{"
    following = len(words) - done if not said else _OFTEN
    stopped = text[:end].endswith((":", "."))
    if following < 3 or sum(map(str.isalpha, text[:end])) < (3 if stopped else 4):
        return 0
    begins = 0 < done < len(words) and words[done][0][0].isupper()  # "JEMMY Opens doors"
    return end if done > 1 or stopped or begins else 0
