// One card, large: zoomed, before and after the last save, with what lies where; its form beside.
import * as api from "./api.js";
import { drawIcon, fill, isTyping, make, makeButton, makeShape, renew } from "./dom.js";
import { moveDraft } from "./editing.js";
import { makeForm } from "./form.js";
import { Picture, chooseDpi } from "./picture.js";
import { formatPlace, openIn } from "./problems.js";
import { findCard, hear, makeRoute, settings, state } from "./store.js";
import { say } from "./strings.js";

const INCH = 25.4;
const ZOOMS = ["fit", 96, 150, 300, 600];
const OVERLAYS = ["trim", "bleed", "safe", "folds", "boxes"];
const chosen = { zoom: "fit", overlays: new Set(), split: 50 };

export function openCard(host, id) {
  let card = findCard(id);
  let side = state.side;
  let comparing = false;
  let tried = null; // the card's faces as they would be, while somebody types
  let boxes = null;
  let form = null;
  let lastSeen = "";
  let order = state.deck.cards.map((one) => one.id);
  const tools = make("div", { class: "toolbar" });
  const light = make("div", { class: "light", tabindex: 0, role: "region" });
  const pane = make("aside", { class: "pane", "aria-label": say("fields") });
  fill(host, make("div", { class: "one" }, make("section", { class: "stage" }, tools, light), pane));
  const picture = new Picture({ isNear: true });
  const older = new Picture({ isNear: true, className: "face before" });
  const onResize = new ResizeObserver(() => draw());

  show(id);
  onResize.observe(light);
  const end = hear("deck", ({ all, ids }) => {
    if (!card || (!all && !ids.includes(card.id))) return;
    const now = findCard(card.id);
    if (!now) {
      const renamed = findRenamed();
      if (renamed) moveDraft(card.id, renamed);
      location.replace(renamed ? makeRoute("card", renamed.id) : makeRoute("cards"));
      return;
    }
    order = state.deck.cards.map((one) => one.id);
    card = now;
    tried = null;
    boxes = null;
    form?.update(card);
    drawTools();
    draw();
  });

  /** Return the card that stands where this one did, and goes by another id since it has another name. */
  function findRenamed() {
    const { cards } = state.deck;
    const there = cards[order.indexOf(card.id)];
    return cards.length === order.length && there && !order.includes(there.id) ? there : null;
  }

  function show(nextId) {
    order = state.deck.cards.map((one) => one.id);
    form?.leave();
    card = findCard(nextId);
    tried = boxes = null;
    if (!card) {
      fill(host, make("div", { class: "empty" }, drawIcon("search"), make("h2", {}, say("no_such_card")),
        make("a", { class: "button", href: makeRoute("cards") }, say("back_to_wall"))));
      return;
    }
    if (!card.faces[side]) side = "front";
    form = makeForm(card, { onTry: (faces) => { tried = faces; draw(); } });
    fill(pane, form.element);
    drawTools();
    draw();
  }

  function drawTools() {
    const at = state.deck.cards.findIndex((one) => one.id === card.id);
    const { length } = state.deck.cards;
    renew(tools,
      make("a", { class: "button bare", href: makeRoute("cards"), data: { part: "wall" } },
        drawIcon("left"), say("back_to_wall")),
      make("div", { class: "group" },
        makeButton({ part: "previous", icon: "up", label: say("previous"), key: "K", disabled: at === 0, onClick: () => go(-1) }),
        makeButton({ part: "next", icon: "down", label: say("next"), key: "J", disabled: at === length - 1, onClick: () => go(1) })),
      make("span", { class: "tally" }, `${at + 1} / ${length}`),
      make("span", { class: "spacer" }),
      make("div", { class: "toolset" },
        card.faces.back && make("div", { class: "group", role: "group", "aria-label": say("sides") },
          ["front", "back"].map((one) => makeButton({ part: one, text: say(one), pressed: side === one, onClick: () => turn(one) }))),
        makeButton({ part: "compare", icon: "compare", label: say("compare"), key: "B", pressed: comparing,
          disabled: !findBefore() && !comparing, onClick: compare }),
        make("div", { class: "group", role: "group", "aria-label": say("overlays") },
          OVERLAYS.map((one) => makeButton({ part: one, text: say(`overlay_${one}`), pressed: chosen.overlays.has(one),
            onClick: () => toggle(one) }))),
        make("select", { class: "select", data: { part: "zoom" }, "aria-label": say("zoom"),
          on: { change: (event) => setZoom(event.target.value) } },
        ZOOMS.map((zoom) => make("option", { value: zoom, selected: String(chosen.zoom) === String(zoom) },
          zoom === "fit" ? say("zoom_fit") : say("zoom_dpi", { n: zoom }))))),
    );
  }

  function getFace() {
    return (tried || card.faces)[side];
  }

  function findBefore() {
    const face = state.before.get(card.id)?.[side];
    return face && face.v !== card.faces[side]?.v ? face : null;
  }

  function draw() {
    if (!card) return;
    const face = getFace();
    const before = findBefore();
    if (!before) comparing = false;
    const margin = comparing ? 112 : 64;
    const room = { width: light.clientWidth - 64, height: light.clientHeight - margin };
    const showBleed = chosen.overlays.has("bleed");
    const { bleed } = face;
    const beyond = showBleed ? [bleed.left + bleed.right, bleed.top + bleed.bottom] : [0, 0];
    const scale = chosen.zoom === "fit"
      ? Math.max(0.5, Math.min(room.width / (face.width + beyond[0]), room.height / (face.height + beyond[1])))
      : chosen.zoom / INCH / (window.devicePixelRatio || 1);
    const [width, height] = [face.width * scale, face.height * scale];
    tellSeen(chooseDpi(face.width, width));
    picture.showFace(face, width, say(`${side}_of`, { name: card.name }));
    picture.element.classList.toggle("with-bleed", showBleed);
    light.setAttribute("aria-label", say(`${side}_of`, { name: card.name }));
    const parts = [picture.element];
    if (comparing) {
      older.showFace(before, width, say("before"));
      parts.push(older.element, ...drawSplit());
    }
    const overlay = chosen.overlays.size ? drawOverlay(face) : null;
    if (overlay) parts.push(overlay);
    const around = light.querySelector(".sheet-of-card")
      || light.appendChild(make("div", { class: "sheet-of-card" }));
    around.style.setProperty("--w", `${width}px`);
    around.style.setProperty("--h", `${height}px`);
    around.style.setProperty("--split", `${chosen.split}%`);
    const heldRange = document.activeElement?.classList.contains("split-range");
    fill(around, parts);
    if (heldRange) around.querySelector(".split-range")?.focus();
  }

  /** Tell how large the card is shown, so that what is tried is drawn as finely. */
  function tellSeen(dpi) {
    const said = `${card.id} ${dpi}`;
    if (said === lastSeen) return;
    lastSeen = said;
    api.tellSeen(state.deck.name, state.view, [card.id], dpi).catch(() => {});
  }

  function drawSplit() {
    const around = () => light.querySelector(".sheet-of-card");
    return [
      make("span", { class: "split", "aria-hidden": "true" }),
      make("span", { class: "split-words" }, make("span", {}, say("before")), make("span", {}, say("after"))),
      make("input", { class: "split-range", type: "range", min: 0, max: 100, value: chosen.split,
        "aria-label": say("before_after"), on: { input: (event) => {
          chosen.split = Number(event.target.value);
          around().style.setProperty("--split", `${chosen.split}%`);
        } } }),
    ];
  }

  function drawOverlay(face) {
    const { bleed, width, height } = face;
    const svg = makeShape("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none" });
    const add = (tag, attributes) => svg.appendChild(makeShape(tag, attributes));
    if (chosen.overlays.has("bleed")) {
      add("rect", { class: "bleed", x: -bleed.left, y: -bleed.top, width: width + bleed.left + bleed.right,
        height: height + bleed.top + bleed.bottom });
    }
    if (chosen.overlays.has("trim")) {
      if (face.outline) add("path", { class: "trim", d: face.outline });
      else add("rect", { class: "trim", x: 0, y: 0, width, height });
    }
    if (chosen.overlays.has("safe")) {
      const safe = face.safe || { top: 3, right: 3, bottom: 3, left: 3 };
      add("rect", { class: "safe", x: safe.left, y: safe.top, width: width - safe.left - safe.right,
        height: height - safe.top - safe.bottom });
    }
    if (chosen.overlays.has("folds") || chosen.overlays.has("boxes")) readBoxes();
    if (chosen.overlays.has("folds")) {
      for (const { fold } of boxes) if (fold) add("path", { class: "fold", d: fold });
    }
    if (chosen.overlays.has("boxes")) drawBoxes(add);
    return svg;
  }

  function readBoxes() {
    if (boxes !== null) return;
    const mine = [];
    boxes = mine;
    api.readBoxes(state.deck.name, card.id, side, state.view).then((answer) => {
      if (boxes !== mine) return; // of another card or side by now
      boxes = answer.boxes;
      draw();
    }).catch(() => {});
  }

  function drawBoxes(add) {
    for (const box of boxes) {
      const words = say("box_here", { element: `<${box.element}>`, place: formatPlace(box.place) || "?" });
      const shape = add("rect", { class: "box", x: box.x, y: box.y, width: box.width, height: box.height,
        tabindex: "0", role: "button", "aria-label": words });
      const tell = () => showBoxWords(words);
      shape.addEventListener("pointerenter", tell);
      shape.addEventListener("focus", tell);
      shape.addEventListener("click", () => box.place && openIn(box.place));
      shape.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (box.place) openIn(box.place);
      });
    }
  }

  function showBoxWords(words) {
    const old = light.querySelector(".box-words");
    if (old) fill(old, words);
    else light.append(make("p", { class: "box-words mono", "aria-hidden": "true" }, words));
  }

  function turn(to) {
    side = to;
    boxes = null;
    picture.element.classList.remove("turning");
    void picture.element.offsetWidth;
    picture.element.classList.add("turning");
    drawTools();
    draw();
  }

  function compare() {
    comparing = !comparing && Boolean(findBefore());
    drawTools();
    draw();
    if (comparing) light.querySelector(".split-range")?.focus();
  }

  function toggle(one) {
    if (!chosen.overlays.delete(one)) chosen.overlays.add(one);
    if (!chosen.overlays.has("boxes")) light.querySelector(".box-words")?.remove();
    drawTools();
    draw();
  }

  function setZoom(value) {
    chosen.zoom = value === "fit" ? value : Number(value);
    draw();
  }

  function go(step) {
    const at = state.deck.cards.findIndex((one) => one.id === card.id);
    const next = state.deck.cards[at + step];
    if (next) location.hash = makeRoute("card", next.id);
  }

  function zoomBy(step) {
    const at = ZOOMS.indexOf(chosen.zoom);
    setZoom(ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at + step))]);
    drawTools();
  }

  function key(event) {
    if (form?.key(event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === "Escape") {
      if (isTyping(event.target)) { event.target.blur(); light.focus(); } else location.hash = makeRoute("cards");
      return true;
    }
    if (isTyping(event.target) || event.target.type === "range") return false;
    if (event.target === light && chosen.zoom === "fit") {
      if (event.key === "ArrowLeft") { go(-1); return true; }
      if (event.key === "ArrowRight") { go(1); return true; }
    }
    if (!settings.singleKeys || !card) return false;
    const act = { j: () => go(1), k: () => go(-1), f: () => card.faces.back && turn(side === "front" ? "back" : "front"),
      b: compare, "+": () => zoomBy(1), "-": () => zoomBy(-1) }[event.key.toLowerCase()];
    act?.();
    return Boolean(act);
  }

  return {
    key,
    go: (next) => { show(next); light.focus({ preventScroll: true }); },
    leave: () => { end(); form?.leave(); onResize.disconnect(); },
  };
}
