"""What the lines of a record say: labels, subtitle, facts, stats, and the text that is left.

A record is read by the habits of its document. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from cardgen.deck.model import Value
from cardgen.importing.finding.facts import Fact, capitalise, cut_facts, take_facts
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
from cardgen.importing.finding.lines import Head, Label, find_labelled
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import set_name
from cardgen.importing.finding.stats import (
    Pair,
    join_torn,
    list_torn,
    read_pairs,
    read_rows,
    set_label,
)
from cardgen.importing.finding.vocabulary import Gives, find_label
from cardgen.importing.model import BOLD, Candidate, Doubt, Rank, SourceLine, Styled
from cardgen.importing.reading.joining import has_ended

_MID = re.compile(r"[a-zß-öø-ÿ\d]")
_LAST = re.compile(
    r"^|(?=[\s(\[])(?:(?<=[.!?])\s+|(?<=[.!?][”\"’)])\s+|\s*(?=[(\[][^()\[\]]*[)\]]\.?$))"
)
_ENTRY = re.compile(r"(\d{1,2})(?:\s?[-–—]\s?(\d{1,2})|\+)?\s?[.:)]?\s+[^\W\d]")
_BULLET = "• "
_PARTED = " / "
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

    def put(self, label: str, value: Styled) -> None:
        """Make a label and its value a field."""
        key = make_key(label)
        self.fields[key], self.labels[key] = value, label


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
        set_field("cost", "cost", piece.content, body)
        return 1, None
    if piece.cells:
        return _read_rows(pieces, at, habits, body)
    if piece.kind == "heading":
        return _read_subhead(piece)
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
        said = open_bracket(piece.content.strip()).text
        body.fields["subtitle"] = Styled.of(said if piece.sources else said.lstrip("–—-·• "))
        return 1, None
    stated = _take(pieces, at, begun, habits, body, joiner)
    if stated is None:
        return 0, piece
    facts, left, used = stated
    body.facts.append(facts)
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
    rows = [piece.cells for piece in takewhile(lambda one: one.cells, pieces[at:])]
    width = max(map(len, rows))
    if len(rows) == 2 and not (width == 2 and habits.tall):
        pairs = list(zip(*rows, strict=False))
    elif width == 2:
        pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
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


def _read_subhead(piece: Piece) -> tuple[int, Piece | None]:
    """Read a heading within a record, which is one of its text."""
    if find_label(piece.text.strip(" :")) == "text":
        return 1, None
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
    while at + used < len(pieces) and runs_on(last, pieces[at + used]):
        last = joiner.join([last, pieces[at + used].content])
        used += 1
    values = [(label, label.value) for label in labels[:-1]] + [(labels[-1], last)]
    left = Styled.of("")
    for label, value in values:
        if label.key in habits.labels and find_label(label.key) == "text":
            body.put(label.text, value)
        else:
            left = left.join(_set_label(label, value, body))
    return used, piece._replace(content=left)


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
    if len(labels) > 1 or not value or len(value.split()) > _SHORT or has_ended(value):
        return False
    near = [pieces[at - 1]] if at and not piece.gap else []
    near += [one for one in pieces[at + 1 : at + 2] if not one.gap]
    return any(
        one.kind == piece.kind and label.key in habits.labels
        for one in near
        for label in split_labels(one.content)[:1]
    )


def _set_label(label: Label, value: Styled, body: Body) -> Styled:
    return set_field(find_label(label.key), label.text, value, body)


def set_field(gives: Gives | None, label: str, value: Styled, body: Body) -> Styled:
    """Give a label's value to its field; return what is left of it as text."""
    if gives in ("kind", "uses") and any(f.gives == gives for line in body.facts for f in line):
        gives = None
    borne = take_facts(value.text)
    if gives is None and borne.has("who") and borne.sure >= 0.9 and borne.fills(value.text):
        gives = "who"
    text = f"{label}: {value.text}"
    taken = take_facts(text)
    if gives == "cost" and len(value.text.split()) <= 5 and not taken.fills(text):
        body.facts.append([Fact("cost", value.text, 0.9, value.text, True)])
        return Styled.of("")
    if gives not in (None, "name", "text") and taken.has(gives, "nothing", "rank"):
        body.facts.append(taken.stated)
        return value.cut(max(0, taken.end - len(text) + len(value.text))).strip()
    if gives == "text":
        return value
    if gives == "who" or gives == "uses" or gives == "kind":
        body.facts.append([Fact(gives, capitalise(value.text), 0.9, text, True)])
    elif value.text:
        body.put(label, value)
    return Styled.of("")


def make_key(label: str) -> str:
    """Return the field that a label names: its words in small letters."""
    return "_".join(re.findall(r"[^\W_]+", label.casefold().replace("'", "")))


