"""The one printer of what commands say: control characters are shown, and never sent to a terminal.

A name, a text or a file of a stranger's may hold what colours a terminal, moves its cursor or turns
its letters round.
"""

from __future__ import annotations

import os
import re

import click

_CONTROL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
# Stands before and behind what is printed in a colour; no text of a stranger's can know it.
_MARK = os.urandom(8).hex()
_PAINTED = re.compile(f"{_MARK}(\\w+) (.*?){_MARK}", re.DOTALL)


def say(text: str, *, err: bool = False) -> None:
    """Print a text, with control characters as \\x1b."""
    shown = show_controls(text)
    if _MARK in shown:
        shown = _PAINTED.sub(lambda found: click.style(found[2], fg=found[1]), shown)
    click.echo(shown, err=err)


def paint(text: str, colour: str) -> str:
    """Return a text that is printed in a colour, where that can be seen."""
    return f"{_MARK}{colour} {text}{_MARK}"


def show_controls(text: str) -> str:
    """Return a text in which control characters are written out."""
    return text if text.isprintable() else _CONTROL.sub(_write_out, text)


def _write_out(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
