"""Lists as people type them for the evening: without capitals, counted on, in lists of lists."""

from __future__ import annotations

from typing import Any

import pytest
from finding_cards import NAMES, PLACES, TEXT, expect, find, list_names, read_cards, tell

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.html import read_html_blocks
from cardgen.importing.reading.text import read_text_blocks

SMALL = ("rusty censer", "wax ear plugs", "salt knife", "the quiet bell")


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{name}, {n} gp: {text}", {"cost": "{n} gp"}),
        ("{name} ({place}): {text}", {"subtitle": "{place}"}),
        ("{n}. {name}\nFound: {place}\n{text}\n", {"found": "{place}"}),
    ],
)
def test_names_need_no_capital_where_all_lines_are_alike(form: str, fields: Any) -> None:
    assert find(form, SMALL) == expect(SMALL, **fields)


@pytest.mark.parametrize("word", ["Parcel {n}:", "Kavel {n} –", "Gift #{n}."])
def test_a_word_that_counts_on_is_no_part_of_names(word: str) -> None:
    found = find(f"{word} {{name}}\nFound: {{place}}\n{{text}}\n")
    assert found == expect(found="{place}")


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{name} -- {text}", {}),
        ("* {name} | bird | length: {n} cm\n{text}", {"subtitle": "bird", "length": "{n} cm"}),
    ],
)
def test_small_names_in_lists_below_chapters(form: str, fields: dict[str, str]) -> None:
    lists = "".join(
        f"# {head}\n"
        + "".join(form.format(name=f"{name} {at}", n=at, text=TEXT) + "\n" for name in SMALL)
        + "\n"
        for at, head in enumerate(("The yard", "The animals", "The work"), 1)
    )
    found = [tell(card) for card in read_cards(f"Unit 5: words\n\n{lists}")]
    assert [card["name"] for card in found] == [
        f"{name} {at}" for at in (1, 2, 3) for name in SMALL
    ]
    assert {card["text"] for card in found} == {TEXT}
    assert {key: found[0].get(key) for key in fields} == {
        key: value.format(n=1) for key, value in fields.items()
    }


def test_names_in_quotes_are_names_and_what_is_said_is_none() -> None:
    cards = "".join(f"« {name} »\n{TEXT}\n" for name in NAMES)
    assert list_names(f"LES VENDANGES\n\nPrintemps\n\n{cards}") == list(NAMES)
    said = "".join(f"{name}\n{TEXT}\n“So be it.”\n\n" for name in NAMES)
    assert list_names(said) == list(NAMES)


def test_a_price_before_a_hyphen_ends_a_name() -> None:
    assert find("{name}, {n} gp - crush it to reroll a die at the {place}.") == expect(
        text="crush it to reroll a die at the {place}.", cost="{n} gp"
    )


def test_an_article_is_no_label() -> None:
    names = ("The Heron Walks", "The Long Rest", "The Grey Latch", "The Squall")
    found = find("{name}\nLesser song\nBreath: {n}\nCarries: {place}\n{text}\n", names)
    assert [card["name"] for card in found] == list(names)


def test_what_counts_chapters_stays_their_title() -> None:
    rounds = "".join(
        f"## Round {n}: {place}\n\n" + "".join(f"### {name} {n}\n\n{TEXT}\n\n" for name in NAMES)
        for n, place in enumerate(PLACES[:3], 1)
    )
    kinds = [card.kind for card in read_cards(rounds, suffix="md")]
    assert kinds == [f"Round {n}: {p}" for n, p in enumerate(PLACES[:3], 1) for _ in NAMES]


def test_a_label_in_brackets_behind_a_text_leaves_the_name_at_its_colon() -> None:
    assert find("* {name}: {text} [Worth: {n} stars]\n")[0]["name"] == NAMES[0]


def test_headings_in_a_list_are_headings() -> None:
    form = "{n}. ### {name} ✕ 4\n\n   Price: {n} pennies\n\n   {text}\n"
    assert find(form, suffix="md") == [{**card, "count": 4} for card in expect(cost="{n} pennies")]


