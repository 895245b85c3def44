"""Columns of a table, and misspelt fields, that no template of the deck prints, so that nobody
misses them unseen.

Knows nothing of pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import Problem, list_some
from cardgen.deck.model import ALL_FIELDS_TEMPLATE, CARD_KEYS, Deck
from cardgen.deck.values import quote
from cardgen.project.project import open_project_of
from cardgen.template.expressions import TextExpression, ValueExpression
from cardgen.template.template import Template

_MOST_NAMED = 10
_SHORTEST = 4  # letters of a name that may be misspelt
# What every card has without a column of its own.
_GIVEN = frozenset((*CARD_KEYS, "number", "place", "fields"))


def find_unread(templates: DeckTemplates) -> tuple[Problem, ...]:
    """Return a note that names the filled columns which no template reads, if there are any; of a
    deck without a table the fields that are written nearly as one that a template reads.
    """
    deck = templates.deck
    found = _find_read(templates)
    if found is None:
        return ()
    read, fields = found
    other = sorted(fields - _GIVEN - deck.columns.keys())
    if not deck.columns:
        declared = {name for _, template in templates for name in template.fields}
        return tuple(_find_misspelt(deck, read, [name for name in other if name in declared]))
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
    if len(unread) == 1 and (guess := _guess(unread[0], other)):
        cure = f"{guess} Else {cure}"
    elif other:
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


def _find_misspelt(deck: Deck, read: Collection[str], others: Sequence[str]) -> Iterator[Problem]:
    """Yield a note for each field that no template reads, and that is nearly called as another."""
    firsts = {field: card for card in reversed(deck.cards) for field in card.fields}
    for field in sorted(firsts.keys() - read)[:_MOST_NAMED]:
        if guess := _guess(field, [other for other in others if other not in firsts]):
            yield Problem(
                "build/unread-column",
                f"the field {quote(field)} is printed nowhere",
                firsts[field].where,
                guess,
                card=firsts[field].name,
                field=field,
                details={"columns": (field,)},
            )


def _guess(field: str, others: Sequence[str]) -> str | None:
    """Return which of others is meant by a field: one of the same letters, but for one of them."""
    for other in others:
        is_near = len(field) >= _SHORTEST and abs(len(field) - len(other)) <= 1
        if is_near and (Counter(field) - Counter(other)).total() <= 1:
            return f"did you mean {quote(other)}?"
    return None


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
