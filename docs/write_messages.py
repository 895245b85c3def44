"""docs/messages.md: every message of cardgen with its cause and its cure: `make messages`.

The causes and cures come from the catalogue in assets/messages/. The messages come from the
source: every call that gives a code also gives a message, and often a hint.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path

from cardgen.core.messages import Entry, read_entries

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "messages.md"
# What each area of codes is about.
AREAS = {
    "build": "what a build chooses, draws and writes",
    "code": "a QR code or a barcode",
    "deck": "a deck: its file, its keys, its cards",
    "edit": "a change made to a deck in the studio",
    "file": "a file that cannot be read or written",
    "font": "a font",
    "icon": "an icon",
    "import": "an article or a table that becomes a deck",
    "layout": "what is placed on a card",
    "name": "a name that nothing has",
    "option": "an option of the command line",
    "picture": "a picture",
    "preflight": "a PDF that goes to a print shop",
    "press": "colours, profiles and bleeds for a press",
    "print": "printers, sheets and margins",
    "project": "a project and its settings",
    "studio": "the studio and its server",
    "svg": "a drawing in SVG",
    "target": "a target",
    "template": "a template: its elements, attributes and expressions",
    "text": "a text on a card",
    "value": "a value, as a length or a colour",
}
_CODE = re.compile(rf"({'|'.join(AREAS)}|\w+(?=/todo$))/[a-z][a-z0-9-]*")
# Types of media read like codes of the area "text".
_NO_CODES = (
    "text/csv",
    "text/event-stream",
    "text/html",
    "text/markdown",
    "text/plain",
    "text/tab-separated-values",
)
_HOLE = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[a-z]{3}")
_MESSAGE, _HINT = ("message", "text"), ("hint", "cure")
# What describes a name that nothing has, and how its hint reads.
_DESCRIBE = ("describe_unknown", "describe_element", "describe_attribute", "describe_word")
_TOLD = ('did you mean "{near}"?', "{kind} names: {names}")
_MOST_TEXTS = 24  # as which one message may read

HEAD = """\
# Messages

