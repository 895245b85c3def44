"""Documents printed to one rule throughout, in which something else looks like a name."""

from __future__ import annotations

import pytest
from finding_cards import list_names, read_cards

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.reading.html import read_html_blocks


def test_a_line_within_a_sentence_is_no_name_with_its_cost() -> None:
    text = "".join(
        f"{name} ({n}5 Pkt.): Bei einem Wurf von {n} oder mehr verliert ein\n"
        f"    Gegner {n} Münzen. Der Mond ist voll, und nichts geschieht mehr.\n\n"
        for n, name in enumerate(("Nachtspiegel", "Gundas Axt", "Rauch-Fackel", "Banner"), 2)
    )
    assert list_names(text) == ["Nachtspiegel", "Gundas Axt", "Rauch-Fackel", "Banner"]
    headed = "".join(
        f"### {name} ({n}5 Taler)\n\n*Größe:* {n}\n\n"
        "Jeder Feind, der in der Nähe steht, verliert in\n"
        f"Sichtweite {n} Münzen. Danach ist er wieder frei.\n\n"
        for n, name in enumerate(("Nachtspiegel", "Gundas Axt", "Rauch-Fackel", "Banner"), 2)
    )
    found = list_names(headed, "Nachtspiegel", "Banner", suffix="md")
    assert found == ["Nachtspiegel", "Gundas Axt", "Rauch-Fackel", "Banner"]


def test_what_an_order_says_of_all_damage_is_no_bearer() -> None:
    names = ("Swift Mutiny", "Plague", "Deep Treaty", "Bright Raid")
    text = "".join(
        f"{n}. **{name}** – {'Reduce all damage from fire by 3.' if n == 3 else 'Draw a card.'}\n"
        for n, name in enumerate(names, 1)
    )
    assert list_names(text, suffix="md") == list(names)


def test_a_word_for_free_behind_a_cost_is_the_text() -> None:
    text = "".join(
        f"* {name} (+{n}5 points): {'Nothing' if n == 2 else 'Much'}\n"
        "  happens if nobody is watching. It crumbles to dust.\n"
        for n, name in enumerate(("Young Needle", "Gauntlet", "Muddy Hammer"), 1)
    )
    cards = read_cards(text)
    assert [(card.name, card.cost, card.rank) for card in cards] == [
        ("Young Needle", 15, None),
        ("Gauntlet", 25, None),
        ("Muddy Hammer", 35, None),
    ]
    assert [card.text.split()[0] for card in cards] == ["Much", "Nothing", "Much"]


def test_capitals_go_on_behind_a_word_cut_short_and_a_bracket_of_the_name() -> None:
    names = ("BISTORT OF TIDES", "SAGE NO. 5", "MOSS (WANDERING)", "DARK PRIMROSE")
    text = "".join(
        f"{name} – {n}00 gp\n  Spread: {n} feet\n  Soil: dry\n  Eat it before it rains.\n\n"
        for n, name in enumerate(names, 3)
    )
    wanted = ["Bistort of Tides", "Sage No. 5", "Moss (Wandering)", "Dark Primrose"]
    assert list_names(text, "Bistort of Tides", "Dark Primrose") == wanted


def test_a_short_name_in_capitals_ends_at_its_stop() -> None:
    text = "".join(
        f"{name}. Place {n} markers beside the board, and draw a card.\n\n"
        for n, name in enumerate(("COIN", "AXE +4", "GREY DAGGER", "HAMMER"), 2)
    )
    assert list_names(text) == ["Coin", "Axe +4", "Grey Dagger", "Hammer"]


def test_a_price_in_the_first_row_is_no_header() -> None:
    rows = ("Banner", "Speer", "Krone", "Waldaxt")
    text = "".join(f"{name:30}{n}5 Punkte\n" for n, name in enumerate(rows, 1))
    cards = read_cards(f"ALLE EINTRÄGE\n=============\n\n{text}")
    assert [(card.name, card.cost) for card in cards] == [*zip(rows, (15, 25, 35, 45), strict=True)]


