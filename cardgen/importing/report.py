"""Writes what an import found as text, as JSON and as a page of HTML.

Each card with the lines that it came from, each doubt, and all that was left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from cardgen.core.errors import count, shorten
from cardgen.core.shown import show_line
from cardgen.deck.model import Value
from cardgen.importing.importer import Imported
from cardgen.importing.merging.notes import format_notes, list_notes
from cardgen.importing.model import Answer, Candidate, Doubt, LeftOut, Place, SourceLine

REPORTS = (".txt", ".json", ".html")
_MOST_QUOTED = 100
_NEAR = 3  # lines, empty ones between paragraphs counted
_WHOLE = "the deck as a whole"


def format_report(imported: Imported, *, lines: bool = False) -> str:
    """Return a line for each card, its doubts below it; with `lines` also what it came from."""
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
        shown.append(count(card.count_words(), "word"))
        parts.append(f"{number:>3}. {', '.join(shown)}")
        parts.append(f"     {show_lines(card)}, {card.sure:.0%} sure: {'; '.join(card.reasons)}")
        parts += [f"     ? {doubt.what}" for doubt in card.doubts]
        parts += [f"     = {answer.doubt.what}: {answer.said}" for answer in card.answers]
        if lines:
            parts += [f"     | {line.text}" for line in card.lines]
    if imported.left_out:
        parts.append("left out:")
        parts += [
            f"     {place}: {why}: {text}"
            for place, why, text in _shorten(imported.left_out, lines)
        ]
    if imported.deck_doubts or imported.deck_answers:
        parts.append(f"{_WHOLE}:")
        parts += _list_deck_doubts(imported)
    parts += format_notes(imported.notes)
    return "\n".join(map(show_line, parts))


def _list_deck_doubts(imported: Imported) -> Iterator[str]:
    yield from (f"     ? {doubt.what}" for doubt in imported.deck_doubts)
    yield from (f"     = {answer.doubt.what}: {answer.said}" for answer in imported.deck_answers)


def show_lines(card: Candidate) -> str:
    """Return where a card was found, as "article.txt:12-18", and where again."""
    last = card.lines[-1].place
    place = str(card.place)
    if last.line != card.place.line:
        place = place.replace(f":{card.place.line}", f":{card.place.line}-{last.line}", 1)
    again = ", ".join(str(lines[0].place) for lines in card.again)
    return f"{place}, again at {again}" if again else place


def _shorten(left_out: Iterable[LeftOut], whole: bool) -> Iterator[tuple[str, str, str]]:
    """Yield the lines left out; those that follow one another for one reason are one entry."""
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
    """Return the report with every line of the source, in the form of a file's suffix."""
    if suffix == ".json":
        return format_json(imported)
    if suffix == ".html":
        return format_page(imported)
    return format_report(imported, lines=True) + "\n"


def format_json(imported: Imported) -> str:
    return json.dumps(make_data(imported), indent=2, ensure_ascii=False) + "\n"


def _list_lines(lines: Iterable[SourceLine]) -> list[dict[str, Any]]:
    return [{**_place_data(line.place), "text": line.text} for line in lines]


def make_data(imported: Imported) -> dict[str, Any]:
    """Return the report as plain data; `card`, or `part`, is what the deck was given."""
    return {
        "files": list(imported.files),
        f"{imported.noun}s": [
            {
                imported.noun: dict(values),
                "sure": round(card.sure, 3),
                "look": card.is_doubtful,
                "reasons": list(card.reasons),
                "doubts": _list_doubts(card.doubts),
                "answers": _list_answers(card.answers),
                "lines": _list_lines(card.lines),
                "again": [_list_lines(lines) for lines in card.again],
            }
            for card, values in zip(imported.cards, imported.values, strict=True)
        ],
        "left_out": [
            {**_place_data(left.place), "why": left.why, "text": left.text}
            for left in imported.left_out
        ],
        "doubts": _list_doubts(imported.deck_doubts),
        "answers": _list_answers(imported.deck_answers),
        "merge": list_notes(imported.notes),
    }


def _list_doubts(doubts: Iterable[Doubt]) -> list[dict[str, Any]]:
    return [{"what": doubt.what, "sure": doubt.sure, "kind": doubt.kind} for doubt in doubts]


