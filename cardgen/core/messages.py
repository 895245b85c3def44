"""The catalogue of messages: for each code of a problem its cause, its cure and an example.

Reads assets/messages/, one file for each area. The messages themselves stand where they arise;
docs/messages.md shows both together.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field

from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME
from cardgen.core.names import describe_unknown

FOLDER = HOME / "assets" / "messages"
_END = re.compile(r"(?<=[.?!])\s")


@dataclass(frozen=True, slots=True)
class Entry:
    """The catalogue's entry for one code.

    example: what the program prints in such a case, as it prints it
    details: what `cardgen check DECK --json` holds for such a problem, and what each of it means
    """

    code: str
    cause: str
    cure: str
    example: str
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def area(self) -> str:
        return self.code.partition("/")[0]

    @property
    def summary(self) -> str:
        """The first sentence of the cause."""
        return _END.split(self.cause, maxsplit=1)[0]


def read_entries() -> dict[str, Entry]:
    """Return every entry by its code, in the order of the codes."""
    entries: dict[str, Entry] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        with path.open("rb") as file:
            tables = tomllib.load(file)
        for name in sorted(tables):
            code = f"{path.stem}/{name}"
            entries[code] = _make_entry(code, **tables[name])
    return entries


def get_entry(entries: Mapping[str, Entry], name: str) -> Entry:
    """Return the entry of a code; the area may be left out where no other has such a code."""
    if name in entries:
        return entries[name]
    same = [code for code in entries if code.partition("/")[2] == name]
    if len(same) == 1:
        return entries[same[0]]
    if same:
        raise CardgenError(
            "option/several-codes",
            f'"{name}" is the name of several codes',
            hint=f"write one of them: {', '.join(same)}",
            details={"name": name, "near": tuple(same)},
        )
    unknown = describe_unknown(name, entries)
    raise CardgenError(
        "option/unknown-code",
        f'unknown code "{name}"',
        hint=unknown.guess or "cardgen explain lists them all",
        details=unknown.details,
    )


def _make_entry(
    code: str, cause: str, cure: str, example: str, details: Mapping[str, str] | None = None
) -> Entry:
    return Entry(code, cause.strip(), cure.strip(), example.strip("\n"), details or {})
