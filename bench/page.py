"""Writes what was measured into docs/performance.md: the promises, a table and a picture."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bench.peers import REPOSITORY
from bench.picture import draw
from bench.promises import Results, Verdict

PAGE = REPOSITORY / "docs" / "performance.md"
PICTURE = REPOSITORY / "docs" / "pictures" / "performance.svg"
BEGIN, END = "<!-- measured: written by make bench -->\n", "<!-- measured: the end -->\n"
_SHOWN = ("cardgen", "Typst", "WeasyPrint")
_LINES = ("plain", "poker-basic", "magic-item", "press")
HEAD = ("deck", "cards", "tool", "seconds", "CPU s", "MB", "beside cardgen")


def list_rows(results: Results) -> list[tuple[str, ...]]:
    """Return a row of texts for each series."""
    rows: list[tuple[str, ...]] = []
    for key, series in results.items():
        own = results.get(key._replace(tool="cardgen"))
        ratio = f"{series.divide_by(own):.2f} times" if own and own is not series else ""
        times = (f"{series.seconds:.2f}", f"{series.processor_seconds:.2f}")
        peak = f"{series.peak_mb:,.0f}"
        rows.append((key.line, f"{key.cards:,}", key.tool, *times, peak, ratio))
    return rows


def describe_machine(python: str, versions: dict[str, str], seed: int) -> str:
    """Return the machine, the tools and the words of a run, in a line."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    tools = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {_name_processor()}, {os.cpu_count()} cores, "
        f"{memory:.0f} GB, {platform.system()}, {python}, {tools}, "
        f"seed {seed}, load at the start {os.getloadavg()[0]:.1f}"
    )


def fill_page(results: Results, verdicts: Iterable[Verdict], machine: str) -> None:
    """Put the figures between the two markers of the page, and draw its picture."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    promised = ("promise", "least", "aim", "measured", "")
    parts = (
        f"Measured on {machine}.\n",
        _format_table(promised, [verdict.cells for verdict in verdicts]),
        _format_table(HEAD, list_rows(results)),
        f"![Time and memory over cards](pictures/{PICTURE.name})\n",
    )
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(parts) + "\n" + END + after, encoding="utf-8")
    PICTURE.write_text(draw_picture(results), encoding="utf-8")


def draw_picture(results: Results) -> str:
    """Return the picture of all tools that were measured with decks of several sizes."""
    times: dict[str, list[tuple[float, float]]] = {}
    memory: dict[str, list[tuple[float, float]]] = {}
    for key, series in sorted(results.items()):
        if key.line in _LINES and key.tool in _SHOWN:
            name = f"{key.tool}, {key.line}"
            times.setdefault(name, []).append((key.cards, series.seconds))
            memory.setdefault(name, []).append((key.cards, series.peak_mb))
    return draw(times, memory)


def _format_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _name_processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
