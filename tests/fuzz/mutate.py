"""Mutations: bytes, tokens, structure, numbers and letters of the files of a case."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from cases import Case, make_deck_case
from grammar import make_elements, make_expression, make_text

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NUMBERS = (
    "0",
    "-1",
    "1",
    "2",
    "0.0001",
    "99999",
    "1e9",
    "1e400",
    "-0",
    "nan",
    "inf",
    "²",
    "٣",
    "1" * 30,
    "9" * 5000,
    "0x10",
    "1_000",
    "½",
    "1e-400",
    "2147483648",
    "3.4028236e38",
    "1/3",
)
_LETTERS = (
    "\u00ad",
    "\u200b",
    "\u202e",
    "\x1b[31m",
    "\x00",
    "\x07",
    "\x9b",
    "\ufeff",
    "\u2028",
    "\ud7ff",
    "א",
    "ش",
    "ก",
    "中",
    "🂡",
    "e\u0301" * 9,
    "\u0301",
    "ﬁ",
    "ß",
    "İ",
    "\t",
    "\r",
    "\x0b",
    "\u00a0",
    "\x7f",
    "\U000e0001",
    "|",
    "%",
    "{{",
    "}}",
    "{%",
    "*",
    "**",
    "_",
    "`",
    "[",
    "](",
    "#",
    "- ",
    "> ",
    ":sword:",
    "&amp;",
    "<",
    "&#0;",
    "'",
    '"',
    "\\",
    "~",
    ":",
    "!!",
    "&a ",
    "*a ",
    "? ",
    "/" * 9,
    "-" * 40,
)
_WORDS = (
    "null",
    "true",
    "~",
    "[]",
    "{}",
    "''",
    "..",
    "/",
    "/dev/zero",
    "../x",
    "a" * 300,
    "a/b",
    "CON",
    ".",
    "-",
    "*",
    "%s",
    "{place}",
    "{0}",
    "name",
    "count",
    "template",
    "cards",
    "extends",
    "back",
    "none",
)


_CARDS = """\
  - name: Sword
    text: It cuts
    cost: 3
    points: [1, 2]
    stats: {attack: 3}
    kind: black
  - name: Bow
    cost: null
"""


def mutate(case: Case, others: Sequence[Case], random: Random) -> Case:
    """Return a case in which a few things are changed."""
    if random.random() < 0.25:
        return _make_by_grammar(random)
    files = dict(case.files)
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        name = random.choice(sorted(files))
        files[name] = random.choice(_CHANGES)(files[name], random)
        if random.random() < 0.04:
            files[name] = _splice(files[name], random.choice(others), random)
        if random.random() < 0.02:
            files[name] = b""
    return replace(case, files=files)


def _make_by_grammar(random: Random) -> Case:
    body = (
        make_elements(random)
        if random.random() < 0.6
        else f"<text>{_escape(make_text(random))}</text>"
    )
    if random.random() < 0.1:
        body = f'<text if="{_escape(make_expression(random))}">x</text>'
    if "<use" in body:
        body += f"""<component name="one"><param name="p" default="x"/>{make_elements(random, 3)}
        <slot name="content"/></component><component name="two"><param name="p"/>
        {make_elements(random, 3)}<use component="{random.choice(("one", "two"))}" p="{{{{ p }}}}"/>
        </component>"""
    return make_deck_case(_CARDS, body)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _change_bytes(data: bytes, random: Random) -> bytes:
    if not data:
        return b"\x00"
    place, many = random.randrange(len(data)), random.choice((1, 1, 2, 8, 40))
    new = random.choice(
        (
            b"",
            bytes([random.randrange(256)]),
            random.randbytes(many),
            data[place : place + many] * 3,
        )
    )
    return data[:place] + new + data[place + random.choice((0, 1, many)) :]


def _with_text(change: Callable[[str, Random], str]) -> Callable[[bytes, Random], bytes]:
    def run(data: bytes, random: Random) -> bytes:
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return _change_bytes(data, random)
        return change(text, random).encode("utf-8", "surrogatepass")

    return run


def _change_tokens(text: str, random: Random) -> str:
    tokens = _TOKEN.findall(text) or [""]
    place, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    kind = random.randrange(5)
    if kind == 0:
        del tokens[place]
    elif kind == 1:
        tokens.insert(place, tokens[other])
    elif kind == 2:
        tokens[place], tokens[other] = tokens[other], tokens[place]
    elif kind == 3:
        tokens[place] = random.choice(_WORDS)
    else:
        tokens[place] *= random.choice((2, 3, 20, 400))
    return "".join(tokens)


def _change_lines(text: str, random: Random) -> str:
    lines = text.split("\n")
    place, other = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(5)
    if kind == 0:
        del lines[place : place + random.randint(1, 4)]
    elif kind == 1:
        lines.insert(place, lines[other])
    elif kind == 2:
        lines[place] = " " * random.randint(1, 4) + lines[place]
    elif kind == 3:
        lines[place] = lines[place].lstrip()
    else:
        lines[place : place + 3] = lines[place : place + 3] * random.choice((2, 10))
    return "\n".join(lines)


def _change_number(text: str, random: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    return text[: match.start()] + random.choice(_NUMBERS) + text[match.end() :]


def _change_letters(text: str, random: Random) -> str:
    place = random.randint(0, len(text))
    times = random.choice((1, 1, 1, 2, 50, 2000))
    return text[:place] + random.choice(_LETTERS) * times + text[place:]


def _change_expression(text: str, random: Random) -> str:
    """Put an expression in the place of another, or of a value in quotes."""
    found = list(re.finditer(r"\{\{.*?\}\}|(?<==\")[^\"]*(?=\")", text))
    if not found:
        return _change_tokens(text, random)
    match = random.choice(found)
    return (
        text[: match.start()]
        + "{{ "
        + _escape(make_expression(random))
        + " }}"
        + text[match.end() :]
    )


def _splice(data: bytes, other: Case, random: Random) -> bytes:
    """Return the beginning of one file with the end of another."""
    end = random.choice(sorted(other.files.values()))
    return data[: random.randint(0, len(data))] + end[random.randint(0, len(end)) :]


_CHANGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    _change_bytes,
    _with_text(_change_tokens),
    _with_text(_change_tokens),
    _with_text(_change_lines),
    _with_text(_change_number),
    _with_text(_change_number),
    _with_text(_change_letters),
    _with_text(_change_letters),
    _with_text(_change_expression),
)
