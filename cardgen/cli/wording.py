"""The words that commands print: builds, decks, problems and differences, as text or JSON.

Must not know of the command line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from cardgen.core.errors import Problem, count, list_some, shorten
from cardgen.core.library import show_from_here
from cardgen.core.shown import show_line

if TYPE_CHECKING:
    from cardgen.build.deliver import Built
    from cardgen.deck.compare import Change, Comparison
    from cardgen.deck.model import Card, Deck, Value
    from cardgen.layout.copyfit import Shrunk

Record = dict[str, Any]  # as JSON has it

_MOST_NAMED = 5
_TINY = 0.15  # a face below this scale cannot be read
_MOST_IN_A_CELL = 50
_MOST_COMPARED = 1_000_000  # pairs of words of two texts
_Step = tuple[Literal["replace", "delete", "insert", "equal"], int, int, int, int]


def format_json(data: Mapping[str, object] | Sequence[object]) -> str:
    """Return data as JSON in ASCII alone, so that no terminal or pipe can spoil it."""
    return json.dumps(data, indent=2).replace("\x7f", "\\u007f")


def format_table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Return rows with columns of even width, each in one line; `right` are those of numbers."""
    shown = [[show_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    lines = []
    for row in shown:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


# Builds


def format_built(built: Built) -> str:
    """Return a line that says what was written, and which cards were set smaller."""
    if not built.cards:
        return f"{built.path}: nothing has changed, so nothing is written"
    on, page = ("as", "picture") if built.pictures else ("on", "page")
    counts = f"{count(built.cards, 'card')} {on} {count(built.pages, page)}"
    if built.product is not None:
        counts += f" for {built.product}"
    if built.printer is not None:
        counts += f", corrected for the printer {built.printer}"
    if built.places is not None:
        counts += ", whose margins leave {} of {} places on a sheet".format(*built.places)
    if built.uncalibrated is not None:
        name = built.uncalibrated
        counts += f", not corrected: the printer {name} is not calibrated for paper on its side"
    if built.cuts:
        counts += f", to be cut by {', '.join(built.cuts)} (.svg, .dxf)"
    small = f"; faces at {built.scale:.0%} of their size" if built.scale < _TINY else ""
    kept = f"; {count(built.unchanged, 'card')} as before" if built.unchanged else ""
    ticket = f"; job ticket: {built.ticket.name}" if built.ticket else ""
    draft = ""
    if built.problems is not None:
        wrong = count(len(built.problems), "problem") if built.problems else "nothing is wrong"
        draft = f"; a draft: {wrong}"
    return f"{built.path}: {counts}{kept}{small}{ticket}{draft}{_name_shrunk(built)}"


def _name_shrunk(built: Built) -> str:
    """Return the cards that were set smaller, each once with its smallest size."""
    if not built.shrunk:
        return ""
    sizes: dict[str, float] = {}
    for entry in built.shrunk:
        name = entry.subject.card or entry.subject.name
        sizes[name] = min(entry.size, sizes.get(name, entry.size))
    named = [f"{name} ({size:g}pt)" for name, size in sizes.items()]
    return f"; set smaller: {list_some(named, _MOST_NAMED)}"


def format_notes(notes: Iterable[Problem]) -> Iterator[str]:
    """Yield a line for each thing that keeps nothing from being printed: what was taken in another
    way than it is written, what is not in the language that was asked for, or what preflight warns
    of.
    """
    for note in notes:
        yield f"  {note.message}{f'; {note.hint}' if note.hint else ''}"


# Decks


def format_deck(deck: Deck) -> str:
    """Return the cards with all their fields as a table; a long text is cut short."""
    fields = list(deck.cards[0].fields)
    rows = [("id", "name", "count", *fields)]
    for card in deck.cards:
        cells = (_format_cell(card.fields[field]) for field in fields)
        rows.append((card.id, card.name, str(card.count), *cells))
    numbers = [
        3 + place
        for place, field in enumerate(fields)
        if all(isinstance(card.fields[field], int | float | None) for card in deck.cards)
    ]
    many = f"{count(len(deck.cards), 'design')}, {count(deck.copies, 'card')}"
    head = f"{show_line(deck.title)}: {many}"
    return f"{head}\n{format_table(rows, right=(2, *numbers))}"


def _format_cell(value: Value) -> str:
    return "" if value is None else shorten(str(value), _MOST_IN_A_CELL)


def pack_deck(deck: Deck) -> Record:
    """Return the cards with nothing cut, for other programs."""
    return {"deck": deck.name, "title": deck.title, "cards": list(map(_pack_card, deck.cards))}


def _pack_card(card: Card) -> Record:
    return {"id": card.id, "name": card.name, "count": card.count, **card.fields}


# Problems


def pack_problems(
    problems: Iterable[Problem], shrunk: Iterable[Shrunk], notes: Iterable[Problem]
) -> list[Record]:
    """Return all problems, each once, then the texts that were set smaller and the other
    notes.
    """
    told = [_pack_problem(problem, "error") for problem in problems]
    others = (*map(_note_shrunk, shrunk), *notes)
    told += [_pack_problem(problem, "information") for problem in others]
    # One file may have been named in two ways, and two decks may have one template.
    return list({json.dumps(record): record for record in told}.values())


def _note_shrunk(entry: Shrunk) -> Problem:
    return Problem(
        "text/set-smaller",
        f"its {entry.field or 'text'} is set smaller than on other cards:"
        f" at {entry.size:g}pt, not {entry.usual:g}pt",
        entry.subject.where,
        "shorten it, or give it more room",
        entry.subject.name,
        card=entry.subject.card,
        field=entry.field if entry.field.isidentifier() else None,
        details={"size": entry.size, "usual": entry.usual},
    )


def _pack_problem(problem: Problem, severity: str) -> Record:
    where = problem.where
    used = where.list_uses() if where else []
    return {
        "file": _name_file(where.file) if where else None,
        "line": where.line if where else None,
        "column": where.column if where else None,
        "code": problem.code,
        "message": problem.sentence,
        "hint": problem.hint,
        "card": problem.card,
        "field": problem.field,
        "details": {**problem.details, **({"used": used} if used else {})},
        "severity": severity,
    }


def _name_file(file: str) -> str:
    return show_from_here(Path(file)).as_posix()


# Differences


class Words(NamedTuple):
    """Some words of two texts that are compared: in both, gone from the first, or come."""

    kind: Literal["kept", "gone", "come"]
    text: str


# Shows words in a line of text.
Mark = Callable[[Words], str]

_SHORT = 40  # up to this length a text is shown whole, before and after
_AROUND = 4  # so many words are shown on either side of a change
_PARAGRAPH = "¶"
_WORD = re.compile(r"\n\s*\n|\S+")


def mark_words(words: Words) -> str:
    """Return words in plain text: `[-…-]` is what went, `{+…+}` what came."""
    if words.kind == "gone":
        return f"[-{words.text}-]"
    return f"{{+{words.text}+}}" if words.kind == "come" else words.text


def format_comparison(found: Comparison, mark: Mark = mark_words) -> str:
    """Return the differences between two decks, line by line."""
    before, after = found.before, found.after
    if found.is_equal:
        return show_line(f"{before.name} and {after.name} say the same: {_count_cards(after)}")
    lines = [show_line(f"{before.name} → {after.name}"), *_list_changes(found.changes, "  ", mark)]
    lines += _list_cards("dropped", found.dropped)
    lines += _list_cards("added", found.added)
    if found.changed:
        lines.append(f"changed: {count(len(found.changed), 'design')}")
    for changed in found.changed:
        lines.append(f"  {_name_card(changed.before)}")
        lines += _list_changes(changed.changes, "    ", mark)
    if found.moved:
        lines.append(f"moved: {count(len(found.moved), 'design')}")
        lines += [f"  {_name_card(m.card)}: place {m.before} → {m.after}" for m in found.moved]
    lines.append(f"{_count_cards(before)} → {_count_cards(after)}")
    return "\n".join(lines)


def _list_cards(head: str, cards: Sequence[Card]) -> Iterator[str]:
    if cards:
        yield f"{head}: {count(len(cards), 'design')}"
    for card in cards:
        yield f"  {_name_card(card)}{f', {card.count:,} copies' if card.count != 1 else ''}"


def _name_card(card: Card) -> str:
    return f"{card.name} ({card.id})"


def _count_cards(deck: Deck) -> str:
    return f"{count(len(deck.cards), 'design')}, {count(deck.copies, 'card')}"


def _list_changes(changes: Iterable[Change], indent: str, mark: Mark) -> Iterator[str]:
    for change in changes:
        yield f"{indent}{change.key}: {_format_change(change.before, change.after, mark)}"


def _format_change(before: Value, after: Value, mark: Mark) -> str:
    if (
        isinstance(before, str)
        and isinstance(after, str)
        and (max(len(before), len(after)) > _SHORT or "\n" in before + after)
    ):
        return format_words(before, after, mark)
    return f"{_format_value(before)} → {_format_value(after)}"


def _format_value(value: Value) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str) and value.strip() and "\n" not in value:
        return value
    return json.dumps(value, ensure_ascii=False)


def format_words(before: str, after: str, mark: Mark = mark_words) -> str:
    """Return both texts in one, with the words marked that only one of them has."""
    words = compare_words(before, after)
    return " ".join(map(mark, words)) if words else "only blanks and line ends differ"


def compare_words(before: str, after: str) -> list[Words]:
    """Return both texts in one, word by word; nothing if no word differs.

    What is equal and far from a change is left out.
    """
    old, new = _split_words(before), _split_words(after)
    if old == new:
        return []
    parts: list[Words] = []
    codes = _compare_lists(old, new)
    for number, (kind, start, end, other_start, other_end) in enumerate(codes):
        if kind == "equal":
            words = old[start:end]
            ahead = _AROUND if number else 0
            behind = _AROUND if number < len(codes) - 1 else 0
            if len(words) > ahead + behind + 1:
                words = [*words[:ahead], "…", *words[len(words) - behind :]]
            parts.append(Words("kept", " ".join(words)))
            continue
        if end > start:
            parts.append(Words("gone", " ".join(old[start:end])))
        if other_end > other_start:
            parts.append(Words("come", " ".join(new[other_start:other_end])))
    return parts


def _compare_lists(old: Sequence[str], new: Sequence[str]) -> list[_Step]:
    """Return the steps from one list of words to the other; long ones that differ much are one."""
    same = 0
    for first, second in zip(old, new, strict=False):
        if first != second:
            break
        same += 1
    least = min(len(old), len(new)) - same
    tail = 0
    while tail < least and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    ends = len(old) - tail, len(new) - tail
    if (ends[0] - same) * (ends[1] - same) <= _MOST_COMPARED:
        from difflib import SequenceMatcher  # which no build needs

        return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    steps: list[_Step] = [("equal", 0, same, 0, same)] if same else []
    steps.append(("replace", same, ends[0], same, ends[1]))
    if tail:
        steps.append(("equal", ends[0], len(old), ends[1], len(new)))
    return steps


def _split_words(text: str) -> list[str]:
    return [word if word.strip() else _PARAGRAPH for word in _WORD.findall(text.strip())]


def pack_comparison(found: Comparison) -> Record:
    """Return the difference with nothing cut, for other programs."""
    return {
        "before": {"deck": found.before.name, "title": found.before.title},
        "after": {"deck": found.after.name, "title": found.after.title},
        "equal": found.is_equal,
        "changes": _pack_changes(found.changes),
        "added": list(map(_pack_card, found.added)),
        "dropped": list(map(_pack_card, found.dropped)),
        "changed": [
            {"id": card.after.id, "name": card.after.name, "changes": _pack_changes(card.changes)}
            for card in found.changed
        ],
        "moved": [
            {"id": one.card.id, "name": one.card.name, "before": one.before, "after": one.after}
            for one in found.moved
        ],
    }


def _pack_changes(changes: Iterable[Change]) -> Record:
    return {key: {"before": before, "after": after} for key, before, after in changes}
