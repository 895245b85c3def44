// What is typed and not saved when the server ends: it waits in the browser for the page that the
// next server opens, whose address is another one of the same origin.

const KEPT = "cardgen-studio-waiting";

/** Let what is typed wait; `decks` has by deck its drafts and its view. */
export function keepWaiting(folder, hash, decks) {
  const told = [...decks].map(([name, { drafts, view }]) => [name, { drafts: [...drafts], view }]);
  try {
    if (told.length) localStorage.setItem(KEPT, JSON.stringify({ folder, hash, decks: told }));
    else localStorage.removeItem(KEPT);
  } catch {
    // A browser that keeps nothing warns of it before the page is closed.
  }
}

/** Return what waits for a page of the same project, once; null where nothing does. */
export function takeWaiting(folder) {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT));
    if (kept?.folder !== folder) return null;
    localStorage.removeItem(KEPT);
    const decks = kept.decks.map(([name, { drafts, view }]) => [name, { drafts: new Map(drafts), view }]);
    return { hash: kept.hash, decks };
  } catch {
    return null;
  }
}

/** Call `listen` when another page has taken what waits. */
export function hearTaken(listen) {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === KEPT && newValue === null) listen();
  });
}
