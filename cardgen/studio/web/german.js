// What the server says in English, in German: the titles of cardgen's targets, and a line for what is
// found most. For the rest its own English stands, which is marked as such.
import { getLanguage } from "./strings.js";

const TARGETS = {
  "A3 on a home printer, on its side: two sheets of A4 in one": "A3 quer auf dem Drucker zu Hause: zwei Bögen A4 in einem",
  "A4 on a home printer, cut with ruler and knife": "A4 auf dem Drucker zu Hause, mit Lineal und Messer geschnitten",
  "A5 pages, for play sheets of that size": "Seiten in A5, für Spielbögen dieser Größe",
  "All faces of a deck small on one page, numbered and named, to look them over":
    "Alle Karten klein auf einer Seite, mit Nummer und Namen, zum Durchsehen",
  "DriveThruCards: back and front in turn, 1/8 inch of bleed, at most 240% ink":
    "DriveThruCards: Rück- und Vorderseite im Wechsel, 1/8 Zoll Anschnitt, höchstens 240 % Farbe",
  "The Game Crafter: a picture of each card at 300 dpi and how many of each, in a .zip":
    "The Game Crafter: ein Bild jeder Karte mit 300 dpi und wie viele von jeder, als .zip",
  "A4 on a printer without duplex: fronts beside their backs, to be folded and glued":
    "A4 auf einem Drucker ohne Duplex: Vorder- neben Rückseiten, zum Falten und Kleben",
  "US Letter on a printer without duplex: fronts beside their backs, to be folded and glued":
    "US Letter auf einem Drucker ohne Duplex: Vorder- neben Rückseiten, zum Falten und Kleben",
  "US Letter on a home printer, cut with ruler and knife":
    "US Letter auf dem Drucker zu Hause, mit Lineal und Messer geschnitten",
  "MakePlayingCards: a picture of each card at 300 dpi and an order for MPC Fill, in a .zip":
    "MakePlayingCards: ein Bild jeder Karte mit 300 dpi und ein Auftrag für MPC Fill, als .zip",
  "MB Print: front and back in turn, text as outlines, no transparency":
    "MB Print: Vorder- und Rückseite im Wechsel, Text als Umrisse, ohne Transparenz",
  "A page for each face with 3 mm of bleed, for a print shop": "Eine Seite je Kartenseite mit 3 mm Anschnitt, für eine Druckerei",
  "A picture of each face at 300 dpi, with 3 mm of bleed": "Ein Bild jeder Kartenseite mit 300 dpi und 3 mm Anschnitt",
  "A print shop that asks for PDF/X-1a: no transparency": "Eine Druckerei, die PDF/X-1a verlangt: ohne Transparenz",
  "A print shop: PDF/X-4, a page for each face, at most 300% ink":
    "Eine Druckerei: PDF/X-4, eine Seite je Kartenseite, höchstens 300 % Farbe",
  "PrinterStudio: a picture of each card at 300 dpi and an order for MPC Fill, in a .zip":
    "PrinterStudio: ein Bild jeder Karte mit 300 dpi und ein Auftrag für MPC Fill, als .zip",
  "Pictures that show a deck off: cards fanned out, a hand of them, and its box":
    "Bilder, die ein Deck zeigen: aufgefächert, auf der Hand und in seiner Schachtel",
  "A3 for a Silhouette cutter: registration marks, and a cut file in SVG and DXF":
    "A3 für einen Silhouette-Plotter: Passermarken und eine Schnittdatei in SVG und DXF",
  "A4 for a Silhouette cutter: registration marks, and a cut file in SVG and DXF":
    "A4 für einen Silhouette-Plotter: Passermarken und eine Schnittdatei in SVG und DXF",
  "US Letter for a Silhouette cutter: registration marks, and a cut file in SVG and DXF":
    "US Letter für einen Silhouette-Plotter: Passermarken und eine Schnittdatei in SVG und DXF",
  "US Tabloid for a Silhouette cutter: registration marks, and a cut file in SVG and DXF":
    "US Tabloid für einen Silhouette-Plotter: Passermarken und eine Schnittdatei in SVG und DXF",
  "US Tabloid on a home printer, on its side: two sheets of Letter in one":
    "US Tabloid quer auf dem Drucker zu Hause: zwei Bögen Letter in einem",
  "A deck for Tabletop Simulator: pictures of up to 70 faces, and the object to load":
    "Ein Deck für Tabletop Simulator: Bilder von bis zu 70 Karten und das Objekt zum Laden",
};

