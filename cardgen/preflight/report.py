"""The report of preflight: faults folded into findings, and written as text or as JSON.

A fault is one thing in one place; a finding is the same fault wherever it occurs. Knows nothing of
PDF files. Each code is explained in assets/messages/preflight.toml; in a report it stands without
its area, as `total-ink`.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cardgen.core.errors import Problem, Where, count, list_some
from cardgen.core.geometry import Rect, Size
from cardgen.core.units import MM, format_mm, format_size
from cardgen.preflight.wants import FLAVOUR_NAMES, Flavour, Severity

ORDER: Final[tuple[Severity, ...]] = ("error", "warning", "note")


_AREA: Final = "preflight/"
_MOST_NAMED = 5
_MOST_RUNS = 8
_MOST_SPOTS = 1000


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing in one place.

    about: faults with the same code and severity that are about the same are folded together
    page: counts from 1; None means the whole file
    place: from the trim's top left corner, in points
    worse: the larger, the graver; the finding says what the gravest fault says
    count: how often it occurs in this place
    label: the card or page that it is on, as the file names it
    found, wanted: what is measured there and what is asked for, where they are figures: lengths in
        mm, sizes of type and lines in pt, ink in per cent, pictures in pixels per inch
    """

    code: str
    severity: Severity
    message: str
    cure: str
    about: tuple[Hashable, ...] = ()
    page: int | None = None
    place: Rect | None = None
    worse: float = 0.0
    count: int = 1
    label: str = ""
    found: float | None = None
    wanted: float | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A card or page of a finding: its gravest place there, and how many there are."""

    page: int
    label: str
    place: Rect | None
    count: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, and all the spots where it is found: first that of which the message tells, the
    gravest, then the others page by page.

    figures: what is `found` and what is `wanted`, of the gravest
    """

    code: str
    severity: Severity
    message: str
    cure: str
    spots: tuple[Spot, ...] = ()
    count: int = 1
    figures: Mapping[str, float] = field(default_factory=dict, compare=False)

    @property
    def rule(self) -> str:
        """The name of the rule: the code without its area."""
        return self.code.removeprefix(_AREA)

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(sorted({spot.page for spot in self.spots}))


@dataclass(frozen=True, slots=True)
class Report:
    """All that preflight says of a file.

    trim: of the first page
    """

    name: str
    flavour: Flavour
    asked_by: str
    pages: int
    trim: Size | None
    findings: tuple[Finding, ...] = ()

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def passed(self) -> bool:
        return not self.count("error")


def fold_faults(faults: Iterable[Fault]) -> tuple[Finding, ...]:
    """Return one finding for the same fault on many pages; errors come first."""
    groups: dict[tuple[Hashable, ...], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.code, fault.severity, fault.about), []).append(fault)
    findings = [_fold(group) for group in groups.values()]
    return tuple(sorted(findings, key=_rank))


def _fold(group: list[Fault]) -> Finding:
    worst = _find_worst(group)
    labels: dict[tuple[int, str], list[Fault]] = {}
    for fault in group:
        if fault.page is not None:
            labels.setdefault((fault.page, fault.label), []).append(fault)
    places = sorted(labels, key=lambda place: (place != (worst.page, worst.label), place))
    spots = tuple(_make_spot(place[0], labels[place]) for place in places)
    times = sum(fault.count for fault in group)
    told = {"found": worst.found, "wanted": worst.wanted}
    figures = {name: round(value, 2) for name, value in told.items() if value is not None}
    return Finding(worst.code, worst.severity, worst.message, worst.cure, spots, times, figures)


def _make_spot(page: int, faults: list[Fault]) -> Spot:
    worst = _find_worst(faults)
    return Spot(page, worst.label, worst.place, sum(fault.count for fault in faults))


def _find_worst(faults: list[Fault]) -> Fault:
    return max(faults, key=lambda fault: fault.worse)


def _rank(finding: Finding) -> tuple[int, int, str, str]:
    first = min(finding.pages, default=0)
    return ORDER.index(finding.severity), first, finding.code, finding.message


def format_report(report: Report) -> str:
    """Return what was checked, every finding with its place and cure, and the sum."""
    head = f"{report.name}: {count(report.pages, 'page')}"
    if report.trim:
        head += f", trim {format_size(report.trim)}"
    head += f", checked as {FLAVOUR_NAMES[report.flavour]} for {report.asked_by}"
    blocks = [head, *map(_format_finding, report.findings), _format_sum(report)]
    return "\n".join(blocks)


def list_problems(report: Report, severity: Severity = "error") -> list[Problem]:
    """Return a problem for each error, or for each finding of another severity."""
    return [
        Problem(
            finding.code,
            f"{finding.message} ({finding.rule}){_format_where(finding)}",
            Where(report.name),
            finding.cure,
            details={
                "count": finding.count,
                "page": finding.spots[0].page if finding.spots else None,
                **finding.figures,
            },
        )
        for finding in report.findings
        if finding.severity == severity
    ]


def _format_finding(finding: Finding) -> str:
    return (
        f"{finding.severity}: {finding.rule}: {finding.message}{_format_where(finding)}\n"
        f"  cure: {finding.cure}"
    )


def _format_where(finding: Finding) -> str:
    """Return where it is gravest, and where besides."""
    if not finding.spots:
        return f" ({finding.count:,} times)" if finding.count > 1 else ""
    first = finding.spots[0]
    text = f"\n  page {first.page}"
    if first.label:
        text += f" ({first.label})"
    if first.place:
        text += f", at {_format_place(first.place)}"
    if finding.count > 1:
        text += f"; {finding.count:,} times in all"
        if len(finding.pages) > 1:
            text += f" on pages {_format_pages(finding.pages)}"
    return text + _list_labels(finding.spots)


def _list_labels(spots: tuple[Spot, ...]) -> str:
    names = list(dict.fromkeys(spot.label for spot in spots[1:] if spot.label))
    if not names:
        return ""
    return f"\n  also: {list_some(names, _MOST_NAMED, '; ')}"


def _format_place(place: Rect) -> str:
    x, y = format_mm(place.x), format_mm(place.y)
    return f"{x}, {y} from the trim's top left ({format_size(place.size)})"


def _format_pages(pages: Iterable[int]) -> str:
    """Return pages as "1-4, 7"; of many that do not follow one another the first."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][1] + 1:
            runs[-1][1] = page
        else:
            runs.append([page, page])
    return list_some([str(a) if a == b else f"{a}-{b}" for a, b in runs], _MOST_RUNS)


def _format_sum(report: Report) -> str:
    counts = [(report.count(severity), severity) for severity in ORDER]
    found = [count(number, severity) for number, severity in counts if number]
    return ", ".join(found) if found else "nothing to complain of"


def format_json(report: Report) -> str:
    """Return all of a report, with lengths in millimetres."""
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
                "card": spot.label or None,
                "place": _list_lengths(spot.place) if spot.place else None,
                "count": spot.count,
            }
            for spot in finding.spots[:_MOST_SPOTS]
        ],
    }


def _list_lengths(points: Iterable[float]) -> list[float]:
    return [round(value / MM, 2) for value in points]
