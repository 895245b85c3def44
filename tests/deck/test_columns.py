"""The columns of a table as people call them, and counts as people write them."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest
from conftest import Project
from PIL import Image
from pypdf import PdfReader
from pypdfium2 import PdfDocument, PdfPage

from cardgen.core.errors import CardgenError
from cardgen.core.geometry import Size
from cardgen.core.library import HOME, Library
from cardgen.deck.columns import find_key, name_columns, name_field
from cardgen.deck.model import DEFAULT_FIELDS, Deck
from cardgen.deck.read import read_deck_file
from cardgen.importing.column_names import list_names
from cardgen.template.parse import read_template


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str, name: str = "t.csv") -> Deck:
    Path(name).write_text(text, "utf-8")
    return read_deck_file(Path(name))


def list_cards(deck: Deck) -> list[tuple[str, int]]:
    return [(card.name, card.count) for card in deck.cards]


@pytest.mark.parametrize(
    "count", ["Qty", "Quantity", "Copies", "# Copies", "#", "Qty.", "Duplication"]
)
@pytest.mark.parametrize("name", ["Card Name", "Card", "card-title", "cardtitle"])
def test_counts_and_names_are_known_by_their_usual_titles(count: str, name: str) -> None:
    deck = read(f"{count},{name},Cost\n3,Axe,2\n,Bow,\n0,Club,1\n")
    assert list_cards(deck) == [("Axe", 3), ("Bow", 1), ("Club", 0)]
    assert deck.cards[0].fields == {"cost": 2}
    assert [(note.code, note.details["column"], note.field) for note in deck.notes] == [
        ("deck/column-read-as", name, "name"),
        ("deck/column-read-as", count, "count"),
    ]


def test_what_is_called_as_it_should_be_needs_no_note() -> None:
    deck = read("---\ntemplate: plain\n---\nCount,Title,Quantity,Card\n2,Axe,five,b\n")
    assert list_cards(deck) == [("Axe", 2)]
    assert deck.cards[0].fields == {"quantity": "five", "card": "b"}
    assert deck.notes == ()


@pytest.mark.parametrize("cell", ["3x", "x3", "3 X", "×3", " 3 ", "3.0", "03"])
def test_counts_are_read_as_people_write_them(cell: str) -> None:
    assert list_cards(read(f"count,name\n{cell},Axe\n")) == [("Axe", 3)]


@pytest.mark.parametrize("cell", ["three", "3.5", "-1", "x", "3x4", "1,5"])
def test_what_is_no_count_is_refused(cell: str) -> None:
    with pytest.raises(CardgenError) as caught:
        read(f'qty,name\n"{cell}",Axe\n')
    assert [problem.code for problem in caught.value.problems] == ["deck/bad-count"]


def test_a_workbook_may_hold_counts_as_numbers_or_texts() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (["Card Name", "Qty"], ["Axe", 3.0], ["Bow", "2x"], ["Club", None]):
        book.active.append(row)
    book.save("t.xlsx")
    assert list_cards(read_deck_file(Path("t.xlsx"))) == [("Axe", 3), ("Bow", 2), ("Club", 1)]


def test_other_sheets_of_cards_are_named() -> None:
    book = openpyxl.Workbook()
    for title, row in {
        "Characters": ["Name", "Text"],
        "Skills": ["Card Name", "Cost"],
        "Sums": ["Total", 3],
        "Empty": [],
        "Old": ["Name"],
    }.items():
        sheet = book.create_sheet(title)
        sheet.append(row)
        sheet.append(["Axe", "b"])
        sheet.sheet_state = "hidden" if title == "Old" else "visible"
    del book["Sheet"]
    book.save("t.xlsx")
    (note,) = read_deck_file(Path("t.xlsx")).notes
    assert note.message == (
        'of t.xlsx the sheet "Characters" is printed, but cards may stand in others: "Skills"'
    )
    Path("d.yaml").write_text("cards: t.xlsx\nsheet: Skills\n", "utf-8")
    assert [one.code for one in read_deck_file(Path("d.yaml")).notes] == ["deck/column-read-as"]


def test_rows_that_are_numbered_are_no_counts() -> None:
    with pytest.raises(CardgenError) as caught:
        read("#,name\n1,Axe\n2,Bow\n3,Club\n")
    assert [problem.code for problem in caught.value.problems] == ["deck/numbering"]
    assert list_cards(read("#,name\n1,Axe\n3,Bow\n2,Club\n"))[1] == ("Bow", 3)


@pytest.mark.parametrize(
    "titles",
    [
        *("Nom,Exemplaires", "Kartenname,Anzahl", "nombre,Copias", "Naam,aantal", "NOME,Copie"),
        *("Titel,Menge", "Nazwa,Ilość", "Název,Počet", "Название,Кол-во", "Navn,Antall"),
    ],
)
def test_names_and_counts_in_other_languages(titles: str) -> None:
    deck = read(f"---\ntemplate: plain\n---\n{titles},Fähigkeit\nAxe,3,a\nBow,,b\n")
    assert list_cards(deck) == [("Axe", 3), ("Bow", 1)]
    assert len(deck.notes) == 2


# Columns of these names may as well say another thing in a deck's table.
DOUBTFUL = (
    *("auflage", "vorhanden", "cartes", "cards", "karten", "no", "nombre", "num", "number"),
    *("numero", "número"),
    # They may be a strength, a place, or how often somebody may do a thing.
    *("ex", "keer", "print_run", "prints", "st", "tirage", "ud", "x", "×"),
)


def test_what_an_import_takes_for_a_count_a_build_takes_too() -> None:
    said = (name.rstrip(".") for name in list_names("count"))
    names = {name_field(name) for name in said} - {"count", *DOUBTFUL}
    assert [name for name in sorted(names) if find_key(name) != "count"] == ["number_in_deck"]


def test_a_row_with_the_sum_is_no_card() -> None:
    rows = "Qty,Card\n3,Axe\n,Bow\n2x,Club\n"
    with pytest.raises(CardgenError) as caught:
        read(f"{rows}6,Total\n")
    problem = caught.value.problems[0]
    assert (problem.code, problem.where and problem.where.line) == ("deck/total", 5)
    for last in ("5,Total", "6,Totem", ",Total"):
        assert read(f"{rows}{last}\n").cards[-1].name == last.partition(",")[2]


def test_a_table_that_yaml_names_is_read_so_too() -> None:
    Path("t.csv").write_text("Qty,Card\n2x,Axe\n", "utf-8")
    Path("few.yaml").write_text("extends: deck.yaml\n", "utf-8")
    deck = read("cards: t.csv\n", "deck.yaml")
    assert list_cards(deck) == [("Axe", 2)]
    assert len(deck.notes) == 2
    few = read_deck_file(Path("few.yaml"))
    assert (list_cards(few), few.notes) == (list_cards(deck), deck.notes)


# Columns that name pictures


def paint(project: Project, *names: str) -> None:
    picture = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(picture, "PNG")
    for name in names:
        project.write(name, picture.getvalue())


@pytest.mark.parametrize("folder", ["", "cards/", "art/", "decks/images/", "decks/"])
def test_a_column_that_names_pictures_is_the_picture(project: Project, folder: str) -> None:
    """Whatever its header is; the template `fields` is not needed for it."""
    paint(project, f"{folder}m00.png", f"{folder}m01.png")
    project.write("decks/a.csv", "Name,ArtFile,Text\nAxe,m00.png,Cuts.\nBow,m01.png,\n")
    ran = project.run("build", "a", "--target", "one-up")
    note = 'the column "ArtFile" names pictures and is read as "picture"; if it means something'
    said = f'output/a-one-up.pdf: 2 cards on 2 pages\n  {note} else, give a card a "picture"\n'
    assert ran.stdout.startswith(f"{said}  a picture of 29 pixels per inch")
    pages = PdfReader("output/a-one-up.pdf").pages
    assert all(page.images for page in pages)
    assert not any("m0" in page.extract_text() for page in pages)


def test_a_field_of_pictures_is_one_in_yaml_too(project: Project) -> None:
    """One that is not there yet is missed at its own place."""
    paint(project, "a.png")
    project.write("decks/a.yaml", "cards:\n  - {name: A, img: a.png}\n  - {name: B, img: c.png}\n")
    ran = project.run("build", "a")
    assert ran.stderr.startswith('decks/a.yaml:3:5: card "B": there is no picture "c.png"\n')


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("name,img,picture", "Axe,a.png,a.png"),  # it has one
        ("name,img", "Axe,gone.png"),  # none is there
        ("name,file", "Axe,a.png\nBow,see the other card"),
        ("name,back_img", "Axe,a.png"),
        ("name,icon", "Axe,a.png"),
    ],
)
def test_what_may_be_no_picture_is_none(project: Project, head: str, row: str) -> None:
    paint(project, "a.png")
    project.write("decks/a.csv", f"{head}\n{row}\n")
    notes = read_deck_file(Path("decks/a.csv")).notes
    assert not [note for note in notes if "names pictures and is read" in note.message]


def test_pictures_that_lie_elsewhere_are_no_text_without_a_word(project: Project) -> None:
    """A table in a folder of its own may name them from the top, if that says it is the project."""
    paint(project, "assets/axe.png", "other/bow.png")
    table = "Name,Art\nAxe,assets/axe.png\n"
    project.write("data/a.csv", table)
    project.write("decks/b.csv", "Name,Art\nBow,bow.png\n")
    said = project.run("build", "data/a.csv", "--target", "one-up").stdout
    assert (
        'the column "Art" names pictures, as "assets/axe.png", none of which is there; an empty'
        ' file "cardgen.toml" would say that the project, and they, lie there\n' in said
    )
    said = project.run("build", "b", "--target", "one-up").stdout
    assert '"bow.png", none of which is there; did you mean "other/bow.png"?\n' in said
    project.write("cardgen.toml", "")
    project.run("build", "data/a.csv", "--target", "one-up")
    assert PdfReader("output/a-one-up.pdf").pages[0].images


def test_settings_above_the_working_folder_are_nobodys(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a folder of temporary files, where anybody may write."""
    project.write("cardgen.toml", "target = '?'")
    paint(project, "in/a.png")
    project.write("in/a.csv", "Name,Art\nAxe,a.png\n")
    monkeypatch.chdir("in")
    assert project.run("build", "a").stderr == ""


