"""The facts that a text states where it begins: its cost, who may have it, how often, how many.

They are known by the words of the vocabulary and by the form of figures. Knows nothing of lines.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import Literal, NamedTuple

from cardgen.importing.finding.vocabulary import (
    FIELDS,
    get_pattern,
    list_verbs,
    list_words,
    make_pattern,
    read_number,
)
from cardgen.importing.model import Doubt, Styled

Gives = Literal["cost", "count", "who", "uses", "kind", "rank", "text", "nothing"]
Value = str | int | None

WORDS = re.compile(r"[^\W\d_]+")
_ANY_WORD = re.compile(r"\S+")
_NONE = re.compile(r"[(\[][-–—][)\]]")  # where others have a figure in brackets
_DIGIT = re.compile(r"[\d€$£]")
_MOST_WORDS = 14
_FEW_WORDS = 6
_MINUS = frozenset("-−–—‐‑‒")
_FIGURES = frozenset("+-±−–—‐‑‒€$£xX×")
_NO_SIGN: frozenset[str] = frozenset()
_FIGURE_SIGN = frozenset(("figure",))
_OPENED = frozenset(("opened",))
# Capitals do not count where they are looked for, nor whether an i has its dot.
_SCANNED = str.maketrans("OolLIiıİ", "00111111")
_BETWEEN = re.compile(r"[\s,;.|/·•()\[\]*:>…]*(?:[–—-](?=\s|$|[–—−+-])[\s,;.|/·•()\[\]*:>…]*)*")
_AFTER = re.compile(r"[\s,;.:|·•)\]*]*(?:[–—-](?=\s)\s*)?")
SIGNS = "\u2600-\u27bf\u25a0-\u25ff\U0001f300-\U0001faff"  # that games pay with
_SIGN = r"[+±\-−–—‐‑‒]"
_REST = r"(?:[^.;:|·•()\[\]\n]|(?<=\d)\.(?=\d))+?(?:\([^()]*\)[^.;:|·•()\[\]\n]*?)?"
_CLOSED = r"(?=\s{3,}|\s*(?:$|[.,;:|/·•()\[\]*!]|[–—-]\s))"


class Fact(NamedTuple):
    gives: Gives
    value: Value
    sure: float
    written: str
    labelled: bool = False
    doubt: Doubt | None = None


class Taken(NamedTuple):
    """Facts in the order in which they stand, and where the rest of the text begins."""

    facts: tuple[Fact, ...]
    end: int

    def has(self, *gives: str) -> bool:
        return any(fact.gives in gives for fact in self.facts)

    def fills(self, text: str) -> bool:
        """Whether a text states nothing else."""
        return bool(self.facts) and self.end >= len(text.rstrip(" .)]"))

    @property
    def stated(self) -> list[Fact]:
        """Return the facts that say something of a card."""
        return [fact for fact in self.facts if fact.gives not in ("text", "nothing")]

    @property
    def sure(self) -> float:
        return max((fact.sure for fact in self.facts), default=0.0)


NOTHING = Taken((), 0)


class _Rule(NamedTuple):
    gives: Gives
    pattern: re.Pattern[str]
    needs: frozenset[str]  # a text has one of these signs, if the rule can hold in it
    begins: frozenset[str]  # what it begins with has one of these; empty where that is anything
    sure: float
    form: str  # label, phrase, roles or nothing of these


@cache
def _list_rules() -> tuple[_Rule, ...]:
    units = rf"{get_pattern('cost', 'units')}\b\.?"
    digits = (
        rf"(?:\d{{1,3}}(?:[,.]\d{{3}})+|\d[\dOo]{{0,3}}|[lI][\dOo]{{1,3}})"
        rf"(?!(?!{units})[\w%{SIGNS}½¼¾]|[.,]\d|/[\d-]|\s?(?:cm|mm|inch|\"))"
    )
    number = r"[+\-−–]?\d{1,3}(?:[,.\s]\d{3})+(?!\d)|\d*[dw]\d+|[+\-−–]?\d+(?:[.,]\d{1,2})?"
    coin = rf"(?:{get_pattern('cost', 'money')}\b|[€$£¢])"
    money = rf"(?P<value>(?:{number})\s?{coin}|[€$£]\s{{0,3}}(?:{number}))"
    each = get_pattern("cost", "each")
    per = rf"(?:(?<!\.)\s*(?:/|[a-z]+\s)\s*{each}\b|\s*\b(?:each|apiece)\b)?"
    plus = rf"(?:{_SIGN}|{get_pattern('cost', 'plus')}\b|{get_pattern('cost', 'minus')}\b|\+/-)"
    figure = rf"(?P<sign>{plus})?(?P<blank>\s*)(?P<value>{digits})"
    cost = get_pattern("labels", "cost")
    free = rf"(?P<value>{get_pattern('cost', 'free')})"
    use = get_pattern("uses", "phrases").replace(r"[\w-]*", r"[\w-]+")
    people, only = get_pattern("who", "people"), get_pattern("who", "only")
    persons = make_pattern({*list_words("who", "people")} - _list_linking())
    rank, needs = get_pattern("rank", "words"), get_pattern("who", "needs")
    goal = get_pattern("who", "for")
    end = (
        rf"(?=\s{{3,}}|\s*(?:$|\.(?!\d)|[;|·•()\[\]]|/\s|\s[–—-]\s|,?\s*(?:{cost}\s*[:=+\-−–—\d]|"
        rf"{plus}?\s?{digits}\s*{units}|{use}\b)))"
    )
    labels = {field: get_pattern("labels", field) for field in FIELDS if field != "name"}
    many = rf"\d{{1,3}}|{get_pattern('count', 'numbers')}"
    within = rf"(?:\s{get_pattern('count', 'within')}(?:\s[^\W\d_]+){{1,3}}?)?"  # "in the deck"
    ranked = (
        rf"\b{cost}\s*[:–—-]?\s*(?P<value>(?!(?:{cost}|{get_pattern('cost', 'free')}|"
        rf"{get_pattern('cost', 'plus')}|{get_pattern('cost', 'minus')})\b)"
        rf"[^\W\d_]{{4,}}(?:[- ][^\W\d_]{{3,}})?)"
        rf"(?=\s*(?:\([^()]*\)\s*)?[:–—-]?\s*{plus}?\s?{digits}\s*{units})"
    )
    rules: list[tuple[Gives, str, float, str, str, str]] = [
        ("rank", ranked, 0.9, "", "digit free cost colon", "cost"),
        ("nothing", rf"\b{cost}\s*[:–—-]?\s*(?={rank}\b|\()", 0.9, "", "cost colon", "cost"),
        ("cost", rf"(?:\b{cost}\s*[:=]?\s*)?{money}{per}(?!\s*(?:more|less|of|weniger|mehr|de)\b)"
         rf"(?=\s*(?:$|[^\w\s%]|\s{{2,}}))", 0.95, "money", "digit free cost colon", "cost figure"),
        ("cost", rf"\b{cost}\s*(?:[:;=.]|[-–—](?=\s*[+\-−–—]))?\s*{figure}\s*{units}{per}",
         0.95, "label", "digit free cost colon", "cost"),
        ("cost", rf"\b{cost}\s*(?:[:;=.]|[-–—](?=\s*[+\-−–—]))?\s*{figure}{per}"
         rf"(?=\s*(?:$|[^\w\s%]|\s{{3,}}|{use}\b|{labels['who']}\b))",
         0.95, "label", "digit free cost colon", "cost"),
        ("cost", rf"\b{cost}\s*[:=–—-]?\s*{free}(?!\w)",
         0.9, "label", "digit free cost colon", "cost"),
        ("cost", rf"\b{cost}\s*[:=]\s*(?P<value>{_REST}){end}",
         0.9, "label", "digit free cost colon", "cost"),
        ("cost", rf"{figure}\s*{units}{per}(?!\s*(?:more|less|of|weniger|mehr|de)\b)",
         0.95, "", "digit free cost colon", "free figure"),
        ("cost", rf"{free}!?{_CLOSED}", 0.7, "", "digit free cost colon", "free figure"),
        ("cost", rf"(?P<sign>[+\-−–])(?P<blank>)(?P<value>{digits})(?=\s*(?:[)\]]|$))",
         0.75, "", "digit free cost colon", "free figure"),
        ("cost", rf"(?<=[(\[])(?P<sign>[+\-−–])?(?P<blank>)(?P<value>{digits})(?=\s*[)\]])",
         0.75, "", "digit free cost colon", "free figure"),
        ("uses", rf"{labels['uses']}\s*[:=]\s*(?P<value>{_REST}){end}",
         0.95, "label", "colon", "label"),
        ("uses", rf"(?P<value>{use})(?:{_CLOSED}|(?=\s+(?:{cost}\s*[:\d+]|{plus}?\s?{digits}"
         rf"\s*{units})))", 0.9, "", "use", "use"),
        ("count", rf"{labels['count']}\.?{within}\s*[:=]\s*[x×]?\s*(?P<value>{many})"
         r"(?=\s*(?:$|[;|/·•)]|[.,]\s|\s{2,}))", 0.95, "label", "colon", "label"),
        ("count", rf"(?:[x×]\s?(?P<value>\d{{1,2}})|(?P<value2>\d{{1,2}})\s?[x×]){within}{_CLOSED}",
         0.9, "", "digit number", "number figure"),
        ("count", rf"(?P<value>{many})\s{get_pattern('count', 'words')}{within}{_CLOSED}",
         0.9, "", "digit number", "number figure"),
        ("count", rf"(?P<value>{get_pattern('count', 'times')})\s{get_pattern('count', 'within')}"
         rf"\s(?:[^\W\d_]+\s)?{get_pattern('count', 'where')}{_CLOSED}",
         0.9, "", "number", "number"),
        ("count", rf"{get_pattern('count', 'one')}\s1\s?(?:/|[^\W\d_]+\s)\s?"
         rf"(?P<value>\d{{1,2}}){_CLOSED}", 0.9, "", "digit", "one"),
        ("rank", rf"(?P<value>{rank})(?=\s*(?:\(|[:–—-]|\s{plus}?\s?{digits}|{cost}\s*[:\d+]))",
         0.85, "", "digit free cost colon", "rank"),
        ("kind", rf"{labels['kind']}\s*[:=]\s*(?P<value>{_REST}){end}",
         0.95, "label", "colon", "label"),
        ("nothing", rf"{labels['who']}\s*[:=–—-]\s*(?:{get_pattern('who', 'nobody')}|"
         rf"[-–—](?=\s*$)){_CLOSED}", 0.9, "", "cost colon", "label"),
        ("who", rf"{labels['who']}\s*[:=]\s*(?P<value>{_REST}){end}",
         0.95, "label", "colon", "label"),
        ("who", rf"{get_pattern('who', 'before')}\s+(?P<value>{_REST}){end}",
         0.95, "phrase", "phrase", "phrase"),
        ("who", rf"(?P<value>{get_pattern('who', 'first')}\s(?-i:[A-ZÀ-Þ]){_REST}){end}",
         0.9, "first", "first", "first"),
        ("who", rf"(?P<value>{get_pattern('who', 'first')}(?:\s[^\W\d_]+){{1,5}})"
         r"(?=\s*(?:$|\.\s*$|[)\]|·•,;]))", 0.9, "first", "first", "first"),
        ("who", rf"(?=[^.;:|·•()\[\]]*?\s{only}\b)(?:{goal}\s+)?(?P<value>(?!{goal}\b)"
         rf"[^\W\d_](?:(?!\s[–—-]\s)[^.;:|·•()\[\],/]|,(?!\s*(?:{use}|{plus}?\s?\d))(?=[^.;|]*?\s{only}\b))*?"
         rf"\s{only}\b)(?=\s*(?:$|[.,;:|·•()\[\]]|\s?/\s|\s[–—-]\s|{cost}\b|"
         rf"{plus}?\s?{digits}|{use}))", 0.9, "phrase", "only", ""),
        ("who", rf"(?:(?<=\()|(?<=[,;|·]\s)){needs}\s+(?P<value>{_REST}){end}",
         0.9, "phrase", "needs", "needs"),
        ("who", rf"(?P<value>{get_pattern('who', 'any')}\s{_REST}){end}",
         0.8, "phrase", "phrase", "phrase"),
        ("who", rf"(?P<value>{get_pattern('who', 'everyone')})(?=\s*(?:$|[.)\]|·]\s*$))",
         0.9, "", "everyone", "everyone"),
        ("who", rf"(?P<value>{people}(?:(?:\s*[,/&]\s*|\s+){people}\b)*){end}",
         0.75, "roles", "people only", "people"),
        ("who", rf"(?<=\()(?P<value>(?=[^()]*\b(?:{persons}|{only})\b)[^()]{{3,60}})(?=\))",
         0.7, "phrase", "people only", "opened"),
        ("text", rf"{labels['text']}\s*[:=]\s*", 0.95, "", "colon", "label"),
        ("nothing", r"(?<=[(\[])[-–—](?=[)\]])", 0.9, "", "none", "figure"),
    ]  # fmt: skip
    return tuple(
        _Rule(
            gives,
            re.compile(text, re.IGNORECASE),
            frozenset(needs.split()),
            frozenset(begins.split()),
            sure,
            form,
        )
        for gives, text, sure, form, needs, begins in rules
    )


_FIRST_WORDS = {
    "free": (("cost", "free"),),
    "cost": (("labels", "cost"),),
    "label": tuple(("labels", field) for field in ("uses", "count", "kind", "who", "text")),
    "rank": (("rank", "words"),),
    "number": (("count", "numbers"), ("count", "times")),
    "one": (("count", "one"),),
    "use": (("uses", "phrases"),),
    "people": (("who", "people"),),
    "only": (("who", "only"),),
    "first": (("who", "first"),),
    "everyone": (("who", "everyone"),),
    "phrase": (("who", "before"), ("who", "any")),
    "needs": (("who", "needs"),),
    "figure": (("cost", "plus"), ("cost", "minus")),
}


@cache
def _list_signs() -> dict[str, re.Pattern[str]]:
    """Return the words by which a text may state a fact, each kind as a pattern of one word."""
    return {
        sign: re.compile(
            make_pattern(
                {re.split(r"[^\w*]", word)[0] for key in keys for word in list_words(*key)}
            )
        )
        for sign, keys in _FIRST_WORDS.items()
    }


@lru_cache(maxsize=32_768)
def _sign_word(word: str) -> frozenset[str]:
    return frozenset(sign for sign, pattern in _list_signs().items() if pattern.fullmatch(word))


@lru_cache(maxsize=32_768)
def _find_signs(text: str) -> frozenset[str]:
    """Return what stands somewhere in a text that a rule may need."""
    signs: frozenset[str] = frozenset().union(*map(_sign_word, set(WORDS.findall(text.lower()))))
    if _DIGIT.search(text):
        signs |= {"digit"}
    if ":" in text or "=" in text:
        signs |= {"colon"}
    if _NONE.search(text):
        signs |= {"none"}
    return signs


@cache
def _list_rules_with(signs: frozenset[str]) -> tuple[_Rule, ...]:
    return tuple(rule for rule in _list_rules() if rule.needs & signs)


@cache
def _list_rules_at(signs: frozenset[str], begin: frozenset[str]) -> tuple[_Rule, ...]:
    """Return the rules that can hold in a text with these signs, at a word with these."""
    return tuple(rule for rule in _list_rules_with(signs) if not rule.begins or rule.begins & begin)


def _sign_at(text: str, begin: int) -> frozenset[str]:
    """Return what the word or figure is that stands at a place, and whether a bracket opens it."""
    opened = _OPENED if text[begin - 1 : begin] == "(" else _NO_SIGN
    first, second = text[begin], text[begin + 1 : begin + 2]
    scanned = first in "lLiIdDwW" and (second.isdigit() or second in ("O", "o"))
    if first.isdigit() or first in _FIGURES or scanned:
        return _FIGURE_SIGN | opened
    word = WORDS.match(text, begin)
    return _sign_word(word[0].lower()) | opened if word else opened


def may_state(text: str) -> bool:
    """Whether a text can state a fact at all."""
    return bool(_list_rules_with(_find_signs(text)))


def list_words_that_state(text: str, most: int) -> tuple[list[int], int]:
    """Return where words stand that a fact can begin at, of so many behind the first, and the last
    of them all.
    """
    signs = _find_signs(text)
    words = list(islice(_ANY_WORD.finditer(text), 1, most + 1))
    places = [word.start() for word in words if _may_begin(word[0], signs)]
    return places, words[-1].start() if words else 0


@lru_cache(maxsize=32_768)
def _may_begin(word: str, signs: frozenset[str]) -> bool:
    begin = find_end(_BETWEEN, word, 0)
    return begin >= len(word) or bool(_list_rules_at(signs, _sign_at(word, begin)))


def begins_with_price(text: str) -> bool:
    """Whether a text begins with a price in known coins, whatever follows it: "1 sp a day"."""
    return take_facts(" ".join(text.split()[:2])).has("cost")


def take_facts(text: str, start: int = 0) -> Taken:
    """Return as many facts as stand one after the other from `start` on."""
    signs = _find_signs(text)
    if _list_rules_with(signs):
        begin = find_end(_BETWEEN, text, start)
        if begin < len(text) and _list_rules_at(signs, _sign_at(text, begin)):
            return _take_facts(text, start)
    return Taken((), start)


@lru_cache(maxsize=32_768)
def _take_facts(text: str, start: int) -> Taken:
    facts: list[Fact] = []
    ends = [start]
    position = start
    while True:
        begin = find_end(_BETWEEN, text, position)
        found = _match_rule(text, begin) if begin < len(text) else None
        if found is None:
            break
        fact, end = found
        if fact.value == 0 and any(one.gives == "cost" for one in facts):
            break  # "(+115 points): Nothing happens"
        position = end
        facts.append(fact)
        ends.append(position)
        if fact.gives == "text":
            break
    # "Once per game, an enemy …" begins a sentence and states no fact.
    while facts and facts[-1].gives != "text":
        begin = find_end(_BETWEEN, text, ends[-1])
        signs = ".|/)]–—" if facts[-1].gives == "uses" else ":;.|/)]–—"
        between_facts = text[ends[-1] : begin]
        parted = any(sign in signs for sign in between_facts) or " - " in between_facts
        runs_on = facts[-1].gives == "uses" and between_facts.strip() == ","
        # "Oil rag, 2 copper, wipes off rust": commas part the price from both sides.
        listed = facts[-1].gives == "cost" and between_facts.strip() == ","
        parted = parted or (listed and text[:start].rstrip().endswith(","))
        if parted or not (runs_on or text[begin : begin + 1].islower()):
            break
        facts.pop()
        ends.pop()
    # Past what parts a fact from what follows; a bracket that opens stays.
    return Taken(tuple(facts), find_end(_AFTER, text, ends[-1]) if facts else start)


def cut_facts(content: Styled, end: int) -> Styled:
    """Return what stands behind facts; "swamp)" of "(cost 3, swamp)" is in brackets again."""
    left, text = content.cut(end).strip(), content.text
    opened = text.count("(", 0, end) > text.count(")", 0, end)
    return Styled.of("(").join(left) if opened else left


def find_end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return where a pattern ends that begins at a place; that place where it does not."""
    match = pattern.match(text, position)
    return match.end() if match else position


