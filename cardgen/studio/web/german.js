// What the server says in English, in German: the titles of cardgen's targets, and what is wrong, with
// the names and numbers that are told apart. The message itself stays English, and is marked as such.
import { DOUBTS, ENDINGS, FAULTS, GUESSES, REASONS, YAML } from "./faults.js";
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
  "A page for each face with 3 mm of bleed, for a print shop": "Eine Seite je Kartenseite, mit 3 mm Anschnitt für eine Druckerei",
  "A picture of each face at 300 dpi, with 3 mm of bleed": "Ein Bild jeder Kartenseite, mit 300 dpi und 3 mm Anschnitt",
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

const isGerman = () => getLanguage() === "de";

/** Return the title of a target in the language of the studio; a project's own has one alone. */
export const nameTarget = (title) => (isGerman() && TARGETS[title]) || title;

/** Return a line on a problem in the language of the studio, or the server's message. */
export function nameFault({ code, message, details, field }) {
  if (!isGerman() || !FAULTS[code]) return message;
  return fillIn([FAULTS[code]].flat()[0], { field, ...details, ...nameSaid(details) });
}

/** Return a line with its details; what stands in brackets is left out where one is missing. */
function fillIn(line, details = {}) {
  const told = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, formatDetail(value)]));
  return line.replace(/\[([^\]]+)\]/g, (_, part) => {
    const names = [...part.matchAll(NAMED)].map(([, name]) => name);
    return names.every((name) => told[name]) ? part.replace(NAMED, (_, name) => told[name]) : "";
  });
}

/** Return what a reader says of a file's writing, in German; nothing where it says something rare. */
const nameSaid = (details) => (details?.said === undefined ? {} : { said: YAML[details.said]?.[0] });

const NAMED = /\{(\w+)\}/g;
const MOST = 3; // of a list

/** Return a detail as it is read in German; of a list, what stands between its outer quotes. */
function formatDetail(value) {
  if (typeof value === "number") return value.toLocaleString("de", { maximumFractionDigits: 2 });
  if (!Array.isArray(value)) return typeof value === "string" ? value : "";
  return value.slice(0, MOST).join("“, „") + (value.length > MOST ? "“, „…" : "");
}

/** Return how a problem is mended, in German; null where there is only the server's English. */
export function findCure({ code, details }) {
  if (!isGerman() || !Array.isArray(FAULTS[code])) return null;
  return YAML[details?.said]?.[1] ?? FAULTS[code][1];
}

/** Return a line on a doubt of an import in German; null where there is only the server's English. */
export const nameDoubt = ({ kind, details }) => (isGerman() && DOUBTS[kind] ? fillIn(DOUBTS[kind], details) : null);

/** Return why an import left a line out. */
export const nameReason = (why) => (isGerman() && translate(REASONS, why, /"([^"]*)"/g)) || why;

/** Return what the cards of a file may be, and how these lines are printed. */
export function nameGuess(what) {
  if (!isGerman()) return what;
  const ending = Object.keys(ENDINGS).find((one) => what.endsWith(` ${one}`));
  const lines = translate(GUESSES, ending ? what.slice(0, -ending.length - 1) : what, /(\d+)/g);
  return lines ? [lines, ENDINGS[ending]].filter(Boolean).join(" ") : what;
}

/** Return a line with names in it, which a pattern finds; nothing where there is none in German. */
function translate(lines, line, pattern) {
  const names = [];
  const key = line.replace(pattern, (_, name) => `{${names.push(name)}}`);
  return lines[key]?.replace(/\{(\d)\}/g, (_, number) => names[number - 1]);
}

/** The attributes of an element with the server's own words. */
export const inEnglish = () => (isGerman() ? { lang: "en" } : {});
