"""What an import found, as a text for people and as JSON for programs.

Each card with the lines that it came from, each doubt, and all that was left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cardgen.errors import shorten
from cardgen.importing.blocks import LeftOut, Place, SourceLine
from cardgen.importing.candidates import DOUBTFUL, Candidate
from cardgen.importing.importer import Imported
from cardgen.importing.merging.merge_notes import format_notes, list_notes

REPORTS = (".txt", ".json", ".html")
_MOST_QUOTED = 100
_NEAR = 3  # lines, empty ones between paragraphs counted


def format_report(imported: Imported, *, lines: bool = False) -> str:
    """A line for each card, its doubts below it; with `lines` also what it came from."""
    parts = []
    for number, (card, values) in enumerate(zip(imported.cards, imported.values, strict=True), 1):
        shown = [str(values["name"])]
        shown += [
            f"{key} {value}"
            for key, value in values.items()
            if key in ("count", "rank", "cost", "who", "uses")
        ]
        stats = values.get("stats")
        shown += (
            [f"{key} {value}" for key, value in stats.items()] if isinstance(stats, dict) else []
        )
        words = len(card.text.split())
        shown.append(f"{words} words")
        parts.append(f"{number:>3}. {', '.join(shown)}")
        parts.append(f"     {show_lines(card)}, {card.sure:.0%} sure: {'; '.join(card.reasons)}")
        parts += [f"     ? {doubt.what}" for doubt in card.doubts]
        parts += [f"     = {answer.doubt}: {answer.said}" for answer in card.answers]
        if lines:
            parts += [f"     | {line.text}" for line in card.lines]
    if imported.left_out:
        parts.append("left out:")
        parts += [
            f"     {place}: {why}: {text}"
            for place, why, text in _shorten(imported.left_out, lines)
        ]
    parts += format_notes(imported.notes)
    return "\n".join(parts)


def show_lines(card: Candidate) -> str:
    """Where a card was found, as "article.txt:12-18", and where again."""
    last = card.lines[-1].place
    place = str(card.place)
    if last.line != card.place.line:
        place = place.replace(f":{card.place.line}", f":{card.place.line}-{last.line}", 1)
    again = ", ".join(str(lines[0].place) for lines in card.again)
    return f"{place}, again at {again}" if again else place


def _shorten(left_out: Iterable[LeftOut], whole: bool) -> Iterator[tuple[str, str, str]]:
    """What was left out; lines that follow one another for one reason are one entry."""
    for lines in _gather_near(left_out):
        why = lines[0].why
        if whole:
            yield from ((str(line.place), why, line.text) for line in lines)
            continue
        first, last = lines[0].place, lines[-1].place
        place = f"{first.file}:{first.line}" + (f"-{last.line}" if last.line != first.line else "")
        yield place, why, shorten(" ".join(line.text for line in lines), _MOST_QUOTED)


def _gather_near(left_out: Iterable[LeftOut]) -> Iterator[list[LeftOut]]:
    group: list[LeftOut] = []
    for left in left_out:
        if group and (
            (left.place.file, left.place.page, left.why)
            != (group[-1].place.file, group[-1].place.page, group[-1].why)
            or left.place.line - group[-1].place.line > _NEAR
        ):
            yield group
            group = []
        group.append(left)
    if group:
        yield group


def write_report(imported: Imported, suffix: str) -> str:
    """The report with every line of the source, in the form that a file's suffix asks for."""
    if suffix == ".json":
        return format_json(imported)
    if suffix == ".html":
        from cardgen.importing.report_page import format_page

        return format_page(imported)
    return format_report(imported, lines=True) + "\n"


def format_json(imported: Imported) -> str:
    return json.dumps(make_data(imported), indent=2, ensure_ascii=False) + "\n"


def _list_lines(lines: Iterable[SourceLine]) -> list[dict[str, Any]]:
    return [{**_place_data(line.place), "text": line.text} for line in lines]


def make_data(imported: Imported) -> dict[str, Any]:
    """The report as plain data; `card`, or `part`, is what the deck was given."""
    return {
        "files": list(imported.files),
        f"{imported.noun}s": [
            {
                imported.noun: dict(values),
                "sure": round(card.sure, 3),
                "look": card.sure < DOUBTFUL,
                "reasons": list(card.reasons),
                "doubts": [{"what": doubt.what, "sure": doubt.sure} for doubt in card.doubts],
                "answers": [answer._asdict() for answer in card.answers],
                "lines": _list_lines(card.lines),
                "again": [_list_lines(lines) for lines in card.again],
            }
            for card, values in zip(imported.cards, imported.values, strict=True)
        ],
        "left_out": [
            {**_place_data(left.place), "why": left.why, "text": left.text}
            for left in imported.left_out
        ],
        "merge": list_notes(imported.notes),
    }


def _place_data(place: Place) -> dict[str, Any]:
    return {"file": place.file, "page": place.page, "line": place.line}
