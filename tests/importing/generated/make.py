"""A document of a shape and a seed, with the truth beside it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from .content import Author
from .noise import Setter
from .scribe import Scribe
from .shapes import choose_style


@dataclass(frozen=True)
class Document:
    """A text as somebody wrote it, and the cards that stand in it."""

    name: str
    suffix: str
    text: str
    cards: tuple[Mapping[str, object], ...]


def make_document(shape: str, seed: int) -> Document:
    """The document of a shape and a seed, the same on every machine."""
    rng = random.Random(f"{shape}/{seed}")
    style = choose_style(rng, shape)
    author = Author(rng, style)
    content = author.make_content()
    scribe = Scribe(rng, style, author, content)
    text = Setter(rng, style, content.title).set(scribe.write_document())
    has_chapters = len(content.chapters) > 1
    cards = [
        card.tell_truth(chapter.title if has_chapters else "")
        for chapter in content.chapters
        for card in chapter.cards
    ]
    return Document(f"{shape}-{seed}", style["suffix"], text, tuple(cards))
