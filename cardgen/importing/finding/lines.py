"""Lines as a reader sees them: how each is printed, and which of them may begin with a name.

A line's signature is what it shares with others that stand for the same thing: heading level, size,
face, capitals, number, list mark, what follows the name. Knows nothing of where records begin.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardgen.importing.finding.counted import drop_counting
from cardgen.importing.finding.entries import list_small_names
from cardgen.importing.finding.facts import (
    SIGNS,
    Taken,
    take_facts,
)
from cardgen.importing.finding.heads import (
    DEEP,
    REACH,
    SENTENCE_END,
    Head,
    list_heads,
    skip_number,
)
from cardgen.importing.finding.labels import Label, find_labelled
from cardgen.importing.finding.names import (
    AROUND,
    BLANK,
    DOTTED,
    LEADER,
    MORE_WHERE_MARKED,
    MOST_WORDS,
    Ending,
    Shape,
    find_shape,
    looks_like_name,
)
from cardgen.importing.finding.vocabulary import (
    list_chapter,
)
from cardgen.importing.model import BOLD, CODE, TERM, Block, Styled

STATS = ("stat", "row")  # kinds of lines that hold figures
_LARGER = 1.12
_OFTEN = 3
_ANY = 0.8  # how sure it is that "each foe in sight" says who
_DIFFERENT = 0.75  # of the values of a label, if they may be names
_MOST_OF_HEADING = 25  # words
_MOST_SHORT = 8  # words
_WIDE = 40  # letters of a line that its page makes end
_PICTURE = re.compile(rf"[{SIGNS}\ufe0f\s]+")  # before a title, as a club's or a sword's
_CHAPTERED = re.compile(r"([^\W\d_]+)\s+(?:\d{1,2}|[IVXLC]+)(?:[.:]|\s[–—-])\s+(?=\S)")
_STATED = re.compile(r"([^\W\d_][^:：.!?]{0,30})[:：]\s*[+−–-]?\d[^.!?]{0,15}")


@dataclass(frozen=True, slots=True)
class Line:
    """A block with what is seen of it.

    size: how much larger than the text, in steps; face: that of all letters, or of its lead
    loud: how much it stands out, for a heading 10 less its level
    hangs: whether the line below it stands further in
    goes_on: whether the line above breaks off within a sentence
    first: whether it stands below a line drawn across, where there are many
    over: whether a few words stand alone below it
    led: whether dots lead from its beginning to what else it says
    """

    at: int
    block: Block
    content: Styled
    face: int
    size: int
    shape: Shape
    loud: float
    words: int
    label: Label | None
    heads: tuple[Head, ...]
    hangs: bool = False
    first: bool = False
    goes_on: bool = False
    over: bool = False
    led: bool = False

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def apart(self) -> bool:
        """Whether white space stands above it."""
        return self.block.gap > 0

    @property
    def is_term(self) -> bool:
        return self.block.mark == TERM

    @property
    def is_marked(self) -> bool:
        return self.block.kind == "heading" or self.size > 0 or self.face > 0

    @property
    def numbers_chapter(self) -> bool:
        """Whether it says which chapter begins, before its title: "Section 2. Of the Hearth."."""
        return self._find_numbered() > 0

    def _find_numbered(self) -> int:
        """Return where the title begins behind the number of a chapter; 0 where there is none."""
        match = _CHAPTERED.match(self.text)
        return match.end() if match and match[1].casefold() in list_chapter() else 0

    @property
    def title(self) -> str:
        """Return the title that a chapter has whose heading this is; empty where it is none."""
        picture = _PICTURE.match(self.text)
        text = self.text[picture.end() if picture else 0 :].strip(AROUND)
        whole = (
            head.name
            for head in self.heads
            if head.ending == "whole" and head.number.endswith((".", ")", DEEP))
        )
        if begin := self._find_numbered():
            text = self.text[begin:].strip(AROUND + ".")
        elif self.shape == "capitals":
            text = text.rstrip(".")
        return next(whole, text if looks_like_name(text, marked=True) else "")

    @property
    def ends_sentence(self) -> bool:
        return bool(SENTENCE_END.search(self.text))


def read_lines(blocks: Sequence[Block]) -> list[Line]:
    """Return the lines of a text, each with all that is seen of it."""
    blocks = drop_counting(blocks)
    sizes: Counter[float] = Counter()
    for block in blocks:
        sizes[round(block.size, 1)] += len(block.text)
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    rules = sum(block.kind == "rule" for block in blocks)
    stated = [_find_stated(block) for block in blocks]
    often = {label for label, count in Counter(stated).items() if label and count >= _OFTEN}
    small = list_small_names(blocks)
    prompts = {at for at, block in enumerate(blocks) if _is_prompt(block)}
    prompts = prompts if len(prompts) >= _OFTEN else set()
    lines: list[Line] = []
    for at, block in enumerate(blocks):
        below = blocks[at + 1] if at + 1 < len(blocks) else None
        above = [other.kind for other in blocks[max(0, at - 2) : at]]
        below_rule = rules >= _OFTEN and (
            above[-1:] == ["rule"] or (above == ["rule", "heading"] and not block.gap)
        )
        listed: tuple[Ending, ...] = ()
        if small[at]:
            listed = small[at]
        elif block.kind == "item":
            listed = ("dash", "colon", "dots") if " | " in block.text else ("dash", "colon")
        line = _read_line(at, block, usual, below, listed=listed, below_rule=below_rule)
        if at in prompts:
            start, number, _ = skip_number(line.text)
            whole = Head(line.text[start:], "whole", Styled.of(""), number=number)
            line = replace(line, heads=(whole,), label=None)
        elif stated[at] in often:
            line = replace(line, heads=())
        elif at and _breaks_off(blocks[at - 1], block) and not small[at]:
            heads = tuple(head for head in line.heads if head.ending != "fact")
            line = replace(line, goes_on=True, heads=heads)
        elif below and not below.gap and below.text[:1].islower():
            heads = tuple(own for head in line.heads if (own := _part_who(head, line.content)))
            line = replace(line, heads=heads)
        if at and _may_follow(line):
            lines[-1] = replace(lines[-1], over=True)
        lines.append(line)
    return _drop_labels(_name_long(lines))


def _name_long(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with names for headings of many words where several of a level have that
    many: they ask something.
    """
    long = [
        line
        for line in lines
        if line.block.kind == "heading" and not line.heads and 0 < line.words <= _MOST_OF_HEADING
    ]
    levels = Counter(line.block.level for line in long)
    asking = {line.at for line in long if levels[line.block.level] >= _OFTEN}
    return [
        replace(line, heads=(Head(line.text.rstrip(" :."), "whole", Styled.of("")),))
        if line.at in asking
        else line
        for line in lines
    ]


