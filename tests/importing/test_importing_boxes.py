"""Cards on a web page are the boxes that come again and again, and classes name what is in them."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from cardgen.importing.finding.recognise import recognise
from cardgen.importing.model import Candidate
from cardgen.importing.reading import boxes as reading_boxes
from cardgen.importing.reading.boxes import label_boxes
from cardgen.importing.reading.html import read_html_blocks

GARDEN = (("Tomato", 2, "fruit", "Plant two more."), ("Cress", 1, "leaf", "Grows at once."),
          ("Old Pear", 5, "tree", "Worth two points."))  # fmt: skip
BESIDE = (
    '<article class="card"><span class="cost">{1}</span><h3>{0}</h3><p class="type">{2}</p>'
    "<p>{3}</p></article>"
)
CALLED = (
    '<div class="playing-card"><b class="card-cost">{1}</b> / <i class="card-type-badge">{2}</i>'
    '<span class="card-name">{0}</span><div class="card-text">{3}</div></div>'
)
TOLD = (
    '<li class="c" data-cost="{1}" data-id="x{1}" data-type="{2}"><div class="title">{0}</div>'
    "<div>{3}</div></li>"
)
FRAMED = (
    '<div class="col-md-4"><div class="card"><h5 class="card-title">{0}'
    '<span class="badge bg-dark">{1}</span></h5><h6 class="card-subtitle">{2}</h6>'
    '<p class="card-text">{3}</p></div></div>'
)
TERMS = (
    '<section class="p"><h3>{0}</h3><dl><dt>Cost</dt><dd>{1}</dd><dt>Type</dt><dd>{2}</dd></dl>'
    "<p>{3}</p></section>"
)
PAIRS = (
    '<div class="card"><h3>{0}</h3><div class="row"><span class="l">Cost</span><span>{1}</span>'
    '</div><div class="row"><span class="l">Type</span> <span>{2}</span></div><p>{3}</p></div>'
)


def find_cards(page: str) -> tuple[Candidate, ...]:
    return recognise(read_html_blocks(page, "page.html", 1000)).cards


@pytest.mark.parametrize("box", [BESIDE, CALLED, TOLD, FRAMED, TERMS, PAIRS])
def test_what_classes_call_the_parts_of_a_card(box: str) -> None:
    cards = find_cards(f"<h1>Garden</h1>{''.join(box.format(*card) for card in GARDEN)}")
    told = [(card.name, str(card.cost), card.text) for card in cards]
    assert told == [(name, str(cost), text) for name, cost, _, text in GARDEN]
    kinds = [str(card.kind or dict(card.other)["subtitle"]) for card in cards]
    assert [kind.lower() for kind in kinds] == ["fruit", "leaf", "tree"]


def test_the_foot_of_a_page_is_of_no_card() -> None:
    boxes = "".join(BESIDE.format(*card) for card in GARDEN)
    cards = find_cards(f"<body><h1>Garden</h1>{boxes}<footer>made by me</footer></body>")
    assert [card.text for card in cards] == [text for *_, text in GARDEN]


def test_a_page_to_be_printed_has_each_copy_of_a_card() -> None:
    boxes = [BESIDE.format(*card) for card in GARDEN for _ in range(4)]
    cards = find_cards(f"<h1>Garden</h1>{''.join(boxes)}")
    assert {(card.name, str(card.cost)) for card in cards} == {
        (name, str(cost)) for name, cost, _, _ in GARDEN
    }


def test_what_a_wiki_and_a_shop_add_is_no_text() -> None:
    edit = '<span class="mw-editsection">[edit]</span>'
    page = '<header><a href="/">Shop</a> <a href="/b">Basket (0)</a></header>' + "".join(
        f"<h3>{name}{edit}</h3><p>{text}</p>" for name, _, _, text in GARDEN
    )
    found = recognise(read_html_blocks(page, "page.html", 1000))
    assert [card.name for card in found.cards] == ["Tomato", "Cress", "Old Pear"]
    assert found.left_out == ()


def test_boxes_that_are_no_cards_stay_as_they_are() -> None:
    page = "".join(f'<div class="row"><span class="cost">{n}</span> a</div>' for n in range(9))
    root = etree.fromstring(page, etree.HTMLParser())
    before = etree.tostring(root)
    label_boxes(root)
    assert etree.tostring(root) == before


def test_the_bound_of_a_page_counts_what_is_in_its_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = "".join(BESIDE.format(f"Herb {n}", n, "leaf", "Grows at once.") for n in range(300))

    def label(most: int) -> bytes:
        monkeypatch.setattr(reading_boxes, "_MOST_LOOKED", most)
        root = etree.fromstring(cards, etree.HTMLParser())
        label_boxes(root)
        return etree.tostring(root)

    assert label(5 * 300) == label(1_000_000) != label(5 * 300 - 1)


TAGS = st.sampled_from(("div", "p", "h3", "h6", "span", "dl", "dt", "dd", "li", "article", "b"))
CLASSES = st.sampled_from(("", "card", "card-title", "card-cost", "kind", "badge"))
PAGES = st.recursive(
    st.sampled_from(("one", "two 2", "three.", "")),
    lambda inner: st.builds(
        lambda tag, name, parts, times: f'<{tag} class="{name}">{"".join(parts)}</{tag}>' * times,
        TAGS, CLASSES, st.lists(inner, max_size=5), st.integers(1, 4),
    ),
    max_leaves=12,
)  # fmt: skip


def count_words(root: Any) -> Counter[str]:
    return Counter(re.findall(r"\w+", " ".join(map(str, root.itertext()))))


@given(PAGES)
def test_no_word_of_a_page_is_lost(page: str) -> None:
    root = etree.fromstring(f"<body>{page}</body>", etree.HTMLParser())
    before = count_words(root)
    label_boxes(root)
    assert not before - count_words(root)
