"""The pictures that README and docs show, from what cardgen really builds: `make pictures`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import chdir
from io import BytesIO
from math import sin
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner
from draw_studio import draw_studio
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cardgen.build.pipeline import build_deck
from cardgen.build.plan import BuildOptions
from cardgen.build.selection import Selection
from cardgen.cli.calibrate import calibrate
from cardgen.core.units import MM
from cardgen.deck.model import Deck
from cardgen.output.png import draw_pages
from cardgen.pages.impose import Sides
from cardgen.project.project import open_deck

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
TEMPLATES = Path(__file__).resolve().parent / "templates.md"
FORMAT = TEMPLATES.with_name("template-format.md")
DPI = 150
_DPI = {"box": 100, "token-round": 150, "coin": 150, "tent": 84, "flashcard": 84, "ticket": 60}
SHEET_DPI = 72
GAP = 26
GROUND = (236, 233, 226)
SHADOW = 90


def draw_cards() -> Image.Image:
    """Some fronts and backs side by side, in two rows."""
    decks = {name: open_deck(name).deck for name in ("magic", "tactics")}
    fronts = {name: _render(name, "fronts") for name in decks}
    backs = {name: _render(name, "backs") for name in decks}
    chosen = [
        backs[name][0] if card is None else fronts[name][_find(decks[name], card)]
        for name, card in CARDS
    ]
    return _lay_out([_round_off(card) for card in chosen], columns=5)


def draw_sheet() -> Image.Image:
    return _lay_out(_render("playsheet", "fronts", DPI / 2), columns=1)


def draw_printing() -> Iterator[tuple[str, Image.Image]]:
    """The first sheets for some targets, and the page on which a printer is calibrated."""
    for name, target, count in (
        ("sheet", "a4", 2),
        ("gutterfold", "gutterfold-a4", 1),
        ("silhouette", "silhouette-a4", 1),
    ):
        built = build_deck("magic", BuildOptions(target=target, selection=Selection(end=9)))
        yield name, _lay_out(_draw(built.path, SHEET_DPI)[:count], columns=count)
    ran = CliRunner().invoke(calibrate, [])
    assert ran.exit_code == 0, ran.output
    yield "calibration", _lay_out(_draw(Path("output/calibration.pdf"), SHEET_DPI), columns=2)


def draw_showcase() -> Iterator[tuple[str, Image.Image]]:
    """A deck shown off, half as large as it is made."""
    built = build_deck("magic", BuildOptions(target="showcase"))
    for scene in ("fan", "box"):
        picture = Image.open(built.path / f"magic-{scene}.png")
        yield (
            f"showcase-{scene}",
            picture.resize((800, round(picture.height / 2)), Image.Resampling.BOX),
        )


def draw_templates() -> Iterator[tuple[str, Image.Image]]:
    """The decks of docs/templates.md, with the picture that they name."""
    Path("pictures").mkdir()
    _paint_dusk().save("pictures/dusk.png")
    pattern = re.compile("^```yaml example=(.+)\\n((?s:.*?))^```$", re.MULTILINE)
    text = TEMPLATES.read_text(encoding="utf-8")
    for name, block in pattern.findall(text):
        template = block.partition("template: ")[2].splitlines()[0]
        if f"## `{template}`" not in text:
            continue
        path = Path(f"decks/{name}.yaml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(block, encoding="utf-8")
        large = template == "box"
        target = "a4" if large else "trim"
        dpi = _DPI.get(template, 96)
        faces = _render(str(path), "fronts", dpi, target)
        if large:
            faces = [face.crop(_find_ink(face)) for face in faces]
        elif template == "token-round":
            faces = [_cut_circle(face) for face in faces[::6]]
        elif template == "coin":
            faces = [_cut_circle(face) for face in faces]
        elif template == "hex-tile":
            faces = [_cut_hexagon(face) for face in faces]
        else:
            faces = [_round_off(face, 0 if template == "tent" else dpi) for face in faces]
        yield f"template-{template}", _lay_out(faces, columns=len(faces))


def draw_examples() -> Iterator[tuple[str, Image.Image]]:
    """What the examples of docs/template-format.md show, each with the deck of that page."""
    text = FORMAT.read_text(encoding="utf-8")
    deck = re.search("^```yaml example=items\n((?s:.*?))^```$", text, re.MULTILINE)
    assert deck is not None
    _paint_dusk().crop((0, 200, 600, 650)).save("pictures/crown.png")
    for name, block in re.findall("^```xml example=([\\w-]+)\n((?s:.*?))^```$", text, re.MULTILINE):
        whole = block.startswith("<template")
        template = block if whole else f'<template size="poker" bleed="3mm">\n{block}</template>'
        Path("templates").mkdir(exist_ok=True)
        Path(f"templates/{name}.xml").write_text(template, encoding="utf-8")
        path = Path(f"decks/{name}.yaml")
        path.write_text(deck[1].replace("template: first", f"template: {name}"), encoding="utf-8")
        paged = 'size="page"' in template
        faces = _render(str(path), "fronts", 44 if paged else 84, "a5" if paged else "trim")
        # The first copy of each card, as far down as anything is drawn.
        foot = max(_find_foot(face) for face in faces)
        shown = [_round_off(face, 84).crop((0, 0, face.width, foot)) for face in faces[1:]]
        yield f"format/{name}", _lay_out(shown, columns=2)


def _find_foot(face: Image.Image) -> int:
    """How far down a face is drawn upon; all of it, where most is."""
    _, _, _, bottom = ImageChops.invert(face.convert("L")).getbbox() or (0, 0, 0, 0)
    least = face.height // 4
    return face.height if bottom > face.height * 0.8 else max(bottom + 14, least)


def _find_ink(face: Image.Image) -> tuple[int, int, int, int]:
    grey = ImageChops.invert(face.convert("L"))
    left, top, right, bottom = grey.getbbox() or (0, 0, *face.size)
    return left - 14, top - 14, right + 14, bottom + 14


def _cut_circle(face: Image.Image) -> Image.Image:
    mask = Image.new("L", face.size, 0)
    width, height = face.size
    ImageDraw.Draw(mask).ellipse((0, 0, width - 1, height - 1), fill=255)
    face.putalpha(mask)
    return face


def _cut_hexagon(face: Image.Image) -> Image.Image:
    """A face within a hexagon that is flat at the top."""
    mask = Image.new("L", face.size, 0)
    width, height = face.size
    corners = [(0, 0.5), (0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1)]
    ImageDraw.Draw(mask).polygon([(x * width, y * height) for x, y in corners], fill=255)
    face.putalpha(mask)
    return face


def _paint_dusk() -> Image.Image:
    """Hills at dusk, one behind the other."""
    width, height = 600, 900
    sky = Image.new("RGB", (1, height))
    for y in range(height):
        part = min(1.0, 1.6 * y / height)
        ends = zip((24, 30, 66), (233, 150, 92), strict=True)
        sky.putpixel((0, y), tuple(round(a + (b - a) * part) for a, b in ends))
    image = sky.resize((width, height))
    pen = ImageDraw.Draw(image)
    pen.ellipse((370, 270, 490, 390), fill=(255, 226, 170))
    hills = [(470, "#784a5a"), (560, "#543650"), (650, "#342640"), (750, "#181628")]
    for number, (base, colour) in enumerate(hills):
        ridge = [
            (x, base + 40 * sin(x / 93 + number * 1.7) + 19 * sin(x / 35 + number * 3))
            for x in range(0, width + 4, 4)
        ]
        pen.polygon([(0, height), *ridge, (width, height)], fill=colour)
    return image


def _render(
    deck: str, sides: Sides, dpi: float = DPI, target: str | None = None
) -> list[Image.Image]:
    """The pages of a deck; those of cards hold one card each, at its trim."""
    target = target or ("a4" if deck == "playsheet" else "single")
    built = build_deck(deck, BuildOptions(target=target, sides=sides))
    return _draw(built.path, dpi)


def _draw(path: Path, dpi: float) -> list[Image.Image]:
    pages = draw_pages(path.read_bytes(), dpi)
    return [Image.open(BytesIO(page)).convert("RGBA") for page in pages]


def _find(deck: Deck, name: str) -> int:
    """The page of a card's first copy."""
    return next(
        page for page, copy in enumerate(deck.list_copies()) if deck.cards[copy.design].name == name
    )


def _round_off(card: Image.Image, dpi: float = DPI) -> Image.Image:
    mask = Image.new("L", card.size, 0)
    radius = round(3 * MM * dpi / 72)
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
        target.with_stem("trim").write_text('title = "Trim"\npaper = "card"\n', encoding="utf-8")
        pictures = {"cards": draw_cards(), "playsheet": draw_sheet()}
        pictures |= {
            **dict(draw_showcase()),
            **dict(draw_printing()),
            **dict(draw_templates()),
            **dict(draw_examples()),
            **dict(draw_studio()),
        }
    for name, picture in pictures.items():
        path = PICTURES / f"{name}.png"
        path.parent.mkdir(exist_ok=True)
        picture.quantize(192, dither=Image.Dither.NONE).save(path, optimize=True)
        print(f"{path}: {picture.width} x {picture.height}")


if __name__ == "__main__":
    main()
