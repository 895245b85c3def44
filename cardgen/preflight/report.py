"""Faults that were found one by one, folded into findings that a person can read.

A fault is one thing in one place; a finding is the same fault wherever it occurs. Knows nothing of
PDF files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cardgen.core.errors import count
from cardgen.core.geometry import Rect, Size
from cardgen.core.units import MM, format_mm, format_size
from cardgen.preflight.wants import FLAVOUR_NAMES, Flavour, Severity

ORDER: Final[tuple[Severity, ...]] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing in one place.

    same: faults of one rule that are the same in this are folded together
    page: counts from 1; None means the whole file
    place: from the trim's top left corner, in points
    worse: the larger, the graver; the finding says what the gravest fault says
    count: how often it occurs in this place
    """

    rule: str
    severity: Severity
    message: str
    cure: str
    same: str = ""
    page: int | None = None
    place: Rect | None = None
    worse: float = 0.0
    count: int = 1
    card: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A card or page of a finding: its gravest place there, and how many there are."""

    page: int
    card: str
    place: Rect | None
    count: int


@dataclass(frozen=True, slots=True)
class Finding:
    rule: str
    severity: Severity
    message: str
    cure: str
    spots: tuple[Spot, ...] = ()
    count: int = 1

    @property
    def pages(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(spot.page for spot in self.spots))


@dataclass(frozen=True, slots=True)
class Report:
    """What preflight says of a file.

    trim: of the first page
    """

    name: str
    flavour: Flavour
    asked_by: str
    pages: int
    trim: Size | None
    findings: tuple[Finding, ...] = field(default=())

    def count(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def passed(self) -> bool:
        return not self.count("error")


def fold_faults(faults: Iterable[Fault]) -> tuple[Finding, ...]:
    """The same fault on many pages becomes one finding; errors come first."""
    groups: dict[tuple[str, str, str], list[Fault]] = {}
    for fault in faults:
        same = fault.same or fault.message
        groups.setdefault((fault.rule, fault.severity, same), []).append(fault)
    findings = [_fold(group) for group in groups.values()]
    return tuple(sorted(findings, key=_rank))


def _fold(group: list[Fault]) -> Finding:
    worst = _find_worst(group)
    cards: dict[tuple[int, str], list[Fault]] = {}
    for fault in group:
        if fault.page is not None:
            cards.setdefault((fault.page, fault.card), []).append(fault)
    spots = tuple(_make_spot(page, found) for (page, _), found in sorted(cards.items()))
    count = sum(fault.count for fault in group)
    return Finding(worst.rule, worst.severity, worst.message, worst.cure, spots, count)


def _make_spot(page: int, faults: list[Fault]) -> Spot:
    worst = _find_worst(faults)
    return Spot(page, worst.card, worst.place, sum(fault.count for fault in faults))


def _find_worst(faults: list[Fault]) -> Fault:
    return max(faults, key=lambda fault: fault.worse)


def _rank(finding: Finding) -> tuple[int, int, str, str]:
    first = finding.spots[0].page if finding.spots else 0
    return ORDER.index(finding.severity), first, finding.rule, finding.message


# Every rule, and what it looks at.
RULES: Final[Mapping[str, str]] = {
    "art-box": "an ArtBox beside the TrimBox",
    "annotations": "notes, form fields and links that lie on the page",
    "bleed-painted": "paint that reaches the trim reaches the edge of the bleed too",
    "bleed-width": "the bleed that the boxes leave around the trim",
    "box-nesting": "TrimBox within BleedBox within MediaBox, CropBox within MediaBox",
    "colour-space": "the colour spaces that are painted with",
    "crop-box": "a CropBox that hides bleed",
    "damaged": "what cannot be read, or had to be mended to be read",
    "embedded-files": "files within the file",
    "encryption": "encryption",
    "file-id": "the ID of the file",
    "filters": "LZW, and JPEG 2000 in PDF/X-1a",
    "fonts": "fonts that are not embedded",
    "information": "title, dates and Trapped in the document information",
    "layers": "layers that can be switched off",
    "line-width": "lines thinner than the thinnest that prints",
    "metadata": "the XMP metadata that PDF/X-4 needs",
    "object-streams": "object streams and cross-reference streams in PDF/X-1a",
    "old-postscript": "PostScript XObjects, OPI, transfer functions and pictures' alternates",
    "output-intent": "the OutputIntent and its profile",
    "page-count": "how many pages there are",
    "page-size": "pages and trims that are all of one size, and of the size that is wanted",
    "pdfx-version": "the PDF/X version that the file claims, and the version of its header",
    "resolution": "pixels per inch of pictures as they are placed",
    "safe-area": "text that comes too close to the trim",
    "scripts": "JavaScript and actions",
    "text-size": "text smaller than the smallest that prints",
    "total-ink": "ink on one spot: of colours, gradients and pictures",
    "transparency": "soft masks, alpha, blend modes and transparency groups",
    "trim-box": "a TrimBox on every page",
}


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


# MERGED: The report of preflight as people read it, and as JSON for programs.
#
#   Turns a Report into text. Knows nothing of PDF files.
#
