"""Brings a deck that an import made up to date with what its source says now.

Gives the new bytes of the deck, the new record and the notes. Writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cardgen.core.errors import CardgenError, list_some, shorten
from cardgen.core.reading import read_bytes
from cardgen.deck.labels import list_labels
from cardgen.deck.model import CARD_KEYS, DEFAULT_FIELDS, Value
from cardgen.deck.yaml import parse_yaml
from cardgen.importing.importer import Imported
from cardgen.importing.merging.deck_text import DeckText, read_deck_text
from cardgen.importing.merging.fields import is_same
from cardgen.importing.merging.merge import find_id, match_deck, match_source, merge_cards
from cardgen.importing.merging.notes import make_notes, make_problem
from cardgen.importing.merging.patch import patch_deck
from cardgen.importing.merging.record import Given, Record, name_record, read_record
from cardgen.importing.model import Answer, Candidate
from cardgen.importing.review import Reviewed
from cardgen.importing.write import format_deck

_MOST_NAMED = 5


class Standing(NamedTuple):
    """A deck that is there already, and what the last import gave."""

    path: Path
    deck: DeckText
    record: Record


class Update(NamedTuple):
    """The new bytes of a deck, None where they stay as they are, with its record and its cards."""

    data: bytes | None
    record: Record
    imported: Imported


def read_standing(path: Path) -> Standing | None:
    """Read a deck and its record; return None where either is not there."""
    if not (path.exists() and name_record(path).exists()):
        return None
    return Standing(path, read_deck_text(path), read_record(path))


def check_related(standing: Standing, imported: Imported) -> None:
    """Refuse a source that has nothing to do with the deck: its cards would go."""
    record = standing.record
    if record.cards and not match_source(record.cards, imported.values):
        raise CardgenError(
            "import/other-source",
            f"no card of {', '.join(imported.files)} is one that {standing.path} was made of",
            hint=f"it was made of {', '.join(record.files)}: name these too, to have both in it; "
            "or name another deck; or take the old cards out of it with --remove",
        )


def check_removed(standing: Standing, imported: Imported) -> None:
    """Refuse a source that lacks more than half of the deck's cards: it may be cut short."""
    ours = standing.deck.list_ours()
    findings = merge_cards(standing.record.cards, ours, imported.values).findings
    gone = [found.name for found in findings if found.kind == "removed"]
    if len(gone) * 2 <= len(ours):
        return
    named = list_some([f'"{shorten(name)}"' for name in gone], _MOST_NAMED)
    raise CardgenError(
        "import/many-removed",
        f"{len(gone):,} of the {len(ours):,} cards of {standing.path} are gone from"
        f" {', '.join(imported.files)}: {named}",
        hint="look whether the source is whole, and name all files that the deck was made of; "
        "or take the cards out of the deck with --remove",
        details={"removed": len(gone), "cards": len(ours), "names": tuple(gone)},
    )


def check_untouched(standing: Standing) -> None:
    """Refuse to write over what somebody wrote while questions were asked."""
    if read_bytes(standing.path) != standing.deck.data:
        raise CardgenError(
            "import/deck-changed", f"{standing.path} has changed meanwhile", hint="import once more"
        )


def settle_again(imported: Imported, standing: Standing) -> Imported:
    """Drop the doubts that were settled before of cards of which the source says the same.

    Those of a card that was taken out of the deck are settled too.
    """
    given = standing.record.cards
    in_deck = match_deck(given, standing.deck.list_ours())
    known = {find_id(one.values): n for n, one in enumerate(given)}
    cards = []
    for card, values in zip(imported.cards, imported.values, strict=True):
        place = known.get(find_id(values))
        if place is not None and is_same(dict(given[place].values), dict(values)):
            card = _settle_card(card, given[place], is_out=place not in in_deck)
        cards.append(card)
    old = [doubt for doubt in imported.deck_doubts if doubt.key in standing.record.settled]
    return replace(
        imported,
        cards=tuple(cards),
        deck_doubts=tuple(doubt for doubt in imported.deck_doubts if doubt not in old),
        deck_answers=tuple(Answer(doubt, "settled before") for doubt in old),
    )


def _settle_card(card: Candidate, given: Given, *, is_out: bool) -> Candidate:
    old = [doubt for doubt in card.doubts if is_out or doubt.key in given.settled]
    said = "taken out of the deck" if is_out else "settled before"
    return replace(
        card,
        doubts=tuple(doubt for doubt in card.doubts if doubt not in old),
        answers=tuple(Answer(doubt, said) for doubt in old),
    )


def make_deck(
    title: str,
    reviewed: Reviewed,
    head: Mapping[str, Value] = {},
    more: Mapping[int, Mapping[str, Value]] = {},
) -> Update:
    """Return a deck that is not there yet.

    head: keys that it has besides its cards; more: those that the source does not give its cards
    """
    imported = reviewed.imported
    cards = [{**values, **more.get(n, {})} for n, values in enumerate(imported.values)]
    record = _make_record(reviewed, [find_id(values) for values in imported.values])
    labels: dict[str, Value] = {**_list_labels(imported)}
    head = {**imported.head, **head, **({"labels": labels} if labels else {})}
    return Update(format_deck(title, cards, head).encode(), record, imported)


def _list_labels(imported: Imported) -> dict[str, str]:
    """Return the fields that most cards call otherwise than their names read."""
    called: dict[str, Counter[str]] = {}
    for card, values in zip(imported.cards, imported.values, strict=True):
        for field in values.keys() & card.labels.keys() - {*CARD_KEYS, *DEFAULT_FIELDS, "stats"}:
            called.setdefault(field, Counter())[card.labels[field]] += 1
    usual = {field: names.most_common(1)[0][0] for field, names in sorted(called.items())}
    return list_labels(usual)


def _make_record(reviewed: Reviewed, ids: Sequence[str | None]) -> Record:
    """Return the record of a source; `ids` are those of the reviewed cards in the deck."""
    found = dict(zip(reviewed.origins, ids, strict=True))
    given = (
        Given(found.get(n), values, tuple(answer.doubt.key for answer in answers))
        for n, (values, answers) in enumerate(
            zip(reviewed.source.values, reviewed.answers, strict=True)
        )
    )
    settled = (answer.doubt.key for answer in reviewed.imported.deck_answers)
    return Record(reviewed.source.files, tuple(given), tuple(settled))


def update_deck(standing: Standing, reviewed: Reviewed, *, strict: bool = False) -> Update:
    """Return the deck with the changes of the source.

    Raises where it cannot be changed, and with `strict` also where both sides have changed a field.
    """
    deck, imported = standing.deck, reviewed.imported
    merge = merge_cards(standing.record.cards, deck.list_ours(), imported.values)
    cards = imported.cards
    if strict and merge.clashes:
        notes = make_notes(merge.clashes, cards, deck.node, deck.file, lambda found: found.card)
        raise CardgenError.of(map(make_problem, notes))
    text = patch_deck(deck.text, deck.file, deck.node, merge.wanted)
    node = parse_yaml(text, deck.file, [])
    assert node is not None
    notes = make_notes(merge.findings, cards, node, deck.file, merge.find_card)
    ids = [None if n is None else find_id(merge.wanted[n].values) for n in merge.places]
    data = deck.encode(text) if text != deck.text else None
    return Update(data, _make_record(reviewed, ids), replace(imported, notes=notes))
