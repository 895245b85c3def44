"""What stands on a page beside its text is left out: numbers, running heads, captions, contents.

It is known by standing alone, by coming again from page to page, and by a few words of the
vocabulary. Knows nothing of cards.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise

from cardgen.importing.finding.facts import take_facts
from cardgen.importing.finding.frames import unframe
from cardgen.importing.finding.mend import mend
from cardgen.importing.finding.names import find_shape
from cardgen.importing.finding.vocabulary import find_label, get_pattern
from cardgen.importing.model import CODE, CONTENTS, FRONT_MATTER, ITALIC, Block, LeftOut
from cardgen.importing.reading.joining import has_ended

_ENTRY = re.compile(r"(\S.{1,60}?)\s*(?:[.…_]\s?){4,}\s*([\dlO]{1,3})")
_OUTLINED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\.?\s+(\S.{1,60})")
_NUMBERED = re.compile(
    r"\d{1,4}\s{2,}(\S.*?)|(\S.*?)\s{2,}\d{1,4}|\( \d{1,4} \)\s{2,}(\S.*?)"
    r"|(\S.*?)\s{2,}\( \d{1,4} \)|\d{1,4}\s*[|•·]\s*(\S.*)|(\S.*?)\s*[|•·]\s*\d{1,4}"
)
_COUNTED_ON = re.compile(r"^(?:\w{1,5}[.)]\s+)")
_SCANNED = str.maketrans("il|!015", "llllols")
_COUNTER = re.compile(
    r"(?:[^\W\d_]+\s+)?[(\[#]?(\d{1,3})\s?(?:/|[^\W\d_]{2,3}\s)\s?(\d{1,3})[)\]]?"
)
_SIGNED = re.compile(r"[*†‡]\s?\w")
_STATED = re.compile(r"\d|:\s")
_LABEL = re.compile(r"[^\W\d_][\w' -]{0,30}:\s")
_LEADER = re.compile(r"(?:[.…_]\s?){4,}")
_FIGURE = re.compile(r"^\d{1,3}(?=\s+[^\W\d_])|(?<=[^\W\d_]\s)\d{1,3}$")
_PAGE = re.compile(r"^\d{1,9}(?!\S)|(?<!\S)\d{1,9}$")
_WIDE = re.compile(r"\s{2,}")
_ALONE = re.compile(r"\b\d+\b")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_FIGURED = re.compile(r"\s*\d[\d\s]*")
_VALUE = re.compile(r"[\s./+%-]*\d[\d\s./+%-]*(?:[a-z]{1,3}|\")?")
_OFTEN = 3
_MOST = 0.7
_NEAR = 2
_FAR = 12  # lines between words of stats and the values that a scan has torn off
_PAGE_LINES = 60
_MOST_NOTED = 12  # lines of footnotes
_FEWEST_LINES = 12  # of a page
_MOST_WORDS = 9
_MOST_LETTERS = 160  # of the head of a page, with its gaps
_FEWEST_TORN = 0.15
# What stands around the number of a page: neither a plus nor money, and no picture of a thing.
_DRESS = r"[^\w+$€£¥\u2600-\u26ff\U0001f000-\U0001faff]*"
_SUFFIX = (
    r"(?:qxd|qxp|indd?|pmd|pm\d|p65|jpe?g|tiff?|eps|png|gif|psd|pdf|docx?|odt|rtf|txt|bmp|cdr|pub"
    r"|html?)"
)


def clean(blocks: Sequence[Block]) -> tuple[list[Block], list[LeftOut]]:
    """Return the lines of a text as they were written, and what stood beside it on its pages."""
    left: list[LeftOut] = []
    kept = _drop_junk(unframe(blocks), left)
    return mend(_close_up(kept), left), left


@cache
def _list_junk() -> tuple[tuple[str, re.Pattern[str]], ...]:
    page = get_pattern("page", "page")
    roman = r"(?:\d{1,4}|[ivxlc]+)"
    figure, caption = get_pattern("page", "figure"), get_pattern("page", "caption")
    web = get_pattern("page", "furniture")
    found = (
        ("page number", rf"{_DRESS}(?:\d(?: \d){{1,3}}|(?=[lio]*\d)[\dlio]{{2,3}}){_DRESS}"),
        ("page number", rf"{_DRESS}(?:{page}\.?\s*)?\d{{1,4}}"
         rf"(?:\s*(?:of|/(?!\s)|von|sur)\s*\d{{1,4}})?{_DRESS}"),
        ("page number", rf"\W*{page}\.?\s+{roman}(?:\s*(?:of|/|von|sur)\s*\d{{1,4}})?\W*"),
        ("page number", rf"[-–—~*]\s*{roman}\s*[-–—~*]"),
        ("file name", rf"(?:[a-z]:\\)?(?:[\w.()~&-]+[ \\/]){{0,5}}[\w.()~-]*[\w)~]\.{_SUFFIX}\b"
         rf"(?:[\s\d/:.,-]|[ap]m\b|{page}\b|\b\d+\b)*"),
        ("picture", r"!\[[^\]]*\](?:\[[^\]]*\]|\(<[^>]*>\)|\([^)]*\))(?:\{[^{}]*\})?"
         r"|<!--.*-->|<(?:img|figure)\b.*>|"
         rf"\[\[?(?:image|file|{figure})\b[^\]]*\]\]?|\(?{figure} (?:here|omitted|missing)\)?"),
        ("caption", rf"\(?{caption}(?: {caption}| and \w+)?\s?[:.–—]\s.+"),
        ("caption", rf"{figure}\.?\s*(?:\d+[\w.]*)?\s*[:.–—]\s.+|{figure} (?:by|from)\b.+"),
        ("of a page", rf"[^\w\[]*+(?:\[\d+\])?\W*+{web}\W*|re:\s.*|by \S+ [»|].*"
         rf"|{get_pattern('page', 'web')}\b.*|(?:\[\W*{web}[^\[\]]*\]\s*)+"
         r"|\[\d+\]\w+(?: \[\d+\][\w ]+)+|\d+ of \d+ shown|page:?\s.*\bnext\b.*"),
        ("of a page", r".*`=\s?\w.*|\{\{.*|\{%.*%\}|:{3,}.*|\.\.\s+(?:[\w-]+::|_[^:]+:).*|\}\}"
         r"|\|\s*[\w ]+=.*|__[A-Z]+__|\[\[(?:category|kategorie):.*"
         r"|\[\s*(?:cut|fold|insert|blank|end|see|continued|overleaf)\b[^\[\]]*\]"),
        ("of a page", r"(?:#[^\W\d][\w/-]*\s*)+|\{[.#:][\w\s.#:=\"-]*\}|`{3,}\{[\w:-]+\}.*"),
        ("dirt", r"(?:[^\w\s]|_){1,3}(?:\s+(?:[^\w\s]|_){1,3}){0,4}"),
        ("address", r"(?:https?://|www\.)\S+|\S+@\S+\.\w{2,}"),
        ("copyright", rf"(?:©|\(c\)|{get_pattern('page', 'rights')})(?!\w).*"),
        ("continued", rf"\(?{get_pattern('page', 'continued')}(?: \d+)?\)?\.?"),
    )  # fmt: skip
    return tuple((why, re.compile(text, re.IGNORECASE)) for why, text in found)


def _find_junk(block: Block) -> str:
    if block.mark == FRONT_MATTER:
        return FRONT_MATTER
    if block.mark == CONTENTS:
        return "table of contents"
    if block.cells or block.kind in ("rule", "page") or block.mark == CODE:
        return ""
    text = block.text.strip()
    return next((why for why, pattern in _list_junk() if pattern.fullmatch(text)), "")


def _drop_junk(blocks: Sequence[Block], left: list[LeftOut]) -> list[Block]:
    why = {
        place: "" if _is_text(blocks, place) else _find_junk(block)
        for place, block in enumerate(blocks)
    }
    _spare_values(blocks, why)
    _spare_labels(blocks, why)
    drawn = set(_find_drawn(blocks))
    why.update(dict.fromkeys(drawn, ""))
    contents = _find_contents(blocks)
    why.update(dict.fromkeys((*contents, *_find_listed(blocks)), "table of contents"))
    why.update({at: "number of a card" for at in _find_counters(blocks) if not why[at]})
    depths = sorted({blocks[at].indent for at in contents})
    chapters = {title: 1 + depths.index(blocks[at].indent) for at, title in contents.items()}
    outline = _find_outline(blocks)
    why.update(dict.fromkeys(outline, "table of contents"))
    chapters |= {title: depth + 1 for title, depth in outline.values()}
    for place in range(1, len(blocks)):
        if _carries_on_caption(blocks, place, why):
            why[place] = "caption"
    why.update(dict.fromkeys(_find_footnotes(blocks, why), "footnote"))
    heads = _find_running_heads(blocks, why) - drawn
    kept: list[Block] = []
    broken = 0
    for place, block in enumerate(blocks):
        level = chapters.get(_fold_title(block))
        reason = "running head" if place in heads and not level else why[place]
        if block.kind == "page":
            broken = max(broken, 1)
        elif reason:
            left.append(LeftOut(block.text, block.place, reason))
            below = blocks[place + 1].text[:1] if place + 1 < len(blocks) else ""
            # Specks of a scan stand on empty lines, but for those within a sentence.
            empty = reason == "dirt" and not below.islower()
            broken = max(broken, block.gap, int(empty))
        else:
            if level and find_shape(block.text) != "capitals":  # these stand out as they are
                block = replace(block, kind="heading", level=level, gap=max(block.gap, 1))
            kept.append(replace(block, gap=max(block.gap, broken)) if broken else block)
            broken = 0
    return kept


def _find_drawn(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the lines of tables with a line drawn below each column: all of them are cells."""
    for at, block in enumerate(blocks):
        parts = block.mark.split() if block.kind == "rule" else []
        if len(parts) > 1 and max(map(len, parts)) > 2:
            for step in (-1, 1):
                place = at + step
                while 0 <= place < len(blocks) and blocks[place].kind in ("line", "item"):
                    yield place
                    place += step