def _match_rule(text: str, begin: int) -> tuple[Fact, int] | None:
    for rule in _list_rules_at(_find_signs(text), _sign_at(text, begin)):
        match = rule.pattern.match(text, begin)
        if match is None or match.end() == begin:
            continue
        fact = _read_fact(rule, match)
        if fact is None:
            continue
        return fact, match.end()
    return None


def _read_fact(rule: _Rule, match: re.Match[str]) -> Fact | None:
    groups = match.groupdict()
    raw = groups.get("value") or groups.get("value2") or ""
    written, labelled = match[0].strip(), rule.form == "label"
    if rule.gives in ("text", "nothing"):
        return Fact(rule.gives, None, rule.sure, written)
    if rule.gives == "cost":
        return _read_cost(rule, groups, raw, written)
    if rule.gives == "count":
        number = int(raw) if raw.isdigit() else read_number(raw)
        return Fact("count", number, rule.sure, written, labelled) if 0 < number <= 200 else None
    if rule.gives == "rank":
        return Fact("rank", raw.lower(), rule.sure, written)
    value = raw.strip().rstrip(",").strip()
    words = value.lower().split()
    if rule.form == "roles" and words[0] in _list_linking():
        return None
    if rule.form in ("phrase", "roles", "first") and not is_phrase(value):
        return None
    if rule.form == "phrase" and rule.sure == 0.8 and len(words) > _FEW_WORDS:
        return None
    return Fact(rule.gives, capitalise(value), rule.sure, written, labelled)


