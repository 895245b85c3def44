"""Whoever is not the studio's page gets nothing; no deck, whatever it does, stops the server."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import openpyxl
import openpyxl.drawing.image
import pytest
from conftest import Project
from PIL import Image
from serving import PATIENCE, TOKEN, Studio, serve, wait_until

from cardgen.core import budget
from cardgen.studio import painter
from cardgen.studio import wall as wall_module
from cardgen.studio.easel import Easel, Spot, View
from cardgen.studio.painter import Desk

CARDS = "  - name: Sword\n    note: sharp\n  - name: Shield\n    note: round\n"
BODY = """<text x="2mm" y="2mm" width="46mm" height="10mm">{{ card.name }}</text>
<text x="2mm" y="14mm" width="46mm" height="10mm">{{ card.note }}</text>"""


@pytest.fixture
def written(project: Project) -> Project:
    project.write_template(BODY)
    project.write_deck(CARDS)
    return project


@pytest.fixture
def studio(written: Project) -> Iterator[Studio]:
    with serve(written.folder) as running:
        yield running


def find_process(studio: Studio) -> int:
    """The process that draws the deck."""
    (wall,) = studio.session.list_walls("deck")
    number = wall.painter.process
    assert number is not None
    return number


# Who may ask


def test_only_the_page_is_answered(studio: Studio, written: Project) -> None:
    outside = written.folder.parent / "secret.yaml"
    outside.write_text("name: secret\n")
    (written.folder / "link.yaml").symlink_to(outside)
    (written.folder / "pictures").mkdir()
    (written.folder / "pictures" / "out.png").symlink_to(outside)
    written.write(".hidden/secret.yaml", "name: secret\n")
    written.write("icons/evil.svg", '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')
    root = f"http://127.0.0.1:{studio.port}"

    def ask(path: str, **headers: str) -> int:
        return httpx.get(f"{root}{path}", headers=headers, timeout=PATIENCE).status_code

    page = f"/{TOKEN}/api/decks"
    assert ask(page) == 200
    assert ask("/api/decks") == ask("/") == ask("/wrong/api/decks") == 404
    assert ask(f"/{TOKEN[:-1]}/api/decks") == 404
    assert ask(page, Host=f"evil.example:{studio.port}") == 403
    assert ask(page, Origin="http://evil.example") == 403
    assert ask(page, Origin=f"http://127.0.0.1:{studio.port + 1}") == 403
    assert ask(page, Origin=root) == 200
    assert ask(page, **{"Sec-Fetch-Site": "cross-site"}) == 403

    ours = studio.get("api/source", file="cardgen:templates/poker-basic.xml")
    assert "<template" in ours.json()["text"]
    for file in ("cardgen:../secret.yaml", "cardgen:pyproject.toml", f"cardgen:{outside}"):
        assert studio.get("api/source", file=file).status_code == 404, file
    for file in ("../secret.yaml", str(outside), "link.yaml", ".hidden/secret.yaml", "decks"):
        assert studio.get("api/source", file=file).status_code == 404, file
    assert studio.get("api/source", file="decks/deck.yaml").json()["text"].endswith(CARDS)
    strange = ("web/..%2Fapp.py", "web/%2e%2e/app.py", "web/%2Fetc/passwd", "web/app.py", "web/%00")
    for path in (*strange, f"web/{'x' * 300}.js"):
        assert studio.get(path).status_code == 404, path
    for name in ("..%2f..%2fsecret.yaml", "out.png", "nonsense.png", "%00"):
        assert studio.get(f"picture/{name}").status_code in (404, 422), name
    for name in ("..%2Fdeck", "nonsense", ""):
        assert studio.get(f"api/deck/{name}").status_code == 404, name

    post = f"{root}/{TOKEN}/api/deal"
    assert httpx.post(post, content=b'{"deck":"deck"}').status_code == 415
    plain = {"Content-Type": "text/plain"}
    assert httpx.post(post, content=b'{"deck":"deck"}', headers=plain).status_code == 415
    assert studio.client.get("api/deal").status_code == 405
    half = b'{"deck": "\\ud800"}'
    for body in (b"[]", b"{", b"\xff", b"[" * 100_000, half):
        asked = httpx.post(post, content=body, headers={"Content-Type": "application/json"})
        assert asked.status_code == 400, body[:9]
    long: dict[str, object] = {"place": {"file": "x" * 300}}
    deep = {"deck": "deck", "card": "sword", "values": {"note": json.loads("[" * 500 + "]" * 500)}}
    before = {"deck": "deck", "options": {"since": "x" * 300}}
    for address, asked_for, code in (
        ("api/open", long, "studio/no-such-address"),
        ("api/try", deep, "file/too-deep"),
        ("api/build", before, "file/refused"),
    ):
        assert studio.post(address, asked_for).json()["problems"][0]["code"] == code, address
    clicks = '["\\ud800"]'
    assert studio.client.post("api/import", params={"clicks": clicks}).status_code == 400
    much = httpx.post(post, content=b" " * 5_000_000, headers={"Content-Type": "application/json"})
    assert much.status_code == 413
    dropped = studio.client.post("api/import?name=a.txt", content=b" " * 20_000_001)
    assert dropped.status_code == 413

    for answer in (studio.get("api/decks"), studio.get("api/nonsense"), httpx.get(root)):
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in answer.headers
    icon = studio.get("icon/evil.svg")
    assert icon.headers["content-security-policy"].endswith("sandbox")


def test_nothing_is_written_through_a_folder_that_leads_out(
    studio: Studio, written: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    picture = io.BytesIO()
    Image.new("RGB", (9, 9)).save(picture, "PNG")
    rows = write_rows(picture.getvalue())
    asked = {"name": "a.xlsx", "title": "Dropped"}
    studio.client.post("api/import", params=asked, content=rows)
    text = (written.folder / "decks/dropped.yaml").read_text(encoding="utf-8")
    assert "    picture: dropped/axe.png\n" in text
    dropped = [path.name for path in (written.folder / "pictures").glob("dropped/*")]
    assert sorted(dropped) == ["axe.png", "bow.png"]

    shutil.rmtree(written.folder / "pictures")
    (written.folder / "pictures").symlink_to(outside)
    about = {"deck": "deck", "card": "sword", "name": "a.png", "field": "note"}
    given = studio.client.post("api/picture", params=about, content=picture.getvalue())
    assert given.json()["problems"][0]["code"] == "edit/not-in-project"
    asked["title"] = "Dropped there"
    refused = studio.client.post("api/import", params=asked, content=rows)
    assert refused.json()["problems"][0]["code"] == "file/outside"
    assert list(outside.iterdir()) == []

    shutil.move(written.folder / "decks", outside / "moved")
    (written.folder / "decks").symlink_to(outside / "moved")
    before = {path: path.read_bytes() for path in (outside / "moved").iterdir()}
    made = studio.post("api/new", {"name": "Fresh", "template": "plain"})
    asked["title"] = "Dropped too"
    new = studio.client.post("api/import", params=asked, content=rows)
    edit = {"kind": "set", "card": "sword", "field": "note", "value": "blunt", "was": "sharp"}
    edited = studio.post("api/edit", {"deck": "deck", "edits": [edit]})
    assert min(made.status_code, new.status_code, edited.status_code) >= 400
    assert {path: path.read_bytes() for path in (outside / "moved").iterdir()} == before


def write_rows(picture: bytes) -> bytes:
    """Return a workbook of two cards, each with a picture in a cell."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["name", "note", "picture"], ["Axe", "Hews."], ["Bow", "Shoots."]):
        sheet.append(row)
    for cell in ("C2", "C3"):
        sheet.add_image(openpyxl.drawing.image.Image(io.BytesIO(picture)), cell)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


