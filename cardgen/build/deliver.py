"""A drawn plan put in its place: a PDF, a folder of pictures, a deck for a game, or a .zip of it.

Beside it lie the manifest, the job ticket of a press file, and what a cutter follows. Knows nothing
of how a card came to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from cardgen.build.cuts import deliver_cuts, list_cuts
from cardgen.build.draw import Drawing
from cardgen.build.faults import list_problems
from cardgen.build.gaps import find_gaps
from cardgen.build.manifest import (
    Known,
    find_manifest,
    format_manifest,
    hash_printed,
    make_manifest,
    name_manifest,
)
from cardgen.build.plan import Plan
from cardgen.build.press import check_pdf, get_date, list_doubts, refuse_faulty
from cardgen.build.remarks import note_remarks
from cardgen.build.unread import find_unread
from cardgen.core.deck_files import refuse_outside
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.shape import Contour
from cardgen.core.version import VERSION
from cardgen.core.workers import count_parts, draw_in_turn
from cardgen.layout.copyfit import Shrunk
from cardgen.output.files import (
    Delivery,
    check_folder,
    check_name,
    check_writable,
    deliver_together,
    open_scratch,
    write_folder,
    write_zip,
)
from cardgen.output.pdfx import Head, Press
from cardgen.pages.target import PLAIN, Format

if TYPE_CHECKING:
    from cardgen.preflight.report import Report

# Below so many pictures a part, starting a process costs more than it saves.
FEWEST_PICTURES = 6
MOST_PARTS = 4
_SHEET_NAMES = "page-{place}-{side}"


@dataclass(frozen=True, slots=True)
class Built:
    """The result of a build.

    gaps: what is not in the language that was asked for
    notes: what was taken in another way than it is written, and columns that are printed nowhere
    scale: of the faces, which a contact sheet shows small
    unchanged: how many cards are not printed, for they show what they did
    places: how many of how many places on a sheet the printer reaches, where it is not all
    cuts: the names of the cutter's files
    is_alone: whether the output is a single file
    warnings: what preflight warns of in a file that is sent to somebody
    product: that of the service which prints the cards
    problems: of a draft, what is wrong with it
    """

    deck: str
    path: Path
    cards: int = 0
    designs: int = 0
    pages: int = 0
    pictures: bool = False
    shrunk: tuple[Shrunk, ...] = ()
    ticket: Path | None = None
    gaps: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()
    scale: float = 1.0
    unchanged: int = 0
    printer: str | None = None
    uncalibrated: str | None = None
    places: tuple[int, int] | None = None
    cuts: tuple[str, ...] = ()
    is_alone: bool = True
    warnings: tuple[Problem, ...] = ()
    product: str | None = None
    problems: tuple[Problem, ...] | None = None


def check_place(plan: Plan, *, make: bool) -> None:
    """Refuse a place that cannot be written to before any work is done.

    A folder of pictures that is a link to elsewhere is none of ours.
    make: whether folders that are not there are made
    """
    if plan.makes_folder:
        where = Where(str(plan.path))
        hint = "remove the link, or name another place with --out"
        refuse_outside("the folder for pictures", plan.path, plan.path.parent, where, hint)
        check_folder(plan.path, make=make)
    else:
        check_writable(plan.path, make=make)
    if _keeps_manifest(plan):
        for output in dict.fromkeys((plan.path, plan.whole)):
            check_writable(name_manifest(output), make=make)


def _keeps_manifest(plan: Plan) -> bool:
    """Whether there is a record; not of a draft, a showcase or a deck that was made up, as of the
    icons.
    """
    return plan.deck.path.is_file() and not plan.options.draft and not plan.is_showcase


def inspect(plan: Plan, drawn: Drawing) -> tuple[Problem, ...]:
    """Raise every problem for which a delivery would stop, and leave nothing behind; return what
    preflight warns of.
    """
    warnings: tuple[Problem, ...] = ()
    if plan.is_judged:
        with open_scratch(Path(gettempdir())) as out:
            warnings = _write_document(plan, drawn, out)
    else:
        drawn.rehearse()
    _NAMES[plan.target.file.format](plan)
    return warnings


def is_alone(plan: Plan) -> bool:
    """Whether the output is a single file, beside which no ticket and no cutter's file lies."""
    has_ticket = plan.for_press and not plan.target.file.zip
    return not (plan.makes_folder or has_ticket or list_cuts(plan))


