"""How right the cards of a text are: names, fields and words beside those that must come out.

Cards are matched by name, and those of one name in order. What is compared is what somebody would
read: no capitals, no emphasis, a cost by its figure, a text as the words that it has.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pinned_scores import Score

ENOUGH = 0.95
"""The share of its fields and words at which a card is right."""
KNOWN = ("cost", "count", "who", "kind", "subtitle")
"""The fields that are scored by themselves too; all others are one sum."""
MEANT = ("cost", "who", "kind", "uses", "subtitle")
"""The fields that a label may mean, all but a count, which is nothing where it is not known."""
_UNFIELDED = ("name", "text")
_PLAIN = str.maketrans("‘’‚‛“”„‟«»‹›−–‑‐", "''''\"\"\"\"\"\"''----", "*\\`\u00ad\u200b")
_FIGURE = re.compile(r"-?\d+(?:[.,\u00a0 ]\d{3})*(?!\d)(?:[.,]\d+)?|-?\d+(?:[.,]\d+)?")

_NUMBERED = re.compile(r"(?:\d{1,2}|[ivx]{1,4}|[a-z])[.)] +(?=\w)")  # the number of a chapter


def plain_value(value: object) -> str:
    """Return a value without capitals, emphasis, signs at its ends and runs of blanks."""
    text = unicodedata.normalize("NFKC", str(value).translate(_PLAIN)).casefold()
    words = " ".join(text.split())
    kept = [place for place, sign in enumerate(words) if sign.isalnum()]
    bare = words[kept[0] : kept[-1] + 1] if kept else ""
    return f"-{bare}" if bare[:1].isdigit() and words.lstrip("( ").startswith("-") else bare


def plain_label(label: str) -> str:
    """Return a field's name without capitals and signs."""
    return "".join(sign for sign in label.casefold() if sign.isalnum())


def plain_cost(value: object) -> str:
    """Return the figures of a cost with their signs, else the value."""
    text = plain_value(value)
    figures = [_plain_figure(figure) for figure in _FIGURE.findall(text)]
    return " ".join(figures) or text


def _plain_figure(figure: str) -> str:
    whole = re.sub(r"[.,\u00a0 ](?=\d{3}(?!\d))", "", figure).replace(",", ".")
    return whole.rstrip("0").rstrip(".") if "." in whole else whole


def count_words(text: object) -> Counter[str]:
    parts = re.split(r"[\s—|/]+", str(text).translate(_PLAIN))
    words = (plain_value(part) for part in parts)
    return Counter(word for word in words if any(sign.isalnum() for sign in word))


class Card(NamedTuple):
    """A card as it is compared."""

    name: str
    fields: Mapping[str, str]
    words: Counter[str]
    shown: str
    sure: float = 1.0
    spare: str = ""
    """What stands in fields that the truth does not speak of: it may be words of its text."""


def make_card(raw: Mapping[str, Any], sure: float = 1.0) -> Card:
    fields = {label: _plain_field(label, value) for label, value in _flatten(raw)}
    filled = {label: value for label, value in fields.items() if value}
    if filled.get("count") == "1":
        del filled["count"]
    words = count_words(raw.get("text") or "")
    return Card(plain_value(raw["name"]), filled, words, str(raw["name"]), sure)


def _plain_field(label: str, value: object) -> str:
    if label == "cost":
        return plain_cost(value)
    return _NUMBERED.sub("", plain_value(value)) if label == "kind" else plain_value(value)


