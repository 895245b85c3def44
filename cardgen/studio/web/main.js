// The page's frame: the bar on top, the routes, the keys, the stream of events.
import * as api from "./api.js";
import { openCard } from "./card.js";
import { openCovers } from "./covers.js";
import { openDeal } from "./deal.js";
import { announce, debounce, drawIcon, fill, isTyping, make, makeButton, renew } from "./dom.js";
import { givePicture, isPicture, offerToForget } from "./editing.js";
import { openEmpty } from "./empty.js";
import { openHelp, openSettings } from "./help.js";
import { openImport } from "./importing.js";
import { countMissed } from "./picture.js";
import { openPrint } from "./print.js";
import { showBanner, toggleProblems, updateProblems, countProblems } from "./problems.js";
import { openSheets } from "./sheets.js";
import { canWrite, hear, keepSetting, makeRoute, settings, state, tell } from "./store.js";
import { say, setWords } from "./strings.js";
import { openTable } from "./table.js";
import { hearTaken, keepWaiting, takeWaiting } from "./waiting.js";
import { openWall } from "./wall.js";

const VIEWS = { cards: openWall, card: openCard, sheets: openSheets, table: openTable,
  deal: openDeal };
const TABS = [["cards", "cards"], ["sheets", "sheets"], ["table", "table"], ["deal", "deal"]];

const PATIENCE = 1500; // milliseconds
const AT_ONCE = 100; // within which many pictures say the same
const place = { view: null, name: "", deck: "", card: null, isEmpty: false };
const left = new Map(); // by deck: what is typed there and not saved yet, and the view it is of
let stream = null;
let turn = Promise.resolve(); // what is told is taken up one after the other
let asked = 0;
let opened = 0; // counts the decks that were asked for: what is answered after the next one is late
let missing = 0; // the timer that tells that the server does not come back
let isLost = false; // whether it is gone
let goesOn = ""; // what is said where another page has taken what was typed

async function start() {
  applySettings();
  drawFrame();
  window.addEventListener("hashchange", go);
  window.addEventListener("beforeunload", (event) => {
    if (state.drafts.size || left.size) event.preventDefault();
  });
  document.addEventListener("keydown", onKey);
  hear("setting", (name) => {
    if (name === "theme") applySettings();
    if (name === "words") { applySettings(); drawFrame(); go(); }
  });
  hear("view", openDeck);
  hear("deck", followCards);
  hear("problems", drawBar);
  hear("anew", debounce(() => inTurn(readAnew), AT_ONCE));
  hear("missed", debounce(() => { if (!isLost) showBanner(); }, AT_ONCE));
  watchDrops();
  document.addEventListener("input", () => { if (isLost) leaveWaiting(); });
  hearTaken(() => {
    if (!isLost) return;
    state.drafts.clear();
    left.clear();
    goesOn = say("goes_on");
    showBanner({ offline: true, words: goesOn });
  });
  hear("decks", readDecks);
  try {
    state.project = { decks: [], ...await api.readProject() };
  } catch (error) {
    showLost(error);
    return;
  }
  const waiting = takeWaiting(state.project.folder);
  waiting?.decks.forEach(([name, one]) => left.set(name, one));
  if (!location.hash && waiting) history.replaceState(null, "", waiting.hash);
  if (!location.hash && state.project.open) {
    history.replaceState(null, "", makeRoute("cards", null, state.project.open));
  }
  await go();
  await readDecks();
}

/** Ask for the project's decks, which takes a while: nothing waits for them. */
async function readDecks() {
  if (location.hash.length < 3) return;
  state.project.decks = await api.readDecks().catch(() => state.project.decks);
  const select = document.querySelector('[data-part="deck"]');
  if (select && state.deck) fill(select, drawDecks());
}

function applySettings() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  const wanted = settings.words || navigator.language.slice(0, 2);
  setWords(wanted);
}

// Routes: #/DECK/cards, #/DECK/card/ID, #/DECK/sheets, …, #/import, #/

async function go() {
  const [deck = "", name = "cards", card = null] = readRoute();
  const mine = ++asked;
  const same = place.view && place.deck === deck && place.name === name;
  if (same && place.view.go) {
    place.card = card;
    place.view.go(card);
    return;
  }
  place.view?.leave?.();
  Object.assign(place, { view: null, name, deck, card });
  const main = document.getElementById("main");
  if (countMissed(main)) tell("missed"); // which are not shown any more
  if (deck === "" || deck === "import") {
    closeDeck();
    place.view = deck === "" ? openCovers(main) : openImport(main);
    drawBar();
    return;
  }
  if (state.deck?.name !== deck) {
    fill(main, make("p", { class: "empty" }, say("loading")));
    closeDeck();
    state.view = left.get(deck)?.view ?? {};
    if (!(await openDeck(deck)) || mine !== asked) return;
    left.get(deck)?.drafts.forEach((draft, card) => state.drafts.set(card, draft));
    left.delete(deck);
  }
  openView();
}

