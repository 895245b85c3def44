"""Fonts as a PDF holds them: words encoded for its content streams, and what was used embedded.

Each word is encoded once. Glyph numbers stay those of the font, so that they are known before it is
subset. Knows nothing of pages or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import uharfbuzz as hb

from cardgen.text.fonts import FontFile
from cardgen.text.kerning import Kerning, pair
from cardgen.text.shaping import Font, Glyph, Word

if TYPE_CHECKING:
    from cardgen.output.objects import File

_ESCAPES = {ord("("): b"\\(", ord(")"): b"\\)", ord("\\"): b"\\\\", 13: b"\\r"}


class Usage(NamedTuple):
    """The glyphs that were used of a font, as plain data that another process can read."""

    family: str
    weight: int
    italic: bool
    texts: dict[int, str]


_TOLD = b"/ActualText"
# From this tracking on, in em, readers may take a word to pieces.
WIDE = 0.05
# So many encoded words of a font are kept for the pages to come, and those of them that are in use
# when there are more.
MOST_ENCODED = 20_000


class Typeface(dict[Word, bytes]):
    """One embedded font, as a dictionary of encoded words.

    An encoded word stands inside a string inside the array of a TJ operator, so that words are
    joined with the code of the space.
    """

    def __init__(self, file: FontFile) -> None:
        super().__init__()
        self.file = file
        self.name = b"F" + file.digest.encode()
        self.raised: set[Word] = set()  # words with glyphs above or below the line
        self._older: dict[Word, bytes] = {}
        self._texts: dict[int, str] = {}
        self._advances: dict[int, int] = {}
        self._codes: dict[int, bytes] = {}
        self._spaces: dict[Font, bytes] = {}
        self._shown: dict[tuple[int, int, str], bytes] = {}  # with the kerning behind them
        self._kerned: dict[Kerning, dict[tuple[str, str], bytes]] = {}
        self._per_mille = 1000 / file.units

    def __missing__(self, word: Word) -> bytes:
        encoded = self[word] = self._older.pop(word, b"") or self._encode(word)
        return encoded

    def forget(self) -> None:
        """Forget the older words where there are too many, and let the present ones become older;
        not while a page is drawn.
        """
        if len(self) > MOST_ENCODED:
            self._older = dict(self)
            self.clear()
            self.raised &= self._older.keys()
            self._shown.clear()

    def make_usage(self) -> Usage:
        return Usage(self.file.family, self.file.weight, self.file.italic, self._texts)

    def add_usage(self, usage: Usage) -> bool:
        """Take in another usage; return False if a glyph stands for another text there."""
        for glyph, text in usage.texts.items():
            self._get_code(glyph)
            if self._texts.setdefault(glyph, text) != text:
                return False
        return True

    def encode_space(self, font: Font, stretch: float) -> bytes:
        """Return the space between two words, made wider by `stretch` em."""
        if not stretch and font in self._spaces:
            return self._spaces[font]
        self._texts[font.space_glyph] = " "
        wider = (font.space - font.space_advance + stretch) * 1000
        code = self._get_code(font.space_glyph)
        shown = code if abs(wider) < 0.5 else b"%b)%d(" % (code, round(-wider))
        if not stretch:
            self._spaces[font] = shown
        return shown

    def encode_raised(self, word: Word, size: float) -> bytes:
        """Return a word encoded for a size, on which glyphs above or below the line depend."""
        plain = self[word]
        if word not in self.raised:
            return plain
        return b"".join(self._spell_out(word.list_glyphs(), size))

    def _encode(self, word: Word) -> bytes:
        if word.glyphs:
            return self._encode_glyphs(word)
        known: dict[tuple[str, str], bytes] | None = None
        if word.kerning is not None:
            known = self._kerned.setdefault(word.kerning, {})
            try:
                return b"".join(map(known.__getitem__, pair(word.text)))
            except KeyError:  # of letters that did not stand side by side before
                pass
        shown = self._shown
        parts: list[bytes] = []
        for glyph in word.list_plain():
            code = shown.get(glyph)
            if code is None:
                number, advance, text = glyph
                code = self._get_code(number)
                if (self._texts.get(number) or self._get_meaning(number, text)) != text:
                    return self._encode_glyphs(word)
                kern = round((self._advances[number] - advance) * self._per_mille)
                code = shown[glyph] = b"%b)%d(" % (code, kern) if kern else code
            parts.append(code)
        if known is not None:
            known.update(zip(pair(word.text), parts, strict=True))
        return b"".join(parts)

    def _encode_glyphs(self, word: Word) -> bytes:
        glyphs = word.list_glyphs()
        if any(glyph[3] for glyph in glyphs):
            self.raised.add(word)
        return b"".join(self._spell_out(glyphs, 1.0))

    def _spell_out(self, glyphs: tuple[Glyph, ...], size: float) -> Iterator[bytes]:
        """Yield cluster by cluster; a text that its glyphs do not tell is added."""
        at = 0
        while at < len(glyphs):
            end = at + 1
            while end < len(glyphs) and not glyphs[end][4]:
                end += 1
            cluster = glyphs[at:end]
            number, text = cluster[0][0], cluster[0][4]
            shown = b"".join(self._show(glyph, size) for glyph in cluster)
            known = self._texts.get(number) or self._get_meaning(number, text)
            if len(cluster) > 1 or known != text:
                shown = tell_text(text, shown)
            yield shown
            at = end

    def _show(self, glyph: Glyph, size: float) -> bytes:
        number, advance, dx, dy, _ = glyph
        code = self._get_code(number)
        kern = round((self._advances[number] - advance + dx) * self._per_mille)
        if dx:
            code = b")%d(%b" % (round(-dx * self._per_mille), code)
        if dy:
            rise = b"%.3f" % (dy / self.file.units * size)
            code = b")]TJ %b Ts[(%b)]TJ 0 Ts[(" % (rise, code)
        return b"%b)%d(" % (code, kern) if kern else code

    def _get_code(self, glyph: int) -> bytes:
        code = self._codes.get(glyph)
        if code is None:
            self._advances[glyph] = self.file.font.get_glyph_h_advance(glyph)
            raw = glyph.to_bytes(2, "big")
            code = self._codes[glyph] = b"".join(_ESCAPES.get(b, bytes([b])) for b in raw)
        return code

    def _get_meaning(self, glyph: int, text: str) -> str:
        """Return the one text that a glyph stands for in the whole file."""
        meaning = self.file.meanings.get(glyph, text)
        if "\ufb00" <= meaning <= "\ufb4f":
            meaning = text  # the code of a ligature; its letters are what one searches for
        self._texts[glyph] = meaning
        return meaning

    def embed(self, file: File) -> int:
        """Add the font's objects; return the number of the one that the resources name."""
        used = sorted(self._advances)
        subset = _subset(self.file, used)
        name = _make_tag(used) + self.file.name.encode()
        widths = b"".join(b"%d[%d]" % (g, self._scale(self._advances[g])) for g in used)
        if self.file.is_cff:
            kind, key, entries = b"CIDFontType0", b"FontFile3", b"/Subtype/CIDFontType0C"
            data = bytes(subset.reference_table("CFF ").data)
        else:
            kind, key = b"CIDFontType2", b"FontFile2"
            data = bytes(subset.blob.data)
            entries = b"/Length1 %d" % len(data)
        program = file.add_stream(data, entries)
        box = b" ".join(b"%d" % self._scale(edge) for edge in self.file.box)
        descriptor = file.add(
            b"<</Type/FontDescriptor/FontName/%b/Flags %d/FontBBox[%b]/ItalicAngle %d/Ascent %d"
            b"/Descent %d/CapHeight %d/StemV %d/%b %d 0 R>>"
            % (
                name,
                4 | (64 if self.file.italic else 0),
                box,
                -12 if self.file.italic else 0,
                self._scale(self.file.box[3]),
                self._scale(self.file.box[1]),
                round(self.file.cap_height * 1000),
                50 + self.file.weight // 8,
                key,
                program,
            )
        )
        descendant = file.add(
            b"<</Type/Font/Subtype/%b/BaseFont/%b/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)"
            b"/Supplement 0>>/FontDescriptor %d 0 R/DW 0/W[%b]%b>>"
            % (
                kind,
                name,
                descriptor,
                widths,
                b"" if self.file.is_cff else b"/CIDToGIDMap/Identity",
            )
        )
        meaning = file.add_stream(_format_meanings(self._texts))
        return file.add(
            b"<</Type/Font/Subtype/Type0/BaseFont/%b/Encoding/Identity-H/DescendantFonts[%d 0 R]"
            b"/ToUnicode %d 0 R>>" % (name, descendant, meaning)
        )

    def _scale(self, units: float) -> int:
        return round(units * self._per_mille)