def _drop_labels(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, those without a name that begin with a label whose values come again."""
    labels = [_find_colon_label(line) for line in lines]
    said: defaultdict[str, list[str]] = defaultdict(list)
    for label in labels:
        if label:
            said[label.key].append(label.value.text)
    again = {
        key
        for key, values in said.items()
        if len(values) >= _OFTEN and 1 < len({*values}) <= _DIFFERENT * len(values)
    }
    return [
        replace(line, heads=()) if label and label.key in again else line
        for line, label in zip(lines, labels, strict=True)
    ]


def _find_colon_label(line: Line) -> Label | None:
    """Return the label that a line begins with, if a colon ends it."""
    if line.label is None or line.block.kind == "heading":
        return None
    behind = line.text[len(line.label.text) :].lstrip()
    return line.label if behind[:1] in (":", "：") else None


def _is_prompt(block: Block) -> bool:
    """Whether a line is a sentence with a blank to fill in, and no form's "Name: ____"."""
    plain = block.kind in ("line", "item", "heading") and not block.cells
    words = [word for word in block.text.split() if any(map(str.isalpha, word))]
    return plain and BLANK.search(block.text) is not None and len(words) > 2


def _may_follow(line: Line) -> bool:
    """Whether a line may be the subtitle of the name above it: a few words alone."""
    plain = line.block.kind == "line" and line.apart and line.label is None
    few = 0 < line.words <= _MOST_SHORT and not line.ends_sentence
    return plain and few and not take_facts(line.text).facts


def _part_who(head: Head, content: Styled) -> Head | None:
    """Return a name without who may have it, as "Each foe in sight" begins a sentence there."""
    last = head.taken.facts[-1] if head.taken.facts and not head.rest.text else None
    if last is None or last.gives != "who" or last.sure > _ANY:
        return head
    facts = head.taken.facts[:-1]
    rest = content.cut(content.text.rfind(last.written))
    return head._replace(rest=rest, taken=Taken(facts, head.taken.end)) if facts else None


def _breaks_off(above: Block, block: Block) -> bool:
    """Whether a line of text breaks off within a sentence, which goes on in the line below."""
    if above.kind not in ("line", "item") or block.kind != "line" or block.gap:
        return False
    long = len(above.text) >= _WIDE and not LEADER.search(block.text)
    last = above.text.split()[-1:] if long else []
    return bool(last) and last[0][-1].isalpha() and last[0].islower()


def _find_stated(block: Block) -> str | None:
    """Return the label of a line that is no more than a label and a figure."""
    match = _STATED.fullmatch(block.text.strip()) if block.kind in ("line", "item") else None
    return match[1].casefold() if match else None


def _read_line(
    at: int,
    block: Block,
    usual: float,
    below: Block | None,
    *,
    listed: tuple[Ending, ...],
    below_rule: bool,
) -> Line:
    content = block.content.strip()
    face = content.face
    size = 0
    if usual and block.size > usual * _LARGER:
        size = max(1, round((block.size / usual - 1) * 8))
    words = len(content.text.split())
    shape = find_shape(content.text) if words <= 20 else "sentence"
    loud = 0.0
    if block.kind == "heading":
        loud = 10.0 - block.level
    elif block.kind == "line" and words <= MOST_WORDS + MORE_WHERE_MARKED:
        loud = min(size, 8) / 2 + (1 if face & BOLD else 0) + (1 if shape == "capitals" else 0)
    marked = block.kind == "heading" or face > 0 or below_rule
    hangs = (
        block.kind in ("line", "item")
        and below is not None
        and below.kind == block.kind
        and 1 < below.indent - block.indent < 20
    )
    own = listed
    if block.kind == "line" and block.gap and not face:
        own = (*own, "stop")
    if hangs and not (below and below.gap):
        own = (*own, "whole")
    bare = block.kind in ("rule", "stat") or block.mark == CODE
    heads = [] if bare else list_heads(content, marked=marked, own=own)
    return Line(
        at, block, content, face, size, shape, loud, words, find_labelled(content), tuple(heads),
        hangs, below_rule, led=DOTTED.search(content.text, 0, REACH) is not None,
    )  # fmt: skip
