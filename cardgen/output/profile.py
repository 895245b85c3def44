"""An ICC file looked at: whether it is a profile of a press, and what it says of itself.

Knows nothing of targets or of what is printed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from cardgen.errors import CardgenError, Where

_NEEDED = (
    'needed is an output profile (class "prtr") for CMYK, as the printer gives, or one of ours: '
    "coated-fogra39-300, coated-fogra39-240"
)
_KINDS = {
    "scnr": "a scanner or camera",
    "mntr": "a screen",
    "prtr": "a printer",
    "link": "a link of two devices",
    "spac": "a colour space",
    "abst": "an effect",
    "nmcl": "named colours",
}
_HEAD = 128
# What printing conditions are registered as at color.org.
_REGISTERED = re.compile(r"FOGRA\d+|CGATS TR ?\d+|IFRA\d+|JC200103", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Profile:
    """An output profile for CMYK; `name` is what it calls itself."""

    path: Path
    name: str
    version: int  # of the ICC's format: 2 or 4
    data: bytes = field(repr=False)

    @property
    def condition(self) -> str | None:
        """The registered name of the printing condition, where the profile's own name holds it."""
        found = _REGISTERED.search(self.name)
        return found[0].upper() if found else None


def read_profile(path: Path, where: Where | None = None) -> Profile:
    """A profile that colours can be turned with; any other file is an error that says what it
    is.
    """
    from PIL import ImageCms

    try:
        data = path.read_bytes()
    except OSError as error:
        raise CardgenError(
            f'the profile "{path.name}" cannot be read: {error.strerror}', where
        ) from error
    if len(data) < _HEAD or data[36:40] != b"acsp":
        raise CardgenError(f'"{path.name}" is no ICC profile', where, _NEEDED)
    kind, space = (data[at : at + 4].decode("latin-1").strip() for at in (12, 16))
    if kind != "prtr" or space != "CMYK":
        shown = _KINDS.get(kind, "an unknown use")
        raise CardgenError(
            f'the profile "{path.name}" is one for {shown} in {space} (class "{kind}")',
            where,
            _NEEDED,
        )
    if int.from_bytes(data[:4], "big") > len(data):
        raise _complain_broken(path, where)
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(data))
        # A profile of which only the head is whole fails here, not in the middle of a build.
        for source, target in ((profile, profile), (ImageCms.createProfile("sRGB"), profile)):
            modes = ("CMYK" if source is profile else "RGB"), "CMYK"
            ImageCms.buildTransform(source, target, *modes, ImageCms.Intent.RELATIVE_COLORIMETRIC)
        name = ImageCms.getProfileDescription(profile).strip()
    except (OSError, ImageCms.PyCMSError) as error:
        raise _complain_broken(path, where) from error
    return Profile(path, name or path.stem, data[8], data)


def _complain_broken(path: Path, where: Where | None) -> CardgenError:
    return CardgenError(
        f'the profile "{path.name}" is broken or cut short', where, f"copy it anew; {_NEEDED}"
    )
