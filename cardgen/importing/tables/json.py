"""Reads the cards in JSON, or data like it, as records; nested fields are named by their path.

Lists of lists, mappings by name, columns, lines of JSON and comments are taken too. Knows nothing
of what the keys mean but their names.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from cardgen.core.errors import CardgenError, Refusal, Where, count, list_some, shorten
from cardgen.core.names import describe_unknown
from cardgen.deck.model import Value
from cardgen.importing.column_names import find_field
from cardgen.importing.finding.names import fold
from cardgen.importing.model import UNSEEN, Doubt, LeftOut, Place
from cardgen.importing.tables.entries import (
    DEEPEST,
    find_short,
    is_nested,
    is_running,
    is_text,
    list_paragraphs,
    tell,
)
from cardgen.importing.tables.fields import IDS
from cardgen.importing.tables.languages import find_language
from cardgen.importing.tables.records import Record, Records, check_number
from cardgen.importing.tables.rows import Row, name_rows
from cardgen.importing.tables.rpg_cards import is_rpg_card, read_rpg_card

_DEEPEST = 6
_MOST_TOLD = 5
_MOST_SHOWN = 200
_MUCH_MORE = 5  # times as many records
_FEW_OF_A_GROUP = 4  # keys besides the one that holds its cards
_ALIKE = 0.5
_LITTLE = 0.3
_LONGEST_TITLE = 6  # words
_LONGEST_RANK = 2  # signs: 10, J
_SENTENCE = 3  # words
_TITLES = ("label", "title", "titel")
_INNER = ("cards", "items", "entries", "decks", "sets")
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(r'("(?:\\.|[^"\\\n])*")|,(?=\s*[\]}])')
_SCRIPT = re.compile(r"\s*(?:(?:var|let|const|export default)\s*[\w$]*\s*=?\s*)(?=[\[{])|;\s*\Z")
_MEND = "mend it, or have the program that made it write it again"
_WHERE = "say where they lie: --cards-at data.cards"


class _Found(NamedTuple):
    """A list that may be that of the cards, and where it lies, as --cards-at takes it."""

    path: str
    cards: list[dict[str, Any]]
    named: int  # how many have a name, as far as it is told by the key
    tree: Any = None


def read_tree_records(
    tree: Any,
    file: str,
    cards_at: str | None,
    wanted: Collection[str],
    names: Collection[str] = (),
) -> Records:
    """Return the cards of the list that is asked for, or holds names that somebody sees; else of
    the one with most that have a name.

    The others are doubts.
    """
    try:
        return _read_records(tree, file, cards_at, wanted, names)
    except (Refusal, RecursionError):
        raise _refuse_depth(file) from None


def _read_records(
    tree: Any, file: str, cards_at: str | None, wanted: Collection[str], names: Collection[str]
) -> Records:
    doubts: tuple[Doubt, ...] = ()
    if cards_at is not None:
        trees = _follow(tree, cards_at, file)
        inner = trees[0] if len(trees) == 1 else trees
        found = _as_cards(inner) or _as_cards(trees)
        rows = inner if _is_rows(inner) else None
    else:
        lists = list(_list_lists(tree, "", 0))
        seen = {one.path: _count_seen(one.cards, names) for one in lists}
        best = max(
            lists,
            key=lambda one: (seen[one.path], one.named, len(one.cards)),
            default=_Found("", [], 0),
        )
        found, inner = best.cards, best.tree
        doubts = tuple(_doubt_others(best, lists, file))
        rows = (
            next(_list_rows(tree, 0), None) if not best.named and not any(seen.values()) else None
        )
    if rows is not None:
        lines = (Row(number, _flatten_row(row)) for number, row in enumerate(rows, 1))
        return name_rows(lines, file, wanted)
    if not found and isinstance(tree, dict) and any(find_field(key) == "name" for key in tree):
        found = [tree]  # a card alone
    check_number(len(found), file)
    if not found:
        raise CardgenError(
            "import/no-cards", "there is no list of cards in these data", Where(file), _WHERE
        )
    records = (
        Record(read_rpg_card(entry) if is_rpg_card(entry) else flatten(entry), Place(file, number))
        for number, entry in enumerate(found, 1)
    )
    return Records(tuple(records), tuple(_leave_parts(inner, file)), doubts)


def _leave_parts(tree: Any, file: str) -> Iterator[LeftOut]:
    """Yield what stands among the cards of a list and is no object."""
    if (
        isinstance(tree, dict)
        and _as_cards(tree)
        and all(isinstance(v, dict) for v in tree.values())
    ):
        for key in _find_alone(tree):
            yield LeftOut(f"{key}: {tell(tree[key])}", Place(file, 1), "nothing that others have")
    for number, part in enumerate(tree if isinstance(tree, list) else (), 1):
        told = "" if isinstance(part, dict) else tell(part)
        if told:
            yield LeftOut(shorten(told, _MOST_SHOWN), Place(file, number), "no object with keys")


def _doubt_others(best: _Found, lists: Sequence[_Found], file: str) -> Iterator[Doubt]:
    """Doubt that the best list is the one that is meant, where others lie beside it."""
    taken = {_find_name(card) for card in best.cards}
    whole = not best.path.endswith("*")  # else it is of those lists side by side that are alike
    others = [
        one
        for one in lists
        if one.named
        and one is not best
        and not _is_within(best, one)
        and not (_is_within(one, best) and (whole or taken.issuperset(map(_find_name, one.cards))))
    ]
    if not others:
        return
    others.sort(key=lambda one: -len(one.cards))
    told = list_some(
        [f"{len(one.cards):,} with --cards-at {one.path}" for one in others], _MOST_TOLD
    )
    what = f"{file} holds several lists: taken is {best.path or 'the outermost'}, with"
    what += f" {count(len(best.cards), 'record')}; there are also {told}"
    sure = 0.6 if len(others[0].cards) * _MUCH_MORE > len(best.cards) else 0.85
    yield Doubt("several-lists", what, sure, f"{file} {best.path}")


def _is_within(inner: _Found, outer: _Found) -> bool:
    if outer.path == "":
        return True
    steps = outer.path.split("."), inner.path.split(".")
    pairs = zip(*steps, strict=False)
    return len(steps[0]) <= len(steps[1]) and all(one in ("*", other) for one, other in pairs)


def parse_json(text: str, file: str) -> Any:
    """Return the tree of a text in JSON, which may have comments, or an object on each line."""
    try:
        return _load(text)
    except RecursionError:
        raise _refuse_depth(file) from None
    except ValueError as error:
        first = error
    lines = [line for line in text.splitlines() if line.strip()]
    for attempt in (
        lambda: [_load(line) for line in lines] if len(lines) > 1 else None,
        lambda: _load(_strip(text)),
    ):
        try:
            tree = attempt()
        except (ValueError, RecursionError):
            continue
        if tree is not None:
            return tree
    if not isinstance(first, json.JSONDecodeError):
        raise CardgenError(
            "import/broken-json", "a number in this JSON is too long", Where(file), _MEND
        ) from first
    raise CardgenError(
        "import/broken-json",
        f"this is no JSON: {first.msg[:1].lower()}{first.msg[1:]}",
        Where(file, first.lineno, first.colno),
        _MEND,
    ) from first


def _refuse_depth(file: str) -> CardgenError:
    return CardgenError("import/broken-json", "this JSON is nested too deeply", Where(file), _MEND)


def _load(text: str) -> Any:
    """Return data, without signs in its keys that nobody sees."""
    return json.loads(text, object_pairs_hook=_clean_keys)


def _clean_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    return {key if key.isascii() else key.translate(UNSEEN): value for key, value in pairs}


def _strip(text: str) -> str:
    bare = _COMMENT.sub(lambda match: match[1] or " ", text)
    return _COMMA.sub(lambda match: match[1] or "", _SCRIPT.sub("", bare))


def _follow(tree: Any, path: str, file: str) -> list[Any]:
    """Return the value at a path such as `data.decks.0.cards` or `decks.*.cards`."""
    found = [tree]
    for step in filter(None, re.sub(r"\[(\d+|\*)\]", r".\1", path).removeprefix("$").split(".")):
        if step == "*":
            found = [
                part
                for one in found
                if isinstance(one, list | dict)
                for part in (one if isinstance(one, list) else one.values())
            ]
            continue
        known = [key for one in found if isinstance(one, dict) for key in one]
        found = [part for one in found for part in _take(one, step)]
        if not found:
            unknown = describe_unknown(step, known, "key")
            raise CardgenError(
                "import/no-such-key",
                f'--cards-at {path}: there is no "{step}"',
                Where(file),
                unknown.hint if known else "name a key, a number or *",
                details=unknown.details,
            )
    return [part for one in found for part in one] if _are_lists(found, path) else found


def _are_lists(found: list[Any], path: str) -> bool:
    return "*" in path and all(isinstance(one, list) for one in found)


def _take(tree: Any, step: str) -> list[Any]:
    if isinstance(tree, dict):
        return [tree[step]] if step in tree else []
    if isinstance(tree, list) and step.lstrip("-").isdecimal() and len(step) < 10:
        return tree[int(step) :][:1] if not step.startswith("-") else tree[int(step) :][-1:]
    return []


def _as_cards(tree: Any) -> list[dict[str, Any]]:
    """Return the objects of a list, of a mapping by name, or of columns; else an empty list."""
    if isinstance(tree, list):
        return [entry for entry in tree if isinstance(entry, dict)]
    if isinstance(tree, dict) and tree and all(isinstance(v, dict) for v in tree.values()):
        tree = _unwrap(tree)
        if grouped := _part_groups(tree):
            return grouped
        alone = _find_alone(tree)
        return [_name_entry(key, value) for key, value in tree.items() if key not in alone]
    return _join_columns(tree) if isinstance(tree, dict) else []


def _unwrap(tree: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return a mapping of objects without the one key, if all hold one alone, and the same."""
    keys = {key for entry in tree.values() for key in entry}
    inner = [part for entry in tree.values() for part in entry.values() if isinstance(part, dict)]
    wrapped = len(keys) == 1 and len(inner) == len(tree) > 1
    return dict(zip(tree, inner, strict=True)) if wrapped else tree


