"""What stands in definitions by mistake: expressions, which only the elements of a face hold, and
names that stand there already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cardgen.core.errors import Problem, Where
from cardgen.template.expressions import is_expression
from cardgen.template.source import SourceElement

# What a definition cannot be without.
_LEAST = {"colour": {"cmyk": "0 0 0 0"}, "gradient": {"stops": "black, white"}}

# They may define several names at once.
_LISTED = ("colour", "field", "icon-style")
# Two of a name are one: the second says what differs.
_JOINED = ("icon-style", "map", "style")


def list_defined(source: SourceElement) -> list[str]:
    """Return the names that a definition defines."""
    name = source.attributes.get("name", "")
    return [part.strip() for part in name.split(",")] if source.tag in _LISTED else [name]


def find_twice(file: SourceElement, kinds: Collection[str]) -> Iterator[Problem]:
    """Yield what a file defines twice, of which one would be passed over without a word."""
    seen: dict[tuple[str, str, str], Where] = {}
    for source, owner, name in _list_all(file, kinds):
        where = source.place_of("key" if owner else "name")
        first = seen.setdefault((source.tag, owner, name), where)
        if first is not where and name:
            yield Problem(
                "template/name-twice",
                f'the <{source.tag}> "{name}" stands in line {first.line} already',
                where,
                "delete one of them, or give it another name",
                details={"name": name},
            )


def _list_all(
    file: SourceElement, kinds: Collection[str]
) -> Iterator[tuple[SourceElement, str, str]]:
    """Yield definitions with their names, and the entries of maps with those of the maps."""
    for source in file.children:
        single = source.tag in kinds and source.tag not in _JOINED
        for name in list_defined(source) if single else ():
            yield source, "", name
        for entry in source.children if source.tag == "map" else ():
            if entry.tag == "entry":
                yield entry, source.attributes.get("name", "?"), entry.attributes.get("key", "")


def drop_expressions(source: SourceElement, problems: list[Problem]) -> SourceElement:
    """Return a definition without the expressions in it, each of which is a problem.

    It stays sound, so that nothing else is said of what uses it.
    """
    given = source.attributes
    wrong = [name for name in given if name != "name" and is_expression(given[name])]
    if not wrong:
        return source
    problems += [
        Problem(
            "template/expression-in-definition",
            f"a <{source.tag}> holds no expressions",
            source.place_of(name),
            "it is the same for all cards: write it where it is used, as in "
            'fill="{{ card.colour }}"',
        )
        for name in wrong
    ]
    kept = {name: value for name, value in given.items() if name not in wrong}
    return source._replace(attributes={**_LEAST.get(source.tag, {}), **kept})
