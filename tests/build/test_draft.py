"""Drafts: what is wrong is drawn on the cards and keeps none from being printed; and all that is
wrong is said in one run, whether a draft is asked for or not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest
from conftest import Project
from making import plan_build
from PIL import ImageChops
from pypdf import PdfReader

from cardgen.build import draw, faults
from cardgen.core.errors import Problem
from cardgen.layout.draft import DraftComposer
from cardgen.layout.face import Face
from cardgen.layout.subject import Subject
from cardgen.project.project import open_deck
from cardgen.template.model import Node

STYLES = """<style name="small" font="Alegreya Sans" size="9pt"/>
<style name="other" font="No Such Font" size="12pt"/>
"""
SPELL = f"""{STYLES}<box bleed="true" fill="pael"/>
<column x="5mm" y="5mm" right="5mm" bottom="5mm" gap="1mm">
  <text style="small" fit="line" min="8pt">{{{{ card.name }}}}</text>
  <row gap="1mm">
    <icon name="{{{{ card.element }}}}" width="6mm" height="6mm"/>
    <text style="small">{{{{ card.cost + 1 }}}}</text>
  </row>
  <image file="{{{{ card.art }}}}" height="20mm"/>
  <text style="small" height="12mm">{{{{ card.text }}}}</text>
  <text style="small">{{{{ card.levle }}}}</text>
  <text style="other" if="card.name == 'Storm'">{{{{ card.name }}}}</text>
</column>"""
TOO_LONG = "layout/content-too-long"
LONG = "Burns for a very long time, and then for longer than anybody would have thought. " * 3
SPELLS = f"""
  - {{name: Fireball, element: fier, cost: 3, art: no.png, text: "{LONG}", level: 1}}
  - {{name: Frost, element: fier, cost: x, art: no.png, text: "Cold :ise:", level: 1, cuont: 3}}
  - {{name: Storm, element: fier, cost: 3, art: it.png, text: Wind, level: 1, count: many}}
