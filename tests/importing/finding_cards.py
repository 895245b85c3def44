"""What is found in a text: its cards, and their names."""

from __future__ import annotations

from typing import Any

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate, Pointed
from cardgen.importing.reading.text import read_text_blocks


def read_cards(text: str, *names: str, suffix: str = "txt") -> tuple[Candidate, ...]:
    """Return the cards of a text; `names` are those that were pointed at."""
    return recognise(read_text_blocks(text, f"a.{suffix}"), Pointed(names=names)).cards


def list_names(text: str, *names: str, suffix: str = "txt") -> list[str]:
    return [card.name for card in read_cards(text, *names, suffix=suffix)]


def tell(card: Candidate) -> dict[str, Any]:
    """Return all that a card says, its stats among its fields."""
    known = {key: getattr(card, key) for key in ("cost", "who", "kind", "count")}
    if card.count == 1:
        del known["count"]
    other = dict(card.other)
    stats = other.pop("stats", {})
    fields = {**known, **other, **(stats if isinstance(stats, dict) else {"stats": stats})}
    said = {key.lower(): value for key, value in fields.items() if value is not None}
    return {"name": card.name, "text": card.text, **said}
