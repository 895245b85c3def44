"""Texts set in a style turned into runs of glyphs: markup, fonts, copyfitting and placing.

Knows nothing of boxes or cards; whoever does adds their names to a TextProblem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from string import punctuation

from cardgen.core.colour import BLACK, Paint
from cardgen.core.errors import CardgenError, Refusal, shorten
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import Library
from cardgen.core.units import format_mm, format_pt
from cardgen.layout.art.svg import fit_icon, read_icon
from cardgen.layout.face import Form, Item, Shared
from cardgen.template.model import Style
from cardgen.text.fit import Block, find_widest_word, fits_box, measure_block, measure_width
from cardgen.text.fonts import FontShelf
from cardgen.text.lines import prepare_material
from cardgen.text.markup import BOLD, ITALIC, parse_markup
from cardgen.text.setting import InlineIcon, Piece, SetBlock, set_block
from cardgen.text.shaping import Font, MissingCharacter, find_hyphens

# An icon in a text is as high as this many em and stands about the middle of the capitals.
ICON_SIZE = 1.0
ICON_WIDTH = 1.1


class _Faces(dict[int, Font]):
    """The fonts of a style by face (regular, bold, italic), opened when first asked for."""

    def __init__(self, find: Callable[[int], Font]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, face: int) -> Font:
        font = self[face] = self._find(face)
        return font


class Typesetter:
    """Opens fonts, keeps what it has shaped, and sets texts."""

    def __init__(self, library: Library, shelf: FontShelf, language: str) -> None:
        self._library = library
        self._shelf = shelf
        self._language = language
        self._fonts: dict[tuple[object, ...], Font] = {}
        self._icons: dict[tuple[str, Size, Paint], Shared] = {}
        self._faces: dict[int, tuple[Style, _Faces]] = {}

    def make_block(self, style: Style, text: str) -> Block:
        """The material of a text, ready to be broken at any size."""
        faces = self._get_faces(style)
        paragraphs = parse_markup(text)
        materials = tuple(
            prepare_material(paragraph.spans, faces, ICON_WIDTH) for paragraph in paragraphs
        )
        gaps = tuple(
            0.0 if number == 0 or paragraph.follows_break else style.paragraph
            for number, paragraph in enumerate(paragraphs)
        )
        file = faces[0].file
        return Block(materials, gaps, style.leading, file.cap_height, file.depth)

    def set_text(
        self, block: Block, style: Style, size: float, width: float, x: float = 0.0, y: float = 0.0
    ) -> SetBlock:
        """A block in the style's colour and alignment; its top left is (x, y)."""
        return set_block(
            block, size, width, style.colour, style.align, balance=style.balance, x=x, y=y
        )

    def draw_pieces(
        self, pieces: Iterable[Piece], items: list[Item], dx: float = 0.0, dy: float = 0.0
    ) -> None:
        """Append a set text, moved by (dx, dy), its icons drawn."""
        for piece in pieces:
            if isinstance(piece, InlineIcon):
                items.append(self._draw_inline(piece, dx, dy))
            elif dx or dy:
                items.append(piece._replace(x=piece.x + dx, y=piece.y + dy))
            else:
                items.append(piece)

    def _draw_inline(self, icon: InlineIcon, dx: float, dy: float) -> Form:
        side = ICON_SIZE * icon.size
        top = icon.y - (icon.font.file.cap_height * icon.size + side) / 2
        inset = (ICON_WIDTH - ICON_SIZE) / 2 * icon.size
        frame = Rect(icon.x + dx + inset, top + dy, side, side)
        return self.draw_icon(icon.name, frame, icon.colour)

    def draw_icon(self, name: str, frame: Rect, paint: Paint) -> Form:
        """An icon in a frame, drawn once for each size and paint."""
        size = Size(round(frame.width, 3), round(frame.height, 3))
        key = (name, size, paint)
        if key not in self._icons:
            shape = read_icon(self._library.get("icon", name))
            box = Rect(0, 0, *size)
            self._icons[key] = Shared(box, (fit_icon(shape, box, paint),))
        return Form(frame.x, frame.y, self._icons[key])

    def check_fit(self, block: Block, size: float, width: float, height: float) -> None:
        """Raise what keeps a block from fitting its box, with the arithmetic."""
        widest, word = find_widest_word(block)
        if widest * size > width + 0.01:
            raise Refusal(
                "layout/todo",
                f'"{shorten(word, 30)}" is {format_mm(widest * size)} wide at {format_pt(size)},'
                f" its box is {format_mm(width)}",
                "add a soft hyphen, shorten it, or make the box wider",
            )
        if not fits_box(block, size, width, height):
            needed = measure_block(block, size, width) or 0.0
            raise Refusal(
                "layout/todo",
                f"is {format_mm(needed - height)} too long: at {format_pt(size)} it needs"
                f" {format_mm(needed)}, its box is {format_mm(height)} high",
                "shorten it, or give it more room",
            )

    def check_line(self, block: Block, size: float, width: float) -> None:
        """Raise what keeps a block from fitting on one line, with the arithmetic."""
        if len(block.paragraphs) > 1:
            raise Refusal("layout/todo", "is more than one line", "take the line breaks out")
        needed = measure_width(block) * size
        raise Refusal(
            "layout/todo",
            f"is {format_mm(needed - width)} too long for one line: at {format_pt(size)} it needs"
            f" {format_mm(needed)}, its box is {format_mm(width)} wide",
            "shorten it, or give it more room",
        )

    def _get_faces(self, style: Style) -> _Faces:
        # Found by identity, since hashing a style takes longer than setting a short text.
        kept = self._faces.get(id(style))
        if kept is None:
            kept = self._faces[id(style)] = (style, _Faces(partial(self._find_font, style)))
        return kept[1]

    def _find_font(self, style: Style, face: int) -> Font:
        weight = style.bold if face & BOLD else style.weight
        italic = style.italic != bool(face & ITALIC)
        key = (style.fonts, weight, italic, style.features, style.tracking, style.hyphenate)
        if key not in self._fonts:
            try:
                self._fonts[key] = self._open_font(style, weight, italic)
            except CardgenError as error:
                problem = error.problems[0]
                if not face or problem.code not in ("font/no-face", "font/no-weight"):
                    raise
                # A text asks for what its style never needs.
                marked = " and ".join(
                    mark for bit, mark in ((BOLD, "**bold**"), (ITALIC, "*italic*")) if face & bit
                )
                raise Refusal(
                    "layout/todo", f"has {marked}, but {problem.message}", problem.hint
                ) from error
        return self._fonts[key]

    def _open_font(self, style: Style, weight: int, italic: bool) -> Font:
        first, *others = style.fonts
        hyphenate = partial(find_hyphens, self._language) if style.hyphenate else None
        return Font(
            self._shelf.open(first, weight, italic, style.where),
            features=style.features,
            tracking=style.tracking,
            language=self._language,
            hyphenate=hyphenate,
            fallbacks=tuple(
                Font(
                    self._shelf.open_nearest(name, weight, italic, style.where),
                    tracking=style.tracking,
                    language=self._language,
                )
                for name in others
            ),
        )


