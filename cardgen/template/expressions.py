"""Jinja2 expressions of a template, compiled once and evaluated for each card.

Knows nothing of XML or elements: it turns a source text and a card's values into a text or a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, wraps
from types import FunctionType
from typing import Any, cast

from jinja2 import Template, TemplateSyntaxError, UndefinedError, nodes
from jinja2.runtime import Context
from jinja2.utils import missing

from cardgen.core.errors import CardgenError, Problem, Where, shorten
from cardgen.template.explain import explain_syntax, explain_unknown, find_cure
from cardgen.template.files import FILES
from cardgen.template.names import NO_NAMES, RESERVED, Reads, Scope
from cardgen.template.sandbox import (
    ENVIRONMENT,
    MARK_OF_ADDRESS,
    MOST_LETTERS,
    Record,
    Unknown,
    UnknownError,
    check_length,
    check_shown,
    hide_addresses,
)
from cardgen.template.translator import TRANSLATOR

# With what it reads, and all names that it asks anything for.
Compiled = tuple[Template, Reads, frozenset[str]]

# A name, or a field of one, which most expressions are.
_PATH = re.compile(r"\s*([a-zA-Z]\w*)(?:\.([a-zA-Z]\w*))?\s*", re.ASCII)
_SHOWN_PATH = re.compile(r"\{\{" + _PATH.pattern + r"\}\}", re.ASCII)
_NO_PATHS = RESERVED | {"True", "False", "None", "loop", "self", "super", "caller"}
_ALONE = re.compile(r"\s*\{\{[-+]?((?:(?!\}\}).)*?)[-+]?\}\}\s*", re.DOTALL)
# What Python says nothing of, or one thing here and another there.
_REASONS: Mapping[type[Exception], str] = {
    RecursionError: "it is nested too deep",
    MemoryError: "it needs more memory than there is or is allowed",
}


class TextExpression:
    """A text with expressions in it.

    fields: the card's fields that it reads
    names: all that it asks anything for, whatever it calls the card
    reads: the names that it reads, `card.kind` for a field that it names; for a name of its scope,
        what that one reads
    """

    __slots__ = ("_path", "_template", "fields", "names", "reads", "source", "where")

    def __init__(self, source: str, where: Where, scope: Scope = NO_NAMES) -> None:
        self.source = source
        self.where = where
        self._template: Template | None = None  # as long as nobody needs more than a look
        self._path = _find_path(_SHOWN_PATH, source)
        try:
            if self._path:
                reads, self.names = _read_path(self._path)
            else:
                self._template, reads, self.names = _compile_text(source)
        except TemplateSyntaxError as error:
            raise self._refuse_syntax(error) from error
        self.fields, self.reads = reads.follow(scope)

    def evaluate(self, context: Context) -> str:
        """Return the text for one card."""
        if self._path:
            known = _look_up(self._path, context)
            if type(known) is str and len(known) <= MOST_LETTERS and MARK_OF_ADDRESS not in known:
                return known
        try:
            return self._join(context)
        except CardgenError as error:
            raise _place(error, self.where) from error
        except Exception as error:
            raise _explain(error, self, self._get_line(error), context) from error

    def _join(self, context: Context) -> str:
        pieces, length = [], 0
        if self._template is None:
            self._template, *_ = _compile_text(self.source)
        for piece in self._template.root_render_func(context):
            pieces.append(piece)
            length += len(piece)
            if length > MOST_LETTERS:
                check_length(length)
        text = "".join(pieces)
        check_shown(text)
        return text

    def _refuse_syntax(self, error: TemplateSyntaxError) -> CardgenError:
        found = explain_syntax(error, self.source, bare=False)
        return CardgenError(
            found.code,
            f"the expression cannot be read: {found.message}",
            self._move_down(error.lineno),
            found.hint,
            details=found.details,
        )

    def _get_line(self, error: Exception) -> Where:
        """Return the line of the template at which the expression failed."""
        trace, line, template = error.__traceback__, 1, self._template
        while trace is not None and template is not None:
            if trace.tb_frame.f_code is cast(FunctionType, template.root_render_func).__code__:
                line = template.get_corresponding_lineno(trace.tb_lineno)
            trace = trace.tb_next
        return self._move_down(line)

    def _move_down(self, line: int | None) -> Where:
        """Return the place of a line of the text, counted from 1."""
        if line is None or line == 1 or self.where.line is None:
            return self.where
        return Where(self.where.file, self.where.line + line - 1)


class ValueExpression:
    """One expression whose value counts, as in if= and for=."""

    __slots__ = ("_path", "_template", "fields", "names", "reads", "source", "where")

    def __init__(self, source: str, where: Where, scope: Scope = NO_NAMES) -> None:
        self.source = source
        self.where = where
        self._template: Template | None = None
        self._path = _find_path(_PATH, source)
        try:
            if self._path:
                reads, self.names = _read_path(self._path)
            else:
                self._template, reads, self.names = _compile_value(source)
        except TemplateSyntaxError as error:
            found = explain_syntax(error, source, bare=True)
            raise CardgenError(
                found.code,
                f'"{shorten(source)}" is no expression: {found.message}',
                where,
                found.hint,
                details=found.details,
            ) from error
        self.fields, self.reads = reads.follow(scope)

    @property
    def is_path(self) -> bool:
        """Whether it is a name, or the name of a field, and nothing else."""
        return bool(self._path)

    def evaluate(self, context: Context) -> Any:
        """Return the value for one card."""
        if self._path:
            known = _look_up(self._path, context)
            if known is not missing:
                return known
        try:
            if self._template is None:
                self._template, *_ = _compile_value(self.source)
            for _ in self._template.root_render_func(context):
                pass
            value = context.vars.pop("result")
            if isinstance(value, Unknown):
                str(value)  # raises
        except CardgenError as error:
            raise _place(error, self.where) from error
        except Exception as error:
            raise _explain(error, self, self.where, context) from error
        return value


def _find_path(pattern: re.Pattern[str], source: str) -> tuple[str, ...]:
    """Return the name, or the name and its field, that an expression is and nothing more."""
    found = pattern.fullmatch(source)
    if found is None or found[1] in _NO_PATHS or found[1] in ENVIRONMENT.globals:
        return ()
    return tuple(name for name in found.groups() if name)


def _read_path(path: tuple[str, ...]) -> tuple[Reads, frozenset[str]]:
    """Return what such an expression reads, and all names that it asks anything for."""
    name, asked = path[0], path[1:]
    if name == "card" and asked:
        return Reads(asked, frozenset({".".join(path)})), frozenset(asked)
    return Reads((), frozenset({name})), frozenset(asked)


def _look_up(path: tuple[str, ...], context: Context) -> Any:
    """Return what a name or a field stands for, as most expressions are nothing else; `missing`
    where Jinja has to look for it.
    """
    if context.vars or path[0] not in context.parent:
        return missing
    found = context.parent[path[0]]
    if len(path) == 1:
        return missing if isinstance(found, Unknown) else found
    return found.get(path[1], missing) if type(found) is Record else missing


def is_expression(text: str) -> bool:
    return "{{" in text or "{%" in text or "{#" in text


def find_value(text: str) -> str | None:
    """Return the expression of a text that is nothing but {{ … }}."""
    found = _ALONE.fullmatch(text)
    return found[1] if found and not is_expression(found[1]) else None


# Templates say the same again and again, and Jinja takes milliseconds for each expression.


# What Jinja and Python raise for an expression that is nested too deep, or has a number too long.
_TOO_MUCH = (RecursionError, MemoryError, ValueError, OverflowError)


def _refuse_depth(compile_: Callable[[str], Compiled]) -> Callable[[str], Compiled]:
    @wraps(compile_)
    def refuse(source: str) -> Compiled:
        try:
            return compile_(source)
        except _TOO_MUCH as error:
            deep = isinstance(error, RecursionError | MemoryError)
            reason = "it is nested too deep" if deep else str(error)
            raise TemplateSyntaxError(reason, 1) from error

    return refuse


@lru_cache(maxsize=4096)
@_refuse_depth
def _compile_text(source: str) -> Compiled:
    tree = ENVIRONMENT.parse(source)
    return ENVIRONMENT.from_string(tree), _find_reads(tree), _list_names(tree)


@lru_cache(maxsize=4096)
@_refuse_depth
def _compile_value(source: str) -> Compiled:
    expression = ENVIRONMENT.compile_expression(source, undefined_to_none=False)
    tree = ENVIRONMENT.parse("{{" + source + "}}")
    return expression._template, _find_reads(tree), _list_names(tree)


def _list_fields(tree: nodes.Template) -> tuple[str, ...]:
    return tuple(
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "card"
    )


def _list_names(tree: nodes.Template) -> frozenset[str]:
    asked = {node.attr for node in tree.find_all(nodes.Getattr)}
    keys = (node.arg for node in tree.find_all(nodes.Getitem))
    return frozenset(asked | {str(key.value) for key in keys if isinstance(key, nodes.Const)})


def _find_reads(tree: nodes.Template) -> Reads:
    """Return what an expression reads, names of its own too."""
    read = [name.name for name in tree.find_all(nodes.Name) if name.ctx == "load"]
    reads = set(read) - ENVIRONMENT.globals.keys()
    bare, fields = read.count("card"), _list_fields(tree)
    if "card" in reads and bare == len(fields):
        reads = (reads - {"card"}) | {f"card.{field}" for field in fields}
    return Reads(fields, frozenset(reads))


def _place(error: CardgenError, where: Where) -> CardgenError:
    """Return an error with a place; one of ours interrupts what takes too long."""
    return CardgenError.of(replace(p, where=p.where or where) for p in error.problems)


def _explain(
    error: Exception, expression: TextExpression | ValueExpression, where: Where, context: Context
) -> CardgenError:
    fields = set(expression.fields)
    field = fields.pop() if len(fields) == 1 else None
    if isinstance(error, UnknownError):
        names = context.parent.keys() - ENVIRONMENT.globals.keys() - {TRANSLATOR, FILES}
        found = explain_unknown(error, names, context.parent.get("card"))
        problem = found.at(where, alike=True, field=field)
    elif isinstance(error, UndefinedError):
        said = hide_addresses(str(error))
        problem = Problem("template/expression-fails", said, where, alike=True, field=field)
    else:
        reason = _REASONS.get(type(error)) or hide_addresses(str(error)) or type(error).__name__
        said = f'the expression "{shorten(expression.source.strip(), 60)}" fails: {reason}'
        cure = find_cure(error)
        problem = Problem("template/expression-fails", said, where, cure, field=field)
    return CardgenError.of([problem])
