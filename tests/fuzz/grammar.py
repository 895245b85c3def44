"""Expressions and templates made by a grammar, at random; most of them can be read."""

from __future__ import annotations

from random import Random

_NAMES = (
    "card.name",
    "card.text",
    "card.cost",
    "card.points",
    "card.stats",
    "card.gone",
    "deck.title",
    "side",
    "range",
    "namespace",
    "cycler",
    "joiner",
    "dict",
    "loop",
    "loop.index",
    "self",
    "caller",
    "card",
    "deck",
    "x",
    "y",
    "none",
    "true",
)
_FILTERS = (
    "upper",
    "lower",
    "length",
    "list",
    "join('-')",
    "sort",
    "reverse",
    "int",
    "float",
    "abs",
    "round",
    "batch(2)|list",
    "slice(3)|list",
    "replace('a', 'b')",
    "indent(3)",
    "wordwrap(3)",
    "center(9)",
    "t",
    "signed",
    "default('d')",
    "first",
    "last",
    "sum",
    "map('upper')|list",
    "tojson",
    "pprint",
    "string",
    "xmlattr",
    "unique|list",
    "groupby('a')|list",
    "select|list",
    "items|list",
    "truncate(3)",
    "title",
    "trim",
    "urlencode",
    "urlize",
    "wordcount",
    "dictsort",
    "filesizeformat",
    "format(3)",
    "forceescape",
    "striptags",
    "min",
    "max",
    "attr('x')",
    "escape",
    "safe",
    "capitalize",
    "count",
)
_METHODS = (
    "upper()",
    "split()",
    "split(',')",
    "strip()",
    "format(1, 2)",
    "encode()",
    "zfill(5)",
    "title()",
    "isdigit()",
    "count('a')",
    "join('abc')",
    "items()",
    "keys()",
    "values()",
    "get('attack')",
    "index('a')",
    "replace('', 'aa')",
    "to_bytes(9)",
    "bit_length()",
    "hex()",
    "copy()",
    "partition('a')",
    "next()",
    "translate({97: 'b'})",
    "format_map({})",
    "expandtabs(4)",
    "splitlines()",
    "casefold()",
)
_LITERALS = (
    "0",
    "1",
    "-1",
    "3.5",
    "1e308",
    "99999999",
    "'a'",
    '""',
    "'²'",
    "[]",
    "{}",
    "(1, 2)",
    "[1, 2, 3]",
    "{'a': 1}",
    "'%d'",
    "'{}'",
    "'{0.__class__}'",
    "'%1000000000d'",
    "10**9",
    "9**9**9",
)
_OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "~",
    "==",
    "!=",
    "<",
    ">=",
    "and",
    "or",
    "in",
    "not in",
    "is",
)
_TESTS = (
    "defined",
    "none",
    "string",
    "number",
    "divisibleby(3)",
    "odd",
    "mapping",
    "sameas(1)",
    "in([1])",
)


def make_expression(random: Random, depth: int = 0) -> str:
    """Return an expression as it stands between braces."""
    kind = random.randrange(12 if depth < 4 else 2)

    def inner() -> str:
        return make_expression(random, depth + 1)

    if kind == 0:
        return random.choice(_NAMES)
    if kind == 1:
        return random.choice(_LITERALS)
    if kind in (2, 3):
        operator = random.choice(_OPERATORS)
        right = random.choice(_TESTS) if operator == "is" else inner()
        return f"({inner()} {operator} {right})"
    if kind in (4, 5):
        return f"({inner()})|{random.choice(_FILTERS)}"
    if kind in (6, 7):
        return f"({inner()}).{random.choice(_METHODS)}"
    if kind == 8:
        return f"({inner()} if {inner()} else {inner()})"
    if kind == 9:
        return f"({inner()})[{inner()}]"
    if kind == 10:
        return f"({inner()})[{inner()}:{inner()}]"
    return f"({inner()})({inner()})"


def make_text(random: Random, depth: int = 0) -> str:
    """Return a text with expressions and tags."""
    kind = random.randrange(9 if depth < 3 else 2)

    def inner() -> str:
        return make_text(random, depth + 1)

    value = make_expression(random)
    if kind <= 1:
        return f"a {{{{ {value} }}}} b"
    if kind == 2:
        return f"{{% if {value} %}}{inner()}{{% else %}}{inner()}{{% endif %}}"
    if kind == 3:
        return f"{{% for x in {value} %}}{inner()}{{% endfor %}}"
    if kind == 4:
        return f"{{% set x = {value} %}}{inner()}{{{{ x }}}}"
    if kind == 5:
        return f"{{% macro m(x, y=1) %}}{inner()}{{% endmacro %}}{{{{ m({value}) }}}}"
    if kind == 6:
        return f"{{% set x %}}{inner()}{{% endset %}}{{{{ x }}}}{inner()}"
    if kind == 7:
        return f"{{% with x = {value} %}}{inner()}{{% endwith %}}"
    return f"{{% filter upper %}}{inner()}{{% endfilter %}}"


