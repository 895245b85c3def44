"""What `cardgen diff` prints: the difference of two decks, as text or as JSON.

Turns a Comparison into texts. Must not know of the command line. `[-…-]` is what went, `{+…+}` what
came.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from cardgen.deck.compare import Change, Comparison
from cardgen.deck.model import Card, Deck, Value
from cardgen.errors import count

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
