"""The test `file`: whether a picture that a card names is there.

Knows nothing of folders: it asks what the context has for that.
"""

from __future__ import annotations

from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

# Where a context keeps what tells by a name whether a picture is there; no expression can name it.
FILES = "|files"


@pass_context
def is_file(context: Context, value: Any) -> bool:
    """Whether a value is the name of a picture that is there."""
    has_file = context.parent.get(FILES)
    name = "" if value is None else str(value)
    return bool(name and has_file and has_file(name))
