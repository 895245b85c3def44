"""The job ticket: what a print shop wants to know of a file beside it, for people and for programs.

Turns a plan and what was drawn into two texts; reads nothing of the file itself.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from cardgen.build.cuts import CUT_FORMS, list_cuts
from cardgen.build.draw import Drawing
from cardgen.build.plan import Plan
from cardgen.core.units import MM
from cardgen.core.version import VERSION
from cardgen.output.pdfx import get_flavour_name
from cardgen.pages.marks import DIE_INK

_ORDERS = {
    "front-back": "each front, then its back",
    "back-front": "each back, then its front",
    "fronts-backs": "all fronts, then the backs",
    "fronts": "fronts alone",
    "backs": "backs alone",
}


def make_tickets(name: str, plan: Plan, drawn: Drawing) -> list[tuple[str, bytes]]:
    """Return the ticket of the file `name` as JSON and as text, each with its own name."""
    ticket = _gather(f"{name}.pdf", plan, drawn)
    data = json.dumps(ticket, indent=2, ensure_ascii=False) + "\n"
    return [
        (f"{name}.job.json", data.encode()),
        (f"{name}.job.txt", _format(ticket, plan).encode()),
    ]


def _gather(file: str, plan: Plan, drawn: Drawing) -> dict[str, Any]:
    target, deck, page = plan.target, plan.deck, plan.pages[0]
    sums = [
        sum(values) if space == "cmyk" else 1 - values[0]
        for space, values in drawn.resources.colours
        if space != "rgb"
    ]
    copies = Counter(copy.design for copy in plan.copies)
    backed = {
        copy.design
        for copy, faces in zip(plan.copies, plan.batch.copies, strict=True)
        if faces.back is not None
    }
    size = plan.sheets.card
    bleed = page.bleed
    return {
        "file": file,
        "deck": deck.name,
        "title": deck.title,
        "made_by": f"cardgen {VERSION}",
        "target": target.name,
        "flavour": get_flavour_name(target.press.flavour),
        "shape": plan.sheets.shape.name,
        "cut_files": [name + end for name in list_cuts(plan) for end in CUT_FORMS],
        "trim_mm": [_round_mm(size.width), _round_mm(size.height)],
        "page_mm": [_round_mm(page.size.width), _round_mm(page.size.height)],
        "bleed_mm": {
            "left": _round_mm(page.trim.x - bleed.x),
            "top": _round_mm(page.trim.y - bleed.y),
            "right": _round_mm(bleed.right - page.trim.right),
            "bottom": _round_mm(bleed.bottom - page.trim.bottom),
        },
        "safe_mm": _round_mm(target.grid.safe),
        "product": plan.product.name if plan.product else None,
        "pages": len(plan.pages),
        "order": _find_order(plan),
        "empty_backs": _count_empty(plan),
        "backs": target.duplex.backs,
        "copies": len(plan.copies),
        "designs": [
            {
                "id": deck.cards[design].id,
                "name": deck.cards[design].name,
                "copies": number,
                "back": design in backed,
            }
            for design, number in sorted(copies.items())
        ],
        "colours": [
            {"space": space, "percent": [round(100 * value, 1) for value in values]}
            for space, values in sorted(drawn.resources.colours)
        ],
        "spot_colours": [DIE_INK] if _has_die(plan) else [],
        "total_ink": {
            "highest": round(100 * max(sums, default=0.0), 1),
            "limit": target.press.total_ink,
        },
        "profile": plan.profile.name if plan.profile else None,
        "profile_file": plan.profile.path.name if plan.profile else None,
        "fonts": [
            {
                "family": font.family,
                "weight": font.weight,
                "italic": font.italic,
                "kept": "outlined" if target.press.text == "outlines" else "embedded",
            }
            for font in drawn.resources.fonts
        ],
    }


def _format(ticket: dict[str, Any], plan: Plan) -> str:
    target = plan.target
    bleeds = ticket["bleed_mm"]
    shown = {f"{width:g}mm" for width in bleeds.values()}
    bleed = shown.pop() if len(shown) == 1 else ", ".join(f"{k} {v:g}mm" for k, v in bleeds.items())
    ink, safe = ticket["total_ink"], ticket["safe_mm"]
    limit = f", at most {ink['limit']}% allowed" if ink["limit"] is not None else ""
    width, height = ticket["page_mm"]
    lines = [
        ("File", ticket["file"]),
        ("Deck", f"{ticket['title']} ({ticket['deck']})"),
        ("Made by", f"{ticket['made_by']}, target {ticket['target']}"),
        ("Kind", ticket["flavour"]),
        ("Trim size", "{:g}mm x {:g}mm".format(*ticket["trim_mm"])),
        *([("Product", ticket["product"])] if ticket["product"] else []),
        *_tell_cut(ticket),
        ("Bleed", f"{bleed}; pages are {width:g}mm x {height:g}mm"),
        ("Safe area", f"{safe:g}mm within the trim" if target.grid.safe else "not checked"),
        ("Pages", f"{ticket['pages']:,}: {_tell_order(ticket, plan)}"),
        ("Cards", f"{ticket['copies']:,}; designs: {len(ticket['designs']):,}"),
        ("Profile", ticket["profile"] or "none"),
        ("Total ink", f"{ink['highest']:g}% in texts and shapes{limit}"),
        ("Spot colours", ", ".join(ticket["spot_colours"]) or "none"),
        ("Fonts", _list_fonts(ticket["fonts"])),
    ]
    parts = [f"{label + ':':14}{text}" for label, text in lines]
    parts += ["", "Colours, in percent:"]
    parts += [f"  {_name_colour(colour)}" for colour in ticket["colours"]]
    parts += ["", "Copies of each card:"]
    mixed = len({design["back"] for design in ticket["designs"]}) == 2
    for design in ticket["designs"]:
        without = ", without a back" if mixed and not design["back"] else ""
        parts.append(f"  {design['copies']:>5,}  {design['name']}{without}")
    return "\n".join(parts) + "\n"


def _has_die(plan: Plan) -> bool:
    return any(cut.spot for page in plan.pages for cut in page.cuts)


def _tell_cut(ticket: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the line that says how cards are cut out which are no plain rectangles."""
    if ticket["shape"] == "rectangle":
        return []
    files = " and ".join(ticket["cut_files"])
    return [("Cut out", ticket["shape"] + (f", as in {files}" if files else ""))]


