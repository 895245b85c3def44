"""How well cards are recognised: precision and recall over a corpus of texts.

Run by `make corpus`. Beside each text in tests/importing/texts stands what must come out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from pinned_scores import Score, Scored, print_scores

from cardgen.core.errors import CardgenError
from cardgen.importing.finding.gather import gather
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.sources import read_blocks, read_source

FOLDER = Path(__file__).parent / "texts"
FIELDS = ("name", "count", "cost", "who", "uses", "rank", "kind", "stats", "text")
Key = tuple[str, str]


def list_texts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".yaml")


def read_truth(path: Path) -> list[dict[str, Any]]:
    text = path.with_suffix(".yaml").read_text("utf-8")
    cards: list[dict[str, Any]] = yaml.load(text, yaml.CSafeLoader)["cards"]
    return cards


def recognise_cards(path: Path) -> list[dict[str, Any]]:
    try:
        cards = gather(recognise(read_blocks(read_source(str(path)))).cards, ranks_as_cards=True)
    except CardgenError:
        return []
    return [show_card(card) for card in cards]


def show_card(card: Candidate) -> dict[str, Any]:
    other = dict(card.other)
    return {field: getattr(card, field, other.get(field)) for field in FIELDS}


def score_text(path: Path) -> tuple[Score, list[str]]:
    wanted = {_key(card): _plain(card) for card in read_truth(path)}
    given = {_key(card): _plain(card) for card in recognise_cards(path)}
    faults: list[str] = []
    score = Score()
    for key in [*wanted, *(key for key in given if key not in wanted)]:
        one, fault = _score_card(wanted.get(key, {}), given.get(key, {}))
        score = score.add(one)
        faults += [f"{path.name}: {key[0]} {key[1]}: {text}".replace(" :", ":") for text in fault]
    return score, faults


def _score_card(wanted: Mapping[str, str], given: Mapping[str, str]) -> tuple[Score, list[str]]:
    right = sum(1 for field, value in given.items() if wanted.get(field) == value)
    faults = [
        f"{field} is {given.get(field)!r}, not {wanted.get(field)!r}"
        for field in FIELDS
        if given.get(field) != wanted.get(field)
    ]
    return Score(right, len(given), len(wanted)), faults


def _key(card: Mapping[str, Any]) -> Key:
    return str(card["name"]), str(card.get("rank") or "")


def _plain(card: Mapping[str, Any]) -> dict[str, str]:
    """The fields that a card has, without emphasis and line ends; a count of 1 is none."""
    shown = {field: card.get(field) for field in FIELDS}
    if shown["count"] == 1:
        shown["count"] = None
    return {
        field: re.sub(
            r"[ \t]+",
            " ",
            re.sub(r"(?<=\n\n)\s+|[ \t]+(?=\n)", "", re.sub(r"[*\\]", "", str(value)).strip()),
        )
        for field, value in shown.items()
        if value not in (None, "")
    }


def score_folder(folder: Path) -> Iterator[Scored]:
    for path in list_texts(folder):
        yield path, *score_text(path)


if __name__ == "__main__":
    print_scores("texts", score_folder(FOLDER))
    print_scores("unseen texts", score_folder(FOLDER / "unseen"))