def test_a_template_of_one_s_own_asks_for_its_pictures_by_name(project: Project) -> None:
    paint(project, "a.png")
    project.write_template('<image file="{{ card.img }}"/>')
    project.write("decks/a.csv", "---\ntemplate: plain\n---\nname,img\nAxe,a.png\n")
    assert project.run("build", "a").stdout == "output/a.pdf: 1 card on 1 page\n"


# Columns that nothing prints


def test_columns_that_nothing_prints_are_named_once(project: Project) -> None:
    head = "---\ntemplate: poker-basic\n---\n"
    project.write("decks/a.csv", f"{head}Qty,Name,Rules Text,Empty,text\n2,Axe,Cuts,,a\n,Bow,,,b\n")
    ran = project.run("build", "a")
    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout == (
        "output/a.pdf: 3 cards on 1 page\n"
        '  the column "Qty" is read as "count"; if it means something else, add a column "count"\n'
        '  the column "rules_text" is printed nowhere; call it as a template has it (cost, image,'
        " kind, picture, rank, restriction, small_print, uses, who), let a template print"
        ' {{ card.rules_text }}, or say "template: fields", which prints all\n'
    )
    assert '"code": "build/unread-column"' in project.run("check", "a", "--json").stdout


def test_a_field_or_column_that_is_misspelt_is_told_with_the_right_one(project: Project) -> None:
    project.write("decks/a.csv", "---\ntemplate: poker-basic\n---\nname,txet\nAxe,Cuts\n")
    assert (
        'column "txet" is printed nowhere; did you mean "text"?' in project.run("check", "a").stdout
    )
    head, card = "template: poker-basic\n", "  - {name: Axe, txet: Cuts, zeal: 3}\n"
    project.write_deck(card, "b", head)
    assert project.run("check", "b").stdout == (
        "b: 1 card, nothing to complain of\n"
        '  the field "txet" is printed nowhere; did you mean "text"?\n'
        '  the field "zeal" is printed nowhere; call it as a template has it (cost, image, kind,'
        " picture, rank, restriction, small_print, text, uses, who), let a template print"
        ' {{ card.zeal }}, or say "template: fields", which prints all\n'
    )
    # A field that has its own beside it is another.
    project.write_deck(card + "  - {name: Bow, text: Sings}\n", "c", head)
    assert "did you mean" not in project.run("check", "c").stdout