def deliver(plan: Plan, drawn: Drawing, known: Known | None = None) -> Built:
    """Write the output and what lies beside it; `known` are the copies not printed again."""
    with deliver_together() as job:
        if plan.makes_pictures:
            written = _write_pictures(plan, drawn, job)
        else:
            written = _write_pdf(plan, drawn, job)
        known = known or Known(plan.copies, hash_printed(plan, drawn))
        if _keeps_manifest(plan):
            _write_manifests(plan, known, written.pictures, job)
        cuts = deliver_cuts(plan, job)
    return Built(
        deck=plan.deck.name,
        path=plan.path,
        cards=len(plan.copies),
        designs=len({copy.design for copy in plan.copies}),
        pages=len(written.pictures) if plan.is_showcase else len(plan.pages),
        pictures=plan.makes_pictures,
        shrunk=drawn.shrunk,
        ticket=written.ticket,
        warnings=written.warnings,
        gaps=find_gaps(plan.templates),
        notes=list_notes(plan, drawn),
        scale=min((place.scale for page in plan.pages for place in page.placements), default=1.0),
        unchanged=len(known.copies) - len(plan.copies),
        printer=plan.printer.name if plan.printer else None,
        uncalibrated=plan.uncalibrated,
        places=plan.places,
        cuts=cuts,
        is_alone=is_alone(plan),
        product=plan.product.name if plan.product else None,
        problems=list_problems(plan, drawn) if plan.options.draft else None,
    )


def _write_manifests(plan: Plan, known: Known, pictures: tuple[str, ...], job: Delivery) -> None:
    """Write the record of this output; one of a part of the deck also joins that of the whole."""
    own = make_manifest(plan, known)._replace(pictures=pictures)
    job.write(name_manifest(plan.path), format_manifest(own))
    if plan.whole != plan.path:
        before = find_manifest(plan.whole)
        is_part = len(known.copies) < plan.deck.copies
        whole = make_manifest(plan, known, before if is_part else None)
        whole = whole._replace(pictures=before.pictures if before else ())
        job.write(name_manifest(plan.whole), format_manifest(whole))


def list_notes(plan: Plan, drawn: Drawing) -> tuple[Problem, ...]:
    """Return what whoever builds a deck may want to know, though nothing is wrong with it."""
    return (*plan.deck.notes, *find_unread(plan.templates), *note_remarks(drawn.remarks))


def _make_head(plan: Plan) -> Head:
    """Return the head of the file: its title, its author, and how it was made."""
    deck = plan.deck
    turn = plan.sheets.choose_turn(plan.batch)
    maker = f"cardgen {VERSION}"
    head = Head(deck.title, deck.author, deck.language, maker, turn, tagged=plan.is_tagged)
    head = head._replace(mixed=plan.underlay is not None)
    if plan.options.archive:
        head = head._replace(archived=get_date(deck.path))
    if plan.target.press.flavour == "plain" or plan.profile is None:
        return head
    press = Press(plan.profile, get_date(deck.path))
    return head._replace(flavour=plan.target.press.flavour, press=press)


def _write_document(plan: Plan, drawn: Drawing, out: BinaryIO) -> tuple[Problem, ...]:
    """Write the PDF of a plan, and return what preflight finds, be it one that pictures are drawn
    of; a file that is sent to somebody is refused where it is faulty.
    """
    drawn.write(_make_head(plan), out)
    out.flush()
    if not plan.is_judged:
        return ()
    report = _check(plan, Path(out.name))
    if plan.is_sent:
        refuse_faulty(report)
    return list_doubts(report)


