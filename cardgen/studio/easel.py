"""One deck kept open, to be drawn again and again: its cards, templates, fonts and faces stay warm.

A face has a version: a hash of all that it is made of. Who asks for a version gets what it shows.
Knows nothing of processes, browsers or addresses.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import NamedTuple

from cardgen.build.faces import FaceMaker
from cardgen.build.first_look import look_first
from cardgen.build.plan import is_sent
from cardgen.build.press import read_press_profile
from cardgen.build.templates import DeckTemplates, Draft
from cardgen.core.budget import watch
from cardgen.core.deck_files import DECK_SUFFIXES
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import PICTURE_SUFFIXES, Library
from cardgen.deck.model import Card, Copy, Deck
from cardgen.deck.part import read_lines, read_part
from cardgen.layout.copyfit import Shrunk
from cardgen.layout.device import Device
from cardgen.layout.face import Face
from cardgen.layout.trace import Traced
from cardgen.output.inks import choose_prepress
from cardgen.output.pdf import DrawnPage, FilledPage, PageDrawer, PlacedFace, make_pdf
from cardgen.output.pdfx import Head
from cardgen.output.png import draw_pages
from cardgen.output.resources import Form, Image, Packs, Resources
from cardgen.pages.impose import Page, Placement
from cardgen.pages.target import Side, Target
from cardgen.pages.target_file import read_target
from cardgen.project.project import Project, open_deck
from cardgen.studio.naming import list_named
from cardgen.studio.versions import Namer
from cardgen.template.template import Template

SIDES: tuple[Side, Side] = ("front", "back")
_SPENT = ("print/too-slow", "print/too-much-memory")
_MOST_FALLS = 5
_MOST_FORMS = 150
_MOST_PACKS = 200  # pictures of the deck that are kept unpacked
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
    is_spent: whether it took so much that nobody tries once more
    """

    problems: tuple[Problem, ...] = ()
    shrunk: tuple[Shrunk, ...] = ()
    named: frozenset[str] = frozenset()
    is_spent: bool = False


