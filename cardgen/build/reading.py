"""The templates that a deck names, read from their files; in a draft something stands for each that
nobody has, so that its cards are drawn with the others.

Knows nothing of cards' values or faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from cardgen.core.errors import CardgenError, Problem, Where
from cardgen.core.geometry import Size
from cardgen.core.library import Library
from cardgen.deck.model import Deck
from cardgen.template.model import FaultSpec, Node, Place
from cardgen.template.parse import read_template
from cardgen.template.template import Element, Template

Use = tuple[str, Where]  # the name of a template, and where it is named


def list_uses(deck: Deck) -> Iterator[Use]:
    """Yield the templates that a deck's cards name."""
    for card in deck.cards:
        yield card.template, card.get_place("template")
        if card.back is not None:
            yield card.back, card.get_place("back")


class TemplateReader:
    """Reads the templates of one deck on one paper.

    faults: in a draft, what is wrong with each template, by its name
    """

    def __init__(self, library: Library, paper: Size, *, draft: bool) -> None:
        self.faults: dict[str, list[Problem]] = {}
        self._library = library
        self._paper = paper
        self._is_draft = draft

    def read(
        self, uses: Iterable[Use], size: Size | None, known: Mapping[str, Template]
    ) -> dict[str, Template]:
        """Return every template that is named, those that are known as they are; what stands for
        one comes last, and is as large as the first that is read.

        size: that of the faces where it is not the templates' own
        """
        found = {name: template for name, template in known.items() if template.files}
        missing: dict[str, Problem] = {}
        problems: dict[Problem, None] = {}
        is_refused = False
        for name, where in uses:
            if name in found:
                continue
            try:
                path = self._library.get("template", name, where)
            except CardgenError as error:
                missing.setdefault(name, error.problems[0])
                problems |= dict.fromkeys(error.problems)
                continue
            try:
                found[name] = self._read(name, path, size)
            except CardgenError as error:
                problems |= dict.fromkeys(error.problems)
                is_refused = True
        if is_refused or (missing and not (self._is_draft and found)):
            raise CardgenError.of(problems)
        like = next(iter(found.values()), None)
        for name, problem in missing.items():
            assert like is not None
            self.faults[name] = [one for one in problems if one.message == problem.message]
            found[name] = _make_stand_in(name, problem, like)
        return found

    def _read(self, name: str, path: Path, size: Size | None) -> Template:
        faults = self.faults[name] = list[Problem]()
        drafted = faults if self._is_draft else None
        try:
            return read_template(path, self._library, self._paper, size, found=drafted)
        except RecursionError as error:
            raise refuse_depth(Where(str(path))) from error


def _make_stand_in(name: str, problem: Problem, like: Template) -> Template:
    """Return a template that says on the whole card what is wrong with it."""
    where = problem.where or like.where
    node = Node(FaultSpec(Place(grow=1), problem.message), (), "", where, None)
    said = Element("box", where, {}, {}, (), None, None, "", (), node=node)
    return replace(
        like,
        name=name,
        made_for=like.format.size,
        elements=(said,),
        fields={},
        names={},
        where=where,
        files=(),
        shares_sizes=False,
        tells_cards=False,
        tells_copies=False,
    )


def refuse_depth(where: Where) -> CardgenError:
    return CardgenError(
        "template/too-deep",
        "the elements of the template are nested too deep",
        where,
        "put fewer elements within each other",
    )