def judge(plan: Plan, drawn: Drawing) -> Report:
    """Return all that preflight says of the PDF of a plan, and leave nothing behind."""
    with open_scratch(Path(gettempdir())) as out:
        drawn.write(_make_head(plan), out)
        out.flush()
        return _check(plan, Path(out.name))


def _check(plan: Plan, file: Path) -> Report:
    return check_pdf(
        file,
        plan.target,
        name=plan.path.name,
        trim=plan.sheets.card,
        shape=plan.sheets.shape,
        pages=len(plan.pages),
    )


# The kinds of output: a PDF, pictures, and a deck for a game.


class _Written(NamedTuple):
    """The job ticket, where it lies apart, the names of pictures in a folder, and what preflight
    warns of.
    """

    ticket: Path | None = None
    pictures: tuple[str, ...] = ()
    warnings: tuple[Problem, ...] = ()


def _write_pdf(plan: Plan, drawn: Drawing, job: Delivery) -> _Written:
    """Write the PDF, and the job tickets of one that is for a press."""
    path = plan.path
    if plan.target.file.zip:
        with open_scratch(path.parent) as out:
            warnings = _write_document(plan, drawn, out)
            name = path.with_suffix(".pdf").name
            with job.open(path) as packed:
                write_zip(packed, [(name, Path(out.name)), *_make_tickets(plan, drawn)])
        return _Written(warnings=warnings)
    with job.open(path) as out:
        warnings = _write_document(plan, drawn, out)
    tickets = _make_tickets(plan, drawn)
    for name, ticket in tickets:
        job.write(path.with_name(name), ticket)
    last = path.with_name(tickets[-1][0]) if tickets else None
    return _Written(ticket=last, warnings=warnings)


def _make_tickets(plan: Plan, drawn: Drawing) -> list[tuple[str, bytes]]:
    if not plan.for_press:
        return []
    from cardgen.build.ticket import make_tickets

    return make_tickets(plan.path.stem, plan, drawn)


def name_scenes(plan: Plan) -> list[str]:
    """Return the names of the pictures of a showcase."""
    return [f"{plan.deck.name}-{scene}.png" for scene in plan.list_scenes()]


def _write_pictures(plan: Plan, drawn: Drawing, job: Delivery) -> _Written:
    """Write a picture of each page, and for a game the object that names them."""
    from cardgen.build.order import make_order  # which a PDF does without

    with open_scratch(plan.path if plan.makes_folder else plan.path.parent) as out:
        warnings = _write_document(plan, drawn, out)
        names = _NAMES[plan.target.file.format](plan)
        files: Iterable[tuple[str, bytes]]
        if plan.target.file.format == "showcase":
            from cardgen.build.showcase import draw_showcase  # which nobody else needs

            files = draw_showcase(plan, Path(out.name))
        else:
            files = _draw_pictures(plan, Path(out.name), drawn.digests, names)
        if plan.target.file.format == "tts":
            from cardgen.build.tabletop import make_table

            files = chain(files, [make_table(plan)])
        files = chain(files, make_order(plan, names))
        if plan.target.file.zip:
            with job.open(plan.path) as packed:
                write_zip(packed, files)
            return _Written(warnings=warnings)
        write_folder(job, plan.path, files, partial(_list_known, plan.path))
        return _Written(pictures=tuple(sorted(names)), warnings=warnings)


def _list_known(folder: Path) -> tuple[str, ...]:
    """Return the pictures that the record of a folder names."""
    manifest = find_manifest(folder)
    return manifest.pictures if manifest else ()