def test_a_coin_alone_is_the_coin_of_the_others() -> None:
    text = "".join(
        f"**3x {name}** · {n} guinea{'s' if n > 1 else ''}\n> {TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    costs = [tell(card)["cost"] for card in read_cards(text)]
    assert costs == ["1 guinea", "2 guineas", "3 guineas", "4 guineas"]


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        # Labels with commas, figures before and behind words, before a text.
        ("{name}. Points, 1{n}. March, {n}.\n{text}\n", {"cost": "1{n}", "march": "{n}"}),
        ("{name} ........ {n} marks\nBulk {m}. {text}\n", {"cost": "{n} marks", "bulk": "{m}"}),
        # And behind one.
        ("{name}. {text} Price, {n}s. 6d.\n", {"cost": "{n}s. 6d"}),
        ("{name}. {text} ......... {n}d. the packet\n", {"cost": "{n}d. the packet"}),
        ("*{name}*: {text} Stake: {n} nuts", {"stake": "{n} nuts"}),
        ("{name}\n{text}\n\nSecret : he fears the {place}.\n", {"secret": "he fears the {place}."}),
        # Who may have it, among other fields.
        ("{name}\nWeight: {n} lb\nhermits only\n{text}\n",
         {"weight": "{n} lb", "who": "Hermits only"}),
        ("{name}\nRequires: {place}\nOnly: Hermits of {place}\n{text}\n",
         {"requires": "{place}", "who": "Hermits of {place}"}),
        ("{name}, cook of the {place} ({n} sp a day).\n{text}\n",
         {"subtitle": "cook of the {place}", "cost": "{n} sp a day"}),
    ],
)  # fmt: skip
def test_labels_stand_before_and_behind_texts_and_without_colons(form: str, fields: Any) -> None:
    upper = tuple(name.upper() for name in NAMES) if form.startswith("{name}. ") else NAMES
    found = find(form, upper)
    told = [{**card, "cost": str(card["cost"])} if "cost" in card else card for card in found]
    assert told == expect(**fields)


def test_figures_count_on_where_they_number_what_they_stand_before() -> None:
    text = "".join(f"Lot {n}. {name}, as found. {TEXT}\n\n" for n, name in enumerate(NAMES, 1))
    assert all("lot" not in dict(card.other) for card in read_cards(text))


def test_quantities_are_no_copies() -> None:
    rows = "".join(
        f"| **{name}** | {n} G | 1 {what} | {TEXT} |\n"
        for n, (name, what) in enumerate(
            zip(NAMES, ("Krug", "Phiole", "Tropfen", "Becher"), strict=True)
        )
    )
    cards = read_cards(
        f"| Ware | Preis | Menge | Wirkung |\n|---|---|---|---|\n{rows}", suffix="md"
    )
    assert [dict(card.other)["menge"] for card in cards] == [
        "1 Krug", "1 Phiole", "1 Tropfen", "1 Becher"
    ]  # fmt: skip


