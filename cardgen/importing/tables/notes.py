"""Reads files of one card each: texts whose heads, in YAML or TOML, say what the cards have.

A head's keys are fields; the name is what it calls so, the heading that the text begins with, or
the name of the file. Knows nothing of what texts mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.importing.column_names import find_field
from cardgen.importing.finding.names import fold
from cardgen.importing.finding.recognise import recognise_notes
from cardgen.importing.model import NOTE, Block, Candidate, Place, Recognised, Styled
from cardgen.importing.reading.sources import Source, decode
from cardgen.importing.reading.text import read_line, read_text_blocks
from cardgen.importing.tables.json import flatten
from cardgen.importing.tables.records import Columns, Record, Records, read_cards
from cardgen.importing.tables.trees import parse_tree

_HEAD = re.compile(
    r"\A\s*(---|\+\+\+)[ \t]*\n(.*?)^(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)
_SUFFIXES = (".md", ".markdown", ".txt")
_MOST_BYTES = 50_000
_LOWEST = 6  # level of a heading


class Note(NamedTuple):
    """A text that may be one card: what its head says, and its lines below a heading, its name."""

    head: Mapping[str, Value]
    blocks: tuple[Block, ...]

    @property
    def name(self) -> str:
        return self.blocks[0].text


def may_be_notes(files: Sequence[str | Path]) -> bool:
    """Whether files are several short texts, by their names and sizes."""
    paths = [Path(file) for file in files]
    return len(paths) > 1 and all(
        path.suffix.lower() in _SUFFIXES and path.is_file() and path.stat().st_size < _MOST_BYTES
        for path in paths
    )


def read_notes(sources: Sequence[Source], columns: Columns) -> Recognised | None:
    """Return the card of each text; None where these are no notes of one card each."""
    notes = [note for source in sources if (note := _read_note(source))]
    if len(notes) < len(sources) or not (found := recognise_notes([n.blocks for n in notes])):
        return None
    meant = {key: find_field(key) for note in notes for key in note.head}
    first = next((key for key, field in meant.items() if field == "name"), "name")
    aside = "text" in meant.values()
    bodies = {card.place.file: card for card in found.cards}
    records = []
    for note in notes:
        place = note.blocks[0].place
        values: dict[str, Value] = {**note.head}
        if not aside:
            values["text"] = bodies[place.file].text or None
        values[first] = note.head.get(first) or note.name
        records.append(Record(values, place))
    told = read_cards(Records(tuple(records), ()), columns, sources[0].name)
    cards = (_join(card, bodies[card.place.file], aside=aside) for card in told.cards)
    return found._replace(
        cards=tuple(cards),
        left_out=(*told.left_out, *found.left_out),
        deck_doubts=told.deck_doubts,
    )


def _read_note(source: Source) -> Note | None:
    """Return a text with a head, or below a heading; None where it has none of both."""
    text, head = decode(source).replace("\r\n", "\n"), {}
    if match := _HEAD.match(text):
        above = "\n" * text[: match.start(2)].count("\n")
        tree = parse_tree(above + match[2], "toml" if match[1] == "+++" else "yaml", source.name)
        head = flatten(tree) if isinstance(tree, dict) else {}
        text = "\n" * match[0].count("\n") + text[match.end() :]
    blocks = read_text_blocks(text, source.name)
    if not match and not (blocks and blocks[0].kind == "heading"):
        return None
    first = blocks[0] if blocks and blocks[0].kind == "heading" else None
    called = next((str(head[key]) for key in head if find_field(key) == "name" and head[key]), "")
    name = read_line(called).text.strip() or (first.text if first else PurePath(source.name).stem)
    if first and fold(first.text) == fold(name):
        blocks = blocks[1:]
    title = Block(Styled.of(name), Place(source.name, 1), "heading", 1, 1, mark=NOTE)
    return Note(head, (title, *map(_lower, blocks)))


def _lower(block: Block) -> Block:
    """Return a heading within a text as one below its name."""
    return replace(block, level=min(block.level + 1, _LOWEST)) if block.level else block


def _join(card: Candidate, body: Candidate, *, aside: bool) -> Candidate:
    """Return the card of a head with what its text says.

    aside: whether heads have texts of their own
    """
    known = {"name", *(key for key, _ in card.other)}
    said = {
        key: getattr(card, key) or getattr(body, key)
        for key in ("cost", "who", "uses", "kind", "rank", "ranks")
    }
    return replace(
        card,
        lines=(*card.lines, *body.lines[1:]),
        reasons=("a text of its own",),
        count=max(card.count, body.count),
        paragraphs=(*card.paragraphs, *body.paragraphs) if aside else body.paragraphs,
        other=(*card.other, *((key, value) for key, value in body.other if key not in known)),
        doubts=(*card.doubts, *(doubt for doubt in body.doubts if doubt.kind != "no-effect")),
        **said,
    )
