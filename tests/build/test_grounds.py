"""Black text on many inks takes their place; on few it lies on top of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from conftest import Project
from PIL import Image
from pypdf import PdfReader
from test_press_pdf import find_most_ink, separate

DARK = '<colour name="dark" cmyk="70 70 60 0"/><colour name="light" cmyk="20 30 40 0"/>'


ATTRIBUTES = 'size="square-us" bleed="0.125in"'


def write_card(project: Project, body: str) -> Path:
    project.write_template(DARK + body, attributes=ATTRIBUTES)
    project.write_deck()
    return project.build(target="drivethru").path


def count_states(path: Path, number: int = 0) -> tuple[int, int]:
    """How often a text lies on top of a page, and how many texts are black alone."""
    page: Any = PdfReader(path).pages[number]
    waiting, content = [(page.get_contents(), page)], b""
    while waiting:
        stream, owner = waiting.pop()
        data = stream.get_data()
        content += data
        for name in re.findall(r"(/\S+) Do", data.decode("latin-1")):
            form = owner["/Resources"]["/XObject"][name].get_object()
            waiting.append((form, form if "/Resources" in form else owner))
    return len(re.findall(rb"/GO gs", content)), len(re.findall(rb"0 0 0 1 k", content))


def put(colour: str, x: str = "4mm", y: str = "4mm", side: str = "30mm") -> str:
    return f'<box x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>'


def say(x: str, y: str) -> str:
    return f'<text x="{x}" y="{y}" width="24mm" style="big">WWW</text>'


def show(picture: str) -> str:
    return f'<image x="4mm" y="4mm" width="30mm" height="30mm" file="{picture}.png"/>'


STYLE = '<style name="big" size="24pt" weight="bold"/>'


BODIES = [
        (put("light") + say("7mm", "9mm"), True),
        (put("dark") + say("7mm", "9mm"), False),
        (put("dark") + say("38mm", "44mm"), True),
        ('<box x="4mm" y="4mm" width="30mm" height="30mm" fill="dark" if="card.name"/>'
         '<text x="7mm" y="9mm" width="24mm" style="big">{{ card.name }}</text>', False),
        (show("dark") + say("7mm", "9mm"), False),
        (show("light") + say("7mm", "9mm"), True),
        (put("dark") + '<box x="7mm" y="7mm" width="24mm" height="24mm" turn="90">'
         '<text x="0" y="8mm" width="24mm" style="big">WWW</text></box>', False),
        (put("dark", "36mm", "36mm") + '<box x="7mm" y="7mm" width="24mm" height="24mm" turn="90">'
         '<text x="0" y="8mm" width="24mm" style="big">WWW</text></box>', True),
        ('<box x="7mm" y="7mm" width="24mm" height="50mm" turn="90">'
         '<box x="0" y="0" width="20mm" height="24mm" fill="dark"/></box>'
         + say("8mm", "9mm"), False),
]  # fmt: skip


def test_black_text_lies_on_top_where_there_is_room_for_its_ink(
    project: Project, tmp_path: Path
) -> None:
    for name, rgb in (("dark", (60, 0, 120)), ("light", (240, 220, 200))):
        Image.new("RGB", (400, 400), rgb).save(project.folder / f"{name}.png")
    for number, (body, _) in enumerate(BODIES):
        project.write_template(DARK + STYLE + body, f"ground-{number}", ATTRIBUTES)
    cards = "".join(f"  - {{name: W{n}, template: ground-{n}}}\n" for n in range(len(BODIES)))
    project.write_deck(cards, head="")
    path = project.build(target="drivethru").path
    pages = separate(path, tmp_path / "plates", dpi=100)
    for number, ((body, on_top), plates) in enumerate(zip(BODIES, pages, strict=True)):
        over, black = count_states(path, number)
        assert black >= 1, body
        assert bool(over) == on_top, body
        assert max(plates["Black"].tobytes()) > 250, body  # the text is there
        assert find_most_ink(plates) <= 241, body
