"""The rules for what is painted: colours, ink, text, lines, pictures, transparency.

A look is judged at the scale at which it is placed; the faults have no place yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from cardgen.core.units import format_pt
from cardgen.preflight.colours import Space, list_spaces
from cardgen.preflight.ink import InkMeter
from cardgen.preflight.keeping import Keeper
from cardgen.preflight.marks import Look, MarkKind, Picture, list_own_spaces
from cardgen.preflight.report import Fault
from cardgen.preflight.wants import Severity, Wants

_INCH = 72
_MOST_LOOKS = 20_000
_NAMES: dict[MarkKind, str] = {
    "area": "an area",
    "line": "a line",
    "text": "text",
    "picture": "a picture",
    "stencil": "a picture of one colour",
    "gradient": "a gradient",
    "group": "a transparency group that blends",
    "mask": "a soft mask",
}
_X1A_FAMILIES = ("DeviceGray", "DeviceCMYK", "Separation", "DeviceN", "Indexed", "Pattern")
INK_SLACK = 1.0
_PROCESS = ("Cyan", "Magenta", "Yellow", "Black", "All", "None")
# How programs call the plates that only show where to cut and fold.
_DIE = re.compile(
    r"\b(?:die|dies|cut|kiss|through|thru|crease|score|scoring|fold|perf\w*|stanz\w*|rill\w*|falz\w*)"
    r"(?:\b|[-_ ]|cut|line|contour)|(?:cut|die|fold)[-_ ]?(?:line|contour)",
    re.IGNORECASE,
)
_RICHEST = 12.0
_LEAST_INK = 0.1


@dataclass(slots=True)
class Judge:
    """Judges looks; each once for each scale."""

    wants: Wants
    meter: InkMeter = field(default_factory=InkMeter)
    _known: Keeper[tuple[Look, float], tuple[Fault, ...]] = field(
        default_factory=partial(Keeper, _MOST_LOOKS)
    )

    def judge(self, look: Look, scale: float) -> tuple[Fault, ...]:
        key = (look, round(scale, 4))
        known = self._known.find(key)
        if known is None:
            known = self._known.keep(key, tuple(self._list_faults(look, scale)))
        return known

    def _list_faults(self, look: Look, scale: float) -> Iterator[Fault]:
        wants = self.wants
        yield from _check_colour(look, wants)
        yield from _check_profiles(look, wants)
        yield from _check_transparency(look, wants)
        yield from self._check_ink(look)
        yield from _check_plates(look, wants)
        yield from _check_white(look, wants)
        if look.kind == "text":
            yield from _check_font(look, wants)
            yield from _check_rich_black(look, look.size * scale)
            yield from _check_size(look.size * scale, wants)
        elif look.kind in ("line", "area"):
            yield from _check_line(look, look.size * scale, wants)
        elif look.picture is not None:
            yield from self._check_picture(look.picture)
            yield from _check_resolution(look, scale, wants)

    def _check_picture(self, picture: Picture) -> Iterator[Fault]:
        for shown, called in ((picture, "a picture"), (picture.mask, "the mask of a picture")):
            if shown is not None and (damage := self.meter.look_into(shown).damage):
                yield Fault(
                    "preflight/picture-data",
                    "error",
                    f"{called} of {shown.width} x {shown.height} pixels is damaged: {damage}",
                    "place it anew, from a picture that other programs open",
                    about=(damage,),
                )

    def _check_ink(self, look: Look) -> Iterator[Fault]:
        limit = self.wants.total_ink
        if limit is None:
            return
        ink = self.meter.measure(look)
        if ink is not None and ink > limit + INK_SLACK:
            yield self.make_ink_fault(look, ink)

    def make_ink_fault(self, look: Look, ink: float, *, stacked: bool = False) -> Fault:
        """Return the fault of too much ink, be it together with what lies beneath."""
        wants, what = self.wants, _NAMES[look.kind]
        together = " together with what lies beneath it" if stacked else ""
        return Fault(
            "preflight/total-ink",
            wants.fault,
            f"{what} with {ink:.0f}% of ink{together}; {wants.asked_by} takes "
            f"{wants.total_ink or 0:g}% at most",
            "let it not overprint or multiply there, or use less ink beneath it"
            if stacked
            else "use less of each ink: give rich black as 60 40 40 100, and convert pictures "
            "through a profile with that limit",
            about=(look.kind, stacked),
            worse=ink,
            found=ink,
            wanted=wants.total_ink,
        )


def _check_colour(look: Look, wants: Wants) -> Iterator[Fault]:
    for space in list_own_spaces(look):
        if look.kind in ("group", "mask") and not wants.is_press:
            continue
        severity: Severity = "error"
        asked = wants.flavour_name
        spaces = list_spaces(space)
        if wants.flavour == "x-1a" and any(s.family not in _X1A_FAMILIES for s in spaces):
            why = f"{asked} allows grey, CMYK and spot colours alone"
        elif wants.flavour == "x-4" and any(s.family == "DeviceRGB" for s in spaces):
            why = f"{asked} does not allow it beside a CMYK output intent"
        elif look.kind not in ("group", "mask") and not _is_wished(look, space.root, wants):
            severity, asked = wants.fault, wants.asked_by
            wished = {"cmyk": "CMYK", "grey": "grey"}[wants.colour]
            why = f"{asked} wants {wished}"
        else:
            continue
        target = "grey" if wants.colour == "grey" else "CMYK"
        yield Fault(
            "preflight/colour-space",
            severity,
            f"{_NAMES[look.kind]} in {space.name}; {why}",
            f"convert the picture to {target}"
            if look.kind == "picture"
            else f"give the colour in {target}",
            about=(look.kind, space.name, asked),
        )


def _check_profiles(look: Look, wants: Wants) -> Iterator[Fault]:
    for own in list_own_spaces(look):
        for space in list_spaces(own):
            if space.broken:
                yield Fault(
                    "preflight/profile",
                    wants.breach,
                    f"{_NAMES[look.kind]} in {space.name}, whose profile cannot be used: "
                    f"{space.broken}",
                    "write the file anew with the whole profile",
                    about=(space.name, space.broken),
                )


def _is_wished(look: Look, root: Space, wants: Wants) -> bool:
    if wants.colour == "given" or root.kind == "pattern":
        return True
    if wants.colour == "cmyk":
        return root.kind in ("cmyk", "grey", "spot")
    if root.kind == "cmyk" and look.paint is not None and look.paint.space is root:
        return not any(look.paint.values[:3])
    return root.kind == "grey" or (root.kind == "spot" and root.inks == ("Black",))


def _check_transparency(look: Look, wants: Wants) -> Iterator[Fault]:
    if wants.flavour == "x-4":
        return
    if look.kind == "mask" or (look.kind == "group" and wants.flavour != "x-1a"):
        return  # a group by itself changes nothing that is seen
    severity: Severity = "error" if wants.flavour == "x-1a" else "note"
    why = f"; {wants.flavour_name} allows none" if severity == "error" else ""
    for about, what in _list_transparency(look):
        yield Fault(
            "preflight/transparency",
            severity,
            f"transparency: {what}{why}",
            "flatten the transparency, or paint with the colour that comes of it",
            about=about,
        )


def _list_transparency(look: Look) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each kind of transparency that a look has, and how it is called."""
    if look.kind == "group":
        yield ("group",), "a transparency group"
        return
    if look.masked:
        yield ("mask",), "a soft mask"
    if look.picture is not None and look.picture.soft_mask:
        yield ("picture mask",), "a picture with a soft mask"
    if look.alpha < 1:
        yield ("alpha", look.kind), f"{_NAMES[look.kind]} that shines through"
    if look.blend != "Normal":
        yield ("blend", look.blend), f"the blend mode {look.blend}"


