"""Hashes of what the faces of each copy show: the record of what lies on the table.

They stand in a file beside each output. A later build reads them, or makes those of a revision that
git keeps, and prints only what looks different now. Knows nothing of how a face is drawn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.build.draw import Drawing, make_work
from cardgen.build.plan import Plan, plan_copies
from cardgen.build.selection import choose_copies
from cardgen.build.templates import DeckTemplates
from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.library import HOME
from cardgen.core.reading import read_bytes
from cardgen.core.version import VERSION
from cardgen.deck.model import Copies, Copy, Deck
from cardgen.pages.impose import Page, lay_bare
from cardgen.pages.target import Side
from cardgen.project.project import open_project, read_deck
from cardgen.project.settings import OWN_LOOK

if TYPE_CHECKING:
    from cardgen.project.git import Snapshot

SUFFIX = ".faces.json"
_OUTPUTS = (".pdf", ".zip", SUFFIX)


class Hashes(NamedTuple):
    """Of a copy's faces; None where it has none, or where it was not printed."""

    front: str | None = None
    back: str | None = None

    def get(self, side: Side) -> str | None:
        return self.front if side == "front" else self.back


Cards = Mapping[str, Sequence[Hashes | None]]


class Manifest(NamedTuple):
    """The record of what was printed of a deck.

    sides: those that were printed
    cards: by id, for each copy; None where it was not printed
    pictures: the files in the folder, where the output is one
    """

    deck: str
    target: str
    look: str | None
    cardgen: str
    sides: tuple[Side, ...]
    cards: Cards
    pictures: tuple[str, ...] = ()

    def get(self, card: str, copy: int) -> Hashes | None:
        copies = self.cards.get(card, ())
        return copies[copy] if copy < len(copies) else None


def name_manifest(output: Path) -> Path:
    """Return the place of the manifest beside an output."""
    name = output.name
    for suffix in _OUTPUTS:
        name = name.removesuffix(suffix)
    return output.with_name(name + SUFFIX)


def gather_hashes(
    count: int, pages: Sequence[Page], shown: Sequence[Sequence[str]]
) -> list[Hashes]:
    """Return those of each of so many copies, from what the pages show on which they stand."""
    fronts: list[str | None] = [None] * count
    backs: list[str | None] = [None] * count
    for page, values in zip(pages, shown, strict=True):
        for placement, value in zip(page.placements, values, strict=True):
            (fronts if placement.side == "front" else backs)[placement.index] = value or None
    return list(map(Hashes, fronts, backs))


def list_cards(
    deck: Deck, copies: Sequence[Copy], hashes: Sequence[Hashes], before: Manifest | None = None
) -> Cards:
    """Return the hashes of copies by the ids of their cards, on top of those printed before."""
    cards: dict[str, list[Hashes | None]] = {}
    if before is not None:
        cards = {id_: list(found) for id_, found in before.cards.items()}
    for copy, shown in zip(copies, hashes, strict=True):
        found = cards.setdefault(deck.cards[copy.design].id, [])
        found.extend([None] * (copy.number + 1 - len(found)))
        found[copy.number] = shown
    return cards


def format_manifest(manifest: Manifest) -> bytes:
    """Return JSON with a line for each card, so that two of them can be compared."""
    head = manifest._asdict()
    cards, pictures = head.pop("cards"), head.pop("pictures")
    lines = [f"  {json.dumps(id_)}: {json.dumps(cards[id_])}" for id_ in cards]
    parts = [f'"{key}": {json.dumps(value)}' for key, value in head.items()]
    parts.append('"cards": {\n' + ",\n".join(lines) + "\n}")
    if pictures:
        parts.append('"pictures": [\n  ' + ",\n  ".join(map(json.dumps, pictures)) + "\n]")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def read_manifest(path: Path) -> Manifest:
    try:
        return _parse(json.loads(read_bytes(path)))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise CardgenError(
            "build/no-manifest",
            "this is no manifest of a build",
            Where(str(path)),
            "build the deck once more",
        ) from None


def find_manifest(path: Path) -> Manifest | None:
    """Return that of an output, where there is a sound one, and no link to another."""
    place = name_manifest(path)
    if place.is_symlink():
        return None
    try:
        return read_manifest(place)
    except CardgenError:
        return None


def _parse(data: Any) -> Manifest:
    if not isinstance(data["deck"], str):
        raise TypeError
    cards = {
        id_: [None if copy is None else Hashes(*map(_check, copy)) for copy in copies]
        for id_, copies in data.pop("cards").items()
    }
    sides = tuple(data.pop("sides"))
    if not all(isinstance(name, str) for name in data.get("pictures", ())):
        raise TypeError
    return Manifest(
        **data | {"pictures": tuple(data.get("pictures", ()))}, sides=sides, cards=cards
    )


