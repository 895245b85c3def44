"""One deck kept open, to be drawn again and again: its cards, templates, fonts and faces stay warm.

A face has a version: a hash of all that it is made of. Who asks for a version gets what it shows.
Knows nothing of processes, browsers or addresses.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from cardgen.build.faces import DeckTemplates, Draft, FaceMaker
from cardgen.build.plan import is_sent
from cardgen.build.press import read_press_profile
from cardgen.core.budget import watch
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import Library
from cardgen.deck.model import Card, Copy, Deck
from cardgen.layout.copyfit import Shrunk
from cardgen.layout.device import Device
from cardgen.layout.face import Face
from cardgen.layout.trace import Traced
from cardgen.output.inks import choose_prepress
from cardgen.output.pdf import DrawnPage, FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.png import draw_pages
from cardgen.output.resources import Packs, Resources
from cardgen.pages.impose import Page, Placement
from cardgen.pages.target import Side, Target, read_target
from cardgen.project.project import Project, open_deck
from cardgen.studio.naming import list_named
from cardgen.template.template import Template

SIDES: tuple[Side, Side] = ("front", "back")
_BYTES = 8
_MOST_PACKS = 200  # pictures of the deck that are kept unpacked
_FAST = 1  # how hard pictures are packed that go no farther than to the screen
_NO_HEAD = Head("", "", "en", "cardgen", "none")


class View(NamedTuple):
    """How a deck is shown; what is left out is as the deck, the project or cardgen has it."""

    target: str | None = None
    look: str | None = None
    language: str | None = None


class Spot(NamedTuple):
    """A side of a card, by the card's key."""

    card: str
    side: Side


class Seen(NamedTuple):
    """What came out when a face was composed.

    named: the icons and pictures on it, as their files are called
    """

    problems: tuple[Problem, ...] = ()
    shrunk: tuple[Shrunk, ...] = ()
    named: frozenset[str] = frozenset()


