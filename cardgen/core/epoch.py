"""The time that reproducible builds are given by SOURCE_DATE_EPOCH, as other programs read it."""

from __future__ import annotations

import os

from cardgen.core.errors import CardgenError

_KEY = "SOURCE_DATE_EPOCH"
_LAST_SECOND = 253_402_300_799  # of the year 9999
_MOST_DIGITS = 12


def read_epoch() -> int | None:
    """Return the seconds since 1970; None where nothing is told."""
    told = os.environ.get(_KEY, "")
    if not told:
        return None
    is_number = told.isascii() and told.isdigit() and len(told) <= _MOST_DIGITS
    if not is_number or int(told) > _LAST_SECOND:
        raise CardgenError(
            "option/no-time",
            f"{_KEY} is no time up to the year 9999",
            hint=f"set it to whole seconds since 1970, as {_KEY}=1700000000, or unset it",
            details={"text": told},
        )
    return int(told)
