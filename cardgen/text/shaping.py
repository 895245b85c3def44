"""Words shaped into glyphs by HarfBuzz, each distinct word once.

A `Font` is one face with its features, tracking and fallbacks, and keeps the words that it has
shaped; a `Word` is one of them. Widths are in em, so that a word is shaped once for every size.
Knows nothing of lines or pages.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import uharfbuzz as hb

from cardgen.core.errors import Refusal, list_some, shorten
from cardgen.text.fonts import FontFile, open_signs
from cardgen.text.kerning import Kerning, is_latin, pair

if TYPE_CHECKING:
    from pyphen import Pyphen

SOFT_HYPHEN = "\u00ad"
# Some small-text faces have spaces so narrow that programs which read a PDF's text, and tired eyes,
# run words together; both want this much of an em.
NARROWEST_SPACE = 0.18

# A line may end behind a hyphen, dash or slash with three letters or more on both sides: never
# within 4-5, -15 or re-roll. Behind the lines of a name as programs write it, wheel_of_fortune, and
# behind any slash of an address, too.
_JOINT = re.compile(r"(?<=[^\W\d]{3}[-–/])(?=[^\W\d]{3})|(?<=\w—)(?=\w)|(?<=[^\W_]_)(?=[^\W_])")
_JOINT_OF_ADDRESS = re.compile(r"(?<=[\w/]/)(?=\w)|(?<=\w[-_])(?=\w)")
_JOINING = "-–/—_"
_MAY_JOIN = re.compile("[-–—/_\u00ad]")
# At this hyphen no line ends; few fonts hold it, and it looks like the other.
_UNBROKEN_HYPHEN = "\u2011"
_FIGURE, _LONGEST_FIGURE = re.compile(r"[+−–-]?\d{1,3}"), 4
_FROM_RIGHT = re.compile(
    "[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Thai, Lao, Tibetan, Burmese, Khmer; Chinese and Japanese. A few of their letters are a name.
_UNBROKEN = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]{13}"
)
_LETTERS = re.compile(r"[^\W\d_]{5,}")
# With those that ask for a sign as text or as a coloured picture.
_INVISIBLE = {0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF}

# So many letters before a joint may change the width of what follows.
_MOST_BEFORE = 100
# From so many words on it is worth knowing which letters a font only kerns.
_MANY_WORDS = 50
# So many words of a font are kept, and as many that were in use before these.
MOST_WORDS = 20_000

# So many characters are named that no font holds.
_MOST_NAMED = 12
# Used again for every word: making one takes as long as shaping a short word.
_BUFFER = hb.Buffer()
_BUFFER.cluster_level = hb.BufferClusterLevel.MONOTONE_CHARACTERS

# A glyph's number, its advance and offsets (dx, dy) in font units, and the text it stands for. A
# plain tuple: there are many.
Glyph = tuple[int, int, int, int, str]


class Word:
    """A shaped word, or a piece of one; compared by identity, since each is made once.

    Where each glyph stands for one character and is not moved, as in nearly every word, `kerning`
    knows them, or `plain` holds their numbers and then their advances, two bytes each: there are
    many words. Otherwise `glyphs` says all there is.
    """

    __slots__ = ("file", "glyphs", "kerning", "pieces", "plain", "text", "width")

    def __init__(
        self,
        text: str,
        file: FontFile,
        width: float,
        *,
        plain: bytes = b"",
        kerning: Kerning | None = None,
        glyphs: tuple[Glyph, ...] = (),
        pieces: tuple[Piece, ...] = (),
    ) -> None:
        self.text = text
        self.file = file
        self.width = width
        self.plain = plain
        self.kerning = kerning
        self.glyphs = glyphs
        self.pieces = pieces

    def list_plain(self) -> Iterator[tuple[int, int, str]]:
        """Return the number, advance and text of each glyph of a plain word."""
        if self.kerning is not None:
            return self.kerning.list_glyphs(self.text)
        shorts, length = memoryview(self.plain).cast("H"), len(self.text)
        return zip(shorts[:length], shorts[length:], self.text, strict=True)

    def list_glyphs(self) -> tuple[Glyph, ...]:
        """Return every glyph in full."""
        if self.glyphs:
            return self.glyphs
        return tuple((number, advance, 0, 0, part) for number, advance, part in self.list_plain())


def ends_word(word: Word) -> bool:
    """Whether a word ends where it does; a line may also end behind a hyphen within one."""
    last = word.glyphs[-1][4] if word.glyphs else word.text[-1:]
    return last != SOFT_HYPHEN and (
        last not in _JOINING or len(word.text) < 2 or word.text.endswith("__")
    )


class Piece(NamedTuple):
    """A part of a word that is no plain run of one font: it may break, or change the font."""

    word: Word
    font: Font
    start: int
    breaks: bool
    hyphen: bool


class MissingCharacter(Refusal):
    """A character that no font of the chain holds; `others` of the text are named with it."""

    def __init__(
        self, character: str, word: str, fonts: Sequence[str], others: Sequence[str] = ()
    ) -> None:
        name = unicodedata.name(character, "unnamed character")
        self.character, self.word, self.fonts = character, word, fonts
        quoted = [f'"{other}"' for other in others]
        nor = f", nor {list_some(quoted, _MOST_NAMED)}" if others else ""
        super().__init__(
            "text/missing-character",
            f'no font holds "{character}" (U+{ord(character):04X}, {name.lower()})'
            f' in "{word[:30]}"{nor}; tried: {", ".join(fonts)}',
            f"choose a font that has {'them' if others else 'it'}, or add one to the style's fonts",
            {"characters": (character, *others), "fonts": tuple(fonts)},
        )


class UnsupportedScript(MissingCharacter):
    """A text in a script whose order or line breaks are not supported, whatever fonts hold it."""

    def __init__(self, character: str, word: str, why: str) -> None:
        script = unicodedata.name(character, "unknown").split()[0].lower()
        self.character = character
        Refusal.__init__(
            self,
            "text/unsupported-script",
            f'"{shorten(word, 30)}" holds "{character}" (U+{ord(character):04X}, {script}): {why},'
            " which is not supported yet",
            "write it in another script, or put it on the card as a picture",
            {"character": character, "script": script},
        )


def _check_script(text: str) -> None:
    """Refuse what would be printed in the wrong order, or could not be broken into lines."""
    if found := _FROM_RIGHT.search(text):
        raise UnsupportedScript(found[0], text, "its letters run from right to left")
    if found := _UNBROKEN.search(text):
        raise UnsupportedScript(found[0][0], text, "it is broken into lines without blanks")


class Font(dict[str, Word]):
    """One face at given features and tracking, as a dictionary of the words it has shaped.

    Where they are too many, those that have not been used for long are forgotten.
    """

    def __init__(
        self,
        file: FontFile,
        *,
        features: tuple[tuple[str, int], ...] = (),
        tracking: float = 0.0,
        fallbacks: tuple[Font, ...] = (),
        language: str = "en",
        hyphenate: Callable[[str], tuple[int, ...]] | None = None,
    ) -> None:
        super().__init__()
        self.file = file
        self.features = dict(features)
        self.tracking = tracking
        self.fallbacks = fallbacks
        self.language = language
        self._hyphenate = hyphenate
        self._kerning: Kerning | None = None
        self._older: dict[str, Word] = {}
        self._joined: dict[str, Word] = {}
        space = self.file.font.get_nominal_glyph(32)
        self.space_glyph = int(space or 0)
        advance = self.file.font.get_glyph_h_advance(self.space_glyph) / self.file.units
        self.space_advance = float(advance) + tracking
        self.space = max(self.space_advance, NARROWEST_SPACE + tracking)
        self.compounds: set[str] = set()  # the words among them that have pieces
        self.figures: set[str] = set()  # and those that are short numbers
        # Behind other words it leaves a trailing space in the PDF's text.
        self.ending = Word("", file, 0.0)
        self._letters = frozenset(map(chr, file.characters | _INVISIBLE))
        if "-" in self._letters:
            self._letters |= {_UNBROKEN_HYPHEN}

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __missing__(self, text: str) -> Word:
        if len(self) >= MOST_WORDS:
            self._turn_over()
        word = self._older.pop(text, None) or self._make(text)
        self[text] = word
        if len(text) <= _LONGEST_FIGURE and _FIGURE.fullmatch(text):
            self.figures.add(text)
        return word

    def _turn_over(self) -> None:
        """Forget the older words; the present ones become older."""
        self._older = dict(self)
        self.clear()
        self._joined.clear()
        self.compounds &= self._older.keys()
        self.figures &= self._older.keys()

    def shape(self, text: str) -> Word:
        """Shape a text in this face alone, whatever characters it lacks."""
        kerning = self._kerning
        if kerning is not None and is_latin(text):
            try:
                return self._sum_up(text, kerning)
            except KeyError:  # of letters that did not stand side by side before, or are not known
                pass
        buffer = _BUFFER
        buffer.clear_contents()
        buffer.add_str(text if text.isascii() else text.replace(_UNBROKEN_HYPHEN, "-"))
        buffer.guess_segment_properties()
        buffer.language = self.language
        hb.shape(self.file.font, buffer, self.features)
        infos, positions = buffer.glyph_infos, buffer.glyph_positions
        advances = [at.x_advance for at in positions]
        width = sum(advances) / self.file.units + self.tracking * len(advances)
        if len(infos) == len(text) and text.isascii() and self.file.keeps_places:
            numbers = [info.codepoint for info in infos]
            try:
                plain = array("H", numbers + advances)
            except OverflowError:  # of an advance that is very wide, or goes back
                pass
            else:
                if kerning is not None:
                    kerning.learn(text, numbers, advances)
                elif len(self) >= _MANY_WORDS:
                    self._kerning = Kerning(
                        self.file.font, self.features, self.language, self._letters
                    )
                return Word(text, self.file, width, plain=plain.tobytes())
        glyphs = zip(
            [info.codepoint for info in infos],
            advances,
            [at.x_offset for at in positions],
            [at.y_offset for at in positions],
            _split_clusters(text, [info.cluster for info in infos]),
            strict=True,
        )
        return Word(text, self.file, width, glyphs=tuple(glyphs))

    def _sum_up(self, text: str, kerning: Kerning) -> Word:
        """Return a word whose letters are only kerned; a KeyError tells of any other."""
        advances = list(map(kerning.__getitem__, pair(text)))
        width = sum(advances) / self.file.units + self.tracking * len(advances)
        return Word(text, self.file, width, kerning=kerning)

    def join(self, text: str, *, hyphen: bool) -> Word:
        """Return the pieces of a broken word as one; an added hyphen is no text of the card."""
        key = text + (SOFT_HYPHEN if hyphen else "")
        if key not in self._joined:
            word = self.shape(text + "-" if hyphen else text)
            if hyphen:
                *glyphs, (number, advance, dx, dy, _) = word.list_glyphs()
                glyphs.append((number, advance, dx, dy, SOFT_HYPHEN))
                word = Word(text, self.file, word.width, glyphs=tuple(glyphs))
            self._joined[key] = word
        return self._joined[key]

    def holds(self, character: str) -> bool:
        """Return whether the face itself can show a character."""
        return character in self._letters

    def list_held(self, characters: set[str]) -> set[str]:
        """Return those of the characters that the face itself can show."""
        return characters & self._letters

    def name_lacking(self, error: MissingCharacter, text: str) -> MissingCharacter:
        """Return an error that names all of a text's characters that no font of the chain holds."""
        if isinstance(error, UnsupportedScript):
            return error
        fonts = (self, *self.fallbacks, self._signs)
        asked = (one for one in dict.fromkeys(text) if not one.isspace() and one != error.character)
        others = [one for one in asked if not any(font.holds(one) for font in fonts)]
        return MissingCharacter(error.character, error.word, error.fonts, others)

    def _make(self, text: str) -> Word:
        if self._kerning is not None and self._hyphenate is None and text.isalpha():
            try:  # first, since most words are such
                return self._sum_up(text, self._kerning)
            except KeyError:
                pass
        if not text.isascii():
            _check_script(text)
        plain = self._letters.issuperset(text)
        joints = self._find_joints(text)
        if plain and not joints:
            return self.shape(text)
        self.compounds.add(text)
        pieces = tuple(self._split(text, joints))
        width = sum(piece.word.width for piece in pieces)
        return Word(text.replace(SOFT_HYPHEN, ""), self.file, width, pieces=pieces)

    def _find_joints(self, text: str) -> dict[int, bool]:
        """Return where a line may end within the word, and whether a hyphen is added there."""
        if self._hyphenate is None and (text.isalpha() or not _MAY_JOIN.search(text)):
            return {}
        is_address = "://" in text
        joint = _JOINT_OF_ADDRESS if is_address else _JOINT
        joints = {match.start(): False for match in joint.finditer(text)}
        if SOFT_HYPHEN in text:
            joints |= {i + 1: True for i, c in enumerate(text) if c == SOFT_HYPHEN}
        elif self._hyphenate is not None and not is_address:
            joints = dict.fromkeys(self._hyphenate(text), True) | joints
        return {at: hyphen for at, hyphen in joints.items() if 0 < at < len(text)}

    def _split(self, text: str, joints: dict[int, bool]) -> list[Piece]:
        pieces: list[Piece] = []
        at = 0
        before, measured = "", 0.0  # what stands before in the same font, and how wide it is
        for end in [*sorted(joints), len(text)]:
            part = text[at:end].replace(SOFT_HYPHEN, "")
            runs = self._split_by_font(part, text)
            for number, (font, run) in enumerate(runs):
                last = number == len(runs) - 1
                breaks = last and end < len(text)
                word = font.shape(run)
                if number or (pieces and pieces[-1].font is not font):
                    before, measured = "", 0.0
                if before:
                    # Kerning across the joint counts, so that the unbroken word has its room.
                    whole = font.shape(before + run).width
                    word.width = max(word.width, whole - measured)
                before, measured = before + run, measured + word.width
                if len(before) > _MOST_BEFORE:
                    before, measured = run, word.width
                pieces.append(Piece(word, font, at, breaks, breaks and joints[end]))
            at = end
        if pieces:  # behind which there may be soft hyphens, and nothing to break off
            pieces[-1] = pieces[-1]._replace(breaks=False, hyphen=False)
        return pieces

    @cached_property
    def _signs(self) -> Font:
        """The font that stands in where no other has a sign."""
        return Font(open_signs(), tracking=self.tracking, language=self.language)

    def _split_by_font(self, part: str, whole: str) -> list[tuple[Font, str]]:
        runs: list[tuple[Font, str]] = []
        for character in part:
            mark = unicodedata.combining(character) or ord(character) in _INVISIBLE
            if runs and (mark or runs[-1][0] is self) and runs[-1][0].holds(character):
                font = runs[-1][0]
            else:
                font = self._get_font(character, whole)
            if runs and runs[-1][0] is font:
                runs[-1] = (font, runs[-1][1] + character)
            else:
                runs.append((font, character))
        return runs

    def _get_font(self, character: str, whole: str) -> Font:
        for font in (self, *self.fallbacks):
            if font.holds(character):
                return font
        if self._signs.holds(character):
            return self._signs
        tried = [font.file.family for font in (self, *self.fallbacks)]
        raise MissingCharacter(character, whole, tried)


