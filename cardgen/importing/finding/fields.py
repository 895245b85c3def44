"""What the lines of a record say: labels, subtitle, facts, stats, and the text that is left.

A record is read by the habits of its document. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from cardgen.importing.finding.facts import Fact, Taken, capitalise, cut_facts, take_facts
from cardgen.importing.finding.habits import (
    GOES_ON,
    PRICE,
    Habits,
    Piece,
    find_subtitle,
    join_labels,
    open_bracket,
    runs_on,
    split_labels,
)
from cardgen.importing.finding.lines import Label, find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.stats import (
    Pair,
    join_torn,
    list_torn,
    read_pairs,
    read_rows,
)
from cardgen.importing.finding.vocabulary import find_label
from cardgen.importing.model import BOLD, Doubt, Rank, SourceLine, Styled

_ENDS = re.compile(r"[.!?:;…][\"'”’»)\]*]*$")
_MID = re.compile(r"[a-zß-öø-ÿ\d]")
_LAST = re.compile(
    r"^|(?=[\s(\[])(?:(?<=[.!?])\s+|(?<=[.!?][”\"’)])\s+|\s*(?=[(\[][^()\[\]]*[)\]]\.?$))"
)
_ENTRY = re.compile(r"(\d{1,2})(?:\s?[-–—]\s?(\d{1,2})|\+)?\s?[.:)]?\s+[^\W\d]")
_BULLET = "• "
_PARTED = " / "
_WEAK = 0.8
_SHORT = 6  # words


@dataclass(slots=True)
class Body:
    facts: list[list[Fact]] = field(default_factory=list)
    fields: dict[str, Styled] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    stats: list[Pair] = field(default_factory=list)
    torn: list[tuple[bool, str]] = field(default_factory=list)
    paragraphs: list[Styled] = field(default_factory=list)
    lines: list[SourceLine] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    def put(self, label: Label, value: Styled) -> None:
        """Make a label and its value a field."""
        key = make_key(label.text)
        self.fields[key], self.labels[key] = value, label.text


# How a record is read


def read_body(pieces: Sequence[Piece], habits: Habits, joiner: Joiner) -> Body:
    """Return what a record says."""
    body = Body()
    texts: list[Piece] = []
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        used, rest = _read_piece(pieces, at, bool(texts), habits, body, joiner)
        if used:
            body.lines += [line for one in pieces[at : at + used] for line in one.sources]
        if rest is not None and rest.text:
            texts.append(rest)
            if not used:
                body.lines += piece.sources
        at += max(used, 1)
    for group in _part_paragraphs(texts):
        paragraph = joiner.join(one.content for one in group)
        if group[0].kind == "item" and len(texts) > 1:
            paragraph = Styled.of(_BULLET).join(paragraph)
        if paragraph.text:
            body.paragraphs.append(paragraph)
    _give_back(pieces, body)
    _take_last(body)
    _join_torn(body, habits)
    return body


def _read_piece(
    pieces: Sequence[Piece], at: int, begun: bool, habits: Habits, body: Body, joiner: Joiner
) -> tuple[int, Piece | None]:
    """Read what a line says; return how many lines that used, and what is left as text."""
    piece = pieces[at]
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    several = len(pieces) > at + 2 and all(one.cells for one in pieces[at : at + 3])
    headed = not several and following is not None and piece.text.casefold() in habits.heads
    if following and headed and (pairs := read_rows(piece.text, following.text)):
        _add_pairs(pairs, body)
        return 2, None
    if habits.priced and not piece.sources and PRICE.fullmatch(piece.text):
        value = int(piece.text) if piece.text.isdigit() else piece.text
        body.facts.append([Fact("cost", value, 0.9, piece.text)])
        return 1, None
    if piece.cells:
        return _read_rows(pieces, at, habits, body)
    if piece.kind == "heading":
        return _read_subhead(pieces, at, body)
    known = habits.stats
    pairs = read_pairs(piece.text, known) if known else []
    sure = bool(pairs) and all(pair.label.casefold() in known for pair in pairs[:2])
    if sure and (not begun or len(pairs) > 1 or body.stats):
        _add_pairs(pairs, body)
        return 1, None
    waiting = sum(1 if is_word else -1 for is_word, _ in body.torn)
    if body.torn and not waiting and piece.gap and piece.text.isdigit():
        return 1, None  # the number of a page
    alone = waiting > 0 and find_label(piece.text.casefold()) == "cost"
    priced = known | {piece.text.casefold()} if alone else known
    if tokens := list_torn(piece.text, priced):
        words = sum(is_word for is_word, _ in (*body.torn, *tokens))
        waits = 2 * words >= len(body.torn) + len(tokens) and bool(body.torn)
        if piece.kind == "stat" or waits or any(is_word for is_word, _ in tokens):
            body.torn += tokens
            return 1, None
    if not begun or piece.kind in ("line", "item"):
        labels, more = join_labels(pieces, at, joiner)
        if labels and (
            found := _read_labels(pieces, at + more, labels, begun, habits, body, joiner)
        ):
            return found[0] + more, found[1]
    if (
        not begun
        and habits.subtitle == find_subtitle(piece, following) != ""
        and "subtitle" not in body.fields
    ):
        taken = take_facts(piece.text)
        strong = taken.sure >= 0.95 and taken.end >= len(piece.text.rstrip(" .)"))
        if not strong:
            said = open_bracket(piece.content.strip()).text
            body.fields["subtitle"] = Styled.of(said if piece.sources else said.lstrip("–—-·• "))
            return 1, None
    stated = _take(pieces, at, begun, habits, body, joiner)
    if stated is None:
        return 0, piece
    facts, left, used = stated
    body.facts.append([fact for fact in facts if fact.gives not in ("text", "nothing")])
    rest = pieces[at + used - 1]._replace(content=left)
    return used, rest if left.text else None


def _add_pairs(pairs: Iterable[Pair], body: Body) -> None:
    """Take words with their figures; a cost among them is the card's."""
    for pair in pairs:
        if find_label(pair.label.casefold()) == "cost":
            _set_label(Label(pair.label, Styled.of(pair.value)), Styled.of(pair.value), body)
        else:
            body.stats.append(pair)


