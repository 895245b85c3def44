"""Whether two checkouts of cardgen print and say the same: `python -m bench.compare`."""
