"""Everything that templates can draw, together on one card: what meets there, holds together.

The press takes it as it is and made opaque (X-1a), to the same inks; a file that is not sound is
refused by the preflight of each build.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import Project, find_tool
from PIL import Image, ImageChops, ImageStat

from cardgen.template.vocabulary import ELEMENTS

FACE = """
<field name="motto" default="Nobody expects"/>
<colour name="ember, ruby" cmyk="15 95 85 0" tint="10 88 75 0"/>
<gradient name="sky" stops="ember, white 60, black 100" angle="30"/>
<gradient name="moon" kind="radial" centre="40% 40%" focus="30% 30%" stops="white, ember"/>
<style name="body" size="6pt" leading="1.1"/>
<style name="loud" extends="body" colour="ember" weight="bold" underline="true"/>
<style name="title" font="Cinzel" size="9pt" align="centre" colour="white" outline="black 0.8pt"/>
<icon-style name="orb" colours="keep" size="1.4" text="loud"/>
<icon-style name="king" file="clear.png" size="1.2"/>
<list name="turns" values="0, 90, 37"/>
<component name="badge">
  <param name="says"/>
  <param name="spin" default="0"/>
  <box width="18mm" height="11mm" radius="2mm 4mm" opacity="0.7" clip="true" turn="{{ spin }}"
       fill="linear(20, ember, white)" stroke="black" dash="1mm 0.5mm" cap="round" padding="1mm">
    <let name="loudly" value="says|upper"/>
    <text fit="deck" min="4pt" height="4mm" style="title">{{ loudly }}</text>
    <text path="M0 8 Q 8 3 16 8" turn="15" outline="white 0.6pt" size="5pt" align="centre"
          shadow="0.3mm 0.3mm 0.5mm ruby 60%">{{ loudly }}</text>
    <slot name="content"/>
  </box>
</component>
<box bleed="true" fill="linear(60, {{ card.colour }}, #444)"/>
<guilloche form="ground" waves="6" strands="6" bleed="true" stroke="white"/>
<image file="art.svg" fit="tile" tile-size="4mm" mask="star 5 0.5" opacity="0.4"
       blend="screen" x="30mm" y="17mm" width="14mm" height="14mm" alt=""/>
<box x="11mm" y="13mm" width="20mm" height="12mm" turn="-60">
  <use component="badge" says="{{ card.name }}" spin="20"/>
</box>
<box x="24mm" y="6mm" width="19mm" height="12mm">
  <use component="badge" says="Two"><slot name="content">
    <icon name="sword" width="4mm" height="4mm" x="11mm" y="4mm" fill="moon"
      glow="0.5mm white hard"/>
  </slot></use>
</box>
<image file="art.svg" fit="cover" mask="circle" tint="ember" blend="multiply" x="46mm" y="8mm"
       width="12mm" height="12mm" turn="33" shadow="0.5mm 0.5mm 1mm black 40%" alt=""/>
<image file="art.svg" mask="clear.png" greyscale="true" x="46mm" y="20mm" width="9mm" height="9mm"
       opacity="0.8" glow="1mm gold 80%" alt="" missing="error"/>
<box x="22mm" y="19mm" width="14mm" height="14mm" turn="12" opacity="0.9" fill="white">
  <code kind="qr" text="{{ card.name }}" level="l" alt="link"/>
</box>
<circle x="56mm" y="20mm" width="11mm" height="11mm" fill="moon" stroke="ember" dash="1mm"
      clip="true"
        turn="8" blend="multiply"><rays count="12" inner="0.4" fill="white" turn="-8"/></circle>
<ellipse x="12mm" y="34mm" width="10mm" height="5mm" fill="sky" shadow="0.5mm 0.5mm 1mm black 50%"/>
<polygon sides="6" x="38mm" y="24mm" width="7mm" height="7mm" fill="moon" turn="11" clip="true">
  <rose points="8" fill="white" dark="black"/></polygon>
<star points="7" x="50mm" y="32mm" width="8mm" height="8mm" fill="gold" padding="2mm" clip="true">
  <text align="centre" valign="middle" size="5pt">:orb[{{ card.number }}]:</text></star>
<arc from="0" to="70%" kind="ring" x="40mm" y="33mm" width="7mm" height="7mm" fill="sky"
      blend="screen"/>
