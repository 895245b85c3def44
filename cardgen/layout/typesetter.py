"""Texts in a style turned into runs of glyphs: marked up, shaped in their fonts, set and drawn.

Knows nothing of boxes or cards; whoever does adds their names to what is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import degrees
from pathlib import Path
from string import punctuation
from typing import Literal

from cardgen.core.colour import Edge, Paint
from cardgen.core.errors import CardgenError, Problem, Refusal, shorten
from cardgen.core.geometry import Rect, Size, make_tuple, make_turn
from cardgen.core.library import Library
from cardgen.core.names import describe_unknown
from cardgen.core.units import format_pt
from cardgen.deck.dictionary import Words, read_words
from cardgen.layout.art.faults import draw_gone
from cardgen.layout.art.icons import (
    IconShape,
    fit_icon,
    fit_stencil,
    paint_stencil,
    read_icon,
)
from cardgen.layout.art.letters import draw_edge
from cardgen.layout.art.outlines import make_bar
from cardgen.layout.art.pictures import PictureInfo, place_picture, read_picture
from cardgen.layout.art.svg.drawing import Drawing, fit_drawing
from cardgen.layout.extent import find_extent
from cardgen.layout.face import SEEN, Element, Form, Group, Item, Outline, Role, Shared, Tag
from cardgen.layout.inline import InlineArt, Label, choose_ink, parse_height
from cardgen.layout.subject import TextRefusal, join_refusals
from cardgen.template.model import Align, IconStyle, Style
from cardgen.template.specs import make_style
from cardgen.template.values import Palette
from cardgen.text.fit import Block, count_lines, measure_width
from cardgen.text.fonts import FontShelf
from cardgen.text.lines import prepare_material
from cardgen.text.look import PLAIN, Inset, Look
from cardgen.text.markup import (
    BOLD,
    ITALIC,
    STRUCK,
    UNDERLINED,
    Inline,
    Paragraph,
    Span,
    parse_markup,
)
from cardgen.text.setting import Edged, InlineIcon, Piece, Rule, Run, SetBlock, set_block
from cardgen.text.shaping import Font, MissingCharacter, find_hyphens, is_torn

_PLAIN_ICON = IconStyle()

# Texts of at most so many letters are kept for the next cards, so many of them.
_SHORT = 40
MOST_SHORT = 2_000

Kind = Literal["picture", "icon"]
_GONE = ("name/unknown", "name/empty")

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


class _StyleDresser:
    """Dresses the spans of texts in one style, by the styles that a template names."""

    def __init__(self, typesetter: Typesetter, style: Style) -> None:
        self.fonts = typesetter.get_fonts(style)
        self.look = Look(
            underline=style.underline, strike=style.strike, edge=_scale_edge(style, style)
        )
        self._style = style
        self._typesetter = typesetter
        self._insets: dict[Inline, Inset] = {}
        self._dressed: dict[tuple[int, tuple[str, ...]], tuple[_FontsByFace, Look]] = {}

    def dress(self, span: Span) -> tuple[Mapping[int, Font], Look]:
        """Return the fonts of a span, and its look."""
        key = (span.face & ~(BOLD | ITALIC), span.styles)
        if key not in self._dressed:
            self._dressed[key] = self._dress(*key)
        return self._dressed[key]

    def _dress(self, face: int, names: Sequence[str]) -> tuple[_FontsByFace, Look]:
        style = self._style
        for name in names:
            style = self._typesetter.change_style(style, name)
        look = Look(
            style.colour if style.colour != self._style.colour else None,
            style.size / self._style.size,
            style.underline or bool(face & UNDERLINED),
            style.strike or bool(face & STRUCK),
            _scale_edge(style, self._style),
        )
        return self._typesetter.get_fonts(style) if names else self.fonts, look

    def measure(self, icon: Inline) -> Inset:
        """Return the room that an icon or picture takes."""
        inset = self._insets.get(icon)
        if inset is None:
            if len(self._insets) >= MOST_SHORT:
                self._insets.clear()
            inset = self._insets[icon] = self._typesetter.make_art(icon, self._style).measure()
        return inset


class Typesetter:
    """Opens fonts, keeps what it has shaped, and sets texts.

    palette: the styles that texts may name
    """

    def __init__(
        self, library: Library, shelf: FontShelf, language: str, palette: Palette | None = None
    ) -> None:
        self._palette = palette or Palette()
        self._library = library
        self.shelf = shelf
        self._language = language
        self._fonts: dict[tuple[object, ...], Font] = {}
        self._icons: dict[tuple[str, Size, Paint | None], Shared] = {}
        self._stencils: dict[tuple[str, Size], tuple[Item, ...]] = {}
        self._shapes: dict[str, IconShape] = {}
        self._styles: dict[int, tuple[Style, _FontsByFace]] = {}
        self._drawings: dict[tuple[int, Size], tuple[Shared, Drawing]] = {}
        self._labels: dict[tuple[int, IconStyle], tuple[Style, Style]] = {}
        self._dressers: dict[int, tuple[Style, _StyleDresser]] = {}
        # Styles led by another of their families, with the style that each was made of.
        self._led: dict[tuple[int, str], tuple[Style, Style]] = {}
        self._words: Words | None = None
        self._short: dict[tuple[int, str], Block] = {}  # by the ids of styles, which are kept
        # In a draft, what is wrong with icons in texts, for which boxes stand.
        self.faults: list[CardgenError] | None = None
        self.has_placeholders = False
        self.gone: list[tuple[Kind, str]] = []  # what boxes stand for in texts

    def with_names(self, palette: Palette) -> Typesetter:
        """Return a typesetter for texts that may name other styles; it shares fonts and icons."""
        other = Typesetter(self._library, self.shelf, self._language, palette)
        other._fonts, other._icons, other._stencils = self._fonts, self._icons, self._stencils
        other._shapes = self._shapes
        return other

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
        if len(style.fonts) > 1 and not text.isascii():
            style = self._choose_family(style, text)
        dresser = self._get_dresser(style)
        fonts = dresser.fonts
        paragraphs = parse_markup(text)
        try:
            materials = tuple(
                prepare_material(paragraph.spans, fonts, dresser) for paragraph in paragraphs
            )
        except (Refusal, CardgenError) as error:
            raise join_refusals(self._list_wrong(paragraphs, dresser, text) or [error]) from error
        gaps = tuple(
            0.0 if number == 0 or paragraph.follows_break else style.paragraph
            for number, paragraph in enumerate(paragraphs)
        )
        file = fonts[0].file
        return Block(materials, gaps, style.leading, file.cap_height, file.depth)

    def _list_wrong(
        self, paragraphs: Iterable[Paragraph], dresser: _StyleDresser, text: str
    ) -> list[Refusal | CardgenError]:
        """Return all that is wrong with a text: each of its spans is tried by itself."""
        found: dict[str, Refusal | CardgenError] = {}
        for paragraph in paragraphs:
            for span in paragraph.spans:
                try:
                    prepare_material([span], dresser.fonts, dresser)
                    self._look_up(span.icon)
                except MissingCharacter as error:
                    found.setdefault(error.code, dresser.fonts[0].name_lacking(error, text))
                except (Refusal, CardgenError) as error:
                    found.setdefault(str(error), error)
        return list(found.values())

    def _look_up(self, icon: Inline | None) -> None:
        """Refuse an icon that is missing, for which no box may stand."""
        if (
            icon is not None
            and not icon.is_picture
            and not self._palette.icons.get(icon.name, _PLAIN_ICON).file
        ):
            try:
                self._read_icon(icon.name)
            except CardgenError as error:
                self._take_gone(error)

    def _choose_family(self, style: Style, text: str) -> Style:
        """Return the style of a text no word of which is set in two families letter by letter.

        Where the first family has only some letters of a word, as it may of Vietnamese, the text is
        set in one that has them all. Signs, and words of another script, may come from any family.
        """
        first = self.get_fonts(style)[0]
        letters = {letter for letter in text if letter.isalpha()}
        held = first.list_held(letters)
        if held == letters or not any(is_torn(set(word), held) for word in text.split()):
            return style
        for family, font in zip(style.fonts[1:], first.fallbacks, strict=True):
            if font.list_held(letters) == letters:
                key = (id(style), family)
                if key not in self._led:
                    others = (name for name in style.fonts if name != family)
                    self._led[key] = style._replace(fonts=(family, *others)), style
                return self._led[key][0]
        return style

    def set_text(
        self,
        block: Block,
        style: Style,
        size: float,
        width: float,
        x: float = 0.0,
        y: float = 0.0,
        align: Align | None = None,
        lower: Callable[[float], float] | None = None,
    ) -> SetBlock:
        """Set a block in the style's colour and alignment, or another; its top left is (x, y).

        lower: told its height, says how far below y it stands
        """
        look = PLAIN
        if style.underline or style.strike or style.outline is not None:
            look = self._get_dresser(style).look
        chosen, balance = align or style.align, style.balance
        long = style.long
        if align is None and long is not None and count_lines(block, size, width) >= long.lines:
            chosen, balance = long.align, long.balance
        given = block, size, width, style.colour, chosen
        return set_block(*given, look=look, balance=balance, x=x, y=y, lower=lower)

    def draw_text(self, text: SetBlock, role: Role, items: list[Item]) -> None:
        """Append a set text, each of its paragraphs an element."""
        if text.is_edged:  # those of the second line lie below the first one, too
            items += _draw_edges(text.pieces, 0.0, 0.0)
        ends = [*text.paragraphs[1:], len(text.pieces)]
        for start, end in zip(text.paragraphs, ends, strict=True):
            said = Element(role)
            self.draw_pieces(text.pieces[start:end], items, element=said, edged=False)

    def draw_pieces(
        self,
        pieces: Sequence[Piece],
        items: list[Item],
        dx: float = 0.0,
        dy: float = 0.0,
        element: Element | None = None,
        *,
        edged: bool = True,
    ) -> None:
        """Append a part of an element, moved by (dx, dy), its icons drawn."""
        if edged:
            items += _draw_edges(pieces, dx, dy)
        tag = Tag(element)
        rules: list[Item] = []
        if element is not None:
            items.append(tag)
        moved = bool(dx or dy)
        for piece in pieces:
            if isinstance(piece, Run):
                if moved:
                    x, y, *rest = piece
                    piece = make_tuple(Run, (x + dx, y + dy, *rest))
                items.append(piece)
            elif isinstance(piece, Rule):
                rules.append(_draw_rule(piece, dx, dy))
            elif isinstance(piece, Edged):
                continue
            elif element is None:
                items += self._draw_inline(piece, dx, dy)
            else:
                drawn = self._draw_inline(piece, dx, dy)
                items += (self._tag_icon(piece, pieces, element), *drawn, tag)
        if element is not None:
            items.append(SEEN)
        items += rules

    def tell(self, pieces: Sequence[Piece]) -> str:
        """Return the words of a text that is set, those of its icons too."""
        told = ""
        for piece in pieces:
            if isinstance(piece, Run):
                told += " ".join(word.text for word in piece.words)
            elif isinstance(piece, InlineIcon):
                told += f" {self._name_art(_get_art(piece))} "
        return " ".join(told.split())

    def _name_art(self, art: InlineArt) -> str:
        if art.icon.is_picture:
            return art.icon.text or Path(art.icon.name).stem.replace("-", " ")
        return f"{self.name_icon(art.icon.name)} {art.icon.text}".strip()

    def _tag_icon(self, icon: InlineIcon, pieces: Sequence[Piece], element: Element) -> Tag:
        """Return what an icon in a text is said as: nothing where the text has its words beside,
        or where it stands before those of a heading, as an ornament.
        """
        art = _get_art(icon)
        name = self._name_art(art)
        if art.icon.is_picture or art.label is not None:
            return Tag(Element("Span", element, name))
        runs = (piece.words for piece in pieces if isinstance(piece, Run))
        beside = {word.text.lower().strip(punctuation) for run in runs for word in run}
        leads = element.role.startswith("H") and icon is pieces[0] and bool(beside)
        if leads or beside.issuperset(name.lower().split()):
            return SEEN
        return Tag(Element("Span", element, name))

    def name_icon(self, name: str) -> str:
        """Return the words for an icon in the language of the deck; a die is its number."""
        if self._words is None:
            self._words = read_words(self._library, self._language)
        plain = name.removeprefix("die-").replace("-", " ")
        return self._words.known.get(plain, plain)

    def _draw_inline(self, piece: InlineIcon, dx: float, dy: float) -> list[Item]:
        art = _get_art(piece)
        if piece.angle:
            level = self._draw_inline(piece._replace(x=0.0, y=0.0, angle=0.0), 0.0, 0.0)
            bounds = find_extent(level) or Rect(0, 0, 0, 0)
            turn = make_turn(degrees(piece.angle), piece.x + dx, piece.y + dy)
            return [Group(Shared(bounds, tuple(level)), turn)]
        frame = art.place(piece.x + dx, piece.y + dy, piece.size, piece.font.file.cap_height)
        if art.gone is not None:
            items: list[Item] = [self._draw_gone("picture", art.icon.name, art.gone, frame)]
        elif art.picture is not None:
            items = [self._draw_picture(art.picture, frame)]
        else:
            paint = None if art.keeps else art.paint or piece.colour
            items = [self._draw_named(art.icon.name, frame, paint)]
        if art.label is not None:
            left, top, size = art.place_label(art.label, frame, piece.size)
            room = measure_width(art.label.block) * size + 1.0
            label = art.label
            text = self.set_text(label.block, label.style, size, room, left, top, "left")
            self.draw_pieces(text.pieces, items)
        return items

    def _read_picture(self, path: Path) -> PictureInfo | Drawing:
        if path.suffix.lower() == ".svg":
            from cardgen.layout.art.svg.reader import read_drawing  # which most texts do without

            return read_drawing(path, self.shelf)
        return read_picture(path)

    def _draw_picture(self, picture: PictureInfo | Drawing, frame: Rect) -> Item:
        """Return a picture in a text; one of lines is drawn once for each size."""
        if isinstance(picture, PictureInfo):
            return place_picture(picture, frame, "contain", 0.0)
        size = Size(round(frame.width, 3), round(frame.height, 3))
        key = (id(picture), size)
        if key not in self._drawings:
            if len(self._drawings) >= MOST_SHORT:
                self._drawings.clear()
            box = Rect(0, 0, *size)
            # Kept with the drawing, so that its id stays its own.
            self._drawings[key] = Shared(box, fit_drawing(picture, box)), picture
        return Form(frame.x, frame.y, self._drawings[key][0])

    def _draw_named(self, name: str, frame: Rect, paint: Paint | None) -> Form:
        """Return an icon in a text, or a box where it is missing."""
        try:
            return self.draw_icon(name, frame, paint)
        except CardgenError as error:
            gone = self._take_gone(error)
            return self._draw_gone("icon", name, gone, frame)

    def _take_gone(self, error: CardgenError) -> CardgenError:
        """Return why something is missing for which a box may stand; raise it where none may."""
        stands_in = self.has_placeholders and error.problems[0].code in _GONE
        if self.faults is None and not stands_in:
            raise error
        return error

    def _draw_gone(self, kind: Kind, name: str, why: CardgenError, frame: Rect) -> Form:
        if self.faults is not None:
            self.faults.append(why)
        else:
            self.gone.append((kind, name))
        return Form(frame.x, frame.y, draw_gone(frame.size))

    def draw_icon(self, name: str, frame: Rect, paint: Paint | None) -> Form:
        """Return an icon in a frame, drawn once for each size and paint; None: in its own."""
        size = Size(round(frame.width, 3), round(frame.height, 3))
        key = (name, size, paint)
        if key not in self._icons:
            if paint is None:
                items = fit_icon(self._read_icon(name), Rect(0, 0, *size))
            else:
                items = paint_stencil(self._fit_stencil(name, size), paint)
            self._icons[key] = Shared(Rect(0, 0, *size), items)
        return Form(frame.x, frame.y, self._icons[key])

    def _fit_stencil(self, name: str, size: Size) -> tuple[Item, ...]:
        """Return an icon in black, whose shapes all its colours share."""
        if (name, size) not in self._stencils:
            self._stencils[name, size] = fit_stencil(self._read_icon(name), Rect(0, 0, *size))
        return self._stencils[name, size]

    def _read_icon(self, name: str) -> IconShape:
        if name not in self._shapes:
            self._shapes[name] = read_icon(self._library.get("icon", name), shelf=self.shelf)
        return self._shapes[name]

    def _get_dresser(self, style: Style) -> _StyleDresser:
        kept = self._dressers.get(id(style))
        if kept is None:
            dresser = _StyleDresser(self, style)
            kept = self._dressers[id(style)] = (style, dresser)
        return kept[1]

    def change_style(self, style: Style, name: str) -> Style:
        """Return a style with what another says; what that leaves open stays."""
        said = self._palette.said.get(name)
        if said is None:
            unknown = describe_unknown(name, self._palette.said, "style")
            raise TextRefusal(
                "text/unknown-style",
                f'has words in an unknown style "{shorten(name, 30)}"',
                f"{unknown.hint}; or write \\[ to print the brackets",
                unknown.details,
            )
        return make_style(style, said)

    def make_art(self, icon: Inline, style: Style) -> InlineArt:
        """Return an icon or picture that stands in texts of a style."""
        look = self._palette.icons.get(icon.name, _PLAIN_ICON)
        file = icon.name if icon.is_picture else look.file
        info: PictureInfo | Drawing | None = None
        gone: CardgenError | None = None
        width = look.size
        height = parse_height(icon.height, style) if icon.height else look.size
        if file:
            width = height
            try:
                path = self._library.get_picture(file)
            except CardgenError as error:
                gone = self._take_gone(error)
            else:
                info = self._read_picture(path)
                width = height * info.width / info.height
        label = None
        if icon.text and not icon.is_picture:
            label = self._make_label(icon, look, style)
        return InlineArt(icon, width, height, look.lift, look.fill, info, label, look.keeps, gone)

    def _make_label(self, icon: Inline, look: IconStyle, style: Style) -> Label:
        """Return the words on an icon: as the text around it, bold and in black or white, unless
        its style says otherwise.
        """
        key = (id(style), look)
        if key not in self._labels:
            colour = choose_ink(look.fill or style.colour)
            changed = style._replace(weight=style.bold, colour=colour, underline=False)
            if look.text:
                changed = self.change_style(changed, look.text)
            self._labels[key] = changed, style
        changed, _ = self._labels[key]
        sized = "size" in self._palette.said.get(look.text, ())
        size = changed.size / style.size if sized else None
        return Label(self.make_block(changed, icon.text), changed, size)

    def get_fonts(self, style: Style) -> _FontsByFace:
        # Found by identity: to hash a style takes longer than to set a short text.
        kept = self._styles.get(id(style))
        if kept is None:
            fonts = _FontsByFace(partial(self._get_font, style))
            kept = self._styles[id(style)] = (style, fonts)
        return kept[1]

    def _get_font(self, style: Style, face: int) -> Font:
        weight = style.bold if face & BOLD else style.weight
        italic = style.italic != bool(face & ITALIC)
        key = (style.fonts, weight, italic, style.features, style.tracking, style.hyphenate is True)
        if key not in self._fonts:
            try:
                self._fonts[key] = self._open_font(style, weight, italic)
            except CardgenError as error:
                problem = error.problems[0]
                if not face or problem.code not in _NO_FACE:
                    raise
                other = self._open_other(style, weight, italic)
                if other is None:
                    raise _refuse_face(problem, face) from error
                self._fonts[key] = other
        return self._fonts[key]

    def _open_other(self, style: Style, weight: int, italic: bool) -> Font | None:
        """Return the first font that has a face which the style's own family lacks."""
        for family in style.fonts[1:]:
            others = (name for name in style.fonts if name != family)
            led = style._replace(fonts=(family, *others))
            try:
                return self._open_font(led, weight, italic)
            except CardgenError as error:
                if error.problems[0].code not in _NO_FACE:
                    raise
        return None

    def _open_font(self, style: Style, weight: int, italic: bool) -> Font:
        first, *others = style.fonts
        hyphenate = partial(find_hyphens, self._language) if style.hyphenate is True else None
        return Font(
            self.shelf.open(first, weight, italic, style.where),
            features=style.features,
            tracking=style.tracking,
            language=self._language,
            hyphenate=hyphenate,
            fallbacks=tuple(
                Font(
                    self.shelf.open_nearest(name, weight, italic, style.where),
                    tracking=style.tracking,
                    language=self._language,
                )
                for name in others
            ),
        )


