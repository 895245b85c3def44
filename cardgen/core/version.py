"""The version of cardgen, as it was installed."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("cardgen")