class Easel:
    """A deck that is shown in one view."""

    def __init__(self, name: str, view: View = View()) -> None:  # noqa: B008
        self.name = name
        self.view = view
        self.keys: tuple[str, ...] = ()  # of the cards, in the deck's order
        self.problems: tuple[Problem, ...] = ()  # of the last reading
        self._designs: dict[str, int] = {}
        self._versions: dict[Spot, str] = {}
        self._seen: dict[str, Seen] = {}  # by the version of the face
        self._touched: dict[Spot, int] = {}
        self._stamps: dict[str, bytes] = {}  # of the templates
        self._packs: Packs = {}
        self._read_all()

    # Reading

    def _read_all(self) -> None:
        """Read everything anew: the project, the deck and its templates."""
        self.project, deck = self._open()
        self.library: Library = self.project.get_library(self.view.look)
        self.target: Target = self.project.get_target(self.view.target, deck)
        picture = read_target(self.library.get("target", "png"), self.library)
        profile = read_press_profile(picture, self.library, seen=True)
        self._prepress = choose_prepress(picture, profile, seen=True)
        device = Device(sent=is_sent(self.target))
        deck, self._unread = _leave_out(deck, self._list_unread(deck))
        self.templates = DeckTemplates(
            deck, self.library, self.target.page, one_size=False, device=device, draft=Draft()
        )
        self._start()

    def _open(self) -> tuple[Project, Deck]:
        return open_deck(self.name, self.view.language, lenient=True, draft=True)

    def _start(self) -> None:
        """Begin to compose with nothing kept of before."""
        self.faces = FaceMaker(self.templates)
        self._packs = {}
        self._take_up()

    def take(self, changed: Collection[Path] | None) -> None:
        """Take up files that changed, with all links followed; None: any may have.

        Where the deck cannot be read, its error is raised and all stays as it was.
        """
        kinds = self._sort(changed)
        if kinds is None:
            self._read_all()
            return
        _, deck = self._open()
        deck, self._unread = _leave_out(deck, self._list_unread(deck))
        self.templates.take_deck(deck, kinds.templates)
        if kinds.pictures:
            self._touch(kinds.pictures)
            self._start()
            return
        self.faces.renew()
        self._take_up()

    def take_deck(self, deck: Deck) -> None:
        """Show other cards than the file has, as they are typed."""
        self.templates.take_deck(deck)
        self.faces.renew()
        self._take_up()

    @property
    def deck(self) -> Deck:
        return self.templates.deck

    def _take_up(self) -> None:
        """Take note of the cards and the versions of their faces."""
        deck = self.deck
        self.keys = _name_cards(deck.cards)
        self._designs = {key: number for number, key in enumerate(self.keys)}
        self._stamps = {name: self._stamp(template) for name, template in self.templates}
        reads = {name: _Reads.of(template) for name, template in self.templates}
        whole = repr(
            (deck.name, deck.title, deck.author, deck.language, deck.description, deck.version)
        )
        sizes = repr((len(deck.cards), deck.copies))
        self._data_problems = self._sort_problems()
        marks = {name: [p.message for p in found] for name, found in self._data_problems.items()}
        self._versions = {}
        for number, (key, card) in enumerate(zip(self.keys, deck.cards, strict=True)):
            for side in SIDES:
                name = card.template if side == "front" else card.back
                if name is None:
                    continue
                said: list[object] = [side if reads[name].side else ""]
                # What is wrong with a card's data stands on its face.
                said += [reads[name].take(card), marks.get(card.name)]
                if reads[name].place:
                    said += [number, self.templates.get_place(Copy(number, 0))]
                if reads[name].deck:
                    said += [whole, sizes]
                said.append(self._touched.get(Spot(key, side), 0))
                made = self._stamps[name] + repr(said).encode("utf-8", "surrogatepass")
                self._versions[Spot(key, side)] = blake2b(made, digest_size=_BYTES).hexdigest()
        known = set(self._versions.values())
        self._seen = {version: seen for version, seen in self._seen.items() if version in known}
        self._touched = {spot: n for spot, n in self._touched.items() if spot in self._versions}
        self.problems = (
            *self._data_problems.get(None, ()),
            *self.templates.faults,
            *self._unread.values(),
        )

    def _stamp(self, template: Template) -> bytes:
        """Return what is equal as long as a template says the same."""
        made = blake2b(digest_size=16)
        for path in template.files:
            made.update(path.read_bytes() if path.is_file() else b"")
        said = (self.target.page, self.view, template.format, self.templates.placeholders)
        made.update(repr(said).encode())
        made.update(repr(self.deck.size).encode())
        return made.digest()

    def _sort(self, changed: Collection[Path] | None) -> _Changed | None:
        """Return what changed by kinds; None where it may concern everything."""
        if changed is None:
            return None
        templates = {file.resolve() for _, one in self.templates for file in one.files}
        found = _Changed(set(), set())
        for path in changed:
            if path in templates or path.suffix == ".xml":
                found.templates.add(path)
            elif path.suffix.lower() in _DECKS and "words" not in path.parts:
                continue  # the deck is read anew in any case
            elif path.suffix.lower() in _PICTURES:
                found.pictures.add(path)
            else:
                return None
        return found

    def _touch(self, pictures: Collection[Path]) -> None:
        """Give new versions to the faces that show a picture, or of which nobody knows."""
        names = {name for path in pictures for name in (path.stem, path.name)}
        for spot, version in self._versions.items():
            seen = self._seen.get(version)
            if seen is None or not names.isdisjoint(seen.named):
                self._touched[spot] = self._touched.get(spot, 0) + 1

    def _list_unread(self, deck: Deck) -> dict[str, Problem]:
        """Return what is wrong with templates that cannot be read, by their names."""
        known = {card.template: card.get_place("template") for card in deck.cards}
        known |= {card.back: card.get_place("back") for card in deck.cards if card.back}
        found: dict[str, Problem] = {}
        for name, where in known.items():
            try:
                self.library.get("template", name, where)
            except CardgenError as error:
                found[name] = error.problems[0]
        return found

    def _sort_problems(self) -> Mapping[str | None, list[Problem]]:
        """Return the problems of the deck's file by the names of cards; None for those of none."""
        cards = {card.name for card in self.deck.cards}
        found: dict[str | None, list[Problem]] = {}
        for problem in self.deck.problems:
            found.setdefault(problem.card if problem.card in cards else None, []).append(problem)
        return found

    # Telling

    def get_card(self, key: str) -> Card:
        """Return a card by its key; a KeyError where there is none."""
        return self.deck.cards[self._designs[key]]

    def get_number(self, key: str) -> int:
        """Return the number of a card's design, from 1 on."""
        return self._designs[key] + 1

    def find_version(self, spot: Spot) -> str | None:
        """Return the version of a face; None where there is no such face."""
        return self._versions.get(spot)

    def get_template(self, spot: Spot) -> Template:
        card = self.get_card(spot.card)
        name = card.template if spot.side == "front" else card.back
        return self.templates[name or ""]

    def find_seen(self, spot: Spot) -> Seen | None:
        """Return what came out when a face was composed; None if it was not yet."""
        return self._seen.get(self._versions.get(spot, ""))

    def list_problems(self, key: str) -> list[Problem]:
        """Return what is known to be wrong with a card."""
        card = self.get_card(key)
        found = list(self._data_problems.get(card.name, ()))
        for side in SIDES:
            seen = self.find_seen(Spot(key, side))
            found += seen.problems if seen is not None else ()
        return list(dict.fromkeys(found))

    @property
    def is_faulty(self) -> bool:
        """Whether anything is known to be wrong, so that a build would be refused."""
        seen = any(one.problems for one in self._seen.values())
        return bool(seen or self.deck.problems or self.problems)

    def list_unchecked(self) -> list[str]:
        """Return the keys of the cards of which a face was never composed, in the deck's order."""
        return [key for key in self.keys if not self._is_checked(key)]

    def _is_checked(self, key: str) -> bool:
        return all(
            self._versions[spot] in self._seen
            for spot in (Spot(key, side) for side in SIDES)
            if spot in self._versions
        )

    # Composing and drawing

    def check(self, keys: Sequence[str], seconds: float) -> list[str]:
        """Compose the faces of cards while there is time, at least of one; return their keys."""
        end = time.monotonic() + seconds
        done: list[str] = []
        with watch():
            for key in keys:
                for side in SIDES:
                    if Spot(key, side) in self._versions:
                        self._compose(Spot(key, side))
                done.append(key)
                if time.monotonic() > end:
                    break
        return done

    def draw(self, spots: Sequence[Spot], dpi: float) -> Iterator[tuple[str, bytes]]:
        """Yield the version of each face and its picture as PNG, with its bleed."""
        resources = Resources(self._prepress, self._packs)
        drawer = PageDrawer(resources)
        pages: list[DrawnPage] = []
        with watch():
            for spot in spots:
                face = self._compose(spot)
                pages.append(
                    drawer.draw(FilledPage(_make_page(face), [PlacedFace(face, again=False)]))
                )
        pdf = make_pdf(_NO_HEAD, pages, resources)
        if len(self._packs) > _MOST_PACKS:
            self._packs.clear()
        for spot, picture in zip(spots, draw_pages(pdf, dpi, level=_FAST), strict=True):
            yield self._versions[spot], picture

    def trace(self, spot: Spot) -> list[Traced]:
        """Return where each element of a face lies, each before those within it."""
        with watch():
            return self.faces.trace(Copy(self._designs[spot.card], 0), spot.side)

    def _compose(self, spot: Spot) -> Face:
        """Return a face, and take note of what came out."""
        design = self._designs[spot.card]
        template = self.get_template(spot)
        try:
            made = self.faces.get_face(Copy(design, 0), spot.side)
            assert made is not None
            face, problems = made.face, tuple(self.faces.take_problems())
        except CardgenError as error:
            self.faces.take_problems()
            face, problems = self._make_empty(template), error.problems
        shrunk = [one for some in self.faces.take_shrunk().values() for one in some]
        version = self._versions[spot]
        before = self._seen.get(version)
        if before is None or problems or shrunk:
            nodes = list_named(self.templates, Copy(design, 0), spot.side)
            self.faces.take_problems()
            self._seen[version] = Seen(problems, tuple(dict.fromkeys(shrunk)), nodes)
        return face

    def _make_empty(self, template: Template) -> Face:
        return Face(template.format.size, template.format.bleed, ())

    @cached_property
    def prepared(self) -> bool:
        """Whether a face was drawn, so that fonts are open; draws one."""
        first = next(iter(self._versions), None)
        if first is not None:
            list(self.draw([first], 72))
        return True


