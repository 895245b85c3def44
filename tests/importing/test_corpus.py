"""The scorer of `make corpus`: what it counts as right, and what it never shows."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import corpus
import pytest
import yaml
from judging import Card, Judged, Judgement, call_alike, judge, make_card
from pinned_scores import Score
from reliability import bin_cards, draw_curve

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Pointed
from cardgen.importing.reading.sources import Source, read_blocks

TRUTH: list[dict[str, Any]] = [
    {"name": "Ember Blade", "cost": 10, "stats": {"Move": 20}, "text": "It burns twice."},
    {"name": "Wooden Spoon", "cost": "1,000 gp", "who": "Cooks only", "text": "It stirs."},
    {"name": "Salt Lamp", "count": 2, "kind": "Lights", "text": "It glows at night."},
]
ARTICLE = """\
# Things of the house

Some words before the list, which say nothing of a card.

EMBER BLADE
Cost: 10 points
The bearer strikes first in every combat.

WOODEN SPOON
Cost: 5 points
The bearer eats before all others do.

SALT LAMP
Cost: 15 points
Nobody is surprised while the lamp burns.
"""


def make_cards(*changes: dict[str, Any]) -> list[Card]:
    return [make_card({**raw, **more}) for raw, more in zip(TRUTH, changes, strict=False)]


def judge_changed(*changes: dict[str, Any]) -> Judgement:
    changed = [*changes, *({} for _ in TRUTH[len(changes) :])]
    return judge(make_cards({}, {}, {}), make_cards(*changed))


def test_what_is_right_in_all_has_no_fault() -> None:
    found = judge_changed()
    assert found.faults == ()
    assert found.scores.names == Score(3, 3, 3)
    assert found.scores.fields == Score(6, 6, 6)
    assert found.scores.words == Score(9, 9, 9)
    assert found.scores.pieces == Score(12, 12, 12)
    assert found.cards == (Judged(1.0, True),) * 3


def test_what_reads_alike_is_right() -> None:
    found = judge_changed(
        {"name": "🔥 **EMBER  BLADE.**", "cost": "+10 points", "stats": None, "MOVE": "20"},
        {"cost": 1000, "who": "cooks only.", "text": "*it* stirs"},
        {"uses": ""},
    )
    assert found.faults == ()


def test_a_wrong_name_is_missing_and_one_too_many() -> None:
    found = judge_changed({"name": "Ember"})
    assert found.scores.names == Score(2, 3, 3)
    assert found.faults == ("Ember Blade: not found", "Ember: no card")
    assert found.scores.words == Score(6, 9, 9)
    assert [card.right for card in found.cards] == [True, True, False]


def test_a_missing_field() -> None:
    found = judge_changed({}, {"who": None})
    assert found.faults == ("Wooden Spoon: who is None, not 'cooks only'",)
    assert found.scores.fields == Score(5, 5, 6)
    assert found.known == {
        "cost": Score(2, 2, 2),
        "count": Score(1, 1, 1),
        "kind": Score(1, 1, 1),
        "others": Score(1, 1, 1),
        "who": Score(0, 0, 1),
    }
    assert [card.right for card in found.cards] == [True, False, True]


def test_a_cost_has_a_sign_and_a_decimal_comma() -> None:
    assert judge_changed({"cost": -10}).faults == ("Ember Blade: cost is '-10', not '10'",)
    wanted, given = make_card({"name": "a", "cost": "3,5 kg"}), make_card({"name": "a", "cost": 35})
    assert judge([wanted], [given]).faults == ("a: cost is '35', not '3.5'",)
    assert judge([wanted], [make_card({"name": "a", "cost": 3.5})]).faults == ()


def test_a_count_of_one_is_none() -> None:
    assert judge_changed({"count": 1}).faults == ()
    assert judge_changed({}, {}, {"count": 1}).faults == ("Salt Lamp: count is None, not '2'",)


def test_an_extra_card_costs_its_fields_and_words() -> None:
    appendix = make_card({"name": "Appendix", "cost": 3, "text": "None of the above."}, 0.4)
    found = judge(make_cards({}, {}, {}), [*make_cards({}, {}, {}), appendix])
    assert found.faults == ("Appendix: no card",)
    assert found.scores.names == Score(3, 4, 3)
    assert found.scores.fields == Score(6, 7, 6)
    assert found.scores.words == Score(9, 13, 9)
    assert found.cards[-1] == Judged(0.4, False)


def test_words_are_counted_as_often_as_they_stand() -> None:
    found = judge_changed({"text": "It burns: twice, twice and -1"})
    assert found.faults == ("Ember Blade: text has also 3: twice and -1",)
    assert found.scores.words == Score(9, 12, 9)
    assert found.scores.texts == Score(2, 3, 3)


def test_cards_of_one_name_are_taken_in_order() -> None:
    wanted = [make_card({"name": "Banner", "cost": cost}) for cost in (10, 30)]
    assert judge(wanted, wanted).scores.fields == Score(2, 2, 2)
    assert judge(wanted, wanted[::-1]).scores.fields == Score(0, 2, 2)
    assert judge(wanted, wanted[:1]).scores.names == Score(1, 1, 2)


def call(wanted: list[dict[str, Any]], given: list[dict[str, Any]]) -> list[dict[str, str]]:
    names = ("a", "b", "c")
    wants = [make_card({"name": n, **raw}) for n, raw in zip(names, wanted, strict=False)]
    gives = [make_card({"name": n, **raw}) for n, raw in zip(names, given, strict=False)]
    return [dict(card.fields) for card in call_alike(wants, gives)]


def test_a_field_is_right_under_the_word_of_its_document() -> None:
    wanted = [{"preis": "3 taler"}, {"preis": "5 taler"}, {"preis": "7 taler"}]
    given = [{"cost": 3}, {"cost": 5}, {"cost": 8}]
    assert call(wanted, given) == [{"preis": "3 taler"}, {"preis": "5 taler"}, {"preis": "8"}]
    few = [{"cost": 3}, {"cost": 4}, {"cost": 8}]
    assert call(wanted, few) == [{"cost": "3"}, {"cost": "4"}, {"cost": "8"}]


def test_a_field_that_both_have_keeps_its_name() -> None:
    both = [{"preis": 3, "cost": 3}]
    assert call(both, [{"cost": 3}]) == [{"cost": "3"}]
    assert call([{"preis": 3}], [{"preis": 3, "cost": 3}]) == [{"preis": "3", "cost": "3"}]
    assert call([{"stück": 3}], [{"count": 3}]) == [{"count": "3"}]  # it prints copies, or none
    assert call([{"cost": 3}], [{"preis": 3}]) == [{"preis": "3"}]  # no word that the truth has


def test_a_cost_of_nothing_may_be_a_word() -> None:
    assert call([{"cost": "free"}], [{"cost": 0}]) == [{"cost": "free"}]
    assert call([{"cost": "3 gp"}], [{"cost": 0}]) == [{"cost": "0"}]


def test_a_chapter_is_right_without_its_number() -> None:
    wanted = make_card({"name": "a", "kind": "2. Weapons"})
    assert judge([wanted], [make_card({"name": "a", "kind": "WEAPONS"})]).faults == ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus whose every text has one fault: a cost of 11 where 15 is printed."""
    monkeypatch.setattr(corpus, "FOLDER", tmp_path)
    monkeypatch.setitem(sys.modules, "generated", SimpleNamespace(SHAPES=()))
    monkeypatch.delenv("RENEW", raising=False)
    for name in ("written/seen.txt", "locked/hidden.txt"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(ARTICLE, "utf-8")
        cards = [{"name": name} for name in ("Ember Blade", "Wooden Spoon", "Salt Lamp")]
        cards[2]["cost"] = "11"
        path.with_suffix(".yaml").write_text(yaml.safe_dump({"cards": cards}), "utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_faults_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    corpus.main(["--faults", "--set", "written"])
    said = capsys.readouterr().out
    assert "    seen.txt: Salt Lamp: cost is '15', not '11'" in said
    assert "seen.txt                       3   1.000 1.000   0.000 0.000" in said
    assert "  cost                                        1   0.000 0.000\n" in said
    assert "F1 of fields 0.000; least 0.000 seen.txt; 1 of 1 below 0.8" in said


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", [[], ["--set", "locked"], ["--text", "hidden.txt"]])
def test_faults_of_a_locked_text_are_never_shown(
    capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    corpus.main(["--faults", *more])
    said = capsys.readouterr().out
    assert "hidden.txt                     3   1.000 1.000   0.000 0.000" in said
    assert "hidden.txt: " not in said
    shown = [line for line in said.splitlines() if "seen.txt" not in line]
    assert not any("Lamp" in line or "11" in line for line in shown)
    (text,) = corpus.list_set("locked")
    assert corpus.judge_text(text, corpus.find_cards).faults == ()


def test_public_truth_speaks_of_its_own_fields_alone(folder: Path) -> None:
    (text,) = corpus.list_set("public", folder / "written")
    found = corpus.judge_text(text, corpus.find_cards)
    assert found.scores.words == Score(0, 0, 0)
    assert found.cards == ()  # nobody knows whether they are right in all
    assert found.faults[-1] == "seen.txt: Salt Lamp: cost is '15', not '11'"


def test_a_folder_of_public_documents(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "written/other.txt").write_text("No truth lies beside this one.", "utf-8")
    corpus.main(["--set", "public", "--public", str(folder / "written"), "--faults"])
    said = capsys.readouterr().out
    assert "seen.txt: Salt Lamp: cost is '15', not '11'" in said
    assert "seen.txt                       3   1.000 1.000   0.000 0.000       -     -" in said
    assert "other.txt" not in said and "F1 of words" not in said and "sureness" not in said


def test_generated_documents(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ["Ember Blade", "Wooden Spoon", "Salt Lamp"]
    cards = [{"name": name} for name in names]

    def make_document(shape: str, seed: int) -> SimpleNamespace:
        text = ARTICLE if seed == 7 else "Nothing at all."
        return SimpleNamespace(name=f"{shape}-{seed}", suffix=".txt", text=text, cards=cards)

    made = SimpleNamespace(SHAPES=("capitals",), make_document=make_document)
    monkeypatch.setitem(sys.modules, "generated", made)
    corpus.main(["--set", "generated", "--seeds", "7-8"])
    said = capsys.readouterr().out
    assert "capitals                       6   1.000 0.500" in said
    assert "F1 of names  0.667; least 0.000 capitals-8.txt; 1 of 2 below 0.8" in said


@pytest.mark.usefixtures("folder")
def test_two_names_are_pointed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def find_pointed(_source: object, examples: Sequence[str]) -> list[Card]:
        asked.append(examples)
        return []

    monkeypatch.setattr(corpus, "find_cards", find_pointed)
    corpus.main(["--set", "written", "--names"])
    corpus.main(["--set", "written"])
    assert asked == [("Ember Blade", "Wooden Spoon"), ()]


def test_cards_in_bins_by_how_sure_they_are() -> None:
    cards = [Judged(0.2, False), Judged(0.95, True), Judged(0.9899, False), Judged(1.0, True)]
    bins = bin_cards(cards)
    assert [(one.low, one.cards, one.right) for one in bins] == [
        (0, 1, 0), (50, 0, 0), (80, 0, 0), (90, 0, 0), (95, 2, 1), (99, 1, 1),
    ]  # fmt: skip


def test_the_curve_tells_what_is_less_than_said_without_colour() -> None:
    drawn = draw_curve(bin_cards([Judged(0.85, False), Judged(0.995, True)]), "Sure")
    root = ElementTree.fromstring(drawn)
    dots = [dot.get("fill") for dot in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert dots[0] == "#ffffff" != dots[1]
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("0%") == 2 and texts.count("100%") == 2  # an axis' end and a dot
    assert texts.count("no card") == 4


@pytest.mark.parametrize("title", ["written", "locked"])
def test_texts_written_without_sight_of_the_finder(title: str) -> None:
    texts = list(corpus.list_set(title))
    assert len(texts) >= 30
    assert [text.name for text in texts if not 5 <= len(text.wanted) <= 45] == []
    assert [text.secret for text in texts] == [title == "locked"] * len(texts)


RUNNING = """\
# Rumours of the harbour

Not every rumour is true, and some are told by rats.

On the quay they speak of the *Drowned Bell*, which rings before a storm. Add one to the weather.

An old sailor swears by the *Salted Coin*: whoever spends it finds it again the next morning.

Beware of the *Lantern without a Keeper*; ships that steer by it are lost.

# Rules of the house

*Nobody* plays for money. The last one to leave puts out the lamp.
"""


def test_two_names_show_where_the_others_stand() -> None:
    source = Source("harbour.md", "text", RUNNING.encode())
    names = ("Drowned Bell", "Salted Coin")

    def list_found(pointed: Pointed) -> list[str]:
        return [card.name for card in recognise(read_blocks(source), pointed).cards]

    every = ["Drowned Bell", "Salted Coin", "Lantern without a Keeper", "Nobody"]
    assert list_found(Pointed(names)) == every
    assert list_found(Pointed(names, ("Nobody",))) == every[:-1]
