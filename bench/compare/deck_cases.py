"""The cases of the decks that come with cardgen, and of some small ones: for each target, with each
option, by each command.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from bench.compare.cases import Case, Change, Known, Run, Step, Write, make_case, run


def list_deck_cases(known: Known) -> Iterator[Case]:
    """All of them, those that take longest first."""
    for maker in (
        _build_targets,
        _build_with_options,
        _build_many,
        _list_all,
        _check_all,
        _compare_decks,
        _calibrate,
        _translate,
        _build_since,
        _read_settings,
        _fail,
    ):
        yield from maker(known)


# Shipped decks


def _build_targets(known: Known) -> Iterator[Case]:
    """Every deck for every target; in the other look a few cards, and where pictures take long."""
    for target in known.targets:
        options = "--dpi 80" if target in _SLOW else ""
        few = "" if target in _PAPERS else f"--to 6 {'--dpi 80' if target in _PICTURES else ''}"
        for look, rest in (("own", options), ("plain", f"--look plain {few}")):
            line = f"build --target {target} {rest} --out out"
            yield make_case(f"target-{target}-{look}", run(line, *known.decks))


_PAPERS = ("a4", "letter")
_PICTURES = ("png", "tts", "gamecrafter", "makeplayingcards")
_SLOW = ("gamecrafter", "makeplayingcards")
_OPTIONS = {
    "fronts": "--fronts",
    "backs": "--backs",
    "odd": "--sides odd",
    "even": "--sides even",
    "even-reverse": "--sides even --reverse",
    "reverse": "--reverse",
    "skip": "--skip 3",
    "only": '--only "*of*"',
    "from-to": "--from 2 --to 4",
    "one-of-each": "--one-of-each",
    "dpi": "--dpi 60",
    "clash": "--sides odd --fronts",
}


def _build_with_options(known: Known) -> Iterator[Case]:
    for name, options in _OPTIONS.items():
        for look, decks in (("", known.decks), ("plain", ("magic", "artillery", "playsheet-full"))):
            option = f"{'--look plain' if look else ''} {options}"
            steps = [run(f"build --target {t} {option} --out {t}", *decks) for t in _PAPERS]
            yield make_case(f"option-{name}-{look or 'own'}", *steps)
    for name in ("fronts", "only", "from-to", "dpi", "reverse"):
        targets = [t for t in ("press", "tts", "contact", "gutterfold-a4") if t in known.targets]
        lines = [f"build tactics --target {t} {_OPTIONS[name]} --out out" for t in targets]
        yield make_case(f"option-{name}-elsewhere", *map(run, lines))


_LISTED = ("letter", "a5", "press", "silhouette-a4")
_WORKS_ALONE = ("build", "calibrate", "fonts", "icons", "list", "targets", "templates")


def _list_all(known: Known) -> Iterator[Case]:
    helps = [run(f"{command} --help") for command in known.commands]
    yield make_case("help", run(""), run("--help"), run("--version"), run("-h"), *helps)
    lines = ("list", "targets", "icons --list", "fonts --list", "schema deck", "schema target")
    yield make_case("lists", *map(run, lines), *(run(f"list --target {t}") for t in _LISTED))
    for command in ("templates", "icons", "fonts"):
        options = ("", "--target letter --out letter", "--target press --out press", "--out .")
        yield make_case(command, *(run(f"{command} {option}") for option in options))
    shows = [run(f"show {deck} {form}") for deck in known.decks for form in ("", "--json")]
    yield make_case("show", *shows)
    bare = [command for command in known.commands if command not in _WORKS_ALONE]
    slips = [run(f"{command} --no-such-option") for command in known.commands]
    yield make_case("slips", run("bulid"), *slips, *map(run, bare))


def _check_all(known: Known) -> Iterator[Case]:
    for json in ("", "--json"):
        steps = [run(f"check {json}", deck) for deck in known.decks]
        steps += [run(f"check {json} --look plain", *known.decks)]
        steps += [run(f"check {json} --target {t}", *known.decks) for t in _LISTED]
        yield make_case(f"check{json}", *steps)


def _compare_decks(known: Known) -> Iterator[Case]:
    options = ("", "--json", "--pdf", "--pdf --look plain --target letter --out plain")
    pairs = [("magic", "tactics"), ("magic", "magic-rulebook"), ("tactics", "tactics")]
    pairs += [("playsheet", "playsheet-full")]
    assert {name for pair in pairs for name in pair} <= set(known.decks)
    for before, after in pairs:
        steps = [run(f"diff {before} {after} {option}") for option in options]
        yield make_case(f"diff-{before}-{after}", *steps)


def _build_many(known: Known) -> Iterator[Case]:
    """So many cards that several processes draw them."""
    words = re.findall(r"[a-z]{3,}", known.read("docs/printing.md").decode())
    rows = ["name,count,cost,text"]
    rows += [f"Item {n},{1 + n % 3},{n},{' '.join(words[n : n + 9 + n % 40])}" for n in range(400)]
    table = Write("decks/many.csv", "\n".join(rows).encode())
    for target, options in (("a4", ""), ("press", ""), ("tts", "--dpi 40"), ("contact", "")):
        line = f"build many --target {target} {options}"
        yield make_case(f"many-{target}", table, run(line), run(f"{line} --one-of-each --out few"))


# Printers, languages, changes


def _calibrate(known: Known) -> Iterator[Case]:
    lines = (
        "calibrate",
        "calibrate --list",
        *(f"calibrate --target {target} --out {target}" for target in known.targets),
        "calibrate --set x=+1.5mm,y=-0.5mm,rotation=0.2deg,scale_x=99.5%,scale_y=100.3%",
        "calibrate --printer office --set flip=short-edge,left=6mm,top=6mm",
        "calibrate --list",
        "calibrate --printer office",
        "build magic tactics playsheet",
        "build magic tactics playsheet --sides even --target letter",
        "build magic --printer none --out none",
        "build magic tactics --printer office --out office",
        "build magic --target gutterfold-a4",
        "build magic --target a3",
        "build magic --target press",
        "build magic --printer nobody",
        "calibrate --set x=900mm",
        "calibrate --set speed=1",
        "calibrate --printer office --set left=49mm,right=49mm",
        "build magic --printer office",
        "calibrate --printer office --forget",
        "calibrate --printer nobody --forget",
        "calibrate --list",
    )
    yield make_case("calibrate", *map(run, lines))


_SWORDS = b"""title: Swords
template: poker-basic
cards:
- {name: Sword of Dawn, text: Once per game., cost: 5, count: 2}
- {name: Sword of Dusk, text: The bearer never flees.}
- {name: Spoon, text: null}
"""
_GERMAN = """title: Schwerter
cards:
  sword-of-dawn: {name: Morgenschwert, text: Einmal pro Spiel.}
  sword-of-dusk:
    name: Abendschwert
    text:
  spoon: {name: Löffel}