Every problem that cardgen finds has a code, as `option/unknown-code`: its area and its name. This
page lists all codes with what they mean and how to mend it. `cardgen explain` prints the same on
the terminal, and `cardgen check DECK --json` gives
[the code of each problem](editors.md#what-is-wrong) to programs. Codes stay the same from version
to version; messages may be worded better.

In the messages of each code, what is filled in stands in braces.
`make messages` writes this page, from `assets/messages/` and from the source.
"""


@dataclass(frozen=True)
class Said:
    """A message as the source has it, with what is filled in in braces."""

    code: str
    file: str
    message: str
    hints: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Maker:
    """A function or class that takes a code and a message, and where it takes them."""

    file: str
    names: tuple[str, ...]

    def bind(self, call: ast.Call) -> dict[str, ast.expr]:
        """Return the arguments of a call by their names."""
        given = dict(zip(self.names, _list_arguments(call), strict=False))
        return given | {word.arg: word.value for word in call.keywords if word.arg}


@dataclass(frozen=True)
class Known:
    """What the names in a file stand for.

    kept: what a function keeps in its variables
    returned: what the functions of the file return
    constants: those of the file, and those that it may import
    """

    kept: Mapping[str, Sequence[ast.expr]] = field(default_factory=dict)
    returned: Mapping[str, Sequence[ast.expr]] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Module:
    """A file as one walk through its tree finds it.

    nodes: all of them, in the order of the text
    outside: those that stand in no function
    functions: of each function itself and all that stands in it
    """

    tree: ast.Module
    nodes: Sequence[ast.AST]
    outside: Sequence[ast.AST]
    functions: Sequence[tuple[ast.FunctionDef, Sequence[ast.AST]]]


@dataclass(frozen=True)
class Source:
    """The modules of the package, with the makers of problems and the constants in them."""

    modules: Mapping[str, Module]
    makers: Mapping[str, Sequence[Maker]]
    known: Mapping[str, Known]  # for each file


def read_source() -> Source:
    modules = {
        path.relative_to(ROOT).as_posix(): read_module(path.read_text(encoding="utf-8"))
        for path in sorted((ROOT / "cardgen").rglob("*.py"))
    }
    makers: dict[str, list[Maker]] = {}
    for file, module in modules.items():
        for name, names in _list_makers(module):
            makers.setdefault(name, []).append(Maker(file, names))
    own = {file: dict(_list_constants(module.tree)) for file, module in modules.items()}
    public = {
        name: text
        for constants in own.values()
        for name, text in constants.items()
        if not name.startswith("_")
    }
    known = {
        file: Known({}, _list_returned(module), public | own[file])
        for file, module in modules.items()
    }
    return Source(modules, makers, known)


def read_module(text: str) -> Module:
    tree = ast.parse(text)
    nodes: list[ast.AST] = []
    outside: list[ast.AST] = []
    functions: list[tuple[ast.FunctionDef, list[ast.AST]]] = []
    waiting: list[tuple[ast.AST, tuple[list[ast.AST], ...]]] = [(tree, ())]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, ast.FunctionDef):
            inner: list[ast.AST] = []
            functions.append((node, inner))
            around = (*around, inner)
        nodes.append(node)
        for scope in around or (outside,):
            scope.append(node)
        inner_nodes = [
            (child, around)
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.expr_context)
        ]
        waiting += inner_nodes[::-1]
    return Module(tree, nodes, outside, functions)


def _list_constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name, texts = node.targets[0].id, find_texts(node.value, Known())
            if name.isupper() and len(texts) == 1:
                yield name, texts[0]


def _list_returned(module: Module) -> dict[str, list[ast.expr]]:
    """Return what each function of a module returns."""
    return {
        function.name: [
            node.value for node in inner if isinstance(node, ast.Return) and node.value is not None
        ]
        for function, inner in module.functions
    }


def list_codes(source: Source) -> set[str]:
    """Return every code that stands in the source."""
    return {
        str(node.value)
        for module in source.modules.values()
        for node in module.nodes
        if isinstance(node, ast.Constant) and is_code(node.value)
    }


def is_code(value: object) -> bool:
    return isinstance(value, str) and bool(_CODE.fullmatch(value)) and value not in _NO_CODES


def list_said(source: Source) -> list[Said]:
    """Return every message of the source, each once, in the order of the codes."""
    found = {
        said
        for file, module in source.modules.items()
        for scope in (module.outside, *(inner for _, inner in module.functions))
        for said in _read_scope(scope, file, source)
        if _WORD.search(_HOLE.sub("", said.message))
    }
    return sorted(found, key=lambda said: (said.code, said.message, said.hints, said.file))


def _list_makers(module: Module) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what takes a code and a message, with the names of its arguments."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            names = [
                item.target.id
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            ]
            for item in node.body:
                if isinstance(item, ast.FunctionDef) and item.name == "__init__":
                    names = _list_parameters(item)
            yield from _keep_maker(node.name, names)
        elif isinstance(node, ast.FunctionDef):
            yield from _keep_maker(node.name, _list_parameters(node))


def _keep_maker(name: str, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    if "code" in names and set(_MESSAGE) & set(names):
        yield name, tuple(names)


def _list_parameters(function: ast.FunctionDef) -> list[str]:
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def _list_arguments(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call without their names, a starred tuple as its parts."""
    given: list[ast.expr] = []
    for argument in call.args:
        inner = argument.value if isinstance(argument, ast.Starred) else None
        given += inner.elts if isinstance(inner, ast.Tuple) else [argument]
    return given


def _read_scope(scope: Sequence[ast.AST], file: str, source: Source) -> Iterator[Said]:
    """Yield the messages of a function, with what it keeps in a name put in its place."""
    kept = [
        (node.lineno, node.targets[0].id, node.value)
        for node in scope
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    used: dict[str, int] = {}  # the line up to which a name has been used
    given = [found for node in scope if (found := _find_given(node, file, source))]
    for line, parts in sorted(given, key=lambda one: one[0]):
        named = {
            node.id
            for part in parts.values()
            for node in ast.walk(part)
            if isinstance(node, ast.Name)
        }
        values: dict[str, list[ast.expr]] = {}
        for name in named:
            # What was kept since the name was used before; else what it still holds.
            before = [(at, value) for at, other, value in kept if other == name and at <= line]
            since = [value for at, value in before if at > used.get(name, 0)]
            if before:
                values[name] = since or [before[-1][1]]
        used.update(dict.fromkeys(named, line))
        known = replace(source.known[file], kept=values)
        hint = next((parts[name] for name in _HINT if name in parts), None)
        hints = find_texts(hint, known) if hint else []
        message = next(parts[name] for name in _MESSAGE if name in parts)
        details = _list_keys(parts.get("details"), known)
        for code in filter(is_code, find_texts(parts["code"], known)):
            for text in find_texts(message, known):
                yield Said(code, file, text, tuple(filter(None, hints)), details)


def _find_given(node: ast.AST, file: str, source: Source) -> tuple[int, dict[str, ast.expr]] | None:
    """Return the line and the parts of a problem, where a node makes one.

    That is a call, or a row of a table with a code and, behind it, a message.
    """
    if isinstance(node, ast.Tuple):
        return _find_in_row(node, node.elts)
    if not isinstance(node, ast.Call):
        return None
    func = node.func
    name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
    makers = source.makers.get(name, ())
    for maker in sorted(makers, key=lambda one: one.file != file):
        parts = maker.bind(node)
        if "code" in parts and set(_MESSAGE) & parts.keys():
            return node.lineno, parts
    return _find_in_row(node, _list_arguments(node))


def _find_in_row(node: ast.expr, row: Sequence[ast.expr]) -> tuple[int, dict[str, ast.expr]] | None:
    codes = [isinstance(item, ast.Constant) and is_code(item.value) for item in row]
    for place in range(len(row) - 1):
        if codes[place] and not codes[place + 1]:
            parts = dict(zip(("code", "message", "hint"), row[place : place + 3], strict=False))
            return node.lineno, parts
    return None


def _list_keys(node: ast.expr | None, known: Known) -> tuple[str, ...]:
    if isinstance(node, ast.Attribute) and _is_unknown(node.value, known):
        return ("name", "near")
    keys = node.keys if isinstance(node, ast.Dict) else []
    return tuple(sorted(str(key.value) for key in keys if isinstance(key, ast.Constant)))


def _is_unknown(node: ast.expr, known: Known) -> bool:
    """Say whether a value is what was found of an unknown name."""
    if isinstance(node, ast.Name):
        return any(
            _is_unknown(value, replace(known, kept={})) for value in known.kept.get(node.id, ())
        )
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in _DESCRIBE


def find_texts(node: ast.expr, known: Known) -> list[str]:
    """Return how a text may read, with what is filled in between braces."""
    return list(dict.fromkeys(_find_texts(node, known)))[:_MOST_TEXTS]


def _find_texts(node: ast.expr, known: Known) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield "" if node.value is None else str(node.value)
    elif isinstance(node, ast.Name) and node.id in known.kept:
        for value in known.kept[node.id]:
            yield from _find_texts(value, replace(known, kept={}))
    elif isinstance(node, ast.Name) and node.id in known.constants:
        yield known.constants[node.id]
    elif isinstance(node, ast.Attribute) and _is_unknown(node.value, known):
        yield from _TOLD[: 1 if node.attr == "guess" else 2]
    elif isinstance(node, ast.IfExp):
        yield from _find_texts(node.body, known)
        yield from _find_texts(node.orelse, known)
    elif isinstance(node, ast.BoolOp):
        for side in node.values:
            yield from _find_texts(side, known)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(_show_part(part, known) for part in node.values)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = (list(_find_texts(side, known)) for side in (node.left, node.right))
        yield from map("".join, product(*sides))
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _find_returned(node, node.func.id, known)
    else:
        yield "{" + name_hole(node) + "}"


def _find_returned(call: ast.Call, name: str, known: Known) -> Iterator[str]:
    """Yield the texts that a function returns, as far as its module tells."""
    # What a function calls in turn is not followed.
    inner = replace(known, kept={}, returned={})
    returned = [text for node in known.returned.get(name, ()) for text in find_texts(node, inner)]
    told = [text for text in returned if _WORD.search(_HOLE.sub("", text))]
    yield from told
    if len(told) < len(returned) or not told:
        yield "{" + name_hole(call) + "}"


def _show_part(part: ast.expr, known: Known) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    value = part.value if isinstance(part, ast.FormattedValue) else part
    if isinstance(value, ast.Name) and value.id in known.constants:
        text = known.constants[value.id]
        return f"{int(text):,}" if text.isdigit() and _has_commas(part) else text
    return "{" + name_hole(value) + "}"


def _has_commas(part: ast.expr) -> bool:
    """Say whether a number is to be written as 10,000."""
    return isinstance(part, ast.FormattedValue) and "','" in ast.dump(part)


def name_hole(node: ast.expr) -> str:
    """Return what is filled in: the last of its names, as in `card.name` or `shorten(text)`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call) and node.args:
        return name_hole(node.args[0])
    names = [
        inner.id if isinstance(inner, ast.Name) else inner.attr
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name | ast.Attribute)
    ]
    return names[0].strip("_") if names else "…"


def format_page(entries: Mapping[str, Entry], said: Sequence[Said]) -> str:
    """Return docs/messages.md."""
    areas = dict.fromkeys(entry.area for entry in entries.values())
    lines = [HEAD, "| area | what is wrong |\n|---|---|"]
    lines += [f"| [{area}](#{area}) | {AREAS[area]} |" for area in areas]
    for area in areas:
        lines.append(f"\n## {area}")
        for entry in entries.values():
            if entry.area == area:
                lines.append(format_entry(entry, [one for one in said if one.code == entry.code]))
    return "\n".join(lines) + "\n"


def format_entry(entry: Entry, said: Sequence[Said]) -> str:
    """Return one code's part of the page."""
    lines = [
        f"\n### {entry.code}\n",
        f"{entry.cause}\n",
        f"**Cure:** {entry.cure}\n",
        f"```text\n{entry.example}\n```",
    ]
    if entry.details:
        lines.append("\n| detail | meaning |\n|---|---|")
        lines += [f"| `{name}` | {meaning} |" for name, meaning in entry.details.items()]
    if said:
        lines.append(f"\n{'Messages' if len(_list_messages(said)) > 1 else 'Message'}:\n\n```text")
        for message, hints in _list_messages(said).items():
            lines.append(message)
            lines += [f"  hint: {hint}".replace("\n", "\n  ") for hint in hints]
        lines.append("```")
    return "\n".join(lines)


def _list_messages(said: Sequence[Said]) -> dict[str, list[str]]:
    """Return each message with all of its hints."""
    messages: dict[str, list[str]] = {}
    for one in said:
        hints = messages.setdefault(one.message, [])
        hints += [hint for hint in one.hints if hint not in hints]
    return messages


def main() -> None:
    PAGE.write_text(format_page(read_entries(), list_said(read_source())), encoding="utf-8")


if __name__ == "__main__":
    main()
