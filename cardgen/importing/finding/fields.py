"""What the lines of a record say: labels, subtitle, facts, stats, and the text that is left.

A record is read by the habits of its document. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from cardgen.deck.model import Value
from cardgen.importing.finding.facts import (
    Fact,
    Taken,
    begins_with_price,
    capitalise,
    cut_facts,
    take_facts,
)
from cardgen.importing.finding.habits import (
    GOES_ON,
    PRICE,
    SIGNS,
    Habits,
    Piece,
    find_subtitle,
    join_labels,
    runs_on,
)
from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.labels import (
    BAR,
    Label,
    find_labelled,
    open_bracket,
    part_at,
    split_labels,
)
from cardgen.importing.finding.listed import read_listed
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.names import fold, set_name
from cardgen.importing.finding.stats import (
    Pair,
    Token,
    join_torn,
    pair_up,
    read_rows,
    read_tokens,
    set_label,
)
from cardgen.importing.finding.vocabulary import Gives, find_label, list_words
from cardgen.importing.model import BOLD, Candidate, Doubt, Rank, SourceLine, Styled
from cardgen.importing.reading.joining import has_ended

_MID = re.compile(r"[a-zß-öø-ÿ\d]")
_LAST = re.compile(
    r"^|(?=[\s(\[])(?:(?<=[.!?])\s+|(?<=[.!?][”\"’)])\s+|(?:\s+|(?=\())(?=[(\[][^()\[\]]*[)\]]\.?$))"
)
_ENTRY = re.compile(r"(\d{1,2})(?:\s?[-–—]\s?(\d{1,2})|\+)?\s?[.:)]?\s+[^\W\d]")
_BULLET = "• "
_OPENED = re.compile(r"([^()]+?)\s*\(([^()]{1,40})\)\.?")
_DASHES = re.compile(r"\s+[–—-]+\s+")
_PARTED = " / "
_PLAIN = 0.9  # how sure it is at least that words say who
_MOST_OF_VALUE = 9  # words, with its label
_SHORT = 6  # words
_SIGNS = tuple("≤≥<>=~≈")  # before a value that is at most or at least so much


@dataclass(slots=True)
class Body:
    """What a record says."""

    facts: list[list[Fact]] = field(default_factory=list)
    fields: dict[str, Styled] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    stats: list[Pair] = field(default_factory=list)
    torn: list[Token] = field(default_factory=list)
    paragraphs: list[Styled] = field(default_factory=list)
    lines: list[SourceLine] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)

    @property
    def stated(self) -> set[str]:
        return {fact.gives for line in self.facts for fact in line}

    def put(self, label: str, value: Styled) -> None:
        """Make a label and its value a field."""
        key = make_key(label)
        self.fields[key], self.labels[key] = value, label

    def put_pairs(self, pairs: Iterable[Pair]) -> None:
        """Take words with their figures; a cost among them is the card's."""
        for pair in pairs:
            if find_label(pair.key) == "cost":
                self.set_field("cost", pair.label, Styled.of(pair.value))
            else:
                self.stats.append(pair)

    def set_field(self, gives: Gives | None, label: str, value: Styled) -> Styled:
        """Give a label's value to its field; return what is left of it as text."""
        if gives in ("cost", "who", "kind", "uses") and gives in self.stated:
            gives = None
        elif gives is None and value.text.casefold() not in list_words("who", "everyone"):
            borne = take_facts(value.text)
            asks = borne.has("who") and borne.sure >= _PLAIN and borne.fills(value.text)
            gives = "who" if asks else None
        if gives is None or gives == "name":
            if value.text:
                self.put(label, value)
            return Styled.of("")
        composed = find_label(label) == gives and label.casefold() not in list_words(
            "labels", gives
        )
        text = f"{gives if composed else label}: {value.text}"
        taken = take_facts(text)
        several = sum(fact.gives == "cost" for fact in taken.facts) > 1  # "2 lire / 1 franc"
        few = len(value.text.split()) <= 5
        if gives == "cost" and few and (several or not taken.fills(text)):
            self.facts.append([Fact("cost", value.text, 0.9, value.text, True)])
        elif gives in ("kind", "uses") and _says_more(taken, text):
            self.facts.append([Fact(gives, capitalise(value.text), 0.9, text, True)])
        elif taken.has(gives, "nothing", "rank"):
            self.facts.append(taken.stated)
            return value.cut(max(0, taken.end - len(text) + len(value.text))).strip()
        elif gives == "count":
            self.put(label, value)
        else:
            self.facts.append([Fact(gives, capitalise(value.text), 0.9, text, True)])
        return Styled.of("")


