"""A deck as plain data: cards, counts, and the names of a template and a back.

Knows nothing of looks or paper.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, overload

from cardgen.core.errors import Problem, Where
from cardgen.core.geometry import Size

# A value of a field, as YAML holds it.
Value = str | int | float | bool | None | list["Value"] | dict[str, "Value"]

_PLUS = re.compile(r"(?<=[\w+])\+(?!\w)")
_SUITS = str.maketrans(
    {"♠": " spades ", "♥": " hearts ", "♦": " diamonds ", "♣": " clubs ", "♀": " f ", "♂": " m "}
)
_SEPARATORS = re.compile(r"[\W_]+")

MAX_COUNT = 10_000
MAX_COPIES = 200_000  # of all cards together
MAX_FIELD = 200_000
# With so many cards, what each of them holds is packed.
MANY_CARDS = 20_000
_LONG_TEXT = 40  # letters, from which on a text is packed as bytes
MAX_HAND = 100
MAX_PLAYERS = 12

DEFAULT_TEMPLATE = "poker-basic"
# What it prints, besides what every card has.
DEFAULT_FIELDS = (
    *("cost", "kind", "rank", "who", "restriction", "uses", "text", "picture", "image"),
    "small_print",  # no text: how that of one card is set
)
FLASHCARD_TEMPLATES = ("flashcard", "flashcard-back")  # of cards with an answer
ALL_FIELDS_TEMPLATE = "fields"  # which prints whatever a card has
DEFAULT_SHEET_TEMPLATE = "sheet"
DEFAULT_SHEET_BACK = "sheet-back"

# The keys that only a deck has that extends another.
VARIANT_KEYS = ("extends", "keep", "drop", "change", "counts", "add", "order")
DECK_KEYS = (
    "title",
    "template",
    "back",
    "author",
    "language",
    "description",
    "version",
    "target",
    "size",
    "missing",
    "defaults",
    "labels",
    "deal",
    "cards",
    "sheet",
    *VARIANT_KEYS,
)
# What stands for a picture or an icon that is not there: nothing, for that is an error, or a box.
MISSING = ("error", "placeholder")
# The `back` of a card that has none, though its deck has one.
NO_BACK = "none"
CARD_KEYS = ("id", "name", "count", "template", "back")
DEAL_KEYS = ("hand", "players", "points", "aside")
POINTS_KEYS = ("to", "each", "more")


class PackedFields(Mapping[str, Value]):
    """The fields of one of very many cards, in half the memory: those of all cards share their
    names, and long texts are bytes, which become texts when somebody asks for them.

    names: the place of each field
    """

    __slots__ = ("_names", "_values")

    def __init__(self, names: Mapping[str, int], values: Iterable[Value]) -> None:
        self._names = names
        self._values = tuple(map(_pack, values))

    def __getitem__(self, name: str) -> Value:
        return _unpack(self._values[self._names[name]])

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, Value]:
        return _PackedItems(self)

    def list_values(self) -> Iterator[Value]:
        return map(_unpack, self._values)


class _PackedItems(ItemsView[str, Value]):
    """What packed fields hold, unpacked in their order and not looked up by each name."""

    _mapping: PackedFields

    def __iter__(self) -> Iterator[tuple[str, Value]]:
        return zip(self._mapping, self._mapping.list_values(), strict=True)


def _unpack(value: Value | bytes) -> Value:
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


def _pack(value: Value) -> Value | bytes:
    if isinstance(value, str) and len(value) >= _LONG_TEXT:
        return value.encode("utf-8", "surrogatepass")
    return value


@dataclass(frozen=True, slots=True)
class Card:
    """One design; `fields` holds every field of the deck, those that the card lacks as None.

    places: where the file names `template` and `back`, be it for all cards, and the values that
        come from another file than the card, as in a variant or from an overlay
    """

    id: str
    name: str
    count: int
    template: str
    back: str | None
    fields: Mapping[str, Value]
    where: Where
    places: Mapping[str, Where] | None = field(default=None, compare=False, repr=False)

    def get_place(self, key: str) -> Where:
        """Return where `template` or `back` is written, for this card or for all."""
        return (self.places or {}).get(key, self.where)


class Copy(NamedTuple):
    """One printed card: the number of its design in the deck, and which of its copies it is."""

    design: int
    number: int


class Copies(Sequence[Copy]):
    """Copies in a row, of which there may be very many: each takes a few bytes."""

    __slots__ = ("_designs", "_numbers")

    def __init__(self, copies: Iterable[Copy]) -> None:
        self._designs, self._numbers = array("L"), array("H")
        for design, number in copies:
            self._designs.append(design)
            self._numbers.append(number)

    @overload
    def __getitem__(self, index: int) -> Copy: ...

    @overload
    def __getitem__(self, index: slice) -> Copies: ...

    def __getitem__(self, index: int | slice) -> Copy | Copies:
        if isinstance(index, int):
            return Copy(self._designs[index], self._numbers[index])
        return Copies(map(Copy, self._designs[index], self._numbers[index]))

    def __iter__(self) -> Iterator[Copy]:
        return map(Copy, self._designs, self._numbers)

    def __len__(self) -> int:
        return len(self._designs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Copies):
            return NotImplemented
        return (self._designs, self._numbers) == (other._designs, other._numbers)

    __hash__ = None  # type: ignore[assignment]


class Points(NamedTuple):
    """How hands grow with a game: `more` cards for each full `each` points above `to`."""

    to: int
    each: int
    more: int = 1


class Deal(NamedTuple):
    """How a deck is dealt; `aside` are the ids of the cards that stay out of the pile."""

    hand: int = 4
    players: int = 2
    points: Points | None = None
    aside: tuple[str, ...] = ()


class Missing(NamedTuple):
    """A field that is not translated, and the names of the cards that have it."""

    field: str
    cards: tuple[str, ...]


class Translation(NamedTuple):
    """The texts of a deck that overlays give, each as its repr, and those that they lack.

    own: the language of the deck without them
    """

    language: str
    own: str
    texts: frozenset[str]
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards, and what holds for all of them; `size` is None where the templates tell it.

    missing: one of `MISSING`, where the deck or its project says so
    labels: what fields are called on a card, where that is not how their names read
    columns: of a table, the fields that its header names, and where
    notes: what was taken in another way than it is written
    problems: of a draft, what is wrong with it
    """

    name: str
    title: str
    path: Path
    cards: tuple[Card, ...]
    author: str = ""
    language: str = "en"
    description: str = ""
    version: str = ""
    target: str | None = None
    translation: Translation | None = None
    size: Size | None = None
    missing: str | None = None
    deal: Deal | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    target_where: Where | None = field(default=None, compare=False, repr=False)
    columns: Mapping[str, Where] = field(default_factory=dict, compare=False, repr=False)
    notes: tuple[Problem, ...] = field(default=(), compare=False, repr=False)
    problems: tuple[Problem, ...] = field(default=(), compare=False, repr=False)

    @property
    def copies(self) -> int:
        """The number of cards that are printed."""
        return sum(card.count for card in self.cards)

    def list_files(self) -> set[str]:
        """Return the files that it is made of: its own, a table, those of bases and overlays."""
        places = (where for card in self.cards for where in (card.places or {}).values())
        cards = {card.where.file for card in self.cards}
        return {str(self.path), *cards, *(where.file for where in places)}

    def list_copies(self) -> Copies:
        """Return all cards that are printed, in order."""
        return Copies(
            Copy(design, number)
            for design, card in enumerate(self.cards)
            for number in range(card.count)
        )


def slug(name: str) -> str:
    """Return the id that a name gives: "Was Dis Do Den!?" becomes "was-dis-do-den". Signs by which
    names differ are words in it: "Axe++" becomes "axe-plus-plus", and "7♥" "7-hearts".
    """
    if "+" in name:
        name = _PLUS.sub(" plus ", name)
    plain = name.lower()
    if not plain.isascii():
        name = name.translate(_SUITS)
        letters = unicodedata.normalize("NFKD", name.casefold())
        bare = "".join(c for c in letters if not unicodedata.combining(c))
        plain = unicodedata.normalize("NFKC", bare)
    return _SEPARATORS.sub("-", plain).strip("-") or "card"
