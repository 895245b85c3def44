"""What the shipped decks must hold, kept in data/*_facts.yaml, against the decks as read and the
words of the built files; and that every shipped deck builds without a complaint.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from conftest import Project
from making import build, load_deck, plan_build
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from cardgen.build.draw import draw
from cardgen.deck.model import Card, Deck
from cardgen.layout.copyfit import Shrunk
from cardgen.layout.flow.document import Heading, Paragraph, TableBlock, read_document

DATA = Path(__file__).parent / "facts"
LOOKS = (None, "plain")
TARGETS = ("a4", "letter")


class Printed(NamedTuple):
    """How many cards a deck has, and how many sides its file has on its own target."""

    cards: int
    size: str
    pages: int | None = None


SHIPPED = {
    "artillery": Printed(5, "jumbo"),
    "artillery-sheet": Printed(1, "a5", 1),
    "cards-sheet": Printed(1, "a5", 1),
    "magic": Printed(50, "poker"),
    "magic-box": Printed(1, "page", 1),
    "magic-rulebook": Printed(21, "poker"),
    "magic-sheet": Printed(1, "a5", 1),
    "playsheet": Printed(1, "page", 1),
    "playsheet-full": Printed(1, "page", 2),
    "tactics": Printed(36, "poker"),
}
CARD_DECKS = [name for name, printed in SHIPPED.items() if printed.pages is None]
BOXES = ["magic-box"]
SHEETS = [name for name, printed in SHIPPED.items() if printed.pages and name not in BOXES]

# The cards whose text is so long that it is set smaller than that of the others. No others may be.
SET_SMALLER = {
    "artillery": {"Cannon"},
    "magic-rulebook": {"Rod of Repetition"},
}


# Comparing texts

_ICON = re.compile(r":[a-z][a-z0-9-]*:")
_BROKEN = re.compile(r"(?<=\w-)\s*\n\s*(?=\w)")  # a line that ends within a compound
_SIGNS = str.maketrans({"’": "'", "−": "-", "*": None, "\u00ad": None})


def fold(text: str) -> str:
    """A text without its Markdown and icons, its white space folded, and all of it small."""
    text = _BROKEN.sub("", _ICON.sub(" ", text).translate(_SIGNS))
    return " ".join(text.split()).casefold()


def find(text: str, figure: str, start: int = 0) -> int:
    """Where a figure ends in a folded text, not as a part of a longer word or number; or -1."""
    pattern = rf"(?<![\w+-]){re.escape(fold(figure))}(?![\w+]|[.,]\d)"
    found = re.compile(pattern).search(text, start)
    return found.end() if found else -1


def list_missing(text: str, figures: Sequence[str]) -> list[str]:
    """The figures that a text, folded here, does not hold."""
    folded = fold(text)
    return [figure for figure in figures if find(folded, figure) < 0]


def list_words(text: str | None) -> set[str]:
    """The words that say who; how they are joined does not count."""
    return set(re.findall(r"[\w+]+", fold(text or ""))) - {"or", "and"}


def sign(cost: int) -> str:
    """A cost as a card prints it, its minus as fold makes it."""
    return f"{cost:+}" if cost else "0"


def test_figures_are_found_as_whole_words() -> None:
    text = fold(
        "The **unit’s** stands\nhave\u00a0**−1 Attack** on :die-4: 5+, and anti-\nmagic 1,500."
    )
    held = ["unit's stands", "−1 attack", "-1 Attack", "on 5+", "anti-magic", "1,500"]
    assert list_missing(text, held) == []
    lacked = ["1 Attack", "uni", "nit's", "5", "1", "magic", "Attack on 5"]
    assert list_missing(text, lacked) == lacked


def test_who_is_compared_by_words() -> None:
    assert list_words("Infantry/Cavalry/Chariots") == list_words("Infantry, cavalry or Chariots")
    assert list_words("Units with Armour 6+ or none") != list_words("Units with Armour 6 or none")
    assert list_words(None) == set() != list_words("Any unit")


# The facts


class CardFacts(NamedTuple):
    name: str
    copies: int
    cost: int | None
    who: str | None
    uses: str | None
    figures: tuple[str, ...]
    rank: str | None
    kind: str | None


def load_facts(name: str) -> Any:
    return yaml.safe_load((DATA / f"{name}_facts.yaml").read_text(encoding="utf-8"))


def read_cards(name: str) -> list[CardFacts]:
    return [
        CardFacts(
            entry["name"],
            entry["count"],
            entry["cost"],
            entry["who"],
            entry["uses"],
            tuple(entry["figures"]),
            entry.get("rank"),
            entry.get("kind"),
        )
        for entry in load_facts(name)["cards"]
    ]


ITEM_DECKS = {"magic": "magic", "magic-rulebook": "rulebook"}
SHEET_FACTS = {name: name.replace("-", "_") for name in SHEETS}


def get_text(card: Card, field: str = "text") -> str:
    value = card.fields.get(field)
    return "" if value is None else str(value)


# Against the decks as read


@pytest.mark.parametrize(("deck_name", "facts_name"), ITEM_DECKS.items())
def test_items_are_as_many_as_they_must_be(deck_name: str, facts_name: str) -> None:
    deck, facts = load_deck(deck_name), load_facts(facts_name)
    expected = [(card.name, card.copies) for card in read_cards(facts_name)]
    assert [(card.name, card.count) for card in deck.cards] == expected
    assert (len(deck.cards), deck.copies) == (facts["designs"], facts["copies"])
    assert len({card.name for card in deck.cards}) == facts.get("items", facts["designs"])
    assert deck.copies == SHIPPED[deck_name].cards


@pytest.mark.parametrize(("deck_name", "facts_name"), ITEM_DECKS.items())
def test_items_say_what_they_must(deck_name: str, facts_name: str) -> None:
    wrong = []
    for card, facts in zip(load_deck(deck_name).cards, read_cards(facts_name), strict=True):
        fields = card.fields
        found = {
            "cost": (fields["cost"], facts.cost),
            "who": (list_words(get_text(card, "who")), list_words(facts.who)),
            "uses": (fold(get_text(card, "uses")), fold(facts.uses or "")),
            "rank": (fold(get_text(card, "rank")), fold(facts.rank or "")),
        }
        if facts.kind is not None:
            found["kind"] = (fields["kind"], facts.kind)
        wrong += [f"{card.id}: {key} {a!r}, not {b!r}" for key, (a, b) in found.items() if a != b]
        wrong += [
            f"{card.id}: no {figure!r}" for figure in list_missing(get_text(card), facts.figures)
        ]
    assert wrong == []


def test_tactics_hold_the_named_the_starter_set_and_blanks() -> None:
    deck, facts = load_deck("tactics"), load_facts("tactics")
    assert (len(deck.cards), deck.copies) == (facts["designs"], facts["copies"])
    starter = [card for card in deck.cards if card.fields["set"]]
    *named, blank = (card for card in deck.cards if not card.fields["set"])
    found = [(card.name, card.fields["cost"], list_words(get_text(card, "who"))) for card in named]
    expected = [(card["name"], card["cost"], list_words(card["who"])) for card in facts["named"]]
    assert found == expected
    assert all(card.count == 1 for card in named)
    assert (blank.fields["cost"], blank.fields["who"], blank.count) == (None, None, facts["blanks"])
    # No effect of theirs is known.
    assert all(card.fields["text"] is None for card in (*named, blank))
    check_starter_set(starter, facts["starter"])


def check_starter_set(cards: Sequence[Card], facts: Mapping[str, int]) -> None:
    costs = [card.fields["cost"] for card in cards]
    numbers = [cost for cost in costs if isinstance(cost, int)]
    assert numbers == costs
    assert sum(card.count for card in cards) == len(cards) == facts["count"]
    assert (min(numbers), max(numbers)) == (facts["lowest"], facts["highest"])
    assert [cost for cost in numbers if cost % facts["step"]] == []
    assert sum(numbers) == facts["sum"]
    assert len({card.fields["set"] for card in cards}) == 1
    assert [card.name for card in cards if not get_text(card) or not get_text(card, "who")] == []


def test_artillery_has_its_ranges_attacks_and_rules() -> None:
    deck, facts = load_deck("artillery"), load_facts("artillery")
    assert [card.name for card in deck.cards] == [entry["name"] for entry in facts["cards"]]
    assert (len(deck.cards), deck.copies) == (facts["designs"], facts["copies"])
    wrong = []
    for card, entry in zip(deck.cards, facts["cards"], strict=True):
        for key in ("range", "close", "shooting"):
            if get_text(card, key) != entry[key]:
                wrong.append(f"{card.name}: {key} {get_text(card, key)}, not {entry[key]}")
        if card.fields["bands"] != entry["bands"]:
            wrong.append(f"{card.name}: bands {card.fields['bands']}, not {entry['bands']}")
        missing = list_missing(get_text(card), entry["figures"])
        wrong += [f"{card.name}: no {figure!r}" for figure in missing]
        # The drawing to scale ends where the range does.
        assert f"{entry['bands'][-1][1]}cm" == entry["range"]
    assert wrong == []


# Against the words of the built files

Pages = list[tuple[str, str]]  # of each page its text as pypdf and as pdfium see it


class Made(NamedTuple):
    """The pages of a deck, and the cards with a text that was set smaller."""

    pages: Pages
    smaller: set[str]


Build = Callable[[str, str | None], Made]


def name_smaller(shrunk: Iterable[Shrunk]) -> set[str]:
    return {entry.subject.name.removeprefix("card ").strip('"') for entry in shrunk}


def read_pages(path: Path) -> Pages:
    seen = (page.extract_text() for page in PdfReader(path).pages)
    other = (page.get_textpage().get_text_range() for page in PdfDocument(path))
    return [(one, two.replace("\r\n", "\n")) for one, two in zip(seen, other, strict=True)]


@pytest.fixture(scope="module")
def build_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Build]:
    """Builds shipped decks in an empty folder, each once: a card a page, a sheet as it is."""
    project = Project(tmp_path_factory.mktemp("facts").resolve())
    for size in ("poker", "jumbo"):
        target = f'title = "A card a page"\npaper = "{size}"\nduplex = "none"\n'
        project.write(f"targets/single-{size}.toml", target)
    made: dict[tuple[str, str | None], Made] = {}

    def make(deck: str, look: str | None) -> Made:
        key = (deck, look)
        if key not in made:
            target = None if deck in SHEETS else f"single-{SHIPPED[deck].size}"
            with warnings.catch_warnings(action="error"):
                built = build(deck, look=look, target=target)
            made[key] = Made(read_pages(built.path), name_smaller(built.shrunk))
        return made[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.folder)
        yield make


def list_texts(deck: Deck, pages: Pages) -> Iterator[tuple[Card, str, str]]:
    """Each printed card, who is speaking, and the text of its page, once for each reader."""
    for number, (copy, page) in enumerate(zip(deck.list_copies(), pages, strict=True), start=1):
        card = deck.cards[copy.design]
        for text in page:
            yield card, f"{card.name}, page {number}", text


def check_foot(deck: Deck, pages: Pages) -> None:
    for number, page in enumerate(pages, start=1):
        for text in page:
            assert find(fold(text), f"{number}/{deck.copies}") >= 0, (deck.name, number)


def has_cost(text: str, cost: object) -> bool:
    """Whether a line of its own says the cost; where there is none, no line looks like one."""
    lines = {fold(line) for line in text.splitlines()}
    if isinstance(cost, int):
        return sign(cost) in lines
    return not any(re.fullmatch(r"[+-]\d+|0", line) for line in lines)


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize(("deck_name", "facts_name"), ITEM_DECKS.items())
def test_printed_items(
    build_pages: Build, deck_name: str, facts_name: str, look: str | None
) -> None:
    deck, facts = load_deck(deck_name), read_cards(facts_name)
    pages = build_pages(deck_name, look).pages
    known = dict(zip([card.id for card in deck.cards], facts, strict=True))
    wrong = []
    for card, where, text in list_texts(deck, pages):
        own = known[card.id]
        words = [own.name, own.who, own.uses, own.rank, *own.figures]
        missing = list_missing(text, [word for word in words if word])
        wrong += [f"{where}: no {figure!r}" for figure in missing]
        if not has_cost(text, own.cost):
            wrong.append(f"{where}: not the cost {own.cost}")
    assert wrong == []
    check_foot(deck, pages)


@pytest.mark.parametrize("look", LOOKS)
def test_printed_tactics(build_pages: Build, look: str | None) -> None:
    deck, pages = load_deck("tactics"), build_pages("tactics", look).pages
    named = {entry["name"]: entry for entry in load_facts("tactics")["named"]}
    wrong = []
    for card, where, text in list_texts(deck, pages):
        keys = ("who", "uses", "text", "set")
        words = [card.name, *(get_text(card, key) for key in keys)]
        cost = named[card.name]["cost"] if card.name in named else card.fields["cost"]
        missing = list_missing(text, [word for word in words if word])
        wrong += [f"{where}: no {word!r}" for word in missing]
        if not has_cost(text, cost):
            wrong.append(f"{where}: not the cost {cost}")
    assert wrong == []
    check_foot(deck, pages)


@pytest.mark.parametrize("look", LOOKS)
def test_printed_artillery(build_pages: Build, look: str | None) -> None:
    deck, pages = load_deck("artillery"), build_pages("artillery", look).pages
    facts = {entry["name"]: entry for entry in load_facts("artillery")["cards"]}
    wrong = []
    for card, where, text in list_texts(deck, pages):
        own = facts[card.name]
        stats = [f"Range {own['range']}", f"Close combat {own['close']}"]
        stats.append(f"Shooting {own['shooting']}")
        missing = list_missing(text, [card.name, *stats, *own["drawn"], *own["figures"]])
        wrong += [f"{where}: no {figure!r}" for figure in missing]
        # The scale: of each band its attacks, then where each ends.
        attacks = " ".join(str(number) for _, _, number in own["bands"])
        ends = " ".join(f"{end}cm" for _, end, _ in own["bands"])
        scale = f"{own['shooting']} {attacks} 0 {ends}"
        if list_missing(text, [scale]):
            wrong.append(f"{where}: no scale {scale!r}")
    assert wrong == []
    check_foot(deck, pages)


# Sheets


class Sheet(NamedTuple):
    """A sheet's source in parts: its headings, its tables by their heads, and all other text."""

    headings: list[str]
    tables: dict[str, list[tuple[str, ...]]]
    text: str


