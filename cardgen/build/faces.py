"""The faces of a deck, composed one by one as they are asked for.

Knows neither sheets nor PDF.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cardgen.build.problems import list_messages
from cardgen.build.templates import (
    DeckTemplates,
    Place,
    WorkingOn,
    get_template_name,
    name_card,
    name_template,
)
from cardgen.core.budget import keep_error
from cardgen.core.errors import CardgenError, Problem
from cardgen.core.geometry import Rect
from cardgen.core.units import format_size
from cardgen.deck.model import Card, Copy
from cardgen.layout.compose import Composer
from cardgen.layout.contents import Remark
from cardgen.layout.copyfit import DeckSizes, Shrunk, Wish
from cardgen.layout.face import SEEN, Face, Item
from cardgen.layout.note import set_note
from cardgen.layout.subject import Subject
from cardgen.layout.typesetter import Typesetter
from cardgen.pages.impose import Note
from cardgen.pages.target import Side
from cardgen.template.model import Node
from cardgen.template.template import Template
from cardgen.text.fonts import FontFile, FontShelf

if TYPE_CHECKING:
    from PIL.Image import Image

    from cardgen.layout.trace import Traced

# So many composed faces are kept to be placed again: copies stand beside one another, and backs
# that differ are few.
MOST_KEPT = 1_000
MOST_SEEN = 100  # faces that were looked at before any is drawn


class MadeFace(NamedTuple):
    """A composed face.

    again: whether it is placed more than once, as far as known
    common: whether it says what the faces of many cards say, as most backs do
    """

    face: Face
    again: bool
    common: bool = False


class _Seen(NamedTuple):
    """A face that was looked at, what is told of it, and the shared sizes as they were."""

    face: Face
    remarks: set[Remark]
    sizes: list[tuple[str, float]]


class FaceMaker:
    """Composes the faces of one deck."""

    def __init__(self, templates: DeckTemplates, sizes: DeckSizes | None = None) -> None:
        self.templates = templates
        self._shelf = FontShelf(templates.library)
        self._typesetter = Typesetter(templates.library, self._shelf, templates.deck.language)
        self._sizes = sizes or DeckSizes()
        self._composers: dict[str, Composer] = {}
        self._composed: dict[str, Template] = {}  # what each composer is made for
        self._problems: list[Problem] = []
        self._kept: dict[tuple[str, tuple[Node, ...] | int], MadeFace] = {}
        self._seen: dict[Place, _Seen] = {}
        self._told = list_messages(templates.deck.problems)
        self.renew()

    def renew(self) -> None:
        """Take up what is new of the templates and their deck."""
        known, self._composed = self._composed, dict(self.templates)
        self._composers = {
            name: self._composers[name] if known.get(name) is template else self._prepare(template)
            for name, template in self.templates
        }
        for composer in self._composers.values():
            composer.forget()
        self._sizes.fell = False
        self._kept.clear()
        self._seen.clear()

    def _prepare(self, template: Template, make: type[Composer] | None = None) -> Composer:
        """Return what composes the faces of a template, in a draft as drafts."""
        if make is None and self.templates.draft:
            from cardgen.layout.draft import DraftComposer, UnseenComposer  # whole decks need none

            make = DraftComposer if self.templates.draft.seen else UnseenComposer
        return (make or Composer)(
            template.format,
            self._typesetter.with_names(template.palette),
            self.templates.library,
            self._sizes,
            _draw_stencil,
            self.templates.placeholders,
            self.templates.device,
        )

    def trace(self, copy: Copy, side: Side) -> list[Traced]:
        """Return where each element of a copy's side lies, each before those within it."""
        from cardgen.layout.trace import TracingComposer  # which no build needs

        card = self.templates.cards[copy.design]
        template = self.templates[get_template_name(card, side)]
        composer = self._prepare(template, TracingComposer)
        assert isinstance(composer, TracingComposer)
        nodes = self.templates.fill(copy, side)
        with WorkingOn(card, template):
            composer.compose(nodes, self._name_subject(card))
        self.take_problems()
        return composer.traced

    def __reduce__(self) -> tuple[object, ...]:
        """Another process gets the sizes, and makes the rest anew."""
        return FaceMaker, (self.templates, self._sizes)

    def take_shrunk(self) -> dict[str, list[Shrunk]]:
        """Return the texts that were set smaller than the others of the deck since the last time,
        by the names of their templates.
        """
        taken = {name: list(composer.shrunk) for name, composer in self._composers.items()}
        for composer in self._composers.values():
            composer.shrunk.clear()
        return {name: shrunk for name, shrunk in taken.items() if shrunk}

    def take_remarks(self) -> set[Remark]:
        """Return what is to be told of the faces since the last time."""
        taken: set[Remark] = set()
        for composer in self._composers.values():
            taken |= composer.remarks
            composer.remarks.clear()
        return taken

    def take_problems(self) -> list[Problem]:
        """Return what was wrong with the faces of a draft since the last time."""
        taken = [*self.templates.problems, *self._problems]
        self.templates.problems.clear()
        self._problems.clear()
        return taken

    def get_face(self, copy: Copy, side: Side) -> MadeFace | None:
        """Return a card's face, composed at most once; None if it has none on that side."""
        card = self.templates.cards[copy.design]
        name = name_template(card, side)
        if name is None:
            return None
        template = self.templates[name]
        if side == "back":
            # A back says the same for most cards of a deck: equal nodes make one face.
            nodes = self.templates.fill(copy, side)
            return self._keep((name, nodes if template.tells_cards else 0), nodes, card)
        if card.count == 1 or template.tells_copies:
            seen = self._take_seen(Place(copy, side))
            face = seen or self._compose(name, self.templates.fill(copy, side), card)
            return MadeFace(face, False)
        if (name, copy.design) in self._kept:
            return self._kept[name, copy.design]
        return self._keep((name, copy.design), self.templates.fill(copy, side), card)

    def _take_seen(self, place: Place) -> Face | None:
        """Return the face that a look at a place has made, if it would be the same by now."""
        seen = self._seen.pop(place, None)
        if seen is None or seen.sizes != self.sizes:
            return None
        composer = self._composers[self.templates.cards[place.copy.design].template]
        composer.remarks |= seen.remarks
        return seen.face

    def _keep(
        self, key: tuple[str, tuple[Node, ...] | int], nodes: Sequence[Node], card: Card
    ) -> MadeFace:
        """Return the face of a key, composed when it is first asked for."""
        name = key[0]
        if key not in self._kept:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            face = self._compose(name, nodes, card)
            self._kept[key] = MadeFace(face, True, not any(map(_has_own_words, nodes)))
        return self._kept[key]

    @property
    def sizes_fell(self) -> bool:
        """Whether a face made since the last look wants a text smaller than those before it."""
        return self._sizes.fell

    @property
    def sizes(self) -> list[tuple[str, float]]:
        """The sizes that fit="deck" shares, as far as known."""
        return self._sizes.list_all()

    def forget_sizes(self) -> None:
        """Let the sizes that fit="deck" shares be decided anew."""
        self._sizes.forget()
        self.renew()

    def look_at_all(self) -> None:
        """Decide the sizes that fit="deck" shares, by a look at every face."""
        for place in self.templates.list_sharing():
            self.look_at(place)

    def look_at(self, place: Place) -> dict[str, Wish]:
        """Return what texts with fit="deck" ask for on a face.

        What is wrong with a card will be said when its face is made. One of which there is nothing
        to say is kept.
        """
        card = self.templates.cards[place.copy.design]
        name = get_template_name(card, place.side)
        composer = self._composers[name]
        self._sizes.wishes = {}
        with suppress(CardgenError):
            sizes = self.sizes
            face = self._compose(name, self.templates.fill(*place), card)
            is_sound = not (composer.shrunk or self.templates.draft)
            if is_sound and sizes == self.sizes and len(self._seen) < MOST_SEEN:
                self._seen[place] = _Seen(face, set(composer.remarks), sizes)
        composer.forget()
        self.take_problems()
        self._sizes.fell = False
        return self._sizes.wishes

    def set_note(self, note: Note) -> tuple[Item, ...]:
        """Set a line outside the cards."""
        return set_note(self._typesetter, note.text, note.size, note.width, centred=note.centred)

    def open_font(self, family: str, weight: int, italic: bool) -> FontFile:
        return self._shelf.open(family, weight, italic)

    def _compose(self, name: str, nodes: Sequence[Node], card: Card) -> Face:
        template = self.templates[name]
        composer = self._composers[name]
        with WorkingOn(card, template):
            try:
                face = composer.compose(nodes, self._name_subject(card))
            except CardgenError as error:
                if any(problem.where is None for problem in error.problems):
                    raise name_card(error, card) from error
                keep_error(error)
                raise CardgenError.of(_name_size(error.problems, template)) from error
        if self.templates.draft:
            self._problems += _name_size(composer.problems, template)
            composer.problems.clear()
            if self.templates.draft.seen:
                face = self._mark(face, card)
        return face

    def _name_subject(self, card: Card) -> Subject:
        places = tuple((card.places or {}).items())
        return Subject(f'card "{card.name}"', card.where, card.name, places)

    def _mark(self, face: Face, card: Card) -> Face:
        """Return a face of a draft that says what it is, and what is wrong with the card's data."""
        draft = self.templates.draft
        lines = ["DRAFT"] if draft and draft.marked else []
        lines += [*self._told.get(card.name, ()), *self.templates.marks]
        if not lines:
            return face
        from cardgen.layout.draft import draw_marks

        trim = Rect(0, 0, *face.size)
        return replace(face, items=(*face.items, SEEN, *draw_marks(self._typesetter, trim, lines)))


def _name_size(problems: Iterable[Problem], template: Template) -> Iterator[Problem]:
    """Yield problems, which may come from a size that the template is not made for."""
    for problem in problems:
        if template.made_for == template.format.size:
            yield problem
            continue
        made = f"the deck asks for {format_size(template.format.size)}, the template"
        made += f" is made for {format_size(template.made_for)}"
        yield replace(problem, hint=f"{problem.hint}; {made}" if problem.hint else made)


def _draw_stencil(items: Sequence[Item], area: Rect, dpi: float) -> Image:
    # Most decks have no soft shadow, and need not wait for what draws pixels.
    from cardgen.output.plates import draw_stencil

    return draw_stencil(items, area, dpi)


def _has_own_words(node: Node) -> bool:
    """Whether a node has words that are chosen for one card and not among few."""
    return node.choices is None and (bool(node.text) or any(map(_has_own_words, node.children)))
