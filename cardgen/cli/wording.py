"""What the commands print: a build in a line, a deck as a table or as JSON.

Turns decks and builds into texts. Must not know of the command line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgen.core.errors import count
from cardgen.deck.compare import Change, Comparison
from cardgen.deck.model import Card, Deck, Value

if TYPE_CHECKING:
    from cardgen.build.deliver import Built
    from cardgen.core.errors import Problem
    from cardgen.layout.copyfit import Shrunk


MOST_NAMED = 5
TINY = 0.15  # a face below this scale cannot be read


def format_built(built: Built) -> str:
    """What was written, and which cards were set smaller."""
    if not built.cards:
        return f"{built.path}: nothing has changed, so nothing is written"
    on, page = ("as", "picture") if built.pictures else ("on", "page")
    counts = f"{count(built.cards, 'card')} {on} {count(built.pages, page)}"
    if built.printer is not None:
        counts += f", corrected for the printer {built.printer}"
    if built.uncalibrated is not None:
        name = built.uncalibrated
        counts += f", not corrected: the printer {name} is not calibrated for paper on its side"
    if built.cuts:
        counts += f", to be cut by {', '.join(built.cuts)} (.svg, .dxf)"
    small = f"; faces at {built.scale:.0%} of their size" if built.scale < TINY else ""
    kept = f"; {count(built.unchanged, 'card')} as before" if built.unchanged else ""
    ticket = f"; job ticket: {built.ticket.name}" if built.ticket else ""
    return f"{built.path}: {counts}{kept}{small}{ticket}{_name_shrunk(built)}"


def format_gaps(gaps: Iterable[Problem]) -> Iterator[str]:
    """What is not in the language that was asked for, a line each."""
    for gap in gaps:
        yield f"  {gap.message}{f'; {gap.hint}' if gap.hint else ''}"


def format_deck(deck: Deck) -> str:
    """The cards with all their fields as a table; a long text is cut short."""
    fields = list(deck.cards[0].fields)
    rows = [("id", "name", "count", *fields)]
    for card in deck.cards:
        cells = (_show_value(card.fields[field]) for field in fields)
        rows.append((card.id, card.name, str(card.count), *cells))
    numbers = [
        3 + place
        for place, field in enumerate(fields)
        if all(isinstance(card.fields[field], int | float | None) for card in deck.cards)
    ]
    head = f"{deck.title}: {len(deck.cards)} designs, {deck.copies} cards"
    return f"{head}\n{format_table(rows, right=(2, *numbers))}"


def format_table(rows: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Rows with columns of even width; `right` are those of numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _name_shrunk(built: Built) -> str:
    """The cards that were set smaller, each once with its smallest size."""
    if not built.shrunk:
        return ""
    sizes: dict[str, float] = {}
    for entry in built.shrunk:
        name = entry.subject.card or entry.subject.name
        sizes[name] = min(entry.size, sizes.get(name, entry.size))
    named = [f"{name} ({size:g}pt)" for name, size in list(sizes.items())[:MOST_NAMED]]
    more = len(sizes) - len(named)
    rest = f" and {more:,} more" if more else ""
    return f"; set smaller: {', '.join(named)}{rest}"


def format_json(deck: Deck) -> str:
    """The cards with nothing cut, for other programs."""
    import json

    cards = [
        {"id": card.id, "name": card.name, "count": card.count, **card.fields}
        for card in deck.cards
    ]
    data = {"deck": deck.name, "title": deck.title, "cards": cards}
    # ASCII alone, so that no terminal or pipe can spoil it.
    return json.dumps(data, indent=2)


def format_problems(
    problems: Iterable[Problem], shrunk: Iterable[Shrunk], gaps: Iterable[Problem] = ()
) -> str:
    """What is wrong, each thing once, which texts were set smaller, and what a language lacks."""
    import json

    from cardgen.core.errors import Problem

    smaller = [
        Problem(
            "cli/todo",
            f"{entry.subject.name}: its {entry.field or 'text'} is set smaller than on other cards:"
            f" at {entry.size:g}pt, not {entry.usual:g}pt",
            entry.subject.where,
            "shorten it, or give it more room",
            card=entry.subject.card,
            field=entry.field if entry.field.isidentifier() else None,
        )
        for entry in shrunk
    ]
    told = [_make_record(problem, "error") for problem in problems]
    told += [_make_record(problem, "information") for problem in (*smaller, *gaps)]
    # One file may have been named in two ways, and two decks may have one template.
    distinct = {tuple(record.values()): record for record in told}
    return json.dumps(list(distinct.values()), indent=2)


def _make_record(problem: Problem, severity: str) -> dict[str, str | int | None]:
    where = problem.where
    return {
        "file": _name_file(where.file) if where else None,
        "line": where.line if where else None,
        "column": where.column if where else None,
        "message": problem.sentence,
        "hint": problem.hint,
        "card": problem.card,
        "field": problem.field,
        "severity": severity,
    }


def _name_file(file: str) -> str:
    """The path from the working folder, where the file lies within it."""
    path, here = Path(file), Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def format_schema(schema: Mapping[str, object]) -> str:
    import json

    return json.dumps(schema, indent=2)


def _show_value(value: object) -> str:
    from cardgen.core.errors import shorten

    return "" if value is None else shorten(str(value), 50)


# Up to this length a text is shown whole, before and after.
_SHORT = 40
# So many words are shown on either side of a change.
_AROUND = 4
_PARAGRAPH = "¶"
_WORD = re.compile(r"\n\s*\n|\S+")


def format_comparison(found: Comparison) -> str:
    before, after = found.before, found.after
    if found.is_equal:
        return f"{before.name} and {after.name} say the same: {_count_cards(after)}"
    lines = [f"{before.name} → {after.name}", *_list_changes(found.changes, "  ")]
    lines += _list_cards("dropped", found.dropped)
    lines += _list_cards("added", found.added)
    if found.changed:
        lines.append(f"changed: {count(len(found.changed), 'design')}")
    for changed in found.changed:
        lines.append(f"  {_name(changed.before)}")
        lines += _list_changes(changed.changes, "    ")
    if found.moved:
        lines.append(f"moved: {count(len(found.moved), 'design')}")
        lines += [f"  {_name(m.card)}: place {m.before} → {m.after}" for m in found.moved]
    lines.append(f"{_count_cards(before)} → {_count_cards(after)}")
    return "\n".join(lines)


def _list_cards(what: str, cards: Sequence[Card]) -> Iterator[str]:
    if cards:
        yield f"{what}: {count(len(cards), 'design')}"
    for card in cards:
        copies = f", {count(card.count, 'copy').replace('copys', 'copies')}"
        yield f"  {_name(card)}{copies if card.count != 1 else ''}"


def _name(card: Card) -> str:
    return f"{card.name} ({card.id})"


def _count_cards(deck: Deck) -> str:
    return f"{count(len(deck.cards), 'design')}, {count(deck.copies, 'card')}"


def _list_changes(changes: Iterable[Change], indent: str) -> Iterator[str]:
    for key, before, after in changes:
        yield f"{indent}{key}: {_show_change(before, after)}"


def _show_change(before: Value, after: Value) -> str:
    if (
        isinstance(before, str)
        and isinstance(after, str)
        and (max(len(before), len(after)) > _SHORT or "\n" in before + after)
    ):
        return compare_words(before, after)
    return f"{_show(before)} → {_show(after)}"


def _show(value: Value) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, str) and value.strip() and "\n" not in value:
        return value
    return json.dumps(value, ensure_ascii=False)


def compare_words(before: str, after: str) -> str:
    """Both texts in one, word by word; what is equal and far from a change is left out."""
    old, new = _split(before), _split(after)
    if old == new:
        return "only blanks and line ends differ"
    parts: list[str] = []
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for number, (what, start, end, other_start, other_end) in enumerate(codes):
        if what == "equal":
            words = old[start:end]
            ahead = _AROUND if number else 0
            behind = _AROUND if number < len(codes) - 1 else 0
            if len(words) > ahead + behind + 1:
                words = [*words[:ahead], "…", *words[len(words) - behind :]]
            parts += words
            continue
        if end > start:
            parts.append(f"[-{' '.join(old[start:end])}-]")
        if other_end > other_start:
            parts.append(f"{{+{' '.join(new[other_start:other_end])}+}}")
    return " ".join(parts)


def _split(text: str) -> list[str]:
    return [word if word.strip() else _PARAGRAPH for word in _WORD.findall(text.strip())]


def format_comparison_json(found: Comparison) -> str:
    """The difference with nothing cut, for other programs."""
    data = {
        "before": {"deck": found.before.name, "title": found.before.title},
        "after": {"deck": found.after.name, "title": found.after.title},
        "equal": found.is_equal,
        "changes": _pack_changes(found.changes),
        "added": [_pack_card(card) for card in found.added],
        "dropped": [_pack_card(card) for card in found.dropped],
        "changed": [
            {"id": card.after.id, "name": card.after.name, "changes": _pack_changes(card.changes)}
            for card in found.changed
        ],
        "moved": [
            {"id": moved.card.id, "name": moved.card.name, "before": moved.before}
            | {"after": moved.after}
            for moved in found.moved
        ],
    }
    # ASCII alone, so that no terminal or pipe can spoil it.
    return json.dumps(data, indent=2)


def _pack_changes(changes: Iterable[Change]) -> dict[str, Any]:
    return {key: {"before": before, "after": after} for key, before, after in changes}


def _pack_card(card: Card) -> dict[str, Any]:
    return {"id": card.id, "name": card.name, "count": card.count, **card.fields}


# MERGED: What `cardgen diff` prints: the difference of two decks, as text or as JSON.
#
#   Turns a Comparison into texts. Must not know of the command line. `[-…-]` is what went, `{+…+}` what
#   came.
#