def _split_clusters(text: str, clusters: list[int]) -> list[str]:
    """Return the text of each glyph: the first of a cluster stands for all of it."""
    if clusters == list(range(len(text))):
        return list(text)
    bounds = sorted({*clusters, len(text)})
    ends = dict(pairwise(bounds))
    taken: set[int] = set()
    parts = []
    for cluster in clusters:
        parts.append("" if cluster in taken else text[cluster : ends[cluster]])
        taken.add(cluster)
    return parts


# Hyphenation

# A Finnish syllable begins with the consonant before a vowel; no dictionary is needed, or there.
_FINNISH = re.compile(r"(?<=\w\w)(?=[b-df-hj-np-tv-xzšž][aeiouyåäö]\w?)", re.IGNORECASE)


def find_hyphens(language: str, word: str) -> tuple[int, ...]:
    """Return the places in a word, punctuation around it left out, where it may be hyphenated."""
    match = _LETTERS.search(word)
    if match is None:
        return ()
    if language.partition("-")[0].lower() == "fi":
        return tuple(match.start() + found.start() for found in _FINNISH.finditer(match[0]))
    dictionary = _open_dictionary(language)
    if dictionary is None:
        return ()
    return tuple(match.start() + int(at) for at in dictionary.positions(match[0]))


@lru_cache(maxsize=8)
def _open_dictionary(language: str) -> Pyphen | None:
    import pyphen

    known = pyphen.language_fallback(language.replace("-", "_"))
    return pyphen.Pyphen(lang=known) if known else None


def is_torn(word: set[str], held: set[str]) -> bool:
    """Whether a family holds some letters of a word and lacks others of the same script."""
    lacking = {letter for letter in word - held if letter.isalpha()}
    return not _list_scripts(lacking).isdisjoint(_list_scripts(word & held))


def _list_scripts(letters: Iterable[str]) -> set[str]:
    """Return the scripts of letters, as the first words of their names say them."""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in letters}
