"""The sandbox in which Jinja2 evaluates a template's expressions: what they may reach, and how much
they may make.

An expression reads the values it is given, changes none of them, and prints the same on every run.
Knows nothing of XML or elements.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial, wraps
from math import isfinite
from types import CodeType, NoneType
from typing import Any, Literal, NoReturn

from jinja2 import (
    StrictUndefined,
    TemplateAssertionError,
    TemplateSyntaxError,
    Undefined,
    UndefinedError,
    nodes,
)
from jinja2.compiler import CodeGenerator, Frame
from jinja2.filters import do_batch, do_center, do_format, sync_do_join, sync_do_slice, sync_do_sum
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import MAX_RANGE, ImmutableSandboxedEnvironment
from jinja2.utils import missing, pass_environment, pass_eval_context

from cardgen.core.errors import shorten
from cardgen.template.files import is_file, is_icon
from cardgen.template.translator import label_field, translate_word

MINUS = "\u2212"
MOST_LETTERS = 1_000_000  # of a text that an expression makes
MOST_DIGITS = 1_000
_MOST_BITS = 40_000  # of a whole number that is reckoned with
# What makes a text as long as one likes.
_GROWING = ("center", "encode", "expandtabs", "ljust", "rjust", "to_bytes", "zfill")
MARK_OF_ADDRESS = " at 0x"
_ADDRESS = re.compile(r"(?:<|&lt;)(?:[\w.]*\.|built-in )?([\w ]+)[^<>&]* at 0x[0-9a-f]+(?:>|&gt;)?")
# Filters that make a text of whatever they get.
_TEXTUAL = (
    *("capitalize", "center", "e", "escape", "forceescape", "format", "indent", "lower"),
    *("pprint", "replace", "safe", "string", "striptags", "title", "trim", "truncate", "upper"),
    *("urlencode", "urlize", "wordwrap", "xmlattr"),
)
_SENTENCE_ENDS = (".", "!", "?", "…")
_CLOSING = "\"'”’»“‘)]*_"  # what may stand behind the end of a sentence
_FEWEST_WORDS = 4  # of a sentence; "10 min." is none
# A field that is wide, or whose width another value tells.
_WIDTH = re.compile(r"\d{5,}|\*|\{[^{}]*:[^{}]*\{")


class Record:
    """Named values as templates see them: `card.cost`; never a method of ours.

    No expression reaches what begins with an underscore.
    """

    __slots__ = ("_kind", "_values")

    def __init__(self, kind: str, values: Mapping[str, Any]) -> None:
        self._kind = kind
        self._values = values

    def __str__(self) -> str:
        raise TypeError(f"{self._kind} is no text; name one of its fields")

    def get(self, name: str, default: Any) -> Any:
        """Return the value of a name, or the default where there is none."""
        return self._values.get(name, default)

    def fill_gaps(self, defaults: Mapping[str, Any]) -> Record:
        """Return it with a default for each value that is missing or empty."""
        values = self._values
        gaps = {name: one for name, one in defaults.items() if values.get(name) in (None, "")}
        return Record(self._kind, {**values, **gaps}) if gaps else self


# What goes wrong, as data


class UnknownError(UndefinedError):
    """An expression asks for something that is not there: a name, a field or a part of `owner`."""

    def __init__(self, unknown: Unknown, message: str) -> None:
        super().__init__(message)
        name: Any = unknown._undefined_name
        plain = isinstance(name, str | int | float)
        self.name = str(name) if plain else type(name).__name__.lower()  # others have an address
        self.owner = unknown._undefined_obj

    @property
    def is_name(self) -> bool:
        """Whether a name is unknown, not a part of something."""
        return self.owner is missing


class Unknown(StrictUndefined):
    """Stands for what is not there: `is defined` may ask for it, any other use raises."""

    __slots__ = ("_kind",)

    @property
    def _undefined_exception(self) -> Any:
        """Return what is raised; kept by itself it would be a circle that nobody clears up."""
        if self._undefined_hint is None and self._kind is UndefinedError:
            return partial(UnknownError, self)
        return self._kind

    @_undefined_exception.setter
    def _undefined_exception(self, kind: type[Exception]) -> None:
        self._kind = kind


class NoTextError(TypeError):
    """A list or a mapping where a text is to be printed."""

    def __init__(self, value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> None:
        super().__init__("it prints a mapping" if isinstance(value, dict) else "it prints a list")
        self.value = value


class TagError(TemplateSyntaxError):
    """A tag that is unknown or closes nothing, or one that is never closed.

    tag: the tag, None at the end of the text
    opened: the innermost tag that is still open
    """

    def __init__(
        self, message: str, line: int, tag: str | None = None, opened: str | None = None
    ) -> None:
        super().__init__(message, line)
        self.tag = tag
        self.opened = opened


class FilterError(TemplateAssertionError):
    """A filter or a test that Jinja does not know."""

    def __init__(self, kind: Literal["filter", "test"], name: str, line: int) -> None:
        super().__init__(f'unknown {kind} "{name}"', line)
        self.kind = kind
        self.unknown = name


class _Parser(Parser):
    """Jinja's parser, whose complaints about tags carry the tags."""

    def fail_unknown_tag(self, name: str, lineno: int | None = None) -> NoReturn:
        self._fail_tag(name, lineno)

    def fail_eof(
        self, end_tokens: tuple[str, ...] | None = None, lineno: int | None = None
    ) -> NoReturn:
        if not self._tag_stack:
            super().fail_eof(end_tokens, lineno)
        self._fail_tag(None, lineno)

    def _fail_tag(self, tag: str | None, line: int | None) -> NoReturn:
        opened = self._tag_stack[-1] if self._tag_stack else None
        raise TagError("a tag is wrong", line or self.stream.current.lineno, tag, opened)


