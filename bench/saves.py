"""`python -m bench.saves`: from a file's save to the new picture, through the studio's real server.

A deck is written as YAML with the words of the other benches. A client does what the page does: it
listens to the events, says which cards are on its screen, and asks for the picture. Measured is the
time from the write of the file until all bytes of the picture are there. With `--browser` it is the
page itself, in chromium, and the time until the new picture is decoded and stands on its card.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import httpx

from bench.decks import LOOKS, write_deck
from cardgen.core.library import HOME

if TYPE_CHECKING:
    from playwright.sync_api import Page as BrowserPage

_LOOK = LOOKS["magic-item"]
_DPI = 110  # a wall of cards on a usual screen
_ON_SCREEN = 18
_PATIENCE = 60.0
_PAUSE = 1.0  # seconds between two saves: nobody saves faster
_SAVES_BETWEEN = 100  # two looks at the memory
_PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Promised:
    """What is measured, and the most milliseconds that it may take."""

    name: str
    cards: int
    most: float


ONE_OF_54 = Promised("one card of 54", 54, 100)
ONE_OF_1000 = Promised("one card of 1,000", 1_000, 150)
TEMPLATE_OF_1000 = Promised("a template of 1,000, all on the screen", 1_000, 400)


class Page:
    """A client that does what the studio's page does."""

    def __init__(self, client: httpx.Client, deck: str) -> None:
        self._client = client
        self._deck = deck
        self.renew()
        seen = [card["id"] for card in self.told["cards"][:_ON_SCREEN]]
        client.post("api/seen", json={"deck": deck, "cards": seen, "dpi": _DPI})
        self.seen = seen

    def renew(self) -> None:
        """Ask for the deck."""
        self.told: dict[str, Any] = self._client.get(f"api/deck/{self._deck}").json()

    def draw(self, cards: Sequence[Mapping[str, Any]]) -> None:
        """Ask for the fronts of cards, as many at a time as a browser does."""
        for card in cards:
            url = card["faces"]["front"]["url"]
            answer = self._client.get(f"{url}&dpi={_DPI}")
            answer.raise_for_status()

    @contextmanager
    def listen(self) -> Iterator[Callable[[], dict[str, Any]]]:
        """Give what waits for the next event that says what changed."""
        query = {"deck": self._deck}
        with self._client.stream("GET", "events", params=query, timeout=_PATIENCE) as answer:
            lines = answer.iter_lines()
            name = ""

            def wait() -> dict[str, Any]:
                nonlocal name
                for line in lines:
                    field, _, value = line.partition(": ")
                    if field == "event":
                        name = value
                    elif field == "data" and name == "changed":
                        told: dict[str, Any] = json.loads(value)
                        return told
                raise RuntimeError("the stream ended")

            yield wait


def wait_until_checked(client: httpx.Client, deck: str) -> None:
    """Wait until the server has looked at all cards, so that it is idle."""
    end = time.monotonic() + _PATIENCE
    while client.get(f"api/deck/{deck}").json()["left"]:
        if time.monotonic() > end:
            raise RuntimeError("the cards are not looked at")
        time.sleep(0.2)


