"""Every message has a code, every code an entry in the catalogue, and all of them one voice.

`make messages` writes docs/messages.md anew, which shows them together. Why this is so stands in
docs/decisions/0007-messages-in-one-list.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import pytest
from write_messages import (
    AREAS,
    PAGE,
    Said,
    Source,
    format_page,
    list_codes,
    list_said,
    read_source,
)

from cardgen.core.errors import CardgenError
from cardgen.core.messages import Entry, get_entry, read_entries

ENTRIES = read_entries()

_HOLE = re.compile(r"\{[^{}]*\}")
_HINT = "hint: "


@pytest.fixture(scope="module")
def source() -> Source:
    return read_source()


@pytest.fixture(scope="module")
def codes(source: Source) -> set[str]:
    return list_codes(source)


@pytest.fixture(scope="module")
def all_said(source: Source) -> list[Said]:
    return list_said(source)


# Codes


def test_the_page_is_that_of_the_package(
    request: pytest.FixtureRequest, all_said: list[Said]
) -> None:
    page = format_page(ENTRIES, all_said)
    if request.config.getoption("--renew-golden"):
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "run: make messages, and read the diff"


def test_many_messages_are_found(all_said: list[Said]) -> None:
    """So that the search does not come to nothing unseen."""
    assert len(all_said) > 250


def test_every_code_has_an_entry(codes: set[str]) -> None:
    assert sorted(codes - ENTRIES.keys()) == []


def test_every_entry_has_a_code(codes: set[str]) -> None:
    assert sorted(ENTRIES.keys() - codes) == []


def test_no_code_is_still_to_be_named(codes: set[str]) -> None:
    assert [code for code in codes if code.endswith("/todo")] == []


def test_the_areas_are_known() -> None:
    assert {entry.area for entry in ENTRIES.values()} <= AREAS.keys()


def test_every_detail_has_a_meaning(all_said: list[Said]) -> None:
    unknown = {
        said.code: sorted(set(said.details) - ENTRIES[said.code].details.keys())
        for said in all_said
        if said.code in ENTRIES
    }
    assert {code: names for code, names in unknown.items() if names} == {}


# Examples


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES.keys())
def test_an_example_is_what_the_program_says(entry: Entry, all_said: list[Said]) -> None:
    said = [one for one in all_said if one.code == entry.code]
    assert find_difference(entry.example, said) == ""


def find_difference(example: str, said: Sequence[Said]) -> str:
    """Return the line of an example that no message of its code can read, or nothing."""
    first, *others = example.splitlines()
    fitting = [one for one in said if fits(first, one.message)]
    if said and not fitting:
        return first
    hint = next((line.strip() for line in others if line.strip().startswith(_HINT)), "")
    hints = [hint for one in fitting for hint in one.hints]
    if hint and hints and not any(fits(hint, text) for text in hints):
        return hint
    return ""


def fits(line: str, text: str) -> bool:
    """Say whether a line ends as a text begins, whatever is filled in.

    A note has its hint behind it, in the same line.
    """
    first = text.partition("\n")[0]
    pattern = ".*".join(map(re.escape, _HOLE.split(first)))
    return bool(re.fullmatch(rf"(.*\s)?{pattern}(; .*)?", line))


@pytest.mark.parametrize(
    ("example", "difference"),
    [
        ('a.yaml:1:2: card "A": unknown key "b"\n  hint: did you mean "c"?', ""),
        ('unknown key "b"', ""),
        ('an unknown kay "b"', 'an unknown kay "b"'),
        ('unknown key "b"\n  hint: delete it', "hint: delete it"),
    ],
)
def test_an_example_that_nobody_says_would_be_found(example: str, difference: str) -> None:
    said = [Said("deck/unknown-key", "deck.py", 'unknown key "{key}"', ('did you mean "{near}"?',))]
    assert find_difference(example, said) == difference


# The voice


# Words of other voices: they blame, beg, or say nothing of what is wrong.
_FOREIGN = re.compile(
    r"\b(please|sorry|simply|just|oops|invalid|illegal|failed|should|color|center)\b",
    re.IGNORECASE,
)
# Names, and sentences that begin with one.
_NAMES = ("Markdown", "PDF", "PNG", "YAML", "PyPI")


def find_faults(text: str) -> list[str]:
    """Return what in a message or hint is not in our voice."""
    bare = _HOLE.sub("x", text).strip("'\"")
    faults = [found[0] for found in [_FOREIGN.search(bare)] if found]
    if text.endswith((".", "!", " ", ":")):
        faults.append("its end")
    if bare.startswith(" ") or (re.match("[A-Z][a-z]+ ", bare) and not bare.startswith(_NAMES)):
        faults.append("its beginning")
    return faults


def find_faults_of_prose(text: str) -> list[str]:
    """Return what in a cause or cure is not in our voice: they are whole, short sentences."""
    faults = [found[0] for found in [_FOREIGN.search(text)] if found]
    if not text.endswith((".", "`.", ".)")) or text.endswith(".."):
        faults.append("its end")
    if text[:1].islower():
        faults.append("its beginning")
    if len(re.findall(r"[.?!](?:\s|$)", text)) > 3:
        faults.append("its length")
    return faults


def list_texts(all_said: Iterable[Said]) -> Iterator[str]:
    for said in all_said:
        yield from (said.message, *said.hints)


def test_the_voice(all_said: list[Said]) -> None:
    assert {text: faults for text in list_texts(all_said) if (faults := find_faults(text))} == {}


def test_the_voice_of_the_catalogue() -> None:
    texts = [text for entry in ENTRIES.values() for text in (entry.cause, entry.cure)]
    assert {text: faults for text in texts if (faults := find_faults_of_prose(text))} == {}


def test_another_voice_would_be_heard() -> None:
    for text in ("Invalid value", "please write a number", "the deck failed", "no cards."):
        assert find_faults(text)
    for text in ("a card has no name.", "Just write it", "A name. Or two. Or three. Or four."):
        assert find_faults_of_prose(text)


# The catalogue


def make_entries(*codes: str) -> dict[str, Entry]:
    return {code: Entry(code, f"The cause of {code}. And more.", "A cure.", "") for code in codes}


def test_an_entry_is_found_by_its_code_or_by_its_name() -> None:
    entries = make_entries("deck/no-cards", "deck/unknown-key", "target/unknown-key")
    assert get_entry(entries, "deck/unknown-key").code == "deck/unknown-key"
    assert get_entry(entries, "no-cards").code == "deck/no-cards"


@pytest.mark.parametrize(
    ("name", "code", "near"),
    [
        ("unknown-key", "option/several-codes", ("deck/unknown-key", "target/unknown-key")),
        ("deck/no-card", "option/unknown-code", ("deck/no-cards",)),
        ("12", "option/unknown-code", ()),
    ],
)
def test_a_name_that_is_no_code(name: str, code: str, near: tuple[str, ...]) -> None:
    entries = make_entries("deck/no-cards", "deck/unknown-key", "target/unknown-key")
    with pytest.raises(CardgenError) as caught:
        get_entry(entries, name)
    (problem,) = caught.value.problems
    assert (problem.code, problem.details) == (code, {"name": name, "near": near})


def test_a_summary_is_the_first_sentence() -> None:
    (entry,) = make_entries("deck/no-cards").values()
    assert entry.summary == "The cause of deck/no-cards."
