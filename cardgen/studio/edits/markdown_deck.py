"""Edits of a play sheet: a card whose texts are Markdown below front matter.

Only the lines of a value change. Knows nothing of what lies on the disk.
"""

from __future__ import annotations

from cardgen.core.errors import CardgenError, Where
from cardgen.deck.edits.pieces import Document
from cardgen.deck.edits.rewrite import rewrite
from cardgen.deck.edits.scalars import write_pairs
from cardgen.deck.head import split_front_matter
from cardgen.deck.markdown import TURN, Span, find_heading, find_heading_span, find_sides
from cardgen.deck.model import Value
from cardgen.studio.edits.faults import make_no_card, make_not_here
from cardgen.studio.edits.model import Edit, SetField, SetKey
from cardgen.studio.edits.yaml_deck import Fields, find_id, set_key

_TEXTS = ("text", "back_text")


class MarkdownDeck:
    """A deck of one card, whose `title` is the heading where nothing else is said."""

    def __init__(self, text: str, file: str, title: str) -> None:
        self.file = file
        self._text = text
        self._title = title

    def finish(self) -> str:
        """Return the text with all edits made."""
        return self._text

    def make(self, edit: Edit) -> None:
        """Make an edit."""
        match edit:
            case SetField():
                self._find(edit.card)
                self._set(edit)
            case SetKey():
                self._write_head(set_key(self._read_head(), edit))
            case _:
                raise make_not_here(
                    "another card, or none",
                    Where(self.file),
                    "a play sheet is a single card: write a deck in YAML",
                )

    def get_value(self, field: str) -> Value:
        """Return what the sheet says of a field."""
        head = self._read_head()
        if field in _TEXTS:
            spans = self._find_sides()
            span = spans[_TEXTS.index(field)] if len(spans) > _TEXTS.index(field) else None
            return None if span is None else self._text[span.start : span.end]
        if field == "name":
            return head.get("name") or head.get("title") or find_heading(self._body) or self._title
        return 1 if field == "count" and head.get("count") is None else head.get(field)

    @property
    def _body(self) -> str:
        return split_front_matter(self._text, self.file).body

    def _find_sides(self) -> list[Span]:
        body = self._body
        return [self._shift(span, body) for span in find_sides(body)]

    def _shift(self, span: Span, body: str) -> Span:
        """Return a part of the body as one of the whole text."""
        top = len(self._text) - len(body)
        return Span(span.start + top, span.end + top)

    def _find(self, card: str) -> None:
        own = find_id({"name": self.get_value("name"), "id": self._read_head().get("id")}, None)
        if card != own:
            raise make_no_card(card, [own], self.file)

    def _set(self, edit: SetField) -> None:
        if edit.field in _TEXTS:
            self._write_text(_TEXTS.index(edit.field), edit.value)
            return
        head = self._read_head()
        key = edit.field
        if key == "name" and head.get("name") is None:
            span = find_heading_span(self._body)
            if head.get("title") is None and span is not None:
                self._replace(self._shift(span, self._body), str(edit.value or "").strip())
                return
            key = "title"
        fresh = {name: value for name, value in head.items() if name != key}
        if edit.value is not None:
            fresh = {**head, key: edit.value}
        self._write_head(fresh)

    def _write_text(self, side: int, value: Value) -> None:
        """Write the text of a side; the front cannot do without one."""
        text = str(value or "").strip("\n")
        spans = self._find_sides()
        is_turned = any(line.rstrip() == TURN for line in text.split("\n"))
        if is_turned or (not text.strip() and side == 0):
            what = f'a line "{TURN}"' if is_turned else "a sheet without a text"
            hint = "it turns the sheet: the back has a text of its own"
            raise make_not_here(what, Where(self.file), hint if is_turned else "delete the file")
        if side < len(spans):
            if text:
                self._replace(spans[side], text)
            else:
                self._text = f"{self._text[: spans[0].end]}\n"
        elif text:
            self._text = f"{self._text.rstrip(chr(10))}\n\n{TURN}\n\n{text}\n"

    def _replace(self, span: Span, text: str) -> None:
        self._text = self._text[: span.start] + text + self._text[span.end :]

    # Front matter

    def _read_head(self) -> Fields:
        document = self._open_head()
        value = document.value if document is not None else None
        return value if isinstance(value, dict) else {}

    def _open_head(self) -> Document | None:
        front = split_front_matter(self._text, self.file)
        if front.problems:
            raise CardgenError.of(front.problems)
        span = self._find_head()
        return Document(self._text[span.start : span.end], self.file) if front.node else None

    def _find_head(self) -> Span:
        """Return where the front matter stands between its lines "---"; of none, its place."""
        front = split_front_matter(self._text, self.file)
        if front.line == 1:
            return Span(0, 0)
        top = len(self._text) - len(front.body)
        start = self._text.index("\n") + 1
        return Span(start, max(start, self._text.rindex("---", 0, top)))

    def _write_head(self, head: Fields) -> None:
        document, span = self._open_head(), self._find_head()
        if head == self._read_head():
            return
        if document is not None and head:
            self._replace(span, rewrite(document, head))
            return
        lines = "".join(f"{line}\n" for line in write_pairs(head, 0)) if head else ""
        if span.end:
            self._replace(span, lines)
        else:
            self._text = f"---\n{lines}---\n\n{self._text.lstrip(chr(10))}"
