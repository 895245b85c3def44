"""The generator of documents: the same for a seed, and true to what it says stands in them."""

from __future__ import annotations

import hashlib
import re

from generated import SHAPES, Document, make_document

# Of one document: other words, or another order of choices, change every document of every seed.
KNOWN = "99cf863ff1ab40a3"
# Where lines of other cells, columns or pages stand between the words of a text.
TORN = (
    "table-wrapped",
    "table-grid",
    "table-ruled",
    "table-bare",
    "columns",
    "scan",
    "scan-raw",
    "scan-misread",
)


def read_words(text: str) -> str:
    """The letters and figures of a text, in small letters and without anything between them."""
    return re.sub(r"[\W_]+", "", text.lower())


def test_a_seed_gives_the_same_document_everywhere() -> None:
    document = make_document("headings", 1)
    assert document == make_document("headings", 1)
    assert hashlib.sha256(document.text.encode()).hexdigest()[:16] == KNOWN


def test_seeds_and_shapes_give_different_documents() -> None:
    texts = {make_document(shape, seed).text for shape in SHAPES[::8] for seed in range(3)}
    assert len(texts) == 3 * len(SHAPES[::8])


def test_there_are_many_shapes() -> None:
    assert len(set(SHAPES)) == len(SHAPES) >= 40


def test_what_is_true_stands_in_the_text() -> None:
    for shape in SHAPES:
        document = make_document(shape, 1)
        names = [str(card["name"]) for card in document.cards]
        assert len(set(names)) == len(names) >= 4, shape
        assert not find_lost(document, is_torn=shape in TORN), shape


def find_lost(document: Document, *, is_torn: bool) -> list[str]:
    """What the truth tells and the text does not: whole values, or words where lines are torn."""
    words = read_words(document.text.replace("[^1]", ""))
    told = [
        str(value)
        for card in document.cards
        for key, value in card.items()
        if key not in ("text", "stats")
    ]
    told += [part for card in document.cards for part in str(card.get("text", "")).split("\n\n")]
    if is_torn:
        told = [word for part in told for word in part.split()]
    return [part for part in told if read_words(part) not in words]
