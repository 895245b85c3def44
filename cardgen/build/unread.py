"""Columns of a table, and fields, that no template of the deck prints, so that nobody misses them
unseen.

Knows nothing of pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import Problem, list_some
from cardgen.core.library import HOME
from cardgen.deck.model import ALL_FIELDS_TEMPLATE, CARD_KEYS, Card, Deck
from cardgen.deck.values import quote
from cardgen.project.project import open_project_of
from cardgen.template.expressions import TextExpression, ValueExpression
from cardgen.template.template import Template

_MOST_NAMED = 10
_SHORTEST = 4  # letters of a name that may be misspelt
# What every card has without a column of its own.
_GIVEN = frozenset((*CARD_KEYS, "number", "place", "fields"))


def find_unread(templates: DeckTemplates) -> tuple[Problem, ...]:
    """Return notes that name the filled columns and fields which no template reads: one for each
    that is misspelt, and one for all others.
    """
    deck = templates.deck
    found = _find_read(templates)
    if found is None:
        return ()
    read, fields = found
    firsts = _find_firsts(deck, _list_asked(templates) - read)
    lacking = sorted(fields - _GIVEN - _list_names(deck))
    guesses = {name: guess for name in firsts if (guess := _guess(name, lacking))}
    notes = [_note(deck, [name], firsts[name], cure) for name, cure in guesses.items()]
    others = [name for name in firsts if name not in guesses]
    if others:
        cure = f"let a template print {{{{ card.{others[0]} }}}}"
        cure += f', or say "template: {ALL_FIELDS_TEMPLATE}", which prints all'
        if lacking:
            them = "it" if len(others) == 1 else "them"
            listed = list_some(lacking, _MOST_NAMED)
            cure = f"call {them} as a template has it ({listed}), {cure}"
        notes.append(_note(deck, others, firsts[others[0]], cure))
    return tuple(notes)


def _list_asked(templates: DeckTemplates) -> set[str]:
    """Return the columns, or the fields that may be missed: all of them where cardgen's templates
    print the deck; who wrote his own knows which of them it prints, but for those it declares.
    """
    deck = templates.deck
    if deck.columns:
        return set(deck.columns)
    if all(path.is_relative_to(HOME) for _, template in templates for path in template.files):
        return {name for card in deck.cards for name in card.fields}
    return {name for _, template in templates for name in template.fields}


def _list_names(deck: Deck) -> set[str]:
    """Return the names of a deck's columns, or of the fields that its cards fill."""
    if deck.columns:
        return set(deck.columns)
    return {name for card in deck.cards for name, value in card.fields.items() if value is not None}


def _find_firsts(deck: Deck, names: Collection[str]) -> dict[str, Card]:
    """Return those of some columns or fields that are filled, with the first card that is so."""
    firsts: dict[str, Card] = {}
    for name in deck.columns or dict.fromkeys(name for card in deck.cards for name in card.fields):
        filled = (card for card in deck.cards if card.fields.get(name) is not None)
        if name in names and (first := next(filled, None)) is not None:
            firsts[name] = first
    return firsts


def _note(deck: Deck, names: Sequence[str], first: Card, cure: str) -> Problem:
    kind, one = "column" if deck.columns else "field", len(names) == 1
    what = f"the {kind} {{}} is" if one else f"the {kind}s {{}} are"
    return Problem(
        "build/unread-column",
        f"{what.format(list_some(list(map(quote, names)), _MOST_NAMED))} printed nowhere",
        deck.columns.get(names[0]) or first.where,
        cure,
        card=None if deck.columns else first.name,
        field=names[0] if one else None,
        details={"columns": tuple(names)},
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
