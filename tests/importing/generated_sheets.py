"""Play sheets made from a seed: a text in one of many ways of typing, and the pieces it holds.

Each of twelve shapes writes one section in several ways: how cells are parted, headings printed and
lines wrapped is drawn by the seed, so that thousands of sheets exist and none can be tuned to.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from random import Random
from typing import NamedTuple


class Section(NamedTuple):
    """Lines as somebody may have typed them, and the pieces that they are."""

    lines: list[str]
    pieces: list[str]


class GeneratedSheet(NamedTuple):
    text: str
    pieces: list[str]


class Words(NamedTuple):
    """What a sheet in one language, of one trade, is made of."""

    titles: tuple[str, ...]
    headings: tuple[str, ...]
    things: tuple[str, ...]
    units: tuple[str, ...]
    reasons: tuple[str, ...]
    events: tuple[str, ...]
    sentences: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    steps: tuple[str, ...]
    columns: tuple[str, ...]
    decimal: str
    die: str


_WAR = Words(
    ("The Salt Road", "Lords of the Marsh", "Banner and Drum"),
    ("Marching", "Archery", "Courage", "Weather", "Supplies", "Scouting", "Rally", "Charges"),
    ("Spearmen", "Hill riders", "Camel scouts", "Slingers", "Ox carts", "War dogs", "Old guard"),
    ("cm", "paces", '"', "dice"),
    ("behind a hedge", "tired", "for each lost file", "in the first round", "after dusk",
     "led by a captain", "uphill"),
    ("The file stands still.", "2 figures run for their lives.", "Panic! Everybody turns back.",
     "Nothing of note.", "3 carts are lost in the mud, and the road is closed for the night.",
     "A captain rides over and puts heart into them."),
    ("A file that is shot at from two sides at once stops where it is and loses its next order.",
     "Nobody crosses the marsh at night.",
     "Carts keep to the road. When the road is closed they wait for the next morning."),
    (("Draw", "both files step back and may be ordered again."),
     ("Lost drum", "the file takes no orders until somebody brings another."),
     ("Night", "nobody sees farther than the next hedge.")),
    ("Roll for the weather", "Give orders", "March", "Shoot", "Count the lost", "Rally"),
    ("Troop", "March", "Reach", "Price"), ".", "D6",
)  # fmt: skip
_KITCHEN = Words(
    ("The Small Baker", "Pots and Pans", "Sunday Bread"),
    ("Doughs", "Baking", "Proving", "Storing", "Glazes", "Mishaps", "Fillings", "Shapes"),
    ("White loaf", "Rye", "Plum tart", "Bread rolls", "Sponge", "Milk buns", "Flat bread"),
    ("g", "minutes", "ml", "°C"),
    ("with rye flour", "on a cold day", "for each egg", "in a steel tin", "with fresh yeast",
     "if the oven is small", "at the top"),
    ("The crust is pale.", "2 rolls are burnt.", "It falls together when the door opens.",
     "All is well.", "4 spoons of water are missing, and the dough tears when it is pulled.",
     "It rises twice as high as it should."),
    ("Flour from another mill may take more water, so hold back a little of it at first.",
     "Do not open the door early.",
     "Let the loaf cool on a grid. Cut it only when the base sounds hollow and feels cool."),
    (("Too wet", "dust the board and fold the dough three times."),
     ("Too dry", "wet your hands and knead on."),
     ("No rise", "put the bowl into warm water and wait for another hour.")),
    ("Weigh the flour", "Mix", "Knead", "Let it rest", "Shape", "Bake"),
    ("Bread", "Flour", "Water", "Salt"), ".", "D6",
)  # fmt: skip
_FLIGHT = Words(
    ("Glider Card", "Twin Engine Card", "Balloon Notes"),
    ("Speeds", "Before Landing", "Radio", "Loading", "Ice", "Fuel", "Winch", "Signals"),
    ("Best glide", "Stall", "Rough air", "Flaps out", "Gear down", "Short field", "Tow"),
    ("kt", "m", "kg", "ft"),
    ("in rain", "with a second pilot", "for each ten degrees", "on wet grass", "above the cloud",
     "without flaps", "at full load"),
    ("The cable holds.", "2 calls stay unanswered.", "The needle sticks at zero.",
     "No change.", "3 knots are lost at once, and the nose has to go down without delay.",
     "The tower gives another runway."),
    ("With ice on the wings the stall comes early, and no horn will tell of it beforehand.",
     "Never turn back below the trees.",
     "Tell the tower early. Who has no radio rocks his wings and waits for a green light."),
    (("Red light", "go round and look for the other traffic."),
     ("No radio", "cross the field high and watch the tower."),
     ("Flat tyre", "land on the grass beside the runway.")),
    ("Straps tight", "Controls free", "Set trim", "Check the wind", "Close canopy", "Wave"),
    ("Case", "Speed", "Height", "Load"), ".", "D8",
)  # fmt: skip
_GERMAN = Words(
    ("Burg am Moor", "Wölfe und Winter", "Die Lange Fähre"),
    ("Vorrat", "Wetter", "Jagd", "Lager", "Handel", "Wege", "Wachen", "Heilung"),
    ("Bogenschützen", "Knechte", "Schwere Reiter", "Fährleute", "Wölfe", "Händler", "Späher"),
    ("cm", "Felder", "kg", "Taler"),
    ("bei Nacht", "im tiefen Schnee", "je Verwundeter", "mit gutem Führer", "ohne Feuer",
     "auf der Straße", "hinter Wällen"),
    ("Die Wache schläft ein.", "2 Knechte laufen davon.", "Das Eis bricht. Alle müssen zurück.",
     "Nichts geschieht.", "3 Säcke Korn verderben, und im Lager wird gehungert bis zum Morgen.",
     "Ein Händler kommt des Weges."),
    ("Wer im Schnee lagert und kein Feuer hat, verliert in jeder Nacht einen Punkt Wärme.",
     "Fähren fahren nur am Tag.",
     "Vorräte werden am Abend gezählt. Wer nichts mehr hat, darf am nächsten Tag nicht jagen."),
    (("Gleichstand", "beide weichen und warten auf den nächsten Zug."),
     ("Nebel", "niemand sieht weiter als bis zum nächsten Feld."),
     ("Tauwetter", "das Eis trägt keine Karren mehr.")),
    ("Wetter auswürfeln", "Vorräte zählen", "Ziehen", "Jagen", "Handeln", "Lagern"),
    ("Truppe", "Weg", "Last", "Preis"), ",", "W6",
)  # fmt: skip
_FRENCH = Words(
    ("La Route du Sel", "Loups et Moulins", "Le Grand Marais"),
    ("Vivres", "Marche", "Chasse", "Marché", "Météo", "Repos", "Guet", "Soins"),
    ("Archers", "Cavaliers lourds", "Mulets", "Passeurs", "Guides", "Loups gris", "Marchands"),
    ("cm", "cases", "kg", "sous"),
    ("de nuit", "dans la neige", "par blessé", "avec un guide", "sans feu", "sur la route",
     "derrière un mur"),
    ("La garde s'endort.", "2 mulets se sauvent.", "La glace cède. Tous reviennent au camp.",
     "Rien ne se passe.", "3 sacs de grain sont perdus, et le camp a faim jusqu'au matin.",
     "Un marchand passe par là."),
    ("Qui dort dans la neige sans feu perd un point de chaleur à la fin de chaque nuit.",
     "Le bac ne passe que de jour.",
     "On compte les vivres le soir. Celui qui n'en a plus ne chasse pas le jour suivant."),
    (("Égalité", "les deux reculent et attendent le tour suivant."),
     ("Brume", "personne ne voit plus loin que la case voisine."),
     ("Dégel", "la glace ne porte plus les mulets.")),
    ("Tirer la météo", "Compter les vivres", "Marcher", "Chasser", "Vendre", "Dormir"),
    ("Troupe", "Marche", "Charge", "Prix"), ",", "D6",
)  # fmt: skip
TRADES = (_WAR, _KITCHEN, _FLIGHT, _GERMAN, _FRENCH)
_WIDTH = 58


class Writer:
    """Draws words and ways of typing; keeps to one way within a sheet, as people do."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.words = self.random.choice(TRADES)
        self.bullet = self.random.choice("-*•")
        self.minus = self.random.choice("---–−")

    def draw(self, words: tuple[str, ...], least: int = 3, most: int = 5) -> list[str]:
        return self.random.sample(words, min(len(words), self.random.randint(least, most)))

    def draw_values(self, count: int) -> list[str]:
        unit = self.random.choice(self.words.units)
        gap = "" if unit in ('"', "cm") or (self.random.random() < 0.3 and len(unit) < 3) else " "
        values = []
        for _ in range(count):
            whole = str(self.random.randint(2, 95))
            if self.random.random() < 0.25 and unit not in ("dice", "paces"):
                whole += f"{self.words.decimal}5"
            values.append(f"{whole}{gap}{unit}")
        return values

    def draw_signs(self, count: int) -> list[str]:
        return [
            f"{self.random.choice(('+', self.minus))}{self.random.randint(1, 3)}"
            for _ in range(count)
        ]

    def wrap(self, text: str, first: str = "", rest: str = "") -> list[str]:
        return textwrap.wrap(
            text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        )