def tell_text(text: str, shown: bytes) -> bytes:
    """Return glyphs within a line, and the text that they stand for; nothing is told twice."""
    if _TOLD in shown:
        return shown
    meant = text.encode("utf-16-be").hex().upper().encode()
    return b")]TJ/Span<</ActualText<FEFF%b>>>BDC[(%b)]TJ EMC[(" % (meant, shown)


def _subset(file: FontFile, glyphs: list[int]) -> hb.Face:
    chosen = hb.SubsetInput()
    for glyph in glyphs:
        chosen.glyph_set.add(glyph)
    chosen.flags = hb.SubsetFlags.RETAIN_GIDS | hb.SubsetFlags.NOTDEF_OUTLINE
    # The glyphs are chosen already: what shaped them is of no use in a PDF.
    for table in ("GSUB", "GPOS", "GDEF", "cmap", "name", "post", "OS/2", "STAT", "DSIG", "gasp"):
        chosen.drop_table_tag_set.add(int.from_bytes(table.encode(), "big"))
    return hb.subset(file.face, chosen)


def _make_tag(glyphs: list[int]) -> bytes:
    """Return six letters and a plus, which tell subsets of one font apart."""
    from zlib import crc32

    number = crc32(repr(glyphs).encode())
    letters = []
    for _ in range(6):
        number, letter = divmod(number, 26)
        letters.append(65 + letter)
    return bytes(letters) + b"+"


def _format_meanings(texts: dict[int, str]) -> bytes:
    """Return the map from glyphs to the text that they stand for."""
    entries = [
        b"<%04X><%b>" % (glyph, text.encode("utf-16-be").hex().upper().encode())
        for glyph, text in sorted(texts.items())
        if text
    ]
    blocks = [entries[at : at + 100] for at in range(0, len(entries), 100)]
    return (
        b"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        b"/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
        b"/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n"
        b"1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n"
        + b"".join(
            b"%d beginbfchar\n%b\nendbfchar\n" % (len(block), b"\n".join(block)) for block in blocks
        )
        + b"endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    )
