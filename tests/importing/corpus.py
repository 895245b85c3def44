"""How well cards are recognised: precision and recall over sets of texts with their truth.

Run by `make corpus`. Beside each text stands, in YAML, what must come out of it. Texts that are
locked are scored and never shown: who works on the finder is to learn nothing from them.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from judging import (
    KNOWN,
    Card,
    Judged,
    Judgement,
    Scores,
    call_alike,
    find_f1,
    judge,
    keep_fields,
    make_card,
)
from pinned_scores import PINNED, Pins, Score, read_pins, write_pins
from reliability import bin_cards, draw_curve, print_bins

from cardgen.core.errors import CardgenError
from cardgen.importing.finding.recognise import recognise
from cardgen.importing.gather import gather
from cardgen.importing.model import Candidate, Pointed
from cardgen.importing.reading.kinds import TABLES, find_kind
from cardgen.importing.reading.sources import Source, read_blocks, read_source
from cardgen.importing.tables.files import read_records
from cardgen.importing.tables.records import ALL_COLUMNS, read_cards

FOLDER = Path(__file__).parent / "texts"
SETS = ("texts", "unseen texts", "generated", "written", "locked", "public")
SECRET = "locked"
LEAST = 0.8

Examples = tuple[str, ...]
Finder = Callable[[Source, Examples], list[Card]]


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a set, printed in `row`; `judged` says which fields its truth speaks of."""

    name: str
    row: str
    source: Callable[[], Source]
    wanted: tuple[Card, ...]
    judged: Callable[[str], bool]
    secret: bool = False


def list_texts(folder: Path) -> list[Path]:
    paths = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in paths if path.is_file() and path.suffix != ".yaml")


def read_truth(path: Path) -> list[dict[str, Any]]:
    text = path.with_suffix(".yaml").read_text("utf-8")
    cards: list[dict[str, Any]] = yaml.load(text, yaml.CSafeLoader)["cards"]
    return cards


# The sets


def list_set(title: str, public: Path | None = None, seeds: range = range(0)) -> Iterator[Text]:
    """Return the texts of a set; that of public documents is given by its folder."""
    folders = {"texts": FOLDER, "unseen texts": FOLDER / "unseen"}
    if title == "generated":
        yield from _generate(seeds)
    elif title in folders:
        yield from (_read_text(path, _judge_kinds) for path in list_texts(folders[title]))
    elif title == "public":
        found = list_texts(public) if public else []
        paths = [path for path in found if path.with_suffix(".yaml").is_file()]
        yield from (_read_text(path, _judge_fields_given) for path in paths)
    else:
        for path in list_texts(FOLDER / title):
            yield _read_text(path, _judge_all, secret=title == SECRET)


def _read_text(
    path: Path,
    judging: Callable[[Sequence[Card]], Callable[[str], bool]],
    *,
    secret: bool = False,
) -> Text:
    wanted = tuple(make_card(card) for card in read_truth(path))
    source = partial(read_source, str(path))
    return Text(path.name, path.name, source, wanted, judging(wanted), secret)


def _judge_all(_wanted: Sequence[Card]) -> Callable[[str], bool]:
    return lambda _label: True


def _judge_kinds(wanted: Sequence[Card]) -> Callable[[str], bool]:
    """Leave a kind out where no card has one: these truths came before chapters gave kinds."""
    kinds = any("kind" in card.fields for card in wanted)
    return lambda label: kinds or label != "kind"


def _judge_fields_given(wanted: Sequence[Card]) -> Callable[[str], bool]:
    known = {label for card in wanted for label in card.fields}
    known |= {"text" for card in wanted if card.words}
    return known.__contains__


def _generate(seeds: range) -> Iterator[Text]:
    try:
        made = importlib.import_module("generated")
    except ModuleNotFoundError:
        return
    for shape in made.SHAPES:
        for seed in seeds:
            document = made.make_document(shape, seed)
            name = f"{document.name}{document.suffix}"
            data = document.text.encode("utf-8")
            source = partial(Source, name, find_kind(data, name, name), data)
            wanted = tuple(make_card(card) for card in document.cards)
            yield Text(name, str(shape), source, wanted, _judge_all(wanted))


# The finder


def find_cards(source: Source, examples: Examples) -> list[Card]:
    """Return the cards that are found in a text or table, those of ranks one by one."""
    if source.kind in TABLES:
        columns = ALL_COLUMNS._replace(pointed=Pointed(names=examples))
        cards = read_cards(read_records(source, columns), columns, source.name).cards
    else:
        cards = recognise(read_blocks(source), Pointed(names=examples)).cards
    return [show_candidate(card) for card in gather(cards, ranks_as_cards=True)]


def show_candidate(card: Candidate) -> Card:
    plain = {key: getattr(card, key) for key in ("count", "cost", "who", "uses", "rank", "kind")}
    other = {key: value for key, value in card.other if key not in ("name", "text")}
    said = {key: value for key, value in plain.items() if value is not None}
    return make_card({"name": card.name, "text": card.text, **other, **said}, card.sure)


