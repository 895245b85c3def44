"""A real browser that shows the studio's page, and what a person does with it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from conftest import find_tool
from PIL import Image
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Request,
    expect,
    sync_playwright,
)

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",
    "--renderer-process-limit=1",
    "--disable-extensions",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PATIENCE = 30_000


@dataclass
class Visit:
    """A page that is open, and what its console complained of."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def find_card(self, key: str) -> Locator:
        return self.page.locator(f'.card[data-id="{key}"]')

    def photograph(self, key: str) -> Image.Image:
        """The picture that a card on the wall shows."""
        shown = self.find_card(key).locator(".cut")
        return Image.open(io.BytesIO(shown.screenshot(animations="disabled"))).convert("RGB")

    def wait_for_picture(self, key: str, unlike: str = "") -> str:
        """Wait until a card shows one picture, and that whole; return its address."""
        return str(
            self.page.wait_for_function(
                """([key, unlike]) => {
                    const all = document.querySelectorAll(`.card[data-id="${key}"] .cut img`);
                    const [one] = all;
                    return all.length === 1 && one.complete && one.naturalWidth > 0
                        && one.src !== unlike && one.src;
                }""",
                arg=[key, unlike],
            ).json_value()
        )

    def find_colour(self, key: str) -> tuple[int, int, int]:
        """The colour of a card's picture on the wall, a third of the way down, where no text is."""
        return _find_ground(self.photograph(key))

    def find_shown_colour(self) -> tuple[int, int, int]:
        """The colour of the card that is shown large, a third of the way down."""
        shown = self.page.locator(".sheet-of-card")
        shown.locator("img").first.wait_for()
        return _find_ground(
            Image.open(io.BytesIO(shown.screenshot(animations="disabled"))).convert("RGB")
        )


def _find_ground(picture: Image.Image) -> tuple[int, int, int]:
    red, green, blue = picture.getpixel((picture.width // 2, picture.height // 3))  # type: ignore[misc]
    return red, green, blue


@contextmanager
def start_browser() -> Iterator[Browser]:
    program = find_tool("chromium")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visit(
    browser: Browser,
    address: str,
    *,
    scheme: str = "light",
    size: tuple[int, int] = (1200, 800),
    language: str = "en-GB",
) -> Iterator[Visit]:
    """Open a page in a window of its own."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        locale=language,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    opened = Visit(page)

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            opened.complaints.append(message.text)

    def note_dialog(dialog: Dialog) -> None:
        opened.complaints.append(dialog.message)
        dialog.dismiss()

    page.on("console", note)
    page.on("pageerror", lambda error: opened.complaints.append(str(error)))
    page.on("dialog", note_dialog)
    server = address.partition("#")[0]

    def note_request(request: Request) -> None:
        if not request.url.startswith((server, "blob:", "data:")):
            opened.complaints.append(f"{request.url} is asked for")

    page.on("request", note_request)
    page.goto(address)
    try:
        yield opened
    finally:
        context.close()


def read_axe() -> str:
    """The script that looks for what keeps people from using a page."""
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