def read_sheet(deck: Deck) -> Sheet:
    card = deck.cards[0]
    headings: list[str] = []
    tables: dict[str, list[tuple[str, ...]]] = {}
    texts: list[str] = []
    for block in read_document(f"{get_text(card)}\n\n{get_text(card, 'back_text')}"):
        if isinstance(block, Heading):
            headings.append(fold(block.text))
        elif isinstance(block, TableBlock):
            head = fold(" ".join(block.rows[0]))
            assert head not in tables
            tables[head] = list(block.rows[1:])
        elif isinstance(block, Paragraph):
            texts.append(block.text)
    return Sheet(headings, tables, "\n".join(texts))


def read_faces(cell: str) -> list[int | str]:
    """The faces of a die that a cell shows: icons, a span of two of them, or words."""
    faces: list[int | str] = [int(face) for face in re.findall(r":die-([1-6]):", cell)]
    if not faces:
        return [fold(cell)]
    if fold(cell) == "to" and len(faces) == 2:
        first, last = map(int, faces)
        return list(range(first, last + 1))
    return faces if fold(cell) == "" else [fold(cell)]


def test_faces_are_read() -> None:
    assert read_faces(":die-2: :die-3:") == [2, 3]
    assert read_faces(":die-3: to :die-6:") == [3, 4, 5, 6]
    assert read_faces("**7+**") == ["7+"]
    assert read_faces(":die-3: or :die-6:") == ["or"]