def _read_rows(
    pieces: Sequence[Piece], at: int, habits: Habits, body: Body
) -> tuple[int, Piece | None]:
    """Read a small table: a row of labels above one of values, or a label and a value to a row."""
    rows = []
    for piece in pieces[at:]:
        if not piece.cells:
            break
        rows.append(piece.cells)
    width = max(len(row) for row in rows)
    if len(rows) == 2 and width > 1 and not (width == 2 and habits.tall):
        pairs = list(zip(*rows, strict=False))
    elif width == 2:
        pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
        if pairs and pairs[0][0].text.casefold() == "" == pairs[0][1].text:
            pairs = pairs[1:]
    elif len(rows) > 2 and all(_states_figures(row) for row in rows[1:]):
        pairs = [(row[0], _join_cells(row[1:])) for row in rows[1:]]
    else:
        return 0, pieces[at]
    if any(name.text and not make_key(name.text)[:1].isalpha() for name, _ in pairs):
        return 0, pieces[at]
    for name, value in pairs:
        label = Label(name.text.strip(" :*"), value.strip())
        if not label.text or not value.text.strip():
            continue
        if find_label(label.key) or (len(value.text.split()) > 2 and _PARTED not in value.text):
            _set_label(label, value.strip(), body)
        else:
            body.stats.append(Pair(label.text, value.text.strip()))
    return len(rows), None


def _states_figures(row: Sequence[Styled]) -> bool:
    """Whether a row of a small table is a word and its figures."""
    figures = [cell.text.strip(" +–−-%") for cell in row[1:] if cell.text.strip()]
    word = row[0].text.strip(" *:")
    return word.isalpha() and bool(figures) and all(map(str.isdigit, figures))