def _spare_values(blocks: Sequence[Block], why: dict[int, str]) -> None:
    """Keep figures that are values, and no page numbers: they stand one below the other, or as
    many some lines below the same words time and again.
    """
    numbers = [at for at, reason in why.items() if reason in ("page number", "dirt")]
    values = [bool(_VALUE.fullmatch(block.text.strip())) for block in blocks]
    said = Counter(block.text for block in blocks)
    wide = {
        at: len(blocks[at].text.split()) for at in numbers if _FIGURED.fullmatch(blocks[at].text)
    }
    heads = {
        at: [
            text
            for above in range(max(0, at - _FAR), at)
            if said[text := blocks[above].text] >= _OFTEN and len(text.split()) == wide[at]
        ]
        for at in wide
        if wide[at] > 1
    }
    often = Counter(text for texts in heads.values() for text in set(texts))
    below: dict[str, list[int]] = {}
    for at in numbers:
        figure = _ALONE.search(blocks[at].text)
        if at and not blocks[at].gap and figure:
            below.setdefault(blocks[at - 1].text, []).append(int(figure[0]))
    stated = {text for text, found in below.items() if len(found) >= _OFTEN and not _rises(found)}
    for at in numbers:
        above = at > 0 and not blocks[at].gap and values[at - 1]
        under = at + 1 < len(blocks) and not blocks[at + 1].gap and values[at + 1]
        headed = any(often[text] >= _OFTEN for text in heads.get(at, ()))
        label = blocks[at - 1].text if at and not blocks[at].gap else ""
        labelled = label != "" and (label in stated or find_label(label.casefold()) == "cost")
        led = at > 0 and blocks[at - 1].text.endswith(":") and blocks[at - 1].kind == "line"
        if led or (values[at] and (above or under)) or headed or labelled:
            why[at] = ""