class Easel:
    """A deck that is shown in one view.

    salt: what tells its versions from those of another easel; with the same one, equal faces are of
        equal versions
    """

    def __init__(self, name: str, view: View = View(), salt: bytes = b"") -> None:  # noqa: B008
        self.name = name
        self.view = view
        self.keys: tuple[str, ...] = ()  # of the cards, in the deck's order
        self.problems: tuple[Problem, ...] = ()  # of the last reading
        self.sizes_fell = False  # so that faces have other versions than before
        self._is_torn = False  # whether the deck could not be read the last time
        self._missing: Mapping[str, Sequence[Problem]] = {}  # of templates that nobody has
        self._guessed = False  # whether the sizes that cards share are those of before
        self._designs: dict[str, int] = {}
        self._versions: dict[Spot, str] = {}
        self._seen: dict[str, Seen] = {}  # by the version of the face
        self._touched: dict[Spot, int] = {}
        self._salt = salt
        self._readings = 0  # of everything
        self._packs: Packs = {}
        self._kept: _Kept | None = None
        self._path: Path | None = None
        self._lines: list[str] | None = None  # of the deck's file, as it was read
        self._read_all()

    # Reading

    def _read_all(self) -> None:
        """Read everything anew: the project, the deck and its templates."""
        self._readings += 1
        self.project, deck = self._open()
        self.library: Library = self.project.get_library(self.view.look)
        self.target: Target = self.project.get_target(self.view.target, deck)
        picture = read_target(self.library.get("target", "png"), self.library)
        profile = read_press_profile(picture, self.library, seen=True)
        self._prepress = choose_prepress(picture, profile, seen=True)
        device = Device(sent=is_sent(self.target))
        self.templates = DeckTemplates(
            deck, self.library, self.target.page, one_size=False, device=device, draft=Draft()
        )
        self._start()

    def _open(self) -> tuple[Project, Deck]:
        lines = _read_lines(self._path) if self._path is not None else None
        project, deck = open_deck(self.name, self.view.language, lenient=True, draft=True)
        if self._path is None:
            lines = _read_lines(deck.path)
        self._path, self._lines = deck.path, lines
        return project, deck

    def _start(self) -> None:
        """Begin to compose with nothing kept of before."""
        self.faces = FaceMaker(self.templates)
        self._packs, self._kept = {}, None
        self._decide_sizes()
        self._take_up()

    def _decide_sizes(self) -> None:
        """Decide the sizes that cards share, by a look at those that may decide on them."""
        self._guessed = False
        self.faces.forget_sizes()
        sharing = self.templates.list_sharing()
        if sharing:
            copies = {place.copy for place in sharing}
            with watch():
                look_first(self.faces, sharing, dict.fromkeys(SIDES, copies))
            self.faces.renew()

    def take(self, changed: Collection[Path] | None, *, guesses: bool = False) -> None:
        """Take up files that changed, with all links followed; None: any may have.

        Where the deck cannot be read, its error is raised and all stays as it was.

        guesses: whether the sizes that cards share may be those of before, until they are settled
        """
        kinds = self._sort(changed)
        if kinds is None:
            self._read_all()
            return
        if changed and not any(kinds):
            return
        deck = self.deck
        if kinds.decks:
            self._is_torn = True
            _, deck = self._open()
            self._is_torn = False
        self.templates.take_deck(deck, kinds.templates)
        if kinds.pictures:
            self._touch(kinds.pictures)
            self._start()
            return
        if guesses and kinds.templates and not kinds.decks:
            self._guessed = True
        elif kinds.decks or kinds.templates:
            self._decide_sizes()
        self.faces.renew()
        self._take_up()

    def settle_sizes(self) -> None:
        """Decide the sizes that were guessed, so that faces may get other versions."""
        if self._guessed:
            self._decide_sizes()
            self._take_up()

    def take_part(self, changed: Collection[Path] | None) -> str | None:
        """Take up a change within one card of the deck's file, by reading that card alone; return
        its key. None where more is to be read; then nothing is taken up.

        What is read so is a guess, which `take` puts right.
        """
        if changed is None or self._lines is None:
            return None
        if set(changed) != {self.deck.path.resolve()}:
            return None
        lines = _read_lines(self.deck.path)
        deck = lines and read_part(self.deck, self._lines, lines)
        if not deck:
            return None
        pairs = zip(self.deck.cards, deck.cards, strict=True)
        numbers = [number for number, (old, new) in enumerate(pairs) if _differ(old, new)]
        if len(numbers) > 1:
            return None
        self._lines = lines
        number = numbers[0] if numbers else 0
        self.templates.take_deck(deck)
        self.faces.renew()
        self._take_up(only=number)
        return self.keys[number]

    def take_deck(self, deck: Deck) -> None:
        """Show other cards than the file has, as they are typed."""
        self.templates.take_deck(deck)
        self.faces.renew()
        self._take_up()

    @property
    def deck(self) -> Deck:
        return self.templates.deck

    def _take_up(self, only: int | None = None) -> None:
        """Take note of the cards and the versions of their faces; `only` the number of a design
        tells that no other one changed.
        """
        deck, before = self.deck, self.keys
        self.keys = _name_cards(deck.cards)
        self._designs = {key: number for number, key in enumerate(self.keys)}
        self._data_problems = self._sort_problems()
        self._missing = self.templates.missing
        of_cards = {problem for found in self._missing.values() for problem in found}
        faults = (problem for problem in self.templates.faults if problem not in of_cards)
        self.problems = (*self._data_problems.get(None, ()), *faults)
        said = self._list_said()
        namer = Namer(self.templates, said, self.faces.sizes, self._data_problems)
        if only is not None and len(before) == len(self.keys):
            for side in SIDES:
                self._versions.pop(Spot(before[only], side), None)
            self._name_faces(namer, only)
            return
        self._versions = {}
        for number in range(len(self.keys)):
            self._name_faces(namer, number)
        known = set(self._versions.values())
        self._seen = {version: seen for version, seen in self._seen.items() if version in known}
        self._touched = {spot: n for spot, n in self._touched.items() if spot in self._versions}

    def _name_faces(self, namer: Namer, number: int) -> None:
        """Take note of the versions of a card's faces."""
        for side in SIDES:
            spot = Spot(self.keys[number], side)
            version = namer.name(number, side, self._touched.get(spot, 0))
            if version is not None:
                self._versions[spot] = version

    def _list_said(self) -> object:
        """Return what all faces depend on, beside their templates and cards."""
        own = self._salt, self._readings, self.target.page, self.view, self.deck.size
        return own, self.templates.placeholders

    def _sort(self, changed: Collection[Path] | None) -> _Changed | None:
        """Return what changed by kinds; None where it may concern everything."""
        if changed is None:
            return None
        templates = {file.resolve() for _, one in self.templates for file in one.files}
        found = _Changed(set(), set(), set())
        for path in changed:
            if path in templates or path.suffix == ".xml":
                found.templates.add(path)
            elif path.suffix.lower() in DECK_SUFFIXES and "words" not in path.parts:
                if self._may_read(path):
                    found.decks.add(path)
            elif path.suffix.lower() in PICTURE_SUFFIXES:
                found.pictures.add(path)
            else:
                return None
        return found

    def _may_read(self, path: Path) -> bool:
        """Whether a file is one that the deck is made of, or may become one."""
        deck = self.deck
        own = [Path(file).resolve() for file in deck.list_files()]
        # An overlay, or a table, is called after its deck; of one that is broken nobody knows.
        beside = any(path.name.startswith(f"{one.stem}.") for one in own)
        return self._is_torn or bool(deck.problems) or path in own or beside

    def _touch(self, pictures: Collection[Path]) -> None:
        """Give new versions to the faces that show a picture, or of which nobody knows."""
        names = {name for path in pictures for name in (path.stem, path.name)}
        for spot, version in self._versions.items():
            seen = self._seen.get(version)
            if seen is None or not names.isdisjoint(seen.named):
                self._touched[spot] = self._touched.get(spot, 0) + 1

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
        for part, name in (("template", card.template), ("back", card.back)):
            for problem in self._missing.get(name or "", ())[:1]:
                found.append(replace(problem, where=card.get_place(part), card=card.name))
        for side in SIDES:
            seen = self.find_seen(Spot(key, side))
            found += seen.problems if seen is not None else ()
        return list(dict.fromkeys(found))

    @property
    def is_faulty(self) -> bool:
        """Whether anything is known to be wrong, so that a build would be refused."""
        seen = any(one.problems for one in self._seen.values())
        return bool(seen or self.deck.problems or self.problems or self._missing)

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
        for key in keys:
            self._compose_all([Spot(key, side) for side in SIDES])
            done.append(key)
            if time.monotonic() > end:
                break
        return done

    def draw(
        self, spots: Sequence[Spot], dpi: float, seconds: float = inf
    ) -> Iterator[tuple[str, bytes]]:
        """Yield the version of each face and its picture as PNG, with its bleed; of those that are
        composed while there is time, at least of one.
        """
        faces = self._compose_all(spots, seconds)
        pdf = self._write(faces)
        pictures = draw_pages(pdf, dpi, fast=True)
        for spot, picture in zip(spots[: len(faces)], pictures, strict=True):
            yield self._versions[spot], picture

    def _write(self, faces: Sequence[Face]) -> bytes:
        """Return a PDF with a page for each face. Forms and fonts are kept for the next one."""
        if self._kept is None or self._kept.is_full:
            self._kept = _Kept(Resources(self._prepress, self._packs))
        kept = self._kept
        pages: list[DrawnPage] = []
        with watch():
            for face in faces:
                placed = PlacedFace(face, again=False)
                page = kept.drawer.draw(FilledPage(_make_page(face), [placed]))
                kept.forms += page.forms
                pages.append(page._replace(forms=()))
        if pages:
            pages[0] = pages[0]._replace(forms=tuple(kept.forms))
        pdf = make_pdf(_NO_HEAD, pages, kept.resources)
        if len(self._packs) > _MOST_PACKS:
            self._packs.clear()
        return pdf

    def _compose_all(self, spots: Sequence[Spot], seconds: float = inf) -> list[Face]:
        """Return the faces that there are; where one wants a smaller size of all, once more."""
        known = [spot for spot in spots if spot in self._versions]
        with watch():
            for _ in range(_MOST_FALLS):
                end = time.monotonic() + seconds
                faces: list[Face] = []
                for spot in known:
                    faces.append(self._compose(spot))
                    if time.monotonic() > end:
                        break
                if not self.faces.sizes_fell:
                    break
                self.faces.renew()
                self._take_up()
                self.sizes_fell = True
        return faces

    def trace(self, spot: Spot) -> list[Traced]:
        """Return where each element of a face lies, each before those within it."""
        with watch():
            return self.faces.trace(Copy(self._designs[spot.card], 0), spot.side)

    def _compose(self, spot: Spot) -> Face:
        """Return a face, and take note of what came out."""
        design = self._designs[spot.card]
        template = self.get_template(spot)
        version = self._versions[spot]
        before = self._seen.get(version)
        if before is not None and before.is_spent:
            return self._make_empty(template)
        self.templates.filled = ()
        try:
            with watch():  # what one card takes is no fault of the next
                made = self.faces.get_face(Copy(design, 0), spot.side)
            assert made is not None
            face, problems = made.face, tuple(self.faces.take_problems())
        except CardgenError as error:
            self.faces.take_problems()
            face, problems = self._make_empty(template), error.problems
        shrunk = [one for some in self.faces.take_shrunk().values() for one in some]
        if before is None:
            before = Seen(named=list_named(self.templates.filled))
        # What lies in a form that is kept is told of only when it is composed first.
        found = dict.fromkeys((*before.problems, *problems))
        smaller = dict.fromkeys((*before.shrunk, *shrunk))
        spent = any(problem.code in _SPENT for problem in problems)
        self._seen[version] = Seen(tuple(found), tuple(smaller), before.named, spent)
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