# What a deck may do


def test_a_broken_deck_keeps_its_cards(studio: Studio, written: Project) -> None:
    before = studio.read_deck()
    with studio.listen() as events:
        written.write("decks/deck.yaml", "cards: [unclosed\n")
        changed = events.wait("changed")
        assert (changed["state"], changed["cards"], changed["gone"]) == ("broken", [], [])
        (problem,) = changed["problems"]
        assert (problem["code"], problem["place"]["line"]) == ("file/not-yaml", 2)
        assert problem["cause"]
        broken = studio.read_deck()
        assert (broken["state"], broken["cards"]) == ("broken", before["cards"])
        studio.draw(broken["cards"][0]["faces"]["front"])
        written.write_deck(CARDS.replace("round", "square"))
        mended = events.wait("changed")
    assert (mended["state"], mended["problems"]) == ("ok", [])
    assert [card["fields"]["note"] for card in mended["cards"]] == ["square"]


def test_a_broken_card_keeps_no_other_from_being_seen(studio: Studio, written: Project) -> None:
    studio.read_deck()
    bad = CARDS.replace("sharp", "W" * 300) + "  - name: Bow\n    template: nonsense\n"
    with studio.listen() as events:
        written.write_deck(bad)
        told = events.wait("changed")
        while "sword" not in (checked := events.wait("checked"))["cards"]:
            pass
    assert told["problems"] == []
    codes = [problem["code"] for problem in checked["cards"]["sword"]["problems"]]
    assert codes == ["text/word-too-wide"]
    deck = studio.read_deck()
    with studio.listen() as later:
        assert later.hello == {"v": deck["v"], "checks": checked["checks"]}
    assert checked["checks"] == deck["checks"] > 0, "who comes later sees what was missed"
    codes = [[problem["code"] for problem in card["problems"]] for card in deck["cards"]]
    assert codes == [["text/word-too-wide"], [], ["name/unknown"]]
    for card in deck["cards"]:
        studio.draw(card["faces"]["front"])


