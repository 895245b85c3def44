"""The pictures that README shows, from what cardgen really builds: `make pictures`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import chdir
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cardgen.build import build, load_deck
from cardgen.deck.model import Deck
from cardgen.output.picture import draw_pages
from cardgen.pages.impose import Sides
from cardgen.units import MM

PICTURES = Path(__file__).resolve().parent / "pictures"
CARDS = (
    ("magic", "Crown of Command"),
    ("magic", "The Battle Standard"),
    ("magic", "Sword of Destruction"),
    ("magic", "Banner of Hoohaa!"),
    ("magic", "Lucky Charm"),
    ("magic", "Place of Power"),
    ("magic", "Lucky Find!"),
    ("tactics", "Night March"),
    ("magic", None),
    ("tactics", None),
)
DPI = 150
GAP = 26
GROUND = (236, 233, 226)
SHADOW = 90


def draw_cards() -> Image.Image:
    """Some fronts and backs side by side, in two rows."""
    decks = {name: load_deck(name) for name in ("magic", "tactics")}
    fronts = {name: _render(name, "fronts") for name in decks}
    backs = {name: _render(name, "backs") for name in decks}
    chosen = [
        backs[name][0] if card is None else fronts[name][_find(decks[name], card)]
        for name, card in CARDS
    ]
    return _lay_out([_round_off(card) for card in chosen], columns=5)


def draw_sheet() -> Image.Image:
    return _lay_out(_render("playsheet", "fronts", DPI / 2), columns=1)


def _render(deck: str, sides: Sides, dpi: float = DPI) -> list[Image.Image]:
    """The pages of a deck; those of cards hold one card each, at its trim."""
    target = "a4" if deck == "playsheet" else "single"
    built = build(deck, target=target, sides=sides)
    pages = draw_pages(built.path.read_bytes(), dpi)
    return [Image.open(BytesIO(page)).convert("RGBA") for page in pages]


def _find(deck: Deck, name: str) -> int:
    """The page of a card's first copy."""
    return next(
        page for page, copy in enumerate(deck.list_copies()) if deck.cards[copy.design].name == name
    )


def _round_off(card: Image.Image) -> Image.Image:
    mask = Image.new("L", card.size, 0)
    radius = round(3 * MM * DPI / 72)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, *card.size), radius, fill=255)
    card.putalpha(mask)
    return card


def _lay_out(pictures: Sequence[Image.Image], columns: int) -> Image.Image:
    """Pictures in rows on a quiet ground, each with a soft shadow."""
    width, height = pictures[0].size
    rows = -(-len(pictures) // columns)
    size = (GAP + columns * (width + GAP), GAP + rows * (height + GAP))
    whole = Image.new("RGB", size, GROUND)
    for number, picture in enumerate(pictures):
        row, column = divmod(number, columns)
        indent = (columns - min(columns, len(pictures) - row * columns)) * (width + GAP) // 2
        at = (indent + GAP + column * (width + GAP), GAP + row * (height + GAP))
        alpha = picture.getchannel("A")
        shade = Image.new("L", size, 0)
        shade.paste(alpha.point(lambda value: value * SHADOW // 255), (at[0], at[1] + 5))
        shade = shade.filter(ImageFilter.GaussianBlur(7))
        whole = ImageChops.multiply(whole, Image.merge("RGB", [ImageChops.invert(shade)] * 3))
        whole.paste(picture, at, alpha)
    return whole


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as name, chdir(name):
        target = Path("targets/single.toml")
        target.parent.mkdir()
        target.write_text('title = "One card"\npaper = "poker"\n', encoding="utf-8")
        pictures = {"cards": draw_cards(), "playsheet": draw_sheet()}
    for name, picture in pictures.items():
        path = PICTURES / f"{name}.png"
        picture.quantize(192, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path}: {picture.width} x {picture.height}")


if __name__ == "__main__":
    main()