def _list_answers(answers: Iterable[Answer]) -> list[dict[str, Any]]:
    return [{"doubt": answer.doubt.what, "said": answer.said} for answer in answers]


def _place_data(place: Place) -> dict[str, Any]:
    return {"file": place.file, "page": place.page, "line": place.line}


# As a page of HTML: the source on the left, the cards on the right, and what was left out between

_STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 75em; color: #222; }
table { border-collapse: collapse; width: 100%; }
td { vertical-align: top; padding: .5em .8em; border-top: 1px solid #ccc; width: 50%; }
.place { color: #777; font-size: 85%; } .out { color: #777; }
.look { background: #fff3d6; } .doubt { color: #8a4b00; }
h2 { font-size: 110%; margin: 0; } p { margin: .3em 0; }
"""


def format_page(imported: Imported) -> str:
    """Return the whole page; nothing in it is loaded from elsewhere."""
    title = escape(", ".join(imported.files))
    copies = sum(card.count for card in imported.cards)
    found = f"{count(len(imported.cards), 'design')}, {count(copies, 'card')}"
    if imported.noun == "part":
        found = count(len(imported.cards), "part")
    doubtful = len(imported.list_doubtful())
    order = {file: number for number, file in enumerate(imported.files)}

    def locate(entry: tuple[Place, str]) -> tuple[int, int, int]:
        place = entry[0]
        return order.get(place.file, len(order)), place.page or 0, place.line

    rows = [
        *_list_cards(zip(imported.cards, imported.values, strict=True)),
        *_list_left_out(imported.left_out),
    ]
    body = "\n".join(row for _, row in sorted(rows, key=locate))
    notes = "\n".join(map(escape, format_notes(imported.notes)))
    merge = f"<pre>{notes}</pre>\n" if notes else ""
    whole = _format_doubts(imported.deck_doubts, imported.deck_answers)
    whole = f"<section><h2>{_WHOLE.capitalize()}</h2>{whole}</section>\n" if whole else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p>{found}, {doubtful} to look at.</p>\n{whole}{merge}"
        f"<table>\n{body}\n</table></body></html>\n"
    )


def _list_cards(
    cards: Iterable[tuple[Candidate, Mapping[str, Value]]],
) -> Iterator[tuple[Place, str]]:
    for card, values in cards:
        lines = "<br>".join(
            f'<span class="place">{escape(str(line.place.line))}</span> {escape(line.text)}'
            for line in card.lines
        )
        again = "".join(
            f'<p class="place">again at {escape(str(lines[0].place))}</p>' for lines in card.again
        )
        fields = ", ".join(
            f"{escape(key)} {escape(_show(value))}"
            for key, value in values.items()
            if key not in ("name", "text")
        )
        text = "".join(f"<p>{escape(p)}</p>" for p in str(values.get("text", "")).split("\n\n"))
        doubts = _format_doubts(card.doubts, card.answers)
        look = ' class="look"' if card.is_doubtful else ""
        why = escape(f"{card.sure:.0%} sure: {'; '.join(card.reasons)}")
        yield (
            card.place,
            f'<tr{look}><td><p class="place">{escape(str(card.place))}</p>{lines}{again}</td>'
            f"<td><h2>{escape(str(values['name']))}</h2><p>{fields}</p>{text}{doubts}"
            f'<p class="place">{why}</p></td></tr>',
        )


def _format_doubts(doubts: Iterable[Doubt], answers: Iterable[Answer]) -> str:
    shown = [f'<p class="doubt">? {escape(doubt.what)}</p>' for doubt in doubts]
    shown += [
        f'<p class="place">= {escape(answer.doubt.what)}: {escape(answer.said)}</p>'
        for answer in answers
    ]
    return "".join(shown)


def _show(value: Value) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {part}" for key, part in value.items())
    return str(value)


def _list_left_out(left_out: Iterable[LeftOut]) -> Iterator[tuple[Place, str]]:
    for text, place, why in left_out:
        yield (
            place,
            f'<tr class="out"><td><span class="place">{place.line}</span> {escape(text)}</td>'
            f"<td>left out: {escape(why)}</td></tr>",
        )
