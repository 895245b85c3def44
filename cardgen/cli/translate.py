"""`cardgen translate`: writes an overlay to fill in, and says where."""

from __future__ import annotations

from pathlib import Path

import click

from cardgen.cli.options import lang_option
from cardgen.cli.printing import say


@click.command()
@click.argument("deck")
@lang_option("The language, as de.", required=True)
def translate(deck: str, lang: str) -> None:
    """Write a file for a deck's texts in another language, to be filled in."""
    from cardgen.core.deck_files import refuse_outside
    from cardgen.core.errors import CardgenError, Where
    from cardgen.core.library import HOME
    from cardgen.deck.dictionary import read_words
    from cardgen.deck.overlay import make_skeleton
    from cardgen.deck.values import LANGUAGE_HINT, is_language
    from cardgen.output.files import write_file
    from cardgen.project.project import open_deck

    if not is_language(lang):
        raise CardgenError(
            "option/no-language",
            f'"{lang}" is no language tag',
            hint=LANGUAGE_HINT,
            details={"language": lang},
        )
    project, loaded = open_deck(deck)
    is_ours = loaded.path.resolve().parent == HOME / "decks" and project.folder.resolve() != HOME
    folder = Path("decks") if is_ours else loaded.path.parent
    if is_ours:
        where = Where(str(folder))
        refuse_outside("the folder for decks", folder, Path(), where, "remove the link")
    path = folder / f"{loaded.name}.{lang}.yaml"
    if path.exists():
        raise CardgenError(
            "option/file-exists",
            f"{path} is there already",
            hint=f"cardgen check {deck} --lang {lang} says what it lacks",
            details={"path": str(path)},
        )
    write_file(path, make_skeleton(loaded, read_words(project.library, lang)).encode())
    say(f"{path}: fill it in, and build it by: cardgen build {deck} --lang {lang}")
