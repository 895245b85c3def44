"""A picture is packed strip by strip, so that a large one needs little more than its own pixels."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.output import images, inks
from cardgen.output.inks import Inks


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA", "P", "I;16"])
def test_strips_say_what_the_whole_picture_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    ramp = Image.linear_gradient("L").resize((40, 30))
    colours = Image.merge("RGBA", (ramp, ramp.transpose(Image.Transpose.ROTATE_180), ramp, ramp))
    picture = ramp.convert("I;16") if mode == "I;16" else colours.convert(mode)
    path = tmp_path / "ramp.png"
    picture.save(path)
    whole = images.pack_picture(images.Source(path), Inks())
    monkeypatch.setattr(inks, "_STRIP", 70)  # a row at a time, but for the last
    cut: list[int] = []
    crop = Image.Image.crop

    def count(*arguments: Any) -> Image.Image:
        cut.append(1)
        return crop(*arguments)

    monkeypatch.setattr(Image.Image, "crop", count)
    packed = images.pack_picture(images.Source(path), Inks())
    assert len(cut) >= 30
    assert packed == whole
    bands = 1 if mode in ("L", "LA", "I;16") else 3
    assert len(zlib.decompress(packed.content)) == 40 * 30 * bands
    assert (packed.mask is None) == (mode not in ("RGBA", "LA", "P"))