def test_tables_of_two_rows_are_read_as_the_others_are() -> None:
    groups = (("Wolf", "Bear", "Crab"), ("Ogre", "Adder", "Worm"), ("Fiend", "Giant"))
    tabbed = "".join(
        f"CHAPTER {n}\n\n"
        + "".join(f"{name}\tIt never attacks those who carry {n} grains.\n" for name in group)
        + "\n"
        for n, group in enumerate((*groups, ("Moth", "Lynx", "Hound")))
    )
    assert {"Fiend", "Giant"} <= {*list_names(tabbed)}
    aligned = "".join(
        f"CHAPTER {n}\n=========\n\n"
        + "".join(
            f"{name:24}The price is paid even when an ally falls within\n{'':24}reach of it.\n\n"
            for name in group
        )
        for n, group in enumerate((*groups, ("Moth", "Lynx", "Hound")))
    )
    assert {"Fiend", "Giant"} <= {*list_names(aligned)}


def test_a_wrapped_name_whose_text_is_wrapped_too_is_one_row() -> None:
    text = (
        "| Name | Price | Text |\n|---|---|---|\n| **Flask** | 20 gp | It is full. |\n"
        "| **Horn of the Patient | 15 gp | Choose the leader; that player takes one |\n"
        "| Anvil** | | extra card. |\n| **Early Strike of | 5 gp | Nothing happens. |\n"
        "| Yesterday** | | It was found near a forest. |\n| **Orb** | 9 gp | It is blue. |\n"
    )
    wanted = ["Flask", "Horn of the Patient Anvil", "Early Strike of Yesterday", "Orb"]
    assert list_names(text, suffix="md") == wanted


def test_a_column_of_figures_called_power_is_not_the_text() -> None:
    text = "| Name | Power | Effect |\n|---|---|---|\n" + "".join(
        f"| {name} | {n} | It was found near its lair in the year 788. |\n"
        for n, name in enumerate(("Chain", "Circle", "Arrow"), 3)
    )
    cards = read_cards(text, suffix="md")
    assert [dict(card.other) for card in cards] == [{"power": "3"}, {"power": "4"}, {"power": "5"}]
    assert cards[0].text == "It was found near its lair in the year 788."


def test_figures_below_the_same_words_are_no_numbers_of_pages() -> None:
    text = "".join(
        f"{n}) {name}\n\nAttaque Poids Magie Garde\n\n{n} 9 1 5\n\nRien ne se passe ici.\n\n"
        for n, name in enumerate(("Cape", "Arc +2", "Lance de cendre", "Coupe"), 1)
    )
    cards = read_cards(text)
    assert [card.name for card in cards] == ["Cape", "Arc +2", "Lance de cendre", "Coupe"]
    stats = {"Attaque": "4", "Poids": "9", "Magie": "1", "Garde": "5"}
    assert dict(cards[-1].other)["stats"] == stats


@pytest.mark.parametrize("line", ["Image : Hanna Vogt", "Choose one of these:"])
def test_a_line_that_parts_what_a_record_has_is_none(line: str) -> None:
    told = f"\n{line}\n\n"
    text = "".join(
        f"{name}\nRare\n\nOrigin: the north\nWeight: {n}\n"
        f"{told if n == 3 else ''}Effect: Draw {n} cards.\nCost: {n}0 points\n\n"
        for n, name in enumerate(("Glass Bow", "Old Sword", "Round Shield", "Ring"), 1)
    )
    found = list_names(text, "Glass Bow", "Ring")
    assert found == ["Glass Bow", "Old Sword", "Round Shield", "Ring"]


