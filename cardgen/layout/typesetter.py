"""Texts in a style turned into runs of glyphs: marked up, shaped in their fonts, set and drawn.

Knows nothing of boxes or cards; whoever does adds their names to what is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from string import punctuation

from cardgen.core.colour import BLACK, Paint
from cardgen.core.errors import CardgenError, shorten
from cardgen.core.geometry import Rect, Size
from cardgen.core.library import Library
from cardgen.deck.dictionary import Words, read_words
from cardgen.layout.art.icons import fit_icon, read_icon
from cardgen.layout.face import SEEN, Element, Form, Item, Outline, Role, Shared, Tag
from cardgen.layout.subject import TextRefusal
from cardgen.template.model import Style
from cardgen.text.fit import Block, measure_width
from cardgen.text.fonts import FontShelf
from cardgen.text.lines import prepare_material
from cardgen.text.markup import BOLD, ITALIC, parse_markup
from cardgen.text.setting import InlineIcon, Piece, SetBlock, set_block
from cardgen.text.shaping import Font, MissingCharacter, find_hyphens

# An icon in a text is as high as this many em and stands about the middle of the capitals.
ICON_SIZE = 1.0
ICON_WIDTH = 1.1

# Texts of at most so many letters are kept for the next cards, so many of them.
_SHORT = 40
MOST_SHORT = 2_000

# A family that has no face of the slant or the weight that is asked for.
_NO_FACE = ("font/no-face", "font/no-weight")


class _FontsByFace(dict[int, Font]):
    """The fonts of a style by face (regular, bold, italic), opened when first asked for."""

    def __init__(self, open_font: Callable[[int], Font]) -> None:
        super().__init__()
        self._open = open_font

    def __missing__(self, face: int) -> Font:
        font = self[face] = self._open(face)
        return font


class Typesetter:
    """Opens fonts, keeps what it has shaped, and sets texts."""

    def __init__(self, library: Library, shelf: FontShelf, language: str) -> None:
        self._library = library
        self._shelf = shelf
        self._language = language
        self._fonts: dict[tuple[object, ...], Font] = {}
        self._icons: dict[tuple[str, Size, Paint], Shared] = {}
        self._outlines: dict[tuple[str, Size], Outline] = {}
        self._styles: dict[int, tuple[Style, _FontsByFace]] = {}
        self._words: Words | None = None
        self._short: dict[tuple[int, str], Block] = {}  # by the ids of styles, which are kept

    def make_block(self, style: Style, text: str) -> Block:
        """Return the material of a text, ready to be broken at any size."""
        if len(text) > _SHORT:
            return self._make_block(style, text)
        # A short text stands on many cards: a kind, a cost, a title of the deck.
        block = self._short.get((id(style), text))
        if block is None:
            block = self._make_block(style, text)
            if len(self._short) >= MOST_SHORT:
                self._short.clear()
            self._short[id(style), text] = block
        return block

    def _make_block(self, style: Style, text: str) -> Block:
        fonts = self._get_fonts(style)
        paragraphs = parse_markup(text)
        materials = tuple(
            prepare_material(paragraph.spans, fonts, ICON_WIDTH) for paragraph in paragraphs
        )
        gaps = tuple(
            0.0 if number == 0 or paragraph.follows_break else style.paragraph
            for number, paragraph in enumerate(paragraphs)
        )
        file = fonts[0].file
        return Block(materials, gaps, style.leading, file.cap_height, file.depth)

    def set_text(
        self, block: Block, style: Style, size: float, width: float, x: float = 0.0, y: float = 0.0
    ) -> SetBlock:
        """Set a block in the style's colour and alignment; its top left is (x, y)."""
        return set_block(
            block, size, width, style.colour, style.align, balance=style.balance, x=x, y=y
        )

    def draw_text(self, text: SetBlock, role: Role, items: list[Item], dy: float) -> None:
        """Append a set text, moved down by dy, each of its paragraphs an element."""
        ends = [*text.paragraphs[1:], len(text.pieces)]
        for start, end in zip(text.paragraphs, ends, strict=True):
            self.draw_pieces(text.pieces[start:end], items, dy=dy, element=Element(role))

    def draw_pieces(
        self,
        pieces: Sequence[Piece],
        items: list[Item],
        dx: float = 0.0,
        dy: float = 0.0,
        element: Element | None = None,
    ) -> None:
        """Append a part of an element, moved by (dx, dy), its icons drawn."""
        tag = Tag(element)
        if element is not None:
            items.append(tag)
        for piece in pieces:
            if isinstance(piece, InlineIcon):
                drawn = self._draw_inline(piece, dx, dy)
                if element is None:
                    items.append(drawn)
                else:
                    items += (self._tag_icon(piece, pieces, element), drawn, tag)
            elif dx or dy:
                items.append(piece._replace(x=piece.x + dx, y=piece.y + dy))
            else:
                items.append(piece)
        if element is not None:
            items.append(SEEN)

    def _tag_icon(self, icon: InlineIcon, pieces: Sequence[Piece], element: Element) -> Tag:
        """Return what an icon in a text is said as: nothing where the text has its words beside."""
        name = self.name_icon(icon.name)
        runs = (piece.words for piece in pieces if not isinstance(piece, InlineIcon))
        beside = {word.text.lower().strip(punctuation) for run in runs for word in run}
        if beside.issuperset(name.lower().split()):
            return SEEN
        return Tag(Element("Span", element, name))

    def name_icon(self, name: str) -> str:
        """Return the words for an icon in the language of the deck; a die is its number."""
        if self._words is None:
            self._words = read_words(self._library, self._language)
        plain = name.removeprefix("die-").replace("-", " ")
        return self._words.known.get(plain, plain)

    def _draw_inline(self, icon: InlineIcon, dx: float, dy: float) -> Form:
        side = ICON_SIZE * icon.size
        top = icon.y - (icon.font.file.cap_height * icon.size + side) / 2
        inset = (ICON_WIDTH - ICON_SIZE) / 2 * icon.size
        frame = Rect(icon.x + dx + inset, top + dy, side, side)
        return self.draw_icon(icon.name, frame, icon.colour)

    def draw_icon(self, name: str, frame: Rect, paint: Paint) -> Form:
        """Return an icon in a frame, drawn once for each size and paint."""
        size = Size(round(frame.width, 3), round(frame.height, 3))
        key = (name, size, paint)
        if key not in self._icons:
            outline = self._fit_icon(name, size)
            self._icons[key] = Shared(Rect(0, 0, *size), (outline._replace(fill=paint),))
        return Form(frame.x, frame.y, self._icons[key])

    def _fit_icon(self, name: str, size: Size) -> Outline:
        """Return an icon in black, whose shape all its colours share."""
        if (name, size) not in self._outlines:
            shape = read_icon(self._library.get("icon", name))
            self._outlines[name, size] = fit_icon(shape, Rect(0, 0, *size), BLACK)
        return self._outlines[name, size]

    def _get_fonts(self, style: Style) -> _FontsByFace:
        # Found by identity: to hash a style takes longer than to set a short text.
        kept = self._styles.get(id(style))
        if kept is None:
            fonts = _FontsByFace(partial(self._get_font, style))
            kept = self._styles[id(style)] = (style, fonts)
        return kept[1]

    def _get_font(self, style: Style, face: int) -> Font:
        weight = style.bold if face & BOLD else style.weight
        italic = style.italic != bool(face & ITALIC)
        key = (style.fonts, weight, italic, style.features, style.tracking, style.hyphenate)
        if key not in self._fonts:
            try:
                self._fonts[key] = self._open_font(style, weight, italic)
            except CardgenError as error:
                problem = error.problems[0]
                if not face or problem.code not in _NO_FACE:
                    raise
                # It is the text that asks for this face; its style never needs it.
                marked = " and ".join(
                    mark for bit, mark in ((BOLD, "**bold**"), (ITALIC, "*italic*")) if face & bit
                )
                raise TextRefusal(
                    problem.code,
                    f"has {marked}, but {problem.message}",
                    problem.hint,
                    problem.details,
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


# The one style of all notes, and the size that none is smaller than.
_NOTE = Style("note", None, ("Alegreya Sans",), colour=BLACK)
SMALLEST_NOTE = 4.0
_LONGEST_NOTE = 2_000  # letters, more than fit any paper
_INSTEAD = "?"
_ESCAPES = str.maketrans({sign: f"\\{sign}" for sign in punctuation})


def set_note(
    typesetter: Typesetter, text: str, size: float, width: float, *, centred: bool = False
) -> tuple[Item, ...]:
    """Return the items of a line of text outside the cards, its baseline at y = 0.

    A line that has no room is set smaller, and then cut short.
    """
    kept = min(len(text), _LONGEST_NOTE)
    while True:
        block = _shape_note(typesetter, shorten(text, kept))
        needed = measure_width(block)
        if needed * SMALLEST_NOTE <= width or kept <= 1:
            break
        kept = min(kept - 1, int(kept * width / (needed * SMALLEST_NOTE)))
        kept = max(kept, 1)
    size = min(size, max(SMALLEST_NOTE, width / needed if needed else size))
    left = (width - needed * size) / 2 if centred else 0.0
    placed = typesetter.set_text(block, _NOTE, size, width + 1.0, left, -block.cap_height * size)
    items: list[Item] = []
    typesetter.draw_pieces(placed.pieces, items)
    return tuple(items)


def _shape_note(typesetter: Typesetter, text: str) -> Block:
    """Return the material of a note; a title in a script that the font lacks is no mistake."""
    while True:
        try:
            return typesetter.make_block(_NOTE, text.translate(_ESCAPES))
        except MissingCharacter as error:
            # A font may lack even what stands for what it lacks.
            instead = "" if error.character == _INSTEAD else _INSTEAD
            text = text.replace(error.character, instead)