def _check_plates(look: Look, wants: Wants) -> Iterator[Fault]:
    """Find the inks that are neither process colours nor on all plates."""
    roots = [space.root for space in list_own_spaces(look) if look.kind != "mask"]
    for ink in (ink for root in roots for ink in root.inks if ink not in _PROCESS):
        if ink == wants.die_ink:
            continue
        if _DIE.search(ink):
            yield Fault(
                "preflight/die-line",
                wants.fault,
                f'{_NAMES[look.kind]} in "{ink}", which seems to be a die line; it is printed on '
                "the card",
                "take it out, or send it in a file of its own",
                about=(ink,),
            )
        elif wants.colour != "given":
            yield Fault(
                "preflight/spot-colours",
                "warning",
                f'{_NAMES[look.kind]} in the spot colour "{ink}": it is one more plate, or is '
                "printed in CMYK as near as may be",
                "give the colour in CMYK, unless the print shop is to use that ink",
                about=(ink,),
            )


def _check_white(look: Look, wants: Wants) -> Iterator[Fault]:
    paint = look.paint
    if look.over == "none" or paint is None or not paint.is_white or look.kind == "mask":
        return
    kind = paint.space.root.kind
    if kind == "rgb":
        return  # which is not painted in inks
    sure = look.over == "inks" or kind != "cmyk"
    yield Fault(
        "preflight/white-overprint",
        wants.fault if sure else "warning",
        f"{_NAMES[look.kind]} in white is set to overprint"
        + (": it vanishes in print" if sure else "; some programs leave it out"),
        "switch overprinting off for white",
        about=(look.kind, sure),
    )


