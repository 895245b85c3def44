"""A change of a project's files, made by edits of a deck: the file that holds a value is found,
and only that value is written anew in it. Nothing is written here; a journal does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from cardgen.core.deck_files import TABLE_SUFFIXES, leads_inside, list_files
from cardgen.core.errors import CardgenError, Where
from cardgen.core.reading import decode_text, read_bytes
from cardgen.deck.dictionary import list_tags
from cardgen.deck.edits.pieces import Document
from cardgen.deck.edits.texts import FileText, read_file_text
from cardgen.deck.model import CARD_KEYS, DEFAULT_TEMPLATE, Deck, Value
from cardgen.deck.overlay import is_text
from cardgen.deck.raw import title_of
from cardgen.deck.read import find_describing, read_deck_file
from cardgen.deck.values import find_fault
from cardgen.deck.yaml import MAX_YAML
from cardgen.project.project import Project, read_deck
from cardgen.studio.edits.faults import make_no_card, make_not_own
from cardgen.studio.edits.grids import open_table
from cardgen.studio.edits.markdown_deck import MarkdownDeck
from cardgen.studio.edits.model import (
    UNKNOWN,
    AddCard,
    Change,
    Conflict,
    Conflicts,
    CopyCard,
    Edit,
    FileChange,
    MoveCard,
    RemoveCard,
    SetField,
    SetKey,
    Step,
)
from cardgen.studio.edits.table_deck import TableDeck
from cardgen.studio.edits.yaml_deck import Fields, Variant, YamlDeck, edit_overlay

_YAML = (".yaml", ".yml")
_MOST_READ = 1_000_000  # bytes of another file that may name a card


def make_change(
    project: Project, deck: str | Path, edits: Sequence[Edit], language: str | None = None
) -> Change | Conflicts:
    """Return the change that these edits make, or what somebody else has changed meanwhile.

    language: texts are written into the overlay of this language, which is begun if need be
    """
    path = project.library.get_deck(str(deck))
    if path.suffix in TABLE_SUFFIXES:
        path = find_describing(path) or path
    _check_values(edits)
    return _Desk(project, path, language).make(edits)


def change(
    project: Project,
    deck: str | Path,
    card: str,
    field: str,
    value: Value,
    language: str | None = None,
) -> Change:
    """Return the change that gives a field of a card a value; None takes it out."""
    made = make_change(project, deck, [SetField(card, field, value)], language)
    assert isinstance(made, Change)
    return made


def _check_values(edits: Iterable[Edit]) -> None:
    for edit in edits:
        said = edit.values if isinstance(edit, AddCard) else {}
        if isinstance(edit, SetField | SetKey):
            said = {edit.field if isinstance(edit, SetField) else edit.key: edit.value}
        for key, value in said.items():
            fault = find_fault(value)
            if fault is not None:
                message = f"{key} {fault.words}"
                raise CardgenError(fault.code, message, hint=fault.hint, details=fault.details)


class _Desk:
    """The files of one deck, with what is to become of them."""

    def __init__(self, project: Project, path: Path, language: str | None) -> None:
        self.project = project
        self.path = path
        self.language = language
        self._before: dict[Path, bytes | None] = {}
        self._after: dict[Path, bytes] = {}
        self._deck: Deck | None = None
        self._translated: Deck | None = None

    def make(self, edits: Sequence[Edit]) -> Change | Conflicts:
        texts, others = self._sort(edits)
        conflicts: list[Conflict] = []
        if texts:
            texts = self._leave_out(texts, conflicts, self._read_translated())
            self._edit_overlay(texts)
        if others:
            self._edit_deck(others, conflicts)
        if conflicts:
            return Conflicts(tuple(conflicts))
        files = tuple(
            FileChange(path, self._before[path], data)
            for path, data in self._after.items()
            if data != self._before[path]
        )
        return Change(files, _describe(edits))

    def _sort(self, edits: Sequence[Edit]) -> tuple[list[Edit], list[Edit]]:
        """Return the edits of texts that an overlay holds, and the others."""
        if self.language is None or self._is_own_language(self.language):
            return [], list(edits)
        texts = [edit for edit in edits if self._is_in_overlay(edit)]
        return texts, [edit for edit in edits if edit not in texts]

    def _is_own_language(self, language: str) -> bool:
        wanted = [tag.lower() for tag in list_tags(self._read().language)]
        return language.lower() in wanted and self._find_overlay(language) is None

    def _is_in_overlay(self, edit: Edit) -> bool:
        if isinstance(edit, SetKey):
            return edit.key in ("title", "description")
        if not isinstance(edit, SetField) or (edit.field in CARD_KEYS and edit.field != "name"):
            return False
        return is_text(self._get_value(self._read(), edit.card, edit.field))

    # Reading

    def _read(self) -> Deck:
        """Return the deck as it is in its own language."""
        if self._deck is None:
            self._deck = read_deck(self.project, self.path, draft=True)
        return self._deck

    def _read_translated(self) -> Deck:
        if self._translated is None:
            language = self.language
            self._translated = read_deck(
                self.project, self.path, language, lenient=True, draft=True
            )
        return self._translated

    def _get_value(self, deck: Deck, card: str, field: str) -> Value:
        found = next((one for one in deck.cards if one.id == card), None)
        if found is None:
            raise make_no_card(card, [one.id for one in deck.cards], str(self.path))
        value: Value = getattr(found, field) if field in CARD_KEYS else found.fields.get(field)
        return value

    def _open(self, path: Path, most: int | None = None) -> bytes:
        """Return the bytes of a file of the project."""
        if not leads_inside(path, self.project.folder):
            raise make_not_own(path)
        data = self._after.get(path)
        if data is None:
            data = self._before[path] = read_bytes(path, most=most)
        return data

    def _open_text(self, path: Path) -> FileText:
        return read_file_text(self._open(path, MAX_YAML), str(path))

    # Overlays

    def _find_overlay(self, language: str) -> Path | None:
        found = self.project.library.find_overlays(self.path)
        known = {tag.lower(): path for tag, path in found.items()}
        tags = (tag.lower() for tag in list_tags(language))
        return next((known[tag] for tag in tags if tag in known), None)

    def _edit_overlay(self, edits: Sequence[Edit]) -> None:
        language = self.language or ""
        path = self._find_overlay(language)
        wanted = [edit for edit in edits if isinstance(edit, SetField | SetKey)]
        if path is None:
            path = self.path.with_name(f"{self.path.stem}.{language}.yaml")
            if not leads_inside(path, self.project.folder):
                raise make_not_own(path)
            self._before[path] = None
            self._after[path] = edit_overlay("", str(path), wanted).encode()
            return
        file = self._open_text(path)
        self._after[path] = file.encode(edit_overlay(file.text, str(path), wanted))

    # The deck's own file

    def _edit_deck(self, edits: Sequence[Edit], conflicts: list[Conflict]) -> None:
        suffix = self.path.suffix.lower()
        if suffix == ".md":
            self._edit_markdown(edits, conflicts)
        elif suffix in TABLE_SUFFIXES:
            self._edit_table(self.path, edits, conflicts, {})
        else:
            self._edit_yaml(edits, conflicts)

    def _edit_yaml(self, edits: Sequence[Edit], conflicts: list[Conflict]) -> None:
        file, name = self._open_text(self.path), str(self.path)
        value = Document(file.text, name).value
        head: Fields = value if isinstance(value, dict) else {}
        keys: Sequence[Edit] = [edit for edit in edits if isinstance(edit, SetKey)]
        if "extends" in head:
            base = self._read_base(head)
            variant = Variant(file.text, name, self._read(), base)
            for edit in self._leave_out(edits, conflicts, self._read()):
                variant.make(edit)
            self._after[self.path] = file.encode(variant.finish())
            return
        cards = head.get("cards")
        if isinstance(cards, str):
            rest = [edit for edit in edits if not isinstance(edit, SetKey)]
            if rest:
                self._edit_table(self.path.parent / cards, rest, conflicts, head)
            edits = keys
        if edits:
            deck = YamlDeck(file.text, name, keeps_ids=self._is_named_elsewhere)
            for edit in edits:
                if not self._is_done(edit, _see_yaml(deck, edit), conflicts):
                    deck.make(edit)
            self._after[self.path] = file.encode(deck.finish())

    def _edit_markdown(self, edits: Sequence[Edit], conflicts: list[Conflict]) -> None:
        file = self._open_text(self.path)
        deck = MarkdownDeck(file.text, str(self.path), title_of(self.path))
        for edit in edits:
            seen: Value = None
            if isinstance(edit, SetField):
                seen = deck.get_value(edit.field)
            elif isinstance(edit, SetKey):
                seen = deck.get_value(edit.key)
            if not self._is_done(edit, seen, conflicts):
                deck.make(edit)
        self._after[self.path] = file.encode(deck.finish())

    def _read_base(self, head: Fields) -> Deck:
        where = Where(str(self.path))
        path = self.project.library.get_base("deck", str(head["extends"]), (self.path,), where)
        return read_deck_file(path)

    def _edit_table(
        self, path: Path, edits: Sequence[Edit], conflicts: list[Conflict], head: Fields
    ) -> None:
        deck = open_table(self._open(path), str(path), head.get("sheet"))
        defaults = head.get("defaults")
        for edit in edits:
            if isinstance(edit, SetField):
                seen = self._see_row(deck, edit, defaults if isinstance(defaults, dict) else {})
                if self._is_done(edit, seen, conflicts, deck.locate(edit.card, edit.field)):
                    continue
            deck.make(edit)
        self._after[path] = deck.finish()

    def _see_row(self, deck: TableDeck, edit: SetField, defaults: Fields) -> Value:
        own = deck.get_own(edit.card)
        value = own.get(edit.field)
        if value is None and edit.was not in (None, UNKNOWN):
            value = defaults.get(edit.field)
            if edit.field in ("count", "template", "back"):
                value = self._get_value(self._read(), edit.card, edit.field)
        return value

    def _is_named_elsewhere(self, card: str) -> bool:
        """Whether an overlay of the deck, or a variant, names a card by its id."""
        word = re.compile(rf"(?<![\w.-]){re.escape(card)}(?![\w.-])")
        for path in list_files(self.path.parent):
            if path == self.path or path.suffix not in _YAML:
                continue
            with suppress(OSError, CardgenError):
                if path.stat().st_size <= _MOST_READ:
                    text = decode_text(path.read_bytes(), str(path))
                    is_overlay = path.name.startswith(f"{self.path.stem}.")
                    if (is_overlay or "extends:" in text) and word.search(text):
                        return True
        return False

    # What somebody else wrote meanwhile

    def _leave_out(
        self, edits: Sequence[Edit], conflicts: list[Conflict], deck: Deck
    ) -> list[Edit]:
        """Return the edits that are still to be made; those of values that others changed are
        conflicts.
        """
        left = []
        for edit in edits:
            seen: Value = None
            if isinstance(edit, SetField):
                seen = self._get_value(deck, edit.card, edit.field)
            elif isinstance(edit, SetKey):
                seen = getattr(deck, edit.key, None) or None
            if not self._is_done(edit, seen, conflicts):
                left.append(edit)
        return left

    def _is_done(
        self, edit: Edit, seen: Value, conflicts: list[Conflict], place: Where | None = None
    ) -> bool:
        """Whether an edit is not to be made: the value is there already, or somebody's else."""
        if not isinstance(edit, SetField | SetKey) or edit.was is UNKNOWN:
            return False
        if is_alike(seen, edit.was):
            return False
        if not is_alike(seen, edit.value):
            card = edit.card if isinstance(edit, SetField) else None
            field = edit.field if isinstance(edit, SetField) else edit.key
            where = place or Where(str(self.path))
            conflicts.append(Conflict(card, field, edit.was, seen, edit.value, where))
        return True


