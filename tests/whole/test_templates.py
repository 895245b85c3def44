"""The templates for any deck: each builds from a name alone and from all its fields, with short and
long texts in two languages; what it shows can be read and is not cut off. The box closes, and holds
what it is made for.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from itertools import pairwise
from math import hypot

import pytest
import yaml
from conftest import Project
from making import check, load_deck, plan_build, prepare
from PIL import Image
from strategies import list_faces
from test_facts import LOOKS
from test_print_quality import (
    Point,
    Shape,
    Text,
    find_cut_off,
    find_pale_texts,
    name_faces,
    take_apart,
)

from cardgen.core.colour import BLACK, Colour
from cardgen.core.errors import CardgenError
from cardgen.core.library import HOME, Library
from cardgen.core.units import parse_size
from cardgen.deck.model import Deck
from cardgen.layout.face import Face
from cardgen.template.parse import read_template

MM = 72 / 25.4
SAFE = 3.2
SIZES = {
    "poker-basic": "poker",
    "tarot-basic": "tarot",
    "picture-full": "poker",
    "stat-block": "poker",
    "fields": "poker",
    "token-round": "25mm x 25mm",
    "portrait": "poker",
    "spell": "poker",
    "event": "88.9mm x 63.5mm",
    "hex-tile": "60mm x 52mm",
    "coin": "25mm x 25mm",
    "flashcard": "105mm x 74mm",
    "flashcard-back": "105mm x 74mm",
    "ticket": "140mm x 55mm",
    "business-card": "85mm x 55mm",
    "tent": "88.9mm x 127mm",
    "box": "page",
}
# They show each of the fields below, which are more than a small card holds.
PRINTED_AS = {"fields": {"size": "jumbo"}, "flashcard-back": {"size": "190mm x 150mm"}}
COLOURS = ("blue", "red", "green", "violet", "teal", "brown", "slate")
ENGLISH = {
    "name": "The Unshakeable Resolve of the Palace Guard",
    "kind": "Order of the second rank",
    "numeral": "XXXVIII",
    "value": "+12",
    "cost": 125,
    "who": "Any unit of the guard that is on foot",
    "icon": "shield",
    "stats": {"Move": 6, "Fight": 4, "Shoot": "–", "Save": "3+", "Wounds": 12, "Will": 7},
    "abilities": {
        "Stand fast": "It never takes a test of will, and it never flees.",
        "Shield wall": "Whoever attacks it from the front re-rolls each successful Attack die.",
    },
    "text": "Until your next turn the unit neither moves nor flees. Each enemy that comes near it "
    "has to halt, and may do nothing else in this turn. Draw two cards and keep one; the other "
    "goes to the player at your left, who may play it at once or discard it.",
    "note": "**Move 6**, fight 4, save 3+. It stands where it stands.",
    "foot": "For two to four players",
    "effect": "Each player discards two cards and loses a turn",
    "facts": {"Range": "30 cm", "Lasts": "until the end of your turn"},
    "flavour": "They stood where they stood, and the sea went round them.",
    "hint": "It is older than the town around it.",
    "topic": "The history of the northern provinces",
    "answer": "The palace guard, in the year before the war, and nobody else",
    "date": "24 December 2026, half past seven",
    "venue": "The Old Town Hall, row 12",
    "price": "14 €",
    "first": 101,
    "role": "Keeper of the seals and of the northern gate",
    "company": "The Palace Guard & Daughters",
    "phone": "+44 20 7946 0123",
    "mail": "guard@palace.example",
    "web": "palace.example/guard",
    "address": "4 Bridge Lane, Lower Northern Town",
    "link": "https://palace.example/guard",
    "set": "The second set",
}
GERMAN = {
    "name": "Unerschütterliche Standhaftigkeit der Palastwache",
    "kind": "Verteidigungsbefehl",
    "numeral": "XVII",
    "value": 100,
    "cost": -5,
    "icon": "banner",
    "stats": {
        "Bewegung": 6,
        "Nahkampf": 4,
        "Fernkampf": 2,
        "Rettung": "3+",
        "Lebenspunkte": 12,
        "Willenskraft": 7,
        "Größe": "mittel",
        "Zauber": 3,
        "Reichweite": "30 cm",
    },
    "abilities": [
        "**Standhaft.** Sie flieht nie und macht keine Willenskraftproben.",
        "**Schildwall.** Wer sie von vorn angreift, wiederholt alle erfolgreichen Angriffswürfe.",
    ],
    "text": "Bis zu deinem nächsten Zug bewegt sich die Einheit nicht und flieht auch nicht. Jede "
    "feindliche Einheit, die ihr nahe kommt, muss anhalten und darf in diesem Zug nichts weiter "
    "tun. Ziehe zwei Karten und behalte eine davon; die andere bekommt dein linker Nachbar.",
    "note": "Bewegung 6, Nahkampf 4, Rettung 3+.",
    "foot": "Für zwei bis vier Spieler",
}
SHORT = {
    "answer": "Yes",
    "kind": "Order",
    "text": "Halt.",
    "icon": "horn",
    "value": 3,
    "stats": {"Move": 6},
}
# What Cinzel lacks, and a word that is wider than most titles.
STRANGE: list[dict[str, object]] = [
    {"name": "½ → Щит ◆ Ἥρως", "kind": "Оружие →", "text": "Pay ½: → ◆ ≥ 2", "icon": "crown"},
    {"name": "Đường về nhà", "text": "Rút hai lá bài."},
    {"name": "Donaudampfschifffahrtsgesellschaft", "kind": "Verein", "icon": "banner"},
]
CONTENTS: dict[str, list[dict[str, object]]] = {
    "alone": [{"name": "Ada"}],
    "full": [
        ENGLISH,
        {"name": "Halt", **SHORT},
        {"name": "Dusk", "picture": "dusk.png"},
        {"name": "Dusk over the Hills at the End of the World", "picture": "dusk.png", **SHORT},
        {**ENGLISH, "id": "pictured", "picture": "dusk.png"},
        {"name": "Zero", "value": 0, "cost": 0, "note": "None."},
        *({"name": f"In {colour}", "colour": colour, **SHORT} for colour in COLOURS),
    ],
    "german": [GERMAN, {"name": "Halt", **SHORT, "colour": "red"}, *STRANGE],
}


def write(project: Project, template: str, content: str, *more: Mapping[str, object]) -> Deck:
    head = {"title": "A deck", "language": "de" if content == "german" else "en-GB"}
    head |= PRINTED_AS.get(template, {})
    cards = [*CONTENTS[content], *more]
    text = yaml.safe_dump({**head, "template": template, "cards": cards}, allow_unicode=True)
    project.write("decks/deck.yaml", text)
    picture = BytesIO()
    Image.linear_gradient("L").convert("RGB").save(picture, "PNG")
    project.write("pictures/dusk.png", picture.getvalue())
    return load_deck("deck")


def list_texts(face: Face) -> list[Text]:
    return [part for part in take_apart(face.items) if isinstance(part, Text)]


# All of them


@pytest.mark.parametrize("template", SIZES)
def test_the_size_and_bleed(template: str) -> None:
    library = Library(HOME)
    path = library.get("template", template)
    root = read_template(path, library, parse_size("a4")).format
    page = SIZES[template] == "page"
    assert root.size == parse_size("a4" if page else SIZES[template])
    assert set(root.bleed) == {72 / 8}


@pytest.mark.parametrize("content", CONTENTS)
@pytest.mark.parametrize("template", SIZES)
def test_a_template(project: Project, template: str, content: str) -> None:
    """It builds for both papers, shows its name, in strong contrast, and away from the edge."""
    deck = write(project, template, content)
    if content == "full":
        check(deck, target="a4")
    for look in (None,) if template == "poker-basic" else LOOKS:
        faces = name_faces(deck, look)
        assert find_pale_texts(faces) == []
        # Ornaments of counters and tiles stand at their edges.
        edge = 0.8 if template in ("token-round", "coin", "hex-tile") else SAFE
        assert find_cut_off(faces, edge * MM) == []
        names = {card.id: card.name for card in deck.cards}
        for where, face in faces.items():
            shown = "".join(text.words for text in list_texts(face)).replace("\u00ad", "")
            name = strip(names[where.rpartition(", ")[0]])
            assert name in strip(shown) or template == "flashcard-back", where
    if SIZES[template] == "page":
        check(deck, target="letter")
    else:  # its faces are those on other papers
        assert all(plan_build(deck, target=target).pages for target in ("a4", "letter"))


def strip(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


NEVER_MARKED = {"icon", "picture", "colour", "link", "uses", "drawing", "numeral"}


def emphasise(value: object, mark: str) -> object:
    """A field with marks around its words, in lists and mappings too."""
    if isinstance(value, dict):
        return {key: emphasise(inner, mark) for key, inner in value.items()}
    if isinstance(value, list):
        return [emphasise(inner, mark) for inner in value]
    words = isinstance(value, str) and any(letter.isalpha() for letter in value)
    return f"{mark}{str(value).replace('**', '')}{mark}" if words else value


@pytest.mark.parametrize("template", [*SIZES, "magic-item", "tactics-card", "artillery-card"])
def test_words_of_any_field_may_be_bold_and_italic(project: Project, template: str) -> None:
    """Titles too, though Cinzel has no italic; no star is printed."""
    framed = {"name": "A", "kind": "weapon", "rank": "general", "who": "All", "text": "Go."}
    plain = NEVER_MARKED if template in SIZES else {*NEVER_MARKED, "kind"}
    fields = ENGLISH if template in SIZES else framed
    cards = [
        {k: v if k in plain else emphasise(v, mark) for k, v in fields.items()}
        | {"id": f"m{place}"}
        for place, mark in enumerate(("*", "**", "***"))
    ]
    faces = list_faces(write(project, template, "alone", *cards))
    assert not [face for *_, face in faces if "*" in "".join(t.words for t in list_texts(face))]


COMPOUND = "Donaudampfschifffahrtsgesellschaftskapitänsmütze"


@pytest.mark.parametrize("template", ["event", "poker-basic", "stat-block", "spell", "portrait"])
def test_a_long_compound_in_a_text_is_broken(project: Project, template: str) -> None:
    card = {"name": "Hut", "text": f"Die {COMPOUND} passt jedem."}
    head = {"template": template, "language": "de", "cards": [card]}
    project.write("decks/deck.yaml", yaml.safe_dump(head, allow_unicode=True))
    ((_, _, face),) = list_faces(load_deck("deck"))
    assert strip(COMPOUND) in strip("".join(text.words for text in list_texts(face)))


@pytest.mark.parametrize(
    ("said", "front", "back"),
    [
        ({"choices": ["Rome", "Wien", "Prag"], "answer": "B"}, "A Rome B Wien C Prag", "B Wien"),
        ({"options": {"x": "Rome", "y": "Wien"}, "answer": "Wien"}, "A Rome B Wien", "Wien"),
        ({"answers": "Rome; Wien", "text": "Wien"}, "A Rome B Wien", "Wien"),
        ({"option_1": 3, "option_2": 4, "answer": 2}, "A 3 B 4", "B 4"),
        ({"option_1": 3, "option_2": 4, "answer": 4}, "A 3 B 4", "4"),
        ({"a": "Rome", "b": "Wien", "answer": "a"}, "A Rome B Wien", "A Rome"),
        ({"incorrect_answers": ["Wien", "Rome"], "correct_answer": "Prag"}, "A Prag B Rome C Wien",
         "Prag"),
        ({"answer": ["Rome", "Wien"], "a": 3}, "", "Rome, Wien"),
    ],
)  # fmt: skip
def test_what_may_be_chosen_is_on_the_front_alone(
    project: Project, said: dict[str, object], front: str, back: str
) -> None:
    head = {"title": "Quiz", "template": "flashcard", "back": "flashcard-back"}
    cards = {"cards": [{"name": "Which?", **said}]}
    project.write("decks/deck.yaml", yaml.safe_dump({**head, **cards}))
    asked, answered = (
        " ".join(" ".join(text.words for text in list_texts(face)).split())
        for _, _, face in list_faces(load_deck("deck"))
    )
    assert asked.removeprefix("QUIZ 1 Which?").strip() == front
    assert answered.startswith(back)
    assert all(word in back for word in answered.split()) or not front


HARD_GUN = {
    "name": "Donaudampfschifffahrtsgesellschaftskapitänskanone der Palastwache",
    "range": "120–240cm, in Gebäuden die Hälfte",
    "close": 100,
    "shooting": "je Modell 3+abprallend",
    "bands": [[0, 5, 120], [5, 10, 16], [10, 15, 8], [15, 120, 1]],
    "text": f"{COMPOUND} treffen.\n\n- eins\n  - {COMPOUND}",
}


@pytest.mark.parametrize("look", LOOKS)
def test_a_gun_needs_no_field_and_holds_difficult_ones(project: Project, look: str | None) -> None:
    cards = [{"name": "Gun"}, {"name": "One", "text": "Halt.", "drawing": "stands"}, HARD_GUN]
    head = {"template": "artillery-card", "language": "de", "cards": cards}
    project.write("decks/deck.yaml", yaml.safe_dump(head, allow_unicode=True))
    faces = name_faces(load_deck("deck"), look)
    assert find_cut_off(faces, 3 * MM) == []
    bare, _, full = ("".join(text.words for text in list_texts(one)) for one in faces.values())
    assert "Reichweite" not in bare
    for part in ("120–240cm", "16", "15cm", COMPOUND):
        assert strip(part) in strip(full)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("template", ["magic-item", "tactics-card", "tactics-open"])
def test_a_framed_card_holds_long_names_and_three_digits(
    project: Project, template: str, look: str | None
) -> None:
    kind = {"kind": "device", "rank": "general", "uses": "entire game", "cost": 999}
    fields = dict.fromkeys(("who", "signs", "icon", "text"))
    cards = [{"name": COMPOUND, **kind}, {"name": "Ja", **kind, "cost": -125, "icon": "bow"}]
    head = {"template": template, "language": "de", "defaults": fields, "cards": cards}
    project.write("decks/deck.yaml", yaml.safe_dump(head, allow_unicode=True))
    one, other = (face for _, _, face in list_faces(load_deck("deck"), look=look))
    words = [text.words for text in list_texts(one)]
    assert strip(COMPOUND) in strip("".join(words))
    assert "+999" in words
    assert "−125" in [text.words for text in list_texts(other)]
    red = (0.0, 1.0, 0.9, 0.12)
    warned = [
        any(getattr(part.fill, "values", None) == red for part in list_shapes(face))
        for face in (one, other)
    ]
    assert warned == [False, look is None]


def list_shapes(face: Face) -> list[Shape]:
    return [part for part in take_apart(face.items) if isinstance(part, Shape)]


def test_a_framed_card_without_a_sign_is_not_empty(project: Project) -> None:
    fields = "{cost: null, who: null, uses: null, signs: null, icon: null, text: null}"
    cards = "[{name: A}, {name: B, icon: bow}]"
    text = f"template: magic-item\ndefaults: {fields}\ncards: {cards}\n"
    project.write("decks/deck.yaml", text)
    for _, _, face in list_faces(load_deck("deck")):
        bounds = [shape.bounds for shape in list_shapes(face)]
        signs = [b for b in bounds if b.bottom < 25 * MM and 12 * MM < b.width < 17 * MM]
        assert len(signs) >= 1


def test_a_name_that_fits_on_a_line_is_not_broken_on_a_tent(project: Project) -> None:
    project.write(
        "decks/deck.yaml", "template: tent\nlanguage: de\ncards: [{name: Ölwürgerschlag}]\n"
    )
    ((_, _, face),) = list_faces(load_deck("deck"))
    assert [text.words for text in list_texts(face)] == ["Ölwürgerschlag"] * 2


def test_three_digits_and_two_lines_lie_within_the_ring_of_a_coin(project: Project) -> None:
    cards = "[{name: Ölwürgerschlag, value: 999}, {name: The Unshakeable Resolve, value: 125}]"
    project.write("decks/deck.yaml", f"template: coin\nlanguage: de\ncards: {cards}\n")
    ran = project.run("build", "deck", "--target", "one-up")
    assert (ran.code, "keeps" in ran.stdout) == (0, False)


@pytest.mark.parametrize("template", [name for name in SIZES if name not in ("box", "fields")])
def test_the_words_of_a_template_are_there_in_german(project: Project, template: str) -> None:
    card = {"name": "A", "date": "1", "venue": "1", "price": "1"}
    project.write(
        "decks/deck.yaml", yaml.safe_dump({"template": template, "language": "de", "cards": [card]})
    )
    assert plan_build("deck").templates.list_untranslated() in ((), ("Deck",))


def test_a_ticket_holds_a_long_date_and_place_and_has_no_line_without_them(
    project: Project,
) -> None:
    date, place = "24 December 2026, half past seven", "The Old Town Hall, second floor, row 12"
    cards = (
        f'  - {{name: Ox}}\n  - {{name: Gala, date: "{date}", venue: "{place}", price: 140 €}}\n'
    )
    project.write_deck(cards, head="template: ticket\n")
    bare, full = name_faces(load_deck("deck")).values()
    assert place.split()[-1] in "".join(text.words for text in list_texts(full))
    lines = [face.dump().count("ML stroke") for face in (bare, full)]
    assert lines[1] == lines[0] + 1


def test_a_name_on_a_business_card_is_broken_only_where_it_has_no_room(project: Project) -> None:
    names = ("Wilhelmina Featherstonehaugh", "Donaudampfschifffahrtsgesellschaftskapitänswitwe")
    cards = "".join(f"  - {{name: {name}, link: marsh.example}}\n" for name in names)
    project.write_deck(cards, head="template: business-card\n")
    whole = [
        names[number].split()[-1]
        in [word for text in list_texts(face) for word in text.words.split()]
        for number, face in enumerate(name_faces(load_deck("deck")).values())
    ]
    assert whole == [True, False]


def test_the_kinds_of_neighbours_stand_on_one_line(project: Project) -> None:
    """However many lines their names take."""
    names = ("Sword", "A Name that Takes Two Lines", "A Name so Long that It Takes Three of Them")
    cards = [{"name": name, "kind": "weapon", "text": "It cuts."} for name in names]
    project.write("decks/deck.yaml", yaml.safe_dump({"template": "fields", "cards": cards}))
    faces = [face for _, side, face in list_faces(load_deck("deck")) if side == "front"]
    lines = [[text.box.y for text in list_texts(face) if text.words == "WEAPON"] for face in faces]
    assert len(lines) == len(names)
    assert all(line and line == pytest.approx(lines[0]) for line in lines), lines


def test_a_field_stands_where_most_cards_have_it(project: Project) -> None:
    """Running text below the table, be it short on one card, and all else in it."""
    snarks = ("It burns all day.", "Let's go!", '"What is this? A carpet?"')
    places = ("at home", "by the old mill that nobody has seen.", "abroad")
    cards = [
        {"name": f"Card {n}", "snark": snark, "place": place, "weight": n}
        for n, (snark, place) in enumerate(zip(snarks, places, strict=True))
    ]
    project.write("decks/deck.yaml", yaml.safe_dump({"template": "fields", "cards": cards}))
    for _, side, face in list_faces(load_deck("deck")):
        if side == "front":
            said = [text.words for text in list_texts(face)]
            assert "Snark." in said, said
            assert "Place" in said and "Snark" not in said


def test_the_ornament_of_a_text_lies_on_no_picture(project: Project) -> None:
    """Where the text has less room than it, there is none."""
    picture = BytesIO()
    Image.new("RGB", (400, 300), "#8a1c1c").save(picture, "PNG")
    project.write("pictures/dusk.png", picture.getvalue())
    cards = (
        "  - {name: Ox, text: Moo.}\n"
        "  - {name: Drake, picture: dusk.png, stats: {Move: 6}, text: Flies., flavour: Tar.}\n"
    )
    project.write_deck(cards, head="template: fields\n")
    rings = [
        "stroke cmyk(0 0.02 0.09 0.05)" in face.dump()
        for face in name_faces(load_deck("deck")).values()
    ]
    assert rings == [True, False]


def test_an_unknown_colour_is_an_error(project: Project) -> None:
    write(project, "tarot-basic", "alone", {"name": "Eve", "colour": "grean"})
    problems = project.find_problems()
    assert 'card "Eve": its color or colour: unknown colour "grean"' in problems
    assert 'did you mean "green"?' in problems


def test_a_colour_of_one_s_own(project: Project) -> None:
    project.write(
        "templates/mine.xml",
        '<template extends="stat-block"><colour name="rust" cmyk="20 80 100 20"/>'
        '<colour name="rust-tint" cmyk="18 72 90 14"/></template>',
    )
    deck = write(project, "mine", "alone", {"name": "Eve", "colour": "rust"})
    faces = [face for _, _, face in list_faces(deck)]
    rust = Colour("cmyk", (0.2, 0.8, 1.0, 0.2))
    assert [rust in list_fills(face) for face in faces] == [False, True]


def list_fills(face: Face) -> list[object]:
    return [part.fill for part in take_apart(face.items) if isinstance(part, Shape)]


# Counters


def test_the_words_of_a_counter_stay_within_its_circle(project: Project) -> None:
    for content in CONTENTS:
        deck = write(project, "token-round", content)
        for card, _, face in list_faces(deck):
            for text in list_texts(face):
                corners = [
                    hypot(x / MM - 12.5, y / MM - 12.5)
                    for x in (text.box.x, text.box.right)
                    for y in (text.box.y, text.box.bottom)
                ]
                assert max(corners) <= 12.5 - SAFE, f"{card.name}: {text.words}"


@pytest.mark.parametrize("value", [5, 12, 123])
@pytest.mark.parametrize("name", ["Done", "Reinforcements", "Out of command until it rallies"])
def test_the_sign_of_a_counter_is_seen_beside_its_value(
    project: Project, name: str, value: int
) -> None:
    card = f"{{name: {name}, icon: shield, value: {value}}}"
    project.write("decks/deck.yaml", f"template: token-round\ncards: [{card}]\n")
    ((_, _, face),) = list_faces(load_deck("deck"))
    *_, sign = (part.bounds for part in take_apart(face.items) if isinstance(part, Shape))
    (figure,) = (text.box for text in list_texts(face) if text.words == str(value))
    assert sign.height >= 3 * MM
    assert sign.right < figure.x
    assert hypot(sign.x / MM - 12.5, sign.y / MM - 12.5) <= 12.5 - SAFE


def test_a_counter_s_ground_goes_on_round_its_circle(project: Project) -> None:
    ((_, _, face),) = list_faces(write(project, "token-round", "alone"))
    ground, *_ = (part for part in take_apart(face.items) if isinstance(part, Shape))
    sides = (ground.bounds.x, ground.bounds.y, ground.bounds.right, ground.bounds.bottom)
    assert [round(side / MM, 3) for side in sides] == [-3.175, -3.175, 28.175, 28.175]


# Tents


def test_the_halves_of_a_tent_are_turned_against_each_other(project: Project) -> None:
    ((_, _, face),) = list_faces(write(project, "tent", "alone"))
    upper, lower = list_texts(face)
    width, height = face.size
    assert upper.words == lower.words == "Ada"
    assert upper.box.right == pytest.approx(width - lower.box.x)
    assert upper.box.y == pytest.approx(height - lower.box.bottom)
    assert upper.box.bottom < height / 2 < lower.box.y


# Boxes


class Net:
    """The lines of a box on its page, in mm."""

    def __init__(self, deck: Deck, target: str = "a4") -> None:
        job = prepare(deck, target=target)
        made = job.faces.get_face(next(iter(job.copies)), "front")
        assert made is not None
        shapes = [part for part in take_apart(made.face.items) if isinstance(part, Shape)]
        (self.cut,) = (
            trace(part)[0]
            for part in shapes
            if part.outline.stroke and part.outline.stroke.colour == BLACK
        )
        (folds,) = (part for part in shapes if part.outline.stroke and part.outline.stroke.dash)
        self.folds = [tuple(line) for line in trace(folds)]

    def measure_edge(self, *ends: Point) -> float:
        """How long an edge is that is cut or folded between these two points."""
        edges = [*self.folds, *pairwise([*self.cut, self.cut[0]])]
        for one, other in edges:
            if {snap(one), snap(other)} == {snap(end) for end in ends}:
                return hypot(one[0] - other[0], one[1] - other[1])
        raise AssertionError(f"there is no edge between {ends}")


def snap(point: Point) -> Point:
    return round(point[0], 3) + 0.0, round(point[1], 3) + 0.0


def trace(shape: Shape) -> list[list[Point]]:
    contours: list[list[Point]] = []
    for operator, numbers in shape.outline.segments:
        if operator == "M":
            contours.append([])
        if operator != "Z":
            x, y = shape.frame.move((numbers[-2], numbers[-1]))
            contours[-1].append((x / MM, y / MM))
    return contours


BOX: dict[str, object] = {"name": "Box"}
DECKS = {
    "poker": (BOX, (50, 0.3, 63.5, 88.9, 1, 0.4)),
    "tarot": (
        {**BOX, "holds": 78, "thickness": 0.35, "width": 70, "height": 120},
        (78, 0.35, 70, 120, 1, 0.4),
    ),
    "few": ({**BOX, "holds": 12, "play": 0.5, "board": 0.3}, (12, 0.3, 63.5, 88.9, 0.5, 0.3)),
    "tight": ({**BOX, "play": 0, "board": 0}, (50, 0.3, 63.5, 88.9, 0, 0)),
    "many": ({**BOX, "holds": 100}, (100, 0.3, 63.5, 88.9, 1, 0.4)),
}


def make_net(project: Project, fields: Mapping[str, object]) -> Net:
    project.write("decks/deck.yaml", yaml.safe_dump({"template": "box", "cards": [fields]}))
    return Net(load_deck("deck"))


@pytest.mark.parametrize(("fields", "measures"), DECKS.values(), ids=DECKS)
def test_a_box_closes(
    project: Project, fields: Mapping[str, object], measures: tuple[float, ...]
) -> None:
    """Its walls are as large as the cards ask, and all edges that meet are equally long."""
    cards, thickness, width, height, play, board = measures
    net = make_net(project, fields)
    wide = width + play + 2 * board
    deep = cards * thickness + play + 2 * board
    high = height + play + 4 * board

    upright = sorted((line for line in net.folds if is_along(line, net)), key=find_across)
    assert len(upright) == 4  # tab and back, back and side, side and front, front and side
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in upright]
    assert lengths == pytest.approx([high] * 4)
    places = [find_across(line) for line in upright]
    steps = [after - before for before, after in pairwise(places)]
    assert steps == pytest.approx([wide, deep, wide])
    # Of the other folds: two sides above, two below; lid and tongue, and both parts of the bottom.
    level = sorted(hypot(b[0] - a[0], b[1] - a[1]) for a, b in net.folds if (a, b) not in upright)
    assert level == pytest.approx(sorted([deep] * 4 + [wide] * 4))


def is_along(line: tuple[Point, ...], net: Net) -> bool:
    """Whether a fold runs from the top of the box to its foot."""
    upright = [abs(a[0] - b[0]) < 0.001 for a, b in net.folds]
    # A net that lies on its side has its walls' folds level.
    lies = sum(upright) != 4
    (ax, _), (bx, _) = line
    return (abs(ax - bx) < 0.001) != lies


def find_across(line: tuple[Point, ...]) -> float:
    (ax, ay), (bx, _) = line
    return ax if abs(ax - bx) < 0.001 else ay


def test_what_is_cut_of_a_box(project: Project) -> None:
    """The free edges that meet when it is folded, of a net that stands upright."""
    net = make_net(project, DECKS["poker"][0])
    wide, deep, high = 63.5 + 1.8, 15 + 1.8, 88.9 + 2.6
    xs = sorted({snap(point)[0] for line in net.folds for point in line})
    ys = sorted({snap(point)[1] for line in net.folds for point in line})
    a, b, c, e, f = xs
    tongue, top, foot = ys
    assert [b - a, c - b, e - c, f - e] == pytest.approx([wide, deep, wide, deep], abs=0.002)
    assert foot - top == pytest.approx(high, abs=0.002)
    # The side's free edge lies on the fold of the tab, which is as long.
    assert net.measure_edge((f, top), (f, foot)) == pytest.approx(high, abs=0.002)
    # The bottom covers the sides' depth; the lid is less deep by the tongue's own thickness.
    assert net.measure_edge((c, foot), (c, foot + deep)) == pytest.approx(deep, abs=0.002)
    assert net.measure_edge((e, foot), (e, foot + deep)) == pytest.approx(deep, abs=0.002)
    assert net.measure_edge((a, top), (a, tongue)) == pytest.approx(deep - 0.4, abs=0.002)
    assert net.measure_edge((b, top), (b, tongue)) == pytest.approx(deep - 0.4, abs=0.002)
    left, right = min(x for x, _ in net.cut), max(x for x, _ in net.cut)
    # The tab goes behind the side, one part of the bottom behind the other; flaps keep apart.
    assert 10 < a - left < deep
    assert right == pytest.approx(f, abs=0.002)
    inner = max(y for x, y in net.cut if a < x < b)
    assert 0.5 * deep < inner - foot < deep
    flap = top - min(y for x, y in net.cut if b < x < c)
    assert 10 < flap < wide / 2
    # The tongue is narrower than the front that it goes behind, and as far as one can pull it.
    reach = [x for x, y in net.cut if y < tongue - 1]
    assert wide - 2 < max(reach) - min(reach) < wide
    assert tongue - min(y for _, y in net.cut) >= 10
    # The notch lies in the middle of the front.
    notch = [x for x, y in net.cut if c + 1 < x < e - 1 and top - 0.001 < y < foot - 1]
    assert min(notch) + max(notch) == pytest.approx(c + e, abs=0.002)


def test_a_long_name_stands_on_every_wall_of_a_box(project: Project) -> None:
    name = "The Adventures of the Seven Brave Knights of the Northern Marshes and Their Horses"
    foot = "Made in the workshop of the Bridge Lane, 2026, all rights with the author, edition 3"
    card = {"name": name, "foot": foot, "holds": 120}
    project.write("decks/deck.yaml", yaml.safe_dump({"template": "box", "cards": [card]}))
    ((_, _, face),) = list_faces(load_deck("deck"))
    shown = strip("".join(text.words for text in list_texts(face)))
    assert (shown.count(strip(name)), shown.count(strip(foot))) == (5, 1)


def test_the_box_of_magic_holds_magic() -> None:
    deck, magic = load_deck("magic-box"), load_deck("magic")
    (card,) = deck.cards
    size = prepare(magic).templates.kinds.largest
    assert card.fields["holds"] == magic.copies
    assert (card.fields["width"], card.fields["height"]) == pytest.approx(
        (size.width / MM, size.height / MM)
    )


@pytest.mark.parametrize("target", ["a4", "letter"])
def test_the_box_of_magic_is_one_page(project: Project, target: str) -> None:
    assert project.build("magic-box", target=target).pages == 1
    net = Net(load_deck("magic-box"), target)
    assert len(net.folds) == 12


def test_a_box_larger_than_the_page_is_an_error(project: Project) -> None:
    with pytest.raises(CardgenError, match=r"beyond the card's \w+ edge|too long|left"):
        make_net(project, {**BOX, "width": 160, "height": 200})


def test_a_box_that_lies_on_its_side(project: Project) -> None:
    net = make_net(project, DECKS["many"][0])
    assert len(net.folds) == 12
    assert sum(abs(a[0] - b[0]) < 0.001 for a, b in net.folds) == 8
