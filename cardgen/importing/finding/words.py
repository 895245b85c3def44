"""Words that label without a colon: what begins many lines, or parts of them, is a label.

"Heft 3, Guild Coopers", "Heft – 3", "HEFT" above "3", a name with such words in brackets: the word
comes again and again, its values change. All are written as one form, "Heft: 3 | Guild: Coopers",
and are read like any other. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.labels import find_labelled, open_bracket, part_at
from cardgen.importing.finding.names import find_shape, looks_like_name
from cardgen.importing.finding.vocabulary import find_label, list_small, list_words
from cardgen.importing.model import BOLD, HEADER, ITALIC, TERM, Block, Styled

_FEWEST = 3
_NEARLY_ALL = 0.8
_LOWEST = 6  # of headings
_MOST_WORDS = 5
_LONGEST = 120  # letters of words with values
_WHOLE = 200  # and with a name before them
_SIDE = re.compile(r"([^\W\d_]{1,9})(?:\s?[:.)]+)\s+(?=\S)")
_AS_MANY = 0.6
_MOST = 0.6  # of the runs that stand where a run does
_NUMBERED = "0123456789.)# "
_ROW = "row"
_FIGURE = re.compile(r"[+–-]?\d[\d.,/+d]*\W*\w{0,2}")
_LED = re.compile(r"(.*?\S)(?:\s+[–—-]+\s+|\s*:\s+|\s+\|\s+|\s{3,}|\s*(?=[(\[{]))(\S.*)$")
_SIGNED = re.compile(
    r"([^\W\d_][\w'’-]*(?:\s[\w'’-]+){0,2}?)(\s*(?:[:=]|[-=]>|→)\s*|\s+(?:\||[–—-]+)\s+)(?=[^\s.…])"
)
_BARE = re.compile(r"([A-ZÀ-Þ][^\W\d_]*\d?)(\s)(?=[^\s.…(\[])")
_SMALL = re.compile(r"([^\W\d_]+)(\s)(?=[^\s.…])")
_COUNTED = re.compile(r"([^\W\d_]{2,}(?:\s[^\W\d_]+)?)\s+([+–-]?\d[\d.,]*)")  # "effort 3"
_BROKEN_OFF = re.compile(r"[,;]$|\S\s+\S+\s*[–—-]+$|\w[–—-]+$")  # and not "A –", a stat of none
_DRAWN = re.compile(r"\s[|·•]\s|\s\s|;\s|\t|\s/\s")
_COMMA = re.compile(r",\s+")
_WEAK = (re.compile(r"\.\s+"), _COMMA)  # which part sentences, too
_COMMON = (
    *map(re.compile, (r"\s+\|\s+", r";\s+", r"\s+[·•]\s+", r"\s+/\s+", r"\s+[–—-]+\s+")),
    *_WEAK,
)
_RARE = (
    re.compile(r"\s+//\s+|\s*\t\s*|\s{3,}"),
    re.compile(r"\s+(?=[^\W\d_][\w'’-]*\s?[:=])"),
)

Key = tuple[object, ...]


class _Part(NamedTuple):
    """What may be a word and its value; the value begins at `start`."""

    content: Styled
    word: str
    start: int

    @property
    def value(self) -> str:
        return self.content.text[self.start :].strip(" .")


class _Told(NamedTuple):
    """A line read as words with values, all of one form; `lead` is the name before them."""

    form: Key
    lead: Styled
    parts: tuple[_Part, ...]

    @property
    def keys(self) -> list[Key]:
        return [(*self.form, part.word) for part in self.parts]

    @property
    def is_bare(self) -> bool:
        """Whether white space alone parts words from values."""
        return not self.form[-1]

    @property
    def stands_alone(self) -> bool:
        return len(self.parts) == 1 and not self.lead.text


def label_words(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with a colon behind the words that begin many lines, or parts of them."""
    lowest = max((block.level for block in blocks), default=0)
    headed = _find_headed(blocks)
    able = (  # no chapters, and no rows whose columns have names
        (block.kind != "heading" or block.level == lowest) and at not in headed
        for at, block in enumerate(blocks)
    )
    readings = _drop_repeated(
        [list(_read_line(block)) if one else [] for block, one in zip(blocks, able, strict=True)]
    )
    values: defaultdict[Key, dict[int, str]] = defaultdict(dict)
    for at, read in enumerate(readings):
        for told in read:
            for key, part in zip(told.keys, told.parts, strict=True):
                values[key][at] = part.value
    often = {
        key: said
        for key, said in values.items()
        if len(said) >= _FEWEST and len({*said.values()}) > 1
    }
    alone = _count_neighbours(readings, often)
    shared = {key: _count_shared([*said.values()]) for key, said in often.items()}
    labelled = list(blocks)
    for at, read in enumerate(readings):
        for told in read:
            first = told.keys[0]
            if not _are_words(told, often):
                continue
            if told.stands_alone and 2 * alone[first] < len(often[first]):
                continue
            labelled[at] = _label(blocks[at], told, shared)
            break
    return labelled