const FAULTS = {
  "preflight/annotations": "Auf der Seite liegt eine Anmerkung oder ein Formularfeld",
  "preflight/art-box": "Die Seite hat eine ArtBox neben der TrimBox",
  "preflight/bleed-marks": "Schwarze Marken stehen im Anschnitt",
  "preflight/bleed-painted": "Die Farbe endet am Schnitt und füllt den Anschnitt nicht",
  "preflight/bleed-width": "Der Anschnitt ist zu schmal",
  "preflight/box-nesting": "Die Rahmen der Seite liegen nicht ineinander",
  "preflight/colour-space": "Ein Farbraum ist nicht erlaubt",
  "preflight/crop-box": "Eine CropBox verdeckt einen Teil der Karte oder des Anschnitts",
  "preflight/damaged": "Die Datei ist beschädigt",
  "preflight/die-line": "Eine Linie, die nur Schnitt oder Falz zeigt, wird mitgedruckt",
  "preflight/embedded-files": "In der Datei stecken andere Dateien",
  "preflight/empty-page": "Eine Seite ist leer",
  "preflight/encryption": "Die Datei ist verschlüsselt",
  "preflight/file-id": "Der Datei fehlt ihre Kennung",
  "preflight/filters": "Daten sind auf eine Weise gepackt, die nicht erlaubt ist",
  "preflight/fonts": "Eine Schrift ist nicht eingebettet oder beschädigt",
  "preflight/glyphs": "Buchstaben fehlen in der eingebetteten Schrift oder haben falsche Breiten",
  "preflight/information": "Titel, Datum oder Überfüllung sind nicht angegeben",
  "preflight/layers": "Die Datei hat Ebenen, die sich abschalten lassen",
  "preflight/line-width": "Eine Linie ist zu dünn",
  "preflight/metadata": "Die Metadaten fehlen oder widersprechen sich",
  "preflight/no-file": "Die Datei ist nicht da oder nicht lesbar",
  "preflight/no-pdf": "Die Datei ist kein PDF",
  "preflight/object-streams": "Objekte sind in Ströme gepackt, die PDF/X-1a nicht kennt",
  "preflight/old-postscript": "Die Datei enthält Dinge alter Drucksysteme",
  "preflight/output-intent": "Die Angabe, für welchen Druck die Datei ist, fehlt oder stimmt nicht",
  "preflight/page-count": "Die Zahl der Seiten stimmt nicht",
  "preflight/page-pairs": "Vorder- und Rückseiten wechseln sich nicht ab",
  "preflight/page-size": "Die Seiten haben nicht alle die richtige Größe",
  "preflight/page-turned": "Eine Seite ist gedreht",
  "preflight/password": "Die Datei verlangt ein Passwort",
  "preflight/pdfx-version": "Die Datei ist nicht die verlangte Fassung von PDF/X",
  "preflight/picture-data": "Die Daten eines Bildes sind unvollständig",
  "preflight/print-area": "Gedruckt würde ein anderer Ausschnitt als die ganze Seite",
  "preflight/profile": "Ein Farbprofil ist beschädigt oder passt nicht",
  "preflight/resolution": "Ein Bild hat zu wenige Bildpunkte für seine Größe",
  "preflight/resources": "Dem Inhalt der Seite fehlt etwas, das er nennt",
  "preflight/rich-black": "Kleine Schrift ist aus mehreren Farben gemischt",
  "preflight/safe-area": "Schrift steht zu nahe am Schnitt",
  "preflight/scripts": "Die Datei enthält Skripte",
  "preflight/spot-colours": "Etwas ist in einer Sonderfarbe gesetzt",
  "preflight/text-size": "Schrift ist zu klein",
  "preflight/too-large": "Die Datei enthält mehr, als sich prüfen lässt",
  "preflight/total-ink": "Zu viel Farbe liegt auf einer Stelle",
  "preflight/transparency": "Etwas scheint durch, was PDF/X-1a nicht erlaubt",
  "preflight/trim-box": "Der Seite fehlt die TrimBox, die den Schnitt angibt",
  "preflight/white-overprint": "Weiß überdruckt und verschwindet",

  "build/placeholders": "Bilder oder Symbole fehlen; Kästen mit ihren Namen stehen dafür",
  "build/text-not-translated": "Nicht übersetzt",
  "build/unread-column": "Spalten der Tabelle werden nirgends gedruckt",
  "build/unsafe-text": "Ein Text reicht aus dem sicheren Bereich",
  "build/word-not-translated": "Ein Wort des Templates ist nicht übersetzt",
  "deck/same-names": "Zeilen mit gleichem Namen sind eigene Karten",
  "deck/all-fields": "Kein Template genannt: alle Felder werden gedruckt",
  "edit/formula": "In der Zelle steht eine Formel",
  "edit/no-card": "Die Karte ist nicht mehr da",
  "edit/not-alone": "Der Wert lässt sich nicht allein ändern",
  "edit/not-here": "In dieser Art von Datei hat der Wert keinen Platz",
  "edit/not-in-project": "Das Deck gehört nicht zum Projekt und wird nicht geschrieben",
  "edit/odd-table": "Die Tabelle ist ungewöhnlich geschrieben",
  "edit/repeated": "Der Wert wird anderswo wiederholt",
  "edit/rows-are-held": "An den Zeilen hängen Kommentare oder Bilder",
  "font/no-face": "Der Schrift fehlt dieser Schnitt",
  "font/no-weight": "Der Schrift fehlt diese Stärke",
  "font/unknown-font": "Die Schrift gibt es hier nicht",
  "icon/cannot-be-read": "Das Symbol lässt sich nicht lesen",
  "icon/empty": "Das Symbol hat keine Form",
  "name/empty": "Ein Name ist leer",
  "name/unknown": "Nicht gefunden: {name}",
  "picture/broken": "Das Bild ist beschädigt",
  "picture/cannot-be-read": "Das Bild lässt sich nicht lesen",
  "picture/too-large": "Das Bild ist zu groß",
  "picture/unknown-format": "Das Format des Bildes ist unbekannt",
  "picture/unreadable": "Das Bild ist beschädigt",
  "print/card-too-large": "Keine Karte passt auf das Papier",
  "print/too-much-memory": "Die Karte braucht zu viel Speicher",
  "print/too-slow": "Die Karte braucht zu lange",
  "studio/deck-exists": "Ein Deck dieses Namens gibt es schon",
  "studio/died": "Das Zeichnen der Karte ist abgebrochen",
  "studio/editor-not-started": "Der Editor lässt sich nicht starten",
  "studio/hung": "Das Zeichnen der Karte dauert zu lange",
  "studio/no-deck": "Dieses Deck gibt es nicht",
  "studio/no-editor": "Es ist kein Editor angegeben",
  "studio/no-pdf": "Preflight liest PDF, und dieses Ziel macht Bilder",
  "studio/nothing-changed": "Nichts hat sich geändert",
  "studio/too-much": "Die Datei ist zu groß",
  "text/missing-character": "Keiner Schrift der Karte ist dieses Zeichen bekannt",
  "text/more-than-one-line": "Der Text hat mehrere Zeilen, gesetzt wird eine",
  "text/set-smaller": "Kleiner gesetzt als auf anderen Karten",
  "text/too-long": "Der Text ist zu lang",
  "text/word-too-wide": "Ein Wort ist zu breit",
};

const isGerman = () => getLanguage() === "de";

/** Return the title of a target in the language of the studio; a project's own has one alone. */
export const nameTarget = (title) => (isGerman() && TARGETS[title]) || title;

/** Return a line on a problem in the language of the studio, or the server's message. */
export function nameFault({ code, message, details }) {
  if (!isGerman() || !FAULTS[code]) return message;
  return FAULTS[code].replace(/\{(\w+)\}/g, (_, name) => details?.[name] ?? "?");
}

/** The attributes of an element with the server's own words. */
export const inEnglish = () => (isGerman() ? { lang: "en" } : {});