def test_a_field_that_a_template_may_have_and_does_not_print_is_named(project: Project) -> None:
    """As a picture in a template that has no place for one."""
    card = "  - {name: Axe, text: Cuts, cost: null}\n  - {name: Bow, image: no.png, icon: bow}\n"
    project.write_deck(card, "a", "template: framed\n")
    (note,) = json.loads(project.run("check", "a", "--json").stdout)
    assert (note["code"], note["card"], note["field"]) == ("build/unread-column", "Bow", "image")


def test_a_folder_is_no_deck(project: Project) -> None:
    project.write_deck()
    hint = "that is a folder: name a deck that lies in it, or none, and all decks are taken"
    assert hint in project.run("build", "decks").stderr


def test_a_table_without_a_template_is_printed_with_all_its_columns(project: Project) -> None:
    """Only where the usual template leaves something out; a variant may name another."""
    project.write("decks/a.csv", "Name,Main Text,Empty\nAxe,Cuts everything,\nBow,Sings,\n")
    ran = project.run("build", "a", "--target", "one-up")
    assert ran.stdout == (
        "output/a-one-up.pdf: 2 cards on 2 pages\n"
        '  printed with the template "fields", since the usual one has no place for the column'
        ' "main_text"; name the template that you want, as in: template: NAME\n'
    )
    faces = [read_text(page) for page in PdfDocument("output/a-one-up.pdf")]
    assert [face.partition(" A ")[0] for face in faces] == ["Axe Cuts everything", "Bow Sings"]
    project.write("decks/b.yaml", "extends: a\n")
    assert list_templates("b") == ["fields", "fields"]
    project.write("decks/b.yaml", "extends: a\ntemplate: poker-basic\n")
    assert list_templates("b") == ["poker-basic", "poker-basic"]
    assert "deck/all-fields" not in project.run("check", "b", "--json").stdout
    project.write("decks/a.csv", "name,cost,text,odd\nAxe,1,Cuts,\n")
    assert list_templates("a") == ["poker-basic"]
    project.write("decks/a.csv", "---\ndefaults: {template: poker-basic}\n---\nname,odd\nAxe,1\n")
    assert list_templates("a") == ["poker-basic"]
    project.write("decks/a.csv", "name,odd\nAxe,1\n")
    project.write_template("<text>{{ card.odd }}</text>", "poker-basic")
    assert list_templates("a") == ["poker-basic"]