def test_a_card_without_the_usual_labels_begins_as_the_others_do() -> None:
    dishes = "".join(
        f"### {name}\n\n*crunchy*\n\n**Price:** {n} dollars  \n**Serves:** {n}\n\n{TEXT}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    others = "".join(f"### {name} Tide\n\n*all kitchens*\n\n{TEXT}\n\n" for name in PLACES)
    text = f"# Kitchen\n\n## Starters\n\n{dishes}## Disasters\n\nThey come to you.\n\n{others}"
    found = [(card.name, card.kind) for card in read_cards(text, suffix="md")]
    assert found == [*((name, "Starters") for name in NAMES),
                     *((f"{name} Tide", "Disasters") for name in PLACES)]  # fmt: skip


def test_terms_of_lists_are_labels_where_other_lists_have_them_too() -> None:
    page = "".join(
        f'<h3>{name}</h3><dl><dt>Cost</dt><dd>{n}0 points</dd><dt>Move</dt><dd>{n}"</dd>'
        f"<dt>Arms</dt><dd>Spears of the {place}</dd></dl><p>{TEXT}</p>"
        for n, (name, place) in enumerate(zip(NAMES, PLACES, strict=True), 1)
    )
    cards = recognise(read_html_blocks(page, "a.html", 1000)).cards
    assert [(card.cost, dict(card.other)["move"], dict(card.other)["arms"]) for card in cards] == [
        (n * 10, f'{n}"', f"Spears of the {place}") for n, place in enumerate(PLACES, 1)
    ]


def test_values_with_a_sign_below_their_labels_are_no_numbers_of_pages() -> None:
    text = "".join(
        f'{name.upper()}\n{TEXT}\n\nMove\n{n % 3 + 4}"\n\nQuality\n{n % 2 + 3}+\n\n'
        for n, name in enumerate(NAMES)
    )
    left = recognise(read_html_blocks(f"<pre>{text}</pre>", "a.html", 1000)).left_out
    assert not [one for one in left if one.why == "page number"]


def test_small_words_of_one_letter_are_no_torn_capitals() -> None:
    heads = ("POZIONI E SCIROPPI", "CORDE E CHIODI", "ABITI E CAPPELLI", "LIBRI E CARTE")
    text = "".join(
        f"{head}\n\n{name} ..... {n} soldi\n  {TEXT}\n{name} Due ..... 9 soldi\n  {TEXT}\n\n"
        for n, (head, name) in enumerate(zip(heads, NAMES, strict=False), 1)
    )
    assert {card.kind for card in read_cards(text)} == {
        "Pozioni e Sciroppi", "Corde e Chiodi", "Abiti e Cappelli", "Libri e Carte"
    }  # fmt: skip


def test_a_text_that_names_nothing_in_small_letters_has_no_cards() -> None:
    text = (
        "dear all,\n\nwe meet at seven. bring a chair: the hall has none.\n\nsee you there\nmeg\n"
    )
    assert list_names(text) == []


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{name}\n{text}\n", {}),
        ("{name} - {text}\n", {}),
        ("{name}, {n} silver, {text}", {"cost": "{n} silver"}),
        ("{m}x {name} ........ {n} bits\n   {text}", {"cost": "{n} bits"}),
        ("{m}x {name} ........ {n} bits, wizards only\n   {text}", {"who": "Wizards only"}),
    ],
)
def test_small_names_among_the_words_of_a_mail(form: str, fields: dict[str, str]) -> None:
    text = "it works once in a night, and only for the one who asked, or so they say"
    before = (
        "Hi all,\n\nhere is what you found in the chapel, typed up at last and far too late.\n\n"
    )
    found = find(form, SMALL, before=before, text=text)
    assert [(card["name"], card["text"]) for card in found] == [(name, text) for name in SMALL]
    expected = [key for key in fields if found[0].get(key) != fields[key].format(n=2)]
    assert not expected


def test_a_name_with_a_capital_among_small_ones() -> None:
    names = (*SMALL, "Greta's brown bottle", "the abbot's good umbrella")
    lines = "".join(f"{name}, {n} silver, {TEXT.lower()}\n" for n, name in enumerate(names, 2))
    assert list_names(lines) == list(names)


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("{name}: hp {n}, def 1{n}. {text}", TEXT),
        ("{name} - HP {n}, DEF 1{n}; {text}", TEXT),
        ("{name}\nHp {n}, def 1{n}. {text}\n", TEXT),
        ("{name}. {text} [hp {n}, def 1{n}]\n", TEXT),
        ("{name}. {text} Hp {n}, def 1{n}.\n", TEXT),
    ],
)
def test_runs_of_words_with_figures_beside_a_text_are_its_stats(form: str, text: str) -> None:
    found = find(form, text=text)
    stats: dict[str, Any] = {"hp": "{n}", "def": "1{n}"}
    assert found == expect(**stats)


def test_what_a_label_says_is_no_run_of_stats() -> None:
    found = find("{name}\nLosses: Orme {n}, Cantons 1{n}\n{text}\n")
    assert found == expect(losses="Orme {n}, Cantons 1{n}")


@pytest.mark.parametrize(
    "said", ["[21:0{n}] <Kell> ", "12/05/24, 21:0{n} - Kell: ", "[12.05.24, 21:0{n}:11] Kell: "]
)
def test_a_chat_is_read_without_its_stamps(said: str) -> None:
    cards = find(said + "{name}: {text}", SMALL, before="[21:01] <dorrit> who has the list\n")
    assert cards == expect(SMALL)


def test_a_timetable_is_no_chat() -> None:
    lines = "".join(f"18:{n}0 {name}: {TEXT}\n" for n, name in enumerate(NAMES))
    assert not any(card.name == TEXT for card in read_cards(lines))


@pytest.mark.parametrize("sign", [", ", " / "])
def test_what_all_names_have_behind_one_sign_is_their_subtitle(sign: str) -> None:
    found = find(f"{{n}}) {{name}}{sign}{{place}}\nAge: {{n}}\n{{text}}\n")
    assert found == expect(subtitle="{place}", age="{n}")


