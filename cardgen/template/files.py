"""The tests `file` and `icon`: whether a picture or an icon that a card names is there.

Knows nothing of folders: it asks what the context has for that.
"""

from __future__ import annotations

from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

# Where a context keeps what tells by kind and name whether a file is there; no expression can
# name it.
FILES = "|files"


@pass_context
def is_file(context: Context, value: Any) -> bool:
    """Whether a value is the name of a picture that is there."""
    return _is_there(context, "picture", value)


@pass_context
def is_icon(context: Context, value: Any) -> bool:
    """Whether a value is the name of an icon that is there."""
    return _is_there(context, "icon", value)


def _is_there(context: Context, kind: str, value: Any) -> bool:
    has = context.parent.get(FILES)
    name = "" if value is None else str(value)
    return bool(name and has and has(kind, name))
