"""Documents made from word lists, a shape and a seed, with what must come out of them."""

from .make import Document, make_document
from .shapes import SHAPES

__all__ = ["SHAPES", "Document", "make_document"]
