"""`cardgen check --json`: a list of records for editors, whatever is wrong, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Project

from cardgen.cli.wording import format_json, pack_problems
from cardgen.core.errors import Detail, Problem, Where

KEYS = [
    *("file", "line", "column", "code", "message", "hint"),
    *("card", "field", "details", "severity"),
]
DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "editors.md"


def read_records(project: Project, *decks: str, code: int = 1) -> list[dict[str, Any]]:
    ran = project.run("check", *decks, "--json")
    assert (ran.code, ran.stderr) == (code, "")
    records: list[dict[str, Any]] = json.loads(ran.stdout)
    assert all(list(record) == KEYS for record in records)
    return records


def read_one(project: Project, *decks: str) -> dict[str, Any]:
    (record,) = read_records(project, *decks)
    return record


@pytest.fixture
def items(project: Project) -> Project:
    project.write_template('<text height="4mm">{{ card.text }}</text>')
    return project


def test_the_keys_are_those_of_the_docs() -> None:
    text = DOCS.read_text(encoding="utf-8")
    table = re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)
    (example,) = json.loads(text.split("```json\n")[1].partition("```")[0])
    assert table == KEYS == list(example)


def test_a_sound_deck_has_none(items: Project) -> None:
    items.write_deck("  - name: Sword\n    text: Cuts.\n")
    assert read_records(items, "deck", code=0) == []
    assert items.run("check", "deck", "--json").stdout == "[]\n"


def test_every_problem_is_a_record(items: Project) -> None:
    cards = "  - name: Sword\n    cuont: 2\n  - name: Bow\n    count: many\n  - text: Cuts.\n"
    items.write_deck(cards, head="titel: Deck\ntemplate: plain\n")
    plain = items.run("check", "deck").stderr
    records = read_records(items, "deck")
    assert [(r["line"], r["column"], r["card"], r["field"]) for r in records] == [
        (1, 1, None, "titel"),
        (5, 5, "Sword", "cuont"),
        (7, 12, "Bow", "count"),
        (8, 5, None, "name"),
    ]
    for record in records:
        assert record["file"] == "decks/deck.yaml"
        assert record["severity"] == "error"
        assert f"{record['line']}:{record['column']}: {record['message']}\n" in plain
        assert record["hint"] is None or f"hint: {record['hint']}\n" in plain


def test_no_problem_is_left_out(items: Project) -> None:
    items.write_template("<text>{{ card.name }}</text>")
    items.write_deck("".join(f"  - {{name: Card {n}, cuont: 1}}\n" for n in range(50)))
    items.write("decks/deck.csv", "")
    items.write_deck("".join(f"  - {{name: Card {n}, count: x}}\n" for n in range(50)))
    assert len(read_records(items, "deck")) == 50


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('<text height="4mm">{{ card.text }}</text>', "text"),
        ('<text height="4mm">{{ card.text }} {{ card.kind }}</text>', None),
        ('<text height="4mm">{{ card.txet }}</text>', "txet"),
        ('<icon name="{{ card.text }}" height="4mm"/>', "text"),
        ('<image file="{{ card.kind }}" height="4mm"/>', "kind"),
        ('<box if="card.kind / 2 > 1"/>', "kind"),
        ("<flow>{{ card.code }}</flow>", "code"),
    ],
)
def test_what_the_template_brings_about_names_card_and_field(
    items: Project, body: str, field: str | None
) -> None:
    items.write_template(body)
    items.write_deck(
        f"  - name: Sword\n    text: {'It cuts. ' * 30}\n    kind: weapon\n"
        '    code: "    of four blanks"\n'
    )
    record = read_one(items, "deck")
    assert (record["card"], record["field"]) == ("Sword", field)


def test_a_record_has_a_code_and_typed_details() -> None:
    where = Where("decks/deck.yaml", 3, 5)
    details: dict[str, Detail] = {"name": "cuont", "near": ("count",), "room": 4.5, "most": None}
    problem = Problem("deck/unknown-field", "unknown field", where, "a cure", details=details)
    (record,) = json.loads(format_json(pack_problems([problem, problem], (), ())))
    assert list(record) == KEYS
    assert record["code"] == "deck/unknown-field"
    assert record["details"] == {"name": "cuont", "near": ["count"], "room": 4.5, "most": None}


@pytest.mark.parametrize(
    ("name", "content", "line", "column"),
    [
        ("deck.yaml", "cards: [{name: Sword}\n", 2, 1),
        ("deck.yaml", "cards:\n\t- name: Sword\n", 2, 1),
        ("deck.yaml", b"\xff\xfec\x00a\x00r\x00d\x00s\x00", 1, None),
        ("deck.yaml", "", None, None),
        ("deck.csv", 'name\n"Sword\n', 2, None),
        ("deck.xlsx", "none", None, None),
        ("deck.md", "---\ntitle: a\n", 1, None),
    ],
)
def test_a_file_that_cannot_be_read(
    items: Project, name: str, content: str | bytes, line: int | None, column: int | None
) -> None:
    items.write(f"decks/{name}", content)
    record = read_one(items, "deck")
    assert record["file"] == f"decks/{name}"
    assert (record["line"], record["column"]) == (line, column)


def test_a_deck_that_does_not_exist_has_no_file(items: Project) -> None:
    items.write_deck(name="swords")
    record = read_one(items, "sword")
    assert (record["file"], record["message"]) == (None, 'unknown deck "sword"')
    assert record["hint"] == 'did you mean "swords"?'


def test_what_is_wrong_with_a_target_names_its_key(items: Project) -> None:
    items.write("targets/slip.toml", 'title = "Slip"\npaper = "a4"\ngap_x = 4\n')
    items.write_deck(head="template: plain\ntarget: slip\n")
    record = read_one(items, "deck")
    assert (record["file"], record["line"], record["field"]) == ("targets/slip.toml", 3, "gap_x")


def test_several_decks_and_one_template(items: Project) -> None:
    """What is wrong with the template of both is said once, however the decks are named."""
    items.write_template("<txt/>")
    items.write_deck(name="one")
    items.write_deck(name="two")
    whole = str(items.folder / "decks/one.yaml")
    record = read_one(items, "one", "two", "decks/one.yaml", whole)
    assert (record["file"], record["line"], record["column"]) == ("templates/plain.xml", 2, 1)


def test_a_whole_path_is_told_from_the_working_folder(items: Project) -> None:
    items.write_template("<text>{{ card.name }}</text>")
    path = items.write_deck("  - nmae: Sword\n")
    assert read_one(items, str(path))["file"] == "decks/deck.yaml"
    outside = items.folder.parent / "deck.yaml"
    outside.write_text("cards: []\n", encoding="utf-8")
    record = json.loads(items.run("check", str(outside), "--json").stdout)[0]
    assert record["file"] == items.shorten(outside.as_posix())


def test_a_text_set_smaller_is_information(items: Project) -> None:
    items.write_template('<text size="12pt" fit="box" height="5mm">{{ card.text }}</text>')
    items.write_deck("  - name: Sword\n    text: The bow of a good aim, twice and more\n")
    (record,) = read_records(items, "deck", code=0)
    assert (record["severity"], record["card"], record["field"]) == ("information", "Sword", "text")
    assert record["code"] == "text/set-smaller"
    size, usual = record["details"].values()
    assert 0 < size < usual == 12
    assert re.fullmatch(
        r'card "Sword": its text is set smaller than on other cards: at [\d.]+pt, not 12pt',
        record["message"],
    )


def test_shipped_decks_have_nothing_to_complain_of(project: Project) -> None:
    records = read_records(project, "tactics", code=0)
    assert [record["severity"] for record in records if record["severity"] == "error"] == []
