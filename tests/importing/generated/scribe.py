"""A whole document written down: its title, chapters, and what stands around the cards."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping

from .cards import Block, Hand, set_capitals
from .content import Author, Chapter, Content
from .tables import TABLES


class Scribe:
    """Writes a content down as blocks, in the order of the document."""

    def __init__(
        self, rng: random.Random, style: Mapping[str, str], author: Author, content: Content
    ) -> None:
        self.rng = rng
        self.style = style
        self.author = author
        self.content = content
        self.hand = Hand(rng, style, content)
        self.extras = frozenset(style["extras"].split("+"))
        self.title_form = rng.choice(("box", "box", "centred", "underlined"))
        self.missing = rng.choice(("", "–", "-"))
        chances = {
            "byline": 0.2,
            "bold_cells": 0.7,
            "capital_chapters": 0.5,
            "changes": 0.25,
            "intro": 0.6,
            "legend": 0.35,
            "leaps": 0.2,  # A level of headings is left out between chapters and cards.
            "numbered_rows": 0.3,
            "subs": 0.4,
            "title": 0.8,
        }
        self.does = {key: rng.random() < chance for key, chance in chances.items()}
        self.level = self.hand.level
        if self.does["leaps"] and self.level > 3 and style["chapters"] in ("one", "flat"):
            self.level -= 1

    def write_document(self) -> Iterator[Block]:
        content = self.content
        if "matter" in self.extras:
            author = self.author.say("{owner}")
            yield Block(f'---\ntitle: "{content.title}"\nauthor: {author}\nversion: 1.2\n---')
        has_running_heads = "pages" in self.style["noise"]
        if self.does["title"] or "front" in self.extras or has_running_heads:
            yield from self.write_title()
        if self.does["intro"]:
            for _ in range(self.rng.randint(1, 6)):
                yield Block(self.author.write(1, 5, "intro"), is_prose=True)
        if "toc" in self.extras:
            yield from self.write_contents()
        if "front" in self.extras:
            yield from self.write_aside("{front}", has_subs=True)
        for at, chapter in enumerate(content.chapters):
            if chapter.part:
                yield self.write_heading(chapter.part, self.level - 2)
            if at == 1 and "between" in self.extras:
                yield from self.write_aside("{between}", has_subs=False)
            if chapter.title and not self.is_grouped:
                yield self.write_heading(chapter.title, self.level - 1)
            yield from (Block(text, is_prose=True) for text in chapter.intro)
            if self.style["form"] != "table":
                for card in chapter.cards:
                    yield from self.hand.write_card(card, is_first=card is chapter.cards[0])
            elif not self.is_grouped:
                yield self.write_table([chapter])
        if self.is_grouped:
            yield self.write_table(content.chapters)
        if "notes" in self.extras:
            yield Block(f"[^1]: {self.author.say('{note}')}")
        if "back" in self.extras:
            yield from self.write_aside("{back}", has_subs=False)
            if self.hand.is_marked and not self.hand.is_wiki and self.does["changes"]:
                rows = [self.author.say("{changehead}"), *map(self.author.say, ["{change}"] * 3)]
                yield Block(TABLES["pipes"]([row.split(" / ") for row in rows]))
        if "index" in self.extras:
            yield from self.write_index()

    @property
    def is_grouped(self) -> bool:
        return self.style["form"] == "table" and "grouped" in self.extras

    def write_title(self) -> Iterator[Block]:
        title = self.content.title
        form = self.title_form
        if self.hand.is_wiki:
            yield Block(f"'''{title}'''")
        elif self.hand.is_marked and self.level == 2 and self.style["chapters"] != "none":
            return
        elif self.style["name"] == "setext":
            yield Block(f"{title}\n{'=' * len(title)}")
        elif self.hand.is_marked:
            yield Block(f"# {title}")
        elif form == "centred" and self.style["name"] in ("numbered", "underlined", "colon"):
            yield Block(set_capitals(title).center(64).rstrip())
        elif form == "underlined" or "columns" in self.style["noise"]:
            yield Block(f"{title}\n{'=' * len(title)}")
        else:
            rule = "=" * 60
            yield Block(f"{rule}\n{title.center(60).rstrip()}\n{rule}")
        if self.does["byline"]:
            yield Block(self.author.say("{byline}"))

    def write_heading(self, title: str, level: int) -> Block:
        """The heading of a chapter, which looks like no name of a card."""
        name = self.style["name"]
        if self.hand.is_wiki:
            return Block(f"{'=' * level} {title} {'=' * level}")
        if name == "setext":
            return Block(f"{title}\n{'=' * len(title)}")
        if self.hand.is_marked:
            closed = f" {'#' * level}" if self.hand.picked["closed"] == "closed" else ""
            return Block(f"{'#' * level} {title}{closed}")
        capitals = ("capitals", "spaced", "capital-lead", "centred")
        if self.does["capital_chapters"] and name not in capitals:
            return Block(set_capitals(title))
        return Block(f"{set_capitals(title)}\n{'=' * len(title)}")

    def write_aside(self, pattern: str, *, has_subs: bool) -> Iterator[Block]:
        """A chapter without cards."""
        yield self.write_heading(self.author.say(pattern), self.level - 1)
        for _ in range(self.rng.randint(1, 3)):
            yield Block(self.author.write(2, 5, "intro"), is_prose=True)
        is_headed = self.style["name"] == "heading" and self.style["labels"] != "none"
        if has_subs and self.content.cards[0].labels and self.does["legend"]:
            meanings = self.rng.sample(self.author.slots["legend"], 5)
            for at, ((label, _), meaning) in enumerate(
                zip(self.content.cards[0].labels, meanings, strict=False)
            ):
                line = self.hand.mark_label(label, meaning)
                yield Block(f"{self.hand.bullet} {line}", is_tight=at > 0)
        if has_subs and is_headed and self.does["subs"]:
            for title in self.rng.sample(self.author.slots["subs"], 2):
                yield Block(self.hand.set_name(title))
                yield Block(self.author.write(2, 4, "intro"), is_prose=True)

    def write_contents(self) -> Iterator[Block]:
        yield self.write_heading(self.author.say("{contents}"), self.level - 1)
        titles = [chapter.title for chapter in self.content.chapters]
        if len(titles) == 1 or (self.does["subs"] and not self.hand.is_wiki):
            titles = [card.name for card in self.content.cards]
        bullet = self.hand.bullet
        page = 3
        for at, name in enumerate(titles):
            page += self.rng.randint(0, 2)
            if not self.hand.is_marked:
                yield Block(f"{name} ".ljust(48, ".") + f" {page}", is_tight=at > 0)
                continue
            slug = re.sub(r"\W+", "-", name.lower()).strip("-")
            link = f"[[#{name}|{name}]]" if self.hand.is_wiki else f"[{name}](#{slug})"
            yield Block(f"{bullet} {link}", is_tight=at > 0)

    def write_index(self) -> Iterator[Block]:
        yield self.write_heading(self.author.say("{index}"), self.level - 1)
        for at, name in enumerate(sorted(card.name for card in self.content.cards)):
            yield Block(f"{self.hand.bullet} {name}, {self.rng.randint(4, 60)}", is_tight=at > 0)

    def write_table(self, chapters: tuple[Chapter, ...] | list[Chapter]) -> Block:
        """The cards of chapters as rows; of several, each under a row with its title alone."""
        words = self.content.labels
        everyone = self.content.cards
        known = {
            words["type"]: [card.kind for card in everyone],
            words["copies"]: [str(card.count) * (card.count > 1) for card in everyone],
            words["cost"]: [card.cost for card in everyone],
            words["wholabel"]: [card.who for card in everyone],
        }
        pairs = (pair for card in everyone for pair in (*card.labels, *card.stats))
        labels = dict.fromkeys(label for label, _ in pairs)
        heads = ["#"] if self.does["numbered_rows"] else []
        heads += [words["namehead"], *(head for head in known if any(known[head])), *labels]
        heads += [words["effect"]] * any(card.parts for card in everyone)
        named = heads.index(words["namehead"])
        has_bold = self.does["bold_cells"] and self.style["name"] in ("pipes", "wrapped-pipes")
        rows = [heads]
        for chapter in chapters:
            if len(chapters) > 1:
                blank = [""] * len(heads)
                rows.append([*blank[:named], f"**{chapter.title}**", *blank[named + 1 :]])
            for card in chapter.cards:
                self.hand.number += 1
                cells = {
                    **dict((*card.labels, *card.stats)),
                    "#": str(self.hand.number),
                    words["namehead"]: f"**{card.name}**" if has_bold else card.name,
                    words["type"]: card.kind,
                    words["copies"]: str(card.count),
                    words["cost"]: card.cost,
                    words["wholabel"]: card.who,
                    words["effect"]: " ".join(part.text for part in card.parts),
                }
                rows.append([cells.get(head) or self.missing for head in heads])
        return Block(TABLES[self.style["name"]](rows))
