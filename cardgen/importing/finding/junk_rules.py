"""Names the rules that know page numbers and other things beside a page's text. Data alone."""

from __future__ import annotations

import re
from typing import NamedTuple


class JunkRule(NamedTuple):
    name: str
    looks_for: str  # in a whole line, whatever its capitals


_SUFFIX = (
    r"(?:qxd|qxp|indd?|pmd|pm\d|p65|jpe?g|tiff?|eps|png|gif|psd|ai|pdf|docx?|"
    r"odt|rtf|txt|bmp|cdr|pub|html?)"
)

JUNK = (
    JunkRule(
        "page number",
        r"\W*\d(?: \d){1,3}\W*|\W*(?=[lio]*\d)[\dlio]{2,3}\W*|"
        r"\W*(?:(?:page|pg\.?|p\.|seite)\s*)?\d{1,4}"
        r"(?:\s*(?:of|/)\s*\d{1,4})?\W*",
    ),
    JunkRule(
        "page number",
        (
            r"\W*(?:page|pg\.?|seite)\s+(?:\d{1,4}|[ivxlc]+)(?:\s*(?:of|"
            r"/)\s*\d{1,4})?\W*"
        ),
    ),
    JunkRule("page number", r"[-–—~*]\s*(?:\d{1,4}|[ivxlc]+)\s*[-–—~*]"),
    JunkRule(
        "file name",
        (
            rf"(?:[a-z]:\\)?(?:[\w.()~&-]+[ \\/]){{0,5}}[\w.()~-]*[\w)~]\.{_SUFFIX}\b"
            rf"(?:[\s\d/:.,-]|[ap]m\b|page|seite|"
            rf"\b\d+\b)*"
        ),
    ),
    JunkRule(
        "picture",
        (
            r"!\[[^\]]*\]\[[^\]]*\]|!\[[^\]]*\]\([^)]*\)(?:\{[^{}]*\})?|<!--.*-->|\[\[?(?:image|picture|photo|illustration|figure|"
            r"table of contents|file)\b[^\]]*\]\]?|<img\b.*>|\(?(?:illustration|"
            r"picture) (?:here|omitted|missing)\)?"
        ),
    ),
    JunkRule(
        "caption",
        (
            r"\(?(?:above|below|left|right|opposite|overleaf|centre|center|top|bottom|"
            r"inset|facing page|this page)(?: (?:left|right|and \w+))?\s?[:.–—-]\s?.+"
        ),
    ),
    JunkRule(
        "caption",
        (
            r"(?:figure|fig\.?|plate|photo(?:graph)?s?(?: by)?|picture|illustration|"
            r"illustrated by|painted by|art(?:work)? by|caption|"
            r"diagram)\s*(?:\d+[\w.]*)?\s*[:.–—-]\s.+"
        ),
    ),
    JunkRule(
        "caption",
        (
            r"(?:photo(?:graph)?s?|illustrations?|art(?:work)?|pictures?|miniatures?|"
            r"models?) (?:by|courtesy of|from)\b.+"
        ),
    ),
    JunkRule(
        "of a web page",
        (
            r"\W*(?:back to )?(?:\[\d+\])?\W*top\W*|\W*(?:home|next|previous|prev|back|menu|index|"
            r"print(?: this page)?|share|log ?in|search|reply|quote)\W*|re:\s.*|posts:\s*\d.*|"
            r"(?:joined|location|registered|posted|last edited|last changed|last updated):?\s.*|"
            r"by \S+ [»|].*|(?:display posts|powered by|best viewed|post a reply|moderators:|"
            r"board index)\b.*|(?:\[\W*(?:back|next|home|top|prev|index|contents|up|line|"
            r"logo|edit)[^\[\]]*\]\s*)+|advertisement|page:?\s.*\bnext\b.*|"
            r"\[\d+\]\w+(?: \[\d+\][\w ]+)+|\d+ of \d+ shown"
        ),
    ),
    JunkRule(
        "of a wiki",
        r"\{\{.*|\}\}|\|\s*[\w ]+=.*|__[A-Z]+__|\[\[(?:category|kategorie|file|image):.*",
    ),
    JunkRule(
        "of a page",
        r"\[\s*(?:cut|fold|insert|blank|photo|image|map|end|see|continued|picture|overleaf)\b[^\[\]]*\]",
    ),
    JunkRule("dirt", r"(?:[^\w\s]|_){1,3}(?:\s+(?:[^\w\s]|_){1,3}){0,4}"),
    JunkRule("address", r"(?:https?://|www\.)\S+|\S+@\S+\.\w{2,}"),
    JunkRule(
        "copyright",
        (
            r"(?:©|\(c\)|copyright|all rights reserved|permission (?:is )?granted|"
            r"printed in|isbn)(?!\w).*"
        ),
    ),
    JunkRule(
        "continued",
        (
            r"\(?(?:continued|cont\.?|cont'd|continues)(?: (?:on|from|over|"
            r"next).*)?\)?\.?|(?:turn to|see) page \d+\.?"
        ),
    ),
)

# What a line ends with that ends a sentence or a clause.
SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]*]*$")

# Words that a hyphen belongs to, though the line ends behind it.
KEEPS_HYPHEN = (
    r"(?:anti|non|half|self|semi|well|ill|all|two|three|four|five|six|double|"
    r"single|long|short|high|low|hand|counter|ex|mid|extra|cross|ultra|pre)"
    r"|re(?=-(?:roll|enter|deploy|use|us|take|fight|draw|group|arm|test|join|"
    r"charg|cast|shoot|form|start|join))"
)

# Words that stand before the hyphen of a name, where a syllable would stand otherwise.
FIRST_OF_TWO = re.compile(
    r"(?:slow|quick|swift|hard|soft|dark|bright|red|blue|black|white|green|grey|gold|silver|iron|"
    r"steel|stone|cold|hot|sharp|broad|bare|heavy|light|old|new|far|near|first|second|third|great|"
    r"ever|never|sea|sky|sun|moon|star|blood|fire|frost|bone|wind|storm|wolf|bear|dragon|"
    r"{keeps})".replace("{keeps}", KEEPS_HYPHEN),
    re.IGNORECASE,
)

# Words so usual that a letter torn off before them is a word itself: "A" + "unit".
USUAL_WORDS = re.compile(
    r"(?:a|an|and|any|are|at|be|but|by|can|card|character|each|enemy|for|friendly|from|game|general|"
    r"has|have|he|hero|his|if|in|is|it|its|may|model|must|no|not|of|on|once|one|or|player|roll|single|"
    r"six|spell|stand|that|the|then|this|three|to|turn|two|unit|units|was|when|which|wizard|with)"
)
