"""A job as a deck for Tabletop Simulator: which card is where on which picture, and what it says.

Part of build: it knows the way from cards to the saved object. Writes nothing.
"""

from __future__ import annotations

from pathlib import Path

from cardgen.build.job import Job
from cardgen.build.overview import list_table_faces
from cardgen.core.units import CARD_SIZES
from cardgen.deck.model import Card
from cardgen.output.tts import Sheet, Table, TableCard, write_table
from cardgen.pages.sheets.tabletop import TableSheet, arrange_sheets
from cardgen.text.markup import parse_markup

# The field that says what a card does, in the decks that have one.
TEXT = "text"


def name_table_pictures(job: Job) -> list[str]:
    """The names of the pictures, in the order of their pages."""
    return [name for pair in _name_pairs(job, _arrange(job)) for name in pair]


def make_table(job: Job, folder: Path) -> tuple[str, bytes]:
    """The name and content of the object; it names the pictures by where they lie."""
    _, which = list_table_faces(job.copies, job.faces)
    arranged = _arrange(job)
    places = [(n, at) for n, sheet in enumerate(arranged) for at in range(len(sheet.fronts))]
    sheets = tuple(
        Sheet(
            (folder.resolve() / front).as_uri(),
            (folder.resolve() / back).as_uri(),
            sheet.columns,
            sheet.rows,
            not sheet.has_one_back,
        )
        for sheet, (front, back) in zip(arranged, _name_pairs(job, arranged), strict=True)
    )
    cards = []
    for copy, number in zip(job.copies, which, strict=True):
        card = job.deck.cards[copy.design]
        cards.append(TableCard(f"{card.id} {copy.number}", card.name, _tell(card), *places[number]))
    size = job.faces.format.size
    scale = round(max(size) / max(CARD_SIZES["poker"]), 3)
    lies = size.width > size.height
    deck = job.deck
    table = Table(deck.title, deck.description, scale, lies, sheets, tuple(cards))
    return f"{deck.name}.json", write_table(table)


def _arrange(job: Job) -> tuple[TableSheet, ...]:
    found, _ = list_table_faces(job.copies, job.faces)
    return arrange_sheets(job.faces.format.size, found, job.target)


def _name_pairs(job: Job, sheets: tuple[TableSheet, ...]) -> list[tuple[str, str]]:
    width = len(str(len(sheets)))
    return [
        (
            f"{job.deck.name}-faces-{number:0{width}}.png",
            f"{job.deck.name}-{'back' if sheet.has_one_back else 'backs'}-{number:0{width}}.png",
        )
        for number, sheet in enumerate(sheets, 1)
    ]


def _tell(card: Card) -> str:
    """What a card says, without its markup: the game shows it beside the card."""
    text = card.fields.get(TEXT)
    if not isinstance(text, str):
        return ""
    lines: list[str] = []
    for paragraph in parse_markup(text):
        if lines and not paragraph.follows_break:
            lines.append("")
        lines.append("".join(span.text or f"({span.icon})" for span in paragraph.spans).strip())
    return "\n".join(lines)