function openView() {
  const main = document.getElementById("main");
  place.view?.leave?.();
  place.isEmpty = !state.deck.cards.length;
  fill(main);
  place.view = (place.isEmpty ? openEmpty : VIEWS[place.name] || openWall)(main, place.card);
  drawBar();
  if (!main.contains(document.activeElement)) main.focus({ preventScroll: true });
}

/** Open the view anew when the deck gets its first card, or loses its last. */
function followCards() {
  if (place.view && state.deck && place.isEmpty !== !state.deck.cards.length) openView();
}

const readRoute = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean)
  .map(decodeURIComponent);

async function openDeck(name = state.deck.name) {
  stream?.close();
  const mine = ++opened;
  const isLeft = () => mine !== opened || place.deck !== name;
  try {
    const told = await api.readDeck(name, state.view);
    if (isLeft()) return false;
    setDeck({ name, ...told });
  } catch (error) {
    if (isLeft()) return false;
    if (!(error instanceof api.Refused)) { showLost(error); return false; }
    showRefused(name, error);
    return false;
  }
  const events = api.openEvents(name, state.view, (event, data) => {
    inTurn(() => (stream === events ? onEvent(event, data) : null));
  });
  stream = events;
  return true;
}

/** Do something after all that was begun before; an answer never comes over what was told later. */
function inTurn(work) {
  turn = turn.then(work).catch(reportError);
  return turn;
}

function setDeck(told) {
  // Of a deck that could not be read yet, only its problems are told.
  const deck = { title: told.name, cards: [], fields: [], switches: {}, problems: [], ...told };
  deck.designs ??= deck.cards.length;
  deck.copies ??= deck.cards.length;
  state.deck = deck;
  for (const [key, shown] of Object.entries(deck.view || {})) {
    if (!state.view[key]) state.usual[key] = shown;
  }
  document.title = `${deck.title} · cardgen`;
  showBanner();
  updateProblems();
  drawBar();
  tell("deck", { all: true, ids: deck.cards.map((card) => card.id) });
}

function closeDeck() {
  if (state.drafts.size) left.set(state.deck.name, { drafts: new Map(state.drafts), view: state.view });
  stream?.close();
  stream = null;
  state.deck = null;
  state.view = {};
  state.usual = {};
  state.opened = null;
  for (const kept of [state.before, state.drafts, state.fresh, state.turned]) kept.clear();
  state.filter = { text: "", kind: "", show: "all" };
  document.title = "cardgen studio";
  showBanner();
  updateProblems();
}

// Events

async function onEvent(name, data) {
  const { deck } = state;
  clearTimeout(missing);
  if (name === "lost") {
    if (data.ended) takeLoss();
    else missing = setTimeout(takeLoss, PATIENCE);
    return;
  }
  if (name === "end") { takeLoss(); return; }
  if (!deck) return;
  if (name === "hello") {
    if (isLost) keepWaiting(state.project.folder, "", new Map());
    isLost = false;
    goesOn = "";
    showBanner();
    if (data.v !== deck.v || data.checks !== deck.checks) await readAnew();
  } else if (name === "reload") {
    await readAnew();
  } else if (name === "changed") {
    takeChange(data);
    if (knowsMore(data)) await readAnew();
  } else if (name === "moved") {
    deck.v = data.v;
    for (const card of deck.cards) card.place = data.places[card.id] || card.place;
    tell("deck", { all: false, ids: Object.keys(data.places) });
  } else if (name === "checked") {
    takeChecked(data);
  } else if (name === "page") {
    location.reload();
  } else if (name === "decks") {
    tell("decks");
  }
}

/** Say that the server is gone, and let what is typed wait for the page of the next one. */
function takeLoss() {
  isLost = true;
  showBanner({ offline: true, words: goesOn });
  leaveWaiting();
}

function leaveWaiting() {
  const all = new Map(left);
  if (state.drafts.size) all.set(state.deck.name, { drafts: state.drafts, view: state.view });
  keepWaiting(state.project.folder, location.hash, all);
}

async function readAnew() {
  if (!state.deck) return;
  const { name } = state.deck;
  const told = await api.readDeck(name, state.view).catch(() => null);
  if (told && state.deck?.name === name) setDeck({ name, ...told });
}

/** Whether cards have fields that the deck was not known to have, as when it can be read at last. */
function knowsMore({ cards = [], state: now }) {
  const known = new Set(state.deck.fields.map((field) => field.name));
  return now === "ok" && (!state.deck.file
    || cards.some((card) => Object.keys(card.fields).some((name) => !known.has(name))));
}

