"""What people call the columns of a table that hold names and counts, and the two sides of a card
to learn from, and how they write a count.

Knows nothing of files.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardgen.deck.model import Value
from cardgen.deck.values import find_meant, is_field_name

MAX_COLUMNS = 1_000

# What stands for a column of cards' names or counts where there is none, the most likely first.
_MEANT: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("title", "card_name", "cardname", "card_title", "cardtitle", "card"),
        *("karte", "kartenname", "titel", "carte", "nom", "titre", "carta", "nombre", "título"),
        *("nome", "titolo", "kaart", "naam", "karta"),
        *("nazwa", "tytuł", "název", "názov", "jméno", "namn", "navn", "nimi", "név", "isim"),
        *("название", "имя", "назва", "όνομα"),
    ),
    "count": (
        *("quantity", "qty", "copies", "#", "amount", "how_many", "in_deck"),
        *("number_of_copies", "no_of_copies", "num_copies", "#_of_copies", "#_copies"),
        *("duplication", "duplicates"),
        *("number_of_cards", "card_count", "copies_in_deck", "quantity_in_deck"),
        *("anzahl", "anz", "menge", "stück", "stückzahl", "exemplare", "kopien", "kartenanzahl"),
        *("quantité", "exemplaires", "nombre_d'exemplaires"),
        *("cantidad", "copias", "ejemplares", "quantità", "copie", "esemplari"),
        *("aantal", "stuks", "exemplaren", "quantidade", "cópias", "exemplares"),
        *("ilość", "liczba", "sztuk", "sztuki", "kopii", "kopie", "počet", "kusů", "kusy"),
        *("exemplar", "antal", "antall", "määrä", "kpl", "darab", "adet"),
        *("количество", "кол_во", "количество_карт", "число_карт", "копий", "штук"),
        *("кількість", "ποσότητα", "ammount"),
        *("no._of_copies", "in_the_deck", "im_deck", "im_stapel", "in_het_deck", "i_leken"),
        *("en_el_mazo", "nel_mazzo", "nombre_de_cartes", "nombre_de_copies", "antal_kort"),
        *("nb", "nbr", "nb_ex", "nb._ex", "qte", "qté", "qta", "qtà", "q.tà", "qtd", "qtde"),
        *("cant", "cuántas", "quantas", "quante", "ile", "ks", "szt", "stk", "stuk", "styck"),
        *("pezzi", "uds", "unidades", "in_box", "im_spiel", "per_deck", "deck_count", "to_print"),
        *("aantal_kaarten", "antal_exemplar", "anzahl_karten", "kartenzahl", "liczba_kart"),
        *("liczba_sztuk", "n._copie", "no._in_deck", "number_in_the_deck", "numero_copie"),
        *("numero_di_copie", "número_de_cartas", "número_de_copias", "número_de_cópias"),
        *("počet_karet", "počet_kusů", "aant", "egz", "egzemplarze", "expl", "kopieën", "kopior"),
        *("kopií", "n._carte", "n.º_de_copias", "nº_de_copias", "pz", "q.ta", "quant"),
        *("quantités", "stycken", "times_in_deck", "wie_oft"),
    ),
}
# What people call both sides of a card to learn from: those of its name, and of its answer.
_FRONTS = (
    *("front", "question", "term", "word", "prompt"),
    *("vorderseite", "frage", "begriff", "wort", "vokabel", "recto", "mot", "anverso", "pregunta"),
    *("palabra", "fronte", "domanda", "parola", "voorkant", "vraag", "woord", "awers", "pytanie"),
    *("słowo", "framsida", "fråga", "frente", "pergunta", "palavra"),
)
_BACKS = (
    *("back", "answer", "correct_answer", "correct", "definition", "translation", "meaning"),
    "answers",
    *("rückseite", "antwort", "bedeutung", "übersetzung", "verso", "réponse", "définition"),
    *("traduction", "reverso", "respuesta", "traducción", "definición", "retro", "risposta"),
    *("traduzione", "achterkant", "antwoord", "vertaling", "rewers", "odpowiedź", "tłumaczenie"),
    *("baksida", "svar", "översättning", "resposta", "tradução"),
)
# What people call the two parts of somebody's name.
_GIVEN = ("first_name", "firstname", "given_name", "forename", "vorname", "prénom", "voornaam")
_FAMILY = (
    "last_name",
    "lastname",
    "surname",
    "family_name",
    "nachname",
    "familienname",
    "achternaam",
)
# It is so common that it needs no word.
_SILENT = ("title",)
_TOTALS = (
    *("total", "totals", "subtotal", "sum", "in total", "total cards", "grand total"),
    *("gesamt", "summe", "zwischensumme", "insgesamt", "total général", "sous-total"),
    *("totaal", "subtotaal", "totale", "subtotale", "suma", "soma", "somma"),
)
_AROUND = " .:*?"
_COUNT = re.compile(r"(?:[x×]\s*)?([0-9]{1,9})(?:\.0+)?(?:\s*[x×])?", re.IGNORECASE)


class Meant(NamedTuple):
    """A column that stands for a key of a card; `silent` where everybody knows that it does."""

    position: int
    key: str
    silent: bool


def name_field(title: str) -> str:
    """Return the field that a column's title names."""
    return re.sub(r"[\s-]+", "_", title).lower()


