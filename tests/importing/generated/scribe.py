"""A document written down in one style: blocks of lines, with the names, labels and costs set."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from .content import Author, Chapter, Content, Entry, Part

_COPIES = {"en": "copies", "de": "Exemplare", "fr": "exemplaires"}


@dataclass(frozen=True)
class Block:
    """Lines that stay together. Prose may be wrapped, with `hang` before the lines that follow.

    A block that opens a text may begin with a large capital.
    """

    text: str
    is_prose: bool = False
    is_tight: bool = False
    opens: bool = False
    hang: str = ""


def set_capitals(text: str) -> str:
    return "".join(letter if letter == "ß" else letter.upper() for letter in text)


class Scribe:
    """Writes a content down. What it leaves to chance it decides once for the whole document."""

    def __init__(
        self, rng: random.Random, style: Mapping[str, str], author: Author, content: Content
    ) -> None:
        self.rng = rng
        self.style = style
        self.author = author
        self.content = content
        self.is_marked = style["suffix"] == ".md"
        self.bold = "'''" if style["name"] == "wiki" else "**" if self.is_marked else ""
        self.italic = (
            "''" if style["name"] == "wiki" else rng.choice("*_") if self.is_marked else ""
        )
        self.colon = " :" if content.theme.language == "fr" else ":"
        self.bullet = rng.choice("-*") if self.is_marked else rng.choice("-•*")
        if style["name"] == "wiki":
            self.bullet = "*"
        self.level = rng.randint(2, 5)
        if style["text"] == "rich":
            self.level = rng.randint(2, 4)
        deepest = {"none": 1, "parts": 3}.get(style["chapters"], 2)
        self.level = max(self.level, deepest)
        self.pick = {
            "lead": rng.choice((".", ":", " –")),
            "paren": rng.choice("(["),
            "times": rng.choice((" x{n}", " ({n}x)", " × {n}")),
            "numbered": rng.choice(("{n}.", "{n})", "{n}.", "#{n}")),
            "packed": rng.choice((" | ", "; ", "  ", " / ")),
            "stats": rng.choice(("  ", " ", ", ", " | ")),
            "colons": rng.choice(("inside", "outside", "none")),
            "ends": rng.choice(("", "", "  ", "\\")) if self.is_marked else "",
            "rule": rng.choice("-=~*") if not self.is_marked else "-",
            "missing": rng.choice(("", "–", "-")),
            "chapter": rng.choice(("capitals", "underlined")),
        }
        chance = {
            key: rng.random() < share
            for key, share in (
                ("title", 0.8),
                ("intro", 0.6),
                ("emphasis", 0.4),
                ("labels_last", 0.2),
                ("effect", 0.25),
                ("numbers", 0.3),
                ("rules", 0.15),
                ("cards_bold", 0.7),
                ("vertical", 0.5),
                ("subs", 0.4),
            )
        }
        self.does = chance
        extras = style["extras"].split("+")
        self.has = {key: key in extras for key in ("toc", "front", "back", "index", "notes")}
        self.listed = {
            content.labels["cost"]: "cost",
            content.labels["copies"]: "count",
            content.labels["wholabel"]: "who",
            content.labels["type"]: "kind",
        }

    # The document

    def write_document(self) -> Iterator[Block]:
        content = self.content
        if self.does["title"] or self.has["front"]:
            yield from self.write_title(content.title)
        if self.does["intro"]:
            for _ in range(self.rng.randint(1, 4)):
                yield self.write_prose(self.author.write(2, 5, "intro"))
        if self.has["toc"]:
            yield from self.write_contents()
        if self.has["front"]:
            yield from self.write_aside("{front}", has_subs=True)
        self.number = 0
        for chapter in content.chapters:
            if chapter.part:
                yield from self.write_heading(chapter.part, self.level - 2)
            if chapter.title:
                yield from self.write_heading(chapter.title, self.level - 1)
            for text in chapter.intro:
                yield self.write_prose(text)
            yield from self.write_chapter(chapter)
        if self.has["notes"]:
            yield Block(f"[^1]: {self.author.say('{note}')}")
        if self.has["back"]:
            yield from self.write_aside("{back}", has_subs=False)
        if self.has["index"]:
            yield from self.write_index()

    def write_title(self, title: str) -> Iterator[Block]:
        if not self.is_marked:
            rule = "=" * 60
            yield Block(f"{rule}\n{title.center(60).rstrip()}\n{rule}")
        elif self.style["name"] == "wiki":
            yield Block(f"{self.bold}{title}{self.bold}")
        elif self.level > 2 or self.style["chapters"] == "none":
            yield Block(f"{title}\n{'=' * len(title)}" if self.is_setext else f"# {title}")

    @property
    def is_setext(self) -> bool:
        return self.style["name"] == "setext" and self.style["chapters"] == "none"

    def write_heading(self, title: str, level: int) -> Iterator[Block]:
        """The heading of a chapter, which looks like no name of a card."""
        name = self.style["name"]
        if name == "wiki":
            signs = "=" * max(level, 1)
            yield Block(f"{signs} {title} {signs}")
        elif name == "setext" and level >= 1:
            yield Block(f"{title}\n{'=' * len(title)}")
        elif self.is_marked:
            yield Block(f"{'#' * max(level, 1)} {title}")
        elif self.pick["chapter"] == "capitals" and not self.has_capitals:
            yield Block(set_capitals(title))
        else:
            yield Block(f"{set_capitals(title)}\n{'=' * len(title)}")

    @property
    def has_capitals(self) -> bool:
        return self.style["name"] in ("capitals", "spaced", "capital-lead") or (
            self.style["chapters"] == "parts"
        )

    def write_aside(self, pattern: str, *, has_subs: bool) -> Iterator[Block]:
        """A chapter without cards."""
        yield from self.write_heading(self.author.say(pattern), self.level - 1)
        for _ in range(self.rng.randint(1, 3)):
            yield self.write_prose(self.author.write(2, 5, "intro"))
        is_headed = self.style["name"] == "heading" and self.style["labels"] != "none"
        if has_subs and is_headed and self.does["subs"]:
            for title in self.rng.sample(self.author.slots["subs"], 2):
                yield Block(f"{'#' * self.level} {title}")
                yield self.write_prose(self.author.write(2, 4, "intro"))

    def write_contents(self) -> Iterator[Block]:
        yield from self.write_heading(self.author.say("{contents}"), self.level - 1)
        page = 3
        for at, name in enumerate(self.list_titles()):
            page += self.rng.randint(0, 2)
            if self.style["name"] == "wiki":
                line = f"* [[#{name}|{name}]]"
            elif self.is_marked:
                line = f"{self.bullet} [{name}](#{re.sub(r'[^a-z0-9]+', '-', name.lower())})"
            else:
                line = f"{name} ".ljust(50, ".") + f" {page}"
            yield Block(line, is_tight=at > 0)

    def list_titles(self) -> list[str]:
        titles = [chapter.title for chapter in self.content.chapters]
        return titles if len(titles) > 1 else [card.name for card in self.content.cards]

    def write_index(self) -> Iterator[Block]:
        yield from self.write_heading(self.author.say("{index}"), self.level - 1)
        for at, name in enumerate(sorted(card.name for card in self.content.cards)):
            page = self.rng.randint(4, 60)
            yield Block(f"{self.bullet * self.is_marked} {name}, {page}".strip(), is_tight=at > 0)

    def write_prose(self, text: str) -> Block:
        return Block(text, is_prose=True)

    def write_chapter(self, chapter: Chapter) -> Iterator[Block]:
        if self.style["form"] == "table":
            yield from self.write_table(chapter.cards)
            return
        write = self.write_lead if self.style["form"] == "leads" else self.write_entry
        self.first = chapter.cards[0]
        for card in chapter.cards:
            self.number += 1
            if (
                card is not self.first
                and self.does["rules"]
                and self.style["form"] == "entries"
                and self.is_marked
            ):
                yield Block({"setext": "* * *", "wiki": "----"}.get(self.style["name"], "---"))
            yield from write(card)

    # A card with its name on a line

    def write_entry(self, card: Entry) -> Iterator[Block]:
        yield from self.write_name(card)
        stands_below = (
            self.style["name"] in ("title", "capitals", "bold") and self.pick["ends"] == ""
        )
        below = self.style["subtitle"]
        if card.subtitle:
            forms = {"italic": f"{self.italic}{{}}{self.italic}", "bracket": "({})", "plain": "{}"}
            form = (
                forms[below] if "(" not in card.subtitle else forms[below].replace("({})", "[{}]")
            )
            yield Block(form.format(card.subtitle), is_tight=stands_below and not self.is_marked)
        if self.style["cost"] == "line":
            yield Block(card.cost)
        if card.who and self.style["who"] == "line":
            yield Block(f"{self.italic}{card.who}{self.italic}")
        labels = list(self.write_labels(self.list_labels(card)))
        stats = list(self.write_stats(card.stats))
        text = list(self.write_text(card))
        if self.style["stats"] == "torn" and self.does["subs"]:
            text.append(stats.pop())
        last = self.does["labels_last"] and self.style["labels"] != "definition"
        last = last and self.style["text"] != "sections"
        yield from [*stats, *text, *labels] if last else [*labels, *stats, *text]

    def write_name(self, card: Entry) -> Iterator[Block]:
        name = self.mark_name(card)
        form = self.style["name"]
        length = len(name)
        if form == "heading":
            yield Block(f"{'#' * self.level} {name}")
        elif form == "numbered-heading":
            mark = self.pick["numbered"].format(n=self.number)
            yield Block(f"{'#' * self.level} {mark} {name}")
        elif form == "card-number":
            word = {"en": "Card", "de": "Karte", "fr": "Carte"}[self.content.theme.language]
            yield Block(f"{'#' * self.level} {word} {self.number}{self.colon} {name}")
        elif form == "setext":
            yield Block(f"{name}\n{'-' * length}")
        elif form == "wiki":
            signs = "=" * self.level
            yield Block(f"{signs} {name} {signs}")
        elif form == "bold":
            yield Block(f"**{name}**")
        elif form == "spaced":
            words = set_capitals(name).split()
            yield Block("   ".join(" ".join(word) for word in words))
        elif form == "underlined":
            yield Block(f"{name}\n{self.pick['rule'].replace('=', '-') * length}")
        elif form == "numbered":
            yield Block(f"{self.pick['numbered'].format(n=self.number)} {name}")
        else:
            yield Block(name)

    def mark_name(self, card: Entry) -> str:
        """The name with what stands on its line: the cost and the copies."""
        copies = ""
        if card.count > 1 and self.style["count"] == "times":
            copies = self.pick["times"].replace("{n}", str(card.count))
        elif card.count > 1 and self.style["count"] == "copies":
            copies = f" ({card.count} {_COPIES[self.content.theme.language]})"
        has_capitals = self.style["name"] in ("capitals", "capital-lead")
        bare = set_capitals(card.name) if has_capitals else card.name
        name = bare + copies
        if card.count > 1 and self.style["count"] == "before":
            name = f"{card.count}x {bare}"
        kind = self.style["cost"]
        if kind == "paren":
            opening = self.pick["paren"]
            return f"{name} {opening}{card.cost}{')' if opening == '(' else ']'}"
        if kind == "dash":
            return f"{name} – {card.cost}"
        if kind == "dots":
            return f"{name} ".ljust(52, ".") + f" {card.cost}"
        if kind == "corner":
            return name.ljust(52) + f"    {card.cost}"
        return name

    def list_labels(self, card: Entry) -> list[tuple[str, str]]:
        """The short labels of a card in the order of this document."""
        words = self.content.labels
        first, last = [], []
        if card.kind:
            first.append((words["type"], card.kind))
        if card.cost and self.style["cost"] == "label":
            last.append((words["cost"], card.cost))
        if card.count > 1 and self.style["count"] == "label":
            last.append((words["copies"], str(card.count)))
        if card.who and self.style["who"] == "label":
            last.append((words["wholabel"], card.who))
        return [*first, *card.labels, *last] if self.does["vertical"] else [
            *last, *first, *card.labels]  # fmt: skip

    def mark_label(self, label: str, value: str) -> str:
        if not self.bold or self.style["labels"] == "plain":
            return f"{label}{self.colon} {value}"
        colons = self.pick["colons"] if self.style["labels"] == "bullets" else "inside"
        if self.pick["colons"] == "outside":
            colons = "outside"
        forms = {
            "inside": "{b}{l}{c}{b} {v}",
            "outside": "{b}{l}{b}{c} {v}",
            "none": "{b}{l}{b} {v}",
        }
        return forms[colons].format(b=self.bold, l=label, c=self.colon, v=value)

    def write_labels(self, labels: list[tuple[str, str]]) -> Iterator[Block]:
        form = self.style["labels"]
        if not labels:
            return
        if form == "packed":
            yield Block(self.pick["packed"].join(self.mark_label(*pair) for pair in labels))
        elif form == "table" and self.does["vertical"]:
            rows = [f"| {label} | {value} |" for label, value in labels]
            yield Block("\n".join(["|   |   |", "|---|---|", *rows]))
        elif form == "table":
            yield Block(_write_pipes([[pair[0] for pair in labels], [pair[1] for pair in labels]]))
        elif form == "definition":
            for label, value in labels:
                yield Block(f"{label}\n: {value}")
        else:
            mark = f"{self.bullet} " if form == "bullets" else ""
            ends = self.pick["ends"] if not mark else ""
            for at, pair in enumerate(labels):
                end = ends if at + 1 < len(labels) else ""
                yield Block(f"{mark}{self.mark_label(*pair)}{end}", is_tight=at > 0)

    def write_stats(self, stats: tuple[tuple[str, str], ...]) -> Iterator[Block]:
        form = self.style["stats"]
        if not stats:
            return
        names, values = [pair[0] for pair in stats], [pair[1] for pair in stats]
        if form == "line":
            colon = self.colon if self.pick["colons"] == "outside" else ""
            yield Block(self.pick["stats"].join(f"{name}{colon} {v}" for name, v in stats))
        elif form == "table":
            yield Block(_write_pipes([names, values]))
        elif form == "rows":
            widths = [max(len(name), len(v)) + 3 for name, v in stats]
            lines = ("".join(t.ljust(w) for t, w in zip(row, widths, strict=True)).rstrip()
                     for row in (names, values))  # fmt: skip
            yield Block("\n".join(lines))
        elif self.does["vertical"]:
            yield Block("\n".join(names))
            yield Block("\n".join(values))
        else:
            yield Block(" ".join(names))
            yield Block(" ".join(values))

    def write_text(self, card: Entry) -> Iterator[Block]:
        has_sections = self.style["text"] == "sections"
        effect = self.content.labels["effect"]
        has_effect = has_sections or self.style["text"] == "effect"
        for at, part in enumerate(card.parts):
            lead = ""
            if at == 0 and has_sections:
                yield self.write_section(effect)
            elif at == 0 and has_effect and not part.is_flavour:
                lead = self.mark_label(effect, "")
            elif part.label and has_sections:
                yield self.write_section(part.label)
            elif part.label:
                lead = f"{self.bold}{part.label}.{self.bold} "
            yield from self.write_part(part, lead, opens=at == 0)

    def write_section(self, title: str) -> Block:
        if self.style["name"] == "wiki":
            return Block(f"{'=' * (self.level + 1)} {title} {'=' * (self.level + 1)}")
        return Block(f"{'#' * (self.level + 1)} {title}")

    def write_part(self, part: Part, lead: str, *, opens: bool) -> Iterator[Block]:
        if part.is_flavour:
            if self.is_marked:
                sign = self.italic
                yield Block(f"> {part.text}" if self.does["rules"] else f"{sign}{part.text}{sign}")
            else:
                yield Block(f"“{part.text}”", is_prose=True)
            return
        text = lead + self.emphasise(part.text)
        yield Block(text, is_prose=True, opens=opens and not lead)
        for at, item in enumerate(part.items):
            yield Block(f"{self.bullet} {item}", is_prose=True, is_tight=at > 0, hang="  ")

    def emphasise(self, text: str) -> str:
        """Set a word in bold or italics here and there, and a footnote's mark."""
        rng = self.rng
        words = text.split(" ")
        if self.is_marked and self.does["emphasis"] and rng.random() < 0.5:
            at = rng.randrange(len(words))
            if words[at].isalpha() and len(words[at]) > 3:
                sign = rng.choice((self.bold, self.italic))
                words[at] = f"{sign}{words[at]}{sign}"
        if self.has["notes"] and rng.random() < 0.1:
            words[-1] += "[^1]"
        return " ".join(words)

    # A card with its name at the start of its text

    def write_lead(self, card: Entry) -> Iterator[Block]:
        form = self.style["name"]
        name = self.mark_name(card)
        first, *others = card.parts
        text = self.emphasise(first.text)
        stop = self.pick["lead"]
        stop = self.colon if stop == ":" else stop
        leads: dict[str, Callable[[], str]] = {
            "bold-lead": lambda: f"**{name}{stop}** " if stop != " –" else f"**{name}** – ",
            "italic-lead": lambda: f"***{name}.*** ",
            "list-lead": lambda: f"{self.bullet} **{name}{self.colon}** ",
            "numbered-lead": lambda: f"{self.number}. **{name}**{stop} ",
            "capital-lead": lambda: f"{name}{stop} ",
            "colon": lambda: f"{name}{self.colon} ",
            "dash": lambda: f"{name} – ",
        }
        if form == "gap":
            yield from self.write_beside(card, text)
            return
        if form == "term":
            yield Block(name)
            yield Block(f":   {text}", is_prose=True, is_tight=True, hang="    ")
            return
        hang = {"list-lead": "  ", "numbered-lead": "    "}.get(form, "")
        if not self.is_marked and self.does["vertical"]:
            hang = "    "
        is_item = form in ("list-lead", "numbered-lead")
        is_tight = is_item and card is not self.first
        yield Block(leads[form]() + text, is_prose=True, hang=hang, is_tight=is_tight)
        labels = self.list_labels(card)
        if form == "list-lead":
            for pair in labels:
                yield Block(f"  {self.bullet} {self.mark_label(*pair)}", is_tight=True)
        else:
            for block in self.write_labels(labels):
                yield Block(block.text, is_tight=form == "bold-lead" and not self.is_marked)
        for part in others:
            yield Block(part.text, is_prose=True)

    def write_beside(self, card: Entry, text: str) -> Iterator[Block]:
        """The name in a column of its own, the text in another."""
        width = max(len(self.mark_name(other)) for other in self.content.cards) + 4
        lead = self.mark_name(card).ljust(width)
        yield Block(lead + text, is_prose=True, hang=" " * width)

    # Tables

    def write_table(self, cards: tuple[Entry, ...]) -> Iterator[Block]:
        words = self.content.labels
        labels = list(
            dict.fromkeys(label for card in self.content.cards for label, _ in card.labels)
        )
        has = {
            "#": self.does["numbers"],
            words["namehead"]: True,
            words["type"]: any(card.kind for card in self.content.cards),
            words["copies"]: any(card.count > 1 for card in self.content.cards),
            **dict.fromkeys(labels, True),
            words["cost"]: self.style["cost"] != "none",
            words["wholabel"]: any(card.who for card in self.content.cards),
            words["effect"]: True,
        }
        heads = [head for head, is_there in has.items() if is_there]
        rows = []
        for card in cards:
            self.number += 1
            values = dict(card.labels)
            missing = self.pick["missing"]
            row = {label: values.get(label, missing) for label in labels} | {
                "#": str(self.number),
                words["namehead"]: card.name,
                words["type"]: card.kind,
                words["copies"]: str(card.count),
                words["cost"]: card.cost,
                words["wholabel"]: card.who or missing,
                words["effect"]: card.parts[0].text,
            }
            rows.append([row[head] for head in heads])
        bold = self.bold if self.does["cards_bold"] else ""
        at = heads.index(words["namehead"])
        form = self.style["name"]
        if form in ("pipes", "wrapped-pipes", "wikitable"):
            rows = [[*row[:at], f"{bold}{row[at]}{bold}", *row[at + 1 :]] for row in rows]
        yield Block(_TABLES[form]([heads, *rows]))


