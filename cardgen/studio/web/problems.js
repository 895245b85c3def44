// What is wrong: the banner above everything, and the list beside it with code, cause and cure.
import * as api from "./api.js";
import { announce, drawIcon, fill, make, makeButton, renew } from "./dom.js";
import { findCure, inEnglish, nameFault } from "./german.js";
import { countMissed, tryMissed } from "./picture.js";
import { makeRoute, settings, state, tell } from "./store.js";
import { say } from "./strings.js";

const ORDER = { error: 0, warning: 1, note: 2 };

/** Return all problems, those of the deck first, then those of the cards in their order. */
export function listProblems() {
  if (!state.deck) return [];
  const own = state.deck.problems || [];
  const found = state.deck.cards.flatMap((card) =>
    (card.problems || []).map((problem) => ({ ...problem, card: card.id, name: card.name })));
  return [...own, ...found].sort((a, b) => ORDER[getLevel(a)] - ORDER[getLevel(b)]);
}

/** Return problems with those as one that differ in their places alone. */
export function joinAlike(problems) {
  const joined = new Map();
  for (const problem of problems) {
    const key = JSON.stringify([problem.card, problem.code, problem.message, problem.hint]);
    if (!joined.has(key)) joined.set(key, { ...problem, places: [] });
    joined.get(key).places.push(problem.place);
  }
  return [...joined.values()];
}

export const getLevel = (problem) => (problem.level in ORDER ? problem.level : "error");

export function countProblems() {
  const all = listProblems();
  const errors = all.filter((problem) => getLevel(problem) === "error").length;
  return { errors, warnings: all.length - errors };
}

export const formatPlace = (place) => place
  && [place.file, place.line, place.line && place.column].filter((part) => part).join(":");

/** Return a button that opens a place in the editor; `label` says what the place is. */
export function makePlaceButton(place, text = formatPlace(place), label = null) {
  const button = makeButton({ icon: "external", text, label, bare: Boolean(label), kind: "small",
    onClick: () => openIn(place) });
  button.title = label || say("open_editor", { place: formatPlace(place) });
  return button;
}

export async function openIn(place) {
  try {
    const { url } = await api.openPlace(place, settings.editor || undefined);
    // The server makes this address, and only of schemes that it knows.
    if (url && /^[a-z-]+:\/\/(file|open)\b/.test(url)) location.href = url;
    announce(say("editor_opened", { place: formatPlace(place) }));
  } catch (error) {
    showBanner({ refused: error.problems || [], words: error.message });
  }
}

export const describeShrunk = ({ text, size, usual }) => say("smaller", { field: text, size, usual });

function drawAllShrunk() {
  const cards = state.deck.cards.filter((card) => card.shrunk?.length);
  if (!cards.length) return null;
  const n = cards.reduce((sum, card) => sum + card.shrunk.length, 0);
  return make("details", { class: "more" }, make("summary", {}, say("set_smaller_n", { n })),
    make("ul", {}, cards.slice(0, 300).map((card) => make("li", { class: "finding" },
      make("a", { href: makeRoute("card", card.id) }, card.name),
      card.shrunk.map((one) => make("p", { class: "quiet" }, describeShrunk(one)))))));
}

export function drawFinding(problem) {
  const level = getLevel(problem);
  const name = nameFault(problem);
  const cure = findCure(problem);
  const told = cure ? [["hint", problem.hint]] : [["cause", problem.cause], ["cure", problem.hint || problem.cure]];
  return make("li", { class: "finding", data: { level } },
    make("div", { class: "finding-head" },
      drawIcon(level === "error" ? "error" : level === "warning" ? "warning" : "note"),
      make("p", {}, make("span", { class: "unseen" }, `${say(`level_${level}`)}: `),
        problem.message === name ? make("span", inEnglish(), name) : name)),
    make("dl", {},
      problem.card && [make("dt", {}, say("on_card")), make("dd", {},
        make("a", { href: makeRoute("card", problem.card) }, problem.name || problem.card))],
      name !== problem.message && [make("dt", {}, say("said")), make("dd", inEnglish(), problem.message)],
      cure && [make("dt", {}, say("cure")), make("dd", {}, cure)],
      told.map(([key, words]) => words && [make("dt", {}, say(key)), make("dd", inEnglish(), words)]),
      problem.code && [make("dt", {}, say("code")), make("dd", { class: "mono" }, problem.code)]),
    drawPlaces(problem.places || [problem.place]));
}