def _find_order(plan: Plan) -> str:
    """Return the order of the pages; the side, where there is one alone."""
    sides = {page.side for page in plan.pages}
    return plan.target.duplex.order if len(sides) == 2 else f"{sides.pop()}s"


def _count_empty(plan: Plan) -> int:
    """Return how many pages are there for a back that their card has not."""
    backs = [copy.back for copy in plan.batch.copies]
    return sum(
        page.side == "back" and all(backs[place.index] is None for place in page.placements)
        for page in plan.pages
    )


def _tell_order(ticket: dict[str, Any], plan: Plan) -> str:
    told = [_ORDERS[ticket["order"]]]
    if plan.target.duplex.backs == "once" and "-" in ticket["order"]:
        told.append("backs that look the same are there once")
    if ticket["empty_backs"]:
        told.append(f"empty pages for cards without a back: {ticket['empty_backs']:,}")
    if plan.options.reverse:
        told.append("the last page comes first")
    return "; ".join(told)


def _list_fonts(fonts: list[dict[str, Any]]) -> str:
    named = [f"{f['family']} {f['weight']}{' italic' if f['italic'] else ''}" for f in fonts]
    return f"{', '.join(named)}; all {fonts[0]['kept']}" if fonts else "none"


def _name_colour(colour: dict[str, Any]) -> str:
    letters = {"cmyk": "CMYK", "rgb": "RGB"}.get(colour["space"], "")
    values = [f"{value:g}" for value in colour["percent"]]
    if not letters:
        return f"grey {values[0]}"
    return " ".join(f"{letter} {value}" for letter, value in zip(letters, values, strict=True))


def _round_mm(length: float) -> float:
    """Return a length in which 1/8 inch is 3.175mm, however it was reckoned."""
    return round(length / MM, 3)