def _join_cells(cells: Sequence[Styled]) -> Styled:
    return Styled.of(_PARTED.join(cell.text.strip() for cell in cells if cell.text.strip()))


def _read_subhead(pieces: Sequence[Piece], at: int, body: Body) -> tuple[int, Piece | None]:
    """Read a heading within a record: a label whose value stands below it, or one of the text."""
    piece = pieces[at]
    label = Label(piece.text.strip(" :"), Styled.of(""))
    gives = find_label(label.key)
    if gives == "text":
        return 1, None
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if gives and following and following.kind == "line" and len(following.text.split()) <= 8:
        _set_label(label, following.content, body)
        return 2, None
    return 0, piece._replace(content=Styled.of(piece.text, BOLD))


def _read_labels(
    pieces: Sequence[Piece],
    at: int,
    labels: Sequence[Label],
    begun: bool,
    habits: Habits,
    body: Body,
    joiner: Joiner,
) -> tuple[int, Piece | None] | None:
    piece = pieces[at]
    lead = piece.content.find_lead()
    if lead and piece.text[:lead].rstrip()[-1:] == "." and find_label(labels[0].key) is None:
        return None
    first = labels[0]
    gives = find_label(first.key)
    if len(labels) == 1 and gives == "text" and first.key not in habits.labels:
        if not first.value.text:
            return 1, None
        return 1, piece._replace(content=first.value)
    known = [label.key in habits.labels or find_label(label.key) is not None for label in labels]
    if 2 * sum(known) <= len(known) and not _stands_among(pieces, at, labels, habits):
        return None
    if begun and first.key not in habits.labels:
        return None
    if not all(_can_hold(label, body) for label in labels):
        return None
    used = 1
    last = labels[-1].value
    while at + used < len(pieces):
        following = pieces[at + used]
        empty = not last.text and following.kind == "line" and not split_labels(following.content)
        if not (empty or runs_on(last, following)):
            break
        last = joiner.join([last, following.content]) if last.text else following.content
        used += 1
        if empty:
            break
    values = [(label, label.value) for label in labels[:-1]] + [(labels[-1], last)]
    if len(labels) == 1 and gives not in (None, "text", "name") and len(last.text.split()) > 25:
        return None
    left: Styled | None = None
    for label, value in values:
        if label.key in habits.labels and find_label(label.key) == "text":
            body.put(label, value)
        else:
            left = _set_label(label, value, body) or left
    return used, piece._replace(content=left) if left and left.text else None


def _can_hold(label: Label, body: Body) -> bool:
    """Whether a label names a field that has no value yet; a row of a die names none."""
    key = make_key(label.text)
    return bool(find_label(label.key)) or (key[:1].isalpha() and key not in body.fields)


def _stands_among(
    pieces: Sequence[Piece], at: int, labels: Sequence[Label], habits: Habits
) -> bool:
    """Whether a short value stands right above or below a label that others share."""
    piece = pieces[at]
    value = labels[0].value.text
    if len(labels) > 1 or not value or len(value.split()) > _SHORT or _ENDS.search(value):
        return False
    near = [pieces[at - 1]] if at and not piece.gap else []
    near += [one for one in pieces[at + 1 : at + 2] if not one.gap]
    return any(
        one.kind == piece.kind and label.key in habits.labels
        for one in near
        for label in split_labels(one.content)[:1]
    )