def _spare_labels(blocks: Sequence[Block], why: dict[int, str]) -> None:
    """Keep labels that look like captions beside others that do not: "Mail: 5+", "Plate: 4+"."""
    labels = [bool(_LABEL.match(block.text)) for block in blocks]
    for step in (1, -1):
        for at in range(len(blocks))[::step]:
            beside = at - step
            if not 0 <= beside < len(blocks) or not (labels[at] and labels[beside]):
                continue
            close = not blocks[max(at, beside)].gap and blocks[at].kind == blocks[beside].kind
            named = blocks[at].text.partition(":")[2].strip().istitle()  # "Picture: Jo Smith"
            if close and why[at] == "caption" and not why[beside] and not named:
                why[at] = ""


def _fold_title(block: Block) -> str:
    """Return a line as contents name it, whatever its emphasis."""
    return block.text.strip(" *").casefold()


def _list_runs(entries: Iterable[re.Match[str] | None]) -> Iterator[dict[int, re.Match[str]]]:
    """Yield the entries of contents that stand one below the other."""
    run: dict[int, re.Match[str]] = {}
    for place, entry in enumerate(entries):
        if entry:
            run[place] = entry
        else:
            yield run
            run = {}
    yield run


def _find_contents(blocks: Sequence[Block]) -> dict[int, str]:
    """Return names with the numbers of their pages, line by line, that come again later."""
    found: dict[int, str] = {}
    said = set(map(_fold_title, blocks))
    entries = [None if block.cells else _ENTRY.fullmatch(block.text) for block in blocks]
    others = {_fold_title(b) for b, entry in zip(blocks, entries, strict=True) if not entry}
    begun = sorted(_COUNTED_ON.sub("", title) for title in others)
    for run in _list_runs(entries):
        names = {at: entry[1].strip().casefold() for at, entry in run.items()}
        # "I. Bean Soup (2 copies) – 5 crowns" is what "Bean Soup ..... 3" tells of.
        again = sum(f"{_find_next(begun, name)} ".startswith(f"{name} ") for name in names.values())
        if len(run) > 2 and (not said.isdisjoint(names.values()) or 2 * again > len(run)):
            found |= names
    return found


