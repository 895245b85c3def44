"""What is to be told of faces, though nothing is wrong with them: boxes that stand for what is
missing, codes and texts that may be hard to read, and texts that may be cut off.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardgen.core.errors import Problem, count, list_some, shorten
from cardgen.core.units import MM, format_mm
from cardgen.layout.contents import Faint, Gap, Remark
from cardgen.layout.contrast import Pale
from cardgen.layout.safety import Unsafe

_MOST_NAMED = 5


def note_remarks(remarks: Sequence[Remark]) -> Iterator[Problem]:
    """Yield a note for each kind of remark, of all faces together."""
    gaps = [remark for remark in remarks if isinstance(remark, Gap)]
    for kind in dict.fromkeys(gap.kind for gap in gaps):
        yield _note_gaps(kind, [gap for gap in gaps if gap.kind == kind])
    faint = [remark for remark in remarks if isinstance(remark, Faint)]
    if faint:
        yield _note_faint(faint)
    pale = [remark for remark in remarks if isinstance(remark, Pale)]
    for where in sorted({text.where for text in pale}, key=str):
        yield _note_pale([text for text in pale if text.where == where])
    unsafe = [remark for remark in remarks if isinstance(remark, Unsafe)]
    if unsafe:
        yield _note_unsafe(unsafe)


def _note_gaps(kind: str, gaps: Sequence[Gap]) -> Problem:
    stand = "are missing, and boxes stand for them"
    if len(gaps) == 1:
        stand = "is missing, and a box stands for it"
    named = list_some([gap.name or f'that of "{gap.card}"' for gap in gaps], _MOST_NAMED)
    return Problem(
        "build/placeholders",
        f"{count(len(gaps), kind)} {stand}: {named}",
        details={"kind": kind, "names": tuple(gap.name for gap in gaps)},
    )


def _note_faint(codes: Sequence[Faint]) -> Problem:
    from cardgen.layout.art.codes.draw import NAMES  # which only decks with codes need

    least = min(codes, key=lambda code: code.contrast)
    cards = tuple(dict.fromkeys(code.card for code in codes if code.card))
    of = f" of {list_some(cards, _MOST_NAMED)}" if cards else ""
    what = f"the ground of a {NAMES[least.kind]}{of} is hardly lighter than the code"
    if least.contrast < 0:
        what = f"a {NAMES[least.kind]}{of} is lighter than its ground"
    return Problem(
        "build/faint-code",
        f"{what}, so that few readers can read it",
        hint="take black on white, or colours further apart; bars are read by red light",
        details={"contrast": round(least.contrast, 2), "cards": cards},
    )


def _note_pale(texts: Sequence[Pale]) -> Problem:
    """Return a note of the texts that come from one element."""
    worst = min(texts, key=lambda text: (text.contrast, text.words))
    cards = tuple(sorted({text.card for text in texts if text.card}))
    of = f" of {list_some(cards, _MOST_NAMED)}" if cards else ""
    seen = f"; the template's element is {worst.where.trace()}" if worst.where else ""
    ink, ground = worst.ink.written, worst.ground.written
    return Problem(
        "build/pale-text",
        f'a text{of} is hardly seen, {ink} on {ground}: "{shorten(worst.words, 40)}"',
        worst.where,
        f"take colours further apart: their contrast is {worst.contrast:g} to 1{seen}",
        details={"cards": cards, "contrast": worst.contrast, "text": worst.words},
    )


def _note_unsafe(texts: Sequence[Unsafe]) -> Problem:
    worst = max(texts, key=lambda text: text.beyond)
    cards = tuple(dict.fromkeys(text.card for text in texts if text.card))
    of = f" of {list_some(cards, _MOST_NAMED)}" if cards else ""
    farthest = "" if len(texts) == 1 else " at most"
    return Problem(
        "build/unsafe-text",
        f"a text{of} reaches {format_mm(worst.beyond)}{farthest} beyond the safe area:"
        f' "{shorten(worst.words, 40)}"',
        hint="move it inwards, or make `safe` of the template smaller; a knife may cut it off",
        details={"cards": cards, "beyond": round(worst.beyond / MM, 2), "text": worst.words},
    )
