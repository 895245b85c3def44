"""`cardgen translate`: writes an overlay to fill in, and says where."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("deck")
@click.option("--lang", metavar="TAG", required=True, help="The language, as de.")
def translate(deck: str, lang: str) -> None:
    """Write a file for a deck's texts in another language, to be filled in."""
    from cardgen.core.errors import CardgenError
    from cardgen.core.library import HOME
    from cardgen.deck.values import LANGUAGE_HINT, is_language
    from cardgen.deck.dictionary import read_words
    from cardgen.deck.overlay import make_skeleton
    from cardgen.output.files import write_file
    from cardgen.project.project import open_deck

    if not is_language(lang):
        raise CardgenError("cli/todo", f'"{lang}" is no language tag', hint=LANGUAGE_HINT)
    project, loaded = open_deck(deck)
    is_ours = loaded.path.resolve().parent == HOME / "decks" and project.folder.resolve() != HOME
    folder = Path("decks") if is_ours else loaded.path.parent
    path = folder / f"{loaded.name}.{lang}.yaml"
    if path.exists():
        raise CardgenError(
            "cli/todo",
            f"{path} is there already",
            hint=f"cardgen check {deck} --lang {lang} says what it lacks",
        )
    write_file(path, make_skeleton(loaded, read_words(project.library, lang)).encode())
    click.echo(f"{path}: fill it in, and build it by: cardgen build {deck} --lang {lang}")