def write_aligned(writer: Writer) -> Section:
    """Labels, and values at a column or behind dots."""
    labels = writer.draw(writer.words.things)
    values = writer.draw_values(len(labels))
    dot = writer.random.choice((" ", "."))
    lines = [f"{label} {'':{dot}<{26 - len(label)}} {value}"
             for label, value in zip(labels, values, strict=True)]  # fmt: skip
    return Section(lines, _join_rows(labels, values))


def write_tabbed(writer: Writer) -> Section:
    labels = writer.draw(writer.words.things)
    values = writer.draw_values(len(labels))
    return Section([f"{a}\t{b}" for a, b in zip(labels, values, strict=True)],
                   _join_rows(labels, values))  # fmt: skip


def write_labelled(writer: Writer) -> Section:
    """`Label: value`, with bullets or without."""
    labels = writer.draw(writer.words.things)
    values = writer.draw_values(len(labels))
    sign = writer.random.choice(("", f"{writer.bullet} "))
    form = writer.random.choice(("{}: {}", "{}: {}", "**{}:** {}", "{} = {}"))
    lines = [sign + form.format(a, b) for a, b in zip(labels, values, strict=True)]
    return Section(lines, _join_rows(labels, values))


def write_bare(writer: Writer) -> Section:
    """A label and its value with a single blank between them."""
    labels = writer.draw(writer.words.things)
    values = writer.draw_values(len(labels))
    return Section(_join_rows(labels, values, " "), _join_rows(labels, values))