function takeChange(data) {
  const { deck } = state;
  const known = new Map(deck.cards.map((card) => [card.id, card]));
  const changed = [];
  for (const card of data.cards || []) {
    const old = known.get(card.id);
    if (old && differs(old, card)) {
      state.before.set(card.id, old.faces);
      changed.push(card);
    }
    known.set(card.id, card);
  }
  (data.gone || []).forEach((id) => known.delete(id));
  if (data.order) deck.cards = data.order.map((id) => known.get(id)).filter(Boolean);
  else deck.cards = [...known.values()];
  for (const key of ["v", "state", "problems", "designs", "copies", "undo", "redo"]) {
    if (data[key] !== undefined) deck[key] = data[key];
  }
  if (changed.length) {
    // What is not on the screen is told after what is.
    if (data.save !== state.save) state.fresh = new Set();
    state.save = data.save;
    changed.forEach((card) => state.fresh.add(card.id));
    announce(say("changed_cards", { n: state.fresh.size, name: changed[0].name }));
  }
  showBanner();
  updateProblems();
  drawBar();
  const all = Boolean(data.order || data.gone?.length);
  tell("deck", { all, ids: (data.cards || []).map((card) => card.id), ms: data.ms });
}

const differs = (old, card) => ["front", "back"].some(
  (side) => old.faces[side]?.v !== card.faces[side]?.v,
);

function takeChecked(data) {
  state.deck.checks = data.checks;
  for (const card of state.deck.cards) {
    const found = data.cards?.[card.id];
    if (found) Object.assign(card, found);
  }
  updateProblems();
  drawBar();
  tell("deck", { all: false, ids: Object.keys(data.cards || {}) });
}

// The bar

function drawFrame() {
  const skip = document.getElementById("skip");
  fill(skip, say("skip"));
  skip.onclick = (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  };
  document.getElementById("side").setAttribute("aria-label", say("problems"));
  drawBar();
}

function drawBar() {
  const { deck } = state;
  const bar = document.getElementById("bar");
  const current = getTab();
  const { errors, warnings } = countProblems();
  const n = errors + warnings;
  renew(bar,
    make("a", { class: "brand", href: "#/", "aria-label": `cardgen: ${say("all_decks")}`, data: { part: "brand" } },
      drawIcon("deal"), make("span", {}, "cardgen")),
    deck && make("div", { class: "bar-deck" },
      make("select", { class: "select", "aria-label": say("deck"), data: { part: "deck" },
        on: { change: (event) => {
          location.hash = makeRoute(getTab(), null, event.target.value);
        } } },
      drawDecks())),
    deck && make("nav", { class: "views", "aria-label": say("views") },
      TABS.map(([view, icon]) => make("a", { href: makeRoute(view), data: { part: view },
        "aria-current": current === view ? "page" : null },
      drawIcon(icon), say(`view_${view}`)))),
    make("div", { class: "tools" },
      deck && [
        makeButton({ part: "undo", icon: "undo", label: nameStep("undo", deck.undo), key: "Ctrl+Z",
          bare: true, disabled: !deck.undo, onClick: () => step("undo") }),
        makeButton({ part: "redo", icon: "redo", label: nameStep("redo", deck.redo),
          key: "Ctrl+Shift+Z", bare: true, disabled: !deck.redo, onClick: () => step("redo") }),
        drawProblemButton(errors, n),
        makeButton({ part: "print", icon: "print", text: say("print"), kind: "strong",
          disabled: !deck.cards.length, onClick: openPrint }),
      ],
      makeButton({ part: "theme", icon: isDark() ? "sun" : "moon", bare: true,
        label: say(isDark() ? "theme_light" : "theme_dark"), onClick: switchTheme }),
      makeButton({ part: "settings", icon: "settings", label: say("settings"), bare: true,
        onClick: openSettings }),
      makeButton({ part: "help", icon: "help", label: say("help"), key: "?", bare: true,
        onClick: openHelp }),
    ),
  );
}

const getTab = () => (place.name === "card" ? "cards" : place.name);

const nameStep = (key, step) => (step ? `${say(key)}: ${say(`step_${step.kind}`, step)}` : say(key));

function drawProblemButton(errors, n) {
  const level = errors ? "error" : n ? "warning" : "none";
  const button = makeButton({ part: "problems", icon: n ? (errors ? "error" : "warning") : "check", bare: true,
    kind: "problem-count", text: n ? String(n) : null, label: say("no_problems"),
    onClick: toggleProblems });
  button.dataset.level = level;
  button.title = n ? say("problems_n", { n }) : say("no_problems");
  button.setAttribute("aria-label", button.title);
  button.setAttribute("aria-expanded", String(!document.getElementById("side").hidden));
  return button;
}

