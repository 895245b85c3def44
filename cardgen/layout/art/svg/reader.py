"""The elements of an SVG file walked, and turned into items.

All items lie in the coordinates of the drawing, from its top left; what is turned or leans and has
strokes or pixels lies in a group. What cannot be drawn is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, cast

from cardgen.core.errors import CardgenError, Where, shorten
from cardgen.core.geometry import IDENTITY, Matrix, Rect
from cardgen.layout.art.contours import (
    is_finite,
    move_segments,
)
from cardgen.layout.art.outlines import trace_rect
from cardgen.layout.art.svg.clips import Clips, entering, find_named
from cardgen.layout.art.svg.document import (
    MOST_DEPTH,
    MOST_UNITS,
    Document,
    get_href,
    get_tag,
    is_svg,
)
from cardgen.layout.art.svg.drawing import (
    Drawing,
    fit_drawing,
    is_within,
    measure_items,
    place_group,
    share_items,
)
from cardgen.layout.art.svg.extent import place_within, read_extent
from cardgen.layout.art.svg.light import Unclear, show_by_light
from cardgen.layout.art.svg.markers import MARKED, NAMES, Corner, list_corners
from cardgen.layout.art.svg.numbers import (
    read_box,
    read_length,
)
from cardgen.layout.art.svg.painter import Painter
from cardgen.layout.art.svg.paints import Paints, move_box
from cardgen.layout.art.svg.patterns import Patterns
from cardgen.layout.art.svg.pictures import Embedded, embed_picture, unpack
from cardgen.layout.art.svg.scene import (
    Scene,
    enter_units,
    measure_target,
    place_marker,
    read_transform,
)
from cardgen.layout.art.svg.shapes import SHAPES
from cardgen.layout.art.svg.styles import PLAIN, Style, Styles
from cardgen.layout.art.svg.texts import Texts
from cardgen.layout.face import Blend, Clip, Group, Item, Shared
from cardgen.text.fonts import FontShelf

if TYPE_CHECKING:
    from lxml import etree

# So many drawings are kept: a deck may have one for each card.
_MOST_KEPT = 8
# SVGs lie so deep in pictures of SVGs at most.
_MOST_NESTED = 4
# What is seen only where something else refers to it, and what is never seen.
_UNSEEN = (
    *("clipPath", "defs", "desc", "linearGradient", "marker", "mask", "metadata", "pattern"),
    *("radialGradient", "style", "symbol", "title", "filter", "view", "cursor", "font"),
    *("color-profile", "font-face", "solidColor", "script"),
    *("animate", "animateColor", "animateMotion", "animateTransform", "set", "discard"),
)
# What draws something itself.
_LEAVES = (*SHAPES, "image", "text")
_CURES = {
    "foreignObject": "turn what is in it into shapes",
    "flowRoot": "turn flowed text into text, or into paths",
    "use": "put a copy of the shape in its place",
}
_CURE = "turn it into shapes in the drawing program, or save the drawing as a PNG"
# Properties that cannot be drawn but in these ways, and the cure.
_NOTHING_SAID: Mapping[str, str | None] = {}
_DRAWN: dict[str, tuple[tuple[str, ...], str]] = {
    "animation": (("none",), "take it out"),
    "animation-name": (("none",), "take it out"),
    "backdrop-filter": (("none",), _CURE),
    "clip": (("auto",), "use a clip path"),
    "filter": (("none", ""), "take the filter out, or save the drawing as a PNG"),
    "mix-blend-mode": (("normal", "multiply", "screen"), "use multiply, screen or none"),
}


def read_drawing(path: Path, shelf: FontShelf, where: Where | None = None) -> Drawing:
    """Return the drawing of a file; `where` is the place that asks for it."""
    try:
        found = path.stat()
        return _read(path, shelf, found.st_mtime_ns, found.st_size)
    except OSError as error:
        raise CardgenError(
            "picture/cannot-be-read",
            f'picture "{path.name}" cannot be read: {error.strerror}',
            where,
        ) from error


@lru_cache(maxsize=_MOST_KEPT)
def _read(path: Path, shelf: FontShelf, *_file: object) -> Drawing:
    """Return the drawing of a file; `_file` changes when the file at this path does."""
    return read_svg(path, shelf)


def read_svg(path: Path, shelf: FontShelf | None = None) -> Drawing:
    """Return the drawing of a file; everything in it that cannot be drawn is an error."""
    return _Reader(Document(path), shelf).read()


class _Reader:
    """Walks one tree."""

    def __init__(self, document: Document, shelf: FontShelf | None) -> None:
        self._document = document
        self._shelf = shelf
        self._styles = Styles(document)
        self._paints = Paints(document, self._styles)
        self._texts = Texts(document, self._styles, shelf)
        patterns = Patterns(document, self._styles)
        patterns.draw = self._walk_children
        self._painter = Painter(document, self._paints, self._texts, patterns)
        self._clips = Clips(document, self._styles, self._painter, self._texts)

    def read(self) -> Drawing:
        root = self._document.root
        size, matrix, view = read_extent(self._document)
        style = self._styles.find(root, PLAIN)
        scene = Scene(matrix, view, style)
        self._check_root(root, style)
        items: tuple[Item, ...] = ()
        if style["display"] != "none":
            items = tuple(self._finish(root, scene, lambda: self._walk_children(root, scene)))
        if self._document.problems:
            raise CardgenError.of(self._document.problems)
        bounds = measure_items(items) or Rect(0, 0, 0, 0)
        return Drawing(size, items, bounds, tuple(self._painter.painted))

    def _check_root(self, root: etree._Element, style: Style) -> None:
        for name in ("background", "background-color"):
            if style[name] not in ("none", "transparent", ""):
                self._document.complain(
                    "svg/cannot-be-drawn",
                    root,
                    f'<svg> has {name}="{shorten(style[name])}"',
                    "draw a rectangle behind all else",
                )
        if not _is_for_us(root):
            self._document.complain(
                "svg/cannot-be-drawn",
                root,
                "<svg> is for other languages or programs",
                "take out its systemLanguage or requiredExtensions",
            )

    # Elements

    def _walk_children(self, group: etree._Element, scene: Scene) -> list[Item]:
        found: list[Item] = []
        for child in group:
            if isinstance(child.tag, str):
                found += self._walk(child, scene)
        return found

    def _walk(self, element: etree._Element, outer: Scene) -> list[Item]:
        tag = get_tag(element)
        if not is_svg(element) or tag in _UNSEEN or not _is_for_us(element):
            return []
        if len(outer.within) >= MOST_DEPTH:
            raise CardgenError(
                "svg/too-large",
                f"this SVG is too large: more than {MOST_DEPTH} elements lie within each other",
                self._document.locate(element),
                "make it simpler in the drawing program, or save it as a PNG",
            )
        style = self._styles.find(element, outer.style)
        if style["display"] == "none":
            return []
        matrix = read_transform(self._document, element, style, outer).then(outer.matrix)
        if not all(map(isfinite, matrix)):
            self._document.refuse_far(element)
            return []
        if not matrix.scale:
            return []
        scene = outer._replace(matrix=matrix, style=style, within=(*outer.within, element))
        draw = self._choose(tag)
        if draw is None:
            self._document.complain(
                "svg/cannot-be-drawn",
                element,
                f"<{tag}> cannot be drawn",
                _CURES.get(tag, _CURE),
            )
            return []
        if tag in _LEAVES:
            return self._finish(element, scene, lambda: self._draw_leaf(element, scene, draw))
        return self._finish(element, scene, lambda: draw(element, scene))

    def _draw_leaf(
        self,
        element: etree._Element,
        scene: Scene,
        draw: Callable[[etree._Element, Scene], list[Item]],
    ) -> list[Item]:
        """Return what an element draws, which lies where it can be written."""
        items = draw(element, scene)
        if not is_within(items, MOST_UNITS):
            self._document.refuse_far(element)
            return []
        return items

    def _choose(self, tag: str) -> Callable[[etree._Element, Scene], list[Item]] | None:
        if tag in SHAPES:
            return self._draw_shape
        return {
            "a": self._walk_children,
            "g": self._walk_children,
            "image": self._draw_image,
            "svg": self._draw_inner,
            "switch": self._draw_switch,
            "text": self._painter.draw_text,
            "use": self._draw_use,
        }.get(tag)

    def _draw_shape(self, element: etree._Element, scene: Scene) -> list[Item]:
        """Draw a shape, and the markers on its corners."""
        items = self._painter.draw_shape(element, scene)
        style = scene.style
        if get_tag(element) not in MARKED or style["visibility"] != "visible":
            return items
        shown = [name for name in NAMES if style[name] not in ("none", "")]
        if not shown:
            return items
        for corner in list_corners(self._painter.trace(element, scene)):
            if corner.name in shown:
                items += self._draw_marker(element, scene, corner)
        return items

    def _draw_marker(self, element: etree._Element, scene: Scene, corner: Corner) -> list[Item]:
        """Draw what stands on a corner."""
        name = corner.name
        if name == "marker-mid" and "a" in (element.get("d") or "").lower():
            self._document.complain(
                "svg/cannot-be-drawn",
                element,
                "<path> has marker-mid on an arc",
                "turn the arc into curves",
            )
            return []
        marker = find_named(self._document, element, name, scene.style, "marker")
        if marker is None:
            return []
        self._document.spend(element)
        try:
            onto, inner, frame = place_marker(marker, scene, corner)
        except ValueError as error:
            self._document.complain(
                "svg/broken-data",
                marker,
                f"<marker> has broken data: {shorten(str(error))}",
                "save it again as a plain SVG",
            )
            return []
        if not onto.scale or not inner.scale:
            return []
        with entering(self._document, marker, scene) as fine:
            if not fine:
                return []
            style = self._styles.find_in_place(marker)
            context = scene.style["fill"], scene.style["stroke"]
            within = (*scene.within, marker)
            drawn = Scene(inner.then(onto), scene.view, style, within, context)
            items = self._finish(marker, drawn, lambda: self._walk_children(marker, drawn))
        bounds = measure_items(items)
        if bounds is None or style["overflow"] in ("visible", "auto"):
            return items
        clip = self._clip_to(marker, frame, scene._replace(matrix=onto))
        return [Group(share_items(items), clips=(clip,))]

    def _draw_switch(self, element: etree._Element, scene: Scene) -> list[Item]:
        """Draw the first element that asks for nothing that we have not."""
        for child in element:
            if is_svg(child) and _is_for_us(child):
                return self._walk(child, scene)
        return []

    def _draw_inner(self, element: etree._Element, scene: Scene) -> list[Item]:
        """Draw an SVG within another."""
        box = self._read_frame(element, scene, whole=True)
        return self._draw_viewport(element, scene, box) if box is not None else []

    def _draw_viewport(self, element: etree._Element, scene: Scene, frame: Rect) -> list[Item]:
        """Draw what is in an element with a view box of its own, cut off at its frame."""
        inner = Rect(0, 0, *frame.size)
        matrix = Matrix(1, 0, 0, 1, frame.x, frame.y)
        if text := element.get("viewBox"):
            try:
                inner = read_box(text)
            except ValueError:
                self._document.refuse_value(element, "viewBox", text)
                return []
            matrix = place_within(self._document, element, inner, frame)
        onto = matrix.then(scene.matrix)
        items = self._walk_children(element, scene._replace(matrix=onto, view=inner))
        if scene.style["overflow"] in ("visible", "auto") or not items:
            return items
        bounds = measure_items(items)
        if bounds is not None and move_box(frame, scene.matrix).contains(bounds):
            return items
        clip = self._clip_to(element, frame, scene)
        return [Group(share_items(items), clips=(clip,))]

    def _clip_to(self, element: etree._Element, box: Rect, scene: Scene) -> Clip:
        clip = Clip(move_segments(trace_rect(box, 0), scene.matrix))
        if not is_finite(clip.segments, MOST_UNITS):
            self._document.refuse_far(element)
        return clip

    def _draw_use(self, element: etree._Element, scene: Scene) -> list[Item]:
        target = self._document.find_target(element)
        if target is None:
            return []
        self._document.spend(element)
        if target in scene.within:
            self._document.complain(
                "svg/circle",
                element,
                f'<use> refers to "{shorten(get_href(element))}", which it is a part of',
                "take it out",
            )
            return []
        try:
            x, y = (
                read_length(element.get(name, "0"), whole, scene.style.em)
                for name, whole in (("x", scene.view.width), ("y", scene.view.height))
            )
        except ValueError:
            self._document.refuse_value(element, "x", element.get("x", ""))
            return []
        moved = scene._replace(matrix=Matrix(1, 0, 0, 1, x, y).then(scene.matrix))
        if get_tag(target) not in ("symbol", "svg"):
            return self._walk(target, moved)
        said = {name: element.get(name) for name in ("width", "height")}
        frame = self._read_frame(target, scene, whole=True, said=said)
        if frame is None:
            return []
        style = self._styles.find(target, scene.style)
        inner = moved._replace(style=style, within=(*scene.within, target))
        return self._finish(target, inner, lambda: self._draw_viewport(target, inner, frame))

    def _read_frame(
        self,
        element: etree._Element,
        scene: Scene,
        *,
        whole: bool,
        said: Mapping[str, str | None] = _NOTHING_SAID,
    ) -> Rect | None:
        """Return the box that an element's attributes say, or what is said in their place; None
        where it has no area.
        """
        view, em = scene.view, scene.style.em
        numbers: list[float] = []
        for name, of in (
            ("x", view.width),
            ("y", view.height),
            ("width", view.width),
            ("height", view.height),
        ):
            usual = "100%" if whole and name in ("width", "height") else "0"
            text = said.get(name) or element.get(name) or usual
            try:
                numbers.append(read_length(text if text != "auto" else "100%", of, em))
            except ValueError:
                self._document.refuse_value(element, name, text, "write a plain number")
                return None
        return Rect(*numbers) if numbers[2] > 0 and numbers[3] > 0 else None

    def _draw_image(self, element: etree._Element, scene: Scene) -> list[Item]:
        """Draw a picture that lies in the file itself."""
        address = get_href(element)
        if scene.style["visibility"] != "visible" or not address:
            return []
        if not address.startswith("data:"):
            self._document.complain(
                "svg/external",
                element,
                f'<image> refers to another file: "{shorten(address)}"',
                "embed the picture in the SVG",
            )
            return []
        self._document.spend(element)
        frame = self._read_frame(element, scene, whole=False)
        picture = self._embed(element, address)
        if picture is None:
            return []
        if frame is None:
            width, height = (read_length(element.get(name, "0")) for name in ("width", "height"))
            given = element.get("width") is not None or element.get("height") is not None
            if given and not (width or height):
                return []
            wide = width or (height * picture.width / picture.height if height else picture.width)
            high = height or wide * picture.height / picture.width
            x, y = (read_length(element.get(name, "0")) for name in ("x", "y"))
            frame = Rect(x, y, wide, high)
        box = Rect(0, 0, picture.width, picture.height)
        placed = move_box(box, place_within(self._document, element, box, frame))
        if isinstance(picture, Embedded):
            return [place_group([picture.place(placed, placed.meet(frame))], scene.matrix)]
        # An SVG within is drawn as large as it is seen, since its numbers are rounded.
        grow = scene.matrix.scale
        seen = move_box(placed, Matrix(grow, 0, 0, grow, 0, 0))
        back = Matrix(1 / grow, 0, 0, 1 / grow, 0, 0).then(scene.matrix)
        group: Item = Group(share_items(fit_drawing(picture, seen)), back)
        if not frame.contains(placed, tolerance=1e-6):
            group = Group(share_items([group]), clips=(self._clip_to(element, frame, scene),))
        return [group]

    def _embed(self, element: etree._Element, address: str) -> Embedded | Drawing | None:
        """Return the picture of a data: address, or the drawing where it is an SVG."""
        if "svg" not in address.partition(",")[0]:
            return embed_picture(self._document, element, address)
        path = unpack(self._document, element, address)
        if path is None:
            return None
        if self._document.nested >= _MOST_NESTED:
            self._document.complain(
                "svg/too-large", element, "SVGs lie too deep within each other", "embed fewer"
            )
            return None
        try:
            with self._document.reading_within(path) as inner:
                return _Reader(inner, self._shelf).read()
        except CardgenError as error:
            problem = error.problems[0]
            self._document.complain(
                problem.code,
                element,
                f"<image> holds an SVG that cannot be drawn: {problem.message}",
                problem.hint,
            )
            return None

    # What counts for all that an element draws

    def _finish(
        self, element: etree._Element, scene: Scene, draw: Callable[[], list[Item]]
    ) -> list[Item]:
        """Return what an element draws, see-through, clipped and masked as it asks."""
        style = scene.style
        own = style.list_own()
        if not own:
            return draw()
        self._check_drawn(element, style, own)
        opacity = self._paints.read_opacity(element, style, "opacity") if "opacity" in own else 1.0
        before = len(self._painter.unseen)
        items = draw()
        whole = [*items, *self._painter.unseen[before:]]
        if opacity <= 0:
            self._painter.unseen += items
        if not items or opacity <= 0:
            return []
        blend = cast(Blend, style["mix-blend-mode"])
        clips: tuple[Clip, ...] = ()
        mask: Shared | None = None
        if "clip-path" in own and style["clip-path"] not in ("none", ""):
            found = self._clips.find(element, scene, whole)
            if found is None:
                return []
            clips, mask = found
            if mask is not None:
                items = [Group(share_items(items), mask=mask)]
        mask = None
        if "mask" in own and style["mask"] not in ("none", ""):
            mask = self._find_mask(element, scene, whole)
            if mask is None:
                return []
        if blend not in ("multiply", "screen"):
            blend = "normal"
        if opacity == 1 and not clips and mask is None and blend == "normal":
            return items
        if len(items) == 1 and isinstance(items[0], Group) and not clips and mask is None:
            group = items[0]
            if blend == "normal":
                return [group._replace(opacity=group.opacity * opacity)]
        return [Group(share_items(items), IDENTITY, clips, opacity, blend, mask)]

    def _check_drawn(self, element: etree._Element, style: Style, own: list[str]) -> None:
        for name in own:
            values, cure = _DRAWN.get(name, ((style[name],), ""))
            if style[name] not in values:
                self._document.complain(
                    "svg/cannot-be-drawn",
                    element,
                    f'<{get_tag(element)}> has {name}="{shorten(style[name])}"',
                    cure,
                )

    def _find_mask(self, element: etree._Element, scene: Scene, items: list[Item]) -> Shared | None:
        """Return what an element is shown by; None where nothing of it is seen."""
        target = find_named(self._document, element, "mask", scene.style, "mask")
        if target is None:
            return None
        with entering(self._document, target, scene) as fine:
            if not fine:
                return None
            style = self._styles.find_in_place(target)
            matrix = enter_units(target, scene, items, "maskContentUnits", IDENTITY)
            inner = scene.go_into(target, matrix, style)
            self._painter.hidden += 1
            shown = self._finish(target, inner, lambda: self._walk_children(target, inner))
            self._painter.hidden -= 1
        if not shown:
            return None
        if style["mask-type"] != "alpha":
            try:
                shown = show_by_light(shown)
            except Unclear:
                self._document.complain(
                    "svg/cannot-be-drawn",
                    target,
                    "<mask> shows by how light it is, with dark shapes on top of light ones",
                    "mask with white shapes alone, or use a clip path",
                )
                return None
        region = self._read_region(target, scene, items)
        bounds = measure_items(shown)
        if region is not None and bounds is not None:
            frame = move_box(region, scene.matrix)
            b, c = scene.matrix.b, scene.matrix.c
            if b or c or not frame.contains(bounds):
                clip = self._clip_to(target, region, scene)
                shown = [Group(share_items(shown), clips=(clip,))]
        return share_items(shown) if shown else None

    def _read_region(self, target: etree._Element, scene: Scene, items: list[Item]) -> Rect | None:
        """Return the box that a mask is limited to, in the coordinates of what it masks."""
        by_box = target.get("maskUnits") != "userSpaceOnUse"
        box = measure_target(scene, items) if by_box else scene.view
        names = (("x", "-10%"), ("y", "-10%"), ("width", "120%"), ("height", "120%"))
        wholes = (box.width, box.height) * 2
        try:
            numbers = [
                read_length(text, 1.0 if by_box else whole) * (whole if by_box else 1.0)
                for (name, usual), whole in zip(names, wholes, strict=True)
                for text in [target.get(name, usual)]
            ]
        except ValueError:
            return None
        x, y, width, height = numbers
        return Rect(x + box.x, y + box.y, width, height) if by_box else Rect(x, y, width, height)


def _is_for_us(element: etree._Element) -> bool:
    """Whether an element asks for no extension, and for no language but English."""
    languages = element.get("systemLanguage")
    spoken = languages is None or any(
        language.strip().lower().startswith("en") for language in languages.split(",")
    )
    return spoken and not element.get("requiredExtensions")
