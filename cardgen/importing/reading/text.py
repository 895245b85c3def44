"""Reads a plain text or a Markdown text as blocks, a line each.

Both are read alike: people write stars in .txt, and a scan saved as .md has none. Also read are the
signs of wikis ('''bold''', == heading ==) and the simplest of HTML. Knows nothing of cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import pairwise

from cardgen.importing.model import (
    BOLD,
    CODE,
    CONTENTS,
    FRONT_MATTER,
    HEADER,
    ITALIC,
    LIGATURES,
    Block,
    Kind,
    Place,
    Styled,
)
from cardgen.importing.reading.chat import cut_stamps
from cardgen.importing.reading.columns import order_columns
from cardgen.importing.reading.comma_rows import draw_comma_rows
from cardgen.importing.reading.html_within import join_html_rows, part_items, write_terms
from cardgen.importing.reading.wiki_tables import join_wiki_rows, number_wiki_items

_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|(?=[^\s\d#]))(?=\S)(?!\d+\W*$)(.*?)[ \t]*#*$")
_WIKI_HEADING = re.compile(r"(={1,6})[ \t]*([^=\s].*?)[ \t]*\1$")
_CELL_GAP = re.compile(r"\S(?:\t| {2,})(?=\S)")
_TEMPLATE_VALUE = re.compile(r"\|\s*([\w ]{1,30}?)\s*=\s*(\S.*)")
_FIELD = re.compile(r":([^:\s][^:]{0,30}):(?:\s+(.*)|$)")
_TERM = re.compile(r";\s*(?=[^\W_])(.+?)(?:\s+:\s+(.+)|:(?=\s|$)\s*(.*))?$")
_UNDERLINES = '=-~^"+*'  # the signs that underline a heading, the highest first
_UNDERLINE = re.compile(rf"([{re.escape(_UNDERLINES)}])\1*$")
_WIDE_GAP = re.compile(r"\S {3,}\S")
_RULE = re.compile(r"(?:(?:[ \t]*[-*_=~#+•%]){3,}|%|(?:\.[ \t]?){10,})[ \t]*$")
_BOX = r"\[[ xX]\]"  # to be ticked off
_LISTED = re.compile(r"(?:\d{1,3}[.)]|[-*+])\s+(?=#{1,6}\s)")  # "1. ### Rye Loaf"
_CLOSE_ITEM = re.compile(r"\*(?=[^\s*][^*]*$)")  # "*(S) - Jump", which no star closes
_ITEM = re.compile(
    rf"(?:(?:[-*+•●▪◦‣·■□▶►▷➤➢❖]|\[\*\]|o(?= {{2}}|\t| [A-Z]))(?:[ \t]+{_BOX})?|{_BOX})[ \t]+(?=\S)"
    r"|\[\*\](?=\S)"
)
_FIGURES = re.compile(r"-(?:\s{2,}[\d+/-]+){2,}")  # of a row whose first value is none
_TABLE_LINE = re.compile(
    r"\|?(?:[ \t]*(?:-{2,}:?|:-+:?|-:)[ \t]*\|)*(?:[ \t]*(?:-{2,}:?|:-+:?|-:))?$"
)
_DASHES = re.compile(r"\|(?:[ \t]*-+[ \t]*\|)+\s*")  # below the first row alone
_BOXED = str.maketrans("│┃║", "|||")
_BOX_LINE = re.compile(r"(?:\+(?:[-=]+\+)+|[┌┏╔├┣╠╟╞└┗╚][─━═┄┬┳╦╤┼╋╬╪┴┻╩╧┐┓╗┤┫╣╢╡┘┛╝]+)$")
_WIKI_TABLE = re.compile(r"\{\|.*|\|[-}+].*$")
_PIPE = re.compile(r"(?<!\\)\|")
_OUTER_PIPES = re.compile(r"^\|+|(?<!\\)\|+$")
_QUOTE = re.compile(r"(?:>[ \t]?)+")
_CALLOUT = re.compile(r"\[![\w-]+\][-+]?[ \t]*(?=(.?))")  # what notes frame, with a title or none
_LOWEST = "######"  # a heading below all others
_EMPHASIS = re.compile(
    r"\\([\\*_#|>\-+.!`\[\](){}'\"~$^<&@=:;%/,?])|(\*{1,3}|'{2,5}|(?<!\w)_{1,3}(?=[^\W_])|(?<=[^\s_])_{1,3}(?!\w))"
)
_HTML = re.compile(
    r"[<\[](/?)(b|strong|i|em|summary)[>\]]|<br ?/?>|</?(?:p|div|span|u|sup|sub|center|"
    r"details|small|big|font|mark|kbd|code|abbr|cite|ins|del|a|ul|ol|li|table|tr|td|th|img)"
    r"\b[^<>]*>|"
    r"\[/?(?:u|s|url|colou?r|size|font|center|quote|list|spoiler|img|code)(?:=[^\]]*)?\]",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[\\\\*_<\[]|''")
_TAGS = re.compile(r"(?:#[a-z][\w/-]*\s*)+")  # of a note, which begin with small letters
_SUMMARY = re.compile(
    r"(?:<details\b[^<>]*>\s*)?<summary\b[^<>]*>\s*(\S.*?)\s*</summary>", re.IGNORECASE
)
_TAGGED = re.compile(r"<h([1-6])(?:\s[^<>]*)?>(.+?)</h\1>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{2,5}|#x[\da-f]{2,5});", re.IGNORECASE)
_WIKI_LINK = re.compile(
    r"\[\[(?!file:|image:|category:)(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]", re.IGNORECASE
)
_WIKI_PICTURE = re.compile(
    r"\[\[(?:file|image|datei|bild|fichier|bestand|archivo|plik|fil):[^\[\]]*\]\]", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"<ref\b[^<>]*(?:/>|>.*?</ref>)|\[\^\w+\](?!:)", re.IGNORECASE)
_BROKEN_OFF = re.compile(r"(?<!\\)\\[ \t]*$")
_QUOTED_CODE = re.compile(r"(?<!`)`(?=\S)([^`]+?)(?<=\S)`(?!`)")
_CODE = re.compile(r"(?:`[^`]+`[ \t]*){2,}$|`[^`:]{1,30}:\s[^`]+`$")
_ANCHOR = re.compile(r"\s*\{[#.][^{}]*\}\s*$")
_BREAK = re.compile(r"\r\n?|\u2028")
_BROKEN = re.compile(r"(?<=\S)(?:[ \t]*<br ?/?>|\\\\(?=\s|$))[ \t]*", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->")
_REFERENCE = re.compile(
    r"^ {0,3}\[([^\[\]\n^]{1,80})\]: *<?(?:https?://|\.{0,2}/|#)\S*.*$", re.MULTILINE
)
_REFERRING = re.compile(r"(?<!!)\[([^\[\]]{1,200})\]\[([^\[\]\n]{0,80})\]")
_ADDRESS = r"\((?:[^()\s]|\([^()]*\))+(?:\s+\"[^\"\n]*\")?\)"  # with a title, or without
_LINK = re.compile(rf"(?<!!)\[([^\[\]]+)\]{_ADDRESS}")
_PICTURE = re.compile(rf"!\[([^\[\]]*)\]{_ADDRESS}(?:\{{[^{{}}]*\}})?")
_LINK_ON = re.compile(rf"(?<!!)\[([^\[\]\n]+\n[^\[\]\n]+)\]{_ADDRESS}")  # that goes on
_CONTENTS = re.compile(r"(?:\d{1,3}[.)]\s+)?\[[^\[\]]+\]\(#(?:[^()\s]|\([^()]*\))*\)")
_FACES = {
    "*": (0, ITALIC, BOLD, BOLD | ITALIC),
    "_": (0, ITALIC, BOLD, BOLD | ITALIC),
    "'": (0, 0, ITALIC, BOLD, BOLD, BOLD | ITALIC),
}
# A star that opens nothing would make bold all that follows.
_WIKI = "="  # the sign of a wiki's headings
_MANY = 5
_TITLED = re.compile(r"[^\W\d_][\w -]{0,30}:(?=\s|$)")
_LONGEST_HEAD = 30
_FENCE = re.compile(r"`{3,}(?!statblock)\w[\w+#.-]*")  # what follows is written in a language
_STAT_BLOCK = "```statblock"
_DESCRIBED = ("desc", "description", "text")
_LONGEST_BOLD_LINES = 3


def read_text_blocks(text: str, file: str) -> list[Block]:
    """Return the lines of a text in the order in which one reads them, but for empty ones."""
    whole = _cut_references(_BREAK.sub("\n", text.replace("\u2029", "\n\n")))
    ordered = cut_stamps(order_columns(draw_comma_rows(whole.split("\n"))))
    lines = number_wiki_items(join_wiki_rows(join_html_rows(part_items(write_terms(ordered)))))
    blocks: list[Block] = []
    gap = 1
    fenced = False
    page: int | None = 1 if "\f" in text else None
    for number, raw in lines:
        place = Place(file, number, page)
        parts = raw.split("\f")
        for count, part in enumerate(parts):
            if count:
                page = (page or 1) + 1
                place = Place(file, number, page)
                blocks.append(Block(Styled.of(""), place, "page"))
                gap = 1
            fence = bool(_FENCE.fullmatch(part.strip()) or (fenced and part.strip() == "```"))
            fenced ^= fence
            if not part.strip() or fence:
                gap += not count
                continue
            if fenced:
                indent = len(part) - len(part.lstrip())
                blocks.append(
                    Block(Styled.of(part.strip()), place, gap=gap, indent=indent, mark=CODE)
                )
                gap = 0
                continue
            for one in [part] if part.lstrip()[:1] in ("|", "^", "!") else _BROKEN.split(part):
                if one.strip():
                    before = len(blocks)
                    _add(blocks, one.rstrip(), place, gap)
                    gap = 0 if len(blocks) > before else gap
    return list(_read_emphasis(_mark_front_matter(_turn_levels(blocks))))


def _cut_references(text: str) -> str:
    """Return a text whose links name their addresses at its end, as "[Rules][2]", without both, nor
    links that go on in the next line.
    """
    text = _LINK_ON.sub(r"\1", text)
    ids = {match[1].casefold() for match in _REFERENCE.finditer(text)}
    if not ids:
        return text

    def cut(match: re.Match[str]) -> str:
        return match[1] if (match[2] or match[1]).casefold() in ids else match[0]

    return _REFERRING.sub(cut, _REFERENCE.sub("", text))


def _turn_levels(blocks: list[Block]) -> list[Block]:
    """Turn the levels of headings in those wikis that give the highest the most signs."""
    signs = [block.level for block in blocks if block.mark == _WIKI]
    if not signs or signs[0] < max(*signs, _MANY):
        return blocks
    return [
        replace(block, level=7 - block.level) if block.mark == _WIKI else block for block in blocks
    ]


def _mark_front_matter(blocks: list[Block]) -> list[Block]:
    """Mark the lines between two rules at the head of a Markdown text, which describe the file.

    Where several texts stand in one, each with such a head, these describe cards.
    """
    heads = list(_list_heads(blocks))
    stats = [head for head in heads if blocks[head[0]].mark.strip().startswith(_STAT_BLOCK)]
    if stats:
        return _turn_heads(blocks, stats)
    if not blocks or blocks[0].kind != "rule" or blocks[0].place.line > 1:
        return blocks
    if len(heads) > 1:
        return _turn_heads(blocks, heads)
    end = next((at for at, block in enumerate(blocks[1:], 1) if block.kind == "rule"), 0)
    sign = "=" if blocks[0].mark.startswith("+") else ":"
    described = (sign in b.text or b.indent or b.kind != "line" for b in blocks[1:end])
    if not 1 < end <= _LONGEST_HEAD or not all(described) or sign not in blocks[1].text:
        return blocks
    head = [replace(block, kind="line", mark=FRONT_MATTER) for block in blocks[1:end]]
    return [blocks[0], *head, *blocks[end:]]


def _list_heads(blocks: list[Block]) -> Iterator[tuple[int, int]]:
    """Yield where the heads of texts begin and end, each between two rules, with a title in it."""
    rules = [at for at, block in enumerate(blocks) if block.kind == "rule"]
    ended = -1
    for start, end in pairwise(rules):
        inside = blocks[start + 1 : end]
        told = inside and all(
            _TITLED.match(b.text) or b.indent or b.kind in ("item", "heading") for b in inside
        )
        if start > ended and told and any(_is_title(block) for block in inside):
            yield start, end
            ended = end


def _is_title(block: Block) -> bool:
    return block.text.partition(":")[0].strip().lower() in ("title", "name")


def _turn_heads(blocks: list[Block], heads: list[tuple[int, int]]) -> list[Block]:
    """Return several texts in one as chapters: the title of each a heading, the rest labels."""
    levels = [block.level for block in blocks if block.kind == "heading"]
    below = max(0, 3 - min(levels, default=3))  # their own headings stand below their titles
    turned = {
        at: replace(block, level=block.level + below) if block.kind == "heading" else block
        for at, block in enumerate(blocks)
    }
    for start, end in heads:
        inside = range(start + 1, end)
        title = next(at for at in inside if _is_title(blocks[at]))
        for at in inside:
            if blocks[at].kind == "heading":  # a remark, in such a head
                turned[at] = replace(blocks[at], kind="line", mark=FRONT_MATTER)
                continue
            label, _, value = blocks[at].text.partition(":")
            bare = value.strip().strip("\"'")
            text = bare if at == title else f"**{label.strip()}:** {bare}"
            if blocks[at].kind == "item" and _is_title(blocks[at]):
                text = f"**{bare}.**"
            elif label.strip() in _DESCRIBED and blocks[at - 1].kind == "item":
                entry = turned[at - 1]  # a trait or an attack, with its name above
                content = Styled.of(f"{entry.text} {bare}")
                turned[at - 1] = replace(
                    entry, content=content, sources=(*entry.lines, *blocks[at].lines)
                )
                del turned[at]
                continue
            turned[at] = replace(blocks[at], content=Styled.of(text), gap=0)
        turned[start] = replace(turned[title], kind="heading", level=2, gap=1)
        del turned[title], turned[end]
    return [block for _, block in sorted(turned.items())]


def _add(blocks: list[Block], raw: str, place: Place, gap: int) -> None:
    said = _COMMENT.sub("", raw)
    raw = _BROKEN_OFF.sub("", said if said.strip() else raw).translate(LIGATURES)
    bare = _WIKI_PICTURE.sub("", raw)
    raw = bare if bare.strip(" |!") else raw
    raw = _drop_pictures(_WIKI_LINK.sub(r"\1", _FOOTNOTE.sub("", raw)))
    line = _ENTITY.sub(
        lambda match: unescape(match[0]).replace("\u00a0", " "),
        raw.expandtabs(4) if "\t" in raw[:8] and not raw.strip().count("\t") else raw,
    )
    bare = line.lstrip()
    indent = len(line) - len(bare)
    if not bare:
        return  # a footnote, or a blank that is written out
    quoted = _QUOTE.match(bare)
    if quoted:
        bare = bare[quoted.end() :].strip()
        if callout := _CALLOUT.match(bare):
            bare = f"{_LOWEST} {bare[callout.end() :]}" if callout[1] else ""
        if not bare:
            return
    previous = blocks[-1] if blocks else None
    if previous and not gap and _underlines(bare, previous):
        blocks[-1] = replace(previous, kind="heading", level=_UNDERLINES.index(bare[0]) + 1)
        return
    if bare[0] in "│┃║":
        bare = bare.translate(_BOXED)
    first = previous and previous.cells and (len(blocks) < 2 or not blocks[-2].cells)
    if _BOX_LINE.match(bare):
        if previous and first and not gap:
            blocks[-1] = replace(previous, mark=HEADER)
        return
    if _RULE.fullmatch(bare) or bare == "--" or _is_fence(bare, blocks):
        blocks.append(Block(Styled.of(""), place, "rule", gap=gap, mark=line.rstrip()))
        return
    drawn = _TABLE_LINE.fullmatch(bare) or (first and not gap and _DASHES.fullmatch(bare))
    if "|" in bare and drawn:
        if previous and not gap and "|" in previous.text and previous.kind in ("line", "row"):
            header = previous.cells or _split_cells(previous.text)
            blocks[-1] = replace(previous, kind="row", cells=header, mark=HEADER)
        return
    if _CODE.fullmatch(bare):
        bare = " · ".join(part for part in bare.split("`") if part.strip())
    if summed := _SUMMARY.fullmatch(bare):
        bare = f"{_LOWEST} {_HTML.sub('', summed[1])}"
    if tagged := _TAGGED.fullmatch(bare):
        bare = f"{'#' * int(tagged[1])} {tagged[2]}"
    kind: Kind = "line"
    level = 0
    cells: tuple[Styled, ...] = ()
    mark = ""
    listed = _LISTED.match(bare)
    heading = _HEADING.fullmatch(bare, listed.end() if listed else 0)
    heading = heading or _WIKI_HEADING.fullmatch(bare)
    heading = None if _TAGS.fullmatch(bare) else heading
    if heading and len(_CELL_GAP.findall(heading[2])) < 2:
        kind, level, bare = "heading", len(heading[1]), _ANCHOR.sub("", heading[2])
        mark = _WIKI if heading[1][0] == _WIKI else ""
    elif value := _TEMPLATE_VALUE.fullmatch(bare) or _FIELD.fullmatch(bare):
        bare = f"{value[1]}: {value[2] or ''}"
    elif term := _TERM.fullmatch(bare):
        said = term[2] or term[3]
        bare = f"**{term[1].strip()}:** {said}" if said else f"**{term[1].strip()}**"
        mark = ";"
    elif bare[0] == ":" and previous and previous.mark in (";", ":") and bare.strip(": "):
        bare, mark = bare.lstrip(": "), ":"
    elif _WIKI_TABLE.match(bare):
        return
    elif bare[0] == "^" and bare[-1] in "^|" and len(bare) > 1:
        mark = HEADER if "|" not in bare else ""
        kind, cells = "row", _split_cells(bare.replace("^", "|"))
    elif bare[0] in "|!" and bare[0] * 2 in bare[1:-1]:
        kind, parts = "row", bare[1:].split(bare[0] * 2)
        mark = HEADER if bare[0] == "!" else ""
        cells = tuple(Styled.of(cell.strip()) for cell in parts)
    elif "|" in bare and (
        (bare.count("|") >= 2 and bare[0] == "|")
        or (previous and previous.cells and not gap and "|" in previous.text)
    ):
        kind, cells = "row", _split_cells(bare)
    elif bare.count("\t") >= 1:
        parts = re.split(r"\t" if bare.count("\t") > 1 else r"\t+", bare)
        kind, cells = "row", tuple(Styled.of(cell.strip()) for cell in parts)
    elif (item := _ITEM.match(bare) or _CLOSE_ITEM.match(bare)) and not _FIGURES.fullmatch(bare):
        kind, mark, bare = "item", bare[0], bare[item.end() :]
    if _CONTENTS.fullmatch(bare.strip()):
        mark = CONTENTS
    if bare.strip():
        gap = max(gap, int(bare.lower().startswith("<tr")))
        content = Styled.of(bare)
        blocks.append(Block(content, place, kind, level, gap, indent, cells=cells, mark=mark))


def _drop_pictures(line: str) -> str:
    """Return a line without the pictures in it: in a text stands what they show, in a heading not.

    One that is nothing but pictures stays as it is.
    """
    if "![" not in line or not _HTML.sub("", _PICTURE.sub("", line)).strip():
        return line
    if line.lstrip().startswith("#"):
        return _PICTURE.sub("", line).replace("()", "").rstrip()
    return _PICTURE.sub(r"\1", line)


def _is_fence(line: str, blocks: list[Block]) -> bool:
    """Tell whether a line begins or ends a stat block that a note holds as data."""
    if line != "```":
        return line.startswith(_STAT_BLOCK)
    rule = next((block for block in reversed(blocks) if block.kind == "rule"), None)
    return rule is not None and rule.mark.strip().startswith(_STAT_BLOCK)


def _split_cells(text: str) -> tuple[Styled, ...]:
    drawn = " _" if "___" in text else None  # "|____EFFECT____|"
    return tuple(Styled.of(cell.strip(drawn)) for cell in _PIPE.split(_OUTER_PIPES.sub("", text)))


def _underlines(line: str, above: Block) -> bool:
    """Tell whether a line of signs makes a heading of the line above it."""
    return (
        above.kind == "line"
        and (above.gap > 0 or abs(len(line) - len(above.text)) < 2)
        and len(line) >= max(3, len(above.text) - 2)
        and len(above.text) < 70
        and (abs(len(line) - len(above.text)) < 2 or not above.text.endswith((".", ",")))
        and not _WIDE_GAP.search(above.text)
        and bool(_UNDERLINE.fullmatch(line))
    )


def _read_emphasis(blocks: list[Block]) -> Iterator[Block]:
    """Take out the signs of bold and italic; what they open may close some lines below."""
    face = 0
    for place, block in enumerate(blocks):
        if block.gap or block.kind != "line":
            face = 0
        plain = not (face or block.cells or _SIGN.search(block.text) or "`" in block.text)
        if block.mark in (FRONT_MATTER, CODE) or (plain and block.text == block.text.strip()):
            yield block
            continue
        if block.cells:
            yield replace(
                block,
                content=_scan(block.text, 0)[0],
                cells=tuple(_scan(c.text, 0)[0] for c in block.cells),
            )
            continue
        content, after = _scan(block.text, face)
        if after and not _closes(blocks, place, after):
            content, after = _scan(block.text, face, broken=True)
        face = after
        if content.text.strip():
            yield replace(block, content=content.strip())
        elif block.kind in ("rule", "page"):
            yield block


def _closes(blocks: list[Block], place: int, face: int) -> bool:
    """Tell whether a face that is open at the end of a line is closed in one of the next few."""
    for block in blocks[place + 1 : place + 1 + _LONGEST_BOLD_LINES]:
        if block.gap or block.kind != "line":
            return False
        face = _scan(block.text, face)[1]
        if not face:
            return True
    return False


def _scan(text: str, face: int, broken: bool = False) -> tuple[Styled, int]:
    """Return a line without its signs, and the face that is still open at its end."""
    text = _QUOTED_CODE.sub(r"\1", text)
    if not _SIGN.search(text):
        return Styled.of(text, face), face
    text = _LINK.sub(r"\1", text)
    letters: list[str] = []
    marks: list[str] = []

    def add(part: str) -> None:
        letters.append(part)
        marks.append(str(face) * len(part))

    position = 0
    tokens = sorted(
        [*_EMPHASIS.finditer(text), *_HTML.finditer(text)], key=lambda match: match.start()
    )
    pairs = len(tokens)
    for match in tokens:
        if match.start() < position:
            continue
        add(text[position : match.start()])
        position = match.end()
        if match.re is _HTML:
            if match[2]:
                bit = ITALIC if match[2].lower() in ("i", "em") else BOLD
                face = face & ~bit if match[1] else face | bit
            elif match[0].lower().startswith("<br"):
                add(" ")
            elif match[0].lower().startswith(("<td", "<th")) and "".join(letters).strip():
                add("   ")
        elif match[1]:
            add(match[1])
        elif match[2][0] == "'" and (len(match[2]) < 3 and pairs < 2):
            add(match[2])
        elif broken and match is tokens[-1]:
            add("" if match[2][0] == "*" and len(match[2]) > 1 else match[2])
            face &= 0
        elif _is_sign(text, match):
            face ^= _FACES[match[2][0]][len(match[2])]
        else:
            add(match[2])
    add(text[position:])
    return Styled("".join(letters), _close_gaps("".join(letters), "".join(marks))), face


def _close_gaps(text: str, marks: str) -> str:
    """Give a blank between two parts of one face, as "**RING OF** **POWER**", that face too."""
    if marks == marks[:1] * len(marks):
        return marks
    faces = list(marks)
    for gap in re.finditer(r"(?<=\S)\s+(?=\S)", text):
        if marks[gap.start() - 1] == marks[gap.end()]:
            faces[gap.start() : gap.end()] = marks[gap.end()] * len(gap[0])
    return "".join(faces)


def _is_sign(text: str, match: re.Match[str]) -> bool:
    """Tell a sign from a star: one with blanks on both sides, or between figures, is a star."""
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    if len(match[2]) > 1:
        return True
    if (not before or before.isspace()) and (not after or after.isspace()):
        return False
    return not (before.isdigit() and after.isdigit())


def read_line(text: str) -> Styled:
    """Return one line by itself, its emphasis read."""
    content, face = _scan(text, 0)
    return _scan(text, 0, broken=True)[0] if face else content
