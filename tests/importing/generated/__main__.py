"""Write documents and their truth: `python -m tests.importing.generated --out FOLDER --seed 7`."""

from __future__ import annotations

import argparse
from pathlib import Path

import yaml

from .make import make_document
from .shapes import SHAPES


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.importing.generated", description=__doc__
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shape", action="append", choices=SHAPES, metavar="SHAPE")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for shape in arguments.shape or SHAPES:
        document = make_document(shape, arguments.seed)
        path = arguments.out / f"{document.name}{document.suffix}"
        path.write_text(document.text, encoding="utf-8", newline="")
        truth = yaml.safe_dump(
            {"cards": [dict(card) for card in document.cards]},
            sort_keys=False, allow_unicode=True, width=100,
        )  # fmt: skip
        path.with_suffix(".yaml").write_text(truth, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