def _find_headed(blocks: Sequence[Block]) -> set[int]:
    """Return the rows of tables, each column of which has a name of words above it."""
    headed: set[int] = set()
    named = False
    for at, block in enumerate(blocks):
        if block.mark == HEADER:
            words = [cell.text.strip() for cell in block.cells]
            plain = all(word and not any(map(str.isdigit, word)) for word in words)
            named = plain and len({*words}) == len(words)
        elif not block.cells:
            named = False
        if named:
            headed.add(at)
    return headed


def _drop_repeated(readings: Sequence[Sequence[_Told]]) -> list[list[_Told]]:
    """Return how lines may be read where no name comes again and again before words."""
    leads = Counter(
        lead for read in readings for lead in {told.lead.text.casefold() for told in read}
    )
    return [
        [told for told in read if not told.lead.text or leads[told.lead.text.casefold()] < _FEWEST]
        for read in readings
    ]


def _are_words(told: _Told, often: Mapping[Key, Mapping[int, str]]) -> bool:
    """Whether the words of a line come often, but for one; bare figures are for stats to read."""
    known = [key for key in told.keys if key in often]
    if not known or len(known) + 1 < len(told.parts):
        return False
    if len(known) < len(told.parts) and (told.is_bare or len(known) < 2):
        return False
    return not told.is_bare or not all(
        _FIGURE.fullmatch(value) for key in known for value in often[key].values()
    )


def _count_neighbours(
    readings: Sequence[Sequence[_Told]], often: Mapping[Key, Mapping[int, str]]
) -> Counter[Key]:
    """Return how often a word with a value stands beside another that comes as often."""
    counts: Counter[Key] = Counter()
    for above, below in pairwise(readings):
        pairs = [(one, other) for one in above for other in below]
        found: set[Key] = set()
        for one, other in pairs:
            first, second = one.keys[0], other.keys[0]
            if not (one.stands_alone and other.stands_alone and one.form == other.form):
                continue
            if first != second and first in often and second in often:
                fewer, more = sorted((len(often[first]), len(often[second])))
                found |= {first, second} if fewer >= _AS_MANY * more else set()
        counts.update(found)
    return counts


def _count_shared(values: Sequence[str]) -> int:
    """Return how many words all values begin with: those of "Hit Points 12" behind its first."""
    split = [value.split() for value in values]
    shared = 0
    for words in zip(*split, strict=False):
        if len({*words}) > 1 or not words[0].isalpha() or any(len(w) <= shared + 1 for w in split):
            break
        shared += 1
    return shared


# Runs of words with figures beside a text

_VALUE = r"[+–-]?\d+(?:[./d+]\d+)*(?:[^\W\d_]{1,2}\b|[\"'])?"
_WORDS = r"[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*)?"
_SHORT = r"[A-ZÀ-Þ]{2,5}"  # "ATK bite 1d6", "ATK none"
_LONG = rf"(?:[^\W\d_]+\s){{0,3}}(?:{_VALUE}|[^\W\d_]+)"
_PAIR = rf"(?:{_SHORT}\s{_LONG}|{_WORDS}\s{_VALUE})"
_PAIRED = re.compile(rf"({_SHORT})\s({_LONG})|({_WORDS})\s({_VALUE})")
_APART = r"(?:[,;]|\s[·•|/])?\s"
_RUN = re.compile(rf"{_PAIR}(?:{_APART}{_PAIR})+")
_BEGUN = re.compile(r"\s*(?:[\[(]|[:,.–—-]\s)\s*$")
_NEAR_NAME = 80  # letters before which a run behind a name begins
_NEAR_END = 6  # letters among which the last value has a figure
_INSIDE = 4  # letters by which a text stands further in than its name
_DONE = re.compile(r"\s*(?:[.;:)\]]+(?:\s+|$)|[–—-]\s+|$)")


class _Run(NamedTuple):
    """Where a run stands in a line, with what parts it from the text before and behind it."""

    place: str
    start: int
    end: int
    parts: tuple[_Part, ...]


