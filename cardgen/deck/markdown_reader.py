"""A Markdown file with YAML front matter becomes a RawDeck of one card, as large as the page.

Knows nothing of Markdown but how to find a title.
"""

from __future__ import annotations

import re
from pathlib import Path

from cardgen.deck.head import open_deck, split_front_matter
from cardgen.deck.model import DECK_KEYS, DEFAULT_SHEET_TEMPLATE, Value
from cardgen.deck.raw import Raw, RawDeck
from cardgen.deck.source import read_text
from cardgen.errors import Where

_NO_KEYS = ("cards", "defaults", "sheet")

_HEADING = re.compile(r" {0,3}#[ \t]+(.*?)[ \t]*#*[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")


def read_markdown(path: Path) -> RawDeck:
    """The front matter describes the deck; a key that no deck has is a field of the card."""
    file = str(path)
    front = split_front_matter(read_text(path).text, file)
    raw = open_deck(path, front.node, front.problems)
    raw.is_sheet = True
    raw.template = DEFAULT_SHEET_TEMPLATE
    raw.title = find_heading(front.body) or raw.title

    body = front.body.lstrip("\n")
    where = Where(file, front.line + len(front.body) - len(body))
    if not body.strip():
        raw.add("there is no text for the sheet", where, "write Markdown below the front matter")
    head = raw.head
    for key in _NO_KEYS:
        if key in head.values:
            raw.add(
                f'a Markdown deck cannot hold "{key}"', head.find_key(key), "it is a single card"
            )
    if "text" in head.values:
        raw.add(
            '"text" is the text below the front matter',
            head.find_key("text"),
            "give this field another name",
        )

    values: dict[str, Value] = {k: v for k, v in head.values.items() if k not in DECK_KEYS}
    values["text"] = body.rstrip("\n")
    raw.cards.append(Raw(values, where, head.marks))
    kept = {k: v for k, v in head.values.items() if k in DECK_KEYS and k not in _NO_KEYS}
    raw.head = Raw(kept, head.where, head.marks)
    return raw


def find_heading(body: str) -> str | None:
    """The text of the first "# heading" that is not part of a code block."""
    fence = None
    for line in body.split("\n"):
        mark = _FENCE.match(line)
        if mark and fence in (None, mark[1]):
            fence = None if fence else mark[1]
        elif fence is None and (heading := _HEADING.fullmatch(line)):
            return re.sub(r"[*`]", "", heading[1])
    return None
