"""The operators of content streams, and what each does to the walk through one.

A table; knows nothing of how it is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from cardgen.preflight.content import Operator, StreamWalk

OPERATORS: Final[Mapping[str, Operator]] = {
    "q": StreamWalk.save,
    "Q": StreamWalk.restore,
    "cm": StreamWalk.transform,
    "w": StreamWalk.set_width,
    "gs": StreamWalk.set_graphics,
    "cs": partial(StreamWalk.set_space, stroke=False),
    "CS": partial(StreamWalk.set_space, stroke=True),
    "sc": partial(StreamWalk.set_colour, stroke=False),
    "SC": partial(StreamWalk.set_colour, stroke=True),
    "scn": partial(StreamWalk.set_colour, stroke=False),
    "SCN": partial(StreamWalk.set_colour, stroke=True),
    "g": partial(StreamWalk.set_device, stroke=False, name="/DeviceGray"),
    "G": partial(StreamWalk.set_device, stroke=True, name="/DeviceGray"),
    "rg": partial(StreamWalk.set_device, stroke=False, name="/DeviceRGB"),
    "RG": partial(StreamWalk.set_device, stroke=True, name="/DeviceRGB"),
    "k": partial(StreamWalk.set_device, stroke=False, name="/DeviceCMYK"),
    "K": partial(StreamWalk.set_device, stroke=True, name="/DeviceCMYK"),
    "f": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "F": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "f*": partial(StreamWalk.paint_path, fill=True, stroke=False),
    "S": partial(StreamWalk.paint_path, fill=False, stroke=True),
    "s": partial(StreamWalk.paint_path, fill=False, stroke=True),
    "B": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "B*": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "b": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "b*": partial(StreamWalk.paint_path, fill=True, stroke=True),
    "n": partial(StreamWalk.paint_path, fill=False, stroke=False),
    "W": StreamWalk.clip,
    "W*": StreamWalk.clip,
    "sh": StreamWalk.paint_shading,
    "Do": StreamWalk.paint_object,
    "BT": StreamWalk.begin_text,
    "Tm": StreamWalk.set_text_matrix,
    "Td": StreamWalk.move_text,
    "TD": partial(StreamWalk.move_text, leading=True),
    "T*": StreamWalk.next_line,
    "Tf": StreamWalk.set_font,
    "Tc": partial(StreamWalk.set_text, name="spacing"),
    "Tw": partial(StreamWalk.set_text, name="word_spacing"),
    "Tz": partial(StreamWalk.set_text, name="stretch", scale=0.01),
    "TL": partial(StreamWalk.set_text, name="leading"),
    "Ts": partial(StreamWalk.set_text, name="rise"),
    "Tr": partial(StreamWalk.set_text, name="mode"),
    "Tj": StreamWalk.show,
    "TJ": StreamWalk.show,
    "'": StreamWalk.show_line,
    '"': StreamWalk.show_line,
}
