"""The studio's server: what it tells of a deck, what it draws, and what it tells of a change."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import Project
from fontTools.ttLib import TTFont
from PIL import Image
from serving import Studio, serve, wait_until

from cardgen.studio.easel import View
from cardgen.studio.painter import Desk
from cardgen.studio.printing import build_into, lay_sheets, read_options
from cardgen.text.fonts import list_installed_files

CARDS = "  - name: Sword\n    note: sharp\n    count: 3\n  - name: Shield\n    note: round\n"
BODY = '<text x="2mm" y="2mm" width="46mm" height="10mm">{{ card.name }}</text>'
BACK = '<box fill="red"/>'


@pytest.fixture
def written(project: Project) -> Project:
    project.write_template(BODY)
    project.write_template(BACK, "back")
    project.write_deck(CARDS, head="template: plain\nback: back\n")
    return project


@pytest.fixture
def studio(written: Project) -> Iterator[Studio]:
    with serve(written.folder) as running:
        yield running


def open_picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize(
    ("target", "file", "turn"),
    [
        ("a4", "pdf", "long-edge"),
        ("silhouette-a4", "zip", "long-edge"),
        ("one-up", "pdf", None),
        ("press", "zip", None),
        ("png", "zip", None),
    ],
)
def test_what_is_downloaded_is_told_beforehand(
    written: Project, tmp_path: Path, target: str, file: str, turn: str | None
) -> None:
    for name in ("plain", "back"):
        written.write_template(
            '<box bleed="true" fill="red"/>', name, 'size="50mm x 40mm" bleed="3mm"'
        )
    view = View(target=target)
    desk = Desk("deck", view, b"")
    told = lay_sheets(read_options(view, {}, None), "1", desk)
    assert (told["file"], told["turn"]) == (file, turn)
    out = tmp_path / "out"
    out.mkdir()
    built = build_into(out, desk, read_options(view, {"sides": "fronts"}, None))
    assert built.suffix == f".{file}"
    beside = {path.name for path in out.iterdir() if path != built and path.suffix != ".json"}
    assert beside == ({"packed"} if file == "zip" else set())


def test_looks_and_languages_show_the_deck_otherwise(studio: Studio, written: Project) -> None:
    written.write(
        "decks/deck.de.yaml",
        "cards: {sword: {name: Schwert, note: scharf}, shield: {note: rund}}\n",
    )
    place = 'x="9mm" y="2mm" width="20mm" height="6mm" fit="box" min="3pt"'
    text = f"<text {place}>{{{{ (card.note ~ ' ') * 9 }}}}</text>"
    written.write_template(f'<box fill="lime"/>{text}', "loud/plain")
    before = studio.read_deck()["cards"][0]["faces"]["front"]
    german = studio.read_deck(language="de")
    assert [card["name"] for card in german["cards"]] == ["Schwert", "Shield"]
    assert german["switches"]["languages"] == ["en", "de"], "one leads back"
    told = [[(p["code"], p["level"]) for p in card["problems"]] for card in german["cards"]]
    assert told == [[], [("build/text-not-translated", "warning")]]
    assert german["cards"][1]["problems"][0]["cure"]
    loud = studio.read_deck(look="loud")["cards"][0]["faces"]["front"]
    assert loud["v"] != before["v"]
    assert open_picture(studio.draw(loud)).getpixel((9, 90)) == (0, 255, 0)
    asked = {"deck": "deck", "view": {"look": "loud"}, "card": "sword", "values": {}}
    (smaller,) = studio.post("api/try", asked).json()["shrunk"]
    assert 3 <= smaller["size"] < smaller["usual"]
    assert studio.read_deck()["switches"]["languages"] == ["en", "de"]


def test_what_can_be_chosen_is_told_as_soon_as_it_is_there(
    studio: Studio, written: Project
) -> None:
    def list_choices() -> tuple[object, object, bool]:
        told = studio.read_deck()["switches"]
        names = [target["name"] for target in told["targets"]]
        return told["languages"], told["looks"], "mine" in names

    assert list_choices() == (["en"], ["plain"], False)
    with studio.listen() as events:
        for name, text in (
            ("decks/deck.de.yaml", "cards: {sword: {name: Schwert}}\n"),
            ("templates/loud/plain.xml", '<template size="50mm x 40mm"/>'),
            ("targets/mine.toml", 'extends = "a4"\ntitle = "Mine"\n'),
        ):
            written.write(name, text)
            events.wait("reload")
        assert list_choices() == (["en", "de"], ["loud", "plain"], True)
        (written.folder / "targets/mine.toml").unlink()
        events.wait("reload")
        assert list_choices()[-1] is False


def test_a_place_is_opened_in_the_editor(
    studio: Studio, written: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = {"file": "templates/plain.xml", "line": 2, "column": 1}
    told = studio.post("api/open", {"place": place, "editor": "vscode"}).json()
    path = written.folder / "templates/plain.xml"
    assert told == {"url": f"vscode://file{path}:2:1"}
    editors = [one["id"] for one in studio.get("api/project").json()["editors"] if one["id"]]
    for name in editors:
        url = studio.post("api/open", {"place": place, "editor": name}).json()["url"]
        assert re.match(r"[a-z]+://(file|open)\b", url), "as the page opens it"
        assert str(path) in url and re.search(r":2:1$|line=2&column=1$", url), name
    assert {"vscode", "jetbrains", "zed"} <= set(editors)
    editor = written.write("editor", '#!/bin/sh\necho "$@" > said.tmp && mv said.tmp said.txt\n')
    editor.chmod(0o755)
    for variable in ("CARDGEN_EDITOR", "VISUAL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("EDITOR", str(editor))
    assert studio.post("api/open", {"place": place}).json() == {"opened": True}
    said = written.folder / "said.txt"
    end = time.monotonic() + 10
    while not said.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert said.read_text() == f"+2 {written.folder / 'templates/plain.xml'}\n"
    outside = {"file": "../secret.yaml", "line": 1}
    assert studio.post("api/open", {"place": outside, "editor": "vscode"}).status_code == 404


def test_all_that_a_deck_is_made_of_is_watched(studio: Studio, written: Project) -> None:
    sign = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path d="{}"/></svg>'
    written.write("icons/sign.svg", sign.format("M9 9h40v40z"))
    picture = '<image x="0mm" y="20mm" width="9mm" height="9mm" file="dot.png"/>'
    Image.new("RGB", (3, 3), "red").save(written.folder / "dot.png")
    written.write_template(
        f"{BODY}{picture}<icon x='9mm' y='20mm' width='9mm' height='9mm' name='sign'/>"
    )
    written.write("decks/listed.yaml", "template: plain\ncards: table.csv\n")
    written.write("decks/table.csv", "name\nSword\n")
    assert studio.read_deck("listed")["problems"] == []
    with studio.listen("listed") as events:
        for name, text in (
            ("decks/table.csv", "name\nAxe\n"),
            ("icons/sign.svg", sign.format("M9 9h40v20z")),
            ("templates/plain.xml", None),
            ("dot.png", None),
        ):
            path = written.folder / name
            if name == "dot.png":
                Image.new("RGB", (3, 3), "blue").save(path)
            else:
                path.write_text(text or f"{path.read_text()}<!-- -->\n")
            (card,) = events.wait("changed")["cards"]
            assert card["name"] == "Axe", name
        written.write("decks/table.csv", f"name\n{'Far and wide ' * 40}\n")
        while not (told := events.wait("checked"))["cards"]:
            pass
        (checked,) = told["cards"].values()
        assert [problem["code"] for problem in checked["problems"]] == ["text/too-long"]
        for name, text in (
            ("cardgen.toml", 'target = "letter"\n'),
            ("decks/listed.yaml", "title: Other\ntemplate: plain\ncards: table.csv\n"),
        ):
            written.write(name, text)
            events.wait("reload")
        assert studio.read_deck("listed")["view"]["target"] == "letter"


def test_fonts_and_targets_of_the_project_are_watched(studio: Studio, written: Project) -> None:
    written.write_template(BODY.replace("<text", '<text font="Hand"'))
    target = 'extends = "a4"\ntitle = "Mine"\npaper = "{}"\n'
    written.write("targets/mine.toml", target.format("a4"))
    with studio.listen(target="mine") as events:
        pictures = [draw_sword(studio)]
        for style in ("Regular", "Black"):
            write_font(written.folder / "fonts/hand.ttf", style)
            while (now := draw_sword(studio)) in pictures:
                events.wait("changed")
            pictures.append(now)
        _, regular, black = (sum(open_picture(one).convert("L").tobytes()) for one in pictures)
        assert regular > black, "the other one is bolder"
        assert find_paper(studio) == 210
        written.write("targets/mine.toml", target.format("a3"))
        while find_paper(studio) != 297:
            events.wait("changed")
        written.write("targets/mine.toml", "paper = [")
        while (told := events.wait("changed"))["state"] != "broken":
            pass
        assert told["problems"][0]["place"]["file"] == "targets/mine.toml"
        written.write("targets/mine.toml", target.format("a4"))
        while events.wait("changed")["state"] != "ok":
            pass


def test_sheets_stay_as_long_as_nothing_is_told(studio: Studio, written: Project) -> None:
    """A picture that no card shows changes nothing; what lies below the cards changes sheets."""
    written.write("targets/mine.toml", 'extends = "a4"\ntitle = "Mine"\nbase = "below.pdf"\n')
    write_page(written.folder / "targets/below.pdf", "white")
    with studio.listen(target="mine") as events:
        studio.read_deck(target="mine")
        (wall,) = studio.session.list_walls("deck")
        told = studio.get("api/sheets/deck", target="mine").json()
        front, back = told["pages"]
        assert studio.get_status(front) == 200
        Image.new("RGB", (3, 3), "red").save(written.folder / "dot.png")
        wait_until(lambda: not wall._is_plain, "nobody reads the picture")
        studio.post("api/try", {"deck": "deck", "card": "sword", "values": {}})
        assert studio.get_status(back) == 200
        write_page(written.folder / "targets/below.pdf", "red")
        wait_until(lambda: not wall.lays(told["v"]), "what lies below is not looked at")
        assert events.wait("moved")["places"] == {}
        assert studio.get_status(front, dpi=30) == 410


def write_page(path: Path, colour: str) -> None:
    Image.new("RGB", (210, 297), colour).save(path, resolution=25.4)


def draw_sword(studio: Studio) -> bytes:
    """Return the picture of a card as it is by now."""
    face = studio.read_deck(target="mine")["cards"][0]["faces"]["front"]
    return studio.client.get(f"{face['url']}&dpi=72", follow_redirects=True).content


def write_font(path: Path, style: str) -> None:
    """Write a font of the family Hand that looks as a style of Alegreya Sans."""
    font = TTFont(list_installed_files("alegreya-sans")[f"AlegreyaSans-{style}.ttf"])
    for entry in font["name"].names:
        if entry.nameID in (1, 16):
            entry.string = "Hand"
    font["OS/2"].usWeightClass = 400
    path.parent.mkdir(exist_ok=True)
    font.save(path.with_suffix(".part"))
    path.with_suffix(".part").replace(path)


def find_paper(studio: Studio) -> float:
    told = studio.get("api/sheets/deck", target="mine").json()
    return float(told["pages"][0]["width"])


def test_a_picture_is_as_fine_as_was_asked_for_whatever_is_asked_meanwhile(
    studio: Studio, written: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card is zoomed in while the process draws it as it was shown before."""
    studio.read_deck()
    (wall,) = studio.session.list_walls("deck")
    studio.post("api/seen", {"deck": "deck", "cards": ["sword"], "dpi": 100})
    ask = wall.painter.ask

    async def ask_while_somebody_zooms(task: Callable[[Desk], object], seconds: float) -> object:
        answer = await ask(task, seconds)
        wall.look_at(["sword"], 600)
        return answer

    with studio.listen() as events:
        monkeypatch.setattr(wall.painter, "ask", ask_while_somebody_zooms)
        written.write_deck(CARDS.replace("Sword", "SWORD"), head="template: plain\nback: back\n")
        (card, *_) = events.wait("changed")["cards"]
    assert open_picture(studio.draw(card["faces"]["front"], dpi=600)).width == 1181


def test_what_is_saved_is_told(studio: Studio, written: Project) -> None:
    before = studio.draw(studio.read_deck()["cards"][1]["faces"]["front"])
    with studio.listen() as events:
        written.write_deck(CARDS.replace("Shield", "Buckler"), head="template: plain\nback: back\n")
        changed = events.wait("changed")
    (card,) = changed["cards"]
    assert (card["id"], changed["gone"], changed["order"]) == (
        "buckler",
        ["shield"],
        ["sword", "buckler"],
    )
    assert studio.draw(card["faces"]["front"]) != before
    # Nobody listens any more: it is read when somebody asks.
    written.write_deck(CARDS.replace("Shield", "Targe"), head="template: plain\nback: back\n")
    end = time.monotonic() + 10
    while studio.read_deck()["cards"][1]["id"] != "targe" and time.monotonic() < end:
        time.sleep(0.01)
    assert studio.read_deck()["cards"][1]["id"] == "targe"
