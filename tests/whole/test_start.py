"""What a build loads before it begins: nothing that most builds never use."""

from __future__ import annotations

import subprocess
import sys

# Of a revision; of decks that are workbooks; of what is drawn as pictures.
UNUSED = ("tarfile", "cardgen.deck.workbook", "pypdfium2", "pikepdf")


def test_a_build_loads_only_what_it_uses() -> None:
    code = "import sys, cardgen.build.pipeline; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    assert "cardgen.build.pipeline" in loaded
    assert loaded.isdisjoint(UNUSED)