<plait columns="4" rows="4" x="31mm" y="34mm" width="7mm" height="7mm" fill="black" opacity="0.6"/>
<path d="M0 0 H6 L3 4 Z" x="24mm" y="35mm" fill="sky" turn="17" shadow="0.4mm 0.4mm black 60%"/>
<line x="14mm" right="14mm" y="42mm" stroke="ember" dash="0 2pt" cap="round"
      shadow="0.3mm 0.3mm white"/>
<row x="14mm" y="43mm" width="42mm" height="5mm" gap="1mm" justify="between" padding="0.5mm"
      clip="true">
  <box for="a in turns" grow="1" max-width="8mm" fill="sky" turn="{{ a }}"/>
  <first fit="box" width="3mm"><box height="9mm"/><circle height="3mm" fill="ember"/></first>
  <column width="20mm"><text size="6pt" glow="0.4mm white 90%">A :orb[2]: B :king:</text></column>
</row>
<table columns="auto grow" style="body" x="18mm" y="49mm" width="34mm" rule="white" turn="-3"
       opacity="0.85" blend="multiply" head="loud" row-padding="0.2mm">
  <tr head="true"><td>K</td><td>{{ card.motto }}</td></tr>
  <tr><td>![x](clear.png){height=1em}</td><td>[z]{loud}</td></tr>
</table>
<flow style="body" bullet=":sword:" x="57mm" y="32mm" width="9mm" height="12mm" turn="4"
      fit="box" min="3pt" shadow="0.2mm 0.2mm 0.4mm white 80%">
  - [a]{loud}
  - b
</flow>
"""
ART = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
<defs><linearGradient id="g"><stop stop-color="#c33"/><stop offset="1" stop-color="#33c"
stop-opacity=".4"/></linearGradient><mask id="m"><rect width="100" height="100" fill="url(#g)"/>
      </mask>
<clipPath id="c"><circle cx="50" cy="40" r="30"/></clipPath></defs>
<rect width="100" height="100" fill="url(#g)"/><g clip-path="url(#c)" opacity=".6">
<rect id="r" width="60" height="60" fill="green"/><use href="#r" x="30" transform="rotate(20)"/></g>
<ellipse mask="url(#m)" cx="70" cy="60" rx="25" ry="12" fill="gold"
      style="mix-blend-mode:multiply"/>
</svg>"""


@pytest.fixture
def everything(project: Project) -> Project:
    picture = Image.new("RGBA", (160, 160), (255, 80, 0, 200))
    picture.paste((0, 0, 0, 0), (40, 40, 90, 90))
    picture.save(project.folder / "clear.png")
    project.write("art.svg", ART)
    # Fewer pixels than anybody would print: they cost most of the time.
    project.write("targets/coarse.toml", 'title = "C"\nextends = "png"\ndpi = 120\n')
    project.write("targets/flat.toml", 'title = "F"\nextends = "press-x1a"\ndpi = 120\n')
    attributes = 'size="70mm x 60.62mm" trim="hexagon" bleed="3.2mm"'
    project.write_template(FACE, attributes=attributes)
    project.write_deck("  - {name: Orb, colour: cmyk(60 0 80 20)}\n")
    return project


def test_all_of_it_holds_together_at_a_press_and_in_pictures(everything: Project) -> None:
    assert all(f"<{name}" in FACE for name in ELEMENTS)
    (drawn,) = everything.build(target="coarse").path.glob("*.png")
    assert ImageStat.Stat(Image.open(drawn).convert("L")).stddev[0] > 30
    plates = [separate(everything.build(target=name).path) for name in ("press", "flat")]
    for ink, (whole, flat) in enumerate(zip(*(plate.split() for plate in plates), strict=True)):
        assert ImageStat.Stat(whole).mean[0] > 5, ink
        assert ImageStat.Stat(ImageChops.difference(whole, flat)).mean[0] < 5, ink


def separate(path: Path) -> Image.Image:
    """Return the inks of the first page, in which 255 is full ink."""
    out = path.with_suffix(".tif")
    command = [find_tool("gs"), "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiff32nc"]
    last = ["-r150", "-o", os.fspath(out), os.fspath(path)]
    subprocess.run([*command, *last], check=True, capture_output=True)
    with Image.open(out) as plates:
        return plates.reduce(6)
