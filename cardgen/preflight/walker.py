"""The content of a document's pages walked, stream by stream, into the marks that it paints.

A form is read once for each state in which it is placed. Knows nothing of what operators do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from cardgen.core.geometry import Box
from cardgen.preflight.colours import Paint
from cardgen.preflight.content import ContentReader, Instruction, TooMuchError
from cardgen.preflight.interpreter import OPERATORS, Effect, StreamWalk, Visit, make_visit
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.marks import (
    EVERYWHERE,
    Group,
    Look,
    Part,
    Unread,
    list_layers,
    list_own_spaces,
)
from cardgen.preflight.objects import (
    BROKEN,
    find_box,
    find_dictionary,
    find_value,
    identify,
    read_name,
)
from cardgen.preflight.readers import Readers
from cardgen.preflight.state import State

_DEEPEST = 50
# How many marks, and how many operators, are kept for pages to come.
_MOST_MARKS = 50_000
_MOST_INSTRUCTIONS = 50_000
_MOST_EFFECTS = 20_000
_DEEPEST_COVER = 10


@dataclass(slots=True)
class Walker:
    """Walks the content of one document's pages.

    What pages share is read once, as far as there is room for it; a page itself is not kept.

    ordered: groups tell in which order they are painted
    """

    readers: Readers = field(default_factory=Readers)
    content: ContentReader = field(default_factory=ContentReader)
    groups: Keeper[object, Group] = field(default_factory=partial(Keeper, _MOST_MARKS))
    streams: Keeper[object, Sequence[Instruction]] = field(
        default_factory=partial(Keeper, _MOST_INSTRUCTIONS)
    )
    effects: Keeper[object, Effect] = field(default_factory=partial(Keeper, _MOST_EFFECTS))
    ordered: bool = False
    _begun: set[object] = field(default_factory=set)

    def walk_page(self, page: Any, resources: Any) -> Group:
        """Return all that a page paints, but for its annotations."""
        group = Group()
        self._add_transparency(page, resources, group, None)
        self._walk(self._parse(page, group), resources, State(), group, 0)
        return group

    def _walk_form(self, visit: Visit, depth: int) -> Group:
        """Return the marks of a form, tile or glyph in its own coordinates."""
        key = visit.key
        known = self.groups.find(key)
        if known is not None:
            return known
        form, resources = visit.thing, visit.resources
        group = Group()
        if depth > _DEEPEST or key in self._begun:
            group.unread.append(Unread("nested forms"))
            return group
        self._begun.add(key)
        self._add_transparency(form, resources, group, find_box(form, "/BBox"))
        instructions = self._find_stream(form, group)
        self._walk(instructions, resources, visit.state.fork(), group, depth)
        self._begun.discard(key)
        marks = sum(map(len, group.marks.values()))
        return self.groups.keep(key, group, 1 + len(group.parts) + marks)

    def _walk(
        self,
        instructions: Sequence[Instruction],
        resources: Any,
        state: State,
        group: Group,
        depth: int,
    ) -> None:
        walk = StreamWalk(
            self.readers,
            group,
            resources,
            state,
            ordered=self.ordered,
            effects=None if depth else self.effects,
        )
        walk.run(instructions, OPERATORS)
        for mask in walk.masks:
            self._add_mask(mask, resources, group, depth)
        for visit in walk.visits:
            inner = self._walk_form(visit, depth + 1)
            group.parts.append(Part(visit.matrix, visit.clip, inner, visit.spread))
            if visit.exact and depth < _DEEPEST_COVER:
                for box in inner.covers:
                    group.cover(visit.matrix.place(box), visit.clip)

    def _add_mask(self, form: Any, resources: Any, group: Group, depth: int) -> None:
        """Add the colours that a soft mask is drawn in, as marks of their own."""
        inner = self._walk_form(make_visit(form, resources, State()), depth + 1)
        group.unread += inner.unread
        for layer in list_layers(inner):
            for space in list_own_spaces(layer.look):
                group.add(Look("mask", Paint(space, ())), EVERYWHERE, None)

    def _add_transparency(self, thing: Any, resources: Any, group: Group, box: Box | None) -> None:
        """Add a transparency group as a mark, with the space that it blends in."""
        settings = find_dictionary(thing, "/Group")
        if read_name(settings, "/S") != "Transparency":
            return
        given = find_value(settings, "/CS")
        paint = None
        if given is not None:
            paint = Paint(self.readers.spaces.read(given, resources), ())
        group.add(Look("group", paint), box or EVERYWHERE, None)

    def _find_stream(self, form: Any, group: Group) -> Sequence[Instruction]:
        """Return the operators of a form, which may be walked again in another state."""
        key = identify(form)
        known = self.streams.find(key)
        if known is None:
            known = self._parse(form, group)
            self.streams.keep(key, known, 1 + len(known))
        return known

    def _parse(self, thing: Any, group: Group) -> Sequence[Instruction]:
        try:
            return self.content.read(thing)
        except TooMuchError as error:
            group.unread.append(Unread("limit", str(error)))
            return ()
        except BROKEN as error:
            group.unread.append(Unread("content", str(error)))
            return ()