@pytest.mark.parametrize("deck_name", SHEETS)
def test_sheets_hold_what_they_must(deck_name: str) -> None:
    sheet, facts = read_sheet(load_deck(deck_name)), load_facts(SHEET_FACTS[deck_name])
    assert sheet.headings == [fold(heading) for heading in facts["headings"]]
    assert list_missing(sheet.text, facts["figures"]) == []
    tables, dice = facts["tables"], facts.get("dice", {})
    assert set(sheet.tables) == {fold(head) for head in (*tables, *dice)}


def fits(cell: str, figure: str) -> bool:
    """Whether a cell says a figure: a number is all it says, words may have others about them."""
    if re.search(r"\d", figure):
        return fold(cell) == fold(figure)
    return find(fold(cell), figure) >= 0


def test_a_cell_says_its_number_alone() -> None:
    assert fits(":die-6: **6**", "6")
    assert fits("**cannot** enter", "cannot")
    assert not fits("20cm or as listed", "20cm")
    assert not fits("cannot enter", "can")


@pytest.mark.parametrize("deck_name", SHEETS)
def test_tables_hold_their_figures(deck_name: str) -> None:
    sheet, facts = read_sheet(load_deck(deck_name)), load_facts(SHEET_FACTS[deck_name])
    wrong = []
    for head, expected in facts["tables"].items():
        rows = sheet.tables[fold(head)]
        assert len(rows) == len(expected), head
        for row, (label, *figures) in zip(rows, expected, strict=True):
            if list_missing(row[0], [label]):
                wrong.append(f"{head}: {row[0]!r}, not {label!r}")
            cells = zip(row[1:], figures, strict=True)
            if not all(fits(cell, figure) for cell, figure in cells):
                wrong.append(f"{head}, {label}: {row[1:]}, not {figures}")
    assert wrong == []


