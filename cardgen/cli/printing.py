"""The one printer of what commands say: control characters are shown, and never sent to a terminal,
and what is one line stays one, whatever a file is called.
"""

from __future__ import annotations

import os
import re

import click

from cardgen.core.shown import show_controls, show_line

# Stands before and behind what is printed in a colour; no text of a stranger's can know it.
_MARK = os.urandom(8).hex()
_PAINTED = re.compile(f"{_MARK}(\\w+) (.*?){_MARK}", re.DOTALL)


def say(line: str, *, err: bool = False) -> None:
    """Print one line."""
    say_lines(show_line(line), err=err)


def say_lines(text: str, *, err: bool = False) -> None:
    """Print a text of several lines, with control characters as \\x1b."""
    shown = show_controls(text)
    if _MARK in shown:
        shown = _PAINTED.sub(lambda found: click.style(found[2], fg=found[1]), shown)
    click.echo(shown, err=err)


def paint(text: str, colour: str) -> str:
    """Return a text that is printed in a colour, where that can be seen."""
    return f"{_MARK}{colour} {text}{_MARK}"
