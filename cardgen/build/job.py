"""A deck, the cards of it that are printed, and how: gathered, imposed, and drawn into one file.

Part of build: it knows the order from deck to finished file. Writes nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.build.finish import choose_printer, finish_pages
from cardgen.build.manifest import Hashes, gather_hashes
from cardgen.build.overview import arrange_table, check_choice, show_faces
from cardgen.build.press import check_bleed, find_date, find_profile
from cardgen.build.selection import ALL, Selection, choose_copies
from cardgen.core.errors import CardgenError, Where, suggest
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.deck.model import Copy, Deck
from cardgen.pages.gutterfold import count_sheets, fold_sheets
from cardgen.pages.impose import Page, Sides, count_pages, impose, lay_bare
from cardgen.pages.printer import Printer
from cardgen.pages.settle import settle_target
from cardgen.pages.sheets.tabletop import impose_sheets
from cardgen.pages.target import Side, Target, read_target
from cardgen.project.printers import Profiles
from cardgen.project.settings import OWN_LOOK, find_project, read_settings

if TYPE_CHECKING:
    from cardgen.build.draw import Drawer
    from cardgen.build.faces import FaceMaker
    from cardgen.core.colour import Colour
    from cardgen.layout.subject import Shrunk
    from cardgen.output.inks import Profile
    from cardgen.output.pdf import DrawnPage
    from cardgen.text.fonts import FontFile


BACKS_ALONE = ("backs", "even")
DEFAULT_TARGET = "a4"

Progress = Callable[[int, int], None]


class Finished(NamedTuple):
    """A file that is not written yet.

    looks: for each page the first one that looks the same, itself as a rule
    hashes: for each page those of what its faces show
    """

    data: bytes
    pages: tuple[Page, ...]
    looks: tuple[int, ...]
    hashes: tuple[tuple[str, ...], ...]
    shrunk: tuple[Shrunk, ...]
    colours: frozenset[Colour]
    fonts: tuple[FontFile, ...]

    @property
    def scale(self) -> float:
        """That of the smallest face."""
        return min((place.scale for page in self.pages for place in page.placements), default=1.0)


@dataclass(frozen=True, slots=True)
class Job:
    """A deck, which of its cards to print, and how.

    uncalibrated: the printer that is known, but not for paper that lies as this does
    """

    deck: Deck
    copies: tuple[Copy, ...]
    target: Target
    sides: Sides
    skip: int
    faces: FaceMaker
    profile: Profile | None = None
    printer: Printer | None = None
    uncalibrated: str | None = None
    reverse: bool = False

    def count_pages(self) -> int:
        if self.target.imposition == "contact":
            return 1
        if self.target.format == "tts":
            return 2 * len(arrange_table(self.copies, self.faces, self.target))
        if self.target.imposition == "gutterfold":
            return count_sheets(len(self.copies), self.faces.format.size, self.target, self.skip)
        return count_pages(
            len(self.copies),
            self.faces.format.size,
            self.target,
            sides=self.sides,
            backs=self._list_backs(),
            skip=self.skip,
        )

    def draw(self, progress: Progress | None) -> Finished:
        """The finished file; every card's problem is collected first."""
        from cardgen.core.version import VERSION
        from cardgen.output.pdf import write_pdf
        from cardgen.output.pdfx import Head, Press

        deck = self.deck
        with _no_collection():
            self.faces.gather_sizes()
            pages = self._arrange()
            drawing = self._make_drawer(progress).draw(pages)
            if drawing.problems:
                raise CardgenError.of(drawing.problems)
            creator = f"cardgen {VERSION}"
            # A stack that is turned by hand is printed on one side.
            by_hand = self.sides in ("odd", "even")
            turn = "none" if by_hand else self.target.choose_turn(self.faces.format.size)
            head = Head(deck.title, deck.author, deck.language, creator, turn)
            if self.target.flavour != "plain" and self.profile is not None:
                press = Press(self.profile, find_date(deck.path))
                head = head._replace(flavour=self.target.flavour, press=press)
            data = write_pdf(head, drawing.pages, drawing.resources)
            colours, fonts = drawing.resources.colours, tuple(drawing.resources.fonts)
            looks = tuple(_find_same(drawing.pages))
            hashes = tuple(page.hashes for page in drawing.pages)
        return Finished(data, pages, looks, hashes, tuple(drawing.shrunk), colours, fonts)

    def _make_drawer(self, progress: Progress | None) -> Drawer:
        from cardgen.build.draw import Drawer
        from cardgen.output.inks import choose_prepress

        return Drawer(
            self.deck,
            self.copies,
            self.faces,
            "back" if self.sides in BACKS_ALONE else "front",
            progress,
            prepress=choose_prepress(self.target, self.profile),
            labelled=self.target.paper is None and self.target.format == "pdf",
        )

    def hash_copies(self) -> list[Hashes]:
        """What each copy shows on the sides that are printed."""
        with _no_collection():
            self.faces.gather_sizes()
            pages = list(lay_bare(len(self.copies), self.list_sides()))
            drawing = self._make_drawer(None).draw(pages)
        return gather_hashes(len(self.copies), pages, [page.hashes for page in drawing.pages])

    def gather_hashes(self, made: Finished) -> list[Hashes]:
        """What each copy shows, also where another stands for it because they look the same."""
        found = gather_hashes(len(self.copies), made.pages, made.hashes)
        target = self.target
        if target.backs == "each" and target.imposition != "contact" and target.format != "tts":
            return found
        fronts, backs = dict[object, str | None](), dict[object, str | None]()
        looks = [(self.faces.identify_front(c), self.faces.identify_back(c)) for c in self.copies]
        for (front, back), hashes in zip(looks, found, strict=True):
            fronts[front] = fronts.get(front) or hashes.front
            backs[back] = backs.get(back) or hashes.back
        return [Hashes(fronts[front], backs[back]) for front, back in looks]

    def list_sides(self) -> tuple[Side, ...]:
        """The sides of the cards that are printed."""
        if self.sides != "both":
            return ("back",) if self.sides in BACKS_ALONE else ("front",)
        target = self.target
        alone = target.duplex == "none" and target.imposition == "grid" and target.format != "tts"
        return ("front",) if alone else ("front", "back")

    def _arrange(self) -> tuple[Page, ...]:
        """All pages, with what stands in their margins."""
        pages = self._impose()
        return finish_pages(pages, self.deck, self.target, self.printer, reverse=self.reverse)

    def _impose(self) -> Iterator[Page]:
        if self.target.imposition == "contact":
            yield show_faces(self.deck, self.copies, self.faces, self.sides, self.target)
        elif self.target.format == "tts":
            sheets = arrange_table(self.copies, self.faces, self.target)
            yield from impose_sheets(self.faces.format.size, sheets, self.target)
        else:
            yield from self._impose_sheets()

    def _impose_sheets(self) -> Iterator[Page]:
        if self.target.imposition == "gutterfold":
            return fold_sheets(
                *(len(self.copies), self.faces.format.size, self.faces.get_bleed("front")),
                self.target,
                back_bleed=self.faces.get_bleed("back"),
                backs=self._list_backs(),
                skip=self.skip,
            )
        return impose(
            len(self.copies),
            self.faces.format.size,
            self.faces.get_bleed("front"),
            self.target,
            back_bleed=self.faces.get_bleed("back"),
            sides=self.sides,
            backs=self._list_backs(),
            skip=self.skip,
        )

    def _list_backs(self) -> list[object]:
        """What tells the copies' backs apart, as far as it matters."""
        if self.target.backs == "once":
            return [self.faces.identify_back(copy) for copy in self.copies]
        return [self.deck.cards[copy.design].back for copy in self.copies]