def _set_label(label: Label, value: Styled, body: Body) -> Styled | None:
    """Give a label's value to its field; return what is left of it as text."""
    gives = find_label(label.key)
    if gives in ("kind", "uses") and any(f.gives == gives for line in body.facts for f in line):
        gives = None
    if gives == "cost" and len(value.text.split()) <= 5:
        taken = take_facts(f"{label.text}: {value.text}")
        if not (taken.facts and taken.end >= len(f"{label.text}: {value.text}".rstrip(" ."))):
            body.facts.append([Fact("cost", value.text, 0.9, value.text, True)])
            return None
    if gives in ("cost", "count", "who", "uses", "kind"):
        text = f"{label.text}: {value.text}"
        taken = take_facts(text)
        if taken.facts and taken.facts[0].gives in (gives, "nothing", "rank"):
            body.facts.append([f for f in taken.facts if f.gives not in ("text", "nothing")])
            rest = len(text) - taken.end
            return value.cut(len(value.text) - rest).strip() if rest > 0 else None
        if gives == "who":
            body.facts.append([Fact("who", capitalise(value.text), 0.9, text, True)])
            return None
        if gives in ("uses", "kind"):
            body.facts.append([Fact(gives, capitalise(value.text), 0.9, text, True)])
            return None
    if gives == "text":
        return value
    if value.text:
        body.put(label, value)
    return None


def make_key(label: str) -> str:
    """Return the field that a label names: its words in small letters."""
    return "_".join(re.findall(r"[^\W_]+", label.casefold().replace("'", "")))


def _take(
    pieces: Sequence[Piece], at: int, begun: bool, habits: Habits, body: Body, joiner: Joiner
) -> tuple[Sequence[Fact], Styled, int] | None:
    """Return the facts that a line begins with, what is left of it, and the lines they fill."""
    piece = pieces[at]
    content = piece.content
    taken = take_facts(content.text)
    if not habits.borne and all(f.gives == "who" and not f.labelled for f in taken.facts):
        return None
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    whole = (
        bool(taken.facts) and taken.end >= len(content.text) and not GOES_ON.search(content.text)
    )
    runs_on = following is not None and not following.gap and following.text[:1].islower()
    if following is not None and not following.gap and not _ENDS.search(content.text):
        joined = joiner.join([content, following.content])
        both = take_facts(joined.text)
        longer = both.facts and both.end > len(content.text) and (runs_on or not whole)
        if longer and both.end >= len(joined.text) and not begun:
            return _take_more(pieces, at + 2, joined, both, joiner)
        if whole and runs_on and not (both.end > len(content.text)) and not taken.has("cost"):
            return None
    if not taken.facts:
        return None
    if begun:
        above = pieces[at - 1] if at else None
        if above and not piece.gap and not _ENDS.search(above.text) and _MID.match(content.text):
            return None
        if above and not piece.gap and above.text[-1:] in ":[(–—":
            return None
        strong = taken.has("cost", "rank") or all(fact.sure >= 0.9 for fact in taken.facts)
        known = {fact.gives for line in body.facts for fact in line}
        new = any(fact.gives not in known for fact in taken.facts) or taken.has("rank")
        text = taken.facts[-1].gives == "text"
        if text or not (whole and strong and new and not runs_on):
            return None
    return taken.facts, cut_facts(content, taken.end), 1


def _take_more(
    pieces: Sequence[Piece], after: int, joined: Styled, both: Taken, joiner: Joiner
) -> tuple[Sequence[Fact], Styled, int]:
    """Return facts that go on for a third line, as "Cost: –5" and "points"."""
    if after < len(pieces) and not pieces[after].gap:
        longer = joiner.join([joined, pieces[after].content])
        third = take_facts(longer.text)
        if pieces[after].text[:1].islower() and third.end >= len(longer.text):
            return third.facts, Styled.of(""), 3
    return both.facts, Styled.of(""), 2


# The text


def _part_paragraphs(texts: Sequence[Piece]) -> list[list[Piece]]:
    groups: list[list[Piece]] = []
    indents = {piece.indent for piece in texts[1:]}
    for piece in texts:
        previous = groups[-1][-1] if groups else None
        if previous is None or _begins_paragraph(previous, piece, indents):
            groups.append([piece])
        else:
            groups[-1].append(piece)
    return groups