def _describe(edits: Sequence[Edit]) -> Step:
    if len(edits) > 1:
        return _describe_many(edits)
    match edits[0]:
        case SetField(card, field):
            return Step("set", card, field)
        case AddCard(values):
            return Step("add", str(values.get("name")))
        case CopyCard(card):
            return Step("copy", card)
        case RemoveCard(card):
            return Step("remove", card)
        case MoveCard(card):
            return Step("move", card)
        case SetKey(key):
            return Step("deck", field=key)


def _describe_many(edits: Sequence[Edit]) -> Step:
    cards = {edit.card for edit in edits if isinstance(edit, SetField)}
    if not all(isinstance(edit, SetField) for edit in edits):
        return Step("changes", n=len(edits))
    if len(cards) == 1:
        return Step("fields", cards.pop(), n=len(edits))
    return Step("values", n=len(edits), cards=len(cards))


def is_alike(one: Value, other: Value) -> bool:
    """Whether two values are the same to whoever reads them: 5 and 5.0 are, 1 and true are not."""
    if isinstance(one, bool) != isinstance(other, bool):
        return False
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    return one == other


def _see_yaml(deck: YamlDeck, edit: Edit) -> Value:
    """Return the value that a card or the deck has now."""
    if isinstance(edit, SetKey):
        return deck.head.get(edit.key)
    if not isinstance(edit, SetField):
        return None
    own = deck.get_own(edit.card)
    value = own.get(edit.field)
    if edit.field == "id":
        return edit.card
    if edit.field == "name":
        return str(value)
    if edit.field in own and (value is not None or edit.field not in CARD_KEYS):
        return value
    value = deck.get_default(edit.field)
    if value is None and edit.field == "count":
        return 1
    return DEFAULT_TEMPLATE if value is None and edit.field == "template" else value
