"""The names that a template gives to expressions, beside card, deck and side: its fields, maps and
lists, and what else it names for a part of a face.

Tells of each name what it reads of a card. Knows nothing of where a name stands in a face.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from cardgen.core.errors import Refusal, shorten
from cardgen.deck.values import FIELD_HINT, is_field_name, parse_cell
from cardgen.template.sandbox import ENVIRONMENT

OWN = ("card", "deck", "side")
# What every card has, whatever its deck says.
OF_EVERY_CARD = ("name", "id", "count", "number", "place", "fields")
RESERVED = frozenset(("and", "else", "for", "if", "in", "is", "not", "or", "true", "false", "none"))
_TRUTHS = {"true": True, "false": False}


class Reads(NamedTuple):
    """What is read of a card, and of what else differs from card to card.

    fields: the card's fields
    names: `card.kind` for a field, else a name
    """

    fields: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()

    def follow(self, scope: Scope) -> Reads:
        """Return what is read in the end, where some of the names stand for other things."""
        known = sorted(self.names & scope.keys())
        if not known:
            return self
        fields = dict.fromkeys(self.fields)
        fields.update(dict.fromkeys(field for name in known for field in scope[name].fields))
        further = (scope[name].names for name in known)
        return Reads(tuple(fields), (self.names - scope.keys()).union(*further))


def differ_by_card(names: Iterable[str]) -> bool:
    """Whether names that are read stand for anything of a card, or for the side it is on; the items
    of a loop are read by the list that it runs over.
    """
    return any(name.partition(".")[0] in ("card", "side") for name in names)


# The names known where an expression stands, and what each of them reads.
Scope = Mapping[str, Reads]
NO_NAMES: Scope = {}
FIXED = Reads()


class Lookup(dict[str, Any]):
    """A map of a template, which may say what it gives for a key that it lacks."""

    has_default = False
    default: Any = None

    def __missing__(self, key: object) -> Any:
        if not self.has_default:
            raise KeyError(key)
        return self.default


def check_name(name: str, what: str, taken: Collection[str] = OWN) -> None:
    """Refuse a name that expressions cannot use, or that hides what they must reach."""
    if name in taken or name in ENVIRONMENT.globals or name in RESERVED:
        raise Refusal(
            "template/reserved-name",
            f'{what} cannot be named "{name}"',
            "choose another name",
            {"name": name},
        )
    if not is_field_name(name):
        raise Refusal(
            "template/wrong-name", f'"{name}" is no name for {what}', FIELD_HINT, {"name": name}
        )


def check_field(name: str) -> None:
    """Refuse the name of a field that no card can have, or that every card has."""
    if name in OF_EVERY_CARD:
        raise Refusal(
            "template/reserved-name",
            f"every card has a {name}",
            "delete the <field>",
            {"name": name},
        )
    if not is_field_name(name):
        raise Refusal(
            "template/wrong-name", f'"{name}" is no name for a field', FIELD_HINT, {"name": name}
        )


def check_param(name: str, others: Collection[str]) -> None:
    """Refuse the name of a parameter that <use> cannot give, or that another one has."""
    check_name(name, "a parameter", (*OWN, "component", "slot"))
    if name in others:
        raise Refusal(
            "template/name-twice",
            f'the parameter "{name}" is there already',
            "give it another name",
            {"name": name},
        )


def parse_plain(text: str) -> Any:
    """Return what a text stands for: a number, true or false, a text; none if it is empty."""
    text = text.strip()
    return _TRUTHS[text] if text in _TRUTHS else parse_cell(text) if text else None


def parse_list(text: str) -> list[Any]:
    """Return the values of a list, which commas part."""
    return [parse_plain(part) for part in text.split(",")] if text.strip() else []


def parse_map(text: str) -> dict[Any, Any]:
    """Return the entries of a map: keys and values with colons between, parted by commas."""
    parts = [part.partition(":") for part in text.split(",")] if text.strip() else []
    for key, colon, _ in parts:
        if not colon:
            raise Refusal(
                "template/wrong-list",
                f'"{shorten(key.strip())}" has no value',
                'as in "weapon: sword, curse: skull"; what holds a comma stands in an <entry>',
            )
    found: dict[Any, Any] = {}
    for key, _, value in parts:
        if found.setdefault(parse_plain(key), plain := parse_plain(value)) is not plain:
            raise Refusal(
                "template/name-twice",
                f'"{shorten(key.strip())}" stands there twice',
                "leave one of them out",
                {"name": key.strip()},
            )
    return found


def list_names(names: Iterable[str]) -> Scope:
    """Return the scope of names that say the same on every card."""
    return dict.fromkeys(names, FIXED)
