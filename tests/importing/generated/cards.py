"""A card written down in one style: its name, labels and text, set as lines."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .content import Content, Entry, Part
from .tables import write_pipes

_COPIES = {"en": "copies", "de": "Exemplare", "fr": "exemplaires"}
_CARD = {"en": "Card", "de": "Karte", "fr": "Carte"}
_ROMANS = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Block:
    """Lines that stay together. Prose may be wrapped, with `hang` before the lines that follow.

    A block that opens a text may begin with a large capital; an inner one may be indented.
    """

    text: str
    is_prose: bool = False
    is_tight: bool = False
    is_inner: bool = False
    opens: bool = False
    hang: str = ""


def set_capitals(text: str) -> str:
    return "".join(letter if letter == "ß" else letter.upper() for letter in text)


def write_roman(number: int) -> str:
    for value, sign in _ROMANS:
        if number >= value:
            return sign + write_roman(number - value)
    return ""


class Hand:
    """Writes cards. What a style leaves to chance is decided once for the whole document."""

    def __init__(self, rng: random.Random, style: Mapping[str, str], content: Content) -> None:
        self.rng = rng
        self.style = style
        self.content = content
        self.number = 0
        self.is_marked = style["suffix"] == ".md"
        self.is_wiki = style["name"] == "wiki"
        self.bold = "'''" if self.is_wiki else "**" if self.is_marked else ""
        self.italic = "''" if self.is_wiki else rng.choice("*_") if self.is_marked else ""
        self.colon = rng.choice((" :", "\u00a0:")) if style["language"] == "fr" else ":"
        self.bullet = rng.choice("-*") if self.is_marked else rng.choice("-•*")
        if self.is_wiki:
            self.bullet = "*"
        deepest = {"none": 1, "parts": 3}.get(style["chapters"], 2)
        self.level = max(rng.randint(2, 4 if style["text"] != "some" else 5), deepest)
        self.picked = {
            "closed": rng.choice(("", "", "", "closed", "bold")),
            "copies": rng.choice((" x{n}", " ({n}x)", " × {n}")),
            "decorated": rng.choice(("*** {} ***", ">> {}", "[ {} ]", "~ {} ~", "== {} ==")),
            "ends": rng.choice(("", "", "  ", "\\")) if self.is_marked else "",
            "label": rng.choice(("inside", "inside", "outside", "italic")),
            "lead": rng.choice((".", self.colon, " –")),
            "numbered": rng.choice(("{n}.", "{n})", "#{n}", "{r}.", "{c} {n}" + self.colon)),
            "packed": rng.choice((" | ", "; ", "  ", " / ")),
            "paren": rng.choice(("({})", "[{}]")),
            "rule": rng.choice("-~*") if not self.is_marked else "-",
            "stats": rng.choice(("  ", " ", ", ", " | ")),
            "title": rng.choice(("", "", self.colon)),
        }
        chances = {
            "bare_labels": 0.3,  # No colon after a bold label in a list.
            "capital_labels": 0.15,
            "cost_outside": 0.4,
            "emphasis": 0.4,
            "labels_last": 0.2,
            "quoted": 0.3,
            "rules": 0.15,
            "tight_subtitle": 0.4,
            "torn_apart": 0.3,
            "turned": 0.5,
        }
        self.does = {key: rng.random() < chance for key, chance in chances.items()}
        if "missing" in style["noise"]:
            self.does["rules"] = False  # A rule right under a text would make it a heading.

    def write_card(self, card: Entry, *, is_first: bool) -> Iterator[Block]:
        self.number += 1
        form = self.style["form"]
        if form == "leads":
            yield from self.write_lead(card, is_first=is_first)
            return
        if self.does["rules"] and not is_first and (self.is_marked or form == "records"):
            yield Block({"setext": "* * *", "wiki": "----"}.get(self.style["name"], "---"))
        name, *others = self.write_record(card) if form == "records" else self.write_entry(card)
        yield from [name, *(replace(block, is_inner=True) for block in others)]

    # A card with its name on a line

    def write_entry(self, card: Entry) -> Iterator[Block]:
        yield Block(self.set_name(self.mark_name(card)))
        if "pictures" in self.style["extras"]:
            path = "-".join("".join(s if s.isalnum() else " " for s in card.name.lower()).split())
            yield Block(f"![{card.name}](pictures/{path}.png)")
        if card.subtitle:
            form = self.style["subtitle"]
            forms = {"italic": f"{self.italic}{{}}{self.italic}", "bracket": "({})", "plain": "{}"}
            signs = "[{}]" if form == "bracket" and "(" in card.subtitle else forms[form]
            is_tight = self.does["tight_subtitle"] and self.style["name"] != "bold"
            is_tight = is_tight and "pictures" not in self.style["extras"]
            yield Block(signs.format(card.subtitle), is_tight=is_tight)
        if self.style["cost"] == "line":
            yield Block(card.cost)
        if card.who and self.style["who"] == "line":
            yield Block(f"{self.italic}{card.who}{self.italic}")
        labels = list(self.write_labels(self.list_labels(card)))
        stats = list(self.write_stats(card.stats))
        text = list(self.write_text(card))
        if self.style["stats"] == "torn" and self.does["torn_apart"]:
            text.append(stats.pop())
        last = self.does["labels_last"] and self.style["text"] != "sections"
        last = last and self.style["labels"] != "definition"
        yield from [*stats, *text, *labels] if last else [*labels, *stats, *text]

    def set_name(self, name: str) -> str:
        """The line of a name, or the two lines."""
        form = self.style["name"]
        number = self.picked["numbered"].format(
            n=self.number, r=write_roman(self.number), c=_CARD[self.style["language"]]
        )
        match form:
            case "heading" | "numbered-heading":
                text = f"{number} {name}" if form == "numbered-heading" else name
                signs = "#" * self.level
                closed = self.picked["closed"]
                text = f"**{text}**" if closed == "bold" else text
                return f"{signs} {text} {signs}" if closed == "closed" else f"{signs} {text}"
            case "wiki":
                return f"{'=' * self.level} {name} {'=' * self.level}"
            case "setext":
                return f"{name}\n{'-' * len(name)}"
            case "underlined":
                return f"{name}\n{self.picked['rule'] * len(name)}"
            case "bold":
                return f"**{name}**"
            case "spaced":
                return "   ".join(" ".join(word) for word in set_capitals(name).split())
            case "centred":
                return name.center(int(self.style["wrap"])).rstrip()
            case "decorated":
                return self.picked["decorated"].format(name)
            case "numbered":
                return f"{number} {name}"
            case "title" if self.style["cost"] not in ("dots", "corner"):
                return name + self.picked["title"]
        return name

    def mark_name(self, card: Entry) -> str:
        """The name with what stands on its line: the cost and the copies."""
        has_capitals = self.style["name"] in ("capitals", "capital-lead", "centred")
        name = set_capitals(card.name) if has_capitals else card.name
        form = self.style["count"] if card.count > 1 else ""
        if form == "before":
            name = f"{card.count}x {name}"
        elif form == "times":
            name += self.picked["copies"].format(n=card.count)
        elif form == "copies":
            name += f" ({card.count} {_COPIES[self.style['language']]})"
        match self.style["cost"]:
            case "paren":
                return f"{name} {self.picked['paren'].format(card.cost)}"
            case "dash":
                return f"{name} – {card.cost}"
            case "dots":
                return f"{name} ".ljust(52, ".") + f" {card.cost}"
            case "corner":
                return name.ljust(52) + f"    {card.cost}"
        return name

    def write_record(self, card: Entry) -> Iterator[Block]:
        """The name as the first of the labels, the text as the last."""
        words = self.content.labels
        pairs = [(words["namehead"], card.name), *self.list_labels(card)]
        for at, pair in enumerate(pairs):
            end = self.picked["ends"]
            yield Block(self.mark_label(*pair) + end, is_tight=at > 0)
        for at, part in enumerate(card.parts):
            lead = self.mark_label(words["effect"], "") if at == 0 else ""
            yield Block(lead + part.text, is_prose=True, is_tight=at == 0)

    # Labels and stats

    def list_labels(self, card: Entry) -> list[tuple[str, str]]:
        """The short labels of a card in the order of this document."""
        words = self.content.labels
        known = []
        if card.cost and self.style["cost"] == "label":
            known.append((words["cost"], card.cost))
        if card.count > 1 and self.style["count"] == "label":
            known.append((words["copies"], str(card.count)))
        if card.who and self.style["who"] == "label":
            known.append((words["wholabel"], card.who))
        kind = [(words["type"], card.kind)] if card.kind else []
        if self.does["turned"]:
            return [*kind, *card.labels, *known]
        return [*known, *kind, *card.labels]

    def mark_label(self, label: str, value: str) -> str:
        form = self.style["labels"]
        if not self.is_marked and self.does["capital_labels"]:
            label = set_capitals(label)
        if not self.bold or form == "plain":
            return f"{label}{self.colon} {value}"
        if form == "bullets" and self.does["bare_labels"]:
            return f"{self.bold}{label}{self.bold} {value}"
        match self.picked["label"]:
            case "outside":
                return f"{self.bold}{label}{self.bold}{self.colon} {value}"
            case "italic":
                return f"{self.italic}{label}{self.colon}{self.italic} {value}"
        return f"{self.bold}{label}{self.colon}{self.bold} {value}"

    def write_labels(self, labels: Pairs) -> Iterator[Block]:
        form = self.style["labels"]
        if not labels:
            return
        width = max(len(label) for label, _ in labels) + 3
        match form:
            case "packed":
                line = self.picked["packed"].join(self.mark_label(*pair) for pair in labels)
                yield Block(line, is_prose=not self.is_marked)
            case "table" if self.does["turned"]:
                rows = [f"| {label} | {value} |" for label, value in labels]
                yield Block("\n".join(["|   |   |", "|---|---|", *rows]))
            case "table":
                yield Block(write_pipes([*zip(*labels, strict=True)]))
            case "definition":
                for label, value in labels:
                    yield Block(f"{label}\n: {value}")
            case "aligned":
                yield Block("\n".join(label.ljust(width) + value for label, value in labels))
            case "dotted":
                lines = (f"{label} ".ljust(28, ".") + f" {value}" for label, value in labels)
                yield Block("\n".join(lines))
            case _:
                mark = f"{self.bullet} " if form == "bullets" else ""
                for at, pair in enumerate(labels):
                    end = self.picked["ends"] if not mark and at + 1 < len(labels) else ""
                    yield Block(f"{mark}{self.mark_label(*pair)}{end}", is_tight=at > 0)

    def write_stats(self, stats: Pairs) -> Iterator[Block]:
        if not stats:
            return
        rows = [*zip(*stats, strict=True)]
        match self.style["stats"]:
            case "line":
                colon = self.colon if self.picked["label"] == "outside" else ""
                parts = (f"{label}{colon} {value}" for label, value in stats)
                yield Block(self.picked["stats"].join(parts))
            case "table":
                yield Block(write_pipes(rows))
            case "rows":
                widths = [max(len(label), len(value)) + 3 for label, value in stats]
                for at, row in enumerate(rows):
                    cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                    yield Block("".join(cells).rstrip(), is_tight=at > 0)
            case _:
                gap = "\n" if self.does["turned"] else " "
                yield from (Block(gap.join(row)) for row in rows)

    # The text

    def write_text(self, card: Entry) -> Iterator[Block]:
        has_sections = self.style["text"] == "sections"
        has_effect = self.style["text"] == "effect"
        effect = self.content.labels["effect"]
        for at, part in enumerate(card.parts):
            lead = ""
            if has_sections and (at == 0 or part.label):
                signs = ("=" if self.is_wiki else "#") * (self.level + 1)
                title = part.label or effect
                yield Block(f"{signs} {title} {signs}" if self.is_wiki else f"{signs} {title}")
            elif has_effect and at == 0 and not part.is_flavour:
                lead = self.mark_label(effect, "")
            elif part.label:
                lead = f"{self.bold}{part.label}.{self.bold} "
            yield from self.write_part(part, lead, opens=at == 0 and not lead)

    def write_part(self, part: Part, lead: str, *, opens: bool) -> Iterator[Block]:
        if part.is_flavour and not self.is_marked:
            yield Block(f"“{part.text}”", is_prose=True)
        elif part.is_flavour and self.does["quoted"]:
            yield Block(f"> {part.text}")
        elif part.is_flavour:
            yield Block(f"{self.italic}{part.text}{self.italic}")
        else:
            yield Block(lead + self.emphasise(part.text), is_prose=True, opens=opens)
        if part.head:
            yield Block(write_pipes([row.split(" | ") for row in (part.head, *part.items)]))
            return
        mark = "" if part.is_ordered else f"{self.bullet} "
        for at, item in enumerate(part.items):
            yield Block(mark + item, is_prose=True, is_tight=at > 0, hang="   "[: len(mark) or 3])

    def emphasise(self, text: str) -> str:
        """Set a word in bold or italics here and there, and a footnote's mark."""
        rng = self.rng
        words = text.split(" ")
        if self.is_marked and self.does["emphasis"] and rng.random() < 0.5:
            at = rng.randrange(len(words))
            if words[at].isalpha() and len(words[at]) > 3:
                sign = rng.choice((self.bold, self.italic))
                words[at] = f"{sign}{words[at]}{sign}"
        if "notes" in self.style["extras"] and rng.random() < 0.1:
            words[-1] += "[^1]"
        return " ".join(words)

    # A card with its name at the start of its text

    def write_lead(self, card: Entry, *, is_first: bool) -> Iterator[Block]:
        form = self.style["name"]
        name = self.mark_name(card)
        if not card.parts:
            mark = f"{self.bullet} " if form == "item" else ""
            yield Block(mark + name, is_tight=not is_first)
            return
        first, *others = card.parts
        text = self.emphasise(first.text)
        if form == "tab":
            yield Block(f"{name}\t{text}", is_tight=not is_first)
            return
        if form == "gap":
            width = max(len(self.mark_name(other)) for other in self.content.cards) + 4
            yield Block(name.ljust(width) + text, is_prose=True, hang=" " * width)
            return
        if form == "term":
            yield Block(name)
            yield Block(f":   {text}", is_prose=True, is_tight=True, hang="    ")
            return
        is_item = form in ("list-lead", "numbered-lead", "item", "counted")
        hang = "    " if not self.is_marked and self.does["turned"] else ""
        hang = {"list-lead": "  ", "numbered-lead": "    ", "item": "  "}.get(form, hang)
        lead = self.set_lead(card, name)
        yield Block(lead + text, is_prose=True, is_tight=is_item and not is_first, hang=hang)
        labels = self.list_labels(card)
        if is_item:
            for pair in labels:
                yield Block(f"  {self.bullet} {self.mark_label(*pair)}", is_tight=True)
        else:
            yield from self.write_labels(labels)
        yield from (Block(part.text, is_prose=True) for part in others)

    def set_lead(self, card: Entry, name: str) -> str:
        stop = self.picked["lead"]
        cost = name[len(card.name) :]
        is_outside = cost and self.does["cost_outside"]
        match self.style["name"]:
            case "bold-lead" | "list-lead" | "numbered-lead" if is_outside:
                lead = f"**{card.name}**{cost}{stop} "
            case "bold-lead" | "list-lead" | "numbered-lead":
                lead = f"**{name}** – " if stop == " –" else f"**{name}{stop}** "
            case "italic-lead":
                lead = f"***{name}.*** "
            case "colon" | "item" | "counted":
                lead = f"{name}{self.colon} "
            case "dash":
                lead = f"{name} – "
            case _:
                lead = f"{name}{stop} "
        if self.style["name"] in ("list-lead", "item"):
            return f"{self.bullet} {lead}"
        return (
            f"{self.number}. {lead}" if self.style["name"] in ("numbered-lead", "counted") else lead
        )
