"""Faults that were found one by one, folded into findings that a person can read.

A fault is one thing in one place; a finding is the same fault wherever it occurs. Knows nothing of
PDF files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from cardgen.geometry import Rect, Size
from cardgen.preflight.wants import Flavour, Severity

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
