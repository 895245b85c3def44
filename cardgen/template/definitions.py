"""What stands in definitions by mistake: expressions, which only the elements of a face hold."""

from __future__ import annotations

from cardgen.core.errors import Problem
from cardgen.template.expressions import is_expression
from cardgen.template.source import SourceElement

# What a definition cannot be without.
_LEAST = {"colour": {"cmyk": "0 0 0 0"}, "gradient": {"stops": "black, white"}}


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