"""
# The codes of all that is wrong, and which card or template they are about.
WRONG = [
    ("name/unknown", "Fireball", "fier"),
    ("name/unknown", "Fireball", "no.png"),
    ("text/too-long", "Fireball", None),
    ("name/unknown", "Frost", "ise"),
    ("deck/unknown-field", "Frost", "cuont"),
    ("name/unknown", "Storm", "it.png"),
    ("deck/bad-count", "Storm", None),
    ("font/unknown-font", None, "No Such Font"),
    ("template/unknown-colour", None, "pael"),
    ("template/expression-fails", "Frost", None),
    ("template/unknown-field", "Fireball", "levle"),
]


@pytest.fixture
def spells(project: Project) -> Project:
    project.write_template(SPELL, attributes='size="poker" bleed="3mm"')
    project.write_deck(SPELLS)
    return project


def list_wrong(project: Project) -> list[tuple[str, str | None, str | None]]:
    records = json.loads(project.run("check", "deck", "--json").stdout)
    return [(one["code"], one["card"], one["details"].get("name")) for one in records]


def count_red(path: str = "output/deck-draft.pdf") -> int:
    """How many pixels are redder by more than 60 than they are green or blue."""
    picture = pypdfium2.PdfDocument(path)[0].render(scale=1).to_pil().convert("RGB")
    red, green, blue = picture.split()
    return sum(ImageChops.subtract(red, ImageChops.lighter(green, blue)).histogram()[61:])


def read_text(path: str = "output/deck-draft.pdf") -> str:
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def test_a_spell_deck_with_all_kinds_of_faults_is_told_of_in_one_run(spells: Project) -> None:
    assert list_wrong(spells) == WRONG
    ran = spells.run("build", "deck")
    assert (ran.code, ran.stdout) == (1, "")
    assert not Path("output/deck.pdf").exists()
    assert ran.stderr.count("hint:") == len(WRONG) - 1
    # What many cards lack is told of the first, and names the others.
    assert 'yaml:4:5: cards "Fireball", "Frost": there is no picture "no.png"\n' in ran.stderr
    assert 'cards "Fireball", "Frost", "Storm": unknown icon "fier"\n' in ran.stderr


def test_a_deck_without_cards_is_told_of_once_be_it_a_draft_or_not(project: Project) -> None:
    project.write("decks/deck.yaml", "title: Deck\ntemplate: plain\ncards: []\n")
    for ran in (project.run("build", "deck"), project.run("build", "deck", "--draft")):
        assert (ran.code, ran.stdout) == (1, "")
        assert ran.stderr.startswith("decks/deck.yaml:3:1: the deck has no cards\n")
        assert ran.stderr.count("hint:") == 1


def test_a_draft_prints_every_card_with_what_is_wrong(spells: Project) -> None:
    ran = spells.run("build", "deck", "--draft")
    assert ran.code == 1
    assert (
        ran.stdout == f"output/deck-draft.pdf: 3 cards on 1 page; a draft: {len(WRONG)} problems\n"
    )
    assert ran.stderr == spells.run("build", "deck").stderr
    text = read_text()
    for said in ("Fireball", "Storm", "Wind", "fier", "no.png", "it.png", "too long", "longer"):
        assert said in text
    for said in ('unknown field "levle" of card', "No Such Font", 'unknown field "cuont" in card'):
        assert said in text
    assert "DRAFT · Deck · " in text
    assert count_red() > 1000
    assert not list(Path("output").glob("*.json"))


def test_a_deck_without_fault_is_a_draft_without_red(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>")
    project.write_deck()
    ran = project.run("build", "deck", "--draft")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == "output/deck-draft.pdf: 1 card on 1 page; a draft: nothing is wrong\n"
    assert count_red() == 0


def test_a_page_without_a_slug_says_draft_on_the_card(project: Project) -> None:
    project.write_template("<text y='20mm'>{{ card.name }}</text>", attributes='size="poker"')
    project.write_deck()
    ran = project.run("build", "deck", "--draft", "--target", "one-up")
    assert (ran.code, ran.stderr) == (0, "")
    assert read_text("output/deck-one-up-draft.pdf").split() == ["Sword", "DRAFT"]


def test_what_is_wrong_with_all_cards_is_sorted_once_and_not_for_each(project: Project) -> None:
    class Counted(tuple[Problem, ...]):
        looks = 0

        def __iter__(self) -> Iterator[Problem]:
            Counted.looks += 1
            return super().__iter__()

    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker"')
    names = [f"Card {number}" for number in range(9)]
    project.write_deck("".join(f"  - {{name: {name}, count: many}}\n" for name in names))
    deck = open_deck("deck", draft=True).deck
    assert [problem.card for problem in deck.problems] == names
    plan = plan_build(replace(deck, problems=Counted(deck.problems)), draft=True)
    before = Counted.looks
    assert len(draw.draw(plan).find_hashes()) == 1
    assert Counted.looks == before + 1


def test_drafts_are_not_for_a_press_and_not_for_since(project: Project) -> None:
    project.write_template("<text>{{ card.name }}</text>", attributes='size="poker" bleed="3mm"')
    project.write_deck()
    for target in ("press", "press-x1a", "gamecrafter"):
        ran = project.run("build", "deck", "--draft", "--target", target)
        assert (ran.code, ran.stdout) == (1, "")
        assert ran.stderr.startswith(f'the target "{target}" prints no drafts\n')
    assert not Path("output").exists()
    assert project.run("build", "deck", "--draft", "--since", "HEAD").code == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        # A column that is too long is drawn as long as it is, and its texts are not to blame.
        (
            '<column height="5mm"><text>{{ card.name }}</text><text grow="1">{{ card.text }}</text>'
            '<text size="30pt">{{ card.name }}</text></column>',
            [TOO_LONG],
        ),
        # A picture that is missing has a size that nobody chose.
        ('<column height="9mm"><image file="{{ card.name }}"/></column>', ["name/unknown"]),
        ('<box x="40mm" width="30mm" fill="black"/>', ["layout/beyond-the-card"]),
        ('<text width="9mm">{{ card.text }}</text>', ["text/word-too-wide"]),
        ('<text turn="90" width="4mm" height="9mm">{{ card.text }}</text>', ["text/word-too-wide"]),
        ('<box for="x in card.name"/><text>{{ card.name }}</text>', ["template/loop-needs-list"]),
        ('<let name="a" value="card.cost + 1"/><text>{{ a }}</text>', ["template/unknown-field"]),
        ('<flow height="3mm" style="body">{{ card.text }}</flow>', ["text/too-long"]),
        (
            '<table columns="grow" height="1mm"><tr><td>a</td></tr></table>',
            [TOO_LONG],
        ),
        ('<table columns="4mm"><tr><td>{{ card.text }}</td></tr></table>', ["text/word-too-wide"]),
    ],
)
def test_each_fault_is_drawn_and_told_of_once(project: Project, body: str, said: list[str]) -> None:
    style = '<style name="body" font="Alegreya Sans" size="9pt"/>'
    project.write_template(style + body, attributes='size="50mm x 40mm"')
    project.write_deck("  - {name: Axe, text: A staggeringlylongword and many others here}\n")
    ran = project.run("build", "deck", "--draft")
    assert (ran.code, "1 card on 1 page" in ran.stdout) == (1, True), ran
    assert [code for code, *_ in list_wrong(project)] == said
    assert count_red() > 10


def test_a_box_for_a_text_without_a_height_hides_nothing_below_it(project: Project) -> None:
    body = "<text font='No Such Font'>{{ card.name }}</text><text>{{ card.naem }}</text>"
    project.write_template(body, attributes='size="50mm x 40mm"')
    project.write_deck()
    assert project.run("build", "deck", "--draft", "--target", "one-up").code == 1
    page = pypdfium2.PdfDocument("output/deck-one-up-draft.pdf")[0].render(scale=1).to_pil()
    assert page.getpixel((page.width // 2, page.height // 2)) == (255, 255, 255)


def test_all_processes_draw_the_same_draft(
    spells: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = "  - name: Lost\n    template: gone\n"
    spells.write_deck(SPELLS + SPELLS.replace("name: ", "name: Old ") + lost)
    results = []
    for parts in (1, 3):
        monkeypatch.setattr(draw, "FEWEST_PAGES", 1)
        monkeypatch.setattr(draw, "count_parts", lambda *_, parts=parts, **__: parts)
        ran = spells.run("build", "deck", "--draft", "--target", "one-up", "--out", str(parts))
        data = Path(f"{parts}/deck-one-up-draft.pdf").read_bytes()
        results.append((ran.stderr, data))
    assert results[0] == results[1]
    assert "Old Fireball" in results[0][0]
    assert 'unknown template "gone"' in read_text("1/deck-one-up-draft.pdf")


def test_a_very_large_deck_is_not_drawn_once_more(
    spells: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "MOST_MADE_AGAIN", 2)
    assert [code for code, *_ in list_wrong(spells)] == [
        "deck/unknown-field",
        "deck/bad-count",
        "template/unknown-colour",
    ]


def test_of_a_deck_with_faulty_faces_these_alone_are_made_once_more(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write_template(
        "<text>{{ card.name }}</text><icon name='{{ card.a }}' width='5mm' height='5mm'/>"
        "<icon name='{{ card.b }}' width='5mm' height='5mm'/>"
    )
    names = [f"  - {{name: Card {n}, a: sword, b: sword, count: 2}}\n" for n in range(9)]
    names[4] = "  - {name: Axe, a: swrd, b: bwo, count: 2}\n"
    project.write_deck("".join(names))
    made = list[str]()
    compose = DraftComposer.compose

    def note(self: DraftComposer, nodes: Sequence[Node], subject: Subject) -> Face:
        made.append(subject.card or "")
        return compose(self, nodes, subject)

    monkeypatch.setattr(DraftComposer, "compose", note)
    said = [(code, name) for code, _, name in list_wrong(project)]
    assert said == [("name/unknown", "swrd"), ("name/unknown", "bwo")]
    assert made == ["Axe"]


def test_what_is_wrong_with_a_template_is_not_said_again_for_each_card(project: Project) -> None:
    project.write_template("<image/><circle/><text size='9'>{{ card.name }}</text>")
    project.write_deck("  - {name: Axe}\n  - {name: Bow}\n")
    said = project.run("build", "deck").stderr
    assert said.count("<image> has no file") == 1
    assert said.count("a shape without fill and stroke is not seen") == 1
