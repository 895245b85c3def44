"""Every message and hint of the package in one list, tests/messages.txt, so that they are
read together and in one voice; and the rules of that voice.

`make golden` writes the list anew. docs/decisions/0007-messages-in-one-list.md says why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).parent / "messages.txt"

# What makes or notes a problem: the places of message and hint among the arguments.
MAKERS = {
    "CardgenError": (1, 3),
    "Problem": (1, 3),
    "Complaint": (1, 2),
    "Refusal": (1, 2),
    "TextRefusal": (1, 2),
    "WordRefusal": (1, 2),
    "Fault": (0, 1),
    "_RefusedError": (0, 1),
    "add": (0, 2),
    "_add": (0, 2),
    "complain": (2, 3),
    "_complain": (2, 3),
    "_refuse": (2, 3),
    "report": (0, 2),
    "_report": (0, 2),
    "fail": (0, 2),
    "make_error": (1, 3),
    "note": (1, 2),
}
_HOLE = re.compile(r"\{[^{}]*\}")


@dataclass(frozen=True)
class Said:
    file: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"  {self.message}\n    hint: {self.hint}\n" if self.hint else f"  {self.message}\n"


def list_said() -> Iterator[Said]:
    for path in sorted((ROOT / "cardgen").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        file = path.relative_to(ROOT).as_posix()
        found = {said for function in list_functions(tree) for said in read_calls(function, file)}
        yield from sorted(found, key=lambda said: (said.message, said.hint))


def list_functions(tree: ast.Module) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def read_calls(function: ast.AST, file: str) -> Iterator[Said]:
    """The messages of a function, with what it keeps in a name put in its place."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    kept = [
        (node.lineno, node.targets[0].id, node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    before: dict[str, int] = {}  # the line up to which a name has been used
    for call in sorted(calls, key=lambda node: node.lineno):
        func = call.func
        name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
        if name not in MAKERS or len(call.args) <= MAKERS[name][0]:
            continue
        place, hint_place = MAKERS[name]
        named = {
            n.id for argument in call.args for n in ast.walk(argument) if isinstance(n, ast.Name)
        }
        values: dict[str, list[ast.expr]] = {}
        for line, target, value in kept:
            if target in named and before.get(target, 0) < line <= call.lineno:
                values.setdefault(target, []).append(value)
        before.update(dict.fromkeys(named, call.lineno))
        hints = [k.value for k in call.keywords if k.arg == "hint"] or call.args[hint_place:][:1]
        hint = show(hints[0], values)[-1] if hints else ""
        for message in show(call.args[place], values):
            if re.search(r"[a-z]{2} |[a-z] [a-z]|unknown", _HOLE.sub("", message)):
                yield Said(file, message, "" if hint == "None" else hint)


def show(node: ast.expr, kept: dict[str, list[ast.expr]]) -> list[str]:
    """A text as it will read, with what is filled in between braces."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.Name) and node.id in kept:
        return [text for value in kept[node.id] for text in show(value, {})]
    if isinstance(node, ast.IfExp):
        return [f"{a} / {b}" for a in show(node.body, kept) for b in show(node.orelse, kept)][:1]
    if isinstance(node, ast.JoinedStr):
        parts = (
            str(part.value) if isinstance(part, ast.Constant) else "{" + name_hole(part) + "}"
            for part in node.values
        )
        return ["".join(parts)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return ["".join(show(side, kept)[0] for side in (node.left, node.right))]
    return ["{" + name_hole(node) + "}"]


def name_hole(node: ast.AST) -> str:
    """What is filled in: the last of its names, as in `card.name` or `format_mm(width)`."""
    names = [
        n.id if isinstance(n, ast.Name) else n.attr
        for n in ast.walk(node)
        if isinstance(n, ast.Name | ast.Attribute)
    ]
    if isinstance(node, ast.FormattedValue):
        return name_hole(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Call) and names:
        return names[0]
    return names[0] if names else "…"


def write_list() -> str:
    lines: list[str] = []
    file = ""
    for said in list_said():
        if said.file != file:
            lines.append(f"{'' if not file else chr(10)}{said.file}\n")
            file = said.file
        lines.append(str(said))
    return "".join(lines)


def test_the_list_is_that_of_the_package(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--renew-golden"):
        LIST.write_text(write_list(), encoding="utf-8")
    assert LIST.read_text(encoding="utf-8") == write_list(), "run: make golden, and read the diff"


def test_the_list_is_long() -> None:
    """So that the search does not come to nothing unseen."""
    assert len(list(list_said())) > 250


# Words of other voices: they blame, beg, or say nothing of what is wrong.
_FOREIGN = re.compile(
    r"\b(please|sorry|simply|just|oops|invalid|illegal|failed|should|color|center)\b",
    re.IGNORECASE,
)
# Names, and sentences that begin with one.
_NAMES = ("Markdown", "PDF", "PNG", "YAML", "PyPI")


def find_faults(text: str) -> list[str]:
    """What in a message or hint is not in our voice."""
    bare = _HOLE.sub("x", text).strip("'\"")
    faults = [found[0] for found in [_FOREIGN.search(bare)] if found]
    if text.endswith((".", "!", " ", ":")):
        faults.append("its end")
    if bare.startswith(" ") or (re.match("[A-Z][a-z]+ ", bare) and not bare.startswith(_NAMES)):
        faults.append("its beginning")
    return faults


def test_the_voice() -> None:
    texts = {text for said in list_said() for text in (said.message, said.hint)}
    assert {text: faults for text in texts if (faults := find_faults(text))} == {}


def test_another_voice_would_be_heard() -> None:
    for text in ("Invalid value", "please write a number", "the deck failed", "no cards."):
        assert find_faults(text)
