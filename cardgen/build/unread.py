"""Columns of a table that no template of the deck prints, so that nobody misses them unseen.

Knows nothing of pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import Problem, list_some
from cardgen.deck.model import ALL_FIELDS_TEMPLATE, CARD_KEYS, Deck
from cardgen.deck.values import quote
from cardgen.project.project import open_project_of
from cardgen.template.expressions import TextExpression, ValueExpression
from cardgen.template.template import Template

_MOST_NAMED = 10
# What every card has without a column of its own.
_GIVEN = frozenset((*CARD_KEYS, "number", "place", "fields"))


def find_unread(templates: DeckTemplates) -> tuple[Problem, ...]:
    """Return a note that names the filled columns which no template reads, if there are any."""
    deck = templates.deck
    if not deck.columns:
        return ()
    found = _find_read(templates)
    if found is None:
        return ()
    read, fields = found
    unread = [
        column
        for column in deck.columns
        if column not in read and any(card.fields[column] is not None for card in deck.cards)
    ]
    if not unread:
        return ()
    what = "the column {} is" if len(unread) == 1 else "the columns {} are"
    printed = f"{{{{ card.{unread[0]} }}}}"
    whole = f'"template: {ALL_FIELDS_TEMPLATE}", which prints all'
    cure = f"let a template print {printed}, or say {whole}"
    if other := sorted(fields - _GIVEN - deck.columns.keys()):
        them = "it" if len(unread) == 1 else "them"
        cure = f"call {them} as a template has it ({list_some(other, _MOST_NAMED)}), {cure}"
    return (
        Problem(
            "build/unread-column",
            f"{what.format(list_some(list(map(quote, unread)), _MOST_NAMED))} printed nowhere",
            deck.columns[unread[0]],
            cure,
            field=unread[0] if len(unread) == 1 else None,
            details={"columns": tuple(unread)},
        ),
    )


def list_unprinted(deck: Deck, fields: Collection[str]) -> list[str]:
    """Return those of some fields that no template of a deck asks for."""
    project = open_project_of(deck.path)
    paper = project.get_target(deck=deck).page
    found = _find_read(DeckTemplates(deck, project.get_library(), paper, one_size=False))
    return [] if found is None else [field for field in fields if field not in found[0]]


def _find_read(templates: DeckTemplates) -> tuple[set[str], set[str]] | None:
    """Return all names that templates ask anything for, and the fields of a card among them.

    None where one may ask for any field.
    """
    read: set[str] = set()
    fields: set[str] = set()
    for _, template in templates:
        for expression in _list_expressions(template):
            if "card" in expression.reads or "fields" in expression.fields:
                return None
            read |= expression.names
            fields.update(expression.fields)
    return read, fields


def _list_expressions(template: Template) -> Iterator[TextExpression | ValueExpression]:
    for element in template.elements:
        yield from element.list_expressions()
