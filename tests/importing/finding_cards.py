"""What is found in a text: its cards, and their names."""

from __future__ import annotations

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate, Pointed
from cardgen.importing.reading.text import read_text_blocks


def read_cards(text: str, *names: str, suffix: str = "txt") -> tuple[Candidate, ...]:
    """Return the cards of a text; `names` are those that were pointed at."""
    return recognise(read_text_blocks(text, f"a.{suffix}"), Pointed(names=names)).cards


def list_names(text: str, *names: str, suffix: str = "txt") -> list[str]:
    return [card.name for card in read_cards(text, *names, suffix=suffix)]
