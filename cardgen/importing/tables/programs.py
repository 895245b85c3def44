"""Reads the lists and objects that stand written out in a program, which is not run.

Many who write a game keep its cards in its source. What a program works out, as by a function, is
no value: the key that has it is left out, and told of. Knows nothing of what the keys mean.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Where, list_some, shorten
from cardgen.importing.model import LeftOut, Place
from cardgen.importing.reading.kinds import Kind
from cardgen.importing.tables.entries import DEEPEST
from cardgen.importing.tables.json import parse_json

_MEND = "let the program print its list of cards as JSON, and import that"
_MOST_TOLD = 12  # keys
_MOST_STEPS = 20  # so often a token is looked at, at most, where nothing is written out
_TOKEN = re.compile(
    r"""\s+|//[^\n]*|/\*.*?(?:\*/|\Z)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)
    |(?P<number>0[xX][0-9a-fA-F]+|(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][-+]?\d+)?)
    |(?P<name>[\w$]+)
    |(?P<sign>\.\.\.|=>|[=!]==?|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.S)
_ESCAPED = dict(zip("nrtbfv0", "\n\r\t\b\f\v\0", strict=True)) | {"\n": ""}
_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
# What marks a text that is to be translated; so do names of few letters, as t("Sword").
_MARKERS = ("gettext", "ngettext", "i18n", "translate", "dedent", "html")
_LONGEST_MARKER = 3
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ENDS = (",", ";", ")", "]", "}")


class _Unwritten(Exception):
    """What stands here is worked out by the program."""


class _Token(NamedTuple):
    kind: str
    text: str


class Written(NamedTuple):
    """What stands written out in a program, by its names; what stands alone is that.

    lost: how often which key has a value that the program works out
    """

    tree: Any
    lost: Mapping[str, int]

    def list_lost(self, file: str) -> list[LeftOut]:
        """Return which keys are left out, in one line."""
        if not self.lost:
            return []
        told = [
            shorten(key) + (f" ({times} times)" if times > 1 else "")
            for key, times in self.lost.items()
        ]
        why = "values that the program works out"
        return [LeftOut(list_some(told, _MOST_TOLD), Place(file, 1), why)]


def read_program(text: str, kind: Kind, file: str) -> Written:
    """Return the lists and objects of a source; a script may be nothing but data in JSON."""
    if kind == "python":
        return parse_python(text, file)
    try:
        return Written(parse_json(text, file), {})
    except CardgenError:
        return parse_script(text, file)


def parse_script(text: str, file: str) -> Written:
    """Return the lists and objects of a source in JavaScript or TypeScript."""
    script = _Script(text, file)
    return Written(_name_values(list(script.list_values()), file), script.lost)


def parse_python(text: str, file: str) -> Written:
    """Return the lists and dictionaries of a source in Python."""
    lost: Counter[str] = Counter()
    try:
        with warnings.catch_warnings(action="ignore"):  # of backslashes
            tree = ast.parse(text)
        found = [
            (target.id, _read_python(node.value, lost, 0))
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name)
            and isinstance(node.value, ast.List | ast.Dict | ast.Tuple)
        ]
    except SyntaxError as error:
        told = f"this is no Python: {error.msg}"
        where = Where(file, error.lineno, error.offset)
        raise CardgenError("import/broken-json", told, where, _MEND) from None
    except (ValueError, RecursionError, MemoryError):
        raise _refuse_depth(file) from None
    return Written(_name_values(found, file), lost)


def _name_values(found: Sequence[tuple[str, Any]], file: str) -> Any:
    named: dict[str, Any] = {}
    times: Counter[str] = Counter()
    for name, value in found:
        if value:
            key = name
            while key in named:
                times[name] += 1
                key = f"{name}{times[name] + 1}"
            named[key] = value
    if not named:
        raise CardgenError(
            "import/no-cards",
            "there is no list of cards written out in this program",
            Where(file),
            _MEND,
        )
    return next(iter(named.values())) if len(named) == 1 else named


def _refuse_depth(file: str) -> CardgenError:
    return CardgenError(
        "import/broken-json", "this program is nested too deeply", Where(file), _MEND
    )