def test_questions_on_several_lines_are_names() -> None:
    cards = "".join(
        f"{n}.  What does the letter {n} stand for on the back of the\n    old label?\n"
        f"    Answer: It says {name}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    more = cards.replace("old", "new")
    text = f"QUIZ NIGHT\n\nROUND ONE: THINGS\n\n{cards}ROUND TWO: MORE\n\n{more}"
    asked = "What does the letter {} stand for on the back of the {} label?"
    assert list_names(text) == [asked.format(n, w) for w in ("old", "new") for n in (1, 2, 3, 4)]


def test_titles_above_questions_stay_names() -> None:
    cards = "".join(
        f"{n}. {name}\nWhich of these was the first to be seen by the\nmiller?\nAnswer: {n}\n\n"
        for n, name in enumerate(NAMES, 1)
    )
    assert list_names(cards) == list(NAMES)


def test_lists_beside_a_table_of_cards_are_cards() -> None:
    rows = "".join(f"| {name} | {n} | {TEXT} |\n" for n, name in enumerate(NAMES))
    crew = "".join(f"- **Mate {place}** ({n} reeds): {TEXT}\n" for n, place in enumerate(PLACES, 2))
    rules = "".join(f"- **Phase {place}**: {TEXT}\n" for place in PLACES)
    text = (
        f"# Game\n\n## Rules\n\n### Turn\n\n{rules}\n## Cards\n\n### Ships\n\n"
        f"| Name | Hold | Text |\n|---|---|---|\n{rows}\n### Crew\n\nOne of each.\n\n{crew}"
    )
    found = [(card.name, card.kind) for card in read_cards(text, suffix="md")]
    assert found == [
        *((name, "Ships") for name in NAMES),
        *((f"Mate {place}", "Crew") for place in PLACES),
    ]


def test_what_follows_the_last_card_makes_it_no_chapter() -> None:
    cards = "".join(
        f"#0{n}  {name}\n{name.split()[0]}s are kept: {TEXT}\n\n"
        for n, name in enumerate(NAMES, 58)
    )
    more = "Still missing: 061 to 066, where the scan has a ring of coffee over it, and more.\n"
    assert list_names(f"{cards}\n{more}\nedit: fixed\nedit 2: fixed again\n") == list(NAMES)


def test_labels_led_to_their_colons_by_dots() -> None:
    found = find("---\nName.......: {name}\nStamina....: {n}\n{text}\n")
    assert found == expect(stamina="{n}")


def test_names_in_brackets_that_begin_lines() -> None:
    found = find("[{name}] {n} gold, upkeep {m}\natk {n} / def {m}\n{text}\n")
    stats: dict[str, Any] = {"atk": "{n}", "def": "{m}"}
    assert found == expect(cost="{n} gold", upkeep="{m}", **stats)


def test_a_name_that_costs_nothing_among_prices() -> None:
    cards = "".join(f"★ {name} — {n} shillings\n{TEXT}\n\n" for n, name in enumerate(NAMES, 2))
    text = cards.replace("3 shillings", "free")
    assert [card.name for card in read_cards(text)] == list(NAMES)
    assert read_cards(text)[1].cost == 0


@pytest.mark.parametrize("said", ["*zweimal im Stapel*", "*twice in the deck*"])
def test_how_often_a_card_is_in_its_deck(said: str) -> None:
    text = "".join(
        f"### {name}\n\n{said if n else ''}\n\n{TEXT}\n\n" for n, name in enumerate(NAMES)
    )
    assert [card.count for card in read_cards(text, suffix="md")] == [1, 2, 2, 2]


def test_how_often_a_turn_is_no_count() -> None:
    assert "count" not in find("### {name}\n\n*twice per turn*\n\n{text}\n", suffix="md")[0]


def test_a_table_above_tells_more_of_the_cards_below() -> None:
    rows = "".join(f"| {name} | {n} gp | {n} days |\n" for n, name in enumerate(NAMES, 2))
    texts = "".join(f"**{name}.** {TEXT} It smells.\n\n" for name in NAMES)
    text = f"# Brews\n\n| Brew | Cost | Keeps for |\n|---|---|---|\n{rows}\n{texts}"
    found = [tell(card) for card in read_cards(text, suffix="md")]
    told = expect(text=f"{TEXT} It smells.", cost="{n} gp", keeps_for="{n} days")
    assert found == told


def test_a_page_beside_a_name_is_no_field_of_its_card() -> None:
    rows = "".join(f"| {name} | {n} |\n" for n, name in enumerate(NAMES, 2))
    texts = "".join(f"### {name}\n\nCost: {n} gp\n\n{TEXT}\n\n" for n, name in enumerate(NAMES, 2))
    found = [tell(card) for card in read_cards(f"{rows}\n{texts}", suffix="md")]
    assert found == expect(cost="{n} gp")


def test_rows_below_a_header_of_which_some_have_a_text_below() -> None:
    rows = "".join(
        f"{name:22}{n} cr     {n + 3} lb\n" + f"    {TEXT}\n" * (n % 2)
        for n, name in enumerate(NAMES, 2)
    )
    text = f"Article               Cost     Weight\n-----------------------------------\n{rows}"
    found = [tell(card) for card in read_cards(text)]
    assert [(card["cost"], card["weight"], card["text"]) for card in found] == [
        (f"{n} cr", f"{n + 3} lb", TEXT * (n % 2)) for n in range(2, 6)
    ]


def test_a_second_value_beside_a_price_is_kept() -> None:
    cards = "".join(
        f"{name} ........ {n} cr     {n} lb\n    {TEXT}\n" for n, name in enumerate(NAMES)
    )
    assert all(f"{n} lb" in str(tell(card)) for n, card in enumerate(read_cards(cards)))


def test_a_price_list_without_white_space_between_some() -> None:
    first = "".join(f"{name:30}{n}d\n   {TEXT}\n\n" for n, name in enumerate(NAMES, 2))
    more = "".join(f"{place:30}{n}d\n" for n, place in enumerate(PLACES, 2))
    found = list_names(f"From the Pot\n\n{first}\nIn the Mug\n\n{more}")
    assert found == [*NAMES, *PLACES]


def test_rows_that_sum_up_and_headers_printed_again_are_no_cards() -> None:
    rows = [f"| {name} | {n} st | {TEXT} |\n" for n, name in enumerate(NAMES, 2)]
    head = "| Item | Price | Effect |\n"
    lines = (head, "|---|---|---|\n", *rows[:2], head, *rows[2:], "| *Total* | *14 st* | |\n")
    found = recognise(read_text_blocks(f"# Things\n\n{''.join(lines)}", "a.md"))
    assert [card.name for card in found.cards] == list(NAMES)
    assert {"the header again", "the sums of the columns"} <= {
        entry.why for entry in found.left_out
    }


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{n}s {name}. {text}", {"cost": "{n}s"}),
        ("{name}, hp {n}, dmg {m}. {text}", {"hp": "{n}", "dmg": "{m}"}),
        ("-----\n\n{name}. {text}\n{n} points\n", {}),
        ("* «{name}»: {text} ({n} reales)\n", {"cost": "{n} reales"}),
        ("{name}, the cook\n    wants: the {place}\n    {text}\n", {"subtitle": "the cook"}),
    ],
)
def test_forms_of_lists_that_people_type(form: str, fields: dict[str, str]) -> None:
    small = form.startswith("{n}s")
    names = SMALL if small else tuple(n.upper() for n in NAMES) if "---" in form else NAMES
    found = find(form, names, before="Stock of the three keys, corner of Eel Lane\n\n")
    assert [card["name"].casefold() for card in found] == [name.casefold() for name in names]
    assert {card["text"] for card in found} == {TEXT}
    wrong = [key for key in fields if found[0].get(key) != fields[key].format(n=2, m=2)]
    assert not wrong


