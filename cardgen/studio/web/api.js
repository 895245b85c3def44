// What the page asks of the server: the only module that knows its addresses. They are relative to
// the page's own, which holds the token.
import { nameFault } from "./german.js";
import { say } from "./strings.js";

/** An answer that is no success: `problems`, and `conflicts` where a file has changed meanwhile. */
export class Refused extends Error {
  constructor(status, body) {
    const problems = body?.problems || [];
    super(problems[0] ? nameFault(problems[0]) : `${status}`);
    this.status = status;
    this.problems = problems;
    this.conflicts = body?.conflicts || null;
  }
}

async function ask(path, options = {}) {
  const answer = await fetch(path, { cache: "no-store", ...options }).catch((error) => {
    throw error.name === "AbortError" ? error : new Error(say("offline"));
  });
  if (!answer.ok) throw new Refused(answer.status, await answer.json().catch(() => null));
  return answer;
}

const read = async (path, query) => (await ask(path + makeQuery(query))).json();

async function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

const send = async (path, body, signal) => (await post(path, body, signal)).json();

function makeQuery(values = {}) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined
    && value !== "" && value !== false);
  return pairs.length ? `?${new URLSearchParams(pairs.map(([k, v]) => [k, String(v)]))}` : "";
}

const deckPath = (kind, ...parts) => [kind, ...parts.map(encodeURIComponent)].join("/");

export const readProject = () => read("api/project");
export const readDecks = async () => (await read("api/decks")).decks;
export const readDeck = (name, view) => read(deckPath("api/deck", name), view);
export const readBoxes = (deck, card, side, view) =>
  read(deckPath("api/boxes", deck, card, side), view);
export const readOrigins = async (deck, card, view) =>
  (await read(deckPath("api/origins", deck, card), view)).origins;
export const readSheets = (deck, view, options = {}) =>
  read(deckPath("api/sheets", deck), { ...view, ...options });
export const readIcons = async () => (await read("api/icons")).icons;
export const readTemplates = async () => (await read("api/templates")).templates;

export const tellSeen = (deck, view, cards, dpi) => send("api/seen", { deck, view, cards, dpi });
export const tryCard = (deck, view, card, values, signal) =>
  send("api/try", { deck, view, card, values }, signal);
export const sendEdits = (deck, view, edits) => send("api/edit", { deck, view, edits });
export const givePicture = async (file, about) => {
  const query = makeQuery({ name: file.name, ...about });
  const headers = { "Content-Type": "application/octet-stream" };
  return (await ask(`api/picture${query}`, { method: "POST", headers, body: file })).json();
};
export const undo = (deck) => send("api/undo", { deck });
export const redo = (deck) => send("api/redo", { deck });
export const forgetStep = (deck, step) => send("api/forget", { deck, step });
export const openPlace = (place, editor) => send("api/open", { place, editor });
export const preflight = (deck, view, options) => send("api/preflight", { deck, view, options });
export const shuffleDeck = (deck, view, seed) => send("api/deal", { deck, view, seed });
export const makeDeck = (values) => send("api/new", values);
export const importFile = async (file, answers) => {
  const query = makeQuery({ name: file.name, ...answers });
  const headers = { "Content-Type": "application/octet-stream" };
  return (await ask(`api/import${query}`, { method: "POST", headers, body: file })).json();
};

/** Build the deck's file and hand it to the browser as a download. */
export async function downloadBuild(deck, view, options) {
  const answer = await post("api/build", { deck, view, options });
  const named = /filename="?([^";]+)"?/.exec(answer.headers.get("Content-Disposition") || "");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = named ? named[1] : `${deck}.pdf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return link.download;
}

const EVENTS = ["hello", "drawing", "changed", "moved", "checked", "reload", "decks", "page", "end"];

/** Listen to what happens to a deck; `tell(event, data)` is called for each. */
export function openEvents(deck, view, tell) {
  const source = new EventSource(`events${makeQuery({ deck, ...view })}`);
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => tell(name, JSON.parse(event.data || "{}")));
  }
  source.addEventListener("error", () => tell("lost", { ended: source.readyState === 2 }));
  return source;
}

export const addDpi = (url, dpi) => `${url}${url.includes("?") ? "&" : "?"}dpi=${dpi}`;