def _draw_pictures(
    plan: Plan, document: Path, digests: Sequence[bytes], names: Sequence[str]
) -> Iterator[tuple[str, bytes]]:
    """Draw the pictures of all pages in the order of their names, each that differs once."""
    from cardgen.output.png import draw_pages

    first: dict[bytes, int] = {}
    same = [first.setdefault(digest, page) for page, digest in enumerate(digests)]
    order = sorted(range(len(names)), key=names.__getitem__)
    looks = [same[page] for page in order]
    distinct = list(dict.fromkeys(looks))
    parts = count_parts(len(distinct), FEWEST_PICTURES, MOST_PARTS)
    draw = partial(
        draw_pages,
        document,
        plan.target.file.dpi,
        corners=plan.target.file.corners,
        lines=_list_lines(plan),
    )
    pictures = draw_in_turn(distinct, parts, draw)
    # A picture is kept as long as there are pages that look the same, and no longer.
    left, kept = Counter(looks), dict[int, bytes]()
    for page, look in zip(order, looks, strict=True):
        if look not in kept:
            kept[look] = next(pictures)
        left[look] -= 1
        yield names[page], kept[look] if left[look] else kept.pop(look)


def _list_lines(plan: Plan) -> dict[int, tuple[Contour, ...]]:
    """Return the lines out of which each page is transparent, where its cards are no rectangles.

    A game's cards are cut out always, those of other targets where their corners are.
    """
    file = plan.target.file
    if not file.corners and file.format != "tts":
        return {}
    known: dict[object, tuple[Contour, ...]] = {}
    found: dict[int, tuple[Contour, ...]] = {}
    for number, page in enumerate(plan.pages):
        if any(place.shape.has_line for place in page.placements):
            key = tuple((place.shape, place.trim) for place in page.placements)
            if key not in known:
                known[key] = tuple(place.trace() for place in page.placements)
            found[number] = known[key]
    return found


def name_pictures(plan: Plan) -> list[str]:
    """Return the name of each page's picture: after the card shown alone, else after the sheet."""
    deck, target = plan.deck, plan.target
    width = len(str(deck.copies))
    most = len(str(max(card.count for card in deck.cards)))
    sheet_names = _SHEET_NAMES if target.file.names == PLAIN.file.names else target.file.names
    named: dict[str, str] = {}
    problems: list[Problem] = []
    names: list[str] = []
    for page in plan.pages:
        fields = {"deck": deck.name, "target": target.name, "side": page.side}
        if target.paper.size is None:
            copy = plan.copies[page.placements[0].index]
            card = deck.cards[copy.design]
            pattern, place = target.file.names, plan.templates.get_place(copy)
            fields |= {"card": card.id, "copy": f"{copy.number + 1:0{most}}"}
            shown = f'the {page.side} of card {place}, "{card.name}"'
        else:
            pattern, place = sheet_names, page.number
            shown = f"the {page.side} of sheet {place}"
        name = pattern.format(place=f"{place:0{width}}", **fields) + ".png"
        # Not every disk tells capitals from small letters.
        other = named.setdefault(name.casefold(), shown)
        if other != shown:
            problems.append(
                Problem(
                    "build/two-of-one-name",
                    f'{other} and {shown} would both be called "{name}"',
                    target.find_place("names"),
                    "add {place} or {copy} to names, or print --one-of-each",
                    details={"name": name},
                )
            )
        try:
            check_name(Path(name))
        except CardgenError as error:
            problems += (replace(p, where=target.find_place("names")) for p in error.problems)
        names.append(name)
    if problems:
        raise CardgenError.of(problems)
    return names


def _name_table_pictures(plan: Plan) -> list[str]:
    from cardgen.build.tabletop import name_table_pictures

    return name_table_pictures(plan)


_NAMES: Mapping[Format, Callable[[Plan], list[str]]] = {
    "pdf": lambda _: [],
    "png": name_pictures,
    "tts": _name_table_pictures,
    "showcase": name_scenes,
}