def test_letters_that_count_on_are_no_part_of_names() -> None:
    cards = "".join(f"{letter}. {name}. {TEXT}\n(hidden: {place})\n\n" for letter, name, place in
                    zip("ABCD", NAMES, PLACES, strict=True))  # fmt: skip
    assert list_names(cards) == list(NAMES)
    initials = "".join(f"{letter}. {name}\n{TEXT}\n\n" for letter, name in
                       zip("JQWB", NAMES, strict=True))  # fmt: skip
    assert list_names(initials) == [f"{a}. {name}" for a, name in zip("JQWB", NAMES, strict=True)]


def test_small_titles_with_a_colon_above_a_list_are_chapters() -> None:
    lines = "".join(
        f"level {level}:\n"
        + "".join(f"{name} {place}: {TEXT} ({level} mana)\n" for place in PLACES)
        + "\n"
        for level, name in enumerate(NAMES[:3], 1)
    )
    found = read_cards(lines)
    assert [card.kind for card in found] == [f"level {n}" for n in (1, 2, 3) for _ in PLACES]
    assert {card.text for card in found} == {TEXT}


def test_what_counts_names_on_above_them_is_no_part_of_them() -> None:
    cards = "".join(
        f"SCENARIO {n}\n{name}\nSetting: the {place}\n"
        f"HR 11{n}   BP 10{n}/60   SpO2 9{n}%\n{TEXT}\n\n"
        for n, (name, place) in enumerate(zip(NAMES, PLACES, strict=True), 1)
    )
    found = [tell(card) for card in read_cards(cards)]
    assert [(card["name"], card["hr"], card["bp"], card["spo2"]) for card in found] == [
        (name, f"11{n}", f"10{n}/60", f"9{n}%") for n, name in enumerate(NAMES, 1)
    ]


