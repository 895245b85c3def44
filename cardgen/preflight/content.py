"""Content streams read into their operators, with operands of Python.

Most streams are written plainly, and are read here at once; whatever else, as inline images,
comments and damage, is left to pikepdf. Both ways give the same. Knows nothing of what operators
mean.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from cardgen.preflight.keeping import Keeper
from cardgen.preflight.objects import find_value, list_array, list_filters, read_number, unpack_name

# An operator and its operands. A name is a str with its slash, empty where its bytes are no text;
# what is shown as text is bytes, Words, or a list of bytes and numbers. After BI stands the image,
# after BLOCK a Block.
Instruction = tuple[str, Sequence[Any]]

_SPACE = rb"[\x00\t\n\x0c\r ]"
_AHEAD = rb"(?=[\x00\t\n\x0c\r /\[\]()<])"
_NUMBER = rb"-?(?:[0-9]{1,9}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})" + _AHEAD
_NAME = rb"/[A-Za-z0-9_.+-]+" + _AHEAD
_STRING = rb"\([^()\\\r]*+(?:\\(?:[nrtbf()\\]|[0-3][0-7][0-7])[^()\\\r]*+)*+\)"
_HEX = rb"<(?:[0-9A-Fa-f]{2})*+>"
_SHOWN = rb"(?:" + rb"|".join((_NUMBER, _STRING, _HEX)) + rb")"
_ARRAY = rb"\[" + _SPACE + rb"*+(?:" + _SHOWN + _SPACE + rb"*+)*+\]"
_TABLE = rb"<<(?:[A-Za-z0-9/_. \n-]|" + _HEX + rb")*+>>"
_OPERAND = rb"(?:" + rb"|".join((_NUMBER, _NAME, _STRING, _TABLE, _HEX, _ARRAY)) + rb")"
_END = rb"(?![^\x00\t\n\x0c\r /\[(<])"
_STATEMENT: Final = re.compile(
    rb"(" + _SPACE + rb"*+(?:" + _OPERAND + _SPACE + rb"*+)*+)([A-Za-z]+[01*]?+|['\"])" + _END
)
_OPERANDS: Final = re.compile(_OPERAND)
_SHOWNS: Final = re.compile(rb"(" + _NUMBER + rb")|(" + _STRING + rb"|" + _HEX + rb")")
_ESCAPE: Final = re.compile(rb"\\([nrtbf()\\]|[0-7]{3})")
_ESCAPED: Final = dict(zip(b"nrtbf()\\", b"\n\r\t\b\f()\\", strict=True))
# A line of text as most programs write it: where it begins, and words with kerns between them.
_MOVE: Final = re.compile(
    rb"(-?(?:[0-9]{1,9}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})) "
    rb"(-?(?:[0-9]{1,9}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})) Td"
)
_WORD: Final = re.compile(rb"\(([^()\\\r]*+(?:\\(?:[nrtbf()\\]|[0-3][0-7][0-7])[^()\\\r]*+)*+)\)")
BLOCK: Final = "q Q"  # no operator: it stands for a whole line
_LONGEST_KERN = 9
_LONGEST_CHUNK = 2_000
_MOST_UNESCAPED = 4_096
_MOST_KERNS = 4_096
_NOTHING: Final = ()
_MOST_KEPT = 300_000
_MOST_LINES = 30
_TEXT_SIZE: Final = re.compile(rb"/TextSize ([0-9.]{1,12})\b")
_MOST_BYTES = 50_000_000
MOST_OPERATORS = 1_000_000
_SHOWING: Final = frozenset(("Tj", "TJ", "'", '"'))
_TAGGING: Final = frozenset(("BDC", "DP"))
# The operators that take so many numbers and nothing else; None where they take other things.
# Where that is not so, pikepdf has a look.
_COUNTS: Final = (
    (0, b"q Q f F f* S s B B* b b* n h W W* BT ET T* EMC BX EX"),
    (1, b"w J j M i g G Tc Tw Tz TL Ts Tr"),
    (2, b"m l Td TD"),
    (3, b"rg RG"),
    (4, b"v y re k K"),
    (6, b"c cm Tm"),
    (None, b"gs ri d cs CS sc SC scn SCN sh Do Tf Tj TJ ' \" BMC BDC MP DP d0 d1"),
)
_KNOWN: Final = {sign: (sign.decode(), count) for count, signs in _COUNTS for sign in signs.split()}

# Those that a block is made of.
_PAINTING = b"q Q cm w J j M i d gs g G rg RG k K m l c v y h re f F f* S s B B* b b* n W W* Do"
_BLOCK_OPERATORS: Final = frozenset(sign.decode() for sign in _PAINTING.split())
# All operators that there are, those of inline images as pikepdf gives them.
OPERATORS: Final = frozenset(name for name, _ in _KNOWN.values()) | {"BI"}


class TooMuchError(Exception):
    """A content stream holds more than is read."""


class Tag(NamedTuple):
    """What a dictionary in a content stream says: whether it tells a text, and of which size."""

    has_text: bool
    size: float


class Block(NamedTuple):
    """A line that paints shapes and objects and leaves the state as it was."""

    line: bytes
    instructions: list[Instruction]


class Words(NamedTuple):
    """An array of texts that is shown.

    kerns: the numbers before each text and after the last, as they stand in the file; empty where
        there is none
    kern: all of them together
    """

    texts: list[bytes]
    kerns: list[bytes]
    kern: float

    def list_items(self) -> list[Any]:
        """Return texts and numbers in their order."""
        items: list[Any] = []
        for at, kern in enumerate(self.kerns):
            if kern:
                items.append(float(kern) + 0.0)
            items += self.texts[at : at + 1]
        return items


class ContentReader:
    """Reads content streams; lines that many of them share are read once."""

    def __init__(self) -> None:
        self.lines: Keeper[bytes, list[Instruction]] = Keeper(_MOST_KEPT)

    def read(self, thing: Any) -> Sequence[Instruction]:
        """Return the operators of a page or of a stream; what pikepdf cannot read is its error."""
        data = _read_data(thing)
        found = None if data is None else self.parse(data)
        if found is None:
            parsed = pikepdf.parse_content_stream(thing)
            _limit(len(parsed))
            found = [_unpack(instruction) for instruction in parsed]
        return found

    def parse(self, data: bytes) -> list[Instruction] | None:
        """Return the operators of a content that is written plainly; None for any other."""
        found: list[Instruction] = []
        ahead: list[bytes] = []  # lines that end within a text or a statement
        *pieces, rest = data.split(b"]TJ\n")
        for piece in pieces:
            # What stands between two lines of text is much the same on many pages.
            head, _, line = piece.rpartition(b"\n")
            shown = None if ahead else _parse_words(line)
            before = None if shown is None else self._read_chunk(head)
            if shown is not None and before is not None:
                found += before
                found += shown
            elif not self._read_lines(piece + b"]TJ", found, ahead):
                return None
            _limit(len(found))
        known = None if ahead else self._read_chunk(rest)
        if known is not None:
            found += known
        elif not self._read_lines(rest, found, ahead):
            return None
        _limit(len(found))
        return None if ahead else found

    def _read_chunk(self, lines: bytes) -> list[Instruction] | None:
        """Return the operators of some lines; None where they are long, or their end is open."""
        if not lines:
            return []
        if len(lines) > _LONGEST_CHUNK:
            return None
        known = self.lines.find(lines)
        if known is not None:
            return known
        found: list[Instruction] = []
        ahead: list[bytes] = []
        if not self._read_lines(lines, found, ahead) or ahead:
            return None
        if b"\n" in lines and b"(" not in lines:
            self.lines.keep(lines, found, len(lines) + 1)
        return found

    def _read_lines(self, data: bytes, found: list[Instruction], ahead: list[bytes]) -> bool:
        """Add the operators of lines, and to `ahead` those whose end is still to come; return
        whether they can be read here.
        """
        for line in data.split(b"\n"):
            if ahead:
                whole = b"\n".join((*ahead, line))
                parsed = _parse_words(whole[:-3]) if whole[-3:] == b"]TJ" else None
                parsed = parsed or _parse(whole)
            elif line[-3:] != b"]TJ" or (parsed := _parse_words(line[:-3])) is None:
                parsed = self.lines.find(line)
                if parsed is None:
                    parsed = _parse(line)
                    if parsed is not None and b"(" not in line:
                        if _is_block(parsed):
                            parsed = [(BLOCK, (Block(line, parsed),))]
                        self.lines.keep(line, parsed, len(line) + 1)
            if parsed is not None:
                found += parsed
                ahead.clear()
                _limit(len(found))
            elif len(ahead) < _MOST_LINES:
                ahead.append(line)
            else:
                return False
        return True


def _limit(operators: int) -> None:
    if operators > MOST_OPERATORS:
        raise TooMuchError(f"more than {MOST_OPERATORS:,} operators")


def _read_data(thing: Any) -> bytes | None:
    """Return the content of a page or of a stream; None where it is packed otherwise than usual."""
    if isinstance(thing, Stream):
        return _read_plain(thing)
    parts = [_read_plain(part) for part in list_array(find_value(thing, "/Contents"))]
    whole = [part for part in parts if part is not None]
    return b"\n".join(whole) if whole and len(whole) == len(parts) else None


def _read_plain(stream: Any) -> bytes | None:
    if not isinstance(stream, Stream) or find_value(stream, "/DecodeParms") is not None:
        return None
    filters = list_filters(stream)
    if filters not in ([], ["FlateDecode"]):
        return None
    data = bytes(stream.read_raw_bytes())
    if not filters:
        return data
    opened = zlib.decompressobj()
    try:
        whole = opened.decompress(data, _MOST_BYTES)
    except zlib.error:
        return None
    if opened.unconsumed_tail:
        raise TooMuchError(f"more than {_MOST_BYTES:,} bytes of content")
    return whole if opened.eof and not opened.unused_data else None


def _is_block(instructions: Sequence[Instruction]) -> bool:
    """Whether a line saves the state, paints, and restores it at its end."""
    if len(instructions) < 3 or instructions[0][0] != "q" or instructions[-1][0] != "Q":
        return False
    depth = 0
    for at, (name, _) in enumerate(instructions):
        if name not in _BLOCK_OPERATORS or (at and not depth):
            return False
        depth += (name == "q") - (name == "Q")
    return not depth


def _parse_words(line: bytes) -> list[Instruction] | None:
    """Return the operators of a line of text that is written as usual, without its end "]TJ"; None
    for any other.
    """
    head, begun, array = line.partition(b"[")
    moved = _MOVE.fullmatch(head)
    if not begun or (head and moved is None):
        return None
    parts = _WORD.split(array)
    kerns = parts[0::2]
    try:
        kern = sum(map(_KERNS.__getitem__, kerns))
    except ValueError:
        return None
    texts = parts[1::2]
    if b"\\" in array:
        texts = [_unescape_text(text) if b"\\" in text else text for text in texts]
    shown: Instruction = ("TJ", (Words(texts, kerns, kern),))
    if moved is None:
        return [shown]
    return [("Td", (float(moved[1]) + 0.0, float(moved[2]) + 0.0)), shown]


class _Kerns(dict[bytes, float]):
    """What the numbers between texts come to, as they stand in the file: 0 where there is none, a
    ValueError where there is anything else.
    """

    def __missing__(self, given: bytes) -> float:
        if given.translate(None, b"-.0123456789") or len(given) > _LONGEST_KERN:
            raise ValueError
        if len(self) >= _MOST_KERNS:
            self.clear()
        self[given] = kern = float(given) if given else 0.0
        return kern


_KERNS: Final = _Kerns()


@lru_cache(_MOST_UNESCAPED)
def _unescape_text(text: bytes) -> bytes:
    return _ESCAPE.sub(_unescape, text)


def _parse(data: bytes) -> list[Instruction] | None:
    """Return the operators of some whole statements; None where there is anything else."""
    data = data.rstrip(b"\x00\t\n\x0c\r ")
    found: list[Instruction] = []
    read = 0
    while read < len(data):
        _limit(len(found))
        match = _STATEMENT.match(data, read)
        known = match and _KNOWN.get(match[2])
        if not match or not known:
            return None
        read = match.end()
        given = match[1]
        name, count = known
        if count == 0:
            if given.strip(b"\x00\t\n\x0c\r "):
                return None
            found.append((name, _NOTHING))
        elif count is not None:
            try:
                numbers = _list_numbers(given)
            except ValueError:
                return None
            if len(numbers) != count:
                return None
            found.append((name, numbers))
        else:
            operands = [_read_operand(token) for token in _OPERANDS.findall(given)]
            if name not in _TAGGING and any(isinstance(value, Tag) for value in operands):
                return None
            found.append((name, operands))
    return found


def _list_numbers(given: bytes) -> list[float]:
    numbers = list(map(float, given.split()))
    if b"-0" in given:  # as a whole number it has no sign
        return [
            number or (number if b"." in text else 0.0)
            for number, text in zip(numbers, given.split(), strict=True)
        ]
    return numbers


def _read_operand(token: bytes) -> Any:
    """Return a number, a name, a text, an array, or the tag that a dictionary is."""
    first = token[:1]
    if first == b"/":
        return token.decode("ascii")
    if first == b"(":
        text = token[1:-1]
        return _ESCAPE.sub(_unescape, text) if b"\\" in text else text
    if first == b"[":
        shown: list[Any] = []
        for number, text in _SHOWNS.findall(token):
            if number:
                shown.append(float(number) if number[:2] != b"-0" else _read_operand(number))
            elif text[:1] == b"(" and b"\\" not in text:
                shown.append(text[1:-1])
            else:
                shown.append(_read_operand(text))
        return shown
    if first == b"<":
        return (
            _read_tag(token) if token[:2] == b"<<" else bytes.fromhex(token[1:-1].decode("ascii"))
        )
    return _list_numbers(token)[0]


def _read_tag(token: bytes) -> Tag:
    size = _TEXT_SIZE.search(token)
    return Tag(b"/ActualText" in token, float(size[1]) if size else 0.0)


def _unescape(match: re.Match[bytes]) -> bytes:
    sign = match[1]
    return bytes((int(sign, 8) if len(sign) == 3 else _ESCAPED[sign[0]],))


def _unpack(instruction: Any) -> Instruction:
    if isinstance(instruction, pikepdf.ContentStreamInlineImage):
        return "BI", (instruction.iimage,)
    name = str(instruction.operator)
    operands: list[Any] = list(instruction.operands)
    if name in _SHOWING and operands:
        operands[-1] = _unpack_shown(operands[-1])
    if name in _TAGGING and isinstance(operands[-1], Dictionary):
        given = operands[-1]
        operands[-1] = Tag("/ActualText" in given, read_number(given, "/TextSize"))
    return name, [_unpack_sign(value) for value in operands]


def _unpack_shown(value: Any) -> Any:
    if isinstance(value, Array):
        return [bytes(item) if isinstance(item, String) else item for item in list(value)]
    return bytes(value) if isinstance(value, String) else value


def _unpack_sign(value: Any) -> Any:
    if not isinstance(value, Name):
        return value
    name = unpack_name(value)
    return f"/{name}" if name else ""
