"""Turns the markup of other tools into ours: tags of HTML, forums, wikis and data, and Markdown.

Only what is known is taken out; a sign such as < stays. Knows nothing of cards.
"""

from __future__ import annotations

import html
import re

_BREAK = re.compile(
    r"<(?:br|hr)\s*/?>|</(?:p|div|li|h\d|tr|table|ul|ol|blockquote)>|\\13\\|\\n(?-i:(?![a-z]))",
    re.IGNORECASE,
)
_CELL = re.compile(r"</t[dh]>(?=\s*<t[dh]\b)", re.IGNORECASE)
_ITEM = re.compile(r"<li\b[^<>]*>|\[\*\]", re.IGNORECASE)
_BOLD = re.compile(r"<(/?)(?:b|strong|h\d)(?:\s[^<>]*)?>|\[(/?)b\]", re.IGNORECASE)
_ITALIC = re.compile(r"<(/?)(?:i|em|cite)(?:\s[^<>]*)?>|\[(/?)i\]", re.IGNORECASE)
_OTHER = re.compile(
    r"</?(?:u|s|p|div|span|font|sup|sub|small|big|tt|center|ul|ol|a|strike|img|tr|td|th|table|tbody"
    r"|thead|blockquote|code|section|article)(?:[\s=][^<>]*)?/?>"
    r"|\[/?(?:u|s|url|img|list|center|quote|size|color)(?:=[^\[\]\n]*)?\]",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)
_TAG = re.compile(r"\{@(\w+) ([^{}]*)\}")  # {@damage 2d6}
_WIKI = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]+)\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))+(?: \"[^\"\n]*\")?\)")
_CODE = re.compile(r"(`{1,3})([^`\n]+)\1")
_HEADING = re.compile(r"(?m)^[ \t]*#{1,6}[ \t]+(.+?)[ \t]*#*$")
_BULLETS = re.compile(r"(?m)^[ \t]*[-*+][ \t]+(?=\S)")
_RULE = re.compile(r"(?m)^[ \t]*\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t]*(?::?-{2,}:?)?[ \t]*\n?")
_ROW = re.compile(r"(?m)^[ \t]*\|(.+)\|[ \t]*$")
_DEEPEST = 5  # tags within tags


def read_markup(text: str) -> str:
    """Return the text with bold and italic as stars, and its lines parted."""
    if "\\" in text or "<" in text:
        text = _BREAK.sub("\n", text)
    if "{@" in text:
        text = _read_tags(text)
    if "<" in text or "[" in text:
        text = _CELL.sub(", ", text)
        text = _ITEM.sub("• ", text)
        text = _mark(text, _BOLD, "**")
        text = _mark(text, _ITALIC, "*")
        text = _OTHER.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: html.unescape(match[0]).replace("\xa0", " "), text)
    return _read_markdown(text)


def _read_tags(text: str) -> str:
    """Take out tags as {@b bold} and {@item sword|book|a sword}, the inner ones first."""
    for _ in range(_DEEPEST):
        text, times = _TAG.subn(_read_tag, text)
        if not times:
            break
    return text


def _read_tag(match: re.Match[str]) -> str:
    name, parts = match[1].lower(), match[2].split("|")
    shown = (parts[2] if len(parts) > 2 and parts[2] else parts[0]).strip()
    sign = {"b": "**", "bold": "**", "i": "*", "italic": "*"}.get(name, "")
    if shown.isdecimal():
        # A figure alone says little: {@dc 10} is DC 10.
        return f"{name.upper() if len(name) < 3 else name} {shown}"
    return f"{sign}{shown}{sign}"


def _read_markdown(text: str) -> str:
    """Take out what a text of a card does not have: links, headings, tables, bullets."""
    if "[" in text:
        text = _WIKI.sub(r"\1", text)
        text = _LINK.sub(r"\1", text)
    if "`" in text:
        text = _CODE.sub(r"\2", text)
    if "##" in text or ("#" in text and "\n" in text):
        text = _HEADING.sub(lambda match: f"**{match[1].strip('*')}**", text)
    if "|" in text and "--" in text and _RULE.search(text):
        text = _ROW.sub(_read_row, _RULE.sub("", text))
    if len(_BULLETS.findall(text)) > 1:
        text = _BULLETS.sub("• ", text)
    return text


def _read_row(match: re.Match[str]) -> str:
    first, *others = (cell.strip() for cell in match[1].split("|"))
    told = ", ".join(filter(None, others))
    first = first.strip("*")
    return f"**{first}**: {told}" if first and told else first or told


def _mark(text: str, tag: re.Pattern[str], mark: str) -> str:
    """Turn tags into stars; a text that is bold over several lines is so on each."""
    parts: list[str] = []
    start, depth = 0, 0
    for match in tag.finditer(text):
        parts.append(_cover(text[start : match.start()], mark if depth else ""))
        closes = any(match.groups())
        depth = max(0, depth - 1) if closes else depth + 1
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
