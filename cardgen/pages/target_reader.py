"""Turns a TOML file, with those it extends, into a Target.

Must not know decks, templates or faces.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from cardgen.errors import CardgenError, Problem, Where
from cardgen.geometry import Size
from cardgen.library import Library
from cardgen.pages.reader import TomlReader
from cardgen.pages.target import (
    CARD_PAPER,
    NAME_FIELDS,
    Backs,
    Colours,
    Duplex,
    Flavour,
    Fold,
    Format,
    Imposition,
    Lettering,
    MarkedSides,
    MarkStyle,
    Order,
    Orientation,
    Target,
)
from cardgen.pages.target_check import PLAIN, SHEET_KEYS, check_target

MOST_LANES = 100
MOST_DPI = 2400
MOST_INK = 400


def read_target(path: Path, library: Library | None = None) -> Target:
    """Read a target and those it extends; everything wrong in their files is raised at once."""
    return _read_file(path, library or Library(Path.cwd()), ())


def read_targets(library: Library) -> tuple[list[Target], list[Problem]]:
    """All targets there are, and what is wrong with the others, each thing once."""
    targets: list[Target] = []
    problems: list[Problem] = []
    for name in library.list_names("target"):
        try:
            targets.append(read_target(library.find("target", name), library))
        except CardgenError as error:
            problems += (problem for problem in error.problems if problem not in problems)
    return targets, problems


def _read_file(path: Path, library: Library, seen: tuple[Path, ...]) -> Target:
    reader = TomlReader(path)
    base: Target | None = None
    foreign: tuple[Problem, ...] = ()
    base_path = _find_base(reader, path, library, seen)
    if base_path:
        try:
            base = _read_file(base_path, library, (*seen, path))
        except CardgenError as error:
            foreign = error.problems
    target = _read_keys(reader, path, base)
    check_target(target, reader)
    reader.raise_problems(foreign)
    if target.paper is None:
        plain: dict[str, Any] = {key: getattr(PLAIN, key) for key in SHEET_KEYS}
        target = replace(target, **plain)
    return target


def _find_base(
    reader: TomlReader, path: Path, library: Library, seen: tuple[Path, ...]
) -> Path | None:
    """The file of the target that another extends."""
    name = reader.read_name("extends", "a4")
    if name is None:
        return None
    where = Where(reader.file, reader.lines.get("extends"))
    try:
        return library.find_base("target", name, (*seen, path), where)
    except CardgenError as error:
        reader.problems += error.problems
        return None


def _read_keys(reader: TomlReader, path: Path, base: Target | None) -> Target:
    """What the file says, on top of what its base does."""
    given = base or PLAIN
    return Target(
        name=path.stem,
        title=reader.read_title("title"),
        paper=_read_paper(reader, given),
        orientation=reader.read_choice("orientation", get_args(Orientation), given.orientation),
        margin=reader.read_insets("margin", given.margin),
        columns=reader.read_number("columns", MOST_LANES, given.columns),
        rows=reader.read_number("rows", MOST_LANES, given.rows),
        gap_x=reader.read_length("gap_x", given.gap_x),
        gap_y=reader.read_length("gap_y", given.gap_y),
        bleed_x=reader.read_length("bleed_x", given.bleed_x),
        bleed_y=reader.read_length("bleed_y", given.bleed_y),
        back_bleed_x=reader.read_length_or_none("back_bleed_x", given.back_bleed_x),
        back_bleed_y=reader.read_length_or_none("back_bleed_y", given.back_bleed_y),
        full_bleed=reader.read_flag("full_bleed", given.full_bleed),
        safe=reader.read_length("safe", given.safe),
        imposition=reader.read_choice("imposition", get_args(Imposition), given.imposition),
        fold=reader.read_choice("fold", get_args(Fold), given.fold),
        gutter=reader.read_length("gutter", given.gutter),
        marks=reader.read_choice("marks", get_args(MarkStyle), given.marks),
        marks_on=reader.read_choice("marks_on", get_args(MarkedSides), given.marks_on),
        mark_length=reader.read_length("mark_length", given.mark_length),
        mark_offset=reader.read_length("mark_offset", given.mark_offset),
        mark_weight=reader.read_length("mark_weight", given.mark_weight),
        slug=reader.read_flag("slug", given.slug),
        duplex=reader.read_choice("duplex", get_args(Duplex), given.duplex),
        order=reader.read_choice("order", get_args(Order), given.order),
        backs=reader.read_choice("backs", get_args(Backs), given.backs),
        format=reader.read_choice("format", get_args(Format), given.format),
        dpi=reader.read_number("dpi", MOST_DPI, given.dpi) or given.dpi,
        corners=reader.read_length("corners", given.corners),
        names=reader.read_pattern("names", NAME_FIELDS, given.names),
        zip=reader.read_flag("zip", given.zip),
        colour=reader.read_choice("colour", get_args(Colours), given.colour),
        profile=reader.read_name("profile", "coated-fogra39-300") or given.profile,
        total_ink=reader.read_number("total_ink", MOST_INK, given.total_ink),
        flavour=reader.read_choice("flavour", get_args(Flavour), given.flavour),
        text=reader.read_choice("text", get_args(Lettering), given.text),
        smallest_text=reader.read_length("smallest_text", given.smallest_text),
        thinnest_line=reader.read_length("thinnest_line", given.thinnest_line),
        file=str(path),
        lines={
            **given.lines,
            **{key: Where(reader.file, line) for key, line in reader.lines.items()},
        },
    )


def _read_paper(reader: TomlReader, given: Target) -> Size | None:
    if reader.says("paper", CARD_PAPER):
        return None
    if reader.has("extends") and not reader.has("paper"):
        return given.paper
    return reader.read_size("paper", (CARD_PAPER,)) or PLAIN.paper