@pytest.mark.parametrize("deck_name", SHEETS)
def test_dice_of_a_hit_are_those_that_it_names(deck_name: str) -> None:
    """The dice beside "4, 5, 6" are these three."""
    rows = read_sheet(load_deck(deck_name)).tables.get("target hit on", [])
    for _, cell in rows:
        faces = re.findall(r":die-([1-6]):", cell)
        assert faces == re.findall(r"\d", _ICON.sub("", cell)) != []
    assert len(rows) == (3 if deck_name.startswith("playsheet") else 0)


def test_tables_of_dice_cover_each_face_once() -> None:
    sheet, facts = read_sheet(load_deck("playsheet-full")), load_facts("playsheet_full")
    for head, expected in facts["dice"].items():
        rows = sheet.tables[fold(head)]
        found = [read_faces(cell) for cell, _ in rows]
        assert found == [row["faces"] for row in expected], head
        faces = [face for row in found for face in row]
        beyond = ["7+"] if "Damage" in head else []
        assert faces == [1, 2, 3, 4, 5, 6, *beyond], head
        for (_, text), row in zip(rows, expected, strict=True):
            assert list_missing(text, row["figures"]) == [], head


def find_table(text: str, head: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows that do not follow the head and each other in a folded text, each a piece of it."""
    lost = []
    at = find(text, head)
    if at < 0:
        return [head]
    for row in rows:
        end = find(text, " ".join(row), at)
        if end < 0:
            lost.append(" ".join(row))
        else:
            at = end
    return lost


def test_a_row_in_disorder_is_found() -> None:
    text = fold("Range\nBows 30cm\nGuns 60cm")
    assert find_table(text, "range", [("Bows", "**30cm**"), ("Guns", "60cm")]) == []
    assert find_table(text, "range", [("Guns", "60cm"), ("Bows", "30cm")]) == ["Bows 30cm"]
    assert find_table(text, "range", [("Bows", "60cm")]) == ["Bows 60cm"]
    assert find_table(text, "speed", [("Bows", "30cm")]) == ["speed"]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", SHEETS)
def test_printed_sheets(build_pages: Build, deck_name: str, look: str | None) -> None:
    deck, facts = load_deck(deck_name), load_facts(SHEET_FACTS[deck_name])
    sheet, pages = read_sheet(deck), build_pages(deck_name, look).pages
    assert len(pages) == facts["sides"] == SHIPPED[deck_name].pages
    for texts in zip(*pages, strict=True):
        whole = fold("\n".join(texts))
        words = [deck.title, *facts["headings"], *facts["figures"]]
        assert list_missing(whole, words) == []
        lost = [find_table(whole, head, rows) for head, rows in sheet.tables.items()]
        assert [row for rows in lost for row in rows] == []


# Every deck in every look for every target


def test_the_shipped_decks_are_these(project: Project) -> None:
    done = project.run("list")
    assert (done.code, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    found = {row[0]: int(row[-2]) for row in rows}
    assert found == {name: printed.cards for name, printed in SHIPPED.items()}
    pages = {row[0]: int(row[-1]) for row in rows}
    assert {name: pages[name] for name in SHEETS} == {name: SHIPPED[name].pages for name in SHEETS}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("deck_name", SHIPPED)
def test_every_deck_builds_without_complaint(
    build_pages: Build, deck_name: str, look: str | None, target: str
) -> None:
    deck = load_deck(deck_name)
    plan = plan_build(deck, look=look, target=target)
    assert len(plan.copies) == SHIPPED[deck_name].cards
    assert len(plan.pages) == (SHIPPED[deck_name].pages or len(plan.pages))
    if SHIPPED[deck_name].size == "page":
        made = draw(plan)
        assert len(made.find_hashes()) == len(plan.pages)
        smaller = name_smaller(made.shrunk)
    else:  # its faces are those of a card a page
        smaller = build_pages(deck_name, look).smaller
    assert smaller == SET_SMALLER.get(deck_name, set())