def write_grid(writer: Writer) -> Section:
    """Several figures for each thing, below a head."""
    things = writer.draw(writer.words.things)
    figures = [[str(writer.random.randint(1, 30)) for _ in range(3)] for _ in things]
    rows = [list(writer.words.columns), *([a, *b] for a, b in zip(things, figures, strict=True))]
    way = writer.random.choice(("blanks", "tabs", "bars"))
    if way == "tabs":
        lines = ["\t".join(row) for row in rows]
    elif way == "blanks":
        lines = [f"{row[0]:20}" + "".join(f"{cell:10}" for cell in row[1:]) for row in rows]
    else:
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, "|---|--:|--:|--:|")
    return Section([line.rstrip() for line in lines], [" | ".join(row) for row in rows])


def write_dice(writer: Writer) -> Section:
    """A number or a range, and what happens then; texts may begin with a figure and be wrapped."""
    keys = writer.random.choice(
        (("1", "2-3", "4-5", "6"), ("1-2", "3-4", "5-6"), ("2-4", "5-7", "8-9", "10-12"),
         ("1", "2–5", "6+"))
    )  # fmt: skip
    texts = writer.random.sample(writer.words.events, len(keys))
    way = writer.random.choice(("blank", "wide", "tab", "dot", "colon", "dash", "bullet"))
    signs = {"blank": " ", "wide": "", "tab": "\t", "dot": ". ", "colon": ": ", "dash": " - ",
             "bullet": ": "}  # fmt: skip
    lines, pieces = [], []
    for key, text in zip(keys, texts, strict=True):
        first = f"{key}{signs[way]}" if way != "wide" else f"{key:6}"
        rest = {"wide": " " * 6, "bullet": "  "}.get(way, "")
        bullet = f"{writer.bullet} " if way == "bullet" else ""
        lines += writer.wrap(text, bullet + first, rest)
        pieces.append(f"{key} | {text}")
    if writer.random.random() < 0.3 and way in ("wide", "tab"):
        head = (writer.words.die, writer.words.columns[1])
        lines.insert(0, f"{head[0]:6}{head[1]}" if way == "wide" else "\t".join(head))
        pieces.insert(0, " | ".join(head))
    return Section(lines, pieces)


def write_signed(writer: Writer) -> Section:
    """`+1 for this`, one to a line."""
    reasons = writer.draw(writer.words.reasons)
    signs = writer.draw_signs(len(reasons))
    between = writer.random.choice((" ", "  ", ": ", "\t"))
    return Section(_join_rows(signs, reasons, between), _join_rows(reasons, signs))


def write_signed_behind(writer: Writer) -> Section:
    """`for this +1`, one to a line."""
    reasons = writer.draw(writer.words.reasons)
    signs = writer.draw_signs(len(reasons))
    between = writer.random.choice((" ", "  ", ": ", " .... "))
    return Section(_join_rows(reasons, signs, between), _join_rows(reasons, signs))


