"""How content is written for a target: in which inks, whether black text overprints, whether text
is outlined, whether a mask may be soft.

Turns a target and its profile into that. Knows nothing of decks or of objects in a file.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.output.inks import Inks
from cardgen.output.profile import Profile
from cardgen.pages.target import Target


class Prepress(NamedTuple):
    """overprints: black text lies on top of the other inks and takes nothing away from them
    outlines: glyphs are drawn as shapes, and there are no fonts
    opaque: there is no transparency
    """

    inks: Inks
    overprints: bool = False
    outlines: bool = False
    opaque: bool = False


def choose_prepress(target: Target, profile: Profile | None) -> Prepress:
    """What a target asks for."""
    return Prepress(
        Inks(target.colour, profile, target.total_ink),
        overprints=target.flavour != "plain" and target.colour == "cmyk",
        outlines=target.text == "outlines",
        opaque=target.flavour == "x-1a",
    )
