"""How many of each card a service is to print, in a file beside their pictures: as JSON, or as the
order that MPC Fill's desktop tool reads.

Turns a plan and the names of its pictures into a file; knows nothing of the pictures themselves.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from cardgen.build.plan import Plan
from cardgen.output.png import draw_blank

# The sizes of a deck at MakePlayingCards; an order pays for the next larger one.
_BRACKETS = (18, 36, 55, 72, 90, 108, 126, 144, 162, 180, 198, 216, 234, 396, 504, 612)
_STOCK = "(S30) Standard Smooth"
_BLANK = "blank.png"  # all other names say which side is shown


class _Line(NamedTuple):
    """Copies that look the same: their places in the order, and their pictures."""

    slots: list[int]
    face: str | None
    back: str | None


def make_order(plan: Plan, names: Sequence[str]) -> list[tuple[str, bytes]]:
    """Return the file that tells quantities, with its name; none where each copy has a picture.

    MPC Fill knows no card without a back: it would give such a card that of the others. So a white
    picture comes first, for the backs that are not there.
    names: those of the pages' pictures
    """
    kind = plan.target.file.quantities
    if kind == "copies":
        return []
    lines = _gather(plan, names)
    if kind == "json":
        return [("order.json", _format_json(lines, plan))]
    files: list[tuple[str, bytes]] = []
    if "back" in plan.sheets.list_sides() and any(line.back is None for line in lines):
        files.append((_BLANK, draw_blank(plan.pages[0].size, plan.target.file.dpi)))
        lines = [line._replace(back=line.back or _BLANK) for line in lines]
    return [*files, ("order.xml", _format_xml(lines, len(plan.copies)))]


def _gather(plan: Plan, names: Sequence[str]) -> list[_Line]:
    copies = plan.batch.copies
    faces: dict[Hashable, str] = {}
    backs: dict[Hashable, str] = {}
    for page, name in zip(plan.pages, names, strict=True):
        copy = copies[page.placements[0].index]
        if page.side == "front":
            faces[copy.front, copy.back] = name
        else:
            backs[copy.back] = name
    lines: dict[Hashable, _Line] = {}
    for slot, copy in enumerate(copies):
        look = copy.front, copy.back
        line = _Line([], faces.get(look), backs.get(copy.back))
        lines.setdefault(look, line).slots.append(slot)
    return list(lines.values())


def _format_json(lines: Sequence[_Line], plan: Plan) -> bytes:
    cards: list[dict[str, Any]] = []
    for line in lines:
        card = plan.deck.cards[plan.copies[line.slots[0]].design]
        cards.append(
            {
                "name": card.name,
                "quantity": len(line.slots),
                "face": line.face,
                "back": line.back,
            }
        )
    order = {
        "title": plan.deck.title,
        "product": plan.product.name if plan.product else None,
        "quantity": len(plan.copies),
        "cards": cards,
    }
    return (json.dumps(order, indent=2, ensure_ascii=False) + "\n").encode()


def _format_xml(lines: Sequence[_Line], quantity: int) -> bytes:
    """Return the order; the back of most cards is that of all for which none is named."""
    order = Element("order")
    details = SubElement(order, "details")
    bracket = next((size for size in _BRACKETS if size >= quantity), _BRACKETS[-1])
    for name, value in (
        ("quantity", str(quantity)),
        ("bracket", str(bracket)),
        ("stock", _STOCK),
        ("foil", "false"),
    ):
        SubElement(details, name).text = value
    _add_cards(order, "fronts", {line.face: line.slots for line in lines if line.face})
    backs = Counter[str]()
    for line in lines:
        if line.back is not None:
            backs[line.back] += len(line.slots)
    usual = backs.most_common(1)[0][0] if backs else None
    others: dict[str, list[int]] = {}
    for line in lines:
        if line.back is not None and line.back != usual:
            others.setdefault(line.back, []).extend(line.slots)
    if others:
        _add_cards(order, "backs", others)
    if usual is not None:
        SubElement(order, "cardback").text = usual
    indent(order)
    text = tostring(order, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def _add_cards(order: Element, side: str, slots: dict[str, list[int]]) -> None:
    cards = SubElement(order, side)
    for name, taken in slots.items():
        card = SubElement(cards, "card")
        # A file beside the order stands for the number of one on a server.
        for part, value in (("id", name), ("slots", ",".join(map(str, taken))), ("name", name)):
            SubElement(card, part).text = value