def test_rules_with_headings_as_cards_have_are_left_out() -> None:
    text = "# Notes\n\nPrint the pages.\n\n## Ties\n\nWhere two contradict, the stricter holds.\n\n"
    text += "## Rounding\n\nSome are old friends; others appear here first.\n\n# Learning\n\n"
    names = ("Bath House", "Workshop", "Black Well", "Granary", "Barn")
    text += "".join(
        f"## {name}\n*Size:* small\n*Upkeep:* {n} sacks\n\nThe owner moves {n} feet.\n\n"
        for n, name in enumerate(names, 1)
    )
    assert list_names(text, suffix="md") == list(names)


def test_how_to_read_the_cards_is_none() -> None:
    text = "# Cards\n\n## How to Read Them\n\n"
    text += "Everything here was played at our table for a year.\n\n"
    text += "- Weight: what is asked first\n- Range: a dash is none\n\n"
    names = ("Helm", "Blade", "Quill", "Glove", "Cape")
    text += "".join(
        f"## {name}\n\n- Weight: {n}\n- Range: {n} feet\n\nThe owner moves {n} feet.\n\n"
        for n, name in enumerate(names, 1)
    )
    assert list_names(text, suffix="md") == list(names)


def test_copies_before_two_names_are_no_print_that_others_lack() -> None:
    text = "".join(
        f"### {copies}{name}\n\n(For feasts)\n\nThis tastes still better on the second day.\n\n"
        for copies, name in (
            ("2x ", "Iron Stew"), ("", "Sauce"), ("3x ", "Cake"), ("2x ", "Strudel"), ("", "Pan"),
        )
    )  # fmt: skip
    cards = read_cards(text, "Iron Stew", "Cake", suffix="md")
    wanted = [("Iron Stew", 2), ("Sauce", 1), ("Cake", 3), ("Strudel", 2), ("Pan", 1)]
    assert [(card.name, card.count) for card in cards] == wanted


def test_who_may_be_the_beginning_of_a_sentence() -> None:
    text = "Ask the other players before you bring any of these to the table. We\nthank all.\n\n"
    text += "".join(
        f"{name} — Roll {n} dice and keep the highest.\n\n"
        for n, name in enumerate(("Wolf", "Bitter Crab", "Hound of Exile", "Moth"), 2)
    )
    assert list_names(text, "Wolf", "Moth") == ["Wolf", "Bitter Crab", "Hound of Exile", "Moth"]


def test_a_name_that_is_a_word_of_stats_is_a_name() -> None:
    names = ("SCARLET WORD", "COMMAND", "RAGGED CHARM", "WORD OF COMMAND", "WALL")
    text = "".join(
        f"{name}\n\n{n}00 gold\n\nRange ......... {n} feet\nSaving throw .. luck\n\n"
        "The price is paid even when an ally falls.\n\n"
        for n, name in enumerate(names, 2)
    )
    wanted = ["Scarlet Word", "Command", "Ragged Charm", "Word of Command", "Wall"]
    assert list_names(text) == wanted


def test_a_column_that_is_empty_in_one_table_is_in_all_of_them() -> None:
    groups = {"Heroes": ("Bombard", "Ram"), "Foot": ("Riders", "Sling", "Archers")}
    text = ""
    for title, names in groups.items():
        text += f"## {title}\n\n| Name | Points | Only for | Size |\n|---|---|---|---|\n"
        text += "".join(
            f"| {name} | {n}5 | {'Dukes' * (len(names) > 2 and n == 2)} | {n} to 9 |\n"
            for n, name in enumerate(names, 1)
        )
        text += "\n"
    cards = read_cards(text, suffix="md")
    assert [(card.name, card.cost, card.kind) for card in cards] == [
        ("Bombard", 15, "Heroes"),
        ("Ram", 25, "Heroes"),
        ("Riders", 15, "Foot"),
        ("Sling", 25, "Foot"),
        ("Archers", 35, "Foot"),
    ]