SMALLEST = 4.0
_INSTEAD = "?"
_STYLE = Style("note", None, ("Alegreya Sans",), colour=BLACK)
_PLAIN = str.maketrans({sign: f"\\{sign}" for sign in punctuation})


def set_note(
    typesetter: Typesetter, text: str, size: float, width: float, *, centred: bool = False
) -> tuple[Item, ...]:
    """The line's items, its baseline at y = 0; one without room is set smaller, then cut short."""
    kept = len(text)
    while True:
        block = _make_block(typesetter, shorten(text, kept))
        needed = measure_width(block)
        if needed * SMALLEST <= width or kept <= 1:
            break
        kept = min(kept - 1, int(kept * width / (needed * SMALLEST)))
        kept = max(kept, 1)
    size = min(size, max(SMALLEST, width / needed if needed else size))
    left = (width - needed * size) / 2 if centred else 0.0
    placed = typesetter.set_text(block, _STYLE, size, width + 1.0, left, -block.cap_height * size)
    items: list[Item] = []
    typesetter.draw_pieces(placed.pieces, items)
    return tuple(items)


def _make_block(typesetter: Typesetter, text: str) -> Block:
    """The line's material; a title in a script that the font lacks is no reason to stop."""
    while True:
        try:
            return typesetter.make_block(_STYLE, text.translate(_PLAIN))
        except MissingCharacter as error:
            text = text.replace(error.character, _INSTEAD)


# MERGED: A line of text outside the cards turned into items, in the one style that all such lines have.
#
#   Knows nothing of pages or of what the line is for.
#