def _check_rich_black(look: Look, size: float) -> Iterator[Fault]:
    paint = look.paint
    if paint is None or not paint.is_dark or not 0 < size < _RICHEST:
        return
    root, values = paint.space.root, paint.values
    many = root.kind == "cmyk" and sum(value >= _LEAST_INK for value in values) > 1
    if many or root.inks == ("All",):
        yield Fault(
            "preflight/rich-black",
            "warning",
            f"text of {format_pt(size)} in black of several inks; below {format_pt(_RICHEST)} it "
            "blurs where the plates do not meet",
            "set it in black alone, 0 0 0 100",
            worse=-size,
            found=size,
            wanted=_RICHEST,
        )


def _check_font(look: Look, wants: Wants) -> Iterator[Fault]:
    font = look.font
    if font is not None and not font.embedded:
        yield Fault(
            "preflight/fonts",
            wants.breach,
            f"the font {font.name} is not embedded; another may take its place",
            "embed all fonts where the file is written",
            about=(font.name,),
        )
    elif font is not None and font.program is not None and font.program.broken:
        yield Fault(
            "preflight/fonts",
            wants.breach,
            f"the font {font.name} cannot be used: {font.program.broken}",
            "embed it anew where the file is written",
            about=(font.name, "broken"),
        )
    elif font is not None and look.flaw:
        yield Fault(
            "preflight/glyphs",
            wants.breach,
            f"text in {font.name} with letters that the embedded font does not have"
            if look.flaw == "no glyph"
            else f"text in {font.name} with letters of another width than the font gives them",
            "embed the font anew, with all letters that are used and with their widths",
            about=(font.name, look.flaw),
        )


def _check_size(size: float, wants: Wants) -> Iterator[Fault]:
    if 0 < size < wants.smallest_text - 0.01:
        yield Fault(
            "preflight/text-size",
            "warning",
            f"text of {format_pt(size)}; below {format_pt(wants.smallest_text)} it prints badly",
            f"set it at {format_pt(wants.smallest_text)} or larger",
            worse=-size,
            found=size,
            wanted=wants.smallest_text,
        )


def _check_line(look: Look, width: float, wants: Wants) -> Iterator[Fault]:
    if look.kind == "area" and width == 0:
        return
    if width < wants.thinnest_line - 0.005:
        thin = format_pt(width) if width else "no width, as thin as the printer can"
        yield Fault(
            "preflight/line-width",
            "warning",
            f"a line of {thin}; {format_pt(wants.thinnest_line)} is the thinnest that prints well",
            f"make it {format_pt(wants.thinnest_line)} thick or more",
            worse=-width,
            found=width,
            wanted=wants.thinnest_line,
        )


def _check_resolution(look: Look, scale: float, wants: Wants) -> Iterator[Fault]:
    picture = look.picture
    if picture is None or min(picture.width, picture.height) <= 1 or not all(look.frame):
        return  # a strip of one pixel is an even colour or a gradient
    across, down = (side * scale / _INCH for side in look.frame)
    dpi = min(picture.width / across, picture.height / down)
    if dpi < wants.dpi * 0.99:
        grave = dpi < wants.dpi / 2
        yield Fault(
            "preflight/resolution",
            wants.fault if grave else "warning",
            f"a picture of {dpi:.0f} pixels per inch as it is placed; "
            f"{wants.asked_by} wants {wants.dpi:g}",
            f"take a picture of {round(across * wants.dpi)} x {round(down * wants.dpi)} pixels, "
            "or place it smaller",
            about=("low" if grave else "lowish",),
            worse=-dpi,
            found=round(dpi),
            wanted=wants.dpi,
        )