@contextmanager
def start_studio(folder: Path) -> Iterator[tuple[httpx.Client, int]]:
    """Start the command, and give a client of it and the number of its process."""
    command = [sys.executable, "-m", "cardgen", "studio", "--no-open"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        address = ""
        while not (found := re.search(r"http://\S+", address)):
            address = process.stdout.readline()
        with httpx.Client(base_url=found[0], timeout=_PATIENCE, follow_redirects=True) as client:
            yield client, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(10)


def write_yaml(cards: int, seed: int, folder: Path) -> Path:
    """Return a deck in YAML with all its cards, after it is written to a project."""
    made = write_deck(_LOOK, cards, seed, folder)
    lines = ["title: Bench", "template: magic-item", "back: magic-back", "cards:"]
    for card in made.cards:
        lines += [f"  - name: {json.dumps(card.name)}", f"    cost: {card.cost}"]
        for key in ("kind", "icon", "who", "uses", "text"):
            lines.append(f"    {key}: {json.dumps(getattr(card, key), ensure_ascii=False)}")
        lines.append("    signs: [unit]")
    project = folder / f"project-{cards}"
    (project / "decks").mkdir(parents=True)
    shutil.copytree(HOME / "templates", project / "templates")
    path = project / "decks" / f"bench-{cards}.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def write_saves(text: str, on_screen: int, runs: int) -> Iterator[tuple[int, int, str]]:
    """Yield the number of each save, that of its card, and the deck with its new text."""
    for run in range(runs):
        number = run % on_screen
        begun = text.split("  - name: ")
        begun[number + 1] = re.sub(
            r'text: "[^"]{0,20}', f'text: "Saved now, time {run}, ', begun[number + 1], count=1
        )
        text = "  - name: ".join(begun)
        yield run, number, text


def measure_card(client: httpx.Client, deck: Path, runs: int, pause: float = _PAUSE) -> list[float]:
    """Return the milliseconds of so many saves, each with another text of a card on the screen."""
    page = Page(client, deck.stem)
    wait_until_checked(client, deck.stem)
    page.renew()
    page.draw(page.told["cards"][:_ON_SCREEN])
    text = deck.read_text(encoding="utf-8")
    measured = []
    with page.listen() as wait:
        for run, _, now in write_saves(text, _ON_SCREEN, runs):
            time.sleep(pause)
            start = time.perf_counter()
            deck.write_text(now, encoding="utf-8")
            while not (saved := find_saved(wait(), f"time {run},")):
                pass  # what the last save changed of other cards
            page.draw(saved)
            measured.append((time.perf_counter() - start) * 1000)
    deck.write_text(text, encoding="utf-8")
    return measured


def save_by_form(client: httpx.Client, deck: Path, saves: range) -> None:
    """Save cards on the screen as the form does, one after the other, and look at each."""
    page = Page(client, deck.stem)
    with page.listen() as wait:
        for run in saves:
            card, text = page.seen[run % _ON_SCREEN], f"Saved by the form, time {run}, all of it"
            edit = {"kind": "set", "card": card, "field": "text", "value": text}
            answer = client.post("api/edit", json={"deck": deck.stem, "edits": [edit]})
            answer.raise_for_status()
            while not (saved := find_saved(wait(), f"time {run},")):
                pass
            page.draw(saved)


def find_saved(told: Mapping[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the cards of an event that say a text."""
    return [card for card in told["cards"] if text in card["fields"]["text"]]


def measure_template(client: httpx.Client, deck: Path, runs: int) -> list[float]:
    """Return the milliseconds until all cards on the screen show what a template says by now."""
    page = Page(client, deck.stem)
    wait_until_checked(client, deck.stem)
    page.renew()
    shown = {card["id"]: card for card in page.told["cards"] if card["id"] in page.seen}
    template = deck.parent.parent / "templates" / "magic-item.xml"
    text = template.read_text(encoding="utf-8")
    measured = []
    with page.listen() as wait:
        for run in range(runs):
            time.sleep(_PAUSE)
            start = time.perf_counter()
            template.write_text(f"{text}<!-- {run} -->\n", encoding="utf-8")
            told: dict[str, Any] = {}
            while not shown.keys() <= told.keys() or any(
                told[key]["faces"] == card["faces"] for key, card in shown.items()
            ):  # what the last save changed of other cards
                told |= {card["id"]: card for card in wait()["cards"]}
            shown = {key: told[key] for key in page.seen}
            page.draw(list(shown.values()))
            measured.append((time.perf_counter() - start) * 1000)
    template.write_text(text, encoding="utf-8")
    return measured


# What a browser shows


@contextmanager
def open_wall(client: httpx.Client, deck: str) -> Iterator[tuple[BrowserPage, list[str]]]:
    """Show the wall of a deck in a browser; give the page and the cards that are on its screen."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(_BROWSING))
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(_PATIENCE * 1000)
        page.goto(f"{client.base_url}#/{deck}/cards")
        page.locator(".card img").first.wait_for()
        wait_until_checked(client, deck)  # no other client says what is on the screen
        seen: list[str] = page.evaluate(_LIST_SEEN)
        yield page, seen
        browser.close()


def see_cards(client: httpx.Client, deck: Path, runs: int) -> list[float]:
    """Return the milliseconds until a browser shows what was saved, each of another card."""
    text = deck.read_text(encoding="utf-8")
    with open_wall(client, deck.stem) as (page, seen):
        return [
            wait_for_pictures(page, [seen[number]], deck, now)
            for _, number, now in write_saves(text, len(seen), runs)
        ]


def see_template(client: httpx.Client, deck: Path, runs: int) -> list[float]:
    """Return the milliseconds until all cards on a browser's screen show what a template says."""
    template = deck.parent.parent / "templates" / "magic-item.xml"
    text = template.read_text(encoding="utf-8")
    with open_wall(client, deck.stem) as (page, seen):
        return [
            wait_for_pictures(page, seen, template, f"{text}<!-- {run} -->\n")
            for run in range(runs)
        ]


def wait_for_pictures(page: BrowserPage, cards: Sequence[str], path: Path, text: str) -> float:
    """Write a file; return the milliseconds until these cards show other pictures."""
    time.sleep(_PAUSE)
    page.evaluate(_WATCH, list(cards))
    start = time.perf_counter()
    path.write_text(text, encoding="utf-8")
    page.evaluate("window.allShown")
    return (time.perf_counter() - start) * 1000


_BROWSING = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run")
_LIST_SEEN = """() => [...document.querySelectorAll('.card')].filter((card) => {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
}).map((card) => card.dataset.id)"""
_WATCH = """cards => {
    const left = new Set(cards);
    window.allShown = new Promise((go) => {
        const hear = ({ target }) => {
            left.delete(target.closest('.card')?.dataset.id);
            if (left.size) return;
            document.removeEventListener('shown', hear);
            go();
        };
        document.addEventListener('shown', hear);
    });
}"""


def measure_memory(root: int) -> float:
    """Return the megabytes of a process and of all that it started, what they share once."""
    numbers, total = [root], 0.0
    for number in numbers:
        for task in (_PROC / str(number) / "task").glob("*/children"):
            numbers += map(int, task.read_text().split())
        smaps = (_PROC / str(number) / "smaps_rollup").read_text()
        total += sum(int(kb) for kb in re.findall(r"^Pss:\s+(\d+)", smaps, re.MULTILINE)) / 1000
    return total


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--runs", default=20, help="Saves of each kind; the median counts.")
@click.option("--saves", default=0, help="Save so many times, and show how much memory is held.")
@click.option("--browser", is_flag=True, help="Until a browser shows it.")
@click.option("--seed", type=int, help="The words; by default those of the day.")
def main(runs: int, saves: int, browser: bool, seed: int | None) -> None:
    """Measure how long it takes until a save is seen."""
    card, template = (see_cards, see_template) if browser else (measure_card, measure_template)
    seed = int(f"{datetime.now(UTC):%Y%m%d}") if seed is None else seed
    missed = False
    with tempfile.TemporaryDirectory() as scratch:
        for promised, measure in (
            ()
            if not runs
            else (
                (ONE_OF_54, card),
                (ONE_OF_1000, card),
                (TEMPLATE_OF_1000, template),
            )
        ):
            folder = Path(tempfile.mkdtemp(dir=scratch))
            deck = write_yaml(promised.cards, seed, folder)
            with start_studio(deck.parent.parent) as (client, _):
                found = measure(client, deck, runs)
            median = statistics.median(found)
            word = "PASS" if median < promised.most else "FAIL"
            missed = missed or word == "FAIL"
            click.echo(
                f"{word}  {promised.name}: {median:.0f} ms (least {min(found):.0f}, "
                f"most {max(found):.0f}; promised {promised.most:g})"
            )
        if saves:
            deck = write_yaml(54, seed, Path(tempfile.mkdtemp(dir=scratch)))
            with start_studio(deck.parent.parent) as (client, process):
                held: list[tuple[int, float]] = []
                for begun in range(0, saves, _SAVES_BETWEEN):
                    save_by_form(client, deck, range(begun, begun + _SAVES_BETWEEN))
                    held.append((begun + _SAVES_BETWEEN, measure_memory(process)))
            click.echo("memory: " + ", ".join(f"{mb:.0f} MB after {n}" for n, mb in held))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