def test_small_words_of_two_names_do_not_choose_the_others() -> None:
    text = "".join(
        f"* {name} : Laisser mijoter {n}0 minutes. Servir avec du pain.\n"
        for n, name in enumerate(("Daube d'ambre", "Soupe de la haute mer", "Rôti", "Sirop"), 1)
    )
    found = list_names(f"# Pains\n\n{text}", "Daube d'ambre", "Sirop", suffix="md")
    assert found == ["Daube d'ambre", "Soupe de la haute mer", "Rôti", "Sirop"]


def test_how_many_there_are_speaks_for_a_name() -> None:
    names = ("Throw", "Shout", "Flourish", "Gambit", "Plea", "Silver Step x4", "Bargain x3")
    text = "".join(
        f"{name}\n\n"
        + "Target: one person\nRoll: 2d6\n\n" * (name[:6] != "Silver")
        + "The leader can see in the dark for four rounds.\n"
        + "Ignore the first wound that the defender suffers in the next turn.\n" * 4
        * (name[:6] == "Silver")
        + "\n"
        for name in names
    )  # fmt: skip
    cards = read_cards(f"Moves\n\n{text}", "Throw", "Plea")
    assert [card.count for card in cards] == [1, 1, 1, 1, 1, 4, 3]


def test_brackets_behind_most_names_say_what_sort_they_are() -> None:
    quiz = "".join(
        f"No. {n}: {name}  [{n} stars]\nWhich of them has stripes?\nAnswer: b. It grows one.\n\n"
        for n, name in enumerate(("Striped Fellows", "Green at Heart", "Too Tall (Picture)"), 2)
    )
    cards = read_cards(quiz)
    assert [(card.name, dict(card.other)["subtitle"]) for card in cards] == [
        ("Striped Fellows", "2 stars"),
        ("Green at Heart", "3 stars"),
        ("Too Tall (Picture)", "4 stars"),
    ]
    ships = "".join(
        f"{n}x {name} {{{n} coin}} <Ship / {kind}>\n      Move up to two cargo at once.\n\n"
        for n, (name, kind) in enumerate(
            (("Fog Ferry", "Transport"), ("Cutter (#2)", "Patrol"), ("Mud Barge", "Transport")), 1
        )
    )
    cards = read_cards(f"=== SHIPS === (3 cards)\n\n{ships}")
    found = [(card.name, card.count, dict(card.other)["subtitle"]) for card in cards]
    assert found == [
        ("Fog Ferry", 1, "Ship / Transport"),
        ("Cutter (#2)", 2, "Ship / Patrol"),
        ("Mud Barge", 3, "Ship / Transport"),
    ]


def test_dots_that_lead_to_prices_tell_names_below_chapters_in_capitals() -> None:
    text = ""
    for title, names in {
        "WASHING": ("Shroud, laundered", "Sails"),
        "HIRE": ("Mule", "Chair"),
    }.items():
        text += f"{title}\n\n"
        text += "".join(
            f"{name:.<40} {n} s 6 d\n    We do it twice, and dry it indoors for two days.\n"
            for n, name in enumerate(names, 1)
        )
        text += "\n"
    cards = read_cards(text)
    assert [(card.name, card.kind) for card in cards] == [
        ("Shroud, laundered", "Washing"),
        ("Sails", "Washing"),
        ("Mule", "Hire"),
        ("Chair", "Hire"),
    ]
    assert all("s 6 d" in str(dict(card.other)["cost"]) for card in cards)


def test_a_column_of_pictures_does_not_hide_the_names() -> None:
    row = "<tr><td><img src='a.png' alt=''></td><td>{}</td><td>Level {}</td><td>{}</td></tr>"
    text = "<h1>Perks</h1>"
    for title, names in {"Survival": ("Bark Biter", "Socks"), "Talk": ("Songs", "Stare")}.items():
        text += f"<h2>{title}</h2><table>"
        text += "<tr><th>Icon</th><th>Perk</th><th>Requires</th><th>Effect</th></tr>"
        said = "You can eat bark, moss and lichen of any kind."
        text += "".join(row.format(name, n, said) for n, name in enumerate(names, 2)) + "</table>"
    cards = recognise(read_html_blocks(text, "perks.html", 10_000)).cards
    assert [(card.name, card.kind) for card in cards] == [
        ("Bark Biter", "Survival"),
        ("Socks", "Survival"),
        ("Songs", "Talk"),
        ("Stare", "Talk"),
    ]