def _find_alone(tree: Mapping[str, Mapping[str, Any]]) -> set[str]:
    """Return what says nothing that any other says, where all others share what they say."""
    held = Counter(key for entry in tree.values() for key in entry)
    alone = {name for name, entry in tree.items() if entry and all(held[key] == 1 for key in entry)}
    most = max(held.values(), default=0)
    return alone if most == len(tree) - len(alone) > 1 else set()


def _part_groups(tree: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a card for each text of groups that hold nothing but texts by their names or ranks.

    Keys that several groups have are fields of these, unless they are ranks: figures or letters.
    """
    keys = Counter(key for group in tree.values() for key in group)
    ranks = all(len(key) <= _LONGEST_RANK for key in keys)
    texts = [value for group in tree.values() for value in group.values()]
    if len(tree) < 2 or len(texts) < 2 * len(tree) or any(map(find_field, keys)):
        return []
    if not all(map(_is_sentence, texts)) or not (ranks or max(keys.values()) == 1):
        return []
    return [
        {"name": f"{name} {key}" if ranks else key, "kind": name, "text": value}
        for name, group in tree.items()
        for key, value in group.items()
    ]


def _is_sentence(value: Any) -> bool:
    return isinstance(value, str) and (
        len(value.split()) >= _SENTENCE or value.rstrip().endswith((".", "!", "?"))
    )


def _name_entry(key: str, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an object with the key that it lies under as its name, if that is no number, nor
    written for programs where the object says what it is called.
    """
    coded = key.isdecimal() and len(entry) > 1
    coded |= " " not in key and (key.islower() or "_" in key) and bool(_find_name(entry))
    return entry if coded else {"name": key, **entry}


def _join_columns(tree: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of an object that holds a list for each column, all of one length."""
    columns = [value for value in tree.values() if isinstance(value, list)]
    lengths = {len(column) for column in columns}
    if len(columns) < 2 or len(columns) < len(tree) or len(lengths) > 1 or lengths <= {0, 1}:
        return []
    if any(isinstance(cell, dict) for column in columns for cell in column):
        return []
    if not any(find_field(key) == "name" for key in tree):
        return []
    return [dict(zip(tree, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _is_rows(tree: Any) -> bool:
    return isinstance(tree, list) and len(tree) > 1 and all(isinstance(row, list) for row in tree)


def _list_lists(tree: Any, path: str, depth: int) -> Iterator[_Found]:
    cards = _as_cards(tree)
    if cards:
        yield _Found(path, cards, _count_named(cards, tree), tree)
    if depth >= _DEEPEST:
        return
    above = f"{path}." if path else ""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _list_lists(value, f"{above}{key}", depth + 1)
        if alike := _join_alike(tree):
            yield from _list_lists(alike, f"{above}*", depth + 1)
    for key in _list_inner(cards):
        title = _find_title(cards)
        inner = [
            _give_kind(card, group, title)
            for group in cards
            for card in _as_cards(group.get(key)) or _join_alike(group.get(key), 1)
        ]
        if inner:
            yield from _list_lists(inner, f"{above}*.{key}", depth + 1)


def _list_inner(groups: Sequence[dict[str, Any]]) -> list[str]:
    """Return the keys below which groups hold their cards: those of such a name, or the only one
    that holds any, where little else is said of the groups.
    """
    held = Counter(
        key
        for group in groups
        for key, value in group.items()
        if _is_list_of_cards(value) or _join_alike(value, 1)
    )
    if (named := [key for key in _INNER if key in held]) or len(held) != 1:
        return named
    ((key, times),) = held.items()
    little = all(len(group) - (key in group) <= _FEW_OF_A_GROUP for group in groups)
    return [key] if little and times == len(groups) > 1 else []


def _join_alike(tree: Any, fewest: int = 2) -> list[dict[str, Any]]:
    """Return the cards of all lists that lie side by side, each with the key of its list as its
    kind, where they have the same keys; else none.
    """
    if not isinstance(tree, dict):
        return []
    lists = {key: value for key, value in tree.items() if _is_list_of_cards(value) and value}
    found = {key: _as_cards(value) for key, value in lists.items()}
    named = all(_find_name(card) for cards in found.values() for card in cards)
    if len(found) < fewest or not named:
        return []
    said = {key: frozenset(k for card in cards for k in card) for key, cards in found.items()}
    if not _are_alike([*said.values()]):
        longest = max(found, key=lambda key: len(found[key]))
        found = {k: cards for k, cards in found.items() if _are_alike([said[longest], said[k]])}
        if len(found) < max(fewest, 2):
            return []
    return [
        _give_kind(card, {"name": key}, "name") for key, cards in found.items() for card in cards
    ]


def _are_alike(keys: Sequence[frozenset[str]]) -> bool:
    """Whether the cards of several lists have the same keys: half of them, or a third of those
    that the least of them say besides how they are called.
    """
    shared, every = frozenset.intersection(*keys), frozenset.union(*keys)
    if len(shared) >= _ALIKE * len(every):
        return True
    said = {key for key in shared if find_field(key) != "name" and key not in IDS}
    return bool(said) and len(said) >= _LITTLE * (min(map(len, keys)) - len(shared) + len(said))


def _find_title(groups: Sequence[dict[str, Any]]) -> str | None:
    """Return the key of what groups are called: by its name, else by its words, which differ."""
    known = [key for key in groups[0] if find_field(key) == "name" or key in _TITLES]
    if titles := [
        key for key in known if isinstance(groups[0][key], str)
    ]:  # what is called so by the key that it lies under may say how it is written
        return max(titles, key=lambda key: key != "name")
    for key in groups[0]:
        said = [group.get(key) for group in groups]
        words = [one for one in said if isinstance(one, str) and one[:1].isupper()]
        short = all(len(one.split()) <= _LONGEST_TITLE for one in words)
        if len({*words}) == len(groups) > 1 and short:
            return key
    return None


def _give_kind(card: dict[str, Any], group: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    """Return a card with the name of the group that it lies in, if it says no kind itself."""
    title = group.get(key) if key else None
    if isinstance(title, str) and title.islower():
        title = title.replace("_", " ").capitalize()
    known = any(find_field(key) == "kind" for key in card)
    return card if known or not isinstance(title, str) else {**card, "kind": title}


def _is_list_of_cards(value: Any) -> bool:
    """Tell whether a list or a mapping within a record may hold cards, and is no text that is
    built of parts.
    """
    parts = [*value.values()] if isinstance(value, dict) else value
    return (
        isinstance(parts, list)
        and bool(parts)
        and all(isinstance(part, dict) and not is_text(part) for part in parts)
    )


def _count_named(cards: list[dict[str, Any]], tree: Any) -> int:
    """Count the names of the cards; those of a mapping by name need a name of their own, or
    another known key.
    """
    parts = tree if isinstance(tree, list) else [*tree.values()]
    own = isinstance(tree, list) or all(
        isinstance(part, dict) and _find_name(part) for part in parts
    )
    if own:
        return len({name for card in cards if (name := _find_name(card))})
    known = [any(find_field(key) not in (None, "name") for key in card if key != "name")
             for card in cards]  # fmt: skip
    return sum(known)


def _count_seen(cards: Sequence[dict[str, Any]], names: Collection[str]) -> int:
    """Count the names that somebody sees among the values of cards."""
    if not names:
        return 0
    said = {fold(value) for card in cards for value in card.values() if isinstance(value, str)}
    return len(said & {fold(name) for name in names})


def _find_name(card: dict[str, Any]) -> str:
    """Return the name of a card, its own or that of an object that it holds, as "fields"."""
    parts = [card, *(part for part in card.values() if isinstance(part, dict))]
    named = (tell(part[key]).strip() for part in parts for key in part if find_field(key) == "name")
    return next(filter(None, named), "")


def _list_rows(tree: Any, depth: int) -> Iterator[list[list[Any]]]:
    """Yield lists of rows, as spreadsheets give them, below the names that stand beside them."""
    if _is_rows(tree):
        yield tree
    elif isinstance(tree, dict) and depth < _DEEPEST:
        for rows in (found for value in tree.values() for found in _list_rows(value, depth + 1)):
            header = (value for value in tree.values() if _is_header(value, rows[0]))
            yield [*islice(header, 1), *rows]


def _is_header(value: Any, row: Sequence[Any]) -> bool:
    return (
        isinstance(value, list)
        and len(value) == len(row)
        and all(isinstance(name, str) for name in value)
    )


def _flatten_row(row: list[Any]) -> list[Value]:
    return [tell(cell) if isinstance(cell, dict) else cell for cell in row]


def flatten(entry: dict[str, Any], above: str = "", depth: int = 0) -> dict[str, Value]:
    """Return nested objects by path, as `stats.cost`; lists of texts stay lists.

    What is built as a text is a list of paragraphs; what says one thing is that.
    """
    if depth > DEEPEST:
        raise Refusal("import/broken-json", "this JSON is nested too deeply")
    values: dict[str, Value] = {}
    for key, value in entry.items():
        path = f"{above}{key}"
        if isinstance(value, dict):
            values |= _flatten_object(value, path, depth)
        elif (texts := _list_texts(value)) is not None:
            values[path] = texts
        elif is_nested(value):
            running = is_running(value)
            values[path] = [*list_paragraphs(value)] if running else tell(value)
        else:
            values[path] = value
    return values


def _list_texts(value: Any) -> list[Value] | None:
    """Return the texts of a list of objects that hold one each, all under one key."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        return None
    if len({key for part in value for key in part}) != 1:
        return None
    texts = [text for part in value for text in part.values()]
    return texts if all(map(_is_sentence, texts)) else None


def _flatten_object(value: dict[str, Any], path: str, depth: int) -> dict[str, Value]:
    if (spoken := find_language(value)) is not None:
        return {path: value[spoken], **{f"{path}.{key}": text for key, text in value.items()}}
    short = find_short(value)
    if short is not None:
        return {path: short}
    if value and all(key.isdecimal() for key in value):
        return {path: ", ".join(f"{key}: {tell(part)}" for key, part in value.items())}
    if is_text(value):
        return {path: [*list_paragraphs(value)]}
    return flatten(value, f"{path}.", depth + 1)
