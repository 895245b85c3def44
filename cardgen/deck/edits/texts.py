"""A file's bytes as text that can be changed, and a changed text as bytes again.

Line ends and the byte order mark stay what they were, also where line ends differ from each other.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from difflib import SequenceMatcher
from typing import NamedTuple

from cardgen.core.reading import decode_text


class FileText(NamedTuple):
    """A text whose lines end in \\n, and the bytes that it was read from."""

    text: str
    data: bytes

    def encode(self, text: str) -> bytes:
        """Return a new text as bytes; what stays of the old one keeps its line ends."""
        mark = BOM_UTF8 if self.data.startswith(BOM_UTF8) else b""
        ends = self._list_ends()
        kinds = sorted(set(ends), key=ends.count)
        if len(kinds) < 2:
            written = text.replace("\n", kinds[0]) if kinds else text
        else:
            written = _join(text.split("\n"), self._match_ends(text, ends, kinds[-1]))
        return mark + written.encode()

    def _list_ends(self) -> list[str]:
        """Return what each line ends in."""
        if b"\r" not in self.data:
            return ["\n"] * self.text.count("\n")
        source = self.data.decode("utf-8-sig")
        ends, place = [], 0
        for line in self.text.split("\n")[:-1]:
            place += len(line)
            end = "\r\n" if source.startswith("\r\n", place) else source[place]
            ends.append(end)
            place += len(end)
        return ends

    def _match_ends(self, text: str, ends: list[str], usual: str) -> list[str]:
        old, new = self.text.split("\n"), text.split("\n")
        found = [usual] * (len(new) - 1)
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for kind, first, last, start, _ in matcher.get_opcodes():
            if kind in ("equal", "replace"):
                for step in range(last - first):
                    if start + step < len(found) and first + step < len(ends):
                        found[start + step] = ends[first + step]
        return found


def _join(lines: list[str], ends: list[str]) -> str:
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))


def read_file_text(data: bytes, file: str) -> FileText:
    """Return the text of UTF-8 bytes."""
    text = decode_text(data, file)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return FileText(text, data)
