"""A file becomes a Deck: chooses the reader by the suffix. Knows nothing of the formats."""

from __future__ import annotations

from pathlib import Path

from cardgen.deck.check import check_deck
from cardgen.deck.markdown_reader import read_markdown
from cardgen.deck.model import Deck
from cardgen.deck.table import read_table
from cardgen.deck.yaml_reader import find_table, read_yaml
from cardgen.errors import CardgenError

_READERS = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".csv": read_table,
    ".xlsx": read_table,
    ".md": read_markdown,
}


def read_deck(path: Path) -> Deck:
    """Read a whole deck; everything that is wrong with it comes as one CardgenError."""
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise CardgenError(
            f'"{path}" is no deck file', hint=f"a deck ends in {', '.join(_READERS)}"
        )
    describing = _find_describing(path) if read is read_table else None
    return check_deck(read_yaml(describing) if describing else read(path))


def _find_describing(table: Path) -> Path | None:
    """The YAML beside a table that names it as its cards."""
    for suffix in (".yaml", ".yml"):
        beside = table.with_suffix(suffix)
        if beside.is_file():
            named = find_table(beside)
            if named is not None and Path(named) == Path(table.name):
                return beside
    return None
