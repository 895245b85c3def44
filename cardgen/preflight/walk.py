"""All content streams of a document walked: pages, forms, tiles and glyphs of Type 3 fonts.

Turns a page into a group of marks. A form is walked once for each state in which it is placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from cardgen.preflight.colours import Paint
from cardgen.preflight.content import EVERYWHERE, StreamWalk
from cardgen.preflight.marks import Group, Look, Part
from cardgen.preflight.operators import OPERATORS
from cardgen.preflight.plane import Box, make_box
from cardgen.preflight.readers import Readers
from cardgen.preflight.state import State
from cardgen.preflight.values import (
    BROKEN,
    get,
    get_dictionary,
    get_name,
    get_numbers,
    identify,
)

_DEEP = 50


@dataclass(slots=True)
class Walker:
    """Walks the streams of one document; what it has read it reads no more."""

    readers: Readers = field(default_factory=Readers)
    _groups: dict[object, Group] = field(default_factory=dict)
    _begun: set[object] = field(default_factory=set)
    _streams: dict[object, Sequence[Any]] = field(default_factory=dict)

    def walk_page(self, page: Any, resources: Any) -> Group:
        """All that a page paints, but for its annotations."""
        group = Group()
        self._add_transparency(page, resources, group, None)
        self._walk(page, resources, State(), group, 0)
        return group

    def _walk_form(self, form: Any, outer: Any, state: State, depth: int) -> Group:
        """A form, tile or glyph in its own coordinates."""
        own = get_dictionary(form, "/Resources")
        resources = outer if own is None else own
        key = (identify(form), identify(resources) if own is None else None, state.identify())
        if key in self._groups:
            return self._groups[key]
        group = Group()
        if depth > _DEEP or key in self._begun:
            group.broken.append("forms that are nested without end")
            return group
        self._begun.add(key)
        self._add_transparency(form, resources, group, make_box(get_numbers(form, "/BBox")))
        self._walk(form, resources, state, group, depth)
        self._begun.discard(key)
        self._groups[key] = group
        return group

    def _walk(self, thing: Any, resources: Any, state: State, group: Group, depth: int) -> None:
        walk = StreamWalk(self.readers, group, resources, state)
        walk.run(self._parse(thing, group), OPERATORS)
        for visit in walk.visits:
            inner = self._walk_form(visit.thing, visit.resources, visit.state, depth + 1)
            group.parts.append(Part(visit.matrix, visit.clip, inner, visit.spread))

    def _add_transparency(self, thing: Any, resources: Any, group: Group, box: Box | None) -> None:
        """A transparency group is noted as a mark, with the space that it blends in."""
        settings = get_dictionary(thing, "/Group")
        if get_name(settings, "/S") != "Transparency":
            return
        given = get(settings, "/CS")
        paint = None
        if given is not None:
            paint = Paint(self.readers.spaces.read(given, resources), ())
        group.add(Look("group", paint), box or EVERYWHERE, None)

    def _parse(self, thing: Any, group: Group) -> Sequence[Any]:
        key = identify(thing)
        if key not in self._streams:
            try:
                self._streams[key] = pikepdf.parse_content_stream(thing)
            except BROKEN as error:
                group.broken.append(f"content that cannot be read: {error}")
                self._streams[key] = ()
        return self._streams[key]
