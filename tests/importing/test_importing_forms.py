"""The ways in which people write a record: each fills six records, which must all come out."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from finding_cards import tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Block, Candidate, Pointed
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.text import read_text_blocks

RECORDS = (
    ("Otter Lens", "a disc of glass", "thieves", "12 crowns", 2,
     "It works once in a night, and only for the one who asked."),
    ("The Liar's Goblet", "cup with a twisted stem", "priests", "3 crowns", 4,
     "Ring it and wait. Someone will come, though not at once."),
    ("Bottled Squall", "sealed with lead", "sailors", "40 crowns", 1,
     "Let it dry, then rub it with salt until it shines again."),
    ("Hermit in a Jar", "quiet and old", "wizards", "7 crowns", 3,
     "He answers one question at each new moon. He is often wrong."),
    ("Prince Aldo's Tear", "said to be cursed", "bakers", "1 crown", 6,
     "Nobody may pass while it burns. It burns for an hour."),
    ("Salt of Seven Tears", "grey, from the coast", "widows", "25 crowns", 5,
     "Turn it over and begin again; the others lose their turn."),
    ("Tin Hat", "dented", "misers", "9 crowns", 2,
     "Wear it in the rain. It hums a tune you half remember."),
    ("Widow's Decanter", "green", "aunts", "60 crowns", 3,
     "Wine kept in it never grows less so long as one drinks."),
    ("Spyglass of Tuesday", "two draws", "clerks", "2 crowns", 4,
     "It shows what will stand before it six days hence."),
)  # fmt: skip
NAMES = [record[0] for record in RECORDS]
INTRODUCTION = "All that we sell is old. Some of it is broken.\n\n"
TOLD = "They are kept upstairs, and nobody may carry them out.\n\n"

SUBTITLES = (
    "{name}\n{S}\n{t}\n", "{name} - {s}\n{t}\n", "{name} ({s})\n{t}\n", "{name} ({s}). {t}\n",
    "{name} [{s}]\n{t}\n", "{name}, {s}. {t}\n", "{name}, {s}\n{t}\n", "{n}. {name}, {s}. {t}\n",
    "{n}. {name}, {s}\n   {t}\n", "{name}: {s}\n{t}\n", "{name}\n({s})\n{t}\n",
)  # fmt: skip
MARKED_SUBTITLES = (
    "**{name}**\n*{s}*\n{t}\n", "### {name} — {s}\n\n{t}\n", "### {name}: {s}\n\n{t}\n",
    "### {name}\n\n*{s}*\n\n{t}\n", "### {name} *{s}*\n\n{t}\n", "- **{name}** — *{s}.* {t}",
    "- **{name}** ({s}) — {t}", "- **{name}**, {s}: {t}", "**{name}** · {p} · {s}\n{t}\n",
)  # fmt: skip
PRICES = (
    "{name}. {t} {p}.\n", "{name}.--{t} {p}.\n", "{name}. {t} ({p})\n", "{name}\n{t}\n{p}\n",
    "{name}\n{p}\n{t}\n", "{name}                 {p}\n{t}\n", "{name}, {p}. {t}\n",
    "{n}. {name}                 {p}\n{t}\n", "{name}, {p}\n{t}\n", "{name} ........ {p}\n{t}\n",
)  # fmt: skip
BEARERS = ("{name} ({w} only)\n{t}\n", "{name}\nFor {w} only\n{t}\n", "{name}\n{t} {W} only.\n")
LABELS = (
    "{name}\n{t}\nOrigin: {S}\n", "{name}. {t} Origin: {s}.\n", "{name}. {t} — Origin: {s}.\n",
    "{name}. Origin: {s}. {t}\n",
)  # fmt: skip
COPIES = (
    "{name} x{c}\n{t}\n", "{name} (x{c})\n{t}\n", "{c}x {name}\n{t}\n", "{c} × {name}\n{t}\n",
    "{name}\nCopies: {c}\n{t}\n", "{name} ({c} copies)\n{t}\n", "{name} ({c} cards)\n{t}\n",
    "{name} - {c} copies\n{t}\n", "{name}, {c} copies\n{t}\n", "{name}\n{c} in the deck\n{t}\n",
)  # fmt: skip


def fill(form: str, n: int, *, capitals: bool = False) -> str:
    name, subtitle, bearer, price, copies, text = RECORDS[n]
    return form.format(
        name=name.upper() if capitals else name, s=subtitle, S=subtitle.capitalize(), w=bearer,
        W=bearer.capitalize(), p=price, c=copies, t=text, n=n + 1,
    )  # fmt: skip


def read(body: str, suffix: str) -> list[Block]:
    if suffix == "html":
        page = f"<body><h1>Wares</h1><p>{INTRODUCTION}</p>{body}</body>"
        return read_html_blocks(page, "a.html", 5000)
    above = "# Wares" if suffix == "md" else "Wares of the Company"
    return read_text_blocks(f"{above}\n\n{INTRODUCTION}{body}", f"a.{suffix}")


def tell_plainly(card: Candidate) -> dict[str, str]:
    """Return all that a card says, as one would read it."""
    return {key: str(value).strip(" .*").casefold() for key, value in tell(card).items()}


def find(form: str, suffix: str, *, capitals: bool = False, more: str = "") -> list[dict[str, Any]]:
    body = more + "\n".join(fill(form, n, capitals=capitals) for n in range(6))
    return [tell_plainly(card) for card in recognise(read(body, suffix)).cards]


def expect(**fields: str) -> list[dict[str, Any]]:
    return [
        {
            key: fill(form, n).strip(" .*").casefold()
            for key, form in {"name": "{name}", "text": "{t}", **fields}.items()
            if (key, fill(form, n)) != ("count", "1")
        }
        for n in range(6)
    ]


@pytest.mark.parametrize("capitals", [False, True], ids=["names", "NAMES"])
@pytest.mark.parametrize(
    ("form", "fields"),
    [
        *((form, {"subtitle": "{s}"}) for form in SUBTITLES),
        *((form, {"cost": "{p}"}) for form in PRICES),
        *((form, {"who": "{w} only"}) for form in BEARERS),
        *((form, {"origin": "{s}"}) for form in LABELS),
        ("{name} ({p}, {w} only)\n{t}\n", {"cost": "{p}", "who": "{w} only"}),
        ("{name} - {p}; {w} only\n{t}\n", {"cost": "{p}", "who": "{w} only"}),
    ],
)
def test_a_form_of_plain_text(form: str, fields: dict[str, str], *, capitals: bool) -> None:
    assert find(form, "txt", capitals=capitals) == expect(**fields)


@pytest.mark.parametrize("form", COPIES)
def test_how_many_copies_there_are(form: str) -> None:
    assert find(form, "txt") == expect(count="{c}")


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        *(
            (form, {"subtitle": "{s}"} | ({"cost": "{p}"} if "{p}" in form else {}))
            for form in MARKED_SUBTITLES
        ),
        ("**{name}**\n{t} *{W} only.*\n", {"who": "{w} only"}),
        ("**{name}**\n{t}\n*Origin: {s}*\n", {"origin": "{s}"}),
        ("### {name}\n\n**{s}**\n\n{t}\n", {"subtitle": "{s}"}),
        ("### {name} `{p}`\n\n{t}\n", {"cost": "{p}"}),
        ("- **{name}** ({p}) – {t}", {"cost": "{p}"}),
        ("- **{name}:** {t} *({p})*", {"cost": "{p}"}),
        ("### {name}\n\n*{W} only*\n\n{t}\n", {"who": "{w} only"}),
        ("**{name}**  \nPrice: {p}  \nFor: {w}  \n{t}\n", {"cost": "{p}", "who": "{w}"}),
        ("**{name}** | {p} | {w} only\n{t}\n", {"cost": "{p}", "who": "{w} only"}),
        ("**{name}** ×{c}\n{t}\n", {"count": "{c}"}),
        ("### {name} (×{c})\n\n{t}\n", {"count": "{c}"}),
        ("- {c}x **{name}** – {t}", {"count": "{c}"}),
    ],
)
def test_a_form_of_markdown(form: str, fields: dict[str, str]) -> None:
    assert find(form, "md") == expect(**fields)


PRICED = {"cost": "{p}"}
BOTH = {"cost": "{p}", "origin": "{s}"}
LEANING = {"subtitle": "{s}"}


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("<h3>{name}</h3><p>{t}</p>", {}),
        ("<h3>{name}</h3><p><em>{s}</em></p><p>{t}</p>", LEANING),
        ("<h3>{name} <small>{s}</small></h3><p>{t}</p>", LEANING),
        ("<h3>{name}</h3><dl><dt>Price</dt><dd>{p}</dd><dt>Origin</dt><dd>{s}</dd></dl><p>{t}</p>",
         BOTH),
        ("<h3>{name}</h3><ul><li><b>Price:</b> {p}</li><li><b>Origin:</b> {s}</li></ul><p>{t}</p>",
         BOTH),
        ("<h3>{name}</h3><p>Price: {p}<br>Origin: {s}<br>{t}</p>", BOTH),
        ("<h3>{name}</h3><table><tr><th>Price</th><td>{p}</td></tr><tr><th>Origin</th><td>{s}</td>"
         "</tr></table><p>{t}</p>", BOTH),
        ("<p><b>{name}</b> {t}</p>", {}),
        ("<p><b>{name}</b><br><i>{s}</i><br>{t}</p>", LEANING),
        ("<p><b>{name}</b> ({p})<br>{t}</p>", PRICED),
        ("<ul><li><b>{name}</b>: {t}</li></ul>", {}),
        ("<dl><dt>{name} ({p})</dt><dd>{t}</dd></dl>", PRICED),
        ("<dl><dt>{name}</dt><dd>Price: {p}</dd><dd>{t}</dd></dl>", PRICED),
        ("<div class='card'><div class='name'>{name}</div><div class='price'>{p}</div>"
         "<div class='text'>{t}</div></div>", PRICED),
        ("<h3>{name} <span class='price'>{p}</span></h3><p>{t}</p>", PRICED),
        ("<article><header><h3>{name}</h3><span>{p}</span></header><p>{t}</p></article>", PRICED),
        ("<details><summary>{name}</summary><p>{t}</p></details>", {}),
    ],
)  # fmt: skip
def test_a_form_of_a_web_page(form: str, fields: dict[str, str]) -> None:
    assert find(form, "html") == expect(**fields)


@pytest.mark.parametrize(
    ("head", "row", "fields"),
    [
        ("<tr><th>Item</th><th>Price</th><th>Effect</th></tr>",
         "<tr><td>{name}</td><td>{p}</td><td>{t}</td></tr>", PRICED),
        ("", "<tr><td>{name}</td><td>{p}</td><td>{t}</td></tr>", PRICED),
        ("<tr><th>Item</th><th>Effect</th></tr>",
         "<tr><td><b>{name}</b><br><i>{s}</i></td><td>{t}</td></tr>", LEANING),
        ("<tr><th>Item</th><th>Effect</th></tr>",
         "<tr><td>{name}<br><small>{s}</small></td><td>{t}</td></tr>", LEANING),
        ("<tr><th>Item</th><th>Weight</th></tr>",
         "<tr><td><b>{name}</b> {t}</td><td>{n}7</td></tr>", {"weight": "{n}7"}),
    ],
)  # fmt: skip
def test_a_form_of_a_table(head: str, row: str, fields: dict[str, str]) -> None:
    assert find(row, "html", more=f"<table>{head}") == expect(**fields)


# Chapters

TITLES = ("Vessels for the Table", "Instruments of Sight", "Things Better Not Shaken")
HEADS = (
    "{c}", "{C}", "                      {C}", "{n}. {c}", "{n}. {C}", "{i}. {C}",
    "Chapter {n}: {c}", "Chapter {i}. {c}", "{c}\n-----------------------", "== {c} ==", "{c}:",
    "{C} (3 cards)",
    "--- {C} ---", "{l}. {c}",
)  # fmt: skip
ENTRIES = (
    "{name}   {p}\n{t}\n", "{name}\n{t}\n", "{name}\nPrice: {p}\n{t}\n", "{n}. {name}\n{t}\n",
    "{n}. {name} ({p})\n{t}\n", "{name}. {t}\n", "{name} - {t}\n", "{name}: {t}\n",
    "- {name}: {t}", "{name} ........ {p}\n   {t}\n",
)  # fmt: skip


@pytest.mark.parametrize("told", ["", TOLD], ids=["names below", "an introduction below"])
@pytest.mark.parametrize(("head", "entry"), [*product(HEADS, ENTRIES)])
def test_a_form_of_chapters(head: str, entry: str, told: str) -> None:
    text = ""
    for n, title in enumerate(TITLES):
        above = head.format(c=title, C=title.upper(), n=n + 1, i="I" * (n + 1), l="ABC"[n])
        entries = "\n".join(fill(entry, 3 * n + one) for one in range(3))
        text += f"{above}\n\n{told}{entries}\n\n"
    blocks = read(text, "txt")
    for names in ((), (NAMES[0], NAMES[4])):
        cards = recognise(blocks, Pointed(names=names)).cards
        assert [(card.name, card.kind, card.text) for card in cards] == [
            (name, TITLES[n // 3], text) for n, (name, *_, text) in enumerate(RECORDS)
        ]
