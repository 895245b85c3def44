"""A refusal that becomes a problem of a card: how it names its text, and what it hands on."""

from __future__ import annotations

import pytest

from cardgen.core.errors import Problem, Refusal, Where
from cardgen.layout.subject import Subject, TextRefusal, WordRefusal

SUBJECT = Subject('card "Sword"', Where("deck.yaml", 3), "Sword")
ELEMENT = Where("item.xml", 5)


def name(refusal: Refusal, *fields: str) -> Problem:
    (problem,) = SUBJECT.name_refusal(refusal, ELEMENT, fields).problems
    return problem


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ((), "its text is too long"),
        (("text",), "its text is too long"),
        (("name", "cost", "name"), "its name and cost is too long"),
        (("text", "fields", "icon", "cost"), "its text is too long"),
    ],
)
def test_a_text_is_the_subject_of_its_refusal(fields: tuple[str, ...], message: str) -> None:
    assert name(TextRefusal("text/too-long", "is too long"), *fields).message == message


def test_a_word_is_told_with_the_field_that_holds_it() -> None:
    refusal = WordRefusal("text/word-too-wide", '"and" is 9mm wide')
    assert name(refusal).message == '"and" is 9mm wide'
    assert name(refusal, "rules").message == 'its rules: "and" is 9mm wide'


def test_any_other_refusal_is_a_whole_sentence_however_it_begins() -> None:
    assert name(Refusal("layout/broken-path", "is odd"), "rules").message == "is odd"


def test_a_problem_has_the_code_and_the_details_of_its_refusal() -> None:
    refusal = TextRefusal("text/too-long", "is too long", "shorten it", {"needed": 9.5})
    problem = name(refusal, "rules")
    assert (problem.code, problem.details) == ("text/too-long", {"needed": 9.5})
    assert problem.hint == "shorten it; the template's element is item.xml:5"
    assert (problem.card, problem.field, problem.where) == ("Sword", "rules", SUBJECT.where)
    assert problem.subject == 'card "Sword"'


def test_which_of_several_fields_is_to_blame_is_not_known() -> None:
    assert name(Refusal("text/too-long", "x"), "name", "cost").field is None
    assert name(Refusal("text/too-long", "x"), "name", "name").field == "name"
