"""What is found in a text: its cards, and their names."""

from __future__ import annotations

from typing import Any

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate, Pointed
from cardgen.importing.reading.text import read_text_blocks

NAMES = ("Otter Lens", "Liar's Goblet", "Bottled Squall", "Hermit in a Jar")
EIGHT = (*NAMES, "Mud Crown", "Felt Hat", "Tin Trunk", "Iron Pin")
PLACES = ("Swamp", "Old Quay", "River Bank", "Inn")
TEXT = "It works once in a night, and only for the one who asked."


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


def find(
    form: str,
    names: tuple[str, ...] = NAMES,
    *,
    suffix: str = "txt",
    before: str = "",
    text: str = TEXT,
) -> list[Any]:
    """Return the cards of a document whose records have one form."""
    records = [
        form.format(name=name, n=n, m=n % 3, place=place, text=text)
        for n, (name, place) in enumerate(zip(names, PLACES, strict=True), 2)
    ]
    return [tell(card) for card in read_cards(before + "\n".join(records), suffix=suffix)]


def expect(
    names: tuple[str, ...] = NAMES, *, text: str = TEXT, **fields: Any
) -> list[dict[str, Any]]:
    """Return what the cards of such a document say; a number is the first's, and counts on."""
    return [
        {"name": name, "text": text.format(place=place)}
        | {
            key: form.format(n=n, m=n % 3, place=place) if isinstance(form, str) else form + n - 2
            for key, form in fields.items()
        }
        for n, (name, place) in enumerate(zip(names, PLACES, strict=True), 2)
    ]
