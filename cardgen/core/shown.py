"""Texts of strangers as they are shown: control characters are written out, and never sent to a
terminal, where they colour, move the cursor or turn letters round.
"""

from __future__ import annotations

import re

_CONTROL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def show_controls(text: str) -> str:
    """Return a text in which control characters are written out; its lines stay lines."""
    return text if text.isprintable() else _CONTROL.sub(_write_out, text)


def show_line(text: str) -> str:
    """Return a text as one line, with the ends of lines and control characters written out."""
    return text if text.isprintable() else show_controls(text).replace("\n", "\\n")


def _write_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
