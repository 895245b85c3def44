"""What an import found, as a page of HTML: the source on the left, the cards on the right.

What was left out stands between them, in its place, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape

from cardgen.deck.model import Value
from cardgen.importing.blocks import LeftOut, Place
from cardgen.importing.candidates import DOUBTFUL, Candidate
from cardgen.importing.importer import Imported
from cardgen.importing.merging.merge_notes import format_notes

_STYLE = """
body { font: 15px/1.45 sans-serif; margin: 2em auto; max-width: 75em; color: #222; }
table { border-collapse: collapse; width: 100%; }
td { vertical-align: top; padding: .5em .8em; border-top: 1px solid #ccc; width: 50%; }
.place { color: #777; font-size: 85%; } .out { color: #777; }
.look { background: #fff3d6; } .doubt { color: #8a4b00; }
h2 { font-size: 110%; margin: 0; } p { margin: .3em 0; }
"""


def format_page(imported: Imported) -> str:
    """The whole page; nothing in it is loaded from elsewhere."""
    title = escape(", ".join(imported.files))
    copies = sum(card.count for card in imported.cards)
    found = f"{len(imported.cards)} designs, {copies} cards"
    if imported.noun == "part":
        found = f"{len(imported.cards)} parts"
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
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n"
        f"<p>{found}, {doubtful} to look at.</p>\n{merge}"
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
        doubts = "".join(f'<p class="doubt">? {escape(doubt.what)}</p>' for doubt in card.doubts)
        doubts += "".join(
            f'<p class="place">= {escape(answer.doubt)}: {escape(answer.said)}</p>'
            for answer in card.answers
        )
        look = ' class="look"' if card.sure < DOUBTFUL else ""
        why = escape(f"{card.sure:.0%} sure: {'; '.join(card.reasons)}")
        yield (
            card.place,
            f'<tr{look}><td><p class="place">{escape(str(card.place))}</p>{lines}{again}</td>'
            f"<td><h2>{escape(str(values['name']))}</h2><p>{fields}</p>{text}{doubts}"
            f'<p class="place">{why}</p></td></tr>',
        )


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
