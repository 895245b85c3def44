"""Asks about each doubt, and makes cards without doubts of the answers.

The caller gives a function that shows a text and one that asks for a line. Knows nothing of
terminals.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from cardgen.core.errors import CardgenError
from cardgen.core.names import describe_unknown
from cardgen.core.shown import show_line
from cardgen.deck.model import Value
from cardgen.deck.values import quote
from cardgen.importing.edit import NONE, PARAGRAPH, list_fields, set_field
from cardgen.importing.importer import LEFT_OUT, Imported
from cardgen.importing.model import Answer, Candidate, Doubt, LeftOut, Place, SourceLine
from cardgen.importing.write import make_cards

Say = Callable[[str], None]
Ask = Callable[[str], str]

_AROUND = 2
_MOST_LINES = 40
_QUESTION = "[k]eep, [l]eave out, [c]hange a field, [d]ecide later, [s]top, [?]"
_ANSWERS = ("keep", "leave", "change", "decide", "stop")
_DECK_QUESTION = "[k]eep, [d]ecide later, [s]top, [?]"
_DECK_ANSWERS = ("keep", "decide", "stop")
_DECK_HELP = """k  keep the deck as it is; the doubt is settled
d  decide later: the deck is written, and the doubt in the report
s  stop, and write nothing
Enter alone is k. End of input and Ctrl-C stop too."""
_HELP = f"""k  keep the card as it is; the doubt is settled
l  leave the card out of the deck
c  change a field of the card: its name, then its value; "{NONE}" takes it out
d  decide later: the card is in the deck, and the doubt in the report
s  stop, and write nothing
Enter alone is k. End of input and Ctrl-C stop too."""


class Stopped(Exception):
    """Raised where whoever is asked wants nothing to be written."""


class Reviewed(NamedTuple):
    """The cards as they were found, and as the answers made them.

    source: what was found, imported: what the answers made of it
    origins: of each card of these, the place in the source
    answers: to the doubts of each card of the source
    """

    source: Imported
    imported: Imported
    origins: tuple[int, ...]
    answers: tuple[tuple[Answer, ...], ...]


def take_as_found(imported: Imported) -> Reviewed:
    """Return the cards as they are: nobody is asked."""
    answers = tuple(card.answers for card in imported.cards)
    return Reviewed(imported, imported, tuple(range(len(imported.cards))), answers)


def review(imported: Imported, say: Say, ask: Ask, width: int = 80) -> Reviewed:
    """Ask about each doubt; raises Stopped where that is the answer."""
    asker = _Asker(imported, say, ask, width)
    deck_answers = [answer for doubt in imported.deck_doubts for answer in asker.ask_of_deck(doubt)]
    settled = [answer.doubt for answer in deck_answers]
    cards = [asker.ask_about(card) for card in imported.cards]
    if not asker.total:
        say("nothing is in doubt")
    kept = {n: card for n, (card, is_kept) in enumerate(cards) if is_kept}
    if not kept:
        raise CardgenError(
            "import/nothing-kept", "no card is left", hint="keep one; nothing is written"
        )
    left_out = list(imported.left_out)
    left_out += [
        LeftOut(line.text, line.place, LEFT_OUT)
        for card, is_kept in cards
        for lines in (() if is_kept else (card.lines, *card.again))
        for line in lines
    ]
    found = replace(
        imported,
        cards=tuple(kept.values()),
        values=tuple(make_cards(kept.values())),
        left_out=tuple(sorted(left_out, key=lambda left: _order(left.place, imported.files))),
        deck_doubts=tuple(doubt for doubt in imported.deck_doubts if doubt not in settled),
        deck_answers=(*imported.deck_answers, *deck_answers),
    )
    return Reviewed(imported, found, tuple(kept), tuple(card.answers for card, _ in cards))


class _Asker:
    def __init__(self, imported: Imported, say: Say, ask: Ask, width: int) -> None:
        self.say = say
        self.ask = ask
        self.width = width
        self.total = sum(len(card.doubts) for card in imported.cards) + len(imported.deck_doubts)
        self.number = 0
        printed = (lines for card in imported.cards for lines in (card.lines, *card.again))
        lines = {line for part in printed for line in part}
        lines |= {SourceLine(left.place, left.text) for left in imported.left_out}
        self.lines = sorted(lines, key=lambda line: _order(line.place, imported.files))

    def ask_of_deck(self, doubt: Doubt) -> Iterator[Answer]:
        """Yield the answer to a doubt of the deck as a whole, if it was settled."""
        self.number += 1
        self.say(f"\ndoubt {self.number} of {self.total}\n\nthe deck as a whole")
        self.say(f"\n? {show_line(doubt.what)}\n  {doubt.sure:.0%} sure")
        answer = self._choose(_DECK_QUESTION, _DECK_ANSWERS, _DECK_HELP)
        if answer == "stop":
            raise Stopped
        if answer == "keep":
            yield Answer(doubt, "kept as it is")

    def ask_about(self, card: Candidate) -> tuple[Candidate, bool]:
        """Return a card without the doubts that were settled, and whether it is kept."""
        for doubt in card.doubts:
            self.number += 1
            card, is_kept = self._ask_about_doubt(card, doubt)
            if not is_kept:
                return card, False
        return card, True

    def _ask_about_doubt(self, card: Candidate, doubt: Doubt) -> tuple[Candidate, bool]:
        changed: list[str] = []
        self._show(card, doubt)
        while True:
            answer = self._choose(_QUESTION, _ANSWERS, _HELP)
            if answer == "stop":
                raise Stopped
            if answer == "decide":
                return card, True
            if answer == "leave":
                for other in card.doubts:
                    card = _settle(card, other, "left out")
                return card, False
            if answer == "keep":
                return _settle(card, doubt, "; ".join(changed) or "kept as it is"), True
            card, said = self._change(card)
            if said:
                changed.append(said)
                self._show_card(card)

    def _choose(self, question: str, answers: Sequence[str], help_: str) -> str:
        while True:
            typed = self.ask(f"{question} (k):").strip().casefold() or "k"
            if typed == "?":
                self.say(help_)
                continue
            chosen = [answer for answer in answers if typed in (answer, answer[0])]
            if chosen:
                return chosen[0]
            self.say(f"{quote(typed)} is no answer; type one letter, or ? for what each means")

    def _change(self, card: Candidate) -> tuple[Candidate, str]:
        """Return the card with one field changed and a text that says so, empty where none is."""
        fields = list_fields(card)
        while (name := self.ask(f"which field? ({', '.join(fields)}):").strip()) not in fields:
            if not name:
                return card, ""
            self.say(f"unknown field {quote(name)}; {describe_unknown(name, fields, 'field').hint}")
        hint = f', "{PARAGRAPH}" between paragraphs' if name == "text" else ""
        while True:
            typed = self.ask(f"{name}{hint} ({_show_value(fields[name])}):").strip()
            if not typed:
                return card, ""
            try:
                card = set_field(card, name, typed)
            except CardgenError as error:
                self.say(str(error))
                continue
            return card, f"{name} is now {_show_value(list_fields(card).get(name))}"

    # What is shown

    def _show(self, card: Candidate, doubt: Doubt) -> None:
        self.say(f"\ndoubt {self.number} of {self.total}\n")
        self._show_card(card)
        self.say("")
        for line in self._list_lines(card):
            self.say(line)
        why = f"{doubt.sure:.0%} sure; found by: {'; '.join(card.reasons)}"
        self.say(f"\n? {show_line(doubt.what)}\n  {show_line(why)}")

    def _show_card(self, card: Candidate) -> None:
        fields = list_fields(card)
        shown = [
            f"{key} {_show_value(value)}"
            for key, value in fields.items()
            if key not in ("name", "text") and value is not None
        ]
        self.say(show_line(card.name))
        for part in (", ".join(shown), *card.text.split("\n\n")):
            for line in textwrap.wrap(show_line(part), max(20, self.width - 4)):
                self.say(f"    {line}")

    def _list_lines(self, card: Candidate) -> Iterator[str]:
        """Yield the card's lines of the source, marked, and a few around them."""
        own = set(card.lines)
        file = [line for line in self.lines if line.place.file == card.place.file]
        places = [n for n, line in enumerate(file) if line in own]
        near = {n for place in places for n in range(place - _AROUND, place + _AROUND + 1)}
        shown = [file[n] for n in sorted(near) if 0 <= n < len(file)]
        for line in shown[:_MOST_LINES]:
            yield f"{'>' if line in own else ' '} {line.place}: {show_line(line.text)}"
        if len(shown) > _MOST_LINES:
            yield f"  and {len(shown) - _MOST_LINES} more lines"


def _settle(card: Candidate, doubt: Doubt, said: str) -> Candidate:
    doubts = tuple(other for other in card.doubts if other is not doubt)
    return replace(card, doubts=doubts, answers=(*card.answers, Answer(doubt, said)))


def _order(place: Place, files: Sequence[str]) -> tuple[int, int, int]:
    return files.index(place.file), place.page or 0, place.line


def _show_value(value: Value) -> str:
    return "nothing" if value is None else show_line(str(value).replace("\n\n", f" {PARAGRAPH} "))
