"""Changes the cards in the text of a deck, and leaves every other letter as it was.

What cannot be written without touching more is refused. Knows nothing of where cards come from.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.deck.edits.edit import Edit, apply, end_line, find_column, start_line
from cardgen.deck.edits.spans import Item, Pair, Span, Spans, find_spans
from cardgen.deck.model import Value
from cardgen.deck.values import quote
from cardgen.deck.yaml import Node, parse_yaml
from cardgen.importing.merging.fields import Values, is_same
from cardgen.importing.write import format_card, format_field

_INDENT = 2
_EMPTY_LINES = re.compile(r"(?:\n[ \t]*(?=\n))+")


class Wanted(NamedTuple):
    """A card that the deck is to hold; `place` is that among its cards now, None for a new one."""

    place: int | None
    values: Values


def patch_deck(text: str, file: str, node: Node, wanted: Sequence[Wanted]) -> str:
    """Return the text with the wanted cards; `node` is what it says now."""
    patch = _Patch(text, file, node)
    patched = apply(text, patch.list_edits(wanted))
    patch.check(patched, wanted)
    return patched


class _Patch:
    def __init__(self, text: str, file: str, node: Node) -> None:
        self.text = text
        self.file = file
        self.node = node
        self.spans: Spans = find_spans(text)
        pair = self.spans.root.find("cards")
        if pair is None:
            raise CardgenError(
                "import/deck-in-brackets",
                "this deck is in brackets",
                self._locate(0),
                'write each key on a line, as "cards:"',
            )
        self.pair: Pair = pair
        self.items: Sequence[Item] = pair.value.items or ()
        self.cards: Sequence[Node] = (node.entries or {})["cards"].node.items or ()

    # Cards

    def list_edits(self, wanted: Sequence[Wanted]) -> Iterator[Edit]:
        kept = {card.place for card in wanted}
        changed = [
            card
            for card in wanted
            if card.place is not None
            and not is_same(self.cards[card.place].value, dict(card.values))
        ]
        new = any(card.place is None for card in wanted)
        dropped = [n for n in range(len(self.cards)) if n not in kept]
        if self.cards and not self.items and (changed or dropped or new):
            raise CardgenError(
                "import/deck-in-brackets",
                "these cards are in brackets",
                self._locate(self.pair.value.start),
                'write each card on lines of its own, as "- name: …"',
            )
        for card in changed:
            yield from self._change_card(card)
        for number, place in enumerate(dropped):
            yield self._drop_card(place, is_leading=place == number)
        if new:
            yield from self._add_cards(wanted)

    def _change_card(self, card: Wanted) -> Iterator[Edit]:
        assert card.place is not None
        item, entries = self.items[card.place], self.cards[card.place].entries or {}
        if item.value.pairs is None:
            raise CardgenError(
                "import/deck-in-brackets",
                f"card {quote(str(card.values.get('name')))} is in brackets, or a repeat by *",
                self._locate(item.value.start),
                "write its fields on lines of their own",
            )
        old = {key: entry.node.value for key, entry in entries.items()}
        yield from self._change_fields(item.value, old, card.values)

    def _drop_card(self, place: int, *, is_leading: bool) -> Edit:
        """Drop a card's lines and the empty ones before it; of the first card those behind it."""
        item = self.items[place]
        start, end = start_line(self.text, item.dash), end_line(self.text, item.value.end)
        if is_leading:
            empty = _EMPTY_LINES.match(self.text, end)
            return Edit(start - 1, empty.end() if empty else end, "")
        return Edit(end_line(self.text, len(self.text[:start].rstrip())), end, "")

    def _add_cards(self, wanted: Iterable[Wanted]) -> Iterator[Edit]:
        column = find_column(self.text, self.items[0].dash) if self.items else _INDENT
        gap = "\n" if self._is_airy() else ""
        behind, is_first = end_line(self.text, self.pair.colon), True
        if not self.items:
            behind = end_line(self.text, self.pair.value.end)
            yield Edit(self.pair.colon, self.pair.value.end, "")
        for card in wanted:
            if card.place is not None:
                behind, is_first = self._find_end(self.items[card.place], column), False
                continue
            text = textwrap.indent(format_card(card.values).rstrip("\n"), " " * column)
            before, after = ("", gap if self.items else "") if is_first else (gap, "")
            yield Edit(behind, behind, f"\n{before}{text}{after}")
            is_first = is_first and bool(self.items)

    def _is_airy(self) -> bool:
        """Tell whether empty lines part the cards."""
        pairs = list(zip(self.items, self.items[1:], strict=False))
        between = (self.text[one.value.end : other.dash] for one, other in pairs)
        return not pairs or any("\n\n" in part for part in between)

    def _find_end(self, item: Item, column: int) -> int:
        """Return where the last line of a card ends, or of the comments below that belong to it."""
        end = end_line(self.text, item.value.end)
        while True:
            following = end_line(self.text, end + 1)
            line = self.text[end + 1 : following]
            bare = line.lstrip(" ")
            if not bare.startswith("#") or len(line) - len(bare) <= column:
                return end
            end = following

    # Fields

    def _change_fields(self, span: Span, old: Values, new: Values) -> Iterator[Edit]:
        pairs = {pair.key: pair for pair in span.pairs or ()}
        column = find_column(self.text, span.start)
        gone = [key for key in old if key not in new]
        yield from self._drop_fields(span, gone)
        behind = next(pair for pair in (span.pairs or ()) if pair.key not in gone)
        for key, value in new.items():
            if key not in pairs:
                if key not in old or not is_same(old[key], value):
                    yield self._add_field(behind, key, value, column)
                continue
            behind, before = pairs[key], old[key]
            if is_same(before, value):
                continue
            inner = {inner.key for inner in behind.value.pairs or ()}
            if isinstance(before, dict) and isinstance(value, dict) and inner & value.keys():
                yield from self._change_fields(behind.value, before, value)
            else:
                yield self._change_value(behind, value, column)

    def _change_value(self, pair: Pair, value: Value, column: int) -> Edit:
        """Write a new value in the place of an old one; comments within it move above its key."""
        if pair.value.has_anchor:
            raise CardgenError(
                "import/repeated-value",
                f"{quote(pair.key)} is repeated elsewhere by *",
                self._locate(pair.value.start),
                "write the value wherever it is repeated",
            )
        written = _indent(format_field("x", value), column).removeprefix("x:")
        start, end = pair.colon, pair.value.end
        is_long = "\n" in written
        if not is_long and pair.value.start > start and not self.spans.list_comments(start, end):
            return Edit(pair.value.start, end, written.strip())
        if is_long or "\n" in self.text[start:end]:
            end = end_line(self.text, end)
        comments = self.spans.list_comments(start, end)
        if not comments:
            return Edit(start, end, written)
        above = "".join(f"{self.text[c.start : c.end]}\n{' ' * column}" for c in comments)
        return Edit(pair.start, end, above + self.text[pair.start : start] + written)

    def _add_field(self, behind: Pair, key: str, value: Value, column: int) -> Edit:
        end = end_line(self.text, behind.value.end)
        return Edit(end, end, f"\n{' ' * column}{_indent(format_field(key, value), column)}")

    def _drop_fields(self, span: Span, gone: Sequence[str]) -> Iterator[Edit]:
        pairs = span.pairs or ()
        taken_over = [key for key in gone if span.find(key) is None]
        if taken_over:
            raise CardgenError(
                "import/repeated-value",
                f"{quote(taken_over[0])} is taken over by <<",
                self._locate(span.start),
                "write out what the card takes over",
            )
        kept = next(n for n, pair in enumerate(pairs) if pair.key not in gone)
        for pair in pairs[:1] if kept else ():
            # What begins the card, or the mapping, has its hyphen before it.
            comments = self._repeat_comments(pair.start, pairs[kept].start)
            indent = " " * find_column(self.text, pair.start)
            text = "".join(f"{comment}\n{indent}" for comment in comments)
            yield Edit(pair.start, pairs[kept].start, text)
        for pair in pairs[kept:]:
            if pair.key in gone:
                start, end = start_line(self.text, pair.start), end_line(self.text, pair.value.end)
                indent = " " * find_column(self.text, pair.start)
                comments = self._repeat_comments(start, end)
                text = "".join(f"\n{indent}{comment}" for comment in comments)
                yield Edit(start - 1, end, text)

    def _repeat_comments(self, start: int, end: int) -> list[str]:
        return [self.text[c.start : c.end] for c in self.spans.list_comments(start, end)]

    # What came of it

    def check(self, patched: str, wanted: Sequence[Wanted]) -> None:
        """Refuse a text that does not hold the wanted cards, or has changed in anything else."""
        problems: list[Problem] = []
        try:
            node = parse_yaml(patched, self.file, problems)
        except CardgenError:
            node = None
        entries = node.entries or {} if node is not None and not problems else {}
        said = {key: entry.node.value for key, entry in entries.items()}
        cards = said.pop("cards", None) or []
        rest = {key: e.node.value for key, e in (self.node.entries or {}).items() if key != "cards"}
        if is_same(said, rest) and is_same(cards, [dict(card.values) for card in wanted]):
            return
        place = self.pair.start
        for now, card in zip(cards if isinstance(cards, list) else (), wanted, strict=False):
            if card.place is not None and not is_same(now, dict(card.values)):
                place = self.items[card.place].value.start
                break
        raise CardgenError(
            "import/repeated-value",
            "this cannot be changed without changing more of the deck",
            self._locate(place),
            "write values out that are repeated by & and *, then import again",
        )

    def _locate(self, place: int) -> Where:
        line = self.text.count("\n", 0, place) + 1
        return Where(self.file, line, find_column(self.text, place) + 1)


def _indent(text: str, column: int) -> str:
    """Indent the lines of a field, all but the first, as deep as its card."""
    first, *rest = text.rstrip("\n").split("\n")
    return "\n".join([first, *(" " * column + line if line else line for line in rest)])
