// The wall: every face of the deck, live.
import * as api from "./api.js";
import { debounce, drawIcon, fill, isTyping, make, makeButton, renew } from "./dom.js";
import { nameFault } from "./german.js";
import { Picture, chooseDpi, watchPictures } from "./picture.js";
import { describeShrunk, getLevel } from "./problems.js";
import { findCard, hasBacks, hear, keepSetting, makeRoute, settings, state } from "./store.js";
import { say } from "./strings.js";
import { makeSwitches } from "./switches.js";

const SMALLEST = 112;
const LARGEST = 448;

export function openWall(host) {
  const items = new Map(); // by card: its element, its picture
  const list = make("ul", { class: "wall" });
  const scroll = make("div", { class: "scroll" }, list);
  const tally = make("span", { class: "tally", role: "status" });
  const tools = make("div", { class: "toolbar" });
  const tellSeen = debounce(sendSeen, 120);
  const sharpen = debounce(() => state.deck?.cards.forEach(update), 150);
  const pictures = watchPictures(scroll, (seen) => tellSeen(seen));
  fill(host, make("h1", { class: "unseen" }, `${state.deck.title}: ${say("view_cards")}`), tools, scroll);

  drawTools();
  resize(settings.size);
  redraw();
  let turns = hasBacks();
  const end = hear("deck", ({ all, ids }) => {
    if (all || turns !== hasBacks()) { turns = hasBacks(); drawTools(); }
    if (all) { redraw(); return; }
    const changed = new Set(ids);
    state.deck.cards.filter((card) => changed.has(card.id)).forEach(update);
    choose();
  });
  if (items.has(state.opened)) focusCard(state.opened);

  function drawTools() {
    const { filter } = state;
    const kinds = [...new Set(state.deck.cards.map((card) => card.kind).filter(Boolean))].sort();
    const search = make("input", { class: "input", type: "search", placeholder: say("filter"),
      "aria-label": say("filter"), value: filter.text, data: { part: "search" },
      on: { input: (event) => { state.filter.text = event.target.value; choose(); } } });
    renew(tools,
      make("div", { class: "searchbox" }, drawIcon("search"), search),
      kinds.length > 1 && makeSelect("kind", [["", say("any_kind")], ...kinds.map((k) => [k, k])]),
      makeSelect("show", [["all", say("any_card")], ["problems", say("only_problems")],
        ["fresh", say("only_changed")]]),
      tally,
      make("span", { class: "spacer" }),
      make("div", { class: "toolset" }, makeSwitches(["look", "language"]),
        hasBacks() && make("div", { class: "group", role: "group", "aria-label": say("sides") },
          ["front", "back"].map((side) => makeButton({ part: side, text: say(`${side}s`),
            pressed: state.side === side, onClick: () => flipAll(side) }))),
        make("label", { class: "inline" }, make("span", { class: "label" }, say("size")),
          make("input", { type: "range", min: SMALLEST, max: LARGEST, step: 8, value: settings.size,
            data: { part: "size" },
            on: { input: (event) => resize(Number(event.target.value)) } }))),
    );
  }

  function makeSelect(key, options) {
    return make("select", { class: "select", "aria-label": say(key === "kind" ? "kind" : "which"),
      data: { part: key },
      on: { change: (event) => { state.filter[key] = event.target.value; choose(); } } },
    options.map(([value, text]) =>
      make("option", { value, selected: state.filter[key] === value }, text)));
  }

  function redraw() {
    const { cards } = state.deck;
    const ids = new Set(cards.map((card) => card.id));
    for (const [id, item] of items) {
      if (ids.has(id)) continue;
      pictures.drop(item.picture);
      items.delete(id);
    }
    const held = document.activeElement?.closest?.(".card")?.dataset.id;
    fill(list, cards.map((card) => {
      if (!items.has(card.id)) items.set(card.id, makeItem(card));
      return items.get(card.id).element;
    }));
    cards.forEach(update);
    choose();
    if (held && document.activeElement?.closest?.(".card")?.dataset.id !== held) focusCard(held);
  }

  function makeItem(card) {
    const picture = new Picture();
    const name = make("span", { class: "card-name" });
    const count = make("span", { class: "card-count" });
    const marks = make("span", {});
    const link = make("a", { href: makeRoute("card", card.id), tabindex: -1,
      on: { focus: () => setStop(card.id), click: () => { state.opened = card.id; } } },
    picture.element, make("span", { class: "card-words" }, name, count));
    picture.element.append(marks);
    const element = make("li", { class: "card", data: { id: card.id } }, link);
    pictures.add(picture);
    picture.id = card.id;
    return { element, picture, name, count, marks, link };
  }

  /** Show a card as it is; what is said of it is written only where it says another thing. */
  function update(card) {
    const { id } = card;
    const item = items.get(id);
    if (!item) return;
    const side = getSide(card);
    item.picture.showFace(card.faces[side], settings.size, "");
    const said = JSON.stringify([side, card.name, card.count, card.problems, card.shrunk, state.drafts.has(id)]);
    if (item.said === said) return;
    item.said = said;
    fill(item.name, card.name);
    item.name.title = card.name;
    fill(item.count, drawShrunk(card), card.count === 1 ? "" : say("times", { n: card.count }));
    const words = say(`${side}_of`, { name: card.name });
    const problems = card.problems || [];
    const worst = problems.find((problem) => getLevel(problem) === "error") || problems[0];
    const isBad = worst && getLevel(worst) === "error";
    item.element.classList.toggle("bad", Boolean(isBad));
    item.element.classList.toggle("warned", Boolean(worst) && !isBad);
    item.link.setAttribute("aria-label", [words, card.count === 1 ? "" : say("times", { n: card.count }),
      ...new Set(problems.map((p) => `${say(`level_${getLevel(p)}`)}: ${nameFault(p)}`)),
      state.drafts.has(id) ? say("unsaved") : ""].filter(Boolean).join(". "));
    fill(item.marks, worst && make("span", { class: `mark ${isBad ? "" : "warning"}` },
      drawIcon(isBad ? "error" : "warning"),
      make("span", {}, nameFault(worst), problems.length > 1 ? ` (+${problems.length - 1})` : "")));
    item.name.classList.toggle("draft", state.drafts.has(id));
  }

  function choose() {
    const { deck } = state;
    let n = 0;
    let first = null;
    for (const card of deck.cards) {
      const item = items.get(card.id);
      if (!item) continue;
      const fits = matches(card);
      if (item.element.hidden === fits) item.element.hidden = !fits;
      if (fits) { n += 1; first ??= card.id; }
    }
    const words = n === deck.cards.length
      ? say(n === deck.copies ? "cards_n" : "designs_n", { n, copies: deck.copies }) : say("of_cards", { n, all: deck.cards.length });
    // It is read aloud whenever it is written.
    if (tally.textContent !== words) fill(tally, words);
    const stop = list.querySelector('.card:not([hidden]) a[tabindex="0"]');
    if (!stop && first) setStop(first);
    scroll.querySelector(".empty")?.remove();
    if (n === 0) scroll.append(drawNoMatch());
  }

  function drawNoMatch() {
    return make("div", { class: "empty" }, drawIcon("search"), make("h2", {}, say("no_match")),
      make("p", {}, say("no_match_more")), makeButton({ text: say("clear_filter"), onClick: () => {
        state.filter = { text: "", kind: "", show: "all" };
        drawTools();
        choose();
      } }));
  }

  function resize(size) {
    settings.size = size;
    keepSize(size);
    const face = state.deck.cards[0]?.faces.front;
    scroll.style.setProperty("--size", `${size}px`);
    scroll.style.setProperty("--tall", `${size / (face ? face.width / face.height : 0.716) + 28}px`);
    sharpen();
  }

  function flipAll(side) {
    state.side = side;
    state.turned.clear();
    drawTools();
    state.deck.cards.forEach(update);
  }

  function flip(id) {
    const item = items.get(id);
    if (!state.turned.delete(id)) state.turned.add(id);
    item.picture.element.classList.remove("turning");
    void item.picture.element.offsetWidth;
    item.picture.element.classList.add("turning");
    setTimeout(() => { if (findCard(id)) update(findCard(id)); }, 120);
  }

  function setStop(id) {
    list.querySelectorAll('a[tabindex="0"]').forEach((link) => { link.tabIndex = -1; });
    const item = items.get(id);
    if (item) item.link.tabIndex = 0;
  }

  function focusCard(id) {
    setStop(id);
    items.get(id)?.link.focus();
    items.get(id)?.element.scrollIntoView({ block: "nearest" });
  }

  function key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape" && event.target.type === "search") {
      state.filter.text = event.target.value = "";
      choose();
      list.querySelector('a[tabindex="0"]')?.focus();
      return true;
    }
    if (isTyping(event.target)) return false;
    const held = event.target.closest?.(".card")?.dataset.id;
    const arrow = held && moveFrom(held, event.key);
    if (arrow) { focusCard(arrow); return true; }
    if (!held && ["ArrowDown", "ArrowRight"].includes(event.key) && event.target.id === "main") {
      list.querySelector('a[tabindex="0"]')?.focus();
      return true;
    }
    if (!settings.singleKeys) return false;
    if (event.key === "/") { tools.querySelector("input[type=search]").focus(); return true; }
    if (event.key === "f" && held) { flip(held); return true; }
    if (event.key === "F") { flipAll(state.side === "front" ? "back" : "front"); return true; }
    if (event.key === "+" || event.key === "-") {
      const step = event.key === "+" ? 24 : -24;
      resize(Math.min(LARGEST, Math.max(SMALLEST, settings.size + step)));
      drawTools();
      return true;
    }
    return false;
  }

  function moveFrom(id, arrow) {
    const shown = [...list.children].filter((item) => !item.hidden);
    const at = shown.findIndex((item) => item.dataset.id === id);
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns,
      ArrowDown: at + columns, Home: 0, End: shown.length - 1 }[arrow];
    return to === undefined ? null : shown[to]?.dataset.id;
  }

  function sendSeen(seen) {
    const ids = seen.map((picture) => picture.id);
    const face = state.deck?.cards[0]?.faces.front;
    if (!face || !ids.length) return;
    api.tellSeen(state.deck.name, state.view, ids, chooseDpi(face.width, settings.size)).catch(() => {});
  }

  return { key, leave: () => { end(); pictures.end(); tellSeen.cancel(); sharpen.cancel(); } };
}

/** Return how far the most shrunk text of a card went down. */
function drawShrunk({ shrunk }) {
  if (!shrunk?.length) return null;
  const least = shrunk.reduce((a, b) => (a.size / a.usual < b.size / b.usual ? a : b));
  return make("span", { class: "card-small", title: `${say("set_smaller")}. ${shrunk.map(describeShrunk).join("; ")}` },
    `${Math.round((100 * least.size) / least.usual)}% `);
}

const keepSize = debounce((size) => keepSetting("size", size), 300);

function getSide(card) {
  const other = state.side === "front" ? "back" : "front";
  const side = state.turned.has(card.id) ? other : state.side;
  return card.faces[side] ? side : "front";
}

function matches(card) {
  const { text, kind, show } = state.filter;
  if (kind && card.kind !== kind) return false;
  if (show === "problems" && !card.problems?.length) return false;
  if (show === "fresh" && !state.fresh.has(card.id)) return false;
  if (!text.trim()) return true;
  const all = [card.name, card.id, ...Object.values(card.fields).map(flatten)].join("\n").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => all.includes(word));
}

const flatten = (value) => (value === null || value === undefined ? ""
  : typeof value === "object" ? Object.values(value).map(flatten).join(" ") : String(value));
