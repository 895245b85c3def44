"""A build before anything is drawn: which copies lie where, on which page, for which target.

`make_plan` turns a deck and the options of whoever builds it into a `Plan`. A plan is made anew
for each build; nothing of it is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cardgen.build.finish import choose_printer, finish_pages, has_slug
from cardgen.build.press import check_bleed, read_press_profile
from cardgen.build.selection import ALL, Selection, choose_by_size, choose_copies, choose_shown
from cardgen.build.templates import DeckTemplates, Draft
from cardgen.core.epoch import read_epoch
from cardgen.core.errors import CardgenError, Where
from cardgen.core.geometry import Insets
from cardgen.core.library import Library
from cardgen.core.units import format_mm, format_size
from cardgen.deck.model import Copies, Copy, Deck, slug
from cardgen.layout.device import Device
from cardgen.pages.impose import Page, Sides
from cardgen.pages.services import Fitting, fit_product
from cardgen.pages.sheets.choice import check_choice, check_cuts, choose_mixed
from cardgen.pages.sheets.protocol import BACKS_ALONE, Batch, CardKind, SheetCopy, Sheets
from cardgen.pages.showcase import Scene
from cardgen.pages.target import Side, Target
from cardgen.project.printers import Profiles
from cardgen.project.project import Project
from cardgen.project.settings import DEFAULT_TARGET, NO_SETTINGS, OWN_LOOK, Settings

if TYPE_CHECKING:
    from cardgen.output.inks import Profile
    from cardgen.output.underlay import Underlay
    from cardgen.pages.printer import Printer
    from cardgen.pages.products import Product

# So many letters of a pattern stand in a file's name.
_LONGEST_PART = 40
_BASE_SLACK = 1.5  # points by which a base may differ from the paper


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How a deck is built; what is left out is as the deck, the project or cardgen has it.

    skip, used: how many places of the first sheet are used already, or which, from 1 on
    reverse: whether the last page comes first
    profiles: the printers whose faults are undone
    dpi: of pictures, where it is not the target's
    since: an earlier output or a git revision: only what looks different now is printed
    untagged: whether a PDF leaves out what reads it aloud
    archive: whether it is one for archives
    draft: whether what is wrong is drawn on the cards, and keeps none from being printed
    """

    target: str | None = None
    look: str | None = None
    language: str | None = None
    out: Path | None = None
    selection: Selection = ALL
    sides: Sides = "both"
    skip: int = 0
    used: tuple[int, ...] = ()
    reverse: bool = False
    profiles: Profiles | None = None
    dpi: int | None = None
    since: str | None = None
    untagged: bool = False
    archive: bool = False
    draft: bool = False


USUAL = BuildOptions()