# The environment


class _Generator(CodeGenerator):
    """Jinja's, which reckons nothing before a card is there, and joins texts within a bound."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData | nodes.Const):
            raise nodes.Impossible
        return super()._output_child_to_const(node, frame, finalize)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.join_texts((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")


class _Environment(ImmutableSandboxedEnvironment):
    code_generator_class = _Generator
    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "**", "%"])

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return _Parser(self, source, name, filename).parse()

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        """Refuse unknown filters and tests, also where Jinja leaves them until they are used."""
        for node in source.find_all((nodes.Filter, nodes.Test)):
            if isinstance(node, nodes.Filter) and node.name not in self.filters:
                raise FilterError("filter", node.name, node.lineno)
            if isinstance(node, nodes.Test) and node.name not in self.tests:
                raise FilterError("test", node.name, node.lineno)
        return super()._generate(source, *args, **kwargs)

    def _compile(self, source: str, filename: str) -> CodeType:
        """Compile what was generated; what Python thinks of its style concerns nobody."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return super()._compile(source, filename)
            except (SyntaxError, ValueError, OverflowError) as error:
                reason = error.msg if isinstance(error, SyntaxError) else str(error)
                raise TemplateSyntaxError(reason, 1) from error

    def join_texts(self, parts: Iterable[Any]) -> str:
        """Return texts as one; generated code calls it."""
        texts = list(map(str, parts))
        check_length(sum(map(len, texts)))
        joined = "".join(texts)
        check_shown(joined)
        return joined

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None
        _check_format(str(value.__self__))
        return _refuse_addresses(wrapped)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Refuse an operation before it is tried if its result would not fit in memory."""
        for one in (left, right):
            if type(one) is int and one.bit_length() > _MOST_BITS:
                raise ValueError("a number of too many digits")
        if operator == "%" and isinstance(left, str):
            _check_format(left)
        if operator == "+" and isinstance(left, str | list | tuple):
            check_length(len(left))
        if operator == "**" and _count_digits(left, right) > MOST_DIGITS:
            raise ValueError(f"a power of more than {MOST_DIGITS:,} digits")
        if operator == "*":
            for whole, times in ((left, right), (right, left)):
                if isinstance(whole, str | list | tuple) and isinstance(times, int):
                    check_length(len(whole) * times)
        result = super().call_binop(context, operator, left, right)
        if operator == "%" and isinstance(result, str):
            check_shown(result)
        return result

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if isinstance(obj, str | int) and attr in _GROWING:
            return False
        return super().is_safe_attribute(obj, attr, value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is Record:
            try:
                return obj._values[attribute]
            except KeyError:
                return Unknown(obj=obj, name=attribute)
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if type(obj) is Record:
            return self.getattr(obj, hide_addresses(str(argument)))
        return super().getitem(obj, argument)


def check_length(length: int) -> None:
    """Refuse a text that is too long."""
    if length > MOST_LETTERS:
        raise ValueError(f"it makes a text of more than {MOST_LETTERS:,} letters")


def check_shown(text: str) -> None:
    """Refuse a text that shows where in memory something lies, which differs from run to run."""
    if MARK_OF_ADDRESS in text and (found := _ADDRESS.search(text)):
        raise ValueError(f"it prints a {found[1]}, which is no text")


def _refuse_addresses(make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that is refused what it would show by where in memory it lies.

    What it gets is looked at too, for it may change the address until nobody knows it.
    """
    first = 1 if hasattr(make, "jinja_pass_arg") else 0

    @wraps(make)
    def make_text(*values: Any, **named: Any) -> Any:
        for value in (*values[first:], *named.values()):
            if type(value) not in _WITHOUT_ADDRESS:
                check_shown(str(value))
        result = make(*values, **named)
        if isinstance(result, str):
            check_shown(result)
        return result

    return make_text