def _says_more(taken: Taken, text: str) -> bool:
    """Whether a label's value says several things, or a few words more: "Own - once per game"."""
    few = len(text.split()) <= _MOST_OF_VALUE and not taken.fills(text)
    return len(taken.facts) > 1 or (taken.has("uses") and few)


# How a record is read


class Reader:
    """Reads the lines of a record, one after the other, by the habits of its document."""

    def __init__(self, name: str, pieces: Sequence[Piece], habits: Habits, joiner: Joiner) -> None:
        self._name = fold(name)
        self._pieces = _part_price(pieces) if habits.priced else pieces
        self._habits = habits
        self._joiner = joiner
        self._texts: list[Piece] = []
        self._body = Body()

    def read(self) -> Body:
        body, at = self._body, 0
        while at < len(self._pieces):
            used, rest = self._read_piece(at)
            for piece in self._pieces[at : at + max(used, 1)]:
                body.lines += piece.sources
            if rest and rest.text:
                self._texts.append(rest)
            at += max(used, 1)
        for group in _part_paragraphs(self._texts):
            paragraph = self._joiner.join(one.content for one in group)
            if group[0].kind == "item" and len(self._texts) > 1:
                paragraph = Styled.of(_BULLET).join(paragraph)
            if paragraph.text:
                body.paragraphs.append(paragraph)
        _take_last(body)
        _join_torn(body, self._habits)
        return body

    def _read_piece(self, at: int) -> tuple[int, Piece | None]:
        """Read what a line says; return how many lines that used, and what is left as text."""
        body, habits = self._body, self._habits
        piece = self._pieces[at]
        beside = not piece.sources and "cost" not in body.stated  # a second one is no price
        if habits.priced and beside and PRICE.fullmatch(piece.text):
            body.set_field("cost", "cost", piece.content)
            return 1, None
        if piece.cells:
            return self._read_rows(at)
        led = find_labelled(piece.content) if piece.content.find_lead() else None
        labelled = led is not None and (
            (led.key in habits.labels and led.value.text[:1] in _SIGNS)
            # "**Cost:** 3/Intensity", where other rows have an intensity
            or (find_label(led.key) == "cost" and len(split_labels(piece.content)) == 1)
        )
        if not labelled and (used := self._read_stats(at)):
            return used, None
        if piece.kind == "heading":
            if find_label(piece.text.strip(" :")) == "text":
                return 1, None
            return 0, piece._replace(content=Styled.of(piece.text, BOLD))
        following = self._pieces[at + 1] if at + 1 < len(self._pieces) else None
        form = "" if self._texts else find_subtitle(piece, following)
        if not (form or piece.sources) and piece.text[-1:] not in ".!?":
            form = "plain" if habits.subtitle == "plain" else ""
        if not piece.sources and self._read_mixed(piece):
            return 1, None
        behind = form == "bracket" and not piece.sources
        said = open_bracket(piece.content.strip()).text if form else ""
        mixed = behind and 0 < len(split_labels(piece.content)) < len(SIGNS.split(said))
        if not mixed and (found := self._read_labels(at)):
            return found
        if listed := read_listed(piece.content, habits.listed):
            body.put_pairs(listed.pairs)
            for label in listed.labels:
                body.set_field(self._find_gives(label), label.text, label.value)
            return 1, piece._replace(content=listed.rest)
        if not self._texts:
            own = behind or (form != "" and form == habits.subtitle)
            if own and "subtitle" not in body.fields:
                said = self._part_facts(said if piece.sources else said.lstrip("–—-·• "))
                again = piece.sources and fold(said) == self._name  # as below a picture
                if said and not again:
                    body.fields["subtitle"] = Styled.of(said)
                return 1, None
        return self._read_facts(at)

    def _read_mixed(self, piece: Piece) -> bool:
        """Read short parts behind a name, of which some have labels: "bird | length: 30 cm"."""
        parts = part_at(piece.content, BAR)
        labels = [find_labelled(part) for part in parts]
        short = all(len(part.text.split()) <= _SHORT for part in parts)
        if not short or not any(labels) or all(labels):
            return False
        plain = []
        for part, label in zip(parts, labels, strict=True):
            if label:
                self._body.set_field(self._find_gives(label), label.text, label.value)
            else:
                plain.append(part.text)
        if said := self._part_facts(", ".join(plain)):
            self._body.fields["subtitle"] = Styled.of(said)
        return True

    def _part_facts(self, said: str) -> str:
        """Return what a subtitle says besides a price, how many there are, and how often."""
        opened = _OPENED.fullmatch(said)
        if opened and begins_with_price(opened[2]):
            self._body.set_field("cost", "cost", Styled.of(opened[2]))  # "cook (2 sp a day)"
            said = opened[1]
        parts = [one for part in _DASHES.split(said) for one in SIGNS.split(part)]
        left = []
        for part in parts:
            taken = take_facts(part)
            if _is_fact(taken, part):
                self._body.facts.append(taken.stated)
            elif pairs := pair_up(read_tokens(part, self._habits.words)):
                self._body.put_pairs(pairs)
            else:
                left.append(open_bracket(Styled.of(part)).text)
        return ", ".join(left) if len(left) < len(parts) else said

    def _read_stats(self, at: int) -> int:
        """Read words with figures, together or torn apart; return how many lines they take."""
        body, piece = self._body, self._pieces[at]
        tokens = read_tokens(piece.text, self._habits.words)
        waiting = sum(1 if token.is_word else -1 for token in body.torn)
        if waiting > 0 and find_label(piece.text.casefold()) == "cost":
            tokens = [Token(True, piece.text)]
        if not tokens:
            return 0
        following = self._pieces[at + 1].text if at + 1 < len(self._pieces) else ""
        if all(token.is_word for token in tokens) and (rows := read_rows(piece.text, following)):
            body.put_pairs(rows)
            return 2
        pairs = pair_up(tokens)
        if pairs and take_facts(piece.text).has("count"):
            return 0  # "Copy 1/3"
        if pairs:
            body.put_pairs(pairs)
            return 1
        words = sum(token.is_word for token in (*body.torn, *tokens))
        waits = body.torn and 2 * words >= len(body.torn) + len(tokens)
        if piece.kind == "stat" or waits or any(token.is_word for token in tokens):
            body.torn += tokens
            return 1
        return 0

    def _read_rows(self, at: int) -> tuple[int, Piece | None]:
        """Read a small table: a row of labels above one of values, or a label to a row."""
        if at and self._pieces[at - 1].cells and not self._pieces[at].gap:
            return 0, self._pieces[at]  # a row of a table that is text
        rows = [piece.cells for piece in takewhile(lambda one: one.cells, self._pieces[at:])]
        headed = max(map(len, rows)) > 2 or self._pieces[at].text == self._habits.header
        each = [(row[0], _join_cells(row[1:])) for row in rows[headed:]]
        if len(rows) == 2 and not self._habits.tall:
            pairs = list(zip(*rows, strict=False))
            pairs = pairs if _are_named(pairs) or headed else each
        elif max(map(len, rows)) == 2 or all(_states_figures(row) for row in rows[1:]):
            pairs = each
        else:
            return 0, self._pieces[at]
        if not pairs or not _are_named(pairs):
            return 0, self._pieces[at]
        for name, value in pairs:
            label = Label(name.text.strip(" :*"), value.strip())
            gives, words = find_label(label.key), len(label.value.text.split())
            if not words:
                continue
            if gives == "text":
                gives = None  # as "Power" has a figure
            if gives or (words > 2 and _PARTED not in value.text):
                self._body.set_field(gives, label.text, label.value)
            else:
                self._body.stats.append(Pair(label.text, label.value.text))
        return len(rows), None

    def _read_labels(self, at: int) -> tuple[int, Piece | None] | None:
        """Read the labels of a line whose values go on below it; None where they are text."""
        piece, known = self._pieces[at], self._habits.labels
        labels, more = join_labels(self._pieces, at, self._joiner)
        if not labels:
            return None
        first, gives = labels[0], [self._find_gives(label) for label in labels]
        lead = piece.content.find_lead()
        if lead and piece.text[:lead].rstrip()[-1:] == ".":
            return None
        if gives == ["text"] and first.key not in known and not self._texts:
            return 1 + more, piece._replace(content=first.value)
        told = [
            label.key in known or own is not None for label, own in zip(labels, gives, strict=True)
        ]
        if 2 * sum(told) <= len(told) or (self._texts and first.key not in known):
            return None
        if not all(own or self._can_put(label) for label, own in zip(labels, gives, strict=True)):
            return None
        used = 1 + more
        last = labels[-1].value
        while at + used < len(self._pieces) and runs_on(last, self._pieces[at + used]):
            last = self._joiner.join([last, self._pieces[at + used].content])
            used += 1
        left = Styled.of("")
        for label, own in zip([*labels[:-1], labels[-1]._replace(value=last)], gives, strict=True):
            own = None if own == "text" and label.key in known else own
            left = left.join(self._body.set_field(own, label.text, label.value))
        return used, piece._replace(content=left)

    def _find_gives(self, label: Label) -> Gives | None:
        """Return what a label gives; a condition is a field where another label says who."""
        gives, conditions = find_label(label.key), list_words("who", "conditions")
        if gives != "who" or label.key not in conditions:
            return gives
        others = (key for key in self._habits.labels if key not in conditions)
        return None if any(find_label(key) == "who" for key in others) else gives

    def _can_put(self, label: Label) -> bool:
        """Whether a label names a field that has no value yet; a row of a die names none."""
        key = make_key(label.text)
        return key[:1].isalpha() and key not in self._body.fields

    def _read_facts(self, at: int) -> tuple[int, Piece | None]:
        """Read the facts that a line begins with; what is left of it is text."""
        piece, begun = self._pieces[at], bool(self._texts)
        content = piece.content
        taken = take_facts(content.text)
        below = self._pieces[at + 1] if at + 1 < len(self._pieces) else None
        if not self._habits.borne and all(fact.gives == "who" for fact in taken.facts):
            return 0, piece
        whole = taken.fills(content.text) and not GOES_ON.search(content.text)
        runs_on = below is not None and not below.gap and below.text[:1].islower()
        if below is not None and not (below.gap or begun or has_ended(content.text)):
            both = take_facts(self._joiner.join([content, below.content]).text)
            if both.end > len(content.text) and (runs_on or not whole):
                self._body.facts.append(both.stated)
                return 2, None
            priced = taken.has("cost") and any(map(str.isdigit, content.text))
            if whole and runs_on and not priced:
                return 0, piece  # "Nothing" above "happens if nobody is watching"
        stated = self._body.stated
        new = any(fact.gives not in stated for fact in taken.facts)
        weak = all(fact.sure < _PLAIN for fact in taken.facts)
        if weak and (not new or (below is None and not begun)):
            return 0, piece  # all that is said is the effect
        if begun:
            within = not piece.gap and not has_ended(self._pieces[at - 1].text)
            strong = taken.has("cost", "rank") or all(fact.sure >= _PLAIN for fact in taken.facts)
            if within or runs_on or not (whole and strong and new):
                return 0, piece
        self._body.facts.append(taken.stated)
        return 1, piece._replace(content=cut_facts(content, taken.end))


