// Changes to the deck's file: sent, refused, or in conflict with what somebody else wrote.
import * as api from "./api.js";
import { announce, fill, make, makeButton, openDialog } from "./dom.js";
import { drawFinding, showBanner } from "./problems.js";
import { makeRoute, state, tell, waitUntil } from "./store.js";
import { say } from "./strings.js";

/**
 * Write edits. Where the file has changed meanwhile, both texts are shown and somebody chooses.
 *
 * Returns what the server answered; null if nothing was written, and `refuse` is told why.
 */
export async function write(edits, refuse = showBanner) {
  const { deck, view } = state;
  try {
    const done = await api.sendEdits(deck.name, view, edits);
    Object.assign(state.deck, { undo: done.undo, redo: done.redo });
    tell("problems");
    announce(say("saved"));
    return done;
  } catch (error) {
    if (error.conflicts?.length) return settle(edits, error.conflicts);
    refuse({ refused: error.problems || [], words: error.message });
    return null;
  }
}

/** Give a card a picture: in a field, or in the one that its template shows a picture of. */
export async function givePicture(id, file, field = null) {
  const { deck, view } = state;
  try {
    const done = await api.givePicture(file, { deck: deck.name, ...view, card: id, field });
    Object.assign(deck, { undo: done.undo, redo: done.redo });
    tell("problems");
    announce(say("picture_given", { name: file.name }));
  } catch (error) {
    showBanner({ refused: error.problems || [], words: error.message });
  }
}

/** Whether a file is a picture. */
export const isPicture = ({ name, type }) => type.startsWith("image/")
  || /\.(png|jpe?g|webp|gif|avif|tiff?|bmp|svg)$/i.test(name);

/** Show both texts of each conflict; write those that are chosen. */
function settle(edits, conflicts) {
  return new Promise((answer) => {
    let done = null;
    const find = (edit) => conflicts.find(
      ({ card, field }) => card === edit.card && field === edit.field,
    );
    const choose = async (mine) => {
      // What the file says now is known: it is what these edits are made upon.
      const upon = edits.map((edit) => (find(edit) ? { ...edit, was: find(edit).theirs } : edit));
      done = mine ? await write(upon)
        : await write(upon.filter((edit) => !find(edit))) || { kept: true };
      dialog.close();
    };
    const dialog = openDialog({ title: say("conflict"), closeLabel: say("close"), wide: true,
      onClose: () => answer(done) },
    make("div", { class: "dialog-body" }, make("p", {}, say("conflict_more")),
      conflicts.map((one) => make("section", {},
        make("h3", {}, `${state.deck.cards.find((c) => c.id === one.card)?.name || one.card}: ${one.field}`),
        drawBoth(one, say("yours"))))),
    make("footer", { class: "dialog-foot" },
      makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }),
      makeButton({ text: say("keep_theirs"), onClick: () => choose(false) }),
      makeButton({ text: say("keep_yours"), kind: "strong", onClick: () => choose(true) })));
  });
}

function drawBoth({ yours, theirs, was }, title) {
  return make("div", { class: "two-texts" },
    make("div", {}, make("p", { class: "label" }, title), drawText(yours, was)),
    make("div", {}, make("p", { class: "label" }, say("theirs")), drawText(theirs, was)));
}

/** Show what a step would write over what somebody else wrote, and leave it out on a click. */
export function offerToForget(which, conflicts) {
  const { deck } = state;
  const file = conflicts[0].place?.file || deck.file;
  return new Promise((answer) => {
    const leave = async () => {
      Object.assign(deck, await api.forgetStep(deck.name, which).catch(() => ({})));
      announce(say("step_left_out"));
      dialog.close();
    };
    const dialog = openDialog({ title: say("conflict"), closeLabel: say("close"), wide: true, onClose: answer },
      make("div", { class: "dialog-body" }, make("p", {}, say(`${which}_conflict`, { file })),
        conflicts.filter(({ yours, theirs }) => yours || theirs).map((one) => drawBoth(one, say(`${which}_writes`))),
        make("p", {}, say("leave_step_out_more"))),
      make("footer", { class: "dialog-foot" },
        makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }),
        makeButton({ text: say("leave_step_out"), kind: "strong", onClick: leave })));
  });
}

/** Return a value as text, with the words marked that it did not have before. */
function drawText(value, was) {
  const words = formatValue(value).split(/(\s+)/);
  const before = new Set(formatValue(was).split(/\s+/));
  return make("pre", { tabindex: 0 }, words.map((word) => (
    word.trim() && !before.has(word) ? make("ins", {}, word) : word)));
}

