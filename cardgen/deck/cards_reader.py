"""A list in YAML becomes raw cards. Knows nothing of what fields mean."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.values import describe
from cardgen.deck.yaml_tree import Node


def read_cards(raw: RawDeck, items: Iterable[Node], place: str = "") -> list[Raw]:
    """What is reported is kept without values, so that the later cards keep their numbers."""
    hint = 'write "- name: …"'
    cards: list[Raw] = []
    for number, item in enumerate(items, 1):
        name, where = f"card {number}{place}", item.locate(raw.file)
        if item.entries is None and item.value is not None:
            found = describe(item.value)
            raw.add(f"{name} must be a mapping of fields, not {found}", where, hint)
        elif not item.entries:
            raw.add(f"{name} is empty", where, hint)
        cards.append(item.to_raw(raw.file))
    return cards