def part_runs(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with runs as "hp 22, def 13." before a text, or behind it, as labels."""
    runs = {at: run for at, block in enumerate(blocks) if (run := _find_run(block))}
    values: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for run in runs.values():
        for part in run.parts:
            values[run.place, part.word].append(part.value)
    often = {key for key, said in values.items() if len(said) >= _FEWEST and len({*said}) > 1}
    kept = {
        at: run
        for at, run in runs.items()
        if often.issuperset((run.place, part.word) for part in run.parts)
    }
    found = Counter(run.place for run in runs.values())
    having = Counter(run.place for run in kept.values())
    kept = {at: run for at, run in kept.items() if having[run.place] > _MOST * found[run.place]}
    apart = 2 * sum(blocks[at].gap > 0 for at in kept) > len(kept)
    parted: list[Block] = []
    waiting: list[Block] = []  # what stands behind a name, and is written below its text
    for at, block in enumerate(blocks):
        if block.gap or block.kind != "line" or not (apart or block.indent > blocks[at - 1].indent):
            parted += waiting
            waiting = []
        if (run := kept.get(at)) is None:
            parted.append(block)
            continue
        said = _label_part(run.parts[0], 0)
        for part in run.parts[1:]:
            said = said.join(_label_part(part, 0), " | ")
        labels = replace(block, kind="line", content=said, gap=0, sources=())
        before, behind = block.content.cut(0, run.start), block.content.cut(run.end)
        if run.place == "name":
            whole = before.join(behind, ": ")
            parted.append(replace(block, content=whole, sources=block.lines))
            waiting.append(replace(labels, indent=block.indent + _INSIDE))
        elif run.place == "whole":
            parted.append(replace(labels, kind=block.kind, gap=block.gap, sources=block.lines))
        elif run.place == "start":
            parted.append(replace(labels, kind=block.kind, gap=block.gap, sources=block.lines))
            parted.append(replace(labels, content=behind))
        else:
            parted += [replace(block, content=before, sources=block.lines), labels]
    return [*parted, *waiting]


def _find_run(block: Block) -> _Run | None:
    """Return the run that a line holds: behind its name, at its beginning, or at its end."""
    if block.cells or block.kind not in ("line", "item"):
        return None
    text = block.text.rstrip()
    last = any(map(str.isdigit, text[-_NEAR_END:]))
    first = any(map(str.isdigit, text[:_NEAR_NAME]))
    if not (first or last):
        return None
    start = 0 if first else max(0, len(text) - _LONGEST)
    for match in _RUN.finditer(text, start, len(text) if last else _NEAR_NAME + _LONGEST):
        begun, done = _BEGUN.search(text, 0, match.start()), _DONE.match(text, match.end())
        if not done or (not begun and text[: match.start()].strip()):
            continue
        start, end = begun.start() if begun else 0, done.end()
        inside = block.content.cut(*match.span())
        parts = tuple(
            _Part(
                inside.cut(*pair.span()),
                (pair[1] or pair[3]).casefold(),
                max(pair.start(2), pair.start(4)) - pair.start(),
            )
            for pair in _PAIRED.finditer(inside.text)
        )
        if any(len(p.word.split()) > 1 and _is_linked(p.word) for p in parts[1:]):
            continue  # "Roll 2d6 and add 2"
        if start == 0:
            return _Run("start" if end < len(text) else "whole", 0, end, parts)
        if start and end == len(text) and text[start] != ":":  # else it is what a label says
            return _Run("end", start + (text[start] == "."), end, parts)
        if 0 < start < end < len(text) and looks_like_name(
            text[:start].lstrip(_NUMBERED), marked=True
        ):
            return _Run("name", start, end, parts)
    return None


# How a line may be read


def _read_line(block: Block) -> Iterator[_Told]:
    """Yield how a line may be words with values, with or without a name before them."""
    if block.cells:
        yield from _read_cells([cell for cell in block.cells if cell.text.strip()])
    if block.cells or block.kind not in ("line", "item", "heading") or len(block.text) > _WHOLE:
        return
    content = open_bracket(block.content.strip(" .*_"))
    if block.kind != "heading":
        yield from _read_words(block.kind, Styled.of(""), content)
    if match := _LED.match(content.text):
        lead = content.cut(0, match.end(1))
        if looks_like_name(lead.text.lstrip(_NUMBERED), marked=True):
            said, bracketed = open_bracket(content.cut(match.start(2))), match[2][0] in "([{"
            if bracketed and (counted := _COUNTED.fullmatch(said.text)):
                part = _Part(said, counted[1].casefold(), counted.start(2))
                yield _Told((block.kind, True, "figure"), lead, (part,))
            yield from _read_words(block.kind, lead, said, small=bracketed)


def _read_words(
    kind: str, lead: Styled, content: Styled, *, small: bool = False
) -> Iterator[_Told]:
    """Yield how a text may be words with values; `small` where these need no capitals."""
    text = content.text
    if not 0 < len(text) <= _LONGEST:
        return
    sign, read = _read_parts([content])
    if sign not in (None, ":"):
        plain = sign or not (take_facts(text).facts or _is_linked(read[0].value))
        # "GAMES SITTING DOWN" and "GAMES STANDING UP" are titles.
        plain = plain and not (text.isupper() and not any(map(str.isdigit, text)))
        if find_label(read[0].word) if lead.text else plain:
            yield _Told((kind, bool(lead.text), sign), lead, tuple(read))
    for separator in (*_RARE, *_COMMON):
        parts = part_at(content, separator)
        sign, read = _read_parts(parts, small=small) if len(parts) > 1 else (None, [])
        if sign is None or len(read) < 2 or any(map(_BROKEN_OFF.search, (p.text for p in parts))):
            continue
        if sign == ":" and not lead.text and (separator in _COMMON or _DRAWN.search(text)):
            continue  # these are labels as they stand
        few = len(read) <= _FEWEST
        if separator in _WEAK and few and find_shape(text) == "capitals":
            continue  # "BEDS A. FOR THE KITCHEN" is a title
        strong = bool(sign) or separator not in _WEAK or (lead.text and separator is _COMMA)
        if strong or not few or any(find_label(part.word) for part in read):
            yield _Told((kind, bool(lead.text), separator, sign), lead, tuple(read))


def _read_cells(cells: Sequence[Styled]) -> Iterator[_Told]:
    """Yield how a row may be words with values, each in one cell or in two."""
    pairs = [a.join(b, ": ") for a, b in zip(cells[::2], cells[1::2], strict=False)]
    for parts in (cells, pairs if len(cells) % 2 == 0 else []):
        sign, read = _read_parts(parts)
        if len(parts) > 1 and sign == ":":
            yield _Told((_ROW, sign), Styled.of(""), tuple(read))


def _is_linked(words: str) -> bool:
    return words.split()[0] in list_small()


def _read_parts(parts: Sequence[Styled], *, small: bool = False) -> tuple[str | None, list[_Part]]:
    """Return the one sign between words and values, and both; None where some part is neither."""
    read, signs = [], set()
    most = _MOST_WORDS + (_FEWEST if len(parts) > _FEWEST else 0)
    for part in parts:
        text = part.text
        match = _SIGNED.match(text) or (_SMALL if small else _BARE).match(text)
        if not match or not 0 < len(text[match.end() :].split()) < most or text[-1] in "!?":
            return None, []
        article = match[1].casefold() in list_small() and not any(map(str.isdigit, text))
        if not match[2].strip() and article:
            return None, []  # "The Heron Walks"
        signs.add(match[2].strip().replace("—", "-").replace("–", "-"))
        read.append(_Part(part, match[1].casefold(), match.end()))
    return (signs.pop() if len(signs) == 1 else None), read


def _label(block: Block, told: _Told, shared: Mapping[Key, int]) -> Block:
    """Return a line with colons behind its words, and strokes between its parts."""
    labelled = [
        _label_part(part, shared.get(key, 0))
        for part, key in zip(told.parts, told.keys, strict=True)
    ]
    content = labelled[0]
    for part in labelled[1:]:
        content = content.join(part, " | ")
    if told.lead.text:
        content = told.lead.join(content, " (").join(Styled.of(")"))
    kind = "line" if block.cells else block.kind
    return replace(block, kind=kind, content=content, cells=(), sources=block.lines)


def _label_part(part: _Part, more: int) -> Styled:
    """Return a part with a colon behind its word, and behind as many words `more`."""
    word, value = part.content.cut(0, len(part.word)), part.content.cut(part.start)
    end = sum(len(one) + 1 for one in value.text.split()[:more])
    if more:
        word, value = word.join(value.cut(0, end).strip(), " "), value.cut(end).strip()
    return word.join(value, ": ")


# Values below


def join_definitions(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with each term and what is said of it behind a colon below as one line.

    Where several things are said of a term, each stays a line, and the term is bold.
    """
    told = [block.kind == "line" and block.text.lstrip()[:2] == ": " for block in blocks]
    several = sum(all(pair) for pair in pairwise(told)) >= _FEWEST
    joined: list[Block] = []
    for block, is_told in zip(blocks, told, strict=True):
        above = joined[-1] if joined and joined[-1].kind == "line" else None
        if above is None or not is_told or (block.gap and not _may_be_term(above)):
            joined.append(block)
            continue
        face = above.content.face or BOLD
        said = block.content.cut(block.text.index(":") + 1).strip()
        if several:
            if above.mark != ":":
                joined[-1] = replace(above, content=Styled.of(above.text, face))
            joined.append(replace(block, content=said, mark=":"))
        else:
            content = Styled.of(f"{above.text.rstrip(': ')}:", face).join(said, " ")
            lines = (*above.lines, *block.lines)
            joined[-1] = replace(above, content=content, mark=TERM, sources=lines)
    return joined


def _may_be_term(block: Block) -> bool:
    """Whether a line stands alone as a term does, what is said of it below white space."""
    return block.gap > 0 and not block.cells and looks_like_name(block.text.strip(" :"))


def set_questions(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with questions as headings, where two labels take turns in all of them.

    What all names and all texts begin with is no part of them, as "Q:" and "A:".
    """
    found = {at: label for at, block in enumerate(blocks) if (label := _read_side(block))}
    sides = [label.casefold() for label in found.values()]
    first, second = (*sides[:2], "", "")[:2]
    turns = len(sides) >= 2 * _FEWEST and sides[::2] == [first] * len(sides[::2])
    if not turns or first == second or sides[1::2] != [second] * (len(sides) // 2):
        return list(blocks)
    above = [at - 1 for at in found if at and at - 1 not in found]
    named = [at for at in above if blocks[at].gap and blocks[at].kind != "rule"]
    names = max(len(named), sum(block.kind == "heading" for block in blocks))
    known = first in list_words("columns", "name") and second in list_words("columns", "text")
    told = find_label(first) or find_label(second) or (2 * len(sides) < len(blocks) and not known)
    if told or names > max(1, len(sides) // 8):  # that stand above them
        return list(blocks)
    turned = list(blocks)
    for place, (at, label) in enumerate(found.items()):
        block = blocks[at]
        signs = len(block.text) - len(block.text[len(label) :].lstrip(" :.)"))
        bare = block.content.cut(signs)
        turned[at] = replace(block, content=bare, sources=block.lines)
        if not place % 2:
            turned[at] = replace(turned[at], kind="heading", level=1, gap=max(block.gap, 1))
    return turned


def set_first(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks with names as headings, where each stands behind a word above labels.

    "spell: burning hands" above "level: 1", which stands at the same place in all of them.
    """
    found: dict[int, tuple[str, str]] = {}
    keys = [_find_key(block) for block in blocks]
    for at, (block, below) in enumerate(pairwise(blocks)):
        if block.gap and not below.gap and keys[at] and keys[at + 1]:
            found[at] = keys[at], keys[at + 1]
    every, seconds = len(found), Counter(second for _, second in found.values())
    usual, times = seconds.most_common(1)[0] if seconds else ("", 0)
    firsts = Counter(first for first, second in found.values() if second == usual)
    found = {at: pair for at, pair in found.items() if pair[1] == usual}
    names = [blocks[at].text.partition(":")[2].strip() for at in found]
    different = len({name.casefold() for name in names}) >= _NEARLY_ALL * len(names)
    short = all(looks_like_name(name, marked=True) for name in names)
    again = sum(keys.count(first) for first in firsts) > len(names)
    known = any(find_label(first) for first in firsts)
    titles = sum(_may_be_title(block) and not key for block, key in zip(blocks, keys, strict=True))
    often = max(_FEWEST, 3 * titles + 1, 2 * len(firsts)) <= times >= _NEARLY_ALL * every
    if not often or known or again or not (different and short):
        return list(blocks)
    turned: list[Block] = []
    for at, block in enumerate(blocks):
        if at not in found:
            turned.append(block)
            continue
        word, _, name = block.text.partition(":")
        named = Styled.of(name.strip())
        turned.append(
            replace(block, kind="heading", level=_LOWEST, content=named, sources=block.lines)
        )
        if len(firsts) > 1:
            turned.append(replace(block, content=Styled.of(word, ITALIC), gap=0, sources=()))
    return turned


def _may_be_title(block: Block) -> bool:
    """Whether a line is a heading, or a few words that stand apart."""
    short = block.kind == "line" and block.gap > 0 and looks_like_name(block.text.strip(" :"))
    return short or block.kind == "heading"


def _find_key(block: Block) -> str:
    """Return the label that a line begins with, in small letters."""
    label = find_labelled(block.content) if block.kind == "line" and not block.cells else None
    return label.key if label and label.value.text else ""


def _read_side(block: Block) -> str:
    """Return the word with a colon or a stop that a line begins with; nothing where it has none."""
    match = _SIDE.match(block.text) if block.kind == "line" and not block.cells else None
    return match[1] if match else ""