def _is_fact(taken: Taken, text: str) -> bool:
    """Whether a part of a subtitle states no more than a fact: "2 uses", "knights only"."""
    costs = taken.has("cost") and any(map(str.isdigit, text))
    asks = taken.has("who") and taken.sure >= _PLAIN
    return taken.fills(text) and (costs or asks or taken.has("count", "uses"))


def _part_price(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return pieces with the price that stands behind a name parted from what follows it there."""
    if not pieces:
        return pieces
    price, *others = SIGNS.split(pieces[0].text)
    if not others or not PRICE.fullmatch(price):
        return pieces
    parts = (Styled.of(price), Styled.of(", ".join(others)))
    return [*(pieces[0]._replace(content=part) for part in parts), *pieces[1:]]


def _are_named(pairs: Iterable[tuple[Styled, Styled]]) -> bool:
    """Whether all labels of a small table begin with a letter."""
    return all(make_key(name.text)[:1].isalpha() for name, _ in pairs)


def _states_figures(row: Sequence[Styled]) -> bool:
    """Whether all cells of a row but the first hold figures."""
    return all(cell.text.strip(" +–−-%").isdigit() for cell in row[1:])


def _join_cells(cells: Sequence[Styled]) -> Styled:
    return cells[0] if len(cells) == 1 else Styled.of(_PARTED.join(c.text.strip() for c in cells))


def make_key(label: str) -> str:
    """Return the field that a label names: its words in small letters."""
    return "_".join(re.findall(r"[^\W_]+", label.casefold().replace("'", "")))


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
    if _is_next_entry(previous.text, piece.text):
        return True
    if piece.content.find_lead() and find_labelled(piece.content):
        return True
    ended = has_ended(previous.text)
    if piece.gap:
        return ended or not _MID.match(piece.text)
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
    """Take a cost or a count at the end of the text, in brackets more: "… (For knights only.)"."""
    if not body.paragraphs:
        return
    last = body.paragraphs[-1]
    for match in _LAST.finditer(last.text):
        taken = take_facts(last.text, match.end())
        closed = last.text[match.end() : match.end() + 1] in ("(", "[")
        most = 4 if closed else 3 if taken.sure >= _PLAIN else 2
        asked = ("cost", "count", "who", "uses")[:most]
        new = {*asked} & {fact.gives for fact in taken.facts} - body.stated
        before = last.text[: match.start()].rstrip()
        if before and before[-1] not in ".!?…" and taken.sure < _PLAIN:
            continue  # "is a good shot (+3)."
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
    body.put_pairs(torn.pairs)
    if not torn.pairs or not torn.sure:
        said = ", ".join(token.text for token in body.torn)
        told = f'its values are torn apart: "{said}"'
        body.doubts.append(Doubt("torn", told, 0.7, "stats", (("said", said),)))
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
    costs = [f for f in flat if f and f.gives == "cost" and isinstance(f.value, int)]
    if len(costs) < 2:
        return [], [fact for fact in flat if fact]
    ranks: list[Rank] = []
    shared: list[Fact] = []
    group: dict[str, Fact] = {}
    for fact in flat:
        if fact.gives in group if fact else "cost" in group:
            _close(group, ranks, shared)
        if fact and (fact in costs or fact.gives in ("rank", "who")):
            group[fact.gives] = fact
        elif fact:
            shared.append(fact)
    _close(group, ranks, shared)
    return ranks, shared


def _close(group: dict[str, Fact], ranks: list[Rank], shared: list[Fact]) -> None:
    """Make a rank of the facts of one price; without a price they are those of all."""
    said = {gives: str(fact.value) for gives, fact in group.items()}
    if "cost" in group:
        ranks.append(Rank(said.get("rank", ""), int(said["cost"]), said.get("who")))
    else:
        shared += group.values()
    group.clear()