/** Return the decks to choose from, those of the project first. */
function drawDecks() {
  const { deck, project } = state;
  const known = project?.decks || [];
  const all = known.some(({ name }) => name === deck.name) ? known : [deck, ...known];
  const draw = (decks) => decks.map(({ name, title }) =>
    make("option", { value: name, selected: name === deck.name }, title));
  const given = all.filter(({ own }) => own === false);
  if (!given.length) return draw(all);
  const own = all.filter((one) => !given.includes(one));
  return [own.length > 0 && make("optgroup", { label: say("decks_here") }, draw(own)),
    make("optgroup", { label: say("decks_given") }, draw(given))];
}

const isDark = () => settings.theme === "dark"
  || (settings.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);

function switchTheme() {
  keepSetting("theme", isDark() ? "light" : "dark");
  drawBar();
}

async function step(which) {
  if (!state.deck?.[which]) return;
  try {
    const done = await (which === "undo" ? api.undo : api.redo)(state.deck.name);
    Object.assign(state.deck, { undo: done.undo, redo: done.redo });
    announce(say(which === "undo" ? "undone" : "redone"));
    // Saved and taken back before the server has read the file: nobody tells of what did not change.
    await inTurn(readAnew);
  } catch (error) {
    if (error.conflicts?.length) await offerToForget(which, error.conflicts);
    else showBanner({ refused: error.problems || [], words: error.message });
  }
  drawBar();
}

// Keys

function onKey(event) {
  const control = event.ctrlKey || event.metaKey;
  if (document.querySelector("dialog[open]")) return;
  if (place.view?.key?.(event)) { event.preventDefault(); return; }
  const key = event.key.toLowerCase();
  if (control && state.deck) {
    if (key === "z" && !isTyping(event.target)) {
      event.preventDefault();
      step(event.shiftKey ? "redo" : "undo");
    } else if (key === "y" && !isTyping(event.target)) {
      event.preventDefault();
      step("redo");
    } else if (key === "p") {
      event.preventDefault();
      if (state.deck.cards.length) openPrint();
    }
    return;
  }
  if (control || event.altKey || isTyping(event.target)) return;
  if (event.key === "Escape" && !document.getElementById("side").hidden) {
    toggleProblems();
    return;
  }
  if (!settings.singleKeys) return;
  if (event.key === "?") { event.preventDefault(); openHelp(); return; }
  if (!state.deck) return;
  if (key === "p") { event.preventDefault(); toggleProblems(); return; }
  const tab = TABS[Number(event.key) - 1];
  if (tab) location.hash = makeRoute(tab[0]);
}

// What went wrong

function showLost(error) {
  showBanner({ offline: true });
  fill(document.getElementById("main"), make("div", { class: "empty" },
    drawIcon("error"), make("p", {}, say("offline")), make("p", { class: "quiet" }, error.message),
    makeButton({ text: say("again"), onClick: () => location.reload() })));
}

function showRefused(name, error) {
  showBanner({ refused: error.problems, words: error.message });
  fill(document.getElementById("main"), make("div", { class: "empty" }, drawIcon("error"),
    make("h2", {}, `${name}: ${say("cannot_open")}`),
    make("a", { class: "button", href: "#/" }, say("all_decks"))));
  drawBar();
}

/** A picture that is dropped on a card becomes its own; any other file is imported. */
function watchDrops() {
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
  let over = null; // what shows the card that a picture is over
  const leave = () => {
    document.body.classList.remove("dropping");
    over?.classList.remove("dropping");
    over = null;
  };
  document.addEventListener("dragover", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    leave();
    const { element } = findDropCard(event.target);
    const isGiven = [...event.dataTransfer.items].some(({ type }) => type.startsWith("image/"));
    over = isGiven && element ? element : document.body;
    over.classList.add("dropping");
  });
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) leave(); });
  document.addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    leave();
    const [file] = event.dataTransfer.files;
    if (state.deck && isPicture(file)) { takePicture(file, findDropCard(event.target)); return; }
    state.dropped = file;
    if (place.deck === "import") tell("dropped");
    else location.hash = "#/import";
  });
}

/** Return the card that something is dropped on, with what shows it and the field that is meant. */
function findDropCard(target) {
  if (!state.deck || !(target instanceof Element)) return {};
  if (place.name === "card") {
    return { id: place.card, element: document.querySelector(".one"),
      field: target.closest("[data-picture]")?.dataset.picture };
  }
  const element = target.closest(".card, .grid tbody tr");
  const id = element?.dataset.id ?? state.deck.cards[element?.sectionRowIndex]?.id;
  return id === undefined ? {} : { id, element };
}

function takePicture(file, { id, field }) {
  if (!canWrite() || id === undefined) {
    showBanner({ refused: [], words: say(canWrite() ? "drop_on_card" : "read_only") });
    return;
  }
  givePicture(id, file, field);
}

start();