def _find_next(texts: Sequence[str], text: str) -> str:
    """Return the first of sorted texts that does not stand before another one."""
    at = bisect_left(texts, text)
    return texts[at] if at < len(texts) else ""


def _find_listed(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the items of lists that name the headings of a text."""
    heads = {_fold_title(block) for block in blocks if block.kind == "heading"}
    run: list[int] = []
    for at, block in enumerate([*blocks, None]):
        if block and block.kind == "item" and (not run or not block.gap):
            run.append(at)
            continue
        named = sum(_fold_title(blocks[one]) in heads for one in run)
        if len(run) >= _OFTEN and named > _MOST * len(run):
            yield from run
        run = [at] if block and block.kind == "item" else []


def _find_outline(blocks: Sequence[Block]) -> dict[int, tuple[str, int]]:
    """Return the lines that number the titles of a text, each with its title and how deep it is."""
    found: dict[int, tuple[str, int]] = {}
    said = set(map(_fold_title, blocks))
    entries = (_OUTLINED.fullmatch(b.text) if b.kind == "line" else None for b in blocks)
    for run in _list_runs(entries):
        titles = {
            at: (entry[2].strip().casefold(), entry[1].count(".")) for at, entry in run.items()
        }
        again = sum(title in said for title, _ in titles.values())
        if len(run) >= _OFTEN and again > _MOST * len(run):
            found |= titles
    return found


def _find_counters(blocks: Sequence[Block]) -> list[int]:
    """Return lines that say which card of how many each is: "Card 3/54"."""
    found = {
        at: match for at, b in enumerate(blocks) if (match := _COUNTER.fullmatch(b.text.strip()))
    }
    counted = [int(match[1]) for match in found.values()]
    single = len({match[2] for match in found.values()}) == 1
    steps = {after - before for before, after in pairwise(counted)}  # "Health 3/9" is no counter
    return list(found) if len(found) >= _OFTEN and single and steps == {1} else []


def _carries_on_caption(blocks: Sequence[Block], place: int, why: Mapping[int, str]) -> bool:
    block = blocks[place]
    if why[place - 1] == "picture" and block.content.face & ITALIC:
        return place < 2 or blocks[place - 2].kind != "heading"  # else a subtitle
    above = blocks[place - 1].text
    goes_on = block.text[:1].islower() or above.count("(") > above.count(")")
    return why[place - 1] == "caption" and not block.gap and goes_on


def _find_footnotes(blocks: Sequence[Block], why: Mapping[int, str]) -> Iterator[int]:
    """Yield the lines at the end of a page that explain a sign behind a word above."""
    ends = [at for at, b in enumerate(blocks) if b.kind == "page" or why[at] == "page number"]
    for end in [*ends, len(blocks)]:
        start = max(0, end - _MOST_NOTED)
        notes = [at for at in range(start, end) if _SIGNED.match(_read_item(blocks[at]))]
        if not notes:
            continue
        sign = _read_item(blocks[notes[0]])[0]
        above = range(max(0, notes[0] - _PAGE_LINES), notes[0])
        marked = any(blocks[at].text.rstrip().endswith(sign) for at in above)
        apart = sum(blocks[at].gap > 0 for at in range(notes[0] + 1, end))
        if marked and apart < len(notes):
            yield from range(notes[0], end)


def _read_item(block: Block) -> str:
    """Return a line as it is written, with the sign that a list gives it."""
    return f"{block.mark} {block.text}" if block.kind == "item" else block.text


def _is_text(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line goes on with the one above: "on a roll of" and "6.", "(b) one", "(c) two"."""
    block = blocks[place]
    if place and block.text[:3] == "(c)" and blocks[place - 1].text[:3] == "(b)":
        return True
    if not place or block.gap or not block.text.rstrip().endswith("."):
        return False
    return blocks[place - 1].text[-1:].isalnum() and len(blocks[place - 1].text.split()) > 2


def _close_up(blocks: list[Block]) -> list[Block]:
    """Take out gaps where an empty line stands between any two lines: it parts no paragraphs."""
    lines = [block for block in blocks if block.kind == "line"]
    torn = sum(1 for block in lines if block.gap and block.text[:1].islower())
    apart = sum(1 for block in lines if block.gap)
    if apart < 0.9 * len(lines) or torn < max(2, _FEWEST_TORN * len(lines)):
        return blocks
    return [replace(block, gap=max(0, block.gap - 1)) for block in blocks]


# Running heads


def _find_running_heads(blocks: Sequence[Block], why: Mapping[int, str]) -> set[int]:
    """Return lines that come again beside the end of a page."""
    keys: dict[int, str] = {}
    marks: set[int] = set()
    told: set[int] = set()
    pages: dict[str, list[int]] = {}
    index = set(_find_index(blocks))
    for place, block in enumerate(blocks):
        if block.kind == "page" or why[place] in ("page number", "file name"):
            marks.add(place)
        if block.kind not in ("line", "heading") or why[place] or len(block.text) > _MOST_LETTERS:
            continue
        figured = [part for part in _WIDE.split(block.text) if any(map(str.isdigit, part))]
        row = len(figured) > 1 and not block.gap  # of a table
        if row or place in index or _LEADER.search(block.text):
            continue
        numbered = _get_numbered().fullmatch(block.text)
        found = next((part for part in numbered.groups() if part), "") if numbered else block.text
        keys[place] = _make_key(" ".join(sorted(_WIDE.split(found))))
        if numbered:
            (marks if _NUMBERED.fullmatch(block.text) else told).add(place)
        if number := _PAGE.search(block.text.strip()):
            pages.setdefault(keys[place], []).append(int(number[0]))
    for place in _list_counted(blocks, marks, keys):
        marks.discard(place)
        del keys[place]
    often = Counter(keys.values())
    marks |= {place for place in told if often[keys[place]] > 1}
    values = {key for key, numbers in pages.items() if not _rises(numbers)}
    marks -= {place for place in marks if keys.get(place) in values}
    keys = {place: key for place, key in keys.items() if key not in values}
    marks |= _find_numbered(keys, blocks)
    beside = {place + step for place in marks for step in range(-_NEAR, _NEAR + 1)}
    next_to = {place + step for place in marks for step in (-1, 1)}
    near = {at: key for at, key in keys.items() if at in beside and _may_run(blocks, at)}
    counts, whole = Counter(near.values()), Counter(keys.values())
    again = {key for key in counts if counts[key] > 1 and 2 * counts[key] >= whole[key]}
    beyond = {
        place
        for place, key in keys.items()
        if key in again and (place in next_to if place in beside else _may_run(blocks, place))
    }
    marked = marks | set(_find_titled(blocks, keys, near))
    found = beyond | {place for place, key in near.items() if key in again or place in marked}
    return found.union(_list_beginning(blocks, why, found))


def _find_index(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the lines of an index: one below the other, each a name, a gap and a number."""
    for named, run in groupby(range(len(blocks)), lambda at: _is_indexed(blocks[at].text)):
        places = [*run]
        if named and len(places) > _OFTEN:
            yield from places


def _is_indexed(text: str) -> bool:
    name, gap, number = text.strip().rpartition("  ")
    return gap != "" and name[:1].isalpha() and number.strip().isdecimal() and len(number) <= 4


def _list_beginning(
    blocks: Sequence[Block], why: Mapping[int, str], found: Set[int]
) -> Sequence[int]:
    """Return the lines that stand alone below the number of each page, if they are heads.

    That is so where one of them is known to be, or stands within a sentence.
    """
    firsts = [
        at + 1
        for at in range(2, len(blocks) - 1)
        if blocks[at].kind == "page" and why[at - 1] == "page number"
    ]
    if not all(_is_ended(blocks, at) and _may_run(blocks, at) for at in firsts):
        return []
    torn = any(
        not has_ended(blocks[at - 3].text) and blocks[at + 1].text[:1].islower()
        for at in firsts
        if at + 1 < len(blocks)
    )
    return firsts if torn or not found.isdisjoint(firsts) else []


def _list_counted(blocks: Sequence[Block], marks: set[int], keys: Mapping[int, str]) -> list[int]:
    """Return lines with numbers that count on, each another: entries, and no heads of pages."""
    found = [
        (place, int(match[0]))
        for place in sorted(marks & keys.keys())
        if (match := re.match(r"\d{1,3}(?=\s)", blocks[place].text))
    ]
    steps = sum(after == before + 1 for (_, before), (_, after) in pairwise(found))
    different = len({keys[place] for place, _ in found}) == len(found)
    counted = len(found) > _OFTEN and different and steps >= _MOST * (len(found) - 1)
    return [place for place, _ in found] if counted else []


def _find_titled(
    blocks: Sequence[Block], keys: Mapping[int, str], near: Mapping[int, str]
) -> Iterator[int]:
    """Yield the lines beside the end of a page that say a title which stands above once more."""
    first = sorted(keys)[:_OFTEN]
    plain = (at for at in keys if at not in near and not _STATED.search(blocks[at].text))
    again = Counter(keys[at] for at in plain)
    listed = sum(times > 1 for times in again.values()) >= _OFTEN  # as contents list names
    above: set[str] = set()  # the titles up to there
    for place, key in () if listed else sorted(keys.items()):
        if place not in near:
            above.add(key)
            continue
        parts = {_make_key(part) for part in _WIDE.split(blocks[place].text)} - {""}
        begun = any(keys[at].startswith(f"{key} ") for at in first if at < place)
        # The last of words without figures, one below the other, is a stat's of a torn scan.
        stacked = place > 1 and all(_is_stacked(blocks[at]) for at in (place - 1, place))
        able = not stacked and _is_ended(blocks, place) and _count_parts(blocks[place]) <= 2
        if able and (begun or not parts.isdisjoint(above)):
            yield place


def _is_stacked(block: Block) -> bool:
    """Whether a word stands alone, close below another line."""
    return block.gap == 0 and block.text.strip().isalpha()


def _is_ended(blocks: Sequence[Block], place: int) -> bool:
    """Whether white space or the end of a page stands below a line."""
    below = blocks[place + 1 : place + 2]
    return not below or below[0].gap > 0 or below[0].kind == "page"


@cache
def _get_numbered() -> re.Pattern[str]:
    """Return the head of a page with its number: "12   TIDES", "p. 12   TIDES", "B-1   TIDES"."""
    number = rf"(?:{get_pattern('page', 'page')}\.?\s*|[A-Z]-)\d{{1,4}}"
    told = rf"{number}\s{{2,}}(\S.*?)|(\S.*?)\s{{2,}}{number}"
    return re.compile(rf"{_NUMBERED.pattern}|{told}", re.IGNORECASE)


def _rises(numbers: Sequence[int]) -> bool:
    """Whether figures may be those of pages, each greater than the one before."""
    return all(before < after for before, after in pairwise(numbers))


def _find_numbered(keys: Mapping[int, str], blocks: Sequence[Block]) -> set[int]:
    """Return lines that come again with other figures, as "32 MAGAZINE" and "34 MAGAZINE"."""
    figures: dict[str, dict[int, str]] = {}
    for place, key in keys.items():
        number = _FIGURE.search(blocks[place].text)
        if number and blocks[place].kind != "heading":
            figures.setdefault(key, {})[place] = number[0]
    every = sorted((place, int(one)) for found in figures.values() for place, one in found.items())
    return set(_find_sequence(every)) | {
        place
        for found in figures.values()
        if len(found) >= _OFTEN and _are_pages(blocks, found)
        for place in found
    }


def _find_sequence(numbered: Sequence[tuple[int, int]]) -> list[int]:
    """Return lines whose figures count on page by page, whatever else stands in them."""
    runs: list[list[tuple[int, int]]] = []
    for place, number in numbered:
        if runs and number == runs[-1][-1][1] + 1:
            runs[-1].append((place, number))
        else:
            runs.append([(place, number)])
    longest = max(runs, key=len, default=[])
    counted = len(longest) >= _OFTEN and longest[0][1] > len(longest)
    # A page has more lines than what is counted on it.
    far = counted and longest[-1][0] - longest[0][0] >= _FEWEST_LINES * (len(longest) - 1)
    return [place for place, _ in longest] if far else []


def _are_pages(blocks: Sequence[Block], places: Iterable[int]) -> bool:
    """Whether lines say that their last figure is that of a page."""
    pattern = re.compile(rf".*\b{get_pattern('page', 'page')}\.?\s*\d+", re.IGNORECASE)
    return all(pattern.fullmatch(blocks[place].text.strip()) for place in places)


def _make_key(text: str) -> str:
    """Return a line without what differs from page to page: figures, capitals, slips of a scan."""
    words = _ALONE.sub(" ", text).lower().translate(_SCANNED)
    return _NO_LETTERS.sub(" ", words).strip()


def _may_run(blocks: Sequence[Block], place: int) -> bool:
    """Whether a line can be the head of a page: short, no sentence, no fact and no card's name."""
    text = blocks[place].text
    if not _is_short(text) or take_facts(text).has("cost", "who") or _LABEL.match(text):
        return False
    below = blocks[place + 1] if place + 1 < len(blocks) else None
    if below and take_facts(below.text).has("cost", "who"):
        return False
    parts = _count_parts(blocks[place])
    beside = [below] if below and not below.gap else []
    beside += [blocks[place - 1]] if place and not blocks[place].gap else []
    if parts > 2 and any(_count_parts(block) == parts for block in beside):
        return False  # words above their values
    goes_on = below is not None and not below.gap and below.text[:1].islower()
    return not goes_on or len(text.split()) <= _MOST_WORDS // 2


def _count_parts(block: Block) -> int:
    """Return how many parts of a line wide gaps part."""
    return len(_WIDE.split(block.text.strip()))


@cache
def _get_small() -> re.Pattern[str]:
    return re.compile(get_pattern("sentence", "small"), re.IGNORECASE)


def _is_short(text: str) -> bool:
    words = text.split()
    if not words or text[:1].islower() or text[-1:] in ".,;:-":
        return False
    return len(words) <= _MOST_WORDS and not _get_small().fullmatch(words[-1])
