"""Jinja2 expressions compiled once and evaluated per card, sandboxed, with every name checked.

Knows nothing of XML or elements: it turns a source text and a card's values into a text or a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, cast

from jinja2 import StrictUndefined, TemplateSyntaxError, UndefinedError, nodes
from jinja2.filters import do_center, do_format
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import missing

from cardgen.core.errors import CardgenError, Problem, Where, shorten, suggest
from cardgen.template.hints import Complaint, explain_name, explain_part, explain_syntax, find_cure
from cardgen.template.translator import TRANSLATOR, translate_word

MINUS = "\u2212"
MOST_LETTERS = 1_000_000  # of a text that an expression makes
MOST_DIGITS = 1_000
# What makes a text as long as one likes.
_PADDING = ("center", "expandtabs", "ljust", "rjust", "zfill")
_WIDTH = re.compile(r"\d{5,}|\*")
_UNDEFINED = re.compile(r"'(\w+)' is undefined")


class Record:
    """Named values as templates see them: `card.cost`; never a method of ours."""

    __slots__ = ("_kind", "_values")

    def __init__(self, kind: str, values: Mapping[str, Any]) -> None:
        self._kind = kind
        self._values = values

    def __str__(self) -> str:
        raise TypeError(f"{self._kind} is no text; name one of its fields")


class _Unknown(StrictUndefined):
    """Stands for what is not there: `is defined` may ask for it, any other use raises.

    Behind a line break the message carries its hint.
    """

    __slots__ = ()

    @property
    def _undefined_message(self) -> str:
        owner, name = self._undefined_obj, str(self._undefined_name)
        if isinstance(owner, Record):
            hint = suggest(name, owner._values, kind="field")
            return f'unknown field "{name}" of {owner._kind}\n{hint}'
        if isinstance(owner, dict):
            return f'unknown key "{name}"\n{suggest(name, map(str, owner), kind="known")}'
        if self._undefined_hint is None and owner is not missing:
            return "\n".join(filter(None, explain_part(owner, name)))
        return str(super()._undefined_message)


class _Environment(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset(["*", "**", "%"])

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operation whose result would not fit in memory is refused before it is tried."""
        if operator == "%" and isinstance(left, str):
            _check_format(left)
        if operator == "**" and _measure_power(left, right) > MOST_DIGITS:
            raise ValueError(f"a power of more than {MOST_DIGITS:,} digits")
        if operator == "*":
            for whole, times in ((left, right), (right, left)):
                if isinstance(whole, str | list | tuple) and isinstance(times, int):
                    _check_length(len(whole) * times)
        return super().call_binop(context, operator, left, right)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str) and attr in _PADDING:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is Record:
            try:
                return obj._values[attribute]
            except KeyError:
                return _Unknown(obj=obj, name=attribute)
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if type(obj) is Record:
            return self.getattr(obj, str(argument))
        return super().getitem(obj, argument)


def _check_length(length: int) -> None:
    if length > MOST_LETTERS:
        raise ValueError(f"it makes a text of more than {MOST_LETTERS:,} letters")


def _check_format(template: str) -> None:
    if _WIDTH.search(template):
        raise ValueError("a format with so wide a field")


def _limit_center(value: str, width: int = 80) -> str:
    _check_length(width)
    return do_center(value, width)


def _limit_format(value: str, *args: Any, **kwargs: Any) -> str:
    _check_format(str(value))
    return do_format(value, *args, **kwargs)


def _measure_power(base: Any, exponent: Any) -> float:
    """About how many digits a power of whole numbers has."""
    if not isinstance(base, int) or not isinstance(exponent, int) or abs(base) < 2:
        return 0
    return float(base.bit_length()) * exponent * 0.302 if exponent > 0 else 0


