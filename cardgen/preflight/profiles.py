"""ICC profiles: what they say they are for, and whether they can be used.

Knows nothing of where in a file they stand.
"""

from __future__ import annotations

import re
from functools import lru_cache
from io import BytesIO
from typing import Final, NamedTuple

_HEAD = 128
_MODES: Final = {"CMYK": "CMYK", "RGB": "RGB", "GRAY": "L", "Lab": "LAB"}
_COMPONENTS: Final = {"CMYK": 4, "RGB": 3, "GRAY": 1, "Lab": 3}
# How names of profiles and of printing conditions tell of which condition they are.
_CONDITIONS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), name)
    for pattern, name in (
        (r"FOGRA ?0*(\d+)", "FOGRA{}"),
        (r"PSO Coated v3", "FOGRA51"),
        (r"PSO Uncoated v3", "FOGRA52"),
        (r"PSO Uncoated ISO ?12647", "FOGRA47"),
        (r"ISO ?Coated v2", "FOGRA39"),
        (r"ISO ?Uncoated", "FOGRA29"),
        (r"GRACoL|CGATS ?TR ?006", "GRACoL"),
        (r"SWOP|CGATS ?TR ?00[135]", "SWOP"),
        (r"CGATS ?21[- ]2[- ]CRPC(\d)|CRPC ?(\d)", "CRPC{}"),
        (r"Japan ?Color|\bJC(?:200|W)", "Japan Color"),
        (r"\bSNAP\b|CGATS ?TR ?002|IFRA ?26|newspaper", "a newspaper"),
    )
)


class IccProfile(NamedTuple):
    """What an ICC profile says of itself.

    components: of the colours that it turns; 0 where that is not known
    condition: the printing condition that its name tells; empty where it tells none
    broken: why it cannot be used; empty where it can
    """

    usage: str
    space: str
    components: int
    condition: str
    broken: str


@lru_cache(maxsize=8)
def read_profile(data: bytes) -> IccProfile | None:
    """Return what a profile says; None for other data."""
    if len(data) < _HEAD or data[36:40] != b"acsp":
        return None
    usage, space = (data[at : at + 4].decode("latin-1").strip() for at in (12, 16))
    size = int.from_bytes(data[:4], "big")
    if size > len(data):
        broken, name = f"it is cut off after {len(data):,} of {size:,} bytes", ""
    else:
        broken, name = _try_profile(data, space)
    return IccProfile(usage, space, _COMPONENTS.get(space, 0), find_condition(name), broken)


def _try_profile(data: bytes, space: str) -> tuple[str, str]:
    """Return why colours cannot be turned with a profile, and what it is called."""
    from PIL import ImageCms

    mode = _MODES.get(space)
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        if mode is not None:
            screen = ImageCms.createProfile("sRGB")
            ImageCms.buildTransform(profile, screen, mode, "RGB")
        return "", ImageCms.getProfileDescription(profile).strip()
    except (OSError, ImageCms.PyCMSError, ValueError):
        return "it is damaged", ""


def find_condition(name: str) -> str:
    """Return the printing condition that a name tells; empty where it tells none that is known."""
    for pattern, condition in _CONDITIONS:
        match = pattern.search(name)
        if match:
            number = next((group for group in match.groups() if group), "")
            return condition.format(number)
    return ""