_DECKS = (".yaml", ".yml", ".csv", ".xlsx", ".md")
_PICTURES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif", ".tif", ".tiff")


class _Changed(NamedTuple):
    """Files that changed, by what they are."""

    templates: set[Path]
    pictures: set[Path]


class _Reads(NamedTuple):
    """What the expressions of a template read.

    fields: of the card; None where it may be any
    """

    fields: tuple[str, ...] | None
    place: bool
    deck: bool
    side: bool

    @classmethod
    def of(cls, template: Template) -> _Reads:
        names: set[str] = set()
        fields: set[str] = set()
        for element in template.elements:
            for expression in element.list_expressions():
                names |= expression.reads
                fields.update(expression.fields)
        whole = "card" in names
        placed = whole or bool(fields & {"number", "place"})
        read = None if whole else tuple(sorted(fields))
        return cls(read, placed, "deck" in names, "side" in names)

    def take(self, card: Card) -> list[object]:
        """Return the values of a card that are read."""
        own: dict[str, object] = {"id": card.id, "name": card.name, "count": card.count}
        own = {**card.fields, **own}
        if self.fields is None:
            return [(name, own[name]) for name in sorted(own)]
        return [own.get(name) for name in self.fields]


def _name_cards(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return a key for each card: its id, with a number where another card has the same."""
    keys: dict[str, None] = {}
    for card in cards:
        key, number = card.id, 2
        while key in keys:
            key, number = f"{card.id}~{number}", number + 1
        keys[key] = None
    return tuple(keys)


def _leave_out(deck: Deck, unread: Mapping[str, Problem]) -> tuple[Deck, Mapping[str, Problem]]:
    """Return a deck without the cards, and the backs, whose templates cannot be read."""
    if not unread:
        return deck, unread
    cards = tuple(
        replace(card, back=None) if card.back in unread else card
        for card in deck.cards
        if card.template not in unread
    )
    if not cards:
        raise CardgenError.of(unread.values())
    return replace(deck, cards=cards), unread


def _make_page(face: Face) -> Page:
    """Return a page that is a face with its bleed."""
    whole = Rect(0, 0, *face.size).outset(face.bleed)
    trim = Rect(face.bleed.left, face.bleed.top, *face.size)
    page = Rect(0, 0, *whole.size)
    placement = Placement(0, "front", trim, False, page)
    return Page(Size(*whole.size), "front", 1, trim, page, (placement,), ())