@cache
def _list_linking() -> frozenset[str]:
    return frozenset((*list_words("sentence", "small"), "other", "own", "all", "any"))


def _read_cost(rule: _Rule, groups: dict[str, str | None], raw: str, written: str) -> Fact | None:
    labelled = rule.form == "label"
    if raw.lower() in list_words("cost", "free"):
        return Fact("cost", 0, rule.sure, written, labelled)
    if "blank" not in groups:
        if rule.form == "money":
            return Fact("cost", " ".join(raw.split()), rule.sure, written, labelled)
        value = raw.strip().rstrip(",")
        if value.lower() in list_words("who", "nobody"):
            return Fact("nothing", None, rule.sure, written)
        return Fact("cost", value, rule.sure, written, labelled) if is_phrase(value) else None
    digits = raw.translate(_SCANNED).replace(",", "").replace(".", "")
    sign = (groups.get("sign") or "").lower()
    doubt = None
    negative = sign in list_words("cost", "minus")
    if sign in _MINUS:
        label = written[: written.index(groups["sign"] or "")].rstrip()
        negative = not groups.get("blank") or label.endswith((":", "="))
        if not negative:
            said = f'"{sign}" before {digits} may be a minus or a dash'
            doubt = Doubt("sign", said, 0.7, details=(("sign", sign), ("figure", digits)))
    if any(sign.isalpha() for sign in raw):
        told = (("said", raw), ("figure", digits))
        doubt = Doubt("misread", f'"{raw}" is read as {digits}', 0.7, details=told)
    value_ = -int(digits) if negative else int(digits)
    return Fact("cost", value_, rule.sure, written, labelled, doubt)