def _take(
    pieces: Sequence[Piece], at: int, begun: bool, habits: Habits, body: Body, joiner: Joiner
) -> tuple[list[Fact], Styled, int] | None:
    """Return the facts that a line begins with, what is left of it, and the lines they fill."""
    piece = pieces[at]
    content = piece.content
    taken = take_facts(content.text)
    if not habits.borne and all(f.gives == "who" and not f.labelled for f in taken.facts):
        return None
    following = pieces[at + 1] if at + 1 < len(pieces) and not pieces[at + 1].gap else None
    whole = taken.fills(content.text) and not GOES_ON.search(content.text)
    runs_on = following is not None and following.text[:1].islower()
    if following is not None and not has_ended(content.text):
        joined = joiner.join([content, following.content])
        both = take_facts(joined.text)
        longer = both.end > len(content.text)
        if longer and (runs_on or not whole) and both.fills(joined.text) and not begun:
            return both.stated, Styled.of(""), 2
        if whole and runs_on and not longer and not taken.has("cost"):
            return None
    if not taken.facts:
        return None
    if begun:
        above = pieces[at - 1].text if not piece.gap else "."
        if above[-1:] in ":[(–—" or (not has_ended(above) and _MID.match(content.text)):
            return None
        strong = taken.has("cost", "rank") or all(fact.sure >= 0.9 for fact in taken.facts)
        known = {fact.gives for line in body.facts for fact in line}
        new = any(fact.gives not in known for fact in taken.facts)
        if not (whole and strong and new and not runs_on):
            return None
    return taken.stated, cut_facts(content, taken.end), 1


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
    ended = has_ended(previous.text)
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


def _take_last(body: Body) -> None:
    """Take a cost or a count printed at the end of the text: "… is lost. Cost: 10 points." """
    if not body.paragraphs:
        return
    known = {fact.gives for line in body.facts for fact in line}
    last = body.paragraphs[-1]
    for match in _LAST.finditer(last.text):
        taken = take_facts(last.text, match.end())
        new = {"cost", "count"} & {fact.gives for fact in taken.facts} - known
        if new and taken.fills(last.text):
            body.facts.append(taken.stated)
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


def make_card(
    head: Head, lines: Sequence[SourceLine], body: Body, facts: Iterable[Fact], kind: str | None
) -> Candidate:
    """Return the card of a name, of what is said below it, and of the chapter's title."""
    first: dict[str, Fact] = {}
    for fact in facts:
        first.setdefault(fact.gives, fact)
    said = {gives: str(fact.value) for gives, fact in first.items()}
    other: list[tuple[str, Value]] = []
    if body.stats:
        stats: dict[str, Value] = {}
        for pair in body.stats:
            stats.setdefault(set_label(pair.label), pair.value)
        other.append(("stats", stats))
    other += [(key, value.to_markdown()) for key, value in body.fields.items()]
    if kind and "kind" in first:  # a chapter's title is the kind, and what a label says its own
        other.append((make_key(first["kind"].written.partition(":")[0]), said["kind"]))
    cost = first["cost"].value if "cost" in first else None
    if isinstance(cost, str):
        other.append(("cost", cost))
    return Candidate(
        name=set_name(head.name),
        lines=tuple(lines),
        count=int(said["count"]) if "count" in said else head.copies,
        cost=cost if isinstance(cost, int) else None,
        who=said.get("who"),
        uses=said.get("uses"),
        kind=kind or said.get("kind"),
        rank=said.get("rank"),
        paragraphs=tuple(body.paragraphs),
        other=tuple(other),
        labels=body.labels,
        doubts=tuple(body.doubts),
    )


# Several prices


def list_ranks(lines: Iterable[Sequence[Fact]]) -> tuple[list[Rank], list[Fact]]:
    """Return the prices of an item where it has several, and the facts that all of them share."""
    flat = [fact for line in lines for fact in (*line, None)]
    costs = sum(1 for fact in flat if fact and isinstance(fact.value, int) and fact.gives == "cost")
    if costs < 2:
        return [], [fact for fact in flat if fact]
    ranks: list[Rank] = []
    shared: list[Fact] = []
    group: dict[str, Fact] = {}
    for fact in flat:
        gives = fact.gives if fact else ""
        if gives in group or ("cost" in group and gives in ("", "rank")):
            _close(group, ranks, shared)
        if fact and (gives in ("rank", "who") or (gives == "cost" and isinstance(fact.value, int))):
            group[gives] = fact
        elif fact:
            shared.append(fact)
    _close(group, ranks, shared)
    return ranks, shared


def _close(group: dict[str, Fact], ranks: list[Rank], shared: list[Fact]) -> None:
    """Make a rank of the facts of one price; without a price a bearer is that of all."""
    said = {gives: str(fact.value) for gives, fact in group.items()}
    if "cost" in group:
        ranks.append(Rank(said.get("rank", ""), int(said["cost"]), said.get("who")))
    elif "who" in group:
        shared.append(group["who"])
    group.clear()