def test_lines_that_differ_by_their_figures_are_no_names() -> None:
    found = list_names(
        "".join(f"{name}\nArt. no. 11{n}     Price: {n} marks\n{TEXT}\n\n" for n, name in
                enumerate(NAMES, 2))
    )  # fmt: skip
    assert found == list(NAMES)


def test_brackets_in_a_column_of_their_own_are_no_cells() -> None:
    found = find("{name}  (vg, gf)  x{m}\n  {text}\n  Contains: {place}\n")
    assert [card["contains"] for card in found] == list(PLACES)


def test_code_behind_bold_names_is_what_they_have() -> None:
    found = find("**{name}** `heat {n}`\n{text}\n", suffix="md")
    assert found == expect(heat="{n}")


def test_figures_that_all_names_begin_with_say_how_many_there_are() -> None:
    cards = "".join(f"{n} {name} ........ 1{n} sp\n   {TEXT}\n" for n, name in
                    zip((3, 1, 12, 2), NAMES, strict=True))  # fmt: skip
    assert [(card.name, card.count) for card in read_cards(cards)] == [
        (name, n) for n, name in zip((3, 1, 12, 2), NAMES, strict=True)
    ]


@pytest.mark.parametrize(
    "frame", ["      =|  {place}  |=", "~~ {place} ~~~~~~~~~~~~", ".............. {place}"]
)
def test_chapters_are_framed_by_signs(frame: str) -> None:
    cards = "".join(
        f"{frame.format(place=place)}\n"
        + "".join(f"{name} {n} ........ {n} sp\n   {TEXT}\n" for name in NAMES)
        for n, place in enumerate(PLACES[:3], 2)
    )
    found = read_cards(f"WHAT WE COUNTED\nin the night of frost\n\n{cards}")
    assert [card.kind for card in found] == [place for place in PLACES[:3] for _ in NAMES]


def test_prices_in_known_units_close_before_small_names() -> None:
    found = find("{n}pt  {name}; {text}", SMALL, before="............. body\n\n")
    assert [(card["name"], card["cost"]) for card in found] == [
        (name, n) for n, name in enumerate(SMALL, 2)
    ]


def test_a_line_between_the_bold_name_and_its_price_is_no_part_of_the_name() -> None:
    found = find("**{name}** - Action - ${n}\n{text}\n", suffix="md")
    assert found == expect(cost="${n}", subtitle="Action")


def test_entries_that_number_on_are_no_running_heads() -> None:
    cards = "".join(
        f"{n}  {name}\nTinned copper, about 18{n}0\n{TEXT}\n\n" + ("   " * 20 + "7\n\n") * (n == 2)
        for n, name in enumerate((*NAMES, *PLACES), 1)
    )
    assert list_names(f"TOWN MUSEUM\n\nDear guides, here are the labels.\n\n{cards}") == [
        *NAMES,
        *PLACES,
    ]


def test_questions_in_a_column_are_no_names() -> None:
    rows = "".join(
        f"| {n} | {name} | The far side of the {place} is whole. | Who wanted that {n} times? |\n"
        for n, (name, place) in enumerate(zip(NAMES, PLACES, strict=True), 1)
    )
    head = "| d4 | Obstacle | Meaning | Ask |\n|---|---|---|---|\n"
    assert list_names(f"## What blocks the road?\n\n{head}{rows}", suffix="md") == list(NAMES)