class _Script:
    """Walks through the tokens of a script."""

    def __init__(self, text: str, file: str) -> None:
        self._file = file
        self._tokens = [
            _Token(match.lastgroup, match[0]) for match in _TOKEN.finditer(text) if match.lastgroup
        ]
        self._at = 0
        self.lost: Counter[str] = Counter()
        self._lost_here: Counter[str] = Counter()  # of the value that is read
        self._steps = _MOST_STEPS * len(self._tokens)

    def list_values(self) -> Iterator[tuple[str, Any]]:
        """Yield the lists and objects that are given to a name, or stand behind a default."""
        declared, at = "", 0
        while at < len(self._tokens):
            kind, text = self._tokens[at]
            if text in ("const", "let", "var"):
                declared = self._peek(at + 1)
            elif text == ";":
                declared = ""
            at += 1
            if text != "=" and (kind, text) != ("name", "default"):
                continue
            if self._peek(at) in ("[", "{"):
                self._at = at
                self._lost_here = Counter()
                try:
                    value = self._read_value(0)
                except _Unwritten:
                    continue
                self.lost.update(self._lost_here)
                yield declared or self._name_target(at - 2), value
                declared, at = "", self._at

    def _name_target(self, at: int) -> str:
        """Return what a value is called that is given to `deck.cards` or to `cards["sword"]`."""
        named = [token for token in self._tokens[max(at - 1, 0) : at + 1] if token.kind != "sign"]
        if not named or self._peek(at) == "export":
            return "cards"
        return _unquote(named[-1].text) if named[-1].kind == "text" else named[-1].text

    def _peek(self, at: int) -> str:
        return self._tokens[at].text if at < len(self._tokens) else ""

    @property
    def _next(self) -> str:
        return self._peek(self._at)

    def _take(self) -> _Token:
        if self._at >= len(self._tokens) or self._steps <= 0:
            raise _Unwritten
        self._at += 1
        self._steps -= 1
        return self._tokens[self._at - 1]

    def _read_value(self, depth: int) -> Any:
        """Return what is written out here, up to the sign that ends it."""
        if depth > DEEPEST:
            raise _refuse_depth(self._file)
        value = self._read_term(depth)
        while self._next == "+":
            self._take()
            value = _add(value, self._read_term(depth))
        if self._next in ("as", "satisfies"):
            self._skip()
        if self._at < len(self._tokens) and self._next not in _ENDS and depth:
            self._skip()
            raise _Unwritten
        return value

    def _read_term(self, depth: int) -> Any:
        kind, text = self._take()
        if kind == "text":
            return _read_text(text)
        if kind == "number":
            return _read_number(text)
        if text == "-":
            kind, text = self._take()
            if kind != "number":
                raise _Unwritten
            return -_read_number(text)
        if text == "[":
            return self._read_list(depth)
        if text == "{":
            return self._read_object(depth)
        if kind == "name" and text != "function":
            return self._read_name(text, depth)
        self._at -= 1
        self._skip()
        raise _Unwritten

    def _read_name(self, text: str, depth: int) -> Any:
        """Return a constant, the last word of `Rarity.RARE`, or what a maker of cards is given."""
        if text == "new":
            text = self._take().text
        if text in _CONSTANTS and self._next != ".":
            return _CONSTANTS[text]
        while self._next == ".":
            self._take()
            text = self._take().text
        if self._next.startswith("`"):
            return _read_text(self._take().text)
        if _is_marker(text) and self._is_given_text():
            self._at += 3
            return _read_text(self._peek(self._at - 2))
        if self._next != "(":
            return text.replace("_", " ").capitalize() if text.isupper() else text
        begin = self._at
        if self._peek(begin + 1) == "{":
            self._at = begin + 2
            value = self._read_object(depth)
            if self._next == ")":
                self._take()
                return value
            self._at = begin
        self._skip_pair()
        raise _Unwritten

    def _is_given_text(self) -> bool:
        """Tell whether one text stands here in brackets."""
        given = self._tokens[self._at : self._at + 3]
        return [token.kind for token in given] == ["sign", "text", "sign"] and (
            given[0].text + given[2].text == "()"
        )

    def _read_list(self, depth: int) -> list[Any]:
        found = []
        while self._next != "]":
            if self._next == ",":
                self._take()
                continue
            begin = self._at
            try:
                found.append(self._read_value(depth + 1))
            except _Unwritten:
                self._skip()
                self._lost_here[self._name_lost(begin)] += 1
            if self._next not in (",", "]"):
                raise _Unwritten
        self._take()
        return found

    def _read_object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self._next != "}":
            kind, text = self._take()
            if text == ",":
                continue
            if text == "[":  # a key that a constant names
                named = [token for token in self._skip_to("]") if token.kind != "sign"]
                kind, text = named[-1] if named else ("sign", "")
            key = _unquote(text) if kind == "text" else text
            if kind == "sign" or self._next != ":":
                self._lost_here[self._name_lost(self._at - 1)] += 1
                self._skip()
                if self._next not in (",", "}"):
                    raise _Unwritten
                continue
            self._take()
            try:
                value = self._read_value(depth + 1)
            except _Unwritten:
                self._skip()
                self._lost_here[key] += 1
            else:
                found[key] = value
            if self._next not in (",", "}"):
                raise _Unwritten
        self._take()
        return found

    def _name_lost(self, at: int) -> str:
        """Return what stands here for values that are worked out, as `...more` or `make`."""
        return self._peek(at) + (self._peek(at + 1) if self._peek(at) in ("...", "new") else "")

    def _skip(self) -> None:
        """Go on to the sign that ends what stands here."""
        while self._next not in _ENDS:
            if self._next in _PAIRS:
                self._skip_pair()
            else:
                self._take()

    def _skip_pair(self) -> None:
        """Go on behind what a bracket opens."""
        waits = [_PAIRS[self._take().text]]
        while waits:
            text = self._take().text
            if text in _PAIRS:
                waits.append(_PAIRS[text])
            elif text == waits[-1]:
                waits.pop()

    def _skip_to(self, end: str) -> list[_Token]:
        begin = self._at
        while self._take().text != end:
            pass
        return self._tokens[begin : self._at - 1]