def _refuse_face(problem: Problem, face: int) -> TextRefusal:
    """Return what is wrong with a text that asks for a face: its style never needs it."""
    marked = " and ".join(
        mark for bit, mark in ((BOLD, "**bold**"), (ITALIC, "*italic*")) if face & bit
    )
    return TextRefusal(
        problem.code,
        f"has {marked}, but {problem.message}",
        f"{problem.hint}; or name one that has it behind the first, as in"
        ' font="Cinzel, Alegreya Sans"',
        problem.details,
    )


def _get_art(piece: InlineIcon) -> InlineArt:
    assert isinstance(piece.art, InlineArt)
    return piece.art


def _scale_edge(style: Style, base: Style) -> Edge | None:
    """Return the line around words with its width in sizes of their text."""
    edge = style.outline
    if edge is not None and edge.width > style.size:
        raise TextRefusal(
            "text/outline-too-broad",
            f"has an outline of {format_pt(edge.width)} around letters of {format_pt(style.size)}",
            "write a narrower one, as in 1pt",
            {"outline": edge.width, "size": style.size},
        )
    return edge and Edge(edge.colour, edge.width / base.size)


def _draw_edges(pieces: Sequence[Piece], dx: float, dy: float) -> Iterator[Item]:
    """Yield the lines around words."""
    for piece in pieces:
        if isinstance(piece, Edged):
            run = piece.run._replace(x=piece.run.x + dx, y=piece.run.y + dy)
            drawn = draw_edge(run, piece.edge)
            if drawn is not None:
                yield drawn


def _draw_rule(rule: Rule, dx: float, dy: float) -> Outline:
    """Return a line of a text, which is printed as the text is."""
    top = rule.y - rule.thickness / 2
    return make_bar(Rect(rule.x + dx, top + dy, rule.width, rule.thickness), rule.colour)