def _write_pipes(rows: list[list[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _wrap_cells(row: list[str], widths: list[int]) -> list[list[str]]:
    """The lines of a row whose cells are wrapped."""
    cells = [_wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, cells))
    return [[cell[at] if at < len(cell) else "" for cell in cells] for at in range(height)]


def _wrap(text: str, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _measure(rows: list[list[str]]) -> list[int]:
    """The widths of columns: the longest word, and enough for most cells."""
    widths = []
    for column in zip(*rows, strict=True):
        longest = max(len(word) for cell in column for word in cell.split() or [""])
        widths.append(max(longest, min(max(map(len, column)), 28 if len(column) else 0)))
    widths[-1] = max(widths[-1], 40)
    return widths


def _write_wrapped_pipes(rows: list[list[str]]) -> str:
    widths = _measure(rows)
    lines = []
    for row in rows:
        for cells in _wrap_cells(row, widths):
            padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
            lines.append(f"| {' | '.join(padded)} |")
        if row is rows[0]:
            lines.append("|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _write_grid(rows: list[list[str]]) -> str:
    widths = _measure(rows)
    rules = {sign: "+" + "+".join(sign * (w + 2) for w in widths) + "+" for sign in "-="}
    lines = [rules["-"]]
    for row in rows:
        for cells in _wrap_cells(row, widths):
            padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
            lines.append(f"| {' | '.join(padded)} |")
        lines.append(rules["=" if row is rows[0] else "-"])
    return "\n".join(lines)


def _write_ruled(rows: list[list[str]]) -> str:
    """A table with wide gaps, its rows parted by empty lines, between rules."""
    widths = _measure(rows)
    rule = "-" * (sum(widths) + 2 * len(widths) - 2)
    lines = [rule]
    for row in rows:
        for cells in _wrap_cells(row, widths):
            padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=True)]
            lines.append("  ".join(padded).rstrip())
        lines.append("  ".join("-" * width for width in widths) if row is rows[0] else "")
    return "\n".join([*lines[:-1], rule])


def _write_wikitable(rows: list[list[str]]) -> str:
    heads, *others = rows
    lines = ['{| class="wikitable"', "! " + " !! ".join(heads)]
    for row in others:
        lines += ["|-", "| " + " || ".join(row)]
    return "\n".join([*lines, "|}"])


_TABLES: Mapping[str, Callable[[list[list[str]]], str]] = {
    "pipes": _write_pipes,
    "wrapped-pipes": _write_wrapped_pipes,
    "grid": _write_grid,
    "ruled": _write_ruled,
    "wikitable": _write_wikitable,
    "tabs": lambda rows: "\n".join("\t".join(row) for row in rows),
}