class _Kept:
    """What the pages drawn so far have in common, to be used by the next ones."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.drawer = PageDrawer(resources)
        self.forms: list[Form | Image] = []

    @property
    def is_full(self) -> bool:
        """Whether to begin anew costs less; pictures would be written into each file."""
        return len(self.forms) > _MOST_FORMS or self.resources.has_pictures


class _Changed(NamedTuple):
    """Files that changed, by what they are."""

    decks: set[Path]
    templates: set[Path]
    pictures: set[Path]


def _read_lines(path: Path) -> list[str] | None:
    """Return the lines of a deck in YAML; None for one of another kind, or that is not there."""
    try:
        return read_lines(path) if path.suffix in (".yaml", ".yml") else None
    except CardgenError:
        return None


def _differ(old: Card, new: Card) -> bool:
    """Whether two cards differ in more than their place."""
    return old is not new and replace(old, where=new.where) != new


def _name_cards(cards: Sequence[Card]) -> tuple[str, ...]:
    """Return a key for each card: its id, with a number where another card has the same."""
    keys: dict[str, None] = {}
    for card in cards:
        key, number = card.id, 2
        while key in keys:
            key, number = f"{card.id}~{number}", number + 1
        keys[key] = None
    return tuple(keys)


def _make_page(face: Face) -> Page:
    """Return a page that is a face with its bleed."""
    whole = Rect(0, 0, *face.size).outset(face.bleed)
    trim = Rect(face.bleed.left, face.bleed.top, *face.size)
    page = Rect(0, 0, *whole.size)
    placement = Placement(0, "front", trim, False, page)
    return Page(Size(*whole.size), "front", 1, trim, page, (placement,), ())
