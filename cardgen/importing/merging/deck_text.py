"""Reads a deck's file to be changed, and encodes its new text as the old one was.

Line ends and the byte order mark stay what they were.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.reading import decode_text, read_bytes
from cardgen.deck.edits.spans import find_spans, list_noted
from cardgen.deck.yaml import Node, parse_yaml
from cardgen.importing.merging.merge import Ours

_CURE = "import into another deck; or delete this one, to import afresh"


class DeckText(NamedTuple):
    file: str
    data: bytes
    text: str
    line_end: str
    node: Node

    @property
    def cards(self) -> Sequence[Node]:
        return list_cards(self.node)

    def list_ours(self) -> list[Ours]:
        noted = list_noted(self.text, find_spans(self.text)) if self.cards else set()
        return [
            Ours({key: entry.node.value for key, entry in (card.entries or {}).items()}, n in noted)
            for n, card in enumerate(self.cards)
        ]

    def encode(self, text: str) -> bytes:
        mark = BOM_UTF8 if self.data.startswith(BOM_UTF8) else b""
        return mark + text.replace("\n", self.line_end).encode()


def list_cards(node: Node) -> Sequence[Node]:
    return (node.entries or {})["cards"].node.items or ()


def read_deck_text(path: Path) -> DeckText:
    """Read a deck that holds a list of cards; anything else is an error."""
    file, data = str(path), read_bytes(path)
    text = decode_text(data, file)
    line_end = _find_line_end(text)
    # Where line ends differ each is left as it is.
    text = text if line_end == "\n" else text.replace(line_end, "\n")
    problems: list[Problem] = []
    node = parse_yaml(text, file, problems)
    if problems:
        raise CardgenError.of(problems)
    if node is None or node.entries is None or "cards" not in node.entries:
        where = Where(file) if node is None else node.locate(file)
        raise CardgenError(
            "import/no-list-of-cards", "there is no list of cards here to import into", where, _CURE
        )
    cards = node.entries["cards"].node
    if cards.items is None and cards.value is not None:
        raise CardgenError(
            "import/no-list-of-cards",
            "these cards are no list to import into",
            cards.locate(file),
            _CURE,
        )
    for card in cards.items or ():
        if card.entries is None:
            message = "this card is no mapping of fields"
            raise CardgenError(
                "import/no-list-of-cards", message, card.locate(file), 'write "- name: …"'
            )
    return DeckText(file, data, text, line_end, node)


def _find_line_end(text: str) -> str:
    """Return the sign that ends every line, if it is one and the same; else \\n."""
    breaks, returns = text.count("\n"), text.count("\r")
    if returns and returns == breaks == text.count("\r\n"):
        return "\r\n"
    return "\r" if returns and not breaks else "\n"
