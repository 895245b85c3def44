"""Blocks become candidates for cards: records by what repeats, their fields by what they share.

What is no part of a card is left out and listed. Knows nothing of how sources are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from cardgen.core.names import find_near
from cardgen.importing.finding.calibrate import IN_A_TABLE, WITHOUT_A_HEADER, measure
from cardgen.importing.finding.chapters import name_kinds
from cardgen.importing.finding.clean import clean
from cardgen.importing.finding.compare import compare_cards
from cardgen.importing.finding.fields import Reader, list_ranks, make_card
from cardgen.importing.finding.habits import Habits, is_bare, learn_habits, list_pieces
from cardgen.importing.finding.heads import Head
from cardgen.importing.finding.lines import Line, read_lines
from cardgen.importing.finding.mend import Joiner
from cardgen.importing.finding.mine import mine
from cardgen.importing.finding.names import find_shape, fold, set_name
from cardgen.importing.finding.pointing import join_pointed, mine_pointed
from cardgen.importing.finding.refine import refine
from cardgen.importing.finding.repeats import (
    label_rows,
    part_closings,
    part_openings,
    part_sentences,
    part_turns,
)
from cardgen.importing.finding.segment import (
    Cut,
    Document,
    Record,
    find_strong,
    find_tokens,
    weigh,
)
from cardgen.importing.finding.signature import Begin, describe, find_style
from cardgen.importing.finding.signature import Candidate as Beginnings
from cardgen.importing.finding.stats import join_stats, part_stats
from cardgen.importing.finding.table_cards import flatten, read_tables
from cardgen.importing.finding.tables import part_bars, part_cells, part_labels
from cardgen.importing.finding.units import label_prices, move_prices
from cardgen.importing.finding.words import (
    join_definitions,
    label_words,
    part_runs,
    set_first,
    set_questions,
)
from cardgen.importing.finding.wrapped import join_names, join_questions
from cardgen.importing.model import (
    COUNTED,
    MOST_NAMED,
    NOT_POINTED,
    NOTE,
    Block,
    Candidate,
    Doubt,
    Guess,
    LeftOut,
    Place,
    Pointed,
    Recognised,
    SourceLine,
    Styled,
)

_CLEAR = 1.5
_FEW = 3
_MANY = 12
_FAR_MORE = 10  # times as many as the rows of a table that counts its cards
_NEARLY_ALL = 0.8
_ENOUGH = 60  # texts that show how all are
_WITHIN = 0.5
_TOLD_TWICE = Doubt("told-twice", "a row of a table tells of it, too, in other words", 0.6)


def recognise(blocks: Sequence[Block], pointed: Pointed = NOT_POINTED) -> Recognised:
    """Return the cards that a text holds, and what is left of it."""
    kept, left = clean(join_definitions(blocks))
    kept = set_first(set_questions(part_cells(part_labels(kept))))
    joiner = Joiner(block.text for block in kept)
    kept = part_bars(_label(kept, joiner))
    found = _find_cards(kept, [*left], joiner, pointed)
    if not pointed.names or pointed.nots:
        return found
    # Names that would be found in any case say nothing of what else belongs to the cards.
    guessed = _find_cards(kept, [*left], joiner, NOT_POINTED)
    names = [fold(card.name) for card in guessed.cards]
    same = sorted(names) == sorted(fold(card.name) for card in found.cards)
    return guessed if same and {*map(fold, pointed.names)} <= {*names} else found


def _find_cards(
    kept: Sequence[Block], left: list[LeftOut], joiner: Joiner, pointed: Pointed
) -> Recognised:
    beside: list[LeftOut] = []
    cards, rest = read_tables(kept, beside, joiner, pointed)
    counted = any(COUNTED in card.reasons for card in cards)
    few = not counted or len(cards) < _MANY
    if cards and not pointed.names and few and not _tells_most(kept, cards):
        whole, cuts = mine(_read_lines(flatten(kept, []), joiner, pointed))
        cuts = [cut for cut in cuts if not _begin_rows(whole, cut, cards)]
        found = len(cuts[0].records) if cuts else 0
        many = found >= _FEW * len(cards)
        twice = bool(cuts) and (_tells_of(cuts[0], cards) or _holds_rows(whole, cuts[0], cards))
        bare = all(card.found == WITHOUT_A_HEADER for card in cards)
        sure = all(card.found == IN_A_TABLE for card in cards)
        inside = bool(cuts) and _stands_within(whole, cuts[0], cards[0])
        aside = bool(cuts) and _fill_chapter(whole, cuts[0], cards)
        able = found > 0.8 * len(cards) and (many or twice or inside or aside or not sure)
        alike = Counter(tuple(card.labels.items()) for card in cards)  # the rows of a table
        able = able or (found > 0.8 * max(alike.values()) and _is_labelled(cuts[0]))
        able = able and (found >= _FAR_MORE * len(cards) or not counted)
        if able and cuts[0].score > (_CLEAR / 2 if many or twice or bare else _CLEAR):
            cut = refine(whole, cuts[0], pointed)
            made = _read_cards(whole, cut, left, joiner)
            cards = (
                _join_rows(made, cards, left) if twice else _add_rows(whole, cut, made, cards, left)
            )
            return _sum_up(kept, cards, left, cuts, pointed)
    left += beside
    lacking = tuple(n for n in pointed.names if not any(_is_called(card, n) for card in cards))
    outside = pointed._replace(names=lacking)
    document, cuts = _mine(_read_lines(rest, joiner, outside), outside)
    if pointed.names and not lacking:
        cuts = []  # the rows of tables are what was pointed at
    if cuts and (not cards or lacking):
        cut = refine(document, cuts[0], pointed)
        made = _read_cards(document, cut, left, joiner)
        others: list[Candidate] = []
        if pointed == NOT_POINTED and not _is_labelled(cut):
            others = _read_chapters(_list_chapters(document, cut), left, joiner, _CLEAR)
        elif not cards:
            rows, _ = read_tables(kept, [], joiner, NOT_POINTED)
            made = _add_rows(document, cut, made, rows, left)
        cards += [*(_add_kinds(document, cut, made) if others else made), *others]
    else:
        left += _leave_out(document, ())
        if pointed == NOT_POINTED:
            cards = _add_siblings(document, cards, left, joiner)
    cards.sort(key=lambda card: card.place.order)
    return _sum_up(kept, cards, left, cuts, pointed)


def _label(blocks: Sequence[Block], joiner: Joiner) -> list[Block]:
    """Return the blocks with whatever comes again and again with other values as labels."""
    whole = join_stats(blocks, joiner)
    rows = part_openings(part_turns(label_rows(whole)), joiner)
    rows = part_closings(part_sentences(rows, joiner), joiner)
    return label_words(part_runs(label_prices(move_prices(rows))))


def recognise_notes(notes: Sequence[Sequence[Block]]) -> Recognised | None:
    """Return a card of each text, which begins with its name; None where they hold several.

    Where their own names cut the first of them much worse than others do, they hold several.
    """
    left: list[LeftOut] = []
    kept, lines = _read_notes(notes[:_ENOUGH], [])
    document, cuts = mine(lines)
    if cuts and _cut_notes(document).score < _WITHIN * cuts[0].score:
        return None
    kept, lines = _read_notes(notes, left)
    document = Document(lines)
    joiner = Joiner(block.text for block in kept)
    cards = _read_cards(document, _cut_notes(document), left, joiner)
    return _sum_up(kept, cards, left, (), NOT_POINTED)


def _read_notes(
    notes: Sequence[Sequence[Block]], left: list[LeftOut]
) -> tuple[list[Block], list[Line]]:
    kept: list[Block] = []
    for name, *body in notes:
        whole, dropped = clean(join_definitions(body))
        kept += [name, *(replace(block, gap=max(block.gap, 1)) for block in whole[:1]), *whole[1:]]
        left += dropped
    joiner = Joiner(block.text for block in kept)
    kept = _label(kept, joiner)
    return kept, _read_lines(flatten(kept, []), joiner, NOT_POINTED)


def _cut_notes(document: Document) -> Cut:
    """Return the records of texts that each have their name above them."""
    named = [line for line in document.lines if line.block.mark == NOTE]
    begins = (Begin(line.at, Head(line.text, "whole", Styled.of(""))) for line in named)
    return weigh(document, Beginnings(tuple(begins), (NOTE,)))


def list_names_on(blocks: Sequence[Block]) -> dict[Place, str]:
    """Return what may be a name, by the place of the line that begins with it."""
    kept, _ = clean(join_definitions(blocks))
    lines = _read_lines(flatten(kept, []), Joiner(block.text for block in kept), NOT_POINTED)
    return {line.block.place: line.heads[0].name for line in lines if line.heads}


def _read_lines(blocks: Sequence[Block], joiner: Joiner, pointed: Pointed) -> list[Line]:
    whole = join_pointed(part_stats(join_questions(blocks, joiner)), pointed, joiner)
    return read_lines(join_names(whole, joiner, {fold(name) for name in pointed.names}))


def _mine(lines: Sequence[Line], pointed: Pointed) -> tuple[Document, list[Cut]]:
    if pointed.names or pointed.nots:
        return mine_pointed(lines, pointed)
    return mine(lines)


def _read_chapters(
    chapters: Iterable[tuple[Line, list[Line]]],
    left: list[LeftOut],
    joiner: Joiner,
    least: float,
) -> list[Candidate]:
    """Return the cards of such chapters as are clear, each by itself or all others together."""
    cards: list[Candidate] = []
    others: list[Line] = []
    for title, lines in chapters:
        kind = set_name(title.text.strip(" :"))
        found = _read_clear(lines, left, joiner, least)
        cards += [replace(card, kind=card.kind or kind) for card in found]
        others += [] if found else [title, *lines]
    return [*cards, *_read_clear(others, left, joiner, _CLEAR, run_in=True)]


def _read_clear(
    lines: Sequence[Line],
    left: list[LeftOut],
    joiner: Joiner,
    least: float,
    *,
    run_in: bool = False,
) -> list[Candidate]:
    """Return the cards of a part of a text, if they are clear.

    run_in: whether they are that only where texts begin on the lines of their names
    """
    document, cuts = mine(read_lines([line.block for line in lines]))
    if not cuts or not _is_clear(document, cuts[0], least):
        return []
    if run_in and any(record.begin.head.ending != "lead" for record in cuts[0].records):
        return []
    places = {line.block.place for line in lines}
    left[:] = [entry for entry in left if entry.place not in places]
    return _read_cards(document, refine(document, cuts[0]), left, joiner)


def _add_rows(
    document: Document,
    cut: Cut,
    cards: Sequence[Candidate],
    rows: Sequence[Candidate],
    left: list[LeftOut],
) -> list[Candidate]:
    """Return the cards with the rows below a header that fill a chapter of their own behind theirs,
    and have a field of theirs.
    """
    joined = [*cards]
    known = {key for card in cards for key in _list_fields(card)}
    for title, lines in _list_chapters(document, cut):
        if title.at < cut.records[0].start:
            continue
        places = {line.block.place for line in lines}
        own = [row for row in rows if row.found > WITHOUT_A_HEADER and row.place in places]
        if known.isdisjoint(key for row in own for key in _list_fields(row)):
            continue
        used = {line.place for row in own for line in row.lines}
        left[:] = [entry for entry in left if entry.place not in used]
        kind = set_name(title.text.strip(" :"))
        joined += [replace(row, kind=row.kind or kind) for row in own]
    return sorted(joined, key=lambda card: card.place.order)


def _fill_chapter(document: Document, cut: Cut, rows: Sequence[Candidate]) -> bool:
    """Whether all rows stand in chapters behind those of the records, and cost what these do."""
    priced = "fact cost" in find_strong(cut.usual) and all("cost" in _list_fields(r) for r in rows)
    chapters = _list_chapters(document, cut) if priced else ()
    behind = [lines for title, lines in chapters if title.at > cut.records[0].start]
    places = {line.block.place for lines in behind for line in lines}
    return priced and all(row.place in places for row in rows)


def _list_fields(card: Candidate) -> set[str]:
    return {key for key, _ in card.other} | ({"cost"} if card.cost is not None else set())


def _add_siblings(
    document: Document, cards: list[Candidate], left: list[LeftOut], joiner: Joiner
) -> list[Candidate]:
    """Return the cards of tables, and those in lists of the chapters beside theirs."""
    heads = [line for line in document.lines if line.block.kind == "heading"]
    above = [_find_above(heads, card) for card in cards]
    parts = {_find_part(heads, head) for head in above if head}
    chapters = (
        (head, list(document.lines[head.at + 1 : _find_end(document, heads, head)]))
        for head in heads
        if head not in above and _find_part(heads, head) in parts
    )
    others = _read_chapters(chapters, left, joiner, _CLEAR / 2)
    if not others:
        return cards
    kinds = [set_name(head.text.strip(" :")) if head else None for head in above]
    told = [replace(c, kind=c.kind or kind) for c, kind in zip(cards, kinds, strict=True)]
    return [*told, *others]


def _find_above(heads: Sequence[Line], card: Candidate) -> Line | None:
    """Return the heading of the chapter that a card stands in."""
    above = [head for head in heads if head.block.place.order < card.place.order]
    return above[-1] if above else None


def _find_end(document: Document, heads: Sequence[Line], head: Line) -> int:
    """Return where the chapter of a heading ends, with all that stands in it."""
    level = head.block.level
    below = (one.at for one in heads if one.at > head.at and one.block.level <= level)
    return next(below, len(document.lines))


def _find_part(heads: Sequence[Line], head: Line) -> tuple[int, Line | None]:
    """Return the level of a heading, and the heading of the part of a text that it stands in."""
    level = head.block.level
    above = [one for one in heads if one.at < head.at and one.block.level < level]
    return level, above[-1] if above else None


def _list_chapters(document: Document, cut: Cut) -> Iterator[tuple[Line, list[Line]]]:
    """Yield the chapters without a record, each with its title."""
    used = _list_used(cut)
    lines = document.lines
    ends = used.union(cut.sections)
    for at in cut.sections:
        end = next((n for n in range(at + 1, len(lines)) if n in ends), len(lines))
        if end - at > _FEW:
            yield lines[at], list(lines[at + 1 : end])


def _list_used(cut: Cut) -> set[int]:
    """Return the lines that stand in records."""
    return {at for record in cut.records for at in range(record.start, record.end)}


def _is_clear(document: Document, cut: Cut, least: float) -> bool:
    """Whether a chapter holds cards for sure: they are set off."""
    names = [document.lines[record.start] for record in cut.records]
    marked = all(line.is_marked or line.content.find_lead() for line in names)
    few = len(names) <= _FEW - all(line.block.kind == "heading" for line in names)
    return marked and cut.score > least and not few


def _is_labelled(cut: Cut) -> bool:
    """Whether many cards have the same labels, so that lists without these are none."""
    labels = [token for token in find_strong(cut.usual, _NEARLY_ALL) if token.startswith("label ")]
    return len(labels) >= _FEW and len(cut.records) >= _MANY


def _is_called(card: Candidate, name: str) -> bool:
    return fold(name) == fold(card.name)


def _sum_up(
    blocks: Sequence[Block],
    cards: Sequence[Candidate],
    left: Sequence[LeftOut],
    cuts: Sequence[Cut],
    pointed: Pointed,
) -> Recognised:
    """Return the cards with how much of the text they explain, and what else it may hold."""
    found = {fold(card.name): card.name for card in cards}
    heads = {record.begin.head.name for cut in cuts[:1] for record in cut.records}
    lacking = {
        name: next(iter(find_near(name, [*found.values(), *heads])), "")
        for name in pointed.names
        if not any(_is_called(card, name) for card in cards)
    }
    unknown = sum(entry.why == "prose" for entry in left)
    lines = sum(len(block.lines) for block in blocks if block.text)
    return Recognised(
        tuple(cards),
        tuple(sorted(left, key=lambda entry: entry.place.order)),
        explained=max(0, lines - unknown),
        lines=lines,
        guesses=tuple(_list_guesses(cuts)),
        lacking=lacking,
    )


def _list_guesses(cuts: Sequence[Cut]) -> Iterator[Guess]:
    """Yield how else the cards of a text may begin, each set of names once."""
    seen: list[frozenset[int]] = []
    for cut in cuts:
        starts = frozenset(record.start for record in cut.records)
        if any(2 * len(starts & other) > len(starts) for other in seen):
            continue
        seen.append(starts)
        names = tuple(record.begin.head.name for record in cut.records[:MOST_NAMED])
        yield Guess(describe(cut.candidate), len(cut.records), names)


def _begin_rows(document: Document, cut: Cut, cards: Sequence[Candidate]) -> bool:
    """Whether records are the rows below a header that cards were read from."""
    rows = {card.place for card in cards if card.found > WITHOUT_A_HEADER}
    starts = [document.lines[record.start].block.place for record in cut.records]
    return 2 * sum(place in rows for place in starts) > len(starts)


def _holds_rows(document: Document, cut: Cut, cards: Sequence[Candidate]) -> bool:
    """Whether a list of names goes on in the rows below a header that cards were read from."""
    starts = {document.lines[record.start].block.place for record in cut.records}
    return starts.issuperset(card.place for card in cards)


def _join_rows(
    cards: Sequence[Candidate], rows: Sequence[Candidate], left: list[LeftOut]
) -> list[Candidate]:
    """Return cards with what the rows below a header tell of them besides, each by its name.

    What a row says in other words is a doubt.
    """
    told = {fold(row.name): row for row in rows if row.found > WITHOUT_A_HEADER}
    joined: list[Candidate] = []
    for card in cards:
        row = told.get(fold(card.name))
        if row is None or row.place == card.place:
            joined.append(replace(row, kind=row.kind or card.kind) if row else card)
            continue
        own = {"cost": card.cost, **dict(card.other)}
        said = {"cost": row.cost, **dict(row.other)}
        more = [(key, value) for key, value in row.other if own.get(key) is None]
        differs = any(own.get(key) not in (None, value) for key, value in said.items() if value)
        doubts = (_TOLD_TWICE,) if row.paragraphs or differs else ()
        used = {line.place for line in row.lines}
        left[:] = [entry for entry in left if entry.place not in used]
        joined.append(
            replace(
                card,
                count=max(card.count, row.count),
                who=card.who or row.who,
                uses=card.uses or row.uses,
                kind=card.kind or row.kind,
                cost=row.cost if card.cost is None else card.cost,
                other=(*card.other, *more),
                labels={**row.labels, **card.labels},
                lines=(*card.lines, *row.lines),
                doubts=(*card.doubts, *doubts),
            )
        )
    return joined


def _stands_within(document: Document, cut: Cut, card: Candidate) -> bool:
    """Whether the row that a card was read from is a line of a record."""
    rows = {line.at for line in document.lines if line.block.place == card.place}
    return not rows.isdisjoint(_list_used(cut))


def _tells_of(cut: Cut, cards: Sequence[Candidate]) -> bool:
    """Whether what stands below a table says more of its rows, by their names."""
    named = {fold(card.name) for card in cards}
    told = [fold(record.begin.head.name) in named for record in cut.records]
    return 2 * sum(told) > len(told)


def _tells_most(blocks: Sequence[Block], cards: Sequence[Candidate]) -> bool:
    """Whether half of a text stands in the rows that are cards."""
    inside = sum(len(line.text.split()) for card in cards for line in card.lines)
    return 2 * inside > sum(len(block.text.split()) for block in blocks)


def _is_title(line: Line) -> bool:
    """Whether a line outside of cards is a heading: by its mark, or a few words set apart."""
    if line.block.kind == "heading":
        return True
    plain = line.block.kind == "line" and line.apart and line.label is None
    return plain and any(
        head.ending == "whole" and head.shape in ("title", "capitals") for head in line.heads
    )


def _leave_out(
    document: Document, sections: Sequence[int], used: Set[int] = frozenset()
) -> list[LeftOut]:
    """Return the lines that are no part of a card, and why."""
    left = []
    for line in document.lines:
        if line.at not in used and line.block.kind != "rule":
            why = "heading" if line.at in sections or _is_title(line) else "prose"
            left += [LeftOut(one.text, one.place, why) for one in line.block.lines]
    return left


def _read_cards(
    document: Document, cut: Cut, left: list[LeftOut], joiner: Joiner
) -> list[Candidate]:
    habits = learn_habits(document, cut.records, joiner)
    kinds = name_kinds(document, cut)
    left += _leave_out(document, cut.sections, _list_used(cut))
    usual = list(find_strong(cut.usual))
    read = [_make(document, r, habits, kinds.get(r.start), joiner) for r in cut.records]
    small = 2 * sum(card.name[:1].islower() for card in read) > len(read)
    names = [record.begin.head.name for record in cut.records]
    shouted = 2 * sum(find_shape(name) == "capitals" for name in names) > len(names)
    made = []
    for place, (record, card) in enumerate(zip(cut.records, read, strict=True)):
        tokens = find_tokens(document, record)
        has = sum(token in tokens for token in usual)
        headed = document.lines[record.start].block.kind == "heading"
        found = measure(usual, has, card.paragraphs, headed=headed, small=small)
        short = " " not in names[place] and not shouted  # "SOLID" among names in small letters
        made.append(replace(card, found=found, name=names[place] if short else card.name))
    return compare_cards(made)


def _add_kinds(document: Document, cut: Cut, cards: Sequence[Candidate]) -> list[Candidate]:
    """Return the cards with their one chapter, where another has cards of its own."""
    kinds = name_kinds(document, cut, fewest=1)
    return [
        replace(card, kind=card.kind or kinds.get(record.start))
        for card, record in zip(cards, cut.records, strict=True)
    ]


def _find_reason(document: Document, record: Record) -> str:
    """Return what speaks for a card, besides that its name is printed as the others are."""
    if record.begin.head.taken.facts:
        return "facts on its line"
    tokens = find_tokens(document, _shorten(record))
    for kind, said in (("fact ", "facts below it"), ("label ", "labels below it")):
        if any(token.startswith(kind) for token in tokens):
            return said
    return "its number" if record.begin.head.number else "printed as the other names are"


def _shorten(record: Record) -> Record:
    """Return a record without what stands far below its name."""
    return replace(record, end=min(record.end, record.start + 4))


def _make(
    document: Document, record: Record, habits: Habits, kind: str | None, joiner: Joiner
) -> Candidate:
    line, head = document.lines[record.start], record.begin.head
    body = Reader(head.name, list_pieces(document, record), habits, joiner).read()
    named = [
        fact._replace(gives="count") if habits.copied and is_bare(fact) else fact
        for fact in head.taken.facts
    ]
    ranks, facts = list_ranks([named, *body.facts])
    body.doubts += [fact.doubt for fact in facts if fact.doubt]
    if not body.paragraphs and not body.fields and not body.stats:
        body.doubts.append(Doubt("no-effect", "it has no effect", 0.6))
    # What labels stand above values gave may be a line that nothing else was taken from.
    own = line.block.lines or (SourceLine(line.block.place, line.text),)
    lines = sorted({*own, *body.lines}, key=lambda one: (one.place.order, one.text))
    return replace(
        make_card(head, lines, body, facts, kind),
        ranks=tuple(ranks),
        reasons=(_find_reason(document, record),),
        printed=repr(find_style(line, head)),
    )