def _check(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError
    return value


# A name that ends so is that of a file, and no revision.
_FILES = (".pdf", ".zip", ".json", ".png")


class Known(NamedTuple):
    """All copies that were asked for and what they show, also those that are not printed again."""

    copies: Copies
    hashes: Sequence[Hashes]


def keep_changed(plan: Plan, since: str) -> tuple[Plan, Known]:
    """Return the plan for those copies alone that are new, or look different on a side that was
    printed then too; and what all copies show.
    """
    before = _read_before(since, plan)
    hashes = _hash_copies(plan)
    both = [side for side in plan.sides if side in before.sides]
    changed = []
    for copy, now in zip(plan.copies, hashes, strict=True):
        then = before.get(plan.deck.cards[copy.design].id, copy.number)
        differs = then is None or any(now.get(side) != then.get(side) for side in both)
        # One of which nothing is drawn has something wrong, which the build will say.
        if differs and (now == Hashes() or any(now.get(side) for side in plan.sides)):
            changed.append(copy)
    return plan_copies(plan, Copies(changed)), Known(plan.copies, hashes)


def _hash_copies(plan: Plan) -> list[Hashes]:
    """Return the hashes of each copy on the sides that are printed."""
    pages = list(lay_bare(len(plan.copies), plan.sides))
    shown = Drawing(make_work(plan, pages)).find_hashes()
    return gather_hashes(len(plan.copies), pages, shown)


def hash_printed(plan: Plan, drawn: Drawing) -> list[Hashes]:
    """Return the hashes of each copy, also where one that looks the same stands for it."""
    found = gather_hashes(len(plan.copies), plan.pages, drawn.list_hashes())
    if not plan.sheets.compares_faces:
        return found
    fronts, backs = dict[object, str | None](), dict[object, str | None]()
    for copy, hashes in zip(plan.batch.copies, found, strict=True):
        fronts[copy.front] = fronts.get(copy.front) or hashes.front
        backs[copy.back] = backs.get(copy.back) or hashes.back
    return [Hashes(fronts[copy.front], backs[copy.back]) for copy in plan.batch.copies]


def make_manifest(plan: Plan, known: Known, before: Manifest | None = None) -> Manifest:
    """Return the record of this build, on top of an earlier one."""
    cards = list_cards(plan.deck, known.copies, known.hashes, before)
    look = plan.library.look
    return Manifest(plan.deck.name, plan.target.name, look, VERSION, plan.sides, cards)


def _read_before(since: str, plan: Plan) -> Manifest:
    """Return the record of an earlier output, or one made of a revision."""
    path = _find_file(since, plan.deck)
    if path is None:
        return _hash_revision(since, plan)
    manifest = read_manifest(path)
    if manifest.deck != plan.deck.name:
        raise CardgenError(
            "build/manifest-of-another-deck",
            f'{path} tells of the deck "{manifest.deck}", not of "{plan.deck.name}"',
            hint="name an output of this deck, or a folder that holds those of all decks",
            details={"file": str(path), "deck": manifest.deck},
        )
    return manifest


def _find_file(since: str, deck: Deck) -> Path | None:
    """Return the place of the manifest that is meant, where a file is."""
    path = Path(since)
    if not path.name:  # nothing, or the folder in hand
        return None
    if path.is_dir() and not name_manifest(path).is_file():
        # A folder of outputs rather than one of pictures.
        inside = path / f"{deck.name}{SUFFIX}"
        if inside.is_file():
            return inside
    manifest = name_manifest(path)
    if manifest.is_file():
        return manifest
    if path.exists():
        raise CardgenError(
            "build/no-manifest",
            f"{since} has no manifest {manifest.name} beside it",
            hint="name an output that cardgen built, or a git revision",
        )
    if path.suffix.lower() in _FILES:
        raise CardgenError(
            "file/missing",
            f"there is no file {since}",
            hint="name an earlier output, or a git revision",
        )
    return None


def _hash_revision(revision: str, plan: Plan) -> Manifest:
    """Return the record of the deck as it was, printed for the target as it is."""
    from cardgen.project.git import check_out  # which only --since needs

    folder, deck_path = plan.project.folder, plan.deck.path.resolve()
    with check_out(revision, (folder, plan.deck.path.parent), HOME) as snapshot:
        # What git does not keep, as an installed cardgen, is as it is now.
        home = snapshot.locate(HOME) if snapshot.locate(HOME).is_dir() else HOME
        of_ours = deck_path.is_relative_to(HOME / "decks")
        path = home / deck_path.relative_to(HOME) if of_ours else snapshot.locate(deck_path)
        if not path.is_file():
            raise CardgenError(
                "build/not-in-revision",
                f'the deck "{plan.deck.name}" is not in revision {revision}',
                hint="all its cards are new: leave --since out",
                details={"deck": plan.deck.name, "revision": revision},
            )
        try:
            then = open_project(snapshot.locate(folder), home)
            spoken = plan.deck.translation
            deck = read_deck(then, path, spoken.language if spoken else None, lenient=True)
            library = then.get_library(plan.library.look or OWN_LOOK)
            templates = DeckTemplates(deck, library, plan.target.page)
            copies = choose_copies(deck)
            old = plan._replace(deck=deck, copies=copies, templates=templates)
            cards = list_cards(deck, copies, _hash_copies(old))
        except CardgenError as error:
            raise CardgenError.of(_name_places(error.problems, snapshot, revision)) from error
    return Manifest(plan.deck.name, plan.target.name, plan.library.look, "", plan.sides, cards)


def _name_places(
    problems: Iterable[Problem], snapshot: Snapshot, revision: str
) -> Iterable[Problem]:
    """Return problems of the past, whose files are about to go, with places that last."""
    for problem in problems:
        where = problem.where
        if where is not None and where.file.startswith(str(snapshot.folder)):
            file = where.file.removeprefix(str(snapshot.folder)).lstrip("/\\")
            where = Where(f"{revision}:{file}", where.line, where.column)
        yield replace(problem, where=where)
