"""Opens a file at a line in the editor that somebody uses.

Editors with an address of their own are opened by the browser; the one that the environment names
is started here.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from urllib.parse import quote

from cardgen.core.errors import CardgenError

# What each editor is called, and its address.
_ADDRESSES = {
    "vscode": ("Visual Studio Code", "vscode://file{path}:{line}:{column}"),
    "vscodium": ("VSCodium", "vscodium://file{path}:{line}:{column}"),
    "cursor": ("Cursor", "cursor://file{path}:{line}:{column}"),
    "zed": ("Zed", "zed://file{path}:{line}:{column}"),
    "jetbrains": ("IntelliJ IDEA", "idea://open?file={path}&line={line}&column={column}"),
    "textmate": ("TextMate", "txmt://open?url=file://{path}&line={line}&column={column}"),
}
_VARIABLES = ("CARDGEN_EDITOR", "VISUAL", "EDITOR")
# How editors are told a line; those that need a terminal have none here.
_WITH_COLON = ("code", "codium", "cursor", "zed", "subl", "atom", "hx")
_IN_TERMINALS = ("vi", "vim", "nvim", "nano", "pico", "hx", "ed", "micro", "joe", "mcedit", "ne")


def list_editors() -> list[tuple[str, str]]:
    """Return the editors that may be chosen, each with what it is called."""
    found = [(name, title) for name, (title, _) in _ADDRESSES.items()]
    command = _find_command()
    return [("", command[0]), *found] if command else found


def find_address(editor: str, path: Path, line: int, column: int) -> str | None:
    """Return the address at which an editor opens a file; None if it has none."""
    if editor not in _ADDRESSES:
        return None
    _, pattern = _ADDRESSES[editor]
    place = quote(path.as_posix())
    return pattern.format(path=place if place[:1] == "/" else f"/{place}", line=line, column=column)


def open_editor(path: Path, line: int) -> None:
    """Start the editor that the environment names."""
    command = _find_command()
    if not command:
        raise CardgenError(
            "studio/no-editor",
            "no editor is named that opens a window of its own",
            hint='name one in the environment, as CARDGEN_EDITOR="code"; or choose another here',
        )
    name = Path(command[0]).stem.lower()
    place = [f"{path}:{line}"] if name in _WITH_COLON else [f"+{line}", str(path)]
    if name in ("code", "codium", "cursor"):
        place = ["--goto", *place]
    try:
        subprocess.Popen(
            [*command, *place],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise CardgenError(
            "studio/editor-not-started",
            f'the editor "{command[0]}" does not start: {error.strerror}',
            hint="name another one in the environment, as CARDGEN_EDITOR",
            details={"command": command[0]},
        ) from error


def _find_command() -> list[str]:
    """Return the words of the command that the environment names; none if it needs a terminal."""
    for variable in _VARIABLES:
        try:
            words = shlex.split(os.environ.get(variable, ""))
        except ValueError:
            continue
        if words and Path(words[0]).stem.lower() not in _IN_TERMINALS:
            return words
    return []