def write_signed_on_one_line(writer: Writer) -> Section:
    """Several modifiers on one line, with a unit or without."""
    reasons = writer.draw(writer.words.reasons, 4, 4)
    unit = writer.random.choice(("", "", " die", " pt"))
    signs = [sign + unit for sign in writer.draw_signs(4)]
    between = writer.random.choice(("   ", " / ", ", ", " "))
    parts = _join_rows(signs, reasons, " ")
    lines = [between.join(parts[:2]), between.join(parts[2:])]
    return Section(lines, _join_rows(reasons, signs))


def write_list(writer: Writer) -> Section:
    """Items, some of them with items of their own, some wrapped."""
    texts = writer.draw((*writer.words.sentences, *writer.words.events[:1]), 3, 4)
    lines, pieces = [], []
    for text in texts:
        lines += writer.wrap(text, f"{writer.bullet} ", "  ")
        pieces.append(f"- {text}")
    if writer.random.random() < 0.5:
        deeper = writer.words.reasons[:2]
        lines += [f"    {writer.bullet} {text}" for text in deeper]
        pieces += [f">- {text}" for text in deeper]
    return Section(lines, pieces)


def write_steps(writer: Writer) -> Section:
    """Steps of a turn."""
    steps = writer.words.steps[: writer.random.randint(3, 6)]
    sign = writer.random.choice((". ", ") "))
    lines = [f"{number}{sign}{step}" for number, step in enumerate(steps, 1)]
    return Section(lines, [f"{number}. {step}" for number, step in enumerate(steps, 1)])


def write_rules(writer: Writer) -> Section:
    """`Label: a sentence.`, which no table is meant by."""
    rules = writer.random.sample(writer.words.rules, 3)
    bullet = writer.random.choice(("", f"{writer.bullet} "))
    colon = " :" if writer.words is _FRENCH else ":"
    lines: list[str] = []
    for label, text in rules:
        lines += writer.wrap(f"{label}{colon} {text}", bullet, "  " if bullet else "")
    return Section(lines, [f"{'- ' if bullet else ''}{a}{colon} {b}" for a, b in rules])


SHAPES: tuple[Callable[[Writer], Section], ...] = (
    write_aligned, write_tabbed, write_labelled, write_bare, write_grid, write_dice, write_signed,
    write_signed_behind, write_signed_on_one_line, write_list, write_steps, write_rules,
)  # fmt: skip


def make_sheet(seed: int) -> GeneratedSheet:
    """Return the sheet of a seed: a title and five sections, one of each of five shapes."""
    writer = Writer(seed)
    random, words = writer.random, writer.words
    title = random.choice(words.titles)
    style = random.choice(("capitals", "hashes", "bold", "underlined", "numbered", "plain"))
    shapes = random.sample(SHAPES, 5)
    lines = _format_title(random, style, title)
    pieces = [f"title {title}"]
    tight = style in ("capitals", "bold", "hashes") and random.random() < 0.4
    for number, (shape, heading) in enumerate(
        zip(shapes, random.sample(words.headings, 5), strict=True), 1
    ):
        numbered = f"{number}. {heading}" if style == "numbered" else heading
        section = shape(writer)
        lines += ["", *_format_heading(style, numbered), *([] if tight else [""])]
        pieces.append(f"# {numbered}")
        if random.random() < 0.4:
            sentence = random.choice(words.sentences)
            lines += [*writer.wrap(sentence), *([] if random.random() < 0.3 else [""])]
            pieces.append(sentence)
        lines += section.lines
        pieces += section.pieces
        if random.random() < 0.3:
            sentence = random.choice(words.sentences)
            lines += ["", *writer.wrap(sentence)]
            pieces.append(sentence)
    return GeneratedSheet("\n".join(lines) + "\n", [" ".join(piece.split()) for piece in pieces])


def _format_title(random: Random, style: str, title: str) -> list[str]:
    if random.random() < 0.25:
        return ["---", f"title: {title}", "---"]
    if style == "hashes":
        return [f"# {title}"]
    if style == "bold":
        return [f"**{title}**"]
    if style == "underlined":
        return [title, "=" * len(title)]
    return [title.upper() if style == "capitals" or random.random() < 0.5 else title]


def _format_heading(style: str, heading: str) -> list[str]:
    if style == "capitals":
        return [heading.upper()]
    if style == "hashes":
        return [f"## {heading}"]
    if style == "bold":
        return [f"**{heading}**"]
    return [heading, "-" * len(heading)] if style == "underlined" else [heading]


def _join_rows(first: list[str], second: list[str], between: str = " | ") -> list[str]:
    return [f"{a}{between}{b}" for a, b in zip(first, second, strict=True)]
