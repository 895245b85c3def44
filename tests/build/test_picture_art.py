"""Pictures in greys and tints, repeated, cut to shapes and masked by other pictures."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pikepdf
import pytest
from conftest import Project
from making import load_deck
from PIL import Image
from strategies import find_problem, lay_out, list_faces

from cardgen.layout.face import Form, Picture
from cardgen.text.setting import Run

CARD = 'size="60mm x 50mm" bleed="3mm"'
RED = (255, 0, 0)
LETTERS = "abcefghijklmnpqstuvx"


def test_an_icon_may_be_called_as_its_file(project: Project) -> None:
    faces = lay_out(
        project, '<icon name="{{ card.sign }}"/>', {"sign": "sword"}, {"sign": "sword.svg"}
    )
    plain, whole = ([i.shared for i in face.items if isinstance(i, Form)] for face in faces)
    assert plain == whole != []


@pytest.mark.parametrize("sign", ["star", "star.png"])
def test_a_picture_among_the_icons_is_named(project: Project, sign: str) -> None:
    """And said once for all rows that have it, though they have one name."""
    project.write("icons/star.png", "")
    project.write_template('<icon name="{{ card.sign }}"/>')
    project.write(
        "decks/deck.csv", f"---\ntemplate: plain\n---\nname,sign\nAce,{sign}\nAce,{sign}\n"
    )
    assert project.find_problems() == (
        f'decks/deck.csv:5: 2 cards "Ace": unknown icon "{sign}"\n'
        "  hint: icons/star.png is a picture, and an icon is an SVG: write"
        ' <image file="icons/star.png"/>;'
        " the template's element is templates/plain.xml:2:1"
    )


def test_a_slip_in_a_template_is_not_hidden_behind_a_hundred_cards(project: Project) -> None:
    project.write_template('<icon name="{{ card.sign }}" fil="black"/>')
    rows = "\n".join(f"Card {sign},sw{sign}ord\nCard 2{sign},swo{sign}rd" for sign in LETTERS)
    project.write("decks/deck.csv", f"---\ntemplate: plain\n---\nname,sign\n{rows}\n")
    said = project.run("build", "deck").stderr
    assert 'unknown attribute "fil"' in said
    assert said.count("unknown icon") == 19
    assert said.endswith("and 21 more problems, in decks/deck.csv\n")


def test_what_is_missed_for_one_cause_is_told_at_once(project: Project) -> None:
    """A folder of icons that is not there is one problem to people, be it of ever so many icons."""
    project.write_template('<icon name="{{ card.sign }}"/><text>{{ card.word }}</text>')
    rows = "".join(f"Card {n},unfound-{n},{'木村菅田賢人'[n % 6]}\n" for n in range(40))
    project.write("decks/deck.csv", f"---\ntemplate: plain\n---\nname,sign,word\n{rows}")
    ran = project.run("build", "deck")
    assert ran.stderr.count("hint:") == 2
    assert (
        'deck.csv:5: cards as "Card 0", "Card 1", "Card 2", "Card 3", "Card 4": unknown icon'
        ' "unfound-0"; and 39 more: "unfound-1", "unfound-2",' in ran.stderr
    )
    assert 'in "木"; tried: Alegreya Sans; and 5 more: "村", "菅", "田", "賢", "人"\n' in ran.stderr
    assert 'put its SVG into icons/, or name one that "cardgen icons" lists' in ran.stderr
    said = json.loads(project.run("check", "deck", "--json").stdout)
    assert len(said) == 40 + 6  # programs are told of each


def test_a_picture_may_be_named_without_its_suffix(project: Project) -> None:
    """As tables of other programs name it, whose scripts add the rest; of two it is said which."""
    for name in ("hat.png", "inner/hen.png", "shoe.png", "shoe.gif"):
        Image.new("RGB", (20, 20), RED).save(project.write(f"art/{name}", ""))
    template = '<image file="{{ card.file }}"/>'
    faces = lay_out(project, template, *({"file": file} for file in ("hat", "inner/hen")))
    found = [i.path.name for face in faces for i in face.items if isinstance(i, Picture)]
    assert found == ["hat.png", "hen.png"]
    project.write_deck("  - {name: Ace, file: shoe}\n")
    assert 'no picture "shoe"\n  hint: say which: shoe.png, shoe.gif;' in project.find_problems()


@pytest.mark.parametrize("name", ["hat.jpg", "C:\\Users\\me\\hat.png", "~/hat.png"])
def test_the_picture_that_was_meant_is_the_nearest_one(project: Project, name: str) -> None:
    """Though another project lies within this one."""
    for file in ("inner/pictures/hat.png", "pictures/hat.png"):
        project.write(file, "")
    project.write("decks/deck.csv", f"name,image\nAxe,{name}\n")
    assert 'did you mean "hat.png"?' in project.find_problems()


def test_a_picture_is_no_back(project: Project) -> None:
    project.write("pictures/hat.png", "")
    project.write("decks/deck.csv", "name,back\nAxe,hat.png\n")
    assert project.find_problems() == (
        'decks/deck.csv:2: unknown template "hat.png"\n  hint: a template draws it, by'
        ' <image bleed="true" fit="cover" file="hat.png"/>'
    )


def test_pictures_that_all_lie_elsewhere_are_one_problem(project: Project) -> None:
    rows = ""
    for name in ("Rato", "Lula", "Peixe", "Macaco", "Baleia"):
        project.write(f"imagens/animais/{name}.png", "")
        rows += f"{name},{name}\n"
    project.write("decks/deck.csv", f"name,image\n{rows}")
    said = project.run("build", "deck").stderr
    assert said.count("hint:") == 1
    assert 'there is no picture "Rato"; and 4 more: "Lula", "Peixe", "Macaco", "Baleia"\n' in said
    assert (
        'did you mean "imagens/animais/Rato.png", and so the others: "imagens/animais/….png"?;'
        in said
    )


def test_rows_without_a_name_or_of_another_programs_template_are_one_problem_each(
    project: Project,
) -> None:
    """Be it of ever so many rows, for people; programs are told of each."""
    rows = "".join(f"Card {n},t/{'ab'[n % 2]}.html,\n" for n in range(30)) + ",,x\n" * 7
    project.write("decks/deck.csv", f"name,template,note\n{rows}")
    said = project.run("build", "deck").stderr
    assert (said.count("unknown template"), said.count("no name")) == (2, 1)
    assert "deck.csv:32: card 31 has no name; and lines 33, 34, 35, 36, 37, 38\n" in said
    assert 'deck.csv:2: unknown template "t/a.html"; and lines 4, 6, 8,' in said
    assert said.count("another program's: leave it out") == 2
    assert len(json.loads(project.run("check", "deck", "--json").stdout)) == 37


def test_an_element_without_room_on_most_cards_is_one_problem(project: Project) -> None:
    """Though its figures differ; those of a few cards are told one by one."""
    project.write_template(
        '<text width="5mm">{{ card.name }}</text><text y="9mm" width="9mm">{{ card.b }}</text>'
    )
    few = {3: "Waterfalls", 5: "Waterproofs"}
    rows = "".join(f"Longname{n}{'x' * n},{few.get(n, 'a')}\n" for n in range(12))
    project.write("decks/deck.csv", f"---\ntemplate: plain\n---\nname,b\n{rows}")
    said = project.run("build", "deck").stderr
    assert said.count("hint:") == said.count("its box is") == 3
    assert 'its box is 5mm; and so it is with 11 more: "Longname1x", "Longname2xx",' in said


def test_a_path_may_be_written_as_windows_writes_it(project: Project) -> None:
    Image.new("RGB", (20, 20), RED).save(project.write("pictures/pips/red.png", ""))
    (face,) = lay_out(project, '<image file="{{ card.file }}"/>', {"file": "pips\\red.png"})
    assert [item.path.name for item in face.items if isinstance(item, Picture)] == ["red.png"]


@pytest.mark.parametrize("folder", ["images", "img", "art", "assets/images"])
def test_pictures_lie_in_folders_as_people_call_them(project: Project, folder: str) -> None:
    Image.new("RGB", (20, 20), RED).save(project.write(f"{folder}/red.png", ""))
    (face,) = lay_out(project, '<image file="{{ card.file }}"/>', {"file": "red.png"})
    assert [item.path.name for item in face.items if isinstance(item, Picture)] == ["red.png"]


def test_the_template_of_all_fields_shows_pictures_whatever_their_columns_are_called(
    project: Project,
) -> None:
    """A value that is the name of a picture is one, and a name without a picture is a text."""
    for name in ("red.png", "blue.png"):
        Image.new("RGB", (20, 20), RED).save(project.write(f"art/{name}", ""))
    project.write(
        "decks/deck.csv", "name,Artwork,sign,odd\nAxe,red.png,blue.png,gone.png\nBow,,,5.5\n"
    )
    (_, _, axe), (_, _, bow) = list_faces(load_deck("deck"))
    assert [item.path.name for item in axe.items if isinstance(item, Picture)] == [
        "red.png",
        "blue.png",
    ]
    shown, other = (
        [word.text for item in face.items if isinstance(item, Run) for word in item.words]
        for face in (axe, bow)
    )
    assert "gone.png" in shown
    assert not {"red.png", "blue.png", "Artwork", "Sign"} & set(shown)
    assert "5.5" in other


@pytest.fixture
def art(project: Project) -> Project:
    Image.new("RGB", (200, 200), RED).save(project.write("red.png", ""))
    project.write_deck()
    return project


def test_there_are_no_seams_between_tiles(art: Project) -> None:
    Image.new("RGB", (37, 53), (0, 90, 160)).save("tile.png")
    body = '<image file="tile.png" fit="tile" tile-size="3.37mm" bleed="true"/>'
    art.write_template(body, attributes=CARD)
    with Image.open(art.build(target="png").path / "1-sword-front.png") as card:
        assert card.getextrema() == ((0, 0), (90, 90), (160, 160))


def list_spaces(project: Project, target: str) -> Iterator[str]:
    with pikepdf.open(project.build(target=target).path) as file:
        for thing in file.objects:
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image":
                space = thing.ColorSpace
                named = isinstance(space, pikepdf.Array)
                yield " ".join(str(part) for part in list(space)[:2]) if named else str(space)


def test_a_press_prints_tints_in_the_ink_of_their_colour(art: Project) -> None:
    art.write_template(
        '<colour name="ink" cmyk="0 100 0 0"/>'
        '<image file="red.png" tint="ink" x="5mm" y="5mm" width="9mm" height="9mm"/>'
        '<image file="red.png" greyscale="true" x="5mm" y="20mm" width="9mm" height="9mm"/>',
        attributes=CARD,
    )
    assert sorted(list_spaces(art, "press")) == ["/DeviceGray", "/Indexed /DeviceCMYK"]


def test_one_file_in_two_tones_is_two_pictures(project: Project) -> None:
    Image.new("RGB", (9, 9), RED).save(project.write("red.png", ""))
    (face,) = lay_out(
        project,
        '<image file="red.png"/><image file="red.png" greyscale="true"/>'
        '<image file="red.png" tint="black"/>',
    )
    assert "in grey" in face.dump()
    assert "in cmyk(0 0 0 1)" in face.dump()
    assert not any(isinstance(item, Picture) and item.tone for item in face.items)


# What is refused


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ('mask="red.png"', 'picture "red.png" is opaque all over, so that it masks nothing'),
        ('mask="gone.png"', 'there is no picture "gone.png"'),
        ('mask="circel"', 'unknown shape "circel"'),
        ('mask="path M0 0 L9"', 'a path has broken data at "M0 0 L9"'),
        ('mask="path M0 0 L9 0"', "a path has no area"),
        ('fit="tile"', 'fit="tile" and tile-size need each other'),
        ('tile-size="5mm"', 'fit="tile" and tile-size need each other'),
        (
            'fit="tile" tile-size="5mm" bleed="mirror"',
            'bleed="mirror" has no meaning for a picture that is repeated',
        ),
        (
            'fit="tile" tile-size="0.1mm"',
            "a picture would be repeated 40,000 times, more than 2,500",
        ),
    ],
)
def test_what_cannot_be(project: Project, attributes: str, said: str) -> None:
    Image.new("RGB", (9, 9), RED).save(project.write("red.png", ""))
    body = f'<image file="red.png" width="20mm" height="20mm" {attributes}/>'
    assert said in find_problem(project, body)