def hide_addresses(text: str) -> str:
    """Return a text that names what it would show by where in memory it lies."""
    return _ADDRESS.sub(r"a \1", text) if MARK_OF_ADDRESS in text else text


def _check_format(template: str) -> None:
    if _WIDTH.search(template):
        raise ValueError("a format with so wide a field")


def _count_digits(base: Any, exponent: Any) -> float:
    """Return about how many digits a power of whole numbers has."""
    if not isinstance(base, int) or not isinstance(exponent, int) or abs(base) < 2:
        return 0
    return float(base.bit_length()) * exponent * 0.302 if exponent > 0 else 0


def _center(value: str, width: int = 80) -> str:
    check_length(width)
    return do_center(value, width)


def _format(value: str, *args: Any, **kwargs: Any) -> str:
    _check_format(str(value))
    return do_format(value, *args, **kwargs)


def _batch(values: Iterable[Any], count: int, fill: Any = None) -> Iterator[list[Any]]:
    _check_parts(count)
    return do_batch(values, count, fill)


def _slice(values: Collection[Any], count: int, fill: Any = None) -> Iterator[list[Any]]:
    _check_parts(count)
    return sync_do_slice(values, count, fill)


@pass_eval_context
def _join(*values: Any, **named: Any) -> str:
    text = sync_do_join(*values, **named)
    check_shown(text)
    return text


def _check_parts(count: int) -> None:
    if count > MAX_RANGE:
        raise ValueError(f"it makes more than {MAX_RANGE:,} parts")


@pass_environment
def _sum(
    environment: _Environment,
    values: Iterable[Any],
    attribute: str | int | None = None,
    start: float = 0,
) -> float:
    """Add numbers alone: to add lists takes time by the square, in one step of Python."""
    if not isinstance(start, int | float):
        raise TypeError("sum begins with a number")
    total: float = sync_do_sum(environment, values, attribute, start)
    return total


