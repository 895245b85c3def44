"""Texts in LaTeX: glossaries, recipes and lists of spells with macros of the writer's own."""

from __future__ import annotations

from itertools import pairwise

from finding_cards import EIGHT, TEXT, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading.markups import turn_markup
from cardgen.importing.reading.text import read_text_blocks

HEAD = "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\title{Words}\n\\begin{document}\n"


def read(text: str, name: str = "a.tex") -> tuple[Candidate, ...]:
    return recognise(read_text_blocks(turn_markup(text, name), name)).cards


def test_terms_of_descriptions() -> None:
    items = "".join(f"    \\item[{name}] {TEXT} % a remark\n" for name in EIGHT)
    begun = "\\begin{multicols}{2}\n\\begin{description}[noitemsep]\n"
    cards = read(f"\\section{{Words}}\n{begun}{items}\\end{{description}}\n")
    assert [card.name for card in cards] == [*EIGHT]
    assert {card.text for card in cards} == {TEXT}


def test_sections_with_accents_and_faces() -> None:
    """A title may stand on several lines, and signs are what they stand for."""
    text = "".join(
        f"\\subsection*{{\n{name} \\\"Uber {n}\n}}\nA \\textbf{{bold}} caf\\'e, 5\\% of it -- "
        f"\\emph{{all}}~of it.\\footnote{{Or not.}}\n\n"
        for n, name in enumerate(EIGHT)
    )
    cards = read(f"{HEAD}{text}\\end{{document}}\n", "a.txt")
    assert [card.name for card in cards] == [f"{name} Über {n}" for n, name in enumerate(EIGHT)]
    assert {card.text for card in cards} == {"A **bold** café, 5% of it – *all* of it. (Or not.)"}


def test_macros_of_the_writer_are_what_they_are_defined_as() -> None:
    macro = (
        "\\newcommand{\\spell}[3]{\n  \\textbf{\\large{#1}} \\\\\n  \\textbf{Cost:} #2 \\\\\n"
        "  \\textbf{Effect:} #3\\\\\n}\n"
    )
    spells = "".join(
        f"\\spell{{{name}}}{{{n} reeds}}{{{TEXT}}}\n\n" for n, name in enumerate(EIGHT, 1)
    )
    cards = read(f"{macro}\\section{{Spells}}\n\n{spells}")
    assert [card.name for card in cards] == [*EIGHT]
    assert tell(cards[2])["cost"] == "3 reeds"
    assert cards[2].text == TEXT


def test_macros_that_nobody_defined_name_what_they_are_given_first() -> None:
    entries = "".join(f"\\entry{{{name}}}{{{TEXT}}}%\n" for name in EIGHT)
    assert [card.name for card in read(f"{HEAD}{entries}\\end{{document}}\n")] == [*EIGHT]


def test_rows_of_tables() -> None:
    rows = "".join(f"{name} & {n} & {TEXT} \\\\\n" for n, name in enumerate(EIGHT, 1))
    head = "\\begin{tabular}{llp{5cm}}\nName & Power & Text \\\\ \\hline\n"
    table = f"{head}{rows}\\end{{tabular}}\n"
    cards = read(f"\\section{{Things}}\n{table}")
    assert [card.name for card in cards] == [*EIGHT]
    assert [dict(card.other)["power"] for card in cards] == [*"12345678"]


def test_broken_macros_are_read_as_far_as_they_go() -> None:
    """A brace that nothing closes, macros that hold themselves, and lines stay in their places."""
    text = "\\newcommand{\\again}{\\again \\again}\n\\section{A\n\\again{b\n\\textbf{c} \\item[d\n"
    turned = turn_markup(text, "a.tex")
    assert turned.count("\n") == text.count("\n")
    assert "**c**" in turned


def test_macros_that_grow_without_end_stop() -> None:
    """Each holds the next one twice: written out they would be a million words."""
    macros = "".join(
        f"\\newcommand{{\\m{a}}}{{\\m{b} \\m{b}}}\n" for a, b in pairwise("abcdefghijklmnopqrst")
    )
    turned = turn_markup(f"{macros}\\section{{A}}\n\\ma\n", "a.tex")
    assert turned.count("\n") == 21
    assert len(turned) < 100_000