def test_who_may_have_it_is_said_once_and_no_word_is_lost() -> None:
    found = find("{name}\nFor: everybody\nAll barges move on. It floods the {place}.\n")
    assert [card["text"] for card in found] == [
        f"All barges move on. It floods the {place}." for place in PLACES
    ]


@pytest.mark.parametrize(
    ("form", "fields"),
    [
        ("{name}: HP {n}, AC 1{n}, ATK bite {n}d6. {text}", {"atk": "bite {n}d6"}),
        ("a) {name}\n{text}\n(crew {n}, guns 1{n}, hold {n}0)\n", {"crew": "{n}", "hold": "{n}0"}),
        ("{n}) {name} of the inn. {text}", {}),
    ],
)
def test_more_forms_of_lists_that_people_type(form: str, fields: dict[str, str]) -> None:
    found = find(form, SMALL)
    assert [card["name"].split(" of the")[0] for card in found] == list(SMALL)
    assert {card["text"] for card in found} == {TEXT}
    assert not [key for key in fields if found[0].get(key) != fields[key].format(n=2)]


def test_small_names_before_dashes_in_lines_that_a_page_breaks() -> None:
    text = "you relive the last ten minutes of it. nobody else does,\nso nobody believes you."
    lines = "".join(f"{name} - {text}\n" for name in (*SMALL, "old friend"))
    mail = "hi all,\n\nsorry it took me three weeks. here is what you find when\nyou open it.\n\n"
    assert list_names(mail + lines) == [*SMALL, "old friend"]


def test_small_names_above_texts_that_stand_further_in() -> None:
    cards = "".join(f"{name}, the cook\n  {TEXT}\n  wants: the {place}\n" for name, place in
                    zip(SMALL, PLACES, strict=True))  # fmt: skip
    found = [tell(card) for card in read_cards(f"people they can meet\n\n{cards}")]
    assert [(card["name"], card["subtitle"], card["wants"]) for card in found] == [
        (name, "the cook", f"the {place}") for name, place in zip(SMALL, PLACES, strict=True)
    ]


def test_names_in_quotes_that_a_text_follows() -> None:
    found = find("« {name} » ouvre une porte. {text}\n        portée : {n} pas\n    o-o-o")
    assert [card["name"] for card in found] == list(NAMES)
    assert {card["text"] for card in found} == {f"ouvre une porte. {TEXT}"}


def test_names_that_are_shown_are_no_labels() -> None:
    cards = "".join(
        f"{name}\n\nDifficulty: {('hard', 'easy')[n % 2]}\nAmount: {n} kg\n\n{TEXT}\n\n"
        for n, name in enumerate((*NAMES, *PLACES), 1)
    )
    text = f"THE COOK'S BOOK\n\nTake what you like.\n\n{cards}"
    assert list_names(text, NAMES[0], PLACES[0]) == [*NAMES, *PLACES]


def test_prices_between_commas_behind_names_with_capitals() -> None:
    lines = "".join(f"{name}, {n} gold, works in the {place}, not in snow\n" for n, (name, place) in
                    enumerate(zip(("Lamp", "Tinder box", "Cat", "Jar of bees"), PLACES,
                                  strict=True), 2))  # fmt: skip
    assert list_names(f"What she has on the shelves today\n\n{lines}") == [
        "Lamp", "Tinder box", "Cat", "Jar of bees"
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["{name}\nhp {n}, def 1{n}, att +{n}\n{text}\n",
                                  "- {name} (x{n}, {n} coins)\n  {text}"])  # fmt: skip
def test_small_names_above_stats_or_before_brackets(form: str) -> None:
    found = find(form, SMALL, before="monsters for the quarry\n\n")
    assert [card["name"] for card in found] == list(SMALL)
    assert {card["text"] for card in found} == {TEXT}


def test_a_die_heads_a_table_whose_names_are_shown() -> None:
    rows = "".join(f"| {n:02} | The {name} |\n" for n, name in enumerate(NAMES, 1))
    text = f"# Finds\n\nRoll for each.\n\n| d100 | Find |\n|---|---|\n{rows}"
    assert list_names(text, f"The {NAMES[0]}", f"The {NAMES[2]}") == [f"The {n}" for n in NAMES]