def format_signed(value: Any) -> str:
    """Return a number with its sign: +5, −15, 0."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"signed needs a number, not {shorten(hide_addresses(repr(value)))}")
    if not value:
        return "0"
    size = (
        str(abs(value)) if isinstance(value, int) else f"{abs(value):.6f}".rstrip("0").rstrip(".")
    )
    return f"+{size}" if value > 0 else f"{MINUS}{size}"


def write_value(value: Any, between: str | None = None) -> str:
    """Return whatever a field holds as one text: the parts of a list or a mapping one after the
    other, and nothing for what is true, which its name says alone.
    """
    if not isinstance(value, list | tuple | dict):
        return "" if value is None or value is True else str(_show_value(value))
    parts = _write_parts(value)
    if between is None:
        between = " "
        if not all(part.endswith(_SENTENCE_ENDS) for part in parts):
            sign = _find_separator(value)
            parts = [*(_end_part(part, sign) for part in parts[:-1]), *parts[-1:]]
    check_length(sum(map(len, parts)) + len(parts) * len(between))
    return between.join(parts)


def is_sentence(value: Any) -> bool:
    """Whether what a field holds is a sentence or more, and no word or two with a point behind."""
    return _ends_as_sentence(write_value(value))


def _ends_as_sentence(text: str) -> bool:
    ends = text.rstrip(_CLOSING).endswith(_SENTENCE_ENDS)
    return ends and len(text.split()) >= _FEWEST_WORDS


def _write_parts(value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> list[str]:
    """Return the parts of a list or a mapping that say anything."""
    if isinstance(value, dict):
        said = ((key, part) for key, part in value.items() if part not in (None, False))
        return [f"{key} {write_value(part)}".strip() for key, part in said]
    texts = ("true" if part is True else write_value(part) for part in value)
    return [text for text in texts if text]


def _find_separator(value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> str:
    """Return what parts end in before the next: more where parts have parts."""
    own = value.values() if isinstance(value, dict) else value
    nested = any(isinstance(part, list | tuple | dict) and len(part) > 1 for part in own)
    return ";" if nested else ","


def _end_part(part: str, sign: str) -> str:
    """Return a part as it stands before the next: a sentence has its end already."""
    return part if _ends_as_sentence(part) else part + sign


# An "if" without "else" is nothing; what is unknown, and a record, say themselves what is wrong.
_PRINTED = (int, float, Undefined, Record)
_WITHOUT_ADDRESS = (int, float, bool, NoneType, Unknown, Record)
_PARTED = (list, tuple, dict)  # what has parts, and is no text


def _show_value(value: Any) -> Any:
    """Return what is printed: none is nothing, and truth is written as attributes have it."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return ("false", "true")[value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"it prints {value}, which is no number")
    if isinstance(value, _PARTED):
        raise NoTextError(value)
    if not isinstance(value, _PRINTED):
        raise TypeError(f"it prints a {type(value).__name__}, which is no text")
    return value


ENVIRONMENT = _Environment(
    undefined=Unknown,
    finalize=_show_value,
    autoescape=False,
    keep_trailing_newline=True,
    optimized=False,
)
ENVIRONMENT.filters["signed"] = format_signed
ENVIRONMENT.filters["written"] = _refuse_addresses(write_value)
ENVIRONMENT.filters["t"] = translate_word
ENVIRONMENT.filters["label"] = label_field
ENVIRONMENT.filters["batch"] = _batch
ENVIRONMENT.filters["center"] = _center
ENVIRONMENT.filters["format"] = _format
ENVIRONMENT.filters["join"] = _join
ENVIRONMENT.filters["slice"] = _slice
ENVIRONMENT.filters["sum"] = _sum
ENVIRONMENT.tests["file"] = is_file
ENVIRONMENT.tests["icon"] = is_icon
ENVIRONMENT.tests["sentence"] = is_sentence
for _name in _TEXTUAL:
    ENVIRONMENT.filters[_name] = _refuse_addresses(ENVIRONMENT.filters[_name])
# What differs from run to run would make two builds of a deck differ.
del ENVIRONMENT.filters["random"]
del ENVIRONMENT.globals["lipsum"]


def make_context(values: Mapping[str, Any]) -> Context:
    """Return the context in which the expressions of one card are evaluated."""
    return Context(ENVIRONMENT, {**ENVIRONMENT.globals, **values}, None, {})


def extend_context(context: Context, values: Mapping[str, Any]) -> Context:
    """Return a context that knows further names, those of a loop."""
    inner = Context.__new__(Context)
    # What else a context holds is the same, and dear to make.
    own = {"parent": {**context.parent, **values}, "vars": {}, "exported_vars": set()}
    inner.__dict__ = {**context.__dict__, **own}
    return inner