def _find_same(pages: Iterable[DrawnPage]) -> Iterator[int]:
    first: dict[tuple[bytes, Size], int] = {}
    for number, page in enumerate(pages):
        yield first.setdefault((page.content, page.size), number)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of cycles: faces make none, but hold much for it to walk through."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def prepare_job(
    deck: Deck,
    *,
    target: str | None = None,
    look: str | None = None,
    selection: Selection = ALL,
    sides: Sides = "both",
    skip: int = 0,
    reverse: bool = False,
    profiles: Profiles | None = None,
) -> Job:
    """Choose cards and target, and read the templates of the deck."""
    from cardgen.build.faces import FaceMaker

    library = find_library(deck, look)
    chosen = choose_target(target, library, deck)
    check_choice(chosen, sides, skip)
    copies = choose_copies(deck, selection)
    if sides in BACKS_ALONE and not any(deck.cards[copy.design].back for copy in copies):
        raise CardgenError(
            "build/todo", f'the deck "{deck.name}" has no backs', hint="add back: and a template"
        )
    faces = FaceMaker(deck, library, chosen.page)
    if look is not None:
        faces.check_look()
    check_bleed(chosen, faces)
    has_back = [deck.cards[copy.design].back is not None for copy in copies]
    card = faces.format.size
    settled = settle_target(chosen, card, has_back, sides)
    settled, printer, lacking = choose_printer(settled, card, profiles)
    profile = find_profile(chosen, library)
    return Job(deck, copies, settled, sides, skip, faces, profile, printer, lacking, reverse)


def choose_target(name: str | None, library: Library, deck: Deck | None = None) -> Target:
    """The target that was asked for, else the deck's own, else the project's."""
    if name is None and deck is not None and deck.target is not None:
        return find_target(deck.target, library, deck.target_where)
    if name is None:
        settings = read_settings(library.project)
        return find_target(settings.target, library, settings.places.get("target"))
    return find_target(name, library)


def find_target(
    name: str | None, library: Library | None = None, where: Where | None = None
) -> Target:
    """A target by its name, or the usual one."""
    library = library or Library(Path.cwd())
    return read_target(library.find("target", name or DEFAULT_TARGET, where), library)


def find_library(deck: Deck, look: str | None = None) -> Library:
    """The library for a deck, in the look that was asked for, or else in the project's."""
    project = find_project(deck.path)
    wanted = read_settings(project).look if look is None else look
    library = Library(project, None if wanted == OWN_LOOK else wanted)
    if library.look is not None and library.look not in library.list_looks():
        hint = suggest(library.look, library.list_looks(), kind="look")
        raise CardgenError("build/todo", f'unknown look "{library.look}"', hint=hint)
    return library