def is_stated(text: str) -> bool:
    """Whether a text begins with a fact for sure, and not with a name that a fact ends."""
    taken = take_facts(text)
    first = taken.facts[0] if taken.facts else None
    if first is None or first.sure < 0.9:
        return False
    if first.gives != "who" or first.labelled or first.written.lower().startswith(_list_starts()):
        return True
    words = [word for word in WORDS.findall(first.written.lower()) if word not in _list_ends()]
    people = re.compile(get_pattern("who", "people"))
    return len(words) <= 1 or all(people.fullmatch(word) for word in words)


@cache
def _list_starts() -> tuple[str, ...]:
    return list_words("who", "before")


@cache
def _list_ends() -> frozenset[str]:
    return frozenset((*list_words("who", "only"), *list_words("sentence", "small")))


def is_phrase(text: str) -> bool:
    """Whether a text is no sentence: short, and without a verb that the vocabulary knows."""
    words = text.casefold().split()
    verbs = list_verbs()
    return len(words) <= _MOST_WORDS and not any(word.strip(".,;:!?()") in verbs for word in words)


def capitalise(text: str) -> str:
    """Return a fact as a card shows it: with a capital, without the marks around it."""
    text = " ".join(text.split()).strip(" .,;:*_-–—")
    if text.isupper() and " " in text:
        text = text.lower()  # a line that shouts
    return text[:1].upper() + text[1:]


_FIGURE = re.compile(r"(plus|minus|[+\-−–±])?\s*(\d{1,5})\s*(?:points?|pts?\.?)?", re.IGNORECASE)


def read_figure(text: str) -> int | None:
    """Return the whole number that a cell holds, with its sign; None where it holds more."""
    match = _FIGURE.fullmatch(text.strip())
    if not match:
        return 0 if text.strip().lower() in list_words("cost", "free") else None
    negative = (match[1] or "").lower() in ("minus", "-", "−", "–")
    return -int(match[2]) if negative else int(match[2])