function drawPlaces(places) {
  const known = new Map(places.filter(Boolean).map((place) => [formatPlace(place), place]));
  return known.size > 0 && make("div", { class: "finding-places" }, [...known.values()].map((place) => makePlaceButton(place)));
}

export function toggleProblems() {
  const side = document.getElementById("side");
  side.hidden = !side.hidden;
  updateProblems();
  tell("problems");
  if (!side.hidden) side.querySelector("button").focus();
  else document.querySelector('[data-part="problems"]')?.focus();
}

export function updateProblems() {
  const side = document.getElementById("side");
  if (!state.deck) side.hidden = true;
  if (side.hidden) { fill(side); return; }
  const all = listProblems();
  const top = side.querySelector(".side-body")?.scrollTop || 0;
  const held = side.querySelector("header button") === document.activeElement;
  const wasOpen = side.querySelector("details")?.open;
  const body = make("div", { class: "side-body", tabindex: 0, "aria-label": say("problems"), role: "region" },
    all.length
      ? make("ul", {}, joinAlike(all).slice(0, 200).map(drawFinding))
      : make("div", { class: "empty" }, drawIcon("check"), make("h2", {}, say("no_problems")),
        make("p", {}, say("no_problems_more"))),
    drawAllShrunk());
  const close = makeButton({ icon: "close", label: say("close"), bare: true, onClick: toggleProblems });
  fill(side, make("header", { class: "side-head" }, make("h2", {}, say("problems")),
    all.length ? make("span", { class: "quiet" }, String(all.length)) : null, close), body);
  if (wasOpen) body.querySelector("details")?.setAttribute("open", "");
  body.scrollTop = top;
  if (held) close.focus();
}

/** Show what concerns the whole deck: it cannot be read, the server has ended, something failed. */
export function showBanner({ offline = false, refused = null, words = "" } = {}) {
  const banner = document.getElementById("banner");
  if (offline) {
    fill(banner, drawNotice("warning", [make("p", {}, words || say(state.drafts.size ? "offline_typed" : "offline"))]));
    return;
  }
  if (refused) {
    const lines = refused.length ? refused.map(drawLine) : [make("p", {}, words)];
    fill(banner, drawNotice("error", lines, () => showBanner()));
    return;
  }
  if (state.deck?.state === "broken") {
    const errors = (state.deck.problems || []).filter((p) => getLevel(p) === "error");
    fill(banner, drawNotice("error", [make("p", {}, make("strong", {}, say(state.deck.cards.length ? "deck_broken" : "deck_unread"))),
      errors.slice(0, 3).map(drawLine)]));
    return;
  }
  renew(banner, drawMissed(document.getElementById("main")));
}

/** Return a notice of the pictures within an element that did not come, with a button that asks again. */
export function drawMissed(root) {
  const n = countMissed(root);
  return n > 0 && make("div", { class: "notice warning" }, drawIcon("warning"),
    make("p", { class: "notice-text" }, say("pictures_missed", { n })),
    makeButton({ part: "again", text: say("again"), kind: "small", onClick: tryMissed }));
}

function drawNotice(level, lines, onClose) {
  return make("div", { class: `notice ${level}` },
    drawIcon(level === "error" ? "error" : "warning"), make("div", { class: "notice-text" }, lines),
    onClose && makeButton({ icon: "close", label: say("close"), bare: true, kind: "small",
      onClick: onClose }));
}

function drawLine(problem) {
  const name = nameFault(problem);
  const german = findCure(problem);
  const cure = german || problem.hint || problem.cure;
  const said = make("span", inEnglish(), problem.message);
  const isTold = problem.message !== name && Object.keys(problem.details || {}).length > 0;
  return make("div", { class: "notice-line" },
    make("div", {}, make("p", {}, isTold ? name : problem.message === name ? said : [`${name}: `, said]),
      cure && make("p", { class: "quiet" }, `${say("cure")}: `, make("span", german ? {} : inEnglish(), cure))),
    problem.place && makePlaceButton(problem.place));
}