def format_signed(value: Any) -> str:
    """A number with its sign: +5, −15, 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"signed needs a number, not {shorten(repr(value))}")
    if not value:
        return "0"
    size = (
        str(abs(value)) if isinstance(value, int) else f"{abs(value):.6f}".rstrip("0").rstrip(".")
    )
    return f"+{size}" if value > 0 else f"{MINUS}{size}"


def _show_value(value: Any) -> Any:
    return "" if value is None else value


ENVIRONMENT = _Environment(
    undefined=_Unknown, finalize=_show_value, autoescape=False, keep_trailing_newline=True
)
ENVIRONMENT.filters["signed"] = format_signed
ENVIRONMENT.filters["t"] = translate_word
ENVIRONMENT.filters["center"] = _limit_center
ENVIRONMENT.filters["format"] = _limit_format
# What differs from run to run would make two builds of a deck differ.
del ENVIRONMENT.filters["random"]
del ENVIRONMENT.globals["lipsum"]

Render = Callable[[Context], Iterator[str]]


def make_context(values: Mapping[str, Any]) -> Context:
    """What every expression of one card is evaluated in."""
    return Context(ENVIRONMENT, {**ENVIRONMENT.globals, **values}, None, {})


def extend_context(context: Context, values: Mapping[str, Any]) -> Context:
    return Context(ENVIRONMENT, {**context.parent, **values}, None, {})


class TextExpression:
    """A text with expressions in it."""

    __slots__ = ("_render", "_template", "fields", "names", "source", "where")

    def __init__(self, source: str, where: Where) -> None:
        self.source = source
        self.where = where
        tree = _parse(source, where)
        self.fields = _list_fields(tree)
        self.names = _list_names(tree)
        try:
            self._template = ENVIRONMENT.from_string(tree)
        except TemplateSyntaxError as error:
            raise _explain_syntax(error, source, where) from error
        self._render: Render = self._template.root_render_func

    def evaluate(self, context: Context) -> str:
        try:
            return "".join(self._render(context))
        except Exception as error:
            raise _explain(error, self, self._find_line(error), context) from error

    def _find_line(self, error: Exception) -> Where:
        """The line of the template at which an expression failed."""
        trace, line = error.__traceback__, 1
        while trace is not None:
            if trace.tb_frame.f_code is cast(FunctionType, self._render).__code__:
                line = self._template.get_corresponding_lineno(trace.tb_lineno)
            trace = trace.tb_next
        if line == 1 or self.where.line is None:
            return self.where
        return Where(self.where.file, self.where.line + line - 1)


class ValueExpression:
    """One expression whose value counts, as in if= and for=."""

    __slots__ = ("_render", "fields", "names", "source", "where")

    def __init__(self, source: str, where: Where) -> None:
        self.source = source
        self.where = where
        try:
            expression = ENVIRONMENT.compile_expression(source, undefined_to_none=False)
        except TemplateSyntaxError as error:
            found = _explain_message(error, source, bare=True)
            raise CardgenError(
                "template/todo",
                f'"{shorten(source)}" is no expression: {found.message}',
                where,
                found.hint,
            ) from error
        tree = ENVIRONMENT.parse("{{" + source + "}}")
        self.fields, self.names = _list_fields(tree), _list_names(tree)
        self._render: Render = expression._template.root_render_func

    def evaluate(self, context: Context) -> Any:
        try:
            for _ in self._render(context):
                pass
            value = context.vars.pop("result")
            if isinstance(value, _Unknown):
                str(value)  # an undefined value complains when it is used
        except Exception as error:
            raise _explain(error, self, self.where, context) from error
        return value


def is_expression(text: str) -> bool:
    return "{{" in text or "{%" in text or "{#" in text


def _parse(source: str, where: Where) -> nodes.Template:
    try:
        return ENVIRONMENT.parse(source)
    except TemplateSyntaxError as error:
        raise _explain_syntax(error, source, where) from error


def _explain_syntax(error: TemplateSyntaxError, source: str, where: Where) -> CardgenError:
    line = (where.line or 1) + (error.lineno or 1) - 1
    place = where if error.lineno in (None, 1) else Where(where.file, line)
    found = _explain_message(error, source, bare=False)
    return CardgenError(
        "template/todo", f"the expression cannot be read: {found.message}", place, found.hint
    )


def _explain_message(error: TemplateSyntaxError, source: str, *, bare: bool) -> Complaint:
    filters, tests = ENVIRONMENT.filters, ENVIRONMENT.tests
    return explain_syntax(error.message or "", source, filters=filters, tests=tests, bare=bare)


def _list_fields(tree: nodes.Template) -> tuple[str, ...]:
    """The card's fields that an expression reads, for messages that name them."""
    return tuple(
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "card"
    )


def _list_names(tree: nodes.Template) -> frozenset[str]:
    """All that an expression asks anything for, by whatever name it knows the card."""
    asked = {node.attr for node in tree.find_all(nodes.Getattr)}
    keys = (node.arg for node in tree.find_all(nodes.Getitem))
    return frozenset(asked | {str(key.value) for key in keys if isinstance(key, nodes.Const)})


def _explain(
    error: Exception, expression: TextExpression | ValueExpression, where: Where, context: Context
) -> CardgenError:
    fields = set(expression.fields)
    field = fields.pop() if len(fields) == 1 else None
    if isinstance(error, UndefinedError):
        message, _, hint = str(error).partition("\n")
        name = _UNDEFINED.fullmatch(message)
        if name:
            own = context.parent.keys() - ENVIRONMENT.globals.keys() - {TRANSLATOR}
            card = context.parent.get("card")
            known = card._values if isinstance(card, Record) else {}
            _, message, found = explain_name(name[1], own, known)
            hint = found or ""
        return CardgenError.of(
            [Problem("template/todo", message, where, hint or None, alike=True, field=field)]
        )
    message = f'the expression "{shorten(expression.source.strip(), 60)}" fails: {error}'
    return CardgenError.of(
        [Problem("template/todo", message, where, find_cure(error), field=field)]
    )
