"""A plan as a deck for Tabletop Simulator: which card is where on which picture, and what it says.

Turns a plan into the saved object. Writes nothing.
"""

from __future__ import annotations

from cardgen.build.plan import Plan
from cardgen.core.geometry import Size
from cardgen.core.shape import Shape, ShapeName
from cardgen.core.units import CARD_SIZES
from cardgen.deck.model import Card
from cardgen.output.tts import Cut, Sheet, Table, TableCard, format_tables
from cardgen.pages.sheets.protocol import TableLayout
from cardgen.text.markup import Span, parse_markup

# The field that says what a card does, in the decks that have one.
TEXT = "text"
# What the game cuts out of a picture; of a path, which it does not know, the rest is transparent.
_CUTS: dict[ShapeName, Cut] = {
    "rectangle": "rounded",
    "rounded": "rounded",
    "circle": "circle",
    "hexagon": "hexagon",
}


def name_table_pictures(plan: Plan) -> list[str]:
    """Return the names of the pictures, in the order of their pages."""
    return [name for pair in _name_pairs(plan, _get_table(plan)) for name in pair]


def make_table(plan: Plan) -> tuple[str, bytes]:
    """Return the name and content of the object; it names the pictures by where they lie."""
    layout = _get_table(plan)
    sheets = tuple(
        Sheet(
            (plan.path.resolve() / front).as_uri(),
            (plan.path.resolve() / back).as_uri(),
            sheet.columns,
            sheet.rows,
            not sheet.has_one_back,
        )
        for sheet, (front, back) in zip(layout.sheets, _name_pairs(plan, layout), strict=True)
    )
    cards: dict[tuple[Size, Shape], list[TableCard]] = {}
    for copy, (number, place) in zip(plan.copies, layout.places, strict=True):
        card, sheet = plan.deck.cards[copy.design], layout.sheets[number]
        shown = TableCard(f"{card.id} {copy.number}", card.name, _tell(card), number, place)
        cards.setdefault((sheet.card, sheet.shape), []).append(shown)
    deck = plan.deck
    tables = [
        Table(
            deck.title,
            deck.description,
            round(max(size) / max(CARD_SIZES["poker"]), 3),
            size.width > size.height,
            sheets,
            tuple(of_kind),
            _CUTS.get(shape.name, "rectangle"),
        )
        for (size, shape), of_kind in cards.items()
    ]
    return f"{deck.name}.json", format_tables(tables)


def _get_table(plan: Plan) -> TableLayout:
    layout = plan.sheets.find_table(plan.batch)
    assert layout is not None, "only the sheets of a game are delivered as a game"
    return layout


def _name_pairs(plan: Plan, layout: TableLayout) -> list[tuple[str, str]]:
    width = len(str(len(layout.sheets)))
    return [
        (
            f"{plan.deck.name}-faces-{number:0{width}}.png",
            f"{plan.deck.name}-{'back' if sheet.has_one_back else 'backs'}-{number:0{width}}.png",
        )
        for number, sheet in enumerate(layout.sheets, 1)
    ]


def _tell(card: Card) -> str:
    """Return a card's text without its markup: the game shows it beside the card."""
    text = card.fields.get(TEXT)
    if not isinstance(text, str):
        return ""
    lines: list[str] = []
    for paragraph in parse_markup(text):
        if lines and not paragraph.follows_break:
            lines.append("")
        lines.append("".join(map(_tell_span, paragraph.spans)).strip())
    return "\n".join(lines)


def _tell_span(span: Span) -> str:
    if span.icon is None:
        return span.text
    if span.icon.is_picture:
        return f"({span.icon.text})" if span.icon.text else ""
    return f"({span.icon.name} {span.icon.text})" if span.icon.text else f"({span.icon.name})"
