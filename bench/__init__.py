"""Measures cardgen beside Typst and WeasyPrint on the same cards. Run it with `make bench`."""
