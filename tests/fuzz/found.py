"""Cases that once went wrong, and those that a stranger would try first; they stay."""

from __future__ import annotations

from collections.abc import Mapping

from cases import Case, make_deck_case

FOUND: Mapping[str, Case] = {
    "a sound deck": make_deck_case("  - name: Sword\n", "<text>{{ card.name }}</text>"),
}
