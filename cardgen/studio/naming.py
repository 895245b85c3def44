"""The icons and pictures that a face shows, by the names that its template or its card gives them.

Says which faces are drawn anew when one of these files changes. Knows nothing of the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from cardgen.template.model import IconSpec, ImageSpec, MaskFile, Node

# Icons and pictures within texts, and whatever else could be the name of one.
_WORDS = re.compile(r"[\w.-]+")
_MARKED = re.compile(r":[a-z]|!\[")


def list_named(nodes: Sequence[Node]) -> frozenset[str]:
    """Return the names on a face: of icons as they are, of pictures those of their files."""
    return frozenset(_list_names(nodes))


def _list_names(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        spec = node.spec
        if isinstance(spec, IconSpec):
            yield spec.name
        elif isinstance(spec, ImageSpec):
            yield PurePath(spec.file).name
            if isinstance(spec.mask, MaskFile):
                yield PurePath(spec.mask.file).name
        if _MARKED.search(node.text):
            yield from _WORDS.findall(node.text)
        yield from _list_names(node.children)