def find_meant_columns(titles: Sequence[str]) -> list[Meant]:
    """Return the columns that stand for a card's name or its count, where none is called so."""
    names = [name_field(title.strip(_AROUND)) for title in titles]
    found: list[Meant] = []
    for key, others in _MEANT.items():
        if key in names:
            continue
        named = next((other for other in others if other in names), None)
        if named is not None:
            found.append(Meant(names.index(named), key, named in _SILENT))
    if sides := find_sides(titles):
        found += map(Meant, sides, ("name", "answer"), (False, "answer" in names))
    return found


def find_sides(titles: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of both sides of cards to learn from, where none holds names."""
    return _find_pair(titles, _FRONTS, _BACKS)


def find_name_parts(titles: Sequence[str]) -> tuple[int, int] | None:
    """Return the columns of people's given and family names, where none holds names."""
    return _find_pair(titles, _GIVEN, _FAMILY)


def _find_pair(
    titles: Sequence[str], firsts: Sequence[str], seconds: Sequence[str]
) -> tuple[int, int] | None:
    names = [name_field(title.strip(_AROUND)) for title in titles]
    if not {"name", *_MEANT["name"]}.isdisjoint(names):
        return None
    first = next((names.index(one) for one in firsts if one in names), None)
    second = next((names.index(one) for one in seconds if one in names), None)
    return None if first is None or second is None else (first, second)


def find_key(title: str) -> str | None:
    """Return the key of a card that a column stands for, if no column is called so."""
    return next((key for key, others in _MEANT.items() if name_field(title) in others), None)


def name_columns(titles: Sequence[str]) -> tuple[list[str], list[Meant]]:
    """Return the field that each column stands for, and those that stand for a name or a count."""
    keys = [_fold_signs(name_field(title)) for title in titles]
    meant = find_meant_columns(titles)
    for one in meant:
        keys[one.position] = one.key
    return keys, meant


def _fold_signs(key: str) -> str:
    """Return a name that a field may have, where signs alone hinder: vp_turn of "VP/turn"."""
    folded = re.sub(r"[\W_]+", "_", key).strip("_")
    return folded if not is_field_name(key) and is_field_name(folded) else key


def has_names(titles: Sequence[str]) -> bool:
    """Whether a table with these columns may be one of cards."""
    names = {name_field(title.strip(_AROUND)) for title in titles}
    known = not names.isdisjoint(("name", *_MEANT["name"]))
    learnt = find_sides(titles) is not None
    return known or learnt or any(find_meant(name, ("name",)) for name in names)


def is_total(name: object) -> bool:
    """Whether a row of this name may hold the sum of the others."""
    return isinstance(name, str) and name.strip(_AROUND).lower() in _TOTALS


def read_count(cell: Value) -> Value:
    """Return the number that a cell of counts means, as 3x or 2.0; else the cell as it is."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, str) and (match := _COUNT.fullmatch(cell)):
        return int(match[1])
    return cell
