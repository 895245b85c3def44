"""New decks: an empty one, or one out of a file that somebody drops on the page.

What is clicked is known by `pointing.py`; the deck is written as `cardgen import` writes it. Each
is a task of a process, as `painter.py` has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from cardgen.build.try_sizes import find_fit, list_lacking
from cardgen.core.errors import CardgenError
from cardgen.importing.importer import Imported
from cardgen.importing.merging.record import format_record, name_record
from cardgen.importing.merging.update import make_deck
from cardgen.importing.model import Doubt, SourceLine
from cardgen.importing.pictures import take_pictures
from cardgen.importing.trial import set_pictures_aside, try_cards
from cardgen.importing.write import format_deck
from cardgen.output.files import check_writable, placing, write_file
from cardgen.studio.packing import Data, pack_problem
from cardgen.studio.pointing import (
    Click,
    Text,
    lay_down,
    list_lines,
    list_names,
    name_place,
    take_clicks,
)

_UNSAFE = re.compile(r"[^\w. -]")
_LONGEST = 80


def write_empty(out: Path, title: str, template: str, _: object) -> str:
    """Write a deck of one card, which is there to be changed; return its name."""
    _check_free(out)
    text = format_deck(title, [{"name": title}], {"template": template})
    write_file(out, text.encode())
    return out.stem


def look_into(text: Text, clicks: Sequence[Click], _: object) -> Data:
    """Return what is found in a file as the clicks make it, and all lines of it."""
    answered = take_clicks(text, clicks)
    names = list_names(text)
    told: Data = {
        "alike": answered.alike,
        "problems": [pack_problem(problem) for problem in answered.problems],
        "guesses": [guess._asdict() for guess in answered.guesses],
    }
    if answered.reviewed is None:
        lines = (_pack_line(line, names) for line in list_lines(text))
        return {**told, "cards": [], "doubts": [], "source": list(lines)}
    imported = answered.reviewed.imported
    doubts = Counter(doubt.key for card in imported.cards for doubt in card.doubts)
    return {
        **told,
        "cards": [
            {
                "at": key,
                "card": dict(values),
                "look": card.is_doubtful,
                "doubts": [_pack_doubt(doubt, doubts[doubt.key]) for doubt in card.doubts],
                "begins": name_place(card.place),
            }
            for key, card, values in zip(
                answered.keys, imported.cards, imported.values, strict=True
            )
        ],
        "doubts": [_pack_doubt(doubt, 1) for doubt in imported.deck_doubts],
        "source": _list_source(imported, answered.keys, names),
    }


def _pack_doubt(doubt: Doubt, times: int) -> Data:
    told = {"what": doubt.what, "kind": doubt.kind, "details": dict(doubt.details)}
    return {**told, "key": doubt.key, "times": times}


def _list_source(imported: Imported, keys: Sequence[str], names: Mapping[str, str]) -> list[Data]:
    """Return all lines in their order: those of cards, and those that were left out."""
    found = [
        (line.place, {**_pack_line(line, names), "card": key})
        for key, card in zip(keys, imported.cards, strict=True)
        for lines in (card.lines, *card.again)
        for line in lines
    ]
    found += [
        (one.place, {**_pack_line(SourceLine(one.place, one.text), names), "why": one.why})
        for one in imported.left_out
    ]
    return [line for _, line in sorted(found, key=lambda one: one[0].order)]


def _pack_line(line: SourceLine, names: Mapping[str, str]) -> Data:
    at = name_place(line.place)
    return {"at": at, "text": line.text, "card": None, "why": None, "name": names.get(at)}


def write_found(text: Text, clicks: Sequence[Click], out: Path, title: str, _: object) -> str:
    """Write a deck of what is found in a file; return its name."""
    _check_free(out)
    answered = take_clicks(text, clicks)
    if answered.reviewed is None:
        raise CardgenError.of(answered.problems)
    reviewed, here = answered.reviewed, out.absolute()
    with lay_down(text):
        taken = take_pictures(reviewed.imported, here)
    with placing(taken.files):
        imported, _hints = set_pictures_aside(taken.imported, title, out, list_lacking)
        tried = try_cards(imported, title, out, find_fit)
        made = make_deck(title, reviewed._replace(imported=tried.imported), tried.head)
        assert made.data is not None
        write_file(out, made.data)
        write_file(name_record(out), format_record(made.record).encode())
    return out.stem


def _check_free(out: Path) -> None:
    if out.exists():
        raise CardgenError(
            "studio/deck-exists",
            f"{out} exists",
            hint="give the new deck another name",
            details={"path": out.as_posix()},
        )
    check_writable(out)


def name_text(name: str, data: bytes) -> Text:
    """Return a file that was dropped, under a name that leads nowhere."""
    return Text(name_safely(name), data)


def name_safely(name: str) -> str:
    """Return the name of a file that was dropped so that it leads nowhere."""
    return _UNSAFE.sub("_", Path(name).name)[-_LONGEST:].lstrip(". ") or "file.txt"
