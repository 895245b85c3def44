"""The pictures of the studio: what a browser shows of it, from a studio that really runs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
SIZE = (1280, 800)
PATIENCE = 60_000
# So long a picture fades over, and the pictures beside it are loaded.
REST = 1500


@dataclass(frozen=True)
class View:
    """What is photographed: where it is, what must be there first, and what is done before."""

    name: str
    route: str
    ready: str
    scheme: str = "light"
    act: Callable[[Page], None] = lambda _: None


def draw_studio() -> Iterator[tuple[str, Image.Image]]:
    """The views that the docs show; none where no browser is installed."""
    program = shutil.which("chromium")
    if program is None:
        print("no chromium, so the pictures of the studio stay as they are")
        return
    with _start_studio() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for view in VIEWS:
            yield f"studio/{view.name}", _photograph(browser, address, view)
        browser.close()


@contextmanager
def _start_studio() -> Iterator[str]:
    """Start a studio for a project that has cardgen's decks; return its address."""
    folder = Path("warmaster")
    for name in ("decks", "templates"):
        shutil.copytree(ROOT / name, folder / name, dirs_exist_ok=True)
    program = Path(sys.executable).with_name("cardgen")
    command = [str(program), "studio", "--no-open", "--port", "8930"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=folder)
    try:
        assert running.stdout is not None
        lines = (line.split() for line in running.stdout)
        yield next(words[-1] for words in lines if words[-1].startswith("http://"))
    finally:
        running.terminate()
        running.wait(30)


def _open_tutorial(page: Page) -> None:
    """Write the deck that the tutorial makes in its second step, and open a card of it."""
    text = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    for name, mark in (("decks", "yaml write=decks/mydeck.yaml"), ("templates", "xml shows=")):
        block = text.partition(f"```{mark}")[2].partition("\n")[2].partition("```")[0]
        path = Path("warmaster", name) / ("mydeck.yaml" if name == "decks" else "mydeck.xml")
        path.write_text(block.replace("cuont", "count"), encoding="utf-8")
    page.evaluate("location.hash = '#/mydeck/card/silver-spoon'")
    page.wait_for_selector(".sheet-of-card img")


def _photograph(browser: Browser, address: str, view: View) -> Image.Image:
    page = browser.new_page(
        viewport={"width": SIZE[0], "height": SIZE[1]},
        color_scheme="dark" if view.scheme == "dark" else "light",
        locale="en-GB",
    )
    page.set_default_timeout(PATIENCE)
    page.goto(address + view.route)
    page.wait_for_selector(view.ready)
    page.wait_for_timeout(REST)
    view.act(page)
    page.mouse.move(0, SIZE[1] - 1)
    page.wait_for_timeout(REST)
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    page.close()
    return picture


def _wait_for_pictures(page: Page) -> None:
    page.wait_for_function("() => [...document.images].every((one) => one.naturalWidth > 0)")


def _show_boxes(page: Page) -> None:
    page.get_by_role("button", name="Safe").click()
    page.get_by_role("button", name="Boxes").click()
    page.wait_for_selector(".overlay .box")


def _open_print(page: Page) -> None:
    page.get_by_role("button", name="Print", exact=True).click()
    page.get_by_text("Nothing to complain of.").wait_for()


def _drop(page: Page) -> None:
    text = ROOT / "tests/studio/gifts.md"
    page.locator("input[type=file]").set_input_files(text)
    page.locator('.source-line[data-at="17"]').hover()
    page.get_by_role("button", name="is a name").click()
    page.locator(".found-card", has_text="Staff of Ash").wait_for()
    page.locator('.source-line[data-at="23"]').hover()


def _deal(page: Page) -> None:
    page.get_by_label("Seed").fill("1204")
    page.get_by_label("Seed").blur()
    page.get_by_role("button", name="Deal hands").click()
    page.wait_for_timeout(REST)
    for at in (0, 1):
        page.locator(".hand").nth(at).locator(".played").first.click()
        page.get_by_role("menuitem", name="Play", exact=True).click()
    page.locator(".laid .played").first.click()
    page.get_by_role("menuitem", name="Add a token").click()


VIEWS = (
    View("covers", "#/", ".cover img", act=_wait_for_pictures),
    View("wall", "#/magic/cards", ".card img", act=_wait_for_pictures),
    View("card", "#/magic/card/crown-of-command", ".sheet-of-card img", "dark", _show_boxes),
    View("print", "#/magic/sheets", ".paper img", act=_open_print),
    View("table", "#/magic/table", "td"),
    View("import", "#/import", ".drop", act=_drop),
    View("tutorial", "#/magic/cards", ".card img", act=_open_tutorial),
    View("deal", "#/magic/deal", ".pile img", "dark", _deal),
)
