"""Which edition of a deck is printed: its version where it has one, else the date of its files.

Knows nothing of what is printed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from cardgen.deck.model import Deck

_EPOCH = "SOURCE_DATE_EPOCH"
_LAST_SECOND = 253_402_300_799.0  # of the year 9999


def name_edition(deck: Deck, environment: Mapping[str, str] = os.environ) -> str:
    """The version, or the day of the last change in UTC; empty for a deck of no file."""
    if deck.version:
        return f"version {deck.version}"
    changed = _read_epoch(environment.get(_EPOCH, "")) or _find_last_change(deck)
    return datetime.fromtimestamp(changed, UTC).date().isoformat() if changed else ""


def _read_epoch(text: str) -> float:
    """The time that reproducible builds are given, or 0 where there is none that can be read."""
    return min(float(text), _LAST_SECOND) if text.isdecimal() else 0.0


def _find_last_change(deck: Deck) -> float:
    """When the newest of a deck's files was written: its own, its table, and what it extends."""
    times = [0.0]
    for name in {str(deck.path), *(card.where.file for card in deck.cards)}:
        with suppress(OSError):
            times.append(Path(name).stat().st_mtime)
    return max(times)
