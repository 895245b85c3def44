"""The bench's cards in WeasyPrint, run by the peers' own Python: CSV, font folder, PDF.

CSS has no copyfitting, so each text's size is worked out from its length before the pages are laid.
"""

from __future__ import annotations

import csv
import math
import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

from weasyprint import CSS, HTML  # type: ignore[import-not-found]
from weasyprint.text.fonts import FontConfiguration  # type: ignore[import-not-found]

POINTS = 72 / 25.4
INNER_WIDTH = 43.5 * POINTS
RULES_HEIGHT = (88.9 - 20 - 4.5) * POINTS - 1.2 * (13 + 2 * 9)
TITLE_LETTER, RULES_LETTER = 0.51, 0.44  # in em, a little wide, so that nearly every text fits
STEP = 0.25

STYLE = """
@page { size: A4; margin: 0 }
body { margin: 0; font-family: "Alegreya Sans"; line-height: 1.2; hyphens: none }
.sheet { position: relative; height: 297mm; break-after: page }
.card { position: absolute; width: 43.5mm; height: 68.9mm; padding: 10mm }
p { margin: 0 0 1.5mm; font-size: 9pt }
.title { font-weight: bold; white-space: nowrap }
.who { font-style: italic }
"""


def make_style(fonts: Path) -> str:
    faces = []
    for name, weight, slope in (
        ("Regular", "normal", "normal"),
        ("Bold", "bold", "normal"),
        ("Italic", "normal", "italic"),
    ):
        place = (fonts / f"AlegreyaSans-{name}.ttf").as_uri()
        faces.append(
            f'@font-face {{ font-family: "Alegreya Sans"; src: url("{place}"); '
            f"font-weight: {weight}; font-style: {slope} }}"
        )
    return "\n".join(faces) + STYLE


def guess_title(title: str) -> float:
    return max(7.0, min(13.0, INNER_WIDTH / (len(title) * TITLE_LETTER)))


def guess_rules(text: str) -> float:
    length = len(text.replace("*", ""))
    size = 8.5
    while size > 5.5:
        lines = math.ceil(length * RULES_LETTER * size / INNER_WIDTH)
        if lines * 1.2 * size <= RULES_HEIGHT:
            break
        size -= STEP
    return size


def mark(text: str) -> str:
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    return re.sub(r"\*(.+?)\*", r"<i>\1</i>", bold)


def write_sheets(cards: list[dict[str, str]]) -> Iterator[str]:
    for first in range(0, len(cards), 9):
        yield '<div class="sheet">'
        for place, card in enumerate(cards[first : first + 9]):
            row, column = divmod(place, 3)
            left, top = 9.75 + 63.5 * column, 15.15 + 88.9 * row
            cost = int(card["cost"])
            title_size, rules_size = guess_title(card["name"]), guess_rules(card["text"])
            sign = "+" if cost > 0 else "\N{MINUS SIGN}"
            yield (
                f'<div class="card" style="left: {left}mm; top: {top}mm">'
                f'<p class="title" style="font-size: {title_size:.2f}pt">'
                f"{escape(card['name'])}</p><p>Cost {sign}{abs(cost)}</p>"
                f'<p class="who">{escape(card["who"])}</p>'
                f'<p style="font-size: {rules_size}pt">{mark(card["text"])}</p></div>'
            )
        yield "</div>"


def main(source: Path, fonts: Path, out: Path) -> None:
    with source.open(encoding="utf-8", newline="") as file:
        cards = list(csv.DictReader(file))
    configuration = FontConfiguration()
    style = CSS(string=make_style(fonts), font_config=configuration)
    page = f'<html lang="en"><body>{"".join(write_sheets(cards))}</body></html>'
    HTML(string=page).write_pdf(out, stylesheets=[style], font_config=configuration)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
