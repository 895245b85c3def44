"""The command line: gathers the commands, and turns errors into messages and exit codes.

What is slow to import is imported by the command that needs it.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import click

from cardgen.cli.build import build
from cardgen.cli.calibrate import calibrate
from cardgen.cli.decks import check, list_, show
from cardgen.cli.diff import diff
from cardgen.cli.explain import explain
from cardgen.cli.failures import explain_end
from cardgen.cli.importing import import_
from cardgen.cli.new import new
from cardgen.cli.preflight import preflight
from cardgen.cli.printing import say
from cardgen.cli.problems import print_problems
from cardgen.cli.schema import schema
from cardgen.cli.stock import fonts, icons, targets, templates
from cardgen.cli.studio import studio
from cardgen.cli.translate import translate
from cardgen.core.failures import FAILURES
from cardgen.core.shown import show_controls

COMMANDS: tuple[click.Command, ...] = (
    new,
    build,
    studio,
    list_,
    show,
    check,
    diff,
    import_,
    translate,
    preflight,
    calibrate,
    targets,
    templates,
    fonts,
    icons,
    schema,
    explain,
)


# What people give who mean another option, or a key of the deck.
_MEANT = {
    "--template": "A deck names its template in its file: template: NAME.",
    "--back": "A deck names its back in its file: back: NAME.",
    "--paper": "Did you mean --target, as in --target a4?",
    "-t": "Did you mean --target?",
    "-o": "Did you mean --out?",
}
# What other programs call the commands, where the nearest name would be another one.
_COMMANDS = {
    **dict.fromkeys(("export", "make", "render", "pdf", "print", "compile", "generate"), "build"),
    **dict.fromkeys(("init", "create", "start"), "new"),
    **dict.fromkeys(("serve", "preview", "open", "edit", "gui", "ui"), "studio"),
    **dict.fromkeys(("validate", "lint", "verify"), "check"),
    **dict.fromkeys(("watch", "-w"), "build --watch"),
    **dict.fromkeys(("help", "man"), "--help"),
    "decks": "list",
    "version": "--version",
}
# So many new objects are made before the collector looks for cycles among them.
_COLLECTS_AFTER = 200_000


class _Group(click.Group):
    """Turns what the user can mend into a message and exit code 1; a bug keeps its traceback."""

    def main(self, *args: Any, **settings: Any) -> Any:
        try:
            return super().main(*args, **settings)
        except FAILURES as error:  # the help cannot be written
            print_problems(explain_end(error))
            sys.exit(1)
        except SystemExit as end:
            _leave(end)
            raise

    def make_context(self, *args: Any, **settings: Any) -> click.Context:
        with _showing_controls():
            return super().make_context(*args, **settings)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(context, name) is None and _is_deck(name):
            context.fail(f"'{name}' is a deck, not a command. Did you mean 'build {name}'?")
        if name in _COMMANDS:
            context.fail(f"No such command '{name}'. Did you mean '{_COMMANDS[name]}'?")
        return super().resolve_command(context, args)

    def invoke(self, context: click.Context) -> object:
        from cardgen.core.budget import limit_memory, watch
        from cardgen.core.errors import CardgenError
        from cardgen.core.process import is_command

        if is_command():
            limit_memory()
            # Loading modules and reading decks leaves no cycles that are worth so many walks.
            gc.set_threshold(_COLLECTS_AFTER)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                # A terminal that lacks a letter shows another; it is no reason to stop.
                stream.reconfigure(errors="replace")
        _listen_for_the_end()
        try:
            with watch(print_problems):
                with _showing_controls():
                    result = super().invoke(context)
                if sys.stdout is not None:  # as where it is closed
                    sys.stdout.flush()
                return result
        except (CardgenError, *FAILURES) as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # nobody wants the rest
            print_problems(explain_end(error))
            context.exit(1)
        except KeyboardInterrupt:
            say("stopped; files written before are as they were", err=True)
            context.exit(1)


@contextmanager
def _showing_controls() -> Iterator[None]:
    """Write out control characters in what click says of the command line."""
    try:
        yield
    except click.UsageError as error:
        message = error.format_message()
        if isinstance(error, click.NoSuchOption) and error.option_name in _MEANT:
            raise click.UsageError(
                f"{error.message} {_MEANT[error.option_name]}", error.ctx
            ) from None
        if (shown := show_controls(message)) == message:
            raise
        raise click.UsageError(shown, error.ctx) from None


def _leave(end: SystemExit) -> None:
    """End the command without taking apart what it holds, piece by piece, for the system frees all
    at once: that takes Python as long as some cards take. What is to be done at the end is done.
    """
    from cardgen.core.process import is_command

    if not is_command() or not isinstance(end.code, int) or threading.active_count() > 1:
        return
    with suppress(OSError, ValueError):  # of a stream that is full or closed Python tells
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        atexit._run_exitfuncs()
        os._exit(end.code)


def _listen_for_the_end() -> None:
    """Clear away what is half done when another program, or a terminal that closes, ends this."""

    def end(sign: int, _: object) -> None:
        raise SystemExit(128 + sign)

    for name in ("SIGTERM", "SIGHUP"):
        sign = getattr(signal, name, None)  # not every system has both
        if sign is not None and signal.getsignal(sign) is signal.SIG_DFL:
            with suppress(ValueError):  # as in a thread of another program
                signal.signal(sign, end)


def _is_deck(name: str) -> bool:
    from cardgen.core.errors import CardgenError
    from cardgen.core.library import Library

    try:
        Library(Path.cwd()).get_deck(name)
    except CardgenError:
        return False
    return True


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from cardgen.core.version import VERSION

        say(f"cardgen {VERSION}")
        context.exit()


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    """Turn decks of cards and play sheets into PDF pages to print and cut.

    A DECK is the name of one (see `cardgen list`) or the path of a file.
    """


for command in COMMANDS:
    main.add_command(command)