@pytest.mark.parametrize("header", ["front,back", "Question,Answer", "term,definition"])
def test_two_sides_are_cards_to_learn_from(project: Project, header: str) -> None:
    project.write("words.csv", f"{header},example\nreed,Schilf,It grows.\nrush,Binse,\n")
    cards = json.loads(project.run("show", "words.csv", "--json").stdout)["cards"]
    assert [(card["name"], card["answer"]) for card in cards] == [
        ("reed", "Schilf"),
        ("rush", "Binse"),
    ]
    ran = project.run("build", "words.csv", "--target", "one-up")
    assert ran.code == 0, ran.stderr
    assert 'printed with the templates "flashcard" and "flashcard-back"' in ran.stdout
    assert "printed nowhere" not in ran.stdout
    front, back, *_ = (page.extract_text() for page in PdfReader("output/words-one-up.pdf").pages)
    assert ("reed" in front, "Schilf" in front) == (True, False)
    assert ("Schilf" in back, "It grows." in back) == (True, True)


def test_cards_with_names_have_their_backs_by_a_column(project: Project) -> None:
    project.write("decks/a.csv", "name,front,back\nAxe,Cuts,back\n")
    (card,) = read_deck_file(Path("decks/a.csv")).cards
    assert (card.name, card.back, card.fields["front"]) == ("Axe", "back", "Cuts")


def test_a_variant_of_cards_to_learn_from_has_their_backs(project: Project) -> None:
    project.write("decks/a.csv", "front,back\nreed,Schilf\n")
    project.write("decks/b.yaml", "extends: a\n")
    project.write("decks/c.yaml", "extends: a\ntemplate: poker-basic\n")
    backs = [read_deck_file(Path(f"decks/{name}.yaml")).cards[0].back for name in "bc"]
    assert backs == ["flashcard-back", None]


def test_a_deck_in_yaml_without_a_template_is_printed_with_all_its_fields(project: Project) -> None:
    project.write("decks/a.yaml", "cards:\n- {name: Axe, text: Cuts}\n- {name: Bow, speed: 3}\n")
    assert list_templates("a") == ["fields", "fields"]
    (note,) = read_deck_file(Path("decks/a.yaml")).notes
    assert (note.code, str(note.where)) == ("deck/all-fields", "decks/a.yaml:3:15")
    project.write("decks/a.yaml", "cards:\n- {name: Axe, text: Cuts}\n- {name: Bow, speed: null}\n")
    assert list_templates("a") == ["poker-basic", "poker-basic"]


