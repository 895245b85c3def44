"""Each thing that a template can draw, on a small card of its own, as a press gets it in PDF/X-4
and in PDF/X-1a, and as a picture: points of the card have the colours that they are to have, and
preflight finds nothing in the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Project
from PIL import Image, ImageDraw
from pypdfium2 import PdfDocument

from cardgen.build.press import check_pdf
from cardgen.core.library import HOME
from cardgen.pages.target_file import read_target
from cardgen.template.vocabulary import ELEMENTS

TARGETS = ("press", "press-x1a", "png")
SCALE = 2.0  # pixels to a point, of a page
BLEED, STAGE, WIDTH = 3.0, 5.0, 50.0  # mm; features stand on a stage within the card
SLACK = 9  # of 255, by which a colour may be another; that of two that mix has more
MIXED = 30
Colour = tuple[int, int, int]
Pages = Mapping[str, Sequence[Image.Image]]  # of each target

# Colours of templates, and how a reader of PDF and a picture show them.
COLOURS: dict[str, tuple[str, Colour, Colour]] = {
    "white": ('cmyk="0 0 0 0"', (255, 255, 255), (255, 255, 255)),
    "black": ('cmyk="0 0 0 100"', (35, 31, 32), (34, 33, 32)),
    "grey": ('cmyk="0 0 0 50"', (147, 149, 152), (157, 157, 156)),
    "red": ('cmyk="0 90 90 0"', (239, 62, 46), (230, 51, 38)),
    "blue": ('cmyk="90 50 0 0"', (0, 115, 188), (0, 111, 183)),
    "gold": ('cmyk="0 20 80 0"', (254, 204, 78), (255, 206, 70)),
    "green": ('cmyk="80 0 90 0"', (33, 178, 89), (12, 166, 76)),
    "scarlet": ('rgb="#d02818"', (214, 45, 35), (208, 40, 24)),
    "sky": ('rgb="#3070c0"', (44, 114, 185), (48, 112, 192)),
}
FORMATS = ("png", "jpeg", "webp", "gif", "tiff", "bmp", "avif")
ROOM = 'x="5mm" y="5mm" width="20mm" height="20mm"'


class Feature(NamedTuple):
    """What is drawn, and what is seen of it: colours and points, in millimetres from the top left
    of the stage, as in `red 5,5 9,9; !white 1,1`. `red/white` is half of each, `!white` any other
    colour, and `red?` one that is found within a millimetre.
    """

    body: str
    seen: str
    bleeds: bool = False  # whether it has the card, and not the stage


FEATURES: dict[str, Feature] = {
    # Shapes
    "box": Feature(
        f'<box {ROOM} fill="red" stroke="blue" stroke-width="2mm"/>',
        "red 15,15 8,8; blue 6,15 15,24 6,6; white 3,3 27,15",
    ),
    "row and column": Feature(
        '<row fill="gold" padding="2mm" gap="2mm"><box width="10mm" fill="red"/>'
        '<column grow="1" gap="4mm" fill="white"><box height="8mm" fill="blue"/>'
        '<box grow="1" fill="green"/></column></row>',
        "gold 1,1 13,10 33,33; red 3,3 11,31; blue 15,3 31,9; white 20,12; green 15,15 31,31",
    ),
    "first that fits": Feature(
        '<column height="20mm"><first fit="box"><box height="16mm" fill="red"/>'
        '<box height="8mm" fill="gold"/></first><box height="8mm" fill="blue"/></column>',
        "gold 15,2 15,7; blue 15,9 15,15; white 15,18",
    ),
    "bleed": Feature(
        '<box bleed="true" fill="red" width="50%"/>',
        "red 15,15 -7,-7 -7,15; white 18,15 41,41",
        bleeds=True,
    ),
    "corner radii": Feature(
        f'<box {ROOM} radius="8mm 0 4mm 0" fill="red"/>',
        "red 15,15 24.5,5.5 5.5,24.5 8,8; white 6,6 24.5,24.5",
    ),
    "line": Feature(
        '<line y="8mm" stroke="red" stroke-width="2mm" dash="10mm"/>'
        '<line x="10mm" y="15mm" height="12mm" direction="down" stroke="blue" stroke-width="2mm"'
        ' cap="round"/>',
        "red 2,9 8,9 25,9; white 15,9 15,20 10.1,14.1; blue 11,16 11,27 11,14.5",
    ),
    "path": Feature(
        '<path d="M5 5 H25 L15 25 Z" fill="red"/>'
        '<path d="M2 28 C 2 20 8 20 8 28" stroke="blue" stroke-width="2mm"/>',
        "red 15,6 15,20 7,6; blue 2,27 5,22 8,27; white 6,20 24,20 5,26",
    ),
    "circle": Feature(
        f'<circle {ROOM} fill="red" stroke="blue" stroke-width="2mm"/>',
        "red 15,15 15,8; blue 15,6 6,15 15,24 24,15; white 6.5,6.5 23.5,23.5 15,4",
    ),
    "ellipse": Feature(
        '<ellipse x="5mm" y="10mm" width="20mm" height="10mm" fill="red"/>',
        "red 6,15 15,11 15,19 24,15; white 6,11 24,19 15,8",
    ),
    "polygon": Feature(
        f'<polygon sides="6" {ROOM} fill="red"/>',
        "red 15,6 15,24 7,11 23,19; white 5.4,15 8,5.5 22,24",
    ),
    "polygon of points": Feature(
        f'<polygon points="0,0 20,10 0,20" {ROOM} fill="red"/>',
        "red 6,6.5 23,15 6,23.5; white 15,7 15,23",
    ),
    "star": Feature(
        f'<star points="4" inner="0.3" {ROOM} fill="red"/>',
        "red 15,7 7,15 15,23 23,15; white 9,9 21,21 20,13 17,11",
    ),
    "arc": Feature(
        f'<arc from="0" to="90" kind="pie" {ROOM} fill="red"/>'
        f'<arc from="50%" to="75%" kind="ring" inner="0.5" {ROOM} fill="blue"/>'
        f'<arc from="270" to="360" {ROOM} stroke="gold" stroke-width="2mm"/>',
        "red 16,14 20,10 23.5,14; blue 9,20 6.5,16 12,20; gold 8.6,8.6; white 12,12 14,16 24,6",
    ),
    "arc with a chord": Feature(
        f'<arc from="0" to="90" kind="chord" {ROOM} fill="red"/>', "red 21,9; white 17,13 9,9"
    ),
    "guilloche": Feature(
        '<guilloche form="band" waves="20" strands="8" thickness="5mm" stroke="red"'
        f' stroke-width="1mm" {ROOM}/>',
        "red 15,23.5 8,21.5; red? 7.5,15 15,22; white 15,15 3,3",
    ),
    "plait": Feature(
        f'<plait columns="4" rows="4" ribbon="0.3" fill="red" {ROOM}/>',
        "red 20.5,8.5 19,21.5; red? 15,15 7,7 23,23; white 2,2 17.5,6.5 9,15",
    ),
    "rose": Feature(
        f'<rose points="4" inner="0.4" fill="red" dark="blue" {ROOM}/>',
        "blue 14.2,8 22,14.2; red 15.8,8 22,15.8; white 7,7 23,23",
    ),
    "rays": Feature(
        f'<rays count="4" inner="0.3" fill="red" {ROOM}/>', "red 15,7 7,15 15,11; white 15,15 8,8"
    ),
    # Colours
    "written colours": Feature(
        '<box width="10mm" height="20mm" fill="#d02818"/><box y="25mm" fill="BLACK"/>'
        '<box x="10mm" width="10mm" height="20mm" fill="cmyk(90 50 0 0)"/>'
        '<box x="20mm" height="20mm" fill="rgb(48, 112, 192)"/><box y="20mm" height="5mm"'
        ' fill="white"/>',
        "scarlet 5,5; blue 15,5; sky 25,5; white 15,22; black 15,28",
    ),
    "names of CSS": Feature(
        '<box width="10mm" fill="rebeccapurple"/><box x="10mm" fill="gold"/>',
        "gold 15,15; !white 5,15; !blue 5,15; !black 5,15",
    ),
    "linear gradient": Feature(
        '<box height="15mm" fill="linear(0, red 0, red 40, blue 60, blue 100)"/>'
        '<box y="15mm" fill="linear(gold 0, gold 30, green 70, green 100)"/>',
        "red 3,5 12,12; blue 22,5 28,12; gold 5,17 25,17; green 5,30 25,30;"
        "!red 17,7; !blue 17,7; !white 17,7",
    ),
    "radial gradient": Feature(
        '<box fill="radial(at 10mm 15mm radius 10mm, red 0, red 50, blue 50, blue 100)"/>',
        "red 10,15 5.4,15 10,19.6; blue 10,9.6 15.4,15 28,15 2,2",
    ),
    # Effects
    "turned box": Feature(
        '<box x="5mm" y="13mm" width="20mm" height="4mm" turn="45" fill="red"/>',
        "red 9,9 15,15 21,21; white 5,15 25,15 21,9 9,21",
    ),
    "turned text": Feature(
        f'<text {ROOM} size="60pt" colour="red">▲</text>'
        '<text inset="12mm 9mm 2mm 5mm" size="60pt" colour="blue" turn="180">▲</text>',
        "red 9.5,15.5; white 7,11; blue 20.5,24.7; white 23,29",
    ),
    "turned picture": Feature(
        f'<image file="half.png" {ROOM} turn="90"/>'
        '<image file="half.png" x="12mm" y="26mm" width="4mm" height="4mm" turn="-45"/>',
        "scarlet 15,8 8,8 12.6,29; sky 15,22 22,22 15.4,27; white 12,26 16,30",
    ),
    "opacity": Feature(
        f'<box height="15mm" fill="blue"/><box {ROOM} fill="white" opacity="0.5"/>',
        "blue 2,5; blue/white 15,8 6,6 24,14; white 15,20 2,20",
    ),
    "opacity of a whole": Feature(
        f'<box {ROOM} opacity="0.5"><box fill="red" width="12mm"/><box fill="blue" x="8mm"/></box>',
        "red/white 7,15; blue/white 15,15 23,15; white 2,2",
    ),
    "multiply": Feature(
        '<box height="15mm" fill="gold"/><box x="10mm" fill="blue" blend="multiply"/>',
        "gold 5,5; blue 20,20; white 5,20; !gold 20,5; !blue 20,5; !white 20,5; !black 20,5",
    ),
    "screen": Feature(
        '<box height="15mm" fill="blue"/><box x="10mm" fill="red" blend="screen"/>',
        "blue 5,5; white 5,20; !blue 20,5; !red 20,5; !black 20,5; !blue/red 20,5",
    ),
    "shadow": Feature(
        '<box x="5mm" y="5mm" width="14mm" height="14mm" fill="red" shadow="6mm 6mm blue"/>',
        "red 15,15 18,18; blue 22,22 12,22 22,12; white 22,8 8,22 26,26",
    ),
    "soft shadow": Feature(
        '<box x="5mm" y="5mm" width="14mm" height="14mm" fill="red"'
        ' shadow="6mm 6mm 3mm blue 50%"/>',
        "red 15,15 18,18; blue/white 20.5,20.5; !white 24,18 18,24; !blue 22,18; white 22,2 29,29",
    ),
    "glow": Feature(
        '<box x="10mm" y="10mm" width="10mm" height="10mm" fill="red" glow="6mm blue"/>',
        "red 15,15; !white 15,8 8,15 22,15; !blue 15,7; white 2,2 28,28 15,2",
    ),
    "hard glow": Feature(
        '<circle x="10mm" y="10mm" width="10mm" height="10mm" fill="red" glow="4mm blue hard"/>',
        "red 15,15; blue 15,8 8,15 22,15 15,22; white 15,5 6,6 24,24",
    ),
    "clip": Feature(
        f'<box {ROOM} radius="8mm" clip="true"><box x="-9mm" y="10mm" width="40mm" fill="red"/>'
        '</box><circle width="8mm" height="8mm" clip="true"><box fill="blue"/></circle>',
        "red 15,16 6,16 15,24; white 15,14 6,24 24,24 3,16 0.5,0.5; blue 4,4",
    ),
    # Texts: the sign is a square
    "text": Feature(
        f'<text {ROOM} size="60pt" colour="red">■</text>', "red 7,11 12,16; white 5,11 7,9 14,13"
    ),
    "aligned text": Feature(
        '<text y="2mm" align="right" size="20pt" colour="red">■</text>'
        '<text valign="bottom" align="centre" size="20pt" colour="blue">■</text>',
        "red 32.5,5; red? 32.5,4; blue? 17,32; white 1,4 17,4 32,32",
    ),
    "spans": Feature(
        '<style name="loud" colour="red"/>'
        '<text y="5mm" size="30pt" colour="blue">■[■]{loud}</text>',
        "blue 1.5,9 3,10; red 6,9 8,10; white 4.6,9",
    ),
    "text outline": Feature(
        f'<text {ROOM} size="40pt" colour="red" outline="blue 2mm">■</text>',
        "red 7,10 9,12; blue 4.5,11 8,7.5 11,11 8,14; white 2,11 8,17",
    ),
    "text along a path": Feature(
        '<text path="M3 15 A 12 12 0 0 1 27 15" align="centre" colour="red" size="20pt">■</text>'
        '<text path="M3 20 V30" colour="blue" size="20pt">■</text>',
        "red 14.6,1 15.4,2 14.5,1; white 13,1.5 3,13; blue? 4.5,22",
    ),
    "underline and strike": Feature(
        '<text y="5mm" size="40pt" underline="true" colour="red">.&#xA0;&#xA0;&#xA0;.</text>'
        '<text y="20mm" size="40pt" strike="true" colour="blue">.&#xA0;&#xA0;&#xA0;.</text>',
        "red? 4,16.5 10,16.5; blue? 4,25.5 10,25.5; white 6,12 6,29 15,16.5",
    ),
    "text with a ground": Feature(
        f'<text {ROOM} fill="red" stroke="blue" stroke-width="2mm" colour="white" padding="5mm"'
        ' size="20pt">■</text>',
        "blue 6,15 15,24; red 20,20 8,8; white? 11.3,13; white 3,3",
    ),
    "list in a text": Feature(
        '<text y="3mm" size="20pt" colour="red">\n  - ■\n  - ■\n</text>',
        "red 10,6 10,16; red? 1,6 1,16; white 10,11 5,6",
    ),
    "table in a text": Feature(
        '<text y="3mm" size="14pt" colour="red">\n  | ■ |  |\n  |---|---|\n  |  | ■ |\n</text>',
        "red 1,5.2 18.6,10.8; white 1,10.8 18.6,5.2",
    ),
    "table": Feature(
        '<table columns="15mm grow" gap="0" row-padding="3mm" rule="blue" rule-width="1mm"'
        ' stripe="gold"><tr head="true"><td> </td><td> </td></tr><tr><td>■</td><td>■</td></tr>'
        "<tr><td>■</td><td>■</td></tr></table>",
        "blue 1,6 30,6 20,5.5 20,14.6; gold 7,20 30,20; white 7,10 20,2; black? 0.8,10.5 15.6,10.5",
    ),
    "flow": Feature(
        '<style name="head" colour="white"/><flow h1="head" band="2mm" band-fill="red">\n'
        "  # A\n\n  Text\n</flow>",
        "red 20,3 1,1; white? 2.6,3.2; white 20,10 24,7; black? 2.5,9.5",
    ),
    "icon with words on it": Feature(
        '<icon-style name="disc" fill="red" text="figure"/><style name="figure" colour="gold"/>'
        '<text x="5mm" y="5mm" size="50pt">:disc[■]:</text>',
        "red 9,10 20,10 15,18; gold 13.5,11 16,13.5; white 6,3",
    ),
    "picture in a text": Feature(
        '<text x="5mm" y="5mm" size="40pt">![x](half.png){height=15mm}</text>',
        "scarlet 7,4 12,16; sky 15,4 20,16; white 4,10 22,10",
    ),
    "icons in a text": Feature(
        '<icon-style name="pic" file="half.png"/><icon-style name="two" colours="keep"/>'
        '<text x="2mm" y="5mm" size="20pt" colour="blue">:disc::pic::two:</text>',
        "blue 6,7; scarlet 11.5,7 19,5; sky 15,7 23.5,9.5; white 2.6,4",
    ),
    # Pictures
    **{
        f"picture in {kind}": Feature(
            f'<image file="half.{kind}" {ROOM}/>',
            "scarlet 6,6 13,15 13,24; sky 17,6 24,15 24,24; white 4,15 26,15",
        )
        for kind in FORMATS
    },
    "picture in svg": Feature(
        f'<image file="art.svg" {ROOM}/>',
        "scarlet 7,9 17,9 21,9 16,22.5; sky 11,9 7,17; sky/white 19,17;"
        "!white 6.6,23; !scarlet 6.6,23; white 19,9 11,17 19,23",
    ),
    "drawing in greys and masked": Feature(
        f'<image file="two.svg" greyscale="true" mask="circle" {ROOM}/>',
        "!scarlet 9,9; !sky 21,21; !white 9,9 21,21; !black 9,9 21,21; white 6,6 24,24",
    ),
    "drawing as tinted tiles": Feature(
        f'<image file="inky.svg" fit="tile" tile-size="10mm" tint="blue" {ROOM}/>',
        "blue 7,7 17,7 7,17; white 13,13 23,13 13,23 3,7 27,7",
    ),
    "mirrored drawing": Feature(
        '<image file="two.svg" bleed="mirror"/>',
        "scarlet 5,5 -7,5 5,-7; sky 29,29 41,29 29,41",
        bleeds=True,
    ),
    "cover and radius": Feature(
        '<image file="half.png" x="5mm" y="10mm" width="20mm" height="10mm" fit="cover"'
        ' radius="4mm"/>',
        "scarlet 6,15 12,11; sky 24,15 18,19; white 5.5,10.5 24.5,19.5 15,8",
    ),
    "tiles": Feature(
        f'<image file="half.png" fit="tile" tile-size="10mm" {ROOM}/>',
        "scarlet 7,7 17,7 7,17 17,17; sky 13,7 23,7 13,17 23,23; white 3,7 27,7",
    ),
    "tint": Feature(
        f'<image file="grey.png" tint="blue" {ROOM}/>',
        "blue 8,15; white 22,15; !blue 15,15; !white 15,15; !grey 15,15",
    ),
    "greyscale": Feature(
        f'<image file="half.png" greyscale="true" {ROOM}/>',
        "!scarlet 9,15; !sky 21,15; !white 9,15 21,15; !black 9,15 21,15",
    ),
    "masks that are shapes": Feature(
        '<image file="half.png" mask="circle" x="5mm" y="5mm" width="10mm" height="10mm"/>'
        '<image file="half.png" mask="path M0 0 H1 L0 1 Z" x="15mm" y="5mm" width="10mm"'
        ' height="10mm"/>'
        '<image file="half.png" mask="star 4 0.3" x="5mm" y="15mm" width="10mm" height="10mm"/>'
        '<image file="half.png" mask="rounded 5mm" x="15mm" y="15mm" width="10mm"'
        ' height="10mm"/>',
        "scarlet 6,10 16,6 7,20 16,20; sky 14,10 23,5.4 13,20 24,20;"
        "white 5.5,5.5 14.5,14.5 24,14 7,17 13,23 15.5,15.5",
    ),
    "mask that is a picture": Feature(
        f'<box height="12mm" fill="gold"/><image file="half.png" mask="ring.png" {ROOM}/>',
        "scarlet 7,13 9,9; sky 23,15 21,21; scarlet/white 8,19 10,21; gold 5.5,5.5;"
        "white 15,19 24.5,24.5 15,14",
    ),
    "clear picture": Feature(
        f'<box height="15mm" fill="gold"/><image file="clear.png" {ROOM}/>',
        "gold 20,10; white 20,20; scarlet 8,8 8,22",
    ),
    "mirrored bleed": Feature(
        '<image file="half.png" bleed="mirror"/>',
        "scarlet 1,15 -7,15 -7,-7; sky 29,15 41,41 41,15",
        bleeds=True,
    ),
    # Icons
    "icon": Feature(
        f'<icon name="disc" fill="red" {ROOM}/>', "red 15,15 7,15 15,23; white 6,6 24,24"
    ),
    "icon with a gradient": Feature(
        f'<icon name="disc" fill="linear(red 45, blue 55)" {ROOM}/>',
        "red 15,7; blue 15,23; white 6,6",
    ),
    "icon with its colours": Feature(
        f'<icon name="two" colours="keep" {ROOM}/>', "scarlet 8,8; sky 22,22"
    ),
    # Codes: three corners of a QR code, the border of a Data Matrix, the guards of bars
    "QR code": Feature(
        f'<code kind="qr" text="CARD" fill="blue" {ROOM}/>',
        "blue 10.3,10.3 19.7,10.3 10.3,19.7 8.3,8.3 21.7,8.3; white 9,9 21,9 7,7 15,6",
    ),
    "Data Matrix": Feature(
        f'<code kind="datamatrix" text="CARD" {ROOM}/>',
        "black 8.2,10 8.2,20 10,21.8 20,21.8; white 6.5,15 21.8,8.2",
    ),
    "EAN": Feature(
        '<code kind="ean13" text="400638133393" x="-2.5mm" width="39mm" y="5mm" height="20mm"/>',
        "black? -0.5,24.3 16.5,24.3 33,24.3 5,10 25,10; white -2,10 16.5,3",
    ),
    "Code 128": Feature(
        '<code kind="code128" text="A" digits="true" y="5mm" height="20mm"/>',
        "black 6,10 28.4,20; black? 17,23.5; white 3,10 31,10 8,23.5 9.5,24.5",
    ),
}

DIE_LINE = (236, 0, 140)
# Paint that covers the card, and where the line of each shape runs; a card with round corners is
# cut as a rectangle.
TRIMS: dict[str, str] = {
    'size="44mm x 44mm" trim="circle"': "line 22,0 0,22 6.44,6.44; red 22,22 1,1",
    'size="44mm x 38.11mm" trim="hexagon"': "line 0,19.05 22,0 5.5,9.53; red 22,19 1,1 43,1",
    'size="44mm x 44mm" trim="rounded 8mm"': "red 22,0 0,22 2.34,2.34 1,1",
    'size="44mm x 30mm" trim="path M0 15 L22 0 H44 V30 H22 Z"': "line 11,7.5 44,15; red 1,1 2,29",
}

VIEW = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
SVG = f"""{VIEW}<style>.low{{fill:#3070c0}}</style>
<defs><clipPath id="c"><rect width="20" height="100"/></clipPath>
<linearGradient id="g"><stop offset=".5" stop-color="#d02818"/>
<stop offset=".5" stop-color="#3070c0"/></linearGradient>
<path id="p" d="M60 10 v20" stroke="#d02818" stroke-width="10"/></defs>
<rect width="40" height="40" fill="url(#g)"/><use href="#p"/><use href="#p" x="20"/>
<g clip-path="url(#c)"><rect class="low" y="50" width="100" height="20"/></g>
<g opacity=".5"><rect class="low" x="50" y="50" width="40" height="20"/></g>
<g transform="translate(0 80)"><text font-size="40" y="18">■</text></g>
<path d="M50 80h40v18h-40zm10 5h20v8h-20z" fill-rule="evenodd" fill="#d02818"/></svg>"""
INKY = f"""{VIEW}<path d="M0 0H100L0 100Z"/><path fill="#fff" d="M100 100H0L100 0Z"/></svg>"""
TWO = f"""{VIEW}<path fill="#d02818" d="M0 0H100L0 100Z"/>
<path fill="#3070c0" d="M100 100H0L100 0Z"/></svg>"""


def write_pictures(project: Project) -> None:
    half = Image.new("RGB", (600, 600), "#d02818")
    half.paste("#3070c0", (300, 0, 600, 600))
    for kind in FORMATS:
        half.save(project.folder / f"half.{kind}")
    clear = half.convert("RGBA")
    clear.paste((0, 0, 0, 0), (300, 0, 600, 600))
    clear.save(project.folder / "clear.png")
    ring = Image.new("RGBA", half.size)
    ImageDraw.Draw(ring).ellipse((0, 0, 599, 599), fill="black")
    ImageDraw.Draw(ring).pieslice((0, 0, 599, 599), 90, 180, fill=(0, 0, 0, 128))
    ImageDraw.Draw(ring).rectangle((225, 225, 375, 599), fill=(0, 0, 0, 0))
    ring.save(project.folder / "ring.png")
    greys = Image.new("L", half.size, 255)
    greys.paste(0, (0, 0, 200, 600))
    greys.paste(128, (200, 0, 400, 600))
    greys.save(project.folder / "grey.png")
    project.write("art.svg", SVG)
    project.write("inky.svg", INKY)
    project.write("icons/disc.svg", f'{VIEW}<circle cx="50" cy="50" r="50"/></svg>')
    for name in ("two.svg", "icons/two.svg"):
        project.write(name, TWO)


def write_card(project: Project, name: str, body: str, shape: str = 'size="44mm x 44mm"') -> str:
    """Write the template of a card, and return the card."""
    colours = "".join(f'<colour name="{key}" {ink}/>' for key, (ink, *_) in COLOURS.items())
    project.write_template(colours + body, name, f'{shape} bleed="{BLEED}mm"')
    return f"  - {{name: {name}, template: {name}}}\n"


def write_feature(project: Project, name: str, feature: Feature) -> str:
    """Write the template of a feature, and return its card."""
    definition = re.compile(r"<(?:icon-)?style [^>]*/>")
    body = definition.sub("", feature.body)
    if not feature.bleeds:
        body = f'<box inset="{STAGE}mm">{body}</box>'
    return write_card(project, name, "".join(definition.findall(feature.body)) + body)


def draw_pages(path: Path, scale: float = SCALE) -> Iterator[Image.Image]:
    if path.is_dir():
        files = sorted(path.glob("*.png"), key=lambda file: int(file.name.partition("-")[0]))
        yield from (Image.open(file).convert("RGB") for file in files)
    else:
        yield from (page.render(scale=scale).to_pil().convert("RGB") for page in PdfDocument(path))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with a card for each feature, built for each target."""
    project = Project(tmp_path_factory.mktemp("drawn").resolve())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project.folder)
        write_pictures(project)
        boxes = "".join(
            f'<box x="{5 + 3 * n}mm" y="5mm" width="3mm" height="3mm" fill="{name}"/>'
            for n, name in enumerate(COLOURS)
        )
        cards = [write_card(project, "palette", boxes)]
        cards += [write_feature(project, *named) for named in FEATURES.items()]
        project.write_deck("".join(cards), head="")
        yield project


@pytest.fixture(scope="module")
def pages(drawn: Project) -> Pages:
    """The faces of each target; preflight, which each build runs, has nothing to warn of."""
    built = {target: drawn.build(target=target) for target in TARGETS}
    assert {target: one.warnings for target, one in built.items()} == dict.fromkeys(TARGETS, ())
    return {target: list(draw_pages(one.path)) for target, one in built.items()}


def see(page: Image.Image, x: float, y: float) -> Colour:
    """The colour at a point, in millimetres from the bleed's top left."""
    scale = page.width / WIDTH
    pixel = page.getpixel((int(x * scale), int(y * scale)))
    assert isinstance(pixel, tuple)
    return pixel[0], pixel[1], pixel[2]


def is_near(seen: Colour, wanted: Colour, most: int = SLACK) -> bool:
    return all(abs(a - b) <= most for a, b in zip(seen, wanted, strict=True))


def list_misses(
    page: Image.Image, told: str, palette: Mapping[str, Colour], edge: float = BLEED + STAGE
) -> Iterator[str]:
    """Name the points of a page that are not as they are told to be."""
    for part in told.split(";"):
        colour, *points = part.split()
        names = colour.strip("!?").split("/")
        one, other = palette[names[0]], palette[names[-1]]
        wanted = (one[0] + other[0]) // 2, (one[1] + other[1]) // 2, (one[2] + other[2]) // 2
        most = SLACK if len(names) == 1 else MIXED
        for point in points:
            x, y = (float(number) + edge for number in point.split(","))
            steps = [step / 6 for step in range(-6, 7)] if "?" in colour else [0.0]
            seen = [see(page, x + right, y + down) for right in steps for down in steps]
            found = any(is_near(one, wanted, most) for one in seen)
            if found == ("!" in colour):
                yield f"{colour} at {point}, where it is {seen[len(seen) // 2]}"


def test_colours_are_those_of_paper_and_screen(pages: Pages) -> None:
    for target in TARGETS:
        for number, (name, (_, paper, screen)) in enumerate(COLOURS.items()):
            seen = see(pages[target][0], BLEED + STAGE + 1.5 + 3 * number, BLEED + STAGE + 1.5)
            assert is_near(seen, screen if target == "png" else paper), (target, name, seen)


def test_preflight_passes_each_file_and_names_what_is_in_it(drawn: Project, pages: Pages) -> None:
    told = {}
    for target in TARGETS[:2]:
        wanted = read_target(HOME / f"assets/targets/{target}.toml")
        report = check_pdf(drawn.folder / f"output/deck-{target}.pdf", wanted)
        assert report.pages == len(pages[target]) == len(FEATURES) + 1
        told[target] = {(finding.severity, finding.rule) for finding in report.findings}
    assert told == {"press": set(), "press-x1a": set()}


def test_every_element_that_draws_is_a_feature() -> None:
    bodies = " ".join(feature.body for feature in FEATURES.values())
    assert {name for name in ELEMENTS if f"<{name}" not in bodies} == set()


@pytest.mark.parametrize("name", FEATURES)
def test_a_feature_is_seen(pages: Pages, name: str) -> None:
    number = 1 + list(FEATURES).index(name)
    misses = []
    for target in TARGETS:
        palette = {key: shown[target == "png"] for key, (_, *shown) in COLOURS.items()}
        found = list_misses(pages[target][number], FEATURES[name].seen, palette)
        misses += [f"{target}: {miss}" for miss in found]
    assert misses == []


@pytest.mark.parametrize("base", ["press", "press-x1a"])
def test_the_line_of_a_trim_is_seen_at_a_press(drawn: Project, base: str) -> None:
    drawn.write("targets/die.toml", f'title = "D"\nextends = "{base}"\ndie_line = "spot"\n')
    palette = {"line": DIE_LINE, "red": COLOURS["red"][1]}
    misses = []
    for shape, seen in TRIMS.items():
        card = write_card(drawn, "trim", '<box bleed="true" fill="red"/>', shape)
        drawn.write_deck(card, name="trim", head="")
        built = drawn.build("trim", target="die")
        assert built.warnings == ()
        (page,) = draw_pages(built.path, 4 * SCALE)
        misses += [f"{shape}: {miss}" for miss in list_misses(page, seen, palette, BLEED)]
    assert misses == []
