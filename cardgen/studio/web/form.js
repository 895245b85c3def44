// A card's fields as a form: shown live while somebody types, written when it is saved.
import * as api from "./api.js";
import { debounce, drawIcon, fill, make, makeButton, openDialog } from "./dom.js";
import { copyCard, formatValue, givePicture, keepDraft, moveCard, readValue, removeCard, write } from "./editing.js";
import { drawFinding, formatPlace, joinAlike, makePlaceButton } from "./problems.js";
import { canWrite, state, tell } from "./store.js";
import { say } from "./strings.js";

const OWN = [{ name: "name", type: "text" }, { name: "count", type: "number" }];
const LONG = 60;
const SHORT = 20;

export function makeForm(first, { onTry }) {
  let card = first;
  let trying = null;
  let shown = []; // the problems
  let origins = {}; // by field: where its value is written
  let saving = Promise.resolve(); // one save waits for the other
  const inputs = new Map(); // by field: how its text is read and set
  const found = make("ul", { class: "findings" });
  const foot = make("footer", { class: "pane-foot" });
  const head = make("header", { class: "pane-head" });
  const body = make("div", { class: "pane-body" });
  const element = make("form", { class: "form", novalidate: true,
    on: { submit: (event) => { event.preventDefault(); save(); } } }, head, body, foot);
  const tryLater = debounce(tryNow, 90);

  drawAll();
  readOrigins();

  function getWas(field) {
    if (field === "name" || field === "count") return card[field];
    return card.fields[field] ?? null;
  }

  function getDraft() {
    return state.drafts.get(card.id);
  }

  function drawAll() {
    inputs.clear();
    fill(head, make("h1", {}, card.name),
      makeButton({ icon: "earlier", label: say("move_up"), bare: true, disabled: !canWrite(), onClick: () => moveCard(card, -1) }),
      makeButton({ icon: "later", label: say("move_down"), bare: true, disabled: !canWrite(), onClick: () => moveCard(card, 1) }),
      makeButton({ icon: "copy", label: say("copy_card"), bare: true, disabled: !canWrite(), onClick: () => copyCard(card) }),
      makeButton({ icon: "trash", label: say("remove_card"), bare: true, disabled: !canWrite(), onClick: () => removeCard(card) }));
    const fields = [...OWN, ...(state.deck.fields || []).filter(({ name }) => !["name", "count"].includes(name))];
    const isUsed = ({ name }) => OWN.some((one) => one.name === name)
      || state.deck.cards.some((one) => (one.fields[name] ?? null) !== null) || getDraft()?.[name];
    const unused = fields.filter((field) => !isUsed(field));
    fill(body, found, fields.filter(isUsed).map(drawField),
      // Of a deck that says nothing yet, all stand open.
      unused.length ? make("details", { class: "more-fields", open: fields.length - unused.length === OWN.length },
        make("summary", {}, say("more_fields", { n: unused.length })),
        make("div", { class: "more-list" }, unused.map(drawField))) : null,
      make("div", { class: "field long" }, card.place && makePlaceButton(card.place)));
    drawFound(card.problems);
    drawFoot();
  }

  function drawField(field) {
    const id = `field-${field.name}`;
    const was = getWas(field.name);
    const draft = getDraft()?.[field.name];
    const text = draft === undefined ? formatValue(was) : draft.text;
    const type = chooseType(field, was, text);
    const { control, tools, input } = makeControl(type, field, id, text);
    const hint = make("p", { class: "hint", id: `${id}-hint` });
    const origin = make("span", { class: "origin" });
    const title = { name: say("name"), count: say("count") }[field.name] || field.name;
    const label = make("label", { class: "label", htmlFor: id }, title);
    const isLong = type === "text" && input.tagName === "TEXTAREA";
    const isShort = type === "number" || (!["name", "text"].includes(field.name) && input.tagName === "INPUT" && isShortField(field));
    const around = make("div", { class: `field ${isLong ? "long" : ""} ${isShort ? "short" : ""}` },
      make("div", { class: tools ? "markup-tools" : "label-row" }, label, origin, tools), control, hint);
    input.setAttribute("aria-describedby", hint.id);
    inputs.set(field.name, { input, around, hint, origin, type, title });
    input.addEventListener("input", () => take(field.name));
    mark(field.name);
    return around;
  }

  function makeControl(type, field, id, text) {
    if (type === "flag") {
      const input = make("select", { class: "select", id }, ["", "true", "false"].map((one) =>
        make("option", { value: one, selected: one === text }, one || "—")));
      return { control: input, input };
    }
    if (type === "text" && (text.length > LONG || text.includes("\n") || isLongField(field))) {
      const input = make("textarea", { class: "input", id, rows: Math.min(14, 4 + Math.floor(text.length / 60)),
        value: text, spellcheck: true, lang: state.deck.language || null });
      return { control: input, input, tools: makeMarkupTools(input) };
    }
    const values = field.values?.length && field.values.length <= 40 ? field.values.map(formatValue) : null;
    const list = values && make("datalist", { id: `${id}-values` }, values.map((value) => make("option", { value })));
    const input = make("input", { class: "input", id, value: text, autocomplete: "off",
      inputmode: type === "number" ? "decimal" : null, list: list ? `${id}-values` : null });
    if (type === "colour") {
      const well = make("input", { type: "color", value: /^#[0-9a-f]{6}$/i.test(text) ? text : "#808080",
        "aria-label": field.name, on: { input: () => { input.value = well.value; take(field.name); } } });
      return { control: make("div", { class: "field-row" }, well, input), input };
    }
    if (type === "icon") {
      const button = makeButton({ icon: "cards", label: say("pick_icon_for", { field: field.name }), onClick: () =>
        pickIcon((name) => { input.value = name; take(field.name); show(); }) });
      const show = () => showGlyph(button, input.value);
      input.addEventListener("input", show);
      show();
      return { control: make("div", { class: "field-row" }, input, list, button), input };
    }
    if (type === "picture") {
      const file = make("input", { class: "unseen", type: "file", accept: "image/*", tabindex: -1, "aria-hidden": "true",
        on: { change: () => { if (file.files[0]) give(field.name, file.files[0]); file.value = ""; } } });
      const button = makeButton({ icon: "tray", label: say("pick_picture", { field: field.name }), disabled: !canWrite(),
        onClick: () => file.click() });
      return { control: make("div", { class: "field-row", data: { picture: field.name } }, input, list, file, button), input };
    }
    return { control: list ? [input, list] : input, input };
  }

  /** Give the card a picture, over what is typed in its field. */
  function give(name, file) {
    const { input } = inputs.get(name);
    input.value = formatValue(getWas(name));
    take(name);
    givePicture(card.id, file, name);
  }

  async function readOrigins() {
    const { id } = card;
    try {
      const found = await api.readOrigins(state.deck.name, id, state.view);
      if (id !== card.id) return;
      origins = found;
    } catch {
      return; // the card is gone by now, or its file cannot be read
    }
    for (const [name, { origin, title }] of inputs) {
      const place = origins[name];
      const isElsewhere = place && place.file !== card.place?.file;
      fill(origin, place && makePlaceButton(place, isElsewhere ? place.file.replace(/.*\//, "") : "",
        say("comes_from", { field: title, place: formatPlace(place) })));
    }
    drawFound(shown);
  }

  function take(name) {
    const { input } = inputs.get(name);
    const was = formatValue(getWas(name));
    const draft = { ...getDraft() };
    if (input.value === was) delete draft[name];
    else draft[name] = { text: input.value, was: draft[name] ? draft[name].was : getWas(name) };
    keepDraft(card.id, Object.entries(draft));
    mark(name);
    drawFoot();
    tryLater();
  }

  function mark(name) {
    const { around, hint, input } = inputs.get(name);
    around.classList.toggle("changed", Boolean(getDraft()?.[name]));
    const { bad } = read(name);
    hint.classList.toggle("bad", Boolean(bad));
    input.setAttribute("aria-invalid", String(Boolean(bad)));
    fill(hint, bad || "");
    hint.hidden = !bad;
  }

  function read(name) {
    const { input, type } = inputs.get(name);
    try {
      return { value: readValue(input.value, type, getDraft()?.[name]?.was ?? getWas(name)) };
    } catch (error) {
      return { bad: error.message };
    }
  }

  function listChanged() {
    return Object.keys(getDraft() || {}).filter((name) => inputs.has(name));
  }

  async function tryNow() {
    trying?.abort();
    const changed = listChanged();
    if (!changed.length) { onTry(null); drawFound(card.problems); return; }
    const read_ = changed.map((name) => [name, read(name)]);
    if (read_.some(([, { bad }]) => bad)) return;
    trying = new AbortController();
    try {
      const values = Object.fromEntries(read_.map(([name, { value }]) => [name, value]));
      const answer = await api.tryCard(state.deck.name, state.view, card.id, values, trying.signal);
      onTry(answer.faces);
      drawFound(answer.problems);
    } catch (error) {
      if (error.name !== "AbortError") drawFound(error.problems || []);
    }
  }

  function drawFound(problems) {
    shown = problems;
    const placed = (problems || []).map((one) => ({ ...one, card: null, place: origins[one.field] || one.place }));
    fill(found, joinAlike(placed).map(drawFinding));
    found.hidden = !problems?.length;
  }

  function drawFoot() {
    const changed = listChanged().length > 0;
    const held = foot.contains(document.activeElement);
    fill(foot,
      make("span", { class: "quiet", role: "status" }, !canWrite() ? say("read_only") : changed ? say("unsaved") : ""),
      make("span", { class: "spacer" }),
      changed && makeButton({ text: say("discard"), bare: true, onClick: discard }),
      makeButton({ text: say("save"), key: "Ctrl+S", kind: "strong", type: "submit", disabled: !changed || !canWrite() }));
    if (held) foot.querySelector("button:not(:disabled)")?.focus();
  }

  function save() {
    saving = saving.then(saveNow).catch(reportError);
  }

  async function saveNow() {
    const draft = getDraft();
    const changed = listChanged();
    if (!canWrite() || !changed.length || changed.some((name) => read(name).bad)) return;
    tryLater.cancel();
    const edits = changed.map((name) => ({ kind: "set", card: card.id, field: name,
      value: read(name).value, was: draft[name].was }));
    const done = await write(edits);
    if (!done) return;
    for (const { field, value } of done.kept ? [] : edits) {
      if (field in card) card[field] = value;
      else card.fields[field] = value;
    }
    const later = Object.entries(getDraft() || {}).filter(([name, { text }]) => text !== draft[name]?.text);
    keepDraft(card.id, later.map(([name, { text }]) => [name, { text, was: getWas(name) }]));
    refill();
    drawFoot();
    if (later.length) tryLater();
    tell("deck", { all: false, ids: [] });
  }

  /** Show what the file says, but where something else was typed. */
  function refill() {
    for (const [name, { input }] of inputs) {
      if (!getDraft()?.[name] && input.value !== formatValue(getWas(name))) {
        input.value = formatValue(getWas(name));
      }
      mark(name);
    }
  }

  function discard() {
    state.drafts.delete(card.id);
    tryLater.cancel();
    drawAll();
    onTry(null);
  }

  return {
    element,
    /** Take the card as the file has it now; what is typed meanwhile stays. */
    update(now) {
      const focused = document.activeElement?.id;
      card = now;
      fill(head.querySelector("h1"), card.name);
      refill();
      drawFound(card.problems);
      readOrigins();
      drawFoot();
      if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus();
      if (listChanged().length) tryLater();
    },
    key(event) {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return false;
      save();
      return true;
    },
    leave() { tryLater.cancel(); trying?.abort(); },
  };
}

function chooseType(field, was, text) {
  if (field.type === "text" && was !== null && typeof was === "object") return "list";
  if (field.type === "text" && /^#[0-9a-f]{6}$/i.test(text)) return "colour";
  return field.type || "text";
}

/** Whether it is the text of cards, or any has a text there that is long, or holds bold or icons. */
const isLongField = ({ name }) => name === "text" || state.deck.cards.some(({ fields }) => {
  const value = fields[name];
  return typeof value === "string" && (value.length > LONG || /\n|\*\S|:[a-z][a-z0-9-]*:/.test(value));
});

/** Whether all values there are so short that two fields stand side by side. */
const isShortField = ({ name }) => state.deck.cards.every(({ fields }) =>
  formatValue(fields[name]).length <= SHORT);

// What a text may hold: bold, italic, icons

function makeMarkupTools(area) {
  const act = (event, sign) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    wrap(area, sign);
  };
  area.addEventListener("keydown", (event) => {
    if (event.key === "b") act(event, "**");
    if (event.key === "i") act(event, "*");
  });
  const small = (text, label, className, onClick, key) => {
    const button = makeButton({ text, kind: `small ${className}`, onClick });
    button.setAttribute("aria-label", label);
    button.title = key ? `${label} (${key})` : label;
    return button;
  };
  return [
    small("B", say("bold"), "is-bold", () => wrap(area, "**"), "Ctrl+B"),
    small("I", say("italic"), "is-italic", () => wrap(area, "*"), "Ctrl+I"),
    small(say("icon"), say("pick_icon"), "", () => pickIcon((name) => insert(area, `:${name}:`))),
  ];
}

/** Put signs around what is chosen, or take them away where they are there already. */
function wrap(area, sign) {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const inner = value.slice(start, end);
  const n = sign.length;
  const has = value.slice(start - n, start) === sign && value.slice(end, end + n) === sign;
  if (has) {
    area.setRangeText(inner, start - n, end + n, "preserve");
    area.setSelectionRange(start - n, end - n);
  } else {
    area.setRangeText(sign + inner + sign, start, end, "preserve");
    area.setSelectionRange(start + n, end + n);
  }
  area.focus();
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

function insert(area, text) {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.focus();
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

let icons = null; // asked for once

const readIcons = () => (icons ??= api.readIcons().catch(() => { icons = null; return []; }));

const drawGlyph = ({ url }, size = "") => make("span", { class: `glyph ${size}`,
  vars: { "--glyph": `url("${new URL(url, document.baseURI)}")` } });

/** Show on a button the icon of a name, where there is one. */
async function showGlyph(button, name) {
  const icon = (await readIcons()).find((one) => one.name === name.trim());
  fill(button, icon ? drawGlyph(icon, "small") : drawIcon("plus"));
}

async function pickIcon(onPick) {
  const known = await readIcons();
  const grid = make("ul", { class: "icon-grid" });
  const search = make("input", { class: "input", type: "search", placeholder: say("find_icon"),
    "aria-label": say("find_icon"), on: { input: draw } });
  const dialog = openDialog({ title: say("pick_icon"), closeLabel: say("close"), wide: true },
    make("div", { class: "dialog-body" },
      make("div", { class: "searchbox" }, drawIcon("search"), search), grid));
  draw();
  search.focus();

  function draw() {
    const wanted = search.value.trim().toLowerCase();
    fill(grid, known.filter(({ name }) => name.includes(wanted)).map(({ name, url }) => make("li", {},
      make("button", { class: "button bare", type: "button", on: { click: () => {
        dialog.close();
        onPick(name);
      } } },
      drawGlyph({ url }), name))));
  }
}