/** Let what was typed on a card follow it to another id, but for what it says by now. */
export function moveDraft(id, card) {
  const draft = Object.entries(state.drafts.get(id) || {}).filter(([field, { text }]) =>
    text !== formatValue(card[field] ?? card.fields[field]));
  state.drafts.delete(id);
  keepDraft(card.id, draft);
}

/** Keep what is typed on a card: each field with its text, and what it said before. */
export function keepDraft(id, fields) {
  if (fields.length) state.drafts.set(id, Object.fromEntries(fields));
  else state.drafts.delete(id);
}

/** Return a value as one types it: plain lists with commas, other lists and maps as JSON. */
export function formatValue(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.length && value.every(isPlain)) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const isPlain = (item) => typeof item === "string" && !/^[\s[{"]|,|\n|\s$/.test(item) && item !== "";

/** Return the value that a text means where `was` stood; a text that is no such value throws. */
export function readValue(text, type, was) {
  if (text.trim() === "") return null;
  if (type === "number") {
    const number = Number(text.trim().replace("−", "-"));
    return Number.isNaN(number) ? text : number;
  }
  if (type === "list" || (was !== null && typeof was === "object")) {
    const plain = text.trim();
    if (plain.startsWith("[") || plain.startsWith("{")) return readJson(plain);
    return Array.isArray(was) || type === "list"
      ? plain.split(",").map((item) => item.trim()).filter(Boolean) : text;
  }
  if (type === "flag") return text === "true";
  return text;
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(say("not_json"));
  }
}

/** Ask for a name and add a card after another, or at the end. */
export function addCard(after) {
  const name = make("input", { class: "input", required: true, maxlength: 200, autocomplete: "off" });
  const failed = make("div", { class: "findings", role: "alert" });
  const refuse = ({ refused, words }) => fill(failed, make("ul", {},
    (refused.length ? refused : [{ message: words, code: "" }]).map(drawFinding)));
  const save = async (event) => {
    event.preventDefault();
    const given = name.value.trim();
    if (!given) return;
    const known = new Set(state.deck.cards.map((card) => card.id));
    if (!await write([{ kind: "add", after, values: { name: given } }], refuse)) return;
    dialog.close();
    openWhenKnown((card) => !known.has(card.id));
  };
  const dialog = openDialog({ title: say("add_card"), closeLabel: say("close") },
    make("form", { on: { submit: save } },
      make("div", { class: "dialog-body" }, make("label", {},
        make("span", { class: "label" }, say("new_name")), name), failed),
      make("footer", { class: "dialog-foot" },
        makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }),
        makeButton({ text: say("add"), kind: "strong", type: "submit" }))));
  name.focus();
}

export async function copyCard(card) {
  const known = new Set(state.deck.cards.map((one) => one.id));
  if (await write([{ kind: "copy", card: card.id }])) openWhenKnown((one) => !known.has(one.id));
}

export function removeCard(card) {
  const dialog = openDialog({ title: say("remove_card"), closeLabel: say("close") },
    make("div", { class: "dialog-body" }, make("p", {}, say("remove_sure", { name: card.name }))),
    make("footer", { class: "dialog-foot" },
      makeButton({ text: say("cancel"), bare: true, onClick: () => dialog.close() }),
      makeButton({ text: say("remove"), kind: "strong", onClick: async () => {
        dialog.close();
        const here = location.hash;
        if (await write([{ kind: "remove", card: card.id }])) {
          state.drafts.delete(card.id);
          // Whoever has moved on meanwhile stays there.
          if (location.hash === here) location.hash = makeRoute("cards");
        }
      } })));
}

/** Move a card one place forward (-1) or back (1) in the deck. */
export async function moveCard(card, step) {
  const ids = state.deck.cards.map((one) => one.id);
  const at = ids.indexOf(card.id);
  const to = at + step;
  if (to < 0 || to >= ids.length) return;
  await write([{ kind: "move", card: card.id, after: step > 0 ? ids[to] : ids[to - 1] ?? null }]);
}

/** Open the first card that fits, as soon as the server has told of it. */
async function openWhenKnown(fits) {
  const find = () => state.deck?.cards.find(fits);
  await waitUntil(find);
  if (find()) location.hash = makeRoute("card", find().id);
}