def _flatten(raw: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """The fields of a card, those of a field like `stats: {Move: 20}` one by one."""
    for label, value in raw.items():
        if label in _UNFIELDED or value is None:
            continue
        if isinstance(value, Mapping):
            yield from _flatten(value)
        elif isinstance(value, list):
            yield plain_label(label), ", ".join(str(part) for part in value)
        else:
            yield plain_label(label), value


def keep_fields(card: Card, judged: Callable[[str], bool]) -> Card:
    """Return the card with the fields that are judged; its words are the field `text`."""
    kept = {label: value for label, value in card.fields.items() if judged(label)}
    others = [f"{label} {value}" for label, value in card.fields.items() if label not in kept]
    words = card.words if judged("text") else Counter[str]()
    return card._replace(fields=kept, words=words, spare=" ".join(others))


def call_alike(wanted: Sequence[Card], given: Sequence[Card]) -> list[Card]:
    """Return what came out with the labels of the truth where both say the same.

    Who writes a truth may call a field as its document does: `preis` is as right as `cost`. It is
    the same field where only the one is in the truth, only the other came out, and their values
    are the same on most cards that have it.
    """
    told = {label for card in wanted for label in card.fields}
    found = {label for card in given for label in card.fields}
    pairs = [(want, give) for want, give in _match(wanted, given) if want and give]
    called: dict[str, str] = {}
    for label in sorted(told - found):
        said = [(want, give) for want, give in pairs if label in want.fields]
        for own in sorted({*MEANT} & found - told - called.keys()):
            same = sum(_is_same(own, give, want.fields[label]) for want, give in said)
            if 2 * same > len(said):
                called[own] = label
                break
    truths = {id(give): want for want, give in pairs}
    named = [_call_fields(card, called, truths.get(id(card))) for card in given]
    return named if any(card.words for card in wanted) else _call_text(wanted, named)


def _call_text(wanted: Sequence[Card], given: Sequence[Card]) -> list[Card]:
    """Return what came out with its texts as that field which a truth without texts calls so.

    A truth of a table may name its last column, "Special", where the deck prints it as the text.
    """
    pairs = [(want, give) for want, give in _match(wanted, given) if want and give]
    for label in sorted({label for card in wanted for label in card.fields}):
        said = [(want.fields[label], give) for want, give in pairs if label in want.fields]
        same = [(told, give) for told, give in said if count_words(told) == give.words]
        if 2 * len(same) > len(said) and not any(label in card.fields for card in given):
            texts = {id(give): told for told, give in same}
            return [_move_text(card, label, texts.get(id(card), "?")) for card in given]
    return [*given]


def _move_text(card: Card, label: str, text: str) -> Card:
    if not card.words:
        return card
    return card._replace(fields={**card.fields, label: text}, words=Counter[str]())


def _is_same(label: str, card: Card, value: str) -> bool:
    """Whether a value came out, a cost by its figures: "3 taler" as 3, "free" as 0."""
    given = card.fields.get(label)
    if label != "cost":
        return given == value
    return given == plain_cost(value) or (given == "0" and not any(map(str.isdigit, value)))


def _call_fields(card: Card, called: Mapping[str, str], truth: Card | None) -> Card:
    fields = {}
    for label, value in card.fields.items():
        other = called.get(label, label)
        told = truth.fields.get(other, "") if truth else ""
        fields[other] = told if told and _is_same(label, card, told) else value
    return card._replace(fields=fields)


class Scores(NamedTuple):
    """What is right of a text; `texts` are those of cards that have every word."""

    names: Score = Score()
    fields: Score = Score()
    words: Score = Score()
    texts: Score = Score()

    def add(self, other: Scores) -> Scores:
        return Scores(*(a.add(b) for a, b in zip(self, other, strict=True)))

    @property
    def pieces(self) -> Score:
        """Return names, fields and texts as one score: each is a piece that is right or not."""
        return self.names.add(self.fields).add(self.texts)


def find_f1(score: Score) -> float:
    total = score.given + score.wanted
    return 2 * score.right / total if total else 1.0


class Judged(NamedTuple):
    """A card that came out: how sure the finder was, and whether it is right."""

    sure: float
    right: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    scores: Scores
    cards: tuple[Judged, ...] = ()
    faults: tuple[str, ...] = field(default=(), repr=False)
    known: Mapping[str, Score] = field(default_factory=dict)  # of KNOWN, and of "others"


def judge(wanted: Sequence[Card], given: Sequence[Card]) -> Judgement:
    scores = Scores()
    cards: list[Judged] = []
    faults: list[str] = []
    known: dict[str, Score] = {}
    for want, give in _match(wanted, given):
        one = _score_pair(want, give)
        scores = scores.add(one)
        for label, score in _score_labels(want, give):
            known[label] = known.get(label, Score()).add(score)
        faults += _list_faults(want, give)
        if give is not None:
            enough = min(find_f1(one.fields), find_f1(one.words)) >= ENOUGH
            cards.append(Judged(give.sure, want is not None and enough))
    return Judgement(scores, tuple(cards), tuple(faults), known)


def _match(
    wanted: Sequence[Card], given: Sequence[Card]
) -> Iterator[tuple[Card | None, Card | None]]:
    """Pairs of cards with the same name, in order; then those that are one too many."""
    waiting: defaultdict[str, list[Card]] = defaultdict(list)
    for card in given:
        waiting[card.name].append(card)
    for card in wanted:
        same = waiting[card.name]
        yield card, same.pop(0) if same else None
    for cards in waiting.values():
        yield from ((None, card) for card in cards)


def _score_pair(want: Card | None, give: Card | None) -> Scores:
    wanted, given = _list_fields(want), _list_fields(give)
    words, got = want.words if want else Counter[str](), give.words if give else Counter[str]()
    if give and got:
        got = got + ((words - got) & count_words(give.spare))
    return Scores(
        Score(int(want is not None and give is not None), int(give is not None), int(bool(want))),
        Score(len(wanted & given), len(given), len(wanted)),
        Score((words & got).total(), got.total(), words.total()),
        Score(int(bool(words) and words == got), int(bool(got)), int(bool(words))),
    )


def _score_labels(want: Card | None, give: Card | None) -> Iterator[tuple[str, Score]]:
    wanted, given = _list_fields(want), _list_fields(give)
    for label, value in wanted | given:
        here, there = (label, value) in given, (label, value) in wanted
        name = label if label in KNOWN else "others"
        yield name, Score(int(here and there), int(here), int(there))


def _list_fields(card: Card | None) -> set[tuple[str, str]]:
    return set(card.fields.items()) if card else set()


def _list_faults(want: Card | None, give: Card | None) -> Iterator[str]:
    if want is None or give is None:
        yield f"{want.shown}: not found" if want else f"{give.shown}: no card" if give else ""
        return
    for label in sorted({*want.fields, *give.fields}):
        right, said = want.fields.get(label), give.fields.get(label)
        if right != said:
            yield f"{want.shown}: {label} is {said!r}, not {right!r}"
    for what, words in (
        ("lacks", want.words - give.words - count_words(give.spare)),
        ("has also", give.words - want.words),
    ):
        if words:
            shown = " ".join([*words.elements()][:12])
            yield f"{want.shown}: text {what} {words.total()}: {shown}"
