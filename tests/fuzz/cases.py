"""A case: the files of a small project and the commands that are run in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BUILDS: tuple[tuple[str, ...], ...] = (
    ("check", "decks/deck.yaml"),
    ("build", "decks/deck.yaml"),
)


@dataclass(frozen=True, slots=True)
class Case:
    """A project that a stranger may send.

    files: by their paths in the project's folder
    links: symbolic links, with what they name
    pipes: named pipes, into which nobody writes
    commands: what is run, one after the other
    seconds: of the processor that all of it may take, where they are fewer than usual
    """

    files: Mapping[str, bytes]
    commands: tuple[tuple[str, ...], ...] = BUILDS
    links: tuple[tuple[str, str], ...] = ()
    pipes: tuple[str, ...] = ()
    seconds: int | None = None

    def write(self, folder: Path) -> None:
        """Write the files; one whose name no file can have is left out."""
        for name, content in self.files.items():
            path = folder / name
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            except (OSError, ValueError):
                continue
        for name, target in self.links:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(target)
        for name in self.pipes:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            os.mkfifo(path)


def make_deck_case(cards: str, body: str, head: str = "", attributes: str = "") -> Case:
    """Return a deck of these cards with a template of this body."""
    deck = f"template: plain\n{head}cards:\n{cards}"
    attributes = attributes or 'size="50mm x 40mm"'
    template = f"<template {attributes}>\n{body}\n</template>\n"
    return Case({"decks/deck.yaml": deck.encode(), "templates/plain.xml": template.encode()})
