"""The report of preflight as people read it, and as JSON for programs.

Turns a Report into text. Knows nothing of PDF files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from cardgen.errors import count
from cardgen.geometry import Rect
from cardgen.preflight.findings import ORDER, Finding, Report, Spot
from cardgen.preflight.wants import FLAVOUR_NAMES
from cardgen.sizes import format_size
from cardgen.units import MM, format_mm

_MOST_NAMED = 5
_MOST_SPOTS = 1000


def format_report(report: Report) -> str:
    """What was checked, every finding with its place and cure, and the sum."""
    head = f"{report.name}: {count(report.pages, 'page')}"
    if report.trim:
        head += f", trim {format_size(report.trim)}"
    head += f", checked as {FLAVOUR_NAMES[report.flavour]} for {report.asked_by}"
    blocks = [head, *map(_format_finding, report.findings), _format_sum(report)]
    return "\n".join(blocks)


def format_problems(report: Report) -> list[tuple[str, str]]:
    """The message and the cure of each error."""
    return [
        (f"{finding.message} ({finding.rule}){_format_where(finding)}", finding.cure)
        for finding in report.findings
        if finding.severity == "error"
    ]


def _format_finding(finding: Finding) -> str:
    return (
        f"{finding.severity}: {finding.rule}: {finding.message}{_format_where(finding)}\n"
        f"  cure: {finding.cure}"
    )


def _format_where(finding: Finding) -> str:
    """Where it is first, and where besides."""
    if not finding.spots:
        return f" ({finding.count:,} times)" if finding.count > 1 else ""
    first = finding.spots[0]
    text = f"\n  page {first.page}"
    if first.card:
        text += f" ({first.card})"
    if first.place:
        text += f", at {_format_place(first.place)}"
    if finding.count > 1:
        text += f"; {finding.count:,} times in all"
        if len(finding.pages) > 1:
            text += f" on pages {_format_pages(finding.pages)}"
    return text + _name_cards(finding.spots)


def _name_cards(spots: tuple[Spot, ...]) -> str:
    names = list(dict.fromkeys(spot.card for spot in spots[1:] if spot.card))
    if not names:
        return ""
    more = len(names) - _MOST_NAMED
    rest = f" and {more:,} more" if more > 0 else ""
    return f"\n  also: {'; '.join(names[:_MOST_NAMED])}{rest}"


def _format_place(place: Rect) -> str:
    x, y = format_mm(place.x), format_mm(place.y)
    return f"{x}, {y} from the trim's top left ({format_size(place.size)})"


def _format_pages(pages: Iterable[int]) -> str:
    """ "1-4, 7"."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def _format_sum(report: Report) -> str:
    counts = [(report.count(severity), severity) for severity in ORDER]
    found = [count(number, severity) for number, severity in counts if number]
    return ", ".join(found) if found else "nothing to complain of"


def format_json(report: Report) -> str:
    """All of it, lengths in millimetres."""
    data = {
        "file": report.name,
        "flavour": report.flavour,
        "pages": report.pages,
        "trim": _list_lengths(report.trim) if report.trim else None,
        "passed": report.passed,
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "notes": report.count("note"),
        "findings": [_describe(finding) for finding in report.findings],
    }
    # ASCII alone, so that no terminal or pipe can spoil it.
    return json.dumps(data, indent=2)


def _describe(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "cure": finding.cure,
        "count": finding.count,
        "pages": list(finding.pages),
        "places": [
            {
                "page": spot.page,
                "card": spot.card or None,
                "place": _list_lengths(spot.place) if spot.place else None,
                "count": spot.count,
            }
            for spot in finding.spots[:_MOST_SPOTS]
        ],
    }


def _list_lengths(points: Iterable[float]) -> list[float]:
    return [round(value / MM, 2) for value in points]
