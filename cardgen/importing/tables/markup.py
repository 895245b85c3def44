"""Turns the markup of other tools into ours: tags of HTML, line ends of nanDECK.

Only what is known is taken out; a sign such as < stays. Knows nothing of cards.
"""

from __future__ import annotations

import html
import re

_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|h\d)>|\\13\\|\\n(?-i:(?![a-z]))", re.IGNORECASE)
_ITEM = re.compile(r"<li\b[^<>]*>", re.IGNORECASE)
_BOLD = re.compile(r"</?(?:b|strong|h\d)(?:\s[^<>]*)?>", re.IGNORECASE)
_ITALIC = re.compile(r"</?(?:i|em)(?:\s[^<>]*)?>", re.IGNORECASE)
_OTHER = re.compile(
    r"</?(?:u|s|p|div|span|font|sup|sub|small|big|tt|center|ul|ol|a|strike|img)(?:[\s=][^<>]*)?/?>",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)


def read_markup(text: str) -> str:
    """Return the text with bold and italic as stars, and its lines parted."""
    if "\\" in text or "<" in text:
        text = _BREAK.sub("\n", text)
    if "<" in text:
        text = _ITEM.sub("• ", text)
        text = _mark(text, _BOLD, "**")
        text = _mark(text, _ITALIC, "*")
        text = _OTHER.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\xa0", " "), text)
    return text


def _mark(text: str, tag: re.Pattern[str], mark: str) -> str:
    """Turn tags into stars; a text that is bold over several lines is so on each."""
    parts: list[str] = []
    start, depth = 0, 0
    for match in tag.finditer(text):
        parts.append(_cover(text[start : match.start()], mark if depth else ""))
        depth = max(0, depth - 1) if match[0][1] == "/" else depth + 1
        start = match.end()
    parts.append(_cover(text[start:], mark if depth else ""))
    return "".join(parts)


def _cover(text: str, mark: str) -> str:
    if not mark:
        return text
    lines = []
    for line in text.split("\n"):
        bare = line.strip()
        covered = f"{mark}{bare}{mark}" if bare else ""
        lines.append(line.replace(bare, covered, 1) if bare else line)
    return "\n".join(lines)