@pytest.mark.parametrize(
    ("cards", "counts"),
    [
        ("{name: Axe, quantity: 2}, {name: Bow}, {name: Club, quantity: 0}", [2, 1, 0]),
        ("{name: Axe, copies: 3, quantity: many}", [3]),
        ("{name: Axe, qty: 2}, {name: Bow, count: 4}", [1, 4]),
        ("{name: Axe, qty: 2}, {name: Bow, qty: few}", [1, 1]),
        ("{name: Axe, qty: true}", [1]),
    ],
)
def test_a_deck_in_yaml_may_count_in_another_word(cards: str, counts: list[int]) -> None:
    """Which stays a field, for a template may print it."""
    deck = read(f"template: plain\ncards: [{cards}]\n", "a.yaml")
    assert [card.count for card in deck.cards] == counts
    assert len(deck.notes) == (counts not in ([1, 4], [1, 1], [1]))
    if counts == [3]:
        assert deck.cards[0].fields == {"copies": 3, "quantity": "many"}


def list_templates(deck: str) -> list[str]:
    (path,) = Path("decks").glob(f"{deck}.*")
    return [card.template for card in read_deck_file(path).cards]


def test_the_usual_template_asks_for_what_is_known_of_it() -> None:
    template = read_template(HOME / "templates/poker-basic.xml", Library(HOME), Size(600, 800))
    asked = {
        name
        for element in template.elements
        for one in element.list_expressions()
        for name in one.fields
    }
    assert asked - {"name", "number"} == set(DEFAULT_FIELDS)


def test_what_any_template_may_read_is_no_stray(project: Project) -> None:
    head = "---\ntemplate: plain\nback: back\n---\n"
    project.write("decks/a.csv", f"{head}name,cost,kind,odd\nAxe,1,b,2\n")
    project.write_template('<text if="card.cost">{{ card.name }}</text>')
    project.write_template("<text>{{ card.kind }}</text>", "back")
    assert 'the column "odd" is printed nowhere' in project.run("check", "a").stdout
    any_field = "<text>{% for key in ['odd'] %}{{ card[key] }}{% endfor %}</text>"
    project.write_template(any_field, "back")
    assert project.run("check", "a").stdout == "a: 1 card, nothing to complain of\n"
    project.write_template("<text>{{ card.kind }}</text>", "back")
    project.write_template('<text for="name, value in card.fields|items">{{ value }}</text>')
    assert project.run("check", "a").stdout == "a: 1 card, nothing to complain of\n"


def test_all_fields_of_a_card(project: Project) -> None:
    """What is empty is not among them; a field of that name hides them."""
    project.write(
        "decks/a.yaml",
        "title: A\ntemplate: plain\ncards:\n"
        "  - {name: Axe, odd: 0, items: [x, y], none: null, text: '', more: {}}\n"
        "  - {name: Bow, text: Sings.}\n",
    )
    shown = "{% for name, value in card.fields|items %}{{ name }}={{ value|string }} {% endfor %}"
    project.write_template(f"<text>{shown}</text>")
    faces = [read_text(page) for page in PdfDocument(project.build("a", target="one-up").path)]
    assert faces == ["odd=0 items=['x', 'y']", "text=Sings."]
    project.write("decks/a.yaml", "title: A\ntemplate: plain\ncards: [{name: Axe, fields: 5}]\n")
    project.write_template("<text>{{ card.fields + 1 }}</text>")
    (page,) = PdfDocument(project.build("a", target="one-up").path)
    assert read_text(page) == "6"


def read_text(page: PdfPage) -> str:
    return " ".join(page.get_textpage().get_text_range().split())


def test_a_template_asks_for_what_a_column_stands_for(project: Project) -> None:
    project.write("decks/deck.csv", "Qty,Title\n2,Axe\n")
    project.write_template("<text>{{ card.title }} {{ card.name }}</text>", name="poker-basic")
    told = project.find_problems()
    assert 'unknown field "title" of card' in told
    assert "hint: where a column stands for the name of a card, write {{ card.name }}" in told


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("VP/turn", "vp_turn"),
        ("Est. Actions (min)", "est_actions_min"),
        ("Cost ($)", "cost"),
        ("a_b__", "a_b__"),
        ("2nd cost", "2nd_cost"),
        ("???", "???"),
        ("Größe [cm]", "größe_cm"),
    ],
)
def test_signs_in_a_title_are_no_obstacle(title: str, key: str) -> None:
    assert name_columns(["name", title])[0] == ["name", key]