def test_a_process_that_is_ended_is_replaced(studio: Studio) -> None:
    front = studio.read_deck()["cards"][0]["faces"]["front"]
    before = studio.draw(front, dpi=72)
    number = find_process(studio)
    os.kill(number, signal.SIGKILL)
    assert len(studio.draw(front, dpi=100)) > len(before)
    assert find_process(studio) != number
    assert studio.read_deck()["cards"][0]["problems"] == []


def test_a_process_that_hangs_is_replaced(studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (card["faces"]["front"] for card in studio.read_deck()["cards"])
    studio.draw(first)
    # Else another task would meet the limit.
    wait_until(lambda: not studio.read_deck()["left"], "all cards are looked at")
    monkeypatch.setattr(wall_module, "DRAWING", 0.3)
    os.kill(find_process(studio), signal.SIGSTOP)
    hung = studio.client.get(f"{first['url']}&dpi=101")
    assert hung.status_code == 410
    monkeypatch.setattr(wall_module, "DRAWING", 20.0)
    studio.draw(second, dpi=101)
    card = studio.read_deck()["cards"][0]
    assert [problem["code"] for problem in card["problems"]] == ["studio/hung"]


def take_memory(_: object) -> int:
    """A task that takes more memory than a process may, if less than the machine has."""
    return len(bytearray(4 << 30))


def count_cards(desk: Desk) -> int:
    return len(desk.get_easel().keys)


@pytest.mark.skipif(sys.platform != "linux", reason="others do not limit it")
def test_a_process_has_only_so_much_memory(written: Project) -> None:
    assert written.folder == Path.cwd()
    drawing = painter.Painter("deck", View())
    try:
        with pytest.raises(painter.Lost) as raised:
            asyncio.run(drawing.ask(take_memory, PATIENCE))
        assert raised.value.how == "memory"
        assert asyncio.run(drawing.ask(count_cards, PATIENCE)) == 2, "another one draws on"
    finally:
        drawing.end()


def test_a_card_that_takes_too_long_is_not_tried_again(
    written: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "SECONDS", 0.25)
    endless = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}"
    written.write_template(f'<text x="2mm" y="2mm" width="9mm">{endless}</text>', "slow")
    written.write_deck("  - name: Slow\n    template: slow\n" + CARDS)
    easel = Easel("deck")
    slow, sword, shield = (Spot(key, "front") for key in easel.keys)
    assert len(list(easel.draw([slow, sword], 72))) == 2
    monkeypatch.setattr(painter, "_COMPOSING", 0.0)
    drawn = painter.draw([slow, sword], 72, Desk("deck", View(), b"", easel))
    assert (len(drawn.pictures), drawn.late) == (1, (sword,)), "it keeps no other waiting"
    begun = time.process_time()
    assert easel.check(easel.keys, 60) == ["slow", "sword", "shield"]
    assert time.process_time() - begun < 0.25
    codes = [[problem.code for problem in easel.list_problems(key)] for key in easel.keys]
    assert codes == [["print/too-slow"], [], []]
    assert easel.find_seen(shield)


def test_views_have_processes_of_their_own(studio: Studio) -> None:
    studio.read_deck()
    studio.read_deck(target="letter")
    assert {wall.view for wall in studio.session.list_walls("deck")} == {
        View(),
        View(target="letter"),
    }
    for name in ("a5", "a4-guillotine", "png", "tts", "mini", "showcase"):
        studio.get("api/deck/deck", target=name)
    assert len(studio.session.list_walls("deck")) <= 6
