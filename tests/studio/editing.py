"""Edits as a page asks for them: made, and written."""

from __future__ import annotations

from cardgen.project.project import Project
from cardgen.studio.edits.change import make_change
from cardgen.studio.edits.journal import Journal
from cardgen.studio.edits.model import Change, Edit


def edit(project: Project, deck: str, *edits: Edit, language: str | None = None) -> Journal:
    """Make edits of a deck and write them; return the journal that takes them back."""
    journal = Journal(project.folder)
    made = make_change(project, deck, edits, language)
    assert isinstance(made, Change), made
    assert isinstance(journal.apply(made), Change)
    return journal