def choose_examples(wanted: Sequence[Card]) -> Examples:
    """Return the names that somebody would point at: the first, and one in the middle."""
    names = list(dict.fromkeys(card.shown for card in wanted))
    return tuple(dict.fromkeys((names[0], names[len(names) // 2]))) if names else ()


def judge_text(text: Text, finder: Finder, *, pointing: bool = False) -> Judgement:
    try:
        given = finder(text.source(), choose_examples(text.wanted) if pointing else ())
    except CardgenError:
        given = []
    given = call_alike(text.wanted, given)
    found = judge(text.wanted, [keep_fields(card, text.judged) for card in given])
    cards = found.cards if text.judged("text") else ()
    faults = () if text.secret else tuple(f"{text.name}: {fault}" for fault in found.faults)
    return replace(found, cards=cards, faults=faults)


def score_text(path: Path, finder: Finder = find_cards) -> tuple[Score, list[str]]:
    """Return a text's score as it is pinned, and what went wrong."""
    found = judge_text(_read_text(path, _judge_kinds), finder)
    return found.scores.pieces, list(found.faults)


# What is printed


def print_set(
    title: str, texts: Sequence[Text], finder: Finder, *, pointing: bool, faults: bool
) -> list[Judged]:
    """Print a row for each text, and what they are together; return the cards that came out."""
    rows: dict[str, Scores] = {}
    found, pinned = {}, {}
    cards: list[Judged] = []
    said: dict[str, list[str]] = {}
    known: dict[str, Score] = {}
    for text in texts:
        judgement = judge_text(text, finder, pointing=pointing)
        found[text.name] = judgement.scores
        pinned[text.name] = judgement.scores.pieces.pins
        rows[text.row] = rows.get(text.row, Scores()).add(judgement.scores)
        said.setdefault(text.row, []).extend(judgement.faults)
        cards += judgement.cards
        for label, score in judgement.known.items():
            known[label] = known.get(label, Score()).add(score)
    pins = _find_pins(title) if not pointing else {}
    print(f"{title:28}     names             fields            words")
    for row, scores in rows.items():
        now, pin = pinned.get(row), pins.get(row)
        moved = f"  pinned at {pin} is {now}" if pin not in (None, now) else ""
        _print_scores(row, scores, moved)
        if faults:
            print(*(f"    {fault}" for fault in said[row]), sep="\n")
    _print_totals(found, known)
    if os.environ.get("RENEW") and title in SETS[:2]:
        write_pins(title, pinned)
    return cards


def _find_pins(title: str) -> Pins:
    known = title in SETS[:2] and PINNED.is_file() and not os.environ.get("RENEW")
    return read_pins(title) if known else {}


def _print_scores(row: str, scores: Scores, more: str = "") -> None:
    parts = (scores.names, scores.fields, scores.words)
    columns = "".join(
        f"   {one.precision:.3f} {one.recall:.3f}" if one.given or one.wanted else "       -     -"
        for one in parts
    )
    print(f"{row[:28]:28}{scores.names.wanted:4}{columns}{more}")


def _print_totals(found: Mapping[str, Scores], known: Mapping[str, Score]) -> None:
    total = Scores()
    for scores in found.values():
        total = total.add(scores)
    _print_scores("all: precision, recall", total)
    for label in (*KNOWN, "others"):
        if label in known:
            score = known[label]
            print(f"  {label:30}{score.wanted:15}   {score.precision:.3f} {score.recall:.3f}")
    for title, part in (("names", 0), ("fields", 1), ("words", 2)):
        judged = {name: scores[part] for name, scores in found.items() if any(scores[part])}
        if not judged:
            continue
        shares = {name: find_f1(score) for name, score in judged.items()}
        least = min(shares, key=shares.__getitem__)
        below = sum(1 for share in shares.values() if share < LEAST)
        print(
            f"F1 of {title:6} {find_f1(total[part]):.3f}; least {shares[least]:.3f} {least}; "
            f"{below} of {len(shares)} below {LEAST}"
        )
    print()


def read_seeds(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well cards are recognised in texts.")
    parser.add_argument("--set", choices=SETS, action="append", help="this set alone; several")
    parser.add_argument("--text", help="this text alone")
    parser.add_argument("--seeds", type=read_seeds, default=range(1000, 1002), help="1000-1004")
    parser.add_argument("--public", type=Path, help="a folder of documents with their truth")
    parser.add_argument("--names", action="store_true", help="point at two names of each text")
    parser.add_argument("--faults", action="store_true", help="say what went wrong")
    parser.add_argument("--curve", type=Path, help="draw sureness against truth as this SVG file")
    options = parser.parse_args(arguments)
    if os.environ.get("RENEW") and (options.names or options.text):
        parser.error("RENEW=1 writes the scores of all texts, found without help")
    cards: list[Judged] = []
    for title in options.set or SETS:
        texts = [
            text
            for text in list_set(title, options.public, options.seeds)
            if options.text in (None, text.name)
        ]
        if texts:
            how = {"pointing": options.names, "faults": options.faults}
            cards += print_set(title, texts, find_cards, **how)
    bins = bin_cards(cards)
    if cards:
        print_bins(bins)
    if options.curve:
        title = "Of cards said to be this sure, so many are right"
        options.curve.write_text(draw_curve(bins, title), "utf-8")


if __name__ == "__main__":
    main()