""".encode()


def _translate(known: Known) -> Iterator[Case]:
    lines = ("build", "check --json", "show", "show --json", "list", "build --target letter")
    asked = [f"{line}{'' if line == 'list' else ' swords'} --lang de" for line in lines]
    yield make_case(
        "lang",
        Write("decks/swords.yaml", _SWORDS),
        run("build swords --lang de"),
        run("translate swords --lang fr"),
        run("build swords --lang fr"),
        Write("decks/swords.de.yaml", _GERMAN),
        *map(run, asked),
        run("diff swords swords --lang de --pdf"),
        Change("decks/swords.de.yaml", "spoon:", "fork:"),
        run("build swords --lang de"),
        run("translate swords --lang de"),
        run("translate swords --lang nonsense!"),
    )
    each = ("translate {} --lang de", "build {} --lang de", "check {} --lang de")
    yield make_case("lang-shipped", *(run(s.format(deck)) for deck in known.decks for s in each))


def _build_since(_known: Known) -> Iterator[Case]:
    def git(line: str) -> Run:
        return Run(tuple(shlex.split(line)), program="git")

    deck = Write("decks/swords.yaml", _SWORDS)
    change = Change("decks/swords.yaml", "Once", "Twice")
    outputs = {
        "a4": "swords.pdf",
        "png": "swords-png",
        "tts": "swords-tts",
        "press": "swords-press.pdf",
        "gamecrafter": "swords-gamecrafter.zip",
    }
    first = [f"build swords --target {target} --out {target}" for target in outputs]
    since = [
        f"{line} --since {target}/{file}"
        for line, (target, file) in zip(first, outputs.items(), strict=True)
    ]
    since += ["build swords --since a4 --out again", "build swords --since tts --out again"]
    yield make_case("since-output", deck, *map(run, first), *map(run, since), change,
                *map(run, since), *map(run, since))  # fmt: skip
    yield make_case(
        "since-git",
        deck,
        git("init --quiet"),
        git("add --all"),
        git("commit --quiet --message First"),
        run("build swords --since HEAD"),
        change,
        run("build swords --since HEAD"),
        run("build swords --since HEAD~7"),
        run("build swords --since no-such-file"),
    )


def _read_settings(_known: Known) -> Iterator[Case]:
    settings = b'target = "letter"\nlook = "plain"\nlanguage = "en-GB"\nauthor = "A. Smith"\n'
    yield make_case(
        "settings",
        Write("cardgen.toml", settings),
        Write("decks/swords.yaml", _SWORDS),
        *map(run, ("build", "list", "calibrate", "build --look own --target a4")),
        Change("cardgen.toml", "author", "auhtor"),
        run("build"),
    )


def _fail(_known: Known) -> Iterator[Case]:
    """What is not there, and what is not as it should be."""
    decks = (
        "cards: 5",
        "cards: [{name: A, cuont: 2}, {nmae: B}]",
        "template: nothing\ncards: [{name: A}]",
        "cards: [{name: A, picture: nothing.png}]",
        "title: [\n",
        "cards:\n- {name: A}\n- {name: A}\n- {name: A, text: 'no :such: icon'}",
        "",
    )
    steps: list[Step] = []
    for number, deck in enumerate(decks):
        steps.append(Write(f"decks/d{number}.yaml", deck.encode()))
        for command in ("build", "check", "check --json", "show", "diff magic"):
            steps.append(run(f"{command} d{number}"))
    lines = (
        "build magik",
        "build magic --target leter",
        "build magic --look none",
        "build magic --only nothing",
        "build magic --from 900",
        "build magic --from 9 --to 3",
        "build magic --skip 900",
        "build magic --lang xx",
        "build magic --out decks/d0.yaml",
        "build magic tactics magik",
        "show magik --json",
        "diff magic magik",
        "new 'no name'",
    )
    yield make_case("fail", *steps, *map(run, lines), run("build"), run("list"))
