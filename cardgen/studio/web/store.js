// What the studio knows at the moment, and who wants to hear of changes to it.

/**
 * project: the folder's decks and editors
 * deck: what the server says of the open deck, or null
 * view: what is chosen of target, look, language and printer; what the deck shows by itself is none
 * usual: what the deck shows by itself of these
 * side: "front" or "back", for the wall; `turned`: the ids of cards that show their other side
 * fresh: the ids of cards that the last save has changed, which `save` names
 * before: by card, the faces that it had before the last save
 * drafts: by card, what is typed and not saved yet
 * opened: the card that was opened last
 */
export const state = {
  project: null,
  deck: null,
  view: {},
  usual: {},
  side: "front",
  turned: new Set(),
  fresh: new Set(),
  save: null,
  before: new Map(),
  drafts: new Map(),
  opened: null,
  filter: { text: "", kind: "", show: "all" },
};

const listeners = new Map();

/** Call `listen` at each event of a name; return a function that ends it. */
export function hear(event, listen) {
  if (!listeners.has(event)) listeners.set(event, new Set());
  listeners.get(event).add(listen);
  return () => listeners.get(event).delete(listen);
}

export function tell(event, data) {
  const all = listeners.get(event) || new Set();
  // Whoever is told first may open another view: the one before it hears nothing more.
  for (const listen of [...all]) if (all.has(listen)) listen(data);
}

/** Wait until what is told of the deck makes something so, or somebody would wonder. */
export function waitUntil(isSo) {
  return new Promise((go) => {
    if (isSo()) { go(); return; }
    const done = () => { clearTimeout(timer); end(); go(); };
    const end = hear("deck", () => { if (isSo()) done(); });
    const timer = setTimeout(done, PATIENCE);
  });
}

const PATIENCE = 5000; // milliseconds

/** Return a view with another choice. What is usual is left out, so that it is asked for as one. */
export function choose(view, key, value) {
  const { [key]: _, ...others } = view;
  return value && value !== state.usual[key] ? { ...others, [key]: value } : others;
}

/** Return what a view shows of target, look, language or printer. */
export const getShown = (view, key) => view[key] || state.usual[key] || "";

/** Whether the open deck is the project's own, and may be written. */
export const canWrite = () => state.deck?.own !== false;

/** Whether any card of the open deck has a back. */
export const hasBacks = () => Boolean(state.deck?.cards.some((card) => card.faces.back));

export const findCard = (id) => state.deck?.cards.find((card) => card.id === id);

/** Return the hash that leads to a view of the open deck, or to one of its cards. */
export const makeRoute = (view, card, deck = state.deck?.name) =>
  `#/${[deck, view, card].filter((part) => part !== undefined && part !== null)
    .map(encodeURIComponent).join("/")}`;

const KEPT = "cardgen-studio";
// Two cards lie beside one another on a phone.
const SIZE = innerWidth < 500 ? 160 : 208;
const USUAL = { theme: "auto", words: "", size: SIZE, paper: 340, singleKeys: true, editor: "" };
export const settings = { ...USUAL, ...readKept() };

export function keepSetting(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(KEPT, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing forgets the settings with the page.
  }
  tell("setting", name);
}

function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) || {};
  } catch {
    return {};
  }
}
