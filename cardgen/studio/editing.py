"""What somebody edits on the page: read, turned into a change in a process of the deck, written,
and taken back.

What is an edit is known by `edits/`; this says how it is asked for and answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from cardgen.deck.model import Value
from cardgen.studio.asking import Refused, make_wrong
from cardgen.studio.easel import Easel, View
from cardgen.studio.edits.change import make_change
from cardgen.studio.edits.model import (
    UNKNOWN,
    AddCard,
    Change,
    Conflict,
    Conflicts,
    CopyCard,
    Edit,
    MoveCard,
    RemoveCard,
    SetField,
)
from cardgen.studio.packing import Data, pack_place, pack_value
from cardgen.studio.printing import Desk

_MOST_EDITS = 5_000


def read_edits(said: Sequence[object]) -> list[Edit]:
    """Return the edits that a page asks for."""
    if not 0 < len(said) <= _MOST_EDITS:
        raise Refused(make_wrong(f"1 to {_MOST_EDITS:,} edits are taken at once"))
    return [_read_edit(one) for one in said]


def _read_edit(said: object) -> Edit:
    read = _READERS.get(str(said.get("kind"))) if isinstance(said, dict) else None
    if read is None:
        raise Refused(make_wrong("an edit of another kind"))
    return read(cast(dict[str, object], said))


def _read_set(said: Mapping[str, object]) -> Edit:
    was = cast(Value, said["was"]) if "was" in said else UNKNOWN
    value = cast(Value, said.get("value"))
    return SetField(_take_text(said, "card"), _take_text(said, "field"), value, was)


def _read_add(said: Mapping[str, object]) -> Edit:
    values = said.get("values")
    if not isinstance(values, dict):
        raise Refused(make_wrong("a card without values"))
    return AddCard(values, _find_text(said, "after"))


_READERS: Mapping[str, Callable[[Mapping[str, object]], Edit]] = {
    "set": _read_set,
    "add": _read_add,
    "copy": lambda said: CopyCard(_take_text(said, "card")),
    "remove": lambda said: RemoveCard(_take_text(said, "card")),
    "move": lambda said: MoveCard(_take_text(said, "card"), _find_text(said, "after")),
}


def _take_text(said: Mapping[str, object], name: str) -> str:
    value = said.get(name)
    if not isinstance(value, str):
        raise Refused(make_wrong(f"an edit has no {name}"))
    return value


def _find_text(said: Mapping[str, object], name: str) -> str | None:
    return None if said.get(name) is None else _take_text(said, name)


def plan_change(edits: Sequence[Edit], view: View) -> Callable[[Desk], Change | Conflicts]:
    """Return the task of turning edits into a change of files."""
    return partial(_plan, edits, view)


def _plan(edits: Sequence[Edit], view: View, desk: Desk) -> Change | Conflicts:
    easel: Easel = desk.get_easel()
    made = make_change(easel.project, desk.name, edits, view.language)
    if isinstance(made, Change) and made.step.card in easel.keys:
        name = easel.get_card(made.step.card).name
        return replace(made, step=made.step._replace(card=name))
    return made


def pack_conflicts(found: Conflicts) -> list[Data]:
    """Return what stands against a change."""
    return [_pack_conflict(one) for one in found.found]


def _pack_conflict(one: Conflict) -> Data:
    return {
        "card": one.card,
        "field": one.field,
        "yours": pack_value(one.ours),
        "theirs": pack_value(one.theirs),
        "was": pack_value(one.base),
        "place": pack_place(one.place),
    }