def _begins_paragraph(previous: Piece, piece: Piece, indents: set[int]) -> bool:
    if piece.kind in ("item", "heading", "row") or previous.kind in ("heading", "row"):
        return True
    if previous.at == piece.at:
        return False
    ended = bool(_ENDS.search(previous.text))
    if _is_next_entry(previous.text, piece.text):
        return True
    if piece.content.find_lead() and ended and find_labelled(piece.content):
        return True
    if piece.gap:
        return ended or not (_MID.match(piece.text) or previous.text.endswith((",", "-")))
    deeper = piece.indent >= previous.indent + 2 and len(indents) > 1 and piece.indent < 12
    return ended and deeper


def _is_next_entry(above: str, text: str) -> bool:
    """Whether a line goes on with a list: "1-2 …", and "3 …" below it."""
    entry, before = _ENTRY.match(text), _ENTRY.match(above)
    if not entry:
        return False
    if before is None:
        return above.endswith(":")
    return int(entry[1]) == int(before[2] or before[1]) + 1


def _give_back(pieces: Sequence[Piece], body: Body) -> None:
    """Make text again of what was taken for a bearer, where that leaves none: "All dogs halt."."""
    if body.paragraphs or not pieces or not body.facts or body.fields or body.stats:
        return
    last = pieces[-1]
    facts = body.facts[-1]
    alone = len(facts) == 1 and facts[0].gives == "who" and last.text.endswith(".")
    if alone and facts[0].sure <= _WEAK and not facts[0].labelled:
        body.facts.pop()
        body.paragraphs.append(last.content)


def _take_last(body: Body) -> None:
    """Take a cost or a count printed at the end of the text: "… is lost. Cost: 10 points." """
    if not body.paragraphs:
        return
    known = {fact.gives for line in body.facts for fact in line}
    last = body.paragraphs[-1]
    for match in _LAST.finditer(last.text):
        taken = take_facts(last.text, match.end())
        new = {"cost", "count"} & {fact.gives for fact in taken.facts} - known
        if new and taken.end >= len(last.text.rstrip(" .)]")) and taken.sure > 0.8:
            body.facts.append([f for f in taken.facts if f.gives not in ("text", "nothing")])
            rest = last.cut(0, match.start()).strip()
            body.paragraphs[-1:] = [rest] if rest.text else []
            return


def _join_torn(body: Body, habits: Habits) -> None:
    """Put words and values together that stand apart, or doubt them with their lines."""
    if not body.torn:
        return
    torn = join_torn(body.torn, habits.forms)
    _add_pairs(torn.pairs, body)
    if not torn.pairs or not torn.sure:
        said = ", ".join(text for _, text in body.torn)
        sure = 0.85 if torn.pairs else 0.7
        body.doubts.append(Doubt("torn", f'its values are torn apart: "{said}"', sure, "stats"))
    if not torn.pairs:
        body.paragraphs.append(Styled.of(said))


# Several prices


def list_ranks(lines: Iterable[Sequence[Fact]]) -> tuple[list[Rank], list[Fact]]:
    """Return the prices of an item where it has several, and the facts that all of them share."""
    flat = [fact for line in lines for fact in (*line, None)]
    costs = sum(1 for fact in flat if fact and isinstance(fact.value, int) and fact.gives == "cost")
    if costs < 2:
        return [], [fact for fact in flat if fact and fact.gives != "rank"] + [
            fact for fact in flat if fact and fact.gives == "rank"
        ]
    ranks: list[Rank] = []
    shared: list[Fact] = []
    name = ""
    who: Fact | None = None
    cost: int | None = None

    def close() -> None:
        nonlocal name, who, cost
        if cost is not None:
            ranks.append(Rank(name, cost, str(who.value) if who else None))
        elif who:
            shared.append(who)
        name, who, cost = "", None, None

    for fact in flat:
        if fact is None:
            if cost is not None:
                close()
        elif fact.gives == "rank":
            if cost is not None or name:
                close()
            name = str(fact.value)
        elif fact.gives == "who":
            if who is not None or (cost is not None and not name):
                close()
            who = fact
        elif fact.gives == "cost" and isinstance(fact.value, int):
            if cost is not None:
                close()
            cost = fact.value
        else:
            shared.append(fact)
    close()
    return ranks, shared