def _add(one: Any, other: Any) -> str:
    if not isinstance(one, str) or not isinstance(other, str | int | float):
        raise _Unwritten
    return f"{one}{other}"


def _is_marker(name: str) -> bool:
    return len(name) <= _LONGEST_MARKER or name in _MARKERS


def _read_text(text: str) -> str:
    if text[0] == "`" and "${" in text:
        raise _Unwritten
    return _unquote(text)


def _unquote(text: str) -> str:
    said = _ESCAPE.sub(_read_escape, text[1:-1])
    # A sign may be written as two halves; one alone is none.
    return said.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def _read_escape(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _ESCAPED.get(match[4], match[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 else ""


def _read_number(text: str) -> int | float:
    plain = text.replace("_", "")
    try:
        return int(plain, 0) if plain[:2] in ("0x", "0X") or plain.isdecimal() else float(plain)
    except ValueError:  # with more digits than Python reads, or a nought in front
        return float(plain)


def _read_python(node: ast.expr, lost: Counter[str], depth: int) -> Any:
    """Return what an expression says; the last word of a name, and what a maker is given by key."""
    if depth > DEEPEST:
        raise RecursionError
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str | int | float) else None
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [_read_python(one, lost, depth + 1) for one in node.elts]
    if isinstance(node, ast.Dict):
        keys = (key and _read_python(key, lost, depth + 1) for key in node.keys)
        return _read_pairs(zip(keys, node.values, strict=True), lost, depth)
    if isinstance(node, ast.Call):
        maker = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        maker = node.func.id if isinstance(node.func, ast.Name) else maker
        if len(node.args) == 1 and not node.keywords and _is_marker(maker):
            return _read_python(node.args[0], lost, depth + 1)
        if not node.keywords:
            return None
        named = [(one.arg, one.value) for one in node.keywords]
        return _read_pairs([*enumerate(node.args), *named], lost, depth)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _read_python(node.operand, lost, depth + 1)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, ast.Attribute | ast.Name):
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        return name.replace("_", " ").capitalize() if name.isupper() else name
    return None


def _read_pairs(
    pairs: Iterable[tuple[Any, ast.expr]], lost: Counter[str], depth: int
) -> dict[str, Any]:
    """Return the values by their keys; what has no key is a mapping that is put in, as `**MORE`."""
    found: dict[str, Any] = {}
    for key, node in pairs:
        if key is None:
            lost[f"**{ast.unparse(node)}"] += 1
            continue
        value = _read_python(node, lost, depth + 1)
        if value is None and not isinstance(node, ast.Constant):
            lost[str(key)] += 1
        else:
            found[str(key)] = value
    return found