class Plan(NamedTuple):
    """A build decided: plain data, and the templates that faces are made of.

    copies: those that are printed
    sheets: the kind of sheets, for the target with its paper as it lies
    templates: read already; drawing has them filled for each copy
    uncalibrated: the printer that is known, but not for paper that lies as this does
    places: how many of how many places on a sheet the printer reaches, where it is not all
    path: the file or folder that is written
    whole: that of the whole deck; the same, where all cards are printed
    batch: the copies as the sheets see them
    pages: all of them, with what stands in their margins
    product: that of the service which prints the cards
    underlay: the pages that lie below the sheets
    """

    project: Project
    library: Library
    deck: Deck
    options: BuildOptions
    copies: Copies
    sheets: Sheets
    templates: DeckTemplates
    profile: Profile | None
    printer: Printer | None
    uncalibrated: str | None
    places: tuple[int, int] | None
    path: Path
    whole: Path
    batch: Batch
    pages: tuple[Page, ...]
    product: Product | None = None
    underlay: Underlay | None = None

    @property
    def target(self) -> Target:
        return self.sheets.target

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides of the cards that are printed."""
        return self.sheets.list_sides()

    @property
    def makes_pictures(self) -> bool:
        return self.target.file.format != "pdf"

    @property
    def makes_folder(self) -> bool:
        """Whether the output is a folder, and no file."""
        return self.makes_pictures and not self.target.file.zip

    @property
    def is_tagged(self) -> bool:
        """Whether the file says what it shows, to whoever hears it read."""
        plain = self.target.press.flavour == "plain" and not self.makes_pictures
        return plain and self.target.press.text == "fonts" and not self.options.untagged

    @property
    def is_seen(self) -> bool:
        """Whether colours are given as they look: there are no inks in pictures and archives."""
        return self.makes_pictures or self.options.archive

    @property
    def for_press(self) -> bool:
        return self.target.press.flavour != "plain" and not self.makes_pictures

    @property
    def is_showcase(self) -> bool:
        return self.target.file.format == "showcase"

    def list_scenes(self) -> tuple[Scene, ...]:
        """Return the pictures of a showcase."""
        scenes = self.target.showcase.scenes
        return ("fan", "hand", "box") if scenes == "all" else (scenes,)

    @property
    def is_sent(self) -> bool:
        """Whether the output goes to somebody who cuts it, so that it must do for that."""
        return is_sent(self.target)

    @property
    def is_judged(self) -> bool:
        """Whether preflight judges the output: what is sent, and what may be, as each page or
        picture is a card.
        """
        may_be = self.target.paper.size is None and self.target.file.format in ("pdf", "png")
        return self.is_sent or (may_be and not self.options.draft)


def is_sent(target: Target) -> bool:
    """Whether what a target prints goes to somebody who cuts it."""
    for_press = target.press.flavour != "plain" and target.file.format == "pdf"
    return for_press or target.grid.full_bleed


def _find_device(target: Target, dpi: int | None) -> Device:
    """Return what prints a target; how fine a PDF is printed nobody knows."""
    if target.file.format == "pdf":
        return Device(sent=is_sent(target))
    bleed = Insets()
    if target.paper.size is None:
        bleed = target.show_bleed("front", Insets.even(inf))
    return Device(dpi or target.file.dpi, is_sent(target), bleed.left, bleed.top)


def make_plan(project: Project, deck: Deck, options: BuildOptions = USUAL) -> Plan:
    """Choose cards, target and printer, read the templates, and find where each card lies."""
    read_epoch()  # what is no time is told before anything is drawn
    library = project.get_library(options.look)
    asked = project.get_target(options.target, deck)
    used = frozenset((*range(options.skip), *(place - 1 for place in options.used)))
    check_choice(asked, options.sides, used)
    copies = choose_copies(deck, options.selection)
    if options.sides in BACKS_ALONE and not any(deck.cards[copy.design].back for copy in copies):
        raise CardgenError(
            "build/no-backs",
            f'the deck "{deck.name}" has no backs',
            hint="add back: and a template",
            details={"deck": deck.name},
        )
    draft = Draft(marked=not has_slug(asked)) if options.draft else None
    device = _find_device(asked, options.dpi)
    templates = DeckTemplates(deck, library, asked.page, device=device, draft=draft)
    if options.look is not None:
        templates.check_look()
    if options.selection.size is not None:
        copies = choose_by_size(templates, copies, options.selection.size)
    if asked.file.format == "showcase":
        # Cards of one size are shown together: those of the first.
        kind_shown = templates.get_kind(copies[0])
        copies = choose_shown(c for c in copies if templates.get_kind(c) == kind_shown)
    kinds = templates.list_kinds(copies)
    asked, product = _fit_kinds(asked, templates, copies, kinds)
    if not options.draft:
        check_bleed(asked, templates, kinds)
    has_back = (
        (templates.get_kind(copy), deck.cards[copy.design].back is not None) for copy in copies
    )
    sheets = choose_mixed(asked, kinds, has_back, options.sides, used)
    sheets, printer, uncalibrated, places = choose_printer(sheets, options.profiles)
    profile = read_press_profile(asked, library, seen=options.archive)
    if options.dpi is not None:
        _check_dpi(sheets.target)
        sheets = sheets.change_target(dpi=options.dpi)
    batch = _make_batch(sheets, templates, copies)
    underlay = _read_base(sheets.target, library)
    name = partial(name_output, deck, sheets.target, options.look, options.sides, project.settings)
    out = project.settings.choose_out(options.out)
    plan = Plan(
        project=project,
        library=library,
        deck=deck,
        options=options,
        copies=copies,
        sheets=sheets,
        templates=templates,
        profile=profile,
        printer=printer,
        uncalibrated=uncalibrated,
        places=places,
        path=out / name(_name_part(options)),
        whole=out / name(),
        batch=batch,
        pages=(),
        product=product,
        underlay=underlay,
    )
    plan = plan._replace(pages=_lay_pages(plan))
    if underlay is not None:
        _check_base(plan.pages, underlay, sheets.target)
    if options.archive:
        _check_archive(plan)
    return plan


def _fit_kinds(
    target: Target, templates: DeckTemplates, copies: Copies, kinds: Mapping[int, CardKind]
) -> Fitting:
    """Return the target as it prints cards of these kinds, and the service's product that they are.

    Refuse kinds that it does not print.
    """
    if len(kinds) > 1 and _takes_one_size(target):
        raise _refuse_sizes(templates, copies, kinds, target)
    for kind in kinds.values():
        check_cuts(target, kind.shape)
    if len(kinds) != 1:
        return Fitting(target)
    (kind,) = kinds.values()
    return fit_product(target, kind.size)


def _check_archive(plan: Plan) -> None:
    if plan.underlay is not None or not plan.is_tagged:
        raise CardgenError(
            "build/no-archive",
            f'the target "{plan.target.name}" makes no PDF for archives',
            hint="choose one that is printed at home, as a4; and leave out --untagged",
            details={"target": plan.target.name},
        )


def plan_copies(plan: Plan, copies: Copies) -> Plan:
    """Return the plan for these copies alone."""
    batch = _make_batch(plan.sheets, plan.templates, copies)
    plan = plan._replace(copies=copies, batch=batch)
    return plan._replace(pages=_lay_pages(plan) if copies else ())


def _lay_pages(plan: Plan) -> tuple[Page, ...]:
    return finish_pages(
        plan.sheets,
        plan.batch,
        plan.deck,
        plan.printer,
        reverse=plan.options.reverse,
        draft=plan.options.draft,
        below=len(plan.underlay.pages) if plan.underlay else 0,
    )


def _read_base(target: Target, library: Library) -> Underlay | None:
    if target.paper.base is None:
        return None
    from cardgen.output.underlay import read_underlay  # which few targets need

    where = target.find_place("base")
    return read_underlay(library.get("base", target.paper.base.removesuffix(".pdf"), where), where)


def _check_base(pages: Sequence[Page], underlay: Underlay, target: Target) -> None:
    """Refuse a base whose pages are not as large as the sheets that lie on them."""
    for page in pages:
        below = underlay.pages[page.below or 0]
        if any(abs(a - b) > _BASE_SLACK for a, b in zip(below.size, page.size, strict=True)):
            raise CardgenError(
                "target/base-size",
                f"page {(page.below or 0) + 1} of the base is {format_size(below.size)}, and the "
                f"sheet above it {format_size(page.size)}",
                target.find_place("base"),
                "make the base as large as the paper, and turned as it is",
                details={"page": (page.below or 0) + 1},
            )


def _make_batch(sheets: Sheets, templates: DeckTemplates, copies: Copies) -> Batch:
    """Return the copies as the sheets see them, told apart by their looks only where asked for."""
    cards = templates.deck.cards
    if sheets.compares_faces:
        seen = [
            SheetCopy(
                copy.design,
                templates.identify_front(copy),
                templates.identify_back(copy),
                f"{templates.get_place(copy)}  {cards[copy.design].name}",
                templates.get_kind(copy),
            )
            for copy in copies
        ]
    else:
        # Those that are alike in all that is read of them are one.
        known: dict[tuple[str | None, int], SheetCopy] = {}
        faces = ((cards[copy.design].back, templates.get_kind(copy)) for copy in copies)
        seen = [known.setdefault(of, SheetCopy(0, None, of[0], "", of[1])) for of in faces]
    kinds = templates.list_kinds(copies)
    bleeds = {number: (kind.bleed, kind.back_bleed) for number, kind in kinds.items()}
    bleed, back_bleed = next(iter(bleeds.values()), (Insets(), Insets()))
    return Batch(seen, bleed, back_bleed, templates.deck.title, bleeds)


def name_output(
    deck: Deck,
    target: Target,
    look: str | None,
    sides: Sides,
    usual: Settings = NO_SETTINGS,
    part: Sequence[str] = (),
) -> str:
    """Return the name of the file or folder: the deck's, what is not as usual, and the part of the
    deck that it holds.
    """
    parts = [deck.name]
    if deck.translation is not None:
        parts.append(deck.translation.language)
    if look is not None and look != (usual.look or OWN_LOOK):
        parts.append(look)
    if target.name != (deck.target or usual.target or DEFAULT_TARGET):
        parts.append(target.name)
    if sides != "both":
        parts.append(sides)
    parts += part
    end = "" if target.file.format != "pdf" else ".pdf"
    return "-".join(parts) + (".zip" if target.file.zip else end)


def _name_part(options: BuildOptions) -> list[str]:
    """Return words for the part of a deck that is printed; none for all of it."""
    chosen, words = options.selection, list[str]()
    if chosen.only is not None:
        said = slug(chosen.only)[:_LONGEST_PART] if any(map(str.isalnum, chosen.only)) else ""
        words += filter(None, ("only", said))
    if chosen.start is not None:
        words.append(f"from-{chosen.start}")
    if chosen.end is not None:
        words.append(f"to-{chosen.end}")
    if chosen.one_of_each:
        words.append("one-of-each")
    if chosen.size is not None:
        words.append("x".join(format_mm(side).removesuffix("mm") for side in chosen.size) + "mm")
    if options.since is not None:
        words.append("changed")
    if options.draft:
        words.append("draft")
    return words


def _takes_one_size(target: Target) -> bool:
    """Whether what a target makes is sent to somebody who takes an order for cards of one size."""
    return is_sent(target) or bool(target.file.products) or target.file.quantities != "copies"


def _refuse_sizes(
    templates: DeckTemplates,
    copies: Sequence[Copy],
    kinds: Mapping[int, CardKind],
    target: Target,
) -> CardgenError:
    counts = Counter(map(templates.get_kind, copies))
    shown = [
        f"{counts[number]:,} of {format_size(kind.size)}"
        + (f" ({kind.shape.name})" if kind.shape.has_line else "")
        for number, kind in kinds.items()
    ]
    sizes = list(dict.fromkeys(format_size(kind.size) for kind in kinds.values()))
    cure = ", then ".join(f'--size "{size}"' for size in sizes)
    if len(sizes) == 1:  # of several shapes
        cure = "--only and a name"
    return CardgenError(
        "build/several-sizes",
        f'the target "{target.name}" takes cards of one size and shape in a file, and the deck '
        f'"{templates.deck.name}" has several: {", ".join(shown)}',
        Where(str(templates.deck.path)),
        f"build it once for each: {cure}",
        details={"target": target.name, "sizes": tuple(sizes)},
    )


def _check_dpi(target: Target) -> None:
    if target.file.format == "pdf":
        raise CardgenError(
            "build/dpi-of-a-pdf",
            f'the target "{target.name}" makes a PDF, which has no dpi',
            hint="leave --dpi out, or name a target that makes pictures, as --target png",
        )
