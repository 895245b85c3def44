"""The version of cardgen, as it was installed."""

from importlib.metadata import version

VERSION = version("cardgen")