def test_numbers_of_chapters_are_no_part_of_a_kind() -> None:
    text = ""
    chapters = {"I: Mists": ("Haze", "Fog", "Smoke"), "II: Stairs": ("Spiral", "Rail")}
    for title, names in chapters.items():
        text += f"## Chapter {title}\n\n"
        text += "".join(f"### {name}\n\nLevel: 2\n\nIt counts itself.\n\n" for name in names)
    kinds = [card.kind for card in read_cards(text, suffix="md")]
    assert kinds == ["Mists"] * 3 + ["Stairs"] * 2


def test_numbers_of_an_inventory_are_no_copies() -> None:
    text = "| No. | Item | Remarks |\n|---|---|---|\n" + "".join(
        f"| IV-0{n}5 | {name} | It was found in the attic after the flood. |\n"
        for n, name in enumerate(("Oar", "Bread Peel", "Sugar Nippers"), 1)
    )
    cards = read_cards(text, suffix="md")
    assert [(card.name, card.count) for card in cards] == [
        ("Oar", 1), ("Bread Peel", 1), ("Sugar Nippers", 1),
    ]  # fmt: skip


def test_what_stands_behind_a_comma_in_most_names_is_their_sort() -> None:
    text = "".join(
        f"{name} - {n}5 puntos\nVel {n} / Bli 2 / Trip {n}0\nDetecta naves ocultas.\n\n"
        for n, name in enumerate(
            ("Gaviota Coja, corbeta", "Viuda de Sal, fragata", "Martillo 12, monitor", "Pez"), 3
        )
    )
    cards = read_cards(text)
    assert [(card.name, dict(card.other).get("subtitle")) for card in cards] == [
        ("Gaviota Coja", "corbeta"),
        ("Viuda de Sal", "fragata"),
        ("Martillo 12", "monitor"),
        ("Pez", None),
    ]
    names = ("Shroud, laundered", "Sails", "Wings, pressed", "Mule", "Chair, folding")
    told = "".join(f"## {name}\n\nPrice: 2 s\n\nWe do it twice.\n\n" for name in names)
    assert list_names(told, suffix="md") == list(names)


def test_a_number_may_end_with_a_square_bracket() -> None:
    text = "".join(
        f"1.{n}] {name}\nCharges: {n}\nUsers: all\nIt does what it says.\n\n"
        for n, name in enumerate(("Wand of Second Thoughts", "Boots of Elsewhere", "Mitts"), 1)
    )
    assert list_names(text) == ["Wand of Second Thoughts", "Boots of Elsewhere", "Mitts"]


def test_dots_may_lead_to_nothing() -> None:
    text = "".join(
        f"{name} ........{n * 3 or ''}\n" for n, name in enumerate(("Mule", "Rope", "Lamp", "Ink"))
    )
    assert list_names(text) == ["Mule", "Rope", "Lamp", "Ink"]
    assert list_names(text, "Mule", "Lamp") == ["Mule", "Rope", "Lamp", "Ink"]


def test_brackets_that_names_are_shown_with_are_part_of_them() -> None:
    sorts = "{2 coin}", "<Ship>", "{1 coin}", "<Crew>"
    names = [
        f"{name} {sort}" for name, sort in zip(("Mule", "Rope", "Lamp", "Ink"), sorts, strict=True)
    ]
    text = "".join(f"{name}\n\nThe owner moves {n} feet.\n\n" for n, name in enumerate(names, 2))
    assert list_names(text, *names[:2]) == names