_LENGTHS = (
    "0",
    "1mm",
    "5%",
    "100%",
    "-3mm",
    "9in",
    "0.01pt",
    "{{ card.cost }}mm",
    "1e9mm",
    "auto",
    "nan",
    "inf",
    "²mm",
)

_PAINTS = (
    "black",
    "none",
    "{{ card.kind }}",
    "#123456",
    "#12",
    "rgb(1 2 300)",
    "cmyk(0 0 0 {{ card.cost }})",
    "linear(45, red, blue 60, cmyk(0 0 0 0))",
    "linear(red, cmyk(1 2 3 4))",
    "radial(at 1e9mm 0 radius 0, white, black)",
    "radial(focus 900% 0, white, #123)",
)
_SHADOWS = (
    "1mm 1mm",
    "0 0 2mm black 40%",
    "-9mm 0 20mm red",
    "1mm 1mm 99mm",
    "{{ card.cost }}mm 1mm",
    "none",
)
_SHAPES = {
    "circle": [("stroke", "red")],
    "polygon": [("sides", "6"), ("angle", "30"), ("points", "0,0 9,9 1e9,0")],
    "star": [("points", "5"), ("inner", "0")],
    "arc": [("from", "0"), ("to", "{{ card.cost }}%"), ("kind", "ring")],
}


def make_elements(random: Random, depth: int = 0) -> str:
    """Return a few elements of a template."""
    return "".join(_make_element(random, depth) for _ in range(random.randint(1, 3)))


def _make_element(random: Random, depth: int) -> str:
    tag = random.choice(
        ("text", "text", "flow", "icon", "image", "line", "path", "ornament", "table", "space")
        if depth > 3
        else (
            "box",
            "column",
            "row",
            "first",
            "text",
            "flow",
            "icon",
            "image",
            "line",
            "path",
            "box",
            "table",
            "circle",
            "polygon",
            "star",
            "arc",
            "let",
            "use",
        )
    )
    given = {
        name: random.choice(_LENGTHS)
        for name in (
            "x",
            "y",
            "width",
            "height",
            "padding",
            "size",
            "gap",
            "right",
            "bottom",
            "radius",
            "inset",
            "max-height",
            "min-width",
            "max-width",
            "stroke-width",
            "leading",
            "tracking",
        )
        if random.random() < 0.12
    }
    if random.random() < 0.15:
        given["if"] = make_expression(random)
    if random.random() < 0.1:
        given["for"] = f"x in {make_expression(random)}"
    if random.random() < 0.1:
        given["turn"] = random.choice(("90", "180", "45", "{{ 90 }}"))
    if random.random() < 0.3 and tag in ("text", "flow"):
        given["fit"] = random.choice(("box", "line", "deck", "none"))
    if random.random() < 0.1:
        given["fill"] = random.choice(_PAINTS)
    if random.random() < 0.1:
        given["shadow"] = random.choice(_SHADOWS)
    if random.random() < 0.05:
        given["glow"] = random.choice(("2mm gold", "1mm red hard", "99mm", "{{ card.kind }}"))
    if tag in ("icon",):
        given["name"] = random.choice(
            ("sword", "{{ card.icon }}", "", "{{ '' if 1 }}", "{{ card. }}", "mark")
        )
        given.setdefault("width", "5mm")
    if tag in ("image",):
        given["file"] = random.choice(("hills.png", "{{ card.picture }}", "../x.png", "\u0661.png"))
    if tag == "path":
        given["d"] = random.choice(
            ("M0 0L9 9", "M0 0C1 2 3 4 5 6z", "M1e9 0h1e300", "M", "M0 0a1 1 0 0 1 2 2")
        )
        given["view"] = "10 10"
    body = ""
    if tag in _SHAPES:
        given.setdefault("fill", "red")
        given |= dict(pair for pair in _SHAPES[tag] if random.random() < 0.7)
        given["clip"] = random.choice(("true", "false"))
    if tag in ("box", "column", "row", "first", *_SHAPES):
        body = make_elements(random, depth + 1)
    elif tag in ("text", "flow"):
        body = make_text(random).replace("&", "&amp;").replace("<", "&lt;")
    elif tag == "table":
        given["columns"] = random.choice(("auto grow", "1mm", "grow:2 grow", "auto"))
        body = f"<tr><td>{make_expression(random).replace('&', '').replace('<', '&lt;')}</td></tr>"
    elif tag == "use":
        given["component"] = random.choice(("one", "two", "gone"))
        given["p"] = random.choice(("3mm", "{{ card.cost }}", "{{ x }}", "", "{{ [1] }}"))
        body = make_elements(random, depth + 1)
    elif tag == "let":
        given = {"name": random.choice(("x", "y", "card", "a b")), "value": make_expression(random)}
    attributes = "".join(
        f' {name}="{value.replace("&", "&amp;").replace("<", "&lt;").replace(chr(34), "&quot;")}"'
        for name, value in given.items()
    )
    return f"<{tag}{attributes}>{body}</{tag}>"
